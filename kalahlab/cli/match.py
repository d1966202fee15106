"""`kalahlab match` and `kalahlab tournament`."""

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from kalahlab.cli.parameters import (
    FOLDER,
    PLAYER,
    Read,
    as_json,
    at_least,
    options,
    players_backend_option,
    preset_option,
    workers_option,
)
from kalahlab.cli.text import grid_text, of_players, print_answer, say, setting
from kalahlab.games.kalah import PRESETS, Kalah

MOST = 2000  # openings that a sequential test may take

match_options = options(
    click.option(
        "--openings",
        type=at_least(1, "openings"),
        default="16",
        help="How many fair openings, each played twice with sides exchanged.",
    ),
    preset_option,
    players_backend_option,
    workers_option(default="1"),
    click.option(
        "--out",
        type=FOLDER,
        help="A folder to keep what is finished in; a run of the same goes on from it.",
    ),
    as_json,
)


def bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"{text!r} is not LOW,HIGH; use two numbers, such as 0,20") from None
    if not -200 <= low < high <= 200:  # beyond, the fit of a hypothesis may not converge
        raise ValueError(f"{text!r}; the first must be the lower one, both from -200 to 200")
    return low, high


@click.command()
@click.argument("one", type=PLAYER)
@click.argument("other", type=PLAYER)
@match_options
@click.option(
    "--sprt",
    type=Read("LOW,HIGH", bounds),
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
    games, test = played((one, other), sprt, **settings)
    (row,) = matches(games)
    text = f"{one}\nagainst {other}\n\n{tallies([row])}"
    if test:
        low, high = test["sprt"]
        text += (
            f"\n\npairs by points 0, 1/2, 1, 3/2, 2: {', '.join(map(str, test['outcomes']))}\n"
            f"LLR {test['llr']:+.2f} of {low:g} against {high:g}, "
            f"decided at {test['llr_bound']:.2f} or {-test['llr_bound']:.2f}\n"
            f"verdict in normalized Elo: {test['verdict']}"
        )
    print_answer(about((one, other), settings["rules"]) | row | test, as_json, text)


@click.command()
@click.argument("players", nargs=-1, required=True, type=PLAYER)
@match_options
def tournament(players: tuple[str, ...], as_json: bool, **settings: Any) -> None:
    """Play a round robin of PLAYERS, as `kalahlab match` plays two.

    Prints the standings, with Elo about a mean of 0, and the cross table.
    """
    from kalahlab.matches.tournament import cross_table, matches, standings

    games, _ = played(players, None, **settings)
    ranked = standings(games)
    answer = about(players, settings["rules"])
    answer |= {"standings": ranked, "matches": matches(games)}
    places = [f"{place}." for place in range(1, len(ranked) + 1)]
    names = "\n".join(f"{at} {row['player']}" for at, row in zip(places, ranked, strict=True))
    cross = cross_table(games).map("{:.3f}".format).replace("nan", "-").set_axis(places, axis=1)
    cross.insert(0, "", places)
    table = f"Score against\n{grid_text(cross.to_dict('records'))}"
    print_answer(answer, as_json, f"{names}\n\n{tallies(ranked, places)}\n\n{table}")


def about(players: Sequence[str], rules: str) -> dict[str, Any]:
    game = Kalah(6, 4, PRESETS[rules])
    return setting(game, game.start(), *of_players(players))


def played(
    players: Sequence[str],
    sprt: tuple[float, float] | None,
    rules: str,
    openings: int,
    backend: str,
    workers: int,
    out: Path | None,
) -> tuple[Any, dict[str, Any]]:
    """The pairs of games of a match or a round robin, and what a sequential test of them found.

    With a test, they go up to the batch of pairs that decides it.
    """
    from kalahlab.grid import processes
    from kalahlab.matches.openings import even_openings, fair_openings
    from kalahlab.matches.pairs import play_pairs
    from kalahlab.matches.sequential import Sequential, play_until_decided
    from kalahlab.matches.tournament import round_robin

    shown, find = sys.stderr.isatty(), even_openings if sprt else fair_openings
    pairs = round_robin(players, rules, openings, backend, find)
    if sprt is None:
        return play_pairs(pairs, workers, folder=out, progress=shown), {}
    test = Sequential(*sprt)
    with processes(workers) if workers > 1 else nullcontext() as executor:

        def play_batch(pairs: Sequence[Any]) -> Any:
            if shown:
                say(f"{sum(test.counts):6} pairs, LLR {test.llr:+.2f}", err=True)
            return play_pairs(pairs, executor=executor, folder=out)

        return play_until_decided(test, pairs, play_batch), test.row()


def tallies(rows: Sequence[dict[str, Any]], places: Sequence[str] = ()) -> str:
    """Tallies for a person, within 80 columns: no names, each interval behind its estimate."""
    from kalahlab.matches.rating import Interval

    table: list[dict[str, Any]] = []
    for number, row in enumerate(rows):
        shown = {"": places[number]} if places else {}
        shown |= {
            "pairs": row["pairs"],
            "w-d-l": f"{row['wins']}-{row['draws']}-{row['losses']}",
            "margin": "-" if row["margin"] is None else f"{row['margin']:+.1f}",
            "score": f"{Interval(row['score'], row['low'], row['high']):.3f}",
            "p": f"{row['p']:.3f}",
        }
        if "elo" in row:
            shown["elo"] = f"{Interval(row['elo'], row['elo_low'], row['elo_high']):+.0f}"
        table.append(shown)
    late = sum(row["lost_on_time"] for row in rows)
    return grid_text(table) + (f"\nlost on time: {late:,}" if late else "")
