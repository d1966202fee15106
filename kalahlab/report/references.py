"""The sources that the report cites: `data/references.json`, in the format CSL-JSON.

bibliography()["knuth1975"]["short"]  # "Knuth & Moore 1975"
"""

import json
from functools import cache
from typing import Any

from kalahlab.data import data_file

Source = dict[str, Any]
"""key: where a citation leads, `[Knuth & Moore 1975, page 300](references.md#knuth1975)`. short:
authors and year, as a citation has them. by: all authors, family names first. place: where it
appeared, "Artificial Intelligence 6(4), pages 293–326". document: whether it is one of those that
the report examines. code: the files that go by it. Also year, title, link and note."""


@cache
def bibliography() -> dict[str, Source]:
    """All sources by key, in the order of their authors."""
    sources = map(_source, json.loads(data_file("references.json").read_text(encoding="utf-8")))
    ordered = sorted(sources, key=lambda each: (each["called"] or each["by"], each["year"]))
    return {source["key"]: source for source in ordered}


def as_markdown() -> str:
    """The list of sources beside the notebooks, to which their citations lead."""
    lines = ["# References", ""]
    for key, source in bibliography().items():
        place = f"{source['place']}. " if source["place"] else ""
        link = f"<{source['link']}>" if source["link"] else ""
        by = f"{source['by'].rstrip('.')}. " if source["by"] else ""
        title = f"**{source['short']}.** {by}*{source['title']}.*"
        lines.append(f'- <a id="{key}"></a>{title} {place}{link}'.rstrip())
    return "\n".join(lines) + "\n"


def _source(entry: dict[str, Any]) -> Source:
    authors = entry.get("author", ())
    names = [each.get("literal") or each["family"] for each in authors]
    full = [
        f"{name}, {each['given']}" if "given" in each else name
        for name, each in zip(names, authors, strict=True)
    ]
    year = str(entry["issued"]["date-parts"][0][0]) if "issued" in entry else ""
    called = entry.get("title-short", "")
    said = f"{names[0]} et al." if len(names) > 2 else " & ".join(names)
    doi, issue, pages = (entry.get(name, "") for name in ("DOI", "issue", "page"))
    journal = f"{entry.get('container-title', '')} {entry.get('volume', '')}"
    place = [
        f"{journal}{f'({issue})' if issue else ''}".strip(),
        f"{entry['edition']} edition" if "edition" in entry else "",
        entry.get("publisher", ""),
        entry.get("genre", ""),
        f"pages {pages.replace('-', '–')}" if pages else "",
    ]
    return {
        "key": entry["id"],
        "called": called,
        "short": f"{called or said} {year}".strip(),
        "by": " and ".join(filter(None, ["; ".join(full[:-1]), *full[-1:]])),
        "year": year,
        "title": entry["title"],
        "place": ", ".join(filter(None, place)),
        "document": entry["type"] == "report",
        "link": f"https://doi.org/{doi}" if doi else entry.get("URL", ""),
        "note": entry.get("note", ""),
        "code": entry.get("custom", {}).get("code", []),
    }
