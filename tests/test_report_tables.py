"""The report's tables and charts: they say what the rows say, by another way of counting."""

import re

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from seaborn.utils import relative_luminance

from kalahlab.evaluators.kalah import staged
from kalahlab.experiments import frame, grid, random_games, run_grid
from kalahlab.games.cards_notation import parse_position
from kalahlab.games.kalah import Kalah, State
from kalahlab.published import comparison
from kalahlab.published.cs5329 import Defects
from kalahlab.published.staged import GAME, PRINTED_LEAVES, PRINTED_MOVE, worked_position
from kalahlab.report.draw import charts
from kalahlab.report.draw.artifacts import Artifacts
from kalahlab.report.draw.style import use_style
from kalahlab.report.draw.tables import table_html
from kalahlab.search import Depth, alpha_beta
from kalahlab.studies import (
    s01_rules as variations,
)
from kalahlab.studies import (
    s02_published_study as study,
)
from kalahlab.studies import (
    s03_pruning as pruning,
)
from kalahlab.studies import (
    s11_cards as cards,
)
from kalahlab.trace import record


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return pd.DataFrame(comparison.table())


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    names = ["e1", "e2", "e3", "e4"]
    points = grid(["minimax_a_b", "alpha_beta"], names, [1, 3], pits=4, stones=3)
    return frame(run_grid(points + grid(["minimax"], names, [1, 3], pits=4, stones=3)))


@pytest.fixture(autouse=True)
def figures():
    use_style()
    yield
    plt.close("all")


def test_slips_are_proved_by_the_formula_alone(table):
    slips = study.slips(table)
    assert len(slips) == 2
    for _, row in slips.iterrows():
        assert row["takes"] == row["printed memory"] == 81 * row["recomputed nodes"] // 1024
        assert row["would take"] == 81 * row["printed nodes"] // 1024 != row["printed memory"]


def test_printed_and_recomputed_are_set_side_by_side(table):
    beside = study.beside(table)
    equal = beside["printed"] == beside["recomputed"]
    assert (equal == (beside["verdict"] == "equal")).all()
    assert equal.sum() == 12
    assert (beside["recomputed"] == "not defined").sum() == len(study.undefined(table)) == 2


def test_nothing_legible_in_the_logs_contradicts_the_replay():
    logs = study.transcripts(pd.DataFrame(comparison.replay_transcripts()))
    assert logs["boards"].tolist() == [28, 28, 27]
    assert logs["contradictions"].sum() == 0
    assert (logs["fields_read"] > 3 * logs["boards"]).all()


def test_the_ladder_begins_as_printed_and_ends_corrected(table):
    ladder = pd.DataFrame(comparison.ladder(depths=[2]))
    ends = study.first_and_last(ladder)
    printed = table[table["depth"] == 2].reset_index()
    assert ends["as printed"].tolist() == study.beside(printed)["recomputed"].tolist()
    assert ends["corrected"][:4].tolist() == ends["corrected"][4:].tolist()
    assert study.rungs(ladder)["turned_off"].tolist()[1:] == list(Defects.names())
    axes = charts.ladder(study.games(ladder), "generated", "nodes").axes
    assert [ax.get_title(loc="left") for ax in axes] == ["MinMaxAB", "AlphaBetaSearch"]


def test_the_conclusion_counts_what_the_rows_hold(table, rows):
    text = study.conclusion(table, rows)
    assert "12 rows come out to the digit and 2 with a slip" in text
    assert "In 8 of 8 pairs of games" in text
    assert "at depth 3 it generates" in text


def test_the_conclusion_does_without_minimax(table, rows):
    assert "plain minimax" not in study.conclusion(table, rows[rows["algorithm"] != "minimax"])


def test_the_worked_tree_has_its_printed_numbers():
    trace = record(alpha_beta, GAME, worked_position(), staged, Depth(2))
    assert pruning.beside_print(PRINTED_LEAVES, trace)["equal"].all()
    assert trace.result.move == PRINTED_MOVE
    cut = trace.cuts[0]
    assert (trace.nodes[cut.node].node.move, cut.value, cut.bound) == (1, -2.25, -2.25)


def test_endings_are_the_games_own():
    state = State((0, 0, 2, 7, 4, 1, 0, 4), 0)
    table = variations.endings(state, 2)
    for name, rules in variations.VARIATIONS.items():
        game = Kalah(3, 0, rules)
        after = game.play(state, 2)
        assert table.loc[name].tolist() == [game.over(after), game.margin(after, 0)]


def test_shares_of_other_outcomes_counted_game_by_game():
    rows = random_games(variations.VARIATIONS, 12, seed=5, pits=4, stones=3)
    summary = variations.against_standard(pd.DataFrame(rows))
    margin = {(row["rules"], row["game"]): row["margin"] for row in rows}
    for name in variations.VARIATIONS:
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
    said = variations.conclusion(summary, leaves, 50)
    assert "about 5.5." in said
    assert "in 10% to 40% of 50 random games, most often under *other rule*" in said


def test_the_conclusion_on_pruning_counts_the_nodes_of_its_rows():
    costs = pd.DataFrame(
        {"algorithm": ["minimax", "alpha_beta"], "value": [-2.0, -2.0], "visited": [1000, 400]}
    )
    orders = pd.DataFrame(
        {"order": ["pit", "store_first", "worst_first"], "visited": [400, 300, 700]}
    )
    said = pruning.conclusion(costs, orders, 4)
    assert "At depth 4 alpha-beta visits 400 of minimax's 1,000 nodes" in said
    assert "finds the same value (−2)" in said
    assert "first it is 300, with the worst-looking move first 700" in said


# How tables look on a page.


def cells(html: str, tag: str) -> list[str]:
    return re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", html)


def test_numbers_of_a_table_have_the_digits_that_say_something():
    frame = pd.DataFrame(
        {
            "big": [1234567, -5],
            "share": [0.12345, 1.0],
            "cost": [104.84, 0.5],
            "whole": [3.0, float("nan")],
            "yes_or_no": [True, False],
            "maybe": pd.array([7, None], dtype="Int64"),
            "text": ["a<b", None],
            "any": pd.Series([-1000, 2], dtype=object),
        }
    )
    html = table_html(frame)
    assert cells(html, "th") == [
        "big",
        "share",
        "cost",
        "whole",
        "yes or no",
        "maybe",
        "text",
        "any",
    ]
    assert cells(html, "td") == [
        *("1,234,567", "0.123", "104.8", "3", "yes", "7", "a&lt;b", "−1,000"),
        *("−5", "1.000", "0.5", "–", "no", "–", "–", "2"),
    ]


def test_words_stand_at_the_left_and_numbers_at_the_right():
    columns = {"who": ["e1", None], "score": ["0.5 (0.4 to 0.6)", "–"], "wins": [3, 40]}
    sides = re.findall(r"<t[hd]\b([^>]*)>", table_html(pd.DataFrame(columns)))
    assert ["left" in side for side in sides] == 3 * [True, False, False]


def test_an_index_is_named_and_not_repeated_and_the_caption_is_above():
    index = pd.MultiIndex.from_tuples(
        [("a", 1, "x"), ("a", 1, "y"), ("a", 2, "x"), ("b", 2, "x")], names=["one", None, "three"]
    )
    frame = pd.DataFrame([[1], [2], [3], [4]], index, pd.Index(["n"], name="above_all"))
    Artifacts().table("rows", frame, "Rows & more")
    html = table_html(frame)
    assert cells(html, "caption") == ["Rows &amp; more"]
    assert cells(html, "th") == [
        *("above all", "one", "", "three", "n"),
        *("a", "1", "x", "", "", "y", "", "2", "x", "b", "2", "x"),
    ]
    assert cells(html, "td")[-4:] == ["1", "2", "3", "4"]


def test_a_panel_a_depth_and_a_mark_a_row(rows):
    figure = charts.cost_by_evaluator(rows, "generated", "nodes")
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["depth 1", "depth 3"]
    for ax, depth in zip(figure.axes, (1, 3), strict=True):
        drawn = sorted(mark for part in ax.collections for mark, _ in part.get_offsets().tolist())
        assert drawn == sorted(rows.loc[rows["depth"] == depth, "generated"])


def test_every_number_of_a_heat_map_can_be_read(rows):
    scores = pd.DataFrame({"a": [None, 0.02, 0.27], "b": [0.4, None, 0.73], "c": [0.9, 0.6, None]})
    ax = charts.cross(scores, scores / 10)
    filled = scores.notna().to_numpy().flat
    cells = [c for c, one in zip(ax.collections[0].get_facecolor(), filled, strict=True) if one]
    for text, cell in zip(ax.texts, cells, strict=True):
        bright, dark = sorted(map(relative_luminance, (text.get_color(), cell)), reverse=True)
        assert (bright + 0.05) / (dark + 0.05) > 4.5


def test_ratios_are_to_the_cheapest(rows):
    last = rows[(rows["depth"] == 3) & (rows["algorithm"] == "alpha_beta")]
    texts = [text.get_text() for text in charts.overall(last, ["generated"]).axes[0].texts]
    costs = last["generated"].tolist()
    assert texts == [f"{cost / min(costs):.1f}" for cost in costs]


# The card game.


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
    """Of 1, 0.5, 1, 1 thrice: error 0.0653; Student's t at 11 degrees of freedom is 2.201."""
    table = cards.scores(matches, ["budget", "off"])
    row = table.iloc[0]
    assert (row["budget"], row["off"], row["pairs"], row["score"]) == (10, "s2", 12, 0.875)
    assert (row["low"], row["high"]) == (0.731, 1)
    assert list(table["off"]) == ["s2", "m1", "n1"] * 2
    doubtful = table[table["off"] == "n1"]
    assert ((doubtful["low"] < 0.5) & (doubtful["high"] > 0.5)).all()


def test_factors_are_named_by_what_their_interval_shows(matches):
    said = cards.on_factors(cards.scores(matches, ["budget", "off"])).splitlines()
    assert said == [
        f"- With {budget} nodes F plays better with S2 and worse with M1; "
        "of N1 no difference is shown."
        for budget in ("10", "1,000")
    ]


def test_a_mark_a_factor_and_a_line_a_budget(matches):
    table = cards.scores(matches, ["budget", "off"])
    ax = charts.factor_scores(table)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["S2", "M1", "N1"]
    drawn = [bars.lines[0].get_xdata().tolist() for bars in ax.containers]
    assert drawn == [[0.875, 0.125, 0.5]] * 2
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["10 nodes", "1,000 nodes"]


@pytest.fixture
def dynamic() -> pd.DataFrame:
    columns = ["depth", "budget", "score", "low", "high", "nodes", "other_nodes"]
    return pd.DataFrame(
        [
            (2, 300, 0.25, 0.2, 0.3, 50.0, 100.0),
            (2, 1000, 0.5, 0.4, 0.6, 90.0, 100.0),
            (2, 3000, 0.75, 0.7, 0.8, 112.0, 100.0),
            (3, 300, 0.25, 0.2, 0.3, 50.0, 900.0),
            (3, 3000, 0.375, 0.25, 0.45, 1800.0, 900.0),
        ],
        columns=columns,
    )


def test_the_nearest_in_nodes_is_nearest_by_ratio(dynamic):
    """90 of 100 is nearer than 112, as 100/90 is less than 112/100."""
    said = cards.on_depths(dynamic).splitlines()
    assert said == [
        "- Against depth 2 a budget of 1,000 costs most nearly as much, 0.90 times its nodes, "
        "and scores 0.50 (0.40 to 0.60): no difference is shown.",
        "- Against depth 3 a budget of 3,000 costs most nearly as much, 2.00 times its nodes, "
        "and scores 0.38 (0.25 to 0.45): it plays worse.",
    ]


def test_a_panel_a_fixed_depth_and_its_nodes_as_a_line(dynamic):
    two, three = charts.score_by_nodes(dynamic).axes
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
        "As described it scores 0.44 (0.30 to 0.55) against itself as programmed, and generates "
        "2.0 times the nodes."
    )


def test_a_factor_table_has_a_row_a_player():
    position = ".,13u,.,./.,.,.,./.,.,xp,./.,.,.,. 2,3,5,8 2,3,8,13 program"
    table = cards.factor_table(parse_position(position).board)
    assert table.loc["user"].tolist() == [13, 18, 13, 8, 4, 0]
    assert table.loc["program"].tolist() == [0, 26, 0, 13, 4, 1]
    assert list(table.columns) == ["S1", "S2", "M1", "M2", "N1", "N2"]
