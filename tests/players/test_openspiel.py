"""Kalah as a game of OpenSpiel, its bots as players, and our players as its bots."""

from random import Random

import pyspiel
import pytest
from conftest import without_measurements
from hypothesis import given
from hypothesis import strategies as st
from strategies import RULES

from kalahlab.games.game_text import GameRecord
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.rules import STANDARD
from kalahlab.matches.openings import fairkalah_starts
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.players import parse_player
from kalahlab.players.history import find_moves
from kalahlab.players.openspiel import (
    BotPlayer,
    PlayerBot,
    from_openspiel,
    kalah_game,
    mcts_bot,
    position_of,
    to_openspiel,
)

seeds = st.integers(0, 2**32)


def play_random(game, seed, most=1000):
    rng, state, moves = Random(seed), game.start(), []
    while not game.is_over(state) and len(moves) < most:
        moves.append(rng.choice(game.moves(state)))
        state = game.play(state, moves[-1])
    return GameRecord(game, game.start(), tuple(moves))


@given(seeds)
def test_a_game_of_mancala_goes_to_openspiel_and_back(seed):
    record = play_random(Kalah(6, 4), seed)
    state = to_openspiel(record)
    assert state.get_game().get_type().short_name == "mancala"
    assert state.is_terminal()
    margin = record.game.margin(record.states[-1], 0)
    assert state.returns()[0] == (margin > 0) - (margin < 0)
    assert from_openspiel(state) == record


@given(seeds, st.sampled_from(RULES), st.integers(1, 8), st.integers(1, 5))
def test_every_rule_is_a_game_of_openspiel(seed, rules, pits, stones):
    record = play_random(Kalah(pits, stones, rules), seed)
    ours, state = record.game, kalah_game(record.game).new_initial_state()
    for position, pit in zip(record.states, record.moves, strict=False):
        assert (state.current_player(), position_of(state)) == (position.player, position)
        assert len(state.legal_actions()) == len(ours.moves(position))
        clone = state.clone()
        clone.apply_action(clone.legal_actions()[0])
        assert state.position == position
        state.apply_action(state.legal_actions()[ours.moves(position).index(pit)])
    assert state.is_terminal()
    assert sum(state.returns()) == 0
    if (pits, stones, rules) != (6, 4, STANDARD):
        assert from_openspiel(to_openspiel(record)) == from_openspiel(state) == record


def test_openspiel_accepts_the_game():
    game = pyspiel.load_game("kalahlab", {"pits": 3, "stones": 2, "rules": "kgp"})
    assert game.kalah == Kalah(3, 2, "kgp")
    pyspiel.random_sim_test(game, num_sims=5, serialize=False, verbose=False)


def test_a_state_of_another_game_is_refused():
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    with pytest.raises(ValueError, match="tic_tac_toe is another game"):
        from_openspiel(state)


@given(seeds, st.integers(0, 40), st.integers(0, 3))
def test_moves_between_two_positions_are_found(seed, first, number):
    record = play_random(Kalah(4, 3), seed)
    states = record.states
    first = min(first, len(states) - 1)
    last = min(first + number, len(states) - 1)
    moves = find_moves(record.game, states[first], states[last])
    assert len(moves) <= last - first
    assert GameRecord(record.game, states[first], moves).states[-1] == states[last]


def test_moves_to_a_position_that_cannot_be_reached():
    game = Kalah(2, 1)
    assert find_moves(game, game.start(), State((9, 0, 0, 0, 0, 0), 0)) is None
    assert find_moves(game, game.start(), game.start()) == ()
    far = play_random(Kalah(6, 4), 1).states[-1]
    assert find_moves(Kalah(6, 4), Kalah(6, 4).start(), far, most=100) is None


def test_a_player_plays_as_a_bot():
    """Our search to depth 3 beats OpenSpiel's random bot on both sides."""
    mancala = pyspiel.load_game("mancala")
    for side in (0, 1):
        bots = [pyspiel.make_uniform_random_bot(1 - side, 5)] * 2
        bots[side] = PlayerBot(parse_player("alpha_beta:store_difference:3"))
        returns = pyspiel.evaluate_bots(mancala.new_initial_state(), bots, seed=1)
        assert returns[side] == 1


def record_states(games):
    """Return a player of OpenSpiel's random bot that notes the game of OpenSpiel which it plays."""

    def make_bot(game):
        games.append(game.get_type().short_name)
        return pyspiel.make_uniform_random_bot(0, 5)

    return BotPlayer(make_bot)


@pytest.mark.parametrize(
    ("game", "start", "name"),
    [
        (Kalah(6, 4), None, "mancala"),
        (Kalah(6, 4), fairkalah_starts("fairkalah")[5], "kalahlab"),
        (Kalah(6, 4, "kgp"), None, "kalahlab"),
        (Kalah(4, 3), None, "kalahlab"),
    ],
)
def test_a_bot_plays_a_game_on_its_own_mancala_if_that_has_the_position(game, start, name):
    games = []
    player, rng, state = record_states(games), Random(3), start or game.start()
    player.new_game(game, state)
    while not game.is_over(state):
        legal = game.moves(state)
        move = rng.choice(legal) if state.player else player.choose(game, state, None)
        assert move in legal
        state = game.play(state, move)
    assert games
    assert {*games} == {name}


def test_both_bots_of_mcts_find_a_capture_that_wins():
    """Pit 1 captures most of the stones, and pit 6 gives them away."""
    game = Kalah(6, 4)
    state = State((1, 0, 0, 0, 0, 1, 21, 0, 0, 0, 0, 20, 0, 5), 0)
    record = GameRecord(game, state, ())
    bot = mcts_bot(to_openspiel(record).get_game(), 50, seed=1)
    assert bot.step(to_openspiel(record)) == 1


def test_the_player_mcts_is_the_same_each_time_and_beats_random_moves():
    pair = Pair("openspiel:mcts:20p:seed=3", "random:2", "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>")
    first, second = (play_pair(pair) for _ in range(2))
    assert without_measurements([first]) == without_measurements([second])
    assert first["points"] == 1, "it wins both games"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("openspiel:mcts", "is not openspiel:mcts:PLAYOUTS"),
        ("openspiel:minimax:3", "is not openspiel:mcts:PLAYOUTS"),
        ("openspiel:mcts:many", "many"),
        ("openspiel:mcts:0", "playouts"),
        ("openspiel:mcts:100:d=1", "'d=1' is not c=NUMBER or seed=NUMBER"),
        ("openspiel:mcts:100:seed=x", "seed"),
        ("openspiel:mcts:100n", "playouts '100n' is not a whole number"),
        ("openspiel:mcts:100@engine", "is not openspiel:mcts:PLAYOUTS"),
    ],
)
def test_wrong_texts_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_player(text)
