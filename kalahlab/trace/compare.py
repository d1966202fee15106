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


# Templates of the messages, in which "it" is the user's search. A search "answers from another
# depth" if it returns a value before it has searched to its limit, or after it has searched deeper.
UNTRIED_WITHOUT_WINDOW = (
    "It has no window, but {place} it leaves out {untried}. So it is not minimax, and its values "
    "are not compared with alpha-beta's node by node."
)
SEARCHES_DEEPER = (
    "It answers from another depth: {place} it searches {plies} deeper than the limit."
)
STOPS_EARLIER = (
    "It answers from another depth: {place} it stops {plies} the limit, with the value {value}; "
    "alpha-beta finds {right} there."
)
REPEATS_VALUE = (
    "It answers from another depth: {place} it returns {value}, as {before}; alpha-beta finds "
    "{right} there."
)
ANSWERS_FROM_TABLE = (
    "It answers from its table: {place} it returns {value}; alpha-beta finds {right} there."
)
RETURNS_ANOTHER_VALUE = (
    "the search returns {value}{end}, although {player} has {best} from move {move}"
)
WRONG_WINDOW = (
    "The first wrong window is {place}: it is {window} from MAX's side, but alpha-beta's is "
    "{right}."
)
PLURALS = {"ply": "plies", "turn": "turns", "node": "nodes"}


def compare_with_alpha_beta(name: str, trace: Trace, reference: Trace, tree: Tree) -> Comparison:
    """Describe the first difference of a user's search from alpha-beta.

    Args:
        name: The name of the user's search.
        trace: The trace of the user's search.
        reference: The trace of alpha-beta with the same position, limit, evaluator and move order.
        tree: A tree with the same position, limit, evaluator and move order.
    """
    same = trace.result.value == reference.result.value
    values = format_number(trace.result.value), format_number(reference.result.value)
    both = f"{name} finds {values[0]}, alpha_beta {values[1]}."
    selective = _find_selective_visit(trace)
    if selective is not None:
        untried = ", ".join(child.name for child in trace.unvisited_children(selective))
        message = UNTRIED_WITHOUT_WINDOW.format(place=trace.place(selective.id), untried=untried)
        return Comparison(f"{both} {message}", trace.step(selective.id, begins=False))
    # The messages on visits that answer from another depth, by id. That is no mistake.
    other_depths = {visit.id: message for visit, message in _find_other_depths(trace, tree)}
    mistake = find_first_mistake(trace, tree, other_depths.keys())
    if mistake is not None:
        outcome = "The value is right by luck." if same else both
        return Comparison(f"{outcome} {mistake.message}", mistake.step)
    if other_depths:
        first = min(other_depths)  # ids are in the order in which the nodes were entered
        outcome = f"{name} agrees with alpha_beta." if same else both
        return Comparison(f"{outcome} {other_depths[first]}", trace.step(first, begins=False))
    if not same:
        message = f"{both} Each value is right within its window: check the window of the root."
        return Comparison(message, None)
    wrong_move = _describe_wrong_move(trace, reference, tree)
    if wrong_move:
        return Comparison(wrong_move, None)
    if trace.nodes[0].kind == "driver":
        return Comparison(_compare_passes(name, trace, reference), None)
    return _compare_nodes(name, trace, reference)


def find_first_mistake(trace: Trace, tree: Tree, exempt: Set[int]) -> Comparison | None:
    """Find the first wrong cut, window or value.

    If a cut and a value are wrong at the same step, the cut is returned: it is the cause of the
    wrong value.

    Args:
        trace: The trace of the user's search.
        tree: A tree with the same position, limit, evaluator and move order.
        exempt: Ids of visits whose cuts, children's windows and values are not looked at.
    """
    mistakes: list[tuple[int, str]] = []
    cuts = (cut for cut in trace.cuts if cut.node not in exempt and not trace.is_sound_cut(cut))
    cut = next(cuts, None)
    if cut is not None:
        message = trace.why(cut) + _blame_extra_turn(trace, trace.nodes[cut.node])
        mistakes.append((trace.step(cut.node, begins=False), message))
    wrong_window = trace.find_wrong_window(exempt)
    if wrong_window is not None:
        visit, step, ends = wrong_window
        window = _format_window((visit.alpha, visit.beta))
        place = trace.place(visit.id)
        message = WRONG_WINDOW.format(place=place, window=window, right=_format_window(ends))
        mistakes.append((step, message + _blame_extra_turn_for_window(trace, visit, ends)))
    wrong_value = trace.find_wrong_value(tree, exempt)
    if wrong_value is not None:
        visit, step, right = wrong_value
        message = f"The first wrong value is {trace.place(visit.id)}: "
        message += f"{_describe_wrong_value(trace, visit, right)}.{_blame_extra_turn(trace, visit)}"
        mistakes.append((step, message))
    if not mistakes:
        return None
    step, message = min(mistakes, key=itemgetter(0))  # of equal steps the first one: the cut's
    return Comparison(message, step)


def _find_selective_visit(trace: Trace) -> Visit | None:
    """Find the first visit with unvisited children, if no visit of the search has a window."""
    if any(math.isfinite(visit.alpha) or math.isfinite(visit.beta) for visit in trace.visits()):
        return None
    for visit in trace.visits():
        if visit.kind == "inner" and trace.unvisited_children(visit):
            return visit
    return None


def _find_other_depths(trace: Trace, tree: Tree) -> Iterator[tuple[Visit, str]]:
    """Yield the visits that do not answer from the depth of the limit, each with a description.

    Such a visit searches children beyond the limit. Or it searches no children, and its value is
    not alpha-beta's: the search stops there before the limit, uses a table, or repeats the value
    that it found for the same position at another depth.
    """
    deepest = _find_deepest(trace)
    searched: dict[tuple[Any, float], Visit] = {}  # by state and value: the first visit with both
    for visit in trace.visits():
        # The value of a finished game is the same at any depth. A driver has no value of its own:
        # its passes are visits, too.
        if visit.kind in ("finished", "driver"):
            continue
        node = visit.node
        at_limit = tree.deep_enough_at(node)
        if trace.visited_children(visit):
            searched.setdefault((node.state, visit.final_value), visit)
            if at_limit:
                plies = _format_count(deepest[visit.id] - node.sows, "ply")
                yield visit, SEARCHES_DEEPER.format(place=trace.place(visit.id), plies=plies)
            continue
        right = value(tree, node, -math.inf, math.inf).value
        if visit.within(visit.final_value) == visit.within(right):
            continue
        words = {
            "place": trace.place(visit.id),
            "value": format_number(visit.final_value),
            "right": format_number(right),
        }
        before = searched.get((node.state, visit.final_value))
        if visit.kind == "table":
            yield visit, ANSWERS_FROM_TABLE.format(**words)
        elif before is not None and before.node.sows != node.sows:
            yield visit, REPEATS_VALUE.format(before=trace.place(before.id), **words)
        elif not at_limit:
            yield visit, STOPS_EARLIER.format(plies=_describe_distance(tree, visit), **words)


def _find_deepest(trace: Trace) -> list[int]:
    """Return for each node the depth of the deepest visit below it, in sows from the root."""
    deepest = [visit.node.sows for visit in trace.nodes]
    # A child's id is greater than its parent's, so in reverse the children come before the parent.
    for visit in reversed([*trace.visits()]):
        if visit.parent is not None:
            deepest[visit.parent] = max(deepest[visit.parent], deepest[visit.id])
    return deepest


def _describe_distance(tree: Tree, visit: Visit) -> str:
    """Return how far before the limit a node is, such as `2 plies before`.

    Return `before` alone if the leaf rule is not a `Depth`.
    """
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


def _describe_wrong_value(trace: Trace, visit: Visit, right: float) -> str:
    """Describe a wrong value, and the value that it should be.

    That is the value of the best child. If the visit has this value already, or has no visited
    child, it is `right`, alpha-beta's value.
    """
    if not trace.visited_children(visit) or trace.follows(visit):
        return (
            f"{format_number(visit.final_value)}, but alpha-beta finds {format_number(right)} there"
        )
    best = trace.best(visit)
    end = ""
    if visit.final_value == visit.alpha:
        end = ", its α"
    elif visit.final_value == visit.beta:
        end = ", its β"
    words = {"value": format_number(visit.final_value), "end": end, "player": visit.player}
    return RETURNS_ANOTHER_VALUE.format(
        best=format_number(best.final_value), move=best.name, **words
    )


def _blame_extra_turn(trace: Trace, visit: Visit) -> str:
    """Return a sentence that blames an extra turn for a wrong value; "" if none explains the value.

    A search can treat extra turns wrongly in two ways. It takes the mover for the other player, and
    returns the value that the other player would choose. Or it treats a child after an extra turn
    as if the other player were to move there, and negates its value.
    """
    children = trace.visited_children(visit)
    if not children:
        return ""
    value = visit.final_value
    best_value = trace.best(visit).final_value
    if visit.node.maximizing:
        best, worst = max, min
        reached_wrong_end = value <= visit.alpha
    else:
        best, worst = min, max
        reached_wrong_end = value >= visit.beta
    extra_turns = _find_extra_turns(trace, visit)
    # The search cuts off at the other end of the window, as the other player would.
    is_wrong_cut = visit.kind == "cut" and reached_wrong_end and not visit.is_cut_by(best_value)
    if extra_turns and is_wrong_cut:
        return _describe_extra_turn(trace, extra_turns[-1])
    if value == best_value:
        return ""
    if extra_turns and value == worst(child.final_value for child in children):
        return _describe_extra_turn(trace, extra_turns[-1])
    after_extra_turn = [child for child in children if child.extra_turn]
    negated = [-child.final_value if child.extra_turn else child.final_value for child in children]
    if after_extra_turn and value == best(negated):
        return _describe_extra_turn(trace, after_extra_turn[0])
    return ""


def _blame_extra_turn_for_window(trace: Trace, visit: Visit, ends: tuple[float, float]) -> str:
    """Return a sentence that blames an extra turn for a wrong window; "" if none explains it.

    A search can treat an extra turn as if the other player were to move. It swaps and negates the
    ends of the window, or it narrows the end that is the other player's.
    """
    window = visit.alpha, visit.beta
    alpha, beta = ends
    if visit.extra_turn and window == (-beta, -alpha):
        return _describe_extra_turn(trace, visit)
    # `find_wrong_window` skips the root, so the visit has a parent; `or 0` is for the type checker.
    parent = trace.nodes[visit.parent or 0]
    siblings = parent.children[: parent.children.index(visit.id)]
    values = [trace.nodes[id].final_value for id in siblings]
    if parent.node.maximizing:
        others_window = parent.alpha, min([parent.beta, *values])
    else:
        others_window = max([parent.alpha, *values]), parent.beta
    extra_turns = _find_extra_turns(trace, parent)
    if extra_turns and window == others_window:
        return _describe_extra_turn(trace, extra_turns[-1])
    return ""


def _find_extra_turns(trace: Trace, visit: Visit) -> list[Visit]:
    """Return the visits after an extra turn on the path from the root to a visit, inclusive."""
    visits = [trace.nodes[id] for id in trace.path_ids(visit.id)]
    return [visit_on_path for visit_on_path in visits if visit_on_path.extra_turn]


def _describe_extra_turn(trace: Trace, visit: Visit) -> str:
    place = trace.place(visit.id)
    return f" Move {visit.name} gives an extra turn: {place} {visit.player} moves again."


def _describe_wrong_move(trace: Trace, reference: Trace, tree: Tree) -> str:
    """Describe a move that is worse than alpha-beta's; return "" if it is as good or the same."""
    root = tree.root
    line = trace.result.line
    reference_result = reference.result
    if line[:1] == reference_result.line[:1]:
        return ""
    if not line:
        return "The value is right, but the line is empty: return Line(value, path) with its moves."
    child = next(child for child in tree.successors(root) if child.move == line[0])
    child_value = value(tree, child, -math.inf, math.inf).value
    if child_value == reference_result.value:
        return ""
    move = tree.game.move_name(root.state, line[0])
    return (
        f"The value is right, but the move is not: {move} is worth {format_number(child_value)}, "
        f"and {format_number(reference_result.value)} is only a bound on it."
    )


def _compare_passes(name: str, trace: Trace, reference: Trace) -> str:
    """Describe the numbers of nodes of a search in passes, which visits other nodes by design."""
    nodes, reference_nodes = trace.result.counts.visited, reference.result.counts.visited
    message = f"{name} agrees with alpha_beta. Its passes over the root visit {nodes:,} nodes, "
    return f"{message}alpha_beta visits {reference_nodes:,}."


def _compare_nodes(name: str, trace: Trace, reference: Trace) -> Comparison:
    """Describe the nodes that only one of the searches visits; both find the right value."""
    reference_paths = {tuple(reference.path(visit.id)) for visit in reference.visits()}
    surplus = [
        visit.id for visit in trace.visits() if tuple(trace.path(visit.id)) not in reference_paths
    ]
    if surplus:
        message = f"The value is right. {name} visits {len(surplus):,} nodes that alpha_beta "
        message += "leaves out."
        # The cut with which alpha-beta leaves out the first surplus node, if there is one.
        parent = trace.path(surplus[0])[:-1]
        for cut in reference.cuts:
            if reference.path(cut.node) == parent:
                message += f" {reference.why(cut)}"
                break
        return Comparison(message, trace.step(surplus[0]))
    message = f"{name} agrees with alpha_beta and visits"
    fewer = len(reference_paths) - len([*trace.visits()])
    if not fewer:
        return Comparison(f"{message} no node that alpha_beta leaves out.", None)
    root = trace.nodes[0]
    window = ""
    if math.isfinite(root.alpha) or math.isfinite(root.beta):
        window = f", with the window {_format_window((root.alpha, root.beta))} at the root"
    return Comparison(f"{message} {_format_count(fewer, 'node')} fewer{window}.", None)
