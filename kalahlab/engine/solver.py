"""Perfect play: the exact value of a position of Kalah, each move's value, a perfect line.

    from kalahlab.engine.solver import solve
    solution = solve(Kalah(6, 4).start(), STANDARD, moves=True)
    solution.value          # 8: the mover's final store minus the opponent's
    solution.moves          # (-14, -10, 8, -2, -8, 4)

A value is found by asking "is it at least b?" with rising b until the answer is no: the easy
questions come first, and each answer is a bound that is proved, whatever happens then.
"""

import time
from concurrent.futures import Executor
from pathlib import Path
from typing import Protocol

from kalahlab.engine import checkpoint as disk
from kalahlab.engine.checkpoint import Bounds, Checkpoint
from kalahlab.engine.database import (
    Database,
    Keeper,
    build,
    database_path,
    load,
    preset_name,
    stored_stones,
)
from kalahlab.engine.packed import PITS, STONES, fits
from kalahlab.engine.plan import Plan, make_plan
from kalahlab.engine.proofs import Prover, warm_up
from kalahlab.engine.room import cores, in_units, resident_bytes
from kalahlab.engine.solution import Progress, Solution, Tell
from kalahlab.engine.spread import Spread
from kalahlab.engine.table import Table
from kalahlab.games.kalah import SOUTH, STANDARD, Kalah, Rules, State, pits_of, stores
from kalahlab.games.notation import format_board

TELL_SECONDS = 0.5
"""Between two reports of progress, unless there is news."""

LIMITS = (1 << 12, 1 << 16, 1 << 20, 0)
"""Nodes to look for a perfect move with, in turn: it is in the table as a rule."""


class Oracle(Protocol):
    """Who answers "is it at least b?": threads here, or an executor's workers."""

    @property
    def nodes(self) -> int: ...
    def bound(self, state: State, margin: int, limit: int = 0) -> int | None: ...
    def entries(self, most: int) -> Table: ...
    def close(self) -> None: ...


def solve(
    state: State,
    rules: Rules = STANDARD,
    *,
    moves: bool = False,
    database_stones: int | None = None,
    table_bytes: int | None = None,
    memory_bytes: int | None = None,
    workers: int | None = None,
    progress: Tell | None = None,
    checkpoint: Path | None = None,
    checkpoint_seconds: float = 60.0,
    executor: Executor | None = None,
    folder: Path | None = None,
    rebuild: bool = False,
    keep: bool = True,
) -> Solution:
    """The exact value of a position under perfect play of both.

    rules: `STANDARD` or `EMPTY_CAPTURE`. moves: value each move, too. database_stones,
    table_bytes: sizes of the endgame database and the transposition table; default by
    `make_plan` from the memory there is, or from `memory_bytes`. workers: threads, default
    all cores. progress: hears how far it is. checkpoint: a file that the solve is saved to
    every `checkpoint_seconds`, and gone on with if it is there. executor: whose workers are
    to search instead of threads, see `kalahlab.engine.spread`. folder: where databases are
    kept, default the user's cache. rebuild: do not use a file that is there. keep: write a
    database that was built to its file; an executor's workers need it.

    Ctrl-C ends it with the bounds that are proved. Raises `ValueError`, in one line, for a
    position that is none or is too large, for other rules, for sizes that don't fit, and
    for a damaged file.
    """
    began = time.perf_counter()
    check_position(state)
    preset_name(rules)
    game = Kalah(pits_of(state.board), 0, rules)
    if game.over(state):
        margin = game.margin(state, state.player)
        nothing = (None,) * game.pits if moves else None
        return Solution(margin, nothing, (), 0, time.perf_counter() - began, 0, (margin, margin))
    tell = progress or (lambda news: None)
    plan = make_plan(
        game.pits,
        in_play(state),
        moves,
        database_stones,
        table_bytes,
        memory_bytes,
        () if rebuild else stored_stones(game.pits, rules, folder),
    )
    run = Run(game, state, plan, workers or cores(), tell, began)
    run.save_to(checkpoint, checkpoint_seconds)
    try:
        run.begin(executor, folder, rebuild, keep)
        run.value(state)
        run.find_line()
        if moves:
            run.value_moves()
    except KeyboardInterrupt:
        run.stopped = True
    finally:
        run.end()
    return run.solution(moves)


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
            f"{in_play(state)} stones in play on {pits_of(board)} pits a side are too many to "
            f"solve; at most {STONES} on at most {PITS}"
        )


def in_play(state: State) -> int:
    """The stones in the pits."""
    return sum(state.board) - sum(stores(state.board))


def difference(state: State) -> int:
    """The mover's store minus the opponent's."""
    south, north = stores(state.board)
    return south - north if state.player == SOUTH else north - south


class Run:
    """One solve: what it works with, and what it knows so far."""

    def __init__(
        self, game: Kalah, root: State, plan: Plan, workers: int, tell: Tell, began: float
    ) -> None:
        self.stopped = False
        self.proved: dict[State, Bounds] = {}
        self.line: list[int] = []
        self.move_values: dict[int, int] = {}
        self._game, self._root, self._plan, self._workers = game, root, plan, workers
        self._tell, self._began = tell, began
        self._oracle: Oracle | None = None
        self._database: Database | None = None
        self._keeper: Keeper | None = None
        self._file: Path | None = None
        self._earlier = Checkpoint(f"{format_board(root)} {preset_name(game.rules)}", {})
        self._every = self._saved = self._told = self._searching = 0.0
        self._move: int | None = None  # what is being valued; None: the position

    def save_to(self, file: Path | None, every: float) -> None:
        """Go on from a checkpoint, if there is one, and save to it from now on."""
        self._file, self._every = file, every
        if file is not None and file.exists():
            self._earlier = disk.load(file, self._earlier.question)
            self.proved.update(self._earlier.proved)

    def begin(
        self, executor: Executor | None, folder: Path | None, rebuild: bool, keep: bool
    ) -> None:
        """Get the database and whoever is to answer."""
        self._announce()
        count = self._plan.database_stones
        path = database_path(self._game.pits, count, self._game.rules, folder)
        database = self._database = self._obtain(path, rebuild, keep or executor is not None)
        entries = self._plan.entries
        if executor is None:
            prover = Prover(database, entries, self._workers, self._poll)
            prover.restore(self._earlier.entries)
            self._oracle = prover
        else:
            if self._keeper is not None:
                self._keeper.wait()
                if self._keeper.error:
                    raise ValueError(f"the workers need the database: {self._keeper.error}")
            self._oracle = Spread(executor, path, database, entries, self._poll)
        self._saved = self._searching = time.perf_counter()

    def value(self, state: State) -> int:
        """A position's value, asked for upwards from an even outcome of what is in play."""
        known = self._known(state)
        if known is not None:
            return known
        lower, upper = self._bounds(state)
        even = difference(state) + in_play(state) % 2
        margin = min(max(even, lower + 2), upper)
        while lower < upper:
            found = self._bound(state, margin)
            if found >= margin:
                lower = found
            else:
                upper = found
            self.proved[state] = (lower, upper)
            self._report()
            margin = lower + 2 if found >= margin else upper
        return lower

    def find_line(self) -> None:
        """Follow a perfect move from each position to the end."""
        state, value = self._root, self.value(self._root)
        line: list[int] = []
        while not self._game.over(state):
            move = self._perfect_move(state, value)
            after = self._game.play(state, move)
            value = value if after.player == state.player else -value
            state = after
            line.append(move)
        self.line = line

    def value_moves(self) -> None:
        """Value each move of the root."""
        best = self.value(self._root)
        for move in self._game.moves(self._root):
            self._move = move
            after = self._game.play(self._root, move)
            again = after.player == self._root.player
            lower, upper = self._bounds(after)
            # the move is worth at most what the best one is
            self.proved[after] = (lower, min(upper, best)) if again else (max(lower, -best), upper)
            value = self.value(after)
            self.move_values[move] = value if again else -value

    def end(self) -> None:
        """Save what is known, and let go of threads."""
        if self._keeper is not None:
            self._keeper.wait(give_up=self.stopped)
            self._tell(Progress("kept", note=self._keeper.error or "the database was kept"))
        if self._oracle is not None:
            self._save()
            self._oracle.close()

    def solution(self, moves: bool) -> Solution:
        """What is known at the end."""
        lower, upper = self._bounds(self._root)
        values = tuple(self.move_values.get(pit) for pit in range(self._game.pits))
        return Solution(
            lower if lower == upper else None,
            values if moves else None,
            tuple(self.line),
            self._nodes,
            self._seconds,
            self._plan.database_stones,
            (lower, upper),
            self.stopped,
        )

    @property
    def _nodes(self) -> int:
        return self._earlier.nodes + (self._oracle.nodes if self._oracle else 0)

    @property
    def _seconds(self) -> float:
        return self._earlier.seconds + time.perf_counter() - self._began

    def _announce(self) -> None:
        warm_up()  # what compiled code takes is there before it is reckoned with
        stones, table = self._plan.database_stones, in_units(self._plan.table_bytes)
        self._tell(
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

        def tell(done: int, of: int) -> None:
            if done < of and not self._due(TELL_SECONDS):
                return
            self._tell(Progress("database", self._seconds, bytes=done, all_bytes=of))

        database = build(pits, count, rules, self._workers, tell)
        self._keeper = Keeper(database, path) if keep else None
        return database

    def _known(self, state: State) -> int | None:
        """The value of a position that needs no search."""
        if self._game.over(state):
            return self._game.margin(state, state.player)
        assert self._database is not None
        if in_play(state) <= self._database.stones:
            return self._database.margin(state)
        return None

    def _bounds(self, state: State) -> Bounds:
        """What is proved of a position; at first, that each stone goes to one of the two."""
        known = self._known(state) if self._database is not None else None
        if known is not None:
            return known, known
        stored, total = difference(state), in_play(state)
        return self.proved.get(state, (stored - total, stored + total))

    def _bound(self, state: State, margin: int, limit: int = 0) -> int:
        assert self._oracle is not None
        found = self._oracle.bound(state, margin, limit)
        assert found is not None
        return found

    def _perfect_move(self, state: State, value: int) -> int:
        """A move that is worth what the position is."""
        options = [(move, self._game.play(state, move)) for move in self._game.moves(state)]
        for limit in LIMITS:
            for option in options[:]:
                if len(options) == 1:
                    return options[0][0]
                worth = self._worth(state, option[1], value, limit)
                if worth:
                    return option[0]
                if worth is False:
                    options.remove(option)
        raise AssertionError("no move is worth what the position is")

    def _worth(self, state: State, after: State, value: int, limit: int) -> bool | None:
        """Whether a move is worth at least `value`, None if `limit` nodes do not say."""
        assert self._oracle is not None
        again = after.player == state.player
        lower, upper = self._bounds(after)
        if lower == upper:
            return (lower if again else -lower) >= value
        margin = value if again else 1 - value
        found = self._oracle.bound(after, margin, limit)
        return None if found is None else (found >= margin) == again

    def _poll(self) -> None:
        """Called now and then while a proof runs."""
        if self._due(TELL_SECONDS):
            self._report()
        if time.perf_counter() - self._saved >= self._every:
            self._save()

    def _due(self, every: float) -> bool:
        """Whether it is time to tell something."""
        if time.perf_counter() - self._told < every:
            return False
        self._told = time.perf_counter()
        return True

    def _asked(self) -> Bounds:
        """The bounds of what is being valued, as the root's mover sees it."""
        if self._move is None:
            return self._bounds(self._root)
        after = self._game.play(self._root, self._move)
        lower, upper = self._bounds(after)
        return (lower, upper) if after.player == self._root.player else (-upper, -lower)

    def _report(self) -> None:
        assert self._oracle is not None
        self._told = time.perf_counter()
        self._tell(
            Progress(
                "search",
                self._seconds,
                move=self._move,
                bounds=self._asked(),
                nodes=self._nodes,
                nodes_per_second=self._oracle.nodes / max(1e-9, self._told - self._searching),
            )
        )

    def _save(self) -> None:
        if self._file is None or self._oracle is None:
            return
        entries = self._oracle.entries(disk.MOST_ENTRIES)
        known = Checkpoint(self._earlier.question, self.proved, self._nodes, self._seconds, entries)
        disk.save(known, self._file)
        self._saved = time.perf_counter()
