"""The three families of searches on one position: prune, sample, prove.

    explore_families("aima-5.2", game="tree", at_least=3)  # alpha-beta, UCT, proof-number search

A notebook shows three tabs. A page shows one explorer at a time, with a button for each.
"""

from typing import Any

from ipywidgets import Tab

from kalahlab.games import Game
from kalahlab.search.limits import Nodes, Playouts
from kalahlab.widgets.explorer import Explorer, explore
from kalahlab.widgets.growth import GrowthExplorer, explore_growth
from kalahlab.widgets.page import Live, page
from kalahlab.widgets.runtime import is_fetched

NAMES = ("Prune: alpha-beta", "Sample: UCT", "Prove: PN search")
PLAYOUTS, MAX_NODES = Playouts(60), Nodes(1000)


class Families:
    """An explorer of each family, for one position.

    Attributes:
        explorers: The explorers of alpha-beta, UCT and proof-number search, in this order.
    """

    def __init__(self, prune: Explorer, sample: GrowthExplorer, prove: GrowthExplorer) -> None:
        self.explorers = (prune, sample, prove)

    def __repr__(self) -> str:
        return "<three searches of one position: prune, sample, prove>"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Return what a notebook shows: a tab for each explorer."""
        return Tab(children=self.explorers, titles=NAMES)._repr_mimebundle_(**options)

    def page(self, title: str, live: Live | None = None) -> str:
        """Render a page that needs neither kernel nor network; see `Widget.page`."""
        if live is None:
            live = "beside" if is_fetched() else "no"
        parts = [explorer.page_part() for explorer in self.explorers]
        fallbacks = [explorer.fallback() for explorer in self.explorers]
        return page(title, parts, live, fallbacks, names=NAMES)

    def still(self) -> str:
        """Draw the search by alpha-beta."""
        return self.explorers[0].still()


def explore_families(
    root: Any, *, game: str | Game = "kalah", depth: int | None = None, at_least: float = 1
) -> Families:
    """Search a position, or a tree written by hand, by a search of each family, and show them.

    Args:
        root: A position as text, a state of the game, or a tree.
        game: A game, or its name in the registry.
        depth: The depth of alpha-beta; the others have no depth. See `explore`.
        at_least: The value that proof-number search tries to prove.
    """
    return Families(
        explore(root, game=game, depth=depth),
        explore_growth(root, game=game, limit=PLAYOUTS),
        explore_growth(
            root, game=game, algorithm="proof_number", limit=MAX_NODES, at_least=at_least
        ),
    )
