"""What the CS5329 report prints, beside what its program does.

    rows = table(Defects.without("wrong-mover", "strict-alternation"))
    steps = ladder()

The printed figures are read from `data/`; nothing here decides by name which of them is wrong.
"""

import json
from collections.abc import Sequence
from typing import Any, Literal

from kalahlab.data import data_file, data_rows
from kalahlab.evaluators.kalah import e2
from kalahlab.games.kalah import NORTH, SOUTH, Board, Kalah, side, stores
from kalahlab.grid import Row
from kalahlab.published import cs5329
from kalahlab.published.cs5329 import ALGORITHMS, AS_PRINTED, EVALUATIONS, Defects, PublishedGame
from kalahlab.search import Depth, minimax
from kalahlab.search.model import Node
from kalahlab.search.observer import Observer

Mode = Literal["cumulative", "off-alone", "on-alone"]
FIGURES = ("generated", "expanded", "path")
RECOMPUTED = (*FIGURES, "memory_kb", "stores_a", "stores_b", "winner")


def printed_table() -> list[Row]:
    """The 16 rows of section 8, in the printed order; seconds are the authors' machine's."""
    return data_rows("cs5329_table.csv", int, algorithm=str, seconds=float)


def table(
    defects: Defects = AS_PRINTED,
    depths: Sequence[int] = (2, 4),
    e1_otherwise: float | None = None,
) -> list[Row]:
    """The table of section 8, printed figures beside recomputed ones.

    Each row says algorithm, evaluation, depth; printed_* as printed, None for a depth that
    the report does not have; generated, expanded, path, memory_kb, stores_a, stores_b and
    winner as recomputed, None if the game is not defined; verdict; why.
    """
    printed = {(row["algorithm"], row["evaluation"], row["depth"]): row for row in printed_table()}
    return [
        _row(
            cs5329.play_published(algorithm, evaluation, depth, defects, e1_otherwise),
            printed.get((algorithm, evaluation, depth), {}),
        )
        for algorithm in ALGORITHMS
        for depth in depths
        for evaluation in EVALUATIONS
    ]


def _row(game: PublishedGame, printed: Row) -> Row:
    names = (*FIGURES, "seconds", "memory_kb")
    counts = (game.generated, game.expanded, len(game.moves), game.memory_kb)
    figures = (*counts, *game.stores, game.winner)
    found: Row = dict(zip(RECOMPUTED, figures if game.defined else [None] * 7, strict=True))
    return {
        "algorithm": game.algorithm,
        "evaluation": game.evaluation,
        "depth": game.depth,
        **{f"printed_{name}": printed.get(name) for name in names},
        **found,
        "verdict": _verdict(game, printed, found),
        "why": game.why_not_defined,
    }


def _verdict(game: PublishedGame, printed: Row, found: Row) -> str:
    """How a printed row stands to the recomputed game.

    A slip of the pen must be proved by the row itself: only the nodes differ, and the printed
    memory, which the program computed from the nodes, belongs to the recomputed number and
    not to the printed one.
    """
    if not game.defined:
        return "not defined"
    if not printed:
        return "not in print"
    wrong = [name for name in FIGURES if printed[name] != found[name]]
    memory = printed["memory_kb"]
    if memory != cs5329.memory_by_formula(game.generated):
        return "differs"
    if wrong == ["generated"] and memory != cs5329.memory_by_formula(printed["generated"]):
        return "slip in print"
    return "differs" if wrong else "equal"


class _Held(Observer):
    """An observer that counts the nodes that a depth-first search holds at a time."""

    def __init__(self) -> None:
        self._children: list[int] = []
        self.path = self.held = 0

    def enter(self, node: Node, alpha: float, beta: float) -> None:
        self._children.append(0)
        self.path = max(self.path, len(self._children))

    def expand(self, node: Node, children: Sequence[Node]) -> None:
        self._children[-1] = len(children)
        self.held = max(self.held, 1 + sum(self._children))

    def leave(self, node: Node, value: float) -> None:
        self._children.pop()


def held_nodes(depths: Sequence[int] = (1, 2, 3, 4)) -> list[Row]:
    """The nodes that minimax generates from the start, and those that it holds at a time.

    path: the longest line of play entered, the root with it; held: that line and the siblings
    along it; bound: six children a level and the root, O(bm) of section 5.5.
    """
    rows = []
    for depth in depths:
        observer, game = _Held(), Kalah(6, 6)
        result = minimax(game, game.start(), e2, Depth(depth), observer=observer)
        rows.append(
            {
                "depth": depth,
                "generated": result.counts.generated,
                "path": observer.path,
                "held": observer.held,
                "bound": 6 * depth + 1,
            }
        )
    return rows


def leftmost(game: PublishedGame) -> int:
    """The moves of a game that play the leftmost of the mover's pits that are not empty."""
    return sum(pit == Kalah(6, 6).moves(state)[0] for state, pit in game.choices)


def totals() -> list[Row]:
    """The totals printed below each log beside those recomputed, one row an output.

    The fourth output is a heading only, which names E4 and depth 4 and no algorithm.
    """
    rows = []
    for log in transcripts():
        game = cs5329.play_published(log["algorithm"], log["evaluation"], log["depth"])
        printed = log["printed"]
        found = {
            "bytes": 81 * game.generated,
            "memory_kb": game.memory_kb,
            "generated": game.generated,
            "expanded": game.expanded,
            "path": len(game.moves),
            "winner": game.winner,
        }
        stores = dict(zip(("stores_a", "stores_b"), game.stores, strict=True))
        rows.append(
            {name: log[name] for name in ("title", "algorithm", "evaluation", "depth")}
            | {f"printed_{name}": printed[name] for name in found}
            | found
            | {"seconds": printed["seconds"], "process_seconds": printed["process_seconds"]}
            | stores
        )
    return rows


def ladder(
    depths: Sequence[int] = (2, 4),
    e1_otherwise: float | None = None,
    mode: Mode = "cumulative",
) -> list[Row]:
    """The table once for every rung, a rung for every defect, in the order of `Defects`.

    cumulative: each rung turns one more defect off; rung 0 is the printed program, the last
    one the corrected program. off-alone: each rung is the printed program without one
    defect, rung 0 with all. on-alone: each rung is the corrected program with one defect,
    rung 0 with none. A row is one of `table` with `rung`, `defect` (the one that the rung
    turns, "" on rung 0) and `changed`: whether its figures differ from those of the rung
    before (cumulative) or of rung 0.
    """
    names = ("", *Defects.names())
    turned_off: dict[str, list[tuple[str, ...]]] = {
        "cumulative": [names[1 : rung + 1] for rung in range(len(names))],
        "off-alone": [(), *((name,) for name in names[1:])],
        "on-alone": [tuple(other for other in names[1:] if other != name) for name in names],
    }
    if mode not in turned_off:
        raise ValueError(f"mode is {mode!r}; use one of {', '.join(turned_off)}")
    rungs = [table(Defects.without(*off), depths, e1_otherwise) for off in turned_off[mode]]
    rows: list[Row] = []
    for rung, (name, found) in enumerate(zip(names, rungs, strict=True)):
        before = rungs[max(rung - 1, 0) if mode == "cumulative" else 0]
        for row, old in zip(found, before, strict=True):
            changed = _figures(row) != _figures(old)
            rows.append({"rung": rung, "defect": name, "changed": changed, **row})
    return rows


def _figures(row: Row) -> list[Any]:
    return [row[name] for name in RECOMPUTED] + [row["why"].partition(": ")[2]]


def transcripts() -> list[Row]:
    """The three logs that our copy of the report holds, None where it is not legible.

    Each has title, algorithm, evaluation, depth; `printed`, the totals below the log;
    `boards`, a board for each move, before the rest is swept: player, the pits a and b from
    their owner's left, store_a, store_b; `final`, the board after the end.
    """
    logs: list[Row] = json.loads(data_file("cs5329_transcripts.json").read_text("utf-8"))
    return logs


def replay_transcripts() -> list[Row]:
    """The printed logs beside the recomputed games, one row for each printed board.

    title, step from 1; player, pit and board as recomputed; legible: how many of the five
    printed fields can be read; contradicts: the names of those that say otherwise.
    """
    return [
        {"title": log["title"], "step": step, "player": player, "pit": pit, "board": board}
        | _against(printed, player, board)
        for log in transcripts()
        for game in [cs5329.play_published(log["algorithm"], log["evaluation"], log["depth"])]
        for step, (printed, (player, pit), board) in enumerate(
            zip(log["boards"], game.moves, game.boards, strict=True), start=1
        )
    ]


def _against(printed: Row, player: str, board: Board) -> Row:
    store_a, store_b = stores(board)
    a, b = list(side(board, SOUTH)), list(side(board, NORTH))
    found = {"player": player, "a": a, "store_a": store_a, "store_b": store_b, "b": b}
    legible = [name for name in found if printed[name] is not None]
    return {
        "legible": len(legible),
        "contradicts": [name for name in legible if printed[name] != found[name]],
    }


def solved_published() -> list[Row]:
    """Who wins Kalah(pits, stones), as published: "W" if the first player, "L", "D".

    cs5329: the report's section 1. irving: Irving, Donkers and Uiterwijk, "Solving Kalah"
    (ICGA Journal 23(3), 2000), None if not solved there; irving_margin: in stones, where
    given. Both under the empty-capture rule.
    """
    return data_rows(
        "solved_published.csv",
        pits=int,
        stones=int,
        irving=lambda text: text or None,
        irving_margin=lambda text: int(text) if text else None,
    )
