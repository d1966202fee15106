"""Checks of any recorded search: its tree, its windows, its cuts, its counts, its files."""

import json
from dataclasses import replace
from itertools import combinations, pairwise
from math import copysign, inf, nextafter
from typing import NamedTuple

import pytest

from kalahlab.games import Game
from kalahlab.search import WITH_PASSES
from kalahlab.trace import Trace


class Recorded(NamedTuple):
    """A trace, with the game and the name of the algorithm."""

    game: Game
    algorithm: str
    trace: Trace

    def path(self, visit):
        """Return the moves from the root to a visit."""
        if visit.node.move is None:
            return ()
        return (*self.path(self.trace.nodes[visit.parent or 0]), visit.node.move)

    def list_entries(self):
        """Return the nodes in the order in which they were entered, with their windows."""
        return [(self.path(v), v.node.maximizing, v.alpha, v.beta) for v in self.trace.visits()]

    def moves_below(self, visit):
        """Return the moves of the children, each once."""
        return list(dict.fromkeys(self.trace.nodes[id].node.move for id in visit.children))

    def final_visits(self, visit):
        """Return the last visit of each move, which settles the test of a probe."""
        return list(
            {child.node.move: child for child in self.trace.visited_children(visit)}.values()
        )


def every_node_is_its_parents_child_by_its_move(recorded):
    """Play the moves with the game itself, from the root on."""
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
        assert node.sows == before.sows + 1
        assert node.turns == (before.turns if same else before.turns + 1)
        assert visit.player == ("MAX" if node.maximizing else "MIN")
    assert sum(len(visit.children) for visit in nodes) == len(nodes) - 1
    assert nodes[0].parent is None


def nodes_are_numbered_depth_first(recorded):
    """Check the order, depth first: each child directly follows its elder sibling's subtree."""
    ids = []

    def walk(visit):
        ids.append(visit.id)
        for child in recorded.trace.visited_children(visit):
            walk(child)

    walk(recorded.trace.nodes[0])
    assert ids == [visit.id for visit in recorded.trace.visits()] == list(range(len(ids)))


def every_inner_node_has_a_child_for_every_move(recorded):
    for visit in recorded.trace.nodes:
        if visit.kind == "driver":
            continue
        moves = recorded.moves_below(visit)
        legal = sorted(recorded.game.moves(visit.node.state))
        if visit.kind in ("inner", "cut"):
            assert sorted(moves) == legal
        else:
            assert moves == []
        assert visit.kind == "unvisited" or (visit.kind == "finished") == (not legal)
        assert (visit.kind == "cut") == (0 < len(recorded.final_visits(visit)) < len(moves))


def a_move_is_visited_twice_only_to_settle_a_probe(recorded):
    for visit in recorded.trace.visits():
        visits = recorded.trace.visited_children(visit)
        labels = [child.label for child in visits]
        assert len({*labels}) == len(labels)
        for first, second in combinations(visits, 2):
            if first.node.move == second.node.move and visit.kind != "driver":
                assert recorded.algorithm.startswith("scout")
                assert visits.index(second) == visits.index(first) + 1
                assert first.probe
                assert not second.probe
                assert first.kind not in ("leaf", "finished")


def windows_narrow_by_what_was_found_before(recorded):
    """Check that a child's window is its parent's, narrowed by the elder siblings, and not empty.

    A probe has the null window at the best value of the elder siblings; the passes of MTD(f) are
    probes. Scout probes all but the first child, and searches better ones again, but for leaves.
    """
    root, is_scout = recorded.trace.nodes[0], recorded.algorithm == "scout"
    assert (root.alpha, root.beta) == (-inf, inf)
    for visit in recorded.trace.visits():
        alpha, beta = visit.alpha, visit.beta
        visits, settled = recorded.trace.visited_children(visit), recorded.final_visits(visit)
        for index, child in enumerate(visits):
            assert alpha < beta
            if not child.probe:
                assert (child.alpha, child.beta) == (alpha, beta)
                needs_no_probe = index == 0 or visit.question or visits[index - 1].probe
                assert not is_scout or needs_no_probe
            else:
                assert not recorded.algorithm.startswith("alpha_beta")
                assert nextafter(child.alpha, inf) == child.beta
                assert child.beta < inf or recorded.algorithm == "sss_star"  # its first pass
                if visit.kind == "driver":
                    continue
                if visit.node.maximizing:
                    assert child.alpha == alpha
                else:
                    assert child.beta == beta
                is_better = alpha < child.value < beta and child.kind in ("inner", "cut")
                assert not is_scout or (child not in settled) == is_better
            if child not in settled:
                continue
            if visit.node.maximizing:
                alpha = max(alpha, child.value)
            else:
                beta = min(beta, child.value)


def inner_values_are_the_best_below(recorded):
    """Check values of inner nodes: fail-soft in ALPHA-BETA, fail-hard in MINIMAX-A-B."""
    for visit in recorded.trace.visits():
        values = [child.value for child in recorded.final_visits(visit)]
        if values and visit.kind != "driver":
            maximizing = visit.node.maximizing
            if recorded.algorithm == "minimax_a_b":
                values.append(visit.alpha if maximizing else visit.beta)
            best = max if maximizing else min
            assert visit.value == best(values)


def cuts_cross_their_bounds_and_skip_the_rest(recorded):
    nodes = recorded.trace.nodes
    assert [cut.node for cut in recorded.trace.cuts] == [v.id for v in nodes if v.kind == "cut"]
    for cut in recorded.trace.cuts:
        node = nodes[cut.node]
        assert (cut.owner, cut.holds) == recorded.trace.find_bound_owner(node)
        assert cut.bound == end_of(node, node.node.maximizing)
        if node.node.maximizing:
            assert cut.value >= cut.bound
        else:
            assert cut.value <= cut.bound
        assert cut.value == node.value == nodes[cut.by].value
        *before, last = recorded.trace.visited_children(node)
        assert last.id == cut.by
        assert cut.untried == tuple(node.children[len(before) + 1 :]) != ()
        assert {nodes[id].kind for id in cut.untried} == {"unvisited"}
        assert (" (the table knows);" in recorded.trace.why(cut)) == (nodes[cut.by].kind == "table")


def a_bounds_owner_is_who_set_it(recorded):
    """Follow the bound down from the root.

    It is an end of the root's window first, then the values that the opponent found on the way,
    then the null windows of probes.
    """
    nodes = recorded.trace.nodes
    for visit in recorded.trace.visits():
        maximizing, line = visit.node.maximizing, [visit]
        while line[0].parent is not None:
            line.insert(0, nodes[line[0].parent])
        bound, owner, holds = end_of(line[0], maximizing), 0, None
        for above, taken in pairwise(line):
            if above.node.maximizing != maximizing and above.kind != "driver":
                for elder in recorded.final_visits(above):
                    is_better = elder.value < bound if maximizing else elder.value > bound
                    if elder.id < taken.id and is_better:
                        bound, owner, holds = elder.value, above.id, elder.id
            if end_of(taken, maximizing) != bound:
                bound, owner, holds = end_of(taken, maximizing), taken.id, None
                assert taken.probe or above.kind == "driver"
        assert recorded.trace.find_bound_owner(visit) == (owner, holds)
        assert end_of(visit, maximizing) == bound


def end_of(visit, maximizing):
    """Return the end of the window at which the player to move is cut off."""
    return visit.beta if maximizing else visit.alpha


def the_counts_are_the_trees(recorded):
    trace, counts = recorded.trace, recorded.trace.result.counts
    kinds = [visit.kind for visit in trace.nodes]
    inner = [visit for visit in trace.nodes if visit.kind in ("inner", "cut")]
    assert counts.generated == sum(len(recorded.moves_below(visit)) for visit in inner)
    assert counts.expanded == len(inner)
    assert counts.evaluated == kinds.count("leaf") + kinds.count("finished")
    assert counts.recalled == kinds.count("table")
    assert counts.cutoffs == kinds.count("cut") == len(trace.cuts)
    assert counts.visited == len(kinds) - kinds.count("driver") - kinds.count("unvisited")
    assert kinds.count("driver") == (recorded.algorithm in WITH_PASSES)


def the_principal_variation_is_worth_the_root_all_along(recorded):
    """Check the line down to the leaf, or to the node that the table answered."""
    trace = recorded.trace
    line = [trace.nodes[id] for id in trace.principal]
    moves = [visit.node.move for visit in line if visit.node.move is not None]
    assert moves == list(trace.result.line[: len(moves)])
    assert {visit.value for visit in line} == {trace.result.value}
    assert all(visit.parent == above.id for above, visit in pairwise(line))
    if line[-1].kind != "table":
        assert line[-1].kind in ("leaf", "finished")
        assert len(moves) == len(trace.result.line)


def every_number_is_written_without_a_negative_zero(recorded):
    for visit in recorded.trace.visits():
        for value in (visit.alpha, visit.beta, visit.value):
            assert value or copysign(1, value) == 1


DTYPES = {
    **dict.fromkeys(("path", "move", "player", "kind", "untried"), "str"),
    **dict.fromkeys(("id", "sows", "turns"), "int64"),
    **dict.fromkeys(("parent", "owner"), "Int64"),
    **dict.fromkeys(("extra_turn", "probe"), "bool"),
    **dict.fromkeys(("alpha", "beta", "value", "bound"), "float64"),
}


def the_table_has_a_row_a_node(recorded):
    """Check that columns and types never vary; values of unvisited nodes are missing."""
    trace, table = recorded.trace, recorded.trace.table()
    dtypes = {name: str(dtype).replace("object", "str") for name, dtype in table.dtypes.items()}
    assert dtypes == DTYPES
    unvisited, cut = table["kind"] == "unvisited", table["kind"] == "cut"
    assert table["path"].is_unique
    assert len(table) == len(trace.nodes)
    for column in ("alpha", "beta", "value"):
        assert (table[column].isna() == unvisited).all()
        visits = trace.visits()
        assert list(table[column][~unvisited]) == [getattr(visit, column) for visit in visits]
    for column in ("bound", "owner"):
        assert (table[column].notna() == cut).all()
    assert ((table["untried"] != "") == cut).all()
    assert table["untried"].str.split().str.len().sum() == unvisited.sum()


def the_json_is_strict_and_reads_back_as_the_same_trace(recorded):
    trace, text = recorded.trace, recorded.trace.to_json()
    strict = {"parse_constant": lambda constant: pytest.fail(f"{constant} is no JSON")}
    for row in json.loads(text, **strict)["nodes"]:
        assert {*row} - {"drawn"} == {*DTYPES, "mover", "board", "children"}
    back = Trace.from_json(text)
    assert (back.result.value, back.result.counts) == (trace.result.value, trace.result.counts)
    assert back.principal == trace.principal
    assert list(map(back.why, back.cuts)) == list(map(trace.why, trace.cuts))
    for read, visit in zip(back.nodes, trace.nodes, strict=True):
        node = visit.node
        state = (tuple(node.state.board), node.state.player, trace.draw_position(visit))
        move = visit.name if node.sows else None
        assert read == replace(visit, node=replace(node, state=state, move=move))


OF_FILES = [
    the_table_has_a_row_a_node,
    the_json_is_strict_and_reads_back_as_the_same_trace,
]
OF_CUTS = [
    cuts_cross_their_bounds_and_skip_the_rest,
    a_bounds_owner_is_who_set_it,
    the_counts_are_the_trees,
    every_number_is_written_without_a_negative_zero,
    *OF_FILES,
]
"""The checks that hold for any window of the search, and any values."""

CHECKS = [
    every_node_is_its_parents_child_by_its_move,
    nodes_are_numbered_depth_first,
    every_inner_node_has_a_child_for_every_move,
    a_move_is_visited_twice_only_to_settle_a_probe,
    windows_narrow_by_what_was_found_before,
    inner_values_are_the_best_below,
    the_principal_variation_is_worth_the_root_all_along,
    *OF_CUTS,
]
