"""Descriptions of CSV files, `datapackage.json`: Frictionless Data's Tabular Data Package."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pandas as pd

from kalahlab.data import data_rows
from kalahlab.formatting import to_json

FILE = "datapackage.json"
# For each type of a column, the pattern that all its values match. A column has the first type that
# fits, as integers are numbers, too. A column that fits no type has texts.
TYPES = {
    "integer": re.compile(r"[-+]?(0|[1-9][0-9]*)"),
    "number": re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?"),
    "boolean": re.compile(r"True|False"),
}


def data_package(folder: Path, name: str, title: str, files: Mapping[str, str]) -> str:
    """Return the description of CSV files as JSON.

    Args:
        folder: The folder.
        name: The name of the data package.
        title: The title of the data package.
        files: The title of each file, by its path in the folder.
    """
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
        # The rest of a title, "… 210 more rows in the CSV", is about the rows that a page shows.
        "title": title.partition(" … ")[0],
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        **({"compression": "gz"} if path.endswith(".gz") else {}),
        "schema": {"fields": fields, "missingValues": [""]},
    }


def field(values: Iterable[str]) -> Mapping[str, object]:
    """Return the type of a column for the schema; empty texts are missing values."""
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
    """Return the description of a column from `columns.csv`; {} if the column has none.

    A description for this file takes precedence over one for all files.
    """
    # Columns "x low" and "x high" are described by what "x" is.
    estimate, _, end = name.rpartition(" ")
    if estimate and end in ("low", "high"):
        text = describe_column(path, estimate).get("description", estimate)
        return {"description": f"the {end} end of the 95% interval of: {text}"}
    text = _meanings().get((path, name)) or _meanings().get(("", name), "")
    return {"description": text} if text else {}


@cache
def _meanings() -> dict[tuple[str, str], str]:
    """Return the descriptions by file ("" for all files) and column."""
    return {(row["file"], row["column"]): row["meaning"] for row in data_rows("columns.csv")}
