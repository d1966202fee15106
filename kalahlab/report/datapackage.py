"""`datapackage.json`: what the CSV files of a folder are, for programs that read them.

The standard is Frictionless Data's Tabular Data Package. After a change in `data/`:

    python -m kalahlab.report.datapackage data
"""

import csv
import gzip
import json
import re
import sys
from collections.abc import Iterable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from kalahlab.files import atomic_write

FILE = "datapackage.json"
MIT = {"name": "MIT", "title": "MIT License"}

TYPES = {
    "integer": re.compile(r"[-+]?(0|[1-9][0-9]*)"),
    "number": re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?"),
    "boolean": re.compile(r"True|False"),
}
"""What each value of a column must look like; otherwise it is a text."""


class Described(NamedTuple):
    """A CSV file: its path below the folder, and what it is in a sentence or two."""

    path: str
    title: str


def data_package(
    folder: Path, name: str, title: str, files: Iterable[Described]
) -> dict[str, object]:
    """The description of CSV files in a folder, to be written as JSON."""
    return {
        "profile": "tabular-data-package",
        "name": name,
        "title": title,
        "licenses": [MIT],
        "resources": [resource(folder, each) for each in files],
    }


def resource(folder: Path, described: Described) -> dict[str, object]:
    """One file with the types of its columns, as its values show them."""
    path = folder / described.path
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    head, *rows = csv.reader(StringIO(text, newline=""))
    fields = [{"name": name, **field([row[at] for row in rows])} for at, name in enumerate(head)]
    packed = {"compression": "gz"} if path.suffix == ".gz" else {}
    return {
        "profile": "tabular-data-resource",
        "name": _name(described.path),
        "path": described.path,
        "title": described.title,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        **packed,
        "schema": {"fields": fields, "missingValues": [""]},
    }


def field(values: Iterable[str]) -> Mapping[str, object]:
    """The type of a column."""
    there = [value for value in values if value]
    for kind, form in TYPES.items():
        if there and all(map(form.fullmatch, there)):
            words = {"trueValues": ["True"], "falseValues": ["False"]} if kind == "boolean" else {}
            return {"type": kind, **words}
    return {"type": "string"}


def _name(path: str) -> str:
    """A resource's name: lower-case words with hyphens, unique as the path is."""
    stem = path.removesuffix(".gz").removesuffix(".csv").replace("/tables/", "/")
    return re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")


def to_json(package: Mapping[str, Any]) -> str:
    """The text of the file."""
    return json.dumps(package, ensure_ascii=False, indent=1) + "\n"


def of_data(folder: Path) -> dict[str, object]:
    """The package of `data/`, its titles from the headings of its README.md."""
    readme = (folder / "README.md").read_text(encoding="utf-8")
    titles = {
        name: " ".join(title.split())
        for names, title in re.findall(r"^### (`[^\n]*?)(?:: ([^\n]*))?$", readme, re.MULTILINE)
        for name in re.findall(r"`([^`]+\.csv(?:\.gz)?)`", names)
    }
    paths = sorted(
        path.name for path in folder.iterdir() if path.name.endswith((".csv", ".csv.gz"))
    )
    files = [Described(path, titles.get(path) or path) for path in paths]
    title = "Kalah: what five documents print, and what is solved"
    return data_package(folder, "kalahlab-data", title, files)


if __name__ == "__main__":
    where = Path(sys.argv[1])
    with atomic_write(where / FILE) as part:
        part.write_text(to_json(of_data(where)), encoding="utf-8")
