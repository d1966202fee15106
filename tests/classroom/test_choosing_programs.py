"""The check of a student's program that gives only a move."""

import json
import sys
from functools import lru_cache

import pytest
from student_programs import load_program

from kalahlab.classroom.program_check.check import check_program
from kalahlab.classroom.program_check.choosers import list_sharp_trials

NUMBER = 60
"""Trials of a check, of which a search by playouts gets half. They are found once."""


@pytest.fixture(scope="module", autouse=True)
def find_sharp_trials_once():
    """Keep the positions at which programs are asked: they are the same for each program."""
    with pytest.MonkeyPatch.context() as patch:
        where = "kalahlab.classroom.program_check.check.list_sharp_trials"
        patch.setattr(where, lru_cache(list_sharp_trials))
        yield


def test_playouts_find_winning_moves_and_credit_by_the_mover():
    assert check_program(load_program("choosers", name="mcts"), number=NUMBER).is_right
    for name, mistake in (
        ("mcts_by_level", "credits-by-level"),
        ("mcts_turning_over", "turns-over-each-level"),
        ("mcts_by_next", "credits-who-moves-next"),
    ):
        report = check_program(load_program("choosers", name=name), number=NUMBER)
        assert report.mistakes == (mistake,)


AGENT = """
import json, sys
from kalahlab import Kalah
from kalahlab.evaluators.kalah import e3, store_difference
from kalahlab.games.notation import parse_board
from kalahlab.search import Depth, alpha_beta

game = Kalah(rules="again_on_store=no" if "passes" in sys.argv else "standard")
for line in sys.stdin:
    state = parse_board(json.loads(line)["board"])
    evaluator = e3 if "e3" in sys.argv else store_difference
    depth = Depth(3 if "3" in sys.argv else 8)
    print(json.dumps({"move": alpha_beta(game, state, evaluator, depth).move + 1}))
    sys.stdout.flush()
"""


def test_a_program_in_another_process_is_asked_for_winning_moves(tmp_path, monkeypatch):
    (tmp_path / "agent.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    text = f"exec:json:{sys.executable} agent.py"
    assert check_program(text, number=NUMBER).is_right
    report = check_program(f"{text} passes", number=NUMBER)
    assert report.mistakes == ("extra-turn-ignored",)
    assert "asked at <6," in " ".join(str(report).split())


def test_a_program_in_another_process_that_sees_some_plies_only_is_not_wrong(tmp_path, monkeypatch):
    (tmp_path / "agent.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    text = f"exec:json:{sys.executable} agent.py"
    report = check_program(f"{text} 3", number=NUMBER)
    assert (report.is_right, report.understood["depth"]) == (True, "it seems to look 3 plies")
    report = check_program(f"{text} 3 e3", number=NUMBER)
    assert not report.mistakes
    assert "so they are not judged" in " ".join(str(report).split())


COUNTS_FROM_1 = """
import sys
own = [int(stones) for stones in sys.stdin.read().splitlines()[2].split()]
print(own.index(max(own)) + 1)
"""


def test_an_agent_that_counts_pits_from_1_is_told(tmp_path, monkeypatch):
    (tmp_path / "agent.py").write_text(COUNTS_FROM_1)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="count pits from 1: each answer is one too high"):
        check_program(f"exec:{sys.executable} agent.py")


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("./missing", "program './missing' cannot be found"),
        (f"{sys.executable} agent.py", "unreadable: it answers 'pit three' in place of a number"),
        (f"{sys.executable} -c exit(3)", "crashed: it ends with status 3"),
    ],
)
def test_a_program_that_gives_no_moves_is_told_why(program, reason, tmp_path, monkeypatch):
    (tmp_path / "agent.py").write_text("print('pit three')")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=reason):
        check_program(f"exec:{program}")


def test_a_player_of_a_game_and_a_state_is_told_where_to_go():
    def move(game, state):
        return game.moves(state)[-1]

    with pytest.raises(ValueError, match=r"is a player \(game, state\): use kalahlab judge"):
        check_program(move)
    assert check_program(move, board="state", number=20).kind == "player"


GUESSES = """
def pick(board, player):
    pits = [pit for pit in range(6) if board[pit + 7 * player]]
    weight = sum(place * place * stones for place, stones in enumerate(board))
    return pits[weight % 7 % len(pits)]
"""


def test_a_part_that_is_not_judged_has_a_status_of_its_own(run, tmp_path, monkeypatch):
    (tmp_path / "guesses.py").write_text(GUESSES)
    monkeypatch.chdir(tmp_path)
    status, out, _ = run("check", "guesses.pick", "--number", "60")
    assert status == 3
    assert "so they are not judged" in " ".join(out.split())
    assert "No known mistake" not in out
    data = json.loads(run("check", "guesses.pick", "--number", "60", "--json")[1])
    assert (data["judged"], data["right"], data["mistakes"]) == (False, False, [])
