"""What a recorded search left out, and what the order of the moves does to it."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from kalahlab.report.draw import axes
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.trace import Trace, number


def walk(trace: Trace) -> list[tuple[list[str], float, float]]:
    """The visited nodes in order: the path to each, and the window it was entered with."""
    return [(trace.path(visit.id), visit.alpha, visit.beta) for visit in trace.visited()]


def beside_print(printed: Mapping[int, Sequence[float]], trace: Trace) -> pd.DataFrame:
    """The printed leaf values and the recomputed ones, a row for each first move of B."""
    found = {}
    for child in (trace.nodes[id] for id in trace.nodes[0].children):
        values = (trace.nodes[id].value for id in child.children)
        found[child.node.move] = tuple(value for value in values if value is not None)
    rows = [
        (f"B{move}", values, found[move], values == found[move]) for move, values in printed.items()
    ]
    return pd.DataFrame(rows, columns=["after", "printed leaves", "recomputed leaves", "equal"])


def draw_orders(orders: pd.DataFrame, minimax: int, depth: int) -> Figure:
    """Nodes visited by alpha-beta under each order, beside those of minimax."""
    figure, [[ax]] = axes.panels(1, 1, (8, 3))
    ax.barh(orders["order"], orders["visited"], color=PALETTE["blue"])
    for order, visited in zip(orders["order"], orders["visited"], strict=True):
        ax.annotate(
            f"{visited:,} ({visited / minimax:.0%})", (visited, order), xytext=(5, 0),
            textcoords="offset points", va="center",
        )  # fmt: skip
    ax.axvline(minimax, color=PALETTE["vermilion"], linestyle="--")
    ax.annotate(
        f"minimax: {minimax:,}", (minimax, 1), xytext=(0, 4), xycoords=ax.get_xaxis_transform(),
        textcoords="offset points", ha="right", color=PALETTE["vermilion"],
    )  # fmt: skip
    ax.set(xlabel="nodes visited", ylabel="move order", xlim=(0, minimax * 1.05))
    axes.plain_numbers(ax.xaxis)
    ax.invert_yaxis()
    return alt(figure, f"Nodes visited at depth {depth} under four orders, beside minimax.")


def draw_growth(costs: pd.DataFrame) -> Figure:
    """Nodes against depth, a line an algorithm and order."""
    named = costs.assign(search=costs["algorithm"] + ", " + costs["order"] + " order")
    text = "Nodes visited against depth: minimax, and alpha-beta by order."
    return axes.draw_growth(named, "visited", "search", "nodes visited", text)


def conclusion(costs: pd.DataFrame, orders: pd.DataFrame, depth: int) -> str:
    """What was left out and by which order, in words: one position at one depth.

    costs: a row an algorithm; orders: a row an order of alpha-beta.
    """
    visited = dict(zip(orders["order"], orders["visited"], strict=True))
    found = costs.set_index("algorithm").to_dict("index")
    return (
        "A branch may be left unread when each side already has something better elsewhere: the "
        f"two numbers of every cut above say so. At depth {depth} alpha-beta visits "
        f"{visited['pit']:,} of minimax's {found['minimax']['visited']:,} nodes in pit order and "
        f"finds the same value ({number(found['alpha_beta']['value'])}); with the pit nearest the "
        f"store first it is {visited['store_first']:,}, with the worst-looking move first "
        f"{visited['worst_first']:,}. The order of the moves decides how much is cut, never what "
        "is found."
    )
