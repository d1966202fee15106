"""Perfect play: the exact value of a position of Kalah, each move's value, a perfect line."""

import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, TypedDict, Unpack

from kalahlab.engine.endgame.database import (
    Database,
    build,
    database_path,
    load,
    save,
    stored_stones,
)
from kalahlab.engine.memory import cores, in_units, resident_bytes
from kalahlab.engine.solver.exact import ExactSolver, check_position
from kalahlab.engine.solver.ledger import Bounds, Ledger
from kalahlab.engine.solver.plan import ENDLESS, Plan, check_free, make_plan
from kalahlab.engine.solver.proof_tree import ProofTree
from kalahlab.engine.solver.prover import Ask, Prover, Workers, ask_elsewhere, warm_up
from kalahlab.engine.supported import preset_name
from kalahlab.games.kalah import PRESETS, STANDARD, Kalah, Rules, State, in_play, pits_of
from kalahlab.games.notation import format_board, parse_board
from kalahlab.names import named

PIECE_NODES = 100_000  # some 0.02 seconds; with pieces ten times larger (5,5) takes twice the nodes
REPORT_SECONDS = 0.5  # between two reports of progress, unless there is news


@dataclass(frozen=True, slots=True)
class Solution:
    """What a solve found; margins are the mover's final store minus the opponent's.

    value: None if the solve was stopped before it was proved. moves: each pit's value, from the
    mover's left; None for an empty pit or one not valued; the whole is None unless wanted. line:
    pits, from 0 and from each mover's left. nodes: those of a ledger's pieces, too. seconds: of
    this solve. stopped: whether Ctrl-C ended it before all was found. believed: how many bounds of
    the ledger, made before, it went on from: they were not proved again, and the value is right if
    they are. `kalahlab.engine.solver.verify` proves them.
    """

    value: int | None
    moves: tuple[int | None, ...] | None
    line: tuple[int, ...]
    nodes: int = field(repr=False)  # as seconds, not the same in each run
    seconds: float = field(repr=False)
    database_stones: int
    bounds: Bounds
    stopped: bool = False
    believed: int = 0

    def as_json(self) -> dict[str, Any]:
        """With the pits of the line counted from 1."""
        return {**asdict(self), "line": [pit + 1 for pit in self.line]}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a solve is.

    stage: `memory` (bytes: what the process will hold at most), `database`, `kept` (it was written
    to its file, or `note` says why not) or `search` (bounds: of the position's value or, if `move`
    is given, of what that pit is worth). note is news, detail changes all the time.
    """

    stage: str
    note: str = ""
    detail: str = ""
    bytes: int = 0
    move: int | None = None
    bounds: Bounds | None = None
    nodes: int = 0
    nodes_per_second: float = 0.0

    def __str__(self) -> str:
        if self.bounds is None:
            return f"{self.stage}: {self.note or self.detail}"
        name = "value" if self.move is None else f"move {self.move + 1}"
        lower, upper = self.bounds
        known = f"{lower:+d}" if lower == upper else f"{lower:+d} to {upper:+d}"
        rate = f"{self.nodes:,} nodes, {self.nodes_per_second:,.0f} a second"
        return "; ".join(filter(None, [f"{name}: {known}", rate, self.detail]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a solve finds, and with what.

    moves: value each move, too. line: find a perfect line. guess: the value to ask for first.
    database_stones, table_bytes: default by `make_plan` from the memory there is, or from
    `memory_bytes`. workers: pieces at a time, default all cores. ledger: a folder where each proved
    bound is kept, and gone on from (see `Solution`). piece_nodes: the most nodes of a piece, see
    `.proof_tree`; default `PIECE_NODES`, and the plan's without a ledger or an executor. executor:
    whose workers search the pieces instead of threads. folder: of databases, default the user's
    cache. rebuild: do not use a file that is there. keep: write a database that was built to its
    file.
    """

    moves: bool = False
    line: bool = True
    guess: int | None = None
    database_stones: int | None = None
    table_bytes: int | None = None
    memory_bytes: int | None = None
    workers: int | None = None
    progress: Callable[[Progress], object] = field(default=lambda news: None, repr=False)
    ledger: Path | None = None
    piece_nodes: int | None = None
    executor: Executor | None = field(default=None, repr=False)
    folder: Path | None = None
    rebuild: bool = False
    keep: bool = True


class OptionFields(TypedDict, total=False):
    """The fields of `Options`, for those who check types."""

    moves: bool
    line: bool
    guess: int | None
    database_stones: int | None
    table_bytes: int | None
    memory_bytes: int | None
    workers: int | None
    progress: Callable[[Progress], object]
    ledger: Path | None
    piece_nodes: int | None
    executor: Executor | None
    folder: Path | None
    rebuild: bool
    keep: bool


def solve(
    state: State | str = "", rules: Rules | str = STANDARD, **given: Unpack[OptionFields]
) -> Solution:
    """The exact value of a position under perfect play of both.

    state: a position, or its text, as "<3,0,0,2,2,2,2,2,2>". rules: or their name, as
    "empty-capture". given: the fields of `kalahlab.engine.solver.solve.Options`, as moves=True to
    value each move, workers=2, memory_bytes=10**9. Ctrl-C gives the bounds proved so far.
    `ValueError` for what cannot be solved or does not fit, `TypeError` for what is no position.
    """
    began, known = time.perf_counter(), [each.name for each in fields(Options)]
    if unknown := [name for name in given if name not in known]:
        raise TypeError(f"solve() takes no {unknown[0]!r}; it takes {', '.join(known)}")
    options = Options(**given)
    rules = named("rules", rules, PRESETS) if isinstance(rules, str) else rules
    state = parse_board(state) if isinstance(state, str) else state
    check_position(state)
    name = preset_name(rules)
    game = Kalah(pits_of(state.board), 0, rules)
    if game.over(state):
        margin, nothing = game.margin(state, state.player), (None,) * game.pits
        return Solution(margin, nothing if options.moves else None, (), 0, 0.0, 0, (margin, margin))
    sizes = options.database_stones, options.table_bytes, options.memory_bytes
    stored = () if options.rebuild else stored_stones(game.pits, rules, options.folder)
    plan = make_plan(game.pits, in_play(state.board), options.moves, *sizes, stored)
    if options.executor is None:  # whose workers have memory of their own
        check_free(plan)
    file = options.ledger and options.ledger / f"kalah-{game.pits}-{name}.txt"
    ledger = Ledger(file, resume=True)
    run = Run(game, state, plan, options, began, ledger, earlier=ledger.nodes)
    try:
        solver = run.begin(run.database())
        solver.value(state, options.guess)
        if options.line:
            run.line = solver.line(state)
        if options.moves:
            run.move_values.update(solver.move_values(state, partial(setattr, run, "move")))
    except KeyboardInterrupt:
        run.stopped = True
    finally:
        run.end()
    run.check_ledger()
    return run.solution()


@dataclass(slots=True)
class Run:
    """One solve: what it works with, and what it knows so far.

    move: what is being valued; None: the position. saving: the database's way to its file, until it
    is `unwanted`. reported, searching: when the last report was made, and the search began.
    """

    game: Kalah
    root: State
    plan: Plan
    options: Options
    began: float
    ledger: Ledger
    stopped: bool = False
    line: tuple[int, ...] = ()
    move_values: dict[int, int] = field(default_factory=dict)
    solver: ExactSolver | None = None
    tree: ProofTree | None = None
    saving: Future[None] | None = None
    unwanted: Event = field(default_factory=Event)
    reported: float = 0.0
    searching: float = 0.0
    move: int | None = None
    earlier: int = 0  # nodes, that the ledger had before

    def database(self) -> Database:
        """Say what the solve will take, and get the database."""
        warm_up()  # what compiled code takes is there before it is reckoned with
        most, plan, rules = resident_bytes() + self.plan.bytes, self.plan, self.game.rules
        note = f"{in_units(most)} at most; an endgame database of {plan.database_stones} stones, "
        note += f"{in_units(plan.table_bytes)} of table"
        self.options.progress(Progress("memory", note, bytes=most))
        wanted = self.game.pits, plan.database_stones, rules
        path = database_path(*wanted, self.options.folder)
        if path.exists() and not self.options.rebuild:
            return load(path, *wanted)

        def on_progress(done: int, of: int) -> None:
            if done == of or self._is_due():
                built = f"{in_units(done)} of {in_units(of)}"
                self.options.progress(Progress("database", detail=built))

        database = build(*wanted, self.options.workers, on_progress)
        if self.options.keep or self.options.executor:  # while it is in use already
            saver = ThreadPoolExecutor(1)
            self.saving = saver.submit(save, database, path, self.unwanted)
            saver.shutdown(wait=False)
        return database

    def begin(self, database: Database) -> ExactSolver:
        """Get whoever is to answer: an executor, or threads here, all on one piece if it is all."""
        entries, executor = self.plan.entries, self.options.executor
        workers = self.options.workers or cores()
        spread = executor or self.options.ledger
        piece_nodes = self.options.piece_nodes or (PIECE_NODES if spread else self.plan.piece_nodes)
        if executor:
            if self.saving and (error := self.saving.exception()):
                raise ValueError(f"the workers need the database: {error}")
            made = self.game.pits, database.stones, self.game.rules, entries, self.options.folder
            ask: Ask = partial(ask_elsewhere, made)
            pieces = Workers(ask, workers, executor=executor, poll=self._poll)
        elif piece_nodes == ENDLESS:
            ask = Prover(database, entries, workers).ask
            pieces = Workers(ask, 1, threads=workers, poll=self._poll)
        else:
            pieces = Workers(Prover(database, entries).ask, workers, poll=self._poll)
        self.tree = ProofTree(database, self.ledger, pieces, piece_nodes)
        self.solver = ExactSolver(database, self.tree, self.ledger, self._report)
        self.searching = time.perf_counter()
        return self.solver

    def end(self) -> None:
        if self.stopped:
            self.unwanted.set()
        if self.saving:
            error = self.saving.exception()  # a full disk, no permission: the solve goes on
            self.options.progress(Progress("kept", str(error or "the database was kept")))
        if self.tree:
            self.tree.close()

    def check_ledger(self) -> None:
        """Raise `ValueError` if the line, or the moves, are not worth what the ledger says."""
        solution = self.solution()
        worth = [value for value in solution.moves or () if value is not None]
        if solution.stopped or solution.value is None or not solution.believed:
            return
        found = [max(worth)] if worth else []
        state = self.root
        for pit in self.line:
            state = self.game.play(state, pit)
        if self.game.over(state):
            found.append(self.game.margin(state, self.root.player))
        if wrong := [value for value in found if value != solution.value]:
            raise ValueError(
                f"the ledger says that {format_board(self.root)} is worth {solution.value:+d}, but "
                f"the moves on from there lead to {wrong[0]:+d}; make the ledger again"
            )

    def solution(self) -> Solution:
        lower, upper = (self.solver or self.ledger).bounds(self.root)
        values = tuple(self.move_values.get(pit) for pit in range(self.game.pits))
        return Solution(
            lower if lower == upper else None,
            values if self.options.moves else None,
            self.line,
            self.earlier + (self.tree.nodes if self.tree else 0),
            time.perf_counter() - self.began,
            self.plan.database_stones,
            (lower, upper),
            self.stopped,
            self.ledger.read,
        )

    def _poll(self) -> None:
        if self._is_due():
            self._report()

    def _is_due(self) -> bool:
        now = time.perf_counter()
        due = now - self.reported >= REPORT_SECONDS
        self.reported = now if due else self.reported
        return due

    def _report(self) -> None:
        assert self.tree is not None
        assert self.solver is not None
        self.reported = time.perf_counter()
        move, nodes = self.move, self.tree.nodes
        state = self.root if move is None else self.game.play(self.root, move)
        (lower, upper), passes = self.solver.bounds(state), state.player != self.root.player
        bounds = (-upper, -lower) if passes else (lower, upper)
        rate = nodes / max(1e-9, self.reported - self.searching)
        question, nodes = "", self.earlier + nodes
        if (margin := self.tree.margin) is not None and lower < margin <= upper:  # not answered yet
            done, left, ahead = self.tree.forecast()
            question = f"at most {-margin:+d}? " if passes else f"at least {margin:+d}? "
            question += f"{done:,} pieces done, {left:,} open"
            question += "" if ahead is None else f", about {ahead:,.0f} nodes to go"
        self.options.progress(Progress("search", "", question, 0, move, bounds, nodes, rate))
