"""Where the nodes of a recorded search are drawn, and what is written there; lengths in pixels.

Leaves stand side by side, or in a column under their parent, parents midway over their children.
"""

from itertools import accumulate, groupby
from math import isinf
from typing import NamedTuple

from kalahlab.draw import svg
from kalahlab.draw.mini_board import mini_board
from kalahlab.formatting import StableRepr
from kalahlab.trace import Cut, Trace, Visit, number

VALUE, NAME, SMALL = 15, 14, 13  # sizes of values, of move names, and of windows and bounds
# Heights of a triangle, a leaf, a leaf in a column, the gap of a cut in a column, and a window.
TALL, PILL, ROW, SPLIT, WINDOW = 44, 26, 24, 22, 22
# Height of the edges, length of those in a column, space between neighbours and around.
DROP, TICK, GAP, MARGIN = 54, 10, 9, 16
NAMED_AT, CUT_AT = 0.7, 0.34  # how far down its edge a move's name stands, and a cut
NAME_LIMIT = 130  # the longest a move's name is drawn; a longer one is shortened
MAX_NODES = 400  # the most nodes that are drawn

Point = tuple[float, float]
Block = tuple[int, ...]  # children that hang on one edge: one child, or a column of them
Bar = tuple[Cut, float, float, float]  # of a cut: left and right end, and height


def fitting_depth(trace: Trace) -> int:
    """The greatest `depth` at which `tree_svg` draws at most `MAX_NODES` nodes, at least 0."""
    depths = sorted(trace.levels)
    return max(0, depths[MAX_NODES] - 1) if len(depths) > MAX_NODES else depths[-1]


def value_text(visit: Visit) -> str:
    """The value, with ≤ or ≥ if it is only a bound: outside the window on entry."""
    return "" if visit.value is None else visit.bound + _brief(visit.value)


def _brief(value: float) -> str:
    broken = not isinf(value) and value != int(value)
    return number(float(f"{value:.4g}") if broken else value)


def window_text(visit: Visit) -> str:
    """The window on entry; a null window as a comparison with one number."""
    window = f"[{_brief(visit.alpha)}, {_brief(visit.beta)}]"
    return f"{visit.question}?" if visit.question else window


def cut_text(trace: Trace, cut: Cut) -> str:
    """The bound that was reached; one that lies next to a number is written as > or < it."""
    visit = trace.nodes[cut.node]
    if visit.node.maximizing:
        return f"β>{_brief(visit.alpha)}" if ">" in visit.question else f"β={_brief(cut.bound)}"
    return f"α<{_brief(visit.beta)}" if "≥" in visit.question else f"α={_brief(cut.bound)}"


def name_text(visit: Visit) -> str:
    name = svg.shortened(visit.name, NAME_LIMIT, NAME)
    return ("↻" if visit.again else "") + name + visit.label.removeprefix(visit.name)


def unvisited_text(trace: Trace, visit: Visit) -> str:
    """Say of a node that was not visited whether a cut is why, after which no visit can come."""
    cut = trace.nodes[visit.parent or 0].kind == "cut"
    return "never visited" if cut else "not visited"


def in_words(trace: Trace, visit: Visit) -> str:
    place = trace.place(visit.id)
    if visit.kind == "unvisited":
        return f"{place}: {unvisited_text(trace, visit)}"
    sign = {"≤": "at most ", "≥": "at least ", "": ""}[visit.bound]
    ended = "leaf" if trace.game == "tree" else "finished game"
    who = {"leaf": "leaf", "finished": ended, "table": "known from the table"}
    window = f"window [{number(visit.alpha)}, {number(visit.beta)}]"
    asked = f"asked whether {visit.question}" if visit.question else window
    to_move = f"{visit.player} to move"
    return f"{place}: {who.get(visit.kind, to_move)}, value {sign}{number(visit.value)}, {asked}"


class Place(NamedTuple):
    """A node's upper edge, in its middle; in a column, its upper left corner. edge: the corners of
    the line from its parent."""

    x: float
    y: float
    column: bool
    edge: tuple[Point, ...]


class Extent(NamedTuple):
    """How far something reaches from its middle. tips: where its edges end from there."""

    left: float
    right: float
    tips: tuple[float, ...] = ()


class Layout(StableRepr):
    """The levels of a trace down to `depth`, laid out.

    shown: node -> its drawn children. below: node whose children are left out -> how many nodes
    were visited there. principal: the best line, if it has a move. columns: whether siblings
    without children stand in a column. board: width and height, zero without boards. base: of a
    triangle. pill: width of a leaf by itself. row, row_height: of one in a column. node: height
    down to where its edges begin.
    """

    def __init__(self, trace: Trace, depth: int | None, boards: bool, columns: bool) -> None:
        self.trace, self.columns = trace, columns
        self._choose(depth)
        self._measure(boards)
        self.places: dict[int, Place] = {}
        self.bars: list[Bar] = []
        self.extents: dict[int, Extent] = {}
        for id in sorted(self.shown, reverse=True):  # children have greater ids
            self.extents[id] = self._extent(id)
        self.width = self.extents[0].left + self.extents[0].right

    def _choose(self, depth: int | None) -> None:
        if depth is not None and depth < 0:
            raise ValueError(f"depth is {depth}; use 0 or more")
        trace, depths = self.trace, self.trace.levels
        last = max(depths) if depth is None else min(depth, max(depths))
        drawn = sum(each <= last for each in depths)
        if drawn > MAX_NODES:
            fits = fitting_depth(trace)
            raise ValueError(
                f"the tree has {drawn} nodes to draw, more than {MAX_NODES}; use "
                f"depth={fits} ({sum(each <= fits for each in depths)} nodes)"
            )
        self.visits = [visit for visit in trace.nodes if depths[visit.id] <= last]
        self.shown = {v.id: v.children if depths[v.id] < last else [] for v in self.visits}
        below = [0] * len(trace.nodes)
        for visit in reversed(trace.nodes):
            if visit.parent is not None and visit.kind != "unvisited":
                below[visit.parent] += 1 + below[visit.id]
        left_out = (v.id for v in self.visits if v.children and not self.shown[v.id])
        self.below = {id: below[id] for id in left_out}
        self.principal = {*trace.principal} if len(trace.principal) > 1 else set[int]()
        self.cuts = {cut.node: cut for cut in trace.cuts if self.shown.get(cut.node)}

    def _measure(self, boards: bool) -> None:
        visited = [visit for visit in self.visits if visit.kind != "unvisited"]
        outer = [v for v in self.visits if self.childless(v.id)]
        widths = {v.id: svg.width_of(value_text(v), VALUE, bold=True) for v in self.visits}
        inner = max((widths[v.id] for v in self.visits if not self.childless(v.id)), default=0)
        drawn = [mini_board(v.node.state) for v in visited if boards]
        name = max((svg.width_of(name_text(v), NAME) for v in outer), default=0)
        value = max((widths[v.id] for v in outer), default=0)
        # windows are left out if no node was entered with a bound: without pruning none is
        self.windows = not all(isinf(v.alpha) and isinf(v.beta) for v in visited)
        high = max((b.height for b in drawn), default=0)
        self.board = (max((b.width for b in drawn), default=0), high)
        self.base = max(52.0, (inner + 2) / 0.59)  # a triangle is 0.59 as wide where its text is
        self.pill = max(28, value + 16)
        self.row = name + value + 22
        self.row_height = max(ROW, high + 6 if high else 0)
        self.node = TALL + WINDOW * self.windows + (high + 4 if high else 0)

    def childless(self, id: int) -> bool:
        """Whether nothing hangs below the node, in the picture or beyond it."""
        return not self.shown[id] and id not in self.below

    def _blocks(self, id: int) -> list[Block]:
        runs = groupby(self.shown[id], self._in_column)
        return [block for column, run in runs for block in ([(*run,)] if column else zip(run))]

    def _in_column(self, id: int) -> bool:
        return self.columns and self.childless(id)

    def _extent(self, id: int) -> Extent:
        visit = self.trace.nodes[id]
        named = (svg.width_of(name_text(visit), NAME) + 6) / NAMED_AT
        if self.childless(id) and id != 0:
            own = 0.0 if visit.kind == "unvisited" else max(self.pill, self.board[0])
            half = max(24, named, own + GAP) / 2
            return Extent(half, half)
        below = [self._block(block) for block in self._blocks(id)]
        starts = [0.0, *accumulate(extent.left + extent.right for extent in below)]
        middles = [start + extent.left for start, extent in zip(starts, below, strict=False)]
        middle = (middles[0] + middles[-1]) / 2 if middles else 0.0
        ends = zip(middles, below, strict=True)
        tips = tuple(at + extent.tips[0] - middle for at, extent in ends)
        windowed = svg.width_of(window_text(visit), SMALL) if self.windows else 0
        half = (max(self.base, windowed, named, self.board[0]) + GAP) / 2
        reach = max(half, starts[-1] - middle)
        if id in self.cuts:
            text = svg.width_of(cut_text(self.trace, self.cuts[id]), SMALL, bold=True)
            reach = max(reach, max(CUT_AT * tips[-1], tips[-1] if self.columns else 0) + 14 + text)
        return Extent(max(half, middle), reach, tips)

    def _block(self, block: Block) -> Extent:
        if not self._in_column(block[0]):
            return self.extents[block[0]]._replace(tips=(0.0,))
        board = self.board[0] + 6 if self.board[0] else 0
        half = (TICK + self.row + board + GAP + 6) / 2
        return Extent(half, half, (GAP / 2 + 3 - half,))

    def put(self, id: int, x: float, y: float, edge: tuple[Point, ...] = ()) -> None:
        self.places[id] = Place(x, y, False, edge)
        start = (x, y + self.node)
        blocks = self._blocks(id)
        for block, tip in zip(blocks, self.extents[id].tips, strict=True):
            end = (x + tip, y + self.node + DROP)
            if not self._in_column(block[0]):
                self.put(block[0], *end, (start, end))
            elif len(blocks) > 1:
                self._put_column(id, block, (start, end))
            else:
                turn = y + self.node + DROP / 5
                corners = (start, (x, turn), (x + tip, turn), (x + tip, turn + DROP / 5))
                self._put_column(id, block, corners)
        if cut := self.cuts.get(id):
            self.bars.append(self._bar(cut, start))

    def _put_column(self, id: int, block: Block, corners: tuple[Point, ...]) -> None:
        """corners: of the line from their parent to above the first."""
        spine, y = corners[-1]
        high, cut = self.row_height, self.cuts.get(id)
        # the first unvisited child, if it comes after a visited one in this column
        split = cut.untried[0] if cut and {cut.by, cut.untried[0]} <= set(block) else None
        for row, child in enumerate(block):
            y += SPLIT if child == split else 0
            level = y + (row + 0.5) * high
            if row and self.trace.nodes[child].kind == "unvisited":
                corners = ((spine, level - high - (SPLIT if child == split else 0)),)
            edge = (*corners, (spine, level), (spine + TICK, level))
            self.places[child] = Place(spine + TICK, y + row * high, True, edge)

    def _bar(self, cut: Cut, start: Point) -> Bar:
        first, last_tried = self.places[cut.untried[0]], self.places[cut.by]
        if first.column and last_tried.x == first.x:
            spine = first.x - TICK
            return cut, spine - 7, spine + 9, first.y - SPLIT / 2
        untried = (self.places[id] for id in cut.untried)
        ends = [place.x - TICK if place.column else place.x for place in untried]
        left, right = (start[0] + CUT_AT * (x - start[0]) for x in (min(ends), max(ends)))
        return cut, left - 6, right + 6, start[1] + CUT_AT * DROP

    def bottom(self, id: int) -> float:
        place, board = self.places[id], self.board[1]
        if place.column:
            return place.y + self.row_height
        if self.childless(id):
            return place.y + PILL + (board + 4 if board else 0)
        return place.y + self.node + (24 if id in self.below else 0)
