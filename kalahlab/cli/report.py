"""The commands about claims, notebooks, the report and the files that are made from it."""

import shutil
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import click

from kalahlab.cli.first_moves import render_opening_page
from kalahlab.cli.options import FILE, FOLDER, GAME, INPUT, PLAYER, Answer, json_command, only
from kalahlab.cli.output import print_note
from kalahlab.data import data_rows, notebooks_folder
from kalahlab.files import atomic_write, write_atomic
from kalahlab.formatting import WIDTH, format_grid
from kalahlab.games.kalah import Kalah
from kalahlab.games.registry import GameType, game_type
from kalahlab.report.claims import KINDS, VERDICTS, collect_claims, load_claims

DEFAULT_OPPONENT = "alpha_beta:store_difference:4"
INTRO = (
    '<p class="intro">Three families search one position: alpha-beta prunes, UCT samples, and '
    "proof-number search proves. Choose one and step through it. With alpha-beta you can search "
    "any position. Below, play Kalah against the computer, and have your game reviewed. "
    '<a href="#widget-3">To the board</a></p>'
)


@json_command()
@click.option("--off", multiple=True, metavar="DEFECT", help="Turn off a defect, or 'all'.")
def published(off: tuple[str, ...]) -> Answer:
    """Recompute the table of the CS5329 report, with the defects of its program.

    \b
    kalahlab published --off inverted-window
    """
    from kalahlab.published.comparison import compare_with_printed
    from kalahlab.published.cs5329 import Defects

    defects = list[str]()
    for name in off:
        if name == "all":
            defects += Defects.names()
        else:
            defects.append(name)
    rows = compare_with_printed(Defects.without(*defects))
    return Answer({"rows": rows}, format_grid([format_comparison(row) for row in rows]))


def format_comparison(row: dict[str, Any]) -> dict[str, Any]:
    """Return a line of the printed table: the numbers of the document, and the recomputed ones.

    Args:
        row: A row of `compare_with_printed`.
    """
    columns = ("generated", "expanded", "path")
    printed_numbers = [f"{row[f'printed_{column}']}" for column in columns]
    if row["generated"] is None:  # the program is not defined here
        recomputed, stores = "not defined", "-"
    else:
        recomputed = "/".join(f"{row[column]}" for column in columns)
        stores = f"{row['stores_a']}-{row['stores_b']}"
    return {
        "algorithm": row["algorithm"],
        "evaluation": f"E{row['evaluation']}",
        "depth": row["depth"],
        "printed": "/".join(printed_numbers),
        "recomputed": recomputed,
        "stores": stores,
        "winner": row["winner"] or "-",
        "verdict": row["verdict"],
    }


def _choice_option(name: str, choices: Collection[str]) -> Callable[[Any], Any]:
    """Return an option that may be given several times, with one of these values."""
    return click.option(
        f"--{name}",
        multiple=True,
        type=click.Choice(choices),
        metavar=name.upper(),
        help=f"{', '.join(choices)}.",
    )


@json_command()
@_choice_option("source", [*dict.fromkeys(row["source"] for row in data_rows("claims.csv"))])
@_choice_option("kind", KINDS)
@_choice_option("verdict", VERDICTS)
def claims(**filters: Sequence[str]) -> Answer:
    """Show the verdicts on the claims of the documents and the papers.

    Prints each claim with its verdict and the reason, then counts the claims of each source by
    verdict. The verdicts come from the committed notebooks, which were run with the profile smoke.
    A report has its own verdicts in 99_claims/tables/claims.csv.

    \b
    kalahlab claims --kind conclusion --verdict refuted
    """
    table = collect_claims(sorted(notebooks_folder().glob("*.ipynb")))
    for column, values in filters.items():
        if values:
            table = table[table[column].isin(values)]
    rows = table.to_dict("records")
    if rows:
        lines = []
        for source, verdicts in table.groupby("source", sort=False)["verdict"]:
            counts = verdicts.value_counts()
            text = ", ".join(f"{counts[name]} {name}" for name in VERDICTS if name in counts)
            lines.append(fill(f"{source}: {text}", WIDTH, subsequent_indent="  "))
        summary = "\n".join(lines)
    else:
        summary = f"none of {len(load_claims())} claims"
    return Answer({"claims": rows}, "\n\n".join([*map(format_claim, rows), summary]))


def format_claim(row: dict[Any, Any]) -> str:
    """Return a claim with its verdict, the reason and the place of the check."""
    place_of_check = "data/claims.csv"  # the verdict on a claim that no notebook checks
    if row["notebook"]:
        place_of_check = f"{row['notebook']}, {row['cell']}"
    lines = [f"{row['id']}: {row['verdict']}"]
    for text in (f"“{row['quote']}” ({row['place']})", row["why"], place_of_check):
        lines.append(fill(text, WIDTH, initial_indent="  ", subsequent_indent="  "))
    return "\n".join(lines)


@json_command()
@click.option("--profile", default="default", help="The size: tiny, smoke, default or full.")
@click.option(
    "--out",
    type=FOLDER,
    help="The folder to write to.  [default: report, in the folder of --notebooks if given]",
)
@click.option(
    "--notebooks",
    type=FOLDER,
    help="A folder of notebooks of your own, such as mine/01_question.ipynb.  "
    "[default: those of the package]",
)
@only
@click.option(
    "-p",
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NOTEBOOK.NAME=VALUE",
    help="Set a notebook's parameter, for example 02_published_study.depths=[2,4].",
)
@click.option("--force", is_flag=True, help="Also run notebooks that have not changed.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    help="Notebooks to run at a time.  [default: one a processor]",
)
def report(
    profile: str, out: Path | None, notebooks: Path | None, only: tuple[str, ...], **settings: Any
) -> Answer:
    """Run the notebooks and write the report.

    The report has pages, figures, tables and an index, and needs no network. If a notebook fails,
    the others are still built, and the exit status is 1.

    \b
    kalahlab report --profile smoke --only 03_pruning
    kalahlab report --notebooks mine
    """
    from kalahlab.report.build import build
    from kalahlab.widgets import runtime
    from kalahlab.widgets.page import RUNTIME

    # The report of a user's notebooks does not replace that of the package.
    out = out or (notebooks or Path()) / "report"
    manifest = build(
        profile, out, only or None, notebooks=notebooks, progress=print_note, **settings
    )
    if runtime.is_fetched():
        runtime.write_runtime(out / RUNTIME)
    else:
        print_note(f"the pages cannot search by themselves: {runtime.MISSING}")
    # The text names notebooks that failed in this run or in an earlier one. The status is only
    # about this run.
    failed = [record.notebook for record in manifest.failures]
    text = f"open {out / 'index.html'}"
    if failed:
        text += f"; failed: {', '.join(failed)}"
    failed_now = any(notebook in manifest.ran for notebook in failed)
    return Answer(manifest.to_json(), text, status=1 if failed_now else 0)


@json_command()
@click.argument("file", type=FILE)
@click.option("--title", required=True, help="The question that the notebook asks, with a '?'.")
def new_notebook(file: Path, title: str) -> Answer:
    """Write a new notebook to FILE, and list what to change.

    The notebook runs as it is: it has a question, parameters, a table, a figure, a finding and an
    answer. In the folder of the report's own notebooks, the list has all that the tests ask for.

    \b
    kalahlab new-notebook mine/01_cutoffs.ipynb --title "Where are cutoffs?"
    """
    from kalahlab.report.new_notebook import list_steps, write_new_notebook

    write_new_notebook(file, title)
    steps = list_steps(file)
    lines = [fill(f"- {step}", WIDTH, subsequent_indent="  ") for step in steps]
    return Answer({"file": str(file), "steps": steps}, "\n".join([f"wrote {file}", *lines]))


@json_command()
@click.option("--report", "folder", type=FOLDER, default="report", help="The folder of a report.")
@only
@click.option(
    "--without", multiple=True, metavar="HEADING", help="Leave out this section. May be repeated."
)
@click.option("--no-solutions", is_flag=True, help="Leave out the solutions of the exercises.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="The file to write.  [default: in the report]"
)
def pdf(
    folder: Path,
    only: tuple[str, ...],
    without: tuple[str, ...],
    no_solutions: bool,
    out: Path | None,
) -> Answer:
    """Print a finished report as one PDF.

    The PDF has the pages in order, with a table of contents, page numbers and bookmarks. With
    --only, it is a handout of some pages. --without takes the beginning of a heading, too, and
    leaves out all below it. The command needs Chromium or Chrome.

    \b
    kalahlab pdf --only 03_pruning --out handout.pdf
    kalahlab pdf --only 03_pruning --without Exercises --out handout.pdf
    """
    from kalahlab.report.pdf import to_pdf

    file = out or folder / f"{'-'.join(only) or 'report'}.pdf"
    count = to_pdf(folder, file, only, not no_solutions, without)
    unit = "pages" if count > 1 else "page"
    return Answer({"file": str(file), "pages": count}, f"open {file}: {count} {unit}")


@json_command()
@click.argument("notebook")
@click.option("--report", "folder", type=FOLDER, default="report", help="The folder of a report.")
@click.option(
    "--explorer",
    "explorers",
    type=INPUT,
    multiple=True,
    help="A page of kalahlab explore, as a slide at the end. May be repeated.",
)
@click.option("--out", type=FILE, help="The file to write.  [default: in the report]")
def slides(notebook: str, folder: Path, explorers: tuple[Path, ...], out: Path | None) -> Answer:
    """Write a page of a finished report as slides, to show in a browser.

    Each section of the page begins a new slide. Figures, tables and explorers are included, but not
    code. The slides are one file that needs no network. The arrow keys go forward and back, F fills
    the screen, and O shows an overview.

    \b
    kalahlab slides 03_pruning --out slides.html
    kalahlab slides 03_pruning --explorer tree.html --out slides.html
    """
    from kalahlab.report.export import to_slides

    file = out or folder / f"{notebook}-slides.html"
    write_atomic(file, to_slides(folder, notebook, explorers))
    return Answer({"file": str(file)}, f"open {file}")


@json_command()
@click.option("--game", "kind", type=GAME, default="kalah", help="The game of the explorer.")
@click.option(
    "--north", type=PLAYER, default=DEFAULT_OPPONENT, help="Who plays North on the board."
)
@click.option("--out", type=FILE, required=True, help="The page to write.")
def playground(kind: GameType, north: str, out: Path) -> Answer:
    """Write one page that searches and plays by itself, to send or to put on a web server.

    The page needs no installation and no network, because it contains Python (12 MB).

    \b
    kalahlab playground --out playground.html
    """
    page = render_playground_page(kind, north, "inside")
    write_atomic(out, page)
    data = {"page": str(out), "bytes": len(page.encode())}
    return Answer(data, f"open {out} ({len(page) / 1e6:.1f} MB)")


@json_command()
@click.option("--report", type=FOLDER, default="report", help="The folder of a report.")
@click.option("--api", type=FOLDER, default="api", help="The folder of the API pages, if any.")
@click.option("--out", type=FOLDER, default="site", help="The folder to write to.")
def site(report: Path, api: Path, out: Path) -> Answer:
    """Copy a report, a playground and the API pages into one folder for a web server.

    `make docs` makes the API pages. If they are missing, the site has no link to them.

    \b
    kalahlab site --report report --api api --out site
    """
    from kalahlab.widgets import runtime
    from kalahlab.widgets.page import RUNTIME

    if not (report / "index.html").is_file():
        raise click.UsageError(f"{str(report)!r} has no index.html; `make site` makes the report")
    folders = [(report, out)]  # the folders to copy, each with its target
    pages = dict[str, str]()  # the files to link to, by the text of the link
    if (api / "index.html").is_file():
        folders.append((api, out / "api"))
        pages["The package"] = "api/index.html"
    else:
        print_note(f"the site has no API pages: {str(api)!r} is missing; make it with: make docs")
    for folder, target in folders:
        _copy_folder(folder, target, out)
    if runtime.is_fetched():
        write_atomic(
            out / "playground.html",
            render_playground_page(game_type("kalah"), DEFAULT_OPPONENT, "beside"),
        )
        write_atomic(out / "first-moves.html", render_opening_page(Kalah(6, 4), (), "beside"))
        runtime.write_runtime(out / RUNTIME)
        # The link to the API pages remains the last one.
        pages = {"Playground": "playground.html", "First moves": "first-moves.html", **pages}
    else:
        print_note(f"the site has no playground: {runtime.MISSING}")
    links = "".join(f'<a href="{file}">{text}</a>' for text, file in pages.items())
    index = (report / "index.html").read_text(encoding="utf-8")
    # The links are added at the end of the first navigation of the page.
    write_atomic(out / "index.html", index.replace("</nav>", f"{links}</nav>", 1))
    return Answer({"page": str(out / "index.html")}, f"open {out / 'index.html'}")


def _copy_folder(folder: Path, target: Path, out: Path) -> None:
    """Copy a folder without hidden files, which are parts of files that are not finished.

    Raises:
        click.UsageError: The target is inside of the folder; the error names `out`, the option.
    """
    if target.resolve().is_relative_to(folder.resolve()):
        raise click.UsageError(
            f"--out {str(out)!r} would put {str(folder)!r} into itself; name another folder"
        )
    hidden = shutil.ignore_patterns(".*")
    shutil.copytree(folder, target, ignore=hidden, copy_function=copy_file, dirs_exist_ok=True)


def copy_file(source: str, target: str) -> None:
    """Copy a file so that the target is either complete or, after an error, unchanged."""
    with atomic_write(Path(target)) as part:
        shutil.copyfile(source, part)


def render_playground_page(kind: GameType, north: str, live: Any) -> str:
    """Return the playground, a page with an explorer and a board.

    Args:
        kind: The game of the explorer.
        north: The player that plays North on the board.
        live: The place of the Python that the page runs, "inside" or "beside".
    """
    from kalahlab.widgets.board import Board
    from kalahlab.widgets.families import NAMES, explore_families
    from kalahlab.widgets.page import page

    families = explore_families(kind.example, game=kind.name, depth=3)
    widgets = [*families.explorers, Board(north=north)]
    parts = [widget.page_part() for widget in widgets]
    fallbacks = [widget.fallback() for widget in widgets]
    title = "Game-tree search: a playground"
    return page(title, parts, live, fallbacks, INTRO, names=NAMES)
