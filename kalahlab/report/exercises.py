"""Exercises of the pages: a cell checks the reader's answer, as in `check("3.1", ...)`.

The answers are in `data/exercises.toml`. On the report's pages `exercises.js` compares answers in
the same way as `answers_match`.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from math import isclose
from operator import add, mul, sub, truediv
from typing import Any, Literal

from mistune import create_markdown

from kalahlab.data import data_file
from kalahlab.untrusted import QUOTES

# HTML as nbconvert would make it, which takes seconds to import.
to_html = create_markdown(escape=False)
ASCII_SPELLINGS = {"≤": "<=", "≥": ">=", "∞": "inf", "²": "^2", "³": "^3"}
ASCII_SIGNS = QUOTES | str.maketrans("−–×·÷", "--**/") | str.maketrans(ASCII_SPELLINGS)
MIRRORED_RELATIONS = str.maketrans("<>", "><")
RELATION = re.compile("[/<>=]")
# Relative errors of numbers: a right answer has three digits; one that is close has a hint.
TOLERANCE, CLOSE_TOLERANCE = 5e-3, 5e-2
CLOSE_HINT = "This is close. Give at least three digits."


def answers_match(answer: Any, solution: Any, tolerance: float = TOLERANCE) -> bool:
    """Return whether an answer equals a solution, part by part if it is a list.

    Texts are compared after `normalize_text`. To a float, a number with a relative error of at most
    `tolerance` is equal; to a whole number, only the same number.
    """
    if isinstance(solution, list):
        return len(answer) == len(solution) and all(
            answers_match(one, other, tolerance)
            for one, other in zip(answer, solution, strict=True)
        )
    if isinstance(solution, str):
        return normalize_text(answer) == normalize_text(solution)
    if isinstance(solution, float) and isclose(answer, solution, rel_tol=tolerance):
        return True
    return bool(answer == solution)


def normalize_text(text: str) -> str:
    """Return a text in the form in which answers are compared.

    Ignored are case, commas, outer quotes, blanks beside a sign, the spelling of infinity, words in
    front such as "move", and the side of a letter in a relation: 3 < v becomes v>3.
    """
    text = text.translate(ASCII_SIGNS).casefold()
    text = re.sub(r"\+?\binf(inity)?\b", "infinity", text)
    text = re.sub(r"[\s,;]+", " ", text)
    text = re.sub(r" ?([/<>=]+) ?", r"\1", text)
    text = text.strip(" .\"'[](){}")
    text = re.sub(r"^((the|to|move|node) )+", "", text)
    text = re.sub(r"=([<>])", r"\1=", text)  # =< for <=
    if match := re.fullmatch(r"(\d+)([<>=]+)([a-z])", text):
        number, relation, letter = match.groups()
        return f"{letter}{relation.translate(MIRRORED_RELATIONS)}{number}"
    return text


def sets_match(answer: Sequence[Any], solution: Sequence[Any]) -> bool:
    """Return whether two lists have the same members, in any order and any number of times."""
    return _is_subset(answer, solution) and _is_subset(solution, answer)


def _is_subset(members: Sequence[Any], others: Sequence[Any]) -> bool:
    return all(_has_match(member, others) for member in members)


def _has_match(member: Any, others: Sequence[Any]) -> bool:
    return any(answers_match(member, other) for other in others)


# --- parse an answer

LONGEST_ANSWER = 1000  # characters
BRACKETS_TO_BLANKS = str.maketrans("[](){}", "      ")
FINITE = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]+)?"  # a number with its sign
NUMBER = re.compile(rf"({FINITE}|[-+]?inf(inity)?)%?")
# A number in brackets, a power, a product and a sum that can be computed at once: nothing beside
# them binds more tightly.
BRACKETED = re.compile(rf"(?<![\w.)])\(\s*({FINITE})\s*\)(?![\w.(^])", re.ASCII)
POWER = re.compile(r"(?<![\w.^])([0-9]{1,3})\^([0-9]{1,2})(?![\w.(^])", re.ASCII)
PRODUCT = re.compile(rf"(?<![\w.)*/]){FINITE}([*/]{FINITE})+(?![\w.(%*/])", re.ASCII)
SUM = re.compile(rf"(?<![-+\w.)*/]){FINITE}([-+]{FINITE})+(?![\w.(%*/])", re.ASCII)
OPERATORS = {"": add, "+": add, "-": sub, "*": mul, "/": truediv}  # "" is before the first number
FUNCTION_CALL = re.compile(r"\w\(|\b(sqrt|ln|log[0-9]*|exp)\b", re.ASCII)  # not computed
THOUSANDS = re.compile(r"\b[1-9][0-9]{0,2},[0-9]{3}\b")  # 1,000 with a separating comma
MOVE_NAME = re.compile(r"[a-z]+[0-9]+")


class UnreadableAnswer(ValueError):
    """Raised when an answer does not have the form of the solution."""


def parse_answer(answer: Any, solution: Any) -> Any:
    """Parse an answer, a text or a Python value, as a value of the solution's form.

    The solution decides how an ambiguous text such as "1,5" is read.

    Returns:
        A text, a number or a list; None if there is no answer yet.

    Raises:
        UnreadableAnswer: The answer has another form.
    """
    text = _to_text(answer)
    if not text:
        return None
    if len(text) > LONGEST_ANSWER:  # the time for a long sum grows as the square of its length
        raise UnreadableAnswer
    if isinstance(solution, str):
        # an answer to "alpha<3" needs a sign, too
        if RELATION.search(solution) and not RELATION.search(text):
            raise UnreadableAnswer
        return text
    if not isinstance(solution, list):
        numbers = _parse_number_list(text.lower(), [solution])
        if len(numbers) != 1:
            raise UnreadableAnswer
        return numbers[0]
    if isinstance(solution[0], str):
        return _parse_text_list(text.lower(), solution)
    return _parse_number_list(text.lower(), solution)


def _to_text(answer: Any) -> str:
    """Convert an answer to a text with single blanks and ASCII signs; `...` becomes ""."""
    if answer is ...:
        return ""
    if isinstance(answer, Iterable) and not isinstance(answer, str):
        answer = "; ".join(map(str, answer)) or "[]"  # an empty list is an answer
    return " ".join(str(answer).translate(ASCII_SIGNS).split())


def _parse_number_list(text: str, solution: Sequence[Any]) -> list[float]:
    """Parse a list of numbers.

    A comma between digits is read as a decimal point if only then there are as many numbers as in
    the solution. To an integer solution, a comma before three digits separates thousands.
    """
    numbers = _parse_numbers(text) or []
    if isinstance(solution[0], float) or not THOUSANDS.search(text):
        decimals = _parse_numbers(re.sub(r"(?<=[0-9]),(?=[0-9])", ".", text))
        if decimals and len(decimals) == len(solution) != len(numbers):
            return decimals
    # A calculation with a single result cannot stand for the numbers of a list.
    is_calculation = re.search(r"[0-9)] *[-+*/^]", text) is not None
    if not numbers or (is_calculation and len(numbers) == 1 < len(solution)):
        raise UnreadableAnswer
    return numbers


def _parse_numbers(text: str) -> list[float] | None:
    """Return the numbers in a text.

    Words and equals signs between numbers are ignored. Return None if anything else is between
    them, or if there are no numbers.
    """
    text = re.sub(r"^-\s+|\b(minus|negative)\s+(?=[0-9.]|inf)", "-", text)
    if FUNCTION_CALL.search(text):
        return None
    numbers = []
    plain_text = _evaluate_arithmetic(text).translate(BRACKETS_TO_BLANKS)
    for part in re.split(r"[\s,;&=\"']+", plain_text):
        if NUMBER.fullmatch(part):
            numbers.append(_to_number(part))
        elif part and not part[0].isalpha():
            return None
    return numbers or None


def _to_number(text: str) -> float:
    if text.endswith("%"):
        return float(text.removesuffix("%")) / 100
    return float(text)


def _evaluate_arithmetic(text: str) -> str:
    """Replace each sum, product and power, such as 2*(3^2-1), by its value.

    `3 - 1` and `3-1` are differences; `3 -1` are two numbers.
    """
    text = re.sub(r"(?<=[0-9.)])\s+([-+])\s+(?=[0-9.(])", r"\1", text)
    text = re.sub(r"\s*([*/^])\s*|\s+(%)", r"\1\2", text.replace("**", "^"))
    text = POWER.sub(lambda match: repr(float(match[1]) ** int(match[2])), text)
    for _ in range(9):  # nested brackets, from the inside; deeper ones stay unreadable
        text = BRACKETED.sub(r"\1", text)
        text = PRODUCT.sub(_evaluate_chain, text)
        text = SUM.sub(_evaluate_chain, text)
    return text


def _evaluate_chain(match: re.Match[str]) -> str:
    """Evaluate a sum or a product from left to right; leave a division by zero as it is."""
    total = 0.0  # the first number is added to it, or subtracted if it has a minus sign
    for sign, number in re.findall(f"([-+*/]?)({FINITE})", match[0]):
        if sign == "/" and float(number) == 0:
            return match[0]
        total = OPERATORS[sign](total, float(number))
    return repr(total)


def _parse_text_list(text: str, solution: Sequence[str]) -> list[str]:
    """Parse a list of names.

    Names of moves, such as a1, are found among other words. If the names in the solution have
    blanks, only these names can be read.
    """
    has_blanks = any(" " in member for member in solution)
    separator = r"[,;&]|\band\b" if has_blanks else r"[\s,;&]|\band\b"
    parts = re.split(separator, text.translate(BRACKETS_TO_BLANKS))
    if not has_blanks:
        parts = [part for part in parts if re.search("[0-9]", part)]
    names = [name for name in map(normalize_text, parts) if name]
    if not names and not re.fullmatch(r"\[ ?\]|\( ?\)|\{ ?\}", text):  # brackets: an empty list
        raise UnreadableAnswer
    for name in names:
        is_readable = name in solution if has_blanks else MOVE_NAME.fullmatch(name)
        if not is_readable:
            raise UnreadableAnswer
    return names


# --- exercises and feedback


@dataclass(frozen=True)
class Feedback:
    """The verdict on an answer.

    Attributes:
        number: The number of the exercise.
        verdict: The verdict.
        hint: A hint; "" for none.
        solution: The solution, in Markdown.
    """

    number: str
    verdict: Literal["not answered yet", "right", "not right", "not readable"]
    hint: str
    solution: str

    def __repr__(self) -> str:
        text = f"Exercise {self.number}: {self.verdict}."
        if self.hint:
            text += f" {self.hint}"
        return text

    def _repr_html_(self) -> str:
        verdict = self.verdict.replace(" ", "-")
        return (
            f'<div class="exercise {verdict}"><p>{escape(repr(self))}</p>'
            f"<details><summary>Solution</summary>{to_html(self.solution)}</details></div>"
        )


@dataclass(frozen=True)
class Exercise:
    """An exercise of `data/exercises.toml`.

    Attributes:
        number: The numbers of the notebook and of the exercise in it, such as "3.1".
        answer: A number, a text, or a list of numbers or of texts.
        hint: A hint for a wrong answer that is not among the mistakes.
        solution: Markdown, with `{answer}` where the answer belongs.
        mistakes: Foreseen wrong answers, each a dict of `answer` and `hint`.
        same: "set" if the order does not matter.
    """

    number: str
    answer: Any
    hint: str
    solution: str
    mistakes: Sequence[dict[str, Any]] = ()
    same: Literal["list", "set"] = "list"

    @property
    def form(self) -> str:
        """The form of an answer, with an example, as the object of "Write ..."."""
        if isinstance(self.answer, str):
            return "the text as the exercise shows it"
        if not isinstance(self.answer, list):
            return "a number, such as 42, 10/3 or 2^5-1"
        if not isinstance(self.answer[0], str):
            return "numbers with commas between them, such as 4, 7"
        if " " in self.answer[0]:
            choices = ", ".join(sorted(set(self.answer)))
            return f"names with commas between them, such as {choices}"
        return "names with commas between them, or [] for none, such as a1, b4"

    def check(self, answer: Any) -> Feedback:
        """Check an answer, a text or a Python value; `...` means that there is none yet."""
        solution = self.solution.format(answer=self.answer)
        try:
            answer = parse_answer(answer, self.answer)
        except UnreadableAnswer:
            return Feedback(self.number, "not readable", f"Write {self.form}.", solution)
        if answer is None:
            return Feedback(self.number, "not answered yet", "", solution)
        if self._matches(answer, self.answer):
            return Feedback(self.number, "right", "", solution)
        return Feedback(self.number, "not right", self._find_hint(answer), solution)

    def _matches(self, answer: Any, other: Any) -> bool:
        if self.same == "set":
            return sets_match(answer, other)
        return answers_match(answer, other)

    def _find_hint(self, answer: Any) -> str:
        """Return the hint for a wrong answer."""
        for mistake in self.mistakes:
            if self._matches(answer, mistake["answer"]):
                return str(mistake["hint"])
        if answers_match(answer, self.answer, CLOSE_TOLERANCE):
            return CLOSE_HINT
        if self.same == "list" and isinstance(answer, list) and len(answer) == 1:
            return f"The exercise asks for more than one value: write {self.form}."
        return self.hint


@cache
def load_exercises() -> dict[str, Exercise]:
    """Return the exercises by number, such as "3.1", in the order of the pages."""
    tables = tomllib.loads(data_file("exercises.toml").read_text("utf-8"))
    return {number: Exercise(number, **table) for number, table in tables.items()}


def check(number: str, *answer: Any) -> Feedback:
    """Check an answer to an exercise; `...` or nothing means that there is none yet.

    Args:
        number: The numbers of the notebook and of the exercise in it, such as "3.1".
        answer: One value, or several, which make a list.

    Raises:
        ValueError: There is no exercise of this number.
    """
    if number not in load_exercises():
        raise ValueError(
            f"there is no exercise {number!r}; use one of {', '.join(load_exercises())}"
        )
    exercise = load_exercises()[number]
    if not answer:
        return exercise.check(...)
    return exercise.check(answer[0] if len(answer) == 1 else answer)
