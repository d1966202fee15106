"""The search explorer: a game-tree search, step by step, with the reason for every cutoff.

JavaScript steps through the finished log of the search. Python is needed only for another search,
so that a page without a kernel can do everything else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from math import inf
from typing import Any, Literal, TypedDict, Unpack
from xml.etree import ElementTree

import traitlets

from kalahlab.draw.board_svg import board_svg
from kalahlab.draw.tree_layout import fitting_depth
from kalahlab.draw.tree_svg import tree_svg
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.games import Game, registry
from kalahlab.games.hand_tree import Branch, HandTree, tree_depth
from kalahlab.games.kalah import Rules, State
from kalahlab.names import import_named
from kalahlab.search import ALGORITHMS, ORDERS, Depth
from kalahlab.search.arguments import check_state
from kalahlab.search.tree import Order, Searcher
from kalahlab.trace import Trace
from kalahlab.widgets.models.explorer import ExplorerModel
from kalahlab.widgets.models.packing import pack
from kalahlab.widgets.models.search_request import USUAL_DEPTH, SearchRequest
from kalahlab.widgets.runtime import BUNDLES
from kalahlab.widgets.widget import Widget

PATIENCE = 20.0  # seconds after which the view reports that Python does not answer
PAPER_WIDTH = 1100  # pixels; a wider tree is not readable on paper
# Limits of the picture in a page: its length in characters, and the width of its tree in pixels.
PICTURE_LENGTH, PICTURE_WIDTH = 17_000, 900


class ExplorerTraits(TypedDict, total=False):
    """The traits that can be set when an explorer is made, for type checkers."""

    step: int
    ahead: bool
    arrives: bool
    patience: float
    theme: Literal["", "light", "dark"]
    layout: Any


class Explorer(ExplorerModel, Widget):
    """One search, or two on one clock.

    Attributes:
        traces: The packed searches.
        step: The number of events that are past; the view changes this trait, too.
        ahead: Whether nodes that are not yet reached are shown.
        arrives: Whether the view scrolls into sight, at the first cutoff.
        form: The form's fields; empty if no other search can be requested.
        choices: The options of the form's lists.
        whole: The data of the exercise in `cross_out`, if the search is suitable.
        comparison: The difference between a user's algorithm and alpha-beta, in words.
        editable: Whether the tree can be changed by hand.
        undoable: Whether there is an earlier search.
        link: The search as the part of an address after `#`.
        request: The parameters of the search; None if the searches were recorded before. This is
            not a trait.
    """

    title = "Search explorer"
    _esm = BUNDLES / "explorer.js"
    _css = BUNDLES / "explorer.css"

    traces = traitlets.List(traitlets.Dict()).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    ahead = traitlets.Bool(False).tag(sync=True)
    arrives = traitlets.Bool(False).tag(sync=True)
    patience = traitlets.Float(PATIENCE).tag(sync=True)
    form = traitlets.Dict().tag(sync=True)
    choices = traitlets.Dict().tag(sync=True)
    link = traitlets.Unicode("").tag(sync=True)
    whole = traitlets.Dict().tag(sync=True)
    comparison = traitlets.Unicode("").tag(sync=True)
    editable = traitlets.Bool(False).tag(sync=True)
    undoable = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        *searches: Trace,
        titles: Sequence[str] = (),
        request: SearchRequest | None = None,
        **traits: Unpack[ExplorerTraits],
    ) -> None:
        if not all(isinstance(search, Trace) for search in searches):
            raise TypeError("Explorer shows recorded searches; explore(state) searches a position")
        self.request = request
        self._recorded = searches[:1]  # for pictures, which show the first search
        # There are at least as many names as searches; zip drops the rest.
        names = [*titles, *["Search"] * len(searches)]
        initial: dict[str, Any] = {}
        if request:
            initial = request.traits()
        elif searches:
            packed = [pack(search, name) for search, name in zip(searches, names, strict=False)]
            initial = {"traces": packed}
        super().__init__(**traits | initial)

    def handle(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Fulfil a reader's request; one with the key `page` is for a page to save as a file."""
        if "page" in request:
            return {"page": self.page(live="no")}
        return super().handle(request)

    def __repr__(self) -> str:
        return f"<{self._describe()}: run the cell to step through it>"

    def _describe(self) -> str:
        request = self.request
        if request is None:
            return " beside ".join(trace["title"] for trace in self.traces) or self.title
        algorithms = request.algorithm
        if request.beside:
            algorithms += f" beside {request.beside}"
        position = request.kind.format(request.state)
        return f"Search of {position} by {algorithms}, depth {request.depth}"

    def still(self) -> str:
        """Draw the finished first search, its cuts marked, with the levels that fit on paper."""
        return _tree_picture(*self._first(), PAPER_WIDTH)

    def picture(self) -> str:
        """Draw the position, and as many levels of the first search as `PICTURE_LENGTH` allows."""
        trace, title = self._first()
        root = trace.nodes[0]
        if trace.game == "kalah":
            # A state from a trace file has a third field: the position as drawn.
            position = board_svg(State(*root.node.state[:2]))
        else:
            text = escape(trace.draw_position(root))
            position = f"<pre>{text}</pre>" if text else ""
        tree = _tree_picture(trace, title, PICTURE_WIDTH, PICTURE_LENGTH - len(position))
        return f"{position}\n{tree}"

    def _first(self) -> tuple[Trace, str]:
        """Return the first search and its title."""
        if self.request:
            return self.request.run_first()
        return self._recorded[0], self.traces[0]["title"]


def _tree_picture(trace: Trace, title: str, widest: int, longest: float = inf) -> str:
    """Draw a search as SVG, with as many levels as fit the width and length, but at least one.

    Args:
        trace: The search.
        title: The title of the picture.
        widest: The limit of the picture's width, in pixels.
        longest: The limit of the length of the SVG text, in characters.
    """
    depth = fitting_depth(trace)
    while True:
        svg = tree_svg(trace, title=title, depth=depth)
        width = int(ElementTree.fromstring(svg).get("width", "0"))
        if depth <= 1 or (width <= widest and len(svg) <= longest):
            return svg
        depth -= 1


def explore(
    root: Any,
    *,
    game: str | Game = "kalah",
    algorithm: str | Searcher = "alpha_beta",
    evaluator: str | Evaluator | None = None,
    depth: int | Depth | None = None,
    leaf: str = "sow",
    order: str | Order = "pit",
    rules: Rules | str | None = None,
    beside: str | Searcher | None = None,
    beside_order: str | Order | None = None,
    kind: registry.GameType | None = None,
    **traits: Unpack[ExplorerTraits],
) -> Explorer:
    """Search a position, or a tree written by hand, and show the search.

    An algorithm, an order or an evaluator is a function, its name, or its import path.

    Args:
        root: A position as text, a state of the game, or a tree.
        game: A game, or its name in the registry.
        algorithm: The search algorithm.
        evaluator: The static evaluator; the first one of the game by default.
        depth: The depth limit; by default 4, or the depth of a tree written by hand.
        leaf: The leaf policy, which decides what the depth counts.
        order: The order of moves.
        rules: Kalah's rules, if the game is given by its name.
        beside: The algorithm of a second search on the same clock; `algorithm` by default.
        beside_order: The order of the second search; `order` by default.
        kind: The type of a game that is not registered. Evaluators are looked up under its name.
        **traits: The initial state of the view, such as `step`; see `Explorer`.

    Raises:
        ValueError: A name is unknown, or the search has too many nodes to be recorded.
    """
    if unknown := traits.keys() - Explorer.class_trait_names():
        raise TypeError(f"explore() got an unexpected keyword argument {min(unknown)!r}")
    if isinstance(root, Trace):
        raise TypeError("explore searches a position; Explorer(trace) shows a recorded search")
    kind, game, state = _parse_root(root, game, kind, rules)
    check_state(state)
    limit, leaf = _split_depth(depth, leaf, state)
    names = _name_parts(kind.name, algorithm, evaluator, leaf, order)
    request = SearchRequest(kind, game, state, limit, **names)
    if beside or beside_order:
        second = _name_of("algorithm", beside or algorithm, ALGORITHMS)
        second_order = _name_of("order", beside_order or order, ORDERS)
        request = replace(request, beside=second, beside_order=second_order)
    return Explorer(request=request, **traits)


def _name_parts(
    game: str,
    algorithm: str | Searcher,
    evaluator: str | Evaluator | None,
    leaf: str,
    order: str | Order,
) -> dict[str, str]:
    """Return the names of the parts of a search; by default the game's first evaluator."""
    evaluators = EVALUATORS.get(game, {})
    return {
        "algorithm": _name_of("algorithm", algorithm, ALGORITHMS),
        "evaluator": _name_of("evaluator", evaluator or next(iter(evaluators), ""), evaluators),
        "leaf": _name_of("leaf", leaf, {}),
        "order": _name_of("order", order, ORDERS),
    }


def _parse_root(
    root: Any, game: str | Game, kind: registry.GameType | None, rules: Rules | str | None
) -> tuple[registry.GameType, Game, Any]:
    """Return the type of the game, the game, and the position to search."""
    if isinstance(root, HandTree):
        game = root
        root = game.start()
    played: Game
    if isinstance(game, str):
        kind = registry.game_type(import_named("game", game))
        played = kind.new() if rules is None else kind.new(rules=rules)
    else:
        kind = kind or registry.game_type_of_game(game)
        played = game
    if isinstance(root, str):
        played, root = kind.parse(root, played)
    return kind, played, root


def _split_depth(depth: int | Depth | None, leaf: str, state: Any) -> tuple[int, str]:
    """Return the number and the leaf policy of a depth.

    The default number is the depth of a tree written by hand, and `USUAL_DEPTH` for any other game.
    """
    if isinstance(depth, Depth):
        if type(depth) is not Depth:  # a subclass may stop elsewhere
            raise ValueError(f"depth is {depth!r}; use a whole number, or Depth itself")
        return depth.limit, depth.unit
    if depth is None:
        depth = tree_depth(state) if isinstance(state, Branch) else USUAL_DEPTH
    return depth, leaf


def _name_of(what: str, value: Any, registered: Mapping[str, Any]) -> str:
    """Return the name of a registered function, or the import path of any other function.

    A name or an import path is returned with underscores. The value at an import path is imported.
    """
    name = value
    if callable(value):
        path = f"{value.__module__}.{value.__qualname__}"
        if "<" in path:  # `<lambda>`, or `<locals>` of a function inside a function
            raise ValueError(f"{what} {path} has no import path; define it in a module, by def")
        names = {function: name for name, function in registered.items()}
        name = names.get(value, path)
    return import_named(what, name).replace("-", "_")
