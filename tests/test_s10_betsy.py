"""What is said and drawn of Betsy's rivals, against their rows."""

import pandas as pd
import pytest

from kalahlab.studies.s10_betsy import best, draw_final, judged, on_betsy, says, tally

pytestmark = pytest.mark.usefixtures("figures")


ROWS = [
    {"rival": "a", "depth": 1, "share": 0.3, "low": 0.2, "high": 0.4},
    {"rival": "b", "depth": 1, "share": 0.6, "low": 0.5, "high": 0.7},
    {"rival": "a", "depth": 2, "share": 0.6, "low": 0.51, "high": 0.7},
    {"rival": "b", "depth": 2, "share": 0.6, "low": 0.4, "high": 0.8},
]


def test_verdicts_and_what_is_said_of_them() -> None:
    frame = judged(ROWS)
    assert list(frame["verdict"]) == ["worse", "not told apart", "better", "not told apart"]
    expected = pd.DataFrame(
        {"worse": [1, 0], "not told apart": [1, 1], "better": [0, 1]}, index=[1, 2]
    )
    assert tally(frame).to_dict() == expected.to_dict()
    assert best(frame[frame["depth"] == 2], 2) == ["a", "b"]
    assert best(frame[frame["depth"] == 1], 1) == ["b"]
    assert says(frame, "a") == "30% (20% to 40%) at depth 1, 60% (51% to 70%) at depth 2"


def test_the_best_of_betsys_rivals_answers_the_question() -> None:
    names = ["the two distances", "nothing at all"]
    rows = [
        {"rival": name, "depth": 2, "share": share, "low": share - 0.1, "high": share + 0.1}
        for name, share in zip(names, (0.55, 0.7), strict=True)
    ]
    said = on_betsy(judged(rows), judged(rows), columns=3, fresh=9)
    assert "**Yes**, by nothing at all: it wins 70% (60% to 80%) at depth 2 from" in said
    said = on_betsy(judged(rows), judged(rows[:1]), columns=3, fresh=9)
    assert "**Not by anything tried here**, not even by the two distances" in said


def test_the_chart_has_every_share_with_its_interval_in_its_panel() -> None:
    figure = draw_final(judged(ROWS))
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["depth 1", "depth 2"]
    for ax, depth in zip(figure.axes, (1, 2), strict=True):
        drawn = {
            (round(x, 2), round(y))
            for container in ax.containers
            for x, y in container[0].get_xydata()
        }
        rows = [row for row in ROWS if row["depth"] == depth]
        assert drawn == {(row["share"], "ab".index(row["rival"])) for row in rows}
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["a", "b"]
