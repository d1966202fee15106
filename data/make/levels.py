"""Measure each level on solved positions.

    python data/make/levels.py data/levels.csv

A level plays the move of a search or, with a given probability, a random move. Both are known in
each position, so the expected regret is computed, not sampled. The last row is perfect play.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

import pandas as pd

from kalahlab.files import atomic_write
from kalahlab.games.kalah import Kalah
from kalahlab.games.rules import PRESETS
from kalahlab.judging.solved_positions import SolvedPosition, load_positions
from kalahlab.matches.estimates import estimates
from kalahlab.players.levels import LEVELS, Level
from kalahlab.players.search_spec import SearchSpec


def measure_levels(
    sample: Sequence[SolvedPosition], levels: Mapping[str, Level] = LEVELS
) -> pd.DataFrame:
    """Return a row a level.

    Columns: depth; chance; positions; regret, the stones that a move gives up on average; optimal,
    the share of moves that give up none; `_low` and `_high`, the ends of the 95% interval of each.
    Each position is from another game, so it is a cluster.
    """
    frames = {}
    for name, level in levels.items():
        frames[name] = pd.DataFrame([expect_regret(row, level) for row in sample])
    frames["perfect"] = pd.DataFrame([(0.0, 1.0)] * len(sample))
    costs = pd.concat(frames, names=["level"]).set_axis(["regret", "optimal"], axis=1)
    settings = {name: [level.depth, level.chance] for name, level in levels.items()}
    table = pd.DataFrame(settings, ["depth", "chance"], dtype=object).T.reindex([*frames])
    table["positions"] = len(sample)
    for name in ("regret", "optimal"):
        table = table.join(estimates(costs, name, "level").drop(columns="p"))
    return table.rename_axis("level").rename(columns=lambda name: name.replace(" ", "_"))


def expect_regret(row: SolvedPosition, level: Level) -> tuple[float, float]:
    """Return the expected regret of a level's move in a position, and how likely it is perfect."""
    spec = SearchSpec("alpha_beta", "store_difference", order="store_first")
    move = spec.search(Kalah(rules=PRESETS[row.rules]), row.state, level.depth).move
    regret = row.regret(move)
    optimal = 1 if regret == 0 else 0
    all_regrets = [row.regret(pit) for pit in row.values]
    random_optimal = all_regrets.count(0)
    return (
        (1 - level.chance) * regret + level.chance * fmean(all_regrets),
        (1 - level.chance) * optimal + level.chance * random_optimal / len(all_regrets),
    )


def main() -> None:
    """Measure the levels on the judged positions of `data/`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the CSV file")
    args = parser.parse_args()
    with atomic_write(args.out) as part:
        measure_levels(load_positions()).to_csv(part, float_format="%.3f", lineterminator="\n")


if __name__ == "__main__":
    main()
