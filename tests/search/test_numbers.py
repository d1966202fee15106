"""Numbers of any library that user functions return: converted to Python's, or refused alike."""

import json
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from kalahlab.evaluators import BadEvaluator, for_mover
from kalahlab.evaluators.kalah import store_difference
from kalahlab.experiments.settings import Setting, run_setting
from kalahlab.games.kalah import Kalah
from kalahlab.games.notation import format_board
from kalahlab.judging.regret import judge_player
from kalahlab.judging.solved_positions import SolvedPosition
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.names import IMPORTED
from kalahlab.players.factories import random_player, search_player
from kalahlab.players.game_loop import legal_move, play_game
from kalahlab.players.search_spec import SearchSpec
from kalahlab.search import ALGORITHMS, Depth, alpha_beta
from kalahlab.search.model import Counts, Line, Result
from kalahlab.search.tree import observable, searcher
from kalahlab.trace import record

GAME = Kalah(3, 2)
START = GAME.start()
HALVES = [float, np.float16, np.float32, np.float64, np.longdouble, Fraction, Decimal]
"""Types that represent a half exactly."""
WHOLE = [int, np.int8, np.int64, np.array]
POSITIVE = [bool, np.bool_, np.uint8]
NONE = {
    "nan": float("nan"),
    "nan of 32 bits": np.float32("nan"),
    "nan of a decimal": Decimal("nan"),
    "signalling": Decimal("snan"),
    "complex": 1 + 0j,
    "complex of numpy": np.complex128(1),
    "nothing": None,
    "text": "3",
    "list": [3],
    "array": np.array([3]),
    "beyond a float": 10**400,
}


def evaluator_of(kind):
    """Return an evaluator whose values are of a type, and the same one with Python's numbers."""

    def python_evaluator(board, player):
        difference = store_difference(board, player)
        if kind in POSITIVE:
            return difference > 0
        return difference / 2 if kind in HALVES else difference

    def evaluator(board, player):
        return kind(python_evaluator(board, player))

    return evaluator, python_evaluator


@pytest.mark.parametrize("kind", [*HALVES, *WHOLE, *POSITIVE], ids=lambda kind: kind.__name__)
def test_numbers_of_any_type_are_searched_like_pythons(kind):
    evaluator, python_evaluator = evaluator_of(kind)
    for mark in (lambda function: function, for_mover):
        evaluator, python_evaluator = mark(evaluator), mark(python_evaluator)
        for search in ALGORITHMS.values():
            result = search(GAME, START, evaluator, Depth(4))
            assert result == search(GAME, START, python_evaluator, Depth(4))
            assert type(result.value) in (int, float)
        trace = record(alpha_beta, GAME, START, evaluator, Depth(3))
        python_trace = record(alpha_beta, GAME, START, python_evaluator, Depth(3))
        assert trace.to_json() == python_trace.to_json()


@pytest.fixture
def register(monkeypatch):
    """Register functions by import paths, like `import_named`."""

    def register(**functions):
        for name, (kind, function) in functions.items():
            monkeypatch.setitem(IMPORTED, (kind, f"own.{name}"), function)

    return register


def points_of(pair):
    return play_pair(pair)["points"]


JUDGED = SolvedPosition("standard", START, (0, 1, 2))
USES = {
    "search": lambda path: SearchSpec("alpha_beta", path, backend="textbook").search(
        GAME, START, 2
    ),
    "compiled": lambda path: SearchSpec("alpha_beta", path).search(GAME, START, 2),
    "match": lambda path: points_of(
        Pair(f"alpha_beta:{path}:2", "random:1", format_board(START), backend="textbook")
    ),
    "compiled match": lambda path: points_of(
        Pair(f"alpha_beta:{path}:2", "random:1", format_board(START))
    ),
    "grid": lambda path: run_setting(
        Setting("alpha_beta", path, 2, pits=3, stones=2, backend="textbook")
    ),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("value", NONE.values(), ids=NONE)
def test_a_value_that_is_no_number_is_refused_alike_everywhere(register, use, value):
    """Return it only if the opponent is ahead: neither at the root nor on the line."""

    def mostly(board, player):
        difference = store_difference(board, player)
        return difference if difference >= 0 else value

    register(mostly=("evaluator", mostly))
    with pytest.raises(
        BadEvaluator, match=r"^evaluator \S*mostly returns .*it must return a number$"
    ):
        use("own.mostly")


def leaf(value):
    """Return an observed search that gives the root this value."""

    @observable
    def visit(tree, node, alpha, beta):
        return Line(value, (0,))

    @searcher
    def first_move(tree):
        return visit(tree, tree.root, np.int64(-9), np.float32(9))

    return first_move


@pytest.mark.parametrize("kind", [*HALVES, *WHOLE, *POSITIVE], ids=lambda kind: kind.__name__)
def test_a_number_of_any_type_in_a_line_becomes_pythons(kind):
    result = leaf(kind(1))(GAME, START, store_difference, Depth(1))
    assert result.value == 1
    assert type(result.value) in (int, float)
    assert json.loads(record(leaf(kind(1)), GAME, START, store_difference, Depth(1)).to_json())


@pytest.mark.parametrize("value", NONE.values(), ids=NONE)
def test_a_line_without_a_number_is_refused(register, value):
    def plain(game, state, evaluator, deep_enough, order, observer):
        return Result(value, (0,), Counts())

    register(plain=("algorithm", plain), leaf=("algorithm", leaf(value)))
    for name in "plain", "leaf":
        for use in (
            SearchSpec(f"own.{name}", "e3").search,
            lambda game, state, limit, name=name: run_setting(Setting(f"own.{name}", "e3", limit)),
        ):
            with pytest.raises(ValueError, match=r"it must be a number(\n|$)"):
                use(GAME, START, 2)


EQUAL = [np.int64(1), np.uint8(1), np.float32(1), 1.0, True, np.array(1), Fraction(1), Decimal(1)]
ILLEGAL = [17, -1, 0.5, None, "1", [1], np.array([1, 2]), Line(0, (1,)), float("nan"), 1j]


@pytest.mark.parametrize("move", EQUAL, ids=repr)
def test_a_move_that_equals_a_legal_one_becomes_pythons(move):
    def player(game, state):
        return move

    assert type(legal_move(player, GAME, START)) is int
    result = searcher(lambda tree: Line(0, (move,)))(GAME, START, store_difference, Depth(1))
    assert json.dumps(result.line) == "[1]"
    assert [*judge_player(player, [JUDGED])["pit"]] == [2]


@pytest.mark.parametrize("move", ILLEGAL, ids=repr)
def test_another_move_is_refused_with_the_players_name_and_the_position(register, move):
    message = (
        r"returns .* in <3,0,0,2,2,2,2,2,2> \(South to move\); use one of game.moves\(state\): 0,"
    )
    player = "own.illegal"
    register(illegal=("player", lambda game, state: move))
    row = play_pair(Pair(player, "random:1", "<3,0,0,2,2,2,2,2,2>"))
    assert row["faulty_1"] == row["faulty_2"] == "one"
    assert re.match(
        r"illegal: it returns .*; the legal moves are 0, 1, 2, which are named 1, 2, 3, in "
        r"<3,0,0,2,2,2,2,2,2> \(South",
        row["reason_1"],
        re.DOTALL,
    )
    with pytest.raises(ValueError, match=f"^player {player} {message}"):
        judge_player(lambda game, state: move, [JUDGED], player)
    search = searcher(lambda tree: Line(0, (move,)))
    message = r"^<lambda> returns .* in <3,0,0,2.* \(South to move\)"
    with pytest.raises(ValueError, match=message):
        search(GAME, START, store_difference, Depth(1))
    with pytest.raises(ValueError, match=message):
        search_player(search, store_difference, Depth(1))(GAME, START)


def test_moves_that_are_numbers_of_numpy_are_written_as_json():
    class NumpyKalah(Kalah):
        def moves(self, state):
            return [np.int64(pit) for pit in super().moves(state)]

    game = NumpyKalah(3, 2)
    assert json.loads(record(alpha_beta, game, START, store_difference, Depth(3)).to_json())
    log = play_game(game, random_player(1), random_player(2))
    assert {type(played.pit) for played in log.moves} == {int}


EVALUATORS_OF_NUMPY = """
from fractions import Fraction

import numpy as np
from kalahlab.evaluators.kalah import store_difference


def plain(board, player):
    return store_difference(board, player)


def counted(board, player):
    return np.int64(store_difference(board, player))


def halved(board, player):
    return Fraction(store_difference(board, player))


def texts(board, player):
    return str(store_difference(board, player))
"""
COMMANDS = {
    "search": "search --pits 3 --stones 2 --depth 3 --evaluator npev.{} --json",
    "tree": "search --pits 3 --stones 2 --depth 3 --evaluator npev.{} --tree t.svg --json",
    "explore": "explore --pits 3 --stones 2 --depth 3 --evaluator npev.{} --out t.html --json",
    "match": "match alpha_beta:npev.{}:2@textbook random:1 --openings 1 --json",
    "judge": "judge alpha_beta:npev.{}:1@textbook --board 6,5 --json",
    "play": "play --pits 3 --stones 2 --south alpha_beta:npev.{}:2 --north random:1 --json",
    "grid": "grid grid.toml --out out.npev.{0} --evaluator npev.{0} --json",
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_every_command_accepts_and_refuses_the_same_numbers(run, tmp_path, monkeypatch, words):
    (tmp_path / "npev.py").write_text(EVALUATORS_OF_NUMPY)
    (tmp_path / "grid.toml").write_text(
        'algorithms = ["alpha_beta"]\nevaluators = []\ndepths = [2]\npits = 3\nstones = 2\n'
        'backend = "textbook"\n'
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    answers = []
    for name in ("plain", "counted", "halved"):
        status, out, err = run(*words.format(name).split())
        assert status == 0, err
        answers.append(json.loads(out.replace(f"npev.{name}", "")))
    assert answers[1:] == answers[:1] * 2
    status, out, err = run(*words.format("texts").split())
    assert status != 0
    assert "texts returns '" in err + out
    assert "bug" not in err
