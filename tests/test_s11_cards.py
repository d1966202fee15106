"""The card game's tables and sentences, by hand."""

from random import Random

import pandas as pd
import pytest

from kalahlab.evaluators.cards import report
from kalahlab.games.cards import Cards, parse_position
from kalahlab.play import random_position
from kalahlab.search import Depth, minimax
from kalahlab.studies import s11_cards as cards

pytestmark = pytest.mark.usefixtures("figures")


@pytest.fixture
def matches() -> pd.DataFrame:
    """Pairs by hand: at either budget S2 helps, M1 harms and N1 does nothing."""
    points = {"s2": [1, 0.5, 1, 1] * 3, "m1": [0, 0.5, 0, 0] * 3, "n1": [0, 1] * 6}
    nodes = {"nodes": 30.0, "other_nodes": 20.0}
    return pd.DataFrame(
        {"budget": budget, "off": off, "score": score, **nodes}
        for budget in (10, 1000)
        for off, scores in points.items()
        for score in scores
    )


def test_a_score_has_its_interval(matches):
    """Of 1, 0.5, 1, 1 thrice, Wilson's: Student's t at 11 degrees of freedom is 2.201.

    With half a won and half a lost pair the mean is 11/13 and the variance 0.0725.
    """
    table = cards.scores(matches, ["budget", "off"])
    row = table.iloc[0]
    assert (row["budget"], row["off"], row["pairs"], row["score"]) == (10, "s2", 12, 0.875)
    spread = 0.0725 / (11 / 13 * 2 / 13)
    for end in (row["low"], row["high"]):
        error = (spread * end * (1 - end) / 12) ** 0.5
        assert abs(0.875 - end) == pytest.approx(2.201 * error, abs=2e-3)
    assert list(table["off"]) == ["s2", "m1", "n1"] * 2
    doubtful = table[table["off"] == "n1"]
    assert ((doubtful["low"] < 0.5) & (doubtful["high"] > 0.5)).all()


def test_factors_are_named_by_what_their_interval_shows(matches):
    said = cards.on_factors(cards.scores(matches, ["budget", "off"])).splitlines()
    assert said == [
        f"- With a budget of {budget} nodes: F plays better with S2 and worse with M1. "
        "No difference is shown for N1."
        for budget in ("10", "1,000")
    ]


def test_what_no_factor_shows_is_left_out(matches):
    table = cards.scores(matches, ["budget", "off"]).query("budget == 10")
    nothing = cards.on_factors(table.assign(verdict="not told apart"))
    assert nothing == "- With a budget of 10 nodes: No difference is shown for S2, M1, N1."
    all_help = cards.on_factors(table.assign(verdict="better"))
    assert all_help == "- With a budget of 10 nodes: F plays better with S2, M1, N1."


def test_the_finding_is_of_the_largest_budget(matches):
    table = cards.scores(matches, ["budget", "off"])
    found = cards.finding(table)
    assert "at a budget of 1,000 nodes" in found
    assert "it plays better with S2 (0.88, " in found
    assert "it plays worse with M1 (0.12, " in found
    assert found.endswith("for 1 of its 3 factors no difference is shown.")
    turned = table.assign(verdict=["worse", "better", "not told apart"] * 2)
    assert "it plays better with M1" in cards.finding(turned)
    assert "it plays worse with S2" in cards.finding(turned)
    same = cards.finding(table.assign(verdict="not told apart"))
    assert same.endswith("for 3 of its 3 factors no difference is shown.")
    assert "it plays" not in same


def test_a_mark_a_factor_and_a_line_a_budget(matches):
    table = cards.scores(matches, ["budget", "off"])
    [ax] = cards.draw_factors(table).axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["S2", "M1", "N1"]
    drawn = [bars.lines[0].get_xdata().tolist() for bars in ax.containers]
    assert drawn == [[0.875, 0.125, 0.5]] * 2
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["10 nodes", "1,000 nodes"]


@pytest.fixture
def dynamic() -> pd.DataFrame:
    columns = ["depth", "budget", "score", "low", "high", "nodes", "other_nodes", "verdict"]
    table = pd.DataFrame(
        [
            (2, 300, 0.25, 0.2, 0.3, 50.0, 100.0, "worse"),
            (2, 1000, 0.5, 0.4, 0.6, 90.0, 100.0, "not told apart"),
            (2, 3000, 0.75, 0.7, 0.8, 112.0, 100.0, "better"),
            (3, 300, 0.25, 0.2, 0.3, 50.0, 900.0, "worse"),
            (3, 3000, 0.375, 0.25, 0.45, 1800.0, 900.0, "worse"),
        ],
        columns=columns,
    )
    return table.assign(pairs=9)


def test_the_nearest_in_nodes_is_nearest_by_ratio(dynamic):
    """90 of 100 is nearer than 112, as 100/90 is less than 112/100."""
    said = cards.on_depths(dynamic).splitlines()
    assert said == [
        "- Against depth 2 a budget of 1,000 has the most similar cost: 0.90 times its nodes. "
        "It scores 0.50 (0.40 to 0.60) in 9 pairs: no difference is shown.",
        "- Against depth 3 a budget of 3,000 has the most similar cost: 2.00 times its nodes. "
        "It scores 0.38 (0.25 to 0.45) in 9 pairs: it plays worse.",
        "- The largest budget tried is 3,000. The program's is 10,000,000, and no game was played "
        "with it. Whether its dynamic depth is best for accuracy and memory is open.",
    ]


def test_with_the_programs_budget_nothing_is_open(dynamic):
    played = dynamic.assign(budget=dynamic["budget"].replace(3000, 10_000_000))
    assert "no game was played" not in cards.on_depths(played)


def test_a_panel_a_fixed_depth_and_its_nodes_as_a_line(dynamic):
    two, three = cards.draw_depths(dynamic).axes
    assert [ax.get_title(loc="left") for ax in (two, three)] == [
        "against fixed depth 2",
        "against fixed depth 3",
    ]
    assert [text.get_text() for text in two.texts] == ["300", "1,000", "3,000"]
    assert two.containers[0].lines[0].get_xdata().tolist() == [50, 90, 112]
    assert three.lines[-1].get_xdata() == [900, 900]


def test_moves_that_differ_are_counted_by_the_length_of_the_opening():
    chosen = [(0, "2a1", "2a1", "2a1"), (0, "2a1", "3a1", "2a1"), (4, "5b2", "2a1", "8b2")]
    rows = pd.DataFrame(chosen, columns=["plies", "report", "published", "knowing"])
    table = cards.differing(rows)
    assert table.index.tolist() == [0, 4]
    assert table.to_numpy().tolist() == [[1, 0, 2], [1, 1, 1]]


def test_the_variants_in_a_sentence():
    row = {"score": 0.441, "low": 0.3, "high": 0.55, "nodes": 300.0, "other_nodes": 150.0}
    assert cards.on_variants(pd.DataFrame([row])) == (
        "As the report describes it, the program scores 0.44 (0.30 to 0.55) against the published "
        "program. It generates 2.0 times the nodes."
    )


def test_a_factor_table_has_a_row_a_player():
    position = ".,13u,.,./.,.,.,./.,.,xp,./.,.,.,. 2,3,5,8 2,3,8,13 program"
    table = cards.factor_table(parse_position(position).board)
    assert table.loc["user"].tolist() == [13, 18, 13, 8, 4, 0]
    assert table.loc["program"].tolist() == [0, 26, 0, 13, 4, 1]
    assert list(table.columns) == ["S1", "S2", "M1", "M2", "N1", "N2"]


def test_the_double_subtraction_changes_cells_where_the_user_has_a_card_less():
    """As printed 36 - (11 - ai) - (11 - ai); as meant 36 - (11 - ai) - (11 - user)."""
    rows = cards.cells_table((10**2, 10**7))
    assert len(rows) == 22
    for row in rows:
        own, other = row["own"], row["other"]
        assert row["cells, printed"] == 36 - (11 - own) - (11 - own)
        assert row["cells, meant"] == 36 - (11 - own) - (11 - other)
        assert row["cells, printed"] - row["cells, meant"] == own - other
        assert row["depth, printed"] == row["depth, meant"]


def test_endgames_are_those_of_a_search_to_the_end():
    found = cards.endgames(6, left=2, depths=(1, 2))
    game = Cards()
    for seed, row in found.iterrows():
        state = random_position(game, Random(seed), 8)
        value = minimax(game, state, report, Depth(9)).value
        assert row["outcome"] == (value > 0) - (value < 0)
        assert 0 < row["by_chance"] <= 1
        assert row["depth_2"] == 1, "two cards are left: it sees the end"
    assert cards.outcomes(found)["positions"].sum() == 6


def endgames(*rows):
    names = ["F", "outcome", "by_chance", "depth_1", "depth_3"]
    return pd.DataFrame(rows, columns=names)


def test_what_endgames_say_is_what_they_are():
    better = [(3, 1, 0.5, 0, 1)] * 9 + [(3, 1, 0.5, 1, 1)]
    said = cards.on_endgames(endgames(*better))
    assert said.startswith("The player to move wins all of the 10 positions.")
    assert said.endswith("The deeper search errs less.")
    mixed = [(3, 1, 0.5, 1, 0), (0, 0, 0.5, 0, 1), (-2, -1, 0.5, 1, 1), (-9, -1, 1, 1, 1)]
    said = cards.on_endgames(endgames(*mixed))
    assert "In 3 of 4 positions" in said
    assert "cannot win: 2 are lost and 1 drawn" in said
    assert said.endswith("It is not shown that the deeper search errs less.")
    worse = [(3, 1, 0.5, 1, 0)] * 9 + [(3, 1, 0.5, 1, 1)]
    assert cards.on_endgames(endgames(*worse)).endswith("keeps the outcome less often.")
    assert list(cards.kept(endgames(*mixed))["share"]) == [0.625, 0.75, 0.75]
