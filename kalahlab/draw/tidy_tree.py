"""Tidy trees: the places of the nodes of a tree that grows down, and its edges, in pixels.

The places are those of the explorer (`widgets/explorer/layout.js`), with the sizes in `tree.json`,
which both read. Children that are all leaves are in a column under their parent, others side by
side. A parent is midway over its children.
"""

from dataclasses import dataclass, field
from math import ceil, inf
from typing import Generic, TypeVar

from kalahlab.draw import svg
from kalahlab.draw.mini_board import MiniBoard
from kalahlab.draw.svg import DRAWING
from kalahlab.formatting import StableRepr

Sizes = dict[str, float]
ROW: int = DRAWING["row"]
HALF: Sizes = DRAWING["half"]["down"]
COLUMN: Sizes = DRAWING["column"]
LEAF: Sizes = DRAWING["leaf"]
NODE: Sizes = DRAWING["node"]
WINDOW: Sizes = DRAWING["window"]
FOLD: Sizes = DRAWING["fold"]
CUT: Sizes = DRAWING["cut"]["text"]
CUT_COLUMN: Sizes = DRAWING["cut"]["column"]
CUT_ROW: Sizes = DRAWING["cut"]["row"]
NAME_ROWS = (0, 4)  # the rows of the name of a move
GAP = 8  # between siblings
CONTOUR_TOP = 36  # the rows of a contour begin so far above the node
BOARD_GAP = 5  # before and after a board
NAME_LENGTH = 8  # characters of a move's name; a longer one is shortened
DIGITS_AND_DOTS = set("0123456789.")

N = TypeVar("N")


@dataclass(slots=True, eq=False)
class Item(Generic[N]):
    """A node in the picture.

    Attributes:
        node: The node.
        is_leafy: True if it is drawn as a leaf.
        is_max: True if MAX moves.
        is_ghost: True for a move that was never tried.
        is_double: True if its edge is double, as after an extra turn.
        is_boxed: True if it is drawn as a box.
        start_of_name: The left end of the name of its move, counted from its centre.
        above: The parent.
        children: The children that are drawn.
        is_column: True if the children are in a column.
        hidden: The number of nodes visited below, if the children are left out.
        width_of_bound: The width of the bound at the cut that is drawn here; 0 without a cut.
        board: The board, if boards are drawn.
        half: Half of the width that the node itself needs.
        x, y: The place of the centre.
        dx, dy: The same, counted from the parent.
        position: The place among the siblings, from 1.
    """

    node: N
    is_leafy: bool
    is_max: bool
    is_ghost: bool = False
    is_double: bool = False
    is_boxed: bool = False
    start_of_name: float = 0
    above: "Item[N] | None" = None
    children: list["Item[N]"] = field(default_factory=list)
    is_column: bool = False
    hidden: int = 0
    width_of_bound: float = 0
    board: MiniBoard | None = None
    half: float = 0
    x: float = 0
    y: float = 0
    dx: float = 0
    dy: float = 0
    position: int = 1

    def __post_init__(self) -> None:
        self.half = max(self.half, HALF["leaf" if self.is_leafy else "node"])
        self.is_boxed = self.is_boxed or self.is_leafy

    @property
    def ghosts(self) -> list["Item[N]"]:
        return [child for child in self.children if child.is_ghost]

    @property
    def is_in_column(self) -> bool:
        return self.above is not None and self.above.is_column

    @property
    def half_board(self) -> float:
        """Half of the width of a board below the node."""
        return self.board.width / 2 if self.board and not self.is_in_column else 0

    def take_children(self, children: list["Item[N]"]) -> None:
        """Set the children that are drawn."""
        self.children = children
        self.is_column = all(child.is_leafy for child in children)
        for position, child in enumerate(children, 1):
            child.above, child.position = self, position


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


class TidyTree(StableRepr, Generic[N]):
    """The nodes of a picture, in their places.

    Attributes:
        items: The nodes to draw, each after its parent; at first the root is at the origin.
        windows: True if the windows are shown.
        left, right, top, bottom: The ends of the picture.
        drop: The height of the boards below nodes, with the gap; 0 without boards.
        level: The distance of two levels.
        leaf_step: The distance of two leaves in a column.
        leaf_room: The width of the boards beside leaves in a column.
        end_of_cut: The right end of the line of a cut in a column, from its node on.
    """

    def __init__(self, items: list[Item[N]], windows: bool) -> None:
        self.items, self.windows = items, windows
        boards = [item.board for item in items if item.board]
        high = max((board.height for board in boards), default=0)
        self.drop = high + BOARD_GAP if high else 0
        self.level = DRAWING["level"]["down"] + ROW * ceil(self.drop / ROW)
        self.leaf_step = max(DRAWING["leafStep"], ROW * ceil(self.drop / ROW))
        self.leaf_room = max((board.width for board in boards), default=0)
        self.end_of_cut = CUT_COLUMN["right"]
        if high:
            self.end_of_cut += BOARD_GAP + self.leaf_room
        self._arrange(items[0])
        self._place()

    def _arrange(self, item: Item[N]) -> Contour:
        """Set the places of all below a node, counted from their parents; return its contour.

        Reingold and Tilford, "Tidier drawings of trees" (IEEE TSE 7(2), 1981): packing children to
        the left and packing them to the right are both tidy, and so is their mean.
        """
        contour, half = Contour(), item.half
        if item.half_board:
            half = max(half, item.half_board + 2)
        rows = self.level // ROW if item.children else 8 + ceil(self.drop / ROW)
        contour.widen(0, rows, -half, half)
        if not item.is_leafy:
            contour.widen(*NAME_ROWS, min(-half, item.start_of_name), half)
        if item.is_column and item.children:
            self._arrange_column(item, contour)
        elif item.children:
            self._arrange_row(item, contour)
        if item.width_of_bound:
            self._make_room_for_cut(item, contour)
        return contour

    def _arrange_column(self, item: Item[N], contour: Contour) -> None:
        top = COLUMN["y"] + self.drop
        for index, child in enumerate(item.children):
            child.dx, child.dy = COLUMN["x"], top + index * self.leaf_step
        bottom = top + (len(item.children) - 1) * self.leaf_step + max(LEAF["h"], self.drop / 2)
        room = COLUMN["r"] + (self.leaf_room + BOARD_GAP if self.leaf_room else 0)
        contour.widen(7, ceil((bottom + CONTOUR_TOP) / ROW), -COLUMN["l"], room)

    def _arrange_row(self, item: Item[N], contour: Contour) -> None:
        contours = [self._arrange(child) for child in item.children]
        offsets = _spread(contours)
        middle = (offsets[0] + offsets[-1]) / 2
        down = self.level // ROW
        for child, offset, inner in zip(item.children, offsets, contours, strict=True):
            child.dx, child.dy = offset - middle, self.level
            for row, start in inner.left.items():
                end = inner.right[row] + child.dx
                contour.widen(row + down, row + down + 1, start + child.dx, end)

    def _make_room_for_cut(self, item: Item[N], contour: Contour) -> None:
        """Keep room for the bound beside the line of a cut."""
        side, y = CUT_ROW["side"], self.level - CUT_ROW["up"]
        start, end = item.ghosts[0].dx - side, item.children[-1].dx + side
        if item.is_column:
            start, end = CUT_COLUMN["left"], self.end_of_cut
            y = item.ghosts[0].dy - self.leaf_step / 2
        row = int((y - 8 + CONTOUR_TOP) // ROW)
        contour.widen(row, row + 3, start - CUT["scissors"], end + item.width_of_bound)

    def _place(self) -> None:
        for item in self.items:  # parents come before their children
            if item.above:
                item.x, item.y = item.above.x + item.dx, item.above.y + item.dy
        self.left = min(self._find_start(item) for item in self.items)
        self.right = max(self._find_end(item) for item in self.items)
        self.top = -NODE["tip"] - 2
        self.bottom = max(self._find_bottom(item) for item in self.items)

    def move(self, dx: float, dy: float) -> None:
        """Move all nodes."""
        for item in self.items:
            # Rounded, so that all parts of a node are moved by whole tenths of a pixel.
            item.x, item.y = round(item.x + dx, 1), item.y + dy
        self.left, self.right = self.left + dx, self.right + dx
        self.top, self.bottom = self.top + dy, self.bottom + dy

    def _find_start(self, item: Item[N]) -> float:
        if item.is_leafy:
            return item.x - COLUMN["l"] - 4
        return item.x - max(item.half, -item.start_of_name, item.half_board)

    def _find_end(self, item: Item[N]) -> float:
        end = item.x + max(item.half, item.half_board)
        if item.board and item.is_in_column:
            end = item.x + LEAF["w"] + BOARD_GAP + item.board.width
        if item.width_of_bound:
            end_of_line = item.children[-1].x + CUT_ROW["side"]
            if item.is_column:
                end_of_line = item.x + self.end_of_cut
            end = max(end, end_of_line + item.width_of_bound)
        return end

    def _find_bottom(self, item: Item[N]) -> float:
        if item.is_in_column:
            return item.y + max(LEAF["h"], self.drop / 2)
        if item.is_leafy:
            return item.y + LEAF["h"] + self.drop
        if item.hidden:
            return item.y + FOLD["down"] + self.drop
        if item.is_ghost:
            return item.y + NODE["tip"]
        return item.y + (WINDOW["end"] if self.windows else NODE["tip"]) + self.drop

    def edge(self, item: Item[N], is_whole: bool = False) -> tuple[str, str]:
        """Return the path from the parent to a node, and the part of it that is double.

        Args:
            item: The node.
            is_whole: Whether the path to a leaf in a column is drawn from the parent on; that to
                the first leaf always is.
        """
        above = item.above
        assert above is not None, "the root has no edge"
        x, y = svg.coordinate(item.x), item.y
        up_x, up_y = svg.coordinate(above.x), above.y + self.drop
        begin = up_y + (NODE["base"] if above.is_max else NODE["tip"])
        if self.windows:
            begin = up_y + WINDOW["end"]
        if above.is_column:
            trunk = f"M{svg.coordinate(above.x - 34)} {y - self.leaf_step}V{y}"
            if is_whole or item.position == 1:
                bend, turn = up_y + COLUMN["bend"], svg.coordinate(above.x - 26)
                trunk = f"M{up_x} {begin}V{bend}q0 6-6 6H{turn}q-8 0-8 8V{y}"
            return f"{trunk}H{svg.coordinate(item.x - LEAF['w'])}", ""
        bus, end = up_y + DRAWING["bus"], y - _gap_above(item)
        double = f"M{x} {bus + 9}V{end}" if item.is_double else ""
        return f"M{up_x} {begin}V{bus}{_corner(item.x - above.x, item.x)}V{end}", double


def _corner(side: float, x: float) -> str:
    """Return the line to the side and the corner before a node at x, if there is room for one."""
    radius = min(8.0, abs(side))
    if radius < 1:
        return ""
    r = svg.coordinate(radius if side > 0 else -radius)
    return f"H{svg.coordinate(x - float(r))}q{r} 0 {r} {r.removeprefix('-')}"


def _gap_above(item: Item[N]) -> float:
    """Return how far above the centre of a node its edge ends."""
    if item.is_boxed:
        return LEAF["h"]
    return NODE["tip"] - 1 if item.is_max else NODE["base"]


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


def name_beside(label: str, again: bool) -> str:
    """Return the name of the move to a node that is no leaf, with ↻ if it earns a turn."""
    return ("↻ " if again and label else "") + shorten_name(label, NAME_LENGTH)


def fit_leaf(label: str, again: str, value: str) -> tuple[str, float, float]:
    """Return the name in the box of a leaf, its font size, and that of the value beside it.

    The name is shortened if it does not fit beside the value in the smallest size, and left out if
    less than two of its letters would be left.
    """
    sizes: list[tuple[float, float, float]] = DRAWING["leafSizes"]

    def fits(name: str, name_size: float, value_size: float, room: float) -> bool:
        width = svg.width_of(name, name_size) + svg.width_of(value, value_size, bold=True)
        return width <= room

    for name_size, value_size, room in sizes:
        if fits(label + again, name_size, value_size, room):
            return label + again, name_size, value_size
    name_size, value_size, room = sizes[-1]
    for length in range(len(label) - 1, 1, -1):
        name = shorten_name(label, length) + again
        if fits(name, name_size, value_size, room):
            return name, name_size, value_size
    return again, name_size, value_size
