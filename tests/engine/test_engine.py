"""The engine walks the textbook's trees: same nodes, same windows, same answers."""

import csv
import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations, product
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest
from conftest import printed
from oracle import NODES, PRUNING, as_counted
from strategies import RULES, random_position

from kalahlab import engine, search
from kalahlab.engine import compiled
from kalahlab.engine.packed import MAX_PITS, MAX_STONES, ROW, again, fits, pack, sowings, step
from kalahlab.engine.twin.workspace import Transcript
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.games.hand_tree import AIMA_5_2
from kalahlab.games.kalah import PRESETS, Kalah, State, sow
from kalahlab.search import ORDERS, Depth
from kalahlab.search.observer import Observer
from kalahlab.search.perft import perft
from kalahlab.search.tree import RandomTies

SMALL, LARGE = 2000, 10000
"""Nodes that may be expected of the next depth of a position; every twentieth may cost more."""


def bits_of_the_board(board, player):
    """Three bits of a hash: an evaluator that ties often and means nothing."""
    mixed = SALT + player
    for count in board:
        mixed = (mixed * 31 + int(count) + 7) % 65521
    return mixed % 8 - SHARE


SALT, SHARE = 5, 3.5


def adjacent(board, player):
    """Between the first two lies no number: a null window ends at the second."""
    return (0.0, 5e-324, 1.0)[int(bits_of_the_board(board, player) + SHARE) % 3]


def lost(board, player):
    return -math.inf


def certain(board, player):
    lead = board[len(board) // 2 - 1] - board[-1]
    if lead == 0:
        return 0.0
    return math.inf if (lead > 0) == (player == 0) else -math.inf


OURS = {"bits": bits_of_the_board, "lost": lost, "certain": certain, "adjacent": adjacent}
ASKED = {**EVALUATORS, **OURS}


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
        order = order if self.ties is None else RandomTies(order, self.ties)
        asked = self.game, self.state, ASKED[self.evaluator], Depth(limit, self.unit), order, nodes
        return backend[self.algorithm](*asked)


def compare(case, budget, deepest=6):
    """Search at depths 0, 1, 2 ... with both backends, and count the depths that were compared."""
    compared = Counter()
    before = 1
    if "oracle" in case.order:  # it searches for each node
        deepest = min(4, deepest)
    for limit in range(deepest + 1):
        nodes, entered = Transcript(), Transcript()
        want = case.search(search.ALGORITHMS, limit, nodes)
        got, logged = (case.search(engine.ALGORITHMS, limit, log) for log in (None, entered))
        same = got == logged == want and type(got.value) is type(want.value)
        if not same or entered.checksum != nodes.checksum:
            pytest.fail(f"{case}, {limit}: {want} {got} {logged}")
        compared[limit] += 1
        if nodes.entered * max(2, nodes.entered / before) > budget:
            break
        before = nodes.entered
    return compared


CHOICES = {
    "algorithm": tuple(engine.ALGORITHMS),
    "evaluator": tuple(ASKED),
    "order": tuple(ORDERS),
    "unit": ("sow", "turn"),
    "rules": RULES,
    "pits": range(1, MAX_PITS + 1),
    "ties": (None, 1, 2),
}


def choice(chance, **chosen):
    """One of each of `CHOICES`, but for what is chosen; depths are counted in turns less often."""
    found = {name: chance.choice(of) for name, of in CHOICES.items()}
    found["unit"] = "turn" if chance.random() < 0.2 else "sow"
    found["ties"] = None if chance.random() < 0.8 else 2
    return found | chosen


def case_of(chance, pits, rules, **chosen):
    return Case(*random_position(chance, stones=16, m=pits, rules=rules), **chosen)


def drawn(chance, **chosen):
    return case_of(chance, **choice(chance, **chosen))


def test_every_search_walks_the_textbook_tree():
    """With each algorithm by each evaluator and so on: each two of `CHOICES`, twice."""
    chance, compared, met = Random(6), Counter(), Counter()
    for one, other in combinations(CHOICES, 2):
        for pair in product(CHOICES[one], CHOICES[other]):
            while met[one, other, *pair] < 2:
                found = choice(chance, **dict(zip((one, other), pair, strict=True)))
                met.update((a, b, found[a], found[b]) for a, b in combinations(CHOICES, 2))
                budget = LARGE if chance.random() < 0.05 else SMALL
                compared += compare(case_of(chance, **found), budget)
    assert min(compared[limit] for limit in range(7)) > compared[0] / 3, compared


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_the_fast_kernel_walks_the_textbook_tree(evaluator):
    """By the presets' rules, depth in sows and no random ties. Each evaluator is also tried on six
    pits, where their number is a constant."""
    chance, alone = Random(2), evaluator == "store_difference"
    names = ("alpha_beta", "minimax", "minimax_a_b") if alone else ("alpha_beta",)
    for index in range(300 if alone else 20):
        chosen = {
            "algorithm": chance.choice(names),
            "order": chance.choice(("pit", "store_first")),
            "rules": chance.choice(tuple(PRESETS.values())),
            "pits": chance.randint(1, 7) if alone or index % 2 else 6,
        }
        case = drawn(chance, evaluator=evaluator, unit="sow", ties=None, **chosen)
        compare(case, 1500, deepest=9 if alone else 5)


def test_a_question_that_its_own_end_answers_is_asked_again():
    chance = Random(1)
    for _ in range(20):
        compare(Case(*random_position(chance, 4, 3), "scout", "adjacent", "pit"), SMALL)


def test_a_table_that_fills_up_changes_nothing(monkeypatch):
    monkeypatch.setattr("kalahlab.engine.twin.search.FIRST_ENTRIES", 2)
    chance = Random(10)
    recalled = 0
    for index, name in enumerate(("alpha_beta_table", "scout_table", "mtdf") * 20):
        case = Case(*random_position(chance, 4, 4), name, "store_difference", "pit")
        case = replace(case, unit=("sow", "turn")[index % 2])
        compare(case, SMALL)
        recalled += case.search(engine.ALGORITHMS, 5).counts.recalled
    assert recalled > 50


def test_the_textbook_answers_for_boards_that_do_not_fit():
    chance = Random(4)
    for m, most in ((8, 12), (9, 4), (6, 1000)):
        counts = [chance.randint(1, most) for _ in range(2 * m + 2)]
        case = drawn(chance, unit="sow")
        compare(replace(case, state=State(tuple(counts), chance.randint(0, 1))), SMALL)
        assert not fits(State(tuple(counts), 0))


def test_what_an_evaluator_reads_may_change_between_two_searches(monkeypatch):
    case = Case(Kalah(4, 3), Kalah(4, 3).start(), "minimax", "bits", "pit")
    before = case.search(engine.ALGORITHMS, 4)
    monkeypatch.setitem(globals(), "SALT", 6)
    compare(case, SMALL)
    assert case.search(engine.ALGORITHMS, 4) != before


def unpacked(packed, player, places):
    own = (*(packed.own >> 8 * place & 255 for place in places), packed.own_store)
    opp = (*(packed.opp >> 8 * place & 255 for place in places), packed.opp_store)
    return State(own + opp if player == 0 else opp + own, player)


def test_sowing_tables_do_what_the_rules_say():
    chance = Random(7)
    for m, capture_empty, _ in product(range(1, MAX_PITS + 1), (False, True), range(120)):
        first = tuple(range(m))
        places = chance.choice((first, first[::-1], tuple(range(MAX_PITS - m, MAX_PITS))))
        counts = [chance.choice((0, 0, 1, 2, chance.randint(0, 8))) for _ in range(2 * m + 2)]
        player, pit = chance.randint(0, 1), chance.randrange(m)
        most = MAX_STONES - sum(counts)
        counts[player * (m + 1) + pit] = chance.choice((1, chance.randint(1, most), 2 * m + 1))
        state = State(tuple(counts), player)
        packed = pack(state, places)
        assert unpacked(packed, player, places) == state
        at = places[pit] * ROW + counts[player * (m + 1) + pit]
        own, opp, effect = (int(each[at]) for each in sowings(m, places))
        own, opp, banked = step(packed.own, packed.opp, own, opp, effect, capture_empty)
        sown = sow(state.board, player, pit, capture_empty)
        after = packed._replace(own=own, opp=opp, own_store=packed.own_store + banked)
        assert unpacked(after, player, places).board == sown.board
        assert again(effect) == (sown.last == player * (m + 1) + m)


OTHER_CAPTURE = """
import sys
import pytest
from kalahlab.games import kalah

def other_rule(opposite, capture_empty):
    return 1 + opposite if opposite != 1 and (opposite or capture_empty) else 0

kalah.captured_stones.__code__ = other_rule.__code__
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""
CAPTURING = """
engine/test_database.py::test_every_position_has_its_minimax_value
engine/test_engine.py::test_sowing_tables_do_what_the_rules_say
engine/test_engine.py::test_the_fast_kernel_walks_the_textbook_tree[e1]
evaluators/test_evaluators.py::test_the_capture_term_counts_what_sowing_captures
judging/test_fit.py::test_features_are_what_sowing_shows_and_the_fitted_evaluator_is_their_sum
published/test_homework.py::test_the_program_sows_by_the_rules
"""


def test_the_capture_rule_stands_in_one_function():
    """With another one in its place, in a process of its own, all that captures still agrees."""
    printed(OTHER_CAPTURE, *(str(Path(__file__).parents[1] / each) for each in CAPTURING.split()))


@pytest.mark.parametrize("depth", NODES)
def test_nodes_are_those_that_other_programs_counted(depth):
    assert as_counted(engine.ALGORITHMS, "alpha_beta", depth)
    assert depth > 8 or all(as_counted(search.ALGORITHMS, name, depth) for name in PRUNING)


def test_perft_is_what_other_programs_counted(oracles):
    with (oracles / "kalah" / "perft.csv").open() as file:
        for row in csv.DictReader(file):
            game = Kalah(int(row["pits"]), int(row["stones"]), PRESETS[row["rules"]])
            depth = int(row["depth"])
            assert engine.perft(game, game.start(), depth)[-1] == int(row["leaves"]), row
            small = int(row["leaves"]) <= 200_000
            assert not small or perft(game, game.start(), depth)[-1] == int(row["leaves"]), row
    assert perft(Kalah(1, 1), Kalah(1, 1).start(), 3) == [1, 1, 1]  # South's only sow ends the game
    for stones, expected in {4: 65870790, 6: 146117172}.items():
        assert engine.perft(Kalah(6, stones), Kalah(6, stones).start(), 11)[-1] == expected


def test_perft_on_any_board():
    chance = Random(8)
    for index in range(200):
        game, state = random_position(chance, 4, 3)
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
    r"BadEvaluator: evaluator sometimes gives None for the board": {"evaluator": sometimes},
    "ArithmeticError:.*evaluator overflowing says": {"evaluator": overflowing},  # else if compiled
}


@pytest.mark.parametrize(("says", "given"), CANNOT.items())
def test_what_the_engine_cannot_do_is_said(says, given):
    game = Kalah(3, 3)
    asked = {"game": game, "state": game.start(), "evaluator": store_difference}
    with pytest.raises((ValueError, ArithmeticError)) as caught:
        engine.minimax(**{**asked, "deep_enough": Depth(2), **given})
    assert re.match(says, f"{caught.typename}: {caught.value}")


def test_an_evaluator_that_cannot_be_compiled_is_searched_by_the_textbook(capsys):
    asked = Kalah(3, 3), Kalah(3, 3).start(), wordy, Depth(4)
    for name, textbook in search.ALGORITHMS.items():
        assert engine.ALGORITHMS[name](*asked) == textbook(*asked)
    [said] = capsys.readouterr().err.splitlines()
    assert re.match(r"note: evaluator .*wordy cannot be compiled: \S.*The textbook searches", said)


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
def test_an_error_in_an_evaluator_goes_through_the_kernels(error, evaluator, pits):
    with pytest.raises(error):
        engine.alpha_beta(Kalah(pits, 4), Kalah(pits, 4).start(), evaluator, Depth(4))


def test_rows_of_a_table_are_read_as_in_python():
    row_sums = compiled.jit(sum_of_row, "int64(int64)")
    assert [row_sums(at) for at in range(-3, 3)] == [sum_of_row(at) for at in range(-3, 3)]


SQUARES = tuple(tuple(10 * row + column**2 for column in range(5)) for row in range(3))


def sum_of_row(at):
    total = 0
    for number in SQUARES[at]:
        total += number
    return total


def test_a_line_longer_than_the_engine_follows_is_refused(monkeypatch):
    monkeypatch.setattr("kalahlab.engine.twin.workspace.MAX_PLIES", 3)
    game = Kalah(4, 3)
    assert engine.ALGORITHMS["scout"](game, game.start(), store_difference, Depth(3)).line
    with pytest.raises(RecursionError, match="use a smaller depth"):
        engine.ALGORITHMS["scout"](game, game.start(), store_difference, Depth(4))


def test_a_fingerprint_sees_whatever_a_kernel_freezes(monkeypatch):
    weights, share = np.array([1.0]), 2.0

    def weighed(board, player, own=weights):
        return own[0] * share * SALT

    found = {mark := compiled.fingerprint(weighed)}
    assert mark == compiled.fingerprint(weighed)
    weights[0] = 5.0
    found.add(compiled.fingerprint(weighed))
    share = 3.0
    found.add(compiled.fingerprint(weighed))
    monkeypatch.setitem(globals(), "SALT", 9)
    found.add(compiled.fingerprint(weighed))
    weighed.__defaults__ = (4.0,)
    found.add(compiled.fingerprint(weighed))
    weighed.__code__ = (lambda board, player, own: own * share).__code__
    found.add(compiled.fingerprint(weighed))
    assert len(found) == 6


def test_a_fingerprint_sees_what_an_evaluator_reads_of_a_users_module(monkeypatch):
    weights = ModuleType("weights")
    weights.__file__, weights.inner, weights.HEAVY = "/mine/weights.py", weights, 2

    def weighed(board, player):
        return board[0] * weights.inner.HEAVY

    evaluator = compiled.fingerprint(weighed)
    game = Kalah(3, 3)
    found = [engine.alpha_beta(game, game.start(), weighed, Depth(1)).value]
    monkeypatch.setattr(weights, "HEAVY", 5)
    found.append(engine.alpha_beta(game, game.start(), weighed, Depth(1)).value)
    assert compiled.fingerprint(weighed) != evaluator
    assert found == [6, 15]


def test_without_a_folder_to_cache_in_it_compiles_all_the_same(monkeypatch):
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
"""Prints the beginnings and ends of what is compiled: for the searches, and then for one more."""


def test_another_process_compiles_nothing():
    exec(SEARCH, {})
    assert printed(COMPILED, SEARCH).split() == ["0", "2"]
