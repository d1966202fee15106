"""What the CS5329 report prints, beside what its program does.

    rows = table(Defects.without("wrong-mover", "strict-alternation"))
    steps = ladder()

The printed figures are read from `data/`; nothing here decides by name which of them is wrong.
"""

import json
from collections.abc import Sequence
from itertools import product
from typing import Any, Literal

from kalahlab.data import data_file, data_rows
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, side, stores
from kalahlab.grid import Row
from kalahlab.published.cs5329 import (
    ALGORITHMS,
    AS_PRINTED,
    EVALUATIONS,
    Defects,
    PublishedGame,
    memory_by_formula,
    play_published,
)

FIGURES = ("generated", "expanded", "path")


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
    by_game = {(row["algorithm"], row["evaluation"], row["depth"]): row for row in printed_table()}
    rows = []
    for algorithm, depth, evaluation in product(ALGORITHMS, depths, EVALUATIONS):
        game = play_published(algorithm, evaluation, depth, defects, e1_otherwise)
        printed = by_game.get((algorithm, evaluation, depth), {})
        rows.append(
            {"algorithm": algorithm, "evaluation": evaluation, "depth": depth}
            | {f"printed_{name}": printed.get(name) for name in (*FIGURES, "seconds", "memory_kb")}
            | (game.figures if game.defined else dict.fromkeys(game.figures))
            | {"verdict": _verdict(game, printed), "why": game.why_not_defined}
        )
    return rows


def _verdict(game: PublishedGame, printed: Row) -> str:
    """How a printed row stands to the recomputed game.

    A slip of the pen must be proved by the row itself: only the nodes differ, and the printed
    memory, which the program computed from the nodes, belongs to the recomputed number and
    not to the printed one.
    """
    if not game.defined:
        return "not defined"
    if not printed:
        return "not in print"
    wrong = [name for name in FIGURES if printed[name] != game.figures[name]]
    memory = printed["memory_kb"]
    if memory != memory_by_formula(game.generated):
        return "differs"
    if wrong == ["generated"] and memory != memory_by_formula(printed["generated"]):
        return "slip in print"
    return "differs" if wrong else "equal"


def leftmost(game: PublishedGame) -> int:
    """The moves of a game that play the leftmost of the mover's pits that are not empty."""
    return sum(pit == Kalah(6, 6).moves(state)[0] for state, pit in game.choices)


def ladder(
    depths: Sequence[int] = (2, 4),
    mode: Literal["cumulative", "off-alone", "on-alone"] = "cumulative",
) -> list[Row]:
    """The table once for every rung, a rung for every defect, in the order of `Defects`.

    cumulative: each rung turns one more defect off; rung 0 is the printed program, the last
    one the corrected program. off-alone: each rung is the printed program without one
    defect, rung 0 with all. on-alone: each rung is the corrected program with one defect,
    rung 0 with none. A row is one of `table` with `rung`, `defect` (the one that the rung
    turns, "" on rung 0) and `changed`: whether its figures differ from those of the rung
    before (cumulative) or of rung 0.
    """
    names = Defects.names()
    turned_off = {
        "cumulative": [names[:rung] for rung in range(len(names) + 1)],
        "off-alone": [(), *((name,) for name in names)],
        "on-alone": [names, *(tuple(each for each in names if each != name) for name in names)],
    }
    rungs = [table(Defects.without(*off), depths) for off in turned_off[mode]]
    before = [rungs[0], *(rungs if mode == "cumulative" else [rungs[0]] * len(names))]
    return [
        {"rung": rung, "defect": name, "changed": _figures(row) != _figures(old), **row}
        for rung, (name, rows, olds) in enumerate(zip(("", *names), rungs, before, strict=False))
        for row, old in zip(rows, olds, strict=True)
    ]


def _figures(row: Row) -> list[Any]:
    names = (*FIGURES, "memory_kb", "stores_a", "stores_b", "winner")
    return [row[name] for name in names] + [row["why"].partition(": ")[2]]


# The printed logs.


def transcripts() -> list[Row]:
    """The three logs that our copy of the report holds, None where it is not legible.

    Each has title, algorithm, evaluation, depth; `printed`, the totals below the log;
    `boards`, a board for each move, before the rest is swept: player, the pits a and b from
    their owner's left, store_a, store_b; `final`, the board after the end.
    """
    logs: list[Row] = json.loads(data_file("cs5329_transcripts.json").read_text("utf-8"))
    return logs


def _replayed(log: Row) -> PublishedGame:
    return play_published(log["algorithm"], log["evaluation"], log["depth"])


def totals() -> list[Row]:
    """The totals printed below each log beside those recomputed, one row an output.

    The fourth output is a heading only, which names E4 and depth 4 and no algorithm.
    """
    rows = []
    for log in transcripts():
        game, printed = _replayed(log), log["printed"]
        found = {"bytes": 81 * game.generated, **game.figures}
        row = {name: log[name] for name in ("title", "algorithm", "evaluation", "depth")}
        row |= {f"printed_{name}": printed[name] for name in found if name in printed}
        rows.append(row | found | {name: printed[name] for name in ("seconds", "process_seconds")})
    return rows


def replay_transcripts() -> list[Row]:
    """The printed logs beside the recomputed games, one row for each printed board.

    title, step from 1; player, pit and board as recomputed; legible: how many of the five
    printed fields can be read; contradicts: the names of those that say otherwise.
    """
    rows = []
    for log in transcripts():
        game = _replayed(log)
        steps = zip(log["boards"], game.moves, game.boards, strict=True)
        for step, (printed, (player, pit), board) in enumerate(steps, start=1):
            row = {"title": log["title"], "step": step, "player": player, "pit": pit}
            store_a, store_b = stores(board)
            found: Row = {"a": list(side(board, SOUTH)), "b": list(side(board, NORTH))}
            found |= {"player": player, "store_a": store_a, "store_b": store_b}
            legible = [name for name in found if printed[name] is not None]
            wrong = [name for name in legible if printed[name] != found[name]]
            rows.append(row | {"board": board, "legible": len(legible), "contradicts": wrong})
    return rows


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
