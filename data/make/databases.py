"""Make `data/databases.csv`: the size and the SHA-256 of each endgame database's file.

python data/make/databases.py data/databases.csv 28

A database of fewer stones is a beginning of one of more, so the largest is built alone.
"""

import csv
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from kalahlab.engine.endgame.database import Database, checksums, open_database
from kalahlab.engine.endgame.layout import layout, positions
from kalahlab.files import atomic_write
from kalahlab.games.kalah import PRESETS, Kalah

Row = tuple[int, str, int, int, str]


def rows(pits: int, most: int) -> Iterator[Row]:
    """Pits, rules, stones, bytes and SHA-256 of each file of up to `most` stones."""
    for name, rules in PRESETS.items():
        values, digest, done = open_database(pits, most, rules).values, sha256(), 0
        for stones in range(1, most + 1):
            size = positions(pits, stones)
            digest.update(values[done:size].data)
            end = checksums(Database(Kalah(pits, 0, rules), layout(pits, stones), values[:size]))
            whole, done = digest.copy(), size
            whole.update(end)
            yield pits, name, stones, size + len(end), whole.hexdigest()


if __name__ == "__main__":
    with atomic_write(Path(sys.argv[1])) as part, part.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["pits", "rules", "stones", "bytes", "sha256"])
        out.writerows(rows(6, int(sys.argv[2])))
