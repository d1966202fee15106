"""`kalahlab claims`."""

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from kalahlab.claims import KINDS, VERDICTS, ledger, printed
from kalahlab.cli.parameters import as_json
from kalahlab.cli.text import WIDTH, grid_text, print_answer
from kalahlab.data import notebooks_folder

if TYPE_CHECKING:
    import pandas as pd

SOURCES = ("cs5329", "staged", "homework", "betsy", "cards")


def _choices(name: str, known: Sequence[str]) -> Callable[[Any], Any]:
    option, words = (f"--{name}", f"{name}s"), f"{', '.join(known)}."
    return click.option(
        *option, multiple=True, type=click.Choice(known), metavar=name.upper(), help=words
    )


@click.command()
@_choices("source", SOURCES)
@_choices("kind", KINDS)
@_choices("verdict", VERDICTS)
@as_json
def claims(
    sources: tuple[str, ...], kinds: tuple[str, ...], verdicts: tuple[str, ...], as_json: bool
) -> None:
    """Show what became of the claims of the five source documents.

    Prints each claim with its verdict and why, then how many claims of each document came to each
    verdict. The verdicts are those that the cells of the notebooks computed, as committed.

    Example: kalahlab claims --kind conclusion --verdict refuted
    """
    table = ledger(sorted(notebooks_folder().glob("*.ipynb")))
    chosen = {"source": sources or SOURCES, "kind": kinds or KINDS}
    chosen["verdict"] = verdicts or tuple(table["verdict"].unique())
    for column, values in chosen.items():
        table = table[table[column].isin(values)]
    rows = table.to_dict("records")
    counts = [{"document": source} | _counted(part) for source, part in table.groupby("source")]
    summary = grid_text(counts) if rows else f"none of {len(printed())} claims"
    print_answer({"claims": rows}, as_json, "\n\n".join([*map(in_words, rows), summary]))


def _counted(table: "pd.DataFrame") -> dict[str, Any]:
    return {name: int((table["verdict"] == name).sum()) for name in VERDICTS}


def in_words(row: dict[Any, Any]) -> str:
    """A claim and what became of it, in lines that fit a terminal."""
    where = f"{row['notebook']}, {row['cell']}" if row["notebook"] else "data/claims.csv"
    indented = [f"“{row['quote']}” ({row['place']})", row["why"], where]
    lines = (fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ") for text in indented)
    return "\n".join([f"{row['id']}: {row['verdict']}", *lines])
