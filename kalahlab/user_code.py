"""User functions: which files hold them, what they may import, and how their exits are told."""

import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from signal import SIGINT, default_int_handler, getsignal
from traceback import FrameSummary, extract_tb
from types import FrameType
from typing import Any, NoReturn

_WHERE = "_user_line"  # an attribute of errors, which are sent without their traceback
_LIBRARIES = [
    *map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")),
    *(path for path in sys.path if path.endswith("-packages")),  # of the user, of the system
]
# How files begin that are not a user's own: ours, libraries, and code of no file.
_NOT_USERS = ("<", *(os.path.join(str(path), "") for path in (Path(__file__).parent, *_LIBRARIES)))
# How the files of Python begin that import a module for others.
_IMPORTERS = ("<frozen ", os.path.dirname(sys.modules["importlib"].__file__ or ""))


def is_users_own(file: str) -> bool:
    return not file.startswith(_NOT_USERS)


def _user_frames(error: BaseException) -> list[FrameSummary]:
    return [frame for frame in extract_tb(error.__traceback__) if is_users_own(frame.filename)]


def user_line(error: BaseException) -> str:
    """`FILE, line N` of the innermost line of a user's own that an error passed; `""` if none."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}"
    frames = _user_frames(error)
    here = f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else ""
    return here or str(vars(error).get(_WHERE, ""))


def keep_user_line(error: BaseException) -> None:
    """Keep the `user_line` of an error with it, for a process that gets it without traceback."""
    setattr(error, _WHERE, user_line(error))


# Imports: the folder of user functions is on no path, as data may lie in it, too.


class UserModules:
    """Finds the modules of the folders that user functions come from, for user code only.

    It stands last in `sys.meta_path`. A library that tries an optional import finds nothing: a
    folder called `lxml` beside a user's files holds data. A user's module may import those beside
    it, also while one of its functions runs.
    """

    folders: list[str] = []  # noqa: RUF012  # of the process
    requested = ""  # the module that is being imported by its path

    def __repr__(self) -> str:
        return "<UserModules>"  # the same in each run

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if path is None and (name == cls.requested or _imported_by_user(sys._getframe(1))):
            return PathFinder.find_spec(name, cls.folders)
        return None

    @classmethod
    def add(cls, folder: str) -> None:
        """Find modules in this folder first."""
        cls.folders[:] = [folder, *(other for other in cls.folders if other != folder)]
        if cls not in sys.meta_path:
            sys.meta_path.append(cls)


def _imported_by_user(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_filename.startswith(_IMPORTERS):
        frame = frame.f_back
    return frame is not None and is_users_own(frame.f_code.co_filename)


@contextmanager
def importing(name: str) -> Iterator[None]:
    """Let the module of this name be found in the working folder, whoever imports it."""
    with suppress(FileNotFoundError):  # a working folder that was deleted
        UserModules.add(os.getcwd())
    UserModules.requested = name.partition(":")[0].partition(".")[0]
    try:
        yield
    finally:
        UserModules.requested = ""


# Exits: a user function that ends the process would end a command without an answer or a word.

# What ends more than a user's function: the process, or a loop of ours that it is called in.
ENDS = SystemExit, StopIteration
MODULE = "<module>"  # what Python calls the code of a module that is not in a function


def exit_error(who: str, error: BaseException) -> RuntimeError:
    """Return the error that an end of the process, or of a loop, in a user's function becomes.

    who: what was called, as `evaluator mine.f`, or `MODULE` if it was being imported.
    """
    call = f"raises {type(error).__name__}"
    if isinstance(error, SystemExit):
        call = f"calls {getattr(error, 'call', f'sys.exit({error.code!r})')}"
    advice = "it must return, or raise an error"
    if who == MODULE:
        advice = "write that below: if __name__ == '__main__':"
    found = RuntimeError(f"{who} {call}; {advice}")
    function = "".join(f", in {frame.name}" for frame in _user_frames(error)[-1:])
    setattr(found, _WHERE, user_line(error) + function.replace(f", in {MODULE}", ""))
    return found


def ending_function(error: BaseException) -> str:
    """Return the user's function, or `<module>`, that raised this to end the process, or `""`.

    A Ctrl-C may strike while a user function runs. It is told apart where Python's handler of
    it is replaced: then the innermost frame is the new handler's.
    """
    frames = extract_tb(error.__traceback__)
    users = _user_frames(error)
    if not users:
        return "a function" if isinstance(error, SystemExit) else ""
    may_be_ctrl_c = getsignal(SIGINT) is default_int_handler or frames[-1] != users[-1]
    if isinstance(error, KeyboardInterrupt) and may_be_ctrl_c:
        return ""
    return users[-1].name


@contextmanager
def refusing_exits(*exits: type[Exception]) -> Iterator[None]:
    """Raise an error in place of what a user function raises to end the process.

    exits: the errors that the caller's framework takes for an end.
    """
    try:
        yield
    except BaseException as error:
        ends = not isinstance(error, Exception) or isinstance(error, exits)
        if ends and (function := ending_function(error)):
            raise exit_error(function, error) from error
        raise


class OsExit(SystemExit):
    """What `os._exit` raises where user code calls it."""

    def __init__(self, status: object) -> None:
        super().__init__(status)
        self.call = f"os._exit({status!r})"


def guard_os_exit() -> None:
    """Let `os._exit` raise `OsExit` in this process where user code calls it.

    A process that a user's code forked may end as it likes.
    """
    exit_at_once, process = os._exit, os.getpid()
    if exit_at_once.__module__ == __name__:
        return

    def _exit(status: int) -> NoReturn:
        frame = sys._getframe().f_back
        caller = "" if frame is None else frame.f_code.co_filename
        if os.getpid() == process and (is_users_own(caller) or caller.startswith("<")):
            raise OsExit(status)
        exit_at_once(status)

    for module in (os, sys.modules[os.name]):  # posix and nt have it, too
        setattr(module, "_exit", _exit)  # noqa: B010  # a function that mypy knows
