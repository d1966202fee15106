"""Exercises in a page of the report, which says of an answer what Python says of it."""

from pathlib import Path

import nbformat
import pytest
from conftest import cases
from nbformat.v4 import new_code_cell, new_notebook, new_output

from kalahlab.exercises import check, exercises
from kalahlab.report.manifest import Record
from kalahlab.report.pages import bind, read_page


@pytest.fixture(scope="module")
def exercise_page(tmp_path_factory):
    """A page with all exercises."""
    folder = tmp_path_factory.mktemp("exercises")
    cell = new_code_cell("check")
    told = [{"text/html": check(number, ...)._repr_html_()} for number in exercises()]
    cell.outputs = [new_output("display_data", each) for each in told]
    nbformat.write(new_notebook(cells=[cell]), folder / "01_all.ipynb")
    record = Record("01_all", "smoke", {}, "", "ok", 1, 0.0)
    [(name, html)] = bind([read_page(record, folder)]).items()
    (folder / name).write_text(html, encoding="utf-8")
    return (folder / name).as_uri()


@pytest.fixture(scope="module")
def shown_page(opened, exercise_page):
    with opened(viewport={"width": 390, "height": 800}) as page:
        page.goto(exercise_page)
        yield page


def box_of(page, number):
    field = page.get_by_role("textbox", name=f"Your answer to exercise {number}", exact=True)
    return page.locator(".exercise").filter(has=field)


def said_of(page, typed):
    """What the page says of each (exercise, typed text)."""
    return page.evaluate(
        """typed => {
          const forms = new Map([...document.querySelectorAll("form.check")].map((form) =>
            [form.querySelector("label").textContent.trim().split(" ").at(-1), form]));
          return typed.map(([number, text]) => {
            const form = forms.get(number);
            form.querySelector("input").value = text;
            form.requestSubmit();
            return form.querySelector("output").textContent;
          });
        }""",
        typed,
    )


def expected(number, answer):
    told = check(number, answer)
    return "Right." if told.verdict == "right" else f"Not right. {told.hint}"


def test_the_page_says_of_every_answer_what_python_says(shown_page):
    every = [
        each
        for told in exercises().values()
        for each in (told.answer, *(mistake["answer"] for mistake in told.mistakes))
    ]
    cases = [
        (number, answer)
        for number, told in exercises().items()
        for answer in every
        if isinstance(answer, list) == isinstance(told.answer, list)
    ]
    said = said_of(shown_page, [(number, repr(answer)) for number, answer in cases])
    assert said == [expected(*case) for case in cases]
    assert len({*said}) > 150


@cases(Path(__file__).parent / "typed_answers.csv")
def test_an_answer_may_be_typed_in_several_ways(shown_page, number, text):
    assert said_of(shown_page, [(number, text)]) == ["Right."]


def test_nonsense_is_not_right_and_nothing_is_not_judged(shown_page):
    for text in ("x", "(", "]", "/", "1/2/3", "'", "[[]]", "<b>", "NaN", "__proto__"):
        said = said_of(shown_page, [(number, text) for number in exercises()])
        assert said == [f"Not right. {each.hint}" for each in exercises().values()], text
    assert {*said_of(shown_page, [(number, "  ") for number in exercises()])} == {""}
    assert shown_page.locator(".exercise.right, .exercise.not-right").count() == 0


def test_a_reader_answers_by_the_keyboard_and_looks_at_the_solution(shown_page, axe):
    box = box_of(shown_page, "3.2")
    box.get_by_role("textbox").fill("∞")
    box.get_by_role("textbox").press("Enter")
    assert box.get_by_role("status").inner_text().startswith("Not right. That is β.")
    box.get_by_role("textbox").fill("4")
    box.get_by_role("textbox").press("Tab")
    shown_page.keyboard.press("Space")
    assert box.get_by_role("status").inner_text() == "Right."
    assert "right" in str(box.get_attribute("class")).split()
    solution = box.get_by_text("B is finished and worth 4")
    assert not solution.is_visible()
    box.get_by_text("Solution").click()
    assert solution.is_visible()
    shown_page.evaluate(axe)
    found = shown_page.evaluate("axe.run('.exercise', { resultTypes: ['violations'] })")
    assert found["violations"] == []
    assert shown_page.evaluate("document.documentElement.scrollWidth") == 390
    shown_page.emulate_media(media="print")
    assert not box.is_visible()
    shown_page.emulate_media(media="screen")


def test_without_scripts_there_is_the_solution_alone(opened, exercise_page):
    with opened(java_script_enabled=False) as page:
        page.goto(exercise_page)
        assert page.locator("form.check:visible").count() == 0
        page.locator("summary", has_text="Solution").first.click()
        assert page.get_by_text("its stones fall into pits 4, 5 and 6").is_visible()
