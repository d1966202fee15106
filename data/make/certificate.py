"""Make a certificate of Kalah(6,6): a ledger with only those of its lines that are needed.

python data/make/certificate.py data/ledger/kalah-6-standard.txt new/kalah-6-standard.txt

Each piece is proved again, independently: with an empty table, an endgame database, and the rules.
Its line has the nodes of that proof. A piece that takes too many nodes is split: the bound then
follows from pieces of the positions a move on. If the program is stopped, it resumes at that place.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from runpy import run_path

from tqdm import tqdm

from kalahlab.data import data_file
from kalahlab.files import atomic_write
from kalahlab.games.kalah import SOUTH, State, stones_in_play
from kalahlab.solver.endgame.database import open_database
from kalahlab.solver.ledger import Ledger, Line, normalize_position, parse_file_name, parse_line
from kalahlab.solver.prover import Prover, empty_counters

TABLE_ENTRIES = 1 << 23
PIECE_NODES = 100_000_000  # a piece with more is split


def find_needed_lines(file: Path) -> list[Line]:
    """Return the lines that the bounds of the start and its moves need, most stones first."""
    sys.setrecursionlimit(10_000)
    check = run_path(str(data_file("ledger/check.py")))
    checker = check["Checker"](check["load_bounds"](file), "empty" in file.stem)
    start = (6,) * 12
    lines = checker.lines_for_bounds(start)
    for _, after, *_ in check["first_moves"](checker, start):
        lines |= checker.lines_for_bounds(after)
    return [
        Line(State((*board[:6], 0, *board[6:], 0), SOUTH), *bound)
        for board, *bound in sorted(lines, key=lambda line: (-sum(line[0]), line))
    ]


def prove_line(prover: Prover, line: Line, limit: int = PIECE_NODES) -> Line | None:
    """Prove a piece; return it with the nodes, -1 if it is false, or None at the limit."""
    margin = line.margin
    if line.relation == "<=":  # a value is at most m if it is not at least m + 1
        margin += 1
    bound, nodes = prover.database.probe(line.state), 1
    if bound is None:
        prover.tables.table[:] = 0
        bound, nodes = prover.ask(line.state, margin, limit, empty_counters())
    if bound is None:
        return None
    is_true = (bound >= margin) == (line.relation == ">=")
    return line._replace(nodes=nodes if is_true else -1)


def moves_on(prover: Prover, line: Line) -> Iterator[Line]:
    """Yield bounds of the moves: a lower bound follows from one of them, an upper one from all."""
    game = prover.database.game
    for move in game.moves(line.state):
        after = game.play(line.state, move)
        passes, total = after.player != line.state.player, stones_in_play(after.board)
        state, margin = normalize_position(after, -line.margin if passes else line.margin)
        is_lower = (line.relation == ">=") != passes
        if is_lower and margin > -total:  # else there is nothing to prove
            yield Line(state, ">=", margin, 0)
        if not is_lower and margin < total:
            yield Line(state, "<=", margin, 0)


def good_move(prover: Prover, moves: list[Line]) -> Line:
    """Return the first of some bounds that is proved, each tried with more and more nodes."""
    for shift in count(step=3):
        limit = PIECE_NODES << shift >> 6
        for line in [*moves]:
            piece = prove_line(prover, line, limit)
            if piece and piece.nodes > 0:
                return piece
            if piece:
                moves.remove(line)
    raise AssertionError("count() does not end")


def prove(prover: Prover, line: Line, done: dict[Line, Line], out: Ledger) -> None:
    """Prove a bound, in parts if it is too large for one piece."""
    if line in done:
        return
    piece = prove_line(prover, line)
    if piece is None:
        moves = [*moves_on(prover, line)]
        if line.relation == ">=" and not any(move in done for move in moves):
            good = good_move(prover, moves)
            done[good._replace(nodes=0)] = good
            out.add(good)
        elif line.relation == "<=":
            for move in moves:
                prove(prover, move, done, out)
    elif piece.nodes < 0:
        sys.exit(f"contradicted: {line}")
    done[line] = piece or line
    out.add(done[line])


def main() -> None:
    """Prove the needed lines of a ledger, and write those that the new proof needs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ledger", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--database-stones", type=int, default=28)
    args = parser.parse_args()
    game, lines = parse_file_name(args.ledger), find_needed_lines(args.ledger)
    out = Ledger(args.out, resume=True)
    done: dict[Line, Line] = {}
    if args.out.exists():
        for text in args.out.read_text("ascii").splitlines():
            line = parse_line(text)
            done[line._replace(nodes=0)] = line
    prover = Prover(open_database(6, args.database_stones, game.rules), TABLE_ENTRIES)
    pieces = [line for line in lines if line.nodes]
    for line in tqdm(sorted(pieces, key=lambda line: line.nodes)):
        prove(prover, line._replace(nodes=0), done, out)
    print(f"{time.process_time():,.0f} seconds of processor time", flush=True)
    done = {line._replace(nodes=0): line for line in lines} | done
    with atomic_write(args.out) as part:
        part.write_text("".join(f"{line}\n" for line in done.values()), "ascii")
    lines = find_needed_lines(args.out)
    with atomic_write(args.out) as part:
        part.write_text("".join(f"{line}\n" for line in lines), "ascii")


if __name__ == "__main__":
    main()
