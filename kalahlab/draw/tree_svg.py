"""Pictures of recorded searches, made from traces as SVG: `tree_svg(trace)`.

MAX's nodes point up, MIN's down. Every node is a `<g class="node …">` with its id in `data-id`.
"""

from collections.abc import Sequence
from math import isnan

from kalahlab.draw import svg
from kalahlab.draw import tree_layout as layout
from kalahlab.draw.mini_board import mini_board
from kalahlab.draw.tree_layout import Bar, Layout, Place, Point
from kalahlab.formatting import format_number
from kalahlab.trace import Trace, Visit

ROW_LIMIT = 1000  # the largest width of a tree without columns of leaves
LEGEND_LINE = 24  # the height of a line of the legend


def tree_svg(
    trace: Trace, *, boards: bool = False, title: str | None = None, depth: int | None = None
) -> str:
    """Draw a recorded search.

    Args:
        trace: The search.
        boards: True to draw the position at each visited node.
        title: The title of the picture.
        depth: The number of levels to draw below the root; None for all.

    Raises:
        ValueError: There are more than `MAX_NODES` nodes, the depth is negative, or the boards are
            too large.
    """
    tree = _choose_layout(trace, depth, boards)
    legend = _legend(tree)
    entry_widths = [svg.width_of(text, layout.NAME_SIZE) + 54 for _, text in legend]
    # Wide enough for the tree, and for the legend in one line or in lines of 480 pixels.
    width = max(tree.width, min(480.0, sum(entry_widths)))
    heading, tree_top = svg.heading(title, layout.MARGIN, width)
    tree_x = layout.MARGIN + (width - tree.width) / 2
    tree.put(0, tree_x + tree.extents[0].left, tree_top)
    parts = [*heading, *_tree(tree)]
    legend_top = max(map(tree.bottom, tree.places)) + 20
    entry_places = svg.flow(entry_widths, width)
    for (sample, text), (across, line) in zip(legend, entry_places, strict=True):
        x, y = layout.MARGIN + across, legend_top + LEGEND_LINE * line
        parts += _sample(tree, sample, x, y + 10)
        parts.append(
            svg.text_element(x + 38, y + 14, text, layout.NAME_SIZE, anchor="start", fill=svg.MUTED)
        )
    _, last_line = entry_places[-1]
    height = legend_top + LEGEND_LINE * (last_line + 1) + 6
    if tree.board_size[0]:  # the sample of a board is higher than a line of the legend
        height += 6
    name = title or headline(trace)
    return svg.document(width + 2 * layout.MARGIN, height, name, describe(tree), *parts)


def _choose_layout(trace: Trace, depth: int | None, boards: bool) -> Layout:
    """Return the layout with leaves side by side, or in columns if that is too wide."""
    rows = Layout(trace, depth, boards, columns=False)
    columns = Layout(trace, depth, boards, columns=True)
    return columns if rows.width > max(ROW_LIMIT, columns.width) else rows


def _tree(tree: Layout) -> list[str]:
    """Draw the layers from back to front: edges, bars, nodes.

    Of the edges, those to unvisited nodes come first and those of the best line last.
    """
    nodes = tree.trace.nodes

    def layer(id: int) -> tuple[bool, bool, int]:
        # False sorts before True.
        return nodes[id].kind != "unvisited", id in tree.principal, id

    ids = [id for id in sorted(tree.places, key=layer) if id != 0]  # the root has no edge
    edges = [_edge(tree, nodes[id], tree.places[id]) for id in ids]
    bars = [_bar(tree.trace, bar) for bar in tree.bars]
    return edges + bars + [_node(tree, id) for id in sorted(tree.places)]


def _edge(tree: Layout, visit: Visit, place: Place) -> str:
    if visit.kind == "unvisited":
        return _line(place.edge, svg.EDGE, 1.3, class_="edge", stroke_dasharray="4 4")
    thick, colour = (4.5, svg.GREEN) if visit.id in tree.principal else (1.5, svg.EDGE)
    edge = _line(place.edge, colour, thick, class_="edge")
    if visit.is_extra_turn:
        last_part = place.edge[-2:]  # siblings share the other parts of the edge
        edge += _double(last_part, colour, thick)
    return edge


def _double(corners: Sequence[Point], colour: str, thick: float) -> str:
    """Draw a double line: a thick line, and on it a thinner one in the colour of the background."""
    core = 2.5 if thick > 3 else 2.0
    return _line(corners, colour, thick + core + 1) + _line(corners, svg.GROUND, core)


def _line(corners: Sequence[Point], colour: str, thick: float, **attributes: object) -> str:
    look = {"stroke": colour, "stroke_width": thick, "stroke_linejoin": "round", **attributes}
    return svg.line(*corners, **look)


def _bar(trace: Trace, bar: Bar) -> str:
    cut, start, end, y = bar
    text = layout.cut_text(trace, cut)
    wide = svg.width_of(text, layout.SMALL_SIZE, bold=True)
    return svg.tag(
        "g",
        svg.tag("title", svg.escape(trace.why(cut))),
        svg.box(end + 3, y - 8, wide, 16, fill=svg.GROUND),
        _line(((start, y), (end, y)), svg.PURPLE, 4, stroke_linecap="round"),
        svg.text_element(
            end + 4, y + 5, text, layout.SMALL_SIZE, anchor="start", bold=True, fill=svg.PURPLE
        ),
        class_="bar",
        data_id=cut.node,
    )


def _node(tree: Layout, id: int) -> str:
    place, visit = tree.places[id], tree.trace.nodes[id]
    if place.column:
        draw = _row
    elif tree.is_childless(id):
        draw = _leaf
    else:
        draw = _inner
    parts = _name_on_edge(visit, place) + draw(tree, visit, place)
    title = svg.tag("title", svg.escape(layout.describe_visit(tree.trace, visit)))
    return svg.tag("g", title, *parts, class_=f"node {visit.kind}", data_id=id)


def _name_on_edge(visit: Visit, place: Place) -> list[str]:
    """Draw the move on the edge to a node. A leaf in a column has the move inside."""
    if place.column or not place.edge:
        return []
    (x0, y0), (x1, y1) = place.edge[0], place.edge[-1]
    part, text = layout.NAME_POSITION, layout.name_text(visit)
    x, y = x0 + part * (x1 - x0), y0 + part * (y1 - y0)
    wide = svg.width_of(text, layout.NAME_SIZE) + 2
    patch = svg.box(x - wide / 2, y - 9, wide, 18, fill=svg.GROUND)
    fill = svg.MUTED if visit.kind == "unvisited" else svg.INK
    return [patch, svg.text_element(x, y + 5, text, layout.NAME_SIZE, fill=fill)]


def _inner(tree: Layout, visit: Visit, place: Place) -> list[str]:
    """Draw a triangle. Below it draw the window, the board and the count of left out nodes."""
    x, y, maximizing = place.x, place.y, visit.node.maximizing
    thick = 3.2 if visit.id in tree.principal else 1.8
    baseline = y + (layout.TRIANGLE_HEIGHT - 6 if maximizing else 16)  # where the triangle is wide
    shape = draw_triangle(x, y, tree.triangle_width, layout.TRIANGLE_HEIGHT, maximizing, thick)
    if visit.is_chance:
        baseline = y + layout.TRIANGLE_HEIGHT / 2 + 5
        middle, high = y + layout.TRIANGLE_HEIGHT / 2, layout.TRIANGLE_HEIGHT / 2
        shape = _ellipse(x, middle, max(high, tree.triangle_width / 3), high, thick)
    parts = [
        shape,
        svg.text_element(x, baseline, layout.value_text(visit), layout.VALUE_SIZE, bold=True),
    ]
    board_top = y + layout.TRIANGLE_HEIGHT + 2
    if tree.windows:
        window, window_baseline = layout.window_text(visit), y + layout.TRIANGLE_HEIGHT + 14
        parts.append(
            svg.text_element(x, window_baseline, window, layout.SMALL_SIZE, fill=svg.MUTED)
        )
        board_top += layout.WINDOW_HEIGHT
    parts += _board(tree, visit, x, board_top)
    if visit.id in tree.below:
        bottom, count = y + tree.node_height, f"+{tree.below[visit.id]}"
        parts += [_line(((x, bottom), (x + dx, bottom + 9)), svg.EDGE, 1.5) for dx in (-9, 0, 9)]
        parts.append(svg.text_element(x, bottom + 23, count, layout.SMALL_SIZE, fill=svg.MUTED))
    return parts


def _ellipse(x: float, y: float, rx: float, ry: float, thick: float) -> str:
    """Draw the outline of a node where chance moves, wide enough for its value."""
    return svg.tag(
        "ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=svg.GROUND, stroke=svg.INK, stroke_width=thick
    )


def draw_triangle(
    x: float, y: float, base: float, tall: float, maximizing: bool, thick: float
) -> str:
    """Draw the triangle of a node: it points up for MAX, and down for MIN."""
    if maximizing:
        apex, flat, fill, stroke = y, y + tall, svg.PALE_BLUE, svg.BLUE
    else:
        apex, flat, fill, stroke = y + tall, y, svg.PALE_VERMILION, svg.VERMILION
    corners = ((x, apex), (x + base / 2, flat), (x - base / 2, flat))
    return svg.tag(
        "polygon",
        points=" ".join(
            f"{svg.coordinate(corner_x)},{svg.coordinate(corner_y)}"
            for corner_x, corner_y in corners
        ),
        fill=fill,
        stroke=stroke,
        stroke_width=thick,
        stroke_linejoin="round",
    )


def _leaf(tree: Layout, visit: Visit, place: Place) -> list[str]:
    """Draw a leaf that is not in a column, with its board below it."""
    x, y = place.x, place.y
    if visit.kind == "unvisited":
        return [_draw_dashed("circle", cx=x, cy=y + 5, r=5)]
    outline_x, principal = x - tree.leaf_width / 2, visit.id in tree.principal
    value, baseline = layout.value_text(visit), y + layout.LEAF_HEIGHT - 7.3
    parts = _outline(outline_x, y, tree.leaf_width, layout.LEAF_HEIGHT, visit.kind, principal)
    parts.append(svg.text_element(x, baseline, value, layout.VALUE_SIZE, bold=True))
    return parts + _board(tree, visit, x, y + layout.LEAF_HEIGHT + 4)


def _board(tree: Layout, visit: Visit, x: float, y: float) -> list[str]:
    """Draw the board of a node, with its upper edge at y and its middle at x.

    Return an empty list for a picture without boards.
    """
    if not tree.board_size[0]:
        return []
    board = mini_board(visit.node.state)
    return [board.draw(x - board.width / 2, y)]


def _row(tree: Layout, visit: Visit, place: Place) -> list[str]:
    """Draw a leaf in a column, with its board to the right."""
    # A row that is higher because of its board has the leaf in the middle.
    x, y = place.x, place.y + (tree.row_height - layout.ROW_HEIGHT) / 2 + 1.5
    tall, is_unvisited = layout.ROW_HEIGHT - 3, visit.kind == "unvisited"
    fill = svg.MUTED if is_unvisited else svg.INK
    name = svg.text_element(
        x + 7, y + tall - 5.2, layout.name_text(visit), layout.NAME_SIZE, anchor="start", fill=fill
    )
    if is_unvisited:
        return [
            _draw_dashed("rect", x=x, y=y, width=tree.row_width, height=tall, rx=tall / 2),
            name,
        ]
    right, baseline = x + tree.row_width - 7, y + tall - 5
    text = layout.value_text(visit)
    value = svg.text_element(right, baseline, text, layout.VALUE_SIZE, anchor="end", bold=True)
    parts = _outline(x, y, tree.row_width, tall, visit.kind, visit.id in tree.principal)
    parts += [name, value]
    if tree.board_size[0]:
        parts.append(mini_board(visit.node.state).draw(x + tree.row_width + 6, place.y + 3))
    return parts


def _draw_dashed(shape: str, **attributes: object) -> str:
    line = {"stroke": svg.EDGE, "stroke_width": 1.3, "stroke_dasharray": "3 3"}
    return svg.tag(shape, fill=svg.GROUND, **line, **attributes)


def _outline(x: float, y: float, wide: float, tall: float, kind: str, principal: bool) -> list[str]:
    """Draw the outline of a leaf.

    The outline is square and doubled if the game is over. If the value is from the transposition
    table, the outline is square, with a line at each side, like a table. Else it is round.
    """
    colour, thick = (svg.GREEN, 3.0) if principal else (svg.MUTED, 1.3)
    square = kind in ("finished", "table")
    look = {"rx": 2 if square else tall / 2, "stroke": colour, "stroke_width": thick}
    rim = svg.box(x, y, wide, tall, fill=svg.GROUND, **look)
    if kind == "finished":
        inner = {"fill": "none", "stroke": svg.MUTED, "stroke_width": 0.8}
        return [rim, svg.box(x + 3, y + 3, wide - 6, tall - 6, **inner)]
    if kind == "table":
        sides = (x + 4, x + wide - 4)
        return [rim, *(_line(((side, y), (side, y + tall)), svg.MUTED, 1.3) for side in sides)]
    return [rim]


def _legend(tree: Layout) -> list[tuple[str, str]]:
    """Return the entries of the legend for what occurs in the picture: (sample, explanation).

    A sample is a name that `_sample` knows how to draw, or a text to be shown as it is.
    """
    visits = tree.visits
    kinds = {visit.kind for visit in visits}
    unvisited = {layout.describe_unvisited(tree.trace, v) for v in visits if v.kind == "unvisited"}
    inner = [visit for visit in visits if not tree.is_childless(visit.id)]
    signs = {visit.inequality for visit in visits}
    by_hand = tree.trace.game == "tree"
    finished = "leaf, its given value" if by_hand else "finished game, its true value"
    entries = [
        ("max", "MAX to move", any(v.player == "MAX" for v in inner)),
        ("min", "MIN to move", any(v.player == "MIN" for v in inner)),
        ("chance", "chance moves", any(v.is_chance for v in inner)),
        ("leaf", "leaf, valued by the evaluator", "leaf" in kinds),
        ("finished", finished, "finished" in kinds),
        ("table", "known from the table", "table" in kinds),
        ("extra", "extra turn: the same player again", any(v.is_extra_turn for v in visits)),
        ("best", "best line", len(tree.principal & tree.children.keys()) > 1),
        ("≤ ≥", "only a bound", bool(signs - {""})),
        ("[α, β]", "window on entry", tree.windows and bool(inner)),
        ("> n?", "null window: the only question", any(v.question for v in inner)),
        ("n?", "move in a null-window test", any(v.label != v.name for v in visits)),
        ("cut", "cut at this bound", bool(tree.cuts)),
        *(("unvisited", text, True) for text in sorted(unvisited)),
        ("+n", "n visited nodes below", bool(tree.below)),
    ]
    if tree.board_size[0]:
        entries.append(("board", mini_board(tree.trace.nodes[0].node.state).words, True))
    return [(sample, text) for sample, text, occurs in entries if occurs]


def _sample(tree: Layout, name: str, x: float, y: float) -> list[str]:
    """Draw a sample of the legend, 30 wide; x is its left end and y its middle."""
    across = ((x, y), (x + 30, y))
    match name:
        case "max" | "min":
            return [draw_triangle(x + 15, y - 9, 24, 18, name == "max", 1.8)]
        case "chance":
            return [_ellipse(x + 15, y, 9, 9, 1.8)]
        case "leaf" | "finished" | "table":
            return _outline(x + 2, y - 8, 26, 16, name, False)
        case "extra":
            patch = svg.box(x + 9, y - 7, 12, 14, fill=svg.GROUND)
            again = svg.text_element(x + 15, y + 4, "↻", layout.NAME_SIZE)
            return [_double(across, svg.EDGE, 1.5), patch, again]
        case "best":
            return [_line(across, svg.GREEN, 4.5)]
        case "cut":
            fan = [_line(((x + 15, y - 9), (x + 15 + dx, y + 9)), svg.EDGE, 1.3) for dx in (-8, 8)]
            return [*fan, _line(((x + 4, y + 1), (x + 26, y + 1)), svg.PURPLE, 4)]
        case "unvisited":
            return [
                _line(((x, y), (x + 20, y)), svg.EDGE, 1.3, stroke_dasharray="4 4"),
                _draw_dashed("circle", cx=x + 25, cy=y, r=5),
            ]
        case "board":
            return [mini_board(tree.trace.nodes[0].node.state).sample(x - 6, y - 15)]
        case _:
            return [svg.text_element(x + 15, y + 4, name, layout.SMALL_SIZE)]


def headline(trace: Trace) -> str:
    """Return the value, the best line and the counts of a search in a sentence.

    If they are to be found (see `clear_results`), return only the number of nodes.
    """
    nodes, counts = trace.nodes, trace.result.counts
    if isnan(trace.result.value):
        return f"Tree to search; {_format_count(len(nodes), 'node')}"
    line = ", ".join(nodes[id].name for id in trace.principal if nodes[id].node.move is not None)
    text = f"Search tree: {format_number(trace.result.value)} for MAX"
    if line:
        text += f" by {line}"
    text += f"; {_format_count(counts.visited, 'node')} visited"
    if counts.cutoffs:
        text += f", {_format_count(counts.cutoffs, 'cut')}"
    return text


def describe(tree: Layout) -> str:
    """Describe a picture for those who cannot see it."""
    trace = tree.trace
    sentences = [f"{headline(trace)}."]
    unvisited = [visit for visit in trace.nodes if visit.kind == "unvisited"]
    if unvisited:
        texts = {layout.describe_unvisited(trace, visit) for visit in unvisited}
        text = texts.pop() if len(texts) == 1 else "not visited"
        sentences.append(f"{_format_count(len(unvisited), 'node')} made and {text}.")
    if tree.below:
        count = _format_count(sum(tree.below.values()), "node")
        sentences.append(f"{count} visited deeper down, not drawn.")
    cuts = [*tree.cuts.values()]
    sentences += [trace.why(cut) for cut in cuts[:3]]
    if len(cuts) > 3:
        sentences.append(f"And {len(cuts) - 3} more cuts.")
    return " ".join(sentences)


def reasons(trace: Trace) -> str:
    """Return the reason of each cut as a list in Markdown."""
    return "\n".join(f"- {trace.why(cut)}" for cut in trace.cuts)


def _format_count(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
