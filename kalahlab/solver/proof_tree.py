"""A proof in pieces: a proof-number tree over the first plies, null-window proofs below it.

Each node of the tree asks "is this position worth at least m to its mover?". A piece is a leaf's
question, searched by a prover with a limit of nodes. If the prover reaches the limit, the question
stays open, and the leaf is expanded: its moves become new leaves.

Each node has a proof number and a disproof number. These are the expected costs of a yes and of a
no, in nodes of pieces. The numbers of a leaf are guessed. A yes at an inner node costs as much as
the cheapest move, a no as much as all moves. The most promising leaf is searched first.

Allis, van der Meulen and van den Herik, "Proof-number search", *Artificial Intelligence* 66
(1994), pages 91-124. In that article the numbers count leaves.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from math import inf
from operator import attrgetter, itemgetter

from kalahlab import engine
from kalahlab.engine.twin.search import Task, run_fast_kernel, run_general_kernel
from kalahlab.evaluators.fitted import fitted
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import State, stones_in_play
from kalahlab.games.supported import FAST, unknown_rule
from kalahlab.search import Depth
from kalahlab.solver.endgame.database import Database
from kalahlab.solver.ledger import Bounds, Ledger, normalize_position
from kalahlab.solver.prover import POLL_SECONDS, Answer, Piece, Workers

# How long to wait for stopped pieces at the end of a proof. If a piece takes longer, the next proof
# takes its answer.
STOP_SECONDS = 1.0
# The guessed cost of an answer grows by the factor GROWTH with each stone in play, and by the
# factor STEEPNESS with each stone by which the estimated value speaks against the answer.
GROWTH, STEEPNESS = 1.45, 1.3
LOOK_AHEAD = 6  # sows that are searched to guess the cost of an answer


@dataclass(slots=True, eq=False)
class Node:
    """The question "is a position worth at least `margin` to its mover?".

    Attributes:
        state: The position, with empty stores, South to move.
        margin: The margin asked for.
        proof: The expected cost of a yes, in nodes; 0 once the answer is yes, infinite once it is
            no.
        disproof: The expected cost of a no; infinite once the answer is yes, 0 once it is no.
        children: Pairs (child, True if the turn passes); None before the node is expanded.
        parents: The nodes that have this one as a child.
        piece: The search of this question, if one is under way.
        new: True until proof and disproof are guessed. A root stays new: its costs are compared
            with those of no other node.
    """

    state: State
    margin: int
    proof: float = 1.0
    disproof: float = 1.0
    children: list[tuple["Node", bool]] | None = None
    parents: list["Node"] = field(default_factory=list)
    piece: Piece | None = None
    new: bool = True

    def is_decided(self) -> bool:
        return self.proof == 0 or self.disproof == 0

    def decide(self, yes: bool) -> None:
        if yes:
            self.proof, self.disproof = 0.0, inf
        else:
            self.proof, self.disproof = inf, 0.0

    def iter_costs(self) -> Iterator[tuple[float, float, "Node"]]:
        """Yield, for each child, the cost of a yes and of a no to this node's question by its move.

        Yields:
            Tuples (cost of a yes, cost of a no, child).
        """
        for child, passes in self.children or ():
            if passes:  # a no to the opponent's question is a yes to this one
                yield child.disproof, child.proof, child
            else:
                yield child.proof, child.disproof, child


class ProofTree(StableRepr):
    """A prover that searches in pieces.

    Args:
        database: The endgame database.
        ledger: The ledger in which bounds are looked up and stored.
        pieces: The workers that search the pieces. An exception that `Workers.poll` raises, such as
            `KeyboardInterrupt`, ends a proof; the bounds that were proved before are stored.
        limit: The nodes of a piece.
    """

    def __init__(self, database: Database, ledger: Ledger, pieces: Workers, limit: int) -> None:
        self._game, self._database, self._ledger = database.game, database, ledger
        self._pieces, self._limit = pieces, limit
        # A kernel itself: a third of the time of `engine.alpha_beta` goes to checks.
        self._search = run_fast_kernel
        if unknown_rule(self._game.rules, FAST):
            self._search = run_general_kernel
        self._nodes: dict[tuple[State, int], Node] = {}
        self._running: dict[Future[Answer], Node] = {}
        self._stopped: set[Future[Answer]] = set()
        self._done = 0  # the pieces that were searched
        self._searched = 0  # the nodes of these pieces
        self._expected = 0.0  # the nodes that were guessed for those pieces that have an answer
        self._root: Node | None = None
        self.margin: int | None = None  # of the question that `prove_bound` answers

    @property
    def nodes(self) -> int:
        running = (node.piece.nodes for node in self._running.values() if node.piece)
        return self._pieces.nodes + self._searched + sum(running)

    def prove_bound(self, state: State, margin: int, limit: int = 0) -> int | None:
        """Return a bound like `Prover.ask`, or None if that takes more than `limit` nodes.

        With a limit the question is searched as one piece, without the tree; 0 is no limit.
        """
        self._root = root = self._get_node(*normalize_position(state, margin))
        self.margin = margin
        store_difference = margin - root.margin  # the normalized root has empty stores
        if limit and not root.is_decided():
            bound = self._pieces.prove_bound(root.state, root.margin, limit)
            return None if bound is None else bound + store_difference
        try:
            while not root.is_decided():
                self._start_pieces(root)
                done, _ = wait(self._running, POLL_SECONDS, FIRST_COMPLETED)
                for future in done:
                    self._finish(future)
                for leaf in self._running.values():
                    # If all ways up to the root are decided, the answer no longer matters.
                    if root not in _reachable_undecided(leaf, attrgetter("parents")):
                        self._stop(leaf)
                self._pieces.poll()
        finally:
            for leaf in self._running.values():
                self._stop(leaf)
            for future in wait(self._running, STOP_SECONDS).done:
                self._finish(future)
        lower, upper = self._bounds(root.state)
        bound = lower if root.proof == 0 else upper
        return bound + store_difference

    def forecast(self) -> tuple[int, int, float | None]:
        """Estimate how far the proof is.

        Returns:
            The number of pieces searched, the number of leaves not decided, and the estimated nodes
            still to be searched (None if no piece has an answer).
        """
        if self._root is None:
            return 0, 0, None
        undecided = _reachable_undecided(
            self._root, lambda node: [child for child, _ in node.children or ()]
        )
        leaves = sum(1 for node in undecided if node.children is None)
        nodes_to_go = None
        if self._expected:
            guessed_cost = min(self._root.proof, self._root.disproof)
            # Correct the guess by the actual and the guessed cost of the pieces so far.
            nodes_to_go = guessed_cost * self._searched / self._expected
        return self._done, leaves, nodes_to_go

    def close(self) -> None:
        self._pieces.close()

    def _start_pieces(self, root: Node) -> None:
        """Start pieces until all workers are busy."""
        while len(self._running) < self._pieces.workers and not root.is_decided():
            leaf = self._find_most_promising(root)
            if leaf is None:
                return
            if self._try_to_decide(leaf):  # by a bound that was proved since the leaf was made
                continue
            if self._ledger.was_open(leaf.state, leaf.margin, self._limit):
                self._expand(leaf)
                self._back_up(leaf)
            else:
                leaf.piece = self._pieces.submit(leaf.state, leaf.margin, self._limit)
                self._running[leaf.piece.future] = leaf

    def _find_most_promising(self, node: Node) -> Node | None:
        """Return the leaf at or below a node to search next, or None if all are being searched."""
        if node.children is None:
            return node if node.piece is None else None
        undecided = [(yes, child) for yes, _, child in node.iter_costs() if not child.is_decided()]
        undecided.sort(key=itemgetter(0))  # by the cost alone, as nodes cannot be compared
        # A yes at this node needs one move, so the cheapest is first. A no needs all moves, in any
        # order.
        for _, child in undecided:
            leaf = self._find_most_promising(child)
            if leaf is not None:
                return leaf
        return None

    def _finish(self, future: Future[Answer]) -> None:
        """Store the answer of a piece.

        An answer decides the leaf. A leaf that stayed open after all nodes of the limit is
        expanded. A piece that was stopped says nothing about its leaf.
        """
        leaf = self._running.pop(future)
        leaf.piece = None
        if future.cancelled():
            return
        answer = future.result()
        self._searched += answer.nodes
        self._done += 1
        if answer.bound is not None:
            is_yes = answer.bound >= leaf.margin
            # The guessed cost is added before `decide` replaces it.
            self._expected += leaf.proof if is_yes else leaf.disproof
            self._ledger.add_answer(leaf.state, leaf.margin, answer.bound, answer.nodes)
            leaf.decide(is_yes)
        elif future not in self._stopped:
            self._ledger.add_answer(leaf.state, leaf.margin, None, answer.nodes)
            if answer.nodes >= self._limit:
                self._expand(leaf)
        self._back_up(leaf)

    def _expand(self, node: Node) -> None:
        node.children = []
        for move in self._game.moves(node.state):
            after = self._game.play(node.state, move)
            passes = after.player != node.state.player
            # The mover gets at least m exactly if the opponent does not get at least 1 - m.
            margin = 1 - node.margin if passes else node.margin
            child = self._get_node(*normalize_position(after, margin))
            if child.new and not child.is_decided():
                self._guess_costs(child)
            child.parents.append(node)
            node.children.append((child, passes))
        self._update_numbers(node)

    def _guess_costs(self, node: Node) -> None:
        node.new = False
        depth, algorithm = Depth(LOOK_AHEAD), engine.alpha_beta
        task = Task(self._game, node.state, fitted, depth, "store_first", None, algorithm)
        (estimate, _), _ = self._search(task, None)
        lead = estimate - node.margin
        # A no means that the opponent gets at least 1 - margin. The opponent's estimate is
        # -estimate, which leads by -estimate - (1 - margin).
        opponent_lead = -(lead + 1)
        size = GROWTH ** (stones_in_play(node.state.board) - self._database.stones)
        node.proof = size * STEEPNESS**-lead
        node.disproof = size * STEEPNESS**-opponent_lead

    def _back_up(self, node: Node) -> None:
        """Update the ancestors of a node, as far up as numbers change."""
        changed = [node]
        while changed:
            for parent in changed.pop().parents:
                if not parent.is_decided() and self._update_numbers(parent):
                    changed.append(parent)

    def _update_numbers(self, node: Node) -> bool:
        """Compute a node's two numbers from its children; return whether the numbers changed."""
        before = node.proof, node.disproof
        costs = list(node.iter_costs())
        node.proof = min(yes for yes, _, _ in costs)
        node.disproof = sum(no for _, no, _ in costs)
        if node.is_decided():
            bound = node.margin if node.proof == 0 else node.margin - 1
            # 0 nodes: the bound follows from the bounds of the moves.
            self._ledger.add_answer(node.state, node.margin, bound, 0)
        return before != (node.proof, node.disproof)

    def _get_node(self, state: State, margin: int) -> Node:
        """Return the node of a question; make one if there is none."""
        node = self._nodes.get((state, margin))
        if node is None:
            node = self._nodes[state, margin] = Node(state, margin)
            self._try_to_decide(node)
        return node

    def _try_to_decide(self, node: Node) -> bool:
        """Decide a node if the ledger or the database has the answer; return whether one has."""
        lower, upper = self._bounds(node.state)
        if lower < node.margin <= upper:  # the bounds leave the question open
            return False
        node.decide(lower >= node.margin)
        self._back_up(node)
        return True

    def _bounds(self, state: State) -> Bounds:
        """Return the database's value twice, or the bounds in the ledger."""
        value = self._database.probe(state)
        return self._ledger.bounds(state) if value is None else (value, value)

    def _stop(self, leaf: Node) -> None:
        assert leaf.piece is not None
        self._stopped.add(leaf.piece.future)
        leaf.piece.stop()


def _reachable_undecided(start: Node, neighbours: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Follow all paths of undecided nodes from `start`, and return the nodes on them."""
    reached: set[Node] = set()
    to_visit = [start]
    while to_visit:
        node = to_visit.pop()
        if node not in reached and not node.is_decided():
            reached.add(node)
            to_visit.extend(neighbours(node))
    return reached
