"""Make a benchmark: positions from games of players of several strengths, with exact values.

    python data/make/benchmark.py data/benchmark.csv.gz [--seed S] [--workers N]

Every game is drawn from nothing but the seed, its board, its rules and its number, and values are
exact. So the file has the same bytes for every number of workers. To draw positions for training,
use another seed, and leave out those in the file.

    games = sample_games([Plan(6, 4, "standard", games=500, seed=7)])
    rows = judge_all(distinct(games, without=load_positions("benchmark.csv.gz")))
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby, product
from math import ceil
from pathlib import Path
from random import Random

from judge_positions import write

from kalahlab.games.kalah import Kalah, State, stones_in_play
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.supported import STORED
from kalahlab.judging.solved_positions import PHASES, SolvedPosition, evaluate_positions
from kalahlab.parallel import Row, run_all
from kalahlab.players.game_loop import play_game, random_position
from kalahlab.players.levels import LEVELS
from kalahlab.players.model import AnyPlayer
from kalahlab.players.parse import parse_player
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.ledger import normalize_position

PARTS = ("train", "train", "validation", "test")
"""The uses of games, in turn: to train, to choose between trained evaluators, and to test one."""

STRENGTHS = (
    "random",
    "level2",
    "level4",
    "alpha_beta:e3:3:sow:store_first",
    "alpha_beta:fitted:2:sow:store_first",
    "alpha_beta:staged:4:sow:store_first",
    "alpha_beta:store_difference:8:sow:store_first",
    "alpha_beta:fitted:6:sow:store_first",
    "alpha_beta:fitted:12:sow:store_first",
)
"""The players of the games, named as in all commands, from weak to strong."""

RANDOM_PLIES = 10
"""The most random moves at the start of a game, so that the same players play different games."""

PER_GAME = 4
"""The most positions of one game."""

BOARDS = {
    (4, 4): (250, 32),
    (5, 4): (250, 40),
    (5, 5): (400, 44),
    (6, 3): (250, 36),
    (6, 4): (2000, 40),
    (6, 5): (800, 42),
}
"""By pits a side and stones a pit, the number of games under each preset of the rules, and the most
stones in play of positions that are judged: with more, one takes seconds."""

CHUNK = 500
"""The number of positions that one solver judges: its table profits from similar games."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Games of Kalah(pits, stones) under a preset of the rules, drawn by a seed.

    `most_stones` is the most stones in play of positions that are taken.
    """

    pits: int
    stones: int
    rules: str
    games: int
    seed: int = 0
    most_stones: int = 40


def sample_game(planned: tuple[Plan, int]) -> Row:
    """Play a game of a plan and sample its positions.

    Args:
        planned: The plan, and the number of the game, from 0.

    Returns:
        `board`, pits and stones; `positions`, those that are taken, without values; `openings`, the
        number of positions in the opening with two moves or more; `left_out`, the number of these
        with too many stones in play.
    """
    plan, number = planned
    game = Kalah(plan.pits, plan.stones, STORED[plan.rules])
    board = f"{plan.pits}-{plan.stones}-{plan.rules}"
    rng = Random(f"{plan.seed} {board} {number}")
    names = [rng.choice(STRENGTHS) for _ in range(2)]
    plies = rng.randint(0, RANDOM_PLIES)
    start = random_position(game, rng, plies)
    south, north = (_make_player(name, rng) for name in names)
    positions = []
    for ply, (state, _) in enumerate(play_game(game, south, north, start).choices, plies):
        if len(game.moves(state)) > 1:
            position = SolvedPosition(
                plan.rules,
                parse_board(format_board(state)),
                (),
                f"{board}-{number}",
                ply,
                names[state.player],
                names[1 - state.player],
                PARTS[number % len(PARTS)],
            )
            positions.append(position)
    small = [row for row in positions if stones_in_play(row.state.board) <= plan.most_stones]
    taken = sorted(rng.sample(range(len(small)), min(PER_GAME, len(small))))
    openings = [row for row in positions if row.phase == PHASES[0]]
    return {
        "board": (plan.pits, plan.stones),
        "positions": [small[index] for index in taken],
        "openings": len(openings),
        "left_out": sum(stones_in_play(row.state.board) > plan.most_stones for row in openings),
    }


def _make_player(name: str, rng: Random) -> AnyPlayer:
    """Return a player by its name; a random one gets a seed."""
    if name in ("random", *LEVELS):
        name = f"{name}:{rng.randrange(1 << 30)}"
    return parse_player(name, backend="engine")


def sample_games(plans: Iterable[Plan], workers: int = 1, progress: bool = False) -> list[Row]:
    """Return the `sample_game` of each game of the plans."""
    planned = list[tuple[Plan, int]]()
    for plan in plans:
        planned += [(plan, number) for number in range(plan.games)]
    return run_all(sample_game, planned, workers, progress=progress)


def distinct(played: Iterable[Row], without: Iterable[SolvedPosition] = ()) -> list[SolvedPosition]:
    """Return the positions of games that are not in `without`, and none twice."""
    excluded = {normalize_position(row.state)[0] for row in without}
    positions: dict[tuple[str, State], SolvedPosition] = {}
    for row in chain.from_iterable(game["positions"] for game in played):
        positions.setdefault((row.rules, normalize_position(row.state)[0]), row)
    return [row for (_, pits), row in positions.items() if pits not in excluded]


def judge_all(
    positions: Iterable[SolvedPosition],
    workers: int = 1,
    progress: bool = False,
    database_stones: int = 20,
) -> list[SolvedPosition]:
    """Return each position with the value of each move, ordered by pits and rules.

    `database_stones` is the size of the endgame database, which is made if the user's cache has
    none.
    """

    def pits_and_rules(row: SolvedPosition) -> tuple[int, str]:
        return row.start[0], row.rules

    chunks = []
    for _, group in groupby(sorted(positions, key=pits_and_rules), pits_and_rules):
        rows = list(group)
        chunks += [rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK)]
    work = partial(judge_chunk, database_stones=database_stones)
    judged_chunks = run_all(work, chunks, workers, progress=progress)
    return list(chain.from_iterable(chunk["rows"] for chunk in judged_chunks))


def judge_chunk(chunk: Sequence[SolvedPosition], database_stones: int) -> Row:
    """Return `rows`, the positions with the values of their moves.

    All positions must have the same number of pits and the same rules.
    """
    (pits, _), rules = chunk[0].start, chunk[0].rules
    with open_solver(pits, STORED[rules], database_stones=database_stones, workers=1) as solver:
        judged_rows = evaluate_positions(solver, (row.state for row in chunk), rules)
        pairs = zip(chunk, judged_rows, strict=True)
        return {"rows": [replace(row, moves=judged.moves) for row, judged in pairs]}


def main() -> None:
    """Play the games of `BOARDS` under both rules, and judge some of their positions."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the file, gzipped CSV")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of the games, for a trial")
    args = parser.parse_args()
    progress = sys.stderr.isatty()
    plans = []
    for rules, (board, (number, most_stones)) in product(STORED, BOARDS.items()):
        games = ceil(number * args.share)
        plans.append(Plan(*board, rules, games, args.seed, most_stones))
    games_played = sample_games(plans, args.workers, progress)
    for board in BOARDS:
        rows = [row for row in games_played if row["board"] == board]
        openings = sum(row["openings"] for row in rows)
        left_out = sum(row["left_out"] for row in rows)
        print(f"{board}: {left_out / openings:.1%} of the openings are left out")
    write(args.out, judge_all(distinct(games_played), args.workers, progress))


if __name__ == "__main__":
    main()
