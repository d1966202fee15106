"""Perfect play as the judge: solved openings, what solving costs, a player's regret."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import permutations, product
from pathlib import Path
from typing import NamedTuple

from kalahlab import engine
from kalahlab.data import data_file
from kalahlab.engine.endgame.layout import positions
from kalahlab.engine.solver import solved_table
from kalahlab.engine.solver.exact import ExactSolver, open_solver
from kalahlab.engine.solver.solve import solve
from kalahlab.engine.solver.solved_table import Row as Solved
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.kalah import NAMES, NORTH, PRESETS, SOUTH, Kalah, State, in_play
from kalahlab.grid import Row
from kalahlab.play import play_game, search_player
from kalahlab.published.cs5329 import ALGORITHMS, play_published
from kalahlab.search import Depth


def solved_openings() -> list[Solved]:
    """The table of solved games, `data/solved.csv`; see `kalahlab.engine.solver.solved_table`."""
    return solved_table.read(Path(str(data_file("solved.csv"))))


def solved_anew(rows: Iterable[Solved]) -> list[bool]:
    """Whether each row comes out again, to the last node, when it is solved here."""
    return [solved_table.solved_row((row.pits, row.stones), row.rules) == row for row in rows]


def solving_costs(
    boards: Iterable[tuple[int, int]], database_stones: Sequence[int], rules: str = "standard"
) -> list[Row]:
    """Solve the start of each (pits, stones) with each endgame database, on one core.

    Rows: pits; in_play, stones; database_stones; positions, in the database; nodes, searched.
    Each with a table of 64 MB, for the value alone.
    """
    rows = []
    for pits, stones in boards:
        start = Kalah(pits, stones).start()
        for count in database_stones:
            found = solve(
                start, PRESETS[rules], database_stones=count, table_bytes=1 << 26,
                workers=1, rebuild=True, keep=False, line=False,
            )  # fmt: skip
            rows.append(
                {
                    "pits": pits,
                    "in_play": in_play(start.board),
                    "database_stones": count,
                    "positions": positions(pits, count),
                    "nodes": found.nodes,
                }
            )
    return rows


def regrets(
    judge: ExactSolver,
    moves: Iterable[tuple[State, int]],
    max_stones: int,
    movers: Collection[int] = (SOUTH, NORTH),
) -> Iterator[Row]:
    """Each move from a position with at most `max_stones` in play, as perfect play sees it.

    moves: positions and the pits (from 0) that were played there. movers: whose moves are judged.
    Rows: move, its number in the game from 1; mover; in_play, stones; pit, from 1; best, what the
    position is worth to the mover, and worth, what the move is, as final margins; regret, the
    difference.
    """
    for number, (state, pit) in enumerate(moves, start=1):
        if in_play(state.board) > max_stones or state.player not in movers:
            continue
        worth = dict(judge.move_values(state))
        best = max(worth.values())
        yield {
            "move": number,
            "mover": NAMES[state.player],
            "in_play": in_play(state.board),
            "pit": pit + 1,
            "best": best,
            "worth": worth[pit],
            "regret": best - worth[pit],
        }


class PlayedGame(NamedTuple):
    """A game to be judged: its name, who South and North are, positions with pits played.

    rules: the presets by which South and North sow, which are not the same in every program.
    """

    name: str
    players: tuple[str, str]
    choices: Sequence[tuple[State, int]]
    rules: tuple[str, str] = ("standard", "standard")


def documents_games(depths: Iterable[int]) -> list[PlayedGame]:
    """Games of the documents' own programs, all of Kalah(6, 6).

    The CS5329 program as printed, in which A plays by the standard rule and B by empty capture,
    with its third evaluation function, which the report calls best; then the staged heuristic
    against the store difference at each depth in sows, from either side, by the standard rule.
    """
    rules = ("standard", "empty-capture")
    games = [
        PlayedGame(f"{algorithm} E3, depth {depth}", ("A", "B"), game.choices, rules)
        for algorithm in ALGORITHMS
        for depth in (2, 4)
        for game in [play_published(algorithm, 3, depth)]
    ]
    for depth, (first, second) in product(depths, permutations(("staged", "store_difference"))):
        south, north = (
            search_player(engine.alpha_beta, EVALUATORS[name], Depth(depth))
            for name in (first, second)
        )
        log = play_game(Kalah(6, 6), south, north)
        games.append(PlayedGame(f"{first} first, depth {depth}", (first, second), log.choices))
    return games


@contextmanager
def judges(pits: int, database_stones: Mapping[str, int]) -> Iterator[dict[str, ExactSolver]]:
    """A solver for each named preset, with an endgame database of so many stones; `open_solver`."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(open_solver(pits, PRESETS[name], database_stones=stones))
            for name, stones in database_stones.items()
        }
