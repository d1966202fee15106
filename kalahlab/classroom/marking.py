"""Marks for the exercises that a class hands in: a row for each submission."""

import csv
import re
import tomllib
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from kalahlab.classroom.submissions import (
    Submission,
    abbreviate_list,
    describe_error,
    join_names,
    join_problems,
    read_answers,
)
from kalahlab.report.exercises import Feedback, check, load_exercises
from kalahlab.untrusted import QUOTES

# The files that a page of the report saves are named after the student and the page.
STUDENT_FILE = re.compile(r"(?P<student>.+)-(?P<file>\d\d_\w+\.(?:toml|txt|csv))", re.ASCII)
SUFFIXES = ".toml", ".txt", ".csv"
LONGEST_NAME = 200  # characters of a name in a file
MAX_FILE_SIZE = 100_000  # bytes
# The fourth verdict, "not answered yet", gives no mark at all.
MARKS_BY_VERDICT = {"right": 1, "not right": 0, "not readable": None}
OUTER_SIGNS = " \t\"'"  # around a key or a name; they do not belong to it
# The beginning of a line with an answer in a letter, such as `Exercise 3.2: 42`, `3.2 = 42` or
# `My answer = 42`. An equals sign after ">" does not count, as ">" may quote another letter.
ANSWER_LINE = re.compile(r"(?i)[\s\"'“]*(?:exercise|name|\d)|[^>]*=")

Marks = dict[str, int | None]  # by the number of the exercise; None if the answer cannot be read


def page_number(number: str) -> str:
    """Return the number of the page on which an exercise is: `3` for `3.2`."""
    return number.partition(".")[0]


def mark_submission(submission: Submission, left_out: Collection[str]) -> dict[str, Any]:
    """Mark all files of a submission; of two answers to an exercise the better one counts.

    Args:
        submission: The files of one student.
        left_out: The numbers of the pages whose exercises are not marked.

    Returns:
        A row with these columns:
        - `file`: the label of the submission
        - `name`: the student's name
        - `name_inside`: the other names in the files, "" if there are none
        - `marks`: the marks by the number of the exercise
        - `problem`: the reason why something is not marked, "" if everything is marked
    """
    marks: Marks = {}
    names, problems = list[str](), list[str]()
    for path in submission.files.values():
        try:
            is_csv = path.suffix.lower() == ".csv"
            sheet = parse_answer_sheet(read_answers(path, MAX_FILE_SIZE, SUFFIXES), is_csv)
            file_marks = mark_answers(sheet, left_out)
            problem = explain_unmarked(sheet, left_out)
        except Exception as error:  # whatever one file does, the others are marked
            problem = describe_error(error)
        else:
            if 0 < len(sheet.name) <= LONGEST_NAME:  # `explain_unmarked` reports a longer name
                names.append(sheet.name)
            for number, mark in file_marks.items():
                marks[number] = better_mark(marks.get(number), mark)
        if problem and len(submission.files) > 1:
            problem = f"{submission.file_label(path)}: {problem}"
        if problem:
            problems.append(problem)
    name, name_inside = join_names(submission.student, names)
    return {
        "file": submission.label,
        "name": name,
        "name_inside": name_inside,
        "marks": marks,
        "problem": join_problems(submission, problems),
    }


def better_mark(one: int | None, other: int | None) -> int | None:
    """Return the better of two marks; None if both are None, which is less than any mark."""
    if one is None:
        return other
    if other is None:
        return one
    return max(one, other)


@dataclass(frozen=True)
class AnswerSheet:
    """The answers in a student's file.

    Attributes:
        name: The student's name in the file, "" if there is none.
        answers: The feedback on each answer, by the number of the exercise.
        unknown: Keys that are not the number of an exercise.
        unread: Messages about lines that cannot be read.
    """

    name: str
    answers: dict[str, Feedback]
    unknown: list[str]
    unread: list[str]


def mark_answers(sheet: AnswerSheet, left_out: Collection[str]) -> Marks:
    """Return the marks by the number of the exercise.

    There is no mark for an exercise without an answer, or on a page that is left out.
    """
    marks: Marks = {}
    for number, feedback in sheet.answers.items():
        if page_number(number) not in left_out and feedback.verdict in MARKS_BY_VERDICT:
            marks[number] = MARKS_BY_VERDICT[feedback.verdict]
    return marks


def explain_unmarked(sheet: AnswerSheet, left_out: Collection[str]) -> str:
    """Explain in one line which parts of a file are not marked; "" if every answer is marked.

    The line does not mention pages that are left out, which is no problem.
    """
    problems = [*sheet.unread]
    if len(sheet.name) > LONGEST_NAME:
        problems.append(
            f"the name has {len(sheet.name):,} characters; at most {LONGEST_NAME} are read"
        )
    for number, feedback in sheet.answers.items():
        if page_number(number) not in left_out and feedback.verdict == "not readable":
            hint = feedback.hint.removesuffix(".")
            problems.append(f"{number} cannot be read: {hint[0].lower()}{hint[1:]}")
    for number in sheet.unknown:
        if page_number(number) not in left_out:
            problems.append(f"there is no exercise {number[:20]!r}")
    if problems:
        return f"{abbreviate_list(problems, '; ')}; the rest is marked"
    if not sheet.answers:
        return "it has no answers; write them as 3.2 = 42"
    return ""


# --- read a file of answers


def parse_answer_sheet(text: str, is_csv: bool = False) -> AnswerSheet:
    """Parse and check a student's answers, TOML or CSV with one answer a line: `3.2 = 42`.

    If the solution of an exercise is a list, an answer such as `"c3, d2"` is read as a list, as on
    a page of the report.
    """
    # NFC: a letter and its accent may be one character or two; here they become one.
    text = unicodedata.normalize("NFC", text)
    unread: list[str] = []
    if is_csv:
        values = _parse_csv(text)
    else:
        values, unread = _parse_toml_or_lines(text)
    values = {_exercise_number(key): value for key, value in values.items()}
    name = str(values.pop("name", "")).translate(QUOTES).strip(OUTER_SIGNS)
    answers = {}
    unknown = []
    for number, value in values.items():
        if number in load_exercises():
            answers[number] = check(number, value)
        else:
            unknown.append(number)
    return AnswerSheet(name, answers, unknown, unread)


def _exercise_number(key: str) -> str:
    """Convert a key such as `Exercise 3.2` or `3,2` to `3.2`, and `Name` to `name`."""
    key = key.lower().translate(QUOTES).strip(OUTER_SIGNS).removeprefix("exercise")
    # A comma between digits is the decimal point of many languages.
    return re.sub(r"(?<=\d),(?=\d)", ".", key).strip()


def _parse_toml_or_lines(text: str) -> tuple[dict[str, Any], list[str]]:
    """Parse TOML; if the text is not TOML, parse its lines one by one.

    If the lines are parsed one by one, a value that is not TOML, such as c3, is kept as text. Lines
    without an answer are ignored.

    Returns:
        The values by key, as the key is in the file, and messages about lines that cannot be read.
    """
    # The parser raises ValueError for what is not TOML, RecursionError for very many brackets.
    try:
        return _parse_toml(text), []
    except (ValueError, RecursionError):
        pass
    values: dict[str, Any] = {}
    unread = []
    for line_number, line in enumerate(text.splitlines(), start=1):
        if not ANSWER_LINE.match(line):
            continue
        try:
            values |= _parse_toml(line)
        except (ValueError, RecursionError):
            key, *rest = re.split("[=:\t]", line, maxsplit=1)
            if not rest:
                unread.append(f"line {line_number} cannot be read: write it as 3.2 = 42")
            elif rest[0].count("[") != rest[0].count("]"):  # maybe a list goes on in the next line
                unread.append(f"line {line_number} cannot be read: a bracket is missing")
            else:
                values[key] = rest[0]
    return values, unread


def _parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML, and join nested keys to one key.

    TOML reads the line `3.2 = 42` as a table 3 with the key 2. Here the key is `3.2`.
    """
    values: dict[str, Any] = {}
    for key, value in tomllib.loads(text).items():
        if isinstance(value, dict):
            values |= {f"{key}.{inner_key}": answer for inner_key, answer in value.items()}
        else:
            values[key] = value
    return values


def _parse_csv(text: str) -> dict[str, Any]:
    """Parse CSV with one answer a line, and return the answers by the first value of the line.

    The other values of a line are joined again with commas: the answer may be a list that is not
    quoted, as in `3.2,c3,d2`.
    """
    # In countries with a decimal comma, Excel parts the values by semicolons: `3.2;42` or `3,2;42`.
    delimiter = ";" if re.match("[^,]*;|[0-9]+,[0-9]+;", text) else ","
    rows = [row for row in csv.reader(text.splitlines(), delimiter=delimiter) if row]
    is_heading = rows and not re.search("name|[0-9]", rows[0][0].lower())
    if is_heading:
        del rows[0]
    return {row[0]: ",".join(row[1:]) for row in rows}
