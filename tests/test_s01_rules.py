"""What the rules do to a game: counted game by game."""

import pandas as pd
import pytest

from kalahlab.experiments import random_games
from kalahlab.games.kalah import Kalah, State
from kalahlab.studies import s01_rules as study


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
    leaves = pd.DataFrame({"rules": "standard", "depth": [1, 2], "leaves": [6, 33]})
    said = study.conclusion(summary, leaves, 50)
    assert "about 5.5." in said
    assert "in 10% to 40% of 50 random games, most often under *other rule*" in said
