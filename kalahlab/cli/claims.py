"""`kalahlab claims`."""

from textwrap import fill

import click

from kalahlab.claims.ledger import FINDINGS, SOURCES, ledger
from kalahlab.claims.ledger import claims as claims_of
from kalahlab.claims.model import Claim, Verdict
from kalahlab.cli.parameters import as_json
from kalahlab.cli.text import WIDTH, grid_text, print_answer

KEYS = ("id", "source", "place", "quote", "notebook", "cell", "verdict", "why")


@click.command()
@click.option("--source", "sources", multiple=True, type=click.Choice(SOURCES))
@click.option(
    "--verdict",
    "findings",
    multiple=True,
    type=click.Choice(FINDINGS),
    metavar="VERDICT",
    help=f"Only these: {', '.join(FINDINGS)}.",
)
@as_json
def claims(sources: tuple[str, ...], findings: tuple[str, ...], as_json: bool) -> None:
    """Judge what the five source documents claim.

    Prints each claim with its verdict and why, then how many claims of each document came to
    each verdict. Every verdict is computed anew, which takes some seconds.
    """
    from tqdm import tqdm

    chosen = sources or SOURCES
    judged = tqdm(ledger(chosen), total=len(claims_of(chosen)), unit="claim", disable=None)
    found = [
        (claim, verdict) for claim, verdict in judged if verdict.verdict in (findings or FINDINGS)
    ]
    rows = [claim._asdict() | verdict._asdict() for claim, verdict in found]
    answer = {"claims": [{key: row[key] for key in KEYS} for row in rows]}
    readable = "\n\n".join([*(in_words(*each) for each in found), counted(found)])
    print_answer(answer, as_json, readable)


def in_words(claim: Claim, verdict: Verdict) -> str:
    """A claim and what became of it, in lines that fit a terminal."""
    indented = [f"“{claim.quote}” ({claim.place})", verdict.why, f"{claim.notebook}, {claim.cell}"]
    lines = (fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ") for text in indented)
    return "\n".join([f"{claim.id}: {verdict.verdict}", *lines])


def counted(found: list[tuple[Claim, Verdict]]) -> str:
    """A line for each document: how many claims came to each verdict."""
    pairs: list[tuple[str, str]] = [(claim.source, verdict.verdict) for claim, verdict in found]
    rows = [
        {"document": source} | {name: pairs.count((source, name)) for name in FINDINGS}
        for source in dict.fromkeys(source for source, _ in pairs)
    ]
    return grid_text(rows) if rows else "no claim came to that verdict"
