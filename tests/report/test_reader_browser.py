"""What readers stumbled over in the explorer, step by step, in a real browser."""

import io

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image
from ui import START, change, middle, press, saved, step, touch

from kalahlab.draw.artifacts import Artifacts
from kalahlab.draw.items import contents
from kalahlab.games.hand_tree import AIMA_5_2
from kalahlab.report.manifest import Record
from kalahlab.report.pages import bind, read_page
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.models.quiz_set import questions

EXPLORER = "document.querySelector('.kx').explorer"
PANES = f"{EXPLORER}.panes"


def two():
    return middle(beside="minimax")


# The quiz.


def test_another_search_has_questions_of_its_own(show):
    other, shown = explore(START, depth=3), show(middle())
    press(shown, "Quiz")
    question = shown.locator(".kx-question p")
    before = question.inner_text()
    change(shown, traces=other.traces)
    shown.get_by_text("Alpha-beta, depth 3").wait_for()
    assert question.inner_text() != before
    asked = questions(other.request.first()[0])
    [cut] = (each.answer for each in asked if (each.step, each.kind) == (step(shown), "cut"))
    press(shown, "Cut")
    assert question.inner_text().startswith("✓ Right." if cut else "✗ No.")


def test_what_is_not_visited_yet_looks_the_same_whether_it_will_be_or_not(show):
    shown = show(explore(AIMA_5_2, depth=9))
    press(shown, "Quiz")
    # The second node's first leaf is in; its others are never visited, its next sibling is.
    shown.wait_for_selector(".kx-question button")
    waiting = shown.locator(".node.wait")
    looks = set()
    for place in range(waiting.count()):
        item = waiting.nth(place)
        item.locator(".dot").click(force=True)
        heading = shown.locator(".kx-panel h2").inner_text()
        looks.add(heading.split("\n", 1)[1])
        assert item.get_attribute("aria-expanded") is None
    assert looks == {"not visited yet"}


# The stage.


@pytest.mark.parametrize(
    ("width", "beside"), [(390, None), (640, None), (640, "scout"), (1280, "minimax")]
)
def test_the_map_covers_no_control(show, width, beside):
    explorer = explore(START, depth=5, beside=beside)
    shown = show(explorer, viewport={"width": width, "height": 900})
    press(shown, "End")
    for shows in shown.locator(".kx-view select").all():
        shows.select_option("4")
    for map in shown.locator(".kx-map").all():
        map.wait_for()
    shown.locator(".kx-view").first.evaluate("bar => bar.scrollIntoView({ block: 'center' })")
    covered = """() => [...document.querySelectorAll(".kx-view > :not(.kx-map)")].filter((each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      return [0.1, 0.5, 0.9].some((part) => {
        const hit = document.elementFromPoint(left + part * width, top + height / 2);
        return !each.contains(hit);
      });
    }).map((each) => each.textContent)"""
    assert shown.evaluate(covered) == []


def test_one_finger_scrolls_the_page_and_two_move_the_tree(show):
    viewport = {"width": 390, "height": 700}
    shown = show(two(), viewport=viewport, has_touch=True)
    press(shown, "End")
    to_stage = "document.querySelector('.kx-stage').getBoundingClientRect().top + scrollY - 380"
    at = shown.evaluate(to_stage)
    shown.evaluate(f"scrollTo(0, {at})")
    stage = shown.locator(".kx-stage").first.bounding_box()
    assert stage["height"] <= 450
    camera = f"(({{x, y}}) => [x, y])({PANES}[0].camera)"
    x, y = shown.evaluate(camera)
    left, top = stage["x"] + 150, stage["y"] + stage["height"] - 60
    touch(shown, *([(left, top - moved), (left + 60, top - moved)] for moved in (0, 10, 40)))
    assert shown.evaluate(camera) == pytest.approx([x, y - 40], abs=1)
    touch(shown, *([(left, top - moved)] for moved in (0, 20, 60, 120)))
    shown.wait_for_function(f"() => scrollY > {at} + 60")
    assert shown.evaluate(camera) == pytest.approx([x, y - 40], abs=1)


@pytest.mark.parametrize(("width", "most"), [(1280, 0), (390, 1)])
def test_the_tree_stays_where_it_is_while_stepping(show, width, most):
    shown = show(explore(START, depth=4), viewport={"width": width, "height": 900})
    moves = shown.evaluate(
        f"""async () => {{
          // What is reserved for a sentence is known when it has been drawn.
          for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
          const tops = [];
          for (let k = 0; k < 400; k++) {{
            {EXPLORER}.go(k);
            tops.push(document.querySelector(".kx-stage").offsetTop);
            if (k % 20 === 0) await new Promise(requestAnimationFrame);
          }}
          return tops.filter((top, k) => k && top !== tops[k - 1]).length;
        }}"""
    )
    assert moves <= most


def test_the_tree_is_in_the_first_view_of_a_small_screen(show):
    shown = show(explore(START, depth=4), viewport={"width": 1366, "height": 650})
    press(shown, "End")
    stage = shown.locator(".kx-stage").bounding_box()
    assert stage["y"] + stage["height"] <= 650
    press(shown, "Fit")
    low = shown.evaluate(
        "Math.max(...[...document.querySelectorAll('.tree .node .shape')]"
        ".map((each) => each.getBoundingClientRect().bottom))"
    )
    assert low <= 650


# What is saved, and what is said.


def test_a_picture_too_large_for_a_png_is_saved_smaller_and_that_is_said(show):
    shown = show(explore(START, depth=4, algorithm="minimax"))
    press(shown, "End")
    shown.locator(".kx-view select").select_option("4")
    picture = Image.open(io.BytesIO(saved(shown, "PNG")))
    assert max(picture.size) <= 16_000
    notice = shown.get_by_role("alert")
    notice.wait_for()
    assert "too large for a PNG" in notice.inner_text()
    press(shown, "End")
    shown.locator(".kx-view select").select_option("1")
    assert Image.open(io.BytesIO(saved(shown, "PNG"))).size[0] > 100


# In the report.


def read_in_report(folder, view, title, *more):
    """The page of a report: a question, a cell that shows a view, and more outputs, a text."""
    artifacts = Artifacts(1, str(folder / "01_moving"))
    made = artifacts.page("it", view, title, "It.", height=30)
    cell = new_code_cell("it")
    cell.outputs = [new_output("display_data", made.data, metadata=made.metadata), *more]
    artifacts.finding("it", "It moves.")
    cells = [new_markdown_cell("# It\n\nWhy?"), cell, new_markdown_cell("More.")]
    nbformat.write(new_notebook(cells=cells), folder / "01_moving.ipynb")
    items = contents(folder / "01_moving")
    return read_page(Record("01_moving", "smoke", {}, "", "ok", 1, 0.0, items), folder)


def test_a_page_shows_its_pictures_whole_runs_only_its_own_scripts_and_prints_stills(
    opened, tmp_path
):
    title, file = 'A <title> & "more"', tmp_path / "01_moving.html"
    evil = {"text/html": "<script>document.title = 'bad'</script><p onclick=x()>quiet</p>"}
    read = read_in_report(tmp_path, two(), title, new_output("display_data", evil))
    handler = "<img src=data:, onerror=\"document.title='bad'\"><main"
    text = bind([read])[file.name].replace("<main", handler, 1)
    file.write_text(text, encoding="utf-8")
    with opened(viewport={"width": 1280, "height": 900}, strict=False) as shown:
        shown.goto(file.as_uri())
        inside = shown.frame_locator("iframe.moving")
        inside.locator(".kx[data-ready]").wait_for()
        assert shown.title() != "bad"
        parts = ("#main h1", "iframe.moving", ".in-short")  # what is moved by hand comes early
        tops = [shown.locator(part).bounding_box()["y"] for part in parts]
        assert tops == sorted(tops)
        assert tops[1] < 450
        whole = """() => {
          const frame = document.querySelector("iframe.moving");
          const page = frame.contentDocument.documentElement;
          return frame.clientHeight >= page.scrollHeight && page.scrollHeight > 480;
        }"""
        shown.wait_for_function(whole)
        inside.get_by_text("Keys").click()
        shown.wait_for_function(whole)
        inside.get_by_role("button", name="Next cut").click()
        assert inside.locator(".kx-say").inner_text().startswith("Cut.")
        assert inside.get_by_role("heading", level=1).inner_text() == title
        assert shown.locator("iframe").get_attribute("title") == title
        shown.emulate_media(media="print")
        assert shown.locator("iframe.moving").is_hidden()
        assert shown.locator("img.still").is_visible()


def test_a_page_that_would_load_something_is_refused(tmp_path):
    view = middle()
    view.page = lambda title: '<script type="module">import "https://a.example/x.js"</script>'
    assert "must hold all it needs" in str(read_in_report(tmp_path, view, "It").record.error)


def test_a_leaf_of_a_textbook_tree_has_a_value_not_a_margin(show):
    shown = show(explore(AIMA_5_2, depth=9))
    press(shown, "End")
    shown.locator(".node.leaf .shape").first.click()
    panel = shown.locator(".kx-panel").inner_text()
    assert "margin" not in panel
    assert "this is its value" in panel
    shown.set_viewport_size({"width": 320, "height": 800})
    shown.wait_for_function(
        """() => {
          const bars = document.querySelector(".kx-view").getBoundingClientRect().top;
          const shapes = [...document.querySelectorAll(".tree .shape")];
          return shapes.every((each) => each.getBoundingClientRect().bottom <= bars);
        }"""
    )
