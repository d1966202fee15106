"""`kalahlab homework`."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from kalahlab.cli.parameters import FOLDER, INPUT, SECONDS, as_json
from kalahlab.cli.text import columns, print_answer, writing
from kalahlab.games.kalah import State
from kalahlab.published.homework import (
    COMPETITION,
    GREEDY,
    Problem,
    TraversalLog,
    board_lines,
    read_problem,
    solve,
    whole_turn,
)


@click.command()
@click.argument("input", type=INPUT)
@click.option("--out", type=FOLDER, required=True, help="The folder to write to.")
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
def homework(input: Path, out: Path, optional: str, seconds: float, as_json: bool) -> None:
    """Solve a Mancala homework's INPUT file.

    Writes next_state.txt, the board after our whole turn; for tasks 2 (minimax) and 3
    (alpha-beta) traverse_log.txt, too.

    Task 4, "Competition", is never specified. Our own reading: the best turn found within
    --seconds, whatever the cut-off, by iterative deepening with the compiled engine (give
    it ten seconds once, to compile) and till that runs with the textbook search.
    """
    try:
        problem = read_problem(input.read_bytes().decode("utf-8-sig", errors="replace"))
        out.mkdir(parents=True, exist_ok=True)
        with writing(out / "next_state.txt") as board:
            pits, after, found = solved(problem, out, optional == "mark", seconds)
            board.write(board_lines(problem.game, after))
    except ValueError as error:
        raise ValueError(f"{input}, {error}") from None
    answer = {"turn": [problem.game.move_name(problem.state, pit) for pit in pits], **found}
    print_answer(answer, as_json, f"{board_lines(problem.game, after)}\n{columns(answer)}")


def solved(
    problem: Problem, out: Path, mark: bool, seconds: float
) -> tuple[tuple[int, ...], State, dict[str, Any]]:
    """Our whole turn, the state after it, and what to print of the search; writes the log."""
    if problem.task == COMPETITION:
        from kalahlab.matches.competition import best_turn

        turn = best_turn(problem.game, problem.state, seconds)
        return turn.pits, turn.state, {"value": turn.answer.value, "depth": turn.answer.depth}
    if problem.task == GREEDY:
        result = solve(problem)
    else:
        with writing(out / "traverse_log.txt") as log:
            result = solve(problem, TraversalLog(problem, log.write, mark))
    pits, after = whole_turn(problem.game, problem.state, result.line)
    return pits, after, {"value": result.value, **asdict(result.counts)}
