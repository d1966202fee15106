"""Would 4 bits a position pay in the endgame database? Saturated shares, and nodes by its stones.

    python benchmarks/density.py [FILE ...] [--stones 17 20]

FILE: databases as `kalahlab solve` keeps them. Of their highest layers, by stones in play: the
share of values that 4 bits cannot hold. Within a layer values are all even or all odd, so that 15
codes hold 14 stones to both sides of a middle, which is 0 or the layer's median. Then the nodes
that refute "at least 10" for (6,4), by the database's stones, and what the layouts hold in memory.
"""

import argparse
import json
import subprocess
import sys
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

PAGE, PAGES = 4096, 400
HALF = 14
"""Stones to each side of the middle that 15 codes hold."""

WHOLE = 28
"""Layers up to so many stones stay a byte a position."""

NODES = """
import json, sys, numpy as np
from kalahlab.engine.endgame.database import build
from kalahlab.engine.solver.provers import Prover
from kalahlab.games.kalah import Kalah
for stones in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
    prover = Prover(build(6, stones), 1 << 20, 1)
    print(json.dumps([stones, prover.ask(Kalah(6, 4).start(), 10, 0, np.zeros(8, np.int64)).nodes]))
"""


def positions(pits: int, stones: int) -> int:
    return comb(stones + 2 * pits, 2 * pits)


def layer(path: Path, pits: int, total: int, most: int) -> NDArray[np.int8]:
    """Pages drawn from the layer of `total` stones."""
    begin = path.stat().st_size - positions(pits, most)
    first, last = positions(pits, total - 1), positions(pits, total) - PAGE
    drawn = np.random.default_rng(total).integers(first, max(first + 1, last), PAGES)
    values = np.memmap(path, np.int8, "r", offset=begin)
    return np.concatenate([values[at : at + PAGE] for at in drawn])


def saturated(path: Path) -> None:
    """Print the shares of a database's six highest layers."""
    _, pits, *_, most = path.stem.split("-")
    for total in range(max(1, int(most) - 5), int(most) + 1):
        values = layer(path, int(pits), total, int(most)).astype(int)
        shares = [np.mean(abs(values - middle) > HALF) for middle in (0, np.median(values))]
        print(f"{path.name}: {total} stones: {shares[0]:.3f}, around the median {shares[1]:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--stones", nargs=2, type=int, default=(17, 20))
    given = parser.parse_args()
    for path in given.files:
        saturated(path)
    command = [sys.executable, "-c", NODES, *map(str, given.stones)]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    before = 0
    for stones, nodes in map(json.loads, found):
        less = f", {before / nodes:.2f} times fewer" if before else ""
        print(f"(6,4) with {stones} stones: {nodes:,} nodes{less}")
        before = nodes
    for stones in range(30, 36):
        whole, base = positions(6, stones) / 1e9, positions(6, WHOLE) / 1e9
        halved = base + (whole - base) / 2
        print(f"{stones} stones: {whole:.1f} GB of bytes, {halved:.1f} GB of 4 bits")


if __name__ == "__main__":
    main()
