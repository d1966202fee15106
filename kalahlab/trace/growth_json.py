"""A recorded search that grew a tree as JSON, for `GrowthTrace.to_json` and `from_json`.

A file is untrusted input, within the limits of `serialise`. It has no code: the policy is found by
the name of its search, so a search of a user can be written and not read.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from inspect import signature
from typing import TYPE_CHECKING, Any, get_args

from kalahlab import formatting
from kalahlab.search.growing import GROWING, Growth, GrowthCounts, Policy
from kalahlab.search.growing.best_first import Backed
from kalahlab.search.growing.dynamic_ordering import Provisional
from kalahlab.search.growing.implicit_minimax import MinimaxVisits
from kalahlab.search.growing.mcts_solver import BoundedVisits
from kalahlab.search.growing.model import TreeNode
from kalahlab.search.growing.proof_number import Proof
from kalahlab.search.growing.puct import PriorVisits
from kalahlab.search.growing.uct import Visits
from kalahlab.search.model import Claim
from kalahlab.trace import serialise
from kalahlab.trace.iterations import How, Iteration
from kalahlab.trace.serialise import Shown, check_count, check_type, parse_number, to_writable
from kalahlab.untrusted import parse_json

if TYPE_CHECKING:
    from kalahlab.trace.growth import GrowthTrace

NUMBERS: dict[str, Any] = {
    "uct": Visits,
    "puct": PriorVisits,
    "implicit_minimax": MinimaxVisits,
    "mcts_solver": BoundedVisits,
    "proof_number": Proof,
    "best_first": Backed,
    "dynamic_ordering": Provisional,
}
"""The class of the numbers of each search."""


def to_json(trace: "GrowthTrace") -> str:
    """Format a trace as JSON; infinite numbers become text.

    Keys:
        search: The name of the search; "" for a search of a user.
        options: The numbers that the policy was made with, by name.
        game: The name of the game.
        result: The value, its claim, the names of the moves of the line, and the counts.
        fields: The names of the numbers of a node.
        nodes: For each node its parent, move, player and position, and as `history` the pairs
            (step, numbers) of each change.
        iterations: For each iteration from 1 on: path, expanded and values; see `Iteration`.
    """
    search = find_search_name(trace.policy)
    result = trace.result
    line, node = list[str](), trace.nodes[0]
    for move in result.line:
        node = next(child for child in node.children if child.move == move)
        line.append(trace.names[node.id])
    data = {
        "search": search,
        "options": find_options(trace.policy),
        "game": trace.game,
        "result": {
            "value": to_writable(result.value),
            "claim": result.claim,
            "line": line,
            **asdict(result.counts),
        },
        "fields": list(trace.nodes[0].numbers._fields),
        "nodes": [_write_node(trace, node) for node in trace.nodes],
        "iterations": [
            {
                "path": iteration.path,
                "expanded": iteration.expanded,
                "values": [(id, how, to_writable(value)) for id, how, value in iteration.values],
            }
            for iteration in map(trace.iteration, range(1, trace.steps + 1))
        ],
    }
    return formatting.to_json(data)


def find_search_name(policy: Policy) -> str:
    """Return the name of the search in `GROWING` with this policy; "" if there is none."""
    for name, search in GROWING.items():
        if search.policy is type(policy):
            return name
    return ""


def find_options(policy: Policy) -> dict[str, float]:
    """Return the options of a policy that are numbers; appeals depend on no others."""
    options = dict[str, float]()
    for name in signature(type(policy)).parameters:
        value: Any = getattr(policy, name, None)
        if type(value) in (int, float):
            options[name] = value
    return options


def _write_node(trace: "GrowthTrace", node: TreeNode) -> dict[str, Any]:
    """Return the entry of a node."""
    parent = None if node.parent is None else node.parent.id
    row = {
        "parent": parent,
        "move": trace.names[node.id],
        "player": "MAX" if node.maximizing else "MIN",
        "mover": node.state.player,
        "is_over": node.is_over,
        "board": [*map(to_writable, node.state.board)],
    }
    if drawing := trace.draw_position(node):
        row["drawn"] = drawing
    row["history"] = [
        (step, [*map(to_writable, numbers)]) for step, numbers in trace.history[node.id]
    ]
    return row


@dataclass(slots=True)
class Parts:
    """What `from_json` reads; see the attributes of `GrowthTrace`."""

    policy: Policy
    game: str
    nodes: list[TreeNode]
    names: list[str]
    history: list[list[tuple[int, Any]]]
    iterations: list[Iteration]
    result: Growth


def from_json(text: str) -> Parts:
    """Parse the text that `to_json` wrote.

    Raises:
        ValueError: The text is not such a trace, is one of a user's search, or exceeds a limit.
    """
    try:
        data = parse_json(text, serialise.LONGEST)
    except ValueError as error:
        raise ValueError(f"the trace is cut short or not JSON: {error}") from None
    try:
        return _parse(data)
    except (AttributeError, LookupError, TypeError) as error:  # a field is missing or not valid
        raise ValueError(
            f"this is not a trace of a tree that grew: {type(error).__name__}: {error}"
        ) from None


def _parse(data: Any) -> Parts:
    """Make the parts of a trace from the data of a file."""
    search = check_type(str, "search", data["search"])
    if search == "":
        raise ValueError("the trace is of a user's search, whose policy is not in the file")
    if search not in GROWING:
        raise ValueError(f"the trace is of the search {search!r:.40}, which is unknown")
    rows = check_type(list, "nodes", data["nodes"])
    iterations = check_type(list, "iterations", data["iterations"])
    if not 1 <= len(rows) <= serialise.MOST_NODES:
        raise ValueError(f"a trace of {len(rows):,} nodes; use 1 to {serialise.MOST_NODES:,}")
    nodes = _parse_nodes(rows)
    numbers = NUMBERS[search]
    history = [_parse_history(row["history"], numbers, len(iterations)) for row in rows]
    for node, changes in zip(nodes, history, strict=True):
        first_step, _ = changes[0]
        if (first_step == 0) != (node.parent is None):
            raise ValueError(f"node {node.id} is not made in an iteration")
        _, node.numbers = changes[-1]
    options = check_type(dict, "options", data["options"])
    policy: Any = GROWING[search].policy
    return Parts(
        policy(None, **{name: parse_number(value) for name, value in options.items()}),
        check_type(str, "game", data["game"]),
        nodes,
        [row["move"] for row in rows],
        history,
        [_parse_iteration(row, step, nodes, history) for step, row in enumerate(iterations, 1)],
        _parse_result(data["result"], nodes[0]),
    )


def _parse_nodes(rows: Sequence[Any]) -> list[TreeNode]:
    """Make the nodes, each after its parent."""
    nodes, children = list[TreeNode](), list[list[TreeNode]]()
    widest = 0
    for id, row in enumerate(rows):
        parent = None
        if id > 0:
            parent_id = check_count("parent", row["parent"])
            if parent_id >= id:
                raise ValueError(f"node {id} is not below a node before it")
            parent = nodes[parent_id]
        sows = 0 if parent is None else parent.sows + 1
        if sows > serialise.DEEPEST:
            raise ValueError(f"its tree has {sows} levels; use up to {serialise.DEEPEST}")
        board = tuple(map(parse_number, check_type(list, "board", row["board"])))
        drawn = check_type(str, "drawn", row.get("drawn", ""))
        if row["player"] not in ("MAX", "MIN") or row["mover"] not in (0, 1):
            raise ValueError(f"node {id} has no player MAX or MIN and no mover 0 or 1")
        widest = max(widest, len(board), len(drawn))
        move = check_type(str, "move", row["move"])
        is_over = check_type(bool, "is_over", row["is_over"])
        state = Shown(board, row["mover"], drawn)
        node = TreeNode(id, parent, move, state, row["player"] == "MAX", is_over, sows)
        nodes.append(node)
        children.append([])
        if parent is not None:
            children[parent.id].append(node)
    if len(nodes) * widest > serialise.CELLS:
        raise ValueError(f"{len(nodes):,} nodes drawn in {widest:,} cells; use less")
    for node in nodes:
        node.children = children[node.id]
    return nodes


def _parse_history(rows: Any, numbers: Any, steps: int) -> list[tuple[int, Any]]:
    """Parse the changes of the numbers of a node."""
    history = list[tuple[int, Any]]()
    last_step = -1
    for step, values in check_type(list, "history", rows):
        if not last_step < check_count("step", step) <= steps:
            raise ValueError(f"a node changes at step {step} after step {last_step}")
        last_step = step
        history.append((step, numbers(*map(parse_number, check_type(list, "numbers", values)))))
    if not history:
        raise ValueError("a node has no numbers")
    return history


def _parse_iteration(
    row: Any, step: int, nodes: Sequence[TreeNode], history: Sequence[Any]
) -> Iteration:
    """Parse an iteration; its path must go down from the root, through nodes that were there."""
    path = tuple(check_count("path", id) for id in check_type(list, "path", row["path"]))
    expanded = row["expanded"]
    if expanded is not None and check_count("expanded", expanded) not in path:
        raise ValueError(f"iteration {step} expands a node that is not on its path")
    above = None
    for id in path:
        first_step, _ = history[id][0]
        node = nodes[id]
        parent = None if node.parent is None else node.parent.id
        was_there = first_step < step or (first_step == step and parent == expanded)
        if parent != above or not was_there:
            raise ValueError(f"the path of iteration {step} does not go down the tree")
        above = id
    values = list[Any]()
    for id, how, value in check_type(list, "values", row["values"]):
        if how not in get_args(How) or check_count("id", id) >= len(nodes):
            raise ValueError(f"iteration {step} gives a value by {how!r:.40} to node {id!r:.40}")
        values.append((id, how, None if value is None else parse_number(value)))
    return Iteration(path, expanded, tuple(values))


def _parse_result(data: Any, root: TreeNode) -> Growth:
    """Parse the result of a search; its line has the names of moves from the root down."""
    if data["claim"] not in get_args(Claim):
        raise ValueError(f"the claim {data['claim']!r:.40} is unknown")
    counts = {
        field.name: check_count(field.name, data[field.name]) for field in fields(GrowthCounts)
    }
    line = tuple(check_type(str, "move", move) for move in check_type(list, "line", data["line"]))
    node = root
    for move in line:
        children = [child for child in node.children if child.move == move]
        if not children:
            raise ValueError(f"the line of the result has the move {move!r:.40}, which is not made")
        node = children[0]
    value = parse_number(data["value"])
    return Growth(value, line, GrowthCounts(**counts), data["claim"], tree=None)
