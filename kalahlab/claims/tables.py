"""The ledger as tables, for its page."""

from collections.abc import Collection

import pandas as pd
from markupsafe import Markup

from kalahlab.claims.ledger import FINDINGS, SOURCES, ledger
from kalahlab.words import Words

say = Words("claims", "tables")

FOLLOWS = say("follows")
"""The last paragraph of the page: where it goes on."""


def ledger_table(sources: Collection[str] = SOURCES) -> pd.DataFrame:
    """A row for each claim: the columns of `data/claims.csv` but its judge's, verdict and why."""
    rows = [claim._asdict() | verdict._asdict() for claim, verdict in ledger(sources)]
    return pd.DataFrame(rows).drop(columns=["judge", "of"])


def counts(table: pd.DataFrame) -> pd.DataFrame:
    """How many claims of each document came to each verdict; the last row sums up."""
    found = pd.crosstab(table["source"], table["verdict"])
    sources = [name for name in SOURCES if name in found.index]
    by_source = found.reindex(sources, columns=list(FINDINGS), fill_value=0)
    summed = pd.concat([by_source, by_source.sum().to_frame("all").T])
    return summed.assign(claims=summed.sum(axis=1)).rename_axis("document")


def linked(table: pd.DataFrame, source: str) -> pd.DataFrame:
    """One document's claims for reading, each with a link to the cell that shows it."""
    rows = [*table[table["source"] == source].itertuples()]
    said = Markup("“{}”<br>{}<br><small>{}</small>")
    found = Markup("<b>{}</b><br>{}")
    link = Markup('<a href="{0}.ipynb#cell-id={1}">{1}</a>')
    return pd.DataFrame(
        {
            "quotation, and what it claims": [
                said.format(row.quote, row.claim, row.place) for row in rows
            ],
            "verdict, and why": [found.format(row.verdict, row.why) for row in rows],
            "cell": [link.format(row.notebook, row.cell) for row in rows],
        },
        dtype=object,  # a column of text would turn markup into text
    )


def finding(table: pd.DataFrame) -> str:
    """How many claims are reproduced and how many refuted, in one sentence."""
    found = table["verdict"]
    whole, slips, refuted = (
        int((found == name).sum()) for name in ("reproduced", "reproduced with a slip", "refuted")
    )
    all_, right = len(found), whole + slips
    shares = {"share": right / all_, "refuted_share": refuted / all_}
    open_ones = all_ - right - refuted
    return say(
        "finding", all=all_, right=right, slips=slips, refuted=refuted, open=open_ones, **shares
    )


def answer(table: pd.DataFrame) -> str:
    """How many claims were judged, what came of them, and which document fared best and worst."""
    total = table["verdict"].value_counts().to_dict()
    parts = [f"{total[name]} {name}" for name in FINDINGS if name in total]
    reproduced = table["verdict"].str.startswith("reproduced")
    means = reproduced.groupby(table["source"]).mean()
    shares = {str(source): float(share) for source, share in means.items()}
    said = say("judged", all=len(table), parts=parts)
    worst, best = (end(shares, key=lambda name: shares[name]) for end in (min, max))
    if shares[worst] == shares[best]:
        return said
    most, least = shares[best], shares[worst]
    return f"{said} {say('shares', best=best, most=most, worst=worst, least=least)}"
