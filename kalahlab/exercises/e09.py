"""Notebook 09: the homework's rules, its depth in turns and its log."""

from functools import cache

from kalahlab.exercises.model import Exercise, Mistake
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


EXERCISES = (
    Exercise(
        "9.1",
        answer=after_b2,
        hint="Where does the stone fall? Was that pit empty, and which rule of capture holds here?",
        solution=(
            "The stone falls into B3, an empty pit of player 1. A3, opposite, is empty. In the "
            "grading cases the last stone goes to the store all the same: **{answer}**."
        ),
        mistakes=(
            Mistake(
                lambda: after_b2(STANDARD),
                "Under this rule a capture needs stones in the opposite pit. The grading cases "
                "have another rule.",
            ),
            Mistake(
                lambda: "2 0 1 / 0 0 2 / 1 / 0",
                "The third line is the store of player 2.",
            ),
        ),
    ),
    Exercise(
        "9.2",
        answer=depths_after_b2,
        hint="Does B2 end in the store? Then the turn goes on. The log counts the first turn as 1.",
        solution=(
            "B2 holds 3 stones and ends in the store, so player 1 moves again. The node is 1 sow "
            "deep, and the turn has not passed. The log prints the number of the turn that the "
            "move belongs to: **{answer}**."
        ),
        mistakes=(
            Mistake(
                lambda: (1, 1, 1),
                "After an extra turn the same player moves again, so the turn has not passed.",
            ),
            Mistake(
                lambda: (1, 0, 0),
                "In the log only the root has depth 0. Look at the line of B2.",
            ),
        ),
    ),
    Exercise(
        "9.3",
        answer=longest,
        hint="Follow the double lines. Count the moves from the root to the deepest leaf.",
        solution=(
            "The longest branch is B2, B4, A2, A3, A2, A4: **{answer}** sows in two turns. B2, A2 "
            "and A3 earn extra turns."
        ),
        mistakes=(
            Mistake(lambda: ON_THE_PAGE.cutoff, "This is the number of turns. Count the sows."),
            Mistake(lambda: longest() + 1, "This counts the nodes. The root is no sow."),
        ),
    ),
    Exercise(
        "9.4",
        answer=lambda: log_line(-1),
        hint=(
            "The last line is for the root. Its value is that of the best move. B4 earns an extra "
            "turn, and after it row B runs empty."
        ),
        solution=(
            "B3 is worth 0. B4 ends in the store, and B3 then captures A4: the store has 3 "
            "stones, row B is empty, and player 2 keeps 2. So B4 is worth 1, and the last line is "
            "**{answer}**."
        ),
        mistakes=(
            Mistake(lambda: log_line(-2), "After a child the parent has a line, too."),
            Mistake(
                lambda: "root,0,3,3,Infinity",
                "The game is over there. What is left in row A belongs to player 2.",
            ),
            Mistake(
                lambda: "root,0,1,0,Infinity",
                "A better child narrows the window before the line is written.",
            ),
        ),
    ),
)
