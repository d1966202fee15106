"""Proofs on all cores: threads that search one question and share what they find."""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

import numpy as np
from numpy.typing import NDArray

from kalahlab.engine.endgame.database import Database, build
from kalahlab.engine.endgame.dense import addresses
from kalahlab.engine.endgame.layout import places
from kalahlab.engine.packed import MAX_PITS, Packed, pack, sowings
from kalahlab.engine.solver.kernel import (
    LOWEST,
    MARKS,
    NODE_LIMIT,
    NODES,
    STOP,
    Stack,
    Tables,
    deepest,
    prove,
)
from kalahlab.engine.solver.ordering import gains_alone, preferences
from kalahlab.engine.solver.proof_tree import Answer
from kalahlab.engine.solver.table import ENTRIES, empty_table
from kalahlab.games.kalah import Kalah, State, in_play

SHARED = 8
"""Positions of so many stones more than the database's are worth telling other threads of.

On (6,4) two threads then search 3 % more nodes than one does alone; without telling, 15 %."""

POLL_SECONDS = 0.1

Poll = Callable[[], object]


class Prover:
    """Answers whether a position is worth at least so much, with a table that it keeps."""

    def __init__(
        self,
        database: Database,
        entries: int,
        workers: int,
        poll: Poll = lambda: None,
        plain: bool = False,
    ) -> None:
        """entries: of the transposition table, a power of two.

        poll: called every `POLL_SECONDS` of a proof, by the thread that asked for it. plain: try
        moves by what they bank and extra turns alone, then the pit nearest the store.
        """
        self.database = database
        self.table = empty_table(entries)
        self._poll = poll
        self._places = places(database.pits)
        self._counters = np.zeros((workers, 8), np.int64)
        self._stacks = [Stack.of(0) for _ in range(workers)]
        self._threads = ThreadPoolExecutor(workers)
        self.tables = Tables(
            MAX_PITS - database.pits,
            database.stones,
            database.rules.capture_empty,
            sowings(database.pits, self._places),
            addresses(database.values),
            database.layout,
            gains_alone() if plain else preferences(database.pits),
            self.table,
            np.zeros(MARKS, np.int64),
            database.stones + SHARED if workers > 1 else 1 << 20,
        )

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self._counters[:, NODES].sum())

    def bound(
        self, state: State, margin: int, limit: int = 0, stopped: Callable[[], bool] = lambda: False
    ) -> int | None:
        """A bound of the mover's final margin that says whether it is at least `margin`.

        It is a lower bound if it is >= margin, an upper one otherwise. The game is not over
        and more stones are in play than in the database. None if the answer takes more than
        `limit` nodes or so (0: no limit), or once it is `stopped`, which is asked every
        `POLL_SECONDS`. What `poll` raises, Ctrl-C too, ends the proof.
        """
        packed = pack(state, self._places)
        self._make_stacks(in_play(state.board))
        self.tables.marks[:] = 0
        self._counters[:, STOP] = 0
        self._counters[:, NODE_LIMIT] = self._counters[:, NODES] + limit if limit else 1 << 62
        running = [
            self._threads.submit(self._prove, packed, margin, stack, counters)
            for stack, counters in zip(self._stacks, self._counters, strict=True)
        ]
        try:
            answer = self._first_answer(running, stopped)
        finally:  # whoever is late has nothing to add
            self._counters[:, STOP] = 1
            wait(running)
        return None if answer is None else answer + packed.difference

    def ask(self, state: State, margin: int, limit: int, counters: NDArray[np.int64]) -> "Answer":
        """As `bound`, on the calling thread, which counts and is stopped by its own counters."""
        packed = pack(state, self._places)
        plies = deepest(self.database.pits, in_play(state.board), self.database.stones) + 1
        counters[NODE_LIMIT] = limit or 1 << 62
        found = self._prove(packed, margin, Stack.of(plies), counters)
        bound = None if found == LOWEST else found + packed.difference
        return Answer(bound, int(counters[NODES]))

    def close(self) -> None:
        """End the threads, each when its search has ended."""
        self._threads.shutdown()

    def _prove(self, packed: Packed, margin: int, stack: Stack, counters: NDArray[np.int64]) -> int:
        """Search on the calling thread.

        The kernel reads the database by addresses. As this is a method, the thread holds the prover
        and so the database until the kernel returns, whoever else has dropped them by then.
        """
        beta = margin - packed.difference
        return prove(packed.own, packed.opp, beta, stack, counters, self.tables)

    def _first_answer(self, running: list[Future[int]], stopped: Callable[[], bool]) -> int | None:
        left = set(running)
        while left and not stopped():
            done, left = wait(left, POLL_SECONDS, FIRST_COMPLETED)
            for search in done:
                if search.result() != LOWEST:
                    return search.result()
            if left:
                self._poll()
        return None

    def _make_stacks(self, total: int) -> None:
        plies = deepest(self.database.pits, total, self.database.stones) + 1
        if len(self._stacks[0].frames) < plies:
            self._stacks = [Stack.of(plies) for _ in self._stacks]


def warm_up() -> None:
    """Compile all that a solve needs, or load what was compiled; a second the first time."""
    prover = Prover(build(1, 1, workers=1), ENTRIES, workers=1)
    prover.bound(Kalah(1, 2).start(), 0)
    prover.close()
