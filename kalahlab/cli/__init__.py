"""The command line: a thin layer over the package.

Every command prints a text for people, or with `--json` one JSON object. An error is one line on
stderr; the exit status is 2 if the input is bad, and 1 otherwise. Commands import heavy modules
inside of their functions, so that help and small commands are quick.
"""

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules
from typing import NoReturn

import click

from kalahlab import __version__
from kalahlab.cli.output import print_note
from kalahlab.extras import describe_missing, is_missing
from kalahlab.formatting import WIDTH
from kalahlab.names import library_function_hint, message_with_notes
from kalahlab.notes import showing_notes
from kalahlab.user_code import find_user_line, guard_os_exit

TRACEBACK = "KALAHLAB_TRACEBACK"  # the environment variable that makes errors show a traceback


OTHER_WORDS = {  # for commands
    "competition": "tournament",
    "contest": "tournament",
    "league": "tournament",
    "analyse": "review",
    "analyze": "review",
    "test": "check",
    "verify": "check",
}


class Commands(click.Group):
    """The commands; an error proposes one for another word."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return a command's name, the command, and its arguments."""
        if command := OTHER_WORDS.get(args[0]):
            raise click.UsageError(f"No such command {args[0]!r}. Did you mean {command!r}?", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.version_option(__version__, prog_name="kalahlab")
def cli() -> None:
    """Game-tree search in Kalah: an executable report.

    Write a board as Kalah Game Protocol text, <m,S,N,s1..sm,n1..nm>, in quotes; the player to move
    is South. Moves are numbered 1..m from the left of the player to move; in Python, pits count
    from 0. Other games, including your own, have other notations: see --game. To see the traceback
    of an error, set KALAHLAB_TRACEBACK=1 in the environment.
    """


def find_commands() -> Iterator[click.Command]:
    """Yield the commands of all modules in this folder, but not those of their groups."""
    for module in iter_modules(__path__):
        values = vars(import_module(f"{__name__}.{module.name}")).values()
        commands = [value for value in values if isinstance(value, click.Command)]
        in_groups = list[click.Command]()
        for command in commands:
            if isinstance(command, click.Group):
                in_groups += command.commands.values()
        yield from (command for command in commands if command not in in_groups)


for command in find_commands():
    cli.add_command(command)


def main() -> NoReturn:
    """Run the command line and exit: with 2 for bad input, with 1 for any other failure."""
    signal.signal(signal.SIGTERM, interrupt)  # clean up as after Ctrl-C
    # In a process that a shell started in the background, Ctrl-C is ignored and must remain so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    guard_os_exit()
    sys.meta_path.insert(0, MemoryCheck)
    if sys.stdin is None:  # the process has no input
        sys.stdin = open(os.devnull)  # noqa: SIM115  # stays open until the process ends
    with suppress(OSError, ValueError):  # raised if stderr is not a terminal
        stderr_size = os.get_terminal_size(2)
        if 0 in stderr_size:  # the size is unknown, and tqdm would show nothing
            os.environ |= {"TQDM_NCOLS": f"{WIDTH}", "TQDM_NROWS": "24"}
    try:
        with showing_notes(print_note):
            sys.exit(cli.main(prog_name="kalahlab", standalone_mode=False))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        sys.exit(2)
    except click.ClickException as error:
        fail(error.format_message(), error.exit_code)
    except click.Abort:
        fail("interrupted", 130)  # the status of a process that SIGINT ends
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        fail(*describe_error(error))
    finally:
        sys.meta_path.remove(MemoryCheck)


def interrupt(number: int, frame: object) -> NoReturn:
    """Raise KeyboardInterrupt as Python's handler does, but from a frame of this file.

    This frame shows `user_code.ending_function` that Ctrl-C, and not user code, raised the error.
    """
    raise KeyboardInterrupt


class MemoryCheck:
    """An import finder that raises an error if numba is imported without enough memory.

    With too little memory, numba's compiler might hang.
    """

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Find no module, but raise an error if numba is imported without enough memory."""
        if name == "numba":
            from kalahlab.memory import check_address_space

            check_address_space()


def describe_error(error: Exception) -> tuple[str, int]:
    """Return the message and the exit status for an error: 2 for bad input, otherwise 1."""
    message = _error_message(error)
    location = find_user_line(error)
    if isinstance(error, ModuleNotFoundError) and error.name and is_missing(error.name):
        return f"this needs {describe_missing(error.name)}", 1
    if isinstance(error, ValueError | OSError | OverflowError):
        if location and location not in message:
            message = f"{location}: {message}"
        return message, 2
    if location:
        return f"{location}: {type(error).__name__}: {message}", 1
    if isinstance(error, MemoryError | RecursionError | BrokenExecutor):
        return message or "there is not enough memory for this; use smaller numbers", 1
    # The input may name a function of a library that has another purpose. This is bad input.
    if hint := library_function_hint():
        return f"{hint}: {type(error).__name__}: {message}", 2
    return (
        f"{type(error).__name__}: {message}. This is a bug, in kalahlab or in the code of an "
        f"import path. Set {TRACEBACK}=1 in the environment to see where. For a compiled "
        "evaluator, add --backend textbook",
        1,
    )


def _error_message(error: Exception) -> str:
    """Return the message of an error, or another message where Python's own would not help."""
    message = message_with_notes(error)
    if isinstance(error, RecursionError) and "maximum recursion" in message:
        return "the search or the input is nested too deeply for Python; use a smaller depth"
    if isinstance(error, FileNotFoundError) and error.filename is None:  # from os.getcwd
        return "the working folder no longer exists; change to another one"
    if isinstance(error, OSError) and error.strerror:
        return ": ".join(str(part) for part in (error.filename, error.strerror) if part)
    return message


def fail(message: str, status: int) -> NoReturn:
    """Print a message as one readable line on stderr, and exit.

    A long word, or a long line, is cut in the middle.
    """
    # Python's message about a long number advises to call this function of Python.
    if "set_int_max_str_digits" in message:
        message = "a number has more than 4,300 digits"
    line = " ".join(_shorten_word(word) for word in message.split())
    line = "".join(_escape(character) for character in line)
    if len(line) > 480:
        line = f"{line[:240]} … {line[-230:]}"
    print_note(f"kalahlab: {line}")
    sys.exit(status)


def _shorten_word(word: str) -> str:
    if len(word) <= 200:
        return word
    return f"{word[:60]}…{word[-20:]}"


def _escape(character: str) -> str:
    if character.isprintable():
        return character
    return ascii(character)[1:-1]  # without the quotation marks
