"""The learned evaluators against their definitions, and the training against simple sums."""

import json
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
import train
from hypothesis import given
from strategies import positions
from train import Draw, all_siblings, sample_positions, siblings

from kalahlab.evaluators import learned
from kalahlab.evaluators.fitted import fitted
from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.learned import CAP, LANE, LEARNED, LEAST_PITS, MOST_PITS, UNITS, ZERO
from kalahlab.games.kalah import SOUTH, Kalah, State, side
from kalahlab.games.rules import STANDARD
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.ledger import normalize_position

TINY = Draw(4, 3, games=8, seed=1, most_stones=14, database_stones=12)
SIZES = range(LEAST_PITS, MOST_PITS + 1)


def unpack_networks(weights, sizes):
    """Return the number of pits, the rows and the bias of each network."""
    unpacked = []
    for pits, networks in zip(sizes, weights["network"], strict=True):
        for network in networks:
            rows = np.reshape(network["rows"], (2 * pits, CAP + 1, UNITS))
            unpacked.append((pits, rows, np.array(network["bias"])))
    return unpacked


TRAINED = unpack_networks(LEARNED, SIZES)
TRAINED_RANDOM = unpack_networks(learned.RANDOM, [MOST_PITS])


def by_units(board, player, trained=TRAINED):
    """Evaluate the network for the stones in play, unit by unit."""
    counts = [min(count, CAP) for count in (*side(board, player), *side(board, 1 - player))]
    networks = [network for network in trained if 2 * network[0] == len(counts)]
    _, rows, bias = networks[min(sum(counts) // 16, 2)]
    total = 0
    for unit in range(UNITS):
        output = bias[unit] + sum(rows[pit][count][unit] for pit, count in enumerate(counts))
        total += max(0, output) if unit < UNITS // 2 else -max(0, output)
    return float(total / learned.STEPS)


def by_table(board, player):
    pits = [*side(board, player), *side(board, 1 - player)]
    table = LEARNED["pit_table"][len(pits) // 2 - LEAST_PITS]
    return float(sum(row[min(n, CAP)] for row, n in zip(table, pits, strict=True)) / learned.STEPS)


def by_pairs(board, player):
    pits, other_pits = side(board, player), side(board, 1 - player)
    opposite = zip(pits, reversed(other_pits), strict=True)
    pairs = [*opposite, *pairwise(pits), *pairwise(other_pits)]
    numbers = zip(LEARNED["pit_pairs"][len(pits) - LEAST_PITS], pairs, strict=True)
    total = sum(row[min(a, CAP) * (CAP + 1) + min(b, CAP)] for row, (a, b) in numbers)
    return float(total / learned.STEPS)


@given(positions(stones=20))
def test_learned_evaluators_are_the_store_difference_plus_their_definition(position):
    """Compare boards of 4 to 6 pits, or of 6 only; `fitted` evaluates all others."""
    _, (board, player) = position
    for evaluator, rest, sizes in (
        (learned.learned, by_units, SIZES),
        (learned.learned_random, partial(by_units, trained=TRAINED_RANDOM), [MOST_PITS]),
        (learned.pit_table, by_table, SIZES),
        (learned.pit_pairs, by_pairs, SIZES),
    ):
        if len(board) // 2 - 1 in sizes:
            assert evaluator(board, player) == store_difference(board, player) + rest(board, player)
        else:
            assert evaluator(board, player) == fitted(board, player)


@pytest.mark.parametrize(("pits", "rows", "bias"), TRAINED + TRAINED_RANDOM)
def test_no_sum_of_a_network_overflows_its_lane_and_an_empty_pit_adds_nothing(pits, rows, bias):
    """Check sums of the largest and of the least numbers, and sums of the outputs of all units."""
    for name in ("pit_table", "pit_pairs"):
        assert not any(row[0] for row in LEARNED[name][pits - LEAST_PITS])
    assert not rows[:, 0].any()
    assert np.array_equal(*np.hsplit(bias, 2))
    assert (bias + rows.min(1).sum(0)).min() >= -ZERO
    assert (bias + rows.max(1).sum(0)).max() < ZERO
    for first in (0, 1, UNITS // 2, UNITS // 2 + 1):
        lane = [*range(first, first + UNITS // 2, 2)]
        largest = np.maximum(rows[:, :, lane], 0).sum(2).max(1).sum()
        assert largest + np.maximum(bias[lane], 0).sum() < 1 << LANE


def test_a_network_that_does_not_fit_into_lanes_is_refused():
    rows, bias = np.zeros((8 * (CAP + 1), UNITS), int), np.zeros(UNITS, int)
    rows[3, 5] = ZERO
    with pytest.raises(ValueError, match=f"sums from 0 to {ZERO} do not fit"):
        train.check_lanes(rows, bias)
    rows[3] = (1 << LANE) // (UNITS // 4)
    with pytest.raises(ValueError, match=f"up to {1 << LANE}, does not fit"):
        train.check_lanes(rows, bias)
    rows[3, 5] -= 1
    rows[3, [4, 36, 37]] -= 1
    train.check_lanes(rows, bias)


def test_one_worker_and_two_label_draws_alike(tmp_path):
    draws = [TINY, replace(TINY, seed=2)]
    one, two = map(siblings, draws)
    for workers in (1, 2):
        both = all_siblings(draws, tmp_path, workers)
        assert both.regret.tolist() == [*one.regret, *two.regret]
        assert both.value.tolist() == [*one.value, *two.value]
        assert both.parent[-1] == len(one.counts) + len(two.counts) - 1


def test_siblings_are_the_positions_after_moves_with_their_exact_values():
    sample, states = siblings(TINY), list(sample_positions(TINY))
    game = Kalah(4, 3)
    assert len(sample.counts) == len(states) > 20
    with open_solver(4, STANDARD, database_stones=6, workers=1) as solver:
        for number, state in enumerate(states[:40]):
            values = dict(solver.move_values(state))
            lead = store_difference(state.board, state.player)
            assert sorted(sample.worth[sample.parent == number] + lead) == sorted(values.values())
            children = [game.play(state, pit) for pit in game.moves(state)]
            rows = {tuple(row) for row in sample.pits[sample.parent == number].tolist()}
            assert rows == {
                side(*child) + side(child.board, 1 - child.player) for child in children
            }


def test_training_a_little_gives_the_same_bytes_and_smaller_errors(monkeypatch):
    sample = siblings(replace(TINY, games=60))
    one, other = (train.train(sample, epochs=4, seed=3) for _ in range(2))
    assert json.dumps(one) == json.dumps(other)
    assert one[1][-1]["r2"] > one[1][0]["r2"]
    monkeypatch.setattr(train, "fit_table", lambda *args: np.zeros((1, 1)))  # draws nothing
    third, _ = train.train(sample, epochs=4, seed=4)
    assert third["network"] != one[0]["network"]


def test_the_slope_of_the_loss_agrees_with_small_differences():
    """Compute squared error and expected regret by their definitions, sibling by sibling."""
    sample = siblings(TINY)
    outputs = np.random.default_rng(5).normal(0, 2, len(sample.value))

    def loss(outputs):
        value = np.where(sample.is_terminal, sample.value, outputs)
        total = train.SQUARES * np.mean((value - sample.value) ** 2)
        for start, end in pairwise([*sample.starts, len(outputs)]):
            rows = slice(start, end)
            move_values = sample.banked[rows] + np.where(sample.again[rows], 1, -1) * value[rows]
            probabilities = np.exp(move_values) / np.exp(move_values).sum()
            regrets = np.minimum(sample.regret[rows], train.MOST_REGRET)
            total += train.REGRETS * (probabilities @ regrets) / len(sample.counts)
        return float(total)

    slope = train.slope_of_loss(sample, outputs)
    for index in range(0, len(outputs), 7):
        step = np.eye(1, len(outputs), index)[0] * 1e-4
        expected = (loss(outputs + step) - loss(outputs - step)) / 2e-4
        assert slope[index] == pytest.approx(expected, abs=1e-5)


def test_excluded_positions_are_neither_parents_nor_children():
    whole, states = siblings(TINY), [*sample_positions(TINY)]
    parents = [normalize_position(state)[0] for state in states]
    excluded = {parents[5], *(position_of(whole, whole.starts[parent]) for parent in (9, 20))}
    remaining = []
    for number, position in enumerate(parents):
        children = {position_of(whole, row) for row in rows_of(whole, number)}
        if not excluded & {position, *children}:
            remaining.append(number)
    assert 0 < len(remaining) < len(states)
    assert [*sample_positions(TINY, excluded)] == [states[number] for number in remaining]
    sample, expected = siblings(TINY, excluded=excluded), whole.of(np.array(remaining))
    assert all(map(np.array_equal, sample, expected))


def rows_of(sample, parent):
    return np.flatnonzero(sample.parent == parent)


def position_of(sample, row):
    south, north = np.split(sample.pits[row], 2)
    return State((*south.tolist(), 0, *north.tolist(), 0), SOUTH)


def test_players_of_a_draw_may_all_be_random():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("train.engine.alpha_beta", None)
        assert len([*sample_positions(replace(TINY, mistakes=(1.0,)))]) > 20
        with pytest.raises(TypeError):
            list(sample_positions(TINY))
