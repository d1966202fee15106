"""Notes are warnings about user functions, which a command shows in one line."""

import functools
import warnings

import pytest

from kalahlab.notes import Note, showing_notes, warn_about


def always_one(board, player):
    return 1


def test_a_note_is_a_warning_at_the_first_line_of_the_function():
    with pytest.warns(Note, match="^it is odd$") as record:
        warn_about(always_one, "it is odd")
    [warning] = record
    assert (warning.filename, warning.lineno) == (__file__, always_one.__code__.co_firstlineno)


@pytest.mark.parametrize("function", [functools.partial(always_one, ()), len, object()])
def test_a_note_may_be_about_a_function_without_code(function):
    with pytest.warns(Note, match="^it is odd$"):
        warn_about(function, "it is odd")


def warn_twice_and_otherwise():
    warn_about(always_one, "it is odd")
    warn_about(always_one, "it is odd")
    warnings.warn("another", UserWarning, stacklevel=2)


def test_notes_are_shown_each_time_and_other_warnings_as_usual():
    texts = []
    with pytest.warns(UserWarning, match="^another$"), showing_notes(texts.append):
        warn_twice_and_otherwise()
    assert texts == ["note: it is odd", "note: it is odd"]
