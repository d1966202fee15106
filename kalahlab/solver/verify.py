"""The verification of a ledger: do the pieces imply the claim, and can they be proved again?

The claim is the bounds that the ledger has of a position. The pieces are the lines whose bounds
were found by a search. All other bounds must follow from the pieces, move by move.
"""

import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import local
from typing import Any

from kalahlab.engine.packed import MAX_STONES, fits
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import State, pits_of, stones_in_play
from kalahlab.games.notation import format_board, parse_board
from kalahlab.parallel import count_cores
from kalahlab.solver.endgame.database import Database, largest_stones, open_database
from kalahlab.solver.kernel import STOP
from kalahlab.solver.ledger import (
    Bounds,
    Ledger,
    Line,
    is_start,
    margin_step,
    normalize_position,
    parse_file_name,
)
from kalahlab.solver.prover import Counters, Prover, empty_counters

DATABASE_BYTES = 2 * 10**9  # the default limit of the size of the database
TABLE_ENTRIES = 1 << 22
# A new proof of a piece may take NODE_FACTOR times the nodes of the first, and PIECE_NODES more.
NODE_FACTOR = 50
PIECE_NODES = 10**6
SMALL_NODES = 10**7  # the limit of the proof of a small position, see `Check`
MOST_NODES = 1 << 62  # the largest limit that the kernel can count to


@dataclass(slots=True)
class Verification:
    """The result of a verification.

    Attributes:
        position: The position.
        claim: The bounds that the ledger has of the position.
        implied: True if the claim, and the ledger's bounds of the positions a move on, follow from
            the pieces, move by move.
        used: The number of pieces that this needs.
        small: The number of positions without a line that had to be proved for this; see `Check`.
        proved: The number of used pieces that are proved again, in this run or by the log.
        logged: The number of used pieces that the log proves, so that this run did not.
        nodes: The nodes of the proofs that `proved` counts.
        seconds: The time of all threads.
        contradicted: The lines of pieces that were found to be false.
        stopped: True if the verification was interrupted.
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
    def remaining(self) -> int:
        return self.used - self.proved - len(self.contradicted)

    @property
    def is_verified(self) -> bool:
        return self.implied and not self.contradicted and not self.remaining

    @property
    def verdict(self) -> str:
        """A sentence about the result."""
        verdict = "verified: " if self.is_verified else "not verified: "
        if not self.implied and self.stopped:
            verdict += "stopped; "
        elif not self.implied:
            verdict += "the claim is not found to follow from the pieces; "
        verdict += f"{self.proved:,} of {self.used:,} pieces proved again"
        if self.logged:
            verdict += f" ({self.logged:,} of these by the log)"
        return f"{verdict}, {len(self.contradicted):,} contradicted, {self.remaining:,} left"

    def as_json(self) -> dict[str, Any]:
        return {
            "verified": self.is_verified,
            "verdict": self.verdict,
            **asdict(self),
            "left": self.remaining,
        }


def verify(
    file: Path,
    sample: int | None = 100,
    database_stones: int | None = None,
    folder: Path | None = None,
    workers: int | None = None,
    piece_nodes: int = PIECE_NODES,
    log: Path | None = None,
    progress: Callable[[int, int], object] = lambda done, total: None,
    position: State | None = None,
) -> Verification:
    """Check the bounds that a file of a ledger has of a position.

    The proofs differ from those of `solve`: the first set of numbers alone orders moves, and each
    piece begins with an empty table. Ctrl-C ends the verification with the result so far.

    Args:
        file: The file of a ledger.
        sample: The number of pieces to prove again; None for all that the claim needs. They are
            drawn by lot, first from those in the log, then from the others.
        database_stones: The stones of the database; default half of those in play, within limits.
        folder: The folder of databases; default the user's cache.
        workers: The number of pieces at a time; default all cores.
        piece_nodes: The most nodes of a piece's proof beyond `NODE_FACTOR` times the nodes that the
            ledger has for the piece.
        log: Another ledger's file, to which new proofs are added. Its pieces count as proved.
        progress: Called with the number of pieces that are done, and the number drawn.
        position: The position; default the only start of which the ledger has bounds.

    Raises:
        ValueError: The file is not a ledger, or has no bounds of the position or of one start.
    """
    ledger, game = check_ledger(file), parse_file_name(file)
    root = position or find_start(file, ledger)
    check_has_bounds(file, ledger, root)
    log_ledger = open_log(log, file)
    if database_stones is None:
        largest = largest_stones(game.pits, DATABASE_BYTES)
        database_stones = min(largest, stones_in_play(root.board) // 2)
    database = open_database(game.pits, database_stones, game.rules, folder=folder)
    check = Check(ledger, database, workers or count_cores(), piece_nodes)
    result = Verification(format_board(root), ledger.bounds(root))
    try:
        result.implied = check.claim_follows(ledger, root)
        result.used, result.small = len(check.used), check.small
        drawn = draw_pieces(check.used, sample, log_ledger)
        check.prove_again(drawn, result, log_ledger, progress)
    except KeyboardInterrupt:
        result.stopped = True
    return result


def check_ledger(file: Path) -> Ledger:
    """Load the ledger of a file.

    Raises:
        ValueError: The ledger has no piece, or a board that is too large for the solver.
    """
    ledger = Ledger(file)
    if not ledger.pieces:
        raise ValueError(f"{file} contains no proved bound")
    for state in (*ledger.inferred, *(line.state for line in ledger.pieces)):
        if not fits(state):
            board = format_board(state)
            raise ValueError(f"{file}: {board!r} has too many stones; at most {MAX_STONES} fit")
    return ledger


def open_log(log: Path | None, file: Path) -> Ledger:
    """Open the log of a verification of a file.

    Raises:
        ValueError: The log is the file itself, or is for another board.
    """
    if log is not None:
        is_of_other_board = parse_file_name(log) != parse_file_name(file)
        if is_of_other_board or (log.exists() and log.samefile(file)):
            raise ValueError(f"{log} cannot be the log of {file}; name another folder with --log")
    return Ledger(log, resume=True, rules=parse_file_name(file).rules)


def check_has_bounds(file: Path, ledger: Ledger, state: State) -> None:
    """Raise ValueError if the ledger of a file has no bounds of a position."""
    game, total = parse_file_name(file), stones_in_play(state.board)
    is_of_game = pits_of(state.board) == game.pits and not game.is_over(state)
    normalized, _ = normalize_position(state)
    if not is_of_game or ledger.bounds(normalized) == (-total, total):  # nothing is proved
        raise ValueError(f"{file} has no bounds on {format_board(state)}; name another position")


def draw_pieces(used: set[Line], sample: int | None, log: Ledger) -> list[Line]:
    """Draw `sample` pieces, or all if it is None: first those in the log, then others at random.

    The seed is the system's, so that whoever made the ledger cannot know which pieces are drawn.
    """
    logged = {line.key for line in log.pieces}
    lines = list(used)
    random.SystemRandom().shuffle(lines)
    lines_in_log = [line for line in lines if line.key in logged]
    other_lines = [line for line in lines if line.key not in logged]
    return (lines_in_log + other_lines)[:sample]


def find_start(file: Path, ledger: Ledger) -> State:
    """Return the start of which a ledger has bounds. Raise ValueError unless there is just one."""
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
    """A check of the bounds that follow from a ledger's pieces alone.

    Attributes:
        lines: The ledger's pieces, by position.
        used: The pieces that mattered to a decision.
        small: The number of small positions that were proved for a decision. A small position has
            no line, as it was in the database of the solve.
    """

    def __init__(
        self, ledger: Ledger, database: Database, workers: int = 1, piece_nodes: int = PIECE_NODES
    ) -> None:
        self.lines: dict[State, list[Line]] = {}
        for line in ledger.pieces:
            self.lines.setdefault(line.state, []).append(line)
        self.used: set[Line] = set()
        self.small = 0
        self._inferred, self._database = ledger.inferred, database
        self._workers, self._piece_nodes = workers, piece_nodes
        self._prover = Prover(database, TABLE_ENTRIES, plain=True)
        self._decided: dict[tuple[State, int, bool], bool | None] = {}  # answers of `is_at_least`
        self._thread = local()  # a prover for each thread

    def claim_follows(self, ledger: Ledger, state: State) -> bool:
        """Return whether the bounds of a position, and of all positions a move on, follow."""
        game = self._database.game
        positions = [state, *(game.play(state, move) for move in game.moves(state))]
        # A list, as `all` would stop at the first False: each position has to add to `used`.
        follows = [self.bounds_follow(ledger, position) for position in positions]
        return all(follows)

    def bounds_follow(self, ledger: Ledger, state: State) -> bool:
        """Return whether the bounds that the ledger has of a position follow."""
        state, _ = normalize_position(state)
        total = stones_in_play(state.board)
        lower, upper = ledger.bounds(state)
        # A bound that gives all stones to one player needs no proof.
        lower_follows = lower == -total or self.is_at_least(state, lower) is True
        if not lower_follows:
            return False
        return upper == total or self.is_at_least(state, upper + 1) is False

    def is_at_least(self, state: State, margin: int, anew: bool = True) -> bool | None:
        """Return whether a position is worth at least `margin`; None if that does not follow.

        Args:
            state: The position.
            margin: The margin, of the player to move.
            anew: Prove small positions, which have no line.
        """
        state, margin = normalize_position(state, margin)
        # Round up to the next possible margin.
        step = margin_step(self._database.game.rules)
        margin += (margin - stones_in_play(state.board)) % step
        key = state, margin, anew
        if key not in self._decided:
            answer = None
            if anew:  # an answer that the lines alone gave is valid here, too
                answer = self._decided.get((state, margin, False))
            if answer is None:
                answer = self._decide(state, margin, anew)
            self._decided[key] = answer
        return self._decided[key]

    def _decide(self, state: State, margin: int, anew: bool) -> bool | None:
        """Return the answer to the question of `is_at_least`, for a normalized position."""
        total = stones_in_play(state.board)
        value = self._database.probe(state)
        if value is not None:
            return value >= margin
        if margin <= -total:
            return True
        if margin > total:
            return False
        lines = self.lines.get(state, [])
        for line in lines:
            if line.relation == ">=" and line.margin >= margin:
                self.used.add(line)
                return True
            if line.relation == "<=" and line.margin < margin:
                self.used.add(line)
                return False
        # None of the lines decides. They count as used all the same: one of them may be false and
        # stand in place of a line that decides. Only a new proof finds that the line is false.
        self.used.update(lines)
        if state in self._inferred:
            return self._decide_by_moves(state, margin, anew)
        if not anew:
            return None
        # The position was in the database of the solve, so a short proof should do.
        bound = self._prover.ask(state, margin, SMALL_NODES, empty_counters()).bound
        if bound is None:
            return None
        self.small += 1
        return bound >= margin

    def _decide_by_moves(self, state: State, margin: int, anew: bool) -> bool | None:
        """Decide by the moves: a yes needs one of them, a no all.

        With `anew` all moves are first tried by the lines alone, as a new proof takes longer.
        """
        game = self._database.game
        answers: list[bool | None] = []
        rounds = (False, True) if anew else (False,)
        for may_prove in rounds:
            answers = []  # of this round
            for move in game.moves(state):
                after = game.play(state, move)
                if after.player == state.player:
                    answer = self.is_at_least(after, margin, may_prove)
                else:  # the mover gets `margin` if the opponent does not get at least 1 - margin
                    answer = self.is_at_least(after, 1 - margin, may_prove)
                    if answer is not None:
                        answer = not answer
                if answer:
                    return True
                answers.append(answer)
        return None if None in answers else False

    def prove_again(
        self,
        lines: Sequence[Line],
        result: Verification,
        log: Ledger,
        progress: Callable[[int, int], object],
    ) -> None:
        """Prove the pieces that the log does not have; add each result to `result` and the log."""
        nodes_in_log = {line.key: line.nodes for line in log.pieces}
        logged = [line for line in lines if line.key in nodes_in_log]
        result.proved = result.logged = len(logged)
        result.nodes = sum(nodes_in_log[line.key] for line in logged)
        progress(result.proved, len(lines))
        counters = {line: empty_counters() for line in lines if line.key not in nodes_in_log}
        pool = ThreadPoolExecutor(self._workers, initializer=self._begin_thread)
        try:
            proofs = {
                pool.submit(self._prove, line, line_counters): line
                for line, line_counters in counters.items()
            }
            for done, proof in enumerate(as_completed(proofs), start=result.proved + 1):
                line = proofs[proof]
                is_right, nodes, seconds = proof.result()
                result.seconds += seconds
                if is_right:
                    result.proved += 1
                    result.nodes += nodes
                    log.add(line._replace(nodes=nodes))
                elif is_right is False:
                    result.contradicted.append(str(line))
                progress(done, len(lines))
        finally:
            for line_counters in counters.values():  # after Ctrl-C: end the proofs under way
                line_counters[:, STOP] = 1
            pool.shutdown(cancel_futures=True)

    def _begin_thread(self) -> None:
        self._thread.prover = Prover(self._database, TABLE_ENTRIES, plain=True)

    def _prove(self, line: Line, counters: Counters) -> tuple[bool | None, int, float]:
        """Prove a piece again.

        Returns:
            A verdict, the nodes and the seconds. The verdict is True if the piece is right, False
            if it is false, and None if the limit of nodes was reached first. A look-up in the
            database counts as one node.
        """
        started = time.thread_time()
        is_lower = line.relation == ">="
        # A line ">= m" is a yes to "at least m?", a line "<= m" is a no to "at least m + 1?".
        margin = line.margin if is_lower else line.margin + 1
        value = self._database.probe(line.state)
        if value is not None:
            return (value >= margin) == is_lower, 1, 0.0
        prover = self._thread.prover
        prover.tables.table[:] = 0  # so that no piece depends on the pieces before it
        limit = min(NODE_FACTOR * line.nodes + self._piece_nodes, MOST_NODES)
        bound, nodes = prover.ask(line.state, margin, limit, counters)
        is_right = None if bound is None else (bound >= margin) == is_lower
        return is_right, nodes, time.thread_time() - started
