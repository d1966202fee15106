"""The tree that a search walks, and the decorators that turn algorithms into searches.

All counting and all calls of observers are here. `Tree` counts children, leaves and answers from
the table; `@observable`, which wraps an algorithm's recursive function, counts visits and cutoffs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, update_wrapper, wraps
from inspect import signature
from random import Random
from typing import Any, Protocol, TypeVar

from kalahlab.evaluators import Evaluator, is_for_finished_games, static_value
from kalahlab.formatting import Reference
from kalahlab.games import Game, State
from kalahlab.search.arguments import (
    check_arguments,
    check_line,
    check_no_chance,
    check_number,
    check_result,
    explaining_errors,
    to_python,
)
from kalahlab.search.limits import Nodes, Seconds
from kalahlab.search.model import CHANCE, INF, Counts, DeepEnough, Line, Node, Result
from kalahlab.search.observer import Observer
from kalahlab.search.table import Table

T = TypeVar("T")

# (tree, node, children) -> the children in the order in which they are tried. `Any` is a `Tree`.
MoveOrdering = Callable[[Any, Node, Sequence[Node]], Sequence[Node]]
Order = MoveOrdering | type[Any]
"""A move order. An order that learns is a class: each search makes a fresh instance, whose
`on_cutoff` is called with each node that is cut off and the move that caused the cutoff."""


def pit_order(tree: "Tree", node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """Keep the order in which the game generates moves; in Kalah, pits from the mover's left."""
    return children


# the `on_cutoff` of an order that learns nothing
def ignore_cutoff(node: Node, move: Any) -> None: ...


def shuffled(state: State, items: Sequence[T], seed: int) -> list[T]:
    """Return the items in a random order that depends on the seed and the state only."""
    mixed = [*items]
    # Seeded by a text, because a `hash` may differ between processes.
    Random(f"{seed} {state}").shuffle(mixed)
    return mixed


@dataclass(frozen=True, slots=True)
class RandomTies:
    """A move order that breaks ties at random: it shuffles the moves of the root.

    A search chooses the first of the best moves. So each of the best moves is equally likely to be
    chosen, and no other move is. Below the root, `order` applies. If `order` is a class,
    `start_ordering` puts an instance in its place before the search begins.
    """

    order: Order = field(repr=False)
    seed: int

    def __call__(self, tree: "Tree", node: Node, children: Sequence[Node]) -> Sequence[Node]:
        if node.sows == 0:
            return shuffled(node.state, children, self.seed)
        return self.order(tree, node, children)

    def on_cutoff(self, node: Node, move: Any) -> None:
        learn = getattr(self.order, "on_cutoff", ignore_cutoff)
        learn(node, move)


def start_ordering(order: Order) -> MoveOrdering:
    """Make the ordering for a new search; an order that learns starts with nothing learned."""
    if isinstance(order, RandomTies):
        return replace(order, order=start_ordering(order.order))
    ordering: MoveOrdering = order() if isinstance(order, type) else order
    return ordering


class Successors(list[Node]):
    """The children of a node, in a list that notices whether a loop over it reaches the end.

    Attributes:
        exhausted: True once a loop has reached the end. False if the search left the loop early.
    """

    __slots__ = ("exhausted",)

    def __init__(self, children: Iterable[Node] = ()) -> None:
        super().__init__(children)
        self.exhausted = False

    def __iter__(self) -> Iterator[Node]:
        yield from super().__iter__()
        self.exhausted = True


@dataclass(slots=True)
class Frame:
    """The progress of one visit of a node, from entering it to leaving it.

    Attributes:
        children: The children of the node; None until it is expanded.
        tried: The number of children that were entered, in any order.
        last_left: The node whose visit, called by this one, ended last; None if there was none. It
            is a child, but for MTD(f), which visits the root by passes over the root.
    """

    children: Successors | None = None
    tried: int = 0
    last_left: Node | None = None

    def is_cut(self, has_reached_bound: bool) -> bool:
        """Return whether a search with a window cuts off the node that it is about to leave.

        Args:
            has_reached_bound: True if the value that the search returns has reached the bound of
                the window at which the player to move cuts off.
        """
        if self.children is None or self.last_left is None:
            return False
        # A loop that reaches its end may have skipped children. That alone is no cutoff: the search
        # cuts off only if its value has reached the bound.
        has_left_loop = not self.children.exhausted
        has_unvisited_children = self.tried < len(self.children)
        return has_unvisited_children and (has_left_loop or has_reached_bound)


@dataclass(slots=True)
class Counter:
    """The counts of a running search, as `Counts` defines them.

    Attributes:
        on_cutoff: Called with each node that is cut off and the move that caused the cutoff.
        on_visit: Called with this counter after each visit; may raise to end the search.
        generated, expanded, evaluated, cutoffs, recalled: See `Counts`.
        entered: The number of nodes entered; see `Counts.visited`.
        first: The node that was entered first.
        frame: The frame of the visit that is running. Before and after all visits it is a frame of
            no node, for an algorithm that itself expands the root.
    """

    on_cutoff: Callable[[Node, Any], None] = field(default=ignore_cutoff, repr=False)
    on_visit: "Callable[[Counter], None] | None" = field(default=None, repr=False)
    generated: int = 0
    expanded: int = 0
    evaluated: int = 0
    cutoffs: int = 0
    recalled: int = 0
    entered: int = 0
    first: Node | None = None
    frame: Frame = field(default_factory=Frame)

    @property
    def answers(self) -> int:
        """The number of nodes expanded, evaluated or recalled so far."""
        return self.expanded + self.evaluated + self.recalled

    @property
    def spent(self) -> int:
        """The number of nodes visited so far, to compare with a limit.

        Usually each node that is entered is then expanded, evaluated or recalled, and `answers` is
        this number. But a user's search may enter nodes and do none of these; then the nodes
        entered count. One of them does not count: the latest, which may still be expanded, or in
        MTD(f) the root, whose passes count in its place.
        """
        return max(self.answers, self.entered - 1)

    def enter(self, node: Node) -> Frame:
        """Count a visit of a node and return the frame of the visit."""
        if self.first is None:
            self.first = node
        self.entered += 1
        if self.on_visit is not None:
            self.on_visit(self)
        self.frame = Frame()
        return self.frame

    def count_cutoff(self, node: Node) -> None:
        child = self.frame.last_left
        assert child is not None, "a cutoff is caused by the value of a child"
        self.cutoffs += 1
        self.on_cutoff(node, child.move)

    def counts(self) -> Counts:
        """Return the counts so far."""
        visited = self.entered
        if self.first is None:  # the algorithm is not `@observable`, so no node was entered
            visited = self.answers
        return Counts(
            self.generated, self.expanded, self.evaluated, self.cutoffs, self.recalled, visited
        )


@dataclass(frozen=True, slots=True)
class Tree:
    """The tree that a search walks.

    The methods `static`, `deep_enough` and `successors` are Rich & Knight's STATIC, DEEP-ENOUGH and
    MOVE-GEN.
    """

    game: Game
    evaluator: Evaluator = field(repr=False)
    deep_enough_at: DeepEnough = field(repr=False)
    order: MoveOrdering = field(repr=False)
    root: Node
    observer: Observer | None = None
    counter: Counter = field(default_factory=Counter)
    table: Table = field(default_factory=Table)

    @property
    def max_player(self) -> int:
        """The player that is MAX."""
        max_player: int = getattr(self.game, "max_player", self.root.state.player)
        return max_player

    def is_chance(self, node: Node) -> bool:
        """Return whether chance moves at a node."""
        return bool(node.state.player == CHANCE)

    def value_range(self) -> tuple[float, float]:
        """Return the least and the greatest value that a node can have.

        They are infinite in a game without chance, where no search needs them.

        Raises:
            ValueError: The game does not know them.
        """
        if not getattr(self.game, "has_chance", False):
            return -INF, INF
        find_range = getattr(self.game, "value_range", None)
        if find_range is None:
            name = type(self.game).__name__
            raise ValueError(f"{name} has no value_range, which star1 needs; use expectiminimax")
        least, greatest = find_range()
        return float(least), float(greatest)

    def probability(self, node: Node, child: Node) -> float:
        """Return the probability with which chance moves from a node to its child."""
        game: Any = self.game
        return float(game.probability(node.state, child.move))

    def deep_enough(self, node: Node) -> bool:
        # The leaf rule is called first, also for finished games: the leaf rule of `deepening` reads
        # the clock in every call.
        return self.deep_enough_at(node) or self.game.is_over(node.state)

    def spent(self, more: int = 1) -> bool:
        """Return whether the limit of the search leaves no room for `more` nodes, or no time.

        A loop of a user's search asks this and ends, as in `while not tree.spent(2)`, if it visits
        up to two nodes a round. A depth is no such limit: under a depth this is never true.
        """
        is_spent = getattr(self.deep_enough_at, "is_spent", None)
        return is_spent is not None and is_spent(self.counter, more)

    def static(self, node: Node) -> float:
        """Return the value of a leaf for MAX, and count the evaluation."""
        self.counter.evaluated += 1
        if self.counter.on_visit is not None:
            self.counter.on_visit(self.counter)
        return self.peek_value(node)

    def peek_value(self, node: Node) -> float:
        """Return the value of a node for MAX without counting it; used for move ordering."""
        max_player = self.max_player
        if self.game.is_over(node.state) and not is_for_finished_games(self.evaluator):
            margin = self.game.margin(node.state, max_player)
            if type(margin) is int:  # the usual case, without a call
                return margin
            return check_number("the margin is", margin)
        return static_value(self.evaluator, node.state.board, node.state.player, max_player)

    def successors(self, node: Node) -> Sequence[Node]:
        """Make the children of a node and return them in the order in which to try them."""
        game, state, counter = self.game, node.state, self.counter
        player, sows = state.player, node.sows + 1
        max_player = self.max_player
        generated = []
        for move in game.moves(state):
            after = game.play(state, move)
            turns = node.turns if after.player == player else node.turns + 1
            generated.append(Node(after, move, after.player == max_player, sows, turns))
        ordered = self.order(self, node, generated)
        children = Successors(ordered)
        frame = counter.frame
        # A search may expand a node twice. Then only what it does after this counts.
        frame.children, frame.tried, frame.last_left = children, 0, None
        counter.expanded += 1
        counter.generated += len(children)
        if counter.on_visit is not None:
            counter.on_visit(counter)
        if self.observer is not None:
            # not `children`, which a loop of the observer would exhaust
            self.observer.expand(node, ordered)
        return children

    def probe(self, node: Node, alpha: float, beta: float) -> Line | None:
        """Return the line that the table has for the node and window; None if it has none.

        The line is counted as recalled.
        """
        line = self.table.probe(node, alpha, beta)
        if line is not None:
            self.counter.recalled += 1
            if self.counter.on_visit is not None:
                self.counter.on_visit(self.counter)
            if self.observer is not None:
                self.observer.recall(node)
        return line


# (tree, node[, alpha, beta]) -> the line of the node
Search = Callable[..., Line]


def observable(search: Search, from_mover: bool = False) -> Search:
    """Count the visits of a search (tree, node[, alpha, beta]) and pass them to the observer.

    A search cuts a node off if it does not visit all children, and either leaves its loop over
    `tree.successors(node)` or returns a value that reaches the window. Without a window it never
    cuts off.

    Args:
        search: The recursive function of an algorithm.
        from_mover: True for negamax notation, where MIN's window and value are MAX's negated.
    """
    _check_parameters(search)
    has_window = search.__code__.co_argcount == 4  # minimax takes only a tree and a node
    bound = f"{search.__name__} is given the bound"

    @wraps(search)
    def visit(tree: Tree, node: Node, alpha: float = -INF, beta: float = INF) -> Line:
        counter, observer = tree.counter, tree.observer
        negated = from_mover and not node.maximizing
        if observer is not None:
            low, high = (-beta, -alpha) if negated else (alpha, beta)
            observer.enter(node, check_number(bound, low), check_number(bound, high))
        frame_above = counter.frame
        frame = counter.enter(node)
        if frame_above.last_left is not node:  # else it is searched again, in a wider window
            frame_above.tried += 1
        line = search(tree, node, alpha, beta) if has_window else search(tree, node)
        line = check_line(search.__name__, line)
        if has_window and frame.children:
            has_reached_bound = _reaches_bound(node, line.value, alpha, beta, from_mover)
            if frame.is_cut(has_reached_bound):
                counter.count_cutoff(node)
                if observer is not None:
                    observer.cut(node)
        if frame.last_left is node:  # the passes over this node were counted in its place
            counter.entered -= 1
        counter.frame = frame_above
        frame_above.last_left = node
        if observer is not None:
            observer.leave(node, -line.value if negated else line.value)
        # The search of a parent negates a child's value. For the root nothing above does.
        if negated and node is tree.root:
            return Line(-line.value, line.path)
        return line

    return visit


def _reaches_bound(node: Node, value: float, alpha: float, beta: float, from_mover: bool) -> bool:
    """Return whether a value lies where a search with this window may cut the node off."""
    if node.state.player == CHANCE:
        return not alpha < value < beta
    if node.maximizing or from_mover:
        return value >= beta
    return value <= alpha


# Parameters that users often give a search, and for each what to use instead.
KNOWN_BY_NODE = dict.fromkeys(
    ("maximizing", "maximize", "is_max", "is_maximizing", "maximizing_player", "player", "color"),
    "node.maximizing says whose turn it is",
)
KNOWN_BY_NODE |= dict.fromkeys(
    ("depth", "ply", "limit", "deep_enough"), "tree.deep_enough(node) says where to stop"
)


def _check_parameters(search: Callable[..., Any]) -> None:
    """Raise TypeError for wrong parameters of a search, with a hint on how to do without them."""
    names = search.__code__.co_varnames[: search.__code__.co_argcount]
    if len(names) in (2, 4):  # without or with a window, by any names
        return
    message = f"{search.__name__} must take (tree, node[, alpha, beta]), not ({', '.join(names)})"
    surplus = [name for name in names[2:] if name not in ("alpha", "beta")]
    if surplus:
        name = surplus[0]
        hint = KNOWN_BY_NODE.get(name)
        if hint is None:
            hint = f"keep {name} in tree.table, or define {search.__name__} within the function "
            hint += f"that has {name}, with @observable above it"
        message += f"; {hint}"
    raise TypeError(f"@observable: {message}")


observable_from_mover = partial(observable, from_mover=True)


class Searcher(Protocol):
    """The call of a search; `@searcher` makes one from an algorithm."""

    def __call__(
        self,
        game: Game,
        state: State,
        evaluator: Evaluator,
        deep_enough: DeepEnough | Nodes | Seconds,
        order: Order = ...,
        observer: Observer | None = None,
    ) -> Result: ...


CALL = """
    Args:
        game: The game, such as Kalah(6, 4).
        state: The root, such as game.start().
        evaluator: A function (board, player) -> number.
        deep_enough: A function of a node that decides where to stop, such as Depth(6). With
            Nodes(5000) or Seconds(1), the search is repeated to depth 1, 2, 3, ..., and the result
            is that of the last depth that is complete, with the counts of all of them.
        order: The move order.
        observer: Called at each node.

    Returns:
        A `Result`: value, move, line, counts. Pits count from 0 in Python, from 1 on the command
        line.
"""


def takes_chance(algorithm: Callable[[Tree], Line]) -> Callable[[Tree], Line]:
    """Mark an algorithm that searches positions in which chance moves; return it."""
    algorithm.takes_chance = True  # type: ignore[attr-defined]
    return algorithm


def searcher(algorithm: Callable[[Tree], Line]) -> Searcher:
    """Turn an algorithm over a `Tree` into a search of a game and a state that counts its nodes.

    Raises:
        TypeError: The algorithm has other parameters than the tree.
    """
    try:
        signature(algorithm).bind("tree")  # fails unless one argument, the tree, is enough
    except TypeError:
        raise TypeError(f"@searcher: {algorithm.__name__} must take (tree)") from None

    name = algorithm.__name__
    module = algorithm.__module__ or ""  # None for a function that `exec` made
    is_from_kalahlab = module.startswith("kalahlab.")

    def search(
        game: Game,
        state: State,
        evaluator: Evaluator,
        deep_enough: DeepEnough | Nodes | Seconds,
        order: Order = pit_order,
        observer: Observer | None = None,
    ) -> Result:
        check_arguments(f"{name}(", game, state, evaluator, deep_enough, order)
        if not getattr(algorithm, "takes_chance", False):
            check_no_chance(name, game)
        if isinstance(deep_enough, Nodes | Seconds):
            # Imported here, as `deepening` calls searches, and so imports this module.
            from kalahlab.search.deepening import combine_results, deepening_within

            limited = (game, state, evaluator, deep_enough, order, observer)
            return combine_results([*deepening_within(search, *limited)])
        with explaining_errors(f"{name}(", game, state, evaluator):
            result = _run(algorithm, game, state, evaluator, deep_enough, order, observer)
            if is_from_kalahlab:  # only a user's algorithm can return a wrong result
                return result
            return check_result(name, game, state, result)

    # help() and notebooks show this signature. It has the default order by its name, because the
    # `repr` of a function has an address, which differs between runs.
    own_signature = signature(search)
    parameters = dict(own_signature.parameters)
    parameters["order"] = parameters["order"].replace(default=Reference(pit_order))
    update_wrapper(search, algorithm)
    search.__doc__ = f"{algorithm.__doc__ or ''}\n{CALL}"
    shown_signature = own_signature.replace(parameters=[*parameters.values()])
    search.__signature__ = shown_signature  # type: ignore[attr-defined]
    return search


def _run(
    algorithm: Callable[[Tree], Line],
    game: Game,
    state: State,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order,
    observer: Observer | None,
) -> Result:
    """Run an algorithm on the tree of a state, and count its nodes."""
    ordering = start_ordering(order)
    on_visit = getattr(deep_enough, "on_visit", None)  # only a leaf rule that limits nodes has it
    counter = Counter(getattr(ordering, "on_cutoff", ignore_cutoff), on_visit)
    # In a game without a `max_player`, MAX is the player to move at the root.
    max_player = getattr(game, "max_player", state.player)
    root = Node(state, None, state.player == max_player, sows=0, turns=0)
    line = algorithm(Tree(game, evaluator, deep_enough, ordering, root, observer, counter))
    if counter.first is not None and counter.first.move is not None:
        # The node entered first was reached by a move, so it is not the root. The algorithm itself
        # expanded the root, and `@observable` did not count it.
        counter.entered += 1
    value, path = check_line(algorithm.__name__, line)
    # + 0 turns the -0.0 of a negated draw into 0
    return Result(value + 0, tuple(map(to_python, path)), counter.counts())
