"""The pages in front of the notebooks' and behind them: index, list of figures, references."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from kalahlab.report.manifest import Manifest
from kalahlab.report.pages import REFERENCES, Page, linked
from kalahlab.report.references import bibliography
from kalahlab.report.rendering import TITLE, render

Guide = Mapping[str, Any]
"""How to read the report: `guide.toml`, beside the notebooks.

abstract: the notebooks whose findings are the abstract. start: the words of a button -> the page
that it opens. ways: for whom -> which notebooks in which order, each with a word on what for.
"""


def read_guide(folder: Path) -> Guide:
    file = folder / "guide.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def bind(manifest: Manifest, pages: Sequence[Page], guide: Guide) -> dict[str, str]:
    """File name -> HTML of the pages that are no notebook's."""
    entries = {page.record.notebook: page for page in pages}
    bound = {*entries, REFERENCES}
    findings = {
        stem: Markup(linked(page.finding.replace('href="#', f'href="{stem}.html#'), bound))
        for stem, page in entries.items()
    }
    made = {file for page in pages for item in page.record.items for file in item.files}
    commit = f", commit {manifest.commit[:12]}" if manifest.commit else ""
    version = f"version {manifest.versions['kalahlab']}{commit}"
    return {
        "index.html": render(
            "index.html.j2",
            manifest=manifest,
            entries=entries,
            findings=findings,
            abstract=[stem for stem in guide.get("abstract", ()) if findings.get(stem)],
            start={words: file for words, file in guide.get("start", {}).items() if file in made},
            ways=guide.get("ways"),
            citation=f"kalahlab contributors, “{TITLE}: an executable report”, {version}.",
        ),
        "figures.html": render("figures.html.j2", pages=pages),
        f"{REFERENCES}.html": render(
            "references.html.j2", pages=pages, sources=bibliography().values()
        ),
    }
