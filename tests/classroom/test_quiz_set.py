"""The quiz, its sets, which are handed in and judged, and crossing out what is not visited."""

import gzip
import json
import math
from pathlib import Path

import pytest
from conftest import jsonl
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect
from strategies import trees
from ui import START, change, node, press, said, selected, step, violations

from kalahlab.classroom.quiz_set import QUESTIONS, SEEDS, draw_questions, grade_quiz, iter_questions
from kalahlab.evaluators.tree import written_value
from kalahlab.formatting import format_number
from kalahlab.games.hand_tree import AIMA_5_2, RICH_KNIGHT_12_5, HandTree
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.trace import record
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.models.packing import cross_out


@given(trees(), st.integers(0, SEEDS - 1))
def test_a_set_is_part_of_what_can_be_asked_and_the_same_for_its_number(root, seed):
    trace = record(alpha_beta, HandTree(root), root, written_value, Depth(9))
    pool, chosen = [*iter_questions(trace)], draw_questions(trace, seed)
    assert chosen == draw_questions(trace, seed)
    assert len(chosen) == min(QUESTIONS, len(pool)) == len({*map(id, chosen)})
    assert all(chosen.count(each) <= pool.count(each) for each in chosen)
    assert [each.step for each in chosen] == sorted(each.step for each in chosen)
    cuts = sum(each.kind == "cut" and each.answer is True for each in pool)
    assert cuts == len(trace.cuts), "every cut can be asked about"


def set_of(explorer, seed):
    return draw_questions(explorer.request.first()[0], seed)


REFUSED = jsonl(Path(__file__).with_name("refused_sets.jsonl"))
REFUSED += [('{"":' * 20_000 + "}", "not what the quiz hands in")]


@pytest.mark.parametrize(("changed", "complaint"), REFUSED)
def test_what_cannot_be_judged_is_said(changed, complaint):
    explorer = explore(AIMA_5_2, depth=9)
    answers = [each.answer for each in set_of(explorer, 7)]
    given = {"name": "A", "search": explorer.link, "seed": 7, "answers": answers, "right": 9}
    with pytest.raises(ValueError, match=complaint):
        grade_quiz(changed if isinstance(changed, str) else json.dumps(given | changed))


def test_the_quiz_asks_hides_what_would_tell_and_counts(show):
    explorer = explore(RICH_KNIGHT_12_5, depth=9)
    pool = [*iter_questions(explorer.request.run_first()[0])]
    shown = show(explorer)
    press(shown, "Quiz")
    told, score = shown.locator(".kx-question"), shown.locator(".kx-score")
    kinds = {"whether a branch is cut": "cut", "α": "alpha", "β": "beta", "the value": "value"}
    for label, kind in kinds.items():
        shown.get_by_label("Ask for").select_option(label)
        asked = [each for each in pool if each.kind == kind]
        if kind == "alpha":
            shown.get_by_placeholder("a number, inf or -inf").fill("three")
            press(shown, "Check")
            assert score.inner_text() == "", "what is no number is asked for again"
            assert shown.evaluate("!document.activeElement.validity.valid")
        for turn, question in enumerate(asked):
            hints = shown.locator(".kx-ladder, .kx-counts, .bar").locator("visible=true")
            assert (step(shown), hints.count()) == (question.step, 0)
            answer(shown, question.answer, wrong=turn % 2)
            assert told.inner_text().startswith("✗" if turn % 2 else "✓")
            shown.keyboard.press("Enter")
        assert "No more questions" in told.inner_text()
        missed = [each.answer for each in asked[1::2]]
        counts = [len(asked) - len(missed), len(asked)]
        counts += [missed.count(True), missed.count(False)] * (kind == "cut")
        assert [int(word) for word in score.inner_text().split() if word.isdigit()] == counts
    press(shown, "Quiz")
    assert shown.locator(".kx-ladder").is_visible()


def test_what_is_not_visited_yet_looks_the_same_and_another_search_has_its_own_questions(show):
    shown = show(explore(AIMA_5_2, depth=9))
    press(shown, "Quiz")
    # The second node's first leaf is in; its others are never visited, its next sibling is.
    shown.wait_for_selector(".kx-question button")
    looks = set()
    for item in shown.locator(".node.wait").all():
        item.locator(".dot").click(force=True)
        looks.add(shown.locator(".kx-panel h2").inner_text().split("\n", 1)[1])
        assert item.get_attribute("aria-expanded") is None
    assert looks == {"not visited yet"}
    question, other = shown.locator(".kx-question p"), explore(START, depth=3)
    before = question.inner_text()
    change(shown, traces=other.traces)
    shown.get_by_text("Alpha-beta, depth 3").wait_for()
    assert question.inner_text() != before
    asked = iter_questions(other.request.run_first()[0])
    [cut] = (each.answer for each in asked if (each.step, each.kind) == (step(shown), "cut"))
    press(shown, "Cut")
    assert question.inner_text().startswith("✓ Right." if cut else "✗ No.")


def test_a_set_is_answered_in_the_page_and_judged_by_the_command(run, show, tmp_path):
    explorer, file = explore(RICH_KNIGHT_12_5, depth=9), tmp_path / "quiz-12-Ann-b-Ng.json"
    questions = set_of(explorer, 12)
    shown = show(explorer)
    press(shown, "Quiz")
    shown.get_by_label("Ask for").select_option("a set of up to ten, by its number")
    shown.get_by_label("Number of the set").fill("12")
    shown.get_by_role("button", name="Begin the set").click()
    told, right = shown.locator(".kx-question"), len(questions) - 2
    for place, question in enumerate(questions):
        shown.get_by_text(f"Question {place + 1} of {len(questions)}").wait_for()
        answer(shown, question.answer, wrong=place in (0, 4))
        press(shown, "Next question")
    assert f"{right} of {len(questions)} right" in told.inner_text()
    shown.get_by_label("Your name, for your teacher").fill('Ann "<b>" Ng')
    with shown.expect_download() as download:
        told.get_by_role("button", name="Save").click()
    assert download.value.suggested_filename == file.name
    file.write_bytes(Path(download.value.path()).read_bytes())
    assert shown.get_by_label("Your score as text").input_value() == file.read_text("utf-8")
    status, out, err = run("quiz", str(file), "--json")
    row = {"file": file.name, "name": 'Ann "<b>" Ng', "set": 12, "search": explorer.link}
    row |= {"right": right, "claimed": right, "of": len(questions)}
    row |= {f"question {n + 1}": n not in (0, 4) for n in range(len(questions))}
    assert (status, json.loads(out)["sets"], err) == (0, [row], "")


def answer(shown, right, wrong):
    if isinstance(right, bool):
        name = "Cut" if right != wrong else "Search on"
        shown.locator(".kx-question").get_by_role("button", name=name, exact=True).click()
    else:
        shown.get_by_label("Your answer").fill("−∞" if wrong else str(right).replace("-", "−"))
        shown.keyboard.press("Enter")


def both(root):
    searches = alpha_beta, minimax
    return [record(each, HandTree(root), root, written_value, Depth(9)) for each in searches]


@given(trees())
def test_what_is_to_be_crossed_out_is_what_alpha_beta_does_not_visit(root):
    trace, full = both(root)
    found = json.loads(gzip.decompress(cross_out(trace, full)["branches"]))
    visited = {places(trace, visit) for visit in trace.visits()}
    for (top, why), visit in zip(found, full.visits(), strict=True):
        path = places(full, visit)
        assert (top < 0) == (path in visited)
        assert bool(why) == (top < 0 or top == visit.id)
        if top >= 0:
            parent = full.nodes[top].parent
            assert places(full, full.nodes[top]) == path[: len(places(full, full.nodes[top]))]
            assert places(full, full.nodes[parent]) in visited, "the whole branch, from its top"


def places(trace, visit):
    if visit.parent is None:
        return ()
    parent = trace.nodes[visit.parent]
    return (*places(trace, parent), parent.children.index(visit.id))


@given(trees())
def test_a_visited_branch_is_told_the_numbers_it_was_entered_with(root):
    trace, _ = both(root)
    for visit in trace.visits():
        if visit.parent is None:
            continue
        above, why = trace.nodes[visit.parent], trace.explain_visit(visit.id)
        maximizing = above.node.maximizing
        bound = visit.beta if maximizing else visit.alpha
        best = visit.alpha if maximizing else visit.beta
        if above.children[0] == visit.id:
            assert why.endswith("this is the first move. No value is known there yet.")
            continue
        elder = [trace.nodes[c].value or 0 for c in above.children if c < visit.id]
        has = max(elder) if maximizing else min(elder)
        assert f"{above.player} has {format_number(has)} so far." in why
        assert has == best or (has < best if maximizing else has > best)
        if math.isinf(bound):
            assert why.endswith("so there is nothing to cut against.")
        else:
            more = "more" if maximizing else "less"
            assert f"A cut needs {format_number(bound)} or {more}, because " in why
            assert has < bound if maximizing else has > bound, "and so there was none"


OTHERWISE = [{"algorithm": "minimax"}, {"algorithm": "scout"}, {"depth": 1}]
OTHERWISE += [{"order": "killer", "root": "uniform:3x4:2"}, {"root": "uniform:3x5:2"}]


@pytest.mark.parametrize("changed", OTHERWISE, ids=" ".join)
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
        value = format_number(visit.value) if visit.kind in ("leaf", "finished") else ""
        expect(node(shown, visit.id).locator(".value")).to_have_text(value)  # only the leaves'
    told, score = shown.locator(".kx-reason"), shown.locator(".kx-found")
    visited = next(visit.id for visit in trace.visits() if visit.name == "G")
    why = {"G": f"✗ {trace.explain_visit(visited)}", "L": f"✓ {trace.why(trace.cuts[0])}"}
    for name, text in why.items():
        node(shown, ids[name]).locator(".shape").click()
        expect(shown.locator(".kx-card")).to_be_hidden()  # it would tell what is searched there
        assert told.inner_text().startswith(text[0])
        assert text[2:] in told.inner_text()
    assert str(node(shown, ids["L"]).get_attribute("aria-label")).endswith(", crossed out")
    assert shown.locator(".cutline").count() == 1
    assert violations(shown, axe) == []
    shown.locator(".tree").focus()
    shown.keyboard.press("End")  # by the keyboard: H, and N
    while selected(shown) != ids["N"]:
        shown.keyboard.press("ArrowUp")
    shown.keyboard.press("Enter")
    assert told.inner_text().startswith("✓")
    assert [int(word) for word in score.inner_text().split() if word.isdigit()] == [2, 2, 1]
    press(shown, "Start again")
    press(shown, "Show the rest")
    assert shown.locator(".cutline").count() == 2
    press(shown, "Stop crossing out")
    assert said(shown).startswith("Cut."), "where it was before"
