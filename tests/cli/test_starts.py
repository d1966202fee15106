"""Starts of games by name, who moves first, and the pie rule, in the commands that play."""

import csv
import json
import shlex
from random import Random

import pytest

from kalahlab.games.game_text import parse_game
from kalahlab.games.kalah import NORTH, Kalah
from kalahlab.games.notation import format_board
from kalahlab.games.registry import game_type
from kalahlab.matches.openings import fairkalah_starts, random_starts

SEARCHES = "alpha_beta:e3:2@textbook alpha_beta:e1:2@textbook"


def run_json(run, words):
    status, out, err = run(*shlex.split(words), "--json")
    assert status == 0, err
    return json.loads(out)


@pytest.mark.parametrize(
    ("board", "state"),
    [
        ("random:7 --pits 3 --stones 2", Kalah(3, 2).random_start(Random(7))),
        ("fairkalah:1", fairkalah_starts("standard")[0]),
        ("random:7 --rules kgp", Kalah(6, 4).random_start(Random(7))),
        ("fairkalah:254 --rules fairkalah", fairkalah_starts("fairkalah")[-1]),
    ],
)
@pytest.mark.parametrize("command", ["search", "perft"])
def test_a_board_may_be_the_name_of_a_start(run, command, board, state):
    assert run_json(run, f"{command} {board} --depth 1")["board"] == format_board(state)


def test_north_may_move_first(run, tmp_path):
    path = tmp_path / "game.txt"
    words = f"play random:1 --pits 3 --stones 2 --first north --save {path}"
    data = run_json(run, f"{words} --south random:1 --north random:2")
    assert data["movers"][0] == "north"
    record = parse_game(path.read_text())
    assert record.start.player == NORTH
    assert format_board(record.start) == data["board"]


@pytest.mark.parametrize("game", ["kalah", "pie"])
def test_a_match_from_random_starts_is_the_games_of_its_players(run, tmp_path, game):
    words = f"match {SEARCHES} --openings 2 --starts random:3 --rules ludii --game {game}"
    data = run_json(run, f"{words} --out {tmp_path}")
    assert (data["game"], data["rules"]) == (game, "ludii")
    rows = [json.loads(path.read_text())["row"] for path in (tmp_path / "points").iterdir()]
    kind = game_type(game)
    suffix = {"kalah": "", "pie": " first"}[game]
    boards = [format_board(state) + suffix for state in random_starts("ludii", 2, seed=3)]
    assert {row["opening"] for row in rows} == set(boards)
    south, north = SEARCHES.split()
    for row in rows:
        seats = f"--south {south} --north {north} --game {game} --rules ludii"
        played = run_json(run, f"play '{row['opening']}' {seats}")
        margin = played.get("margin")
        if margin is None:
            margin = played["stores"][0] - played["stores"][1]
        assert margin == row["margin_1"]
        assert kind.read(row["opening"])[1].board


def test_with_the_pie_rule_one_line_says_that_the_engine_does_not_search(run):
    players = SEARCHES.replace("@textbook", "").split()
    for words in (["match", *players, "--openings", "1"], ["search", "--depth", "2"]):
        _, _, err = run(*words, "--game", "pie", "--backend", "engine")
        assert err.startswith("note: the engine does not")
        assert err.count("\n") == 1


def test_the_json_of_a_game_with_the_pie_rule_has_its_rules(run):
    data = run_json(run, "search --game pie --rules kgp --pits 2 --stones 1 --depth 2")
    assert data["rules"] == "kgp"


def test_a_person_sees_the_moves_of_a_program_in_any_game(run, monkeypatch):
    answers = iter(["1", "swap"])
    monkeypatch.setattr("builtins.input", lambda: next(answers, "quit"))
    words = "play --game pie --pits 2 --stones 1 --south script:1 --north person"
    _, _, err = run(*words.split())
    assert "1. South plays 1\n" in err
    assert "North may exchange sides: swap" in err


@pytest.mark.parametrize(("rules", "number"), [("standard", 323), ("fairkalah", 254)])
def test_a_player_is_judged_in_the_fair_starts(run, tmp_path, rules, number):
    path = tmp_path / "moves.csv"
    words = f"judge random:1 --starts fairkalah --rules {rules} --csv {path}"
    data = run_json(run, words)
    row = data["results"][0]
    assert (data["set"], row["positions"], row["games"]) == ("fairkalah", number, number)
    assert data["results"][1]["of"] == "opening"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [line["board"] for line in rows] == [*map(format_board, fairkalah_starts(rules))]
    # All starts are worth 0, so a move keeps the draw exactly if it gives up nothing.
    assert all(line["kept"] == line["optimal"] for line in rows)
