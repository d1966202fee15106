"""Other ways of backing up, against statements of their formulas that do not use the search."""

from dataclasses import replace
from functools import partial
from itertools import product
from math import exp, isclose, log
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import positions, random_position, trees

from kalahlab import Kalah
from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import HandTree, parse_tree
from kalahlab.games.kalah import State
from kalahlab.players.limited_search import search_within
from kalahlab.players.search_spec import SearchSpec
from kalahlab.search import Depth, minimax
from kalahlab.search.backing_up import BACKUPS, backup_search
from kalahlab.search.backing_up.distributions import ERRORS, Distribution, find_best
from kalahlab.search.backing_up.later_information import expect_best, share_known
from kalahlab.search.backing_up.probability import SCALE
from kalahlab.search.limits import Nodes
from kalahlab.trace import Trace, record

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
        result = m_and_n(None, node, values)
        if value is None:  # MIN has the better of -1 and 4, and a little more
            assert -1 - log(2) < result < -1
        else:
            assert isclose(result, value)


@given(SMALL, st.integers(1, 4))
def test_m_and_n_is_within_a_bonus_a_ply_of_minimax_and_equals_it_without_choice(case, depth):
    game, state = case
    assume(not game.is_over(state))
    arguments = game, state, store_difference, Depth(depth)
    result, plain = BACKUPS["m_and_n"](*arguments), minimax(*arguments)
    assert abs(result.value - plain.value) <= depth * log(2) + 1e-9
    tree = leaves_of(game, state, depth, state.player)
    if len(flatten(tree)) == 1:
        assert result.value == plain.value


PROBABILITIES = ("product_rule", "later_information", "error_minimizing")


@given(trees(values=st.sampled_from((0, 1))))
def test_where_all_leaves_are_certain_the_winner_is_minimaxs(root):
    game = HandTree(root)
    arguments = game, game.start(), written_value, Depth(9)
    for name in PROBABILITIES:
        assert BACKUPS[name](*arguments).value == minimax(*arguments).value, name


def test_a_game_searched_to_its_end_is_won_by_minimaxs_winner():
    rng = Random(4)
    count = 0
    while count < 25:
        game, state = random_position(rng, pits=2, stones=2)
        # A draw is half a win for the rules of probability, so that no leaf may be one.
        leaves = flatten(leaves_of(game, state, 5, state.player))
        if len(leaves) == 1 or not all(over and value for value, over in leaves):
            continue
        count += 1
        arguments = game, state, store_difference, Depth(5)
        value = minimax(*arguments).value
        winner = float(value > 0)
        for name in ("product_rule", "later_information", "error_minimizing"):
            assert isclose(BACKUPS[name](*arguments).value, winner, abs_tol=1e-9), name
        assert isclose(BACKUPS["distributions"](*arguments).value, value, abs_tol=1e-9)


def expect_best_by_listing(chances, known):
    """Return what the mover can expect, by listing what may be known of each child."""
    total = 0.0
    for outcomes in product((1, 0, None), repeat=len(chances)):
        weight = 1.0
        for outcome, win in zip(outcomes, chances, strict=True):
            likelihood = known * (win if outcome else 1 - win)
            weight *= 1 - known if outcome is None else likelihood
        estimates = [
            win if outcome is None else outcome
            for outcome, win in zip(outcomes, chances, strict=True)
        ]
        total += weight * max(estimates)
    return total


CHANCES = st.lists(st.floats(0, 1), min_size=1, max_size=6)


@given(CHANCES, st.floats(0, 1))
def test_later_information_lets_the_player_choose_the_best_of_what_is_then_known(chances, known):
    assert isclose(
        expect_best(chances, known), expect_best_by_listing(chances, known), abs_tol=1e-9
    )


@given(CHANCES)
def test_nothing_known_is_minimax_and_everything_known_is_the_product_rule(chances):
    assert isclose(expect_best(chances, 0), max(chances))
    node = type("Node", (), {"maximizing": True})
    multiplied = BACKUPS["product_rule"].backup.back_up(None, node, chances)
    assert isclose(expect_best(chances, 1), multiplied, abs_tol=1e-9)


def test_later_information_by_hand():
    # MAX has 0.5 and 0.4 and knows each with probability 1/2. A win is known with 1 - 3/4 * 4/5 =
    # 0.4. Otherwise 0.5 is unknown, and 0.4 not known to win: 1/2 * 4/5 * 0.5 = 0.2. Or 0.5 is
    # known to lose, and 0.4 unknown: 1/4 * 1/2 * 0.4 = 0.05.
    assert isclose(expect_best([0.4, 0.5], 0.5), 0.65)


def test_at_the_root_nothing_more_is_known_and_each_move_below_shows_more():
    shares = [share_known(type("Node", (), {"sows": sows}), 0.5) for sows in range(3)]
    assert shares == [0, 0.5, 0.75]


@given(SMALL, st.integers(1, 4))
def test_the_root_of_later_information_is_its_best_move(case, depth):
    game, state = case
    assume(not game.is_over(state))
    trace = record(BACKUPS["later_information"], game, state, store_difference, Depth(depth))
    moves = [child.final_value for child in trace.visited_children(trace.nodes[0])]
    assert isclose(trace.result.value, max(moves))
    for visit in trace.visits():  # each value is between minimax and the product rule
        values = [child.final_value for child in trace.visited_children(visit)]
        if values:
            best = max(values) if visit.node.maximizing else min(values)
            multiplied = BACKUPS["product_rule"].backup.back_up(None, visit.node, values)
            low, high = sorted((best, multiplied))
            assert low - 1e-9 <= visit.final_value <= high + 1e-9


def best_of_leaves(tree, values):
    if isinstance(tree, tuple):
        return next(values)
    results = [best_of_leaves(child, values) for child in tree[1:]]
    return max(results) if tree[0] else min(results)


@given(SMALL, st.integers(1, 3))
@settings(max_examples=40)
def test_distributions_have_the_mean_of_minimax_over_all_errors_of_the_leaves(case, depth):
    game, state = case
    assume(not game.is_over(state))
    tree = leaves_of(game, state, depth, state.player)
    leaves = flatten(tree)
    assume(sum(not over for _, over in leaves) <= 4)
    choices = [(value,) if over else [value + error for error in ERRORS] for value, over in leaves]
    values = [best_of_leaves(tree, iter(chosen)) for chosen in product(*choices)]
    result = BACKUPS["distributions"](game, state, store_difference, Depth(depth))
    assert isclose(result.value, sum(values) / len(values), abs_tol=1e-9)


@given(SMALL, st.integers(1, 4))
@settings(max_examples=40)
def test_distributions_without_errors_are_minimax(case, depth):
    game, state = case
    assume(not game.is_over(state))
    backup = BACKUPS["distributions"].backup
    exact = replace(backup, value_leaf=partial(backup.value_leaf, errors=(0,)))
    arguments = game, state, store_difference, Depth(depth)
    assert backup_search(exact, "")(*arguments).value == minimax(*arguments).value


def test_two_coins_have_a_maximum_of_three_quarters():
    coin = Distribution((0, 1), (0.5, 0.5))
    assert find_best([coin, coin], True) == Distribution((0, 1), (0.25, 0.75))
    assert find_best([coin, coin], False) == Distribution((0, 1), (0.75, 0.25))
    assert find_best([coin, coin, Distribution((1,), (1.0,))], True) == Distribution((1,), (1.0,))


@given(SMALL, st.integers(1, 3))
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
        deeper = BACKUPS["product_rule"].backup.back_up(None, visit.node, values)
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
    "product_rule": "MAX loses only if all moves lose: 0.5 · 0.447 = 0.224. So MAX wins with "
    "probability 0.776.",
    "later_information": "Nothing more is known now, so the best move counts: MAX wins with "
    "probability 0.553.",
    "distributions": "The moves are worth 0 ± 6.81, 1 ± 6.81 (mean ± standard deviation). The "
    "greatest of these values is on average 4.44 ± 5.58.",
    "error_minimizing": "The static value is wrong with probability 0.5, the deeper search with "
    "0.224. So the deeper search counts, and not the static value: MAX wins with probability "
    "0.776.",
    "m_and_n": "The two best moves for MAX are worth 1 and 0: together 1.31.",
    "averaging": "The mean of 0, 1 is 0.5.",
}
LEAVES = {
    "product_rule": "The static value is 1. So MAX is taken to win with probability 0.553.",
    "distributions": "The static value is 1. The true value is taken to be one of −9, −3, 1, 5, "
    "11, equally likely.",
}
LEAVES |= dict.fromkeys(("later_information", "error_minimizing"), LEAVES["product_rule"])


@pytest.mark.parametrize("name", BACKUPS)
def test_each_value_is_explained(name):
    game, state = Kalah(2, 2), State((1, 2, 0, 2, 2, 0), 0)
    search = BACKUPS[name]
    trace = record(search, game, state, store_difference, Depth(1))
    assert trace.explain_value() == f"At the root: {SENTENCES[name]}"
    assert trace.nodes[2].reason == LEAVES.get(name, "")
    assert trace.unit == ("probability" if name in PROBABILITIES else "value")
    again = Trace.from_json(trace.to_json())
    assert (again.unit, again.explain_value()) == (trace.unit, trace.explain_value())


def test_below_the_root_a_player_will_know_more():
    game = HandTree(parse_tree("((0.5 0.4))"))
    trace = record(BACKUPS["later_information"], game, game.start(), written_value, Depth(2))
    assert trace.explain_value() == (
        "At the root: There is one move. So MAX wins with probability 0.369, as after the move."
    )
    assert trace.explain_value(1) == (
        "After 1: By then MIN sees 1 move further, and knows of each move with probability 0.08 "
        "who wins. Minimax gives 0.4, the product rule 0.2. So MAX wins with probability 0.369."
    )


def test_a_users_backup_without_a_number_or_a_text_is_refused_in_one_line():
    game = Kalah(2, 2)
    arguments = game, game.start(), store_difference, Depth(2)
    mean = BACKUPS["averaging"].backup
    silent = backup_search(replace(mean, name="silent", back_up=lambda *words: None), "")
    with pytest.raises(ValueError, match="backup silent returns None; it must return a number"):
        silent(*arguments)
    odd = backup_search(replace(mean, name="odd", explain=lambda *words: 5), "")
    assert odd(*arguments).value == BACKUPS["averaging"](*arguments).value
    with pytest.raises(ValueError, match="a value is explained by 5; it must be a text"):
        record(odd, *arguments)


def test_a_search_by_minimax_explains_no_value():
    game, state = Kalah(2, 2), Kalah(2, 2).start()
    trace = record(minimax, game, state, store_difference, Depth(1))
    assert not trace.has_own_backup
    with pytest.raises(ValueError, match="the value at the root has no explanation; record a sear"):
        trace.explain_value()


@pytest.mark.parametrize("name", PROBABILITIES)
def test_the_leaves_of_a_tree_by_hand_are_probabilities(name):
    game = HandTree(parse_tree("(0.5 0.4)"))
    value = BACKUPS[name](game, game.start(), written_value, Depth(1)).value
    assert isclose(value, 0.5 if name == "later_information" else 0.7)
    game = HandTree(parse_tree("(0.5 3)"))
    message = "the node 2 has the value 3; a search by probabilities takes values from 0 to 1"
    with pytest.raises(ValueError, match=message):
        BACKUPS[name](game, game.start(), written_value, Depth(1))


def test_a_node_of_a_tree_by_hand_may_have_a_static_value_or_none():
    # MAX has 0.5 and 0.4: minimax is wrong with 0.3. A static value of 0.9 is wrong with 0.1.
    for text, value in (("(0.5 0.4)", 0.7), ("(A:0.9(0.5 0.4))", 0.9)):
        game = HandTree(parse_tree(text))
        arguments = game, game.start(), written_value, Depth(2)
        assert isclose(BACKUPS["error_minimizing"](*arguments).value, value)


ENDLESS = float("inf")


@pytest.mark.parametrize("name", BACKUPS)
def test_infinite_values_are_taken_or_refused_in_one_line(name):
    game, state = Kalah(3, 2), Kalah(3, 2).start()

    def reach_infinity(board, player):
        return ENDLESS if board[3] != board[7] else 0

    def reach_both_infinities(board, player):
        return ENDLESS if board[3] % 2 else -ENDLESS

    assert BACKUPS[name](game, state, reach_infinity, Depth(3)).value >= 0
    if name == "averaging":
        with pytest.raises(ValueError, match="the evaluator returns ∞ and −∞, which have no mean"):
            BACKUPS[name](game, state, reach_both_infinities, Depth(3))
    else:
        BACKUPS[name](game, state, reach_both_infinities, Depth(3))


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
