"""An immutable description of an explorer search, with methods that derive changed requests.

The text of a request is a query, which an address has after the `#`; the view appends its step:

    game=kalah&position=%3C2%2C0%2C0%2C3%2C3%2C3%2C3%3E&algorithm=alpha_beta&depth=4
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import partial, wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast
from urllib.parse import parse_qsl, urlencode

from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.formatting import capitalize_first, to_json
from kalahlab.games import Game, hand_tree
from kalahlab.games.hand_tree import Branch, HandTree
from kalahlab.games.kalah import State, swap_sides
from kalahlab.games.registry import GAMES, GameType
from kalahlab.names import parse_int
from kalahlab.players.search_spec import LEAVES, SearchSpec
from kalahlab.search import ORDERS, SEARCHES, greedy
from kalahlab.search.backing_up import BACKUPS
from kalahlab.search.deep_enough import Depth
from kalahlab.search.observer import NodeCounter, Stopped
from kalahlab.search.perft import count_full_tree
from kalahlab.search.tree import Tree, pit_order
from kalahlab.trace import Trace, record
from kalahlab.trace.compare import Comparison, compare_with_alpha_beta
from kalahlab.untrusted import parse_json
from kalahlab.widgets.models.model import check_depth, check_stones
from kalahlab.widgets.models.packing import MAX_WHOLE_NODES, SMALLEST, cross_out, pack

# The unit of the depth, by leaf rule.
UNITS = {"sow": "sows", "turn": "turns", "quiescence": "sows, then until quiet"}
# The labels of names in the form. A name without a label is shown unchanged.
LABELS = UNITS | json.loads(Path(__file__).with_name("labels.json").read_text(encoding="utf-8"))

# The fields of the form besides the position.
FIELDS = ("depth", "algorithm", "order", "evaluator", "leaf", "beside", "beside_order")
USUAL_DEPTH = 4
MAX_LINK_LENGTH = 4000  # characters; a longer link is neither made nor read
REQUIRED_PARTS = ("game", "position", "algorithm", "depth")
# The defaults of other parts. A query omits a part that has its default.
DEFAULT_PARTS = {"order": "pit", "leaf": "sow", "beside": "", "beside_order": "pit", "player": "0"}
F = TypeVar("F", bound=Callable[..., Any])
MAX_NODES = 400_000  # the limit of a search here, as its trace has all nodes in memory


def cache_last_two(method: F) -> F:
    """Decorator: cache a method's results for the last two requests.

    The search that is shown has to be the one that is described and drawn, as another run of a user
    function may differ. Requests are compared by identity: a name that two equal requests have can
    have got another function in the meantime.
    """
    results: list[tuple[Any, Any]] = []

    @wraps(method)
    def get(self: Any, *args: Any) -> Any:
        for request, result in results:
            if request is self:
                return result
        result = method(self, *args)
        results[:] = [(self, result), *results[:1]]
        return result

    return cast(F, get)


class RecordedSearch(NamedTuple):
    """A recorded search.

    Attributes:
        trace: The trace.
        title: The title.
        full_depth: The depth of the tree that minimax would visit; None if it is not known.
    """

    trace: Trace
    title: str
    full_depth: Depth | None


@dataclass(frozen=True)
class SearchRequest:
    """The parameters of one search, or of two that are shown side by side and step together.

    Attributes:
        game_type: The type of the game.
        game: The game.
        state: The position.
        depth: The depth limit.
        algorithm, order, evaluator, leaf: The names of the parts of the search; see `SearchSpec`.
        beside: The name of the second search's algorithm; "" for no second search.
        beside_order: The name of the second search's order.
    """

    game_type: GameType
    game: Game
    state: Any
    depth: int
    algorithm: str
    order: str
    evaluator: str
    leaf: str
    beside: str = ""
    beside_order: str = "pit"

    def traits(self, watch: NodeCounter | None = None, level: int = SMALLEST) -> dict[str, Any]:
        """Run the searches and return the traits of the view.

        Args:
            watch: Observes the searches, and can stop them.
            level: The level of compression, `QUICK` or `SMALLEST`.

        Raises:
            ValueError: A search has too many nodes.
        """
        searches = [self._first_search(watch)]
        if self.beside:
            searches.append(self._record_search(self.beside, self.beside_order, watch))
        packed = [self._pack(search, level) for search in searches]
        trace = searches[0].trace
        exercise = {}
        # The exercise is for a small tree in which the search made a cut. `full` is the size of the
        # tree, or 0 if it is unknown.
        is_small = 0 < packed[0]["full"] <= MAX_WHOLE_NODES
        if self.algorithm == "alpha_beta" and trace.cuts and is_small:
            exercise = cross_out(trace, self._record_search("minimax", self.order).trace)
        is_user_function = "." in self.algorithm  # an import path
        games = append_missing(GAMES, self.game_type.name)
        return {
            "form": self.form(),
            "choices": self.choices() | {"labels": LABELS, "game": games},
            "link": self.link(),
            "editable": isinstance(self.game, HandTree),
            "exercise": exercise,
            "comparison": self._describe_comparison() if is_user_function else "",
            "traces": packed,
        }

    def _pack(self, search: RecordedSearch, level: int) -> dict[str, Any]:
        """Pack a search for the view, with the sizes of its full tree if they are known."""
        sizes = None
        if search.full_depth:
            sizes = count_full_tree(self.game, search.full_depth)
        return pack(search.trace, search.title, sizes, level)

    def _describe_comparison(self) -> str:
        if getattr(self.game, "has_chance", False):  # alpha-beta does not search such a game
            return ""
        message, step = self.compare_with_alpha_beta()
        if step is None:
            return message
        return f"{message} Step {step} shows it."

    @cache_last_two
    def compare_with_alpha_beta(self) -> Comparison:
        """Compare a user's algorithm with alpha-beta.

        Return the difference in words, and the step that shows it.
        """
        trace = self.run_first()[0]
        if trace.has_own_backup:
            name = self.algorithm
            return Comparison(
                f"{name} is no minimax: it backs values up in a way of its own.", None
            )
        reference = self._record_search("alpha_beta", self.order).trace
        evaluator, leaf, _ = self.spec(self.algorithm, "pit").search_args(self.game, self.depth)
        tree = Tree(self.game, evaluator, leaf, pit_order, trace.nodes[0].node)
        return compare_with_alpha_beta(self.algorithm, trace, reference, tree)

    def run_first(self) -> tuple[Trace, str]:
        """Return the first search, recorded, and its title.

        Raises:
            ValueError: The search has too many nodes.
        """
        search = self._first_search()
        return search.trace, search.title

    @cache_last_two
    def _first_search(self, watch: NodeCounter | None = None) -> RecordedSearch:
        return self._record_search(self.algorithm, self.order, watch)

    def form(self) -> dict[str, Any]:
        """Return the content of the form: the game, the position and the `FIELDS`."""
        position = self.game_type.format(self.state)
        fields = {name: getattr(self, name) for name in FIELDS}
        return {"game": self.game_type.name, "position": position} | fields

    def choices(self, include_current: bool = True) -> dict[str, Any]:
        """Return the options of each list of the form: the registered names.

        Args:
            include_current: Add the names of this request. A name may be an import path, which was
                passed in Python.
        """
        algorithms = [*SEARCHES]
        orders = [*ORDERS]
        evaluators = [*EVALUATORS.get(self.game_type.name, {})]
        if include_current:
            algorithms = append_missing(algorithms, self.algorithm, self.beside)
            orders = append_missing(orders, self.order, self.beside_order)
            evaluators = append_missing(evaluators, self.evaluator)
        return {
            "algorithm": algorithms,
            "order": orders,
            "evaluator": evaluators,
            "leaf": [*LEAVES],
            "beside": ["", *algorithms],
            "beside_order": orders,
        }

    def with_form(self, form: Mapping[str, Any]) -> "SearchRequest":
        """Return the request of a filled-in form, or raise `ValueError` if a field is invalid."""
        request = self._with_names(form, self.choices())
        check_depth(request.depth)
        if form["position"] == self.form()["position"]:
            return request
        game, state = self.game_type.parse(form["position"], self.game)
        check_stones(state)
        depth = request.depth
        # A new tree is searched to its leaves, unless the reader changed the depth, too.
        if isinstance(state, Branch) and depth == self.depth:
            depth = hand_tree.tree_depth(state)
        return replace(request, game=game, state=state, depth=depth)

    def with_game(self, name: str, position: str | None = None) -> "SearchRequest":
        """Return the same search in another registered game, by the game's first evaluator.

        Args:
            name: The name of the game.
            position: The position as text; by default the example of the game.
        """
        game_type, game, state = _position(name, position or None, {})  # "": the form has no text
        evaluator = _default_evaluator(name)
        depth = self.depth
        if isinstance(state, Branch):
            depth = hand_tree.tree_depth(state)
        elif isinstance(self.state, Branch):  # the depth of a tree may be too large for a game
            depth = min(depth, USUAL_DEPTH)
        return replace(
            self,
            game_type=game_type,
            game=game,
            state=state,
            depth=depth,
            evaluator=evaluator,
            leaf="sow",
        )

    def _with_names(self, form: Mapping[str, Any], choices: Mapping[str, Any]) -> "SearchRequest":
        """Return the request with the names and the depth of a form.

        Raises:
            ValueError: A name is not among the choices. It could be an import path, and a form must
                not import code.
        """
        for field, options in choices.items():
            if form[field] not in options:
                label = field.replace("_", " ")
                raise ValueError(
                    f"unknown {label} {form[field]!r}; use one of {', '.join(options)}"
                )
        names = {field: form[field] for field in choices}
        return replace(self, **names, depth=parse_int(str(form["depth"]), "depth"))

    def with_edit(self, edit: Mapping[str, Any]) -> "SearchRequest":
        """Return the request with one change to its tree, which was written by hand.

        Keys of an edit:
            path: The indices of the branches from the root to a node. The change is one of these:
            value: The new value of the node, a leaf.
            name: The new name of the node.
            add: True, to add a leaf below the node.
            remove, branch: True, and the index of the branch of the node to remove.
            branch, to: The index of the branch of the node to move, and its new index.

        Args:
            edit: The edit, as the view sends it.

        Raises:
            ValueError: The game is not such a tree, or the change is not possible.
        """
        if not isinstance(self.game, HandTree):
            raise ValueError("only a tree written by hand can be edited")
        old = self.game.root
        new = hand_tree.edit_at(old, edit["path"], self._tree_change(old, edit))
        depth = self.depth
        # A search of the whole tree remains a search of the whole tree.
        if depth >= hand_tree.tree_depth(old):
            depth = max(depth, hand_tree.tree_depth(new))
        return replace(self, game=HandTree(new), state=new, depth=depth)

    def _tree_change(self, root: Branch, edit: Mapping[str, Any]) -> Callable[[Branch], Branch]:
        """Return the function that makes an edit's change at the node of its path."""
        if "value" in edit:
            return partial(hand_tree.with_value, value=hand_tree.parse_value(str(edit["value"])))
        if "name" in edit:
            return partial(replace, name=hand_tree.parse_name(str(edit["name"])))
        if edit.get("add"):
            return hand_tree.with_new_leaf
        if edit.get("remove"):
            if not edit["path"] and len(root.children) == 1:
                raise ValueError("the root keeps at least one branch")
            return partial(hand_tree.without_branch, index=edit["branch"])
        if self.order != "pit" or (self.beside and self.beside_order != "pit"):
            raise ValueError("moves can be reordered by hand only while the order is 'pit'")
        return partial(hand_tree.move_branch, index=edit["branch"], to=edit["to"])

    def with_node_limit(self, nodes: int) -> "SearchRequest":
        """Return the same search, limited to the depth that it completes within `nodes` nodes.

        The search is run to depth 1, 2 and so on until it exceeds the number.
        """

        def stop(nodes: int) -> None:
            raise Stopped

        depth = 0
        while depth < self.depth:
            watch = NodeCounter(stop, every=max(1, nodes))  # of all searches to the next depth
            try:
                for algorithm, order in self._searches():
                    spec = self.spec(algorithm, order)
                    args = spec.search_args(self.game, depth + 1)
                    spec.searcher(self.game, self.state, *args, observer=watch)
            except Stopped:
                break
            depth += 1
        return replace(self, depth=depth)

    def _searches(self) -> list[tuple[str, str]]:
        """Return the algorithm and the order of each search."""
        searches = [(self.algorithm, self.order)]
        if self.beside:
            searches.append((self.beside, self.beside_order))
        return searches

    def spec(self, algorithm: str, order: str) -> SearchSpec:
        """Return a search by the textbook; the engine's searches cannot be observed."""
        spec = SearchSpec(
            algorithm,
            self.evaluator or None,
            self.leaf,
            order,
            backend="textbook",
            game=self.game_type.name,
        )
        spec.check_evaluator(self.game, self.state)
        return spec

    def query(self) -> str:
        """Return the text of the request; "" if a part is not registered and so has no name."""
        form = self.form()
        if not self._is_registered(form):
            return ""
        # In a tree written by hand there is no player to state.
        parts = form | {"player": 0 if isinstance(self.game, HandTree) else self.state.player}
        if options := self._options(form["position"]):
            parts["options"] = to_json(options, separators=(",", ":"))
        return urlencode(
            {name: value for name, value in parts.items() if str(value) != DEFAULT_PARTS.get(name)}
        )

    def _is_registered(self, form: Mapping[str, Any]) -> bool:
        """Return whether the game and all names of the form belong to this package."""
        for field, options in self.choices(include_current=False).items():
            if form[field] not in options:
                return False
        game_class = type(self.game)
        if not game_class.__module__.startswith("kalahlab."):
            return False
        # A game that derives from the registered one may have other rules.
        has_registered_class = game_class is type(self.game_type.new())
        return has_registered_class and GAMES.get(self.game_type.name) is self.game_type

    def link(self) -> str:
        """Return the query for an address; "" if the request has no text or a too long one."""
        query = self.query()
        return query if len(query) <= MAX_LINK_LENGTH else ""

    @classmethod
    def from_link(cls, text: Any) -> "SearchRequest":
        """Parse a link, which is untrusted; raise `ValueError` if it is invalid."""
        if isinstance(text, str) and len(text) > MAX_LINK_LENGTH:
            raise ValueError(
                f"this link has {len(text):,} characters; use up to {MAX_LINK_LENGTH:,}"
            )
        request = cls.from_query(text)
        check_depth(request.depth)
        return request

    @classmethod
    def from_query(cls, text: Any) -> "SearchRequest":
        """Parse a text that `query` returned; raise `ValueError` for any other text."""
        parts = _parse_parts(text)
        game_type, game, state = _position(parts["game"], parts["position"], parts["options"])
        if not parts.get("evaluator"):
            parts["evaluator"] = _default_evaluator(game_type.name)
        if isinstance(state, State) and parts["player"] == "1":
            state = swap_sides(state)  # a Kalah text shows its mover as South
        request = cls(game_type, game, state, **{name: parts[name] for name in FIELDS})
        return request._with_names(parts, request.choices(include_current=False))

    def _options(self, position: str) -> dict[str, Any]:
        """Return the options of the game that differ from those of a new game of its type."""
        if isinstance(self.game, HandTree):
            return {}
        game, _ = self.game_type.parse(position, self.game)
        usual_game, _ = self.game_type.parse(position, self.game_type.new())
        options = asdict(cast(Any, game))
        usual = asdict(cast(Any, usual_game))
        return {name: value for name, value in options.items() if value != usual[name]}

    def _record_search(
        self, algorithm: str, order: str, watch: NodeCounter | None = None
    ) -> RecordedSearch:
        """Run a search and record it; see `traits` for the arguments and the error."""
        spec = self.spec(algorithm, order)
        evaluator, leaf, move_order = spec.search_args(self.game, self.depth)
        trace = record(
            spec.searcher,
            self.game,
            self.state,
            evaluator,
            leaf,
            move_order,
            max_nodes=MAX_NODES,
            watch=watch,
        )
        full_depth = leaf if isinstance(leaf, Depth) else None
        # The greedy search is one ply deep, whatever the given depth.
        if full_depth is not None and spec.searcher is greedy:
            full_depth = Depth(min(full_depth.limit, 1), full_depth.unit)
        return RecordedSearch(trace, self._title(algorithm, order), full_depth)

    def _title(self, algorithm: str, order: str) -> str:
        """Return the heading of a search: the algorithm, the depth, the order and details."""
        depth = self.depth
        if isinstance(self.game, HandTree):
            warning = hand_tree.depth_warning(self.game.root, depth, self.leaf)
            details = f"; {warning}" if warning else ""
            depth = min(depth, hand_tree.tree_depth(self.game.root))
        else:
            details = f" ({self._describe_leaves()})"
        ordered = "" if order == "pit" else f", {order.replace('_', ' ')} order"
        return f"{_algorithm_title(algorithm)}, depth {depth}{ordered}{details}"

    def _describe_leaves(self) -> str:
        """Return the unit of the depth and the evaluator, in words."""
        words = []
        if self.game_type.name == "kalah" or self.leaf != "sow":  # only Kalah has sows
            words.append(UNITS.get(self.leaf, ""))
        name = self.evaluator.removeprefix("__main__.").replace("_", " ")
        label = LABELS.get(self.evaluator, name)
        words.append(label.partition(":")[0])  # the part before the explanation
        return ", ".join(filter(None, words))


def _algorithm_title(algorithm: str) -> str:
    if "." in algorithm:  # an import path is shown unchanged
        return algorithm
    if algorithm in BACKUPS:
        return capitalize_first(LABELS.get(algorithm, algorithm))
    # Such as "MTD(f) without a table", "Alpha-beta with a table", "Minimax-a-b", "SSS*".
    title = algorithm.replace("mtdf_deepening", "MTD(f) with iterative deepening")
    title = title.replace("sss_star", "SSS*").replace("dual_star", "DUAL*")
    title = title.replace("mtdf", "MTD(f)").replace("_no_table", " without a table")
    title = title.replace("_table", " with a table").replace("_", "-")
    return title[0].upper() + title[1:]


def _default_evaluator(game: str) -> str:
    """Return the first registered evaluator of a game; "" if there is none."""
    return next(iter(EVALUATORS.get(game, {})), "")


def _position(name: str, text: str | None, options: Any) -> tuple[GameType, Game, Any]:
    """Return a game type, a game with options, and the position of a text.

    Without a text, the position is the example of the game type.
    """
    if name not in GAMES:
        raise ValueError(f"unknown game {name!r}; use one of {', '.join(GAMES)}")
    game_type = GAMES[name]
    if text is None:
        text = game_type.example
    game, state = game_type.parse(text, _with_options(game_type.new(), options))
    check_stones(state)
    return game_type, game, state


def _parse_parts(text: Any) -> dict[str, Any]:
    """Return the parts of a query, with the defaults of omitted parts and the options as a dict.

    Raises:
        ValueError: The text is not a query, or a part is missing, unknown or damaged.
    """
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True, errors="strict")
    except (AttributeError, TypeError, ValueError):  # the text may be any value of JSON
        raise ValueError("this link is damaged") from None
    parts = dict(pairs)
    if len(parts) < len(pairs):
        raise ValueError("this link is damaged: it has a part twice")
    for name in REQUIRED_PARTS:
        if name not in parts:
            raise ValueError(f"this link has no {name}")
    if unknown := {*parts} - {*REQUIRED_PARTS, *DEFAULT_PARTS, "evaluator", "options"}:
        raise ValueError(f"this link has an unknown part {min(unknown)!r}")
    if parts.get("player", "0") not in ("0", "1"):
        raise ValueError(f"this link has an unknown player {parts['player']!r}; use 0 or 1")
    try:
        options = parse_json(parts.get("options", "{}"), MAX_LINK_LENGTH)
    except ValueError:
        options = None
    if not isinstance(options, dict):
        raise ValueError("this link is damaged: its options cannot be read")
    return DEFAULT_PARTS | parts | {"options": options}


def _with_options(value: Any, options: Any) -> Any:
    """Return a copy of a dataclass with some of its fields replaced, recursively.

    Raises:
        ValueError: A field does not exist, or its new value is of another type.
    """
    if not is_dataclass(value):
        # `type`, not `isinstance`: True is an instance of int, but is not a number here.
        if type(options) is not type(value):
            raise ValueError(f"option {options!r} cannot be read")
        return options
    names = {field.name for field in fields(value)}
    if not isinstance(options, Mapping) or not {*options} <= names:
        raise ValueError(f"options {options!r} cannot be read; use {', '.join(names)}")
    changes = {
        name: _with_options(getattr(value, name), option) for name, option in options.items()
    }
    return replace(cast(Any, value), **changes)


def append_missing(names: Iterable[str], *others: str) -> list[str]:
    """Return the names, followed by those of the others that are not empty and not among them."""
    return [*dict.fromkeys((*names, *filter(None, others)))]
