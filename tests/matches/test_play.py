"""Games between players, and what their logs say."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import NAMES, SOUTH, Kalah, State, stores
from kalahlab.games.notation import draw_board, parse_board
from kalahlab.games.registry import GAMES
from kalahlab.play import (
    GameLog,
    parse_player,
    play_game,
    play_out,
    random_player,
    scripted_player,
    search_player,
)
from kalahlab.search import Depth, alpha_beta


def at_random(game: Kalah, start: State | None, seed: int) -> GameLog:
    return play_game(game, random_player(seed), random_player(seed + 1), start)


logs = st.builds(lambda position, seed: at_random(*position, seed), positions(), st.integers(0, 99))


@given(positions(), st.integers(0, 99))
def test_a_game_is_played_by_its_rules_to_its_end(position, seed):
    """As any game is. Once it is over, nobody is asked."""
    (game, state), log = position, at_random(*position, seed)
    for (before, pit), played in zip(log.choices, log.moves, strict=True):
        assert (before, pit, state.player) == (state, played.pit, played.mover)
        assert played.state == log.game.play(state, pit)
        state = played.state
    assert log.final == state
    assert game.over(state)
    assert play_out(game, (random_player(seed), random_player(seed + 1)), log.start) == state
    again = play_game(game, scripted_player([]), scripted_player([]), state)
    assert (again.moves, again.final) == ((), state)


@given(logs)
def test_notes_are_what_the_stores_show(log):
    """Stones come into the stores as passed, captured or swept, and in no other way."""
    before = log.start
    for played in log.moves:
        m, after = len(before.board) // 2 - 1, played.state
        hand = before.board[played.mover * (m + 1) + played.pit]
        passes = (hand - m + played.pit) // (2 * m + 1) + 1
        gained = sum(stores(after.board)) - sum(stores(before.board))
        assert gained == passes + played.captured + played.swept
        others = stores(after.board)[1 - played.mover] - stores(before.board)[1 - played.mover]
        assert others <= played.swept
        over = log.game.over(after)
        assert played.extra_turn == (after.player == played.mover and not over)
        assert not played.swept or over
        assert played.captured != 1 or log.game.rules.capture_empty
        before = after


@given(logs)
def test_a_logs_text_shows_every_board_what_was_done_and_who_won(log):
    *blocks, end = str(log).split("\n\n")
    assert blocks[0] == draw_board(log.start)
    for turn, (block, played) in enumerate(zip(blocks[1:], log.moves, strict=True), start=1):
        text, board = block.split("\n", 1)
        assert text == f"{turn}. {played}"
        assert board == draw_board(played.state)
        assert str(played).startswith(f"{NAMES[played.mover]} sows pit {played.pit + 1}")
        assert ("moves again" in text) == played.extra_turn
        assert ("ends the game" in text) == log.game.over(played.state)
        assert re.findall(r"captures (\d+)", text) == [str(played.captured)] * (played.captured > 0)
        assert re.findall(r"(\d+) stones swept", text) == [str(played.swept)] * (played.swept > 0)
    assert log.margin == log.game.margin(log.final, SOUTH)
    assert log.winner == ("South" if log.margin > 0 else "North" if log.margin < 0 else "draw")
    won = "a draw" if log.winner == "draw" else f"{log.winner} wins"
    assert end == log.outcome == "{}, {} to {}".format(won, *log.stores)


def test_a_random_player_is_made_by_its_seed():
    games = [at_random(Kalah(6, 4), None, seed) for seed in (*range(10), 1)]
    assert games[1] == games[-1]
    assert len({tuple(log.choices) for log in games}) == 10


def test_written_random_and_scripted_players():
    for text, seed in (("random:12", 12), ("random", 0)):
        written, made = parse_player(text), random_player(seed)
        assert play_game(Kalah(4, 3), written, written) == play_game(Kalah(4, 3), made, made)
    log = play_game(Kalah(2, 2), parse_player("script:1,2"), parse_player("random:0"))
    assert [played.pit for played in log.moves] == [0, 1]
    game, state = GAMES["cards"].read(GAMES["cards"].example)
    move = game.moves(state)[-1]
    assert parse_player(f"script:{game.move_name(state, move)}", "cards")(game, state) == move
    assert parse_player("alpha_beta:report:1", "cards")(game, state) in game.moves(state)
    assert parse_player("person", others={"person": len}) is len


SEARCH = search_player(alpha_beta, store_difference, Depth(0))


@pytest.mark.parametrize(
    ("player", "message"),
    [
        *((scripted_player([pit]), rf"pit {pit + 1} cannot be played by South[^\n]*: 1, 2")
          for pit in (-1, 2, 7)),
        (scripted_player([]), r"the script of 0 moves [^\n]*"),
        (parse_player("script:"), r"move '' cannot be played; use one of 1, 2[^\n]*"),
        (parse_player("script:x"), r"move 'x' cannot be played; use one of 1, 2[^\n]*"),
        (SEARCH, r"[^\n]*depth 0[^\n]*"),
    ],
)  # fmt: skip
def test_a_player_without_a_legal_move_is_named(player, message):
    """No pit of that number, an empty one, none left, and no text of one."""
    with pytest.raises(ValueError, match=rf"^{message}$"):
        play_game(Kalah(3), player, random_player(0), parse_board("<3,0,0,1,1,0,2,2,2>"))
