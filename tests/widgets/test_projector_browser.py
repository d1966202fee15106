"""Projector mode in a real browser: what the last row of a class can read, and the keys."""

import math

import pytest
from growths import record_growths
from playwright.sync_api import expect
from ui import START, current_step, press, read_sentence, violations

from kalahlab.games.hand_tree import AIMA_5_2
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.growth import GrowthExplorer

HALL = {"width": 1920, "height": 1080}
SMALL = {"width": 1280, "height": 720}
SCREEN, DISTANCE = 2.4, 10  # metres: the width of the screen, and the way to the last row
DIGIT = 0.7  # the height of a digit, in font sizes
ACUITY = 5  # minutes of arc: the smallest letter that a healthy eye can read

# Sizes in pixels of the screen, and what is shown partly or not at all of what matters.
MEASURE = """() => {
  const zoom = (text) => text.getScreenCTM?.().a ?? 1;
  const size = (text) => parseFloat(getComputedStyle(text).fontSize) * zoom(text);
  const sizes = (where) => [...document.querySelectorAll(where)]
    .filter((text) => text.textContent.trim() && text.checkVisibility()).map(size);
  const needed = ".kx-say, .kx-tally, .ring, .pill, .ghost.lit .shape, [aria-selected=true] .shape";
  const stage = document.querySelector(".kx-stage").getBoundingClientRect();
  const outside = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const low = element.ownerSVGElement ? stage.bottom : innerHeight;
    return left < 0 || right > innerWidth || top < 0 || bottom > low;
  };
  return {
    values: sizes(".tree .value"),
    moves: sizes(".node.lit:not(.leaf, .ghost) .move"),
    words: sizes(".kx-say, .kx-tally"),
    outside: [...document.querySelectorAll(needed)].filter(outside).map((e) => e.outerHTML),
    all: [...document.querySelectorAll(".tree .shape")].filter(outside).length,
    scrolls: document.documentElement.scrollWidth > innerWidth,
    drawn: document.querySelector(".tree").getBoundingClientRect().width / innerWidth,
  };
}"""
TREES = {
    "small": {"root": AIMA_5_2, "depth": 9},
    "middle": {"root": START, "depth": 3},
    "large": {"root": START, "depth": 5},
    "too wide for a screen": {"root": f"<9,0,0{18 * ',1'}>", "depth": 3},
}


def measure_angle(pixels, width):
    """Return the angle of a digit in minutes of arc, as seen from the last row."""
    metres = DIGIT * pixels * SCREEN / width
    return math.degrees(math.atan(metres / DISTANCE)) * 60


@pytest.mark.parametrize("tree", [*TREES])
def test_values_and_reasons_are_read_from_the_last_row(show, tree):
    explorer = explore(**TREES[tree])
    page = show(explorer, viewport=HALL, link="#projector")
    last = 2 * explorer.traces[0]["nodes"]
    for size in (HALL, SMALL):
        page.set_viewport_size(size)
        page.wait_for_function(
            "() => document.querySelector('.kx-canvas').clientWidth === innerWidth"
        )
        page.keyboard.press("Home")
        for keys in (["ArrowDown"], ["ArrowDown"], ["ArrowRight"] * 3, ["ArrowDown"], ["End"]):
            for key in keys:
                page.keyboard.press(key)
            seen = page.evaluate(MEASURE)
            assert seen["outside"] == []
            assert not seen["scrolls"]
            least = min(seen["values"])
            assert measure_angle(least, size["width"]) > 2 * ACUITY
            if size == HALL:
                assert least >= 36 - 0.01
                assert min(seen["words"]) >= 40
                assert min(seen["moves"], default=30) >= 29
            assert tree != "small" or not seen["all"], "the whole tree is shown"
        assert seen["drawn"] > 0.45
        assert current_step(page) == last
        visited = f"{explorer.traces[0]['nodes']:,} / {explorer.traces[0]['full']:,}"
        expect(page.locator(".kx-tally")).to_have_text(visited)


def test_the_keys_of_the_projector_step_and_leave(show, axe):
    page = show(explore(START, depth=3))
    root = page.locator(".kx")
    page.keyboard.press("p")
    expect(root).to_contain_class("projector")
    page.wait_for_function("() => location.hash.includes('projector')")
    steps = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "PageDown", "PageUp"):
        page.keyboard.press(key)
        steps.append(current_step(page))
    assert steps[:3] == [1, 2, 1]
    assert read_sentence(page).startswith("Cut.")
    assert steps[4] > steps[3] == steps[5]
    assert violations(page, axe) == []
    hidden = ".kx-top, .kx-panel, .kx-strip-box, .kx-legend, .kx-view, .kx-counts"
    expect(page.locator(hidden).locator("visible=true")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(root).not_to_contain_class("projector")
    expect(page.locator(".kx-panel")).to_be_visible()
    press(page, "Projector")
    expect(page.locator(".kx.projector")).to_be_visible()
    press(page, "Leave projector mode")
    expect(page.locator(".kx-panel")).to_be_visible()
    page.wait_for_function("() => !location.hash.includes('projector')")
    press(page, "Quiz")
    page.keyboard.press("p")
    expect(page.locator(".kx.projector")).to_have_count(0)


def test_only_the_current_node_the_path_and_the_cut_are_coloured(show):
    page = show(explore(START, depth=3), link="#projector")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    colours = """(where) => [...new Set([...document.querySelectorAll(where)].map((shape) => {
      const { fill, stroke } = getComputedStyle(shape);
      return `${fill} ${stroke}`;
    }))]"""
    lit = page.evaluate(colours, ".node.lit .shape")
    dull = page.evaluate(colours, ".node:is(.max, .min, .leaf):not(.lit) .shape")
    assert len(dull) == 1, dull
    assert len(lit) >= 3
    assert not {*lit} & {*dull}
    assert page.locator(".node.lit").count() < page.locator(".node").count() / 2


def test_two_trees_share_the_screen(show):
    page = show(explore(START, depth=4, beside="scout"), viewport=SMALL, link="#projector")
    page.keyboard.press("ArrowDown")
    stages = [stage.bounding_box() for stage in page.locator(".kx-stage").all()]
    assert [stage["width"] for stage in stages] == pytest.approx([640, 640], abs=2)
    expect(page.locator(".kx-tally")).to_have_count(2)
    assert page.evaluate(MEASURE)["outside"] == []


@pytest.mark.parametrize("name", ["uct", "hand"])
def test_a_growing_tree_is_projected_too(show, name):
    trace = record_growths()[name]
    page = show(GrowthExplorer(trace), viewport=HALL, link="#projector")
    page.keyboard.press("End")
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        seen = page.evaluate(MEASURE)
        assert seen["outside"] == []
        assert min(seen["values"]) >= 36 - 0.01
        assert min(seen["words"]) >= 40
    expect(page.locator(".kx-tally")).to_have_text(f"{trace.steps - 1} / {trace.steps}")
    assert page.get_by_role("tree").evaluate("tree => tree === document.activeElement")
    page.keyboard.press("p")
    expect(page.locator(".kx-panel")).to_be_visible()
    press(page, "Projector")
    expect(page.locator(".kx-panel")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator(".kx-panel")).to_be_visible()
