"""The benchmark of positions: its sampling, and its values against plain minimax."""

import gzip
from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import benchmark
import pandas as pd
import pytest
from benchmark import BOARDS, PARTS, STRENGTHS, Plan, distinct, sample_game, sample_games
from judge_positions import write
from oracle import exact_moves

from kalahlab.games.kalah import SOUTH, State, stones_in_play
from kalahlab.games.supported import STORED
from kalahlab.judging.solved_positions import SolvedPosition, load_positions
from kalahlab.solver.ledger import normalize_position


def test_values_are_those_of_plain_minimax(benchmark_positions):
    few = [row for row in benchmark_positions if stones_in_play(row.state.board) <= 10]
    sample = Random(1).sample(few, 60)
    assert {row.rules for row in sample} == {*STORED}
    assert [row.moves for row in sample] == [*map(exact_moves, sample)]


def test_every_position_occurs_once_and_has_a_choice(benchmark_positions):
    assert (
        len({(row.rules, normalize_position(row.state)[0]) for row in benchmark_positions})
        == len(benchmark_positions)
        > 25_000
    )
    for row in benchmark_positions:
        pits = row.state.board[: len(row.moves)]
        assert row.state.player == SOUTH
        assert [value is not None for value in row.moves] == [stones > 0 for stones in pits]
        assert sum(stones > 0 for stones in pits) > 1
        assert stones_in_play(row.state.board) <= BOARDS[row.start][1]
        assert (row.value - sum(row.state.board)) % 2 == 0


def test_each_game_has_one_board_and_belongs_to_one_part(benchmark_positions):
    games = {}
    for row in benchmark_positions:
        settings = (row.start, row.rules, row.part)
        assert games.setdefault(row.game, settings) == settings
        assert {row.mover, row.opponent} <= {*STRENGTHS}
    assert max(Counter(row.game for row in benchmark_positions).values()) == benchmark.PER_GAME
    parts = Counter(part for _, _, part in games.values())
    for part in PARTS:
        assert parts[part] == pytest.approx(len(games) * PARTS.count(part) / len(PARTS), rel=0.01)


def test_all_boards_rules_phases_and_strengths_occur(benchmark_positions):
    counts = Counter((row.start, row.rules, row.phase) for row in benchmark_positions)
    assert len(counts) == len(BOARDS) * len(STORED) * 3
    assert min(counts.values()) > 20
    assert (
        min(Counter(row.mover for row in benchmark_positions).values())
        > len(benchmark_positions) / len(STRENGTHS) / 2
    )


def test_the_positions_of_the_file_are_reproduced(benchmark_positions):
    plans = [Plan(4, 4, rules, 12, most_stones=BOARDS[4, 4][1]) for rules in STORED]
    drawn = distinct(sample_games(plans))
    names = {row.game for row in drawn}
    assert {*drawn} == {replace(row, moves=()) for row in benchmark_positions if row.game in names}


def test_the_file_does_not_depend_on_the_order_or_the_chunks(tmp_path, monkeypatch):
    plans = [Plan(4, 4, rules, games=6, seed=5, most_stones=11) for rules in STORED]
    planned = list(product(plans, range(6)))
    games = [[*map(sample_game, planned)], [*map(sample_game, planned[::-1])][::-1]]
    files = []
    for chunk, rows in zip((benchmark.CHUNK, 7), games, strict=True):
        monkeypatch.setattr(benchmark, "CHUNK", chunk)
        judged_rows = benchmark.judge_all(distinct(rows), database_stones=6)
        assert [row.moves for row in judged_rows] == [*map(exact_moves, judged_rows)]
        write(path := tmp_path / "made.csv.gz", judged_rows)
        files.append(path.read_bytes())
        assert load_positions(path) == judged_rows
    assert files[0] == files[1]


WRONG_ROWS = {
    "other rules": ("standard", "nim"),
    "a stone too many": (",1,6,0,", ",1,6,1,"),
    "a pit less": ("-4 -4 - - 0 -", "-4 -4 - - 0"),
    "a value of an empty pit": ("-4 -4 - - 0 -", "-4 -4 2 - 0 -"),
    "no value of a pit": ("-4 -4 - - 0 -", "-4 - - - 0 -"),
    "another parity": ("-4 -4 - - 0 -", "-4 -3 - - 0 -"),
    "more than all stones": ("-4 -4 - - 0 -", "-4 -4 - - 50 -"),
    "another phase": ("middle", "end"),
}


def test_positions_of_mixed_sizes_are_read_in_order(tmp_path, benchmark_positions):
    """Test also boards with spaces, which are parsed one by one, and the row of a wrong board."""
    sample = Random(2).sample(benchmark_positions, 200)
    write(path := tmp_path / "some.csv.gz", sample)
    table = pd.read_csv(path, dtype=str)
    table["board"] = table["board"].str.replace(",", " , ")
    table.to_csv(path, index=False)
    assert load_positions(path) == sample
    table.loc[150, "board"] = table.loc[150, "board"][:-1]
    table.to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"some\.csv\.gz, row 150: board .* is not of the form"):
        load_positions(path)


@pytest.mark.parametrize("change", WRONG_ROWS)
def test_rows_that_contradict_their_positions_are_refused(change, tmp_path):
    row = 'standard,"<6,10,12,1,6,0,0,6,0,0,2,5,0,4,2>",-4 -4 - - 0 -,middle'
    file = tmp_path / "some.csv.gz"
    file.write_bytes(gzip.compress(f"rules,board,moves,phase\n{row}\n".encode()))
    assert len(load_positions(file)) == 1
    wrong = row.replace(*WRONG_ROWS[change])
    assert wrong != row
    file.write_bytes(gzip.compress(f"rules,board,moves,phase\n{wrong}\n".encode()))
    with pytest.raises(ValueError, match=r"some\.csv\.gz, row 0: .* is not what the moves of <6,"):
        load_positions(file)


def test_columns_may_be_in_any_order(tmp_path, benchmark_positions):
    write(path := tmp_path / "some.csv.gz", benchmark_positions[:50])
    table = pd.read_csv(path, dtype=str)
    table[[*reversed(table.columns)]].to_csv(path, index=False)
    assert load_positions(path) == benchmark_positions[:50]


def test_another_seed_draws_other_positions_and_known_ones_are_left_out():
    first, second = (sample_games([Plan(4, 4, "standard", 6, seed)]) for seed in (1, 2))
    assert first != second
    assert distinct(first, without=distinct(first)) == []


def test_all_openings_of_a_plan_with_few_stones_are_left_out():
    few, many = (sample_games([Plan(4, 4, "standard", 3, most_stones=n)]) for n in (10, 40))
    assert [row["left_out"] for row in few] == [row["openings"] for row in few]
    assert sum(row["openings"] for row in many) > 0
    assert sum(row["left_out"] for row in many) == 0


@pytest.mark.parametrize(
    ("stones", "name"), [(16, "end"), (18, "middle"), (32, "middle"), (33, "opening")]
)
def test_a_phase_is_a_third_of_the_stones(stones, name):
    board = (stones, 0, 0, 0, 0, 0, 48 - stones, 0, 0, 0, 0, 0, 0, 0)
    assert SolvedPosition("standard", State(board, SOUTH), ()).phase == name
