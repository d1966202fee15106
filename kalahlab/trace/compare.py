"""Comparison of a user's search with alpha-beta: where they first differ, and why."""

import math
from collections.abc import Iterator, Set
from operator import itemgetter
from typing import Any, NamedTuple

from kalahlab.formatting import format_number
from kalahlab.search.alpha_beta import value
from kalahlab.search.deep_enough import Depth
from kalahlab.search.tree import Tree
from kalahlab.trace.explain import Trace
from kalahlab.trace.recorder import Visit


class Comparison(NamedTuple):
    """The first difference of a search from alpha-beta.

    Attributes:
        message: A description.
        step: The number of events after which the explorer shows the difference, see `Trace.step`;
            None if the difference has no place in the tree.
    """

    message: str
    step: int | None


# Templates of the messages. "It" is the search compared. "From another depth": the search returns a
# value without having searched to its limit, or after having searched deeper.
UNTRIED_WITHOUT_WINDOW = (
    "It has no window, and {place} it leaves out {untried}: so it is no minimax, and its "
    "values are not compared with alpha-beta's node by node."
)
SEARCHES_DEEPER = (
    "It answers from another depth: {place} it searches {plies} deeper than the limit."
)
STOPS_EARLIER = (
    "It answers from another depth: {place} it stops {plies} the limit, with {value}, and "
    "alpha-beta finds {right} there."
)
REPEATS_VALUE = (
    "It answers from another depth: {place} with {value}, as {before}, and alpha-beta finds "
    "{right} there."
)
ANSWERS_FROM_TABLE = (
    "It answers from its table: {place} with {value}, and alpha-beta finds {right} there."
)
RETURNS_ANOTHER_VALUE = "{value} is returned{end}, though {player} has {best} from move {move}"
WRONG_WINDOW = (
    "The first wrong window is {place}: {window} as MAX sees it, and alpha-beta's is {right}."
)
PLURALS = {"ply": "plies", "turn": "turns", "node": "nodes"}


def compare_with_alpha_beta(name: str, own: Trace, right: Trace, tree: Tree) -> Comparison:
    """Describe the first difference of a search from alpha-beta.

    Args:
        name: The name of the search.
        own: The trace of the search.
        right: Alpha-beta's trace, in the same order of moves.
        tree: A tree of the same search.
    """
    same = own.result.value == right.result.value
    values = format_number(own.result.value), format_number(right.result.value)
    both = f"{name} finds {values[0]}, alpha_beta {values[1]}."
    selective = _find_selective_visit(own)
    if selective is not None:
        untried = ", ".join(child.name for child in own.unvisited_children(selective))
        message = UNTRIED_WITHOUT_WINDOW.format(place=own.place(selective.id), untried=untried)
        return Comparison(f"{both} {message}", own.step(selective.id, begins=False))
    elsewhere = {visit.id: message for visit, message in _find_answers_from_elsewhere(own, tree)}
    mistake = find_first_mistake(own, tree, elsewhere.keys())
    if mistake is not None:
        outcome = "The value is right by luck." if same else both
        return Comparison(f"{outcome} {mistake.message}", mistake.step)
    if elsewhere:
        first = min(elsewhere)  # ids are in the order in which the nodes were entered
        outcome = f"{name} finds what alpha_beta finds." if same else both
        return Comparison(f"{outcome} {elsewhere[first]}", own.step(first, begins=False))
    if not same:
        message = f"{both} Each node's value is right within its window: see the root's."
        return Comparison(message, None)
    wrong_move = _describe_wrong_move(own, right, tree)
    if wrong_move:
        return Comparison(wrong_move, None)
    if own.nodes[0].kind == "driver":
        return Comparison(_compare_passes(name, own, right), None)
    return _compare_nodes(name, own, right)


def find_first_mistake(own: Trace, tree: Tree, elsewhere: Set[int]) -> Comparison | None:
    """Find the first wrong cut, window or value.

    If a cut and a value are wrong at the same step, the cut is returned: the cut is the cause.

    Args:
        own: The trace of a search.
        tree: A tree of the same search.
        elsewhere: Ids of visits that answer from another depth, which is not a mistake.
    """
    mistakes: list[tuple[int, str]] = []
    cuts = (cut for cut in own.cuts if cut.node not in elsewhere and not own.is_sound_cut(cut))
    cut = next(cuts, None)
    if cut is not None:
        message = own.why(cut) + _blame_extra_turn(own, own.nodes[cut.node])
        mistakes.append((own.step(cut.node, begins=False), message))
    wrong_window = own.find_wrong_window(elsewhere)
    if wrong_window is not None:
        visit, step, ends = wrong_window
        window = _format_window((visit.alpha, visit.beta))
        place = own.place(visit.id)
        message = WRONG_WINDOW.format(place=place, window=window, right=_format_window(ends))
        mistakes.append((step, message + _blame_extra_turn_for_window(own, visit, ends)))
    wrong_value = own.find_wrong_value(tree, elsewhere)
    if wrong_value is not None:
        visit, step, right = wrong_value
        message = f"The first wrong value is {own.place(visit.id)}: "
        message += f"{_describe_wrong_value(own, visit, right)}.{_blame_extra_turn(own, visit)}"
        mistakes.append((step, message))
    if not mistakes:
        return None
    step, message = min(mistakes, key=itemgetter(0))  # of equal steps the first one: the cut's
    return Comparison(message, step)


def _find_selective_visit(own: Trace) -> Visit | None:
    """Find the first visit that a search without any window ends with children not visited."""
    if any(math.isfinite(visit.alpha) or math.isfinite(visit.beta) for visit in own.visits()):
        return None
    for visit in own.visits():
        if visit.kind == "inner" and own.unvisited_children(visit):
            return visit
    return None


def _find_answers_from_elsewhere(own: Trace, tree: Tree) -> Iterator[tuple[Visit, str]]:
    """Yield the visits that do not answer from the depth of the limit, each with a description.

    Such a visit either searches children beyond the limit, or searches no children and has another
    value than alpha-beta finds: the search stops there before the limit, uses a table, or repeats
    the value of the same position at another depth.
    """
    deepest = _find_deepest(own)
    searched: dict[tuple[Any, float], Visit] = {}  # (state, value) -> the first such visit
    for visit in own.visits():
        # A finished game has its value at any depth; the passes below a driver are looked at.
        if visit.kind in ("finished", "driver"):
            continue
        node = visit.node
        at_limit = tree.deep_enough_at(node)
        if own.visited_children(visit):
            searched.setdefault((node.state, visit.final_value), visit)
            if at_limit:
                plies = _format_count(deepest[visit.id] - node.sows, "ply")
                yield visit, SEARCHES_DEEPER.format(place=own.place(visit.id), plies=plies)
            continue
        right = value(tree, node, -math.inf, math.inf).value
        if visit.within(visit.final_value) == visit.within(right):
            continue
        words = {
            "place": own.place(visit.id),
            "value": format_number(visit.final_value),
            "right": format_number(right),
        }
        before = searched.get((node.state, visit.final_value))
        if visit.kind == "table":
            yield visit, ANSWERS_FROM_TABLE.format(**words)
        elif before is not None and before.node.sows != node.sows:
            yield visit, REPEATS_VALUE.format(before=own.place(before.id), **words)
        elif not at_limit:
            yield visit, STOPS_EARLIER.format(plies=_describe_distance(tree, visit), **words)


def _find_deepest(own: Trace) -> list[int]:
    """Return for each node the depth, in sows from the root, of the deepest visit below it."""
    deepest = [visit.node.sows for visit in own.nodes]
    # a child's id is greater than its parent's, so the children are complete before the parent
    for visit in reversed([*own.visits()]):
        if visit.parent is not None:
            deepest[visit.parent] = max(deepest[visit.parent], deepest[visit.id])
    return deepest


def _describe_distance(tree: Tree, visit: Visit) -> str:
    """Return how far a node is from the limit: `2 plies before`, or `before` if not a `Depth`."""
    limit = tree.deep_enough_at
    if not isinstance(limit, Depth):
        return "before"
    if limit.unit == "sow":
        return f"{_format_count(limit.limit - visit.node.sows, 'ply')} before"
    return f"{_format_count(limit.limit - visit.node.turns, 'turn')} before"


def _format_count(count: int, noun: str) -> str:
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {PLURALS[noun]}"


def _format_window(ends: tuple[float, float]) -> str:
    return f"({format_number(ends[0])}, {format_number(ends[1])})"


def _describe_wrong_value(own: Trace, visit: Visit, right: float) -> str:
    """Describe a wrong value and the right one.

    The right value is the best child's. If no child was visited, or if the wrong value is that of
    the best child, the right value is alpha-beta's.
    """
    if not own.visited_children(visit) or own.follows(visit):
        return (
            f"{format_number(visit.final_value)}, and alpha-beta finds {format_number(right)} there"
        )
    best = own.best(visit)
    end = ""
    if visit.final_value == visit.alpha:
        end = ", its α"
    elif visit.final_value == visit.beta:
        end = ", its β"
    words = {"value": format_number(visit.final_value), "end": end, "player": visit.player}
    return RETURNS_ANOTHER_VALUE.format(
        best=format_number(best.final_value), move=best.name, **words
    )


def _blame_extra_turn(own: Trace, visit: Visit) -> str:
    """Return a sentence that blames an extra turn for a wrong value; "" if none explains the value.

    A search can mistake extra turns in two ways. It takes the mover for the other player, and
    returns the value that the other player would choose. Or it takes the children after an extra
    turn for the other player's, and negates their values.
    """
    children = own.visited_children(visit)
    if not children:
        return ""
    value = visit.final_value
    best_value = own.best(visit).final_value
    if visit.node.maximizing:
        best, worst = max, min
        reached_wrong_end = value <= visit.alpha
    else:
        best, worst = min, max
        reached_wrong_end = value >= visit.beta
    extra_turns = _find_extra_turns(own, visit)
    # The search cuts off as the other player would, at the other end of the window.
    is_wrong_cut = visit.kind == "cut" and reached_wrong_end and not visit.is_cut_by(best_value)
    if extra_turns and is_wrong_cut:
        return _describe_extra_turn(own, extra_turns[-1])
    if value == best_value:
        return ""
    if extra_turns and value == worst(child.final_value for child in children):
        return _describe_extra_turn(own, extra_turns[-1])
    after_extra_turn = [child for child in children if child.extra_turn]
    negated = [-child.final_value if child.extra_turn else child.final_value for child in children]
    if after_extra_turn and value == best(negated):
        return _describe_extra_turn(own, after_extra_turn[0])
    return ""


def _blame_extra_turn_for_window(own: Trace, visit: Visit, ends: tuple[float, float]) -> str:
    """Return a sentence that blames an extra turn for a wrong window; "" if none explains it.

    A search can treat an extra turn as if the turn had passed. It swaps and negates the ends of the
    window, or it narrows the end that belongs to the other player.
    """
    window = visit.alpha, visit.beta
    alpha, beta = ends
    if visit.extra_turn and window == (-beta, -alpha):
        return _describe_extra_turn(own, visit)
    parent = own.nodes[visit.parent or 0]  # `find_wrong_window` skips the root, without a parent
    siblings = parent.children[: parent.children.index(visit.id)]
    values = [own.nodes[id].final_value for id in siblings]
    if parent.node.maximizing:
        others_window = parent.alpha, min([parent.beta, *values])
    else:
        others_window = max([parent.alpha, *values]), parent.beta
    extra_turns = _find_extra_turns(own, parent)
    if extra_turns and window == others_window:
        return _describe_extra_turn(own, extra_turns[-1])
    return ""


def _find_extra_turns(own: Trace, visit: Visit) -> list[Visit]:
    """Return the visits after an extra turn, from the root down to and including a visit."""
    way = [own.nodes[id] for id in own.way(visit.id)]
    return [above for above in way if above.extra_turn]


def _describe_extra_turn(own: Trace, visit: Visit) -> str:
    return (
        f" Move {visit.name} gives an extra turn: {own.place(visit.id)} {visit.player} moves again."
    )


def _describe_wrong_move(own: Trace, right: Trace, tree: Tree) -> str:
    """Describe a move worse than alpha-beta's; return "" for the same move or one as good."""
    root = tree.root
    line = own.result.line
    right_result = right.result
    if line[:1] == right_result.line[:1]:
        return ""
    if not line:
        return "The value is right, and no move leads to it: a Line has a value and its path."
    child = next(child for child in tree.successors(root) if child.move == line[0])
    child_value = value(tree, child, -math.inf, math.inf).value
    if child_value == right_result.value:
        return ""
    move = tree.game.move_name(root.state, line[0])
    return (
        f"The value is right, the move is not: {move} is worth {format_number(child_value)}, and "
        f"{format_number(right_result.value)} is only a bound on it."
    )


# Passes visit other nodes than alpha-beta by design: only the numbers of nodes are compared.
def _compare_passes(name: str, own: Trace, right: Trace) -> str:
    nodes, right_nodes = own.result.counts.visited, right.result.counts.visited
    message = f"{name} finds what alpha_beta finds, in passes over the root: "
    return f"{message}{nodes:,} nodes, {right_nodes:,}."


def _compare_nodes(name: str, own: Trace, right: Trace) -> Comparison:
    """Describe the nodes that only one of the two searches visits, if both find the right value."""
    right_paths = {tuple(right.path(visit.id)) for visit in right.visits()}
    surplus = [visit.id for visit in own.visits() if tuple(own.path(visit.id)) not in right_paths]
    if surplus:
        message = f"The value is right. {name} visits {len(surplus):,} nodes that alpha_beta "
        message += "leaves out."
        # the cut with which alpha-beta leaves out the first of these nodes, if there is one
        parent = own.path(surplus[0])[:-1]
        for cut in right.cuts:
            if right.path(cut.node) == parent:
                message += f" {right.why(cut)}"
                break
        return Comparison(message, own.step(surplus[0]))
    message = f"{name} finds what alpha_beta finds, and visits"
    fewer = len(right_paths) - len([*own.visits()])
    if not fewer:
        return Comparison(f"{message} no node that alpha_beta leaves out.", None)
    root = own.nodes[0]
    window = ""
    if math.isfinite(root.alpha) or math.isfinite(root.beta):
        window = f", with the window {_format_window((root.alpha, root.beta))} at the root"
    return Comparison(f"{message} {_format_count(fewer, 'node')} fewer{window}.", None)
