"""What is said of a search that is not alpha-beta: what is wrong with it, and no more."""

import re
from math import inf
from random import Random

import others
import pytest
from strategies import random_position

from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import HandTree, parse_tree
from kalahlab.search import ALGORITHMS, Depth
from kalahlab.search.alpha_beta import value
from kalahlab.search.model import Line
from kalahlab.search.tree import Tree, pit_order, searcher
from kalahlab.trace import record
from kalahlab.trace.compare import compare_with_alpha_beta

ACCUSED = "does not allow|is wrong|first wrong|by luck"
DEPTH = 4


def sample(count, seed=3):
    chance = Random(seed)
    while count:
        game, state = random_position(chance, stones=3, m=3)
        if not game.is_over(state):
            count -= 1
            yield game, state, store_difference, Depth(DEPTH)


SAMPLE = [*sample(25)]
TWICE = "X:(u:(a:5 b:6) v:(c:7 d:8))"


def compared(search, asked):
    """The search's trace, a tree of it, what is said, and the step."""
    game, _, evaluator, leaf = asked
    own, right = record(search, *asked), record(ALGORITHMS["alpha_beta"], *asked)
    tree = Tree(game, evaluator, leaf, pit_order, own.nodes[0].node)
    return own, tree, *compare_with_alpha_beta("mine", own, right, tree)


def all_said(name):
    for asked in SAMPLE:
        own, _, said, _ = compared(getattr(others, name), asked)
        yield said + " ".join(map(own.why, own.cuts))


@pytest.mark.parametrize("name", [*others.RIGHT, *others.ELSEWHERE, *others.SELECTIVE])
def test_what_is_not_wrong_is_not_accused(name):
    for said in all_said(name):
        assert not re.search(ACCUSED, said), said


@pytest.mark.parametrize("name", [*ALGORITHMS])
def test_the_searches_of_the_package_are_not_accused(name):
    for asked in SAMPLE if name != "greedy" else ():
        assert not re.search(ACCUSED, compared(ALGORITHMS[name], asked)[2])


@pytest.mark.parametrize("name", others.SELECTIVE)
def test_a_search_that_leaves_moves_out_without_a_window_is_said_to(name):
    for asked in SAMPLE:
        own, _, said, step = compared(getattr(others, name), asked)
        left = [visit for visit in own.visits() if own.unvisited_children(visit)]
        assert ("It has no window, and" in said) == bool(left)
        if left:
            names = ", ".join(child.name for child in own.unvisited_children(left[0]))
            assert f"{own.place(left[0].id)} it leaves out {names}" in said
            assert [*own.events()][step - 1] == (False, left[0])


@pytest.mark.parametrize("name", others.ELSEWHERE)
def test_a_value_of_another_depth_is_told_as_such(name):
    """And how much deeper the tree is below, where it is."""
    told = 0
    for asked in SAMPLE:
        own, _, said, step = compared(getattr(others, name), asked)
        other = "It answers from another depth" in said
        assert other or own.result.value == ALGORITHMS["alpha_beta"](*asked).value
        if deeper := re.search(r"searches (\d+) (ply|plies) deeper", said):
            visit = [*own.events()][step - 1][1]
            below = [v.node.sows for v in own.visits() if visit.id in own.way(v.id)]
            assert visit.node.sows >= DEPTH
            assert int(deeper[1]) == max(below) - visit.node.sows > 0
        told += other
    assert told > 0 or name == "by_state"


@pytest.mark.parametrize(
    ("text", "limit", "told"),
    [
        ("A:(X:(a:-1 b:2) Y:[X:(a:-1 b:2) c:-5])", 2, "after Y, X with −1, as after X"),
        (f"A:(Y:[Z:[{TWICE}]] {TWICE})", 4, "after X with 0, as after Y, Z, X"),
    ],
)
def test_a_table_that_forgets_the_depth_answers_from_another_one(text, limit, told):
    """X is there twice, at two depths, and one of them is nearer to the limit."""
    asked = HandTree(parse_tree(text)), parse_tree(text), written_value, Depth(limit)
    said = compared(others.by_state, asked)[2]
    assert not re.search(ACCUSED, said)
    assert f"It answers from another depth: {told}, and alpha-beta finds " in said


def test_a_value_that_is_returned_wrongly_is_told_apart_from_the_window():
    """At a right cut alpha is returned: what MAX has is what the children say."""
    told = 0
    for asked in SAMPLE:
        own, tree, said, step = compared(others.returns_alpha, asked)
        assert "does not allow" not in said
        for cut in own.cuts:
            node = own.nodes[cut.node]
            below = [child.value for child in own.visited_children(node)]
            assert cut.value == (max if node.node.maximizing else min)(below)
            assert own.is_sound_cut(cut)
            assert f"But the value that is returned, {'∞' if node.value == inf else ''}" in own.why(
                cut
            )
        if "The first wrong value is" in said:
            told += 1
            visit = [*own.events()][step - 1][1]
            best, end = own.best(visit), "its α" if visit.node.maximizing else "its β"
            assert f"is returned, {end}, though {visit.player} has" in said
            assert said.rstrip(".").endswith(f"from move {best.name}")
            right = value(tree, visit.node, -inf, inf).value
            assert visit.is_cut_by(right), "it should have been cut, with another value"
    assert told > 10


@pytest.mark.parametrize("name", others.SWAPPING)
def test_an_extra_turn_that_is_taken_for_none_is_named(name):
    told = 0
    for asked in SAMPLE:
        own, _, said, _ = compared(getattr(others, name), asked)
        if re.search(ACCUSED, said):
            told += 1
            extra = re.search(
                r"Move (\S+) gives an extra turn: (.*) (MAX|MIN) moves again\.$", said
            )
            assert extra, said
            [*_, after] = [v for v in own.visits() if own.place(v.id) == extra[2]]
            assert (after.extra_turn, after.name, after.player) == (True, extra[1], extra[3])
    assert told > 10


@pytest.mark.parametrize("name", [name for name in others.WRONG if name not in others.SWAPPING])
def test_no_extra_turn_is_named_where_none_is_taken_wrongly(name):
    said = [*all_said(name)]
    assert not any("extra turn" in each for each in said)
    assert any(re.search(ACCUSED, each) for each in said)


def test_a_line_without_a_move_is_told():
    @searcher
    def lineless(tree):
        return Line(value(tree, tree.root, -inf, inf).value)

    assert "no move leads to it" in compared(lineless, SAMPLE[0])[2]


def test_a_node_below_the_limit_that_alpha_beta_never_makes_is_no_error():
    """The value is alpha-beta's, and the nodes beyond the limit are in no cut of it."""
    said = [compared(others.deep, asked)[2] for asked in SAMPLE]
    assert any("mine finds what alpha_beta finds. It answers from another depth" in s for s in said)
