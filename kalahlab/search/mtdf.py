"""MTD(f): nothing but questions, until the answers meet.

Plaat, Schaeffer, Pijls & de Bruin, "Best-first fixed-depth minimax algorithms", *Artificial
Intelligence* 87 (1996), pages 255-293. Each pass asks with a null window whether the root is
worth at least a guess, and its answer is the next guess. The first guess f is 0, an even game.
The value is exact and the first best move wins; the replies after it need not be the best ones.
"""

from collections.abc import Callable
from functools import partial
from math import nextafter

from kalahlab.search.alpha_beta import value
from kalahlab.search.alpha_beta_table import value as value_with_table
from kalahlab.search.model import INF, Line, Node
from kalahlab.search.tree import Search, Tree, observable, searcher


@searcher
def mtdf(tree: Tree) -> Line:
    """MTD(0): alpha-beta with a table, driven by null windows."""
    return passes(value_with_table)(tree, tree.root, -INF, INF)


@searcher
def mtdf_no_table(tree: Tree) -> Line:
    """MTD(0) without a table: what the table is worth."""
    return passes(value)(tree, tree.root, -INF, INF)


def passes(search: Search) -> Search:
    """A search of a node by null windows, with `search` to answer each."""

    @observable
    def ask(tree: Tree, node: Node, alpha: float, beta: float) -> Line:
        return null_windows(partial(search, tree, node))

    return ask


def null_windows(search: Callable[[float, float], Line]) -> Line:
    """MTD(0): ask `search` until what the root is worth at least and at most is the same."""
    lower, upper = -INF, INF
    best, guess = Line(lower), 0.0
    while lower < upper:
        beta = nextafter(guess, INF) if guess == lower else guess
        found = search(nextafter(beta, -INF), beta)
        guess = found.value
        if guess < beta:
            upper = guess
        if not guess < beta or guess == -INF:  # no question of -inf has a yes; NaN ends it, too
            best, lower = found, guess
    return best
