"""The tournament of a class: nineteen agents, ten of them faulty; schedule, isolation and pages."""

import csv
import json
import re
import shutil
import sys
from pathlib import Path
from threading import Event

import pytest
from bs4 import BeautifulSoup
from conftest import start_python
from hypothesis import given
from hypothesis import strategies as st

from kalahlab.classroom.class_tournament import games, isolation, schedule
from kalahlab.classroom.class_tournament.agents import Agent, find_agents
from kalahlab.classroom.class_tournament.games import Meeting, play_meeting
from kalahlab.classroom.class_tournament.isolation import Confinement, find_bwrap
from kalahlab.classroom.class_tournament.mending import collect_faults
from kalahlab.classroom.class_tournament.pages import write_pages
from kalahlab.classroom.class_tournament.tournament import (
    Format,
    Tournament,
    draw_openings,
    play_tournament,
    rank,
)
from kalahlab.classroom.class_tournament.worst_moves import find_worst_moves
from kalahlab.games.game_text import parse_game
from kalahlab.games.kalah import Kalah
from kalahlab.games.notation import parse_board
from kalahlab.judging.review import review_game
from kalahlab.players.model import as_player
from kalahlab.players.programs.process import Program

AGENTS = Path(__file__).parents[1] / "players" / "agents.py"
DOCUMENT = Path(__file__).parents[2] / "docs" / "arena.md"
RIGHT = 10
FAULTS = {
    "crashes": "crashed",
    "crashes later": "crashed",
    "exits": "crashed",
    "ignores SIGTERM": "silent",
    "is late": "late",
    "is illegal": "illegal",
    "writes garbage": "unreadable",
    "floods": "unreadable",
    "writes other bytes": "unreadable",
}
"""The modes of `agents.py`, with the kind of the fault. The tenth agent does not build."""
MANY = 60.0  # so many seconds that no slow machine makes a program late
PLAYED = "kind", "south", "north", "moves", "margin", "loser", "fault", "reason", "points"


def show_block(language):
    """Return the code of an agent in a language that docs/arena.md shows."""
    _, agents = DOCUMENT.read_text(encoding="utf-8").split("## Write an agent")
    return re.search(rf"```{language}\n(.*?)```", agents, re.DOTALL)[1]


def add_agent(folder, mode="plays", **values):
    """Add a copy of `agents.py` with a description to the folder of a class."""
    folder.mkdir(parents=True)
    shutil.copy(AGENTS, folder / "agents.py")
    command = f'python -S -E agents.py buet "{mode}"'
    values = {"command": command, "dialect": "buet", **values}
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    (folder / "agent.toml").write_text("\n".join(lines))


def without_times(rows):
    return [{name: row.get(name) for name in PLAYED} for row in rows]


@pytest.fixture(scope="module")
def nineteen(tmp_path_factory):
    """Play a tournament of nineteen agents; only those that never answer have little time."""
    folder = tmp_path_factory.mktemp("nineteen")
    for number in range(RIGHT):
        add_agent(folder / "class" / f"right-{number}")
    for mode in FAULTS:
        add_agent(folder / "class" / mode.replace(" ", "-"), mode)
    add_agent(folder / "class" / "unbuilt", build="echo broken; false")
    out = folder / "cup"
    agents, absentees = find_agents(folder / "class", out, Confinement())
    start_deadline = Program.start_deadline

    def start_short_deadline(program, seconds, processor_seconds=None, startup=0.0):
        mode = program._process.args[-2]
        never = mode == "ignores SIGTERM" or (mode == "is late" and program.has_answered)
        return start_deadline(program, 0.3 if never else MANY, processor_seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Program, "start_deadline", start_short_deadline)
        form = Format(("3,3",), seconds=MANY, rounds=2)
        result = play_tournament(agents, absentees, form, Confinement(), out)
    write_pages(result, {}, out)
    return result, out


def test_the_faulty_agents_have_their_own_faults_and_the_others_none(nineteen):
    result, _ = nineteen
    faults = {row["key"]: {fault["fault"] for fault in collect_faults(result, row["key"])}
             for row in result.standings}  # fmt: skip
    wanted = {f"right-{number}": set() for number in range(RIGHT)}
    wanted |= {mode.replace(" ", "-"): {kind} for mode, kind in FAULTS.items()}
    assert faults == wanted
    (absentee,) = result.absentees
    assert (absentee.name, absentee.output) == ("unbuilt", "broken\n")
    assert "does not build" in absentee.reason


def test_each_agent_plays_each_round_or_rests_and_each_game_gives_one_point(nineteen):
    result, _ = nineteen
    assert len(result.rows) == 2 * 2 * 9
    assert sum(result.rests.values()) == 2
    for row in result.standings:
        rests = result.rests.get(row["key"], 0)
        assert row["games"] == 4 - 2 * rests
        assert row["wins"] + row["draws"] + row["losses"] == row["games"]
        assert row["faults"] <= row["losses"]
    assert sum(row["points"] for row in result.standings) == len(result.rows) + 4


def test_each_game_is_a_file_that_can_be_read_and_pages_name_everybody(nineteen):
    result, out = nineteen
    files = sorted((out / "games").iterdir())
    assert len(files) == len(result.rows)
    for file, row in zip(files, result.rows, strict=True):
        record = parse_game(file.read_text())
        assert record.players == (row["south"], row["north"])
        assert " ".join(str(move + 1) for move in record.moves) == row["moves"]
        assert record.game.is_over(record.states[-1]) == (row["fault"] is None)
        who = f"{row['loser'].title()} ({row[row['loser']]})" if row["loser"] else ""
        assert record.fault.partition(" loses, ")[0] == who
        assert (row["reason"] or "") in record.fault
    index = BeautifulSoup((out / "index.html").read_text(), "html.parser")
    links = [link["href"] for link in index.find_all("a")]
    for link in links:
        assert (out / link).is_file()
    for row in result.standings:
        page = (out / "students" / f"{row['key']}.html").read_text()
        for fault in collect_faults(result, row["key"]):
            assert fault["advice"] in BeautifulSoup(page, "html.parser").get_text()
        for link in BeautifulSoup(page, "html.parser").find_all("a"):
            assert (out / "students" / link["href"]).resolve().is_file()
    with (out / "cross_table.csv").open() as file:
        cells = {cell for row in list(csv.reader(file))[1:] for cell in row[1:]}
    assert "0 to 2" in cells  # 0:2 is a time, and 0-2 a date, for a spreadsheet
    assert all(re.fullmatch(r"([\d.]+ to [\d.]+)?", cell) for cell in cells)
    with (out / "standings.csv").open() as file:
        assert [row["name"] for row in csv.DictReader(file)] == [
            row["name"] for row in result.standings
        ]


CLASS = ["tournament", "class", "--unsafe", "--board", "3,3"]
CLASS += ["--seconds", "60", "--review", "0", "--out"]
COMMAND = f"""
import sys
from kalahlab.cli import main
sys.argv[1:] = {[*CLASS, "cut"]}
main()
"""


def test_a_killed_tournament_resumes_and_has_the_rows_of_an_undisturbed_one(
    run, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for number in range(4):
        add_agent(tmp_path / "class" / f"a{number}", "crashes later" if number == 3 else "plays")
    points = tmp_path / "cut" / "rows" / "points"
    with start_python(COMMAND) as process:
        while not points.is_dir() or len(list(points.glob("*.json"))) < 3:
            assert process.poll() is None
            Event().wait(0.01)
        process.kill()
        process.communicate()
    before_the_kill = {file: file.read_bytes() for file in points.glob("*.json")}
    assert 3 <= len(before_the_kill) < 12
    for out in ("cut", "whole"):
        assert run(*CLASS, out)[0] == 0
    rows = [
        [json.loads(line) for line in (tmp_path / out / "rows" / "rows.jsonl").open()]
        for out in ("cut", "whole")
    ]
    assert len(rows[0]) == 12
    assert without_times(rows[0]) == without_times(rows[1])
    assert {row["fault"] for row in rows[0]} == {None, "crashed"}
    assert before_the_kill == {
        file: file.read_bytes() for file in before_the_kill
    }  # they were not played again


class Absent:
    """A player that is not there when a game begins."""

    def new_game(self, game, state):
        raise ValueError("no program has connected")

    def choose(self, game, state, limit):
        raise AssertionError

    def close(self):
        pass


@pytest.mark.parametrize("seat", [0, 1])
def test_an_error_at_the_beginning_of_a_game_is_a_fault_of_the_player(seat):
    players = [as_player(lambda game, state: game.moves(state)[0]), Absent()]
    fault = games._play(
        Kalah(3, 2), Kalah(3, 2).start(), players if seat else players[::-1], ("a", "b")
    ).fault
    assert (fault.player, fault.kind) == (seat, "crashed")
    assert "no program has connected" in fault.reason


PLAYERS = st.lists(st.integers(0, 99), min_size=2, max_size=20, unique=True).map(
    lambda numbers: [f"player {number}" for number in numbers]
)


@given(PLAYERS, st.integers(0, 5))
def test_in_a_round_robin_each_two_meet_once_in_an_order_of_the_seed(players, seed):
    pairings = schedule.round_robin(players, seed)
    assert pairings == schedule.round_robin(players[::-1], seed)
    assert len(pairings) == len(players) * (len(players) - 1) // 2
    assert len({frozenset(pairing) for pairing in pairings}) == len(pairings)


@given(PLAYERS, st.integers(0, 5), st.randoms(use_true_random=False))
def test_in_a_swiss_tournament_nobody_meets_or_rests_again(players, seed, random):
    points = dict.fromkeys(players, 0.0)
    met, rested = [], []
    for _ in range(len(players) // 2):
        pairings, resting = schedule.pair_round(points, met, rested, seed)
        assert pairings == schedule.pair_round(dict(reversed(points.items())), met, rested, seed)[0]
        busy = [player for pairing in pairings for player in pairing]
        assert sorted([*busy, *([resting] if resting else [])]) == sorted(players)
        assert resting not in rested
        rested += [resting] if resting else []
        met += pairings
        for player in players:
            points[player] += random.choice((0, 1, 2))
    assert len({frozenset(pairing) for pairing in met}) == len(met)


def test_the_rounds_of_a_large_class_are_paired_in_few_steps(monkeypatch):
    steps = 0

    def count(pairing):
        nonlocal steps
        steps += 1
        assert steps < 200_000, "pairing takes exponential time"
        return frozenset(pairing)

    monkeypatch.setattr(schedule, "frozenset", count, raising=False)
    players = [f"{number}" for number in range(60)]
    points, met = dict.fromkeys(players, 0.0), []
    for _ in range(len(players) // 2):
        steps = 0
        pairings, _ = schedule.pair_round(points, met, [], 1)
        met += pairings
        for one, other in pairings:
            points[max(one, other)] += 2  # the same ones win, and so meet each other early
    assert len({*map(frozenset, met)}) == 60 // 2 * 60 // 2


def test_players_with_the_same_points_meet():
    points = {"a": 3.0, "b": 0.0, "c": 3.0, "d": 0.0}
    pairings, _ = schedule.pair_round(points, [], [], 1)
    assert {frozenset(pairing) for pairing in pairings} == {frozenset("ac"), frozenset("bd")}
    with pytest.raises(ValueError, match="--swiss 3 is too many rounds for 4 players; use 2"):
        schedule.check_rounds(3, 4)


FILES = {
    "nothing": ({}, "its folder has no file"),
    "text": ({"a.txt": "hi"}, "there is no program; add one, or a .py file"),
    "zip": ({"a.zip": "hi"}, "a.zip is packed; unpack it"),
    "source": ({"a.c": "int main;"}, "a.c is not built; add a Makefile"),
    "syntax": ({"a.py": "def f(:\n"}, "a.py, line 1: invalid syntax"),
    "two": ({"a": "#!/bin/sh\n", "b": "#!/bin/sh\n"}, "there are 2 programs (a, b)"),
    "several": (
        {"a.py": "def f(game, state): 0\ndef g(game, state): 0"},
        'there are 2 players (f, g); write into agent.toml which one: function = "f"',
    ),
    "key": ({"agent.toml": "comand = 'a'"}, "unknown key 'comand'; did you mean command?"),
    "type": ({"agent.toml": "command = 1"}, "command is 1, but must be a text in quotes"),
    "toml": ({"agent.toml": "command = "}, "agent.toml cannot be read"),
    "dialect": ({"a.py": "", "agent.toml": "dialect = 'x'"}, "the dialect 'x'; use one of kgpc"),
    "missing": ({"agent.toml": "command = './x'"}, "but there is no ./x"),
    "make": ({"Makefile": "all:\n\tfalse\n"}, "does not build: 'make' ends with status 2"),
}


def test_a_student_without_a_program_does_not_take_part_for_a_reason_in_one_line(tmp_path):
    for name, (files, _) in FILES.items():
        (tmp_path / "class" / name).mkdir(parents=True)
        for file, text in files.items():
            (tmp_path / "class" / name / file).write_text(text)
    (tmp_path / "class" / "late.zip").write_text("")
    (tmp_path / "class" / "elsewhere").symlink_to(AGENTS.parent)
    agents, absentees = find_agents(tmp_path / "class", tmp_path / "out", Confinement())
    assert not agents
    reasons = {absentee.name: absentee.reason for absentee in absentees}
    assert reasons.pop("late.zip") == "late.zip is no folder; unpack it"
    assert "which is not followed" in reasons.pop("elsewhere")
    assert reasons.keys() == FILES.keys()
    for name, (_, wanted) in FILES.items():
        assert wanted in reasons[name]
        assert "\n" not in reasons[name]


FUNCTION = """
import helper
print("printed text harms nothing")
def move(game, state):
    return helper.choose(game, state)
"""
HELPER = "def choose(game, state):\n    return game.moves(state)[-1]"
CLASS_AGENT = """
import kalahlab.evaluators.kalah  # reads data of the package
class Agent:
    def choose(self, game, state, limit):
        assert 0 < limit.s < 60
        return game.moves(state)[-1]
"""
PROGRAM = """
import sys
m, _, _, *pits = map(int, sys.stdin.read().split())
print(max(pit for pit in range(m) if pits[pit]))
"""
KINDS = {
    "function": {"agent.py": FUNCTION, "helper.py": HELPER},
    "class": {"mine.py": CLASS_AGENT},
    "program": {"inside/mine.py": PROGRAM},
    "script": {"run": f"#!{sys.executable} -S\n{PROGRAM}"},
}  # fmt: skip
if shutil.which("cc") and shutil.which("make"):
    KINDS["C"] = {"agent.c": show_block("c"), "Makefile": show_block("make")}
CONFINEMENTS = [Confinement()]
if find_bwrap()[0]:
    CONFINEMENTS.append(Confinement(find_bwrap()[0]))


@pytest.mark.parametrize("confinement", CONFINEMENTS, ids=lambda value: value.bwrap or "unsafe")
def test_programs_of_all_kinds_play_the_same_game(tmp_path, confinement):
    for name, files in KINDS.items():
        for file, text in files.items():
            path = tmp_path / "class" / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    agents, absentees = find_agents(tmp_path / "class", tmp_path / "out", confinement)
    assert not absentees
    assert [agent.name for agent in agents] == sorted(KINDS, key=str)
    by_key = {agent.key: agent for agent in agents}
    moves = set()
    for agent in agents:
        row = play_meeting(by_key, confinement, Meeting(agent.key, agent.key, "3,2", seconds=MANY))
        assert row["fault"] is None, row
        moves.add(row["moves"])
    assert len(moves) == 1


def test_the_function_of_the_docs_beats_random_moves(tmp_path):
    (tmp_path / "class" / "docs").mkdir(parents=True)
    (tmp_path / "class" / "docs" / "agent.py").write_text(show_block("python"))
    agents, _ = find_agents(tmp_path / "class", tmp_path / "out", Confinement())
    agents.append(Agent("random", "random", player="random:1"))
    form = Format(("4,3", "6,4"), seconds=MANY)
    result = play_tournament(agents, [], form, Confinement(), tmp_path / "out")
    best = result.standings[0]
    assert (best["key"], best["faults"]) == ("docs", 0)


SPY = """
import os, socket, sys
def move(game, state):
    seen = [name for name in {paths!r} if os.path.exists(name)]
    try:
        open("mark", "w")
        seen.append("written")
    except OSError:
        pass
    open("/tmp/scratch", "w").write("may be written")
    try:
        socket.create_connection(("127.0.0.1", {port}), 5)
        seen.append("network")
    except OSError:
        pass
    seen += [name for name in os.environ if name == "SECRET"]
    raise ValueError(" ".join(seen) or "nothing")
"""


def test_in_bubblewrap_a_program_sees_its_folder_only(tmp_path, monkeypatch):
    import socket

    monkeypatch.setenv("SECRET", "1")
    (tmp_path / "class" / "spy").mkdir(parents=True)
    with socket.create_server(("127.0.0.1", 0)) as server:
        text = SPY.format(paths=[str(tmp_path)], port=server.getsockname()[1])
        (tmp_path / "class" / "spy" / "spy.py").write_text(text)
        for confinement in CONFINEMENTS[1:]:
            (agent,), _ = find_agents(tmp_path / "class", tmp_path / "out", confinement)
            row = play_meeting(
                {"spy": agent}, confinement, Meeting("spy", "spy", "3,2", seconds=MANY)
            )
            assert row["reason"] == "raises ValueError: nothing (spy.py, line 17)"


def test_the_command_of_bubblewrap_has_no_network_and_one_folder(tmp_path):
    (tmp_path / "agent").touch()
    words = Confinement("bwrap", memory=100, seconds=7).command(["./agent", "-x"], tmp_path)
    assert words[:2] == ("/bin/sh", "-c")
    assert words[5:8] == ("102400", "7", "")  # kilobytes, seconds, and no other folder
    cage = words[words.index("bwrap") :]
    assert cage[:3] == ("bwrap", "--unshare-all", "--die-with-parent")
    assert cage[-3:] == ("--", "/agent/agent", "-x")
    text = " ".join(cage)
    assert f"--ro-bind {tmp_path} /agent" in text
    assert "--share-net" not in text
    writable = [cage[index + 1] for index, word in enumerate(cage) if word == "--bind"]
    assert writable == []
    build = Confinement("bwrap").command(["make"], tmp_path, is_build=True)
    assert f"--bind {tmp_path} /agent" in " ".join(build)
    variables = [word.partition("=")[0] for word in words[8 : words.index("bwrap")]]
    assert variables == ["PATH", "HOME", "LANG"]


def test_java_gets_its_memory_as_an_option(tmp_path):
    words = Confinement(memory=100).command(["java", "-jar", "a.jar"], tmp_path)
    assert words[-4:] == ("java", "-Xmx75m", "-jar", "a.jar")


def test_a_program_has_no_more_memory_and_processor_time(tmp_path):
    (tmp_path / "class" / "big").mkdir(parents=True)
    text = "def move(game, state):\n    return len(bytearray(10**9))"
    (tmp_path / "class" / "big" / "a.py").write_text(text)
    limited = Confinement(memory=300)
    (agent,), _ = find_agents(tmp_path / "class", tmp_path / "out", limited)
    row = play_meeting({"big": agent}, limited, Meeting("big", "big", "3,2", seconds=MANY))
    if sys.platform == "linux":  # other systems do not limit the memory
        assert row["reason"] == "raises MemoryError (a.py, line 2)"


def test_without_bubblewrap_the_command_asks_for_unsafe(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    add_agent(tmp_path / "class" / "a")
    monkeypatch.setattr(isolation.shutil, "which", lambda name: None)
    status, _, message = run("tournament", "class", "random:1", "--out", "cup")
    assert status == 2
    assert "bubblewrap (the program bwrap) is not installed, so nothing isolates" in message
    assert "add --unsafe" in message
    words = "tournament class random:1 --out cup --unsafe --board 3,2 --seconds 60 --review 0"
    status, text, message = run(*words.split())
    assert status == 0, message
    assert "note: bubblewrap" in message
    assert "No player made a fault." in text
    assert "open cup/index.html" in text
    index = (tmp_path / "cup" / "index.html").read_text()
    assert "kalahlab tournament class random:1 --out cup --unsafe --board 3,2" in index
    assert "seed 1" in index
    data = json.loads(run(*words.split(), "--json")[1])
    assert sorted(row["name"] for row in data["standings"]) == ["a", "random:1"]
    assert data["games"] == 2


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("class random:1", "a tournament of a class needs --out FOLDER"),
        ("class random:1 --out cup --starts fairkalah", "--starts is for a tournament without"),
        ("class random:1 --out cup --unsafe --openings 9 --board 1,1", "has fewer than 9 openings"),
        ("level1 random:1 --swiss 2", "--swiss is for a tournament of a class"),
        ("class --out cup --board 6", "'6' is not PITS,STONES"),
        (
            "class --out cup --unsafe --review 0",
            "1 of the players can play; a tournament needs two",
        ),
        ("nowhere/ random:1 --out cup", "nowhere/"),
    ],
)
def test_bad_input_is_told_in_one_line(words, wanted, tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    add_agent(tmp_path / "class" / "a")
    status, _, message = run("tournament", *words.split())
    assert status == 2
    assert wanted in message.splitlines()[-1]


def test_texts_of_students_are_escaped_on_each_page(tmp_path):
    evil = "<script>alert(1)</script>=1+1\x1b[31m"
    (tmp_path / "class" / "x<b>y").mkdir(parents=True)
    (tmp_path / "class" / "x<b>y" / "a.py").write_text(
        f"def move(game, state): raise ValueError({evil!r})"
    )
    (tmp_path / "class" / "x<b>y" / "agent.toml").write_text(f"names = [{json.dumps(evil)}]")
    add_agent(tmp_path / "class" / "b")
    out = tmp_path / "cup"
    agents, absentees = find_agents(tmp_path / "class", out, Confinement())
    form = Format(("3,2",), seconds=MANY)
    result = play_tournament(agents, absentees, form, Confinement(), out)
    write_pages(result, {}, out)
    pages = [out / "index.html", *(out / "students").iterdir()]
    for page in pages:
        text = page.read_text()
        assert "<script" not in text.lower()
        assert "<b>y" not in text
        assert "\x1b" not in text
    assert "&lt;script&gt;alert(1)" in (out / "index.html").read_text()
    assert "\x1b" not in (out / "faults.csv").read_text()
    assert len(list((out / "games").glob("*.txt"))) == 2


def test_the_page_says_how_pits_are_numbered(tmp_path):
    add_agent(tmp_path / "class" / "zero", "is illegal")
    (tmp_path / "class" / "py").mkdir()
    (tmp_path / "class" / "py" / "a.py").write_text("def move(game, state): return game.pits")
    (tmp_path / "class" / "four").mkdir()
    (tmp_path / "class" / "four" / "agent").write_text("#!/bin/sh\necho 3\n")
    out = tmp_path / "cup"
    agents, _ = find_agents(tmp_path / "class", out, Confinement())
    form = Format(("3,2",), seconds=MANY)
    result = play_tournament(agents, [], form, Confinement(), out)
    advice = {key: collect_faults(result, key)[0]["advice"] for key in ("zero", "py", "four")}
    assert advice["zero"].startswith("Your program printed 99; pits are 1 to 3 in the dialect buet")
    assert advice["py"].startswith("Your function returns 3; pits are 0 to 2.")
    assert advice["four"].startswith("Your program printed 3; pits are 0 to 2 in the dialect kgpc")
    assert collect_faults(result, "zero")[0]["input"] == "2 2 2 0 2 2 2 0\n"
    lines = collect_faults(result, "py")[0]["input"].splitlines()
    assert lines[2] == "from a import move"


def test_the_page_says_that_all_answers_are_one_too_high(tmp_path):
    source = "def move(game, state): return game.moves(state)[-1] + 1"
    (tmp_path / "class" / "one").mkdir(parents=True)
    (tmp_path / "class" / "one" / "a.py").write_text(source)
    out = tmp_path / "cup"
    agents, _ = find_agents(tmp_path / "class", out, Confinement())
    agents.append(Agent("random", "random", player="random:1"))
    form = Format(("4,2",), openings=3, seconds=MANY)
    result = play_tournament(agents, [], form, Confinement(), out)
    advice = [fault["advice"] for fault in collect_faults(result, "one")]
    assert advice
    assert all("count pits from 1: each answer is one too high" in text for text in advice)


def test_the_worst_moves_are_those_of_the_review(tmp_path):
    agents = [Agent(text, text, player=text) for text in ("random:3", "random:4")]
    form = Format(("4,2",))
    result = play_tournament(agents, [], form, Confinement(), tmp_path)
    worst = find_worst_moves(result, tmp_path, seconds=MANY)
    write_pages(result, worst, tmp_path)
    for agent in agents:
        moves = worst[agent.key]
        assert moves
        file = next((tmp_path / "games").glob(f"{moves[0]['game'] + 1:04d}-*"))
        record = parse_game(file.read_text())
        table = review_game(record, MANY, workers=1).moves
        own = table[table["mover"] == record.players.index(agent.name)]
        assert [move["regret"] for move in moves] == sorted(own["regret"], reverse=True)[
            : len(moves)
        ]
        assert all(move["exact"] for move in moves)
        page = (tmp_path / "students" / f"{agent.key}.html").read_text()
        assert f"Move {moves[0]['number']}: " in page


def test_an_agent_that_has_changed_plays_again_and_the_others_do_not(tmp_path):
    for name in "abc":
        add_agent(tmp_path / "class" / name)
    out = tmp_path / "cup"
    form = Format(("3,2",), seconds=MANY)

    def play():
        agents, _ = find_agents(tmp_path / "class", out, Confinement())
        result = play_tournament(agents, [], form, Confinement(), out)
        return {(row["south"], row["north"]): row for row in result.rows}

    before = play()
    (tmp_path / "class" / "c" / "notes.txt").write_text("new")
    after = play()
    assert before.keys() == after.keys()
    assert [pair for pair in after if before[pair] == after[pair]] == [
        pair for pair in after if "c" not in pair
    ]


def test_ranks_count_points_opponents_and_rests():
    agents = {key: Agent(key, key) for key in "abc"}
    base = {"board": "6,4", "opening": "", "seconds_south": 1.0, "seconds_north": 2.0}
    rows = [
        {"south": "a", "north": "b", "points": 1.0, "loser": "north", **base},
        {"south": "b", "north": "a", "points": 0.5, "loser": None, **base},
    ]
    table = rank(agents, rows, {"c": 1})
    assert [(row["key"], row["points"], row["faults"], row["seconds"]) for row in table] == [
        ("c", 2.0, 0, 0), ("a", 1.5, 0, 3.0), ("b", 0.5, 1, 3.0),
    ]  # fmt: skip
    assert [row["place"] for row in table] == [1, 2, 3]
    assert [row["share"] for row in table] == [None, 0.75, 0.25]
    assert table[1]["opponents"] == 0.5


def test_agents_that_cannot_be_told_apart_share_a_place():
    agents = {key: Agent(key, key) for key in "abcd"}
    base = {
        "board": "6,4",
        "opening": "",
        "seconds_south": 1.0,
        "seconds_north": 2.0,
        "loser": None,
    }
    wins = ("a", "b"), ("c", "d"), ("b", "d")
    rows = [{"south": one, "north": other, "points": 1.0, **base} for one, other in wins]
    table = rank(agents, rows, {})
    assert [(row["key"], row["points"], row["opponents"], row["place"]) for row in table] == [
        ("a", 1, 1, 1), ("b", 1, 1, 1), ("c", 1, 0, 3), ("d", 0, 2, 4),
    ]  # fmt: skip


def test_from_each_opening_each_two_play_twice_and_the_seed_draws_the_openings(tmp_path):
    agents = [Agent(text, text, player=text) for text in ("random:3", "random:4", "random:5")]
    form = Format(("3,3", "4,2"), openings=3, rounds=1)
    result = play_tournament(agents, [], form, Confinement(), tmp_path)
    openings = {(row["board"], row["opening"]) for row in result.rows}
    assert len(openings) == 6
    assert len(result.rows) == 2 * 6
    assert sum(row["points"] for row in result.standings) == 2 * 12  # one player rests
    for row in result.rows:
        record = parse_game(games.format_record(row, result.names))
        assert record.start == parse_board(row["opening"])
        assert sum(record.start.board) == {"3,3": 18, "4,2": 16}[row["board"]]
        assert record.game.is_over(record.states[-1])
    worst = find_worst_moves(result, tmp_path, seconds=MANY)
    write_pages(result, worst, tmp_path)
    assert "from 3 openings of each board" in (tmp_path / "index.html").read_text()
    draws = [draw_openings("6,4", "standard", 5, seed) for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]
    assert len({*draws[0]}) == 5


def test_a_program_that_is_told_no_board_plays_no_openings(tmp_path):
    agents = [Agent("a", "Ada", dialect="nmsu"), Agent("r", "random:1", player="random:1")]
    with pytest.raises(ValueError, match=r"Ada has the dialect nmsu, .* leave --openings out"):
        play_tournament(agents, [], Format(("3,3",), openings=1), Confinement(), tmp_path)


def test_a_whole_game_is_reviewed_before_one_that_a_fault_ended(tmp_path):
    agents = {key: Agent(key, key) for key in "ab"}
    base = {"south": "a", "north": "b", "rules": "standard", "opening": "", "moves": "1"}
    rows = [
        {**base, "board": "3,2", "points": 1.0, "loser": "north"},
        {**base, "board": "4,2", "points": 1.0, "loser": None},
    ]
    result = Tournament(agents, [], Format(("3,2", "4,2")), rows, {}, [])
    worst = find_worst_moves(result, tmp_path, seconds=MANY)
    assert {move["game"] for moves in worst.values() for move in moves} == {1}
