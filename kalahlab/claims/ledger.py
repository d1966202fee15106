"""The ledger: each claim of `data/claims.csv` with its verdict.

for claim, verdict in ledger(sources=["staged"]): ...
"""

from collections.abc import Collection, Iterator
from importlib import import_module
from typing import get_args

from kalahlab.claims.model import JUDGES, Claim, Finding, Verdict
from kalahlab.data import data_rows
from kalahlab.grid import Row
from kalahlab.names import named

SOURCES = {
    "cs5329": ("cs5329_rules", "cs5329_search", "cs5329_study"),
    "staged": ("staged",),
    "homework": ("homework",),
    "betsy": ("betsy",),
    "cards": ("cards",),
}
"""The documents, and the modules of this room that judge what each says."""
FINDINGS: tuple[str, ...] = get_args(Finding)


def claims(sources: Collection[str] = tuple(SOURCES)) -> list[Claim]:
    """The claims of these documents, in the order of the file; `ValueError` if one is unknown."""
    for source in sources:
        named("source", source, SOURCES)
    rows = (Claim(**row) for row in data_rows("claims.csv"))
    return [claim for claim in rows if claim.source in sources]


def ledger(sources: Collection[str] = tuple(SOURCES)) -> Iterator[tuple[Claim, Verdict]]:
    """Each claim and what its judge finds; `LookupError` if one has no judge."""
    for claim in claims(sources):
        yield claim, judge(claim)


def judge(claim: Claim) -> Verdict:
    """What a claim's judge finds; `LookupError` if it has none."""
    for module in SOURCES[claim.source]:
        import_module(f"kalahlab.claims.{module}")
    if claim.id not in JUDGES:
        raise LookupError(f"claim {claim.id!r} has no judge in `kalahlab.claims`")
    return JUDGES[claim.id](claim)


def judged(cell: str) -> list[Row]:
    """The claims that a notebook's cell judges: place, quote, verdict and why."""
    return [
        {"place": claim.place, "quote": claim.quote, **judge(claim)._asdict()}
        for claim in claims()
        if claim.cell == cell
    ]
