"""Games that are not exactly Kalah are played by their own rules, or refused by their name."""

import json
import re
import shutil
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from conftest import run_python
from oracle import FULL, Task, oracle
from strategies import random_position

import kalahlab
from kalahlab import engine, search
from kalahlab.draw.board_svg import move_views
from kalahlab.engine.packed import fits
from kalahlab.engine.twin.workspace import Transcript
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games import kalah
from kalahlab.games.game_text import format_game
from kalahlab.games.kalah import SOUTH, Kalah, State
from kalahlab.games.registry import GAMES, game_name, game_type_of_game
from kalahlab.games.rules import PRESETS, STANDARD, Rules
from kalahlab.judging.review import review_game
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.players.factories import player_within_limit, random_player
from kalahlab.players.game_loop import play_game
from kalahlab.players.search_spec import SearchSpec
from kalahlab.search import Depth
from kalahlab.search.limits import parse_limit
from kalahlab.search.perft import perft
from kalahlab.search.tree import RandomTies, pit_order
from kalahlab.solver.endgame.database import build, open_database
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.move_values import (
    describe_moves,
    exact_values,
    perfect_player,
    prove_bounds,
    search_values,
)
from kalahlab.solver.solve import solve
from kalahlab.solver.value_files import lookup_move_values, lookup_value
from kalahlab.widgets.explorer import explore


class LastTwo(Kalah):
    """A game in which only the two pits nearest the store may be played."""

    def moves(self, state):
        return Kalah.moves(self, state)[-2:]


class Turns(Kalah):
    """A game without extra turns."""

    def play(self, state, move):
        return State(Kalah.play(self, state, move).board, 1 - state.player)


class Race(Kalah):
    """A game that ends once a store holds four stones."""

    def is_over(self, state):
        return max(kalah.stores(state.board)) > 3 or Kalah.is_over(self, state)


class Misere(Kalah):
    """A game that the player with fewer stones wins."""

    def margin(self, state, player):
        return -Kalah.margin(self, state, player)


class Handicap(Kalah):
    """A game in which North begins with stones off the board: equal games, different margins."""

    def __init__(self, pits, stones, handicap):
        super().__init__(pits, stones)
        object.__setattr__(self, "handicap", handicap)

    def margin(self, state, player):
        margin = Kalah.margin(self, state, player)
        return margin - self.handicap if player == SOUTH else margin + self.handicap


@dataclass(frozen=True)
class Lap(Rules):
    """Rules with an added field."""

    lap: bool = True


@dataclass(frozen=True, slots=True)
class Slow(Kalah):
    """A game without extra turns if its rules have `lap`."""

    rules: Rules = Lap()

    def play(self, state, move):
        after = Kalah.play(self, state, move)
        return State(after.board, 1 - state.player) if self.rules.lap else after


class Noted(State):
    """A position of another type."""


DERIVED = (LastTwo, Turns, Race, Misere, Slow)
GAMES_OF = pytest.mark.parametrize("derived", DERIVED)


def random_state(rng, derived, pits=3, stones=3):
    """Return a game and a random position of it that is not over."""
    while True:
        game, state = random_position(rng, pits, stones)
        game = derived(game.pits, game.stones)
        if not game.is_over(state):
            return game, state


def margins(game, state):
    """Return each move's margin for the mover, by plain minimax with the game's methods."""

    @cache
    def value_of(state, player):
        if game.is_over(state):
            return game.margin(state, player)
        choose = max if state.player == player else min
        return choose(value_of(game.play(state, move), player) for move in game.moves(state))

    return {move: value_of(game.play(state, move), state.player) for move in game.moves(state)}


@GAMES_OF
def test_each_search_follows_the_rules_of_the_game(derived):
    rng, differences = Random(3), 0
    for index in range(40):
        game, state = random_state(rng, derived)
        depth = Depth(3, "sow" if index % 2 == 0 else "turn")
        expected = oracle(Task(game, state, store_difference, depth), state)
        for name in FULL:
            spec = SearchSpec(name, "store_difference", depth.unit)
            result = spec.search(game, state, depth.limit)
            assert (result.value, result.move) == (expected.value, expected.move), (
                name,
                game,
                state,
            )
        plain = Kalah(game.pits, game.stones)
        by_kalah = Task(plain, state, store_difference, depth)
        if plain.is_over(state) or oracle(by_kalah, state) != expected:
            differences += 1
    assert differences > 5, "the sample shows other rules"


@GAMES_OF
def test_a_limit_in_nodes_equals_the_textbooks(derived):
    """Compare with the player of the engine under the same limit in nodes."""
    rng = Random(4)
    for _ in range(20):
        game, state = random_state(rng, derived)
        moves = {
            player_within_limit(
                SearchSpec("alpha_beta", "store_difference", backend=backend), parse_limit("60n")
            )(game, state)
            for backend in ("engine", "textbook")
        }
        assert len(moves) == 1, (game, state)


@GAMES_OF
def test_compiled_functions_refuse_a_derived_game_by_its_name(derived):
    game = derived(3, 3)
    args = game, game.start(), store_difference, Depth(4)
    for twin in engine.ALGORITHMS.values():
        with pytest.raises(ValueError, match=f"^the engine .*{derived.__name__}; kalahlab.search"):
            twin(*args)
    with pytest.raises(ValueError, match=f"{derived.__name__}; kalahlab.search"):
        engine.perft(game, game.start(), 3)
    with pytest.raises(ValueError, match=f"depth is 9; .* of the game {derived.__name__} use 1 to"):
        search_values(game, game.start(), 9)


@GAMES_OF
def test_perfect_play_follows_the_game_or_is_refused_by_its_name(derived):
    rng, solved = Random(5), 0
    for _ in range(60):
        game, state = random_state(rng, derived, 3, 2)
        assert lookup_value(game, state) is None
        if kalah.stones_in_play(state.board) <= 10:
            expected = margins(game, state)
            assert exact_values(game, state) == expected, (game, state)
            assert perfect_player(game, state) == max(expected, key=expected.__getitem__)
            solved += 1
        else:
            for call in (exact_values, perfect_player, prove_bounds):
                with pytest.raises(ValueError, match=f"^perfect play .*{derived.__name__}$"):
                    call(game, state)
    assert solved > 10
    for size in ((6, 4), (6, 6), (4, 3)):  # Kalah's values of these openings are in files
        game = derived(*size)
        assert lookup_move_values(game, game.start()) == {}
        for call in (exact_values, prove_bounds):
            with pytest.raises(ValueError, match=derived.__name__):
                call(game, game.start())
    assert "under perfect play" not in describe_moves(game, game.start())[0]


@GAMES_OF
def test_a_derived_game_is_played_by_its_rules_and_not_described_by_kalahs(derived):
    rng = Random(6)
    for _ in range(20):
        game, start = random_state(rng, derived)
        log = play_game(game, random_player(1), random_player(2), start)
        state = start
        for move in log.moves:
            assert move.pit in game.moves(state)
            state = game.play(state, move.pit)
            assert (move.state, move.captured, move.swept) == (state, None, None)
        assert game.is_over(state)
        with pytest.raises(ValueError, match=f"of {derived.__name__} cannot be saved"):
            format_game(log.record())
        with pytest.raises(
            ValueError, match=f"can be reviewed, but not the game {derived.__name__}$"
        ):
            review_game(log.record(), depth=2)
        with pytest.raises(ValueError, match=f"steps of a move .*{derived.__name__}$"):
            move_views(game, start, log.moves[0].pit)


@GAMES_OF
def test_a_match_equals_the_textbooks(derived):
    for size in ((2, 2), (3, 3)):
        game = derived(*size)
        rows = [
            play_pair(
                Pair(f"alpha_beta:store_difference:3@{backend}", "random:1", game.start(), game)
            )
            for backend in ("engine", "textbook")
        ]
        for column in ("margin_1", "margin_2", "points"):
            assert rows[0][column] == rows[1][column]


@GAMES_OF
def test_quiet_positions_are_those_of_the_game(derived):
    class Quiet(derived):
        def is_quiet(self, state):
            return len(self.moves(state)) < 3

    spec = SearchSpec("alpha_beta", "store_difference", "quiescence")
    with pytest.raises(ValueError, match=f"^{derived.__name__} .*; define its is_quiet, or use "):
        spec.search(derived(3, 3), derived(3, 3).start(), 2)
    game, state = Quiet(3, 3), Quiet(3, 3).start()
    assert spec.search(game, state, 2).line
    assert spec.search(Kalah(3, 3), state, 2).line


def test_results_of_two_equal_games_are_not_mixed():
    """Use no cached results of one for the other, which equality does not distinguish."""
    spec, state = SearchSpec("alpha_beta", "store_difference"), State((0, 1, 0, 1, 0, 0), SOUTH)
    player = player_within_limit(spec, parse_limit("4"))
    for handicap in (0, 5):
        game = Handicap(2, 1, handicap)
        assert player(game, state) in game.moves(state)
        assert spec.search(game, state, 4).value == max(margins(game, state).values())


def test_a_derived_game_has_its_own_name():
    game = LastTwo(3, 3)
    assert game_name(game) == "LastTwo"
    assert [game_name(kind.new()) for kind in GAMES.values()] == [*GAMES]
    assert game_type_of_game(game) is GAMES["kalah"], "its positions are read and shown as Kalah's"
    assert explore(game.start(), game=game, depth=2).link == ""


class Deeper(Depth):
    def __call__(self, node):
        return node.sows > self.limit


class SameOrder(RandomTies):
    def __call__(self, tree, node, children):
        return children


class Silent(Transcript):
    def enter(self, node, alpha, beta):
        pass


START = Kalah(3, 2).start()
ELSE = {
    "fixed Depth, not Deeper": {"deep_enough": Deeper(2)},
    "does not know the order SameOrder": {"order": SameOrder(pit_order, 1)},
    "has no observers": {"observer": Silent()},
    "a position of the type Noted": {"state": Noted(*START)},
}


@pytest.mark.parametrize(("message", "changes"), ELSE.items())
def test_arguments_of_derived_types_are_refused(message, changes):
    args = {"game": Kalah(3, 2), "state": START, "evaluator": store_difference}
    args |= {"deep_enough": Depth(2)} | changes
    with pytest.raises(ValueError, match=message):
        engine.alpha_beta(**args)
    assert search.alpha_beta(**args).line


def test_the_explorer_refuses_a_derived_depth():
    with pytest.raises(ValueError, match=r"depth is Deeper.* use a whole number"):
        explore(START, game=Kalah(3, 2), depth=Deeper(2))


def test_a_position_of_another_type_is_searched_by_the_textbook_and_not_solved():
    spec = SearchSpec("alpha_beta", "store_difference")
    assert not spec.is_compiled_for(Kalah(3, 2), Noted(*START))
    assert spec.search(Kalah(3, 2), Noted(*START), 4) == spec.search(Kalah(3, 2), START, 4)
    with pytest.raises(ValueError, match="position of the type Noted"):
        engine.perft(Kalah(3, 2), Noted(*START), 2)
    with pytest.raises(TypeError, match="not a Noted"):
        solve(Noted(*START))
    assert exact_values(Kalah(3, 2), Noted(*START)) == exact_values(Kalah(3, 2), START)


@pytest.mark.parametrize("board", [(1, -1, 0, 1, 1, 0), (1, 2, 0, 1, 2), (0, 0), (1,)])
def test_tuples_that_are_no_boards_do_not_fit(board):
    assert not fits(State(board, SOUTH))


def test_a_solver_refuses_positions_of_other_boards(databases):
    with open_solver(3, database_stones=4, workers=1, folder=databases) as solver:
        for state, error in ((Kalah(2, 1).start(), ValueError), (Noted(*START), TypeError)):
            with pytest.raises(error, match=r"3 pits a side, not 2|not a Noted"):
                solver.value(state)


def test_a_replaced_method_is_noticed(monkeypatch):
    game = Kalah(3, 2)
    for name in ("moves", "play", "is_over", "margin"):
        with monkeypatch.context() as patch:
            patch.setattr(Kalah, name, vars(LastTwo)["moves"] if name == "moves" else len)
            with pytest.raises(ValueError, match=f"a Kalah whose {name} was replaced"):
                engine.alpha_beta(game, START, store_difference, Depth(3))
    assert engine.alpha_beta(game, START, store_difference, Depth(3)).line


UNSOLVED = [replace(STANDARD, **change) for change in (
    {"rest_to": "leader"}, {"relay": True}, {"majority": "stop"},
    {"capture": "always", "majority": "sweep"},
)]  # fmt: skip


@pytest.mark.parametrize("rules", [*UNSOLVED, Lap(), "standard", None])
def test_a_database_of_other_rules_is_refused_by_their_name(rules, databases):
    for make in (build, lambda *args: open_database(*args, folder=databases)):
        with pytest.raises(ValueError, match=r"^perfect play is not known for [^\n]+$"):
            make(2, 4, rules)


@pytest.mark.parametrize("rules", UNSOLVED)
def test_a_users_preset_is_not_solved_by_other_rules(rules, monkeypatch):
    monkeypatch.setitem(PRESETS, "mine", rules)
    for call in (
        lambda: solve(START, "mine"), lambda: solve(START, rules), lambda: build(3, 4, rules),
        lambda: exact_values(Kalah(3, 3, rules), Kalah(3, 3).start()),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r" the rule \w+=\w+: [^\n]+$"):
            call()
    game = Kalah(3, 1, rules)
    assert exact_values(game, game.start()) == margins(game, game.start())


@pytest.mark.parametrize(
    ("name", "choice"),
    [("relay", "no"), ("skip_origin", 2), ("end", "any"), ("rest_to", None)],
)
def test_a_rule_has_one_of_the_values_of_its_type(name, choice):
    with pytest.raises(ValueError, match=f"^{name} is {choice!r}; use .* or .*$"):
        Rules(**{name: choice})


def test_kalah_does_not_play_by_rules_that_derive_from_its_own():
    with pytest.raises(ValueError, match="does not know the rules Lap"):
        Kalah(3, 2, Lap())


COURSE = """
from dataclasses import replace
from kalahlab.games.kalah import Kalah
from kalahlab.games.registry import GAMES

class LastTwo(Kalah):
    def moves(self, state):
        return Kalah.moves(self, state)[-2:]

GAME = replace(GAMES["kalah"], new=LastTwo)
NAMED = replace(GAME, name="lasttwo")
"""


@pytest.fixture
def course(tmp_path, monkeypatch):
    (tmp_path / "last_two.py").write_text(COURSE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("course")
@pytest.mark.parametrize("kind", ["GAME", "NAMED"])
@pytest.mark.parametrize("backend", ["engine", "textbook"])
def test_the_command_line_plays_by_a_derived_game_and_names_it(kind, backend, run):
    board = ["--pits", "3", "--stones", "3", "--game", f"last_two.{kind}", "--json"]
    game = LastTwo(3, 3)
    with_evaluator = ["--evaluator", "kalahlab.evaluators.kalah.store_difference"]
    status, out, _ = run("search", *board, *with_evaluator, "--depth", "4", "--backend", backend)
    answer = json.loads(out)
    expected = oracle(Task(game, game.start(), store_difference, Depth(4)), game.start())
    assert (status, answer["value"], answer["move"]) == (0, expected.value, expected.move + 1)
    assert (answer["game"], answer["rules"]) == ("LastTwo", None)
    status, out, err = run("perft", *board, "--depth", "5", "--backend", backend)
    if backend == "engine":
        assert status == 2
        assert re.search(r"does not know the game LastTwo; .*--backend textbook", err)
    else:
        assert (status, json.loads(out)["leaves"]) == (0, perft(game, game.start(), 5))
    player = f"alpha_beta:kalahlab.evaluators.kalah.store_difference:3@{backend}"
    status, out, _ = run("play", *board, "--south", player, "--north", "random:1")
    answer = json.loads(out)
    assert (status, answer["game"], answer["rules"]) == (0, "LastTwo", None)
    state = game.start()
    for move in map(int, answer["moves"]):
        state = game.play(state, move - 1)
    assert game.is_over(state)
    assert answer["margin"] == game.margin(state, SOUTH)


@pytest.mark.usefixtures("course")
def test_a_game_that_derives_from_kalah_is_not_saved_as_one(run, tmp_path):
    args = ["--game", "last_two.GAME", "--south", "random:1", "--north", "random:2"]
    status, _, err = run("play", *args, "--save", "game.txt")
    assert status
    assert "not of LastTwo" in err
    assert not (tmp_path / "game.txt").exists()
    status, _, err = run("play", *args[:2], "--south", "perfect", "--north", "random:2")
    assert status
    assert "perfect" in err


FIELD = """    relay: bool = False
    no_extra: bool = {default}
"""
PRESET = """PRESETS: dict[str, Rules] = {
    "mine": Rules(no_extra=True), "not": Rules(no_extra=False),
"""
PLAY = "player if rules.again_on_store and not rules.no_extra else 1 - player"
"""A field that is added to the rules, presets that have it, and its use by `play`."""

ADDED = """
import json
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile
import kalahlab
from kalahlab import engine, search
from kalahlab.players.search_spec import SearchSpec
from kalahlab.solver.endgame.database import build, open_database
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.solve import solve
from kalahlab.evaluators.kalah import store_difference
from kalahlab.experiments.settings import Setting, run_setting
from kalahlab.games.kalah import Kalah
from kalahlab.games.rules import PRESETS, Rules
from kalahlab.judging.puzzles import make_puzzles
from kalahlab.judging.regret import best_moves
from kalahlab.judging.review import review_game
from kalahlab.solver.move_values import exact_values, perfect_player, prove_bounds
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.games.game_log import make_move
from kalahlab.players.game_loop import play_game
from kalahlab.players.factories import random_player
from kalahlab.search import Depth
from kalahlab.search.perft import perft
from kalahlab.widgets.board import Board
from kalahlab.widgets.runtime import _pack_package
from strategies import RULES

@cache
def margin(game, state, player):
    if game.is_over(state):
        return game.margin(state, player)
    choose = max if state.player == player else min
    return choose(margin(game, game.play(state, move), player) for move in game.moves(state))

def margins(game, state):
    return {move: margin(game, game.play(state, move), state.player) for move in game.moves(state)}

outcomes, place = {}, kalahlab.__file__
folder = Path(folder)

def attempt(case, call, expect):
    try:
        result = call()
    except ValueError as error:
        outcomes[case] = str(error)
    else:
        expected = expect()
        outcomes[case] = "right" if result == expected else f"{result} for {expected}"

for name in ("mine", "not"):
    rules = PRESETS[name]
    small, middle, large = Kalah(2, 2, rules), Kalah(3, 2, rules), Kalah(3, 3, rules)
    near, start, far = small.start(), middle.start(), large.start()
    args = large, far, store_difference, Depth(5)
    for algorithm, textbook in search.ALGORITHMS.items():
        spec = SearchSpec(algorithm, "store_difference")
        expect = lambda: textbook(*args)
        attempt(f"{name} search {algorithm}", lambda: spec.search(large, far, 5), expect)
        if algorithm in engine.ALGORITHMS:
            twin = engine.ALGORITHMS[algorithm]
            attempt(f"{name} twin {algorithm}", lambda: twin(*args), expect)
    attempt(f"{name} perft", lambda: engine.perft(large, far, 5), lambda: perft(large, far, 5))
    values, best = margins(small, near), max(margins(middle, start).values())
    attempt(f"{name} exact", lambda: exact_values(small, near), lambda: values)
    perfect_value = lambda: values[perfect_player(small, near)]
    attempt(f"{name} perfect", perfect_value, lambda: max(values.values()))
    for function in (exact_values, perfect_player, prove_bounds):
        attempt(f"{name} {function.__name__}, far", lambda: function(large, far), lambda: "refused")
    attempt(f"{name} solve", lambda: solve(start, rules, folder=folder).value, lambda: best)
    attempt(f"{name} solve by name", lambda: solve(start, name, folder=folder).value, lambda: best)
    attempt(f"{name} build", lambda: build(3, 12, rules).probe(start), lambda: best)
    probe_file = lambda: open_database(3, 12, rules, folder=folder)
    attempt(f"{name} open", lambda: probe_file().probe(start), lambda: best)

    def solver_value():
        with open_solver(3, rules, folder=folder) as solver:
            return solver.value(start)

    attempt(f"{name} solver", solver_value, lambda: best)
    backends = "engine", "textbook"
    players = [f"alpha_beta:store_difference:4@{backend}" for backend in backends]
    rows = lambda player: play_pair(Pair(player, "random:1", far, large))["margin_1"]
    attempt(f"{name} match", lambda: rows(players[0]), lambda: rows(players[1]))
    settings = [Setting("alpha_beta", "e3", 2, name, backend=backend) for backend in backends]

    def cost(setting):
        row = run_setting(setting)
        return row["backend"], row["moves"], row["nodes"]

    attempt(f"{name} setting", lambda: cost(settings[0]), lambda: cost(settings[1]))
    attempt(f"{name} move", lambda: make_move(large, far, 0).captured, lambda: None)
    attempt(f"{name} board", lambda: Board(3, 3, rules), lambda: "refused")
    record = play_game(large, random_player(1), random_player(2)).record()
    attempt(f"{name} review", lambda: review_game(record, depth=4), lambda: "refused")
    attempt(f"{name} puzzles", lambda: make_puzzles(1, rules=name), lambda: "refused")
    moves = lambda: best_moves(large, far, store_difference, 4)
    attempt(f"{name} best moves", moves, lambda: "refused")
pack_page = lambda: ZipFile(BytesIO(_pack_package())).namelist()
attempt("page", lambda: [file for file in pack_page() if "data/endgame" in file], lambda: [])
is_drawn = {rules.no_extra for rules in RULES} == {False, True}
print(json.dumps([outcomes, place, is_drawn]))
"""


EACH = """
import sys
for folder in sys.argv[2:]:
    for name in [*sys.modules]:
        if name.partition(".")[0] in ("kalahlab", "strategies"):
            del sys.modules[name]
    sys.path.insert(0, folder)
    exec(sys.argv[1], {"folder": folder})
"""
"""Code that runs other code with each of several copies of the package."""


def add_field(folder, default):
    """Copy the package into a folder, and add a field to its rules."""
    ours = Path(kalahlab.__file__).parent
    shutil.copytree(ours, folder / "kalahlab", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "data").symlink_to(ours.parent / "data")
    games = folder / "kalahlab" / "games"
    for name, old, new in (
        ("rules.py", "    relay: bool = False\n", FIELD.format(default=default)),
        ("rules.py", "PRESETS: dict[str, Rules] = {", PRESET),
        ("kalah.py", "player if rules.again_on_store else 1 - player", PLAY),
    ):
        text = (games / name).read_text()
        assert text.count(old) == 1, old
        (games / name).write_text(text.replace(old, new))
    return str(folder)


def test_a_field_added_to_the_rules_is_ignored_nowhere(tmp_path_factory):
    """Compare each answer with the textbook's, or find the rule in the error.

    The field is off and then on by default. Property tests draw it.
    """
    folders = [add_field(tmp_path_factory.mktemp("field"), default) for default in (False, True)]
    tests = str(Path(__file__).parents[1])
    out = run_python(EACH, ADDED, *folders, PYTHONPATH=tests, PYTHONSAFEPATH="1")
    lines = out.splitlines()
    assert len(lines) == len(folders)
    for folder, line in zip(folders, lines, strict=True):
        outcomes, place, is_drawn = json.loads(line)
        assert place.startswith(folder)
        assert is_drawn
        for case, outcome in outcomes.items():
            assert outcome == "right" or "no_extra" in outcome, case
            assert re.match(r"[^\n]{1,200}$", outcome), case
            if re.match(r"\w+ (search|match|setting|exact$)", case):
                assert outcome == "right", f"{case}: the textbook plays by any rules"
