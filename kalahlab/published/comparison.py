"""The printed figures of the CS5329 report beside those that its program computes.

The printed figures are read from `data/`.
"""

import json
from collections.abc import Sequence
from itertools import product

from kalahlab.data import data_file, data_rows
from kalahlab.games.kalah import NORTH, SOUTH, side, stores
from kalahlab.parallel import Row
from kalahlab.published import cs5329
from kalahlab.published.cs5329 import AS_PRINTED, Defects, PublishedGame, play_published

# The printed columns that do not depend on the machine. The memory, which is not in this list,
# follows from `generated`.
FIGURES = ("generated", "expanded", "path")


def load_printed_table() -> list[Row]:
    """Load the 16 rows of section 8, in the printed order.

    The column `seconds` was measured on the authors' machine. The column `memory_kb` is in KB.
    """
    # All columns are whole numbers but these two.
    return data_rows("cs5329_table.csv", int, algorithm=str, seconds=float)


def compare_with_printed(
    defects: Defects = AS_PRINTED, depths: Sequence[int] = (2, 4), e1_otherwise: float | None = None
) -> list[Row]:
    """Recompute the table of section 8 by the program with the given defects.

    Args:
        defects: The defects of the program.
        depths: The depths, in sows; the report prints 2 and 4.
        e1_otherwise: The content of the variable that E1 never sets.

    Returns:
        A row for each game. The columns are:
        - algorithm, evaluation, depth: the search
        - printed_generated and so on: the printed figures; None if the report has no such row
        - generated and so on: the `figures` of the game; None if it is not defined
        - verdict: the result of the comparison, in words
        - why: the reason why the game is not defined, "" if it is
    """
    printed_rows = {
        (row["algorithm"], row["evaluation"], row["depth"]): row for row in load_printed_table()
    }
    rows = []
    for algorithm, depth, evaluation in product(cs5329.ALGORITHMS, depths, cs5329.EVALUATIONS):
        game = play_published(algorithm, evaluation, depth, defects, e1_otherwise)
        printed = printed_rows.get((algorithm, evaluation, depth), {})
        row: Row = {"algorithm": algorithm, "evaluation": evaluation, "depth": depth}
        row |= {f"printed_{name}": printed.get(name) for name in (*FIGURES, "seconds", "memory_kb")}
        row |= dict.fromkeys(game.figures)  # all None, in the order of the columns
        if game.is_defined:
            row |= game.figures
        row |= {"verdict": _verdict(game, printed), "why": game.why_not_defined}
        rows.append(row)
    return rows


def _verdict(game: PublishedGame, printed: Row) -> str:
    """Return the verdict on a printed row. The row is empty if the report does not print it.

    A wrong number of generated nodes is an illegible copy if the row itself proves that: the
    printed memory follows from the computed number of nodes, but not from the printed number.
    """
    if not game.is_defined:
        return "not defined"
    if not printed:
        return "not in print"
    wrong = [name for name in FIGURES if printed[name] != game.figures[name]]
    memory = printed["memory_kb"]
    if memory != cs5329.memory_by_formula(game.generated):
        return "differs"
    if wrong == ["generated"] and memory != cs5329.memory_by_formula(printed["generated"]):
        return "illegible copy"
    return "differs" if wrong else "equal"


def load_transcripts() -> list[Row]:
    """Load the printed logs; a value is None where our copy of the report is not legible.

    `data/README.md` describes the logs.
    """
    logs: list[Row] = json.loads(data_file("cs5329_transcripts.json").read_text("utf-8"))
    return logs


def replay_transcripts() -> list[Row]:
    """Play the games of the printed logs, and return a row for each printed board.

    The columns are:
    - title: the title of the log
    - step: the number of the move, from 1
    - player, pit, board: the move that the program plays, and the board after it
    - legible: the number of the five printed fields that can be read
    - contradicts: the names of the legible fields that differ from the program's
    """
    rows = []
    for log in load_transcripts():
        game = play_published(log["algorithm"], log["evaluation"], log["depth"])
        steps = zip(log["boards"], game.moves, game.boards, strict=True)
        for step, (printed, (player, pit), board) in enumerate(steps, start=1):
            row = {"title": log["title"], "step": step, "player": player, "pit": pit}
            store_a, store_b = stores(board)
            fields: Row = {"a": list(side(board, SOUTH)), "b": list(side(board, NORTH))}
            fields |= {"player": player, "store_a": store_a, "store_b": store_b}
            legible = [name for name in fields if printed[name] is not None]
            wrong = [name for name in legible if printed[name] != fields[name]]
            rows.append(row | {"board": board, "legible": len(legible), "contradicts": wrong})
    return rows
