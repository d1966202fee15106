"""The explorer of growing trees in a real browser."""

import json
from random import Random

import pytest
from growths import SMALL, record_growths
from playwright.sync_api import expect
from ui import NARROW, change, current_step, node, press, read_sentence, save_as, violations

from kalahlab.search.growing import PLAYOUTS, uct
from kalahlab.search.limits import Playouts
from kalahlab.trace.growth import record_growth
from kalahlab.widgets.growth import GrowthExplorer
from kalahlab.widgets.models import growth_packing


@pytest.fixture(scope="module")
def growths():
    return record_growths()


def state_text(page):
    """Return the iteration and its part, as the slider tells them."""
    return page.get_by_role("slider").get_attribute("aria-valuetext")


def read_reasons(page):
    return page.locator(".kx-why p").all_inner_texts()


def test_an_iteration_is_shown_in_four_states_with_its_reasons(show, growths):
    trace = growths["hand"]
    expanding = [step for step in range(2, 40) if trace.iteration(step).expanded is not None]
    step = expanding[0]
    page = show(GrowthExplorer(trace, step=step - 1))
    assert state_text(page) == f"iteration {step - 1} of 40, back up"
    reasons = trace.reasons_by_part(step)
    drawn = page.get_by_role("treeitem")
    before = drawn.count()
    for part in ("select", "expand", "evaluate", "back up"):
        press(page, "Step")
        assert state_text(page) == f"iteration {step} of 40, {part}"
        assert read_reasons(page) == reasons[part]
        if part != "select":
            assert reasons[part][0] in read_sentence(page)
        more = 0 if part == "select" else len(trace.nodes[trace.iteration(step).expanded].children)
        expect(drawn).to_have_count(before + more)
    assert current_step(page) == step
    press(page, "Back")
    assert state_text(page) == f"iteration {step} of 40, evaluate"


def test_every_control_and_key_moves_the_clock(show, growths):
    page = show(GrowthExplorer(growths["uct"]))
    presses = [("End", "60"), ("Start", "0"), ("Iteration ▸", "1"), ("Iteration ▸", "2")]
    for button, step in [*presses, ("◂ Iteration", "1")]:
        press(page, button)
        assert state_text(page).split()[1] == step
    keys = [("End", 60), ("Home", 0), ("n", 1), ("]", 60), ("Shift+N", 59), ("[", 0)]
    page.locator("h1").click()  # nothing has the focus
    for key, step in keys:
        page.keyboard.press(key)
        assert current_step(page) == step
    for key, part in [("ArrowRight", "select"), (".", "expand"), ("ArrowLeft", "select")]:
        page.keyboard.press(key)
        assert state_text(page) == f"iteration 1 of 60, {part}"
    page.keyboard.type("42\n")
    assert state_text(page) == "iteration 42 of 60, back up"
    timeline = page.locator(".kg-timeline").bounding_box()
    page.mouse.click(timeline["x"] + 2, timeline["y"] + 20)
    assert current_step(page) == 0
    change(page, step=17)
    assert state_text(page) == "iteration 17 of 60, back up"


READ = """(view, states) => {
  const slider = view.querySelector("input[type=range]");
  const all = (selector, read) => [...view.querySelectorAll(selector)].map(read);
  const shown = states.map((k) => {
    slider.value = k;
    slider.dispatchEvent(new Event("input"));
    const texts = (node) => [...node.querySelectorAll("text")].map((text) => text.textContent);
    const describe = (node) => [
      node.id, texts(node).filter(Boolean).sort(),
      node.getAttribute("class"), node.getAttribute("aria-label"),
    ];
    return {
      nodes: all(".tree .node", describe).sort(),
      paths: all(".camera .bar path, .edges path", (path) => path.getAttribute("d")),
      texts: all(".kx-counts, .kx-say, .kx-panel h2, .kx-why, .kx-ladder td, .seeds, .overlay text",
        (element) => element.textContent),
    };
  });
  return JSON.stringify([Number(slider.max), shown]);
}"""


def test_a_state_looks_the_same_however_it_is_reached(show, growths):
    names = ("uct", "solver", "proof number", "best first", "hand", "own")
    page = show(*(GrowthExplorer(growths[name]) for name in names))
    for view, name in zip(page.locator(".kg").all(), names, strict=True):
        last, _ = json.loads(view.evaluate(READ, []))
        forward = [*range(last + 1)]
        shuffled = Random(7).sample(forward, last // 3)
        _, stepped = json.loads(view.evaluate(READ, forward))
        _, jumped = json.loads(view.evaluate(READ, shuffled))
        assert jumped == [stepped[k] for k in shuffled], name
        assert len({json.dumps(state) for state in stepped}) > last / 2, name


def test_unusual_searches_are_shown_to_their_end(show, growths):
    names = ("finished", "one move", "no iteration", "names", "cards", "own")
    page = show(*(GrowthExplorer(growths[name]) for name in names))
    models = page.evaluate_handle("[...views]")
    for place, (view, name) in enumerate(zip(page.locator(".kg").all(), names, strict=True)):
        trace = growths[name]
        press(view, "End")
        assert models.evaluate("(all, place) => all[place].get('step')", place) == trace.steps
        drawn = len(trace.nodes) if len(trace.nodes) <= 64 else 1
        assert view.get_by_role("treeitem").count() >= drawn
        if name == "names":
            assert "<b>&" in view.locator(".kg-tables").inner_text()
        press(view, "Quiz")
        press(view, "Quiz")


def test_the_selected_moves_have_the_greatest_numbers(show, growths):
    trace = growths["uct"]
    page = show(GrowthExplorer(trace, step=29))
    press(page, "Step")
    path = trace.iteration(30).path
    labels = page.locator(".tree .appeal:not(:empty)")
    expected = [len(trace.candidates(id, 29)) for id in path]
    expect(labels).to_have_count(sum(expected))
    selected = page.locator(".tree .appeal.selected").all_text_contents()
    assert len(selected) == len([id for id in path[1:] if trace.numbers(id, 29)])
    press(page, "Step")
    assert not any(page.locator(".tree .appeal").all_text_contents())


def test_a_proved_node_is_solid_and_a_finished_game_is_a_box(show, growths):
    page = show(GrowthExplorer(growths["hand, proof"]))
    press(page, "End")
    assert page.locator(".tree .node.proved .value").all_text_contents() == ["✓"] * 5
    assert page.locator(".tree .node.leaf.finished").count() == 3
    assert "proved" in str(node(page, 0).get_attribute("aria-label"))


def test_the_selected_node_shows_its_position_and_its_moves(show, growths):
    trace = growths["uct"]
    page = show(GrowthExplorer(trace))
    press(page, "End")
    child = trace.nodes[0].children[1]
    page.locator(".kg-tables button").nth(1).click()
    assert page.locator(".kx-panel h2").inner_text().startswith(f"Node {trace.names[child.id]}")
    seeds = page.locator(".kx-board .seeds").all_text_contents()
    assert [*map(int, seeds)] == [*child.state.board]
    page.keyboard.press("Escape")
    assert page.locator(".kx-panel h2").inner_text().startswith("Root")


def test_the_quiz_asks_for_the_move_and_the_mean_and_hides_the_answer(show, growths):
    trace = growths["hand"]
    page = show(GrowthExplorer(trace, step=20))
    press(page, "Quiz")
    assert page.locator(".bar path[d^=M]").count() == 0
    assert page.locator(".kx-why").is_hidden()
    question = page.locator(".kx-question")
    names = question.locator(".kx-controls button").all_text_contents()
    path = [trace.names[id] for id in trace.iteration(21).path[1:]]
    [right] = [name for name in path if name in names]
    question.get_by_role("button", name=right, exact=True).click()
    assert question.locator(".right").count() == 1
    assert f"selects move {right}" in question.inner_text()
    assert page.locator(".kx-score").first.inner_text() == "1 of 1 right"
    page.get_by_label("Ask for").select_option("number")
    answer = page.get_by_label("Your answer")
    answer.fill("much")
    press(page, "Check")
    assert state_text(page) == "iteration 22 of 40, evaluate"
    answer.fill("99")
    press(page, "Check")
    assert question.locator(".wrong").count() == 1
    assert state_text(page) == "iteration 22 of 40, back up"


def test_a_kernel_explains_the_iterations_that_a_page_does_not(show, growths, monkeypatch):
    monkeypatch.setattr(growth_packing, "MAX_EXPLAINED", 20)
    trace = growths["uct"]
    page = show(GrowthExplorer(trace, step=40))
    assert read_reasons(page) == ["This page has the reasons of the iterations up to 20."]
    page = show(GrowthExplorer(trace, step=40), live=True)
    expect(page.locator(".kx-why p")).to_have_text(trace.reasons_by_part(40)["back up"])


def test_it_is_saved_as_picture_table_and_page(show, open_page, growths, tmp_path):
    trace = growths["uct"]
    page = show(GrowthExplorer(trace, step=30))
    assert b"<svg" in save_as(page, "SVG")
    assert save_as(page, "PNG").startswith(b"\x89PNG")
    lines = save_as(page, "CSV").decode().splitlines()
    assert lines[1].startswith("0,,MAX,MAX to move,0,30,")
    saved = tmp_path / "saved.html"
    saved.write_bytes(save_as(page, "HTML"))
    with open_page() as again:
        again.goto(saved.as_uri())
        again.wait_for_selector(".kx[data-ready]")
        assert state_text(again) == "iteration 30 of 60, back up"


def test_the_address_has_the_step_and_a_link_opens_it(show, growths):
    page = show(GrowthExplorer(growths["uct"]), link="#step=33")
    assert state_text(page) == "iteration 33 of 60, back up"
    press(page, "Iteration ▸")
    page.wait_for_function("() => location.hash === '#step=34'")
    page.evaluate("location.hash = '#step=12'")
    page.wait_for_function("() => model.get('step') === 12")


def test_a_large_search_is_drawn_in_part(show):
    trace = record_growth(uct, SMALL, SMALL.start(), PLAYOUTS["random"], Playouts(1500))
    page = show(GrowthExplorer(trace, step=1200))
    assert page.get_by_role("treeitem").count() < 80
    page.get_by_label("Show").select_option("3")
    assert page.get_by_role("treeitem").count() > 20


# Axe takes long, so it judges some of the four states in each theme.
JUDGED = [("light", "uct", (0, 2)), ("dark", "proof number", (1, 2))]


@pytest.mark.parametrize(("theme", "name", "judged"), JUDGED)
def test_axe_finds_no_violation(show, axe, growths, theme, name, judged):
    page = show(GrowthExplorer(growths[name], step=20), color_scheme=theme)
    page.locator(".kx-help summary").click()
    states = [("Step", 1280), ("End", 390), ("Quiz", 320), ("Quiz", 800)]
    for place, (button, width) in enumerate(states):
        page.set_viewport_size({"width": width, "height": 900})
        press(page, button)
        assert place not in judged or violations(page, axe) == [], (button, width)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_telephone_the_reason_is_below_the_tree(show, growths):
    page = show(GrowthExplorer(growths["uct"], step=9), viewport=NARROW)
    press(page, "Step")
    stage, why = page.locator(".kx-stage").bounding_box(), page.locator(".kx-why").bounding_box()
    assert why["y"] >= stage["y"] + stage["height"] - 1
