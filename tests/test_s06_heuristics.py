"""The staged heuristic's matches beside print, and what is said of them."""

from itertools import product

import pandas as pd
import pytest

from kalahlab.evaluators.kalah import e4, staged, store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.grid import Row
from kalahlab.matches.openings import random_openings
from kalahlab.matches.rating import Interval
from kalahlab.published.staged import printed_results, printed_seconds
from kalahlab.report.draw.tables import as_numbers
from kalahlab.studies import s06_heuristics as study
from kalahlab.studies.s06_heuristics import move_costs
from kalahlab.studies.strength import TIES, verdict, verdicts

pytestmark = pytest.mark.usefixtures("figures")


def match(
    depth: int, against: str, interval: Interval, *counts: float, late: int = 0,
    ties: str = "at random",
) -> Row:  # fmt: skip
    """A row of a match; counts: wins, draws, losses and the margin."""
    names = ("wins", "draws", "losses", "margin")
    row = dict(zip(names, counts or (0, 0, 0, 0), strict=True)) | interval._asdict()
    named = {"depth": depth, "against": against, "ties": ties, "timed_out": late}
    chance = 0.001 if interval.verdict() != "not told apart" else 0.5
    return row | named | {"score": row["mean"], "p": chance}


def about(score: float, within: float) -> Interval:
    return Interval(score, score - within, score + within)


def in_all_orders(depth: int, against: str, *scores: float) -> list[Row]:
    """The match at random, in pit order and store first."""
    return [
        match(depth, against, about(score, 0.1), ties=ties)
        for ties, score in zip(TIES, scores, strict=True)
    ]


def test_time_and_verdicts_of_matches() -> None:
    met = study.matches(
        [
            match(3, "plain", Interval(0.65, 0.55, 0.75), 6, 1, 3, 2.0),
            match(5, "plain", Interval(0.95, 0.85, 1.0), 9, 1, 0, 9.0),
        ]
    )
    assert met[["score", "low", "high"]].values.tolist() == [[0.65, 0.55, 0.75], [0.95, 0.85, 1]]
    assert verdict(study.at_random(met)).startswith("Of 2 scores 2 are shown to be above 1/2. (The")
    assert study.on_time(met, 0.5) == "Each move had 500 ms. 0 of 20 games were lost on time."


def test_a_verdict_is_what_all_ways_to_break_ties_agree_on() -> None:
    met = study.matches(
        in_all_orders(3, "a", 0.3, 0.2, 0.1)
        + in_all_orders(3, "b", 0.3, 0.2, 0.5)
        + in_all_orders(3, "c", 0.7, 0.3, 0.7)
        + in_all_orders(5, "a", 0.7, 0.8, 0.9)
    )
    assert study.decided(met) == {
        (3, "a"): "worse",
        (3, "b"): "not told apart",
        (3, "c"): "not told apart",
        (5, "a"): "better",
    }
    shown = study.scores(met)
    assert [*shown] == [*TIES]
    assert shown.loc[(3, "b"), "pit order"] == "0.20 (0.10 to 0.30)"
    ends = as_numbers(shown).loc[(3, "b"), ["pit order", "pit order low", "pit order high"]]
    assert ends.tolist() == pytest.approx([0.2, 0.1, 0.3])


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ((0.3, 0.2, 0.3), "it is worse at depth 3 whichever way ties are broken."),
        ((0.7, 0.8, 0.9), "it is better at depth 3 whichever way ties are broken."),
        ((0.3, 0.7, 0.3), "at no depth do all three ways to break ties decide it."),
        ((0.5, 0.2, 0.3), "at no depth do all three ways to break ties decide it."),
    ],
)
def test_the_answer_says_of_the_match_what_its_numbers_say(scores, said: str) -> None:
    head = study.matches(in_all_orders(3, "plain", *scores))
    variants = study.matches(in_all_orders(3, "a", 0.3, 0.3, 0.3))
    assert said in study.answer(head, variants, differences_of(1.0, 0.001))
    assert said in study.finding(head)
    assert study.finding(head).startswith(
        f"Against the plain store difference the staged heuristic scores {scores[0]:.2f} ("
    )


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (0.3, "Stronger than the whole heuristic is the variant a at depth 3: 0.30"),
        (0.7, "Weaker than the whole heuristic is the variant a at depth 3: 0.70"),
    ],
)
def test_the_answer_names_the_variants_that_beat_the_whole(score: float, said: str) -> None:
    head = study.matches(in_all_orders(3, "plain", 0.5, 0.5, 0.5))
    met = study.matches(in_all_orders(3, "a", *[score] * 3) + in_all_orders(3, "b", 0.5, 0.5, 0.5))
    found = study.answer(head, met, differences_of(1.0, 0.001))
    assert "give the same decision in 1 of them" in found
    assert said in found
    assert "b at depth 3" not in found, "the undecided variant is not named"


def differences_of(difference: float, p: float) -> pd.DataFrame:
    """Of staged at depth 4 from the store difference."""
    index = pd.MultiIndex.from_tuples([("staged", 4)], names=["evaluator", "depth"])
    row = {"difference": difference, "low": difference - 0.5, "high": difference + 0.5, "p": p}
    return pd.DataFrame([row], index)


@pytest.mark.parametrize(
    ("difference", "p", "said"),
    [
        (0.7, 0.01, "After Holm's correction it gives up more at depth 4."),
        (-0.7, 0.01, "After Holm's correction it gives up less at depth 4."),
        (0.7, 0.06, "No difference is left after Holm's correction."),
    ],
)
def test_the_answer_says_of_regret_what_its_numbers_say(difference, p, said: str) -> None:
    head = study.matches(in_all_orders(3, "plain", 0.5, 0.5, 0.5))
    assert study.answer(head, head, differences_of(difference, p)).endswith(said)


def test_the_rules_decide_or_not() -> None:
    alike = pd.DataFrame([about(score, 0.1)._asdict() for score in (0.2, 0.3)])
    apart = pd.DataFrame([about(score, 0.1)._asdict() for score in (0.2, 0.5)])
    alike, apart = (
        table.rename(columns={"mean": "score"}).assign(p=[0.001, p])
        for table, p in ((alike, 0.001), (apart, 0.9))
    )
    assert study.of_rules(alike).endswith("The verdict is the same under each of the rules.")
    assert study.of_rules(apart).endswith("The verdict depends on the rules.")


def test_a_match_among_many_needs_more() -> None:
    """One p of 0.02 is below 5 %; of three that are alike none is, after Holm's correction."""
    one = pd.DataFrame([{"score": 0.7, "p": 0.02}])
    assert verdicts(one) == ["better"]
    assert verdicts(pd.concat([one] * 3)) == ["not told apart"] * 3
    assert verdicts(pd.DataFrame([{"score": 0.3, "p": 0.001}, {"score": 0.7, "p": 0.04}])) == [
        "worse",
        "better",
    ]


def test_random_players_are_beaten() -> None:
    assert study.beats_random(staged, 3) == 4
    assert study.beats_random(lambda board, player: -staged(board, player), 1) < 4
    assert "do not tell the two apart" in study.of_random(3)


def test_matches_are_played_with_ties_broken_in_each_way() -> None:
    game = Kalah(3, 3)
    starts = list(random_openings(game, 3, 2))
    rows = study.rivals(game, e4, {"it": store_difference}, [1, 2], starts)
    assert [(row["depth"], row["ties"]) for row in rows] == [*product([1, 2], TIES)]
    points = study.points_by_opening(game, e4, store_difference, 2, starts)
    for row in rows[3:]:
        assert row["score"] == pytest.approx(sum(points[row["ties"]]) / 3)


def test_the_printed_games_are_five_a_depth() -> None:
    rows = printed_results()
    assert [row["wins"] + row["losses"] + row["draws"] for row in rows] == [5] * 6
    seconds = pd.DataFrame(printed_seconds())
    assert seconds.groupby("depth").size().to_dict() == {3: 16, 5: 15, 7: 11}
    assert seconds["seconds"].between(0.001, 1).all()


def test_what_is_decided_is_told_from_what_is_not() -> None:
    """Scores 0.1 apart, of which an interval of 0.15 either way leaves 1/2 out of three."""
    scores = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
    played = [
        match(depth, "it", about(score, 0.15), late=1)
        for depth, score in enumerate(scores, start=1)
    ]
    said = verdict(study.at_random(study.matches(played)))
    assert said.startswith("Of 6 scores 2 are shown to be above 1/2 and 1 below it. Not told apart")
    assert "1/2: against it at depth 2: 0.40 (0.25 to 0.55); against it at depth 3" in said
    assert said.endswith("reaches lowest is that against it at depth 1: 0.30 (0.15 to 0.45).")
    many = [*played[1:4], *(played[2] | {"depth": 9, "against": name} for name in "ab")]
    assert " 5 are not told apart from 1/2. (The" in verdict(study.at_random(study.matches(many)))


def test_the_chart_of_costs_shows_each_move() -> None:
    costs = pd.DataFrame(move_costs(Kalah(3, 3), e4, store_difference, 3))
    assert (costs["nodes"] > 0).all()
    assert costs["move"].tolist() == [*range(1, len(costs) + 1)]
    figure = study.draw_costs(pd.DataFrame(printed_seconds()), costs)
    drawn = [ax.lines[0].get_ydata().tolist() for ax in figure.axes]
    assert drawn[1:] == [costs["seconds"].tolist(), costs["nodes"].tolist()]
