"""Make a certificate of Kalah(6,6): a ledger with those of its lines that are needed.

python data/make/certificate.py data/ledger/kalah-6-standard.txt new/kalah-6-standard.txt

Each piece is proved anew, alone: a fresh table, an endgame database, and the rules. Its line tells
the nodes of that proof. Stopped, it goes on where it was.
"""

import argparse
import sys
import time
from pathlib import Path
from runpy import run_path

from tqdm import tqdm

from kalahlab.data import data_file
from kalahlab.engine.endgame.database import open_database
from kalahlab.engine.solver.ledger import Ledger, Line, game_of
from kalahlab.engine.solver.prover import Prover, no_counters
from kalahlab.files import atomic_write
from kalahlab.games.kalah import SOUTH, State

TABLE_ENTRIES = 1 << 23


def needed(file: Path) -> list[Line]:
    """The lines that the bounds of the start and its moves rest on, those of most stones first."""
    sys.setrecursionlimit(10_000)
    check = run_path(str(data_file("ledger/check.py")))
    checker, start = check["Checker"](check["read"](file), "empty" in file.stem), (6,) * 12
    lines = checker.basis(start)
    for _, after, *_ in check["first_moves"](checker, start):
        lines |= checker.basis(after)
    return [
        Line(State((*board[:6], 0, *board[6:], 0), SOUTH), *bound)
        for board, *bound in sorted(lines, key=lambda line: (-sum(line[0]), line))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ledger", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--database-stones", type=int, default=28)
    given = parser.parse_args()
    game = game_of(given.ledger)
    lines = needed(given.ledger)
    out = Ledger(given.out, resume=True)
    done = {line[:3]: line for line in out.pieces}
    prover = Prover(open_database(6, given.database_stones, game.rules), TABLE_ENTRIES)
    easy = sorted((line for line in lines if line.nodes), key=lambda line: line.nodes)
    for line in tqdm([line for line in easy if line[:3] not in done], unit="piece"):
        prover.tables.table[:] = 0
        yes = line.relation == ">="
        margin = line.margin + (not yes)
        found = prover.ask(line.state, margin, 0, no_counters())
        if found.bound is None or (found.bound >= margin) != yes:
            sys.exit(f"contradicted: {line}")
        done[line[:3]] = line._replace(nodes=found.nodes)
        out.add(done[line[:3]])
    print(f"{time.process_time():,.0f} seconds of processor time", flush=True)
    with atomic_write(given.out) as part:
        part.write_text("".join(f"{done.get(line[:3], line)}\n" for line in lines), "ascii")


if __name__ == "__main__":
    main()
