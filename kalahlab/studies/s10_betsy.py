"""Betsy: the program's combination of heuristics against its rivals."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product
from random import Random
from statistics import fmean
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.betsy import EVALUATORS, HEURISTICS
from kalahlab.games import Game
from kalahlab.games.betsy import Betsy, State, columns_of, pebbles
from kalahlab.grid import Row, run_all
from kalahlab.matches import pairs
from kalahlab.matches.openings import random_openings
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.matches.rating import VERDICTS, Interval, mean_of, verdicts
from kalahlab.play import Player, random_position, search_player
from kalahlab.report.draw.forest import Look, forest
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.search import Depth, alpha_beta
from kalahlab.words import Words, tables

say = Words("studies", "s10_betsy")

FOLLOWS = say("follows")
"""The last paragraph of the page: where it goes on."""

LOOKS: dict[str, Look] = {
    "worse": {"fmt": "<", "color": PALETTE["vermilion"], "linewidth": 1.5},
    "not told apart": {"fmt": "o", "color": PALETTE["black"], "linewidth": 1.5},
    "better": {"fmt": ">", "color": PALETTE["blue"], "linewidth": 1.5},
}
"""How the interval of each of `VERDICTS` is drawn."""


def openings(game: Game, number: int, moves: int, seed: int) -> list[Any]:
    """`random_openings` in which neither player can force a win in two moves."""

    def undecided(state: Any) -> bool:
        return alpha_beta(game, state, nothing, Depth(2)).value == 0

    return [*random_openings(game, number, moves, seed, undecided)]


def nothing(board: Sequence[float], player: int) -> float:
    """The evaluator that is always 0: its player sees wins within its search, and nothing else."""
    return 0


def states(columns: int, number: int) -> list[State]:
    """Random positions of one game each, after 0 to 3n(n + 3)/2 moves; the same each time."""
    game, most = Betsy(columns), 3 * pebbles(columns)
    return [
        random_position(game, Random(f"{columns} {each}"), each * most // number)
        for each in range(number)
    ]


def rule_table(sizes: Iterable[int], number: int = 300) -> list[Row]:
    """What the report says of moves and pebbles, a row a size, beside what is found.

    most moves seen: in `number` random positions, of the player to move.
    """
    return [
        {
            "columns": n,
            "cells": n * (n + 3),
            "pebbles, printed": n * (n - 3) // 2,
            "pebbles, meant": pebbles(n),
            "most moves seen": max(len(Betsy(n).moves(state)) for state in states(n, number)),
            "2n": 2 * n,
        }
        for n in sizes
    ]


def readings(sizes: Iterable[int], number: int) -> pd.DataFrame:
    """The share of random boards, from either side, on which program and text disagree.

    A row a heuristic that has two readings, a column a size.
    """
    pairs = {
        name: (heuristic, EVALUATORS[f"{name}_in_words"])
        for name, heuristic in HEURISTICS.items()
        if f"{name}_in_words" in EVALUATORS
    }
    boards = {n: [*product([state.board for state in states(n, number)], (0, 1))] for n in sizes}
    return pd.DataFrame(
        {
            n: {
                name: fmean(one(*at) != two(*at) for at in seen)
                for name, (one, two) in pairs.items()
            }
            for n, seen in boards.items()
        }
    )


def win_table(columns: int, farthest: int, largest: float) -> list[Row]:
    """What a win is worth so many moves away, as the report divides it and as it is here.

    largest: the farthest from 0 that the heuristics' combination was found to be.
    """
    game, won = Betsy(columns), 2 * columns * (columns + 3)
    line = State((1,) * columns + (0,) * columns * (columns + 2), 1, 0)
    return [
        {
            "moves away": moves,
            "divided by the depth": won / moves,
            "here": game.margin(line._replace(left=game.limit - moves), 0),
            "above all heuristics": "yes" if won / moves > largest else "no",
        }
        for moves in range(1, farthest + 1)
    ]


def forced(starts: Iterable[State], depth: int) -> list[tuple[State, int]]:
    """Positions in which a player can force a win in so many moves: 1 if the mover, -1 if not."""
    found = []
    for state in starts:
        game = Betsy(columns_of(state.board))
        if not game.over(state):
            value = alpha_beta(game, state, nothing, Depth(depth)).value
            found.append((state, (value > 0) - (value < 0)))
    return [(state, sign) for state, sign in found if sign]


def signs(found: Sequence[tuple[State, int]]) -> pd.DataFrame:
    """How often each heuristic favours who can force a win, the other one, or neither.

    found: of `forced`. A row a heuristic, from the mover's side.
    """
    rows = {}
    for name, heuristic in HEURISTICS.items():
        agree = [heuristic(state.board, state.player) * sign for state, sign in found]
        right, wrong = sum(each > 0 for each in agree), sum(each < 0 for each in agree)
        rows[name] = {"right": right, "wrong": wrong, "says nothing": len(agree) - right - wrong}
    return pd.DataFrame(rows).T


def against(
    game: Game,
    rivals: Mapping[str, Evaluator],
    champion: Evaluator,
    depth: int,
    starts: Sequence[Any],
    workers: int = 1,
) -> list[Row]:
    """Each rival's match with the champion from the same openings, a row a rival.

    share, low, high: the rival's points, see `rating.score`. draws: the share of drawn games.
    points: of each pair, in the order of the openings.
    """

    def player(evaluator: Evaluator) -> Player:
        return search_player(alpha_beta, evaluator, Depth(depth))

    meetings = [
        Pair(player(rival), player(champion), start, game)
        for rival in rivals.values()
        for start in starts
    ]
    played = iter(run_all(play_pair, meetings, workers))
    rows = []
    for name in rivals:
        games = [*islice(played, len(starts))]
        found, points = pairs.tally(games), tuple(game["points"] for game in games)
        share = {"share": found["score"], "low": found["low"], "high": found["high"]}
        draws = found["draws"] / (2 * found["pairs"])
        more = {"draws": draws, "pairs": len(starts), "points": points}
        rows.append({"rival": name, "depth": depth} | share | more)
    return rows


def judged(rows: Sequence[Row]) -> pd.DataFrame:
    """The rows as a table, one a rival and depth, with one of `VERDICTS` for each.

    p, verdict: of all rows as one family, see `verdicts` of `kalahlab.matches.rating`.
    """
    found = verdicts([row["points"] for row in rows])
    return pd.DataFrame(rows).assign(p=[p for p, _ in found], verdict=[said for _, said in found])


def table(frame: pd.DataFrame) -> pd.DataFrame:
    """`judged` as it is shown, without the points of each pair."""
    return frame.drop(columns="points")


def tally(frame: pd.DataFrame) -> pd.DataFrame:
    """How many rivals got which verdict, a row a depth."""
    counts = pd.crosstab(frame["depth"], frame["verdict"]).reindex(columns=VERDICTS, fill_value=0)
    return counts.rename_axis(columns=None)


def best(frame: pd.DataFrame, number: int) -> list[str]:
    """The rivals with the greatest shares, the greatest first; of equals the first."""
    return list(frame.sort_values("share", ascending=False, kind="stable")["rival"].head(number))


def _first(final: pd.DataFrame) -> tuple[Mapping[Any, Any], bool]:
    """The first row of the best rival, of those that are better if any is; and whether one is."""
    better = best(final[final["verdict"] == "better"], 1)
    first = (better or best(final, 1))[0]
    return next(row for row in final.to_dict("records") if row["rival"] == first), bool(better)


def says(frame: pd.DataFrame, rival: str) -> str:
    """A rival's shares with their intervals, in words."""
    return ", ".join(
        f"{Interval.of(row, 'share'):.0%} at depth {row['depth']}"
        for row in frame[frame["rival"] == rival].to_dict("records")
    )


def on_alike(matches: pd.DataFrame) -> str:
    """Which rivals have the same points in every pair, by depth, in words."""
    said = []
    for depth, rows in matches.groupby("depth"):
        groups = [list(names) for _, names in rows.groupby("points", sort=False)["rival"]]
        same = "; ".join(", ".join(names) for names in groups if len(names) > 1)
        if same:
            said.append(f"at depth {depth} {same}")
    if not said:
        return "No two rivals have the same points in every pair."
    return f"These rivals have the same points in every pair: {'. And '.join(said)}."


def draw_rivals(matches: pd.DataFrame) -> Figure:
    """The shares of the points of all rivals of the program's combination."""
    return _draw(matches, say("draw-rivals"))


def draw_final(matches: pd.DataFrame) -> Figure:
    """The shares of the points of the best, from fresh openings."""
    return _draw(matches, say("draw-final"))


def _draw(frame: pd.DataFrame, text: str) -> Figure:
    """Each rival's share with its interval, a panel for each depth. frame: `judged`."""
    depths, rivals = sorted(frame["depth"].unique()), list(dict.fromkeys(frame["rival"]))
    figure, axes = forest(
        [[frame[frame["depth"] == depth] for depth in depths]], rivals, "rival",
        ("verdict", LOOKS), (8, 1.3 + 0.28 * len(rivals)), columns=("share", "low", "high"),
        line={"x": 0.5, "linestyle": "--"}, sharex=True,
    )  # fmt: skip
    for ax, depth in zip(axes[0], depths, strict=True):
        ax.set(title=f"depth {depth}", xlim=(0, 1), xticks=(0, 0.25, 0.5, 0.75))
        ax.xaxis.set_major_formatter(PercentFormatter(1))
    looks = ({"color": look["color"], "marker": look["fmt"]} for look in LOOKS.values())
    marks = [Line2D([], [], linestyle="", **look) for look in looks]
    figure.legend(marks, VERDICTS, loc="outside upper right", ncols=len(VERDICTS))
    label = "share of the points, with its 95 % interval (marks: corrected for all rivals)"
    figure.supxlabel(label, fontsize="medium")
    return alt(figure, text)


NAMED: dict[str, str] = tables("studies")["rivals"]
"""The rivals that the answer speaks of."""


def on_betsy(matches: pd.DataFrame, final: pd.DataFrame, columns: int) -> str:
    """Whether the weights of Betsy's program can be bettered, in words.

    matches: the rivals of the program's combination, `judged`; final: the best of them and the
    player that knows nothing, again, from fresh openings.
    """
    shares = "\n".join(
        f"- {said}: {says(matches, rival)}."
        for rival, said in NAMED.items()
        if rival in {*matches["rival"]}
    )
    found = {"ratios": on_ratios(matches), "worse": on_worse(matches)}
    best = on_final(final, matches)
    return say("answer", best=best, columns=columns, shares=shares, **found)


def finding(final: pd.DataFrame, matches: pd.DataFrame, columns: int) -> str:
    """Whether better weights were found, and the best share, in one sentence."""
    row, better = _first(final)
    tried, share = matches["rival"].nunique(), Interval.of(row, "share")
    name = "finding-better" if better else "finding-none"
    return say(name, columns=columns, row=row, share=share, tried=tried)


def on_ratios(matches: pd.DataFrame) -> str:
    """What came out of the two distances in several ratios, by depth, in a sentence."""
    tried = matches[matches["rival"].str.startswith("distances ")]
    counts = [
        f"{row['better']} better and {row['worse']} worse at depth {depth}"
        for depth, row in tally(tried).iterrows()
    ]
    found = "some are" if (tried["verdict"] == "better").any() else "none is shown to be"
    return say("ratios", ratios=tried["rival"].nunique(), found=found, counts=counts)


def on_worse(matches: pd.DataFrame) -> str:
    """Which of all rivals did worse, by depth, in a sentence."""
    worse = matches[matches["verdict"] == "worse"].groupby("depth")["rival"].agg(", ".join)
    listed = "; ".join(f"at depth {depth} {names}" for depth, names in worse.items())
    return f"Worse than it: {listed}." if listed else "No rival is shown to be worse than it."


def on_final(final: pd.DataFrame, matches: pd.DataFrame) -> str:
    """Who was better again from fresh openings, and whether weights or the search did it.

    matches: what the rivals scored from the first openings.
    """
    row, better = _first(final)
    first, before = row["rival"], ""
    if first in {*matches["rival"]}:
        before = f" From the first openings it had {says(matches, first)}."
    said = say("final", row=row, share=Interval.of(row, "share"), before=before)
    if not better:
        return f"**Not by anything tried here**: the best is {said}"
    return f"**Yes**, by {said} {on_nothing(row, final)}"


def on_nothing(row: Mapping[Any, Any], final: pd.DataFrame) -> str:
    """Whether a rival does better than the player that knows nothing, from the same openings."""
    if row["rival"] == "nothing at all":
        return say("nothing-is-best")
    (other,) = final[final["rival"] == "nothing at all"].to_dict("records")
    more = mean_of([one - two for one, two in zip(row["points"], other["points"], strict=True)])
    shown = say(f"than-nothing-{more.verdict(0).replace(' ', '-')}")
    return say("than-nothing", share=Interval.of(other, "share"), more=more, shown=shown)
