"""The exact solver: exact values of positions, of their moves, and perfect lines.

    with open_solver(6, STANDARD, database_stones=20) as solver:
        solver.value(state)             # the mover's final margin under perfect play
        dict(solver.move_values(state))

A value is found by asking "is the value at least b?" with rising b until the answer is no. If the
first answer is no, b falls until the answer is yes. Each answer is a proved bound.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from kalahlab.engine.packed import MAX_PITS, MAX_STONES, fits
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import State, pits_of, stones_in_play
from kalahlab.games.rules import STANDARD, Rules
from kalahlab.parallel import count_cores
from kalahlab.solver.endgame.database import Database, open_database
from kalahlab.solver.kernel import ENTRY_BYTES
from kalahlab.solver.ledger import Bounds, Ledger, margin_step, normalize_position
from kalahlab.solver.proof_tree import ProofTree
from kalahlab.solver.prover import Prover, Workers

# A perfect move is sought by proofs with the first limit of nodes for each move, then with the
# second limit, and so on; 0 is no limit. A small limit comes first, as one of the moves may be easy
# to prove.
NODE_LIMITS = (1 << 12, 1 << 16, 1 << 20, 0)


def check_position(state: Any) -> None:
    """Raise TypeError if this is not a state of Kalah, ValueError if it cannot be solved."""
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
            f"to solve; use at most {MAX_STONES} stones on at most {MAX_PITS} pits"
        )


class ExactSolver(StableRepr):
    """A solver for positions of one board; all values are margins of the player to move.

    Args:
        database: The endgame database.
        prover: The prover of bounds.
        proved: The ledger, which holds the bounds that are proved.
        on_bound: Called after each question that `value` asks.
    """

    def __init__(
        self,
        database: Database,
        prover: Workers | ProofTree,
        proved: Ledger,
        on_bound: Callable[[], object] = lambda: None,
    ) -> None:
        self.proved = proved
        self.game = database.game
        self.database = database
        self._prover = prover
        self._on_bound = on_bound

    def bounds(self, state: State) -> Bounds:
        """Return the bounds of a position: the database's value twice, or what is proved so far."""
        value = self.database.probe(state)
        if value is None:
            return self.proved.bounds(state)
        return value, value

    def value(self, state: State, guess: int | None = None) -> int:
        """Prove a position's value; ask first about `guess`, by default an even outcome.

        The margins that are asked for are those that are possible; see `margin_step`.
        """
        check_position(state)
        pits = pits_of(state.board)
        if pits != self.game.pits:
            raise ValueError(f"this solver is for {self.game.pits} pits a side, not {pits}")
        lower, upper = self.bounds(state)
        _, offset = normalize_position(state)  # minus the store difference
        step = margin_step(self.game.rules)
        # The margin if the stones in play are shared evenly, except one if their number is odd.
        margin = stones_in_play(state.board) % 2 - offset
        if guess is not None:
            margin = guess + (guess - margin) % step  # rounded up to a possible margin
        margin = min(max(margin, lower + step), upper)  # the bounds answer all other questions
        while lower < upper:
            enough = self.is_at_least(state, margin)
            lower, upper = self.bounds(state)
            margin = lower + step if enough else upper
            self._on_bound()
        return lower

    def is_at_least(self, state: State, margin: int) -> bool:
        """Prove whether a position's value is at least a margin."""
        lower, upper = self.bounds(state)
        if lower < margin <= upper:  # the bounds do not answer the question
            bound = self._prover.prove_bound(state, margin)
            assert bound is not None  # there was no limit
            if bound >= margin:
                lower = bound
            else:
                upper = bound
            # A `ProofTree` has stored the bound in the ledger already, but `Workers` has not.
            self.proved.narrow(state, lower, upper)
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
            # No move is worth more to its mover than the best one.
            if again:
                upper = min(upper, best)
            else:
                lower = max(lower, -best)
            self.proved.narrow(after, lower, upper)
            value = self.value(after)
            yield pit, value if again else -value

    def line(
        self, state: State, plies: int | None = None, limits: Sequence[int] = NODE_LIMITS
    ) -> tuple[int, ...]:
        """Find a perfect line to the end of the game, or of `plies` moves.

        Args:
            state: The position at which the line starts.
            plies: The length of the line.
            limits: The limits of nodes, see `NODE_LIMITS`; the last must be 0. With `(0,)` each
                move is the first perfect one in pit order.
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
        """Return the first move (pit) that is proved to be worth `value`, the position's value."""
        pits = list(self.game.moves(state))
        for limit in limits:
            for pit in pits[:]:  # a copy, as imperfect moves are removed
                if len(pits) == 1:  # one of the moves is perfect
                    return pits[0]
                after = self.game.play(state, pit)
                again = after.player == state.player
                # If the turn passes, the opponent is asked, and must not reach 1 - value.
                margin = value if again else 1 - value
                bound, upper = self.bounds(after)
                if bound < upper:
                    proved_bound = self._prover.prove_bound(after, margin, limit)
                    if proved_bound is None:  # the limit was reached first
                        continue
                    bound = proved_bound
                is_yes = bound >= margin
                if is_yes == again:  # the mover's yes or the opponent's no
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
    """Open a solver for many positions; database and table are kept from one to the next.

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
    # One question at a time, which all threads search.
    with closing(Workers(prover.ask, workers=1, threads=threads, poll=poll)) as prover_threads:
        yield ExactSolver(database, prover_threads, Ledger(rules=rules))
