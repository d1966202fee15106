"""The loop of the searches that grow a tree: select, expand, evaluate, back up.

Russell & Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, figure 5.11, has it for
Monte Carlo tree search. A `Policy` makes any other search of it.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from reprlib import repr as short
from typing import Any, Protocol, cast

from kalahlab.evaluators import Evaluator, static_value, to_number
from kalahlab.games import Game
from kalahlab.search.arguments import check_no_chance, check_number, check_state
from kalahlab.search.growing.model import (
    Growth,
    GrowthCounts,
    GrowthObserver,
    Policy,
    TreeNode,
)
from kalahlab.search.growing.playouts import Playout, SplitMix
from kalahlab.search.limits import Clock, Limit, Nodes, Playouts, Seconds, check_kind
from kalahlab.search.model import Claim


@dataclass(slots=True)
class GrowingTree:
    """The tree of a search and what it has cost: nodes are made and counted only here.

    Attributes:
        game: The game.
        rng: The random numbers of the search.
        root: The root.
        max_player: The player that is MAX: the player to move at the root, unless the game has a
            `max_player`.
        values: The values that nodes got in this iteration, for MAX.
        generated, expanded, evaluated, visited, playouts, sows, looked: See `GrowthCounts`.
        iterations: The number of iterations so far.
        limit: How long the search runs; None in a tree that the engine grew.
    """

    game: Game
    rng: SplitMix
    root: TreeNode = field(init=False)
    max_player: int = field(init=False)
    values: dict[TreeNode, Any] = field(default_factory=dict)
    generated: int = 0
    expanded: int = 0
    evaluated: int = 0
    visited: int = 0
    playouts: int = 0
    sows: int = 0
    looked: int = 0
    iterations: int = 0
    limit: Limit | None = None

    def plant(self, state: Any) -> None:
        """Make the root."""
        self.max_player = getattr(self.game, "max_player", state.player)
        maximizing = state.player == self.max_player
        self.root = TreeNode(0, None, None, state, maximizing, self.game.is_over(state), 0)

    def expand(self, node: TreeNode) -> None:
        """Make all children of a node, in the game's order of moves."""
        player = node.state.player
        children = list[TreeNode]()
        for move in self.game.moves(node.state):
            state = self.game.play(node.state, move)
            maximizing = node.maximizing
            if state.player != player:  # else the same player chooses again
                maximizing = not maximizing
            self.generated += 1
            is_over = self.game.is_over(state)
            child = TreeNode(self.generated, node, move, state, maximizing, is_over, node.sows + 1)
            children.append(child)
        node.children = children
        self.expanded += 1

    def margin(self, state: Any) -> float:
        """Return the margin of a finished game for MAX."""
        return check_number("the margin is", self.game.margin(state, self.max_player))

    def peek_value(self, node: TreeNode, evaluator: Evaluator) -> float:
        """Return the value of a node for MAX: the margin if the game is over, else static."""
        if node.is_over:
            return self.margin(node.state)
        return static_value(evaluator, node.state.board, node.state.player, self.max_player)

    def value_leaf(self, node: TreeNode, leaf: "Evaluator | Playout") -> float:
        """Return the value of a leaf for MAX: its margin, its static value or that of a playout."""
        if node.is_over:
            return self.margin(node.state)
        if not isinstance(leaf, Playout):
            return self.peek_value(node, leaf)
        final, sows = leaf.play(self.game, node.state, self.rng)
        self.playouts += 1
        self.sows += sows
        return self.margin(final)

    def counts(self) -> GrowthCounts:
        """Return the counts so far."""
        return GrowthCounts(
            generated=self.generated,
            expanded=self.expanded,
            evaluated=self.evaluated,
            visited=self.visited,
            playouts=self.playouts,
            sows=self.sows,
            looked=self.looked,
        )


def select_child(policy: Policy, node: TreeNode) -> TreeNode:
    """Return the first child with the greatest appeal to the player who moves at the node."""
    maximizing, numbers = node.maximizing, node.numbers
    return max(
        node.children, key=lambda child: sum(policy.appeal(maximizing, numbers, child.numbers))
    )


def select(policy: Policy, root: TreeNode) -> list[TreeNode]:
    """Return the path from the root to a leaf of the tree, by the appeal of the children."""
    path = [root]
    while path[-1].children:
        path.append(select_child(policy, path[-1]))
    return path


def grow(
    policy: Policy,
    game: Game,
    state: Any,
    limit: Limit,
    observer: GrowthObserver | None = None,
    seed: int = 0,
    clock: Clock = time.monotonic,
) -> Growth:
    """Grow a tree from a state until the policy has its answer or the limit is reached.

    Args:
        policy: The policy. It may keep data of its own, so use a new one for each search.
        game: The game, such as Kalah(6, 4).
        state: The root.
        limit: How long to search. An iteration that runs when time is up is completed.
        observer: Called after each iteration.
        seed: The seed of the random numbers.
        clock: Returns the time in seconds.

    Raises:
        ValueError: The policy does not take this type of limit or returns something else than it
            must, or chance moves in the game.
    """
    check_state(state)
    check_no_chance(type(policy).__name__, game)
    check_kind(type(policy).__name__, limit, policy.limits)
    end = clock() + limit.s if isinstance(limit, Seconds) else None
    observer = observer or GrowthObserver()
    tree = GrowingTree(game, SplitMix(seed), limit=limit)
    tree.plant(state)
    policy.start(tree)
    _give_numbers(policy, tree, [tree.root])
    observer.start(tree, policy)
    while True:
        path = select(policy, tree.root)
        if policy.is_finished(path) or (end is not None and clock() >= end):
            break
        leaf = path[-1]
        expanded = leaf if not leaf.is_over and policy.should_expand(leaf) else None
        if not _has_room(limit, tree, expanded):
            break
        path = _iterate(policy, tree, path, expanded)
        observer.iterate(path, expanded, tree.values)
    value, claim, line = conclude(policy, tree)
    return Growth(value + 0, tuple(line), tree.counts(), claim, tree=tree)


def _iterate(
    policy: Policy, tree: GrowingTree, path: list[TreeNode], expanded: TreeNode | None
) -> list[TreeNode]:
    """Expand the leaf of a path, if asked to, give values and back them up.

    Returns:
        The path, to the child that got a value if there is one.
    """
    tree.iterations += 1
    tree.values = {}
    if expanded is not None:
        tree.expand(expanded)
        _give_numbers(policy, tree, expanded.children)
        if tree.expanded == 1:
            check_appeal(policy, expanded)
    if not policy.evaluates_children:
        leaf = path[-1] if expanded is None else select_child(policy, expanded)
        if policy.should_evaluate(leaf):
            if expanded is not None:
                path = [*path, leaf]
            value = policy.evaluate(tree, leaf)
            name = type(policy).__name__
            tree.values = {leaf: check_number(f"{name}.evaluate returns", value)}
            tree.evaluated += 1
    tree.visited += len(path)
    policy.back_up(path, tree.values)
    return path


def _give_numbers(policy: Policy, tree: GrowingTree, nodes: Sequence[TreeNode]) -> None:
    """Give new nodes their numbers, and before that their values if each child gets one."""
    if policy.evaluates_children:
        tree.values = {node: policy.evaluate(tree, node) for node in nodes}
        tree.evaluated += len(nodes)
    numbers = policy.make_numbers(tree, nodes)
    if not isinstance(numbers, Sequence) or len(numbers) != len(nodes):
        name = type(policy).__name__
        must = f"it must return a list with the numbers of {len(nodes)} nodes"
        raise ValueError(f"{name}.make_numbers returns {short(numbers)}; {must}")
    for node, node_numbers in zip(nodes, numbers, strict=True):
        node.numbers = node_numbers


def check_appeal(policy: Policy, node: TreeNode) -> None:
    """Raise ValueError if a policy does not give the appeal of children as a tuple of numbers."""
    for child in node.children:
        terms: Any = policy.appeal(node.maximizing, node.numbers, child.numbers)
        is_valid = isinstance(terms, tuple) and None not in map(to_number, terms)
        if not is_valid or not terms:
            name = type(policy).__name__
            must = "it must return a tuple of numbers"
            raise ValueError(f"{name}.appeal returns {short(terms)}; {must}")


def conclude(policy: Policy, tree: GrowingTree) -> tuple[float, Claim, Sequence[Any]]:
    """Return the answer of a policy; raise ValueError if it is not a value, a claim and a line."""
    answer: Any = policy.conclude(tree)
    if not isinstance(answer, tuple) or len(answer) != 3:
        name = type(policy).__name__
        must = "it must return a value, a claim and the moves of a line"
        raise ValueError(f"{name}.conclude returns {short(answer)}; {must}")
    value, claim, line = answer
    return check_number(f"{type(policy).__name__}.conclude returns the value", value), claim, line


def _has_room(limit: Limit, tree: GrowingTree, expanded: TreeNode | None) -> bool:
    """Return whether the limit allows one more iteration, which expands this node, if any."""
    if isinstance(limit, Playouts):
        return tree.iterations < limit.n
    if isinstance(limit, Nodes) and expanded is not None:
        new_nodes = len(tree.game.moves(expanded.state))
        return 1 + tree.generated + new_nodes <= limit.n
    return True


class GrowingSearch(Protocol):
    """The call of a search that grows a tree; `growing_search` makes one from a policy."""

    policy: type[Policy]

    def __call__(
        self,
        game: Game,
        state: Any,
        evaluator: "Evaluator | Playout",
        limit: Limit,
        observer: GrowthObserver | None = None,
        seed: int = 0,
        clock: Clock = time.monotonic,
        **options: Any,
    ) -> Growth: ...


def to_growing_search(search: "GrowingSearch | type[Policy]") -> GrowingSearch:
    """Return a search unchanged, and for a class of a policy the search by this policy."""
    if isinstance(search, type):
        return growing_search(search, search.__name__)
    return search


def growing_search(policy_class: type[Policy], name: str) -> GrowingSearch:
    """Return the search that grows a tree by a policy.

    The search is called with a game, a state, what values a leaf (an evaluator or a `Playout`), a
    limit, and perhaps an observer, a seed and the options of the policy. It returns a `Growth`.

    Args:
        policy_class: The class of the policy; it is called with the evaluator and the options.
        name: The name of the search.
    """

    def search(
        game: Game,
        state: Any,
        evaluator: "Evaluator | Playout",
        limit: Limit,
        observer: GrowthObserver | None = None,
        seed: int = 0,
        clock: Clock = time.monotonic,
        **options: Any,
    ) -> Growth:
        make_policy: Callable[..., Policy] = policy_class
        policy = make_policy(evaluator, **options)
        return grow(policy, game, state, limit, observer, seed, clock)

    search.__name__ = search.__qualname__ = name
    search.__doc__ = policy_class.__doc__
    search.policy = policy_class  # type: ignore[attr-defined]
    return cast(GrowingSearch, search)
