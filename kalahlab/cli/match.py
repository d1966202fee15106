"""`kalahlab match` and `kalahlab tournament`."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from kalahlab.cli.parameters import FOLDER, PLAYER, as_json, at_least, options, workers_option
from kalahlab.cli.text import grid_text, of_players, print_answer, say, setting
from kalahlab.games.kalah import PRESETS, Kalah

MOST = 2000
"""Openings that a sequential test may take."""

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
    workers_option(default="1"),
    click.option(
        "--out",
        type=FOLDER,
        help="A folder to keep what is finished in; a run of the same goes on from it.",
    ),
    as_json,
)


class Bounds(click.ParamType[tuple[float, float]]):
    """Two numbers with a comma between them."""

    name = "LOW,HIGH"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[float, float]:
        """The two numbers."""
        words = str(value).split(",")
        try:
            low, high = map(float, words)
        except ValueError:
            self.fail(f"{value!r} is not LOW,HIGH; use two numbers, such as 0,20")
        if not -200 <= low < high <= 200:  # beyond, the fit of a hypothesis may not converge
            self.fail(f"{value!r}; the first must be the lower one, both from -200 to 200")
        return low, high


@click.command()
@click.argument("one", type=PLAYER)
@click.argument("other", type=PLAYER)
@match_options
@click.option(
    "--sprt",
    type=Bounds(),
    help="Stop as soon as ONE is shown to be LOW or HIGH points of normalized Elo stronger; "
    "--openings is then the most openings, 2000 unless given.",
)
@click.pass_context
def match(
    context: click.Context,
    /,
    one: str,
    other: str,
    as_json: bool,
    sprt: tuple[float, float] | None,
    **settings: Any,
) -> None:
    """Play a match of two players from fair openings of Kalah(6,4).

    A player is ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][:ties=SEED][@BACKEND] or random:SEED;
    LIMIT is a depth, nodes a move (5000n) or milliseconds a move (1000ms). The score has a 95 %
    interval; p is how likely equals would score so far from 1/2.

    With --sprt the match ends when a sequential test of pairs of games is decided; it errs in at
    most 5 % of the matches. From the 65th on, openings are even by a shallow search only.
    """
    from kalahlab.matches.tournament import matches

    if sprt and context.get_parameter_source("openings") is ParameterSource.DEFAULT:
        settings["openings"] = MOST
    players, test = [one, other], dict[str, Any]()
    if sprt:
        rows, test = sequentially(players, sprt, **settings)
    else:
        rows = play(players, **settings)
    (row,) = matches(rows)
    text = f"{one}\nagainst {other}\n\n{grid_text([readable(row)])}{late([row])}"
    print_answer(
        about(players, settings) | row | test, as_json, text + (lines(test) if test else "")
    )


def about(players: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Any]:
    """What an answer for a machine is about."""
    game = Kalah(6, 4, PRESETS[settings["rules"]])
    return setting(game, game.start(), *of_players(players))


def lines(test: dict[str, Any]) -> str:
    """What a sequential test found, for a person."""
    low, high = test["sprt"]
    return (
        f"\n\npairs by points 0, 1/2, 1, 3/2, 2: {', '.join(map(str, test['outcomes']))}\n"
        f"LLR {test['llr']:+.2f} of {low:g} against {high:g}, "
        f"decided at {test['llr_bound']:.2f} or {-test['llr_bound']:.2f}\n"
        f"verdict in normalized Elo: {test['verdict']}"
    )


@click.command()
@click.argument("players", nargs=-1, required=True, type=PLAYER)
@match_options
def tournament(players: tuple[str, ...], as_json: bool, **settings: Any) -> None:
    """Play a round robin of PLAYERS, as `kalahlab match` plays two.

    Prints the standings, with Elo about a mean of 0, and the cross table.
    """
    from kalahlab.matches.tournament import cross_table, matches, standings

    rows = play(players, **settings)
    answer = about(players, settings)
    answer |= {"standings": standings(rows), "matches": matches(rows)}
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


def sequentially(
    players: Sequence[str],
    bounds: tuple[float, float],
    rules: str,
    openings: int,
    backend: str,
    workers: int,
    out: Path | None,
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The pairs of a match up to the batch that decides the test, and what it found."""
    from kalahlab.grid import processes, run_all
    from kalahlab.matches.openings import even_openings
    from kalahlab.matches.pairs import play_pair
    from kalahlab.matches.sequential import Sequential, played
    from kalahlab.matches.tournament import round_robin

    test = Sequential(*bounds)
    wanted = round_robin(players, rules, openings, backend, even_openings)
    with processes(workers) if workers > 1 else nullcontext() as executor:

        def play_batch(pairs: Sequence[Any]) -> list[dict[str, Any]]:
            if sys.stderr.isatty():
                say(f"{sum(test.counts):6} pairs, LLR {test.llr:+.2f}", err=True)
            return run_all(play_pair, pairs, executor=executor, folder=out)

        return played(test, wanted, play_batch), test.row()


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
