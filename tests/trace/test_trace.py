"""Recorded searches: explanations of cuts, windows, infinite values, wrong values, trace files."""

import inspect
import json
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import combinations, count
from math import inf, nextafter
from pathlib import Path

import pytest
from conftest import cases, jsonl
from hypothesis import given
from hypothesis import strategies as st
from oracle import WATCHED
from others import is_better
from recorded import OF_CUTS, OF_FILES, Recorded
from strategies import trees

from kalahlab.evaluators.tree import written_value
from kalahlab.formatting import format_number
from kalahlab.games import hand_tree
from kalahlab.games.hand_tree import (
    AIMA_5_2,
    MAX,
    MIN,
    Branch,
    HandTree,
    edit_at,
    parse_tree,
    with_value,
)
from kalahlab.search import ALGORITHMS, Depth, minimax
from kalahlab.search.alpha_beta import max_value, min_value
from kalahlab.search.alpha_beta import value as value_within
from kalahlab.search.minimax_a_b import visit as visit_a_b
from kalahlab.search.model import Line
from kalahlab.search.scout import visit as visit_scout
from kalahlab.search.tree import Tree, observable, pit_order, searcher
from kalahlab.trace import Trace, record
from kalahlab.trace.recorder import Recorder
from kalahlab.widgets.models.packing import pack

# In sows, more than any tree here has. Deepening searches make as many passes.
WHOLE = Depth(6)


def record_tree(search, tree, **options):
    return record(search, tree, tree.root, written_value, WHOLE, **options)


def within(alpha, beta):
    """Return the searches with windows, started with (alpha, beta) as MAX sees it."""
    return {
        "alpha_beta": searcher(lambda tree: value_within(tree, tree.root, alpha, beta)),
        "minimax_a_b": searcher(lambda tree: visit_a_b(tree, tree.root, alpha, beta)),
        "scout": searcher(lambda tree: visit_scout(tree, tree.root, alpha, beta)),
    }


ENDLESS = st.sampled_from((-inf, -2, 0, 1, 3, inf))
WINDOWS = [*combinations((-inf, -2, 0, 2, inf), 2), (0, nextafter(0, 1))]


@given(trees(values=ENDLESS), st.sampled_from(WATCHED), st.sampled_from(WINDOWS))
def test_searches_within_a_window_and_with_infinite_values(root, algorithm, window):
    """Check the files of one search of each tree, as making a table takes longest."""
    for name, search in {algorithm: ALGORITHMS[algorithm], **within(*window)}.items():
        run = Recorded(HandTree(root), name, record_tree(search, HandTree(root)))
        for check in OF_CUTS:
            if name == algorithm or check not in OF_FILES:
                check(run)


LOST = HandTree(parse_tree("A:(B:(b1:0 b2:9) C:(c1:(x:0 y:0) c2:4))"))
for place, endless in (((0, 0), -inf), ((1, 0, 0), inf)):
    LOST = HandTree(edit_at(LOST.root, place, partial(with_value, value=endless)))
"""The value of C is 4; y and b2 are cut off by the infinite ends of the window at the root."""


@cases(Path(__file__).with_name("reasons.csv"))
def test_cuts_are_explained(algorithms, tree, reasons):
    """Test C for more than the 3 of B first, in scout: it is at least 4, and then exactly 4."""
    for name in algorithms.split():
        trace = record_tree(ALGORITHMS[name], hand_tree.EXAMPLES.get(tree, LOST))
        assert [trace.why(cut) for cut in trace.cuts] == reasons.splitlines()
    assert tree != "lost" or (trace.result.value, trace.result.move) == (4, 1)


@pytest.mark.parametrize(("window", "reasons"), jsonl(Path(__file__).with_name("windows.jsonl")))
def test_a_cut_by_the_window_of_the_root_is_explained(window, reasons):
    """Search Russell & Norvig's figure 5.2, whose branches have the values 3, 2 and 2."""
    trace = record_tree(within(*window)["alpha_beta"], AIMA_5_2)
    assert [trace.nodes[cut.node].name for cut in trace.cuts] == [*reasons]
    for cut, reason in zip(trace.cuts, reasons.values(), strict=True):
        assert reason in trace.why(cut)


def test_an_unsound_cut_is_explained():
    @observable
    def first(tree, node, alpha, beta):
        if tree.deep_enough(node):
            return Line(tree.static(node))
        child = tree.successors(node)[0]
        return Line(first(tree, child, alpha, beta).value, (child.move,))

    trace = record_tree(searcher(lambda tree: first(tree, tree.root, -inf, inf)), AIMA_5_2)
    assert [trace.why(cut).partition("does not allow this cut. ")[2] for cut in trace.cuts] == [
        "MAX has 3 so far, less than β = ∞, so C, D can still change the result.",
        "MIN has 3 so far, more than α = −∞, so b2, b3 can still change the result.",
    ]
    assert [*pack(trace, "")["words"]["special"]] == [0, 1], "the explorer, too, explains it"


@pytest.mark.parametrize("name", ["minimax", "minimax_a_b", "scout", "scout_table"])
def test_a_negamax_that_is_observed_as_a_minimax_is_refused(name):
    source = inspect.getsource(import_module(f"kalahlab.search.{name}"))
    names = {}
    exec(source.replace("observable_from_mover", "observable"), names)
    with pytest.raises(ValueError, match="write @observable_from_mover in place of @observable"):
        record_tree(names[name], AIMA_5_2)


def test_a_search_of_which_only_a_part_is_observed_is_refused():
    def walk(tree, node):
        if tree.deep_enough(node):
            return Line(tree.static(node))
        best = max if node.maximizing else min
        children = tree.successors(node)
        return best(walk(tree, c) if c.maximizing else low(tree, c) for c in children)

    @observable
    def low(tree, node):
        return walk(tree, node)

    game = HandTree(parse_tree("(((1 2) 3) 4)"))
    with pytest.raises(ValueError, match="@observable above each function"):
        record_tree(searcher(lambda tree: walk(tree, tree.root)), game)


@pytest.mark.parametrize("text", ["(0.3 (0.30000000000000004 1))", "[2 (1.9999999999999998 3)]"])
def test_values_that_differ_by_a_rounding_make_no_probe(text):
    trace = record_tree(ALGORITHMS["alpha_beta"], HandTree(parse_tree(text)))
    windows = [(visit.alpha, visit.beta) for visit in trace.visits()]
    assert any(nextafter(alpha, inf) == beta for alpha, beta in windows)
    assert not any(visit.probe for visit in trace.visits())


@given(trees(), st.integers(0, 9))
def test_consecutive_searches_of_the_root_or_its_moves_are_one_trace(root, guess):
    game = HandTree(root)
    usual = record_tree(ALGORITHMS["alpha_beta"], game)

    @searcher
    def by_moves(tree):
        high = tree.root.maximizing
        best = Line(-inf if high else inf)
        for child in tree.successors(tree.root):
            window = (best.value, inf) if high else (-inf, best.value)
            line = value_within(tree, child, *window)
            if not best.path or is_better(line, best, high):
                best = Line(line.value, (child.move, *line.path))
        return best

    @searcher
    def twice(tree):
        value_within(tree, tree.root, guess, guess + 2)
        return value_within(tree, tree.root, -inf, inf)

    if root.children:
        trace = record_tree(by_moves, game)
        assert trace.result.value == usual.result.value
        assert [(trace.path(v.id), v.alpha, v.beta, v.value, v.kind) for v in trace.nodes] == [
            (usual.path(v.id), v.alpha, v.beta, v.value, v.kind) for v in usual.nodes
        ]
    trace = record_tree(twice, game)
    first, second = trace.nodes[0].children
    assert [trace.nodes[id].name for id in (first, second)] == ["pass 1", "pass 2"]
    assert [v.value for v in trace.nodes[second:] if v.kind != "unvisited"] == [
        v.value for v in usual.visits()
    ]
    assert [trace.nodes[id].node.move for id in trace.principal[2:]] == [*usual.result.line]
    pack(trace, "")


@given(trees())
def test_the_first_wrong_window_does_not_contain_alpha_betas(root):
    for search in ALGORITHMS.values():
        assert record_tree(search, HandTree(root)).find_wrong_window() is None

    @observable
    def narrow(tree, node, alpha, beta):
        if tree.deep_enough(node):
            return Line(tree.static(node))
        if not node.maximizing:
            return min_value(partial(search_child, alpha), tree, node, alpha, beta)
        return max_value(partial(search_child, alpha + 1), tree, node, alpha + 1, beta)

    def search_child(least, tree, child, alpha, beta):
        return narrow(tree, child, max(alpha, least), beta)

    trace = record_tree(searcher(lambda tree: narrow(tree, tree.root, 0, 9)), HandTree(root))
    wrong_window = trace.find_wrong_window()
    if wrong_window is None:
        assert not trace.nodes[0].children or root.player != 0
    else:
        visit, step, (alpha, _) = wrong_window
        assert [*trace.events()][step - 1] == (True, visit)
        assert visit.alpha > alpha


@given(trees(), st.integers(0, 12))
def test_the_first_wrong_value_is_that_of_a_leaf_with_a_wrong_value(root, wrong_leaf):
    leaves, game = count(), HandTree(root)

    @observable
    def visit(tree, node, alpha, beta):
        if tree.deep_enough(node):
            error = 100 if next(leaves) == wrong_leaf else 0
            return Line(tree.static(node) + error)
        if node.maximizing:
            return max_value(visit, tree, node, alpha, beta)
        return min_value(visit, tree, node, alpha, beta)

    trace = record_tree(searcher(lambda tree: visit(tree, tree.root, -inf, inf)), game)
    tree = Tree(game, written_value, WHOLE, pit_order, trace.nodes[0].node)
    wrong_value = trace.find_wrong_value(tree)
    visited_leaves = [visit for visit in trace.visits() if not visit.children]
    if wrong_leaf >= len(visited_leaves):
        assert wrong_value is None
        return
    leaf = visited_leaves[wrong_leaf]
    if wrong_value is None:  # both values are bounds
        assert leaf.final_value - 100 >= leaf.beta
        return
    wrong_visit, step, right = wrong_value
    assert (wrong_visit, right) == (leaf, leaf.final_value - 100)
    assert [*trace.events()][step - 1] == (False, leaf)


def test_a_text_that_is_no_trace_is_refused():
    text = record_tree(ALGORITHMS["alpha_beta"], AIMA_5_2).to_json()
    for length in (0, 1, 40, len(text) // 2, len(text) - 1):
        with pytest.raises(ValueError, match="cut short"):
            Trace.from_json(text[:length])
    for other in ("{}", "[]", "3", "null", '{"nodes": [{}]}', text.replace('"board"', '"b"')):
        with pytest.raises(ValueError, match="this is not a trace"):
            Trace.from_json(other)


NOT_COUNTS = ["7", "", True, False, -1, 1.5, None, [], {}]
FIELDS = {
    "id",
    "sows",
    "turns",
    "extra_turn",
    "probe",
    "mover",
    "player",
    "kind",
    "move",
    "children",
}
"""The fields of a node that are read, but for values."""


def test_a_trace_file_with_a_field_of_another_type_is_refused():
    """Replace each count, flag and name by values of other types."""
    data = json.loads(record_tree(ALGORITHMS["alpha_beta"], AIMA_5_2).to_json())
    places = [("result", name) for name in data["result"] if name not in ("value", "line")]
    places += [("nodes", 1, name) for name in FIELDS]
    places += [("principal", 1), ("nodes", 1, "children", 0), ("nodes", 2, "parent")]
    places += [("result", "value"), ("nodes", 1, "board"), ("nodes", 1, "value"), ("game",)]
    for *path, last in places:
        inner = data
        for key in path:
            inner = inner[key]
        right = inner[last]
        wrong = [other for other in NOT_COUNTS if type(other) is not type(right) or other == -1]
        if isinstance(right, list):
            wrong += [{}, [True], ["x"]]
        for other in wrong:
            if isinstance(right, float | int) and last == "value" and type(other) in (int, float):
                continue
            inner[last] = other
            with pytest.raises(ValueError, match=r"^(this is not a trace|node \d+ )"):
                Trace.from_json(json.dumps(data))
        inner[last] = right
    Trace.from_json(json.dumps(data))


def test_the_principal_variation_is_in_the_last_pass_that_reached_its_bound():
    """Test for 0 or more in the first pass, which is true, and for more in the second."""
    root = parse_tree("A:(B:(b1:0 b2:9) C:(c1:-1 c2:4))")
    trace = record_tree(ALGORITHMS["mtdf"], HandTree(root))
    assert [trace.nodes[id].name for id in trace.principal] == ["", "pass 1", "B", "b1"]
    assert [trace.nodes[id].name for id in trace.nodes[0].children] == ["pass 1", "pass 2"]


def test_of_passes_with_exact_values_the_principal_variation_is_in_the_last():
    @searcher
    def twice(tree):
        value_within(tree, tree.root, -inf, inf)
        return value_within(tree, tree.root, -inf, inf)

    trace = record_tree(twice, HandTree(parse_tree("A:(a:1 b:2)")))
    assert [trace.nodes[id].name for id in trace.principal] == ["", "pass 2", "b"]


@pytest.mark.parametrize(("player", "best"), [(MAX, 2), (MIN, 1)])
def test_without_its_value_a_search_by_moves_has_that_of_the_best_move(player, best):
    @searcher
    def by_moves(tree):
        for child in tree.successors(tree.root):
            value_within(tree, child, -inf, inf)
        return Line(0)

    game = HandTree(replace(parse_tree("A:(a:1 b:2)"), player=player))
    recorder = Recorder(game)
    by_moves(game, game.root, written_value, WHOLE, observer=recorder)
    assert recorder.tree()[0].value == best


@pytest.mark.parametrize(("levels", "allowed"), [(400, True), (401, False)])
def test_a_trace_file_has_400_levels_at_most(levels, allowed):
    data = json.loads(record_tree(minimax, HandTree(Branch("", children=(Branch("a"),)))).to_json())
    root, leaf = data["nodes"]
    data["nodes"] = [root]
    for id in range(1, levels + 1):
        data["nodes"].append({**leaf, "id": id, "parent": id - 1, "children": [id + 1]})
    data["nodes"][-1]["children"] = []
    with nullcontext() if allowed else pytest.raises(ValueError, match="401 levels; use up to 400"):
        assert len(Trace.from_json(json.dumps(data)).nodes) == levels + 1


def test_a_search_with_too_many_nodes_is_not_recorded():
    expected = "<trace: 13 nodes, 0 cuts, value 3, principal variation B b1>"
    assert repr(record_tree(minimax, AIMA_5_2, max_nodes=13)) == expected
    with pytest.raises(ValueError, match="more than 12 nodes"):
        record_tree(minimax, AIMA_5_2, max_nodes=12)


def test_numbers_are_formatted_for_people():
    values = [3, 3.0, -2.25, 0.1 + 0.2, -0.0, inf, -inf, None]
    assert " ".join(map(format_number, values)) == "3 3 −2.25 0.3 0 ∞ −∞ "
