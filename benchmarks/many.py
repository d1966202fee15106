"""Measure the solves of many positions, and the values and measures of their moves.

    python benchmarks/many.py [--solves 100] [--rounds 3]

The positions are those of `data/benchmark.csv.gz` on six pits a side under standard rules. The ones
to solve are drawn from those with at most 28 stones in play. The single form and the bulk form take
turns in each round. A time is the median over the rounds, in microseconds of processor time for a
position; the ratio is the time of the single form over that of the bulk form.
"""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

from kalahlab.formatting import format_grid
from kalahlab.games.kalah import stones_in_play
from kalahlab.judging.regret import measure_moves
from kalahlab.judging.solved_positions import SolvedPosition, evaluate_positions, load_positions
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.solve import OptionFields, solve, solve_all

PITS = 6
MOST_STONES = 28  # in play in a position that is solved
DATABASE_STONES = 14


def measure_forms(forms: Mapping[str, Callable[[], object]], number: int, rounds: int) -> None:
    """Time a single form and a bulk form in turn, and print a table.

    Args:
        forms: The two forms, by name, the single one first.
        number: The number of positions of each.
        rounds: The number of rounds.
    """
    times: dict[str, list[float]] = {name: [] for name in forms}
    for round_number in range(rounds + 1):
        for name, call in forms.items():
            started = process_time()
            call()
            if round_number:  # the first round loads compiled code
                times[name].append(1e6 * (process_time() - started) / number)
    single = median(next(iter(times.values())))
    rows = []
    for name, measured in times.items():
        time = median(measured)
        ratio = f"{single / time:,.1f}"
        rows.append({"": name, "µs a position": f"{time:,.1f}", "ratio": ratio})
    print(format_grid(rows), "\n")


def compare_solves(rows: list[SolvedPosition], folder: Path, rounds: int) -> None:
    states = [row.state for row in rows]
    options: OptionFields = {
        "workers": 1,
        "database_stones": DATABASE_STONES,
        "folder": folder,
    }
    solve(states[0], **options)  # stores the database
    forms = {
        "solve": lambda: [solve(state, **options).value for state in states],
        "solve_all": lambda: [solution.value for solution in solve_all(states, **options)],
    }
    assert forms["solve"]() == forms["solve_all"]() == [row.value for row in rows]
    measure_forms(forms, len(rows), rounds)


def compare_values(rows: list[SolvedPosition], folder: Path, rounds: int) -> None:
    """Compare the values of moves in those positions that the endgame database knows."""
    stones = DATABASE_STONES
    with open_solver(PITS, database_stones=stones, workers=1, folder=folder) as solver:
        values = solver.database.probe_moves([row.state for row in rows])
        indices = np.flatnonzero(~np.isnan(values).all(axis=1))
        states = [rows[index].state for index in indices.tolist()]
        forms = {
            "move_values": lambda: [dict(solver.move_values(state)) for state in states],
            "evaluate_positions": lambda: [
                position.values for position in evaluate_positions(solver, states)
            ],
        }
        assert forms["move_values"]() == forms["evaluate_positions"]()
        measure_forms(forms, len(states), rounds)


def compare_measures(rows: list[SolvedPosition], rounds: int) -> None:
    moves = [max(row.values) for row in rows]
    values = np.array([row.moves for row in rows], float)
    forms = {
        "SolvedPosition.regret": lambda: [
            row.regret(pit) for row, pit in zip(rows, moves, strict=True)
        ],
        "measure_moves": lambda: measure_moves(values, moves)["regret"].tolist(),
    }
    assert forms["SolvedPosition.regret"]() == forms["measure_moves"]()
    measure_forms(forms, len(rows), rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--solves", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    rows = []
    for row in load_positions("benchmark.csv.gz"):
        if row.rules == "standard" and len(row.moves) == PITS:
            rows.append(row)
    small = [row for row in rows if stones_in_play(row.state.board) <= MOST_STONES]
    with TemporaryDirectory() as folder:
        compare_solves(Random(0).sample(small, args.solves), Path(folder), args.rounds)
        compare_values(rows, Path(folder), args.rounds)
    compare_measures(rows, args.rounds)


if __name__ == "__main__":
    main()
