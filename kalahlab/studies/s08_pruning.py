"""What searches cost, beside the least that a search can cost.

The minimal tree: Knuth & Moore, "An analysis of alpha-beta pruning", *Artificial Intelligence* 6
(1975), pages 293-326, theorem 1. It is proved for uniform trees of two players in turn.
"""

from collections.abc import Iterable, Sequence
from itertools import cycle, islice, product
from random import Random
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.optimize import brentq, isotonic_regression

from kalahlab.backends import SearchSpec
from kalahlab.experiments import search_cost, search_costs
from kalahlab.games.hand_tree import HandTree, uniform_tree
from kalahlab.games.kalah import Kalah, State
from kalahlab.grid import Row
from kalahlab.play import random_position
from kalahlab.report.draw.axes import panels, plain_numbers
from kalahlab.report.draw.style import PALETTE, alt

COSTS = ["evaluated", "recalled", "visited"]


def kalah_costs(states: Iterable[State], *searches: Any, **options: Any) -> list[Row]:
    """The `kalahlab.experiments.search_costs` of several positions, by default by the engine."""
    options = {"backend": "engine"} | options
    return [row for state in states for row in search_costs(state, *searches, **options)]


def uniform_costs(
    arity: int,
    algorithms: Sequence[str],
    depths: Iterable[int],
    orders: Sequence[str] = ("pit",),
    seed: int = 0,
) -> list[Row]:
    """Random uniform trees searched to their leaves, one tree a depth and one row a search.

    Columns as in `search_costs`; moves are numbered from 1.
    """
    return [
        search_cost(
            HandTree(tree), tree, SearchSpec(name, "written_value", order=order, game="tree"), depth
        )
        for depth in depths
        for tree in [uniform_tree(arity, depth, seed)]
        for name, order in product(algorithms, orders)
    ]


def sampled_positions(
    number: int, sows: int, seed: int = 0, pits: int = 6, stones: int = 4
) -> list[State]:
    """Positions so many random sows after the start, each of a game that goes on.

    The same ones for the same seed. `ValueError` if there are none, since all games are over.
    """
    game, chance = Kalah(pits, stones), Random(seed)
    reached = (random_position(game, chance, sows) for _ in range(100 * number))
    found = list(islice((state for state in reached if not game.over(state)), number))
    if len(found) < number:
        raise ValueError(f"sows is {sows}; by then nearly every random game is over, use less")
    return found


def minimal_leaves(branching: float, depth: int) -> float:
    """The fewest leaves that prove a value, with so many moves at each node, so deep."""
    return branching ** (-(-depth // 2)) + branching ** (depth // 2) - 1


def minimal_nodes(branching: float, depth: int) -> float:
    """The nodes of that tree: at each level as many as a tree that ended there had leaves."""
    return sum(minimal_leaves(branching, level) for level in range(depth + 1))


def effective_branching(nodes: float, depth: int) -> float:
    """The branching factor of the uniform tree of so many nodes, so deep (1 or more).

    Russell & Norvig, 3rd edition, section 3.6.1: the x of 1 + x + ... + x^depth = nodes.
    """
    root = brentq(lambda x: sum(x**level for level in range(depth + 1)) - nodes, 0, nodes)
    return float(root)


def branching(rows: pd.DataFrame) -> float:
    """Moves at a node of the whole tree, its leaves apart: minimax's mean at its deepest."""
    full = rows[rows["algorithm"] == "minimax"]
    deepest = full[full["depth"] == full["depth"].max()]
    return float(deepest["generated"].sum() / deepest["expanded"].sum())


def by_depth(rows: pd.DataFrame, named: Sequence[str]) -> pd.DataFrame:
    """Mean costs by search and depth, and the minimal tree's beside them.

    rows: those of `kalahlab.experiments.search_costs`, of one position or several. named: the
    columns that name the searches, of `algorithm` and `order`; minimax is always `minimax`. Adds
    `times minimal`, the nodes as a multiple of the minimal tree's, and `effective branching`.
    """
    names = rows[list(named)].agg(", ".join, axis=1)
    names = names.where(rows["algorithm"] != "minimax", "minimax")
    means = rows.assign(search=names).groupby(["search", "depth"], sort=False)[COSTS].mean()
    moves = branching(rows)
    least = pd.DataFrame(
        {"search": "minimal tree", "depth": depth, "recalled": 0}
        | {"evaluated": minimal_leaves(moves, depth), "visited": minimal_nodes(moves, depth)}
        for depth in sorted(rows["depth"].unique())
    )
    table = pd.concat([means.reset_index(), least], ignore_index=True)
    nodes, depths = table["visited"], table["depth"]
    table["times minimal"] = nodes / depths.map(lambda depth: minimal_nodes(moves, depth))
    table["effective branching"] = [
        effective_branching(visited, depth) for visited, depth in zip(nodes, depths, strict=True)
    ]
    return table


def deepest(table: pd.DataFrame) -> pd.DataFrame:
    """Each search at the greatest depth that all of them were taken to, the dearest first."""
    common = table.groupby("search")["depth"].max().min()
    rows: pd.DataFrame = table[table["depth"] == common]
    return rows.sort_values("visited", ascending=False, kind="stable")


def leaves(table: pd.DataFrame) -> pd.DataFrame:
    """Leaves evaluated, a row a search and a column a depth; of one position each."""
    wide = table.pivot(index="search", columns="depth", values="evaluated").astype(int)
    return wide.reindex(table["search"].unique())


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that a reader needs, as far as their digits say anything."""
    whole = table[COSTS].round().astype(int)
    factors = table[["times minimal", "effective branching"]].round(2)
    return pd.concat([table["search"], whole, factors], axis=1).reset_index(drop=True)


def draw_uniform(table: pd.DataFrame, arity: int) -> Figure:
    """The leaves that alpha-beta evaluates in random uniform trees, by order."""
    figure = _against_depth(table, "evaluated", "leaves evaluated", unit="moves")
    return alt(figure, f"Leaves against depth in random trees of {arity} moves a node.")


def draw_orders(table: pd.DataFrame) -> Figure:
    """The nodes of Kalah's trees, by order."""
    figure = _against_depth(table, "visited", "nodes visited")
    return alt(figure, "Nodes visited against depth: minimax, and alpha-beta in each order.")


def draw_algorithms(table: pd.DataFrame) -> Figure:
    """The nodes of Kalah's trees beside the minimal tree's, by algorithm."""
    label = "nodes visited, as multiples of the minimal tree's"
    figure = _against_depth(table, "times minimal", label, log=False)
    return alt(figure, "Nodes as multiples of the minimal tree against depth, by search.")


def _against_depth(
    frame: pd.DataFrame, column: str, label: str, log: bool = True, unit: str = "sows"
) -> Figure:
    """A cost against depth, a line a search, each named at its end.

    frame: rows of `by_depth`. The minimal tree and minimax, between which the others lie, are
    grey; dashes let a line be seen that lies below another.
    """
    figure, [[ax]] = panels(1, 1, (8, 5.2))
    hues, marks, dashes = cycle(PALETTE.values()), cycle("osD^vPX<>*h"), cycle(("-", (0, (4, 1.5))))
    for name, rows in frame.groupby("search", sort=False):
        grey = name in ("minimax", "minimal tree")
        ax.plot(
            rows["depth"], rows[column], marker=next(marks), linestyle=next(dashes),
            color="#767676" if grey else next(hues), zorder=1 if grey else 2, label=str(name),
        )  # fmt: skip
    ax.set(xlabel=f"depth in {unit}", ylabel=label, yscale="log" if log else "linear")
    if log:
        plain_numbers(ax.yaxis)
    ax.set_xticks(sorted(frame["depth"].unique()))
    _name_the_ends(ax)
    return figure


def _name_the_ends(ax: Axes) -> None:
    """Write each line's name to the right of all lines, tied to where its line ends."""
    first, last = ax.get_xlim()
    ax.set(xlim=(first, last + 0.3 * (last - first)), ylim=ax.get_ylim())
    ends = [max(np.asarray(line.get_xydata()).tolist()) for line in ax.lines]
    places = (ax.transData + ax.transAxes.inverted()).transform(ends)
    levels = apart([float(y) for _, y in places], 0.047)
    for line, end, level in zip(ax.lines, ends, levels, strict=True):
        look = {"arrowstyle": "-", "color": line.get_color(), "lw": 0.8, "relpos": (0, 0.5)}
        ax.annotate(
            str(line.get_label()), tuple(end), (1.03 / 1.3, level), textcoords=ax.transAxes,
            va="center", arrowprops=look,
        )  # fmt: skip


def apart(wanted: Sequence[float], gap: float) -> list[float]:
    """The numbers, in their order, moved as little as can be until any two are `gap` apart.

    As little: by the sum of squares, so that those in a row have their middle where it was.
    """
    if not wanted:
        return []
    order, steps = np.argsort(wanted, kind="stable"), gap * np.arange(len(wanted))
    placed = np.empty(len(wanted))
    placed[order] = isotonic_regression(np.array(wanted)[order] - steps).x + steps
    return [float(each) for each in placed]


def draw_branching(frame: pd.DataFrame, moves: float) -> Figure:
    """The effective branching factor of each search, beside the moves at a node and their root.

    frame: rows of `deepest`.
    """
    figure, [[ax]] = panels(1, 1, (8, 0.8 + 0.34 * len(frame)))
    ax.plot(frame["effective branching"], frame["search"], "o", color=PALETTE["blue"])
    for name, value in zip(frame["search"], frame["effective branching"], strict=True):
        ax.annotate(
            f"{value:.2f}", (value, name), (8, 0), textcoords="offset points", va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )  # fmt: skip
    for at, text in ((moves, "b, the moves at a node"), (moves**0.5, "√b")):
        ax.axvline(at, color=PALETTE["vermilion"], linestyle="--", linewidth=1.2)
        ax.annotate(
            f"{text} = {at:.2f}", (at, 1), (-4, 4), xycoords=ax.get_xaxis_transform(),
            textcoords="offset points", ha="right" if at == moves else "center",
            color=PALETTE["vermilion"],
        )  # fmt: skip
    ax.set(xlabel="effective branching factor", xlim=(1, frame["effective branching"].max() + 0.5))
    ax.invert_yaxis()
    return alt(figure, "The effective branching factor of each search.")


def on_uniform_trees(table: pd.DataFrame) -> str:
    """What random uniform trees show, in words. table: `by_depth`, of orders."""
    read = leaves(table)
    exact = bool((read.loc["oracle"] == read.loc["minimal tree"]).all())
    times = deepest(table).set_index("search")["times minimal"]
    return (
        f"In the best order alpha-beta reads the least at every depth, leaf for leaf: **{exact}**. "
        f"At depth {read.columns[-1]} it visits {times['pit']:.1f} times the nodes of the "
        f"minimal tree without any order and {times['anti_oracle']:.1f} times in the worst one. "
        "The branches of a random tree have nothing in common that could be learned: "
        f"killer {times['killer']:.1f}, history {times['history']:.1f}."
    )


def answer(orders: pd.DataFrame, algorithms: pd.DataFrame) -> str:
    """What Kalah shows, in words. Both as `by_depth` gives them, by order and by algorithm."""
    ordered = deepest(orders).set_index("search")
    near = ordered["times minimal"]
    factor = near["anti_oracle"] / near["oracle"]
    listed = ", ".join(f"{name} {times:.1f}" for name, times in near.drop("minimal tree").items())
    last = algorithms[algorithms["depth"] == algorithms["depth"].max()].set_index("search")
    share = last["visited"] / last.loc["alpha_beta", "visited"]
    known = last.loc["alpha_beta_table", "recalled"] / last.loc["alpha_beta_table", "visited"]
    return (
        f"**The order of the moves is worth a factor of {factor:.0f}**, from the worst to the best."
        f" Nodes at depth {ordered['depth'].iloc[0]}, as multiples of the minimal tree's: {listed}."
        " The formula is a yardstick here and no bound, since the trees of Kalah are not uniform, "
        "and extra turns put nodes of one player below one another.\n\n"
        "**Questions and memory are worth a factor of "
        f"{1 / share.drop('minimal tree').min():.1f}** once the order is good. At depth "
        f"{last['depth'].iloc[0]}, with the pit nearest the store first, as shares of alpha-beta's "
        f"nodes: scout {share['scout']:.0%}, scout with a table {share['scout_table']:.0%}, MTD(f) "
        f"{share['mtdf']:.0%}, and {share['mtdf_no_table']:.0%} without its table. Alpha-beta "
        f"with a table visits {share['alpha_beta_table']:.1%}: the table knows {known:.2%} of its "
        "nodes, for a position has to come back at the same depth."
    )
