"""Every exercise: the right answer is right, each foreseen mistake gets a hint of its own."""

import re
from pathlib import Path

import nbformat
import pytest

from kalahlab.exercises import Exercise, check, exercises_of
from kalahlab.exercises.model import alike

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
MODULES = Path(__file__).resolve().parents[1] / "kalahlab" / "exercises"
WITH = sorted(int(path.stem[1:]) for path in MODULES.glob("e[0-9][0-9].py"))

SUM = Exercise(
    "3.1",
    answers=lambda: [7, 8],
    hint="Count again.",
    solution="There are **{answer}** of them.",
    mistakes=["The root is no child."],
)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (..., "Exercise 3.1: not answered yet."),
        (7, "Exercise 3.1: right."),
        (8, "Exercise 3.1: not right. The root is no child."),
        (9, "Exercise 3.1: not right. Count again."),
    ],
)
def test_an_answer_is_told_what_is_wrong_and_not_what_is_right(given: object, said: str) -> None:
    feedback = SUM.check(given)
    assert repr(feedback) == said
    shown, _, hidden = feedback._repr_html_().partition("<details>")
    assert said in shown
    assert "<strong>7</strong>" in hidden


def test_answers_are_alike_however_they_are_written() -> None:
    assert alike([1, 2], (1, 2))
    assert alike(" Min", "MIN")
    assert alike(0.333, 1 / 3)
    assert not alike([1, 2], (2, 1))
    assert not alike(1, True)
    assert not alike(0.3, 1 / 3)


def test_an_unknown_exercise_is_named_beside_those_that_there_are() -> None:
    if WITH:
        with pytest.raises(ValueError, match=r"exercise is '.*99'; there are"):
            check(f"{WITH[0]}.99", ...)


@pytest.mark.parametrize("notebook", WITH)
def test_a_notebook_asks_its_exercises_and_no_others(notebook: int) -> None:
    numbers = [exercise.number for exercise in exercises_of(notebook)]
    assert numbers == [f"{notebook}.{place}" for place in range(1, len(numbers) + 1)]
    assert 3 <= len(numbers) <= 5
    [path] = NOTEBOOKS.glob(f"{notebook:02}_*.ipynb")
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    assert re.findall(r'check\("([\d.]+)", \.\.\.\)', "\n".join(sources)) == numbers
    for number in numbers:
        assert f"Exercise {number}" in "\n".join(sources)


@pytest.mark.parametrize("notebook", WITH)
def test_right_answers_are_right_and_mistakes_are_told_apart(notebook: int) -> None:
    for exercise in exercises_of(notebook):
        right, *wrong = exercise.answers()
        assert exercise.check(right).verdict == "right", exercise.number
        assert [exercise.check(each).hint for each in wrong] == exercise.mistakes, exercise.number
        assert exercise.check(object()).hint == exercise.hint
        assert str(right) not in exercise.hint.split()
