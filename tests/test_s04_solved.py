"""Solved games: agreement with print, fits, and charts, against the rows themselves."""

import random
from dataclasses import replace

import pandas as pd
import pytest

from kalahlab.games.kalah import PRESETS
from kalahlab.judging import perfect
from kalahlab.studies import s04_solved as study

pytestmark = pytest.mark.usefixtures("figures")

OPENINGS = perfect.solved_openings()


def test_all_boards_agree_with_what_was_published():
    table = study.beside(pd.DataFrame(OPENINGS))
    assert len(table) == 35
    assert table["agrees"].all()
    wrong = [replace(row, value=-row.value) for row in OPENINGS]
    drawn = {row.value for row in OPENINGS if row.rules == "empty-capture" and not row.value}
    assert drawn == {0}
    disagree = study.beside(pd.DataFrame(wrong))
    assert (disagree["agrees"] == (disagree["empty-capture"] == 0)).all()


def test_agreement_is_said_of_each_rule():
    table = study.beside(pd.DataFrame(OPENINGS))
    said = study.agreement(table)
    assert "35 of 35 boards come out as both tables print them, 17 of them" in said
    assert said.endswith("Under the standard rule 34 of 35 do: Kalah(5, 2) is +2 and printed as D.")
    said = study.agreement(table.assign(standard=table["empty-capture"], agrees=False))
    assert said.startswith("Under empty capture 0 of 35")
    assert said.endswith("Under the standard rule 35 of 35 do.")


def test_the_first_player_does_not_always_win():
    printed = pd.DataFrame({"cs5329": ["W", "D", "L", "W"]})
    assert "not true of 2." in study.first_player(printed)
    assert study.first_player(printed[::3]).endswith("“the first player always wins” says.")


def test_six_six_is_told_under_both_rules():
    assert set(study.elsewhere().index) == {(6, 6)}
    assert set(study.elsewhere()["rules"]) == set(PRESETS)


def test_minimax_to_the_end_is_the_table():
    table = study.minimax_to_the_end(OPENINGS, 6)
    assert len(table) == 2 * len([(1, 1), (1, 2), (1, 3), (2, 1), (3, 1)])
    assert (table["minimax"] == table["solved"]).all()
    assert table["line ends so"].all()
    wrong = [replace(row, value=row.value + 1) for row in OPENINGS]
    assert not (lambda rows: rows["minimax"] == rows["solved"])(
        study.minimax_to_the_end(wrong, 6)
    ).any()


def test_growth_is_the_ratio_of_a_geometric_series():
    frame = pd.DataFrame({"stones": [8, 2, 4], "nodes": [5 * 3.0**n for n in (8, 2, 4)]})
    assert study.step_factors(frame, "stones", "nodes") == pytest.approx([3, 3])


def test_the_answer_says_what_its_numbers_say():
    solved = pd.DataFrame(OPENINGS)
    table = study.beside(solved)
    columns = ["game", "player", "judged", "perfect", "regret", "worst"]
    some = pd.DataFrame([["g", "A", 4, 0.5, 6, 4], ["g", "B", 4, 1.0, 0, 0]], columns=columns)
    some = some.set_index(["game", "player"])
    said = study.conclusion(solved, table, some)
    assert "wins most boards**: of 35, 24 under standard; 23 under empty-capture" in said
    assert "it changes 10 of 35" in said
    assert "by 1 of 2 sides of the judged games**: 75% of 8 judged moves" in said
    none = some.assign(regret=0, perfect=1.0)
    lost = solved.assign(value=-1)
    said = study.conclusion(lost, table, none)
    assert "wins most boards under no rule**" in said
    assert "does not matter** on these 35" in said
    assert "No judged move gives up a stone**: 100%" in said
    half = solved.assign(value=[1 if rules == "standard" else -1 for rules in solved["rules"]])
    assert "under one rule only" in study.conclusion(half, table, none)


def test_the_openings_are_counted_by_hand():
    rows = [row for row in OPENINGS if row.pits > 1 and row.rules == "standard"]
    table = study.tempting(pd.DataFrame(OPENINGS)).loc["standard"]
    lost = [row.value - value for row in rows for value in row.moves]
    assert table["openings"] == len(lost) == 6 * (2 + 3 + 4 + 5 + 6) - 6
    assert table["best"] == lost.count(0)
    assert table["worst"] == max(lost)
    assert table["mean of the others"] == pytest.approx(sum(lost) / sum(map(bool, lost)))


def test_the_charts_show_every_value():
    rng = random.Random(1)
    figure = study.draw_values(pd.DataFrame(OPENINGS))
    shown = [text.get_text() for ax in figure.axes for text in ax.texts]
    assert sorted(shown) == sorted(f"{row.value:+d}" for row in OPENINGS)
    given = pd.DataFrame(
        [
            {"game": game, "player": player, "move": move, "regret": rng.randrange(5)}
            for game in ("one", "two", "three")
            for player in ("a", "b")
            for move in range(5)
        ]
    )
    figure = study.draw_regret(given)
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["one", "two", "three"]
    last = figure.axes[1].lines[0].get_ydata()[-1]
    two = given[(given["game"] == "two") & (given["player"] == "a")]
    assert last == two["regret"].sum() == study.summed_up(given).loc[("two", "a"), "regret"]


def test_the_largest_game_is_as_its_ledger_has_it() -> None:
    for bounds, said in {
        (4, 4): "**exactly +4**",
        (-2, -2): "**exactly -2**",
        (4, 72): "**at least +4**",
        (2, 6): "from **+2 to +6**",
    }.items():
        assert said in study.largest_in_words(study.Proved(*bounds, 10, 2_000))
    proved = study.largest()
    assert 4 <= proved.lower <= proved.upper <= 72
    assert f"{proved.pieces:,} pieces" in study.largest_in_words(proved)
