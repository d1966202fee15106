"""Make a certificate of Kalah(6,6): a ledger with those of its lines that are needed.

python data/make/certificate.py data/ledger/kalah-6-standard.txt new/kalah-6-standard.txt

Each piece is proved anew, alone: a fresh table, an endgame database, and the rules. Its line tells
the nodes of that proof. A piece that takes too many nodes is split: the bound then follows from
pieces of the positions a move on. Stopped, it goes on where it was.
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
from kalahlab.engine.endgame.database import open_database
from kalahlab.engine.solver.ledger import Ledger, Line, from_here, game_of, parse_line
from kalahlab.engine.solver.prover import Prover, no_counters
from kalahlab.files import atomic_write
from kalahlab.games.kalah import SOUTH, State, in_play

TABLE_ENTRIES = 1 << 23
PIECE_NODES = 100_000_000  # of more, a piece is split


def needed(file: Path) -> list[Line]:
    """The lines that the bounds of the start and its moves rest on, those of most stones first."""
    sys.setrecursionlimit(10_000)
    check = run_path(str(data_file("ledger/check.py")))
    checker, start = check["Checker"](check["read"](file), "empty" in file.stem), (6,) * 12
    lines = checker.basis(start)
    for _, after, *_ in check["first_moves"](checker, start):
        lines |= checker.basis(after)
    return [
        Line(State((*board[:6], 0, *board[6:], 0), SOUTH), *bound)
        for board, *bound in sorted(lines, key=lambda line: (-sum(line[0]), line))
    ]


def proved(prover: Prover, line: Line, limit: int = PIECE_NODES) -> Line | None:
    """A piece with the nodes of its own proof, -1 if it is false; None if the limit came first."""
    margin = line.margin + (line.relation == "<=")
    bound, nodes = prover.database.known(line.state), 1
    if bound is None:
        prover.tables.table[:] = 0
        bound, nodes = prover.ask(line.state, margin, limit, no_counters())
    if bound is None:
        return None
    true = (bound >= margin) == (line.relation == ">=")
    return line._replace(nodes=nodes if true else -1)


def moves_on(prover: Prover, line: Line) -> Iterator[Line]:
    """What gives a bound, a move on: a lower bound follows from one of these, an upper from all."""
    game = prover.database.game
    for move in game.moves(line.state):
        after = game.play(line.state, move)
        passes, total = after.player != line.state.player, in_play(after.board)
        state, margin = from_here(after, 0)
        margin += -line.margin if passes else line.margin
        lower = (line.relation == ">=") != passes
        if margin > -total if lower else margin < total:  # else there is nothing to prove
            yield Line(state, ">=" if lower else "<=", margin, 0)


def good_move(prover: Prover, moves: list[Line]) -> Line:
    """The one of some bounds that is proved first, each tried with more and more nodes."""
    for limit in (PIECE_NODES << n >> 6 for n in count(step=3)):
        for line in [*moves]:
            found = proved(prover, line, limit)
            if found and found.nodes > 0:
                return found
            if found:
                moves.remove(line)
    raise AssertionError("count() does not end")


def prove(prover: Prover, line: Line, done: dict[Line, Line], out: Ledger) -> None:
    """Prove a bound, in parts if it is too large for one piece."""
    if line in done:
        return
    piece = proved(prover, line)
    if piece is None:
        moves = [*moves_on(prover, line)]
        if line.relation == ">=" and not any(each in done for each in moves):
            good = good_move(prover, moves)
            done[good._replace(nodes=0)] = good
            out.add(good)
        elif line.relation == "<=":
            for each in moves:
                prove(prover, each, done, out)
    elif piece.nodes < 0:
        sys.exit(f"contradicted: {line}")
    done[line] = piece or line
    out.add(done[line])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ledger", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--database-stones", type=int, default=28)
    given = parser.parse_args()
    game, lines = game_of(given.ledger), needed(given.ledger)
    out = Ledger(given.out, resume=True)
    before = map(
        parse_line, given.out.read_text("ascii").splitlines() if given.out.exists() else ()
    )
    done = {line._replace(nodes=0): line for line in before}
    prover = Prover(open_database(6, given.database_stones, game.rules), TABLE_ENTRIES)
    for line in tqdm(sorted((line for line in lines if line.nodes), key=lambda line: line.nodes)):
        prove(prover, line._replace(nodes=0), done, out)
    print(f"{time.process_time():,.0f} seconds of processor time", flush=True)
    done = {line._replace(nodes=0): line for line in lines} | done
    with atomic_write(given.out) as part:
        part.write_text("".join(f"{line}\n" for line in done.values()), "ascii")
    lines = needed(given.out)
    with atomic_write(given.out) as part:
        part.write_text("".join(f"{line}\n" for line in lines), "ascii")


if __name__ == "__main__":
    main()
