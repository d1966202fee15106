"""Perfect play: the exact value of a position of Kalah, each move's value, a perfect line.

from kalahlab.engine.solver.solve import solve
solution = solve(Kalah(6, 4).start(), STANDARD, moves=True)
solution.value          # 8: the mover's final store minus the opponent's
solution.moves          # (-14, -10, 8, -2, -8, 4)
"""

import time
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

from kalahlab import engine
from kalahlab.engine.endgame.database import (
    BackgroundWriter,
    Database,
    build,
    database_path,
    load,
    preset_name,
    stored_stones,
)
from kalahlab.engine.memory import cores, in_units, resident_bytes
from kalahlab.engine.packed import MAX_PITS, MAX_STONES, fits
from kalahlab.engine.solver.exact import ExactSolver, known_margin
from kalahlab.engine.solver.ledger import Bounds, Ledger
from kalahlab.engine.solver.pieces import ExecutorWorkers, Threads, Together, Worker
from kalahlab.engine.solver.plan import Plan, check_free, make_plan
from kalahlab.engine.solver.proof_tree import Pieces, ProofTree
from kalahlab.engine.solver.provers import Prover, warm_up
from kalahlab.engine.solver.solution import OnProgress, Progress, Question, Solution
from kalahlab.evaluators.fitted import fitted
from kalahlab.games.kalah import STANDARD, Kalah, Rules, State, in_play, pits_of
from kalahlab.search import ORDERS, Depth

PIECE_NODES = 100_000
"""Of a piece; it takes some 0.02 seconds. (5,5) takes 22 M nodes with such ones, and 53 M with ten
times larger ones: `benchmarks/proofs.py`."""

ENDLESS = 1 << 62
"""Nodes of the only piece of a proof that is not kept; all threads search it. Smaller ones waste
what those take that are left open: (6,4) with 16 stones and one thread 59.8 M nodes, not 40.8 M."""

LOOK_AHEAD = 6
"""Sows that are searched to guess what an answer costs. 12 with the store difference guess as well
and take four times as long."""

REPORT_SECONDS = 0.5
"""Between two reports of progress, unless there is news."""


def solve(
    state: State,
    rules: Rules = STANDARD,
    *,
    moves: bool = False,
    line: bool = True,
    guess: int | None = None,
    database_stones: int | None = None,
    table_bytes: int | None = None,
    memory_bytes: int | None = None,
    workers: int | None = None,
    progress: OnProgress | None = None,
    ledger: Path | None = None,
    piece_nodes: int | None = None,
    executor: Executor | None = None,
    folder: Path | None = None,
    rebuild: bool = False,
    keep: bool = True,
) -> Solution:
    """The exact value of a position under perfect play of both.

    rules: `STANDARD` or `EMPTY_CAPTURE`. moves: value each move, too. line: find a perfect
    line. guess: the value to ask for first. database_stones, table_bytes: sizes of the endgame
    database and the transposition table; default by `make_plan` from the memory there is, or from
    `memory_bytes`. workers: pieces at a time, default all cores. progress: called with how far it
    is. ledger: a folder where each proved bound is kept, and gone on from. piece_nodes: the most
    nodes of a piece of the proof, see `.proof_tree`; default 100,000, and no limit without
    a ledger or an executor. executor: whose workers search the pieces instead of threads. folder:
    of databases, default the user's cache. rebuild: do not use a file that is there. keep: write a
    database that was built to its file.
    Ctrl-C gives the bounds proved so far. `ValueError` for what cannot be solved or does not fit.
    """
    began = time.perf_counter()
    check_position(state)
    preset_name(rules)
    game = Kalah(pits_of(state.board), 0, rules)
    if game.over(state):
        return finished(game, state, moves)
    sizes = database_stones, table_bytes, memory_bytes
    stored = () if rebuild else stored_stones(game.pits, rules, folder)
    plan = make_plan(game.pits, in_play(state.board), moves, *sizes, stored)
    if executor is None:  # whose workers have memory of their own
        check_free(plan)
    kept = Ledger(ledger_file(ledger, game) if ledger else None, resume=True)
    workers = workers or cores()
    alone = executor is None and ledger is None
    run = Run(game, state, plan, workers, progress or (lambda news: None), began, kept)
    try:
        nodes = piece_nodes or (ENDLESS if alone else PIECE_NODES)
        run.begin(executor, folder, rebuild, keep, nodes)
        run.find(moves, line, guess)
    except KeyboardInterrupt:
        run.stopped = True
    finally:
        run.end()
    return run.solution(moves)


def ledger_file(folder: Path, game: Kalah) -> Path:
    """The file of a ledger that holds a game's bounds; the folder is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"kalah-{game.pits}-{preset_name(game.rules)}.txt"


def finished(game: Kalah, state: State, moves: bool) -> Solution:
    """What there is to know of a finished game."""
    margin, nothing = game.margin(state, state.player), (None,) * game.pits
    return Solution(margin, nothing if moves else None, (), 0, 0.0, 0, (margin, margin))


def check_position(state: State) -> None:
    """`ValueError` unless the position is one that the solver can hold."""
    board, player = state
    if len(board) < 4 or len(board) % 2:
        raise ValueError(f"a board has 2m + 2 numbers for m pits a side, not {len(board)}")
    negative = [count for count in board if count < 0]
    if negative:
        raise ValueError(f"a board holds {negative[0]} stones somewhere; a count is 0 or more")
    if player not in (0, 1):
        raise ValueError(f"player {player!r} is to move; use 0 for South or 1 for North")
    if not fits(state):
        raise ValueError(
            f"{in_play(board)} stones in play on {pits_of(board)} pits a side are too many to "
            f"solve; at most {MAX_STONES} on at most {MAX_PITS}"
        )


@dataclass(slots=True)
class Run:
    """One solve: what it works with, and what it knows so far.

    move: what is being valued; None: the position. reported, searching: when the last report was
    made and when the search began; earlier: the nodes that the ledger had before.
    """

    game: Kalah
    root: State
    plan: Plan
    workers: int
    on_progress: OnProgress
    began: float
    ledger: Ledger
    stopped: bool = False
    line: tuple[int, ...] = ()
    move_values: dict[int, int] = field(default_factory=dict)
    solver: ExactSolver | None = None
    prover: ProofTree | None = None
    writer: BackgroundWriter | None = None
    reported: float = 0.0
    searching: float = 0.0
    move: int | None = None
    earlier: int = field(init=False)

    def __post_init__(self) -> None:
        self.earlier = self.ledger.nodes

    def begin(
        self, executor: Executor | None, folder: Path | None, rebuild: bool, keep: bool, nodes: int
    ) -> None:
        """Get the database and whoever is to answer."""
        self._announce()
        game, count = self.game, self.plan.database_stones
        path = database_path(game.pits, count, game.rules, folder)
        database = self._obtain(path, rebuild, keep or executor is not None)
        self.prover = ProofTree(
            game,
            lambda state: known_margin(database, game, state),
            lambda state: estimate(game, state),
            self.ledger,
            self._pieces(database, folder, executor, whole=nodes == ENDLESS),
            nodes,
            database.stones,
            self._poll,
        )
        self.solver = ExactSolver(game, database, self.prover, self.ledger, self._report)
        self.searching = time.perf_counter()

    def _pieces(
        self, database: Database, folder: Path | None, executor: Executor | None, whole: bool
    ) -> Pieces:
        """Who searches the pieces: threads here, all on one if it is the whole, or an executor."""
        entries = self.plan.entries
        if whole:
            return Together(Prover(database, entries, self.workers))
        if executor is None:
            return Threads(Prover(database, entries, 1), self.workers)
        self._wait_for_file()
        worker = Worker(database.pits, database.stones, database.rules, entries, folder)
        return ExecutorWorkers(executor, worker, self.workers)

    def find(self, moves: bool, line: bool, guess: int | None) -> None:
        """The value and, if asked for, a perfect line and what each move is worth."""
        assert self.solver is not None
        self.solver.value(self.root, guess)
        if line:
            self.line = self.solver.line(self.root)
        if moves:
            values = self.solver.move_values(self.root, self._begin_move)
            self.move_values.update(values)

    def end(self) -> None:
        """Let go of threads."""
        if self.writer is not None:
            self.writer.wait(give_up=self.stopped)
            self.on_progress(Progress("kept", note=self.writer.error or "the database was kept"))
        if self.prover is not None:
            self.prover.close()

    def solution(self, moves: bool) -> Solution:
        """What is known at the end."""
        lower, upper = self._bounds()
        values = tuple(self.move_values.get(pit) for pit in range(self.game.pits))
        return Solution(
            lower if lower == upper else None,
            values if moves else None,
            self.line,
            self._nodes,
            self._seconds,
            self.plan.database_stones,
            (lower, upper),
            self.stopped,
        )

    @property
    def _nodes(self) -> int:
        return self.earlier + (self.prover.nodes if self.prover else 0)

    @property
    def _seconds(self) -> float:
        return time.perf_counter() - self.began

    def _announce(self) -> None:
        warm_up()  # what compiled code takes is there before it is reckoned with
        stones, table = self.plan.database_stones, in_units(self.plan.table_bytes)
        self.on_progress(
            Progress(
                "memory",
                bytes=resident_bytes() + self.plan.bytes,
                note=f"an endgame database of {stones} stones, {table} of table",
            )
        )

    def _obtain(self, path: Path, rebuild: bool, keep: bool) -> Database:
        pits, count, rules = self.game.pits, self.plan.database_stones, self.game.rules
        if path.exists() and not rebuild:
            return load(path, pits, count, rules)

        def on_progress(done: int, of: int) -> None:
            if done == of or self._due():
                self.on_progress(Progress("database", self._seconds, bytes=done, all_bytes=of))

        database = build(pits, count, rules, self.workers, on_progress)
        self.writer = BackgroundWriter(database, path) if keep else None
        return database

    def _wait_for_file(self) -> None:
        """Until the workers of an executor can read the database."""
        if self.writer is not None:
            self.writer.wait()
            if self.writer.error:
                raise ValueError(f"the workers need the database: {self.writer.error}")

    def _bounds(self) -> Bounds:
        """What is proved of the root, also before there is a solver."""
        return (self.solver or self.ledger).bounds(self.root)

    def _begin_move(self, pit: int) -> None:
        self.move = pit

    def _poll(self) -> None:
        """Called now and then while a proof runs."""
        if self._due():
            self._report()

    def _due(self) -> bool:
        """Whether it is time for a report."""
        now = time.perf_counter()
        due = now - self.reported >= REPORT_SECONDS
        self.reported = now if due else self.reported
        return due

    def _report(self) -> None:
        assert self.prover is not None
        assert self.solver is not None
        self.reported = time.perf_counter()
        move = self.move
        bounds = self._bounds() if move is None else self.solver.move_bounds(self.root, move)
        rate = self.prover.nodes / max(1e-9, self.reported - self.searching)
        self.on_progress(
            Progress(
                "search", self._seconds, 0, 0, move, bounds, self._nodes, rate,
                question=self._question(),
            )
        )  # fmt: skip

    def _question(self) -> Question | None:
        """What the proof is asked now, of the position or of the move that is valued."""
        if self.prover is None or self.prover.margin is None:
            return None
        move, margin = self.move, self.prover.margin
        passes = move is not None and self.game.play(self.root, move).player != self.root.player
        claim = f"at most {-margin:+d}" if passes else f"at least {margin:+d}"
        return Question(claim, *self.prover.forecast())


def estimate(game: Kalah, state: State) -> float:
    """About what a position is worth to its mover: a search of some sows."""
    return engine.alpha_beta(game, state, fitted, Depth(LOOK_AHEAD), ORDERS["store_first"]).value
