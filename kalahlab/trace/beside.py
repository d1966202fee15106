"""Compare a search of a reader's own with alpha-beta, and find where they first differ."""

import math
from collections.abc import Iterator, Set
from typing import Any

from kalahlab.search.alpha_beta import value
from kalahlab.search.deep_enough import Depth
from kalahlab.search.tree import Tree
from kalahlab.trace.explain import Trace
from kalahlab.trace.record import Visit, number

Found = tuple[str, int | None]  # in words, and the step at which the explorer shows it

SELECTIVE = "It has no window, and {place} it leaves out {untried}: so it is no minimax, and its "
SELECTIVE += "values are not compared with alpha-beta's node by node."
DEEPER = "It answers from another depth: {place} it searches {plies} deeper than the limit."
EARLIER = "It answers from another depth: {place} it stops {plies} the limit, with {value}, and "
EARLIER += "alpha-beta finds {right} there."
AGAIN = "It answers from another depth: {place} with {value}, as {before}, and alpha-beta finds "
AGAIN += "{right} there."
KNOWN = "It answers from its table: {place} with {value}, and alpha-beta finds {right} there."
RETURNED = "{value} is returned{end}, though {player} has {best} from move {move}"


def beside_alpha_beta(name: str, own: Trace, right: Trace, tree: Tree) -> Found:
    """Say in words how a search differs from alpha-beta.

    Args:
        name: What the search is called.
        own: Its trace.
        right: Alpha-beta's trace, in the same order of moves.
        tree: A tree of the same search.
    """
    both = f"{name} finds {number(own.result.value)}, alpha_beta {number(right.result.value)}."
    same = own.result.value == right.result.value
    if (selective := _first_selective(own)) is not None:
        untried = ", ".join(child.name for child in own.untried(selective))
        place = own.place(selective.id)
        said = SELECTIVE.format(place=place, untried=untried)
        return f"{both} {said}", own.step(selective.id, begins=False)
    elsewhere = {visit.id: said for visit, said in _answers_from_elsewhere(own, tree)}
    if found := first_mistake(own, tree, elsewhere.keys()):
        said = "The value is right by luck." if same else both
        return f"{said} {found[0]}", found[1]
    if elsewhere:
        first = min(elsewhere)
        said = f"{name} finds what alpha_beta finds." if same else both
        return f"{said} {elsewhere[first]}", own.step(first, begins=False)
    if not same:
        return f"{both} Each node's value is right within its window: see the root's.", None
    return _wrong_move(own, right, tree) or _other_nodes(name, own, right)


def first_mistake(own: Trace, tree: Tree, elsewhere: Set[int]) -> tuple[str, int] | None:
    """Find the first wrong cut, window or value; of two at one step the cut, which is the cause.

    Args:
        own: The trace of a search.
        tree: A tree of the same search.
        elsewhere: Ids of visits that answer from another depth, which is no mistake.
    """
    found = list[tuple[str, int]]()
    cuts = (cut for cut in own.cuts if cut.node not in elsewhere and not own.allows(cut))
    if cut := next(cuts, None):
        said = own.why(cut) + _extra_turn(own, own.nodes[cut.node])
        found.append((said, own.step(cut.node, begins=False)))
    if narrow := own.first_wrong_window(elsewhere):
        visit, step, ends = narrow
        given, usual = map(_window, ((visit.alpha, visit.beta), ends))
        said = f"The first wrong window is {own.place(visit.id)}: {given} as MAX sees it, and "
        said += f"alpha-beta's is {usual}.{_extra_turn_of_window(own, visit, ends)}"
        found.append((said, step))
    if wrong := own.first_wrong(tree, elsewhere):
        visit, step, true = wrong
        said = f"The first wrong value is {own.place(visit.id)}: {_wrong_value(own, visit, true)}."
        found.append((said + _extra_turn(own, visit), step))
    return min(found, key=lambda each: each[1], default=None)


def _first_selective(own: Trace) -> Visit | None:
    """Find the first visit that a search without any window ends with children not visited."""
    if any(math.isfinite(visit.alpha) or math.isfinite(visit.beta) for visit in own.visited()):
        return None
    left = (visit for visit in own.visited() if visit.kind == "inner" and own.untried(visit))
    return next(left, None)


def _answers_from_elsewhere(own: Trace, tree: Tree) -> Iterator[tuple[Visit, str]]:
    """Find the visits that do not answer from the depth of the limit, and say so in words.

    They search on where the limit says stop. Or they search nothing, and answer otherwise than
    alpha-beta does: before the limit, from a table, or as the same position did at another depth.
    """
    deepest, known = _deepest(own), dict[tuple[Any, float], Visit]()
    for visit in own.visited():
        node = visit.node
        if visit.kind in ("finished", "driver"):
            continue
        deep = tree.deep_enough_at(node)
        if own.tried(visit):
            known.setdefault((node.state, visit.found), visit)
            if deep:
                plies = _counted(deepest[visit.id] - node.sows, "ply")
                yield visit, DEEPER.format(place=own.place(visit.id), plies=plies)
            continue
        right = value(tree, node, -math.inf, math.inf).value
        if visit.within(visit.found) == visit.within(right):
            continue
        said = {"place": own.place(visit.id), "value": number(visit.found), "right": number(right)}
        before = known.get((node.state, visit.found))
        if visit.kind == "table":
            yield visit, KNOWN.format(**said)
        elif before is not None and before.node.sows != node.sows:
            yield visit, AGAIN.format(before=own.place(before.id), **said)
        elif not deep:
            yield visit, EARLIER.format(plies=_before(tree, visit), **said)


def _deepest(own: Trace) -> list[int]:
    """Return for each node how many moves below the root the deepest visit below it is."""
    deepest = [visit.node.sows for visit in own.nodes]
    for visit in reversed([*own.visited()]):
        if visit.parent is not None:
            deepest[visit.parent] = max(deepest[visit.parent], deepest[visit.id])
    return deepest


def _before(tree: Tree, visit: Visit) -> str:
    """Say how far a node is from the limit, if that is a depth."""
    limit = tree.deep_enough_at
    if not isinstance(limit, Depth):
        return "before"
    if limit.unit == "sow":
        return f"{_counted(limit.limit - visit.node.sows, 'ply')} before"
    return f"{_counted(limit.limit - visit.node.turns, 'turn')} before"


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing if count == 1 else {'ply': 'plies', 'turn': 'turns'}[thing]}"


def _window(ends: tuple[float, float]) -> str:
    return f"({number(ends[0])}, {number(ends[1])})"


def _wrong_value(own: Trace, visit: Visit, true: float) -> str:
    """Say what is returned, and what the children or alpha-beta say in its place."""
    if not own.tried(visit) or own.follows(visit):
        return f"{number(visit.found)}, and alpha-beta finds {number(true)} there"
    best, end = own.best(visit), ""
    if visit.found in (visit.alpha, visit.beta):
        end = ", its α" if visit.found == visit.alpha else ", its β"
    said = {"value": number(visit.found), "end": end, "player": visit.player}
    return RETURNED.format(best=number(best.found), move=best.name, **said)


def _extra_turn(own: Trace, visit: Visit) -> str:
    """Say that an extra turn is the cause, if the value is what another player would choose.

    That is: who moves is taken for the other player, or children are taken for the other player's,
    whose values are negated.
    """
    below = own.tried(visit)
    if not below:
        return ""
    high, again, found = visit.node.maximizing, _extra_turns(own, visit), own.best(visit).found
    others = visit.found <= visit.alpha if high else visit.found >= visit.beta
    if again and visit.kind == "cut" and others and not visit.is_cut_by(found):
        return _moves_again(own, again[-1])
    if visit.found == found:
        return ""
    best, worst = (max, min) if high else (min, max)
    if again and visit.found == worst(child.found for child in below):
        return _moves_again(own, again[-1])
    extra = [child for child in below if child.extra_turn]
    if extra and visit.found == best(-c.found if c.extra_turn else c.found for c in below):
        return _moves_again(own, extra[0])
    return ""


def _extra_turn_of_window(own: Trace, visit: Visit, ends: tuple[float, float]) -> str:
    """Say that an extra turn is the cause, if the window is exchanged or narrowed as after none."""
    low, top = ends
    if visit.extra_turn and (visit.alpha, visit.beta) == (-top, -low):
        return _moves_again(own, visit)
    above = own.nodes[visit.parent or 0]
    again = _extra_turns(own, above)
    elder = [own.nodes[id].found for id in above.children[: above.children.index(visit.id)]]
    other = max([above.alpha, *elder]), above.beta
    if above.node.maximizing:
        other = above.alpha, min([above.beta, *elder])
    if again and (visit.alpha, visit.beta) == other:
        return _moves_again(own, again[-1])
    return ""


def _extra_turns(own: Trace, visit: Visit) -> list[Visit]:
    """Return the nodes on the way to one, and it, that an extra turn leads to."""
    way = (own.nodes[id] for id in own.way(visit.id))
    return [each for each in way if each.extra_turn]


def _moves_again(own: Trace, visit: Visit) -> str:
    return (
        f" Move {visit.name} gives an extra turn: {own.place(visit.id)} {visit.player} moves again."
    )


def _wrong_move(own: Trace, right: Trace, tree: Tree) -> Found | None:
    """Say what is wrong with the move, if it is not alpha-beta's."""
    root, line, best = tree.root, own.result.line, right.result
    if line[:1] == best.line[:1]:
        return None
    if not line:
        return "The value is right, and no move leads to it: a Line has a value and its path.", None
    played = next(child for child in tree.successors(root) if child.move == line[0])
    if (worth := value(tree, played, -math.inf, math.inf).value) != best.value:
        said = "The value is right, the move is not: "
        said += f"{tree.game.move_name(root.state, line[0])} is worth {number(worth)}, and "
        return f"{said}{number(best.value)} is only a bound on it.", None
    return None


def _other_nodes(name: str, own: Trace, right: Trace) -> Found:
    """Say which nodes a right search visits that alpha-beta leaves out, or leaves out itself."""
    if own.nodes[0].kind == "driver":
        nodes = [each.result.counts.visited for each in (own, right)]
        said = "{} finds what alpha_beta finds, in passes over the root: {:,} nodes, {:,}."
        return said.format(name, *nodes), None
    known = {tuple(right.path(visit.id)) for visit in right.visited()}
    more = [visit.id for visit in own.visited() if tuple(own.path(visit.id)) not in known]
    if not more:
        said = f"{name} finds what alpha_beta finds, and visits "
        if fewer := len(known) - len([*own.visited()]):
            ends = own.nodes[0].alpha, own.nodes[0].beta
            narrow = math.isfinite(ends[0]) or math.isfinite(ends[1])
            window = f", with the window {_window(ends)} at the root" if narrow else ""
            return f"{said}{fewer:,} {'node' if fewer == 1 else 'nodes'} fewer{window}.", None
        return f"{said}no node that alpha_beta leaves out.", None
    parent = own.path(more[0])[:-1]
    why = (right.why(cut) for cut in right.cuts if right.path(cut.node) == parent)
    said = f"The value is right. {name} visits {len(more):,} nodes that alpha_beta leaves out."
    return " ".join([said, *why][:2]), own.step(more[0])
