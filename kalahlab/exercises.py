"""Exercises of the pages: a cell checks the reader's answer, as in `check("3.1", ...)`.

The answers are in `data/exercises.toml`. On the report's pages `exercises.js` compares as `alike`.
"""

import csv
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import repeat
from math import isclose
from operator import add, mul, sub, truediv
from pathlib import Path
from typing import Any, Literal

from mistune import create_markdown

from kalahlab.data import data_file
from kalahlab.outside import read_text

to_html = create_markdown(escape=False)  # as nbconvert, which takes seconds to import, makes HTML


QUOTES = str.maketrans("“”„«»‘’`", '"""""\'\'\'')
WORDS = {"≤": "<=", "≥": ">=", "∞": "inf", "²": "^2", "³": "^3"}
SIGNS = QUOTES | str.maketrans("−–×·÷", "--**/") | str.maketrans(WORDS)
TURNED = str.maketrans("<>", "><")
TOLERANCE, CLOSE = 5e-3, 5e-2  # relative, of numbers: three digits, and what is nearly right
NEARLY = "This is close. Give at least three digits."


def alike(given: Any, right: Any, tolerance: float = TOLERANCE) -> bool:
    """Texts are compared as `plain` makes them."""
    if isinstance(right, list):
        return len(given) == len(right) and all(map(alike, given, right, repeat(tolerance)))
    if isinstance(right, str):
        return plain(given) == plain(right)
    return given == right or (isinstance(right, float) and isclose(given, right, rel_tol=tolerance))


def plain(text: str) -> str:
    """A text without what does not matter: case, commas, outer quotes, blanks beside a sign, the
    spelling of infinity, words such as "move" in front, and on which side of a sign the v is."""
    text = re.sub(r"\+?\binf(inity)?\b", "infinity", text.translate(SIGNS).casefold())
    text = re.sub(r" ?([/<>=]+) ?", r"\1", re.sub(r"[\s,;]+", " ", text)).strip(" .\"'")
    text = re.sub(r"=([<>])", r"\1=", re.sub(r"^((the|to|move|node) )+", "", text))
    if turned := re.fullmatch(r"(\d+)([<>=]+)([a-z])", text):
        return turned[3] + turned[2].translate(TURNED) + turned[1]
    return text


def same_set(given: Any, right: Any) -> bool:
    """Whether two lists have the same members, in any order and number."""
    pairs = (given, right), (right, given)
    return all(any(alike(one, other) for other in others) for some, others in pairs for one in some)


# --- what a reader types

BRACKETS = str.maketrans("[](){}", "      ")
FIGURE = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]+)?"
NUMBER = re.compile(rf"({FIGURE}|[-+]?inf(inity)?)%?")
# A number in brackets, a power, a product and a sum that can be computed at once.
BRACKETED = re.compile(rf"(?<![\w.)])\(\s*({FIGURE})\s*\)(?![\w.(^])", re.ASCII)
POWER = re.compile(r"(?<![\w.^])([0-9]{1,3})\^([0-9]{1,2})(?![\w.(^])", re.ASCII)
PRODUCT = re.compile(rf"(?<![\w.)*/]){FIGURE}([*/]{FIGURE})+(?![\w.(%*/])", re.ASCII)
SUM = re.compile(rf"(?<![-+\w.)*/]){FIGURE}([-+]{FIGURE})+(?![\w.(%*/])", re.ASCII)
OPERATORS = {"": add, "+": add, "-": sub, "*": mul, "/": truediv}
CALL = re.compile(r"\w\(|\b(sqrt|ln|log[0-9]*|exp)\b", re.ASCII)
THOUSANDS = re.compile(r"\b[1-9][0-9]{0,2},[0-9]{3}\b")
NAME = re.compile(r"[a-z]+[0-9]+")


def parsed(given: Any, right: Any) -> Any:
    """What is given, as text or not, read as an answer like the right one: `...` if it is empty,
    `None` if it cannot be read."""
    if isinstance(given, Iterable) and not isinstance(given, str):
        given = "; ".join(map(str, given)) or "[]"
    text = "" if given is ... else " ".join(str(given).translate(SIGNS).split())
    if not text:
        return ...
    if isinstance(right, str):
        return None if re.search("[/<>=]", right) and not re.search("[/<>=]", text) else text
    members = right if isinstance(right, list) else [right]
    read = _texts if isinstance(members[0], str) else _numbers
    if (found := read(text.lower(), members)) is None or members is right:
        return found
    return found[0] if len(found) == 1 else None


def _numbers(text: str, right: Sequence[Any]) -> list[float] | None:
    """A comma between digits is a decimal point if only so there are as many as are right."""
    found = _separated(text)
    if isinstance(right[0], float) or not THOUSANDS.search(text):
        decimal = _separated(re.sub(r"(?<=[0-9]),(?=[0-9])", ".", text))
        if decimal and len(decimal) == len(right) != len(found or ()):
            return decimal
    computed = re.search(r"[0-9)] *[-+*/^]", text)
    return None if found and len(found) == 1 < len(right) and computed else found


def _separated(text: str) -> list[float] | None:
    """The numbers in a text of numbers, words and signs of equality."""
    text = re.sub(r"^-\s+|\b(minus|negative)\s+(?=[0-9.]|inf)", "-", text)
    parts = re.split(r"[\s,;&=\"']+", _computed(text).translate(BRACKETS))
    given = [each for each in parts if each and (NUMBER.fullmatch(each) or not each[0].isalpha())]
    if not given or CALL.search(text) or not all(map(NUMBER.fullmatch, given)):
        return None
    return [float(each.strip("%")) / (100 if "%" in each else 1) for each in given]


def _computed(text: str) -> str:
    """A text with each sum, product and power, such as 2*(3^2-1), as its value; 3 -1 are two."""

    def value(found: re.Match[str]) -> str:
        total = 0.0
        for sign, number in re.findall(f"([-+*/]?)({FIGURE})", found[0]):
            if sign == "/" and not float(number):
                return found[0]
            total = OPERATORS[sign](total, float(number))
        return repr(total)

    text = re.sub(r"(?<=[0-9.)])\s+([-+])\s+(?=[0-9.(])", r"\1", text)
    text = re.sub(r"\s*([*/^])\s*|\s+(%)", r"\1\2", text.replace("**", "^"))
    text = POWER.sub(lambda found: repr(float(found[1]) ** int(found[2])), text)
    for _ in range(9):  # brackets in brackets
        text = SUM.sub(value, PRODUCT.sub(value, BRACKETED.sub(r"\1", text)))
    return text


def _texts(text: str, right: Sequence[str]) -> list[str] | None:
    """Names, such as a1, among other words; or texts with blanks, each one of those in `right`."""
    blanks = any(" " in each for each in right)
    between = r"[,;&]|\band\b" if blanks else r"[\s,;&]|\band\b"
    parts = re.split(between, text.translate(BRACKETS))
    given = [plain(each) for each in parts if blanks or re.search("[0-9]", each)]
    given = [each for each in given if each]
    known = right.__contains__ if blanks else NAME.fullmatch
    readable = given or re.fullmatch(r"\[ ?\]|\( ?\)|\{ ?\}", text)
    return given if readable and all(map(known, given)) else None


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
        first = self.answer[0] if isinstance(self.answer, list) else self.answer
        if not isinstance(self.answer, list):
            text = "the text as the exercise shows it"
            return text if isinstance(first, str) else "a number, such as 42, 10/3 or 2^5-1"
        texts = sorted({*self.answer}) if " " in str(first) else ["a1", "b4"]
        kind, such = ("names", texts) if isinstance(first, str) else ("numbers", ["4", "7"])
        none = ", or [] for none" if such == ["a1", "b4"] else ""
        return f"{kind} with commas between them{none}, such as {', '.join(such)}"

    def check(self, given: Any) -> Feedback:
        same = same_set if self.same == "set" else alike
        solution = self.solution.format(answer=self.answer)
        if (given := parsed(given, self.answer)) is None:
            return Feedback(self.number, "not readable", f"Write {self.form}.", solution)
        if given is ...:
            return Feedback(self.number, "not answered yet", "", solution)
        if same(given, self.answer):
            return Feedback(self.number, "right", "", solution)
        fitting = [each["hint"] for each in self.mistakes if same(given, each["answer"])]
        if alike(given, self.answer, CLOSE):
            fitting.append(NEARLY)
        if self.same == "list" and isinstance(given, list) and len(given) == 1:
            fitting.append(f"More than one value is asked: write {self.form}.")
        return Feedback(self.number, "not right", [*fitting, self.hint][0], solution)


@cache
def exercises() -> dict[str, Exercise]:
    loaded = tomllib.loads(data_file("exercises.toml").read_text("utf-8"))
    return {number: Exercise(number, **each) for number, each in loaded.items()}


def check(number: str, *answer: Any) -> Feedback:
    """Check an answer, `...` if none yet. number: the notebook's and the exercise's, "3.1"."""
    if number not in exercises():
        raise ValueError(f"exercise is {number!r}; there are {', '.join(exercises())}")
    return exercises()[number].check(answer[0] if len(answer) == 1 else answer or ...)


# --- what a class hands in

LONGEST = 100_000  # bytes of a file
OUTER = " \t\"'"
# How a line with an answer begins, or what is in it: not in the letter that a mail has around it.
ANSWER = re.compile(r"(?i)[\s\"'“]*(?:exercise|name|\d)|[^>]*=")


def mark(file: Path, name: str = "") -> dict[str, Any]:
    """What a student's file comes to: `name`, else the one given, else the file's; `answers`, the
    feedback by number; `unknown`, numbers of no exercise; `unread`, lines, and what is wrong.
    `ValueError` for a bad file.

    TOML or, by its name, CSV; a line an answer: `3.2 = 42`. `"c3, d2"` is a list, as on a page.
    """
    text = unicodedata.normalize("NFC", read_text(file, LONGEST))
    read = _from_csv if file.suffix.lower() == ".csv" else _from_toml
    unread = list[str]()
    given = {_number(key): said for key, said in read(text, unread).items()}
    name = str(given.pop("name", "")).translate(QUOTES).strip(OUTER) or name or file.stem
    answers = {each: check(each, said) for each, said in given.items() if each in exercises()}
    unknown = [number for number in given if number not in answers]
    return {"name": name, "answers": answers, "unknown": unknown, "unread": unread}


def _number(key: str) -> str:
    """The number of an exercise, also of `Exercise 3.2` and `3,2`; or name."""
    bare = key.lower().translate(QUOTES).strip(OUTER).removeprefix("exercise")
    return re.sub(r"(?<=\d),(?=\d)", ".", bare).strip()


def _from_toml(text: str, unread: list[str]) -> dict[str, Any]:
    """What is not TOML is read line by line, and a value that is not TOML as a text."""
    try:
        return _toml(text)
    except (ValueError, RecursionError):
        given: dict[str, Any] = {}
    for at, line in enumerate(text.splitlines(), start=1):
        if not ANSWER.match(line):
            continue
        try:
            given |= _toml(line)
        except (ValueError, RecursionError):
            name, *value = re.split("[=:\t]", line, maxsplit=1)
            if not value or value[0].count("[") != value[0].count("]"):
                why = "a bracket is missing" if value else "write 3.2 = 42"
                unread.append(f"line {at} is not read: {why}")
            else:
                given[name] = value[0]
    return given


def _toml(text: str) -> dict[str, Any]:
    """To TOML, 3.2 without quotes is a 2 in a 3."""
    given: dict[str, Any] = {}
    for name, said in tomllib.loads(text).items():
        inner = isinstance(said, dict)
        given |= {f"{name}.{at}": each for at, each in said.items()} if inner else {name: said}
    return given


def _from_csv(text: str, unread: list[str]) -> dict[str, Any]:
    """Excel separates by semicolons where a comma is a decimal point."""
    separator = ";" if re.match("[^,]*;|[0-9]+,[0-9]+;", text) else ","
    rows = [row for row in csv.reader(text.splitlines(), delimiter=separator) if row]
    if rows and not re.search("name|[0-9]", rows[0][0].lower()):  # a line of headings
        del rows[0]
    return {row[0]: ",".join(row[1:]) for row in rows}
