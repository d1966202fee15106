"""The weights of `kalahlab.evaluators.learned`: trained on perfect play, and kept as a file.

    python data/make/train.py data/learned.json [--without FILE]
    python data/make/train.py data/learned_random.json --random ...

Needs the extra `fit`. The positions are those of `DRAWS`: a game is played by two players that are
drawn for it, some of them strong, some of them random, after some random moves. Each of its
positions with a choice gives the positions that its moves lead to, siblings, which an evaluator has
to put into order. Their values are exact.

The two tables are fitted to exact values by ridge regression. The network is trained by Adam on
what it is for, too: to the squared error it adds the regret of a player who prefers one of the
siblings with probabilities that grow with what the network says of them (a softmax, one stone a
unit). A search of several sows compares positions that are no siblings: so the error counts, too.
The last layer has the weights 1 and -1; so all that is learned is the rows and the biases. A row of
the network for a band of stones in play is the sum of one that all bands share and one of its own:
what is alike in all bands is learned from all positions.

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
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import scipy
import sklearn
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import Ridge

from kalahlab import engine
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.evaluators.learned import BAND, CAP, COLUMNS, LANE, NETWORKS, STEPS, UNITS, ZERO
from kalahlab.files import atomic_write
from kalahlab.formatting import to_json
from kalahlab.games.kalah import PRESETS, Kalah, State, side, stones_in_play
from kalahlab.judging.solved_positions import load_positions
from kalahlab.search import Depth
from kalahlab.solver.endgame.database import open_database
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.ledger import normalize_position

MISTAKES = (0.0, 0.05, 0.1, 0.2, 0.4, 1.0)
DEPTHS = (1, 1, 2, 3, 4, 6)
JUDGES = ("store_difference", "fitted", "fitted", "e3")
"""What a player is drawn from: how often it moves at random, its depth in sows, its evaluator."""

RANDOM_PLIES = 12
"""The most random moves that a game begins with; the least is 1."""

TABLE_BYTES = 1 << 27

Numbers = NDArray[np.int64]
Floats = NDArray[np.float32]
Weights = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Draw:
    """Games of Kalah(pits, stones), drawn by a seed, and which of their positions are taken.

    most_stones: in play, of positions that are all taken. shares: what share is taken of those
    with one stone more, with two, and so on. database_stones: of the endgame database; what a
    position is worth does not depend on it, but the time that it takes. mistakes: how often players
    move at random, one of these shares each.
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
        """The share that is taken of positions with `count` stones in play."""
        beyond = count - self.most_stones
        return 1.0 if beyond <= 0 else (*self.shares, 0.0)[min(beyond, len(self.shares) + 1) - 1]


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


class Siblings(NamedTuple):
    """Positions, a row each; those of one parent one after the other.

    pits: the mover's pits and then the opponent's, each from its player's left. value: what the
    mover banks from here on more than the opponent. again: whether the parent's mover moves again.
    banked: the stones that the move to it banked. counts: the rows of each parent.
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
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @property
    def worth(self) -> Numbers:
        """What the move to each position is worth to the parent's mover, from the parent on."""
        return self.banked + np.where(self.again, self.value, -self.value)

    @property
    def regret(self) -> Numbers:
        worth = self.worth
        return np.maximum.reduceat(worth, self.starts)[self.parent] - worth

    @property
    def is_terminal(self) -> NDArray[np.bool_]:
        own, opponent = np.split(self.pits != 0, 2, axis=1)
        return np.asarray(~(own.any(1) & opponent.any(1)))

    def with_estimates(self, said: NDArray[Any]) -> "Siblings":
        """With an evaluator's values where the game is not over."""
        return self._replace(value=np.where(self.is_terminal, self.value, said))

    def of(self, parents: Numbers) -> "Siblings":
        """The siblings of some parents, given by their numbers."""
        counts = self.counts[parents]
        moved = self.starts[parents] - np.cumsum(counts) + counts
        rows = np.repeat(moved, counts) + np.arange(counts.sum())
        pits, value, again, banked = (each[rows] for each in self[:4])
        return Siblings(pits, value, again, banked, counts)


def sample_positions(draw: Draw, excluded: Container[State] = ()) -> Iterator[State]:
    """The positions that are taken, no two with the same pits.

    None that is `excluded` (keys of `normalize_position`), nor one from which a move leads there.
    """
    game, chance = Kalah(draw.pits, draw.stones, PRESETS[draw.rules]), Random(draw.seed)
    seen = set()
    for _ in range(draw.games):
        players = [_player(game, chance, draw.mistakes) for _ in range(2)]
        state, random_plies = game.start(), chance.randint(1, RANDOM_PLIES)
        for ply in count():
            if game.is_over(state):
                break
            moves = game.moves(state)
            move = chance.choice(moves) if ply < random_plies else players[state.player](state)
            if len(moves) > 1 and chance.random() < draw.share(stones_in_play(state.board)):
                position = normalize_position(state)[0]
                family = (
                    position,
                    *(normalize_position(game.play(state, pit))[0] for pit in moves),
                )
                if position not in seen and not any(each in excluded for each in family):
                    seen.add(position)
                    yield state
            state = game.play(state, move)


def _player(game: Kalah, chance: Random, shares: tuple[float, ...]) -> Callable[[State], int]:
    mistakes, depth = chance.choice(shares), chance.choice(DEPTHS)
    evaluator = EVALUATORS[chance.choice(JUDGES)]

    def choose(state: State) -> int:
        moves = game.moves(state)
        if len(moves) == 1:
            return moves[0]
        if chance.random() < mistakes:
            return chance.choice(moves)
        return int(engine.alpha_beta(game, state, evaluator, Depth(depth)).move)

    return choose


def siblings(draw: Draw, folder: Path | None = None, excluded: Container[State] = ()) -> Siblings:
    """What the moves of each position of a draw lead to; see `sample_positions`.

    folder: where endgame databases are kept, default the user's cache.
    """
    game, rows, counts = Kalah(draw.pits, draw.stones, PRESETS[draw.rules]), [], []
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
                both = side(after.board, after.player) + side(after.board, 1 - after.player)
                rows.append((*both, value, after.player == mover, banked))
            counts.append(len(moves))
    *pits, value, again, banked = np.array(rows, np.int64).T
    return Siblings(np.column_stack(pits), value, again != 0, banked, np.array(counts))


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
    rows, each = columns.shape
    ends = np.arange(0, rows * each + 1, each)
    return csr_matrix((np.ones(rows * each, np.float32), columns.ravel(), ends), (rows, width))


def fit_table(sample: Siblings, columns: Callable[[Numbers], Numbers], width: int) -> Numbers:
    """A table's numbers in STEPS-ths, a row of `width` a pit or pair; without stones 0."""
    live = ~sample.is_terminal
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
    """`ValueError` if a unit's sum, or what all units of a lane say, may not fit into it."""
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
    parent, count, found = part.parent, len(part.counts), part.with_estimates(said)
    worth = found.worth
    likely = np.exp(worth - np.maximum.reduceat(worth, part.starts)[parent])
    likely /= np.add.reduceat(likely, part.starts)[parent]
    regret = np.minimum(part.regret, MOST_REGRET)
    expected = np.add.reduceat(likely * regret, part.starts)[parent]
    by_worth = likely * (regret - expected) / count
    slope = REGRETS * np.where(part.again, by_worth, -by_worth)
    slope += SQUARES * 2 * (found.value - part.value) / len(said)
    return np.asarray(slope * ~part.is_terminal, np.float32)


def scores(sample: Siblings, said: NDArray[Any]) -> dict[str, float]:
    """How good the moves are that lead to what looks best: optimal, their share, and regret.

    One of the equal best is played, each as likely. r2: of the values, of games that are not over.
    """
    live, worth = ~sample.is_terminal, sample.with_estimates(said).worth
    best = worth == np.maximum.reduceat(worth, sample.starts)[sample.parent]
    ties = np.add.reduceat(best, sample.starts)
    regret = sample.regret
    optimal = np.add.reduceat(best & (regret == 0), sample.starts) / ties
    stones = np.add.reduceat(best * regret, sample.starts) / ties
    errors = (said - sample.value)[live]
    r2 = 1 - np.mean(errors**2) / np.var(sample.value[live])
    found = {"optimal": optimal.mean(), "regret": stones.mean(), "r2": r2}
    return {name: round(float(number), 4) for name, number in found.items()}


def all_siblings(
    draws: Sequence[Draw],
    folder: Path | None = None,
    workers: int = 1,
    excluded: Container[State] = (),
) -> Siblings:
    """The siblings of each draw, one draw after the other."""
    for draw in draws:  # first, as all processors make a database together
        open_database(draw.pits, draw.database_stones, PRESETS[draw.rules], folder=folder)
    with ProcessPoolExecutor(workers) as pool:
        found = pool.map(partial(siblings, folder=folder, excluded=excluded), draws)
        return Siblings(*map(np.concatenate, zip(*found, strict=True)))


def train(sample: Siblings, epochs: int, seed: int = 0) -> tuple[Weights, list[dict[str, float]]]:
    """The weights for boards of one size, and the network's learning curve.

    The curve: the `scores`, after each epoch, on positions that the network never saw.
    """
    first = round(len(sample.counts) * (1 - HELD_OUT))
    seen, unseen = map(sample.of, np.split(np.arange(len(sample.counts)), [first]))
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
    parser.add_argument("--workers", type=int, default=1, help="how many draws to label at once")
    parser.add_argument("--random", action="store_true", help="on games at random: `RANDOM_DRAWS`")
    given = parser.parse_args()
    judged = load_positions(given.without) if given.without else []
    excluded = {normalize_position(row.state)[0] for row in judged}
    found: Weights = {"pit_table": [], "pit_pairs": [], "network": []}
    curves, counts = {}, {}
    for pits, draws in (RANDOM_DRAWS if given.random else DRAWS).items():
        sample = all_siblings(draws, given.databases, given.workers, excluded)
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
        part.write_text(to_json(found, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
