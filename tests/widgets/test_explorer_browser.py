"""The explorer in a real browser, cut off from the network: every control, mouse and keyboard."""

import base64
import io
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import nbformat
import pandas as pd
import pytest
from conftest import Lab, Opener
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from kalahlab.draw.artifacts import Artifacts
from kalahlab.draw.items import contents
from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.registry import evaluator
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import (
    AIMA_5_2,
    MIN,
    RICH_KNIGHT_12_5,
    Branch,
    HandTree,
    uniform_tree,
)
from kalahlab.games.kalah import EMPTY_CAPTURE, Kalah
from kalahlab.games.notation import parse_board
from kalahlab.games.registry import GAMES
from kalahlab.report.manifest import Record
from kalahlab.report.pages import bind, read_page
from kalahlab.search import ALGORITHMS, Depth, alpha_beta, minimax, mtdf, scout
from kalahlab.trace import Trace, record
from kalahlab.widgets.explorer import Explorer, explore
from kalahlab.widgets.page import page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

MIDDLE = "<6,4,5,2,3,1,7,1,1,1,3,1,10,9,0>"
START = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"
STEP = "document.querySelector('.kx').explorer.clock.k"
FOCUS = "document.querySelector('.kx').explorer.panes()[0].marks.focus"
CAMERA = "(({x, y, z}) => [x, y, z])(document.querySelector('.kx').explorer.panes()[0].camera)"

Show = Callable[..., AbstractContextManager["Page"]]


@pytest.fixture
def show(opened: Opener, tmp_path: Path) -> Show:
    """Opens an explorer's page, at a `#...` if one is given, and waits until it stands."""

    @contextmanager
    def show(explorer: Explorer, link: str = "", **options: Any) -> "Iterator[Page]":
        options = {"viewport": {"width": 1280, "height": 900}, **options}
        file = tmp_path / "explorer.html"
        file.write_text(explorer.page(), encoding="utf-8")
        with opened(reduced_motion="reduce", **options) as shown:
            shown.goto(file.as_uri() + link)
            shown.wait_for_selector(".kx[data-ready]")
            yield shown

    return show


def middle(**more: Any) -> Explorer:
    return explore(MIDDLE, depth=2, rules=EMPTY_CAPTURE, **more)


def middle_trace() -> Trace:
    state = parse_board(MIDDLE)
    return record(alpha_beta, Kalah(rules=EMPTY_CAPTURE), state, store_difference, Depth(2))


def press(shown: "Page", name: str) -> None:
    shown.get_by_role("button", name=name, exact=True).click()


def node(shown: "Page", key: int | str, pane: int = 0) -> "Locator":
    """A node of the tree by its number."""
    tree = shown.locator(".kx-pane").nth(pane)
    return tree.locator(f"[role=treeitem][id$='-{key}']")


def said(shown: "Page") -> str:
    return shown.locator(".kx-say").inner_text()


# The clock.


def test_the_clock_is_moved_by_every_button(show):
    trace = middle_trace()
    cuts = trace.cuts
    with show(middle()) as shown:
        last = shown.evaluate("document.querySelector('.kx').explorer.clock.last")
        assert last == 2 * len(list(trace.visited()))
        press(shown, "Step")
        assert (shown.evaluate(STEP), said(shown)[:11]) == (1, "MAX to move")
        for _ in range(3):
            press(shown, "Step")
        assert shown.evaluate(STEP) == 6, "a leaf is entered and left in one step"
        press(shown, "Back")
        assert shown.evaluate(STEP) == 4
        for cut in cuts:
            press(shown, "Next cut")
            assert said(shown).startswith(f"Cut. {trace.why(cut)}")
        press(shown, "Next cut")
        assert shown.evaluate(STEP) == last, "there is no other cut"
        for cut in cuts[::-1]:
            press(shown, "Previous cut")
            assert said(shown).startswith(f"Cut. {trace.why(cut)}")
        press(shown, "Start")
        assert (shown.evaluate(STEP), said(shown)[:7]) == (0, "Nothing")
        press(shown, "End")
        assert shown.locator(".kx-where").inner_text() == f"{last} / {last}"
        slider = shown.get_by_role("slider", name="Step")
        slider.fill("20")
        assert shown.evaluate(STEP) == 20
        assert slider.get_attribute("aria-valuetext") == f"step 20 of {last}"
        strip = shown.locator(".kx-strip-box").bounding_box()
        assert strip
        shown.mouse.click(strip["x"] + strip["width"] / 2, strip["y"] + 5)
        assert shown.evaluate(STEP) == last / 2


def test_it_plays_at_the_chosen_speed_and_stops_at_the_end(show):
    """On a clock of the test's own."""
    with show(middle()) as shown:
        shown.clock.install(time=0)
        shown.clock.pause_at(1000)
        press(shown, "End")
        shown.get_by_label("Speed").select_option("100")
        press(shown, "Play")
        assert shown.locator(".kx-say").get_attribute("aria-live") == "off"
        shown.clock.run_for(300)
        press(shown, "Pause")
        paused = shown.evaluate(STEP)
        assert 0 < paused < 62, "it began anew"
        shown.clock.run_for(300)
        assert shown.evaluate(STEP) == paused
        press(shown, "Play")
        shown.clock.run_for(1000)
        assert shown.get_by_role("button", name="Play", exact=True).is_visible()
        assert shown.evaluate(STEP) == 62
        assert shown.locator(".kx-say").get_attribute("aria-live") == "polite"


def test_it_plays_from_cut_to_cut_and_the_whole_in_so_many_seconds(show):
    """On a clock of the test's own."""
    cuts = middle_trace().cuts
    with show(middle()) as shown:
        shown.clock.install(time=0)
        shown.clock.pause_at(1000)
        shown.get_by_label("Speed").select_option("a cut every 2 s")
        press(shown, "Play")
        for cut in cuts:
            shown.clock.run_for(2000)
            assert said(shown).startswith(f"Cut. {middle_trace().why(cut)}")
        shown.clock.run_for(4000)
        assert shown.get_by_role("button", name="Play", exact=True).is_visible()
        for option, seconds in (("all in 10 s", 10), ("all in 60 s", 60)):
            shown.get_by_label("Speed").select_option(option)
            press(shown, "Play")
            shown.clock.run_for(500 * seconds)
            assert shown.evaluate(STEP) == 31, "half of it"
            shown.clock.run_for(500 * seconds + 50)
            assert shown.evaluate(STEP) == 62
            assert shown.get_by_role("button", name="Play", exact=True).is_visible()


def test_a_link_opens_a_step_and_the_address_follows(show):
    with show(middle(), link="#step=39") as shown:
        assert shown.evaluate(STEP) == 39
        press(shown, "End")
        whole = f"#{middle().link}&step=62"
        shown.wait_for_function("whole => location.hash === whole", arg=whole)
        shown.evaluate("location.hash = '#step=5'")
        shown.wait_for_function(f"() => {STEP} === 5")
        assert shown.get_by_role("alert").count() == 0
    with show(middle(), link=whole) as shown:
        assert shown.evaluate(STEP) == 62, "it is the page's own search"
        assert shown.get_by_role("alert").count() == 0
    with show(middle(beside="minimax"), link="#step=70") as shown:
        assert shown.evaluate(STEP) == 70, "the second search has more steps"


@pytest.mark.parametrize(
    ("link", "step", "complaint"),
    [
        ("#step=999999", 62, "This search has 62 steps. The link asks for step 999999."),
        ("#elsewhere", 7, "This link is not understood: #elsewhere"),
        ("#step=1e9", 7, "This link is damaged: its step is “1e9”, not a number."),
        ("#step=%3Cimg%3E", 7, "its step is “<img>”"),
        ("#game=kalah&position=x&step=3", 7, "This link asks for another search."),
    ],
)
def test_a_link_that_cannot_be_followed_says_so(show, link, step, complaint):
    with show(middle(step=7), link=link) as shown:
        assert complaint in shown.get_by_role("alert").inner_text()
        assert shown.evaluate(STEP) == step


# The tree.


def test_it_opens_on_the_whole_tree_in_grey_one_press_from_a_cut(show):
    trace = middle_trace()
    with show(middle()) as shown:
        assert shown.get_by_role("treeitem").count() == len(trace.nodes)
        grey = shown.locator(".tree .node.grey")
        assert grey.count() == len(trace.nodes) - 1, "all but the root"
        assert {*grey.locator(".value").all_text_contents()} == {""}
        assert "Press “Next cut” to see the first cut." in said(shown)
        press(shown, "Next cut")
        visited = int(shown.locator(".kx-count.visited b").inner_text())
        assert grey.count() == len(trace.nodes) - visited - len(trace.cuts[0].untried)
        press(shown, "End")
        assert grey.count() == 0
    with show(explore(START, depth=5)) as shown:
        below = shown.locator(".tree .node.grey .fold").all_text_contents()
        sizes = [int(text.strip("▸ ").replace("\u202f", "")) + 1 for text in below]
        visited = shown.evaluate("document.querySelector('.kx').explorer.panes()[0].t.n")
        assert 1 + sum(sizes) == visited, "one ply, and how many nodes are visited below it"


def test_why_links_to_both_nodes_and_lights_them(show):
    [first, *_] = middle_trace().cuts
    with show(middle()) as shown:
        press(shown, "Next cut")
        assert shown.locator(".ring.owner").count() == shown.locator(".ring.cutter").count() == 1
        assert shown.locator(".bound").text_content() == "α = −2"
        blamed = shown.locator(".blame .line").get_attribute("d")
        assert str(blamed).count("M") == 1, "one edge leads from the owner to the cut"
        why = shown.locator(".kx-why")
        assert middle_trace().why(first) in why.inner_text()
        links = why.get_by_role("button")
        assert links.count() == 2
        links.nth(1).click()
        assert shown.evaluate(FOCUS) == first.owner
        assert shown.locator(".kx-panel h2").inner_text().startswith("Root")


def test_clicks_select_open_and_close(show):
    with show(explore(START, depth=5)) as shown:
        press(shown, "End")
        target = shown.locator(".tree .node[aria-expanded=false]").first
        key = int(str(target.get_attribute("id")).rpartition("-")[2])
        target.locator(".shape").click()
        assert shown.evaluate(FOCUS) == key
        node(shown, key).locator(".shape").click()
        closed = node(shown, key).get_attribute("aria-expanded")
        node(shown, key).locator(".shape").click()
        assert {closed, node(shown, key).get_attribute("aria-expanded")} == {"true", "false"}
        assert node(shown, key).get_attribute("aria-selected") == "true"


def test_the_tree_opens_by_depth_along_the_best_line_and_whole(show):
    def levels() -> set[str | None]:
        items = shown.get_by_role("treeitem").all()
        return {item.get_attribute("aria-level") for item in items}

    with show(explore(START, depth=4)) as shown:
        press(shown, "End")
        opening = shown.get_by_label("Show")
        opening.select_option("1 ply")
        assert shown.get_by_role("treeitem").count() == 7
        opening.select_option("2 plies")
        assert levels() == {"1", "2", "3"}
        opening.select_option("the best line")
        opened = shown.locator(".tree [aria-expanded=true]")
        assert opened.count() == 4, "the root and three moves of the line; its end is a leaf"
    with show(middle()) as shown:
        press(shown, "End")
        assert shown.get_by_role("treeitem").count() == 37
        shown.get_by_label("Show").select_option("1 ply")
        assert shown.get_by_role("treeitem").count() == 7


def test_zoom_pan_and_fit(show):
    with show(middle()) as shown:
        press(shown, "End")
        x, y, z = shown.evaluate(CAMERA)
        press(shown, "Zoom in")
        assert shown.evaluate(CAMERA)[2] == pytest.approx(1.25 * z)
        press(shown, "Zoom out")
        stage = shown.locator(".kx-stage").bounding_box()
        assert stage
        left, top = stage["x"] + 20, stage["y"] + stage["height"] - 20
        shown.mouse.move(left, top)
        shown.mouse.down()
        shown.mouse.move(left + 60, top - 40, steps=4)
        shown.mouse.up()
        assert shown.evaluate(CAMERA) == pytest.approx([x + 60, y - 40, z])
        shown.keyboard.down("Control")
        shown.mouse.wheel(0, -200)
        shown.keyboard.up("Control")
        shown.wait_for_function(f"() => {CAMERA}[2] > {z} * 1.1")
        press(shown, "Fit")
        assert shown.evaluate(CAMERA) == pytest.approx([x, y, z])


SEEN = "(({l, r, t, b}) => [(l + r) / 2, (t + b) / 2])" + (
    "(document.querySelector('.kx').explorer.panes()[0].camera.seen())"
)
BOX = "(({l, r, t, b}) => [l, r, t, b])" + (
    "(document.querySelector('.kx').explorer.panes()[0].layout.box)"
)


def test_the_map_shows_the_part_that_is_seen_and_leads_elsewhere(show):
    with show(explore(START, depth=5, rules=EMPTY_CAPTURE)) as shown:
        small = shown.locator(".kx-map")
        assert small.is_hidden()
        press(shown, "End")
        shown.get_by_label("Show").select_option("3")
        small.wait_for()
        picture, frame = small.locator("canvas").bounding_box(), small.locator("i").bounding_box()
        assert picture
        assert frame
        assert picture["y"] <= frame["y"] + 1
        assert frame["height"] < picture["height"]
        left, right, top, bottom = shown.evaluate(BOX)
        small.locator("canvas").click(position={"x": 40, "y": picture["height"] - 20})
        across, down = (right - left) / picture["width"], (bottom - top) / picture["height"]
        x, y = shown.evaluate(SEEN)
        assert x == pytest.approx(left + 40 * across, abs=across)
        assert y == pytest.approx(bottom - 20 * down, abs=down)
        colours = shown.evaluate(
            """() => {
              const { width, height } = document.querySelector(".kx-map canvas");
              const context = document.querySelector(".kx-map canvas").getContext("2d");
              const { data } = context.getImageData(0, 0, width, height);
              return new Set(new Uint32Array(data.buffer)).size;
            }"""
        )
        assert colours > 2, "there is something on it"
        press(shown, "Start")
        shown.get_by_label("Show").select_option("path")
        small.wait_for(state="hidden")


def test_fingers_pan_and_pinch(show):
    with show(middle(), has_touch=True) as shown:
        press(shown, "End")
        x, y, z = shown.evaluate(CAMERA)
        stage = shown.locator(".kx-stage").bounding_box()
        assert stage
        left, top = stage["x"] + 60, stage["y"] + stage["height"] - 60
        session = shown.context.new_cdp_session(shown)

        def touch(kind: str, *fingers: tuple[float, float]) -> None:
            points = [{"x": at[0], "y": at[1], "id": id} for id, at in enumerate(fingers)]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", (left, top))
        for moved in (10, 30, 50):
            touch("touchMove", (left + moved, top))
        touch("touchEnd")
        assert shown.evaluate(CAMERA) == pytest.approx([x + 50, y, z])
        touch("touchStart", (left, top), (left + 60, top))
        touch("touchMove", (left - 30, top), (left + 90, top))
        touch("touchEnd")
        assert shown.evaluate(CAMERA)[2] == pytest.approx(2 * z, rel=0.01)


def test_the_board_is_shown_on_hover_and_for_the_selected_node(show):
    trace = middle_trace()
    with show(middle()) as shown:
        press(shown, "End")
        leaf = next(visit for visit in trace.visited() if visit.kind == "leaf")
        node(shown, leaf.id).locator(".shape").hover()
        card = shown.locator(".kx-card")
        board = leaf.node.state.board
        label = f"South, MAX, pits {' '.join(map(str, board[:6]))}, store {board[6]}"
        assert label in str(card.get_by_role("img").get_attribute("aria-label"))
        shown.keyboard.press("Escape")
        node(shown, leaf.id).locator(".shape").click()
        panel = shown.locator(".kx-panel").get_by_role("img")
        assert label in str(panel.get_attribute("aria-label"))
        counts = [int(text) for text in panel.locator(".seeds").all_text_contents()]
        assert counts == list(board)


@pytest.mark.parametrize("kind", ["betsy", "cards"])
def test_the_position_of_another_game_is_shown_as_it_draws_it(show, kind):
    game, state = GAMES[kind].read(GAMES[kind].example)
    trace = record(alpha_beta, game, state, evaluator(None, kind), Depth(2))
    with show(explore(state, game=game, depth=2)) as shown:
        press(shown, "Next cut")
        cut = GAMES[kind].draw(trace.nodes[trace.cuts[0].node].node.state)
        text = shown.locator(".kx-panel pre")
        assert text.text_content() == cut.rstrip()
        node(shown, trace.cuts[0].node).locator(".shape").hover()
        assert shown.locator(".kx-card pre").text_content() == cut.rstrip()
        assert text.evaluate("pre => pre.scrollWidth <= pre.clientWidth"), "no line is cut off"


# The keyboard alone.


def test_everything_is_reached_by_keyboard(show):
    with show(explore(START, depth=5)) as shown:
        while not shown.evaluate("document.activeElement.matches('.tree')"):
            shown.keyboard.press("Tab")
            seen = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
            in_tree = "document.activeElement.matches('.tree')"
            assert shown.evaluate(f"{seen} || {in_tree}"), "the focus is visible"
        outline = "getComputedStyle(document.querySelector('.kx-stage')).outlineStyle"
        assert shown.evaluate(outline) == "solid"
        steps = []
        for key in ("]", "[", ".", ".", ",", "c", "c", "C"):
            shown.keyboard.press(key)
            steps.append(shown.evaluate(STEP))
        last, start, one, two, back, cut, second, first = steps
        assert last > 900
        assert (start, one, two, back) == (0, 1, 2, 1)
        assert (cut, first) == (first, cut)
        assert second > cut > 2
        assert said(shown).startswith("Cut.")
        shown.keyboard.press(" ")
        shown.keyboard.press(" ")
        assert shown.evaluate(STEP) >= first


def test_the_tree_is_walked_as_a_tree_view(show):
    with show(explore(START, depth=5)) as shown:
        shown.locator(".tree").focus()
        active = "document.getElementById(document.activeElement.getAttribute"
        active += "('aria-activedescendant'))"

        def after(key: str) -> tuple[Any, ...]:
            shown.keyboard.press(key)
            names = ("aria-level", "aria-posinset", "aria-expanded")
            return tuple(shown.evaluate(f"{active}.getAttribute('{name}')") for name in names)

        assert after("]") == ("1", "1", "true")
        assert after("ArrowRight") == ("2", "1", "true") or after("ArrowRight")[0] == "2"
        shown.keyboard.press("Home")
        assert after("ArrowDown")[:2] == ("2", "1")
        assert after("ArrowRight")[2] == "true", "opened, or gone into"
        assert after("End")[0] >= "2"
        assert after("Home") == ("1", "1", "true")
        shown.keyboard.press("ArrowDown")
        shown.keyboard.press("*")
        siblings = shown.locator(".tree [aria-level='2'][aria-expanded=true]")
        assert siblings.count() == 6
        assert after("ArrowLeft")[2] == "false", "closed"
        assert after("ArrowLeft")[0] == "1", "and up"
        shown.keyboard.press("ArrowDown")
        key = shown.evaluate(FOCUS)
        shown.keyboard.press("Enter")
        step = shown.evaluate(
            "k => {"
            "  const { t } = document.querySelector('.kx').explorer.panes()[0];"
            "  return 2 * (Number(k) + t.size[k]) - t.ply[k];"
            "}",
            key,
        )
        assert shown.evaluate(STEP) == step, "all below it is entered and left, and it is left"
        shown.keyboard.press("ArrowUp")
        shown.keyboard.press("Escape")
        assert shown.evaluate(FOCUS) == key, "back to the current node"


# The quiz.


def test_the_quiz_counts_right_answers_missing_and_superfluous_cuts(show):
    trace = middle_trace()
    with show(middle()) as shown:
        press(shown, "Quiz")
        question = shown.locator(".kx-question")
        right = missed = superfluous = cuts = 0
        for turn in count():
            if "No more questions" in question.inner_text():
                break
            answer = turn % 3 == 0
            press(shown, "Cut" if answer else "Search on")
            told = question.inner_text()
            cut = "cannot change the result." in told
            right += told.startswith("✓")
            missed += cut and not answer
            superfluous += answer and not cut
            assert told.startswith("✓") == (cut == answer)
            cuts += cut
            if cut:
                assert any(trace.why(each) in told for each in trace.cuts)
            else:
                assert "so the search goes on." in told
            press(shown, "Next question")
        assert cuts == len(trace.cuts)
        assert min(right, missed, superfluous) > 0
        assert right + missed + superfluous == turn
        assert shown.locator(".kx-score").inner_text() == (
            f"{right} of {turn} right · {missed} missing cuts · {superfluous} superfluous cuts"
        )
        press(shown, "Quiz")
        assert shown.locator(".kx-ladder").is_visible()


@pytest.mark.parametrize(("kind", "asked"), [("α", "alpha"), ("β", "beta"), ("the value", "value")])
def test_the_quiz_asks_for_numbers(show, kind, asked):
    trace = record(alpha_beta, RICH_KNIGHT_12_5, RICH_KNIGHT_12_5.root, written_value, Depth(9))
    inner = [visit for visit in trace.visited() if visit.kind in ("inner", "cut")]
    finite = [visit for visit in inner if abs(getattr(visit, asked)) < 1e9]
    if asked == "value":
        finite.sort(key=lambda visit: (max(below(trace, visit.id)), -visit.id))
    with show(explore(RICH_KNIGHT_12_5, depth=9)) as shown:
        press(shown, "Quiz")
        shown.get_by_label("Ask for").select_option(kind)
        for place, visit in enumerate(finite):
            assert (
                shown.locator(".kx-ladder, .kx-counts, .bar").locator("visible=true").count() == 0
            )
            number = getattr(visit, asked)
            wrong = place % 2
            shown.get_by_label("Your answer").fill(str(number + wrong).replace("-", "−"))
            shown.keyboard.press("Enter")
            told = shown.locator(".kx-question").inner_text()
            assert told.startswith("✗ No." if wrong else "✓ Right.")
            shown.keyboard.press("Enter")
        assert "No more questions" in shown.locator(".kx-question").inner_text()
        total = (len(finite) + 1) // 2
        assert shown.locator(".kx-score").inner_text() == f"{total} of {len(finite)} right"


def below(trace: Trace, id: int) -> list[int]:
    children = [c for c in trace.nodes[id].children if trace.nodes[c].kind != "unvisited"]
    return [id, *(each for child in children for each in below(trace, child))]


def test_an_answer_that_is_no_number_is_asked_for_again(show):
    with show(explore(RICH_KNIGHT_12_5, depth=9)) as shown:
        press(shown, "Quiz")
        shown.get_by_label("Ask for").select_option("the value")
        shown.get_by_label("Your answer").fill("three")
        press(shown, "Check")
        assert shown.locator(".kx-score").inner_text() == ""
        assert shown.evaluate("document.activeElement.validationMessage") == "Type a number"


# What is saved.


def saved(shown: "Page", kind: str) -> bytes:
    with shown.expect_download() as download:
        shown.locator(".kx-save").get_by_text(kind, exact=True).click()
    return Path(download.value.path()).read_bytes()


def test_the_picture_is_saved_as_svg_and_png(show):
    with show(middle()) as shown:
        press(shown, "Next cut")
        svg = saved(shown, "SVG").decode()
        root = ElementTree.fromstring(svg)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert (
            root.findtext("{*}title")
            == "Alpha-beta, depth 2 (sows, store difference), step 23 of 62"
        )
        texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
        assert {"≤−2", "≥−2", "α = −2"} <= set(texts)
        assert not {"var(", "light-dark", "class=", "<script"} & {
            each for each in ("var(", "light-dark", "class=", "<script") if each in svg
        }
        picture = Image.open(io.BytesIO(saved(shown, "PNG")))
        assert picture.size == (2 * int(root.attrib["width"]), 2 * int(root.attrib["height"]))
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or []}
        assert {(255, 255, 255), (163, 25, 91), (220, 235, 250)} <= colours


@pytest.mark.parametrize("search", [alpha_beta, minimax, scout, mtdf], ids=lambda s: s.__name__)
@pytest.mark.parametrize("tree", [None, RICH_KNIGHT_12_5], ids=["kalah", "tree"])
def test_the_table_is_saved_as_python_has_it(show, search, tree):
    if tree is None:
        asked = (Kalah(rules=EMPTY_CAPTURE), parse_board(MIDDLE), store_difference, Depth(3))
    else:
        asked = (tree, tree.root, written_value, Depth(9))
    trace = record(search, *asked)
    with show(Explorer(trace)) as shown:
        found = pd.read_csv(io.BytesIO(saved(shown, "CSV")), keep_default_na=False)
    table = io.StringIO(trace.table().to_csv(index=False))
    expected = pd.read_csv(table, keep_default_na=False)
    for column in ("alpha", "beta", "value", "bound", "parent", "owner"):
        for frame in (found, expected):
            frame[column] = pd.to_numeric(frame[column])
    pd.testing.assert_frame_equal(found, expected, check_dtype=False, check_exact=True)
    if search is alpha_beta:
        assert {*found["player"][found["kind"] == "unvisited"]} >= {"MAX"}
        assert tree or found["extra_turn"][found["kind"] == "unvisited"].any()


def test_the_explorer_is_saved_as_a_page_that_works(show, opened, tmp_path):
    with show(middle()) as shown:
        press(shown, "Next cut")
        shown.wait_for_function("() => location.hash.endsWith('&step=23')")
        html = saved(shown, "HTML")
    again = tmp_path / "again.html"
    again.write_bytes(html)
    with opened() as page:
        page.goto(again.as_uri() + "#step=23")
        page.wait_for_selector(".kx[data-ready]")
        assert page.locator(".kx").count() == 1
        assert said(page).startswith("Cut.")
        press(page, "Step")


# Side by side, themes, motion, accessibility.


def test_two_searches_run_on_one_clock_and_mark_what_only_one_visits(show):
    board = parse_board(MIDDLE)
    game = Kalah(rules=EMPTY_CAPTURE)
    traces = [
        record(search, game, board, store_difference, Depth(2)) for search in (alpha_beta, minimax)
    ]
    paths = [{tuple(t.path(v.id)) for v in t.visited()} for t in traces]
    with show(middle(beside="minimax")) as shown:
        press(shown, "End")
        for pane, (own, other) in enumerate([paths, paths[::-1]]):
            section = shown.locator(".kx-pane").nth(pane)
            assert section.locator(".tree .alone").count() == len(own - other)
            labels = section.locator("[role=treeitem][aria-label$='only in this search']")
            assert labels.count() == len(own - other)
            visited = section.locator(".kx-count.visited b").inner_text()
            assert visited == str(len(own))
        shown.get_by_role("slider", name="Step").fill("64")
        right = shown.locator(".kx-pane").nth(1)
        assert int(right.locator(".kx-count.visited b").inner_text()) == entered(traces[1], 64)
        left = shown.locator(".kx-pane").nth(0)
        assert int(left.locator(".kx-count.visited b").inner_text()) == len(paths[0])
        assert entered(traces[1], 64) < len(paths[1]), "the first has ended, the other has not"


@pytest.mark.parametrize("beside", ["scout", "scout_table", "mtdf"])
def test_a_position_is_known_again_however_it_was_come_by(show, beside):
    """By its moves alone: in a probe, in the search after it, in any pass."""
    traces = [
        record(ALGORITHMS[name], RICH_KNIGHT_12_5, RICH_KNIGHT_12_5.root, written_value, Depth(9))
        for name in ("alpha_beta", beside)
    ]

    def moves(trace: Trace, id: int) -> tuple[Any, ...]:
        visit = trace.nodes[id]
        above = () if visit.parent is None else moves(trace, visit.parent)
        return above if visit.node.move is None else (*above, visit.node.move)

    paths = [[moves(trace, visit.id) for visit in trace.visited()] for trace in traces]
    explorer = explore(RICH_KNIGHT_12_5, depth=9, beside=beside)
    with show(explorer) as shown:
        press(shown, "End")
        for pane, (own, other) in enumerate([paths, paths[::-1]]):
            expected = [id for id, path in enumerate(own) if path not in other]
            tree = shown.locator(".kx-pane").nth(pane)
            marked = tree.locator("[role=treeitem]:has(.alone)")
            assert [number_of(each) for each in marked.all()] == expected
    assert any(visit.label != visit.name or visit.name == "pass 2" for visit in traces[1].nodes)


def number_of(item: "Locator") -> int:
    return int(str(item.get_attribute("id")).rpartition("-")[2])


def entered(trace: Trace, events: int) -> int:
    """How many nodes are entered by the first events, each of which enters or leaves one."""
    log: list[bool] = []

    def walk(id: int) -> None:
        log.append(True)
        for child in trace.nodes[id].children:
            if trace.nodes[child].kind != "unvisited":
                walk(child)
        log.append(False)

    walk(0)
    return sum(log[:events])


def ground(shown: "Page") -> str:
    return str(shown.evaluate("getComputedStyle(document.querySelector('.kx')).backgroundColor"))


LIGHT, DARK = "rgb(255, 255, 255)", "rgb(21, 25, 30)"


@pytest.mark.parametrize(
    ("system", "theme", "colour"),
    [("light", "", LIGHT), ("dark", "", DARK), ("light", "dark", DARK), ("dark", "light", LIGHT)],
)
def test_themes(show, system, theme, colour):
    with show(middle(theme=theme), color_scheme=system) as shown:
        assert ground(shown) == colour
        if not theme:
            shown.evaluate("document.body.dataset.jpThemeLight = 'false'")
            assert ground(shown) == DARK, "JupyterLab's own theme"


VS_CODE = {
    "vscode-dark": DARK,
    "vscode-light": LIGHT,
    "vscode-high-contrast": DARK,
    "vscode-high-contrast vscode-high-contrast-light": LIGHT,
}


@pytest.mark.parametrize("system", ["light", "dark"])
def test_vs_codes_theme_is_followed(show, system):
    """As VS Code names it: classes of the body that the output stands in."""
    name_body = "kind => { document.body.className = kind; }"
    with show(middle(), color_scheme=system) as shown:
        press(shown, "Next cut")
        marks = "document.querySelector('.kx-marks').toDataURL()"
        own = shown.evaluate(marks)
        for kind, colour in VS_CODE.items():
            shown.evaluate(name_body, kind)
            assert ground(shown) == colour
            changed = "!==" if (colour == DARK) != (system == "dark") else "==="
            shown.wait_for_function(f"own => {marks} {changed} own", arg=own)
    with show(middle(theme="light"), color_scheme=system) as shown:
        shown.evaluate(name_body, "vscode-dark")
        assert ground(shown) == LIGHT, "the trait comes first"


def test_motion_is_reduced_where_that_is_asked(show):
    with show(middle()) as shown:
        moving = "getComputedStyle(document.querySelector('.camera')).transitionDuration"
        assert shown.evaluate(moving) == "0s"


@pytest.mark.parametrize(("theme", "beside"), [("light", None), ("dark", "minimax")])
def test_axe_finds_no_violation(show, axe, theme, beside):
    states = [("Start", 1280), ("Next cut", 390), ("End", 320), ("Next cut", 800), ("Quiz", 320)]
    with show(middle(beside=beside), color_scheme=theme) as shown:
        shown.locator(".kx-help summary").click()
        shown.evaluate(axe)
        for state, width in states:
            shown.set_viewport_size({"width": width, "height": 900})
            press(shown, state)
            found = shown.evaluate("axe.run(document).then((result) => result.violations)")
            assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], state
            assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forced_colours_are_those_of_the_system(show, theme):
    """A drawing keeps its own colours then, and a button's text gets a background of its own."""
    with show(middle(), forced_colors="active", color_scheme=theme) as shown:
        found = shown.evaluate(
            """() => {
              const probe = document.body.appendChild(document.createElement("p"));
              const system = (name) => ((probe.style.color = name), getComputedStyle(probe).color);
              const style = (where) => getComputedStyle(document.querySelector(where));
              const places = [".primary", ".node.grey .shape", ".node .move"];
              const [step, shape, name] = places.map(style);
              return [
                [step.color, system("ButtonText")], [step.backgroundColor, system("ButtonFace")],
                [name.stroke, system("Canvas")], [name.fill, system("CanvasText")],
                [shape.stroke === system("Canvas"), false],
              ];
            }"""
        )
        for drawn, expected in found:
            assert drawn == expected


# What comes from outside.


def test_a_trace_cut_short_is_said_and_the_rest_of_the_page_works(opened, tmp_path):
    esm, css, state = middle().part()
    [packed] = state["traces"]
    broken = []
    for data in (packed["data"][:60], b"", packed["data"][:-30] + b"\0" * 30):
        broken.append((esm, css, {**state, "traces": [{**packed, "data": data}]}))
    fewer = {**packed, "columns": [[name, kind, n + 9] for name, kind, n in packed["columns"]]}
    broken.append((esm, css, {**state, "traces": [fewer]}))
    boards = {**packed["positions"], "data": packed["positions"]["data"][:-20]}
    broken.append((esm, css, {**state, "traces": [{**packed, "positions": boards}]}))
    file = tmp_path / "broken.html"
    file.write_text(page("Broken", [*broken, (esm, css, state)]), encoding="utf-8")
    with opened() as shown:
        shown.goto(file.as_uri())
        shown.wait_for_function("() => document.querySelectorAll('.kx[data-ready]').length === 6")
        notices = shown.locator(".kx-notice").all_inner_texts()
        assert [bool(notice) for notice in notices] == [True] * 5 + [False]
        notices = notices[:5]
        assert all("cut short" in notice or "damaged" in notice for notice in notices)
        for place in range(6):
            shown.locator(".kx").nth(place).get_by_text("Step", exact=True).click()
        for place in (4, 5):
            assert said_in(shown, place).startswith("MAX to move"), "the tree needs no boards"


def said_in(shown: "Page", place: int) -> str:
    return shown.locator(".kx").nth(place).locator(".kx-say").inner_text()


def test_text_from_a_trace_is_never_taken_for_html(show):
    evil = "<img src=x onerror=alert(1)>"
    tree = HandTree(Branch(evil, children=(
        Branch(f"{evil}&amp;", MIN, children=(Branch(evil, MIN, 2), Branch("</script>", MIN, 1))),
        Branch('"><b>', MIN, 3),
    )))  # fmt: skip
    explorer = explore(tree, depth=9)
    trace = record(alpha_beta, tree, tree.root, written_value, Depth(9))
    titled = Explorer(trace, titles=[evil])
    for each in (explorer, titled):
        with show(each) as shown:
            for _ in range(8):
                press(shown, "Step")
            node(shown, 2).locator(".shape").click()
            node(shown, 2).locator(".shape").hover()
            assert shown.locator(".kx img, .kx b:has(b), .kx script").count() == 0
            assert evil in shown.locator(".kx-panel").inner_text()
            svg = saved(shown, "SVG").decode()
            ElementTree.fromstring(svg)


# With Python behind it: the same messages as in Jupyter, without Jupyter.

BRIDGE = """
export default { async render(context) {
  const { model } = context;
  const revived = (key, value) => {
    if (typeof value?.base64 !== "string") return value;
    return new DataView(Uint8Array.from(atob(value.base64), (c) => c.charCodeAt(0)).buffer);
  };
  const hear = [];
  const on = (event, run) => (event === "msg:custom" ? hear.push(run) : model.on(event, run));
  const send = async (request) => {
    const reply = await globalThis.python?.(JSON.stringify(request));
    if (!reply) return;
    const { traits, answer } = JSON.parse(reply, revived);
    for (const [name, value] of Object.entries(traits)) model.set(name, value);
    for (const run of hear) run(answer);
  };
  return render({ ...context, model: { ...model, on, send } });
} };
"""


@pytest.fixture
def live(opened: Opener, tmp_path: Path) -> Show:
    """An explorer whose requests reach Python, or no one if it is `dead`."""

    @contextmanager
    def live(
        explorer: Explorer, dead: bool = False, page_of: bool | str = True, link: str = ""
    ) -> "Iterator[Page]":
        esm, css, state = explorer.part()
        state = {**state, "live": page_of, "patience": 0.3 if dead else 20}
        bridged = esm.replace("export default { render };", BRIDGE)
        file = tmp_path / "live.html"
        file.write_text(page("Live", [(bridged, css, state)]), encoding="utf-8")

        def python(request: str) -> str:
            answers: list[Any] = []
            explorer.send = answers.append  # type: ignore[method-assign]
            explorer._handle_custom_msg(json.loads(request), [])
            explorer.settle()
            names = ("form", "choices", "link", "whole", "editable", "undoable", "traces")
            traits = {name: getattr(explorer, name) for name in names}
            return json.dumps(
                {"traits": traits, "answer": answers[0]},
                default=lambda data: {"base64": base64.b64encode(data).decode()},
            )

        with opened(reduced_motion="reduce", viewport={"width": 1280, "height": 900}) as shown:
            if not dead:
                shown.expose_function("python", python)
            shown.goto(file.as_uri() + link)
            shown.wait_for_selector(".kx[data-ready]")
            yield shown

    return live


def settled(shown: "Page") -> None:
    shown.wait_for_selector(".kx:not([aria-busy])")


def test_the_search_is_switched_in_place_and_keeps_the_node_in_view(live):
    with live(middle()) as shown:
        press(shown, "Next cut")
        node(shown, 0).locator(".shape").click()
        shown.keyboard.press("ArrowDown")
        name = shown.locator(".kx-panel h2").inner_text().split("\n")[0]
        shown.get_by_text("Change the search").click()
        shown.get_by_label("Algorithm").first.select_option("minimax")
        shown.get_by_label("Depth", exact=True).fill("3")
        press(shown, "Search")
        shown.get_by_text("Minimax, depth 3").wait_for()
        assert shown.locator(".kx-panel h2").inner_text().split("\n")[0] == name
        assert node(shown, shown.evaluate(FOCUS)).is_visible()
        shown.get_by_label("Beside it: Algorithm").select_option("alpha_beta")
        shown.get_by_label("Beside it: Order").select_option("worst_first")
        press(shown, "Search")
        shown.get_by_text("Alpha-beta, depth 3, worst first order").wait_for()
        assert shown.locator(".kx-pane").count() == 2


def test_a_position_that_does_not_parse_is_said(live):
    with live(middle()) as shown:
        shown.get_by_text("Change the search").click()
        shown.get_by_role("textbox", name="Position").fill("<6,0,0,4>")
        press(shown, "Search")
        notice = shown.get_by_role("alert")
        notice.wait_for()
        assert "lists 1 pits; 6 a side make 12" in notice.inner_text()
        press(shown, "Next cut")
        assert said(shown).startswith("Cut.")
        shown.get_by_role("textbox", name="Position").fill("<2,0,0,2,2,2,2>")
        press(shown, "Search")
        shown.wait_for_selector(".kx-board[viewBox='0 0 168 122']")
        assert not notice.is_visible()


def test_a_trace_file_cut_short_is_said(live, tmp_path):
    whole = tmp_path / "whole.json"
    whole.write_text(middle_trace().to_json(), encoding="utf-8")
    half = tmp_path / "half.json"
    half.write_text(middle_trace().to_json()[:5000], encoding="utf-8")
    with live(explore(START, depth=1)) as shown:
        shown.get_by_text("Change the search").click()
        shown.get_by_label("Or open a trace file").set_input_files(half)
        shown.get_by_role("alert").wait_for()
        assert "the trace is cut short" in shown.get_by_role("alert").inner_text()
        press(shown, "Step")
        shown.get_by_label("Or open a trace file").set_input_files(whole)
        shown.locator(".kx-title", has_text="whole.json").wait_for()
        assert shown.locator(".kx-board").is_visible()


def test_a_kernel_that_died_is_said_and_the_widget_goes_on(live):
    with live(middle(), dead=True) as shown:
        shown.get_by_text("Change the search").click()
        press(shown, "Search")
        shown.get_by_role("alert").wait_for()
        assert "Python has not answered for 0.3 s" in shown.get_by_role("alert").inner_text()
        press(shown, "Next cut")
        assert said(shown).startswith("Cut.")
        shown.locator(".kx-save").get_by_text("HTML", exact=True).click()
        settled(shown)
        assert saved(shown, "CSV").startswith(b"id,parent")


def test_leaves_are_edited_and_moves_put_in_another_order(live):
    def moves() -> list[str]:
        names = shown.locator(".tree [aria-level='2'] .move").all_text_contents()
        return [name.split()[0] for name in names]

    explorer = explore(AIMA_5_2, depth=9)
    with live(explorer) as shown:
        press(shown, "End")
        node(shown, "5/0").locator(".shape").click()
        shown.get_by_label("Value of this leaf").fill("1.5")
        press(shown, "Set")
        settled(shown)
        full = Explorer(request=replace(explorer.request, algorithm="minimax"))
        assert 1.5 in full.traces[0]["numbers"], "a leaf that was cut can be changed, too"
        node(shown, 2).locator(".shape").click()
        shown.get_by_label("Value of this leaf").fill("−7")
        press(shown, "Set")
        settled(shown)
        assert -7 in explorer.traces[0]["numbers"]
        assert moves() == ["B", "C", "D"]
        node(shown, 1).locator(".shape").click()
        press(shown, "Later")
        settled(shown)
        assert moves() == ["C", "B", "D"]
        shown.locator(".tree").focus()
        shown.keyboard.press("Shift+ArrowRight")
        settled(shown)
        assert moves() == ["C", "D", "B"]
        box = shown.locator(".tree [aria-level='2'] .shape").nth(2).bounding_box()
        first = shown.locator(".tree [aria-level='2'] .shape").nth(0).bounding_box()
        assert box
        assert first
        shown.mouse.move(box["x"] + 20, box["y"] + 12)
        shown.mouse.down()
        shown.mouse.move(first["x"] - 30, first["y"] + 12, steps=5)
        shown.mouse.up()
        settled(shown)
        assert moves() == ["B", "C", "D"]
        node(shown, 2).locator(".shape").click()
        shown.get_by_label("Value of this leaf").fill("much")
        press(shown, "Set")
        shown.get_by_role("alert").wait_for()
        assert "'much' is not a number" in shown.get_by_role("alert").inner_text()


def test_a_tree_is_built_by_hand_and_every_step_is_taken_back(live):
    explorer = explore(AIMA_5_2, depth=9, algorithm="scout")

    def tree() -> str:
        settled(shown)
        return explorer.form["position"]

    with live(explorer) as shown:
        undo = shown.get_by_role("button", name="Undo")
        assert undo.is_disabled()
        press(shown, "Add a branch")  # the root is selected at first
        aima = "A:(B:(b1:3 b2:12 b3:8) C:(c1:2 c2:4 c3:6) D:(d1:14 d2:5 d3:2)"
        assert tree() == f"{aima} A.4:0)"
        press(shown, "End")
        shown.locator(".tree").focus()
        shown.keyboard.press("End")
        assert shown.locator(".kx-panel h2").inner_text().startswith("Node A.4")
        shown.get_by_label("Value of this leaf").fill("9")
        press(shown, "Set")
        assert tree() == f"{aima} A.4:9)"
        shown.get_by_label("Name", exact=True).fill("<b>E & co</b>")
        press(shown, "Rename")
        shown.get_by_text("'<b>E & co</b>' is no name").wait_for()
        shown.get_by_label("Name", exact=True).fill("<b>")
        press(shown, "Rename")
        assert tree() == f"{aima} <b>:9)"
        names = shown.locator(".tree [aria-level='2'] .move").all_text_contents()
        assert [name.rstrip("?") for name in names] == ["B", "C", "D", "<b>"], "? is a probe"
        assert shown.locator(".kx-panel h2").inner_text().startswith("Node <b>")
        assert shown.locator(".kx b b").count() == 0
        press(shown, "Add a branch")
        assert tree() == f"{aima} <b>:(<b>.1:9))"
        press(shown, "Add a branch")
        assert tree() == f"{aima} <b>:(<b>.1:9 <b>.2:0))"
        press(shown, "Remove")
        assert tree() == "aima-5.2"
        for _ in range(6):
            press(shown, "Undo")
            settled(shown)
        assert tree() == "aima-5.2"
        assert undo.is_disabled()
        shown.get_by_label("branches").fill("2")
        shown.get_by_label("levels").fill("3")
        shown.get_by_label("number", exact=True).fill("7")
        press(shown, "Make")
        root = uniform_tree(2, 3, 7)
        assert tree() == GAMES["tree"].format(root)
        full = Explorer(request=replace(explorer.request, algorithm="minimax"))
        assert full.traces[0]["nodes"] == 15
        press(shown, "Undo")
        assert tree() == "aima-5.2"


def test_a_link_to_another_search_is_searched_and_opened_there(live):
    linked = explore(RICH_KNIGHT_12_5, depth=9, algorithm="minimax")
    with live(middle(), page_of="page", link=f"#{linked.link}&step=7") as shown:
        shown.get_by_text("Minimax, depth 9").wait_for()
        assert shown.evaluate(STEP) == 7
        shown.wait_for_function("whole => location.hash === whole", arg=f"#{linked.link}&step=7")
        shown.evaluate("location.hash = 'game=chess&position=x&algorithm=minimax&depth=1'")
        shown.get_by_text("unknown game 'chess'").wait_for()
        assert shown.locator(".kx-title").inner_text() == "Minimax, depth 9"


# In the report, and in JupyterLab.


def test_a_page_of_the_report_carries_the_working_explorer(opened, tmp_path):
    explorer, title = middle(), 'A <title> & "more"'
    artifacts = Artifacts(1, str(tmp_path / "01_moving"))
    data, metadata = artifacts.page("it", explorer, title, "It.").shown._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    cell = new_code_cell("it")
    cell.outputs = [new_output("display_data", data, metadata=metadata)]
    nbformat.write(new_notebook(cells=[cell]), tmp_path / "01_moving.ipynb")
    items = tuple(contents(tmp_path / "01_moving"))
    record = Record("01_moving", "smoke", {}, "", "ok", 1, 0.0, items)
    read = read_page(record, tmp_path)
    assert read.record.error is None
    file = tmp_path / "01_moving.html"
    file.write_text(bind([read])[file.name], encoding="utf-8")
    with opened(viewport={"width": 1280, "height": 1200}) as shown:
        shown.goto(file.as_uri())
        inside = shown.frame_locator("iframe.moving")
        inside.locator(".kx[data-ready]").wait_for()
        inside.get_by_role("button", name="Next cut").click()
        assert inside.locator(".kx-say").inner_text().startswith("Cut.")
        assert inside.get_by_role("heading", level=1).inner_text() == title
        assert shown.locator("iframe").get_attribute("title") == title


def test_a_page_of_the_report_that_would_load_something_is_refused(tmp_path):
    bad = '<script type="module">import "https://a.example/x.js"</script>'
    artifacts, view = Artifacts(1, str(tmp_path / "01_bad")), middle()
    view.page = lambda title: bad
    data, metadata = artifacts.page("it", view, "It", "It.").shown._repr_mimebundle_()
    cell = new_code_cell("it")
    cell.outputs = [new_output("display_data", data, metadata=metadata)]
    nbformat.write(new_notebook(cells=[cell]), tmp_path / "01_bad.ipynb")
    read = read_page(Record("01_bad", "smoke", {}, "", "ok", 1, 0.0), tmp_path)
    assert "must hold all it needs" in str(read.record.error)


LAB = """import ipywidgets
from kalahlab.widgets.explorer import explore
explorer = explore("<3,0,0,2,2,2,2,2,2>", depth=3)
heard = ipywidgets.Label()  # of what the kernel knows
explorer.observe(lambda change: setattr(heard, "value", f"Python is at {change.new}"), "step")
ipywidgets.VBox([explorer, heard])"""


def test_in_jupyterlab_a_click_reaches_python(browser: "Browser", lab: Lab) -> None:
    address = lab(LAB)
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    shown = context.new_page()
    elsewhere: list[str] = []
    errors: list[str] = []
    shown.on("request", lambda request: elsewhere.append(request.url))
    shown.on("console", lambda said: said.type == "error" and errors.append(said.text))
    shown.on("pageerror", lambda error: errors.append(str(error)))
    shown.goto(address)
    shown.wait_for_selector(".jp-Notebook .jp-CodeCell")
    shown.get_by_text("| Idle").wait_for()
    shown.get_by_role("menuitem", name="Run", exact=True).click()
    shown.get_by_text("Run All Cells", exact=True).click()
    shown.wait_for_selector(".kx[data-ready]", timeout=60_000)
    shown.locator(".kx").get_by_role("button", name="Next cut").click()
    step = shown.evaluate("document.querySelector('.kx').explorer.clock.k")
    shown.get_by_text(f"Python is at {step}").wait_for()
    shown.get_by_text("Change the search").click()
    shown.locator(".kx").get_by_label("Algorithm").first.select_option("minimax")
    shown.locator(".kx").get_by_role("button", name="Search", exact=True).click()
    shown.get_by_text("Minimax, depth 3").wait_for()
    assert shown.get_by_text("Jupyter news").count() == 0
    context.close()
    assert step > 0
    here = urlsplit(address).netloc
    assert {
        urlsplit(url).netloc for url in elsewhere if not url.startswith(("data:", "blob:"))
    } == {here}
    assert errors == []
