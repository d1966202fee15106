"""Searches of minimax's tree that back values up otherwise, one per file.

They are no minimax: their values need not be alpha-beta's. So they are not among `ALGORITHMS`, and
nothing can be cut off. Each has an attribute `backup`, and tells an observer how a value follows.
"""

from kalahlab.search.backing_up.averaging import averaging
from kalahlab.search.backing_up.distributions import distributions
from kalahlab.search.backing_up.error_minimizing import error_minimizing
from kalahlab.search.backing_up.later_information import later_information
from kalahlab.search.backing_up.loop import Backup, backup_search
from kalahlab.search.backing_up.m_and_n import m_and_n
from kalahlab.search.backing_up.product_rule import product_rule
from kalahlab.search.tree import Searcher

BACKUPS: dict[str, Searcher] = {
    "product_rule": product_rule,
    "later_information": later_information,
    "distributions": distributions,
    "error_minimizing": error_minimizing,
    "m_and_n": m_and_n,
    "averaging": averaging,
}
