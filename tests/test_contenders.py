"""Players that think for so many nodes or so long, on clocks that go as the test says."""

from itertools import count
from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_position

from kalahlab.evaluators.kalah import EVALUATORS, e3
from kalahlab.games.kalah import Kalah, State
from kalahlab.matches.contenders import Contender, SearchSpec, contender
from kalahlab.matches.openings import fair_openings
from kalahlab.play import parse_player, play_game, random_player
from kalahlab.search import ALGORITHMS, Depth, alpha_beta

START = Kalah(6, 4).start()


class Ticking:
    """A clock that goes on by a step at each reading."""

    def __init__(self, step: float) -> None:
        self.readings, self.step = count(), step

    def __call__(self) -> float:
        return next(self.readings) * self.step


def move(text: str, half: str, state: State = START, step: float = 0.0) -> int:
    return contender(text, half, Ticking(step)).player(Kalah(), state)


@given(
    st.integers(0, 10**6),
    st.sampled_from(["minimax", "alpha_beta", "minimax_a_b"]),
    st.sampled_from([*EVALUATORS]),
    st.integers(1, 3000),
    st.sampled_from(["sow", "turn"]),
)
@settings(max_examples=40)
def test_both_halves_play_the_same_under_nodes(
    seed: int, algorithm: str, evaluator: str, nodes: int, unit: str
) -> None:
    game, state = random_position(Random(seed), stones=4)
    if game.over(state):
        return
    text = f"{algorithm}:{evaluator}:{nodes}n:{unit}"
    compiled, read = (contender(text, half).player(game, state) for half in ("engine", "textbook"))
    assert compiled == read


@pytest.mark.parametrize("half", ["engine", "textbook"])
def test_under_nodes_it_plays_the_deepest_search_that_they_allow(half: str) -> None:
    state = fair_openings("standard", 2)[1]
    spent, chosen = 0, []
    for depth in range(1, 6):
        found = alpha_beta(Kalah(), state, e3, Depth(depth))
        spent += found.counts.expanded + found.counts.evaluated
        chosen.append(found.move)
        assert move(f"alpha_beta:e3:{spent}n", half, state) == chosen[-1]
        assert move(f"alpha_beta:e3:{spent - 1}n", half, state) == ([0, *chosen[:-1]])[-1]
    assert len(set(chosen)) > 1, "the position tells depths apart"


@pytest.mark.parametrize("half", ["engine", "textbook"])
def test_a_clock_that_stands_lets_it_think_to_the_end(half: str) -> None:
    state = State((0, 0, 0, 1, 2, 0, 20, 0, 0, 0, 0, 0, 2, 23), 0)
    best = alpha_beta(Kalah(), state, e3, Depth(30)).move
    assert move("alpha_beta:e3:1000ms", half, state) == best


def test_the_textbook_half_thinks_nine_tenths_of_its_time() -> None:
    clock = Ticking(0.001)
    player = contender("alpha_beta:e3:1000ms", "textbook", clock).player
    began = clock()
    player(Kalah(), START)
    assert clock() - began == pytest.approx(0.9, abs=0.003)


def test_the_engine_begins_no_search_that_might_not_end_in_time() -> None:
    """Two readings a search, so that each takes 10 ms: it needs room for 60 more."""
    clock = Ticking(0.01)
    player = contender("alpha_beta:e3:200ms", "engine", clock).player
    began = clock()
    player(Kalah(), START)
    assert 0.1 <= clock() - began <= 0.18


def test_with_no_time_at_all_it_plays_the_first_legal_move() -> None:
    state = State((0, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0), 0)
    assert move("alpha_beta:e3:1ms", "textbook", state, step=1) == 1


@pytest.mark.parametrize("algorithm", ["alpha_beta", "alpha-beta", "minimax_a_b"])
def test_a_contender_of_a_depth_is_the_player_of_that_depth(algorithm: str) -> None:
    text = f"{algorithm}:e3:3:turn:store-first"
    game = Kalah(6, 4)
    for half in ("engine", "textbook"):
        mine = contender(text, half)
        assert mine.seconds == inf
        assert play_game(game, mine.player, random_player(1)) == play_game(
            game, parse_player(text), random_player(1)
        )


def test_only_what_the_engine_can_is_compiled() -> None:
    assert SearchSpec("alpha-beta", "e3", order="store-first").compiled
    assert not SearchSpec("alpha_beta", "e3", half="textbook").compiled
    assert SearchSpec("alpha_beta", "e3", half="textbook").searcher is ALGORITHMS["alpha_beta"]
    assert SearchSpec("alpha_beta", "e3", unit="quiet").searcher is ALGORITHMS["alpha_beta"]


def test_a_contenders_time_is_what_it_says() -> None:
    assert contender("alpha_beta:e3:250ms", "textbook").seconds == 0.25
    assert isinstance(contender("random:3"), Contender)


@pytest.mark.parametrize(
    ("text", "named", "allowed"),
    [
        ("alpha_beta", "'alpha_beta'", "ALGORITHM:EVALUATOR:LIMIT"),
        ("alpha_beta:e3", "'alpha_beta:e3'", "LIMIT"),
        ("alpha_beta:e3:1s", "'1s'", "1000ms"),
        ("alpha_beta:e3:-1", "'-1'", "5000n"),
        ("alpha_beta:e3:0", "limit 0", "1 or more"),
        ("alpha_beta:e3:0ms", "limit 0ms", "1 or more"),
        ("alpha:e3:3", "'alpha'", "alpha_beta"),
        ("alpha_beta:e9:3", "'e9'", "e4"),
        ("alpha_beta:e3:3:day", "'day'", "turn"),
        ("alpha_beta:e3:3:sow:up", "'up'", "store_first"),
        ("greedy:e3:100n", "greedy", "depth 1"),
        ("alpha_beta:e3:100n:quiet", "quiet", "sow or turn"),
        ("random:x", "'x'", "whole number"),
    ],
)
def test_what_is_no_contender_is_named(text: str, named: str, allowed: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        contender(text)
    assert named in str(error.value)
    assert allowed in str(error.value)


def test_an_unknown_half_is_named() -> None:
    with pytest.raises(ValueError, match="'third'; use one of engine, textbook"):
        SearchSpec("alpha_beta", "e3", half="third")
