"""A tree that grew, drawn at a step of its search.

The nodes look as in the explorer of such trees (`widgets/growth/painter.js`).
"""

from decimal import ROUND_HALF_UP, Decimal
from math import isfinite
from typing import Any

from kalahlab.draw import svg
from kalahlab.draw.svg import DRAWING
from kalahlab.draw.tidy_tree import LEAF, Item, TidyTree, fit_leaf, name_beside
from kalahlab.draw.tree_svg import FINISHED_BOX, OUTLINES, draw_shape, triangle, value_size
from kalahlab.formatting import format_number
from kalahlab.search.growing.model import TreeNode
from kalahlab.trace.growth import GrowthTrace

MOST_NODES = 60  # that a picture shows
MARGIN = 16
SMALL = 11
# The widths of edges, by the least share of all visits that go through them.
EDGE_WIDTHS = {0.5: 6.5, 0.25: 4.6, 0.1: 3.2, 0.03: 2.0, 0.0: 1.3}
COUNT_X, COUNT_Y = 11, {True: -9, False: 17}  # the place of a count, for MAX and for MIN
LOOKS: dict[str, dict[str, object]] = OUTLINES | {
    "untried": {
        "fill": "none",
        "stroke": svg.EDGE,
        "stroke_width": 1.2,
        "stroke_dasharray": "4 3",
    },
    "proved": {"fill": svg.TEAL, "stroke": svg.TEAL, "stroke_width": 1.6},
    "disproved": {"fill": svg.PURPLE, "stroke": svg.PURPLE, "stroke_width": 1.6},
}


def growth_svg(
    trace: GrowthTrace, step: int | None = None, title: str = "", most: int = MOST_NODES
) -> str:
    """Draw the tree at a step as SVG.

    A node has what the search knew of it. The width of an edge shows its share of the visits.

    Args:
        trace: The recorded search.
        step: The step; by default the last one.
        title: The title.
        most: The most nodes; those that were made first are drawn.
    """
    step = trace.steps if step is None else step
    if not 0 <= step <= trace.steps:
        raise ValueError(f"there is no step {step}; use 0 to {trace.steps}")
    ids = [id for id in range(len(trace.nodes)) if trace.numbers(id, step) is not None]
    tree = TidyTree(_make_items(trace, ids[:most]), windows=False)
    width = max(tree.right - tree.left, 360.0)
    heading, top = svg.heading(title, MARGIN, width)
    tree.move(MARGIN + (width - tree.right - tree.left) / 2, top - tree.top)
    height = tree.bottom + 44
    note = f"Step {step} of {trace.steps}; {len(tree.items)} of {len(ids)} nodes."
    parts = [*heading, *_draw_edges(trace, tree, step)]
    parts += [_draw_node(trace, item, step) for item in tree.items]
    parts.append(svg.text_element(MARGIN, height - 12, note, SMALL, anchor="start", fill=svg.MUTED))
    return svg.document(width + 2 * MARGIN, height, title or "A tree that grew", note, *parts)


def _make_items(trace: GrowthTrace, ids: list[int]) -> list[Item[TreeNode]]:
    items = dict[int, Item[TreeNode]]()
    for id in ids:
        node = trace.nodes[id]
        item = Item(node, node.is_over, node.maximizing)
        item.is_double = _is_extra_turn(node)
        if node.parent is not None and not node.is_over:
            name = name_beside(trace.names[id], item.is_double)
            place = DRAWING["name"]
            item.start_of_name = place["x"] - svg.width_of(name, place["size"])
        items[id] = item
    for item in items.values():
        item.take_children([items[node.id] for node in item.node.children if node.id in items])
    return [*items.values()]


def _is_extra_turn(node: TreeNode) -> bool:
    return node.parent is not None and node.maximizing == node.parent.maximizing


def _draw_edges(trace: GrowthTrace, tree: TidyTree[TreeNode], step: int) -> list[str]:
    """Draw the edges: all of a width are one path, the thin ones behind."""
    layers: dict[float, tuple[str, str]] = dict.fromkeys(EDGE_WIDTHS.values(), ("", ""))
    visits = getattr(trace.numbers(0, step), "n", 0)
    for item in tree.items[1:]:
        share = 0.0
        if visits:
            share = trace.numbers(item.node.id, step).n / visits
        width = next(width for least, width in EDGE_WIDTHS.items() if share >= least)
        lines, doubles = layers[width]
        line, double = tree.edge(item)
        layers[width] = lines + line, doubles + double
    parts = []
    for width, (lines, doubles) in reversed(layers.items()):
        if lines:
            parts.append(_draw_path(lines, svg.EDGE, width))
        if doubles:
            parts += [_draw_path(doubles, svg.EDGE, 6), _draw_path(doubles, svg.GROUND, 3)]
    return parts


def _draw_path(d: str, stroke: str, width: float) -> str:
    return svg.tag("path", d=d, fill="none", stroke=stroke, stroke_width=width)


def _draw_node(trace: GrowthTrace, item: Item[TreeNode], step: int) -> str:
    """Draw a triangle, or a box for a finished game, with its numbers."""
    node, numbers = item.node, trace.numbers(item.node.id, step)
    text, count = describe_numbers(numbers)
    mover = "MAX" if node.maximizing else "MIN"
    moves = ", ".join(trace.path_names(node.id)) or "the root"
    label = f"{moves}: {mover} to move, {text} {count}".rstrip()
    draw = _draw_leaf if node.is_over else _draw_inner
    title = svg.tag("title", svg.escape(label))
    return svg.tag("g", title, *draw(trace, item, numbers), class_="node", data_id=node.id)


def _choose_look(item: Item[TreeNode], numbers: Any) -> str:
    """Return the name of a node's look in `LOOKS`."""
    proof, is_untried = find_proof(numbers), getattr(numbers, "n", 1) == 0
    if is_untried and not proof and item.node.parent is not None:
        return "untried"
    if proof and not is_untried:
        return "proved" if proof > 0 else "disproved"
    if item.is_leafy:
        return "leaf"
    return "max" if item.is_max else "min"


def _draw_inner(trace: GrowthTrace, item: Item[TreeNode], numbers: Any) -> list[str]:
    x, y, look = item.x, item.y, _choose_look(item, numbers)
    text, count = describe_numbers(numbers)
    parts = [draw_shape(x, y, triangle(item.is_max), LOOKS[look])]
    if item.node.parent is not None:
        name, place = name_beside(trace.names[item.node.id], item.is_double), DRAWING["name"]
        name_x, name_y = x + place["x"], y + place["y"]
        parts.append(
            svg.text_element(name_x, name_y, name, place["size"], anchor="end", fill=svg.MUTED)
        )
    if text:
        baseline = y + (14 if item.is_max else -3)
        fill = svg.GROUND if look in ("proved", "disproved") else svg.INK
        size = value_size(text)
        parts.append(svg.text_element(x, baseline, text, size, bold=True, fill=fill))
    if count:
        count_y = y + COUNT_Y[item.is_max]
        parts.append(
            svg.text_element(x + COUNT_X, count_y, count, SMALL, anchor="start", fill=svg.MUTED)
        )
    return parts


def _draw_leaf(trace: GrowthTrace, item: Item[TreeNode], numbers: Any) -> list[str]:
    x, y, look = item.x, item.y, _choose_look(item, numbers)
    text, _ = describe_numbers(numbers)
    again = "↻" if item.is_double else ""
    name, name_size, size = fit_leaf(trace.names[item.node.id], again, text)
    front = svg.GROUND if look in ("proved", "disproved") else None
    parts = [draw_shape(x, y, FINISHED_BOX, LOOKS[look] | {"stroke_width": 1})]
    name_x, value_x = x - LEAF["text"], x + LEAF["text"]
    if name:
        fill = front or svg.MUTED
        parts.append(svg.text_element(name_x, y + 4, name, name_size, anchor="start", fill=fill))
    if text:
        fill = front or svg.INK
        parts.append(
            svg.text_element(value_x, y + 4.5, text, size, anchor="end", bold=True, fill=fill)
        )
    return parts


def find_proof(numbers: Any) -> int:
    """Return 1 for a node that is proved, -1 for one that is disproved, else 0."""
    if hasattr(numbers, "pn"):
        if numbers.pn == 0:
            return 1
        return -1 if numbers.dn == 0 else 0
    return int(hasattr(numbers, "low") and numbers.low == numbers.high)


def describe_numbers(numbers: Any) -> tuple[str, str]:
    """Return the text in a node and the one beside it.

    These are the mean and the visits, the proof and the disproof number, or the value.
    """
    proof = find_proof(numbers)
    if hasattr(numbers, "pn"):
        if proof:
            return "✓" if proof > 0 else "✗", ""
        return f"{_format_brief(numbers.pn)}|{_format_brief(numbers.dn)}", ""
    if hasattr(numbers, "n"):
        if numbers.n == 0:
            return "", ""
        return _format_brief(numbers.low if proof else numbers.mean), f"n {numbers.n:,}"
    return _format_brief(numbers[0]), ""


def _format_brief(number: float) -> str:
    """Format a number with the fewest digits that tell something, for the inside of a node."""
    size = abs(number)
    if not isfinite(number) or number == int(number):
        return format_number(number) if size < 1000 or not isfinite(number) else f"{number:,.0f}"
    digits = 2 if size < 1 else 1
    if size >= 100:
        digits = 0
    text = str(Decimal(size).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))
    is_negative = number < 0 and set(text) != set("0.")
    return f"\N{MINUS SIGN}{text}" if is_negative else text
