"""What searches cost, beside the least that a search can cost.

The minimal tree: Knuth & Moore, "An analysis of alpha-beta pruning", *Artificial Intelligence* 6
(1975), pages 293-326, theorem 1. It is proved for uniform trees of two players in turn.
"""

from collections.abc import Sequence

import pandas as pd

COSTS = ["evaluated", "recalled", "visited"]


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
    low, high = 0.0, nodes
    while (middle := (low + high) / 2) not in (low, high):
        if sum(middle**level for level in range(depth + 1)) < nodes:
            low = middle
        else:
            high = middle
    return high


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
    table = pd.concat([means.reset_index(), _minimal(rows)], ignore_index=True)
    nodes, depths = table["visited"], table["depth"]
    least = depths.map(lambda depth: minimal_nodes(branching(rows), depth))
    table["times minimal"] = nodes / least
    table["effective branching"] = [
        effective_branching(visited, depth) for visited, depth in zip(nodes, depths, strict=True)
    ]
    return table


def _minimal(rows: pd.DataFrame) -> pd.DataFrame:
    moves = branching(rows)
    return pd.DataFrame(
        {
            "search": "minimal tree",
            "depth": depth,
            "evaluated": minimal_leaves(moves, depth),
            "recalled": 0,
            "visited": minimal_nodes(moves, depth),
        }
        for depth in sorted(rows["depth"].unique())
    )


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
    return f"{_of_orders(deepest(orders))}\n\n{_of_algorithms(algorithms)}"


def _of_orders(last: pd.DataFrame) -> str:
    near = last.set_index("search")["times minimal"]
    factor = near["anti_oracle"] / near["oracle"]
    listed = ", ".join(f"{name} {times:.1f}" for name, times in near.drop("minimal tree").items())
    return (
        f"**The order of the moves is worth a factor of {factor:.0f}**, from the worst to the best."
        f" Nodes at depth {last['depth'].iloc[0]}, as multiples of the minimal tree's: {listed}. "
        "The formula is a yardstick here and no bound, since the trees of Kalah are not uniform, "
        "and extra turns put nodes of one player below one another."
    )


def _of_algorithms(table: pd.DataFrame) -> str:
    last = table[table["depth"] == table["depth"].max()].set_index("search")
    share = last["visited"] / last.loc["alpha_beta", "visited"]
    known = last.loc["alpha_beta_table", "recalled"] / last.loc["alpha_beta_table", "visited"]
    return (
        "**Questions and memory are worth a factor of "
        f"{1 / share.drop('minimal tree').min():.1f}** once the order is good. At depth "
        f"{last['depth'].iloc[0]}, with the pit nearest the store first, as shares of alpha-beta's "
        f"nodes: scout {share['scout']:.0%}, scout with a table {share['scout_table']:.0%}, MTD(f) "
        f"{share['mtdf']:.0%}, and {share['mtdf_no_table']:.0%} without its table. Alpha-beta "
        f"with a table visits {share['alpha_beta_table']:.1%}: the table knows {known:.2%} of its "
        "nodes, for a position has to come back at the same depth."
    )
