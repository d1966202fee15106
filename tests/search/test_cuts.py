"""Cutoffs, which a search with a window reports, and visits, of which entering a node is one."""

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
    """An observer that counts events, and keeps the open nodes and those that were cut off."""

    def __init__(self):
        self.counts, self.open, self.cuts = Counter(), [], []
        self.passed = False  # whether the node left last was a pass over the one that is open

    def enter(self, node, alpha, beta):
        if self.open and self.open[-1] is node:
            self.counts["driver"] += not self.passed
        self.open.append(node)
        self.counts["enter"] += 1
        self.passed = False

    def cut(self, node):
        assert node is self.open[-1]
        self.cuts.append(node)

    def leave(self, node, value):
        assert node is self.open.pop()
        self.passed = bool(self.open) and self.open[-1] is node


@given(trees(), st.integers(0, 4), st.sampled_from([*SEARCHES]))
def test_events_counts_and_trace_agree_on_cuts_and_visits(root, limit, name):
    args = HandTree(root), root, written_value, Depth(limit)
    events, search = Events(), SEARCHES[name]
    result = search(*args, observer=events)
    trace = record(search, *args)
    assert result == trace.result == search(*args), "observers change nothing"
    assert len(events.cuts) == result.counts.cutoffs == len(trace.cuts)
    states = Counter(node.state for node in events.cuts)
    assert states == Counter(trace.nodes[cut.node].node.state for cut in trace.cuts)
    assert events.counts["enter"] - events.counts["driver"] == result.counts.visited
    drivers = sum(visit.kind == "driver" for visit in trace.nodes)
    assert len([*trace.visits()]) - drivers == result.counts.visited


@given(positions(pits=4, stones=4), st.sampled_from((*others.SELECTIVE, "minimax", "greedy")))
def test_a_search_without_a_window_reports_no_cuts(position, name):
    game, state = position
    trace = record(SEARCHES[name], game, state, store_difference, Depth(3))
    assert (trace.cuts, trace.result.counts.cutoffs) == ([], 0)
    assert "cut" not in {visit.kind for visit in trace.nodes}
    for visit in trace.visits():
        assert (visit.kind in ("leaf", "finished")) == (not visit.children)


@given(positions(pits=4, stones=4), st.sampled_from([*WATCHED, *others.RIGHT, *others.ELSEWHERE]))
def test_a_correct_search_makes_only_sound_cuts(position, name):
    game, state = position
    trace = record(SEARCHES[name], game, state, store_difference, Depth(3))
    for cut in trace.cuts:
        assert trace.is_sound_cut(cut), trace.why(cut)
        assert isfinite(cut.bound)


def test_a_loop_over_a_copy_of_the_children_is_cut_if_its_value_reaches_the_window():
    cutoffs = Counter()
    for seed in range(40):
        game = HandTree(uniform_tree(3, 3, seed, max_value=9))
        for search in (others.by_value, others.usual):
            trace = record(search, game, game.root, written_value, Depth(9))
            cutoffs[search] += trace.result.counts.cutoffs
    assert cutoffs[others.by_value] > 20
    assert cutoffs[others.usual] > 20


def test_a_search_of_a_child_with_another_counter_counts_the_nodes_that_it_enters():
    game = HandTree(uniform_tree(3, 3, 1, max_value=9))
    tree = Tree(game, written_value, Depth(9), pit_order, Node(game.root, None, True, 0, 0))
    [child, *_] = tree.successors(tree.root)
    counted_apart = replace(tree, counter=Tally())
    value(counted_apart, child, -inf, inf)
    counts = counted_apart.counter.counts()
    assert counts.visited == counts.expanded + counts.evaluated > 1


@pytest.mark.parametrize("passes", [1, 3])
def test_a_root_expanded_by_the_algorithm_is_visited_once_and_one_that_is_passed_over_per_pass(
    passes,
):

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
    def by_passes(tree):
        return [visit(tree, tree.root) for _ in range(passes)][-1]

    game = HandTree(uniform_tree(3, 3, 1, max_value=9))
    args = game, game.root, written_value, Depth(9)
    usual = ALGORITHMS["minimax"](*args).counts
    assert by_moves(*args).counts == usual
    assert by_passes(*args).counts.visited == passes * usual.visited
