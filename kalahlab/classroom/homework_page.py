"""A page about a student's homework: the first difference, its cause, the board and our search."""

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

MAX_NODES = 100_000  # the most nodes of a search that a page records


def render_homework_page(
    problem: Problem, report: Report, paragraphs: Sequence[str], student: str = ""
) -> str:
    """Render a page whose search opens where the logs first differ.

    Args:
        problem: The input to which the differences belong.
        report: The differences.
        paragraphs: The diagnosis, which explains the differences.
        student: The student's name for the heading; "" for a heading without a name.

    Returns:
        The page as HTML.
    """
    recorder = Recorder(problem.game, MAX_NODES)
    trace = Trace(solve(problem, recorder), recorder.tree(), "kalah")
    title = f"{TASKS[problem.task].replace('_', '-').capitalize()}, cut-off {problem.cutoff} turns"
    # A difference that is not at a step of the search has the step 0.
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
    if not report.differences:  # the beginning of the diagnosis, such as "No difference"
        heading = re.split("[:;]", paragraphs[0])[0]
    if student:
        heading = f"{student}: {heading}"
    view = Explorer(trace, titles=[title], step=step)
    board = problem.state.board
    pits = range(kalah.pits_of(board))
    # Pits have the names of the homework, such as B2, not the numbers of Kalah.
    names = {}
    for side, player in (("south", SOUTH), ("north", NORTH)):
        state = State(board, player)
        names[side] = [problem.game.move_name(state, pit) for pit in pits]
    view.traces[0]["board"]["names"] = names
    return view.page(heading, live="no", above=above)


def _to_view(difference: Difference, stones: int) -> dict[str, Any]:
    """Convert a difference to values for the template, with the rows of the board.

    Args:
        difference: The difference.
        stones: The number of stones on the board, by which values are compared.

    Returns:
        The fields of the difference, and these:
        - `yours_marked`: the result of `_mark_words`
        - `columns`: the numbers of the board's columns
        - `rows`: for row A and then row B, the label, the pits and the store
        `columns` and `rows` are absent if the difference has no board.
    """
    view = difference._asdict() | {"yours_marked": _mark_words(difference, stones)}
    if difference.board:
        lines = [line.split() for line in difference.board.splitlines()]
        row_a, row_b, [north_store], [south_store] = lines
        view["columns"] = range(2, len(row_a) + 2)  # the homework names the first pit A2 or B2
        view["rows"] = [("A (player 2)", row_a, north_store), ("B (player 1)", row_b, south_store)]
    return view


def _mark_words(difference: Difference, stones: int) -> list[tuple[str, bool]]:
    """Split the student's line into words and separators, each with True if ours differs there.

    A line with another number of words than ours is not split: it is one part with False, or no
    part if it is empty.
    """
    # With a group in the pattern, `re.split` keeps the separators: "A2,1" gives "A2", ",", "1".
    yours = re.split(r"([\s,]+)", difference.yours)
    ours = re.split(r"([\s,]+)", difference.ours)
    if len(yours) != len(ours):
        if not difference.yours:
            return []
        return [(difference.yours, False)]
    if difference.spelling:  # the lines mean the same, so each character counts
        return [(word, word != other) for word, other in zip(yours, ours, strict=True)]
    words = []
    for index, (word, other) in enumerate(zip(yours, ours, strict=True)):
        column = index // 2  # words and separators alternate
        is_word = index % 2 == 0
        differs = word_meaning(word, column, stones) != word_meaning(other, column, stones)
        words.append((word, differs and is_word))
    return words
