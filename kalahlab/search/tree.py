"""The tree that a search walks, and what makes a search of an algorithm that walks it.

All counting and all calls of observers are here: of children, leaves and answers from the
table as they are made, of visits by `@observable`, which wraps an algorithm's recursive function.
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
    called,
    check_line,
    check_number,
    check_result,
    to_python,
)
from kalahlab.search.model import INF, Counts, DeepEnough, Line, Node, Result
from kalahlab.search.observer import Observer
from kalahlab.search.table import Table

T = TypeVar("T")

# Puts a node's children into the order in which they are tried.
MoveOrdering = Callable[[Any, Node, Sequence[Node]], Sequence[Node]]
Order = MoveOrdering | type[Any]
"""A move order. One that learns is given as its class, of which each search makes a fresh one; its
`on_cutoff` is called with each node that is cut off and the move that did it."""


def pit_order(tree: "Tree", node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """As the game lists the moves: in Kalah, pits from the mover's left."""
    return children


def ignore_cutoff(node: Node, move: Any) -> None: ...


def shuffled(state: State, items: Sequence[T], seed: int) -> list[T]:
    """The items in one of their orders, all equally likely, as the seed and the state say."""
    mixed = [*items]
    Random(f"{seed} {state}").shuffle(mixed)
    return mixed


@dataclass(frozen=True, slots=True)
class RandomTies:
    """Breaks ties at random: the moves of the root are tried in a shuffled order.

    The first best move wins, so each of the equal best ones is as likely to be played, and no
    other. Below the root `order` holds.
    """

    order: Order = field(repr=False)
    seed: int

    def __call__(self, tree: "Tree", node: Node, children: Sequence[Node]) -> Sequence[Node]:
        if node.sows:
            return self.order(tree, node, children)
        return shuffled(node.state, children, self.seed)

    def on_cutoff(self, node: Node, move: Any) -> None:
        getattr(self.order, "on_cutoff", ignore_cutoff)(node, move)


def start_ordering(order: Order) -> MoveOrdering:
    """The ordering of a new search, which has learned nothing yet."""
    if isinstance(order, RandomTies):
        return replace(order, order=start_ordering(order.order))
    return order() if isinstance(order, type) else order


class Successors(list[Node]):
    """The children of a node as a search loops over them.

    exhausted: whether a loop over them came to its end; one that is left before says so by this.
    """

    __slots__ = ("exhausted",)

    def __init__(self, children: Iterable[Node] = ()) -> None:
        super().__init__(children)
        self.exhausted = False

    def __iter__(self) -> Iterator[Node]:
        yield from super().__iter__()
        self.exhausted = True


NO_CHILDREN = Successors()
NO_NODE: Node | None = None


@dataclass(slots=True)
class Counter:
    """The counts of a running search, as `Counts` defines them.

    on_visit: is called with these counts after each visit, and may raise to end the search.
    entered: how many nodes were, see `Counts.visited`. first: the node that was entered first.
    children: of the node that is being searched, none before it is expanded. tried: how many of
    them were entered, in whichever order. latest: the node that was left last.
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
        """The nodes visited so far; the last one entered may be none, if it is only a pass."""
        return max(self.expanded + self.evaluated + self.recalled, self.entered - 1)

    def is_cut(self, reached: bool) -> bool:
        """Return whether a search with a window leaves the node by it, with children not visited.

        Args:
            reached: Whether the value that it returns has reached the window.
        """
        early = self.latest is not None and self.tried < len(self.children)
        return early and (reached or not self.children.exhausted)

    def cut(self, node: Node) -> None:
        assert self.latest is not None, "a node is cut by what a child of it is worth"
        self.cutoffs += 1
        self.on_cutoff(node, self.latest.move)

    def counts(self) -> Counts:
        """Return the counts so far; if nothing is observed, `Counts` adds up what was visited."""
        visited = -1 if self.first is None else self.entered
        done = self.generated, self.expanded, self.evaluated, self.cutoffs, self.recalled
        return Counts(*done, visited)


@dataclass(frozen=True, slots=True)
class Tree:
    """The tree that a search walks: Rich & Knight's STATIC, DEEP-ENOUGH and MOVE-GEN."""

    game: Game
    evaluator: Evaluator = field(repr=False)
    deep_enough_at: DeepEnough = field(repr=False)
    order: MoveOrdering = field(repr=False)
    root: Node
    observer: Observer | None = None
    counter: Counter = field(default_factory=Counter)
    table: Table = field(default_factory=Table)

    def deep_enough(self, node: Node) -> bool:
        return self.deep_enough_at(node) or self.game.over(node.state)

    def static(self, node: Node) -> float:
        """What a leaf is worth to MAX."""
        self.counter.evaluated += 1
        if self.counter.on_visit is not None:
            self.counter.on_visit(self.counter)
        return self.look(node)

    def look(self, node: Node) -> float:
        """As `static`, uncounted: what an order sees in a child."""
        root = self.root
        max_player = root.state.player if root.maximizing else 1 - root.state.player
        if self.game.over(node.state):
            margin = self.game.margin(node.state, max_player)
            return margin if type(margin) is int else check_number("the margin is", margin)
        return static_value(self.evaluator, node.state.board, node.state.player, max_player)

    def successors(self, node: Node) -> Sequence[Node]:
        """The children, made and put into the order in which they are to be tried."""
        state, play = node.state, self.game.play
        player, maximizing, sows, turns = state.player, node.maximizing, node.sows + 1, node.turns
        made = []
        for move in self.game.moves(state):
            after = play(state, move)
            passed = after.player != player
            made.append(Node(after, move, maximizing != passed, sows, turns + passed))
        ordered, counter = self.order(self, node, made), self.counter
        children = Successors(ordered)
        counter.children, counter.tried, counter.latest = children, 0, None
        counter.expanded += 1
        if counter.on_visit is not None:
            counter.on_visit(counter)
        counter.generated += len(children)
        if self.observer is not None:
            self.observer.expand(node, ordered)
        return children

    def probe(self, node: Node, alpha: float, beta: float) -> Line | None:
        if (known := self.table.probe(node, alpha, beta)) is not None:
            self.counter.recalled += 1
            if self.counter.on_visit is not None:
                self.counter.on_visit(self.counter)
            if self.observer is not None:
                self.observer.recall(node)
        return known


Search = Callable[..., Line]


def observable(search: Search, from_mover: bool = False) -> Search:
    """Count the visits of a search (tree, node[, alpha, beta]) and pass them to the observer.

    A search with a window cuts a node if it leaves its loop over `tree.successors(node)` before the
    end, or if it returns a value that reaches the window, while children are not visited. A search
    without a window cuts nothing, whatever it leaves out.

    from_mover: in negamax notation, where MIN's window and value are MAX's negated.
    """
    if (count := search.__code__.co_argcount) not in (2, 4):
        raise TypeError(f"@observable: {_parameters_message(search)}")
    windowless = count == 2  # minimax's

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
        # a child that is searched again at once, in a wider window, is not another one
        siblings, tried = counter.children, counter.tried + (counter.latest is not node)
        counter.children, counter.tried, counter.latest = NO_CHILDREN, 0, NO_NODE
        line = search(tree, node) if windowless else search(tree, node, alpha, beta)
        line = check_line(search.__name__, line)
        if counter.children and not windowless:
            high = node.maximizing or from_mover
            if counter.is_cut(line.value >= beta if high else line.value <= alpha):
                counter.cut(node)
                if observer is not None:
                    observer.cut(node)
        if counter.latest is node:  # passes over it were made, which are its visits
            counter.entered -= 1
        counter.children, counter.tried, counter.latest = siblings, tried, node
        if observer is not None:
            observer.leave(node, -line.value if negated else line.value)
        # an algorithm hands on the value of the root as MAX sees it, even where MIN moves
        return Line(-line.value, line.path) if negated and node is tree.root else line

    return visit


# What a search need not be given, by what such a parameter is usually called.
KNOWN_BY_NODE = dict.fromkeys(
    ("maximizing", "maximize", "is_max", "is_maximizing", "maximizing_player", "player", "color"),
    "node.maximizing says whose turn it is",
)
KNOWN_BY_NODE |= dict.fromkeys(
    ("depth", "ply", "limit", "deep_enough"), "tree.deep_enough(node) says where to stop"
)


def _parameters_message(search: Callable[..., Any]) -> str:
    """Return what is wrong with the parameters of a search, and where to have what they are for."""
    taken = search.__code__.co_varnames[: search.__code__.co_argcount]
    message = f"{search.__name__} must take (tree, node[, alpha, beta]), not ({', '.join(taken)})"
    surplus = [name for name in taken[2:] if name not in ("alpha", "beta")]
    if not surplus:
        return message
    name = surplus[0]
    hint = KNOWN_BY_NODE.get(
        name,
        f"keep {name} in tree.table, or define {search.__name__} within the function that has "
        f"{name}, with @observable above it",
    )
    return f"{message}; {hint}"


observable_from_mover = partial(observable, from_mover=True)


class Searcher(Protocol):
    """A search as its users call it; what `@searcher` makes of an algorithm."""

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
    game, state: such as Kalah(6, 4) and its start(). evaluator: (board, player) -> number.
    deep_enough: where to stop, such as Depth(6). order: which move is tried first. observer: is
    called at each node. Gives a `Result`: value, move, line, counts. Pits count from 0 in Python,
    from 1 on the command line.
"""


def searcher(algorithm: Callable[[Tree], Line]) -> Searcher:
    """Make an algorithm over a `Tree` callable on a game and a state, and count it."""
    try:
        signature(algorithm).bind("tree")
    except TypeError:
        raise TypeError(f"@searcher: {algorithm.__name__} must take (tree)") from None

    def run(
        game: Game,
        state: State,
        evaluator: Evaluator,
        deep_enough: DeepEnough,
        order: Order = pit_order,
        observer: Observer | None = None,
    ) -> Result:
        ordering = start_ordering(order)
        on_visit = getattr(deep_enough, "on_visit", None)
        counter = Counter(getattr(ordering, "on_cutoff", ignore_cutoff), on_visit)
        maximizing = state.player == getattr(game, "max_player", state.player)
        root = Node(state, None, maximizing, sows=0, turns=0)
        line = algorithm(Tree(game, evaluator, deep_enough, ordering, root, observer, counter))
        if counter.first is not None and counter.first.move is not None:
            counter.entered += 1  # the root, which nothing but the algorithm expands
        value, path = check_line(algorithm.__name__, line)
        # + 0 turns the -0.0 of a negated draw into 0
        result = Result(value + 0, tuple(map(to_python, path)), counter.counts())
        if f"{algorithm.__module__}".startswith("kalahlab."):
            return result
        return check_result(algorithm.__name__, game, state, result)

    def search(*given: Any, **named: Any) -> Result:
        return called(f"{algorithm.__name__}(", run, given, named)

    update_wrapper(search, algorithm).__doc__ = f"{algorithm.__doc__ or ''}\n{CALL}"
    shown = signature(run)  # by help(), and by a cell
    usual = shown.parameters["order"].replace(default=Reference(pit_order))
    parameters = shown.parameters | {"order": usual}
    search.__signature__ = shown.replace(parameters=[*parameters.values()])  # type: ignore[attr-defined]
    return search
