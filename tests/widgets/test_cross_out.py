"""Crossing out what alpha-beta does not visit: what Python says of each branch, and the page."""

import gzip
import json
import math

import pytest
from hypothesis import given
from playwright.sync_api import expect
from strategies import trees
from ui import node, press, said, selected, violations

from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import AIMA_5_2, RICH_KNIGHT_12_5, HandTree
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.trace import number, record
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.models.packing import cross_out


def both(root):
    one, full = (
        record(search, HandTree(root), root, written_value, Depth(9))
        for search in (alpha_beta, minimax)
    )
    return one, full


@given(trees())
def test_what_is_to_be_crossed_out_is_what_alpha_beta_does_not_visit(root):
    trace, full = both(root)
    found = json.loads(gzip.decompress(cross_out(trace, full)["branches"]))
    visited = {places(trace, visit) for visit in trace.visited()}
    for (top, why), visit in zip(found, full.visited(), strict=True):
        path = places(full, visit)
        assert (top < 0) == (path in visited)
        if top >= 0:
            parent = full.nodes[top].parent
            assert places(full, full.nodes[top]) == path[: len(places(full, full.nodes[top]))]
            assert places(full, full.nodes[parent]) in visited, "the whole branch, from its top"
            assert bool(why) == (top == visit.id)
        else:
            assert why


def places(trace, visit):
    if visit.parent is None:
        return ()
    parent = trace.nodes[visit.parent]
    return (*places(trace, parent), parent.children.index(visit.id))


@given(trees())
def test_a_visited_branch_is_told_the_numbers_it_was_entered_with(root):
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


@pytest.mark.parametrize(
    "changed",
    [
        *({"algorithm": "minimax"}, {"algorithm": "scout"}, {"depth": 1}),
        *({"order": "killer", "root": "uniform:3x4:2"}, {"root": "uniform:3x5:2"}),
    ],
    ids=" ".join,
)
def test_nothing_is_crossed_out_where_nothing_is_cut_or_the_orders_differ(changed):
    given = {"root": AIMA_5_2, "game": "tree", "depth": 9}
    assert explore(**given).whole
    assert explore(**(given | changed)).whole == {}


def test_branches_are_crossed_out_and_the_reader_is_told_why(show, axe):
    without = show(explore(RICH_KNIGHT_12_5, depth=9, algorithm="minimax"))
    assert without.get_by_role("button", name="Cross out").count() == 0
    trace, full = both(RICH_KNIGHT_12_5.root)
    ids = {visit.name: visit.id for visit in full.nodes}
    shown = show(explore(RICH_KNIGHT_12_5, depth=9))
    press(shown, "Next cut")
    press(shown, "Cross out")
    expect(shown.get_by_role("treeitem")).to_have_count(len(full.nodes))  # the whole tree
    for visit in full.nodes:
        value = number(visit.value) if visit.kind in ("leaf", "finished") else ""
        expect(node(shown, visit.id).locator(".value")).to_have_text(value)  # only the leaves'
    told, score = shown.locator(".kx-reason"), shown.locator(".kx-found")

    def said_and_counted(mark, why, *counts):
        assert told.inner_text().startswith(mark)
        assert why in told.inner_text()
        found = [int(word) for word in score.inner_text().split() if word.isdigit()]
        assert found == [*counts]

    node(shown, ids["G"]).locator(".shape").click()
    visited = next(visit.id for visit in trace.visited() if visit.name == "G")
    said_and_counted("✗", trace.why_visited(visited), 0, 2, 1)
    expect(shown.locator(".kx-card")).to_be_hidden()  # it would tell what is searched there
    node(shown, ids["L"]).locator(".shape").click()
    said_and_counted("✓", trace.why(trace.cuts[0]), 1, 2, 1)
    label = node(shown, ids["L"]).get_attribute("aria-label")
    assert str(label).endswith(", crossed out")
    assert shown.locator(".cutline").count() == 1
    assert violations(shown, axe) == []
    shown.locator(".tree").focus()
    shown.keyboard.press("End")  # by the keyboard: H, and N
    while selected(shown) != ids["N"]:
        shown.keyboard.press("ArrowUp")
    shown.keyboard.press("Enter")
    said_and_counted("✓", "", 2, 2, 1)
    assert shown.get_by_role("button", name="Show the rest").is_disabled()
    press(shown, "Start again")
    press(shown, "Show the rest")
    assert shown.locator(".cutline").count() == 2
    press(shown, "Cross out")
    assert said(shown).startswith("Cut."), "where it was before"
    assert shown.get_by_role("button", name="Step", exact=True).is_enabled()
