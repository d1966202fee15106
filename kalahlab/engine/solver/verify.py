"""A ledger checked: do its pieces imply its claim, and are they found again by another path?"""

import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kalahlab.engine.endgame.database import Database, open_database
from kalahlab.engine.solver.exact import known_margin
from kalahlab.engine.solver.ledger import Bounds, Ledger, Line, from_here
from kalahlab.engine.solver.provers import Prover
from kalahlab.engine.solver.table import ENTRIES
from kalahlab.games.kalah import NORTH, PRESETS, SOUTH, Kalah, State, in_play, side
from kalahlab.games.notation import format_board

SMALL = 12
"""Stones of the database for a check, unless it is told otherwise."""

PATIENCE = (5, 200)
"""Times the nodes that a piece took, to find it again without a table and with one."""


@dataclass(slots=True)
class Verification:
    """What became of a ledger's claim.

    claim: the bounds that the ledger has of the position. implied: whether they follow, move by
    move, from the pieces. used: pieces that they follow from; small: positions that were in the
    database of the proof and have no line, proved again here. without_table, with_table: of the
    pieces drawn, those found again; contradicted: those found to be wrong; left: not found in time.
    """

    position: str
    claim: Bounds
    implied: bool = False
    used: int = 0
    small: int = 0
    without_table: int = 0
    with_table: int = 0
    contradicted: list[str] = field(default_factory=list)
    left: int = 0

    @property
    def holds(self) -> bool:
        """Whether all that was checked is proved."""
        return self.implied and not self.contradicted

    def as_json(self) -> dict[str, Any]:
        """As the command line prints it."""
        return {"holds": self.holds, **asdict(self)}


def verify(
    file: Path,
    state: State | None = None,
    sample: int = 100,
    seed: int = 1,
    database_stones: int = SMALL,
    folder: Path | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Verification:
    """Check a file of a ledger.

    state: whose bounds are the claim; default the opening, or else the position with most stones.
    sample: pieces to prove again, drawn by `seed` from those that the claim needs. Their proof is
    another: its database has `database_stones`, it tries moves by what they bank, first without a
    table, then with one of its own. folder: of databases. `ValueError` for a file that is no ledger
    or holds nothing.
    """
    ledger = Ledger(file)
    if not ledger.pieces:
        raise ValueError(f"{file} holds no proved bound")
    game = game_of(file)
    database = open_database(game.pits, database_stones, game.rules, folder=folder)
    checked = Checked(game, ledger, database)
    root = from_here(state)[0] if state else max((*checked.inferred, *checked.lines), key=_size)
    lower, upper = ledger.bounds(root)
    found = Verification(format_board(root), (lower, upper))
    total = in_play(root.board)
    found.implied = (lower == -total or checked.decide(root, lower) is True) and (
        upper == total or checked.decide(root, upper + 1) is False
    )
    found.used, found.small = len(checked.used), checked.small
    drawn = random.Random(seed).sample(sorted(checked.used), min(sample, len(checked.used)))
    for line in drawn:
        checked.prove_again(line, found)
        progress()
    return found


def _size(state: State) -> tuple[int, bool]:
    """The larger the more stones are in play; an opening comes before others."""
    return in_play(state.board), len({*side(state.board, SOUTH), *side(state.board, NORTH)}) == 1


def game_of(file: Path) -> Kalah:
    """The game of a ledger's file, by its name; `ValueError` if it is not a name of one."""
    kind, _, rest = file.stem.partition("-")
    pits, _, rules = rest.partition("-")
    if kind != "kalah" or not pits.isdigit() or rules not in PRESETS:
        raise ValueError(
            f"{file.name!r} is not the name of a ledger's file, as kalah-6-standard.txt"
        )
    return Kalah(int(pits), 0, PRESETS[rules])


class Checked:
    """A ledger's lines, and what follows from its pieces alone.

    used: the pieces that a decision needed; small: how many positions without a line it needed.
    """

    def __init__(self, game: Kalah, ledger: Ledger, database: Database) -> None:
        self.lines: dict[State, list[Line]] = {}
        for line in ledger.pieces:
            self.lines.setdefault(line.state, []).append(line)
        self.inferred = ledger.inferred
        self.used: set[Line] = set()
        self.small = 0
        self._game, self._database = game, database
        self._provers = [Prover(database, size, 1, plain=True) for size in (ENTRIES, 1 << 22)]
        self._decided: dict[tuple[State, int, bool], bool | None] = {}

    def decide(self, state: State, margin: int, anew: bool = True) -> bool | None:
        """Whether a position is worth at least `margin`; None if the pieces do not say.

        anew: whether a position without a line may be proved here.
        """
        state, margin = from_here(state, margin)
        margin += (margin - in_play(state.board)) % 2  # no value lies between
        key = state, margin, anew
        if key not in self._decided:
            known = self._decided.get((state, margin, False)) if anew else None
            self._decided[key] = self._decide(*key) if known is None else known
        return self._decided[key]

    def _decide(self, state: State, margin: int, anew: bool) -> bool | None:
        total, value = in_play(state.board), known_margin(self._database, self._game, state)
        if value is not None:
            return value >= margin
        if not -total < margin <= total:
            return margin <= -total
        for line in self.lines.get(state, ()):
            if line.relation == ">=" and line.margin >= margin:
                self.used.add(line)
                return True
            if line.relation == "<=" and line.margin < margin:
                self.used.add(line)
                return False
        if state in self.inferred:
            return self._by_moves(state, margin, anew)
        return self._anew(state, margin) if anew else None

    def _by_moves(self, state: State, margin: int, anew: bool) -> bool | None:
        """A yes by one move, a no by all of them; what the lines say is looked for first."""
        found: list[bool | None] = []
        for proving in (False, True) if anew else (False,):
            found = []
            for move in self._game.moves(state):
                after = self._game.play(state, move)
                passes = after.player != state.player
                answer = self.decide(after, 1 - margin if passes else margin, proving)
                found.append(None if answer is None else answer != passes)
                if found[-1]:
                    return True
        return None if None in found else False

    def _anew(self, state: State, margin: int) -> bool | None:
        """What was in the database of the proof, and so has no line."""
        found = self._provers[-1].bound(state, margin, limit=10**7)
        self.small += found is not None
        return None if found is None else found >= margin

    def prove_again(self, line: Line, found: Verification) -> None:
        """Prove a piece by another path, and enter what came of it."""
        yes = line.relation == ">="
        margin = line.margin if yes else line.margin + 1
        answers = (
            prover.ask(line.state, margin, patience * line.nodes + 10**6, np.zeros(8, np.int64))
            for patience, prover in zip(PATIENCE, self._provers, strict=True)
        )
        nth, bound = next(
            ((nth, each.bound) for nth, each in enumerate(answers) if each.bound is not None),
            (0, None),
        )
        if bound is None:
            found.left += 1
        elif (bound >= margin) != yes:
            found.contradicted.append(str(line))
        elif nth:
            found.with_table += 1
        else:
            found.without_table += 1
