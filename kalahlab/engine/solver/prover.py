"""Who answers "is it at least b?": threads that share a table, or an executor's workers."""

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.endgame.database import Database, build, open_database
from kalahlab.engine.endgame.layout import places
from kalahlab.engine.packed import MAX_PITS, pack, sowings
from kalahlab.engine.solver import kernel
from kalahlab.engine.solver.ordering import preferences
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import Kalah, Rules, State, in_play

# Threads mark positions with at least this many stones more than the database has. On (6,4) two
# threads then search 3 % more nodes than one does alone; without marks, 15 %.
SHARED = 8
POLL_SECONDS = 0.1

Counters = NDArray[np.int64]  # a row for each thread that searches a question; see `kernel`


def no_counters(threads: int = 1) -> Counters:
    return np.zeros((threads, 8), np.int64)


class Answer(NamedTuple):
    bound: int | None  # None if the limit came first
    nodes: int


class Prover(StableRepr):
    """Answers whether a position's value is at least a margin, with a table that it keeps.

    entries: of the table, a power of two. threads: that may search a question. plain: order
    moves by the first set of numbers alone.
    """

    def __init__(
        self, database: Database, entries: int, threads: int = 1, plain: bool = False
    ) -> None:
        pits = database.game.pits
        self.database = database
        self._helpers = ThreadPoolExecutor(max(1, threads - 1))
        self.tables = kernel.Tables(
            MAX_PITS - pits,
            database.stones,
            database.game.rules.capture_empty,
            sowings(pits, places(pits)),
            database.values.ctypes.data,
            database.layout,
            preferences(pits, plain),
            kernel.empty_table(entries),
            np.zeros(kernel.MARKS, np.int64),
            database.stones + SHARED if threads > 1 else 1 << 20,
        )

    def ask(self, state: State, margin: int, limit: int, counters: Counters) -> Answer:
        """A bound of the mover's final margin: a lower one if it is >= margin, else an upper one.

        The game goes on, with more stones than the database has. limit: of each thread, in nodes or
        so; 0 for none. The kernel reads the database by its address: this holds it until it ends.
        """
        pits = self.database.game.pits
        packed = pack(state, places(pits))
        plies = kernel.deepest(pits, in_play(state.board), self.database.stones) + 1
        counters[:, kernel.NODE_LIMIT] = limit or 1 << 62
        if len(counters) > 1:
            self.tables.marks[:] = 0

        def search(own: NDArray[np.int64]) -> int:
            words, stack = (packed.own, packed.opp), kernel.Stack.of(plies)
            found = kernel.prove(*words, margin - packed.difference, stack, own, self.tables)
            if found != kernel.LOWEST:
                counters[:, kernel.STOP] = 1  # whoever is late has nothing to add
            return found

        others = [self._helpers.submit(search, own) for own in counters[1:]]
        found = [search(counters[0]), *(other.result() for other in others)]
        answers = [each + packed.difference for each in found if each != kernel.LOWEST]
        return Answer(answers[0] if answers else None, int(counters[:, kernel.NODES].sum()))


Ask = Callable[[State, int, int, Counters], Answer]  # `Prover.ask`


@dataclass(frozen=True, slots=True)
class Piece:
    """A question under way. Its counters tell nothing if another process searches it."""

    future: Future[Answer]
    counters: Counters

    @property
    def nodes(self) -> int:
        return int(self.counters[:, kernel.NODES].sum())

    def stop(self) -> None:
        """Ask it to end; a thread of this process ends soon, without an answer."""
        self.future.cancel()
        self.counters[:, kernel.STOP] = 1


class Workers(StableRepr):
    """Search questions: threads of this process, or the workers of an executor.

    workers: how many questions at a time. threads: on each of them. executor: a dask client's, for
    one. poll: called every `POLL_SECONDS`; what it raises, Ctrl-C too, ends a question.
    """

    def __init__(
        self,
        ask: Ask,
        workers: int,
        threads: int = 1,
        executor: Executor | None = None,
        poll: Callable[[], object] = lambda: None,
    ) -> None:
        self.workers, self.poll, self.nodes = workers, poll, 0
        self._ask, self._threads = ask, threads
        self._is_own, self._executor = executor is None, executor or ThreadPoolExecutor(workers)

    def submit(self, state: State, margin: int, limit: int) -> Piece:
        counters = no_counters(self._threads)
        return Piece(self._executor.submit(self._ask, state, margin, limit, counters), counters)

    def bound(self, state: State, margin: int, limit: int = 0) -> int | None:
        """As `Prover.ask`, here and now; `nodes` counts what that took."""
        piece = self.submit(state, margin, limit)
        try:
            while not wait([piece.future], POLL_SECONDS).done:
                self.poll()
        finally:
            piece.stop()
        answer = piece.future.result()
        self.nodes += answer.nodes
        return answer.bound

    def close(self) -> None:
        if self._is_own:
            self._executor.shutdown()


@cache
def kept_prover(pits: int, stones: int, rules: Rules, entries: int, folder: Path | None) -> Prover:
    return Prover(open_database(pits, stones, rules, folder=folder), entries)


def ask_elsewhere(made: tuple[Any, ...], *question: Any) -> Answer:
    """As `Prover.ask`, of the process that gets the question. made: see `kept_prover`."""
    return kept_prover(*made).ask(*question)


def warm_up() -> None:
    Prover(build(1, 1, workers=1), kernel.ENTRIES).ask(Kalah(1, 2).start(), 0, 0, no_counters())
