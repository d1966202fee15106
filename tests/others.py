"""Searches that are no alpha-beta, right and wrong ones, as a reader would write them."""

from functools import partial
from math import inf, log, sqrt
from random import Random

from kalahlab.search.model import Line
from kalahlab.search.tree import observable, observable_from_mover, searcher

SIMULATIONS = 30


@searcher
def uct(tree):
    """UCT: Kocsis & Szepesvári (2006). A leaf is worth what the evaluator says."""
    chance, known = Random(7), {}

    @observable
    def simulate(tree, node):
        stats = known.setdefault(id(node), {"node": node, "visits": 0, "sum": 0.0, "children": []})
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
        untried = [child for child in stats["children"] if id(child) not in known]
        if untried:
            return chance.choice(untried)
        sign = 1 if node.maximizing else -1

        def bound(child):
            below = known[id(child)]
            mean = sign * below["sum"] / below["visits"]
            return mean + 4 * sqrt(log(stats["visits"]) / below["visits"])

        return max(stats["children"], key=bound)

    def most_visited(node):
        below = [child for child in known[id(node)]["children"] if id(child) in known]
        if not below:
            return ()
        child = max(below, key=lambda child: known[id(child)]["visits"])
        return (child.move, *most_visited(child))

    for _ in range(SIMULATIONS):
        simulate(tree, tree.root)
    mean = known[id(tree.root)]["sum"] / SIMULATIONS
    return Line(mean, most_visited(tree.root))


@searcher
def best_first(tree):
    """Best-first minimax: Korf & Chickering (1996). The leaf of the best line is expanded."""
    made, worth = {}, {}

    @observable
    def down(tree, node):
        if id(node) not in made and not tree.deep_enough(node):
            made[id(node)] = list(tree.successors(node))
            worth.update((id(child), Line(tree.peek_value(child))) for child in made[id(node)])
        elif id(node) in made:
            best = chosen(node)
            worth[id(best)] = down(tree, best)
        else:
            return Line(tree.static(node))
        best = chosen(node)
        value, path = worth[id(best)]
        return Line(value, (best.move, *path))

    def chosen(node):
        choose = max if node.maximizing else min
        return choose(made[id(node)], key=lambda child: worth[id(child)].value)

    for _ in range(SIMULATIONS):
        line = down(tree, tree.root)
    return line


@searcher
def two_moves(tree):
    """Minimax of the first two moves of each node."""
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
    """Make an alpha-beta of which a part is changed."""
    parts = USUAL | changes

    @observable
    def visit(tree, node, alpha, beta):
        if parts["stops"](tree, node):
            return Line(parts["leaf"](tree, node))
        high, entered = parts["is_max"](node), (alpha, beta)
        best = Line(-inf if high else inf)
        for child in parts["moves"](tree, node):
            line = visit(tree, child, *parts["window"](alpha, beta))
            if not best.path or (line.value > best.value if high else line.value < best.value):
                best = Line(line.value, (child.move, *line.path))
            alpha = max(alpha, best.value) if high else alpha
            beta = beta if high else min(beta, best.value)
            if parts["cuts"](alpha, beta):
                return Line(parts["at_cut"](high, *entered, best.value), best.path)
        return best

    return searcher(lambda tree: visit(tree, tree.root, -inf, inf))


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
"""Who moves is told from the depth, as if no move gave another turn."""
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
"""A forced move is no ply."""


@searcher
def quiescent(tree):
    """Alpha-beta that looks on from the limit at moves which give another turn."""
    return quiet(tree, tree.root, -inf, inf)


@observable
def quiet(tree, node, alpha, beta):
    best, high = Line(-inf if node.maximizing else inf), node.maximizing
    beyond = tree.deep_enough(node)
    if beyond:
        best = Line(tree.static(node))
        if tree.game.is_over(node.state) or (best.value >= beta if high else best.value <= alpha):
            return best
        alpha, beta = (max(alpha, best.value), beta) if high else (alpha, min(beta, best.value))
    for child in tree.successors(node):
        if beyond and child.maximizing != high:
            continue
        line = quiet(tree, child, alpha, beta)
        if line.value > best.value if high else line.value < best.value:
            best = Line(line.value, (child.move, *line.path))
        alpha, beta = (max(alpha, best.value), beta) if high else (alpha, min(beta, best.value))
        if alpha >= beta:
            break
    return best


@searcher
def by_state(tree):
    """Alpha-beta with a table that forgets how deep it has searched."""
    known = {}

    @observable
    def visit(tree, node, alpha, beta):
        if node.state in known:
            return known[node.state]
        if tree.deep_enough(node):
            return Line(tree.static(node))
        high = node.maximizing
        best = Line(-inf if high else inf)
        for child in tree.successors(node):
            line = visit(tree, child, alpha, beta)
            if not best.path or (line.value > best.value if high else line.value < best.value):
                best = Line(line.value, (child.move, *line.path))
            alpha, beta = (max(alpha, line.value), beta) if high else (alpha, min(beta, line.value))
            if alpha >= beta:
                return best
        known[node.state] = best
        return best

    return visit(tree, tree.root, -inf, inf)


@searcher
def always_negates(tree):
    """A negamax that exchanges the window and negates the value also after an extra turn."""
    return negated(tree, tree.root, -inf, inf)


@observable_from_mover
def negated(tree, node, alpha, beta):
    if tree.deep_enough(node):
        return Line(tree.static(node) if node.maximizing else -tree.static(node))
    best = Line(-inf)
    for child in tree.successors(node):
        value, path = negated(tree, child, -beta, -alpha)
        if -value > best.value or not best.path:
            best = Line(-value, (child.move, *path))
        alpha = max(alpha, best.value)
        if alpha >= beta:
            break
    return best


SELECTIVE = ("uct", "best_first", "two_moves")
"""They have no window, and leave moves out."""
RIGHT = ("usual", "by_value", "fail_hard")
ELSEWHERE = ("shallow", "deep", "extended", "quiescent", "by_state")
"""They answer from another depth."""
SWAPPING = ("by_parity", "always_negates")
"""They take an extra turn for none."""
WRONG = ("returns_alpha", "cuts_early", "narrow", "leaf_of_other", *SWAPPING)
NAMES = (*SELECTIVE, *RIGHT, *ELSEWHERE, *WRONG)
