"""Later information: who moves below the root will have searched further, and may know who wins.

Baum, "On optimal game tree propagation for imperfect players", *AAAI-92*, says in the abstract that
minimax misvalues a node because a player who gets there "would be able to search beyond the
boundaries of the original search"; that minimax is about right near the top of the tree, and "near
the bottom a formula closer to the probability product formula is better". His formula follows from
"a simple model of how deep search yields extra information". Model and formula are not in the part
of the paper that could be read. So this is a reading, with a model of our own:

    After s moves, a search of the same depth looks s moves further. With probability q(s) it shows
    whether a child wins; otherwise the child keeps its probability. Children are independent.
    The player then chooses the best. q(s) = 1 - (1 - NEW)^s.

At the root s is 0, and the value is that of minimax. With q = 1 it would be the product rule. A
draw counts as half a win, as in the product rule; Baum's extension to draws could not be read.
"""

from collections.abc import Sequence
from math import prod

from kalahlab.formatting import format_chance
from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.backing_up.probability import (
    explain_probability,
    win_probability,
)
from kalahlab.search.backing_up.product_rule import multiply
from kalahlab.search.model import Node
from kalahlab.search.tree import Tree

NEW = 0.08  # what one move more shows; page 15 computes it from judged positions of Kalah(6,4)


def expect_best(chances: Sequence[float], known: float) -> float:
    """Return the probability that the mover wins, who chooses the child that then looks best.

    Args:
        chances: For each child, the probability that the mover wins there.
        known: For each child, the probability that the mover will know whether it wins.
    """
    chances = sorted(chances, reverse=True)
    no_win_known = [1 - known * win for win in chances]
    expected = 1 - prod(no_win_known)
    all_lost = 1.0  # the probability that each better child is known to lose
    for rank, win in enumerate(chances):
        worse = prod(no_win_known[rank + 1 :])
        expected += all_lost * (1 - known) * worse * win
        all_lost *= known * (1 - win)
    return expected


def back_up(tree: Tree, node: Node, values: Sequence[float], new: float = NEW) -> float:
    """Return the probability that MAX wins, given what the player will know at the node.

    Args:
        tree: The tree.
        node: The node.
        values: The probabilities of its children.
        new: What one move more shows: the probability that a child's winner becomes known.
    """
    share = share_known(node, new)
    if node.maximizing:
        return expect_best(values, share)
    return 1 - expect_best([1 - value for value in values], share)


def share_known(node: Node, new: float = NEW) -> float:
    """Return the probability with which a search from the node shows who wins at a child."""
    return 1 - (1 - new) ** node.sows


def explain(tree: Tree, node: Node, values: Sequence[float]) -> str:
    """Say what the player will know, and what either rule gives."""
    best = format_chance(max(values) if node.maximizing else min(values))
    value = format_chance(back_up(tree, node, values))
    if len(values) == 1:
        return f"There is one move. So MAX wins with probability {value}, as after the move."
    if not node.sows:
        return (
            f"Nothing more is known now, so the best move counts: MAX wins with probability {best}."
        )
    player = "MAX" if node.maximizing else "MIN"
    moves = "1 move" if node.sows == 1 else f"{node.sows} moves"
    product = format_chance(multiply(tree, node, values))
    return (
        f"By then {player} sees {moves} further, and knows of each move with probability "
        f"{share_known(node):.2f} who wins. Minimax gives {best}, the product rule "
        f"{product}. So MAX wins with probability {value}."
    )


LATER_INFORMATION = Backup(
    "later_information", win_probability, back_up, explain, explain_probability, "probability"
)
later_information = backup_search(
    LATER_INFORMATION, "Back up what a player can expect who will know more than we know now."
)
