"""Layout of a recorded search: the places of its nodes, and their texts. Lengths are in pixels.

The places are those of the explorer at the end of a search (`widgets/explorer/layout.js`), with the
sizes in `tree.json`, which both read. Children that are all leaves are in a column under their
parent, others side by side. A parent is midway over its children.
"""

from dataclasses import dataclass, field
from math import ceil, inf, isinf, isnan

from kalahlab.draw import svg
from kalahlab.draw.mini_board import MiniBoard, mini_board
from kalahlab.draw.svg import DRAWING
from kalahlab.formatting import StableRepr, format_brief, format_chance, format_number
from kalahlab.search.perft import count_full_tree
from kalahlab.trace import Cut, Trace, Visit

Sizes = dict[str, float]
ROW: int = DRAWING["row"]
HALF: Sizes = DRAWING["half"]["down"]
COLUMN: Sizes = DRAWING["column"]
LEAF: Sizes = DRAWING["leaf"]
NODE: Sizes = DRAWING["node"]
WINDOW: Sizes = DRAWING["window"]
FOLD: Sizes = DRAWING["fold"]
LEAF_ROOM: float = DRAWING["leafRoom"]  # for the name and the value in the box of a leaf
CUT: Sizes = DRAWING["cut"]["text"]
CUT_COLUMN: Sizes = DRAWING["cut"]["column"]
CUT_ROW: Sizes = DRAWING["cut"]["row"]
GAP = 8  # between siblings
CONTOUR_TOP = 36  # the rows of a contour begin so far above the node
BOARD_GAP = 5  # before and after a board
NAME_LENGTH = 8  # characters of a move's name; a longer one is shortened
MAX_NODES = 400  # the most nodes that are drawn
NAME_ROWS = (0, 4)  # the rows of the name of a move
SKIPPED = "never visited"  # because of a cut
BLANK_WINDOW = "[____, ____]"  # to be filled in by hand
DIGITS_AND_DOTS = set("0123456789.")


def max_drawn_depth(trace: Trace) -> int:
    """Return the greatest `depth` at which `tree_svg` draws at most `MAX_NODES` nodes, or 0."""
    levels = sorted(trace.levels)  # the level of each node
    if len(levels) <= MAX_NODES:
        return levels[-1]
    level_of_first_too_many = levels[MAX_NODES]
    return max(0, level_of_first_too_many - 1)


def value_text(visit: Visit, unit: str = "value") -> str:
    """Return the value, with ≤ or ≥ in front if it is only a bound.

    A value is a bound if it is outside the window on entry. `unit` is that of the trace.
    """
    if visit.value is None:
        return ""
    if unit == "probability":
        return format_chance(visit.value)
    return visit.inequality + format_brief(visit.value)


def window_text(visit: Visit) -> str:
    """Return the window on entry; for a null window, a question such as "> 3?".

    A window that is to be found (see `clear_results`) is a blank.
    """
    if isnan(visit.alpha):
        return BLANK_WINDOW
    if visit.question:
        return f"{visit.question}?"
    return f"[{format_brief(visit.alpha)}, {format_brief(visit.beta)}]"


def cut_text(trace: Trace, cut: Cut) -> str:
    """Return the bound that a cut reached, such as "β=3"; with a null window, such as "β>3".

    The ends of a null window are neighbouring floats, and its question names only one of them. The
    other end is described by that one: for "> 3?" beta is the next number above 3, so β>3; for
    "≥ 4?" alpha is the next number below 4, so α<4.
    """
    visit = trace.nodes[cut.node]
    if visit.is_cut_above:
        if ">" in visit.question:
            return f"β>{format_brief(visit.alpha)}"
        return f"β={format_brief(visit.beta)}"
    if "≥" in visit.question:
        return f"α<{format_brief(visit.beta)}"
    return f"α={format_brief(visit.alpha)}"


def shorten_name(name: str, length: int) -> str:
    """Shorten a name.

    Of a path of branches, such as 1.1.2, keep the end, and of a move of chance, such as 1.1·1/4,
    the probability.
    """
    if len(name) <= length:
        return name
    _, _, probability = name.partition("·")
    if probability and len(probability) < length:
        return f"·{probability}"
    if name[0] != "." and set(name) <= DIGITS_AND_DOTS and length > 1:
        return f"…{name[1 - length :].removeprefix('.')}"
    return f"{name[: length - 1]}…"


def name_text(visit: Visit) -> str:
    """Return the name of the move to a node that is no leaf, with ↻ if it earns a turn."""
    again = "↻ " if visit.is_extra_turn and visit.label else ""
    return again + shorten_name(visit.label, NAME_LENGTH)


def name_width(visit: Visit) -> float:
    return svg.width_of(name_text(visit), DRAWING["name"]["size"])


def place_of_name(trace: Trace, visit: Visit) -> Sizes:
    """Return the place of the name of the move to a node that is no leaf."""
    place: Sizes = DRAWING["name"]
    if visit.kind == "unvisited" and describe_unvisited(trace, visit) == SKIPPED:
        place = DRAWING["ghostName"]["max" if visit.node.maximizing else "min"]
    return place


def fit_leaf(label: str, again: str, value: str) -> tuple[str, float, float]:
    """Return the name in the box of a leaf, its font size, and that of the value beside it.

    The name is shortened if it does not fit beside the value in the smallest size, and left out if
    less than two of its letters would be left.
    """
    sizes: list[tuple[float, float]] = DRAWING["leafSizes"]

    def fits(name: str, name_size: float, value_size: float) -> bool:
        width = svg.width_of(name, name_size) + svg.width_of(value, value_size, bold=True)
        return width <= LEAF_ROOM

    for name_size, value_size in sizes:
        if fits(label + again, name_size, value_size):
            return label + again, name_size, value_size
    name_size, value_size = sizes[-1]
    for length in range(len(label) - 1, 1, -1):
        name = shorten_name(label, length) + again
        if fits(name, name_size, value_size):
            return name, name_size, value_size
    return again, name_size, value_size


def describe_unvisited(trace: Trace, visit: Visit) -> str:
    """Return "never visited" if a cut at the parent excludes a visit, else "not visited"."""
    # The root has no parent, but it is always visited, so it is no argument here.
    is_cut = trace.nodes[visit.parent or 0].kind == "cut"
    return SKIPPED if is_cut else "not visited"


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


@dataclass(slots=True, eq=False)
class Item:
    """A node in the picture.

    Attributes:
        visit: The node.
        is_leafy: True if it is drawn as a leaf.
        cost: The number of nodes that a cut skipped here; 0 if unknown, or if it was visited.
        above: The parent.
        children: The children that are drawn.
        is_column: True if the children are in a column.
        hidden: The number of nodes visited below, if the children are left out.
        cut: The cut at the node, if it is drawn.
        board: The board, if boards are drawn.
        half: Half of the width that the node itself needs.
        x, y: The place of the centre.
        dx, dy: The same, counted from the parent.
        position: The place among the siblings, from 1.
    """

    visit: Visit
    is_leafy: bool
    cost: int = 0
    above: "Item | None" = None
    children: list["Item"] = field(default_factory=list)
    is_column: bool = False
    hidden: int = 0
    cut: Cut | None = None
    board: MiniBoard | None = None
    half: float = 0
    x: float = 0
    y: float = 0
    dx: float = 0
    dy: float = 0
    position: int = 1

    @property
    def is_ghost(self) -> bool:
        """True for a move that was never tried."""
        return self.visit.kind == "unvisited"

    @property
    def ghosts(self) -> list["Item"]:
        return [child for child in self.children if child.is_ghost]


class Contour(StableRepr):
    """How far a subtree reaches to the left and to the right of its root, by row."""

    def __init__(self) -> None:
        self.left: dict[int, float] = {}
        self.right: dict[int, float] = {}

    def widen(self, first: int, last: int, start: float, end: float) -> None:
        """Include a box in the rows from `first` to `last`, without `last`."""
        for row in range(first, last):
            self.left[row] = min(self.left.get(row, start), start)
            self.right[row] = max(self.right.get(row, end), end)


class Layout(StableRepr):
    """The levels of a trace down to `depth`, laid out.

    Attributes:
        items: The nodes to draw, each after its parent; the root is at the origin.
        best: The ids of the best line; empty if the line has no move.
        windows: True if the windows are shown.
        span: The greatest distance from 0 of a finite number in the search, for bars of windows.
        drop: The height of the boards below nodes, with the gap; 0 without boards.
        level: The distance of two levels.
        leaf_step: The distance of two leaves in a column.
        leaf_room: The width of the boards beside leaves in a column.
        end_of_cut: The right end of the line of a cut in a column, from its node on.
    """

    def __init__(self, trace: Trace, depth: int | None, boards: bool) -> None:
        self.trace, self.boards = trace, boards
        visits, last = self._choose(depth)
        visited = [visit for visit in trace.nodes if visit.kind != "unvisited"]
        # Windows are left out if no node was entered with a bound, as in a search without pruning.
        self.windows = any(not isinf(visit.alpha) or not isinf(visit.beta) for visit in visited)
        ends = [(visit.value or 0, visit.alpha, visit.beta) for visit in visited]
        self.span = max([1.0, *(abs(end) for row in ends for end in row if abs(end) < inf)])
        self.best = {*trace.principal}
        if len(trace.principal) <= 1:
            self.best = set()
        self._make_items(visits, last)
        board_sizes = [item.board for item in self.items if item.board]
        high = max((board.height for board in board_sizes), default=0)
        self.drop = high + BOARD_GAP if high else 0
        self.level = DRAWING["level"]["down"] + ROW * ceil(self.drop / ROW)
        self.leaf_step = max(DRAWING["leafStep"], ROW * ceil(self.drop / ROW))
        self.leaf_room = max((board.width for board in board_sizes), default=0)
        self.end_of_cut = CUT_COLUMN["right"]
        if high:
            self.end_of_cut += BOARD_GAP + self.leaf_room
        self._arrange(self.items[0])
        self._place()

    def _choose(self, depth: int | None) -> tuple[list[Visit], int]:
        """Return the visits to draw, and the level of the last ones."""
        if depth is not None and depth < 0:
            raise ValueError(f"depth is {depth}; use 0 or more")
        levels = self.trace.levels
        last = max(levels)
        if depth is not None:
            last = min(depth, last)
        visits = [visit for visit in self.trace.nodes if levels[visit.id] <= last]
        if len(visits) > MAX_NODES:
            fitting = max_drawn_depth(self.trace)
            fitting_nodes = [level for level in levels if level <= fitting]
            raise ValueError(
                f"the tree has {len(visits)} nodes to draw, more than {MAX_NODES}; use "
                f"depth={fitting} ({len(fitting_nodes)} nodes)"
            )
        return visits, last

    def _make_items(self, visits: list[Visit], last: int) -> None:
        trace, levels = self.trace, self.trace.levels
        counts = [0] * len(trace.nodes)  # of the nodes visited below each node
        for visit in reversed(trace.nodes):  # children come before their parents
            if visit.parent is not None and visit.kind != "unvisited":
                counts[visit.parent] += 1 + counts[visit.id]
        costs = self._count_skipped() if len(visits) == len(trace.nodes) else {}
        cuts = {cut.node: cut for cut in trace.cuts}
        self.by_id: dict[int, Item] = {}
        for visit in visits:
            self.by_id[visit.id] = self._make_item(visit, costs.get(visit.id, 0))
        for item in self.by_id.values():
            ids = item.visit.children
            if levels[item.visit.id] == last:
                item.hidden = counts[item.visit.id]
                continue
            item.children = [self.by_id[id] for id in ids]
            item.is_column = all(child.is_leafy for child in item.children)
            item.cut = cuts.get(item.visit.id)
            for position, child in enumerate(item.children, 1):
                child.above, child.position = item, position
        self.items = [*self.by_id.values()]

    def _make_item(self, visit: Visit, cost: int) -> Item:
        is_ghost = visit.kind == "unvisited"
        is_leafy = not visit.children and visit.kind != "table"
        if is_ghost:
            is_leafy = cost == 1
        item = Item(visit, is_leafy, cost)
        item.half = HALF["leaf" if item.is_leafy else "node"]
        if self.windows and not item.is_leafy and not is_ghost:
            item.half = max(item.half, svg.width_of(window_text(visit), WINDOW["size"]) / 2)
        if self.boards and not is_ghost:
            item.board = mini_board(visit.node.state)
        return item

    def _count_skipped(self) -> dict[int, int]:
        """Return for each move that a cut skipped the number of nodes of its full subtree."""
        if self.trace.searched is None:
            return {}
        count = count_full_tree(*self.trace.searched)
        untried = [id for cut in self.trace.cuts for id in cut.untried]
        return {id: count(self.trace.nodes[id].node) for id in untried}

    def _arrange(self, item: Item) -> Contour:
        """Set the places of all below a node, counted from their parents; return its contour.

        Reingold and Tilford, "Tidier drawings of trees" (IEEE TSE 7(2), 1981): packing children to
        the left and packing them to the right are both tidy, and so is their mean.
        """
        contour, half = Contour(), item.half
        if item.board and not self._is_beside(item):
            half = max(half, item.board.width / 2 + 2)
        rows = self.level // ROW if item.children else 8 + ceil(self.drop / ROW)
        contour.widen(0, rows, -half, half)
        if not item.is_leafy:
            contour.widen(*NAME_ROWS, min(-half, self._find_start_of_name(item)), half)
        if item.is_column and item.children:
            self._arrange_column(item, contour)
        elif item.children:
            self._arrange_row(item, contour)
        if item.cut:
            self._make_room_for_cut(item, contour)
        return contour

    def _arrange_column(self, item: Item, contour: Contour) -> None:
        top = COLUMN["y"] + self.drop
        for index, child in enumerate(item.children):
            child.dx, child.dy = COLUMN["x"], top + index * self.leaf_step
        bottom = top + (len(item.children) - 1) * self.leaf_step + max(LEAF["h"], self.drop / 2)
        room = COLUMN["r"] + (self.leaf_room + BOARD_GAP if self.leaf_room else 0)
        contour.widen(7, ceil((bottom + CONTOUR_TOP) / ROW), -COLUMN["l"], room)

    def _arrange_row(self, item: Item, contour: Contour) -> None:
        contours = [self._arrange(child) for child in item.children]
        offsets = _spread(contours)
        middle = (offsets[0] + offsets[-1]) / 2
        down = self.level // ROW
        for child, offset, inner in zip(item.children, offsets, contours, strict=True):
            child.dx, child.dy = offset - middle, self.level
            for row, start in inner.left.items():
                end = inner.right[row] + child.dx
                contour.widen(row + down, row + down + 1, start + child.dx, end)

    def _make_room_for_cut(self, item: Item, contour: Contour) -> None:
        """Keep room for the bound beside the line of a cut."""
        if item.cut is None or not item.ghosts:
            return
        width = self._measure_bound(item.cut)
        side, y = CUT_ROW["side"], self.level - CUT_ROW["up"]
        start, end = item.ghosts[0].dx - side, item.children[-1].dx + side
        if item.is_column:
            start, end = CUT_COLUMN["left"], self.end_of_cut
            y = item.ghosts[0].dy - self.leaf_step / 2
        row = int((y - 8 + CONTOUR_TOP) // ROW)
        contour.widen(row, row + 3, start - CUT["scissors"], end + width)

    def _measure_bound(self, cut: Cut) -> float:
        return CUT["gap"] + svg.width_of(cut_text(self.trace, cut), CUT["size"], bold=True)

    def _find_start_of_name(self, item: Item) -> float:
        """Return the left end of the name of the move to a node, counted from its centre."""
        return place_of_name(self.trace, item.visit)["x"] - name_width(item.visit)

    def _is_beside(self, item: Item) -> bool:
        """Return whether the board of a node is to its right, as in a column."""
        return item.above is not None and item.above.is_column

    def _place(self) -> None:
        for item in self.items:  # parents come before their children
            if item.above:
                item.x, item.y = item.above.x + item.dx, item.above.y + item.dy
        self.left = min(self._find_start(item) for item in self.items)
        self.right = max(self._find_end(item) for item in self.items)
        self.top = -NODE["tip"] - 2
        self.bottom = max(self._bottom(item) for item in self.items)

    def move(self, dx: float, dy: float) -> None:
        """Move all nodes."""
        for item in self.items:
            # Rounded, so that all parts of a node are moved by whole tenths of a pixel.
            item.x, item.y = round(item.x + dx, 1), item.y + dy
        self.left, self.right = self.left + dx, self.right + dx
        self.top, self.bottom = self.top + dy, self.bottom + dy

    def _find_start(self, item: Item) -> float:
        if item.is_leafy:
            return item.x - COLUMN["l"] - 4
        return item.x - max(item.half, -self._find_start_of_name(item), self._half_board(item))

    def _find_end(self, item: Item) -> float:
        end = item.x + max(item.half, self._half_board(item))
        if item.board and self._is_beside(item):
            end = item.x + LEAF["w"] + BOARD_GAP + item.board.width
        if item.cut and item.ghosts:
            end_of_line = item.children[-1].x + CUT_ROW["side"]
            if item.is_column:
                end_of_line = item.x + self.end_of_cut
            end = max(end, end_of_line + self._measure_bound(item.cut))
        return end

    def _half_board(self, item: Item) -> float:
        return item.board.width / 2 if item.board and not self._is_beside(item) else 0

    def _bottom(self, item: Item) -> float:
        if self._is_beside(item):
            return item.y + max(LEAF["h"], self.drop / 2)
        if item.is_leafy:
            return item.y + LEAF["h"] + self.drop
        if item.hidden:
            return item.y + FOLD["down"] + self.drop
        if item.is_ghost:
            return item.y + NODE["tip"]
        return item.y + (WINDOW["end"] if self.windows else NODE["tip"]) + self.drop


def _spread(contours: list[Contour]) -> list[float]:
    """Return the offsets of contours beside each other, the first at 0."""
    packed = [0.0]
    edge = dict(contours[0].right)
    for contour in contours[1:]:
        both = edge.keys() & contour.left.keys()
        offset = max([packed[-1], *(edge[row] - contour.left[row] + GAP for row in both)])
        packed.append(offset)
        for row, end in contour.right.items():
            edge[row] = max(edge.get(row, -inf), offset + end)
    back = [packed[-1]]
    edge = {row: x + packed[-1] for row, x in contours[-1].left.items()}
    for contour in reversed(contours[:-1]):
        both = edge.keys() & contour.right.keys()
        offset = min([back[-1], *(edge[row] - contour.right[row] - GAP for row in both)])
        back.append(offset)
        for row, start in contour.left.items():
            edge[row] = min(edge.get(row, inf), offset + start)
    return [(x + y) / 2 for x, y in zip(packed, reversed(back), strict=True)]
