"""What a recorded search left out, as tables and as a walk."""

from collections.abc import Mapping, Sequence

import pandas as pd

from kalahlab.trace import Trace, number


def walk(trace: Trace) -> list[tuple[list[str], float, float]]:
    """The visited nodes in order: the path to each, and the window it was entered with."""
    return [(trace.path(visit.id), visit.alpha, visit.beta) for visit in trace.visited()]


def reasons(trace: Trace) -> str:
    """Why each cut was made, as a list in Markdown."""
    return "\n".join(f"- {trace.why(cut)}" for cut in trace.cuts)


def leaf_values(trace: Trace) -> dict[int, tuple[float, ...]]:
    """The values of the visited nodes two sows deep, by the move of the first."""
    below = {
        child.node.move: [trace.nodes[id].value for id in child.children]
        for child in (trace.nodes[id] for id in trace.nodes[0].children)
    }
    return {
        move: tuple(value for value in values if value is not None)
        for move, values in below.items()
    }


def beside_print(printed: Mapping[int, Sequence[float]], trace: Trace) -> pd.DataFrame:
    """The printed leaf values and the recomputed ones, a row for each first move of B."""
    found = leaf_values(trace)
    rows = [
        (f"B{move}", values, found[move], values == found[move]) for move, values in printed.items()
    ]
    return pd.DataFrame(rows, columns=["after", "printed leaves", "recomputed leaves", "equal"])


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
