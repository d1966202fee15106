"""Inputs for the homework that tell the known mistakes apart.

Each is chosen from random small ones: the one after which the fewest programs are left that write
the same files as another. Programs with one mistake come first, then those with two.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import count, islice
from random import Random
from typing import NamedTuple

from kalahlab.published import homework
from kalahlab.published.homework import ALPHA_BETA, MINIMAX, Defects, read_problem, written

TRIED = 150  # how many random inputs each choice is made from
LONGEST = 60  # the most lines of a log, so that it can be followed by hand

Names = tuple[str, ...]  # of a program's mistakes; () for the right one


class Inputs(NamedTuple):
    """alike: programs with at most one mistake that write the same files for all of these texts;
    alike_by_two: with at most two."""

    texts: tuple[str, ...]
    alike: tuple[tuple[Names, ...], ...]
    alike_by_two: tuple[tuple[Names, ...], ...]


def make_inputs(
    number: int, seed: int, progress: Callable[[int], object] = lambda chosen: None
) -> Inputs:
    """progress: called with how many inputs are chosen."""
    alone: dict[Names, Defects] = {(): homework.RIGHT}
    alone |= {(cause.name,): cause.defects for cause in homework.CAUSES}
    by_two: dict[Names, Defects] = alone | {
        (a.name, b.name): both for (a, b), both in homework.pairs_of_causes()
    }
    tried = list(islice(_random_inputs(seed), TRIED))
    chosen = list[str]()
    for programs in (alone, by_two):
        groups = _apart([list(programs)], programs, chosen)
        while groups and len(chosen) < number:
            best = min(tried, key=lambda text: _left(_apart(groups, programs, [text])))
            after = _apart(groups, programs, [best])
            if _left(after) == _left(groups):
                break
            chosen, groups = [*chosen, best], after
            progress(len(chosen))
    others = (text for text in _random_inputs(seed) if text not in chosen)
    chosen += islice(others, number - len(chosen))
    alike = (_apart([list(programs)], programs, chosen) for programs in (alone, by_two))
    return Inputs(tuple(chosen), *(tuple(map(tuple, groups)) for groups in alike))


def _random_inputs(seed: int) -> Iterable[str]:
    """Different small inputs without end, by turns for tasks 2 and 3.

    Pits are often empty, or hold a lap of stones.
    """
    seen = set[str]()
    for at in count():
        chance = Random(f"{seed} {at}")
        pits = chance.randint(3, 4)
        held = (0, 0, 1, 2, 3, 4, 5, 2 * pits + 1)
        rows = [[chance.choice(held) for _ in range(pits)] for _ in "AB"]
        head = [(MINIMAX, ALPHA_BETA)[at % 2], chance.randint(1, 2), chance.randint(1, 3)]
        lines = [*([number] for number in head), *rows, [0], [0]]
        text = "".join(" ".join(map(str, line)) + "\n" for line in lines)
        length = written(read_problem(text))[1].count("\n")
        if text not in seen and 4 < length <= LONGEST:
            seen.add(text)
            yield text


def _apart(
    groups: Sequence[Sequence[Names]], programs: dict[Names, Defects], texts: Sequence[str]
) -> list[list[Names]]:
    """The groups of programs that write the same files for these inputs, too; no group of one."""
    for text in texts:
        parts = list[list[Names]]()
        for group in groups:
            files = defaultdict[tuple[str, str], list[Names]](list)
            for names in group:
                files[_written(text, programs[names])].append(names)
            parts += files.values()
        groups = [part for part in parts if len(part) > 1]
    return [list(group) for group in groups]


@lru_cache(1 << 16)
def _written(text: str, defects: Defects) -> tuple[str, str]:
    return written(read_problem(text), defects)


def _left(groups: Sequence[Sequence[Names]]) -> int:
    """How many pairs of programs are in the same group."""
    return sum(len(group) * (len(group) - 1) for group in groups)
