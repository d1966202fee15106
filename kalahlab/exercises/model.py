"""An exercise: its right answer is computed, and so are the wrong ones that get their own hint.

Its words are in `data/words/exercises.toml`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from itertools import starmap
from math import isclose
from typing import Any, Literal, NamedTuple

from nbconvert.filters import markdown2html

from kalahlab.words import tables

Verdict = Literal["not answered yet", "right", "not right"]


def alike(given: Any, right: Any) -> bool:
    """Whether two answers are the same, in whatever form a reader writes them down.

    Texts are compared without case and outer blanks; numbers to three digits.
    """
    if isinstance(given, str) and isinstance(right, str):
        return given.strip().casefold() == right.strip().casefold()
    if isinstance(right, (list, tuple)):
        return (
            isinstance(given, (list, tuple))
            and len(given) == len(right)
            and all(map(alike, given, right))
        )
    if isinstance(given, bool) or isinstance(right, bool):
        return given is right
    if isinstance(given, (int, float)) and isinstance(right, float):
        return isclose(given, right, rel_tol=5e-3)
    return bool(given == right)


class Mistake(NamedTuple):
    """A way to get a wrong answer: what it gives, and what to say to someone who gave that."""

    answer: Callable[[], Any]
    hint: str


@dataclass(frozen=True)
class Feedback:
    """What is said of an answer. It shows itself in a notebook, the solution folded away."""

    number: str
    verdict: Verdict
    hint: str
    solution: str

    def __repr__(self) -> str:
        return f"Exercise {self.number}: {self.verdict}.{' ' * bool(self.hint)}{self.hint}"

    def _repr_html_(self) -> str:
        verdict = self.verdict.replace(" ", "-")
        return (
            f'<div class="exercise {verdict}"><p>{escape(repr(self))}</p>'
            f"<details><summary>Solution</summary>{markdown2html(self.solution)}</details></div>"
        )


@dataclass(frozen=True)
class Exercise:
    """A question with one right answer.

    number: the notebook's and its own, "3.1". answer: computes what is right. hint: for an answer
    that is wrong in no way foreseen. solution: how to get there, Markdown, with `{answer}` where
    the answer belongs. mistakes: wrong answers that were foreseen. same: whether a reader's answer
    is the right one; numbers may differ by rounding, lists and tuples are alike.
    """

    number: str
    answer: Callable[[], Any]
    hint: str
    solution: str
    mistakes: tuple[Mistake, ...] = ()
    same: Callable[[Any, Any], bool] = alike

    def check(self, given: Any) -> Feedback:
        """What is to be said of an answer; `...` is none yet."""
        right = self.answer()
        solution = self.solution.format(answer=right)
        if given is ...:
            return Feedback(self.number, "not answered yet", "", solution)
        if self.same(given, right):
            return Feedback(self.number, "right", "", solution)
        fitting = (mistake.hint for mistake in self.mistakes if alike(given, mistake.answer()))
        return Feedback(self.number, "not right", next(fitting, self.hint), solution)


def exercise(
    number: str,
    answer: Callable[[], Any],
    *wrong: Callable[[], Any],
    same: Callable[[Any, Any], bool] = alike,
) -> Exercise:
    """The exercise of that number: what is right, and the wrong answers that were foreseen."""
    said = tables("exercises")[number]
    mistakes = tuple(starmap(Mistake, zip(wrong, said["mistakes"], strict=True)))
    return Exercise(number, answer, said["hint"], said["solution"], mistakes, same)
