"""Scores of the quiz sets that a class hands in, a row a submission and set."""

import re
from collections.abc import Sequence
from textwrap import shorten
from typing import Any

from kalahlab.classroom.submissions import (
    Submission,
    describe_error,
    join_names,
    join_problems,
    read_answers,
)
from kalahlab.widgets.models.quiz_set import LONGEST, QUESTIONS, grade

# As the explorer saves them: the set, and the student.
OF_STUDENT = re.compile(r"quiz-\d+-(?P<student>.+)\.(?:json|txt)", re.ASCII)
KINDS = ".json", ".txt"
LONGEST_PROBLEM = 200  # characters


def grade_submission(submission: Submission) -> list[dict[str, Any]]:
    """Judge all quiz sets of a submission, a row a set; of two files the better one counts.

    Returns:
        Rows of `file`, `name`, `name_inside` if there is another name in it, and what `grade`
        returns. The first has in `problem` why not all files are judged, if that is so. Without
        a set that can be judged there is one row, with none right.
    """
    sets: dict[tuple[int, str], list[dict[str, Any]]] = {}
    problems = []
    for path in submission.files.values():
        label = submission.label_of(path)
        try:
            result = grade(read_answers(path, LONGEST, KINDS))
        except Exception as error:  # whatever one file does, the others are judged
            problem = shorten(describe_error(error), LONGEST_PROBLEM)
            problems.append(problem if len(submission.files) == 1 else f"{label}: {problem}")
        else:
            sets.setdefault((result["set"], result["search"]), []).append({"file": label} | result)
    rows = [join_files(submission, files) for files in sets.values()]
    if not rows:
        name = submission.student
        rows = [{"file": submission.label, "name": name, "right": 0, "of": QUESTIONS}]
    if problem := join_problems(submission, problems):
        rows[0]["problem"] = problem
    return rows


def join_files(submission: Submission, files: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the row of a submission's files of one set: the best one, and what others claim."""
    best = max(files, key=lambda row: row["right"])
    row = dict(best)
    if len(files) > 1:
        row["file"] += f" and {len(files) - 1} more"
    row["claimed"] = max(row["claimed"] for row in files)
    names = [file["name"] for file in files]
    row["name"], name_inside = join_names(submission.student, [name for name in names if name])
    if name_inside:
        row["name_inside"] = name_inside
    return row
