"""A recorded search: its tree, its windows, and the reason of each cut."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from math import copysign, inf, nextafter
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import random_betsy, random_cards, random_position, trees

from kalahlab.evaluators import betsy, cards, kalah
from kalahlab.evaluators.tree import written_value
from kalahlab.games import Game
from kalahlab.games.hand_tree import (
    AIMA_5_2,
    MAX,
    MIN,
    RICH_KNIGHT_12_3,
    RICH_KNIGHT_12_5,
    Branch,
    HandTree,
)
from kalahlab.games.kalah import Kalah
from kalahlab.games.tree_edits import with_leaf
from kalahlab.search import ALGORITHMS, ORDERS, Depth, minimax
from kalahlab.search.alpha_beta import value as value_within
from kalahlab.search.minimax_a_b import visit as visit_a_b
from kalahlab.search.scout import visit as visit_scout
from kalahlab.search.tree import Searcher, searcher
from kalahlab.trace import Trace, Visit, number, record

PRUNING = ("alpha_beta", "minimax_a_b")
WATCHED = (*PRUNING, "scout", "alpha_beta_table", "scout_table", "mtdf", "mtdf_no_table")


class Recorded(NamedTuple):
    """A trace, and what it is a trace of."""

    game: Game
    algorithm: str
    trace: Trace

    def visited_below(self, visit: Visit) -> list[Visit]:
        """The node's children that were visited, in order."""
        children = [self.trace.nodes[child] for child in visit.children]
        return [child for child in children if child.kind != "unvisited"]

    def settled_below(self, visit: Visit) -> list[Visit]:
        """Of those the last visit of each move, which settles what a probe had asked."""
        visits = self.visited_below(visit)
        moves = [child.node.move for child in visits]
        return [child for at, child in enumerate(visits) if child.node.move not in moves[at + 1 :]]

    def ancestors(self, id: int) -> list[Visit]:
        """From the root down to the node, the node itself included."""
        visit = self.trace.nodes[id]
        return [*(self.ancestors(visit.parent) if visit.parent is not None else ()), visit]


# The checks: what must hold of any trace.


def every_node_is_its_parents_child_by_its_move(recorded: Recorded) -> None:
    """Played out with the game itself, from the root on."""
    game, nodes = recorded.game, recorded.trace.nodes
    assert [visit.id for visit in nodes] == list(range(len(nodes)))
    for visit in nodes[1:]:
        parent = nodes[visit.parent or 0]
        assert visit.id in parent.children
        before, node = parent.node, visit.node
        if parent.kind == "driver":
            assert (visit.node, parent.id) == (parent.node, 0)
            assert visit.name == f"pass {1 + parent.children.index(visit.id)}"
            continue
        assert node.state == game.play(before.state, node.move)
        assert visit.name == game.move_name(before.state, node.move)
        same = node.state.player == before.state.player
        assert visit.extra_turn == same == (node.maximizing == before.maximizing)
        assert (node.sows, node.turns) == (before.sows + 1, before.turns + (not same))
        assert visit.player == ("MAX" if node.maximizing else "MIN")
    assert sum(len(visit.children) for visit in nodes) == len(nodes) - 1
    assert nodes[0].parent is None


def visited_nodes_come_first_each_before_what_lies_below_it(recorded: Recorded) -> None:
    """Depth first: every child directly follows the subtree of its elder sibling."""
    ids: list[int] = []

    def walk(visit: Visit) -> None:
        ids.append(visit.id)
        for child in recorded.visited_below(visit):
            walk(child)

    walk(recorded.trace.nodes[0])
    assert ids == [visit.id for visit in recorded.trace.visited()] == list(range(len(ids)))


def every_inner_node_has_a_child_for_every_move(recorded: Recorded) -> None:
    for visit in recorded.trace.nodes:
        if visit.kind == "driver":
            continue
        moves = {recorded.trace.nodes[child].node.move for child in visit.children}
        legal = sorted(recorded.game.moves(visit.node.state))
        assert sorted(moves) == (legal if visit.kind in ("inner", "cut") else [])
        assert visit.kind == "unvisited" or (visit.kind == "finished") == (not legal)
        visited = {child.node.move for child in recorded.visited_below(visit)}
        assert (visit.kind == "cut") == (0 < len(visited) < len(moves))


def a_move_is_visited_twice_only_to_settle_a_probe(recorded: Recorded) -> None:
    for visit in recorded.trace.visited():
        visits = recorded.visited_below(visit)
        labels = [child.label for child in visits]
        assert len({*labels}) == len(labels)
        for first, second in combinations(visits, 2):
            if first.node.move == second.node.move and visit.kind != "driver":
                assert recorded.algorithm.startswith("scout")
                assert visits.index(second) == visits.index(first) + 1
                assert first.probe
                assert not second.probe
                assert first.kind not in ("leaf", "finished")


def windows_narrow_by_what_was_found_before(recorded: Recorded) -> None:
    """A child's window is its parent's, with the best of the elder siblings in it, and open.

    Or, of a probe, the null window at that best; the passes of MTD(f) are probes.
    """
    root = recorded.trace.nodes[0]
    assert (root.alpha, root.beta) == (-inf, inf)
    for visit in recorded.trace.visited():
        alpha, beta = visit.alpha, visit.beta
        for child in recorded.visited_below(visit):
            assert alpha < beta
            if child.probe:
                assert not recorded.algorithm.startswith("alpha_beta")
                assert nextafter(child.alpha, inf) == child.beta < inf
                if visit.kind == "driver":
                    continue
                assert child.alpha == alpha if visit.node.maximizing else child.beta == beta
            else:
                assert (child.alpha, child.beta) == (alpha, beta)
            if child not in recorded.settled_below(visit):
                continue
            if visit.node.maximizing:
                alpha = max(alpha, child.value)
            else:
                beta = min(beta, child.value)


def inner_values_are_the_best_below(recorded: Recorded) -> None:
    """Fail-soft in ALPHA-BETA, fail-hard in MINIMAX-A-B."""
    for visit in recorded.trace.visited():
        if visit.kind == "driver":
            continue
        if below := [child.value for child in recorded.settled_below(visit)]:
            maximizing = visit.node.maximizing
            if recorded.algorithm == "minimax_a_b":
                below.append(visit.alpha if maximizing else visit.beta)
            assert visit.value == (max if maximizing else min)(below)


def a_cuts_numbers_cross_and_the_rest_was_never_tried(recorded: Recorded) -> None:
    nodes = recorded.trace.nodes
    assert [cut.node for cut in recorded.trace.cuts] == [v.id for v in nodes if v.kind == "cut"]
    for cut in recorded.trace.cuts:
        node = nodes[cut.node]
        if node.node.maximizing:
            assert cut.value >= cut.bound == node.beta
        else:
            assert cut.value <= cut.bound == node.alpha
        assert cut.value == node.value == nodes[cut.by].value
        *before, last = recorded.visited_below(node)
        assert last.id == cut.by
        assert cut.untried == tuple(node.children[len(before) + 1 :]) != ()
        assert {nodes[id].kind for id in cut.untried} == {"unvisited"}


def a_cuts_owner_is_who_set_the_bound(recorded: Recorded) -> None:
    """Down from the root: its own window first, then what each player found on the way, and
    what each node was asked beyond that."""
    nodes = recorded.trace.nodes
    for cut in recorded.trace.cuts:
        maximizing = nodes[cut.node].node.maximizing
        line = recorded.ancestors(cut.node)
        bound, owner, holds = end_of(line[0], maximizing), 0, None
        for above, taken in pairwise(line):
            if above.node.maximizing != maximizing and above.kind != "driver":
                for elder in recorded.settled_below(above):
                    better = elder.value < bound if maximizing else elder.value > bound
                    if elder.id < taken.id and better:
                        bound, owner, holds = elder.value, above.id, elder.id
            if end_of(taken, maximizing) != bound:
                bound, owner, holds = end_of(taken, maximizing), taken.id, None
                assert taken.probe or above.kind == "driver"
        assert (cut.bound, cut.owner, cut.holds) == (bound, owner, holds)


def end_of(visit: Visit, maximizing: bool) -> float:
    """The end of the window on entry that the player is cut against."""
    return visit.beta if maximizing else visit.alpha


def the_counts_are_the_trees(recorded: Recorded) -> None:
    nodes, counts = recorded.trace.nodes, recorded.trace.result.counts
    kinds = [visit.kind for visit in nodes]
    visited = sum(kind != "unvisited" for kind in kinds)
    if recorded.algorithm in PRUNING:
        assert counts.generated == visited - 1 + kinds.count("unvisited")
    assert counts.visited == visited - kinds.count("driver")
    assert counts.recalled == kinds.count("table")
    assert counts.expanded == kinds.count("inner") + kinds.count("cut")
    assert counts.evaluated == kinds.count("leaf") + kinds.count("finished")
    assert counts.cutoffs == kinds.count("cut") == len(recorded.trace.cuts)


def the_principal_variation_is_worth_the_root_all_along(recorded: Recorded) -> None:
    """To the leaf, or to where the table knew the rest."""
    trace = recorded.trace
    line = [trace.nodes[id] for id in trace.principal]
    moves = [visit.node.move for visit in line if visit.node.move is not None]
    assert moves == list(trace.result.line[: len(moves)])
    assert {visit.value for visit in line} == {trace.result.value}
    for above, visit in pairwise(line):
        assert visit.parent == above.id
    if line[-1].kind != "table":
        assert line[-1].kind in ("leaf", "finished")
        assert len(moves) == len(trace.result.line)


def every_number_is_written_without_a_negative_zero(recorded: Recorded) -> None:
    for visit in recorded.trace.visited():
        for value in (visit.alpha, visit.beta, visit.value):
            assert value or copysign(1, value) == 1


DTYPES = {
    "id": "int64",
    "parent": "Int64",
    "path": "str",
    "move": "str",
    "player": "str",
    "sows": "int64",
    "turns": "int64",
    "extra_turn": "bool",
    "probe": "bool",
    "kind": "str",
    "alpha": "float64",
    "beta": "float64",
    "value": "float64",
    "bound": "float64",
    "owner": "Int64",
    "untried": "str",
}


def the_table_has_a_row_a_node(recorded: Recorded) -> None:
    """With the same columns and types whatever happened; missing is what was never known."""
    trace, table = recorded.trace, recorded.trace.table()
    found = {name: str(dtype).replace("object", "str") for name, dtype in table.dtypes.items()}
    assert found == DTYPES
    unvisited = table["kind"] == "unvisited"
    assert table["path"].is_unique
    assert len(table) == len(trace.nodes)
    for column in ("alpha", "beta", "value"):
        assert (table[column].isna() == unvisited).all()
    cut = table["kind"] == "cut"
    for column in ("bound", "owner"):
        assert (table[column].notna() == cut).all()
    assert ((table["untried"] != "") == cut).all()
    assert table["untried"].str.split().str.len().sum() == unvisited.sum()
    visited = table[~unvisited]
    assert list(visited["value"]) == [visit.value for visit in trace.visited()]
    assert list(visited["alpha"]) == [visit.alpha for visit in trace.visited()]
    assert list(visited["beta"]) == [visit.beta for visit in trace.visited()]


def the_json_is_strict_and_reads_back_as_the_same_trace(recorded: Recorded) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    trace, text = recorded.trace, recorded.trace.to_json()
    for row in json.loads(text, parse_constant=refuse)["nodes"]:
        assert {*row} - {"drawn"} == {*DTYPES, "mover", "board", "children"}
    back = Trace.from_json(text)
    assert (back.result.value, back.result.counts) == (trace.result.value, trace.result.counts)
    assert back.principal == trace.principal
    assert list(map(back.why, back.cuts)) == list(map(trace.why, trace.cuts))
    assert [replace(each, node=None) for each in back.nodes] == [
        replace(each, node=None) for each in trace.nodes
    ]
    for read, visit in zip(back.nodes, trace.nodes, strict=True):
        told, node = read.node, visit.node
        assert told.state == (tuple(node.state.board), node.state.player, trace.drawn(visit))
        assert (told.maximizing, told.sows) == (node.maximizing, node.sows)
        assert told.turns == node.turns


Check = Callable[[Recorded], None]
WRITTEN: list[Check] = [
    the_table_has_a_row_a_node,
    the_json_is_strict_and_reads_back_as_the_same_trace,
]
CHECKS: list[Check] = [
    every_node_is_its_parents_child_by_its_move,
    visited_nodes_come_first_each_before_what_lies_below_it,
    every_inner_node_has_a_child_for_every_move,
    a_move_is_visited_twice_only_to_settle_a_probe,
    windows_narrow_by_what_was_found_before,
    inner_values_are_the_best_below,
    a_cuts_numbers_cross_and_the_rest_was_never_tried,
    a_cuts_owner_is_who_set_the_bound,
    the_counts_are_the_trees,
    the_principal_variation_is_worth_the_root_all_along,
    every_number_is_written_without_a_negative_zero,
    *WRITTEN,
]


SAMPLES = {
    "kalah": (lambda chance: random_position(chance, pits=5, stones=5), kalah.EVALUATORS, 5, 60),
    "cards": (random_cards, cards.EVALUATORS, 4, 24),
    "betsy": (random_betsy, betsy.EVALUATORS, 4, 40),
}
"""Random positions of each game, its evaluators, the greatest depth to search to, how many."""


@cache
def traces(name: str) -> list[Recorded]:
    """Random positions, each searched by all, under every evaluator and order in turn."""
    position, evaluators, deepest, many = SAMPLES[name]
    chance = Random(7)
    recorded: list[Recorded] = []
    while len(recorded) < many * len(WATCHED):
        game, state = position(chance)
        evaluator = chance.choice([*evaluators.values()])
        depth = Depth(chance.randint(2, deepest))
        order = chance.choice([*ORDERS.values()])
        if not game.over(state):
            recorded += [
                Recorded(game, name, record(ALGORITHMS[name], game, state, evaluator, depth, order))
                for name in WATCHED
            ]
    assert sum(len(each.trace.cuts) for each in recorded) > 500, "there is something to look at"
    return recorded


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_of_random_positions(check: Check, name: str) -> None:
    """What is written, which takes longest, of every third: of all searches, as they are seven."""
    for recorded in traces(name)[:: 3 if check in WRITTEN else 1]:
        check(recorded)


@given(trees(), st.integers(0, 6), st.sampled_from(WATCHED))
def test_of_random_trees(root: Branch, depth: int, algorithm: str) -> None:
    game = HandTree(root)
    trace = record(ALGORITHMS[algorithm], game, root, written_value, Depth(depth))
    for check in CHECKS:
        check(Recorded(game, algorithm, trace))


# Windows that the search itself was given, and values that no bound exceeds.

ENDLESS = st.sampled_from((-inf, -2, 0, 1, 3, inf))
OF_CUTS: list[Check] = [
    a_cuts_numbers_cross_and_the_rest_was_never_tried,
    a_cuts_owner_is_who_set_the_bound,
    the_counts_are_the_trees,
    every_number_is_written_without_a_negative_zero,
    *WRITTEN,
]


@given(trees(values=ENDLESS), st.integers(0, 6), st.sampled_from(WATCHED))
def test_of_trees_with_infinite_values(root: Branch, depth: int, algorithm: str) -> None:
    game = HandTree(root)
    trace = record(ALGORITHMS[algorithm], game, root, written_value, Depth(depth))
    for check in OF_CUTS:
        check(Recorded(game, algorithm, trace))


def within(alpha: float, beta: float) -> dict[str, Searcher]:
    """The searches with windows, asked within (alpha, beta) as MAX sees it."""
    return {
        "alpha_beta": searcher(lambda tree: value_within(tree, tree.root, alpha, beta)),
        "minimax_a_b": searcher(lambda tree: visit_a_b(tree, tree.root, alpha, beta)),
        "scout": searcher(lambda tree: visit_scout(tree, tree.root, alpha, beta)),
    }


@given(
    trees(values=ENDLESS),
    st.sampled_from(("alpha_beta", "minimax_a_b", "scout")),
    st.sampled_from([*combinations((-inf, -2, 0, 2, inf), 2), (0, nextafter(0, 1))]),
)
def test_of_searches_within_a_window(
    root: Branch, algorithm: str, window: tuple[float, float]
) -> None:
    game = HandTree(root)
    trace = record(within(*window)[algorithm], game, root, written_value, Depth(9))
    for check in OF_CUTS:
        check(Recorded(game, algorithm, trace))


LOST = Branch("A", MAX, children=(
    Branch("B", MIN, children=(Branch("b1", MAX, -inf), Branch("b2", MAX, 9))),
    Branch("C", MIN, children=(
        Branch("c1", MAX, children=(Branch("x", MIN, inf), Branch("y", MIN, 0))),
        Branch("c2", MAX, 4),
    )),
))  # fmt: skip
"""C is worth 4; y and b2 are cut, though nobody is sure of anything."""


@pytest.mark.parametrize("algorithm", ["alpha_beta", "minimax_a_b", "alpha_beta_table"])
def test_nothing_exceeds_an_infinite_value(algorithm: str) -> None:
    trace = record(ALGORITHMS[algorithm], HandTree(LOST), LOST, written_value, Depth(9))
    assert [trace.why(cut) for cut in trace.cuts] == [
        "After B: MIN can already hold this to −∞ by move b1; at the root the window itself "
        "begins at −∞, so b2 cannot change the result.",
        "After C, c1: MAX can already get ∞ by move x; at the root the window itself ends at ∞, "
        "so y cannot change the result.",
    ]
    assert (trace.result.value, trace.result.move) == (4, 1)


@pytest.mark.parametrize(
    ("window", "reasons"),
    [
        (
            (4, 9),
            [
                "After B: MIN can already hold this to 3 by move b1; at the root the window itself "
                "begins at 4, so b2, b3 cannot change the result.",
                "After C: MIN can already hold this to 2 by move c1; at the root the window itself "
                "begins at 4, so c2, c3 cannot change the result.",
            ],
        ),
        (
            (-inf, 2),
            [
                "At the root: MAX can already get 3 by move B; at the root the window itself ends "
                "at 2, so C, D cannot change the result."
            ],
        ),
        (
            (2, nextafter(2, 3)),
            [
                "At the root: MAX can already get 3 by move B; at the root the only question is "
                "whether MAX gets more than 2, so C, D cannot change the result."
            ],
        ),
    ],
    ids=["from below", "from above", "question"],
)
def test_a_window_that_was_given_says_so(window: tuple[float, float], reasons: list[str]) -> None:
    """Russell & Norvig's figure 5.2, whose branches are worth 3, 2 and 2."""
    search = within(*window)["alpha_beta"]
    trace = record(search, AIMA_5_2, AIMA_5_2.root, written_value, Depth(9))
    assert [trace.why(cut) for cut in trace.cuts] == reasons


# What a cut promises, so the untried branches cannot change the result.


@given(trees(max_leaves=40), st.sampled_from(WATCHED), st.randoms(use_true_random=False))
def test_nothing_below_the_untried_branches_can_matter(
    root: Branch, algorithm: str, chance: Random
) -> None:
    """Whatever stands there, a full search finds the same value and the same first move.

    Untried in every visit, that is: what a probe leaves out, the search after it may need.
    """
    trace = record(ALGORITHMS[algorithm], HandTree(root), root, written_value, Depth(99))
    visited = {places(trace, visit.id) for visit in trace.visited()}
    changed = root
    for visit in trace.nodes:
        if visit.kind == "unvisited" and places(trace, visit.id) not in visited:
            changed = rewritten(changed, places(trace, visit.id), visit.node.state, chance)
    result = minimax(HandTree(changed), changed, written_value, Depth(99))
    assert (result.value, result.move) == (trace.result.value, trace.result.move)


def places(trace: Trace, id: int) -> tuple[int, ...]:
    visit = trace.nodes[id]
    return () if visit.node.move is None else (*places(trace, visit.parent or 0), visit.node.move)


def rewritten(root: Branch, path: tuple[int, ...], below: Branch, chance: Random) -> Branch:
    """The tree with each leaf below `path` worth something wild."""
    if not below.children:
        return with_leaf(root, path, chance.choice([-99, 99]))
    for place, child in enumerate(below.children):
        root = rewritten(root, (*path, place), child, chance)
    return root


# By hand.


@pytest.mark.parametrize("algorithm", PRUNING)
def test_the_windows_of_figure_5_2(algorithm: str) -> None:
    """Russell & Norvig, figure 5.5, as worked through there."""
    trace = record(ALGORITHMS[algorithm], AIMA_5_2, AIMA_5_2.root, written_value, Depth(9))
    assert {visit.name: (visit.alpha, visit.beta) for visit in trace.visited()} == {
        "": (-inf, inf),
        "B": (-inf, inf),
        "b1": (-inf, inf),
        "b2": (-inf, 3),
        "b3": (-inf, 3),
        "C": (3, inf),
        "c1": (3, inf),
        "D": (3, inf),
        "d1": (3, inf),
        "d2": (3, 14),
        "d3": (3, 5),
    }


@pytest.mark.parametrize("algorithm", PRUNING)
@pytest.mark.parametrize(
    ("tree", "reasons"),
    [
        (
            AIMA_5_2,
            [
                "After C: MIN can already hold this to 2 by move c1; MAX is already sure of 3 "
                "from move B at the root, so c2, c3 cannot change the result."
            ],
        ),
        (
            RICH_KNIGHT_12_3,
            [
                "After D: MIN can already hold this to −4 by move J; MAX is already sure of −2 "
                "from move C at the root, so K cannot change the result."
            ],
        ),
        (
            RICH_KNIGHT_12_5,
            [
                "After C, F, I: MIN can already hold this to 0 by move K; MAX is already sure of "
                "3 from move B at the root, so L cannot change the result.",
                "After C, G: MAX can already get 7 by move M; MIN is already sure of 5 from move "
                "F after C, so N cannot change the result.",
            ],
        ),
    ],
    ids=["aima-5.2", "rich-knight-12.3", "rich-knight-12.5"],
)
def test_why_the_books_branches_are_cut(tree: HandTree, reasons: list[str], algorithm: str) -> None:
    trace = record(ALGORITHMS[algorithm], tree, tree.root, written_value, Depth(9))
    assert [trace.why(cut) for cut in trace.cuts] == reasons


@pytest.mark.parametrize(
    ("algorithm", "reasons"),
    [
        (
            "scout",
            [
                "After C?, F, I: MIN can already hold this to 0 by move K; MAX is already sure of "
                "3 from move B at the root, so L cannot change the result.",
                "After C?, G: MAX can already get 7 by move M; after C? the only question is "
                "whether MAX gets more than 3, so N cannot change the result.",
                "After C, F, I: MIN can already hold this to 0 by move K; MAX is already sure of "
                "3 from move B at the root, so L cannot change the result.",
                "After C, G?: MAX can already get 7 by move M; MIN is already sure of 5 from move "
                "F after C, so N cannot change the result.",
            ],
        ),
        (
            "mtdf",
            [
                "In pass 1: MAX can already get 3 by move B; in pass 1 the only question is "
                "whether MAX gets at least 0, so C cannot change the result.",
                "In pass 2, after B: MIN can already hold this to 3 by move D; in pass 2 the only "
                "question is whether MAX gets more than 3, so E cannot change the result.",
                "In pass 2, after C, F, I: MIN can already hold this to 0 by move K; in pass 2 the "
                "only question is whether MAX gets more than 3, so L cannot change the result.",
                "In pass 2, after C, G: MAX can already get 7 by move M; in pass 2 the only "
                "question is whether MAX gets more than 3, so N cannot change the result.",
            ],
        ),
    ],
)
def test_why_the_books_branches_are_cut_by_questions(algorithm: str, reasons: list[str]) -> None:
    """Rich & Knight's figure 12.5: more than the 3 of B? Then C is at least 4, and is 4."""
    tree = RICH_KNIGHT_12_5
    trace = record(ALGORITHMS[algorithm], tree, tree.root, written_value, Depth(9))
    assert [trace.why(cut) for cut in trace.cuts] == reasons


def test_a_cut_says_what_the_table_knew() -> None:
    every = [each.trace for name in SAMPLES for each in traces(name)]
    cuts = [(trace, cut) for trace in every for cut in trace.cuts]
    known = [trace.nodes[cut.by].kind == "table" for trace, cut in cuts]
    assert [" (the table knows);" in trace.why(cut) for trace, cut in cuts] == known
    assert any(known)


def test_a_trace_file_that_is_none_says_so() -> None:
    trace = record(ALGORITHMS["alpha_beta"], AIMA_5_2, AIMA_5_2.root, written_value, Depth(9))
    text = trace.to_json()
    for length in (0, 1, 40, len(text) // 2, len(text) - 1):
        with pytest.raises(ValueError, match="cut short"):
            Trace.from_json(text[:length])
    for other in ("{}", "[]", "3", "null", '{"nodes": [{}]}', text.replace('"board"', '"b"')):
        with pytest.raises(ValueError, match="this is no trace"):
            Trace.from_json(other)


def test_a_search_that_is_too_large_to_keep_is_refused() -> None:
    asked = (AIMA_5_2, AIMA_5_2.root, written_value, Depth(9))
    assert len(list(record(minimax, *asked, max_nodes=13).visited())) == 13
    with pytest.raises(ValueError, match="more than 12 nodes"):
        record(minimax, *asked, max_nodes=12)


def test_greedy_and_minimax_have_no_cuts() -> None:
    game = Kalah(3, 3)
    for name in ("greedy", "minimax"):
        search, look = ALGORITHMS[name], kalah.store_difference
        trace = record(search, game, game.start(), look, Depth(4))
        assert trace.cuts == []
        assert list(trace.visited()) == list(trace.nodes)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (3, "3"),
        (3.0, "3"),
        (-2.25, "−2.25"),
        (0.1 + 0.2, "0.3"),
        (-0.0, "0"),
        (inf, "∞"),
        (-inf, "−∞"),
    ],
)
def test_numbers_are_written_as_people_write_them(value: float | None, text: str) -> None:
    assert number(value) == text
