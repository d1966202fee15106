"""Compare the engine on wide boards with a lean C++ program on int8 arrays, and with the textbook.

    python benchmarks/wide.py [--rounds 5]

The program in `wide.cpp` is compiled by g++ -O2 and -O3. All contenders search the same tree by
alpha-beta on the store difference, node for node; the textbook searches a smaller tree. Figures are
medians of processor time, one contender after the other in each round.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from time import process_time

import pandas as pd

from kalahlab import engine, search
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.search import Depth

SOURCE = Path(__file__).with_name("wide.cpp")
BOARDS = ((8, 8, 10), (10, 10, 9), (12, 8, 9), (12, 12, 8))
"""(pits, stones, depth) of the searches. In so few sows, a cup of int8 has room for its stones."""
TEXTBOOK_DEPTH = 4


def search_in_python(algorithm, pits: int, stones: int, depth: int) -> tuple[int, int, float]:
    """Return the value, the nodes visited, and the seconds of a search from the start."""
    game = Kalah(pits, stones)
    begin = process_time()
    result = algorithm(game, game.start(), store_difference, Depth(depth))
    return int(result.value), result.counts.visited, process_time() - begin


def search_in_cpp(program: Path, *numbers: int) -> tuple[int, int, float]:
    """Return the same for the C++ program."""
    output = subprocess.run(
        [program, *map(str, numbers)], check=True, capture_output=True, text=True
    ).stdout
    value, nodes, seconds = output.split()
    return int(value), int(nodes), float(seconds)


def compare(
    board: tuple[int, int, int], programs: dict[str, Path], rounds: int
) -> dict[str, float]:
    """Return millions of nodes a second by contender, after a check that all trees are equal."""
    pits, stones, _ = board
    speeds: dict[str, list[float]] = {}
    for _ in range(rounds):
        results = {name: search_in_cpp(program, *board) for name, program in programs.items()}
        results["engine"] = search_in_python(engine.alpha_beta, *board)
        trees = {result[:2] for result in results.values()}
        if len(trees) != 1:
            raise SystemExit(f"{board}: the trees differ: {trees}")
        results["textbook"] = search_in_python(search.alpha_beta, pits, stones, TEXTBOOK_DEPTH)
        for name, (_, nodes, seconds) in results.items():
            speeds.setdefault(name, []).append(nodes / seconds / 1e6)
    return {name: median(values) for name, values in speeds.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        programs = {}
        for flag in ("-O2", "-O3"):
            program = Path(folder, f"wide{flag}")
            command = ["g++", "-std=c++17", flag, "-march=native", str(SOURCE), "-o", str(program)]
            subprocess.run(command, check=True)
            programs[f"C++ {flag}"] = program
        engine.alpha_beta(Kalah(8, 8), Kalah(8, 8).start(), store_difference, Depth(2))  # compile
        for board in BOARDS:
            speeds = compare(board, programs, rounds)
            row = {"board and depth": str(board), **speeds}
            row |= {f"by {name}": speeds["engine"] / speeds[name] for name in programs}
            row["by textbook"] = speeds["engine"] / speeds["textbook"]
            rows.append(row)
    print(pd.DataFrame(rows).round(2).to_string(index=False))


if __name__ == "__main__":
    main()
