"""Comparisons of searches with alpha-beta: mistakes are found, and nothing else is called one."""

import re
from itertools import product
from math import inf
from random import Random

import others
import pytest
from strategies import random_position

from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import HandTree, parse_tree
from kalahlab.games.rules import Rules
from kalahlab.search import ALGORITHMS, Depth
from kalahlab.search.alpha_beta import value
from kalahlab.search.model import Line
from kalahlab.search.tree import Tree, pit_order, searcher
from kalahlab.trace import record
from kalahlab.trace.compare import compare_with_alpha_beta

MISTAKE = "does not allow|is wrong|first wrong|by luck"
DEPTH = 4


# In other samples a wrong window is not always blamed on an extra turn.
PLAIN_RULES = [
    Rules(capture=capture, rest_to=rest_to, end=end, majority=majority)
    for capture, rest_to, end, majority in product(
        ("opposite", "always"), ("owner", "finisher"), ("either", "mover"), ("ignore", "stop")
    )
]


def sample(count, seed=3):
    rng = Random(seed)
    while count:
        game, state = random_position(rng, stones=3, m=3, choices=PLAIN_RULES)
        if not game.is_over(state):
            count -= 1
            yield game, state, store_difference, Depth(DEPTH)


SAMPLE = [*sample(25)]
TWICE = "X:(u:(a:5 b:6) v:(c:7 d:8))"


def compare(search, args):
    """Return the trace of a search, a tree of it, the description and the step."""
    game, _, evaluator, limit = args
    trace, right = record(search, *args), record(ALGORITHMS["alpha_beta"], *args)
    tree = Tree(game, evaluator, limit, pit_order, trace.nodes[0].node)
    return trace, tree, *compare_with_alpha_beta("mine", trace, right, tree)


def messages_on(name):
    """Yield the description and the explanations of all cuts for each position of the sample."""
    for args in SAMPLE:
        trace, _, message, _ = compare(getattr(others, name), args)
        yield message + " ".join(map(trace.why, trace.cuts))


@pytest.mark.parametrize("name", [*others.RIGHT, *others.ELSEWHERE, *others.SELECTIVE])
def test_a_correct_search_has_no_mistakes(name):
    for message in messages_on(name):
        assert not re.search(MISTAKE, message), message


@pytest.mark.parametrize("name", [*ALGORITHMS])
def test_the_searches_of_the_package_have_no_mistakes(name):
    for args in SAMPLE[::2] if name != "greedy" else ():
        assert not re.search(MISTAKE, compare(ALGORITHMS[name], args)[2])


@pytest.mark.parametrize("name", others.SELECTIVE)
def test_moves_that_a_search_without_a_window_leaves_out_are_named(name):
    for args in SAMPLE:
        trace, _, message, step = compare(getattr(others, name), args)
        selective = [visit for visit in trace.visits() if trace.unvisited_children(visit)]
        assert ("It has no window, but" in message) == bool(selective)
        if selective:
            first = selective[0]
            names = ", ".join(child.name for child in trace.unvisited_children(first))
            assert f"{trace.place(first.id)} it leaves out {names}" in message
            assert [*trace.events()][step - 1] == (False, first)


@pytest.mark.parametrize("name", others.ELSEWHERE)
def test_a_value_of_another_depth_is_described(name):
    """Find the difference in the message if the search is deeper there."""
    described = 0
    for args in SAMPLE:
        trace, _, message, step = compare(getattr(others, name), args)
        if "It answers from another depth" in message:
            described += 1
        else:
            assert trace.result.value == ALGORITHMS["alpha_beta"](*args).value
        deeper = re.search(r"searches (\d+) (ply|plies) deeper", message)
        if deeper:
            visit = [*trace.events()][step - 1][1]
            depths = [v.node.sows for v in trace.visits() if visit.id in trace.path_ids(v.id)]
            assert visit.node.sows >= DEPTH
            assert int(deeper[1]) == max(depths) - visit.node.sows > 0
    assert described > 0 or name == "by_state"


@pytest.mark.parametrize(
    ("text", "limit", "difference"),
    [
        ("A:(X:(a:-1 b:2) Y:[X:(a:-1 b:2) c:-5])", 2, "after Y, X it returns −1, as after X"),
        (f"A:(Y:[Z:[{TWICE}]] {TWICE})", 4, "after X it returns 0, as after Y, Z, X"),
    ],
)
def test_a_table_that_ignores_the_depth_answers_from_another_one(text, limit, difference):
    """Search a tree with X at two depths, one of them nearer to the limit."""
    args = HandTree(parse_tree(text)), parse_tree(text), written_value, Depth(limit)
    message = compare(others.by_state, args)[2]
    assert not re.search(MISTAKE, message)
    assert f"It answers from another depth: {difference}; alpha-beta finds " in message


def test_a_wrong_returned_value_is_distinguished_from_a_wrong_window():
    """Return alpha at correct cuts, while the children have another value."""
    described = 0
    for args in SAMPLE:
        trace, tree, message, step = compare(others.returns_alpha, args)
        assert "does not allow" not in message
        for cut in trace.cuts:
            visit = trace.nodes[cut.node]
            values = [child.value for child in trace.visited_children(visit)]
            assert cut.value == (max(values) if visit.node.maximizing else min(values))
            assert trace.is_sound_cut(cut)
            returned = "∞" if visit.value == inf else ""
            assert f"But the search returns {returned}" in trace.why(cut)
        if "The first wrong value is" in message:
            described += 1
            visit = [*trace.events()][step - 1][1]
            end = "its α" if visit.node.maximizing else "its β"
            assert f", {end}, although {visit.player} has" in message
            assert message.rstrip(".").endswith(f"from move {trace.best(visit).name}")
            right = value(tree, visit.node, -inf, inf).value
            assert visit.is_cut_by(right), "it should have been cut, with another value"
    assert described > 10


@pytest.mark.parametrize("name", others.SWAPPING)
def test_an_ignored_extra_turn_is_named(name):
    described = 0
    for args in SAMPLE:
        trace, _, message, _ = compare(getattr(others, name), args)
        if re.search(MISTAKE, message):
            described += 1
            pattern = r"Move (\S+) gives an extra turn: (.*) (MAX|MIN) moves again\.$"
            match = re.search(pattern, message)
            assert match, message
            [*_, after] = [v for v in trace.visits() if trace.place(v.id) == match[2]]
            assert after.extra_turn
            assert (after.name, after.player) == (match[1], match[3])
    assert described > 10


@pytest.mark.parametrize("name", [name for name in others.WRONG if name not in others.SWAPPING])
def test_other_mistakes_are_not_blamed_on_extra_turns(name):
    messages = [*messages_on(name)]
    assert not any("extra turn" in message for message in messages)
    assert any(re.search(MISTAKE, message) for message in messages)


def test_a_line_without_a_move_is_described():
    @searcher
    def lineless(tree):
        return Line(value(tree, tree.root, -inf, inf).value)

    assert "but the line is empty" in compare(lineless, SAMPLE[0])[2]


def test_nodes_beyond_the_limit_are_no_mistake():
    """Search deeper with alpha-beta's value: the nodes beyond the limit are in no cut of it."""
    messages = [compare(others.deep, args)[2] for args in SAMPLE]
    start = "mine agrees with alpha_beta. It answers from another depth"
    assert any(start in message for message in messages)
