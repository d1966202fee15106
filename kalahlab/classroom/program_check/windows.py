"""The check of alpha-beta with finite windows: a wrong bound may do no harm in a full one."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import isfinite
from statistics import median_low

from kalahlab.classroom.program_check.diagnosis import Comparison, ProgramLeaf, find_mistakes
from kalahlab.classroom.program_check.flawed import Flawed
from kalahlab.classroom.program_check.mistakes import CRASH, CUT_FLAWS, KNOWN_MISTAKES
from kalahlab.classroom.program_check.recognise import Program
from kalahlab.classroom.program_check.report import Counterexample, Part
from kalahlab.formatting import format_number

TITLE = "Search, finite windows around and beside the value"
MOST_EXACT = 20  # exact values outside the window, of which alpha-beta gives some as a bound
NEVER_CUTS = (
    "It gives the exact value also where a bound is enough. So it never cuts: it is a minimax that "
    "takes alpha and beta. Leave the loop when alpha >= beta."
)


def has_window(program: Program) -> bool:
    """Return whether a program takes alpha and beta."""
    return {"alpha", "beta"} <= {*program.form.roles}


def compare_windows(
    name: str, program: Program, comparisons: Sequence[Comparison], right: Flawed
) -> Part:
    """Compare the answers in finite windows of a program whose answers in full ones are right.

    Below and above the window, each value on that side is right: a search may be fail-hard or
    fail-soft.
    """
    trials = call_with_windows(program, comparisons)
    number = len(trials)
    wrong = [one for one in trials if not one.is_right]
    if not wrong:
        notes = (NEVER_CUTS,) if never_cuts(trials) else ()
        return Part(TITLE, number, number, notes=notes)
    first = wrong[0]
    read = program.with_form(window=first.window)
    example = Counterexample(
        first.trial.state,
        None,
        f"{name}{read.format_call(*first.trial)}",
        first.reply.problem or first.reply.shown,
        describe_bound(first),
    )
    if first.reply.problem:
        return Part(TITLE, number, number - len(wrong), example, ((CRASH,),))
    mistakes = tuple(one for one in KNOWN_MISTAKES if one.switches.keys() & {*CUT_FLAWS, "cut"})
    explanations = find_mistakes(
        [*trials, *comparisons],
        right,
        program.form.view,
        ProgramLeaf(program),
        mistakes,
        pairs=False,
    )
    sets = {one.names: one.mistakes for one in explanations}
    return Part(TITLE, number, number - len(wrong), example, tuple(sets.values()))


def call_with_windows(program: Program, comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return the answers in windows around the value, above and below it, in turn."""
    exact = [one for one in comparisons if isfinite(one.expected.value)]
    step = find_step_size([one.expected.value for one in exact])
    trials = []
    for index, one in enumerate(exact):
        alpha = one.expected.value + (-1, 1, -3)[index % 3] * step
        window = alpha, alpha + 2 * step
        reply = program.with_form(window=window).ask(*one.trial)
        trials.append(replace(one, reply=reply, window=window))
    return trials


def find_step_size(values: Sequence[float]) -> float:
    """Return a usual difference of two values: 1 for stones, more in a larger scale."""
    ordered = sorted({*values})
    return median_low([larger - smaller for smaller, larger in pairwise(ordered)] or [1])


def never_cuts(trials: Sequence[Comparison]) -> bool:
    """Return whether all values outside the window are exact, at enough deep trials."""
    outside = [
        one
        for one in trials
        if one.trial.depth > 1 and not one.window[0] < one.expected.value < one.window[1]
    ]
    are_exact = all(one.reply.value == one.expected.value for one in outside)
    return len(outside) >= MOST_EXACT and are_exact


def describe_bound(comparison: Comparison) -> str:
    """Return the answers that are right in a window, in words."""
    value, (alpha, beta) = comparison.expected.value, comparison.window
    if value <= alpha:
        return f"at most alpha, {format_number(alpha)}: the value is {format_number(value)}"
    if value >= beta:
        return f"at least beta, {format_number(beta)}: the value is {format_number(value)}"
    return format_number(value)
