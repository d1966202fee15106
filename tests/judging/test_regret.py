"""Judged positions and the regret of players, against plain minimax and full searches."""

from itertools import islice, product
from random import Random

import numpy as np
import pytest

from kalahlab import engine
from kalahlab.evaluators.kalah import e1, e4, staged, store_difference
from kalahlab.games.kalah import SOUTH, Kalah, State, stones_in_play
from kalahlab.games.rules import Rules
from kalahlab.games.supported import STORED
from kalahlab.judging import regret, solved_positions
from kalahlab.judging.regret import judge_player, measure_moves, regrets, summarize
from kalahlab.judging.solved_positions import (
    Sample,
    SolvedPosition,
    evaluate_positions,
    sample_positions,
)
from kalahlab.players.game_loop import random_position
from kalahlab.players.parse import parse_player
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.search.ordering import store_first
from kalahlab.search.tree import pit_order
from kalahlab.solver.endgame.database import build
from kalahlab.solver.exact_solver import open_solver
from kalahlab.trace import record

SMALL = {"plies": 12, "pits": 3, "stones": 2, "max_stones": 10}


@pytest.fixture(scope="module")
def some(benchmark_positions):
    standard = [row for row in benchmark_positions if row.rules == "standard"]
    return Random(3).sample(standard, 60)


@pytest.fixture(scope="module", params=STORED)
def small(request, databases):
    states = sample_positions(Sample(positions=60, **SMALL), request.param)
    with open_solver(3, STORED[request.param], database_stones=6, folder=databases) as solver:
        return list(evaluate_positions(solver, states, request.param))


def test_a_sample_has_different_positions_with_a_choice():
    sample = Sample(positions=200, seed=7, plies=30, max_stones=25, pits=4, stones=3)
    states = list(sample_positions(sample))
    assert len(set(states)) == 200
    assert states == list(sample_positions(sample))
    for state in states:
        assert (state.player, sum(state.board)) == (SOUTH, 24)
        assert stones_in_play(state.board) <= 25
        assert len(Kalah(4, 3).moves(state)) >= 2


@pytest.mark.parametrize("rules", STORED)
def test_positions_and_values_of_the_file_are_reproduced(rules, databases, benchmark_sample):
    rows = [row for row in benchmark_sample if row.rules == rules]
    assert len(rows) == Sample().positions
    assert [row.state for row in rows[:300]] == list(islice(sample_positions(Sample(), rules), 300))
    few = [row for row in rows if stones_in_play(row.state.board) <= 24][:60]
    with open_solver(6, STORED[rules], database_stones=9, folder=databases) as solver:
        assert list(evaluate_positions(solver, (row.state for row in few), rules)) == few
        [other] = {*STORED} - {rules}
        with pytest.raises(ValueError, match=f"not {other}"):
            list(evaluate_positions(solver, (row.state for row in few), other))
    for row in rows:
        assert (sum(row.state.board), row.value % 2) == (48, 0)
        assert [worth is not None for worth in row.moves] == [n > 0 for n in row.state.board[:6]]


def test_a_search_to_the_end_has_no_regret_and_none_is_negative(small):
    whole = regrets(small, {"e4": e4, "stores": store_difference}, [60])
    assert whole["regret"].tolist() == [0] * 2 * len(small)
    some = regrets(small, {"e4": e4}, [1, 2, 3])
    assert some["regret"].min() == 0 < some["regret"].max()
    assert some["position"].tolist() == [*range(len(small))] * 3
    assert some["depth"].tolist() == np.repeat([1, 2, 3], len(small)).tolist()


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(
    "evaluator", [store_difference, e1, lambda board, me: staged(board, me) // 4]
)
def test_the_best_moves_are_those_that_minimax_values_most(evaluator, depth, benchmark_sample):
    """Test under both rules; the coarse evaluator is not antisymmetric and ties often."""
    ties = 0
    for row in benchmark_sample[::200]:
        game = Kalah(rules=STORED[row.rules])
        root, *nodes = record(minimax, game, row.state, evaluator, Depth(depth)).nodes
        values = {node.node.move: node.value for node in nodes if node.id in root.children}
        best = [pit for pit, value in values.items() if value == max(values.values())]
        moves, nodes = regret.best_moves(game, row.state, evaluator, depth)
        assert moves == best
        args = game, row.state, evaluator, Depth(depth)
        assert best[0] == alpha_beta(*args).move
        assert nodes == alpha_beta(*args).counts.visited
        assert best[-1] == alpha_beta(*args, store_first).move
        ties += len(best) > 2
    assert ties > 0, "no position where a move lies between the outer two"


@pytest.mark.parametrize("rules", [*STORED.values(), Rules(end="mover"), Rules(majority="stop")])
@pytest.mark.parametrize("evaluator", [store_difference, e1, e4, lambda board, me: board[6] // 2])
def test_positions_searched_in_one_call_have_the_results_of_single_searches(rules, evaluator):
    """Test also a finished game, which has no move, and boards of two sizes."""
    games = [Kalah(6, 4, rules), Kalah(8, 3, rules)]
    seeds = range(0, 30, 3)
    states = [[random_position(game, Random(seed), seed) for seed in seeds] for game in games]
    for game, some in [*zip(games, states, strict=True), (games[0], [*states[0], *states[1]])]:
        for depth, order in product((0, 1, 2, 4), (pit_order, store_first)):
            single = [engine.alpha_beta(game, s, evaluator, Depth(depth), order) for s in some]
            expected = [(one.value, one.move, one.counts.visited) for one in single]
            assert engine.search_each(game, some, evaluator, depth, order) == expected
        unfinished = [state for state in some if not game.is_over(state)]
        expected = [regret.best_moves(game, state, evaluator, 3) for state in unfinished]
        assert regret.best_moves_of_each(game, unfinished, evaluator, 3) == expected


def test_the_regret_of_tied_moves_is_their_mean(benchmark_sample):
    """Use an evaluator that is always 0: all moves tie that do not end the game."""
    rows = [row for row in benchmark_sample[:200] if stones_in_play(row.state.board) > 30]
    table = regrets(rows, {"nothing": lambda board, player: 0}, [1])
    tied = 0
    for row, (_, costs) in zip(rows, table.iterrows(), strict=True):
        if costs["ties"] == len(row.values) > 1:
            stones = [*map(row.regret, row.values)]
            assert costs["regret"] == pytest.approx(np.mean(stones))
            assert (costs["pit_order"], costs["store_first"]) == (stones[0], stones[-1])
            assert costs["optimal"] == pytest.approx(stones.count(0) / len(stones))
            tied += 1
    assert tied > 50


@pytest.mark.parametrize("name", ["perfect", "worst", "engine"])
def test_a_row_holds_the_regret_of_the_players_move(name, some):
    values = {row.state: row.values for row in some}
    players = {
        "perfect": lambda game, state: max(values[state], key=values[state].__getitem__),
        "worst": lambda game, state: min(values[state], key=values[state].__getitem__),
        "engine": parse_player("alpha_beta:fitted:3:sow:store_first", backend="engine"),
    }
    player = players[name]
    for row, (_, move) in zip(some, judge_player(player, some).iterrows(), strict=True):
        assert move["pit"] == player(Kalah(*row.start, STORED[row.rules]), row.state) + 1
        value, best = row.moves[move["pit"] - 1], max(row.values.values())
        assert move["regret"] == best - value
        assert (move["optimal"], move["kept"]) == (value == best, np.sign(value) == np.sign(best))


def test_measures_in_bulk_are_those_of_each_position(benchmark_positions):
    """Take the values from an endgame database, which does not know all of them."""
    six = [row for row in benchmark_positions if len(row.moves) == 6 and row.rules == "standard"]
    rows = Random(5).sample(six, 300)
    values = build(6, 12, workers=1).probe_moves([row.state for row in rows])
    rng = Random(6)
    pits = [rng.choice([*row.values]) for row in rows]
    table = measure_moves(values, pits)
    number_known = 0
    for row, pit, move_values, measures in zip(rows, pits, values, table.itertuples(), strict=True):
        if np.isnan(move_values).all():
            assert all(map(np.isnan, (measures.regret, measures.optimal, measures.kept)))
            continue
        number_known += 1
        value = row.moves[pit]
        assert measures.regret == row.regret(pit)
        assert measures.optimal == (value == row.value)
        assert measures.kept == (np.sign(value) == np.sign(row.value))
    assert 50 < number_known < 250


def test_nothing_to_judge_is_an_empty_table():
    assert judge_player(parse_player("random:1"), []).empty
    assert measure_moves(np.empty((0, 6)), []).empty


@pytest.mark.parametrize("pit", [-1, 0, 3])
def test_a_pit_without_a_value_is_named(pit):
    values = np.array([[np.nan, 2, 0], [np.nan, np.nan, np.nan], [np.nan, 2, 0]])
    assert measure_moves(values, [1, 0, 2])["regret"].tolist()[::2] == [0, 2]
    with pytest.raises(ValueError, match=r"^row 2: the move is a pit without a value$"):
        measure_moves(values, [1, pit, pit])


def test_each_position_is_in_one_phase_and_of_one_board(some):
    table = summarize(judge_player(parse_player("random:1"), some)).set_index("of")
    whole, others = table.loc["all"], table.drop("all")
    assert whole["positions"] == len(some)
    for parts in (others.filter(solved_positions.PHASES, axis=0), others.filter(like=",", axis=0)):
        assert parts["positions"].sum() == len(some)
        mean = (parts["positions"] * parts["regret"]).sum() / len(some)
        assert mean == pytest.approx(whole["regret"])


@pytest.mark.parametrize("pit", [-1, 6, 2.5, None, 0])
def test_an_illegal_move_is_named(pit):
    row = SolvedPosition("standard", State((0, 1, 0, 1, 1, 0), SOUTH), (None, 2))
    assert row.regret(1) == 0
    with pytest.raises(
        ValueError,
        match=rf" returns {pit} in <2,0,0,0,1,1,1> \(South to move\); .*game.moves\(state\): 1$",
    ):
        judge_player(lambda game, state: pit, [row])
