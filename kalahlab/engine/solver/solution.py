"""What a solve reports: how far it is, and what it found."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from kalahlab.engine.memory import in_units
from kalahlab.engine.solver.ledger import Bounds


@dataclass(frozen=True, slots=True)
class Solution:
    """What a solve found; margins are the mover's final store minus the opponent's.

    value: None if the solve was stopped before it was proved. moves: each pit's value, from
    the mover's left; None for an empty pit, and for one not valued when the solve was
    stopped; the whole is None unless asked for. line: pits, from 0 and from each mover's
    left, that both play perfectly. nodes: those of a ledger's pieces, too. seconds: of this solve.
    database_stones: of the endgame database. bounds: the value is at least and at most.
    stopped: whether Ctrl-C ended it before all was found.
    """

    value: int | None
    moves: tuple[int | None, ...] | None
    line: tuple[int, ...]
    nodes: int
    seconds: float
    database_stones: int
    bounds: Bounds
    stopped: bool = False

    def as_json(self) -> dict[str, Any]:
        """As the command line prints it: pits of the line counted from 1."""
        return {**asdict(self), "line": [pit + 1 for pit in self.line]}


class Question(NamedTuple):
    """What a proof in pieces is asked, and how far it is.

    claim: such as "at least +4". done: pieces searched; open: leaves of the tree that are not
    decided. forecast: nodes to go, None before a piece has decided anything.
    """

    claim: str
    done: int
    open: int
    forecast: float | None

    def __str__(self) -> str:
        left = "" if self.forecast is None else f", about {self.forecast:,.0f} nodes to go"
        return f"{self.claim}? {self.done:,} pieces done, {self.open:,} open{left}"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a solve is.

    stage: `memory` (bytes: what the process will hold at most), `database` (bytes of
    all_bytes are computed), `kept` (the database was written to its file, or `note` says why
    not) or `search` (bounds: of the position's value or, if `move` is given, of what that pit
    is worth; nodes and seconds so far; question: of a proof in pieces).
    """

    stage: str
    seconds: float = 0.0
    bytes: int = 0
    all_bytes: int = 0
    move: int | None = None
    bounds: Bounds | None = None
    nodes: int = 0
    nodes_per_second: float = 0.0
    note: str = ""
    question: Question | None = None

    def __str__(self) -> str:
        if self.stage == "memory":
            return f"memory: {in_units(self.bytes)} at most; {self.note}"
        if self.stage == "database":
            return f"database: {in_units(self.bytes)} of {in_units(self.all_bytes)}"
        if self.bounds is None:
            return f"{self.stage}: {self.note}"
        asked = "value" if self.move is None else f"move {self.move + 1}"
        lower, upper = self.bounds
        known = f"{lower:+d}" if lower == upper else f"{lower:+d} to {upper:+d}"
        rate = f"{self.nodes:,} nodes, {self.nodes_per_second:,.0f} a second"
        return "; ".join(
            [f"{asked}: {known}", rate, *([str(self.question)] if self.question else [])]
        )


OnProgress = Callable[[Progress], object]
