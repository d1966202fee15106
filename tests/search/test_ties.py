"""Ties broken at random: only best moves, each as often as the others, the same ones for a seed."""

from collections import Counter
from math import sqrt
from random import Random
from typing import Any

import pytest
from conftest import printed
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_position, trees

from kalahlab import engine
from kalahlab.backends import BACKENDS, SearchSpec
from kalahlab.evaluators import static_value
from kalahlab.evaluators.kalah import EVALUATORS, e1
from kalahlab.evaluators.tree import written_value
from kalahlab.experiments import Point, run_point
from kalahlab.games import Game
from kalahlab.games.hand_tree import MAX, Branch, HandTree
from kalahlab.games.kalah import Kalah
from kalahlab.play import parse_player, play_game
from kalahlab.search import ALGORITHMS, ORDERS, Depth, minimax
from kalahlab.search.model import Node
from kalahlab.search.tree import RandomTies, shuffled

SEEDS = 900


def best_moves(game: Game, state: Any, evaluator: Any, depth: int) -> set[Any]:
    """The moves after which minimax, from the mover's side, finds as much as before."""
    player = state.player

    def worth(move: Any) -> float:
        after = game.play(state, move)
        if game.over(after):
            return game.margin(after, player)
        if depth == 1:
            return static_value(evaluator, after.board, after.player, player)
        found = minimax(game, after, evaluator, Depth(depth - 1)).value
        return found if after.player == player else -found

    values = {move: worth(move) for move in game.moves(state)}
    return {move for move, value in values.items() if value == max(values.values())}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_each_best_move_is_played_as_often_and_no_other(algorithm: str) -> None:
    leaves = [
        Branch(name, value=value) for name, value in zip("abcde", (3, 1, 3, 3, 2), strict=True)
    ]
    game = HandTree(Branch("root", MAX, 0, tuple(leaves)))
    found = [
        ALGORITHMS[algorithm](
            game, game.start(), written_value, Depth(1), RandomTies(ORDERS["pit"], seed)
        )
        for seed in range(SEEDS)
    ]
    assert {result.value for result in found} == {3}
    times = Counter(result.move for result in found)
    assert set(times) == {0, 2, 3}
    spread = sqrt(SEEDS * (1 / 3) * (2 / 3))
    assert all(abs(number - SEEDS / 3) < 4 * spread for number in times.values())


@given(st.lists(st.integers(0, 9), min_size=1, max_size=7), st.integers(0, 10**9))
def test_a_shuffle_is_a_permutation_of_its_seed(items: list[int], seed: int) -> None:
    state = Kalah(6, 4).start()
    assert sorted(shuffled(state, items, seed)) == sorted(items)
    assert shuffled(state, items, seed) == shuffled(state, items, seed)


def test_positions_are_shuffled_independently() -> None:
    chance = Random(1)
    states = [random_position(chance)[1] for _ in range(400)]
    first = Counter(shuffled(state, range(4), seed=0)[0] for state in set(states))
    expected = len(set(states)) / 4
    assert all(abs(first[item] - expected) < 4 * sqrt(expected * 3 / 4) for item in range(4))


@given(
    st.integers(0, 10**6),
    st.sampled_from([*ALGORITHMS]),
    st.sampled_from([*EVALUATORS]),
    st.sampled_from([*ORDERS]),
    st.integers(1, 3),
)
@settings(max_examples=60)
def test_only_best_moves_are_played_and_the_value_stays(
    seed: int, algorithm: str, evaluator: str, order: str, depth: int
) -> None:
    game, state = random_position(Random(seed), pits=4, stones=3)
    if game.over(state):
        return
    depth = 1 if algorithm == "greedy" else depth
    judge = EVALUATORS[evaluator]
    best = best_moves(game, state, judge, depth)
    without = ALGORITHMS[algorithm](game, state, judge, Depth(depth), ORDERS[order])
    found = [
        ALGORITHMS[algorithm](game, state, judge, Depth(depth), RandomTies(ORDERS[order], ties))
        for ties in range(12)
    ]
    assert {result.value for result in found} == {without.value}
    assert {result.move for result in found} <= best
    if algorithm in ("greedy", "minimax"):
        assert all(result.counts == without.counts for result in found)


@given(trees(), st.sampled_from([*ALGORITHMS]), st.integers(0, 99))
@settings(max_examples=60)
def test_of_any_tree_the_value_stays(root: Branch, algorithm: str, seed: int) -> None:
    game = HandTree(root)
    asked = (game, game.start(), written_value, Depth(9))
    search = ALGORITHMS[algorithm]
    assert search(*asked, RandomTies(ORDERS["pit"], seed)).value == search(*asked).value


def test_below_the_root_the_order_is_kept() -> None:
    class Seen:
        def expand(self, node: Node, children: Any) -> None:
            if node.sows:
                assert [child.move for child in children] == [*game.moves(node.state)][::-1]
            else:
                roots.append([child.move for child in children])

        def ignore(self, *event: Any) -> None:
            """No-op."""

        enter = recall = leave = ignore

    game, roots = Kalah(4, 3), list[list[int]]()
    for seed in range(20):
        order = RandomTies(ORDERS["store_first"], seed)
        minimax(game, game.start(), e1, Depth(3), order, Seen())
    assert len({tuple(moves) for moves in roots}) > 10


@pytest.mark.parametrize("order", ["history", "killer"])
def test_an_order_that_learns_starts_each_search_anew(order: str) -> None:
    game = Kalah(4, 3)
    shared = RandomTies(ORDERS[order], 5)
    for _ in range(2):
        again = RandomTies(ORDERS[order], 5)
        for search in (ALGORITHMS["alpha_beta"], engine.alpha_beta):
            asked = (game, game.start(), e1, Depth(5))
            assert search(*asked, shared) == search(*asked, again)


@pytest.mark.parametrize("limit", ["1", "4", "400n", "3:turn", "4:sow:history"])
def test_both_backends_play_the_same_games(limit: str) -> None:
    text, game = f"alpha_beta:store_difference:{limit}:ties=7", Kalah(5, 3)
    one, other = (play_game(game, *[parse_player(f"{text}@{each}")] * 2) for each in BACKENDS)
    assert one == other
    lines = {play_game(game, *[parse_player(f"{text}{n}")] * 2).moves for n in range(8)}
    assert len(lines) > 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_point_breaks_ties_by_its_seed(backend: str) -> None:
    point = {"algorithm": "alpha_beta", "evaluator": "e2", "depth": 2, "pits": 4, "stones": 3}
    moves = [run_point(Point(**point, backend=backend, ties=n))["moves"] for n in (None, 1, 2, 1)]
    assert moves[1] == moves[3]
    assert len(set(moves)) == 3


def test_a_bad_seed_is_named() -> None:
    with pytest.raises(ValueError, match="ties 'x' is not a whole number"):
        parse_player("alpha_beta:e3:2:ties=x")
    with pytest.raises(ValueError, match="is not ALGORITHM"):
        parse_player("alpha_beta:e3:ties=1")
    assert SearchSpec("alpha_beta", "e3", ties=1).compiled


def test_a_seed_means_the_same_in_every_process() -> None:
    code = (
        "from kalahlab.games.kalah import Kalah; from kalahlab.search.tree import shuffled;"
        "print(shuffled(Kalah(6, 4).start(), range(6), 3))"
    )
    there = [printed(code, PYTHONHASHSEED=seed) for seed in ("0", "1")]
    assert there == [str(shuffled(Kalah(6, 4).start(), range(6), 3))] * 2
