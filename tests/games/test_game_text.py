"""Games as text: both ways, and what is said about a text that is no game."""

import re
from pathlib import Path

import pytest
from conftest import cases
from hypothesis import given
from hypothesis import strategies as st
from strategies import RULES, positions

from kalahlab.games.game_text import GameRecord, format_game, format_rules, parse_game, parse_rules
from kalahlab.games.kalah import NORTH, PRESETS, Kalah, Rules

NAMES = st.text(st.characters(codec="utf-8"), max_size=20).map(lambda text: " ".join(text.split()))


@given(positions(), st.lists(st.integers(0, 6), max_size=40), NAMES, NAMES)
def test_a_game_reads_back(position, picks, south, north):
    game, start = position
    state, moves = start, []
    for pick in picks:
        if legal := game.moves(state):
            moves.append(legal[pick % len(legal)])
            state = game.play(state, moves[-1])
    record = GameRecord(game, start, tuple(moves), (south, north))
    again = parse_game(text := format_game(record))
    assert (again.start, again.moves, again.players) == (start, record.moves, (south, north))
    assert again.game.rules == game.rules
    assert again.states[-1] == state
    assert format_game(again) == text


@pytest.mark.parametrize("rules", RULES)
def test_rules_read_back(rules):
    assert parse_rules(format_rules(rules)) == rules


def test_presets_have_their_names():
    assert [format_rules(rules) for rules in PRESETS.values()] == [*PRESETS]
    assert format_rules(Rules(end="mover", early_stop=True)) == "end=mover early_stop=yes"


def test_extra_turns_are_grouped_and_moves_count_from_one():
    game = Kalah(3, 2)
    record = GameRecord(game, game.start(), (1, 0, 1, 2, 0))
    assert format_game(record) == "pits: 3\nstones: 2\nrules: standard\n\n1. 2,1 2,3\n2. 1\n"


def test_north_may_begin():
    text = "board: <2,0,0,1,0,1,1>\nmover: North\n\n1. - 1\n"
    record = parse_game(text)
    assert (record.start.player, record.start.board) == (NORTH, (1, 1, 0, 1, 0, 0))
    assert record.moves == (0,)


@cases(Path(__file__).with_name("refused_records.csv"))
def test_a_bad_game_is_refused_with_its_line(text, line, said):
    """A slash ends a line."""
    with pytest.raises(ValueError, match=f"^line {line}: .*{re.escape(said)}[^\n]*$"):
        parse_game(text.replace("/", "\n"))


def test_names_of_two_lines_are_refused():
    game = Kalah(2, 2)
    with pytest.raises(ValueError, match="not one line"):
        format_game(GameRecord(game, game.start(), (), ("a\nb", "")))
