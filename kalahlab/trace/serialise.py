"""A recorded search as rows of a table and as JSON."""

import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from kalahlab.games.registry import GAMES
from kalahlab.search.model import Counts, Node, Result
from kalahlab.trace.record import Visit

COUNTS = ("generated", "expanded", "evaluated", "cutoffs", "recalled")

SHOWN_BY_BOARD = ("kalah", "tree")
"""Games whose positions are shown by the numbers of their board, or by the tree itself."""


class Shown(NamedTuple):
    """A state as a trace file shows it: the board, whose turn it is, the position as drawn."""

    board: tuple[float, ...]
    player: int
    drawn: str = ""


def drawn(game: str, state: Any) -> str:
    """See `Trace.drawn`."""
    if isinstance(state, Shown):
        return state.drawn
    return GAMES[game].draw(state) if game in GAMES and game not in SHOWN_BY_BOARD else ""


def to_json(
    game: str,
    result: Result,
    principal: Sequence[int],
    rows: Sequence[dict[str, Any]],
    nodes: Sequence[Visit],
) -> str:
    """See `Trace.to_json`."""
    counts = {name: getattr(result.counts, name) for name in COUNTS}
    found = {"value": writable(result.value), "line": list(result.line), **counts}
    whole = [
        row
        | {
            "mover": visit.node.state.player,
            "value": writable(visit.value),
            "board": list(map(writable, visit.node.state.board)),
            "children": visit.children,
        }
        | ({"drawn": text} if (text := drawn(game, visit.node.state)) else {})
        for row, visit in zip(rows, nodes, strict=True)
    ]
    finite = [{key: _finite(value) for key, value in row.items()} for row in whole]
    return json.dumps({"game": game, "result": found, "principal": principal, "nodes": finite})


def from_json(text: str) -> tuple[Result, tuple[Visit, ...], str]:
    """The result, the nodes and the game that `to_json` wrote; see `Trace.from_json`."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"the trace is cut short or no JSON: {error}") from None
    try:
        nodes = tuple(map(_visit_of, data["nodes"]))
        principal = [nodes[id].node for id in data["principal"]]
        line = tuple(node.move for node in principal if node.sows)
        counts = Counts(*(data["result"][name] for name in COUNTS))
        result = Result(_written(data["result"]["value"]), line, counts)
        return result, nodes, str(data.get("game", ""))
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError(f"this is no trace: {type(error).__name__}: {error}") from None


def _visit_of(row: dict[str, Any]) -> Visit:
    state = Shown(tuple(map(_written, row["board"])), row["mover"], row.get("drawn", ""))
    maximizing = row["player"] == "MAX"
    move = row["move"] if row["sows"] else None  # the root, and the passes over it
    node = Node(state, move, maximizing, row["sows"], row["turns"])
    visit = Visit(row["id"], row["parent"], node, row["move"], probe=row["probe"])
    visit.kind, visit.value = row["kind"], _written(row["value"])
    visit.extra_turn, visit.children = row["extra_turn"], row["children"]
    if visit.kind != "unvisited":
        if visit.value is None:
            raise ValueError(f"node {visit.id} is visited and has no value")
        visit.alpha = -math.inf if row["alpha"] is None else row["alpha"]
        visit.beta = math.inf if row["beta"] is None else row["beta"]
    return visit


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def writable(value: float | None) -> float | str | None:
    """A value for JSON, which has no infinite numbers: `inf` and `-inf` are text."""
    return str(value) if value is not None and math.isinf(value) else value


def _written(value: Any) -> Any:
    return float(value) if value in ("inf", "-inf") else value
