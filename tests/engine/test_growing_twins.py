"""The compiled searches that grow a tree: the textbook's tree with the same random numbers."""

from dataclasses import fields
from itertools import product

import numpy as np
import pytest
from conftest import Ticking
from hypothesis import given, settings
from hypothesis import strategies as st

from kalahlab import engine
from kalahlab.engine.twin import growth_kernel
from kalahlab.engine.twin.growing import GrowthTranscript, Rows
from kalahlab.evaluators import BadEvaluator
from kalahlab.evaluators.kalah import e1, e3, store_difference
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.rules import Rules
from kalahlab.games.supported import SEARCHED
from kalahlab.search.growing import GROWING, PLAYOUTS, Playout
from kalahlab.search.limits import Depth, Playouts, Seconds
from kalahlab.trace import record_growth

NAMES = sorted(engine.GROWING)
LEAVES = [*PLAYOUTS.values(), store_difference, e3]


@st.composite
def rules(draw):
    """Draw each field of the rules but a relay, which does not fit into tables."""
    names = [field.name for field in fields(Rules) if field.name != "relay"]
    values = {name: draw(st.sampled_from(SEARCHED[name])) for name in names}
    try:
        return Rules(**values)
    except ValueError:  # fields that contradict each other
        return Rules()


@st.composite
def positions(draw):
    """Draw a game with drawn rules, and one of its positions with up to 127 stones in the pits."""
    pits = draw(st.integers(1, 7))
    counts = st.lists(st.integers(0, 9), min_size=pits, max_size=pits)
    stores = st.integers(0, 30)
    board = [*draw(counts), draw(stores), *draw(counts), draw(stores)]
    return Kalah(pits, 3, draw(rules())), State(tuple(board), draw(st.integers(0, 1)))


def all_nodes(root):
    nodes = [root]
    for node in nodes:
        nodes += node.children
    return nodes


def facts(node):
    parent = None if node.parent is None else node.parent.id
    position = node.state, node.maximizing, node.is_over, node.sows
    return node.id, parent, node.move, *position, node.numbers


def assert_same_tree(name, game, state, leaf, playouts, **options):
    transcript = GrowthTranscript()
    limit = Playouts(playouts)
    textbook = GROWING[name](game, state, leaf, limit, transcript, **options)
    compiled = engine.GROWING[name](game, state, leaf, limit, **options)
    assert compiled == textbook
    assert compiled.tree.iterations == textbook.tree.iterations
    if not game.is_over(state):
        assert compiled.tree.checksum == transcript.checksum
    nodes, expected = all_nodes(compiled.tree.root), all_nodes(textbook.tree.root)
    assert list(map(facts, nodes)) == list(map(facts, expected))


@pytest.mark.parametrize("name", NAMES)
@given(
    positions(),
    st.sampled_from(LEAVES),
    st.integers(1, 120),
    st.integers(0, 2**64 - 1),
    st.sampled_from([0.5, 1.4142, 10, 30.0]),
)
def test_both_grow_the_same_tree(name, position, leaf, playouts, seed, c):
    assert_same_tree(name, *position, leaf, playouts, seed=seed, c=c)


@settings(max_examples=40)
@given(positions(), st.sampled_from([e1, e3]), st.sampled_from([0.5, 3.0]), st.integers(1, 80))
def test_both_give_the_same_priors(position, prior, temperature, playouts):
    leaf = PLAYOUTS["random"]
    assert_same_tree("puct", *position, leaf, playouts, prior=prior, temperature=temperature)


@settings(max_examples=40)
@given(positions(), st.sampled_from([e1, e3]), st.sampled_from([0, 0.4, 1.0]), st.integers(1, 80))
def test_both_back_up_the_same_minimax_values(position, heuristic, alpha, playouts):
    options = {"heuristic": heuristic, "alpha": alpha}
    assert_same_tree("implicit_minimax", *position, PLAYOUTS["random"], playouts, **options)


@pytest.mark.parametrize(("name", "leaf"), list(product(NAMES, LEAVES[:2])))
def test_both_grow_the_same_large_tree(name, leaf, monkeypatch):
    """Grow the arrays several times, a tree with paths of many nodes, and counts without a log.

    The memory at the start and the table of logarithms are smaller than those of a user, so that a
    smaller tree is too large for them.
    """
    monkeypatch.setattr("kalahlab.engine.twin.growing.BATCH", 64)
    monkeypatch.setattr("kalahlab.engine.twin.growing.MOST_AT_FIRST", 64)
    few_logs = growth_kernel.log_table()[:256]
    monkeypatch.setattr(growth_kernel, "log_table", lambda: few_logs)
    enlarge, lengths = Rows.enlarge, []
    monkeypatch.setattr(
        Rows, "enlarge", lambda rows, length: lengths.append(length) or enlarge(rows, length)
    )
    assert_same_tree(name, Kalah(6, 4), Kalah(6, 4).start(), leaf, 600, seed=7, c=2.0)
    assert len(lengths) >= 2


@pytest.mark.parametrize("name", NAMES)
def test_memory_is_written_before_it_is_read(name, monkeypatch):
    """Fill new arrays with -1, which is nan as a float."""
    monkeypatch.setattr(np, "empty", lambda shape, dtype: np.full(shape, -1, dtype))
    for leaf in LEAVES:
        assert_same_tree(name, Kalah(6, 4), Kalah(6, 4).start(), leaf, 200)


def test_a_kernel_with_another_generator_would_be_caught():
    game = Kalah(6, 4)
    checksums = {
        engine.uct(game, game.start(), PLAYOUTS["random"], Playouts(50), seed=seed).tree.checksum
        for seed in range(20)
    }
    assert len(checksums) == 20


def test_time_ends_a_search_and_its_tree_is_the_one_of_so_many_playouts():
    game = Kalah(6, 4)
    timed = engine.uct(game, game.start(), e3, Seconds(10), clock=Ticking(1))
    iterations = timed.tree.iterations
    assert iterations == timed.counts.evaluated > 0
    assert timed == engine.uct(game, game.start(), e3, Playouts(iterations))


class Relative(Kalah):
    """A game that derives from Kalah."""


def never(game, state, moves, rng):
    return moves[0]


def nan(board, player):
    return float("nan")


@pytest.mark.parametrize(
    ("game", "leaf", "limit", "why"),
    [
        (Relative(4, 3), e3, Playouts(5), "does not know the game Relative"),
        (Kalah(8, 3), e3, Playouts(5), "up to 7 pits a side and 127 stones, without relays"),
        (Kalah(6, 12), e3, Playouts(5), "up to 7 pits a side and 127 stones, without relays"),
        (Kalah(4, 3, "relay=yes"), e3, Playouts(5), "without relays"),
        (Kalah(4, 3), Playout(never), Playouts(5), "by the playouts of PLAYOUTS"),
        (Kalah(4, 3), e3, Depth(5), "UCT cannot keep the limit 5; it takes playouts or seconds"),
        (Kalah(4, 3), nan, Playouts(5), "nan"),
    ],
)
def test_what_the_kernel_cannot_do_is_refused(game, leaf, limit, why):
    with pytest.raises((ValueError, BadEvaluator), match=why):
        engine.uct(game, game.start(), leaf, limit)


def not_compilable(board, player):
    return float(eval("board[0]"))


def test_the_warning_names_the_evaluator_that_cannot_be_compiled():
    game = Kalah(3, 2)
    limited = game, game.start(), e3, Playouts(5)
    with pytest.warns(Warning, match="not_compilable") as warnings:
        compiled = engine.puct(*limited, prior=not_compilable)
    assert {warning.filename for warning in warnings} == {__file__}
    assert compiled == GROWING["puct"](*limited, prior=not_compilable)


def test_the_engine_has_no_observers_of_trees():
    with pytest.raises(ValueError, match="the engine has no observers"):
        record_growth(engine.uct, Kalah(4, 3), Kalah(4, 3).start(), e3, Playouts(5))
