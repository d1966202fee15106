"""A turn in a stated time: legal, whole, in time, and as good as the searches it comes from."""

import multiprocessing
from functools import reduce
from random import Random

import pytest
from conftest import Ticking

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import EMPTY_CAPTURE, Kalah, State
from kalahlab.matches import competition
from kalahlab.matches.competition import best_turn
from kalahlab.search import Depth, alpha_beta
from kalahlab.search.ordering import store_first

GAME = Kalah(10, 1000, EMPTY_CAPTURE)


@pytest.fixture
def no_engine(monkeypatch):
    monkeypatch.setattr(competition, "received", lambda answers, seconds: [])


@pytest.fixture
def ticks(monkeypatch):
    clock = Ticking()
    monkeypatch.setattr(competition, "monotonic", clock)
    return clock


@pytest.mark.parametrize("seconds", [1, 20, 300])
@pytest.mark.usefixtures("no_engine")
def test_no_node_is_searched_after_the_time(ticks, seconds):
    state = GAME.start()
    turn = best_turn(GAME, state, seconds)
    assert ticks.read <= seconds + 4  # start, one node too late, the wait for the engine
    assert reduce(GAME.play, turn.pits, state) == turn.state
    assert turn.state.player != state.player
    assert (turn.answer.depth > 0) == (seconds >= 20)


@pytest.mark.usefixtures("no_engine")
def test_a_small_game_is_searched_to_its_end_long_before_the_time():
    for seed in range(5):
        chance = Random(seed)
        state = State((*(chance.randint(0, 2) for _ in range(3)), 0, 1, 0, 2, 0), seed % 2)
        turn = best_turn(GAME, state, 3600)
        exact = alpha_beta(GAME, state, store_difference, Depth(99))
        assert (turn.answer.complete, turn.answer.value) == (True, exact.value)


def test_a_finished_game_has_no_turn():
    over = State((0, 0, 0, 7, 1, 0, 2, 1), 1)
    turn = best_turn(GAME, over, 3600)
    assert (turn.pits, turn.state, turn.answer.value) == ((), over, 4 - 7)


def test_the_engine_answers_from_a_process_that_is_stopped():
    state = GAME.start()
    with competition.engine_answers(GAME, state, 600) as answers:
        first = competition.received(answers, 600)[0]
        assert len(multiprocessing.active_children()) == 1
    assert not multiprocessing.active_children()
    search = alpha_beta(GAME, state, store_difference, Depth(first.depth), store_first)
    assert (first.value, first.line) == (search.value, search.line)


def test_the_engines_process_ends_when_the_time_is_over():
    context = multiprocessing.get_context("spawn")
    _, sent = context.Pipe(duplex=False)
    asked = (GAME, GAME.start(), 0.1, sent)
    process = context.Process(target=competition.send_answers, args=asked, daemon=True)
    process.start()
    process.join(120)
    assert process.exitcode == 0
