"""Perfect play: the exact value of a position of Kalah, each move's value, a perfect line."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, TypedDict, Unpack

from kalahlab.formatting import format_bytes, format_duration
from kalahlab.games.kalah import Kalah, State, pits_of, stones_in_play
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import STANDARD, Rules, parse_rules
from kalahlab.games.supported import to_file_name
from kalahlab.memory import resident_bytes
from kalahlab.parallel import count_cores
from kalahlab.solver.endgame.database import (
    Database,
    build,
    database_path,
    find_stored_databases,
    load,
    save,
)
from kalahlab.solver.endgame.positions import Positions, to_states
from kalahlab.solver.exact_solver import ExactSolver, check_position
from kalahlab.solver.ledger import Bounds, Ledger
from kalahlab.solver.plan import ENDLESS, Plan, check_free, make_plan
from kalahlab.solver.proof_tree import ProofTree
from kalahlab.solver.prover import Ask, Prover, Workers, ask_in_worker, warm_up

# The usual limit of nodes of a piece, which then takes some 0.02 seconds. With pieces ten times as
# large, the proof of (5,5) takes twice the nodes.
PIECE_NODES = 100_000
REPORT_SECONDS = 0.5  # between two reports of progress; a new bound is reported at once


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of a solve; margins are the mover's final store minus the opponent's.

    Attributes:
        value: The value; None if the solve was stopped before it was proved.
        moves: The value of each pit's move, from the mover's left, or None if the option `moves`
            was not set. In the tuple, None stands for a pit that is empty or not valued.
        line: A perfect line: pits, from 0 and from each mover's left.
        nodes: The nodes searched, including those of pieces that the ledger already had.
        seconds: The time of this solve. By `solve_all` the first position of a board size also has
            the time of the database, and the nodes that the ledger already had.
        database_stones: The stones of the database.
        bounds: The proved bounds of the value.
        stopped: True if Ctrl-C ended the solve early.
        believed: The number of bounds that were in the ledger before. The solve did not prove them
            again: the value is right if these bounds are. `kalahlab.solver.verify` proves them.
    """

    value: int | None
    moves: tuple[int | None, ...] | None
    line: tuple[int, ...]
    # `repr` leaves out nodes and seconds, as they differ from run to run.
    nodes: int = field(repr=False)
    seconds: float = field(repr=False)
    database_stones: int
    bounds: Bounds
    stopped: bool = False
    believed: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the fields as JSON, with the pits of the line counted from 1."""
        return {**asdict(self), "line": [pit + 1 for pit in self.line]}


@dataclass(frozen=True, slots=True)
class Progress:
    """A report of the progress of a solve.

    Attributes:
        stage: `memory`, `database`, `kept` or `search`. `kept` is the end of writing the database
            to its file; if that failed, `note` has the reason.
        note: Text that is to stay on the screen.
        detail: Text that the next report replaces.
        bytes: In the stage `memory`, the most memory that the process will hold.
        move: The pit that is being valued; None for the position.
        bounds: In the stage `search`, the bounds of the value of the position or the move.
        nodes: The nodes searched so far.
        nodes_per_second: The speed of the search.
        done: The number of positions that are solved, of `total`.
        total: The number of positions to solve.
        seconds_left: The estimated time for the rest of them, once one is solved.
    """

    stage: str
    note: str = ""
    detail: str = ""
    bytes: int = 0
    move: int | None = None
    bounds: Bounds | None = None
    nodes: int = 0
    nodes_per_second: float = 0.0
    done: int = 0
    total: int = 1
    seconds_left: float | None = None

    def __str__(self) -> str:
        if self.total == 1:
            return self._describe_stage()
        count = f"{self.done:,} of {self.total:,}"
        if self.seconds_left is not None:
            count += f", about {format_duration(self.seconds_left)} left"
        return f"{count}; {self._describe_stage()}"

    def _describe_stage(self) -> str:
        if self.bounds is None:
            return f"{self.stage}: {self.note or self.detail}"
        name = "value" if self.move is None else f"move {self.move + 1}"
        lower, upper = self.bounds
        values = f"{lower:+d}" if lower == upper else f"{lower:+d} to {upper:+d}"
        rate = f"{self.nodes:,} nodes, {self.nodes_per_second:,.0f} a second"
        parts = [f"{name}: {values}", rate]
        if self.detail:
            parts.append(self.detail)
        return "; ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a solve.

    Attributes:
        moves: Value each move, too.
        line: Find a perfect line.
        guess: The value to ask for first.
        database_stones: The stones of the database; default by `make_plan`.
        table_bytes: The size of the table; default by `make_plan`.
        memory_bytes: The memory to plan for; default what is available.
        workers: The number of pieces at a time; default all cores.
        progress: Called with each report of progress.
        ledger: A folder in which each proved bound is stored. Bounds that are already there are
            used and not proved again; see `Solution.believed`.
        piece_nodes: The most nodes of a piece, see `kalahlab.solver.proof_tree`. The default is
            `PIECE_NODES` if there is a ledger or an executor, else that of the plan.
        executor: An executor whose workers search the pieces instead of threads.
        folder: The folder of databases; default the user's cache.
        rebuild: Build the database even if its file exists.
        keep: Write a database that was built to its file.
    """

    moves: bool = False
    line: bool = True
    guess: int | None = None
    database_stones: int | None = None
    table_bytes: int | None = None
    memory_bytes: int | None = None
    workers: int | None = None
    progress: Callable[[Progress], object] = field(default=lambda report: None, repr=False)
    ledger: Path | None = None
    piece_nodes: int | None = None
    executor: Executor | None = field(default=None, repr=False)
    folder: Path | None = None
    rebuild: bool = False
    keep: bool = True


class OptionFields(TypedDict, total=False):
    """The fields of `Options`, for type checkers."""

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
    state: State | str = "", rules: Rules | str = STANDARD, **kwargs: Unpack[OptionFields]
) -> Solution:
    """Prove the exact value of a position under perfect play of both.

    Ctrl-C ends the solve with the bounds proved so far.

    Args:
        state: A position, or its text, such as "<3,0,0,2,2,2,2,2,2>".
        rules: The rules, or a text that `parse_rules` reads, such as "empty-capture".
        **kwargs: The fields of `kalahlab.solver.solve.Options`, such as moves=True to value
            each move, workers=2, memory_bytes=10**9.

    Raises:
        ValueError: The position cannot be solved, or does not fit into memory.
        TypeError: `state` is not a position, or an option is unknown.
    """
    started = time.perf_counter()
    options = _make_options("solve", kwargs)
    state = parse_board(state) if isinstance(state, str) else state
    check_position(state)
    [solution] = _solve_states([state], rules, options, started)
    return solution


def solve_all(
    positions: "Positions | Sequence[str]",
    rules: Rules | str = STANDARD,
    **kwargs: Unpack[OptionFields],
) -> list[Solution]:
    """Solve many positions, which share the endgame database, the table and the ledger.

    The values, the bounds and the values of moves are those of single calls of `solve`. The lines
    are perfect, too, but there may be several perfect lines. Ctrl-C ends the solves: the solutions
    found so far are returned, and `stopped` is true in the others.

    Args:
        positions: States or texts, a data frame with the column `board`, or an array; see
            `kalahlab.solver.endgame.positions`. Boards may have different sizes.
        rules: The rules, like those of `solve`.
        **kwargs: The options of `solve`.

    Returns:
        The solution of each position, in the same order.

    Raises:
        ValueError: A position cannot be solved, or does not fit into memory. For the former, the
            message has the number of the row, from 0.
        TypeError: `positions` is something else, or an option is unknown.
    """
    started = time.perf_counter()
    options = _make_options("solve_all", kwargs)
    states = to_states(positions)
    for row, state in enumerate(states):
        try:
            check_position(state)
        except ValueError as error:
            raise ValueError(f"row {row}: {error}") from None
    return _solve_states(states, rules, options, started)


def _make_options(function: str, kwargs: OptionFields) -> Options:
    """Return options, or raise TypeError for an unknown one; `function` was called with them."""
    option_names = [option.name for option in fields(Options)]
    for name in kwargs:
        if name not in option_names:
            names = ", ".join(option_names)
            raise TypeError(f"{function}() has no parameter {name!r}; use one of {names}")
    return Options(**kwargs)


def _solve_states(
    states: Sequence[State], rules: Rules | str, options: Options, started: float
) -> list[Solution]:
    """Solve positions, those of a board size after each other.

    Args:
        states: The positions.
        rules: The rules, or their name.
        options: The options.
        started: The time at which the call began, by `time.perf_counter`.
    """
    rules = parse_rules(rules) if isinstance(rules, str) else rules
    to_file_name(rules)  # raises ValueError for rules that are not solved
    solutions: dict[int, Solution] = {}  # by row
    rows_by_pits: dict[int, list[int]] = {}
    for row, state in enumerate(states):
        pits = pits_of(state.board)
        # The game is played from `state` on, so the stones of its start, here 0, do not matter.
        game = Kalah(pits, 0, rules)
        if game.is_over(state):
            solutions[row] = _solve_finished_game(game, state, options)
        else:
            rows_by_pits.setdefault(pits, []).append(row)
    total = len(states) - len(solutions)
    # All runs are prepared first: a board that cannot be solved is an error before hours of work.
    runs: list[tuple[list[int], Run]] = []
    done = 0
    for pits, rows in rows_by_pits.items():
        group = [states[row] for row in rows]
        run = Run.prepare(Kalah(pits, 0, rules), group, options)
        run.started, run.done, run.total = started, done, total
        runs.append((rows, run))
        done += len(rows)
    counted_until = started
    is_stopped = False
    while runs:
        rows, run = runs.pop(0)  # so that its memory is free for the next run
        if not is_stopped:
            run.search(counted_until)
            is_stopped = run.stopped
            counted_until = time.perf_counter()
        solutions |= zip(rows, run.solutions(), strict=True)
    return [solutions[row] for row in range(len(states))]


def _solve_finished_game(game: Kalah, state: State, options: Options) -> Solution:
    """Return the solution of a position in which the game is over."""
    margin = game.margin(state, state.player)
    return Solution(
        value=margin,
        moves=(None,) * game.pits if options.moves else None,
        line=(),
        nodes=0,
        seconds=0.0,
        database_stones=0,
        bounds=(margin, margin),
    )


@dataclass(slots=True)
class Root:
    """A position to solve, with what is found.

    Attributes:
        state: The position.
        line: The perfect line.
        move_values: The values of the moves, by pit.
        nodes: The nodes of its search.
        seconds: The time of its solve.
        stopped: True until all that the options ask for is found.
    """

    state: State
    line: tuple[int, ...] = ()
    move_values: dict[int, int] = field(default_factory=dict)
    nodes: int = 0
    seconds: float = 0.0
    stopped: bool = True


@dataclass(slots=True)
class Run:
    """The solves of positions of one board size, which share database, table and ledger.

    Attributes:
        game: The game.
        roots: The positions.
        root: The position that is being solved.
        plan: The sizes of database and table.
        options: The options.
        ledger: The ledger.
        earlier: The nodes of the pieces that the ledger had before.
        started: The time at which `solve` or `solve_all` was called. All times here are by
            `time.perf_counter`.
        done: The positions that are solved, including those of earlier runs.
        total: The positions of all runs.
        stopped: True if Ctrl-C ended the run.
        solver: The solver, once the search has begun.
        tree: The proof tree, once the search has begun.
        saving: The task that writes the database to its file, if it has to be written.
        unwanted: The event that ends this task early.
        reported: The time of the last report.
        searching: The time at which the search began.
        move: The pit that is being valued; None for the position.
        counted_nodes: The nodes that are counted in a root.
        counted_until: The time up to which the seconds are counted in a root.
    """

    game: Kalah
    roots: list[Root]
    root: Root
    plan: Plan
    options: Options
    ledger: Ledger
    earlier: int
    started: float = 0.0
    done: int = 0
    total: int = 1
    stopped: bool = False
    solver: ExactSolver | None = None
    tree: ProofTree | None = None
    saving: Future[None] | None = None
    unwanted: Event = field(default_factory=Event)
    reported: float = 0.0
    searching: float = 0.0
    move: int | None = None
    counted_nodes: int = 0
    counted_until: float = 0.0

    @classmethod
    def prepare(cls, game: Kalah, states: Sequence[State], options: Options) -> "Run":
        """Plan the solves, and open their ledger."""
        stored: tuple[int, ...] = ()
        if not options.rebuild:
            stored = find_stored_databases(game.pits, game.rules, options.folder)
        plan = make_plan(
            game.pits,
            [stones_in_play(state.board) for state in states],
            options.moves,
            options.database_stones,
            options.table_bytes,
            options.memory_bytes,
            stored,
        )
        if options.executor is None:  # an executor's workers have separate memory
            check_free(plan)
        file = None
        if options.ledger:
            file = options.ledger / f"kalah-{game.pits}-{to_file_name(game.rules)}.txt"
        ledger = Ledger(file, resume=True, rules=game.rules)
        roots = [Root(state) for state in states]
        return cls(game, roots, roots[0], plan, options, ledger, ledger.nodes)

    def search(self, counted_until: float) -> None:
        """Find the values and what else the options ask for, until Ctrl-C ends the search.

        Args:
            counted_until: The time from which the seconds of the first position are counted.
        """
        self.counted_until = counted_until
        try:
            solver = self.begin(self.open_database())
            for root in self.roots:
                self.root, self.move = root, None
                self.solve_root(solver)
                self.count_cost()
                self.done += 1
                if self.total > 1:
                    self._poll()  # the database may have a value, so that nothing is searched
        except KeyboardInterrupt:
            self.stopped = True
        finally:
            self.end()
        self.count_cost()

    def solve_root(self, solver: ExactSolver) -> None:
        root = self.root
        solver.value(root.state, self.options.guess)
        if self.options.line:
            root.line = solver.line(root.state)
        if self.options.moves:
            # One by one, so that after Ctrl-C the values found so far are in the solution.
            for pit, value in solver.move_values(root.state, begin=self._begin_move):
                root.move_values[pit] = value
        root.stopped = False

    def count_cost(self) -> None:
        """Add the nodes and the seconds since the last call to those of the root."""
        nodes, now = self._count_nodes(), time.perf_counter()
        self.root.nodes += nodes - self.counted_nodes
        self.root.seconds += now - self.counted_until
        self.counted_nodes, self.counted_until = nodes, now

    def open_database(self) -> Database:
        """Report the memory that the solve will take, and load or build the database."""
        warm_up()  # so that `resident_bytes` includes the memory of compiled code
        most = resident_bytes() + self.plan.bytes
        pits, count, rules = self.game.pits, self.plan.database_stones, self.game.rules
        note = f"{format_bytes(most)} at most; an endgame database of {count} stones, "
        note += f"{format_bytes(self.plan.table_bytes)} of table"
        self._send(Progress("memory", note, bytes=most))
        path = database_path(pits, count, rules, self.options.folder)
        if path.exists() and not self.options.rebuild:
            return load(path, pits, count, rules)

        def on_progress(done: int, total: int) -> None:
            if done == total or self._is_due():
                # Each position is one byte of the database, so these numbers are also bytes.
                detail = f"{format_bytes(done)} of {format_bytes(total)}"
                self._send(Progress("database", detail=detail))

        database = build(pits, count, rules, self.options.workers, on_progress)
        # The file is written while the search goes on. An executor's workers need the file.
        if self.options.keep or self.options.executor:
            saver = ThreadPoolExecutor(1)
            self.saving = saver.submit(save, database, path, self.unwanted)
            saver.shutdown(wait=False)  # the thread ends once the file is written
        return database

    def begin(self, database: Database) -> ExactSolver:
        """Begin the search, with the workers of an executor or with threads.

        If one piece is the whole proof, all threads search this piece.
        """
        entries, executor = self.plan.entries, self.options.executor
        workers = self.options.workers or count_cores()
        piece_nodes = self.options.piece_nodes
        if not piece_nodes:
            in_pieces = executor or self.options.ledger
            piece_nodes = PIECE_NODES if in_pieces else self.plan.piece_nodes
        if executor:
            error = None
            if self.saving:
                error = self.saving.exception()  # waits until the file is written
            if error:
                raise ValueError(f"the workers need the database: {error}")
            pits, rules = self.game.pits, self.game.rules
            prover_args = pits, database.stones, rules, entries, self.options.folder
            ask: Ask = partial(ask_in_worker, prover_args)
            pieces = Workers(ask, workers, executor=executor, poll=self._poll)
        elif piece_nodes == ENDLESS:
            ask = Prover(database, entries, threads=workers).ask
            pieces = Workers(ask, 1, threads=workers, poll=self._poll)
        else:
            ask = Prover(database, entries).ask
            pieces = Workers(ask, workers, poll=self._poll)
        self.tree = ProofTree(database, self.ledger, pieces, piece_nodes)
        # A single position reports each bound at once. Many positions may have thousands a second.
        on_bound = self._report if self.total == 1 else self._poll
        self.solver = ExactSolver(database, self.tree, self.ledger, on_bound)
        self.searching = time.perf_counter()
        return self.solver

    def end(self) -> None:
        """Wait until the database is written, and release the threads."""
        if self.stopped:
            self.unwanted.set()
        if self.saving:
            note = "the database was kept"
            error = self.saving.exception()  # waits until the file is written
            if error:  # such as a full disk; the solution is right all the same
                note = str(error)
            self._send(Progress("kept", note))
        if self.tree:
            self.tree.close()

    def solutions(self) -> list[Solution]:
        """Return the results so far. Raise ValueError if they show that the ledger is false."""
        solutions = []
        for root in self.roots:
            solution = self.solution(root)
            self._check_ledger(root, solution)
            solutions.append(solution)
        return solutions

    def solution(self, root: Root) -> Solution:
        if self.solver:
            lower, upper = self.solver.bounds(root.state)
        else:  # stopped before the search
            lower, upper = self.ledger.bounds(root.state)
        moves = None
        if self.options.moves:
            moves = tuple(root.move_values.get(pit) for pit in range(self.game.pits))
        return Solution(
            value=lower if lower == upper else None,
            moves=moves,
            line=root.line,
            nodes=root.nodes,
            seconds=root.seconds,
            database_stones=self.plan.database_stones,
            bounds=(lower, upper),
            stopped=root.stopped,
            believed=self.ledger.read,
        )

    def _check_ledger(self, root: Root, solution: Solution) -> None:
        """Raise ValueError if the perfect line or the moves lead to another value.

        This can only happen if bounds that the ledger had before are false.
        """
        if solution.stopped or solution.value is None or not solution.believed:
            return
        other_values: list[int] = []  # of the root, by its moves and by the end of the line
        if root.move_values:
            other_values.append(max(root.move_values.values()))
        state = root.state
        for pit in root.line:
            state = self.game.play(state, pit)
        if self.game.is_over(state):
            other_values.append(self.game.margin(state, root.state.player))
        for value in other_values:
            if value != solution.value:
                raise ValueError(
                    f"by the ledger {format_board(root.state)} is worth {solution.value:+d}, but "
                    f"perfect moves from this position lead to {value:+d}; make the ledger again"
                )

    def _count_nodes(self) -> int:
        """Return the nodes of all positions, including those of pieces that the ledger had."""
        if self.tree:
            return self.earlier + self.tree.nodes
        return self.earlier

    def _begin_move(self, pit: int) -> None:
        self.move = pit

    def _poll(self) -> None:
        if self._is_due():
            self._report()

    def _is_due(self) -> bool:
        """Return whether it is time for a report; if so, set the time of the last report to now."""
        now = time.perf_counter()
        if now - self.reported < REPORT_SECONDS:
            return False
        self.reported = now
        return True

    def _report(self) -> None:
        assert self.tree is not None
        assert self.solver is not None
        self.reported = time.perf_counter()
        root = self.root.state
        state = root if self.move is None else self.game.play(root, self.move)
        passes = state.player != root.player  # only a move can pass the turn
        lower, upper = self.solver.bounds(state)
        seconds = max(1e-9, self.reported - self.searching)  # not 0, as it is a divisor
        detail = ""
        margin = self.tree.margin
        if margin is not None and lower < margin <= upper:  # the question is not answered yet
            # If the turn passes, the question is the opponent's, so its margin changes sign.
            detail = f"at most {-margin:+d}? " if passes else f"at least {margin:+d}? "
            done, open_leaves, nodes_to_go = self.tree.forecast()
            detail += f"{done:,} pieces done, {open_leaves:,} open"
            if nodes_to_go is not None:
                detail += f", about {nodes_to_go:,.0f} nodes to go"
        self._send(
            Progress(
                stage="search",
                detail=detail,
                move=self.move,
                bounds=(-upper, -lower) if passes else (lower, upper),
                nodes=self._count_nodes(),
                nodes_per_second=self.tree.nodes / seconds,
            )
        )

    def _send(self, report: Progress) -> None:
        """Report progress, with the number of positions that are solved."""
        seconds_left = None
        if self.done:
            seconds = time.perf_counter() - self.started
            seconds_left = seconds / self.done * (self.total - self.done)
        self.options.progress(
            replace(report, done=self.done, total=self.total, seconds_left=seconds_left)
        )
