"""A claim of a document, and what its judge finds.

To judge one more claim, add a row to `data/claims.csv`: its columns `judge` and `of` name a
function of this room and what of the document it is to look at. A claim of a new kind needs a
function, too, and its sentence in `data/words/claims.toml`:

    def a_clock(claim: Claim) -> Found: ...

A verdict is computed, never written down: a judge calls `holds` or `every` with what it measured,
and the numbers fill the fields of its sentence.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

Finding = Literal[
    "reproduced",
    "reproduced with a slip",
    "refuted",
    "open",
    "not defined",
]


class Claim(NamedTuple):
    """A row of `data/claims.csv`.

    source: the document; place: where in it; quote: its words, at most 25; claim: what they
    say, in ours; kind: number, table, chart, formula, example, algorithm, rule or conclusion;
    notebook, cell: where it is judged, the cell by its id; judge: the function that judges it,
    "module.function"; of: what that function is to look at; reviewed: why a reader decided it.
    """

    id: str
    source: str
    place: str
    quote: str
    claim: str
    kind: str
    notebook: str
    cell: str
    judge: str
    of: str
    reviewed: str = ""

    @property
    def numbers(self) -> list[str]:
        """The whole numbers in the words quoted, in their order."""
        return re.findall(r"\d+", self.quote)

    @property
    def last_number(self) -> int:
        """The last whole number in the words quoted."""
        return int(self.numbers[-1])

    @property
    def parts(self) -> list[str]:
        """The words of `of`."""
        return self.of.split()


class Verdict(NamedTuple):
    """What was found, and why, in a sentence with the numbers that decide."""

    verdict: Finding
    why: str


class Found(NamedTuple):
    """What a judge found, and the numbers of its sentence."""

    verdict: Finding
    facts: Mapping[str, Any]


def holds(
    true: bool, /, slip: bool = False, decided: bool = True, defined: bool = True, **facts: Any
) -> Found:
    """Reproduced if it is true, with a slip if what is printed is not quite what is meant.

    decided: what is printed is enough to decide it. defined: the document says what is meant, so
    that it can be computed at all.
    """
    finding: Finding = "reproduced with a slip" if slip else "reproduced"
    if not true:
        finding = "refuted"
    if not decided:
        finding = "open"
    return Found(finding if defined else "not defined", facts)


def every(cases: Iterable[object], also: bool = True, slip: bool = False, **facts: Any) -> Found:
    """Reproduced if it is so in all cases, of which there must be one: facts `true` and `cases`.

    also: what else must be so.
    """
    found = [*map(bool, cases)]
    right = also and bool(found) and all(found)
    return holds(right, slip, true=sum(found), cases=len(found), **facts)
