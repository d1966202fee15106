"""`kalahlab judge`."""

import sys
from collections.abc import Mapping
from typing import Any

import click

from kalahlab.cli.parameters import PLAYER, Read, as_json, players_backend_option, preset_option
from kalahlab.cli.text import grid_text, of_players, print_answer
from kalahlab.names import parse_int


def board_at_start(text: str) -> tuple[int, int]:
    words = text.split(",")
    if len(words) != 2:
        raise ValueError(f"{text!r} is no board; use pits and stones, such as 6,4")
    return parse_int(words[0], "pits"), parse_int(words[1], "stones")


@click.command()
@click.argument("player", type=PLAYER)
@click.option(
    "--set",
    "part",
    type=click.Choice(["train", "validation", "test", "all"]),
    default="test",
    help="Which games' positions: those to train, to choose and to test evaluators with.",
)
@click.option(
    "--board",
    type=Read("PITS,STONES", board_at_start),
    help="Only games that began on it.  [default: all boards]",
)
@preset_option
@players_backend_option
@as_json
def judge(
    player: str, part: str, board: tuple[int, int] | None, rules: str, backend: str, as_json: bool
) -> None:
    """Judge the moves of PLAYER by perfect play, on solved positions of Kalah.

    PLAYER is as in `kalahlab match`, or the import path of a function of a game and a state whose
    value is a move, a pit from 0. Of equally good moves counts the one that it plays.

    optimal: the share of moves that are worth most; kept: of those after which the same side wins,
    or nobody does; regret: the stones that a move gives up. Each has a 95 % interval, for which the
    positions of one game count as one piece. Opening, middle and end: more than two thirds of the
    stones are in play, more than a third, or fewer. The positions are those of
    data/benchmark.csv.gz.
    """
    import numpy as np
    from tqdm import tqdm

    from kalahlab.judging.judged import read
    from kalahlab.judging.regret import judge_player, summarize
    from kalahlab.play import parse_player

    moves = parse_player(player, backend=backend)
    rows = [
        row
        for row in read("benchmark.csv.gz")
        if row.rules == rules and row.game and part in (row.part, "all")
    ]
    boards = sorted({row.start for row in rows})
    if board is not None and board not in boards:
        raise ValueError(f"no positions of {board}; there are {', '.join(map(str, boards))}")
    rows = [row for row in rows if board in (None, row.start)]
    shown = tqdm(rows, unit="position", disable=not sys.stderr.isatty())
    found = summarize(judge_player(moves, shown))
    algorithms, limits = of_players([player])
    answer = {
        "game": "kalah",
        "player": player,
        "board": ["{},{}".format(*each) for each in ([board] if board else boards)],
        "rules": rules,
        "algorithm": algorithms[0],
        "depth": limits[0],
        "set": part,
        # JSON has no infinity, which ends the interval of a single game
        "results": found.astype(object).replace([np.inf, -np.inf], None).to_dict("records"),
    }
    table = grid_text([*map(readable, found.to_dict("records"))])
    print_answer(answer, as_json, f"{player}\n{part} positions, {rules} rules\n\n{table}")


def readable(row: Mapping[Any, Any]) -> dict[str, Any]:
    """A row for a person, within 80 columns."""
    cells = {
        name: "{:.2f} ({:.2f} to {:.2f})".format(
            *(row[name + end] for end in ("", "_low", "_high"))
        )
        for name in ("optimal", "kept", "regret")
    }
    return {"": row["of"], "n": row["positions"]} | cells
