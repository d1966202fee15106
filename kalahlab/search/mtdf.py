"""MTD(f): null-window searches of the root that converge on the minimax value.

Plaat, Schaeffer, Pijls & de Bruin, "Best-first fixed-depth minimax algorithms", *Artificial
Intelligence* 87 (1996), pages 255-293. Each pass tests with a null window whether the root is
worth at least a guess, or more than the guess if it is a lower bound already. The value that the
pass returns is the next guess. The first guess f is 0, an even game. The value is exact and the
first best move wins; the replies after it need not be the best.

With the first guess infinity, MTD(f) visits the leaves that Stockman's SSS* (1979) visits, and with
minus infinity those of DUAL*.
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
    """Run MTD(0): alpha-beta with a table, driven by null windows."""
    return passes(value_with_table)(tree, tree.root, -INF, INF)


@searcher
def mtdf_no_table(tree: Tree) -> Line:
    """Run MTD(0) without a table, to measure the effect of the table."""
    return passes(value)(tree, tree.root, -INF, INF)


@searcher
def sss_star(tree: Tree) -> Line:
    """Run SSS* as MTD(infinity): each pass lowers an upper bound."""
    return passes(value_with_table, INF)(tree, tree.root, -INF, INF)


@searcher
def dual_star(tree: Tree) -> Line:
    """Run DUAL* as MTD(-infinity): each pass raises a lower bound."""
    return passes(value_with_table, -INF)(tree, tree.root, -INF, INF)


def passes(search: Search, first_guess: float = 0.0) -> Search:
    """Return a search of a node that calls `search` with null windows until the value is known."""

    # A search needs a window to be `observable`; the null windows do not depend on it.
    @observable
    def visit(tree: Tree, node: Node, alpha: float, beta: float) -> Line:
        return null_windows(partial(search, tree, node), first_guess, node.maximizing)

    return visit


def null_windows(
    search: Callable[[float, float], Line], guess: float = 0.0, maximizing: bool = True
) -> Line:
    """Run MTD(guess): call `search` with null windows until the lower and upper bound meet.

    A lower bound proves a move of MAX, and an upper bound a move of MIN.
    """
    lower, upper = -INF, INF
    best = Line(lower)
    while lower < upper:
        beta = nextafter(guess, INF) if guess == lower else guess
        line = search(nextafter(beta, -INF), beta)
        guess = line.value
        is_lower_bound = not guess < beta  # NaN is both bounds, and so ends the loop
        is_upper_bound = not guess >= beta
        if is_upper_bound:
            upper = guess
        if is_lower_bound or guess == -INF:  # nothing is below -inf, so it is exact
            lower = guess
        proves_move = is_lower_bound if maximizing else is_upper_bound
        if proves_move or abs(guess) == INF:
            best = line
    return best
