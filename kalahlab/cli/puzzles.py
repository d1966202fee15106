"""`kalahlab puzzles`."""

import sys
from pathlib import Path

import click

from kalahlab.cli.parameters import FILE, as_json, at_least, preset_option
from kalahlab.cli.text import WIDTH, print_answer, write
from kalahlab.games.notation import draw_board


@click.command()
@click.option(
    "--number", type=at_least(1, "number", 10_000), default="20", help="How many puzzles."
)
@click.option("--seed", type=int, default=1, help="The same seed gives the same puzzles.")
@click.option("--pits", type=at_least(2, "pits"), default="6")
@click.option("--stones", type=at_least(1, "stones"), default="4")
@click.option(
    "--max-stones",
    type=at_least(2, "max stones"),
    default="20",
    help="In play, of a puzzle's position at most.",
)
@preset_option
@click.option("--out", type=FILE, help="Write them as a page to train on, too.")
@as_json
def puzzles(
    number: int, seed: int, rules: str, out: Path | None, as_json: bool, **sizes: int
) -> None:
    """Print puzzles: positions in which one move alone keeps a win or a draw.

    The easiest first: the difficulty is the depth in sows at which alpha-beta with the store
    difference first finds the move and keeps it. South moves; each puzzle is solved twice.
    """
    from tqdm import tqdm

    from kalahlab.judging.judged import Sample
    from kalahlab.judging.puzzles import DEEPEST
    from kalahlab.judging.puzzles import puzzles as find

    with tqdm(total=number, unit="puzzle", leave=False, disable=None, file=sys.stderr) as bar:
        found = find(number, seed, Sample(**sizes), rules, bar.update)
    if out is not None:
        from kalahlab.report.review import puzzles_page

        write(out, puzzles_page(found, f"{len(found)} puzzles of Kalah, seed {seed}"))
    answer = {
        "pits": sizes["pits"],
        "rules": rules,
        "algorithm": "alpha_beta, store_difference",
        "depth": DEEPEST,
        "puzzles": [puzzle.as_json() for puzzle in found],
    }
    boards, solved = [], []
    for nth, puzzle in enumerate(found, start=1):
        depth = puzzle.difficulty or f"over {DEEPEST}"
        boards += [f"{nth}. Keep the {puzzle.outcome}; difficulty {depth}."]
        boards += [draw_board(puzzle.judged.state), ""]
        solved += [click.wrap_text(f"{nth:>3}. {puzzle.solution}", WIDTH, "", "     ")]
    print_answer(answer, as_json, "\n".join([*boards, "Solutions", *solved]))
