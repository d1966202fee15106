"""Solved games, openings and endgames that need no engine: the same values as the solver's."""

import gzip
import json
import signal
from functools import reduce
from pathlib import Path
from random import Random

import pandas as pd
import pytest
import solve_openings
from hypothesis import given
from hypothesis import strategies as st
from solve_boards import boards, solve_rows
from solve_boards import write as write_solved
from solve_openings import last_ply, main, solve_layers, write

from kalahlab.data import data_file
from kalahlab.games.kalah import SOUTH, Kalah, State, stones_in_play
from kalahlab.games.supported import STORED
from kalahlab.players.game_loop import random_opening
from kalahlab.solver import value_files
from kalahlab.solver.endgame.database import build
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.ledger import Ledger, normalize_position
from kalahlab.solver.move_values import exact_values, perfect_player
from kalahlab.solver.solve import solve
from kalahlab.solver.solved_table import load_rows as read_solved
from kalahlab.solver.solved_table import solve_row
from kalahlab.solver.value_files import (
    Opening,
    load_values,
    lookup_move_values,
    lookup_value,
    opening_values,
)

SOLVED = read_solved(Path(str(data_file("solved.csv"))))
SMALL = [row for row in SOLVED if row.pits <= 3]


def opening_of(row):
    return Opening(row.pits, row.stones, row.rules)


def test_the_file_has_every_solved_board_and_is_small(tmp_path):
    values = load_values()
    assert {*values} == {*map(opening_of, SOLVED)}
    for opening, rows in values.items():
        if opening.pits > 4:  # a game on fewer pits may be over before
            assert len(rows) - 1 == last_ply(opening)
    assert len(data_file(value_files.FILE).read_bytes()) <= 1_000_000
    write(tmp_path / "again.csv.gz", values)
    assert load_values(tmp_path / "again.csv.gz") == values
    write(tmp_path / "twice.csv.gz", load_values(tmp_path / "again.csv.gz"))
    assert (tmp_path / "twice.csv.gz").read_bytes() == (tmp_path / "again.csv.gz").read_bytes()


def test_values_of_the_start_and_its_moves_equal_those_of_the_solved_games():
    for row in SOLVED:
        game = opening_of(row).game
        assert lookup_value(game, game.start()) == row.value
        if row.moves:
            assert tuple(lookup_move_values(game, game.start()).values()) == row.moves


def test_the_value_of_a_position_is_that_of_its_best_move():
    for opening in load_values():
        game, rng = opening.game, Random(opening.pits)
        with_children = sum(len(layer) for layer in load_values()[opening][:-1])
        positions = [*opening_values(opening).items()][:with_children]
        for state, best in rng.sample(positions, min(60, len(positions))):
            children = [game.play(state, pit) for pit in game.moves(state)]
            values = [worth_of(opening, child) for child in children]
            values = [
                value if child.player == SOUTH else -value
                for value, child in zip(values, children, strict=True)
            ]
            assert max(values) == best, (opening, state)


def worth_of(opening, state):
    """Return the value for the mover; the stores count, and were empty before the move to it."""
    if opening.game.is_over(state):
        return opening.game.margin(state, state.player)
    position, missing = normalize_position(state)
    return opening_values(opening)[position] - missing


@given(st.sampled_from([*load_values()]), st.randoms(use_true_random=False))
def test_every_line_is_in_the_file_up_to_its_last_ply(opening, rng):
    plies = len(load_values()[opening]) - 1
    line, state = random_opening(opening.game, Random(rng.random()), plies)
    assert opening.game.is_over(state) or lookup_value(opening.game, state) is not None
    assert len(line) == plies or opening.game.is_over(state)


@pytest.mark.parametrize("row", SMALL, ids=lambda row: f"{row.pits}-{row.stones}-{row.rules}")
def test_small_boards_are_reproduced(row, monkeypatch):
    """Make every second board like a large one, in pieces; a small table is emptied sooner."""
    monkeypatch.setattr(solve_openings, "TABLE_BYTES", 1 << 20)
    if SMALL.index(row) % 2:
        monkeypatch.setattr(solve_openings, "MANY", 0)
    opening, rows = opening_of(row), list[list[int]]()
    for plies in (1, 3):
        solve_layers(opening, plies, rows)
        assert rows == load_values()[opening][: plies + 1]


def test_a_long_layer_takes_several_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(solve_openings, "ROW", 7)
    file, few = tmp_path / "values.csv.gz", {Opening(3, 3, "standard"): [[0], [*range(-8, 9)], []]}
    write(file, few)
    assert load_values(file) == few
    assert gzip.decompress(file.read_bytes()).count(b"\n") == 1 + 1 + 3 + 1


def test_a_termination_signal_writes_the_file(tmp_path, monkeypatch):
    out, layers = tmp_path / "values.csv.gz", [[2], [1, -1]]

    def solve_until_stopped(opening, plies, rows):
        rows += layers
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(solve_openings, "solve_layers", solve_until_stopped)
    monkeypatch.setattr("sys.argv", ["", str(out), "--add", "6", "4", "6"])
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(KeyboardInterrupt):
            main()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert load_values(out) == {Opening(6, 4, "standard"): layers}


@pytest.mark.parametrize(("rules", "published"), [("standard", 8), ("empty-capture", 10)])
def test_the_published_value_of_six_pits_and_four_stones_is_that_after_perfect_moves(
    rules, published, databases
):
    """Take the first moves from a file, as to solve the start takes seconds.

    The position after them takes seconds under the standard rules only. There the solver is
    compared with the file in the test below, in a position of fewer stones.
    """
    game = Kalah(6, 4, rules)
    state, values = game.start(), lookup_move_values(game, game.start())
    while values:
        assert max(values.values()) == (published if state.player == SOUTH else -published)
        state = game.play(state, max(values, key=values.__getitem__))
        values = lookup_move_values(game, state)
    assert (state.player, stones_in_play(state.board) <= 43) == (SOUTH, True)
    if rules == "empty-capture":
        solution = solve(state, rules, workers=1, folder=databases)
        assert solution.value == published
        end = reduce(game.play, solution.line, state)
        assert game.is_over(end)
        assert game.margin(end, SOUTH) == published


@pytest.mark.parametrize(
    ("pits", "stones", "number"), [(4, 6, 10), (5, 4, 5), (6, 2, 10), (6, 4, 1)]
)
@pytest.mark.parametrize("rules", STORED)
def test_values_of_the_deepest_positions_equal_the_solvers(pits, stones, number, rules):
    """On the largest board, one position, that with the fewest stones in play, to save time."""
    opening = Opening(pits, stones, rules)
    deepest = list(opening_values(opening))[-len(load_values()[opening][-1]) :]
    few = sorted(deepest, key=lambda state: stones_in_play(state.board))[:number]
    with open_solver(pits, STORED[rules], database_stones=14) as solver:
        assert [solver.value(state) for state in few] == [
            opening_values(opening)[state] for state in few
        ]


def test_other_positions_have_no_value_and_endgames_only_with_their_file():
    game = Kalah(6, 4)
    assert lookup_value(game, State((1, 0, 0, 0, 0, 0, 9) * 2, 0)) is None
    assert lookup_value(game, State((9,) * 14, 0)) is None
    assert lookup_move_values(game, State((1,) * 14, 0)) == {}


@pytest.mark.parametrize("rules", STORED)
def test_values_of_endgames_equal_those_of_the_database(rules, monkeypatch):
    database, rng = build(6, 9, STORED[rules]), Random(3)
    monkeypatch.setattr(value_files, "STONES", 6)
    file = build(6, 6, STORED[rules]).values.tobytes()
    monkeypatch.setattr(value_files, "_load_endgames", {rules: file}.__getitem__)
    game = Kalah(6, 4, STORED[rules])
    for _ in range(100):
        board = [0] * 14
        for _ in range(rng.randint(1, 9)):
            board[rng.choice([*range(6), *range(7, 13)])] += 1
        board[6], board[13] = rng.randrange(20), rng.randrange(20)
        state = State(tuple(board), rng.randrange(2))
        margin = database.probe(state)
        assert lookup_value(game, state) == (margin if stones_in_play(state.board) <= 6 else None)
        if not game.is_over(state):
            expected = exact_values(game, state)
            assert max(expected.values()) == margin
            assert lookup_move_values(game, state) in ({}, expected)
            assert expected[perfect_player(game, state)] == margin


def test_a_file_of_endgames_with_a_wrong_name_or_content_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(value_files, "data_file", tmp_path.joinpath)
    load = value_files._load_endgames.__wrapped__
    assert load("standard") == b""
    values, other = (build(6, 3, rules).values.tobytes() for rules in STORED.values())
    whole = value_files.seal_endgames(values, "standard")
    file = tmp_path / value_files.ENDGAMES.format("standard")
    file.write_bytes(whole)
    assert load("standard") == values
    wrong = [values, value_files.seal_endgames(other, "empty-capture"), whole[:-1], b"\0" + whole]
    wrong += [
        whole[:index] + bytes([whole[index] ^ 1]) + whole[index + 1 :] for index in range(0, 100, 7)
    ]
    for data in wrong:
        file.write_bytes(data)
        with pytest.raises(ValueError, match="not the file of standard; make the page again"):
            load("standard")
    file.write_bytes(whole)
    monkeypatch.setattr(value_files, "RULES_VERSION", value_files.RULES_VERSION + 1)
    with pytest.raises(ValueError, match="not the file of standard"):
        load("standard")


def test_opening_values_that_cannot_be_those_of_their_board_are_refused(tmp_path, monkeypatch):
    file, right = tmp_path / "values.csv.gz", load_values()[Opening(3, 3, "standard")][:3]
    wrong_rows = {
        "another board": (Opening(3, 2, "standard"), right),
        "a value too many": (Opening(3, 3, "standard"), [right[0], [*right[1], 0]]),
        "a value too few": (Opening(3, 3, "standard"), [right[0], right[1][:-1]]),
        "another parity": (Opening(3, 3, "standard"), [[right[0][0] + 1]]),
        "more than all stones": (Opening(3, 3, "standard"), [[20]]),
    }
    for opening, rows in wrong_rows.values():
        write(file, {opening: rows})
        values = load_values(file)
        monkeypatch.setattr(value_files, "load_values", lambda values=values: values)
        with pytest.raises(ValueError, match="are not those of its game"):
            opening_values.__wrapped__(opening)
        load_values.cache_clear()


@pytest.mark.parametrize(
    "row", ["3,3,standard,1,0", "3,3,nim,0,0", "3,3,standard,0,0\n3,3,standard,2,0 0"]
)
def test_rows_of_openings_that_leave_a_gap_are_refused(row, tmp_path):
    file = tmp_path / "values.csv.gz"
    file.write_bytes(gzip.compress(f"pits,stones,rules,ply,values\n{row}\n".encode()))
    with pytest.raises(ValueError, match=r"values\.csv\.gz: ply . of .* does not continue"):
        load_values(file)


def test_openings_are_printed_with_values_or_on_the_largest_board_with_bounds(run, tmp_path):
    file = tmp_path / "moves.csv"
    answer = json.loads(run("first-moves", "3", "--csv", str(file), "--json")[1])
    assert pd.read_csv(file).to_dict("records") == answer["moves"]
    assert (answer["pits"], answer["rules"], answer["to_move"]) == (6, "standard", "south")
    assert max(row["at_least"] for row in answer["moves"]) == 8
    assert all(row["at_least"] == row["at_most"] for row in answer["moves"])
    assert "after 3" in run("first-moves", "3")[1]
    status, out, _ = run("first-moves", "--pits", "1", "--stones", "1", "1")
    assert (status, "The game is over." in out) == (0, True)
    assert "at most +4" in run("first-moves", "--stones", "6", "--csv", str(file))[1]
    moves = pd.read_csv(file)
    assert moves.loc[0, ["pit", "at_least", "at_most"]].tolist() == [1, 4, 4]
    assert {*moves["at_most"]} == {4}


BY_LEDGER = [row for row in SOLVED if (row.pits, row.stones) == (6, 6)]
WHOLE = [row for row in SOLVED if row not in BY_LEDGER]
QUICK = [row for row in WHOLE if row.move_nodes < 100_000]


def test_the_table_holds_all_boards_under_both_rules():
    """Under the standard rule, some values are Rawlings's."""
    assert [(row.pits, row.stones, row.rules) for row in WHOLE] == [
        (*board, rules) for rules in STORED for board in boards()
    ]
    assert len(WHOLE) == 70
    values = {(row.pits, row.stones): row.value for row in WHOLE if row.rules == "standard"}
    assert (values[6, 4], values[6, 5]) == (8, 10)


@pytest.mark.parametrize("row", BY_LEDGER, ids=lambda row: row.rules)
def test_the_largest_board_has_the_value_and_nodes_of_its_ledger(row):
    proved = Ledger(Path(str(data_file(f"ledger/kalah-6-{row.rules}.txt"))))
    assert proved.bounds(Kalah(6, 6).start()) == (row.value, row.value)
    assert row.nodes == sum(piece.nodes for piece in proved.pieces)
    assert row.moves is row.move_nodes is None


@pytest.mark.parametrize("row", QUICK, ids=lambda row: f"{row.pits}-{row.stones}-{row.rules}")
def test_boards_are_reproduced_to_the_last_node(row):
    assert solve_row((row.pits, row.stones), row.rules) == row
    assert len(QUICK) >= 50


def test_a_written_table_is_read_back(tmp_path):
    rows = list(solve_rows([(1, 2), (3, 2)], workers=2))
    rows += BY_LEDGER  # which have no moves
    write_solved(tmp_path / "some.csv", rows)
    assert read_solved(tmp_path / "some.csv") == rows
