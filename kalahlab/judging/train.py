"""The weights of `kalahlab.evaluators.learned`: trained on perfect play, and kept as a file.

    python -m kalahlab.judging.train data/learned.json [--without FILE]
    python -m kalahlab.judging.train data/learned_random.json --random ...

Needs the extra `fit`. The positions are those of `DRAWS`. The two tables are fitted to exact values
by ridge regression. The network is trained by Adam on what it is for, too: to the squared error it
adds the regret of a player who prefers one of the siblings with probabilities that grow with what
the network says of them (a softmax, one stone a unit). A search of several sows compares positions
that are no siblings: so the error counts, too. The last layer has the weights 1 and -1; so all that
is learned is the rows and the biases. A row of the network for a band of stones in play is the sum
of one that all bands share and one of its own: what is alike in all bands is learned from all
positions.

The training takes some six minutes. Longer takes what is trained with: to label one of the six
draws for the largest board took some three minutes of processor time, with an endgame database of
30 stones (11.1 GB). `--workers` labels several draws at once.

The same seed gives the same bytes on one machine with the same libraries. Elsewhere a sum may be
rounded in another way, and a weight may differ in its last place.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import sklearn
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import Ridge

from kalahlab.engine.endgame.database import open_database
from kalahlab.evaluators.learned import BAND, CAP, COLUMNS, LANE, NETWORKS, STEPS, UNITS, ZERO
from kalahlab.files import atomic_write
from kalahlab.games.kalah import PRESETS
from kalahlab.judging.benchmark import pits_of_both
from kalahlab.judging.judged import read
from kalahlab.judging.siblings import Draw, Numbers, Siblings, joined, siblings

SHARES = (0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.06, 0.03, 0.008, 0.004)
"""The shares that are taken of positions with one stone more than all are taken of, two, and so on:
each stone more takes nearly twice the time to label."""

DRAWS = {
    4: [Draw(4, 4, 20000, seed, most_stones=32, database_stones=24) for seed in (105, 305)],
    5: [
        Draw(5, 5, 20000, seed, most_stones=32, shares=SHARES[:4], database_stones=26)
        for seed in (103, 303)
    ],
    6: [
        Draw(6, 4, 12500, seed, most_stones=36, shares=SHARES, database_stones=30)
        for seed in (102, 201, 203, 204, 205, 206)
    ],
}
"""By pits a side, what is drawn."""

RANDOM_DRAWS = {6: [replace(draw, mistakes=(1.0,)) for draw in DRAWS[6][:2]]}
"""The same for `learned_random`: all moves are random."""

EPOCHS = 20
"""How often each position is seen."""

BATCH = 1024
RATE = 0.03
"""Of Adam's steps, at first; it falls to 0 as a cosine."""

SQUARES, REGRETS = 2.0, 2.0
"""The weights of the squared error and of the regret in the loss."""

MOST_REGRET = 10
"""A larger regret, in stones, counts as this."""

PENALTY = 1.0
"""Of ridge regression."""

HELD_OUT = 0.03
"""The share of the positions, those of the last games, that is held out."""

Floats = NDArray[np.float32]
Weights = dict[str, Any]


def pit_columns(pits: Numbers) -> Numbers:
    """For each position (a row of pits) its columns in a table by pit and count."""
    return np.asarray(np.minimum(pits, CAP) + COLUMNS * np.arange(pits.shape[1]))


def pair_columns(pits: Numbers) -> Numbers:
    """For each position its columns in tables of pairs, in the order of `pit_pairs`."""
    count = np.minimum(pits, CAP)
    own, opp = np.split(count, 2, axis=1)
    firsts = np.hstack([own, own[:, :-1], opp[:, :-1]])
    seconds = np.hstack([opp[:, ::-1], own[:, 1:], opp[:, 1:]])
    return np.asarray(firsts * COLUMNS + seconds + COLUMNS**2 * np.arange(firsts.shape[1]))


def one_hot(columns: Numbers, width: int) -> csr_matrix:
    """A matrix with a 1 in each of a row's columns."""
    rows, each = columns.shape
    ends = np.arange(0, rows * each + 1, each)
    return csr_matrix((np.ones(rows * each, np.float32), columns.ravel(), ends), (rows, width))


def fitted_table(sample: Siblings, columns: Callable[[Numbers], Numbers], width: int) -> Numbers:
    """A table's numbers in STEPS-ths, a row of `width` a pit or pair; without stones 0."""
    live = ~sample.ended
    found = columns(sample.pits[live])
    whole = one_hot(found, width * found.shape[1]).astype(float)  # counts go into the millions
    stones = np.arange(whole.shape[1]) % width != 0
    ridge = Ridge(PENALTY, fit_intercept=False, solver="cholesky")
    ridge.fit(whole[:, stones], sample.value[live])
    weights = np.zeros(whole.shape[1])
    weights[stones] = ridge.coef_
    return np.round(weights * STEPS).astype(int).reshape(-1, width)


def features(pits: Numbers) -> tuple[csr_matrix, csr_matrix]:
    """A row a position: its numbers, in columns that bands share and in its own; and its band."""
    columns, width = pit_columns(pits), pits.shape[1] * COLUMNS
    bands = np.minimum(np.minimum(pits, CAP).sum(1, keepdims=True) // BAND, NETWORKS - 1)
    both = np.hstack([columns, columns + width * (1 + bands)])
    return one_hot(both, width * (1 + NETWORKS)), one_hot(bands, NETWORKS)


class Network:
    """The networks of a board while they are trained, in stones: their rows and biases.

    A unit of the first half and the one at the same place in the second half have the same bias:
    so empty pits are worth 0.
    """

    def __init__(self, pits: int, chance: np.random.Generator) -> None:
        self.signs = np.repeat(np.array([1, -1], np.float32), UNITS // 2)
        rows = np.zeros(((1 + NETWORKS) * 2 * pits * COLUMNS, UNITS), np.float32)
        rows[: 2 * pits * COLUMNS] = chance.normal(0, 0.2, (2 * pits * COLUMNS, UNITS))
        self.weights = [rows, np.ones((NETWORKS, UNITS // 2), np.float32)]
        self.means = [np.zeros_like(each) for each in self.weights]
        self.squares = [np.zeros_like(each) for each in self.weights]
        self.steps = 0
        self.weights[0][::COLUMNS] = 0  # a pit without stones adds nothing

    def values(self, pits: Numbers) -> Floats:
        """What the network says of positions; its sums are kept for `step`."""
        rows, bias = self.weights
        self.numbers, self.bands = features(pits)
        self.sums = self.numbers @ rows + self.bands @ np.tile(bias, 2)
        return np.asarray(np.maximum(self.sums, 0) @ self.signs)

    def step(self, slope: Floats, rate: float) -> None:
        """A step of Adam. slope: of the loss, by what `values` said of each position."""
        by_sum = np.outer(slope, self.signs) * (self.sums > 0)
        by_pairs = sum(np.hsplit(by_sum, 2))
        slopes = [np.asarray(self.numbers.T @ by_sum), np.asarray(self.bands.T @ by_pairs)]
        self.steps += 1
        for at, found in enumerate(slopes):
            self.means[at] += 0.1 * (found - self.means[at])
            self.squares[at] += 0.001 * (found * found - self.squares[at])
            mean = self.means[at] / (1 - 0.9**self.steps)
            size = np.sqrt(self.squares[at] / (1 - 0.999**self.steps)) + 1e-8
            self.weights[at] -= (rate * mean / size).astype(np.float32)
        self.weights[0][::COLUMNS] = 0

    def whole(self) -> list[Weights]:
        """The numbers of each network in STEPS-ths of a stone.

        Raises `ValueError` if a sum may leave its lane.
        """
        shared, *own = np.split(self.weights[0], 1 + NETWORKS)
        found = []
        for more, added in zip(own, self.weights[1], strict=True):
            each = shared + more, np.tile(added, 2)
            rows, bias = (np.round(numbers * STEPS).astype(int) for numbers in each)
            check_lanes(rows, bias)
            found.append({"bias": bias.tolist(), "rows": rows.tolist()})
        return found


def check_lanes(rows: Numbers, bias: Numbers) -> None:
    """Raises `ValueError` if a unit's sum, or what all units of a lane say, may not fit into it."""
    pits = rows.reshape(-1, COLUMNS, UNITS)
    least, most = bias + pits.min(1).sum(0), bias + pits.max(1).sum(0)
    if max(-least.min(), most.max()) >= ZERO:
        raise ValueError(f"sums from {least.min()} to {most.max()} do not fit into a lane")
    # Added up, what is above 0 of each number is no less than what is above 0 of the sum. Of a
    # half every second unit has the same lane.
    above = np.maximum(pits, 0).reshape(*pits.shape[:2], 2, -1, 2).sum(3).max(1).sum(0)
    above += np.maximum(bias, 0).reshape(2, -1, 2).sum(1)
    if above.max() >= 1 << LANE:
        raise ValueError(f"what the units of a lane say, up to {above.max()}, does not fit into it")


def slope_of_loss(part: Siblings, said: Floats) -> Floats:
    """How the loss of a batch grows with what the network says of each position."""
    parent, count = part.parent, len(part.starts)
    live, value, worth = part.estimated(said)
    likely = np.exp(worth - np.maximum.reduceat(worth, part.starts)[parent])
    likely /= np.add.reduceat(likely, part.starts)[parent]
    regret = np.minimum(part.regret, MOST_REGRET)
    expected = np.add.reduceat(likely * regret, part.starts)[parent]
    by_worth = likely * (regret - expected) / count
    slope = REGRETS * np.where(part.again, by_worth, -by_worth)
    slope += SQUARES * 2 * (value - part.value) / len(said)
    return np.asarray(slope * live, np.float32)


def scores(sample: Siblings, said: NDArray[Any]) -> dict[str, float]:
    """How good the moves are that lead to what looks best: optimal, their share, and regret.

    One of the equal best is played, each as likely. r2: of the values, of games that are not over.
    """
    live, _, worth = sample.estimated(said)
    best = worth == np.maximum.reduceat(worth, sample.starts)[sample.parent]
    ties = np.add.reduceat(best, sample.starts)
    regret = sample.regret
    optimal = np.add.reduceat(best & (regret == 0), sample.starts) / ties
    stones = np.add.reduceat(best * regret, sample.starts) / ties
    errors = (said - sample.value)[live]
    r2 = 1 - np.mean(errors**2) / np.var(sample.value[live])
    found = {"optimal": optimal.mean(), "regret": stones.mean(), "r2": r2}
    return {name: round(float(number), 4) for name, number in found.items()}


def without(sample: Siblings, excluded: set[bytes]) -> Siblings:
    """The sample less the parents whose pits, or those of any of their children, are excluded."""
    children, parents = (
        np.array([row.tobytes() in excluded for row in pits.astype(np.int8)])
        for pits in (sample.pits, sample.parents)
    )
    return sample.of(np.flatnonzero(~(np.logical_or.reduceat(children, sample.starts) | parents)))


def all_siblings(draws: Sequence[Draw], folder: Path | None, workers: int) -> list[Siblings]:
    """The siblings of each draw. The databases are made first, by all processors together."""
    for draw in draws:
        open_database(draw.pits, draw.database_stones, PRESETS[draw.rules], folder=folder)
    with ProcessPoolExecutor(workers) as pool:
        return [*pool.map(partial(siblings, folder=folder), draws)]


def train(sample: Siblings, epochs: int, seed: int = 0) -> tuple[Weights, list[dict[str, float]]]:
    """The weights for boards of one size, and the network's learning curve.

    The curve: the `scores`, after each epoch, on positions that the network never saw.
    """
    first = round(len(sample.starts) * (1 - HELD_OUT))
    seen, unseen = map(sample.of, np.split(np.arange(len(sample.starts)), [first]))
    network = Network(seen.pits.shape[1] // 2, np.random.default_rng(seed))
    chance, curve = np.random.default_rng(seed), list[dict[str, float]]()
    batches = max(1, first // BATCH)
    for epoch in range(epochs):
        order = chance.permutation(first)
        for at in range(batches):
            part = seen.of(np.sort(order[at * BATCH : (at + 1) * BATCH]))
            said = network.values(part.pits)
            done = (epoch * batches + at) / (epochs * batches)
            network.step(slope_of_loss(part, said), RATE * (1 + np.cos(np.pi * done)) / 2)
        curve.append({"epoch": epoch + 1, **scores(unseen, network.values(unseen.pits))})
        print(json.dumps(curve[-1]), flush=True)
    weights = {
        "pit_table": fitted_table(seen, pit_columns, COLUMNS).tolist(),
        "pit_pairs": fitted_table(seen, pair_columns, COLUMNS**2).tolist(),
        "network": network.whole(),
    }
    return weights, curve


def boards(path: Path) -> set[bytes]:
    """The pits of a file of judged positions, the mover's first, as `without` takes them."""
    return {np.array(pits_of_both(row.state), np.int8).tobytes() for row in read(path)}


def main() -> None:
    """Train the weights."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the JSON file")
    parser.add_argument("--seed", type=int, default=0, help="of the training")
    parser.add_argument("--without", type=Path, help="a file of judged positions to leave out")
    parser.add_argument("--databases", type=Path, help="the folder of endgame databases")
    parser.add_argument("--workers", type=int, default=1, help="how many draws to label at once")
    parser.add_argument("--random", action="store_true", help="on games at random: `RANDOM_DRAWS`")
    given = parser.parse_args()
    excluded = boards(given.without) if given.without else set()
    found: Weights = {"pit_table": [], "pit_pairs": [], "network": []}
    curves, counts = {}, {}
    for pits, draws in (RANDOM_DRAWS if given.random else DRAWS).items():
        sample = without(joined(all_siblings(draws, given.databases, given.workers)), excluded)
        counts[pits] = len(sample.value)
        weights, curves[pits] = train(sample, EPOCHS, given.seed)
        for name, numbers in weights.items():
            found[name].append(numbers)
    found["curves"] = curves
    found["made_from"] = {
        "positions": counts,
        "seed": given.seed,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }
    with atomic_write(given.out) as part:
        part.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
