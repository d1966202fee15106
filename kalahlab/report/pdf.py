"""The report as one PDF: a book of its pages, printed by Chromium.

Chromium cannot fill in the number of a later page, so the book is printed again with the page
numbers of the last print until no number changes.
"""

import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

from playwright.sync_api import Error
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, TextStringObject

from kalahlab.files import atomic_write, temporary_folder
from kalahlab.report.browser import find_browser, launch_browser
from kalahlab.report.export import read_book
from kalahlab.report.rendering import TITLE, render

TIMEOUT_S = 900
DATE = "D:20000101000000Z"  # a real date would make the bytes differ from run to run
# Chromium gives each element of a page a name in the PDF's tags, such as `(node00000012)`.
ELEMENT_NAME = re.compile(rb"\(node\d{8}\)")


def to_pdf(
    report: Path,
    file: Path,
    only: Sequence[str] = (),
    solutions: bool = True,
    without: Sequence[str] = (),
) -> int:
    """Write the report as a PDF, and return the number of its pages.

    Args:
        report: The folder of the report.
        file: The PDF.
        only: The notebooks to print as a handout, which has no title page and no table of contents.
            Without notebooks, the whole book is printed.
        solutions: Whether to print the solutions of exercises, at the end.
        without: The headings, or their beginnings, of sections to leave out.

    Raises:
        ValueError: The report is not complete, a name is unknown, or there is no browser.
    """
    find_browser()  # raises ValueError without a browser, before the report is read
    book = read_book(report, only, without)
    numbers: dict[str, int] = {}  # the name of a link's target -> its page in the last print
    if not solutions:
        for chapter in book["chapters"]:
            chapter["solutions"] = []
    with temporary_folder(".printing-", report.resolve()) as folder:
        html, pdf = folder / "book.html", folder / "book.pdf"
        while True:  # usually two prints: the first has placeholders for the numbers
            html.write_text(render("pdf.html.j2", numbers=numbers, **book), encoding="utf-8")
            _print(html, pdf)
            new_numbers = _page_numbers(pdf)
            # A handout has no table of contents, so it needs no numbers of pages.
            if only or new_numbers == numbers:
                return _write_reproducible_pdf(pdf, file)
            numbers = new_numbers


def _page_numbers(pdf: Path) -> dict[str, int]:
    """Return the number of the page, from 1, of each link target in a PDF, by the target's name."""
    reader = PdfReader(pdf)
    numbers = {}
    for name, destination in reader.named_destinations.items():
        page = reader.get_destination_page_number(destination)
        if page is not None:
            # names in a PDF begin with a slash, which is not a part of the id
            numbers[name.lstrip("/")] = page + 1
    return numbers


def _print(html: Path, pdf: Path) -> None:
    """Print an HTML file as a PDF with bookmarks.

    Raise ValueError with the browser's message if that fails.
    """
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # the sandbox does not start for root

    def print_pages() -> None:
        with launch_browser(
            chromium_sandbox=not is_root, args=["--disable-gpu", "--no-first-run"]
        ) as browser:
            page = browser.new_page()
            page.set_default_timeout(1000 * TIMEOUT_S)
            page.goto(html.as_uri())
            page.pdf(
                path=pdf,
                outline=True,
                tagged=True,
                prefer_css_page_size=True,
                print_background=True,
            )

    try:
        # In a new thread, as playwright does not run in a thread that has an event loop.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(print_pages).result()
    except Error as error:
        raise ValueError(f"{find_browser()} did not print: {error.message[-400:]!r}") from None


def _write_reproducible_pdf(pdf: Path, file: Path) -> int:
    """Write a PDF of Chromium to `file`, and return the number of its pages.

    Each print of the same book gives the same bytes: the PDF has no date, and no names of the
    browser and the system.
    """
    data = pdf.read_bytes()
    # Chromium numbers the elements on from the pages that it has printed before, so the numbers
    # differ between prints. They are replaced with 1, 2 and so on, in the same order.
    names = sorted(set(ELEMENT_NAME.findall(data)))
    new_names = {name: b"(node%08d)" % number for number, name in enumerate(names, start=1)}
    data = ELEMENT_NAME.sub(lambda match: new_names[match[0]], data)
    writer = PdfWriter(clone_from=BytesIO(data))
    if outline := writer.root_object.get("/Outlines"):
        _fix_outline(outline.get_object())
    writer.metadata = {"/Title": TITLE, "/CreationDate": DATE, "/ModDate": DATE}
    with atomic_write(file) as part:
        writer.write(part)
    return len(writer.pages)


def _fix_outline(entry: Any) -> None:
    """Correct the bookmarks below an entry: Chromium 153 doubles a title at the top of a page."""
    child = entry.get("/First")
    while child:
        child = child.get_object()
        title = str(child["/Title"])
        half = title[: len(title) // 2]
        if title == 2 * half:
            child[NameObject("/Title")] = TextStringObject(half)
        _fix_outline(child)
        child = child.get("/Next")
