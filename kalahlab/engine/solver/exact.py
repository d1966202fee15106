"""The exact solver: exact values of positions, of their moves, and perfect lines.

    with open_solver(6, STANDARD, database_stones=20) as solver:
        solver.value(state)             # the mover's final margin under perfect play
        dict(solver.move_values(state))

A value is found by asking "is it at least b?" with rising b until the answer is no: the easy
questions come first, and each answer is a bound that is proved.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from kalahlab.engine.endgame.database import Database, open_database
from kalahlab.engine.memory import cores
from kalahlab.engine.packed import MAX_PITS, MAX_STONES, fits
from kalahlab.engine.solver.kernel import ENTRY_BYTES
from kalahlab.engine.solver.ledger import Bounds, Ledger, from_here
from kalahlab.engine.solver.proof_tree import ProofTree
from kalahlab.engine.solver.prover import Prover, Workers
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import STANDARD, Rules, State, in_play, pits_of

LIMITS = (1 << 12, 1 << 16, 1 << 20, 0)  # nodes to look for a perfect move with, in turn


def check_position(state: Any) -> None:
    """Raise `TypeError` or `ValueError` for what is no position, or for one that is too large."""
    if type(state) is not State:
        name = type(state).__name__
        raise TypeError(f"give a state of Kalah, as Kalah(4, 3).start(), not a {name}")
    board, player = state
    if len(board) < 4 or len(board) % 2:
        raise ValueError(f"a board has 2m + 2 numbers for m pits a side, not {len(board)}")
    if negative := [count for count in board if count < 0]:
        raise ValueError(f"a board holds {negative[0]} stones somewhere; a count is 0 or more")
    if player not in (0, 1):
        raise ValueError(f"player {player!r} is to move; use 0 for South or 1 for North")
    if not fits(state):
        raise ValueError(
            f"{in_play(board)} stones in play on {pits_of(board)} pits a side are too many to "
            f"solve; at most {MAX_STONES} on at most {MAX_PITS}"
        )


class ExactSolver(StableRepr):
    """Margins of the player to move. proved: what is known. on_bound: called at each new bound."""

    def __init__(
        self,
        database: Database,
        prover: Workers | ProofTree,
        proved: Ledger,
        on_bound: Callable[[], object] = lambda: None,
    ) -> None:
        self.proved, self._learn = proved, proved.narrow
        self.game, self._database = database.game, database
        self._prover, self._on_bound = prover, on_bound

    def bounds(self, state: State) -> Bounds:
        """What is proved of a position; at first, that each stone goes to one of the two."""
        known = self._database.known(state)
        return self.proved.bounds(state) if known is None else (known, known)

    def value(self, state: State, guess: int | None = None) -> int:
        """A position's value, asked for upwards from `guess`; without, from an even outcome."""
        check_position(state)
        if pits_of(state.board) != (pits := self.game.pits):
            raise ValueError(f"this solver is for {pits} pits a side, not {pits_of(state.board)}")
        lower, upper = self.bounds(state)
        even = in_play(state.board) % 2 - from_here(state)[1]
        if guess is not None:  # margins of a position are all even or all odd
            even = guess + (guess - even) % 2
        margin = min(max(even, lower + 2), upper)
        while lower < upper:
            enough = self.at_least(state, margin)
            lower, upper = self.bounds(state)
            margin = lower + 2 if enough else upper
            self._on_bound()
        return lower

    def at_least(self, state: State, margin: int) -> bool:
        lower, upper = self.bounds(state)
        if lower < margin <= upper:
            found = self._prover.bound(state, margin)
            assert found is not None  # there was no limit
            lower, upper = (found, upper) if found >= margin else (lower, found)
            self._learn(state, lower, upper)
        return lower >= margin

    def move_values(
        self, state: State, begin: Callable[[int], object] = lambda pit: None
    ) -> Iterator[tuple[int, int]]:
        """Each move (pit) with what it is worth; `begin` is called before one is valued."""
        best = self.value(state)
        for pit in self.game.moves(state):
            begin(pit)
            after = self.game.play(state, pit)
            again = after.player == state.player
            lower, upper = self.bounds(after)
            # no move is worth more than the best one is
            narrower = (lower, min(upper, best)) if again else (max(lower, -best), upper)
            self._learn(after, *narrower)
            value = self.value(after)
            yield pit, value if again else -value

    def line(
        self, state: State, plies: int | None = None, limits: Sequence[int] = LIMITS
    ) -> tuple[int, ...]:
        """A perfect move from each position to the end, or `plies` of them. limits: nodes to look
        for one with, in turn, 0 for no limit. (0,): the first in pit order."""
        value = self.value(state)
        line: list[int] = []
        while not self.game.over(state) and len(line) != plies:
            line.append(self._perfect_move(state, value, limits))
            after = self.game.play(state, line[-1])
            value = value if after.player == state.player else -value
            state = after
        return tuple(line)

    def _perfect_move(self, state: State, value: int, limits: Sequence[int]) -> int:
        pits = list(self.game.moves(state))
        for limit in limits:
            for pit in pits[:]:
                if len(pits) == 1:
                    return pits[0]
                after = self.game.play(state, pit)
                again = after.player == state.player
                margin = value if again else 1 - value
                lower, upper = self.bounds(after)
                found = lower if lower == upper else self._prover.bound(after, margin, limit)
                if found is None:  # the limit came first
                    continue
                if (found >= margin) == again:
                    return pit
                pits.remove(pit)
        raise AssertionError("no move is worth what the position is")


@contextmanager
def open_solver(
    pits: int,
    rules: Rules = STANDARD,
    *,
    database_stones: int = 16,
    table_bytes: int = 1 << 26,
    workers: int | None = None,
    folder: Path | None = None,
    poll: Callable[[], object] = lambda: None,
) -> Iterator[ExactSolver]:
    """A solver of many positions, with a database and a table that it keeps.

    table_bytes: a power of two. workers: threads, default all cores. folder: where the
    database is kept, default the user's cache. poll: see `Workers`.
    """
    database = open_database(pits, database_stones, rules, folder=folder, workers=workers)
    threads = workers or cores()
    prover = Prover(database, table_bytes // ENTRY_BYTES, threads)
    with closing(Workers(prover.ask, 1, threads, poll=poll)) as searching:
        yield ExactSolver(database, searching, Ledger())
