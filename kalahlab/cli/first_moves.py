"""The commands `kalahlab first-moves` and `kalahlab puzzles`."""

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

import click

from kalahlab.cli import options
from kalahlab.cli.options import FILE, Answer, at_least, json_command
from kalahlab.cli.output import describe_run, progress
from kalahlab.files import write_atomic
from kalahlab.formatting import WIDTH, format_bounds, format_grid
from kalahlab.games.game_log import make_move
from kalahlab.games.kalah import NAMES, Kalah, State
from kalahlab.games.notation import draw_board
from kalahlab.games.rules import Rules, format_rules
from kalahlab.games.supported import check_solved
from kalahlab.solver.move_values import PROOFS, prove_bounds


@json_command()
@click.argument("moves", nargs=-1, type=at_least(1, "move"))
@options.number("--pits", 1, default="6", help="Pits a side.")
@options.number("--stones", 1, default="4", help="Stones in each pit.")
@options.rules(default="standard")
@click.option("--out", type=FILE, help="Also write a page to explore, with Python (12 MB).")
@click.option("--csv", type=FILE, help="Also write a row for each move as CSV.")
def first_moves(
    moves: Sequence[int], pits: int, stones: int, rules: Rules, out: Path | None, csv: Path | None
) -> Answer:
    """Print the value of each first move on a solved board, or of each move after MOVES.

    MOVES are pits, counted from 1. A value is the final margin of the player to move under perfect
    play. For boards of 1 to 6 pits a side with 1 to 6 stones in each, the values of the first plies
    are stored. After these plies, the solver computes the values if that is quick. If a value is
    not proved exactly, the proved bounds are printed.

    \b
    kalahlab first-moves 3 6
    kalahlab first-moves --pits 4 --stones 3 --rules empty-capture
    """
    game = Kalah(pits, stones, rules)
    state = game.start()
    check_solved(game, state)
    for move in moves:
        state = game.play(state, move - 1)
    if out is not None:
        write_atomic(out, render_opening_page(game, [move - 1 for move in moves], "inside"))
    rows = []
    for pit, bounds in prove_bounds(game, state).items():
        effects = str(make_move(game, state, pit))
        rows.append({"pit": pit + 1, **to_bound_columns(bounds), "does": effects})
    if csv is not None:
        import pandas as pd

        write_atomic(csv, pd.DataFrame(rows).to_csv(index=False, lineterminator="\n"))
    data = describe_run(game, state, PROOFS, "the end of the game") | {
        "pits": pits,
        "stones": stones,
    }
    data |= {"to_move": NAMES[state.player].lower(), "played": list(moves), "moves": rows}
    text = format_openings(game, moves, state, rows)
    if out is not None:
        text += f"\n\nopen {out}"
    return Answer(data, text)


def to_bound_columns(bounds: Sequence[float | None]) -> dict[str, int | None]:
    """Return the columns `at_least` and `at_most` of a row; None for a bound that is not proved.

    Args:
        bounds: The lower and the upper bound.
    """
    lower, upper = bounds
    return {"at_least": _to_int(lower), "at_most": _to_int(upper)}


def _to_int(bound: float | None) -> int | None:
    return None if bound is None else int(bound)


def format_openings(
    game: Kalah, moves: Sequence[int], state: State, rows: Sequence[dict[str, Any]]
) -> str:
    """Return a position after the first moves of a game and a table of its moves as text."""
    title = f"Kalah({game.pits}, {game.stones}), {format_rules(game.rules)} rules"
    if moves:
        title += f", after {' '.join(map(str, moves))}"
    if not rows:
        return f"{title}\n\n{draw_board(state)}\n\nThe game is over."
    best = max((row["at_least"] for row in rows if row["at_least"] is not None), default=-inf)
    width = max(len(row["does"]) for row in rows)
    lines = []
    for row in rows:
        is_exact = row["at_least"] == row["at_most"]
        is_best = is_exact and row["at_least"] == best
        # `format_grid` aligns texts at the right, so this one is padded.
        effects = row["does"].ljust(width)
        # The first word, the name of the player, is in the heading of the column.
        _, _, move = effects.partition(" ")
        line = {
            "pit": row["pit"],
            "value": format_bounds(row["at_least"], row["at_most"]),
            "": "best" if is_best else "",
            f"{NAMES[state.player]}'s move": move,
        }
        lines.append(line)
    return f"{title}\n\n{draw_board(state)}\n\n{format_grid(lines)}"


def render_opening_page(game: Kalah, moves: Sequence[int], live: Any) -> str:
    """Return a page with a board that shows exact values.

    Args:
        game: The game.
        moves: The moves already made, pits from 0.
        live: The place of the Python that the page runs, "inside" or "beside".
    """
    from kalahlab.widgets.board import Board

    board = Board(game.pits, game.stones, game.rules, moves=moves, values="exact")
    return board.page(f"Openings of Kalah({game.pits}, {game.stones})", live)


@json_command()
@options.number("--number", 1, 10_000, default="20", help="Number of puzzles.")
@click.option("--seed", type=int, default=1, help="The same seed gives the same puzzles.")
@options.number("--pits", 2, default="6", help="Pits a side.")
@options.number("--stones", 1, default="4", help="Stones in each pit at the start.")
@options.number("--max-stones", 2, default="20", help="Largest number of stones in play.")
@options.rules(default="standard")
@click.option("--out", type=FILE, help="Also write a page on which to solve the puzzles.")
def puzzles(number: int, seed: int, rules: Rules, out: Path | None, **sizes: int) -> Answer:
    """Print puzzles: positions in which only one move keeps a win or a draw.

    South is to move. The easiest puzzles come first. The difficulty is the smallest depth, in sows,
    from which on alpha-beta with the store difference finds the move.

    \b
    kalahlab puzzles --number 3 --seed 2
    """
    from kalahlab.judging.puzzles import DEEPEST, make_puzzles
    from kalahlab.judging.solved_positions import Sample

    with progress("puzzle") as show:
        show(0, number)  # the first puzzle may take a while
        puzzles = make_puzzles(number, seed, Sample(**sizes), format_rules(rules), show)
    if out is not None:
        from kalahlab.report.review_page import puzzles_page

        write_atomic(out, puzzles_page(puzzles, seed))
    data = {
        "pits": sizes["pits"],
        "rules": format_rules(rules),
        "algorithm": "alpha_beta, store_difference",
        "depth": DEEPEST,
        "puzzles": [puzzle.as_json() for puzzle in puzzles],
    }
    lines = list[str]()
    solutions = ["Solutions"]
    for index, puzzle in enumerate(puzzles, start=1):
        # It has no difficulty if no search up to DEEPEST finds the move.
        depth = puzzle.difficulty or f"over {DEEPEST}"
        lines.append(f"{index}. Keep the {puzzle.outcome}; difficulty {depth}.")
        lines += [draw_board(puzzle.position.state), ""]
        solutions.append(click.wrap_text(f"{index:>3}. {puzzle.solution}", WIDTH, "", "     "))
    lines += solutions
    if out is not None:
        lines.append(f"open {out}")
    return Answer(data, "\n".join(lines))
