"""Notebook 08: the minimal tree, null windows and node types."""

from itertools import count, takewhile

from kalahlab.evaluators.tree import written_value
from kalahlab.exercises.model import Exercise, Mistake
from kalahlab.games.hand_tree import RICH_KNIGHT_12_5
from kalahlab.search import Depth, scout
from kalahlab.studies.s08_pruning import minimal_leaves, node_type
from kalahlab.trace import record


def searched_again() -> str:
    """The move of the root that Scout searches once more after its null window."""
    trace = record(scout, RICH_KNIGHT_12_5, RICH_KNIGHT_12_5.start(), written_value, Depth(9))
    children = [trace.nodes[id] for id in trace.nodes[0].children]
    tested = {visit.name for visit in children if visit.probe}
    [again] = {visit.name for visit in children if not visit.probe and visit.name in tested}
    return again


def sure(returned: int, alpha: int) -> str:
    """What a fail-soft search with the null window (alpha, alpha + 1) says of a value v."""
    return f"v >= {returned}" if returned > alpha else f"v <= {returned}"


def reach(leaves: int, arity: int) -> int:
    """The greatest depth of which the minimal tree has so many leaves or fewer."""
    return max(takewhile(lambda depth: minimal_leaves(arity, depth) <= leaves, count()))


EXERCISES = (
    Exercise(
        "8.1",
        answer=lambda: int(minimal_leaves(3, 5)),
        hint="Put b = 3 and d = 5 into the formula. Round d/2 up in one term, down in the other.",
        solution="⌈5/2⌉ = 3 and ⌊5/2⌋ = 2. So 3³ + 3² − 1 = 27 + 9 − 1 = **{answer}**.",
        mistakes=(
            Mistake(lambda: 3**5, "Those are all leaves. Minimax evaluates them."),
            Mistake(
                lambda: 3**3 + 3**2,
                "One leaf is counted twice: the leaf of the principal variation.",
            ),
            Mistake(lambda: 3**2 + 3**2 - 1, "One of the two halves is rounded up."),
            Mistake(lambda: 3**3 + 3**3 - 1, "One of the two halves is rounded down."),
        ),
    ),
    Exercise(
        "8.2",
        answer=lambda: sure(5, 3),
        hint="5 is above the window. Is it then a lower bound or an upper bound?",
        solution=(
            "5 is above α = 3, so the answer to *better than 3?* is yes. A fail-soft search "
            "returns a lower bound then: **{answer}**. Also v >= 4, which says less."
        ),
        mistakes=(
            Mistake(
                lambda: "v = 5", "Outside its window a search finds a bound, not the exact value."
            ),
            Mistake(
                lambda: sure(3, 5).replace("3", "5"),
                "This would be so if the number returned were α or less.",
            ),
            Mistake(lambda: sure(4, 3), "This is certain, but a fail-soft search says more."),
        ),
    ),
    Exercise(
        "8.3",
        answer=searched_again,
        hint="Look for a move that stands below the root twice, once with a question mark.",
        solution=(
            "The test of **{answer}** asks *better than 3?*, and the answer is yes. So Scout "
            "searches {answer} again to find its value."
        ),
        mistakes=(
            Mistake(
                lambda: "B",
                "B is the first move. It is searched once, and not with a null window.",
            ),
        ),
    ),
    Exercise(
        "8.4",
        answer=lambda: node_type((1, 3, 1)),
        hint="Begin with the root, which has type 1. Find the type of one node after the other.",
        solution=(
            "Move 1 leads from type 1 to type 1. Move 3 leads from there to type 2. The first "
            "child of a node of type 2 has type **{answer}**."
        ),
        mistakes=(
            Mistake(
                lambda: node_type((1, 3)),
                "This is the type of the parent. One more move leads to the node.",
            ),
            Mistake(
                lambda: node_type((1, 1)),
                "Only the first child of a node of type 1 has type 1.",
            ),
        ),
    ),
    Exercise(
        "8.5",
        answer=lambda: reach(4**6, 4),
        hint="Compute the formula for b = 4 at several depths, until it is above 4,096.",
        solution=(
            "At depth 10 the minimum is 4⁵ + 4⁵ − 1 = 2,047 leaves. At depth 11 it is "
            "4⁶ + 4⁵ − 1 = 5,119, which is too many. So depth **{answer}**."
        ),
        mistakes=(
            Mistake(
                lambda: 2 * 6,
                "Twice the depth is only approximate. Compute the formula at this depth.",
            ),
            Mistake(lambda: reach(4**6, 4) + 1, "At this depth the formula gives 5,119."),
            Mistake(lambda: 6, "This is minimax's depth. Alpha-beta visits fewer nodes."),
        ),
    ),
)
