"""What a build made, and what that depends on: the report's record of itself, `manifest.json`.

It names no machine, so two people can compare theirs. It has the SHA-256 of each page, file and
record: what a kill, a disk or a person has changed since is noticed.
"""

import hashlib
import json
import platform
import subprocess
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from kalahlab import __version__
from kalahlab.draw.items import Item, Kind
from kalahlab.files import checksum
from kalahlab.formatting import to_json

Parameters = Mapping[str, Any]

FILE = "manifest.json"
# What the text of each kind of artifact is called there.
TEXTS: dict[Kind, str] = {
    "figure": "alt",
    "table": "caption",
    "page": "title",
    "listing": "caption",
    "finding": "sentence",
}
PACKAGES = (
    "numpy", "numba", "pandas", "matplotlib", "seaborn", "papermill", "nbconvert", "ipykernel",
)  # fmt: skip
# Endings of the package's files that can change a result; page templates cannot.
READ = {".py", ".js", ".csv", ".json", ".toml", ".mplstyle"}


@dataclass(frozen=True)
class Record:
    """key: of what the results depend on; equal keys, equal results. items: with paths below the
    folder of the report. files: the SHA-256 of each of theirs, and of the executed notebook.
    title, question: its first heading and first paragraph, as text. changed: of the parameters,
    those that are not as in the default profile. notes: what is wrong with its page that is yet
    whole, such as a link that leads nowhere."""

    notebook: str
    profile: str
    parameters: Parameters
    key: str
    status: Literal["ok", "failed"]
    cells: int
    seconds: float
    items: tuple[Item, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    error: str | None = None
    title: str = ""
    question: str = ""
    changed: Parameters = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def deviation(self) -> str:
        """How it was run, for a citation; nothing if as in the default profile."""
        said = ", ".join(f"{name} = {to_json(to)}" for name, to in self.changed.items())
        return said and f"run with the profile {self.profile}, {said}"

    def made(self, kind: Kind) -> list[Item]:
        return [item for item in self.items if item.kind == kind]

    def complete(self, out: Path) -> bool:
        return digests(out, self.files) == self.files


@dataclass(frozen=True)
class Manifest:
    """ran: what this build ran; not stored. pages: the SHA-256 of each. year: of the commit."""

    profile: str
    commit: str | None
    versions: dict[str, str]
    notebooks: tuple[Record, ...]
    ran: tuple[str, ...] = field(default=(), compare=False)
    pages: dict[str, str] = field(default_factory=dict)
    year: str | None = None

    @property
    def failed(self) -> list[Record]:
        return [record for record in self.notebooks if record.status == "failed"]

    def to_json(self) -> str:
        stored = asdict(self)
        del stored["ran"]
        for row in stored["notebooks"]:
            row |= {f"{kind}s": [] for kind in TEXTS}
            for item in row.pop("items"):
                kind = item.pop("kind")
                text = {TEXTS[kind]: item.pop("text")}
                said = {key: value for key, value in item.items() if value not in (None, "")}
                row[f"{kind}s"].append(said | text)
            row["sha256"] = checksum(row)
        return to_json(stored, ensure_ascii=False, indent=1, default=repr) + "\n"


def read(out: Path, progress: Callable[[str], object] = lambda line: None) -> tuple[Record, ...]:
    """The records of the report in `out`; progress gets a line on those that are damaged."""
    try:
        rows = [*_stored(out)["notebooks"]]
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError):
        progress(f"{FILE} cannot be read: all notebooks are run")
        return ()
    records = []
    for row in rows:
        try:
            if row.pop("sha256") != checksum(row):
                raise ValueError("a digit or a letter has changed")
            items = tuple(
                Item(kind, text=each.pop(text), files=tuple(each.pop("files")), **each)
                for kind, text in TEXTS.items()
                for each in row.pop(f"{kind}s")
            )
            records.append(Record(items=items, notes=tuple(row.pop("notes", ())), **row))
        except (ValueError, KeyError, TypeError, AttributeError):
            progress(f"a record of {FILE} is damaged: its notebook is run again")
    return tuple(records)


def pages_complete(out: Path) -> bool:
    pages = _stored(out).get("pages", {})
    return bool(pages) and digests(out, pages) == pages


def digests(out: Path, names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of files, the empty text for one that is not there."""
    return {
        name: hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""
        for name in names
        for file in [out / name]
    }


def _stored(out: Path) -> Any:
    return json.loads((out / FILE).read_text(encoding="utf-8"))


def environment_hash(package: Path) -> str:
    """The hash of what all notebooks depend on: the package, the data, the versions."""
    carried = package / "_data"
    data = carried if carried.is_dir() else package.parent / "data"
    read = (file for file in package.rglob("*") if file.suffix in READ)
    ours = (file for file in read if "_notebooks" not in file.parts)
    every = {*ours, *data.glob("*.*"), *data.glob("ledger/*")}
    names = (file.relative_to(package.parent).as_posix() for file in every)
    return checksum([versions(), digests(package.parent, names)])


def versions() -> dict[str, str]:
    own = {"python": platform.python_version(), "kalahlab": __version__}
    return own | {name: version(name) for name in PACKAGES}


def commit(package: Path) -> str | None:
    """The checkout's commit, with `-dirty` if it was changed since; None outside of one."""
    return _git(package, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")


def commit_year(package: Path) -> str | None:
    return _git(package, "show", "--no-patch", "--format=%cd", "--date=format:%Y")


def _git(package: Path, *words: str) -> str | None:
    if (package.parent / ".git").exists():
        with suppress(OSError, subprocess.CalledProcessError):
            return subprocess.check_output(
                ["git", *words], cwd=package.parent, stderr=subprocess.DEVNULL, text=True
            ).strip()
    return None
