"""Exercises of the pages: a cell checks the reader's answer, as in `check("3.1", ...)`.

The answers are in `data/exercises.toml`. On the report's pages `exercises.js` compares as `alike`.
"""

import csv
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from math import isclose
from pathlib import Path
from typing import Any, Literal

from mistune import create_markdown

from kalahlab.data import data_file
from kalahlab.outside import read_text

to_html = create_markdown(escape=False)  # as nbconvert, which takes seconds to import, makes HTML


def alike(given: Any, right: Any) -> bool:
    """Texts are compared without case and outer blanks; numbers to three digits."""
    if isinstance(given, str) and isinstance(right, str):
        return given.strip().casefold() == right.strip().casefold()
    if isinstance(right, (list, tuple)):
        same_length = isinstance(given, (list, tuple)) and len(given) == len(right)
        return same_length and all(map(alike, given, right))
    if isinstance(given, bool) or isinstance(right, bool):
        return given is right
    if isinstance(given, (int, float)) and isinstance(right, float):
        return isclose(given, right, rel_tol=5e-3)
    return bool(given == right)


def same_set(given: Any, right: Any) -> bool:
    if not isinstance(given, (list, tuple, set)):
        return False
    each_is_right = all(any(alike(one, other) for other in right) for one in given)
    return each_is_right and all(any(alike(one, other) for one in given) for other in right)


@dataclass(frozen=True)
class Feedback:
    number: str
    verdict: Literal["not answered yet", "right", "not right"]
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
    """hint: for a wrong answer that is none of the mistakes, each an `answer` and its `hint`.

    solution: Markdown, with `{answer}` where it belongs. same: "set" if order does not matter.
    """

    number: str
    answer: Any
    hint: str
    solution: str
    mistakes: Sequence[dict[str, Any]] = ()
    same: Literal["list", "set"] = "list"

    def check(self, given: Any) -> Feedback:
        same = same_set if self.same == "set" else alike
        solution = self.solution.format(answer=self.answer)
        if given is ...:
            return Feedback(self.number, "not answered yet", "", solution)
        if same(given, self.answer):
            return Feedback(self.number, "right", "", solution)
        fitting = (each["hint"] for each in self.mistakes if same(given, each["answer"]))
        return Feedback(self.number, "not right", next(fitting, self.hint), solution)


@cache
def exercises() -> dict[str, Exercise]:
    loaded = tomllib.loads(data_file("exercises.toml").read_text("utf-8"))
    return {number: Exercise(number, **each) for number, each in loaded.items()}


def check(number: str, answer: Any) -> Feedback:
    """Check an answer, `...` if none yet. number: the notebook's and the exercise's, "3.1"."""
    if number not in exercises():
        raise ValueError(f"exercise is {number!r}; there are {', '.join(exercises())}")
    return exercises()[number].check(answer)


# --- what a class hands in

LONGEST = 100_000  # bytes of a file


def mark(file: Path) -> dict[str, Any]:
    """What a student's file comes to: `name`, by default the file's; `answers`, the feedback by
    number; `unknown`, numbers of no exercise. `ValueError` for a bad file.

    TOML or, by its name, CSV; a line an answer: `3.2 = 4`. `"c3, d2"` is a list, as on a page.
    """
    given = _from_csv(file) if file.suffix.lower() == ".csv" else _from_toml(file)
    name = given.pop("name", file.stem)
    answers, unknown = dict[str, Feedback](), list[str]()
    for number, said in given.items():
        if number in exercises():
            right = exercises()[number].answer
            answers[number] = check(number, parsed(said, right) if isinstance(said, str) else said)
        else:
            unknown.append(number)
    return {"name": str(name), "answers": answers, "unknown": unknown}


def _from_toml(file: Path) -> dict[str, Any]:
    try:
        loaded = tomllib.loads(read_text(file, LONGEST))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ValueError(f"it is not TOML: {error}") from None
    given: dict[str, Any] = {}
    for name, value in loaded.items():
        if isinstance(value, dict):  # to TOML, 3.2 without quotes is a 2 in a 3
            given |= {f"{name}.{number}": answer for number, answer in value.items()}
        else:
            given[name] = value
    return given


def _from_csv(file: Path) -> dict[str, Any]:
    rows = [row for row in csv.reader(read_text(file, LONGEST).splitlines()) if row]
    given = {row[0].strip(): ",".join(row[1:]) for row in rows}
    given.pop("number", None)  # a line of headings
    return given


def parsed(text: str, right: Any) -> Any:
    """What a text says, read as an answer like the right one; `...` for an empty one."""
    if not text.strip():
        return ...
    if isinstance(right, list):
        inside = text.strip().strip("[](){}")
        kind = right[0] if right else ""
        return [parsed(each, kind) for each in inside.split(",") if each.strip()]
    bare = text.strip().strip("\"'").strip()
    if isinstance(right, str):
        return bare
    over, _, under = bare.replace("−", "-").replace("∞", "inf").partition("/")
    try:
        return float(over) / float(under or 1)
    except (ValueError, ZeroDivisionError):
        return bare
