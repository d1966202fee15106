"""A player's life: it is told of each game, and whoever made it closes it."""

import pytest

from kalahlab.games.kalah import Kalah
from kalahlab.judging.regret import MOST_FAULTS, judge_player
from kalahlab.judging.solved_positions import load_positions
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.names import IMPORTED, import_named
from kalahlab.players.factories import random_player
from kalahlab.players.game_loop import legal_move, play_game
from kalahlab.players.model import Fault, Player, as_player, closing_players
from kalahlab.players.parse import make_player, parse_player
from kalahlab.players.user_player import UserPlayer
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
    assert status == 2
    assert "oops" in err
    assert without_moves() == ["new_game"] * (1 + MOST_FAULTS) + ["close"]


USER_CODE = """
class Bot:
    def new_game(self, game, state):
        self.moves = 0

    def choose(self, game, state, limit):
        print("thinking")  # no answer
        self.moves += 1
        assert limit.s < 60
        return game.moves(state)[self.moves % len(game.moves(state))]


def second(game, state):
    return game.moves(state)[-1]


def endless(game, state):
    while True:
        pass


def fails_sometimes(game, state):
    if not state.board[0]:
        raise KeyError("empty")
    return game.moves(state)[0]
"""


@pytest.fixture
def user_folder(tmp_path, monkeypatch):
    (tmp_path / "lives.py").write_text(USER_CODE)
    (tmp_path / "broken.py").write_text("def f(game, state): return 0\nif __name__ != 'x': 1 / 0\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_user_code_with_a_time_limit_plays_the_same_in_a_process_of_its_own(user_folder):
    with closing_players([parse_player("lives.second:60000ms")]) as [player]:
        log = play_game(GAME, player, random_player(1))
        assert log == play_game(GAME, lambda game, state: game.moves(state)[-1], random_player(1))
    with closing_players([parse_player("lives.Bot:60000ms")]) as [player]:
        logs = [play_game(GAME, player, random_player(1)) for _ in range(2)]
    assert logs[0] == logs[1], "it is told of the second game"
    assert {move.pit for move in logs[0].moves if move.mover == 0} != {2}


def test_endless_user_code_is_late(user_folder):
    with closing_players([parse_player("lives.endless:100ms")]) as [player]:
        with pytest.raises(Fault, match="does not answer within 100 ms") as caught:
            play_game(GAME, player, random_player(1))
        assert (caught.value.kind, caught.value.player) == ("late", 0)
        assert caught.value.position == "<3,0,0,2,2,2,2,2,2> (South to move)"


def test_where_a_player_makes_a_fault_its_worst_move_is_judged(user_folder, run):
    positions = [position for position in load_positions() if position.start == (6, 4)][:40]
    player = UserPlayer(parse_player("lives.fails_sometimes"))
    judged = judge_player(player, positions)
    is_empty = [not position.state.board[0] for position in positions]
    assert [*judged["fault"].notna()] == is_empty
    assert [*(judged["pit"] == 0)] == is_empty
    assert 0 < sum(is_empty) < 40
    for position, row in zip(positions, judged.to_dict("records"), strict=True):
        values = [value for value in position.moves if value is not None]
        if row["pit"] == 0:
            assert row["regret"] == max(values) - min(values)
            assert row["fault"].startswith("crashed: it raises KeyError: 'empty' (")
        else:
            assert row["regret"] == position.regret(row["pit"] - 1)
    assert "fault" not in judge_player(first, positions)


def test_a_player_that_fails_in_each_position_is_not_asked_for_ever(user_folder, run, monkeypatch):
    most = 3  # each fault ends a process
    monkeypatch.setattr("kalahlab.judging.regret.MOST_FAULTS", most)
    status, out, err = run("judge", "lives.endless:50ms", "--board", "6,4")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"lives.endless:50ms made no move in {most} positions: late: it does not" in err


def test_code_that_cannot_be_imported_is_refused(user_folder):
    with pytest.raises(ValueError, match=r"'broken.f' cannot be imported: .*ZeroDivisionError"):
        parse_player("broken.f:100ms")
    import_named("player", "lives.second")
    with pytest.raises(ValueError, match=r"is not lives.second:1000ms"):
        make_player("lives.second:80p")
