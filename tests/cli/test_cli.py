"""The command line as a stranger meets it: what it prints, what it refuses, how it exits."""

import csv
import json
import math
import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kalahlab import cli
from kalahlab.backends import BACKENDS
from kalahlab.evaluators.kalah import EVALUATORS, staged
from kalahlab.games.game_text import parse_game
from kalahlab.games.kalah import EMPTY_CAPTURE, Kalah
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.registry import GAMES
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.search.perft import perft
from kalahlab.trace import record
from kalahlab.widgets.explorer import request

START = format_board(Kalah(6, 4).start())
SMALL = "<2,0,0,1,0,1,1>"
CARDS = "2u,.,.,./.,.,.,./.,.,.,./.,.,.,. 3,5,8,13 2,3,5,8,13 program"
EMPTY = "." * 10


def test_search_prints_what_the_package_finds(run):
    status, out, _ = run(
        *("search", START, "--algorithm", "minimax", "--evaluator", "staged", "--depth", "3"),
        *("--leaf", "turn", "--rules", "empty-capture", "--json"),
    )
    game = Kalah(6, 4, EMPTY_CAPTURE)
    result = minimax(game, game.start(), staged, Depth(3, "turn"))
    answer = json.loads(out)
    assert status == 0
    assert list(answer) == [
        *("game", "board", "rules", "algorithm", "depth", "evaluator", "leaf", "order"),
        *("value", "move", "pv", "generated", "expanded", "evaluated", "cutoffs", "recalled"),
    ]
    assert (answer["board"], answer["rules"]) == (START, "empty-capture")
    assert (answer["algorithm"], answer["depth"]) == ("minimax", 3)
    assert answer["value"] == result.value
    assert answer["pv"] == [move + 1 for move in result.line]
    assert answer["move"] == answer["pv"][0]
    assert answer["generated"] == result.counts.generated


FAIR = ("alpha_beta:store_difference:2", "level3:1")
COMMANDS = {
    "search": (T := "<3,0,0,2,2,2,2,2,2>", "--depth", "9"),
    "perft": (T, "--depth", "3"),
    "explore": (T, "--depth", "2", "--out", "page.html"),
    "solve": ("--pits", "3", "--stones", "6", "--moves", "--workers", "1"),
    "play": ("--south", "level1", "--north", "random:2", "--stones", "3"),
    "openings": ("1", "2", "--pits", "5", "--stones", "3"),
    "match": (*FAIR, "--openings", "2"),
    "tournament": (*FAIR, "random:1", "--openings", "1"),
    "judge": ("random:1", "--set", "all"),
    "homework": ("input.txt", "--out", "ours"),
    "puzzles": ("--number", "1", "--pits", "3", "--stones", "2", "--max-stones", "8"),
}
"""An example of each command about a game; the others have tests of their own."""
OTHERS = {"playground", "quiz", "review", "grid", "betsy", "cards", "published", "claims"}
OTHERS |= {"report", "pdf", "site"}


def test_every_command_is_looked_at():
    assert {*COMMANDS} | OTHERS == {*cli.cli.commands}


@pytest.mark.parametrize("command", COMMANDS)
def test_tables_fit_80_columns_and_json_says_what_was_searched(
    run, oracles, tmp_path, monkeypatch, command
):
    monkeypatch.chdir(tmp_path)
    case = oracles / "homework" / "07" / "input.txt"
    (tmp_path / "input.txt").write_text(case.read_text(), encoding="utf-8")
    status, out, _ = run(command, *COMMANDS[command])
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80
    answer = json.loads(run(command, *COMMANDS[command], "--json")[1])
    assert {"rules", "algorithm", "depth"} <= answer.keys()
    assert "board" in answer or command == "puzzles"  # each puzzle has one


@pytest.mark.parametrize("command", sorted({*COMMANDS} | OTHERS))
def test_help_fits_80_columns(run, command):
    status, out, _ = run(command, "--help")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80


def test_the_players_of_a_match_say_how_they_search(run):
    answer = json.loads(run("match", *FAIR, "--openings", "1", "--json")[1])
    assert (answer["board"], answer["rules"]) == (START, "standard")
    assert answer["algorithm"] == ["alpha_beta", "level3"]
    assert answer["depth"] == ["2", "2"]


@pytest.mark.parametrize("command", ["search", "perft"])
def test_both_backends_answer_the_same(run, command):
    read, compiled = (
        run(command, START, "--depth", "5", "--backend", backend, "--json") for backend in BACKENDS
    )
    assert read == compiled


def python_handles_ctrl_c(process):
    """Whether a process has a handler for it: Linux says so in its mask of signals caught."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    mask = int(status.partition("SigCgt:")[2].split()[0], 16)
    return mask >> (signal.SIGINT - 1) & 1 == 1


@pytest.mark.skipif(sys.platform != "linux", reason="asks as Linux does")
def test_ctrl_c_ends_a_compiled_search():
    command = [sys.executable, "-m", "kalahlab", "search", START, "--depth", "40"]
    process = subprocess.Popen([*command, "--backend", "engine"])
    for handled in (True, False):  # Python has come up; then the search, compiled or not, began
        while python_handles_ctrl_c(process) != handled:
            assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait() == -signal.SIGINT


@pytest.mark.parametrize("name", ["minimax-a-b", "minimax_a_b"])
def test_hyphens_and_underscores_name_the_same(run, name):
    status, out, _ = run("search", START, "--algorithm", name, "--depth", "4", "--json")
    assert (status, json.loads(out)["value"]) == (0, 1)


@pytest.mark.parametrize(
    ("game", "board", "answer"),
    [
        ("tree", "aima-5.2", {"value": 3, "move": "B", "pv": ["B", "b1"], "evaluated": 7}),
        ("tree", "((3 12 8) (2 4 6) (14 5 2))", {"value": 3, "pv": ["1", "1.1"], "evaluated": 7}),
        ("betsy", "..x.o.x.oo x 9", {"value": 28, "pv": ["+1"]}),
        ("cards", "2u,.,2p,./.,.,.,./xp,xp,xp,xu/xu,xu,xu,. - 13 program", {"value": 1000}),
    ],
)
def test_other_games_are_searched_in_their_notation(run, game, board, answer):
    words = (board, "--game", game, "--depth", "9")
    status, out, _ = run("search", *words, "--json")
    assert status == 0
    found = json.loads(out)
    assert {name: found[name] for name in answer} == answer
    kind = GAMES[game]
    state = kind.read(board)[1]
    assert run("search", *words)[1].startswith(kind.draw(state))
    leaves = json.loads(run("perft", *words[:-1], "2", "--json")[1])["leaves"]
    assert leaves == perft(*kind.read(board), 2)


@pytest.mark.parametrize("game", ["betsy", "cards"])
def test_other_games_are_played(run, game):
    words = (*TWO, "--game", game, "--size", "4")
    log = json.loads(run(*words, "--json")[1])
    rules, kind = GAMES[game].new(size=4), GAMES[game]
    state = rules.start()
    for move, mover in zip(log["moves"], log["movers"], strict=True):
        assert mover == kind.players[state.player]
        state = rules.play(state, kind.parse_move(move, rules, state))
    assert rules.over(state)
    assert log["margin"] == rules.margin(state, 0)
    assert log["winner"] == ("draw" if not log["margin"] else kind.players[log["margin"] < 0])
    assert kind.draw(state) in run(*words)[1]


def test_a_game_goes_on_from_a_board(run):
    script = ("--south", "script:1", "--north", "script:1")
    answer = json.loads(run("play", "<1,3,0,1,1>", *script, "--json")[1])
    assert (answer["moves"], answer["stores"]) == ([1], [4, 1])


def test_a_person_is_asked(run, monkeypatch):
    typed = iter(["9", "1"])
    monkeypatch.setattr("builtins.input", lambda: next(typed))
    status, out, err = run("play", "<1,3,0,1,1>", "--south", "person", "--north", "random:1")
    assert (status, err.count("Your move (")) == (0, 2)
    assert "move '9' cannot be played; use one of 1" in err
    assert out.endswith("South wins, 4 to 1\n")


def test_a_person_may_take_back_be_helped_and_save(run, monkeypatch, tmp_path):
    """South plays pit 3, takes it back, and plays pit 2, which is worse, as the hint says."""
    half, whole = tmp_path / "half.txt", tmp_path / "whole.txt"
    typed = iter(["undo", "3", "undo", "hint", "2", f"save {half}", "1"])
    monkeypatch.setattr("builtins.input", lambda: next(typed))
    board = "<3,0,0,2,1,1,2,1,1>"
    words = ("play", board, "--south", "person", "--north", "random:1", "--save", str(whole))
    status, out, err = run(*words, "--json")
    assert status == 0
    assert "There is no move of yours to take back." in err
    assert "under perfect play:\n  +4  South sows pit 3, moves again\n  -4" in err
    moves = json.loads(out)["moves"]
    assert [pit + 1 for pit in parse_game(half.read_text()).moves] == moves[:2]
    saved = parse_game(whole.read_text())
    assert [pit + 1 for pit in saved.moves] == moves
    assert saved.players == ("person", "random:1")
    assert saved.states[0] == parse_board(board)


def test_only_kalah_is_saved(run, tmp_path):
    status, _, err = run(*TWO, "--game", "betsy", "--save", str(tmp_path / "game.txt"))
    assert (status, "games of Kalah only" in err) == (2, True)


@pytest.fixture
def played(run, tmp_path):
    """A game in its file."""
    file = tmp_path / "game.txt"
    words = ("--south", "random:3", "--north", "random:4", "--pits", "4", "--stones", "3")
    assert run("play", *words, "--save", str(file))[0] == 0
    return file


def test_a_game_is_reviewed(run, played, tmp_path):
    status, out, _ = run("review", str(played), "--json", "--workers", "1")
    assert status == 0
    found = json.loads(out)
    record = parse_game(played.read_text())
    assert [move["pit"] - 1 for move in found["moves"]] == list(record.moves)
    assert all(move["exact"] for move in found["moves"])
    assert found["account"]["holds"]
    assert found["account"]["margin"] == found["margin"]
    assert (found["rules"], found["pits"], found["depth"]) == ("standard", 4, 14)
    assert set(found["algorithm"]) == {"exact", "search"}
    page = tmp_path / "page.html"
    status, out, _ = run("review", str(played), "--out", str(page), "--seconds", "0")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80
    assert "depth 14" in out
    assert page.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("old", "new", "said"), [("1. ", "2. ", "line 8"), ("pits: 4", "pits: x", "line 1: pits 'x'")]
)
def test_a_bad_game_is_refused_by_file_and_line(run, played, old, new, said):
    played.write_text(played.read_text().replace(old, new, 1))
    status, out, err = run("review", str(played))
    assert (status, out) == (2, "")
    assert f"{played}, {said}" in err


def test_puzzles_are_printed(run):
    words = ("puzzles", "--number", "3", "--pits", "4", "--stones", "3", "--max-stones", "12")
    status, out, _ = run(*words)
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80
    answer = json.loads(run(*words, "--json")[1])
    assert (answer["pits"], answer["rules"], len(answer["puzzles"])) == (4, "standard", 3)
    for puzzle in answer["puzzles"]:
        _, found, _ = run("solve", puzzle["board"], "--moves", "--json", "--workers", "1")
        assert json.loads(found)["moves"] == puzzle["moves"]
        assert puzzle["moves"][puzzle["move"] - 1] == max(
            v for v in puzzle["moves"] if v is not None
        )


def test_a_finished_board_has_a_value_and_no_move(run):
    _, out, _ = run("search", "<2,0,5,0,0,1,1>", "--depth", "3", "--json")
    answer = json.loads(out)
    assert (answer["value"], answer["move"], answer["pv"]) == (-7, None, [])
    assert "The game is over." in run("search", "<2,0,5,0,0,1,1>", "--depth", "3")[1]


def test_search_draws_its_tree(run, tmp_path):
    picture = tmp_path / "tree.svg"
    status, _, _ = run("search", "<3,0,0,2,2,2,2,2,2>", "--depth", "2", "--tree", str(picture))
    assert status == 0
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    assert [file.name for file in tmp_path.iterdir()] == ["tree.svg"]


def test_perft_has_one_entry_a_depth(run, oracles):
    _, out, _ = run("perft", START, "--depth", "6", "--json")
    with (oracles / "kalah" / "perft.csv").open() as lines:
        known = {
            int(row["depth"]): int(row["leaves"])
            for row in csv.DictReader(lines)
            if (row["pits"], row["stones"], row["rules"]) == ("6", "4", "standard")
        }
    assert json.loads(out)["leaves"] == [known[depth] for depth in range(1, 7)]


def test_solve_gives_irvings_value(run, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    words = ("--pits", "4", "--stones", "3", "--rules", "empty-capture", "--moves", "--json")
    status, out, _ = run("solve", *words)
    answer = json.loads(out)
    assert (status, answer["value"], max(answer["moves"])) == (0, 8, 8)
    board = format_board(Kalah(4, 3).start())
    again = json.loads(run("solve", board, "--rules", "empty-capture", "--json")[1])
    assert (again["value"], again["line"]) == (8, answer["line"])
    assert set(again) >= {"value", "moves", "line", "nodes", "seconds", "database_stones"}
    shown = run("solve", board, "--rules", "empty-capture")[1]
    assert re.search(r"^seconds +\d+\.\d$", shown, re.MULTILINE)
    assert re.search(r"^stopped +no$", shown, re.MULTILINE)


def test_a_solve_that_writes_to_a_log_says_a_line_a_minute(monkeypatch, capsys):
    cli_solve = import_module("kalahlab.cli.solve")  # not the command of that name
    clock = [0.0]
    monkeypatch.setattr(cli_solve.time, "monotonic", lambda: clock[0])
    with cli_solve.progress() as show:
        for clock[0] in (0.0, 30.0, 59.0, 61.0, 100.0, 125.0):
            show(clock[0], "the same news")
    assert capsys.readouterr().err.split() == ["0.0", "61.0", "125.0"]


def test_solve_goes_on_from_where_ctrl_c_ended_it(tmp_path):
    words = "solve --pits 5 --stones 4 --database-stones 9 --moves --json --ledger saved"
    command = [sys.executable, "-c", "from kalahlab.cli import main; main()", *words.split()]
    where = {"cwd": tmp_path, "env": {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **where
    )
    for line in process.stderr:
        if line.startswith("value: +"):
            process.send_signal(signal.SIGINT)
            break
    out, _ = process.communicate()
    stopped = json.loads(out)
    assert process.returncode == 130
    assert stopped["stopped"]
    assert stopped["bounds"][0] >= 0
    resumed = subprocess.run(command, capture_output=True, text=True, check=True, **where)
    found = json.loads(resumed.stdout)
    assert (found["value"], found["moves"]) == (10, [-8, 10, 0, 2, -2])
    assert found["nodes"] > stopped["nodes"] > 0


def test_play_ends_in_a_log_whose_stones_add_up(run):
    players = ("--south", "alpha_beta:store_difference:3", "--north", "random:7")
    _, out, _ = run("play", *players, "--pits", "4", "--stones", "3", "--json")
    answer = json.loads(out)
    south, north = answer["stores"]
    assert south + north == 24
    assert answer["winner"] == ("south" if south > north else "north" if north > south else "draw")
    assert len(answer["moves"]) == len(answer["movers"])
    readable = run("play", *players, "--pits", "4", "--stones", "3")[1]
    assert readable.count(" sows pit ") == len(answer["moves"])


def test_published_rows_and_their_verdicts(run):
    _, out, _ = run("published", "--json")
    verdicts = [row["verdict"] for row in json.loads(out)["rows"]]
    assert sorted(set(verdicts)) == ["equal", "not defined", "slip in print"]
    assert len(verdicts) == 16
    assert verdicts.count("equal") == 12


def test_published_without_defects_prints_corrected_rows(run):
    every = json.loads(run("published", "--off", "all", "--json")[1])["rows"]
    half = len(every) // 2
    counts = [(row["generated"], row["expanded"], row["path"]) for row in every]
    assert counts[:half] == counts[half:]


def test_a_sequential_match_stops_by_itself(run) -> None:
    players = ("alpha_beta:store_difference:2", "random:1")
    row = json.loads(run("match", *players, "--sprt", "0,100", "--json")[1])
    assert row["verdict"] == "at least +100 stronger, rather than +0"
    assert sum(row["outcomes"]) == row["pairs"] < 100
    assert row["pairs"] % 16 == 0
    code, _, error = run("match", *players, "--sprt", "5,0")
    assert code == 2
    assert "'5,0'; the first must be the lower one" in error


def test_a_player_is_judged_on_the_positions_of_a_board(run) -> None:
    words = ("judge", "alpha_beta:fitted:1", "--board", "4,4", "--rules", "empty-capture")
    answer = json.loads(run(*words, "--json")[1])
    assert (answer["board"], answer["rules"]) == (["4,4"], "empty-capture")
    assert (answer["algorithm"], answer["depth"], answer["set"]) == ("alpha_beta", "1", "test")
    assert [row["of"] for row in answer["results"]] == ["all", "opening", "middle", "end"]
    for row in answer["results"]:
        assert row["games"] <= row["positions"]
        for name in ("optimal", "kept", "regret"):
            assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
    shown = run(*words)[1]
    assert f"{answer['results'][0]['optimal']:.2f} (" in shown


def test_a_match_and_a_tournament_have_their_tallies(run, tmp_path):
    names = ("alpha_beta:e3:2", "greedy:e2:1")
    match = json.loads(run("match", *names, "--openings", "3", "--json")[1])
    assert (match["one"], match["other"]) == names
    assert match["wins"] + match["draws"] + match["losses"] == 2 * match["pairs"] == 6
    assert match["low"] <= match["score"] <= match["high"]
    words = ("tournament", *names, "random:3", "--openings", "2", "--out", str(tmp_path))
    table = json.loads(run(*words, "--json")[1])
    assert {row["player"] for row in table["standings"]} == {*names, "random:3"}
    assert len(table["matches"]) == len(list((tmp_path / "points").iterdir())) // 2 == 3
    shown = run(*words)[1]
    assert " 1." in shown
    assert all(name in shown for name in names)
    assert max(map(len, shown.splitlines())) <= 80
    assert max(map(len, run("match", *names, "--openings", "2")[1].splitlines())) <= 80


TWO = ("play", "--south", "random:1", "--north", "random:2")
BAD = {
    "a wrong count": (["search", "<2,0,0,1,1,1>", "--depth", "2"], "4", "lists 3 pits"),
    "negative stones": (["search", "<2,0,0,-1,1,1,1>", "--depth", "2"], "-1", "0 or more"),
    "no board": (["perft", "board", "--depth", "2"], "'board'", "<m,S,N,"),
    "unknown algorithm": (
        ["search", SMALL, "--depth", "2", "--algorithm", "best"],
        "'best'",
        "alpha_beta",
    ),
    "unknown evaluator": (["search", SMALL, "--depth", "2", "--evaluator", "e9"], "'e9'", "e4"),
    "unknown order": (["search", SMALL, "--depth", "2", "--order", "up"], "'up'", "store_first"),
    "unknown leaf": (["search", SMALL, "--depth", "2", "--leaf", "day"], "'day'", "turn"),
    "unknown game": (["search", SMALL, "--depth", "2", "--game", "oware"], "'oware'", "kalah"),
    "another game's rules": (
        ["perft", "((1 2) 3)", "--depth", "2", "--game", "tree", "--rules", "standard"],
        "--rules",
        "game tree",
    ),
    "another game's pits": (
        [*TWO, "--game", "cards", "--pits", "4"],
        "--pits",
        "game cards",
    ),
    "a tree's end": (
        ["perft", "((1 2) 3", "--depth", "2", "--game", "tree"],
        "'((1 2) 3'",
        "early",
    ),
    "unknown rules": (["perft", SMALL, "--depth", "2", "--rules", "oware"], "'oware'", "standard"),
    "negative depth": (["search", SMALL, "--depth", "-1"], "-1", "0 or more"),
    "depth no number": (["search", SMALL, "--depth", "deep"], "'deep'", "whole number"),
    "no depth": (["search", SMALL], "--depth", "Missing"),
    "an empty pit": (
        ["play", "--south", "script:1,1", "--north", "script:1", "--pits", "6", "--stones", "6"],
        "'1'",
        "2, 3, 4, 5, 6",
    ),
    "no such pit": (["play", "--south", "script:9", "--north", "random:1"], "'9'", "1, 2"),
    "a player unknown": (["play", "--south", "me", "--north", "random:1"], "'me'", "ALGORITHM:"),
    "a player of depth 0": (
        ["play", "--south", "minimax:e2:0", "--north", "random:1"],
        "limit 0",
        "1 or more",
    ),
    "no pits": (
        ["play", "--south", "random", "--north", "random", "--pits", "0"],
        "0",
        "1 or more",
    ),
    "a match with itself": (["match", "random", "random"], "'random'", "named twice"),
    "a board without positions": (
        ["judge", "random", "--board", "6,7"],
        "(6, 7)",
        "(6, 4), (6, 5)",
    ),
    "half a board": (["judge", "random", "--board", "6"], "'6'", "such as 6,4"),
    "a match without a limit": (["match", "random", "minimax:e2"], "'minimax:e2'", "LIMIT"),
    "too many openings": (
        ["match", "random:1", "random:2", "--openings", "65"],
        "65",
        "1 to 64",
    ),
    "an unknown backend": (
        ["match", "random:1", "random:2", "--backend", "third"],
        "'third'",
        "textbook",
    ),
    "an unknown defect": (["published", "--off", "typo"], "'typo'", "wrong-mover"),
    "a board too narrow": (["betsy", "1", "x", "....", "1"], "1", "2 to 20"),
    "a board too wide": (["betsy", "21", "x", "." * 504, "1"], "21", "2 to 20"),
    "no such player": (["betsy", "2", "z", EMPTY, "1"], "'z'", "x, o"),
    "a board of another length": (["betsy", "2", "x", "....", "1"], "4 cells", "10"),
    "an unknown pebble": (["betsy", "2", "x", ".........X", "1"], "'X'", "x, o"),
    "too many pebbles": (["betsy", "2", "x", "....xxxxxx", "1"], "6 pebbles of x", "5"),
    "a floating pebble": (["betsy", "2", "x", "..x.......", "1"], "column 1", "empty cell"),
    "no time": (["betsy", "2", "x", EMPTY, "0"], "0", "more than 0"),
    "less than no time": (["betsy", "2", "x", EMPTY, "-1"], "-1", "more than 0"),
    "all the time there is": (["betsy", "2", "x", EMPTY, "inf"], "inf", "86400"),
    "time no number": (["betsy", "2", "x", EMPTY, "soon"], "'soon'", "number"),
    "a game already won": (["betsy", "2", "x", "x.x.o.x.o.", "1"], "x.x.o.x.o.", "x has filled"),
    "an evaluator of Kalah": (
        ["betsy", "2", "x", EMPTY, "1", "--evaluator", "e3"],
        "'e3'",
        "leaf_value",
    ),
    "too few weights": (["betsy", "2", "x", EMPTY, "1", "--weights", "1,2"], "2 weights", "7"),
    "a weight no number": (
        ["betsy", "2", "x", EMPTY, "1", "--weights", "1,a,1,1,1,1,1"],
        "'a'",
        "number",
    ),
    "a limit of nothing": (["betsy", "2", "x", EMPTY, "1", "--limit", "0"], "0", "1 or more"),
    "unknown command": (["solver"], "solver", "No such command"),
    "nothing to solve": (["solve", "--pits", "3"], "BOARD", "--stones"),
    "a size that is none": (["solve", SMALL, "--memory", "1x"], "'1x'", "500MB"),
    "no room": (["solve", START, "--memory", "10kB"], "10 kB", "too little"),
    "a database too large": (
        ["solve", START, "--memory", "1GB", "--database-stones", "26"],
        "26 stones",
        "the largest that fits has 23",
    ),
    "negative database stones": (
        ["solve", START, "--database-stones", "-1"],
        "-1",
        "0 or more",
    ),
    "out of reach": (["solve", "--pits", "6", "--stones", "9"], "108 stones", "out of reach"),
    "solve negative stones": (["solve", "<2,0,0,-1,1,1,1>"], "-1", "0 or more"),
    "no such size": (["cards", "--size", "5"], "5", "4 or 6"),
    "another size": (["cards", "--size", "6", "--position", CARDS], "6", "4 wide"),
    "a budget of nothing": (["cards", "--budget", "0"], "0", "1 or more"),
    "a budget no number": (["cards", "--budget", "1e6"], "'1e6'", "whole number"),
    "an unknown variant": (["cards", "--variant", "fixed"], "'fixed'", "'published'"),
    "an unknown starter": (["cards", "--first", "me"], "'me'", "'program'"),
    "no position": (["cards", "--position", "x"], "'x'", "for example"),
    "a card not in hand": (["cards", "--json", "--moves", "2a1 2b2 2c3"], "card 2", "3, 5, 8"),
    "a cell used before": (["cards", "--position", CARDS, "--moves", "3a1"], "a1", "b1"),
    "no cell": (["cards", "--moves", "3a5"], "a5", "a1 to d4"),
    "unknown profile": (["report", "--profile", "huge"], "'huge'", "smoke"),
    "unknown notebook": (["report", "--only", "99_none"], "'99_none'", "01_rules"),
    "unknown parameter": (
        ["report", "-p", "01_rules.marbles=3"],
        "marbles",
        "stones",
    ),
}


@pytest.mark.parametrize(("words", "value", "allowed"), BAD.values(), ids=BAD)
def test_bad_input_is_one_line_and_status_2(run, tmp_path, monkeypatch, words, value, allowed):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert value in err
    assert allowed in err
    assert not list(tmp_path.iterdir())


def test_a_tree_that_cannot_be_written_leaves_nothing(run, tmp_path):
    status, _, err = run("search", SMALL, "--depth", "1", "--tree", str(tmp_path / "no" / "t.svg"))
    assert status == 2
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_report_folder_that_cannot_be_written(run, tmp_path):
    (tmp_path / "file").write_text("in the way")
    status, _, err = run("report", "--profile", "smoke", "--out", str(tmp_path / "file"))
    assert status == 2
    assert err.count("\n") == 1
    assert "file" in err
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from kalahlab import cli; sys.argv = ['kalahlab', '--help']\n"
        "try: cli.main()\n"
        "except SystemExit: pass\n"
        "heavy = {'matplotlib', 'pandas', 'numpy', 'numba', 'IPython', 'papermill'}\n"
        "print('heavy:', sorted(heavy & set(sys.modules)))"
    )
    package = str(Path(cli.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": package},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("heavy: []\n")
    assert "search" in done.stdout


def test_help_names_what_can_be_asked_for(run):
    _, out, _ = run("search", "--help")
    for name in ("minimax_a_b", "staged_capture", "store_first", "empty-capture"):
        assert name in out


def test_explore_writes_a_page_to_step_through(run, tmp_path):
    page = tmp_path / "page.html"
    status, out, _ = run(
        *("explore", START, "--depth", "3", "--beside", "minimax", "--title", "Mine <b>"),
        *("--out", str(page), "--json"),
    )
    game = Kalah(6, 4)
    counts = minimax(game, game.start(), staged, Depth(3)).counts
    nodes = json.loads(out)["nodes"]
    assert (status, nodes[1]) == (0, counts.expanded + counts.evaluated)
    assert nodes[0] < nodes[1]
    assert "<title>Mine &lt;b&gt;</title>" in page.read_text(encoding="utf-8")


def test_values_that_no_bound_exceeds_are_told(run, tmp_path, monkeypatch):
    def endless(board, player):
        ahead = board[3] - board[7] if player == 0 else board[7] - board[3]
        return ahead * math.inf if ahead else 0

    monkeypatch.setitem(EVALUATORS, "endless", endless)
    board, picture, page = "<3,1,0,2,2,2,2,2,2>", tmp_path / "t.svg", tmp_path / "page.html"
    asked = (board, "--evaluator", "endless", "--depth", "3")
    status, out, _ = run("search", *asked, "--tree", str(picture), "--json")

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    value = json.loads(out, parse_constant=refuse)["value"]
    assert (status, value) == (0, "inf")
    assert "the window itself ends at ∞" in picture.read_text(encoding="utf-8")
    trace = record(alpha_beta, Kalah(3, 2), parse_board(board), endless, Depth(3))
    assert trace.result.value == math.inf
    assert run("explore", *asked, "--out", str(page))[0] == 0
    file = tmp_path / "trace.json"
    file.write_text(trace.to_json(), encoding="utf-8")
    assert run("explore", "--trace", str(file), "--out", str(page))[0] == 0


def test_explore_shows_a_trace_file_and_says_what_is_wrong_with_one(run, tmp_path, monkeypatch):
    monkeypatch.setattr(request, "MAX_NODES", 4000)
    game, page = Kalah(3, 2), tmp_path / "page.html"
    trace = record(minimax, game, game.start(), staged, Depth(2))
    file = tmp_path / "mine.json"
    file.write_text(trace.to_json(), encoding="utf-8")
    status, out, _ = run("explore", "--trace", str(file), "--out", str(page))
    assert (status, out) == (0, f"open {page} ({len(trace.nodes)} nodes)\n")
    page.unlink()
    file.write_text(trace.to_json()[:300], encoding="utf-8")
    for words, complaint in (
        (["--trace", str(file)], "the trace is cut short"),
        (["--trace", str(tmp_path / "none.json")], "No such file"),
        ([], "give a BOARD, or --trace"),
        ([START, "--trace", str(file)], "give a BOARD, or --trace"),
        ([START, "--beside", "guess"], "unknown algorithm 'guess'"),
        ([START, "--depth", "40", "--algorithm", "minimax"], "more than 4,000 nodes"),
    ):
        status, out, err = run("explore", *words, "--out", str(page))
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert complaint in err
    assert not page.exists()
