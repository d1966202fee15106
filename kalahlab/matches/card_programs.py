"""Matches of the card game's program against variants of it, with the nodes of either side."""

from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from kalahlab.evaluators.cards import WEIGHTS, make_weighted_evaluator
from kalahlab.games.cards import Cards, State
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.names import lookup
from kalahlab.parallel import Row
from kalahlab.players.game_loop import Player, random_position
from kalahlab.published.cards import MAX_NODE, VARIANTS, Program, by_budget
from kalahlab.search import Depth


@dataclass(frozen=True, slots=True)
class Side:
    """A player, described by plain values so that it can be sent to another process.

    Attributes:
        variant: A name in `VARIANTS`. Every variant searches under the real rule
            (`largest_decides`), unlike the published program.
        off: The factor that is left out of the evaluation F, "" for none. With a factor left out,
            the evaluation is F with `WEIGHTS`, the factor's weight 0, and not the variant's own
            evaluator.
        budget: The number of nodes from which the depth follows, if `depth` is None.
        depth: A fixed depth, or None.
    """

    variant: str = "report"
    off: str = ""
    budget: int = MAX_NODE
    depth: int | None = None

    def __post_init__(self) -> None:
        lookup("variant", self.variant, VARIANTS)
        if self.off:
            lookup("factor", self.off, WEIGHTS._asdict())

    def program(self) -> Program:
        """Return the program that plays this side."""
        variant = VARIANTS[self.variant]
        depth_by_budget = by_budget(self.budget)

        def choose_depth(state: State) -> Depth:
            if self.depth is None:
                return depth_by_budget(state)
            return Depth(self.depth)

        evaluator = variant.evaluator
        if self.off:
            evaluator = make_weighted_evaluator(WEIGHTS._replace(**{self.off: 0}))
        return replace(variant, evaluator=evaluator, depth=choose_depth, largest_decides=True)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two games of `one` against `other`, from an opening of `plies` random moves."""

    one: Side
    other: Side
    seed: int
    plies: int = 2
    size: int = 4


def play_meeting(meeting: Meeting) -> Row:
    """Play both games and return a row.

    Columns: variant, off and depth, of the other side; budget, of the first side; seed; score, of
    the first side, where a draw is half a win; nodes and other_nodes, the nodes that the first and
    the other side generated in a game, on average. The other
    values of the sides have no column, as they do not vary in the matches of `11_cards.ipynb`.
    """
    game, one, other = Cards(meeting.size), meeting.one, meeting.other
    nodes = [0, 0]  # of either side in both games
    start = random_position(game, Random(meeting.seed), meeting.plies)

    def make_counting_player(index: int, side: Side) -> Player:
        def player(game: Cards, state: State) -> Any:
            move, generated = _search_move(side, game, state)
            nodes[index] += generated
            return move

        return player

    pair = Pair(make_counting_player(0, one), make_counting_player(1, other), start, game)
    return {
        "variant": other.variant,
        "off": other.off,
        "budget": one.budget,
        "depth": other.depth,
        "seed": meeting.seed,
        "score": play_pair(pair)["points"],
        "nodes": nodes[0] / 2,
        "other_nodes": nodes[1] / 2,
    }


@lru_cache(1 << 15)  # the same side meets others from the same openings
def _search_move(side: Side, game: Cards, state: State) -> tuple[Any, int]:
    """Return the move of a side and the number of nodes that it generates to find it."""
    result = side.program().think(game, state)[1]
    return result.move, result.counts.generated
