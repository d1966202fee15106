"""The searches that grow a tree, one per file. All keep the contract in `model`."""

from kalahlab.search.growing.best_first import best_first
from kalahlab.search.growing.dynamic_ordering import dynamic_ordering
from kalahlab.search.growing.implicit_minimax import implicit_minimax
from kalahlab.search.growing.loop import GrowingSearch, grow, growing_search
from kalahlab.search.growing.mcts_solver import mcts_solver
from kalahlab.search.growing.model import Growth, GrowthCounts, GrowthObserver, Policy
from kalahlab.search.growing.playouts import PLAYOUTS, Playout
from kalahlab.search.growing.proof_number import proof_number
from kalahlab.search.growing.puct import puct
from kalahlab.search.growing.uct import UCT, uct

GROWING: dict[str, GrowingSearch] = {
    "uct": uct,
    "puct": puct,
    "implicit_minimax": implicit_minimax,
    "mcts_solver": mcts_solver,
    "proof_number": proof_number,
    "best_first": best_first,
    "dynamic_ordering": dynamic_ordering,
}
