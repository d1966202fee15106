"""Exercises of the pages: a question stands in a notebook, and a cell checks the reader's answer.

    from kalahlab.exercises import check

    check("3.1", ...)  # write your answer in place of the dots

A wrong answer gets a hint; the solution is folded away until it is asked for. One module a
notebook, `e03.py`, computes the answers of its exercises, right and wrong.
"""

from importlib import import_module
from typing import Any

from kalahlab.exercises.model import Exercise, Feedback

__all__ = ["Exercise", "Feedback", "check", "exercises_of"]


def exercises_of(notebook: int) -> tuple[Exercise, ...]:
    """The exercises of a notebook, by its number; none if it has none (`ModuleNotFoundError`)."""
    exercises: tuple[Exercise, ...] = import_module(f"kalahlab.exercises.e{notebook:02}").EXERCISES
    return exercises


def check(number: str, answer: Any) -> Feedback:
    """Check the answer to an exercise; `...` is none yet.

    number: the notebook's and the exercise's, "3.1". `ValueError` if there is no such exercise.
    """
    notebook = number.partition(".")[0]
    known = exercises_of(int(notebook))
    for exercise in known:
        if exercise.number == number:
            return exercise.check(answer)
    raise ValueError(
        f"exercise is {number!r}; there are {', '.join(each.number for each in known)}"
    )
