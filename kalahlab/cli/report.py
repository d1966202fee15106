"""`kalahlab published`, `claims`, `report`, `pdf`, `slides`, `playground` and `site`."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import click

from kalahlab.claims import KINDS, VERDICTS, ledger, printed
from kalahlab.cli.openings import page_of as openings_page
from kalahlab.cli.options import FILE, FOLDER, GAME, PLAYER, Answer, command, only
from kalahlab.cli.text import WIDTH, grid_text, say
from kalahlab.data import notebooks_folder
from kalahlab.files import atomic_write, write
from kalahlab.games.registry import GameType, game_type
from kalahlab.judging.value_files import Opening

OPPONENT = "alpha_beta:store_difference:4"
INTRO = (
    '<p class="intro">Step through the search of any position to see why it cuts branches; below '
    "it, play Kalah against the computer, and have your game reviewed. "
    '<a href="#widget-1">To the board</a></p>'
)


@command()
@click.option("--off", multiple=True, metavar="DEFECT", help="Turn a defect off; 'all' for all.")
def published(off: tuple[str, ...]) -> Answer:
    """Recompute the table of the CS5329 report, defects and all.

    \b
    kalahlab published --off inverted-window
    """
    from kalahlab.published.comparison import table
    from kalahlab.published.cs5329 import Defects

    names = [name for each in off for name in (Defects.names() if each == "all" else (each,))]
    rows = table(Defects.without(*names))
    return {"rows": rows}, grid_text([compared(row) for row in rows])


def compared(row: dict[str, Any]) -> dict[str, Any]:
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


def _choices(name: str, known: Sequence[str]) -> Callable[[Any], Any]:
    some: Any = {"multiple": True, "type": click.Choice(known), "metavar": name.upper()}
    return click.option(f"--{name}", help=f"{', '.join(known)}.", **some)


@command()
@_choices("source", ("cs5329", "staged", "homework", "betsy", "cards"))
@_choices("kind", KINDS)
@_choices("verdict", VERDICTS)
def claims(**chosen: Sequence[str]) -> Answer:
    """Show what became of the claims of the five source documents.

    Prints each claim with its verdict and why, then how many claims of each document came to each
    verdict. The verdicts are those of the notebooks as committed, which are runs of smoke
    size; those of a report are in its 99_claims/tables/claims.csv.

    \b
    kalahlab claims --kind conclusion --verdict refuted
    """
    table = ledger(sorted(notebooks_folder().glob("*.ipynb")))
    for column, values in chosen.items():
        if values:
            table = table[table[column].isin(values)]
    rows = table.to_dict("records")
    counts = [
        {"document": source} | {name: int((part["verdict"] == name).sum()) for name in VERDICTS}
        for source, part in table.groupby("source")
    ]
    summary = grid_text(counts) if rows else f"none of {len(printed())} claims"
    return {"claims": rows}, "\n\n".join([*map(in_words, rows), summary])


def in_words(row: dict[Any, Any]) -> str:
    where = f"{row['notebook']}, {row['cell']}" if row["notebook"] else "data/claims.csv"
    indented = [f"“{row['quote']}” ({row['place']})", row["why"], where]
    lines = (fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ") for text in indented)
    return "\n".join([f"{row['id']}: {row['verdict']}", *lines])


@command()
@click.option("--profile", default="default", help="tiny, smoke, default or full.")
@click.option("--out", type=FOLDER, default="report", help="The folder to write to.")
@only
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
def report(profile: str, out: Path, only: tuple[str, ...], **settings: Any) -> Answer:
    """Run the notebooks and write the report.

    Pages, figures, tables and an index that opens without a network. Exit status 1 if a
    notebook failed; the others are built all the same.

    \b
    kalahlab report --profile smoke --only 03_pruning
    """
    from kalahlab.report.build import build
    from kalahlab.widgets import runtime
    from kalahlab.widgets.page import RUNTIME

    made = build(profile, out, only or None, **settings)
    if runtime.fetched():
        runtime.write_runtime(out / RUNTIME)
    else:
        say(f"pages cannot search by themselves: {runtime.MISSING}")
    failed = ", ".join(each.notebook for each in made.failed)  # also in an earlier build
    readable = f"open {out / 'index.html'}{failed and f'; failed: {failed}'}"
    return made.to_json(), readable, int(any(each.notebook in made.ran for each in made.failed))


@command()
@click.option("--report", "folder", type=FOLDER, default="report", help="The folder of a report.")
@only
@click.option("--no-solutions", is_flag=True, help="Leave out the solutions of the exercises.")
@click.option("--out", type=click.Path(path_type=Path), help="The file.  [default: in the folder]")
def pdf(folder: Path, only: tuple[str, ...], no_solutions: bool, out: Path | None) -> Answer:
    """Print a report that was made as one PDF.

    Its pages in order, with contents, page numbers and bookmarks; or a handout of some pages.
    Needs Chromium or Chrome.

    \b
    kalahlab pdf --only 03_pruning --out handout.pdf
    """
    from kalahlab.report.export import to_pdf

    file = out or folder / f"{'-'.join(only) or 'report'}.pdf"
    count = to_pdf(folder, file, only, not no_solutions)
    return {"file": str(file), "pages": count}, f"open {file}: {count} page{'s' * (count > 1)}"


@command()
@click.argument("notebook")
@click.option("--report", "folder", type=FOLDER, default="report", help="The folder of a report.")
@click.option("--out", type=FILE, help="The file.  [default: in the folder]")
def slides(notebook: str, folder: Path, out: Path | None) -> Answer:
    """Write a page of a report that was made as slides, to show in a browser.

    Each part of the page begins a slide; figures, tables and explorers are there, code is not. One
    file, without network. The arrow keys go on and back, F fills the screen, O shows an overview.

    \b
    kalahlab slides 03_pruning --out slides.html
    """
    from kalahlab.report.export import to_slides

    file = out or folder / f"{notebook}-slides.html"
    write(file, to_slides(folder, notebook))
    return {"file": str(file)}, f"open {file}"


@command()
@click.option("--game", "kind", type=GAME, default="kalah", help="The explorer's game.")
@click.option("--north", type=PLAYER, default=OPPONENT, help="Who plays North on the board.")
@click.option("--out", type=FILE, required=True, help="The page to write.")
def playground(kind: GameType, north: str, out: Path) -> Answer:
    """Write one page that searches and plays by itself, to send or to put on a web server.

    It needs no installation and no network: it carries its own Python, 12 MB of it.

    \b
    kalahlab playground --out playground.html
    """
    text = page_of(kind, north, "inside")
    write(out, text)
    answer = {"page": str(out), "bytes": len(text.encode())}
    return answer, f"open {out} ({len(text) / 1e6:.1f} MB)"


@command()
@click.option("--report", type=FOLDER, default="report", help="The folder of a report.")
@click.option("--api", type=FOLDER, default="api", help="The folder of the API pages, if any.")
@click.option("--out", type=FOLDER, default="site", help="The folder to write to.")
def site(report: Path, api: Path, out: Path) -> Answer:
    """Put a report, a playground and the API pages into one folder for a web server.

    Without API pages, which `make docs` makes, the site has no link to them.

    \b
    kalahlab site --report report --api api --out site
    """
    from kalahlab.widgets import runtime
    from kalahlab.widgets.page import RUNTIME

    parts, links = [(report, out), (api, out / "api")], ['<a href="api/index.html">The package</a>']
    if not (report / "index.html").is_file():
        raise click.UsageError(f"{str(report)!r} has no index.html; `make site` makes all parts")
    if not (api / "index.html").is_file():
        say(f"the site has no API pages: {str(api)!r} has none; make them with: make docs")
        parts, links = parts[:1], []
    unfinished = shutil.ignore_patterns(".*")
    for folder, to in parts:
        if to.resolve().is_relative_to(folder.resolve()):
            raise click.UsageError(
                f"--out {str(out)!r} would put {str(folder)!r} into itself; name another folder"
            )
        shutil.copytree(folder, to, ignore=unfinished, copy_function=copy, dirs_exist_ok=True)
    if runtime.fetched():
        write(out / "playground.html", page_of(game_type("kalah"), OPPONENT, "beside"))
        write(out / "openings.html", openings_page(Opening(6, 4, "standard"), (), "beside"))
        runtime.write_runtime(out / RUNTIME)
        names = "Playground", "Openings"
        links[:0] = [f'<a href="{name.lower()}.html">{name}</a>' for name in names]
    else:
        say(f"the site has no playground: {runtime.MISSING}")
    index = (report / "index.html").read_text(encoding="utf-8")
    write(out / "index.html", index.replace("</nav>", "".join(links) + "</nav>", 1))
    return {"page": str(out / "index.html")}, f"open {out / 'index.html'}"


def copy(source: str, target: str) -> None:
    with atomic_write(Path(target)) as part:
        shutil.copyfile(source, part)


def page_of(kind: GameType, north: str, live: Any) -> str:
    """The playground: an explorer and a board. live: where its Python is."""
    from kalahlab.widgets.board import Board
    from kalahlab.widgets.explorer import explore
    from kalahlab.widgets.page import page

    explorer, board = explore(kind.example, game=kind.name, depth=3), Board(north=north)
    parts, pictures = [explorer.part(), board.part()], [explorer.picture(), board.picture()]
    return page("Game-tree search: a playground", parts, live, pictures, INTRO)
