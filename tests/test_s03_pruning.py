"""What a recorded search left out: the worked tree, and the nodes that orders leave."""

from dataclasses import replace

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from kalahlab.evaluators.kalah import staged
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import (
    AIMA_5_2,
    RICH_KNIGHT_12_3,
    RICH_KNIGHT_12_5,
    SEVEN_STEPS,
    HandTree,
    with_leaf,
)
from kalahlab.games.kalah import Kalah, stores
from kalahlab.judging import judged
from kalahlab.published.staged import GAME, PRINTED_LEAVES, PRINTED_MOVE, worked_position
from kalahlab.search import Depth, alpha_beta, minimax, minimax_a_b
from kalahlab.studies import s03_pruning as study
from kalahlab.trace import record


def test_the_worked_tree_has_its_printed_numbers():
    trace = record(alpha_beta, GAME, worked_position(), staged, Depth(2))
    assert study.beside_print(PRINTED_LEAVES, trace)["equal"].all()
    assert trace.result.move == PRINTED_MOVE
    assert "The report chooses the same pit: it prints B0" in study.worked_tree_in_words(trace, 0)
    assert "The report chooses another: it prints B2" in study.worked_tree_in_words(trace, 2)
    cut = trace.cuts[0]
    assert (trace.nodes[cut.node].node.move, cut.value, cut.bound) == (1, -2.25, -2.25)


def test_the_printed_steps_of_minimax_miss_a_sign():
    """Figure 12.3 is worth -2 by C; without the sign the greatest leaf wins, 9 below B."""
    tree = RICH_KNIGHT_12_3
    one, two = (record(minimax, tree, tree.start(), written_value, Depth(d)) for d in (1, 2))
    assert study.without_sign(tree.root, 2) == (9, "B")
    assert study.without_sign(tree.root, 1) == (2, "D")  # static values from MIN's side
    assert "play B, with value 9. They are wrong" in study.two_plies_in_words(one, two, (9, "B"))
    assert "gives the same move here" in study.two_plies_in_words(one, two, (-2, "C"))


@given(st.lists(st.integers(-9, 9), min_size=7, max_size=7))
def test_the_seven_steps_do_not_depend_on_the_leaves_that_are_not_printed(values):
    tree = SEVEN_STEPS.root
    free = [(0, 1, 1), (1, 1, 0), (1, 1, 1), (2, 0, 1), (2, 1, 0), (2, 1, 1), (0, 1, 0)]
    values[3] = min(values[3], 2)  # E1 is worth 2
    values[6] = max(values[6], 3)  # B is worth 3 at least
    for path, value in zip(free, values, strict=True):
        tree = with_leaf(tree, path, value)
    steps = study.seven_steps(record(alpha_beta, HandTree(tree), tree, written_value, Depth(9)))
    assert steps["equal"].tolist() == [True] * 6 + [False, True]


def test_a_step_that_is_not_made_is_not_found():
    tree = with_leaf(SEVEN_STEPS.root, (0, 1, 0), 1)  # B is not cut then
    steps = study.seven_steps(record(alpha_beta, HandTree(tree), tree, written_value, Depth(9)))
    assert not steps.set_index("what").loc["bound that cuts B", "equal"]


def test_a_bound_of_six_cuts_at_six():
    """Section 5.7: below MAX's 6 a MIN node of 6 or less, below MIN's 6 a MAX node of 6 or more."""
    rows = study.bounds_of_six().itertuples(index=False)
    for below, found, cut in rows:
        assert cut == (found <= 6 if below == "MIN" else found >= 6)


def test_replies_are_counted_where_the_turn_passes():
    found = study.replies(3, range(1, 15))
    assert set(found) == set(range(1, 15)) - {4}  # with 4 stones the third pit ends in the store
    assert set(found.values()) == {5, 6}
    assert "printed number is 4, and it never occurs" in study.replies_in_words(3, found)
    assert "right for 2 stones" in study.replies_in_words(3, {1: 6, 2: 4})


def test_their_program_asks_who_won_and_how_deep_it_is():
    asked = study.asked_by_their_program()
    assert [text.split()[1] for text in study.OUR_ANSWERS if text in asked] == ["one", "many"]
    assert study.questions(asked)["asked by the report's program"].tolist().count("yes") == 2


def test_one_ply_more_is_judged_by_perfect_play():
    sample = [row for row in judged.read() if row.rules == "standard"][:120]
    rows = list(study.one_ply_more(sample))
    regret = {row.state: row.regret for row in sample}
    assert rows
    for row in rows:
        assert row["lost_one"] == regret[row["state"]](row["one"])
        one = study.by_plies(row["state"])["depth 1"]
        assert one.idxmax() == row["one"] + 1
        after = Kalah().play(row["state"], row["one"])
        assert stores_after_reply(after, row["reply"]) >= row["captured"] > 1
    told = study.telling(rows)
    assert told["lost_one"] > told["lost_two"] == 0
    turned = [row | {"lost_one": row["lost_two"], "lost_two": row["lost_one"]} for row in rows]
    assert "more often than it harms" not in study.one_ply_more_in_words(turned[:0])
    assert "never harms" in study.one_ply_more_in_words([{"lost_one": 1, "lost_two": 0}])
    assert "does not help" in study.one_ply_more_in_words([{"lost_one": 0, "lost_two": 1}])
    three = [{"lost_one": 1, "lost_two": 0}] * 2 + [{"lost_one": 0, "lost_two": 1}]
    assert "more often than it harms" in study.one_ply_more_in_words(three)


def stores_after_reply(state, pit):
    """How much the mover's store grows by a sow."""
    before, after = (stores(each.board)[state.player] for each in (state, Kalah().play(state, pit)))
    return after - before


COSTS = pd.DataFrame({"algorithm": ["minimax", "alpha_beta"], "visited": [1000, 400]})


def test_counts_are_named():
    row = {"generated": 10, "visited": 8, "expanded": 3, "evaluated": 5}
    assert "3 of the children were never visited" in study.counted(row)
    assert "it visited every child" in study.counted(row | {"generated": 7})


def test_the_conclusion_says_what_orders_save_or_that_they_do_not():
    orders = pd.DataFrame({"order": ["pit", "static"], "visited": [400, 200]})
    assert "200 (static), 400 (pit). " in study.saved(COSTS, orders, 4)
    assert "2.0 times as many as the best" in study.saved(COSTS, orders, 4)
    assert "no difference" in study.saved(COSTS, orders.assign(visited=400), 4)


def test_the_conclusion_says_whether_values_and_moves_agree():
    rows = pd.DataFrame(
        [
            {"algorithm": "alpha_beta", "order": order, "depth": depth, "value": 1, "move": 3}
            for order in ("pit", "static")
            for depth in (1, 2)
        ]
    )
    assert "in every move order, at each depth from 1 to 2" in study.same_value(rows)
    assert "play the same move at each depth" in study.moves_by_order(rows)
    orders = pd.DataFrame({"order": ["pit", "static"], "visited": [400, 200], "depth": 4})
    assert study.finding(COSTS, orders, rows) == (
        "At depth 4 alpha-beta visits 20% to 40% of minimax's 1,000 nodes, depending on the move "
        "order, and both find the same value at each depth up to 2."
    )
    rows.loc[3, ["move", "value"]] = 6, 2
    assert "the same value at only 1 of 2 depths" in study.finding(COSTS, orders, rows)
    assert study.same_value(rows) == "At depth 2 the searches find different values."
    said = study.moves_by_order(rows)
    assert "at 1 of 2 depths" in said
    assert "pit 3 (pit), pit 6 (static)." in said
    assert "ties" not in said
    assert "These moves are ties" in study.moves_by_order(rows.assign(value=1))


def test_a_cut_without_an_alternative_is_told():
    trace = record(alpha_beta, AIMA_5_2, AIMA_5_2.root, written_value, Depth(9))
    assert "each cutoff in the trees of this page (1 of 1)" in study.safety([trace])
    nodes = (*trace.nodes[:5], *(replace(each, value=9) for each in trace.nodes[5:6]))
    unsafe = replace(trace, nodes=(*nodes, *trace.nodes[6:]))
    assert unsafe.cuts[0].value == 9
    assert "Not every cutoff is safe" in study.safety([unsafe])
    assert "in only 0 of 1 cutoffs" in study.safety([unsafe])


def test_two_searches_walk_alike_or_not():
    tree = RICH_KNIGHT_12_5
    traces = [
        record(search, tree, tree.start(), written_value, Depth(9))
        for search in (alpha_beta, minimax_a_b, minimax)
    ]
    assert "visit the same 12 nodes" in study.same_walk(*traces[:2])
    assert "they visit 12 and 14 nodes" in study.same_walk(*traces[1:])
