"""Exercises of notebook 02: the printed program, by hand."""

from kalahlab.evaluators.tree import written_value
from kalahlab.exercises.model import Exercise, Mistake
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


EXERCISES = (
    Exercise(
        "2.1",
        answer=lambda: memory_by_formula(NODES),
        hint="Multiply by 81 bytes, divide by the bytes of a KB, and leave out the fraction.",
        solution="81 · 2000 = 162,000 bytes, divided by 1024 and rounded down: **{answer}** KB.",
        mistakes=(
            Mistake(lambda: 81 * NODES // 1000, "The program divides by 1024, not by 1000."),
            Mistake(lambda: 81 * NODES, "These are bytes. The program prints KB."),
            Mistake(
                lambda: memory_by_formula(NODES) + 1,
                "The program works with whole numbers: it leaves out the fraction.",
            ),
        ),
    ),
    Exercise(
        "2.2",
        answer=lambda: first_search()[0],
        hint="What is α after the first child? Compare it with β = −2000.",
        solution="**{answer}**. After the first child α is still 2000. This is more than "
        "β = −2000, so there is a cutoff.",
        mistakes=(
            Mistake(lambda: first_search()[1], "There is a cutoff: not all children are visited."),
            Mistake(lambda: 0, "The program tests for a cutoff after a child, not before it."),
        ),
    ),
    Exercise(
        "2.3",
        answer=lambda: printed_e3(E3_BOARD, SOUTH),
        hint="Look up E3 in the table of this page. A is to move.",
        solution="7 / 2 in whole numbers is **{answer}**.",
        mistakes=(
            Mistake(lambda: 7 / 2, "The program divides whole numbers: the fraction is lost."),
            Mistake(lambda: 7 - 2, "That is the store difference, E2."),
            Mistake(lambda: 2 // 7, "A is to move, so A's store is divided by B's store."),
        ),
    ),
    Exercise(
        "2.4",
        answer=lambda: printed_e4(E4_BOARD),
        hint="Find the last pit that is not empty. Compare its stones with its index in the code.",
        solution="**{answer}**. The last pit that is not empty is pit 5. In the code it is `a[4]`. "
        "It holds 5 stones, which is more than 4.",
        mistakes=(
            Mistake(
                lambda: 1500,
                "You compared 5 stones with pit 5. The code counts pits from 0, so the index is 4.",
            ),
            Mistake(
                lambda: 800,
                "The printed program compares with the index of the pit. Is the number of stones "
                "less than it?",
            ),
        ),
    ),
    Exercise(
        "2.5",
        answer=expanded,
        hint="The nodes above the depth limit are expanded.",
        solution="**{answer}**: the root and its 6 children. AlphaBetaSearch expands 2 nodes per "
        "move at depth 2, so it does not search this tree.",
        mistakes=(
            Mistake(lambda: DEPTH, "That is one line of play, as AlphaBetaSearch has it."),
            Mistake(lambda: MOVES**DEPTH, "These are the leaves. A leaf is not expanded."),
            Mistake(
                lambda: 1 + MOVES + MOVES**DEPTH, "These are all nodes. A leaf is not expanded."
            ),
            Mistake(lambda: MOVES, "The root is expanded too."),
        ),
    ),
)
