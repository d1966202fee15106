"""The commands of the Kalah Game Protocol, each with the other in another process."""

import json
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest

from kalahlab.games.game_text import parse_game
from kalahlab.kgp.connection import listen

COMMAND = (sys.executable, "-m", "kalahlab", "kgp")


@contextmanager
def serving(folder, *words):
    """Run a server and yield its port; then stop it by Ctrl-C, and check how it ends."""
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", "--proofs", "0", "--backend", "textbook", *words],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    )
    lines = []
    try:
        lines.append(process.stderr.readline())
        yield int(re.search(r"at localhost:(\d+); Ctrl-C stops$", lines[0])[1]), lines
    finally:
        process.send_signal(signal.SIGINT)
        lines += process.communicate()[1].splitlines()
    assert process.returncode == 130
    assert lines[-1] == "kalahlab: interrupted"


def test_a_player_plays_against_a_server_and_learns_what_its_moves_cost(run, tmp_path):
    words = ("--player", "alpha_beta:e3:1", "--backend", "textbook", "--name", "me")
    with serving(tmp_path, "--player", "random:1", "--size", "3,2", "--size", "3,3") as server:
        port, lines = server
        status, out, err = run("kgp", "connect", f"localhost:{port}", *words, "--json")
    assert status == 0, err
    told = [(line["option"], line["value"]) for line in json.loads(out)["set"]]
    results = [value for option, value in told if option == "kalahlab:result"]
    assert [result.split(":")[0] for result in results[:-1]] == [
        "South on (3,2)",
        "North on (3,2)",
        "South on (3,3)",
        "North on (3,3)",
    ]
    assert re.fullmatch(r"\d of 8 points", results[-1])
    assert f"result: {results[0]}\n" in err
    assert any(results[0] in line for line in lines)
    pages = [value for option, value in told if option == "game:uri"]
    for number, page in enumerate(pages, start=1):
        text = tmp_path / "kgp-games" / f"game-{number:04}.txt"
        assert page == text.with_suffix(".html").as_uri()
        assert text.with_suffix(".html").read_text().startswith("<!doctype html>")
        record = parse_game(text.read_text())
        side = 1 - number % 2
        assert record.players[side] == "me"
        # The regrets that were told are those of the review.
        words = ("--seconds", "0", "--depth", "8", "--json")
        review = json.loads(run("review", str(text), *words)[1])
        own = ("south", "north")[side]
        costs = [f"{m['number']}:{m['regret']:g}" for m in review["moves"] if m["mover"] == own]
        assert costs
        assert ("kalahlab:review", f"regret of each of your moves: {' '.join(costs)}") in told


def test_games_of_an_earlier_run_are_kept(tmp_path, run):
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "game-0001.txt").write_text("mine")
    (folder / "game-0003.txt").write_text("mine")
    with serving(tmp_path, "--player", "random:1", "--size", "1,2", "--out", "games") as (port, _):
        words = ("--player", "random:2", "--backend", "textbook")
        assert run("kgp", "connect", f"localhost:{port}", *words)[0] == 0
    texts = {path.name: path.read_text() == "mine" for path in folder.glob("*.txt")}
    assert texts == {f"game-000{number}.txt": number in (1, 3) for number in (1, 2, 3, 4)}


def test_the_other_modes(tmp_path, run):
    with serving(tmp_path, "--size", "3,2") as (port, _):
        status, out, err = run("kgp", "connect", f"localhost:{port}", "--verify")
        assert (status, "20 of 20 problems solved" in err) == (0, True)
        assert "Answers: 20" in out
        words = ("--evaluator", "store_difference")
        status, out, err = run("kgp", "connect", f"localhost:{port}", *words)
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
