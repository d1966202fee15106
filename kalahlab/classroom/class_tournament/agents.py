"""The agents of a class: a folder for each student, with a program or a description of one.

`agent.toml` in such a folder may have these keys, all of which may be left out:

    command = "./agent --depth 6"    # the program and its arguments
    dialect = "kgpc"                 # how it is asked for moves; see `players.programs.dialects`
    function = "move"                # the function or class of a Python file, in place of a program
    build = "make fast"              # what makes the program; `make` if there is a Makefile
    names = ["Ada", "Ben"]           # the members of a team
    depth = 4                        # told to a program of the dialect `homework`
"""

import hashlib
import os
import re
import shlex
import shutil
import stat
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from kalahlab.classroom.class_tournament.commands import (
    find_command,
    function_command,
    make_executable,
)
from kalahlab.classroom.class_tournament.isolation import Confinement, kill_group
from kalahlab.classroom.submissions import (
    HIDDEN_NAME,
    PACKED_SUFFIX,
    clean_name,
    find_owner,
    list_folder,
)
from kalahlab.names import did_you_mean
from kalahlab.players.programs.dialects import DIALECTS
from kalahlab.untrusted import read_text

DESCRIPTION = "agent.toml"
LONGEST_DESCRIPTION = 20_000  # bytes
KEYS = {
    "command": str,
    "dialect": str,
    "function": str,
    "build": str,
    "names": list,
    "name": str,
    "depth": int,
}
MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
LONGEST_KEY = 100  # bytes
MOST_FILES = 2000  # in the folder of a student
MOST_BYTES = 200_000_000
BUILD_SECONDS = 120
LONGEST_OUTPUT = 20_000  # bytes at the end of a build's output that are kept
NO_STUDENT_FILE = re.compile(r"(?P<student>(?!))")  # no file of a class is a student's agent


@dataclass(frozen=True)
class Agent:
    """A player of the tournament.

    Attributes:
        key: The name of its rows and files, different for all agents.
        name: The name of the student or the team.
        members: The members of the team, as its description names them.
        player: The text of a player; "" for a program.
        command: The program and its arguments.
        dialect: The dialect of the program; "" for a function of Python.
        depth: The depth that the dialect `homework` tells.
        folder: The folder of the program.
        code: A hash of the student's files; "" for the text of a player.
    """

    key: str
    name: str
    members: tuple[str, ...] = ()
    player: str = ""
    command: tuple[str, ...] = ()
    dialect: str = ""
    depth: int = 3
    folder: Path = Path()
    code: str = ""

    @property
    def function(self) -> str:
        """The name of the function or the class of Python; "" for a program."""
        return self.command[-1] if self.command and not self.dialect else ""

    @property
    def version(self) -> str:
        """What changes if the agent may play otherwise: the hash, or the text of a player."""
        return self.code or self.player


@dataclass(frozen=True)
class Absentee:
    """A student who does not take part.

    Attributes:
        key, name: As of an `Agent`.
        reason: Why not, in one line, with what to do.
        output: The end of what the build has printed.
    """

    key: str
    name: str
    reason: str
    output: str = ""


class CannotTakePart(ValueError):
    """Raised with the reason for which a student does not take part, and a build's output."""

    def __init__(self, reason: str, output: str = "") -> None:
        super().__init__(reason)
        self.output = output


def find_agents(
    folder: Path, out: Path, confinement: Confinement, taken: Sequence[str] = ()
) -> tuple[list[Agent], list[Absentee]]:
    """Find the agents in the folder of a class, and build those that need it.

    Agents are built and run in copies of their folders, in `out`.

    Args:
        folder: The folder of the class, with a folder for each student.
        out: The folder of the tournament.
        confinement: How builds are confined.
        taken: Keys that other agents have.
    """
    agents, absentees = list[Agent](), list[Absentee]()
    for key, place in _name_places(folder, taken):
        owner = find_owner(place, NO_STUDENT_FILE)
        try:
            agents.append(_prepare(key, owner.student, place, out / "agents" / key, confinement))
        except CannotTakePart as error:
            absentees.append(Absentee(key, owner.student, str(error), error.output))
        except (ValueError, OSError) as error:
            absentees.append(Absentee(key, owner.student, str(error)))
    return agents, absentees


def _name_places(folder: Path, taken: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Yield the places of students with their keys, which are names of files on each system."""
    used = {key.casefold() for key in taken}
    for place in list_folder(folder):
        if HIDDEN_NAME.match(place.name):
            continue
        student = find_owner(place, NO_STUDENT_FILE).student
        stem = re.sub(r"[^\w.+-]+", "-", clean_name(student)).strip("-.") or "agent"
        # The file of a game has two keys, and at most 255 bytes.
        stem = stem.encode()[:LONGEST_KEY].decode(errors="ignore")
        key, number = stem, 1
        while key.casefold() in used:
            number += 1
            key = f"{stem}-{number}"
        used.add(key.casefold())
        yield key, place


def _prepare(key: str, name: str, place: Path, target: Path, confinement: Confinement) -> Agent:
    """Copy and build a student's folder, and return its agent."""
    source = _find_source(place)
    files = _list_files(source)
    code = _hash_files(source, files)
    description = _read_description(source)
    build = description.get("build") or _usual_build(source)
    built = target.with_name(f"{key}@{code[:12]}")
    if not built.is_dir():
        _copy(source, files, target)
        if build:
            _build(build, target, confinement)
        target.rename(built)
    command, dialect = _choose_command(description, built)
    wrong = description.get("dialect", "kgpc")
    if wrong not in DIALECTS:
        raise CannotTakePart(
            f"{DESCRIPTION} has the dialect {wrong!r}; use one of {', '.join(DIALECTS)}"
        )
    if dialect:
        dialect = description.get("dialect", dialect)
    names = description.get("names") or [description.get("name", "")]
    members = tuple(clean_name(str(member))[:80] for member in names[:20] if member)
    return Agent(
        key=key,
        name=name,
        members=members,
        command=command,
        dialect=dialect,
        depth=description.get("depth", 3),
        folder=built,
        code=code,
    )


def _find_source(place: Path) -> Path:
    """Return the folder with the program: the place, or the only folder in it."""
    if place.is_symlink():
        raise CannotTakePart(f"{place.name} is a link, which is not followed; hand in the folder")
    if not place.is_dir():
        advice = "unpack it" if PACKED_SUFFIX.search(place.name) else "put it into a folder"
        raise CannotTakePart(f"{place.name} is no folder; {advice}")
    for _ in range(5):
        inside = [path for path in list_folder(place) if not HIDDEN_NAME.match(path.name)]
        if len(inside) != 1 or inside[0].is_symlink() or not inside[0].is_dir():
            break
        place = inside[0]
    return place


def _list_files(source: Path) -> list[str]:
    """Return the names of all files in a folder, sorted; links and other things are left out.

    Raises:
        CannotTakePart: There are too many files, or they are too large.
    """
    names, size = list[str](), 0
    for folder, folders, files in os.walk(source):
        folders.sort()
        for name in sorted(files):
            path = Path(folder, name)
            status = path.lstat()
            if not stat.S_ISREG(status.st_mode):
                continue
            names.append(path.relative_to(source).as_posix())
            size += status.st_size
            if len(names) > MOST_FILES or size > MOST_BYTES:
                raise CannotTakePart(
                    f"its folder has more than {MOST_FILES:,} files or {MOST_BYTES // 10**6} MB; "
                    "leave out what the program does not need"
                )
    if not names:
        raise CannotTakePart("its folder has no file")
    return names


def _hash_files(source: Path, files: Sequence[str]) -> str:
    """Return a hash of the names and the contents of files."""
    digest = hashlib.sha256()
    for name in files:
        content = hashlib.sha256((source / name).read_bytes()).hexdigest()
        digest.update(f"{content} {name}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()


def _read_description(source: Path) -> dict[str, Any]:
    """Return the values of `agent.toml`, {} without one; raise `CannotTakePart` for a wrong one."""
    file = source / DESCRIPTION
    if not file.is_file() or file.is_symlink():
        return {}
    try:
        values = tomllib.loads(read_text(file, LONGEST_DESCRIPTION))
    except (ValueError, RecursionError) as error:
        raise CannotTakePart(f"{DESCRIPTION} cannot be read: {error}") from None
    for key, value in values.items():
        if key not in KEYS:
            hint = did_you_mean(key, KEYS) or f"; use one of {', '.join(KEYS)}"
            raise CannotTakePart(f"{DESCRIPTION} has the unknown key {key!r}{hint}")
        if not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise CannotTakePart(f"{DESCRIPTION}: {key} is {value!r}, but must be {_kind(key)}")
    if values.get("depth", 1) not in range(1, 1000):
        raise CannotTakePart(f"{DESCRIPTION}: depth is {values['depth']}; use 1 to 999")
    return values


def _kind(key: str) -> str:
    return {str: "a text in quotes", list: "a list of texts", int: "a whole number"}[KEYS[key]]


def _usual_build(source: Path) -> str:
    return "make" if any((source / name).is_file() for name in MAKEFILES) else ""


def _copy(source: Path, files: Sequence[str], target: Path) -> None:
    """Copy files to a new folder, which replaces what an ended run has left there."""
    shutil.rmtree(target, ignore_errors=True)
    for name in files:
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, copy)
        mode = (source / name).stat().st_mode
        copy.chmod(0o755 if mode & stat.S_IXUSR else 0o644)


def _build(build: str, folder: Path, confinement: Confinement) -> None:
    """Build a program in its folder; raise `CannotTakePart` with the output if that fails."""
    command = confinement.command(["/bin/sh", "-c", build], folder, is_build=True)
    # Not in the folder, where the build could put a link to another file in its place.
    with TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status = process.wait(BUILD_SECONDS)
            reason = f"ends with status {status}"
        except subprocess.TimeoutExpired:
            status, reason = None, f"takes longer than {BUILD_SECONDS} s"
        finally:
            kill_group(process)
        output.seek(max(0, output.seek(0, os.SEEK_END) - LONGEST_OUTPUT))
        text = output.read().decode(errors="replace")
    if status != 0:
        lines = [line.strip() for line in text.splitlines() if "error" in line.lower()]
        first = f": {lines[0][:200]}" if lines else ""
        raise CannotTakePart(f"does not build: {build!r} {reason}{first}", text)


def _choose_command(description: dict[str, Any], folder: Path) -> tuple[tuple[str, ...], str]:
    """Return the command of a program and its usual dialect; "" for a function of Python."""
    function = description.get("function", "")
    text = description.get("command", "")
    if not text:
        return find_command(folder, function)
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise CannotTakePart(f"{DESCRIPTION}: command is {text!r}: {error}") from None
    if function and len(words) == 1 and words[0].endswith(".py"):
        return function_command(words[0], function), ""
    if not words:
        raise CannotTakePart(f"{DESCRIPTION} has an empty command")
    file = folder / words[0]
    if "/" in words[0] and not words[0].startswith("/") and not file.is_file():
        raise CannotTakePart(f"{DESCRIPTION}: command is {text!r}, but there is no {words[0]}")
    if file.is_file():
        make_executable(file, folder)
    return words, "kgpc"
