"""The commands of the Kalah Game Protocol, each with the other in another process."""

import json
import re
import signal
import socket
import subprocess
import sys
import threading

import pytest

from kalahlab.games.game_text import parse_game
from kalahlab.kgp.connection import listen

COMMAND = (sys.executable, "-m", "kalahlab", "kgp")


class Server:
    """A server in a process, and the lines that it writes.

    Attributes:
        folder: Its working folder; in `kgp-games`, two games of an earlier run are kept.
    """

    def __init__(self, folder):
        self.folder = folder
        self.games = folder / "kgp-games"
        self.games.mkdir()
        for number in KEPT:
            (self.games / f"game-000{number}.txt").write_text("mine")
        words = "serve --player random:1 --size 3,2 --size 3,3 --port 0 --proofs 0"
        self.process = subprocess.Popen(
            [*COMMAND, *words.split(), "--backend", "textbook"],
            cwd=folder,
            stderr=subprocess.PIPE,
            text=True,
        )
        line = self.process.stderr.readline()
        self.address = re.fullmatch(r"waiting for programs at (.*); Ctrl-C stops\n", line)[1]

    def read_until(self, *words):
        """Return the lines up to one with these words."""
        lines = []
        while not lines or not all(word in lines[-1] for word in words):
            line = self.process.stderr.readline()
            assert line, lines
            lines.append(line)
        return "".join(lines)


KEPT = (1, 3)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.process.send_signal(signal.SIGINT)
    lines = server.process.communicate()[1].splitlines()
    assert (server.process.returncode, lines[-1]) == (130, "kalahlab: interrupted")


def test_a_player_plays_against_a_server_and_learns_what_its_moves_cost(run, server):
    words = ("--player", "alpha_beta:e3:1", "--backend", "textbook", "--name", "me")
    status, out, err = run("kgp", "connect", server.address, *words, "--json")
    assert status == 0, err
    settings = [(line["option"], line["value"]) for line in json.loads(out)["set"]]
    results = [value for option, value in settings if option == "kalahlab:result"]
    places = [f"{side} on (3,{stones})" for stones in (2, 3) for side in ("South", "North")]
    assert [result.split(":")[0] for result in results[:-1]] == places
    assert re.fullmatch(r"\d of 8 points", results[-1])
    assert f"result: {results[0]}\n" in err
    assert "id: " not in err
    assert f"me (1): game 1 of 4, {results[0]}\n" in server.read_until("me (1)", "left")
    pages = [value for option, value in settings if option == "game:uri"]
    assert [page.rpartition("/")[2] for page in pages] == [
        f"game-000{number}.html" for number in (2, 4, 5, 6)
    ]
    for index, page in enumerate(pages):
        text = (server.games / page.rpartition("/")[2]).with_suffix(".txt")
        assert page == text.with_suffix(".html").as_uri()
        assert text.with_suffix(".html").read_text().startswith("<!doctype html>")
        record = parse_game(text.read_text())
        side = index % 2
        assert record.players[side] == "me"
        # The regrets that were told are those of the review.
        words = ("--seconds", "0", "--depth", "8", "--json")
        review = json.loads(run("review", str(text), *words)[1])
        own = ("south", "north")[side]
        costs = [f"{m['number']}:{m['regret']:g}" for m in review["moves"] if m["mover"] == own]
        assert costs
        assert ("kalahlab:review", f"regret of each of your moves: {' '.join(costs)}") in settings
    untouched = {path.name for path in server.games.glob("*.txt") if path.read_text() == "mine"}
    assert untouched == {f"game-000{number}.txt" for number in KEPT}


def test_a_program_that_crashes_leaves_its_moves_to_the_server(run, server):
    words = ("--player", f"exec:{sys.executable} -c 'exit(3)'", "--name", "crash")
    status, out, err = run("kgp", "connect", server.address, *words)
    assert status == 0
    assert "crashed: it ends with status 3, in <3,0,0,2,2,2,2,2,2> (South to move); the" in err
    assert "Answers: 0" in out
    lines = server.read_until("crash", "left")
    assert "only yield in <3,0,0,2,2,2,2,2,2>: the random move" in lines


def test_the_other_modes(run, server):
    status, out, err = run("kgp", "connect", server.address, "--verify")
    assert (status, "20 of 20 problems solved" in err) == (0, True)
    assert "Answers: 20" in out
    words = ("--evaluator", "store_difference")
    status, out, err = run("kgp", "connect", server.address, *words)
    assert (status, "20 of 20 positions evaluated" in err) == (0, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("connect", "localhost"), "give one of --player, --evaluator and --verify"),
        (("connect", "localhost", "--verify", "--player", "random"), "give one of --player"),
        (("connect", "a:b", "--verify"), "use HOST or HOST:PORT"),
        (("connect", "localhost", "--player", "level99"), "is not one of"),
        (("serve", "--size", "6"), "is not PITS,STONES, such as 6,6"),
        (("serve", "--size", "6,0"), "has no stones to play with"),
        (("serve", "--size", "500,6"), "500 pits a side are too many"),
        (("serve", "--player", "level99"), "is not one of"),
        (("serve", "--seconds", "0"), "use 0.01 or more"),
        (("serve", "--port", "70000"), "use 65535 or less"),
    ],
)
def test_wrong_calls_are_one_line(run, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run("kgp", *words)
    assert (status, out) == (2, "")
    assert message in err


def test_a_taken_port_and_a_server_that_is_not_there_are_one_line(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    listener = listen("localhost", 0)
    port = listener.getsockname()[1]
    status, _, err = run("kgp", "serve", "--port", str(port), "--player", "random:1")
    assert (status, f"cannot listen at localhost:{port}" in err) == (2, True)
    listener.close()
    status, _, err = run("kgp", "connect", f"localhost:{port}", "--verify")
    assert (status, f"there is no server at localhost:{port}" in err) == (2, True)


def test_a_server_that_leaves_without_goodbye_is_an_error(run):
    with listen("localhost", 0) as listener:

        def leave():
            sock, _ = listener.accept()
            sock.sendall(b"kgp 1 0 1\r\n")
            sock.shutdown(socket.SHUT_WR)
            sock.recv(1 << 16)
            sock.close()

        threading.Thread(target=leave, daemon=True).start()
        status, _, err = run("kgp", "connect", f"localhost:{listener.getsockname()[1]}", "--verify")
    assert status == 1
    assert "the other side closed the connection" in err or "the connection is lost" in err


@pytest.mark.parametrize(
    "words",
    [("match", "random:1"), ("tournament", "random:1"), ("tournament", "class", "--out", "cup")],
)
def test_several_processes_cannot_wait_at_one_address(run, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    command, *others = words
    status, _, err = run(command, "kgp:localhost:0", *others, "--workers", "2")
    assert status == 2
    assert "player 'kgp:localhost:0' waits at one address" in err
    assert "use --workers 1" in err
