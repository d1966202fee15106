"""`kalahlab homework`, `quiz` and `exercises`: students' work, checked and marked."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from itertools import chain, groupby
from pathlib import Path
from textwrap import fill, indent, shorten
from typing import Any, NamedTuple

import click

from kalahlab.cli import options
from kalahlab.cli.options import FILE, Answer, command
from kalahlab.cli.text import columns, grid_text, in_words, marks, naming, progress, writing
from kalahlab.files import write
from kalahlab.games.notation import format_board
from kalahlab.outside import decode, read_text
from kalahlab.published import grader
from kalahlab.published import homework as mancala
from kalahlab.published.grader import LOG, NEXT_STATE, Difference, Files, Report
from kalahlab.published.homework import CAUSES, GREEDY, TASKS, Problem, Program, read_problem

KINDS = NEXT_STATE, LOG
ADDED = re.compile(r"(^|/)(\.|__MACOSX)")  # by a system, to a folder or a zip file
PACKED = re.compile(r"\.(zip|7z|rar|tar|tgz|gz)$", re.IGNORECASE)

Problems = Mapping[str, Problem]  # by the name of an input's folder; that of an input alone is ''


@command()
@click.argument("input", type=click.Path(path_type=Path, exists=True), required=False)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The folder to write to. With --check, a page that opens where the student's log differs; "
    "of a class, a folder for a page each.",
)
@options.number(
    "--make",
    1,
    200,
    help="Write that many small inputs for tasks 2 and 3 into the folder --out. Together they tell "
    "the known mistakes apart.",
)
@options.number("--seed", 0, default="1", help="Of --make: another seed makes other inputs.")
@click.option(
    "--check",
    "student",
    type=click.Path(path_type=Path, exists=True),
    multiple=True,
    help="A student's folder, or a folder of such folders: say where the files in it differ from "
    "ours, and why. A student's two files can be given, too.",
)
@click.option("--mistakes", is_flag=True, help="List the known mistakes by name.")
@click.option("--csv", type=FILE, help="With --check, write a row a student as CSV, too.")
@options.semicolons
@click.option(
    "--optional",
    type=click.Choice(("mark", "leave-out")),
    default="leave-out",
    help="What to do with the log's lines that the grading cases call optional.",
)
def homework(
    input: Path | None,
    out: Path | None,
    make: int | None,
    seed: int,
    student: Sequence[Path],
    mistakes: bool,
    csv: Path | None,
    optional: str,
) -> Answer:
    """Solve a Mancala homework, check students' files for it, or make inputs for it.

    INPUT is an input file, or a folder of cases: cases/1/input.txt, cases/2/input.txt, …
    A student's files for the cases are then student/1/next_state.txt and so on; with
    cases/1/input.txt as INPUT, those in student/1 are checked.

    Writes next_state.txt, the board after our whole turn; for tasks 2 (minimax) and 3
    (alpha-beta) traverse_log.txt, too. Page 09 of the report says their formats.

    --check shows the first line that differs and what the search does there. It names the
    known mistake that leads to the same files, or two of them in the order in which to mend
    them. A value in another spelling, as -inf for -Infinity, is reported as such. Several
    students are a table. The exit status is 1 if files differ.

    \b
    kalahlab homework --mistakes
    kalahlab homework --make 20 --out cases
    kalahlab homework cases --out ours
    kalahlab homework input.txt --check student --out page.html
    kalahlab homework cases --check class --csv marks.csv --out pages
    kalahlab homework input.txt --check next_state.txt --check traverse_log.txt
    """
    if mistakes:
        listed = {each.name: f"{each.says}. {each.remedy}" for each in CAUSES}
        return {"mistakes": [each._asdict() for each in CAUSES]}, columns(listed)
    if make is not None:
        if input is not None or student or out is None:
            raise click.UsageError("--make goes with --out and a folder, without INPUT and --check")
        return inputs_made(make, seed, out)
    if input is None:
        raise click.UsageError("give INPUT, a file or a folder of cases; or --make 20 --out cases")
    if (out is None or csv is not None) and not student:
        raise click.UsageError("give --out and a folder, or --check and a student's files")
    problems = read_problems(input, student)
    if student:
        return checked(problems, student, out, csv)
    assert out is not None
    return solved(input, problems, out, optional)


def read_problems(input: Path, students: Sequence[Path]) -> Problems:
    """An input file's, or those of a folder of cases, in the order of their numbers. An input has
    the name of its folder if students' files are in one of this name."""
    case = input.absolute().parent.name
    folders = [each for path in students for each in (path, *students_in(path, ()))]
    files = {case if any(has_work(each, [case]) for each in folders) else "": input}
    if input.is_dir():
        files = {file.parent.name: file for file in input.glob("*/input.txt")}
    if not files:
        raise ValueError(f"{input} has no folder with an input.txt; give an input file, or cases")
    problems = {}
    for name in sorted(files, key=_numbers_in_order):
        with naming(files[name]):
            problems[name] = read_problem(decode(files[name].read_bytes(), files[name]))
    return problems


def _numbers_in_order(name: str) -> list[Any]:
    """A key by which 9 comes before 10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]


def inputs_made(number: int, seed: int, out: Path) -> Answer:
    with progress("input") as show:
        texts, *alike = grader.make_inputs(number, seed, lambda chosen: show(chosen, number))
    for at, text in enumerate(texts, start=1):
        (out / str(at)).mkdir(parents=True, exist_ok=True)
        write(out / str(at) / "input.txt", text)
    alone, by_two = (
        [[" and ".join(names) or "no mistake" for names in group] for group in each]
        for each in alike
    )
    answer = {"inputs": number, "seed": seed, "alike": alone, "alike_by_two": by_two}
    said = f"Inputs written: {number}. The first is {out / '1' / 'input.txt'}."
    if others := len([*out.glob("*/input.txt")]) - number:
        said += f" {out} has {others} more, from before."
    apart = f"They tell the {len(CAUSES)} known mistakes apart, each from all others."
    hidden = (
        f"{len(by_two)} groups of programs with one or two of the mistakes write the same files. "
        "This is normal, as one mistake can hide another: you need not do anything. --check then "
        "names all that fit, those with the fewest mistakes. --json lists the groups."
    )
    if alone:
        hidden = (
            f"{len(alone)} groups of programs with one of the mistakes write the same files. More "
            "inputs, as of --make 20, tell them apart. --json lists the groups."
        )
    told = [said, *[apart] * (not alone), *[hidden] * bool(by_two)]
    return answer, "\n".join(map(wrapped, told))


def solved(input: Path, problems: Problems, out: Path, optional: str) -> Answer:
    answers = {}
    for name, problem in problems.items():
        with naming(input / name / "input.txt" if name else input):
            (out / name).mkdir(parents=True, exist_ok=True)
            logged = nullcontext() if problem.task == GREEDY else writing(out / name / LOG)
            with writing(out / name / NEXT_STATE) as board, logged as log:
                lines = mancala.log_to(log.write, optional == "mark") if log else None
                program = Program(problem, write=lines)
                after = program.run()
                board.write(after)
        answer = {"turn": program.turn, "value": program.result.value}
        answer |= asdict(program.result.counts)
        answers[name] = about(problem) | answer
    if "" in answers:
        return answers[""], f"{after}\n{columns(answer)}"
    rows = [{"case": name} | each for name, each in answers.items()]
    return {"cases": answers}, grid_text(rows, ["case", "algorithm", "depth", "turn", "value"])


def about(problem: Problem) -> dict[str, Any]:
    position = {"board": format_board(problem.state), "rules": "empty-capture"}
    return position | {"algorithm": TASKS[problem.task], "depth": problem.cutoff, "unit": "turn"}


class Work(NamedTuple):
    """A student's files by case. missing: as CASE/FILE. unreadable: why, by CASE/FILE."""

    name: str
    files: dict[str, Files]
    missing: list[Path]
    unreadable: dict[Path, str]

    @property
    def lacking(self) -> str:
        found = {"missing": [*map(str, self.missing)], "not read": [*self.unreadable.values()]}
        return "; ".join(f"{what}: {first_three(each)}" for what, each in found.items() if each)


def checked(
    problems: Problems, paths: Sequence[Path], out: Path | None, csv: Path | None
) -> Answer:
    """One student in full, several as a table."""
    if any(path.is_file() and not PACKED.search(path.name) for path in paths):
        if "" not in problems:
            raise ValueError(f"{paths[0]} is for one input; give that input, or check a folder")
        return one_student(Work("", {"": files_of(paths)}, [], {}), problems, out, csv)
    folders = [folder for path in paths for folder in students_in(path, problems)]
    if folders == [*paths] and len(folders) == 1:
        return one_student(work_in(folders[0], problems), problems, out, csv)
    names = [folder.name for folder in folders]
    if out is not None and out.suffix.lower() in (".html", ".htm"):
        raise ValueError(f"{out} is one page; for {len(names)} students give a folder: --out pages")
    if out is not None and len({*names}) < len(names):
        raise ValueError("two students have folders of one name; write the pages of one class")
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    rows = []
    with progress("student") as show:
        for done, folder in enumerate(folders):
            show(done, len(folders))
            rows.append({"student": folder.name, **row_of(folder, problems, out)})
    named = {name for row in rows for each in row.get("mend", []) for name in each}
    shown = [in_a_table(row) for row in rows]
    named |= {row["mend_first"] for row in shown}
    known = {each.name: each.says for each in CAUSES} | OTHERWISE
    says = [wrapped(f"{name}: {meant}.") for name, meant in known.items() if name in named]
    table = marks(shown, csv, COLUMNS)
    text = "\n".join([table, *[""] * bool(says), *says, *[f"open {out}"] * bool(out)])
    return {"students": rows}, text, int(any(row["problem"] or not row["same"] for row in rows))


def students_in(path: Path, problems: Iterable[str]) -> list[Path]:
    """The folders and zip files in a folder, or itself if it has a student's files or nothing."""
    if not path.is_dir() or has_work(path, problems):
        return [path]
    there = (each for each in path.iterdir() if not ADDED.search(each.name))
    inside = [each for each in there if each.is_dir() or PACKED.search(each.name)]
    return sorted(inside, key=lambda each: _numbers_in_order(each.name)) or [path]


def has_work(folder: Path, problems: Iterable[str]) -> bool:
    return any(file_of(folder / name, kind) for name in problems for kind in KINDS)


def file_of(folder: Path, kind: str) -> Path | None:
    """A student's file of this name, also in other letters, or with a second .txt."""
    inside = sorted(folder.iterdir()) if folder.is_dir() else ()
    found = (each for each in inside if each.name.lower() in (kind, f"{kind}.txt"))
    return next(filter(Path.is_file, found), None)


def work_in(student: Path, problems: Problems) -> Work:
    """The files in a student's folder, or in the only folder in it."""
    inside = students_in(student, problems)
    folder = inside[0] if len(inside) == 1 and has_work(inside[0], problems) else student
    work = Work(student.name, {}, [], {})
    for name, problem in problems.items():
        wanted = KINDS[:1] if problem.task == GREEDY else KINDS
        there = {kind: file for kind in KINDS if (file := file_of(folder / name, kind))}
        work.missing.extend(Path(name, kind) for kind in wanted if kind not in there)
        why = {kind: grader.unreadable(path) for kind, path in there.items()}
        work.unreadable.update((Path(name, kind), each) for kind, each in why.items() if each)
        there = {kind: path for kind, path in there.items() if not why[kind]}
        if there:
            work.files[name] = Files(*map(there.get, KINDS))
    inside = [*folder.iterdir()] if folder.is_dir() else [folder]
    for each in inside if work.missing else ():
        if PACKED.search(each.name):
            work.unreadable[each] = f"{each} is a {each.suffix[1:]} file; unpack it"
    if not work.files:
        raise ValueError([*work.unreadable.values(), nothing_in(folder, problems, inside)][0])
    return work


def nothing_in(folder: Path, problems: Problems, inside: Iterable[Path]) -> str:
    """Why nothing in a student's folder can be checked."""
    if "" not in problems and has_work(folder, [""]):
        return (
            f"{folder} has the files of one input; put them into {folder / next(iter(problems))}, "
            "or give that input.txt, not a folder of cases"
        )
    there = sorted(each.name for each in inside if not ADDED.search(each.name))
    none = f"{folder} has no {NEXT_STATE} and no {LOG}"
    if not there or "" in problems:
        return f"{none}; it has {first_three(there)}" if there else none
    wanted = first_three([*problems])
    return f"{none}; it has {first_three(there)}; its folders must have the names {wanted}"


def first_three(names: Sequence[str], between: str = ", ") -> str:
    return f"{between.join(names[:3])}{f' and {len(names) - 3} more' if names[3:] else ''}"


def files_of(paths: Iterable[Path]) -> Files:
    """Each is known by its name, else it is a log if its first line has a letter."""
    named: dict[str, Path] = {}
    for path in paths:
        known = [path / name for name in KINDS if (path / name).is_file()]
        for file in known if path.is_dir() else [path]:
            with file.open(errors="replace") as lines:
                kind = LOG if any(map(str.isalpha, lines.readline())) else NEXT_STATE
            kind = file.name if file.name in KINDS else kind
            if kind in named:
                raise ValueError(f"{named[kind]} and {file} are both a {kind}; give one")
            named[kind] = file
    return Files(*map(named.get, KINDS))


def one_student(work: Work, problems: Problems, out: Path | None, csv: Path | None) -> Answer:
    with progress("program") as show:
        answer, text = judged(work, problems, out, show)
    row = {"student": work.name, **answer, "page": out.name if out else "", "problem": ""}
    marks([in_a_table(row)], csv, COLUMNS)
    opened = f"\nopen {out}" if out else ""
    return answer, text + opened, int(bool(not answer["same"] or work.lacking))


def row_of(folder: Path, problems: Problems, out: Path | None) -> dict[str, Any]:
    """A student of a class; `problem` says what cannot be judged. out: the folder for a page."""
    page = out and out / f"{folder.name}.html"
    try:
        work = work_in(folder, problems)
        answer, _ = judged(work, problems, page)
    except (ValueError, OSError) as error:
        return {"same": False, "wrong": [*problems], "cases": len(problems), "problem": str(error)}
    return answer | ({"page": page.name} if page else {}) | {"problem": work.lacking}


def judged(
    work: Work, problems: Problems, page: Path | None, *show: Any
) -> tuple[dict[str, Any], str]:
    """For a machine and for a person; and the page, if one is asked for. wrong: the cases that
    differ by more than their spelling, or have not all files to read."""
    report = grader.check([(problems[name], files) for name, files in work.files.items()], *show)
    said, names = diagnosis(work, report), [*work.files]
    case = names[report.case]
    if page is not None:
        from kalahlab.widgets.homework import homework_page

        write(page, homework_page(problems[case], report, said, work.name))
    lacking = {path.parent.name for path in (*work.missing, *work.unreadable)}
    wrong = {names[at] for at in report.wrong} | lacking
    text = "\n".join([*map(in_text, report.differences), *map(wrapped, said)])
    answer = {
        **about(problems[case]),
        "files": [str(file) for file in work.files[case] if file is not None],
        "same": not report.differences,
        "cases": len(problems),
        "wrong": [name for name in problems if name in wrong],
        "spelled": [names[at] for at in report.spelled],
        "ended": [names[at] for at in report.ended],
        "case": case,
        "differences": [each._asdict() for each in report.differences],
        "causes": [
            [{"name": cause.name, "says": cause.says, "remedy": cause.remedy} for cause in each]
            for each in report.explained
        ],
        "mend": [[cause.name for cause in each] for each in report.mend],
        "tolerated": list(report.notes),
        "missing": [*map(str, work.missing)],
        "unreadable": [*work.unreadable.values()],
    }
    return answer, text


COLUMNS = ("student", "wrong", "of", "first", "mend_first", "then")
# What stands under `mend_first` where no known mistake does.
OTHERWISE = {
    "spelling": "the values are right but spelled otherwise, such as -inf for -Infinity",
    "stops early": "all lines that are there are right, and the last ones are missing",
    "unknown": "no known mistake was found, alone or with a second one",
}


def in_a_table(row: Mapping[str, Any]) -> dict[str, Any]:
    """A student's row of a table, with the first difference only."""
    differences = row.get("differences", [])
    first: dict[str, Any] = min(differences, key=lambda each: bool(each["spelling"]), default={})
    place = [f"case {row['case']}"] if differences and row["case"] else []
    place += [f"{'log' if first['file'] == LOG else 'board'} {first['line']}"] if first else []
    unknown = "spelling" if first and first["spelling"] else "unknown" if first else ""
    unknown = first.get("slip") or unknown
    unknown = "stops early" if row.get("case") in row.get("ended", []) else unknown
    mend = [" or ".join(names) for names in row.get("mend", [])] or [unknown]
    return {
        "student": row["student"],
        "wrong": len(row["wrong"]),
        "of": row["cases"],
        "first": ", ".join(place),
        "yours": first.get("yours", ""),
        "ours": first.get("ours", ""),
        "mend_first": mend[0],
        "then": "".join(mend[1:]),
        "page": row.get("page", ""),
        "problem": row["problem"],
    }


def in_text(difference: Difference) -> str:
    shown = {
        f"yours, line {difference.line}": difference.yours or "(your file has ended)",
        "ours": difference.ours or "(our file has ended)",
    }
    width = max(map(len, shown))
    how = "is first spelled otherwise" if difference.spelling else "differs first"
    lines = [f"{difference.file} {how} in line {difference.line}.", ""]
    for name, line in shown.items():
        short = line if len(line) <= 56 else f"{line[:56]}…"
        lines.append(f"  {name:<{width}}  {short}")
    if difference.place:
        board = "The board there, row A, row B, the store of player 2 and that of player 1"
        lines += ["", wrapped(f"Our line is about the node {difference.place}. {board}:"), ""]
        lines += [indent(difference.board.rstrip(), "  ")]
    return "\n".join([*lines, "", wrapped(difference.why), ""])


def wrapped(text: str) -> str:
    return fill(text, 79, break_long_words=False, break_on_hyphens=False)


def diagnosis(work: Work, report: Report) -> list[str]:
    from jinja2 import StrictUndefined, Template

    names = [*work.files]
    files = [str(file) for file in work.files[names[0]] if file is not None]
    source = Path(__file__).with_name("diagnosis.txt.j2").read_text("utf-8")
    text = Template(source, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined).render(
        names=names,
        report=report,
        wrong=[names[at] for at in report.wrong],
        spelled=[names[at] for at in report.spelled],
        lacking=work.lacking,
        compared=" and ".join(files) if len(names) == 1 else f"{len(names)} cases",
    )
    return [line for line in text.split("\n") if line]


@command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--csv", type=FILE, help="Write the rows as CSV, too.")
@options.semicolons
def quiz(files: tuple[Path, ...], csv: Path | None) -> Answer:
    """Judge the quiz sets in FILES, or folders, which students saved in the explorer.

    Each is searched again, and its answers are judged anew. Beside the score stands the one that
    the file claims. A file without a name in it is listed by its folder's, or its own. A student
    has one row a set: of two files the better one counts, and "and 1 more" stands beside it.
    Capital letters and blanks in names do not matter. A file that cannot be judged has none right;
    it is named below with the reason, and then the status is 1. The CSV says of each set which
    search it is about, as a link of the explorer does, and which questions were answered rightly.

    \b
    kalahlab quiz handed-in --csv marks.csv
    """
    from kalahlab.widgets.models.quiz_set import LONGEST, QUESTIONS, grade

    students = dict[Any, list[dict[str, Any]]]()
    given = (handed_in(each) if each.is_dir() else {each.name: each} for each in files)
    for name, file in chain.from_iterable(each.items() for each in given):
        try:
            refuse_other_kinds(file, ".json", ".txt")
            found = grade(read_text(file, LONGEST))
        except Exception as error:  # whatever one file does, the others are judged
            problem = shorten(str(error), 200) or type(error).__name__
            found = {"right": 0, "of": QUESTIONS, "problem": problem}
        row = {"file": name} | found | {"name": found.get("name") or whose(name)}
        which = name if "problem" in row else (same_name(row["name"]), row["set"], row["search"])
        students.setdefault(which, []).append(row)
    best_first = (sorted(each, key=lambda row: -row["right"]) for each in students.values())
    sets = [*map(of_one_student, best_first)]
    shown = ("file", "name", "set", "right", "of", "claimed")
    asked_of = (f"question {number}" for number in range(1, QUESTIONS + 1))
    columns_of = (*shown, "search", *asked_of, "problem")
    rows = [{name: each.get(name, "") for name in columns_of} for each in sets]
    text = marks(rows, csv, shown)
    asked = {row["file"]: (row["set"], row["search"]) for row in rows if not row["problem"]}
    usual = max(asked.values(), key=[*asked.values()].count, default=None)
    if others := [file for file, which in asked.items() if which != usual]:
        text += f"\nOf another set or another search than most: {in_words(', '.join(others))}"
    return {"sets": sets}, text, int(any(row["problem"] for row in rows))


@command()
@click.option("--out", type=FILE, help="The sheet to write, a page to print.")
@options.only
@click.option("--solutions", is_flag=True, help="With the solutions at the back.")
@click.option(
    "--mark",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Mark the files of a folder and of those in it, one or more a student.",
)
@click.option("--csv", type=FILE, help="With --mark, write the marks as CSV, too.")
@options.semicolons
def exercises(
    out: Path | None, only: tuple[str, ...], solutions: bool, mark: Path | None, csv: Path | None
) -> Answer:
    """Write a sheet of the notebooks' exercises, or mark what students hand in.

    A student's file is TOML or .txt, or CSV, with a line for each answer and one for the name:
    3.2 = 42 and name = "Ada", or 3.2,42 and name,Ada. A list is ["b2", "b3"]. A page of the report
    saves such a file. Files with the same name in them, or without one in the same folder, are of
    one student, who has one row; of two answers to an exercise, the better one counts.

    The table has a 1 for a right answer, a 0 for a wrong one, and a dash for none or one that
    cannot be read. With --only, the right answers are counted of all exercises of those
    notebooks; without, page by page. A file with an answer that cannot be read, one of another
    kind, or one that answers an exercise that there is not, is named below the others with the
    reason, and then the status is 1.

    \b
    kalahlab exercises --out sheet.html --only 03_pruning --solutions
    kalahlab exercises --mark answers --csv marks.csv
    kalahlab exercises --mark answers --only 03_pruning
    """
    if mark is not None and out is None:
        return marked(mark, only, csv)
    if mark is not None or out is None:
        raise click.UsageError("give --out and a page to write, or --mark and a folder")
    from kalahlab.report.sheet import sheet

    html, number = sheet(only, solutions)
    write(out, html)
    return {"page": str(out), "exercises": number}, f"open {out}: {number} exercises"


def marked(folder: Path, only: Sequence[str], csv: Path | None) -> Answer:
    """A row a student, of the exercises of --only, or of all pages that any of them answered."""
    from kalahlab.exercises import exercises
    from kalahlab.report.sheet import notebooks_named

    if not folder.is_dir():
        raise ValueError(f"--mark takes a folder, not {folder}; put the students' files into one")
    named = {str(int(name[:2])) for name in notebooks_named(only)}
    left_out = {*map(page_of, exercises())} - named
    students: dict[str, list[dict[str, Any]]] = {}
    for file in (marks_of(*each, left_out) for each in handed_in(folder).items()):
        students.setdefault(same_name(file["name"]), []).append(file)
    rows = [*map(one_row, students.values())]
    asked = named if only else {page_of(number) for row in rows for number in row["marks"]}
    by_page = {page: [*each] for page, each in groupby(exercises(), page_of) if page in asked}
    numbers = [*chain.from_iterable(by_page.values())]
    for row in rows:
        given, problem = row.pop("marks"), row.pop("problem")
        pages = dict[str, str | None]()
        for page, each in by_page.items():
            answered = [given[number] for number in each if given.get(number) is not None]
            pages[f"page {page}"] = f"{sum(answered)} of {len(each)}" if answered else None
        given = {number: given.get(number) for number in numbers}
        row["right"] = sum(filter(None, given.values()))
        row |= ({"of": len(numbers)} if only else pages) | given | {"problem": problem}
    text = marks(rows, csv, [*rows[0]][:-1], numbers)
    return {"students": rows}, text, int(any(row["problem"] for row in rows))


def page_of(number: str) -> str:
    return number.partition(".")[0]


def one_row(files: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The `marks_of` a student's files as one; the better mark counts."""
    first, *more = files
    every = chain.from_iterable(file["marks"].items() for file in files)
    best = sorted(every, key=lambda each: -1 if each[1] is None else each[1])
    problems = [first["problem"]]
    problems += [f"{file['file']}: {file['problem']}" for file in more if file["problem"]]
    joined = {"marks": dict(best), "problem": "; ".join(filter(None, problems))}
    return of_one_student(files) | joined


def of_one_student(files: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The first, and how many more there are."""
    first, *more = files
    return first | ({"file": f"{first['file']} and {len(more)} more"} if more else {})


def same_name(name: str) -> str:
    return " ".join(name.casefold().split())


def handed_in(folder: Path) -> dict[str, Path]:
    """The files in a folder and in the folders in it, without those that a system adds."""
    inside = {each.relative_to(folder).as_posix(): each for each in sorted(folder.rglob("*"))}
    files = {name: at for name, at in inside.items() if at.is_file() and not ADDED.search(name)}
    if not files:
        raise ValueError(f"{folder} has no file")
    return files


def whose(name: str) -> str:
    """Who handed in a file that names nobody: its folder's name, or else its own."""
    path = Path(name)
    return path.stem if path.parent == Path() else str(path.parent)


def refuse_other_kinds(file: Path, *kinds: str) -> None:
    if file.suffix.lower() == ".zip":
        raise ValueError("it is a zip file; unpack it")
    if file.suffix.lower() not in kinds:
        ends = f"{', '.join(kinds[:-1])} or {kinds[-1]}"
        raise ValueError(f"it is not read; its name must end in {ends}")


def marks_of(name: str, file: Path, left_out: Collection[str]) -> dict[str, Any]:
    """A file's marks, 1 or 0, by number, without the pages left out; `problem`: why not all."""
    from kalahlab.exercises import mark

    try:
        refuse_other_kinds(file, ".toml", ".txt", ".csv")
        student = mark(file, whose(name))
    except (ValueError, OSError) as error:
        return {"file": name, "name": whose(name), "marks": {}, "problem": str(error)}
    wanted = {n: each for n, each in student["answers"].items() if page_of(n) not in left_out}
    unknown = [number for number in student["unknown"] if page_of(number) not in left_out]
    problems = student["unread"] + [
        f"{number} cannot be read: {each.hint[0].lower()}{each.hint[1:-1]}"
        for number, each in wanted.items()
        if each.verdict == "not readable"
    ]
    problems += [f"there is no exercise {number[:20]!r}" for number in unknown]
    problem = f"{first_three(problems, '; ')}; the rest is marked" if problems else ""
    if not student["answers"] and not problems:
        problem = "it has no answer; a line is 3.2 = 42"
    worth, answered = {"right": 1, "not right": 0}, {n: each.verdict for n, each in wanted.items()}
    marks = {n: worth.get(each) for n, each in answered.items() if each != "not answered yet"}
    return {"file": name, "name": student["name"], "marks": marks, "problem": problem}
