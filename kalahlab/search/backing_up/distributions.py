"""Distributions: a leaf is worth its static value and an error; a node has the best of such values.

Palay, *Searching with probabilities* (1985), and Baum & Smith, "A Bayesian approach to relevance in
game playing", *Artificial Intelligence* 97 (1997), back up distributions instead of numbers. Smith,
Baum, Garrett & Tudor, "Experiments with a Bayesian game player" (1996), say on the first page that
"each node is associated with a probability distribution, rather than a number; the move with
largest mean is chosen". Their leaf distributions, and which leaves they expand, are not in the part
that could be read. So this is a reading: the tree is given, and an unfinished leaf is worth its
static value plus one of the `ERRORS`, all equally likely and independent of each other. A node is
worth the best of its children once all errors are known: the maximum of independent variables for
MAX, the minimum for MIN.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf, prod, sqrt

from kalahlab.formatting import format_number
from kalahlab.search.backing_up.averaging import find_mean
from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.model import Node
from kalahlab.search.tree import Tree

# Exact value minus store difference in the judged positions of Kalah(6,4), less its mean: about the
# quantiles 10, 30, 50, 70 and 90 %, which page 15 computes.
ERRORS = (-10, -4, 0, 4, 10)


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution over finitely many values.

    Attributes:
        values: The values, in ascending order.
        weights: The probability of each value.
    """

    values: tuple[float, ...]
    weights: tuple[float, ...]

    def __float__(self) -> float:
        """Return the mean."""
        return find_mean(self.values, self.weights)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        mean = float(self)
        if isinf(mean):
            return 0.0
        return sqrt(find_mean([(value - mean) ** 2 for value in self.values], self.weights))


def value_leaf(tree: Tree, node: Node, errors: Sequence[float] = ERRORS) -> Distribution:
    """Return the static value with each error; without one if the game is over."""
    value = tree.static(node)
    if tree.game.is_over(node.state) or isinf(value):
        return Distribution((value,), (1.0,))
    return merge({value + error: 1 / len(errors) for error in errors})


def merge(weights: dict[float, float]) -> Distribution:
    """Make the distribution in which each value has its weight."""
    values = sorted(weights)
    return Distribution((*values,), tuple(weights[value] for value in values))


def find_best(distributions: Sequence[Distribution], maximizing: bool) -> Distribution:
    """Return the distribution of the greatest, or of the least, of independent values."""
    values = sorted({value for one in distributions for value in one.values})
    if not maximizing:
        values.reverse()
    # For each distribution, the probability of a value up to this one, from the worst value on.
    up_to = [[0.0] * len(values) for _ in distributions]
    for row, one in zip(up_to, distributions, strict=True):
        weights = dict(zip(one.values, one.weights, strict=True))
        total = 0.0
        for place, value in enumerate(values):
            total += weights.get(value, 0.0)
            row[place] = total
    cumulated = [prod(column) for column in zip(*up_to, strict=True)]
    weights = {}
    before = 0.0
    for value, total in zip(values, cumulated, strict=True):
        if total > before:
            weights[value] = total - before
        before = total
    return merge(weights)


def back_up(tree: Tree, node: Node, beliefs: Sequence[Distribution]) -> Distribution:
    """Return the distribution of the best child's value."""
    return find_best(beliefs, node.maximizing)


def explain(tree: Tree, node: Node, beliefs: Sequence[Distribution]) -> str:
    """Say how the mean of the best value follows from the children's."""
    best = "greatest" if node.maximizing else "least"
    moves = ", ".join(map(format_distribution, beliefs))
    if len(beliefs) == 1:
        return f"There is one move, worth {moves} (mean ± standard deviation)."
    value = format_distribution(back_up(tree, node, beliefs))
    return (
        f"The moves are worth {moves} (mean ± standard deviation). The {best} of these values is "
        f"on average {value}."
    )


def format_distribution(distribution: Distribution) -> str:
    """Format a mean and a standard deviation."""
    mean = format_number(round(float(distribution), 2))
    if not distribution.deviation:
        return mean
    return f"{mean} ± {format_number(round(distribution.deviation, 2))}"


def explain_leaf(tree: Tree, node: Node, belief: Distribution) -> str:
    """Say between which values the true value of a leaf lies."""
    low, high = belief.values[0], belief.values[-1]
    if low == high:
        return f"The value is {format_number(low)}, without an error."
    return (
        f"The static value is {format_number(float(belief))}. The true value is taken to be one of "
        f"{', '.join(map(format_number, belief.values))}, equally likely."
    )


DISTRIBUTIONS = Backup("distributions", value_leaf, back_up, explain, explain_leaf)
distributions = backup_search(
    DISTRIBUTIONS, "Back up the distribution of the best child's value, not the best mean."
)
