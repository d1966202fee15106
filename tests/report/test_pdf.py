"""The report on paper: one PDF of all of it, and what a browser prints of a page."""

import re
import unicodedata
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import NamedTuple

import nbformat
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from playwright.sync_api import expect
from pypdf import PdfReader
from ui import current_step

from kalahlab.draw.board_svg import board_svg
from kalahlab.games.kalah import State
from kalahlab.report import export, manifest, pages, pdf
from kalahlab.report.artifacts import Artifacts
from kalahlab.report.exercises import check
from kalahlab.report.items import load_items
from kalahlab.report.manifest import FILE, Manifest, Record, digests
from kalahlab.report.tables import table_html
from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import explore

MM = 72 / 25.4
PAPERS = {"A4": (210, 297), "Letter": (215.9, 279.4)}
STATE = State((3, 3, 3, 0, 3, 3, 3, 0), 0)
WIDE = pd.DataFrame(
    {f"column {number}": [f"{number}00{row}" for row in "012"] for number in range(100, 130)},
    index=pd.Index(["one", "two", "three"], name="row"),
)
LONG = pd.DataFrame({"what": ["a word or two"] * 18, "number": range(1000, 1018)})
PARTS = [f"Part {number}" for number in range(7)]
ASKED = ["2.1", "2.3"]
HEADINGS = ["A heading & more", "A table that is far too wide", "Moved by hand"]


def tree():
    return explore(STATE, depth=3, evaluator="store_difference", beside="minimax")


def first(artifacts):
    yield f'# Which "first" page?\n\n**The question.** Is it printed?\n\n## {HEADINGS[0]}'
    yield "Words and more words of a paragraph. " * 60
    yield artifacts.figure("board", board_svg(STATE), "A board to be printed.")
    yield f"## {HEADINGS[1]}"
    yield artifacts.table("wide", WIDE, "So many columns.")
    yield f"## {HEADINGS[2]}\n\n<details><summary>Closed</summary>Claims</details>"
    yield artifacts.page("tree", tree(), "A tree", "A tree to step through.")
    yield artifacts.page("play", Board(4, 3), "A game", "A game to play.")


def second(artifacts):
    yield "# The second page\n\nWhat [the first](01_first.ipynb#A-table-that-is-far-too-wide) has."
    for number, part in enumerate(PARTS):
        yield f"## {part}"
        yield "Prose, and a line more of prose to read. " * (9 * number)
        yield artifacts.table(f"long-{number}", LONG, f"Rows of {part.lower()}.")
    yield "### Questions"
    for number in ASKED:
        yield SimpleNamespace(data={"text/html": check(number, ...)._repr_html_()}, metadata={})


def cell(thing):
    """Make a cell with a text, or one that shows a thing, as if a kernel had run it."""
    if isinstance(thing, str):
        return new_markdown_cell(thing)
    if isinstance(thing, pd.DataFrame):
        data, metadata = table_html(thing), {"name": thing.attrs["name"]}
        output = {"data": {"text/html": data}, "metadata": {"text/html": metadata}}
    else:
        output = {"data": thing.data, "metadata": thing.metadata}
    return new_code_cell("code_that_is_folded()", outputs=[new_output("display_data", **output)])


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    out, read_pages = tmp_path_factory.mktemp("print"), []
    for stem, make in {"01_first": first, "02_second": second}.items():
        cells = [*map(cell, make(Artifacts(int(stem[:2]), str(out / stem))))]
        nbformat.write(new_notebook(cells=cells), out / f"{stem}.ipynb")
        record = Record(stem, "smoke", {}, "", "ok", len(cells), 1.0, load_items(out / stem))
        read_pages.append(pages.read_page(record, out))
    whole = Manifest(
        "smoke", None, {"kalahlab": "1", "python": "3"}, tuple(p.record for p in read_pages)
    )
    assert not whole.failures
    bound = pages.render_notebook_pages(whole, read_pages) | pages.render_other_pages(
        whole, read_pages, {}
    )
    for name, html in bound.items():
        (out / name).write_text(html, encoding="utf-8")
    whole = replace(whole, pages=digests(out, bound))
    (out / FILE).write_text(whole.to_json(), encoding="utf-8")
    return out


class Sheet(NamedTuple):
    """A page: its text, and each piece of it with its place (points from the lower left)."""

    text: str
    pieces: list[tuple[str, float, float]]
    size: tuple[float, float]


def sheets(file):
    return [*map(sheet, PdfReader(file).pages)]


def sheet(page):
    pieces = []

    def visit(text, current, matrix, *_):
        if text.strip():
            a, b, c, d, e, f = current
            x, y = matrix[4], matrix[5]
            pieces.append((flat(text), a * x + c * y + e, b * x + d * y + f))

    text = flat(page.extract_text(visitor_text=visit))
    return Sheet(text, pieces, (float(page.mediabox.width), float(page.mediabox.height)))


def flat(text):
    """Remove line ends and ligatures."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def assert_whole(all_sheets, paper):
    """Assert that no page is blank and no text begins in a margin; return the whole text."""
    width, height = (side * MM for side in PAPERS[paper])
    for sheet in all_sheets:
        assert sheet.size == pytest.approx((width, height), abs=1.5)
        assert any(21 * MM < y < height - 19 * MM for _, _, y in sheet.pieces), "a blank page"
        for text, x, y in sheet.pieces:
            assert 14 * MM < x < width - 14 * MM, text
            assert 5 * MM < y < height - 5 * MM, text
    return " ".join(sheet.text for sheet in all_sheets)


@pytest.fixture(scope="module")
def file(report):
    count = pdf.to_pdf(report, report / "report.pdf")
    assert count == len(PdfReader(report / "report.pdf").pages)
    return report / "report.pdf"


@pytest.fixture(scope="module")
def all_sheets(file):
    return sheets(file)


def test_the_list_of_figures_is_by_number_in_whatever_order_the_manifest_has_them(report):
    turned = [
        replace(record, items=record.items[::-1]) for record in manifest.load_manifest(report)
    ]
    read_pages = [pages.read_page(record, report) for record in turned]
    whole = Manifest("smoke", None, {"kalahlab": "1"}, tuple(turned))
    listed = pages.render_other_pages(whole, read_pages, {})["figures.html"]
    assert listed == (report / "figures.html").read_text(encoding="utf-8")


def titles(outline):
    for entry in outline:
        yield from titles(entry) if isinstance(entry, list) else [flat(entry.title)]


# Slow, because the report is printed twice.
def test_outline_and_links_lead_to_every_place_and_each_print_has_the_same_bytes(
    report, file, tmp_path
):
    pdf.to_pdf(report, tmp_path / "again.pdf")
    assert (tmp_path / "again.pdf").read_bytes() == file.read_bytes()
    reader = PdfReader(file)
    outline = list(titles(reader.outline))
    expected = ["Contents", '1 Which "first" page?', HEADINGS[0], "2 The second page"]
    expected += [*PARTS, "References", "Solutions of the exercises"]
    assert [title for title in outline if title in expected] == expected
    count = 0  # of links, which lead to places of the same file
    for page in reader.pages:
        for link in (annotation.get_object() for annotation in page.get("/Annots") or ()):
            assert not str(link.get("/A", {}).get("/URI", "https:")).startswith("file:")
            if "/Dest" in link:
                assert str(link["/Dest"]) in reader.named_destinations
                count += 1
    assert count >= len(PARTS) + 7


def test_nothing_is_blank_cut_or_missing_and_a_widget_is_its_picture_by_its_caption(all_sheets):
    text = assert_whole(all_sheets, "A4")
    captions = [f"Table 2.{n}. Rows of {part.lower()}." for n, part in enumerate(PARTS, 1)]
    drawn = "A board to be printed", "A tree to step through", "A game to play"
    captions += [f"Figure 1.{number}. {words}." for number, words in enumerate(drawn, 1)]
    stills = ["Alpha-beta, depth 3", "never visited", "South to move"]
    assert [
        words for words in (*captions, *stills, *WIDE.to_numpy().flat) if words not in text
    ] == []
    unprinted = "code_that_is_folded", "Next cut", "Undo", "Closed", "Claims"
    assert not [words for words in unprinted if words in text]
    for caption, picture in zip(captions[-2:], (stills[0], stills[2]), strict=True):
        texts = [sheet.text for sheet in all_sheets if caption[12:] in sheet.text]
        _, sheet_text = texts  # the first is the list of figures
        assert picture in sheet_text


def test_an_exercise_has_room_and_its_solution_is_at_the_back(file, all_sheets):
    solutions = [check(number, ...).solution.split("**")[0] for number in ASKED]
    for sheet in all_sheets[:-1]:
        assert not [solution for solution in solutions if solution in sheet.text]
    for number, solution in zip(ASKED, solutions, strict=True):
        assert f"{number} {solution.strip()}" in all_sheets[-1].text
    assert "Your answer" not in " ".join(sheet.text for sheet in all_sheets)
    entry = next(sheet for sheet in all_sheets if "Figures, tables and listings" in sheet.text)
    assert f"Solutions of the exercises {len(all_sheets)}" in entry.text


def test_pages_are_numbered_as_contents_and_figures_say_and_none_ends_with_a_heading(all_sheets):
    text = [sheet.text for sheet in all_sheets]
    listed = "".join(sheet_text for sheet_text in text if "Contents" in sheet_text[:60])
    for part in (*HEADINGS[:2], *PARTS):
        [number] = re.findall(rf"{re.escape(part)} (\d+)", listed)
        assert part in text[int(number) - 1], part
    for title in ('Which "first" page?', "The second page"):
        [number] = re.findall(rf"\d {re.escape(title)} (\d+)", listed)
        assert text[int(number) - 1].count(title) == 2  # in the running head, too
    listed = next(
        sheet_text for sheet_text in text[2:] if "Figures, tables and listings" in sheet_text[:60]
    )
    for name in ("Figure 1.1", "Table 1.1", "Figure 1.3", *(f"Table 2.{n + 1}" for n in range(7))):
        [number] = re.findall(rf"{name} +\D*?(?: part \d\.)? (\d+)", listed)
        assert f"{name}." in text[int(number) - 1]
    for number, sheet in enumerate(all_sheets[1:], 2):
        assert [text for text, _, y in sheet.pieces if y < 20 * MM] == [str(number)]
    for sheet in all_sheets[2:]:
        assert min((y, text) for text, _, y in sheet.pieces if y > 21 * MM)[1] not in PARTS


def test_a_handout_is_some_pages_with_their_own_numbers_and_no_contents(run, report, tmp_path):
    words = ("pdf", "--report", str(report), "--only", "02", "--out")
    status, output, _ = run(*words, str(tmp_path / "handout.pdf"))
    reader, all_sheets = PdfReader(tmp_path / "handout.pdf"), sheets(tmp_path / "handout.pdf")
    assert (status, f"{len(all_sheets)} pages" in output) == (0, True)
    text = assert_whole(all_sheets, "A4")
    assert text.startswith("Game-tree search in Kalah 2 The second page 1 2 The second page")
    assert "Contents" not in text
    assert all(f"Table 2.{n}. Rows of" in text for n in range(1, 8))
    assert [text for text, _, y in all_sheets[0].pieces if y < 20 * MM] == ["1"]
    for page in reader.pages:
        assert not page.get("/Annots")  # no links to the first page, which is not there
    assert run(*words, str(tmp_path / "without.pdf"), "--no-solutions")[0] == 0
    both = [sheet.text for sheet in all_sheets]
    without = [sheet.text for sheet in sheets(tmp_path / "without.pdf")]
    assert without == both[: len(without)]
    assert "Solutions of the exercises" in both[len(without)]
    status, _, error = run("pdf", "--report", str(report), "--only", "3")
    assert (status, "page '3' is unknown; use 01_first or 02_second" in error) == (2, True)


def test_a_book_is_without_the_sections_that_are_left_out(report):
    def describe(without):
        chapters = export.read_book(report, ["01", "02"], without)["chapters"]
        texts = [flat(BeautifulSoup(chapter["html"], "html.parser").text) for chapter in chapters]
        return chapters, " ".join(texts)

    chapters, text = describe([HEADINGS[0], "A table that", "Part 0", "Part 3"])
    for word, is_there in {
        "Is it printed?": True,
        "Words and more words": False,
        "A board to be printed": False,
        "So many columns": False,
        HEADINGS[2]: True,
        "A game to play": True,
        "Rows of part 0": False,
        "Rows of part 2": True,
        "Rows of part 3": False,
        "Rows of part 4": True,
    }.items():
        assert (word in text) == is_there, word
    titles = [title for chapter in chapters for _, title in chapter["headings"]]
    assert titles == [HEADINGS[2], "Part 1", "Part 2", "Part 4", "Part 5", "Part 6"]
    # The last section has a section with the exercises in it.
    for left_out, rows, questions in (
        ([], True, True),
        (["Quest"], True, False),
        (["Part 6"], False, False),
    ):
        chapters, text = describe(left_out)
        assert ("Rows of part 6" in text, "Questions" in text) == (rows, questions)
        assert bool(chapters[1]["solutions"]) == questions


def test_a_handout_has_no_unknown_section(run, report):
    status, _, error = run("pdf", "--report", str(report), "--only", "01", "--without", "Part 1")
    message = f"section 'Part 1' is unknown; use {' or '.join(HEADINGS)}"
    assert (status, message in error, error.count("\n")) == (2, True, 1)


def test_the_last_slide_is_an_own_tree_that_a_class_can_read(open_page, report, run, tmp_path):
    file, out, title = tmp_path / "tree.html", tmp_path / "slides.html", "Our <tree> & its cuts"
    words = ("((3 12) (2 4))", "--game", "tree", "--title", title, "--out", str(file))
    assert run("explore", *words)[0] == 0
    words = ("slides", "01", "--report", str(report), "--out", str(out), "--explorer")
    assert run(*words, str(file))[0] == 0
    with open_page(viewport={"width": 1280, "height": 720}) as page:
        page.goto(out.as_uri())
        expect(page.locator(".reveal.ready")).to_be_attached()
        slide = page.locator(".slides > section").last
        expect(slide.locator("h2")).to_have_text(title)
        page.keyboard.press("End")
        tree = slide.frame_locator("iframe.moving")
        tree.locator(".kx[data-ready]").wait_for()
        tree.get_by_role("button", name="Projector").click()
        expect(tree.locator(".kx.projector")).to_be_visible()
        page.keyboard.press("ArrowDown")
        expect(tree.locator(".kx-say")).to_contain_text("Cut. After 2")
        assert tree.locator(".kx-canvas").bounding_box()["height"] > 400
    status, _, error = run(*words, str(report / "references.html"))
    assert (status, error.count("\n")) == (2, 1)
    assert "is no page of an explorer; make one with: kalahlab explore --out" in error


@pytest.mark.parametrize(("paper", "scheme"), [("A4", "dark"), ("Letter", "light")])
def test_a_page_printed_from_the_browser_is_whole(open_page, report, tmp_path, paper, scheme):
    with open_page(color_scheme=scheme, viewport={"width": 1280, "height": 800}) as page:
        page.goto((report / "01_first.html").as_uri())
        page.frame_locator("iframe.moving").first.locator(".kx[data-ready]").wait_for()
        assert page.locator(".paper-only").count() > 1
        assert not page.locator(".paper-only").first.is_visible()
        page.emulate_media(media="print")
        assert page.locator(".picture img").first.bounding_box()["height"] < 76 * 96 / 25.4
        page.pdf(path=tmp_path / "page.pdf", format=paper)
    text = assert_whole(sheets(tmp_path / "page.pdf"), paper)
    assert all(words in text for words in (*WIDE.to_numpy().flat, "Alpha-beta, depth 3"))
    assert "Next cut" not in text


def test_an_explorer_and_a_board_are_printed_whole_and_go_back(show, tmp_path):
    board = Board(6, 4)
    while not (game := board.history.game).is_over(board.state):
        board.play(game.moves(board.state)[0])
    page = show(board, tree(), color_scheme="dark", viewport={"width": 680, "height": 1000})
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".kx-paper svg")).to_have_count(2)
    names = (".kb-main", ".kx-say", ".kx-pane >> nth=0", ".kx-pane >> nth=1", ".kx-panel")
    boxes = [page.locator(name).bounding_box() for name in names]
    for above, below in pairwise(boxes):  # nothing is printed over the next
        assert above["y"] + above["height"] <= below["y"] + 1
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.pdf(path=tmp_path / "both.pdf", format="A4")
    expect(page.locator(".kx-paper")).to_have_count(0)
    assert current_step(page) == 0
    text = assert_whole(sheets(tmp_path / "both.pdf"), "A4")
    wanted = ["Minimax, depth 3", "All moves at the root have been searched"]
    wanted += map(str, board.history.moves)
    assert [words for words in wanted if flat(words) not in text] == []
    assert not [words for words in ("Next cut", "Undo", "Copy") if words in text]


def test_a_printed_board_names_the_number_of_moves():
    board = Board(4, 3)
    assert "The start" not in board.still()
    board.play(0)
    assert "After 1 move" in board.still()
    assert "After 3 moves" in Board(4, 3, moves=[0, 0, 1]).still()
