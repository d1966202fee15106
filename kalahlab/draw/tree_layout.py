"""Layout of a recorded search: the places of its nodes, and their texts. Lengths are in pixels.

Leaves are side by side, or in a column under their parent; a parent is midway over its children.
"""

from itertools import accumulate, groupby
from math import isinf
from typing import NamedTuple

from kalahlab.draw import svg
from kalahlab.draw.mini_board import mini_board
from kalahlab.formatting import StableRepr, format_number
from kalahlab.trace import Cut, Trace, Visit

VALUE, NAME, SMALL = 15, 14, 13  # sizes of values, of move names, and of windows and bounds
# Heights of a triangle, a leaf, a leaf in a column, the gap of a cut in a column, and a window.
TALL, PILL, ROW, SPLIT, WINDOW = 44, 26, 24, 22, 22
# Height of edges, length of those in a column, space between neighbours, margin of the picture.
DROP, TICK, GAP, MARGIN = 54, 10, 9, 16
NAMED_AT, CUT_AT = 0.7, 0.34  # positions of a move's name and of a cut, as fractions of the edge
NAME_LIMIT = 130  # the largest width of a move's name; a longer one is shortened
MAX_NODES = 400  # the most nodes that are drawn

Point = tuple[float, float]
Block = tuple[int, ...]  # children that hang on one edge: one child, or a column of them
Bar = tuple[Cut, float, float, float]  # of a cut: left and right end, and height


def fitting_depth(trace: Trace) -> int:
    """Return the greatest `depth` at which `tree_svg` draws at most `MAX_NODES` nodes, or 0."""
    depths = sorted(trace.levels)
    if len(depths) <= MAX_NODES:
        return depths[-1]
    return max(0, depths[MAX_NODES] - 1)


def value_text(visit: Visit) -> str:
    """Return the value, with ≤ or ≥ if it is only a bound: outside the window on entry."""
    if visit.value is None:
        return ""
    return visit.inequality + _format_brief(visit.value)


def _format_brief(value: float) -> str:
    if isinf(value) or value == int(value):
        return format_number(value)
    return format_number(float(f"{value:.4g}"))


def window_text(visit: Visit) -> str:
    """Return the window on entry; a null window as a comparison with one number."""
    if visit.question:
        return f"{visit.question}?"
    return f"[{_format_brief(visit.alpha)}, {_format_brief(visit.beta)}]"


def cut_text(trace: Trace, cut: Cut) -> str:
    """Return the bound that was reached; that of a null window as a comparison with a number."""
    visit = trace.nodes[cut.node]
    if visit.node.maximizing:
        if ">" in visit.question:
            return f"β>{_format_brief(visit.alpha)}"
        return f"β={_format_brief(cut.bound)}"
    if "≥" in visit.question:
        return f"α<{_format_brief(visit.beta)}"
    return f"α={_format_brief(cut.bound)}"


def name_text(visit: Visit) -> str:
    """Return the name of the move, after ↻ if it gives another turn, and the rest of its label."""
    name = svg.shorten(visit.name, NAME_LIMIT, NAME)
    label = name + visit.label.removeprefix(visit.name)
    if visit.is_extra_turn:
        return f"↻{label}"
    return label


def describe_unvisited(trace: Trace, visit: Visit) -> str:
    """Return "never visited" if the parent was cut, as no visit can follow; else "not visited"."""
    is_cut = trace.nodes[visit.parent or 0].kind == "cut"
    return "never visited" if is_cut else "not visited"


def describe_visit(trace: Trace, visit: Visit) -> str:
    """Describe a node: its place, its kind or the player to move, its value and its window."""
    place = trace.place(visit.id)
    if visit.kind == "unvisited":
        return f"{place}: {describe_unvisited(trace, visit)}"
    sign = {"≤": "at most ", "≥": "at least ", "": ""}[visit.inequality]
    kinds = {
        "leaf": "leaf",
        "finished": "leaf" if trace.game == "tree" else "finished game",
        "table": "known from the table",
    }
    kind = kinds.get(visit.kind, f"{visit.player} to move")
    if visit.question:
        window = f"asked whether {visit.question}"
    else:
        window = f"window [{format_number(visit.alpha)}, {format_number(visit.beta)}]"
    return f"{place}: {kind}, value {sign}{format_number(visit.value)}, {window}"


class Place(NamedTuple):
    """The place of a node: the middle of its upper edge; in a column, its upper left corner.

    Attributes:
        column: Whether the node is in a column.
        edge: The corners of the line from its parent.
    """

    x: float
    y: float
    column: bool
    edge: tuple[Point, ...]


class Extent(NamedTuple):
    """The extent of a subtree to the left and right of its node.

    Attributes:
        tips: The ends of the edges to its blocks, relative to the node.
    """

    left: float
    right: float
    tips: tuple[float, ...] = ()


class Layout(StableRepr):
    """The levels of a trace down to `depth`, laid out.

    Attributes:
        children: The drawn children of each node.
        below: The number of nodes visited below a node whose children are left out.
        principal: The best line, if it has a move.
        columns: Whether siblings without children are in a column.
        board: Width and height of a board, zero without boards.
        base: Width of a triangle.
        pill: Width of a leaf by itself.
        row: Width of a leaf in a column, and `row_height` its height.
        node: Height down to the start of its edges.
    """

    def __init__(self, trace: Trace, depth: int | None, boards: bool, columns: bool) -> None:
        self.trace, self.columns = trace, columns
        self._choose(depth)
        self._measure(boards)
        self.places: dict[int, Place] = {}
        self.bars: list[Bar] = []
        self.extents: dict[int, Extent] = {}
        for id in sorted(self.children, reverse=True):  # children have greater ids
            self.extents[id] = self._extent(id)
        self.width = self.extents[0].left + self.extents[0].right

    def _choose(self, depth: int | None) -> None:
        if depth is not None and depth < 0:
            raise ValueError(f"depth is {depth}; use 0 or more")
        trace, depths = self.trace, self.trace.levels
        last = max(depths)
        if depth is not None:
            last = min(depth, last)
        self.visits = [visit for visit in trace.nodes if depths[visit.id] <= last]
        if len(self.visits) > MAX_NODES:
            fits = fitting_depth(trace)
            fitting = [depth for depth in depths if depth <= fits]
            raise ValueError(
                f"the tree has {len(self.visits)} nodes to draw, more than {MAX_NODES}; use "
                f"depth={fits} ({len(fitting)} nodes)"
            )
        self.children: dict[int, list[int]] = {visit.id: [] for visit in self.visits}
        for visit in self.visits:
            if depths[visit.id] < last:
                self.children[visit.id] = visit.children
        below = [0] * len(trace.nodes)
        for visit in reversed(trace.nodes):
            if visit.parent is not None and visit.kind != "unvisited":
                below[visit.parent] += 1 + below[visit.id]
        self.below = {
            visit.id: below[visit.id]
            for visit in self.visits
            if visit.children and not self.children[visit.id]
        }
        self.principal = {*trace.principal}
        if len(trace.principal) <= 1:
            self.principal = set()
        self.cuts = {cut.node: cut for cut in trace.cuts if self.children.get(cut.node)}

    def _measure(self, boards: bool) -> None:
        """Measure the texts and boards that the sizes of nodes depend on."""
        visited = [visit for visit in self.visits if visit.kind != "unvisited"]
        inner_values, outer_values, names = [0.0], [0.0], [0.0]  # their widths
        for visit in self.visits:
            width = svg.width_of(value_text(visit), VALUE, bold=True)
            if self.is_childless(visit.id):
                outer_values.append(width)
                names.append(svg.width_of(name_text(visit), NAME))
            else:
                inner_values.append(width)
        small_boards = []
        if boards:
            small_boards = [mini_board(visit.node.state) for visit in visited]
        # Windows are not shown if no node was entered with a bound, as without pruning.
        self.windows = any(not isinf(visit.alpha) or not isinf(visit.beta) for visit in visited)
        high = max((board.height for board in small_boards), default=0)
        self.board = (max((board.width for board in small_boards), default=0), high)
        self.base = max(
            52.0, (max(inner_values) + 2) / 0.59
        )  # a triangle's width at its text: 59 %
        self.pill = max(28, max(outer_values) + 16)
        self.row = max(names) + max(outer_values) + 22
        self.row_height: float = ROW
        if high:
            self.row_height = max(ROW, high + 6)
        self.node: float = TALL
        if self.windows:
            self.node += WINDOW
        if high:
            self.node += high + 4

    def is_childless(self, id: int) -> bool:
        """Return True if the node has no visible child, in the picture or below its last level."""
        return not self.children[id] and id not in self.below

    def _blocks(self, id: int) -> list[Block]:
        blocks: list[Block] = []
        for is_column, children in groupby(self.children[id], self._is_in_column):
            if is_column:
                blocks.append((*children,))
            else:
                blocks += [(child,) for child in children]
        return blocks

    def _is_in_column(self, id: int) -> bool:
        return self.columns and self.is_childless(id)

    def _extent(self, id: int) -> Extent:
        visit = self.trace.nodes[id]
        name = (svg.width_of(name_text(visit), NAME) + 6) / NAMED_AT
        if self.is_childless(id) and id != 0:
            width = 0.0
            if visit.kind != "unvisited":
                width = max(self.pill, self.board[0])
            half = max(24, name, width + GAP) / 2
            return Extent(half, half)
        below = [self._block(block) for block in self._blocks(id)]
        starts = [0.0, *accumulate(extent.left + extent.right for extent in below)]
        middles = [start + extent.left for start, extent in zip(starts, below, strict=False)]
        middle = 0.0
        if middles:
            middle = (middles[0] + middles[-1]) / 2
        tips = tuple(
            block_middle + extent.tips[0] - middle
            for block_middle, extent in zip(middles, below, strict=True)
        )
        window = 0.0
        if self.windows:
            window = svg.width_of(window_text(visit), SMALL)
        half = (max(self.base, window, name, self.board[0]) + GAP) / 2
        reach = max(half, starts[-1] - middle)
        if id in self.cuts:
            text = svg.width_of(cut_text(self.trace, self.cuts[id]), SMALL, bold=True)
            bar = max(CUT_AT * tips[-1], tips[-1] if self.columns else 0)
            reach = max(reach, bar + 14 + text)
        return Extent(max(half, middle), reach, tips)

    def _block(self, block: Block) -> Extent:
        if not self._is_in_column(block[0]):
            return self.extents[block[0]]._replace(tips=(0.0,))
        board = self.board[0] + 6 if self.board[0] else 0
        half = (TICK + self.row + board + GAP + 6) / 2
        return Extent(half, half, (GAP / 2 + 3 - half,))

    def put(self, id: int, x: float, y: float, edge: tuple[Point, ...] = ()) -> None:
        """Set the places of a node and of all below it, and the bars of cuts."""
        self.places[id] = Place(x, y, False, edge)
        start = (x, y + self.node)
        blocks = self._blocks(id)
        for block, tip in zip(blocks, self.extents[id].tips, strict=True):
            end = (x + tip, y + self.node + DROP)
            if not self._is_in_column(block[0]):
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
        """Set the places of a column; `corners` are those of the line to above its first node."""
        spine, y = corners[-1]
        high, cut = self.row_height, self.cuts.get(id)
        # The first unvisited child, if it follows a visited one in this column.
        split = None
        if cut and cut.by in block and cut.untried[0] in block:
            split = cut.untried[0]
        for row, child in enumerate(block):
            gap = SPLIT if child == split else 0
            y += gap
            level = y + (row + 0.5) * high
            if row and self.trace.nodes[child].kind == "unvisited":
                corners = ((spine, level - high - gap),)
            edge = (*corners, (spine, level), (spine + TICK, level))
            self.places[child] = Place(spine + TICK, y + row * high, True, edge)

    def _bar(self, cut: Cut, start: Point) -> Bar:
        first, last_tried = self.places[cut.untried[0]], self.places[cut.by]
        if first.column and last_tried.x == first.x:
            spine = first.x - TICK
            return cut, spine - 7, spine + 9, first.y - SPLIT / 2
        ends = []
        for id in cut.untried:
            place = self.places[id]
            ends.append(place.x - TICK if place.column else place.x)
        start_x, end_x = (start[0] + CUT_AT * (x - start[0]) for x in (min(ends), max(ends)))
        return cut, start_x - 6, end_x + 6, start[1] + CUT_AT * DROP

    def bottom(self, id: int) -> float:
        """Return the y of the lower end of a node, with its board or its count."""
        place, board = self.places[id], self.board[1]
        if place.column:
            return place.y + self.row_height
        if self.is_childless(id):
            return place.y + PILL + board + 4 if board else place.y + PILL
        if id in self.below:
            return place.y + self.node + 24
        return place.y + self.node
