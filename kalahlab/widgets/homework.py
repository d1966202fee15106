"""A student's homework as a page: their line, ours, the cause, the board, and our search there."""

import re
from collections.abc import Sequence
from typing import Any

from kalahlab.games import kalah
from kalahlab.games.kalah import NORTH, SOUTH, State
from kalahlab.published.grader import Difference, Report, stones_of, word_meaning
from kalahlab.published.homework import ALPHA_BETA, TASKS, Problem, solve
from kalahlab.trace import Recorder, Trace
from kalahlab.widgets.explorer import Explorer
from kalahlab.widgets.page import PAGES

MOST_NODES = 100_000  # as many as a page holds


def homework_page(problem: Problem, report: Report, said: Sequence[str], student: str = "") -> str:
    """said: of the cause. The search opens where the logs first differ."""
    recorder = Recorder(problem.game, MOST_NODES)
    trace = Trace(solve(problem, recorder), recorder.tree(), "kalah")
    title = f"{TASKS[problem.task].replace('_', '-').capitalize()}, cut-off {problem.cutoff} turns"
    step = next((each.step for each in report.differences if each.step), 0)
    shown = [_shown(each, stones_of(problem)) for each in report.differences]
    above = PAGES.get_template("homework.html.j2").render(
        differences=shown, said=said, opened=step > 0, windows=problem.task == ALPHA_BETA
    )
    same = re.split("[:;]", said[0])[0]
    heading = f"{student}: " * bool(student)
    heading += "Where the files first differ" if report.differences else same
    view = Explorer(trace, titles=[title], step=step)
    board, pits = problem.state.board, range(kalah.pits_of(problem.state.board))
    view.traces[0]["board"]["names"] = {
        side: [problem.game.move_name(State(board, player), pit) for pit in pits]
        for side, player in (("south", SOUTH), ("north", NORTH))
    }
    return view.page(heading, "no", above)


def _shown(difference: Difference, stones: int) -> dict[str, Any]:
    shown = difference._asdict() | {"yours_marked": _marked(difference, stones)}
    if difference.board:
        a, b, (north,), (south,) = (line.split() for line in difference.board.splitlines())
        shown["columns"] = range(2, len(a) + 2)
        shown["rows"] = [("A (player 2)", a, north), ("B (player 1)", b, south)]
    return shown


def _marked(difference: Difference, stones: int) -> list[tuple[str, bool]]:
    """The words of the student's line, and whether ours has another one there."""
    yours, ours = (re.split(r"([\s,]+)", line) for line in (difference.yours, difference.ours))
    if len(yours) != len(ours):
        return [(difference.yours, False)] if difference.yours else []
    if difference.spelling:
        return [(word, word != other) for word, other in zip(yours, ours, strict=True)]
    marked = []
    for index, (word, other) in enumerate(zip(yours, ours, strict=True)):
        column, is_between = divmod(index, 2)
        means, ours_means = (word_meaning(each, column, stones) for each in (word, other))
        marked.append((word, not is_between and means != ours_means))
    return marked
