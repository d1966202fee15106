"""The sources that the report cites: `data/references.json`, in the format CSL-JSON.

bibliography()["knuth1975"].short  # "Knuth & Moore 1975"
"""

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from kalahlab.data import data_file

FILE = "references.json"


@dataclass(frozen=True)
class Source:
    """One entry.

    key: where a citation leads, `[Knuth & Moore 1975, page 300](references.md#knuth1975)`.
    authors: family names and given names; a group has no given name. called: what it is cited as,
    in place of its authors. place: in what it appeared, and where in that. document: whether it
    is one of those that the report examines. code: the files here that go by it.
    """

    key: str
    authors: tuple[tuple[str, str], ...]
    year: str
    title: str
    place: str
    called: str = ""
    document: bool = False
    link: str = ""
    note: str = ""
    code: tuple[str, ...] = field(default=())

    @property
    def short(self) -> str:
        """Authors and year, as a citation has them."""
        names = [family for family, _ in self.authors]
        said = f"{names[0]} et al." if len(names) > 2 else " & ".join(names)
        return f"{self.called or said} {self.year}".strip()

    @property
    def by(self) -> str:
        """All authors, the given names after the family name."""
        names = [", ".join(filter(None, name)) for name in self.authors]
        return " and ".join(filter(None, ["; ".join(names[:-1]), *names[-1:]]))


@cache
def bibliography() -> dict[str, Source]:
    """All sources by key, in the order of their authors."""
    entries = json.loads(data_file(FILE).read_text(encoding="utf-8"))
    sources = sorted(map(_source, entries), key=lambda each: (each.called or each.by, each.year))
    return {source.key: source for source in sources}


def as_markdown() -> str:
    """The list of sources beside the notebooks, to which their citations lead."""
    lines = ["# References", ""]
    for key, source in bibliography().items():
        place = f"{source.place}. " if source.place else ""
        link = f"<{source.link}>" if source.link else ""
        by = f"{source.by.rstrip('.')}. " if source.by else ""
        title = f"**{source.short}.** {by}*{source.title}.*"
        lines.append(f'- <a id="{key}"></a>{title} {place}{link}'.rstrip())
    return "\n".join(lines) + "\n"


def _source(entry: dict[str, Any]) -> Source:
    authors = (
        (each.get("literal") or each["family"], each.get("given", ""))
        for each in entry.get("author", ())
    )
    doi = entry.get("DOI")
    return Source(
        key=entry["id"],
        authors=tuple(authors),
        year=str(entry["issued"]["date-parts"][0][0]) if "issued" in entry else "",
        title=entry["title"],
        place=_place(entry),
        called=entry.get("title-short", ""),
        document=entry["type"] == "report",
        link=f"https://doi.org/{doi}" if doi else entry.get("URL", ""),
        note=entry.get("note", ""),
        code=tuple(entry.get("custom", {}).get("code", ())),
    )


def _place(entry: dict[str, Any]) -> str:
    """ "Artificial Intelligence 6(4), pages 293–326", "3rd edition, Prentice Hall"."""
    volume, issue = entry.get("volume", ""), entry.get("issue", "")
    journal = f"{entry.get('container-title', '')} {volume}{f'({issue})' if issue else ''}".strip()
    pages = entry.get("page", "").replace("-", "–")
    parts = [
        journal,
        f"{entry['edition']} edition" if "edition" in entry else "",
        entry.get("publisher", ""),
        entry.get("genre", ""),
        f"pages {pages}" if pages else "",
    ]
    return ", ".join(filter(None, parts))
