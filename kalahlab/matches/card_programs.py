"""Matches of the card game's program against variants of it; the nodes of both are counted."""

from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from kalahlab.evaluators.cards import WEIGHTS, make_weighted_evaluator
from kalahlab.games.cards import Cards, State
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.names import lookup
from kalahlab.parallel import Row
from kalahlab.players.game_loop import random_position
from kalahlab.players.model import PlayerFunction
from kalahlab.published.cards import MAX_NODE, VARIANTS, Program, by_budget
from kalahlab.search import Depth
from kalahlab.search.tree import RandomTies


@dataclass(frozen=True, slots=True)
class Side:
    """A program of the card game, described by plain values that another process can receive.

    Attributes:
        variant: A name in `VARIANTS`. Every variant searches under the real rule
            (`largest_decides`), unlike the published program.
        off: The factor that is left out of the evaluation function F, "" for none. If a factor is
            left out, the evaluator is F with `WEIGHTS` and the weight 0 for this factor, in place
            of the variant's own evaluator.
        budget: The number of nodes from which the depth follows, if `depth` is None.
        depth: A fixed depth, or None.
        ties: The seed that draws one of equal moves, or None for the first of them.
    """

    variant: str = "report"
    off: str = ""
    budget: int = MAX_NODE
    depth: int | None = None
    ties: int | None = None

    def __post_init__(self) -> None:
        lookup("variant", self.variant, VARIANTS)
        if self.off:
            lookup("factor", self.off, WEIGHTS._asdict())

    def program(self) -> Program:
        """Return the program."""
        variant = VARIANTS[self.variant]
        depth_by_budget = by_budget(self.budget)

        def choose_depth(state: State) -> Depth:
            if self.depth is None:
                return depth_by_budget(state)
            return Depth(self.depth)

        evaluator = variant.evaluator
        if self.off:
            evaluator = make_weighted_evaluator(WEIGHTS._replace(**{self.off: 0}))
        order = variant.order
        if self.ties is not None:
            order = RandomTies(order, self.ties)
        variant = replace(variant, order=order, largest_decides=True)
        return replace(variant, evaluator=evaluator, depth=choose_depth)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two games of `one` against `other`, from a random opening.

    Attributes:
        one, other: The programs.
        seed: The seed of the opening.
        plies: The number of moves of the opening.
        size: The size of the board; see `Cards`.
    """

    one: Side
    other: Side
    seed: int
    plies: int = 2
    size: int = 4


def play_meeting(meeting: Meeting) -> Row:
    """Play both games and return a row.

    Columns:
        variant, off, depth: These attributes of `other`.
        budget: This attribute of `one`.
        seed: The seed of the opening.
        score: The mean of the points of `one` in both games: 1 for a win, 1/2 for a draw.
        nodes: The nodes that `one` generated in a game, on average.
        other_nodes: The nodes that `other` generated in a game, on average.

    The other attributes have no column, as they do not vary in the matches of `11_cards.ipynb`.
    """
    game, one, other = Cards(meeting.size), meeting.one, meeting.other
    nodes = [0, 0]  # generated in both games, by `one` and by `other`
    start = random_position(game, Random(meeting.seed), meeting.plies)

    def make_counting_player(index: int, side: Side) -> PlayerFunction:
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


@lru_cache(1 << 15)  # a program meets many others from the same openings
def _search_move(side: Side, game: Cards, state: State) -> tuple[Any, int]:
    """Return the move of a program, and the number of nodes that it generates to find the move."""
    result = side.program().think(game, state)[1]
    return result.move, result.counts.generated
