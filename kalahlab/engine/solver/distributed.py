"""One question spread over the workers of a `concurrent.futures.Executor`.

"Is this position worth at least so much?" is answered by the positions two plies on: by any
one of a mover's moves that is good enough, or by all of them that are not. Each of those is
a task. A worker keeps its database, mapped from the file, and its table from task to task.
"""

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np

from kalahlab.engine.endgame.database import Database, load
from kalahlab.engine.solver.exact import known_margin
from kalahlab.engine.solver.provers import POLL_SECONDS, Poll, Prover
from kalahlab.engine.solver.table import Table
from kalahlab.games.kalah import Kalah, Rules, State

Answer = tuple[int | None, int]

_ONE_AT_A_TIME = Lock()  # should the executor's workers be threads of one process

PLIES = 2
"""How deep a question is split."""


class Worker(NamedTuple):
    """What a task needs to know to find its prover: see `prover_of`."""

    path: Path
    pits: int
    stones: int
    rules: Rules
    entries: int


@cache
def prover_of(worker: Worker) -> Prover:
    """This process's prover; made at the first task."""
    database = load(worker.path, worker.pits, worker.stones, worker.rules)
    return Prover(database, worker.entries, workers=1)


def run_task(worker: Worker, state: State, margin: int, limit: int) -> Answer:
    """What `Prover.bound` says, and the nodes searched for it, in a worker process."""
    with _ONE_AT_A_TIME:
        prover = prover_of(worker)
        before = prover.nodes
        return prover.bound(state, margin, limit), prover.nodes - before


@dataclass(slots=True)
class Branch:
    """A position and the margin that its mover may reach.

    turns: whether the turn has passed from its parent. answer: a bound, once it is known.
    """

    state: State
    margin: int
    turns: bool = False
    answer: int | None = None
    task: Future[Answer] | None = None
    children: list["Branch"] = field(default_factory=list)

    def look(self) -> int | None:
        """The answer, if the tasks that are done give one."""
        if self.answer is None and self.task is not None and self.task.done():
            self.answer = self.task.result()[0]
        if self.answer is None and self.children:
            found = [(child.look(), child.turns) for child in self.children]
            known = [-bound if turns else bound for bound, turns in found if bound is not None]
            best = max(known, default=None)
            if best is not None and (best >= self.margin or len(known) == len(found)):
                self.answer = best
        return self.answer

    def open_tasks(self) -> Iterator[Future[Answer]]:
        """The tasks under way whose answers may still matter."""
        if self.answer is None:
            if self.task is not None and not self.task.done():
                yield self.task
            for child in self.children:
                yield from child.open_tasks()

    def tasks(self) -> Iterator[Future[Answer]]:
        """All tasks."""
        if self.task is not None:
            yield self.task
        for child in self.children:
            yield from child.tasks()


class DistributedProver:
    """Answers as a `Prover` does, on the workers of an executor.

    The executor's workers must be able to read the database's file. Tasks that have become
    pointless while they were running are not waited for.
    """

    def __init__(
        self, executor: Executor, path: Path, database: Database, entries: int, poll: Poll
    ) -> None:
        self.database = database
        self.nodes = 0
        self._worker = Worker(path, database.pits, database.stones, database.rules, entries)
        self._executor = executor
        self._poll = poll
        self._game = Kalah(database.pits, 0, database.rules)

    def bound(self, state: State, margin: int, limit: int = 0) -> int | None:
        """See `Prover.bound`; the limit is for each task."""
        root = Branch(state, margin)
        self._grow(root, PLIES, limit)
        counted: set[Future[Answer]] = set()
        try:
            while root.look() is None and (left := list(root.open_tasks())):
                wait(left, POLL_SECONDS, FIRST_COMPLETED)
                counted |= self._count(set(root.tasks()) - counted)
                self._poll()
            return root.answer
        finally:
            for task in root.tasks():
                task.cancel()

    def entries(self, most: int) -> Table:
        """None: the tables are the workers'."""
        return np.empty((0, 2), np.int64)

    def close(self) -> None:
        """Nothing to do: the executor is the caller's."""

    def _grow(self, branch: Branch, plies: int, limit: int) -> None:
        branch.answer = known_margin(self.database, self._game, branch.state)
        if branch.answer is not None:
            return
        if plies == 0:
            branch.task = self._executor.submit(
                run_task, self._worker, branch.state, branch.margin, limit
            )
            return
        for move in self._game.moves(branch.state):
            state = self._game.play(branch.state, move)
            turns = state.player != branch.state.player
            # "v >= margin" of the one who moves next is "-v < 1 - margin" of the other
            child = Branch(state, 1 - branch.margin if turns else branch.margin, turns)
            self._grow(child, plies - 1, limit)
            branch.children.append(child)

    def _count(self, tasks: set[Future[Answer]]) -> set[Future[Answer]]:
        done = {task for task in tasks if task.done() and not task.cancelled()}
        self.nodes += sum(task.result()[1] for task in done)
        return done
