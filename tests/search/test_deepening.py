"""Iterative deepening: each depth as if searched alone, until the tree or the time ends."""

from itertools import islice
from math import inf
from random import Random

import pytest
from conftest import Ticking
from hypothesis import given
from oracle import FULL
from strategies import random_betsy, random_position, trees

from kalahlab.evaluators import betsy
from kalahlab.evaluators.kalah import staged
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import HandTree
from kalahlab.games.kalah import Kalah
from kalahlab.search import ALGORITHMS, ORDERS, Depth, alpha_beta, deepening, greedy
from kalahlab.search.observer import Watch

DEEPENED = [ALGORITHMS[name] for name in FULL]


def height(node):
    return 1 + max(map(height, node.children)) if node.children else 0


def positions(chance):
    """Positions of both games with an evaluator each."""
    while True:
        yield *random_position(chance, pits=4, stones=4), staged
        yield *random_betsy(chance), betsy.leaf_value


@pytest.mark.parametrize("search", DEEPENED, ids=FULL)
@pytest.mark.parametrize("unit", ["sow", "turn"])
def test_each_depth_is_searched_as_if_alone(search, unit):
    chance = Random(unit)
    for game, state, evaluator in islice(positions(chance), 40):
        order = chance.choice([*ORDERS.values()])
        found = deepening(search, game, state, evaluator, inf, order, unit=unit)
        for depth, result in enumerate(islice(found, 3), start=1):
            assert result == search(game, state, evaluator, Depth(depth, unit), order)


@given(trees())
def test_it_ends_with_the_tree(root):
    """At the latest at the tree's height, and what it says last is what there is to say."""
    for search in DEEPENED:
        found = list(deepening(search, HandTree(root), root, written_value, inf))
        assert 1 <= len(found) <= max(1, height(root)), search
        full = search(HandTree(root), root, written_value, Depth(99))
        assert (found[-1].value, found[-1].line) == (full.value, full.line), search


def test_the_clock_is_read_at_every_node_and_ends_the_search_in_the_middle():
    game = Kalah(6, 4)
    nodes = [
        result.counts.expanded + result.counts.evaluated
        for result in islice(deepening(alpha_beta, game, game.start(), staged, inf), 4)
    ]
    for until in (0, 1, nodes[0], nodes[0] + 1, sum(nodes) - 1, sum(nodes), sum(nodes) + 5):
        clock, watch = Ticking(), Watch(lambda nodes: None)
        found = list(
            deepening(alpha_beta, game, game.start(), staged, until, observer=watch, clock=clock)
        )
        assert len(found) == sum(sum(nodes[: depth + 1]) <= until for depth in range(4))
        assert clock.read == until + 1
        assert watch.entered == until + 1, "the node at which the time was up is the last"


def test_greedy_looks_no_deeper_than_one_ply():
    game = Kalah(6, 4)
    (result,) = deepening(greedy, game, game.start(), staged, inf)
    assert result == greedy(game, game.start(), staged, Depth(1))


def test_nothing_is_done_before_it_is_asked_for():
    clock, game = Ticking(), Kalah(6, 4)
    found = deepening(alpha_beta, game, game.start(), staged, inf, clock=clock)
    assert clock.read == 0
    assert next(found) == alpha_beta(game, game.start(), staged, Depth(1))
    assert clock.read == 7
