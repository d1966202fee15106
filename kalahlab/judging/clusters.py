"""Means of values that come in clusters, such as positions of one game, and their intervals.

With `n` values in `G` clusters, whose deviations from the mean add up to `s` within a cluster, the
variance of the mean is

    G / (G - 1) * (sum of s^2 over the clusters) / n^2

This is the "sandwich" of Liang and Zeger (Biometrika 73, 1986). The interval is Student's with
G - 1 degrees of freedom, as Cameron and Miller advise ("A Practitioner's Guide to Cluster-Robust
Inference", Journal of Human Resources 50, 2015, section VI).
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from math import inf, sqrt
from statistics import fmean

from scipy.special import stdtrit

CERTAINTY = 0.95
"""How often an interval holds the truth."""


def student(freedom: int) -> float:
    """Standard errors to either side, by Student's t with so many degrees of freedom."""
    return float(stdtrit(freedom, (1 + CERTAINTY) / 2))


def clustered_rate(
    values: Sequence[float], clusters: Sequence[Hashable]
) -> tuple[float, float, float]:
    """The mean of zeros and ones, and the ends of its interval, within 0 and 1.

    If all are alike their spread says nothing: then the interval is that of Clopper and Pearson
    (Biometrika 26, 1934) for as many independent ones as there are clusters.
    """
    mean, low, high = clustered_mean(values, clusters)
    rare = 1 - ((1 - CERTAINTY) / 2) ** (1 / len(set(clusters)))
    if mean == 0:
        return 0.0, 0.0, rare
    if mean == 1:
        return 1.0, 1 - rare, 1.0
    return mean, max(0.0, low), min(1.0, high)


def clustered_mean(
    values: Sequence[float], clusters: Sequence[Hashable]
) -> tuple[float, float, float]:
    """The mean of values, each of a cluster, and the ends of its interval.

    Of a single cluster there is no telling: the ends are infinite.
    """
    mean, within = fmean(values), defaultdict[Hashable, float](float)
    for value, cluster in zip(values, clusters, strict=True):
        within[cluster] += value - mean
    count = len(within)
    if count < 2:
        return mean, -inf, inf
    squares = sum(deviation**2 for deviation in within.values())
    error = sqrt(count / (count - 1) * squares) / len(values)
    reach = student(count - 1) * error
    return mean, mean - reach, mean + reach
