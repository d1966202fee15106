"""Games as text: both ways, and what is said about a text that is no game."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import RULES, Position, positions

from kalahlab.games.game_text import GameRecord, format_game, format_rules, parse_game, parse_rules
from kalahlab.games.kalah import NORTH, PRESETS, Kalah, Rules

NAMES = st.text(st.characters(codec="utf-8"), max_size=20).map(lambda text: " ".join(text.split()))

GAME = """\
# a game of two pits
pits: 2
stones: 3
south: a person
result: 6-6

1. 2 1
2. 2,1 2,2,1,2
"""


@given(positions(), st.lists(st.integers(0, 6), max_size=40), NAMES, NAMES)
def test_a_game_reads_back(position: Position, picks: list[int], south: str, north: str) -> None:
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
def test_rules_read_back(rules: Rules) -> None:
    assert parse_rules(format_rules(rules)) == rules


def test_presets_have_their_names() -> None:
    assert [format_rules(rules) for rules in PRESETS.values()] == [*PRESETS]
    assert format_rules(Rules(end="mover", early_stop=True)) == "end=mover early_stop=yes"


def test_extra_turns_are_grouped_and_moves_count_from_one() -> None:
    game = Kalah(3, 2)
    record = GameRecord(game, game.start(), (1, 0, 1, 2, 0))
    assert format_game(record) == "pits: 3\nstones: 2\nrules: standard\n\n1. 2,1 2,3\n2. 1\n"


def test_north_may_begin() -> None:
    text = "board: <2,0,0,1,0,1,1>\nmover: North\n\n1. - 1\n"
    record = parse_game(text)
    assert (record.start.player, record.start.board) == (NORTH, (1, 1, 0, 1, 0, 0))
    assert record.moves == (0,)


LINES = [
    ("pits: two\n", 1, "pits 'two' is not a whole number"),
    ("pits: 0\n", 1, "at least 1 pit"),
    ("pits: 2\npits: 2\n", 2, "stands twice"),
    ("pits: 2\ncolour: red\n", 2, "neither"),
    ("pits: 2\nhello\n", 2, "neither"),
    ("pits: 2\n\n1. 1\n", 3, "gives pits and stones"),
    ("pits: 2\nstones: 2\nmover: North\n1. 1\n", 4, "gives pits and stones"),
    ("board: <2,0,0,1,0,1,1>\nmover: East\n", 2, "use South or North"),
    ("board: <2,0,0,1,0,1>\n", 1, "lists 3 pits"),
    ("rules: chess\n", 1, "unknown rules 'chess'"),
    ("rules: end=never\n", 1, "end is 'never'"),
    ("rules: end=mover early_stop=perhaps\n", 1, "rule 'early_stop=perhaps'"),
    ("# nothing\n", 1, "gives pits and stones"),
    ("", 1, "gives pits and stones"),
]


EDITS = [
    ("2. 2", "3. 2", 8, "is not `2. MOVES MOVES`"),
    ("1. 2 1", "1. 2 1 1", 7, "is not `1. MOVES MOVES`"),
    ("2. 2", "2. 3", 8, "pit 3 cannot be played by South"),
    ("1. 2 1", "1. 2 x", 7, "move 'x' is not a whole number"),
    ("2. 2,1", "2. 2", 8, "South earned an extra turn, which '2,2,1,2' is not part of"),
    ("1. 2 1", "1. 2,1 1", 7, "move 1 of '2,1' is no extra turn of South's"),
    ("1. 2 1", "1. 2", 8, "North's turn is missing"),
    ("6-6", "5-7", 5, "the result is 5-7, but the game ends 6-6"),
    ("2. 2,1 2,2,1,2\n", "", 5, "but the game is not over"),
    ("1,2\n", "1,2\n3. 1\n", 9, "the game is over"),
    ("1,2\n", "1,2\nrules: standard\n", 9, "after the moves"),
]


EDITED = [(GAME.replace(old, new, 1), line, said) for old, new, line, said in EDITS]


@pytest.mark.parametrize(("text", "line", "said"), LINES + EDITED)
def test_a_bad_game_is_refused_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(ValueError, match=f"^line {line}: .*{re.escape(said)}[^\n]*$"):
        parse_game(text)


def test_names_of_two_lines_are_refused() -> None:
    game = Kalah(2, 2)
    with pytest.raises(ValueError, match="not one line"):
        format_game(GameRecord(game, game.start(), (), ("a\nb", "")))
