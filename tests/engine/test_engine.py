"""The engine walks the textbook's trees: same nodes, same windows, same answers."""

import csv
import math
import re
import warnings
from collections import Counter
from dataclasses import asdict, dataclass, replace
from itertools import combinations, product
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest
from conftest import run_python
from oracle import NODES, PRUNING, agrees_with_counts
from strategies import RULES, VALUES, is_contradiction, random_position

from kalahlab import engine, search
from kalahlab.engine import compiled
from kalahlab.engine.packed import (
    MAX_PITS,
    MAX_STONES,
    ROW,
    fits,
    is_extra_turn,
    pack,
    sowings,
    step,
)
from kalahlab.engine.twin.workspace import Transcript
from kalahlab.evaluators import for_finished_games
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.games.hand_tree import AIMA_5_2
from kalahlab.games.kalah import Kalah, State, sow, stones_in_play
from kalahlab.games.rules import EMPTY_CAPTURE, PRESETS, STANDARD, Rules
from kalahlab.games.supported import FAST, unknown_rule
from kalahlab.notes import Note
from kalahlab.search import ORDERS, Depth
from kalahlab.search.observer import Observer
from kalahlab.search.perft import perft
from kalahlab.search.tree import RandomTies

SMALL, LARGE = 400, 3000
"""The most nodes that may be expected of the next depth; every twentieth case may cost more."""


def bits_of_the_board(board, player):
    """Return three bits of a hash: an evaluator that ties often and means nothing."""
    mixed = SALT + player
    for count in board:
        mixed = (mixed * 31 + int(count) + 7) % 65521
    return mixed % 8 - SHARE


SALT, SHARE = 5, 3.5


@for_finished_games
def bits_of_any_board(board, player):
    """Return the bits also of a board at the end of a game, where the margin is another number."""
    return bits_of_the_board(board, player)


def adjacent(board, player):
    """Return one of three values; a null window at the first ends at the second."""
    number = int(bits_of_the_board(board, player) + SHARE) % 3
    if number == 1:
        return 5e-324
    return 0.0 if number == 0 else 1.0


def lose(board, player):
    return -math.inf


def certain(board, player):
    lead = board[len(board) // 2 - 1] - board[-1]
    if player != 0:
        lead = -lead
    if lead == 0:
        return 0.0
    return math.inf if lead > 0 else -math.inf


USER_EVALUATORS = {
    "bits": bits_of_the_board,
    "bits at the end": bits_of_any_board,
    "lost": lose,
    "certain": certain,
    "adjacent": adjacent,
}
ALL_EVALUATORS = {**EVALUATORS, **USER_EVALUATORS}


@dataclass(frozen=True, slots=True)
class Case:
    game: Kalah
    state: State
    algorithm: str
    evaluator: str
    order: str
    unit: str = "sow"
    ties: int | None = None

    def search(self, backend, limit, nodes=None):
        order = ORDERS[self.order]
        if self.ties is not None:
            order = RandomTies(order, self.ties)
        evaluator = ALL_EVALUATORS[self.evaluator]
        depth = Depth(limit, self.unit)
        return backend[self.algorithm](self.game, self.state, evaluator, depth, order, nodes)


def compare(case, budget, deepest=6):
    """Search at depths 0, 1, 2 ... with both backends, and count the depths that were compared."""
    compared = Counter()
    before = 1
    if "oracle" in case.order:  # it searches for each node
        deepest = min(4, deepest)
    for limit in range(deepest + 1):
        expected_nodes, nodes = Transcript(), Transcript()
        expected = case.search(search.ALGORITHMS, limit, expected_nodes)
        result = case.search(engine.ALGORITHMS, limit)
        logged = case.search(engine.ALGORITHMS, limit, nodes)
        same = result == logged == expected and type(result.value) is type(expected.value)
        if not same or nodes.checksum != expected_nodes.checksum:
            pytest.fail(f"{case}, {limit}: {expected} {result} {logged}")
        compared[limit] += 1
        if nodes.entered * max(2, nodes.entered / before) > budget:
            break
        before = nodes.entered
    return compared


CHOICES = {
    "algorithm": tuple(engine.ALGORITHMS),
    "evaluator": tuple(ALL_EVALUATORS),
    "order": tuple(ORDERS),
    "unit": ("sow", "turn"),
    "pits": range(1, MAX_PITS + 3),
    "ties": (None, 1, 2),
    **VALUES,
}


def choose(rng, **fixed):
    """Draw one of each of `CHOICES` that is not fixed; depths are counted in turns less often."""
    while True:
        choices = {name: rng.choice(values) for name, values in CHOICES.items()}
        choices["unit"] = "turn" if rng.random() < 0.2 else "sow"
        choices["ties"] = None if rng.random() < 0.8 else 2
        choices |= fixed
        if not is_contradiction(choices):
            return choices


def make_case(rng, pits, **fields):
    """Draw a position that the kernels search; the textbook answers for all but one in twenty.

    Those are the positions of finished games and of boards that do not fit. A turn may be long
    under some rules, so positions have few stones if turns count.
    """
    rules = Rules(**{name: fields.pop(name) for name in VALUES})
    while True:
        game, state = random_position(rng, stones=16, m=pits, rules=rules)
        while fields["unit"] == "turn" and stones_in_play(state.board) > 10 and game.moves(state):
            state = game.play(state, rng.choice(game.moves(state)))
        if rng.random() < 0.05 or (not game.is_over(state) and (fits(state) or pits > MAX_PITS)):
            return Case(game, state, **fields)


def draw_case(rng, **fixed):
    return make_case(rng, **choose(rng, **fixed))


def test_every_search_walks_the_textbook_tree():
    """Try each two of `CHOICES` together, such as an algorithm and an evaluator."""
    rng, compared, counts = Random(6), Counter(), Counter()
    for one, other in combinations(CHOICES, 2):
        for pair in product(CHOICES[one], CHOICES[other]):
            if {one, other} == {"majority", "rest_to"} and set(pair) == {"sweep", "finisher"}:
                continue
            while counts[one, other, *pair] < 1:
                choices = choose(rng, **dict(zip((one, other), pair, strict=True)))
                counts.update((a, b, choices[a], choices[b]) for a, b in combinations(CHOICES, 2))
                budget = LARGE if rng.random() < 0.05 else SMALL
                compared += compare(make_case(rng, **choices), budget)
    assert min(compared[limit] for limit in range(7)) > compared[0] / 3, compared


FAST_RULES = [rules for rules in RULES if not unknown_rule(rules, FAST)]


@pytest.mark.parametrize("evaluator", [*EVALUATORS, "bits at the end"])
def test_the_fast_kernel_walks_the_textbook_tree(evaluator):
    """Search with the rules that it supports, depth in sows and no random ties.

    Each evaluator is also tried on six pits, where their number is a constant.
    """
    rng, alone = Random(2), evaluator == "store_difference"
    names = ("alpha_beta", "minimax", "minimax_a_b") if alone else ("alpha_beta",)
    for index in range(80 if alone else 8):
        case = draw_case(
            rng,
            algorithm=rng.choice(names),
            evaluator=evaluator,
            order=rng.choice(("pit", "store_first")),
            unit="sow",
            **asdict(rng.choice(FAST_RULES)),
            pits=rng.randint(1, 7) if alone or index % 2 else 6,
            ties=None,
        )
        compare(case, 1500, deepest=9 if alone else 5)


def test_scout_searches_again_when_a_value_equals_the_end_of_its_null_window():
    rng = Random(1)
    for _ in range(20):
        compare(Case(*random_position(rng, 4, 3), "scout", "adjacent", "pit"), SMALL)


def test_a_table_that_fills_up_changes_nothing(monkeypatch):
    monkeypatch.setattr("kalahlab.engine.twin.search.FIRST_ENTRIES", 2)
    rng = Random(10)
    recalled = 0
    for index, name in enumerate(("alpha_beta_table", "scout_table", "mtdf") * 20):
        case = Case(*random_position(rng, 4, 4), name, "store_difference", "pit")
        case = replace(case, unit="sow" if index % 2 == 0 else "turn")
        compare(case, SMALL)
        recalled += case.search(engine.ALGORITHMS, 5).counts.recalled
    assert recalled > 50


def test_boards_that_do_not_fit_into_words_are_in_arrays_or_left_to_the_textbook():
    rng = Random(4)
    for m, most in ((8, 12), (9, 4), (15, 60), (6, 1000), (16, 4)):
        counts = [rng.randint(1, most) for _ in range(2 * m + 2)]
        case = draw_case(rng, unit="sow")
        compare(replace(case, state=State(tuple(counts), rng.randint(0, 1))), SMALL)
        assert not fits(State(tuple(counts), 0))


def test_a_changed_global_of_an_evaluator_counts_in_the_next_search(monkeypatch):
    case = Case(Kalah(4, 3), Kalah(4, 3).start(), "minimax", "bits", "pit")
    before = case.search(engine.ALGORITHMS, 4)
    monkeypatch.setitem(globals(), "SALT", 6)
    compare(case, SMALL)
    assert case.search(engine.ALGORITHMS, 4) != before


def unpack(packed, player, places):
    mover = (*(packed.own >> 8 * place & 255 for place in places), packed.own_store)
    other = (*(packed.opp >> 8 * place & 255 for place in places), packed.opp_store)
    return State(mover + other if player == 0 else other + mover, player)


def test_sowing_by_tables_equals_sowing_by_the_rules():
    rng = Random(7)
    for m, rules, _ in product(range(1, MAX_PITS + 1), (STANDARD, EMPTY_CAPTURE), range(120)):
        first = tuple(range(m))
        places = rng.choice((first, first[::-1], tuple(range(MAX_PITS - m, MAX_PITS))))
        counts = [rng.choice((0, 0, 1, 2, rng.randint(0, 8))) for _ in range(2 * m + 2)]
        player, pit = rng.randint(0, 1), rng.randrange(m)
        most = MAX_STONES - sum(counts)
        counts[player * (m + 1) + pit] = rng.choice((1, rng.randint(1, most), 2 * m + 1))
        state = State(tuple(counts), player)
        packed = pack(state, places)
        assert unpack(packed, player, places) == state
        entry = places[pit] * ROW + counts[player * (m + 1) + pit]
        own, opp, effect = (int(table[entry]) for table in sowings(m, places))
        capture_empty = rules is EMPTY_CAPTURE
        own, opp, banked = step(packed.own, packed.opp, own, opp, effect, capture_empty)
        expected = sow(state.board, player, pit, rules)
        after = packed._replace(own=own, opp=opp, own_store=packed.own_store + banked)
        assert unpack(after, player, places).board == expected.board
        assert is_extra_turn(effect) == (expected.last == player * (m + 1) + m)


OTHER_CAPTURE = """
import sys
import pytest
from kalahlab.games import kalah

def other_rule(opposite, capture_empty):
    return 1 + opposite if opposite != 1 and (opposite or capture_empty) else 0

kalah.count_captured.__code__ = other_rule.__code__
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""
CAPTURING = """
solver/test_database.py::test_every_position_has_its_minimax_value
engine/test_engine.py::test_sowing_by_tables_equals_sowing_by_the_rules
engine/test_engine.py::test_the_fast_kernel_walks_the_textbook_tree[e1]
evaluators/test_evaluators.py::test_the_capture_term_is_the_stones_that_sows_capture
judging/test_fit.py::test_features_equal_those_by_sowing_and_the_fitted_evaluator_is_their_weighted_sum
published/test_homework.py::test_the_program_sows_by_the_rules
"""


# Slow, because no kernel of these tests with this rule is in numba's cache before the first run.
def test_only_one_function_has_the_capture_rule(tmp_path):
    """Replace it, in a separate process: all code that captures must still agree."""
    folder = Path(__file__).parents[1]
    tests = [str(folder / test) for test in CAPTURING.split()]
    # Without a folder, pytest would delete those of earlier runs.
    run_python(OTHER_CAPTURE, "--basetemp", str(tmp_path), *tests)


@pytest.mark.parametrize("depth", NODES)
def test_other_programs_count_the_same_nodes(depth):
    assert agrees_with_counts(engine.ALGORITHMS, "alpha_beta", depth)
    assert depth > 6 or all(agrees_with_counts(search.ALGORITHMS, name, depth) for name in PRUNING)


def test_other_programs_count_the_same_leaves(oracles):
    with (oracles / "kalah" / "perft.csv").open() as file:
        for row in csv.DictReader(file):
            game = Kalah(int(row["pits"]), int(row["stones"]), PRESETS[row["rules"]])
            depth = int(row["depth"])
            assert engine.perft(game, game.start(), depth)[-1] == int(row["leaves"]), row
            small = int(row["leaves"]) <= 25_000
            assert not small or perft(game, game.start(), depth)[-1] == int(row["leaves"]), row
    assert perft(Kalah(1, 1), Kalah(1, 1).start(), 3) == [1, 1, 1]  # South's only sow ends the game
    for stones, expected in {4: 65870790, 6: 146117172}.items():
        assert engine.perft(Kalah(6, stones), Kalah(6, stones).start(), 11)[-1] == expected


def test_compiled_perft_equals_the_textbooks_on_any_board():
    rng = Random(8)
    for index in range(200):
        game, state = random_position(rng, 4, 3)
        if index % 4 == 0:
            state = State((*state.board[:-1], state.board[-1] + 1000), state.player)
            state = State((state.board[0] + 200, *state.board[1:]), state.player)
        assert engine.perft(game, state, 5) == perft(game, state, 5), (game, state)


def wordy(board, player):
    return eval("board[0]")


def overflowing(board, player):
    return int((board[0] + 3) * 1e30) % 1000


def beyond_the_board(board, player):
    return board[len(board)]


def nothing(board, player):
    return 0.5 - player


def sometimes(board, player):
    if board[0] > player:
        return board[0]


CANNOT = {
    "ValueError:.* observer": {"observer": Observer()},
    "ValueError:.* Kalah": {"game": AIMA_5_2, "state": AIMA_5_2.start()},
    "ValueError:.* fixed Depth": {"deep_enough": lambda node: node.sows == 2},
    r"ValueError:.*lambda.*use one of pit, .*killer": {"order": lambda tree, node, of: of},
    r"BadEvaluator: evaluator sometimes returns None for the board": {"evaluator": sometimes},
    # compiled, it returns another value
    "ArithmeticError:.*evaluator overflowing returns": {"evaluator": overflowing},
}


@pytest.mark.parametrize(("message", "changes"), CANNOT.items())
def test_the_engine_refuses_what_it_cannot_do(message, changes):
    game = Kalah(3, 3)
    arguments = {"game": game, "state": game.start(), "evaluator": store_difference}
    arguments |= {"deep_enough": Depth(2)} | changes
    with pytest.raises((ValueError, ArithmeticError)) as caught:
        engine.minimax(**arguments)
    assert re.match(message, f"{caught.typename}: {caught.value}")


def test_an_evaluator_that_cannot_be_compiled_is_searched_by_the_textbook():
    arguments = Kalah(3, 3), Kalah(3, 3).start(), wordy, Depth(4)
    message = r"evaluator .*wordy cannot be compiled: \S.*The textbook searches"
    with pytest.warns(Note, match=message) as warned:
        engine.alpha_beta(*arguments)
    [warning] = [entry for entry in warned if re.match(message, str(entry.message))]
    assert warning.filename == __file__
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message)  # there is only one
        for name, twin in engine.ALGORITHMS.items():
            assert twin(*arguments) == search.ALGORITHMS[name](*arguments)


@pytest.mark.parametrize("pits", [6, 5, 2])
@pytest.mark.parametrize(
    ("error", "evaluator"),
    [
        (ZeroDivisionError, lambda board, player: 1 / (board[0] - board[0])),
        (IndexError, beyond_the_board),
        (IndexError, lambda board, player: SQUARES[board[0]][0] + SQUARES[0][board[1]]),
        (IndexError, lambda board, player: 1 + beyond_the_board(board, player)),
    ],
)
def test_the_kernels_propagate_errors_of_an_evaluator(error, evaluator, pits):
    with pytest.raises(error):
        engine.alpha_beta(Kalah(pits, 4), Kalah(pits, 4).start(), evaluator, Depth(4))


def test_rows_of_a_table_are_read_as_in_python():
    compiled_sum = compiled.jit(sum_of_row, "int64(int64)")
    for index in range(-3, 3):
        assert compiled_sum(index) == sum_of_row(index)


SQUARES = tuple(tuple(10 * row + column**2 for column in range(5)) for row in range(3))


def sum_of_row(index):
    total = 0
    for number in SQUARES[index]:
        total += number
    return total


def test_a_line_longer_than_the_engine_follows_is_refused(monkeypatch):
    monkeypatch.setattr("kalahlab.engine.twin.workspace.MAX_PLIES", 3)
    game = Kalah(4, 3)
    assert engine.ALGORITHMS["scout"](game, game.start(), store_difference, Depth(3)).line
    with pytest.raises(RecursionError, match="use a smaller depth"):
        engine.ALGORITHMS["scout"](game, game.start(), store_difference, Depth(4))


def test_a_fingerprint_changes_with_all_that_a_kernel_freezes(monkeypatch):
    weights, share = np.array([1.0]), 2.0

    def evaluate(board, player, factors=weights):
        return factors[0] * share * SALT

    first = compiled.fingerprint(evaluate)
    assert first == compiled.fingerprint(evaluate)
    fingerprints = {first}
    weights[0] = 5.0
    fingerprints.add(compiled.fingerprint(evaluate))
    share = 3.0
    fingerprints.add(compiled.fingerprint(evaluate))
    monkeypatch.setitem(globals(), "SALT", 9)
    fingerprints.add(compiled.fingerprint(evaluate))
    evaluate.__defaults__ = (4.0,)
    fingerprints.add(compiled.fingerprint(evaluate))
    evaluate.__code__ = (lambda board, player, factors: factors * share).__code__
    fingerprints.add(compiled.fingerprint(evaluate))
    assert len(fingerprints) == 6


def test_a_fingerprint_changes_with_the_attributes_of_a_users_module(monkeypatch):
    weights = ModuleType("weights")
    weights.__file__, weights.inner, weights.HEAVY = "/mine/weights.py", weights, 2

    def evaluate(board, player):
        return board[0] * weights.inner.HEAVY

    before = compiled.fingerprint(evaluate)
    game = Kalah(3, 3)
    assert engine.alpha_beta(game, game.start(), evaluate, Depth(1)).value == 6
    monkeypatch.setattr(weights, "HEAVY", 5)
    assert engine.alpha_beta(game, game.start(), evaluate, Depth(1)).value == 15
    assert compiled.fingerprint(evaluate) != before


def test_functions_are_compiled_without_a_cache_folder(monkeypatch):
    monkeypatch.setattr("numba.core.caching.CacheImpl._locator_classes", [])
    assert compiled.jit(nothing, "float64(int64[::1], int64)")(np.arange(8), 1) == -0.5


SEARCH = """
from kalahlab import engine
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.kalah import Kalah
from kalahlab.search import Depth
for name in ("store_difference", "e3"):
    engine.alpha_beta(Kalah(), Kalah().start(), EVALUATORS[name], Depth(5))
"""
COMPILED = """
import sys
import numba
from numba.core.event import install_recorder
with install_recorder("numba:compile") as events:
    exec(sys.argv[1])
    print(len(events.buffer))
    numba.njit(lambda number: number)(1)
    print(len(events.buffer))
"""
"""Prints the number of beginnings and ends of compilations: of the searches, and of one more."""


def test_another_process_compiles_nothing():
    exec(SEARCH, {})
    assert run_python(COMPILED, SEARCH).split() == ["0", "2"]


def lose_everywhere(board, player):
    return math.inf if player else -math.inf


@pytest.mark.parametrize("depth", [3, 5])
def test_the_first_move_is_the_best_if_every_move_loses_all(depth):
    game = Kalah(6, 4)
    limited = game, game.start(), lose_everywhere, Depth(depth)
    assert engine.alpha_beta(*limited) == search.alpha_beta(*limited)
