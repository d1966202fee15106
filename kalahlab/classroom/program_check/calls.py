"""Calls of a user's functions in a process of their own: they may crash, exit, or never end."""

import multiprocessing
import os
import pickle
import signal
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from multiprocessing.connection import Connection
from numbers import Real
from typing import Any

import psutil

from kalahlab.formatting import StableRepr
from kalahlab.user_code import UserModules, find_user_line

CALL_SECONDS = 10.0  # of processor time that a call may take
MOST_LATE = 6  # calls that take too long, after which no more are made
LATE = "does not return within"  # begins the problem of a call that takes too long
PLAIN = (bool, int, float, str)  # types of values that are passed on as they are
PLAIN_PARTS = {*PLAIN, type(None)}  # a list of these alone, as a board is, is passed on whole
WAIT_SECONDS = 0.5  # between two looks at the processor time of a call
TOGETHER_SECONDS = 0.005  # in which outcomes are collected: each message takes as long as a call


@dataclass(frozen=True)
class Outcome:
    """What a call has led to.

    Attributes:
        value: What the function has returned, as lists, tuples, numbers and texts.
        problem: Why nothing was returned, such as `raises IndexError: ...`; "" if it was.
        after: The arguments after the call if it has changed them, else None. See `Caller`.
    """

    value: Any = None
    problem: str = ""
    after: tuple[Any, ...] | None = None


class Caller(StableRepr):
    """A process that calls functions, begun anew when a call has ended it.

    What a function prints is dropped, and its input is empty.
    """

    def __init__(
        self,
        functions: Sequence[Callable[..., Any]],
        seconds: float,
        calls_again: bool = False,
    ) -> None:
        """Prepare a process.

        Args:
            functions: The functions.
            seconds: The processor time of a call.
            calls_again: Whether the first function, if it has changed its arguments, is called with
                them again. If its answer is the same, they do not count as changed: a user's own
                board may have a counter.
        """
        self._functions = tuple(functions)
        self._seconds = seconds
        self._calls_again = calls_again
        self.late = 0  # calls that have not returned in time
        self._process: Any = None
        self._connection: Any = None
        self._begun: Any = None  # the number of calls of the last message that were begun

    def __enter__(self) -> "Caller":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the process, if there is one, and what the functions have started."""
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()  # it may not yet have a group
            self._process.join()
            self._connection.close()
            self._process = None

    def call(self, function: int, arguments: Sequence[Any]) -> Outcome:
        """Call the function with this number, and return what the call has led to."""
        [outcome] = self.call_all(function, [arguments])
        return outcome

    def call_all(self, function: int, calls: Sequence[Sequence[Any]]) -> list[Outcome]:
        """Call a function with each of these arguments; return what the calls have led to.

        Many calls at once take less time, as the two processes wait less for each other. The last
        outcome is that of a call that has ended the process or has not returned in time.
        """
        late = Outcome(problem=f"{LATE} {self._seconds:g} seconds")
        if self.late >= MOST_LATE:  # more of them would take minutes
            return [late]
        if self._process is None:
            self._start()
        outcomes = list[Outcome]()
        try:
            self._begun.value = 1
            self._connection.send((function, [*map(tuple, calls)]))
            while len(outcomes) < len(calls):
                if not self._wait():
                    self.stop()
                    outcomes = self._end_with(late, function, calls, outcomes)
                    self.late += 1
                    return outcomes
                outcomes += self._connection.recv()
        except (EOFError, OSError):
            self._process.join()
            code = self._process.exitcode
            self.stop()
            return self._end_with(Outcome(problem=describe_end(code)), function, calls, outcomes)
        return outcomes

    def _end_with(
        self,
        last: Outcome,
        function: int,
        calls: Sequence[Sequence[Any]],
        outcomes: list[Outcome],
    ) -> list[Outcome]:
        """Return the outcomes of all calls until the last one that was begun, which ended them.

        The process may have kept the outcomes of the calls just before, which are made again.
        """
        again = calls[len(outcomes) : self._begun.value - 1]
        repeated = self.call_all(function, again) if again else []
        if len(repeated) == len(again):
            repeated.append(last)
        return outcomes + repeated

    def _start(self) -> None:
        # A forked process has functions that cannot be pickled, as those of a notebook.
        method = "fork" if sys.platform == "linux" else "spawn"
        context: Any = multiprocessing.get_context(method)
        self._connection, theirs = context.Pipe()
        functions: Any = self._functions
        inherited = self._connection
        if method == "spawn":
            functions = pickle.dumps(functions)
            inherited = None
        self._begun = context.RawValue("q")
        folders = [*UserModules.folders]
        arguments = (theirs, inherited, functions, folders, self._calls_again, self._begun)
        self._process = context.Process(target=serve, args=arguments, daemon=True)
        with warnings.catch_warnings():
            # Newer Pythons warn of a fork beside threads, as there are in a notebook. The process
            # only calls functions of the user.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        theirs.close()

    def _wait(self) -> bool:
        """Wait for the answer of a call; return False if it has used up its time.

        A call that only sleeps uses no processor time, so it has ten times as long by the clock.
        """
        if self._connection.poll(WAIT_SECONDS):
            return True
        process = psutil.Process(self._process.pid)
        deadline = time.monotonic() + 10 * self._seconds
        with suppress(psutil.Error):
            begin = sum(process.cpu_times()[:2])
            while not self._connection.poll(WAIT_SECONDS):
                used = sum(process.cpu_times()[:2]) - begin
                if used + WAIT_SECONDS > self._seconds or time.monotonic() > deadline:
                    return False
        return True  # also if the process is gone, which the caller finds out


def describe_end(code: int | None) -> str:
    """Describe the end of a process that a call has ended."""
    if code is not None and code < 0:
        names = {number.value: number.name for number in signal.Signals}  # some have no name
        return f"ends Python by the signal {names.get(-code, -code)}"
    return f"ends Python with os._exit({code})"


def serve(
    connection: Connection,
    inherited: Connection | None,
    functions: Any,
    folders: list[str],
    calls_again: bool,
    begun: Any,
) -> None:
    """Call functions for the process that asks, until it closes the connection; see `Caller`.

    A forked process inherits the other end of the connection. While that is open here, the end of
    the process that asks cannot be seen.
    """
    if inherited is not None:
        inherited.close()
    if hasattr(os, "setsid"):
        os.setsid()  # a group of its own, which is killed with what the functions start
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(null, descriptor)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
    if isinstance(functions, bytes):
        for folder in folders:
            UserModules.add(folder)
        functions = pickle.loads(functions)
    while True:
        try:
            function, calls = connection.recv()
        except EOFError:
            return
        outcomes = []
        sent = time.monotonic()
        for number, arguments in enumerate(calls, start=1):
            begun.value = number
            outcome = call_function(functions[function], arguments)
            if calls_again and function == 0 and outcome.after is not None:
                again = call_function(functions[function], arguments)
                if (again.value, again.problem) == (outcome.value, ""):
                    outcome = replace(outcome, after=None)
            outcomes.append(outcome)
            if time.monotonic() > sent + TOGETHER_SECONDS or number == len(calls):
                connection.send(outcomes)
                outcomes, sent = [], time.monotonic()


def call_function(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """Call a function, and return what it returns, raises and changes."""
    before = simplify(arguments)
    try:
        value = function(*arguments)
        result = simplify(value)
    except KeyboardInterrupt as error:
        return Outcome(problem=describe_error(error))
    except BaseException as error:  # SystemExit, too
        return Outcome(problem=describe_error(error))
    after = simplify(arguments)
    return Outcome(result, after=after if after != before else None)


def describe_error(error: BaseException) -> str:
    """Return what a function did that raised an error, with the line: `raises IndexError: ...`."""
    if isinstance(error, SystemExit):
        action = f"calls sys.exit({error.code!r})"
    elif isinstance(error, RecursionError):
        action = "calls itself without end (RecursionError)"
    else:
        message = " ".join(f"{error}".split())[:200]
        action = f"raises {type(error).__name__}" + (f": {message}" if message else "")
    line = find_user_line(error)
    return f"{action} ({line})" if line else action


def simplify(value: Any) -> Any:
    """Return a value as lists, tuples, numbers and texts; of another object what it shows.

    An object with the attributes `value` and `move` becomes the pair of them, as the result of a
    search of this package does.
    """
    if value is None or isinstance(value, PLAIN):
        return value
    if isinstance(value, list):
        is_plain = PLAIN_PARTS.issuperset(map(type, value))
        return [*value] if is_plain else [simplify(part) for part in value]
    if hasattr(value, "value") and hasattr(value, "move"):
        return (simplify(value.value), simplify(value.move))
    if isinstance(value, tuple):
        is_plain = PLAIN_PARTS.issuperset(map(type, value))
        return tuple(value if is_plain else map(simplify, value))
    if hasattr(value, "tolist"):  # an array or a number of numpy
        return value.tolist()
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, dict):
        return {f"{name}": simplify(part) for name, part in value.items()}
    if is_dataclass(value):
        return tuple(simplify(getattr(value, field.name)) for field in fields(value))
    return format_argument(value)[:200]


def format_argument(value: Any) -> str:
    """Return an argument as in Python; of an object that shows only its address, the attributes."""
    if repr(value) == object.__repr__(value) and hasattr(value, "__dict__"):
        return f"{type(value).__name__}({vars(value)})"
    return repr(value)
