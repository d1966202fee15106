"""What the rules do to a game: counted game by game."""

from itertools import product

import pandas as pd
import pytest
from scipy.stats import binomtest

from kalahlab.games.kalah import EMPTY_CAPTURE, PRESETS, STANDARD, Kalah, State
from kalahlab.matches.rating import score
from kalahlab.studies import s01_rules as study
from kalahlab.studies.s01_rules import lines_of_play, random_games


def test_endings_are_the_games_own():
    state = State((0, 0, 2, 7, 4, 1, 0, 4), 0)
    table = study.endings(state, 2)
    for name, rules in study.VARIATIONS.items():
        game = Kalah(3, 0, rules)
        after = game.play(state, 2)
        assert table.loc[name].tolist() == [game.over(after), game.margin(after, 0)]


def test_shares_of_other_outcomes_counted_game_by_game():
    rows = random_games(study.VARIATIONS, 12, seed=5, pits=4, stones=3)
    summary = study.against_standard(pd.DataFrame(rows))
    margin = {(row["rules"], row["game"]): row["margin"] for row in rows}
    for name in study.VARIATIONS:
        pairs = [(margin[name, game], margin["standard", game]) for game in range(12)]
        other = sum(a != b for a, b in pairs) / 12
        winner = sum((a > 0) - (a < 0) != (b > 0) - (b < 0) for a, b in pairs) / 12
        assert summary.loc[name, "other margin"] == pytest.approx(other)
        assert summary.loc[name, "other winner"] == pytest.approx(winner)


def test_the_rules_conclusion_names_the_variation_that_matters_most():
    summary = pd.DataFrame(
        {"other winner": [0, 0.1, 0.4]}, index=["standard", "one rule", "other rule"]
    )
    leaves = pd.DataFrame({"rules": "standard", "depth": [1, 2, 3], "leaves": [6, 33, 132]})
    said = study.conclusion(summary, leaves, 50)
    assert "multiplies the number of lines of play by 4.0 to 5.5" in said
    assert "in 10% to 40% of 50 random games. The largest change is by *other rule*" in said
    said = study.conclusion(summary * 0, leaves.assign(leaves=6), 50)
    assert "does not grow" in said
    assert "The rules make no difference here" in said
    assert "No change of one rule changed the winner in any of 50" in said


def test_the_finding_gives_the_largest_share_with_its_interval():
    summary = pd.DataFrame(
        {"other winner": [0, 0.1, 0.4]}, index=["standard", "one rule", "other rule"]
    )
    low, high = binomtest(20, 50).proportion_ci(method="wilson")
    share = score([1.0] * 20 + [0.0] * 30)
    assert share.low == pytest.approx(low, abs=0.01)
    assert share.high == pytest.approx(high, abs=0.01)
    assert study.finding(summary, 50) == (
        "Changing one rule (*other rule*) changes the winner in 40% of 50 random games (95% "
        f"interval {share.low:.0%} to {share.high:.0%}), with the same random choices."
    )


def test_the_documents_are_told_apart_by_what_they_print():
    places = study.documents()["printed as a rule in"]
    assert set(places.index) == set(study.VARIATIONS)
    assert places["rest to empty side"] == "no document"
    assert places["end if no move"] == "homework, Introduction"
    program = "CS5329, section 10 (program)"  # where A and B capture by two rules
    assert program in places["standard"]
    assert program in places["empty capture"]
    assert "homework, its grading cases" not in places["standard"]


def test_a_game_of_72_stones_is_decided_from_37_on():
    """CS5329 report, section 1: 37 or more stones win."""
    rows = {row["stones in the store"]: row["decided"] for row in study.decided_from(72)}
    assert rows == {35: False, 36: False, 37: True, 38: True}


def test_the_logs_are_counted_field_by_field():
    """312 of the 415 printed fields can be read (data/README.md)."""
    table = study.logs_against_rules()
    assert table["boards"].tolist() == [28, 28, 27]
    assert table["legible fields"].sum() == 312
    assert table["contradicted"].sum() == 0


def test_random_games_differ_by_what_the_rules_make_of_the_same_chances() -> None:
    rules = {"one": STANDARD, "other": EMPTY_CAPTURE}
    table = random_games(rules, 20, seed=3, pits=3, stones=2)
    assert [(row["game"], row["rules"]) for row in table] == [
        (game, name) for game in range(20) for name in rules
    ]
    assert table == random_games(rules, 20, seed=3, pits=3, stones=2)
    assert random_games(rules, 1, seed=4, pits=3, stones=2) == [
        row | {"game": 0} for row in table if row["game"] == 1
    ]
    lengths = {name: [row["length"] for row in table if row["rules"] == name] for name in rules}
    assert lengths["one"] != lengths["other"]
    for row in table:
        assert abs(row["margin"]) <= 12
        assert row["margin"] % 2 == 0


def test_lines_of_play_are_perfts_under_each_set_of_rules() -> None:
    rows = lines_of_play(PRESETS, 4, pits=3, stones=2)
    assert [(row["rules"], row["depth"]) for row in rows] == [
        *product(PRESETS, range(1, 5)),
    ]
    for row in rows:
        game = Kalah(3, 2, PRESETS[row["rules"]])
        assert row["leaves"] == leaves_below(game, game.start(), row["depth"])


def leaves_below(game: Kalah, state: State, depth: int) -> int:
    """The definition: positions so many sows on, or where the game ends before."""
    if depth == 0 or game.over(state):
        return 1
    return sum(leaves_below(game, game.play(state, move), depth - 1) for move in game.moves(state))
