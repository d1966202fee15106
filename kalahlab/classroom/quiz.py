"""Scores of the quiz sets that a class hands in: a row for each set of each submission."""

import re
from collections.abc import Sequence
from textwrap import shorten
from typing import Any

from kalahlab.classroom.quiz_set import MAX_LENGTH, QUESTIONS, grade_quiz
from kalahlab.classroom.submissions import (
    Submission,
    describe_error,
    join_names,
    join_problems,
    read_answers,
)

# The files that the explorer saves are named after the seed of the set and the student.
STUDENT_FILE = re.compile(r"quiz-\d+-(?P<student>.+)\.(?:json|txt)", re.ASCII)
SUFFIXES = ".json", ".txt"
LONGEST_PROBLEM = 200  # characters


def grade_submission(submission: Submission) -> list[dict[str, Any]]:
    """Grade all quiz sets of a submission; of two files of one set, the better one counts.

    Returns:
        A row for each set. It has the columns of `grade_quiz`, and these:
        - `file`: the label of the file
        - `name`: the student's name
        - `name_inside`: the other names in the files; absent if there are none
        - `problem`: in the first row only, the reason why a file is not graded
        If no file is graded, there is one row, without a right answer.
    """
    # The files by set. A set is a seed and a search: other searches have other questions.
    sets: dict[tuple[int, str], list[dict[str, Any]]] = {}
    problems = []
    for path in submission.files.values():
        label = submission.file_label(path)
        try:
            result = grade_quiz(read_answers(path, MAX_LENGTH, SUFFIXES))
        except Exception as error:  # whatever one file does, the others are graded
            problem = shorten(describe_error(error), LONGEST_PROBLEM)
            if len(submission.files) > 1:
                problem = f"{label}: {problem}"
            problems.append(problem)
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
    """Join the rows of files of one set to one row.

    Returns:
        The row of the first file with the most right answers. `claimed` is replaced by the highest
        score that a file claims, and `name` by the student's name. `name_inside` is added if a file
        has another name in it.
    """
    row = dict(max(files, key=lambda file: file["right"]))
    if len(files) > 1:
        row["file"] += f" and {len(files) - 1} more"
    row["claimed"] = max(file["claimed"] for file in files)
    names = [file["name"] for file in files if file["name"]]
    row["name"], name_inside = join_names(submission.student, names)
    if name_inside:
        row["name_inside"] = name_inside
    return row
