"""`kalahlab homework` and `kalahlab quiz`: students' work, checked."""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from textwrap import fill, indent, shorten
from typing import Any

import click

from kalahlab.cli.parameters import FILE, INPUT, SECONDS, Answer, as_json, json_asked
from kalahlab.cli.text import columns, grid_text, in_words, naming, say, write, write_csv, writing
from kalahlab.games.notation import format_board
from kalahlab.outside import read_text
from kalahlab.published.grader import LOG, NEXT_STATE, Checked, Difference, Files, Report, check
from kalahlab.published.homework import (
    COMPETITION,
    GREEDY,
    TASKS,
    Problem,
    Program,
    board_lines,
    log_to,
    read_problem,
    solve,
)


@click.command()
@click.argument("input", type=INPUT)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The folder to write to; with --check, a page to write, the search stopped where the "
    "logs differ.",
)
@click.option(
    "--check",
    "student",
    type=click.Path(path_type=Path, exists=True),
    multiple=True,
    help="A folder with a student's next_state.txt and traverse_log.txt, or one of these files; "
    "write nothing, but say where they differ from ours, and why.",
)
@click.option(
    "--also",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="With --check, a folder of folders, each with another input.txt and the student's files "
    "for it; a mistake is named only if it explains these, too.",
)
@click.option(
    "--optional",
    type=click.Choice(("mark", "leave-out")),
    default="leave-out",
    help="What to do with the log's lines that the grading cases call optional.",
)
@click.option(
    "--seconds",
    type=SECONDS,
    default="1",
    help="Task 4's time to think; the input file has no clock.",
)
@as_json
def homework(
    input: Path, out: Path | None, student: Sequence[Path], also: Path | None, **how: Any
) -> Answer:
    """Solve a Mancala homework's INPUT file, or check a student's files for it.

    Writes next_state.txt, the board after our whole turn; for tasks 2 (minimax) and 3
    (alpha-beta) traverse_log.txt, too.

    Task 4, "Competition", is never specified. Our own reading: the best turn found within
    --seconds, whatever the cut-off, by iterative deepening with the compiled engine (give
    it ten seconds once, to compile) and till that runs with the textbook search.

    With --check, shows the first line that differs and what the search does there, and names
    each known mistake that leads to the same files. A value in another spelling, as -inf for
    -Infinity, is reported as such. The exit status is 1 if the files differ.

    \b
    kalahlab homework input.txt --out ours
    kalahlab homework input.txt --check student
    kalahlab homework cases/3/input.txt --check cases/3 --also cases
    kalahlab homework input.txt --check next_state.txt --check traverse_log.txt
    """
    if also is not None and not student:
        raise click.UsageError("--also goes with --check; add --check and a student's files")
    if out is None and not student:
        raise click.UsageError("give --out and a folder, or --check and a student's files")
    with naming(input):
        problem = read_input(input)
        if out is not None and not student:
            return solved(problem, out, **how)
    return checked(problem, files_of(student), cases_in(also) if also else [], out)


def read_input(input: Path) -> Problem:
    return read_problem(input.read_bytes().decode("utf-8-sig", errors="replace"))


def solved(problem: Problem, out: Path, optional: str, seconds: float) -> Answer:
    """Write our board after the turn, and for tasks 2 and 3 the log."""
    out.mkdir(parents=True, exist_ok=True)
    with writing(out / NEXT_STATE) as board:
        if problem.task == COMPETITION:
            from kalahlab.matches.competition import best_turn

            found = best_turn(problem.game, problem.state, seconds)
            turn = [problem.game.move_name(problem.state, pit) for pit in found.pits]
            answer = {"turn": turn, "value": found.answer.value, "depth": found.answer.depth}
            after = board_lines(problem.game, found.state)
        else:
            with nullcontext() if problem.task == GREEDY else writing(out / LOG) as log:
                program = Program(
                    problem, write=log_to(log.write, optional == "mark") if log else None
                )
                after = program.run()
            value, counts = program.result.value, asdict(program.result.counts)
            answer = {"turn": program.turn, "value": value, **counts}
        board.write(after)
    return about(problem) | answer, f"{after}\n{columns(answer)}"


def about(problem: Problem) -> dict[str, Any]:
    return {
        "board": format_board(problem.state),
        "rules": "empty-capture",
        "algorithm": TASKS.get(problem.task, "iterative deepening"),
        "depth": problem.cutoff,
        "unit": "turn",
    }


# --check


def files_of(paths: Iterable[Path]) -> Files:
    """`ValueError` for no file of a student's among those given, and for two of one kind."""
    named: dict[str, Path] = {}
    for path in paths:
        known = [path / name for name in (NEXT_STATE, LOG) if (path / name).is_file()]
        if path.is_dir() and not known:
            raise ValueError(f"{path} has no {NEXT_STATE} and no {LOG}")
        for file in known if path.is_dir() else [path]:
            kind = kind_of(file)
            if kind in named:
                raise ValueError(f"{named[kind]} and {file} are both a {kind}; give one")
            named[kind] = file
    return Files(named.get(NEXT_STATE), named.get(LOG))


def cases_in(folder: Path) -> list[Checked]:
    """The inputs in a folder's folders, and the student's files for them."""
    cases = []
    for input in sorted(folder.glob("*/input.txt")):
        with naming(input):
            cases.append((read_input(input), files_of([input.parent])))
    if not cases:
        raise ValueError(f"{folder} has no folder with an input.txt")
    return cases


def kind_of(file: Path) -> str:
    """Which of the two a file is: by its name, else a log if its first line has a letter."""
    if file.name in (NEXT_STATE, LOG):
        return file.name
    with file.open(errors="replace") as lines:
        return LOG if any(map(str.isalpha, lines.readline())) else NEXT_STATE


def checked(problem: Problem, files: Files, others: Sequence[Checked], page: Path | None) -> Answer:
    """How the files differ from ours and why; each difference is said as it is found."""
    in_json = json_asked()
    found = (lambda difference: None) if in_json else (lambda each: say(in_text(each)))
    report = check(problem, files, found, others)
    readable = "\n".join(map(wrapped, diagnosis(files, report, len(others))))
    if page is not None:
        if not in_json:
            say(readable)
        write_page(problem, next((each for each in report.differences if each.step), None), page)
        readable = f"open {page}"
        if in_json:
            say(readable, err=True)
    answer = {
        **about(problem),
        "files": [str(file) for file in files if file is not None],
        "same": not report.differences,
        "differences": [each._asdict() for each in report.differences],
        "causes": [
            {"name": each.name, "says": each.says, "remedy": each.remedy} for each in report.causes
        ],
        "nearest": [cause.name for cause in report.nearest],
        "tolerated": list(report.notes),
    }
    return answer, readable, int(bool(report.differences))


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
        lines += ["", wrapped(f"The node of our line is {difference.place}. {board}:"), ""]
        lines += [indent(difference.board.rstrip(), "  ")]
    return "\n".join([*lines, "", wrapped(difference.why), ""])


def wrapped(text: str) -> str:
    return fill(text, 79, break_long_words=False, break_on_hyphens=False)


def diagnosis(files: Files, report: Report, others: int) -> list[str]:
    """What leads to the student's files, in sentences; others: how many more inputs were tried."""
    notes = [f"Not counted as differences: {', '.join(report.notes)}."] if report.notes else []
    if not report.differences:
        names = " and ".join(str(file) for file in files if file is not None)
        return [f"No difference: {names}.", *notes]
    if all(each.spelling for each in report.differences):
        return ["Nothing but the spelling differs.", *notes]
    if report.causes:
        more = (
            f" and to those of {others} other inputs" if others else " (--also tries other inputs)"
        )
        known = [f"- {each.says}. {each.remedy}" for each in report.causes]
        return [f"Known mistakes that lead to these same files{more}:", *known, *notes]
    near = [
        f"This one leads to the log, but not to the board: {cause.says}."
        for cause in report.nearest
    ]
    return ["None of the mistakes that we know leads to these files.", *near, *notes]


def write_page(problem: Problem, first: Difference | None, page: Path) -> None:
    """Write our search as a page to step through, which opens where the logs first differ."""
    from kalahlab.trace import Recorder, Trace
    from kalahlab.widgets.explorer import Explorer

    recorder = Recorder(problem.game, 100_000)  # nodes, as many as a page holds
    trace = Trace(solve(problem, recorder), recorder.tree())
    title = f"{TASKS[problem.task]}, cut-off {problem.cutoff} turns"
    step, heading = 0, "Our search"
    if first is not None:
        step = first.step
        heading = f"Our search where line {first.line} of the log should be {first.ours}"
    write(page, Explorer(trace, titles=[title], step=step).page(heading, "no"))


@click.command()
@click.argument("files", nargs=-1, required=True, type=INPUT)
@click.option("--csv", type=FILE, help="Write the rows as CSV, too.")
@as_json
def quiz(files: tuple[Path, ...], csv: Path | None) -> Answer:
    """Judge the quiz sets in FILES, which students saved in the explorer.

    Each is searched again, and its answers are judged anew. Beside the score stands the
    one that the file claims. A file without a name in it is listed by its own. A file that cannot
    be judged is named below the others with the reason, and then the status is 1.

    \b
    kalahlab quiz handed-in/*.json --csv marks.csv
    """
    rows = [{"file": file.name, **_judged(file)} for file in files]
    for file, row in zip(files, rows, strict=True):
        row["name"] = row.get("name") or file.stem
    if csv is not None:
        columns_of = ("file", "name", "set", "right", "of", "claimed", "problem")
        write_csv(csv, [{key: row.get(key, "") for key in columns_of} for row in rows])
    keys = ("file", "name", "set", "right", "of", "claimed")
    readable = grid_text([{key: row.get(key, "") for key in keys} for row in rows])
    problems = [in_words(f"{row['file']}: {row['problem']}") for row in rows if "problem" in row]
    return {"sets": rows}, "\n".join([readable, *problems]), int(bool(problems))


def _judged(file: Path) -> dict[str, Any]:
    from kalahlab.widgets.explorer.quiz_set import LONGEST, grade

    try:
        return grade(read_text(file, LONGEST))
    except Exception as error:  # whatever one file does, the others are judged
        return {"problem": shorten(str(error), 200) or type(error).__name__}
