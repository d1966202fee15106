"""The pages in a real browser, cut off from the network."""

import csv
import io
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image, ImageStat
from playwright.sync_api import expect
from ui import NARROW, WIDE, explore_middle, is_csp_error, press, violations

from kalahlab.report.artifacts import Artifacts
from kalahlab.report.build import build
from kalahlab.report.front_tree import front_tree
from kalahlab.report.items import load_items
from kalahlab.report.manifest import Manifest, Record, commit
from kalahlab.report.pages import read_page, render_notebook_pages
from kalahlab.report.sources import PACKAGE
from kalahlab.widgets import runtime

WIDE_TABLE = "import pandas as pd\npd.DataFrame([[f'{i} stones' for i in range(60)]])"
FIGURE = """import matplotlib.pyplot as plt
from kalahlab.report.artifacts import Artifacts
from kalahlab.report.style import use_style
use_style()
artifacts = Artifacts(1, out)
fig, ax = plt.subplots(figsize=(12, 4))
ax.plot([1, 2, 4])
artifacts.figure("line", fig, "A line.")"""
WIDGET = "import ipywidgets\nipywidgets.Output()"
MOVED = """from kalahlab.report.artifacts import Artifacts
from kalahlab.widgets.explorer import explore
artifacts = Artifacts(3, out)
two = explore("<3,0,0,2,2,2,2,2,2>", depth=3, beside="minimax")
artifacts.page("two", two, "Two searches", "Two.")"""
TREE = """from IPython.display import Markdown, display
from kalahlab.draw.tree_svg import tree_svg
display(Markdown("Figure 3.2 cuts. Table 3.1 has rows. " + "Words. " * 60))
trace = explore("rich-knight-12.5", game="tree", depth=9).request.run_first()[0]
artifacts.figure("tree", tree_svg(trace), "Cuts.")"""
ROWS = """import pandas as pd
artifacts.table("rows", pd.DataFrame({"stones": range(15)}), "Rows.")"""
SMALLEST_WORDS = """it => parseFloat(it.style.width) / it.naturalWidth * Math.min(
  ...[...atob(it.src.split(",")[1]).matchAll(/font-size="([0-9]+)/g)].map(found => found[1]))"""
# Of what can be seen: to ask for the box of each element would take a message for each.
HEIGHTS = """all => all.filter(it => it.checkVisibility({ visibilityProperty: true }))
  .map(it => it.getBoundingClientRect()).filter(box => box.width).map(box => box.height)"""
BODY = 'Markdown("|stones|\\n|-|\\n|1|")'
ANSWERED = """from kalahlab.report.exercises import check
from kalahlab.search.alpha_beta import alpha_beta
import pandas as pd
index = pd.MultiIndex.from_product([["a", "b"], range(15)])
rows = pd.DataFrame({"stones": range(30)}, index=index)
artifacts.table("long", rows, "Thirty rows.")"""
LISTING = 'artifacts.listing("source", alpha_beta, "The search.")'
UNNAMED = 'artifacts.listing("unnamed", alpha_beta, "No text names it.")'
EXERCISE = 'check("1.1", ...)'
FOUND = "There are **30** rows: see [Table 1.1](#cell-id=long)."
FINDING = f'artifacts.finding("shows", "{FOUND}", "line", "*n* = 30 rows.")'
ANSWER = """from IPython.display import Markdown
Markdown("As in [Figure 1.1](#cell-id=line).\\n\\n**What follows.** [On](02_table.ipynb).")"""
GOALS = "**After this page you can**\n\n- count rows\n- fold them\n\n"
GUIDE = 'abstract = ["01_figure"]\n[ways."For a lesson"]\n01_figure = "rows"\n'
PROSE = """## Sources

So [Listing 1.1](#cell-id=source), after [Knuth & Moore 1975, page 300](references.md#knuth1975),
and [Figure 1.1](#cell-id=line). <span class="screen-only">Press *Check*.</span>
As of<span class="commit"></span>. <span class="for-readers">Run this cell.</span>"""
SCREENS = [("light", 1280), ("dark", 400)]  # colour scheme and width
with Path(__file__).with_name("searched.csv").open(encoding="utf-8") as lines:
    SEARCHED = [*csv.DictReader(lines)]
PAGES = ["index", "figures", "references", "search", "01_figure", "02_table"]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    first_cells = [FIGURE, ANSWERED, LISTING, EXERCISE, FINDING, UNNAMED, ANSWER]
    others = {"02_table": [WIDE_TABLE, WIDGET, "1 / 0"], "03_moved": [MOVED, TREE, ROWS, BODY]}
    for stem, cells in ({"01_figure": first_cells} | others).items():
        text = f"# Page {stem}\n\nWhy?\n\n{GOALS}## A part\n\n" + "Words. " * 900
        parameters = new_code_cell("out = None", metadata={"tags": ["parameters"]})
        start = [new_markdown_cell(text), parameters]
        notebook = new_notebook(cells=start + [new_code_cell(cell) for cell in cells])
        if stem == "01_figure":
            exercise = "### An exercise\n\nWhat does it show?\n\nTable 1.1 has rows."
            for place, id in enumerate(["line", "long", "source", "1-1", "shows"], 2):
                notebook.cells[place].id = id
            notebook.cells[3:3] = [new_markdown_cell(exercise)]
            notebook.cells[-1:-1] = [new_markdown_cell(PROSE), new_markdown_cell("## The answer")]
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(notebook, folder / f"{stem}.ipynb")
    (folder / "guide.toml").write_text(GUIDE)
    build(out=folder / "out", notebooks=folder)
    return folder / "out"


@pytest.fixture(scope="module", params=SCREENS, ids=["light-wide", "dark-narrow"])
def screen(open_page, request):
    """Open a page for all tests of a screen: to open one takes as long as what a test does."""
    scheme, width = request.param
    viewport = {"width": width, "height": 800}
    with open_page(color_scheme=scheme, viewport=viewport) as page:
        yield page, viewport


@pytest.fixture
def page(screen):
    page, viewport = screen
    page.set_viewport_size(viewport)
    page.emulate_media(media="null", reduced_motion="null")
    return page


# For what is the same on every screen, or sets the size of its own.
on_one_screen = pytest.mark.parametrize("screen", SCREENS[:1], indirect=True, ids=["light-wide"])


def test_from_the_index_to_a_page_and_on_to_the_next(page, report):
    page.goto((report / "index.html").as_uri())
    assert page.get_by_role("heading", name="1 of 3 notebooks failed").is_visible()
    page.get_by_text("All 3 pages").click()
    page.get_by_role("heading", level=3).get_by_role("link", name="Page 01_figure").click()
    assert page.url.endswith("01_figure.html")
    assert page.get_by_role("heading", level=1).inner_text().startswith("Page 01_figure")
    page.get_by_role("link", name="Page 02_table").first.click()
    assert page.get_by_role("alert").is_visible()
    contents = page.locator(".toc details")  # folded where it stands above the title
    assert (contents.get_attribute("open") is None) == (page.viewport_size["width"] < 1152)
    if contents.get_attribute("open") is None:
        page.get_by_text("On this page").click()
    page.get_by_role("link", name="A part", exact=True).click()
    assert page.url.endswith("#A-part")


@pytest.mark.parametrize("name", PAGES)
def test_pictures_show_nothing_sticks_out_and_axe_finds_no_violation(page, report, axe, name):
    page.goto((report / f"{name}.html").as_uri())
    loaded = "images => images.map(image => [image.naturalWidth > 0, image.alt])"
    texts = {"index": "A line.", "figures": "", "01_figure": "Figure 1.1"}
    for is_loaded, alt in page.locator("img:not([alt^=Search])").evaluate_all(loaded):
        assert (is_loaded, alt) == (True, texts[name])
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for landmark in ("main", "contentinfo"):
        assert page.get_by_role(landmark).count() == 1
    assert violations(page, axe) == []


def test_code_is_folded_and_wide_tables_scroll_by_themselves(page, report):
    page.goto((report / "02_table.html").as_uri())
    code = page.locator("details.code", has_text="1 / 0")
    assert not code.locator(".highlight").first.is_visible()
    code.locator("summary").click()
    # The widget's cell shows no output on a page, so that its code stands with the next.
    assert code.locator(".highlight").all_inner_texts() == [f"{WIDGET}\n", "1 / 0\n"]
    parameters = page.locator("details.code", has_text="Parameters")
    assert parameters.locator(".highlight").count() == 2, "the defaults, and those of this run"
    table = page.get_by_role("region", name="Table")
    assert table.evaluate("box => box.scrollWidth > box.clientWidth")


def test_a_dark_page_has_dark_pictures_and_the_finding_at_the_top_as_the_index(page, report):
    page.goto((report / "01_figure.html").as_uri())
    picture = page.locator(".picture img").first
    screenshot = Image.open(io.BytesIO(picture.screenshot())).convert("L")
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert (ImageStat.Stat(screenshot).median[0] < 40) == dark
    page.emulate_media(media="print")
    expect(picture).to_have_css("filter", "none")
    page.emulate_media(media="screen")
    box = page.get_by_role("region", name="In short")
    assert box.locator("p").all_inner_texts() == [
        "There are 30 rows: see Table 1.1.",
        "n = 30 rows. The cell that shows it · The whole answer",
    ]
    assert page.get_by_text("There are 30 rows").count() == 1
    assert page.locator(":has(> h1:last-child) + .in-short + .prose > .goals").count() == 1
    above, below = (
        page.locator(f"{part} img").get_attribute("src") for part in (".in-short", "#figure-line")
    )
    assert above == below, "the same picture, the second time with its caption"
    box.get_by_role("link", name="The cell that shows it").click()
    assert page.url.endswith("#cell-id=shows")
    page.goto((report / "index.html").as_uri())
    link = page.locator(".findings").get_by_role("link", name="[1] The cell that shows it, on")
    assert link.first.inner_text() == "[1]"  # what is seen is part of the name
    page.locator(".findings").get_by_role("link", name="Table 1.1").click()
    assert page.url.endswith("01_figure.html#cell-id=long")


def test_the_tree_of_the_front_page_shows_what_a_search_has_visited(open_page, report):
    boxes, searches = front_tree()
    with open_page(reduced_motion="reduce") as page:
        page.goto((report / "index.html").as_uri())
        slider = page.get_by_role("slider", name="Positions visited")
        coloured = page.locator(".front-tree rect:not(.never, .later)")
        for search in searches:
            page.get_by_role("radio", name=search.name).check(force=True)
            expect(coloured).to_have_count(search.visited)
            expect(page.locator("rect.never")).to_have_count(len(boxes) - search.visited)
            expect(page.locator(".tally")).to_contain_text(f"Sow pit {search.move}, value +1")
            slider.press("ArrowLeft")
            expect(coloured).to_have_count(search.visited - 1)
            expect(page.locator(".tally .answer")).to_have_class("answer unseen")
            slider.press("Home")
            expect(page.locator("rect.later")).to_have_count(len(boxes))
        page.clock.install(time=0)
        page.clock.pause_at(3600)  # an hour later, so that no time passes by itself
        page.get_by_role("button", name="Play").click()  # the last search from its beginning
        for milliseconds, part in ((1000, 4), (1000, 2), (2000, 1)):  # of four seconds
            page.clock.fast_forward(milliseconds)
            expect(coloured).to_have_count(searches[-1].visited // part)


def test_the_search_finds_headings_captions_words_and_sources(page, report):
    """Search for some words from a page, and for the others in the page of results."""
    page.goto((report / "02_table.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type(SEARCHED[0]["words"])
    page.keyboard.press("Enter")
    first = page.locator(".results a").first
    for number, row in enumerate(SEARCHED):
        if number:
            page.get_by_role("searchbox").fill(row["words"])
        expect(first).to_have_text(row["heading"])
        expect(first).to_have_attribute("href", row["place"])
        expect(page.get_by_role("status")).to_contain_text("place")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{SEARCHED[-1]['place']}")


def test_the_search_says_that_nothing_is_found_and_does_not_take_a_slash_that_is_typed(
    page, report
):
    page.goto((report / "search.html").as_uri())
    box = page.get_by_role("searchbox", name="Search the report")
    box.press_sequentially("zz/zzzzz")
    expect(box).to_have_value("zz/zzzzz")
    expect(page.get_by_role("status")).to_have_text("0 places")
    box.fill("zzzzzzz figure")
    expect(page.get_by_role("status")).to_contain_text("No place has all words; ")
    page.emulate_media(media="print")
    expect(box).to_be_hidden()


@on_one_screen
def test_slides_begin_at_headings_show_all_but_code_and_need_no_network(page, report, run):
    assert run("slides", "01_figure", "--report", str(report))[0] == 0
    page.goto((report / "01_figure-slides.html").as_uri())
    page.set_viewport_size({"width": 1280, "height": 800})
    slides = page.locator(".slides > section")
    expect(page.locator(".reveal.ready")).to_be_attached()
    titles = slides.locator("> :first-child").all_text_contents()
    assert list(dict.fromkeys(titles)) == ["Page 01_figure", "A part", "Sources", "The answer"]
    assert titles.count("A part") > 2  # what does not fit goes on
    expect(slides.first).to_contain_text("There are 30 rows")
    expect(slides.filter(has=page.locator("figure img"))).to_contain_text("What does it show?")
    expect(slides.nth(0)).to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    expect(slides.nth(1)).to_be_in_viewport()
    expect(page.locator(".listing pre")).to_have_count(1)  # not of one that no text speaks of
    expect(page.locator(".slides tbody tr")).to_have_count(15)
    expect(page.locator(".slides tfoot")).to_have_text("… 15 more rows: on the page")
    assert "Press <em>Check</em>." in (report / "01_figure.html").read_text("utf-8")
    for hidden in ("details.code", ".exercise", ".screen-only", ".for-readers", "a[href]"):
        expect(page.locator(f".slides {hidden}")).to_have_count(0)
    expect(slides.filter(has=page.locator("table")).locator("> p")).to_contain_text("Table 1.1")
    status, _, error = run("slides", "09_none", "--report", str(report))
    assert (status, "notebook '09_none' is unknown; use 01_figure" in error) == (2, True)


@on_one_screen
def test_on_a_phone_slides_are_one_page_in_letters_that_can_be_read(page, report, run):
    assert run("slides", "01_figure", "--report", str(report))[0] == 0
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto((report / "01_figure-slides.html").as_uri())
    expect(page.locator(".reading")).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for text in ("There are 30 rows", "What does it show?"):
        words = page.get_by_text(text).first
        assert words.evaluate("it => parseFloat(getComputedStyle(it).fontSize)") >= 14
        words.scroll_into_view_if_needed()
        expect(words).to_be_in_viewport()


@on_one_screen
def test_on_slides_trees_are_read_from_afar_and_stand_with_their_paragraph(page, report, run):
    assert run("slides", "03_moved", "--report", str(report))[0] == 0
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto((report / "03_moved-slides.html").as_uri())
    expect(page.locator(".reveal.ready")).to_be_attached()
    page.evaluate("Reveal.slide(Reveal.getSlides().findIndex(it => it.querySelector('iframe')))")
    inside = page.frame_locator("section.present iframe")
    inside.locator(".kx[data-ready]").wait_for()
    for key in ("Tab", "c", "c"):
        page.keyboard.press(key)
    reason = inside.locator(".kx-say").inner_text().removeprefix("Alpha-beta: Cut. ")
    for selector in (".kx-say", ".kx-stage >> nth=0", ".kx-view >> nth=1"):
        expect(inside.locator(selector)).to_be_in_viewport(ratio=1)
    trees = inside.locator(".kx-stage").all()
    for tree in trees:
        inner, outer = tree.locator(".camera").bounding_box(), tree.bounding_box()
        assert all(inner[side] < outer[side] for side in ("width", "height"))
    scale = outer["width"] / tree.evaluate("it => it.getBoundingClientRect().width")
    heights = inside.locator(".value, .move:not(.in)").evaluate_all(HEIGHTS)
    assert scale * min(heights) >= 16  # of a font of 14 pixels
    press(inside, "More")
    press(inside.locator(".kx-pane").first, "Zoom in")
    assert trees[1].locator(".camera").bounding_box()["width"] > 1.2 * inner["width"]
    expect(inside.locator(".kx-panel")).to_be_hidden()
    inside.locator(".node.iscut .shape").last.click()
    expect(inside.locator(".kx-why.iscut p")).to_have_text(reason)
    expect(inside.get_by_text("Start Python")).to_have_count(0)
    page.keyboard.press("p")
    expect(inside.locator(".kx.projector")).to_be_visible()
    for selector in (".kx-say", ".kx-stage >> nth=0", ".kx-tally >> nth=1"):
        expect(inside.locator(selector)).to_be_in_viewport(ratio=1)
    page.keyboard.press("p")
    expect(inside.locator(".kx.projector")).to_have_count(0)
    for selector in (".picture", "figure.table"):  # the paragraph that names both stands with each
        text = page.locator(f".slides section:has({selector}) > p").first
        expect(text).to_contain_text("Figure 3.2 cuts. Table 3.1")
    assert page.locator(".picture img").evaluate(SMALLEST_WORDS) > 13
    assert page.locator(".picture img").evaluate("it => /geometricP/.test(atob(it.src.slice(26)))")
    expect(page.locator("section > table td")).to_have_css("font-size", "21.6px")  # as the text


def test_references_lead_to_their_targets_and_a_long_table_is_folded(page, report):
    page.goto((report / "01_figure.html").as_uri())
    table = page.get_by_role("region", name="Table 1.1. Thirty rows.")
    assert not table.is_visible()
    page.get_by_text("Show all 30 rows").click()
    assert table.locator("tbody tr:visible").count() == 30
    prose = page.locator("section.prose", has_text="So Listing 1.1, after")
    assert "after Knuth & Moore 1975, page 300," in prose.inner_text()
    for name in ("Listing 1.1", "Figure 1.1"):
        prose.get_by_role("link", name=name).click()
        assert page.locator(":target figcaption").inner_text().startswith(name)
    expect(prose).to_contain_text(f"As of, commit {commit(PACKAGE)}, 20")
    prose.get_by_role("link", name="Knuth & Moore").click()
    assert page.locator(":target").inner_text() == "Knuth & Moore 1975"
    page.get_by_role("link", name="Page 01_figure").last.click()
    assert page.url.endswith("01_figure.html")


def read_in_report(folder, view, title, *more):
    """Read a page of a report: a question, a cell that shows a view, and more outputs, a text."""
    artifacts = Artifacts(1, str(folder / "01_moving"))
    widget_output = artifacts.page("it", view, title, "It.", height=30)
    cell = new_code_cell("it", id="it")
    cell.outputs = [
        new_output("display_data", widget_output.data, metadata=widget_output.metadata),
        *more,
    ]
    artifacts.finding("it", "It moves.")
    cells = [new_markdown_cell("# It\n\nWhy?"), cell, new_markdown_cell("More.\n\n" * 60)]
    nbformat.write(new_notebook(cells=cells), folder / "01_moving.ipynb")
    items = load_items(folder / "01_moving")
    return read_page(Record("01_moving", "smoke", {}, "", "ok", 1, 0.0, items), folder)


def test_a_long_page_closes_its_last_parts_until_a_link_or_a_reader_opens_them(open_page, tmp_path):
    cells = [new_markdown_cell("# Long\n\nWhy? See [Late](#Late).")]
    for name in ("Early", "Late", "Last", "The answer"):
        cells.append(new_markdown_cell(f"## {name}\n\nBegin {name}.\n\n" + "More.\n\n" * 90))
    nbformat.write(new_notebook(cells=cells), tmp_path / "01_long.ipynb")
    read = read_page(Record("01_long", "smoke", {}, "", "ok", 1, 0.0, ()), tmp_path)
    text = render_notebook_pages(Manifest("smoke", None, {}, ()), [read])["01_long.html"]
    (tmp_path / "01_long.html").write_text(text, encoding="utf-8")
    with open_page(viewport=WIDE) as page:
        page.goto((tmp_path / "01_long.html").as_uri())

        def expect_open(*names):
            for name in ("Early", "Late", "Last", "The answer"):
                begin = page.get_by_text(f"Begin {name}.")
                expect(begin).to_be_visible(visible=name in names)

        expect_open("Early", "The answer")
        assert page.evaluate("document.documentElement.scrollHeight") <= 9000
        page.locator("#main").get_by_role("link", name="Late").click()
        expect_open("Early", "Late", "The answer")
        page.get_by_role("button", name="Show or hide: Last").click()
        page.get_by_role("button", name="Show or hide: Early").click()
        expect_open("Late", "Last", "The answer")
        page.emulate_media(media="print")
        expect_open("Early", "Late", "Last", "The answer")


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_view_fits_the_screen_follows_its_link_and_its_page_runs_only_its_own_scripts(
    open_page, tmp_path, size, monkeypatch
):
    monkeypatch.setattr(runtime, "runtime_digest", lambda: "0" * 64)  # no Python is started
    title, file = 'A <title> & "more"', tmp_path / "01_moving.html"
    folded = "<details><summary>Claims judged here</summary><p>one claim</details>"
    evil = {"text/html": f"<script>document.title = 'bad'</script><a onclick=x()>{folded}</a>"}
    read = read_in_report(tmp_path, explore_middle(), title, new_output("display_data", evil))
    handler = "<img src=data:, onerror=\"document.title='bad'\"><main"
    text = render_notebook_pages(Manifest("smoke", None, {}, ()), [read])[file.name].replace(
        "<main", handler, 1
    )
    file.write_text(text, encoding="utf-8")
    with open_page(viewport=size, ignored=is_csp_error) as page:
        page.goto(f"{file.as_uri()}?step=5#page-it")
        inside = page.frame_locator("iframe.moving")
        expect(inside.get_by_role("slider", name="Step")).to_have_value("5")
        expect(inside.locator(".kx-top")).to_be_in_viewport(ratio=1)
        assert page.title() != "bad"
        press(inside, "Next cut")
        assert inside.locator(".kx-say").inner_text().startswith("Cut.")
        assert inside.get_by_role("heading", level=1).inner_text() == title
        assert page.locator("iframe").get_attribute("title") == title
        press(inside, "More")
        heights = []
        for _ in range(3):
            page.wait_for_function("""() => {
              const frame = document.querySelector("iframe.moving");
              const page = frame.contentDocument.documentElement;
              return Math.abs(frame.clientHeight - page.getBoundingClientRect().height) < 1.5;
            }""")
            heights.append(page.evaluate("document.querySelector('iframe').clientHeight"))
            inside.locator(".kx-help summary").click()
        assert heights[0] == heights[2] < heights[1]
        if size == WIDE:
            page.evaluate("scrollTo(0, 0)")
            parts = ("#main h1", ".in-short", "iframe.moving")
            tops = [page.locator(part).bounding_box()["y"] for part in parts]
            assert tops == sorted(tops)
            for part in (".kx-top", ".kx-stage", ".kx-panel h2"):
                box = inside.locator(part).bounding_box()
                assert box["y"] + box["height"] <= size["height"], "on the first screen"
        inside.locator(".kx-top").scroll_into_view_if_needed()
        top = inside.get_by_role("group", name="Steps").bounding_box()
        panel = inside.locator(".kx-panel h2").bounding_box()
        assert panel["y"] + panel["height"] - top["y"] <= size["height"]
        assert inside.get_by_role("tree").bounding_box()["height"] > 100
        step = inside.get_by_role("slider", name="Step").input_value()
        press(inside, "Link")
        expect(inside.get_by_role("alert")).to_contain_text(f"{file.as_uri()}?step={step}#page-it")
        press(inside, "Start")
        expect(inside.get_by_role("alert")).to_have_count(0)  # it was the link to another step
        page.evaluate("location.hash = 'cell-id=it'")
        expect(page.get_by_text("one claim")).to_be_visible()
        page.emulate_media(media="print")
        assert page.locator("img.still").is_visible() > page.locator("iframe.moving").is_visible()


def test_a_page_that_would_load_something_is_refused(tmp_path):
    view = explore_middle()
    view.page = lambda title: '<script type="module">import "https://a.example/x.js"</script>'
    error = read_in_report(tmp_path, view, "It").record.error
    assert "must contain all that it needs" in str(error)
