"""Rehearse the proof in pieces on solved boards: the process is killed at random.

    python benchmarks/rehearsal.py [--kills 20] [--seconds 30] [--stones 26] [--seed 1]
                                   [--out benchmarks/results/rehearsal.json]  [BOARD ...]

A BOARD is such as 5,6,standard; the default is (5,6) and (6,5) under both rules. Each is solved
with all first moves by `kalahlab solve --ledger`, in a process that is killed (SIGKILL) after a
random time of `--seconds` on average, and started again, until it was killed `--kills` times; then
it may end. Values, nodes and processor time are compared with those of `data/solved.csv`, where
each move took one proof on one core; `--alone` repeats that here, with the database of the
rehearsal.
"""

import argparse
import csv
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BOARDS = ("5,6,standard", "5,6,empty-capture", "6,5,standard", "6,5,empty-capture")


@dataclass
class Rehearsal:
    """The result of a board. `nodes` are the ledger's; `cpu` and `wall` are seconds of all runs."""

    board: str
    kills: int = 0
    cpu: float = 0.0
    wall: float = 0.0
    nodes: int = 0
    pieces: int = 0
    agrees: bool = False
    nodes_known: int = 0
    nodes_alone: int = 0
    cpu_alone: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.board:20} {self.kills:3} kills  {'same values' if self.agrees else 'DIFFERS'}  "
            f"{self.nodes:13,} nodes in {self.pieces:6,} pieces, {self.cpu:8.1f} s of processor "
            f"time, {self.wall:8.1f} s by the wall; one proof a move: {self.nodes_known:,} nodes "
            f"in the table, {self.nodes_alone:,} nodes and {self.cpu_alone:.1f} s here"
        )


def find_row(board: str) -> dict[str, str]:
    """Return a board's row of the table of solved games."""
    with (HERE.parent / "data" / "solved.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if f"{row['pits']},{row['stones']},{row['rules']}" == board:
                return row
    raise SystemExit(f"{board} is not in the table of solved games")


def make_command(board: str, stones: int, ledger: Path | None) -> list[str]:
    pits, stones_a_pit, rules = board.split(",")
    words = ["solve", "--json", "--moves", "--rules", rules]
    words += ["--pits", pits, "--stones", stones_a_pit]
    words += ["--database-stones", str(stones), "--memory", "4GB"]
    if ledger:
        words += ["--ledger", str(ledger)]
    return [sys.executable, "-m", "kalahlab", *words]


def run(words: list[str], folder: Path, patience: float | None) -> tuple[dict[str, Any], float]:
    """Run a solve, and kill it after `patience` seconds of wall time.

    Returns:
        Its output, empty if it was killed, and its seconds of processor time.
    """
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder)}
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(words, stdout=out, stderr=subprocess.DEVNULL, env=environment)
        end = time.monotonic() + (patience or 1e9)
        while True:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            if time.monotonic() > end:
                process.kill()
            time.sleep(0.05)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    if process.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"{' '.join(words)} ended with status {process.returncode}")
    output = json.loads(text) if process.returncode == 0 else {}
    return output, usage.ru_utime + usage.ru_stime


def rehearse(board: str, args: argparse.Namespace, folder: Path) -> Rehearsal:
    """Solve a board with a ledger, killed again and again."""
    result, ledger = Rehearsal(board), folder / board.replace(",", "-")
    words = make_command(board, args.stones, ledger)
    rng = random.Random(f"{args.seed} {board}")
    started = time.monotonic()
    output: dict[str, Any] = {}
    while not output:
        patience = None
        if result.kills < args.kills:
            patience = rng.uniform(0, 2 * args.seconds)
        output, cpu = run(words, folder, patience)
        if not output:
            result.kills += 1
        result.cpu += cpu
        seconds = time.monotonic() - started
        print(f"{board}: {result.kills} kills, {seconds:.0f} s", file=sys.stderr, flush=True)
    result.wall, result.nodes = time.monotonic() - started, output["nodes"]
    [file] = ledger.glob("*.txt")
    result.pieces = len([line for line in file.read_text().splitlines() if " moves " not in line])
    row = find_row(board)
    values = [int(value) for value in row["moves"].split()]
    result.agrees = (output["value"], output["moves"]) == (int(row["value"]), values)
    result.nodes_known = int(row["move_nodes"])
    if args.alone:
        output, result.cpu_alone = run(make_command(board, args.stones, None), folder, None)
        result.nodes_alone = output["nodes"]
        result.agrees &= output["moves"] == values
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("boards", nargs="*", default=BOARDS)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30.0, help="between two, on average")
    parser.add_argument("--stones", type=int, default=26, help="of the endgame database")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alone", action="store_true", help="solve without a ledger, too")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "rehearsal.json")
    args = parser.parse_args()
    args.out.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        rows = []
        for board in args.boards:
            rows.append(rehearse(board, args, Path(name)))
            print(rows[-1], flush=True)
            args.out.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
