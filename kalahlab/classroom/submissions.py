"""The submissions of a class: folders and files, also with the names of a learning platform.

A submission is all that one student handed in. The student is known from the names of folders and
files alone. The text of a file is not asked, so that no file can change another student's row.
"""

import os
import re
import stat
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

from kalahlab.formatting import StableRepr
from kalahlab.untrusted import escape_control_characters, read_text

MAX_FILES = 2000  # the most files and folders, together, in a submission
MAX_DEPTH = 20  # the most folders in one another
# Files that a system hides in a folder or a zip file: .DS_Store, __MACOSX, Thumbs.db.
HIDDEN_NAME = re.compile(r"\.|__MACOSX$|(Thumbs\.db|desktop\.ini)$", re.IGNORECASE)
PACKED_SUFFIX = re.compile(r"\.(zip|7z|rar|tar|tgz|gz)$", re.IGNORECASE)

# The names that learning platforms give to files and folders. The first number is the student's:
# `Ada Lovelace_1234_assignsubmission_file_next_state.txt` in Moodle, and in Canvas
# `lovelaceada_LATE_1234_5678_next_state.txt`.
MOODLE_NAME = re.compile(
    r"(?P<key>(?P<student>.+)_\d+)_assignsubmission_[a-z]+(_(?P<file>.*))?", re.DOTALL
)
CANVAS_NAME = re.compile(r"(?P<student>[^_]+)(_LATE)?_(?P<number>\d+)_\d+_(?P<file>.+)", re.DOTALL)
ONLINE_TEXT = "onlinetext.html"  # Moodle's name for a text that is typed into Moodle
# Gradescope names folders submission_123, and lists the students' names in this file.
GRADESCOPE_METADATA = "submission_metadata.yml"
MAX_METADATA_SIZE = 10_000_000  # bytes


@dataclass
class Submission:
    """The files that one student handed in.

    Attributes:
        base: The folder to which the labels of files are relative.
        key: A text that is unique among the submissions of the same folder.
        student: The student's name, from the name of the folder or the file.
        places: The folders and files that were handed in.
        files: The files in the places, by name. The name is a path relative to the place. Files of
            outer folders come first.
        folders: The names of the folders in the places, which are relative, too.
        hidden: The names of the hidden files and folders in the places.
        problems: Messages about what is ignored in the places, one line each.
    """

    base: Path
    key: str
    student: str
    places: list[Path] = field(default_factory=list)
    files: dict[str, Path] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The name of the first file and the number of the others, or the name of the place."""
        first = next(iter(self.files.values()), self.places[0])
        text = self.file_label(first)
        if len(self.files) > 1:
            text += f" and {len(self.files) - 1} more"
        return text

    def file_label(self, path: Path) -> str:
        """Return the name of a file of this submission, relative to `base`, to be shown."""
        return clean_name(path.relative_to(self.base).as_posix())

    def add(self, place: Path, name: str = "") -> None:
        """Add a file, or a folder with the files in it.

        Args:
            place: The file or the folder.
            name: For a file, the name to use in `files`, "" for the file's own name. For a folder,
                a first part of the names of its files, "" for none.
        """
        self.places.append(place)
        queue = deque([(place, name, 0)])  # breadth first: files of outer folders come first
        remaining = MAX_FILES  # the files and folders that may still be listed
        while queue:
            path, inner_name, depth = queue.popleft()
            try:
                mode = path.lstat().st_mode  # of a link itself, which is not followed
                if stat.S_ISDIR(mode):
                    inside = self._list_folder(path, inner_name, depth, remaining)
                    remaining -= len(inside)
                    queue.extend(inside)
                else:
                    self._add_file(path, inner_name or path.name, mode)
            except OSError as error:
                self.problems.append(f"{path} cannot be read: {error.strerror}")

    def _list_folder(
        self, folder: Path, name: str, depth: int, most: int
    ) -> list[tuple[Path, str, int]]:
        """Return up to `most` files and folders in a folder, each with its path, name and depth."""
        if name:  # "" is the place itself
            self.folders.append(name)
        paths = list_folder(folder, most + 1)  # one more shows that there are too many
        if len(paths) > most:
            self._note_limit(f"has more than {MAX_FILES:,} files and folders")
        if paths and depth == MAX_DEPTH:
            self._note_limit(f"has more than {MAX_DEPTH} nested folders")
            return []
        inside = []
        for path in paths[:most]:
            name_inside = f"{name}/{path.name}" if name else path.name
            if HIDDEN_NAME.match(path.name):
                self.hidden.append(name_inside)
            else:
                inside.append((path, name_inside, depth + 1))
        return inside

    def _note_limit(self, reason: str) -> None:
        """Note once why the rest of a place is ignored."""
        problem = f"{self.places[-1]} {reason}; the rest is ignored"
        if problem not in self.problems:
            self.problems.append(problem)

    def _add_file(self, path: Path, name: str, mode: int) -> None:
        if stat.S_ISLNK(mode):
            self.problems.append(f"{path} is a link, which is not followed; hand in the file")
        elif not stat.S_ISREG(mode):
            self.problems.append(f"{path} is not a file that can be read")
        elif name in self.files:  # another place has a file of this name
            self.files[f"{path.parent.name}/{name}"] = path
        else:
            self.files[name] = path


def list_folder(folder: Path, most: int | None = None) -> list[Path]:
    """Return the files and folders in a folder, in natural order.

    Args:
        folder: The folder.
        most: The most names to read, None for all. If there are more, the system decides which
            names are read.
    """
    with os.scandir(folder) as entries:
        names = [entry.name for entry in islice(entries, most)]
    return [folder / name for name in sorted(names, key=natural_key)]


def natural_key(name: str) -> list[Any]:
    """Return a sort key by which 9 comes before 10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]


def list_submissions(
    folder: Path, student_file: re.Pattern[str]
) -> tuple[list[Submission], list[str]]:
    """Find the submissions in the folder of a class.

    Each folder and each file is a submission, but those of the same student are one submission. The
    names of a platform, or names that match `student_file`, tell the student.

    Args:
        folder: The folder of the class.
        student_file: A pattern of file names. Its group `student` is the student's name. Its group
            `file`, if there is one, is the rest of the name.

    Returns:
        The submissions, and the names of hidden files and folders, which are left out.
    """
    submissions: dict[str, Submission] = {}
    left_out = []
    names = read_gradescope_names(folder / GRADESCOPE_METADATA)
    for path in list_folder(folder):
        if HIDDEN_NAME.match(path.name) or path.name == GRADESCOPE_METADATA:
            left_out.append(clean_name(path.name))
            continue
        owner = find_owner(path, student_file)
        student = names.get(path.name, owner.student)
        submission = submissions.setdefault(owner.key, Submission(folder, owner.key, student))
        submission.add(path, owner.file)
    return list(submissions.values()), left_out


def collect_submissions(
    paths: Sequence[Path], student_file: re.Pattern[str]
) -> tuple[list[Submission], list[str]]:
    """Find the submissions in several paths, such as `class/*`: files and folders of files.

    A file in such a folder belongs to the student after whom the folder is named, unless the name
    of the file contains the name of a student. Each file is a submission of its own, as the folder
    may be that of a class.

    Returns:
        The submissions, and the names of hidden files and folders, which are left out.
    """
    if len(paths) == 1 and paths[0].is_dir():
        return list_submissions(paths[0], student_file)
    submissions, left_out = list[Submission](), list[str]()
    for path in paths:
        if not path.is_dir() or path.is_symlink() or not os.access(path, os.R_OK | os.X_OK):
            # `Submission.add` notes why a link or a closed folder is ignored.
            owner = find_owner(path, student_file)
            submissions.append(Submission(path.parent, owner.key, owner.student))
            submissions[-1].add(path, owner.file)
            continue
        inside, hidden = list_submissions(path, student_file)
        left_out += [f"{clean_name(path.name)}/{name}" for name in hidden]
        for submission in inside:
            submission.base = path.parent  # so that labels begin with the name of the folder
            names_no_student = submission.places[0].name == submission.key  # see `find_owner`
            if names_no_student:
                submission.student = clean_name(path.name)
            submissions.append(submission)
        if not inside:
            submissions.append(Submission(path.parent, path.name, clean_name(path.name), [path]))
    return submissions, left_out


class Owner(NamedTuple):
    """The student that a folder or a file belongs to.

    Attributes:
        key: A text that is the same for all files and folders of the student in one folder.
        student: The student's name.
        file: The name of a file without the student's name; "" for a folder.
    """

    key: str
    student: str
    file: str = ""


def find_owner(path: Path, student_file: re.Pattern[str]) -> Owner:
    """Find the owner of a folder or a file by its name.

    Only a file that names no student has its whole name as the key.
    """
    name = path.name
    is_folder = path.is_dir() and not path.is_symlink()
    if match := MOODLE_NAME.fullmatch(name):
        file = match["file"] or name
        if is_folder:
            file = ""
        return Owner(match["key"], clean_name(match["student"]), file)
    # The "/" or "_" at the end of a key keeps it apart from the whole name of a file.
    if is_folder:
        return Owner(f"{name}/", clean_name(name))
    if match := CANVAS_NAME.fullmatch(name):
        key = f"{match['student']}_{match['number']}"
        return Owner(key, clean_name(match["student"]), match["file"])
    if match := student_file.fullmatch(name):
        file = match.groupdict().get("file") or name
        return Owner(f"{match['student']}_", clean_name(match["student"]), file)
    student = name if PACKED_SUFFIX.search(name) else path.stem
    return Owner(name, clean_name(student), name)


def clean_name(name: str) -> str:
    """Return a file's name as text that is safe to show: NFC, without control characters."""
    return escape_control_characters(normalize("NFC", name), "")


def read_gradescope_names(file: Path) -> dict[str, str]:
    """Read the students' names by folder from Gradescope's list; return {} if it cannot be read.

    No YAML parser is needed, as the lines with a folder (`submission_12:`) or a name
    (`  - :name: Ada`) always have this form.
    """
    names: dict[str, str] = {}
    folder = ""
    with suppress(OSError, ValueError):
        for line in read_text(file, MAX_METADATA_SIZE).splitlines():
            if match := re.match(r"(submission_\d+):", line):
                folder = match[1]
            elif match := re.match(r"[\s-]+:name: *(.+)", line):
                name = clean_name(match[1].strip(" \"'"))
                if folder in names:  # a group of students has handed in together
                    name = f"{names[folder]} and {name}"
                names[folder] = name
    return names


def normalize_name(name: str) -> str:
    """Return the words of a name for comparing, without case, signs and additional blanks."""
    words = re.findall(r"\w+", normalize("NFC", name).casefold().replace("_", " "))
    return " ".join(words)


def join_names(student: str, names: Sequence[str]) -> tuple[str, str]:
    """Return a student's name, and the other names in the student's files as one text.

    A file may have the student's name in another spelling, such as Ann O. for ann-o. The first such
    spelling is returned as the student's name. The text is "" if there are no other names.
    """
    spelling = student
    others = []
    for name in names:
        if normalize_name(name) != normalize_name(student):
            if name not in others:
                others.append(name)
        elif spelling == student:  # no other spelling until now
            spelling = name
    return spelling, abbreviate_list(others, "; ")


def join_problems(submission: Submission, problems: Sequence[str]) -> str:
    """Join all reasons why a part of a submission is not read to one line; "" without a reason.

    Args:
        submission: The submission, which has problems of its own.
        problems: Messages about those of its files that are not read.
    """
    if not submission.files and not submission.problems:
        return "it has no file"
    return abbreviate_list([*submission.problems, *problems], "; ")


def describe_error(error: Exception) -> str:
    """Describe in one line the error because of which a file is not read."""
    if isinstance(error, OSError):
        return f"it cannot be read: {error.strerror}"
    return str(error) or type(error).__name__


def abbreviate_list(names: Sequence[str], separator: str = ", ") -> str:
    """Join the first three names, and add the number of the others; return "" without a name."""
    text = separator.join(names[:3])
    if len(names) > 3:
        text += f" and {len(names) - 3} more"
    return text


def read_answers(file: Path, max_size: int, suffixes: Sequence[str]) -> str:
    """Read a file of answers as text.

    Args:
        file: A text file, or the HTML of a text that was typed into Moodle.
        max_size: The greatest number of bytes.
        suffixes: The suffixes that the name of a text file may have.

    Raises:
        ValueError: The file has another suffix, is too long, or is not a text.
    """
    if file.name.lower().endswith(ONLINE_TEXT):
        return html_to_text(read_text(file, max_size))
    if PACKED_SUFFIX.search(file.name):
        raise ValueError(f"it is a {file.suffix[1:].lower()} file; unpack it")
    if file.suffix.lower() not in suffixes:
        raise ValueError(f"its name must end in {', '.join(suffixes[:-1])} or {suffixes[-1]}")
    return read_text(file, max_size)


def html_to_text(html: str) -> str:
    """Return the text of a page, with a line for each paragraph."""
    reader = TextReader()
    reader.feed(html)
    reader.close()
    return "".join(reader.texts)


class TextReader(StableRepr, HTMLParser):
    """Collects the text of a page in `texts`, with a line break where a block begins."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in ("p", "br", "div", "li", "tr"):
            self.texts.append("\n")

    def handle_data(self, data: str) -> None:
        self.texts.append(data.replace("\N{NO-BREAK SPACE}", " "))
