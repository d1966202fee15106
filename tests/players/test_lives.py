"""A player's life: it is told of each game, and whoever made it closes it."""

import pytest

from kalahlab.games.kalah import Kalah
from kalahlab.judging.regret import judge_player
from kalahlab.judging.solved_positions import load_positions
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.names import IMPORTED
from kalahlab.players.game_loop import legal_move, play_game
from kalahlab.players.model import Player, as_player
from kalahlab.players.parse import make_player
from kalahlab.search.limits import Playouts, Seconds

GAME = Kalah(3, 2)
EVENTS: list[str] = []


class Bot:
    """A user's class that writes down what it is asked; on request it fails in its second move."""

    fails = False

    def choose(self, game, state, limit):
        EVENTS.append(f"choose {limit}")
        if self.fails and EVENTS.count(f"choose {limit}") > 1:
            raise KeyError("oops")
        return game.moves(state)[0]

    def new_game(self, game, state):
        EVENTS.append("new_game")

    def close(self):
        EVENTS.append("close")


class Failing(Bot):
    fails = True


class Simple:
    """A user's class with nothing but `choose`."""

    def choose(self, game, state, limit):
        return game.moves(state)[-1]


def first(game, state):
    return game.moves(state)[0]


@pytest.fixture(autouse=True)
def user_classes(monkeypatch):
    EVENTS.clear()
    for kind in (Bot, Failing):
        monkeypatch.setitem(IMPORTED, ("algorithm", f"own.{kind.__name__}"), kind)


def without_moves():
    return [event for event in EVENTS if not event.startswith("choose")]


def test_functions_and_objects_are_players_by_an_adapter():
    start = GAME.start()
    for source, expected in ((first, 0), (Simple(), 2), (Bot(), 0)):
        player = as_player(source)
        assert isinstance(player, Player)
        assert as_player(player) is player
        player.new_game(GAME, start)
        assert player.choose(GAME, start, None) == legal_move(source, GAME, start) == expected
        player.close()
    assert as_player(make_player("own.Bot:80p")).choose(GAME, start, Seconds(1)) == 0
    assert EVENTS[-1] == f"choose {Seconds(1)}"
    assert make_player("own.Bot:80p")(GAME, start) == 0
    assert EVENTS[-1] == f"choose {Playouts(80)}"


def test_a_player_is_told_of_each_game_and_closed_by_who_made_it(run):
    play_pair(Pair("own.Bot:80p", "random:1", GAME.start(), GAME))
    assert without_moves() == ["new_game", "close"] * 2
    EVENTS.clear()
    bot = Bot()
    play_pair(Pair(bot, "random:1", GAME.start(), GAME))
    play_game(GAME, bot, bot)
    assert without_moves() == ["new_game"] * 3
    EVENTS.clear()
    judge_player(bot, [*load_positions()][:2])
    assert without_moves() == ["new_game"] * 2
    EVENTS.clear()
    run(
        "play",
        "--south",
        f"{__name__}.Bot:80p",
        "--north",
        "random:1",
        "--pits",
        "3",
        "--stones",
        "2",
    )
    assert without_moves() == ["new_game", "close"]


def test_a_player_is_closed_after_an_error(run):
    row = play_pair(Pair("random:1", "own.Failing:80p", GAME.start(), GAME))
    assert row["faulty_1"] == row["faulty_2"] == "other"
    assert without_moves() == ["new_game", "close"] * 2
    EVENTS.clear()
    status, _, err = run("judge", f"{__name__}.Failing:80p", "--board", "6,4")
    assert status == 1
    assert "oops" in err
    assert without_moves() == ["new_game", "new_game", "close"]
