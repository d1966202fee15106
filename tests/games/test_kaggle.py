"""Replays of Kaggle's mancala, held against a published one."""

import json
import re
from pathlib import Path

import pytest

from kalahlab.games.game_log import replay
from kalahlab.games.kaggle import LONGEST, NAME, parse_game_or_replay, parse_replay
from kalahlab.games.kalah import Kalah

ORACLE = json.loads((Path(__file__).parents[1] / "oracles/kalah/kaggle_replay.json").read_text())


def write_replay(actions=ORACLE["actions"], rings=ORACLE["rings"], mover=0, **info):
    states = [json.dumps({"board": ring, "current_player": mover}) for ring in rings]
    info = {"TeamNames": ORACLE["names"], **info}
    info.update(actionHistory=actions, stateHistory=states)
    return json.dumps({"name": NAME, "info": info})


def test_a_published_replay_is_read():
    record = parse_game_or_replay(write_replay())
    assert record.players == tuple(ORACLE["names"])
    assert [state.player for state in record.states[:-1]] == ORACLE["movers"][:-1]
    assert ORACLE["rewards"] == [1, -1]
    assert replay(record).stores == (25, 22 + 1), "the last stone is its owner's"


@pytest.mark.parametrize("number", range(1, len(ORACLE["actions"]) + 1))
def test_each_board_is_compared(number):
    """Move one stone of one ring; the last ring counts for its owner, wherever the stone lies."""
    rings = [[*ring] for ring in ORACLE["rings"]]
    ring = rings[number]
    origin = next(cup for cup in range(1, 8) if ring[cup])
    ring[origin] -= 1
    ring[8] += 1
    with pytest.raises(ValueError, match=f"action {number} of the replay, "):
        parse_replay(write_replay(rings=rings))


def test_a_replay_from_another_position_and_one_without_moves():
    record = parse_replay(write_replay(ORACLE["actions"][2:], ORACLE["rings"][2:], mover=1))
    assert record.start.player == 1
    assert [move + 8 for move in record.moves[:2]] == [int(text) for text in ORACLE["actions"][2:4]]
    assert parse_replay(write_replay([], ORACLE["rings"][:1])).start == Kalah(6, 4).start()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"name": "open_spiel_chess"}', "its name is 'open_spiel_chess'"),
        ("{", "Expecting property name"),
        (json.dumps({"name": NAME}), "no readable actionHistory"),
        (write_replay(TeamNames=["one"]), "no readable actionHistory, stateHistory and TeamNames"),
        (write_replay(mover="terminal"), "no readable"),
        (write_replay(mover=2), "player 2 is not 0 or 1"),
        (write_replay([]), "35 states for 0 actions"),
        (write_replay(rings=[[4] * 13, *ORACLE["rings"][1:]]), "is not a ring of 14 cups"),
        (write_replay(["7", *ORACLE["actions"][1:]]), "action 1 of the replay, 7: "),
        ("pits: 6\n" * 200_000, "it is too long; at most 1,000,000 characters"),
        ("{" + " " * LONGEST, "at most 50,000,000 are read"),
    ],
)
def test_what_is_no_replay_is_refused_in_one_line(text, message):
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        parse_game_or_replay(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300
