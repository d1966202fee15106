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

from kalahlab.files import atomic_write

FILE = "datapackage.json"

TYPES = {
    "integer": re.compile(r"[-+]?(0|[1-9][0-9]*)"),
    "number": re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?"),
    "boolean": re.compile(r"True|False"),
}
"""What each value of a column must look like; otherwise it is a text."""


def data_package(folder: Path, name: str, title: str, files: Mapping[str, str]) -> str:
    """The description of CSV files as JSON. files: path below the folder -> what it is."""
    package = {
        "profile": "tabular-data-package",
        "name": name,
        "title": title,
        "licenses": [{"name": "MIT", "title": "MIT License"}],
        "resources": [_resource(folder, path, title) for path, title in files.items()],
    }
    return json.dumps(package, ensure_ascii=False, indent=1) + "\n"


def _resource(folder: Path, path: str, title: str) -> dict[str, object]:
    content, packed = (folder / path).read_bytes(), path.endswith(".gz")
    text = (gzip.decompress(content) if packed else content).decode()
    head, *rows = csv.reader(StringIO(text, newline=""))
    fields = [{"name": name, **field([row[at] for row in rows])} for at, name in enumerate(head)]
    stem = path.removesuffix(".gz").removesuffix(".csv").replace("/tables/", "/")
    return {
        "profile": "tabular-data-resource",
        "name": re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-"),
        "path": path,
        "title": title,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        **({"compression": "gz"} if packed else {}),
        "schema": {"fields": fields, "missingValues": [""]},
    }


def field(values: Iterable[str]) -> Mapping[str, object]:
    there = [value for value in values if value]
    for kind, form in TYPES.items():
        if there and all(map(form.fullmatch, there)):
            words = {"trueValues": ["True"], "falseValues": ["False"]} if kind == "boolean" else {}
            return {"type": kind, **words}
    return {"type": "string"}


def of_data(folder: Path) -> str:
    """The description of `data/`, its titles from the headings of its README.md."""
    readme = (folder / "README.md").read_text(encoding="utf-8")
    titles = {
        name: " ".join(title.split())
        for names, title in re.findall(r"^### (`[^\n]*?)(?:: ([^\n]*))?$", readme, re.MULTILINE)
        for name in re.findall(r"`([^`]+\.csv(?:\.gz)?)`", names)
    }
    there = sorted(path.name for path in folder.iterdir())
    files = {name: titles.get(name) or name for name in there if name.endswith((".csv", ".csv.gz"))}
    title = "Kalah: what five documents print, and what is solved"
    return data_package(folder, "kalahlab-data", title, files)


if __name__ == "__main__":
    where = Path(sys.argv[1])
    with atomic_write(where / FILE) as part:
        part.write_text(of_data(where), encoding="utf-8")
