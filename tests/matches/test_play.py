"""Games between players, and what their logs say."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Position, positions

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.kalah import e3, store_difference
from kalahlab.games.kalah import EMPTY_CAPTURE, NAMES, NORTH, SOUTH, Kalah, Rules, State, stores
from kalahlab.games.notation import draw_board, parse_board
from kalahlab.games.registry import GAMES
from kalahlab.play import (
    GameLog,
    Player,
    make_move,
    parse_player,
    play_game,
    play_out,
    random_player,
    scripted_player,
    search_player,
)
from kalahlab.search import ORDERS, Depth, Result, Searcher, alpha_beta, minimax_a_b

logs = st.builds(
    lambda position, seed: play_game(
        position[0], random_player(seed), random_player(seed + 1), position[1]
    ),
    positions(),
    st.integers(0, 99),
)


@given(logs)
def test_a_game_is_played_by_its_rules_to_its_end(log: GameLog) -> None:
    state = log.start
    for played in log.moves:
        assert played.mover == state.player
        assert played.state == log.game.play(state, played.pit)
        state = played.state
    assert log.final == state
    assert log.game.over(state)


@given(positions(), st.integers(0, 99))
def test_any_game_is_played_out_as_kalah_is(position: Position, seed: int) -> None:
    game, state = position
    log = play_game(game, random_player(seed), random_player(seed + 1), state)
    states = play_out(game, (random_player(seed), random_player(seed + 1)), state)
    assert states == [state, *(played.state for played in log.moves)]


@given(logs)
def test_notes_are_what_the_stores_show(log: GameLog) -> None:
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
def test_a_notes_text_names_what_it_notes(log: GameLog) -> None:
    for played in log.moves:
        text = str(played)
        assert text.startswith(f"{NAMES[played.mover]} sows pit {played.pit + 1}")
        assert ("moves again" in text) == played.extra_turn
        assert re.findall(r"captures (\d+)", text) == [str(played.captured)] * (played.captured > 0)
        assert re.findall(r"(\d+) stones swept", text) == [str(played.swept)] * (played.swept > 0)


@given(logs)
def test_the_winner_has_the_larger_share(log: GameLog) -> None:
    assert log.margin == log.game.margin(log.final, SOUTH)
    assert log.winner == ("South" if log.margin > 0 else "North" if log.margin < 0 else "draw")
    if log.moves:
        south, north = stores(log.final.board)
        assert log.margin == south - north
        assert str(log).endswith(f", {south} to {north}")


@given(logs)
def test_a_logs_text_shows_every_board(log: GameLog) -> None:
    blocks = str(log).split("\n\n")
    assert blocks[0] == draw_board(log.start)
    assert blocks[1:-1] == [
        f"{turn}. {played}\n{draw_board(played.state)}"
        for turn, played in enumerate(log.moves, start=1)
    ]


def test_a_small_game_in_full() -> None:
    """Kalah(2, 2): South sows into the store, moves again, and runs out."""
    log = play_game(Kalah(2, 2), scripted_player([0, 1]), scripted_player([]))
    assert str(log) == (
        "     2  2      North\n"
        " 0          0  South to move\n"
        "     2  2      South\n"
        "\n"
        "1. South sows pit 1, moves again\n"
        "     2  2      North\n"
        " 0          1  South to move\n"
        "     0  3      South\n"
        "\n"
        "2. South sows pit 2, ends the game, 6 stones swept\n"
        "     0  0      North\n"
        " 6          2  North to move\n"
        "     0  0      South\n"
        "\n"
        "North wins, 2 to 6"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("board", "pit", "text"),
    [
        ("<2,0,0,1,0,2,3>", 0, "South sows pit 1, captures 3, ends the game, 3 stones swept"),
        ("<3,0,0,1,0,1,3,2,2>", 0, "South sows pit 1, captures 3"),
        ("<3,0,0,0,0,1,3,2,2>", 2, "South sows pit 3, ends the game, 7 stones swept"),
        ("<3,0,0,1,0,1,3,2,2>", 2, "South sows pit 3, moves again"),
        ("<3,0,0,1,0,1,3,0,2>", 0, "South sows pit 1"),
    ],
)
def test_what_a_sow_did_in_words(board: str, pit: int, text: str) -> None:
    """Worked by hand, standard rules. An extra turn after the end is none."""
    assert str(make_move(Kalah(), parse_board(board), pit)) == text


def test_a_lone_stone_that_is_banked_is_a_capture_of_one() -> None:
    played = make_move(Kalah(3, rules=EMPTY_CAPTURE), parse_board("<3,0,0,1,0,1,3,0,2>"), 0)
    assert str(played) == "South sows pit 1, captures 1"


def test_a_draw_is_called_a_draw() -> None:
    log = play_game(
        Kalah(), scripted_player([0]), scripted_player([]), parse_board("<2,0,0,1,0,2,3>")
    )
    assert (log.winner, log.margin) == ("draw", 0)
    assert str(log).endswith("a draw, 3 to 3")


def test_a_random_player_is_made_by_its_seed() -> None:
    game = Kalah(6, 4)

    def pits(seed: int) -> list[int]:
        player = random_player(seed)
        return [played.pit for played in play_game(game, player, player).moves]

    assert pits(1) == pits(1)
    assert len({tuple(pits(seed)) for seed in range(10)}) == 10


def test_each_player_is_asked_on_its_own_turns() -> None:
    asked: list[int] = []

    def asking(me: int) -> Player:
        def player(game: Kalah, state: State) -> int:
            asked.append(me)
            assert state.player == me
            return game.moves(state)[-1]

        return player

    log = play_game(Kalah(4, 3), asking(SOUTH), asking(NORTH))
    assert asked == [played.mover for played in log.moves]
    assert {SOUTH, NORTH} == set(asked)


@pytest.mark.parametrize(
    ("text", "search", "evaluator", "depth", "order"),
    [
        ("alpha_beta:store_difference:3", alpha_beta, store_difference, Depth(3), "pit"),
        ("alpha-beta:store-difference:3", alpha_beta, store_difference, Depth(3), "pit"),
        ("minimax_a_b:e3:2:turn", minimax_a_b, e3, Depth(2, "turn"), "pit"),
        ("alpha_beta:e3:4:sow:store-first", alpha_beta, e3, Depth(4), "store_first"),
    ],
)
def test_a_written_player_plays_as_its_search(
    text: str, search: Searcher, evaluator: Evaluator, depth: Depth, order: str
) -> None:
    results: list[Result] = []
    game = Kalah(4, 3)
    written = parse_player(text)
    told = search_player(search, evaluator, depth, ORDERS[order], results.append)
    log = play_game(game, written, random_player(4))
    again = play_game(game, told, random_player(4))
    assert log == again
    assert [result.move for result in results] == [
        played.pit for played in log.moves if played.mover == SOUTH
    ]


def test_written_random_and_scripted_players() -> None:
    game = Kalah(4, 3)
    one, other = random_player(12), parse_player("random:12")
    assert play_game(game, one, one) == play_game(game, other, other)
    zero, default = random_player(0), parse_player("random")
    assert play_game(game, zero, zero) == play_game(game, default, default)
    log = play_game(Kalah(2, 2), parse_player("script:1,2"), parse_player("random:0"))
    assert [played.pit for played in log.moves] == [0, 1]


@pytest.mark.parametrize(("text", "named"), [("script:", "''"), ("script:3,x", "'x'")])
def test_a_scripts_bad_move_is_named_when_it_comes_to_it(text: str, named: str) -> None:
    with pytest.raises(
        ValueError, match=rf"^move {named} cannot be played; use one of 1, 2[^\n]*$"
    ):
        play_game(Kalah(6, 4), parse_player(text), random_player(0))


def test_a_script_of_any_game_is_in_its_notation() -> None:
    game, state = GAMES["cards"].read(GAMES["cards"].example)
    moves = [game.move_name(state, move) for move in game.moves(state)]
    assert parse_player(f"script:{moves[-1]}", "cards")(game, state) == game.moves(state)[-1]
    assert parse_player("alpha_beta:report:1", "cards")(game, state) in game.moves(state)
    with pytest.raises(ValueError, match="'e3'; use one of report, published"):
        parse_player("alpha_beta:e3:1", "cards")


def test_a_caller_has_players_of_its_own() -> None:
    def last(game: Kalah, state: State) -> int:
        return game.moves(state)[-1]

    assert parse_player("person", others={"person": last}) is last
    with pytest.raises(ValueError, match="'person' is not ALGORITHM"):
        parse_player("person")


@pytest.mark.parametrize("pit", [-1, 2, 7])
def test_an_illegal_move_is_refused(pit: int) -> None:
    """No pit of that number, or an empty one."""
    start = parse_board("<3,0,0,1,1,0,2,2,2>")
    with pytest.raises(ValueError, match=rf"^pit {pit + 1} cannot be played by South[^\n]*: 1, 2$"):
        play_game(Kalah(3), scripted_player([pit]), random_player(0), start)


def test_a_script_that_is_too_short_is_named() -> None:
    with pytest.raises(ValueError, match=r"^the script of 1 moves [^\n]*$"):
        play_game(Kalah(2, 2), scripted_player([0]), random_player(0))


def test_a_search_that_finds_no_move_is_refused() -> None:
    player = search_player(alpha_beta, store_difference, Depth(0))
    with pytest.raises(ValueError, match=r"^[^\n]*depth 0[^\n]*$"):
        player(Kalah(), Kalah().start())


@given(positions(), st.integers(0, 9))
def test_a_finished_game_asks_nobody(position: Position, seed: int) -> None:
    game, state = position
    chance = Random(seed)
    while moves := game.moves(state):
        state = game.play(state, chance.choice(moves))
    log = play_game(game, scripted_player([]), scripted_player([]), state)
    assert log.moves == ()
    assert log.final == state


def test_an_early_stop_ends_the_game_and_sweeps_nothing() -> None:
    game = Kalah(2, rules=Rules(early_stop=True))
    played = make_move(game, parse_board("<2,4,1,1,1,1,1>"), 1)
    assert str(played) == "South sows pit 2, ends the game"


def test_a_game_that_starts_finished_shares_out_its_rest() -> None:
    log = play_game(
        Kalah(2), scripted_player([]), scripted_player([]), parse_board("<2,0,0,0,0,3,3>")
    )
    assert (log.stores, log.winner) == ((0, 6), "North")
    assert str(log).endswith("North wins, 0 to 6")
