import gc
import os
import random
import re
import signal
import sys
import weakref
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import reduce
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from conftest import run_python
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import plain_minimax
from strategies import boards

from kalahlab.data import data_rows
from kalahlab.games.kalah import SOUTH, Kalah, State, pits_of, swap_sides
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import EMPTY_CAPTURE, STANDARD, Rules
from kalahlab.players.game_loop import random_position
from kalahlab.solver.endgame.database import build, database_path, load, save
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.kernel import ENTRY_BYTES
from kalahlab.solver.ledger import Ledger
from kalahlab.solver.plan import LEAST_ENTRIES, make_plan
from kalahlab.solver.prover import Prover, Workers, empty_counters
from kalahlab.solver.solve import solve, solve_all
from kalahlab.solver.verify import verify

BOTH = pytest.mark.parametrize("rules", [STANDARD, EMPTY_CAPTURE], ids=["standard", "empty"])

START = Kalah().start()
MOST = {1: 7, 2: 7, 3: 3, 4: 1, 5: 1}
SMALL = [(pits, stones) for pits, most in MOST.items() for stones in range(1, most + 1)]
"""Boards that plain minimax can do: 19, and so 38 under the two rules."""

KNOWN = [
    ("empty-capture", row["pits"], row["stones"], (row["irving"], row["irving_margin"]))
    for row in data_rows("solved_published.csv", pits=int, stones=int)
    if row["pits"] + row["stones"] < 10
]
"""Irving, Donkers and Uiterwijk (2000): who wins, and by how much; and Rawlings (2015) below."""


def assert_perfect(line, state, game, value):
    end = reduce(game.play, line, state)
    assert game.is_over(end)
    assert game.margin(end, state.player) == value


@BOTH
@pytest.mark.parametrize(("pits", "stones"), SMALL)
def test_values_of_small_boards_equal_minimax(pits, stones, rules, databases):
    """Solve each board as users do, and with a small database or none and two workers."""
    game = Kalah(pits, stones, rules)
    values = plain_minimax(game)(game.start())
    for database_stones, workers in ((None, 1), (2, 1) if stones % 2 else (0, 2)):
        sizes = {"database_stones": database_stones, "workers": workers, "folder": databases}
        solution = solve(game.start(), rules, moves=True, **sizes)
        assert solution.value == max(values.values())
        assert solution.bounds == (solution.value, solution.value)
        assert solution.moves == tuple(values.get(pit) for pit in range(pits))
        assert database_stones in (None, solution.database_stones)
        assert_perfect(solution.line, game.start(), game, solution.value)


@BOTH
def test_a_tiny_database_and_a_large_one_agree(rules):
    rng = random.Random(7)
    for pits, stones in ((2, 20), (3, 18), (4, 15), (5, 13), (6, 13), (7, 11)):
        large = build(pits, stones, rules)
        prover = Prover(build(pits, 3, rules), 1 << 12)
        for _ in range(140):
            pebbles = [0] * (2 * pits)
            for _ in range(rng.randint(stones - 5, stones)):
                pebbles[rng.randrange(2 * pits)] += 1
            south, north = pebbles[:pits], pebbles[pits:]
            if not any(south) or not any(north):
                continue
            state = State((*south, rng.randrange(9), *north, rng.randrange(9)), SOUTH)
            if rng.random() >= 0.5:
                state = swap_sides(state)
            value = large.probe(state)
            assert value <= prover.ask(state, value, 0, empty_counters()).bound, state
            assert value >= prover.ask(state, value + 2, 0, empty_counters()).bound, state


def test_a_search_keeps_the_database_that_it_reads(tmp_path):
    path, start = tmp_path / "some.values", Kalah(4, 4).start()
    save(build(4, 12), path)
    alone = Prover(load(path, 4, 12, STANDARD), 1 << 12).ask(start, 8, 0, empty_counters())
    prover = Prover(load(path, 4, 12, STANDARD), 1 << 12)
    values = weakref.ref(prover.database.values)
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(prover.ask, start, 8, 0, empty_counters())
        del prover
        path.unlink()
        gc.collect(1)  # the objects of this test are young: to look at all takes a second
        assert search.result() == alone
    gc.collect(1)
    assert values() is None


@pytest.mark.parametrize(("rules", "pits", "stones", "published"), KNOWN)
def test_published_values(rules, pits, stones, published, databases):
    """Solve boards under rules that are named."""
    solution = solve(Kalah(pits, stones).start(), rules, folder=databases)
    verdict = "D"
    if solution.value != 0:
        verdict = "W" if solution.value > 0 else "L"
    assert published in ((verdict, ""), (verdict, str(solution.value)))
    assert_perfect(
        solution.line, Kalah(pits, stones).start(), Kalah(pits, stones, rules), solution.value
    )


@BOTH
def test_mirrored_positions_have_the_same_values(rules, databases):
    """Compare separate solves with a solver of many positions, too."""
    rng, game, sizes = random.Random(3), Kalah(4, 3, rules), {"database_stones": 9}
    with open_solver(4, rules, workers=2, folder=databases, **sizes) as solver:
        for _ in range(6):
            state = random_position(game, rng, rng.randrange(2, 8))
            solution = solve(state, rules, moves=True, folder=databases, **sizes)
            turned = format_board(swap_sides(state))
            mirrored = solve(turned, rules, moves=True, folder=databases, **sizes)
            assert (
                solution.value == mirrored.value == game.margin(state, state.player)
                or solution.line
            )
            assert solution.moves == mirrored.moves
            assert solution.as_json()["line"] == [pit + 1 for pit in solution.line]
            assert_perfect(solution.line, state, game, solution.value)
            if solution.line:
                values = dict(solver.move_values(state))
                assert tuple(values.get(pit) for pit in range(4)) == solution.moves
                assert solution.value == solver.value(state) == max(values.values())
                assert_perfect(solver.line(state), state, game, solution.value)


def answers(solution):
    return solution.value, solution.bounds, solution.moves, solution.stopped


@BOTH
@settings(max_examples=8)
@given(
    states=st.lists(st.integers(1, 4).flatmap(lambda pits: boards(pits, 2)), max_size=6),
    workers=st.integers(1, 2),
    in_pieces=st.booleans(),
)
def test_many_positions_have_the_answers_of_single_calls(
    states, workers, in_pieces, rules, databases
):
    """Test boards of mixed sizes, finished ones, another order and other numbers of workers."""
    options = {"moves": True, "database_stones": 3, "folder": databases}
    with TemporaryDirectory() as folder:
        more = {"ledger": Path(folder), "piece_nodes": 20} if in_pieces else {}
        solutions = solve_all(states, rules, workers=workers, **options, **more)
    backwards = solve_all(states[::-1], rules, workers=3 - workers, **options)[::-1]
    for state, solution, other in zip(states, solutions, backwards, strict=True):
        single = solve(state, rules, workers=1, **options)
        assert answers(solution) == answers(other) == answers(single)
        game = Kalah(pits_of(state.board), 0, rules)
        assert_perfect(solution.line, state, game, solution.value)


def test_positions_to_solve_may_be_states_texts_a_frame_or_an_array(databases):
    rng, game = random.Random(8), Kalah(3, 2)
    played = [random_position(game, rng, rng.randrange(5)) for _ in range(10)]
    texts = [format_board(state) for state in played]
    frame = pd.DataFrame({"board": texts}, index=range(10, 0, -1))
    array = np.array([parse_board(text).board for text in texts])
    first, *others = (
        [solution.value for solution in solve_all(positions, database_stones=4, folder=databases)]
        for positions in (played, texts, frame, array)
    )
    assert others == [first] * 3
    assert solve_all([]) == []


def test_ctrl_c_keeps_the_positions_that_are_solved(databases):
    starts = [Kalah(3, 2).start(), Kalah(3, 1).start(), Kalah(3, 3).start(), Kalah(4, 3).start()]
    reports = []

    def stop(progress):
        reports.append(progress)
        if progress.done == 2:
            os.kill(os.getpid(), signal.SIGINT)

    # The report after the second position stops the third one.
    options = {"moves": True, "database_stones": 4, "folder": databases}
    with patch("kalahlab.solver.solve.REPORT_SECONDS", 0):
        solutions = solve_all(starts, progress=stop, **options)
    expected = [solve(start, **options) for start in starts[:2]]
    assert [*map(answers, solutions[:2])] == [*map(answers, expected)]
    assert [solution.stopped for solution in solutions] == [False, False, True, True]
    assert [solution.value for solution in solutions[2:]] == [None, None]
    assert solutions[3].bounds == (-24, 24)
    assert {report.total for report in reports} == {4}
    assert str(reports[0]).startswith("0 of 4; memory: ")
    assert re.match(r"2 of 4, about \d+ (s|min|h) left; ", str(reports[-1]))


def test_many_positions_share_a_ledger(databases, tmp_path):
    game = Kalah(4, 2)
    starts = [game.start(), *(game.play(game.start(), pit) for pit in range(4))]
    options = {"database_stones": 4, "ledger": tmp_path, "line": False, "folder": databases}
    solutions = solve_all(starts, **options)
    ledger = Ledger(tmp_path / "kalah-4-standard.txt")
    assert sum(solution.nodes for solution in solutions) == ledger.nodes
    again = solve_all(starts, **options)
    assert [solution.value for solution in again] == [solution.value for solution in solutions]
    assert again[0].believed > 0


WRONG_POSITIONS = {
    "a text": ("<2,0,0,1,1,1,1>", TypeError, "a list of states or texts, .*: no str"),
    "a game": (Kalah(), TypeError, "a list of states or texts, .*: no Kalah"),
    "no board": (["<2,0,0,1,1,1,1>", "<2>"], ValueError, "row 1: board '<2>' is not"),
    "8 pits": (["<2,0,0,1,1,1,1>", Kalah(8, 1).start()], ValueError, "row 1: .* 8 pits a side"),
    "fractions": (np.ones((3, 6)), ValueError, ".* whole numbers, not float64"),
    "a column": (np.ones(6, int), ValueError, r".* not \(6,\)"),
}


@pytest.mark.parametrize("case", WRONG_POSITIONS)
def test_many_positions_that_cannot_be_solved_are_named(case, tmp_path):
    positions, error, message = WRONG_POSITIONS[case]
    with pytest.raises(error, match=f"^[^\n]*{message}[^\n]*$"):
        solve_all(positions, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_value_of_a_finished_game_is_its_margin():
    solution = solve(State((0, 0, 5, 1, 2, 4), 1), moves=True)
    assert (solution.value, solution.moves, solution.line, solution.bounds) == (
        2,
        (None, None),
        (),
        (2, 2),
    )


def test_an_executor_finds_the_same_values_and_writes_a_ledger(databases, tmp_path):
    game, sizes = Kalah(4, 3, EMPTY_CAPTURE), {"database_stones": 8, "folder": databases}
    alone = solve(game.start(), game.rules, moves=True, **sizes)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        spread = solve(
            game.start(), game.rules, moves=True, executor=executor, ledger=tmp_path, **sizes
        )
    assert (spread.value, spread.moves) == (alone.value, alone.moves) == (8, alone.moves)
    assert spread.nodes > 0
    assert_perfect(spread.line, game.start(), game, 8)
    [file] = tmp_path.iterdir()
    assert verify(file, sample=None, database_stones=4, folder=databases).is_verified


def test_a_limited_proof_gives_up_and_an_unlimited_one_does_not():
    workers = Workers(Prover(build(6, 6), 1 << 12, threads=2).ask, workers=1, threads=2)
    assert workers.prove_bound(Kalah(6, 3).start(), 2, limit=2000) is None
    assert workers.prove_bound(Kalah(6, 2).start(), 6) == 6
    workers.close()


def test_ctrl_c_returns_the_bounds_proved_so_far(databases):
    start, reported_bounds = Kalah(6, 3).start(), {(-36, 36)}

    def stop(progress):
        if progress.stage == "search" and progress.bounds not in reported_bounds:
            reported_bounds.add(progress.bounds)
            if len(reported_bounds) == 3:
                os.kill(os.getpid(), signal.SIGINT)

    solution = solve(
        start, moves=True, database_stones=6, workers=2, progress=stop, folder=databases
    )
    lower, upper = solution.bounds
    assert solution.value is None
    assert -36 < lower <= 2 <= upper
    assert solution.moves == (None,) * 6
    assert solution.nodes > 0


def test_progress_reports_shrinking_bounds_and_the_value_of_each_move(databases):
    reports, start = [], Kalah(4, 2).start()
    solution = solve(
        start, moves=True, database_stones=4, progress=reports.append, folder=databases
    )
    assert reports[0].stage == "memory"
    assert all("\n" not in str(report) for report in reports)
    searched = [report for report in reports if report.stage == "search"]
    bounds = [report.bounds for report in searched if report.move is None]
    for (lower, upper), (next_lower, next_upper) in pairwise(bounds):
        assert lower <= next_lower
        assert upper >= next_upper
    last = {report.move: report.bounds for report in searched}
    values = dict(enumerate(solution.moves)) | {None: solution.value}
    assert {None, 0, 1, 2} <= set(last)
    assert last == {move: (values[move],) * 2 for move in last}


def test_a_damaged_database_is_refused_and_rebuilt_on_request(tmp_path):
    start = Kalah(3, 4).start()
    value = solve(start, database_stones=8, folder=tmp_path).value
    path = database_path(3, 8, STANDARD, tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="rebuild"):
        solve(start, database_stones=8, folder=tmp_path)
    assert solve(start, database_stones=8, folder=tmp_path, rebuild=True).value == value
    assert solve(start, database_stones=8, folder=tmp_path).value == value


@pytest.mark.parametrize(
    ("error", "args", "options", "message"),
    [
        (ValueError, (State((1, 2, 3), 0),), {}, ".*2m . 2 numbers"),
        (ValueError, (State((1, 2, 0, 3, 1, 0), 2),), {}, ".*player 2"),
        (
            ValueError,
            (START, Rules(rest_to="leader")),
            {},
            "perfect play is not known for the rule rest_to=leader: .* depends on the stores",
        ),
        (TypeError, (Kalah(4, 3),), {}, "give a state of Kalah, .*, not a Kalah"),
        (TypeError, (Kalah(), START), {}, "give a state of Kalah, .*, not a Kalah"),
        (
            TypeError,
            (START,),
            {"mvs": True},
            r"solve\(\) has no parameter 'mvs'; use one of moves, ",
        ),
    ],
)
def test_positions_that_cannot_be_solved_raise_an_error_of_one_line(
    error, args, options, message, tmp_path
):
    with pytest.raises(error, match=f"^{message}[^\n]*$"):
        solve(*args, folder=tmp_path, **options)
    assert list(tmp_path.iterdir()) == []


def test_a_plan_stays_within_its_memory():
    for memory in (10**6, 10**7, 10**8, 10**9, 6 * 10**9):
        plan = make_plan(6, [60], memory_bytes=memory)
        assert plan.bytes <= memory
    plan = make_plan(6, [60], memory_bytes=6 * 10**9)
    assert plan.database_stones >= 25
    assert plan.piece_nodes < make_plan(6, [48]).piece_nodes
    assert make_plan(6, [48], database_stones=11).database_stones == 11
    assert make_plan(6, [48], table_bytes=1 << 20).entries == (1 << 20) // ENTRY_BYTES
    assert make_plan(6, [48]).database_stones in (19, 20, 21)
    assert make_plan(6, [48], stored=(3, 22, 27)).database_stones == 22
    assert make_plan(2, [4]).entries >= LEAST_ENTRIES


@pytest.mark.skipif(sys.platform != "linux", reason="counts memory as Linux does")
@pytest.mark.parametrize("huge_pages", ["0", "1"])
def test_a_solve_takes_no_more_memory_than_announced(databases, huge_pages):
    # So short a proof would not touch each small page of a larger table.
    code = f"""
from pathlib import Path
from kalahlab.solver.solve import solve
from kalahlab.games.kalah import Kalah
promised = []
def on_progress(progress):
    if progress.stage == "memory":
        promised.append(progress.bytes)
solve(Kalah(6, 3).start(), database_stones=17, table_bytes=1 << 26, folder=Path({str(databases)!r}),
      progress=on_progress)
status = Path("/proc/self/status").read_text()
print(promised[0], int(status.partition("VmHWM:")[2].split()[0]) * 1024)
"""
    promised, peak = map(int, run_python(code, NUMPY_MADVISE_HUGEPAGE=huge_pages).split())
    assert 0.9 * promised <= peak <= 1.1 * promised
