"""The lines of the Kalah Game Protocol, without sockets.

    parse_command(b"10@8 move 3")  # Command("move", (3,), id=10, ref=8)

A line is an id, a reference to an id of the other side, a name and arguments; `Command` explains
them. Written from version 1.0.1 of the specification, which is also the version that the server
go-kgp announces. (Kaludercic and Völk, Kalah Game Protocol, sections "Formal Structure" and
"Protocol Overview".) What other programs write beyond its grammar is read, too: names of options
in quotation marks, and words with any characters.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite

from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import State
from kalahlab.games.notation import format_board, parse_board

PORT = 2671  # of go-kgp
VERSION = (1, 0, 1)
LONGEST_LINE = 16_384  # in bytes, with the end of the line
FIRST_SERVER_ID, FIRST_CLIENT_ID = 2, 1  # the ids of a server are even, those of a client are odd

# The groups are the id, the reference, the name and the arguments.
_COMMAND = re.compile(
    r"(?:(\d{1,18})?(?:@(\d{1,18}))?\s+)?([A-Za-z][A-Za-z0-9]*)(?:\s+(.*))?", re.ASCII | re.DOTALL
)
_ARGUMENT = re.compile(
    r'"(?P<string>(?:\\.|[^"\\])*)"'
    r"|(?P<board><[^>]*>)"
    r"|(?P<real>[+-]?\d*\.\d+)(?!\S)"
    r"|(?P<integer>[+-]?\d+)(?!\S)"
    r'|(?P<word>[^\s"<]\S*)',
    re.ASCII | re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?\d*\.?\d+", re.ASCII)
_WORD = re.compile(r"[0-9A-Za-z:-]+", re.ASCII)


class Word(str):
    """A text without quotation marks on its line, such as the option `info:name`."""

    __slots__ = ()


Argument = int | float | str | State


@dataclass(frozen=True)
class Command:
    """One line of the protocol.

    Attributes:
        name: The command, such as `state`.
        args: Its arguments: whole numbers, floats, strings, words and boards. The player to move
            on a board is South.
        id: The number that the sender gave to the line, if any.
        ref: The number of the line that this one answers, if any.
    """

    name: str
    args: tuple[Argument, ...] = ()
    id: int | None = None
    ref: int | None = None


def parse_command(line: bytes) -> Command | None:
    """Parse a line, with or without its end; return None if it is empty.

    Raises:
        ValueError: The line is too long, is no command, or an argument is none of the protocol.
    """
    if len(line) > LONGEST_LINE:
        raise ValueError(f"the line is too long; use at most {LONGEST_LINE:,} bytes")
    # A line may begin with spaces, as an id is optional but not the space after it.
    text = line.decode("utf-8", "replace").strip()
    if not text:
        return None
    match = _COMMAND.fullmatch(text) or _COMMAND.fullmatch(f" {text}")
    if match is None:
        raise ValueError(f"{text[:80]!r} is no command: write [ID][@REF] NAME ARGUMENT..")
    own_id, ref, name, args = match.groups()
    return Command(
        name,
        tuple(_parse_arguments(args or "")),
        None if own_id is None else int(own_id),
        None if ref is None else int(ref),
    )


def _parse_arguments(text: str) -> list[Argument]:
    args = list[Argument]()
    position = 0
    while position < len(text):
        match = _ARGUMENT.match(text, position)
        position = len(text) if match is None else match.end()
        if match is None or (position < len(text) and not text[position].isspace()):
            raise ValueError(f"the arguments {text[:80]!r} cannot be read")
        args.append(_parse_argument(match))
        while position < len(text) and text[position].isspace():
            position += 1
    return args


def _parse_argument(match: re.Match[str]) -> Argument:
    text = match[0]
    match match.lastgroup:
        case "string":
            return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
        case "board":
            return parse_board(text)
        case "real":
            return float(text)
        case "integer":
            return int(text)
    return Word(text)


def format_command(command: Command) -> bytes:
    """Return the line of a command, with its end.

    Raises:
        ValueError: A text cannot be printed, a float is not finite, or the line is too long.
    """
    own_id = "" if command.id is None else str(command.id)
    ref = "" if command.ref is None else f"@{command.ref}"
    head = f"{own_id}{ref} " if own_id or ref else ""
    words = [f"{head}{command.name}", *map(_format_argument, command.args)]
    line = f"{' '.join(words)}\r\n".encode()
    if len(line) > LONGEST_LINE:
        raise ValueError(
            f"the line {line[:40]!r}.. has {len(line):,} bytes; use at most {LONGEST_LINE:,}"
        )
    return line


def _format_argument(value: Argument) -> str:
    if isinstance(value, State):
        return format_board(value)
    if isinstance(value, float):
        return _format_real(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Word) and _WORD.fullmatch(value) and not _NUMBER.fullmatch(value):
        return str(value)
    if not value.isprintable():
        raise ValueError(f"{value[:80]!r} has characters that cannot be printed; leave them out")
    escaped = re.sub(r'(["\\])', r"\\\1", value)
    return f'"{escaped}"'


def _format_real(value: float) -> str:
    if not isfinite(value):
        raise ValueError(f"{value} is no number of the protocol; use a finite one")
    digits = f"{Decimal(repr(float(value))):f}"  # without an exponent
    return digits if "." in digits else f"{digits}.0"


class Endpoint(StableRepr):
    """One end of a connection: commands to bytes, bytes to commands. It has no socket.

    At most `LONGEST_LINE` bytes of an unfinished line are kept, whatever is received.

    Attributes:
        next_id: The id of the next command that is sent.
    """

    def __init__(self, first_id: int) -> None:
        self.next_id = first_id
        self._unfinished = b""

    def send(self, name: str, *args: Argument, ref: int | None = None) -> tuple[int, bytes]:
        """Return the id of a new command, and its bytes; see `format_command`."""
        own_id = self.next_id
        line = format_command(Command(name, args, own_id, ref))
        self.next_id += 2
        return own_id, line

    def receive(self, data: bytes) -> list[Command | ValueError]:
        """Return the commands of the lines that are now complete, and errors for wrong lines."""
        *lines, unfinished = (self._unfinished + data).split(b"\n")
        # A line that is too long is cut, but stays too long for `parse_command`.
        self._unfinished = unfinished[: LONGEST_LINE + 1]
        received = list[Command | ValueError]()
        for line in lines:
            try:
                command = parse_command(line)
            except ValueError as error:
                received.append(error)
            else:
                if command is not None:
                    received.append(command)
        return received
