"""Random positions and random trees for property tests."""

from dataclasses import fields
from itertools import chain, product

from hypothesis import strategies as st

from kalahlab.games import betsy
from kalahlab.games.betsy import Betsy
from kalahlab.games.cards import Cards
from kalahlab.games.hand_tree import MAX, MIN, Branch
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State
from kalahlab.games.rules import Rules, list_values
from kalahlab.players.game_loop import random_position as played

VALUES = {field.name: list_values(field) for field in fields(Rules)}
assert all(VALUES.values()), f"the type of each field of Rules must be bool or Literal: {VALUES}"


def is_contradiction(values):
    return values["majority"] == "sweep" and values["rest_to"] == "finisher"


RULES = tuple(
    Rules(**values)
    for values in (dict(zip(VALUES, row, strict=True)) for row in product(*VALUES.values()))
    if not is_contradiction(values)
)
"""Every combination of the values of the fields, including any field added later."""
ANY_RULES = st.sampled_from(RULES)
"""One strategy for all draws: hypothesis hashes all rules whenever it is given them."""

Position = tuple[Kalah, State]


@st.composite
def positions(draw, pits=7, stones=12):
    """Draw a game and a state: the start or any board, and up to 20 sows from there."""
    m = draw(st.integers(1, pits))
    game = Kalah(m, draw(st.integers(0, stones)), draw(ANY_RULES))
    state = draw(st.just(game.start()) | boards(m, stones))
    for choice in draw(st.lists(st.integers(0, pits - 1), max_size=20)):
        moves = game.moves(state)
        if moves:
            state = game.play(state, moves[choice % len(moves)])
    return game, state


@st.composite
def boards(draw, m, stones):
    """Draw any board, finished or not, with empty pits and full stores as in the middle of a game.

    Two boards in five have an empty side, which long sides would hardly have by chance.
    """
    row = st.tuples(*[st.just(0) | st.integers(0, stones)] * m)
    store = st.integers(0, m * stones)
    rows = [draw(row), draw(row)]
    empty_side = draw(st.sampled_from((None, None, None, SOUTH, NORTH)))
    if empty_side is not None:
        rows[empty_side] = (0,) * m
    board = (*rows[SOUTH], draw(store), *rows[NORTH], draw(store))
    return State(board, draw(st.sampled_from((SOUTH, NORTH))))


@st.composite
def final_positions(draw):
    """Draw the end of a game whose pits were swept: any stores, and empty pits."""
    m, south, north = draw(st.integers(1, 7)), draw(st.integers(0, 99)), draw(st.integers(0, 99))
    board = (*[0] * m, south, *[0] * m, north)
    return Kalah(m, rules=draw(ANY_RULES)), State(board, draw(st.sampled_from((0, 1))))


def random_position(rng, pits=6, stones=6, m=0, rules=None, choices=RULES):
    """Return a position like those of `positions`, for tests that draw their own samples.

    `m`: the number of pits, 0 for any up to `pits`. `rules`: the rules; if not given, they are
    drawn from `choices`.
    """
    m = m or rng.randint(1, pits)
    game = Kalah(m, rng.randint(0, stones), rules or rng.choice(choices))
    state = game.start()
    if rng.random() < 0.5:
        board = tuple(rng.randint(0, stones) for _ in range(2 * m + 2))
        state = State(board, rng.choice((SOUTH, NORTH)))
    for _ in range(rng.randint(0, 20)):
        moves = game.moves(state)
        if moves:
            state = game.play(state, rng.choice(moves))
    return game, state


def random_cards(rng, fewest=6):
    """Return the card game on 4×4 after `fewest` or more random moves, with any of its rules."""
    game = Cards(4, rng.randint(0, 1), rng.random() < 0.5, smallest_only=rng.random() < 0.3)
    return game, played(game, rng, rng.randint(fewest, 10))


def random_betsy(rng, most=3):
    """Return Betsy on 2 to `most` columns: an unfinished random game, or any stacks of pebbles.

    One position in three is within three moves of a draw; some are finished.
    """
    n = rng.randint(2, most)
    game = Betsy(n, rng.choice((3, 200, 200)), idle=rng.random() < 0.8)
    if rng.random() < 0.5:
        stacks = [rng.choices((1, -1), k=rng.randint(0, n + 3)) for _ in range(n)]
        columns = [[0] * (n + 3 - len(stack)) + stack for stack in stacks]
        board = tuple(chain.from_iterable(zip(*columns, strict=True)))
        if max(board.count(1), board.count(-1)) <= betsy.pebbles(n):
            return game, betsy.State(board, rng.randint(0, 1), rng.randint(0, game.limit))
    return game, played(game, rng, rng.randint(0, 8 * n))


OFTEN_TIED = st.integers(-4, 4)


def trees(max_leaves=24, values=OFTEN_TIED):
    """Draw a tree with any player at any node, one to four branches, and such values everywhere."""
    marks = {"player": st.sampled_from((MAX, MIN)), "value": values}
    leaf = st.builds(Branch, st.just(""), **marks)

    def above(below):
        children = st.lists(below, min_size=1, max_size=4).map(tuple)
        return st.builds(Branch, st.just(""), **marks, children=children)

    return st.recursive(leaf, above, max_leaves=max_leaves).map(with_names)


def with_names(node, name="root"):
    """Return the tree with each child named by its place, so that paths of names are unique."""
    children = tuple(with_names(child, str(place)) for place, child in enumerate(node.children))
    return Branch(name, node.player, node.value, children)


SHAPES = [*product((1, 2, 3, 4), (1, 2, 3, 4, 5))]
"""(arity, depth) of uniform trees."""
