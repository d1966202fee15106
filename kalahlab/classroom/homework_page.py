"""A page about a student's homework: where it differs, the cause, the board and our search."""

import re
from collections.abc import Sequence
from typing import Any

from kalahlab.classroom.grader import Difference, Report, count_stones, word_meaning
from kalahlab.games import kalah
from kalahlab.games.kalah import NORTH, SOUTH, State
from kalahlab.published.homework import ALPHA_BETA, TASKS, Problem, solve
from kalahlab.trace import Recorder, Trace
from kalahlab.widgets.explorer import Explorer
from kalahlab.widgets.page import PAGES

MOST_NODES = 100_000  # of a search in a page


def render_homework_page(
    problem: Problem, report: Report, paragraphs: Sequence[str], student: str = ""
) -> str:
    """Render a page whose search opens where the logs first differ.

    Args:
        problem: The input that the differences are of.
        report: The differences.
        paragraphs: The diagnosis, which explains them.
        student: Named in the heading, if given.
    """
    recorder = Recorder(problem.game, MOST_NODES)
    trace = Trace(solve(problem, recorder), recorder.tree(), "kalah")
    title = f"{TASKS[problem.task].replace('_', '-').capitalize()}, cut-off {problem.cutoff} turns"
    steps = [difference.step for difference in report.differences if difference.step > 0]
    step = next(iter(steps), 0)
    stones = count_stones(problem)
    above = PAGES.get_template("homework.html.j2").render(
        differences=[_to_view(difference, stones) for difference in report.differences],
        paragraphs=paragraphs,
        opened=step > 0,
        windows=problem.task == ALPHA_BETA,
    )
    heading = "Where the files first differ"
    if not report.differences:
        heading = re.split("[:;]", paragraphs[0])[0]
    if student:
        heading = f"{student}: {heading}"
    view = Explorer(trace, titles=[title], step=step)
    board, pits = problem.state.board, range(kalah.pits_of(problem.state.board))
    names = {}
    for side, player in (("south", SOUTH), ("north", NORTH)):
        state = State(board, player)
        names[side] = [problem.game.move_name(state, pit) for pit in pits]
    view.traces[0]["board"]["names"] = names
    return view.page(heading, "no", above)


def _to_view(difference: Difference, stones: int) -> dict[str, Any]:
    """Convert a difference to the values of the template, with the rows of the board."""
    view = difference._asdict() | {"yours_marked": _mark_words(difference, stones)}
    if difference.board:
        lines = [line.split() for line in difference.board.splitlines()]
        row_a, row_b, [north_store], [south_store] = lines
        view["columns"] = range(2, len(row_a) + 2)
        view["rows"] = [("A (player 2)", row_a, north_store), ("B (player 1)", row_b, south_store)]
    return view


def _mark_words(difference: Difference, stones: int) -> list[tuple[str, bool]]:
    """Return the words of the student's line, each with whether ours has another one there."""
    yours = re.split(r"([\s,]+)", difference.yours)
    ours = re.split(r"([\s,]+)", difference.ours)
    if len(yours) != len(ours):
        if not difference.yours:
            return []
        return [(difference.yours, False)]
    if difference.spelling:
        return [(word, word != other) for word, other in zip(yours, ours, strict=True)]
    words = []
    for index, (word, other) in enumerate(zip(yours, ours, strict=True)):
        column, is_separator = divmod(index, 2)
        differs = word_meaning(word, column, stones) != word_meaning(other, column, stones)
        words.append((word, differs and not is_separator))
    return words
