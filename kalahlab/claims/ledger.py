"""The ledger: each claim of `data/claims.csv` with its verdict.

for claim, verdict in ledger(sources=["staged"]): ...
"""

from collections.abc import Collection, Iterator
from functools import cache
from importlib import import_module
from typing import get_args

from kalahlab.claims import verdicts
from kalahlab.claims.model import Claim, Finding, Verdict
from kalahlab.data import data_rows, notebooks_folder
from kalahlab.grid import Row
from kalahlab.names import named
from kalahlab.words import Words, tables

SOURCES = ("cs5329", "staged", "homework", "betsy", "cards")
"""The documents."""
FINDINGS: tuple[str, ...] = get_args(Finding)


def claims(sources: Collection[str] = SOURCES) -> list[Claim]:
    """The claims of these documents, in the order of the file; `ValueError` if one is unknown."""
    for source in sources:
        named("source", source, dict.fromkeys(SOURCES))
    rows = (Claim(**row) for row in data_rows("claims.csv"))
    return [claim for claim in rows if claim.source in sources]


def ledger(sources: Collection[str] = SOURCES) -> Iterator[tuple[Claim, Verdict]]:
    """Each claim and what its judge finds; `LookupError` if one has no judge."""
    for claim in claims(sources):
        yield claim, judge(claim)


@cache
def in_notebooks() -> dict[str, Verdict]:
    """The verdicts of the notebooks as they are committed, and of the claims that were reviewed."""
    rows = verdicts.ledger(sorted(notebooks_folder().glob("*.ipynb"))).set_index("id")
    rows = rows[rows["verdict"] != "not judged"]
    return {id: Verdict(*found) for id, *found in rows[["verdict", "why"]].itertuples()}


def judge(claim: Claim) -> Verdict:
    """What a notebook's cell or the claim's judge finds; `LookupError` if it has neither."""
    if claim.id in in_notebooks():
        return in_notebooks()[claim.id]
    module, _, name = claim.judge.partition(".")
    if name not in tables("claims").get(module, {}):
        raise LookupError(f"claim {claim.id!r} has no judge {claim.judge!r} in `words/claims.toml`")
    found = getattr(import_module(f"kalahlab.claims.{module}"), name)(claim)
    return Verdict(found.verdict, Words("claims", module)(name, **found.facts))


def judged(cell: str) -> list[Row]:
    """The claims that a notebook's cell judges: place, quote, verdict and why."""
    return [
        {"place": claim.place, "quote": claim.quote, **judge(claim)._asdict()}
        for claim in claims()
        if claim.cell == cell
    ]
