"""The command `kalahlab check`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kalahlab.cli import options
from kalahlab.cli.options import FILE, Answer, json_command
from kalahlab.cli.search import progress_line
from kalahlab.files import write_atomic
from kalahlab.games.kalah import Kalah, pits_of
from kalahlab.games.rules import STANDARD, Rules, format_rules
from kalahlab.names import IMPORTED, import_named

if TYPE_CHECKING:
    from kalahlab.classroom.program_check import ProgramReport

MAX_TRIALS = 100_000
NOT_JUDGED = 3  # the exit status if nothing is wrong, but not everything was judged
LAYOUT_KIND = "board layout"  # the kind of an import path


def read_players(text: str) -> tuple[Any, Any]:
    """Return the values for South and North of a text such as `1,2` or `A,B`."""
    values: list[Any] = []
    for word in text.split(","):
        try:
            values.append(int(word))
        except ValueError:
            values.append({"True": True, "False": False}.get(word, word))
    if len(values) != 2 or values[0] == values[1]:
        raise ValueError(f"players is {text!r}; use two values, South's first, such as 1,2")
    return values[0], values[1]


@json_command()
@click.argument("program")
@options.rules(default=STANDARD, show_default="standard")
@click.option(
    "--board",
    metavar="LAYOUT",
    help="How PROGRAM takes a board: ring, rows, rows-apart, picture, pair or state; or the "
    "import path of a function that makes its board of a State.  [default: found out]",
)
@click.option(
    "--players",
    type=options.ParsedParam("players", read_players),
    metavar="SOUTH,NORTH",
    help="Its values for the two players, such as 1,2 or A,B.  [default: found out]",
)
@click.option(
    "--maximizing",
    type=click.Choice(["south", "north", "mover"]),
    help="Whose side its values are on; mover for a negamax.  [default: found out]",
)
@click.option(
    "--counts",
    type=click.Choice(["plies", "turns"]),
    help="What its depth counts.  [default: found out]",
)
@options.number("--pits", 1, 15, help="The pits a side of its boards.  [default: found out]")
@options.number("--number", 1, MAX_TRIALS, default=300, help="The positions to try.")
@options.number("--seconds", 1, 3600, default=10, help="The processor time of a call.")
@click.option(
    "--explore",
    type=FILE,
    help="Write a page that steps through the right search of the counterexample.",
)
def check(
    program: str, rules: Rules, board: str | None, explore: Path | None, **arguments: Any
) -> Answer:
    """Check a search or a sowing function of your own, and name its mistakes.

    PROGRAM is the import path of a function, such as mine.alphabeta in mine.py, or a program as in
    a match, such as "exec:./agent". How a function is called is found by trying. Its answers are
    compared with the right ones on positions from small to large, and with those of programs with
    known mistakes. Your evaluator may be any: its values are asked for.

    The exit status is 0 if all answers are right, 1 if something is wrong, and 3 if nothing is
    wrong, but a part could not be judged: the text says which, and why.

    \b
    kalahlab check mine.alphabeta
    kalahlab check mine.sow --rules empty-capture
    """
    from kalahlab.classroom.program_check import check_program
    from kalahlab.classroom.program_check.layouts import LAYOUTS

    layout: Any = board
    if board is not None and board not in LAYOUTS:
        layout = IMPORTED[LAYOUT_KIND, import_named(LAYOUT_KIND, board)]
    with progress_line("checking"):
        report = check_program(program, rules=rules, board=layout, **arguments)
    text = f"{report}"
    if explore is not None:
        text += f"\n\n{write_page(report, explore)}"
    data: dict[str, Any] = {
        "program": report.name,
        "kind": report.kind,
        "rules": format_rules(rules),
        "understood": report.understood,
        "right": report.is_right and report.is_judged,
        "judged": report.is_judged,
        "mistakes": report.mistakes,
        "parts": [],
    }
    for part in report.parts:
        row: dict[str, Any] = {"title": part.title, "tried": part.tried, "right": part.right}
        if part.counterexample:
            row |= {
                "call": part.counterexample.call,
                "given": part.counterexample.given,
                "expected": part.counterexample.expected,
            }
        data["parts"].append(row)
    status = 0 if report.is_judged else NOT_JUDGED
    return Answer(data, text, status=status if report.is_right else 1)


def write_page(report: "ProgramReport", file: Path) -> str:
    """Write the page of the smallest counterexample of a search, and return where it is."""
    from kalahlab.classroom.program_check.report import find_step
    from kalahlab.widgets.explorer import explore as make_explorer

    example = report.search_example
    if example is None or not report.explore_command:
        return "No page is written: no search to a depth is wrong."
    game = Kalah(pits_of(example.state.board), 0, report.rules)
    depth = int(example.depth or 0)
    step = find_step(report, game)
    explorer = make_explorer(example.state, game=game, depth=depth, leaf=report.leaf, step=step)
    write_atomic(file, explorer.page(f"What {report.name} should find", "no"))
    return f"open {file}, which begins at step {step}"
