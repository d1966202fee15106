"""Serialization of a recorded search as JSON, for `Trace.to_json` and `Trace.from_json`.

A trace file is untrusted input. It may have at most `LONGEST` characters, `MOST_NODES` nodes and
`DEEPEST` levels. The number of nodes times the size of the largest board or drawing may be at most
`CELLS`. The nodes must form a tree.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_type_hints

from kalahlab import formatting
from kalahlab.search.model import Counts, Node, Result
from kalahlab.trace.recorder import Visit
from kalahlab.untrusted import parse_json

LONGEST = 100_000_000
MOST_NODES = 200_000
DEEPEST = 400  # below Python's limit of recursion, as `Trace.events` is recursive
CELLS = 20_000_000
UNITS = ("value", "probability")
T = TypeVar("T")

# The type of each field of a node, or a tuple of the allowed values. `int` stands for 0 or more.
# The fields that are not here may be None or are numbers; they are checked where they are parsed.
FIELDS: dict[str, Any] = {"id": int, "move": str, "sows": int, "turns": int, "children": list}
FIELDS |= {
    "extra_turn": bool,
    "probe": bool,
    "mover": (0, 1, 2),
    "player": ("MAX", "MIN", "CHANCE"),
}
FIELDS |= {"kind": get_args(get_type_hints(Visit)["kind"])}


class Shown(NamedTuple):
    """A state from a trace file, which can be shown but not played on.

    Attributes:
        board: The numbers of the board.
        player: The player to move in the game, 0 or 1.
        drawn: The position, drawn in characters; "" if the board shows all of the position.
    """

    board: tuple[float, ...]
    player: int
    drawn: str = ""


def to_json(
    result: Result,
    principal: Sequence[int],
    game: str,
    unit: str,
    visits: Sequence[Visit],
    rows: Sequence[dict[str, Any]],
    drawings: Sequence[str],
) -> str:
    """Format a trace as JSON; infinite bounds become null, infinite values text.

    Keys of a node, besides those of its row:
        mover: The player to move in the game, 0 or 1.
        board: The numbers of the board.
        children: The ids of the children.
        drawn: The drawing; left out if it is "".
        reason: How the value follows; left out if it is "".

    Args:
        result: The result of the search.
        principal: The ids of the nodes along the principal variation.
        game: The name of the game.
        unit: What the values are.
        visits: The nodes.
        rows: The row of `Trace.rows` for each node.
        drawings: The drawing of `Trace.draw_position` for each node.
    """
    nodes = []
    for visit, row, drawing in zip(visits, rows, drawings, strict=True):
        node = row | {
            "mover": visit.node.state.player,
            "value": to_writable(visit.value),
            "board": list(map(to_writable, visit.node.state.board)),
            "children": visit.children,
        }
        if drawing:
            node["drawn"] = drawing
        if visit.reason:
            node["reason"] = visit.reason
        # Infinite values are text by now, so the infinite numbers are windows and bounds.
        nodes.append({key: _finite_or_none(value) for key, value in node.items()})
    result_data = {
        "value": to_writable(result.value),
        "line": list(result.line),
        **asdict(result.counts),
    }
    head = {"game": game, "unit": unit, "result": result_data}
    data = head | {"principal": principal, "nodes": nodes}
    return formatting.to_json(data)


def from_json(text: str) -> tuple[Result, tuple[Visit, ...], str, str]:
    """Parse the result, the nodes, the game's name and the unit from what `to_json` wrote.

    Raises:
        ValueError: The text is not a trace, or exceeds a limit.
    """
    try:
        data = parse_json(text, LONGEST)
    except ValueError as error:
        raise ValueError(f"the trace is cut short or not JSON: {error}") from None
    try:
        rows = check_type(list, "nodes", data["nodes"])
        if len(rows) > MOST_NODES:
            raise ValueError(f"a trace of {len(rows):,} nodes; use up to {MOST_NODES:,}")
        nodes = tuple(map(_parse_visit, rows))
        _check_tree(nodes)
        ids = check_type(list, "principal", data["principal"])
        principal = [nodes[check_count("principal", id)].node for id in ids]
        # Nodes without sows are the root and the passes over it, to which no move leads.
        line = tuple(node.move for node in principal if node.sows)
        names = [field.name for field in fields(Counts)]
        if "visited" not in data["result"]:  # in older traces
            names.remove("visited")
        counts = Counts(**{name: check_count(name, data["result"][name]) for name in names})
        result = Result(parse_number(data["result"]["value"]), line, counts)
        unit = data.get("unit", "value")  # older traces have none
        if unit not in UNITS:
            raise TypeError(f"unit is {unit!r:.40}; use one of {UNITS}")
        return result, nodes, check_type(str, "game", data.get("game", "")), unit
    except (AttributeError, LookupError, TypeError) as error:  # a field is missing or not valid
        raise ValueError(f"this is not a trace: {type(error).__name__}: {error}") from None


def _check_tree(nodes: Sequence[Visit]) -> None:
    """Check that the nodes form one tree in which each node comes after its parent.

    Raises:
        ValueError: The nodes are not a tree, or the tree exceeds a limit.
    """
    levels: list[int] = []
    widest = 0
    for id, visit in enumerate(nodes):
        parent = visit.parent
        if visit.id != id or not _is_parent(parent, id):
            raise ValueError(f"node {id} is not below a node before it")
        levels.append(0 if parent is None else levels[parent] + 1)
        if any(child <= id or nodes[child].parent != id for child in visit.children):
            raise ValueError(f"node {id} has children that are not below it")
        state = visit.node.state
        widest = max(widest, len(state.board), len(state.drawn))
    if levels and max(levels) > DEEPEST:
        raise ValueError(f"its tree has {max(levels)} levels; use up to {DEEPEST}")
    if len(nodes) * widest > CELLS:
        raise ValueError(f"{len(nodes):,} nodes drawn in {widest:,} cells; use {CELLS:,} in all")


def _is_parent(parent: int | None, id: int) -> bool:
    """Return whether a node may have this parent: None for the root, an earlier node for others."""
    if id == 0 or parent is None:
        return id == 0 and parent is None
    return 0 <= parent < id


def _check_row(row: dict[str, Any]) -> None:
    """Raise TypeError or LookupError if a field is missing or has no allowed value."""
    for name, allowed in FIELDS.items():
        if isinstance(allowed, tuple):
            if check_type(type(allowed[0]), name, row[name]) not in allowed:
                raise TypeError(f"{name} is {row[name]!r:.40}; use one of {allowed}")
        elif allowed is int:
            check_count(name, row[name])
        else:
            check_type(allowed, name, row[name])
    for child in row["children"]:
        check_count("child", child)
    if row["parent"] is not None:
        check_count("parent", row["parent"])


def _parse_visit(row: dict[str, Any]) -> Visit:
    """Make a visit from the row of a trace file."""
    _check_row(row)
    board = tuple(map(parse_number, check_type(list, "board", row["board"])))
    state = Shown(board, row["mover"], check_type(str, "drawn", row.get("drawn", "")))
    move = row["move"] if row["sows"] else None  # the root, and the passes over it
    node = Node(state, move, row["player"] == "MAX", row["sows"], row["turns"])
    # The field `move` is the name of the visit, which the root and the passes have, too.
    flags = {name: row[name] for name in ("kind", "extra_turn", "probe", "children")}
    visit = Visit(row["id"], row["parent"], node, row["move"], **flags)
    visit.reason = check_type(str, "reason", row.get("reason", ""))
    visit.value = None if row["value"] is None else parse_number(row["value"])
    if visit.kind != "unvisited":
        if visit.value is None:
            raise ValueError(f"node {visit.id} is visited, but has no value")
        visit.alpha = -math.inf if row["alpha"] is None else parse_number(row["alpha"])
        visit.beta = math.inf if row["beta"] is None else parse_number(row["beta"])
    return visit


def check_type(kind: type[T], name: str, value: Any) -> T:
    """Return a value of exactly this type; else raise TypeError. `True` is not a whole number."""
    if type(value) is not kind:
        raise TypeError(f"{name} is {value!r:.40}")
    return value


def check_count(name: str, value: Any) -> int:
    """Return a whole number of 0 or more; raise TypeError for another value."""
    if check_type(int, name, value) < 0:
        raise TypeError(f"{name} is {value!r:.40}")
    return int(value)  # an int already; the call is for the type checker


def _finite_or_none(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def to_writable(value: float | None) -> float | str | None:
    """Convert a value for JSON, which has no infinite numbers: `inf` and `-inf` become text."""
    if value is not None and math.isinf(value):
        return str(value)
    return value


def parse_number(value: Any) -> float:
    """Return the number that `to_writable` converted; raise TypeError for another value."""
    if value in ("inf", "-inf"):
        return float(value)
    if type(value) not in (int, float):
        raise TypeError(f"{value!r:.40} is not a number")
    return cast(float, value)
