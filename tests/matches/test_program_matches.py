"""Matches of programs: the same rows with any number of workers, and no process remains."""

import os
import select
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd

from kalahlab.evaluators.kalah import e1
from kalahlab.games.kalah import Kalah
from kalahlab.matches.pairs import Pair, play_pair, play_pairs
from kalahlab.matches.tournament import round_robin, standings
from kalahlab.players.parse import import_player_parts
from kalahlab.search import Depth, alpha_beta

AGENTS = Path(__file__).parents[1] / "players" / "agents.py"
PYTHON = f"{shlex.quote(sys.executable)} -S -E {shlex.quote(str(AGENTS))}"


def program(dialect, mode="plays", limit="60000ms", fifo=""):
    return f"exec:{dialect}:{limit}:{PYTHON} {dialect} {shlex.quote(mode)} {fifo}".strip()


PLAYERS = [
    program("buet"),
    program("json"),
    program("buet", "crashes later"),
    program("json", "is illegal"),
    "level1:3",
]


def test_programs_play_the_same_games_with_any_number_of_workers():
    for player in PLAYERS:
        import_player_parts(player)
    # Those of the first player, with each of the rest. A worker would load the engine for a second.
    pairs = round_robin(PLAYERS, openings=1, backend="textbook")[:4]
    one, two = (play_pairs(pairs, workers) for workers in (1, 2))
    measured = ["seconds", "seconds_one", "seconds_other"]
    pd.testing.assert_frame_equal(one.drop(columns=measured), two.drop(columns=measured))
    faults = {row["player"]: row["faults"] for row in standings(one)}
    for player, kind in zip(PLAYERS, ("", "", "crashed", "illegal", ""), strict=True):
        assert {fault.split(":")[0] for fault in faults[player]} == ({kind} if kind else set())
    both = one.iloc[0]
    assert (both["one"], both["other"]) == (PLAYERS[0], PLAYERS[1])
    assert both["moves_1"] == both["moves_2"], "both play the pit nearest to the store"


def test_ctrl_c_ends_a_tournament_and_its_programs(tmp_path):
    """Interrupt the command while a silent program of a worker is waited for."""
    fifo = tmp_path / "alive"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    silent = program("json", "is silent", fifo=str(fifo))
    words = ["tournament", silent, "random:1", "random:2", "--openings", "1", "--workers", "2"]
    command = subprocess.Popen(
        [sys.executable, "-m", "kalahlab", *words], stderr=subprocess.PIPE, start_new_session=True
    )
    assert select.select([reader], [], [], 120)[0]
    assert os.read(reader, 1) == b"x", "the program runs"
    os.kill(command.pid, signal.SIGINT)
    errors = command.communicate()[1]
    assert command.returncode == 130, errors
    data = b"x"
    while data:  # until no process has the other end
        assert select.select([reader], [], [], 60)[0], "a program still runs"
        data = os.read(reader, 100)
    os.close(reader)


def test_the_nodes_of_each_player_are_those_of_its_searches():
    """Replay the games, and search each position of the two players again."""
    pair = Pair("alpha_beta:e1:2", "level2:3", "<3,0,0,2,2,2,2,2,2>", backend="textbook")
    row = play_pair(pair)
    nodes = 0
    for number, side in ((1, 0), (2, 1)):
        game = Kalah(3, 2)
        state = game.start()
        for name in row[f"moves_{number}"].split():
            if state.player == side:
                nodes += alpha_beta(game, state, e1, Depth(2)).counts.visited
            state = game.play(state, int(name) - 1)
    assert row["nodes_one"] == nodes > 0
    assert row["nodes_other"] > 0
    assert play_pair(Pair("random:1", "level1", pair.opening))["nodes_one"] is None


def test_standings_have_the_mean_nodes_of_a_game():
    games = play_pairs(round_robin(["alpha_beta:e1:2", "alpha_beta:e1:1", "random:1"], openings=2))
    nodes = {row["player"]: row["nodes"] for row in standings(games)}
    as_one, as_other = (
        games.loc[games[side] == "alpha_beta:e1:1", f"nodes_{side}"].tolist()
        for side in ("one", "other")
    )
    assert nodes["alpha_beta:e1:1"] == sum(as_one + as_other) / 2 / len(as_one + as_other)
    assert nodes["alpha_beta:e1:1"] < nodes["alpha_beta:e1:2"]
    assert nodes["random:1"] is None
