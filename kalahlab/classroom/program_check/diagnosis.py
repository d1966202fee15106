"""Which known mistakes give the answers of a program, at all positions that were tried."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from math import isclose

from kalahlab.classroom.program_check.flawed import (
    FULL_WINDOW,
    Answer,
    Flawed,
    Leaf,
    NoLeaf,
    TooLong,
    View,
    Window,
)
from kalahlab.classroom.program_check.mistakes import KnownMistake, list_pairs, list_variants
from kalahlab.classroom.program_check.positions import Trial
from kalahlab.classroom.program_check.recognise import Program, Reply
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import State

CHANCE = 1e-6  # by which a player at random may give the answers that explain a program
AT_ONCE = 10  # trials for whose leaves a program is asked together
FIRST_TRIALS = 12  # wrong answers that a set of mistakes must give before all others are compared


class ProgramLeaf(StableRepr):
    """A function that gives a leaf the program's own value."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._values: dict[tuple[State, int], float] = {}
        self._missing: dict[tuple[State, int], None] | None = None

    def __call__(self, state: State, depth: int) -> float:
        key = state, depth
        if key in self._values:
            return self._values[key]
        call = state, depth if self._program.form.has_depth else 0
        if self._missing is not None and not self._program.has_called(*call):
            self._missing[call] = None
            return 0
        value = self._program.ask(*call).value
        if value is None:
            raise NoLeaf
        self._values[key] = value
        return value

    def answer(
        self, flawed: Flawed, trial: Trial, view: View, window: Window = FULL_WINDOW
    ) -> Answer:
        """Return the answer of a program with mistakes, whose leaves have these values.

        The first search notes the leaves of which the program was never asked, so that it can be
        asked of all of them at once.

        Raises:
            NoLeaf: A leaf has no value.
            TooLong: The search visits too many nodes.
        """
        missing: dict[tuple[State, int], None] = {}
        self._missing = missing
        try:
            answer = flawed.answer(*trial, view, self, window)
            if not missing:
                return answer
        except (NoLeaf, TooLong, RecursionError):
            if not missing:
                raise
        finally:
            self._missing = None
        self._program.call_ahead(missing)
        return flawed.answer(*trial, view, self, window)

    def ask_ahead(
        self,
        searches: Iterable[Flawed],
        trials: Sequence[Trial],
        view: View,
        window: Window = FULL_WINDOW,
    ) -> None:
        """Ask at once for all leaves that searches of some trials by these programs lack."""
        missing: dict[tuple[State, int], None] = {}
        self._missing = missing
        for flawed, trial in product(searches, trials):
            with suppress(NoLeaf, TooLong, RecursionError):
                flawed.answer(*trial, view, self, window)
        self._missing = None
        self._program.call_ahead(missing)


@dataclass(frozen=True, repr=False)
class Comparison(StableRepr):
    """The answer of a program at a trial, and the right one in a full window."""

    trial: Trial
    reply: Reply
    expected: Answer
    window: Window = FULL_WINDOW

    @property
    def is_right(self) -> bool:
        """Whether the answer is right; outside the window, any value on that side is."""
        alpha, beta = self.window
        value = self.expected.value
        if alpha < value < beta or self.window == FULL_WINDOW:
            return matches_answer(self.reply, self.expected)
        if self.reply.value is None:
            return False
        return self.reply.value <= alpha if value <= alpha else self.reply.value >= beta


def matches_answer(reply: Reply, answer: Answer) -> bool:
    """Return whether a program's answer is that of a search, up to the choice of equal moves."""
    if reply.problem or (reply.value is None and reply.move is None):
        return False
    if reply.value is not None and not is_same(reply.value, answer.value):
        return False
    if reply.move is None or not answer.best:
        return True
    return reply.move in answer.best


def is_same(value: float, other: float) -> bool:
    """Return whether two values are the same, up to the last digits of a float."""
    return value == other or isclose(value, other, rel_tol=1e-9, abs_tol=1e-9)


@dataclass(frozen=True, repr=False)
class Explanation(StableRepr):
    """Mistakes, and a program with them that gives all answers of the one that is checked."""

    mistakes: tuple[KnownMistake, ...]
    program: Flawed

    @property
    def names(self) -> str:
        return " ".join(mistake.name for mistake in self.mistakes)


def find_mistakes(
    comparisons: Sequence[Comparison],
    base: Flawed,
    view: View,
    leaf: Leaf,
    mistakes: tuple[KnownMistake, ...],
    pairs: bool = True,
) -> list[Explanation]:
    """Return the mistakes, one or two at once, with which a right program gives all answers."""
    wrong = [comparison for comparison in comparisons if not comparison.is_right]
    right = [comparison for comparison in comparisons if comparison.is_right]
    ordered = wrong[:FIRST_TRIALS] + right[-FIRST_TRIALS:] + wrong[FIRST_TRIALS:]
    ordered += right[:-FIRST_TRIALS]

    def explain(suspects: Sequence[Explanation]) -> list[Explanation]:
        if isinstance(leaf, ProgramLeaf) and ordered:
            searches = (suspect.program for suspect in suspects)
            leaf.ask_ahead(searches, [ordered[0].trial], view, ordered[0].window)
        return [
            suspect for suspect in suspects if gives_answers(suspect.program, ordered, view, leaf)
        ]

    explanations = explain(
        [Explanation((one,), program) for one in mistakes for program in list_variants(one, base)]
    )
    if explanations or not pairs:
        return explanations
    return explain(
        [
            Explanation(both, program)
            for both in list_pairs(mistakes)
            for program in _combine(*both, base)
        ]
    )


def is_telling(program: Flawed, comparisons: Sequence[Comparison], leaf: Leaf) -> bool:
    """Return whether moves at random would hardly be those of a program, which gives moves only."""
    probability = 1.0
    for comparison in comparisons:
        state, depth = comparison.trial
        answer = _answer(program, state, depth, "south", leaf)
        if answer is not None and answer.best:
            probability *= len(answer.best) / len(program.game.moves(state))
    return probability < CHANCE


def tell_apart(
    explanations: list[Explanation], program: Program, trials: Sequence[Trial], leaf: Leaf
) -> list[Explanation]:
    """Return the explanations that hold at more trials, at those where they differ.

    Trials end when all explanations that remain have the same mistakes.
    """
    view = program.form.view
    for index, (state, depth) in enumerate(trials):
        if len({one.names for one in explanations}) < 2:
            break
        if isinstance(leaf, ProgramLeaf) and index % AT_ONCE == 0:
            searches = (one.program for one in explanations)
            leaf.ask_ahead(searches, trials[index : index + AT_ONCE], view)
        answers = [_answer(one.program, state, depth, view, leaf) for one in explanations]
        values = {answer and (answer.value, answer.best) for answer in answers}
        if len(values) == 1:
            continue
        reply = program.ask(state, depth)
        remaining = [
            one
            for one, answer in zip(explanations, answers, strict=True)
            if answer and matches_answer(reply, answer)
        ]
        explanations = remaining or explanations
    return explanations


def _answer(
    program: Flawed,
    state: State,
    depth: float,
    view: View,
    leaf: Leaf,
    window: Window = FULL_WINDOW,
) -> Answer | None:
    """Return the answer of a program with mistakes, None if it has none."""
    try:
        if isinstance(leaf, ProgramLeaf):
            return leaf.answer(program, Trial(state, depth), view, window)
        return program.answer(state, depth, view, leaf, window)
    except (TooLong, NoLeaf, RecursionError):
        return None


def _combine(first: KnownMistake, second: KnownMistake, base: Flawed) -> Iterator[Flawed]:
    for program in list_variants(first, base):
        yield from list_variants(second, program)


def gives_answers(
    program: Flawed, comparisons: Sequence[Comparison], view: View, leaf: Leaf
) -> bool:
    """Return whether a program with mistakes gives all answers of the program that is checked."""
    for comparison in comparisons:
        answer = _answer(program, *comparison.trial, view, leaf, comparison.window)
        if answer is None or not matches_answer(comparison.reply, answer):
            return False
    return True
