"""A benchmark of positions from games of players of several strengths, each move judged exactly.

    python data/make/benchmark.py data/benchmark.csv.gz [--seed S] [--workers N]

Every game is drawn from the seed, its board, its rules and its number alone, and a value is exact
whoever finds it. So the file has the same bytes for every number of workers. To train with, draw
others: of another seed, and none that is in the file.

    played = sample_games([Plan(6, 4, "standard", games=500, seed=7)])
    rows = judge_all(distinct(played, without=read("benchmark.csv.gz")))
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from math import ceil
from pathlib import Path
from random import Random

from judge_positions import write

from kalahlab.engine.solver.exact import open_solver
from kalahlab.engine.solver.ledger import from_here
from kalahlab.games.kalah import PRESETS, Kalah, State, in_play
from kalahlab.games.notation import format_board, parse_board
from kalahlab.grid import Row, run_all
from kalahlab.judging.judged import PHASES, Judged, evaluate_positions
from kalahlab.play import LEVELS, parse_player, play_game, random_position

PARTS = ("train", "train", "validation", "test")
"""What games are for, in turn: to train, to choose between what was trained, and to test it."""

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
"""Who plays the games, as all commands name players, from weak to strong."""

RANDOM_PLIES = 10
"""The most random moves that a game begins with, so that the same players play many games."""

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
"""By pits a side and stones a pit, how many games are played under each preset of the rules, and
with how many stones in play, at most, positions are judged: with more, one takes seconds."""

CHUNK = 500
"""Positions that are judged by one solver: its table gains from games that are alike."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Games of Kalah(pits, stones) under a preset of the rules, drawn by a seed.

    most_stones: in play, of positions that are taken.
    """

    pits: int
    stones: int
    rules: str
    games: int
    seed: int = 0
    most_stones: int = 40


def sample_game(planned: tuple[Plan, int]) -> Row:
    """A plan's game of a number from 0, played: `positions`, those that are taken from it, without
    values; `openings`, how many of its positions are in the opening and have two moves or more, and
    `left_out`, how many of these have too many stones in play."""
    plan, number = planned
    game = Kalah(plan.pits, plan.stones, PRESETS[plan.rules])
    board = f"{plan.pits}-{plan.stones}-{plan.rules}"
    chance = Random(f"{plan.seed} {board} {number}")
    names = [chance.choice(STRENGTHS) for _ in range(2)]
    plies = chance.randint(0, RANDOM_PLIES)
    start = random_position(game, chance, plies)
    seeded = (
        f"{each}:{chance.randrange(1 << 30)}" if each in ("random", *LEVELS) else each
        for each in names
    )
    south, north = (parse_player(each, backend="engine") for each in seeded)
    every = [
        Judged(
            plan.rules,
            parse_board(format_board(state)),
            (),
            f"{board}-{number}",
            ply,
            names[state.player],
            names[1 - state.player],
            PARTS[number % len(PARTS)],
        )
        for ply, (state, _) in enumerate(play_game(game, south, north, start).choices, plies)
        if len(game.moves(state)) > 1
    ]
    few = [each for each in every if in_play(each.state.board) <= plan.most_stones]
    taken = sorted(chance.sample(range(len(few)), min(PER_GAME, len(few))))
    openings = [each for each in every if each.phase == PHASES[0]]
    return {
        "board": (plan.pits, plan.stones),
        "positions": [few[at] for at in taken],
        "openings": len(openings),
        "left_out": sum(in_play(each.state.board) > plan.most_stones for each in openings),
    }


def sample_games(plans: Iterable[Plan], workers: int = 1, progress: bool = False) -> list[Row]:
    every = [(plan, number) for plan in plans for number in range(plan.games)]
    return run_all(sample_game, every, workers, progress=progress)


def distinct(played: Iterable[Row], without: Iterable[Judged] = ()) -> list[Judged]:
    """The positions of games that are new: those with other pits than all before and `without`."""
    excluded = {from_here(each.state)[0] for each in without}
    found: dict[tuple[str, State], Judged] = {}
    for each in (each for row in played for each in row["positions"]):
        found.setdefault((each.rules, from_here(each.state)[0]), each)
    return [each for (_, position), each in found.items() if position not in excluded]


def judge_all(
    positions: Iterable[Judged],
    workers: int = 1,
    progress: bool = False,
    database_stones: int = 20,
) -> list[Judged]:
    """Each position with the value of each move, in an order by pits and rules.

    database_stones: of the endgame database, which is made if the user's cache has none.
    """

    def alike(each: Judged) -> tuple[int, str]:
        return each.start[0], each.rules

    groups = ([*rows] for _, rows in groupby(sorted(positions, key=alike), alike))
    chunks = [rows[at : at + CHUNK] for rows in groups for at in range(0, len(rows), CHUNK)]
    work = partial(judge_chunk, database_stones=database_stones)
    found = run_all(work, chunks, workers, progress=progress)
    return [row for each in found for row in each["rows"]]


def judge_chunk(chunk: Sequence[Judged], database_stones: int) -> Row:
    """Positions of one number of pits under one preset, with the values of their moves: `rows`."""
    (pits, _), rules = chunk[0].start, chunk[0].rules
    with open_solver(pits, PRESETS[rules], database_stones=database_stones, workers=1) as solver:
        found = evaluate_positions(solver, (each.state for each in chunk), rules)
        pairs = zip(chunk, found, strict=True)
        return {"rows": [replace(each, moves=row.moves) for each, row in pairs]}


def main() -> None:
    """Play the games of `BOARDS` under both rules, and judge positions of them."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the file, gzipped CSV")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of the games, for a trial")
    given = parser.parse_args()
    progress = sys.stderr.isatty()
    plans = [
        Plan(*board, rules, ceil(count * given.share), given.seed, most_stones)
        for rules in PRESETS
        for board, (count, most_stones) in BOARDS.items()
    ]
    played = sample_games(plans, given.workers, progress)
    for board in BOARDS:
        rows = [row for row in played if row["board"] == board]
        every, left_out = (sum(row[name] for row in rows) for name in ("openings", "left_out"))
        print(f"{board}: {left_out / every:.1%} of the openings are left out")
    write(given.out, judge_all(distinct(played), given.workers, progress))


if __name__ == "__main__":
    main()
