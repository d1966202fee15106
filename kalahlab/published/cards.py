"""The program of "Project 1, game search strategy", which plays the card game.

The document is a report. The C++ program that was published with it (by the same author; its
`Header.h` has `#define MAX_NODE 10000000`, and -1000 and 1000 for `MIN` and `MAX`) is not in it.

It searches with alpha-beta, cell by cell and the smallest card first, to a depth that it computes
from a budget of nodes. The variant `report` is as described, `published` as programmed: F uses
the opponent's S1 in place of its M1, and the search tries only the smallest card of either hand.
Both treat a game with equal sums as a draw, where the rules look at the largest card next.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate, takewhile
from operator import mul

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.cards import published, report
from kalahlab.games.cards import CARDS, Cards, Move, State, find_unused_cells, hand
from kalahlab.search import Depth, Result, alpha_beta

MAX_NODE = 10_000_000  # the published program's budget; the report prints no number
INFINITE = 1000  # `MAX` of the published program, the end of the root's window


def widths(cells: int, own: int, other: int) -> Iterator[int]:
    """Yield the document's estimate of the number of moves at each level.

    Args:
        cells: The number of unused cells.
        own: The number of cards in the hand of the player to move.
        other: The number of cards in the other hand.
    """
    for level in range(own + other):
        hand_size = other if level % 2 else own
        cards = hand_size - level // 2
        yield (cells - level) * min(cards, len(CARDS))


def widths_at(state: State) -> Iterator[int]:
    """Yield the estimate for a position."""
    board, player = state
    return widths(
        len(find_unused_cells(board)), len(hand(board, player)), len(hand(board, 1 - player))
    )


def depth_for_budget(budget: int, estimate: Iterable[int]) -> int:
    """Return the first depth at which a full tree has more than `budget` nodes.

    This is the document's `calculate_depth`. If no depth has, the depth is that of the whole game.

    Args:
        budget: A number of nodes, at least 1; `ValueError` otherwise.
        estimate: The number of moves at the root and at each level below, to the end of the game.
    """
    if budget < 1:
        raise ValueError(f"budget is {budget}; use 1 node or more")
    levels = [*accumulate(estimate, mul)]
    affordable = [*takewhile(lambda nodes: nodes <= budget, levels)]
    return min(len(affordable) + 1, len(levels))


def odd_depth(budget: int, estimate: Iterable[int]) -> Depth:
    """Return the document's depth: that of the budget, rounded down to an odd number."""
    limit = depth_for_budget(budget, estimate)
    if limit % 2 == 0:
        limit -= 1
    return Depth(max(1, limit))


def by_budget(budget: int = MAX_NODE) -> Callable[[State], Depth]:
    """Return a function that computes the depth in a position from a budget of nodes."""
    return lambda state: odd_depth(budget, widths_at(state))


@dataclass(frozen=True, slots=True)
class Program:
    """A player of the card game.

    Attributes:
        evaluator: Values the leaves of its search.
        depth: Returns the depth of the search in a position.
        smallest_only: A rule that its search supposes, as in `Cards`.
        largest_decides: Another such rule.
    """

    evaluator: Evaluator = field(repr=False)
    depth: Callable[[State], Depth] = field(repr=False)
    smallest_only: bool = False
    largest_decides: bool = False

    def __call__(self, game: Cards, state: State) -> Move:
        move: Move = self.think(game, state)[1].move
        return move

    def think(self, game: Cards, state: State) -> tuple[Depth, Result]:
        """Return the depth in a position and the result of the search."""
        supposed = replace(
            game, smallest_only=self.smallest_only, largest_decides=self.largest_decides
        )
        depth = self.depth(state)
        return depth, alpha_beta(supposed, state, self.evaluator, depth)


VARIANTS = {
    "report": Program(report, by_budget()),
    "published": Program(published, by_budget(), smallest_only=True),
}
