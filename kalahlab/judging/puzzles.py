"""Puzzles of Kalah: positions in which exactly one move keeps the better outcome.

A position is drawn by playing at random, and solved. It is a puzzle if one move keeps a win, or a
draw, and each other move gives it away. The difficulty is the depth, in sows, at which alpha-beta
with the store difference first finds the move and keeps it at each depth up to `DEEPEST`.
The same seed gives the same puzzles.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kalahlab import engine
from kalahlab.engine.solver.exact import open_solver
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.game_text import GameRecord, format_turns
from kalahlab.games.kalah import PRESETS, Kalah
from kalahlab.games.notation import format_board
from kalahlab.judging.judged import Judged, Sample, evaluate_positions, sample_positions
from kalahlab.names import named
from kalahlab.search import Depth

DEEPEST = 14  # sows, of the searches that find out how difficult a puzzle is
DATABASE_STONES = 12  # of the solver's endgame database
CANDIDATES = 1000  # positions for each puzzle wanted, at most


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
        return Kalah(len(self.judged.moves), 0, PRESETS[self.judged.rules])

    @property
    def outcome(self) -> str:
        return "win" if self.judged.value > 0 else "draw"

    @property
    def solution(self) -> str:
        """The move and what follows, turn by turn, and what the best other move leads to."""
        others = max(each for each in self.judged.values.values() if each != self.judged.value)
        turns = " ".join(format_turns(GameRecord(self.game, self.judged.state, self.line)))
        return f"{turns} ({self.judged.value:+d}; any other move {others:+d} at most)"

    def as_json(self) -> dict[str, Any]:
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
    progress: Callable[[int, int], object] = lambda done, of: None,
) -> list[Puzzle]:
    """`number` puzzles, the easiest first.

    sample: how positions are drawn, by default of Kalah(6, 4) with at most 20 stones in play;
    `positions` and `seed` of it do not matter. progress: called at each puzzle. Raises
    `ValueError` if too few are found.
    """
    sample = replace(sample or Sample(max_stones=20), positions=CANDIDATES * number, seed=seed)
    game = Kalah(sample.pits, sample.stones, named("rules", rules, PRESETS))
    found: list[Puzzle] = []
    with open_solver(game.pits, game.rules, database_stones=DATABASE_STONES, workers=1) as solver:
        for row in evaluate_positions(solver, sample_positions(sample, rules), rules):
            if (move := only_move(row)) is None:
                continue
            line = (move, *solver.line(game.play(row.state, move), limits=(0,)))
            found.append(Puzzle(row, move, difficulty(game, row, move), line))
            progress(len(found), number)
            if len(found) == number:
                return sorted(found, key=lambda each: each.difficulty or DEEPEST + 1)
    raise ValueError(f"only {len(found)} puzzles found; use more pits or stones, or fewer")


def only_move(row: Judged) -> int | None:
    """The pit (from 0) that alone keeps a win or a draw; None if there is none or another does."""
    kept = [pit for pit, value in row.values.items() if value >= 0 and value >= (row.value > 0)]
    return kept[0] if len(kept) == 1 < len(row.values) else None


def difficulty(game: Kalah, row: Judged, move: int) -> int | None:
    """The least depth in sows from which on a search plays the move at each depth, or None."""
    least: int | None = None
    for depth in range(1, DEEPEST + 1):
        found = engine.alpha_beta(game, row.state, store_difference, Depth(depth)).move
        least = (least or depth) if found == move else None
    return least
