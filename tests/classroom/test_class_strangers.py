"""Descriptions and builds of students that reach for files outside of their folders."""

import json

import numpy as np
import pytest

from kalahlab.classroom.class_tournament.agents import find_agents
from kalahlab.classroom.class_tournament.isolation import Confinement
from kalahlab.classroom.program_check.calls import describe_end
from kalahlab.games.kalah import Kalah
from kalahlab.games.notation import parse_board
from kalahlab.players.programs.host import answer_question, make_player
from kalahlab.search.limits import Seconds


@pytest.fixture
def secret(tmp_path):
    file = tmp_path / "secret"
    file.write_text("error: it is secret\n")
    file.chmod(0o600)
    return file


def find(tmp_path, **description):
    student = tmp_path / "class" / "Ada"
    student.mkdir(parents=True)
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in description.items()]
    (student / "agent.toml").write_text("".join(lines))
    return find_agents(tmp_path / "class", tmp_path / "out", Confinement())


def test_a_command_elsewhere_changes_no_mode(tmp_path, secret):
    ((agent,), absentees) = find(tmp_path, command=str(secret))
    assert (agent.command, absentees) == ((str(secret),), [])
    assert secret.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("command", [{}, {"command": "./agent"}])
def test_a_link_that_a_build_makes_changes_no_mode(tmp_path, secret, command):
    secret.write_text("#!/bin/sh\n")
    ((agent,), absentees) = find(tmp_path, build=f"ln -s '{secret}' agent", **command)
    assert (agent.command, absentees) == (("./agent",), [])
    assert secret.stat().st_mode & 0o777 == 0o600


def test_what_a_build_prints_is_not_what_it_links(tmp_path, secret):
    script = f"echo error: broken; for name in .[a-z]*; do ln -sf '{secret}' $name; done; exit 1"
    agents, (absentee,) = find(tmp_path, build=script)
    assert agents == []
    assert absentee.output == "error: broken\n"
    assert absentee.reason.endswith("ends with status 1: error: broken")


@pytest.mark.parametrize(("move", "told"), [(2, 2), (np.int64(2), 2), (True, None), ("2", None)])
def test_a_move_of_numpy_is_a_move(move, told):
    game = Kalah(3, 2)
    player = make_player(lambda game, state: move)
    answer = answer_question(player, None, game, game.start(), Seconds(1))
    assert answer.get("index") == told
    assert told is not None or answer["reason"].startswith(f"returns {move!r}; the legal moves")


def test_a_function_that_a_signal_without_a_name_ends_is_told():
    assert describe_end(-40) == "ends Python by the signal 40"
    assert describe_end(-9) == "ends Python by the signal SIGKILL"


def test_two_long_names_fit_into_the_name_of_a_file(tmp_path):
    for name in ("王" * 80, "王" * 80 + "a", "Ж" * 100):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "agent").write_text("#!/bin/sh\n")
    agents, absentees = find_agents(tmp_path / "class", tmp_path / "out", Confinement())
    keys = [agent.key for agent in agents]
    assert (len({*keys}), absentees) == (3, [])
    assert max(len(f"0001-{key}-{key}-12x12.txt".encode()) for key in keys) < 255


class Counting:
    """A player whose move needs to know that a game has begun."""

    def new_game(self, game, state):
        self.begins_in = state

    def choose(self, game, state, limit):
        return 2 if self.begins_in == state else 1


def test_a_class_is_told_of_its_game():
    game = Kalah(3, 2)
    start, later = game.start(), parse_board("<3,0,0,2,2,2,2,2,1>")
    player = make_player(Counting)
    limit = Seconds(1)
    assert answer_question(player, (game, start), game, start, limit) == {"index": 2}
    assert answer_question(player, None, game, later, limit) == {"index": 1}
