"""Trees in which chance moves: expectiminimax and Star1 against the definition, and their texts."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import (
    CHANCE,
    MAX,
    MIN,
    Branch,
    HandTree,
    edit_at,
    format_tree,
    parse_tree,
    with_new_leaf,
    with_value,
    without_branch,
)
from kalahlab.search import ALGORITHMS, Depth, expectiminimax, star1
from kalahlab.search.df_pn import df_pn
from kalahlab.search.growing import GROWING
from kalahlab.search.limits import Nodes, Playouts
from kalahlab.trace import Trace, record


@st.composite
def chance_trees(draw, levels=4, name="", player=None):
    """Draw a tree whose probabilities are multiples of 1/8, so that means are exact."""
    player = draw(st.sampled_from((MAX, MIN))) if player is None else player
    if levels == 0 or (name and draw(st.integers(0, 3)) == 0):
        return Branch(name, player if player != CHANCE else MAX, draw(st.integers(-8, 8)))
    count = draw(st.integers(1, 3))
    weights = [1] * count
    if player == CHANCE:
        for _ in range(8 - count):
            weights[draw(st.integers(0, count - 1))] += 1
    children = []
    for index in range(count):
        below = draw(st.sampled_from((MAX, MIN, CHANCE)))
        child = draw(chance_trees(levels - 1, f"{name}.{index + 1}".lstrip("."), below))
        probability = weights[index] / 8 if player == CHANCE else 1
        children.append(Branch(child.name, child.player, child.value, child.children, probability))
    return Branch(name, player, 0, tuple(children))


def mean_value(node):
    """Return the value of a node by the definition, as an exact fraction."""
    if not node.children:
        return Fraction(node.value)
    values = [mean_value(child) for child in node.children]
    if node.player == CHANCE:
        weights = [Fraction(child.probability) for child in node.children]
        return sum(weight * value for weight, value in zip(weights, values, strict=True))
    return max(values) if node.player == MAX else min(values)


def run(search, root):
    return record(search, HandTree(root), root, written_value, Depth(9))


@given(chance_trees())
def test_both_searches_find_the_value_of_the_definition(root):
    whole, pruned = run(expectiminimax, root), run(star1, root)
    assert whole.result.value == pruned.result.value == mean_value(root)
    assert whole.result.line[:1] == pruned.result.line[:1]
    paths = [whole.path(visit.id) for visit in whole.visits()]
    assert all(pruned.path(visit.id) in paths for visit in pruned.visits())


def test_star1_cuts_as_soon_as_the_mean_cannot_exceed_alpha():
    """Count by hand: no leaf is above 5, and MAX has 4.

    After 2.1 the mean is at most 1/2 + 5/2 = 3. After 3.1 it is at most 1/2 + 15/4 = 4.25, after
    3.2 at most 1/2 + 3/4 + 5/2 = 3.75. So 2.2, 3.3 and 3.4 are never visited.
    """
    root = parse_tree("(4 {1/2*1 1/2*5} {1/4*2 1/4*3 1/4*5 1/4*1})")
    trace = run(star1, root)
    unvisited = [visit.name for visit in trace.nodes if visit.kind == "unvisited"]
    assert [name.partition("·")[0] for name in unvisited] == ["2.2", "3.3", "3.4"]
    assert trace.result.value == 4


@given(chance_trees(), st.integers(0, 4))
def test_at_a_depth_star1_finds_the_value_of_expectiminimax(root, depth):
    args = HandTree(root), root, written_value, Depth(depth)
    assert star1(*args).value == expectiminimax(*args).value


def test_an_evaluator_beyond_the_values_of_the_tree_is_refused():
    root = parse_tree("({3 4} (5 6))")
    with pytest.raises(ValueError, match=r"star1 needs values from 0 to 6; the evaluator .* 99"):
        star1(HandTree(root), root, lambda board, player: 99 if player == MAX else -99, Depth(1))


def test_branches_of_chance_are_changed_in_the_text_only():
    root = parse_tree("({3 4} 5)")
    for edit in (with_new_leaf, lambda node: without_branch(node, 0)):
        with pytest.raises(ValueError, match="chance moves at 1; change its branches in the text"):
            edit_at(root, [0], edit)
    assert (
        edit_at(root, [0, 1], lambda leaf: with_value(leaf, 8)).children[0].children[1].value == 8
    )


@given(chance_trees())
def test_a_value_of_star1_is_right_within_its_window_and_else_a_bound(root):
    trace = run(star1, root)
    for visit in trace.visits():
        true = mean_value(visit.node.state)
        if visit.value <= visit.alpha:
            assert true <= visit.value
        elif visit.value >= visit.beta:
            assert true >= visit.value
        else:
            assert true == visit.value


@given(chance_trees())
def test_a_cut_where_chance_moves_holds_whatever_the_others_are_worth(root):
    trace = run(star1, root)
    least, greatest = HandTree(root).value_range()
    for cut in trace.cuts:
        visit = trace.nodes[cut.node]
        if not visit.is_chance:
            continue
        settled = sum(
            child.node.state.probability * child.value for child in trace.visited_children(visit)
        )
        rest = sum(trace.nodes[id].node.state.probability for id in cut.untried)
        is_above = visit.value >= visit.beta
        assert visit.value == settled + rest * (least if is_above else greatest)
        reason = trace.why(cut)
        side = "least" if is_above else "most"
        assert f"would be worth, the mean is at {side} " in reason
        assert all(trace.nodes[id].name in reason for id in cut.untried)
        assert reason.endswith("cannot change the result.")


@given(chance_trees())
def test_traces_and_texts_of_such_trees_are_read_back(root):
    again = parse_tree(format_tree(root))
    assert mean_value(again) == mean_value(root)
    assert format_tree(again) == format_tree(root)
    trace = run(star1, root)
    again = Trace.from_json(trace.to_json())
    assert again.rows() == trace.rows()
    assert [again.why(cut) for cut in again.cuts] == [trace.why(cut) for cut in trace.cuts]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{1/2*3 4}", "give each branch in a pair of braces {} a probability, or none"),
        ("{1/2*3 1/4*4}", "add up to 0.75, not to 1"),
        ("(1/2*3 1/2*4)", "only a branch in braces {} has a probability"),
        ("{x*3 1/2*4}", "'x' is no probability"),
        ("{2*3 -1*4}", "'2' is no probability"),
        ("{1/0*3 1*4}", "'1/0' is no probability"),
    ],
)
def test_a_wrong_probability_is_named(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_tree(text)


def test_without_probabilities_all_branches_are_equally_likely():
    root = parse_tree("({3 4 8} 5)")
    assert [child.probability for child in root.children[0].children] == [1 / 3] * 3
    assert parse_tree(format_tree(root)) == root


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_search_without_a_rule_for_chance_refuses_such_a_tree(name):
    root = parse_tree("({3 4} 5)")
    args = HandTree(root), root, written_value, Depth(9)
    if name in ("expectiminimax", "star1"):
        assert ALGORITHMS[name](*args).value == 5
    else:
        with pytest.raises(ValueError, match="use expectiminimax or star1"):
            ALGORITHMS[name](*args)


def test_df_pn_refuses_chance():
    root = parse_tree("{1/2*-5 1/2*5}")
    with pytest.raises(ValueError, match="df_pn has no rule for moves of chance"):
        df_pn(HandTree(root), root, Nodes(10), -1)


@pytest.mark.parametrize("name", GROWING)
def test_a_search_that_grows_a_tree_refuses_chance(name):
    root = parse_tree("({3 4} 5)")
    limit = Nodes(10) if name in ("best_first", "proof_number") else Playouts(10)
    with pytest.raises(ValueError, match="has no rule for moves of chance"):
        GROWING[name](HandTree(root), root, written_value, limit)
