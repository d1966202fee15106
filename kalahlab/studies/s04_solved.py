"""Solved games beside what was published, what solving costs, and who plays perfectly."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from scipy.stats import linregress

from kalahlab.published.comparison import solved_published
from kalahlab.report.draw.axes import panels, whole_numbers
from kalahlab.report.draw.heat_map import margin_maps
from kalahlab.report.draw.style import PALETTE, alt

BOARD = ["pits", "stones"]


def beside(solved: pd.DataFrame) -> pd.DataFrame:
    """Our values and what the CS5329 report and Irving's paper print; `agrees` with both.

    solved: `solver.solved_table.Row`s, one a board under each of the two rules. Both sources mean
    the empty-capture rule. W, L, D: the first player wins, loses, draws.
    """
    ours = solved.pivot(index=BOARD, columns="rules", values="value")
    printed = pd.DataFrame(solved_published()).set_index(BOARD)
    table = ours.join(printed, how="left")
    table["agrees"] = [
        _agrees(row["empty-capture"], row["cs5329"], row["irving"], row["irving_margin"])
        for row in table.to_dict("records")
    ]
    return table.astype({"irving_margin": "Int64"})


def _agrees(value: int, cs5329: str, irving: str | None, margin: float | None) -> bool:
    verdict = "W" if value > 0 else "L" if value < 0 else "D"
    return {cs5329, irving or cs5329} == {verdict} and (pd.isna(margin) or margin == value)


def agreement(table: pd.DataFrame) -> str:
    """How many boards agree with the printed tables, in words."""
    margins = int(table["irving_margin"].notna().sum())
    return (
        f"{int(table['agrees'].sum())} of {len(table)} boards come out as both documents print "
        f"them, {margins} of them with the margin in stones."
    )


def where_rules_differ(solved: pd.DataFrame) -> pd.DataFrame:
    """The boards whose value the capture rule changes, in stones."""
    values = solved.pivot(index=BOARD, columns="rules", values="value")
    values["banking a lone stone adds"] = values["empty-capture"] - values["standard"]
    return values[values["empty-capture"] != values["standard"]]


def tempting(solved: pd.DataFrame) -> pd.DataFrame:
    """For each rule: how many opening moves there are, how many are best, what the rest cost.

    Boards of 2 pits and more. `worst` is the most stones that an opening move gives up.
    """
    moves = solved[solved["pits"] > 1].explode("moves", ignore_index=True)
    regret = moves["value"] - moves["moves"].astype(int)
    groups = moves.assign(regret=regret, best=regret == 0).groupby("rules", sort=False)
    return groups.agg(
        openings=("best", "size"),
        best=("best", "sum"),
        mean=("regret", "mean"),
        worst=("regret", "max"),
    )


def log_fit(frame: pd.DataFrame, by: str, column: str) -> tuple[float, "pd.Series[float]"]:
    """A least-squares fit of a cost's logarithm: the factor for one more of `by`, and the costs."""
    line = linregress(frame[by], np.log10(frame[column]))
    return float(10**line.slope), 10 ** (line.intercept + line.slope * frame[by])


def summed_up(given: pd.DataFrame) -> pd.DataFrame:
    """For each game and player: moves judged, share of perfect ones, stones given up."""
    groups = given.assign(perfect=given["regret"] == 0).groupby(["game", "player"], sort=False)
    return groups.agg(
        judged=("move", "size"),
        perfect=("perfect", "mean"),
        regret=("regret", "sum"),
        worst=("regret", "max"),
    )


def costs(by_stones: pd.DataFrame, by_database: pd.DataFrame) -> str:
    """The fitted growth of nodes and of the database, in words."""
    fits = [
        f"on {pits} pits a side a stone more in play multiplies the nodes by "
        f"{log_fit(rows, 'in_play', 'nodes')[0]:.2f}"
        for pits, rows in by_stones.groupby("pits")
        if len(rows) > 1
    ]
    searched = by_database[by_database["nodes"] > 0]
    larger, _ = log_fit(by_database, "database_stones", "positions")
    fewer, _ = log_fit(searched, "database_stones", "nodes")
    return (
        f"Fitted: {'; '.join(fits)}. A stone more in the database multiplies its positions by "
        f"{larger:.2f} and divides the nodes by {1 / fewer:.2f}."
    )


def draw_values(solved: pd.DataFrame) -> Figure:
    """The value of each solved game: pits against stones, a panel a rule set."""
    figure = margin_maps(
        solved, "pits", "stones", "value", down="pits a side", across="stones a pit"
    )
    return alt(figure, "The first player's margin by pits and stones, under both rules.")


def draw_costs(by_stones: pd.DataFrame, by_database: pd.DataFrame) -> Figure:
    """What solving costs: nodes as boards grow, and nodes against the database's size.

    by_stones: rows of `in_play`, `pits` and `nodes`, all with one database; by_database:
    rows of one board by `database_stones`, with `positions` and `nodes`.
    """
    figure, [[left, right]] = panels(1, 2, (9, 3.8))
    for (pits, rows), colour in zip(by_stones.groupby("pits"), PALETTE.values(), strict=False):
        left.plot(rows["in_play"], rows["nodes"], "o", color=colour, label=f"{pits} pits a side")
        if len(rows) > 1:
            _, fit = log_fit(rows, "in_play", "nodes")
            left.plot(rows["in_play"], fit, "--", color=colour, linewidth=1.2)
    left.set(yscale="log", xlabel="stones in play (dashed: the fit)", ylabel="nodes searched")
    left.legend()
    for column, style, what in (
        ("positions", "s-", "positions in the database"),
        ("nodes", "o-", "nodes searched"),
    ):
        right.plot(by_database["database_stones"], by_database[column], style, label=what)
    right.set(yscale="log", xlabel="stones of the database", ylabel="how many")
    whole_numbers(right.xaxis)
    right.legend()
    return alt(figure, "Nodes by stones in play with a fit, and against the database's size.")


def draw_regret(given: pd.DataFrame) -> Figure:
    """A panel a game: stones that either player has given up so far, move by move.

    given: rows of `kalahlab.judging.perfect.judged`.
    """
    games = list(given["game"].unique())
    rows = -(-len(games) // 2)
    figure, axes = panels(rows, 2, (8, 1.0 + 1.6 * rows), sharex=True, sharey=True)
    for ax in axes.flat[len(games) :]:
        ax.remove()
    for ax, game in zip(axes.flat, games, strict=False):
        _draw_game(ax, given[given["game"] == game])
        ax.set_title(game, fontsize="medium")
        ax.legend(loc="upper left", fontsize="small", ncols=2)
    most = max(1, given.groupby(["game", "player"])["regret"].sum().max())
    axes[0][0].set_ylim(-0.05 * most, 1.5 * most)  # room for the legends
    whole_numbers(axes[0][0].xaxis)
    axes[0][0].yaxis.set_major_locator(MaxNLocator(4, integer=True))
    figure.supxlabel("move of the game", fontsize="medium")
    figure.supylabel("stones given up so far", fontsize="medium")
    return alt(figure, "Stones given up so far by either player, a panel a game.")


def _draw_game(ax: Axes, rows: pd.DataFrame) -> None:
    looks = (("o", PALETTE["blue"]), ("x", PALETTE["vermilion"]))
    for (player, moves), (marker, colour) in zip(rows.groupby("player"), looks, strict=False):
        ax.step(
            moves["move"], moves["regret"].cumsum(), where="post", marker=marker, markersize=4,
            color=colour, linewidth=1.4, label=str(player),
        )  # fmt: skip


def conclusion(solved: pd.DataFrame, beside: pd.DataFrame, summary: pd.DataFrame) -> str:
    """What the notebook found, in words, from the numbers of this run."""
    wins = solved.groupby("rules", sort=False)["value"].agg(lambda values: int((values > 0).sum()))
    first = "; ".join(f"{wins[rules]} under {rules}" for rules in wins.index)
    boards = len(beside)
    worst = summary.reset_index().sort_values("regret").iloc[-1]
    perfect = (summary["perfect"] * summary["judged"]).sum() / summary["judged"].sum()
    return (
        f"- **The first player wins most boards**: of {boards}, {first}. {agreement(beside)}\n"
        f"- **The capture rule matters**: it changes {len(where_rules_differ(solved))} of {boards} "
        "values.\n"
        f"- **Nobody here plays perfectly.** Over all judged games "
        f"{perfect:.0%} of the moves are perfect; the most is given up by "
        f"{worst['player']} in “{worst['game']}”, {worst['regret']} stones."
    )
