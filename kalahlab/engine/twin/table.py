"""The transposition table of the compiled searches: as exact as `kalahlab.search.table`.

Open addressing in the last region of the workspace. An entry is (tag, lower, upper, key, line
of lower, line of upper): the tag holds player, sows and turns and is not 0, the key is what
else tells positions apart, the bounds are floats as the mover sees them, and a line is 16-bit
numbers, its length first. No entry is ever replaced; a table that fills up ends the search with
`TableFull`, and the caller begins it anew with a larger one.
"""

from typing import Any

import numpy as np

from kalahlab.engine.twin.transcript import MULTIPLIER
from kalahlab.engine.twin.workspace import (
    ENTRIES,
    ENTRY_WORDS,
    KEY_WORDS,
    LENGTHS,
    LINES,
    MAX_PLAYER,
    MAX_PLIES,
    NULL_WINDOWS,
    PLIES,
    RECALLED,
    TABLE,
    USED,
    Workspace,
)

NONE, LOWER, UPPER, KEY = range(4)
"""No bound, and where an entry holds its two bounds and its key, behind the tag."""


class TableFull(Exception):
    """A search needs more entries than its table has."""


def find(player: int, key: int, ply: int, turns: int, workspace: Workspace) -> int:
    """Where the entry of a position starts, made if there is none. key: where its key starts."""
    tag, words = 1 + player + 2 * (turns + (MAX_PLIES + 1) * ply), workspace[KEY_WORDS]
    slot = tag
    for index in range(words):
        slot = (slot + workspace[key + index]) * MULTIPLIER
        slot ^= slot >> 32 & 0xFFFFFFFF
    while True:
        entry: int = workspace[TABLE] + (slot & workspace[ENTRIES] - 1) * workspace[ENTRY_WORDS]
        if workspace[entry] == 0:
            make(entry, tag, key, workspace)
            return entry
        if workspace[entry] == tag and equal(entry + KEY, key, words, workspace):
            return entry
        slot += 1


def make(entry: int, tag: int, key: int, workspace: Workspace) -> None:
    """Use an entry for a position of which nothing is known yet."""
    if 4 * (workspace[USED] + 1) > 3 * workspace[ENTRIES]:
        raise TableFull
    workspace[USED] += 1
    workspace[entry] = tag
    bounds = workspace[entry : entry + KEY].view(np.float64)
    bounds[LOWER], bounds[UPPER] = -np.inf, np.inf
    for index in range(workspace[KEY_WORDS]):
        workspace[entry + KEY + index] = workspace[key + index]


def equal(one: int, other: int, words: int, workspace: Workspace) -> bool:
    """Whether so many words are the same at two places."""
    for index in range(words):  # noqa: SIM110  (numba compiles no generator)
        if workspace[one + index] != workspace[other + index]:
            return False
    return True


def probe(entry: int, alpha: float, beta: float, mover: int, workspace: Workspace) -> int:
    """The bound that answers a search of a position with this window, else `NONE`.

    If both are the same, it is the lower one as the textbook search sees it: from the mover's
    side in scout, from MAX's side in alpha-beta.
    """
    bounds = workspace[entry : entry + KEY].view(np.float64)
    if bounds[LOWER] == bounds[UPPER] and workspace[NULL_WINDOWS] == 0:
        return LOWER if mover == workspace[MAX_PLAYER] else UPPER
    if bounds[LOWER] >= beta or bounds[LOWER] == bounds[UPPER]:
        return LOWER
    return UPPER if bounds[UPPER] <= alpha else NONE


def recall(entry: int, bound: int, ply: int, workspace: Workspace) -> float:
    """The value of a bound; its line becomes the best line from here."""
    workspace[RECALLED] += 1
    stored, line = line_of(entry, bound, workspace), workspace[LINES] + ply * workspace[PLIES]
    for index in range(stored[0]):
        workspace[line + index] = stored[1 + index]
    workspace[workspace[LENGTHS] + ply] = stored[0]
    value: float = workspace[entry : entry + KEY].view(np.float64)[bound]
    return value


def store(
    entry: int, ply: int, value: float, alpha: float, beta: float, workspace: Workspace
) -> None:
    """Narrow the bounds by what a search with this window returned, as the textbook table."""
    if value > alpha or value == -np.inf:
        store_bound(entry, LOWER, ply, value, workspace)
    if value < beta or value == np.inf:
        store_bound(entry, UPPER, ply, value, workspace)


def store_bound(entry: int, bound: int, ply: int, value: float, workspace: Workspace) -> None:
    """Replace one bound and its line by the value and the best line from here."""
    workspace[entry : entry + KEY].view(np.float64)[bound] = value
    stored, line = line_of(entry, bound, workspace), workspace[LINES] + ply * workspace[PLIES]
    stored[0] = workspace[workspace[LENGTHS] + ply]
    for index in range(stored[0]):
        stored[1 + index] = workspace[line + index]


def line_of(entry: int, bound: int, workspace: Workspace) -> Any:
    """The line of a bound: its length, and then its moves."""
    words = workspace[PLIES] // 4 + 1
    start = entry + KEY + workspace[KEY_WORDS] + (bound - LOWER) * words
    return workspace[start : start + words].view(np.int16)
