"""A recorded search as rows of a table and as JSON.

A file of a trace may come from anybody: what is read has at most `LONGEST` characters, `MOST_NODES`
nodes, `DEEPEST` levels, and boards and drawings of `CELLS` cells in all, a node's counted as the
largest; and its nodes are a tree.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast, get_args, get_type_hints

from kalahlab import formatting
from kalahlab.outside import parse_json
from kalahlab.search.model import Counts, Node, Result
from kalahlab.trace.record import Visit

if TYPE_CHECKING:
    from kalahlab.trace.explain import Trace

LONGEST, MOST_NODES, DEEPEST, CELLS = 100_000_000, 200_000, 400, 20_000_000
T = TypeVar("T")

# Of a node's fields the type, where `int` is a count, or the values that there are.
FIELDS: dict[str, Any] = {"id": int, "move": str, "sows": int, "turns": int, "children": list}
FIELDS |= {"extra_turn": bool, "probe": bool, "mover": (0, 1), "player": ("MAX", "MIN")}
FIELDS |= {"kind": get_args(get_type_hints(Visit)["kind"])}


class Shown(NamedTuple):
    """A state as a trace file shows it: the board, whose turn it is, the position as drawn."""

    board: tuple[float, ...]
    player: int
    drawn: str = ""


def to_json(trace: "Trace") -> str:
    """The tree and the result as JSON; infinite bounds are null, infinite values text.

    A node's `mover` is whose turn it is in the game, 0 or 1, and `drawn` its position in
    characters, if it has such; `line` is in moves, and `principal` the same line in nodes.
    """
    value, line = writable(trace.result.value), list(trace.result.line)
    nodes = [
        row
        | {
            "mover": visit.node.state.player,
            "value": writable(visit.value),
            "board": list(map(writable, visit.node.state.board)),
            "children": visit.children,
        }
        | ({"drawn": text} if (text := trace.drawn(visit)) else {})
        for row, visit in zip(trace.rows(), trace.nodes, strict=True)
    ]
    data = {
        "game": trace.game,
        "result": {"value": value, "line": line, **asdict(trace.result.counts)},
        "principal": trace.principal,
        "nodes": [{key: _finite(value) for key, value in row.items()} for row in nodes],
    }
    return formatting.to_json(data)


def from_json(text: str) -> tuple[Result, tuple[Visit, ...], str]:
    """The result, the nodes and the game that `to_json` wrote; `ValueError` if it is no trace."""
    try:
        data = parse_json(text, LONGEST)
    except ValueError as error:
        raise ValueError(f"the trace is cut short or no JSON: {error}") from None
    try:
        rows = _of_type(list, "nodes", data["nodes"])
        if len(rows) > MOST_NODES:
            raise ValueError(f"a trace of {len(rows):,} nodes; use up to {MOST_NODES:,}")
        nodes = tuple(map(_visit_of, rows))
        _check_tree(nodes)
        places = (_count("principal", id) for id in _of_type(list, "principal", data["principal"]))
        principal = [nodes[id].node for id in places]
        line = tuple(node.move for node in principal if node.sows)
        names = [each.name for each in fields(Counts)]
        if "visited" not in data["result"]:  # in a trace that is older
            names.remove("visited")
        counts = Counts(**{name: _count(name, data["result"][name]) for name in names})
        result = Result(_written(data["result"]["value"]), line, counts)
        return result, nodes, _of_type(str, "game", data.get("game", ""))
    except (AttributeError, LookupError, TypeError) as error:
        raise ValueError(f"this is no trace: {type(error).__name__}: {error}") from None


def _check_tree(nodes: Sequence[Visit]) -> None:
    """`ValueError` unless the nodes are those of one tree, each below one before it, and fit."""
    levels: list[int] = []
    for id, visit in enumerate(nodes):
        up = visit.parent
        if visit.id != id or (id and (up is None or not 0 <= up < id)) or (up is None) == bool(id):
            raise ValueError(f"node {id} is not below a node before it")
        levels.append(0 if up is None else levels[up] + 1)
        if any(child <= id or nodes[child].parent != id for child in visit.children):
            raise ValueError(f"node {id} has children that are not below it")
    widest = max((max(len(v.node.state.board), len(v.node.state.drawn)) for v in nodes), default=0)
    if levels and max(levels) > DEEPEST:
        raise ValueError(f"its tree has {max(levels)} levels; use up to {DEEPEST}")
    if len(nodes) * widest > CELLS:
        raise ValueError(f"{len(nodes):,} nodes drawn in {widest:,} cells; use {CELLS:,} in all")


def _visit_of(row: dict[str, Any]) -> Visit:
    for name, allowed in FIELDS.items():
        if isinstance(allowed, tuple):
            if _of_type(type(allowed[0]), name, row[name]) not in allowed:
                raise TypeError(f"{name} is {row[name]!r:.40}; use one of {allowed}")
        elif allowed is int:
            _count(name, row[name])
        else:
            _of_type(allowed, name, row[name])
    for child in row["children"]:
        _count("child", child)
    if row["parent"] is not None:
        _count("parent", row["parent"])
    board = tuple(map(_written, _of_type(list, "board", row["board"])))
    state = Shown(board, row["mover"], _of_type(str, "drawn", row.get("drawn", "")))
    move = row["move"] if row["sows"] else None  # the root, and the passes over it
    node = Node(state, move, row["player"] == "MAX", row["sows"], row["turns"])
    flags = {name: row[name] for name in ("kind", "extra_turn", "probe", "children")}
    visit = Visit(row["id"], row["parent"], node, row["move"], **flags)
    visit.value = None if row["value"] is None else _written(row["value"])
    if visit.kind != "unvisited":
        if visit.value is None:
            raise ValueError(f"node {visit.id} is visited and has no value")
        visit.alpha = -math.inf if row["alpha"] is None else _written(row["alpha"])
        visit.beta = math.inf if row["beta"] is None else _written(row["beta"])
    return visit


def _of_type(kind: type[T], name: str, value: Any) -> T:
    """Return a value of exactly this type: `True` is no whole number."""
    if type(value) is not kind:
        raise TypeError(f"{name} is {value!r:.40}")
    return value


def _count(name: str, value: Any) -> int:
    if _of_type(int, name, value) < 0:
        raise TypeError(f"{name} is {value!r:.40}")
    return int(value)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def writable(value: float | None) -> float | str | None:
    """A value for JSON, which has no infinite numbers: `inf` and `-inf` are text."""
    return str(value) if value is not None and math.isinf(value) else value


def _written(value: Any) -> float:
    if value in ("inf", "-inf"):
        return float(value)
    if type(value) not in (int, float):
        raise TypeError(f"{value!r:.40} is no number")
    return cast(float, value)
