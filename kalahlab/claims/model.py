"""A claim of a document, its verdict, and the functions that judge.

    @judges("staged-cpu-clock")
    def a_clock(claim: Claim) -> Verdict: ...

A verdict is computed from what a function finds, never written down: each function calls one of
the functions below with a condition and a sentence that holds the numbers.
"""

import re
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeVar

Finding = Literal[
    "reproduced",
    "reproduced with a slip",
    "refuted",
    "not decided by what is printed",
    "not defined",
]


class Claim(NamedTuple):
    """A row of `data/claims.csv`.

    source: the document; place: where in it; quote: its words, at most 25; claim: what they
    say, in ours; kind: number, table, chart, formula, example, algorithm, rule or conclusion;
    notebook, cell: where it is judged, the cell by its id.
    """

    id: str
    source: str
    place: str
    quote: str
    claim: str
    kind: str
    notebook: str
    cell: str

    @property
    def numbers(self) -> list[str]:
        """The whole numbers in the words quoted, in their order."""
        return re.findall(r"\d+", self.quote)


class Verdict(NamedTuple):
    """What was found, and why, in a sentence with the numbers that decide."""

    verdict: Finding
    why: str


Judge = Callable[[Claim], Verdict]
JudgeT = TypeVar("JudgeT", bound=Judge)

JUDGES: dict[str, Judge] = {}
"""The function that judges each claim, by the claim's id."""


def judges(*ids: str) -> Callable[[JudgeT], JudgeT]:
    """Enter a function as the judge of these claims; `ValueError` if one has a judge."""

    def enter(judge: JudgeT) -> JudgeT:
        for name in ids:
            if name in JUDGES:
                raise ValueError(f"claim {name!r} has two judges")
            JUDGES[name] = judge
        return judge

    return enter


def holds(true: bool, why: str, slip: bool = False) -> Verdict:
    """Reproduced if it is true, with a slip if what is printed is not quite what is meant."""
    if not true:
        return Verdict("refuted", why)
    return Verdict("reproduced with a slip" if slip else "reproduced", why)


def holds_if_decided(decided: bool, true: bool, why: str) -> Verdict:
    """As `holds`, if what the document prints is enough to decide it."""
    return holds(true, why) if decided else Verdict("not decided by what is printed", why)


def holds_if_defined(defined: bool, true: bool, why: str) -> Verdict:
    """As `holds`, if the document says what is meant, so that it can be computed at all."""
    return holds(true, why) if defined else Verdict("not defined", why)
