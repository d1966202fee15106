"""What do layers of 4 bits a position cost in the endgame database, and what do they gain?

    python benchmarks/density.py [FILE ...] [--stones 20] [--whole 16] [--positions 1000000]

FILE: databases as `kalahlab solve` keeps them, a byte a position. Of their highest layers, by
stones in play: the share of values that 15 codes, in steps of two, leave out, around 0 and around
the middle that leaves out fewest values of each row. Then (6, --stones) is built in bytes and with
4 bits above --whole stones: bytes, processor time, values that differ at random positions, and
what a search node takes with it. Then what the layouts hold in memory.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.endgame.database import Database, build, build_bytes
from kalahlab.engine.endgame.dense import middle_of
from kalahlab.engine.endgame.layout import WHOLE, layout, positions
from kalahlab.engine.memory import in_units
from kalahlab.engine.solver.provers import Prover, warm_up
from kalahlab.games.kalah import Kalah, State

ROWS = 40
"""Rows drawn from each block."""

HALF = 14
"""Stones to each side of the middle that 15 codes hold."""

NODES = 1 << 22


def left_out(values: NDArray[np.int8], total: int, most: int, pits: int) -> tuple[float, float]:
    """The shares of a layer: around 0, and around each row's own middle."""
    where, rng = layout(pits, most, most), np.random.default_rng(total)
    counts, size, found = np.zeros(256, np.int64), 0, np.zeros(2)
    for own in range(total + 1):
        rows, columns = (where.halves[n] for n in sorted((own, total - own)))
        block = values[where.blocks[total, own] :][: rows * columns].reshape(rows, columns)
        drawn = np.sort(rng.choice(rows, min(rows, ROWS), replace=False))
        for row in block[drawn].astype(np.int64):
            far = [abs(row - middle) > HALF for middle in (total % 2, middle_of(row, counts))]
            found += rows / len(drawn) * np.sum(far, axis=1)
        size += rows * columns
    return tuple(found / size)


def shares(path: Path) -> None:
    """Print what is left out of a database's highest layers."""
    _, pits, *_, most = path.stem.split("-")
    begin = path.stat().st_size - positions(int(pits), int(most))
    values = np.memmap(path, np.int8, "r", offset=begin)
    for total in range(max(1, int(most) - 3), int(most) + 1):
        zero, row = left_out(values, total, int(most), int(pits))
        print(f"{path.name}: {total} stones: {zero:.3f} around 0, {row:.3f} around the row's")


def built(count: int, whole: int) -> Database:
    """A database of 6 pits, and what it takes."""
    used = time.process_time()
    found = build(6, count, workers=1, whole=whole)
    used = time.process_time() - used
    prover = Prover(found, 1 << 18, 1)
    began = time.process_time()
    prover.bound(Kalah(6, 4).start(), 10, NODES)
    node = (time.process_time() - began) / prover.nodes
    prover.close()
    packed = max(1, positions(6, count) - positions(6, whole))
    print(
        f"(6) {count} stones, bytes up to {whole}: {sum(part.nbytes for part in found.values):,} "
        f"bytes, {used:.2f} s of processor time; {prover.nodes:,} nodes, {node * 1e9:.0f} ns each; "
        f"{found.values.others.size / packed:.2%} of the values with 4 bits left out",
        flush=True,
    )
    return found


def differing(one: Database, other: Database, count: int) -> int:
    """At how many of so many random positions with the most stones two databases differ."""
    rng, wrong = np.random.default_rng(1), 0
    for pebbles in rng.multinomial(other.stones, [1 / 12] * 12, count).tolist():
        state = State((*pebbles[:6], 0, *pebbles[6:], 0), 0)
        wrong += one.margin(state) != other.margin(state)
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--stones", type=int, default=20)
    parser.add_argument("--whole", type=int, default=16)
    parser.add_argument("--positions", type=int, default=1_000_000)
    given = parser.parse_args()
    for path in given.files:
        shares(path)
    warm_up()
    plain, dense = (built(given.stones, whole) for whole in (given.stones, given.whole))
    wrong = differing(plain, dense, given.positions)
    print(f"{given.positions:,} random positions with {given.stones} stones: {wrong} values differ")
    for stones in range(WHOLE + 1, 36):
        whole, halved = build_bytes(6, stones, stones), build_bytes(6, stones)
        print(f"{stones} stones: {in_units(whole)} in bytes, {in_units(halved)} with 4 bits")


if __name__ == "__main__":
    main()
