"""The report on paper: one PDF of all of it, and what a browser prints of a page."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import pytest
from conftest import Opener
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from pypdf import PageObject, PdfReader

from kalahlab.draw.artifacts import Artifacts
from kalahlab.draw.board_svg import board_svg
from kalahlab.draw.items import contents
from kalahlab.draw.tables import table_html
from kalahlab.games.kalah import State
from kalahlab.report import front, pages, pdf
from kalahlab.report.manifest import FILE, Manifest, Record, digests
from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import explore

MM = 72 / 25.4
PAPERS = {"A4": (210, 297), "Letter": (215.9, 279.4)}
PARTS = 7
STATE = State((3, 3, 3, 0, 3, 3, 3, 0), 0)
WIDE = pd.DataFrame(
    {f"column {c}": [f"{c}{r:03}" for r in range(3)] for c in range(100, 130)},
    index=pd.Index(["one", "two", "three"], name="row"),
)
LONG = pd.DataFrame({"what": ["a word or two"] * 18, "number": range(1000, 1018)})


def shown(thing: Any) -> dict[str, Any]:
    """A cell that shows a thing, as a kernel would have run it."""
    if isinstance(thing, pd.DataFrame):
        data, metadata = {"text/html": table_html(thing)}, {"text/html": thing.attrs["kept"]}
    else:
        data, metadata = thing.data, thing.metadata
    cell = new_code_cell("code_that_is_folded()")
    cell.outputs = [new_output("display_data", data, metadata=metadata)]
    return cell


def table(artifacts: Artifacts, name: str, frame: pd.DataFrame, caption: str) -> Any:
    kept = artifacts.table(name, frame.copy(), caption)
    kept.attrs["kept"] = {"name": name}
    return shown(kept)


def write(folder: Path, stem: str, make: Any) -> Record:
    artifacts = Artifacts(int(stem[:2]), str(folder / stem))
    cells = [new_markdown_cell(text) if isinstance(text, str) else text for text in make(artifacts)]
    nbformat.write(new_notebook(cells=cells), folder / f"{stem}.ipynb")
    items = tuple(
        replace(item, files=tuple(f"{stem}/{file}" for file in item.files))
        for item in contents(folder / stem)
    )
    return Record(stem, "smoke", {}, "", "ok", len(cells), 1.0, items)


def first(artifacts: Artifacts) -> Iterator[Any]:
    yield '# Which "first" page?\n\n**The question.** Is it printed?\n\n## A heading & more'
    yield "Words and more words of a paragraph. " * 60
    yield shown(artifacts.figure("board", board_svg(STATE), "A board to be printed."))
    yield "## A table that is far too wide"
    yield table(artifacts, "wide", WIDE, "So many columns.")
    yield "## Moved by hand"
    tree = explore(STATE, depth=3, evaluator="store_difference", beside="minimax")
    yield shown(artifacts.page("tree", tree, "A tree", "A tree to step through."))
    board = Board(4, 3)
    yield shown(artifacts.page("play", board, "A game", "A game to play."))


def second(artifacts: Artifacts) -> Iterator[Any]:
    yield "# The second page\n\nWhat [the first](01_first.ipynb#A-table-that-is-far-too-wide) has."
    for number in range(PARTS):
        yield f"## Part {number}"
        yield "Prose, and a line more of prose to read. " * (9 * number)
        yield table(artifacts, f"long-{number}", LONG, f"Rows of part {number}.")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("print")
    records = [write(out, "01_first", first), write(out, "02_second", second)]
    read = [pages.read_page(record, out) for record in records]
    made = Manifest("smoke", None, {"kalahlab": "1", "python": "3"}, tuple(p.record for p in read))
    assert not made.failed
    bound = pages.bind(read) | front.bind(made, read, {})
    for name, html in bound.items():
        (out / name).write_text(html, encoding="utf-8")
    made = replace(made, pages=digests(out, bound))
    (out / FILE).write_text(made.to_json(), encoding="utf-8")
    return out


@dataclass(frozen=True)
class Sheet:
    """A page: its text, and each piece of it with the place (points from the lower left)."""

    text: str
    pieces: list[tuple[str, float, float]]


@dataclass
class Printed:
    """A PDF, read once."""

    file: Path

    @cached_property
    def reader(self) -> PdfReader:
        return PdfReader(self.file)

    @cached_property
    def sheets(self) -> list[Sheet]:
        return [sheet(page) for page in self.reader.pages]

    @cached_property
    def text(self) -> str:
        return " ".join(sheet.text for sheet in self.sheets)


def sheet(page: PageObject) -> Sheet:
    pieces: list[tuple[str, float, float]] = []

    def visit(text: str, current: list[float], matrix: list[float], *_: Any) -> None:
        if text.strip():
            a, b, c, d, e, f = current
            x, y = matrix[4], matrix[5]
            pieces.append((flat(text), a * x + c * y + e, b * x + d * y + f))

    return Sheet(flat(page.extract_text(visitor_text=visit)), pieces)


def flat(text: str) -> str:
    """Without line ends and ligatures."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


@pytest.fixture(scope="module")
def printed(report: Path) -> Printed:
    made = Printed(report / "report.pdf")
    assert pdf.to_pdf(report, made.file) == len(made.reader.pages)
    return made


def titles(outline: Any) -> Iterator[str]:
    for entry in outline:
        if isinstance(entry, list):
            yield from titles(entry)
        else:
            yield flat(entry.title)


def assert_whole(printed: Printed, paper: str) -> None:
    """Every page says something, and no text begins outside of its margins."""
    width, height = (side * MM for side in PAPERS[paper])
    for page, sheet in zip(printed.reader.pages, printed.sheets, strict=True):
        size = (float(page.mediabox.width), float(page.mediabox.height))
        assert size == pytest.approx((width, height), abs=1.5)
        assert any(21 * MM < y < height - 19 * MM for _, _, y in sheet.pieces), "a blank page"
        for text, x, y in sheet.pieces:
            assert 14 * MM < x < width - 14 * MM, text
            assert 5 * MM < y < height - 5 * MM, text


def test_the_outline_has_every_page_and_part_in_order(printed: Printed) -> None:
    found = list(titles(printed.reader.outline))
    expected = ["Contents", '1 Which "first" page?', "A heading & more", "2 The second page"]
    expected += [*(f"Part {number}" for number in range(PARTS)), "References"]
    assert [each for each in found if each in expected] == expected


def test_nothing_is_blank_cut_or_missing(printed: Printed) -> None:
    assert_whole(printed, "A4")
    text = printed.text
    for number in range(PARTS):
        assert f"Table 2.{number + 1}. Rows of part {number}." in text
    assert "Figure 1.1. A board to be printed." in text
    assert "Figure 1.2. A tree to step through." in text
    assert "Figure 1.3. A game to play." in text
    for cell in WIDE.to_numpy().flat:
        assert cell in text
    assert "code_that_is_folded" not in text


def test_a_widget_is_its_picture(printed: Printed) -> None:
    text = printed.text
    assert "Alpha-beta, depth 3" in text
    assert "never visited" in text
    assert "South to move" in text
    assert "Next cut" not in text
    assert "Undo" not in text


def test_a_caption_stands_on_the_page_of_its_picture(printed: Printed) -> None:
    text = [sheet.text for sheet in printed.sheets]
    _, tree = [each for each in text if "A tree to step through." in each]  # the first is the list
    assert "Alpha-beta, depth 3" in tree
    _, game = [each for each in text if "A game to play." in each]
    assert "Kalah" in game
    assert "South to move" in game


def test_the_contents_say_on_which_page_each_part_is(printed: Printed) -> None:
    text = [sheet.text for sheet in printed.sheets]
    listed = "".join(each for each in text if "Contents" in each[:60])
    parts = [
        "A heading & more",
        "A table that is far too wide",
        *(f"Part {n}" for n in range(PARTS)),
    ]
    for part in parts:
        [number] = re.findall(rf"{re.escape(part)} (\d+)", listed)
        assert part in text[int(number) - 1], part
    for title in ('Which "first" page?', "The second page"):
        [number] = re.findall(rf"\d {re.escape(title)} (\d+)", listed)
        assert text[int(number) - 1].count(title) == 2  # in the running head, too


def test_the_list_of_figures_says_on_which_page_each_is(printed: Printed) -> None:
    text = [sheet.text for sheet in printed.sheets]
    listed = next(each for each in text[2:] if "Figures, tables and listings" in each[:60])
    for name in ("Figure 1.1", "Table 1.1", "Figure 1.3", *(f"Table 2.{n + 1}" for n in range(7))):
        [number] = re.findall(rf"{name} +\D*?(?: part \d\.)? (\d+)", listed)
        assert f"{name}." in text[int(number) - 1]


def test_pages_are_numbered(printed: Printed) -> None:
    for number, sheet in enumerate(printed.sheets[1:], 2):
        low = [text for text, _, y in sheet.pieces if y < 20 * MM]
        assert low == [str(number)]


def test_no_heading_is_the_last_line_of_a_page(printed: Printed) -> None:
    heads = {f"Part {number}" for number in range(PARTS)}
    lines = [[piece for piece in sheet.pieces if piece[2] > 21 * MM] for sheet in printed.sheets]
    lasts = {min(pieces, key=lambda piece: piece[2])[0] for pieces in lines[2:]}
    assert not lasts & heads


def test_links_lead_to_places_of_the_same_file(printed: Printed) -> None:
    named = set(printed.reader.named_destinations)
    count = 0
    for page in printed.reader.pages:
        for each in page.get("/Annots") or ():
            link = each.get_object()
            action = link.get("/A", {})
            assert not str(action.get("/URI", "https:")).startswith("file:")
            if "/Dest" in link:
                assert str(link["/Dest"]) in named
                count += 1
    assert count >= PARTS + 7


def test_two_prints_are_the_same_bytes(report: Path, printed: Printed, tmp_path: Path) -> None:
    pdf.to_pdf(report, tmp_path / "again.pdf")
    assert (tmp_path / "again.pdf").read_bytes() == printed.file.read_bytes()


@pytest.mark.parametrize(("paper", "scheme"), [("A4", "dark"), ("Letter", "light")])
def test_a_page_printed_from_the_browser_is_whole(
    opened: Opener, report: Path, tmp_path: Path, paper: str, scheme: str
) -> None:
    with opened(color_scheme=scheme, viewport={"width": 1280, "height": 800}) as page:
        page.goto((report / "01_first.html").as_uri())
        page.frame_locator("iframe.moving").first.locator(".kx[data-ready]").wait_for()
        assert page.locator(".paper-only").count() > 1
        assert not page.locator(".paper-only").first.is_visible()
        page.pdf(path=tmp_path / "page.pdf", format=paper)
    printed = Printed(tmp_path / "page.pdf")
    assert_whole(printed, paper)
    text = printed.text
    assert all(cell in text for cell in WIDE.to_numpy().flat)
    assert "Alpha-beta, depth 3" in text
    assert "Next cut" not in text


def test_the_explorer_prints_its_trees_and_goes_back(opened: Opener, tmp_path: Path) -> None:
    explorer = explore(STATE, depth=3, evaluator="store_difference", beside="minimax")
    (tmp_path / "explorer.html").write_text(explorer.page("Two searches"), encoding="utf-8")
    with opened(color_scheme="dark", viewport={"width": 1280, "height": 800}) as page:
        page.goto((tmp_path / "explorer.html").as_uri())
        page.locator(".kx[data-ready]").wait_for()
        page.pdf(path=tmp_path / "explorer.pdf", format="A4")
        assert page.locator(".kx-paper").count() == 0
        assert page.evaluate("document.querySelector('.kx').explorer.clock.k") == 0
    printed = Printed(tmp_path / "explorer.pdf")
    assert_whole(printed, "A4")
    text = printed.text
    assert "Minimax, depth 3" in text
    assert "All moves at the root are searched" in text
    assert "Next cut" not in text


def test_the_board_prints_all_of_its_moves(opened: Opener, tmp_path: Path) -> None:
    board = Board(6, 4)
    while not (game := board.history.game).over(board.state):
        board.play(game.moves(board.state)[0])
    (tmp_path / "board.html").write_text(board.page("A game"), encoding="utf-8")
    with opened(viewport={"width": 1280, "height": 800}) as page:
        page.goto((tmp_path / "board.html").as_uri())
        page.locator(".kb-moves li").nth(1).wait_for()
        page.pdf(path=tmp_path / "board.pdf", format="A4")
    text = Printed(tmp_path / "board.pdf").text
    for played in board.history.moves:
        assert flat(str(played)) in text
    assert "Copy" not in text


def test_what_a_game_leaves_on_paper() -> None:
    board = Board(4, 3)
    assert "The start" not in board.still()
    board.play(0)
    assert "After 1 move" in board.still()
    replay = Board(4, 3, moves=[0, 0, 1])
    assert "After 3 moves" in replay.still()


def test_no_browser_and_no_report_are_said(
    run: Any, report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, error = run("pdf", "--report", str(tmp_path))
    assert (status, "make one with: kalahlab report" in error) == (2, True)
    monkeypatch.setenv("KALAHLAB_BROWSER", "no-such-browser")
    status, _, error = run("pdf", "--report", str(report))
    assert (status, "no browser 'no-such-browser'" in error) == (2, True)
