"""Puzzles of Kalah: positions in which exactly one move keeps the better outcome.

A position is drawn by playing at random, then solved. It is a puzzle if one move keeps a win, or a
draw, and every other move gives it away. The difficulty is the depth, in sows, at which alpha-beta
with the store difference first finds the move and keeps it at each depth up to `DEEPEST`.
The same seed gives the same puzzles.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kalahlab import engine
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.game_text import GameRecord, format_turns
from kalahlab.games.kalah import PRESETS, Kalah
from kalahlab.games.notation import format_board
from kalahlab.judging.solved_positions import (
    Sample,
    SolvedPosition,
    evaluate_positions,
    sample_positions,
)
from kalahlab.names import lookup
from kalahlab.search import Depth
from kalahlab.solver.exact_solver import open_solver

DEEPEST = 14  # sows, of the searches that measure how difficult a puzzle is
DATABASE_STONES = 12  # of the solver's endgame database
CANDIDATES = 1000  # positions drawn for each requested puzzle, at most


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, South to move, with one move that keeps the better outcome.

    Attributes:
        position: The position with the values of its moves.
        move: The pit of that move, from 0.
        difficulty: In sows; None if alpha-beta does not find the move for good up to `DEEPEST`.
        line: A perfect line that begins with the move.
    """

    position: SolvedPosition
    move: int
    difficulty: int | None
    line: tuple[int, ...]

    @property
    def game(self) -> Kalah:
        return Kalah(len(self.position.moves), 0, PRESETS[self.position.rules])

    @property
    def outcome(self) -> str:
        return "win" if self.position.value > 0 else "draw"

    @property
    def solution(self) -> str:
        """The move and the rest of its line, turn by turn, and the value of the best other move."""
        best = self.position.value
        second_best = max(value for value in self.position.values.values() if value != best)
        turns = " ".join(format_turns(GameRecord(self.game, self.position.state, self.line)))
        return f"{turns} ({best:+d}; any other move {second_best:+d} at most)"

    def as_json(self) -> dict[str, Any]:
        return {
            "board": format_board(self.position.state),
            "move": self.move + 1,
            "outcome": self.outcome,
            "difficulty": self.difficulty,
            "moves": list(self.position.moves),
            "line": [pit + 1 for pit in self.line],
        }


def make_puzzles(
    number: int,
    seed: int = 0,
    sample: Sample | None = None,
    rules: str = "standard",
    progress: Callable[[int, int], object] = lambda done, of: None,
) -> list[Puzzle]:
    """Make puzzles, the easiest first.

    Args:
        number: The number of puzzles.
        seed: The same seed gives the same puzzles.
        sample: How to draw positions; by default, of Kalah(6, 4) with at most 20 stones in play.
            Its `positions` and `seed` do not matter.
        rules: The name of a preset.
        progress: Called at each puzzle with the numbers of puzzles made and requested.

    Raises:
        ValueError: The positions hold too few puzzles.
    """
    sample = replace(sample or Sample(max_stones=20), positions=CANDIDATES * number, seed=seed)
    game = Kalah(sample.pits, sample.stones, lookup("rules", rules, PRESETS))
    collected: list[Puzzle] = []
    with open_solver(game.pits, game.rules, database_stones=DATABASE_STONES, workers=1) as solver:
        for row in evaluate_positions(solver, sample_positions(sample, rules), rules):
            move = find_only_move(row)
            if move is None:
                continue
            line = (move, *solver.line(game.play(row.state, move), limits=(0,)))
            collected.append(Puzzle(row, move, measure_difficulty(game, row, move), line))
            progress(len(collected), number)
            if len(collected) == number:
                return sorted(collected, key=lambda puzzle: puzzle.difficulty or DEEPEST + 1)
    raise ValueError(f"only {len(collected)} puzzles found; use more pits or stones, or fewer")


def find_only_move(row: SolvedPosition) -> int | None:
    """Return the pit, from 0, of the only move that keeps a win or a draw.

    None if no move or more than one does, or if there is no choice.
    """
    if row.value > 0:
        keeping = [pit for pit, value in row.values.items() if value > 0]
    else:
        keeping = [pit for pit, value in row.values.items() if value >= 0]
    if len(keeping) == 1 and len(row.values) > 1:
        return keeping[0]
    return None


def measure_difficulty(game: Kalah, row: SolvedPosition, move: int) -> int | None:
    """Return the least depth, in sows, from which on each search to `DEEPEST` plays the move.

    None if the deepest search plays another.
    """
    least: int | None = None
    for depth in range(1, DEEPEST + 1):
        result = engine.alpha_beta(game, row.state, store_difference, Depth(depth))
        if result.move != move:
            least = None
        elif least is None:
            least = depth
    return least
