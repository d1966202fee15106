"""Tests of the command line as users meet it: its output, its errors and its exit status."""

import gzip
import json
import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from threading import Event

import others
import pandas as pd
import pytest
from conftest import cases, jsonl, start_python

from kalahlab import cli
from kalahlab.cli import search as cli_search
from kalahlab.cli.match import format_elo, format_pairwise_tests
from kalahlab.cli.search import read_progress
from kalahlab.evaluators.kalah import EVALUATORS, staged, store_difference
from kalahlab.evaluators.registry import EVALUATORS as EVALUATORS_OF
from kalahlab.games.game_text import parse_game
from kalahlab.games.hand_tree import CUT_SHORT, HandTree, parse_tree
from kalahlab.games.kalah import Kalah
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.registry import GAMES
from kalahlab.games.rules import EMPTY_CAPTURE
from kalahlab.matches.sequential import BATCH
from kalahlab.parallel import read_rows
from kalahlab.search import ALGORITHMS, Depth, alpha_beta, minimax
from kalahlab.search.perft import perft
from kalahlab.solver.solve import Solution
from kalahlab.trace import record

START = format_board(Kalah(6, 4).start())


def test_search_prints_what_the_package_finds(run):
    status, out, _ = run(
        *("search", START, "--algorithm", "minimax", "--evaluator", "staged", "--depth", "3"),
        *("--leaf", "turn", "--rules", "empty-capture", "--json"),
    )
    game = Kalah(6, 4, EMPTY_CAPTURE)
    result = minimax(game, game.start(), staged, Depth(3, "turn"))
    line = [move + 1 for move in result.line]
    assert (status, json.loads(out)) == (0, {
        "game": "kalah", "board": START, "rules": "empty-capture", "algorithm": "minimax",
        "depth": 3, "evaluator": "staged", "leaf": "turn", "order": "pit",
        "value": result.value, "move": line[0], "pv": line, **asdict(result.counts),
        "visited": result.counts.visited,
    })  # fmt: skip


@pytest.mark.parametrize(("reach", "message"), [(0, "alpha_beta finds 2 here, own0.s "), (99, "")])
def test_a_user_search_that_finds_another_value_is_reported(
    run, tmp_path, monkeypatch, reach, message
):
    code = (
        "from kalahlab.search.alpha_beta import value\n"
        "from kalahlab.search.tree import searcher\n"
        f"s = searcher(lambda tree: value(tree, tree.root, -{reach}, {reach}))\n"
    )
    (tmp_path / f"own{reach}.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    _, _, err = run("search", START, "--depth", "5", "--algorithm", f"own{reach}.s")
    if message:
        assert err.startswith(message)
    else:
        assert err == ""
    _, out, _ = run("explore", "--algorithm", f"own{reach}.s", "--out", str(tmp_path / "x.html"))
    assert ("is right within its window" in out) == (reach == 0)


COURSE = """
from dataclasses import dataclass, replace
from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.games.kalah import Kalah
from kalahlab.games.registry import GAMES

@dataclass(frozen=True)
class Course(Kalah):
    def moves(self, state):
        return Kalah.moves(self, state)[-2:]

def backwards(board, player):
    return -store_difference(board, player)

GAME = replace(GAMES["kalah"], name="course", new=Course)
EVALUATORS["course"] = {"backwards": backwards}
"""


@pytest.mark.parametrize("words", [(), ("--evaluator", "backwards")])
def test_search_and_explore_accept_the_same_evaluators_of_a_user_game(
    run, tmp_path, monkeypatch, words
):
    monkeypatch.setitem(EVALUATORS_OF, "course", {})  # what the module adds ends with the test
    (tmp_path / "course.py").write_text(COURSE)
    monkeypatch.syspath_prepend(tmp_path)
    small = ("--game", "course.GAME", "--pits", "3", "--stones", "2", "--depth", "3", *words)
    answer = json.loads(run("search", *small, "--json")[1])
    page = tmp_path / "x.html"
    explored = json.loads(run("explore", *small, "--json", "--out", str(page))[1])
    assert answer["evaluator"] == explored["evaluator"] == "backwards"
    assert explored["nodes"] == [answer["visited"]]
    game = import_module("course").Course(3, 2)
    arguments = game, game.start(), import_module("course").backwards, Depth(3)
    default = alpha_beta(game, game.start(), store_difference, Depth(3))
    assert answer["value"] == alpha_beta(*arguments).value != default.value


@pytest.mark.parametrize("name", [*others.NAMES])
def test_search_and_explore_count_the_same_nodes(run, tmp_path, name):
    small = ("--pits", "3", "--stones", "2", "--depth", "4", "--algorithm", f"others.{name}")
    answer = json.loads(run("search", *small, "--json")[1])
    page = ("--out", str(tmp_path / "x.html"))
    assert json.loads(run("explore", *small, "--json", *page)[1])["nodes"] == [answer["visited"]]


OWN = """
import math
from kalahlab.search.model import Line
from kalahlab.search.tree import observable, searcher

{decorator}
def value(tree, node, alpha, beta):
    if tree.deep_enough(node):
        return Line(tree.static(node))
    sign = 1 if node.maximizing else -1
    best = Line(-sign * math.inf)
    for child in tree.successors(node):
        v, path = value(tree, child, alpha, beta)
        if sign * v {better} sign * best.value or not best.path:
            best = Line(v, (child.move, *path))
        alpha, beta = (max(alpha, v), beta) if sign == 1 else (alpha, min(beta, v))
        if {cut}:
            break
    return best

search = searcher(lambda tree: value(tree, tree.root, -math.inf, math.inf))
"""
OURS = {"decorator": "@observable", "better": ">", "cut": "alpha >= beta"}


@pytest.mark.parametrize(("other", "searched", "explored"), [
    ({}, "", "and visits no node that alpha_beta leaves out."),
    ({"cut": "alpha > beta"}, "visits 99 nodes here, {} 120;", "visits 21 nodes that alpha_beta"),
    ({"cut": "alpha + 1 >= beta"}, "visits 99 nodes here, {} 74;", "by luck. After 1, 1, 3, 3"),
    ({"cut": "False"}, "visits 99 nodes here, {} 152;", "visits 53 nodes that alpha_beta"),
    ({"better": ">="}, "plays a different move than {};", "not: 3 is worth \N{MINUS SIGN}1, and 1"),
    ({"decorator": ""}, "some cutoffs of {} are not counted", None),
])  # fmt: skip
def test_a_user_search_with_the_right_value_is_compared_in_other_ways(
    run, tmp_path, monkeypatch, other, searched, explored
):
    name = f"differs{'_'.join(other)}{len(str(other))}"
    (tmp_path / f"{name}.py").write_text(OWN.format(**OURS | other))
    monkeypatch.syspath_prepend(tmp_path)
    small = ("--pits", "3", "--stones", "2", "--depth", "5", "--algorithm", f"{name}.search")
    _, _, err = run("search", *small)
    assert searched.format(f"{name}.search") in " ".join(err.split())
    assert bool(err) == bool(searched)
    status, out, _ = run("explore", *small, "--out", str(tmp_path / "x.html"))
    assert (status == 0) == (explored is not None)
    assert (explored or "") in " ".join(out.split())


TWO = ("play", "--south", "random:1", "--north", "random:2")
OTHERS = {"playground", "quiz", "review", "grid", "betsy", "cards", "published", "claims"}
OTHERS |= {"rules", "report", "pdf", "slides", "site", "exercises", "new-notebook"}
"""The commands that do not search a game."""


def test_every_command_has_help_of_80_columns(run):
    groups = {"kgp": ["kgp connect", "kgp serve"]}
    for name, command in cli.cli.commands.items():
        inner = groups.get(name, [])
        assert [*getattr(command, "commands", {})] == [words.split()[1] for words in inner]
        for words in (name, *inner):
            status, out, _ = run(*words.split(), "--help")
            assert status == 0
            assert max(map(len, out.splitlines())) <= 80
            assert f"\n  kalahlab {words} " in out
            # A server has no answer of its own.
            assert "--json" in out or words in ("kgp", "kgp serve", "serve")
    for name in ("minimax_a_b", "staged_capture", "store_first", "kalahlab rules"):
        assert name in run("search", "--help")[1]


LONG = re.compile(
    "kalahlab (report|pdf|slides|site|playground|homework|judge|quiz|kgp)|--(sprt|mark)|depth 14"
    "|person|size 4|check|serve|class/"
)
"""Examples that take long, that prompt a person, or that need a user's files or a server."""
EXAMPLES = [
    "kalahlab homework input.txt --out ours",
    "kalahlab judge random:1 --set all --positions 500",
]
for command in cli.cli.commands.values():
    for line in map(str.strip, (command.help or "").splitlines()):
        if line.startswith("kalahlab ") and not LONG.search(line):
            EXAMPLES.append(line)
GRID = 'algorithms = ["alpha_beta"]\nevaluators = ["e3"]\ndepths = [1, 2]\nbackend = "textbook"\n'


@pytest.mark.parametrize("line", EXAMPLES)
def test_the_examples_of_the_help_run_and_print_80_columns_or_json(
    run, oracles, tmp_path, monkeypatch, line
):
    monkeypatch.chdir(tmp_path)
    Path("input.txt").write_text((oracles / "homework" / "07" / "input.txt").read_text())
    Path("games.toml").write_text(GRID)
    Path("game.txt").write_text("pits: 2\nstones: 1\n\n1. 1\n")
    command, *words = shlex.split(line)[1:]
    status, out, err = run(command, *words)
    assert (status, "Traceback" in err) == (0, False)
    assert out
    if "--out" in words:
        assert Path(words[words.index("--out") + 1]).exists()
    shutil.rmtree("mine", ignore_errors=True)  # new-notebook overwrites no file
    answer = json.loads(run(command, *words, "--json")[1])
    if command not in OTHERS:
        assert max(map(len, out.splitlines())) <= 80
        assert {"rules", "algorithm", "depth"} <= answer.keys()
        assert "board" in answer or command == "puzzles"  # each puzzle has one


@pytest.mark.parametrize("start", [{"pits": 2, "stones": 1}, {"pits": 3}, {"stones": 2}, {}])
def test_a_start_and_its_board_are_searched_alike(run, tmp_path, start):
    words = [f"--{name}={value}" for name, value in start.items()]
    board, answers = format_board(Kalah(**start).start()), {}
    page = ("--out", str(tmp_path / "page.html"), "--beside", "minimax")
    full = ("--algorithm", "minimax")
    for command, more in {"search": full, "perft": (), "explore": page}.items():
        of_start = run(command, *words, "--depth", "3", "--json", *more)
        of_board = run(command, board, "--depth", "3", "--json", *more)
        assert of_start == of_board
        answers[command] = json.loads(of_start[1])
        assert answers[command]["board"] == board
    assert answers["search"]["evaluator"] == next(iter(EVALUATORS))
    fewer, nodes = answers["explore"]["nodes"]
    assert fewer <= nodes == 1 + answers["search"]["generated"]


BEGINS = """
import signal
from kalahlab.cli import main

set_handler = signal.signal

def set_and_tell(number, handler):
    before = set_handler(number, handler)
    if (number, handler) == (signal.SIGINT, signal.SIG_DFL):
        print("the search begins", flush=True)
    return before

signal.signal = set_and_tell
main()
"""
"""Code of a command that tells when the system, and not Python, begins to handle Ctrl-C."""


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signal")
@pytest.mark.parametrize("words", ["--depth 40", "--algorithm uct --seconds 900"])
def test_ctrl_c_ends_a_compiled_search(words):
    with start_python(BEGINS, "search", START, *words.split(), "--backend", "engine") as process:
        assert process.stdout.readline() == "the search begins\n"
        process.send_signal(signal.SIGINT)
        assert process.wait() == -signal.SIGINT


def test_a_tree_by_hand_is_searched_completely_unless_a_depth_is_given(run, tmp_path):
    tree = ("(((3 5) (6 9)) ([(1 2) 0] -1))", "--game", "tree", "--json")
    page = ("--out", str(tmp_path / "tree.html"))
    for command in (("search", *tree), ("explore", *tree, *page)):
        status, out, err = run(*command)
        answer = json.loads(out)
        assert (status, answer["depth"], answer.get("value", 5), err) == (0, 4, 5, "")
        assert CUT_SHORT in run(*command, "--depth", "2")[2]
        assert run(*command, "--depth", "3", "--leaf", "turn")[2] == ""
    assert "Missing option '--depth'" in run("search", START)[2]


@cases(Path(__file__).parent / "searched.csv")
def test_each_game_is_searched_in_its_notation_also_at_its_end(run, game, board, answer):
    words = (board, "--game", game, "--depth", "9")
    status, out, _ = run("search", *words, "--json")
    assert status == 0
    assert json.loads(out).items() >= json.loads(answer).items()
    rules, state = GAMES[game].read(board)
    text = run("search", *words)[1]
    assert text.startswith(GAMES[game].draw(state))
    assert ("The game is over." in text) == rules.is_over(state)
    leaves = json.loads(run("perft", *words[:-1], "2", "--json")[1])["leaves"]
    assert leaves == perft(rules, state, 2)


@pytest.mark.parametrize(
    ("game", "board"), [("betsy", ()), ("cards", ()), ("kalah", ()), ("kalah", ("<1,3,0,1,1>",))]
)
def test_games_are_played_from_their_start_or_a_board(run, game, board):
    kind = GAMES[game]
    size = () if game == "kalah" else ("--size", "4")
    words = (*TWO, "--game", game, *size, *board)
    log, text = json.loads(run(*words, "--json")[1]), run(*words)[1]
    rules = kind.new(**({"size": 4} if size else {}))
    rules, state = kind.parse(*board, rules) if board else (rules, rules.start())
    for move, mover in zip(log["moves"], log["movers"], strict=True):
        assert mover == kind.players[state.player].lower()
        state = rules.play(state, kind.parse_move(f"{move}", rules, state))
        assert kind.draw(state) in text
    assert rules.is_over(state)
    margin = rules.margin(state, 0)
    if game == "kalah":
        assert margin == log["stores"][0] - log["stores"][1]
    else:
        assert margin == log["margin"]
    if margin:
        assert log["winner"] == kind.players[0 if margin > 0 else 1].lower()
    else:
        assert log["winner"] == "draw"


PEOPLE = ("--south", "person", "--north", "person")


@pytest.fixture
def type_in(monkeypatch):
    def type_in(*lines):
        typed = iter(lines)
        monkeypatch.setattr("builtins.input", lambda: next(typed))

    return type_in


def test_two_people_type_moves_in_the_notation_of_the_game_and_take_back(run, type_in):
    type_in("B", "undo", "C", "c1")
    status, out, err = run("play", "aima-5.2", "--game", "tree", *PEOPLE, "--json")
    assert (status, err.count("Your move ("), json.loads(out)["moves"]) == (0, 4, ["C", "c1"])


@pytest.mark.parametrize("word", ["quit", "q", " quit "])
@pytest.mark.parametrize("game", GAMES)
def test_a_person_gets_help_and_may_leave_in_every_game(run, type_in, game, word):
    kind = GAMES[game]
    type_in("help", word)
    status, out, err = run("play", kind.example, "--game", game, *PEOPLE)
    rules, state = kind.read(kind.example)
    if rules.is_over(state):
        return
    assert (status, out) == (0, "")
    for move in rules.moves(state):
        assert rules.move_name(state, move) in err
    assert {"undo", "quit"} <= {*err.split()}
    assert err.endswith("You quit the game after 0 moves.\n")


def test_the_pits_of_a_persons_board_are_numbered(run, type_in):
    type_in("quit")
    err = run("play", "<3,0,0,1,2,11,4,5,6>", *PEOPLE)[2]
    above, north, _, south, below = err.splitlines()[1:6]
    for numbers, stones, row in ((above, north, [4, 5, 6]), (below, south, [1, 2, 11])):
        for pit, count in enumerate(row, start=1):
            assert numbers.index(f"{pit}") == stones.index(f"{count}") + len(f"{count}") - 1


CHOSEN = jsonl(Path(__file__).with_name("chosen.jsonl"))


@pytest.mark.parametrize(("words", "typed", "players"), CHOSEN)
def test_an_opponent_is_chosen_from_a_list(
    run, type_in, monkeypatch, tmp_path, words, typed, players
):
    file = tmp_path / "game.txt"
    type_in(*typed, "q")
    for stream in (sys.stdin, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    status, _, err = run("play", *words, "--save", str(file))
    assert status == 0
    assert "level8, gives up 0.7 stones a move on average" in err
    assert [*parse_game(file.read_text()).players] == players


def test_a_person_may_take_back_get_hints_and_save(run, type_in, tmp_path):
    """Let South play pit 3, take it back, and play pit 2, which is worse according to the hint."""
    half, whole = tmp_path / "my half.txt", tmp_path / "whole.txt"
    no = tmp_path / "no" / "half.txt"
    type_in("undo", "9", "3", "u", "", "?", "hint", "2", "SAVE", f"save {no}", f"Save {half}", "1")
    board = "<3,0,0,2,1,1,2,1,1>"
    words = ("play", board, "--south", "person", "--north", "random:1", "--save", str(whole))
    status, out, err = run(*words, "--json")
    assert status == 0
    assert "You have no move to take back." in err
    assert "save needs the name of a file: save game.txt" in err
    assert f"\n{no} cannot be written: No such file or directory\n" in err
    assert "move '9' cannot be played; use one of 1, 2, 3" in err
    assert err.count("takes your last move back") == 2
    assert "under perfect play:\n  +4  South sows pit 3, moves again\n  -4" in err
    moves = json.loads(out)["moves"]
    assert [pit + 1 for pit in parse_game(half.read_text()).moves] == moves[:2]
    saved = parse_game(whole.read_text())
    assert [pit + 1 for pit in saved.moves] == moves
    assert saved.players == ("person", "random:1")
    assert saved.states[0] == parse_board(board)


def test_on_a_terminal_a_finished_game_can_be_saved(run, type_in, monkeypatch, tmp_path):
    file = tmp_path / "game.txt"
    for stream in (sys.stdin, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    for last in ([f"save {tmp_path}/no/x", "2", f"save {file}"], [""]):
        type_in("1", *last)
        status, _, err = run("play", "<1,0,0,1,3>", "--south", "person", "--north", "random:1")
        assert status == 0
        assert err.count("North wins, 1 to 3\nTo save the game") == 1
        assert err.count("To save the game, type save FILE; to quit, an empty line:") == len(last)
    assert parse_game(file.read_text()).moves == (0,)


def test_a_game_is_saved_and_reviewed(run, tmp_path):
    file, page = tmp_path / "game.txt", tmp_path / "page.html"
    assert run(*TWO, "--pits", "4", "--stones", "3", "--save", str(file))[0] == 0
    status, out, _ = run("review", str(file), "--json", "--workers", "1")
    review, record = json.loads(out), parse_game(file.read_text())
    assert status == 0
    assert [move["pit"] - 1 for move in review["moves"]] == list(record.moves)
    assert all(move["exact"] for move in review["moves"])
    assert review["account"]["holds"]
    assert review["account"]["margin"] == review["margin"]
    assert (review["rules"], review["pits"], review["depth"]) == ("standard", 4, 14)
    assert set(review["algorithm"]) == {"exact", "search"}
    status, out, _ = run("review", str(file), "--out", str(page), "--seconds", "0")
    assert (status, max(map(len, out.splitlines())) <= 80) == (0, True)
    assert all(text in out for text in ("depth 14", "regret: the stones that the mover loses"))
    assert page.read_text().startswith("<!doctype html>")


def test_a_replay_of_kaggle_is_reviewed(run, tmp_path, oracles):
    replay = json.loads((oracles / "kalah/kaggle_replay.json").read_text())
    states = [json.dumps({"board": ring, "current_player": 0}) for ring in replay["rings"][:6]]
    info = {"actionHistory": replay["actions"][:5], "stateHistory": states}
    file = tmp_path / "replay.json"
    file.write_text(json.dumps({"name": "open_spiel_mancala", "info": info}))
    status, out, _ = run("review", str(file), "--json", "--seconds", "0", "--depth", "2")
    review = json.loads(out)
    assert status == 0
    assert [move["pit"] for move in review["moves"]] == [3, 6, 2, 5, 1]


def test_a_puzzles_move_is_the_best_of_its_moves(run):
    words = ("puzzles", "--number", "3", "--pits", "4", "--stones", "3", "--max-stones", "12")
    for puzzle in (puzzles := json.loads(run(*words, "--json")[1])["puzzles"]):
        values = [value for value in puzzle["moves"] if value is not None]
        assert puzzle["moves"][puzzle["move"] - 1] == max(values)
    assert len(puzzles) == 3


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
    text = run("solve", board, "--rules", "empty-capture")[1]
    pattern = r"^rules +empty-capture\n[^|]*^seconds +\d+\.\d\n[^|]*^stopped +no$"
    assert re.search(pattern, text, re.MULTILINE)
    first, again = (run("solve", board, "--ledger", str(tmp_path))[1] for _ in range(2))
    assert ("\nnodes, in all runs  " in first, "\nnodes, in all runs  " in again) == (False, True)
    text = run("solve", "<3,0,0,2,0,2,2,2,2>", "--moves")[1]
    assert re.search(r"^value +-2$", text, re.MULTILINE)
    assert text.splitlines()[-3:] == ["pit  value", "  1     -8", "  3     -2"]


def test_a_stopped_solve_prints_what_is_proved(run, monkeypatch):
    solution = Solution(None, (None, 4), (), 7, 1.0, 3, (-2, 4), stopped=True)
    monkeypatch.setattr("kalahlab.solver.solve.solve", lambda *_, **__: solution)
    status, text, _ = run("solve", "<2,0,0,1,1,1,1>", "--moves")
    assert status == 130
    assert re.search(r"^value +at least -2, at most \+4$", text, re.MULTILINE)
    assert re.search(r"\n +1 +not proved\n +2 +\+4$", text)


def test_boards_of_words_and_of_files_are_solved_alike(run, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    boards = ["<3,0,0,2,0,2,2,2,2>", "<2,1,0,1,0,1,0>", "<2,3,1,0,0,4,1>"]
    rows = [f'standard,"{board}"' for board in boards]
    table = "\n".join(["rules,board", rows[0], 'empty-capture,"<2,0,0,1,1,1,1>"', *rows[1:], ""])
    (tmp_path / "some.csv").write_text(table)
    (tmp_path / "some.csv.gz").write_bytes(gzip.compress(table.encode()))
    status, text, _ = run("solve", *boards, "--moves")
    assert status == 0
    head, blank, names, *lines = text.splitlines()
    assert (head, blank, names.split()[:3]) == (
        "3 of 3 boards solved, standard rules",
        "",
        ["board", "value", "moves"],
    )
    assert [line.split()[0] for line in lines] == boards
    assert lines[0].split()[1:5] == ["-2", "-8", "-", "-2"]
    solutions = json.loads(run("solve", *boards, "--moves", "--json")[1])["solutions"]
    for name in ("some.csv", "some.csv.gz"):
        words = ("solve", "--file", str(tmp_path / name), "--moves", "--json")
        others = json.loads(run(*words)[1])["solutions"]
        costs = {"nodes": 0, "seconds": 0}
        assert [row | costs for row in others] == [row | costs for row in solutions]
    for board, row in zip(boards, solutions, strict=True):
        single = json.loads(run("solve", board, "--moves", "--json")[1])
        assert (row["value"], row["moves"]) == (single["value"], single["moves"])
    (tmp_path / "none.csv").write_text("position\n3\n")
    status, _, message = run("solve", "--file", str(tmp_path / "none.csv"))
    assert (status, message.count("\n")) == (2, 1)
    assert "none.csv, it has no column 'board'" in message


def test_stopped_boards_are_marked(run, monkeypatch):
    done = Solution(3, (None, 3), (1,), 7, 1.0, 3, (3, 3))
    stopped = Solution(None, (None, None), (), 7, 1.0, 3, (-2, 4), stopped=True)
    monkeypatch.setattr("kalahlab.solver.solve.solve_all", lambda *_, **__: [done, stopped])
    status, text, _ = run("solve", "<2,0,0,0,1,1,1>", "<2,0,0,0,2,1,1>", "--moves")
    assert status == 130
    head, _, _, *lines = text.splitlines()
    assert head == "1 of 2 boards solved, standard rules"
    assert re.search(r" \+3 +- 3 .* no$", lines[0])
    assert re.search(r" at least -2, at most \+4 +- \? .* yes$", lines[1])


def test_a_log_of_a_solve_has_a_line_each_ten_seconds_and_news_at_once(monkeypatch, capsys):
    cli_solve = import_module("kalahlab.cli.solve")  # not the command of that name
    clock = [0.0]
    monkeypatch.setattr(cli_solve.time, "monotonic", lambda: clock[0])
    with cli_solve.progress() as show:
        for clock[0] in (0.0, 5.0, 9.0, 11.0, 20.0, 25.0):
            show(clock[0], "news" if clock[0] in (5.0, 9.0) else "")
    assert capsys.readouterr().err.split() == ["0.0", "5.0", "20.0"]


# Slow, because a shorter proof might end before the key is pressed.
def test_solve_continues_after_ctrl_c(run, tmp_path, monkeypatch):
    words = "solve --pits 5 --stones 4 --database-stones 9 --moves --json --ledger saved"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    no_delay = "import sys, kalahlab.cli.solve; sys.modules['kalahlab.cli.solve'].LOG_SECONDS = 0\n"
    code = f"{no_delay}from kalahlab.cli import main; main()"
    command = [sys.executable, "-c", code, *words.split()]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)
    for line in process.stderr:
        if line.startswith("value: +"):
            process.send_signal(signal.SIGINT)
            break
    out, _ = process.communicate()
    stopped = json.loads(out)
    assert process.returncode == 130
    assert stopped["stopped"]
    assert stopped["bounds"][0] >= 0
    status, out, _ = run(*words.split())
    answer = json.loads(out)
    assert (status, answer["value"], answer["moves"]) == (0, 10, [-8, 10, 0, 2, -2])
    assert answer["nodes"] > stopped["nodes"] > 0


def test_published_rows_are_recomputed_with_their_defects_and_without(run):
    rows = json.loads(run("published", "--json")[1])["rows"]
    verdicts = [row["verdict"] for row in rows]
    assert (len(verdicts), verdicts.count("equal")) == (16, 12)
    assert {*verdicts} == {"equal", "not defined", "illegible copy"}
    every = json.loads(run("published", "--off", "all", "--json")[1])["rows"]
    counts = [(row["generated"], row["expanded"], row["path"]) for row in every]
    assert counts[:8] == counts[8:]


def test_a_sequential_match_stops_by_itself(run, tmp_path):
    players = ("alpha_beta:store_difference:2", "random:1")
    # Of 100 openings, as those of the default, 2000, take a second.
    test = ("--sprt", "0,40", "--openings", "100", "--out", str(tmp_path))
    row = json.loads(run("match", *players, *test, "--json")[1])
    assert len(read_rows(tmp_path / "rows.jsonl")) == row["pairs"] > BATCH
    assert row["verdict"].startswith("decided for +40 against 0: ")
    assert row["verdict"].endswith("that it is +40 or more is not shown")
    assert row["elo_low"] < row["elo"] < row["elo_high"]
    text = run("match", *players, *test)[1]  # of the games that are kept
    assert max(map(len, text.splitlines())) <= 80
    assert "<0.001" in text
    assert f"Elo difference: {row['elo']:+.0f} (" in text
    assert sum(row["outcomes"]) == row["pairs"] < 100
    assert row["pairs"] % BATCH == 0
    help_text = " ".join(run("match", "--help")[1].split())
    assert f"after every {BATCH} pairs" in help_text
    assert "wrong in about 5%" in help_text


def test_a_player_is_judged_on_the_positions_of_a_board(run, tmp_path):
    words = ("judge", "alpha_beta:fitted:1", "--board", "4,4", "--rules", "empty-capture")
    answer = json.loads(run(*words, "--csv", str(tmp_path / "moves.csv"), "--json")[1])
    moves = pd.read_csv(tmp_path / "moves.csv")
    assert moves["optimal"].mean() == pytest.approx(answer["results"][0]["optimal"])
    assert moves["board"].nunique() == answer["results"][0]["positions"]
    assert (answer["board"], answer["rules"]) == (["4,4"], "empty-capture")
    assert (answer["algorithm"], answer["depth"], answer["set"]) == ("alpha_beta", "1", "test")
    assert [row["of"] for row in answer["results"]] == ["all", "opening", "middle", "end"]
    for row in answer["results"]:
        assert row["games"] <= row["positions"]
        for name in ("optimal", "kept", "regret"):
            assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
    assert f"{answer['results'][0]['optimal']:.2f} (" in run(*words)[1]


def test_a_player_is_judged_on_a_sample_that_is_the_same_for_all_players(run, tmp_path):
    rows = {}
    for player, number in (("random:1", "60"), ("random:2", "60"), ("random:1", "100000")):
        path = tmp_path / f"{player[-1]}-{number}.csv"
        words = ("judge", player, "--board", "4,4", "--positions", number, "--csv", str(path))
        status, out, err = run(*words, "--json")
        if number == "60":
            assert json.loads(out)["results"][0]["positions"] == 60
            rows[player] = pd.read_csv(path)
        else:
            assert status == 2
            total = int(err.split("use ")[1].split()[0])
    assert rows["random:1"]["board"].tolist() == rows["random:2"]["board"].tolist()
    assert rows["random:1"]["pit"].tolist() != rows["random:2"]["pit"].tolist()
    path = tmp_path / "all.csv"
    run("judge", "random:1", "--board", "4,4", "--csv", str(path))
    boards = pd.read_csv(path)["board"].tolist()
    assert len(boards) == total
    indices = [boards.index(board) for board in rows["random:1"]["board"]]
    assert indices == sorted(set(indices))
    assert min(indices) < total / 4 < 3 * total / 4 < max(indices)


def test_a_match_and_a_tournament_print_their_results(run, tmp_path):
    names = ("alpha_beta:e3:2", "greedy:e2:1")
    match = json.loads(run("match", *names, "--openings", "3", "--json")[1])
    assert (match["board"], match["rules"]) == (START, "standard")
    assert (match["algorithm"], match["depth"]) == (["alpha_beta", "greedy"], ["2", "1"])
    assert (match["one"], match["other"], match["pairs"]) == (*names, 3)
    words = ("tournament", *names, "random:3", "--openings", "2", "--out", str(tmp_path))
    table = json.loads(run(*words, "--json")[1])
    assert {row["player"] for row in table["standings"]} == {*names, "random:3"}
    assert len(table["matches"]) == len(list((tmp_path / "points").iterdir())) // 2 == 3
    lines = run(*words)[1].splitlines()
    for place, row in enumerate(table["standings"], start=1):
        assert lines[place - 1] == f"{place}. {row['player']}"
    for place, line in enumerate(lines[-3:], start=1):
        assert line.split()[place] == "-"
    assert f"{format_pairwise_tests(table['standings'], table['matches'])}\n" in run(*words)[1]


@cases(Path(__file__).with_name("elo.csv"))
def test_a_score_of_0_or_1_has_no_finite_elo(score, expected):
    assert (
        format_elo({"score": float(score), "elo": -60, "elo_low": -90, "elo_high": -59}) == expected
    )


def test_places_differ_by_their_direct_games(run):
    ranked = [{"player": name} for name in "CAB"]
    rows = [("A", "B", 0.2), ("A", "C", 0.0004), ("B", "C", 0.049)]
    met = [{"one": a, "other": b, "p_holm": p, "differ": p < 0.05, "pairs": 16} for a, b, p in rows]
    text = " ".join(format_pairwise_tests(ranked, met).split())
    assert "differ by their direct games: 1 and 2 (p <0.001), 1 and 3 (p 0.049). Not" in text
    assert "Not shown to differ: 2 and 3 (p 0.200). Each p is corrected for" in text
    assert text.endswith("of pairs of players (3).")
    few = " ".join(format_pairwise_tests(ranked, [met[0] | {"pairs": 4}]).split())
    assert few.startswith("Places that differ by their direct games: none. Not shown")
    assert few.endswith("Even if one player won all games, p would be 0.139: use more --openings.")
    assert "corrected by Holm's method" in run("tournament", "--help")[1]


def test_infinite_values_are_searched_and_drawn(run, tmp_path, monkeypatch):
    def endless(board, player):
        ahead = board[3] - board[7] if player == 0 else board[7] - board[3]
        return ahead * math.inf if ahead else 0

    monkeypatch.setitem(EVALUATORS, "endless", endless)
    board, picture, page = "<3,1,0,2,2,2,2,2,2>", tmp_path / "t.svg", tmp_path / "page.html"
    words = (board, "--evaluator", "endless", "--depth", "3")
    status, out, _ = run("search", *words, "--tree", str(picture), "--json")
    value = json.loads(out, parse_constant=pytest.fail)["value"]
    assert (status, value) == (0, "inf")
    assert "the window itself ends at ∞" in picture.read_text(encoding="utf-8")
    assert run("search", *words, "--tree", str(tmp_path / "t.pdf"))[0] == 0
    assert (tmp_path / "t.pdf").read_bytes().startswith(b"%PDF")
    trace = record(alpha_beta, Kalah(3, 2), parse_board(board), endless, Depth(3))
    assert trace.result.value == math.inf
    expected = f"open {page} ({len(list(trace.visits()))} nodes)\n"
    assert run("explore", *words, "--out", str(page)) == (0, expected, "")


TREE = parse_tree("((3 12 8) (2 4 6) (14 5 2))")
SLOW = ("search", "<2,0,0,1,1,1,1>", "--depth", "2")


class Spied(Kalah):
    """A game that reads the progress of the search that asks for its moves."""

    def moves(self, state):
        LOOKS.append(read_progress(sys._getframe()))
        return super().moves(state)


LOOKS = []


def test_the_share_of_a_tree_is_that_of_its_leaves():
    """Evaluate nine leaves: when one is evaluated, the share is that of those before it."""
    shares = []

    class Looked(HandTree):
        def margin(self, state, player):
            shares.append(read_progress(sys._getframe())[1])
            return super().margin(state, player)

    assert minimax(Looked(TREE), TREE, lambda board, player: 0, Depth(2)).value == 3
    assert shares == pytest.approx([leaf / 9 for leaf in range(9)])


@pytest.mark.parametrize("name", [*ALGORITHMS, "perft"])
def test_the_progress_of_every_search_is_counted_and_grows(name):
    game = Spied(4, 3)
    LOOKS.clear()
    if name == "perft":
        visited = sum(perft(game, game.start(), 4)) + 1
    else:
        depth = Depth(1 if name == "greedy" else 5)
        visited = ALGORITHMS[name](game, game.start(), store_difference, depth).counts.visited
    nodes, shares = map(list, zip(*LOOKS, strict=True))
    assert nodes == sorted(nodes)
    assert nodes[-1] <= visited
    assert all(0 <= share < 1 for share in shares)
    if name in ("perft", "minimax", "alpha_beta", "minimax_a_b"):
        assert nodes[-1] > visited / 2
        assert shares == sorted(shares)
        assert shares[-1] > 0.5


def test_without_a_terminal_no_thread_samples_the_search(run, monkeypatch):
    monkeypatch.setattr(cli_search, "Thread", None)
    assert run(*SLOW)[::2] == (0, "")


def test_a_terminal_shows_what_runs_and_what_would_be_faster(run, monkeypatch):
    was_called, calls = Event(), []

    def format_status(*what):
        calls.append(what)
        was_called.set()
        return "so far"

    def patient(board, player):
        was_called.wait()
        return store_difference(board, player)

    monkeypatch.setitem(EVALUATORS, "patient", patient)
    monkeypatch.setattr(cli_search, "format_status", format_status)
    for name in ("QUIET_S", "EACH_S"):
        monkeypatch.setattr(cli_search, name, 0.01)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    exit_status, err = run(*SLOW, "--evaluator", "patient")[0::2]
    assert exit_status == 0
    assert err.startswith("--backend engine is about a thousand times as fast")
    assert "so far" in err
    assert calls[0][:2] == ("searching", "nodes")


def test_the_progress_line_is_short_and_estimates_the_remaining_time():
    line = cli_search.format_status("searching", "nodes", 60, 9_000_000_000, 0.25, True)
    assert (
        line == "searching: 01:00; 9,000,000,000 nodes, 150,000,000 a second; 25%, about 03:00 left"
    )
    assert "left" not in cli_search.format_status("searching", "nodes", 60, 1000, 0.25, False)


@pytest.mark.skipif(os.name == "nt", reason="has no such terminals")
def test_progress_is_shown_in_a_terminal_that_reports_no_columns(tmp_path):
    import pty

    (tmp_path / "input.txt").write_text("1\n1\n1\n0 0 1\n1 1 0\n0\n0\n")
    for student in "ab":
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "next_state.txt").write_text("0 0 0\n0 0 0\n1\n2\n")
    ours, its = pty.openpty()
    command = [sys.executable, "-m", "kalahlab", "homework", "input.txt", "--check", "class"]
    subprocess.run(command, cwd=tmp_path, stderr=its, stdout=subprocess.DEVNULL)
    os.close(its)
    assert b"student [00:0" in os.read(ours, 10_000)
