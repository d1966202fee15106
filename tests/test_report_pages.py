"""The pages in a real browser, cut off from the network."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest
from conftest import Opener
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from kalahlab.report.build.build import build

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDE = "import pandas as pd\npd.DataFrame([[f'{i} stones' for i in range(60)]])"
FIGURE = """import matplotlib.pyplot as plt
from kalahlab.report.draw.artifacts import Artifacts
from kalahlab.report.draw.style import use_style
use_style()
artifacts = Artifacts(out)
fig, ax = plt.subplots(figsize=(12, 4))
ax.plot([1, 2, 4])
artifacts.figure("line", fig, "A line.")
plt.show()"""


WIDGET = "import ipywidgets\nipywidgets.Output()"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for stem, cells in {"01_figure": [FIGURE], "02_table": [WIDE, WIDGET, "1 / 0"]}.items():
        start = [new_markdown_cell(f"# Page {stem}\n\nWhy?\n\n## A part\n\n" + "Words. " * 900)]
        start += [new_code_cell("out = None", metadata={"tags": ["parameters"]})]
        notebook = new_notebook(cells=start + [new_code_cell(cell) for cell in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(notebook, folder / f"{stem}.ipynb")
    build(out=folder / "out", notebooks=folder)
    return folder / "out"


@pytest.fixture(params=[("light", 1280), ("dark", 400)], ids=["light-wide", "dark-narrow"])
def page(opened: Opener, request: pytest.FixtureRequest) -> "Iterator[Page]":
    scheme, width = request.param
    with opened(color_scheme=scheme, viewport={"width": width, "height": 800}) as page:
        yield page


def test_from_the_index_to_a_page_and_on_to_the_next(page: "Page", report: Path) -> None:
    page.goto((report / "index.html").as_uri())
    assert page.get_by_role("heading", name="1 of 2 notebooks failed").is_visible()
    page.get_by_role("list").get_by_role("link", name="Page 01_figure").first.click()
    assert page.url.endswith("01_figure.html")
    assert page.get_by_role("heading", level=1).inner_text().startswith("Page 01_figure")
    page.get_by_role("link", name="Page 02_table").first.click()
    assert page.get_by_role("alert").is_visible()
    page.get_by_role("link", name="A part", exact=True).click()
    assert page.url.endswith("#A-part")


@pytest.mark.parametrize("name", ["index", "01_figure", "02_table"])
def test_pictures_show_and_nothing_sticks_out(page: "Page", report: Path, name: str) -> None:
    page.goto((report / f"{name}.html").as_uri())
    loaded = "images => images.map(image => [image.naturalWidth > 0, image.alt])"
    for shown, alt in page.locator("img").evaluate_all(loaded):
        assert shown
        assert alt == "A line."
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for landmark in ("main", "contentinfo"):
        assert page.get_by_role(landmark).count() == 1


def test_code_is_folded_and_wide_tables_scroll_by_themselves(page: "Page", report: Path) -> None:
    page.goto((report / "02_table.html").as_uri())
    code = page.locator("details.code").nth(2)
    assert not code.locator(".highlight").is_visible()
    code.locator("summary").click()
    assert code.locator(".highlight").is_visible()
    table = page.get_by_role("region", name="Table")
    assert table.evaluate("box => box.scrollWidth > box.clientWidth")
