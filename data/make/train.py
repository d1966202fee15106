"""Train the weights of `kalahlab.evaluators.learned` on perfect play, and write them to a file.

    python data/make/train.py data/learned.json [--without FILE]
    python data/make/train.py data/learned_random.json --random ...

Needs the extra `fit`. The positions are those of `DRAWS`: after some random moves, a game is
played by two players that are drawn for it, some of them strong, some of them random. Each of its
positions with a choice gives the positions after its moves, siblings, which an evaluator has to put
into order. Their values are exact.

The two tables are fitted to exact values by ridge regression. The network is trained by Adam, also
for its use: to the squared error, the loss adds the regret of a player who chooses among siblings
with probabilities that grow with the network's values (a softmax, one stone a unit). A search of
several sows compares positions that are not siblings; therefore the error counts, too. The last
layer has the weights 1 and -1, so only the rows and the biases are learned. A row of the network
for a band of stones in play is the sum of a row that all bands share and one for this band alone:
so what all bands have in common is learned from all positions.

The training takes some six minutes. To label one of the six draws for the largest board takes some
minutes of processor time, with an endgame database of 30 stones (11.1 GB); `--workers` labels
several draws at once.

The same seed gives the same bytes on one machine with the same libraries. Elsewhere a sum may be
rounded in another way, and a weight may differ in its last place.
"""

import argparse
from collections.abc import Callable, Container, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from kalahlab import engine
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.evaluators.learned import BAND, CAP, COLUMNS, LANE, NETWORKS, STEPS, UNITS, ZERO
from kalahlab.files import atomic_write
from kalahlab.formatting import to_json
from kalahlab.games.kalah import Kalah, State, side, stones_in_play
from kalahlab.games.rules import PRESETS
from kalahlab.judging.solved_positions import load_positions
from kalahlab.search import Depth
from kalahlab.solver.endgame.database import open_database
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.ledger import normalize_position

MISTAKES = (0.0, 0.05, 0.1, 0.2, 0.4, 1.0)
DEPTHS = (1, 1, 2, 3, 4, 6)
JUDGES = ("store_difference", "fitted", "fitted", "e3")
"""The properties from which players are drawn: their shares of random moves, their depths in sows,
and their evaluators."""

RANDOM_PLIES = 12
"""The most random moves at the start of a game; the least is 1."""

TABLE_BYTES = 1 << 27

Numbers = NDArray[np.int64]
Floats = NDArray[np.float32]
Weights = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Draw:
    """Games of Kalah(pits, stones), drawn by a seed, and the share of their positions to take.

    Attributes:
        pits: Pits a side.
        stones: Stones a pit at the start.
        games: The number of games.
        seed: The seed.
        most_stones: Positions with at most this number of stones in play are all taken.
        shares: The shares that are taken of positions with one stone more, with two, and so on.
        database_stones: The size of the endgame database. Values do not depend on it, but their
            time does.
        rules: The name of a preset.
        mistakes: The shares of random moves that players can have.
    """

    pits: int
    stones: int
    games: int
    seed: int
    most_stones: int
    shares: tuple[float, ...] = ()
    database_stones: int = 24
    rules: str = "standard"
    mistakes: tuple[float, ...] = MISTAKES

    def share(self, count: int) -> float:
        """Return the share that is taken of positions with `count` stones in play."""
        excess = count - self.most_stones
        if excess <= 0:
            return 1.0
        if excess > len(self.shares):
            return 0.0
        return self.shares[excess - 1]


SHARES = (0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.06, 0.03, 0.008, 0.004)
"""The `Draw.shares` of large boards: with each stone more, labels take nearly twice the time."""

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
"""The draws, by pits a side."""

RANDOM_DRAWS = {6: [replace(draw, mistakes=(1.0,)) for draw in DRAWS[6][:2]]}
"""The same for `learned_random`: all moves are random."""

EPOCHS = 20
"""The number of times that each position is seen."""

BATCH = 1024
RATE = 0.03
"""The rate of Adam's first steps; it falls to 0 like a cosine."""

SQUARES, REGRETS = 2.0, 2.0
"""The weights of the squared error and of the regret in the loss."""

MOST_REGRET = 10
"""A larger regret counts as this number of stones."""

PENALTY = 1.0
"""The penalty of ridge regression."""

HELD_OUT = 0.03
"""The share of the positions that is held out: those of the last games."""


class Siblings(NamedTuple):
    """Positions, a row each, ordered by parents.

    Attributes:
        pits: The mover's pits and then the opponent's, each from its player's left.
        value: The stones that the mover banks from here on, less those of the opponent.
        again: Whether the parent's mover moves again.
        banked: The stones banked by the move to the position.
        counts: The number of rows of each parent.
    """

    pits: Numbers
    value: Numbers
    again: NDArray[np.bool_]
    banked: Numbers
    counts: Numbers

    @property
    def starts(self) -> Numbers:
        """The first row of each parent."""
        return np.cumsum(self.counts) - self.counts

    @property
    def parent(self) -> Numbers:
        """The number of each row's parent."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @property
    def worth(self) -> Numbers:
        """The value of the move to each position for the parent's mover, from the parent on."""
        return self.banked + np.where(self.again, self.value, -self.value)

    @property
    def regret(self) -> Numbers:
        """The stones that the move to each position gives up."""
        worth = self.worth
        return np.maximum.reduceat(worth, self.starts)[self.parent] - worth

    @property
    def is_terminal(self) -> NDArray[np.bool_]:
        """The mask of the positions in which the game is over."""
        mover, opponent = np.split(self.pits != 0, 2, axis=1)
        return np.asarray(~(mover.any(1) & opponent.any(1)))

    def with_estimates(self, estimates: NDArray[Any]) -> "Siblings":
        """Return a copy with an evaluator's values where the game is not over."""
        return self._replace(value=np.where(self.is_terminal, self.value, estimates))

    def of(self, parents: Numbers) -> "Siblings":
        """Return the siblings of some parents, given by their numbers."""
        counts = self.counts[parents]
        offsets = self.starts[parents] - np.cumsum(counts) + counts
        rows = np.repeat(offsets, counts) + np.arange(counts.sum())
        return Siblings(
            self.pits[rows], self.value[rows], self.again[rows], self.banked[rows], counts
        )


def sample_positions(draw: Draw, excluded: Container[State] = ()) -> Iterator[State]:
    """Yield the positions of a draw, no two with the same pits.

    Positions in `excluded`, in the form of `normalize_position`, are left out, and so are those
    from which a move leads there.
    """
    game = Kalah(draw.pits, draw.stones, PRESETS[draw.rules])
    rng = Random(draw.seed)
    seen = set()
    for _ in range(draw.games):
        players = [_player(game, rng, draw.mistakes) for _ in range(2)]
        state = game.start()
        random_plies = rng.randint(1, RANDOM_PLIES)
        for ply in count():
            if game.is_over(state):
                break
            moves = game.moves(state)
            move = rng.choice(moves) if ply < random_plies else players[state.player](state)
            if len(moves) > 1 and rng.random() < draw.share(stones_in_play(state.board)):
                position = normalize_position(state)[0]
                children = [normalize_position(game.play(state, pit))[0] for pit in moves]
                is_excluded = any(member in excluded for member in (position, *children))
                if position not in seen and not is_excluded:
                    seen.add(position)
                    yield state
            state = game.play(state, move)


def _player(game: Kalah, rng: Random, shares: tuple[float, ...]) -> Callable[[State], int]:
    """Draw a player, which moves at random with one of the shares."""
    mistakes, depth = rng.choice(shares), rng.choice(DEPTHS)
    evaluator = EVALUATORS[rng.choice(JUDGES)]

    def choose(state: State) -> int:
        moves = game.moves(state)
        if len(moves) == 1:
            return moves[0]
        if rng.random() < mistakes:
            return rng.choice(moves)
        return int(engine.alpha_beta(game, state, evaluator, Depth(depth)).move)

    return choose


def siblings(draw: Draw, folder: Path | None = None, excluded: Container[State] = ()) -> Siblings:
    """Return the positions after the moves of each position of a draw, see `sample_positions`.

    `folder` is the folder of endgame databases, by default in the user's cache.
    """
    game = Kalah(draw.pits, draw.stones, PRESETS[draw.rules])
    rows, counts = [], []
    with open_solver(
        draw.pits,
        game.rules,
        database_stones=draw.database_stones,
        table_bytes=TABLE_BYTES,
        workers=1,
        folder=folder,
    ) as solver:
        for state in sample_positions(draw, excluded):
            mover, moves = state.player, game.moves(state)
            before = store_difference(state.board, mover)
            for pit in reversed(moves):
                after = game.play(state, pit)
                banked = store_difference(after.board, mover) - before
                value = solver.value(after) - store_difference(*after)
                pits = side(after.board, after.player) + side(after.board, 1 - after.player)
                rows.append((*pits, value, after.player == mover, banked))
            counts.append(len(moves))
    *columns, values, again, stones = np.array(rows, np.int64).T
    return Siblings(np.column_stack(columns), values, again != 0, stones, np.array(counts))


def pit_columns(pits: Numbers) -> Numbers:
    """Return for each position (a row of pits) its columns in a table by pit and count."""
    return np.asarray(np.minimum(pits, CAP) + COLUMNS * np.arange(pits.shape[1]))


def pair_columns(pits: Numbers) -> Numbers:
    """Return for each position its columns in tables of pairs, in the order of `pit_pairs`."""
    mover, opponent = np.split(np.minimum(pits, CAP), 2, axis=1)
    firsts = np.hstack([mover, mover[:, :-1], opponent[:, :-1]])
    seconds = np.hstack([opponent[:, ::-1], mover[:, 1:], opponent[:, 1:]])
    return np.asarray(firsts * COLUMNS + seconds + COLUMNS**2 * np.arange(firsts.shape[1]))


def one_hot(columns: Numbers, width: int) -> csr_matrix:
    """Return a matrix with ones in the given columns of each row."""
    rows, ones_a_row = columns.shape
    ones = np.ones(rows * ones_a_row, np.float32)
    ends = np.arange(0, rows * ones_a_row + 1, ones_a_row)
    return csr_matrix((ones, columns.ravel(), ends), (rows, width))


def fit_table(sample: Siblings, columns: Callable[[Numbers], Numbers], width: int) -> Numbers:
    """Fit a table and return its numbers in STEPS-ths, a row of `width` for each pit or pair.

    The numbers of empty pits are 0.
    """
    from sklearn.linear_model import Ridge  # here, because it takes a second to load

    live = ~sample.is_terminal
    ones = columns(sample.pits[live])
    matrix = one_hot(ones, width * ones.shape[1]).astype(float)  # counts go into the millions
    has_stones = np.arange(matrix.shape[1]) % width != 0
    ridge = Ridge(PENALTY, fit_intercept=False, solver="cholesky")
    ridge.fit(matrix[:, has_stones], sample.value[live])
    weights = np.zeros(matrix.shape[1])
    weights[has_stones] = ridge.coef_
    return np.round(weights * STEPS).astype(int).reshape(-1, width)


def features(pits: Numbers) -> tuple[csr_matrix, csr_matrix]:
    """Return for each position its numbers, in shared columns and in its band's, and its band."""
    columns, width = pit_columns(pits), pits.shape[1] * COLUMNS
    bands = np.minimum(np.minimum(pits, CAP).sum(1, keepdims=True) // BAND, NETWORKS - 1)
    both = np.hstack([columns, columns + width * (1 + bands)])
    return one_hot(both, width * (1 + NETWORKS)), one_hot(bands, NETWORKS)


class Network:
    """The networks of a board in training: their rows and biases, in stones.

    A unit of the first half and the unit at the same place in the second half have the same bias,
    so that the value of an empty board is 0.
    """

    def __init__(self, pits: int, rng: np.random.Generator) -> None:
        self.signs = np.repeat(np.array([1, -1], np.float32), UNITS // 2)
        rows = np.zeros(((1 + NETWORKS) * 2 * pits * COLUMNS, UNITS), np.float32)
        rows[: 2 * pits * COLUMNS] = rng.normal(0, 0.2, (2 * pits * COLUMNS, UNITS))
        self.weights = [rows, np.ones((NETWORKS, UNITS // 2), np.float32)]
        self.means = [np.zeros_like(array) for array in self.weights]
        self.squares = [np.zeros_like(array) for array in self.weights]
        self.steps = 0
        self.weights[0][::COLUMNS] = 0  # a pit without stones adds nothing

    def values(self, pits: Numbers) -> Floats:
        """Return the network's values of positions, and store its sums for `step`."""
        rows, bias = self.weights
        self.numbers, self.bands = features(pits)
        self.sums = self.numbers @ rows + self.bands @ np.tile(bias, 2)
        return np.asarray(np.maximum(self.sums, 0) @ self.signs)

    def step(self, slope: Floats, rate: float) -> None:
        """Make a step of Adam; `slope` is that of the loss by each of the last `values`."""
        by_sum = np.outer(slope, self.signs)
        by_sum[self.sums <= 0] = 0
        by_pairs = sum(np.hsplit(by_sum, 2))
        slopes = [np.asarray(self.numbers.T @ by_sum), np.asarray(self.bands.T @ by_pairs)]
        self.steps += 1
        for i, gradient in enumerate(slopes):
            self.means[i] += 0.1 * (gradient - self.means[i])
            self.squares[i] += 0.001 * (gradient * gradient - self.squares[i])
            mean = self.means[i] / (1 - 0.9**self.steps)
            size = np.sqrt(self.squares[i] / (1 - 0.999**self.steps)) + 1e-8
            self.weights[i] -= (rate * mean / size).astype(np.float32)
        self.weights[0][::COLUMNS] = 0

    def whole(self) -> list[Weights]:
        """Return the numbers of each network in STEPS-ths of a stone.

        Raises:
            ValueError: A sum may leave its lane.
        """
        shared, *rows_of_bands = np.split(self.weights[0], 1 + NETWORKS)
        networks = []
        for rows_of_band, bias_of_band in zip(rows_of_bands, self.weights[1], strict=True):
            rows = np.round((shared + rows_of_band) * STEPS).astype(int)
            bias = np.round(np.tile(bias_of_band, 2) * STEPS).astype(int)
            check_lanes(rows, bias)
            networks.append({"bias": bias.tolist(), "rows": rows.tolist()})
        return networks


def check_lanes(rows: Numbers, bias: Numbers) -> None:
    """Raise `ValueError` if the sum of a unit, or of all units of a lane, may not fit into it."""
    pits = rows.reshape(-1, COLUMNS, UNITS)
    least, most = bias + pits.min(1).sum(0), bias + pits.max(1).sum(0)
    if max(-least.min(), most.max()) >= ZERO:
        raise ValueError(f"sums from {least.min()} to {most.max()} do not fit into a lane")
    # The sum of the positive parts of numbers is at least the positive part of their sum. In each
    # half, every second unit has the same lane.
    above = np.maximum(pits, 0).reshape(*pits.shape[:2], 2, -1, 2).sum(3).max(1).sum(0)
    above += np.maximum(bias, 0).reshape(2, -1, 2).sum(1)
    if above.max() >= 1 << LANE:
        raise ValueError(f"what the units of a lane say, up to {above.max()}, does not fit into it")


def slope_of_loss(part: Siblings, estimates: Floats) -> Floats:
    """Return the derivative of the loss of a batch by the network's value of each position."""
    parent, parents = part.parent, len(part.counts)
    estimated = part.with_estimates(estimates)
    worth = estimated.worth
    probability = np.exp(worth - np.maximum.reduceat(worth, part.starts)[parent])
    probability /= np.add.reduceat(probability, part.starts)[parent]
    regret = np.minimum(part.regret, MOST_REGRET)
    expected = np.add.reduceat(probability * regret, part.starts)[parent]
    by_worth = probability * (regret - expected) / parents
    slope = REGRETS * np.where(part.again, by_worth, -by_worth)
    slope += SQUARES * 2 * (estimated.value - part.value) / len(estimates)
    return np.asarray(slope * ~part.is_terminal, np.float32)


def scores(sample: Siblings, estimates: NDArray[Any]) -> dict[str, float]:
    """Score the moves with the best estimates, each of several equal ones being as likely.

    Returns:
        `optimal`, the share of moves that give up nothing; `regret`, the mean; `r2`, of the
        estimates where the game is not over.
    """
    live = ~sample.is_terminal
    worth = sample.with_estimates(estimates).worth
    best = worth == np.maximum.reduceat(worth, sample.starts)[sample.parent]
    ties = np.add.reduceat(best, sample.starts)
    regret = sample.regret
    optimal = np.add.reduceat(best & (regret == 0), sample.starts) / ties
    stones = np.add.reduceat(best * regret, sample.starts) / ties
    errors = (estimates - sample.value)[live]
    r2 = 1 - np.mean(errors**2) / np.var(sample.value[live])
    result = {"optimal": optimal.mean(), "regret": stones.mean(), "r2": r2}
    return {name: round(float(number), 4) for name, number in result.items()}


def all_siblings(
    draws: Sequence[Draw],
    folder: Path | None = None,
    workers: int = 1,
    excluded: Container[State] = (),
) -> Siblings:
    """Return the siblings of all draws, in their order."""
    for draw in draws:  # first, because all processors work together on a database
        open_database(draw.pits, draw.database_stones, PRESETS[draw.rules], folder=folder)
    with ProcessPoolExecutor(workers) as pool:
        samples = pool.map(partial(siblings, folder=folder, excluded=excluded), draws)
        return Siblings(*map(np.concatenate, zip(*samples, strict=True)))


def train(sample: Siblings, epochs: int, seed: int = 0) -> tuple[Weights, list[dict[str, float]]]:
    """Train on boards of one size and return the weights and the learning curve.

    The curve holds the `scores` after each epoch on positions that the network never saw.
    """
    first = round(len(sample.counts) * (1 - HELD_OUT))
    seen, unseen = map(sample.of, np.split(np.arange(len(sample.counts)), [first]))
    network = Network(seen.pits.shape[1] // 2, np.random.default_rng(seed))
    rng = np.random.default_rng(seed)
    curve = list[dict[str, float]]()
    batches = max(1, first // BATCH)
    for epoch in range(epochs):
        order = rng.permutation(first)
        for batch in range(batches):
            part = seen.of(np.sort(order[batch * BATCH : (batch + 1) * BATCH]))
            slope = slope_of_loss(part, network.values(part.pits))
            done = (epoch * batches + batch) / (epochs * batches)
            network.step(slope, RATE * (1 + np.cos(np.pi * done)) / 2)
        curve.append({"epoch": epoch + 1, **scores(unseen, network.values(unseen.pits))})
        print(to_json(curve[-1]), flush=True)
    weights = {
        "pit_table": fit_table(seen, pit_columns, COLUMNS).tolist(),
        "pit_pairs": fit_table(seen, pair_columns, COLUMNS**2).tolist(),
        "network": network.whole(),
    }
    return weights, curve


def main() -> None:
    """Train the weights."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the JSON file")
    parser.add_argument("--seed", type=int, default=0, help="of the training")
    parser.add_argument("--without", type=Path, help="a file of judged positions to leave out")
    parser.add_argument("--databases", type=Path, help="the folder of endgame databases")
    parser.add_argument("--workers", type=int, default=1, help="draws to label at once")
    parser.add_argument("--random", action="store_true", help="on games at random: `RANDOM_DRAWS`")
    args = parser.parse_args()
    judged = load_positions(args.without) if args.without else []
    excluded = {normalize_position(row.state)[0] for row in judged}
    result: Weights = {"pit_table": [], "pit_pairs": [], "network": []}
    curves, counts = {}, {}
    draws_by_pits = RANDOM_DRAWS if args.random else DRAWS
    for pits, draws in draws_by_pits.items():
        sample = all_siblings(draws, args.databases, args.workers, excluded)
        counts[pits] = len(sample.value)
        weights, curves[pits] = train(sample, EPOCHS, args.seed)
        for name, numbers in weights.items():
            result[name].append(numbers)
    result["curves"] = curves
    result["made_from"] = {
        "positions": counts,
        "seed": args.seed,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": version("scikit-learn"),
    }
    with atomic_write(args.out) as part:
        part.write_text(to_json(result, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
