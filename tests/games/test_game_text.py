"""Games and boards as text: both ways, and the messages for other texts."""

import re
from pathlib import Path

import pytest
from conftest import cases
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import positions

from kalahlab.games.game_text import GameRecord, format_game, parse_game
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State, swap_sides
from kalahlab.games.notation import draw_board, format_board, parse_board
from kalahlab.games.rules import PRESETS, Rules, format_rules

NAMES = st.text(st.characters(codec="utf-8"), max_size=20).map(lambda text: " ".join(text.split()))


@given(positions(), st.lists(st.integers(0, 6), max_size=40), NAMES, NAMES, NAMES)
@example((Kalah(1, 1), State((0,) * 4, SOUTH)), [], "", "", "")
def test_a_game_reads_back(position, picks, south, north, fault):
    game, start = position
    state, moves = start, []
    for pick in picks:
        legal = game.moves(state)
        if legal:
            moves.append(legal[pick % len(legal)])
            state = game.play(state, moves[-1])
    record = GameRecord(game, start, tuple(moves), (south, north), fault)
    text = format_game(record)
    parsed = parse_game(text)
    assert (parsed.start, parsed.moves, parsed.players) == (start, record.moves, (south, north))
    assert parsed.fault == fault
    assert parsed.game.rules == game.rules
    assert parsed.states[-1] == state
    assert format_game(parsed) == text


def test_presets_have_their_names():
    assert {PRESETS[format_rules(rules)] for rules in PRESETS.values()} == {*PRESETS.values()}
    rules = Rules(end="mover", majority="stop")
    assert format_rules(rules) == "end=mover, majority=stop"


def test_extra_turns_are_grouped_and_moves_count_from_one_and_north_may_begin():
    game = Kalah(3, 2)
    record = GameRecord(game, game.start(), (1, 0, 1, 2, 0))
    assert format_game(record) == "pits: 3\nstones: 2\nrules: standard\n\n1. 2,1 2,3\n2. 1\n"
    record = parse_game("board: <2,0,0,1,0,1,1>\nmover: North\n\n1. - 1\n")
    assert (record.start.player, record.start.board) == (NORTH, (1, 1, 0, 1, 0, 0))
    assert record.moves == (0,)


@cases(Path(__file__).with_name("refused_records.csv"))
def test_a_bad_game_is_refused_with_its_line(text, line, message):
    """Take the slashes in `text` for line ends."""
    with pytest.raises(ValueError, match=f"^line {line}: .*{re.escape(message)}[^\n]*$"):
        parse_game(text.replace("/", "\n"))


@given(positions(stones=300))
def test_a_board_reads_back_with_the_mover_as_south(position):
    _, state = position
    expected = state if state.player == SOUTH else swap_sides(state)
    assert parse_board(format_board(state)) == expected
    assert format_board(swap_sides(state)) == format_board(state)


def test_the_numbers_have_the_protocols_order_and_blanks_do_not_matter():
    """Follow the protocol: pits, the two stores, South's pits, North's pits, mover as South."""
    state = State((1, 2, 3, 4, 5, 6), SOUTH)
    assert format_board(state) == "<2,3,6,1,2,4,5>"
    assert format_board(State(state.board, NORTH)) == "<2,6,3,4,5,1,2>"
    assert parse_board(" < 2 ,3, 6 ,1,\t2,4,5 >\n") == state


def numbers(line):
    """Return the numbers of a line, each with the column in which it ends."""
    return [(int(match[0]), match.end()) for match in re.finditer(r"\d+", line)]


@given(positions(stones=2000))
def test_a_drawn_board_has_every_count_in_its_place(position):
    _, state = position
    m = len(state.board) // 2 - 1
    upper, middle, lower = (numbers(line) for line in draw_board(state).split("\n"))
    assert [count for count, _ in lower] == list(state.board[:m])
    assert [count for count, _ in upper] == list(state.board[m + 1 : -1])[::-1]
    assert [count for count, _ in middle] == [state.board[-1], state.board[m]]
    columns = [end for _, end in lower]
    assert [end for _, end in upper] == columns
    assert middle[0][1] < columns[0]
    assert middle[1][1] - len(str(middle[1][0])) > columns[-1]


def test_a_drawn_board_names_the_sides_and_the_player_to_move():
    start = Kalah(2, 1).start()
    assert draw_board(start) == (
        "     1  1      North\n"
        " 0          0  South to move\n"
        "     1  1      South"
    )  # fmt: skip
    assert "North to move" in draw_board(State(start.board, NORTH))
