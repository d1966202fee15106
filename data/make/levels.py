"""How well each level plays, on positions that are solved.

    python data/make/levels.py data/levels.csv

A level's move is a search's or, by its chance, one at random; both are known in each position, so
what it gives up there is computed, and not drawn. The last row is perfect play.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

import pandas as pd

from kalahlab.backends import SearchSpec
from kalahlab.estimates import estimates
from kalahlab.files import atomic_write
from kalahlab.games.kalah import PRESETS, Kalah
from kalahlab.judging.judged import Judged, read
from kalahlab.play import LEVELS, Level


def measured(sample: Sequence[Judged], levels: Mapping[str, Level] = LEVELS) -> pd.DataFrame:
    """A row a level: regret, the stones that a move gives up on average; optimal, the share of
    moves that give up none; `_low` and `_high`, the ends of the 95 % interval of each.

    Each position is from a game of its own, so it is a cluster of its own.
    """
    found = {name: [expected(row, level) for row in sample] for name, level in levels.items()}
    found["perfect"] = [(0.0, 1.0)] * len(sample)
    frames = {name: pd.DataFrame(each) for name, each in found.items()}
    costs = pd.concat(frames, names=["level"]).set_axis(["regret", "optimal"], axis=1)
    about = {name: [level.depth, level.chance] for name, level in levels.items()}
    table = pd.DataFrame(about, ["depth", "chance"], dtype=object).T.reindex([*found])
    table["positions"] = len(sample)
    for name in ("regret", "optimal"):
        table = table.join(estimates(costs, name, "level").drop(columns="p"))
    return table.rename_axis("level").rename(columns=lambda name: name.replace(" ", "_"))


def expected(row: Judged, level: Level) -> tuple[float, float]:
    """What the level's move in a position gives up on average, and how likely it is perfect."""
    spec = SearchSpec("alpha_beta", "store_difference", order="store_first")
    move = spec.search(Kalah(rules=PRESETS[row.rules]), row.state, level.depth).move
    every = [*map(row.regret, row.values)]
    regret, kept = row.regret(move), 1 - level.chance
    return (
        kept * regret + level.chance * fmean(every),
        kept * (regret == 0) + level.chance * every.count(0) / len(every),
    )


def main() -> None:
    """Measure the levels on the judged positions of `data/`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the CSV file")
    given = parser.parse_args()
    with atomic_write(given.out) as part:
        measured(read()).to_csv(part, float_format="%.3f", lineterminator="\n")


if __name__ == "__main__":
    main()
