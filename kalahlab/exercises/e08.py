"""Notebook 08: the minimal tree, null windows and node types."""

from itertools import count, takewhile

from kalahlab.evaluators.tree import written_value
from kalahlab.exercises.model import exercises
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


EXERCISES = exercises(
    {
        "8.1": lambda: [
            int(minimal_leaves(3, 5)),
            3**5,
            3**3 + 3**2,
            3**2 + 3**2 - 1,
            3**3 + 3**3 - 1,
        ],
        "8.2": lambda: [sure(5, 3), "v = 5", sure(3, 5).replace("3", "5"), sure(4, 3)],
        "8.3": lambda: [searched_again(), "B"],
        "8.4": lambda: [node_type((1, 3, 1)), node_type((1, 3)), node_type((1, 1))],
        "8.5": lambda: [reach(4**6, 4), 2 * 6, reach(4**6, 4) + 1, 6],
    }
)
