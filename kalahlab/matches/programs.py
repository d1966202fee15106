"""The card game's program against a variant of itself, and what either side generates."""

from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from kalahlab.evaluators.cards import WEIGHTS, weighted
from kalahlab.games.cards import Cards, State
from kalahlab.grid import Row
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.names import named
from kalahlab.play import Player, random_position
from kalahlab.published.cards import MAX_NODE, VARIANTS, Program, by_budget
from kalahlab.search import Depth


@dataclass(frozen=True, slots=True)
class Side:
    """A player, by plain values, so that it can be sent to another process.

    variant: in `VARIANTS`; here each knows that the largest card decides. off: the factor that its
    F does without, if any. budget: of its dynamic depth, unless `depth` fixes one.
    """

    variant: str = "report"
    off: str = ""
    budget: int = MAX_NODE
    depth: int | None = None

    def __post_init__(self) -> None:
        named("variant", self.variant, VARIANTS)
        if self.off:
            named("factor", self.off, WEIGHTS._asdict())

    def program(self) -> Program:
        found = VARIANTS[self.variant]
        fixed, dynamic = Depth(self.depth or 0), by_budget(self.budget)
        depth = dynamic if self.depth is None else lambda state: fixed
        evaluator = weighted(WEIGHTS._replace(**{self.off: 0})) if self.off else found.evaluator
        return replace(found, evaluator=evaluator, depth=depth, largest_decides=True)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two games of `one` against `other` from the opening of `plies` moves that the seed draws."""

    one: Side
    other: Side
    seed: int
    plies: int = 2
    size: int = 4


def play_meeting(meeting: Meeting) -> Row:
    """variant, off, depth: of the other side. budget: of the first. score: of the first side, a
    draw being half a win. nodes, other_nodes: what either side generated in a game, on average.
    """
    game, one, other, nodes = Cards(meeting.size), meeting.one, meeting.other, [0, 0]
    start = random_position(game, Random(meeting.seed), meeting.plies)

    def counted(who: int, side: Side) -> Player:
        def player(game: Cards, state: State) -> Any:
            move, generated = _searched(side, game, state)
            nodes[who] += generated
            return move

        return player

    return {
        "variant": other.variant,
        "off": other.off,
        "budget": one.budget,
        "depth": other.depth,
        "seed": meeting.seed,
        "score": play_pair(Pair(counted(0, one), counted(1, other), start, game))["points"],
        "nodes": nodes[0] / 2,
        "other_nodes": nodes[1] / 2,
    }


@lru_cache(1 << 15)  # the same side meets others from the same openings
def _searched(side: Side, game: Cards, state: State) -> tuple[Any, int]:
    result = side.program().think(game, state)[1]
    return result.move, result.counts.generated
