"""Programs as players: `exec:./agent --flag`.

exec:./agent --flag                  a program that speaks the dialect kgpc, 5 seconds a move
exec:buet:1000ms:./agent             speaks the dialect buet, and has a second a move
exec:json:cpu=500ms:game=60000ms:./agent
                                     500 ms of processor time a move, and a minute a game
exec:homework:depth=4:python hw.py   is told the depth 4

The parts before the command may have any order. The command is split as by a shell, without any
expansion.
"""

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import Kalah
from kalahlab.games.pie import SWAP, PieKalah
from kalahlab.players.model import Fault
from kalahlab.players.programs.dialects import DIALECTS, Dialect, Talk
from kalahlab.players.programs.process import Program
from kalahlab.search.limits import Limit, Seconds

USUAL_LIMIT = Seconds(5)  # that of FAU's tournament
STARTUP = 5.0  # the seconds that a process may take longer for its first answer
MOVE_STARTUP = 1.0  # the same for a process that answers one question only
LONGEST_ANSWER = 100_000  # bytes of a file with an answer
_LIMIT = re.compile(r"(?:(cpu|game)=)?([1-9]\d{0,8})ms", re.ASCII)
_DEPTH = re.compile(r"depth=([1-9]\d{0,2})", re.ASCII)


@dataclass(frozen=True)
class Limits:
    """The time of a program.

    Attributes:
        move: The most time for a move.
        processor: The most processor time for a move, in seconds; None for no limit.
        game: The most time for all moves of a game, in seconds; None for no limit.
    """

    move: Seconds = USUAL_LIMIT
    processor: float | None = None
    game: float | None = None

    def within(self, seconds: float) -> "Limits":
        """Return these limits with at most so many seconds for a move."""
        return replace(self, move=Seconds(min(seconds, self.move.s)))


@dataclass(frozen=True)
class ProgramSpec:
    """The parts of the text of a program; see the docstring of this module."""

    command: tuple[str, ...]
    dialect: str = "kgpc"
    limits: Limits = field(default_factory=Limits)
    depth: int = 3

    @classmethod
    def parse(cls, text: str) -> "ProgramSpec":
        """Parse a text; raise `ValueError` if it names no command that can be found."""
        dialect, depth = "kgpc", 3
        limits: dict[str, Any] = {}
        rest = text.partition(":")[2]
        while ":" in rest:
            part, _, after = rest.partition(":")
            if part in DIALECTS:
                dialect = part
            elif match := _LIMIT.fullmatch(part):
                seconds = int(match[2]) / 1000
                names = {"cpu": "processor", "game": "game", None: "move"}
                limits[names[match[1]]] = seconds if match[1] else Seconds(seconds)
            elif match := _DEPTH.fullmatch(part):
                depth = int(match[1])
            else:
                break
            rest = after
        return cls(_split_command(rest, text), dialect, Limits(**limits), depth)


def _split_command(command: str, text: str) -> tuple[str, ...]:
    """Return the words of a command; raise `ValueError` if its program does not exist."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise ValueError(f"player {text!r}: {error}") from None
    if not words:
        raise ValueError(f"player {text!r} has no command; write exec:./agent")
    if shutil.which(words[0]) is None:
        raise ValueError(
            f"program {words[0]!r} cannot be found, or is not executable; a player is "
            f"exec:[DIALECT:][1000ms:]COMMAND with a dialect of {', '.join(DIALECTS)}"
        )
    return words


class ProcessPlayer(StableRepr):
    """A player that lives in a process, which has a time for each move and for each game.

    A process starts with the first question. If the player makes a fault, the process is killed,
    and a new game needs a new process.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.seconds = 0.0  # that the moves of the game took
        self._program: Program | None = None

    def __call__(self, game: Any, state: Any) -> Any:
        """Return a move, so that code that calls its players as functions can call this one."""
        return self.choose(game, state, None)

    def choose(self, game: Any, state: Any, limit: Limit | None) -> Any:
        raise NotImplementedError

    def new_game(self, game: Any, state: Any) -> None:
        self.seconds = 0.0

    def close(self) -> None:
        self._stop()

    def _stop(self, goodbye: str = "", at_once: bool = False) -> None:
        program, self._program = self._program, None
        if program is None:
            return
        try:
            if goodbye:
                program.write(goodbye)
        except Fault:
            at_once = True
        finally:
            if at_once:
                program.kill(grace=0.0)
            else:
                program.kill()

    def _time_for_move(self, limit: Limit | None) -> float:
        """Return the seconds for the next move; raise `Fault` if the time for the game is over."""
        seconds = self.limits.move.s
        if isinstance(limit, Seconds):
            seconds = min(seconds, limit.s)
        if self.limits.game is not None:
            seconds = min(seconds, self.limits.game - self.seconds)
        if seconds <= 0:
            raise Fault("late", f"has used up its {self.limits.game:g} s for the game")
        return seconds


class ProgramPlayer(ProcessPlayer):
    """A player that is another program, asked in a dialect of `DIALECTS`."""

    def __init__(self, spec: ProgramSpec) -> None:
        super().__init__(spec.limits)
        self._spec = spec
        self._dialect: Dialect = DIALECTS[spec.dialect]()
        self._start: Any = None
        self._talk: Talk | None = None
        self._arguments: tuple[str, ...] = ()
        self._planned = list[int]()  # further moves of the turn that the program has answered

    def new_game(self, game: Any, state: Any) -> None:
        if not isinstance(game, PieKalah) and type(game) is not Kalah:
            raise ValueError(f"programs play Kalah, not {type(game).__name__}")
        super().new_game(game, state)
        self._start = state
        self._talk = None
        self._planned.clear()
        if not self._dialect.is_stateless:
            self._stop(self._dialect.goodbye)

    def close(self) -> None:
        self._stop(self._dialect.goodbye)

    def choose(self, game: Any, state: Any, limit: Limit | None = None) -> Any:
        if not self._planned:
            self._planned = [*self._ask(game, state, limit)]
        move = self._planned.pop(0)
        legal = game.moves(state)
        if move not in legal:
            self._stop(at_once=True)
            raise Fault("illegal", self._describe_illegal(game, state, move))
        return move

    def _describe_illegal(self, game: Any, state: Any, move: int) -> str:
        """Describe an illegal move, in the numbers of the program if they are not those of pits."""
        legal = game.moves(state)
        names = ", ".join(game.move_name(state, other) for other in legal)
        assert self._talk is not None
        first = self._dialect.first_pit(self._talk)
        if move == SWAP or first == 1:
            name = "swap" if move == SWAP else f"pit {move + 1}"
            return f"plays {name}; the legal moves are {names}"
        answers = ", ".join(f"{other + first}" for other in legal)
        return (
            f"answers {move + first}, which is pit {move + 1}; the legal moves are {answers}, "
            f"which are named {names}"
        )

    def _ask(self, game: Any, state: Any, limit: Limit | None) -> Sequence[int]:
        """Ask the program for its moves, at least one."""
        seconds = self._time_for_move(limit)
        talk = self._talk
        if talk is None:
            talk = self._talk = Talk(game, state if self._start is None else self._start, state)
        talk.state = state
        talk.milliseconds = round(1000 * seconds)
        talk.depth = self._spec.depth
        start = monotonic()
        try:
            if self._dialect.has_one_answer:
                answer = self._run_once(talk, seconds)
            else:
                answer = self._converse(talk, seconds)
            moves = self._dialect.parse(answer, talk)
        except BaseException:
            self._stop(at_once=True)
            raise
        self.seconds += min(seconds, monotonic() - start)
        talk.told, talk.answered = state, moves
        return moves

    def _converse(self, talk: Talk, seconds: float) -> str:
        """Return the next line that a running program writes, after a question."""
        question = self._dialect.ask(talk)
        arguments = self._dialect.arguments(talk)
        startup = 0.0
        if self._program is not None and arguments != self._arguments:
            self._stop(self._dialect.goodbye)
        if self._program is None:
            self._arguments = arguments
            self._program = Program([*self._spec.command, *arguments])
            startup = STARTUP
        self._program.write(question)
        deadline = self._program.start_deadline(seconds, self.limits.processor, startup)
        return self._program.read_line(deadline)

    def _run_once(self, talk: Talk, seconds: float) -> str:
        """Return the answer of a process that answers this question only."""
        dialect = self._dialect
        question = dialect.ask(talk)
        if not dialect.input_file:
            self._program = Program(self._spec.command)
            self._program.write(question)
            self._program.end_input()
            processor = self.limits.processor
            first = self._program.start_deadline(seconds, processor, MOVE_STARTUP)
            others = self._program.start_deadline(seconds, processor)
            answer = self._program.read_last_line(first, others)
            self._stop(at_once=True)
            return answer
        with TemporaryDirectory(prefix="kalahlab") as folder:
            Path(folder, dialect.input_file).write_text(question, encoding="utf-8")
            self._program = Program(_with_full_paths(self._spec.command), folder)
            processor = self.limits.processor
            self._program.wait(self._program.start_deadline(seconds, processor, MOVE_STARTUP))
            self._stop()
            return _read_answer(Path(folder, dialect.output_file))


def _with_full_paths(words: Sequence[str]) -> list[str]:
    """Return a command in which the files of the working folder have their full paths."""
    return [os.path.abspath(word) if os.path.exists(word) else word for word in words]


def _read_answer(file: Path) -> str:
    """Return the text of a file that a program has written; raise `Fault` if it has not."""
    try:
        with file.open("rb") as stream:
            return stream.read(LONGEST_ANSWER).decode()
    except FileNotFoundError:
        raise Fault("unreadable", f"writes no file {file.name}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Fault(
            "unreadable", f"writes a file {file.name} that cannot be read: {error}"
        ) from None
