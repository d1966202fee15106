"""What readers stumbled over in the explorer, step by step, in a real browser."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import Opener

from kalahlab.games.hand_tree import AIMA_5_2
from kalahlab.games.kalah import EMPTY_CAPTURE
from kalahlab.widgets.explorer import Explorer, explore
from kalahlab.widgets.model import as_base64
from kalahlab.widgets.page import page

if TYPE_CHECKING:
    from playwright.sync_api import Page

MIDDLE = "<6,4,5,2,3,1,7,1,1,1,3,1,10,9,0>"
START = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"
CLOCK = "document.querySelector('.kx').explorer.clock"
PANES = "document.querySelector('.kx').explorer.panes()"

REACHED = """export default { render(context) {
  globalThis.model = context.model;
  return render(context);
} };
"""
REVIVED = """(text) => model.take(JSON.parse(text, (key, value) => (typeof value?.base64 === "string"
  ? new DataView(Uint8Array.from(atob(value.base64), (c) => c.charCodeAt(0)).buffer) : value)))"""

Show = Callable[..., AbstractContextManager["Page"]]


@pytest.fixture
def show(opened: Opener, tmp_path: Path) -> Show:
    """Opens an explorer's page, at a `#...` if one is given, and waits until it stands.

    Its model is `model`, which a kernel would change.
    """

    @contextmanager
    def show(explorer: Explorer, link: str = "", **options: Any) -> "Iterator[Page]":
        options = {"viewport": {"width": 1280, "height": 900}, **options}
        file = tmp_path / "explorer.html"
        esm, css, state = explorer.part()
        reached = esm.replace("export default { render };", REACHED)
        file.write_text(page("Explorer", [(reached, css, state)]), encoding="utf-8")
        with opened(reduced_motion="reduce", **options) as shown:
            shown.goto(file.as_uri() + link)
            shown.wait_for_selector(".kx[data-ready]")
            yield shown

    return show


def press(shown: "Page", name: str) -> None:
    shown.get_by_role("button", name=name, exact=True).click()


def change(shown: "Page", **traits: Any) -> None:
    """Change the model, as Python does."""
    shown.evaluate(REVIVED, json.dumps(traits, default=as_base64))


def two() -> Explorer:
    return explore(MIDDLE, depth=2, rules=EMPTY_CAPTURE, beside="minimax")


# The quiz.


def test_the_quiz_goes_on_when_the_other_tree_is_clicked(show: Show) -> None:
    with show(two()) as shown:
        press(shown, "Quiz")
        asked = shown.locator(".kx-question p").inner_text()
        shown.locator(".kx-pane").nth(1).locator(".node.max .shape").first.click()
        press(shown, "Cut")
        assert shown.locator(".kx-score").inner_text().count("of 1 right") == 1
        press(shown, "Next question")
        assert shown.locator(".kx-question p").inner_text() != asked


def test_another_search_has_questions_of_its_own(show: Show) -> None:
    other = explore(START, depth=3)
    with show(explore(MIDDLE, depth=2, rules=EMPTY_CAPTURE)) as shown:
        press(shown, "Quiz")
        question = shown.locator(".kx-question p")
        asked = question.inner_text()
        change(shown, traces=other.traces)
        shown.get_by_text("Alpha-beta, depth 3").wait_for()
        assert question.inner_text() != asked
        press(shown, "Cut")
        expected = ("✓ Right.", "✗ No.")[cut_after(other, shown.evaluate(f"{CLOCK}.k")) is False]
        assert question.inner_text().startswith(expected)


def cut_after(explorer: Explorer, step: int) -> bool:
    """Whether the event before a step left a node early."""
    trace, _ = explorer.request.first() if explorer.request else (None, "")
    assert trace
    left = []

    def walk(id: int) -> None:
        left.append(False)
        for child in trace.nodes[id].children:
            if trace.nodes[child].kind != "unvisited":
                walk(child)
        left.append(trace.nodes[id].kind == "cut")

    walk(0)
    return left[step - 1]


def test_what_is_not_visited_yet_looks_the_same_whether_it_will_be_or_not(show: Show) -> None:
    with show(explore(AIMA_5_2, depth=9)) as shown:
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


# Links.


def test_a_link_opens_the_later_search_where_the_first_has_ended(show: Show) -> None:
    with show(two(), link="#step=70") as shown:
        first = shown.evaluate(f"{PANES}[0].t.steps")
        assert shown.evaluate(f"{CLOCK}.k") == 70 > first
