"""`kalahlab openings` and `kalahlab puzzles`."""

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

import click

from kalahlab.cli import options
from kalahlab.cli.options import FILE, Answer, at_least, command
from kalahlab.cli.text import WIDTH, grid_text, in_bounds, progress, setting
from kalahlab.files import write
from kalahlab.games.kalah import NAMES, State
from kalahlab.games.notation import draw_board
from kalahlab.judging.value_files import Opening
from kalahlab.judging.worth import PROOFS, proved_bounds
from kalahlab.play import make_move


@command()
@click.argument("moves", nargs=-1, type=at_least(1, "move"))
@options.number("--pits", 1, default="6")
@options.number("--stones", 1, default="4")
@options.preset
@click.option("--out", type=FILE, help="Write a page to explore them on, which has its own Python.")
@click.option("--csv", type=FILE, help="Write a row a move as CSV, too.")
def openings(
    moves: Sequence[int], pits: int, stones: int, rules: str, out: Path | None, csv: Path | None
) -> Answer:
    """Print what each move of a solved opening is worth, after the MOVES (pits from 1), if any.

    A value is the final margin of the mover if both play perfectly. Boards of 1 to 6 pits with 1 to
    6 stones are solved for some plies from the start; further on the solver is used, if it takes
    little. Where only bounds are proved, these are printed.

    \b
    kalahlab openings 3 6
    kalahlab openings --pits 4 --stones 3 --rules empty-capture
    """
    opening = Opening(pits, stones, rules)
    game, state = opening.game, opening.game.start()
    for move in moves:
        state = game.play(state, move - 1)
    if out is not None:
        write(out, page_of(opening, [move - 1 for move in moves], "inside"))
    found = [
        {"pit": pit + 1, **ends_of(bounds), "does": str(make_move(game, state, pit))}
        for pit, bounds in proved_bounds(game, state).items()
    ]
    if csv is not None:
        import pandas as pd

        write(csv, pd.DataFrame(found).to_csv(index=False, lineterminator="\n"))
    about = setting(game, state, PROOFS, "the end of the game") | {"pits": pits, "stones": stones}
    about |= {"to_move": NAMES[state.player].lower(), "played": list(moves), "moves": found}
    opened = f"\n\nopen {out}" if out else ""
    return about, readable(opening, moves, state, found) + opened


def ends_of(bounds: Sequence[float | None]) -> dict[str, int | None]:
    whole = [None if each is None else int(each) for each in bounds]
    return dict(zip(("at_least", "at_most"), whole, strict=True))


def readable(
    opening: Opening, moves: Sequence[int], state: State, found: Sequence[dict[str, Any]]
) -> str:
    played = f", after {' '.join(map(str, moves))}" if moves else ""
    head = f"Kalah({opening.pits}, {opening.stones}), {opening.rules} rules{played}"
    if not found:
        return f"{head}\n\n{draw_board(state)}\n\nThe game is over."
    sure = max(-inf if row["at_least"] is None else row["at_least"] for row in found)
    wide = max(len(row["does"]) for row in found)
    rows = [
        {
            "pit": row["pit"],
            "value": in_bounds(row["at_least"], row["at_most"]),
            "": "best" if row["at_least"] == row["at_most"] == sure else "",
            f"{NAMES[state.player]}'s move": row["does"].ljust(wide).partition(" ")[2],
        }
        for row in found
    ]
    return f"{head}\n\n{draw_board(state)}\n\n{grid_text(rows)}"


def page_of(opening: Opening, moves: Sequence[int], live: Any) -> str:
    """The board with exact values, on a page that plays by itself. live: where its Python is."""
    from kalahlab.widgets.board import Board

    game = opening.game
    board = Board(game.pits, game.stones, game.rules, moves=moves, values="exact")
    return board.page(f"Openings of Kalah({game.pits}, {game.stones})", live)


@command()
@options.number("--number", 1, 10_000, default="20", help="How many puzzles.")
@click.option("--seed", type=int, default=1, help="The same seed gives the same puzzles.")
@options.number("--pits", 2, default="6")
@options.number("--stones", 1, default="4")
@options.number("--max-stones", 2, default="20", help="In play, of a puzzle's position at most.")
@options.preset
@click.option("--out", type=FILE, help="Write them as a page to train on, too.")
def puzzles(number: int, seed: int, rules: str, out: Path | None, **sizes: int) -> Answer:
    """Print puzzles: positions in which one move alone keeps a win or a draw.

    The easiest first: the difficulty is the depth in sows at which alpha-beta with the store
    difference first finds the move and keeps it. South moves.

    \b
    kalahlab puzzles --number 3 --seed 2
    """
    from kalahlab.judging.judged import Sample
    from kalahlab.judging.puzzles import DEEPEST
    from kalahlab.judging.puzzles import puzzles as find

    with progress("puzzle") as show:
        show(0, number)
        found = find(number, seed, Sample(**sizes), rules, show)
    if out is not None:
        from kalahlab.report.review import puzzles_page

        write(out, puzzles_page(found, f"{len(found)} puzzles of Kalah, seed {seed}"))
    search = {"algorithm": "alpha_beta, store_difference", "depth": DEEPEST}
    answer = {"pits": sizes["pits"], "rules": rules} | search
    answer |= {"puzzles": [puzzle.as_json() for puzzle in found]}
    boards, solved = [], []
    for nth, puzzle in enumerate(found, start=1):
        depth = puzzle.difficulty or f"over {DEEPEST}"
        boards += [f"{nth}. Keep the {puzzle.outcome}; difficulty {depth}."]
        boards += [draw_board(puzzle.judged.state), ""]
        solved += [click.wrap_text(f"{nth:>3}. {puzzle.solution}", WIDTH, "", "     ")]
    opened = [f"open {out}"] * bool(out)
    return answer, "\n".join([*boards, "Solutions", *solved, *opened])
