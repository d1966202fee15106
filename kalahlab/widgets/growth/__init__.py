"""The explorer of searches that grow a tree: each iteration in four states, with its reasons.

    explore_growth(Kalah(3, 2).start(), algorithm="uct", limit=Playouts(200))  # searches
    GrowthExplorer(trace)  # shows a search that `record_growth` recorded

Python runs the search. JavaScript looks up what was known at each step, so a page without a kernel
can do everything but search.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Literal

import traitlets

from kalahlab.draw.board_svg import board_svg
from kalahlab.draw.growth_svg import growth_svg
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.formatting import format_grid
from kalahlab.games import Game, registry
from kalahlab.games.kalah import State
from kalahlab.games.rules import Rules
from kalahlab.names import import_named
from kalahlab.players.growth_spec import find_growing_search, find_leaf, parse_option
from kalahlab.search.arguments import check_state
from kalahlab.search.growing import GROWING, PLAYOUTS, GrowingSearch, Playout, Policy
from kalahlab.search.growing.loop import to_growing_search
from kalahlab.search.limits import Depth, Limit, Nodes, Playouts, Seconds
from kalahlab.trace.growth import GrowthTrace, record_growth
from kalahlab.widgets.explorer import parse_root
from kalahlab.widgets.models.growth_packing import explain_iteration, pack_growth
from kalahlab.widgets.runtime import BUNDLES
from kalahlab.widgets.widget import Widget

USUAL_PLAYOUTS, USUAL_NODES, USUAL_DEPTH = Playouts(200), Nodes(1000), Depth(4)
# The largest limits of a search that is recorded for a view; its page has some 5 MB.
MAX_PLAYOUTS, MAX_NODES, MAX_DEPTH = 20_000, 100_000, 7


class GrowthExplorer(Widget):
    """One search that grew a tree.

    Attributes:
        traces: The search, packed by `growth_packing.pack_growth`.
        step: The number of iterations that the view shows; the view changes it, too.
        trace: The search. This is not a trait.
        limit: The limit of the search, if `explore_growth` ran it; not a trait, either.
    """

    title = "Search explorer"
    _esm = BUNDLES / "growth.js"
    _css = BUNDLES / "growth.css"

    traces = traitlets.List(traitlets.Dict()).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)

    def __init__(
        self,
        trace: GrowthTrace,
        title: str = "",
        step: int = 0,
        theme: Literal["", "light", "dark"] = "",
    ) -> None:
        """Show a recorded search.

        Args:
            trace: The search, from `record_growth`.
            title: The title of the search; by default the name of its policy.
            step: The iteration to show first.
            theme: `light`, `dark`, or "" for the theme of the page.

        Raises:
            TypeError: The argument is not a recorded search that grew a tree.
        """
        if not isinstance(trace, GrowthTrace):
            raise TypeError("GrowthExplorer shows what record_growth returns")
        self.trace = trace
        self.limit: Limit | None = None
        packed = pack_growth(trace, title or type(trace.policy).__name__)
        super().__init__(traces=[packed], step=step, theme=theme)

    def __repr__(self) -> str:
        return f"<{self.traces[0]['title']}: run the cell to step through it>"

    def handle(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a message: the reasons of an iteration, or a page to save."""
        if "page" in message:
            return {"page": self.page(live="no")}
        return {"reasons": explain_iteration(self.trace, int(message["reasons"]))}

    def to_recipe(self) -> None:
        """Return None: a page cannot search again."""

    def still(self) -> str:
        """Draw the tree at the step that is shown first."""
        return growth_svg(self.trace, self.step or None, self.traces[0]["title"])

    def fallback(self) -> str:
        """Draw the position and, below it, the moves of the root at the end of the search."""
        trace = self.trace
        state = trace.nodes[0].state
        drawing = board_svg(state) if isinstance(state, State) else ""
        rows = list[dict[str, Any]]()
        for candidate in trace.candidates(0, trace.steps):
            rows.append({"move": candidate.name} | candidate.numbers._asdict())
        table = format_grid(rows) if rows else "The game is over."
        return f"{drawing}\n<pre>{escape(table)}</pre>"


def explore_growth(
    root: Any,
    *,
    game: str | Game = "kalah",
    algorithm: str | GrowingSearch | type[Policy] = "uct",
    evaluator: str | Evaluator | Playout | None = None,
    limit: Limit | None = None,
    rules: Rules | str | None = None,
    settings: Sequence[str] = (),
    game_type: registry.GameType | None = None,
    step: int = 0,
    theme: Literal["", "light", "dark"] = "",
    **options: Any,
) -> GrowthExplorer:
    """Search a position, or a tree written by hand, by a search that grows a tree, and show it.

    Args:
        root: A position as text, a state of the game, or a tree.
        game: A game, or its name in the registry.
        algorithm: The search, a class of a policy, a name in `GROWING`, or an import path.
        evaluator: What values a leaf: an evaluator, a playout, or the name of either. By default
            random playouts, and for a search that takes no playouts the game's first evaluator.
        limit: How long to search; by default 200 playouts, 1,000 nodes or a depth of 4.
        rules: Kalah's rules, if the game is given by its name.
        settings: Options of the search as texts, such as `c=5`.
        game_type: The type of an unregistered game; evaluators are looked up under its name.
        step: The iteration to show first.
        theme: `light`, `dark`, or "" for the theme of the page.
        **options: The seed and the options of the search, such as `c` of UCT or `at_least` of
            `proof_number`.

    Raises:
        ValueError: A name is unknown, or the search does not take the limit, or the limit is too
            large for a view.
    """
    game_type, played, state = parse_root(root, game, game_type, rules)
    check_state(state)
    search = find_search(algorithm)
    limit = limit or usual_limit(search)
    check_size(limit)
    if evaluator is None:
        evaluator = usual_leaf(search, game_type.name)
    elif isinstance(evaluator, str):
        evaluator = find_leaf(import_named("evaluator", evaluator), game_type.name)
    options |= dict(parse_option(search, text, game_type.name) for text in settings)
    trace = record_growth(search, played, state, evaluator, limit, **options)
    name = search.__name__  # type: ignore[attr-defined]
    explorer = GrowthExplorer(trace, f"{name}, {describe_limit(limit)}", step, theme)
    explorer.limit = limit
    return explorer


def find_search(algorithm: str | GrowingSearch | type[Policy]) -> GrowingSearch:
    """Return a search by its name or import path; raise ValueError if it grows no tree."""
    if not isinstance(algorithm, str):
        return to_growing_search(algorithm)
    search = find_growing_search(import_named("algorithm", algorithm))
    if search is None:
        names = ", ".join(GROWING)
        raise ValueError(f"{algorithm!r} is no search that grows a tree; use one of {names}")
    return search


def usual_leaf(search: GrowingSearch, game: str) -> Evaluator | Playout:
    """Return what values a leaf by default."""
    evaluators = EVALUATORS.get(game, {})
    if isinstance(usual_limit(search), Playouts) or not evaluators:
        return PLAYOUTS["random"]
    return next(iter(evaluators.values()))


def usual_limit(search: GrowingSearch) -> Playouts | Nodes | Depth:
    """Return the default limit of a search."""
    limits = search.policy.limits
    usual = (USUAL_PLAYOUTS, USUAL_NODES, USUAL_DEPTH)
    return next(limit for limit in usual if type(limit) in limits)


def check_size(limit: Limit) -> None:
    """Raise ValueError for a limit beyond which a view would be too large."""
    if isinstance(limit, Playouts) and limit.n > MAX_PLAYOUTS:
        raise ValueError(f"playouts is {limit.n}; use {MAX_PLAYOUTS} or less")
    if isinstance(limit, Nodes) and limit.n > MAX_NODES:
        raise ValueError(f"nodes is {limit.n}; use {MAX_NODES} or less")
    if isinstance(limit, Depth) and limit.limit > MAX_DEPTH:
        raise ValueError(f"depth is {limit.limit}; use {MAX_DEPTH} or less")


def describe_limit(limit: Limit) -> str:
    """Return a limit in words, such as `200 playouts`."""
    if isinstance(limit, Playouts):
        return f"{limit.n:,} playouts"
    if isinstance(limit, Nodes):
        return f"{limit.n:,} nodes"
    if isinstance(limit, Depth):
        return f"depth {limit.limit}"
    return f"{limit.s:g} seconds" if isinstance(limit, Seconds) else str(limit)
