"""The fitted evaluator: its features by sowing, its weights by another method, its strength."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from strategies import positions

from kalahlab import engine
from kalahlab.data import data_file
from kalahlab.evaluators.fitted import FEATURES, FIT, WEIGHTED_PITS, fitted, make_linear_evaluator
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.kalah import SOUTH, Kalah, side, sow, sowing_path, stores
from kalahlab.games.rules import STANDARD
from kalahlab.judging.solved_positions import Sample
from kalahlab.matches.openings import random_openings
from kalahlab.matches.pairs import Pair, play_pairs
from kalahlab.matches.tournament import tally
from kalahlab.players.factories import search_player
from kalahlab.search import Depth

SEED = FIT["made_from"]["seed"]


@pytest.fixture(scope="module")
def fit():
    """Import scikit-learn in the process that runs these tests only, because it takes time."""
    import fit

    return fit


def by_sowing(board, player):
    """Compute a side's features by their names, by sowing each pit."""
    pits_of_player = side(board, player)
    pits = len(pits_of_player)
    store = player * (pits + 1) + pits
    sowings = {pit: sow(board, player, pit, STANDARD) for pit in range(pits) if pits_of_player[pit]}
    stones_to_store = {
        pit: sowing_path(player, player * (pits + 1) + pit, pits)[: pits_of_player[pit]].index(
            store
        )
        for pit in sowings
        if store in sowing_path(player, player * (pits + 1) + pit, pits)[: pits_of_player[pit]]
    }
    return [
        stores(board)[player],
        *(pits_of_player[pits - d] if d <= pits else 0 for d in range(1, WEIGHTED_PITS)),
        sum(pits_of_player[: max(0, pits - WEIGHTED_PITS + 1)]),
        len(sowings),
        sum(after.last == store for after in sowings.values()),
        sum(pits_of_player[pit] > before + 1 for pit, before in stones_to_store.items()),
        max((after.captured for after in sowings.values()), default=0),
    ]


@given(positions(stones=20))
def test_features_equal_those_by_sowing_and_the_fitted_evaluator_is_their_weighted_sum(position):
    """Test for equality, because sums of multiples of 1/256 are exact."""
    _, (board, player) = position
    player_features, opponent_features = by_sowing(board, player), by_sowing(board, 1 - player)
    total = 0.0
    for index, (mine, theirs) in enumerate(zip(player_features, opponent_features, strict=True)):
        total += FIT["weights"][FEATURES[index]] * (mine - theirs)
        evaluator = make_linear_evaluator([float(index == other) for other in range(len(FEATURES))])
        assert evaluator(board, player) == mine - theirs, FEATURES[index]
    assert fitted(board, player) == total


def test_the_weights_of_the_file_are_reproduced_to_the_byte(fit, tmp_path, benchmark_sample):
    fit.write(tmp_path / "again.json", fit.fit(benchmark_sample, SEED))
    assert (tmp_path / "again.json").read_bytes() == data_file("fitted.json").read_bytes()


def test_the_weights_of_the_file_solve_the_normal_equations(fit, benchmark_sample):
    """Solve the normal equations, and compute all errors by their definitions on unseen rows."""
    from sklearn.model_selection import train_test_split

    boards = [row.state.board for row in benchmark_sample]
    rows = np.array([np.subtract(by_sowing(b, 0), by_sowing(b, 1)) for b in boards], float)
    values, lead = np.array([row.value for row in benchmark_sample], float), rows[:, 0]
    seen, unseen = train_test_split(
        np.arange(len(benchmark_sample)), test_size=0.2, random_state=SEED
    )
    train, test = fit.split(benchmark_sample, SEED)
    assert train == [benchmark_sample[number] for number in seen]
    assert test == [benchmark_sample[number] for number in unseen]
    design = np.column_stack([rows[:, 1:], np.ones(len(rows))])
    normal = design[seen].T @ design[seen]
    *weights, to_move = np.linalg.solve(normal, design[seen].T @ (values - lead)[seen])
    assert [FIT["weights"][name] for name in FEATURES[1:]] == pytest.approx(weights, abs=1 / 512)
    assert FIT["to_move"] == pytest.approx(to_move, abs=1e-4)
    evaluations = np.array([fitted(board, SOUTH) for board in boards])
    predictions, truth, store = evaluations[unseen] + FIT["to_move"], values[unseen], lead[unseen]
    expected = {
        "positions": len(unseen),
        "mean_abs_error": abs(truth - predictions).mean(),
        "r2": r2(truth, predictions),
        "r2_rest": r2(truth - store, predictions - store),
        "r2_store": r2(truth, store + (values - lead)[seen].mean()),
    }
    assert FIT["held_out"] == pytest.approx(expected, abs=1e-4)


def r2(truth, predictions):
    return 1 - ((truth - predictions) ** 2).sum() / ((truth - truth.mean()) ** 2).sum()


def test_a_fit_records_its_sample(fit, benchmark_sample):
    changed = [*benchmark_sample[:-1], replace(benchmark_sample[-1], moves=(99,))]
    assert fit.digest(benchmark_sample) == FIT["made_from"]["sha256"] != fit.digest(changed)
    assert FIT["made_from"]["positions"] == len(benchmark_sample) == 2 * Sample().positions


@pytest.mark.parametrize(("depth", "openings"), [(2, 20), (4, 30)])
@pytest.mark.parametrize("name", ["store_difference", "e1", "e3", "e4", "staged", "staged_capture"])
def test_it_beats_every_printed_evaluator_at_the_same_depth(name, depth, openings):
    """Test that the interval of the score is above one half. E2 is the store difference.

    At depth 4 the scores are closer, so that more openings are needed.
    """
    game = Kalah()
    one, other = (
        search_player(engine.alpha_beta, evaluator, Depth(depth))
        for evaluator in (fitted, EVALUATORS[name])
    )
    pairs = [Pair(one, other, start, game) for start in random_openings(game, openings, plies=6)]
    assert tally(play_pairs(pairs))["low"] > 0.5
