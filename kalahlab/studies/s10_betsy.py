"""Betsy: the printed combination of heuristics against its rivals."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from kalahlab.evaluators import Evaluator
from kalahlab.games import Game
from kalahlab.grid import Row, run_all
from kalahlab.matches import pairs
from kalahlab.matches.openings import random_openings
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.matches.rating import VERDICTS, Interval
from kalahlab.play import Player, search_player
from kalahlab.report.draw.forest import Look, forest
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.search import Depth, alpha_beta

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
    """The evaluator that knows nothing: its player sees as far as the search does."""
    return 0


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
        found = pairs.tally(islice(played, len(starts)))
        share = {"share": found["score"], "low": found["low"], "high": found["high"]}
        draws = found["draws"] / (2 * found["pairs"])
        rows.append({"rival": name, "depth": depth, **share, "draws": draws, "pairs": len(starts)})
    return rows


def judged(rows: Sequence[Row]) -> pd.DataFrame:
    """The rows as a table, one a rival and depth, with one of `VERDICTS` for each."""
    return pd.DataFrame(rows).assign(verdict=[Interval.of(row, "share").verdict() for row in rows])


def tally(frame: pd.DataFrame) -> pd.DataFrame:
    """How many rivals got which verdict, a row a depth."""
    counts = pd.crosstab(frame["depth"], frame["verdict"]).reindex(columns=VERDICTS, fill_value=0)
    return counts.rename_axis(columns=None)


def best(frame: pd.DataFrame, number: int) -> list[str]:
    """The rivals with the greatest shares, the greatest first; of equals the first."""
    return list(frame.sort_values("share", ascending=False, kind="stable")["rival"].head(number))


def says(frame: pd.DataFrame, rival: str) -> str:
    """A rival's shares with their intervals, in words."""
    return ", ".join(
        f"{Interval.of(row, 'share'):.0%} at depth {row['depth']}"
        for row in frame[frame["rival"] == rival].to_dict("records")
    )


def draw_rivals(matches: pd.DataFrame) -> Figure:
    """The shares of the points of all rivals of the printed combination."""
    return _draw(matches, "Each rival's share of the points, with intervals, by depth.")


def draw_final(matches: pd.DataFrame) -> Figure:
    """The shares of the points of the best, from fresh openings."""
    return _draw(matches, "The best rivals' share of the points from fresh openings.")


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
    figure.supxlabel("share of the points, with its 95 % interval", fontsize="medium")
    return alt(figure, text)


def on_betsy(matches: pd.DataFrame, final: pd.DataFrame, columns: int, fresh: int) -> str:
    """Whether the printed weights of Betsy's heuristics can be bettered, in words.

    matches: the rivals of the printed combination, `judged`; final: the best of them and those
    named below, again, from so many fresh openings.
    """
    better = best(final[final["verdict"] == "better"], 1)
    first = (better or best(final, 1))[0]
    answer = "**Yes**, by" if better else "**Not by anything tried here**, not even by"
    named = {
        "the two distances": "The two distances alone, for which the report has a feeling",
        "nothing at all": "Knowing nothing, which leaves everything to the search",
    }
    shares = "\n".join(
        f"- {said}: {says(matches, rival)}; from {fresh} fresh openings {says(final, rival)}."
        for rival, said in named.items()
    )
    return (
        f"On {columns} columns, against the printed combination, these shares of the points:\n\n"
        f"{shares}\n\nCan the weights be bettered? {answer} {first}: it wins "
        f"{says(final, first)} from openings that it was not chosen on."
    )
