"""Players that are programs: each dialect plays whole games, and each fault is told by its kind."""

import os
import select
import shlex
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from kalahlab.games.kalah import Kalah, State
from kalahlab.games.pie import SWAP, PieKalah
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.players.factories import random_player
from kalahlab.players.game_loop import play_game, play_moves, random_position
from kalahlab.players.model import Fault, closing_players
from kalahlab.players.parse import make_player, parse_player
from kalahlab.players.programs import process
from kalahlab.players.programs.dialects import DIALECTS
from kalahlab.players.programs.process import Program

AGENTS = Path(__file__).with_name("agents.py")
PYTHON = f"{shlex.quote(sys.executable)} -S -E {shlex.quote(str(AGENTS))}"
MANY = "60000ms"  # so much that no slow machine makes a program late
LINES = [name for name in DIALECTS if name not in ("kgpc", "homework")]


def command(dialect, mode="plays", limits=MANY, fifo=""):
    options = "depth=4:" if dialect == "homework" else ""
    return f"exec:{dialect}:{limits}:{options}{PYTHON} {dialect} {shlex.quote(mode)} {fifo}".strip()


def nearest(game, state):
    return game.moves(state)[-1]


def turn_ends(log):
    return [move.state for move in log.moves if not move.extra_turn]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_program_plays_the_games_of_the_same_function(dialect):
    pits = 7 if dialect == "manchester" else 6
    game = Kalah(pits, 4)
    with closing_players([parse_player(command(dialect))]) as [program]:
        for seed, is_south in ((1, True), (2, False)):
            logs = []
            for player in (program, nearest):
                seats = [player, random_player(seed)]
                logs.append(play_game(game, *(seats if is_south else seats[::-1])))
            if dialect == "homework":  # the board tells no order of the moves of a turn
                logs = [turn_ends(log) for log in logs]
            assert logs[0] == logs[1]


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name != "nmsu"])
def test_a_program_plays_on_from_any_position(dialect):
    game = Kalah(4, 3)
    state = random_position(game, Random(5), 3)
    for start in (state, State(*state[:1], 1 - state.player)):
        with closing_players([parse_player(command(dialect))]) as [program]:
            log = play_game(game, program, random_player(3), start)
        assert log == play_game(game, nearest, random_player(3), start)


def test_a_program_that_is_told_no_board_begins_at_the_usual_start():
    game = Kalah(6, 4)
    state = random_position(game, Random(5), 3)
    program = parse_player(command("nmsu"))
    with pytest.raises(ValueError, match="begins at the usual start"):
        play_game(game, program, program, state)


@pytest.mark.parametrize("mode", ["plays", "swaps"])
@pytest.mark.parametrize("is_south", [True, False])
def test_a_program_exchanges_sides_and_is_told_of_it(mode, is_south):
    """Check both: a program that swaps, and one whose opponent does."""
    game = PieKalah(Kalah(7, 3))

    def swapping(game, state):
        return SWAP if SWAP in game.moves(state) else game.moves(state)[-1]

    def playing(game, state):
        return max(move for move in game.moves(state))

    expected = swapping if mode == "swaps" else playing
    other = playing if mode == "swaps" else swapping
    games = []
    with closing_players([parse_player(command("manchester", mode), "pie")]) as [program]:
        for player in (program, expected):
            seats = [player, other] if is_south else [other, player]
            games.append([*play_moves(game, seats, game.start())])
    assert games[0] == games[1]
    # South's first move is the pit nearest the store, and no extra turn.
    assert [move for move, _ in games[0]].count(SWAP) == (is_south != (mode == "swaps"))


KINDS = {
    "crashes": "crashed",
    "crashes later": "crashed",
    "is silent": "silent",
    "is late": "late",
    "is illegal": "illegal",
    "writes garbage": "unreadable",
    "floods": "unreadable",
    "writes other bytes": "unreadable",
    "exits": "crashed",
    "ignores SIGTERM": "silent",
}


@pytest.fixture
def fifo(tmp_path):
    """Make a FIFO; afterwards check that no process of a program is alive to hold it."""
    path = tmp_path / "alive"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    yield path
    data = b"x"
    while data:  # until no process has the other end
        assert select.select([reader], [], [], 30)[0], "a process of the program still runs"
        data = os.read(reader, 100)
    os.close(reader)


@pytest.mark.parametrize("mode", KINDS)
@pytest.mark.parametrize("dialect", LINES)
def test_a_fault_has_its_kind_and_kills_all_processes(dialect, mode, fifo, monkeypatch):
    waits = mode in ("is silent", "is late", "ignores SIGTERM")
    monkeypatch.setattr("kalahlab.players.programs.program_player.STARTUP", 1.5 if waits else 60)
    text = command(dialect, mode, "300ms" if waits else MANY, fifo)
    game = Kalah(7 if dialect == "manchester" else 6, 4)
    seats = parse_player(text), random_player(1)
    with closing_players(seats) as players, pytest.raises(Fault) as caught:
        play_game(game, *players)
    assert caught.value.kind == KINDS[mode]
    if mode.startswith("crashes"):
        assert "ends with status 1; on stderr: KeyError: 'oops'" in caught.value.reason
    if mode == "exits":
        assert "ends with status 0" in caught.value.reason


@pytest.mark.parametrize("mode", KINDS)
def test_of_a_process_a_move_the_last_line_counts(mode, fifo, monkeypatch):
    waits = mode in ("is silent", "ignores SIGTERM")
    monkeypatch.setattr("kalahlab.players.programs.program_player.MOVE_STARTUP", 0)
    text = command("kgpc", mode, "700ms" if waits else MANY, fifo)
    with closing_players([parse_player(text)]) as [program]:
        program.new_game(Kalah(), Kalah().start())
        if mode in ("is late", "crashes later"):  # each process is asked only once
            assert program.choose(Kalah(), Kalah().start()) == 5
            return
        with pytest.raises(Fault) as caught:
            program.choose(Kalah(), Kalah().start())
    assert caught.value.kind == KINDS[mode]


@pytest.mark.parametrize("dialect", ["kgpc", "homework"])
def test_the_start_of_a_process_a_move_has_time_of_its_own(dialect, monkeypatch):
    monkeypatch.setattr("kalahlab.players.programs.program_player.MOVE_STARTUP", 60)
    text = command(dialect, limits="1ms")  # Python takes longer to start
    if dialect == "kgpc":  # the other agent answers twice, and its first line would be the last
        text = f"exec:1ms:{shlex.quote(sys.executable)} -S -E -c 'print(5)'"
    with closing_players([parse_player(text)]) as [program]:
        assert program.choose(Kalah(), Kalah().start()) == 5


def test_after_the_first_line_the_time_for_the_start_is_over(fifo, monkeypatch):
    monkeypatch.setattr("kalahlab.players.programs.program_player.MOVE_STARTUP", 10_000)
    held = shlex.quote(f"exec 3>{fifo}; echo 4; exec sleep 10000")  # no line follows
    with closing_players([parse_player(f"exec:kgpc:1ms:sh -c {held}")]) as [program]:
        assert program.choose(Kalah(), Kalah().start()) == 4


def test_the_reason_of_silence_has_both_its_causes_and_the_time_for_the_start(monkeypatch):
    monkeypatch.setattr("kalahlab.players.programs.program_player.MOVE_STARTUP", 0.01)
    program = parse_player("exec:kgpc:1ms:sleep 10000")
    with pytest.raises(Fault) as caught, closing_players([program]):
        play_game(Kalah(), program, random_player(1))
    assert caught.value.reason == (
        "has written nothing after 1 ms and 10 ms for its start: it is still searching, or does "
        "not flush its output"
    )


ILLEGAL = {
    "kgpc": "answers 99, which is pit 100; the legal moves are 0, 2, 3, which are named 1, 3, 4",
    "buet": "plays pit 99; the legal moves are 1, 3, 4",
    "json": "plays pit 99; the legal moves are 1, 3, 4",
}


@pytest.mark.parametrize("dialect", ILLEGAL)
def test_an_illegal_move_is_told_in_the_numbers_of_the_program_too(dialect):
    state = State((1, 0, 1, 1, 0, 2, 1, 1, 1, 0), 0)
    player = parse_player(command(dialect, "is illegal"))
    with closing_players([player]) as [program], pytest.raises(Fault) as caught:
        program.choose(Kalah(4, 2), state)
    assert caught.value.reason == ILLEGAL[dialect]


def test_the_homework_needs_a_state_that_a_turn_leads_to(tmp_path):
    game = Kalah(3, 2)
    files = {
        "unreadable": ["", "1 2\n", "a b c\n0 0 0\n0\n0\n"],
        "illegal": ["0 0 0\n0 0 0\n0\n12\n", "2 2 2 2\n2 2 2 2\n0\n0\n", "2 2 2\n2 2 2\n0\n0\n"],
    }
    for kind, texts in files.items():
        for number, text in enumerate(texts):
            script = tmp_path / f"{kind}{number}.py"
            script.write_text(f"if {text!r}: open('next_state.txt', 'w').write({text!r})")
            player = parse_player(f"exec:homework:{MANY}:{sys.executable} -S -E {script}")
            with closing_players([player]) as [program], pytest.raises(Fault) as caught:
                play_game(game, program, random_player(1))
            assert caught.value.kind == kind


def test_processor_time_and_the_time_for_a_game_are_limits(tmp_path):
    script = tmp_path / "busy.py"
    script.write_text("while True: pass")
    busy = f"{MANY}:cpu=100ms:{sys.executable} -S -E {script}"
    program = parse_player(f"exec:buet:{busy}")
    with pytest.raises(Fault, match=r"100 ms of processor time") as caught:
        play_game(Kalah(), program, random_player(1))
    assert caught.value.kind == "silent"
    with closing_players([parse_player(command("json", limits=f"{MANY}:game=100000ms"))]) as [one]:
        one.new_game(Kalah(), Kalah().start())
        one.seconds = 100.0
        with pytest.raises(Fault, match=r"has used up its 100 s for the game"):
            one.choose(Kalah(), Kalah().start())
        one.new_game(Kalah(), Kalah().start())
        assert one.choose(Kalah(), Kalah().start()) == 5


DRIVER = """
import sys, time
from kalahlab.players.programs.process import Program
program = Program(sys.argv[1:])
print(program.read_line(program.start_deadline(60)), flush=True)
time.sleep(10_000)
"""


def test_a_program_ends_with_the_process_that_started_it(fifo):
    agent = [sys.executable, "-S", "-E", str(AGENTS), "buet", "sleeps", str(fifo)]
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, *agent], stdout=subprocess.PIPE)
    assert driver.stdout.readline() == b"ready\n"
    driver.kill()
    driver.wait()
    driver.stdout.close()


REFUSED = {
    "exec:": "has no command",
    "exec:buet:": "has no command",
    "exec:./nobody": "program './nobody' cannot be found",
    "exec:quick:./agent": "with a dialect of kgpc, buet,",
    "exec:'": "No closing quotation",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_command_that_cannot_be_run_is_refused(text):
    with pytest.raises(ValueError, match=REFUSED[text]) as error:
        parse_player(text)
    assert "\n" not in f"{error.value}"


def test_only_a_text_of_a_person_runs_a_program():
    with pytest.raises(ValueError, match="runs a program; only parse_player makes it"):
        make_player("exec:buet:/bin/true never named")


def test_a_program_that_cannot_be_started_loses_the_game(tmp_path):
    file = tmp_path / "agent"
    file.write_text("no program")
    file.chmod(0o755)
    program = parse_player(f"exec:{file}")
    row = play_pair(Pair(program, "random:1", Kalah(3, 2).start(), Kalah(3, 2)))
    assert row["faulty_1"] == row["faulty_2"] == "one"
    assert row["reason_1"].startswith("crashed: it cannot be started: ")


def test_a_program_without_a_watchdog_is_killed(fifo, monkeypatch):
    def fail(group):
        os.close(os.open(fifo, os.O_RDONLY))  # waits until the program has the other end
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(process, "_start_watchdog", fail)
    with pytest.raises(Fault, match=r"cannot be started: .* no more processes"):
        Program(["/bin/sh", "-c", f"exec sleep 10000 >{shlex.quote(str(fifo))}"])


def test_a_program_that_has_closed_its_output_may_fill_stderr():
    program = Program(["/bin/sh", "-c", "exec >&-; head -c 200000 /dev/zero >&2; exit 3"])
    with pytest.raises(Fault, match="ends with status 3"):
        program.read_line(program.start_deadline(60))
    program.kill(grace=0)


def test_a_program_that_reads_nothing_is_at_fault():
    program = Program([sys.executable, "-S", "-E", "-c", "import time; time.sleep(10_000)"])
    with pytest.raises(Fault, match="does not read its input"):
        write_much(program)
    program.kill(grace=0)


def write_much(program):
    for _ in range(100):
        program.write("x" * 60_000)
