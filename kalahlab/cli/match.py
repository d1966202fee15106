"""`kalahlab match` and `kalahlab tournament`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from kalahlab.cli.parameters import FOLDER, as_json, at_least, options
from kalahlab.cli.text import grid_text, print_answer
from kalahlab.games.kalah import PRESETS

match_options = options(
    click.option(
        "--openings",
        type=at_least(1, "openings"),
        default="16",
        help="How many fair openings, each played twice with sides exchanged.",
    ),
    click.option("--rules", type=click.Choice([*PRESETS]), default="standard"),
    click.option(
        "--backend",
        default="engine",
        help="engine, where it can search so, or textbook, for players without @BACKEND.",
    ),
    click.option("--workers", type=at_least(1, "workers"), default="1"),
    click.option(
        "--out",
        type=FOLDER,
        help="A folder to keep what is finished in; a run of the same goes on from it.",
    ),
    as_json,
)


@click.command()
@click.argument("one")
@click.argument("other")
@match_options
def match(one: str, other: str, as_json: bool, **settings: Any) -> None:
    """Play a match of two players from fair openings of Kalah(6,4).

    A player is ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][:ties=SEED][@BACKEND] or random:SEED;
    LIMIT is a depth, nodes a move (5000n) or milliseconds a move (1000ms). The score has a 95 %
    interval; p is how likely equals would score so far from 1/2.
    """
    from kalahlab.matches.tournament import matches

    (row,) = matches(play([one, other], **settings))
    print_answer(
        row, as_json, f"{one}\nagainst {other}\n\n{grid_text([readable(row)])}{late([row])}"
    )


@click.command()
@click.argument("players", nargs=-1, required=True)
@match_options
def tournament(players: tuple[str, ...], as_json: bool, **settings: Any) -> None:
    """Play a round robin of PLAYERS, as `kalahlab match` plays two.

    Prints the standings, with Elo about a mean of 0, and the cross table.
    """
    from kalahlab.matches.tournament import cross_table, matches, standings

    rows = play(players, **settings)
    answer = {"standings": standings(rows), "matches": matches(rows)}
    ranked = list(enumerate(answer["standings"], 1))
    names = "\n".join(f"{place}. {row['player']}" for place, row in ranked)
    places = grid_text([{"": f"{place}.", **readable(row)} for place, row in ranked])
    table = f"Score against\n{grid_text(crossed(cross_table(rows)))}"
    late_ones = late(answer["standings"])
    print_answer(answer, as_json, f"{names}\n\n{places}{late_ones}\n\n{table}")


def crossed(table: Any) -> list[dict[str, Any]]:
    """The cross table, its rows and columns known by their place."""
    return [
        {"": f"{place}."}
        | {f"{other}.": "-" if other == place else f"{c:.3f}" for other, c in enumerate(cells, 1)}
        for place, cells in enumerate(table.to_numpy(), 1)
    ]


def play(
    players: Sequence[str], rules: str, openings: int, backend: str, workers: int, out: Path | None
) -> list[dict[str, Any]]:
    """The pairs of a match or a round robin."""
    from kalahlab.grid import run_all
    from kalahlab.matches.pairs import play_pair
    from kalahlab.matches.tournament import round_robin

    wanted = round_robin(players, rules, openings, backend)
    return run_all(play_pair, wanted, workers, folder=out, progress=sys.stderr.isatty())


def readable(row: dict[str, Any]) -> dict[str, Any]:
    """A row for a person, within 80 columns: no names, each interval behind its estimate."""
    from kalahlab.matches.rating import Interval

    kept = {
        "pairs": row["pairs"],
        "w-d-l": f"{row['wins']}-{row['draws']}-{row['losses']}",
        "margin": None if row["margin"] is None else f"{row['margin']:+.1f}",
        "score": f"{Interval.of(row):.3f}",
        "p": f"{row['p']:.3f}",
    }
    if "elo" in row:
        kept["elo"] = f"{Interval.of(row, 'elo', ('elo_low', 'elo_high')):+.0f}"
    return kept


def late(rows: Sequence[dict[str, Any]]) -> str:
    """How many games were lost on time, if any were."""
    lost = sum(row["lost_on_time"] for row in rows)
    return f"\nlost on time: {lost:,}" if lost else ""
