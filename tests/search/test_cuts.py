"""A cut is what a search with a window reports; and a node that is entered is a node visited."""

from collections import Counter
from dataclasses import replace
from math import inf, isfinite

import others
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import WATCHED
from strategies import positions, trees

from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import HandTree, uniform_tree
from kalahlab.search import ALGORITHMS, Depth
from kalahlab.search.alpha_beta import value
from kalahlab.search.model import Line, Node
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Counter as Tally
from kalahlab.search.tree import Tree, observable, pit_order, searcher
from kalahlab.trace import record

OTHERS = {name: getattr(others, name) for name in others.NAMES}
SEARCHES = ALGORITHMS | OTHERS


class Events(Observer):
    """What happened, by name; the open nodes; and those that were cut."""

    def __init__(self):
        self.seen, self.open, self.cuts = Counter(), [], []

    def enter(self, node, alpha, beta):
        if self.open and self.open[-1] is node:
            self.seen["driver"] += not self.passed
        self.open.append(node)
        self.seen["enter"] += 1
        self.passed = False

    def cut(self, node):
        assert node is self.open[-1], "the node that is left next"
        self.cuts.append(node)

    def leave(self, node, value):
        assert node is self.open.pop()
        self.passed = bool(self.open) and self.open[-1] is node


@given(trees(), st.integers(0, 4), st.sampled_from([*SEARCHES]))
def test_events_counts_and_trace_tell_of_the_same_cuts_and_visits(root, limit, name):
    asked = HandTree(root), root, written_value, Depth(limit)
    events, search = Events(), SEARCHES[name]
    result = search(*asked, observer=events)
    trace = record(search, *asked)
    assert result == trace.result == search(*asked), "whoever looks on"
    assert len(events.cuts) == result.counts.cutoffs == len(trace.cuts)
    told = Counter(node.state for node in events.cuts)
    assert told == Counter(trace.nodes[cut.node].node.state for cut in trace.cuts)
    assert events.seen["enter"] - events.seen["driver"] == result.counts.visited
    drivers = sum(visit.kind == "driver" for visit in trace.nodes)
    assert len([*trace.visits()]) - drivers == result.counts.visited


@given(positions(pits=4, stones=4), st.sampled_from((*others.SELECTIVE, "minimax", "greedy")))
def test_a_search_without_a_window_cuts_nothing_whatever_it_leaves_out(position, name):
    game, state = position
    trace = record(SEARCHES[name], game, state, store_difference, Depth(3))
    assert (trace.cuts, trace.result.counts.cutoffs) == ([], 0)
    assert "cut" not in {visit.kind for visit in trace.nodes}
    for visit in trace.visits():
        assert (visit.kind in ("leaf", "finished")) == (not visit.children)


@given(positions(pits=4, stones=4), st.sampled_from([*WATCHED, *others.RIGHT, *others.ELSEWHERE]))
def test_a_search_that_uses_its_window_rightly_makes_no_cut_that_it_does_not_allow(position, name):
    game, state = position
    trace = record(SEARCHES[name], game, state, store_difference, Depth(3))
    for cut in trace.cuts:
        assert trace.is_sound_cut(cut), trace.why(cut)
        assert isfinite(cut.bound)


def test_a_loop_over_a_copy_is_cut_where_its_value_reaches_the_window():
    sample = (others.by_value, others.usual)
    found = Counter()
    for seed in range(40):
        game = HandTree(uniform_tree(3, 3, seed, max_value=9))
        counts = [record(s, game, game.root, written_value, Depth(9)).result.counts for s in sample]
        found.update(copied=counts[0].cutoffs, looped=counts[1].cutoffs)
    assert found["copied"] > 20
    assert found["looped"] > 20


def test_a_search_of_a_child_by_its_own_counter_counts_the_nodes_it_enters():
    game = HandTree(uniform_tree(3, 3, 1, max_value=9))
    tree = Tree(game, written_value, Depth(9), pit_order, Node(game.root, None, True, 0, 0))
    [child, *_] = tree.successors(tree.root)
    aside = replace(tree, counter=Tally())
    value(aside, child, -inf, inf)
    counts = aside.counter.counts()
    assert counts.visited == counts.expanded + counts.evaluated > 1


@pytest.mark.parametrize("passes", [1, 3])
def test_what_only_the_algorithm_does_at_the_root_is_a_visit_and_passes_are_no_more_than_they_are(
    passes,
):
    """The root of the first is expanded by its algorithm; that of the second is entered again."""

    @observable
    def visit(tree, node):
        if tree.deep_enough(node):
            return Line(tree.static(node))
        lines = [(child, visit(tree, child)) for child in tree.successors(node)]
        choose = max if node.maximizing else min
        child, best = choose(lines, key=lambda line: line[1].value)
        return Line(best.value, (child.move, *best.path))

    @searcher
    def by_moves(tree):
        lines = [(child.move, visit(tree, child)) for child in tree.successors(tree.root)]
        move, best = max(lines, key=lambda line: line[1].value)
        return Line(best.value, (move, *best.path))

    @searcher
    def again(tree):
        return [visit(tree, tree.root) for _ in range(passes)][-1]

    game = HandTree(uniform_tree(3, 3, 1, max_value=9))
    asked = game, game.root, written_value, Depth(9)
    assert by_moves(*asked).counts == ALGORITHMS["minimax"](*asked).counts
    assert again(*asked).counts.visited == passes * ALGORITHMS["minimax"](*asked).counts.visited
