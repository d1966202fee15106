"""The staged heuristic's matches beside print, and what is said of them."""

import pandas as pd
import pytest

from kalahlab.evaluators.kalah import e4, store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.grid import Row
from kalahlab.matches.rating import Interval
from kalahlab.published.staged import printed_results, printed_seconds
from kalahlab.studies import s06_heuristics as study
from kalahlab.studies.s06_heuristics import move_costs
from kalahlab.studies.strength import summary, verdict

pytestmark = pytest.mark.usefixtures("figures")


def match(depth: int, against: str, interval: Interval, *counts: float, late: int = 0) -> Row:
    """A row of a match; counts: wins, draws, losses and the margin."""
    names = ("wins", "draws", "losses", "margin")
    row = dict(zip(names, counts or (0, 0, 0, 0), strict=True)) | interval._asdict()
    return row | {"depth": depth, "against": against, "score": row["mean"], "timed_out": late}


def about(score: float, within: float) -> Interval:
    return Interval(score, score - within, score + within)


def test_matches_beside_print() -> None:
    played = [
        match(3, "plain", Interval(0.65, 0.55, 0.75), 6, 1, 3, 2.0),
        match(5, "plain", Interval(0.95, 0.85, 1.0), 9, 1, 0, 9.0),
    ]
    met = study.matches(played)
    assert met[["score", "low", "high"]].values.tolist() == [[0.65, 0.55, 0.75], [0.95, 0.85, 1]]
    assert verdict(met).startswith("2 of 2 intervals lie above 1/2. The lowest is that")
    assert "against plain at depth 3: 0.65 (0.55 to 0.75)" in verdict(met)
    assert study.on_time(met, 0.5) == "With 500 ms for a move, 0 of 20 games were lost on time."
    table = study.beside_printed(pd.DataFrame(printed_results()), met)
    assert table["staged against plain, here"].tolist() == ["6-3-1", "9-0-1"]
    assert table["staged, printed"].tolist() == ["3-1-1", "4-1-0"]
    assert table["plain, printed"].tolist() == ["0-4-1", "2-3-0"]


def test_the_answer_names_the_variants_that_beat_the_whole() -> None:
    head = study.matches([match(3, "plain", about(0.5, 0.1))])
    variants = {"a": 0.3, "b": 0.5, "c": 0.7}
    met = study.matches(match(3, name, about(score, 0.1)) for name, score in variants.items())
    rows = [
        {"evaluator": name, "depth": depth, "position": n, "regret": lost, "nodes": 9}
        for name, lost in (("staged", 2), ("store_difference", 1))
        for depth in (2, 4)
        for n in range(2)
    ]
    said = study.answer(head, met, summary(pd.DataFrame(rows)))
    assert "the interval leaves out 1/2 in 2: it loses to itself a at depth 3: 0.30" in said
    assert "it wins against itself c at depth 3: 0.70 (0.60 to 0.80)." in said
    assert "at depth 4 a move of the staged heuristic gives up 2.00 (2.00 to 2.00)" in said
    decided = met.drop(index=[(3, "a"), (3, "c")])
    assert "leaves out 1/2 in 0." in study.answer(head, decided, summary(pd.DataFrame(rows)))


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
    said = verdict(study.matches(played))
    assert said.startswith("2 of 6 intervals lie above 1/2, 1 below it; 1/2 lies within")
    assert "it at depth 2: 0.40 (0.25 to 0.55); it at depth 3" in said
    assert said.endswith("The lowest is that against it at depth 1: 0.30 (0.15 to 0.45).")
    many = [*played[1:4], *(played[2] | {"depth": 9, "against": name} for name in "ab")]
    assert ", and 5 hold it. The lowest" in verdict(study.matches(many))


def test_the_chart_of_costs_shows_each_move() -> None:
    costs = pd.DataFrame(move_costs(Kalah(3, 3), e4, store_difference, 3))
    assert (costs["nodes"] > 0).all()
    assert costs["move"].tolist() == [*range(1, len(costs) + 1)]
    figure = study.draw_costs(pd.DataFrame(printed_seconds()), costs, "nodes")
    assert figure.axes[1].lines[0].get_ydata().tolist() == costs["nodes"].tolist()
