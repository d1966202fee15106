"""Players and points that fail: the failing one is named, and the others go on."""

import json
import re
from concurrent.futures import BrokenExecutor
from functools import partial
from itertools import product

import pandas as pd
import pytest
from squares import Mortal, square_or_die

from kalahlab.games.game_text import parse_game
from kalahlab.games.kalah import Kalah
from kalahlab.games.notation import format_board
from kalahlab.matches.openings import random_openings
from kalahlab.matches.pairs import Pair, play_pairs, split_failures
from kalahlab.matches.tournament import standings, tally_pairings
from kalahlab.parallel import read_rows, run_all, run_resumable
from kalahlab.players.parse import import_player_parts

OWN = """
import os
import signal
import sys
from pathlib import Path

from kalahlab.search import ALGORITHMS
from kalahlab.search.model import Line
from kalahlab.search.tree import pit_order, searcher

LATE = 12  # stones in the mover's pits


def first(game, state):
    return game.moves(state)[0]


def illegal(game, state):
    return 99


def raises(game, state):
    raise IndexError("list index out of range")


def leaves(game, state):
    sys.exit(0)


def endless(game, state):
    while True:
        pass


def changes_rules(game, state):
    type(game).margin = lambda self, state, player: 48
    return game.moves(state)[0]


def dies(game, state):
    if sum(state.board[:6]) < LATE:
        os.kill(os.getpid(), signal.SIGKILL)  # as the system does when memory is short
    return game.moves(state)[0]


def bad(board, player):
    sys.exit(0)


def sorting(tree, node, children):
    sys.exit(0)


def plain(game, state, evaluator, deep_enough, order, observer):
    sys.exit(0)


@searcher
def tree_search(tree):
    sys.exit(0)
"""


@pytest.fixture
def user_folder(tmp_path, monkeypatch):
    (tmp_path / "fails.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


PLAYERS = ("random:1", "random:2", "alpha_beta:e3:1")
BOARD = r"<6,(\d+,)+\d+> \((South|North) to move\)"
WORDS = {
    "illegal": (
        rf"illegal: it returns 99; the legal moves are [\d, ]+, which are named [\d, ]+, in {BOARD}"
    ),
    "raises": r"crashed: it raises IndexError: list index out of range \(\S+fails.py, line \d+\), ",
    "leaves": r"crashed: it calls sys.exit\(0\) \(\S+fails.py, line \d+, in leaves\), in",
}


@pytest.mark.parametrize(("name", "words"), WORDS.items())
def test_a_players_fault_loses_the_game_with_its_reason(run, user_folder, name, words):
    how = ["--openings", "2"]
    alone = json.loads(run("tournament", *PLAYERS, *how, "--json")[1])
    status, out, _ = run("tournament", f"fails.{name}", *PLAYERS, *how, "--json")
    answer = json.loads(out)
    assert (status, answer["failures"]) == (0, [])
    # The games of the others are the same, and the faulty player has lost all of its own.
    others = [row for row in answer["matches"] if row["one"] != f"fails.{name}"]
    compared = ("one", "other", "wins", "draws", "losses", "margin", "score")
    assert [[row[key] for key in compared] for row in others] == [
        [row[key] for key in compared] for row in alone["matches"]
    ]
    last = answer["standings"][-1]
    assert (last["player"], last["losses"], last["wins"]) == (f"fails.{name}", 12, 0)
    assert (last["lost_by_fault"], last["lost_on_time"], last["margin"]) == (12, 0, None)
    faults = answer["faults"].pop(f"fails.{name}")
    assert len(faults) == 12
    assert all(re.match(words, fault) for fault in faults)
    assert not any(answer["faults"].values())
    status, out, _ = run("match", f"fails.{name}", "random:1", *how, "--games", "games")
    assert status == 0
    assert "Faults decided 4 of 4 games." in out
    for file, seat in (("0001-1.txt", "south"), ("0001-2.txt", "north")):
        text = (user_folder / "games" / file).read_text()
        assert f"{seat}: fails.{name}\n" in text
        who = re.escape(f"{seat.title()} (fails.{name})")
        assert re.search(f"\nfault: {who} loses, {words}", text)
        assert parse_game(text).players[seat == "north"] == f"fails.{name}"


def test_a_tournament_names_the_player_of_a_dead_worker_and_counts_the_others(run, user_folder):
    others = PLAYERS[:2]  # each of its pairs ends processes, which take a third of a second
    how = ["--openings", "1", "--backend", "textbook"]
    alone = json.loads(run("tournament", *others, *how, "--json")[1])
    how += ["--workers", "2"]
    status, out, _ = run("tournament", "fails.dies", *others, *how, "--json")
    answer = json.loads(out)
    assert status == 1
    assert (answer["standings"], answer["matches"]) == (alone["standings"], alone["matches"])
    failed = [("fails.dies", player) for player in others]
    assert [(row["one"], row["other"]) for row in answer["failures"]] == failed
    message = "a worker process ended while playing fails.dies against random:1"
    assert message in answer["failures"][0]["error"]
    for folder in ((), ("--out", "kept")):
        status, out, err = run("match", "fails.dies", "random:1", *how, *folder)
        assert (status != 0, out, err.count("\n")) == (True, "", 1)
        assert message in err


def test_with_a_limit_user_code_runs_in_a_process_of_its_own(user_folder):
    """Neither endless code, nor code that kills its process, nor a changed rule harms others."""
    first, endless, dies, changes = (
        f"fails.{name}" for name in ("first", "endless", "dies", "changes_rules")
    )
    for player in (first, endless, dies, changes):
        import_player_parts(player)
    start = format_board(Kalah().start())
    games = play_pairs(
        [
            # Only user code has processes, one for each game. Endless code spends all of its time.
            Pair(endless, "random:1", start, move_seconds=0.2),
            Pair(dies, "random:1", start, move_seconds=60.0),
            Pair(first, changes, start, move_seconds=60.0),
        ]
    )
    faults = {row["player"]: row["faults"] for row in standings(games)}
    kinds = {player: {fault.split(":")[0] for fault in faults[player]} for player in faults}
    assert kinds[endless] == {"late"}
    assert kinds[dies] == {"crashed"}
    assert kinds[changes] == set()
    both = games.iloc[2]
    assert (both["points"], both["margin_1"]) == (0.5, -both["margin_2"])  # they play the same
    assert Kalah.margin.__module__ == "kalahlab.games.kalah"


def test_a_tournament_without_finished_pairs_has_no_standings(run, user_folder):
    players = ["alpha_beta:fails.bad:1", "random:1"]
    status, out, err = run("tournament", *players, "--openings", "1")
    assert (status, out) == (1, "")
    assert "alpha_beta:fails.bad:1 against random:1: 1 of 1 pairs failed, the first with " in err


ENDS = {
    "evaluator": "search <2,0,0,1,1,1,1> --depth 2 --evaluator fails.bad",
    "evaluator explored": "explore <2,0,0,1,1,1,1> --depth 2 --out x.html --evaluator fails.bad",
    "order": "search <2,0,0,1,1,1,1> --depth 2 --order fails.sorting",
    "order explored": "explore <2,0,0,1,1,1,1> --depth 2 --out x.html --order fails.sorting",
    "plain": "search <2,0,0,1,1,1,1> --depth 2 --algorithm fails.plain",
    "tree": "search <2,0,0,1,1,1,1> --depth 2 --algorithm fails.tree_search",
    "tree drawn": "search <2,0,0,1,1,1,1> --depth 2 --tree t.svg --algorithm fails.tree_search",
    "player": "play <2,0,0,1,1,1,1> --south fails.leaves --north random:1",
    "evaluator played": "play <2,0,0,1,1,1,1> --south alpha_beta:fails.bad:2 --north random:1",
    "match kept": "match alpha_beta:fails.bad:2 random:1 --openings 1 --out kept",
    "judge": "judge fails.leaves --board 6,5",
    "grid": "grid grid.toml --out kept --algorithm fails.plain",
    "grid by workers": "grid grid.toml --out kept --algorithm fails.tree_search --workers 2",
}


@pytest.mark.parametrize("words", ENDS.values(), ids=ENDS)
def test_user_code_that_exits_does_not_end_a_command_silently(run, user_folder, words):
    (user_folder / "grid.toml").write_text(
        'algorithms = []\nevaluators = ["e3"]\ndepths = [2]\npits = 3\nstones = 2\n'
        'backend = "textbook"\n'
    )
    status, out, err = run(*words.split())
    name = re.search(r"fails\.\w+", words)[0]
    assert status != 0
    assert "calls sys.exit(0)" in err + out
    assert f"{user_folder / 'fails.py'}, line " in err + out
    assert name.split(".")[1] in err + out or name == "fails.sorting"
    assert "bug" not in err


NUMBERS = [Mortal(value) for value in range(9)]


def test_a_dead_worker_is_a_row_with_an_error_and_failed_points_are_tried_again(tmp_path):
    work = partial(square_or_die, tmp_path)
    for name in ("even", "odd"):
        (tmp_path / name).touch()
    rows = read_rows(run_resumable(work, NUMBERS, tmp_path, workers=2))
    died = "BrokenExecutor: a worker process ended while squaring even numbers"
    assert {row["error"] for row in rows[::2]} == {died}
    assert all("ArithmeticError: cannot square" in row["error"] for row in rows[1::2])
    (tmp_path / "even").unlink()
    (tmp_path / "odd").unlink()
    rows = read_rows(run_resumable(work, NUMBERS, tmp_path, workers=2))
    assert [row["square"] for row in rows] == [point.value**2 for point in NUMBERS]
    assert {row["error"] for row in rows} == {None}


def test_a_dead_worker_ends_a_run_that_keeps_no_errors(tmp_path):
    (tmp_path / "even").touch()
    says = "^a worker process ended while squaring even numbers$"
    with pytest.raises(BrokenExecutor, match=says):
        run_all(partial(square_or_die, tmp_path), NUMBERS, workers=2)
    rows = run_all(partial(square_or_die, tmp_path), NUMBERS, workers=2, keep_errors=True)
    assert [row.get("square") for row in rows[1::2]] == [1, 9, 25, 49]


def test_players_that_are_functions_have_names_in_all_tables():
    game = Kalah(3, 3)
    leftmost, rightmost = (lambda game, state: game.moves(state)[0]), last_move
    again = lambda game, state: game.moves(state)[-1]  # noqa: E731  # has the name of the first
    players = [(leftmost, rightmost), (leftmost, again), (rightmost, again)]
    openings = [*random_openings(game, 3, plies=2)]
    games = play_pairs([Pair(*two, opening, game) for two, opening in product(players, openings)])
    name = f"{test_players_that_are_functions_have_names_in_all_tables.__name__}.<locals>.<lambda>"
    names = [name, "last_move", f"{name} (2)"]
    assert [(row["one"], row["other"]) for row in tally_pairings(games)] == [
        (names[0], names[1]), (names[0], names[2]), (names[1], names[2])
    ]  # fmt: skip
    assert {row["player"] for row in standings(games)} == {*names}
    alike = tally_pairings(games[games["one"] == "last_move"])[0]
    assert alike["score"] == 0.5, "they play the same moves"


def last_move(game, state):
    return game.moves(state)[-1]


def test_only_pairings_that_were_played_in_full_are_counted():
    rows = [
        ("a", "b", None),
        ("a", "b", "late"),
        ("a", "c", None),
        ("b", "c", "x"),
        ("b", "c", "y"),
    ]
    games = pd.DataFrame(rows, columns=["one", "other", "error"])
    played, failures = split_failures(games)
    assert [*played["other"]] == ["c"]
    assert failures == [
        {"one": "a", "other": "b", "failed": 1, "pairs": 2, "error": "late"},
        {"one": "b", "other": "c", "failed": 2, "pairs": 2, "error": "x"},
    ]
