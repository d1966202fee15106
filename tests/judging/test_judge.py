"""A player judged by perfect play, and the intervals of clustered means."""

from math import inf, sqrt
from random import Random
from statistics import stdev

import numpy as np
import pytest
from scipy.special import stdtrit

from kalahlab.backends import SearchSpec
from kalahlab.games.kalah import PRESETS, Kalah, State
from kalahlab.judging.clusters import clustered_mean, clustered_rate
from kalahlab.judging.judged import Judged, read
from kalahlab.judging.player import judge_player, summaries, summary
from kalahlab.play import import_player, parse_player

KEPT = [row for row in read("benchmark.csv.gz") if row.rules == "standard"]
SOME = Random(3).sample(KEPT, 60)


def perfect(row: Judged) -> int:
    """A best pit of a judged position."""
    return row.moves.index(row.value)


def test_perfect_play_gives_nothing_up() -> None:
    best = {row.state: perfect(row) for row in SOME}
    found = list(judge_player(lambda game, state: best[state], SOME))
    whole = summary(found, "all")
    assert (whole["optimal"], whole["kept"], whole["regret"]) == (1, 1, 0)
    assert whole["optimal_low"] < 1 == whole["optimal_high"]


def test_the_worst_moves_lose_what_they_are_worth_less() -> None:
    worst = {
        row.state: min((v, p) for p, v in enumerate(row.moves) if v is not None)[1] for row in SOME
    }
    found = list(judge_player(lambda game, state: worst[state], SOME))
    for row, of in zip(SOME, found, strict=True):
        values = [value for value in row.moves if value is not None]
        assert of["regret"] == max(values) - min(values)
        assert of["optimal"] == (max(values) == min(values))
        signs = np.sign([max(values), min(values)])
        assert of["kept"] == (signs[0] == signs[1])
        assert of["optimal"] <= of["kept"]


def test_a_move_is_the_one_that_the_player_plays() -> None:
    spec = SearchSpec("alpha_beta", "fitted", order="store_first")
    player = parse_player("alpha_beta:fitted:3:sow:store_first", backend="engine")
    for row, of in zip(SOME, judge_player(player, SOME), strict=True):
        game = Kalah(*row.start, PRESETS[row.rules])
        assert of["pit"] == spec.search(game, row.state, 3).move + 1
        assert of["regret"] == row.regret(of["pit"] - 1)


def test_each_position_is_in_one_phase_and_of_one_board() -> None:
    found = list(judge_player(parse_player("random:1"), SOME))
    whole, *others = summaries(found)
    assert whole["positions"] == len(SOME)
    phases = [row for row in others if row["of"] in ("opening", "middle", "end")]
    boards = [row for row in others if "," in row["of"]]
    for parts in (phases, boards):
        assert sum(row["positions"] for row in parts) == len(SOME)
        mean = sum(row["positions"] * row["regret"] for row in parts) / len(SOME)
        assert mean == pytest.approx(whole["regret"])


@pytest.mark.parametrize("pit", [-1, 6, 2.5, None])
def test_a_move_that_is_no_pit_is_named(pit: object) -> None:
    with pytest.raises(ValueError, match="which is no pit of"):
        list(judge_player(lambda game, state: pit, SOME))


def test_an_empty_pit_is_named() -> None:
    row = Judged("standard", State((0, 1, 1, 0, 1, 1, 1, 0), 0), (None, 0, 0))
    with pytest.raises(ValueError, match=r"pit 1 of .* is empty"):
        list(judge_player(lambda game, state: 0, [row]))


def test_a_function_at_an_import_path_is_a_player(tmp_path, monkeypatch) -> None:
    (tmp_path / "mybots.py").write_text(
        "def last(game, state):\n    return game.moves(state)[-1]\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    player = parse_player(import_player("mybots.last"))
    assert player(Kalah(), Kalah().start()) == 5
    with pytest.raises(
        ValueError, match=r"unknown player 'mybots\.first', which is no import path"
    ):
        import_player("mybots.first")


def test_alone_values_have_the_interval_of_a_mean() -> None:
    values = [Random(2).gauss(0, 1) for _ in range(30)]
    mean, low, high = clustered_mean(values, range(30))
    reach = stdtrit(29, 0.975) * stdev(values) / sqrt(30)
    assert (low, high) == (pytest.approx(mean - reach), pytest.approx(mean + reach))


def test_values_that_are_copies_tell_no_more_than_one_of_them() -> None:
    values = [Random(4).gauss(0, 1) for _ in range(20)]
    once = clustered_mean(values, range(20))
    thrice = clustered_mean(
        [v for v in values for _ in range(3)], [n for n in range(20) for _ in "abc"]
    )
    assert thrice == pytest.approx(once)


def test_the_interval_is_that_of_a_regression_on_a_constant() -> None:
    """The sandwich as matrices: (X'X)^-1 (sum over clusters of X'u u'X) (X'X)^-1."""
    chance = Random(5)
    clusters = sorted(chance.choices(range(12), k=70))
    values = [chance.random() + cluster / 9 for cluster in clusters]
    x, y = np.ones((70, 1)), np.array(values)
    u = y - y.mean()
    bread, of = np.linalg.inv(x.T @ x), np.array(clusters)
    scores = [x[of == c].T @ u[of == c] for c in sorted(set(clusters))]
    meat = sum(np.outer(score, score) for score in scores)
    variance = (bread @ meat @ bread)[0, 0] * len(scores) / (len(scores) - 1)
    mean, low, high = clustered_mean(values, clusters)
    assert high - mean == pytest.approx(stdtrit(len(scores) - 1, 0.975) * sqrt(variance))
    assert low + high == pytest.approx(2 * mean)


def test_the_truth_is_in_the_interval_as_often_as_it_says() -> None:
    """Games that differ, positions of a game that are alike; independent ones would be too sure."""
    rng = np.random.default_rng(6)
    clusters = np.repeat(np.arange(40), 4)
    held, naive = 0, 0
    for _ in range(600):
        values = (rng.normal(size=40).repeat(4) + rng.normal(size=160) / 2).tolist()
        _, low, high = clustered_mean(values, clusters.tolist())
        held += low < 0 < high
        _, low, high = clustered_mean(values, range(160))
        naive += low < 0 < high
    assert 0.93 < held / 600 < 0.975
    assert naive / 600 < 0.8


def test_what_never_happened_may_happen() -> None:
    assert clustered_rate([0, 0, 0], "abc") == (0, 0, pytest.approx(1 - 0.025 ** (1 / 3)))
    assert clustered_rate([1, 1, 1], "aab") == (1, pytest.approx(0.025 ** (1 / 2)), 1)
    assert clustered_rate([0, 1], "aa") == (0.5, 0, 1)
    assert clustered_mean([0, 4], "aa") == (2, -inf, inf)
