"""Sockets that send and receive commands of the Kalah Game Protocol over TCP."""

import re
import socket
import threading
import time
from collections import deque
from contextlib import suppress

from kalahlab.formatting import StableRepr
from kalahlab.kgp.protocol import PORT, Argument, Command, Endpoint

SEND_SECONDS = 20  # the longest that a send waits for a program that does not read
LINGER_SECONDS = 2  # the longest that the end of a connection waits for the other side to end it


class Disconnected(ConnectionError):
    """Raised when the other side is gone, does not read, or must be sent away."""


class Connection(StableRepr):
    """One end of a connection. One thread receives; any thread may send."""

    def __init__(self, sock: socket.socket, first_id: int) -> None:
        with suppress(OSError):  # a pair of sockets of one process has no such option
            # Send each line at once: two lines in a row would otherwise wait for an answer.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = sock
        self._endpoint = Endpoint(first_id)
        self._received = deque[Command | ValueError]()
        self._send_lock = threading.Lock()

    def send(self, name: str, *args: Argument, ref: int | None = None) -> int:
        """Send a command and return its id.

        Raises:
            Disconnected: The other side is gone or does not read.
            ValueError: An argument cannot be written.
        """
        with self._send_lock:
            own_id, line = self._endpoint.send(name, *args, ref=ref)
            try:
                self._socket.settimeout(SEND_SECONDS)
                self._socket.sendall(line)
            except OSError as error:
                raise Disconnected(f"the connection is lost: {error}") from None
        return own_id

    def receive(self, deadline: float | None = None) -> Command | ValueError | None:
        """Return the next command, an error for a wrong line, or None after the deadline.

        Args:
            deadline: A time of `time.monotonic`; None to wait as long as it takes.

        Raises:
            Disconnected: The other side is gone.
        """
        while not self._received:
            remaining = None if deadline is None else deadline - time.monotonic()
            if remaining is not None and remaining <= 0:
                return None
            try:
                self._socket.settimeout(remaining)
                data = self._socket.recv(1 << 16)
            except (TimeoutError, BlockingIOError):  # also those of a send in another thread
                continue
            except OSError as error:
                raise Disconnected(f"the connection is lost: {error}") from None
            if not data:
                raise Disconnected("the other side closed the connection")
            self._received += self._endpoint.receive(data)
        return self._received.popleft()

    def finish(self) -> None:
        """End the connection so that the other side can still read what was sent.

        A connection that is closed with unread lines is reset, and a goodbye on it may be lost.
        """
        deadline = time.monotonic() + LINGER_SECONDS
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
            while (remaining := deadline - time.monotonic()) > 0:
                self._socket.settimeout(remaining)
                if not self._socket.recv(1 << 16):
                    break
        self.close()

    def close(self) -> None:
        """Close the connection; a thread that waits for a command is told that it is lost."""
        with suppress(OSError):  # the other side may be gone
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def parse_address(text: str) -> tuple[str, int]:
    """Return the host and the port of `HOST`, `HOST:PORT` or `[IPV6]:PORT`.

    Raises:
        ValueError: The port is no number from 0 to 65535, or the host is missing.
    """
    match = re.fullmatch(r"(\[[^\]]+\]|[^:\[\]]+)(?::(\d{1,5}))?", text.strip(), re.ASCII)
    if match is None or int(match[2] or 0) > 65_535:
        hint = "use HOST or HOST:PORT, such as localhost:2671"
        if "://" in text:
            hint += "; WebSocket is not supported, only TCP"
        raise ValueError(f"address {text!r} cannot be read; {hint}")
    return match[1].strip("[]"), int(match[2] or PORT)


def connect(host: str, port: int, seconds: float = 20) -> socket.socket:
    """Return a socket that is connected to a server.

    Raises:
        ValueError: Nothing answers there; the message names the address.
    """
    try:
        return socket.create_connection((host, port), timeout=seconds)
    except OSError as error:
        reason = error.strerror or "no answer in time"
        raise ValueError(f"there is no server at {host}:{port}: {reason}") from None


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that accepts connections; the port 0 stands for any free port.

    Raises:
        ValueError: The address cannot be used; the message names it.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=64)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ValueError(
            f"cannot listen at {host}:{port}: {reason}; use another --port, or 0 for a free one"
        ) from None
