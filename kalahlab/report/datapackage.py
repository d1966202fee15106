"""`datapackage.json`, which describes CSV files: Frictionless Data's Tabular Data Package."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pandas as pd

from kalahlab.data import data_rows
from kalahlab.formatting import to_json

FILE = "datapackage.json"
# What each value of a column must look like; otherwise it is a text.
TYPES = {
    "integer": re.compile(r"[-+]?(0|[1-9][0-9]*)"),
    "number": re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?"),
    "boolean": re.compile(r"True|False"),
}


def data_package(folder: Path, name: str, title: str, files: Mapping[str, str]) -> str:
    """CSV files described as JSON. files: path below the folder -> title."""
    package = {
        "profile": "tabular-data-package",
        "name": name,
        "title": title,
        "licenses": [{"name": "MIT", "title": "MIT License"}],
        "resources": [_resource(folder, path, title) for path, title in files.items()],
    }
    return to_json(package, ensure_ascii=False, indent=1) + "\n"


def _resource(folder: Path, path: str, title: str) -> dict[str, object]:
    try:
        table = pd.read_csv(folder / path, dtype=str, keep_default_na=False)
    except pd.errors.EmptyDataError:  # a table without columns
        table = pd.DataFrame()
    fields = [{"name": n, **field(each), **meaning(path, str(n))} for n, each in table.items()]
    stem = path.removesuffix(".gz").removesuffix(".csv").replace("/tables/", "/")
    return {
        "profile": "tabular-data-resource",
        "name": re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-"),
        "path": path,
        "title": title.partition(" … ")[0],  # what follows is about the first rows, on a page
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        **({"compression": "gz"} if path.endswith(".gz") else {}),
        "schema": {"fields": fields, "missingValues": [""]},
    }


def field(values: Iterable[str]) -> Mapping[str, object]:
    there = [value for value in values if value]
    for kind, form in TYPES.items():
        if there and all(map(form.fullmatch, there)):
            words = {"trueValues": ["True"], "falseValues": ["False"]} if kind == "boolean" else {}
            return {"type": kind, **words}
    return {"type": "string"}


def meaning(path: str, name: str) -> Mapping[str, str]:
    """The description of a column, if there is one: of this file, or of any."""
    of, _, end = name.rpartition(" ")
    if of and end in ("low", "high"):
        said = meaning(path, of).get("description", of)
        return {"description": f"the {end} end of the 95 % interval of: {said}"}
    said = _meanings().get((path, name)) or _meanings().get(("", name), "")
    return {"description": said} if said else {}


@cache
def _meanings() -> dict[tuple[str, str], str]:
    return {(row["file"], row["column"]): row["meaning"] for row in data_rows("columns.csv")}
