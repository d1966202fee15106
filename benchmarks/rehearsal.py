"""The proof in pieces rehearsed on boards that are known: killed at random, the same values.

    python benchmarks/rehearsal.py [--kills 20] [--seconds 30] [--stones 26] [--seed 1]
                                   [--out benchmarks/results/rehearsal.json]  [BOARD ...]

BOARD: such as 5,6,standard; without, (5,6) and (6,5) under both rules. Each is solved with all
first moves by `kalahlab solve --ledger`, in a process that is killed (SIGKILL) after a random time
of `--seconds` on average, and begun again, until it was killed `--kills` times; then it may end.
Values, nodes and processor time stand beside those of `data/solved.csv`, one proof a move on one
core; with `--alone` that is done again here, with the database of the rehearsal.
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
    """What became of a board. nodes: those of the ledger; cpu, wall: seconds of all processes."""

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
    """A board's row of the table of solved games."""
    with (HERE.parent / "data" / "solved.csv").open(newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        return next(r for r in rows if f"{r['pits']},{r['stones']},{r['rules']}" == board)


def command(board: str, stones: int, ledger: Path | None) -> list[str]:
    pits, each, rules = board.split(",")
    words = ["solve", "--json", "--moves", "--pits", pits, "--stones", each, "--rules", rules]
    words += ["--database-stones", str(stones), "--memory", "4GB"]
    words += ["--ledger", str(ledger)] if ledger else []
    return [sys.executable, "-m", "kalahlab", *words]


def run(words: list[str], folder: Path, patience: float | None) -> tuple[dict[str, Any], float]:
    """(What the solve printed, nothing if it was killed; its seconds of processor time).

    It is killed after `patience` seconds of the wall.
    """
    where = {**os.environ, "XDG_CACHE_HOME": str(folder)}
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(words, stdout=out, stderr=subprocess.DEVNULL, env=where)
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
    return json.loads(text) if process.returncode == 0 else {}, usage.ru_utime + usage.ru_stime


def rehearse(board: str, given: argparse.Namespace, folder: Path) -> Rehearsal:
    """Solve a board through a ledger, killed again and again."""
    found, ledger = Rehearsal(board), folder / board.replace(",", "-")
    words = command(board, given.stones, ledger)
    rng, began, printed = random.Random(f"{given.seed} {board}"), time.monotonic(), {}
    while not printed:
        left = found.kills < given.kills
        printed, cpu = run(words, folder, rng.uniform(0, 2 * given.seconds) if left else None)
        found.kills += not printed
        found.cpu += cpu
        done = time.monotonic() - began
        print(f"{board}: {found.kills} kills, {done:.0f} s", file=sys.stderr, flush=True)
    found.wall, found.nodes = time.monotonic() - began, printed["nodes"]
    (file,) = ledger.glob("*.txt")
    found.pieces = sum(" moves " not in line for line in file.read_text().splitlines())
    known = find_row(board)
    values = [int(value) for value in known["moves"].split()]
    found.agrees = (printed["value"], printed["moves"]) == (int(known["value"]), values)
    found.nodes_known = int(known["move_nodes"])
    if given.alone:
        printed, found.cpu_alone = run(command(board, given.stones, None), folder, None)
        found.nodes_alone = printed["nodes"]
        found.agrees &= printed["moves"] == values
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("boards", nargs="*", default=BOARDS)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30.0, help="between two, on average")
    parser.add_argument("--stones", type=int, default=26, help="of the endgame database")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alone", action="store_true", help="solve without a ledger, too")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "rehearsal.json")
    given = parser.parse_args()
    given.out.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        rows = []
        for board in given.boards:
            rows.append(rehearse(board, given, Path(name)))
            print(rows[-1], flush=True)
            given.out.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
