"""The explorer in a real browser without a network: every control, mouse and keyboard."""

import io
import json
import re
from random import Random
from xml.etree import ElementTree

import pandas as pd
import pytest
from PIL import Image
from playwright.sync_api import expect
from test_javascript import ENDLESS
from ui import (
    NARROW,
    START,
    WIDE,
    change,
    current_step,
    explore_middle,
    find_selected,
    node,
    node_key,
    press,
    read_sentence,
    save_as,
    touch,
    violations,
)

from kalahlab.classroom.grader import Files, check
from kalahlab.classroom.homework_page import render_homework_page
from kalahlab.formatting import format_number
from kalahlab.games.hand_tree import AIMA_5_2, MIN, RICH_KNIGHT_12_5, Branch, HandTree, uniform_tree
from kalahlab.games.registry import GAMES
from kalahlab.games.rules import EMPTY_CAPTURE
from kalahlab.published.homework import read_problem, render_files
from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import Explorer, explore
from kalahlab.widgets.page import page as render_page


@pytest.fixture(scope="module")
def trace():
    return explore_middle().request.run_first()[0]


def test_every_control_and_arrow_moves_the_clock(show, trace):
    page, last = show(explore_middle()), 2 * len(list(trace.visits()))
    keys = [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)]
    for key, place in keys:
        page.keyboard.press(key)
        assert current_step(page) == place
    page.get_by_role("tree").focus()
    page.keyboard.press("ArrowRight")
    assert current_step(page) == 0, "there they move in the tree"
    places = [("Step", 1), ("Step", 2), ("Back", 1), ("End", last), ("Start", 0), ("Next cut", 23)]
    for button, place in places:
        press(page, button)
        assert current_step(page) == place
    assert read_sentence(page).startswith(f"Cut. {trace.why(trace.cuts[0])}")
    press(page, "End")
    press(page, "Previous cut")
    assert read_sentence(page).startswith(f"Cut. {trace.why(trace.cuts[-1])}")
    slider = page.get_by_role("slider", name="Step")
    slider.fill("20")
    assert current_step(page) == 20
    assert slider.get_attribute("aria-valuetext") == f"step 20 of {last}"
    strip = page.locator(".kx-strip-box").bounding_box()
    page.mouse.click(strip["x"] + strip["width"] / 2, strip["y"] + 5)
    assert current_step(page) == last / 2


def test_it_plays_at_the_chosen_speed_and_stops_at_the_end(show):
    page = show(explore_middle())
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    press(page, "End")  # playing starts again from there
    say = page.locator(".kx-say")
    plays = [
        ("100", 300, range(20, 60), 1000),
        ("a cut every 2 s", 2000, [23], 20_000),
    ]
    for speed, wait, steps, rest in plays:
        page.get_by_label("Speed").select_option(speed)
        press(page, "Play")
        assert say.get_attribute("aria-live") == "off"
        page.clock.run_for(wait)
        assert current_step(page) in steps
        page.clock.run_for(rest)
        assert current_step(page) == 62
        assert say.get_attribute("aria-live") == "polite"
    for seconds, some in [(10, 35), (60, 32)]:
        page.get_by_label("Speed").select_option(f"all in {seconds} s")
        press(page, "Play")
        page.clock.fast_forward(500 * seconds)  # with one tick, because 600 take seconds
        assert current_step(page) == 31
        page.clock.run_for(600)
        assert current_step(page) == some
        page.clock.fast_forward(500 * seconds)
        assert current_step(page) == 62
        page.clock.run_for(100)
        assert say.get_attribute("aria-live") == "polite"
    press(page, "Play")
    press(page, "Pause")
    paused = current_step(page)
    page.clock.run_for(3000)
    assert current_step(page) == paused


READ = """(view, steps) => {
  const slider = view.querySelector("input[type=range]");
  const all = (selector, read) => [...view.querySelectorAll(selector)].map(read);
  const text = (each) => each.textContent;
  const shown = steps.map((k) => {
    slider.value = k;
    slider.dispatchEvent(new Event("input"));
    const describe = (node) => [node.id, node.textContent, node.getAttribute("aria-label")];
    return {
      nodes: all(".tree .node", describe).sort(),
      bars: all(".camera .bar path", (path) => path.getAttribute("d")),
      texts: all(".kx-counts, .kx-say, .kx-panel h2, .kx-why, .kx-ladder td, .seeds", text),
    };
  });
  return JSON.stringify([Number(slider.max), shown]);
}"""


def test_a_step_looks_the_same_however_it_is_reached(show):
    algorithms = ("alpha_beta", "scout", "mtdf")
    page = show(*(explore(ENDLESS, algorithm=name, depth=9) for name in algorithms))
    for view, name in zip(page.locator(".kx").all(), algorithms, strict=True):
        last, _ = json.loads(view.evaluate(READ, []))
        forward = [*range(last + 1)]
        shuffled = Random(7).sample(forward, len(forward))
        _, stepped = json.loads(view.evaluate(READ, forward))
        _, jumped = json.loads(view.evaluate(READ, shuffled))
        assert jumped == [stepped[k] for k in shuffled], name
        assert len({json.dumps(state) for state in stepped}) == last + 1, f"{name}: all differ"


def test_the_tree_grows_without_revealing_what_will_be_cut(show, trace):
    page, visits = show(explore_middle()), [*trace.visits()]
    drawn = page.get_by_role("treeitem")
    expect(drawn).to_have_count(1)
    ticks = page.locator(".kx-marks")
    for _ in range(4):
        press(page, "Step")
    for unvisited in page.locator(".tree .node.grey").all():
        assert unvisited.get_attribute("aria-expanded") is None, "it does not tell of children"
        assert unvisited.get_attribute("class") == "node grey"
    press(page, "End")
    assert drawn.count() == len(trace.nodes) > len(visits)
    press(page, "Start")
    expect(drawn).to_have_count(1)
    clipped = ticks.evaluate("element => element.style.clipPath")
    page.get_by_label("Show the whole tree").check()
    expect(drawn).to_have_count(len(trace.nodes))
    assert ticks.evaluate("element => element.style.clipPath") != clipped
    press(page, "Step")
    page.wait_for_function("() => location.hash.includes('&tree=whole&step=1')")
    shared = show(explore_middle(), link="#" + page.url.partition("#")[2])
    assert current_step(shared) == 1
    expect(shared.get_by_label("Show the whole tree")).to_be_checked()
    expect(shared.get_by_role("treeitem")).to_have_count(len(trace.nodes))


def test_a_cut_is_explained_and_its_position_shown(show, trace):
    page, [first, *_] = show(explore_middle()), trace.cuts
    press(page, "Next cut")
    assert page.locator(".ring.owner").count() == page.locator(".ring.cutter").count() == 1
    assert page.locator(".bound").text_content() == "α = −2"
    blamed = page.locator(".blame .line").get_attribute("d")
    assert str(blamed).count("M") == 1, "one edge leads from the owner to the cut"
    sentence = page.locator(".kx-say")
    assert trace.why(first) in sentence.inner_text()
    expect(page.locator(".kx-why")).to_be_hidden()  # so that it does not stand there twice
    links = sentence.get_by_role("button")
    assert links.count() == 2
    links.nth(1).click()
    assert find_selected(page) == first.owner
    press(page, "End")
    leaf = next(visit for visit in trace.visits() if visit.kind == "leaf")
    board = leaf.node.state.board
    label = f"South, MAX, pits {' '.join(map(str, board[:6]))}, store {board[6]}"
    node(page, leaf.id).locator(".shape").hover()
    card = page.locator(".kx-card").get_by_role("img")
    assert label in str(card.get_attribute("aria-label"))
    page.keyboard.press("Escape")
    node(page, leaf.id).locator(".shape").click()
    panel = page.locator(".kx-panel").get_by_role("img")
    assert label in str(panel.get_attribute("aria-label"))
    assert [*map(int, panel.locator(".seeds").all_text_contents())] == [*board]


def test_nodes_are_opened_by_click_by_depth_and_along_the_best_line(show):
    large = explore(START, depth=5, ahead=True)
    page = show(large)
    show_list = page.get_by_role("combobox", name="Show")
    expect(show_list).to_have_value("5")  # as deep as it goes
    whole = page.get_by_label("Show the whole tree")
    whole.uncheck()
    expect(show_list).to_have_value("path")
    whole.check()
    show_list.select_option("the current path")
    below = page.locator(".tree .node.grey .fold").all_text_contents()
    sizes = [int(text.strip("▸ ").replace(",", "")) + 1 for text in below]
    assert 1 + sum(sizes) == large.traces[0]["nodes"], "one ply, and the numbers of nodes below it"
    press(page, "End")
    key = node_key(page.locator(".tree .node[aria-expanded=false]").first)
    for expanded in ("true", "false", "true"):
        node(page, key).locator(".shape").click()
        assert find_selected(page) == key
        assert node(page, key).get_attribute("aria-expanded") == expanded
    items = page.get_by_role("treeitem")
    for plies, option in enumerate(("1 ply", "2 plies"), start=1):
        page.get_by_role("combobox", name="Show").select_option(option)
        levels = {str(level) for level in range(1, plies + 2)}
        assert {item.get_attribute("aria-level") for item in items.all()} == levels
    page.get_by_role("combobox", name="Show").select_option("the best line")
    open_page = page.locator(".tree [aria-expanded=true]")
    assert open_page.count() == 5, "the root and four moves of the line; its end is a leaf"


def locate_root(page):
    """Return the middle, the top and the width of the root on the screen."""
    box = node(page, 0).locator(".shape").bounding_box()
    return box["x"] + box["width"] / 2, box["y"], box["width"]


def test_zoom_pan_and_fit_by_mouse_and_fingers_and_one_finger_scrolls_the_page(show):
    page = show(explore_middle(), has_touch=True, viewport={"width": 390, "height": 700})
    press(page, "End")
    press(page, "Fit")
    page.locator(".kx-stage").evaluate("stage => stage.scrollIntoView({ block: 'center' })")
    x, y, wide = locate_root(page)
    press(page, "Zoom in")
    assert locate_root(page)[2] == pytest.approx(1.25 * wide, rel=0.01)
    press(page, "Zoom out")
    stage = page.locator(".kx-stage").bounding_box()
    assert stage["height"] <= 450
    x0, y0 = stage["x"] + 60, stage["y"] + stage["height"] - 60  # no node is there
    page.mouse.move(x0, y0)
    page.mouse.down()
    page.mouse.move(x0 + 60, y0 - 40, steps=4)
    page.mouse.up()
    assert locate_root(page) == pytest.approx([x + 60, y - 40, wide], abs=0.5)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    root = "document.querySelector('.tree .shape').getBoundingClientRect().width"
    page.wait_for_function(f"() => {root} > {wide} * 1.1")
    press(page, "Fit")
    assert locate_root(page) == pytest.approx([x, y, wide], abs=0.5)
    touch(page, *([(x0, y0 - moved), (x0 + 60, y0 - moved)] for moved in (0, 10, 40)))
    assert locate_root(page) == pytest.approx([x, y - 40, wide], abs=1)
    touch(page, *([(x0 - moved, y0), (x0 + 60 + moved, y0)] for moved in (0, 30)))
    assert locate_root(page)[2] == pytest.approx(2 * wide, rel=0.01)
    page.evaluate("scrollBy(0, -100)")
    in_stage = """() => {
      const box = (name) => document.querySelector(name).getBoundingClientRect();
      const [root, stage] = [".tree .shape", ".kx-stage"].map(box);
      return [root.x - stage.x, root.y - stage.y, root.width];
    }"""
    before, top_before = page.evaluate(in_stage), page.evaluate("scrollY")
    touch(page, *([(x0, y0 - moved)] for moved in (0, 20, 60, 120)))
    page.wait_for_function(f"() => scrollY > {top_before} + 60")
    assert page.evaluate(in_stage) == pytest.approx(before, abs=1)


COVERED = """() => [...document.querySelectorAll(".kx-view > :not(.kx-map)")].filter((each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  return [0.1, 0.5, 0.9].some((part) =>
    !each.contains(document.elementFromPoint(left + part * width, top + height / 2)));
}).map((each) => each.textContent)"""


def test_the_map_shows_the_visible_part_leads_elsewhere_and_covers_no_control(show):
    page = show(explore(START, depth=5, rules=EMPTY_CAPTURE))
    small, depth = page.locator(".kx-map"), page.get_by_role("combobox", name="Show")
    assert small.is_hidden()
    press(page, "End")
    depth.select_option("4")
    for width in (390, 640, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        expect(small).to_be_visible(visible=width > NARROW["width"])
        page.locator(".kx-view").evaluate("bar => bar.scrollIntoView({ block: 'center' })")
        page.wait_for_function(f"() => ({COVERED})().length === 0")  # once it is laid out anew
    picture = small.locator("canvas").bounding_box()
    x, y = 40, picture["height"] - 20

    def is_framed():
        frame = small.locator("i").bounding_box()
        dx, dy = x - frame["x"] + picture["x"], y - frame["y"] + picture["y"]
        return 0 <= dx <= frame["width"] and 0 <= dy <= frame["height"] < dy + 20

    assert not is_framed()
    small.locator("canvas").click(position={"x": x, "y": y})
    assert is_framed()
    press(page, "Start")
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
def test_a_tree_that_fits_is_not_covered_and_its_leaves_have_distinct_names(show, size):
    page = show(explore("uniform:3x3:7", game="tree"), viewport=size)
    press(page, "End")
    wait_until_idle(page)
    assert page.evaluate(COVERS) == 0
    assert page.locator(".kx-map").is_hidden()
    assert page.locator(".tree .leaf .move").all_text_contents()[:2] == ["1.1.1", "1.1.2"]
    assert page.locator(".tree .leaf .tight").count() == 0, "all values are of one size"
    press(page, "Quiz")
    wait_until_idle(page)
    stage, root = page.locator(".kx-stage").bounding_box(), node(page, 0).bounding_box()
    assert stage["y"] <= root["y"]


def test_a_link_that_cannot_be_copied_is_selected_beside_its_button(open_page):
    long = " ".join(["(3 12 8)"] * 25)
    with open_page(
        explore(f"({long})", game="tree").page("A tree", live="no"), viewport=NARROW
    ) as page:
        page.wait_for_selector(".kx[data-ready]")
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        press(page, "More")
        press(page, "Link")
        alert = page.get_by_role("alert")
        expect(alert).to_be_in_viewport()
        expect(alert).to_contain_text("opens only on this computer")
        link = page.evaluate("String(getSelection())")
        assert link.startswith(f"{page.url.partition('#')[0]}#game=tree")
        assert link.endswith("step=0")
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
        press(page, "End")
        expect(alert).to_have_count(0)


STAYS = """async () => {
  // The room for a sentence is reserved when it has been drawn.
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
  const slider = document.querySelector("input[type=range]");
  const tops = [];
  for (let k = 0; k < 200; k++) {
    slider.value = k;
    slider.dispatchEvent(new Event("input"));
    tops.push(document.querySelector(".kx-stage").offsetTop);
    if (k % 20 === 0) await new Promise(requestAnimationFrame);
  }
  return tops.filter((top, k) => k && top !== tops[k - 1]).length;
}"""


@pytest.mark.parametrize(("size", "most"), [({"width": 1366, "height": 650}, 0), (NARROW, 1)])
def test_the_tree_does_not_move_while_stepping_and_is_on_the_first_screen(show, size, most):
    page = show(explore(START, depth=4), viewport=size)
    assert page.evaluate(STAYS) <= most
    if size != NARROW:
        press(page, "End")
        stage = page.locator(".kx-stage").bounding_box()
        assert stage["y"] + stage["height"] <= size["height"]
        press(page, "Fit")
        bottoms = "all => all.map((each) => each.getBoundingClientRect().bottom)"
        assert max(page.locator(".tree .node .shape").evaluate_all(bottoms)) <= size["height"]


def test_the_position_of_another_game_is_shown_as_text(show):
    kinds = ("betsy", "cards")
    explorers = [explore(GAMES[kind].example, game=kind, depth=2) for kind in kinds]
    views = show(*explorers).locator(".kx").all()
    for kind, explorer, view in zip(kinds, explorers, views, strict=True):
        trace = explorer.request.run_first()[0]
        press(view, "Next cut")
        cut = trace.cuts[0].node
        drawn = GAMES[kind].draw(trace.nodes[cut].node.state).rstrip()
        text = view.locator(".kx-panel pre")
        assert text.text_content() == drawn, kind
        node(view, cut).locator(".shape").hover()
        assert view.locator(".kx-card pre").text_content() == drawn, kind
        assert text.evaluate("pre => pre.scrollWidth <= pre.clientWidth"), "no line is cut off"


def test_everything_can_be_reached_by_keyboard_and_the_tree_is_a_tree_view(show):
    page = show(explore(START, depth=5))
    in_tree = "document.activeElement.matches('.tree')"
    while not page.evaluate(in_tree):
        page.keyboard.press("Tab")
        seen = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
        assert page.evaluate(f"{seen} || {in_tree}"), "the focus is visible"
    expect(page.locator(".kx-stage")).to_have_css("outline-style", "solid")
    steps = []
    for key in ("]", "[", ".", ".", ",", "c", "c", "C"):
        page.keyboard.press(key)
        steps.append(current_step(page))
    last, start, one, two, back, cut, second, first = steps
    assert last > 900
    assert (start, one, two, back, first) == (0, 1, 2, 1, cut)
    assert second > cut > 2
    assert read_sentence(page).startswith("Cut.")
    page.keyboard.press(" ")
    assert page.get_by_role("button", name="Pause").is_visible()
    page.keyboard.press(" ")

    def after(key):
        page.keyboard.press(key)
        id = page.locator(".tree").get_attribute("aria-activedescendant")
        active, names = page.locator(f"[id='{id}']"), ("level", "posinset", "expanded")
        return [active.get_attribute(f"aria-{name}") for name in names]

    assert after("]") == ["1", "1", "true"]
    assert after("ArrowRight")[0] == "2"
    page.keyboard.press("Home")
    assert after("ArrowDown")[:2] == ["2", "1"]
    assert after("ArrowRight")[2] == "true", "opened or entered"
    assert str(after("End")[0]) >= "2"
    assert after("Home") == ["1", "1", "true"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("*")
    assert page.locator(".tree [aria-level='2'][aria-expanded=true]").count() == 6
    assert after("ArrowLeft")[2] == "false", "closed"
    assert after("ArrowLeft")[0] == "1", "and up"
    page.keyboard.press("ArrowDown")
    assert find_selected(page) == 1
    page.keyboard.press("Enter")
    after_it = int(str(page.locator(".kx-count.visited b").inner_text()))
    assert current_step(page) == 2 * after_it - 1, "its subtree is left, but not the root"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    assert find_selected(page) == 1, "back to the current node"


def test_the_picture_is_saved_as_svg_and_png_which_is_smaller_if_too_large(show):
    page = show(explore_middle())
    press(page, "Next cut")
    svg = save_as(page, "SVG").decode()
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "step 23 of 62" in str(root.findtext("{*}title"))
    texts = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"≤−2", "≥−2", "α = −2"} <= texts
    for word in ("var(", "light-dark", "class=", "<script"):
        assert word not in svg
    picture = Image.open(io.BytesIO(save_as(page, "PNG")))
    assert picture.size == (2 * int(root.attrib["width"]), 2 * int(root.attrib["height"]))
    assert len(picture.convert("RGB").getcolors(1 << 24) or []) > 3, "it is not blank"
    change(page, traces=explore(START, depth=4, algorithm="minimax").traces)
    page.get_by_text("Minimax, depth 4").wait_for()
    press(page, "End")
    page.get_by_role("combobox", name="Show").select_option("4")
    assert 10_000 < max(Image.open(io.BytesIO(save_as(page, "PNG"))).size) <= 16_000
    expect(page.get_by_role("alert")).to_contain_text("too large for a PNG")


def test_the_explorer_is_saved_at_its_step_as_a_page_that_works(show, open_page):
    page = show(explore_middle())
    change(page, traces=explore(START, depth=3).traces)
    page.get_by_text("Alpha-beta, depth 3").wait_for()
    press(page, "Next cut")
    place = current_step(page)
    page.wait_for_function("at => location.hash.endsWith(`&step=${at}`)", arg=place)
    with open_page(save_as(page, "HTML").decode()) as copy:
        expect(copy.locator(".kx[data-ready]")).to_have_count(1)
        assert copy.get_by_text("Alpha-beta, depth 3").count() == 1, "the search that was shown"
        assert read_sentence(copy).startswith("Cut.")
        copy.keyboard.press(".")  # without a focus
        expect(copy.get_by_role("slider", name="Step")).to_have_value(str(place + 1))


def test_the_sentence_and_the_reason_are_about_the_tree_that_is_cut(show):
    """Compare MTD(f) with alpha-beta: their cuts alternate."""
    both = explore("<3,0,0,2,2,2,2,2,2>", depth=4, algorithm="mtdf", beside="alpha_beta")
    page, active = show(both), []
    for size in 4 * [WIDE] + 4 * [NARROW]:
        page.set_viewport_size(size)
        press(page, "Next cut")
        pane = page.locator(".kx-pane.active")
        assert pane.locator(".ring.cutter").count() == 1
        name, _, sentence = re.split("(: Cut. )", read_sentence(page), maxsplit=1)
        assert pane.locator(".kx-title").inner_text().startswith(f"{name}, depth 4")
        assert page.locator(".kx-why").is_hidden()
        pane.get_by_role("treeitem", selected=True).locator(".shape").click()
        why = page.locator(".kx-why").inner_text()
        assert " ".join(why.split()) == f"Why? {sentence}"
        active.append((name, current_step(page)))
    for names in (active[:4], active[4:]):
        assert {name for name, _ in names} == {"MTD(f)", "Alpha-beta"}
    places = [place for _, place in active]
    assert places == sorted({*places})


@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_a_search_without_a_window_shows_no_cuts_and_no_mistakes(show, size):
    explorer = explore("<3,0,0,2,2,2,2,2,2>", depth=3, algorithm="others.uct")
    trace, _ = explorer.request.run_first()
    page = show(explorer, viewport=size)
    unvisited_count = sum(visit.kind == "unvisited" for visit in trace.nodes)
    for name in ("Next cut", "Previous cut"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_hidden()
    press(page, "End")
    visited = f"{trace.result.counts.visited} visited"
    expect(page.locator(".kx-count.visited")).to_have_text(visited)
    press(page, "Fit")
    expect(page.locator(".node.grey.left")).to_have_count(unvisited_count)
    expect(page.locator(":is(.node.ghost, .iscut, .ring.cutter, .kx-count.skipped)")).to_have_count(
        0
    )
    text = page.locator(".kx").inner_text()
    assert "So it is not minimax" in text
    assert not re.search("does not allow|wrong|never visited|by luck|every move|skipped", text)
    unvisited = page.locator(".node.grey.left").last
    assert str(unvisited.get_attribute("aria-label")).endswith(", not visited")
    page.get_by_role("tree").focus()
    for key in ("Home", "End"):
        page.keyboard.press(key)
    expect(page.locator(".kx-panel h2 .tag")).not_to_have_text("never visited")


def test_a_value_that_is_returned_wrongly_is_distinguished_from_the_childrens(show):
    explorer = explore("<3,0,0,2,2,2,2,2,2>", depth=3, algorithm="others.returns_alpha")
    trace, _ = explorer.request.run_first()
    page = show(explorer)
    first = min(trace.cuts, key=lambda cut: trace.step(cut.node, begins=False))
    press(page, "Next cut")
    best = trace.best(trace.nodes[first.node])
    assert f"can already get {format_number(best.value)} with move {best.name};" in read_sentence(
        page
    )
    assert "But the search returns −∞, which is wrong: it does not reach β" in read_sentence(page)
    assert "does not allow" not in page.locator(".kx").inner_text()


def test_two_searches_run_on_one_clock_and_mark_nodes_that_only_one_visits(show):
    search = {"root": RICH_KNIGHT_12_5, "depth": 9}
    both = (explore(**search, algorithm=name).request for name in ("alpha_beta", "minimax"))
    fewer, more = ([*request.run_first()[0].visits()] for request in both)
    page = show(explore(**search, beside="minimax"))
    press(page, "End")
    assert current_step(page) == 2 * len(more)
    panes, names = page.locator(".kx-pane"), {visit.name for visit in fewer}
    assert panes.first.locator(".alone").count() == 0
    for marked in ("[role=treeitem]:has(.alone)", "[aria-label$='only in this search']"):
        keys = [node_key(item) for item in panes.nth(1).locator(marked).all()]
        assert keys == [visit.id for visit in more if visit.name not in names] != []
    page.get_by_role("slider", name="Step").fill(str(2 * len(fewer) + 1))
    visited = panes.first.locator(".kx-count.visited b")
    assert visited.inner_text() == str(len(fewer)), "the shorter search has ended"
    for trees in (1, 2):  # during a quiz, and after it
        press(page, "Quiz")
        expect(page.get_by_role("tree")).to_have_count(trees)
        expect(page.get_by_role("tree").first).to_have_accessible_name(re.compile("Alpha-beta"))


LIGHT, DARK = "rgb(255, 255, 255)", "rgb(21, 25, 30)"
THEMES = [
    *[("light", "", "", LIGHT), ("dark", "", "", DARK)],
    *[("light", "dark", "", DARK), ("dark", "light", "dark", LIGHT), ("dark", "", "light", LIGHT)],
    *[("light", "", "dark", DARK), ("light", "", "high-contrast", DARK)],
    ("dark", "light", "high-contrast", LIGHT),
    ("dark", "", "high-contrast vscode-high-contrast-light", LIGHT),
]
"""The system's theme, the trait, VS Code's theme, and the background that results."""
TWO_FRAMES = """async () => {
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
}"""


def test_theme_and_motion_follow_the_trait_or_the_surroundings(show):
    backgrounds = """[".kx", ".kalah-board"].map((name) =>
      getComputedStyle(document.querySelector(name)).backgroundColor).join(" and ")"""
    marks = "document.querySelector('.kx-marks').toDataURL()"
    page = show(Board(), explore_middle())
    models = "theme => views.forEach((model) => model.set('theme', theme))"
    press(page, "Next cut")
    drawn = {}
    for system, theme, around, colour in THEMES:
        page.emulate_media(color_scheme=system, reduced_motion="reduce")
        page.evaluate(models, theme)
        page.evaluate("name => { document.body.className = name; }", around and f"vscode-{around}")
        page.wait_for_function(f"both => {backgrounds} === both", arg=f"{colour} and {colour}")
        page.evaluate(TWO_FRAMES)  # the canvas is painted in the next one
        picture = page.evaluate(marks)
        assert drawn.setdefault(colour, picture) == picture
    assert drawn[LIGHT] != drawn[DARK]
    page.evaluate("document.body.className = ''; document.body.dataset.jpThemeLight = 'false'")
    page.emulate_media(color_scheme="light")
    page.evaluate(models, "")
    assert page.evaluate(backgrounds) == f"{DARK} and {DARK}", "JupyterLab's own theme"
    for motion in ("reduce", "no-preference"):
        page.emulate_media(reduced_motion=motion)
        press(page, "Fit")
        moving = "getComputedStyle(document.querySelector('.camera')).transitionDuration"
        assert (page.evaluate(moving) == "0s") == (motion == "reduce")


WIDER = """[...document.querySelectorAll(".kx *")].filter((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  const { left: from, right: to } = each.closest(".kx").getBoundingClientRect();
  const seen = !each.closest("svg") && width && each.checkVisibility();
  return seen && (left < from || right > to);
}).map((each) => each.outerHTML.slice(0, 80))"""


# Returns whether all shapes end above the controls.
ABOVE = """() => {
  const bars = document.querySelector(".kx-view").getBoundingClientRect().top;
  const shapes = [...document.querySelectorAll(".kx-pane:first-of-type .tree .shape")];
  return shapes.every((each) => each.getBoundingClientRect().bottom <= bars);
}"""


STATES = [("Start", 1280), ("Next cut", 390), ("End", 320), ("Next cut", 800), ("Quiz", 320)]
# Axe takes long, so it judges some of them in each theme, and each in one at least.
JUDGED = [("light", None, (0, 1, 4)), ("dark", "minimax", (2, 3, 4))]


@pytest.mark.parametrize(("theme", "beside", "judged"), JUDGED)
def test_axe_finds_no_violation(show, axe, theme, beside, judged):
    board = Board(6, 4, moves=[5, 4, 3], values="search", depth=4)
    if beside:
        board = Board(start="<4,2,2,3,1,0,2,3,1,4,2>", moves=[1], north="greedy:e2:1")
    page = show(explore_middle(beside=beside), board, color_scheme=theme)
    page.locator(".kx-help summary").click()
    page.locator(".kb-settings").evaluate("box => { box.hidden = false; box.open = true; }")
    for place, (state, width) in enumerate(STATES):
        page.set_viewport_size({"width": width, "height": 900})
        press(page, state)
        page.wait_for_function(ABOVE)
        assert place not in judged or violations(page, axe) == [], state
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert width > 390 or page.evaluate(WIDER) == []


COLOURS = """() => {
  const probe = document.body.appendChild(document.createElement("p"));
  const system = (name) => ((probe.style.color = name), getComputedStyle(probe).color);
  const style = (where) => getComputedStyle(document.querySelector(where));
  const [step, shape, name] = [".primary", ".node.grey .shape", ".node .move"].map(style);
  return [
    [step.color, step.backgroundColor, name.stroke, name.fill],
    ["ButtonText", "ButtonFace", "Canvas", "CanvasText"].map(system), shape.stroke,
  ];
}"""


def test_forced_colours_are_those_of_the_system(show):
    """Check that drawings keep their colours, and that a button's text gets a background."""
    page = show(explore_middle(), forced_colors="active")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        drawn, expected, outline = page.evaluate(COLOURS)
        assert drawn == expected, theme
        assert outline != expected[2], theme


def test_the_pits_of_a_homework_are_named_like_its_moves(open_page, tmp_path):
    problem = read_problem("3\n1\n2\n1 2 1\n1 1 1\n0\n0\n")
    (board := tmp_path / "board").write_text(render_files(problem)[0])
    report = check([(problem, Files(board))])
    with open_page(render_homework_page(problem, report, ["No difference: board."])) as page:
        names = page.locator(".kx-board .pit-name")
        expect(names).to_have_text(["B2", "B3", "B4", "A4", "A3", "A2"])
        expect(page.locator("h1")).to_have_text("No difference")


def test_a_truncated_trace_is_reported_and_the_rest_of_the_page_works(open_page):
    esm, css, state = explore_middle().page_part()
    [packed] = state["traces"]
    boards = {**packed["positions"], "data": packed["positions"]["data"][:-20]}
    changes = [{"data": packed["data"][:60]}, {"positions": boards}, {}]
    parts = [(esm, css, {**state, "traces": [packed | change]}) for change in changes]
    with open_page(render_page("Broken", parts)) as page:
        expect(page.locator(".kx[data-ready]")).to_have_count(3)
        damage = re.compile("cut short|damaged")
        expect(page.locator(".kx-notice")).to_have_text([damage, damage, ""])
        for place in range(3):
            page.locator(".kx").nth(place).get_by_text("Step", exact=True).click()
        move = re.compile("^MAX to move")
        expect(page.locator(".kx-say")).to_have_text(["", move, move])  # it needs no boards


def test_text_of_a_trace_or_a_link_is_never_read_as_html_or_a_formula(show):
    evil, formula = "<img src=x onerror=alert(1)>", "-1+cmd|'/ccalc'!A0"
    tree = HandTree(Branch(evil, children=(
        Branch(f"{evil}&amp;", MIN, children=(Branch(evil, MIN, 2), Branch("</script>", MIN, 1))),
        Branch('"><b>', MIN, 3), Branch(formula, MIN, -3),
    )))  # fmt: skip
    link = f"#step={evil}"
    page = show(Explorer(explore(tree, depth=9).request.run_first()[0], titles=[evil]), link=link)
    expect(page.get_by_role("alert")).to_contain_text("its step is “<img")
    for _ in range(8):
        press(page, "Step")
    node(page, 2).locator(".shape").click()
    node(page, 2).locator(".shape").hover()
    assert page.locator(".kx img, .kx b:has(b), .kx script").count() == 0
    panel = page.locator(".kx-panel").inner_text()
    assert evil in panel
    assert "This is a leaf of the tree, with its given value." in panel
    assert "margin" not in panel
    ElementTree.fromstring(save_as(page, "SVG").decode())
    table = pd.read_csv(io.BytesIO(save_as(page, "CSV")), keep_default_na=False)
    assert f"'{formula}" in {*table["move"]}
    assert formula not in {*table["move"], *table["path"]}
    assert -3 in {*table["value"].astype(float)}


def wait_until_idle(page):
    page.wait_for_selector(".kx:not([aria-busy])")


def test_the_search_is_changed_in_place_and_invalid_requests_are_reported(show, tmp_path):
    whole, half = tmp_path / "whole.json", tmp_path / "half.json"
    explorer = explore_middle()
    whole.write_text(explorer.request.run_first()[0].to_json(), encoding="utf-8")
    half.write_text(whole.read_text(encoding="utf-8")[:5000], encoding="utf-8")
    page = show(explorer, live=True)
    fault, seeds = page.get_by_role("alert"), page.locator(".kx-panel .seeds")
    press(page, "Next cut")
    node(page, 0).locator(".shape").click()
    page.keyboard.press("ArrowDown")
    heading = page.locator(".kx-panel h2")
    name = heading.inner_text().split("\n")[0]
    page.get_by_text("Change the search").click()
    page.get_by_label("Algorithm").first.select_option("minimax")
    page.get_by_label("Depth", exact=True).fill("3")
    page.get_by_label("Beside it: Algorithm").select_option("alpha_beta")
    page.get_by_label("Beside it: Order").select_option("worst_first")
    press(page, "Search")
    page.get_by_text("Minimax, depth 3").wait_for()
    page.get_by_text("Alpha-beta, depth 3, worst first order").wait_for()
    assert heading.inner_text().split("\n")[0] == name
    assert node(page, find_selected(page)).is_visible()
    position = page.get_by_role("textbox", name="Position")
    position.fill("<6,0,0,4>")
    press(page, "Search")
    expect(fault).to_contain_text("lists 1 pits")
    press(page, "Start")
    assert current_step(page) == 0
    position.fill("<2,0,0,2,2,2,2>")
    press(page, "Search")
    fault.wait_for(state="hidden")
    expect(seeds).to_have_count(6)
    page.get_by_label("Or open a trace file").set_input_files(half)
    expect(fault).to_contain_text("cut short")
    press(page, "Step")
    page.get_by_label("Or open a trace file").set_input_files(whole)
    expect(page.locator(".kx-title")).to_have_text(["whole.json"])
    expect(seeds).to_have_count(14)
    press(page, "Search")
    expect(seeds).to_have_count(6)


def test_a_silent_kernel_is_reported_until_a_late_answer_arrives(show):
    page = show(explore_middle(patience=1), live=True)
    page.evaluate("model.send = (request) => { globalThis.sent = request; }")
    page.get_by_text("Change the search").click()
    press(page, "Search")
    expect(page.locator(".busy")).to_contain_text("Searching")
    expect(page.get_by_role("button", name="Stop")).to_be_in_viewport()
    expect(page.get_by_role("alert")).to_contain_text("Python has not answered for 1 s")
    press(page, "Next cut")
    assert read_sentence(page).startswith("Cut.")
    page.evaluate("model.tell('msg:custom', { id: sent.id, error: '' })")
    page.get_by_role("alert").wait_for(state="hidden")
    assert page.locator(".busy").is_hidden()
    page.set_viewport_size(NARROW)
    # With the form open; the tree is drawn again a frame after it is measured.
    page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
    page.locator(".kx-save").get_by_text("HTML", exact=True).click()
    wait_until_idle(page)
    assert save_as(page, "CSV").startswith(b"id,parent")


def test_a_tree_is_edited_and_every_edit_is_undone(show):
    explorer = explore(AIMA_5_2, depth=9, algorithm="scout")
    page = show(explorer, live=True)
    undo, trees = page.get_by_role("button", name="Undo"), ["aima-5.2"]
    b, c, d = "B:(b1:3 b2:12 b3:8)", "C:(c1:2 c2:4 c3:6)", "D:(d1:14 d2:5 d3:2)"

    def becomes(*branches):
        wait_until_idle(page)
        trees.append(f"A:({' '.join(branches)})")
        assert explorer.form["position"] == trees[-1]

    def fill(label, text, button):
        page.get_by_label(label, exact=True).fill(text)
        press(page, button)

    expect(undo).to_be_disabled()
    press(page, "Add a branch")  # the root is selected at first
    becomes(b, c, d, "0")
    press(page, "End")
    node(page, "5/0").locator(".shape").click()  # a leaf that was cut
    fill("Value of this leaf", "−1.5", "Set")
    becomes(b, c := c.replace("4", "-1.5"), d, "0")
    fill("Value of this leaf", "much", "Set")
    expect(page.get_by_role("alert")).to_contain_text("'much' is not a number")
    node(page, 5).locator(".shape").click()
    press(page, "Later")
    becomes(b, d, c, "0")
    page.locator(".tree").focus()
    page.keyboard.press("Shift+ArrowRight")
    becomes(b, d, "A.4:0", c)
    shapes = page.locator(".tree [aria-level='2'] .shape")
    last, first = shapes.last.bounding_box(), shapes.first.bounding_box()
    page.mouse.move(last["x"] + 20, last["y"] + 12)
    page.mouse.down()
    page.mouse.move(first["x"] - 30, first["y"] + 12, steps=5)
    page.mouse.up()
    becomes(c, b, d, "0")
    page.locator(".tree").focus()
    page.keyboard.press("End")
    fill("Name", "<b>", "Rename")
    becomes(c, b, d, "<b>:0")
    assert page.locator(".kx-panel h2").inner_text().startswith("Node <b>")
    assert page.locator(".kx b b").count() == 0
    press(page, "Remove")
    becomes(c, b, d)
    page.get_by_label("branches").fill("2")
    page.get_by_label("levels").fill("3")
    fill("number", "7", "Make")
    wait_until_idle(page)
    assert explorer.form["position"] == GAMES["tree"].format(uniform_tree(2, 3, 7))
    while trees:
        press(page, "Undo")
        wait_until_idle(page)
        assert explorer.form["position"] == trees.pop()
    expect(undo).to_be_disabled()


READY = "() => globalThis.ready === 1"


def test_the_tour_is_offered_once_works_by_keyboard_and_can_be_repeated(show, axe):
    page = show(explore(AIMA_5_2, depth=9, step=5))
    offer, card = page.locator(".kx-offer"), page.get_by_role("dialog", name="Tour")
    assert offer.is_visible()
    assert not card.is_visible()
    press(page, "Tour of two minutes")
    stops = int(card.locator("span").inner_text().removeprefix("1 of "))
    words = []
    for place in range(1, stops + 1):
        assert card.locator("span").inner_text() == f"{place} of {stops}"
        assert page.locator(".kx .pointed:visible").count() == 1
        words += card.locator("p").inner_text().split()
        if place == 3:
            assert read_sentence(page).startswith("Cut.")
            assert violations(page, axe) == []
        page.keyboard.press("Enter")  # the button that goes on has the focus
    assert stops > 6
    assert len(words) < 2 * 130, "the tour can be read slowly in two minutes"
    assert not card.is_visible()
    assert current_step(page) == 5, "the reader's step"
    page.reload()
    page.wait_for_function(READY)
    assert not offer.is_visible(), "the offer is not repeated"
    press(page, "Tour")
    page.keyboard.press("Escape")
    assert not card.is_visible()
    assert page.locator(".pointed").count() == 0


def test_a_declined_tour_is_not_offered_again_and_one_without_cuts_is_shorter(show):
    page = show(explore(AIMA_5_2, depth=9, algorithm="minimax"), viewport=NARROW)
    press(page, "No, thank you")
    page.reload()
    page.wait_for_function(READY)
    assert not page.locator(".kx-offer").is_visible()
    press(page, "Tour")
    assert page.get_by_role("dialog").locator("span").inner_text() == "1 of 6"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


LAPTOP = {"width": 1280, "height": 720}


def test_controls_that_few_need_are_hidden_until_asked_for_and_the_tree_gets_the_room(show, axe):
    page = show(explore_middle(exercise=True), more=False, viewport=LAPTOP)
    toolbar = page.locator(".kx-top")
    for name in ("Start", "End", "Previous cut", "Zoom in", "Tour"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_hidden()
    hidden = ".kx-strip-box, .kx-legend, .kx-speed, .kx-whole"
    expect(page.locator(hidden).locator("visible=true")).to_have_count(0)
    height = toolbar.bounding_box()["height"]
    press(page, "Cross out")
    assert toolbar.bounding_box()["height"] <= height, "the toolbar has one row, still"
    press(page, "Stop crossing out")
    page.keyboard.press("End")
    stage = page.locator(".kx-stage").bounding_box()
    assert stage["height"] > page.evaluate("document.documentElement.scrollHeight") / 2
    assert stage["y"] + stage["height"] <= LAPTOP["height"]
    assert violations(page, axe) == []
    press(page, "More")
    for name in ("Start", "Zoom in", "Tour"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    assert page.evaluate("localStorage.getItem('kalahlab more')") == "yes"
    page.get_by_role("button", name="More", expanded=True).click()
    assert page.evaluate("localStorage.getItem('kalahlab more')") == "no"


def test_fingers_have_targets_of_44_pixels(show):
    page = show(explore_middle(), viewport=NARROW, has_touch=True)
    sizes = """() => [...document.querySelectorAll(".kx :is(button, select, input, summary)")]
      .filter((each) => each.checkVisibility() && !each.closest("p, label.field"))
      .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
      .filter(([, { width, height }]) => Math.min(width, height) < 44)"""
    press(page, "Next cut")
    assert page.evaluate(sizes) == []
    heights = "all => all.map((each) => each.getBoundingClientRect().height)"
    assert min(page.locator(".kx label.field >> visible=true").evaluate_all(heights)) >= 44


def test_the_full_tree_is_an_icicle_that_shows_what_is_skipped_and_leads_there(show):
    explorer = explore(START, depth=5)
    [packed] = explorer.traces
    page = show(explorer, more=False, viewport=LAPTOP)
    page.keyboard.press("End")
    spared = f"{packed['spared']:,} of {packed['full']:,} skipped"
    expect(page.locator(".kx-share")).to_have_text(spared)
    canvas = page.locator(".kx-full canvas")
    box = canvas.bounding_box()
    colours = """(canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    }"""
    page.wait_for_function(f"() => ({colours})(document.querySelector('.kx-full canvas')) > 3")
    row = box["height"] / len(packed["width"][:-1])
    canvas.click(position={"x": box["width"] - 3, "y": 1.5 * row})
    assert node(page, find_selected(page)).get_attribute("aria-level") == "2"
    expect(page.locator(".kx-panel h2")).to_contain_text("Node 6")
    page.keyboard.press("Home")
    canvas.click(position={"x": 3, "y": 1.5 * row})
    assert find_selected(page) == 0, "nothing has been searched there"
    press(page, "Quiz")
    expect(canvas).to_be_hidden()
