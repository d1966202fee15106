"""The manifest of the report, `manifest.json`: the files of a build and their dependencies.

The manifest names no machine, so that two people can compare their manifests. It contains the
SHA-256 of each page, file and record. These show whether a process that was killed, a faulty disk
or a person has changed the report.
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
from kalahlab.files import checksum
from kalahlab.formatting import to_json
from kalahlab.report.items import Item, Kind

Parameters = Mapping[str, Any]

FILE = "manifest.json"
# The kind of an item -> the key that its `text` has in `manifest.json`.
TEXT_KEYS: dict[Kind, str] = {
    "figure": "alt",
    "table": "caption",
    "page": "title",
    "listing": "caption",
    "finding": "sentence",
}
PACKAGES = (
    "numpy", "numba", "pandas", "matplotlib", "seaborn", "papermill", "nbconvert", "ipykernel",
)  # fmt: skip
# Suffixes of the package's files that can change a result; page templates cannot.
SUFFIXES_WITH_EFFECT = {".py", ".js", ".csv", ".json", ".toml", ".mplstyle"}


@dataclass(frozen=True)
class Record:
    """The result of running a notebook.

    Attributes:
        notebook: The name of the notebook, without suffix.
        profile: The name of the profile.
        parameters: All parameters but `out`.
        key: A hash of all that the results depend on; equal keys mean equal results.
        status: `failed` if the notebook or its page failed.
        items: The artifacts; their paths are relative to the folder of the report.
        cells: The number of code cells.
        seconds: The time of the run.
        files: The SHA-256 of each file of the artifacts, and of the executed notebook, by path.
        error: Why the notebook or its page failed, in one line; None if neither did.
        title: The first heading, as text.
        question: The first paragraph, as text.
        changed: The parameters that differ from those of the default profile.
        notes: Remarks on a page that has not failed, such as that a link leads nowhere.
    """

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
        """The profile and the changed parameters, for a citation; "" without changed parameters."""
        # A profile whose parameters are all those of the default profile needs no mention.
        if not self.changed:
            return ""
        changes = [f"{name} = {to_json(value)}" for name, value in self.changed.items()]
        return f"run with the profile {self.profile}, {', '.join(changes)}"

    def items_of_kind(self, kind: Kind) -> list[Item]:
        return [item for item in self.items if item.kind == kind]

    def is_complete(self, out: Path) -> bool:
        return digests(out, self.files) == self.files


@dataclass(frozen=True)
class Manifest:
    """The manifest of a build.

    Attributes:
        profile: The name of the profile.
        commit: The commit, with `-dirty` if files had changed since; None without a checkout.
        versions: The versions of Python and of packages, by name.
        notebooks: The record of each notebook.
        ran: The notebooks that this build ran. `manifest.json` does not have them.
        pages: The SHA-256 of each page, by its file name.
        year: The year of the commit.
    """

    profile: str
    commit: str | None
    versions: dict[str, str]
    notebooks: tuple[Record, ...]
    ran: tuple[str, ...] = field(default=(), compare=False)
    pages: dict[str, str] = field(default_factory=dict)
    year: str | None = None

    @property
    def failures(self) -> list[Record]:
        return [record for record in self.notebooks if record.status == "failed"]

    def to_json(self) -> str:
        """Return the text of `manifest.json`, in which each record has its own checksum.

        In place of `items`, a stored record has one list of artifacts for each kind, such as
        `figures`. The empty fields of an artifact are left out.
        """
        stored = asdict(self)
        del stored["ran"]
        for row in stored["notebooks"]:
            items = row.pop("items")
            for kind in TEXT_KEYS:
                row[f"{kind}s"] = []
            for item in items:
                kind, text = item.pop("kind"), item.pop("text")
                entry = {key: value for key, value in item.items() if value not in (None, "")}
                entry[TEXT_KEYS[kind]] = text
                row[f"{kind}s"].append(entry)
            row["sha256"] = checksum(row)  # of all other fields
        return to_json(stored, ensure_ascii=False, indent=1, default=repr) + "\n"


def load_manifest(
    out: Path, progress: Callable[[str], object] = lambda line: None
) -> tuple[Record, ...]:
    """Return the records in the manifest of the report in `out`; an empty tuple without a manifest.

    Damaged records are left out, and `progress` is called with a line for each.
    """
    try:
        rows = list(_load_stored(out)["notebooks"])  # raises TypeError if it is not a list
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError):
        progress(f"{FILE} cannot be read, so all notebooks are run")
        return ()
    records = []
    for row in rows:
        try:
            stored_checksum = row.pop("sha256")  # first, as a checksum does not cover itself
            if stored_checksum != checksum(row):
                raise ValueError("the record has changed")  # caught below
            items = _pop_items(row)
            records.append(Record(items=items, notes=tuple(row.pop("notes", ())), **row))
        except (ValueError, KeyError, TypeError, AttributeError):
            progress(f"a record of {FILE} is damaged: its notebook is run again")
    return tuple(records)


def _pop_items(row: dict[str, Any]) -> tuple[Item, ...]:
    """Remove the artifacts from a stored record, and return them."""
    items = []
    for kind, text_key in TEXT_KEYS.items():
        for entry in row.pop(f"{kind}s"):
            text = entry.pop(text_key)
            files = tuple(entry.pop("files"))
            items.append(Item(kind, text=text, files=files, **entry))
    return tuple(items)


def pages_are_complete(out: Path) -> bool:
    """Return whether the manifest lists pages, and all of them are as they were written."""
    pages = _load_stored(out).get("pages", {})
    return bool(pages) and digests(out, pages) == pages


def digests(out: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of files by their names; the empty text for a missing file."""
    hashes = {}
    for name in names:
        file = out / name
        hashes[name] = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""
    return hashes


def _load_stored(out: Path) -> Any:
    return json.loads((out / FILE).read_text(encoding="utf-8"))


def environment_hash(package: Path) -> str:
    """Return a hash of what all notebooks depend on: the package, the data, the versions."""
    # An installed package contains its data; in a checkout they are next to the package.
    data = package / "_data"
    if not data.is_dir():
        data = package.parent / "data"
    files = {*data.glob("*.*"), *data.glob("ledger/*")}
    # The notebooks are left out, so that a change of one does not run the others again. The key of
    # a record covers the cells of its own notebook.
    for file in package.rglob("*"):
        if file.suffix in SUFFIXES_WITH_EFFECT and "_notebooks" not in file.parts:
            files.add(file)
    names = [file.relative_to(package.parent).as_posix() for file in files]
    return checksum([versions(), digests(package.parent, names)])


def versions() -> dict[str, str]:
    """Return the versions of Python, kalahlab and the packages that can change a result."""
    environment = {"python": platform.python_version(), "kalahlab": __version__}
    return environment | {name: version(name) for name in PACKAGES}


def commit(package: Path) -> str | None:
    """Return the commit, with `-dirty` if files have changed since; None without a checkout."""
    # `--exclude=*` leaves out all tags, so that the name is the commit itself.
    return _git(package, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")


def commit_year(package: Path) -> str | None:
    """Return the year of the checkout's commit; None without a checkout."""
    return _git(package, "show", "--no-patch", "--format=%cd", "--date=format:%Y")


def _git(package: Path, *arguments: str) -> str | None:
    """Return the output of a git command; None if it fails or the package is not a checkout."""
    if not (package.parent / ".git").exists():
        return None
    command = ["git", *arguments]
    with suppress(OSError, subprocess.CalledProcessError):
        output = subprocess.check_output(
            command, cwd=package.parent, stderr=subprocess.DEVNULL, text=True
        )
        return output.strip()
    return None
