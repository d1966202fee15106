"""The fields of `Rules`, held against Kalah played by hand, and their texts."""

from dataclasses import fields
from random import Random

import naive_kalah
import pytest
from hypothesis import given
from strategies import RULES, positions, random_position

from kalahlab.games.kalah import Kalah, State, list_drops, sow
from kalahlab.games.rules import MEANINGS, PRESETS, SOURCES, Rules, format_rules, parse_rules


def test_each_move_leads_where_play_by_hand_leads():
    rng = Random(0)
    for _ in range(2000):
        game, state = random_position(rng, pits=9, stones=12)
        table = naive_kalah.lay_out(*state)
        assert game.is_over(state) == bool(naive_kalah.has_ended(table, game.rules))
        if game.is_over(state):
            assert game.outcome(state) == naive_kalah.outcome(table, game.rules)
        for move in game.moves(state):
            after = naive_kalah.read_off(naive_kalah.play(table, move, game.rules))
            assert game.play(state, move) == after, (game, state, move)


@given(positions(pits=4, stones=6))
def test_a_hand_that_drops_stones_one_by_one_ends_as_the_sow(position):
    """The hand of the page takes the stones of the last place up if it is empty."""
    game, (board, player) = position
    for pit in game.moves(position[1]):
        counts, origin, hand = [*board], player * (game.pits + 1) + pit, 0
        places = list_drops(board, player, pit, game.rules)
        for place in places:
            if not hand:
                hand, counts[origin] = counts[origin], 0
            counts[place] += 1
            hand, origin = hand - 1, place
        sowing = sow(board, player, pit, game.rules)
        assert (hand, origin) == (0, sowing.last)
        store = player * (game.pits + 1) + game.pits
        for emptied in sowing.emptied:
            counts[store] += counts[emptied]
            counts[emptied] = 0
        assert tuple(counts) == sowing.board


@given(positions(pits=4, stones=4))
def test_a_game_ends_under_any_rules(position):
    """Play the last legal move of each position; no sow without a banked stone repeats a board."""
    game, state = position
    seen = set()
    while not game.is_over(state):
        assert state not in seen
        seen.add(state)
        state = game.play(state, game.moves(state)[-1])


def test_each_rules_have_a_text_that_reads_back():
    """Take the presets and every fifth of all rules: each field and each two fields vary."""
    for rules in (*PRESETS.values(), *RULES[::5]):
        assert parse_rules(format_rules(rules)) == rules
        assert parse_rules(format_rules(rules).replace(", ", " ")) == rules


def test_each_name_has_a_source_and_may_be_changed_further():
    assert PRESETS.keys() == SOURCES.keys()
    assert MEANINGS.keys() == {field.name for field in fields(Rules)}
    for name, rules in PRESETS.items():
        assert Kalah(4, 2, name).rules == rules
    assert parse_rules("kgp, end=mover") == Rules(majority="sweep", end="mover")


@pytest.mark.parametrize(("text", "message"), [
    ("", "unknown rules ''"),
    ("kgp, ludii", "the name ludii must come first in rules, and only one name can"),
    ("end=mover, end=either", "have a field twice"),
    ("=" * 9999, "rule '=+' is unknown; use again_on_store, "),
])  # fmt: skip
def test_other_texts_are_refused_in_a_short_line(text, message):
    with pytest.raises(ValueError, match=f"^[^\n]*{message}[^\n]*$") as info:
        parse_rules(text)
    assert len(str(info.value)) < 500


# A board, a move, and where it leads by a field: (South's pits, store, North's pits, store), mover.
CASES = {
    "again_on_store=no": ((1, 1, 0, 2, 1, 0), 1, (1, 0, 1, 2, 1, 0), 1),
    "again_on_capture=yes": ((1, 0, 0, 2, 2, 0), 0, (0, 0, 3, 0, 0, 2), 0),
    "capture=always": ((1, 0, 2, 0, 1, 1), 0, (0, 0, 3, 0, 0, 2), 1),
    "capture=never": ((1, 0, 0, 2, 1, 0), 0, (0, 1, 0, 2, 1, 0), 1),
    "capturing_stone=stays": ((1, 0, 0, 2, 1, 0), 0, (0, 1, 2, 0, 1, 0), 1),
    "skip_origin=yes": ((6, 0, 0, 1, 1, 0), 0, (0, 2, 2, 2, 2, 0), 0),
    "sow_opponent_store=yes": ((1, 4, 0, 1, 1, 0), 1, (1, 0, 1, 2, 2, 1), 1),
    "relay=yes": ((1, 1, 0, 2, 1, 0), 0, (1, 1, 1, 0, 2, 0), 1),
    "direction=clockwise": ((0, 2, 0, 1, 1, 0), 1, (1, 0, 1, 1, 1, 0), 0),
    "end=mover": ((0, 2, 0, 1, 1, 0), 1, (0, 0, 1, 2, 1, 0), 1),
    "majority=stop": ((1, 1, 4, 1, 1, 0), 1, (1, 0, 5, 1, 1, 0), 0),
    "majority=sweep": ((1, 1, 4, 1, 1, 0), 1, (0, 0, 6, 0, 0, 2), 0),
    "rest_to=finisher": ((0, 1, 0, 2, 1, 0), 1, (0, 0, 4, 0, 0, 0), 0),
    "rest_to=leader": ((0, 1, 5, 2, 1, 0), 1, (0, 0, 9, 0, 0, 0), 0),
    "rest_to=nobody": ((0, 1, 0, 2, 1, 0), 1, (0, 0, 1, 2, 1, 0), 0),
}


@pytest.mark.parametrize("text", CASES)
def test_a_field_changes_a_move_as_described(text):
    board, move, after, player = CASES[text]
    assert Kalah(2, rules=text).play(State(board, 0), move) == State(after, player)


def test_a_majority_ends_the_game_only_if_the_rules_say_so():
    board = (1, 0, 5, 1, 1, 0)
    over = {text: Kalah(2, rules=text).is_over(State(board, 0)) for text in CASES}
    assert {text for text in CASES if over[text]} == {"majority=stop", "majority=sweep"}


def test_each_field_has_a_case():
    names = {text.split("=")[0] for text in CASES}
    assert names == {field.name for field in fields(Rules)}
