"""Searches that grow a tree, recorded for the tests of their view."""

from functools import cache
from typing import NamedTuple

from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.games.cards import Cards
from kalahlab.games.hand_tree import AIMA_5_2, MIN, Branch, HandTree
from kalahlab.games.kalah import Kalah, State
from kalahlab.search.growing import (
    PLAYOUTS,
    Policy,
    best_first,
    dynamic_ordering,
    growing_search,
    implicit_minimax,
    mcts_solver,
    proof_number,
    puct,
    uct,
)
from kalahlab.search.limits import Depth, Nodes, Playouts
from kalahlab.trace.growth import record_growth

SMALL = Kalah(3, 2)
FINISHED = State((0, 0, 0, 7, 0, 0, 0, 5), 0)
ONE_MOVE = State((0, 0, 1, 3, 1, 2, 0, 5), 0)
NAMES = HandTree(
    Branch("root", children=(
        Branch("a move with a very long name", MIN, 3),
        Branch("<b>&", MIN, children=(Branch("x", MIN, 2.25), Branch("y", MIN, -1))),
    ))
)  # fmt: skip


class Count(NamedTuple):
    """The only number of `Fewest`."""

    tries: int


class Fewest(Policy):
    """A user's policy: always follow the child that was followed least often."""

    def __init__(self, evaluator):
        self.evaluator = evaluator

    def make_numbers(self, tree, nodes):
        return [Count(0)] * len(nodes)

    def appeal(self, maximizing, parent, child):
        return -child.tries, 0.5, -parent.tries

    def evaluate(self, tree, node):
        return tree.value_leaf(node, self.evaluator)

    def back_up(self, path, values):
        for node in path:
            node.numbers = Count(node.numbers.tries + 1)

    def conclude(self, tree):
        return 0, "unknown", []


@cache  # several modules need them, already when they are imported
def record_growths():
    """Return recorded searches by name: each algorithm, trees by hand, ends, a user's policy."""
    random, start = PLAYOUTS["random"], SMALL.start()
    cards = Cards(4)
    calls = {
        "uct": (uct, SMALL, start, random, Playouts(60)),
        "uct, evaluator": (uct, Kalah(4, 3), Kalah(4, 3).start(), store_difference, Playouts(90)),
        "puct": (puct, SMALL, start, random, Playouts(60)),
        "implicit minimax": (implicit_minimax, SMALL, start, random, Playouts(50)),
        "solver": (mcts_solver, Kalah(2, 1), Kalah(2, 1).start(), random, Playouts(60)),
        "proof number": (proof_number, SMALL, start, None, Nodes(300)),
        "best first": (best_first, SMALL, start, store_difference, Nodes(60)),
        "dynamic ordering": (dynamic_ordering, SMALL, start, store_difference, Depth(4)),
        "hand": (uct, AIMA_5_2, AIMA_5_2.start(), random, Playouts(40)),
        "hand, proof": (proof_number, AIMA_5_2, AIMA_5_2.start(), None, Nodes(100)),
        "hand, best": (best_first, AIMA_5_2, AIMA_5_2.start(), written_value, Nodes(100)),
        "hand, dynamic": (dynamic_ordering, AIMA_5_2, AIMA_5_2.start(), written_value, Depth(2)),
        "names": (uct, NAMES, NAMES.start(), random, Playouts(12)),
        "finished": (uct, SMALL, FINISHED, random, Playouts(5)),
        "one move": (uct, SMALL, ONE_MOVE, random, Playouts(9)),
        "no iteration": (proof_number, SMALL, start, None, Nodes(1)),
        "cards": (uct, cards, cards.start(), random, Playouts(9)),
        "own": (growing_search(Fewest, "fewest"), SMALL, start, random, Playouts(30)),
    }
    return {name: record_growth(*call) for name, call in calls.items()}
