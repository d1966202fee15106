"""The program of "Project 1, game search strategy", which plays the card game.

The document is a report. It does not print the C++ program that its author published with the
report. The `Header.h` of that program has `#define MAX_NODE 10000000`, and -1000 and 1000 for `MIN`
and `MAX`.

The program searches with alpha-beta to a depth that it computes from a budget of nodes. It tries
the cells one by one and, for each cell, the smallest card first.

The variant `report` follows the description. The variant `published` follows the C++ program, which
differs in two things: its evaluator F uses the opponent's S1 in place of the opponent's M1, and its
search tries only the smallest card of a hand. Both variants take a game with equal sums for a draw.
By the rules, the largest cards would decide such a game.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate, takewhile
from operator import mul

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.cards import published, report
from kalahlab.games.cards import CARDS, Cards, Move, State, find_unused_cells, hand
from kalahlab.search import Depth, Order, Result, alpha_beta
from kalahlab.search.tree import pit_order

MAX_NODE = 10_000_000  # the budget of the published program; the report does not print a number
INFINITE = 1000  # `MAX` of the published program: the upper end of the root's window


def widths(cells: int, own: int, other: int) -> Iterator[int]:
    """Yield the document's estimate of the number of moves at each level.

    Args:
        cells: The number of unused cells.
        own: The number of cards in the hand of the player to move.
        other: The number of cards in the other hand.
    """
    for level in range(own + other):  # the players move in turn, one card a move
        hand_size = own if level % 2 == 0 else other
        cards_left = hand_size - level // 2
        cells_left = cells - level
        # A move is a cell and a card. Equal cards make one move, so at most `CARDS` count.
        yield cells_left * min(cards_left, len(CARDS))


def widths_at(state: State) -> Iterator[int]:
    """Yield the estimate of `widths` for each level from a position to the end of the game."""
    board, player = state
    cells = len(find_unused_cells(board))
    return widths(cells, len(hand(board, player)), len(hand(board, 1 - player)))


def depth_for_budget(budget: int, estimate: Iterable[int]) -> int:
    """Return the first depth at which a full tree has more than `budget` leaves.

    This is the document's `calculate_depth`. If no depth has so many leaves, return the depth of
    the whole game.

    Args:
        budget: A number of nodes, at least 1.
        estimate: The number of moves at the root and at each level below, to the end of the game.

    Raises:
        ValueError: The budget is less than 1.
    """
    if budget < 1:
        raise ValueError(f"budget is {budget}; use 1 node or more")
    # A level below the root has as many nodes as the product of the estimates down to this level.
    level_sizes = [*accumulate(estimate, mul)]
    affordable_sizes = [*takewhile(lambda nodes: nodes <= budget, level_sizes)]
    return min(len(affordable_sizes) + 1, len(level_sizes))


def odd_depth(budget: int, estimate: Iterable[int]) -> Depth:
    """Return the document's depth: `depth_for_budget`, rounded down to an odd number, at least 1.

    `depth_for_budget` is 0 only if the game is over.
    """
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
        evaluator: The evaluator of the leaves.
        depth: A function that returns the depth of the search in a position.
        smallest_only: The rule of `Cards` by which the program searches. The rule of the game that
            is played may differ.
        largest_decides: The same for this rule.
        order: The order of the moves. The first of equal moves is played.
    """

    # The functions are not in the `repr`, as theirs has an address that differs between runs.
    evaluator: Evaluator = field(repr=False)
    depth: Callable[[State], Depth] = field(repr=False)
    smallest_only: bool = False
    largest_decides: bool = False
    order: Order = field(default=pit_order, repr=False)

    def __call__(self, game: Cards, state: State) -> Move:
        move: Move = self.think(game, state)[1].move
        return move

    def think(self, game: Cards, state: State) -> tuple[Depth, Result]:
        """Return the depth in a position and the result of the search to that depth."""
        assumed_game = replace(
            game, smallest_only=self.smallest_only, largest_decides=self.largest_decides
        )
        depth = self.depth(state)
        return depth, alpha_beta(assumed_game, state, self.evaluator, depth, order=self.order)


VARIANTS = {
    "report": Program(report, by_budget()),
    "published": Program(published, by_budget(), smallest_only=True),
}
