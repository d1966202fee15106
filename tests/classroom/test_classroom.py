"""Submissions of a class: no student's file changes, hides or delays another's row."""

import csv
import json
import os
import subprocess
import sys
from itertools import chain, product
from pathlib import Path
from time import process_time

import pytest
from conftest import RUN_COMMANDS
from hypothesis import given, settings
from hypothesis import strategies as st

from kalahlab.classroom.grader import LOG, NEXT_STATE, Files, check
from kalahlab.classroom.quiz_set import draw_questions
from kalahlab.classroom.submissions import html_to_text
from kalahlab.published.homework import read_problem, render_files
from kalahlab.widgets.explorer import explore

CASES = {
    "1": "1\n1\n1\n3 3 3\n3 3 3\n0\n0\n",
    "2": "3\n1\n2\n2 0 2\n2 1 0\n0\n0\n",
    "3": "2\n2\n1\n2 1 2\n2 1 0\n1\n0\n",
}
RIGHT = {
    case: dict(zip((NEXT_STATE, LOG), render_files(read_problem(text)), strict=True))
    for case, text in CASES.items()
}
del RIGHT["1"][LOG]  # task 1 asks for none
START = "<3,0,0,2,2,2,2,2,2>"
SEARCH = explore(START, depth=2)
QUIZ = {
    "name": "",
    "search": SEARCH.link,
    "seed": 1,
    "answers": [question.answer for question in draw_questions(SEARCH.request.run_first()[0], 1)],
    "right": 10,
}


# --- what students do: each function writes into a folder that exists; files has the right ones


def write_files(place, files):
    for name, text in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def one_file(place, files):
    """Write the files, and return the path of the last one."""
    write_files(place, files)
    return place / [*files][-1]


def put_nothing(place, files):
    """Hand in an empty folder."""


def nest_deeply(place, files):
    write_files(place, files)
    folder = place / "a"
    for _ in range(1500):
        folder = folder / "d"
    folder = str(folder)
    outer = os.open(place, os.O_RDONLY)
    try:  # too long a path for one call
        for name in folder.removeprefix(f"{place}/").split("/"):
            os.mkdir(name, dir_fd=outer)
            inner = os.open(name, os.O_RDONLY, dir_fd=outer)
            os.close(outer)
            outer = inner
    finally:
        os.close(outer)


def link_out(place, files):
    one_file(place, files).unlink()
    (place / [*files][-1]).symlink_to(Path("secret.txt").absolute())


def link_in_circles(place, files):
    write_files(place, files)
    (place / "all").symlink_to(place.absolute().parent, target_is_directory=True)


def write_a_pipe(place, files):
    one_file(place, files).unlink()
    os.mkfifo(place / [*files][-1])


def change_last(change):
    def write(place, files):
        path = one_file(place, files)
        path.write_bytes(change(path.read_bytes()))

    return write


def with_more(**more):
    def write(place, files):
        write_files(place, files | {name.replace("__", "."): text for name, text in more.items()})

    return write


def move_into(*folders):
    def write(place, files):
        write_files(place.joinpath(*folders), files)

    return write


def fill_with_files(place, files):
    write_files(place, files)
    (place / "z").mkdir()
    for number in range(2100):
        os.mknod(place / "z" / str(number))


IN_A_FOLDER = {
    "all right": write_files,
    "nothing": put_nothing,
    "1,500 folders": nest_deeply,
    "2,100 files": fill_with_files,
    "a link to a file of the machine": link_out,
    "a link to the class": link_in_circles,
    "a pipe": write_a_pipe,
    "zero bytes": change_last(lambda data: b"\0" + data),
    "UTF-16 without a mark": change_last(lambda data: data.decode().encode("utf-16-le")),
    "UTF-16": change_last(lambda data: data.decode().encode("utf-16")),
    "nothing in a file": change_last(lambda data: b""),
    "a long line": change_last(lambda data: data + b"9" * 10_000_000),
    "a long file": change_last(lambda data: data + b"1 1 1 1\n" * 4_000_000),
    "long sums": change_last(lambda data: b"2.5 = " + b"1/0+" * 24_000 + b"1\n" + data),
    "random bytes": change_last(lambda data: bytes(range(128, 256)) * 9),
    "brackets": change_last(lambda data: b"[" * 90_000),
    "a long name": change_last(lambda data: b'name = "' + b"x" * 90_000 + b'"\n' + data),
    "another's name": change_last(
        lambda data: data.replace(b'"name": ""', b'"name": "Cleo"') + b'\nname = "Cleo"\n'
    ),
    "another page": with_more(page__html="<p>x</p>", notes__pdf=b"%PDF"),
    "a hidden folder": move_into(".hidden"),
    "two folders more": move_into("homework", "solution"),
    "packed": lambda place, files: write_files(place, {"hw.zip": b"PK"}),
    "what a Mac packs": lambda place, files: write_files(
        place, files | {"__MACOSX/._1": b"\0", ".DS_Store": b"\0"}
    ),
}
NAMES = {
    "of Moodle": "Ada L_11_assignsubmission_file_",
    "of another Ada": "Ada L_12_assignsubmission_file_",
    "of Gradescope": "submission_123",
    "with signs": 'Eve "<b>" =1+1\n',
    "of no text": os.fsdecode(b"M\xffa"),
    "of 250 letters": "n" * 250,
    "as a case": "2",
    "in capitals": "ADA",
    "in small letters": "ada",
}
SLOW = {"1,500 folders", "2,100 files", "a long line", "a long file"}


def folders_of(files):
    """Return for each name of a folder the function that fills it, given the right files."""
    kinds = IN_A_FOLDER | dict.fromkeys(NAMES.values(), write_files)
    return {name: lambda place, write=write: write(place, files) for name, write in kinds.items()}


HOMEWORK = {}
for case, files in RIGHT.items():
    HOMEWORK |= {f"{case}/{name}": text for name, text in files.items()}
EXERCISES = {"03_pruning.toml": "3.4 = 17\n3.2 = 4\n", "answers.toml": "1.1 = 3\n1.2 = 8\n"}
SETS = {"quiz-1.json": json.dumps(QUIZ)}
COMMANDS = {
    "homework": (HOMEWORK, ("homework", "cases", "--check", "class")),
    "exercises": (EXERCISES, ("exercises", "--mark", "class")),
    "quiz": (SETS, ("quiz", "class")),
}
commands = pytest.mark.parametrize("command", COMMANDS)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for case, text in CASES.items():
        write_files(tmp_path, {f"cases/{case}/input.txt": text})
    write_files(tmp_path, {"secret.txt": "root:x:0:0\n"})
    yield tmp_path
    clear()


def clear():
    # where Python's recursion is limited
    subprocess.run(["rm", "-rf", "class", "others"], check=True)


def make_class(folders, names):
    """Make the folder `class` anew, with the folders of these students."""
    clear()
    for name in names:
        Path("class", name).mkdir(parents=True)
        folders[name](Path("class", name))


def rows_of(run, words):
    """Run a command on a class, and return its rows by submission."""
    status, out, err = run(*words, "--json")
    assert status in (0, 1), (status, err)
    answer = json.loads(out)
    rows = {}
    for row in answer.get("students", answer.get("sets")):
        rows.setdefault(row.get("handed_in") or row["file"], []).append(row)
    return rows


TOO_MUCH = {
    "1,500 folders": "has more than 20 nested folders",
    "2,100 files": "has more than 2,000 files and folders",
    "a link to a file of the machine": "is a link, which is not followed",
    "a link to the class": "is a link, which is not followed",
    "a pipe": "is not a file that can be read",
    "zero bytes": "text; save",
    "UTF-16 without a mark": "text; save",
    "nothing": "has no ",
    "packed": "is a zip file; unpack it",
}
LONG = {
    "homework": {"a long file": "at most 20,000,000 are read", "a long line": "more than 1,000 c"},
    "exercises": {"a long file": "at most 100,000 bytes", "a long name": "at most 200 are read"},
    "quiz": {"a long file": "at most 100,000 bytes"},
}


def check_problems(command, rows):
    """Check that an unread file has a problem of one line, and costs its case only."""
    messages = TOO_MUCH | LONG[command]
    rows = {key.split("/")[0]: row for key, [row] in rows.items()}
    for name, message in messages.items():
        assert message in rows[name]["problem"], name
        assert "\n" not in rows[name]["problem"]
        assert len(rows[name]["problem"]) < 300
    best = rows["all right"]
    assert not best.get("problem")
    if command == "homework":
        wrong = {name: len(rows[name]["wrong"]) for name in [*messages, "all right"]}
        assert wrong == {
            **dict.fromkeys(messages, 1),
            **dict.fromkeys(["nothing", "packed"], 3),
            **dict.fromkeys(["1,500 folders", "2,100 files", "a link to the class"], 0),
            "all right": 0,
        }
    else:
        whole = {name for name, row in rows.items() if row["right"] == best["right"]}
        assert {"1,500 folders", "a link to the class", "all right"} <= whole


@pytest.mark.skipif(os.name == "nt", reason="has no pipes")
@commands
def test_each_row_of_a_class_of_forty_is_that_of_the_student_alone(run, place, command):
    files, words = COMMANDS[command]
    folders = folders_of(files)
    folders |= {f"right {number}": folders["all right"] for number in range(40 - len(folders))}
    make_class(folders, folders)
    start = process_time()
    rows = rows_of(run, words)
    assert process_time() - start < 60
    assert sum(map(len, rows.values())) == len(folders) == 40, "none vanishes, none is merged"
    assert "root:x" not in json.dumps(rows), "what a link leads to is not read"
    check_problems(command, rows)
    alone, others = {}, Path("class").rename("others")
    for name in folders:
        Path("class").mkdir()
        (others / name).rename(Path("class", name))
        alone |= rows_of(run, words)
        Path("class", name).rename(others / name)
        Path("class").rmdir()
    assert rows == alone


@commands
def test_another_submission_changes_no_row(run, place, command):
    files, words = COMMANDS[command]
    folders = folders_of(files)
    quick = st.sampled_from(sorted(folders.keys() - SLOW))

    @settings(max_examples=10)
    @given(st.lists(quick, min_size=2, max_size=3, unique=True))
    def changes_no_row(chosen):
        make_class(folders, chosen)
        rows = rows_of(run, words)
        make_class(folders, chosen[:-1])
        assert all(rows[key] == row for key, row in rows_of(run, words).items())

    changes_no_row()


@commands
def test_a_long_name_does_not_widen_the_table(run, place, command):
    files, words = COMMANDS[command]
    make_class(folders_of(files), ["n" * 250, "all right"])
    out = run(*words)[1]
    assert "n" * 30 in out
    assert max(map(len, out.splitlines())) < 200


# --- the student of a submission


LAYOUTS = {
    "Ada L_11_assignsubmission_file_/FILE": "Ada L",
    "Ada L_11_assignsubmission_onlinetext_/FILE": "Ada L",
    "Ada L_11_assignsubmission_file_FILE": "Ada L",
    "lada_11_901_FILE": "lada",
    "lada_LATE_11_901_FILE": "lada",
    "submission_7/FILE": "Ada Lovelace and Bob",
    "submission_8/FILE": "submission_8",
    "ada/FILE": "ada",
}
METADATA = "submission_7:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: 1\n  - :name: Bob\n"


@commands
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_packed_files_of_a_platform_are_read_without_changes(run, place, command, layout):
    files, words = COMMANDS[command]
    if command == "homework":
        words = ("homework", "cases/2/input.txt", "--check", "class")
        files = RIGHT["2"]
    write_files(Path("class"), {layout.replace("FILE", name): text for name, text in files.items()})
    write_files(Path("class"), {"submission_metadata.yml": METADATA, "zoe/a.docx": ""})
    rows = [*chain.from_iterable(rows_of(run, words).values())]
    [row] = [row for row in rows if not row.get("problem")]
    assert len(rows) == 2
    assert (row.get("name") or row["student"]) == LAYOUTS[layout]
    assert row["same"] if command == "homework" else row["right"] > 2


@pytest.mark.parametrize(
    "name", ["ada_%s.txt", "ada-%s (1).txt", "ada %s.TXT", "lada_11_9_%s-1.txt", "ada/%s (1).txt"]
)
def test_files_without_folders_are_grouped_by_the_name_before_that_of_the_file(run, place, name):
    for student in "ada", "bob":
        texts = {name.replace("ada", student) % file[:-4]: RIGHT["2"][file] for file in RIGHT["2"]}
        write_files(Path("class"), texts)
    status, out, _ = run("homework", "cases/2/input.txt", "--check", "class")
    rows = [line.split() for line in out.splitlines()[1:]]
    assert status == 0
    assert [row[1:] for row in rows] == [["0", "1"]] * 2
    assert [row[0].lstrip("l") for row in rows] == ["ada", "bob"]
    if "/" not in name:
        out = run("homework", "cases", "--check", "class")[1]
        assert "use a folder for each student, such as" in out
        assert "ada/1/next_state.txt" in out


def test_files_given_one_by_one_are_a_row_each(run, place):
    for student in "ada", "ben":
        write_files(Path("class", student), SETS)
    write_files(Path("class", "eve"), {"quiz-1.json": json.dumps(QUIZ | {"name": "Ada"})})
    Path("class", "tom").mkdir()
    Path("class", "link").symlink_to(Path("class", "nowhere"))
    status, out, _ = run("quiz", *map(str, sorted(Path("class").iterdir())), "--json")
    rows = {row["name"]: row for row in json.loads(out)["sets"]}
    assert (status, [*rows]) == (1, ["ada", "ben", "eve", "link", "tom"])
    assert [row["right"] > 0 for row in rows.values()] == [True] * 3 + [False] * 2
    assert rows["eve"]["name_inside"] == "Ada"
    assert "does not exist" in run("quiz", "class", "nowhere")[2]


@pytest.mark.parametrize("stray", ["1", "2"])
def test_the_folder_of_a_case_in_that_of_a_class_is_a_separate_row(run, place, stray):
    # such a folder comes from a zip file without a student's folder in it
    words = COMMANDS["homework"][1]
    for name in "ada", "ben":
        write_files(Path("class", name), HOMEWORK)
    before = rows_of(run, words)
    for name, text in RIGHT[stray].items():
        write_files(Path("class"), {f"{stray}/{name}": text})
    write_files(Path("class"), {"notes.pdf": "", ".DS_Store": "", ".git/config": ""})
    rows = rows_of(run, words)
    assert all(rows[key] == row for key, row in before.items())
    [row] = [row for key, [row] in rows.items() if key not in before]
    assert row["wrong"] == sorted(CASES.keys() - {stray})
    assert f"{stray} in class must be in the folder of a student" in row["problem"]
    text = " ".join(run(*words)[1].split())
    assert "Ignored: .DS_Store, .git, notes.pdf (names no student)." in text


def test_one_input_is_checked_in_the_folder_of_its_case_whatever_others_have(run, place):
    words = ("homework", "cases/2/input.txt", "--check", "class")
    write_files(Path("class", "ada"), RIGHT["2"])
    write_files(Path("class", "ben"), HOMEWORK)
    write_files(Path("class", "cleo"), {f"3/{name}": text for name, text in RIGHT["3"].items()})
    wrong = {row["student"]: row["wrong"] for [row] in rows_of(run, words).values()}
    assert wrong == {"ada": [], "ben": [], "cleo": [""]}, "another case's files are not compared"


def test_a_surplus_log_or_folder_is_tolerated_and_named(run, place):
    more = {f"1/{LOG}": "", "old/3/next_state.txt": "0", "2/traverse_log (1).txt": "0"}
    write_files(Path("class", "ada"), HOMEWORK | more)
    status, out, _ = run("homework", "cases", "--check", "class/ada")
    text = " ".join(out.split())
    assert (status, text.split(".")[0]) == (0, "No difference: 3 cases")
    assert f"a {LOG} in case 1, which task 1 does not ask for" in text
    assert "class/ada/2/traverse_log (1).txt" in text
    assert "the files in class/ada/old/3" in text


# --- what we cannot read or write

LIMITED = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]  # root, without its rights


def run_as_user(*lines):
    """Run commands in a process without the rights of root; return [status, stdout, stderr]."""
    prefix = LIMITED if os.geteuid() == 0 else []
    command = [*prefix, sys.executable, "-c", RUN_COMMANDS, json.dumps(lines)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


@pytest.mark.skipif(os.name == "nt", reason="has no such modes")
def test_a_folder_without_permission_is_a_row_and_stops_nothing(place):
    modes = {"none": 0o000, "names only": 0o444, "no names": 0o333, "right": 0o755}
    lines = []
    for command, (files, words) in COMMANDS.items():
        for name in modes:
            write_files(Path(f"of-{command}", name), files)
        write_files(Path(f"of-{command}", "a file"), files)
        Path(f"of-{command}", "a file", [*files][-1]).chmod(0)
        for name, mode in modes.items():
            Path(f"of-{command}", name).chmod(mode)
        lines.append(" ".join([*words[:-1], f"of-{command}", "--json"]))
    try:
        results = run_as_user(*lines)
    finally:
        for command, name in product(COMMANDS, modes):
            Path(f"of-{command}", name).chmod(0o755)
    for line in lines:
        status, out, err = results[line]
        assert (status, err) == (1, ""), line
        answer = json.loads(out)
        rows = {row.get("student") or row["name"]: row for row in next(iter(answer.values()))}
        problems = {name: row.get("problem", "") for name, row in rows.items()}
        assert problems.keys() == {*modes, "a file"}, line
        assert problems.pop("right") == ""
        for problem in problems.values():
            assert "cannot be read: Permission denied" in problem


def test_a_page_that_cannot_be_written_is_no_mistake_of_the_student(run, place, monkeypatch):
    for name in "ada", "ben", "eve":
        write_files(Path("class", name), HOMEWORK)
    write_files(Path("class", "eve"), {"3/next_state.txt": "x"})
    Path("pages", "ada.html").mkdir(parents=True)
    words = ("homework", "cases", "--check", "class", "--out", "pages", "--csv", "marks.csv")
    status, out, err = run(*words)
    assert (status, err.count("\n")) == (2, 1)
    assert "pages/ada.html is not written: 'pages/ada.html' is a folder" in err
    rows = {
        row["student"]: row for row in csv.DictReader(Path("marks.csv").read_text().splitlines())
    }
    assert {name: row["wrong"] for name, row in rows.items()} == {
        "ada": "0",
        "ben": "0",
        "eve": "1",
    }
    assert [row["page"] for row in rows.values()] == ["", "ben.html", "eve.html"]
    assert not any(row["problem"] for row in rows.values())
    assert "not written" not in out

    def fill(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kalahlab.cli.homework.write_atomic", fill)
    status, out, err = run(*words, "--json")
    answer = json.loads(out)
    assert (status, len(answer["not_written"])) == (2, 3)
    assert [row["wrong"] for row in answer["students"]] == [[], [], ["3"]]
    assert "pages/ben.html is not written: No space left on device" in err
    for folder in ("cases/1/input.txt", "pages"):  # a file, and a folder on the full disk
        page = f"{folder}/x.html"
        status, _, err = run("homework", "cases", "--check", "class/ada", "--out", page)
        assert (status, err.count("\n")) == (2, 1), page


@pytest.mark.skipif(os.name == "nt", reason="has no such modes")
def test_a_folder_for_pages_that_is_read_only_is_no_mistake_of_the_student(place):
    write_files(Path("class", "ada"), HOMEWORK)
    Path("pages").mkdir(mode=0o555)
    [(status, out, err)] = run_as_user("homework cases --check class --out pages").values()
    assert status == 2
    assert out.splitlines()[1].split() == ["ada", "0", "3"]
    assert "pages/ada.html is not written: Permission denied" in err


# --- the contents of the files

SPELLED = ["9999", "999", "1e9", "2147483647", "1.7976931348623157E308", "Inf", "1.#INF", "∞"]


@pytest.mark.parametrize("stones", [1, 4, 30])
def test_a_value_beyond_the_stones_of_the_board_is_infinite(tmp_path, stones):
    problem = read_problem(f"3\n1\n3\n{stones} 1 0\n0 2 {stones}\n0\n0\n")
    log = tmp_path / LOG
    text = render_files(problem)[1]
    for infinity in SPELLED:
        log.write_text(text.replace("Infinity", infinity), encoding="utf-8")
        [difference] = check([(problem, Files(log=log))]).differences
        assert difference.spelling, infinity
    log.write_text(text.replace("-Infinity", "4.9E-324"))
    [difference] = check([(problem, Files(log=log))]).differences
    assert difference.spelling, "Java's Double.MIN_VALUE"
    assert "4.9E-324 for -Infinity" in difference.why
    log.write_text(text.replace("Infinity", str(2 * stones + 3)))  # as many as there are
    assert not check([(problem, Files(log=log))]).differences[0].spelling
    deep = [line.split(",") for line in text.splitlines()]
    deep[-1][1] = "9999"
    log.write_text("\n".join(map(",".join, deep)))
    assert not check([(problem, Files(log=log))]).differences[-1].spelling, "a depth is a number"


def test_a_text_that_was_typed_into_moodle_is_read_as_lines():
    html = "<p>1.1&nbsp;= 3</p><p>1.2 = &quot;8&quot;<br>x<b>y</b></p>"
    assert html_to_text(html).split("\n") == ["", "1.1 = 3", '1.2 = "8"', "xy"]
