"""The explorer in a real browser, cut off from the network: every control, mouse and keyboard."""

import io
import json
import re
from random import Random
from xml.etree import ElementTree

import pandas as pd
import pytest
import ui
from PIL import Image
from playwright.sync_api import expect
from test_javascript import ENDLESS
from ui import NARROW, START, WIDE, change, key_of, middle, node, press, said, saved, selected, step

from kalahlab.classroom.grader import Files, check
from kalahlab.classroom.homework_page import homework_page
from kalahlab.formatting import format_number
from kalahlab.games.hand_tree import AIMA_5_2, MIN, RICH_KNIGHT_12_5, Branch, HandTree, uniform_tree
from kalahlab.games.kalah import EMPTY_CAPTURE
from kalahlab.games.registry import GAMES
from kalahlab.published.homework import read_problem, render_files
from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import Explorer, explore
from kalahlab.widgets.page import page


@pytest.fixture(scope="module")
def trace():
    return middle().request.run_first()[0]


def test_the_clock_is_moved_by_every_control(show, trace):
    shown, last = show(middle()), 2 * len(list(trace.visits()))
    places = [("Step", 1), ("Step", 2), ("Back", 1), ("End", last), ("Start", 0), ("Next cut", 23)]
    for button, place in places:
        press(shown, button)
        assert step(shown) == place
    assert said(shown).startswith(f"Cut. {trace.why(trace.cuts[0])}")
    press(shown, "End")
    press(shown, "Previous cut")
    assert said(shown).startswith(f"Cut. {trace.why(trace.cuts[-1])}")
    slider = shown.get_by_role("slider", name="Step")
    slider.fill("20")
    assert step(shown) == 20
    assert slider.get_attribute("aria-valuetext") == f"step 20 of {last}"
    strip = shown.locator(".kx-strip-box").bounding_box()
    shown.mouse.click(strip["x"] + strip["width"] / 2, strip["y"] + 5)
    assert step(shown) == last / 2


def test_it_plays_at_the_chosen_speed_and_stops_at_the_end(show):
    shown = show(middle())
    shown.clock.install(time=0)
    shown.clock.pause_at(1000)
    press(shown, "End")  # from where it begins anew
    say = shown.locator(".kx-say")
    plays = [("100", 300, range(20, 60)), ("a cut every 2 s", 2000, [23])]
    for speed, wait, steps in [*plays, ("all in 10 s", 5000, [31]), ("all in 60 s", 30_000, [31])]:
        shown.get_by_label("Speed").select_option(speed)
        press(shown, "Play")
        assert say.get_attribute("aria-live") == "off"
        shown.clock.run_for(wait)
        assert step(shown) in steps
        shown.clock.run_for(60_000)
        assert step(shown) == 62
        assert say.get_attribute("aria-live") == "polite"
    press(shown, "Play")
    press(shown, "Pause")
    paused = step(shown)
    shown.clock.run_for(10_000)
    assert step(shown) == paused


READ = """steps => {
  const slider = document.querySelector("input[type=range]");
  const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
  const text = (each) => each.textContent;
  const shown = steps.map((k) => {
    slider.value = k;
    slider.dispatchEvent(new Event("input"));
    const said = (node) => [node.id, node.textContent, node.getAttribute("aria-label")];
    return {
      nodes: all(".tree .node", said).sort(),
      bars: all(".camera .bar path", (path) => path.getAttribute("d")),
      texts: all(".kx-counts, .kx-say, .kx-panel h2, .kx-why, .kx-ladder td, .seeds", text),
    };
  });
  return JSON.stringify([Number(slider.max), shown]);
}"""


@pytest.mark.parametrize("algorithm", ["alpha_beta", "scout", "mtdf"])
def test_a_step_looks_the_same_from_wherever_it_is_reached(show, algorithm):
    shown = show(explore(ENDLESS, algorithm=algorithm, depth=9))
    last, _ = json.loads(shown.evaluate(READ, []))
    forward = [*range(last + 1)]
    anyhow = Random(7).sample(forward, len(forward))
    _, stepped = json.loads(shown.evaluate(READ, forward))
    _, jumped = json.loads(shown.evaluate(READ, anyhow))
    assert jumped == [stepped[k] for k in anyhow]
    assert len({json.dumps(each) for each in stepped}) == last + 1, "each step shows something"


def test_the_tree_grows_and_nothing_says_what_will_be_cut(show, trace):
    shown, ids = show(middle()), [visit.id for visit in trace.visits()]
    drawn = shown.get_by_role("treeitem")
    expect(drawn).to_have_count(1)
    ticks = shown.locator(".kx-marks")
    for _ in range(4):
        press(shown, "Step")
    made = shown.locator(".tree .node.grey")
    shapes = {each.get_attribute("aria-expanded") for each in made.all()}
    assert shapes == {None}, "what is below a node that is not visited"
    assert {each.get_attribute("class") for each in made.all()} == {"node grey"}
    press(shown, "End")
    assert drawn.count() == len(trace.nodes) > len(ids)
    press(shown, "Start")
    expect(drawn).to_have_count(1)
    clipped = ticks.evaluate("element => element.style.clipPath")
    shown.get_by_label("Show the whole tree").check()
    expect(drawn).to_have_count(len(trace.nodes))
    assert ticks.evaluate("element => element.style.clipPath") != clipped
    press(shown, "Step")
    shown.wait_for_function("() => location.hash.includes('&tree=whole&step=1')")
    shared = show(middle(), link="#" + shown.url.partition("#")[2])
    assert step(shared) == 1
    expect(shared.get_by_label("Show the whole tree")).to_be_checked()
    expect(shared.get_by_role("treeitem")).to_have_count(len(trace.nodes))


def test_a_cut_is_explained_and_a_position_shown(show, trace):
    shown, [first, *_] = show(middle()), trace.cuts
    press(shown, "Next cut")
    assert shown.locator(".ring.owner").count() == shown.locator(".ring.cutter").count() == 1
    assert shown.locator(".bound").text_content() == "α = −2"
    blamed = shown.locator(".blame .line").get_attribute("d")
    assert str(blamed).count("M") == 1, "one edge leads from the owner to the cut"
    why = shown.locator(".kx-why")
    assert trace.why(first) in why.inner_text()
    links = why.get_by_role("button")
    assert links.count() == 2
    links.nth(1).click()
    assert selected(shown) == first.owner
    press(shown, "End")
    leaf = next(visit for visit in trace.visits() if visit.kind == "leaf")
    board = leaf.node.state.board
    label = f"South, MAX, pits {' '.join(map(str, board[:6]))}, store {board[6]}"
    node(shown, leaf.id).locator(".shape").hover()
    card = shown.locator(".kx-card").get_by_role("img")
    assert label in str(card.get_attribute("aria-label"))
    shown.keyboard.press("Escape")
    node(shown, leaf.id).locator(".shape").click()
    panel = shown.locator(".kx-panel").get_by_role("img")
    assert label in str(panel.get_attribute("aria-label"))
    assert [*map(int, panel.locator(".seeds").all_text_contents())] == [*board]


def test_the_tree_opens_by_click_by_depth_and_along_the_best_line(show):
    large = explore(START, depth=5, ahead=True)
    shown = show(large)
    below = shown.locator(".tree .node.grey .fold").all_text_contents()
    sizes = [int(text.strip("▸ ").replace(",", "")) + 1 for text in below]
    assert 1 + sum(sizes) == large.traces[0]["nodes"], "one ply, and how many nodes are below it"
    press(shown, "End")
    key = key_of(shown.locator(".tree .node[aria-expanded=false]").first)
    for expanded in ("true", "false", "true"):
        node(shown, key).locator(".shape").click()
        assert selected(shown) == key
        assert node(shown, key).get_attribute("aria-expanded") == expanded
    items = shown.get_by_role("treeitem")
    for plies, option in enumerate(("1 ply", "2 plies"), start=1):
        shown.get_by_role("combobox", name="Show").select_option(option)
        levels = {str(level) for level in range(1, plies + 2)}
        assert {each.get_attribute("aria-level") for each in items.all()} == levels
    shown.get_by_role("combobox", name="Show").select_option("the best line")
    opened = shown.locator(".tree [aria-expanded=true]")
    assert opened.count() == 5, "the root and four moves of the line; its end is a leaf"


def place(shown):
    box = node(shown, 0).locator(".shape").bounding_box()
    return box["x"] + box["width"] / 2, box["y"], box["width"]


def test_zoom_pan_and_fit_by_mouse_and_fingers_and_one_finger_scrolls_the_page(show):
    shown = show(middle(), has_touch=True, viewport={"width": 390, "height": 700})
    press(shown, "End")
    press(shown, "Fit")
    shown.locator(".kx-stage").evaluate("stage => stage.scrollIntoView({ block: 'center' })")
    x, y, wide = place(shown)
    press(shown, "Zoom in")
    assert place(shown)[2] == pytest.approx(1.25 * wide, rel=0.01)
    press(shown, "Zoom out")
    stage = shown.locator(".kx-stage").bounding_box()
    assert stage["height"] <= 450
    left, top = stage["x"] + 60, stage["y"] + stage["height"] - 60  # where there is no node
    shown.mouse.move(left, top)
    shown.mouse.down()
    shown.mouse.move(left + 60, top - 40, steps=4)
    shown.mouse.up()
    assert place(shown) == pytest.approx([x + 60, y - 40, wide], abs=0.5)
    shown.keyboard.down("Control")
    shown.mouse.wheel(0, -200)
    shown.keyboard.up("Control")
    root = "document.querySelector('.tree .shape').getBoundingClientRect().width"
    shown.wait_for_function(f"() => {root} > {wide} * 1.1")
    press(shown, "Fit")
    assert place(shown) == pytest.approx([x, y, wide], abs=0.5)
    ui.touch(shown, *([(left, top - moved), (left + 60, top - moved)] for moved in (0, 10, 40)))
    assert place(shown) == pytest.approx([x, y - 40, wide], abs=1)
    ui.touch(shown, *([(left - moved, top), (left + 60 + moved, top)] for moved in (0, 30)))
    assert place(shown)[2] == pytest.approx(2 * wide, rel=0.01)
    shown.evaluate("scrollBy(0, -100)")
    in_stage = """() => {
      const box = (name) => document.querySelector(name).getBoundingClientRect();
      const [root, stage] = [".tree .shape", ".kx-stage"].map(box);
      return [root.x - stage.x, root.y - stage.y, root.width];
    }"""
    before, at = shown.evaluate(in_stage), shown.evaluate("scrollY")
    ui.touch(shown, *([(left, top - moved)] for moved in (0, 20, 60, 120)))
    shown.wait_for_function(f"() => scrollY > {at} + 60")
    assert shown.evaluate(in_stage) == pytest.approx(before, abs=1)


COVERED = """() => [...document.querySelectorAll(".kx-view > :not(.kx-map)")].filter((each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  return [0.1, 0.5, 0.9].some((part) =>
    !each.contains(document.elementFromPoint(left + part * width, top + height / 2)));
}).map((each) => each.textContent)"""


def test_the_map_shows_what_is_seen_leads_elsewhere_and_covers_no_control(show):
    shown = show(explore(START, depth=5, rules=EMPTY_CAPTURE))
    small, depth = shown.locator(".kx-map"), shown.get_by_role("combobox", name="Show")
    assert small.is_hidden()
    press(shown, "End")
    depth.select_option("4")
    for width in (390, 640, 1280):
        shown.set_viewport_size({"width": width, "height": 900})
        expect(small).to_be_visible(visible=width > NARROW["width"])
        shown.locator(".kx-view").evaluate("bar => bar.scrollIntoView({ block: 'center' })")
        assert shown.evaluate(COVERED) == []
    picture = small.locator("canvas").bounding_box()
    x, y = 40, picture["height"] - 20

    def framed():
        box = small.locator("i").bounding_box()
        left, top = box["x"] - picture["x"], box["y"] - picture["y"]
        return left <= x <= left + box["width"] and top <= y <= top + box["height"] < y + 20

    assert not framed()
    small.locator("canvas").click(position={"x": x, "y": y})
    assert framed()
    press(shown, "Start")
    depth.select_option("path")
    assert small.is_hidden()
    two = show(explore(START, depth=5, rules=EMPTY_CAPTURE, beside="scout"))
    press(two, "Next cut")
    expect(two.locator(".kx-map:visible")).to_have_count(0)


COVERS = """() => {
  const bar = document.querySelector(".kx-view").getBoundingClientRect().top;
  const shapes = [...document.querySelectorAll(".kx .tree .shape")];
  return shapes.filter((each) => each.getBoundingClientRect().bottom > bar).length;
}"""


@pytest.mark.parametrize("size", [NARROW, {"width": 1280, "height": 800}])
def test_a_tree_that_fits_is_not_covered_and_its_leaves_have_names_of_their_own(show, size):
    shown = show(explore("uniform:3x3:7", game="tree"), viewport=size)
    press(shown, "End")
    settled(shown)
    assert shown.evaluate(COVERS) == 0
    assert shown.locator(".kx-map").is_hidden()
    assert shown.locator(".tree .leaf .move").all_text_contents()[:2] == ["…1", "…2"]
    assert shown.locator(".tree .leaf .tight").count() == 0, "all values are of one size"
    press(shown, "Quiz")
    settled(shown)
    stage, root = (each.bounding_box() for each in (shown.locator(".kx-stage"), node(shown, 0)))
    assert stage["y"] <= root["y"]


def test_a_link_that_cannot_be_copied_is_selected_beside_its_button(opened):
    long = " ".join(["(3 12 8)"] * 25)
    with opened(explore(f"({long})", game="tree").page("A tree"), viewport=NARROW) as shown:
        shown.wait_for_selector(".kx[data-ready]")
        shown.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        press(shown, "Link")
        told = shown.get_by_role("alert")
        expect(told).to_be_in_viewport()
        expect(told).to_contain_text("opens only on this computer")
        link = shown.evaluate("String(getSelection())")
        assert link.startswith(f"{shown.url.partition('#')[0]}#game=tree")
        assert link.endswith("step=0")
        assert shown.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
        press(shown, "End")
        expect(told).to_have_count(0)


STAYS = """async () => {
  // What is reserved for a sentence is known when it has been drawn.
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
  const slider = document.querySelector("input[type=range]");
  const tops = [];
  for (let k = 0; k < 400; k++) {
    slider.value = k;
    slider.dispatchEvent(new Event("input"));
    tops.push(document.querySelector(".kx-stage").offsetTop);
    if (k % 20 === 0) await new Promise(requestAnimationFrame);
  }
  return tops.filter((top, k) => k && top !== tops[k - 1]).length;
}"""


@pytest.mark.parametrize(("size", "most"), [({"width": 1366, "height": 650}, 0), (NARROW, 1)])
def test_the_tree_stays_where_it_is_while_stepping_and_is_in_the_first_view(show, size, most):
    shown = show(explore(START, depth=4), viewport=size)
    assert shown.evaluate(STAYS) <= most
    if size != NARROW:
        press(shown, "End")
        stage = shown.locator(".kx-stage").bounding_box()
        assert stage["y"] + stage["height"] <= size["height"]
        press(shown, "Fit")
        bottoms = "all => all.map((each) => each.getBoundingClientRect().bottom)"
        assert max(shown.locator(".tree .node .shape").evaluate_all(bottoms)) <= size["height"]


@pytest.mark.parametrize("kind", ["betsy", "cards"])
def test_the_position_of_another_game_is_shown_as_it_draws_it(show, kind):
    explorer = explore(GAMES[kind].example, game=kind, depth=2)
    trace = explorer.request.run_first()[0]
    shown = show(explorer)
    press(shown, "Next cut")
    cut = trace.cuts[0].node
    drawn = GAMES[kind].draw(trace.nodes[cut].node.state).rstrip()
    text = shown.locator(".kx-panel pre")
    assert text.text_content() == drawn
    node(shown, cut).locator(".shape").hover()
    assert shown.locator(".kx-card pre").text_content() == drawn
    assert text.evaluate("pre => pre.scrollWidth <= pre.clientWidth"), "no line is cut off"


def test_everything_is_reached_by_keyboard_and_the_tree_walked_as_a_tree_view(show):
    shown = show(explore(START, depth=5))
    in_tree = "document.activeElement.matches('.tree')"
    while not shown.evaluate(in_tree):
        shown.keyboard.press("Tab")
        seen = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
        assert shown.evaluate(f"{seen} || {in_tree}"), "the focus is visible"
    expect(shown.locator(".kx-stage")).to_have_css("outline-style", "solid")
    steps = []
    for key in ("]", "[", ".", ".", ",", "c", "c", "C"):
        shown.keyboard.press(key)
        steps.append(step(shown))
    last, start, one, two, back, cut, second, first = steps
    assert last > 900
    assert (start, one, two, back, first) == (0, 1, 2, 1, cut)
    assert second > cut > 2
    assert said(shown).startswith("Cut.")
    shown.keyboard.press(" ")
    assert shown.get_by_role("button", name="Pause").is_visible()
    shown.keyboard.press(" ")

    def after(key):
        shown.keyboard.press(key)
        id = shown.locator(".tree").get_attribute("aria-activedescendant")
        active, names = shown.locator(f"[id='{id}']"), ("level", "posinset", "expanded")
        return [active.get_attribute(f"aria-{name}") for name in names]

    assert after("]") == ["1", "1", "true"]
    assert after("ArrowRight")[0] == "2"
    shown.keyboard.press("Home")
    assert after("ArrowDown")[:2] == ["2", "1"]
    assert after("ArrowRight")[2] == "true", "opened, or gone into"
    assert str(after("End")[0]) >= "2"
    assert after("Home") == ["1", "1", "true"]
    shown.keyboard.press("ArrowDown")
    shown.keyboard.press("*")
    assert shown.locator(".tree [aria-level='2'][aria-expanded=true]").count() == 6
    assert after("ArrowLeft")[2] == "false", "closed"
    assert after("ArrowLeft")[0] == "1", "and up"
    shown.keyboard.press("ArrowDown")
    assert selected(shown) == 1
    shown.keyboard.press("Enter")
    after_it = int(str(shown.locator(".kx-count.visited b").inner_text()))
    assert step(shown) == 2 * after_it - 1, "all below it is left, and it is left; not the root"
    shown.keyboard.press("ArrowUp")
    shown.keyboard.press("Escape")
    assert selected(shown) == 1, "back to the current node"


def test_the_picture_is_saved_as_svg_and_png_and_smaller_where_it_is_too_large(show):
    shown = show(middle())
    press(shown, "Next cut")
    svg = saved(shown, "SVG").decode()
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "step 23 of 62" in str(root.findtext("{*}title"))
    texts = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"≤−2", "≥−2", "α = −2"} <= texts
    assert [each for each in ("var(", "light-dark", "class=", "<script") if each in svg] == []
    picture = Image.open(io.BytesIO(saved(shown, "PNG")))
    assert picture.size == (2 * int(root.attrib["width"]), 2 * int(root.attrib["height"]))
    assert len(picture.convert("RGB").getcolors(1 << 24) or []) > 3, "there is something on it"
    change(shown, traces=explore(START, depth=4, algorithm="minimax").traces)
    shown.get_by_text("Minimax, depth 4").wait_for()
    press(shown, "End")
    shown.get_by_role("combobox", name="Show").select_option("4")
    assert 10_000 < max(Image.open(io.BytesIO(saved(shown, "PNG"))).size) <= 16_000
    expect(shown.get_by_role("alert")).to_contain_text("too large for a PNG")


def test_the_explorer_is_saved_where_it_is_as_a_page_that_works(show, opened):
    shown = show(middle())
    change(shown, traces=explore(START, depth=3).traces)
    shown.get_by_text("Alpha-beta, depth 3").wait_for()
    press(shown, "Next cut")
    at = step(shown)
    shown.wait_for_function("at => location.hash.endsWith(`&step=${at}`)", arg=at)
    with opened(saved(shown, "HTML").decode()) as page:
        expect(page.locator(".kx[data-ready]")).to_have_count(1)
        assert page.get_by_text("Alpha-beta, depth 3").count() == 1, "what is shown by now"
        assert said(page).startswith("Cut.")
        page.keyboard.press(".")  # without a focus
        expect(page.get_by_role("slider", name="Step")).to_have_value(str(at + 1))


@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_the_sentence_and_the_reason_are_about_the_tree_that_is_cut(show, size):
    """MTD(f) beside alpha-beta, whose cuts come in turns."""
    both = explore("<3,0,0,2,2,2,2,2,2>", depth=4, algorithm="mtdf", beside="alpha_beta")
    shown, active = show(both, viewport=size), []
    for _ in range(8):
        press(shown, "Next cut")
        pane = shown.locator(".kx-pane.active")
        assert pane.locator(".ring.cutter").count() == 1
        name, _, sentence = re.split("(: Cut. )", said(shown), maxsplit=1)
        assert pane.locator(".kx-title").inner_text().startswith(f"{name}, depth 4")
        why = shown.locator(".kx-why").inner_text()
        assert " ".join(why.split()) == f"Why? {sentence}"
        active.append((name, step(shown)))
    assert {name for name, _ in active} == {"MTD(f)", "Alpha-beta"}
    places = [place for _, place in active]
    assert places == sorted({*places})


@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_a_search_without_a_window_shows_no_cut_and_is_not_accused(show, size):
    own = explore("<3,0,0,2,2,2,2,2,2>", depth=3, algorithm="others.uct")
    trace, _ = own.request.run_first()
    shown, left = show(own, viewport=size), sum(v.kind == "unvisited" for v in trace.nodes)
    for name in ("Next cut", "Previous cut"):
        expect(shown.get_by_role("button", name=name, exact=True)).to_be_hidden()
    press(shown, "End")
    visited = f"{trace.result.counts.visited} visited"
    expect(shown.locator(".kx-count.visited")).to_have_text(visited)
    press(shown, "Fit")
    expect(shown.locator(".node.grey.left")).to_have_count(left)
    expect(
        shown.locator(":is(.node.ghost, .iscut, .ring.cutter, .kx-count.skipped)")
    ).to_have_count(0)
    text = shown.locator(".kx").inner_text()
    assert "so it is no minimax" in text
    assert not re.search("does not allow|wrong|never visited|by luck|every move|skipped", text)
    unvisited = shown.locator(".node.grey.left").last
    assert str(unvisited.get_attribute("aria-label")).endswith(", not visited")
    shown.get_by_role("tree").focus()
    for key in ("Home", "End"):
        shown.keyboard.press(key)
    expect(shown.locator(".kx-panel h2 .tag")).not_to_have_text("never visited")


def test_a_value_that_is_returned_wrongly_is_told_from_what_the_children_say(show):
    own = explore("<3,0,0,2,2,2,2,2,2>", depth=3, algorithm="others.returns_alpha")
    trace, _ = own.request.run_first()
    shown = show(own)
    first = min(trace.cuts, key=lambda cut: trace.step(cut.node, begins=False))
    press(shown, "Next cut")
    best = trace.best(trace.nodes[first.node])
    assert f"can already get {format_number(best.value)} with move {best.name};" in said(shown)
    assert "But the value that is returned, −∞, is wrong: it does not reach β" in said(shown)
    assert "does not allow" not in shown.locator(".kx").inner_text()


def test_two_searches_run_on_one_clock_and_mark_what_only_one_visits_but_in_a_quiz(show):
    given = {"root": RICH_KNIGHT_12_5, "depth": 9}
    both = (explore(**given, algorithm=name).request for name in ("alpha_beta", "minimax"))
    fewer, all_of_it = ([*request.run_first()[0].visits()] for request in both)
    shown = show(explore(**given, beside="minimax"))
    press(shown, "End")
    assert step(shown) == 2 * len(all_of_it)
    panes, names = shown.locator(".kx-pane"), {visit.name for visit in fewer}
    assert panes.first.locator(".alone").count() == 0
    for marked in ("[role=treeitem]:has(.alone)", "[aria-label$='only in this search']"):
        keys = [key_of(each) for each in panes.nth(1).locator(marked).all()]
        assert keys == [visit.id for visit in all_of_it if visit.name not in names] != []
    shown.get_by_role("slider", name="Step").fill(str(2 * len(fewer) + 1))
    visited = panes.first.locator(".kx-count.visited b")
    assert visited.inner_text() == str(len(fewer)), "the shorter search has ended"
    for places in (1, 2):  # while a quiz asks, and after it
        press(shown, "Quiz")
        expect(shown.get_by_role("tree")).to_have_count(places)
        expect(shown.get_by_role("tree").first).to_have_accessible_name(re.compile("Alpha-beta"))


LIGHT, DARK = "rgb(255, 255, 255)", "rgb(21, 25, 30)"
THEMES = [
    *[("light", "", "", LIGHT), ("dark", "", "", DARK)],
    *[("light", "dark", "", DARK), ("dark", "light", "dark", LIGHT), ("dark", "", "light", LIGHT)],
    *[("light", "", "dark", DARK), ("light", "", "high-contrast", DARK)],
    ("dark", "light", "high-contrast", LIGHT),
    ("dark", "", "high-contrast vscode-high-contrast-light", LIGHT),
]
"""The system's, the trait, what VS Code calls its own; the colour."""


def test_theme_and_motion_are_the_traits_or_those_of_what_is_around(show):
    backgrounds = """[".kx", ".kalah-board"].map((name) =>
      getComputedStyle(document.querySelector(name)).backgroundColor).join(" and ")"""
    marks = "document.querySelector('.kx-marks').toDataURL()"
    shown = show(Board(), middle())
    models = "theme => views.forEach((model) => model.set('theme', theme))"
    press(shown, "Next cut")
    drawn = {}
    for system, theme, around, colour in THEMES:
        shown.emulate_media(color_scheme=system, reduced_motion="reduce")
        shown.evaluate(models, theme)
        shown.evaluate("name => { document.body.className = name; }", around and f"vscode-{around}")
        shown.wait_for_function(f"both => {backgrounds} === both", arg=f"{colour} and {colour}")
        if colour not in drawn:  # what is drawn follows
            shown.wait_for_function(f"old => !old.includes({marks})", arg=[*drawn.values()])
            drawn[colour] = shown.evaluate(marks)
        shown.wait_for_function(f"own => {marks} === own", arg=drawn[colour])
    shown.evaluate("document.body.className = ''; document.body.dataset.jpThemeLight = 'false'")
    shown.emulate_media(color_scheme="light")
    shown.evaluate(models, "")
    assert shown.evaluate(backgrounds) == f"{DARK} and {DARK}", "JupyterLab's own theme"
    for motion in ("reduce", "no-preference"):
        shown.emulate_media(reduced_motion=motion)
        press(shown, "Fit")
        moving = "getComputedStyle(document.querySelector('.camera')).transitionDuration"
        assert (shown.evaluate(moving) == "0s") == (motion == "reduce")


WIDER = """[...document.querySelectorAll(".kx *")].filter((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  const { left: from, right: to } = each.closest(".kx").getBoundingClientRect();
  const seen = !each.closest("svg") && width && each.checkVisibility();
  return seen && (left < from || right > to);
}).map((each) => each.outerHTML.slice(0, 80))"""


# What is drawn ends above the controls below it.
ABOVE = """() => {
  const bars = document.querySelector(".kx-view").getBoundingClientRect().top;
  const shapes = [...document.querySelectorAll(".kx-pane:first-of-type .tree .shape")];
  return shapes.every((each) => each.getBoundingClientRect().bottom <= bars);
}"""


@pytest.mark.parametrize(("theme", "beside"), [("light", None), ("dark", "minimax")])
def test_axe_finds_no_violation(show, axe, theme, beside):
    states = [("Start", 1280), ("Next cut", 390), ("End", 320), ("Next cut", 800), ("Quiz", 320)]
    board = Board(6, 4, moves=[5, 4, 3], values="search", depth=4)
    if beside:
        board = Board(start="<4,2,2,3,1,0,2,3,1,4,2>", moves=[1], north="greedy:e2:1")
    shown = show(middle(beside=beside), board, color_scheme=theme)
    shown.locator(".kx-help summary").click()
    shown.locator(".kb-settings").evaluate("box => { box.hidden = false; box.open = true; }")
    for state, width in states:
        shown.set_viewport_size({"width": width, "height": 900})
        press(shown, state)
        shown.wait_for_function(ABOVE)
        assert ui.violations(shown, axe) == [], state
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert width > 390 or shown.evaluate(WIDER) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forced_colours_are_those_of_the_system(show, theme):
    """A drawing keeps its own colours then, and a button's text gets a background of its own."""
    shown = show(middle(), forced_colors="active", color_scheme=theme)
    drawn, expected, outline = shown.evaluate(
        """() => {
          const probe = document.body.appendChild(document.createElement("p"));
          const system = (name) => ((probe.style.color = name), getComputedStyle(probe).color);
          const style = (where) => getComputedStyle(document.querySelector(where));
          const [step, shape, name] = [".primary", ".node.grey .shape", ".node .move"].map(style);
          return [
            [step.color, step.backgroundColor, name.stroke, name.fill],
            ["ButtonText", "ButtonFace", "Canvas", "CanvasText"].map(system), shape.stroke,
          ];
        }"""
    )
    assert drawn == expected
    assert outline != expected[2]


def test_the_pits_of_a_homework_are_named_as_its_moves(opened, tmp_path):
    problem = read_problem("3\n1\n2\n1 2 1\n1 1 1\n0\n0\n")
    (board := tmp_path / "board").write_text(render_files(problem)[0])
    report = check([(problem, Files(board))])
    with opened(homework_page(problem, report, ["No difference: board."])) as shown:
        names = shown.locator(".kx-board .pit-name")
        expect(names).to_have_text(["B2", "B3", "B4", "A4", "A3", "A2"])
        expect(shown.locator("h1")).to_have_text("No difference")


def test_a_trace_cut_short_is_said_and_the_rest_of_the_page_works(opened):
    esm, css, state = middle().page_part()
    [packed] = state["traces"]
    boards = {**packed["positions"], "data": packed["positions"]["data"][:-20]}
    changes = [{"data": packed["data"][:60]}, {"positions": boards}, {}]
    parts = [(esm, css, {**state, "traces": [packed | change]}) for change in changes]
    with opened(page("Broken", parts)) as shown:
        expect(shown.locator(".kx[data-ready]")).to_have_count(3)
        damage = re.compile("cut short|damaged")
        expect(shown.locator(".kx-notice")).to_have_text([damage, damage, ""])
        for place in range(3):
            shown.locator(".kx").nth(place).get_by_text("Step", exact=True).click()
        move = re.compile("^MAX to move")
        expect(shown.locator(".kx-say")).to_have_text(["", move, move])  # which needs no boards


def test_text_from_a_trace_or_a_link_is_never_taken_for_html_nor_a_formula(show):
    evil, formula = "<img src=x onerror=alert(1)>", "-1+cmd|'/ccalc'!A0"
    tree = HandTree(Branch(evil, children=(
        Branch(f"{evil}&amp;", MIN, children=(Branch(evil, MIN, 2), Branch("</script>", MIN, 1))),
        Branch('"><b>', MIN, 3), Branch(formula, MIN, -3),
    )))  # fmt: skip
    link = f"#step={evil}"
    shown = show(Explorer(explore(tree, depth=9).request.run_first()[0], titles=[evil]), link=link)
    expect(shown.get_by_role("alert")).to_contain_text("its step is “<img")
    for _ in range(8):
        press(shown, "Step")
    node(shown, 2).locator(".shape").click()
    node(shown, 2).locator(".shape").hover()
    assert shown.locator(".kx img, .kx b:has(b), .kx script").count() == 0
    panel = shown.locator(".kx-panel").inner_text()
    assert evil in panel
    assert "This is a leaf of the tree, with its given value." in panel
    assert "margin" not in panel
    ElementTree.fromstring(saved(shown, "SVG").decode())
    table = pd.read_csv(io.BytesIO(saved(shown, "CSV")), keep_default_na=False)
    assert f"'{formula}" in {*table["move"]}
    assert formula not in {*table["move"], *table["path"]}
    assert -3 in {*table["value"].astype(float)}


def settled(shown):
    shown.wait_for_selector(".kx:not([aria-busy])")


def test_the_search_is_switched_in_place_and_what_cannot_be_searched_is_said(show, tmp_path):
    whole, half = tmp_path / "whole.json", tmp_path / "half.json"
    explorer = middle()
    whole.write_text(explorer.request.run_first()[0].to_json(), encoding="utf-8")
    half.write_text(whole.read_text(encoding="utf-8")[:5000], encoding="utf-8")
    shown = show(explorer, live=True)
    fault, seeds = shown.get_by_role("alert"), shown.locator(".kx-panel .seeds")
    press(shown, "Next cut")
    node(shown, 0).locator(".shape").click()
    shown.keyboard.press("ArrowDown")
    heading = shown.locator(".kx-panel h2")
    name = heading.inner_text().split("\n")[0]
    shown.get_by_text("Change the search").click()
    shown.get_by_label("Algorithm").first.select_option("minimax")
    shown.get_by_label("Depth", exact=True).fill("3")
    shown.get_by_label("Beside it: Algorithm").select_option("alpha_beta")
    shown.get_by_label("Beside it: Order").select_option("worst_first")
    press(shown, "Search")
    shown.get_by_text("Minimax, depth 3").wait_for()
    shown.get_by_text("Alpha-beta, depth 3, worst first order").wait_for()
    assert heading.inner_text().split("\n")[0] == name
    assert node(shown, selected(shown)).is_visible()
    position = shown.get_by_role("textbox", name="Position")
    position.fill("<6,0,0,4>")
    press(shown, "Search")
    expect(fault).to_contain_text("lists 1 pits")
    press(shown, "Start")
    assert step(shown) == 0
    position.fill("<2,0,0,2,2,2,2>")
    press(shown, "Search")
    fault.wait_for(state="hidden")
    expect(seeds).to_have_count(6)
    shown.get_by_label("Or open a trace file").set_input_files(half)
    expect(fault).to_contain_text("cut short")
    press(shown, "Step")
    shown.get_by_label("Or open a trace file").set_input_files(whole)
    expect(shown.locator(".kx-title")).to_have_text(["whole.json"])
    expect(seeds).to_have_count(14)
    press(shown, "Search")
    expect(seeds).to_have_count(6)


def test_a_kernel_that_is_silent_is_said_and_a_late_answer_takes_that_back(show):
    shown = show(middle(patience=1), live=True)
    shown.evaluate("model.send = (request) => { globalThis.sent = request; }")
    shown.get_by_text("Change the search").click()
    press(shown, "Search")
    expect(shown.locator(".busy")).to_contain_text("Searching")
    expect(shown.get_by_role("button", name="Stop")).to_be_in_viewport()
    expect(shown.get_by_role("alert")).to_contain_text("Python has not answered for 1 s")
    press(shown, "Next cut")
    assert said(shown).startswith("Cut.")
    shown.evaluate("model.tell('msg:custom', { id: sent.id, error: '' })")
    shown.get_by_role("alert").wait_for(state="hidden")
    assert shown.locator(".busy").is_hidden()
    shown.set_viewport_size(NARROW)
    # With the form open; what is drawn to measure is drawn again a frame later.
    shown.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
    shown.locator(".kx-save").get_by_text("HTML", exact=True).click()
    settled(shown)
    assert saved(shown, "CSV").startswith(b"id,parent")


def test_a_tree_is_edited_and_every_step_is_taken_back(show):
    explorer = explore(AIMA_5_2, depth=9, algorithm="scout")
    shown = show(explorer, live=True)
    undo, trees = shown.get_by_role("button", name="Undo"), ["aima-5.2"]
    b, c, d = "B:(b1:3 b2:12 b3:8)", "C:(c1:2 c2:4 c3:6)", "D:(d1:14 d2:5 d3:2)"

    def becomes(*branches):
        settled(shown)
        trees.append(f"A:({' '.join(branches)})")
        assert explorer.form["position"] == trees[-1]

    def fill(label, text, button):
        shown.get_by_label(label, exact=True).fill(text)
        press(shown, button)

    expect(undo).to_be_disabled()
    press(shown, "Add a branch")  # the root is selected at first
    becomes(b, c, d, "0")
    press(shown, "End")
    node(shown, "5/0").locator(".shape").click()  # a leaf that was cut
    fill("Value of this leaf", "−1.5", "Set")
    becomes(b, c := c.replace("4", "-1.5"), d, "0")
    fill("Value of this leaf", "much", "Set")
    expect(shown.get_by_role("alert")).to_contain_text("'much' is not a number")
    node(shown, 5).locator(".shape").click()
    press(shown, "Later")
    becomes(b, d, c, "0")
    shown.locator(".tree").focus()
    shown.keyboard.press("Shift+ArrowRight")
    becomes(b, d, "A.4:0", c)
    shapes = shown.locator(".tree [aria-level='2'] .shape")
    last, first = shapes.last.bounding_box(), shapes.first.bounding_box()
    shown.mouse.move(last["x"] + 20, last["y"] + 12)
    shown.mouse.down()
    shown.mouse.move(first["x"] - 30, first["y"] + 12, steps=5)
    shown.mouse.up()
    becomes(c, b, d, "0")
    shown.locator(".tree").focus()
    shown.keyboard.press("End")
    fill("Name", "<b>", "Rename")
    becomes(c, b, d, "<b>:0")
    assert shown.locator(".kx-panel h2").inner_text().startswith("Node <b>")
    assert shown.locator(".kx b b").count() == 0
    press(shown, "Remove")
    becomes(c, b, d)
    shown.get_by_label("branches").fill("2")
    shown.get_by_label("levels").fill("3")
    fill("number", "7", "Make")
    settled(shown)
    assert explorer.form["position"] == GAMES["tree"].format(uniform_tree(2, 3, 7))
    while trees:
        press(shown, "Undo")
        settled(shown)
        assert explorer.form["position"] == trees.pop()
    expect(undo).to_be_disabled()


READY = "() => globalThis.ready === 1"


def test_the_tour_is_offered_once_shown_by_keyboard_and_taken_again(show, axe):
    shown = show(explore(AIMA_5_2, depth=9, step=5))
    offer, card = shown.locator(".kx-offer"), shown.get_by_role("dialog", name="Tour")
    assert offer.is_visible()
    assert not card.is_visible()
    press(shown, "Tour of two minutes")
    stops = int(card.locator("span").inner_text().removeprefix("1 of "))
    words = []
    for place in range(1, stops + 1):
        assert card.locator("span").inner_text() == f"{place} of {stops}"
        assert shown.locator(".kx .pointed:visible").count() == 1
        words += card.locator("p").inner_text().split()
        if place == 3:
            assert said(shown).startswith("Cut.")
            assert ui.violations(shown, axe) == []
        shown.keyboard.press("Enter")  # the button that goes on has the focus
    assert stops > 6
    assert len(words) < 2 * 130, "what is read slowly in two minutes"
    assert not card.is_visible()
    assert step(shown) == 5, "where the reader was"
    shown.reload()
    shown.wait_for_function(READY)
    assert not offer.is_visible(), "it is remembered"
    press(shown, "Tour")
    shown.keyboard.press("Escape")
    assert not card.is_visible()
    assert shown.locator(".pointed").count() == 0


def test_who_declines_is_not_asked_again_and_a_tour_without_cuts_is_shorter(show):
    shown = show(explore(AIMA_5_2, depth=9, algorithm="minimax"), viewport=NARROW)
    press(shown, "No, thank you")
    shown.reload()
    shown.wait_for_function(READY)
    assert not shown.locator(".kx-offer").is_visible()
    press(shown, "Tour")
    assert shown.get_by_role("dialog").locator("span").inner_text() == "1 of 6"
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
