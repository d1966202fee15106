"""`kalahlab homework`."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from textwrap import fill, indent
from typing import Any

import click

from kalahlab.cli.parameters import INPUT, SECONDS, as_json
from kalahlab.cli.text import columns, naming, print_answer, say, write, writing
from kalahlab.games.notation import format_board
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

BOARD = "The board there, row A, row B, the store of player 2 and that of player 1"

MAX_NODES = 100_000  # that a page holds


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
    input: Path,
    out: Path | None,
    student: tuple[Path, ...],
    also: Path | None,
    optional: str,
    seconds: float,
    as_json: bool,
) -> int:
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
    if student:
        with naming(input):
            problem = read_input(input)
        others = cases_in(also) if also is not None else []
        return checked(problem, files_of(student), others, out, as_json)
    if also is not None:
        raise click.UsageError("--also goes with --check; add --check and a student's files")
    if out is None:
        raise click.UsageError("give --out and a folder, or --check and a student's files")
    with naming(input):
        problem = read_input(input)
        out.mkdir(parents=True, exist_ok=True)
        with writing(out / NEXT_STATE) as board:
            after, answer = solved(problem, out, optional == "mark", seconds)
            board.write(after)
    print_answer(about(problem) | answer, as_json, f"{after}\n{columns(answer)}")
    return 0


def read_input(input: Path) -> Problem:
    return read_problem(input.read_bytes().decode("utf-8-sig", errors="replace"))


def solved(problem: Problem, out: Path, mark: bool, seconds: float) -> tuple[str, dict[str, Any]]:
    """The next state, and what to print of the search; writes the log."""
    if problem.task == COMPETITION:
        from kalahlab.matches.competition import best_turn

        found = best_turn(problem.game, problem.state, seconds)
        turn = [problem.game.move_name(problem.state, pit) for pit in found.pits]
        answer = {"turn": turn, "value": found.answer.value, "depth": found.answer.depth}
        return board_lines(problem.game, found.state), answer
    if problem.task == GREEDY:
        program = Program(problem)
        after = program.run()
    else:
        with writing(out / LOG) as log:
            program = Program(problem, write=log_to(log.write, mark))
            after = program.run()
    result = program.result
    return after, {"turn": program.turn, "value": result.value, **asdict(result.counts)}


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


def checked(
    problem: Problem, files: Files, others: Sequence[Checked], page: Path | None, as_json: bool
) -> int:
    """Print how the files differ from ours and why; 1 if they do."""
    if as_json:
        report = check(problem, files, others=others)
        print_answer(as_answer(problem, files, report), True, "")
    else:
        report = check(problem, files, lambda difference: say(in_text(difference)), others)
        say("\n".join(map(wrapped, diagnosis(files, report, len(others)))))
    first = next((each for each in report.differences if each.step), None)
    if page is not None:
        write_page(problem, first, page)
        say(f"open {page}", err=as_json)
    return int(bool(report.differences))


def as_answer(problem: Problem, files: Files, report: Report) -> dict[str, Any]:
    return {
        **about(problem),
        "files": [str(file) for file in (files.board, files.log) if file is not None],
        "same": not report.differences,
        "differences": [each._asdict() for each in report.differences],
        "causes": [
            {"name": each.name, "says": each.says, "remedy": each.remedy} for each in report.causes
        ],
        "nearest": [cause.name for cause in report.nearest],
        "tolerated": list(report.notes),
    }


def in_text(difference: Difference) -> str:
    shown = {
        f"yours, line {difference.line}": difference.yours or "(your file has ended)",
        "ours": difference.ours or "(our file has ended)",
    }
    width = max(map(len, shown))
    how = "is first spelled otherwise" if difference.spelling else "differs first"
    lines = [f"{difference.file} {how} in line {difference.line}.", ""]
    lines += [f"  {name:<{width}}  {shortened(line)}" for name, line in shown.items()]
    if difference.place:
        lines += ["", wrapped(f"The node of our line is {difference.place}. {BOARD}:"), ""]
        lines += [indent(difference.board.rstrip(), "  ")]
    return "\n".join([*lines, "", wrapped(difference.why), ""])


def wrapped(text: str) -> str:
    return fill(text, 79, break_long_words=False, break_on_hyphens=False)


def shortened(line: str) -> str:
    """A student's line as far as it fits the terminal."""
    return line if len(line) <= 56 else f"{line[:56]}…"


def diagnosis(files: Files, report: Report, others: int) -> list[str]:
    """What leads to the student's files, in sentences; others: how many more inputs were tried."""
    notes = [f"Not counted as differences: {', '.join(report.notes)}."] if report.notes else []
    if not report.differences:
        names = " and ".join(str(each) for each in (files.board, files.log) if each is not None)
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

    recorder = Recorder(problem.game, MAX_NODES)
    trace = Trace(solve(problem, recorder), recorder.tree())
    title = f"{TASKS[problem.task]}, cut-off {problem.cutoff} turns"
    step, heading = 0, "Our search"
    if first is not None:
        step = first.step
        heading = f"Our search where line {first.line} of the log should be {first.ours}"
    write(page, Explorer(trace, titles=[title], step=step).page(heading, "no"))
