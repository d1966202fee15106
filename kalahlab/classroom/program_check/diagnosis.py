"""Which known mistakes give the answers of a program, at all positions that were tried."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kalahlab.classroom.program_check.flawed import Answer, Flawed, Leaf, TooLong, View
from kalahlab.classroom.program_check.mistakes import KnownMistake, list_pairs, list_variants
from kalahlab.classroom.program_check.positions import Trial
from kalahlab.classroom.program_check.recognise import Program, Reply
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import State

FIRST_TRIALS = 12  # wrong answers that a set of mistakes must give before all others are compared


class NoLeaf(Exception):
    """Raised when a program has no value for a leaf of a search."""


def make_leaf(program: Program) -> Leaf:
    """Return the function that gives a leaf the program's own value."""

    def leaf(state: State, depth: int) -> float:
        value = program.ask(state, depth if program.form.has_depth else 0).value
        if value is None:
            raise NoLeaf
        return value

    return leaf


@dataclass(frozen=True)
class Comparison(StableRepr):
    """The answer of a program at a trial, and the right one."""

    trial: Trial
    reply: Reply
    expected: Answer

    @property
    def is_right(self) -> bool:
        return agrees(self.reply, self.expected)


def agrees(reply: Reply, answer: Answer, exact_move: bool = False) -> bool:
    """Return whether a program's answer is that of a search, up to the choice of equal moves."""
    if reply.problem or (reply.value is None and reply.move is None):
        return False
    if reply.value is not None and not is_same(reply.value, answer.value):
        return False
    if reply.move is None or not answer.best:
        return True
    return reply.move == answer.move if exact_move else reply.move in answer.best


def is_same(value: float, other: float) -> bool:
    """Return whether two values are the same, up to the last digits of a float."""
    return value == other or abs(value - other) <= 1e-9 * max(1, abs(value), abs(other))


def find_mistakes(
    comparisons: Sequence[Comparison],
    base: Flawed,
    view: View,
    leaf: Leaf,
    mistakes: tuple[KnownMistake, ...],
    progress: Callable[[int, int], object] = lambda done, of: None,
) -> list[tuple[KnownMistake, ...]]:
    """Return the mistakes, one or two at once, with which a right program gives all answers."""
    wrong = [comparison for comparison in comparisons if not comparison.is_right]
    right = [comparison for comparison in comparisons if comparison.is_right]
    ordered = wrong[:FIRST_TRIALS] + right[-FIRST_TRIALS:] + wrong[FIRST_TRIALS:]
    ordered += right[:-FIRST_TRIALS]

    def explains(programs: Iterator[Flawed]) -> bool:
        return any(gives_answers(program, ordered, view, leaf) for program in programs)

    singles = [(one,) for one in mistakes if explains(list_variants(one, base))]
    if singles:
        return [*singles]
    found_pairs = []
    pairs = [*list_pairs(mistakes)]
    for index, (first, second) in enumerate(pairs):
        progress(index, len(pairs))
        if explains(_combine(first, second, base)):
            found_pairs.append((first, second))
    return [*found_pairs]


def _combine(first: KnownMistake, second: KnownMistake, base: Flawed) -> Iterator[Flawed]:
    for program in list_variants(first, base):
        yield from list_variants(second, program)


def gives_answers(
    program: Flawed, comparisons: Sequence[Comparison], view: View, leaf: Leaf
) -> bool:
    """Return whether a program with mistakes gives all answers of the program that is checked."""
    exact_move = program.search.last_of_equals
    for comparison in comparisons:
        state, depth = comparison.trial
        try:
            answer = program.answer(state, depth, view, leaf)
        except (TooLong, NoLeaf, RecursionError):
            return False
        if not agrees(comparison.reply, answer, exact_move):
            return False
    return True
