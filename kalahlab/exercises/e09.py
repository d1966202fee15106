"""Notebook 09: the homework's rules, its depth in turns and its log."""

from functools import cache

from kalahlab.exercises.model import exercises
from kalahlab.games.kalah import STANDARD, Rules
from kalahlab.published.homework import Mancala, board_lines, read_problem
from kalahlab.studies.s09_homework import traversal
from kalahlab.trace import Trace

ONE_SOW = read_problem("3\n1\n1\n2 0 1\n1 0 2\n0\n0")
SHORT = read_problem("3\n1\n1\n1 1 1\n0 1 1\n0\n0")
ON_THE_PAGE = read_problem("3\n1\n2\n0 1 3\n3 1 3\n0\n0")


def after_b2(rules: Rules = ONE_SOW.rules) -> str:
    """The board of the first exercise after B2, its four lines parted by slashes."""
    game = Mancala(3, 0, rules)
    lines = board_lines(game, game.play(ONE_SOW.state, 0)).splitlines()
    return " / ".join(lines)


@cache
def tree() -> Trace:
    """The search that the page shows."""
    return traversal(ON_THE_PAGE)[0]


def depths_after_b2() -> tuple[int, int, int]:
    """Of the node after the root's first move: sows, passed turns, depth in the log."""
    root = tree().nodes[0]
    node = tree().nodes[root.children[0]].node
    return node.sows, node.turns, root.node.turns + 1


def longest() -> int:
    """The sows of the longest branch."""
    return max(visit.node.sows for visit in tree().visited())


def log_line(place: int) -> str:
    """A line of the log of the last exercise; -1 is the last one."""
    return traversal(SHORT)[1].splitlines()[place]


EXERCISES = exercises(
    {
        "9.1": lambda: [after_b2(), after_b2(STANDARD), "2 0 1 / 0 0 2 / 1 / 0"],
        "9.2": lambda: [depths_after_b2(), (1, 1, 1), (1, 0, 0)],
        "9.3": lambda: [longest(), ON_THE_PAGE.cutoff, longest() + 1],
        "9.4": lambda: [log_line(-1), log_line(-2), "root,0,3,3,Infinity", "root,0,1,0,Infinity"],
    }
)
