"""Estimates with 95 % intervals, as tables: `x` stands beside `x low` and `x high`.

    by_depth = estimates(games, "regret", by="depth", cluster="game")
    interval(by_depth.loc[4], "regret", ".2f")  # "0.31 (0.28 to 0.34)"

Values of one cluster, such as the positions of a game, are alike: the clusters are the independent
units. The variance of their mean is the "sandwich" of Liang and Zeger (Biometrika 73, 1986), and
its interval Student's, as Cameron and Miller advise (J. Human Resources 50, 2015, section VI).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy.special import stdtr, stdtrit

from kalahlab.matches.rating import CERTAINTY, units
from kalahlab.trace import signed

# How seaborn draws `ends`: the estimate is the median, the bar goes from end to end.
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
    """An estimate of `value` for each group: columns `value`, `value low`, `value high`, `p`.

    by: the columns or index levels that make the groups, which keep their order. cluster: that of
    the independent units; by default each row is one. kind: a "mean", a "share" of zeros and ones
    (within 0 and 1), a "score" of points from 0 to 1 (Wilson's interval, see `matches.rating`) or a
    "geometric" mean. p: the probability of an estimate at least this far from `against` if that
    were true (by default 0, for a score 1/2, for a geometric mean 1); NaN for a share.
    """
    rows = frame.reset_index()
    rows["unit"] = rows[cluster] if cluster else rows.index
    groups = rows.groupby([by] if isinstance(by, str) else list(by), sort=False)
    names = [value, f"{value} low", f"{value} high", "p"]
    found = groups[[value, "unit"]].apply(
        lambda part: pd.Series(_estimate(part[value], part["unit"], kind, against), names)
    )
    return pd.DataFrame(found)


def _estimate(
    values: "pd.Series[Any]", clusters: "pd.Series[Any]", kind: Kind, against: float | None
) -> tuple[float, ...]:
    if kind == "geometric":
        *ends, p = _estimate(np.log(values), clusters, "mean", np.log(against or 1))
        return *np.exp(ends), p
    if kind == "score":
        openings = units(list(values), list(clusters))
        p = openings.p_value(0.5 if against is None else against)
        return openings.mean, *openings.interval(), p
    mean, error, freedom = clustered(values, clusters)
    reach = error * float(stdtrit(freedom, (1 + CERTAINTY) / 2)) if freedom else float("inf")
    if kind == "share":
        if mean in (0, 1):  # all are alike: Clopper and Pearson, Biometrika 26, 1934
            from scipy.stats import binomtest  # which takes long to load

            ends = binomtest(int(mean) * (freedom + 1), freedom + 1).proportion_ci(CERTAINTY)
            return mean, float(ends.low), float(ends.high), float("nan")
        return mean, max(0.0, mean - reach), min(1.0, mean + reach), float("nan")
    gap = abs(mean - (against or 0))
    p = float(2 * stdtr(freedom, -gap / error)) if error else float(gap == 0)
    return mean, mean - reach, mean + reach, p


def clustered(values: "pd.Series[Any]", clusters: "pd.Series[Any]") -> tuple[float, float, int]:
    """The mean of values, its standard error, and the degrees of freedom; 0 of one cluster."""
    mean = float(values.mean())
    within = (values.astype(float) - mean).groupby(clusters.to_numpy()).sum()
    count = len(within)
    if count < 2:
        return mean, float("nan"), 0
    error = np.sqrt(count / (count - 1) * float((within**2).sum())) / len(values)
    return mean, float(error), count - 1


def interval(row: Mapping[Any, Any], name: str, form: str = ".2f") -> str:
    """An estimate and its interval as text: `0.65 (0.61 to 0.69)`."""
    mean, low, high = (signed(float(row[f"{name}{end}"]), form) for end in ("", " low", " high"))
    return f"{mean} ({low} to {high})"


def ends(table: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Each estimate and both ends of its interval as rows of `value`, for seaborn with `BARS`. The
    column `measure` says which of `names` it is; the index of the table becomes columns."""
    flat = table.reset_index()
    columns = {name: [name, f"{name} low", f"{name} high"] for name in names}
    keys = flat.columns.difference([each for three in columns.values() for each in three])
    parts = {name: flat.melt(list(keys), three) for name, three in columns.items()}
    return pd.concat(parts, names=["measure"]).reset_index("measure").drop(columns="variable")
