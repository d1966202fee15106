"""User functions: the files that contain them, their imports, and their attempts to exit."""

import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    PathFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from pathlib import Path
from signal import SIGINT, default_int_handler, getsignal
from traceback import FrameSummary, extract_tb, walk_tb
from types import FrameType
from typing import Any, NoReturn

# The attribute of an error with the result of `find_user_line`. It remains if the error is sent to
# another process, but the traceback does not.
_LOCATION_ATTRIBUTE = "_user_line"
_LIBRARY_FOLDERS = [
    *map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")),
    *(path for path in sys.path if path.endswith("-packages")),  # the user's and the system's
]
_PACKAGE = Path(__file__).parent
# Prefixes of the names of files that are not user code: `<`, as in `<string>`, of code without a
# file; this package and libraries. `os.path.join` adds the slash at the end of a folder.
_LIBRARY_PREFIXES = ("<", *(os.path.join(str(path), "") for path in (_PACKAGE, *_LIBRARY_FOLDERS)))
# Prefixes of the names of the files of Python's import system. Its frames stand between an import
# statement and a finder. (The `or ""` is for mypy, which does not know that importlib has a file.)
_IMPORT_SYSTEM_PREFIXES = ("<frozen ", os.path.dirname(sys.modules["importlib"].__file__ or ""))


def is_user_file(file: str) -> bool:
    """Return whether the file with this name is user code."""
    return not file.startswith(_LIBRARY_PREFIXES)


def _user_frames(error: BaseException) -> list[FrameSummary]:
    """Return the frames of user code in the error's traceback, the innermost last."""
    return [frame for frame in extract_tb(error.__traceback__) if is_user_file(frame.filename)]


def find_user_line(error: BaseException) -> str:
    """Return `FILE, line N` of the innermost line of user code in a traceback, or "" without one.

    Of an error from another process, return the line that `keep_user_line` stored in that process.
    """
    if isinstance(error, SyntaxError):  # no frame is the user's, but the error names the line
        return f"{error.filename}, line {error.lineno}"
    # `extract_tb` would also read the lines of the files, which takes long for many errors.
    places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    users = [place for place in places if is_user_file(place[0])]
    if users:
        file, line = users[-1]
        return f"{file}, line {line}"
    return str(vars(error).get(_LOCATION_ATTRIBUTE, ""))


def keep_user_line(error: BaseException) -> None:
    """Store the user's line in an error, so that `find_user_line` works in another process."""
    setattr(error, _LOCATION_ATTRIBUTE, find_user_line(error))


# Imports: the folder of user functions is not in `sys.path`, as it may also contain folders of data
# that have the names of modules.


class _SourceLoader(SourceFileLoader):
    """The loader of user code, which compiles it in each process.

    Python would run old bytecode if the source had as many bytes before its last change and was
    saved in the same second, by a program or by a fast hand.
    """

    def path_stats(self, path: str) -> NoReturn:
        raise OSError  # Python then neither reads nor writes bytecode


_make_finder = FileFinder.path_hook(
    (ExtensionFileLoader, EXTENSION_SUFFIXES),
    (_SourceLoader, SOURCE_SUFFIXES),
    (SourcelessFileLoader, BYTECODE_SUFFIXES),
)


def _make_user_finder(folder: str) -> Any:
    """Return what finds modules in a folder of user code; raise ImportError for other folders."""
    if not any(Path(folder).is_relative_to(other) for other in UserModules.folders):
        raise ImportError
    if not is_user_file(os.path.join(folder, "")):
        raise ImportError
    return _make_finder(folder)


class UserModules:
    """The finder of modules in the folders of user functions.

    The class itself, not an instance, is the finder, the last of `sys.meta_path`. It finds the
    `requested` module, whoever imports it, and any module that user code imports, also while a
    user function runs. For other imports it finds nothing: a library may try to import an optional
    `lxml`, but a folder of this name beside a user's files contains data.
    """

    folders: list[str] = []  # noqa: RUF012  # shared by the whole process
    requested = ""  # the top-level module of the import path that `importing` imports now

    def __repr__(self) -> str:
        # The class has no instances. But the tests require a `repr` without an address of each
        # public class.
        return "<UserModules>"

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        # Python passes `target` to each finder; only a reload would need it.
        # Submodules have a path: Python finds them by the folder of their package.
        if path is None and (name == cls.requested or _is_imported_by_user(sys._getframe(1))):
            return PathFinder.find_spec(name, cls.folders)
        return None

    @classmethod
    def add(cls, folder: str) -> None:
        """Add a folder, which is searched before the others, and register the finder."""
        if folder not in cls.folders:
            sys.path_importer_cache.pop(folder, None)  # a finder that would read bytecode
        cls.folders[:] = [folder, *(other for other in cls.folders if other != folder)]
        if cls not in sys.meta_path:
            sys.meta_path.append(cls)
            sys.path_hooks.insert(0, _make_user_finder)


def _is_imported_by_user(frame: FrameType | None) -> bool:
    """Return whether user code called the import system.

    Args:
        frame: The innermost frame of the import system.
    """
    while frame is not None and frame.f_code.co_filename.startswith(_IMPORT_SYSTEM_PREFIXES):
        frame = frame.f_back
    return frame is not None and is_user_file(frame.f_code.co_filename)


@contextmanager
def importing(name: str) -> Iterator[None]:
    """Let `UserModules` find the module of an import path, also in the working folder.

    Otherwise only user code could import the module, and not, for example, `pkgutil.resolve_name`.
    """
    with suppress(FileNotFoundError):  # the working folder was deleted
        UserModules.add(os.getcwd())
    # `a` of `a.b.f` and of `a.b:f`
    UserModules.requested = name.partition(":")[0].partition(".")[0]
    try:
        yield
    finally:
        UserModules.requested = ""


# Exits: a user function that ends the process would end a command without an answer or a message.

# Exceptions that end more than the user function: the process, or the loop that calls the function.
ENDS = SystemExit, StopIteration
MODULE = "<module>"  # Python's name for the code of a module outside of functions


def exit_error(who: str, error: BaseException) -> RuntimeError:
    """Return the error to raise when a user function tries to end the process or a loop.

    Args:
        who: The function, such as `evaluator mine.f`, or `MODULE` if a module was being imported.
        error: One of `ENDS`, or another exception that ends the process.
    """
    if isinstance(error, SystemExit):
        call = getattr(error, "call", f"sys.exit({error.code!r})")  # see `OsExit`
        action = f"calls {call}"
    else:
        action = f"raises {type(error).__name__}"
    if who == MODULE:
        advice = "write that below: if __name__ == '__main__':"
    else:
        advice = "it must return, or raise an error"
    location = find_user_line(error)
    frames = _user_frames(error)
    if frames and frames[-1].name != MODULE:  # code outside of functions has no name to add
        location += f", in {frames[-1].name}"
    refusal = RuntimeError(f"{who} {action}; {advice}")
    setattr(refusal, _LOCATION_ATTRIBUTE, location)
    return refusal


def ending_function(error: BaseException) -> str:
    """Return the name of the user function that raised an error to end the process.

    Returns:
        `MODULE` if a module raised the error while it was imported. "a function" for a SystemExit
        without a frame of user code: the user function may be `sys.exit` itself, which is written
        in C and has no frame. "" for other errors without a frame of user code, and for Ctrl-C.
    """
    frames = extract_tb(error.__traceback__)
    user_frames = _user_frames(error)
    if not user_frames:
        return "a function" if isinstance(error, SystemExit) else ""
    if isinstance(error, KeyboardInterrupt):
        # Did the user function raise it, or did a real Ctrl-C arrive while the function ran? With
        # Python's own handler this cannot be told, and it counts as real. With another handler the
        # innermost frame of a real Ctrl-C is the handler's.
        has_default_handler = getsignal(SIGINT) is default_int_handler
        is_raised_elsewhere = frames[-1] != user_frames[-1]
        if has_default_handler or is_raised_elsewhere:
            return ""
    return user_frames[-1].name


@contextmanager
def refusing_exits(*exits: type[Exception]) -> Iterator[None]:
    """Raise an `exit_error` in place of an exception by which a user function ends the process.

    Args:
        exits: Exceptions by which the caller's framework, such as click, ends the process.
    """
    try:
        yield
    except BaseException as error:
        # SystemExit and KeyboardInterrupt do not derive from Exception.
        may_end_process = not isinstance(error, Exception) or isinstance(error, exits)
        if may_end_process:
            function = ending_function(error)
            if function:
                raise exit_error(function, error) from error
        raise


class OsExit(SystemExit):
    """Raised by `os._exit` if user code calls it."""

    def __init__(self, status: object) -> None:
        super().__init__(status)
        self.call = f"os._exit({status!r})"


def guard_os_exit() -> None:
    """Make `os._exit` raise `OsExit` in this process if user code calls it.

    In a process that user code forks, `os._exit` still ends that process.
    """
    exit_at_once = os._exit
    process_id = os.getpid()
    if exit_at_once.__module__ == __name__:  # the `_exit` below: it is guarded already
        return

    def _exit(status: int) -> NoReturn:
        frame = sys._getframe().f_back
        caller = "" if frame is None else frame.f_code.co_filename
        # Here code without a file is also a user's: the code of a cell, or of an `exec`.
        if os.getpid() == process_id and (is_user_file(caller) or caller.startswith("<")):
            raise OsExit(status)
        exit_at_once(status)

    for module in (os, sys.modules[os.name]):  # the module posix or nt has the function, too
        setattr(module, "_exit", _exit)  # noqa: B010  # mypy refuses an assignment
