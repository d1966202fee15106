"""Iterative deepening and MTD(f) with a guess, pass by pass; SSS* and DUAL* as MTD(f)."""

from math import inf, nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import DEEPENING, LEARNED
from strategies import positions, trees

from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import HandTree
from kalahlab.games.kalah import Kalah, State
from kalahlab.search import ALGORITHMS, ORDERS, Depth, Quiescence, alpha_beta
from kalahlab.search.deepening import combine_results, deepening
from kalahlab.search.limits import Nodes
from kalahlab.search.model import Node
from kalahlab.trace import record

GAME = Kalah(3, 2)
STATES = st.builds(
    lambda board, player: State(tuple(board), player),
    st.lists(st.integers(0, 4), min_size=8, max_size=8),
    st.integers(0, 1),
)
UNITS = st.sampled_from(["sow", "turn"])


def run(name, state, depth, unit="sow", order="pit"):
    return record(
        ALGORITHMS[name], GAME, state, store_difference, Depth(depth, unit), ORDERS[order]
    )


def passes(trace):
    """Return the visits of the root, one for each pass; there is no driver above a single one."""
    root = trace.nodes[0]
    return trace.visited_children(root) if root.kind == "driver" else [root]


@given(STATES, st.sampled_from(DEEPENING), st.integers(0, 5), UNITS, st.sampled_from([*ORDERS]))
def test_the_last_pass_has_the_value_of_alpha_beta_and_a_best_move(state, name, depth, unit, order):
    trace = run(name, state, depth, unit, order)
    args = GAME, state, store_difference, Depth(depth, unit)
    assert trace.result.value == alpha_beta(*args).value
    if depth and not GAME.is_over(state):
        after = GAME.play(state, trace.result.move)
        has_extra_turn = after.player == state.player
        rest = Depth(depth if unit == "turn" and has_extra_turn else depth - 1, unit)
        value = alpha_beta(GAME, after, store_difference, rest).value
        assert trace.result.value == (value if has_extra_turn else -value)


@given(STATES, st.integers(1, 5))
def test_each_pass_searches_one_ply_deeper_and_begins_with_the_best_move_of_the_last(state, depth):
    trace = run("iterative_deepening", state, depth)
    if GAME.is_over(state):
        return
    best_moves = {}
    visits = passes(trace)
    assert len(visits) == depth
    for limit, visit in enumerate(visits, start=1):
        assert visit.value == alpha_beta(GAME, state, store_difference, Depth(limit)).value
        assert {v.node.sows for v in below(trace, visit)} <= set(range(limit + 1))
        moves = {}
        for node in below(trace, visit):
            children = trace.visited_children(node)
            if not children:
                continue
            key = node.node.state, node.node.sows
            if key in best_moves:
                assert children[0].node.move == best_moves[key]
            if is_settled(node):
                best = max if node.node.maximizing else min
                moves[key] = best(children, key=lambda child: child.value).node.move
        best_moves = moves


def is_settled(visit):
    """Return whether the search of a node found an exact value, so that its best move is known."""
    return visit.kind == "inner" and visit.is_exact


def below(trace, visit):
    """Return a visit and all visits below it."""
    visits = [visit]
    for child in trace.visited_children(visit):
        visits += below(trace, child)
    return visits


@pytest.mark.parametrize(("name", "first"), [("sss_star", inf), ("dual_star", -inf)])
@given(state=STATES, depth=st.integers(1, 5))
def test_the_passes_of_sss_star_lower_the_value_and_those_of_dual_star_raise_it(
    name, first, state, depth
):
    trace = run(name, state, depth)
    bounds = [visit.value for visit in passes(trace)]
    first_pass = passes(trace)[0]
    window = (nextafter(inf, 0), inf) if first == inf else (-inf, nextafter(-inf, 0))
    assert (first_pass.alpha, first_pass.beta) == window
    assert bounds == sorted(bounds, reverse=first == inf)
    assert trace.result.value == alpha_beta(GAME, state, store_difference, Depth(depth)).value


@pytest.mark.parametrize("name", DEEPENING)
def test_another_leaf_rule_than_a_depth_has_one_pass(name):
    start = GAME.start()
    rule = Quiescence(GAME.is_quiet, 3)
    result = ALGORITHMS[name](GAME, start, store_difference, rule)
    assert result.value == alpha_beta(GAME, start, store_difference, rule).value


@pytest.mark.parametrize("name", DEEPENING)
def test_the_passes_together_visit_fewer_nodes_than_one_search_in_pit_order(name):
    args = Kalah(6, 4), Kalah(6, 4).start(), store_difference, Depth(6)
    deepened, direct = (search(*args).counts for search in (ALGORITHMS[name], alpha_beta))
    assert deepened.visited < direct.visited


@given(
    st.one_of(positions(pits=4, stones=4), trees().map(lambda root: (HandTree(root), root))),
    st.sampled_from(LEARNED),
    st.integers(1, 4),
)
def test_killers_and_history_change_no_value(position, order, depth):
    game, state = position
    evaluator = written_value if isinstance(game, HandTree) else store_difference
    args = game, state, evaluator, Depth(depth)
    value = alpha_beta(*args).value
    for name in ("alpha_beta", "alpha_beta_table", "iterative_deepening"):
        assert ALGORITHMS[name](*args, ORDERS[order]).value == value


def test_killers_come_before_history_and_the_pit_nearest_the_store_decides_between_equals():
    state = Kalah(6, 4).start()
    node = Node(state, None, True, sows=0, turns=0)
    children = [Node(state, move, True, sows=1, turns=0) for move in range(6)]
    orders = {name: ORDERS[f"store_first_{name}"]() for name in ("killer", "history")}
    both = ORDERS["store_first_killer_history"]()
    for move in (2, 1, 1, 0, 2, 3):  # killers are 3 and 2; cutoffs: 1 and 2 twice, 0 and 3 once
        for order in (*orders.values(), both):
            order.on_cutoff(node, move)

    def moves(order):
        return [child.move for child in order(None, node, children)]

    assert moves(orders["killer"]) == [3, 2, 5, 4, 1, 0]
    assert moves(orders["history"]) == [2, 1, 3, 0, 5, 4]
    assert moves(both) == [3, 2, 1, 0, 5, 4]


def test_a_cutoff_counts_in_history_half_as_much_with_each_sow_from_the_root():
    state = Kalah(6, 4).start()
    history = ORDERS["history"]()
    children = [Node(state, move, True, sows=1, turns=0) for move in range(6)]
    for move, sows in ((5, 2), (4, 3), (4, 3), (4, 4), (3, 3)):  # weights 4, 5 and 2 sixteenths
        history.on_cutoff(Node(state, None, True, sows=sows, turns=0), move)
    root = Node(state, None, True, sows=0, turns=0)
    assert [child.move for child in history(None, root, children)] == [4, 5, 3, 0, 1, 2]


@given(STATES, st.sampled_from(["iterative_deepening", "mtdf_deepening"]), st.integers(1, 600))
def test_under_nodes_each_depth_goes_on_from_the_one_before(state, name, nodes):
    search = ALGORITHMS[name]
    limited = GAME, state, store_difference
    passes = list(deepening(search, *limited, inf, max_nodes=nodes))
    for depth, result in enumerate(passes, start=1):
        total = combine_results(passes[:depth])
        at_once = search(*limited, Depth(depth))
        assert (total.value, total.line) == (result.value, result.line)
        assert total == at_once
    assert search(*limited, Nodes(nodes)) == combine_results(passes)
