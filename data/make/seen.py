"""Count the moves of the benchmark's test positions that lead to a position seen in training.

    python data/make/seen.py data/seen_in_training.csv

The games of `train.py` are played again, without the values, which takes most of the time there.
"""

import csv
import sys
from collections.abc import Container, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from train import DRAWS, RANDOM_DRAWS, Draw, sample_positions

from kalahlab.files import atomic_write
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.notation import format_board
from kalahlab.judging.solved_positions import SolvedPosition, load_positions
from kalahlab.solver.ledger import normalize_position

PITS, STONES = 6, 4
TRAINED = {"learned": DRAWS[PITS], "learned_random": RANDOM_DRAWS[PITS]}


def list_children(state: State) -> list[State]:
    """Return the positions after the moves of a position, by their pits, if the game goes on."""
    game = Kalah()
    children = [game.play(state, move) for move in game.moves(state)]
    return [normalize_position(child)[0] for child in children if not game.is_over(child)]


def find_seen(draw: Draw, excluded: Container[State], wanted: Container[State]) -> set[State]:
    """Return those of the wanted positions to which a move leads from a position of the draw."""
    seen = set[State]()
    for state in sample_positions(draw, excluded):
        seen.update(child for child in list_children(state) if child in wanted)
    return seen


def is_tested(row: SolvedPosition) -> bool:
    return (row.part, row.rules, row.start) == ("test", "standard", (PITS, STONES))


def count_seen(
    rows: Iterable[SolvedPosition], seen: dict[str, set[State]]
) -> Iterator[list[object]]:
    """Yield for each position its board, its moves, and the moves to what each evaluator saw."""
    for row in rows:
        children = list_children(row.state)
        counts = [sum(child in positions for child in children) for positions in seen.values()]
        yield [format_board(row.state), len(children), *counts]


if __name__ == "__main__":
    benchmark = load_positions("benchmark.csv.gz")
    excluded = {normalize_position(row.state)[0] for row in benchmark}
    tested = [row for row in benchmark if is_tested(row)]
    wanted = {child for row in tested for child in list_children(row.state)}
    seen = dict[str, set[State]]()
    with ProcessPoolExecutor() as pool:
        for name, draws in TRAINED.items():
            found = pool.map(partial(find_seen, excluded=excluded, wanted=wanted), draws)
            seen[name] = set[State]().union(*found)
    with atomic_write(Path(sys.argv[1])) as part, part.open("w", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["board", "moves", *seen])
        writer.writerows(count_seen(tested, seen))
