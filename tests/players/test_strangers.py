"""What programs and users' code may do that is no loss of the others: each was a fault once."""

import json
import shlex
import sys

import pytest

from kalahlab.games.game_text import parse_game
from kalahlab.games.kalah import Kalah, State, side, stores
from kalahlab.games.pie import SWAP, PieKalah
from kalahlab.kgp.agent import Agent
from kalahlab.kgp.connection import Connection
from kalahlab.kgp.protocol import Command
from kalahlab.matches.game_files import format_games
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.players.history import find_moves
from kalahlab.players.model import Fault, closing_players
from kalahlab.players.parse import import_player_parts, make_player, parse_player
from kalahlab.players.programs.dialects import DIALECTS, Homework, Talk
from kalahlab.players.programs.process import LONGEST_LINE, Program
from kalahlab.players.remote_player import RemotePlayer
from kalahlab.players.user_player import HostedPlayer, UserPlayer, describe_crash


def test_a_long_turn_of_the_opponent_is_found_on_a_large_board():
    game = Kalah(8, 8)
    before = State((0, 0, 0, 19, 4, 0, 0, 3, 22, 0, 0, 0, 5, 19, 16, 1, 16, 23), 1)
    turn = (3, 6, 7, 7, 4, 5, 0)
    after = before
    for move in turn:
        assert after.player == 1
        after = game.play(after, move)
    assert find_moves(game, before, after) is None  # among the moves of both players
    assert find_moves(game, before, after, mover=1) == turn
    assert tuple(move for _, move, _ in Talk(game, before, after).find_news()) == turn


def homework_answer(state):
    north, south = side(state.board, 1)[::-1], side(state.board, 0)
    south_store, north_store = stores(state.board)
    rows = (north, south, [north_store], [south_store])
    return "".join(f"{' '.join(map(str, row))}\n" for row in rows)


def test_the_homework_makes_no_moves_for_its_opponent():
    game = Kalah(3, 2)
    start = game.start()
    own = game.play(start, 0)
    both = game.play(own, 1)
    assert (own.player, both.player) == (1, 1)  # North has another move
    talk = Talk(game, start, start)
    assert Homework().parse(homework_answer(own), talk) == (0,)
    with pytest.raises(Fault, match="illegal: it writes a state that no turn leads to"):
        Homework().parse(homework_answer(both), talk)


OPENING = "<3,0,0,2,2,2,2,2,2>"
LONG = 60.0  # seconds that no slow machine exceeds


@pytest.fixture
def start_program():
    """Return a function that starts a program of Python code, which is killed after the test."""
    programs = []

    def start(code):
        programs.append(Program([sys.executable, "-S", "-E", "-c", code]))
        return programs[-1]

    yield start
    for program in programs:
        program.kill()


def test_what_the_homework_prints_is_no_answer(start_program):
    program = start_program("for _ in range(20): print('x' * 20_000)")
    program.wait(program.start_deadline(LONG))


def test_a_signal_without_a_name_is_told(start_program):
    # On Linux it is one of those that have no name in Python's `signal.Signals`.
    program = start_program(
        "import os; os.kill(os.getpid(), 40 if os.uname()[0] == 'Linux' else 9)"
    )
    with pytest.raises(Fault, match=r"crashed: it is ended by signal \d+ \(.+\)"):
        program.read_line(program.start_deadline(LONG))


@pytest.mark.parametrize("name", ["buet", "json", "kgpc", "nmsu"])
def test_a_number_before_the_first_pit_exchanges_no_sides(name):
    game = PieKalah(Kalah(3, 2))
    start = game.start()
    state = game.play(start, 2)
    assert SWAP in game.moves(state)
    first = {"buet": 1, "json": 1, "kgpc": 0, "nmsu": 4}[name]
    dialect, talk = DIALECTS[name](), Talk(game, start, state)
    answer = '{"move": %d}' if name == "json" else "%d"
    assert dialect.parse(answer % first, talk) == (0,)
    with pytest.raises(Fault, match="illegal: it answers"):
        dialect.parse(answer % (first - 1), talk)


def test_a_program_at_a_port_has_all_of_its_time():
    for own, common in (("", 2.5), (":1500ms", 2.5), ("", 60.0)):
        text = f"kgp:localhost:2671{own}"
        import_player_parts(text)
        player = make_player(text, seconds=common)
        assert isinstance(player, RemotePlayer)  # another player would be late at its last moment
        assert player.seconds == min(common, 1.5 if own else 5.0)


class Received:
    """A connection on which some commands have arrived."""

    def __init__(self, *commands):
        self.commands = [*commands]
        self.next_id = 2

    def send(self, name, *args, ref=None):
        self.next_id += 2
        return self.next_id

    def receive(self, deadline):
        return self.commands.pop(0) if self.commands else None


def test_a_move_in_the_protocol_is_a_whole_number():
    game = Kalah(3, 2)
    commands = (Command("move", (3.0,)), Command("yield"))
    reply = Agent(Received(*commands)).ask_move(game, game.start(), LONG)
    assert reply.problem == "Illegal move '3.0'; use one of 1, 2, 3"


class BusySocket:
    """A socket that another thread makes non-blocking while this one begins to wait."""

    def __init__(self):
        self.answers = [BlockingIOError(), b"ok\r\n"]

    def setsockopt(self, *option): ...

    def settimeout(self, seconds): ...

    def recv(self, size):
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_a_send_of_another_thread_loses_no_connection():
    assert Connection(BusySocket(), 2).receive() == Command("ok")


BUET = """
import sys
for line in sys.stdin:
    board = [int(word) for word in line.split()]
    half = len(board) // 2
    own = board if sys.argv[1] == "1" else board[half:]
    print(next(pit + 1 for pit in range(half - 1) if own[pit]), flush=True)
"""


def first_pit(game, state):
    return game.moves(state)[0]


def test_a_program_that_runs_may_play_another_pair():
    command = shlex.join([sys.executable, "-S", "-E", "-c", BUET])
    player = parse_player(f"exec:buet:60000ms:{command}")
    results = ["moves_1", "moves_2", "margin_1", "margin_2", "reason_1", "reason_2"]
    with closing_players([player]):
        for _ in range(2):
            row = play_pair(Pair(player, first_pit, OPENING))
            same = play_pair(Pair(first_pit, first_pit, OPENING))
            assert [row[name] for name in results] == [same[name] for name in results]


def shout(game, state):
    raise ValueError("no\n1. 1 2 3\n\x1b[31m")


def test_a_message_of_a_program_is_one_line_in_the_text_of_a_game():
    row = play_pair(Pair(UserPlayer(shout), first_pit, OPENING))
    for _, text in format_games([row | {"one": "shout", "other": "first_pit"}]):
        assert r"raises ValueError: no\n1. 1 2 3\n\x1b[31m" in text
        assert len(parse_game(text).moves) < 2


class Unready:
    """A player that fails at the beginning of its second game."""

    games = 0

    def new_game(self, game, state):
        self.games += 1
        if self.games == 2:
            raise KeyError("opening")

    def choose(self, game, state, limit):
        return game.moves(state)[0]


@pytest.mark.parametrize("is_one", [True, False])
def test_an_error_at_the_beginning_of_a_game_loses_it(is_one):
    players = (UserPlayer(Unready()), first_pit)
    row = play_pair(Pair(*(players if is_one else players[::-1]), OPENING))
    assert (row["faulty_1"], row["faulty_2"]) == (None, "one" if is_one else "other")
    assert row["reason_2"].startswith("crashed: it raises KeyError: 'opening'")


class Refusing:
    """A player that raises its error when a game begins."""

    def __init__(self, error):
        self.error = error

    def new_game(self, game, state):
        raise self.error

    def choose(self, game, state, limit):
        raise AssertionError

    def close(self):
        raise self.error


@pytest.mark.parametrize("is_one", [True, False])
def test_a_fault_at_the_beginning_of_a_game_is_that_of_the_player(is_one):
    players = (Refusing(Fault("crashed", "is not there")), first_pit)
    row = play_pair(Pair(*(players if is_one else players[::-1]), OPENING))
    assert row["faulty_1"] == row["faulty_2"] == ("one" if is_one else "other")


@pytest.mark.parametrize("error", [KeyError("oops"), SystemExit(3)])
def test_an_error_in_close_changes_nothing(error):
    UserPlayer(Refusing(error)).close()


@pytest.mark.parametrize("kind", ["slow", ["late"], None])
def test_a_host_that_tells_an_unknown_fault_is_unreadable(kind):
    answer = json.dumps({"kind": kind, "reason": "rests"})
    with pytest.raises(Fault) as caught:
        HostedPlayer._read_answer(Kalah(3, 2), Kalah(3, 2).start(), answer)
    assert caught.value.kind == "unreadable"


def test_a_long_message_of_an_error_fits_into_a_line():
    reason = describe_crash(ValueError("x" * 20_000))
    assert reason.startswith("raises ValueError: xxx")
    assert len(reason) < LONGEST_LINE / 2
