"""Marks for the exercises that a class hands in, a row a submission."""

import re
from collections.abc import Collection
from typing import Any

from kalahlab.classroom.submissions import (
    Submission,
    describe_error,
    first_three,
    join_names,
    join_problems,
    read_answers,
)
from kalahlab.exercises import LONGEST, mark_text

# The files that a page of the report saves are named after the student and the page.
OF_STUDENT = re.compile(r"(?P<student>.+)-(?P<file>\d\d_\w+\.(?:toml|txt|csv))", re.ASCII)
KINDS = ".toml", ".txt", ".csv"
LONGEST_NAME = 200  # characters of a name in a file
WORTH = {"right": 1, "not right": 0, "not readable": None}

Marks = dict[str, int | None]  # by the number of the exercise; None for what cannot be read


def page_of(number: str) -> str:
    return number.partition(".")[0]


def mark_submission(submission: Submission, left_out: Collection[str]) -> dict[str, Any]:
    """Mark all files of a submission; of two answers to an exercise the better one counts.

    Args:
        submission: The files of one student.
        left_out: The numbers of pages that are not marked.

    Returns:
        `file`, the first one; `name`, the student's; `name_inside`, other names in the files;
        `marks`, by the number of the exercise; `problem`, why not everything is marked.
    """
    marks: Marks = {}
    names, problems = list[str](), list[str]()
    for path in submission.files.values():
        try:
            answers = mark_text(read_answers(path, LONGEST, KINDS), path.suffix.lower() == ".csv")
            file_marks, problem = judge_answers(answers, left_out)
        except Exception as error:  # whatever one file does, the others are marked
            problem = describe_error(error)
        else:
            names.append(answers["name"])
            for number, worth in file_marks.items():
                marks[number] = better(marks.get(number), worth)
        if problem and len(submission.files) > 1:
            problem = f"{submission.label_of(path)}: {problem}"
        if problem:
            problems.append(problem)
    name, name_inside = join_names(submission.student, [name for name in names if name])
    return {
        "file": submission.label,
        "name": name,
        "name_inside": name_inside,
        "marks": marks,
        "problem": join_problems(submission, problems),
    }


def better(one: int | None, other: int | None) -> int | None:
    """Return the better of two marks, either of which may be None."""
    if one is None:
        return other
    if other is None:
        return one
    return max(one, other)


def judge_answers(answers: dict[str, Any], left_out: Collection[str]) -> tuple[Marks, str]:
    """Return the marks of a file's answers by number, and why not every answer has one."""
    wanted = {
        number: feedback
        for number, feedback in answers["answers"].items()
        if page_of(number) not in left_out
    }
    marks = {
        number: WORTH[feedback.verdict]
        for number, feedback in wanted.items()
        if feedback.verdict in WORTH
    }
    problems = [*answers["unread"]]
    if len(answers["name"]) > LONGEST_NAME:
        problems.append(
            f"the name has {len(answers['name']):,} characters; at most {LONGEST_NAME} are read"
        )
        answers["name"] = ""
    for number, feedback in wanted.items():
        if feedback.verdict == "not readable":
            hint = feedback.hint.removesuffix(".")
            problems.append(f"{number} cannot be read: {hint[0].lower()}{hint[1:]}")
    for number in answers["unknown"]:
        if page_of(number) not in left_out:
            problems.append(f"there is no exercise {number[:20]!r}")
    if problems:
        return marks, f"{first_three(problems, '; ')}; the rest is marked"
    if not answers["answers"]:
        return marks, "it has no answer; a line is 3.2 = 42"
    return marks, ""
