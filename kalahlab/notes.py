"""Notes: warnings in one sentence, which the command line shows as one line."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Note(UserWarning):
    """A warning about something that works, but may be a mistake of the user."""


def warn_about(function: object, text: str) -> None:
    """Warn with a `Note`, at the line where a user function begins."""
    # `py_func` is the Python function that numba compiled.
    python_function: Any = getattr(function, "py_func", function)
    code = getattr(python_function, "__code__", None)
    module = str(getattr(python_function, "__module__", ""))
    if code is None:  # a callable object, or a function written in C
        warnings.warn_explicit(text, Note, f"<{module}>", 1, module)
    else:
        warnings.warn_explicit(text, Note, code.co_filename, code.co_firstlineno, module)


def show_notes(show: Callable[[str], object]) -> None:
    """Pass each note, as `note: TEXT`, to a function from now on.

    Other warnings are shown as before.
    """
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
    """Do what `show_notes` does, but only inside of a `with` block."""
    with warnings.catch_warnings():
        show_notes(show)
        yield
