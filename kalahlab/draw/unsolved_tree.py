"""A recorded search as an exercise on paper: its tree without what the search finds out."""

from dataclasses import replace
from math import inf, isinf, nan

from kalahlab.trace import Trace


def has_windows(trace: Trace) -> bool:
    """Return whether a search entered a node with a bound, as a search without pruning does not."""
    return any(not isinf(visit.alpha) or not isinf(visit.beta) for visit in trace.visits())


def clear_results(trace: Trace, windows: bool) -> Trace:
    """Return a trace with the nodes and the values of the leaves, and nothing to be found.

    `tree_svg` draws empty triangles, and neither a cut nor the best line. A node that was never
    visited stays so: record a search that visits all nodes.

    Args:
        trace: The search.
        windows: Whether the windows are to be found, too; `tree_svg` draws blanks for them.
    """
    alpha, beta = (nan, nan) if windows else (-inf, inf)
    nodes = []
    for visit in trace.nodes:
        value = None if visit.children else visit.value
        nodes.append(replace(visit, alpha=alpha, beta=beta, value=value))
    return replace(trace, nodes=(*nodes,), result=replace(trace.result, value=nan, line=()))
