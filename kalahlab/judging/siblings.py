"""Positions to train evaluators with: all that one move leads to, each with its exact value.

    siblings(Draw(6, 4, games=1000, seed=7), folder)

A game is played by two players that are drawn for it, some of them strong, some of them random,
after some random moves. Each of its positions with a choice gives the positions that its moves
lead to, siblings, which an evaluator has to put into order. Values come from the endgame
database, and from proofs where more stones are in play: thousands a second.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab import engine
from kalahlab.engine.compiled import inlined, jit
from kalahlab.engine.endgame.database import open_database
from kalahlab.engine.endgame.layout import look_up, places
from kalahlab.engine.packed import MAX_PITS, ROW, again, pack, step, stones
from kalahlab.engine.solver.kernel import NODE_LIMIT, Stack, Tables, deepest, prove
from kalahlab.engine.solver.prover import Prover
from kalahlab.engine.solver.table import ENTRY_BYTES
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.kalah import PRESETS, Kalah, State, in_play
from kalahlab.search import Depth

MISTAKES = (0.0, 0.05, 0.1, 0.2, 0.4, 1.0)
DEPTHS = (1, 1, 2, 3, 4, 6)
JUDGES = ("store_difference", "fitted", "fitted", "e3")
"""What a player is drawn from: how often it moves at random, its depth in sows, its evaluator."""

RANDOM_PLIES = 12
"""The most random moves that a game begins with; the least is 1."""

TABLE_BYTES = 1 << 27

Numbers = NDArray[np.int64]


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


class Siblings(NamedTuple):
    """Positions, a row each; those of one parent one after the other.

    pits: the mover's pits and then the opponent's, each from its player's left. value: what the
    mover banks from here on more than the opponent. again: whether the parent's mover moves again.
    banked: the stones that the move to it banked. starts: the first row of each parent. parents:
    the pits of each parent.
    """

    pits: Numbers
    value: Numbers
    again: NDArray[np.bool_]
    banked: Numbers
    starts: Numbers
    parents: Numbers

    @property
    def parent(self) -> Numbers:
        """The number of each row's parent."""
        counts = np.diff(self.starts, append=len(self.value))
        return np.repeat(np.arange(len(self.starts)), counts)

    @property
    def worth(self) -> Numbers:
        """What the move to each position is worth to the parent's mover, from the parent on."""
        return self.banked + np.where(self.again, self.value, -self.value)

    @property
    def regret(self) -> Numbers:
        """What the move gives up."""
        worth = self.worth
        return np.maximum.reduceat(worth, self.starts)[self.parent] - worth

    @property
    def ended(self) -> NDArray[np.bool_]:
        """Whether the game is over."""
        own, opponent = np.split(self.pits != 0, 2, axis=1)
        return np.asarray(~(own.any(1) & opponent.any(1)))

    def estimated(self, said: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[Any], NDArray[Any]]:
        """Where the game is not over; `value` and `worth` with an evaluator's values there."""
        live = ~self.ended
        value = np.where(live, said, self.value)
        return live, value, self.banked + np.where(self.again, value, -value)

    def of(self, parents: Numbers) -> "Siblings":
        """The siblings of some parents, given by their numbers."""
        ends = np.append(self.starts[1:], len(self.value))
        counts = ends[parents] - self.starts[parents]
        starts = np.cumsum(counts) - counts
        rows = np.repeat(self.starts[parents] - starts, counts) + np.arange(counts.sum())
        pits, value, again, banked = (each[rows] for each in self[:4])
        return Siblings(pits, value, again, banked, starts, self.parents[parents])


def joined(samples: Sequence[Siblings]) -> Siblings:
    """The siblings of several draws, one draw after the other."""
    before = np.cumsum([0, *(len(sample.value) for sample in samples[:-1])])
    moved = [
        sample._replace(starts=sample.starts + first)
        for sample, first in zip(samples, before, strict=True)
    ]
    return Siblings(*map(np.concatenate, zip(*moved, strict=True)))


def sample_positions(draw: Draw) -> Iterator[State]:
    """The positions that are taken, no two with the same pits."""
    game, chance = Kalah(draw.pits, draw.stones, PRESETS[draw.rules]), Random(draw.seed)
    seen = set()
    for _ in range(draw.games):
        players = [_player(game, chance, draw.mistakes) for _ in range(2)]
        for state in _positions(game, players, chance):
            if len(game.moves(state)) < 2:
                continue
            if chance.random() >= draw.share(in_play(state.board)):
                continue
            packed = pack(state)
            if packed[:2] not in seen:
                seen.add(packed[:2])
                yield state


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


def _positions(
    game: Kalah, players: list[Callable[[State], int]], chance: Random
) -> Iterator[State]:
    """The positions of a game, its end left out."""
    state, random_plies = game.start(), chance.randint(1, RANDOM_PLIES)
    while not game.over(state):
        random, random_plies = random_plies > 0, random_plies - 1
        move = chance.choice(game.moves(state)) if random else players[state.player](state)
        yield state
        state = game.play(state, move)


def siblings(draw: Draw, folder: Path | None = None) -> Siblings:
    """What the moves of each position of a draw lead to.

    folder: where endgame databases are kept, default the user's cache.
    """
    rules, order = PRESETS[draw.rules], places(draw.pits)
    words = np.array([pack(state, order)[:2] for state in sample_positions(draw)], np.int64)
    database = open_database(draw.pits, draw.database_stones, rules, folder=folder, workers=1)
    prover = Prover(database, TABLE_BYTES // ENTRY_BYTES)
    plies = deepest(draw.pits, draw.most_stones + len(draw.shares), draw.database_stones) + 1
    counters = np.zeros(8, np.int64)
    counters[NODE_LIMIT] = 1 << 62
    rows = label(words, Stack.of(plies), counters, prover.tables)
    starts = np.flatnonzero(np.diff(rows[:, 5], prepend=-1))
    children, parents = unpacked(rows, draw.pits), unpacked(words, draw.pits)
    return Siblings(children, rows[:, 4], rows[:, 2] != 0, rows[:, 3], starts, parents)


def unpacked(rows: Numbers, pits: int) -> Numbers:
    """The pits of positions from rows that begin with their words."""
    shifts = np.array([8 * place for place in places(pits)])
    return np.hstack([rows[:, at, None] >> shifts & 127 for at in (0, 1)])


@inlined
def exact(own: int, opp: int, stack: Stack, counters: Numbers, tables: Tables) -> int:
    """The value of a position in words, found as `ExactSolver.value` finds it."""
    if own == 0 or opp == 0:
        return stones(own) - stones(opp)
    total = stones(own) + stones(opp)
    if total <= tables.stones:
        return look_up(tables.values, own, opp, tables.layout)
    lower, upper, margin = -total, total, total & 1
    while lower < upper:
        bound = prove(own, opp, margin, stack, counters, tables)
        if bound >= margin:
            lower, margin = bound, min(bound + 2, upper)
        else:
            upper = margin = bound
    return lower


@jit
def label(words: Numbers, stack: Stack, counters: Numbers, tables: Tables) -> Numbers:
    """For each move of each position (own, opp): (own, opp, again, banked, value, parent)."""
    rows, count = np.empty((MAX_PITS * len(words), 6), np.int64), 0
    for parent in range(len(words)):
        own, opp = words[parent]
        for place in range(MAX_PITS - 1, tables.first - 1, -1):
            held = own >> 8 * place & 127
            if held == 0:
                continue
            at = place * ROW + held
            effect, moved = tables.sowing.effect[at], tables.sowing
            one, other, banked = step(
                own, opp, moved.own[at], moved.opp[at], effect, tables.capture_empty
            )
            if not again(effect):
                one, other = other, one
            row = rows[count]
            row[0], row[1], row[2], row[3] = one, other, again(effect), banked
            row[4], row[5] = exact(one, other, stack, counters, tables), parent
            count += 1
    return rows[:count]
