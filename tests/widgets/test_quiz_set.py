"""Quiz sets: the page and Python choose the same questions, and what is handed in is judged."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees
from ui import START, change, press, step

from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import AIMA_5_2, RICH_KNIGHT_12_5, HandTree
from kalahlab.search import Depth, alpha_beta
from kalahlab.trace import record
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.models.quiz_set import QUESTIONS, SEEDS, grade, questions, quiz_set


@given(trees(), st.integers(0, SEEDS - 1))
def test_a_set_is_part_of_what_can_be_asked_and_the_same_for_its_number(root, seed):
    trace = record(alpha_beta, HandTree(root), root, written_value, Depth(9))
    pool, chosen = [*questions(trace)], quiz_set(trace, seed)
    assert chosen == quiz_set(trace, seed)
    assert len(chosen) == min(QUESTIONS, len(pool)) == len({*map(id, chosen)})
    assert all(chosen.count(each) <= pool.count(each) for each in chosen)
    assert [each.step for each in chosen] == sorted(each.step for each in chosen)
    cuts = sum(each.kind == "cut" and each.answer is True for each in pool)
    assert cuts == len(trace.cuts), "every cut can be asked about"


def set_of(explorer, seed):
    return quiz_set(explorer.request.first()[0], seed)


def handed_in(**changed):
    explorer = explore(AIMA_5_2, depth=9)
    answers = [each.answer for each in set_of(explorer, 7)]
    given = {"name": "A. Student", "search": explorer.link, "seed": 7, "answers": answers}
    return json.dumps(given | {"right": len(answers)} | changed)


OTHER = "game=os.system&position=x&algorithm=minimax&depth=1"
REFUSED = [
    *(({"seed": seed}, f"the set's number is {seed}") for seed in (-1, True, SEEDS)),
    ({"answers": [True]}, "1 are answered"),
    *(
        ({name: {}}, "not what the quiz hands in")
        for name in ("answers", "right", "search", "name")
    ),
    ({"search": OTHER}, "unknown game"),
    ({"search": explore(AIMA_5_2, depth=9, algorithm="scout").link}, "without probes"),
]


@pytest.mark.parametrize(("changed", "complaint"), REFUSED)
def test_what_cannot_be_judged_is_said(changed, complaint):
    with pytest.raises(ValueError, match=complaint):
        grade(handed_in(**changed))


@pytest.mark.parametrize("text", ["", "[]", "3", '{"name": "x"}', "[" * 100_000])
def test_a_text_that_is_none_is_refused(text):
    with pytest.raises(ValueError, match="not what the quiz hands in"):
        grade(text)


# The page.


KINDS = {"whether a branch is cut": "cut", "α": "alpha", "β": "beta", "the value": "value"}


def test_the_quiz_asks_hides_what_would_tell_and_counts(show):
    explorer = explore(RICH_KNIGHT_12_5, depth=9)
    pool = [*questions(explorer.request.first()[0])]
    shown = show(explorer)
    press(shown, "Quiz")
    told, score = shown.locator(".kx-question"), shown.locator(".kx-score")
    for label, kind in KINDS.items():
        shown.get_by_label("Ask for").select_option(label)
        asked = [each for each in pool if each.kind == kind]
        if kind == "alpha":
            shown.get_by_label("Your answer").fill("three")
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
    asked = questions(other.request.first()[0])
    [cut] = (each.answer for each in asked if (each.step, each.kind) == (step(shown), "cut"))
    press(shown, "Cut")
    assert question.inner_text().startswith("✓ Right." if cut else "✗ No.")


def test_a_set_is_answered_in_the_page_and_judged_by_the_command(run, show, tmp_path):
    explorer, file = explore(RICH_KNIGHT_12_5, depth=9), tmp_path / "quiz-12-Ann-b-Ng.json"
    questions = set_of(explorer, 12)
    shown = show(explorer)
    press(shown, "Quiz")
    shown.get_by_label("Ask for").select_option("a set of ten, by its number")
    shown.get_by_label("Number of the set").fill("12")
    shown.get_by_role("button", name="Start", exact=True).nth(1).click()
    told, right = shown.locator(".kx-question"), len(questions) - 2
    for place, question in enumerate(questions):
        answer(shown, question.answer, wrong=place in (0, 4))
        press(shown, "Next question")
    assert f"{right} of {len(questions)} right" in told.inner_text()
    shown.get_by_label("Your name (optional)").fill('Ann "<b>" Ng')
    with shown.expect_download() as download:
        told.get_by_role("button", name="Save").click()
    assert download.value.suggested_filename == file.name
    file.write_bytes(Path(download.value.path()).read_bytes())
    assert shown.get_by_label("Your score as text").input_value() == file.read_text("utf-8")
    status, out, err = run("quiz", str(file), "--json")
    assert (status, err) == (0, "")
    row = {"file": file.name, "name": 'Ann "<b>" Ng', "set": 12, "search": explorer.link}
    assert json.loads(out)["sets"] == [
        row | {"right": right, "claimed": right, "of": len(questions)}
    ]


def answer(shown, right, wrong):
    if isinstance(right, bool):
        name = "Cut" if right != wrong else "Search on"
        shown.locator(".kx-question").get_by_role("button", name=name, exact=True).click()
    else:
        shown.get_by_label("Your answer").fill(str(right + wrong).replace("-", "−"))
        shown.keyboard.press("Enter")
