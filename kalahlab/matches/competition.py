"""The best turn that can be found in a stated time: the homework's task 4, "Competition".

    found = best_turn(game, state, seconds=1)

The text never specifies that task; this is our own reading. Alpha-beta deepens sow by sow in the
compiled engine. A running kernel cannot be stopped, so it runs in a process, which can. Until the
engine overtakes it (it needs most of a second to start, and some seconds to compile when it is
first used) the textbook deepens here, and the deepest answer counts.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Timer
from time import monotonic
from typing import NamedTuple

from kalahlab import engine
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah, State
from kalahlab.published.homework import whole_turn
from kalahlab.search import Depth, alpha_beta, deepening, greedy
from kalahlab.search.ordering import store_first

ENGINE = range(6, 201)
"""The engine's depths in sows: it is not worth starting for less, and compiles less so."""


class Answer(NamedTuple):
    """The best line of a finished search of `depth` sows. The greater answer counts.

    complete: nothing was cut off, or a sow deeper cost not a node more, which is taken for
    that. value: for the mover, in stones; None if no search was finished.
    """

    complete: bool = False
    depth: int = 0
    value: float | None = None
    line: tuple[int, ...] = ()


class Turn(NamedTuple):
    """A whole turn: the pits to sow, what it leads to, and the search that it comes from."""

    pits: tuple[int, ...]
    state: State
    answer: Answer


def best_turn(game: Kalah, state: State, seconds: float) -> Turn:
    """The best whole turn found within a time; sooner if all is searched.

    What the best line leaves open of the turn, all of it if no search was finished, is
    played greedily.
    """
    if game.over(state):
        return Turn((), state, Answer(True, 0, game.margin(state, state.player), ()))
    deadline, best = monotonic() + seconds, Answer()
    with engine_answers(game, state, seconds) as engine_says:
        for answer in textbook_answers(game, state, deadline):
            best = max(best, answer, *received(engine_says, 0))
            if best is not answer or best.complete:
                break
        while not best.complete and (news := received(engine_says, deadline - monotonic())):
            best = max(best, *news)
    pits, after = whole_turn(game, state, best.line)
    while after.player == state.player and not game.over(after):
        pit = greedy(game, after, store_difference, Depth(1)).move
        pits, after = (*pits, pit), game.play(after, pit)
    return Turn(pits, after, best)


def textbook_answers(game: Kalah, state: State, deadline: float) -> Iterator[Answer]:
    """The answer of each depth; once more, as complete, if the last one cut nothing off."""
    answer = Answer()
    results = deepening(
        alpha_beta, game, state, store_difference, deadline, store_first, clock=monotonic
    )
    for depth, result in enumerate(results, start=1):
        answer = Answer(False, depth, result.value, result.line)
        yield answer
    if monotonic() < deadline:
        yield answer._replace(complete=True)


@contextmanager
def engine_answers(game: Kalah, state: State, seconds: float) -> Iterator[Connection]:
    """The engine's answers as they come in, from a process that is stopped in the end."""
    context = get_context("spawn")
    answers, sent = context.Pipe(duplex=False)
    process = context.Process(target=send_answers, args=(game, state, seconds, sent), daemon=True)
    process.start()
    sent.close()
    try:
        yield answers
    finally:
        process.kill()
        process.join()
        answers.close()


def send_answers(game: Kalah, state: State, seconds: float, answers: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets it, and kills us
    watch = Timer(seconds, os._exit, (0,))  # and if that process is gone, so are we
    watch.daemon = True
    watch.start()
    before = None
    for depth in ENGINE:
        result = engine.alpha_beta(game, state, store_difference, Depth(depth), store_first)
        answers.send(Answer(result.counts == before, depth, result.value, result.line))
        if result.counts == before:
            break
        before = result.counts


def received(answers: Connection, seconds: float) -> list[Answer]:
    """What has come in, after waiting a while for the first; nothing if no more will come."""
    news: list[Answer] = []
    with suppress(EOFError):
        while answers.poll(0 if news else max(0.0, seconds)):
            news.append(answers.recv())
    return news
