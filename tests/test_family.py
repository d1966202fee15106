"""Verdicts on many matches: by hand, and by simulation under equal players."""

from random import Random

import pytest
from scipy import stats

from kalahlab.matches.family import chance, verdicts

SLIGHT = (0.5, 0.75, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 0.75)
EVEN = (0, 1, 0.5, 0.5) * 3


def test_the_least_chance_of_two_counts_double() -> None:
    """Holm (1979): the least of m chances is multiplied by m, the next by m - 1, and so on."""
    p = chance(SLIGHT)
    assert 0.025 < p < 0.05
    assert verdicts([SLIGHT]) == [(pytest.approx(p), "better")]
    assert verdicts([SLIGHT, EVEN]) == [
        (pytest.approx(2 * p), "not told apart"),
        (1, "not told apart"),
    ]
    lost = tuple(1 - each for each in SLIGHT)
    assert verdicts([lost])[0][1] == "worse"


def test_pairs_all_alike() -> None:
    """Nine won pairs and half a lost one more spread as coins do: 1/2 is 3 errors of 1/6 away."""
    assert chance((0.5,) * 9) == 1
    p = 2 * stats.t.sf(3, 8)
    assert (chance((1,) * 9), chance((0,) * 9)) == pytest.approx((p, p))


def test_a_family_of_equals_has_a_verdict_in_one_of_twenty_or_fewer() -> None:
    """40 families of 12 matches of 30 pairs: 2 expected, 6 is three standard errors more."""
    draw = Random(3)
    pairs = (0, 0.25, 0.5, 0.5, 0.75, 1)
    wrong = sum(
        any(
            said != "not told apart"
            for _, said in verdicts([draw.choices(pairs, k=30) for _ in range(12)])
        )
        for _ in range(40)
    )
    assert wrong <= 6
