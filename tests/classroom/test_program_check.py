"""The check of a student's program: right programs in many styles, and the same with mistakes."""

import importlib.util
import json
import os
import select
import signal
import subprocess
import sys
import tomllib
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from conftest import start_python

from kalahlab.classroom.program_check import check_program
from kalahlab.classroom.program_check.calls import Caller
from kalahlab.classroom.program_check.mistakes import KNOWN_MISTAKES
from kalahlab.classroom.program_check.target import iter_neighbors, make_target
from kalahlab.games.rules import EMPTY_CAPTURE, Rules

PROGRAMS = Path(__file__).parent / "programs"
STYLES = {
    "ring_lists": "alphabeta",
    "negamax_rows": "negamax",
    "tuple_players": "minimax",
    "class_search": "KalahSearch.minimax",
    "rotated": "search",
    "state_pairs": "value",
    "choosers": "best_move",
}
"""The search of each module in the folder `programs`."""
ENDLESS = "does not return within 1 seconds"


class PlainBoard:
    def __init__(self, state):
        self.ring = [*state.board]


def make_counted_list(state):
    return [[*state.board], 0]


def read_table(name):
    return tomllib.loads((PROGRAMS / name).read_text(encoding="utf-8"))["program"]


WRONG, RIGHT = read_table("wrong.toml"), read_table("right.toml")


def load_program(style, replacements=(), name=None):
    """Return the search of a module of the folder `programs` with some of its text replaced."""
    file = PROGRAMS / f"{style}.py"
    source = file.read_text(encoding="utf-8")
    for old, new in replacements:
        assert old in source, old
        source = source.replace(old, new)
    spec = importlib.util.spec_from_file_location("mine", file)
    module = importlib.util.module_from_spec(spec)
    exec(compile(source, file, "exec"), vars(module))
    value = module
    for part in (name or STYLES[style]).split("."):
        value = getattr(value, part)
    return value


def describe(program):
    return f"{program['style']} {' '.join(program.get('mistakes', ()))}"


@pytest.mark.parametrize("style", STYLES)
def test_right_programs_are_accused_of_nothing(style):
    report = check_program(load_program(style), number=150)
    assert report.is_right, report
    assert report.mistakes == ()


@pytest.mark.parametrize("program", RIGHT, ids=describe)
def test_other_conventions_are_accused_of_nothing(program):
    report = check_program(load_program(program["style"], program["replace"]), number=150)
    assert report.is_right, report
    assert "[]" not in str(report)


@pytest.mark.parametrize("program", WRONG, ids=describe)
def test_wrong_programs_are_told_their_mistakes(program):
    report = check_program(load_program(program["style"], program["replace"]), number=150)
    assert not report.is_right
    # Of a part, other mistakes may give the same answers; there must not be many.
    explanations = [part.explanations for part in report.parts if not part.is_right]
    assert all(len(sets) <= 3 for sets in explanations), report
    names = {mistake.name for sets in explanations for mistake in sets[0]}
    allowed = {mistake.name for sets in explanations for own in sets for mistake in own}
    assert {*program["mistakes"]} <= allowed, report
    assert len(names) == len(program["mistakes"]), report
    assert max(map(len, str(report).splitlines())) <= 80


def test_there_are_as_many_programs_as_promised():
    assert len(WRONG) >= 30
    assert len(RIGHT) + len(STYLES) >= 30
    assert len({name for program in WRONG for name in program["mistakes"]}) >= 25
    assert len({mistake.name for mistake in KNOWN_MISTAKES}) == len(KNOWN_MISTAKES)


def test_the_smallest_counterexample_is_a_call_that_can_be_copied():
    [wrong] = [program for program in WRONG if program["mistakes"] == ["own-bound-returned-at-max"]]
    search = load_program("ring_lists", wrong["replace"])
    right = load_program("ring_lists")
    example = check_program(search, number=150).search_example
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
    assert not check_program(search, number=100).is_right
    if isinstance(rules, str):
        rules = Rules(again_on_store=False)
    assert check_program(search, number=100, rules=rules).is_right
    assert not check_program(load_program(style), number=100, rules=rules).is_right


FAULTS = {
    "raise KeyError(board[3])": ("raises KeyError: 2", "crash"),
    "sys.exit('enough')": ("calls sys.exit('enough')", "crash"),
    "os._exit(3)": ("ends Python with os._exit(3)", "crash"),
    "os.kill(os.getpid(), 9)": ("ends Python by the signal SIGKILL", "crash"),
    "return alphabeta(board, depth, alpha, beta, maximizing)": ("RecursionError", "crash"),
    "while True: pass": (ENDLESS, "endless"),
    "input()": ("raises EOFError", "crash"),
    "return 'draw'": ("returns 'draw'", "crash"),
    "return float('nan')": ("returns nan", "crash"),
}


@pytest.mark.parametrize("code", FAULTS)
def test_a_program_that_fails_is_told_how_and_where(code):
    old = "    if depth == 0 or is_game_over(board):"
    fault = f"    import os, sys\n    if board[3] == 2 and depth == 2:\n        {code}\n{old}"
    search = load_program("ring_lists", [(old, fault)])
    report = check_program(search, number=80, seconds=1)
    output, mistake = FAULTS[code]
    example = report.search_example
    assert output in example.given
    assert example.state.board[3] == 2
    assert report.mistakes == (mistake,)


def test_a_program_that_never_returns_or_is_no_search_is_refused():
    old = "    if depth == 0 or is_game_over(board):"
    search = load_program("ring_lists", [(old, f"    while True:\n        pass\n{old}")])
    with pytest.raises(ValueError, match=ENDLESS):
        check_program(search, seconds=1)
    with pytest.raises(ValueError, match=r"not understood: .* were tried"):
        check_program(lambda board, depth: "text")
    with pytest.raises(ValueError, match="no parameter"):
        check_program(lambda: 0)


def test_a_program_that_changes_its_board_or_keeps_answers_is_told():
    def changes(board, depth, maximizing):
        value = right(board, depth, -1000, 1000, maximizing)
        if depth:
            board[2] += 1
        return value

    def remembers(board, depth, maximizing):
        key = tuple(board), maximizing
        if key not in table:
            table[key] = right(board, depth, -1000, 1000, maximizing)
        return table[key]

    right, table = load_program("ring_lists"), {}
    assert check_program(changes, number=60).mistakes == ("argument-changed",)
    assert "depends-on-earlier-calls" in check_program(remembers, number=150).mistakes


def test_a_board_of_a_plain_class_is_changed_only_by_a_program_that_changes_it():
    def keeps(board, depth, maximizing):
        return right(board.ring, depth, -1000, 1000, maximizing)

    def changes(board, depth, maximizing):
        value = keeps(board, depth, maximizing)
        board.ring = []
        return value

    def counts(board, depth, maximizing):
        board.calls = getattr(board, "calls", 0) + 1
        return keeps(board, depth, maximizing)

    def counts_in_a_list(board, depth, maximizing):
        board[-1] += 1
        return right(board[0], depth, -1000, 1000, maximizing)

    right = load_program("ring_lists")
    assert check_program(keeps, number=60, board=PlainBoard).is_right
    assert check_program(counts, number=60, board=PlainBoard).is_right
    assert check_program(counts_in_a_list, number=60, board=make_counted_list).is_right
    assert check_program(changes, number=60, board=PlainBoard).mistakes == ("argument-changed",)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups")
def test_what_a_program_starts_ends_with_its_process(tmp_path):
    os.mkfifo(tmp_path / "alive")
    reader = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)

    def start():
        with (tmp_path / "alive").open("w") as held:
            return subprocess.Popen(["sleep", "10000"], stdout=held).pid

    with Caller([start], 10) as caller:
        child = caller.call(0, ()).value
    try:
        assert select.select([reader], [], [], 30)[0], "the process still runs"
        assert os.read(reader, 1) == b""
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.close(reader)


def test_a_caller_ends_with_the_process_that_was_killed():
    code = "import os\nfrom kalahlab.classroom.program_check.calls import Caller\n"
    code += "caller = Caller([os.getpid], 10)\n"
    code += "print(caller.call(0, ()).value, flush=True)\ninput()\n"
    with start_python(code) as process:
        child = psutil.Process(int(process.stdout.readline()))
        process.kill()
        child.wait(60)  # raises TimeoutExpired


class Chooser:
    """A player whose sowing function stands beside its class."""

    def choose(self, board, player):
        return load_program("ring_lists", name="alphabeta")


def test_a_function_beside_a_class_has_its_own_name():
    target = make_target(Chooser.choose, "mine.Chooser.choose")
    assert "mine.load_program" in [other.name for other in iter_neighbors(target)]


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


def test_playouts_find_winning_moves_and_credit_by_the_mover():
    assert check_program(load_program("choosers", name="mcts"), number=60).is_right
    for name, mistake in (
        ("mcts_by_level", "credits-by-level"),
        ("mcts_turning_over", "turns-over-each-level"),
        ("mcts_by_next", "credits-who-moves-next"),
    ):
        report = check_program(load_program("choosers", name=name), number=60)
        assert report.mistakes == (mistake,)


AGENT = """
import json, sys
from kalahlab import Kalah
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.notation import parse_board
from kalahlab.search import Depth, alpha_beta

game = Kalah(rules="again_on_store=no" if "passes" in sys.argv else "standard")
for line in sys.stdin:
    state = parse_board(json.loads(line)["board"])
    print(json.dumps({"move": alpha_beta(game, state, store_difference, Depth(8)).move + 1}))
    sys.stdout.flush()
"""


def test_a_program_in_another_process_is_asked_for_winning_moves(tmp_path, monkeypatch):
    (tmp_path / "agent.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    text = f"exec:json:{sys.executable} agent.py"
    assert check_program(text, number=40).is_right
    report = check_program(f"{text} passes", number=40)
    assert report.mistakes == ("extra-turn-ignored",)
    assert "asked at <6," in " ".join(str(report).split())


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


def test_the_command_has_a_text_and_json_and_a_page(run, tmp_path, monkeypatch):
    source = (PROGRAMS / "ring_lists.py").read_text(encoding="utf-8")
    wrong = source.replace("beta, extra_turn)", "beta, False)")
    wrong = wrong.replace("beta, not extra_turn)", "beta, True)")
    (tmp_path / "own_search.py").write_text(wrong)
    monkeypatch.chdir(tmp_path)
    words = ["check", "own_search.alphabeta", "--number", "100"]
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
