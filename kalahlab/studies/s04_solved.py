"""Solved games beside what was published, what solving costs, and who plays perfectly."""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from kalahlab.data import data_file, data_rows
from kalahlab.engine.solver.ledger import Ledger
from kalahlab.engine.solver.solved_table import Row as Solved
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import PRESETS, SOUTH, Kalah, in_play
from kalahlab.judging.worth import TO_THE_END
from kalahlab.published.comparison import solved_published
from kalahlab.report.draw.axes import LOOKS, panels, whole_numbers
from kalahlab.report.draw.heat_map import margin_maps
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.search import minimax

BOARD = ["pits", "stones"]


def verdict(value: float) -> str:
    """W, L or D: the first player wins, loses, draws with this margin."""
    return "W" if value > 0 else "L" if value < 0 else "D"


def beside(solved: pd.DataFrame) -> pd.DataFrame:
    """Our values and what the CS5329 report and Irving's paper print; `agrees` with both.

    solved: `solver.solved_table.Row`s, one a board under each of the two rules. Both sources mean
    the empty-capture rule, and `agrees` is about that one. W, L, D: see `verdict`.
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
    same = {cs5329, irving or cs5329} == {verdict(value)}
    return same and (pd.isna(margin) or margin == value)


def agreement(table: pd.DataFrame) -> str:
    """How many boards agree with the printed tables, under which rule, in words: `beside`."""
    margins = int((table["irving_margin"] == table["empty-capture"]).sum())
    other = table[table["standard"].map(verdict) != table["cs5329"]]
    listed = "; ".join(
        f"Kalah{board} is {row['standard']:+d} and printed as {row['cs5329']}"
        for board, row in other.iterrows()
    )
    said = (
        f"Under empty capture {int(table['agrees'].sum())} of {len(table)} boards come out as both "
        f"tables print them, {margins} of them with the margin in stones. Under the standard rule "
        f"{len(table) - len(other)} of {len(table)} do"
    )
    return f"{said}: {listed}." if listed else f"{said}."


def first_player(printed: pd.DataFrame) -> str:
    """What becomes of "the first player always wins" in the report's own table, in words.

    printed: rows of `published.comparison.solved_published`.
    """
    count = printed["cs5329"].value_counts().reindex(["W", "D", "L"], fill_value=0)
    others = len(printed) - count["W"]
    said = (
        f"Of the {len(printed)} games of the report's table the first player wins {count['W']}, "
        f"draws {count['D']} and loses {count['L']}"
    )
    if others:
        return f"{said}. So its sentence “the first player always wins” is not true of {others}."
    return f"{said}, as its sentence “the first player always wins” says."


class Proved(NamedTuple):
    """Bounds of a value, in stones; the pieces of the proof, and the nodes searched for it."""

    lower: int
    upper: int
    pieces: int
    nodes: int


def elsewhere() -> pd.DataFrame:
    """Who is said to win Kalah(6, 6), and by whom: `data/solved_elsewhere.csv`."""
    rows = data_rows("solved_elsewhere.csv", pits=int, stones=int)
    return pd.DataFrame(rows).set_index(BOARD)


def largest(rules: str = "standard") -> Proved:
    """What the ledger in `data/` proves of Kalah(6, 6)."""
    ledger = Ledger(Path(str(data_file(f"ledger/kalah-6-{rules}.txt"))))
    nodes = sum(piece.nodes for piece in ledger.pieces)
    return Proved(*ledger.bounds(Kalah(6, 6).start()), len(ledger.pieces), nodes)


def largest_in_words(proved: Proved) -> str:
    """The value of Kalah(6, 6), or the bounds that are proved, and what the proof is made of."""
    known = f"{proved.lower:+d}"
    if proved.lower == proved.upper:
        said = f"The first player's margin in Kalah(6, 6) is **exactly {known}**"
    elif proved.upper < in_play(Kalah(6, 6).start().board):
        said = f"The first player's margin in Kalah(6, 6) is from **{known} to {proved.upper:+d}**"
    else:
        said = f"The first player's margin in Kalah(6, 6) is **at least {known}**"
    return (
        f"{said} under the standard rule. The ledger has {proved.pieces:,} pieces that proved a "
        f"bound; they took {proved.nodes:,} nodes. Pieces that proved none are not counted."
    )


def minimax_to_the_end(solved: Iterable[Solved], most_in_play: int) -> pd.DataFrame:
    """The textbook's minimax without a depth limit, beside the table of solved games.

    A row for each board with so many stones at most, under both rules: what minimax finds and how
    many nodes it visits, the solved value, and whether the line it returns ends a game of that
    margin.
    """
    rows = []
    for row in solved:
        if 2 * row.pits * row.stones > most_in_play:
            continue
        game = Kalah(row.pits, row.stones, PRESETS[row.rules])
        found = minimax(game, game.start(), store_difference, TO_THE_END)
        last = reduce(game.play, found.line, game.start())
        ends = game.over(last) and game.margin(last, SOUTH) == found.value
        rows.append(
            {"pits": row.pits, "stones": row.stones, "rules": row.rules, "minimax": found.value}
            | {"solved": row.value, "line ends so": ends, "visited": found.counts.visited}
        )
    return pd.DataFrame(rows).set_index(BOARD)


def where_rules_differ(solved: pd.DataFrame) -> pd.DataFrame:
    """The boards whose value the capture rule changes, in stones."""
    values = solved.pivot(index=BOARD, columns="rules", values="value")
    values["banking a lone stone adds"] = values["empty-capture"] - values["standard"]
    return values[values["empty-capture"] != values["standard"]]


def tempting(solved: pd.DataFrame) -> pd.DataFrame:
    """For each rule: how many opening moves there are, how many are best, what the rest cost.

    Boards of 2 pits and more. The last two: the mean and the most stones that one of the others,
    which are not best, gives up.
    """
    moves = solved[solved["pits"] > 1].explode("moves", ignore_index=True)
    regret = (moves["value"] - moves["moves"].astype(int)).rename("regret")
    groups = moves.assign(best=regret == 0).groupby("rules", sort=False)["best"]
    others = regret[regret > 0].groupby(moves["rules"], sort=False)
    return pd.DataFrame(
        {
            "openings": groups.size(),
            "best": groups.sum(),
            "mean of the others": others.mean(),
            "worst": others.max(),
        }
    )


def summed_up(given: pd.DataFrame) -> pd.DataFrame:
    """For each game and player: moves judged, share of perfect ones, stones given up."""
    groups = given.assign(perfect=given["regret"] == 0).groupby(["game", "player"], sort=False)
    return groups.agg(
        judged=("move", "size"),
        perfect=("perfect", "mean"),
        regret=("regret", "sum"),
        worst=("regret", "max"),
    )


def step_factors(frame: pd.DataFrame, by: str, column: str) -> list[float]:
    """The factor of a cost for one more of `by`, between each two neighbouring rows."""
    rows = frame.sort_values(by)[[by, column]].itertuples(index=False)
    return [(after / before) ** (1 / (b - a)) for (a, before), (b, after) in pairwise(rows)]


def costs(by_stones: pd.DataFrame, by_database: pd.DataFrame) -> str:
    """By what factors the nodes and the database grow from one measured size to the next."""
    grown = [
        (f"{pits} pits a side", step_factors(rows, "in_play", "nodes"))
        for pits, rows in by_stones.groupby("pits")
        if len(rows) > 1
    ]
    boards = "; ".join(f"on {name} {_from_to(factors)}" for name, factors in grown)
    searched = by_database[by_database["nodes"] > 0]
    larger = step_factors(by_database, "database_stones", "positions")
    fewer = step_factors(searched, "database_stones", "nodes")
    return (
        f"Between neighbouring points a stone more in play multiplies the nodes, {boards}. A stone "
        f"more in the database multiplies its positions by {_from_to(larger)} and the nodes by "
        f"{_from_to(fewer)}. Each point is one board, so nothing is fitted."
    )


def _from_to(factors: Sequence[float]) -> str:
    return f"{min(factors):.2f} to {max(factors):.2f}"


def draw_values(solved: pd.DataFrame) -> Figure:
    """The value of each solved game: pits against stones, a panel a rule set."""
    figure = margin_maps(
        solved, "pits", "stones", "value", down="pits a side", across="stones a pit"
    )
    return alt(figure, "The first player's margin by pits and stones, under both rules.")


def draw_costs(by_stones: pd.DataFrame, by_database: pd.DataFrame) -> Figure:
    """What solving costs, as points: nodes as boards grow, and against the database's size.

    by_stones: rows of `in_play`, `pits` and `nodes`, all with one database; by_database:
    rows of one board by `database_stones`, with `positions` and `nodes`.
    """
    figure, [[left, right]] = panels(1, 2, (9, 3.8))
    for (pits, rows), (mark, colour) in zip(by_stones.groupby("pits"), LOOKS, strict=False):
        left.plot(rows["in_play"], rows["nodes"], mark, color=colour, label=f"{pits} pits a side")
    left.set(yscale="log", xlabel="stones in play", ylabel="nodes searched")
    whole_numbers(left.xaxis)
    left.legend()
    for column, style, what in (
        ("positions", "s", "positions in the database"),
        ("nodes", "o", "nodes searched"),
    ):
        right.plot(by_database["database_stones"], by_database[column], style, label=what)
    right.set(yscale="log", xlabel="stones of the database", ylabel="how many")
    whole_numbers(right.xaxis)
    right.legend()
    return alt(figure, "Nodes by stones in play, and against the database's size, as points.")


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
    changed = len(where_rules_differ(solved))
    matters = (
        f"**The capture rule matters**: it changes {changed} of {len(beside)} values."
        if changed
        else f"**The capture rule does not matter** on these {len(beside)} boards."
    )
    said = (_who_wins(solved), agreement(beside), matters, _how_perfect(summary))
    return "\n".join(f"- {each}" for each in said)


def _who_wins(solved: pd.DataFrame) -> str:
    wins = (solved["value"] > 0).groupby(solved["rules"], sort=False)
    listed = "; ".join(f"{count} under {rules}" for rules, count in wins.sum().items())
    most = (wins.mean() > 0.5).sum()
    which = "" if most == len(wins) else " under one rule only" if most else " under no rule"
    return f"**The first player wins most boards{which}**: of {wins.size().max()}, {listed}."


def _how_perfect(summary: pd.DataFrame) -> str:
    """Who of the judged players plays perfectly, as far as the moves that are judged say."""
    rows = summary.reset_index()
    perfect = (rows["perfect"] * rows["judged"]).sum() / rows["judged"].sum()
    moves = f"{perfect:.0%} of {rows['judged'].sum()} judged moves are best moves"
    if not rows["regret"].any():
        return f"**No judged move gives up a stone**: {moves}."
    worst = rows.sort_values("regret", kind="stable").iloc[-1]
    erring = int((rows["regret"] > 0).sum())
    return (
        f"**Stones are given up by {erring} of {len(rows)} sides of the judged games**: {moves}. "
        f"Most is given up by {worst['player']} in “{worst['game']}”, {worst['regret']} stones in "
        f"{worst['judged']} moves."
    )
