"""Rendering of reviews and puzzles as HTML that needs neither scripts nor a network."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pandas as pd
from markupsafe import Markup, escape

from kalahlab.draw import svg
from kalahlab.draw.board_svg import BoardView, board_svg, describe
from kalahlab.games.game_log import make_move
from kalahlab.games.kalah import NAMES
from kalahlab.judging.puzzles import DEEPEST, Puzzle
from kalahlab.judging.review import FORMULA, Review
from kalahlab.report.rendering import render
from kalahlab.report.tables import table_html

MOST_BOARDS = 8  # the largest number of positions to draw
WIDTH, HEIGHT, LEFT, TOP = 720, 290, 46, 62  # of the graph, in pixels; TOP is also the space below


def review_body(review: Review) -> str:
    """Return the review of a game as a part of a page."""
    table = review.table()
    table["value"] = table["value"].map(_replace_minus)
    # `table_html` aligns a `Markup` left, like words.
    for column in ("mark", "better"):
        table[column] = pd.Series([*map(escape, table[column])], dtype=object)
    return render(
        "review.html.j2",
        sentences=[_replace_minus(text) for text in (review.opening(), *review.summary()) if text],
        graph=(value_graph(review), describe_values(review)),
        boards=[_board(move) for move in turning_points(review).itertuples()],
        table=Markup(table_html(table)) if len(table) else "",
        formula=FORMULA,
    )


def _replace_minus(text: str) -> str:
    """Replace the hyphens before numbers by minus signs."""
    return re.sub(r"(?<!\S)-(?=\d)", "−", text)


def turning_points(review: Review) -> pd.DataFrame:
    """Return the marked moves; if no move is marked, the first with regret.

    Of more than `MOST_BOARDS` moves, those with the largest regret are returned, in their order in
    the game.
    """
    moves = review.find_marked_moves()
    if moves.empty:
        moves = review.moves[review.moves["regret"] > 0][:1]
    largest = moves.sort_values("regret", ascending=False, kind="stable")[:MOST_BOARDS]
    return largest.sort_values("number")


def _board(move: Any) -> tuple[str, str]:
    """Return the picture of the position before a move, and a text about the move.

    `move` is a row of `turning_points`.
    """
    title = f"Move {move.number}: {NAMES[move.mover]} played pit {move.pit + 1}"
    kind = "exact values" if move.exact else "values by a search"
    picture = board_svg(move.state, values=move.margins, title=title, last=(move.mover, move.pit))
    regret = "1 stone" if move.regret == 1 else f"{move.regret:g} stones"
    text = f"{title}, which cost {regret}. Better: {move.better}. At the pits: {kind}."
    return picture, text


def value_graph(review: Review) -> str:
    """Draw South's value before each move and at the end.

    A line is dashed unless both its ends are exact values. Numbered dots are at the ends of marked
    moves.
    """
    values = review.values()
    largest = max(2.0, *(abs(value) for value, _ in values))
    step = (WIDTH - LEFT - 20) / max(1, len(values) - 1)
    points = []
    for index, (value, _) in enumerate(values):
        points.append((LEFT + index * step, TOP + (HEIGHT - 2 * TOP) * (1 - value / largest) / 2))
    title = "The value of the game for South"
    parts, _ = svg.heading(title, 16, WIDTH)
    parts += _axes(largest, len(review.moves), step)
    for index, (before, after) in enumerate(pairwise(points)):
        is_exact = values[index][1] and values[index + 1][1]
        look: dict[str, object] = {"stroke": svg.BLUE, "stroke_width": 2}
        if not is_exact:
            look["stroke_dasharray"] = "4 4"
        parts.append(svg.line(before, after, **look))
    for number, mover in review.find_marked_moves()[["number", "mover"]].to_numpy():
        x, y = points[int(number)]
        # The number is below the dot of South, and above that of North.
        offset = 18 if mover == 0 else -10
        parts += [_circle(x, y, mover), svg.text_element(x, y + offset, str(number), 11)]
    return svg.document(WIDTH, HEIGHT, title, describe_values(review), *parts)


def describe_values(review: Review) -> str:
    """Describe the graph for those who cannot see it."""
    values = ", ".join(f"{value:+g}" for value, _ in review.values())
    numbers = ", ".join(map(str, review.find_marked_moves()["number"])) or "none"
    return f"Before each move and at the end: {values}. Marked moves: {numbers}."


def _axes(largest: float, moves: int, step: float) -> list[str]:
    """Draw lines at zero and at the largest values, numbers of moves, and the legend.

    `step` is the distance of two moves in pixels.
    """
    parts = []
    for value, text in (
        (largest, f"+{largest:g}"),
        (0, "0"),
        (-largest, f"\N{MINUS SIGN}{largest:g}"),
    ):
        y = TOP + (HEIGHT - 2 * TOP) * (1 - value / largest) / 2
        shade = svg.EDGE if value == 0 else svg.FAINT
        parts.append(svg.line((LEFT, y), (WIDTH - 20, y), stroke=shade))
        parts.append(svg.text_element(LEFT - 8, y + 4, text, 12, anchor="end", fill=svg.MUTED))
    # A number at each fifth move, of a long game at each tenth and so on; 12 or fewer steps.
    # `-(-moves // 60)` is rounded up; it is 0 only if there are no moves.
    for number in range(0, moves + 1, max(1, -(-moves // 60) * 5)):
        parts.append(
            svg.text_element(LEFT + number * step, HEIGHT - 24, str(number), 12, fill=svg.MUTED)
        )
    legend = "moves played; solid: exact, dashed: by a search; dots: marked moves of"
    parts.append(svg.text_element(LEFT, HEIGHT - 8, legend, 12, anchor="start", fill=svg.MUTED))
    x = LEFT + svg.width_of(legend, 12) + 4
    for player, name in enumerate(NAMES):
        parts.append(_circle(x, HEIGHT - 12, player))
        parts.append(svg.text_element(x + 9, HEIGHT - 8, name, 12, anchor="start", fill=svg.MUTED))
        x += 56
    return parts


def _circle(x: float, y: float, player: int) -> str:
    """Draw a dot: a full one for South, an empty one for North."""
    fill = (svg.VERMILION, svg.GROUND)[player]
    return svg.tag("circle", cx=x, cy=y, r=4.5, fill=fill, stroke=svg.VERMILION, stroke_width=2)


def puzzles_page(puzzles: Sequence[Puzzle], seed: int) -> str:
    """Return a page with puzzles: positions, and the result of each pit that a reader clicks."""
    title = f"{len(puzzles)} puzzles of Kalah"
    command = f"puzzles --number {len(puzzles)} --seed {seed}"
    entries = []
    for number, puzzle in enumerate(puzzles, start=1):
        state = puzzle.position.state
        depth = puzzle.difficulty or f"over {DEEPEST}"
        values = puzzle.position.values
        picture = board_svg(state)
        solved = board_svg(state, values=values)
        moves = {
            pit: {"answer": _answer(puzzle, pit, value), "place": _place(picture, pit)}
            for pit, value in values.items()
        }
        entries.append(
            {
                "title": f"{number}. Keep the {puzzle.outcome}; difficulty {depth}",
                "position": (picture, describe(BoardView(state))),
                "solved": (solved, "The value of each move for South."),
                "best": puzzle.move,
                "moves": moves,
            }
        )
    most = max((len(puzzle.position.values) for puzzle in puzzles), default=1)
    return render("puzzles.html.j2", command=command, title=title, puzzles=entries, most=most)


def _place(picture: str, pit: int) -> str:
    """Return the place of one of South's pits in the picture of a board, as a style for CSS."""
    board = ElementTree.fromstring(picture)
    # The index of a pit of South is its number from 0; the first element there is the rim.
    circle = board.find(f".//*[@data-index='{pit}']/*")
    assert circle is not None
    x, y, radius = (float(circle.attrib[name]) for name in ("cx", "cy", "r"))
    # One percent of the picture's width and height.
    width, height = float(board.attrib["width"]) / 100, float(board.attrib["height"]) / 100
    return (
        f"left: {(x - radius) / width:.2f}%; top: {(y - radius) / height:.2f}%; "
        f"width: {2 * radius / width:.2f}%; height: {2 * radius / height:.2f}%"
    )


def _answer(puzzle: Puzzle, pit: int, value: float) -> str:
    """Return the text that a reader sees after a click on a pit."""
    sown = make_move(puzzle.game, puzzle.position.state, pit)
    if pit == puzzle.move:
        return f"Right. {sown}. The line: {puzzle.solution}."
    end = "a draw" if value == 0 else f"a loss by {-value}"
    return f"Wrong. {sown}. With perfect play from there, the result is {end}. Try another pit."
