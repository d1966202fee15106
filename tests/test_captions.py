"""Captions of figures: each has one, which does not say what its description says already."""

import json
import re
from pathlib import Path

import pytest

from kalahlab.report.build.numbering import shown_in
from kalahlab.words import tables

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
MADE = re.compile(r"artifacts\.(?:figure|svg|page)\(\s*\"([^\"]+)\"")


def plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().casefold()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_figure_has_a_caption_that_is_not_its_description(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    source = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    captions = tables("captions").get(path.stem, {})
    assert sorted(captions) == sorted(set(MADE.findall(source)))
    for output in (output for cell in cells for output in cell.get("outputs", ())):
        metadata = output.get("metadata", {})
        told = metadata.get("image/png") or metadata.get("image/svg+xml")
        shown = shown_in(output)
        if told and shown and shown[0] == "figure":
            assert plain(captions[shown[1]]) != plain(told["alt"])
            assert len(told["alt"].split()) > 4, "a description says what there is to be seen"


def test_a_caption_is_sentences() -> None:
    for captions in tables("captions").values():
        for text in captions.values():
            assert text[0].isupper()
            assert text.endswith(".")
