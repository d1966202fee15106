"""What a recorded search left out: the worked tree, and the nodes that orders leave."""

import pandas as pd

from kalahlab.evaluators.kalah import staged
from kalahlab.published.staged import GAME, PRINTED_LEAVES, PRINTED_MOVE, worked_position
from kalahlab.search import Depth, alpha_beta
from kalahlab.studies import s03_pruning as study
from kalahlab.trace import record


def test_the_worked_tree_has_its_printed_numbers():
    trace = record(alpha_beta, GAME, worked_position(), staged, Depth(2))
    assert study.beside_print(PRINTED_LEAVES, trace)["equal"].all()
    assert trace.result.move == PRINTED_MOVE
    cut = trace.cuts[0]
    assert (trace.nodes[cut.node].node.move, cut.value, cut.bound) == (1, -2.25, -2.25)


def test_the_conclusion_on_pruning_counts_the_nodes_of_its_rows():
    costs = pd.DataFrame(
        {"algorithm": ["minimax", "alpha_beta"], "value": [-2.0, -2.0], "visited": [1000, 400]}
    )
    orders = pd.DataFrame(
        {"order": ["pit", "store_first", "worst_first"], "visited": [400, 300, 700]}
    )
    said = study.conclusion(costs, orders, 4)
    assert "At depth 4 alpha-beta visits 400 of minimax's 1,000 nodes" in said
    assert "finds the same value (−2)" in said
    assert "first it is 300, with the worst-looking move first 700" in said
