"""A tree that grew, drawn at a step of its search."""

from dataclasses import dataclass
from typing import Any

from kalahlab.draw import svg
from kalahlab.draw.tree_svg import FINISHED_BOX, draw_shape, triangle
from kalahlab.formatting import format_number
from kalahlab.search.growing.model import TreeNode
from kalahlab.trace.growth import GrowthTrace

MOST_NODES = 60  # that a picture shows
COLUMN, LEVEL = 66, 92  # pixels from a leaf to the next one, and from a level to the next one
TRIANGLE_HEIGHT = 39
MARGIN = 16
SIZE, SMALL = 13, 11
WIDEST_EDGE = 9  # pixels, of an edge through which all iterations went


@dataclass(slots=True)
class _Place:
    """The place of a node: the middle of its upper edge."""

    x: float
    y: float


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
    drawn_ids = set(ids[:most])
    heading, top = svg.heading(title, MARGIN, max(360.0, COLUMN * 4))
    places = dict[int, _Place]()
    columns = _arrange(trace.nodes[0], drawn_ids, places, 0.0, top + 8)
    width = max(columns * COLUMN + 2 * MARGIN, 360)
    height = max(place.y for place in places.values()) + TRIANGLE_HEIGHT + 44
    note = f"Step {step} of {trace.steps}; {len(drawn_ids)} of {len(ids)} nodes."
    parts = [*heading]
    for id in sorted(drawn_ids):
        parts += _draw_edge(trace, id, step, places)
    for id in sorted(drawn_ids):
        parts.append(_draw_node(trace, id, step, places[id]))
    parts.append(svg.text_element(MARGIN, height - 12, note, SMALL, anchor="start", fill=svg.MUTED))
    return svg.document(width, height, title or "A tree that grew", note, *parts)


def _arrange(
    node: TreeNode, drawn_ids: set[int], places: dict[int, _Place], left: float, y: float
) -> float:
    """Set the places of a node and all below it; return their width in columns."""
    children = [child for child in node.children if child.id in drawn_ids]
    columns = 0.0
    for child in children:
        columns += _arrange(child, drawn_ids, places, left + columns, y + LEVEL)
    columns = max(columns, 1.0)
    x = MARGIN + (left + columns / 2) * COLUMN
    if children:
        x = (places[children[0].id].x + places[children[-1].id].x) / 2
    places[node.id] = _Place(x, y)
    return columns


def _draw_edge(trace: GrowthTrace, id: int, step: int, places: dict[int, _Place]) -> list[str]:
    """Draw the edge from a node's parent, with the name of the move; nothing for the root."""
    parent = trace.nodes[id].parent
    if parent is None:
        return []
    above, below = places[parent.id], places[id]
    numbers, at_root = trace.numbers(id, step), trace.numbers(0, step)
    thick = 1.3
    if getattr(at_root, "n", 0):
        thick = max(1.0, WIDEST_EDGE * numbers.n / at_root.n)
    start, end = (above.x, above.y + TRIANGLE_HEIGHT + 16), (below.x, below.y)
    name = svg.shorten(trace.names[id], COLUMN - 8, SIZE)
    middle_x, middle_y = (start[0] + 2 * end[0]) / 3, (start[1] + 2 * end[1]) / 3
    wide = svg.width_of(name, SIZE) + 2
    return [
        svg.line(start, end, stroke=svg.EDGE, stroke_width=thick),
        svg.box(middle_x - wide / 2, middle_y - 9, wide, 17, fill=svg.GROUND),
        svg.text_element(middle_x, middle_y + 4, name, SIZE),
    ]


def _draw_node(trace: GrowthTrace, id: int, step: int, place: _Place) -> str:
    """Draw a node: a triangle, or a box for a finished game, with its numbers."""
    node, numbers = trace.nodes[id], trace.numbers(id, step)
    text, below = describe_numbers(numbers)
    if node.is_over:
        shape = draw_shape(place.x, place.y + 12, FINISHED_BOX, "leaf")
        baseline = place.y + 17
    else:
        outline = "max" if node.maximizing else "min"
        middle = 22 if node.maximizing else 17
        shape = draw_shape(place.x, place.y + middle, triangle(node.maximizing), outline)
        baseline = place.y + (36 if node.maximizing else 14)
    mover = "MAX" if node.maximizing else "MIN"
    moves = ", ".join(trace.path_names(id)) or "the root"
    label = f"{moves}: {mover} to move, {text} {below}".rstrip()
    return svg.tag(
        "g",
        svg.tag("title", svg.escape(label)),
        shape,
        svg.text_element(place.x, baseline, text, SIZE, bold=True),
        svg.text_element(place.x, place.y + TRIANGLE_HEIGHT + 13, below, SMALL, fill=svg.MUTED),
    )


def describe_numbers(numbers: Any) -> tuple[str, str]:
    """Return the text in a node and the one below it.

    These are the mean and the visits, the proof and the disproof number, or the value.
    """
    if hasattr(numbers, "pn"):
        return f"{format_number(numbers.pn)}|{format_number(numbers.dn)}", ""
    if hasattr(numbers, "n"):
        if numbers.n == 0:
            return "", "never tried"
        return format_number(round(numbers.mean, 1)), f"n = {numbers.n}"
    return format_number(round(numbers[0], 2)), ""
