"""Other ways of backing up, against statements of their formulas that do not use the search."""

from itertools import product
from math import exp, isclose, log

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import positions, trees

from kalahlab import Kalah
from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import HandTree
from kalahlab.games.kalah import State
from kalahlab.players.limited_search import search_within
from kalahlab.players.search_spec import SearchSpec
from kalahlab.search import Depth, minimax
from kalahlab.search.backing_up import BACKUPS
from kalahlab.search.backing_up.probability import SCALE
from kalahlab.search.limits import Nodes
from kalahlab.trace import explain_backup, record

SMALL = positions(pits=3, stones=3)


def leaves_of(game, state, depth, player):
    """Return a nested list of the leaves' values for `player`, as (value, is_over)."""
    if depth == 0 or game.is_over(state):
        over = game.is_over(state)
        value = game.margin(state, player) if over else store_difference(state.board, player)
        return value, over
    children = [game.play(state, move) for move in game.moves(state)]
    is_max = state.player == player
    return [is_max, *(leaves_of(game, child, depth - 1, player) for child in children)]


def flatten(tree):
    if isinstance(tree, tuple):
        return [tree]
    return [leaf for child in tree[1:] for leaf in flatten(child)]


def probability_of(value, over):
    if over:
        return {True: 1.0, False: 0.0}[value > 0] if value else 0.5
    return 1 / (1 + exp(-value / SCALE))


def wins(tree, outcomes):
    """Return whether MAX wins, if the leaves have these outcomes, by playing well."""
    if isinstance(tree, tuple):
        return next(outcomes)
    results = [wins(child, outcomes) for child in tree[1:]]  # all of them use up their outcomes
    return any(results) if tree[0] else all(results)


@given(SMALL, st.integers(1, 3))
@settings(max_examples=60)
def test_the_product_rule_is_the_chance_that_max_wins_if_leaves_are_drawn_at_random(case, depth):
    game, state = case
    assume(not game.is_over(state))
    tree = leaves_of(game, state, depth, state.player)
    leaves = flatten(tree)
    assume(len(leaves) <= 8)
    total = 0.0
    for outcomes in product((True, False), repeat=len(leaves)):
        weight = 1.0
        for leaf, outcome in zip(leaves, outcomes, strict=True):
            win = probability_of(*leaf)
            weight *= win if outcome else 1 - win
        total += weight * wins(tree, iter(outcomes))
    result = BACKUPS["product_rule"](game, state, store_difference, Depth(depth))
    assert isclose(result.value, total, abs_tol=1e-9)


def lines_to_leaves(tree, probability=1.0):
    """Yield the leaves with the probability that random moves lead there."""
    if isinstance(tree, tuple):
        yield tree[0], probability
        return
    for child in tree[1:]:
        yield from lines_to_leaves(child, probability / (len(tree) - 1))


@given(SMALL, st.integers(1, 4))
@settings(max_examples=60)
def test_averaging_is_the_mean_over_random_lines(case, depth):
    game, state = case
    assume(not game.is_over(state))
    tree = leaves_of(game, state, depth, state.player)
    mean = sum(value * probability for value, probability in lines_to_leaves(tree))
    result = BACKUPS["averaging"](game, state, store_difference, Depth(depth))
    assert isclose(result.value, mean, abs_tol=1e-9)


def test_m_and_n_of_hand_made_values():
    # Each of the three moves leads to a leaf: 2 and 2 stones ahead, and 0.
    tree = {(True, (5, 5, 0)): 5 + log(2), (True, (3,)): 3, (False, (-1, 4)): None}
    m_and_n = BACKUPS["m_and_n"].backup.back_up
    for (is_max, values), value in tree.items():
        node = type("Node", (), {"maximizing": is_max})
        result = m_and_n(None, node, values, 1)
        if value is None:  # MIN has the better of -1 and 4, and a little more
            assert -1 - log(2) < result < -1
        else:
            assert isclose(result, value)


@given(SMALL, st.integers(1, 4))
@settings(max_examples=60)
def test_m_and_n_is_within_a_bonus_a_ply_of_minimax_and_equals_it_without_choice(case, depth):
    game, state = case
    assume(not game.is_over(state))
    arguments = game, state, store_difference, Depth(depth)
    result, plain = BACKUPS["m_and_n"](*arguments), minimax(*arguments)
    assert abs(result.value - plain.value) <= depth * log(2) + 1e-9
    tree = leaves_of(game, state, depth, state.player)
    if len(flatten(tree)) == 1:
        assert result.value == plain.value


@given(trees(values=st.sampled_from((-2, -1, 1, 2))))
@settings(max_examples=60)
def test_where_all_leaves_are_finished_the_winner_is_minimaxs(root):
    game = HandTree(root)
    arguments = game, game.start(), written_value, Depth(9)
    winner = float(minimax(*arguments).value > 0)
    for name in ("product_rule", "product_below", "error_minimizing"):
        assert BACKUPS[name](*arguments).value == winner, name


@given(SMALL, st.integers(2, 3))
@settings(max_examples=60)
def test_the_mixture_is_the_product_rule_above_leaves_and_between_both_rules_at_the_root(
    case, depth
):
    game, state = case
    assume(not game.is_over(state))
    one = [BACKUPS[name](game, state, store_difference, Depth(1)) for name in NEAR_LEAVES]
    assert isclose(one[0].value, one[1].value)
    trace = record(BACKUPS["product_below"], game, state, store_difference, Depth(depth))
    root = trace.nodes[0]
    values = [child.final_value for child in trace.visited_children(root)]
    best = max(values)
    multiplied = BACKUPS["product_rule"].backup.back_up(None, root.node, values, 1)
    height = len(trace.result.line)
    assert isclose(trace.result.value, multiplied / height + best * (1 - 1 / height))


NEAR_LEAVES = ("product_rule", "product_below")


@given(SMALL, st.integers(1, 3))
@settings(max_examples=60)
def test_error_minimizing_keeps_the_surer_of_two_values(case, depth):
    game, state = case
    assume(not game.is_over(state))
    search = BACKUPS["error_minimizing"]
    trace = record(search, game, state, store_difference, Depth(depth))
    for visit in trace.visits():
        children = trace.visited_children(visit)
        if not children:
            continue
        values = [child.final_value for child in children]
        deeper = BACKUPS["product_rule"].backup.back_up(None, visit.node, values, 1)
        max_wins = any(value >= 0.5 for value in values)
        if not visit.node.maximizing:
            max_wins = all(value >= 0.5 for value in values)
        wrong = 1 - deeper if max_wins else deeper
        static = probability_of(store_difference(visit.node.state.board, state.player), False)
        assert isclose(
            min(visit.final_value, 1 - visit.final_value), min(static, 1 - static, wrong)
        )
        assert any(isclose(visit.final_value, value) for value in (static, deeper))


@pytest.mark.parametrize("name", BACKUPS)
@given(case=SMALL, depth=st.integers(1, 3))
@settings(max_examples=20)
def test_each_walks_the_tree_of_minimax_and_its_line_follows_the_first_best_children(
    name, case, depth
):
    game, state = case
    assume(not game.is_over(state))
    trace = record(BACKUPS[name], game, state, store_difference, Depth(depth))
    plain = record(minimax, game, state, store_difference, Depth(depth))
    assert [visit.node.state for visit in trace.nodes] == [v.node.state for v in plain.nodes]
    counts, expected = trace.result.counts, plain.result.counts
    assert (counts.visited, counts.cutoffs) == (expected.visited, 0)
    visit = trace.nodes[0]
    for move in trace.result.line:
        visit = trace.best(visit)
        assert visit.node.move == move
    assert not trace.visited_children(visit)
    if name == "error_minimizing":  # it values the inner nodes, too
        assert counts.evaluated == counts.visited
    else:
        assert counts.evaluated == expected.evaluated


SENTENCES = {
    "product_rule": "MAX loses only if all moves lose: 0.50 · 0.45 = 0.22. So MAX wins with "
    "probability 0.78.",
    "product_below": "The product rule gives 0.78 and has the weight 1/1; minimax gives 0.55. So "
    "MAX wins with probability 0.78.",
    "error_minimizing": "The static value is wrong with probability 0.50, the deeper search with "
    "0.22. So the deeper search counts, and not the static value.",
    "m_and_n": "The best 2 moves are worth 1.00 and 0.00: together 1.31.",
    "averaging": "The mean of 0.00, 1.00 is 0.50.",
}


@pytest.mark.parametrize("name", BACKUPS)
def test_each_value_is_explained(name):
    game, state = Kalah(2, 2), State((1, 2, 0, 2, 2, 0), 0)
    search = BACKUPS[name]
    trace = record(search, game, state, store_difference, Depth(1))
    text = explain_backup(search, trace, game, store_difference)
    assert text == f"At the root: {SENTENCES[name]}"


def test_what_cannot_be_explained_is_refused():
    game, state = Kalah(2, 2), Kalah(2, 2).start()
    trace = record(minimax, game, state, store_difference, Depth(1))
    with pytest.raises(ValueError, match="minimax has no backup; use one of BACKUPS"):
        explain_backup(minimax, trace, game, store_difference)
    with pytest.raises(ValueError, match=r"node 1, after 1, is a leaf; give a node with children"):
        explain_backup(BACKUPS["averaging"], trace, game, store_difference, 1)


@pytest.mark.parametrize("name", BACKUPS)
def test_a_spec_finds_each_by_its_name_and_searches_to_the_last_complete_depth(name):
    game = Kalah(3, 2)
    spec = SearchSpec(name.replace("_", "-"), "store_difference", backend="textbook")
    assert not spec.has_user_algorithm
    results = [*search_within(spec, Nodes(60), game, game.start())]
    depths = [
        BACKUPS[name](game, game.start(), store_difference, Depth(depth))
        for depth in range(1, len(results) + 1)
    ]
    assert [result.value for result in results] == [result.value for result in depths]
    assert sum(result.counts.visited for result in results) <= 60
