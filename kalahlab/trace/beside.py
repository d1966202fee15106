"""What a search of a reader's own finds, cuts or visits otherwise than alpha-beta, and where."""

import math

from kalahlab.search.alpha_beta import value
from kalahlab.search.tree import Tree
from kalahlab.trace.explain import Trace
from kalahlab.trace.record import number

Found = tuple[str, int | None]  # in words, and the step at which the explorer shows it


def beside_alpha_beta(name: str, own: Trace, right: Trace, tree: Tree) -> Found:
    """right: alpha-beta's trace, in the same order of moves. tree: of the same search."""
    root, best, line = tree.root, right.result, own.result.line
    said = f"{name} finds {number(own.result.value)}, alpha_beta {number(best.value)}. "
    if own.result.value == best.value:
        said = "The value is right by luck. "
    if found := first_mistake(own, tree):
        return f"{said}{found[0]}", found[1]
    if own.result.value != best.value:
        return f"{said}Each node's value is right within its window: see the root's.", None
    if line[:1] != best.line[:1]:
        played = next(child for child in tree.successors(root) if child.move == line[0])
        if (worth := value(tree, played, -math.inf, math.inf).value) != best.value:
            said = "The value is right, the move is not: "
            said += f"{tree.game.move_name(root.state, line[0])} is worth {number(worth)}, and "
            return f"{said}{number(best.value)} is only a bound on it.", None
    if own.nodes[0].kind == "driver":
        nodes = [sum(visit.kind != "driver" for visit in each.visited()) for each in (own, right)]
        said = "{} finds what alpha_beta finds, in passes over the root: {:,} nodes, {:,}."
        return said.format(name, *nodes), None
    known = {tuple(right.path(visit.id)) for visit in right.visited()}
    more = [visit.id for visit in own.visited() if tuple(own.path(visit.id)) not in known]
    if not more:
        said = f"{name} finds what alpha_beta finds, and visits "
        window = f"({number(own.nodes[0].alpha)}, {number(own.nodes[0].beta)})"
        if fewer := len(known) - len([*own.visited()]):
            return f"{said}{fewer:,} nodes fewer, with the window {window} at the root.", None
        return f"{said}no node that alpha_beta leaves out.", None
    parent = own.path(more[0])[:-1]
    why = next(right.why(cut) for cut in right.cuts if right.path(cut.node) == parent)
    said = f"The value is right. {name} visits {len(more):,} nodes that alpha_beta leaves out. "
    return f"{said}{why}", own.step(more[0])


def first_mistake(own: Trace, tree: Tree) -> tuple[str, int] | None:
    """The first wrong cut, window or value; of two at one step the cut, which is the cause."""
    found = list[tuple[str, int]]()
    if cut := next((cut for cut in own.cuts if not own.allows(cut)), None):
        found.append((own.why(cut), own.step(cut.node, begins=False)))
    if narrow := own.first_wrong_window():
        visit, step, right = narrow
        given, usual = (
            f"({number(low)}, {number(high)})" for low, high in ((visit.alpha, visit.beta), right)
        )
        said = f"The first wrong window is {own.place(visit.id)}: {given} as MAX sees it, and "
        found.append((f"{said}alpha-beta's is {usual}.", step))
    if wrong := own.first_wrong(tree):
        visit, step, true = wrong
        values = f"{number(visit.value)}, and alpha-beta finds {number(true)} there"
        found.append((f"The first wrong value is {own.place(visit.id)}: {values}.", step))
    return min(found, key=lambda each: each[1], default=None)
