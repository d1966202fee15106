"""The homework of a class: find its files in submissions, and compare and explain them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from textwrap import fill, indent
from typing import Any, NamedTuple

from kalahlab.classroom import grader
from kalahlab.classroom.grader import LOG, NEXT_STATE, Difference, Files, Report
from kalahlab.classroom.submissions import (
    PACKED_SUFFIX,
    Submission,
    abbreviate_list,
    clean_name,
    list_submissions,
)
from kalahlab.games.notation import format_board
from kalahlab.published.homework import GREEDY, KNOWN_MISTAKES, TASKS, KnownMistake, Problem
from kalahlab.untrusted import escape_control_characters

REQUIRED_FILES = NEXT_STATE, LOG  # These names also stand for the kinds of files.
# Characters of the name of a page. Systems allow 255 bytes, and a character has up to four of them.
MAX_STEM_LENGTH = 60
MAX_SHOWN_LENGTH = 56  # characters of a line of a log that are printed
# A browser may add a number to the name, and an editor a second suffix: `Next_State (1).txt.txt`.
FILE_PATTERN = r"(?:next_state|traverse_log)(?:[ _]?\(\d+\)|-\d+)?(?:\.txt)+"
FILE_NAME = re.compile(FILE_PATTERN, re.IGNORECASE)
# A name that begins with the student's, such as `Ada Lovelace_next_state.txt`.
STUDENT_FILE = re.compile(rf"(?P<student>.+?)[ _.-]+(?P<file>{FILE_PATTERN})", re.IGNORECASE)

# The inputs by case. A case is the name of the folder of an input, "" for a single input.
Problems = Mapping[str, Problem]
Progress = Callable[[int, int], object]  # called with the numbers of finished steps and all steps


@dataclass(frozen=True)
class Assignment:
    """The inputs of a homework.

    Attributes:
        problems: The inputs by case.
        case: The name of the folder of a single input; "" if there are several inputs. Students'
            files may be in a folder of the same name.
        other_cases: If there is a single input, the names of the folders beside its folder. They
            are other cases, for which students may have handed in files, too.
    """

    problems: Problems
    case: str = ""
    other_cases: frozenset[str] = frozenset()

    @property
    def is_single(self) -> bool:
        """True if there is a single input, in no folder of cases; its case is ""."""
        return "" in self.problems

    def is_case(self, folder: str) -> bool:
        """Return whether a student's folder of this name is the folder of a case."""
        if self.is_single:
            return folder == self.case or folder in self.other_cases
        return folder in self.problems


def file_kind(name: str) -> str | None:
    """Return `NEXT_STATE` or `LOG`, whichever a name stands for; None if it stands for neither."""
    if not FILE_NAME.fullmatch(name):
        return None
    return NEXT_STATE if name.lower().startswith("next") else LOG


# --- find students' files


class ClassSubmissions(NamedTuple):
    """The submissions of a class.

    Attributes:
        submissions: The submission of each student.
        is_one_student: Whether the only path is that of one student, who then gets a full report.
        left_out: The names of hidden files, and of files whose student is unknown.
    """

    submissions: list[Submission]
    is_one_student: bool
    left_out: list[str]


def find_class(paths: Sequence[Path], assignment: Assignment) -> ClassSubmissions:
    """Find the submissions in folders of students, of classes, and in packed files."""
    submissions, left_out = list[Submission](), list[str]()
    for path in paths:
        inside, hidden = find_submissions(path, assignment)
        submissions += inside
        left_out += hidden
    is_one_student = False
    if len(paths) == 1 and len(submissions) == 1:
        # If the student's place is not the path, the path is the folder of a class of one.
        is_one_student = submissions[0].places[0] == paths[0]
    return ClassSubmissions(submissions, is_one_student, left_out)


def find_submissions(path: Path, assignment: Assignment) -> tuple[list[Submission], list[str]]:
    """Find the submissions in the folder of a class, or the single one in a student's folder.

    A folder in which there is nothing or only files for cases is a student's. Such a folder may
    also contain one more folder, with old files of the student. That folder is taken for old files
    if it has files for no more cases than the folder itself.

    Any other folder is that of a class. Each folder in it is a student's. Files for a case beside
    these folders belong to a student without a folder.

    Returns:
        The submissions, and the names of files that are left out.
    """
    if not path.is_dir():
        return [open_submission(path)], []
    inside, left_out = list_submissions(path, STUDENT_FILE)
    parts, students, strays = list[Submission](), list[Submission](), list[str]()
    for submission in inside:
        if is_part(submission, assignment):
            parts.append(submission)
        elif is_stray(submission):
            strays.append(f"{submission.label} (names no student)")
        else:
            students.append(submission)
    with_work = [submission for submission in students if has_work(submission)]
    has_only_old_files = len(with_work) == 1 and len(list_work(with_work[0])) <= len(parts)
    is_student_with_parts = bool(parts) and (has_only_old_files or not with_work)
    if not students or is_student_with_parts:
        return [open_submission(path)], []
    if parts:  # The folder is that of a class, and the parts belong to a student without a folder.
        merged = Submission(path, "", clean_name(path.name))
        for submission in parts:
            merged.add(submission.places[0], submission.places[0].name)
        names = abbreviate_list([submission.places[0].name for submission in parts])
        merged.problems.append(f"{names} in {path} must be in the folder of a student")
        students.insert(0, merged)
    return students, left_out + strays


def open_submission(path: Path) -> Submission:
    """Return the submission of a student's folder or file."""
    submission = Submission(path.parent, path.name, clean_name(path.name))
    submission.add(path)
    return submission


def is_part(submission: Submission, assignment: Assignment) -> bool:
    """Return whether this is a part of a student's work: the folder of a case, or a single file.

    The name of such a folder or file does not contain the name of a student.
    """
    name = submission.places[0].name
    if name in submission.files:  # the place is a file
        return file_kind(name) is not None
    is_case = len(submission.places) == 1 and assignment.is_case(name)
    return is_case and any(file_kind(file) for file in submission.files)


def is_stray(submission: Submission) -> bool:
    """Return whether this is a file that names no student and is not a packed folder."""
    name = submission.places[0].name
    is_file = name in submission.files
    names_no_student = name == submission.key  # see `find_owner`
    return is_file and names_no_student and not PACKED_SUFFIX.search(name)


def has_work(submission: Submission) -> bool:
    """Return whether a submission contains any of the required files."""
    return any(file_kind(PurePosixPath(file).name) for file in submission.files)


@dataclass
class Homework:
    """A student's files for the cases.

    Attributes:
        student: The student's name, "" if unknown.
        files: The files by case. A case of which no file can be read is left out.
        missing: The missing files, each as CASE/FILE.
        unreadable: The reason why a file cannot be read, by CASE/FILE. A packed file has its own
            path as the key.
        problems: Messages about other files and folders that are ignored.
        notes: Files that are not compared, in words or by their paths.
    """

    student: str
    files: dict[str, Files] = field(default_factory=dict)
    missing: list[Path] = field(default_factory=list)
    unreadable: dict[Path, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def problem(self) -> str:
        """In one line, the files that are missing or not read; "" if there are none."""
        parts = []
        if self.missing:
            parts.append(f"missing: {abbreviate_list([str(path) for path in self.missing])}")
        if unread := [*self.unreadable.values(), *self.problems]:
            parts.append(f"not read: {abbreviate_list(unread)}")
        return "; ".join(parts)


def collect_homework(submission: Submission, assignment: Assignment) -> Homework:
    """Find a student's files for each case; raise `ValueError` if none can be read."""
    homework = Homework(submission.student, problems=[*submission.problems])
    folders = list_work(submission)
    for case, problem in assignment.problems.items():
        candidates = find_case_folders(folders, case, assignment)
        work: Work = {}  # without a folder, the files of the case are noted as missing
        if candidates:
            work = folders[candidates[0]]
        collect_case(homework, case, problem, submission, work)
        for folder in candidates[1:]:
            homework.notes.append(f"the files in {submission.places[0] / folder}")
    if homework.missing:  # the missing files may be in a packed file
        for name, path in submission.files.items():
            if PACKED_SUFFIX.search(name):
                homework.unreadable[path] = f"{path} is a {path.suffix[1:]} file; unpack it"
    if not homework.files:
        reasons = [*homework.unreadable.values(), *homework.problems]
        raise ValueError(abbreviate_list(reasons) or explain_missing(submission, assignment))
    return homework


# The files of one folder for the homework. The keys are the required files, and the values are keys
# of `Submission.files`. More than one file may stand for the same required file.
Work = dict[str, list[str]]


def list_work(submission: Submission) -> dict[PurePosixPath, Work]:
    """Return the files for the homework by the folder that they are in, outer folders first."""
    folders: dict[PurePosixPath, Work] = {}
    for file in submission.files:
        path = PurePosixPath(file)
        if kind := file_kind(path.name):
            folders.setdefault(path.parent, {}).setdefault(kind, []).append(file)
    return folders


def find_case_folders(
    folders: Iterable[PurePosixPath], case: str, assignment: Assignment
) -> list[PurePosixPath]:
    """Return the folders that may have the files for a case, the best one first.

    The order is that of `folders`: an outer folder is better than an inner one.
    """
    if not assignment.is_single:
        return [folder for folder in folders if folder.name == case]
    if assignment.case:
        of_case = [folder for folder in folders if folder.name == assignment.case]
        if of_case:
            return of_case
    return [folder for folder in folders if not assignment.is_case(folder.name)]


def collect_case(
    homework: Homework, case: str, problem: Problem, submission: Submission, work: Work
) -> None:
    """Add the files for one case to a homework.

    Args:
        homework: The homework. The files are added to it; or, without files, the reasons.
        case: The case.
        problem: The input of the case.
        submission: All files of the student.
        work: The files in the folder of the case.
    """
    files: dict[str, Path] = {}
    for kind in REQUIRED_FILES:
        names = work.get(kind, [])
        if kind == LOG and problem.task == GREEDY:  # task 1 asks for no log
            if names:
                place = f" in case {case}" if case else ""
                homework.notes.append(f"a {kind}{place}, which task 1 does not ask for")
            continue
        if not names:
            homework.missing.append(Path(case, kind))
            continue
        # A file with exactly the required name comes first, as False sorts before True.
        best, *others = sorted(names, key=lambda name: PurePosixPath(name).name != kind)
        homework.notes += [str(submission.files[name]) for name in others]
        path = submission.files[best]
        if reason := grader.explain_unreadable(path):
            homework.unreadable[Path(case, kind)] = reason
        else:
            files[kind] = path
    if files:
        homework.files[case] = Files(files.get(NEXT_STATE), files.get(LOG))


def explain_missing(submission: Submission, assignment: Assignment) -> str:
    """Return why a submission has no files that can be checked."""
    place = submission.places[0]
    folders = list_work(submission)
    first_case = next(iter(assignment.problems))
    is_file = place in submission.files.values()
    if not assignment.is_single and is_file and folders:
        return (
            f"the name of {place} does not show its case; use a folder for each student, such as "
            f"{submission.student}/{first_case}/{NEXT_STATE}"
        )
    if not assignment.is_single and PurePosixPath() in folders:  # in the student's folder itself
        return (
            f"{place} has the files of one input; put them into {place / first_case}, "
            "or give that input.txt, not a folder of cases"
        )
    if all(problem.task == GREEDY for problem in assignment.problems.values()):
        message = f"{place} has no {NEXT_STATE}"
        if folders:
            return f"{message}; task 1 asks for no log"
    else:
        message = f"{place} has no {NEXT_STATE} and no {LOG}"
    inside = [*submission.files, *submission.folders]
    names = sorted({PurePosixPath(name).parts[0] for name in inside})
    if not names and submission.hidden:
        return f"{message}; it has only hidden files: {abbreviate_list(submission.hidden)}"
    if names:
        message += f"; it has {abbreviate_list(names)}"
    if names and not assignment.is_single:
        message += f"; its folders must be named {abbreviate_list([*assignment.problems])}"
    return message


def identify_files(paths: Iterable[Path]) -> Files:
    """Find out which path is a student's board and which the log; look for both in a folder.

    Raises:
        ValueError: Two of the files are boards, or two are logs.
    """
    files: dict[str, Path] = {}
    for path in paths:
        candidates = [path]
        if path.is_dir():
            candidates = [path / name for name in REQUIRED_FILES if (path / name).is_file()]
        for file in candidates:
            kind = detect_kind(file)
            if kind in files:
                raise ValueError(f"{files[kind]} and {file} are both a {kind}; give one")
            files[kind] = file
    return Files(files.get(NEXT_STATE), files.get(LOG))


def detect_kind(file: Path) -> str:
    """Return `NEXT_STATE` or `LOG` by the name of a file, or else by its first line.

    The first line of a log has letters. The first line of a board has only numbers.
    """
    if kind := file_kind(file.name):
        return kind
    with file.open(errors="replace") as lines:
        has_letter = any(map(str.isalpha, lines.readline(grader.LONGEST_LINE)))
    return LOG if has_letter else NEXT_STATE


# --- compare


class CheckResult(NamedTuple):
    """A homework that was compared.

    Attributes:
        homework: The student's files.
        problems: The inputs by case.
        report: The differences from our files.
        paragraphs: The diagnosis.
    """

    homework: Homework
    problems: Problems
    report: Report
    paragraphs: list[str]

    @property
    def cases(self) -> list[str]:
        """The cases for which the student has files, in the order of the report's indices."""
        return [*self.homework.files]

    @property
    def case(self) -> str:
        """The case to which the differences belong."""
        return self.cases[self.report.case]

    @property
    def is_right(self) -> bool:
        """True if no file differs, is missing or cannot be read."""
        return not self.report.differences and not self.homework.problem


def ignore_progress(done: int, of: int) -> None: ...


def check_homework(
    homework: Homework, problems: Problems, show: Progress = ignore_progress
) -> CheckResult:
    """Compare a student's files with ours.

    Args:
        homework: The student's files, at least one.
        problems: The inputs by case.
        show: Called with the numbers of finished steps and of all steps.

    Raises:
        ValueError: We cannot solve an input.
    """
    cases = [(problems[case], files) for case, files in homework.files.items()]
    report = grader.check(cases, show)
    notes = report.notes
    if homework.notes:
        notes += (abbreviate_list(homework.notes),)
    report = report._replace(notes=notes)
    return CheckResult(homework, problems, report, format_diagnosis(homework, report))


def format_diagnosis(homework: Homework, report: Report) -> list[str]:
    """Return the diagnosis of a student's files, with one text for each paragraph."""
    # Imported here, as only this function needs it.
    from jinja2 import StrictUndefined, Template

    cases = [*homework.files]
    files = [str(file) for file in homework.files[cases[0]] if file is not None]
    source = Path(__file__).with_name("diagnosis.txt.j2").read_text("utf-8")
    template = Template(source, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    text = template.render(
        names=cases,
        report=report,
        wrong=[cases[index] for index in report.wrong],
        spelling_only=[cases[index] for index in report.spelling_only],
        lacking=homework.problem,
        compared=" and ".join(files) if len(cases) == 1 else f"{len(cases)} cases",
    )
    return [escape_control_characters(line, "") for line in text.split("\n") if line]


def render_page(result: CheckResult) -> str:
    """Render the page of a student, which opens at the first difference of the log."""
    from kalahlab.classroom.homework_page import render_homework_page

    problem = result.problems[result.case]
    return render_homework_page(problem, result.report, result.paragraphs, result.homework.student)


def describe_problem(problem: Problem) -> dict[str, Any]:
    """Convert an input to JSON values."""
    return {
        "board": format_board(problem.state),
        "rules": "empty-capture",
        "algorithm": TASKS[problem.task],
        "depth": problem.cutoff,
        "unit": "turn",
    }


def describe_mistake(mistake: KnownMistake) -> dict[str, str]:
    """Convert a known mistake to JSON values."""
    return {"name": mistake.name, "says": mistake.description, "remedy": mistake.remedy}


def name_mistakes(mistakes: Iterable[KnownMistake]) -> list[str]:
    """Return the names of mistakes."""
    return [mistake.name for mistake in mistakes]


def describe_check(result: CheckResult) -> dict[str, Any]:
    """Convert a comparison to JSON values.

    Cases are listed by their names. `wrong` lists each case of which a file differs by more than
    its spelling, is missing or cannot be read.
    """
    homework, report, cases = result.homework, result.report, result.cases
    wrong = {cases[index] for index in report.wrong}
    for path in (*homework.missing, *homework.unreadable):
        wrong.add(path.parent.name)  # the case, or another folder that has a packed file
    return {
        **describe_problem(result.problems[result.case]),
        "files": [str(file) for file in homework.files[result.case] if file is not None],
        "same": not report.differences,
        "cases": len(result.problems),
        "wrong": [case for case in result.problems if case in wrong],
        "spelling_only": [cases[index] for index in report.spelling_only],
        "truncated": [cases[index] for index in report.truncated],
        "case": result.case,
        "differences": [difference._asdict() for difference in report.differences],
        "mistakes": [[*map(describe_mistake, mistakes)] for mistakes in report.explanations],
        "fix": [name_mistakes(mistakes) for mistakes in report.fix],
        "tolerated": [*report.notes],
        "missing": [str(path) for path in homework.missing],
        "unreadable": [*homework.unreadable.values(), *homework.problems],
    }


# --- print the results


def page_names(keys: Sequence[str]) -> list[str]:
    """Return the name of an HTML file for each key.

    No two names differ only in capital letters, as some systems take such files for the same.
    """
    names, taken = list[str](), set[str]()
    for key in keys:
        text = clean_name(key.rstrip("/_"))  # the ends that `find_owner` gives to keys
        stem = re.sub(r'[\x00-\x1f<>:"/\\|?*]', "-", text)  # which Windows forbids in a name
        stem = stem[:MAX_STEM_LENGTH] or "-"
        name = stem
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        names.append(f"{name}.html")
    return names


COLUMNS = ("student", "wrong", "of", "first", "fix_first", "then")  # of the printed table
# Values of `fix_first` other than a known mistake, and their explanations.
NO_KNOWN_MISTAKE = {
    "spelling": "the values are right, but spelled differently, such as -inf for -Infinity",
    "stops early": "all existing lines are right, but the last lines are missing",
    "unknown": "no known mistake, alone or together with another, leads to these files",
}


def to_table_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a student's row to a row of the table, with the first difference only.

    Args:
        row: The result of `describe_check`, with the columns that the command adds. A student whose
            files cannot be read has a row without differences.
    """
    first: dict[str, Any] = {}
    for difference in row.get("differences", []):
        # A difference in spelling is reported only if there is none in meaning.
        if not first or (first["spelling"] and not difference["spelling"]):
            first = difference
    place = []
    if first and row["case"]:
        place.append(f"case {row['case']}")
    if first:
        file = "log" if first["file"] == LOG else "board"
        place.append(f"{file} {first['line']}")
    fix = [" or ".join(names) for names in row.get("fix", [])]
    if not fix:
        fix = [name_other_cause(row, first)]
    return {
        "student": row["student"],
        "wrong": len(row["wrong"]),
        "of": row["cases"],
        "first": ", ".join(place),
        "yours": first.get("yours", ""),
        "ours": first.get("ours", ""),
        "fix_first": fix[0],
        "then": "".join(fix[1:]),
        "tolerated": "; ".join(row.get("tolerated", [])),
        "handed_in": row["handed_in"],
        "page": row.get("page", ""),
        "problem": row["problem"],
    }


def name_other_cause(row: Mapping[str, Any], difference: Mapping[str, Any]) -> str:
    """Return the value of `fix_first` for a row without a known mistake.

    Args:
        row: The student's row.
        difference: The first difference; empty if there is none.

    Returns:
        A key of `NO_KNOWN_MISTAKE`, or the difference's text `slip` on a missing or extra line; ""
        if no file differs.
    """
    if row.get("case") in row.get("truncated", []):
        return "stops early"
    if not difference:
        return ""
    if difference.get("slip"):
        return str(difference["slip"])
    if difference["spelling"]:
        return "spelling"
    return "unknown"


def explain_mistakes(
    rows: Iterable[Mapping[str, Any]], table_rows: Iterable[Mapping[str, Any]]
) -> list[str]:
    """Return a text for each mistake and each other cause that the rows name.

    Args:
        rows: The students' rows.
        table_rows: The same rows, converted by `to_table_row`.
    """
    # A row of the table joins the names of several mistakes to one text. The students' rows have
    # each name alone, but not the names of other causes.
    names = {row["fix_first"] for row in table_rows}
    for row in rows:
        for alternatives in row.get("fix", []):
            names.update(alternatives)
    explanations = {mistake.name: mistake.description for mistake in KNOWN_MISTAKES}
    explanations |= NO_KNOWN_MISTAKE
    return [wrap(f"{name}: {text}.") for name, text in explanations.items() if name in names]


def format_check(result: CheckResult) -> str:
    """Format the differences and the diagnosis for a terminal."""
    lines = [format_difference(difference) for difference in result.report.differences]
    lines += [wrap(paragraph) for paragraph in result.paragraphs]
    return "\n".join(lines)


def format_difference(difference: Difference) -> str:
    """Format a difference for a terminal: both lines, the place, the board and the reason."""
    compared = {
        f"yours, line {difference.line}": difference.yours or "(end of your file)",
        "ours": difference.ours or "(end of our file)",
    }
    first_line = f"{difference.file}: first difference in line {difference.line}"
    if difference.spelling:
        first_line += ", only in spelling"
    lines = [f"{first_line}.", ""]
    width = max(map(len, compared))
    for name, line in compared.items():
        if len(line) > MAX_SHOWN_LENGTH:
            line = f"{line[:MAX_SHOWN_LENGTH]}…"
        lines.append(f"  {name:<{width}}  {line}")
    if difference.place:
        board = "Its board has row A, row B, the store of player 2 and the store of player 1"
        lines += ["", wrap(f"Our line is about the node {difference.place}. {board}:"), ""]
        lines.append(indent(difference.board.rstrip(), "  "))
    lines += ["", wrap(difference.why), ""]
    return "\n".join(lines)


def wrap(text: str) -> str:
    return fill(text, 79, break_long_words=False, break_on_hyphens=False)
