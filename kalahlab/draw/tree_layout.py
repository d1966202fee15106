"""Layout of a recorded search: the places of its nodes, and their texts. Lengths are in pixels.

Leaves are side by side, or in a column under their parent. A parent is midway over its children.

First `Layout` measures the subtrees from the bottom up (`Extent`), then `Layout.put` sets the
places of the nodes from the top down (`Place`).
"""

from itertools import groupby
from math import isinf, isnan
from typing import NamedTuple

from kalahlab.draw import svg
from kalahlab.draw.mini_board import mini_board
from kalahlab.formatting import StableRepr, format_number
from kalahlab.trace import Cut, Trace, Visit

# Font sizes of values, of the names of moves, and of windows and bounds.
VALUE_SIZE, NAME_SIZE, SMALL_SIZE = 15, 14, 13
TRIANGLE_HEIGHT, LEAF_HEIGHT, WINDOW_HEIGHT = 44, 26, 22
ROW_HEIGHT = 24  # of a leaf in a column
CUT_GAP = 22  # height of the gap before the unvisited leaves of a column
EDGE_HEIGHT, TICK_LENGTH = 54, 10  # a tick is the edge of a leaf in a column
GAP, MARGIN = 9, 16  # space between neighbours, margin of the picture
NAME_POSITION, CUT_POSITION = 0.7, 0.34  # how far down an edge the move's name and a cut are
NAME_LIMIT = 130  # the largest width of a move's name; a longer one is shortened
MAX_NODES = 400  # the most nodes that are drawn
BLANK_WINDOW = "[____, ____]"  # to be filled in by hand

Point = tuple[float, float]
Block = tuple[int, ...]  # children that hang on one edge: one child, or a column of them
Bar = tuple[Cut, float, float, float]  # a cut; left end, right end and y of the line for it


def max_drawn_depth(trace: Trace) -> int:
    """Return the greatest `depth` at which `tree_svg` draws at most `MAX_NODES` nodes, or 0."""
    levels = sorted(trace.levels)  # the level of each node
    if len(levels) <= MAX_NODES:
        return levels[-1]
    level_of_first_too_many = levels[MAX_NODES]
    return max(0, level_of_first_too_many - 1)


def value_text(visit: Visit) -> str:
    """Return the value, with ≤ or ≥ in front if it is only a bound.

    A value is a bound if it is outside the window on entry.
    """
    if visit.value is None:
        return ""
    return visit.inequality + _format_brief(visit.value)


def _format_brief(value: float) -> str:
    if isinf(value) or value == int(value):
        return format_number(value)
    return format_number(float(f"{value:.4g}"))


def window_text(visit: Visit) -> str:
    """Return the window on entry; for a null window, a question such as "> 3?".

    A window that is to be found (see `clear_results`) is a blank.
    """
    if isnan(visit.alpha):
        return BLANK_WINDOW
    if visit.question:
        return f"{visit.question}?"
    return f"[{_format_brief(visit.alpha)}, {_format_brief(visit.beta)}]"


def cut_text(trace: Trace, cut: Cut) -> str:
    """Return the bound that a cut reached, such as "β=3"; with a null window, such as "β>3".

    The ends of a null window are neighbouring floats, and its question names only one of them. The
    other end is described by that one: for "> 3?" beta is the next number above 3, so β>3; for
    "≥ 4?" alpha is the next number below 4, so α<4.
    """
    visit = trace.nodes[cut.node]
    if visit.is_cut_above:
        if ">" in visit.question:
            return f"β>{_format_brief(visit.alpha)}"
        return f"β={_format_brief(cut.bound)}"
    if "≥" in visit.question:
        return f"α<{_format_brief(visit.beta)}"
    return f"α={_format_brief(cut.bound)}"


def name_text(visit: Visit) -> str:
    """Return the label of a move, with a shortened name, and ↻ in front if it earns a turn."""
    name = svg.shorten(visit.name, NAME_LIMIT, NAME_SIZE)
    label = name + visit.label.removeprefix(visit.name)
    if visit.is_extra_turn:
        return f"↻{label}"
    return label


def describe_unvisited(trace: Trace, visit: Visit) -> str:
    """Return "never visited" if a cut at the parent excludes a visit, else "not visited"."""
    # The root has no parent, but it is always visited, so it is no argument here.
    is_cut = trace.nodes[visit.parent or 0].kind == "cut"
    return "never visited" if is_cut else "not visited"


def describe_visit(trace: Trace, visit: Visit) -> str:
    """Describe a node: its place, its kind or the player to move, its value and its window.

    The value and the window are left out if they are to be found; see `clear_results`.
    """
    place = trace.place(visit.id)
    if visit.kind == "unvisited":
        return f"{place}: {describe_unvisited(trace, visit)}"
    sign = {"≤": "at most ", "≥": "at least ", "": ""}[visit.inequality]
    kinds = {
        "leaf": "leaf",
        "finished": "leaf" if trace.game == "tree" else "finished game",
        "table": "known from the table",
    }
    mover = "chance moves" if visit.is_chance else f"{visit.player} to move"
    parts = [f"{place}: {kinds.get(visit.kind, mover)}"]
    if visit.value is not None:
        parts.append(f"value {sign}{format_number(visit.value)}")
    if visit.question:
        parts.append(f"asked whether {visit.question}")
    elif not isnan(visit.alpha):
        parts.append(f"window [{format_number(visit.alpha)}, {format_number(visit.beta)}]")
    return ", ".join(parts)


class Place(NamedTuple):
    """The place of a node.

    Attributes:
        x, y: The middle of the node's upper edge; in a column, its upper left corner.
        column: True if the node is in a column.
        edge: The corners of the line from its parent; empty for the root.
    """

    x: float
    y: float
    column: bool
    edge: tuple[Point, ...]


class Extent(NamedTuple):
    """The extent of a subtree.

    Attributes:
        left, right: How far the subtree reaches to the left and to the right of its node.
        tips: A number for each block below the node: the x at which the edge from the node to the
            block ends. It counts from the node, to the right.
    """

    left: float
    right: float
    tips: tuple[float, ...] = ()


class Layout(StableRepr):
    """The levels of a trace down to `depth`, laid out.

    Attributes:
        visits: The nodes to draw, in the order of their ids.
        children: The drawn children of each node.
        below: For each node whose children are left out, the number of nodes visited below it.
        principal: The ids of the best line; empty if the line has no move.
        cuts: The cuts to draw, by node.
        columns: True if siblings without children are in a column.
        board_size: The width and height of the largest board; zeros without boards.
        windows: True if the windows are shown.
        triangle_width: The width of a triangle.
        leaf_width: The width of a leaf that is not in a column.
        row_width, row_height: The width and height of a leaf in a column, a row.
        node_height: The height from the top of an inner node to the start of its edges.
    """

    def __init__(self, trace: Trace, depth: int | None, boards: bool, columns: bool) -> None:
        self.trace, self.columns = trace, columns
        self._choose(depth)
        self._measure(boards)
        self.places: dict[int, Place] = {}
        self.bars: list[Bar] = []
        self.extents: dict[int, Extent] = {}
        # The extent of a parent needs those of its children, which have greater ids.
        for id in sorted(self.children, reverse=True):
            self.extents[id] = self._extent(id)
        self.width = self.extents[0].left + self.extents[0].right

    def _choose(self, depth: int | None) -> None:
        """Choose the nodes and cuts to draw; count the nodes that are left out."""
        if depth is not None and depth < 0:
            raise ValueError(f"depth is {depth}; use 0 or more")
        trace, depths = self.trace, self.trace.levels
        last = max(depths)
        if depth is not None:
            last = min(depth, last)
        self.visits = [visit for visit in trace.nodes if depths[visit.id] <= last]
        if len(self.visits) > MAX_NODES:
            fitting = max_drawn_depth(trace)
            fitting_nodes = [level for level in depths if level <= fitting]
            raise ValueError(
                f"the tree has {len(self.visits)} nodes to draw, more than {MAX_NODES}; use "
                f"depth={fitting} ({len(fitting_nodes)} nodes)"
            )
        self.children: dict[int, list[int]] = {visit.id: [] for visit in self.visits}
        for visit in self.visits:
            if depths[visit.id] < last:
                self.children[visit.id] = visit.children
        counts = [0] * len(trace.nodes)  # of the nodes visited below each node
        for visit in reversed(trace.nodes):  # children come before their parents
            if visit.parent is not None and visit.kind != "unvisited":
                counts[visit.parent] += 1 + counts[visit.id]
        self.below = {
            visit.id: counts[visit.id]
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
        # The widths of values at inner nodes, and of values and names at nodes without children. A
        # list begins with 0, so that it has a maximum.
        inner_values, outer_values, names = [0.0], [0.0], [0.0]
        for visit in self.visits:
            width = svg.width_of(value_text(visit), VALUE_SIZE, bold=True)
            if self.is_childless(visit.id):
                outer_values.append(width)
                names.append(svg.width_of(name_text(visit), NAME_SIZE))
            else:
                inner_values.append(width)
        small_boards = []
        if boards:
            small_boards = [mini_board(visit.node.state) for visit in visited]
        # Windows are left out if no node was entered with a bound, as in a search without pruning.
        self.windows = any(not isinf(visit.alpha) or not isinf(visit.beta) for visit in visited)
        high = max((board.height for board in small_boards), default=0)
        self.board_size = (max((board.width for board in small_boards), default=0), high)
        # At the height of its text, a triangle has 59 % of its width.
        self.triangle_width = max(52.0, (max(inner_values) + 2) / 0.59)
        self.leaf_width = max(28, max(outer_values) + 16)
        self.row_width = max(names) + max(outer_values) + 22
        self.row_height: float = ROW_HEIGHT
        if high:
            self.row_height = max(ROW_HEIGHT, high + 6)
        self.node_height: float = TRIANGLE_HEIGHT
        if self.windows:
            self.node_height += WINDOW_HEIGHT
        if high:
            self.node_height += high + 4

    def is_childless(self, id: int) -> bool:
        """Return whether a node has no children, neither drawn nor left out below the picture."""
        return not self.children[id] and id not in self.below

    def _blocks(self, id: int) -> list[Block]:
        """Group the children of a node into blocks; neighbours in a column are one block."""
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
        """Return the extent of a node and of all that is drawn below it."""
        visit = self.trace.nodes[id]
        # The names on two edges are closer to each other than the nodes, as the edges meet above.
        name = (svg.width_of(name_text(visit), NAME_SIZE) + 6) / NAME_POSITION
        if self.is_childless(id) and id != 0:
            width = 0.0
            if visit.kind != "unvisited":
                width = max(self.leaf_width, self.board_size[0])
            half = max(24, name, width + GAP) / 2
            return Extent(half, half)
        # Put the blocks side by side; x is counted from the left end of the first block.
        end, middles, ends_of_edges = 0.0, [], []
        for block in self._blocks(id):
            extent = self._block_extent(block)
            block_middle = end + extent.left
            middles.append(block_middle)
            ends_of_edges.append(block_middle + extent.tips[0])
            end += extent.left + extent.right
        middle = 0.0  # the x of the node
        if middles:
            middle = (middles[0] + middles[-1]) / 2
        tips = tuple(x - middle for x in ends_of_edges)
        window = 0.0
        if self.windows:
            window = svg.width_of(window_text(visit), SMALL_SIZE)
        half = (max(self.triangle_width, window, name, self.board_size[0]) + GAP) / 2
        right = max(half, end - middle)
        if id in self.cuts:
            text = svg.width_of(cut_text(self.trace, self.cuts[id]), SMALL_SIZE, bold=True)
            # The bar crosses the last edge at CUT_POSITION of its length. With columns it may be at
            # the end of that edge instead. Room is kept for the one that is farther to the right.
            bar = CUT_POSITION * tips[-1]
            if self.columns:
                bar = max(bar, tips[-1])
            right = max(right, bar + 14 + text)
        return Extent(max(half, middle), right, tips)

    def _block_extent(self, block: Block) -> Extent:
        """Return the extent of a block.

        Its only tip is where the edge from the parent ends, counted from the middle of the block.
        """
        if not self._is_in_column(block[0]):
            return self.extents[block[0]]._replace(tips=(0.0,))
        board = self.board_size[0] + 6 if self.board_size[0] else 0
        half = (TICK_LENGTH + self.row_width + board + GAP + 6) / 2
        # The edge to a column ends at its left side, with half of the gap and of the 6 beside it.
        left_side = -half + (GAP + 6) / 2
        return Extent(half, half, (left_side,))

    def put(self, id: int, x: float, y: float, edge: tuple[Point, ...] = ()) -> None:
        """Set the places of a node and of all below it, and the bars of cuts."""
        self.places[id] = Place(x, y, False, edge)
        start = (x, y + self.node_height)
        blocks = self._blocks(id)
        for block, tip in zip(blocks, self.extents[id].tips, strict=True):
            end = (x + tip, y + self.node_height + EDGE_HEIGHT)
            if not self._is_in_column(block[0]):
                self.put(block[0], *end, (start, end))
            elif len(blocks) > 1:
                self._put_column(id, block, (start, end))
            else:
                # The line to a single column goes down, to the left and down again.
                turn = y + self.node_height + EDGE_HEIGHT / 5
                corners = (start, (x, turn), (x + tip, turn), (x + tip, turn + EDGE_HEIGHT / 5))
                self._put_column(id, block, corners)
        if cut := self.cuts.get(id):
            self.bars.append(self._bar(cut, start))

    def _put_column(self, id: int, block: Block, corners: tuple[Point, ...]) -> None:
        """Set the places of a column.

        Args:
            id: The parent.
            block: The nodes of the column.
            corners: The corners of the line from the parent to the upper end of the spine, which is
                the vertical line along the column.
        """
        spine, y = corners[-1]
        high, cut = self.row_height, self.cuts.get(id)
        # The first unvisited child, if it follows a visited one in this column: a gap comes first.
        after_gap = None
        if cut and cut.by in block and cut.untried[0] in block:
            after_gap = cut.untried[0]
        for row, child in enumerate(block):
            gap = CUT_GAP if child == after_gap else 0
            y += gap
            middle = y + (row + 0.5) * high
            # All lines of a column run along its spine, each over the one before it. The line to an
            # unvisited leaf is dashed, and would be hidden by a line below it. So it begins at the
            # row above: at the middle of that row, which is `high` and the gap higher.
            if row and self.trace.nodes[child].kind == "unvisited":
                corners = ((spine, middle - high - gap),)
            edge = (*corners, (spine, middle), (spine + TICK_LENGTH, middle))
            self.places[child] = Place(spine + TICK_LENGTH, y + row * high, True, edge)

    def _bar(self, cut: Cut, start: Point) -> Bar:
        """Return the bar of a cut: across the edges to all unvisited children, or in their column.

        `start` is the point where the edges to the children begin.
        """
        first, last_tried = self.places[cut.untried[0]], self.places[cut.by]
        if first.column and last_tried.x == first.x:
            spine = first.x - TICK_LENGTH
            return cut, spine - 7, spine + 9, first.y - CUT_GAP / 2
        ends = []  # the x of the lower ends of the edges
        for id in cut.untried:
            place = self.places[id]
            ends.append(place.x - TICK_LENGTH if place.column else place.x)
        x, y = start
        bar_begin = x + CUT_POSITION * (min(ends) - x)
        bar_end = x + CUT_POSITION * (max(ends) - x)
        return cut, bar_begin - 6, bar_end + 6, y + CUT_POSITION * EDGE_HEIGHT

    def bottom(self, id: int) -> float:
        """Return the y of the lower end of a node, with its board or its count."""
        place, board = self.places[id], self.board_size[1]
        if place.column:
            return place.y + self.row_height
        if self.is_childless(id):
            return place.y + LEAF_HEIGHT + board + 4 if board else place.y + LEAF_HEIGHT
        if id in self.below:
            return place.y + self.node_height + 24
        return place.y + self.node_height
