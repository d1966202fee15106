"""The check of a student's program: right programs in many styles, and how one is called."""

import json

import pytest
from student_programs import PROGRAMS, RIGHT, STYLES, WRONG, describe, load_program

from kalahlab.classroom.program_check.check import check_program
from kalahlab.classroom.program_check.flawed import Flawed, FlawedGame
from kalahlab.classroom.program_check.mistakes import KNOWN_MISTAKES
from kalahlab.classroom.program_check.sowing import choose_sows, play
from kalahlab.classroom.program_check.target import iter_neighbors, make_target
from kalahlab.games.rules import EMPTY_CAPTURE, STANDARD, Rules

NUMBER = 75
"""Trials of a check, with positions of each size and each depth."""


@pytest.mark.parametrize("style", STYLES)
def test_right_programs_are_accused_of_nothing(style):
    report = check_program(load_program(style), number=NUMBER)
    assert report.is_right, report
    assert report.mistakes == ()


@pytest.mark.parametrize("program", RIGHT, ids=describe)
def test_other_conventions_are_accused_of_nothing(program):
    report = check_program(load_program(program["style"], program["replace"]), number=NUMBER)
    assert report.is_right, report
    assert "[]" not in str(report)


def test_the_smallest_counterexample_is_a_call_that_can_be_copied():
    [wrong] = [program for program in WRONG if program["mistakes"] == ["own-bound-returned-at-max"]]
    search = load_program("ring_lists", wrong["replace"])
    right = load_program("ring_lists")
    example = check_program(search, number=NUMBER).search_example
    call = example.call.partition("(")[2].removesuffix(")")
    arguments = eval(f"[{call}]", {"inf": float("inf")})
    assert repr(search(*arguments)) == example.given
    assert example.expected.startswith(str(right(*arguments)).replace("-", "\N{MINUS SIGN}"))


MIN_RAISES_ALPHA = ("        beta = min(beta, best)", "        alpha = max(alpha, best)")
NO_CUT = ("if alpha >= beta:", "if False:")


def test_a_wrong_bound_that_only_a_finite_window_shows_is_told():
    search = load_program("ring_lists", [MIN_RAISES_ALPHA])
    report = check_program(search, number=60)
    full, finite = report.parts[1:]
    assert full.is_right
    assert report.mistakes == ("min-raises-alpha",)
    call = finite.counterexample.call.partition("(")[2].removesuffix(")")
    *_, alpha, beta, _ = arguments = eval(f"[{call}]", {"inf": float("inf")})
    right = load_program("ring_lists")
    value = right(*arguments[:2], -1000, 1000, arguments[-1])
    answer = search(*arguments)
    assert repr(answer) == finite.counterexample.given
    assert min(max(answer, alpha), beta) != min(max(value, alpha), beta)


def test_a_search_that_takes_a_window_and_never_cuts_is_noted_and_not_accused():
    report = check_program(load_program("ring_lists", [NO_CUT]), number=60)
    assert report.is_right
    assert "never cuts" in str(report)
    assert "never cuts" not in str(check_program(load_program("ring_lists"), number=60))


ONLY_RULE = {
    "negamax_rows": ("if board[1 - row][facing]:", "if True:"),
    "state_pairs": ("        return (board, player)\n", "        return (board, 1 - player)\n"),
}


@pytest.mark.parametrize(
    ("style", "rules"), [("negamax_rows", EMPTY_CAPTURE), ("state_pairs", "again_on_store=no")]
)
def test_a_rule_of_the_course_is_no_mistake(style, rules):
    search = load_program(style, [ONLY_RULE[style]])
    assert not check_program(search, number=50).is_right
    if isinstance(rules, str):
        rules = Rules(again_on_store=False)
    assert check_program(search, number=50, rules=rules).is_right
    assert not check_program(load_program(style), number=50, rules=rules).is_right


def make_move(board, pit):
    return board


class Chooser:
    """A player whose sowing function stands beside its class."""

    def choose(self, board, player):
        return make_move(board, 0)


def test_a_function_beside_a_class_has_its_own_name():
    target = make_target(Chooser.choose, "mine.Chooser.choose")
    assert "mine.make_move" in [other.name for other in iter_neighbors(target)]


def test_sowing_functions_and_evaluators_are_checked_by_themselves():
    for style, name in (
        ("ring_lists", "make_move"),
        ("negamax_rows", "sow"),
        ("tuple_players", "play"),
        ("class_search", "KalahSearch.move"),
        ("rotated", "step"),
        ("state_pairs", "result"),
    ):
        report = check_program(load_program(style, name=name), number=120)
        assert (report.kind, report.is_right) == ("sowing function", True), report
    evaluate = load_program("negamax_rows", name="score")
    report = check_program(evaluate)
    assert (report.kind, report.understood["formula"]) == ("evaluator", "store difference")


def test_the_command_has_a_text_and_json_and_a_page(run, tmp_path, monkeypatch):
    source = (PROGRAMS / "ring_lists.py").read_text(encoding="utf-8")
    wrong = source.replace("beta, extra_turn)", "beta, False)")
    wrong = wrong.replace("beta, not extra_turn)", "beta, True)")
    (tmp_path / "own_search.py").write_text(wrong)
    monkeypatch.chdir(tmp_path)
    words = ["check", "own_search.alphabeta", "--number", "50"]
    status, out, err = run(*words, "--explore", "page.html")
    assert (status, err) == (1, "")
    assert "passes the turn also after a last\nstone in the own store" in out
    assert "open page.html" in out
    assert '"step":' in (tmp_path / "page.html").read_text()
    status, out, _ = run(*words, "--json")
    assert json.loads(out)["mistakes"] == ["extra-turn-ignored"]
    assert run("check", "own_search.make_move", "--players", "True,False")[0] == 0
    assert run("check", "own_search")[0] == 2
    assert run("check", "own_search.alphabeta", "--board", "rows")[0] == 2


def test_each_known_mistake_in_sowing_changes_some_of_the_sows_that_are_tried():
    game = FlawedGame(STANDARD)
    sows = choose_sows((6,), 300, game, sweeps=True)
    assert len({*sows}) == len(sows) < 400
    for mistake in KNOWN_MISTAKES:
        wrong = None if mistake.part == "search" else mistake.apply(Flawed(game))
        if wrong is not None:
            changed = [
                sow for sow in sows if play(wrong.game, *sow, True) != play(game, *sow, True)
            ]
            assert len(changed) >= 5, mistake.name
