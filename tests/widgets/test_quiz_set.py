"""Quiz sets: the page and Python choose the same questions, and what is handed in is judged."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import Opener
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import AIMA_5_2, RICH_KNIGHT_12_5, Branch, HandTree
from kalahlab.search import Depth, alpha_beta
from kalahlab.trace import record
from kalahlab.widgets.explorer import Explorer, explore
from kalahlab.widgets.explorer.quiz_set import QUESTIONS, SEEDS, grade, questions, quiz_set
from kalahlab.widgets.page import page

if TYPE_CHECKING:
    from playwright.sync_api import Page

MIDDLE = "<6,4,5,2,3,1,7,1,1,1,3,1,10,9,0>"


@given(trees(), st.integers(0, SEEDS - 1))
def test_a_set_is_part_of_what_can_be_asked_and_the_same_for_its_number(
    root: Branch, seed: int
) -> None:
    trace = record(alpha_beta, HandTree(root), root, written_value, Depth(9))
    pool, chosen = [*questions(trace)], quiz_set(trace, seed)
    assert chosen == quiz_set(trace, seed)
    assert len(chosen) == min(QUESTIONS, len(pool)) == len({*map(id, chosen)})
    assert all(chosen.count(each) <= pool.count(each) for each in chosen)
    assert [each.step for each in chosen] == sorted(each.step for each in chosen)
    cuts = sum(each.kind == "cut" and each.answer is True for each in pool)
    assert cuts == len(trace.cuts), "every cut can be asked about"


def test_other_numbers_give_other_sets() -> None:
    trace, _ = explore(MIDDLE, depth=2).request.first()  # type: ignore[union-attr]
    sets = {tuple((each.step, each.kind) for each in quiz_set(trace, seed)) for seed in range(50)}
    assert len(sets) > 45


def handed_in(**changed: Any) -> str:
    explorer = explore(AIMA_5_2, depth=9)
    assert explorer.request
    asked = quiz_set(explorer.request.first()[0], 7)
    given = {
        "name": "A. Student",
        "search": explorer.link,
        "seed": 7,
        "answers": [each.answer for each in asked],
        "right": len(asked),
    }
    return json.dumps(given | changed)


def test_what_is_handed_in_is_judged_anew(run, tmp_path: Path) -> None:
    good, wrong, damaged = (tmp_path / f"{name}.json" for name in ("good", "wrong", "damaged"))
    good.write_text(handed_in(), encoding="utf-8")
    answers = json.loads(handed_in())["answers"]
    false = [not each if isinstance(each, bool) else each + 1 for each in answers[:3]]
    wrong.write_text(handed_in(answers=false + answers[3:]), encoding="utf-8")
    damaged.write_text(handed_in()[:50], encoding="utf-8")
    status, out, _ = run("quiz", str(good), str(wrong), str(damaged), "--json")
    rows = json.loads(out)["sets"]
    count = len(answers)
    assert [row.get("right") for row in rows] == [count, count - 3, None]
    assert [row.get("claimed") for row in rows] == [count, count, None]
    assert status == 1
    status, out, _ = run("quiz", str(good))
    assert status == 0
    assert "A. Student" in out


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"seed": -1}, "the set's number is -1"),
        ({"seed": True}, "the set's number is True"),
        ({"answers": [True]}, "1 are answered"),
        ({"answers": "all"}, "not what the quiz hands in"),
        ({"right": "all"}, "not what the quiz hands in"),
        ({"search": ["x"]}, "not what the quiz hands in"),
        ({"search": "game=os.system&position=x&algorithm=minimax&depth=1"}, "unknown game"),
        ({"search": explore(AIMA_5_2, depth=9, algorithm="scout").link}, "without probes"),
    ],
)
def test_what_cannot_be_judged_is_said(changed: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        grade(handed_in(**changed))


@pytest.mark.parametrize("text", ["", "[]", "3", '{"name": "x"}', "[" * 100_000])
def test_a_text_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not what the quiz hands in"):
        grade(text)


# The page.


def test_a_set_is_answered_in_the_page_and_judged_by_the_command(
    run, opened: Opener, tmp_path: Path
) -> None:
    explorer = explore(RICH_KNIGHT_12_5, depth=9)
    assert explorer.request
    asked = quiz_set(explorer.request.first()[0], 12)
    file, saved = tmp_path / "explorer.html", tmp_path / "quiz-12.json"
    file.write_text(explorer.page(), encoding="utf-8")
    with opened(reduced_motion="reduce", viewport={"width": 1280, "height": 900}) as shown:
        shown.goto(file.as_uri())
        shown.wait_for_selector(".kx[data-ready]")
        shown.get_by_role("button", name="Quiz", exact=True).click()
        shown.get_by_label("Ask for").select_option("a set of ten, by its number")
        shown.get_by_label("Number of the set").fill("12")
        shown.get_by_role("button", name="Start", exact=True).nth(1).click()
        for place, question in enumerate(asked):
            assert shown.evaluate(STEP) == question.step
            answer(shown, question.answer, wrong=place in (0, 4))
            told = shown.locator(".kx-question").inner_text()
            assert told.startswith("✗ No." if place in (0, 4) else "✓ Right.")
            shown.get_by_role("button", name="Next question").click()
        assert f"Set 12 is done: {len(asked) - 2} of {len(asked)} right." in (
            shown.locator(".kx-question").inner_text()
        )
        shown.get_by_label("Your name").fill('Ann "<b>" Ng')
        with shown.expect_download() as download:
            shown.locator(".kx-question").get_by_role("button", name="Save").click()
        assert download.value.suggested_filename == "quiz-12.json"
        saved.write_bytes(Path(download.value.path()).read_bytes())
        text = shown.get_by_label("Your score as text").input_value()
    assert saved.read_text(encoding="utf-8") == text
    status, out, err = run("quiz", str(saved), "--json")
    assert (status, err) == (0, "")
    [row] = json.loads(out)["sets"]
    assert row == {
        "file": "quiz-12.json",
        "name": 'Ann "<b>" Ng',
        "set": 12,
        "right": len(asked) - 2,
        "of": len(asked),
        "claimed": len(asked) - 2,
        "search": explorer.link,
    }


STEP = "document.querySelector('.kx').explorer.clock.k"


def answer(shown: "Page", right: bool | float, wrong: bool) -> None:
    if isinstance(right, bool):
        name = "Cut" if right != wrong else "Search on"
        shown.locator(".kx-question").get_by_role("button", name=name, exact=True).click()
    else:
        shown.get_by_label("Your answer").fill(str(right + wrong))
        shown.keyboard.press("Enter")


CHOSEN = """([place, seed]) => {
  const { quiz, panes } = document.getElementById(`widget-${place}`).querySelector(".kx").explorer;
  const { t } = panes()[0];
  return quiz.chosen(t, seed).map(({ k, kind, answer }) =>
    [k, kind, kind === "cut" ? answer : t.numbers[answer]]);
}"""


def test_the_page_and_python_choose_the_same(opened: Opener, tmp_path: Path) -> None:
    shown_searches = [
        explore(MIDDLE, depth=depth, order=order, algorithm=algorithm)
        for depth in (1, 2, 3)
        for order in ("pit", "store_first")
        for algorithm in ("alpha_beta", "minimax", "alpha_beta_table")
    ] + [explore(f"uniform:3x3:{seed}", game="tree", depth=9) for seed in range(6)]
    file = tmp_path / "all.html"
    file.write_text(page("All", [each.part() for each in shown_searches]), encoding="utf-8")
    with opened() as shown:
        shown.goto(file.as_uri())
        shown.wait_for_function(
            "count => document.querySelectorAll('.kx[data-ready]').length === count",
            arg=len(shown_searches),
        )
        for place, each in enumerate(shown_searches):
            for seed in (0, 1, 20_261_122, SEEDS - 1):
                assert shown.evaluate(CHOSEN, [place, seed]) == python_chooses(each, seed)


def python_chooses(explorer: Explorer, seed: int) -> list[list[Any]]:
    assert explorer.request
    trace, _ = explorer.request.first()
    return [[each.step, each.kind, each.answer] for each in quiz_set(trace, seed)]
