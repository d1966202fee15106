"""Pictures of recorded searches, made from traces as SVG: `tree_svg(trace)`.

They look as in the explorer at the end of a search (`widgets/explorer/painter.js`). MAX's nodes
point up, MIN's down. Every node is a `<g class="node …">` with its id in `data-id`.
"""

from collections.abc import Iterable
from math import inf, isnan

from kalahlab.draw import svg
from kalahlab.draw import tree_layout as layout
from kalahlab.draw.mini_board import mini_board
from kalahlab.draw.svg import DRAWING
from kalahlab.draw.tidy_tree import (
    BOARD_GAP,
    CUT,
    CUT_COLUMN,
    CUT_ROW,
    FOLD,
    LEAF,
    NODE,
    WINDOW,
    Item,
    fit_leaf,
)
from kalahlab.draw.tree_layout import Layout
from kalahlab.formatting import format_number
from kalahlab.trace import Trace, Visit

MARGIN = 16
LEGEND_LINE = 24  # the height of a line of the legend
LEGEND_SIZE = 13  # its font
LEGEND_WIDTH = 350.0  # the least width of several lines
SAMPLE_SCALE = 0.45
TEXT_SAMPLES = ("0.5", "≥ ≤", "[α, β]", "> n?", "n?", "▾ n")
WORDS: dict[str, str] = DRAWING["words"]
SCISSORS = "M-3-2.6 7 3.4M-3 2.6 7-3.4M-5.2-6.2a2.4 2.4 0 1 0 .1 0ZM-5.2 1.4a2.4 2.4 0 1 0 .1 0Z"
# The edges from back to front: colour and width of the line, and of its double.
EDGES: dict[str, tuple[str, float, float]] = {
    "ghost": (svg.PURPLE, 1, 6),
    "left": (svg.FAINT, 1.3, 6),
    "done": (svg.EDGE, 1.3, 6),
    "best": (svg.GREEN, 3.4, 6),
}


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
    tree = Layout(trace, depth, boards)
    legend = _legend(tree)
    entry_widths = [svg.width_of(text, LEGEND_SIZE) + 54 for _, text in legend]
    # Wide enough for the tree, and for the legend in one line or in lines that a phone can show.
    tree_width = tree.right - tree.left
    width = max(tree_width, min(LEGEND_WIDTH, sum(entry_widths)), *entry_widths)
    heading, tree_top = svg.heading(title, MARGIN, width)
    tree.move(MARGIN + (width - tree_width) / 2 - tree.left, tree_top - tree.top)
    legend_top = tree.bottom + 20
    entry_places = svg.flow(entry_widths, width)
    entries = []
    for (sample, text), (across, line) in zip(legend, entry_places, strict=True):
        start, middle = MARGIN + across, legend_top + LEGEND_LINE * line + 10
        entries += _entry(tree, sample, text, start, middle)
    parts = [*heading, *_tree(tree), svg.tag("g", *entries, class_="legend")]
    _, last_line = entry_places[-1]
    height = legend_top + LEGEND_LINE * (last_line + 1) + 6
    if boards:  # the sample of a board is higher than a line of the legend
        height += 6
    name = title or headline(trace)
    return svg.document(width + 2 * MARGIN, height, name, describe(tree), *parts)


def _shift(x: float, y: float) -> str:
    return f"translate({svg.coordinate(x)},{svg.coordinate(y)})"


def _path(d: str, fill: str, stroke: str, width: float, **attributes: object) -> str:
    look = {"fill": fill, "stroke": stroke, "stroke_width": width, **attributes}
    return svg.tag("path", d=d, **look)


def _tree(tree: Layout) -> list[str]:
    """Draw the layers from back to front: edges, windows, nodes, cuts."""
    parts = _edges(tree)
    if tree.windows:
        parts += _window_bars(tree)
    parts += [_node(tree, item) for item in tree.items]
    return parts + [_cut(tree, item) for item in tree.items if item.width_of_bound]


def _edges(tree: Layout) -> list[str]:
    """Draw the edges: all of a layer are one path, and their doubles another one."""
    layers: dict[str, tuple[list[str], list[str]]] = {name: ([], []) for name in EDGES}
    for item in tree.items[1:]:
        line, double = tree.edge(item, is_whole=item.node.id in tree.best)
        lines, doubles = layers[_layer_of(tree, item)]
        lines.append(line)
        if double:
            doubles.append(double)
    parts = []
    for name, (lines, doubles) in layers.items():
        colour, width, twin = EDGES[name]
        dashes = "3 3" if name == "ghost" else None
        if lines:
            d = "".join(lines)
            parts.append(
                _path(d, "none", colour, width, class_=f"edge {name}", stroke_dasharray=dashes)
            )
        if doubles:
            d = "".join(doubles)
            parts += [_path(d, "none", colour, twin), _path(d, "none", svg.GROUND, 3)]
    return parts


def _layer_of(tree: Layout, item: Item[Visit]) -> str:
    if item.is_ghost:
        return "ghost" if _is_cut_off(tree, item) else "left"
    return "best" if item.node.id in tree.best else "done"


def _is_cut_off(tree: Layout, item: Item[Visit]) -> bool:
    """Return whether a move was never tried because of a cut."""
    return layout.describe_unvisited(tree.trace, item.node) == layout.SKIPPED


def _window_bars(tree: Layout) -> list[str]:
    """Draw the windows as bars, whose walls close in from alpha and from beta."""
    parts: dict[str, list[str]] = {"track": [], "low": [], "high": [], "empty": [], "tick": []}
    wide, high = WINDOW["w"], WINDOW["h"]
    for item in tree.items:
        if item.is_ghost or item.is_leafy or isnan(item.node.alpha):
            continue
        alpha, beta = final_window(tree.trace, item.node)
        start, y = item.x - wide / 2, item.y + WINDOW["y"]
        low, top = (item.x + _bar_x(tree, end) for end in (alpha, beta))
        parts["track"].append(_box(start, y, wide, high))
        parts["low"].append(_box(start, y, low - start, high))
        parts["high"].append(_box(top, y, start + wide - top, high))
        if alpha >= beta:
            parts["empty"].append(_box(min(low, top) - 2, y - 1.5, abs(low - top) + 4, high + 3))
        value = item.node.value
        if value is not None and abs(value) < inf:
            tick = svg.coordinate(item.x + _bar_x(tree, value))
            parts["tick"].append(f"M{tick} {y - 2}v{high + 4}")
    looks = {
        "track": (svg.GROUND, svg.EDGE, 0.8),
        "low": (svg.LOW, "none", 0),
        "high": (svg.HIGH, "none", 0),
        "empty": ("none", svg.PURPLE, 2),
        "tick": ("none", svg.INK, 2),
    }
    return [
        _path("".join(parts[name]), *look, class_=name)
        for name, look in looks.items()
        if any(parts[name])
    ]


def _box(x: float, y: float, width: float, height: float) -> str:
    if width <= 0:
        return ""
    x_text, wide = svg.coordinate(x), svg.coordinate(width)
    return f"M{x_text} {y}h{wide}v{height}h-{wide}Z"


def _bar_x(tree: Layout, number: float) -> float:
    """Return the place of a number on a bar of a window, whose middle is 0."""
    half = WINDOW["w"] / 2
    if abs(number) == inf:
        return half if number > 0 else -half
    return number / tree.span * (half - 4)


def final_window(trace: Trace, visit: Visit) -> tuple[float, float]:
    """Return the window of a node, narrowed by the values of its children."""
    alpha, beta = visit.alpha, visit.beta
    children = trace.visited_children(visit)
    if visit.kind == "driver":
        # A pass that fails low finds only a limit.
        limits = [child.final_value for child in children if child.inequality == "≤"]
        beta = min([beta, *limits])
        children = [child for child in children if child.inequality != "≤"]
        if children and (children[0].alpha, children[0].beta) == (-inf, inf):
            return alpha, beta  # iterative deepening
    if visit.is_chance or not children:
        return alpha, beta
    best = children[0]
    for child in children[1:]:
        value, least = child.final_value, best.final_value
        is_better = value > least if visit.node.maximizing else value < least
        if is_better or (best.probe and best.name == child.name):
            best = child
    if visit.node.maximizing:
        return max(alpha, best.final_value), beta
    return alpha, min(beta, best.final_value)


def _node(tree: Layout, item: Item[Visit]) -> str:
    draw = _leaf if item.is_leafy else _inner
    title = svg.tag("title", svg.escape(layout.describe_visit(tree.trace, item.node)))
    classes = f"node {item.node.kind}"
    return svg.tag("g", title, *draw(tree, item), class_=classes, data_id=item.node.id)


def draw_shape(x: float, y: float, d: str, look: dict[str, object]) -> str:
    """Draw a path around a point."""
    return svg.tag("path", d=d, transform=_shift(x, y), stroke_linejoin="round", **look)


def triangle(maximizing: bool) -> str:
    """Return the path of a triangle, which points up for MAX and down for MIN."""
    up = 1 if maximizing else -1
    return f"M0 {-NODE['tip'] * up} {NODE['w']} {NODE['base'] * up}H{-NODE['w']}Z"


def leaf_box(width: float, height: float, radius: float) -> str:
    """Return the path of a box with round corners; it is twice as wide and as high."""
    w, h, r = width, height, radius
    return (
        f"M{r - w}-{h}h{2 * (w - r)}q{r} 0 {r} {r}v{2 * (h - r)}q0 {r}-{r} {r}h{2 * (r - w)}"
        f"q-{r} 0-{r}-{r}v{2 * (r - h)}q0-{r} {r}-{r}Z"
    )


BOX = leaf_box(LEAF["w"], LEAF["h"], 5)  # a table's value, and a leaf that was never visited
VALUED_BOX = leaf_box(LEAF["w"], LEAF["h"], 9)
FINISHED_BOX = leaf_box(LEAF["w"], LEAF["h"], 2) + leaf_box(LEAF["w"] - 3, LEAF["h"] - 3, 1)
RULES = f"M{4.5 - LEAF['w']}-10V10M{LEAF['w'] - 4.5}-10V10"  # at the sides of a table's box
RADIUS = (NODE["tip"] + NODE["base"]) / 2
CIRCLE = f"M0-{RADIUS}a{RADIUS} {RADIUS} 0 1 0 .1 0Z"  # where chance moves
# The looks of outlines, by what they are of.
OUTLINES: dict[str, dict[str, object]] = {
    "max": {"fill": svg.PALE_BLUE, "stroke": svg.BLUE, "stroke_width": 1.6},
    "min": {"fill": svg.PALE_VERMILION, "stroke": svg.VERMILION, "stroke_width": 1.6},
    "chance": {"fill": svg.PANEL, "stroke": svg.INK, "stroke_width": 1.6},
    "leaf": {"fill": svg.PANEL, "stroke": svg.EDGE, "stroke_width": 1},
    "ghost": {
        "fill": "none",
        "stroke": svg.PURPLE,
        "stroke_width": 1.2,
        "stroke_dasharray": "3 3",
    },
    "left": {"fill": "none", "stroke": svg.EDGE, "stroke_width": 1.2},
    "rules": {"fill": "none", "stroke": svg.MUTED, "stroke_width": 1.3},
}


def _outline_of(tree: Layout, item: Item[Visit]) -> str:
    """Return the name of a node's outline in `OUTLINES`."""
    if item.is_ghost:
        return "ghost" if _is_cut_off(tree, item) else "left"
    if item.is_leafy:
        return "leaf"
    if item.node.is_chance:
        return "chance"
    return "max" if item.node.node.maximizing else "min"


def _inner(tree: Layout, item: Item[Visit]) -> list[str]:
    """Draw a triangle, below it the window, the board and the count of left out nodes."""
    x, y, visit = item.x, item.y, item.node
    outline = _outline_of(tree, item)
    shape = triangle(visit.node.maximizing)
    baseline = 14.0 if visit.node.maximizing else -3.0  # where the triangle is wide
    if visit.kind == "table":
        shape, baseline = BOX, 5
    elif visit.is_chance:
        shape, baseline = CIRCLE, 5
    parts = [draw_shape(x, y, shape, OUTLINES[outline])]
    if visit.kind == "table":
        parts.append(draw_shape(x, y, RULES, OUTLINES["rules"]))
    if visit.id:
        place = layout.place_of_name(tree.trace, visit)
        fill = svg.PURPLE if outline == "ghost" else svg.MUTED
        name = layout.name_text(visit)
        parts.append(
            svg.text_element(x + place["x"], y + place["y"], name, 13, anchor="end", fill=fill)
        )
    if item.is_ghost:
        cost = tree.costs.get(visit.id)
        if outline == "ghost" and cost:
            text = _format_short(cost)
            parts.append(svg.text_element(x, y + baseline, text, 11, fill=svg.PURPLE))
        return parts
    value = layout.value_text(visit, tree.trace.unit)
    parts.append(svg.text_element(x, y + baseline, value, value_size(value), bold=True))
    if tree.windows:
        window = layout.window_text(visit)
        parts.append(svg.text_element(x, y + WINDOW["text"], window, 12, fill=svg.MUTED))
    parts += _board(tree, item)
    if item.hidden:
        bottom = y + FOLD["down" if tree.windows else "across"] + tree.drop
        count = f"▾ {_format_short(item.hidden)}"
        parts.append(svg.text_element(x, bottom, count, 11, fill=svg.MUTED))
    return parts


def value_size(text: str) -> float:
    """Return the font size of a value in a triangle, smaller if it is long."""
    if len(text) > 4:
        return 10.5 if len(text) == 5 else 9.5
    return 12 if len(text) > 3 else 14


def _format_short(count: int) -> str:
    """Format a count in at most five characters."""
    if count < 10_000:
        return f"{count:,}"
    return f"{round(count / 1e3)}k" if count < 1e6 else f"{count / 1e6:.3g}M"


def _leaf(tree: Layout, item: Item[Visit]) -> list[str]:
    """Draw a leaf: the move on the left, the value on the right.

    The outline of a finished game is square and doubled, that of a static value round.
    """
    x, y, outline = item.x, item.y, _outline_of(tree, item)
    box = FINISHED_BOX if item.node.kind == "finished" else VALUED_BOX
    if item.is_ghost:
        box = BOX
    fill = svg.PURPLE if outline == "ghost" else svg.MUTED
    value = layout.value_text(item.node, tree.trace.unit)
    again = "↻" if item.node.is_extra_turn else ""
    name, name_size, value_size = fit_leaf(item.node.label, again, value)
    parts = [draw_shape(x, y, box, OUTLINES[outline])]
    if name:
        start = x - LEAF["text"]
        parts.append(svg.text_element(start, y + 4, name, name_size, anchor="start", fill=fill))
    if item.is_ghost:
        return parts
    end = x + LEAF["text"]
    parts.append(svg.text_element(end, y + 4.5, value, value_size, anchor="end", bold=True))
    return parts + _board(tree, item)


def _board(tree: Layout, item: Item[Visit]) -> list[str]:
    """Draw the board of a node below it, or beside a leaf in a column."""
    if item.board is None:
        return []
    board = item.board
    if item.above and item.above.is_column:
        return [board.draw(item.x + LEAF["w"] + BOARD_GAP, item.y - board.height / 2)]
    below = LEAF["h"] if item.is_leafy else NODE["tip"]
    if tree.windows and not item.is_leafy:
        below = WINDOW["end"]
    return [board.draw(item.x - board.width / 2, item.y + below + 3)]


def _cut(tree: Layout, item: Item[Visit]) -> str:
    """Draw the line before the moves never tried, with scissors and the bound that was reached."""
    cut = tree.cuts[item.node.id]
    first, last = item.ghosts[0], item.children[-1]
    side, y = CUT_ROW["side"], first.y - CUT_ROW["up"]
    start, end, blade = first.x - side, last.x + side, first.x - side - 6
    if item.is_column:
        y = first.y - tree.leaf_step / 2
        start, end = item.x + CUT_COLUMN["left"], item.x + tree.end_of_cut
        blade = start - 8
    text = layout.cut_text(tree.trace, cut)
    line = f"M{svg.coordinate(start)} {svg.coordinate(y)}H{svg.coordinate(end)}"
    look: dict[str, object] = {"stroke_linecap": "round"}
    return svg.tag(
        "g",
        svg.tag("title", svg.escape(tree.trace.why(cut))),
        _path(line, "none", svg.PURPLE, 3, **look),
        _path(SCISSORS, "none", svg.PURPLE, 1.6, transform=_shift(blade, y), **look),
        svg.text_element(
            end + CUT["gap"], y + 4, text, 12, anchor="start", bold=True, fill=svg.PURPLE
        ),
        class_="cutoff",
        data_id=cut.node,
    )


def _legend(tree: Layout) -> list[tuple[str, str]]:
    """Return the entries of the legend for what occurs in the picture: (sample, explanation).

    A sample is a name that `_sample` knows how to draw, or a text to be shown as it is.
    """
    visits = [item.node for item in tree.items]
    inner = [item.node for item in tree.items if not item.is_leafy and not item.is_ghost]
    kinds = {visit.kind for visit in visits}
    outlines = {_outline_of(tree, item) for item in tree.items}
    signs = {visit.inequality for visit in visits}
    is_blank = any(isnan(visit.alpha) for visit in visits)
    finished = "given" if tree.trace.game == "tree" else "finished"
    entries = [
        ("max", WORDS["max"], any(v.player == "MAX" for v in inner)),
        ("min", WORDS["min"], any(v.player == "MIN" for v in inner)),
        ("chance", WORDS["chance"], any(v.is_chance for v in inner)),
        ("leaf", WORDS["leaf"], "leaf" in kinds),
        ("finished", WORDS[finished], "finished" in kinds),
        ("table", WORDS["table"], "table" in kinds),
        ("0.5", WORDS["probability"], tree.trace.unit == "probability"),
        ("extra", WORDS["extra"], any(v.is_extra_turn for v in visits)),
        ("best", WORDS["best"], len(tree.best & {v.id for v in visits}) > 1),
        ("≥ ≤", WORDS["bound"], bool(signs - {""})),
        ("[α, β]", WORDS["window"], tree.windows and bool(inner)),
        ("> n?", WORDS["question"], any(v.question for v in inner)),
        ("bar", WORDS["bar"], tree.windows and bool(inner) and not is_blank),
        ("n?", WORDS["probe"], any(v.label != v.name for v in visits)),
        ("cut", WORDS["cut"], bool(tree.cuts)),
        ("ghost", WORDS["ghost"], "ghost" in outlines),
        ("left", WORDS["left"], "left" in outlines),
        ("▾ n", WORDS["fold"], any(item.hidden for item in tree.items)),
    ]
    if tree.boards:
        entries.append(("board", mini_board(tree.trace.nodes[0].node.state).words, True))
    return [(sample, text) for sample, text, occurs in entries if occurs]


def _entry(tree: Layout, sample: str, text: str, start: float, middle: float) -> list[str]:
    """Draw an entry of the legend, with its sample on the left."""
    size, muted = LEGEND_SIZE, svg.MUTED
    words = svg.text_element(start + 38, middle + 4, text, size, anchor="start", fill=muted)
    drawing = svg.tag("g", *_sample(sample), transform=_shift(start + 15, middle))
    if sample == "board":
        board = mini_board(tree.trace.nodes[0].node.state)
        drawing = board.sample(start - 6, middle - 15)
    elif sample in TEXT_SAMPLES:
        drawing = svg.text_element(start + 15, middle + 4, sample, 12)
    return [drawing, words]


def _sample(name: str) -> Iterable[str]:
    """Draw a sample of the legend around the origin, 30 wide; nothing for a text or a board."""
    shapes = {
        "max": triangle(True),
        "min": triangle(False),
        "chance": CIRCLE,
        "leaf": VALUED_BOX,
        "finished": FINISHED_BOX,
        "ghost": triangle(True),
        "left": triangle(True),
    }
    small = f"scale({SAMPLE_SCALE})"
    if name in shapes:
        look = OUTLINES["leaf" if name == "finished" else name]
        yield svg.tag("path", d=shapes[name], transform=small, **_thicken(look))
    elif name == "table":
        yield svg.tag("path", d=BOX, transform=small, **_thicken(OUTLINES["max"]))
        yield svg.tag("path", d=RULES, transform=small, **_thicken(OUTLINES["rules"]))
    elif name == "extra":
        yield _path("M0-9V9", "none", svg.EDGE, 6) + _path("M0-9V9", "none", svg.GROUND, 3)
    elif name == "best":
        yield _path("M-15 0H15", "none", svg.GREEN, 3.4)
    elif name == "cut":
        yield _path("M-7 0H15", "none", svg.PURPLE, 3)
        yield _path(SCISSORS, "none", svg.PURPLE, 1.6, transform=_shift(-12, 0))
    elif name == "bar":
        yield from _sample_bar()


def _thicken(look: dict[str, object]) -> dict[str, object]:
    """Return a look whose line is as thick as in the tree once the sample is small."""
    return look | {"stroke_width": 2 if look is OUTLINES["leaf"] else 3}


def _sample_bar() -> Iterable[str]:
    yield _path(_box(-15, -3, 30, 6), svg.GROUND, svg.EDGE, 0.8)
    yield _path(_box(-15, -3, 8, 6), svg.LOW, "none", 0)
    yield _path(_box(5, -3, 10, 6), svg.HIGH, "none", 0)
    yield _path("M-1-5v10", "none", svg.INK, 2)


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
    hidden = sum(item.hidden for item in tree.items)
    if hidden:
        count = _format_count(hidden, "node")
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
