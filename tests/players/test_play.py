"""Games between players, and their logs."""

import re
from dataclasses import dataclass
from random import Random

import pytest
from conftest import Ticking
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions, random_position

from kalahlab.evaluators.kalah import EVALUATORS, e3
from kalahlab.games.kalah import NAMES, SOUTH, Kalah, State, stores
from kalahlab.games.notation import draw_board
from kalahlab.games.registry import GAMES
from kalahlab.matches.openings import fair_openings
from kalahlab.players import game_loop
from kalahlab.players.factories import random_player, script_player
from kalahlab.players.game_loop import play_game
from kalahlab.players.parse import make_player, parse_player
from kalahlab.players.search_spec import BACKENDS, SearchSpec
from kalahlab.search import ALGORITHMS, Depth, alpha_beta
from kalahlab.search.limits import Nodes, Playouts, Seconds, parse_limit


def at_random(game, start, seed):
    return play_game(game, random_player(seed), random_player(seed + 1), start)


logs = st.builds(lambda position, seed: at_random(*position, seed), positions(), st.integers(0, 99))


@given(positions(), st.integers(0, 99))
def test_a_game_is_played_by_its_rules_to_its_end(position, seed):
    (game, state), log = position, at_random(*position, seed)
    for (before, pit), played in zip(log.choices, log.moves, strict=True):
        assert (before, pit, state.player) == (state, played.pit, played.mover)
        assert played.state == log.game.play(state, pit)
        state = played.state
    assert log.final == state
    assert game.is_over(state)
    assert (
        game_loop.play_to_end(game, (random_player(seed), random_player(seed + 1)), log.start)
        == state
    )
    again = play_game(game, script_player([]), script_player([]), state)
    assert (again.moves, again.final) == ((), state)


@given(logs)
def test_captured_and_swept_stones_explain_the_stores(log):
    """Check that stones reach the stores only when passed, captured or swept."""
    rules = log.game.rules
    layout = {"skip_origin": False, "sow_opponent_store": False, "relay": False}
    layout["direction"] = "counterclockwise"
    sows_plainly = all(getattr(rules, name) == value for name, value in layout.items())
    before = log.start
    for played in log.moves:
        m, after = len(before.board) // 2 - 1, played.state
        hand = before.board[played.mover * (m + 1) + played.pit]
        passes = (hand - m + played.pit) // (2 * m + 1) + 1
        gained = sum(stores(after.board)) - sum(stores(before.board))
        if sows_plainly:  # else more or fewer stones pass the store
            assert gained == passes + played.captured + played.swept
        others = stores(after.board)[1 - played.mover] - stores(before.board)[1 - played.mover]
        assert others <= played.swept or rules.sow_opponent_store
        over = log.game.is_over(after)
        assert played.extra_turn == (after.player == played.mover and not over)
        assert not played.swept or over
        if rules.capturing_stone == "store" and rules.capture != "always":
            assert played.captured != 1
        before = after


@given(logs)
def test_the_text_of_a_log_shows_every_board_every_move_and_the_winner(log):
    *blocks, end = str(log).split("\n\n")
    assert blocks[0] == draw_board(log.start, log.game.rules)
    for turn, (block, played) in enumerate(zip(blocks[1:], log.moves, strict=True), start=1):
        text, board = block.split("\n", 1)
        assert text == f"{turn}. {played}"
        assert board == draw_board(played.state, log.game.rules)
        assert str(played).startswith(f"{NAMES[played.mover]} sows pit {played.pit + 1}")
        assert ("moves again" in text) == played.extra_turn
        assert ("ends the game" in text) == log.game.is_over(played.state)
        assert sum(map(int, re.findall(r"captures (\d+)", text))) == played.captured
        assert sum(map(int, re.findall(r"(\d+) stones? swept", text))) == played.swept
    assert log.margin == log.game.margin(log.final, SOUTH)
    winner, result = "draw", "a draw"
    if log.margin > 0:
        winner, result = "South", "South wins"
    elif log.margin < 0:
        winner, result = "North", "North wins"
    assert log.winner == winner
    assert end == log.outcome == "{}, {} to {}".format(result, *log.stores)


def test_players_are_made_from_text_and_random_ones_from_a_seed():
    games = [at_random(Kalah(6, 4), None, seed) for seed in (*range(10), 1)]
    assert games[1] == games[-1]
    assert len({tuple(log.choices) for log in games}) == 10
    for text, seed in (("random:12", 12), ("random", 0)):
        parsed, seeded = parse_player(text), random_player(seed)
        assert play_game(Kalah(4, 3), parsed, parsed) == play_game(Kalah(4, 3), seeded, seeded)
    log = play_game(Kalah(2, 2), parse_player("script:1,2"), parse_player("random:0"))
    assert [played.pit for played in log.moves] == [0, 1]
    game, state = GAMES["cards"].read(GAMES["cards"].example)
    move = game.moves(state)[-1]
    assert parse_player(f"script:{game.move_name(state, move)}", "cards")(game, state) == move
    assert parse_player("alpha_beta:report:1", "cards")(game, state) in game.moves(state)
    assert make_player("person", others={"person": len}) is len
    small = Kalah(2, 2)
    assert parse_player("alpha_beta:oracle.hash_board:1")(small, small.start()) in (0, 1)


class Misere(Kalah):
    """A game that the player with fewer stones wins, by one more than the difference."""

    def margin(self, state, player):
        margin = Kalah.margin(self, state, 1 - player)
        if margin > 0:
            return margin + 1
        if margin < 0:
            return margin - 1
        return 0


@given(positions(pits=3, stones=2), st.integers(0, 99))
def test_the_winner_follows_from_the_margin_of_the_game(position, seed):
    log = at_random(Misere(3, 2), position[1], seed)
    south, north = log.stores
    assert (log.margin > 0, log.margin < 0) == (south < north, south > north)
    if log.margin:
        assert log.outcome == f"{log.winner} wins by {abs(south - north) + 1}"
    else:
        assert log.outcome == f"a draw, {south} to {north}"


def test_a_player_uses_the_evaluator_registered_now(monkeypatch):
    all_moves = list[int]()
    for sign in 1, -1:
        monkeypatch.setitem(EVALUATORS, "mine", lambda board, player, w=sign: w * e3(board, player))
        moves = {
            parse_player("alpha_beta:mine:2", backend=backend)(Kalah(), START)
            for backend in BACKENDS
        }
        all_moves += moves
    assert len(all_moves) == len({*all_moves}) == 2


@dataclass
class Weighed:
    """An evaluator that can change, and has no hash."""

    weight: int = 1

    def __call__(self, board, player):
        return self.weight * e3(board, player)


WEIGHED = Weighed()


def by_object(board, player):
    return WEIGHED(board, player)


@pytest.mark.parametrize("evaluator", [WEIGHED, WEIGHED.__call__, by_object])
def test_values_of_a_changing_evaluator_are_not_cached(evaluator, monkeypatch, capsys):
    monkeypatch.setitem(EVALUATORS, "mine", evaluator)
    player, moves = parse_player("alpha_beta:mine:2", backend="engine"), set()
    for weight in 1, -1:
        monkeypatch.setattr(WEIGHED, "weight", weight)
        moves.add(player(Kalah(), START))
    assert len(moves) == 2
    assert " 0x" not in capsys.readouterr().err


START = Kalah(6, 4).start()


def move(text, backend, state=START, step=0.0):
    return make_player(text, backend=backend, clock=Ticking(step))(Kalah(), state)


@given(
    st.integers(0, 10**6),
    st.sampled_from(["minimax", "alpha_beta", "minimax_a_b"]),
    st.sampled_from([*EVALUATORS]),
    st.integers(1, 3000),
    st.sampled_from(["sow", "turn"]),
)
@settings(max_examples=40)
def test_with_a_limit_of_nodes_both_backends_play_the_same(seed, algorithm, evaluator, nodes, unit):
    game, state = random_position(Random(seed), stones=4)
    if game.is_over(state):
        return
    text = f"{algorithm}:{evaluator}:{nodes}n:{unit}"
    compiled, interpreted = (
        parse_player(text, backend=backend)(game, state) for backend in BACKENDS
    )
    assert compiled == interpreted


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_limit_of_nodes_allows_the_deepest_search_within_it(backend):
    state = fair_openings("standard", 2)[1]
    spent, moves = 0, []
    for depth in range(1, 6):
        result = alpha_beta(Kalah(), state, e3, Depth(depth))
        spent += result.counts.expanded + result.counts.evaluated
        moves.append(result.move)
        assert move(f"alpha_beta:e3:{spent}n", backend, state) == moves[-1]
        assert move(f"alpha_beta:e3:{spent - 1}n", backend, state) == ([0, *moves[:-1]])[-1]
    assert len(set(moves)) > 1, "the position tells depths apart"


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_stopped_clock_allows_a_search_to_the_end_and_no_time_the_first_move(backend):
    state = State((0, 0, 0, 1, 2, 0, 20, 0, 0, 0, 0, 0, 2, 23), 0)
    best = alpha_beta(Kalah(), state, e3, Depth(30)).move
    assert move("alpha_beta:e3:1000ms", backend, state) == best
    state = State((0, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0), 0)
    assert move("alpha_beta:e3:1ms", "textbook", state, step=1) == 1


@pytest.mark.parametrize(
    ("backend", "step", "limit", "least", "most"),
    [("textbook", 0.001, 1000, 0.897, 0.903), ("engine", 0.01, 200, 0.1, 0.18)],
)
def test_a_player_leaves_a_rest_of_its_time(backend, step, limit, least, most):
    """Test that the textbook leaves a tenth, and the engine room for 60 ms.

    The engine reads the clock twice a search, so each takes 10 ms; it begins none that might not
    end in time.
    """
    clock = Ticking(step)
    player = make_player(f"alpha_beta:e3:{limit}ms", backend=backend, clock=clock)
    began = clock()
    player(Kalah(), START)
    assert least <= clock() - began <= most


@pytest.mark.parametrize("algorithm", ["alpha_beta", "alpha-beta", "minimax_a_b"])
def test_with_a_limit_of_depth_both_backends_play_the_same(algorithm):
    text, game = f"{algorithm}:e3:3:turn:store-first", Kalah(6, 4)
    players = [parse_player(text, backend=backend) for backend in BACKENDS]
    players += [parse_player(f"{text}@{backend}") for backend in BACKENDS]
    logs = [play_game(game, player, random_player(1)) for player in players]
    assert logs == [logs[0]] * 4


def test_only_specs_that_the_engine_supports_are_compiled():
    assert SearchSpec("alpha-beta", "e3", order="store-first", ties=1).is_compiled
    assert not SearchSpec("alpha_beta", "e3", backend="textbook").is_compiled
    assert SearchSpec("alpha_beta", "e3", backend="textbook").searcher is ALGORITHMS["alpha_beta"]
    assert SearchSpec("alpha_beta", "e3", leaf="quiescence").searcher is ALGORITHMS["alpha_beta"]


def test_a_limit_is_a_depth_nodes_a_time_or_playouts():
    texts = ("6", "5000n", "250ms", "1234567ms", "800p")
    limits = [parse_limit(text) for text in texts]
    assert limits == [Depth(6), Nodes(5000), Seconds(0.25), Seconds(1234.567), Playouts(800)]
    assert tuple(map(str, limits)) == texts
