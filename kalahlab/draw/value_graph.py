"""The value of a game, move by move, as SVG."""

from itertools import pairwise

from kalahlab.draw import svg
from kalahlab.games.kalah import NAMES
from kalahlab.judging.review import Review

WIDTH, HEIGHT, LEFT, TOP = 720, 290, 46, 62


def value_graph(review: Review) -> str:
    """South's value before each move and at the end; dashed where it is by a search.

    A marked move has a dot at its end, with its number.
    """
    values = review.values()
    top = max(2.0, *(abs(value) for value, _ in values))
    step = (WIDTH - LEFT - 20) / max(1, len(values) - 1)
    places = [
        (LEFT + at * step, TOP + (HEIGHT - 2 * TOP) * (1 - value / top) / 2)
        for at, (value, _) in enumerate(values)
    ]
    title = "The value of the game for South"
    parts, _ = svg.heading(title, 16, WIDTH)
    parts += _axes(top, len(review.moves), step)
    for at, (before, after) in enumerate(pairwise(places)):
        dashes = None if values[at][1] and values[at + 1][1] else "4 4"
        look = {"stroke": svg.BLUE, "stroke_width": 2, "stroke_dasharray": dashes}
        parts.append(svg.line(before, after, **look))
    for number, mover in review.marked()[["number", "mover"]].to_numpy():
        x, y = places[int(number)]
        beside = 18 if mover == 0 else -10
        parts += [_circle(x, y, mover), svg.words(x, y + beside, str(number), 11)]
    return svg.document(WIDTH, HEIGHT, title, described(review), *parts)


def described(review: Review) -> str:
    said = ", ".join(f"{value:+g}" for value, _ in review.values())
    turned = ", ".join(map(str, review.marked()["number"])) or "none"
    return f"Before each move and at the end: {said}. Marked moves: {turned}."


def _axes(top: float, moves: int, step: float) -> list[str]:
    """The line of a draw, the largest value of either side, and some numbers of moves."""
    parts = []
    for value, said in ((top, f"+{top:g}"), (0, "0"), (-top, f"\N{MINUS SIGN}{top:g}")):
        y = TOP + (HEIGHT - 2 * TOP) * (1 - value / top) / 2
        shade = svg.EDGE if value == 0 else svg.FAINT
        parts.append(svg.line((LEFT, y), (WIDTH - 20, y), stroke=shade))
        parts.append(svg.words(LEFT - 8, y + 4, said, 12, anchor="end", fill=svg.MUTED))
    for number in range(0, moves + 1, max(1, -(-moves // 60) * 5)):
        parts.append(svg.words(LEFT + number * step, HEIGHT - 24, str(number), 12, fill=svg.MUTED))
    legend = "moves played; solid: exact, dashed: by a search; dots: marked moves of"
    parts.append(svg.words(LEFT, HEIGHT - 8, legend, 12, anchor="start", fill=svg.MUTED))
    x = LEFT + svg.width_of(legend, 12) + 4
    for player, name in enumerate(NAMES):
        parts.append(_circle(x, HEIGHT - 12, player))
        parts.append(svg.words(x + 9, HEIGHT - 8, name, 12, anchor="start", fill=svg.MUTED))
        x += 56
    return parts


def _circle(x: float, y: float, player: int) -> str:
    """Full for South, a ring for North."""
    fill = (svg.VERMILION, svg.GROUND)[player]
    return svg.tag("circle", cx=x, cy=y, r=4.5, fill=fill, stroke=svg.VERMILION, stroke_width=2)
