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
from kalahlab.engine.solver import checkpoint as disk
from kalahlab.engine.solver.checkpoint import Bounds, Checkpoint
from kalahlab.engine.solver.distributed import DistributedProver
from kalahlab.engine.solver.exact import BoundProver, ExactSolver, difference
from kalahlab.engine.solver.plan import Plan, make_plan
from kalahlab.engine.solver.provers import Prover, warm_up
from kalahlab.engine.solver.solution import OnProgress, Progress, Solution
from kalahlab.games.kalah import STANDARD, Kalah, Rules, State, in_play, pits_of
from kalahlab.games.notation import format_board

REPORT_SECONDS = 0.5
"""Between two reports of progress, unless there is news."""


def solve(
    state: State,
    rules: Rules = STANDARD,
    *,
    moves: bool = False,
    line: bool = True,
    database_stones: int | None = None,
    table_bytes: int | None = None,
    memory_bytes: int | None = None,
    workers: int | None = None,
    progress: OnProgress | None = None,
    checkpoint: Path | None = None,
    checkpoint_seconds: float = 60.0,
    executor: Executor | None = None,
    folder: Path | None = None,
    rebuild: bool = False,
    keep: bool = True,
) -> Solution:
    """The exact value of a position under perfect play of both.

    rules: `STANDARD` or `EMPTY_CAPTURE`. moves: value each move, too. line: find a perfect
    line. database_stones, table_bytes: sizes of the endgame database and the transposition
    table; default by `make_plan` from the memory there is, or from `memory_bytes`. workers:
    threads, default all cores. progress: called with how far it is. checkpoint: a file to save
    to every `checkpoint_seconds`, and to go on from if it is there. executor: whose workers
    search instead of threads, see `kalahlab.engine.solver.distributed`. folder: of databases,
    default the user's cache. rebuild: do not use a file that is there. keep: write a database
    that was built to its file; an executor's workers need it. Ctrl-C ends it with the bounds
    that are proved. Raises `ValueError`, in one line, for a position that is none or is too
    large, for other rules, for sizes that don't fit, and for a damaged file.
    """
    began = time.perf_counter()
    check_position(state)
    preset_name(rules)
    game = Kalah(pits_of(state.board), 0, rules)
    if game.over(state):
        return finished(game, state, moves)
    stored = () if rebuild else stored_stones(game.pits, rules, folder)
    sizes = database_stones, table_bytes, memory_bytes
    plan = make_plan(game.pits, in_play(state.board), moves, *sizes, stored)
    run = Run(game, state, plan, workers or cores(), progress or (lambda news: None), began)
    run.save_to(checkpoint, checkpoint_seconds)
    try:
        run.begin(executor, folder, rebuild, keep)
        run.find(moves, line)
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
        self._file: Path | None = None
        self._earlier = Checkpoint(f"{format_board(root)} {preset_name(game.rules)}", {})
        self._every = self._saved = self._reported = self._searching = 0.0
        self._move: int | None = None  # what is being valued; None: the position

    def save_to(self, file: Path | None, every: float) -> None:
        """Go on from a checkpoint, if there is one, and save to it from now on."""
        self._file, self._every = file, every
        if file is not None and file.exists():
            self._earlier = disk.load(file, self._earlier.question)

    def begin(
        self, executor: Executor | None, folder: Path | None, rebuild: bool, keep: bool
    ) -> None:
        """Get the database and whoever is to answer."""
        self._announce()
        count = self._plan.database_stones
        path = database_path(self._game.pits, count, self._game.rules, folder)
        database = self._obtain(path, rebuild, keep or executor is not None)
        entries = self._plan.entries
        if executor is None:
            prover = Prover(database, entries, self._workers, self._poll)
            prover.restore(self._earlier.entries)
            self._prover = prover
        else:
            self._wait_for_file()
            self._prover = DistributedProver(executor, path, database, entries, self._poll)
        proved = dict(self._earlier.proved)
        self._solver = ExactSolver(self._game, database, self._prover, proved, self._report)
        self._saved = self._searching = time.perf_counter()

    def find(self, moves: bool, line: bool) -> None:
        """The value and, if asked for, a perfect line and what each move is worth."""
        assert self._solver is not None
        self._solver.value(self._root)
        if line:
            self.line = self._solver.line(self._root)
        if moves:
            values = self._solver.move_values(self._root, self._begin_move)
            self.move_values.update(values)

    def end(self) -> None:
        """Save what is known, and let go of threads."""
        if self._writer is not None:
            self._writer.wait(give_up=self.stopped)
            self._on_progress(Progress("kept", note=self._writer.error or "the database was kept"))
        if self._prover is not None:
            self._save()
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
        return self._earlier.nodes + (self._prover.nodes if self._prover else 0)

    @property
    def _seconds(self) -> float:
        return self._earlier.seconds + time.perf_counter() - self._began

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
        stored, total = difference(self._root), in_play(self._root.board)
        return self._earlier.proved.get(self._root, (stored - total, stored + total))

    def _begin_move(self, pit: int) -> None:
        self._move = pit

    def _poll(self) -> None:
        """Called now and then while a proof runs."""
        if self._due(REPORT_SECONDS):
            self._report()
        if time.perf_counter() - self._saved >= self._every:
            self._save()

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
        self._on_progress(Progress("search", self._seconds, 0, 0, move, bounds, self._nodes, rate))

    def _save(self) -> None:
        if self._file is None or self._prover is None or self._solver is None:
            return
        known = Checkpoint(
            self._earlier.question,
            self._solver.proved,
            self._nodes,
            self._seconds,
            self._prover.entries(disk.MOST_ENTRIES),
        )
        disk.save(known, self._file)
        self._saved = time.perf_counter()
