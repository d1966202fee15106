"""The program of "Project 1, game search strategy", which plays the card game.

The document is a report. The C++ program that was published with it (by the same author; its
`Header.h` has `#define MAX_NODE 10000000`, and -1000 and 1000 for `MIN` and `MAX`) is not in it.

It searches with alpha-beta, cell by cell and the smallest card first, to a depth that it computes
from a budget of nodes. The variant `report` is as described, `published` as programmed: F takes
the opponent's S1 for its M1, and the search tries the smallest card of either hand alone. Both take
a game with equal sums for a draw, where the rules look at the largest card next.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate, takewhile
from operator import mul

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.cards import published, report
from kalahlab.games.cards import CARDS, Cards, Move, State, hand, unused
from kalahlab.search import Depth, Result, alpha_beta

MAX_NODE = 10_000_000  # the published program's budget; the report prints no number
INFINITE = 1000  # `MAX` of the published program, the end of the root's window


def widths(cells: int, own: int, other: int) -> Iterator[int]:
    """The document's estimate of moves by level. cells: unused. own, other: cards in the hands."""
    for level in range(own + other):
        cards = (other if level % 2 else own) - level // 2
        yield (cells - level) * min(cards, len(CARDS))


def widths_at(state: State) -> Iterator[int]:
    board, player = state
    return widths(len(unused(board)), len(hand(board, player)), len(hand(board, 1 - player)))


def depth_for_budget(budget: int, estimate: Iterable[int]) -> int:
    """The document's `calculate_depth`: where a full tree first has more than `budget` nodes.

    estimate: the moves at the root and at each level below; they end where the game does, which
    is then the depth. Raises `ValueError` for a budget below 1.
    """
    if budget < 1:
        raise ValueError(f"budget is {budget}; use 1 node or more")
    levels = [*accumulate(estimate, mul)]
    return min(len([*takewhile(lambda nodes: nodes <= budget, levels)]) + 1, len(levels))


def odd_depth(budget: int, estimate: Iterable[int]) -> Depth:
    """The document's depth: what the budget affords, rounded down to an odd number."""
    limit = depth_for_budget(budget, estimate)
    return Depth(max(1, limit - 1 + limit % 2))


def by_budget(budget: int = MAX_NODE) -> Callable[[State], Depth]:
    return lambda state: odd_depth(budget, widths_at(state))


@dataclass(frozen=True, slots=True)
class Program:
    """smallest_only, largest_decides: the rules that its search supposes, as in `Cards`."""

    evaluator: Evaluator = field(repr=False)
    depth: Callable[[State], Depth] = field(repr=False)
    smallest_only: bool = False
    largest_decides: bool = False

    def __call__(self, game: Cards, state: State) -> Move:
        move: Move = self.think(game, state)[1].move
        return move

    def think(self, game: Cards, state: State) -> tuple[Depth, Result]:
        supposed = replace(
            game, smallest_only=self.smallest_only, largest_decides=self.largest_decides
        )
        depth = self.depth(state)
        return depth, alpha_beta(supposed, state, self.evaluator, depth)


VARIANTS = {
    "report": Program(report, by_budget()),
    "published": Program(published, by_budget(), smallest_only=True),
}
