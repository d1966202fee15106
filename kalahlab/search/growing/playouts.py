"""Playouts: games played to their end from a leaf, by a quick rule for the moves.

The random numbers come from `SplitMix`, a generator that the compiled searches have, too: with the
same seed both make the same playouts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kalahlab.formatting import StableRepr
from kalahlab.games import Game

MASK = (1 << 64) - 1


class SplitMix(StableRepr):
    """The generator SplitMix64 (Steele, Lea & Flood, *OOPSLA* 2014), with 64 bits of state."""

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def below(self, n: int) -> int:
        """Return a random whole number from 0 to n - 1; n is less than 2**32."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
        return ((z >> 32) * n) >> 32


# (game, state, moves, rng) -> one of the moves
PlayoutRule = Callable[[Game, Any, Sequence[Any], SplitMix], Any]


def pick_random(game: Game, state: Any, moves: Sequence[Any], rng: SplitMix) -> Any:
    """Return any move, each equally likely."""
    return moves[rng.below(len(moves))]


def pick_extra_turn(game: Game, state: Any, moves: Sequence[Any], rng: SplitMix) -> Any:
    """Return the last listed move that gives an extra turn; without one, a random move.

    In Kalah the last one is the pit nearest the store, which disturbs no other extra turn.
    """
    for move in reversed(moves):
        after = game.play(state, move)
        if after.player == state.player and not game.is_over(after):
            return move
    return pick_random(game, state, moves, rng)


@dataclass(frozen=True, slots=True)
class Playout:
    """A way to value a leaf: play the game to its end and take its margin.

    Attributes:
        rule: Returns the next move.
    """

    rule: PlayoutRule = field(default=pick_random, repr=False)

    def play(self, game: Game, state: Any, rng: SplitMix) -> tuple[Any, int]:
        """Play to the end of the game; return the final state and the number of moves."""
        sows = 0
        while moves := game.moves(state):
            state = game.play(state, self.rule(game, state, moves, rng))
            sows += 1
        return state, sows


PLAYOUTS = {"random": Playout(pick_random), "extra_turn": Playout(pick_extra_turn)}
