"""The search explorer: a game-tree search, step by step, with the reason of every cut.

All stepping is in JavaScript over the finished log of the search. Python is asked only for
another search, and a page without a kernel does all the rest.
"""

from collections.abc import Mapping, Sequence
from html import escape
from math import inf
from typing import Any, Literal, Never, TypedDict, Unpack
from xml.etree import ElementTree

import traitlets

from kalahlab.draw.board_svg import board_svg
from kalahlab.draw.tree_layout import fitting_depth
from kalahlab.draw.tree_svg import tree_svg
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.games import Game, registry
from kalahlab.games.hand_tree import Branch, HandTree, plies
from kalahlab.games.kalah import Rules, State
from kalahlab.names import import_path
from kalahlab.search import ALGORITHMS, ORDERS, Depth
from kalahlab.search.arguments import check_state
from kalahlab.search.tree import Order, Searcher
from kalahlab.trace import Trace
from kalahlab.widgets.models.explorer import ExplorerModel
from kalahlab.widgets.models.packing import pack
from kalahlab.widgets.models.request import USUAL_DEPTH, SearchRequest
from kalahlab.widgets.runtime import BUNDLES
from kalahlab.widgets.widget import Widget

PATIENCE = 20.0  # seconds that the view waits for Python before it says that it does not answer
PAPER_WIDTH = 1100  # the widest a tree is, in pixels, that can still be read on a sheet of paper
PICTURE, NARROW = 17_000, 900  # characters of the picture in a page, and pixels of its tree


class ExplorerTraits(TypedDict, total=False):
    """What may be set of an explorer when it is made, for those who check types."""

    step: int
    ahead: bool
    arrives: bool
    patience: float
    theme: Literal["", "light", "dark"]
    layout: Any


class Explorer(ExplorerModel, Widget):
    """One search, or two on one clock.

    traces: the packed searches. step: how many events are past, both ways. ahead: whether what is
    not yet reached is shown. arrives: whether the view comes into sight, at the first cut. form,
    choices: the form's fields and what they offer, empty where nothing can be asked. whole: what
    can be crossed out (`cross_out`), if anything. told: how a search of a reader's own differs from
    alpha-beta. editable: whether the tree can be changed by
    hand. undoable: whether there was a search before. link: the search as a page's address has it
    after `#`. request (no trait): what is searched, None if traces were given.
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
    told = traitlets.Unicode("").tag(sync=True)
    editable = traitlets.Bool(False).tag(sync=True)
    undoable = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        *searches: Trace,
        titles: Sequence[str] = (),
        request: SearchRequest | None = None,
        **traits: Unpack[ExplorerTraits],
    ) -> None:
        if not all(isinstance(each, Trace) for each in searches):
            raise TypeError("Explorer shows recorded searches; explore(state) searches a position")
        self.request, self._given = request, searches[:1]
        names = [*titles, *["Search"] * len(searches)]
        given = [pack(each, name) for each, name in zip(searches, names, strict=False)]
        shown = request.traits() if request else {"traces": given} if searches else {}
        super().__init__(**traits | shown)

    def handle(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """As the model, and the page to save, which is a file alone."""
        return {"page": self.page(live="no")} if "page" in request else super().handle(request)

    def __repr__(self) -> str:
        return f"<{self._describe()}: run the cell to step through it>"

    def _describe(self) -> str:
        asked = self.request
        if asked is None:
            return " beside ".join(each["title"] for each in self.traces) or self.title
        beside = f" beside {asked.beside}" if asked.beside else ""
        position = asked.kind.format(asked.state)
        return f"Search of {position} by {asked.algorithm}{beside}, depth {asked.depth}"

    def still(self) -> str:
        """The first search as it ended, its cuts marked, as many levels as paper has room for."""
        return _tree_picture(*self._first(), PAPER_WIDTH)

    def picture(self) -> str:
        """The position, and as many levels of the first search as `PICTURE` has room for."""
        trace, title = self._first()
        root = trace.nodes[0]
        drawn = f"<pre>{escape(trace.drawn(root))}</pre>".replace("<pre></pre>", "")
        position = board_svg(State(*root.node.state[:2])) if trace.game == "kalah" else drawn
        return f"{position}\n{_tree_picture(trace, title, NARROW, PICTURE - len(position))}"

    def _first(self) -> tuple[Trace, str]:
        if self.request:
            return self.request.first()
        return self._given[0], self.traces[0]["title"]


def _tree_picture(trace: Trace, title: str, widest: int, longest: float = inf) -> str:
    """A search as SVG, with as many levels as fit the given pixels and characters, at least one."""
    depth = fitting_depth(trace)
    while True:
        svg = tree_svg(trace, title=title, depth=depth)
        width = int(ElementTree.fromstring(svg).get("width", "0"))
        if depth <= 1 or (width <= widest and len(svg) <= longest):
            return svg
        depth -= 1


def explore(
    root: Any,
    *given: Never,
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
    """Search a position, or a tree written by hand, and show how it went.

    root: a position as text, a state of the game, or a tree. game: a game, or its name in the
    registry; rules: Kalah's. algorithm, order, evaluator: a name, an import path or a function; the
    game's first evaluator by default. depth: 4 by default, or that of a tree written by hand.
    beside, beside_order: of a second search on the same clock; either alone is enough. kind: the
    type of a game that is given itself, if it is in no registry; its evaluators go by its name.
    Raises `ValueError` for what has no such name, and for a search too large to be kept.
    """
    if wrong := [*map(repr, given), *(traits.keys() - Explorer.class_trait_names())]:
        call = f"explore(game.start(), depth={[*given, 3][0]!r})"
        raise TypeError(f"explore takes no {wrong[0]}; the call is {call}")
    if isinstance(root, Trace):
        raise TypeError("explore searches a position; Explorer(trace) shows a recorded search")
    if isinstance(root, HandTree):
        game, root = root, root.start()
    if isinstance(game, str):
        kind = registry.game_type(import_path("game", game))
        played = kind.new() if rules is None else kind.new(rules=rules)
    else:
        kind, played = kind or registry.of(game), game
    played, state = kind.parse(root, played) if isinstance(root, str) else (played, root)
    check_state(state)
    known = EVALUATORS.get(kind.name, {})
    evaluator = evaluator or next(iter(known), "")
    depth, leaf = _parts_of(depth, leaf, state)
    asked = dict[str, Any](algorithm=algorithm, order=order, evaluator=evaluator, leaf=leaf)
    if beside or beside_order:
        asked |= {"beside": beside or algorithm, "beside_order": beside_order or order}
    listed = _names(asked, {"algorithm": ALGORITHMS, "order": ORDERS, "evaluator": known})
    return Explorer(request=SearchRequest(kind, played, state, depth, **listed), **traits)


def _parts_of(depth: int | Depth | None, leaf: str, state: Any) -> tuple[int, str]:
    """Return the number of a depth, by default that of the state, and what it counts."""
    if isinstance(depth, Depth):
        if type(depth) is not Depth:  # it may stop elsewhere
            raise ValueError(f"depth is {depth!r}; use a whole number, or Depth itself")
        return depth.limit, depth.unit
    if depth is None:
        depth = plies(state) if isinstance(state, Branch) else USUAL_DEPTH
    return depth, leaf


def _names(given: Mapping[str, Any], known: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The names of what is given by its name, by its import path, or as itself."""
    names = {}
    for each, of in given.items():
        what = each.removeprefix("beside_").replace("beside", "algorithm")
        name = _name_of(what, of, known[what]) if callable(of) else of
        names[each] = import_path(what, name).replace("-", "_")
    return names


def _name_of(what: str, function: Any, known: Mapping[str, Any]) -> str:
    path = f"{function.__module__}.{function.__qualname__}"
    if "<" in path:
        raise ValueError(f"{what} {path} has no import path; define it in a module, by def")
    return {each: name for name, each in known.items()}.get(function, path)
