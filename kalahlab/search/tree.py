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

from kalahlab.evaluators import Evaluator, static_value
from kalahlab.formatting import Reference
from kalahlab.games import Game, State
from kalahlab.search.arguments import (
    check_arguments,
    check_line,
    check_number,
    check_result,
    explaining_errors,
    to_python,
)
from kalahlab.search.model import INF, Counts, DeepEnough, Line, Node, Result
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
    chosen, and no other move is. Below the root, `order` applies.
    """

    order: Order = field(repr=False)
    seed: int

    def __call__(self, tree: "Tree", node: Node, children: Sequence[Node]) -> Sequence[Node]:
        if node.sows == 0:
            return shuffled(node.state, children, self.seed)
        return self.order(tree, node, children)

    def on_cutoff(self, node: Node, move: Any) -> None:
        getattr(self.order, "on_cutoff", ignore_cutoff)(node, move)


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


NO_CHILDREN = Successors()
# After `counter.latest = None` a type checker would believe that `latest` stays None. It does not
# believe this after `counter.latest = NO_NODE`.
NO_NODE: Node | None = None


@dataclass(slots=True)
class Counter:
    """The counts of a running search, as `Counts` defines them.

    Attributes:
        on_cutoff: Called with each node that is cut off and the move that caused the cutoff.
        on_visit: Called with this counter after each visit; may raise to end the search.
        generated, expanded, evaluated, cutoffs, recalled: See `Counts`.
        entered: The number of nodes entered; see `Counts.visited`.
        first: The node that was entered first.
        children: The children of the node that is being searched; empty until it is expanded.
        tried: The number of those children that were entered, in any order.
        latest: Of the node that is being searched, the child that was left last; None if none was.
            It is the node itself after a pass of an algorithm that searches in passes, as MTD(f).
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
    children: Successors = field(default_factory=Successors)
    tried: int = 0
    latest: Node | None = None

    @property
    def spent(self) -> int:
        """The number of nodes visited so far.

        Usually each node that is entered is then expanded, evaluated or recalled. But a user's
        search may enter a node and do none of these. One entered node is left out: the latest one,
        which may still be expanded, or the node over which MTD(f) makes passes, which count.
        """
        finished = self.expanded + self.evaluated + self.recalled
        return max(finished, self.entered - 1)

    def is_cut(self, has_reached_bound: bool) -> bool:
        """Return whether a search with a window cuts off the node that it is about to leave.

        Args:
            has_reached_bound: True if the value that the search returns has reached the bound of
                the window at which the player to move cuts off.
        """
        is_partly_visited = self.latest is not None and self.tried < len(self.children)
        has_left_loop = not self.children.exhausted
        return is_partly_visited and (has_reached_bound or has_left_loop)

    def count_cutoff(self, node: Node) -> None:
        assert self.latest is not None, "a cutoff is caused by the value of a child"
        self.cutoffs += 1
        self.on_cutoff(node, self.latest.move)

    def counts(self) -> Counts:
        """Return the counts so far."""
        visited = self.entered
        if self.first is None:  # no `@observable` counted visits
            visited = -1  # `Counts` computes them
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

    def deep_enough(self, node: Node) -> bool:
        # The leaf rule is called first, also for finished games: the leaf rule of `deepening` reads
        # the clock in every call.
        return self.deep_enough_at(node) or self.game.is_over(node.state)

    def static(self, node: Node) -> float:
        """Return the value of a leaf for MAX, and count the evaluation."""
        self.counter.evaluated += 1
        if self.counter.on_visit is not None:
            self.counter.on_visit(self.counter)
        return self.peek_value(node)

    def peek_value(self, node: Node) -> float:
        """Return the value of a node for MAX without counting it; used for move ordering."""
        max_player = self.root.state.player
        if not self.root.maximizing:  # only in a game with a `max_player` does MIN move at the root
            max_player = 1 - max_player
        if self.game.is_over(node.state):
            margin = self.game.margin(node.state, max_player)
            if type(margin) is int:  # the usual case, without a call
                return margin
            return check_number("the margin is", margin)
        return static_value(self.evaluator, node.state.board, node.state.player, max_player)

    def successors(self, node: Node) -> Sequence[Node]:
        """Make the children of a node and return them in the order in which to try them."""
        game, state, counter = self.game, node.state, self.counter
        player, sows = state.player, node.sows + 1
        generated = []
        for move in game.moves(state):
            after = game.play(state, move)
            if after.player == player:
                child = Node(after, move, node.maximizing, sows, node.turns)
            else:
                child = Node(after, move, not node.maximizing, sows, node.turns + 1)
            generated.append(child)
        ordered = self.order(self, node, generated)
        children = Successors(ordered)
        counter.children, counter.tried, counter.latest = children, 0, None
        counter.expanded += 1
        if counter.on_visit is not None:
            counter.on_visit(counter)
        counter.generated += len(children)
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
    windowless = search.__code__.co_argcount == 2  # like minimax

    @wraps(search)
    def visit(tree: Tree, node: Node, alpha: float = -INF, beta: float = INF) -> Line:
        counter, observer = tree.counter, tree.observer
        negated = from_mover and not node.maximizing
        if observer is not None:
            window = (-beta, -alpha) if negated else (alpha, beta)
            bound = f"{search.__name__} is given the bound"
            observer.enter(node, *(check_number(bound, end) for end in window))
        if counter.first is None:
            counter.first = node
        counter.entered += 1
        if counter.on_visit is not None:
            counter.on_visit(counter)
        # So far the counter describes the node above; at the end it does so again.
        siblings, tried = counter.children, counter.tried
        if counter.latest is not node:  # else the node is searched again, in a wider window
            tried += 1
        counter.children, counter.tried, counter.latest = NO_CHILDREN, 0, NO_NODE
        line = search(tree, node) if windowless else search(tree, node, alpha, beta)
        line = check_line(search.__name__, line)
        if counter.children and not windowless:
            cuts_at_beta = node.maximizing or from_mover
            if counter.is_cut(line.value >= beta if cuts_at_beta else line.value <= alpha):
                counter.count_cutoff(node)
                if observer is not None:
                    observer.cut(node)
        if counter.latest is node:  # passes over this node were made and counted instead
            counter.entered -= 1
        counter.children, counter.tried, counter.latest = siblings, tried, node
        if observer is not None:
            observer.leave(node, -line.value if negated else line.value)
        if negated and node is tree.root:  # an algorithm returns the value of the root for MAX
            return Line(-line.value, line.path)
        return line

    return visit


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
        deep_enough: DeepEnough,
        order: Order = ...,
        observer: Observer | None = None,
    ) -> Result: ...


CALL = """
    Args:
        game: The game, such as Kalah(6, 4).
        state: The root, such as game.start().
        evaluator: A function (board, player) -> number.
        deep_enough: A function of a node that decides where to stop, such as Depth(6).
        order: The move order.
        observer: Called at each node.

    Returns:
        A `Result`: value, move, line, counts. Pits count from 0 in Python, from 1 on the command
        line.
"""


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

    def search(
        game: Game,
        state: State,
        evaluator: Evaluator,
        deep_enough: DeepEnough,
        order: Order = pit_order,
        observer: Observer | None = None,
    ) -> Result:
        check_arguments(f"{name}(", game, state, evaluator, deep_enough, order)
        with explaining_errors(f"{name}(", game, state, evaluator):
            result = _run(algorithm, game, state, evaluator, deep_enough, order, observer)
            # Only a user's algorithm can return a wrong result. `__module__` may be None.
            if f"{algorithm.__module__}".startswith("kalahlab."):
                return result
            return check_result(name, game, state, result)

    # help() and notebooks show this signature. It has the default order by its name, because the
    # `repr` of a function has an address, which differs between runs.
    own_signature = signature(search)
    shown_order = own_signature.parameters["order"].replace(default=Reference(pit_order))
    parameters = [*(own_signature.parameters | {"order": shown_order}).values()]
    update_wrapper(search, algorithm).__doc__ = f"{algorithm.__doc__ or ''}\n{CALL}"
    search.__signature__ = own_signature.replace(parameters=parameters)  # type: ignore[attr-defined]
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
    # Usually MAX is the player to move at the root.
    maximizing = state.player == getattr(game, "max_player", state.player)
    root = Node(state, None, maximizing, sows=0, turns=0)
    line = algorithm(Tree(game, evaluator, deep_enough, ordering, root, observer, counter))
    if counter.first is not None and counter.first.move is not None:
        # The first visit was not of the root: the algorithm itself expanded the root.
        counter.entered += 1
    value, path = check_line(algorithm.__name__, line)
    # + 0 turns the -0.0 of a negated draw into 0
    return Result(value + 0, tuple(map(to_python, path)), counter.counts())
