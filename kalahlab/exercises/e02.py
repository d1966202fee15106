"""Exercises of notebook 02: the printed program, by hand."""

from kalahlab.evaluators.tree import written_value
from kalahlab.exercises.model import exercises
from kalahlab.games.hand_tree import HandTree, uniform_tree
from kalahlab.games.kalah import SOUTH, Board
from kalahlab.published.cs5329 import memory_by_formula, play_published, printed_e3, printed_e4
from kalahlab.search import Depth, minimax
from kalahlab.studies.s02_published_study.answer import children_visited

NODES = 2000
"""The nodes of exercise 2.1."""
E3_BOARD: Board = (1,) * 6 + (7,) + (1,) * 6 + (2,)
"""The stores of exercise 2.3 are 7 and 2."""
E4_BOARD: Board = (0, 0, 3, 0, 5, 0, 4) + (1,) * 6 + (4,)
"""A's pits in exercise 2.4: the last one that is not empty is pit 5, with 5 stones."""
MOVES, DEPTH = 6, 2
"""The moves at each node, and the depth, of exercise 2.5."""


def first_search() -> tuple[int, int]:
    """The children of the first position that AlphaBetaSearch visits, and those it makes."""
    game = play_published("AlphaBetaSearch", evaluation=3, depth=2)
    return children_visited(game, game.choices[0][0])


def expanded() -> int:
    """The nodes that minimax expands."""
    tree = uniform_tree(MOVES, DEPTH, seed=1)
    return minimax(HandTree(tree), tree, written_value, Depth(DEPTH)).counts.expanded


EXERCISES = exercises(
    {
        "2.1": lambda: [
            memory_by_formula(NODES),
            81 * NODES // 1000,
            81 * NODES,
            memory_by_formula(NODES) + 1,
        ],
        "2.2": lambda: [first_search()[0], first_search()[1], 0],
        "2.3": lambda: [printed_e3(E3_BOARD, SOUTH), 7 / 2, 7 - 2, 2 // 7],
        "2.4": lambda: [printed_e4(E4_BOARD), 1500, 800],
        "2.5": lambda: [expanded(), DEPTH, MOVES**DEPTH, 1 + MOVES + MOVES**DEPTH, MOVES],
    }
)
