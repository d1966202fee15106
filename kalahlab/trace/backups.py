"""Explanations of the values that a search with another way of backing up has found."""

from typing import Any

from kalahlab.evaluators import Evaluator
from kalahlab.formatting import capitalize_first
from kalahlab.games import Game
from kalahlab.search.backing_up import Backup
from kalahlab.search.deep_enough import Depth
from kalahlab.search.tree import Searcher, Tree, pit_order
from kalahlab.trace.explain import Trace


def explain_backup(
    search: Searcher, trace: Trace, game: Game, evaluator: Evaluator, id: int = 0
) -> str:
    """Return a sentence on how the value of a node follows from those of its children.

    Args:
        search: One of `kalahlab.search.backing_up.BACKUPS`, which made the trace.
        trace: The trace.
        game: The game that was searched.
        evaluator: The evaluator of the search.
        id: The id of the node in the trace.

    Raises:
        ValueError: The search backs up by minimax, or the node has no children.
    """
    backup: Any = getattr(search, "backup", None)
    if not isinstance(backup, Backup):
        raise ValueError(f"{getattr(search, '__name__', search)} has no backup; use one of BACKUPS")
    visit = trace.nodes[id]
    place = capitalize_first(trace.place(id))
    children = trace.visited_children(visit)
    if not children:
        raise ValueError(f"node {id}, {trace.place(id)}, is a leaf; give a node with children")
    height = 1
    below = trace.best(visit)
    while trace.visited_children(below):
        below = trace.best(below)
        height += 1
    tree = Tree(game, evaluator, Depth(0), pit_order, trace.nodes[0].node)
    values = [child.final_value for child in children]
    return f"{place}: {backup.explain(tree, visit.node, values, height)}"
