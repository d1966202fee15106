"""The sheet of exercises for a class, and how what is handed in is marked."""

import csv
import json
import re
from math import inf

import pytest

from kalahlab.exercises import check, exercises, mark, parsed
from kalahlab.report.rendering import parse
from kalahlab.report.sheet import sheet


def test_the_sheet_asks_every_exercise_with_room_and_solutions_at_the_back():
    html, number = sheet(solutions=True)
    page = parse(html)
    asked, solved = (
        [each["id"].partition("-")[2] for each in page.select(f"[id^={part}-]")]
        for part in ("question", "solution")
    )
    assert asked == solved == [*exercises()]
    assert number == len(asked) == len(page.select(".question .room"))
    assert "figure" in str(page.select_one("[id='question-3.1'] figcaption")).lower()
    assert page.select_one("[id='question-3.1'] figure img")
    assert page.select_one("[id='question-7.2'] figure table")
    assert not re.search(r"cell-id|\]\(|\.ipynb", html)
    back = page.select_one(".solutions")
    assert not back.find_next_siblings("section")


def test_a_sheet_of_one_notebook_without_solutions(run, tmp_path):
    out = tmp_path / "sheet.html"
    words = ("exercises", "--out", str(out), "--only", "03_pruning", "--json")
    status, said, _ = run(*words)
    page = parse(out.read_text(encoding="utf-8"))
    numbers = [number for number in exercises() if number.startswith("3.")]
    assert (status, json.loads(said)["exercises"]) == (0, len(numbers))
    assert [each["id"] for each in page.select("section")] == [f"question-{n}" for n in numbers]
    assert run("exercises", "--out", str(out), "--only", "03_prunning")[0] == 2


def as_toml(answer):
    return "inf" if answer == inf else json.dumps(answer)


def as_text(answer):
    return ", ".join(map(str, answer)) or "[]" if isinstance(answer, list) else str(answer)


@pytest.mark.parametrize("kind", ["toml", "csv", "texts.toml"])
def test_right_and_foreseen_wrong_answers_are_marked_as_they_are_checked(tmp_path, kind):
    """Each exercise's answer, and each of its mistakes, in a file."""
    for nth in range(4):
        given = {}
        for number, each in exercises().items():
            answers = [each.answer, *(mistake["answer"] for mistake in each.mistakes)]
            given[number] = answers[min(nth, len(answers) - 1)]
        file = tmp_path / f"student.{kind}"
        if kind == "csv":
            with file.open("w", newline="", encoding="utf-8") as lines:
                csv.writer(lines).writerows((n, as_text(each)) for n, each in given.items())
        else:
            shown = as_toml if kind == "toml" else (lambda each: as_toml(as_text(each)))
            lines = [f"{n} = {shown(each)}" for n, each in given.items()]
            file.write_text("\n".join(lines), encoding="utf-8")
        found = mark(file)
        assert found["name"] == file.stem
        verdicts = {number: each.verdict for number, each in found["answers"].items()}
        assert verdicts == {number: check(number, each).verdict for number, each in given.items()}


def test_an_empty_answer_is_none_yet():
    assert parsed("  ", 3) is parsed("", [1]) is ...
    assert parsed("x", 3) == "x"
    assert parsed("1/0", 3.5) == "1/0"


def test_a_class_is_marked_with_a_row_a_student(run, tmp_path):
    folder, out = tmp_path / "handed in", tmp_path / "marks.csv"
    folder.mkdir()
    texts = {
        "a.toml": 'name = "=Ada"\n1.1 = 3\n"3.2" = 4\n',
        "b.csv": "number,answer\n1.1,2\n3.2,\n",
        "c.toml": "x = [",
        "d.toml": "99.1 = 3\n3 = 1\n1.1 = 3",
        "e.csv": "\udcff",
        "f.toml": "[" * 100_000,
        "g.toml": "1.1 = " + "9" * 200_000,
        "notes.md": "not handed in",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    status, shown, _ = run("exercises", "--mark", str(folder), "--csv", str(out))
    with out.open(encoding="utf-8") as lines:
        rows = [*csv.DictReader(lines)]
    assert status == 1
    assert [row["file"] for row in rows] == sorted(texts)[:-1]
    ada, second, *bad = rows
    marks = [ada[name] for name in ("name", "right", "of", "1.1", "3.2")]
    assert marks == ["'=Ada", "2", "2", "1", "1"]
    assert [second[name] for name in ("name", "right", "1.1", "3.2")] == ["b", "0", "0", ""]
    for row in bad:
        assert row["problem"]
        assert f"{row['file']}: {row['problem'][:20]}" in shown
    assert "there is no exercise '99.1', there is no exercise '3'; the rest is marked" in shown
    found = json.loads(run("exercises", "--mark", str(folder), "--json")[1])["students"]
    assert [each["right"] for each in found] == [2, 0, 0, 1, 0, 0, 0]
