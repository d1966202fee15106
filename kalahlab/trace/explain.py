"""`Trace`, a recorded search, with explanations of its cutoffs and its first mistakes."""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from reprlib import repr as short
from typing import TYPE_CHECKING, Any

from kalahlab.formatting import capitalize_first, format_number
from kalahlab.games import Game
from kalahlab.games.registry import GAMES
from kalahlab.search.alpha_beta import value
from kalahlab.search.deep_enough import Depth
from kalahlab.search.model import Result
from kalahlab.search.tree import Tree
from kalahlab.trace import serialise
from kalahlab.trace.recorder import Visit

if TYPE_CHECKING:
    import pandas as pd

# The parts of the sentences that explain a cut, which `Trace.reason` puts together.
#   A sound cut: the place of the cut, HAS, the bound, the place of the bound's owner, SO.
#   The bound is SURE if it is the value of a move; otherwise `_describe_bound` has other words.
#   If no move and no window explains the bound, NO_VALUE is in place of SO.
#   If the returned value does not reach the bound, RETURNED comes last.
#   A cut that the window does not allow: the place of the cut, then WRONG. If the returned value
#   reaches the bound nevertheless, CLAIMED is in place of WRONG.
HAS = ": {player} can already {hold} {value} with move {by}; "
# In place of HAS where chance moves. {most} is "most" or "least".
MEAN = ": whatever {untried} would be worth, the mean is at {most} {value}; "
SURE = "{owner} is already sure of {bound} from move {holds} "
SO = ", so {untried} cannot change the result."
WRONG = (
    ": the window does not allow this cut. {player} has {value} so far, {less} than "
    "{end} = {bound}, so {untried} can still change the result."
)
WRONG_MEAN = (
    ": the window does not allow this cut. The mean may be inside the window, so {untried} can "
    "still change the result."
)
NO_VALUE = ", but no earlier move has this value, so {untried} may still change the result."
CLAIMED = (
    ": the search returns {returned}, which reaches {end} = {bound}, but {player} has {value} so "
    "far, so {untried} can still change the result."
)
RETURNED = " But the search returns {returned}, which is wrong: it does not reach {end} = {bound}."
# The sentence of `Trace.reason` for most cuts as one template: the explorer fills the template for
# thousands of cuts. {Where} is the place of the cut node, {place} that of the bound's owner.
WHY = "{Where}" + HAS + SURE + "{place}" + SO
HOLD = {"MAX": "get", "MIN": "limit the value to"}
SHOWN_BY_BOARD = ("kalah", "tree")  # games whose positions need no drawing in characters


@dataclass(frozen=True, slots=True)
class Cut:
    """A cutoff with its reason. All attributes but `value` and `bound` are ids of visits.

    Attributes:
        node: The node that was cut off.
        by: The best child, whose value reached the bound; where chance moves, the last one.
        value: The value of `by`; where chance moves, that of the node. A faulty search may return
            another value for the node.
        bound: The bound that `value` reached: beta at a MAX node, alpha at a MIN node.
        owner: The node that set the bound.
        holds: The child of the owner whose value is the bound; None if the bound comes from the
            window with which the owner, a probe or the root, was entered.
        untried: The children that were never visited.
    """

    node: int
    by: int
    value: float
    bound: float
    owner: int
    holds: int | None
    untried: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded search.

    Attributes:
        result: The result of the search.
        nodes: The visits in the order in which they began, then the unvisited nodes.
        game: The name of the game in the registry, "" if it is not there.
        unit: What the values are: `value`, or `probability` that MAX wins.
        searched: The game and the depth limit, from which the size of the full tree follows; None
            if the limit is not a depth, or for a trace that was read from a file.
    """

    result: Result
    nodes: tuple[Visit, ...]
    game: str = ""
    unit: str = "value"
    searched: tuple[Game, Depth] | None = field(default=None, repr=False, compare=False)

    @property
    def cuts(self) -> list[Cut]:
        """Every cut, in the order in which the cut nodes were entered."""
        return [self._make_cut(visit) for visit in self.nodes if visit.kind == "cut"]

    @property
    def principal(self) -> list[int]:
        """The ids along the principal variation, from the root.

        If a move was visited several times, the last visit counts. Below a driver, the variation
        goes through one pass. This is the pass with the longest line among those with an exact
        value. Without such a pass, it is the last one that proved a lower bound. Without that, it
        is the last pass.
        """
        return self._follow_line([0])

    def _follow_line(self, ids: list[int]) -> list[int]:
        """Return the ids, extended by those of the visits along the result's line."""
        if self.nodes[ids[-1]].kind == "driver":
            passes = self.visited_children(self.nodes[ids[-1]])
            exact = [self._follow_line([*ids, visit.id]) for visit in passes if visit.is_exact]
            if exact:
                return max(reversed(exact), key=len)  # of equal lengths the last
            lower_bounds = [visit.id for visit in passes if visit.final_value >= visit.beta]
            pass_ids = lower_bounds or [visit.id for visit in passes]
            return self._follow_line([*ids, pass_ids[-1]])
        for move in self.result.line:
            visits = self.visited_children(self.nodes[ids[-1]])
            matches = [visit.id for visit in visits if visit.node.move == move]
            if not matches:
                break
            ids = [*ids, matches[-1]]
        return ids

    @property
    def levels(self) -> list[int]:
        """For each node, by id, the number of visits above the node: 0 for the root."""
        levels: list[int] = []
        for visit in self.nodes:
            levels.append(0 if visit.parent is None else 1 + levels[visit.parent])
        return levels

    def visits(self) -> Iterator[Visit]:
        """Iterate over the visits, without the unvisited nodes."""
        return (visit for visit in self.nodes if visit.kind != "unvisited")

    def visited_children(self, visit: Visit) -> list[Visit]:
        children = (self.nodes[id] for id in visit.children)
        return [child for child in children if child.kind != "unvisited"]

    def unvisited_children(self, visit: Visit) -> list[Visit]:
        children = (self.nodes[id] for id in visit.children)
        return [child for child in children if child.kind == "unvisited"]

    def events(self, id: int = 0) -> Iterator[tuple[bool, Visit]]:
        """Yield the visits of a node and all below it as they begin (True) and end (False)."""
        yield True, self.nodes[id]
        for child in self.visited_children(self.nodes[id]):
            yield from self.events(child.id)
        yield False, self.nodes[id]

    def step(self, id: int, begins: bool = True) -> int:
        """Return the number of events up to the beginning, or the end, of a visit, inclusive."""
        events = [(is_beginning, visit.id) for is_beginning, visit in self.events()]
        return events.index((begins, id)) + 1

    def path_ids(self, id: int) -> list[int]:
        """Return the ids from the root down to a node, including both."""
        parent = self.nodes[id].parent
        if parent is None:
            return [id]
        return [*self.path_ids(parent), id]

    def path(self, id: int) -> list[str]:
        """Return the labels of the visits on the path to a node, without the root."""
        visit = self.nodes[id]
        if visit.parent is None:
            return []
        return [*self.path(visit.parent), visit.label]

    def place(self, id: int) -> str:
        """Describe the place of a node: `at the root`, `after 3, 1` or `in pass 2, after 3`."""
        path = self.path(id)
        if not path:
            return "at the root"
        if self.nodes[0].kind != "driver":
            return f"after {', '.join(path)}"
        pass_name, *moves = path
        if not moves:
            return f"in {pass_name}"
        return f"in {pass_name}, after {', '.join(moves)}"

    def __repr__(self) -> str:
        nodes = len([*self.visits()])
        line = " ".join(self.path(self.principal[-1])) or "-"
        result = f"value {format_number(self.result.value)}, principal variation {line}"
        return f"<trace: {nodes:,} nodes, {len(self.cuts):,} cuts, {result}>"

    def why(self, cut: Any) -> str:
        """Return a sentence that explains a cut."""
        if not isinstance(cut, Cut):
            example = "all of them: for cut in trace.cuts: print(trace.why(cut))"
            raise TypeError(f"give a cut, such as trace.cuts[0], not {short(cut)}; {example}")
        return "".join(text for text, _ in self.reason(cut))

    def reason(self, cut: Cut) -> list[tuple[str, int | None]]:
        """Return the sentence of `why` in pieces (text, id).

        The id is that of the node whose place the text names; None if the text names no place.
        """
        visit, child = self.nodes[cut.node], self.nodes[cut.by]
        words = {
            "player": visit.player,
            "value": format_number(cut.value),
            "bound": format_number(cut.bound),
            "untried": ", ".join(self.nodes[id].name for id in cut.untried),
            "returned": format_number(visit.final_value),
            "end": "β" if visit.is_cut_above else "α",
            "less": "less" if visit.node.maximizing else "more",
            "hold": HOLD.get(visit.player, ""),
            "most": "least" if visit.is_cut_above else "most",
            "by": f"{child.name} (the table knows)" if child.kind == "table" else child.name,
        }
        place = capitalize_first(self.place(cut.node)), cut.node
        is_returned = visit.is_cut_by(visit.final_value)
        if not self.is_sound_cut(cut):
            template = CLAIMED if is_returned else WRONG
            if visit.is_chance:
                template = WRONG_MEAN
            return [place, (template.format(**words), None)]
        before, after = self._describe_bound(cut)
        template = NO_VALUE if self._is_from_nowhere(cut) else SO
        if not is_returned:
            template += RETURNED
        has = MEAN if visit.is_chance else HAS
        return [
            place,
            (has.format(**words) + before, None),
            (self.place(cut.owner), cut.owner),
            (after + template.format(**words), None),
        ]

    def is_sound_cut(self, cut: Cut) -> bool:
        """Return whether the cut's value reaches the bound; a user's search may cut off earlier."""
        return self.nodes[cut.node].is_cut_by(cut.value)

    def _is_from_nowhere(self, cut: Cut) -> bool:
        """Return whether neither a move's value nor a test or the root's window explains the bound.

        A user's search may pass such a bound to a node below the root.
        """
        owner = self.nodes[cut.owner]
        if cut.holds is not None or owner.parent is None or owner.question:
            return False
        # A pass below a driver has the driver's window, and a node below a node of chance has one
        # that follows from the mean. Both explain the bound, too.
        parent = self.nodes[owner.parent]
        return parent.kind != "driver" and not parent.is_chance

    def explain_value(self, id: int = 0) -> str:
        """Return a sentence on how the value of a node follows, in a search that says so.

        Raises:
            ValueError: The search did not explain the value, as searches by minimax do not.
        """
        reason = self.nodes[id].reason
        if not reason:
            raise ValueError(
                f"the value {self.place(id)} has no explanation; record a search of BACKUPS"
            )
        return f"{capitalize_first(self.place(id))}: {reason}"

    @property
    def has_own_backup(self) -> bool:
        """True if the search explained how its values follow, as they are not minimax's."""
        return any(visit.reason and visit.children for visit in self.nodes)

    def explain_visit(self, id: int) -> str:
        """Explain why alpha-beta visits a node: no value of an earlier sibling allows a cut."""
        visit = self.nodes[id]
        if visit.parent is None:
            return "The search begins at the root."
        parent = self.nodes[visit.parent]
        place = capitalize_first(self.place(parent.id))
        if parent.is_chance:
            return f"{place}, chance moves: the values so far do not decide on the mean."
        siblings = [self.nodes[child] for child in parent.children[: parent.children.index(id)]]
        values = [sibling.value for sibling in siblings if sibling.value is not None]
        if not values:
            return f"{place}: this is the first move. No value is known there yet."
        if parent.node.maximizing:
            best, more, opponent = max(values), "more", "MIN"
        else:
            best, more, opponent = min(values), "less", "MAX"
        sentence = f"{place}: {parent.player} has {format_number(best)} so far."
        bound = _cutoff_value(parent)
        if math.isinf(bound):
            nothing = "is not yet sure of any value above, so no cut is possible"
            return f"{sentence} {opponent} {nothing}."
        owner, holds = self.find_bound_owner(parent)
        # No such cut was made. The object only carries the bound to `_describe_bound`.
        needed_cut = Cut(parent.id, id, best, bound, owner, holds, ())
        before, after = self._describe_bound(needed_cut)
        needs = f"A cut needs {format_number(bound)} or {more}"
        return f"{sentence} {needs}, because {before}{self.place(owner)}{after}."

    def _describe_bound(self, cut: Cut) -> tuple[str, str]:
        """Describe the bound of a cut, in words before and after the place of its owner."""
        owner = self.nodes[cut.owner]
        if cut.holds is not None:
            holds = self.nodes[cut.holds].name
            return SURE.format(owner=owner.player, bound=format_number(cut.bound), holds=holds), ""
        if owner.question:
            question = owner.question.replace(">", "more than").replace("≥", "at least")
            return "", f" the only question is whether MAX gets {question}"
        if owner.parent is not None and self.nodes[owner.parent].is_chance:
            more = "less" if self.nodes[cut.node].is_cut_above else "more"
            return "", f" the mean needs {more} than {format_number(cut.bound)}"
        ends = "ends" if self.nodes[cut.node].is_cut_above else "begins"
        return "", f" the window itself {ends} at {format_number(cut.bound)}"

    def find_wrong_value(
        self, tree: Tree, exempt: Collection[int] = ()
    ) -> tuple[Visit, int, float] | None:
        """Find the first visit that ends with a value which its window does not allow.

        Args:
            tree: A tree of the same search.
            exempt: Ids of visits that may have another value than alpha-beta finds. A visit above
                one of them may, too, if its value follows from its children's; see `follows`.

        Returns:
            The visit, the number of events up to its end, and the value that alpha-beta finds.
        """
        above_exempt: set[int] = set()
        for id in exempt:
            above_exempt.update(self.path_ids(id))
        for step, (begins, visit) in enumerate(self.events(), start=1):
            if begins or visit.kind == "driver":
                continue
            if visit.id in exempt or (visit.id in above_exempt and self.follows(visit)):
                continue
            right = value(tree, visit.node, -math.inf, math.inf).value
            if visit.within(visit.final_value) != visit.within(right):
                return visit, step, right
        return None

    def follows(self, visit: Visit) -> bool:
        """Return whether a visit's value is the best child's, with both clamped to the window.

        Return False if no child was visited.
        """
        if not self.visited_children(visit):
            return False
        return visit.within(visit.final_value) == visit.within(self.best(visit).final_value)

    def find_wrong_window(
        self, exempt: Collection[int] = ()
    ) -> tuple[Visit, int, tuple[float, float]] | None:
        """Find the first visit with a window that does not contain alpha-beta's.

        Null windows are tests, and never wrong.

        Args:
            exempt: Ids of visits whose children may be searched with other windows.

        Returns:
            The visit, the number of events up to its beginning, and alpha-beta's window.
        """
        for step, (begins, visit) in enumerate(self.events(), start=1):
            if not begins or visit.parent is None or visit.question or visit.parent in exempt:
                continue
            parent = self.nodes[visit.parent]
            if parent.kind == "driver":
                continue
            siblings = parent.children[: parent.children.index(visit.id)]
            values = [self.nodes[id].final_value for id in siblings]
            alpha, beta = parent.alpha, parent.beta
            if parent.node.maximizing:
                alpha = max([alpha, *values])
            else:
                beta = min([beta, *values])
            if visit.alpha > alpha or visit.beta < beta:
                return visit, step, (alpha, beta)
        return None

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each node of `nodes`.

        Columns:
            id, parent: The ids of the node and of its parent; None for the parent of the root.
            path: The labels of the moves from the root, separated by spaces.
            move: The name of the last move, or of the pass.
            player: MAX or MIN, the player to move, or CHANCE.
            sows, turns: The depth of the node in either unit.
            extra_turn, probe, kind: The attributes of `Visit`.
            alpha, beta: The window on entry; None if unvisited.
            value: The value; None if unvisited.
            bound: The bound that the value of a cut reached; None without a cut.
            owner: The id of the node that set the bound; None without a cut.
            untried: The names of the children that were never visited, separated by spaces.
        """
        cuts = {cut.node: cut for cut in self.cuts}
        rows = []
        for visit in self.nodes:
            cut = cuts.get(visit.id)
            row: dict[str, Any] = {
                "id": visit.id,
                "parent": visit.parent,
                "path": " ".join(self.path(visit.id)),
                "move": visit.name,
                "player": visit.player,
                "sows": visit.node.sows,
                "turns": visit.node.turns,
                "extra_turn": visit.extra_turn,
                "probe": visit.probe,
                "kind": visit.kind,
                "alpha": None,
                "beta": None,
                "value": visit.value,
                "bound": None,
                "owner": None,
                "untried": " ".join(child.name for child in self.unvisited_children(visit)),
            }
            if visit.kind != "unvisited":
                row |= {"alpha": visit.alpha, "beta": visit.beta}
            if cut is not None:
                row |= {"bound": cut.bound, "owner": cut.owner}
            rows.append(row)
        return rows

    def table(self) -> "pd.DataFrame":
        """Return the `rows` as a data frame of numbers, with missing values in place of None."""
        import pandas as pd

        # A column of None only would have no type. An Int64 may be missing, unlike an int64.
        numbers = dict.fromkeys(("alpha", "beta", "value", "bound"), "float")
        ids = dict.fromkeys(("parent", "owner"), "Int64")
        return pd.DataFrame(self.rows()).astype(numbers | ids)

    def to_json(self) -> str:
        """Format the trace as JSON, which `from_json` parses; see `serialise.to_json`."""
        drawings = [self.draw_position(visit) for visit in self.nodes]
        return serialise.to_json(
            self.result, self.principal, self.game, self.unit, self.nodes, self.rows(), drawings
        )

    @classmethod
    def from_json(cls, text: str) -> "Trace":
        """Parse the text that `to_json` wrote. The states of the trace are `serialise.Shown`.

        Raises:
            ValueError: The text is not a trace.
        """
        trace = cls(*serialise.from_json(text))
        try:
            # Both are computed only for the errors that they raise.
            _ = trace.cuts
            for visit in trace.nodes:
                if visit.children:
                    trace.find_bound_owner(visit)
        except (LookupError, StopIteration, TypeError, ValueError):
            raise ValueError(
                "this is not a trace: its cuts do not follow from its values"
            ) from None
        return trace

    def draw_position(self, visit: Visit) -> str:
        """Draw a position in characters; return "" if `state.board` alone shows the position."""
        state = visit.node.state
        if isinstance(state, serialise.Shown):
            return state.drawn
        if self.game not in GAMES or self.game in SHOWN_BY_BOARD:
            return ""
        return GAMES[self.game].draw(state)

    def _make_cut(self, visit: Visit) -> Cut:
        # The value that a faulty search returns may not be a child's: the best child's is used.
        child = self.best(visit)
        owner, holds = self.find_bound_owner(visit)
        untried = tuple(sibling.id for sibling in self.unvisited_children(visit))
        value = visit.final_value if visit.is_chance else child.final_value
        return Cut(visit.id, child.id, value, _cutoff_value(visit), owner, holds, untried)

    def best(self, visit: Visit) -> Visit:
        """Return the child with the best value for the player to move, the first of equal ones.

        Of several visits of a move the last one counts. Where chance moves, it is the last child.

        Raises:
            ValueError: No child was visited.
        """
        latest = {child.node.move: child for child in self.visited_children(visit)}
        if visit.is_chance:  # nobody chooses, but the last child's value was decisive
            return [*latest.values()][-1]
        choose = max if visit.node.maximizing else min
        return choose(latest.values(), key=lambda child: child.final_value)

    def find_bound_owner(self, visit: Visit) -> tuple[int, int | None]:
        """Find the node that set the bound of a node's cutoffs, and the child with that value.

        The bound is handed down, with the window, from the first node on the way from the root
        that was entered with the bound. At that node the bound is a value that the parent was sure
        of, or an end of the null window of a test. In a faulty search of a user it may be neither.

        Returns:
            The id of the node, and that of the child whose value is the bound; None for the child
            if the bound comes from the window of the node.
        """
        bound = _cutoff_value(visit)
        is_upper = visit.is_cut_above

        def shares_bound(ancestor: Visit) -> bool:
            end = ancestor.beta if is_upper else ancestor.alpha
            return end == bound

        first = visit
        while first.parent is not None and shares_bound(self.nodes[first.parent]):
            first = self.nodes[first.parent]
        if first.parent is None:
            return first.id, None
        parent = self.nodes[first.parent]
        owner = "MIN" if is_upper else "MAX"
        if parent.kind == "driver" or parent.player != owner:
            return first.id, None
        # The first child with this value. Of several visits of a move the last one counts.
        siblings = parent.children[: parent.children.index(first.id)]
        latest = {self.nodes[id].node.move: id for id in siblings}
        for id in latest.values():
            if self.nodes[id].value == bound:
                return parent.id, id
        return first.id, None


def _cutoff_value(visit: Visit) -> float:
    """Return the end of the window at which the search may cut a visit off."""
    return visit.beta if visit.is_cut_above else visit.alpha
