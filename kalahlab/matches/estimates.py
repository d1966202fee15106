"""Estimates with 95% intervals, as tables with the columns `x`, `x low` and `x high`.

    by_depth = estimates(games, "regret", by="depth", cluster="game")
    interval(by_depth.loc[4], "regret", ".2f")  # "0.31 (0.28 to 0.34)"

Values of one cluster, such as the positions of a game, are alike: the independent units are not the
values but the clusters. The variance of the mean is the "sandwich" of Liang and Zeger (Biometrika
73, 1986). The interval is Student's, as Cameron and Miller advise (J. Human Resources 50, 2015,
section VI).
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy.special import stdtr, stdtrit

from kalahlab.formatting import format_signed
from kalahlab.matches.rating import CERTAINTY, cluster_by_opening

# Arguments with which seaborn draws an estimate and its interval from the three values of `ends`.
# The median of the values is the estimate, which lies between the ends of the interval. The error
# bar goes from the smallest value to the largest, which are the ends.
BARS: dict[str, Any] = {"estimator": "median", "errorbar": ("pi", 100)}

Kind = Literal["mean", "share", "score", "geometric"]


def estimates(
    frame: pd.DataFrame,
    value: str,
    by: str | Sequence[str],
    cluster: str | None = None,
    kind: Kind = "mean",
    against: float | None = None,
) -> pd.DataFrame:
    """Estimate the mean of the column `value` in each group of rows.

    Args:
        frame: The rows.
        value: The column to be estimated.
        by: The columns or index levels that make the groups. The groups keep their order.
        cluster: The column of the independent units; by default each row is a unit.
        kind: A "mean"; a "share" of zeros and ones, with an interval within 0 and 1; a "score" of
            points from 0 to 1, with Wilson's interval, see `matches.rating`; or a "geometric" mean.
        against: The true mean under the hypothesis that `p` tests; by default 1/2 for a score, 1
            for a geometric mean, and 0 for a mean. A share has no test.

    Returns:
        A table with a row for each group.

    Columns, with the name of the column `value` in place of x:
        x: The estimate.
        x low, x high: The ends of its interval.
        p: The probability of an estimate at least this far from `against`, if `against` were the
            true mean; NaN for a share.
    """
    rows = frame.reset_index()
    rows["unit"] = rows[cluster] if cluster else rows.index
    levels = [by] if isinstance(by, str) else list(by)
    groups = rows.groupby(levels, sort=False)
    names = [value, f"{value} low", f"{value} high", "p"]
    table = groups[[value, "unit"]].apply(
        lambda part: pd.Series(_estimate(part[value], part["unit"], kind, against), names)
    )
    return pd.DataFrame(table)


def _estimate(
    values: "pd.Series[Any]", clusters: "pd.Series[Any]", kind: Kind, against: float | None
) -> tuple[float, ...]:
    """Return the estimate, the ends of its interval, and `p`."""
    if kind == "geometric":
        # The mean of logarithms. The logarithm of the default 1 of `against` is 0.
        *logs, p = _estimate(np.log(values), clusters, "mean", np.log(against or 1))
        return *np.exp(logs), p
    if kind == "score":
        sample = cluster_by_opening(list(values), list(clusters))
        if against is None:
            against = 0.5
        p = sample.p_value(against)
        return sample.mean, *sample.interval(), p
    mean, error, freedom = estimate_clustered_mean(values, clusters)
    half_width = float("inf")
    if freedom:
        half_width = error * float(stdtrit(freedom, (1 + CERTAINTY) / 2))
    if kind == "share":
        return mean, *_interval_of_share(mean, half_width, freedom), float("nan")
    distance = abs(mean - (against or 0))
    if error == 0:  # all values are equal, so only their own mean is possible
        return mean, mean, mean, float(distance == 0)
    p = float(2 * stdtr(freedom, -distance / error))  # NaN for a single cluster, as the error
    return mean, mean - half_width, mean + half_width, p


def _interval_of_share(mean: float, half_width: float, freedom: int) -> tuple[float, float]:
    # If all values are equal, their spread is 0: the interval of Clopper and Pearson (Biometrika
    # 26, 1934) needs no spread.
    if mean in (0, 1):
        from scipy.stats import binomtest  # here, because scipy.stats takes long to load

        clusters = freedom + 1
        ends = binomtest(int(mean) * clusters, clusters).proportion_ci(CERTAINTY)
        return float(ends.low), float(ends.high)
    return max(0.0, mean - half_width), min(1.0, mean + half_width)


def estimate_clustered_mean(
    values: "pd.Series[Any]", clusters: "pd.Series[Any]"
) -> tuple[float, float, int]:
    """Return the mean of values, its standard error, and the degrees of freedom.

    With a single cluster the standard error is NaN and there are 0 degrees of freedom.
    """
    mean = float(values.mean())
    # The deviations from the mean, added up in each cluster. `to_numpy` drops the index of the
    # clusters, which may differ from that of the values: both are in the same order.
    within = (values.astype(float) - mean).groupby(clusters.to_numpy()).sum()
    count = len(within)
    if count < 2:
        return mean, float("nan"), 0
    error = np.sqrt(count / (count - 1) * float((within**2).sum())) / len(values)
    return mean, float(error), count - 1


def interval(row: Mapping[Any, Any], name: str, form: str = ".2f") -> str:
    """Format an estimate and its interval, such as `0.65 (0.61 to 0.69)`."""
    mean, low, high = (
        format_signed(float(row[f"{name}{end}"]), form) for end in ("", " low", " high")
    )
    return f"{mean} ({low} to {high})"


def ends(table: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Return a long table with three rows an estimate: the estimate, its low and its high end.

    The number is in the column `value`, and the name of the estimate, one of `names`, in `measure`.
    All other columns and the index of the table are repeated. Seaborn draws the rows with `BARS`.
    """
    flat = table.reset_index()
    # The three columns of each estimate, which become three rows.
    columns = {name: [name, f"{name} low", f"{name} high"] for name in names}
    # All other columns, whose values are repeated in these rows.
    keys = flat.columns.difference([*chain.from_iterable(columns.values())])
    parts = {name: flat.melt(list(keys), columns[name]) for name in names}
    rows = pd.concat(parts, names=["measure"])
    # The column `variable` of `melt` has the name of the column from which a value was taken.
    return rows.reset_index("measure").drop(columns="variable")
