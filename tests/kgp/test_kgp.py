"""The client and the server of the Kalah Game Protocol, with each other and with wrong programs."""

import csv
import json
import socket
import threading
from contextlib import suppress
from dataclasses import replace
from itertools import count

import pytest

from kalahlab.games.kalah import NORTH, SOUTH, Kalah
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import PRESETS
from kalahlab.kgp.agent import MOST_LINES, Agent
from kalahlab.kgp.client import Evaluation, Freeplay, Verification, take_part
from kalahlab.kgp.connection import Connection, Disconnected, connect, listen, parse_address
from kalahlab.kgp.problems import check_solution, read_flag, solve_problem
from kalahlab.kgp.protocol import (
    FIRST_CLIENT_ID,
    FIRST_SERVER_ID,
    Command,
    Word,
    parse_command,
)
from kalahlab.kgp.server import Findings, Practice, measure_agreement, serve
from kalahlab.players.model import as_player

KGP = PRESETS["kgp"]
SMALL = Kalah(3, 2, KGP)
GO_KGP = Kalah(3, 0, KGP)  # for positions of any size
GENEROUS = 300.0  # seconds: no test waits for them


def first(game, state):
    return game.moves(state)[0]


def last(game, state):
    return game.moves(state)[-1]


class Server:
    """A practice server on a free port, with what it has said and finished."""

    def __init__(self, boards=(SMALL,), opponent=last, seconds=GENEROUS, **settings):
        self.events = []
        self.finished = []
        self.listener = listen("localhost", 0)
        self.port = self.listener.getsockname()[1]
        practice = Practice(
            boards,
            "last",
            lambda: as_player(opponent),
            seconds,
            self.review,
            lambda game, state: state.board[0],
            self.events.append,
            **settings,
        )
        self.thread = threading.Thread(target=self.run, args=(practice,), daemon=True)
        self.thread.start()

    def run(self, practice):
        with suppress(OSError):  # when the listener is shut down
            serve(self.listener, practice)

    def review(self, finished):
        self.finished.append(finished)
        return Findings(("a line",), "file:///game.html")

    def connection(self):
        return Connection(connect("localhost", self.port), FIRST_CLIENT_ID)

    def program(self):
        return Program(connect("localhost", self.port))


class Program:
    """A program that writes and reads lines as it likes."""

    def __init__(self, sock):
        sock.settimeout(GENEROUS)
        self.socket = sock
        self.file = sock.makefile("rb")

    def write(self, *lines):
        self.socket.sendall("".join(f"{line}\r\n" for line in lines).encode())

    def read(self, word):
        """Return the next line with a word; fail at the end."""
        for line in self.file:
            if word in line.decode():
                return line.decode().strip()
        raise AssertionError(f"the server left without {word}")

    def read_all(self):
        return self.file.read().decode()


@pytest.fixture
def make_server():
    servers = []

    def make(**settings):
        servers.append(Server(**settings))
        return servers[-1]

    yield make
    for server in servers:
        server.listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        server.thread.join(GENEROUS)
        server.listener.close()


def play(server, choose=first, **options):
    settings = []
    messages = []
    work = Freeplay(as_player(choose), messages.append, hold_seconds=0)
    names = {"info:name": "first", "auth:token": "secret"} | options
    take_part(server.connection(), work, names, lambda *pair: settings.append(pair))
    return work, settings, messages


def play_alone(game, side, choose=first, opponent=last):
    """Return the moves of a game without any server."""
    state = game.start()
    moves = []
    while not game.is_over(state):
        moves.append((choose if state.player == side else opponent)(game, state))
        state = game.play(state, moves[-1])
    return tuple(moves), game.outcome(state)[side] - game.outcome(state)[1 - side]


@pytest.mark.parametrize("board", [(1, 1), (2, 3), (6, 4), (8, 8), (12, 3)])
def test_games_are_played_as_without_a_server(make_server, board):
    game = Kalah(*board, KGP)
    server = make_server(boards=(game, SMALL))
    work, settings, messages = play(server)
    assert [finished.side for finished in server.finished] == [SOUTH, NORTH] * 2
    for finished, kalah in zip(server.finished, (game, game, SMALL, SMALL), strict=True):
        moves, margin = play_alone(kalah, finished.side)
        # As North, the client sees the board from its own side and plays the same pits.
        assert finished.record.moves == moves
        assert finished.points == (0 if margin < 0 else 1 if margin == 0 else 2)
        assert finished.notes == ()
        names = ("first", "last") if finished.side == SOUTH else ("last", "first")
        assert finished.record.players == names
    results = [value for option, value in settings if option == "kalahlab:result"]
    assert results[:-1] == [finished.result for finished in server.finished]
    assert results[-1] == f"{sum(finished.points for finished in server.finished)} of 8 points"
    assert settings.count(("kalahlab:review", "a line")) == 4
    assert ("game:uri", "file:///game.html") in settings
    assert messages == []
    assert work.late == 0


def test_several_clients_play_at_once(make_server):
    server = make_server(boards=(SMALL,))
    errors = []

    def visit():
        try:
            play(server)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=visit) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(GENEROUS)
    assert errors == []
    assert len(server.finished) == 12


def test_a_full_server_sends_clients_away(make_server):
    server = make_server(most_agents=1)
    guest = server.program()
    guest.write("mode freeplay")
    guest.read("ok")
    text = server.program().read_all()
    assert "The server is full" in text
    assert text.endswith(" goodbye\r\n")
    guest.write("goodbye")
    guest.read_all()  # the server has closed the connection


# What pykgp writes: ids, quotation marks around options, a move for each better choice, yield.
def test_a_program_that_improves_its_moves_as_pykgp_does(make_server):
    server = make_server()
    program = server.program()
    program.read("kgp 1 0 1")
    program.write(
        '1 set "info:name" "minmax"', '3 set "auth:token" "a \\"b\\""', '5 mode "freeplay"'
    )
    assert "@5 ok" in program.read("ok")
    ids = count(7, 2)
    while "points" not in (line := program.read(" ")):
        if " state " not in line:
            continue
        number, _, board = line.split()
        moves = SMALL.moves(parse_board(board))
        for move in (*moves, moves[0]):
            program.write(f"{next(ids)}@{number} move {move + 1}")
        program.write(f"{next(ids)}@{number} yield")
        assert program.read("stop").endswith(f"@{number} stop")
    assert program.read_all().endswith(" goodbye\r\n")
    for finished in server.finished:
        assert finished.record.moves == play_alone(SMALL, finished.side)[0]
        assert "minmax" in finished.record.players


def begin(server):
    """Return a program that has been asked for its first move, and the id of the question."""
    program = server.program()
    program.write("5 mode freeplay")
    return program, program.read(" state ").split()[0]


@pytest.mark.parametrize(
    ("move", "settings"),
    [
        ("move 9", "Illegal move '9'; use one of 1, 2, 3"),
        ("move 0", "Illegal move '0'"),
        ("move", "Illegal move ''"),
        ("move 1 2", "Illegal move '1 2'"),
        ("move \x07", "Illegal move '\\\\x07'"),
        ("move 1.5", "Illegal move '1.5'"),
    ],
)
def test_an_illegal_move_loses_the_game_unless_a_better_one_follows(make_server, move, settings):
    server = make_server()
    program, number = begin(server)
    program.write(f"7@{number} {move}")
    assert f'@7 error "{settings}' in program.read("error")
    program.write(f"9@{number} move 1", f"11@{number} {move}", f"13@{number} yield")
    assert "you lose: Illegal move" in program.read("kalahlab:result")
    program.read("kalahlab:review")
    assert server.finished[0].record.moves == ()
    assert server.finished[0].record.fault.startswith("South (")
    assert ") loses, Illegal move" in server.finished[0].record.fault
    assert server.finished[0].points == 0
    assert format_board(SMALL.start()) in server.finished[0].result
    number = program.read(" state ").split()[0]  # the next game
    program.write(f"15@{number} {move}", f"17@{number} move 1", f"19@{number} yield", "goodbye")
    program.read_all()


def test_yield_alone_makes_a_random_move_and_is_told(make_server):
    program, number = begin(make_server())
    while True:
        program.write(f"@{number} yield")
        line = program.read(" ")
        if "kalahlab:result" in line:
            break
        if " state " in line:
            number = line.split()[0]
    assert "only yield in <3," in program.read("kalahlab:note")


# No clock is needed: with no time at all, each question ends before it is answered.
def test_silence_is_a_ping_and_then_a_random_move(make_server):
    server = make_server(seconds=0)
    program, _ = begin(server)
    pings = 0
    while "kalahlab:result" not in (line := program.read(" ")):
        if line.endswith(" ping"):
            pings += 1
            program.write(f"@{line.split()[0]} pong")
    assert "no move in 0 s in <3,0,0,2,2,2,2,2,2>: the random move" in program.read(":note")
    program.read("kalahlab:review")
    assert pings == len(server.finished[0].notes) > 0


class ScriptedConnection:
    """A connection on which commands arrive in a fixed order; None is the end of the time."""

    def __init__(self, *commands):
        self.commands = [*commands]
        self.sent = []

    def send(self, name, *args, ref=None):
        self.sent.append(name)
        return len(self.sent)

    def receive(self, deadline):
        return self.commands.pop(0)


@pytest.mark.parametrize("ref", [None, 1])
def test_a_late_move_counts_for_no_later_question(ref):
    answers = [Command("move", (1,), ref=ref), None, Command("move", (2,), ref=ref)]
    pong = [Command("pong")] if ref is None else []
    connection = ScriptedConnection(*answers, *pong, Command("yield"))
    agent = Agent(connection)
    replies = [agent.ask_move(SMALL, SMALL.start(), GENEROUS).args for _ in range(2)]
    assert replies == [(1,), ()]
    assert connection.sent == ["state", "stop", *["ping" for _ in pong], "state", "stop"]


def test_an_agent_that_answers_no_ping_and_one_without_a_mode_are_sent_away():
    for lines in ([], ["mode freeplay"]):
        ours, theirs = socket.socketpair()
        program = Program(theirs)
        agent = Agent(Connection(ours, FIRST_SERVER_ID), handshake_seconds=0)
        if lines:
            agent.handshake_seconds = GENEROUS
            program.write(*lines)
            assert agent.greet() == "freeplay"
            agent.handshake_seconds = 0
            with pytest.raises(Disconnected, match="no pong"):
                agent.ask_move(SMALL, SMALL.start(), 0)
        else:
            with pytest.raises(Disconnected, match="no mode"):
                agent.greet()
        theirs.shutdown(socket.SHUT_WR)
        agent.close()
        assert program.read_all().endswith(" goodbye\r\n")


@pytest.mark.parametrize("mode", ["", " simple", " 7", " <2,0,0,1,1,1,1>", " freeplay2"])
def test_an_unknown_mode_is_an_error_and_goodbye(make_server, mode):
    program = make_server().program()
    program.write(f"5 mode{mode}")
    text = program.read_all()
    assert '@5 error "Unsupported mode; use freeplay, verify, eval"' in text
    assert text.endswith(" goodbye\r\n")


def test_wrong_lines_are_told_and_otherwise_ignored(make_server):
    server = make_server()
    program, number = begin(server)
    for line, settings in (
        ("@@", "is no command"),
        ("state <1,2>", "is not of the form"),
        ("x" * 20_000, "is too long"),
        ("7 frob", '@7 error "Unexpected command frob"'),
        ("9 mode freeplay", '@9 error "Unexpected command mode"'),
        ("a" * 16_000, "Unexpected command aaaa"),
        ("move " + "9" * 5000, "error"),
        (f"set info:name {'<' * 9}", "cannot be read"),
    ):
        program.write(line)
        assert settings in program.read("error")
    # Nothing comes back for what the protocol says to ignore.
    program.write(
        'set no:such "option"', "set info:name", "ok", "pong", "@998 move 1", "@998 yield"
    )
    program.write(f"@{number} move 1", f"@{number} yield")
    assert "stop" in program.read(" ")


def test_a_flood_of_lines_is_cut_off(make_server):
    program, number = begin(make_server())
    program.write(*[f"@{number} move 1"] * (MOST_LINES + 1))
    text = program.read_all()
    assert "Too many lines" in text


def test_half_a_line_and_then_the_end_is_no_move(make_server):
    server = make_server()
    program, number = begin(server)
    program.socket.sendall(f"@{number} move 1\r\n@{number} yie".encode())
    program.socket.shutdown(socket.SHUT_WR)
    program.read_all()
    assert server.finished == []
    assert "closed the connection" in server.events[-1]


def test_an_agent_that_leaves_in_the_middle_does_not_hurt_others(make_server):
    server = make_server(most_agents=2)
    for program, _ in [begin(server), begin(server)]:
        program.socket.close()
        program.file.close()
    while not server.finished:  # the server may still have to notice that they are gone
        with suppress(Disconnected):  # there is no room yet
            play(server)
    assert len(server.finished) == 2


def test_a_name_is_cut_to_one_line_of_letters(make_server):
    server = make_server()
    program = server.program()
    program.write(f'set info:name "a\x1b[2J \\n   b{"c" * 100}"', "mode freeplay", "goodbye")
    program.read_all()
    assert server.events[0].startswith("a[2J n bcc")
    assert len(server.events[0]) < 100
    assert server.events[0].isprintable()


class FailingOpponent:
    """A player that fails in a method, or makes an illegal move."""

    def __init__(self, method):
        self.method = method

    def new_game(self, game, state):
        if self.method == "new_game":
            raise RuntimeError("no\nidea")

    def choose(self, game, state, limit):
        if self.method == "choose":
            raise RuntimeError("no\nidea")
        return 99


@pytest.mark.parametrize(
    ("method", "reason"),
    [
        ("new_game", "RuntimeError: no idea"),
        ("choose", "RuntimeError: no idea"),
        ("illegal", "illegal move 99"),
    ],
)
def test_an_opponent_that_fails_loses_the_game_for_a_reason(make_server, method, reason):
    server = make_server(opponent=FailingOpponent(method))
    _, settings, _ = play(server)
    results = [value for name, value in settings if name == "kalahlab:result"]
    result = f"(3,2): you win, as the opponent has failed: {reason}"
    assert results == [f"South on {result}", f"North on {result}", "4 of 4 points"]
    assert [finished.points for finished in server.finished] == [2, 2]
    losers = [finished.record.fault.partition(" ")[0] for finished in server.finished]
    assert losers == ["North", "South"]
    assert not any(name == "error" for name, _ in settings)
    assert any(reason in event for event in server.events)


# The client


def run_client(server_lines, work, options=None):
    """Run a client on a server that only says these lines; return what the client wrote."""
    ours, theirs = socket.socketpair()
    program = Program(theirs)
    program.write(*server_lines)
    theirs.shutdown(socket.SHUT_WR)
    try:
        take_part(Connection(ours, FIRST_CLIENT_ID), work, options or {}, lambda *pair: None)
    finally:
        ours.close()
        written = program.read_all()
    return written.splitlines()


def test_a_client_plays_as_it_did_on_go_kgp(oracles):
    """Replay a logged connection, in which one move came too early for the server."""
    text = (oracles / "kgp" / "freeplay.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    answers = SimpleAnswers([])
    # Held back as long as here, `yield` never comes before `stop`: only moves are compared.
    work = Freeplay(as_player(last), answers.messages.append, hold_seconds=GENEROUS)
    work.start(answers.send, lambda: None)
    ids = {}  # ours, by those of the log
    moves = 0
    for line in lines:
        command = parse_command(line["line"].encode())
        if command.name == "move":
            moves += 1
            answers.wait_for_number(moves)
            own_id, *sent = answers.sent[-1]
            assert sent == ["move", *command.args, command.ref]
            ids[command.id] = own_id
        elif line["from"] == "server" and command.name in ("state", "stop", "error"):
            work.receive(replace(command, ref=ids.get(command.ref, command.ref)))
    assert len(answers.sent) == moves > work.answered > 10
    assert (work.late, answers.messages) == (0, [])
    work.stop()


def test_a_move_that_came_too_early_is_sent_again_before_yield():
    sent = []
    answers = SimpleAnswers(sent)
    work = Freeplay(as_player(first), answers.messages.append, hold_seconds=GENEROUS)
    work.start(answers.send, lambda: None)
    work.receive(Command("state", (SMALL.start(),), 8))
    answers.wait_for("move")
    work.receive(Command("error", ("No state associated with id",), 10, sent[0][0]))
    work.receive(Command("error", ("No state associated with id",), 12, sent[1][0]))
    assert [line[1:] for line in sent] == [("move", 1, 8)] * 3
    work.receive(Command("stop", (), 14, 8))
    work.receive(Command("error", ("No state associated with id",), 16, sent[2][0]))
    assert len(sent) == 3  # not again after stop, and no yield
    work.receive(Command("error", ("out of stones",), 18, 999))
    assert answers.messages == ["the server says: out of stones"]
    work.stop()


class SimpleAnswers:
    """What a work sends, with an event for each command."""

    def __init__(self, sent):
        self.sent = sent
        self.messages = []
        self.ids = count(1, 2)
        self.changed = threading.Condition()

    def send(self, name, *args, ref=None):
        with self.changed:
            own_id = next(self.ids)
            self.sent.append((own_id, name, *args, ref))
            self.changed.notify_all()
        return own_id

    def wait_for_number(self, number):
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.sent) >= number, GENEROUS)

    def wait_for(self, name):
        with self.changed:
            has_name = lambda: any(line[1] == name for line in self.sent)  # noqa: E731
            assert self.changed.wait_for(has_name, GENEROUS)


VERSION = "2 kgp 1 0 1"


def test_a_client_says_who_it_is_and_answers_a_ping_while_it_thinks():
    thinks = threading.Event()
    go_on = threading.Event()

    def choose(game, state):
        thinks.set()
        assert go_on.wait(GENEROUS)
        return 0

    ours, theirs = socket.socketpair()
    program = Program(theirs)
    work = Freeplay(as_player(choose), print, hold_seconds=0)
    names = {"info:name": 'a "b"', "auth:token": "secret"}
    arguments = Connection(ours, FIRST_CLIENT_ID), work, names, lambda *pair: None
    thread = threading.Thread(target=take_part, args=arguments)
    thread.start()
    program.write(VERSION, f"4 state {format_board(SMALL.start())}")
    assert thinks.wait(GENEROUS)
    program.write("6 ping")
    assert program.read("pong") == "7@6 pong"
    go_on.set()
    assert program.read("move") == "9@4 move 1"
    assert program.read("yield") == "11@4 yield"
    program.write("goodbye")
    thread.join(GENEROUS)
    assert not thread.is_alive()
    assert work.answered == 1


def test_a_client_writes_these_lines_first():
    assert run_client(
        [VERSION, "4 goodbye"], Freeplay(as_player(first), print), {"info:name": 'a "b"'}
    ) == [
        '1 set info:name "a \\"b\\""',
        "3 mode freeplay",
    ]


def test_a_move_that_was_stopped_is_not_sent():
    work = Freeplay(as_player(first), print, hold_seconds=0)
    answers = SimpleAnswers([])
    work.receive(Command("state", (SMALL.start(),), 4))
    work.receive(Command("stop", (), 6, 4))
    work.receive(Command("stop", (), 6, 4))
    work.receive(Command("state", (SMALL.start(),), 8))
    work.start(answers.send, lambda: None)
    answers.wait_for("yield")
    assert [line[1:] for line in answers.sent] == [("move", 1, 8), ("yield", 8)]
    assert (work.answered, work.late) == (1, 1)
    work.stop()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["2 kgp 2 0 0"], "version 2.0.0; this client speaks 1"),
        (["HTTP/1.1 400 Bad Request"], "does not speak the Kalah Game Protocol"),
        (["2 ping"], "does not speak the Kalah Game Protocol"),
        ([VERSION, '4@1 error "Unsupported mode"'], "refuses mode freeplay: Unsupported mode"),
        ([], "closed the connection"),
        ([VERSION], "closed the connection"),
    ],
)
def test_a_client_says_in_one_line_why_it_cannot_take_part(lines, message):
    with pytest.raises((ValueError, Disconnected), match=message):
        run_client(lines, Freeplay(as_player(first), print))


def test_a_client_ignores_what_it_does_not_know_and_answers_wrong_lines():
    lines = [VERSION, "set a b", "set", "dance 1", "ok", "state", "state 1", "@@", "goodbye"]
    *_, mode, error = run_client(lines, Freeplay(as_player(first), print))
    assert mode == "1 mode freeplay"
    assert error.startswith("3 error \"'@@' is no command")


def test_an_error_of_the_player_ends_the_client(make_server):
    def fail(game, state):
        raise RuntimeError("no idea")

    with pytest.raises(RuntimeError, match="no idea"):
        play(make_server(), fail)


def test_a_server_that_plays_on_after_a_majority_gets_a_move():
    work = Freeplay(as_player(first), print, hold_seconds=0)
    answers = SimpleAnswers([])
    work.start(answers.send, lambda: None)
    work.receive(Command("state", (parse_board("<2,9,0,0,1,1,1>"),), 4))
    answers.wait_for("move")
    assert answers.sent[0][2] == 2
    work.stop()


# Verification and evaluation


def test_our_client_solves_the_problems_of_our_server(make_server):
    server = make_server(boards=(SMALL, Kalah(6, 6, KGP)))
    work = Verification(20)
    settings = {}
    take_part(server.connection(), work, {}, settings.__setitem__)
    assert (work.answered, work.errors) == (20, [])
    assert settings["kalahlab:result"] == "20 of 20 problems solved"


def test_our_client_evaluates_the_positions_of_our_server(make_server):
    server = make_server()
    settings = {}
    take_part(
        server.connection(), Evaluation(lambda board, player: -board[0]), {}, settings.__setitem__
    )
    assert settings["kalahlab:result"].startswith("20 of 20 positions evaluated")
    assert "0% are in the order" in settings["kalahlab:result"]


def test_agreement_counts_pairs():
    assert measure_agreement([(1, 1), (2, 2), (3, 3)]) == 1
    assert measure_agreement([(3, 1), (2, 2), (1, 3)]) == 0
    assert measure_agreement([(0, 1), (0, 2)]) == 0.5
    assert measure_agreement([(1, 1), (2, 1), (0, 2)]) == 0
    assert measure_agreement([]) == 1


def test_problems_are_solved_as_by_go_kgp(oracles):
    with open(oracles / "kgp" / "solutions.csv", newline="") as file:
        rows = [*csv.DictReader(file)]
    for row in rows:
        after, is_repeat = solve_problem(GO_KGP, parse_board(row["board"]), int(row["move"]))
        assert (format_board(after), is_repeat) == (row["after"], row["repeat"] == "yes"), row
    assert {row["repeat"] for row in rows} == {"yes", "no"}


# Boards that are rare in its problems, worked by hand from the rules of its source; moves from 0.
@pytest.mark.parametrize(
    ("board", "pit", "after", "is_repeat"),
    [
        ("<3,0,0,0,0,1,1,1,1>", 2, "<3,1,3,0,0,0,0,0,0>", True),  # over, but a repeat all the same
        ("<3,0,0,1,0,0,1,1,3>", 0, "<3,2,4,0,0,0,0,0,0>", False),  # a capture in the middle
        ("<2,9,0,1,1,1,1>", 0, "<2,11,2,0,0,0,0>", False),  # decided before, and swept
    ],
)
def test_rare_problems_are_solved_by_the_rules(board, pit, after, is_repeat):
    assert solve_problem(GO_KGP, parse_board(board), pit) == (parse_board(after), is_repeat)


def verify(*received):
    """Return what a verification sends for these commands."""
    sent = []
    answers = SimpleAnswers(sent)
    work = Verification(10)
    work.start(answers.send, lambda: None)
    for command in received:
        work.receive(command)
    return [line[1:4] for line in sent], work


def test_verification_learns_from_errors_how_a_server_counts_and_writes():
    state = parse_board("<3,0,0,1,2,1,2,2,2>")
    counted_from_1 = solve_problem(GO_KGP, state, 0)[0], solve_problem(GO_KGP, state, 1)[0]
    problem = Command("problem", (state, 1), 2)
    sent, work = verify(problem, Command("error", ("Expected state",), 4, 1), problem)
    assert [line[1] for line in sent] == [*counted_from_1]
    # go-kgp reads no numbers: a repeat move that is told by 1 is an error there.
    repeat = Command("problem", (state, 3), 2)
    sent, work = verify(repeat, Command("error", ("Was a repeat move",), 4, 1), repeat)
    assert [line[2] for line in sent] == [1, "true"]
    assert (work.answered, work.errors) == (1, ["Was a repeat move"])
    # A move 0 can only count from 0.
    sent, work = verify(Command("problem", (state, 0), 2), Command("problem", (state, 1), 4))
    assert [line[1] for line in sent] == [*counted_from_1]


def test_solutions_are_checked():
    state = parse_board("<3,0,0,1,2,1,2,2,2>")
    after, is_repeat = solve_problem(GO_KGP, state, 2)
    assert is_repeat
    for truth in (1, -3, "true", "yes", Word("t")):
        assert check_solution(GO_KGP, state, 2, (after, truth)) == ""
    for lie in (0, 0.0, "no", Word("false"), "perhaps", state):
        assert check_solution(GO_KGP, state, 2, (after, lie)) == "Was a repeat move"
    assert check_solution(GO_KGP, state, 0, (after, 0)).startswith("Expected state <3,")
    assert check_solution(GO_KGP, state, 0, ()) == "Write solution BOARD NUMBER"
    over, _ = solve_problem(GO_KGP, parse_board("<2,0,0,0,1,2,2>"), 1)
    for either in (0, 1):
        assert check_solution(GO_KGP, parse_board("<2,0,0,0,1,2,2>"), 1, (over, either)) == ""
    assert read_flag("perhaps") is None


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("localhost", ("localhost", 2671)),
        ("127.0.0.1:80", ("127.0.0.1", 80)),
        ("[::1]:0", ("::1", 0)),
        (" kalah.kwarc.info:2671 ", ("kalah.kwarc.info", 2671)),
    ],
)
def test_addresses(text, address):
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text", ["", ":1", "a:b", "a:65536", "a:1:2", "wss://kalah.kwarc.info/socket"]
)
def test_wrong_addresses(text):
    with pytest.raises(ValueError, match="cannot be read; use HOST or HOST:PORT") as error:
        parse_address(text)
    assert ("WebSocket" in str(error.value)) == ("://" in text)


def test_nobody_answers_and_nobody_can_listen():
    listener = listen("localhost", 0)
    port = listener.getsockname()[1]
    with pytest.raises(ValueError, match=f"cannot listen at localhost:{port}: "):
        listen("localhost", port)
    listener.close()
    with pytest.raises(ValueError, match=f"there is no server at localhost:{port}: "):
        connect("localhost", port)


def test_new_games_are_noticed_without_being_told():
    begun = []

    class Player:
        def new_game(self, game, state):
            begun.append(format_board(state))

        def choose(self, game, state, limit):
            return game.moves(state)[0]

    work = Freeplay(as_player(Player()), print, hold_seconds=0)
    answers = SimpleAnswers([])
    boards = [
        "<2,0,0,2,2,2,2>",
        "<2,1,0,2,1,2,2>",
        "<2,0,0,2,2,2,2>",
        "<2,0,0,2,2,2,2>",
        "<1,0,0,1,1>",
    ]
    for number, board in enumerate(boards):
        work.receive(Command("state", (parse_board(board),), 2 * number + 2))
    work.start(answers.send, lambda: None)
    work.stop()
    answers.wait_for_number(10)
    assert begun == [boards[0], *boards[2:]]


def test_goodbye_arrives_although_not_all_lines_were_read():
    ours, theirs = socket.socketpair()
    program = Program(theirs)
    agent = Agent(Connection(ours, FIRST_SERVER_ID))
    program.write("mode freeplay", *["move 1"] * 50)
    theirs.shutdown(socket.SHUT_WR)
    agent.greet()
    agent.leave()
    agent.close()
    assert program.read_all().endswith(" goodbye\r\n")
