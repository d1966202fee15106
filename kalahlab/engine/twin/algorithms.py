"""What the compiled searches are: each is minimax, and some of what makes it faster.

This module needs no numba, so that `kalahlab.engine` names its searches without loading it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A search of `kalahlab.search`, by what it adds to plain minimax.

    prune: windows that narrow, and cutoffs. null_windows: all children but the first are asked
    whether they are better, as in scout. table: a transposition table. passes: the root is
    searched with null windows until its value is found, as in MTD(f).
    """

    prune: bool = False
    null_windows: bool = False
    table: bool = False
    passes: bool = False

    @property
    def plain(self) -> bool:
        """Whether it is minimax or alpha-beta, or made of searches that are."""
        return not (self.null_windows or self.table)


MINIMAX = Algorithm()
ALPHA_BETA = Algorithm(prune=True)

ALGORITHMS = {
    "greedy": MINIMAX,  # one ply deep
    "minimax": MINIMAX,
    "alpha_beta": ALPHA_BETA,
    # differs from alpha-beta in what a node answers outside its window, which no root has
    "minimax_a_b": ALPHA_BETA,
    "scout": Algorithm(prune=True, null_windows=True),
    "alpha_beta_table": Algorithm(prune=True, table=True),
    "scout_table": Algorithm(prune=True, null_windows=True, table=True),
    "mtdf": Algorithm(prune=True, table=True, passes=True),
    "mtdf_no_table": Algorithm(prune=True, passes=True),
}
