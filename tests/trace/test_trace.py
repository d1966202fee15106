"""A recorded search within a window, with infinite values, of the books' trees; why each cut."""

import inspect
import json
from contextlib import nullcontext
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
from recorded import OF_CUTS, Recorded
from strategies import trees

from kalahlab.evaluators.tree import written_value
from kalahlab.formatting import format_number
from kalahlab.games import hand_tree
from kalahlab.games.hand_tree import AIMA_5_2, Branch, HandTree, at_path, parse_tree, with_value
from kalahlab.search import ALGORITHMS, Depth, minimax
from kalahlab.search.alpha_beta import max_value, min_value
from kalahlab.search.alpha_beta import value as value_within
from kalahlab.search.minimax_a_b import visit as visit_a_b
from kalahlab.search.model import Line
from kalahlab.search.scout import visit as visit_scout
from kalahlab.search.tree import Tree, observable, pit_order, searcher
from kalahlab.trace import Trace, record
from kalahlab.widgets.models.packing import pack


def traced(search, tree, **options):
    return record(search, tree, tree.root, written_value, Depth(99), **options)


def within(alpha, beta):
    """The searches with windows, asked within (alpha, beta) as MAX sees it."""
    return {
        "alpha_beta": searcher(lambda tree: value_within(tree, tree.root, alpha, beta)),
        "minimax_a_b": searcher(lambda tree: visit_a_b(tree, tree.root, alpha, beta)),
        "scout": searcher(lambda tree: visit_scout(tree, tree.root, alpha, beta)),
    }


ENDLESS = st.sampled_from((-inf, -2, 0, 1, 3, inf))
WINDOWS = [*combinations((-inf, -2, 0, 2, inf), 2), (0, nextafter(0, 1))]


@given(trees(values=ENDLESS), st.sampled_from(WATCHED), st.sampled_from(WINDOWS))
def test_windows_that_were_given_and_infinite_values(root, algorithm, window):
    for name, search in {algorithm: ALGORITHMS[algorithm], **within(*window)}.items():
        run = Recorded(HandTree(root), name, traced(search, HandTree(root)))
        for check in OF_CUTS:
            check(run)


LOST = HandTree(parse_tree("A:(B:(b1:0 b2:9) C:(c1:(x:0 y:0) c2:4))"))
for place, endless in (((0, 0), -inf), ((1, 0, 0), inf)):
    LOST = HandTree(at_path(LOST.root, place, partial(with_value, value=endless)))
"""C is worth 4; y and b2 are cut, though nobody is sure of anything."""


@cases(Path(__file__).with_name("reasons.csv"))
def test_why_branches_are_cut(algorithms, tree, reasons):
    """Scout first asks for more than the 3 of B: then C is at least 4, and is 4."""
    for name in algorithms.split():
        trace = traced(ALGORITHMS[name], hand_tree.EXAMPLES.get(tree, LOST))
        assert [trace.why(cut) for cut in trace.cuts] == reasons.splitlines()
    assert tree != "lost" or (trace.result.value, trace.result.move) == (4, 1)


@pytest.mark.parametrize(("window", "reasons"), jsonl(Path(__file__).with_name("windows.jsonl")))
def test_a_window_that_was_given_says_so(window, reasons):
    """Russell & Norvig's figure 5.2, whose branches are worth 3, 2 and 2."""
    trace = traced(within(*window)["alpha_beta"], AIMA_5_2)
    assert [trace.nodes[cut.node].name for cut in trace.cuts] == [*reasons]
    for cut, said in zip(trace.cuts, reasons.values(), strict=True):
        assert said in trace.why(cut)


def test_a_cut_that_the_window_does_not_allow_is_called_so():
    @observable
    def first(tree, node, alpha, beta):
        if tree.deep_enough(node):
            return Line(tree.static(node))
        child = tree.successors(node)[0]
        return Line(first(tree, child, alpha, beta).value, (child.move,))

    trace = traced(searcher(lambda tree: first(tree, tree.root, -inf, inf)), AIMA_5_2)
    assert [trace.why(cut).partition("does not allow this cut. ")[2] for cut in trace.cuts] == [
        "MAX has 3 so far, less than β, which is ∞, so C, D can still change the result.",
        "MIN has 3 so far, more than α, which is −∞, so b2, b3 can still change the result.",
    ]
    assert [*pack(trace, "")["words"]["said"]] == [0, 1], "and the explorer says it"


@pytest.mark.parametrize("name", ["minimax", "minimax_a_b", "scout", "scout_table"])
def test_a_negamax_that_is_observed_as_if_it_were_a_minimax_is_refused(name):
    source = inspect.getsource(import_module(f"kalahlab.search.{name}"))
    exec(source.replace("observable_from_mover", "observable"), names := {})
    with pytest.raises(ValueError, match="write @observable_from_mover in place of @observable"):
        traced(names[name], AIMA_5_2)


def test_a_search_of_which_only_a_part_is_observed_is_refused():
    def walk(tree, node):
        if tree.deep_enough(node):
            return Line(tree.static(node))
        best = max if node.maximizing else min
        return best((walk if c.maximizing else low)(tree, c) for c in tree.successors(node))

    @observable
    def low(tree, node):
        return walk(tree, node)

    game = HandTree(parse_tree("(((1 2) 3) 4)"))
    with pytest.raises(ValueError, match="@observable above each function"):
        traced(searcher(lambda tree: walk(tree, tree.root)), game)


@given(trees(), st.integers(0, 9))
def test_searches_of_the_root_or_of_its_moves_one_after_the_other_are_one_trace(root, guess):
    game = HandTree(root)
    usual = traced(ALGORITHMS["alpha_beta"], game)

    @searcher
    def by_moves(tree):
        best, high = Line(-inf if tree.root.maximizing else inf), tree.root.maximizing
        for child in tree.successors(tree.root):
            ends = (best.value, inf) if high else (-inf, best.value)
            v, path = value_within(tree, child, *ends)
            if (v > best.value if high else v < best.value) or not best.path:
                best = Line(v, (child.move, *path))
        return best

    @searcher
    def twice(tree):
        value_within(tree, tree.root, guess, guess + 2)
        return value_within(tree, tree.root, -inf, inf)

    if root.children:
        trace = traced(by_moves, game)
        assert trace.result.value == usual.result.value
        assert [(trace.path(v.id), v.alpha, v.beta, v.value, v.kind) for v in trace.nodes] == [
            (usual.path(v.id), v.alpha, v.beta, v.value, v.kind) for v in usual.nodes
        ]
    trace = traced(twice, game)
    first, second = trace.nodes[0].children
    assert [trace.nodes[id].name for id in (first, second)] == ["pass 1", "pass 2"]
    assert [v.value for v in trace.nodes[second:] if v.kind != "unvisited"] == [
        v.value for v in usual.visits()
    ]
    assert [trace.nodes[id].node.move for id in trace.principal[2:]] == [*usual.result.line]
    pack(trace, "")


@given(trees())
def test_the_first_wrong_window_is_one_that_leaves_out_what_alpha_betas_has(root):
    for search in ALGORITHMS.values():
        assert traced(search, HandTree(root)).find_wrong_window() is None

    @observable
    def narrow(tree, node, alpha, beta):
        if tree.deep_enough(node):
            return Line(tree.static(node))
        ends = (alpha + 1, beta) if node.maximizing else (alpha, beta)
        walk = max_value if node.maximizing else min_value
        return walk(partial(at, ends[0]), tree, node, *ends)

    def at(least, tree, child, alpha, beta):
        return narrow(tree, child, max(alpha, least), beta)

    trace = traced(searcher(lambda tree: narrow(tree, tree.root, 0, 9)), HandTree(root))
    found = trace.find_wrong_window()
    if found is None:
        assert not trace.nodes[0].children or root.player != 0
    else:
        visit, past, (low, _) = found
        assert [*trace.events()][past - 1] == (True, visit)
        assert visit.alpha > low


@given(trees(), st.integers(0, 12))
def test_the_first_wrong_value_is_that_of_the_leaf_that_is_read_wrongly(root, nth):
    read, game = count(), HandTree(root)

    @observable
    def visit(tree, node, alpha, beta):
        if tree.deep_enough(node):
            return Line(tree.static(node) + 100 * (next(read) == nth))
        return (max_value if node.maximizing else min_value)(visit, tree, node, alpha, beta)

    trace = traced(searcher(lambda tree: visit(tree, tree.root, -inf, inf)), game)
    found = trace.find_wrong_value(
        Tree(game, written_value, Depth(99), pit_order, trace.nodes[0].node)
    )
    leaf = [visit for visit in trace.visits() if not visit.children][nth : nth + 1]
    if leaf and (found or leaf[0].found - 100 < leaf[0].beta):  # else it is a bound like any other
        visit, past, right = found
        assert (visit, right) == (leaf[0], leaf[0].found - 100)
        assert [*trace.events()][past - 1] == (False, visit)
    else:
        assert found is None


def test_a_trace_file_that_is_none_says_so():
    text = traced(ALGORITHMS["alpha_beta"], AIMA_5_2).to_json()
    for length in (0, 1, 40, len(text) // 2, len(text) - 1):
        with pytest.raises(ValueError, match="cut short"):
            Trace.from_json(text[:length])
    for other in ("{}", "[]", "3", "null", '{"nodes": [{}]}', text.replace('"board"', '"b"')):
        with pytest.raises(ValueError, match="this is no trace"):
            Trace.from_json(other)


NOT_COUNTS = ["7", "", True, False, -1, 1.5, None, [], {}]
READ = {"id", "sows", "turns", "extra_turn", "probe", "mover", "player", "kind", "move", "children"}
"""What is read of a node, and is no value."""


def test_a_trace_file_has_numbers_where_it_has_counts():
    """In the place of a count, a flag or a name nothing of another kind is taken."""
    data = json.loads(traced(ALGORITHMS["alpha_beta"], AIMA_5_2).to_json())
    places = [("result", name) for name in data["result"] if name not in ("value", "line")]
    places += [("nodes", 1, name) for name in READ]
    places += [("principal", 1), ("nodes", 1, "children", 0), ("nodes", 2, "parent")]
    places += [("result", "value"), ("nodes", 1, "board"), ("nodes", 1, "value"), ("game",)]
    for *path, last in places:
        inner = data
        for key in path:
            inner = inner[key]
        right = inner[last]
        wrong = [other for other in NOT_COUNTS if type(other) is not type(right) or other == -1]
        for other in [*wrong, *([{}, [True], ["x"]] if isinstance(right, list) else [])]:
            if isinstance(right, float | int) and last == "value" and type(other) in (int, float):
                continue
            inner[last] = other
            with pytest.raises(ValueError, match=r"^(this is no trace|node \d+ )"):
                Trace.from_json(json.dumps(data))
        inner[last] = right
    Trace.from_json(json.dumps(data))


def test_the_principal_variation_is_in_the_last_pass_that_was_answered_with_yes():
    """Whether the root is worth 0 or more, which it is, and in the second pass whether more."""
    trace = traced(ALGORITHMS["mtdf"], HandTree(parse_tree("A:(B:(b1:0 b2:9) C:(c1:-1 c2:4))")))
    assert [trace.nodes[id].name for id in trace.principal] == ["", "pass 1", "B", "b1"]
    assert [trace.nodes[id].name for id in trace.nodes[0].children] == ["pass 1", "pass 2"]


@pytest.mark.parametrize(("levels", "read"), [(400, True), (401, False)])
def test_a_trace_file_has_400_levels_at_most(levels, read):
    data = json.loads(traced(minimax, HandTree(Branch("", children=(Branch("a"),)))).to_json())
    root, leaf = data["nodes"]
    below = ({"id": n, "parent": n - 1, "children": [n + 1]} for n in range(1, levels + 1))
    data["nodes"] = [root, *({**leaf, **places} for places in below)]
    data["nodes"][-1]["children"] = []
    with nullcontext() if read else pytest.raises(ValueError, match="401 levels; use up to 400"):
        assert len(Trace.from_json(json.dumps(data)).nodes) == levels + 1


def test_a_search_that_is_too_large_to_keep_is_refused():
    shown = "<trace: 13 nodes, 0 cuts, value 3, principal variation B b1>"
    assert repr(traced(minimax, AIMA_5_2, max_nodes=13)) == shown
    with pytest.raises(ValueError, match="more than 12 nodes"):
        traced(minimax, AIMA_5_2, max_nodes=12)


def test_numbers_are_written_as_people_write_them():
    values = [3, 3.0, -2.25, 0.1 + 0.2, -0.0, inf, -inf, None]
    assert " ".join(map(format_number, values)) == "3 3 −2.25 0.3 0 ∞ −∞ "
