"""Exercises of the pages: a cell checks the reader's answer, as in `check("3.1", ...)`.

The answers are in `data/exercises.toml`. On the report's pages `exercises.js` compares as `alike`.
"""

import csv
import re
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


QUOTES = str.maketrans("“”„«»‘’`", '"""""\'\'\'')
SIGNS = QUOTES | str.maketrans({"−": "-", "≤": "<=", "≥": ">="})


def alike(given: Any, right: Any) -> bool:
    """Texts are compared as `plain` makes them; numbers to three digits."""
    if isinstance(given, str) and isinstance(right, str):
        return plain(given) == plain(right)
    if isinstance(right, (list, tuple)):
        same_length = isinstance(given, (list, tuple)) and len(given) == len(right)
        return same_length and all(map(alike, given, right))
    if isinstance(given, bool) or isinstance(right, bool):
        return given is right
    if isinstance(given, (int, float)) and isinstance(right, float):
        return isclose(given, right, rel_tol=5e-3)
    return bool(given == right)


def plain(text: str) -> str:
    """A text without what does not matter: case, commas, outer quotes, blanks beside a sign, and
    the spelling of infinity."""
    text = re.sub(r"\+?(∞|\binf(inity)?\b)", "infinity", text.translate(SIGNS).casefold())
    return re.sub(r" ?([/<>=]+) ?", r"\1", re.sub(r"[\s,;]+", " ", text)).strip(" .\"'")


def same_set(given: Any, right: Any) -> bool:
    if not isinstance(given, (list, tuple, set)):
        return False
    each_is_right = all(any(alike(one, other) for other in right) for one in given)
    return each_is_right and all(any(alike(one, other) for one in given) for other in right)


# --- what a reader types

BRACKETS = str.maketrans("[](){}", "      ")
NUMBER = re.compile(r"[-+]?(inf(inity)?|([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?(/[1-9][0-9]*)?)")
NOTHING = "[]", "()", "{}"  # the lists without a member


def parsed(text: str, right: Any) -> Any:
    """A text read as an answer like the right one: `...` if empty, `None` if it cannot be read."""
    text = text.translate(QUOTES).strip()
    if not text:
        return ...
    if isinstance(right, str):
        return _unquoted(text)
    if isinstance(right, list) and not isinstance(right[0], str):
        return _numbers(text)
    if isinstance(right, list):
        return _texts(text, blanks=any(" " in each for each in right))
    numbers = _numbers(text)
    return numbers[0] if numbers and len(numbers) == 1 else None


def _unquoted(text: str) -> str:
    return text.translate(QUOTES).strip(" \t\"'")


def _numbers(text: str) -> list[float] | None:
    """The numbers in a text of numbers, words and signs of equality."""
    text = text.translate(BRACKETS).lower().replace("−", "-").replace("∞", "inf")
    parts = re.split(r"[\s,;=\"']+", re.sub(r"\s*/\s*", "/", text))
    known = [each for each in parts if NUMBER.fullmatch(each) or not each[:1].isalpha()]
    given = [each for each in known if each]
    if not given or not all(map(NUMBER.fullmatch, given)):
        return None
    halves = [each.partition("/") for each in given]
    return [float(over) / float(under or 1) for over, _, under in halves]


def _texts(text: str, blanks: bool) -> list[str] | None:
    """The members of a list of texts. blanks: whether there may be some in a member."""
    between = r"[,;]|\band\b" if blanks else r"[\s,;]|\band\b"
    parts = re.split(between, text.translate(BRACKETS))
    given = [each for each in map(_unquoted, parts) if each]
    return given if given or "".join(text.split()) in NOTHING else None


@dataclass(frozen=True)
class Feedback:
    number: str
    verdict: Literal["not answered yet", "right", "not right", "not readable"]
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
    solution: Markdown, with `{answer}` where it belongs. same: "set" if order does not matter."""

    number: str
    answer: Any
    hint: str
    solution: str
    mistakes: Sequence[dict[str, Any]] = ()
    same: Literal["list", "set"] = "list"

    @property
    def form(self) -> str:
        if not isinstance(self.answer, list):
            return "a text" if isinstance(self.answer, str) else "a number, such as 4, 0.5 or 10/3"
        kind = "names" if isinstance(self.answer[0], str) else "numbers"
        return f"{kind} with commas between them, such as {'x, y' if kind == 'names' else '4, 7'}"

    def check(self, given: Any) -> Feedback:
        same = same_set if self.same == "set" else alike
        solution = self.solution.format(answer=self.answer)
        if isinstance(given, str):
            given = parsed(given, self.answer)
        if given is None:
            return Feedback(self.number, "not readable", f"Write {self.form}.", solution)
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
    number; `unknown`, numbers of no exercise; `unread`, lines without an answer. `ValueError` for
    a bad file.

    TOML or, by its name, CSV; a line an answer: `3.2 = 4`. `"c3, d2"` is a list, as on a page.
    """
    text = read_text(file, LONGEST).removeprefix("\ufeff")
    read = _from_csv if file.suffix.lower() == ".csv" else _from_toml
    unread = list[int]()
    given = read(text, unread)
    name = _unquoted(str(given.pop("name", ""))) or file.stem
    known = exercises().keys() & given
    answers = {number: check(number, said) for number, said in given.items() if number in known}
    unknown = [number for number in given if number not in known]
    return {"name": name, "answers": answers, "unknown": unknown, "unread": unread}


def _from_toml(text: str, unread: list[int]) -> dict[str, Any]:
    """What is not TOML is read line by line, and a value that is not TOML as a text."""
    try:
        return _toml(text)
    except (ValueError, RecursionError):
        given: dict[str, Any] = {}
    for at, line in enumerate(text.splitlines(), start=1):
        name, sign, value = line.partition("=")
        try:
            given |= _toml(line)
        except (ValueError, RecursionError):
            if sign:
                given[_unquoted(name)] = value
            else:
                unread.append(at)
    return given


def _toml(text: str) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, value in tomllib.loads(text).items():
        if isinstance(value, dict):  # to TOML, 3.2 without quotes is a 2 in a 3
            given |= {f"{name}.{number}": answer for number, answer in value.items()}
        else:
            given[name] = value
    return given


def _from_csv(text: str, unread: list[int]) -> dict[str, Any]:
    """Excel separates by semicolons where a comma is a decimal point."""
    separator = ";" if re.match("[^,]*;", text) else ","
    rows = [row for row in csv.reader(text.splitlines(), delimiter=separator) if row]
    given = {row[0].strip(): ",".join(row[1:]) for row in rows}
    given.pop("number", None)  # a line of headings
    return given
