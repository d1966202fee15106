"""What is special about tables, orders, quiescence and ties; values of all sizes; names."""

from collections import Counter
from functools import cache
from itertools import product
from math import inf, sqrt
from random import Random

import pytest
from conftest import printed
from hypothesis import given
from hypothesis import strategies as st
from oracle import ASKED, FULL, LINE_OF_MINIMAX, Task, at, hashed, oracle, size
from strategies import random_position, trees

from kalahlab import engine
from kalahlab.evaluators.kalah import EVALUATORS, e1
from kalahlab.evaluators.tree import written_value
from kalahlab.experiments.points import Setting, run_setting
from kalahlab.games.hand_tree import MAX, MIN, Branch, HandTree, parse_tree
from kalahlab.games.kalah import Kalah
from kalahlab.players.parse import parse_player
from kalahlab.players.search_spec import BACKENDS
from kalahlab.search import ALGORITHMS, ORDERS, Depth, Quiescence, alpha_beta
from kalahlab.search.tree import RandomTies, shuffled


@cache
def kalah_tasks(orders):
    """Random positions, under every order, unit and evaluator in turn."""
    chance = Random(96)
    tasks = []
    for order, unit, evaluator in product(orders, ("sow", "turn"), ASKED.values()):
        searched = True
        while searched:
            game, state = random_position(chance, pits=5, stones=5)
            task = Task(game, state, evaluator, Depth(chance.randint(2, 5), unit), order)
            searched = game.is_over(state) or size(task, state, 900) > 900
        tasks.append(task)
    return tasks


def certain(board, player):
    return (-inf, inf, -inf, inf, 0.0)[int(hashed(board, player)) % 5]


def broken(board, player):
    """Values so close together that a window one wide would hold several."""
    return hashed(board, player) / 700


def first_best_line(solved):
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


def test_a_question_that_its_own_end_answers_is_asked_again():
    """The first branch is worth 0; 5e-324 is the next number, where the null window ends."""
    root = parse_tree("((0) ((5e-324 1)))")
    for name in FULL:
        assert ALGORITHMS[name](HandTree(root), root, written_value, Depth(9)).value == 1, name


@pytest.mark.parametrize("unit", ["sow", "turn"])
def test_a_search_stops_where_it_is_quiet(unit):
    chance, further = Random(12), 0
    for task in kalah_tasks(("pit", "store_first")):
        if size(task._replace(depth=Depth(4, unit)), task.state, 2000) > 2000:
            continue
        quiet = Quiescence(Kalah().is_quiet, chance.randint(0, 2), unit, chance.randint(0, 2))
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


@pytest.mark.parametrize("algorithm", FULL)
def test_a_player_is_named_with_all_of_it(algorithm):
    game = Kalah(4, 3)
    state = game.play(game.start(), 2)
    leaves = {"sow": Depth(2), "turn": Depth(2, "turn"), "quiescence": Quiescence(game.is_quiet, 2)}
    for (leaf, depth), order in product(leaves.items(), ORDERS):
        move = parse_player(f"{algorithm}:e2:2:{leaf}:{order}")(game, state)
        asked = (game, state, EVALUATORS["e2"], depth, ORDERS[order])
        assert move == ALGORITHMS[algorithm](*asked).move


def test_a_point_is_named_with_all_of_it():
    """MTD(f) plays minimax's game, since its first best move wins too."""
    plain, asking = (
        run_setting(
            Setting(name, "e2", 3, leaf="quiescence", order="store_first", pits=3, stones=2)
        )
        for name in ("minimax", "mtdf")
    )
    assert asking["moves"] == plain["moves"]
    assert asking["recalled"] > plain["recalled"] == 0


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_each_best_move_is_played_as_often_and_no_other(algorithm):
    game, search, seeds = HandTree(parse_tree("(3 1 3 3 2)")), ALGORITHMS[algorithm], 900
    ties = (RandomTies(ORDERS["pit"], seed) for seed in range(seeds))
    found = [search(game, game.root, written_value, Depth(1), order) for order in ties]
    assert {result.value for result in found} == {3}
    times = Counter(result.move for result in found)
    assert set(times) == {0, 2, 3}
    spread = sqrt(seeds * (1 / 3) * (2 / 3))
    assert all(abs(number - seeds / 3) < 4 * spread for number in times.values())


def test_positions_are_shuffled_independently():
    chance = Random(1)
    states = [random_position(chance)[1] for _ in range(400)]
    first = Counter(shuffled(state, range(4), seed=0)[0] for state in set(states))
    expected = len(set(states)) / 4
    assert all(abs(first[item] - expected) < 4 * sqrt(expected * 3 / 4) for item in range(4))


@st.composite
def tasks(draw):
    """Of Kalah up to three sows deep, or of any tree to its end."""
    if draw(st.booleans()):
        root = draw(trees())
        return Task(HandTree(root), root, written_value, Depth(9), draw(st.sampled_from([*ORDERS])))
    game, state = random_position(Random(draw(st.integers(0, 10**6))), pits=4, stones=3)
    evaluator = draw(st.sampled_from([*EVALUATORS.values()]))
    depth = Depth(draw(st.integers(1, 3)))
    return Task(game, state, evaluator, depth, draw(st.sampled_from([*ORDERS])))


@given(tasks(), st.sampled_from([*ALGORITHMS]))
def test_only_best_moves_are_played_and_the_value_stays(task, algorithm):
    if algorithm == "greedy":
        task = task._replace(depth=Depth(1))
    game, state, evaluator, depth, order = task
    solved = oracle(task, state)
    best = {move for move, child in solved.below.items() if child.value == solved.value}
    without = ALGORITHMS[algorithm](game, state, evaluator, depth, ORDERS[order])
    for seed in range(12):
        ties = RandomTies(ORDERS[order], seed)
        result = ALGORITHMS[algorithm](game, state, evaluator, depth, ties)
        assert result.value == solved.value
        assert result.move in (best or {None})
        assert algorithm not in ("greedy", "minimax") or result.counts == without.counts


@pytest.mark.parametrize("order", ["history", "killer"])
def test_an_order_that_learns_starts_each_search_anew(order):
    game = Kalah(4, 3)
    shared = RandomTies(ORDERS[order], 5)
    for _ in range(2):
        again = RandomTies(ORDERS[order], 5)
        for search in (ALGORITHMS["alpha_beta"], engine.alpha_beta):
            asked = (game, game.start(), e1, Depth(5))
            assert search(*asked, shared) == search(*asked, again)


def test_a_point_breaks_ties_by_its_seed():
    point = {"algorithm": "alpha_beta", "evaluator": "e2", "depth": 2, "pits": 4, "stones": 3}
    moves, others = (
        [run_setting(Setting(**point, backend=each, ties=n))["moves"] for n in (None, 1, 2, 1)]
        for each in BACKENDS
    )
    assert moves == others
    assert moves[1] == moves[3]
    assert len(set(moves)) == 3


def test_a_seed_means_the_same_in_every_process():
    code = (
        "from kalahlab.games.kalah import Kalah; from kalahlab.search.tree import shuffled;"
        "print(shuffled(Kalah(6, 4).start(), range(6), 3))"
    )
    there = [printed(code, PYTHONHASHSEED=seed) for seed in ("0", "1")]
    assert there == [str(shuffled(Kalah(6, 4).start(), range(6), 3))] * 2
