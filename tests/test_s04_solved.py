"""Solved games: agreement with print, fits, and charts, against the rows themselves."""

import random
from dataclasses import replace

import pandas as pd
import pytest

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


def test_growth_is_the_ratio_of_a_geometric_series():
    frame = pd.DataFrame({"stones": [2, 4, 6, 8], "nodes": [5 * 3.0**n for n in (2, 4, 6, 8)]})
    assert study.log_fit(frame, "stones", "nodes")[0] == pytest.approx(3)


def test_the_openings_are_counted_by_hand():
    rows = [row for row in OPENINGS if row.pits > 1 and row.rules == "standard"]
    table = study.tempting(pd.DataFrame(OPENINGS)).loc["standard"]
    lost = [row.value - value for row in rows for value in row.moves]
    assert table["openings"] == len(lost) == 6 * (2 + 3 + 4 + 5 + 6) - 6
    assert table["best"] == lost.count(0)
    assert table["worst"] == max(lost)
    assert table["mean"] == pytest.approx(sum(lost) / len(lost))


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
