"""The command line: a thin layer over the package.

Every command prints something to read, or with `--json` one JSON object. What goes wrong is one
line on stderr, and exit status 2 if the input was bad. Commands import heavy modules themselves.
"""

import os
import re
import signal
import sys
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules
from typing import NoReturn

import click

from kalahlab import __version__
from kalahlab.cli.text import WIDTH, say
from kalahlab.names import library_function, with_notes
from kalahlab.user_code import guard_os_exit, user_line

TRACEBACK = "KALAHLAB_TRACEBACK"  # the variable with which errors show their traceback


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(__version__, prog_name="kalahlab")
def cli() -> None:
    """Game-tree search in Kalah: an executable report.

    Boards are Kalah Game Protocol text, <m,S,N,s1..sm,n1..nm> with the mover as South;
    quote them. Moves are numbered 1..m from the mover's left; in Python, pits count from 0. Other
    games, and your own, have texts of their own: --game. KALAHLAB_TRACEBACK=1 in the environment
    shows where an error arose.
    """


for module in iter_modules(__path__):
    for each in vars(import_module(f"{__name__}.{module.name}")).values():
        if isinstance(each, click.Command):
            cli.add_command(each)


def main() -> NoReturn:
    """Run the command line and exit: with 2 for bad input, with 1 for anything else that fails."""
    signal.signal(signal.SIGTERM, interrupt)  # ends as Ctrl-C does: tidily
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    guard_os_exit()
    sys.meta_path.insert(0, Compiler)
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115  # it was closed: there is no input
    with suppress(OSError, ValueError):  # no terminal, which has no progress line either
        if 0 in os.get_terminal_size(2):  # as some report, where tqdm then shows nothing
            os.environ |= {"TQDM_NCOLS": f"{WIDTH}", "TQDM_NROWS": "24"}
    try:
        sys.exit(cli.main(prog_name="kalahlab", standalone_mode=False))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        sys.exit(2)
    except click.ClickException as error:
        fail(error.format_message(), error.exit_code)
    except click.Abort:
        fail("interrupted", 130)
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        fail(*explained(error))
    finally:
        sys.meta_path.remove(Compiler)


def interrupt(number: int, frame: object) -> NoReturn:
    """Interrupt as Python does, from a frame of ours: see `kalahlab.user_code.exit_message`."""
    raise KeyboardInterrupt


class Compiler:
    """Refuses to load the compiler where there is too little room for it: it might hang."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "numba":
            from kalahlab.engine.memory import check_address_space

            check_address_space()


def explained(error: Exception) -> tuple[str, int]:
    """What to say of an error, and the exit status."""
    said = with_notes(error)
    if isinstance(error, RecursionError) and "maximum recursion" in said:
        said = "what is searched or read is nested too deeply for Python; use a smaller depth"
    elif isinstance(error, FileNotFoundError) and error.filename is None:
        said = "the working folder is gone; change to another"
    elif isinstance(error, OSError) and error.strerror:
        said = ": ".join(str(each) for each in (error.filename, error.strerror) if each)
    where = user_line(error)
    if isinstance(error, ValueError | OSError | OverflowError):
        return f"{where}: {said}" if where and where not in said else said, 2
    if where:
        return f"{where}: {type(error).__name__}: {said}", 1
    if isinstance(error, MemoryError | RecursionError | BrokenExecutor):
        return said or "there is too little memory for this; use smaller numbers", 1
    if message := library_function():
        return f"{message}: {type(error).__name__}: {said}", 2
    return (
        f"{type(error).__name__}: {said}. This is a bug, of kalahlab or of what an import path "
        f"names; with {TRACEBACK}=1 in the environment it is shown where, "
        "of a compiled evaluator with --backend textbook",
        1,
    )


def fail(message: str, status: int) -> NoReturn:
    """One readable line on stderr, of what is long in it the two ends, and exit."""
    if "set_int_max_str_digits" in message:
        message = "a number has more than 4,300 digits"
    message = re.sub(r"\.([^/\s]+)\.\w{8}\.part", r"\1", message)  # see kalahlab.files
    words = (f"{each[:60]}…{each[-20:]}" if len(each) > 200 else each for each in message.split())
    line = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in " ".join(words))
    line = line if len(line) <= 480 else f"{line[:240]} … {line[-230:]}"
    say(f"kalahlab: {line}")
    sys.exit(status)
