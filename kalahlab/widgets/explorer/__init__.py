"""The search explorer: a game-tree search, step by step, with the reason for every cutoff.

    explore(state, algorithm="alpha_beta", depth=4)  # searches, and readers can ask for more
    Explorer(trace)  # shows a search that was recorded before

Python runs the searches. JavaScript steps through the log of a finished search, so a page without a
kernel can do everything but search.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from math import inf
from typing import Any, Literal, TypedDict, Unpack
from xml.etree import ElementTree

import traitlets

from kalahlab.draw.board_svg import board_svg
from kalahlab.draw.tree_layout import max_drawn_depth
from kalahlab.draw.tree_svg import tree_svg
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.games import Game, registry
from kalahlab.games.hand_tree import Branch, HandTree, tree_depth
from kalahlab.games.kalah import State
from kalahlab.games.rules import Rules
from kalahlab.names import import_named
from kalahlab.players.search_spec import LEAVES
from kalahlab.search import ORDERS, SEARCHES, Depth
from kalahlab.search.arguments import check_state
from kalahlab.search.growing import GROWING
from kalahlab.search.tree import Order, Searcher
from kalahlab.trace import Trace
from kalahlab.trace.growth import GrowthTrace
from kalahlab.widgets.models.explorer import ExplorerModel
from kalahlab.widgets.models.packing import pack
from kalahlab.widgets.models.search_request import USUAL_DEPTH, SearchRequest
from kalahlab.widgets.runtime import BUNDLES
from kalahlab.widgets.widget import Widget

PATIENCE = 20.0  # seconds after which the view reports that Python does not answer
PAPER_WIDTH = 1100  # pixels; a wider tree is not readable on paper
# Limits of `Explorer.fallback`: its length in characters, and the width of its tree in pixels.
FALLBACK_LENGTH, FALLBACK_WIDTH = 17_000, 900


class ExplorerTraits(TypedDict, total=False):
    """The traits that can be set when an explorer is made; for type checkers."""

    step: int
    ahead: bool
    shows_first_cut: bool
    patience: float
    theme: Literal["", "light", "dark"]
    layout: Any


class Explorer(ExplorerModel, Widget):
    """One search, or two on one clock.

    Attributes:
        traces: The searches, packed by `packing.pack`.
        step: The number of events of the search that the view shows; the view changes it, too.
        ahead: Whether the view also shows the nodes that the search reaches after `step`.
        shows_first_cut: Whether the view goes to the first cutoff and scrolls itself into sight as
            soon as it is drawn. This is for an explorer that a reader's click has just opened.
        patience: The seconds after which the view reports that Python does not answer.
        form: The fields of the form; empty if the reader cannot request another search.
        choices: The options of the lists in the form.
        exercise: The data of the exercise of `packing.cross_out`, in which a reader crosses out the
            branches that are not visited; empty if the search is not suitable.
        comparison: The difference between a user's algorithm and alpha-beta, in words.
        editable: Whether the reader can change the tree.
        undoable: Whether there is an earlier search to go back to.
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
    shows_first_cut = traitlets.Bool(False).tag(sync=True)
    patience = traitlets.Float(PATIENCE).tag(sync=True)
    form = traitlets.Dict().tag(sync=True)
    choices = traitlets.Dict().tag(sync=True)
    link = traitlets.Unicode("").tag(sync=True)
    exercise = traitlets.Dict().tag(sync=True)
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
        """Show recorded searches, or run the searches of a request and show them.

        Args:
            *searches: The recorded searches.
            titles: The titles of the recorded searches.
            request: The request.
            **traits: The initial state of the view.

        Raises:
            TypeError: An argument is not a recorded search, or there is a request, too.
        """
        if any(isinstance(search, GrowthTrace) for search in searches):
            raise TypeError("GrowthExplorer(trace) shows a search that grew a tree")
        if not all(isinstance(search, Trace) for search in searches):
            raise TypeError("Explorer shows recorded searches; explore(state) searches a position")
        if request and searches:
            raise TypeError("give recorded searches or a request, but not both")
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

    def handle(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a message of the view.

        The message with the key `page`, which only a kernel can answer, asks for a page that the
        reader can save as a file.
        """
        if "page" in message:
            return {"page": self.page(live="no")}
        return super().handle(message)

    def __repr__(self) -> str:
        return f"<{self._describe()}: run the cell to step through it>"

    def _describe(self) -> str:
        request = self.request
        if request is None:
            return " beside ".join(trace["title"] for trace in self.traces) or self.title
        algorithms = request.algorithm
        if request.beside:
            algorithms += f" beside {request.beside}"
        position = request.form()["position"]
        return f"Search of {position} by {algorithms}, depth {request.depth}"

    def still(self) -> str:
        """Draw the first search at its end, with its cuts and all levels that fit on paper."""
        return _draw_tree(*self._first_search(), PAPER_WIDTH)

    def fallback(self) -> str:
        """Draw the position and, below it, all levels of the first search for which there is room.

        The limits are `FALLBACK_LENGTH` and `FALLBACK_WIDTH`.
        """
        trace, title = self._first_search()
        root = trace.nodes[0]
        if trace.game == "kalah":
            # A state from a trace file, `Shown`, has a third field, which `State` does not have.
            position = board_svg(State(*root.node.state[:2]))
        else:
            text = escape(trace.draw_position(root))
            position = f"<pre>{text}</pre>" if text else ""
        tree = _draw_tree(trace, title, FALLBACK_WIDTH, FALLBACK_LENGTH - len(position))
        return f"{position}\n{tree}"

    def _first_search(self) -> tuple[Trace, str]:
        """Return the first search and its title."""
        if self.request:
            return self.request.run_first()
        return self._recorded[0], self.traces[0]["title"]


def _draw_tree(trace: Trace, title: str, max_width: int, max_length: float = inf) -> str:
    """Draw a search as SVG, with as many levels as the limits allow, but at least one.

    Args:
        trace: The search.
        title: The title of the picture.
        max_width: The limit of the picture's width, in pixels.
        max_length: The limit of the length of the SVG text, in characters.
    """
    depth = max_drawn_depth(trace)
    while True:
        svg = tree_svg(trace, title=title, depth=depth)
        width = int(ElementTree.fromstring(svg).get("width", "0"))
        if depth <= 1 or (width <= max_width and len(svg) <= max_length):
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
    game_type: registry.GameType | None = None,
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
        leaf: The name of the leaf rule; ignored if `depth` is a `Depth`, which has its own.
        order: The order of moves.
        rules: Kalah's rules, if the game is given by its name.
        beside: The algorithm of a second search on the same clock; `algorithm` by default.
        beside_order: The order of the second search; `order` by default.
        game_type: The type of an unregistered game; evaluators are looked up under its name.
        **traits: The initial state of the view, such as `step`; see `Explorer`.

    Raises:
        ValueError: A name is unknown, or the search has too many nodes to be recorded.
    """
    if unknown := traits.keys() - Explorer.class_trait_names():
        raise TypeError(f"explore() got an unexpected keyword argument {min(unknown)!r}")
    if isinstance(root, Trace):
        raise TypeError("explore searches a position; Explorer(trace) shows a recorded search")
    game_type, game, state = parse_root(root, game, game_type, rules)
    check_state(state)
    limit, leaf = _split_depth(depth, leaf, state)
    names = _name_parts(game_type.name, algorithm, evaluator, leaf, order)
    request = SearchRequest(game_type, game, state, limit, **names)
    if beside or beside_order:
        second = _name_of("algorithm", beside or algorithm, SEARCHES)
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
    """Return the names of the parts of a search. The default evaluator is the game's first one."""
    name = algorithm if isinstance(algorithm, str) else getattr(algorithm, "__name__", "")
    if name.replace("-", "_") in GROWING:
        raise ValueError(f"{name} grows a tree; use explore_growth")
    evaluators = EVALUATORS.get(game, {})
    return {
        "algorithm": _name_of("algorithm", algorithm, SEARCHES),
        "evaluator": _name_of("evaluator", evaluator or next(iter(evaluators), ""), evaluators),
        "leaf": _name_of("leaf", leaf, LEAVES),
        "order": _name_of("order", order, ORDERS),
    }


def parse_root(
    root: Any, game: str | Game, game_type: registry.GameType | None, rules: Rules | str | None
) -> tuple[registry.GameType, Game, Any]:
    """Return the type of the game, the game, and the position to search."""
    if isinstance(root, GrowthTrace):
        raise TypeError("GrowthExplorer(trace) shows a search that grew a tree")
    if isinstance(root, HandTree):
        game = root
        root = game.start()
    played: Game
    if isinstance(game, str):
        # For an import path, `import_named` imports the module, which registers the game.
        # It returns the name in any case.
        game_type = registry.game_type(import_named("game", game))
        played = game_type.new() if rules is None else game_type.new(rules=rules)
    else:
        game_type = game_type or registry.game_type_of_game(game)
        played = game
    if isinstance(root, str):
        played, root = game_type.parse(root, played)
    return game_type, played, root


def _split_depth(depth: int | Depth | None, leaf: str, state: Any) -> tuple[int, str]:
    """Return the number of a depth and the name of its leaf rule.

    The default number is the depth of a tree written by hand, and `USUAL_DEPTH` for any other game.
    """
    if isinstance(depth, Depth):
        if type(depth) is not Depth:  # a subclass may stop at other nodes
            raise ValueError(f"depth is {depth!r}; use a whole number or a Depth")
        return depth.limit, depth.unit  # the units are the names of these leaf rules, see LEAVES
    if depth is None:
        depth = tree_depth(state) if isinstance(state, Branch) else USUAL_DEPTH
    return depth, leaf


def _name_of(what: str, value: Any, registered: Mapping[str, Any]) -> str:
    """Return the name of a registered function, or the import path of any other function.

    A name or an import path is returned unchanged, but with `_` for `-`. Each import path is
    imported, which checks it and lets the search look it up.

    Args:
        what: The kind of function, for errors and for the check of its parameters.
        value: The function, its name or its import path.
        registered: The registered functions of this kind by name.
    """
    name = value
    if callable(value):
        path = f"{value.__module__}.{value.__qualname__}"
        if "<" in path:  # `<lambda>`, or `<locals>` of a function inside a function
            raise ValueError(f"{what} {path} has no import path; define it with def in a module")
        names = {function: name for name, function in registered.items()}
        name = names.get(value, path)
    return import_named(what, name).replace("-", "_")
