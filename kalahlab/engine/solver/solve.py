"""Perfect play: the exact value of a position of Kalah, each move's value, a perfect line.

from kalahlab.engine.solver.solve import solve
solution = solve(Kalah(6, 4).start(), STANDARD, moves=True)
solution.value          # 8: the mover's final store minus the opponent's
solution.moves          # (-14, -10, 8, -2, -8, 4)
"""

import time
from concurrent.futures import Executor
from pathlib import Path

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
from kalahlab.engine.solver.exact import BoundProver, ExactSolver, known_margin
from kalahlab.engine.solver.ledger import Bounds, Ledger, from_here
from kalahlab.engine.solver.pieces import ExecutorWorkers, Threads, Worker
from kalahlab.engine.solver.plan import Plan, make_plan
from kalahlab.engine.solver.proof_tree import Pieces, ProofTree
from kalahlab.engine.solver.provers import Prover, warm_up
from kalahlab.engine.solver.solution import OnProgress, Progress, Question, Solution
from kalahlab.engine.twin.search import run as run_twin
from kalahlab.engine.twin.search import task
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import STANDARD, Kalah, Rules, State, in_play, pits_of
from kalahlab.search import ORDERS, Depth

PIECE_NODES = 1_000_000
"""Of a piece; it takes some 0.2 seconds."""

LOOK_AHEAD = 12
"""Sows that are searched to guess what an answer costs."""

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
    `memory_bytes`. workers: threads, or pieces at a time, default all cores. progress: called with
    how far it is. ledger: a folder where each proved bound is kept, and gone on from; the proof is
    then made in pieces of `piece_nodes`, see `.proof_tree`. executor: whose workers search them
    instead of threads. folder: of databases, default the user's cache. rebuild: do not use a
    file that is there. keep: write a database that was built to its file.
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
    run = Run(game, state, plan, workers or cores(), progress or (lambda news: None), began)
    run.keep_in(ledger, piece_nodes or PIECE_NODES)
    try:
        run.begin(executor, folder, rebuild, keep)
        run.find(moves, line, guess)
    except KeyboardInterrupt:
        run.stopped = True
    finally:
        run.end()
    return run.solution(moves)


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


class Run:
    """One solve: what it works with, and what it knows so far."""

    def __init__(
        self,
        game: Kalah,
        root: State,
        plan: Plan,
        workers: int,
        on_progress: OnProgress,
        began: float,
    ) -> None:
        self.stopped = False
        self.line: tuple[int, ...] = ()
        self.move_values: dict[int, int] = {}
        self._game, self._root, self._plan, self._workers = game, root, plan, workers
        self._on_progress, self._began = on_progress, began
        self._solver: ExactSolver | None = None
        self._prover: BoundProver | None = None
        self._writer: BackgroundWriter | None = None
        self._ledger, self._piece_nodes = Ledger(), 0
        self._earlier = 0
        self._reported = self._searching = 0.0
        self._move: int | None = None  # what is being valued; None: the position

    def keep_in(self, folder: Path | None, piece_nodes: int) -> None:
        """Go on from a ledger, and keep each bound in it from now on."""
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            name = f"kalah-{self._game.pits}-{preset_name(self._game.rules)}.txt"
            self._ledger, self._piece_nodes = Ledger(folder / name), piece_nodes
            self._earlier = self._ledger.nodes

    def begin(
        self, executor: Executor | None, folder: Path | None, rebuild: bool, keep: bool
    ) -> None:
        """Get the database and whoever is to answer."""
        self._announce()
        count = self._plan.database_stones
        path = database_path(self._game.pits, count, self._game.rules, folder)
        database = self._obtain(path, rebuild, keep or executor is not None)
        self._prover = self._make_prover(database, folder, executor)
        self._solver = ExactSolver(self._game, database, self._prover, self._ledger, self._report)
        self._searching = time.perf_counter()

    def _make_prover(
        self, database: Database, folder: Path | None, executor: Executor | None
    ) -> BoundProver:
        """One proof by all threads, or, with a ledger or an executor, a proof in pieces."""
        entries, workers = self._plan.entries, self._workers
        if executor is None and not self._piece_nodes:
            return Prover(database, entries, workers, self._poll)
        pieces: Pieces
        if executor is None:
            pieces = Threads(Prover(database, entries, 1), workers)
        else:
            self._wait_for_file()
            worker = Worker(database.pits, database.stones, database.rules, entries, folder)
            pieces = ExecutorWorkers(executor, worker, workers)
        game = self._game
        return ProofTree(
            game,
            lambda state: known_margin(database, game, state),
            lambda state: estimate(game, state),
            self._ledger,
            pieces,
            self._piece_nodes or PIECE_NODES,
            database.stones,
            self._poll,
        )

    def find(self, moves: bool, line: bool, guess: int | None) -> None:
        """The value and, if asked for, a perfect line and what each move is worth."""
        assert self._solver is not None
        self._solver.value(self._root, guess)
        if line:
            self.line = self._solver.line(self._root)
        if moves:
            values = self._solver.move_values(self._root, self._begin_move)
            self.move_values.update(values)

    def end(self) -> None:
        """Let go of threads."""
        if self._writer is not None:
            self._writer.wait(give_up=self.stopped)
            self._on_progress(Progress("kept", note=self._writer.error or "the database was kept"))
        if self._prover is not None:
            self._prover.close()

    def solution(self, moves: bool) -> Solution:
        """What is known at the end."""
        lower, upper = self._bounds()
        values = tuple(self.move_values.get(pit) for pit in range(self._game.pits))
        return Solution(
            lower if lower == upper else None,
            values if moves else None,
            self.line,
            self._nodes,
            self._seconds,
            self._plan.database_stones,
            (lower, upper),
            self.stopped,
        )

    @property
    def _nodes(self) -> int:
        return self._earlier + (self._prover.nodes if self._prover else 0)

    @property
    def _seconds(self) -> float:
        return time.perf_counter() - self._began

    def _announce(self) -> None:
        warm_up()  # what compiled code takes is there before it is reckoned with
        stones, table = self._plan.database_stones, in_units(self._plan.table_bytes)
        self._on_progress(
            Progress(
                "memory",
                bytes=resident_bytes() + self._plan.bytes,
                note=f"an endgame database of {stones} stones, {table} of table",
            )
        )

    def _obtain(self, path: Path, rebuild: bool, keep: bool) -> Database:
        pits, count, rules = self._game.pits, self._plan.database_stones, self._game.rules
        if path.exists() and not rebuild:
            return load(path, pits, count, rules)

        def on_progress(done: int, of: int) -> None:
            if done < of and not self._due(REPORT_SECONDS):
                return
            self._on_progress(Progress("database", self._seconds, bytes=done, all_bytes=of))

        database = build(pits, count, rules, self._workers, on_progress)
        self._writer = BackgroundWriter(database, path) if keep else None
        return database

    def _wait_for_file(self) -> None:
        """Until the workers of an executor can read the database."""
        if self._writer is not None:
            self._writer.wait()
            if self._writer.error:
                raise ValueError(f"the workers need the database: {self._writer.error}")

    def _bounds(self) -> Bounds:
        """What is proved of the root, also before there is a solver."""
        if self._solver is not None:
            return self._solver.bounds(self._root)
        canonical, missing = from_here(self._root)
        lower, upper = self._ledger.bounds(canonical)
        return lower - missing, upper - missing

    def _begin_move(self, pit: int) -> None:
        self._move = pit

    def _poll(self) -> None:
        """Called now and then while a proof runs."""
        if self._due(REPORT_SECONDS):
            self._report()

    def _due(self, every: float) -> bool:
        """Whether it is time for a report."""
        if time.perf_counter() - self._reported < every:
            return False
        self._reported = time.perf_counter()
        return True

    def _report(self) -> None:
        assert self._prover is not None
        assert self._solver is not None
        self._reported = time.perf_counter()
        move = self._move
        bounds = self._bounds() if move is None else self._solver.move_bounds(self._root, move)
        rate = self._prover.nodes / max(1e-9, self._reported - self._searching)
        self._on_progress(
            Progress(
                "search", self._seconds, 0, 0, move, bounds, self._nodes, rate,
                question=self._question(),
            )
        )  # fmt: skip

    def _question(self) -> Question | None:
        """What a proof in pieces is asked now, of the position or of the move that is valued."""
        if not isinstance(self._prover, ProofTree) or self._prover.margin is None:
            return None
        move, margin = self._move, self._prover.margin
        passes = move is not None and self._game.play(self._root, move).player != self._root.player
        claim = f"at most {-margin:+d}" if passes else f"at least {margin:+d}"
        return Question(claim, *self._prover.forecast())


def estimate(game: Kalah, state: State) -> float:
    """About what a position is worth to its mover: a search of some sows by the stores."""
    asked = task(
        game, state, store_difference, Depth(LOOK_AHEAD), ORDERS["store_first"], "alpha_beta"
    )
    return run_twin(asked).value
