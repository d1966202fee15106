"""Descriptions of CSV files, `datapackage.json`: Frictionless Data's Tabular Data Package."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pandas as pd

from kalahlab.data import data_rows
from kalahlab.formatting import to_json

FILE = "datapackage.json"
# The pattern of all values of a column of each type; other columns are texts. A column has the
# first type that fits: an integer is a number, too.
TYPES = {
    "integer": re.compile(r"[-+]?(0|[1-9][0-9]*)"),
    "number": re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?"),
    "boolean": re.compile(r"True|False"),
}


def data_package(folder: Path, name: str, title: str, files: Mapping[str, str]) -> str:
    """Return the description of CSV files as JSON; `files` maps paths in the folder to titles."""
    package = {
        "profile": "tabular-data-package",
        "name": name,
        "title": title,
        "licenses": [{"name": "MIT", "title": "MIT License"}],
        "resources": [_resource(folder, path, text) for path, text in files.items()],
    }
    return to_json(package, ensure_ascii=False, indent=1) + "\n"


def _resource(folder: Path, path: str, title: str) -> dict[str, object]:
    try:
        table = pd.read_csv(folder / path, dtype=str, keep_default_na=False)
    except pd.errors.EmptyDataError:  # a table without columns
        table = pd.DataFrame()
    fields = [
        {"name": name, **field(column), **describe_column(path, str(name))}
        for name, column in table.items()
    ]
    # "05_grid/tables/costs.csv" has the name "05-grid-costs".
    stem = path.removesuffix(".gz").removesuffix(".csv").replace("/tables/", "/")
    return {
        "profile": "tabular-data-resource",
        "name": re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-"),
        "path": path,
        "title": title.partition(" … ")[0],  # the rest is about the rows that a page shows
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        **({"compression": "gz"} if path.endswith(".gz") else {}),
        "schema": {"fields": fields, "missingValues": [""]},
    }


def field(values: Iterable[str]) -> Mapping[str, object]:
    """Return the type of a column for the schema; missing values, which are "", are ignored."""
    values = [value for value in values if value]
    if not values:
        return {"type": "string"}
    for kind, pattern in TYPES.items():
        if all(pattern.fullmatch(value) for value in values):
            if kind == "boolean":
                return {"type": kind, "trueValues": ["True"], "falseValues": ["False"]}
            return {"type": kind}
    return {"type": "string"}


def describe_column(path: str, name: str) -> Mapping[str, str]:
    """Return the description of a column from `columns.csv`, or {} if the column has none.

    A description for this file comes before one for all files.
    """
    # "x low" and "x high" are described by the description of "x".
    estimate, _, end = name.rpartition(" ")
    if estimate and end in ("low", "high"):
        text = describe_column(path, estimate).get("description", estimate)
        return {"description": f"the {end} end of the 95 % interval of: {text}"}
    text = _meanings().get((path, name)) or _meanings().get(("", name), "")
    return {"description": text} if text else {}


@cache
def _meanings() -> dict[tuple[str, str], str]:
    """Return the descriptions by file ("" for all files) and column."""
    return {(row["file"], row["column"]): row["meaning"] for row in data_rows("columns.csv")}
