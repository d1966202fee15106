"""The positions that are tried, from small to large, and always the same."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from random import Random
from typing import NamedTuple

from kalahlab.games.kalah import State

INF = float("inf")
SMALL_SIZES = 1, 2, 3, 4
USUAL_SIZE = 6  # pits a side that every program is believed to play


class Trial(NamedTuple):
    """A position, and the depth to which it is searched."""

    state: State
    depth: float

    @property
    def size(self) -> tuple[float, ...]:
        """How large the trial is: smaller ones are shown first."""
        board = self.state.board
        half = len(board) // 2
        in_play = sum(board) - board[half - 1] - board[-1]
        stores = board[half - 1] + board[-1]
        return in_play * min(self.depth, 9), self.depth, len(board), stores, self.state.player


def make_state(pits: int, stones: Sequence[int], player: int, stores: tuple[int, int]) -> State:
    """Return the state with one stone in each of these pits, counted around both rows."""
    board = [0] * (2 * pits + 2)
    for pit in stones:
        board[pit if pit < pits else pit + 1] += 1
    board[pits], board[-1] = stores
    return State(tuple(board), player)


def has_both_rows(state: State) -> bool:
    """Return whether both players have stones in their pits."""
    half = len(state.board) // 2
    return any(state.board[: half - 1]) and any(state.board[half:-1])


@cache
def list_small(pits: int, most: int) -> list[State]:
    """Return all positions with so many stones in play at most, and empty stores."""
    states = []
    for number in range(2, most + 1):
        for stones in combinations_with_replacement(range(2 * pits), number):
            for player in (0, 1):
                state = make_state(pits, stones, player, (0, 0))
                if has_both_rows(state):
                    states.append(state)
    return states


def random_state(rng: Random, pits: int, in_play: int) -> State:
    """Return a position with so many stones in play, and some in the stores."""
    while True:
        stones = [rng.randrange(2 * pits) for _ in range(in_play)]
        stores = (rng.randrange(4), rng.randrange(4))
        state = make_state(pits, stones, rng.randrange(2), stores)
        if has_both_rows(state):
            return state


def list_probes(pits: int) -> list[State]:
    """Return the positions by which a program is recognised: few stones, both players."""
    rng = Random(pits)
    return [random_state(rng, pits, 3 + index // 2) for index in range(16)]


def list_trials(
    sizes: Sequence[int], depths: Sequence[float], number: int, seed: int = 1
) -> list[Trial]:
    """Return trials of a search, from small to large.

    Args:
        sizes: The pits of a side that the program can play.
        depths: The depths; `INF` alone for a program without a depth.
        number: The number of trials.
        seed: The seed of the random ones.
    """
    rng = Random(seed)
    trials = []
    for pits in sizes:
        small = list_small(pits, 4 if pits < 4 else 3)
        for state in rng.sample(small, min(len(small), number // (3 * len(sizes)))):
            trials.append(Trial(state, rng.choice(depths[:3])))
    most = {1: 8, 2: 9, 3: 10}
    while len(trials) < number:
        pits, depth = rng.choice(sizes), rng.choice(depths)
        limit = most.get(pits, 12)
        if depth == INF:
            limit = 6 if pits < 4 else 5
        state = random_state(rng, pits, rng.randint(3, limit))
        if depth <= 2 and rng.random() < 0.2:
            state = add_lap(rng, state)
        trials.append(Trial(state, depth))
    return sorted(set(trials), key=lambda trial: (trial.size, trial.state))


def add_lap(rng: Random, state: State) -> State:
    """Return a position in which a pit of the player to move has stones that go around."""
    board = [*state.board]
    pits = len(board) // 2 - 1
    board[rng.randrange(pits) + state.player * (pits + 1)] = 2 * pits + rng.randrange(4)
    return State(tuple(board), state.player)


def list_sowing_states(sizes: Sequence[int], number: int) -> list[State]:
    """Return positions for a sowing function, from small to large, with pits of a lap and more."""
    rng = Random(1)
    states = set[State]()
    for pits in sizes:
        small = list_small(pits, 3)
        states |= {*rng.sample(small, min(len(small), number // (2 * len(sizes))))}
    while len(states) < number:
        state = random_state(rng, rng.choice(sizes), rng.randint(2, 12))
        states.add(add_lap(rng, state) if rng.random() < 0.4 else state)
    return sorted(states, key=lambda state: (Trial(state, 1).size, state))
