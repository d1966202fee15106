"""Make `data/databases.csv`: the size and the SHA-256 of each endgame database's file.

python data/make/databases.py data/databases.csv 28

The values of a smaller database are the first ones of a larger one, so only the largest is built.
"""

import csv
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from kalahlab.files import atomic_write
from kalahlab.games.kalah import Kalah
from kalahlab.games.supported import STORED
from kalahlab.solver.endgame.database import Database, checksums, open_database
from kalahlab.solver.endgame.layout import count_positions, layout

Row = tuple[int, str, int, int, str]


def rows(pits: int, most: int) -> Iterator[Row]:
    """Yield pits, rules, stones, bytes and SHA-256 of each file of up to `most` stones."""
    for name, rules in STORED.items():
        values = open_database(pits, most, rules).values
        digest = sha256()
        done = 0
        for stones in range(1, most + 1):
            size = count_positions(pits, stones)
            digest.update(values[done:size].data)
            end = checksums(Database(Kalah(pits, 0, rules), layout(pits, stones), values[:size]))
            done = size
            digest_of_file = digest.copy()
            digest_of_file.update(end)
            yield pits, name, stones, size + len(end), digest_of_file.hexdigest()


if __name__ == "__main__":
    with atomic_write(Path(sys.argv[1])) as part, part.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["pits", "rules", "stones", "bytes", "sha256"])
        writer.writerows(rows(6, int(sys.argv[2])))
