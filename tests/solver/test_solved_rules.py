"""The database and the solver under all rules that they take, against plain minimax."""

import re
from functools import cache
from random import Random

import numpy as np
import pytest
from oracle import plain_minimax
from strategies import RULES, random_position
from test_database import all_positions

from kalahlab.data import data_rows
from kalahlab.games.kalah import SOUTH, Kalah, State, side, stones_in_play, stores
from kalahlab.games.rules import PRESETS, STANDARD, Rules, name_rules, parse_rules
from kalahlab.games.supported import SOLVED, from_file_name, to_file_name, unknown_rule
from kalahlab.solver.endgame.database import build
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.ledger import Ledger, progress_key
from kalahlab.solver.solve import solve
from kalahlab.solver.verify import verify

KNOWN = [rules for rules in RULES if not unknown_rule(rules, SOLVED)]
DRAWN = Random(52).sample(KNOWN, 12)
SIZES = ((1, 7), (2, 5), (3, 4))
"""Pits a side and the most stones in play: 36, 126 and 210 positions."""


def mirror(state):
    """Return the state with the pits of each side in reverse order."""
    south, north = stores(state.board)
    pits = [side(state.board, player)[::-1] for player in (0, 1)]
    return State((*pits[0], south, *pits[1], north), state.player)


def test_the_sample_has_each_value_of_each_field():
    for field, values in SOLVED.items():
        assert {getattr(rules, field) for rules in DRAWN} == set(values), field


@pytest.mark.parametrize("rules", DRAWN, ids=str)
def test_every_position_has_its_minimax_value(rules):
    for pits, most in SIZES:
        game, solved = Kalah(pits, 0, rules), build(pits, most, rules, 1)
        move_margins, states = plain_minimax(game), list(all_positions(pits, most))
        values, rows = solved.probe(states).tolist(), solved.probe_moves(states).tolist()
        for state, value, row in zip(states, values, rows, strict=True):
            moves = {} if game.is_over(state) else move_margins(state)
            margin = max(moves.values()) if moves else game.margin(state, 0)
            assert solved.probe(state) == value == margin, state
            assert {pit: value for pit, value in enumerate(row) if value == value} == moves, state


@pytest.mark.parametrize("rules", DRAWN, ids=str)
def test_proofs_equal_minimax(rules, databases):
    rng, sizes = Random(4), {"database_stones": 2, "table_bytes": 1 << 18, "workers": 1}
    for pits, most in ((2, 3), (3, 2)):
        game = Kalah(pits, 0, rules)
        move_margins = plain_minimax(game)
        states = [Kalah(pits, most, rules).start()]
        states += [random_position(rng, stones=most, m=pits, rules=rules)[1] for _ in range(4)]
        with open_solver(pits, rules, folder=databases, **sizes) as solver:
            for state in states:
                if game.is_over(state):
                    assert solver.value(state) == game.margin(state, state.player)
                    continue
                south, north = stores(state.board)
                ahead = south - north if state.player == 0 else north - south
                own, opp = (
                    side(state.board, player) for player in (state.player, 1 - state.player)
                )
                moves = move_margins(State((*own, 0, *opp, 0), 0))
                expected = {pit: value + ahead for pit, value in moves.items()}
                assert dict(solver.move_values(state)) == expected, state
                end = state
                for pit in solver.line(state):
                    end = game.play(end, pit)
                assert game.is_over(end)
                assert game.margin(end, state.player) == max(expected.values()), state


@pytest.mark.parametrize("rules", DRAWN[:6], ids=str)
def test_clockwise_values_are_those_of_the_mirror_image(rules):
    fields = {field: getattr(rules, field) for field in SOLVED} | {"direction": "clockwise"}
    clockwise = build(3, 6, Rules(**fields), 1)
    other = build(3, 6, Rules(**fields | {"direction": "counterclockwise"}), 1)
    assert np.array_equal(clockwise.values, other.values)
    for state in all_positions(3, 5):
        assert clockwise.probe(state) == other.probe(mirror(state))


@pytest.mark.parametrize("rules", KNOWN[::7], ids=str)
def test_a_move_lowers_the_key_by_which_ledgers_are_checked(rules):
    rng = Random(7)
    for _ in range(20):
        game, state = random_position(rng, 4, 4, rules=rules)
        for move in game.moves(state):
            after = game.play(state, move)
            if stones_in_play(after.board):
                key = progress_key(after, rules.direction)
                assert key < progress_key(state, rules.direction), (state, move)


def test_names_of_files_are_unique_and_safe():
    names = [to_file_name(rules) for rules in KNOWN]
    assert len(set(names)) == len(KNOWN)
    for name, rules in zip(names, KNOWN, strict=True):
        assert re.fullmatch(r"[a-z0-9_+-]+", name)
        assert from_file_name(name) == rules
    assert to_file_name(parse_rules("kalahzero, end=mover")) == "again_on_capture-yes+end-mover"
    assert to_file_name(STANDARD) == "standard"
    for name in ("openspiel", "kgp", "end-mover+again_on_capture-yes", "again_on_store-yes", "end"):
        assert from_file_name(name) is None, name


@pytest.mark.parametrize(
    "text", ["basic", "end=mover, direction=clockwise", "kalahzero, sow_opponent_store=yes"]
)
@pytest.mark.usefixtures("small_tables")
def test_a_ledger_of_other_rules_is_kept_and_verified(text, databases, tmp_path):
    rules = parse_rules(text)
    start = Kalah(3, 3, rules).start()
    sizes = {"database_stones": 4, "workers": 1, "piece_nodes": 16, "folder": databases}
    value = solve(start, rules, ledger=tmp_path, line=False, **sizes).value
    assert value == max(plain_minimax(Kalah(3, 3, rules))(start).values())
    (file,) = tmp_path.iterdir()
    assert file.name == f"kalah-3-{to_file_name(rules)}.txt"
    assert Ledger(file).bounds(start) == (value, value)
    verification = verify(file, sample=None, database_stones=4, folder=databases, workers=1)
    assert verification.is_verified
    assert solve(start, rules, ledger=tmp_path, **sizes).value == value


TABLE = data_rows("rules_values.csv", int, rules=str)
LARGEST = 8
"""Stones in play that plain minimax can do."""


def test_the_table_of_values_has_those_of_minimax_and_of_the_table_of_solved_boards():
    solved = {
        (row["rules"], row["pits"], row["stones"]): row["value"] for row in data_rows("solved.csv")
    }
    assert {row["rules"] for row in TABLE} == set(PRESETS)
    for row in TABLE:
        board = row["rules"], row["pits"], row["stones"]
        game = Kalah(row["pits"], row["stones"], row["rules"])
        key = name_rules(game.rules), f"{row['pits']}", f"{row['stones']}"
        if key in solved:
            assert int(solved[key]) == row["value"], board
        if stones_in_play(game.start().board) <= LARGEST:
            assert best_margin(game, game.start()) == row["value"], board


def best_margin(game, state):
    """Return South's margin by minimax over whole states, for rules that depend on the stores."""

    @cache
    def margin(state):
        if game.is_over(state):
            return game.margin(state, SOUTH)
        choose = max if state.player == SOUTH else min
        return choose(margin(game.play(state, move)) for move in game.moves(state))

    return margin(state)
