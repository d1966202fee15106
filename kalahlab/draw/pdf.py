"""Our own pictures, trees and boards, from SVG to PDF by fpdf2."""

import logging
import re
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import matplotlib as mpl
from fpdf import FPDF
from fpdf.svg import SVGObject

# The fonts that come with matplotlib, so that a PDF is alike on every machine.
FAMILIES = {"sans-serif": "DejaVuSans", "monospace": "DejaVuSansMono"}
STYLES = {"": "", "B": "-Bold", "I": "-Oblique", "BI": "-BoldOblique"}
PROPERTIES = {"B": "font-weight", "I": "font-style"}
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)  # a real date would make the bytes differ


def svg_to_pdf(svg: str) -> bytes:
    """The picture, with a viewBox or a width and a height, as a page of its size, in points."""

    def known(found: re.Match[str]) -> str:
        return found[1] + ("monospace" if "mono" in found[2].lower() else "sans-serif")

    # It says on the log that it leaves <title> out, which no PDF needs.
    logging.getLogger("fpdf.svg").setLevel(logging.ERROR)
    text = re.sub(r"(font-family(?:=\"|\s*:))([^;}\"]*)", known, svg)
    picture = SVGObject(text)
    box: Any = picture.viewbox or (0, 0, picture.width or 0, picture.height or 0)
    page = FPDF(unit="pt", format=(box[2], box[3]))
    page.set_creation_date(EPOCH)
    page.set_margin(0)
    fonts = Path(mpl.get_data_path()) / "fonts" / "ttf"
    families = ["sans-serif", *["monospace"] * ("monospace" in text)]  # each takes 30 ms to load
    styles = [style for style in STYLES if all(PROPERTIES[letter] in text for letter in style)]
    for family, style in product(families, styles):
        page.add_font(family, style, fonts / f"{FAMILIES[family]}{STYLES[style]}.ttf")
    page.add_page()
    page.set_font("sans-serif", size=12)
    picture.transform_to_page_viewport(page)
    picture.draw_to_page(page)
    return bytes(page.output())
