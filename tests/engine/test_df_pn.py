"""The compiled df-pn visits the nodes of the textbook's, in the same order and with its limits."""

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_growing_twins import positions

from kalahlab import engine
from kalahlab.engine.packed import pack
from kalahlab.engine.twin import df_pn as twin
from kalahlab.engine.twin.df_pn_kernel import INFINITE
from kalahlab.engine.twin.workspace import MASK, MULTIPLIER
from kalahlab.games.kalah import Kalah
from kalahlab.search import df_pn as textbook
from kalahlab.search.limits import Nodes, Playouts, Seconds


@pytest.fixture(autouse=True)
def small_tables(monkeypatch):
    """Begin with tables so small that many searches begin again with larger ones."""
    monkeypatch.setattr(twin, "FIRST_ENTRIES", 64)


class Transcript:
    """The checksum of the textbook's visits."""

    def __init__(self, monkeypatch):
        self.checksum = 0
        visit = textbook._Search.visit

        def visit_and_log(search, state, pn_limit, dn_limit):
            packed = pack(state)
            limits = [INFINITE if limit == inf else limit for limit in (pn_limit, dn_limit)]
            for number in (state.player, packed.own, packed.opp, packed.own_store, *limits):
                mixed = ((self.checksum + number) * MULTIPLIER) & MASK
                self.checksum = mixed ^ (mixed >> 32)
            visit(search, state, pn_limit, dn_limit)

        monkeypatch.setattr(textbook._Search, "visit", visit_and_log)


@settings(max_examples=80)
@given(positions(), st.integers(1, 400), st.integers(-20, 20))
def test_both_visit_the_same_nodes(position, nodes, at_least):
    game, state = position
    with pytest.MonkeyPatch.context() as patch:
        transcript = Transcript(patch)
        expected = textbook.df_pn(game, state, Nodes(nodes), at_least)
    assert engine.df_pn(game, state, Nodes(nodes), at_least) == expected
    if not game.is_over(state):
        search = twin._search(game, state, Nodes(nodes), at_least, lambda: 0)
        assert search.checksum == transcript.checksum


@pytest.mark.parametrize("at_least", [-3, 0.5, 6, 7])
def test_both_answer_a_question_of_a_whole_game(at_least):
    game = Kalah(3, 2)
    limit = Nodes(300_000)
    expected = textbook.df_pn(game, game.start(), limit, at_least)
    assert engine.df_pn(game, game.start(), limit, at_least) == expected
    assert expected.claim != "unknown"


def test_a_limit_of_time_is_kept_and_finds_the_same_answer():
    game = Kalah(4, 3)
    by_nodes = engine.df_pn(game, game.start(), Nodes(10**6), 1)
    by_time = engine.df_pn(game, game.start(), Seconds(1000), 1, clock=iter(range(10**6)).__next__)
    assert by_time.claim == by_nodes.claim != "unknown"
    late = engine.df_pn(game, game.start(), Seconds(1), 1, clock=iter(range(10**6)).__next__)
    assert (late.claim, late.counts.expanded) == ("unknown", 0)


def test_what_the_kernel_cannot_do_is_refused():
    for game in (Kalah(8, 2), Kalah(4, 2, "relay=yes")):
        with pytest.raises(ValueError, match="up to 7 pits a side and 127 stones, without relays"):
            engine.df_pn(game, game.start(), Nodes(5))
    with pytest.raises(ValueError, match="it takes nodes or seconds"):
        engine.df_pn(Kalah(4, 2), Kalah(4, 2).start(), Playouts(5))
