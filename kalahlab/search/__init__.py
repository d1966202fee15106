"""The textbook searches, one per file. All keep the contract in `model`."""

from kalahlab.search.alpha_beta import alpha_beta
from kalahlab.search.alpha_beta_table import alpha_beta_table
from kalahlab.search.backing_up import BACKUPS
from kalahlab.search.deep_enough import Depth, Quiescence
from kalahlab.search.deepening import deepening
from kalahlab.search.expectiminimax import expectiminimax
from kalahlab.search.greedy import greedy
from kalahlab.search.iterative_deepening import iterative_deepening, mtdf_deepening
from kalahlab.search.minimax import minimax
from kalahlab.search.minimax_a_b import minimax_a_b
from kalahlab.search.model import Counts, DeepEnough, Result
from kalahlab.search.mtdf import dual_star, mtdf, mtdf_no_table, sss_star
from kalahlab.search.ordering import ORDERS
from kalahlab.search.scout import scout
from kalahlab.search.scout_table import scout_table
from kalahlab.search.star1 import star1
from kalahlab.search.tree import Order, Searcher

ALGORITHMS: dict[str, Searcher] = {
    "greedy": greedy,
    "minimax": minimax,
    "alpha_beta": alpha_beta,
    "minimax_a_b": minimax_a_b,
    "scout": scout,
    "alpha_beta_table": alpha_beta_table,
    "scout_table": scout_table,
    "mtdf": mtdf,
    "mtdf_no_table": mtdf_no_table,
    "sss_star": sss_star,
    "dual_star": dual_star,
    "iterative_deepening": iterative_deepening,
    "mtdf_deepening": mtdf_deepening,
    "expectiminimax": expectiminimax,
    "star1": star1,
}

# Also those whose value is not minimax's, because they back values up in another way.
SEARCHES: dict[str, Searcher] = {**ALGORITHMS, **BACKUPS}

# The searches that search their root several times.
WITH_PASSES = (
    "mtdf",
    "mtdf_no_table",
    "sss_star",
    "dual_star",
    "iterative_deepening",
    "mtdf_deepening",
)
