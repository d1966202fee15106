"""A search with a window under a limit of nodes or time, in the textbook and in the engine."""

from random import Random

import pytest
from conftest import Ticking
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_position

from kalahlab import engine
from kalahlab.evaluators.kalah import e3, store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.names import IMPORTED
from kalahlab.players.parse import make_player
from kalahlab.search import ALGORITHMS, Depth, alpha_beta, deepening
from kalahlab.search.deepening import combine_results, deepening_within
from kalahlab.search.growing import PLAYOUTS, uct
from kalahlab.search.limits import Nodes, Playouts, Seconds
from kalahlab.search.model import INF, Line
from kalahlab.search.observer import Observer
from kalahlab.search.tree import searcher

GAME = Kalah(6, 4)
START = GAME.start()


@pytest.mark.parametrize("name", sorted(engine.ALGORITHMS))
@settings(max_examples=12)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 2000))
def test_a_limit_of_nodes_gives_the_last_complete_depth_in_both_backends(name, seed, pits, nodes):
    game, state = random_position(Random(seed), pits, stones=2)
    result = ALGORITHMS[name](game, state, e3, Nodes(nodes))
    assert result.counts.visited <= nodes
    passes = list(deepening(ALGORITHMS[name], game, state, e3, INF, max_nodes=nodes))
    assert result.counts.visited == sum(one.counts.visited for one in passes)
    if passes:
        assert (result.value, result.line) == (passes[-1].value, passes[-1].line)
    else:
        assert result.claim == "unknown"
    # Small boards often are searched to the end of the game, where both must stop at one depth.
    assert engine.ALGORITHMS[name](game, state, e3, Nodes(nodes)) == result


class Expansions(Observer):
    """An observer that counts the nodes that a search expands."""

    number = 0

    def expand(self, node, children):
        self.number += 1


@pytest.mark.parametrize("name", ["alpha_beta", "minimax"])
def test_a_search_that_is_abandoned_has_not_done_more_than_its_limit(name):
    """Count without the search's counter: every node is expanded or evaluated."""
    evaluated = 0

    def counting(board, player):
        nonlocal evaluated
        evaluated += 1
        return 0

    ALGORITHMS[name](GAME, START, counting, Depth(1))  # the first search tries the evaluator
    for nodes in range(1, 80):
        evaluated, expansions = 0, Expansions()
        ALGORITHMS[name](GAME, START, counting, Nodes(nodes), observer=expansions)
        assert evaluated + expansions.number <= nodes


def test_seconds_end_a_search_in_the_middle():
    clock = Ticking(0.001)
    limited = alpha_beta, GAME, START, store_difference, Seconds(0.5)
    result = combine_results([*deepening_within(*limited, clock=clock)])
    depth = len(result.line)
    assert result.line == alpha_beta(GAME, START, store_difference, Depth(depth)).line
    assert 100 < result.counts.visited < 500


@searcher
def first_moves(tree):
    """Value the children of the root again and again, until the limit is reached."""
    best = Line(-INF)
    while not tree.spent(8):
        lines = [Line(tree.static(child), (child.move,)) for child in tree.successors(tree.root)]
        best = max(lines, key=lambda line: line.value)
    return best


@pytest.mark.parametrize("nodes", [8, 50, 500])
def test_a_loop_of_a_user_ends_when_the_tree_is_spent(nodes, monkeypatch):
    result = first_moves(GAME, START, store_difference, Nodes(nodes))
    assert nodes - 8 < result.counts.visited <= nodes
    assert len(result.line) == 1
    monkeypatch.setitem(IMPORTED, ("algorithm", "own.first_moves"), first_moves)
    for limit in (f"{nodes}n", "20ms"):
        player = make_player(f"own.first_moves:store_difference:{limit}")
        assert player(GAME, START) in GAME.moves(START)


def test_no_search_takes_a_limit_in_silence():
    for search in (alpha_beta, engine.alpha_beta):
        with pytest.raises(ValueError, match="takes a depth, nodes or seconds"):
            search(GAME, START, store_difference, Playouts(8))
    with pytest.raises(ValueError, match="the limit 6; it takes playouts or seconds"):
        uct(GAME, START, PLAYOUTS["random"], Depth(6))
