"""What is special about tables, orders that learn and quiescence; values of all sizes; names."""

from functools import cache
from itertools import product
from math import inf
from random import Random

import pytest
from oracle import ASKED, FULL, LINE_OF_MINIMAX, Task, at, hashed, oracle, size
from strategies import random_position

from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.evaluators.tree import written_value
from kalahlab.experiments import Point, run_point
from kalahlab.games.hand_tree import MAX, MIN, Branch, HandTree
from kalahlab.games.kalah import Kalah
from kalahlab.play import parse_player
from kalahlab.search import ALGORITHMS, ORDERS, Depth, Quiescence, alpha_beta


@cache
def kalah_tasks(orders):
    """Random positions, under every order, unit and evaluator in turn."""
    chance = Random(96)
    tasks = []
    for order, unit, evaluator in product(orders, ("sow", "turn"), ASKED.values()):
        searched = True
        while searched:
            game, state = random_position(chance, pits=5, stones=5)
            depth = Depth(chance.randint(2, 5), unit)
            task = Task(game, state, evaluator, depth, order)
            searched = game.over(state) or size(task, state, 900) > 900
        tasks.append(task)
    return tasks


def certain(board, player):
    """Won and lost as plus and minus infinity, for most boards."""
    return (-inf, inf, -inf, inf, 0.0)[int(hashed(board, player)) % 5]


def broken(board, player):
    """Values so close together that a window one wide would hold several."""
    return hashed(board, player) / 700


def first_best_line(solved):
    """The moves that the oracle takes, to a leaf."""
    if not solved.below:
        return ()
    return (solved.move, *first_best_line(solved.below[solved.move]))


@pytest.mark.parametrize("evaluator", [certain, broken, lambda *_: -inf, lambda *_: inf])
def test_values_may_be_infinite_or_broken(evaluator):
    """There is a move, and a line to a leaf of the value, even if every move is lost."""
    for task in kalah_tasks(("pit", "store_first")):
        asked = task._replace(evaluator=evaluator)
        solved = oracle(asked, asked.state)
        for name in FULL:
            found = asked.trace(name).result
            assert (found.value, found.move) == (solved.value, solved.move), (name, asked)
            leaf = at(solved, found.line)
            assert (leaf.value, leaf.below) == (solved.value, {}), (name, asked)
            if name in LINE_OF_MINIMAX:
                assert found.line == first_best_line(solved), (name, asked)


# Orders that learn.


# Quiescence.


@pytest.mark.parametrize("unit", ["sow", "turn"])
def test_a_search_stops_where_it_is_quiet(unit):
    chance, further = Random(12), 0
    for task in kalah_tasks(("pit", "store_first")):
        if size(task._replace(depth=Depth(4, unit)), task.state, 2000) > 2000:
            continue
        quiet = Quiescence(Kalah().quiet, chance.randint(0, 2), unit, chance.randint(0, 2))
        asked = task._replace(depth=quiet)
        expected = oracle(asked, task.state).value
        for name in FULL:
            assert asked.trace(name).result.value == expected, (name, asked)
        plain = task._replace(depth=Depth(quiet.limit, unit))
        further += len(asked.trace("minimax").nodes) > len(plain.trace("minimax").nodes)
    assert further > 10


def test_another_game_says_itself_what_is_quiet():
    root = Branch("a", MAX, 0, (Branch("b", MIN, 5, (Branch("c", MAX, 7),)),))
    for name, expected in (("b", 5), ("c", 7)):
        quiet = Quiescence(lambda state, name=name: state.name == name, 1)
        assert alpha_beta(HandTree(root), root, written_value, quiet).value == expected


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"limit": -1}, "depth is -1"),
        ({"unit": "ply"}, "unit is 'ply'"),
        ({"max_extension": -1}, "max_extension is -1"),
    ],
)
def test_a_bad_depth_is_named(bad, said):
    with pytest.raises(ValueError, match=rf"^{said}; use [^\n]*$"):
        Quiescence(**{"quiet": Kalah().quiet, "limit": 2} | bad)


# By name.


@pytest.mark.parametrize("algorithm", FULL)
def test_a_player_is_named_with_all_of_it(algorithm):
    game = Kalah(4, 3)
    state = game.play(game.start(), 2)
    leaves = {"sow": Depth(2), "turn": Depth(2, "turn"), "quiescence": Quiescence(game.quiet, 2)}
    for (leaf, depth), order in product(leaves.items(), ORDERS):
        move = parse_player(f"{algorithm}:e2:2:{leaf}:{order}")(game, state)
        asked = (game, state, EVALUATORS["e2"], depth, ORDERS[order])
        assert move == ALGORITHMS[algorithm](*asked).move


def test_a_point_is_named_with_all_of_it():
    """MTD(f) plays minimax's game, since its first best move wins too."""
    plain, asking = (
        run_point(Point(name, "e2", 3, leaf="quiescence", order="store_first", pits=3, stones=2))
        for name in ("minimax", "mtdf")
    )
    assert asking["moves"] == plain["moves"]
    assert asking["recalled"] > plain["recalled"] == 0
