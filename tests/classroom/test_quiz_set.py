"""The quiz; its sets, which are handed in and graded; and crossing out unvisited branches."""

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
from ui import START, change, current_step, find_selected, node, press, read_sentence, violations

from kalahlab.classroom.quiz_set import QUESTIONS, SEEDS, draw_questions, grade_quiz, iter_questions
from kalahlab.evaluators.tree import written_value
from kalahlab.formatting import format_number
from kalahlab.games.hand_tree import AIMA_5_2, RICH_KNIGHT_12_5, HandTree
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.trace import record
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.models.packing import cross_out


@given(trees(), st.integers(0, SEEDS - 1))
def test_a_set_is_drawn_from_all_questions_and_is_the_same_for_its_number(root, seed):
    trace = record(alpha_beta, HandTree(root), root, written_value, Depth(9))
    pool, chosen = [*iter_questions(trace)], draw_questions(trace, seed)
    assert chosen == draw_questions(trace, seed)
    assert len(chosen) == min(QUESTIONS, len(pool)) == len({*map(id, chosen)})
    assert all(chosen.count(question) <= pool.count(question) for question in chosen)
    steps = [question.step for question in chosen]
    assert steps == sorted(steps)
    cuts = [question for question in pool if question.kind == "cut" and question.answer is True]
    assert len(cuts) == len(trace.cuts), "every cut can be asked about"


def set_of(explorer, seed):
    return draw_questions(explorer.request.run_first()[0], seed)


REFUSED = jsonl(Path(__file__).with_name("refused_sets.jsonl"))
REFUSED += [('{"":' * 20_000 + "}", "not a set that the quiz saved")]


@pytest.mark.parametrize(("changed", "complaint"), REFUSED)
def test_a_set_that_cannot_be_graded_is_refused_with_the_reason(changed, complaint):
    explorer = explore(AIMA_5_2, depth=9)
    answers = [question.answer for question in set_of(explorer, 7)]
    right = {"name": "A", "search": explorer.link, "seed": 7, "answers": answers, "right": 9}
    text = changed
    if isinstance(changed, dict):
        text = json.dumps(right | changed)
    with pytest.raises(ValueError, match=complaint):
        grade_quiz(text)


def test_the_quiz_asks_hides_the_answers_and_counts(show):
    explorer = explore(RICH_KNIGHT_12_5, depth=9)
    pool = [*iter_questions(explorer.request.run_first()[0])]
    page = show(explorer)
    press(page, "Quiz")
    message, score = page.locator(".kx-question"), page.locator(".kx-score")
    kinds = {"whether a branch is cut": "cut", "α": "alpha", "β": "beta", "the value": "value"}
    for label, kind in kinds.items():
        page.get_by_label("Ask for").select_option(label)
        questions_of_kind = [question for question in pool if question.kind == kind]
        if kind == "alpha":
            page.get_by_placeholder("a number, inf or -inf").fill("three")
            press(page, "Check")
            assert score.inner_text() == "", "what is no number is asked for again"
            assert page.evaluate("!document.activeElement.validity.valid")
        for turn, question in enumerate(questions_of_kind):
            hints = page.locator(".kx-ladder, .kx-counts, .bar").locator("visible=true")
            assert (current_step(page), hints.count()) == (question.step, 0)
            answer(page, question.answer, wrong=turn % 2)
            assert message.inner_text().startswith("✗" if turn % 2 else "✓")
            page.keyboard.press("Enter")
        assert "No more questions" in message.inner_text()
        missed = [question.answer for question in questions_of_kind[1::2]]
        counts = [len(questions_of_kind) - len(missed), len(questions_of_kind)]
        if kind == "cut":
            counts += [missed.count(True), missed.count(False)]
        assert [int(word) for word in score.inner_text().split() if word.isdigit()] == counts
    press(page, "Quiz")
    assert page.locator(".kx-ladder").is_visible()


def test_nodes_not_visited_yet_look_the_same_and_each_search_has_its_own_questions(show):
    page = show(explore(AIMA_5_2, depth=9))
    press(page, "Quiz")
    # The second node's first leaf is in; its others are never visited, its next sibling is.
    page.wait_for_selector(".kx-question button")
    looks = set()
    for item in page.locator(".node.wait").all():
        item.locator(".dot").click(force=True)
        looks.add(page.locator(".kx-panel h2").inner_text().split("\n", 1)[1])
        assert item.get_attribute("aria-expanded") is None
    assert looks == {"not visited yet"}
    question, other = page.locator(".kx-question p"), explore(START, depth=3)
    before = question.inner_text()
    change(page, traces=other.traces)
    page.get_by_text("Alpha-beta, depth 3").wait_for()
    assert question.inner_text() != before
    answers = {(q.step, q.kind): q.answer for q in iter_questions(other.request.run_first()[0])}
    is_cut = answers[current_step(page), "cut"]
    press(page, "Cut")
    assert question.inner_text().startswith("✓ Right." if is_cut else "✗ No.")


def test_a_set_is_answered_in_the_page_and_graded_by_the_command(run, show, tmp_path):
    explorer, file = explore(RICH_KNIGHT_12_5, depth=9), tmp_path / "quiz-12-Ann-b-Ng.json"
    questions = set_of(explorer, 12)
    page = show(explorer)
    press(page, "Quiz")
    page.get_by_label("Ask for").select_option("a set of up to ten, by its number")
    page.get_by_label("Number of the set").fill("12")
    page.get_by_role("button", name="Begin the set").click()
    panel, right = page.locator(".kx-question"), len(questions) - 2
    for index, question in enumerate(questions):
        page.get_by_text(f"Question {index + 1} of {len(questions)}").wait_for()
        answer(page, question.answer, wrong=index in (0, 4))
        press(page, "Next question")
    assert f"{right} of {len(questions)} right" in panel.inner_text()
    page.get_by_label("Your name, for your teacher").fill('Ann "<b>" Ng')
    with page.expect_download() as download:
        panel.get_by_role("button", name="Save").click()
    assert download.value.suggested_filename == file.name
    file.write_bytes(Path(download.value.path()).read_bytes())
    assert page.get_by_label("Your score as text").input_value() == file.read_text("utf-8")
    status, out, err = run("quiz", str(file), "--json")
    row = {"file": file.name, "name": 'Ann "<b>" Ng', "set": 12, "search": explorer.link}
    row |= {"right": right, "claimed": right, "of": len(questions)}
    row |= {f"question {index + 1}": index not in (0, 4) for index in range(len(questions))}
    assert (status, json.loads(out)["sets"], err) == (0, [row], "")


def answer(page, right, wrong):
    if isinstance(right, bool):
        name = "Cut" if right != wrong else "Search on"
        page.locator(".kx-question").get_by_role("button", name=name, exact=True).click()
        return
    text = str(right).replace("-", "−")
    if wrong:
        text = "−∞"
    page.get_by_label("Your answer").fill(text)
    page.keyboard.press("Enter")


def both(root):
    """Return the traces of alpha-beta and of minimax."""
    tree = HandTree(root)
    return [record(search, tree, root, written_value, Depth(9)) for search in (alpha_beta, minimax)]


@given(trees())
def test_the_branches_to_cross_out_are_those_that_alpha_beta_does_not_visit(root):
    trace, full = both(root)
    branches = json.loads(gzip.decompress(cross_out(trace, full)["branches"]))
    visited = {places(trace, visit) for visit in trace.visits()}
    for (top, why), visit in zip(branches, full.visits(), strict=True):
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
def test_the_text_of_a_visited_branch_has_the_bounds_it_was_entered_with(root):
    trace, _ = both(root)
    for visit in trace.visits():
        if visit.parent is None:
            continue
        above, why = trace.nodes[visit.parent], trace.explain_visit(visit.id)
        bound, best, choose, more = visit.beta, visit.alpha, max, "more"
        if not above.node.maximizing:
            bound, best, choose, more = visit.alpha, visit.beta, min, "less"
        if above.children[0] == visit.id:
            assert why.endswith("this is the first move. No value is known there yet.")
            continue
        before = [trace.nodes[id].value or 0 for id in above.children if id < visit.id]
        has = choose(before)
        assert f"{above.player} has {format_number(has)} so far." in why
        assert choose(has, best) == best
        if math.isinf(bound):
            assert why.endswith("so no cut is possible.")
        else:
            assert f"A cut needs {format_number(bound)} or {more}, because " in why
            assert choose(has, bound) == bound != has, "and so there was none"


OTHERWISE = [{"algorithm": "minimax"}, {"algorithm": "scout"}, {"depth": 1}]
OTHERWISE += [{"order": "killer", "root": "uniform:3x4:2"}, {"root": "uniform:3x5:2"}]


@pytest.mark.parametrize("changed", OTHERWISE, ids=" ".join)
def test_nothing_is_crossed_out_if_nothing_is_cut_or_the_orders_differ(changed):
    settings = {"root": AIMA_5_2, "game": "tree", "depth": 9}
    assert explore(**settings).exercise
    assert explore(**(settings | changed)).exercise == {}


def test_branches_are_crossed_out_and_the_reader_learns_why(show, axe):
    without = show(explore(RICH_KNIGHT_12_5, depth=9, algorithm="minimax"))
    assert without.get_by_role("button", name="Cross out").count() == 0
    trace, full = both(RICH_KNIGHT_12_5.root)
    ids = {visit.name: visit.id for visit in full.nodes}
    page = show(explore(RICH_KNIGHT_12_5, depth=9))
    press(page, "Next cut")
    press(page, "Cross out")
    expect(page.get_by_role("treeitem")).to_have_count(len(full.nodes))  # the whole tree
    for visit in full.nodes:
        value = format_number(visit.value) if visit.kind in ("leaf", "finished") else ""
        expect(node(page, visit.id).locator(".value")).to_have_text(value)  # only the leaves'
    reason, score = page.locator(".kx-reason"), page.locator(".kx-found")
    visited = next(visit.id for visit in trace.visits() if visit.name == "G")
    why = {"G": f"✗ {trace.explain_visit(visited)}", "L": f"✓ {trace.why(trace.cuts[0])}"}
    for name, text in why.items():
        node(page, ids[name]).locator(".shape").click()
        expect(page.locator(".kx-card")).to_be_hidden()  # it would tell what is searched there
        assert reason.inner_text().startswith(text[0])
        assert text[2:] in reason.inner_text()
    assert str(node(page, ids["L"]).get_attribute("aria-label")).endswith(", crossed out")
    assert page.locator(".kx-stage .cutline").count() == 1
    assert violations(page, axe) == []
    page.locator(".tree").focus()
    page.keyboard.press("End")  # by the keyboard: H, and N
    while find_selected(page) != ids["N"]:
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert reason.inner_text().startswith("✓")
    assert [int(word) for word in score.inner_text().split() if word.isdigit()] == [2, 2, 1]
    press(page, "Start again")
    press(page, "Show the rest")
    assert page.locator(".kx-stage .cutline").count() == 2
    press(page, "Stop crossing out")
    assert read_sentence(page).startswith("Cut."), "where it was before"
