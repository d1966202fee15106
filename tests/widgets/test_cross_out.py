"""Crossing out what alpha-beta does not visit: what Python says of each branch, and the page."""

import gzip
import json
import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import Opener
from hypothesis import given
from strategies import trees

from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import AIMA_5_2, RICH_KNIGHT_12_5, Branch, HandTree
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.trace import Trace, Visit, number, record
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.explorer.cross_out import cross_out

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def both(root: Branch) -> tuple[Trace, Trace]:
    one, full = (
        record(search, HandTree(root), root, written_value, Depth(9))
        for search in (alpha_beta, minimax)
    )
    return one, full


def branches(whole: dict[str, Any]) -> list[tuple[int, str]]:
    read = json.loads(gzip.decompress(whole["branches"]))
    return [(top, why) for top, why in read]


def walk(root: Branch, lower: float, upper: float, path: tuple[int, ...] = ()) -> list[Any]:
    """The paths that alpha-beta visits, by its definition, for a tree in which turns alternate
    or not; the last item is the value."""
    visited: list[Any] = [path]
    if not root.children:
        return [*visited, root.value]
    best = -math.inf if root.player == 0 else math.inf
    for place, child in enumerate(root.children):
        *below, value = walk(child, lower, upper, (*path, place))
        visited += below
        if root.player == 0:
            best = max(best, value)
            lower = max(lower, best)
        else:
            best = min(best, value)
            upper = min(upper, best)
        if lower >= upper:
            break
    return [*visited, best]


@given(trees())
def test_what_is_to_be_crossed_out_is_what_alpha_beta_does_not_visit(root: Branch) -> None:
    trace, full = both(root)
    found = branches(cross_out(trace, full))
    *visited, _ = walk(root, -math.inf, math.inf)
    for (top, why), visit in zip(found, full.visited(), strict=True):
        path = places(full, visit)
        assert (top < 0) == (path in visited)
        if top >= 0:
            parent = full.nodes[top].parent
            assert parent is not None
            assert places(full, full.nodes[top]) == path[: len(places(full, full.nodes[top]))]
            assert places(full, full.nodes[parent]) in visited, "the whole branch, from its top"
            assert bool(why) == (top == visit.id)
        else:
            assert why


def places(trace: Trace, visit: Visit) -> tuple[int, ...]:
    if visit.parent is None:
        return ()
    parent = trace.nodes[visit.parent]
    return (*places(trace, parent), parent.children.index(visit.id))


@given(trees())
def test_a_visited_branch_is_told_the_numbers_it_was_entered_with(root: Branch) -> None:
    trace, _ = both(root)
    for visit in trace.visited():
        if visit.parent is None:
            continue
        above, why = trace.nodes[visit.parent], trace.why_visited(visit.id)
        maximizing = above.node.maximizing
        bound = visit.beta if maximizing else visit.alpha
        best = visit.alpha if maximizing else visit.beta
        if above.children[0] == visit.id:
            assert why.endswith("this is the first move. No value is known there yet.")
            continue
        elder = [trace.nodes[c].value or 0 for c in above.children if c < visit.id]
        has = max(elder) if maximizing else min(elder)
        assert f"{above.player} has {number(has)} so far." in why
        assert has == best or (has < best if maximizing else has > best)
        if math.isinf(bound):
            assert why.endswith("so there is nothing to cut against.")
        else:
            more = "more" if maximizing else "less"
            assert f"A cut needs {number(bound)} or {more}, because " in why
            assert has < bound if maximizing else has > bound, "and so there was none"


def test_the_reasons_of_figure_5_2() -> None:
    trace, _ = both(AIMA_5_2.root)
    whys = {visit.name: trace.why_visited(visit.id) for visit in trace.visited()}
    assert whys["b2"] == (
        "After B: MIN has 3 so far. MAX is sure of nothing above, "
        "so there is nothing to cut against."
    )
    assert whys["c1"] == "After C: this is the first move. No value is known there yet."
    assert whys["d3"] == (
        "After D: MIN has 5 so far. A cut needs 3 or less, "
        "because MAX is already sure of 3 from move B at the root."
    )


@pytest.mark.parametrize(
    "asked",
    [
        {"algorithm": "minimax"},
        {"algorithm": "scout"},
        {"depth": 1},
        {"order": "killer", "root": "uniform:3x4:2"},
        {"root": "uniform:3x5:2"},
    ],
    ids=lambda asked: " ".join(asked),
)
def test_nothing_is_crossed_out_where_nothing_is_cut_or_the_orders_differ(
    asked: dict[str, Any],
) -> None:
    given: dict[str, Any] = {"root": AIMA_5_2, "game": "tree", "depth": 9}
    assert explore(**given).whole
    assert explore(**(given | asked)).whole == {}


# In a browser.

Show = Callable[..., AbstractContextManager["Page"]]


def item(shown: "Page", key: int) -> "Locator":
    return shown.locator(f"[role=treeitem][id$='x-{key}']")


def test_branches_are_crossed_out_and_the_reader_is_told_why(
    opened: Opener, tmp_path: Path, axe: str
) -> None:
    explorer = explore(RICH_KNIGHT_12_5, depth=9)
    trace, full = both(RICH_KNIGHT_12_5.root)
    ids = {visit.name: visit.id for visit in full.nodes}
    file = tmp_path / "explorer.html"
    file.write_text(explorer.page(), encoding="utf-8")
    with opened(reduced_motion="reduce", viewport={"width": 1280, "height": 900}) as shown:
        shown.goto(file.as_uri())
        shown.wait_for_selector(".kx[data-ready]")
        shown.get_by_role("button", name="Next cut", exact=True).click()
        button = shown.get_by_role("button", name="Cross out", exact=True)
        button.click()
        assert shown.get_by_role("treeitem").count() == len(full.nodes), "the whole tree"
        values = {
            key: item(shown, key).locator(".value").text_content() for key in range(len(full.nodes))
        }
        assert values == {
            visit.id: number(visit.value) if visit.kind in ("leaf", "finished") else ""
            for visit in full.nodes
        }, "only the leaves' values"
        told, score = shown.locator(".kx-reason"), shown.locator(".kx-found")
        wrong = item(shown, ids["G"])
        wrong.locator(".shape").click()
        visited = next(visit.id for visit in trace.visited() if visit.name == "G")
        assert told.inner_text() == (
            f"✗ No. Alpha-beta visits this node. {trace.why_visited(visited)}"
        )
        assert score.inner_text() == "0 of 2 branches found · 1 wrong answer"
        item(shown, ids["L"]).locator(".shape").click()
        [first, _] = trace.cuts
        assert told.inner_text() == f"✓ Right. Alpha-beta does not visit this. {trace.why(first)}"
        assert str(item(shown, ids["L"]).get_attribute("aria-label")).endswith(", crossed out")
        assert shown.locator(".cutline").count() == 1
        shown.evaluate(axe)
        found = shown.evaluate("axe.run(document).then((result) => result.violations)")
        assert [each["id"] for each in found] == []
        shown.locator(".tree").focus()
        shown.keyboard.press("End")  # by the keyboard: H, and N
        while str(shown.evaluate(SELECTED)) != str(ids["N"]):
            shown.keyboard.press("ArrowUp")
        shown.keyboard.press("Enter")
        assert told.inner_text().startswith("✓ Right.")
        assert score.inner_text() == "2 of 2 branches found · 1 wrong answer"
        assert shown.get_by_role("button", name="Show the rest").is_disabled()
        shown.get_by_role("button", name="Start again").click()
        assert score.inner_text() == "0 of 2 branches found · 0 wrong answers"
        shown.get_by_role("button", name="Show the rest").click()
        assert shown.locator(".cutline").count() == 2
        button.click()
        assert shown.locator(".kx-say").inner_text().startswith("Cut."), "where it was before"
        assert shown.get_by_role("button", name="Step", exact=True).is_enabled()


SELECTED = "document.querySelector('.tree').getAttribute('aria-activedescendant').split('-').pop()"


def test_there_is_no_button_where_there_is_nothing_to_cross_out(
    opened: Opener, tmp_path: Path
) -> None:
    file = tmp_path / "explorer.html"
    file.write_text(explore(AIMA_5_2, depth=9, algorithm="minimax").page(), encoding="utf-8")
    with opened() as shown:
        shown.goto(file.as_uri())
        shown.wait_for_selector(".kx[data-ready]")
        assert shown.get_by_role("button", name="Cross out").count() == 0
