"""The table of solved games: every opening of 1 to 6 pits with 1 to 6 stones.

    python data/make/solve_boards.py data/solved.csv

The file also has the value of (6,6), which is not made here: it is proved by the ledgers in
`data/`. Each board is solved on one core within 6 GB, which alone sizes its database and its table:
so a row is the same on every machine.
"""

from pathlib import Path
from typing import NamedTuple

from kalahlab.data import data_rows
from kalahlab.engine.solver.solve import Progress, solve
from kalahlab.games.kalah import PRESETS, Kalah

MEMORY = 6 * 10**9
Board = tuple[int, int]  # pits, stones


class Row(NamedTuple):
    """An opening. value: the first player's final margin under perfect play.

    moves: what each opening move is worth, from the leftmost pit on. nodes: positions searched for
    the value, move_nodes: for it and all moves. moves, move_nodes: None if they were not valued.
    """

    pits: int
    stones: int
    rules: str
    value: int
    moves: tuple[int, ...] | None
    nodes: int
    move_nodes: int | None
    database_stones: int


def solved_row(board: Board, rules: str) -> Row:
    game, needed = Kalah(*board, PRESETS[rules]), [0]

    def hear(news: Progress) -> None:
        if news.bounds and news.move is None and news.bounds[0] == news.bounds[1]:
            needed.append(news.nodes)

    found = solve(
        game.start(), game.rules, moves=True, workers=1, memory_bytes=MEMORY,
        rebuild=True, keep=False, progress=hear,
    )  # fmt: skip
    if found.value is None:
        raise KeyboardInterrupt  # `solve` does not raise it: it says what it has
    values = tuple(value for value in found.moves or () if value is not None)
    nodes = needed[1] if len(needed) > 1 else 0
    return Row(*board, rules, found.value, values, nodes, found.nodes, found.database_stones)


def read(path: Path) -> list[Row]:
    def moves(text: str) -> tuple[int, ...] | None:
        return tuple(map(int, text.split())) or None

    rows = data_rows(str(path), lambda text: int(text) if text else None, rules=str, moves=moves)
    return [Row(**row) for row in rows]
