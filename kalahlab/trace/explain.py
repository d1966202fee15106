"""A recorded search, and what follows from it: above all, why each cut was made."""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from reprlib import repr as short
from typing import TYPE_CHECKING, Any

from kalahlab.games.registry import GAMES
from kalahlab.search.alpha_beta import value
from kalahlab.search.model import Result
from kalahlab.search.tree import Tree
from kalahlab.trace import serialise
from kalahlab.trace.record import Visit, number

if TYPE_CHECKING:
    import pandas as pd

HAS = ": {player} can already {hold} {value} with move {by}; "
SURE = "{owner} is already sure of {bound} from move {holds} "
SO = ", so {untried} cannot change the result."
WRONG = ": the window does not allow this cut. {player} has {value} so far, {less} than {end}, "
WRONG += "which is {bound}, so {untried} can still change the result."
NO_VALUE = ", which no move before has, so {untried} may still change the result."
CLAIMED = (
    ": {returned} is returned, which reaches {end}, {bound}, but {player} has {value} so far, "
)
CLAIMED += "so {untried} can still change the result."
RETURNED = (
    " But the value that is returned, {returned}, is wrong: it does not reach {end}, {bound}."
)
# What `Trace.reason` says of most cuts, so that the explorer can say it of thousands of them.
WHY = "{Where}" + HAS + SURE + "{place}" + SO
HOLD = {"MAX": "get", "MIN": "limit the value to"}
SHOWN_BY_BOARD = ("kalah", "tree")  # by the numbers of the board, or by the tree itself


@dataclass(frozen=True, slots=True)
class Cut:
    """Why a node was left early.

    by: the child whose value crossed the bound. value: that value, the best of the children's;
    a wrong search may return another one. bound: what it crossed, beta at a MAX node and alpha at
    a MIN node. owner: the node that set the bound. holds: the owner's child that gave it the
    bound; None if no child did, but the window that the owner, a probe or the root, was entered
    with. untried: the children never visited. All but the two numbers are ids.
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
    """game: the name in the registry of the one searched, '' if it is not there."""

    result: Result
    nodes: tuple[Visit, ...]
    game: str = ""

    @property
    def cuts(self) -> list[Cut]:
        """Every cut, in the order in which the cut nodes were entered."""
        return [self._cut(visit) for visit in self.nodes if visit.kind == "cut"]

    @property
    def principal(self) -> list[int]:
        """The ids along the principal variation; of a move searched twice, the second visit."""
        if self.nodes[0].kind != "driver":
            return self._along([0])
        visits = self.tried(self.nodes[0])
        exact = [self._along([0, each.id]) for each in visits if each.is_exact]
        if exact:
            return max(reversed(exact), key=len)
        high = [each.id for each in visits if each.found >= each.beta]
        return self._along([0, (high or self.nodes[0].children)[-1]])

    def _along(self, ids: list[int]) -> list[int]:
        """Return the ids, and those of the visits from the last one on along the result's line."""
        for move in self.result.line:
            below = [child.id for child in self.tried(self.nodes[ids[-1]])]
            found = [id for id in below if self.nodes[id].node.move == move]
            if not found:
                break
            ids = [*ids, found[-1]]
        return ids

    @property
    def levels(self) -> list[int]:
        """How many nodes are above each node."""
        levels: list[int] = []
        for visit in self.nodes:
            levels.append(0 if visit.parent is None else 1 + levels[visit.parent])
        return levels

    def visited(self) -> Iterator[Visit]:
        return (visit for visit in self.nodes if visit.kind != "unvisited")

    def tried(self, visit: Visit) -> list[Visit]:
        children = (self.nodes[id] for id in visit.children)
        return [child for child in children if child.kind != "unvisited"]

    def untried(self, visit: Visit) -> list[Visit]:
        children = (self.nodes[id] for id in visit.children)
        return [child for child in children if child.kind == "unvisited"]

    def events(self, id: int = 0) -> Iterator[tuple[bool, Visit]]:
        """The visits as they begin (True) and end (False), of a node and all below it."""
        yield True, self.nodes[id]
        for child in self.tried(self.nodes[id]):
            yield from self.events(child.id)
        yield False, self.nodes[id]

    def step(self, id: int, begins: bool = True) -> int:
        """How many events are past when the visit has just begun, or ended."""
        return [(kind, visit.id) for kind, visit in self.events()].index((begins, id)) + 1

    def way(self, id: int) -> list[int]:
        """Return the ids from the root down to a node."""
        up = self.nodes[id].parent
        return [id] if up is None else [*self.way(up), id]

    def path(self, id: int) -> list[str]:
        visit = self.nodes[id]
        return [] if visit.parent is None else [*self.path(visit.parent), visit.label]

    def place(self, id: int) -> str:
        if not (path := self.path(id)) or self.nodes[0].kind != "driver":
            return f"after {', '.join(path)}" if path else "at the root"
        number_of_pass, *moves = path
        return f"in {number_of_pass}" + (f", after {', '.join(moves)}" if moves else "")

    def __repr__(self) -> str:
        nodes, line = len([*self.visited()]), " ".join(self.path(self.principal[-1]))
        found = f"value {number(self.result.value)}, principal variation {line or '-'}"
        return f"<trace: {nodes:,} nodes, {len(self.cuts):,} cuts, {found}>"

    def why(self, cut: Any) -> str:
        if not isinstance(cut, Cut):
            every = "all of them: for cut in trace.cuts: print(trace.why(cut))"
            raise TypeError(f"give a cut, such as trace.cuts[0], not {short(cut)}; {every}")
        return "".join(text for text, _ in self.reason(cut))

    def reason(self, cut: Cut) -> list[tuple[str, int | None]]:
        """`why` in pieces; with those that say where something is goes that node's id."""
        node, by = self.nodes[cut.node], self.nodes[cut.by]
        known = " (the table knows)" if by.kind == "table" else ""
        said = {"player": node.player, "value": number(cut.value), "bound": number(cut.bound)}
        said["untried"] = ", ".join(self.nodes[id].name for id in cut.untried)
        where = capital(self.place(cut.node)), cut.node
        said |= {"returned": number(node.found), "end": "β" if node.node.maximizing else "α"}
        reached = node.is_cut_by(node.found)
        if not self.allows(cut):
            less = "less" if node.node.maximizing else "more"
            wrong = CLAIMED if reached else WRONG
            return [where, (wrong.format(less=less, **said), None)]
        has = HAS.format(hold=HOLD[node.player], by=by.name + known, **said)
        before, after = self._against(cut)
        so = (NO_VALUE if self._from_nowhere(cut) else SO) + ("" if reached else RETURNED)
        return [
            where,
            (has + before, None),
            (self.place(cut.owner), cut.owner),
            (after + so.format(**said), None),
        ]

    def allows(self, cut: Cut) -> bool:
        """Whether the value has reached the bound; a search of a reader's own may cut before."""
        return self.nodes[cut.node].is_cut_by(cut.value)

    def _from_nowhere(self, cut: Cut) -> bool:
        owner = self.nodes[cut.owner]
        above = owner.parent is not None and self.nodes[owner.parent].kind != "driver"
        return cut.holds is None and above and not owner.question

    def why_visited(self, id: int) -> str:
        """Why alpha-beta could not leave a node out: what its parent had, and what a cut needed."""
        visit = self.nodes[id]
        if visit.parent is None:
            return "The search begins at the root."
        above = self.nodes[visit.parent]
        place = capital(self.place(above.id))
        values = [self.nodes[c].value for c in above.children[: above.children.index(id)]]
        if not (elder := [value for value in values if value is not None]):
            return f"{place}: this is the first move. No value is known there yet."
        best, more = (max, "more") if above.node.maximizing else (min, "less")
        has = f"{place}: {above.player} has {number(best(elder))} so far"
        if math.isinf(bound := _opposing(above)):
            other = "MIN" if above.node.maximizing else "MAX"
            return f"{has}. {other} is sure of nothing above, so there is nothing to cut against."
        owner, holds = self.bound_owner(above)
        before, after = self._against(Cut(above.id, id, best(elder), bound, owner, holds, ()))
        needs = f"A cut needs {number(bound)} or {more}"
        return f"{has}. {needs}, because {before}{self.place(owner)}{after}."

    def _against(self, cut: Cut) -> tuple[str, str]:
        """What a cut's value is held against, in words before and after the owner's place."""
        owner = self.nodes[cut.owner]
        if cut.holds is not None:
            holds = self.nodes[cut.holds].name
            return SURE.format(owner=owner.player, bound=number(cut.bound), holds=holds), ""
        if owner.question:
            question = owner.question.replace(">", "more than").replace("≥", "at least")
            return "", f" the only question is whether MAX gets {question}"
        ends = "ends" if self.nodes[cut.node].node.maximizing else "begins"
        return "", f" the window itself {ends} at {number(cut.bound)}"

    def first_wrong(
        self, tree: Tree, elsewhere: Collection[int] = ()
    ) -> tuple[Visit, int, float] | None:
        """Find the first visit that ends with a value which its window does not excuse.

        Args:
            tree: Of the same search.
            elsewhere: Ids of visits that may have another value than alpha-beta finds; so may
                those above them whose value follows from theirs.

        Returns:
            The visit, the events that are past then, and what alpha-beta finds there.
        """
        excused = {id for each in elsewhere for id in self.way(each)}
        for past, (begins, visit) in enumerate(self.events(), start=1):
            if begins or visit.kind == "driver":
                continue
            if visit.id in elsewhere or (visit.id in excused and self.follows(visit)):
                continue
            right = value(tree, visit.node, -math.inf, math.inf).value
            if visit.within(visit.found) != visit.within(right):
                return visit, past, right
        return None

    def follows(self, visit: Visit) -> bool:
        """Return whether a value is that of the best child, as far as the window tells."""
        below = bool(self.tried(visit))
        return below and visit.within(visit.found) == visit.within(self.best(visit).found)

    def first_wrong_window(
        self, elsewhere: Collection[int] = ()
    ) -> tuple[Visit, int, tuple[float, float]] | None:
        """Find the first visit with a window that leaves out what alpha-beta's has.

        Null windows are questions, and right.

        Args:
            elsewhere: Ids of visits whose children are searched with windows of their own.

        Returns:
            The visit, the events that are past then, and alpha-beta's window.
        """
        for past, (begins, visit) in enumerate(self.events(), start=1):
            if not begins or visit.parent is None or visit.question or visit.parent in elsewhere:
                continue
            above = self.nodes[visit.parent]
            elder = [self.nodes[id] for id in above.children[: above.children.index(visit.id)]]
            found = [each.found for each in elder if above.kind != "driver"]
            high = above.node.maximizing
            low = max((above.alpha, *found)) if high else above.alpha
            top = above.beta if high else min((above.beta, *found))
            if above.kind != "driver" and (visit.alpha > low or visit.beta < top):
                return visit, past, (low, top)
        return None

    def rows(self) -> list[dict[str, Any]]:
        """One row a node, the unvisited ones last, whose `value` is missing. alpha, beta: the
        window on entry. bound, owner: what a cut crossed, and the id of the node that set it."""
        cuts = {cut.node: cut for cut in self.cuts}
        return [
            {
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
                "alpha": visit.alpha if visit.kind != "unvisited" else None,
                "beta": visit.beta if visit.kind != "unvisited" else None,
                "value": visit.value,
                "bound": cut.bound if cut else None,
                "owner": cut.owner if cut else None,
                "untried": " ".join(child.name for child in self.untried(visit)),
            }
            for visit, cut in ((visit, cuts.get(visit.id)) for visit in self.nodes)
        ]

    def table(self) -> "pd.DataFrame":
        """The `rows`: a node a row, numbers as such, missing where there is none."""
        import pandas as pd

        numbers = dict.fromkeys(("alpha", "beta", "value", "bound"), "float")
        ids = dict.fromkeys(("parent", "owner"), "Int64")
        return pd.DataFrame(self.rows()).astype(numbers | ids)

    to_json = serialise.to_json

    @classmethod
    def from_json(cls, text: str) -> "Trace":
        """The trace that `to_json` wrote, its states as `Shown`. `ValueError` for another text."""
        trace = cls(*serialise.from_json(text))
        try:
            _ = trace.cuts, [trace.bound_owner(each) for each in trace.nodes if each.children]
        except (LookupError, StopIteration, TypeError, ValueError):
            raise ValueError("this is no trace: its cuts do not follow from its values") from None
        return trace

    def drawn(self, visit: Visit) -> str:
        """A position in characters, as its game draws it; '' for one that its board says all of."""
        state = visit.node.state
        if isinstance(state, serialise.Shown):
            return state.drawn
        known = self.game in GAMES and self.game not in SHOWN_BY_BOARD
        return GAMES[self.game].draw(state) if known else ""

    def _cut(self, visit: Visit) -> Cut:
        by, untried = self.best(visit), tuple(each.id for each in self.untried(visit))
        owner, holds = self.bound_owner(visit)
        return Cut(visit.id, by.id, by.found, _opposing(visit), owner, holds, untried)

    def best(self, visit: Visit) -> Visit:
        """Return the child whose value is the best for who moves, the first one of equal ones.

        Of the visits of a move the last one counts. Raises `ValueError` if no child was visited.
        """
        latest = {child.node.move: child for child in self.tried(visit)}.values()
        choose = max if visit.node.maximizing else min
        return choose(latest, key=lambda child: child.found)

    def bound_owner(self, visit: Visit) -> tuple[int, int | None]:
        """Who set the bound that cuts a node, and by which child, None if by its window: ids.

        The bound came down from the first node on the way that was entered with it: as what
        the parent was sure of, as the question that was asked there, or out of nowhere, as in a
        wrong search of a reader's own.
        """
        bound = _opposing(visit)

        def given(to: Visit) -> bool:
            return bound == (to.beta if visit.node.maximizing else to.alpha)

        first = visit
        while first.parent is not None and given(self.nodes[first.parent]):
            first = self.nodes[first.parent]
        if first.parent is None:
            return first.id, None
        above = self.nodes[first.parent]
        if above.kind == "driver" or above.node.maximizing == visit.node.maximizing:
            return first.id, None
        # the first child that was worth the bound; of two visits of a move the second counts
        elder = above.children[: above.children.index(first.id)]
        latest = {self.nodes[id].node.move: id for id in elder}
        holds = [id for id in latest.values() if self.nodes[id].value == bound]
        return (above.id, holds[0]) if holds else (first.id, None)


def _opposing(visit: Visit) -> float:
    return visit.beta if visit.node.maximizing else visit.alpha


def capital(text: str) -> str:
    return text[0].upper() + text[1:]
