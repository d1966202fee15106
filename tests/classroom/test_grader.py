"""The homework's grader: right files have no difference, known mistakes are recognized."""

import json
from collections import defaultdict
from csv import DictReader
from dataclasses import replace
from itertools import count, zip_longest
from pathlib import Path
from random import Random

import pytest
from conftest import cases, jsonl
from pseudo_code import DEFECTIVE, STRANGE, TWO_DEFECTS, PseudoCode

from kalahlab.classroom import grader
from kalahlab.classroom.grader import (
    LOG,
    LOG_LENGTHS,
    NEXT_STATE,
    Files,
    check,
    describe_action,
    make_inputs,
)
from kalahlab.published import homework
from kalahlab.published.homework import ALPHA_BETA, KNOWN_MISTAKES, read_problem, render_files
from kalahlab.trace import Recorder, Trace

ALONE = "Only the spelling differs."
UNKNOWN = "The mistake is unknown: no known mistake leads to these files"


def names_of(mistakes):
    return tuple(mistake.name for mistake in mistakes)


BY_NAME = {mistake.name: mistake for mistake in KNOWN_MISTAKES}


def random_input(seed, task=0):
    rng = Random(seed)
    pits = rng.randint(3, 4)
    stones = (0, 1, 2, 3, 4, 5, 2 * pits + 1)
    row_a = [rng.choice(stones) for _ in range(pits)]
    row_b = [rng.choice(stones) for _ in range(pits)]
    head = [[task or rng.randint(2, 3)], [rng.randint(1, 2)], [rng.randint(1, 3)]]
    lines = [*head, row_a, row_b, [rng.randint(0, 9)], [rng.randint(0, 9)]]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def save_files(folder, program):
    files = Files(folder / NEXT_STATE, folder / LOG if program.task != "1" else None)
    files.board.write_text(program.after)
    if files.log is not None:
        files.log.write_text("\n".join(program.log) + "\n")
    return files


def inputs_that_show(name, program, needed=4):
    """Yield inputs for which a program with a mistake writes other files, and the program run."""
    task = int(BY_NAME[name].task or 0)
    for seed in count():
        text = random_input(seed, task)
        run, right = program(text), PseudoCode(text)
        if (run.log, run.after) != (right.log, right.after):
            needed -= 1
            yield text, run
        if needed == 0:
            return


@pytest.mark.parametrize("name", DEFECTIVE)
def test_a_mistake_is_recognized_in_any_spelling(tmp_path, name):
    for text, program in inputs_that_show(name, DEFECTIVE[name]):
        files = save_files(tmp_path, program)
        report = check([(read_problem(text), files)])
        assert (BY_NAME[name],) in report.explanations
        files.log.write_text(files.log.read_text().lower().replace("infinity", "inf"))
        files.board.write_text(files.board.read_text().replace(" ", ", "))
        respelled = check([(read_problem(text), files)])
        places = [(diff.file, diff.line) for diff in respelled.differences if not diff.spelling]
        assert respelled.differences[0].spelling
        assert places == [(diff.file, diff.line) for diff in report.differences] != []
        assert respelled.explanations == report.explanations


def test_two_mistakes_at_once_are_named_in_the_order_in_which_to_fix_them(tmp_path):
    one, other = BY_NAME["depth-in-moves"], BY_NAME["last-of-equals"]
    names = set[tuple[str, ...]]()
    for text, program in inputs_that_show("depth-in-moves", TWO_DEFECTS["defects"]):
        after, log = render_files(read_problem(text), replace(one.defects, last_of_equals=True))
        assert (after, log.splitlines()) == (program.after, program.log)
        report = check([(read_problem(text), save_files(tmp_path, program))])
        assert any({*mistakes} <= {one, other} for mistakes in report.explanations)
        names.update(map(names_of, report.explanations))
    assert {("depth-in-moves",), ("depth-in-moves", "last-of-equals")} <= names


def first_difference(yours, ours):
    """Return the first line that differs from those of a grading case that are not optional."""
    required = [line for line in ours.read_text().splitlines() if not line.endswith("OPTIONAL")]
    pairs = zip_longest(yours.read_text().splitlines(), required, fillvalue="")
    for number, (your_line, our_line) in enumerate(pairs, start=1):
        if your_line != our_line:
            return number, your_line, our_line
    return None


@pytest.fixture
def run_grading_cases(oracles, tmp_path):
    """Run a program on the grading cases: (input, its files, the first difference by file)."""

    def run_grading_cases(program):
        # the logs of cases 7 and 13 have nine tenths of all lines; 5 and 10 are of their task
        for case in (f"{number:02}" for number in range(1, 16) if number not in (7, 13)):
            wanted = oracles / "homework" / case
            (folder := tmp_path / case).mkdir()
            text = (wanted / "input.txt").read_text()
            (folder / "input.txt").write_text(text)
            files = save_files(folder, program(text))
            paths = [path for path in (files.log, files.board) if path]
            first = {path.name: first_difference(path, wanted / path.name) for path in paths}
            differences = {name: line for name, line in first.items() if line is not None}
            yield read_problem(text), files, differences

    return run_grading_cases


@pytest.mark.parametrize("name", STRANGE)
def test_a_mistake_that_is_not_known_is_not_taken_for_one(run_grading_cases, monkeypatch, name):
    cases = list(run_grading_cases(STRANGE[name]))
    with monkeypatch.context() as patch:
        patch.setattr(homework, "KNOWN_MISTAKES", ())  # they change no differences; below, all do
        reports = [check([(problem, files)]) for problem, files, _ in cases]
    for (*_, first), report in zip(cases, reports, strict=True):
        reported = {diff.file: (diff.line, diff.yours, diff.ours) for diff in report.differences}
        assert reported == first
    report = check([case[:2] for case in cases])
    assert report.explanations == ()


def test_a_cause_of_one_case_is_not_named_if_another_case_refutes_it(
    run, tmp_path, run_grading_cases
):
    assert list(run_grading_cases(STRANGE["an extra turn for MAX only"]))
    words = ("homework", str(tmp_path / "10" / "input.txt"), "--check", str(tmp_path / "10"))
    description = BY_NAME["depth-in-moves"].description
    assert description in run(*words)[1]
    status, out, err = run("homework", str(tmp_path), "--check", str(tmp_path))
    assert (status, err) == (1, "")
    assert "of 13 cases differ: " in out
    assert UNKNOWN in " ".join(out.split())
    assert description not in out


def test_a_log_is_left_at_its_first_wrong_line(tmp_path):
    # these searches would take years, if they did not end where the log differs
    problem = read_problem("3\n1\n40\n4 4 4 4 4 4\n4 4 4 4 4 4\n0\n0\n")
    log = tmp_path / LOG
    log.write_text("Node,Depth,Value,Alpha,Beta\nroot,0,-Infinity,-Infinity,Infinity\nB2,1,0,0,0\n")
    report = check([(problem, Files(log=log))])
    assert [(diff.line, diff.place) for diff in report.differences] == [(3, "after B2")]
    assert report.explanations == ()


def test_a_cut_is_explained_as_a_trace_explains_it():
    cuts, reasons = 0, dict[tuple[str, ...], str]()

    def write(line, optional):
        if program.action == "cut":
            reasons[tuple(node.name for node in program.path[1:])] = describe_action(program)

    for seed in range(150):
        problem = read_problem(random_input(seed, ALPHA_BETA))
        recorder = Recorder(problem.game)
        program = homework.Program(problem, write=write)
        program.run()
        trace = Trace(homework.solve(problem, recorder), recorder.tree())
        for cut in trace.cuts:
            why = trace.why(cut).replace("\N{MINUS SIGN}", "-")
            assert why in reasons[tuple(trace.path(cut.node))]
            cuts += 1
        reasons.clear()
    assert cuts > 300


PROBLEM = "3\n1\n2\n0 0 2 1 1\n1 0 0 0 1\n0\n0\n"
"""The third grading case."""


def test_a_line_that_is_no_text_after_the_first_difference_refutes_each_mistake(tmp_path):
    problem, log = read_problem(PROBLEM), tmp_path / LOG
    text = render_files(problem, BY_NAME["order-reversed"].defects)[1]
    log.write_text(text)
    explained = check([(problem, Files(log=log))])
    log.write_text(f"{text}\0\n")
    report = check([(problem, Files(log=log))])
    assert report.differences == explained.differences
    assert explained.explanations == ((BY_NAME["order-reversed"],),)
    assert report.explanations == ()


@pytest.fixture
def check_changed(run, oracles, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "input.txt").write_text(PROBLEM)
    right = {file: (oracles / "homework" / "03" / file).read_text() for file in (LOG, NEXT_STATE)}

    def check_changed(old, new, *words):
        file = next(name for name, text in right.items() if old in text)
        Path(file).write_bytes(right[file].replace(old, new).encode())
        return run("homework", "input.txt", "--check", file, *words)

    return check_changed


@pytest.mark.parametrize(("old", "new", "note"), jsonl(Path(__file__).with_name("tolerated.jsonl")))
def test_differences_without_a_meaning_are_tolerated_and_noted(check_changed, old, new, note):
    status, out, err = check_changed(old, new)
    assert (status, err) == (0, "")
    assert out.startswith("No difference: traverse_log.txt.\n")
    assert note in " ".join(out.split())
    assert ("Not counted" in out) == bool(note or "OPTIONAL" in Path(LOG).read_text())


@cases(Path(__file__).with_name("differences.csv"))
def test_a_difference_is_explained(check_changed, old, new, line, words):
    # a slash ends a line
    status, out, err = check_changed(
        *(t.replace("/", "\n") for t in (old, new)), "--csv", "marks.csv"
    )
    assert (status, err) == (1, "")
    assert f".txt: first difference in line {line}.\n" in out[:60]
    text = " ".join(out.split())
    marks = Path("marks.csv").read_text()
    for slip in ("is missing", "one too many"):
        assert slip in marks or slip not in words
    for sentence in words.split("; "):
        assert sentence in text
    if "stops early" in marks:
        assert "file stops" in words
        assert UNKNOWN not in text
    else:
        assert "file stops" not in words
        assert UNKNOWN in text
        assert "list the known mistakes." in text
    assert max(map(len, out.splitlines())) <= 80
    assert ALONE not in out


@cases(Path(__file__).with_name("spellings.csv"))
def test_another_spelling_is_reported_as_one(check_changed, old, new, line, said):
    status, out, err = check_changed(old, new)
    assert (status, err) == (1, "")
    assert out.startswith(f"traverse_log.txt: first difference in line {line}, only in spelling.\n")
    text = " ".join(out.split())
    assert "The values are right here, but the spelling differs: " in text
    assert said in text
    assert ALONE in text


def test_the_json_has_the_search_and_the_differences(check_changed):
    answer = json.loads(check_changed("B6,1,-2", "B6,1,2", "--json")[1])
    wanted = {"rules": "empty-capture", "algorithm": "alpha_beta", "depth": 2, "unit": "turn"}
    assert wanted.items() <= answer.items()
    assert answer["board"] == "<5,0,0,1,0,0,0,1,1,1,2,0,0>"
    [difference] = answer["differences"]
    assert (difference["yours"], difference["ours"]) == ("B6,1,2,0,Infinity", "B6,1,-2,0,Infinity")
    assert difference["place"] == "after B6"
    assert difference["board"] == "0 0 2 1 1\n1 0 0 0 0\n0\n1\n"
    assert not answer["same"]


def test_the_page_opens_where_the_logs_differ(check_changed):
    status, out, _ = check_changed("A5,2,1,-Infinity", "A5,1,1,-inf", "--out", "page.html")
    assert (status, out.splitlines()[-1]) == (1, "open page.html")
    # the root, B2, A4 in and out, A5 in and out
    page = Path("page.html").read_text()
    assert all(text in page for text in ('"step":6', "The explorer shows them after it."))
    assert "A5,<mark>1</mark>,1,-inf,0" in page, "another spelling is not what differs"
    assert "A5,2,1,-Infinity,0</td>" in page
    assert f"<p>{UNKNOWN}" in page
    assert '"south":["B2","B3"' in page, "the board names pits as the moves are named"
    assert "<th>A (player 2)</th>" + "".join(f"<td>{count}</td>" for count in "003010") in page
    check_changed("A5,2,1,-Infinity", "A5,2,1,-inf", "--out", "page.html")
    assert "A5,2,1,<mark>-inf</mark>,0" in Path("page.html").read_text()


def test_a_class_is_a_table_with_a_row_a_student(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    seeds = {"9": 5, "10": 6, "11": 7}
    problems = {case: random_input(seed, ALPHA_BETA) for case, seed in seeds.items()}
    programs = {
        "a": PseudoCode,
        "b": TWO_DEFECTS["defects"],
        "c": STRANGE["the value is our store alone"],
    }
    for case, text in problems.items():
        Path("cases", case).mkdir(parents=True)
        Path("cases", case, "input.txt").write_text(text)
        for name, program in {**programs, "d": PseudoCode, "e": PseudoCode}.items():
            folder = Path("class", name, case)
            folder.mkdir(parents=True)
            save_files(folder, program(text))
    Path("class", "d", "9", LOG).write_bytes(b"\0")
    Path("class", "e", "10", LOG).rename(Path("class", "e", "log.tar"))
    Path("class", "f").mkdir()
    Path("class", "__MACOSX").mkdir()
    Path("class", "i.zip").touch()
    for case in problems:
        suffix = "" if case == "9" else ".txt"
        for file in Path("class", "a", case).iterdir():
            to = Path("class", "g", "h", case, file.name.title() + suffix)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(file.read_text(), encoding="utf-16", newline="\r\n")
    Path("class", "j", "case9").mkdir(parents=True)
    words = ("homework", "cases", "--check", "class", "--csv", "marks.csv")
    assert "for 9 students give a folder" in run(*words, "--out", "page.html")[2]
    assert "folders of the same name" in run(*words, "--check", "class", "--out", "pages")[2]
    status, out, _ = run(*words, "--out", "pages")
    assert (status, out.splitlines()[-1]) == (1, "open pages")
    marks = Path("marks.csv").read_text().splitlines()
    rows = {row["student"]: row for row in DictReader(marks)}
    assert [*rows] == [*"abcdefg", "i.zip", "j"]
    assert [name for name, row in rows.items() if row["page"] == f"{name}.html"] == [*"abcdeg"]
    assert "<h1>b: Where the files first differ</h1>" in Path("pages", "b.html").read_text()
    assert [rows["a"][name] for name in ("wrong", "fix_first", "problem")] == ["0", "", ""]
    assert (rows["b"]["fix_first"], rows["b"]["then"]) == ("depth-in-moves", "last-of-equals")
    assert rows["c"]["fix_first"] == "unknown"
    assert [rows[name]["wrong"] for name in "adefg"] == [*"01130"]  # what is missing is wrong
    assert {row["of"] for row in rows.values()} == {"3"}
    problems = [rows[name]["problem"] for name in (*"def", "i.zip", "j")]
    assert BY_NAME.keys() <= {*run("homework", "--mistakes")[1].split()}
    assert "line 1 is not text" in problems[0]
    packed = f"missing: 10/{LOG}; not read: class/e/log.tar is a tar file; unpack it"
    assert problems[1:3] == [packed, f"class/f has no {NEXT_STATE} and no {LOG}"]
    assert problems[3] == "class/i.zip is a zip file; unpack it"
    assert "; it has case9; its folders must be named 9, 10, 11" in problems[4]
    assert all(problem in " ".join(out.split()) for problem in problems)
    assert f"depth-in-moves: {BY_NAME['depth-in-moves'].description}." in out
    assert "unknown: no known mistake, alone or together" in out
    for name in (LOG, NEXT_STATE):
        right = Path("class", "a", "11", name).read_text()
        Path("class", "b", "11", name).write_text(right.lower())
    assert "Only the spelling differs in 11." in run("homework", "cases", "--check", "class/b")[1]
    log = Path("class", "g", "h", "10", f"{LOG.title()}.txt")
    log.write_text(log.read_text(encoding="utf-16").lower())
    text = run("homework", "cases", "--check", "class/g/h")[1].replace("\n", " ")
    assert f"cases differ in their spelling: 10. The lines above are from case 10. {ALONE}" in text
    students = json.loads(run(*words, "--json", "--semicolons")[1])["students"]
    assert [row["student"] for row in students] == [*rows]
    assert Path("marks.csv").read_text(encoding="utf-8").startswith("\ufeffstudent;wrong;of;")
    assert [row["same"] for row in students[:2]] == [True, False]
    compared = {"cases": "3 cases.\n", "cases/9/input.txt": "class/a/9/next_state.txt"}
    for problem, message in compared.items():
        status, out, _ = run("homework", problem, "--check", "class/a")
        assert (status, out.startswith(f"No difference: {message}")) == (0, True)
    same = "The submitted files are right; "
    lacking = {"d": f"not read: class/d/9/{LOG}, line 1 is not", "e": "missing: 10/"}
    for name, message in lacking.items():
        status, out, _ = run("homework", "cases", "--check", f"class/{name}")
        assert (status, " ".join(out.split()).startswith(same + message)) == (1, True)
    status, out, err = run("homework", "cases", "--check", "class/a/9")
    assert (status, out) == (2, "")
    assert "class/a/9 has the files of one input; put them into class/a/9/9, or give that" in err


@cases(Path(__file__).with_name("refused_files.csv"))
def test_bad_files_are_one_line(run, tmp_path, monkeypatch, task, files, checked, said):
    monkeypatch.chdir(tmp_path)
    Path("input.txt").write_text(task + PROBLEM[1:])
    Path("student").mkdir()
    for name, content in json.loads(files).items():
        Path("student", name).write_bytes(content.encode("latin-1"))
    words = []
    for path in checked.split():
        words += ["--check", path]
    status, out, err = run("homework", "input.txt", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_files_are_told_apart_by_their_content_if_not_by_their_names(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("input.txt").write_text(PROBLEM)
    program = PseudoCode(PROBLEM)
    Path("board.out").write_text(program.after)
    Path("log.out").write_text("\n".join(program.log))
    words = ("--check", "log.out", "--check", "board.out")
    status, out, _ = run("homework", "input.txt", *words)
    assert (status, out.splitlines()[0]) == (0, "No difference: board.out and log.out.")
    Path("board.out").write_text(program.after.replace("0", "7", 1))
    status, out, _ = run("homework", "input.txt", *words)
    assert status == 1
    assert "This is the row of player 2. Our turn is B2." in out


PROGRAMS = {(): homework.RIGHT} | {(mistake.name,): mistake.defects for mistake in KNOWN_MISTAKES}
PAIRS = homework.pairs_of_mistakes()
BY_TWO = PROGRAMS | {names_of(pair): both for pair, both in PAIRS}


@pytest.fixture(scope="module")
def inputs():
    """Return twenty inputs, and the groups of programs with one or two mistakes alike on them."""
    return make_inputs(20, seed=1)


def same_files(programs, texts):
    groups = defaultdict(set)
    for names, defects in programs.items():
        groups[tuple(render_files(read_problem(text), defects) for text in texts)].add(names)
    return {frozenset(group) for group in groups.values() if len(group) > 1}


def test_each_known_mistake_shows_and_no_two_are_alike(inputs):
    texts, alike, _ = inputs
    assert alike == []
    assert same_files(PROGRAMS, texts) == set()


def test_programs_that_remain_alike_are_returned(inputs):
    texts, _, alike_by_two = inputs
    assert {frozenset(group) for group in alike_by_two} == same_files(BY_TWO, texts) != set()
    few = make_inputs(1, seed=1)
    assert {frozenset(group) for group in few[1]} == same_files(PROGRAMS, few[0]) != set()


def test_the_inputs_are_small_and_of_both_tasks(inputs):
    texts = inputs[0]
    problems = list(map(read_problem, texts))
    assert len({*texts}) == 20
    assert {problem.task for problem in problems} == {2, 3}
    assert all(render_files(problem)[1].count("\n") in LOG_LENGTHS for problem in problems)


def test_a_seed_makes_the_same_inputs_in_the_folder(run, tmp_path, monkeypatch):
    monkeypatch.setattr(grader, "CANDIDATE_COUNT", 15)  # enough for two inputs that differ by seed
    for out, seed in (("a", "3"), ("b", "3"), ("c", "4")):
        words = ("--make", "2", "--seed", seed, "--out", str(tmp_path / out))
        status, text, _ = run("homework", *words, "--json")
        assert (status, json.loads(text)["inputs"]) == (0, 2)
    files = {path.relative_to(tmp_path): path.read_text() for path in tmp_path.rglob("*.txt")}
    folders = {
        name: [files[Path(name, "1", "input.txt")], files[Path(name, "2", "input.txt")]]
        for name in "abc"
    }
    assert folders["a"] == folders["b"] != folders["c"]
    status, text, _ = run("homework", str(tmp_path / "a"), "--out", str(tmp_path / "ours"))
    assert (status, len(text.splitlines())) == (0, 3)
    after, log = render_files(read_problem(folders["a"][1]))
    assert (tmp_path / "ours" / "2" / NEXT_STATE).read_text() == after
    assert (tmp_path / "ours" / "2" / LOG).read_text() == log


@pytest.fixture
def name_mistakes(inputs, tmp_path):
    """Name the mistakes of a program, which is a function of the input's text."""

    def name_mistakes(write, header="Alpha,Beta"):
        cases = []
        for index, text in enumerate(inputs[0]):
            files = Files(tmp_path / f"board{index}", tmp_path / f"log{index}")
            for path, content in zip(files, write(text), strict=True):
                path.write_text(content.replace("Alpha,Beta", header))
            cases.append((read_problem(text), files))
        return [names_of(mistakes) for mistakes in check(cases).explanations]

    return name_mistakes


SOME = [*PROGRAMS][1:] + [*BY_TWO][len(PROGRAMS) :: 23] + [("columns-exchanged", "rows-exchanged")]


@pytest.mark.parametrize("mistakes", SOME, ids=" + ".join)
def test_known_mistakes_are_named_and_nothing_else(name_mistakes, inputs, mistakes):
    alike = next((group for group in inputs[2] if mistakes in group), (mistakes,))
    fewest = min(map(len, alike))
    expected = {frozenset(names) for names in alike if len(names) == fewest}
    headers = ["Alpha,Beta"]
    if "columns-exchanged" in mistakes:
        headers.append("Beta,Alpha")
    for header in headers:
        named_mistakes = name_mistakes(
            lambda text: render_files(read_problem(text), BY_TWO[mistakes]), header
        )
        assert {frozenset(names) for names in named_mistakes} == expected


@pytest.mark.parametrize("name", DEFECTIVE)
def test_one_mistake_is_named_and_nothing_else(name_mistakes, name):
    def write(text):
        run = DEFECTIVE[name](text)
        return run.after, "\n".join(run.log) + "\n"

    assert name_mistakes(write) == [(name,)]
