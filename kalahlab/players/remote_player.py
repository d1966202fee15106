"""Programs that connect to us and speak the Kalah Game Protocol, as players: `kgp:HOST:PORT`.

kgp:localhost:2671           waits at this address for a program, which has 5 seconds a move
kgp:localhost:2671:1000ms    which has a second a move

In the protocol a program connects to a server, so it is this package that waits. The program
plays by the rules of go-kgp, whatever the rules of the game are.
"""

import atexit
import re
import socket
import warnings
from contextlib import suppress
from functools import cache
from time import monotonic
from typing import Any

from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import SOUTH, Kalah, swap_sides
from kalahlab.kgp.agent import Agent
from kalahlab.kgp.connection import Connection, Disconnected, listen, parse_address
from kalahlab.kgp.protocol import FIRST_SERVER_ID
from kalahlab.notes import Note
from kalahlab.players.model import Fault
from kalahlab.search.limits import Limit, Seconds

USUAL_SECONDS = 5.0  # a move, as in FAU's tournament
WAIT_SECONDS = 60.0  # for a program that connects


class Port(StableRepr):
    """An address at which we wait for a program, and the program that has connected there."""

    def __init__(self, host: str, port: int, wait_seconds: float = WAIT_SECONDS) -> None:
        """Prepare to wait at an address.

        Args:
            host: The name or the address at which to listen.
            port: The port; 0 for any free one.
            wait_seconds: The time for a program to connect.
        """
        self._host = host
        self._port = port
        self._wait_seconds = wait_seconds
        self._listener: socket.socket | None = None
        self._agent: Agent | None = None

    def listen(self) -> socket.socket:
        """Return the socket that listens, which is made at the first call."""
        if self._listener is None:
            self._listener = listen(self._host, self._port)
        return self._listener

    def find_agent(self) -> Agent:
        """Return the program, after waiting for one if there is none.

        Raises:
            ValueError: No program connects, or the address cannot be used.
        """
        listener = self.listen()
        address = f"{self._host}:{listener.getsockname()[1]}"
        deadline = monotonic() + self._wait_seconds
        while self._agent is None:
            warnings.warn(Note(f"waiting for a program at {address}"), stacklevel=2)
            listener.settimeout(max(0.001, deadline - monotonic()))
            try:
                sock, _ = listener.accept()
            except TimeoutError:
                raise ValueError(
                    f"no program has connected to {address} in {self._wait_seconds:g} s; start it, "
                    "and let it connect there"
                ) from None
            self._agent = self._greet(Agent(Connection(sock, FIRST_SERVER_ID)))
        return self._agent

    def leave_agent(self) -> None:
        """Say goodbye to the program, if there is one."""
        agent, self._agent = self._agent, None
        if agent is not None:
            with suppress(Disconnected):
                agent.leave()
            agent.close()

    def close(self) -> None:
        """Say goodbye to the program, and listen no more."""
        self.leave_agent()
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def _greet(self, agent: Agent) -> Agent | None:
        """Return the program if it wants to play, or None after sending it away."""
        try:
            if agent.greet() == "freeplay":
                return agent
            agent.send_away("This server has the mode freeplay only")
        except Disconnected:
            agent.close()
        return None


class RemotePlayer(StableRepr):
    """A player that is the program at a port.

    The first game waits for a program to connect, and so does a game after the program has left.
    The program stays when the player is closed, as the next player may be the same: it is told
    goodbye when Python exits.

    Attributes:
        seconds: The most time for a move.
    """

    def __init__(self, port: Port, seconds: float = USUAL_SECONDS) -> None:
        """Make the player at a port, which has so many seconds for a move."""
        self._port = port
        self.seconds = seconds

    @classmethod
    def parse(cls, text: str) -> "RemotePlayer":
        """Return the player of `kgp:HOST:PORT[:LIMIT]`; raise `ValueError` for other texts."""
        match = re.fullmatch(r"kgp:(.+:\d+?)(?::([1-9]\d{0,8})ms)?", text, re.ASCII)
        if match is None:
            raise ValueError(
                f"player {text!r} is not kgp:HOST:PORT[:LIMIT], such as kgp:localhost:2671:1000ms"
            )
        seconds = int(match[2]) / 1000 if match[2] else USUAL_SECONDS
        return cls(_find_port(*parse_address(match[1])), seconds)

    def new_game(self, game: Any, state: Any) -> None:
        if type(game) is not Kalah:
            raise ValueError(f"programs play Kalah, not {type(game).__name__}")
        try:
            self._port.find_agent().tell_clock(self.seconds)
        except Disconnected:
            self._port.leave_agent()  # the first move waits for another program

    def choose(self, game: Any, state: Any, limit: Limit | None = None) -> Any:
        """Return the move of the program; a move that is the only legal one is made without it.

        Raises:
            Fault: The program makes no legal move in time, or leaves.
            ValueError: No program connects.
        """
        legal = game.moves(state)
        if len(legal) == 1:
            return legal[0]
        seconds = min(self.seconds, limit.s) if isinstance(limit, Seconds) else self.seconds
        seen = state if state.player == SOUTH else swap_sides(state)
        try:
            reply = self._port.find_agent().ask_move(game, seen, seconds)
        except Disconnected as error:
            self._port.leave_agent()
            raise Fault("crashed", f"has left: {error}") from None
        if reply.problem:
            raise Fault("illegal", f"is told: {reply.problem}")
        if reply.args:
            return int(str(reply.args[0])) - 1
        if reply.is_late:
            raise Fault("late", f"makes no move in {seconds:g} s")
        raise Fault("unreadable", "says yield without a move")

    def close(self) -> None:
        """Do nothing; see the docstring of the class."""


@cache
def _find_port(host: str, port: int) -> Port:
    """Return the port with this address, the same one each time; it is closed when Python exits."""
    new_port = Port(host, port)
    atexit.register(new_port.close)
    return new_port
