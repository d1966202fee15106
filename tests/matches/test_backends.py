"""Searches by name and backend, and players within limits, on clocks that go as the test says."""

from random import Random
from typing import Any

import pytest
from conftest import Ticking
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_position

from kalahlab.backends import BACKENDS, SearchSpec, parse_limit
from kalahlab.evaluators.kalah import EVALUATORS, e3
from kalahlab.games.kalah import Kalah, State
from kalahlab.matches.openings import fair_openings
from kalahlab.play import parse_player, play_game, random_player
from kalahlab.search import ALGORITHMS, Depth, alpha_beta

START = Kalah(6, 4).start()


def move(text: str, backend: str, state: State = START, step: float = 0.0) -> Any:
    return parse_player(text, backend=backend, clock=Ticking(step))(Kalah(), state)


@given(
    st.integers(0, 10**6),
    st.sampled_from(["minimax", "alpha_beta", "minimax_a_b"]),
    st.sampled_from([*EVALUATORS]),
    st.integers(1, 3000),
    st.sampled_from(["sow", "turn"]),
)
@settings(max_examples=40)
def test_both_backends_play_the_same_under_nodes(seed, algorithm, evaluator, nodes, unit):
    game, state = random_position(Random(seed), stones=4)
    if game.over(state):
        return
    text = f"{algorithm}:{evaluator}:{nodes}n:{unit}"
    compiled, read = (parse_player(text, backend=each)(game, state) for each in BACKENDS)
    assert compiled == read


@pytest.mark.parametrize("backend", BACKENDS)
def test_under_nodes_it_plays_the_deepest_search_that_they_allow(backend):
    state = fair_openings("standard", 2)[1]
    spent, chosen = 0, []
    for depth in range(1, 6):
        found = alpha_beta(Kalah(), state, e3, Depth(depth))
        spent += found.counts.expanded + found.counts.evaluated
        chosen.append(found.move)
        assert move(f"alpha_beta:e3:{spent}n", backend, state) == chosen[-1]
        assert move(f"alpha_beta:e3:{spent - 1}n", backend, state) == ([0, *chosen[:-1]])[-1]
    assert len(set(chosen)) > 1, "the position tells depths apart"


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_clock_that_stands_lets_it_think_to_the_end(backend):
    state = State((0, 0, 0, 1, 2, 0, 20, 0, 0, 0, 0, 0, 2, 23), 0)
    best = alpha_beta(Kalah(), state, e3, Depth(30)).move
    assert move("alpha_beta:e3:1000ms", backend, state) == best


def test_the_textbook_thinks_nine_tenths_of_its_time():
    clock = Ticking(0.001)
    player = parse_player("alpha_beta:e3:1000ms", backend="textbook", clock=clock)
    began = clock()
    player(Kalah(), START)
    assert clock() - began == pytest.approx(0.9, abs=0.003)


def test_the_engine_begins_no_search_that_might_not_end_in_time():
    """Two readings a search, so that each takes 10 ms: it needs room for 60 more."""
    clock = Ticking(0.01)
    player = parse_player("alpha_beta:e3:200ms", backend="engine", clock=clock)
    began = clock()
    player(Kalah(), START)
    assert 0.1 <= clock() - began <= 0.18


def test_with_no_time_at_all_it_plays_the_first_legal_move():
    state = State((0, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0), 0)
    assert move("alpha_beta:e3:1ms", "textbook", state, step=1) == 1


@pytest.mark.parametrize("algorithm", ["alpha_beta", "alpha-beta", "minimax_a_b"])
def test_a_player_of_a_depth_is_the_same_by_either_backend(algorithm):
    text, game = f"{algorithm}:e3:3:turn:store-first", Kalah(6, 4)
    logs = [
        play_game(game, player, random_player(1))
        for player in (
            *(parse_player(text, backend=backend) for backend in BACKENDS),
            *(parse_player(f"{text}@{backend}") for backend in BACKENDS),
        )
    ]
    assert logs == [logs[0]] * 4


def test_only_what_the_engine_can_is_compiled():
    assert SearchSpec("alpha-beta", "e3", order="store-first").compiled
    assert not SearchSpec("alpha_beta", "e3", backend="textbook").compiled
    assert SearchSpec("alpha_beta", "e3", backend="textbook").searcher is ALGORITHMS["alpha_beta"]
    assert SearchSpec("alpha_beta", "e3", leaf="quiescence").searcher is ALGORITHMS["alpha_beta"]


def test_a_limit_is_a_depth_nodes_or_a_time():
    assert parse_limit("6") == (6, "")
    assert parse_limit("5000n") == (5000, "n")
    assert parse_limit("250ms").seconds == 0.25
    assert parse_limit("6").seconds == parse_limit("6n").seconds == float("inf")
