"""A proof in pieces: a proof-number tree over the first plies, null-window proofs below it.

"Is this position worth at least b to its mover?" is asked at the root, and at the leaves, each put
to a prover with a limit of nodes: a piece. Each node has a proof number and a disproof number, what
a yes and what a no are expected to cost, in nodes; a leaf's are guessed, a yes at an inner node
costs as much as its cheapest move, a no as much as all of them. The most promising leaf is searched
first. A leaf that stays open is expanded.

Allis, van der Meulen and van den Herik, "Proof-number search", *Artificial Intelligence* 66
(1994), pages 91-124. There the leaves are positions and the numbers count them.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from math import inf
from operator import attrgetter

from kalahlab import engine
from kalahlab.engine.endgame.database import Database
from kalahlab.engine.solver.ledger import Bounds, Ledger, from_here
from kalahlab.engine.solver.prover import POLL_SECONDS, Answer, Piece, Workers
from kalahlab.evaluators.fitted import fitted
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import State, in_play
from kalahlab.search import ORDERS, Depth

STOP_SECONDS = 1.0  # of waiting, at the end, for stopped pieces; the next proof finishes others
# A stone more in play, and a stone more between the estimate and the question, multiply what an
# answer is guessed to cost.
GROWTH, STEEPNESS = 1.45, 1.3
LOOK_AHEAD = 6  # sows that are searched to guess what an answer costs


@dataclass(slots=True, eq=False)
class Node:
    """Is a position worth at least `margin` to its mover?

    state: with empty stores, South to move. children: each with whether the turn passes to it,
    None before the node is expanded. proof, disproof: 0 and infinite once it is decided. new: they
    are not guessed yet; a root's need not be.
    """

    state: State
    margin: int
    proof: float = 1.0
    disproof: float = 1.0
    children: list[tuple["Node", bool]] | None = None
    parents: list["Node"] = field(default_factory=list)
    piece: Piece | None = None
    new: bool = True

    def decided(self) -> bool:
        return self.proof == 0 or self.disproof == 0

    def decide(self, yes: bool) -> None:
        self.proof, self.disproof = (0.0, inf) if yes else (inf, 0.0)

    def costs(self) -> Iterator[tuple[float, float, "Node"]]:
        """Of each child, what a yes and a no to this node's question cost by it."""
        for child, passes in self.children or ():
            if passes:
                yield child.disproof, child.proof, child
            else:
                yield child.proof, child.disproof, child


class ProofTree(StableRepr):
    """Answers whether positions are worth at least a margin, in pieces.

    ledger: where bounds are looked up and kept. pieces: who searches them; what their `poll`
    raises, Ctrl-C too, ends a proof, and what was found is kept. limit: of a piece, in nodes.
    """

    def __init__(self, database: Database, ledger: Ledger, pieces: Workers, limit: int) -> None:
        self._game, self._database, self._ledger = database.game, database, ledger
        self._pieces, self._limit = pieces, limit
        self._nodes: dict[tuple[State, int], Node] = {}
        self._running: dict[Future[Answer], Node] = {}
        self._stopped: set[Future[Answer]] = set()
        self._searched = self._done = 0
        self._expected = 0.0  # nodes, of the pieces that were answered
        self._root: Node | None = None
        self.margin: int | None = None  # of the present question

    @property
    def nodes(self) -> int:
        running = (node.piece.nodes for node in self._running.values() if node.piece)
        return self._pieces.nodes + self._searched + sum(running)

    def bound(self, state: State, margin: int, limit: int = 0) -> int | None:
        """As `Prover.ask`; None if it takes more than `limit` nodes."""
        self._root = root = self._node(*from_here(state, margin))
        self.margin = margin
        if limit and not root.decided():
            bound = self._pieces.bound(root.state, root.margin, limit)
            return None if bound is None else bound + margin - root.margin
        try:
            while not root.decided():
                self._start(root)
                done, _ = wait(self._running, POLL_SECONDS, FIRST_COMPLETED)
                for future in done:
                    self._finish(future)
                leaves = self._running.values()
                self._stop(
                    leaf for leaf in leaves if root not in _reached(leaf, attrgetter("parents"))
                )
                self._pieces.poll()
        finally:
            self._stop(self._running.values())
            for future in wait(self._running, STOP_SECONDS).done:
                self._finish(future)
        lower, upper = self._bounds(root.state)
        return (lower if root.proof == 0 else upper) + margin - root.margin

    def forecast(self) -> tuple[int, int, float | None]:
        """Pieces searched, leaves not decided, nodes to go: guesses, scaled by what pieces took."""
        if self._root is None:
            return 0, 0, None
        undecided = _reached(self._root, lambda node: [child for child, _ in node.children or ()])
        leaves = sum(node.children is None for node in undecided)
        cost = min(self._root.proof, self._root.disproof) * self._searched
        return self._done, leaves, cost / self._expected if self._expected else None

    def close(self) -> None:
        self._pieces.close()

    def _start(self, root: Node) -> None:
        while len(self._running) < self._pieces.workers and not root.decided():
            if (leaf := self._most_promising(root)) is None:
                return
            if self._known_by_now(leaf):
                continue
            if self._ledger.was_open(leaf.state, leaf.margin, self._limit):
                self._expand(leaf)
                self._back_up(leaf)
            else:
                leaf.piece = self._pieces.submit(leaf.state, leaf.margin, self._limit)
                self._running[leaf.piece.future] = leaf

    def _most_promising(self, node: Node) -> Node | None:
        """The leaf to ask next, None if all that matter are under way."""
        if node.children is None:
            return node if node.piece is None else None
        live = [costs for costs in node.costs() if not costs[2].decided()]
        # An own yes needs one move: the cheapest first. If a no is likelier, all moves need one.
        children = (child for _, _, child in sorted(live, key=lambda costs: costs[0]))
        return next(filter(None, map(self._most_promising, children)), None)

    def _finish(self, future: Future[Answer]) -> None:
        leaf = self._running.pop(future)
        leaf.piece = None
        if future.cancelled():
            return
        answer = future.result()
        self._searched += answer.nodes
        self._done += 1
        if answer.bound is not None:
            self._expected += leaf.proof if answer.bound >= leaf.margin else leaf.disproof
            self._ledger.keep(leaf.state, leaf.margin, answer.bound, answer.nodes)
            leaf.decide(answer.bound >= leaf.margin)
        elif future not in self._stopped:
            self._ledger.keep(leaf.state, leaf.margin, None, answer.nodes)
            if answer.nodes >= self._limit:
                self._expand(leaf)
        self._back_up(leaf)

    def _expand(self, node: Node) -> None:
        node.children = []
        for move in self._game.moves(node.state):
            after = self._game.play(node.state, move)
            passes = after.player != node.state.player
            child = self._node(*from_here(after, 1 - node.margin if passes else node.margin))
            if child.new and not child.decided():  # guess what answers cost
                child.new = False
                depth, order = Depth(LOOK_AHEAD), ORDERS["store_first"]
                found = engine.alpha_beta(self._game, child.state, fitted, depth, order)
                far = found.value - child.margin
                size = GROWTH ** (in_play(child.state.board) - self._database.stones)
                child.proof, child.disproof = size * STEEPNESS**-far, size * STEEPNESS ** (far + 1)
            child.parents.append(node)
            node.children.append((child, passes))
        self._update(node)

    def _back_up(self, node: Node) -> None:
        changed = [node]
        while changed:
            for parent in changed.pop().parents:
                if not parent.decided() and self._update(parent):
                    changed.append(parent)

    def _update(self, node: Node) -> bool:
        """Take a node's numbers from its children; whether they changed."""
        before, costs = (node.proof, node.disproof), list(node.costs())
        node.proof, node.disproof = min(yes for yes, _, _ in costs), sum(no for _, no, _ in costs)
        if node.decided():
            self._ledger.keep(node.state, node.margin, node.margin - (node.proof > 0), 0)
        return before != (node.proof, node.disproof)

    def _node(self, state: State, margin: int) -> Node:
        node = self._nodes.get((state, margin))
        if node is None:
            node = self._nodes[state, margin] = Node(state, margin)
            self._known_by_now(node)
        return node

    def _known_by_now(self, node: Node) -> bool:
        lower, upper = self._bounds(node.state)
        if lower < node.margin <= upper:
            return False
        node.decide(lower >= node.margin)
        self._back_up(node)
        return True

    def _bounds(self, state: State) -> Bounds:
        value = self._database.known(state)
        return self._ledger.bounds(state) if value is None else (value, value)

    def _stop(self, leaves: Iterable[Node]) -> None:
        for leaf in leaves:
            assert leaf.piece is not None
            self._stopped.add(leaf.piece.future)
            leaf.piece.stop()


def _reached(start: Node, ahead: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """The undecided nodes that can be reached over undecided ones."""
    seen, open_ = set[Node](), [start]
    while open_:
        node = open_.pop()
        if node not in seen and not node.decided():
            seen.add(node)
            open_ += ahead(node)
    return seen
