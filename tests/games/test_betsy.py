"""Betsy: the rules, the report's heuristics and its choices, against recorded cases."""

import csv
import importlib
import json
import re
import signal
import time
from collections import Counter
from itertools import groupby, product
from random import Random

import pytest
from click.testing import CliRunner
from conftest import jsonl, start_python
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_betsy

from kalahlab.cli import cli
from kalahlab.evaluators import betsy as heuristics
from kalahlab.evaluators.betsy import EVALUATORS, HEURISTICS, Weighted, leaf_value, weighing
from kalahlab.games import betsy as rules
from kalahlab.games.betsy import NAMES, Betsy, State, format_board, mark, parse_board, winner
from kalahlab.search import Depth, alpha_beta
from kalahlab.search.perft import perft

chances = st.integers(0, 2**32).map(Random)
positions = chances.map(lambda rng: random_betsy(rng, most=5))


def state_of(text, n, player, left=200):
    return State(parse_board(text, n), NAMES.index(player), left)


def name_of(player):
    return None if player is None else NAMES[player]


def test_single_moves_agree_with_the_log_of_the_course_referee(oracles):
    for case in jsonl(oracles / "betsy" / "moves.jsonl"):
        game, state = Betsy(case["n"]), state_of(case["before"], case["n"], case["player"])
        if case["after"] is None:
            with pytest.raises(ValueError, match=rf"^move \+{case['move']} cannot be played by x"):
                game.play(state, case["move"])
            continue
        after = game.play(state, case["move"])
        assert format_board(after.board) == case["after"], case
        assert name_of(winner(after)) == case["winner"], case
        assert game.is_over(after) == (case["winner"] is not None)


def test_perft_agrees_with_another_program(oracles):
    with (oracles / "betsy" / "perft.csv").open() as file:
        rows = list(csv.DictReader(file))
    for idle, column in ((True, "all"), (False, "without_idle")):
        for n in (2, 3, 4, 5):
            expected = [int(row[column]) for row in rows if row["n"] == str(n)]
            game = Betsy(n, idle=idle)
            assert perft(game, game.start(), len(expected)) == expected


def test_the_recorded_games_can_be_replayed(oracles):
    logs = jsonl(oracles / "betsy" / "games.jsonl")
    for log in logs:
        game = Betsy(log["n"])
        state = game.start()
        for move, board in log["moves"]:
            assert winner(state) is None
            state = game.play(state, move)
            assert format_board(state.board) == board
        assert name_of(winner(state)) == log["winner"]
    assert sum(len(log["moves"]) for log in logs) == 609


@given(positions)
def test_a_game_ends_with_a_line_or_at_its_limit(position):
    game, state = position
    assert game.is_over(state) == (winner(state) is not None or state.left == 0)
    win = 2 * game.n * (game.n + 3) + state.left
    assert game.margin(state, 0) == {0: win, 1: -win, None: 0}[winner(state)]
    # column by column, the drop first: the order of the published program, which decides its ties
    moves = [*game.moves(state)]
    assert moves == sorted(moves, key=lambda move: (abs(move), -move))


def test_a_rotation_that_changes_nothing_is_legal_if_there_is_no_other_move():
    assert Betsy(2, idle=False).moves(State(parse_board("....x.xxxx", 2), 0, 9)) == (-1, -2)


@given(positions)
def test_the_text_and_the_drawing_of_a_board_agree(position):
    game, state = position
    text = format_board(state.board)
    lines = rules.draw_board(state.board).splitlines()
    assert "".join(lines[: game.n] + lines[game.n + 1 :]).replace(" ", "") == text
    assert set(lines[game.n]) == {"-"}


@given(st.text("xo.", min_size=10, max_size=10))
def test_a_text_is_a_board_if_no_pebble_is_above_an_empty_cell(text):
    is_stacked = all(re.fullmatch(r"\.*[xo]*", text[column::2]) for column in (0, 1))
    if is_stacked and max(text.count("x"), text.count("o")) <= 5:
        assert format_board(parse_board(text, 2)) == text
    else:
        with pytest.raises(ValueError, match=rf"^board '{re.escape(text)}' has [^\n]*$"):
            parse_board(text, 2)


@pytest.fixture(scope="module")
def heuristic_cases(oracles):
    return jsonl(oracles / "betsy" / "heuristics.jsonl")


AS_CODED = {
    "available_pos": "available_positions",
    "checkInRows": "check_rows",
    "checkInColumns": "check_columns",
    "checkInDiagonals": "check_diagonals",
    "countConsecutiveColumnElements": "consecutive",
}


def test_the_heuristics_agree_with_the_published_program(heuristic_cases):
    for case in heuristic_cases:
        board, player = parse_board(case["board"], case["n"]), NAMES.index(case["max_player"])
        for field, name in AS_CODED.items():
            assert EVALUATORS[name](board, player) == case[field], (name, case)
        for suffix, cell in (("max", mark(player)), ("min", -mark(player))):
            assert heuristics.rotations_to_row(board, cell) == case[f"dist_row_{suffix}"], case
            assert heuristics.rotations_to_column(board, cell) == case[f"dist_col_{suffix}"], case
            full = heuristics.full_line(board, player) * cell * mark(player)
            assert (full > 0) == case[f"goal_{suffix}"], case
        for field, name in (("row", "row"), ("col", "column")):  # in words, plain differences
            expected = case[f"dist_{field}_min"] - case[f"dist_{field}_max"]
            assert EVALUATORS[f"distance_to_{name}_in_words"](board, player) == expected
        for field in ("leafValue_depth2_currentMax", "leafValue_depth2_currentMin"):
            assert leaf_value(board, player) / 2 == pytest.approx(case[field], abs=1e-12), case
    assert len(heuristic_cases) == 180


def test_successors_and_best_moves_agree_with_the_published_program(heuristic_cases):
    """Compare depths 2 and 3 with ties: the first best move, but no rotation without a change."""
    compared = 0
    for case in heuristic_cases:
        game = Betsy(case["n"], idle=False)
        state = state_of(case["board"], case["n"], case["max_player"])
        assert list(game.moves(state)) == case["successors"]
        for depth in (2, 3):
            if f"alphabeta_D{depth}" in case:
                move, board = case[f"alphabeta_D{depth}"]
                result = alpha_beta(game, state, leaf_value, Depth(depth))
                assert (result.move, format_board(game.play(state, move).board)) == (move, board)
                compared += 1
    assert compared == 145


@given(positions)
def test_rows_and_columns_count_from_more_than_half_in_the_text_and_from_half_in_the_program(
    position,
):
    game, state = position
    n, text = game.n, format_board(state.board)
    rows = [text[start : start + n] for start in range(0, len(text), n)]
    columns = [text[column::n] for column in range(n)]
    for lines, length, name in ((rows[:n], n, "rows"), (columns, n + 3, "columns")):
        in_words, as_coded = Counter(), Counter()
        for line, player in product(lines, NAMES):
            pebbles = line.count(player)
            if 2 * pebbles > length:
                in_words[player] += 1
            if 2 * pebbles >= length and pebbles < n:
                as_coded[player] += 1
        evaluator = EVALUATORS[f"check_{name}_in_words"]
        assert evaluator(state.board, 0) == in_words["x"] - in_words["o"]
        evaluator = EVALUATORS[f"check_{name}"]
        assert evaluator(state.board, 0) == as_coded["x"] - as_coded["o"]


@given(positions)
def test_the_texts_runs_count_two_and_three_times(position):
    game, state = position
    runs = {"x": 0, "o": 0}
    for column in range(game.n):
        for name, run in groupby(format_board(state.board)[column :: game.n].strip(".") * 2):
            runs[name] = max(runs[name], len([*run]))
    assert heuristics.consecutive_in_words(state.board, 0) == 2 * runs["x"] - 3 * runs["o"]
    assert heuristics.consecutive_in_words(state.board, 1) == 2 * runs["o"] - 3 * runs["x"]


@settings(max_examples=300)
@given(positions)
def test_evaluators_do_not_depend_on_the_colour(position):
    """Draw positions once for all evaluators, as drawing them takes longest."""
    _, (board, player, _) = position
    exchanged = [-cell for cell in board]
    for name, evaluator in EVALUATORS.items():
        assert evaluator(exchanged, 1 - player) == evaluator(board, player), name
        if "consecutive" not in name and "leaf" not in name:
            assert evaluator(board, 0) == -evaluator(board, 1), name


@pytest.mark.parametrize("evaluator", [leaf_value, heuristics.leaf_value_in_words])
@given(positions)
def test_only_finished_games_have_the_value_of_a_win_which_is_their_least_margin(
    evaluator, position
):
    """Check a claim of the report. Only a board with lines of both players hides who won."""
    game, (board, to_move, _) = position
    winners = {winner(State(board, player, 0)) for player in (0, 1)}
    for player in (0, 1):
        if winners == {None}:
            assert abs(evaluator(board, player)) < 2 * game.n * (game.n + 3)
        elif len(winners) == 1:
            assert evaluator(board, player) == game.margin(State(board, to_move, 0), player)


@given(positions, st.sampled_from([*HEURISTICS]))
def test_a_weight_multiplies_its_heuristic(position, name):
    game, (board, player, _) = position
    value = weighing(**{name: -3.0})(board, player)
    assert value == pytest.approx(-HEURISTICS[name](board, player) / game.n)
    if heuristics.full_line(board, player) == 0:
        published = Weighted(heuristics.PUBLISHED_WEIGHTS)(board, player)
        assert 4 * published == pytest.approx(leaf_value(board, player))


# The package has the command, not the module, under the name of the module.
module = importlib.import_module("kalahlab.cli.betsy")


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch):
    monkeypatch.setattr(module, "process_age", lambda: 0.0)


def run_command(*words):
    result = CliRunner().invoke(cli, ["betsy", *words])
    assert result.exit_code == 0, result.output
    return [(int(move), board) for move, board in map(str.split, result.output.splitlines())]


@pytest.mark.parametrize("evaluator", ["leaf_value", "check-rows-in-words"])
def test_the_command_prints_a_legal_move_and_then_that_of_each_depth(evaluator):
    """Use a limit of four moves, which ends the search before the time does."""
    text = ".........x..xoxoox"
    lines = run_command("3", "o", text, "600", "--limit", "4", "--evaluator", evaluator)
    game, state = Betsy(3, 4), state_of(text, 3, "o", 4)
    function = EVALUATORS[evaluator.replace("-", "_")]
    moves = [alpha_beta(game, state, function, Depth(depth)).move for depth in (1, 2, 3, 4)]
    assert [move for move, _ in lines] == [game.moves(state)[0], *moves]
    assert all(format_board(game.play(state, move).board) == board for move, board in lines)
    words = ("3", "o", text, "600", "--limit", "4", "--evaluator", evaluator, "--json")
    answer = json.loads(CliRunner().invoke(cli, ["betsy", *words]).output)
    assert ((answer["move"], answer["after"]), answer["depth"]) == (lines[-1], 4)


def test_a_process_that_is_too_old_prints_its_first_move_and_ends(monkeypatch):
    monkeypatch.setattr(module, "process_age", lambda: 2.0)
    assert run_command("3", "x", "." * 18, "2.01") == [(1, "." * 15 + "x..")]


def test_a_process_knows_its_age():
    """Compare its age with the bounds that the parent measures, but for a clock tick of 10 ms."""
    code = (
        "from kalahlab.cli.betsy import process_age\n"
        "print(flush=True); input(); print(process_age())"
    )
    before = time.monotonic()
    with start_python(code) as process:
        started_at = time.monotonic()
        process.stdout.readline()
        ready_at = time.monotonic()
        age = float(process.communicate("\n")[0])
    assert ready_at - started_at - 0.01 <= age <= time.monotonic() - before + 0.01


def test_a_killed_process_has_printed_a_legal_move():
    """Read from a pipe, which loses output that is not flushed."""
    code = "from kalahlab.cli import main; main()"
    with start_python(code, "betsy", "5", "o", "." * 39 + "x", "600") as process:
        move, board = process.stdout.readline().split()
        process.send_signal(signal.SIGKILL)
    assert format_board(Betsy(5).play(state_of("." * 39 + "x", 5, "o"), int(move)).board) == board
