"""The trees of the textbooks: values, lines and the leaves that are visited."""

from functools import partial
from itertools import chain
from pathlib import Path

import pytest
from conftest import cases
from hypothesis import given
from hypothesis import strategies as st
from oracle import PRUNING
from strategies import SHAPES, trees

from kalahlab.evaluators.tree import written_value
from kalahlab.games import hand_tree
from kalahlab.games.hand_tree import MAX, MIN, Branch, edit_at, uniform_tree, with_value
from kalahlab.search import ALGORITHMS, Depth
from kalahlab.trace import record

TO_THE_END = 9


def record_tree(tree, algorithm, depth=TO_THE_END):
    return record(ALGORITHMS[algorithm], tree, tree.start(), written_value, Depth(depth))


def value_and_line(trace):
    return trace.result.value, " ".join(trace.nodes[id].name for id in trace.principal[1:])


@cases(Path(__file__).with_name("books.csv"))
def test_the_books_trees_have_the_printed_values_and_cuts(name, value, line, visited):
    """Cut off c2, c3 (AIMA), L after K and N after M (Rich & Knight), at B, D, E (CS5329)."""
    tree, printed = hand_tree.EXAMPLES[name], (int(value), line)
    assert value_and_line(record_tree(tree, "minimax")) == printed
    for algorithm in PRUNING:
        trace = record_tree(tree, algorithm)
        assert value_and_line(trace) == printed
        names = [visit.name for visit in trace.visits() if visit.kind == "finished"]
        assert " ".join(names) == visited


@pytest.mark.parametrize("algorithm", ["greedy", "minimax", *PRUNING])
def test_figure_12_looks_best_at_b_one_ply_deep(algorithm):
    """Search Rich & Knight's figure 12.1: B is best one ply deep, and no longer at two."""
    depth = TO_THE_END if algorithm == "greedy" else 1
    assert value_and_line(record_tree(hand_tree.RICH_KNIGHT_12_3, algorithm, depth)) == (8, "B")


def leaves(node, *path):
    """Return the leaves from left to right, by their paths."""
    if not node.children:
        return {path: node}
    by_path = {}
    for index, child in enumerate(node.children):
        by_path |= leaves(child, *path, index)
    return by_path


@given(trees(), st.data())
def test_with_value_changes_one_leaf(root, data):
    before = leaves(root)
    path = data.draw(st.sampled_from([*before]))
    old = before[path]
    changed = edit_at(root, path, partial(with_value, value=77))
    assert leaves(changed) == before | {path: Branch(old.name, old.player, 77)}
    assert edit_at(changed, path, partial(with_value, value=old.value)) == root


@pytest.mark.parametrize(("arity", "depth"), SHAPES)
def test_a_uniform_tree_is_uniform(arity, depth):
    level = [uniform_tree(arity, depth, 5, max_value=3)]
    names = []
    for ply in range(depth + 1):
        player = MAX if ply % 2 == 0 else MIN
        branches = arity if ply < depth else 0
        assert {(node.player, len(node.children)) for node in level} == {(player, branches)}
        names += [node.name for node in level]
        leaves = level
        level = list(chain.from_iterable(node.children for node in level))
    assert {node.value for node in leaves} <= {0, 1, 2, 3}
    assert len({*names}) == len(names) == sum(arity**d for d in range(depth + 1))
    again, other = (uniform_tree(arity, depth, seed) for seed in (5, 6))
    assert again == uniform_tree(arity, depth, 5) != other
