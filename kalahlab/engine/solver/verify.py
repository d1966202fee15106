"""A ledger checked: do its pieces imply its claim, and are they found again by another path?"""

import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import local
from typing import Any

from kalahlab.engine.endgame.database import Database, largest_stones, open_database
from kalahlab.engine.memory import cores
from kalahlab.engine.packed import MAX_STONES, fits
from kalahlab.engine.solver.kernel import STOP
from kalahlab.engine.solver.ledger import Bounds, Ledger, Line, from_here, game_of, is_start
from kalahlab.engine.solver.prover import Counters, Prover, no_counters
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import State, in_play, pits_of
from kalahlab.games.notation import format_board, parse_board

DATABASE_BYTES = 2 * 10**9  # that its database may take, if not said otherwise
TABLE_ENTRIES = 1 << 22
NODE_FACTOR = 50  # times a piece's nodes, to find it again
PIECE_NODES = 10**6  # to be added to that
MOST_NODES = 1 << 62  # that can be counted


@dataclass(slots=True)
class Verification:
    """What became of a ledger's claim.

    claim: the bounds that the ledger has of the position. implied: whether they, and those that it
    has of the positions a move on, follow from the pieces, move by move. used: pieces that were
    needed for it; small: positions without a line, proved again here. proved: of the pieces used,
    those proved again; logged: of these, those that the log says were, and that were not proved
    in this run. nodes: what that took; seconds: of all threads.
    """

    position: str
    claim: Bounds
    implied: bool = False
    used: int = 0
    small: int = 0
    proved: int = 0
    logged: int = 0
    nodes: int = 0
    seconds: float = 0.0
    contradicted: list[str] = field(default_factory=list)
    stopped: bool = False

    @property
    def left(self) -> int:
        return self.used - self.proved - len(self.contradicted)

    @property
    def verified(self) -> bool:
        return self.implied and not self.contradicted and not self.left

    @property
    def verdict(self) -> str:
        unclear = "stopped" if self.stopped else "the claim is not found to follow from the pieces"
        logged = f" ({self.logged:,} of these by the log)" if self.logged else ""
        return (
            f"{'verified' if self.verified else 'not verified'}: "
            f"{'' if self.implied else unclear + '; '}"
            f"{self.proved:,} of {self.used:,} pieces proved again{logged}, "
            f"{len(self.contradicted):,} contradicted, {self.left:,} left"
        )

    def as_json(self) -> dict[str, Any]:
        found = {"verified": self.verified, "verdict": self.verdict}
        return {**found, **asdict(self), "left": self.left}


def verify(
    file: Path,
    sample: int | None = 100,
    database_stones: int | None = None,
    folder: Path | None = None,
    workers: int | None = None,
    piece_nodes: int = PIECE_NODES,
    log: Path | None = None,
    progress: Callable[[int, int], object] = lambda done, of: None,
    position: State | None = None,
) -> Verification:
    """Check what a file of a ledger says of a position; `ValueError` if it is no ledger, or says
    nothing of it.

    position: default the start of which it has bounds; what it says of others decides nothing.
    `ValueError` if it has bounds of several starts, or of none. sample: how many pieces to prove
    again, drawn by lot from those that the claim needs, those in the log first; None for all. Their
    proof is another: moves are ordered by the first set of numbers alone, the table is empty at
    first. database_stones: default half of those in play, or what `DATABASE_BYTES` hold. workers:
    pieces at a time, default all cores. log: a file of a ledger that gets each piece with the nodes
    of this proof; what it has is not proved again. progress: called with how many of the pieces
    drawn are done. Ctrl-C ends it with what was found.
    """
    ledger, game = check_ledger(file), game_of(file)
    root = find_start(file, ledger) if position is None else position
    total, (lower, upper) = in_play(root.board), ledger.bounds(from_here(root)[0])
    if pits_of(root.board) != game.pits or game.over(root) or (lower, upper) == (-total, total):
        raise ValueError(f"{file} says nothing of {format_board(root)}; name another position")
    if log is not None and (game_of(log) != game or (log.exists() and log.samefile(file))):
        raise ValueError(f"{log} cannot be the log of {file}; name another folder with --log")
    again = Ledger(log, resume=True)
    if database_stones is None:
        database_stones = min(largest_stones(game.pits, DATABASE_BYTES), total // 2)
    database = open_database(game.pits, database_stones, game.rules, folder=folder)
    check = Check(ledger, database, workers or cores(), piece_nodes)
    found = Verification(format_board(root), ledger.bounds(root))
    try:
        moves = [game.play(root, move) for move in game.moves(root)]
        follow = [check.bounds_follow(ledger, each) for each in (root, *moves)]
        found.implied = all(follow)
        found.used, found.small = len(check.used), check.small
        check.prove_again(drawn_pieces(check.used, sample, again), found, again, progress)
    except KeyboardInterrupt:
        found.stopped = True
    return found


def check_ledger(file: Path) -> Ledger:
    """Return the ledger of a file; `ValueError` if it proves nothing, or holds a board that the
    solver cannot."""
    if not (ledger := Ledger(file)).pieces:
        raise ValueError(f"{file} holds no proved bound")
    states = (*ledger.inferred, *(line.state for line in ledger.pieces))
    if misfit := next((state for state in states if not fits(state)), None):
        board = format_board(misfit)
        raise ValueError(f"{file}: {board!r} has too many stones; at most {MAX_STONES} fit")
    return ledger


def drawn_pieces(used: set[Line], sample: int | None, log: Ledger) -> list[Line]:
    """Return `sample` pieces, all if None: those in the log, then others by a lot that whoever
    made the ledger cannot know."""
    logged = {line[:3] for line in log.pieces}
    lines = random.SystemRandom().sample(sorted(used), len(used))
    return sorted(lines, key=lambda line: line[:3] not in logged)[:sample]


def find_start(file: Path, ledger: Ledger) -> State:
    """Return the only start of which a ledger has bounds; `ValueError` if there is not just one."""
    states = {*ledger.inferred, *(line.state for line in ledger.pieces)}
    starts = sorted(format_board(state) for state in states if is_start(state))
    if not starts:
        raise ValueError(f"{file} has no bound on a start; name the position to verify")
    if len(starts) > 1:
        raise ValueError(
            f"{file} has bounds on {len(starts)} starts, {' and '.join(starts[:2])}; name the one "
            "to verify, as with --pits 2 --stones 2"
        )
    return parse_board(starts[0])


class Check(StableRepr):
    """What follows from a ledger's pieces alone. used: pieces that mattered to a decision. small:
    how many positions without a line did."""

    def __init__(
        self, ledger: Ledger, database: Database, workers: int = 1, piece_nodes: int = PIECE_NODES
    ) -> None:
        self.lines: dict[State, list[Line]] = {}
        for line in ledger.pieces:
            self.lines.setdefault(line.state, []).append(line)
        self.used: set[Line] = set()
        self.small = 0
        self._inferred, self._database = ledger.inferred, database
        self._workers, self._slack = workers, piece_nodes
        self._prover = Prover(database, TABLE_ENTRIES, plain=True)
        self._decided: dict[tuple[State, int, bool], bool | None] = {}
        self._own = local()  # a prover for each thread

    def bounds_follow(self, ledger: Ledger, state: State) -> bool:
        state, total = from_here(state)[0], in_play(state.board)
        lower, upper = ledger.bounds(state)
        return (lower == -total or self.follows(state, lower) is True) and (
            upper == total or self.follows(state, upper + 1) is False
        )

    def follows(self, state: State, margin: int, anew: bool = True) -> bool | None:
        """Whether it is worth at least `margin`, or None. anew: what has no line may be proved."""
        state, margin = from_here(state, margin)
        margin += (margin - in_play(state.board)) % 2  # no value lies between
        key = state, margin, anew
        if key not in self._decided:
            known = self._decided.get((state, margin, False)) if anew else None
            self._decided[key] = self._decide(*key) if known is None else known
        return self._decided[key]

    def _decide(self, state: State, margin: int, anew: bool) -> bool | None:
        total, value = in_play(state.board), self._database.known(state)
        if value is not None:
            return value >= margin
        if not -total < margin <= total:
            return margin <= -total
        for line in self.lines.get(state, ()):
            yes = line.relation == ">="
            if line.margin >= margin if yes else line.margin < margin:
                self.used.add(line)
                return yes
        self.used.update(self.lines.get(state, ()))  # a false one does not say what it ought to
        if state in self._inferred:
            return self._by_moves(state, margin, anew)
        if not anew:
            return None
        # it was in the database of the proof
        found = self._prover.ask(state, margin, 10**7, no_counters()).bound
        self.small += found is not None
        return None if found is None else found >= margin

    def _by_moves(self, state: State, margin: int, anew: bool) -> bool | None:
        """A yes by one move, a no by all of them; what the lines say is looked for first."""
        game, found = self._database.game, list[bool | None]()
        for proving in (False, True) if anew else (False,):
            found = []
            for move in game.moves(state):
                after = game.play(state, move)
                passes = after.player != state.player
                answer = self.follows(after, 1 - margin if passes else margin, proving)
                found.append(None if answer is None else answer != passes)
                if found[-1]:
                    return True
        return None if None in found else False

    def prove_again(
        self,
        lines: Sequence[Line],
        found: Verification,
        log: Ledger,
        progress: Callable[[int, int], object],
    ) -> None:
        known = {line[:3]: line.nodes for line in log.pieces}
        before = [known[line[:3]] for line in lines if line[:3] in known]
        found.proved = found.logged = len(before)
        found.nodes = sum(before)
        progress(found.proved, len(lines))
        counters = {line: no_counters() for line in lines if line[:3] not in known}
        pool = ThreadPoolExecutor(self._workers, initializer=self._begin_thread)
        try:
            proofs = {pool.submit(self._prove, *each): each[0] for each in counters.items()}
            for done, proof in enumerate(as_completed(proofs), start=found.proved + 1):
                line, (right, nodes, seconds) = proofs[proof], proof.result()
                found.seconds += seconds
                if right:
                    found.proved, found.nodes = found.proved + 1, found.nodes + nodes
                    log.add(line._replace(nodes=nodes))
                elif right is False:
                    found.contradicted.append(str(line))
                progress(done, len(lines))
        finally:
            for each in counters.values():
                each[:, STOP] = 1
            pool.shutdown(cancel_futures=True)

    def _begin_thread(self) -> None:
        self._own.prover = Prover(self._database, TABLE_ENTRIES, plain=True)

    def _prove(self, line: Line, counters: Counters) -> tuple[bool | None, int, float]:
        """Whether a piece is right, None if not found in time; the nodes and seconds of that."""
        yes, began = line.relation == ">=", time.thread_time()
        margin, value = line.margin + (not yes), self._database.known(line.state)
        if value is not None:
            return (value >= margin) == yes, 1, 0.0
        self._own.prover.tables.table[:] = 0
        limit = min(NODE_FACTOR * line.nodes + self._slack, MOST_NODES)
        bound, nodes = self._own.prover.ask(line.state, margin, limit, counters)
        right = None if bound is None else (bound >= margin) == yes
        return right, nodes, time.thread_time() - began
