"""Searches that grow a tree as players, users' classes, and `perfect`."""

import pytest
from conftest import Ticking

from kalahlab.games.kalah import Kalah, State
from kalahlab.names import IMPORTED
from kalahlab.players.factories import TimeLimitedPlayer, choosing_player, keep_reserve
from kalahlab.players.game_loop import play_game
from kalahlab.players.growth_spec import GrowthSpec
from kalahlab.players.parse import make_player, parse_player
from kalahlab.search.growing import GROWING, PLAYOUTS, UCT
from kalahlab.search.limits import Nodes, Playouts, Seconds
from kalahlab.solver.move_values import exact_values

GAME = Kalah(4, 3)
START = GAME.start()


class MyUCT(UCT):
    """A user's policy: its search and UCT with a large `c` are the same."""

    def __init__(self, evaluator, weight=30.0):
        super().__init__(evaluator, c=weight)


class LastPit:
    """A plain class of a user, which is told how long it may think."""

    def choose(self, game, state, limit):
        assert limit == Playouts(80)
        return game.moves(state)[-1]


class Slow:
    """A class of a user that uses all of the time that it is told, on a clock that it moves."""

    now = 0.0

    def choose(self, game, state, limit):
        Slow.now += limit.s
        return game.moves(state)[0]


@pytest.fixture(autouse=True)
def user_classes(monkeypatch):
    monkeypatch.setitem(IMPORTED, ("algorithm", "own.MyUCT"), MyUCT)
    for kind in ("algorithm", "player"):
        monkeypatch.setitem(IMPORTED, (kind, "own.LastPit"), LastPit)


TEXTS = {
    "uct:random:50p": ("uct", "random", Playouts(50), {}),
    "uct:extra-turn:50p:c=3:seed=9": ("uct", "extra_turn", Playouts(50), {"c": 3.0, "seed": 9}),
    "puct:random:50p:temperature=1": ("puct", "random", Playouts(50), {"temperature": 1.0}),
    "implicit-minimax:random:40p:alpha=.9": (
        "implicit_minimax", "random", Playouts(40), {"alpha": 0.9},
    ),
    "mcts_solver:random:60p": ("mcts_solver", "random", Playouts(60), {}),
}  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_a_player_makes_the_move_of_its_search(text):
    name, leaf, limit, options = TEXTS[text]
    expected = GROWING[name](GAME, START, PLAYOUTS[leaf], limit, **options).move
    assert parse_player(text)(GAME, START) == expected


def test_evaluators_value_leaves_and_options_too():
    from kalahlab.evaluators.kalah import e1, e3

    expected = GROWING["puct"](GAME, START, e3, Playouts(70), prior=e1).move
    assert parse_player("puct:e3:70p:prior=e1")(GAME, START) == expected
    expected = GROWING["best_first"](GAME, START, e3, Nodes(70)).move
    assert parse_player("best_first:e3:70n")(GAME, START) == expected


def test_a_users_policy_is_a_player_and_a_search_by_the_same_text():
    expected = GROWING["uct"](GAME, START, PLAYOUTS["random"], Playouts(80), c=30.0)
    assert parse_player(f"{__name__}.MyUCT:random:80p")(GAME, START) == expected.move
    spec = GrowthSpec.parse("own.MyUCT", "random", ["weight=30"])
    result = spec.search(GAME, START, Playouts(80))
    assert (result.value, result.line) == (expected.value, expected.line)


def test_a_plain_class_with_choose_is_a_player():
    player = parse_player(f"{__name__}.LastPit:80p")
    assert player(GAME, START) == 3
    assert play_game(GAME, player, parse_player("random:1")).moves[0].pit == 3


def test_a_search_that_grows_a_tree_leaves_a_rest_of_its_time():
    clock = Ticking(0.01)
    late = []
    player = make_player("uct:random:1000ms", clock=clock, on_late=late.append)
    assert player(GAME, START) in GAME.moves(START)
    assert late == []


@pytest.mark.parametrize("milliseconds", [1, 10, 50, 100, 5000])
def test_a_class_that_uses_all_of_its_limit_is_not_late(milliseconds):
    late = []
    limit = Seconds(milliseconds / 1000)
    player = choosing_player("own.Slow", Slow, limit)
    player = TimeLimitedPlayer(player, limit.s, lambda: Slow.now, late.append)
    Slow.now = 0.0
    player(GAME, START)
    assert 0.5 * milliseconds <= 1000 * Slow.now < 0.91 * milliseconds
    assert late == []


@pytest.mark.parametrize(("limit", "share"), [(0.01, 0.5), (0.05, 0.8), (0.1, 0.9), (5, 0.9)])
def test_the_reserve_is_a_tenth_of_the_time_but_10_milliseconds_or_half(limit, share):
    assert keep_reserve(Seconds(limit)).s == pytest.approx(share * limit)


REFUSED = {
    "uct:random:6": "uct cannot keep the limit 6; it takes playouts or seconds",
    "uct:random:50n": "uct cannot keep the limit 50n; it takes playouts or seconds",
    "best_first:e3:50p": "best_first cannot keep the limit 50p; it takes nodes or seconds",
    "best_first:random:50n": "best_first values a leaf by an evaluator, not by a playout; use e3",
    "alpha_beta:e3:50p": "algorithm alpha_beta cannot keep the limit 50p; it takes a depth,",
    "proof_number:e3:50n": "proof_number answers a question and makes no moves; use mcts_solver",
    "uct:random": "player 'uct:random' is not ALGORITHM:LEAF:LIMIT, such as uct:random:800p",
    "uct:random:50p:d=3": "unknown option 'd=3'; write NAME=VALUE with one of c, seed",
    "uct:random:50p:c=x": "c 'x' is not a number",
    "uct:e9:50p": "unknown leaf 'e9'; use a playout or an evaluator: random, extra_turn, store_d",
    "own.LastPit": "player own.LastPit has no LIMIT, such as own.LastPit:800p",
    "own.LastPit:80p:3": (
        "player 'own.LastPit:80p:3' is not own.LastPit:LIMIT; a class with choose takes no options"
    ),
    "perfect:1": "player 'perfect:1' is not perfect; it has no further parts",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_a_player_cannot_do_is_refused_in_one_line(text):
    with pytest.raises(ValueError, match=r".+") as error:
        make_player(text)
    assert f"{error.value}".startswith(REFUSED[text])
    assert "\n" not in f"{error.value}"


def test_perfect_plays_a_perfect_move_or_says_why_not():
    game = Kalah(3, 2)
    values = exact_values(game, game.start())
    assert values[parse_player("perfect")(game, game.start())] == max(values.values())
    big = Kalah(6, 40)
    with pytest.raises(ValueError, match=r"\S") as error:
        parse_player("perfect")(big, State(big.start().board, 0))
    assert "\n" not in f"{error.value}"


def test_commands_take_these_players(run):
    for players in (("uct:random:8p", f"{__name__}.LastPit:80p"), ("perfect", "random:1")):
        south, north = players
        words = ("--pits", "3", "--stones", "2", "--json")
        status, _, err = run("play", "--south", south, "--north", north, *words)
        assert (status, err) == (0, "")
    status, out, _ = run("match", "uct:random:2p", "random:1", "--openings", "1", "--json")
    assert status == 0
    assert '"uct:random:2p"' in out
