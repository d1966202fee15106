"""Notes: warnings in one sentence, which the command line shows as one line."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Note(UserWarning):
    """A warning about something that works, but may be a mistake of the user."""


def warn_about(function: object, text: str) -> None:
    """Warn with a `Note`, at the line where a user function begins."""
    plain: Any = getattr(function, "py_func", function)  # of a function that numba compiled
    code = getattr(plain, "__code__", None)
    module = str(getattr(plain, "__module__", ""))
    if code is None:
        warnings.warn_explicit(text, Note, f"<{module}>", 1, module)
    else:
        warnings.warn_explicit(text, Note, code.co_filename, code.co_firstlineno, module)


def show_notes(show: Callable[[str], object]) -> None:
    """Show each note by a function, as `note: TEXT`, from now on; other warnings as usual."""
    warnings.simplefilter("always", Note)
    show_other = warnings.showwarning

    def show_warning(
        message: Warning | str, category: type[Warning], *args: Any, **kwargs: Any
    ) -> None:
        if issubclass(category, Note):
            show(f"note: {message}")
        else:
            show_other(message, category, *args, **kwargs)

    warnings.showwarning = show_warning


@contextmanager
def showing_notes(show: Callable[[str], object]) -> Iterator[None]:
    """Show notes by a function, like `show_notes`, inside of a block."""
    with warnings.catch_warnings():
        show_notes(show)
        yield
