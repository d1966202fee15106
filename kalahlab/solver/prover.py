"""Provers, which answer "is the position worth at least b?", and the workers that run them.

A worker is a thread of this process or a worker of an executor.
"""

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.packed import MAX_PITS, pack
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import Kalah, State, stones_in_play
from kalahlab.games.rules import Rules
from kalahlab.solver import kernel
from kalahlab.solver.endgame.compiled_rules import compile_rules, make_sowings
from kalahlab.solver.endgame.database import Database, build, open_database
from kalahlab.solver.endgame.layout import places
from kalahlab.solver.ordering import preferences

# Threads mark the positions that they are searching if these have at least 8 stones more than the
# database. On (6,4) two threads with marks search 3 % more nodes than one thread, and two threads
# without marks 15 % more.
SHARED = 8
NO_LIMIT = 1 << 62  # nodes; more than any search can count
POLL_SECONDS = 0.1  # between two calls of `Workers.poll`

Counters = NDArray[np.int64]  # a row for each thread that searches a question; see `kernel`


def empty_counters(threads: int = 1) -> Counters:
    """Return the counters of a new question."""
    # The kernel uses 3 columns. With 8 the threads count in different lines of the cache.
    return np.zeros((threads, 8), np.int64)


class Answer(NamedTuple):
    """The result of a proof."""

    bound: int | None  # None if the search was stopped, or reached its limit of nodes
    nodes: int


class Prover(StableRepr):
    """A prover with a table that is kept from question to question.

    Args:
        database: The endgame database.
        entries: The entries of the table, a power of two.
        threads: The threads that may search a question.
        plain: Order moves by the first set of numbers alone; see `ordering`.
    """

    def __init__(
        self, database: Database, entries: int, threads: int = 1, plain: bool = False
    ) -> None:
        pits, rules = database.game.pits, database.game.rules
        self.database = database
        # Threads beside the one that calls `ask`, which searches, too. A pool must have at least 1.
        self._helpers = ThreadPoolExecutor(max(1, threads - 1))
        self.tables = kernel.Tables(
            first=MAX_PITS - pits,
            stones=database.stones,
            sowing=make_sowings(pits, rules),
            rules=compile_rules(rules),
            values=database.values.ctypes.data,
            layout=database.layout,
            order=preferences(pits, plain),
            table=kernel.empty_table(entries),
            marks=np.zeros(kernel.MARKS, np.int64),
            # One thread marks nothing: no position has 1 << 20 stones.
            shared_from=database.stones + SHARED if threads > 1 else 1 << 20,
        )

    def ask(self, state: State, margin: int, limit: int, counters: Counters) -> Answer:
        """Prove whether a position's value is at least a margin.

        Args:
            state: A position of an unfinished game, with more stones in play than the database.
            margin: The margin, of the player to move.
            limit: About how many nodes each thread may search; 0 for no limit.
            counters: A row for each thread.

        Returns:
            A bound of the mover's final margin, and the nodes searched. A bound >= margin is a
            lower bound, a bound < margin an upper one. The bound is None if no thread found one.
        """
        pits = self.database.game.pits
        packed = pack(state, places(pits, self.database.game.rules.direction))
        plies = kernel.max_plies(pits, stones_in_play(state.board), self.database.stones) + 1
        counters[:, kernel.NODE_LIMIT] = limit or NO_LIMIT
        if len(counters) > 1:
            self.tables.marks[:] = 0

        def search(thread_counters: NDArray[np.int64]) -> int:
            bound = kernel.prove(
                packed.own,
                packed.opp,
                margin - packed.difference,
                kernel.Stack.of(plies),
                thread_counters,
                self.tables,
            )
            if bound != kernel.LOWEST:
                counters[:, kernel.STOP] = 1  # the other threads can stop
            return bound

        helpers = [self._helpers.submit(search, row) for row in counters[1:]]
        bounds = [search(counters[0]), *(helper.result() for helper in helpers)]
        nodes = int(counters[:, kernel.NODES].sum())
        for bound in bounds:  # several threads may have an answer; each is proved
            if bound != kernel.LOWEST:
                return Answer(bound + packed.difference, nodes)
        return Answer(None, nodes)


Ask = Callable[[State, int, int, Counters], Answer]  # `Prover.ask`


@dataclass(frozen=True, slots=True)
class Piece:
    """A question that is being searched.

    Attributes:
        future: The answer to come.
        counters: The counters of the search. If another process searches, it counts in a copy, and
            these stay as they are.
    """

    future: Future[Answer]
    counters: Counters

    @property
    def nodes(self) -> int:
        return int(self.counters[:, kernel.NODES].sum())

    def stop(self) -> None:
        """Cancel the question. A thread of this process that is searching it ends soon."""
        self.future.cancel()
        self.counters[:, kernel.STOP] = 1


class Workers(StableRepr):
    """Workers that search questions: threads of this process, or an executor's.

    Args:
        ask: The function that searches a question.
        workers: The number of questions at a time.
        threads: The number of threads that search the same question.
        executor: An executor such as a dask client's; default threads of this process.
        poll: Called every `POLL_SECONDS`. An exception that this function raises, such as
            `KeyboardInterrupt`, ends a question.

    Attributes:
        nodes: The nodes of the questions that `prove_bound` has searched.
    """

    def __init__(
        self,
        ask: Ask,
        workers: int,
        threads: int = 1,
        executor: Executor | None = None,
        poll: Callable[[], object] = lambda: None,
    ) -> None:
        self.workers = workers
        self.poll = poll
        self.nodes = 0
        self._ask = ask
        self._threads = threads
        self._must_shut_down = executor is None  # an executor from outside is left open
        self._executor = executor or ThreadPoolExecutor(workers)

    def submit(self, state: State, margin: int, limit: int) -> Piece:
        """Begin to search a question, with the arguments of `Prover.ask`."""
        counters = empty_counters(self._threads)
        return Piece(self._executor.submit(self._ask, state, margin, limit, counters), counters)

    def prove_bound(self, state: State, margin: int, limit: int = 0) -> int | None:
        """Search a question to its end, like `Prover.ask`; add its nodes to `nodes`."""
        piece = self.submit(state, margin, limit)
        try:
            while not wait([piece.future], POLL_SECONDS).done:
                self.poll()
        finally:  # also if `poll` raises an exception
            piece.stop()  # does nothing to a finished piece
        answer = piece.future.result()
        self.nodes += answer.nodes
        return answer.bound

    def close(self) -> None:
        if self._must_shut_down:
            self._executor.shutdown()


@cache
def cached_prover(
    pits: int, stones: int, rules: Rules, entries: int, folder: Path | None
) -> Prover:
    """Make a prover, or return the one that was made with these arguments in this process."""
    return Prover(open_database(pits, stones, rules, folder=folder), entries)


def ask_in_worker(prover_args: tuple[Any, ...], *question: Any) -> Answer:
    """Call `Prover.ask` in a worker's process, with the `cached_prover` of that process.

    Args:
        prover_args: The arguments of `cached_prover`.
        *question: The arguments of `Prover.ask`.
    """
    return cached_prover(*prover_args).ask(*question)


def warm_up() -> None:
    """Load the compiled code of database and search, by the solution of a tiny position."""
    prover = Prover(build(pits=1, count=1, workers=1), entries=kernel.ENTRIES)
    # The position has 4 stones, more than the database, so that it is searched.
    position = Kalah(pits=1, stones=2).start()
    prover.ask(position, margin=0, limit=0, counters=empty_counters())
