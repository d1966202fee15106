"""Tables, orders, quiescence and ties; infinite and close values; player specs."""

from collections import Counter
from functools import cache
from itertools import product
from math import inf, sqrt
from random import Random

import pytest
from conftest import run_python
from hypothesis import given
from hypothesis import strategies as st
from oracle import ASKED, FULL, LINE_OF_MINIMAX, Task, at, hash_board, oracle, size
from strategies import random_position, trees

from kalahlab import engine
from kalahlab.evaluators.kalah import EVALUATORS, e1
from kalahlab.evaluators.tree import written_value
from kalahlab.experiments.settings import Setting, run_setting
from kalahlab.games.hand_tree import MAX, MIN, Branch, HandTree, parse_tree
from kalahlab.games.kalah import Kalah
from kalahlab.players.parse import parse_player
from kalahlab.players.search_spec import BACKENDS
from kalahlab.search import ALGORITHMS, ORDERS, Depth, Quiescence, alpha_beta
from kalahlab.search.tree import RandomTies, shuffled


@cache
def kalah_tasks(orders):
    """Return tasks on random positions, one for each order, unit and evaluator."""
    rng = Random(96)
    tasks = []
    for order, unit, evaluator in product(orders, ("sow", "turn"), ASKED.values()):
        while True:
            game, state = random_position(rng, pits=5, stones=5)
            task = Task(game, state, evaluator, Depth(rng.randint(2, 5), unit), order)
            if not game.is_over(state) and size(task, state, 300) <= 300:
                break
        tasks.append(task)
    return tasks


def certain(board, player):
    return (-inf, inf, -inf, inf, 0.0)[int(hash_board(board, player)) % 5]


def close_values(board, player):
    """Return values so close together that a window of width 1 contains several."""
    return hash_board(board, player) / 700


def first_best_line(solved):
    if not solved.below:
        return ()
    return (solved.move, *first_best_line(solved.below[solved.move]))


@pytest.mark.parametrize("evaluator", [certain, close_values, lambda *_: -inf, lambda *_: inf])
def test_values_may_be_infinite_or_fractions(evaluator):
    """Find a move and a line to a leaf with the value, even if every move is lost."""
    for kalah_task in kalah_tasks(("pit", "store_first"))[::3]:
        task = kalah_task._replace(evaluator=evaluator)
        solved = oracle(task, task.state)
        for name in FULL:
            result = task.trace(name).result
            assert (result.value, result.move) == (solved.value, solved.move), (name, task)
            leaf = at(solved, result.line)
            assert (leaf.value, leaf.below) == (solved.value, {}), (name, task)
            if name in LINE_OF_MINIMAX:
                assert result.line == first_best_line(solved), (name, task)


def test_a_null_window_whose_end_is_the_value_is_searched_again():
    """Search a first branch of value 0; its null window ends at the next number, 5e-324."""
    root = parse_tree("((0) ((5e-324 1)))")
    for name in FULL:
        assert ALGORITHMS[name](HandTree(root), root, written_value, Depth(9)).value == 1, name


@pytest.mark.parametrize("unit", ["sow", "turn"])
def test_a_search_stops_at_quiet_positions(unit):
    rng = Random(12)
    extended = 0
    for task in kalah_tasks(("pit", "store_first")):
        if size(task._replace(depth=Depth(4, unit)), task.state, 2000) > 2000:
            continue
        quiescence = Quiescence(Kalah().is_quiet, rng.randint(0, 2), unit, rng.randint(0, 2))
        quiescent = task._replace(depth=quiescence)
        expected = oracle(quiescent, task.state).value
        for name in FULL:
            assert quiescent.trace(name).result.value == expected, (name, quiescent)
        plain = task._replace(depth=Depth(quiescence.limit, unit))
        if len(quiescent.trace("minimax").nodes) > len(plain.trace("minimax").nodes):
            extended += 1
    assert extended > 10


def test_quiescence_takes_a_predicate_of_any_game():
    root = Branch("a", MAX, 0, (Branch("b", MIN, 5, (Branch("c", MAX, 7),)),))
    for name, expected in (("b", 5), ("c", 7)):
        quiet = Quiescence(lambda state, name=name: state.name == name, 1)
        assert alpha_beta(HandTree(root), root, written_value, quiet).value == expected


@pytest.mark.parametrize("algorithm", FULL)
def test_a_player_spec_names_algorithm_depth_leaf_rule_and_order(algorithm):
    game = Kalah(4, 3)
    state = game.play(game.start(), 2)
    leaves = {"sow": Depth(2), "turn": Depth(2, "turn"), "quiescence": Quiescence(game.is_quiet, 2)}
    for (leaf, depth), order in product(leaves.items(), ORDERS):
        move = parse_player(f"{algorithm}:e2:2:{leaf}:{order}")(game, state)
        args = (game, state, EVALUATORS["e2"], depth, ORDERS[order])
        assert move == ALGORITHMS[algorithm](*args).move


def test_a_setting_has_a_leaf_rule_and_an_order():
    """Compare MTD(f) with minimax: both play the first best move."""
    minimax_row, mtdf_row = (
        run_setting(
            Setting(name, "e2", 3, leaf="quiescence", order="store_first", pits=3, stones=2)
        )
        for name in ("minimax", "mtdf")
    )
    assert mtdf_row["moves"] == minimax_row["moves"]
    assert mtdf_row["recalled"] > minimax_row["recalled"] == 0


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_random_ties_play_each_best_move_equally_often_and_no_other(algorithm):
    game, search, seeds = HandTree(parse_tree("(3 1 3 3 2)")), ALGORITHMS[algorithm], 450
    orders = (RandomTies(ORDERS["pit"], seed) for seed in range(seeds))
    results = [search(game, game.root, written_value, Depth(1), order) for order in orders]
    assert {result.value for result in results} == {3}
    times = Counter(result.move for result in results)
    assert set(times) == {0, 2, 3}
    spread = sqrt(seeds * (1 / 3) * (2 / 3))
    assert all(abs(number - seeds / 3) < 4 * spread for number in times.values())


def test_positions_are_shuffled_independently():
    rng = Random(1)
    states = [random_position(rng)[1] for _ in range(400)]
    first = Counter(shuffled(state, range(4), seed=0)[0] for state in set(states))
    expected = len(set(states)) / 4
    assert all(abs(first[item] - expected) < 4 * sqrt(expected * 3 / 4) for item in range(4))


@st.composite
def tasks(draw):
    """Draw a task of Kalah up to three sows deep, or of any tree to its end."""
    if draw(st.booleans()):
        root = draw(trees())
        return Task(HandTree(root), root, written_value, Depth(9), draw(st.sampled_from([*ORDERS])))
    game, state = random_position(Random(draw(st.integers(0, 10**6))), pits=4, stones=3)
    evaluator = draw(st.sampled_from([*EVALUATORS.values()]))
    depth = Depth(draw(st.integers(1, 3)))
    return Task(game, state, evaluator, depth, draw(st.sampled_from([*ORDERS])))


@given(tasks(), st.sampled_from([*ALGORITHMS]))
def test_random_ties_play_best_moves_only_and_keep_the_value(task, algorithm):
    if algorithm == "greedy":
        task = task._replace(depth=Depth(1))
    game, state, evaluator, depth, order = task
    solved = oracle(task, state)
    best = {move for move, child in solved.below.items() if child.value == solved.value}
    in_order = ALGORITHMS[algorithm](game, state, evaluator, depth, ORDERS[order])
    for seed in range(6):
        ties = RandomTies(ORDERS[order], seed)
        result = ALGORITHMS[algorithm](game, state, evaluator, depth, ties)
        assert result.value == solved.value
        assert result.move in (best or {None})
        assert algorithm not in ("greedy", "minimax") or result.counts == in_order.counts


@pytest.mark.parametrize("order", ["history", "killer"])
def test_an_order_that_learns_starts_each_search_anew(order):
    game = Kalah(4, 3)
    shared = RandomTies(ORDERS[order], 5)
    for _ in range(2):
        fresh = RandomTies(ORDERS[order], 5)
        for search in (ALGORITHMS["alpha_beta"], engine.alpha_beta):
            args = (game, game.start(), e1, Depth(5))
            assert search(*args, shared) == search(*args, fresh)


def test_a_setting_breaks_ties_by_its_seed():
    point = {"algorithm": "alpha_beta", "evaluator": "e2", "depth": 2, "pits": 4, "stones": 3}
    moves_of_backends = []
    for backend in BACKENDS:
        settings = [Setting(**point, backend=backend, ties=seed) for seed in (None, 1, 2, 1)]
        moves_of_backends.append([run_setting(setting)["moves"] for setting in settings])
    moves, other_moves = moves_of_backends
    assert moves == other_moves
    assert moves[1] == moves[3]
    assert len(set(moves)) == 3


def test_a_seed_means_the_same_in_every_process():
    code = (
        "from kalahlab.games.kalah import Kalah; from kalahlab.search.tree import shuffled;"
        "print(shuffled(Kalah(6, 4).start(), range(6), 3))"
    )
    outputs = [run_python(code, PYTHONHASHSEED=seed) for seed in ("0", "1")]
    assert outputs == [str(shuffled(Kalah(6, 4).start(), range(6), 3))] * 2
