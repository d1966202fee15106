"""SVG as text: tags, texts whose width is estimated, and shared colours.

Pictures contain no id, stylesheet, script or outside font, so that one page can have any number of
them; they have their own background, so that the page may be dark.
"""

import html
import json
import re
from pathlib import Path
from typing import Any, Literal

# Okabe and Ito's colours for lines and areas. INK has a contrast of 11 or more on each background.
# PURPLE is darker than theirs (7.4 on white), because it is the colour of text, too.
GROUND, INK, MUTED, EDGE, FAINT = "#ffffff", "#1b2127", "#57626d", "#78838e", "#d5dae0"
BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
PALE_BLUE, PALE_VERMILION = "#dcebfa", "#fdead0"
PURPLE = "#a3195b"
PANEL, LOW, HIGH = "#f6f7f9", "#5c93cf", "#c98432"  # the ground of a leaf, the walls of a window
TEAL = "#00695c"  # a proved node

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
TITLE = 16  # size of a picture's title
# Distances in a title, in pixels: from the top to the first baseline, from line to line, and from
# the last line to what is below.
_TITLE_ASCENT, _TITLE_LINE, _TITLE_GAP = 14, 22, 12

# The characters that XML does not allow, such as control characters.
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# The sizes of trees and the words of their legend, which the explorer reads, too.
DRAWING: dict[str, Any] = json.loads(
    Path(__file__).with_name("tree.json").read_text(encoding="utf-8")
)
# Widths of characters in ems, not less than those of the fonts of `FONT`.
_WIDTH = {char: width for chars, width in DRAWING["letters"].items() for char in chars}
# Characters that are in no list have the width of letters and digits. From U+1100 on (CJK, emoji)
# they have the width of a square.
_FIRST_SQUARE = 0x1100
_BOLD: float = DRAWING["boldLetter"]  # the width of bold text, relative to that of regular text


def escape(text: str) -> str:
    return html.escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text), quote=False)


def tag(name: str, *content: str, **attributes: object) -> str:
    """Return an element as text.

    Args:
        name: The name of the element.
        content: XML, which is not escaped.
        **attributes: The attributes. `stroke_width` is written as `stroke-width`, and `class_` as
            `class`. A float is rounded to one decimal. An attribute that is None is left out.
    """
    from xml.sax.saxutils import quoteattr  # here, because it imports http

    pairs = ""
    for key, value in attributes.items():
        if value is not None:
            text = coordinate(value) if isinstance(value, float) else str(value)
            text = quoteattr(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))
            pairs += f" {key.rstrip('_').replace('_', '-')}={text}"
    inner = "".join(content)
    if not inner:
        return f"<{name}{pairs}/>"
    return f"<{name}{pairs}>{inner}</{name}>"


def coordinate(value: float) -> str:
    """Return a number rounded to at most one decimal, without a sign before zero."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def box(x: float, y: float, width: float, height: float, **attributes: object) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, **attributes)


def line(*corners: tuple[float, float], **attributes: object) -> str:
    points = " L ".join(f"{coordinate(x)} {coordinate(y)}" for x, y in corners)
    return tag("path", d=f"M {points}", fill="none", **attributes)


def text_element(
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    anchor: Literal["start", "middle", "end"] = "middle",
    bold: bool = False,
    fill: str = INK,
) -> str:
    """Return a line of text with its baseline at y.

    `anchor` is the part of the text that is at x.
    """
    return tag(
        "text",
        escape(text),
        x=float(x),
        y=float(y),
        font_size=size,
        # The default of SVG needs no attribute.
        text_anchor=None if anchor == "start" else anchor,
        font_weight="bold" if bold else None,
        fill=fill,
    )


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Return an upper estimate of a text's width in pixels, for the fonts of `FONT`."""
    ems = 0.0
    for char in text:
        kind = "otherLetter" if ord(char) < _FIRST_SQUARE else "squareLetter"
        ems += _WIDTH.get(char, DRAWING[kind])
    width = ems * size
    return width * _BOLD if bold else width


def shorten(text: str, width: float, size: float) -> str:
    """Return the text, cut off and with an ellipsis if it is wider than `width` pixels."""
    if width_of(text, size) <= width:
        return text
    while text and width_of(text + "…", size) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def heading(title: str | None, margin: float, width: float) -> tuple[list[str], float]:
    """Draw a title, in several lines if it is long.

    A word that is wider than a line is shortened.

    Returns:
        The elements of the title, and the y at which the rest of the picture begins.
    """
    if not title:
        return [], margin
    blank = width_of(" ", TITLE, bold=True)
    # `shorten` measures regular text. The title is bold, so it has room for less of it.
    words = [shorten(word, width / _BOLD - blank, TITLE) for word in title.split()]
    widths = [width_of(word, TITLE, bold=True) + blank for word in words]
    lines: dict[int, list[str]] = {}
    for word, (_, row) in zip(words, flow(widths, width), strict=True):
        lines.setdefault(row, []).append(word)
    parts = []
    for row, row_words in lines.items():
        baseline = margin + _TITLE_ASCENT + _TITLE_LINE * row
        text = " ".join(row_words)
        parts.append(text_element(margin, baseline, text, TITLE, anchor="start", bold=True))
    return parts, margin + _TITLE_LINE * len(lines) + _TITLE_GAP


def flow(widths: list[float], limit: float) -> list[tuple[float, int]]:
    """Arrange boxes like words in lines of width `limit`; return the x and the line of each box."""
    places: list[tuple[float, int]] = []
    x, row = 0.0, 0
    for width in widths:
        # At the start of a line, a box always stays, also if it is wider than the line.
        if x > 0 and x + width > limit:
            x, row = 0.0, row + 1
        places.append((x, row))
        x += width
    return places


def document(width: float, height: float, title: str, desc: str, *content: str) -> str:
    """Return a whole picture with a background, a title and a description."""
    w, h = round(width), round(height)
    # The half pixels put the middle of the edge, which is one pixel wide, on whole pixels.
    ground = box(0.5, 0.5, w - 1, h - 1, rx=6, fill=GROUND, stroke=FAINT)
    return tag(
        "svg",
        tag("title", escape(title)),
        tag("desc", escape(desc)),
        ground,
        *content,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        width=w,
        height=h,
        viewBox=f"0 0 {w} {h}",
        font_family=FONT,
        style="max-width:100%;height:auto",
    )
