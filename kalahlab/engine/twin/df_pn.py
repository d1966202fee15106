"""Compiled df-pn: the kernel's arguments, its table and the line of its proof."""

from math import ceil
from typing import Any

import numpy as np

from kalahlab.engine.packed import pack
from kalahlab.engine.twin import df_pn_kernel as kernels
from kalahlab.engine.twin.growing import is_packed
from kalahlab.engine.twin.search import check_known, prepare
from kalahlab.engine.twin.table import TableFull
from kalahlab.engine.twin.workspace import MASK, PLACES, Workspace
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import Kalah, State
from kalahlab.search.deep_enough import Depth
from kalahlab.search.df_pn import df_pn as textbook
from kalahlab.search.limits import Clock, Nodes, Seconds, check_kind
from kalahlab.search.model import Claim, Counts, Result

FIRST_ENTRIES = 1 << 16  # the entries of the first table, a power of 2
SLICE = 20_000  # nodes expanded between two looks at the clock
PROVED, DISPROVED = (0, kernels.INFINITE), (kernels.INFINITE, 0)


def df_pn(game: Any, state: State, limit: Nodes | Seconds, at_least: float, clock: Clock) -> Result:
    """Prove or disprove that MAX reaches a margin, like `kalahlab.search.df_pn.df_pn`.

    Raises:
        ValueError: Only the textbook can do such a search; the message names the reason.
    """
    check_known(game, state)
    check_kind("df_pn", limit, (Nodes, Seconds))
    if not is_packed(game, state, None):
        boards = "boards of up to 7 pits a side and 127 stones, without relays"
        raise ValueError(f"the engine proves bounds on {boards}")
    if game.is_over(state):
        return textbook(game, state, limit, at_least, clock)
    try:
        return _search(game, state, limit, at_least, clock).result()
    except OverflowError:
        return textbook(game, state, limit, at_least, clock)


def _search(
    game: Kalah, state: State, limit: Nodes | Seconds, at_least: float, clock: Clock
) -> "ProofSearch":
    """Search with a table that is large enough."""
    end = clock() + limit.s if isinstance(limit, Seconds) else 0
    entries = FIRST_ENTRIES
    while True:
        search = ProofSearch(game, state, at_least, entries)
        try:
            if isinstance(limit, Nodes):
                search.run(limit.n)
                return search
            # With the table as it is, each further slice soon is where the last one ended.
            while clock() < end and search.run(search.expansions + SLICE):
                pass
            return search
        except TableFull:
            entries *= 4


class ProofSearch(StableRepr):
    """A search by the kernel, with its table.

    Attributes:
        workspace: The record of the kernel.
        table: The table.
    """

    def __init__(self, game: Kalah, state: State, at_least: float, entries: int) -> None:
        fields, self._root = prepare(game, state, Depth(1))
        self._game, self._state, self._at_least = game, state, at_least
        self._bound = ceil(at_least)  # margins are whole numbers
        self.table = np.zeros(entries * kernels.ENTRY_WORDS, np.int64)
        fields |= {"entries": entries, "table": self.table.ctypes.data}
        self.workspace = Workspace(state, **fields)

    @property
    def expansions(self) -> int:
        """The number of nodes expanded so far."""
        return int(self.workspace.words[PLACES["expanded"]])

    @property
    def checksum(self) -> int:
        """The checksum of the visits: positions and limits."""
        return int(self.workspace.words[PLACES["checksum"]]) & MASK

    def run(self, most_expanded: int) -> bool:
        """Search from the root; return whether the limit of nodes ended the search."""
        self.workspace.words[PLACES["limit"]] = most_expanded
        infinite, address = kernels.INFINITE, self.workspace.address
        return bool(kernels.kernel()(self._root, infinite, infinite, self._bound, address))

    def look_up(self, state: State) -> tuple[int, int]:
        """Return the proof and disproof number of a position."""
        position = (state.player, *pack(state))
        pn, dn = kernels.probe_kernel()(position, self._bound, self.workspace.address)
        return pn, dn

    def result(self) -> Result:
        """Return the result of the search so far."""
        claims: dict[tuple[int, int], Claim] = {PROVED: "at least", DISPROVED: "less than"}
        claim = claims.get(self.look_up(self._state), "unknown")
        generated, expanded, visited = (
            int(self.workspace.words[PLACES[name]]) for name in ("generated", "expanded", "entered")
        )
        counts = Counts(generated, expanded, visited=visited)
        return Result(self._at_least, tuple(self._follow()), counts, claim)

    def _follow(self) -> list[Any]:
        """Return the moves from a proved or disproved root along the proof."""
        state, line = self._state, list[Any]()
        proof = self.look_up(state)
        if proof not in (PROVED, DISPROVED):
            return line
        while not self._game.is_over(state):
            children = {move: self._game.play(state, move) for move in self._game.moves(state)}
            moves = [move for move, child in children.items() if self.look_up(child) == proof]
            if not moves:
                return line
            line.append(moves[0])
            state = children[moves[0]]
        return line
