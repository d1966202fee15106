"""Untrusted data: files, links and messages run no code, stop nothing and forge nothing."""

import csv
import json
import re
import sys
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from conftest import jsonl

from kalahlab.classroom.quiz_set import draw_questions, grade_quiz
from kalahlab.experiments.grid_file import read_grid
from kalahlab.experiments.settings import Setting
from kalahlab.games.game_text import parse_game
from kalahlab.games.registry import game_type
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.players.parse import make_player
from kalahlab.players.search_spec import SearchSpec
from kalahlab.report.artifacts import Artifacts
from kalahlab.trace import Trace
from kalahlab.untrusted import escape_formula, read_text
from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.live import open_model

START = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"
EVIL = "evil_module.x"


@pytest.fixture(autouse=True)
def evil(tmp_path, monkeypatch):
    """Write a module beside the data, which must not be imported."""
    (tmp_path / "evil_module.py").write_text("x = print\nraise SystemExit('it ran')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


def ask(view, **request):
    """Send a message to a view; raise its error."""
    if error := view.answer({"id": 1, **request})["error"]:
        raise ValueError(error)


def search_saved_page(view, **changed):
    """Open a saved page with changes in its recipe, and search there."""
    recipe = {**view.to_recipe(), **changed}
    answer = open_model(json.dumps(recipe), lambda traits: None, lambda nodes: False)
    form = {**explore(START, depth=1).form, "depth": "2"} | changed
    if error := json.loads(answer(json.dumps({"id": 1, "search": form})))["error"]:
        raise ValueError(error)


def make_explorer():
    return explore(START, depth=1)


def form(**changed):
    return make_explorer().form | changed


def quiz_file(link):
    return json.dumps({"name": "A", "search": link, "seed": 1, "answers": [], "right": 0})


def link(**changed):
    parts = {"game": "kalah", "position": START, "algorithm": "alpha_beta", "depth": 1}
    return "&".join(f"{name}={value}" for name, value in (parts | changed).items())


def grid_of(**changed):
    settings = {"algorithms": ["alpha_beta"], "evaluators": ["e3"], "depths": [1], **changed}
    text = "\n".join(f"{name} = {json.dumps(value)}" for name, value in settings.items())
    Path("grid.toml").write_text(text)
    read_grid(Path("grid.toml"))


NEW = {"ask": "new", "pits": "3", "stones": "2"}
MEET = {"ask": "players", "north": "person"}
READERS = {
    "a game": lambda: parse_game(f"pits: 3\nstones: 2\nrules: {EVIL}\n"),
    "a game in a message": lambda: ask(make_explorer(), game=EVIL),
    "rules in a message": lambda: ask(Board(3, 2), **NEW, rules=EVIL),
    "a player in a message": lambda: ask(Board(3, 2), **NEW, north=EVIL),
    "players in a message": lambda: ask(Board(3, 2), **MEET, south=EVIL),
    "an evaluator of a player": lambda: ask(Board(3, 2), **MEET, south=f"alpha_beta:{EVIL}:1"),
    "a player of a saved page": lambda: search_saved_page(Board(3, 2), players=[EVIL, "person"]),
    "a trace": lambda: Trace.from_json(json.dumps({"game": EVIL, "nodes": [{"kind": EVIL}]})),
    "an order of a grid": lambda: grid_of(order=EVIL),
    "a leaf of a grid": lambda: grid_of(leaf=EVIL),
    "a point": lambda: Setting(EVIL, "e3", 1),
    "a pair": lambda: play_pair(Pair(EVIL, "random:1", START)),
    "rules of a pair": lambda: play_pair(Pair("random:1", "random:2", START, EVIL)),
    "a search": lambda: SearchSpec("alpha_beta", EVIL),
    "a player": lambda: make_player(EVIL),
    "a game by name": lambda: game_type(EVIL),
}
FORM = ("game", "algorithm", "evaluator", "order", "leaf")
EACH = {
    "in a message": (
        sorted(form().keys() - {"game"}),  # which is asked for by itself
        lambda name: ask(make_explorer(), search=form(**{name: EVIL})),
    ),
    "in a link": (
        (*FORM, "beside", "beside_order"),
        lambda name: ask(make_explorer(), link=link(**{name: EVIL})),
    ),
    "handed in": (FORM, lambda name: grade_quiz(quiz_file(link(**{name: EVIL})))),
    "of a saved page": (
        FORM,
        lambda name: search_saved_page(make_explorer(), query=link(**{name: EVIL})),
    ),
    "of a grid": (("algorithms", "evaluators", "rules"), lambda name: grid_of(**{name: [EVIL]})),
}
for where, (names, read) in EACH.items():
    READERS |= {f"{name} {where}": partial(read, name) for name in names}


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_no_data_imports_a_module(reader):
    with pytest.raises((ValueError, KeyError), match=r"^[^\n]*$"):
        reader()
    assert "evil_module" not in sys.modules


def test_a_person_may_name_a_function_and_workers_find_it(run, tmp_path):
    last = "def last(game, state):\n    return game.moves(state)[-1]\n"
    (tmp_path / "mybots.py").write_text(last)
    words = ("match", "mybots.last", "random:1", "--openings", "2", "--backend", "textbook")
    alone = run(*words, "--json")
    assert alone[0] == 0, alone
    assert run(*words, "--json", "--workers", "2") == alone
    answer = Board(3, 2, north="mybots.last").answer({"id": 1, **NEW, "south": "person"})
    assert answer["error"] == ""


def test_one_bad_file_does_not_end_the_marking(run, tmp_path):
    questions = draw_questions(explore(START, depth=2, evaluator="e3").request.run_first()[0], 1)
    good = {
        "name": "Ann\n evil  1 10  10 10\x1b[31m\ud800",
        "search": explore(START, depth=2, evaluator="e3").link,
        "seed": 1,
        "answers": [question.answer for question in questions],
        "right": 10,
    }
    betsy = "game=betsy&position=......................................../x&depth=100000"
    files = {
        "good": json.dumps(good),
        "nested": json.dumps(good | {"search": f"{good['search']}&options={'[' * 3000}"}),
        "options": json.dumps(good | {"search": f"{good['search']}&options={'[' * 100_000}"}),
        "huge": json.dumps(good).replace('"answers": [', f'"answers": [{10**400}, '),
        "big": json.dumps(good | {"name": "Big", "answers": [10**299] * len(questions)}),
        "Ann_9_assignsubmission_file_good": json.dumps(good),
        "Ann_9_assignsubmission_file_worse": json.dumps(good | {"answers": [0] * len(questions)}),
        "again": json.dumps(good | {"name": good["name"].upper(), "answers": [0] * len(questions)}),
        "deep": json.dumps(good | {"search": f"{betsy}&algorithm=minimax"}),
        "stones": json.dumps(good | {"search": link(position="<1,0,0,1000000000,1>")}),
        "json": "[" * 50_000,
        "empty": "{}",
        "long": json.dumps(good | {"name": "x" * 1000}),
    }
    for name, text in files.items():
        (tmp_path / f"{name}.json").write_text(text)
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    pasted = json.dumps(good | {"name": "Zoe\0{Li}"}, separators=(",", ":")).replace('"', "”")
    pasted = re.sub("(.{50})", r"\1\n", pasted.replace("\\u0000", "\n"))
    letter = f"Dear {{Sir}},\n{pasted}\nBest {{or so}}, Zoe"
    (tmp_path / "last.txt").write_text(letter, encoding="utf-16")
    (tmp_path / "mailed.txt").write_text(re.sub("(?m)^", "> > ", letter.replace("Zoe", "Mia")))
    (tmp_path / "eve.docx").write_bytes(b"PK")
    names = sorted(path.name for path in tmp_path.iterdir() if "worse" not in path.stem)
    names[0] += " and 1 more"  # the better one of the same student
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "json.json").write_text(json.dumps(good | {"seed": 7, "name": ""}))
    names.insert(names.index("stones.json"), "other/json.json")
    status, out, err = run("quiz", str(tmp_path), "--csv", "marks.csv")
    assert (status, err) == (1, "")
    rows_of_csv = [*csv.DictReader((tmp_path / "marks.csv").read_text("utf-8").splitlines())]
    assert [row["file"] for row in rows_of_csv] == names
    assert {row["name"] for row in rows_of_csv} >= {"Ann", "last", "empty", "bytes", "other", "Big"}
    assert {row["name_inside"] for row in rows_of_csv} >= {"Zoe {Li}", "Mia {Li}", ""}
    answers = {(row["search"], row["question 1"]) for row in rows_of_csv}
    assert answers == {(good["search"], "1"), (good["search"], "0"), ("", "")}
    assert {(row["right"], row["of"]) for row in rows_of_csv if row["problem"]} == {("0", "10")}
    assert "eve.docx: its name must end in .json or .txt" in out
    lines = out.splitlines()
    table, problems = lines[: len(names) + 1], lines[len(names) + 1 :]
    assert problems.pop() == "These files have another set or search than most: other/json.json"
    rows = dict(zip(names, table[1:], strict=True))
    assert "Ann\\n evil  1 10  10 10\\x1b[31m\\ud800" in rows[names[0]]
    for name, who in (("last.txt", "Zoe"), ("mailed.txt", "Mia")):
        stem = Path(name).stem
        assert rows[name].split() == [
            name,
            stem,
            who,
            "{Li}",
            "1",
            *[str(len(questions))] * 2,
            "10",
        ]
    assert rows["big.json"].split()[-3:] == ["0", str(len(questions)), "10"]
    assert max(map(len, problems)) < 300
    judged = {names[0], "again.json", "big.json", "good.json", "last.txt", "mailed.txt"}
    judged.add("other/json.json")
    assert sorted(line.split(":")[0] for line in problems) == sorted({*names} - judged)


def test_a_game_file_is_shown_and_obeys_limits(run, tmp_path):
    start = "pits: 2\nstones: 1\nsouth: \x1b]0;owned\x07\x9b31m\u202e\nnorth: B\n\n1. 1 1\n"
    (tmp_path / "game.txt").write_text(start, encoding="utf-16")
    status, out, _ = run("review", "game.txt", "--seconds", "0", "--depth", "1")
    assert status == 0
    assert "\\x1b]0;owned\\x07\\x9b31m\\u202e" in out
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*out}
    with pytest.raises(ValueError, match="too many; use at most 100"):
        parse_game("pits: 2\nstones: 1000000000")
    (tmp_path / "long.txt").write_text("#" * 2_000_000)
    assert "at most 1,000,000 characters are read" in run("review", "long.txt")[2]


DAMAGED = {
    "a drawing": lambda trace: trace["nodes"][1].update(drawn="x" * 2_000_000),
    "a board": lambda trace: trace["nodes"][1].update(board=[0] * 2_000_000),
    "a loop": lambda trace: trace["nodes"][0]["children"].append(0),
    "a parent": lambda trace: trace["nodes"][2].update(parent=10**6),
    "no root": lambda trace: trace["nodes"][0].update(parent=0),
    "a text": lambda trace: trace["nodes"][1].update(alpha="x"),
    "a kind": lambda trace: trace["nodes"][-1].update(kind="cut"),
    "no nodes": lambda trace: trace.update(nodes=[]),
}


@pytest.mark.parametrize("name", [*DAMAGED, "cut short"])
def test_a_damaged_trace_is_one_line(name, run, tmp_path):
    trace = json.loads(explore(START, depth=2).request.run_first()[0].to_json())
    DAMAGED.get(name, len)(trace)
    text = json.dumps(trace)
    (tmp_path / "trace.json").write_text(text[:300] if name == "cut short" else text)
    status, out, err = run("explore", "--trace", "trace.json", "--out", "page.html")
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert len(err) < 300
    assert not Path("page.html").exists()


def test_a_file_is_read_as_far_as_its_limit(tmp_path):
    (tmp_path / "long.txt").write_text("12345")
    assert read_text(tmp_path / "long.txt", 5) == "12345"
    with pytest.raises(ValueError, match="at most 4 bytes"):
        read_text(tmp_path / "long.txt", 4)


@pytest.mark.parametrize(("value", "written"), jsonl(Path(__file__).with_name("cells.jsonl")))
def test_a_text_is_no_formula_and_a_number_stays_one(value, written):
    assert escape_formula(value) == written


FORMULA = "-1+cmd|'/ccalc'!A0"


def test_the_table_of_a_notebook_is_safe_in_a_spreadsheet(tmp_path):
    frame = pd.DataFrame(
        {"move": [FORMULA, "2"], "value": [-1, 2], "=x": [None, -0.5], "both": [FORMULA, -7]},
        index=pd.Index(["@a", "b"], name="row"),
    )
    Artifacts(1, str(tmp_path / "out")).table("it", frame, "It.")
    assert (tmp_path / "out" / "tables" / "it.csv").read_text() == (
        f"row,move,value,'=x,both\n'@a,'{FORMULA},-1,,'{FORMULA}\nb,2,2,-0.5,-7\n"
    )
