"""Count the nodes of the smallest trees that prove the values of positions near the start.

    python data/make/proof_nodes.py data/proof_nodes.csv

The positions are those of the page `08_pruning`.
"""

import csv
import sys
from pathlib import Path

from kalahlab import engine
from kalahlab.evaluators.kalah import store_difference
from kalahlab.experiments.proof_tree import count_proof_nodes
from kalahlab.files import atomic_write
from kalahlab.games.kalah import Kalah
from kalahlab.games.notation import format_board
from kalahlab.matches.openings import random_openings
from kalahlab.search import Depth

OPENINGS, SOWS, SEED = 23, 6, 1
DEPTHS = range(1, 9)  # in sows

if __name__ == "__main__":
    game = Kalah()
    states = [game.start(), *random_openings(game, OPENINGS, SOWS, SEED)]
    with atomic_write(Path(sys.argv[1])) as part, part.open("w", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["board", "depth", "value", "nodes"])
        for state in states:
            for depth in DEPTHS:
                value = engine.alpha_beta(game, state, store_difference, Depth(depth)).value
                nodes = count_proof_nodes(game, state, store_difference, depth, value, value)
                writer.writerow([format_board(state), depth, int(value), int(nodes)])
