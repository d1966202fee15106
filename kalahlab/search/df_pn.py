"""Df-pn: proof-number search without a tree, depth first and with a table.

Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", thesis, University of
Tokyo (2002); Kishimoto, Winands, Müller & Saito, "Game-tree search using proof numbers: the first
twenty years", *ICGA Journal* 35 (2012). The search stays below a node until its proof number or its
disproof number reaches a threshold. Then another node may have become the one to expand.
"""

import time
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import Any

from kalahlab.games import Game
from kalahlab.search.arguments import check_no_chance, check_state
from kalahlab.search.growing.proof_number import DISPROVED, PROVED, UNKNOWN, Proof
from kalahlab.search.limits import Clock, Nodes, Seconds, check_kind
from kalahlab.search.model import Claim, Counts, Result


def df_pn(
    game: Game,
    state: Any,
    limit: Nodes | Seconds,
    at_least: float = 1,
    clock: Clock = time.monotonic,
) -> Result:
    """Prove or disprove that MAX reaches a margin.

    Args:
        game: The game. Its positions must not repeat, as in Kalah.
        state: The root.
        limit: How many nodes to expand, or how long to search.
        at_least: The margin in stones.
        clock: Returns the time in seconds.

    Raises:
        ValueError: The limit is of another type, or chance moves in the game.

    Returns:
        A `Result` with the value `at_least` and the claim "at least", "less than" or "unknown".
    """
    check_state(state)
    check_no_chance("df_pn", game)
    check_kind("df_pn", limit, (Nodes, Seconds))
    max_player = getattr(game, "max_player", state.player)
    end = clock() + limit.s if isinstance(limit, Seconds) else inf
    max_nodes = limit.n if isinstance(limit, Nodes) else inf
    search = _Search(game, max_player, at_least, max_nodes, end, clock)
    with suppress(_LimitReached):
        search.visit(state, inf, inf)
    proof = search.look_up(state)
    claims: dict[Proof, Claim] = {PROVED: "at least", DISPROVED: "less than"}
    counts = Counts(search.generated, search.expanded, visited=search.visited)
    return Result(at_least, tuple(search.follow(state)), counts, claims.get(proof, "unknown"))


class _LimitReached(Exception): ...


@dataclass(slots=True)
class _Search:
    """A running search: the question, the limits, the table and the counts."""

    game: Game
    max_player: int
    at_least: float
    max_nodes: float
    end: float
    clock: Clock = field(repr=False)
    table: dict[Any, Proof] = field(default_factory=dict)
    generated: int = 0
    expanded: int = 0
    visited: int = 0

    def look_up(self, state: Any) -> Proof:
        """Return the proof and disproof number of a position, as far as they are known."""
        if self.game.is_over(state):
            margin = self.game.margin(state, self.max_player)
            return PROVED if margin >= self.at_least else DISPROVED
        return self.table.get(state, UNKNOWN)

    def visit(self, state: Any, pn_limit: float, dn_limit: float) -> None:
        """Search below a position until one of its numbers reaches its limit."""
        self.visited += 1
        if self.game.is_over(state):
            return
        children = self._expand(state)
        while True:
            proofs = [self.look_up(child) for child in children]
            proof = self._combine(state, proofs)
            self.table[state] = proof
            if proof.pn >= pn_limit or proof.dn >= dn_limit or 0 in proof:
                return
            if state.player == self.max_player:
                index, limits = select(proofs, proof, Proof(pn_limit, dn_limit))
            else:  # the same with both numbers exchanged
                swapped = [swap(child) for child in proofs]
                index, limits = select(swapped, swap(proof), Proof(dn_limit, pn_limit))
                limits = swap(limits)
            self.visit(children[index], *limits)

    def _expand(self, state: Any) -> list[Any]:
        if self.expanded >= self.max_nodes or self.clock() >= self.end:
            raise _LimitReached
        children = [self.game.play(state, move) for move in self.game.moves(state)]
        self.expanded += 1
        self.generated += len(children)
        return children

    def _combine(self, state: Any, proofs: list[Proof]) -> Proof:
        """Return the numbers of a node from those of its children."""
        pns, dns = zip(*proofs, strict=True)
        if state.player == self.max_player:
            return Proof(min(pns), sum(dns))
        return Proof(sum(pns), min(dns))

    def follow(self, state: Any) -> list[Any]:
        """Return the moves from a proved or disproved position along the proof."""
        line = list[Any]()
        proof = self.look_up(state)
        while proof in (PROVED, DISPROVED) and not self.game.is_over(state):
            for move in self.game.moves(state):
                child = self.game.play(state, move)
                if self.look_up(child) == proof:
                    line.append(move)
                    state = child
                    break
            else:
                return line
        return line


def swap(proof: Proof) -> Proof:
    """Exchange the proof number and the disproof number."""
    return Proof(proof.dn, proof.pn)


def select(proofs: list[Proof], proof: Proof, limits: Proof) -> tuple[int, Proof]:
    """Return the index of the child of an OR node to visit, and the limits of the visit.

    Args:
        proofs: The numbers of the children.
        proof: The numbers of the node.
        limits: The limits of the node.
    """
    pns = [child.pn for child in proofs]
    index = pns.index(min(pns))
    second = min(pns[:index] + pns[index + 1 :], default=inf)
    pn_limit = min(limits.pn, second + 1)
    dn_limit = limits.dn - (proof.dn - proofs[index].dn)
    return index, Proof(pn_limit, dn_limit)
