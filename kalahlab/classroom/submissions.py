"""The submissions of a class: folders and files, also as a learning platform packs them.

A submission is all that one student handed in. Its student follows from the names of its folders
and files alone, never from the text of a file: so no file can change another student's row.
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

# Limits of a submission: files and folders in all, and nested folders.
MOST_FILES, DEEPEST = 2000, 20
# Files that a system adds to a folder or a zip file, or hides there.
HIDDEN = re.compile(r"\.|__MACOSX$|(Thumbs\.db|desktop\.ini)$", re.IGNORECASE)
PACKED = re.compile(r"\.(zip|7z|rar|tar|tgz|gz)$", re.IGNORECASE)

# The names of what learning platforms pack. The number is the student's.
MOODLE = re.compile(
    r"(?P<key>(?P<student>.+)_\d+)_assignsubmission_[a-z]+(_(?P<file>.*))?", re.DOTALL
)
CANVAS = re.compile(r"(?P<student>[^_]+)(_LATE)?_(?P<number>\d+)_\d+_(?P<file>.+)", re.DOTALL)
ONLINE_TEXT = "onlinetext.html"  # Moodle's name for a text that is typed into it
METADATA = "submission_metadata.yml"  # of Gradescope, which calls folders submission_123
METADATA_LONGEST = 10_000_000  # bytes


@dataclass
class Submission:
    """The files that one student handed in.

    Attributes:
        base: The folder that the names of its files start from.
        key: Unique among the submissions of the same folder.
        student: The student's name, from that of the folder or the file.
        places: The folders and files that were handed in.
        files: The files in them, by their names there, those of outer folders first.
        folders: The names of the folders in them.
        hidden: The names of the hidden files and folders in them.
        problems: Reasons why something in them is ignored, one line each.
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
        """The name of the first file, or of the place if it has none, and the number of others."""
        first = next(iter(self.files.values()), self.places[0])
        text = self.file_label(first)
        if len(self.files) > 1:
            text += f" and {len(self.files) - 1} more"
        return text

    def file_label(self, path: Path) -> str:
        """Return the name of one of its files, to be shown."""
        return clean_name(path.relative_to(self.base).as_posix())

    def add(self, place: Path, name: str = "") -> None:
        """Add a folder with what is in it, or a file, under `name` if it is another one."""
        self.places.append(place)
        queue = deque([(place, name, 0)])
        remaining = MOST_FILES
        while queue:
            path, name, depth = queue.popleft()
            try:
                mode = path.lstat().st_mode
                if stat.S_ISDIR(mode):
                    inside = self._list_folder(path, name, depth, remaining)
                    remaining -= len(inside)
                    queue.extend(inside)
                else:
                    self._add_file(path, name or path.name, mode)
            except OSError as error:
                self.problems.append(f"{path} cannot be read: {error.strerror}")

    def _list_folder(
        self, folder: Path, name: str, depth: int, most: int
    ) -> list[tuple[Path, str, int]]:
        """Return the path, the name and the depth of each file and folder in a folder."""
        if name:
            self.folders.append(name)
        paths = list_folder(folder, most + 1)
        if len(paths) > most:
            self._refuse(f"has more than {MOST_FILES:,} files and folders")
        if paths and depth == DEEPEST:
            self._refuse(f"has more than {DEEPEST} nested folders")
            return []
        inside = []
        for path in paths[:most]:
            name_inside = f"{name}/{path.name}" if name else path.name
            if HIDDEN.match(path.name):
                self.hidden.append(name_inside)
            else:
                inside.append((path, name_inside, depth + 1))
        return inside

    def _refuse(self, reason: str) -> None:
        """Note once why the rest of a place is ignored."""
        problem = f"{self.places[-1]} {reason}; the rest is ignored"
        if problem not in self.problems:
            self.problems.append(problem)

    def _add_file(self, path: Path, name: str, mode: int) -> None:
        if stat.S_ISLNK(mode):
            self.problems.append(f"{path} is a link, which is not followed; hand in the file")
        elif not stat.S_ISREG(mode):
            self.problems.append(f"{path} is not a file that can be read")
        elif name in self.files:
            self.files[f"{path.parent.name}/{name}"] = path
        else:
            self.files[name] = path


def list_folder(folder: Path, most: int | None = None) -> list[Path]:
    """Return the files and folders in a folder, in natural order.

    Args:
        folder: The folder.
        most: Their greatest number, if given; which are left out is up to the system.
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

    Each folder and each file is one; only those that a platform or `student_file` names after the
    same student are one together.

    Args:
        folder: The folder of the class.
        student_file: Matches the name of a file that contains the student's name, its group
            `student`; its group `file`, if it has one, is the rest.

    Returns:
        The submissions, and the names of hidden files and folders, which are left out.
    """
    submissions: dict[str, Submission] = {}
    left_out = []
    names = read_gradescope_names(folder / METADATA)
    for path in list_folder(folder):
        if HIDDEN.match(path.name) or path.name == METADATA:
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
    """Find the submissions in several paths, such as `class/*`: files, and folders of files.

    A file in one of these folders belongs to the student of the folder, unless its name contains
    another student's. It is a separate submission, as the folder may be that of a class.
    """
    if len(paths) == 1 and paths[0].is_dir():
        return list_submissions(paths[0], student_file)
    submissions, left_out = list[Submission](), list[str]()
    for path in paths:
        if not path.is_dir() or path.is_symlink() or not os.access(path, os.R_OK | os.X_OK):
            owner = find_owner(path, student_file)
            submissions.append(Submission(path.parent, owner.key, owner.student))
            submissions[-1].add(path, owner.file)
            continue
        inside, hidden = list_submissions(path, student_file)
        left_out += [f"{clean_name(path.name)}/{name}" for name in hidden]
        for submission in inside:
            submission.base = path.parent
            if submission.places[0].name == submission.key:  # a file that names no student
                submission.student = clean_name(path.name)
            submissions.append(submission)
        if not inside:
            submissions.append(Submission(path.parent, path.name, clean_name(path.name), [path]))
    return submissions, left_out


class Owner(NamedTuple):
    """The student that a folder or a file belongs to.

    Attributes:
        key: The same for all that belongs to the student in one folder.
        student: The student's name.
        file: The name of a file without the student's; "" for a folder.
    """

    key: str
    student: str
    file: str = ""


def find_owner(path: Path, student_file: re.Pattern[str]) -> Owner:
    """Find the owner of a folder or a file by its name."""
    name = path.name
    is_folder = path.is_dir() and not path.is_symlink()
    if match := MOODLE.fullmatch(name):
        file = match["file"] or name
        if is_folder:
            file = ""
        return Owner(match["key"], clean_name(match["student"]), file)
    if is_folder:
        return Owner(f"{name}/", clean_name(name))
    if match := CANVAS.fullmatch(name):
        key = f"{match['student']}_{match['number']}"
        return Owner(key, clean_name(match["student"]), match["file"])
    if match := student_file.fullmatch(name):
        file = match.groupdict().get("file") or name
        return Owner(f"{match['student']}_", clean_name(match["student"]), file)
    student = name if PACKED.search(name) else path.stem
    return Owner(name, clean_name(student), name)


def clean_name(name: str) -> str:
    """Return a name of a file as text that can be shown and written."""
    return escape_control_characters(normalize("NFC", name), "")


def read_gradescope_names(file: Path) -> dict[str, str]:
    """Read the students' names by folder from the list that Gradescope packs, if there is one."""
    names: dict[str, str] = {}
    folder = ""
    with suppress(OSError, ValueError):
        for line in read_text(file, METADATA_LONGEST).splitlines():
            if match := re.match(r"(submission_\d+):", line):
                folder = match[1]
            elif match := re.match(r"[\s-]+:name: *(.+)", line):
                name = clean_name(match[1].strip(" \"'"))
                if folder in names:  # a group
                    name = f"{names[folder]} and {name}"
                names[folder] = name
    return names


def normalize_name(name: str) -> str:
    """Return the words of a name, without case, signs and additional blanks."""
    words = re.findall(r"\w+", normalize("NFC", name).casefold().replace("_", " "))
    return " ".join(words)


def join_names(student: str, names: Sequence[str]) -> tuple[str, str]:
    """Return a student's name, and other names in the student's files, joined.

    If a file has the same name in another spelling, such as Ann O. for ann-o, this is returned.
    """
    spelling, others = student, []
    for name in names:
        if normalize_name(name) != normalize_name(student):
            if name not in others:
                others.append(name)
        elif spelling == student:
            spelling = name
    return spelling, abbreviate_list(others, "; ")


def join_problems(submission: Submission, problems: Sequence[str]) -> str:
    """Return in one line why not all of a submission is read, "" if all of it is."""
    if not submission.files and not submission.problems:
        return "it has no file"
    return abbreviate_list([*submission.problems, *problems], "; ")


def describe_error(error: Exception) -> str:
    """Return in one line why a file is not read."""
    if isinstance(error, OSError):
        return f"it cannot be read: {error.strerror}"
    return str(error) or type(error).__name__


def abbreviate_list(names: Sequence[str], separator: str = ", ") -> str:
    """Join the first three names, and add the number of the others."""
    text = separator.join(names[:3])
    if len(names) > 3:
        text += f" and {len(names) - 3} more"
    return text


def read_answers(file: Path, longest: int, kinds: Sequence[str]) -> str:
    """Read a file of answers as text.

    Args:
        file: A text file, or the HTML of a text that was typed into Moodle.
        longest: The greatest number of bytes.
        kinds: The endings that its name may have.

    Raises:
        ValueError: The file is of another kind, too long or no text.
    """
    if file.name.lower().endswith(ONLINE_TEXT):
        return html_to_text(read_text(file, longest))
    if PACKED.search(file.name):
        raise ValueError(f"it is a {file.suffix[1:].lower()} file; unpack it")
    if file.suffix.lower() not in kinds:
        raise ValueError(
            f"it is not read; its name must end in {', '.join(kinds[:-1])} or {kinds[-1]}"
        )
    return read_text(file, longest)


def html_to_text(html: str) -> str:
    """Return the text of a page, with its paragraphs as lines."""
    reader = TextReader()
    reader.feed(html)
    reader.close()
    return "".join(reader.texts)


class TextReader(StableRepr, HTMLParser):
    """Collects the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in ("p", "br", "div", "li", "tr"):
            self.texts.append("\n")

    def handle_data(self, data: str) -> None:
        self.texts.append(data.replace("\N{NO-BREAK SPACE}", " "))
