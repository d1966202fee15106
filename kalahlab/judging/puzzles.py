"""Puzzles of Kalah: positions in which exactly one move keeps the better outcome.

Random games lead to positions, which are then solved. A position is a puzzle if one move keeps a
win or a draw and every other move gives it away. The difficulty is the search depth that finds the
move: alpha-beta with the store difference plays the move at this depth, and at each greater depth
up to `DEEPEST`. The same seed makes the same puzzles.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kalahlab import engine
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.game_text import GameRecord, format_turns
from kalahlab.games.kalah import Kalah
from kalahlab.games.notation import format_board
from kalahlab.games.rules import parse_rules
from kalahlab.judging.solved_positions import (
    Sample,
    SolvedPosition,
    evaluate_positions,
    sample_positions,
)
from kalahlab.search import Depth
from kalahlab.solver.exact_solver import open_solver

DEEPEST = 14  # depth in sows of the deepest search that measures the difficulty of a puzzle
DATABASE_STONES = 12  # the most stones in play in the solver's endgame database
CANDIDATES_PER_PUZZLE = 1000  # the most positions that are drawn for each requested puzzle


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, South to move, with one move that keeps the better outcome.

    Attributes:
        position: The position with the values of its moves.
        move: The pit of the only move that keeps the outcome, from 0.
        difficulty: The depth of search that finds the move, in sows; None if the search to
            `DEEPEST` plays another move.
        line: A perfect line that begins with the move.
    """

    position: SolvedPosition
    move: int
    difficulty: int | None
    line: tuple[int, ...]

    @property
    def game(self) -> Kalah:
        # 0 stones, as the puzzle does not begin at the start of a game.
        return Kalah(len(self.position.moves), 0, parse_rules(self.position.rules))

    @property
    def outcome(self) -> str:
        """The outcome that only `move` keeps: "win" or "draw"."""
        return "win" if self.position.value > 0 else "draw"

    @property
    def solution(self) -> str:
        """The turns of the line, its value, and the value of the best other move, as one text."""
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
    """Make puzzles, the easiest first; those without a difficulty come last.

    Args:
        number: The number of puzzles.
        seed: The seed of the random games that lead to the positions.
        sample: How to draw positions. By default they are of Kalah(6, 4) with at most 20 stones in
            play. The fields `positions` and `seed` are ignored.
        rules: The rules as text; see `parse_rules`.
        progress: Called after each puzzle with the number of puzzles made and the number requested.

    Raises:
        ValueError: The positions hold too few puzzles.
    """
    if sample is None:
        sample = Sample(max_stones=20)
    sample = replace(sample, positions=CANDIDATES_PER_PUZZLE * number, seed=seed)
    game = Kalah(sample.pits, sample.stones, parse_rules(rules))
    puzzles: list[Puzzle] = []
    with open_solver(game.pits, game.rules, database_stones=DATABASE_STONES, workers=1) as solver:
        for state in sample_positions(sample, rules):
            [position] = evaluate_positions(solver, [state], rules)
            move = find_only_move(position)
            if move is None:
                continue
            # The limit 0 is none: the solver then finds the leftmost perfect moves.
            following = solver.line(game.play(position.state, move), limits=(0,))
            difficulty = measure_difficulty(game, position, move)
            puzzles.append(Puzzle(position, move, difficulty, (move, *following)))
            progress(len(puzzles), number)
            if len(puzzles) == number:
                without_difficulty = DEEPEST + 1
                return sorted(puzzles, key=lambda puzzle: puzzle.difficulty or without_difficulty)
    raise ValueError(
        f"found only {len(puzzles)} of {number} puzzles; use more pits or stones, or ask for fewer"
    )


def find_only_move(position: SolvedPosition) -> int | None:
    """Return the pit, from 0, of the only move that keeps a win or a draw.

    Return None if the position is lost, if several moves keep the win or the draw, or if only one
    move is legal.
    """
    values = position.values
    if position.value > 0:
        keeping = [pit for pit, value in values.items() if value > 0]
    else:  # a draw; in a lost position no value is 0 or more
        keeping = [pit for pit, value in values.items() if value >= 0]
    if len(keeping) == 1 and len(values) > 1:
        return keeping[0]
    return None


def measure_difficulty(game: Kalah, position: SolvedPosition, move: int) -> int | None:
    """Return the depth, in sows, from which on every search up to `DEEPEST` plays the move.

    Return None if the search to `DEEPEST` plays another move.
    """
    difficulty = None
    for depth in range(DEEPEST, 0, -1):
        result = engine.alpha_beta(game, position.state, store_difference, Depth(depth))
        if result.move != move:
            break
        difficulty = depth
    return difficulty
