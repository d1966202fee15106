"""Boards as text: both ways, and what is said about a text that is no board."""

import re

from hypothesis import given
from strategies import positions

from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State, swap_sides
from kalahlab.games.notation import draw_board, format_board, parse_board


@given(positions(stones=300))
def test_a_board_reads_back_with_the_mover_as_south(position):
    _, state = position
    seen = state if state.player == SOUTH else swap_sides(state)
    assert parse_board(format_board(state)) == seen
    assert format_board(swap_sides(state)) == format_board(state)


def test_the_numbers_stand_in_the_protocols_order():
    """Kalah Game Protocol: pits, the two stores, South's pits, North's pits, mover as South."""
    state = State((1, 2, 3, 4, 5, 6), SOUTH)
    assert format_board(state) == "<2,3,6,1,2,4,5>"
    assert format_board(State(state.board, NORTH)) == "<2,6,3,4,5,1,2>"


def test_blanks_do_not_matter():
    assert parse_board(" < 1 ,2, 3 ,4,\t5 >\n") == parse_board("<1,2,3,4,5>")


def numbers(line):
    """With the column in which each ends."""
    return [(int(found[0]), found.end()) for found in re.finditer(r"\d+", line)]


@given(positions(stones=2000))
def test_a_drawn_board_has_every_count_in_its_place(position):
    """Pits face each other in one column, the stores lie outside them, wide numbers or not."""
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


def test_a_drawn_board_says_who_is_where_and_whose_turn_it_is():
    start = Kalah(2, 1).start()
    assert draw_board(start) == (
        "     1  1      North\n"
        " 0          0  South to move\n"
        "     1  1      South"
    )  # fmt: skip
    assert "North to move" in draw_board(State(start.board, NORTH))
