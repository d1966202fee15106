"""What a build made: the report's record of itself, `manifest.json`.

It names no machine and no path outside of the report, so two people can compare theirs.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from kalahlab.report.build.keys import Parameters
from kalahlab.report.draw.items import Item, Kind

FILE = "manifest.json"

TEXTS: dict[Kind, str] = {
    "figure": "alt",
    "table": "caption",
    "page": "title",
    "listing": "caption",
    "finding": "sentence",
}
"""What the text of each kind of artifact is called there."""


@dataclass(frozen=True)
class Record:
    """One notebook of the report.

    title, question: its first heading and first paragraph, as text. profile,
    parameters: what it was run with. seconds: wall-clock time of the run. key: what the
    results depend on (see `keys`). items: its figures, tables and pages, with paths below
    the folder of the report. error: what stopped it, in one line.
    """

    notebook: str
    profile: str
    parameters: Parameters
    key: str
    status: Literal["ok", "failed"]
    cells: int
    seconds: float
    items: tuple[Item, ...] = ()
    error: str | None = None
    title: str = ""
    question: str = ""

    def made(self, kind: Kind) -> list[Item]:
        """Its figures, tables or interactive pages, in the notebook's order."""
        return [item for item in self.items if item.kind == kind]

    def complete(self, out: Path) -> bool:
        """Whether all the files that its run made are still there."""
        files = [f"{self.notebook}.ipynb", *(file for item in self.items for file in item.files)]
        return all((out / file).is_file() for file in files)


@dataclass(frozen=True)
class Manifest:
    """The whole report. `ran` names the notebooks that this build ran; it is not stored."""

    profile: str
    commit: str | None
    versions: dict[str, str]
    notebooks: tuple[Record, ...]
    ran: tuple[str, ...] = field(default=(), compare=False)

    @property
    def failed(self) -> list[Record]:
        """The notebooks that stopped with an error."""
        return [record for record in self.notebooks if record.status == "failed"]

    def to_json(self) -> str:
        """The text of `manifest.json`, in which figures, tables and pages are listed apart."""
        stored = asdict(self)
        del stored["ran"]
        for row in stored["notebooks"]:
            items = row.pop("items")
            for kind in TEXTS:
                row[f"{kind}s"] = [_listed(item) for item in items if item["kind"] == kind]
        return json.dumps(stored, ensure_ascii=False, indent=1, default=repr) + "\n"


def read(out: Path) -> tuple[Record, ...]:
    """The notebooks of the report that lies in `out`.

    None of them if there is no report, or one whose manifest this version cannot read:
    then everything is run anew.
    """
    try:
        stored = json.loads((out / FILE).read_text(encoding="utf-8"))
        return tuple(Record(items=_items(row), **row) for row in stored["notebooks"])
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _listed(item: dict[str, Any]) -> dict[str, Any]:
    row = {key: item[key] for key in ("name", "files", "number")} | {
        TEXTS[item["kind"]]: item["text"]
    }
    more = {"table": ("rows", "columns"), "figure": ("caption",), "page": ("caption",)}.get(
        item["kind"], ()
    )
    return row | {key: item[key] for key in more}


def _items(row: dict[str, Any]) -> tuple[Item, ...]:
    """A notebook's figures, tables and pages, which are taken out of its row."""
    return tuple(
        Item(kind, each.pop("name"), each.pop(text), tuple(each.pop("files")), **each)
        for kind, text in TEXTS.items()
        for each in row.pop(f"{kind}s")
    )
