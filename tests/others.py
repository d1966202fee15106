"""Searches that a user may write: correct ones and faulty ones, none of them alpha-beta."""

from functools import partial
from math import inf, log, sqrt
from random import Random

from kalahlab.search.model import Line
from kalahlab.search.tree import observable, observable_from_mover, searcher

SIMULATIONS = 30


@searcher
def uct(tree):
    """Run UCT: Kocsis & Szepesvári (2006). The evaluator values the leaves."""
    rng = Random(7)
    statistics = {}

    @observable
    def simulate(tree, node):
        empty = {"node": node, "visits": 0, "sum": 0.0, "children": []}
        stats = statistics.setdefault(id(node), empty)
        if stats["visits"] == 0 or tree.deep_enough(node):
            line = Line(tree.static(node))
        else:
            stats["children"] = stats["children"] or list(tree.successors(node))
            child = select(node, stats)
            line = simulate(tree, child)
            line = Line(line.value, (child.move, *line.path))
        stats["visits"] += 1
        stats["sum"] += line.value
        return line

    def select(node, stats):
        untried = [child for child in stats["children"] if id(child) not in statistics]
        if untried:
            return rng.choice(untried)
        sign = 1 if node.maximizing else -1

        def confidence_limit(child):
            child_stats = statistics[id(child)]
            mean = sign * child_stats["sum"] / child_stats["visits"]
            return mean + 4 * sqrt(log(stats["visits"]) / child_stats["visits"])

        return max(stats["children"], key=confidence_limit)

    def find_most_visited(node):
        children = statistics[id(node)]["children"]
        visited = [child for child in children if id(child) in statistics]
        if not visited:
            return ()
        child = max(visited, key=lambda child: statistics[id(child)]["visits"])
        return (child.move, *find_most_visited(child))

    for _ in range(SIMULATIONS):
        simulate(tree, tree.root)
    mean = statistics[id(tree.root)]["sum"] / SIMULATIONS
    return Line(mean, find_most_visited(tree.root))


@searcher
def best_first(tree):
    """Run best-first minimax: Korf & Chickering (1996). The leaf of the best line is expanded."""
    children = {}
    lines = {}

    @observable
    def descend(tree, node):
        if id(node) not in children and not tree.deep_enough(node):
            children[id(node)] = list(tree.successors(node))
            lines.update((id(child), Line(tree.peek_value(child))) for child in children[id(node)])
        elif id(node) in children:
            best = find_best(node)
            lines[id(best)] = descend(tree, best)
        else:
            return Line(tree.static(node))
        best = find_best(node)
        value, path = lines[id(best)]
        return Line(value, (best.move, *path))

    def find_best(node):
        choose = max if node.maximizing else min
        return choose(children[id(node)], key=lambda child: lines[id(child)].value)

    for _ in range(SIMULATIONS):
        line = descend(tree, tree.root)
    return line


@searcher
def two_moves(tree):
    """Run minimax on the first two moves of each node."""
    return two_of(tree, tree.root)


@observable
def two_of(tree, node):
    if tree.deep_enough(node):
        return Line(tree.static(node))
    lines = [(child, two_of(tree, child)) for child in tree.successors(node)[:2]]
    choose = max if node.maximizing else min
    child, best = choose(lines, key=lambda line: line[1].value)
    return Line(best.value, (child.move, *best.path))


def alpha_beta_but(**changes):
    """Make an alpha-beta search with some parts replaced."""
    parts = USUAL | changes

    @observable
    def visit(tree, node, alpha, beta):
        if parts["stops"](tree, node):
            return Line(parts["leaf"](tree, node))
        high = parts["is_max"](node)
        window = alpha, beta
        best = Line(-inf if high else inf)
        for child in parts["moves"](tree, node):
            line = visit(tree, child, *parts["window"](alpha, beta))
            if not best.path or is_better(line, best, high):
                best = Line(line.value, (child.move, *line.path))
            alpha, beta = narrow_window(alpha, beta, best.value, high)
            if parts["cuts"](alpha, beta):
                return Line(parts["at_cut"](high, *window, best.value), best.path)
        return best

    return searcher(lambda tree: visit(tree, tree.root, -inf, inf))


def is_better(line, best, high):
    return line.value > best.value if high else line.value < best.value


def narrow_window(alpha, beta, value, high):
    if high:
        return max(alpha, value), beta
    return alpha, min(beta, value)


USUAL = {
    "stops": lambda tree, node: tree.deep_enough(node),
    "leaf": lambda tree, node: tree.static(node),
    "is_max": lambda node: node.maximizing,
    "moves": lambda tree, node: tree.successors(node),
    "window": lambda alpha, beta: (alpha, beta),
    "cuts": lambda alpha, beta: alpha >= beta,
    "at_cut": lambda high, alpha, beta, best: best,
}

usual = alpha_beta_but()
by_value = alpha_beta_but(
    moves=lambda tree, node: sorted(
        tree.successors(node), key=tree.peek_value, reverse=node.maximizing
    )
)
fail_hard = alpha_beta_but(at_cut=lambda high, alpha, beta, best: beta if high else alpha)
returns_alpha = alpha_beta_but(at_cut=lambda high, alpha, beta, best: alpha if high else beta)
returns_more = alpha_beta_but(at_cut=lambda high, alpha, beta, best: best + (1 if high else -1))
cuts_early = alpha_beta_but(cuts=lambda alpha, beta: alpha + 2 >= beta)
narrow = alpha_beta_but(window=lambda alpha, beta: (alpha + 1, beta))
by_parity = alpha_beta_but(is_max=lambda node: node.sows % 2 == 0)
"""It infers the player to move from the depth, as if no move gave an extra turn."""
leaf_of_other = alpha_beta_but(leaf=lambda tree, node: -tree.static(node))


def _runs_out(tree, node, more):
    return tree.game.is_over(node.state) or node.sows >= tree.deep_enough_at.limit + more


shallow = alpha_beta_but(stops=partial(_runs_out, more=-1))
deep = alpha_beta_but(stops=partial(_runs_out, more=1))
extended = alpha_beta_but(
    stops=lambda tree, node: (
        tree.game.is_over(node.state)
        or (tree.deep_enough(node) and len(tree.game.moves(node.state)) != 1)
    )
)
"""A forced move does not count as a ply."""


@searcher
def quiescent(tree):
    """Run alpha-beta that extends moves with an extra turn beyond the limit."""
    return quiet(tree, tree.root, -inf, inf)


@observable
def quiet(tree, node, alpha, beta):
    high = node.maximizing
    best = Line(-inf if high else inf)
    is_beyond = tree.deep_enough(node)
    if is_beyond:
        best = Line(tree.static(node))
        reached = best.value >= beta if high else best.value <= alpha
        if reached or tree.game.is_over(node.state):
            return best
        alpha, beta = narrow_window(alpha, beta, best.value, high)
    for child in tree.successors(node):
        if is_beyond and child.maximizing != high:
            continue
        line = quiet(tree, child, alpha, beta)
        if is_better(line, best, high):
            best = Line(line.value, (child.move, *line.path))
        alpha, beta = narrow_window(alpha, beta, best.value, high)
        if alpha >= beta:
            break
    return best


@searcher
def by_state(tree):
    """Run alpha-beta with a table that ignores the depth."""
    table = {}

    @observable
    def visit(tree, node, alpha, beta):
        if node.state in table:
            return table[node.state]
        if tree.deep_enough(node):
            return Line(tree.static(node))
        high = node.maximizing
        best = Line(-inf if high else inf)
        for child in tree.successors(node):
            line = visit(tree, child, alpha, beta)
            if not best.path or is_better(line, best, high):
                best = Line(line.value, (child.move, *line.path))
            alpha, beta = narrow_window(alpha, beta, line.value, high)
            if alpha >= beta:
                return best
        table[node.state] = best
        return best

    return visit(tree, tree.root, -inf, inf)


@searcher
def always_negates(tree):
    """Run a negamax that swaps the window and negates the value after an extra turn, too."""
    return search_negated(tree, tree.root, -inf, inf)


@observable_from_mover
def search_negated(tree, node, alpha, beta):
    if tree.deep_enough(node):
        return Line(tree.static(node) if node.maximizing else -tree.static(node))
    best = Line(-inf)
    for child in tree.successors(node):
        value, path = search_negated(tree, child, -beta, -alpha)
        if -value > best.value or not best.path:
            best = Line(-value, (child.move, *path))
        alpha = max(alpha, best.value)
        if alpha >= beta:
            break
    return best


SELECTIVE = ("uct", "best_first", "two_moves")
"""Searches without a window that leave moves out."""
RIGHT = ("usual", "by_value", "fail_hard")
ELSEWHERE = ("shallow", "deep", "extended", "quiescent", "by_state")
"""Searches whose values are from another depth."""
SWAPPING = ("by_parity", "always_negates")
"""Searches that ignore extra turns."""
WRONG = ("returns_alpha", "cuts_early", "narrow", "leaf_of_other", *SWAPPING)
NAMES = (*SELECTIVE, *RIGHT, *ELSEWHERE, *WRONG)
