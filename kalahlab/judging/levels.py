"""How well each level plays, on positions that are solved.

    python -m kalahlab.judging.levels data/levels.csv

A level's move is a search's or, by its chance, one at random; both are known in each position, so
what it gives up there is computed, and not drawn. The last row is perfect play.
"""

import argparse
import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from kalahlab.backends import SearchSpec
from kalahlab.files import atomic_write
from kalahlab.games.kalah import PRESETS, Kalah
from kalahlab.grid import Row
from kalahlab.judging.clusters import clustered_mean
from kalahlab.judging.judged import Judged, read
from kalahlab.play import LEVELS, Level

PERFECT = "perfect"
DIGITS = 3


def measured(sample: Sequence[Judged]) -> Iterator[Row]:
    """A row a level: regret, the stones that a move gives up on the mean; optimal, the share of
    moves that give up none; `_low` and `_high`, the ends of the 95 % interval of each."""
    for name, level in LEVELS.items():
        found = [expected(row, level) for row in sample]
        yield {
            "level": name,
            "depth": level.depth,
            "chance": level.chance,
            "positions": len(sample),
            **_mean("regret", [regret for regret, _ in found]),
            **_mean("optimal", [optimal for _, optimal in found]),
        }
    perfect = {"level": PERFECT, "positions": len(sample)}
    yield perfect | _mean("regret", [0.0] * len(sample)) | _mean("optimal", [1.0] * len(sample))


def expected(row: Judged, level: Level) -> tuple[float, float]:
    """What the level's move in a position gives up on the mean, and how likely it is perfect."""
    spec = SearchSpec("alpha_beta", "store_difference", order="store_first")
    move = spec.search(Kalah(rules=PRESETS[row.rules]), row.state, level.depth).move
    every = [row.regret(pit) for pit, worth in enumerate(row.moves) if worth is not None]
    regret, kept = row.regret(move), 1 - level.chance
    return (
        kept * regret + level.chance * fmean(every),
        kept * (regret == 0) + level.chance * every.count(0) / len(every),
    )


def _mean(name: str, values: Sequence[float]) -> Row:
    """The mean and its interval; each position is from a game of its own."""
    columns = name, f"{name}_low", f"{name}_high"
    ends = zip(columns, clustered_mean(values, range(len(values))), strict=True)
    return {key: f"{value:.{DIGITS}f}" for key, value in ends}


def main() -> None:
    """Measure the levels on the judged positions of `data/`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the CSV file")
    given = parser.parse_args()
    rows = list(measured(read()))
    with atomic_write(given.out) as part, part.open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


if __name__ == "__main__":
    main()
