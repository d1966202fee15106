"""What the explorer searches, as a value: it can be searched again with something changed."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kalahlab.backends import LEAVES, algorithm, leaf_policy, order
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.evaluators.registry import evaluator
from kalahlab.evaluators.tree import written_value
from kalahlab.games import Game
from kalahlab.games.hand_tree import HandTree, with_branch_at, with_leaf
from kalahlab.games.kalah import STANDARD, Kalah, Rules, State
from kalahlab.games.notation import format_board, parse_board
from kalahlab.names import parse_int
from kalahlab.search import ALGORITHMS, ORDERS, greedy
from kalahlab.search.deep_enough import Depth
from kalahlab.search.full_size import full_size
from kalahlab.trace import record
from kalahlab.widgets.packing import pack

MOST_NODES = 400_000
"""Of a search that is asked for in the widget: it is recorded whole, in memory."""

CHOICES: dict[str, list[str]] = {
    "algorithms": list(ALGORITHMS),
    "evaluators": list(EVALUATORS),
    "orders": list(ORDERS),
    "leaves": list(LEAVES),
}


@dataclass(frozen=True)
class Search:
    """One of the searches that are shown beside each other."""

    algorithm: str = "alpha_beta"
    order: str = "pit"


@dataclass(frozen=True)
class Question:
    """A position, how deep it is searched, and by which searches.

    root: a position of Kalah, or a tree written by hand, which has its values in it.
    """

    root: State | HandTree
    searches: tuple[Search, ...] = (Search(),)
    evaluator: str = "store_difference"
    depth: int = 4
    leaf: str = "sow"
    rules: Rules = STANDARD

    def packed(self) -> list[dict[str, Any]]:
        """Each search, recorded and packed. `ValueError` if one has too many nodes."""
        return [self._packed(search) for search in self.searches]

    def asked(self) -> dict[str, Any]:
        """What was asked, for the form; a tree has no position that can be typed."""
        tree = isinstance(self.root, HandTree)
        return {
            "tree": tree,
            "position": None if isinstance(self.root, HandTree) else format_board(self.root),
            "evaluator": self.evaluator,
            "depth": self.depth,
            "leaf": self.leaf,
            "searches": [vars(search) for search in self.searches],
        }

    def changed(self, wish: Mapping[str, Any]) -> "Question":
        """The question of a filled-in form. `ValueError` says what is wrong with it."""
        root = self.root
        if not isinstance(root, HandTree):
            root = parse_board(wish["position"])
        return replace(
            self,
            root=root,
            searches=tuple(Search(each["algorithm"], each["order"]) for each in wish["searches"]),
            evaluator=wish["evaluator"],
            depth=parse_int(str(wish["depth"]), "depth"),
            leaf=wish["leaf"],
        )

    def edited(self, edit: Mapping[str, Any]) -> "Question":
        """The tree with a leaf's `value` changed, or a `branch` moved `to` another place.

        path: the branches from the root to the leaf, or to the node that has the branch.
        """
        if not isinstance(self.root, HandTree):
            raise ValueError("only a tree written by hand can be edited")
        root, path = self.root.root, edit["path"]
        if "value" in edit:
            return replace(self, root=HandTree(with_leaf(root, path, _number(edit["value"]))))
        if any(search.order != "pit" for search in self.searches):
            raise ValueError("moves are put in order by hand only while the order is 'pit'")
        return replace(self, root=HandTree(with_branch_at(root, path, edit["branch"], edit["to"])))

    def _packed(self, search: Search) -> dict[str, Any]:
        searcher, sorting = algorithm(search.algorithm), order(search.order)
        game, state, looks = self._setting()
        depth = leaf_policy(self.leaf)(game, self.depth)
        trace = record(searcher, game, state, looks, depth, sorting, max_nodes=MOST_NODES)
        if not isinstance(depth, Depth):
            return pack(trace, self._title(search))
        searched = Depth(min(depth.limit, 1), depth.unit) if searcher is greedy else depth
        return pack(trace, self._title(search), full_size(game, searched))

    def _setting(self) -> tuple[Game, Any, Evaluator]:
        if isinstance(self.root, HandTree):
            return self.root, self.root.start(), written_value
        return Kalah(rules=self.rules), self.root, evaluator(self.evaluator)

    def _title(self, search: Search) -> str:
        name = search.algorithm.replace("mtdf", "MTD(f)").replace("_table", " with a table")
        name = name.replace("_no_table", " without its table").replace("_", "-")
        ordered = "" if search.order == "pit" else f", {search.order.replace('_', ' ')} order"
        return f"{name[0].upper()}{name[1:]}, depth {self.depth}{ordered}"


def _number(text: Any) -> float:
    try:
        number = float(str(text).replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        raise ValueError(f"value {text!r} is not a number") from None
    if not math.isfinite(number):
        raise ValueError(f"value {text!r} is not finite")
    return int(number) if number.is_integer() else number
