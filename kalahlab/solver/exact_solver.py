"""The exact solver: exact values of positions, of their moves, and perfect lines.

    with open_solver(6, STANDARD, database_stones=20) as solver:
        solver.value(state)             # the mover's final margin under perfect play
        dict(solver.move_values(state))

A value is found by asking "is it at least b?" with rising b until the answer is no. So the easy
questions come first, and each answer is a proved bound.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from kalahlab.engine.packed import MAX_PITS, MAX_STONES, fits
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import STANDARD, Rules, State, pits_of, stones_in_play
from kalahlab.parallel import count_cores
from kalahlab.solver.endgame.database import Database, open_database
from kalahlab.solver.kernel import ENTRY_BYTES
from kalahlab.solver.ledger import Bounds, Ledger, normalize_position
from kalahlab.solver.proof_tree import ProofTree
from kalahlab.solver.prover import Prover, Workers

LIMITS = (1 << 12, 1 << 16, 1 << 20, 0)  # nodes to find a perfect move with, in turn


def check_position(state: Any) -> None:
    """Raise TypeError or ValueError if this is no position, or one that is too large."""
    if type(state) is not State:
        name = type(state).__name__
        raise TypeError(f"give a state of Kalah, such as Kalah(4, 3).start(), not a {name}")
    board, player = state
    if len(board) < 4 or len(board) % 2:
        raise ValueError(f"a board has 2m + 2 numbers for m pits a side, not {len(board)}")
    for count in board:
        if count < 0:
            raise ValueError(f"a board holds {count} stones somewhere; a count is 0 or more")
    if player not in (0, 1):
        raise ValueError(f"player {player!r} is to move; use 0 for South or 1 for North")
    if not fits(state):
        raise ValueError(
            f"{stones_in_play(board)} stones in play on {pits_of(board)} pits a side are too many "
            f"to solve; at most {MAX_STONES} on at most {MAX_PITS}"
        )


class ExactSolver(StableRepr):
    """A solver for positions of one board; all values are margins of the player to move.

    Args:
        database: The endgame database.
        prover: The prover of bounds.
        proved: The ledger of the bounds that are known.
        on_bound: Called at each new bound of a value.
    """

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
        """Return the proved bounds of a position; at first, that each stone goes to a player."""
        value = self._database.probe(state)
        if value is None:
            return self.proved.bounds(state)
        return value, value

    def value(self, state: State, guess: int | None = None) -> int:
        """Prove a position's value; ask upwards from `guess`, by default an even outcome."""
        check_position(state)
        pits = pits_of(state.board)
        if pits != self.game.pits:
            raise ValueError(f"this solver is for {self.game.pits} pits a side, not {pits}")
        lower, upper = self.bounds(state)
        even = stones_in_play(state.board) % 2 - normalize_position(state)[1]
        if guess is not None:  # margins of a position are all even or all odd
            even = guess + (guess - even) % 2
        margin = min(max(even, lower + 2), upper)
        while lower < upper:
            enough = self.is_at_least(state, margin)
            lower, upper = self.bounds(state)
            margin = lower + 2 if enough else upper
            self._on_bound()
        return lower

    def is_at_least(self, state: State, margin: int) -> bool:
        """Prove whether a position's value is at least a margin."""
        lower, upper = self.bounds(state)
        if lower < margin <= upper:
            bound = self._prover.prove_bound(state, margin)
            assert bound is not None  # there was no limit
            if bound >= margin:
                lower = bound
            else:
                upper = bound
            self._learn(state, lower, upper)
        return lower >= margin

    def move_values(
        self, state: State, begin: Callable[[int], object] = lambda pit: None
    ) -> Iterator[tuple[int, int]]:
        """Yield each move (pit) with its value; call `begin` before a move is valued."""
        best = self.value(state)
        for pit in self.game.moves(state):
            begin(pit)
            after = self.game.play(state, pit)
            again = after.player == state.player
            lower, upper = self.bounds(after)
            if again:  # no move is worth more than the best one
                upper = min(upper, best)
            else:
                lower = max(lower, -best)
            self._learn(after, lower, upper)
            value = self.value(after)
            yield pit, value if again else -value

    def line(
        self, state: State, plies: int | None = None, limits: Sequence[int] = LIMITS
    ) -> tuple[int, ...]:
        """Find a perfect line to the end of the game, or of `plies` moves.

        Args:
            state: The position at its start.
            plies: The length of the line.
            limits: Nodes to find a perfect move with, in turn; 0 for no limit. With `(0,)` it is
                the first one in pit order.
        """
        value = self.value(state)
        line: list[int] = []
        while not self.game.is_over(state) and len(line) != plies:
            line.append(self._perfect_move(state, value, limits))
            after = self.game.play(state, line[-1])
            if after.player != state.player:
                value = -value
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
                bound = lower if lower == upper else self._prover.prove_bound(after, margin, limit)
                if bound is None:  # the limit was reached first
                    continue
                if (bound >= margin) == again:
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
    """Open a solver for many positions, which keeps its database and its table.

    Args:
        pits: The pits of a side.
        rules: The rules.
        database_stones: The stones of the database.
        table_bytes: The size of the table, a power of two.
        workers: The threads; default all cores.
        folder: The folder of the database; default the user's cache.
        poll: See `Workers`.
    """
    database = open_database(pits, database_stones, rules, folder=folder, workers=workers)
    threads = workers or count_cores()
    prover = Prover(database, table_bytes // ENTRY_BYTES, threads)
    with closing(Workers(prover.ask, 1, threads, poll=poll)) as searching:
        yield ExactSolver(database, searching, Ledger())
