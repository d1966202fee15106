"""Programs that connect as players, by the Kalah Game Protocol."""

import threading

import pytest

from kalahlab.games.kalah import Kalah
from kalahlab.kgp.client import Freeplay, take_part
from kalahlab.kgp.connection import Connection, connect, listen
from kalahlab.kgp.protocol import FIRST_CLIENT_ID
from kalahlab.notes import Note
from kalahlab.players import play_game
from kalahlab.players.model import Fault, as_player
from kalahlab.players.parse import make_player, parse_player
from kalahlab.players.remote_player import Port, RemotePlayer

GAME = Kalah(3, 2, "kgp")
GENEROUS = 300.0  # seconds: no test waits for them


def last(game, state):
    return game.moves(state)[-1]


def first(game, state):
    return game.moves(state)[0]


@pytest.fixture
def remote():
    port = Port("localhost", 0, GENEROUS)
    yield RemotePlayer(port, GENEROUS)
    port.close()


def address_of(player):
    return player._port.listen().getsockname()[:2]


class Guest:
    """A program that plays for a remote player, in a thread."""

    def __init__(self, remote, choose):
        self.address = address_of(remote)
        self.work = Freeplay(as_player(choose), print, hold_seconds=0)
        self.thread = threading.Thread(target=self.visit, daemon=True)
        self.thread.start()

    def visit(self):
        connection = Connection(connect(*self.address), FIRST_CLIENT_ID)
        take_part(connection, self.work, {}, lambda *pair: None)


@pytest.mark.filterwarnings("ignore::kalahlab.notes.Note")
def test_a_program_plays_both_sides_as_the_function_in_it(remote):
    guest = Guest(remote, last)
    for players in ((remote, first), (first, remote)):
        functions = [last if player is remote else player for player in players]
        assert play_game(GAME, *players).choices == play_game(GAME, *functions).choices
    remote.close()
    assert guest.thread.is_alive()  # it stays for another player
    remote._port.close()
    guest.thread.join(GENEROUS)
    assert not guest.thread.is_alive()


@pytest.mark.filterwarnings("ignore::kalahlab.notes.Note")
def test_a_program_that_leaves_is_a_fault_and_the_next_game_has_another_one(remote):
    address = address_of(remote)
    sock = []

    def visit():
        sock.append(connect(*address))
        sock[0].sendall(b"mode freeplay\r\ngoodbye\r\n")

    threading.Thread(target=visit, daemon=True).start()
    remote.new_game(GAME, GAME.start())
    with pytest.raises(Fault, match="crashed: it has left: said goodbye"):
        remote.choose(GAME, GAME.start())
    Guest(remote, last)
    remote.new_game(GAME, GAME.start())
    assert remote.choose(GAME, GAME.start()) == 2
    sock[0].close()


@pytest.mark.filterwarnings("ignore::kalahlab.notes.Note")
@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("move 7", "illegal: it is told: Illegal move '7'; use one of 1, 2, 3"),
        ("yield", "unreadable: it says yield without a move"),
    ],
)
def test_wrong_answers_are_faults(remote, answer, fault):
    address = address_of(remote)

    def visit():
        with connect(*address) as sock:
            sock.sendall(f"mode freeplay\r\n{answer}\r\nyield\r\n".encode())
            while sock.recv(1 << 16):
                pass

    threading.Thread(target=visit, daemon=True).start()
    remote.new_game(GAME, GAME.start())
    with pytest.raises(Fault) as error:
        remote.choose(GAME, GAME.start())
    assert str(error.value) == fault


@pytest.mark.filterwarnings("ignore::kalahlab.notes.Note")
def test_no_move_in_time_is_a_fault():
    player = RemotePlayer(Port("localhost", 0, GENEROUS), seconds=0)
    thinks = threading.Event()
    Guest(player, lambda game, state: thinks.wait(GENEROUS) and 0)
    player.new_game(GAME, GAME.start())
    with pytest.raises(Fault, match="late: it makes no move in 0 s"):
        player.choose(GAME, GAME.start())
    thinks.set()
    player._port.close()


def test_nobody_connects():
    player = RemotePlayer(Port("localhost", 0, wait_seconds=0))
    with (
        pytest.warns(Note, match="waiting for a program at localhost:"),
        pytest.raises(ValueError, match="no program has connected to localhost:"),
    ):
        player.new_game(GAME, GAME.start())
    player._port.close()
    with pytest.raises(ValueError, match="programs play Kalah, not Sub"):
        player.new_game(type("Sub", (Kalah,), {})(), GAME.start())


def test_texts():
    player = parse_player("kgp:localhost:2671:1500ms")
    assert isinstance(player, RemotePlayer)
    assert player._port is parse_player("kgp:localhost:2671")._port
    for text in ("kgp:localhost", "kgp:", "kgp:localhost:2671:6", "kgp:localhost:99999"):
        with pytest.raises(ValueError, match=r"is not kgp:HOST:PORT|cannot be read"):
            parse_player(text)
    with pytest.raises(ValueError, match="opens a port; only parse_player makes it"):
        make_player("kgp:localhost:2")
    with listen("localhost", 0) as taken:
        busy = parse_player(f"kgp:localhost:{taken.getsockname()[1]}")
        with pytest.raises(ValueError, match="cannot listen at localhost"):
            busy.new_game(GAME, GAME.start())
