"""The best turn that can be found in a stated time: the homework's task 4, "Competition".

The text never specifies that task. This is our own reading: alpha-beta, each time a sow deeper.
"""

from math import ceil
from typing import NamedTuple

from kalahlab.backends import Limit, SearchSpec, search_within
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah, State
from kalahlab.published.homework import whole_turn
from kalahlab.search import Depth, greedy

SPEC = SearchSpec("alpha_beta", "store_difference", order="store_first")


class Turn(NamedTuple):
    """The pits to sow and what they lead to. value: for the mover. depth: of the search in sows."""

    pits: tuple[int, ...]
    state: State
    value: float
    depth: int


def best_turn(game: Kalah, state: State, seconds: float) -> Turn:
    """The best whole turn found within a time; sooner if all is searched.

    The time begins once the engine is compiled. What the best line leaves open of the turn is
    played greedily.
    """
    if game.over(state):
        return Turn((), state, game.margin(state, state.player), 0)
    for depth in (1, 4):
        SPEC.search(game, state, depth)  # compiles
    results = [*search_within(SPEC, Limit(ceil(1000 * seconds), "ms"), game, state)]
    depth = len({result.counts for result in results})  # the last may have searched no more
    pits, after = whole_turn(game, state, results[-1].line)
    while after.player == state.player and not game.over(after):
        pit = greedy(game, after, store_difference, Depth(1)).move
        pits, after = (*pits, pit), game.play(after, pit)
    return Turn(pits, after, results[-1].value, depth)
