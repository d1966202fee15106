"""`kalahlab serve`: other programs play against ours, and ask for values."""

import io
import json
import shlex
import sys

import pytest

from kalahlab.cli.serve import LONGEST_QUESTION
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.notation import format_board
from kalahlab.players.factories import random_player
from kalahlab.players.game_loop import play_game
from kalahlab.players.model import closing_players
from kalahlab.players.parse import parse_player
from kalahlab.solver.move_values import exact_values

PLAYER = "alpha_beta:e3:2@textbook"  # each process would load the engine for a second
SERVE = f"{shlex.quote(sys.executable)} -m kalahlab serve {PLAYER}"


@pytest.mark.parametrize("dialect", ["json", "kgpc"])
def test_our_own_program_plays_the_moves_of_the_player(dialect):
    game, start = Kalah(2, 1), Kalah(2, 1).start()  # kgpc starts a process for each move
    command = f"exec:{dialect}:60000ms:{SERVE} --dialect {dialect}"
    with closing_players([parse_player(command)]) as [program]:
        log = play_game(game, random_player(1), program, start)
    assert log == play_game(game, random_player(1), parse_player(PLAYER), start)


def ask(run, monkeypatch, questions, *words):
    lines = "".join(f"{question}\n" for question in questions)
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    status, out, err = run("serve", *words)
    assert (status, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def test_a_line_that_is_too_long_is_one_question(run, monkeypatch):
    long = json.dumps({"board": "<3,0,0,2,2,2,2,2,2>", "note": "x" * 3 * LONGEST_QUESTION})
    short = json.dumps({"board": "<3,0,0,2,2,2,2,2,2>"})
    first, second = ask(run, monkeypatch, [long, short], "random:1")
    assert "error" in first
    assert "move" in second


def test_values_and_regrets_are_those_of_perfect_play(run, monkeypatch):
    game = Kalah(3, 2)
    state = game.start()
    questions, positions = [], []
    while not game.is_over(state):
        south = State(state.board, 0)
        if state.player:
            half = len(state.board) // 2
            south = State((*state.board[half:], *state.board[:half]), 0)
        questions.append(json.dumps({"board": format_board(state), "values": True}))
        positions.append(south)
        state = game.play(state, game.moves(state)[-1])
    for answer, position in zip(
        ask(run, monkeypatch, questions, "perfect"), positions, strict=True
    ):
        values = exact_values(game, position)
        assert answer["values"] == {str(pit + 1): value for pit, value in values.items()}
        best = max(values.values())
        assert answer["regrets"] == {str(pit + 1): best - v for pit, v in values.items()}
        assert (answer["value"], answer["exact"]) == (best, True)
        assert answer["regrets"][str(answer["move"])] == 0
        assert values[answer["line"][0] - 1] == best
        after = position
        for pit in answer["line"]:
            after = game.play(after, pit - 1)  # a line of legal moves


REFUSED = {
    "hello": "Expecting value",
    "[]": "write an object with a board",
    '{"board": 3}': "write an object with a board",
    '{"board": "<2,0,0,0,0,3,3>"}': "the game is over",
    '{"board": "<2,0,0,1>"}': "lists 1 pits",
    '{"board": "<2,0,0,1,1,1,1>", "game": "chess"}': "game 'chess' is not one of kalah, pie",
    '{"board": "<2,0,0,1,1,1,1>", "rules": "mine"}': "mine",
    '{"board": "<2,0,0,1,1,1,1>", "milliseconds": 0}': "seconds is",
}


def test_a_wrong_question_has_an_error_and_the_next_one_is_answered(run, monkeypatch):
    good = '{"board": "<2,0,0,1,1,1,1>"}'
    for question, words in REFUSED.items():
        error, answer = ask(run, monkeypatch, [question, "", good], "random:1")
        assert words in error["error"]
        assert answer == {"move": 2} or answer == {"move": 1}


def test_four_lines_are_needed_in_the_dialect_kgpc(run, monkeypatch):
    for text in ("", "3\n0 1\n2 4 5\n6 7\n", "3\n0\n2 4 5\n6 7 8\n", "x\n0 1\n2 4 5\n6 7 8\n"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        status, out, err = run("serve", "random:1", "--dialect", "kgpc")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "line" in err
