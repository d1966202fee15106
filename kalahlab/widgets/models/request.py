"""What the explorer searches, as a value: it can be searched again with something changed.

As text it is the query of an address, the part after `#` to which the view adds its step:

    game=kalah&position=%3C2%2C0%2C0%2C3%2C3%2C3%2C3%3E&algorithm=alpha_beta&depth=4
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl, urlencode

from kalahlab.backends import LEAVES, SearchSpec
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.formatting import to_json
from kalahlab.games import Game, hand_tree
from kalahlab.games.hand_tree import Branch, HandTree
from kalahlab.games.kalah import State, swap_sides
from kalahlab.games.registry import GAMES, GameType
from kalahlab.names import parse_int
from kalahlab.outside import parse_json
from kalahlab.search import ALGORITHMS, ORDERS, greedy
from kalahlab.search.deep_enough import Depth
from kalahlab.search.observer import Stopped, Watch
from kalahlab.search.perft import full_size
from kalahlab.search.tree import Tree, pit_order
from kalahlab.trace import Trace, record
from kalahlab.trace.beside import Found, beside_alpha_beta
from kalahlab.widgets.models.model import check_depth, check_stones
from kalahlab.widgets.models.packing import LARGEST, SMALLEST, cross_out, pack

# What the depth counts, by leaf policy.
UNITS = {"sow": "sows", "turn": "turns", "quiescence": "sows, then until quiet"}
# Names as a reader sees them; others are shown as they are.
LABELS = UNITS | json.loads(Path(__file__).with_name("labels.json").read_text(encoding="utf-8"))

# What the form has besides the position.
FIELDS = ("depth", "algorithm", "order", "evaluator", "leaf", "beside", "beside_order")
USUAL_DEPTH = 4
LONGEST = 4000  # characters of a link; a longer one is not read
# What a query always says, and what it leaves out where it is so.
NEEDED = ("game", "position", "algorithm", "depth")
USUAL = {"order": "pit", "leaf": "sow", "beside": "", "beside_order": "pit", "player": "0"}
F = TypeVar("F", bound=Callable[..., Any])
MAX_NODES = 400_000  # of a search that is asked for in the widget: it is recorded whole, in memory


def kept(method: F) -> F:
    """Keep what a method gives for the two requests that were asked last.

    A search that is shown, told about and drawn is the same run: a user's own may do otherwise in
    the next one. Equal requests are not the same, as a name may come to stand for another function.
    """
    found: list[tuple[Any, Any]] = []

    @wraps(method)
    def get(self: Any, *given: Any) -> Any:
        for asked, answer in found:
            if asked is self:
                return answer
        found[:] = [(self, answer := method(self, *given)), *found[:1]]
        return answer

    return cast(F, get)


@dataclass(frozen=True)
class SearchRequest:
    """beside, beside_order: the second search, beside '' for none."""

    kind: GameType
    game: Game
    state: Any
    depth: int
    algorithm: str
    order: str
    evaluator: str
    leaf: str
    beside: str = ""
    beside_order: str = "pit"

    def traits(self, watch: Watch | None = None, level: int = SMALLEST) -> dict[str, Any]:
        """What the view is given. level: of compression. `ValueError` for too many nodes."""
        _, *beside = self._searches()
        found = [self._first(watch), *(self._recorded(*search, watch) for search in beside)]
        packed = [
            pack(trace, title, full_size(self.game, depth) if depth else None, level)
            for trace, title, depth in found
        ]
        trace, whole = found[0][0], {}
        if self.algorithm == "alpha_beta" and trace.cuts and 0 < packed[0]["full"] <= LARGEST:
            whole = cross_out(trace, self._recorded("minimax", self.order)[0])
        return {
            "form": self.form(),
            "choices": self.choices() | {"labels": LABELS, "game": _with(GAMES, self.kind.name)},
            "link": self.link(),
            "editable": isinstance(self.game, HandTree),
            "whole": whole,
            "told": self._told() if "." in self.algorithm else "",  # one's own
            "traces": packed,
        }

    def _told(self) -> str:
        said, step = self.beside_alpha_beta()
        return f"{said} Step {step} shows it." if step is not None else said

    @kept
    def beside_alpha_beta(self) -> Found:
        """What a search of a reader's own does otherwise than alpha-beta, and the step."""
        own, right = self.first()[0], self._recorded("alpha_beta", self.order)[0]
        evaluator, leaf, _ = self.spec(self.algorithm, "pit").search_args(self.game, self.depth)
        tree = Tree(self.game, evaluator, leaf, pit_order, own.nodes[0].node)
        return beside_alpha_beta(self.algorithm, own, right, tree)

    def first(self) -> tuple[Trace, str]:
        """The first search, recorded, and its title. `ValueError` if it has too many nodes."""
        return self._first()[:2]

    @kept
    def _first(self, watch: Watch | None = None) -> tuple[Trace, str, Depth | None]:
        return self._recorded(self.algorithm, self.order, watch)

    def form(self) -> dict[str, Any]:
        position = self.kind.format(self.state)
        fields = {name: getattr(self, name) for name in FIELDS}
        return {"game": self.kind.name, "position": position} | fields

    def choices(self, given: bool = True) -> dict[str, Any]:
        """What each list of the form offers: the known names, and what was `given` in Python."""
        algorithms = _with(ALGORITHMS, *(self.algorithm, self.beside) * given)
        orders = _with(ORDERS, *(self.order, self.beside_order) * given)
        return {
            "algorithm": algorithms,
            "order": orders,
            "evaluator": _with(EVALUATORS.get(self.kind.name, {}), *(self.evaluator,) * given),
            "leaf": [*LEAVES],
            "beside": ["", *algorithms],
            "beside_order": orders,
        }

    def changed(self, form: Mapping[str, Any]) -> "SearchRequest":
        """The request of a filled-in form. `ValueError` says what is wrong with it."""
        request = self._with_names(form, self.choices())
        check_depth(request.depth)
        if form["position"] == self.form()["position"]:
            return request
        game, state = self.kind.parse(form["position"], self.game)
        check_stones(state)
        depth = request.depth
        if isinstance(state, Branch) and depth == self.depth:  # nobody asks for another one
            depth = hand_tree.plies(state)
        return replace(request, game=game, state=state, depth=depth)

    def of_game(self, name: str, position: str | None = None) -> "SearchRequest":
        """The same search in a game of the registry, of its example if no position is given."""
        kind, game, state = _position(name, position or None, {})
        evaluator = next(iter(EVALUATORS.get(name, {})), "")
        depth = min(self.depth, USUAL_DEPTH) if isinstance(self.state, Branch) else self.depth
        if isinstance(state, Branch):
            depth = hand_tree.plies(state)
        changed = {"kind": kind, "game": game, "state": state, "depth": depth}
        return replace(self, **changed, evaluator=evaluator, leaf="sow")

    def _with_names(self, form: Mapping[str, Any], choices: Mapping[str, Any]) -> "SearchRequest":
        """A name that is not among the choices is refused: it might be an import path."""
        for name, known in choices.items():
            if form[name] not in known:
                what = f"{name.replace('_', ' ')} {form[name]!r}"
                raise ValueError(f"unknown {what}; use one of {', '.join(known)}")
        names = {name: form[name] for name in choices}
        return replace(self, **names, depth=parse_int(str(form["depth"]), "depth"))

    def edited(self, edit: Mapping[str, Any]) -> "SearchRequest":
        """The tree with a leaf's `value` changed, a node's `name`, a leaf to `add`, a `branch` to
        `remove`, or one moved `to` another place. path: the branches from the root to it."""
        if not isinstance(self.game, HandTree):
            raise ValueError("only a tree written by hand can be edited")
        root, path = self.game.root, edit["path"]
        change: Callable[[Branch], Branch]
        if "value" in edit:
            change = partial(hand_tree.with_value, value=hand_tree.parse_value(str(edit["value"])))
        elif "name" in edit:
            change = partial(replace, name=hand_tree.parse_name(str(edit["name"])))
        elif edit.get("add"):
            change = hand_tree.with_new_leaf
        elif edit.get("remove"):
            if not path and len(root.children) == 1:
                raise ValueError("the root keeps at least one branch")
            change = partial(hand_tree.without_branch, branch=edit["branch"])
        elif self.order == "pit" and (not self.beside or self.beside_order == "pit"):
            places = {"branch": edit["branch"], "to": edit["to"]}
            change = partial(hand_tree.with_branch_at, **places)
        else:
            raise ValueError("moves are put in order by hand only while the order is 'pit'")
        root = hand_tree.at_path(root, path, change)
        depth = self.depth
        if depth >= hand_tree.plies(self.game.root):
            depth = max(depth, hand_tree.plies(root))
        return replace(self, game=HandTree(root), state=root, depth=depth)

    def within(self, nodes: int) -> "SearchRequest":
        """The same search, as deep as `nodes` nodes go."""

        def stop(nodes: int) -> None:
            raise Stopped

        depth = 0
        while depth < self.depth:
            watch = Watch(stop, every=max(1, nodes))
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
        beside = [(self.beside, self.beside_order)] if self.beside else []
        return [(self.algorithm, self.order), *beside]

    def spec(self, algorithm: str, order: str) -> SearchSpec:
        how = (self.evaluator or None, self.leaf, order, "textbook", self.kind.name)
        return SearchSpec(algorithm, *how, start=(self.game, self.state))

    def query(self) -> str:
        """The request as text; '' if a part of it is known only where it was made."""
        form = self.form()
        listed = all(form[name] in known for name, known in self.choices(given=False).items())
        ours = type(self.game).__module__.startswith("kalahlab.")
        same = type(self.game) is type(self.kind.new())  # and no game that derives from it
        if not (listed and ours and same and GAMES.get(self.kind.name) is self.kind):
            return ""
        player = 0 if isinstance(self.game, HandTree) else self.state.player
        parts = form | {"player": player}
        if options := self._options(form["position"]):
            parts["options"] = to_json(options, separators=(",", ":"))
        said = {name: each for name, each in parts.items() if str(each) != USUAL.get(name)}
        return urlencode(said)

    def link(self) -> str:
        """The query of an address; '' if there is none or it is too long."""
        query = self.query()
        return query if len(query) <= LONGEST else ""

    @classmethod
    def from_link(cls, text: Any) -> "SearchRequest":
        """The request of a link, which may come from anybody. `ValueError` says what is wrong."""
        if isinstance(text, str) and len(text) > LONGEST:
            raise ValueError(f"this link has {len(text):,} characters; use up to {LONGEST:,}")
        request = cls.from_query(text)
        check_depth(request.depth)
        return request

    @classmethod
    def from_query(cls, text: Any) -> "SearchRequest":
        """The request that `query` wrote. `ValueError` says what is wrong with another text."""
        parts = _parts(text)
        kind, game, state = _position(parts["game"], parts["position"], parts["options"])
        parts["evaluator"] = parts.get("evaluator") or next(iter(EVALUATORS.get(kind.name, {})), "")
        if isinstance(state, State) and parts["player"] == "1":
            state = swap_sides(state)  # a Kalah text shows its mover as South
        request = cls(kind, game, state, **{name: parts[name] for name in FIELDS})
        return request._with_names(parts, request.choices(given=False))

    def _options(self, position: str) -> dict[str, Any]:
        if isinstance(self.game, HandTree):
            return {}
        played, usual = (
            asdict(cast(Any, self.kind.parse(position, game)[0]))
            for game in (self.game, self.kind.new())
        )
        return {name: value for name, value in played.items() if value != usual[name]}

    def _recorded(
        self, algorithm: str, order: str, watch: Watch | None = None
    ) -> tuple[Trace, str, Depth | None]:
        """A search, its title, and the depth of its full tree if that is known."""
        spec = self.spec(algorithm, order)
        given = (self.game, self.state, *spec.search_args(self.game, self.depth))
        trace = record(spec.searcher, *given, max_nodes=MAX_NODES, watch=watch)
        title, depth = self._title(algorithm, order), given[3]
        if not isinstance(depth, Depth):
            return trace, title, None
        searched = Depth(min(depth.limit, 1), depth.unit) if spec.searcher is greedy else depth
        return trace, title, searched

    def _title(self, algorithm: str, order: str) -> str:
        name = algorithm.replace("mtdf", "MTD(f)").replace("_no_table", " without a table")
        name = name.replace("_table", " with a table").replace("_", "-")
        ordered = "" if order == "pit" else f", {order.replace('_', ' ')} order"
        sows = self.kind.name != "kalah" and self.leaf == "sow"  # what other games do not have
        own = self.evaluator.removeprefix("__main__.").replace("_", " ")
        looked = LABELS.get(self.evaluator, own).partition(":")[0]
        how = ", ".join(filter(None, ["" if sows else UNITS.get(self.leaf, ""), looked]))
        basis, depth = f" ({how})", self.depth
        if isinstance(self.game, HandTree):
            short = hand_tree.cut_short(self.game.root, depth, self.leaf)
            basis = f"; {short}" if short else ""
            depth = min(depth, hand_tree.plies(self.game.root))
        name = algorithm if "." in algorithm else name[0].upper() + name[1:]
        return f"{name}, depth {depth}{ordered}{basis}"


def _position(name: str, text: str | None, options: Any) -> tuple[GameType, Game, Any]:
    """A game of the registry with such options, and its position; no text: its example."""
    if name not in GAMES:
        raise ValueError(f"unknown game {name!r}; use one of {', '.join(GAMES)}")
    kind = GAMES[name]
    text = kind.example if text is None else text
    game, state = kind.parse(text, _with_options(kind.new(), options))
    check_stones(state)
    return kind, game, state


def _parts(text: Any) -> dict[str, Any]:
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True, errors="strict")
    except (AttributeError, TypeError, ValueError):
        raise ValueError("this link is damaged") from None
    parts = dict(pairs)
    if len(parts) < len(pairs):
        raise ValueError("this link is damaged: it says something twice")
    for name in NEEDED:
        if name not in parts:
            raise ValueError(f"this link does not say the {name}")
    if unknown := {*parts} - {*NEEDED, *USUAL, "evaluator", "options"}:
        raise ValueError(f"this link has an unknown part {min(unknown)!r}")
    if parts.get("player", "0") not in ("0", "1"):
        raise ValueError(f"this link has an unknown player {parts['player']!r}; use 0 or 1")
    try:
        options = parse_json(parts.get("options", "{}"), LONGEST)
    except ValueError:
        options = None
    if not isinstance(options, dict):
        raise ValueError("this link is damaged: its options cannot be read")
    return USUAL | parts | {"options": options}


def _with_options(of: Any, given: Any) -> Any:
    """A value with fields `given` by name, of the types that they have, else `ValueError`."""
    if not is_dataclass(of):
        if type(given) is not type(of):
            raise ValueError(f"option {given!r} is not understood")
        return given
    known = {field.name for field in fields(of)}
    if not isinstance(given, Mapping) or not {*given} <= known:
        raise ValueError(f"options {given!r} are not understood; known are {', '.join(known)}")
    changed = {name: _with_options(getattr(of, name), each) for name, each in given.items()}
    return replace(cast(Any, of), **changed)


def _with(known: Iterable[str], *others: str) -> list[str]:
    return [*dict.fromkeys((*known, *filter(None, others)))]
