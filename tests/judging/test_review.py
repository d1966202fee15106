"""A game reviewed: its values, its account, its marks."""

import os
import re
import signal
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from random import Random

import pytest
from conftest import cases

from kalahlab.games.game_text import GameRecord, format_game, parse_game
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State
from kalahlab.games.rules import EMPTY_CAPTURE, STANDARD, Rules
from kalahlab.judging.review import review_game, review_move
from kalahlab.players.factories import random_player
from kalahlab.players.game_loop import play_game
from kalahlab.report.review_page import review_body, turning_points, value_graph
from kalahlab.solver.move_values import perfect_player, search_values
from kalahlab.solver.solve import solve


def random_game(seed):
    rng = Random(seed)
    sizes = rng.randint(1, 4), rng.randint(1, 3)
    game = Kalah(*sizes, rng.choice((STANDARD, EMPTY_CAPTURE)))
    return play_game(game, random_player(seed), random_player(seed + 1)).record()


@pytest.mark.parametrize("seed", range(25))
def test_the_value_at_the_start_and_all_regrets_sum_to_the_margin(seed):
    record = random_game(seed)
    review = review_game(record, workers=1)
    account = review.account()
    assert account.first == 1
    assert account.is_consistent
    assert account.margin == record.game.margin(record.states[-1], SOUTH)
    assert len(review.exact_moves()) == len(record.moves)
    assert [*review.moves["after"]] == [value for value, _ in review.values()[1:]]


def test_values_of_moves_equal_the_solvers():
    review = review_game(random_game(7), workers=1)
    for move in review.moves.itertuples():
        solution = solve(move.state, review.record.game.rules, moves=True, workers=1)
        values = {pit: value for pit, value in enumerate(solution.moves) if value is not None}
        assert move.margins == values
        line = GameRecord(review.record.game, move.state, move.line)
        assert move.margins[line.moves[0]] == move.best
        assert line.states  # it can be played


def test_a_perfect_player_has_no_regret_and_full_accuracy():
    log = play_game(Kalah(3, 3), perfect_player, random_player(3))
    review = review_game(log.record("perfect", "random:3"), workers=1)
    assert not review.moves_by(SOUTH)[["regret", "changed"]].any(axis=None)
    assert review.accuracy(SOUTH) == 100
    assert review.accuracy(NORTH) < 100


def test_without_time_moves_are_searched_and_marked_so():
    record = random_game(5)
    review = review_game(record, seconds=0, depth=3)
    assert review.database_stones is None
    afters = [*review.moves["before"][2:], review.end]
    for move, after in zip(review.moves[1:].itertuples(), afters, strict=True):
        assert move.after == after, "what the next move was found to begin with"
        played = {move.pit: -after if move.mover else after}
        assert move.margins == search_values(record.game, move.state, 3) | played
    # the start is in the table of solved games
    assert [*review.table()["by"]] == ["exact"] + ["depth 3"] * (len(review.moves) - 1)
    assert sum(map(len, map(review.moves_by, (SOUTH, NORTH)))) == len(review.moves)


def test_all_sums_count_the_same_moves():
    record = play_game(Kalah(4, 3), random_player(3), random_player(4)).record()
    review = review_game(record, max_stones=12, depth=2, workers=1)
    account, counted = review.account(), review.exact_moves()
    assert account.first > 1
    assert {*review.moves_by(SOUTH).index, *review.moves_by(NORTH).index} == {*counted.index}
    assert review.moves_by(NORTH)["regret"].sum() == account.north
    assert f"count the moves from {account.first} on" in review.summary()[0]


def test_ctrl_c_ends_the_proofs_and_the_rest_is_searched(run, monkeypatch, tmp_path):
    record = play_game(Kalah(6, 2), random_player(3), random_player(4)).record()
    file = tmp_path / "game.txt"
    file.write_text(format_game(record), encoding="utf-8")

    @contextmanager
    def press_ctrl_c(unit):
        yield lambda done, of: os.kill(os.getpid(), signal.SIGINT) if done == 9 else None

    monkeypatch.setattr(import_module("kalahlab.cli.play"), "progress", press_ctrl_c)
    status, out, _ = run("review", str(file), "--seconds", "600", "--depth", "2", "--workers", "1")
    assert status == 0
    rows = [line.split() for line in out.splitlines() if line.strip()[:1].isdigit()]
    exact = sum("exact" in row for row in rows)
    assert 0 < exact < len(record.moves)
    assert f"Valued exactly: {exact} of {len(record.moves)} moves." in out
    assert sum("depth" in row for row in rows) == len(record.moves) - exact


def test_other_rules_are_searched():
    game = Kalah(3, 2, Rules(rest_to="leader"))
    review = review_game(play_game(game, random_player(1), random_player(2)).record(), depth=4)
    assert not review.moves["exact"].any()
    assert review.account() is None


def test_a_game_that_is_not_over_ends_with_a_value():
    record = random_game(11)
    half = GameRecord(record.game, record.start, record.moves[: len(record.moves) // 2])
    assert review_game(half, workers=1).account().is_consistent


def test_a_review_says_first_which_fault_ended_the_game(tmp_path, run):
    text = "pits: 3\nstones: 2\nfault: North (ben) loses, late: it is late\n\n1. 2\n"
    sentence = "A fault ended the game: North (ben) loses, late: it is late."
    review = review_game(parse_game(text), seconds=0, depth=2)
    assert review.summary()[0] == sentence
    at_once = review_game(parse_game(text.replace("\n1. 2", "")), seconds=0, depth=2)
    assert at_once.summary() == [sentence]
    assert sentence in review_body(review)
    (tmp_path / "game.txt").write_text(text)
    _, out, _ = run("review", str(tmp_path / "game.txt"), "--seconds", "0")
    assert sentence in out
    assert "A fault" not in "".join(review_game(random_game(11), seconds=0, depth=2).summary())


def move(values, pit, exact=True):
    start = State((1, 1, 1, 0, 1, 1, 1, 0), NORTH)
    return review_move(GameRecord(Kalah(3, 1), start, (pit,)), 0, values, exact)


@cases(Path(__file__).with_name("marks.csv"))
def test_marks_go_by_the_outcome(values, pit, mark):
    worth = dict(enumerate(map(float, values.split())))
    assert move(worth, int(pit))["mark"] == mark
    assert move(worth, int(pit), exact=False)["mark"] == (f"{mark}?" if mark else "")


def test_accuracy_is_the_share_of_the_stones_at_stake():
    assert move({0: 4, 1: 0, 2: -4}, 1)["accuracy"] == 0.5
    assert move({0: 4, 1: 4}, 1)["accuracy"] is None
    assert move({0: 4, 1: 0}, 1)["before"] == -4  # North moves


def test_solved_openings_are_described():
    game = Kalah(6, 4)
    moves = tuple(pit - 1 for pit in (1, 1, 3, 5, 5))
    text = review_game(GameRecord(game, game.start(), moves), seconds=0, depth=2).opening()
    assert "The start is solved: +8 for South; its first moves: -14 -10 +8 -2 -8 +4." in text
    assert "Moves 1 to 5 are drawn opening 1 of data/openings.csv." in text
    assert "perfect" not in text
    text_of_best = review_game(GameRecord(game, game.start(), (2,)), seconds=0, depth=2).opening()
    assert "The first move is perfect." in text_of_best


def test_the_body_of_a_page_loads_nothing_and_has_no_script():
    review = review_game(random_game(7), workers=1)
    body = review_body(review)
    assert "<script" not in body
    assert not re.findall(r'(?:src|href)="(?!data:)', body)
    assert body.count("<img") == 1 + len(turning_points(review))
    assert body == review_body(review_game(random_game(7), workers=1))
    words = re.sub("<style>.*?</style>|<[^>]*>", " ", body, flags=re.DOTALL)
    assert not re.findall(r"\s-\d+", words), "minus signs, as in its pictures"
    assert "−" in words


def test_the_graph_has_a_dot_for_each_marked_move():
    review = review_game(random_game(7), workers=1)
    in_legend = 2
    assert value_graph(review).count("<circle") == len(review.find_marked_moves()) + in_legend
    assert "dasharray" not in value_graph(review)
    assert "dasharray" in value_graph(review_game(random_game(7), seconds=0, depth=2))
