"""A program that has connected to us and speaks the Kalah Game Protocol: the server's side."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from typing import NoReturn

from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import Kalah, State
from kalahlab.kgp.connection import Connection, Disconnected
from kalahlab.kgp.protocol import VERSION, Argument, Command, Word

MOST_LINES = 1000  # lines that an agent may send in answer to one question
LONGEST_NAME, LONGEST_MESSAGE = 60, 200  # characters of what an agent sends, and is sent
MODES = ("freeplay", "verify", "eval")
HANDSHAKE_SECONDS = 20.0  # the time for the choice of a mode, and for a pong, as in go-kgp

Check = Callable[[tuple[Argument, ...]], str]
"""Returns what is wrong with the arguments of an answer, or ""."""


@dataclass(frozen=True)
class Reply:
    """The answer to a question.

    Attributes:
        args: The arguments of the last answer, such as the number of a pit; () without an answer.
        problem: What is wrong with them, or "".
        is_late: True if the time was over before the agent said that it has no better answer.
        has_ref: True if the answer names the question, as it should.
    """

    args: tuple[Argument, ...] = ()
    problem: str = ""
    is_late: bool = False
    has_ref: bool = True


class Agent(StableRepr):
    """The program at the other end of a connection.

    Each method raises `Disconnected` if the agent is gone, or has been sent away because it sends
    more than `MOST_LINES` lines in answer to a question.

    Attributes:
        name: The name that the agent has told, in one line, or "agent".
        handshake_seconds: The time for the choice of a mode, and for a pong.
    """

    def __init__(
        self, connection: Connection, handshake_seconds: float = HANDSHAKE_SECONDS
    ) -> None:
        self.name = "agent"
        self.handshake_seconds = handshake_seconds
        self._connection = connection
        self._lines = 0  # since the last question

    def send_version(self) -> None:
        """Send the version of the protocol, which must be the first line."""
        self._connection.send("kgp", *VERSION)

    def greet(self) -> str:
        """Send the version, and return the mode that the agent requests, one of `MODES`.

        An agent that requests no mode in time, or another one, is sent away.
        """
        self.send_version()
        deadline = time.monotonic() + self.handshake_seconds
        while (command := self._receive(deadline)) is not None:
            mode = command.args[0] if command.args else ""
            if command.name == "mode" and mode in MODES:
                self._connection.send("ok", ref=command.id)
                return str(mode)
            if command.name == "mode":
                self.send_away(f"Unsupported mode; use {', '.join(MODES)}", command.id)
            self._refuse(command)
        self.send_away("Requested no mode in time")

    def tell(self, option: str, value: str | int) -> None:
        """Set an option at the agent, which may ignore it."""
        self._connection.send("set", Word(option), value)

    def tell_clock(self, seconds: float) -> None:
        """Tell how much time the agent has for a move, in whole seconds."""
        # `time:mode` is a word, but FAU's client in Java reads it in quotation marks only.
        self.tell("time:mode", "relative")
        self.tell("time:clock", ceil(seconds))

    def ask_move(self, game: Kalah, state: State, seconds: float) -> Reply:
        """Ask for a move, and return the last one that the agent made in time, a pit from 1.

        An agent that makes none must answer a ping, or it is sent away. So must one whose moves do
        not name the question: a later one would count for the next question.
        """

        def check(args: tuple[Argument, ...]) -> str:
            legal = [pit + 1 for pit in game.moves(state)]
            if len(args) == 1 and isinstance(args[0], int) and args[0] in legal:  # not 3.0
                return ""
            move = " ".join(map(str, args))
            return f"Illegal move {move!r:.40}; use one of {', '.join(map(str, legal))}"

        reply = self.ask("state", (state,), "move", seconds, check, many=True)
        if reply.is_late and not (reply.args and reply.has_ref):
            self._ping()
        return reply

    def ask(
        self,
        name: str,
        args: tuple[Argument, ...],
        answer: str,
        seconds: float,
        check: Check,
        many: bool = False,
    ) -> Reply:
        """Ask a question, and return the answer to it.

        The agent is told at once if an answer is wrong, and if its only answer is right.

        Args:
            name: The command of the question.
            args: Its arguments.
            answer: The command of an answer.
            seconds: The time for an answer.
            check: Tells what is wrong with an answer.
            many: True if the agent may improve its answer until the time is over or it yields.
        """
        self._lines = 0
        own_id = self._connection.send(name, *args)
        deadline = time.monotonic() + seconds
        reply = Reply()
        while True:
            command = self._receive(deadline)
            if command is None:
                reply = replace(reply, is_late=True)
                break
            if command.name not in (answer, "yield"):
                self._refuse(command)
            elif command.ref in (own_id, None):  # else it answers an earlier question: ignored
                if command.name == "yield":
                    break
                has_ref = command.ref is not None
                reply = Reply(command.args, check(command.args), has_ref=has_ref)
                if reply.problem:
                    self._complain(reply.problem, command)
                elif not many:
                    self._connection.send("ok", ref=command.id)
                if not many:
                    break
        self._connection.send("stop", ref=own_id)
        return reply

    def send_away(self, reason: str, ref: int | None = None) -> NoReturn:
        """Tell the agent an error and goodbye, and raise `Disconnected`."""
        self._connection.send("error", reason, ref=ref)
        self.leave()
        raise Disconnected(reason)

    def leave(self) -> None:
        """Say goodbye."""
        self._connection.send("goodbye")

    def close(self) -> None:
        """End the connection."""
        self._connection.finish()

    def _ping(self) -> None:
        self._connection.send("ping")
        deadline = time.monotonic() + self.handshake_seconds
        while (command := self._receive(deadline)) is not None:
            if command.name == "pong":
                return
        self.send_away("Received no pong")

    def _receive(self, deadline: float) -> Command | None:
        """Return the next command that is not handled here, or None after the deadline."""
        while (command := self._connection.receive(deadline)) is not None:
            self._lines += 1
            if self._lines > MOST_LINES:
                self.send_away(f"Too many lines; send at most {MOST_LINES} in answer to a question")
            if isinstance(command, ValueError):
                self._connection.send("error", str(command)[:LONGEST_MESSAGE])
            elif command.name == "goodbye":
                raise Disconnected("said goodbye")
            elif command.name == "set":
                self._set_option(command)
            elif command.name not in ("ok", "error"):  # go-kgp ignores these, too
                return command
        return None

    def _set_option(self, command: Command) -> None:
        if len(command.args) == 2 and command.args[0] == "info:name":
            words = " ".join(str(command.args[1]).split())
            self.name = "".join(filter(str.isprintable, words))[:LONGEST_NAME].strip() or "agent"

    def _refuse(self, command: Command) -> None:
        """Tell the agent that a command is not expected now; a late answer or pong is ignored."""
        if command.name not in ("pong", "move", "yield", "eval", "solution"):
            self._complain(f"Unexpected command {command.name}", command)

    def _complain(self, message: str, about: Command) -> None:
        self._connection.send("error", message[:LONGEST_MESSAGE], ref=about.id)
