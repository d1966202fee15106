"""`kalahlab published` and `kalahlab report`."""

import sys
from pathlib import Path
from typing import Any

import click

from kalahlab.cli.parameters import FOLDER, as_json
from kalahlab.cli.text import grid_text, print_answer, say


@click.command()
@click.option("--off", multiple=True, metavar="DEFECT", help="Turn a defect off; 'all' for all.")
@click.option("--e1-otherwise", type=int, help="What E1 is where the program leaves it undefined.")
@as_json
def published(off: tuple[str, ...], e1_otherwise: int | None, as_json: bool) -> None:
    """Recompute the table of the CS5329 report, defects and all."""
    from kalahlab.published.comparison import table
    from kalahlab.published.cs5329 import Defects

    names = [name for each in off for name in (Defects.names() if each == "all" else (each,))]
    rows = table(Defects.without(*names), e1_otherwise=e1_otherwise)
    print_answer({"rows": rows}, as_json, grid_text([compared(row) for row in rows]))


@click.command()
@click.option("--profile", default="default", help="tiny, smoke, default or full.")
@click.option("--out", type=FOLDER, default="report", help="The folder to write to.")
@click.option("--only", multiple=True, metavar="NOTEBOOK", help="Build this notebook alone.")
@click.option(
    "-p",
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NOTEBOOK.NAME=VALUE",
    help="Set a notebook's parameter, for example 02_published_study.depths=[2,4].",
)
@click.option("--force", is_flag=True, help="Run notebooks again that have not changed.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Notebooks at a time; one a processor.")
@as_json
def report(profile: str, out: Path, only: tuple[str, ...], as_json: bool, **settings: Any) -> None:
    """Run the notebooks and write the report.

    Pages, figures, tables and an index that opens without a network. Exit status 1 if a
    notebook failed; the others are built all the same.
    """
    from kalahlab.report.build import build
    from kalahlab.widgets import runtime
    from kalahlab.widgets.page import RUNTIME

    made = build(profile, out, only or None, **settings)
    if runtime.fetched():
        runtime.write_runtime(out / RUNTIME)
    else:
        say(f"pages cannot search by themselves: {runtime.MISSING}", err=True)
    failed = ", ".join(record.notebook for record in made.failed)
    if as_json:
        click.echo(made.to_json())
    else:
        say(f"open {out / 'index.html'}{failed and f'; failed: {failed}'}")
    sys.exit(1 if failed else 0)


@click.command()
@click.option("--report", "folder", type=FOLDER, default="report", help="The folder of a report.")
@click.option("--out", type=click.Path(path_type=Path), help="The file.  [default: in the folder]")
@as_json
def pdf(folder: Path, out: Path | None, as_json: bool) -> None:
    """Print a report that was made as one PDF.

    Its pages in order, with contents, page numbers and bookmarks. Needs Chromium or Chrome.
    """
    from kalahlab.report.pdf import to_pdf

    file = out or folder / "report.pdf"
    count = to_pdf(folder, file)
    print_answer({"file": str(file), "pages": count}, as_json, f"open {file}: {count} pages")


def compared(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the published table as a person reads it: printed beside recomputed."""
    defined, names = row["generated"] is not None, ("generated", "expanded", "path")
    return {
        "algorithm": row["algorithm"],
        "evaluation": f"E{row['evaluation']}",
        "depth": row["depth"],
        "printed": "/".join(f"{row[f'printed_{name}']}" for name in names),
        "recomputed": "/".join(f"{row[name]}" for name in names) if defined else "not defined",
        "stores": f"{row['stores_a']}-{row['stores_b']}" if defined else "-",
        "winner": row["winner"] or "-",
        "verdict": row["verdict"],
    }
