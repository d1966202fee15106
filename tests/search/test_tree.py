"""The textbooks' trees: what each search finds there, and which leaves it looks at."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SHAPES, trees

from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import (
    AIMA_5_2,
    EXAMPLES,
    MAX,
    MIN,
    RICH_KNIGHT_12_3,
    RICH_KNIGHT_12_5,
    SEVEN_STEPS,
    Branch,
    HandTree,
    uniform_tree,
)
from kalahlab.games.tree_edits import with_leaf
from kalahlab.search import ALGORITHMS, Depth
from kalahlab.search.deep_enough import Unit
from kalahlab.trace import record

TO_THE_END = 9


def leaves(node: Branch) -> list[Branch]:
    """The leaves from left to right."""
    if not node.children:
        return [node]
    return [leaf for child in node.children for leaf in leaves(child)]


def seen(tree: HandTree, algorithm: str, depth: int = TO_THE_END, unit: Unit = "sow") -> str:
    """The nodes that were given a value without looking further, in order."""
    trace = record(ALGORITHMS[algorithm], tree, tree.start(), written_value, Depth(depth, unit))
    return " ".join(visit.name for visit in trace.visited() if visit.kind in ("leaf", "finished"))


def found(tree: HandTree, algorithm: str, depth: int = TO_THE_END) -> tuple[float, str]:
    """The root's value and the names along the principal variation."""
    result = ALGORITHMS[algorithm](tree, tree.start(), written_value, Depth(depth))
    state, names = tree.start(), []
    for move in result.line:
        names.append(tree.move_name(state, move))
        state = tree.play(state, move)
    return result.value, " ".join(names)


FULL = ["minimax", "alpha_beta", "minimax_a_b"]
PRUNING = FULL[1:]


@pytest.mark.parametrize("algorithm", FULL)
@pytest.mark.parametrize(
    ("tree", "value", "line"),
    [
        (AIMA_5_2, 3, "B b1"),
        (RICH_KNIGHT_12_3, -2, "C I"),
        (RICH_KNIGHT_12_5, 4, "C H"),
    ],
    ids=["aima-5.2", "rich-knight-12.3", "rich-knight-12.5"],
)
def test_the_book_trees_are_worth_what_the_books_say(
    tree: HandTree, value: float, line: str, algorithm: str
) -> None:
    assert found(tree, algorithm) == (value, line)


@pytest.mark.parametrize("algorithm", FULL)
def test_figure_12_looks_best_at_b_one_ply_deep(algorithm: str) -> None:
    """Rich & Knight, figure 12.1: B has the best static value; two plies deep it loses it."""
    assert found(RICH_KNIGHT_12_3, algorithm, depth=1) == (8, "B")
    assert found(RICH_KNIGHT_12_3, "greedy") == (8, "B")


@pytest.mark.parametrize("tree", EXAMPLES.values(), ids=EXAMPLES)
def test_minimax_looks_at_every_leaf(tree: HandTree) -> None:
    assert seen(tree, "minimax") == " ".join(leaf.name for leaf in leaves(tree.root))


@pytest.mark.parametrize("algorithm", PRUNING)
@pytest.mark.parametrize(
    ("tree", "names"),
    [
        (AIMA_5_2, "b1 b2 b3 c1 d1 d2 d3"),
        (RICH_KNIGHT_12_3, "E F G H I J"),
        (RICH_KNIGHT_12_5, "D E K J M H"),
    ],
    ids=["aima-5.2", "rich-knight-12.3", "rich-knight-12.5"],
)
def test_pruning_leaves_out_what_the_books_leave_out(
    tree: HandTree, names: str, algorithm: str
) -> None:
    """AIMA: not c2 and c3. Rich & Knight: not L, after K, nor N, after M."""
    assert seen(tree, algorithm) == names


@pytest.mark.parametrize("tree", EXAMPLES.values(), ids=EXAMPLES)
def test_greedy_looks_at_the_roots_children(tree: HandTree) -> None:
    assert seen(tree, "greedy") == " ".join(child.name for child in tree.root.children)
    assert found(tree, "greedy", depth=0) == (tree.root.value, "")


@pytest.mark.parametrize("algorithm", PRUNING)
@pytest.mark.parametrize("value", [-99, 99])
def test_the_free_values_of_rich_and_knights_tree_do_not_matter(
    algorithm: str, value: float
) -> None:
    """L and N are never looked at, whatever they are worth."""
    root = with_leaf(with_leaf(RICH_KNIGHT_12_5.root, (1, 0, 0, 1), value), (1, 1, 1), value)
    assert found(HandTree(root), algorithm) == found(RICH_KNIGHT_12_5, algorithm)
    assert seen(HandTree(root), algorithm) == seen(RICH_KNIGHT_12_5, algorithm)


def paths(node: Branch) -> Iterator[tuple[int, ...]]:
    """Where the leaves are, from left to right."""
    if not node.children:
        yield ()
    for place, child in enumerate(node.children):
        yield from ((place, *path) for path in paths(child))


@given(trees(), st.data())
def test_with_leaf_changes_one_leaf(root: Branch, data: st.DataObject) -> None:
    where = list(paths(root))
    place = data.draw(st.integers(0, len(where) - 1))
    before, after = leaves(root), leaves(with_leaf(root, where[place], 77))
    assert len(after) == len(before)
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        assert (new.value == 77) if at == place else (new is old)
        assert (new.name, new.player) == (old.name, old.player)
    assert with_leaf(with_leaf(root, where[place], 77), where[place], before[place].value) == root


@given(trees())
def test_a_tree_keeps_the_protocol_of_a_game(root: Branch) -> None:
    tree = HandTree(root)
    stack = [tree.start()]
    while stack:
        state = stack.pop()
        moves = tree.moves(state)
        assert tree.over(state) == (not moves)
        assert tree.margin(state, 0) == -tree.margin(state, 1) == written_value(state.board, 0)
        assert written_value(state.board, 1) == -state.value
        stack += [tree.play(state, move) for move in moves]
        for bad in (-1, len(moves)):
            with pytest.raises(ValueError, match=rf"^{state.name} has no branch {bad};"):
                tree.play(state, bad)


@pytest.mark.parametrize("path", [(), (1,), (3,), (-1,), (0, 3), (0, 0, 0)])
def test_with_leaf_refuses_what_is_no_leaf(path: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"^\w+ (is not a leaf|has no branch)"):
        with_leaf(AIMA_5_2.root, path, 1)


def test_the_roots_mover_is_max_even_if_the_tree_calls_it_min() -> None:
    """The value is for whoever moves at the root."""
    root = Branch("A", MIN, children=(Branch("b", MIN, 2), Branch("c", MIN, -5)))
    assert found(HandTree(root), "alpha_beta") == (5, "c")


@pytest.mark.parametrize(("arity", "depth"), SHAPES)
def test_a_uniform_tree_is_uniform(arity: int, depth: int) -> None:
    """All leaves at one depth, players in turn, names unique, values of the seed's."""
    level, player, names = [uniform_tree(arity, depth, 5, max_value=3)], MAX, []
    for _ in range(depth):
        assert {(node.player, len(node.children)) for node in level} == {(player, arity)}
        names += [node.name for node in level]
        level, player = [child for node in level for child in node.children], MIN - player
    assert {(node.player, len(node.children)) for node in level} == {(player, 0)}
    assert {node.value for node in level} <= {0, 1, 2, 3}
    names += [node.name for node in level]
    assert len({*names}) == len(names) == sum(arity**d for d in range(depth + 1))
    again, other = (uniform_tree(arity, depth, seed) for seed in (5, 6))
    assert again == uniform_tree(arity, depth, 5) != other


@given(st.lists(st.integers(-9, 9), min_size=7, max_size=7))
def test_the_cuts_of_the_seven_steps_do_not_depend_on_the_leaves_that_are_not_printed(
    values: list[int],
) -> None:
    """Leaf c is at least 3, as its text says of B, and i at most 2, as it says of E."""
    paths = [(0, 1, 0), (0, 1, 1), (1, 1, 0), (1, 1, 1), (2, 0, 1), (2, 1, 0), (2, 1, 1)]
    values[0], values[4] = max(values[0], 3), min(values[4], 2)
    tree = SEVEN_STEPS.root
    for path, value in zip(paths, values, strict=True):
        tree = with_leaf(tree, path, value)
    search = ALGORITHMS["alpha_beta"], HandTree(tree), tree, written_value, Depth(TO_THE_END)
    trace = record(*search)
    assert trace.result.value == 3
    assert [(trace.nodes[cut.node].name, cut.bound) for cut in trace.cuts] == [
        ("B", 3),
        ("D", 3),
        ("E", 3),
    ]
