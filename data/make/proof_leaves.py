"""Count the leaves of the smallest proofs of values in six variations of Kalah.

    python data/make/proof_leaves.py data/proof_leaves.csv

The positions are those of the depth ratios on the page `08_pruning`.
"""

import csv
import sys
from itertools import product
from pathlib import Path

from kalahlab import engine
from kalahlab.evaluators.kalah import store_difference
from kalahlab.experiments.proof_tree import count_proof_nodes
from kalahlab.files import atomic_write
from kalahlab.games.kalah import Kalah
from kalahlab.games.notation import format_board
from kalahlab.games.rules import Rules
from kalahlab.matches.openings import random_openings
from kalahlab.search import Depth

OPENINGS, SOWS, SEED = 9, 6, 1
STONES = (3, 4, 6)  # in each of six pits
DEPTHS = range(1, 7)  # in sows


def count_leaves(game: Kalah, state: object, depth: int) -> int:
    """Return the least number of leaves that prove the value of a position."""
    value = engine.alpha_beta(game, state, store_difference, Depth(depth)).value
    return int(count_proof_nodes(game, state, store_difference, depth, value, value, weight=0))


if __name__ == "__main__":
    with atomic_write(Path(sys.argv[1])) as part, part.open("w", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["stones", "extra_turns", "board", "depth", "leaves"])
        for extra_turns, stones in product((True, False), STONES):
            game = Kalah(6, stones, Rules(again_on_store=extra_turns))
            states = [game.start(), *random_openings(game, OPENINGS, SOWS, SEED)]
            for state, depth in product(states, DEPTHS):
                leaves = count_leaves(game, state, depth)
                writer.writerow([stones, extra_turns, format_board(state), depth, leaves])
