"""An exercise: its right answer is computed, and so are the wrong ones that get their own hint.

Its words are in `data/words/exercises.toml`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from math import isclose
from typing import Any, Literal

from mistune import create_markdown

from kalahlab.words import tables

Answers = Callable[[], Sequence[Any]]
"""Computes the right answer to an exercise, then the wrong ones that were foreseen."""

Verdict = Literal["not answered yet", "right", "not right"]

to_html = create_markdown(escape=False)
"""What nbconvert makes HTML with; nbconvert itself takes seconds to import."""


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


def same_set(given: Any, right: Any) -> bool:
    """Whether a reader names the same things, in whatever order."""
    return isinstance(given, (list, tuple, set)) and set(given) == set(right)


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
            f"<details><summary>Solution</summary>{to_html(self.solution)}</details></div>"
        )


@dataclass(frozen=True)
class Exercise:
    """A question with one right answer.

    number: the notebook's and its own, "3.1". answers: computes what is right, then the wrong
    answers that were foreseen. hint: for an answer that is wrong in no way foreseen. solution: how
    to get there, Markdown, with `{answer}` where the answer belongs. mistakes: what to say to
    someone who gave the wrong answers, in their order. same: whether a reader's answer is the right
    one; numbers may differ by rounding, lists and tuples are alike.
    """

    number: str
    answers: Answers
    hint: str
    solution: str
    mistakes: Sequence[str] = ()
    same: Callable[[Any, Any], bool] = alike

    def check(self, given: Any) -> Feedback:
        """What is to be said of an answer; `...` is none yet."""
        right, *wrong = self.answers()
        solution = self.solution.format(answer=right)
        if given is ...:
            return Feedback(self.number, "not answered yet", "", solution)
        if self.same(given, right):
            return Feedback(self.number, "right", "", solution)
        said = zip(wrong, self.mistakes, strict=True)
        fitting = (hint for answer, hint in said if alike(given, answer))
        return Feedback(self.number, "not right", next(fitting, self.hint), solution)


def exercises(
    answers: Mapping[str, Answers], same: Mapping[str, Callable[[Any, Any], bool]] | None = None
) -> tuple[Exercise, ...]:
    """The exercises of these numbers. same: of those whose answers are not compared as `alike`."""
    return tuple(
        Exercise(name, cache(each), **tables("exercises")[name], same=(same or {}).get(name, alike))
        for name, each in answers.items()
    )
