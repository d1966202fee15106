"""Dynamic ordering, against minimax and against a plain statement of the method."""

from functools import cache
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions, trees
from test_growing import parity as parity  # a fixture

from kalahlab import Kalah
from kalahlab.evaluators import static_value
from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import HandTree, uniform_tree
from kalahlab.search import Depth, minimax
from kalahlab.search.growing import PLAYOUTS, dynamic_ordering
from kalahlab.search.limits import Playouts
from kalahlab.trace import record_growth

SMALL = positions(pits=4, stones=5)


@given(SMALL, st.integers(0, 4))
@settings(max_examples=120)
def test_the_value_and_the_line_are_those_of_minimax_at_the_depth(case, depth):
    game, state = case
    expected = minimax(game, state, store_difference, Depth(depth))
    result = dynamic_ordering(game, state, store_difference, Depth(depth))
    assert result.value == expected.value
    final = state
    for move in result.line:
        final = game.play(final, move)
    assert len(result.line) == depth or game.is_over(final)
    value = static_value(store_difference, final.board, final.player, state.player)
    assert result.value == (game.margin(final, state.player) if game.is_over(final) else value)
    assert result.claim == ("exact" if game.is_over(state) else "estimate")


@pytest.mark.usefixtures("parity")
def test_a_search_that_counts_levels_would_be_found_out():
    game = Kalah(4, 3)
    wrong = [
        depth
        for depth in range(1, 6)
        if dynamic_ordering(game, game.start(), store_difference, Depth(depth)).value
        != minimax(game, game.start(), store_difference, Depth(depth)).value
    ]
    assert wrong


@given(trees())
def test_the_value_is_that_of_minimax_in_a_tree_written_by_hand(root):
    game = HandTree(root)
    expected = minimax(game, game.start(), written_value, Depth(99)).value
    assert dynamic_ordering(game, game.start(), written_value, Depth(99)).value == expected


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_uniform_tree_is_proved_with_fewer_leaves_than_knuth_and_moore_allow(depth, seed):
    root = uniform_tree(3, depth, seed)
    counts = dynamic_ordering(HandTree(root), root, written_value, Depth(depth)).counts
    assert 3 ** -(-depth // 2) + 3 ** (depth // 2) - 1 <= counts.evaluated <= 3**depth
    assert counts.looked <= (3**depth - 1) // 2  # the inner nodes


class Naive:
    """The method stated without a tree: all is computed anew from what was expanded and evaluated.

    A node is the tuple of the moves that lead to it.
    """

    def __init__(self, game, state, depth):
        self.game, self.root, self.depth = game, state, depth
        self.expanded, self.evaluated, self.looked, self.windows = set(), set(), set(), {}
        self.see(())

    def state(self, path):
        state = self.root
        for move in path:
            state = self.game.play(state, move)
        return state

    def children(self, path):
        if path not in self.expanded:
            return []
        return [(*path, move) for move in self.game.moves(self.state(path))]

    def see(self, path):
        if self.game.is_over(self.state(path)) and (len(path) < self.depth or not path):
            self.evaluated.add(path)
        elif len(path) < self.depth:
            self.looked.add(path)
        elif self.depth == 0:
            self.evaluated.add(path)

    def numbers(self, path):
        """Return what a node looks worth, and the bounds of its value, all for MAX."""
        state = self.state(path)
        if path in self.expanded:
            best = max if state.player == self.root.player else min
            return tuple(map(best, zip(*map(self.numbers, self.children(path)), strict=True)))
        if self.game.is_over(state):
            value = self.game.margin(state, self.root.player)
        else:
            value = static_value(store_difference, state.board, state.player, self.root.player)
        if path in self.evaluated:
            return value, value, value
        if path in self.looked:
            return value, -inf, inf
        is_max = self.state(path[:-1]).player == self.root.player
        return (-inf if is_max else inf), -inf, inf

    def choose(self, path):
        """Return the child to go on with: the first that looks best and is not cut off."""
        is_max = self.state(path).player == self.root.player
        alpha, beta = self.windows.get(path, (-inf, inf))
        chosen, highest = None, -inf
        for child in self.children(path):
            value, low, high = self.numbers(child)
            if low == high or (high <= alpha if is_max else low >= beta):
                continue
            appeal = inf if abs(value) == inf else value if is_max else -value
            if chosen is None or appeal > highest:
                chosen, highest = child, appeal
        return chosen

    def run(self):
        while True:
            value, low, high = self.numbers(())
            if low == high:
                return value
            path = ()
            while path in self.expanded:
                path = self.choose(path)
            if len(path) < self.depth:
                self.expanded.add(path)
                for child in self.children(path):
                    self.see(child)
                path = self.choose(path) if len(path) + 1 == self.depth else path
            if len(path) == self.depth:
                self.evaluated.add(path)
            alpha, beta = -inf, inf
            for length in range(len(path) + 1):
                _, low, high = self.numbers(path[:length])
                if self.state(path[:length]).player == self.root.player:
                    alpha = max(alpha, low)
                else:
                    beta = min(beta, high)
                self.windows[path[:length]] = alpha, beta


@given(positions(pits=3, stones=3), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_the_counts_are_those_of_the_plain_statement(case, depth):
    game, state = case
    naive = Naive(game, state, depth)
    result = dynamic_ordering(game, state, store_difference, Depth(depth))
    assert result.value == naive.run()
    counts = result.counts
    assert counts.expanded == len(naive.expanded)
    assert counts.evaluated == len(naive.evaluated)
    assert counts.looked == len(naive.looked)
    assert counts.generated == sum(len(naive.children(path)) for path in naive.expanded)


@given(positions(pits=3, stones=3), st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_all_that_an_iteration_says_is_proved_is_true(case, depth):
    game, state = case
    trace = record_growth(dynamic_ordering, game, state, store_difference, Depth(depth))

    @cache
    def value(id):
        node = trace.nodes[id]
        result = minimax(game, node.state, store_difference, Depth(depth - node.sows)).value
        return result if node.maximizing else -result

    for id, history in enumerate(trace.history):
        for _, numbers in history:
            assert numbers.low <= value(id) <= numbers.high
            facts = numbers.to_tell()
            assert facts.get("proved value", value(id)) == value(id)
            assert facts.get("at least", -inf) <= value(id) <= facts.get("at most", inf)
    evaluated = [id for row in trace.iterations[1:] for id, _, _ in row.values]
    assert len(evaluated) == len(set(evaluated))  # no position is evaluated twice


def test_a_trace_is_read_again_with_the_same_reasons():
    game = Kalah(3, 2)
    trace = record_growth(dynamic_ordering, game, game.start(), store_difference, Depth(3))
    again = type(trace).from_json(trace.to_json())
    assert [again.why(step) for step in range(1, again.steps + 1)] == [
        trace.why(step) for step in range(1, trace.steps + 1)
    ]
    assert again.result.counts == trace.result.counts
    reasons = trace.why(5)
    assert "At the root, MAX selects move 2: value so far 1, at most 1." in reasons
    assert "After 2, 1, MIN selects move 2: it is not evaluated yet." in reasons
    assert "no more can be gained there" in trace.why(7)


@pytest.mark.parametrize(
    ("evaluator", "limit", "message"),
    [
        (store_difference, Playouts(5), "DynamicOrdering cannot keep the limit 5p; it takes a"),
        (store_difference, Depth(3, "turn"), "dynamic_ordering counts its depth in sows; use"),
        (PLAYOUTS["random"], Depth(3), "by an evaluator, not by a playout; use e3"),
    ],
)
def test_what_it_cannot_take_is_refused(evaluator, limit, message):
    game = Kalah(3, 2)
    with pytest.raises(ValueError, match=message):
        dynamic_ordering(game, game.start(), evaluator, limit)
