"""Where the pieces of a proof are searched: threads here, or the workers of an executor."""

from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.endgame.database import open_database
from kalahlab.engine.solver.kernel import NODES, STOP
from kalahlab.engine.solver.proof_tree import Answer, Piece
from kalahlab.engine.solver.provers import Prover
from kalahlab.games.kalah import Rules, State


@dataclass(frozen=True, slots=True)
class StartedPiece:
    """A piece under way; counters are those of the thread that searches it, if it is one here."""

    future: Future[Answer]
    counters: NDArray[np.int64] = field(default_factory=lambda: np.zeros(8, np.int64))

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.counters[NODES])

    def stop(self) -> None:
        """Ask it to end; it ends soon, without an answer."""
        self.future.cancel()
        self.counters[STOP] = 1


class Threads:
    """Threads of this process, which share a prover's table."""

    def __init__(self, prover: Prover, workers: int) -> None:
        self.workers = workers
        self._prover, self._threads = prover, ThreadPoolExecutor(workers)

    def submit(self, state: State, margin: int, limit: int) -> Piece:
        """Start a piece of the proof in a thread."""
        counters = np.zeros(8, np.int64)
        future = self._threads.submit(self._prover.ask, state, margin, limit, counters)
        return StartedPiece(future, counters)

    def close(self) -> None:
        """Wait for all threads to end."""
        self._threads.shutdown()


@dataclass(slots=True)
class SharedPiece:
    """A piece that all threads of a prover search. before: the prover's nodes when it began."""

    prover: Prover
    future: Future[Answer] = field(init=False)
    before: int = field(init=False)
    stopped: bool = False

    def __post_init__(self) -> None:
        self.before = self.prover.nodes

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self.prover.nodes - self.before

    def stop(self) -> None:
        """Ask it to end; it ends soon, without an answer."""
        self.stopped = True

    def search(self, state: State, margin: int, limit: int) -> Answer:
        """Search it: the answer of the first thread that has one."""
        bound = self.prover.bound(state, margin, limit, lambda: self.stopped)
        return Answer(bound, self.nodes)


class Together:
    """All threads of a prover on one piece at a time: none waits while another has work left."""

    workers = 1

    def __init__(self, prover: Prover) -> None:
        self._prover, self._thread = prover, ThreadPoolExecutor(1)

    def submit(self, state: State, margin: int, limit: int) -> Piece:
        """Start a piece of the proof."""
        piece = SharedPiece(self._prover)
        piece.future = self._thread.submit(piece.search, state, margin, limit)
        return piece

    def close(self) -> None:
        """Wait for all threads to end."""
        self._thread.shutdown()
        self._prover.close()


class Worker(NamedTuple):
    """What a task needs to know to find its prover: see `prover_of`."""

    pits: int
    stones: int
    rules: Rules
    entries: int
    folder: Path | None


@cache
def prover_of(worker: Worker) -> Prover:
    """This process's prover, made at the first task.

    Its database is mapped from the file; a machine that has none builds it.
    """
    pits, stones, rules, entries, folder = worker
    return Prover(open_database(pits, stones, rules, folder=folder), entries, workers=1)


def run_task(worker: Worker, state: State, margin: int, limit: int) -> Answer:
    """A piece, in a worker process, which keeps its table from task to task."""
    return prover_of(worker).ask(state, margin, limit, np.zeros(8, np.int64))


class ExecutorWorkers:
    """The workers of a `concurrent.futures.Executor`, a dask client's executor among them.

    Each keeps a database and a table. A piece that became needless while it was running cannot be
    stopped: the end of a proof waits for it.
    """

    def __init__(self, executor: Executor, worker: Worker, workers: int) -> None:
        self.workers = workers
        self._executor, self._worker = executor, worker

    def submit(self, state: State, margin: int, limit: int) -> Piece:
        """Start a piece of the proof on the executor."""
        return StartedPiece(self._executor.submit(run_task, self._worker, state, margin, limit))

    def close(self) -> None:
        """Nothing to do: the executor is the caller's."""
