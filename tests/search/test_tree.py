"""The textbooks' trees: what each search finds there, and which leaves it looks at."""

from functools import partial
from pathlib import Path

import pytest
from conftest import cases
from hypothesis import given
from hypothesis import strategies as st
from oracle import PRUNING
from strategies import SHAPES, trees

from kalahlab.evaluators.tree import written_value
from kalahlab.games import hand_tree
from kalahlab.games.hand_tree import MAX, MIN, Branch, at_path, uniform_tree, with_value
from kalahlab.search import ALGORITHMS, Depth
from kalahlab.trace import record

TO_THE_END = 9


def traced(tree, algorithm, depth=TO_THE_END):
    return record(ALGORITHMS[algorithm], tree, tree.start(), written_value, Depth(depth))


def found(trace):
    return trace.result.value, " ".join(trace.nodes[id].name for id in trace.principal[1:])


@cases(Path(__file__).with_name("books.csv"))
def test_the_book_trees_are_worth_what_the_books_say_and_pruned_as_they_say(
    name, value, line, looked_at
):
    """AIMA: not c2, c3. Rich & Knight: not L, after K, nor N, after M. CS5329: cuts at B, D, E."""
    tree, said = hand_tree.EXAMPLES[name], (int(value), line)
    assert found(traced(tree, "minimax")) == said
    for algorithm in PRUNING:
        trace = traced(tree, algorithm)
        assert found(trace) == said
        names = [visit.name for visit in trace.visits() if visit.kind == "finished"]
        assert " ".join(names) == looked_at


@pytest.mark.parametrize("algorithm", ["greedy", "minimax", *PRUNING])
def test_figure_12_looks_best_at_b_one_ply_deep(algorithm):
    """Rich & Knight, figure 12.1: B has the best static value; two plies deep it loses it."""
    depth = TO_THE_END if algorithm == "greedy" else 1
    assert found(traced(hand_tree.RICH_KNIGHT_12_3, algorithm, depth)) == (8, "B")


def leaves(node, *path):
    """The leaves from left to right, by the way to them."""
    if not node.children:
        return {path: node}
    below = [leaves(child, *path, place) for place, child in enumerate(node.children)]
    return {path: leaf for each in below for path, leaf in each.items()}


@given(trees(), st.data())
def test_with_value_changes_one_leaf(root, data):
    before = leaves(root)
    path = data.draw(st.sampled_from([*before]))
    old = before[path]
    changed = at_path(root, path, partial(with_value, value=77))
    assert leaves(changed) == before | {path: Branch(old.name, old.player, 77)}
    assert at_path(changed, path, partial(with_value, value=old.value)) == root


@pytest.mark.parametrize(("arity", "depth"), SHAPES)
def test_a_uniform_tree_is_uniform(arity, depth):
    level, player, names = [uniform_tree(arity, depth, 5, max_value=3)], MAX, []
    for left in reversed(range(depth + 1)):
        shape = {(node.player, len(node.children)) for node in level}
        assert shape == {(player, arity if left else 0)}
        names += [node.name for node in level]
        leaves = level
        level, player = [child for node in level for child in node.children], MIN - player
    assert {node.value for node in leaves} <= {0, 1, 2, 3}
    assert len({*names}) == len(names) == sum(arity**d for d in range(depth + 1))
    again, other = (uniform_tree(arity, depth, seed) for seed in (5, 6))
    assert again == uniform_tree(arity, depth, 5) != other
