"""A user's functions and classes as players in matches: an error of theirs loses the game.

With a time limit they run in a process of their own, which can be stopped, and in which they can
change nothing that other players use.
"""

import base64
import json
import os
import pickle
import sys
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, get_args

from kalahlab.games import Game
from kalahlab.names import message_with_notes
from kalahlab.players.factories import keep_reserve
from kalahlab.players.game_loop import check_move
from kalahlab.players.model import AdaptedPlayer, AnyPlayer, Fault, FaultKind, as_player
from kalahlab.players.programs.process import Program
from kalahlab.players.programs.program_player import Limits, ProcessPlayer
from kalahlab.search.limits import Limit, Seconds
from kalahlab.user_code import find_user_line, refusing_exits

IMPORT_TIME = 60.0  # the seconds that a process may take to import the user's code
LONGEST_MESSAGE = 1000  # characters of the message of an error
HOST = "kalahlab.players.programs.host"


class UserPlayer(AdaptedPlayer):
    """A player of a user, whose errors are faults that lose the game.

    It is told of a new game with its first move of the game, so that an error there is a fault too.
    """

    def __init__(self, player: AnyPlayer) -> None:
        super().__init__(as_player(player))
        self._start: tuple[Any, Any] | None = None  # what `new_game` of the player is to be told

    def new_game(self, game: Game, state: Any) -> None:
        self._start = game, state

    def choose(self, game: Game, state: Any, limit: Limit | None = None) -> Any:
        try:
            with refusing_exits():
                start, self._start = self._start, None
                if start is not None:
                    super().new_game(*start)
                move = super().choose(game, state, limit)
        except Fault:
            raise
        except Exception as error:
            raise Fault("crashed", describe_crash(error)) from error
        return check_move(game, state, move)

    def close(self) -> None:
        """Close the player; an error there changes no game, and is ignored."""
        with suppress(Exception), refusing_exits():
            super().close()


def describe_crash(error: BaseException) -> str:
    """Describe an error that user code raised, with its line."""
    location = find_user_line(error)
    if error.__cause__ is not None and not isinstance(error.__cause__, Exception):
        error = error.__cause__  # which would have ended the process; see `refusing_exits`
    if isinstance(error, SystemExit):
        action = f"calls {getattr(error, 'call', f'sys.exit({error.code!r})')}"
    else:
        message = message_with_notes(error)[:LONGEST_MESSAGE]
        action = f"raises {type(error).__name__}: {message}".removesuffix(": ")
    return f"{action} ({location})" if location else action


class HostedPlayer(ProcessPlayer):
    """A user's function or class in a process of its own, which runs `programs.host`.

    The answers of the process are text, so that it can do no more than choose moves.
    """

    def __init__(
        self,
        path: str,
        limits: Limits,
        own_limit: Limit | None = None,
        command: Sequence[str] = (),
        import_seconds: float = IMPORT_TIME,
    ) -> None:
        """Prepare a player.

        Args:
            path: The import path of the function or the class.
            limits: The time of the player.
            own_limit: What `choose` of the class gets; None for the time less a reserve.
            command: What starts the process; () for a process as this one.
            import_seconds: The time in which the process imports the user's code.
        """
        super().__init__(limits)
        self.__qualname__ = path
        self._command = command or (sys.executable, "-m", HOST, path)
        self._own_limit = own_limit
        self._import_seconds = import_seconds
        self._start: tuple[Any, Any] | None = None  # what `new_game` of the player is to be told

    def new_game(self, game: Any, state: Any) -> None:
        super().new_game(game, state)
        self._start = game, state

    def choose(self, game: Any, state: Any, limit: Limit | None = None) -> Any:
        seconds = self._time_for_move(limit)
        try:
            if self._program is None:
                self._start_host()
            start = monotonic()
            own_limit = self._own_limit or keep_reserve(Seconds(seconds))
            question = pickle.dumps((self._start, game, state, own_limit))
            assert self._program is not None
            self._program.write(base64.b64encode(question).decode() + "\n")
            answer = self._program.read_line(self._program.start_deadline(seconds))
            move = self._read_answer(game, state, answer)
        except BaseException:
            self._stop(at_once=True)
            raise
        self._start = None
        self.seconds += min(seconds, monotonic() - start)
        return move

    def _start_host(self) -> None:
        """Start the process, and wait until it has imported the user's code."""
        search_path = os.pathsep.join(filter(None, sys.path))
        environment = {**os.environ, "PYTHONPATH": search_path}
        self._program = Program(self._command, environment=environment)
        try:
            self._program.read_line(self._program.start_deadline(self._import_seconds))
        except Fault as fault:
            if fault.kind == "silent":
                raise Fault("late", f"is not imported in {self._import_seconds:g} s") from None
            raise

    @staticmethod
    def _read_answer(game: Any, state: Any, answer: str) -> Any:
        """Return the move of an answer of the host, or raise the fault that it tells."""
        legal = game.moves(state)
        try:
            data = json.loads(answer)
            if "kind" in data:
                if data["kind"] not in get_args(FaultKind):
                    raise ValueError(data["kind"])
                raise Fault(data["kind"], str(data["reason"]))
            return legal[int(data["index"])]
        except (ValueError, TypeError, LookupError):
            raise Fault("unreadable", f"writes {answer[:40]!r} in place of an answer") from None
