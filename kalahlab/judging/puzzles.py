"""Puzzles of Kalah: positions in which exactly one move keeps the better outcome.

    found = puzzles(20, seed=1)

A position is drawn by playing at random, and solved. It is a puzzle if one move keeps a win, or a
draw, and each other move gives it away. The difficulty is the depth, in sows, at which alpha-beta
with the store difference first finds the move and keeps it at each depth up to `DEEPEST`.
The same seed gives the same puzzles.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from kalahlab import engine
from kalahlab.engine.solver.exact import ExactSolver, open_solver
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.game_text import GameRecord, format_turns
from kalahlab.games.kalah import PRESETS, Kalah
from kalahlab.games.notation import format_board
from kalahlab.judging.judged import Judged, Sample, drawn, judged
from kalahlab.names import named
from kalahlab.search import Depth

DEEPEST = 14
"""The depth in sows up to which a puzzle's move must be found to have a difficulty."""

DATABASE_STONES, OTHER_STONES = 12, 6
"""Of the solver's endgame database, and of the solver's that solves each puzzle again."""

CANDIDATES = 1000
"""Positions for each puzzle wanted, at most."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, South to move, with one move (pit from 0) that keeps the better outcome.

    difficulty: in sows; None if alpha-beta does not find the move for good up to `DEEPEST`.
    line: a perfect line that begins with the move.
    """

    judged: Judged
    move: int
    difficulty: int | None
    line: tuple[int, ...]

    @property
    def game(self) -> Kalah:
        """The game by whose rules the position is played."""
        return Kalah(len(self.judged.moves), 0, PRESETS[self.judged.rules])

    @property
    def outcome(self) -> str:
        """What the move keeps."""
        return "win" if self.judged.value > 0 else "draw"

    @property
    def solution(self) -> str:
        """The move and what follows, turn by turn, and what the best other move leads to."""
        worth = [value for value in self.judged.moves if value is not None]
        others = max(value for value in worth if value != self.judged.value)
        turns = " ".join(format_turns(GameRecord(self.game, self.judged.state, self.line)))
        return f"{turns} ({self.judged.value:+d}; any other move {others:+d} at most)"

    def as_json(self) -> dict[str, Any]:
        """As the command line prints it, pits from 1."""
        return {
            "board": format_board(self.judged.state),
            "move": self.move + 1,
            "outcome": self.outcome,
            "difficulty": self.difficulty,
            "moves": list(self.judged.moves),
            "line": [pit + 1 for pit in self.line],
        }


def puzzles(
    number: int,
    seed: int = 0,
    sample: Sample | None = None,
    rules: str = "standard",
    progress: Callable[[], object] = lambda: None,
) -> list[Puzzle]:
    """So many puzzles, the easiest first.

    sample: how positions are drawn, by default of Kalah(6, 4) with at most 20 stones in play;
    `positions` and `seed` of it do not matter. progress: called at each puzzle. Each is solved a
    second time, by a solver with a smaller database. Raises `ValueError` if too few are found.
    """
    found = list(_found(number, seed, sample or Sample(max_stones=20), rules, progress))
    if len(found) < number:
        raise ValueError(f"only {len(found)} puzzles found; use more pits or stones, or fewer")
    return sorted(found, key=lambda each: (each.difficulty is None, each.difficulty or 0))


def _found(
    number: int, seed: int, sample: Sample, rules: str, progress: Callable[[], object]
) -> Iterator[Puzzle]:
    game = Kalah(sample.pits, sample.stones, named("rules", rules, PRESETS))
    draw = Sample(
        CANDIDATES * number, seed, sample.plies, sample.max_stones, sample.pits, sample.stones
    )
    left = number
    with ExitStack() as stack:
        solver, other = (
            stack.enter_context(
                open_solver(game.pits, game.rules, database_stones=stones, workers=1)
            )
            for stones in (DATABASE_STONES, OTHER_STONES)
        )
        for row in judged(solver, drawn(draw, rules), rules):
            move = only_move(row)
            if move is None:
                continue
            check(other, row)
            line = (move, *solver.line(game.play(row.state, move), limits=(0,)))
            yield Puzzle(row, move, difficulty(game, row, move), line)
            progress()
            left -= 1
            if not left:
                return


def only_move(row: Judged) -> int | None:
    """The pit (from 0) that alone keeps a win or a draw; None if there is none or another does."""
    worth = {pit: value for pit, value in enumerate(row.moves) if value is not None}
    kept = [pit for pit, value in worth.items() if (value > 0) == (row.value > 0) and value >= 0]
    return kept[0] if len(kept) == 1 < len(worth) and row.value >= 0 else None


def check(other: ExactSolver, row: Judged) -> None:
    """Solve a position again; `AssertionError` if the other solver finds anything else."""
    [again] = judged(other, [row.state], row.rules)
    assert again == row, f"{again} is not {row}"


def difficulty(game: Kalah, row: Judged, move: int) -> int | None:
    """The least depth in sows from which on a search plays the move at each depth, or None."""
    least: int | None = None
    for depth in range(1, DEEPEST + 1):
        found = engine.alpha_beta(game, row.state, store_difference, Depth(depth)).move
        least = (least or depth) if found == move else None
    return least
