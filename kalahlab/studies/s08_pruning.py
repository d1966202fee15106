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
from kalahlab.matches.rating import Interval, mean_of
from kalahlab.play import random_position
from kalahlab.report.draw.axes import panels, plain_numbers
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.search.model import INF
from kalahlab.trace import Trace, number
from kalahlab.words import Words

say = Words("studies", "s08_pruning")

FOLLOWS = say("follows")
"""The last paragraph of the page: where it goes on."""

COSTS = ["evaluated", "recalled", "visited"]
FORMULA = ("minimal tree", "formula")
"""What the formula is called: on uniform trees, where it is proved, and on others."""


def kalah_costs(states: Iterable[State], *searches: Any, **options: Any) -> list[Row]:
    """The `kalahlab.experiments.search_costs` of several positions, by default by the engine.

    `sample` numbers the positions.
    """
    options = {"backend": "engine"} | options
    return [
        row | {"sample": number}
        for number, state in enumerate(states)
        for row in search_costs(state, *searches, **options)
    ]


def uniform_costs(
    arity: int,
    algorithms: Sequence[str],
    depths: Iterable[int],
    orders: Sequence[str] = ("pit",),
    seeds: Iterable[int] = (0,),
) -> list[Row]:
    """Random uniform trees searched to their leaves, one tree a depth and seed, one row a search.

    Columns as in `search_costs`, moves numbered from 1; `sample` is the seed.
    """
    return [
        search_cost(HandTree(tree), tree, spec, depth) | {"sample": seed}
        for depth, seed in product(depths, seeds)
        for tree in [uniform_tree(arity, depth, seed)]
        for name, order in product(algorithms, orders)
        for spec in [SearchSpec(name, "written_value", order=order, game="tree")]
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


def node_type(path: Iterable[int]) -> int:
    """Knuth and Moore's type of a node, 1, 2 or 3; 0 for one that is not in the minimal tree.

    path: the moves from the root, numbered from 1 in the order in which they are tried.
    """
    kind = 1
    for move in path:
        first, other = {0: (0, 0), 1: (1, 2), 2: (3, 0), 3: (2, 2)}[kind]
        kind = first if move == 1 else other
    return kind


def passes_table(trace: Trace) -> pd.DataFrame:
    """The passes of MTD(f), a row each: the question, the answer, and the bounds after it."""
    lower, upper, rows = -INF, INF, {}
    for visit in (trace.nodes[id] for id in trace.nodes[0].children):
        assert visit.value is not None
        yes = visit.value >= visit.beta
        lower, upper = (visit.value, upper) if yes else (lower, visit.value)
        sign = "≥" if yes else "≤"
        rows[visit.name] = {
            "question": f"value {visit.question}?",
            "answer": f"{'yes' if yes else 'no'}, value {sign} {number(visit.value)}",
            "lower bound": number(lower),
            "upper bound": number(upper),
        }
    return pd.DataFrame(rows).T


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


def by_depth(rows: pd.DataFrame, named: Sequence[str], least: str = "minimal tree") -> pd.DataFrame:
    """Mean costs by search and depth, and the formula of the minimal tree beside them.

    rows: those of `kalah_costs` or `uniform_costs`. named: the columns that name the searches, of
    `algorithm` and `order`; minimax is always `minimax`. least: what to call the formula. Adds
    `evaluated low`, `visited high` and so on, the 95 % interval of the mean; `times formula`, the
    mean nodes as a multiple of the formula's; and `effective branching`.
    """
    names = rows[list(named)].agg(", ".join, axis=1)
    names = names.where(rows["algorithm"] != "minimax", "minimax")
    groups = rows.assign(search=names).groupby(["search", "depth"], sort=False)[COSTS]
    low, high = groups.agg(_low).add_suffix(" low"), groups.agg(_high).add_suffix(" high")
    means = pd.concat([groups.mean(), low, high], axis="columns").reset_index()
    table = pd.concat([means, formula(branching(rows), rows["depth"], least)], ignore_index=True)
    nodes, depths = table["visited"], table["depth"]
    table["times formula"] = nodes / depths.map(lambda d: minimal_nodes(branching(rows), d))
    table["effective branching"] = [
        effective_branching(visited, depth) for visited, depth in zip(nodes, depths, strict=True)
    ]
    return table


def _low(costs: "pd.Series[float]") -> float:
    """The lower end of the mean's 95 % interval, but no less than the least."""
    return max(mean_of(list(costs)).low, float(costs.min()))


def _high(costs: "pd.Series[float]") -> float:
    """The upper end of the mean's 95 % interval, but no more than the most."""
    return min(mean_of(list(costs)).high, float(costs.max()))


def formula(moves: float, depths: Iterable[int], name: str) -> pd.DataFrame:
    """The nodes of the minimal tree with so many moves at a node, as rows of `by_depth`."""
    rows = []
    for depth in sorted(set(depths)):
        nodes = {"evaluated": minimal_leaves(moves, depth), "visited": minimal_nodes(moves, depth)}
        costs = {"recalled": 0.0} | nodes
        low, high = ({f"{key} {end}": costs[key] for key in costs} for end in ("low", "high"))
        rows.append({"search": name, "depth": depth} | costs | low | high)
    return pd.DataFrame(rows)


def deepest(table: pd.DataFrame) -> pd.DataFrame:
    """Each search at the greatest depth that all of them were taken to, the dearest first."""
    common = table.groupby("search")["depth"].max().min()
    rows: pd.DataFrame = table[table["depth"] == common]
    return rows.sort_values("visited", ascending=False, kind="stable")


def leaves(table: pd.DataFrame) -> pd.DataFrame:
    """Leaves evaluated, means in whole leaves, a row a search and a column a depth."""
    wide = table.pivot(index="search", columns="depth", values="evaluated").round().astype(int)
    return wide.reindex(table["search"].unique())


def growth(table: pd.DataFrame) -> pd.DataFrame:
    """By what factor a ply more raises the leaves, a row a search and a column a depth."""
    wide = table.pivot(index="search", columns="depth", values="evaluated")
    factors = wide.reindex(table["search"].unique())
    return (factors / factors.shift(axis="columns")).iloc[:, 1:].round(2)


def one_ply_deeper(table: pd.DataFrame) -> pd.DataFrame:
    """Nodes of each order of alpha-beta at depth d + 1 over those of minimax at d, by d.

    table: `by_depth`, of orders.
    """
    wide = table.pivot(index="depth", columns="search", values="visited")
    deeper = wide.shift(-1).div(wide["minimax"], axis="index").dropna(how="all")
    names = [name for name in table["search"].unique() if name not in ("minimax", *FORMULA)]
    return deeper[names].dropna().round(2)


def one_ply_deeper_in_words(deeper: pd.DataFrame) -> str:
    """From which depth on pruning pays for one ply more, by order: `one_ply_deeper`."""
    said, depths = [], [int(depth) for depth in deeper.index]
    for name in deeper:
        dear = [depth for depth, share in zip(depths, deeper[name], strict=True) if share >= 1]
        since = max(dear, default=depths[0] - 1) + 1
        never = since > depths[-1]
        said.append(f"{name} {'at none of these depths' if never else f'from depth {since} on'}")
    return say("deeper", orders="; ".join(said))


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that a reader needs, as far as their digits say anything."""
    whole = table[COSTS].round().astype(int)
    factors = table[["times formula", "effective branching"]].round(2)
    return pd.concat([table["search"], whole, factors], axis=1).reset_index(drop=True)


def draw_uniform(table: pd.DataFrame, arity: int) -> Figure:
    """The leaves that alpha-beta evaluates in random uniform trees, by order.

    Searches that evaluate as many at every depth share a line, and the line has their names.
    """
    figure = _against_depth(_equal_as_one(table), "evaluated", "leaves evaluated", unit="plies")
    return alt(figure, say("uniform", arity=arity))


def _equal_as_one(table: pd.DataFrame) -> pd.DataFrame:
    """The table without searches that equal an earlier one in leaves; that one has both names."""
    names: dict[tuple[float, ...], list[str]] = {}
    for search, rows in table.groupby("search", sort=False):
        names.setdefault(tuple(rows.sort_values("depth")["evaluated"]), []).append(str(search))
    joined = {first: " = ".join([first, *more]) for first, *more in names.values()}
    return table[table["search"].isin(joined)].replace({"search": joined})


def draw_orders(table: pd.DataFrame) -> Figure:
    """The nodes of Kalah's trees, by order."""
    return alt(_against_depth(table, "visited", "nodes visited"), say("orders"))


def draw_algorithms(table: pd.DataFrame) -> Figure:
    """The nodes of Kalah's trees beside the formula's, by algorithm."""
    label = "nodes visited, as multiples of the formula's"
    return alt(_against_depth(table, "times formula", label, log=False), say("algorithms"))


def _against_depth(
    frame: pd.DataFrame, column: str, label: str, log: bool = True, unit: str = "sows"
) -> Figure:
    """A cost against depth, a line a search, each named at its end.

    frame: rows of `by_depth`. The formula and minimax are grey; dashes let a line be seen that
    lies below another. Bands are the 95 % intervals of the means.
    """
    figure, [[ax]] = panels(1, 1, (8, 5.2))
    hues, marks, dashes = cycle(PALETTE.values()), cycle("osD^vPX<>*h"), cycle(("-", (0, (4, 1.5))))
    for name, rows in frame.groupby("search", sort=False):
        grey = name in ("minimax", *FORMULA)
        colour = "#767676" if grey else next(hues)
        ax.plot(
            rows["depth"], rows[column], marker=next(marks), linestyle=next(dashes), color=colour,
            zorder=1 if grey else 2, label=str(name),
        )  # fmt: skip
        if column in COSTS:
            ends = (rows[f"{column} low"], rows[f"{column} high"])
            ax.fill_between(rows["depth"], *ends, color=colour, alpha=0.15, linewidth=0)
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
    return alt(figure, say("branching"))


def on_uniform_trees(rows: pd.DataFrame, table: pd.DataFrame) -> str:
    """What random uniform trees show, in words. rows: of orders; table: `by_depth` of them."""
    best = rows[rows["order"] == "oracle"]
    bounds = best["depth"].map(lambda depth: minimal_leaves(round(branching(rows)), depth))
    equal, over = int((best["evaluated"] == bounds).sum()), (best["evaluated"] > bounds).sum()
    name = "oracle-exact" if equal == len(best) else "oracle-over"
    exact, depth = say(name, equal=equal, of=len(best), over=over), table["depth"].max()
    times = deepest(table).set_index("search")["times formula"]
    last = rows[(rows["depth"] == depth) & (rows["algorithm"] == "alpha_beta")]
    nodes = last.pivot(index="sample", columns="order", values="visited")
    killer, history = (int((nodes[name] < nodes["pit"]).sum()) for name in ("killer", "history"))
    trees = {"samples": rows["sample"].nunique(), "trees": len(nodes)}
    fewer = {"killer": killer, "history": history}
    return say("on-uniform-trees", exact=exact, depth=depth, times=times, **trees, **fewer)


def order_factors(rows: pd.DataFrame, worst: str, best: str) -> "pd.Series[float]":
    """For each sample: the nodes of alpha-beta in one order over those in another.

    At the greatest depth that both were taken to.
    """
    asked = rows[(rows["algorithm"] == "alpha_beta") & rows["order"].isin([worst, best])]
    common = asked.groupby("order")["depth"].max().min()
    last = asked[asked["depth"] == common]
    nodes = last.pivot(index="sample", columns="order", values="visited")
    factors: pd.Series[float] = nodes[worst] / nodes[best]
    return factors


def order_factor(rows: pd.DataFrame) -> Interval:
    """Nodes in the worst order over those in the best: geometric mean and 95 % interval."""
    factors = order_factors(rows, "anti_oracle", "oracle")
    return Interval(*(float(np.exp(log)) for log in mean_of(list(np.log(factors)))))


def finding(rows: pd.DataFrame, algorithms: pd.DataFrame) -> str:
    """What the page found, in one sentence. rows: of the orders; algorithms: `by_depth`."""
    factor = order_factor(rows)
    best, share = _cheapest(algorithms)
    order = say("order-saves" if factor.low > 1 else "order-not-shown", factor=factor)
    windows = say("windows-save" if share < 1 else "windows-do-not", saved=1 - share, best=best)
    return f"{order}; {windows}."


def answer(rows: pd.DataFrame, orders: pd.DataFrame, algorithms: pd.DataFrame) -> str:
    """What Kalah shows, in words.

    rows: of the orders; orders, algorithms: by order and by algorithm, as `by_depth` gives them.
    """
    return f"{_of_the_order(rows, orders)}\n\n{_of_windows_and_tables(algorithms)}"


def _of_the_order(rows: pd.DataFrame, orders: pd.DataFrame) -> str:
    factors, factor = order_factors(rows, "anti_oracle", "oracle"), order_factor(rows)
    ordered = deepest(orders).set_index("search")
    near = ordered["times formula"].drop(list(FORMULA), errors="ignore")
    listed = [f"{name} {times:.1f}" for name, times in near.items()]
    spread = f"{factors.min():.0f} to {factors.max():.0f} in {len(factors)} positions"
    name = "order-head" if factor.low > 1 else "order-head-not-shown"
    below = [str(name) for name, times in near.items() if times < 1]
    bound = say("below-the-formula" if below else "not-below-the-formula", searches=below)
    head, depth = say(name, factor=factor, spread=spread), ordered["depth"].iloc[0]
    return say("of-the-order", head=head, depth=depth, listed=listed, bound=bound)


def _shares(algorithms: pd.DataFrame) -> "pd.Series[float]":
    """Nodes at the greatest depth as shares of alpha-beta's, by search, without minimax."""
    last = algorithms[algorithms["depth"] == algorithms["depth"].max()].set_index("search")
    share: pd.Series[float] = last["visited"] / last.loc["alpha_beta", "visited"]
    return share.drop(["minimax", "alpha_beta", *FORMULA], errors="ignore")


def _cheapest(algorithms: pd.DataFrame) -> tuple[str, float]:
    """The search with the smallest of `_shares`, and that share."""
    share = _shares(algorithms)
    return str(share.idxmin()), float(share.min())


def _of_windows_and_tables(algorithms: pd.DataFrame) -> str:
    last = algorithms[algorithms["depth"] == algorithms["depth"].max()].set_index("search")
    best, share = _cheapest(algorithms)
    known = last.loc["alpha_beta_table", "recalled"] / last.loc["alpha_beta_table", "visited"]
    head = say("windows-head" if share < 1 else "windows-head-none", saved=1 - share, best=best)
    listed = [f"{name} {nodes:.0%}" for name, nodes in _shares(algorithms).items()]
    return say("of-windows", head=head, depth=last["depth"].iloc[0], listed=listed, known=known)
