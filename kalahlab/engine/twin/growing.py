"""Compiled UCT, PUCT and implicit minimax: the kernel's arguments, and the tree that it grows."""

import struct
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from kalahlab.engine.lanes import LANES
from kalahlab.engine.packed import fits
from kalahlab.engine.twin import growth_kernel as kernels
from kalahlab.engine.twin.leaf_value import NotCompiled, leaf_value_address
from kalahlab.engine.twin.search import check_known, prepare, warn_once
from kalahlab.engine.twin.workspace import MASK, MULTIPLIER, Workspace
from kalahlab.evaluators import BadEvaluator, Evaluator
from kalahlab.evaluators.kalah import store_difference
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import Kalah, State, pits_of
from kalahlab.games.supported import FAST, unknown_rule
from kalahlab.search.deep_enough import Depth
from kalahlab.search.growing import GROWING as TEXTBOOK
from kalahlab.search.growing import PLAYOUTS, Growth, Playout
from kalahlab.search.growing.implicit_minimax import ImplicitMinimax, MinimaxVisits
from kalahlab.search.growing.loop import GrowingTree
from kalahlab.search.growing.model import GrowthCounts, GrowthObserver, TreeNode
from kalahlab.search.growing.playouts import SplitMix
from kalahlab.search.growing.puct import PUCT, PriorVisits
from kalahlab.search.growing.uct import UCT, Visits
from kalahlab.search.limits import Clock, Limit, Playouts, Seconds, check_kind

TIMED_BATCH, BATCH = 64, 1 << 13  # iterations between two looks at the clock, or at the memory
MOST_AT_FIRST = 1 << 17  # iterations for which memory is reserved at the start


def grow(
    name: str,
    game: Any,
    state: Any,
    leaf: Evaluator | Playout,
    limit: Limit,
    seed: int = 0,
    clock: Clock = time.monotonic,
    **options: Any,
) -> Growth:
    """Grow the tree of the search in `kalahlab.search.growing` that has this name.

    The textbook takes over if the game is over and, after a `Note`, for an evaluator that cannot be
    compiled. A limit of time is looked at every `TIMED_BATCH` iterations.

    Raises:
        ValueError: Only the textbook can do such a search; the message names the reason.
    """
    check_known(game, state)
    if not is_packed(game, state, leaf):
        boards = "boards of up to 7 pits a side and 127 stones, without relays"
        raise ValueError(f"the engine grows trees of {boards}, by the playouts of PLAYOUTS")
    policy: Any = TEXTBOOK[name].policy
    policy = policy(leaf, **options)
    check_kind(type(policy).__name__, limit, policy.limits)
    if game.is_over(state):
        return TEXTBOOK[name](game, state, leaf, limit, None, seed, clock, **options)
    try:
        return _Run(policy, game, state, seed).grow(limit, clock)
    except NotCompiled:  # the warning was given
        pass
    except OverflowError as error:
        _, guide, _ = _find_kernel(policy)
        warn_once(leaf if callable(leaf) else guide or store_difference, f"{error}")
    except FloatingPointError:
        raise BadEvaluator("an evaluator returns nan; it must return a number") from None
    return TEXTBOOK[name](game, state, leaf, limit, None, seed, clock, **options)


def is_packed(game: Any, state: State, leaf: Any) -> bool:
    """Return whether the kernel knows positions and leaf values of a known game."""
    if isinstance(leaf, Playout) and leaf not in PLAYOUTS.values():
        return False
    return fits(state) and not game.rules.relay


class _Run:
    """A search that runs: its arrays and the arguments of the kernel."""

    def __init__(self, policy: UCT, game: Kalah, state: State, seed: int) -> None:
        pits = pits_of(state.board)
        fields, position = prepare(game, state, Depth(1))
        leaf: Any = policy.evaluator
        if leaf is not store_difference and not isinstance(leaf, Playout):
            fields["function"] = _compile_evaluator(leaf, pits)
        self.policy, self.game, self.state, self.pits = policy, game, state, pits
        self.workspace = Workspace(state, **fields)
        self.leaf = _leaf_kind(leaf, game)
        self.kernel, guide, self.weight = _find_kernel(policy)
        self.guide, self.root_guide = 0, 0.0
        if guide is not None and guide is not store_difference:
            self.guide = _compile_evaluator(guide, pits)
        if isinstance(policy, ImplicitMinimax):
            tree = GrowingTree(game, SplitMix(seed))
            tree.plant(state)
            self.root_guide = tree.peek_value(tree.root, policy.heuristic)
        elif isinstance(policy, PUCT):
            self.root_guide = 1.0
        self.iterations = 0
        self.seed, self.position = seed, position

    def grow(self, limit: Limit, clock: Clock) -> Growth:
        """Grow the tree until the limit is reached, and return the result."""
        end = clock() + limit.s if isinstance(limit, Seconds) else 0
        kernel = kernels.kernel(self.kernel)
        self._plant(limit)
        while True:
            count = TIMED_BATCH
            if isinstance(limit, Playouts):
                count = min(BATCH, limit.n - self.iterations)
            if count == 0 or (isinstance(limit, Seconds) and clock() >= end):
                break
            self._make_room(count * self.pits)
            arguments = self.leaf, float(self.policy.c), self.guide, float(self.weight)
            kernel(self.tree.address, count, *arguments, self.workspace.address)
            self.iterations += count
        return self._conclude()

    def _plant(self, limit: Limit) -> None:
        """Make the root."""
        iterations = BATCH
        if isinstance(limit, Playouts):
            iterations = min(limit.n, MOST_AT_FIRST)
        rows = Rows(1 + iterations * self.pits, self.pits)
        player, *words = self.position
        rows.boards[0], rows.links[0], rows.guides[0] = words, player, self.root_guide
        rows.visits[0] = rows.totals[0] = rows.means[0] = 0
        counts = dict.fromkeys(kernels.COUNTS, 0) | {"size": 1, "rng": self.seed & MASK}
        rows.words[-len(counts) :] = np.array([*counts.values()], np.uint64).astype(np.int64)
        self.tree = rows

    def _make_room(self, rows: int) -> None:
        """Replace the arrays by larger ones unless so many further nodes have room."""
        needed = self.tree.count("size") + rows
        if needed > self.tree.length:
            self.tree = self.tree.enlarge(max(needed, 2 * self.tree.length))

    def _conclude(self) -> Growth:
        """Return the result; see `conclude_by_visits`."""
        tree = PackedTree(self.game, self.state, self.tree, self.iterations, self.policy)
        count = self.tree.count
        line, state, node = list[Any](), self.state, 0
        while children := tree.children(node):
            visits = [int(self.tree.visits[child]) for child in children]
            if max(visits) == 0:
                break
            index = visits.index(max(visits))
            node = children[index]
            line.append(self.game.moves(state)[index])
            state = self.game.play(state, line[-1])
        numbers = tree.numbers(0)
        value = numbers.mean if numbers.n else 0
        growth_counts = GrowthCounts(
            generated=count("size") - 1,
            expanded=count("expanded"),
            evaluated=self.iterations,
            visited=count("visited"),
            playouts=count("playouts"),
            sows=count("sows"),
        )
        return Growth(value + 0, tuple(line), growth_counts, "estimate", tree=tree)


def _compile_evaluator(evaluator: Evaluator, pits: int) -> int:
    """Return the address of a compiled evaluator; warn before NotCompiled is raised."""
    try:
        return leaf_value_address(evaluator, pits)
    except NotCompiled as error:
        warn_once(evaluator, f"{error}")
        raise


class Rows(StableRepr):
    """The arrays of a tree, with room for so many nodes; memory is taken when it is first written.

    Args:
        length: The number of nodes.
        pits: The pits of a side.

    Attributes:
        words: The record of the tree; see `kernels.FIELDS`.
        address: The address of the record.
        length: The number of nodes.
        visits, totals, means, guides, links, boards: See `kernels.FIELDS`.
    """

    def __init__(self, length: int, pits: int) -> None:
        # The lanes of the last children end behind the last row.
        columns = np.empty((6 + kernels.BOARD_WORDS, length + LANES), np.int64)
        self.length, self.pits, self._columns = length, pits, columns
        self.visits, self.totals, self.means, self.guides = columns[:4].view(np.float64)
        self.links, self.boards = columns[4], columns[6:].reshape(-1, kernels.BOARD_WORDS)
        logs, choices = kernels.log_table(), kernels.choice_table(pits)
        first, stride = columns.ctypes.data, columns.strides[0]
        addresses = [first + column * stride for column in range(7)]
        numbers = [*addresses, logs.ctypes.data, len(logs), choices.ctypes.data, len(choices)]
        self.words = np.array(numbers + [0] * len(kernels.COUNTS))
        self.address: int = self.words.ctypes.data

    def count(self, name: str) -> int:
        """Return one of the counts by its name."""
        return int(self.words[kernels.FIELDS.index(name)])

    def enlarge(self, length: int) -> "Rows":
        """Return a copy with room for more nodes."""
        copy, size = Rows(length, self.pits), self.count("size")
        copy._columns[:6, :size] = self._columns[:6, :size]
        copy.boards[:size] = self.boards[:size]
        copy.words[-len(kernels.COUNTS) :] = self.words[-len(kernels.COUNTS) :]
        return copy


def _find_kernel(policy: UCT) -> tuple[int, Evaluator | None, float]:
    """Return the number of the kernel of a policy, the evaluator of its guides, and its weight."""
    if isinstance(policy, PUCT):
        return kernels.PUCT, policy.prior, policy.temperature
    if isinstance(policy, ImplicitMinimax):
        return kernels.IMPLICIT_MINIMAX, policy.heuristic, policy.alpha
    return kernels.UCT, None, 1.0


def _find_numbers(policy: UCT) -> Any:
    """Return the class of the numbers of a node."""
    if isinstance(policy, PUCT):
        return PriorVisits
    return MinimaxVisits if isinstance(policy, ImplicitMinimax) else Visits


def _leaf_kind(leaf: Any, game: Kalah) -> int:
    """Return the number by which the kernel knows what values a leaf."""
    if not isinstance(leaf, Playout):
        return kernels.STATIC
    if leaf == PLAYOUTS["extra_turn"]:
        return kernels.EXTRA_TURN
    return kernels.RANDOM if unknown_rule(game.rules, FAST) else kernels.FAST_RANDOM


class PackedTree(StableRepr):
    """The tree of a compiled search. Its nodes are made when `root` is first asked for.

    Attributes:
        game: The game.
        max_player: The player that is MAX.
        iterations: The number of iterations.
    """

    def __init__(self, game: Kalah, state: State, rows: Rows, iterations: int, policy: UCT) -> None:
        self.game, self.max_player, self.iterations = game, state.player, iterations
        self._state, self._rows, self._numbers = state, rows, _find_numbers(policy)

    @property
    def checksum(self) -> int:
        """The checksum of the paths and values; see `GrowthTranscript`."""
        return self._rows.count("checksum") & MASK

    def numbers(self, node: int) -> Visits | PriorVisits | MinimaxVisits:
        """Return the numbers of a node."""
        n, total = int(self._rows.visits[node]), float(self._rows.totals[node])
        if self._numbers is Visits:
            return Visits(n, total)
        guide = float(self._rows.guides[node])
        numbers: PriorVisits | MinimaxVisits = self._numbers(n, total, guide)
        return numbers

    def children(self, node: int) -> range:
        """Return the children of a node."""
        link = int(self._rows.links[node])
        first = link >> kernels.FIRST
        return range(first, first + ((link >> kernels.CHILDREN) & 15))

    @cached_property
    def root(self) -> TreeNode:
        """The root, with all nodes below."""
        is_over = self.game.is_over(self._state)
        root = TreeNode(0, None, None, self._state, True, is_over, 0, self.numbers(0))
        nodes = [root]
        for node in nodes:  # the list grows
            children = list[TreeNode]()
            for child, move in zip(self.children(node.id), self._moves(node), strict=True):
                children.append(self._make_child(child, node, move))
            node.children = children
            nodes += children
        return root

    def _moves(self, node: TreeNode) -> Sequence[Any]:
        """Return the moves to the children of a node."""
        return self.game.moves(node.state) if self.children(node.id) else ()

    def _make_child(self, child: int, parent: TreeNode, move: Any) -> TreeNode:
        """Return the node of a child."""
        state = self.game.play(parent.state, move)
        maximizing = state.player == self.max_player
        is_over = self.game.is_over(state)
        numbers = self.numbers(child)
        return TreeNode(child, parent, move, state, maximizing, is_over, parent.sows + 1, numbers)


class GrowthTranscript(GrowthObserver):
    """A checksum of the path and the value of each iteration, which kernels compute, too."""

    def __init__(self) -> None:
        self.checksum = 0

    def iterate(
        self, path: Sequence[TreeNode], expanded: TreeNode | None, values: Mapping[TreeNode, Any]
    ) -> None:
        (value_bits,) = struct.unpack("Q", struct.pack("d", values[path[-1]] + 0.0))
        for number in (*(node.id for node in path), value_bits):
            mixed = ((self.checksum + number) * MULTIPLIER) & MASK
            self.checksum = mixed ^ (mixed >> 32)
