"""A client of the Kalah Game Protocol: takes part on a server in one of its modes.

    take_part(Connection(connect("localhost", 2671), FIRST_CLIENT_ID), work, options, print)

The work is a `Freeplay`, an `Evaluation` or a `Verification`; none of them has a socket.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import SOUTH, Kalah, State, stores
from kalahlab.games.notation import format_board
from kalahlab.kgp.connection import Connection, Disconnected
from kalahlab.kgp.problems import kalah_of, solve_problem
from kalahlab.kgp.protocol import VERSION, Argument, Command, Word

HANDSHAKE_SECONDS = 20.0  # the time for the server's first line
HOLD_SECONDS = 0.05
"""How long the word that no better move follows is held back, from the question on.

The server go-kgp sends a position before it can take a move for it. It answers a move that comes
too early by an error, but after an early `yield` it makes a random move. So the move is sent at
once, and again at each such error, and `yield` a little later.
"""
MOST_REPEATS = 100  # of a move

Send = Callable[..., int]
"""Sends a command, as `Connection.send` does."""


class Work(StableRepr):
    """What a client does on a server.

    Attributes:
        mode: The mode that the client requests.
        is_done: True if the client may leave.
        failure: The error that ended the work in another thread than that of the connection.
        answered: The number of questions that were answered.
    """

    mode = ""

    def __init__(self) -> None:
        self.is_done = False
        self.failure: Exception | None = None
        self.answered = 0

    def start(self, send: Send, abort: Callable[[], object]) -> None:
        """Begin.

        Args:
            send: Sends a command.
            abort: Ends the connection, after a failure.
        """
        self._send = send
        self._abort = abort

    def receive(self, command: Command) -> None:
        """Handle a command that is not one of the connection itself."""

    def stop(self) -> None:
        """End; the connection is over."""

    def close(self) -> None:
        """Release what the work holds, such as a player."""


def take_part(
    connection: Connection,
    work: Work,
    options: Mapping[str, str],
    tell: Callable[[str, str], object],
) -> None:
    """Take part on a server until it says goodbye, or the work is done.

    Args:
        connection: The connection, of which nothing has been read.
        work: What to do.
        options: What to set first, such as `info:name`.
        tell: Called with each option that the server sets, and its value; also with "error" and
            the message of an error that answers nothing.

    Raises:
        Disconnected: The server is gone without a goodbye.
        ValueError: The server speaks another protocol, or refuses the mode.
    """
    _check_version(connection)
    for option, value in options.items():
        connection.send("set", Word(option), value)
    mode_id = connection.send("mode", Word(work.mode))
    work.start(connection.send, connection.close)
    try:
        while not work.is_done:
            command = connection.receive()
            if not isinstance(command, Command):
                connection.send("error", str(command)[:200])
            elif command.name == "goodbye":
                return
            elif command.name == "ping":
                connection.send("pong", ref=command.id)
            elif command.name == "set" and len(command.args) == 2:
                tell(str(command.args[0]), str(command.args[1]))
            elif command.name == "error" and command.ref == mode_id:
                raise ValueError(f"the server refuses mode {work.mode}: {_join(command.args)}")
            elif command.name == "error" and command.ref is None:
                tell("error", _join(command.args))
            else:
                work.receive(command)
        connection.send("goodbye")
    except Disconnected:
        if work.failure is None:
            raise
    finally:
        work.stop()
    if work.failure is not None:
        raise work.failure


def _check_version(connection: Connection) -> None:
    """Read the version of the server; raise `ValueError` unless this client can speak it."""
    first = connection.receive(time.monotonic() + HANDSHAKE_SECONDS)
    if first is None:
        raise ValueError("the server says nothing; it may speak another protocol")
    if isinstance(first, ValueError) or first.name != "kgp" or not first.args:
        raise ValueError(f"the server does not speak the Kalah Game Protocol: {first!r:.120}")
    if first.args[0] != VERSION[0]:
        connection.send("error", "Protocol not supported", ref=first.id)
        connection.send("goodbye")
        version = ".".join(map(str, first.args))
        raise ValueError(f"the server speaks version {version:.40}; this client speaks 1")


def _join(args: tuple[Argument, ...]) -> str:
    return " ".join(map(str, args))[:200]


@dataclass
class Question:
    """A position for which the server waits for a move.

    Attributes:
        id: The id of the server's command.
        state: The position, with South to move.
        since: When it came, by `time.monotonic`.
        is_stopped: Set when the server reads no more moves for it.
        move: The move that was sent, from 1; 0 before that.
        repeats: How often the move was sent again.
    """

    id: int | None
    state: State
    since: float = field(default_factory=time.monotonic)
    is_stopped: Event = field(default_factory=Event)
    move: int = 0
    repeats: int = 0


class Freeplay(Work):
    """The moves of a player, which thinks in a thread of its own while the connection is read.

    Attributes:
        late: The number of positions for which the player took longer than the server waited.
    """

    mode = "freeplay"

    def __init__(
        self,
        player: Any,
        say: Callable[[str], object],
        hold_seconds: float = HOLD_SECONDS,
    ) -> None:
        """Prepare to play.

        Args:
            player: The player; see `players.model.Player`. Its moves are pits from 0, or None if
                the server is to choose the move.
            say: Called with each event, as one line.
            hold_seconds: See `HOLD_SECONDS`.
        """
        super().__init__()
        self.late = 0
        self._player = player
        self._last: State | None = None  # the position that the player was asked last
        self._say = say
        self._hold_seconds = hold_seconds
        self._questions = SimpleQueue[Question | None]()
        self._open = dict[int | None, Question]()
        self._moves = dict[int, Question]()  # by the id of the command that made the move
        self._lock = Lock()  # of `_moves`: an error may come before the id of its move is noted

    def start(self, send: Send, abort: Callable[[], object]) -> None:
        super().start(send, abort)
        Thread(target=self._work, daemon=True).start()

    def receive(self, command: Command) -> None:
        if command.name == "state" and command.args and isinstance(command.args[0], State):
            question = Question(command.id, command.args[0])
            # The ids of a server are unique; one that is used again is ignored, as in pykgp.
            if command.id is None or command.id not in self._open:
                self._open[command.id] = question
                self._questions.put(question)
        elif command.name == "stop":
            question_or_none = self._open.pop(command.ref, None)
            if question_or_none is not None:
                question_or_none.is_stopped.set()
        elif command.name == "error":
            self._handle_error(command)

    def stop(self) -> None:
        self._questions.put(None)
        for question in self._open.values():
            question.is_stopped.set()

    def close(self) -> None:
        self._player.close()

    def _handle_error(self, command: Command) -> None:
        """Send a move again that came too early; tell any other error."""
        with self._lock:
            question = self._moves.get(command.ref or 0)
        if question is None or "No state" not in _join(command.args):
            self._say(f"the server says: {_join(command.args)}")
        elif not question.is_stopped.is_set() and question.repeats < MOST_REPEATS:
            question.repeats += 1
            self._send_move(question)

    def _send_move(self, question: Question) -> None:
        with self._lock:
            own_id = self._send("move", question.move, ref=question.id)
            self._moves[own_id] = question

    def _work(self) -> None:
        try:
            while (question := self._questions.get()) is not None:
                self._answer(question)
        except Exception as error:  # the thread that reads the connection raises it
            if self.failure is None and not isinstance(error, Disconnected):
                self.failure = error
            self._abort()

    def _answer(self, question: Question) -> None:
        move = None
        if not question.is_stopped.is_set():
            move = self._choose_move(question.state)
        if question.is_stopped.is_set():
            self.late += 1
            self._say(f"too late for {format_board(question.state)}; use a shorter limit")
            return
        if move is not None:
            question.move = move + 1
            self._send_move(question)
            self.answered += 1
        held = time.monotonic() - question.since
        question.is_stopped.wait(max(0, self._hold_seconds - held))
        if not question.is_stopped.is_set():
            self._send("yield", ref=question.id)

    def _choose_move(self, state: State) -> int | None:
        """Return the player's move, a pit from 0 or None; tell the player if the game is new."""
        game = game_of(state)
        if self._last is None or is_new_game(self._last, state):
            self._player.new_game(game, state)
        self._last = state
        move = self._player.choose(game, state, None)
        return None if move is None else int(move)


def is_new_game(before: State, after: State) -> bool:
    """Return whether a position cannot follow another one in a game, as stones never leave stores.

    Servers do not have to say when a game begins, and go-kgp does not.
    """
    is_same_set = len(before.board) == len(after.board) and sum(before.board) == sum(after.board)
    pairs = zip(stores(before.board), stores(after.board), strict=True)
    return not is_same_set or before == after or any(old > new for old, new in pairs)


def game_of(state: State) -> Kalah:
    """Return the game in which a server asks for a move: that of go-kgp, if it is not over."""
    game = kalah_of(state)
    if game.is_over(state):  # this server plays on when a store has more than half of the stones
        return Kalah(game.pits, 0)
    return game


class Evaluation(Work):
    """The values of an evaluator, in the mode `eval`."""

    mode = "eval"

    def __init__(self, evaluate: Callable[[Any, int], float]) -> None:
        """Prepare to evaluate with a function `(board, player) -> number`."""
        super().__init__()
        self._evaluate = evaluate

    def receive(self, command: Command) -> None:
        if command.name == "state" and command.args and isinstance(command.args[0], State):
            value = float(self._evaluate(command.args[0].board, SOUTH))
            self._send("eval", value, ref=command.id)
            self.answered += 1


class Verification(Work):
    """The solutions of problems, in the mode `verify`.

    The specification says neither from where the move of a problem counts, nor how go-kgp writes
    truth. An error tells what the server means, and later solutions follow it.

    Attributes:
        errors: What the server found wrong.
    """

    mode = "verify"

    def __init__(self, most: int) -> None:
        """Prepare to solve so many problems, and then to leave, as go-kgp never ends by itself."""
        super().__init__()
        self.errors = list[str]()
        self._most = most
        self._first_pit = 1
        self._truths: tuple[Argument, Argument] = (0, 1)
        self._solutions = set[int]()

    def receive(self, command: Command) -> None:
        if command.name == "problem" and self.answered >= self._most:
            self.is_done = True
        elif command.name == "problem" and len(command.args) == 2:
            state, number = command.args
            if isinstance(state, State) and isinstance(number, int):
                self._solve(state, number, command.id)
        elif command.name in ("ok", "error") and command.ref in self._solutions:
            self.answered += 1
            if command.name == "error":
                self._learn(_join(command.args))

    def _solve(self, state: State, number: int, problem_id: int | None) -> None:
        pits = len(state.board) // 2 - 1
        if number == 0:
            self._first_pit = 0
        pit = min(max(0, number - self._first_pit), pits - 1)
        after, is_repeat = solve_problem(kalah_of(state), state, pit)
        truth = self._truths[1] if is_repeat else self._truths[0]
        self._solutions.add(self._send("solution", after, truth, ref=problem_id))

    def _learn(self, message: str) -> None:
        self.errors.append(message)
        if "repeat" in message:
            self._truths = (Word("false"), Word("true"))
        else:
            self._first_pit = 1 - self._first_pit
