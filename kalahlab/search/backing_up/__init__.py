"""Searches of minimax's tree that back values up otherwise, one per file.

They are no minimax: their values need not be alpha-beta's. So they are not among `ALGORITHMS`, and
nothing can be cut off. Each has an attribute `backup`, which `kalahlab.trace.explain_backup` reads.
"""

from kalahlab.search.backing_up.averaging import averaging
from kalahlab.search.backing_up.error_minimizing import error_minimizing
from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.backing_up.m_and_n import m_and_n
from kalahlab.search.backing_up.product_below import product_below
from kalahlab.search.backing_up.product_rule import product_rule
from kalahlab.search.tree import Searcher

BACKUPS: dict[str, Searcher] = {
    "product_rule": product_rule,
    "product_below": product_below,
    "error_minimizing": error_minimizing,
    "m_and_n": m_and_n,
    "averaging": averaging,
}
