"""Conversion of the pictures of trees and boards from SVG to PDF by fpdf2."""

import logging
import re
from datetime import UTC, datetime
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any

import matplotlib as mpl
from fpdf import FPDF
from fpdf.svg import SVGObject

# Fonts of matplotlib, so that a PDF is the same on every machine.
FAMILIES = {"sans-serif": "DejaVuSans", "monospace": "DejaVuSansMono"}
# fpdf2 names a style by letters: B for bold, I for italic. For each style, the suffix of its font
# file; for each letter, the SVG property that sets it.
STYLES = {"": "", "B": "-Bold", "I": "-Oblique", "BI": "-BoldOblique"}
PROPERTIES = {"B": "font-weight", "I": "font-style"}
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)  # a real date would make the bytes differ


def svg_to_pdf(svg: str) -> bytes:
    """Convert a picture to a page of the same size, one point for each unit of the picture.

    The picture must have a viewBox, or a width and a height.
    """

    def replace_family(match: re.Match[str]) -> str:
        # Group 1 is the name of the property, group 2 the families.
        family = "monospace" if "mono" in match[2].lower() else "sans-serif"
        return match[1] + family

    # fpdf2 warns that it leaves out <title>, which a PDF does not need.
    logging.getLogger("fpdf.svg").setLevel(logging.ERROR)
    # Such as font-family="Helvetica, Arial" or, in a style, font-family: monospace.
    text = re.sub(r"(font-family(?:=\"|\s*:))([^;}\"]*)", replace_family, svg)
    picture = SVGObject(text)
    box: Any = picture.viewbox or (0, 0, picture.width or 0, picture.height or 0)
    _, _, width, height = box
    page = FPDF(unit="pt", format=(width, height))
    page.set_creation_date(EPOCH)
    page.set_margin(0)
    fonts = Path(mpl.get_data_path()) / "fonts" / "ttf"
    families = ["sans-serif"]
    if "monospace" in text:  # each family takes 30 ms to load
        families.append("monospace")
    # A style can only occur if the text sets all its properties; the regular style has none.
    styles = [style for style in STYLES if all(PROPERTIES[letter] in text for letter in style)]
    # Else each font looks up the widths of its 6,000 characters, an eighth of a picture's time.
    characters = sorted({*map(ord, unescape(text))})
    for family, style in product(families, styles):
        file = fonts / f"{FAMILIES[family]}{STYLES[style]}.ttf"
        page.add_font(family, style, file, unicode_range=characters)
    page.add_page()
    page.set_font("sans-serif", size=12)
    picture.transform_to_page_viewport(page)
    picture.draw_to_page(page)
    return bytes(page.output())
