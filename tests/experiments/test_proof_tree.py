"""The smallest proof of a value, compared with alpha-beta in the best of all orders."""

from itertools import permutations
from math import inf

import pytest
from hypothesis import given
from oracle import leaves
from strategies import trees

from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.experiments.proof_tree import count_proof_nodes
from kalahlab.games.hand_tree import MAX, HandTree, uniform_tree
from kalahlab.games.kalah import Kalah
from kalahlab.search import Depth, minimax


def value_of(node):
    if not node.children:
        return node.value
    choose = max if node.player == MAX else min
    return choose(map(value_of, node.children))


def fewest_nodes(node, alpha=-inf, beta=inf, weight=1):
    """Return the fewest nodes that alpha-beta visits in any order of the children.

    By Knuth and Moore, theorem 2, no algorithm visits fewer. An inner node counts `weight` times.
    """
    if not node.children:
        return 1
    fewest = inf
    for children in permutations(node.children):
        low, high, nodes = alpha, beta, weight
        for child in children:
            nodes += fewest_nodes(child, low, high, weight)
            if node.player == MAX:
                low = max(low, value_of(child))
            else:
                high = min(high, value_of(child))
            if low >= high:
                break
        fewest = min(fewest, nodes)
    return fewest


@given(trees(max_leaves=10))
def test_the_smallest_proof_is_what_alpha_beta_visits_in_the_best_order(root):
    value = value_of(root)
    nodes = count_proof_nodes(HandTree(root), root, written_value, 99, value, value)
    assert nodes == fewest_nodes(root)
    fewest = count_proof_nodes(HandTree(root), root, written_value, 99, value, value, weight=0)
    assert fewest == fewest_nodes(root, weight=0)


@given(trees())
def test_only_what_is_true_is_proved(root):
    value = value_of(root)
    for low, high in [(value, inf), (value + 1, inf), (-inf, value), (-inf, value - 1)]:
        nodes = count_proof_nodes(HandTree(root), root, written_value, 99, low, high)
        assert (nodes < inf) == (low <= value <= high)


@pytest.mark.parametrize(("moves", "depth"), [(1, 4), (2, 5), (3, 3), (4, 2)])
def test_in_a_uniform_tree_it_is_the_minimal_tree(moves, depth):
    root = uniform_tree(moves, depth, seed=1)
    value = value_of(root)
    nodes = count_proof_nodes(HandTree(root), root, written_value, depth, value, value)
    assert nodes == sum(leaves(moves, level) for level in range(depth + 1))
    fewest = count_proof_nodes(HandTree(root), root, written_value, depth, value, value, weight=0)
    assert fewest == leaves(moves, depth)


def test_a_proof_in_kalah_ends_at_the_depth():
    game = Kalah(3, 2)
    for depth in range(4):
        value = minimax(game, game.start(), store_difference, Depth(depth)).value
        nodes = count_proof_nodes(game, game.start(), store_difference, depth, value, value)
        assert nodes < inf
        wrong = count_proof_nodes(game, game.start(), store_difference, depth, value + 1, inf)
        assert wrong == inf
