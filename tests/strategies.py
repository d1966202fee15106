"""Random positions and random trees, for the properties that the tests state."""

from dataclasses import fields
from itertools import product

from hypothesis import strategies as st

from kalahlab.games import betsy
from kalahlab.games.betsy import Betsy
from kalahlab.games.cards import Cards
from kalahlab.games.hand_tree import MAX, MIN, Branch
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, Rules, State, rule_values
from kalahlab.players.game_loop import random_position as played

VALUES = {field.name: rule_values(field) for field in fields(Rules)}
assert all(VALUES.values()), f"say by bool or Literal what a field of Rules can be: {VALUES}"
RULES = tuple(
    Rules(**dict(zip(VALUES, values, strict=True))) for values in product(*VALUES.values())
)
"""Every combination of the values that the fields can have, those of a new field, too."""

Position = tuple[Kalah, State]


@st.composite
def positions(draw, pits=7, stones=12):
    """A game and a state of it: the start or any board at all, and up to 20 sows on from there."""
    m = draw(st.integers(1, pits))
    game = Kalah(m, draw(st.integers(0, stones)), draw(st.sampled_from(RULES)))
    state = draw(st.just(game.start()) | boards(m, stones))
    for choice in draw(st.lists(st.integers(0, pits - 1), max_size=20)):
        if moves := game.moves(state):
            state = game.play(state, moves[choice % len(moves)])
    return game, state


@st.composite
def boards(draw, m, stones):
    """Any board, finished or not: empty pits and full stores as in the middle of a game.

    Two boards in five have an empty side, which long sides would hardly have by chance."""
    row, store = st.tuples(*[st.just(0) | st.integers(0, stones)] * m), st.integers(0, m * stones)
    rows = [draw(row), draw(row)]
    if (empty := draw(st.sampled_from((None, None, None, SOUTH, NORTH)))) is not None:
        rows[empty] = (0,) * m
    board = (*rows[SOUTH], draw(store), *rows[NORTH], draw(store))
    return State(board, draw(st.sampled_from((SOUTH, NORTH))))


@st.composite
def swept_positions(draw):
    """The end of a game whose pits were swept: any stores, and nothing in the pits."""
    m, south, north = draw(st.integers(1, 7)), draw(st.integers(0, 99)), draw(st.integers(0, 99))
    board = (*[0] * m, south, *[0] * m, north)
    return Kalah(m, rules=draw(st.sampled_from(RULES))), State(board, draw(st.sampled_from((0, 1))))


def random_position(chance, pits=6, stones=6, m=0, rules=None):
    """As `positions`, for a test that needs a sample of its own size, or of `m` pits."""
    m = m or chance.randint(1, pits)
    game = Kalah(m, chance.randint(0, stones), rules or chance.choice(RULES))
    state = game.start()
    if chance.random() < 0.5:
        board = tuple(chance.randint(0, stones) for _ in range(2 * m + 2))
        state = State(board, chance.choice((SOUTH, NORTH)))
    for _ in range(chance.randint(0, 20)):
        if moves := game.moves(state):
            state = game.play(state, chance.choice(moves))
    return game, state


def random_cards(chance, fewest=6):
    """The card game on 4×4 after `fewest` or more random moves, by any of its rules."""
    game = Cards(
        4, chance.randint(0, 1), chance.random() < 0.5, smallest_only=chance.random() < 0.3
    )
    return game, played(game, chance, chance.randint(fewest, 10))


def random_betsy(chance, most=3):
    """Betsy on 2 to `most` columns: a random game broken off, or any stacks of pebbles at all.

    One position in three is within three moves of a draw; some are finished."""
    n = chance.randint(2, most)
    game = Betsy(n, chance.choice((3, 200, 200)), idle=chance.random() < 0.8)
    if chance.random() < 0.5:
        stacks = [chance.choices((1, -1), k=chance.randint(0, n + 3)) for _ in range(n)]
        columns = [[0] * (n + 3 - len(stack)) + stack for stack in stacks]
        board = tuple(cell for row in zip(*columns, strict=True) for cell in row)
        if max(board.count(1), board.count(-1)) <= betsy.pebbles(n):
            return game, betsy.State(board, chance.randint(0, 1), chance.randint(0, game.limit))
    return game, played(game, chance, chance.randint(0, 8 * n))


OFTEN_TIED = st.integers(-4, 4)


def trees(max_leaves=24, values=OFTEN_TIED):
    """A tree with any player at any node, one to four branches, and such values at all."""
    marks = {"player": st.sampled_from((MAX, MIN)), "value": values}
    leaf = st.builds(Branch, st.just(""), **marks)

    def above(below):
        children = st.lists(below, min_size=1, max_size=4).map(tuple)
        return st.builds(Branch, st.just(""), **marks, children=children)

    return st.recursive(leaf, above, max_leaves=max_leaves).map(named)


def named(node, name="root"):
    """The tree with each child named by its place, so that paths of names are unique."""
    children = tuple(named(child, str(place)) for place, child in enumerate(node.children))
    return Branch(name, node.player, node.value, children)


SHAPES = [(arity, depth) for arity in (1, 2, 3, 4) for depth in (1, 2, 3, 4, 5)]
"""Of uniform trees."""
