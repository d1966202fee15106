"""Export of a finished report: as one PDF, and a page as slides.

The PDF is a book of the pages, printed by Chromium. Chromium cannot fill in the number of a later
page, so the book is printed again with the page numbers of the last print until no number changes.
"""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from bs4 import BeautifulSoup, Tag
from markupsafe import Markup
from playwright.sync_api import Error
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, TextStringObject

from kalahlab.files import atomic_write, temporary_folder
from kalahlab.report import manifest
from kalahlab.report.browser import find_browser, launch_browser
from kalahlab.report.cells import number_of
from kalahlab.report.rendering import TITLE, one_line, parse, render
from kalahlab.report.sources import resolve_prefix

INDEX = "index"
# The pages after the notebooks. The list of figures is not among them: it links to files.
LAST_PAGES = ("references",)
# The parts of the front page that are on the title page, in the order of the title page.
FRONT_SELECTORS = (".subtitle", ".abstract", ".findings", "[aria-labelledby=provenance]")
# The parts of a page that are not on its slides.
NOT_ON_SLIDES = (
    "script, style, details, .still, .exercise, .in-short, .failure, .fold, .downloads, "
    ".screen-only, .for-readers"
)
TIMEOUT_S = 900
DATE = "D:20000101000000Z"  # a real date would make the bytes differ from run to run
ELEMENT = re.compile(rb"\(node\d{8}\)")  # the name of an element in the tags of a PDF by Chromium
SENTENCE_END = re.compile(r"(?<=[.?!]) (?=[A-Z])")
# The attributes that hold an id, or several with spaces between them; for `href` see below.
ID_ATTRIBUTES = ("id", "for", "aria-labelledby", "aria-describedby")


def to_pdf(report: Path, file: Path, only: Sequence[str] = (), solutions: bool = True) -> int:
    """Write the report as a PDF, and return the number of its pages.

    Args:
        report: The folder of the report.
        file: The PDF.
        only: The notebooks of a handout, which has no cover and no contents; none for the book.
        solutions: Whether the solutions of exercises are at the end.

    Raises:
        ValueError: The report is not complete, a name is unknown, or there is no browser.
    """
    find_browser()
    book = read_book(report, only)
    numbers: dict[str, int] = {}
    if not solutions:
        for chapter in book["chapters"]:
            chapter["solutions"] = []
    with temporary_folder(".printing-", report.resolve()) as folder:
        html, pdf = folder / "book.html", folder / "book.pdf"
        while True:  # usually two prints: the first has placeholders for the numbers
            html.write_text(render("pdf.html.j2", numbers=numbers, **book), encoding="utf-8")
            _print(html, pdf)
            last_numbers, numbers = numbers, _page_numbers(pdf)
            if only or numbers == last_numbers:  # a handout has no contents, so no numbers
                return _write_reproducible_pdf(pdf, file)


def _page_numbers(pdf: Path) -> dict[str, int]:
    """Return the page (from 1) of each target of a link in a PDF, by its name."""
    reader = PdfReader(pdf)
    numbers = {}
    for name, destination in reader.named_destinations.items():
        page = reader.get_destination_page_number(destination)
        if page is not None:
            # names in a PDF begin with a slash, which is not a part of the id
            numbers[name.lstrip("/")] = page + 1
    return numbers


def check_report(report: Path) -> list[str]:
    """Return the names of notebooks; raise ValueError if the report is missing or incomplete."""
    if not (report / manifest.FILE).exists() or not (report / f"{INDEX}.html").exists():
        raise ValueError(
            f"{str(report)!r} holds no report; name its folder with --report, or make one with: "
            "kalahlab report"
        )
    damaged = list[str]()  # the lines that `load_manifest` reports, one for each damage
    records = manifest.load_manifest(report, damaged.append)
    complete = not damaged and all(record.is_complete(report) for record in records)
    if not complete or not manifest.pages_are_complete(report):
        raise ValueError(
            f"{str(report)!r} does not match its {manifest.FILE}; its build was probably "
            "interrupted; rebuild it with: kalahlab report"
        )
    return [record.notebook for record in records]


def read_book(report: Path, only: Sequence[str] = ()) -> dict[str, Any]:
    """Return the values for `pdf.html.j2`, except the numbers of pages.

    Raise ValueError for an unknown notebook, and like `check_report`.
    """
    stems = check_report(report)
    names = [resolve_prefix("page", stem, stems) for stem in only] or [INDEX, *stems, *LAST_PAGES]
    chapters = [_chapter(report, name, names) for name in names if name != INDEX]
    index = _read(report, INDEX)
    front: list[Tag] = []
    if not only:
        for selector in FRONT_SELECTORS:
            front += index.select(selector)
    for part in front:
        _make_ids_unique(part, INDEX, names)
    return {
        "front": _html(front),
        "chapters": chapters,
        "styles": _html(index.select("head style")),
        # `page.html.j2` writes the script for printing last.
        "script": _html(index.select("body > script")[-1:]),
    }


def _read(report: Path, name: str) -> BeautifulSoup:
    return parse((report / f"{name}.html").read_text(encoding="utf-8"))


def _main(report: Path, name: str, left_out: str) -> Tag:
    """Return the main part of a page without the elements of the selector `left_out`."""
    main = _read(report, name).select("main")[0]
    for element in main.select(f"{left_out}, .anchor-link"):
        element.decompose()
    return main


def _html(elements: Iterable[Tag]) -> Markup:
    return Markup("\n".join(map(str, elements)))


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
            options: Any = {"prefer_css_page_size": True, "print_background": True}
            page.pdf(path=pdf, outline=True, tagged=True, **options)

    try:
        # In a new thread, as playwright does not run in a thread that has an event loop.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(print_pages).result()
    except Error as error:
        raise ValueError(f"{find_browser()} did not print: {error.message[-400:]!r}") from None


def _write_reproducible_pdf(pdf: Path, file: Path) -> int:
    """Write a PDF of Chromium to `file` so that each print has the same bytes.

    The date and the names of browser and system are left out. Return the number of pages.
    """
    data = pdf.read_bytes()
    # Chromium continues the numbers of elements from those of the pages printed before.
    numbers = {name: index for index, name in enumerate(sorted({*ELEMENT.findall(data)}), 1)}
    data = ELEMENT.sub(lambda match: b"(node%08d)" % numbers[match[0]], data)
    writer = PdfWriter(clone_from=BytesIO(data))
    if outline := writer.root_object.get("/Outlines"):
        _fix_outline(outline.get_object())
    writer.metadata = {"/Title": TITLE, "/CreationDate": DATE, "/ModDate": DATE}
    with atomic_write(file) as part:
        writer.write(part)
    return len(writer.pages)


def _fix_outline(entry: Any) -> None:
    """Fix the outline below an entry: Chromium 153 doubles a title at the top of a page."""
    child = entry.get("/First")
    while child:
        child = child.get_object()
        title = str(child["/Title"])
        half = title[: len(title) // 2]
        if title == 2 * half:
            child[NameObject("/Title")] = TextStringObject(half)
        _fix_outline(child)
        child = child.get("/Next")


def _chapter(report: Path, name: str, names: Collection[str]) -> dict[str, Any]:
    """Return a page of the report as a chapter; `in_css` is its title as a string in CSS."""
    main = _main(report, name, "script, style, iframe")
    _make_ids_unique(main, name, names)
    first = main.select_one("h1")
    title = one_line(first.text) if first else name
    if first and name[0].isdecimal():
        title = f"{number_of(name)}  {title}"
        first.insert(0, f"{number_of(name)}  ")
    figures = []  # ids, and numbers with the first sentence of the caption
    for figure in main.select("figure.artifact[id]:has(> figcaption)"):
        for files in figure.select("figcaption .downloads"):
            files.decompose()
        number, _, text = one_line(figure.select("figcaption")[0].text).partition(". ")
        figures.append((str(figure["id"]), f"{number}  {SENTENCE_END.split(text)[0]}"))
    solutions = [_take_solution(box) for box in main.select(".exercise")]
    return {
        "name": name,
        "title": title,
        # Quotes and backslashes would end the string, and `<` could end the style element.
        "in_css": Markup(re.sub(r'(["\\<])', lambda match: f"\\{ord(match[1]):x} ", title)),
        "html": Markup(main.decode_contents()),
        "headings": [(heading["id"], one_line(heading.text)) for heading in main.select("h2[id]")],
        "figures": figures,
        "solutions": solutions,
    }


def _take_solution(box: Tag) -> tuple[str, Markup]:
    """Remove the solution of an exercise, and return it with the number of the exercise.

    The number is "" if the text of the box has none. The box is emptied and becomes lined space in
    which a reader of the book writes the answer.
    """
    number = re.search(r"\d+\.\d+", box.text)
    html = _html(box.select("details > :not(summary)"))
    box["class"] = "room"
    box.clear()
    return number[0] if number else "", html


def _make_ids_unique(part: Tag, name: str, names: Collection[str]) -> None:
    """Prefix the ids in a part of the page `name` with `name`, and let its links lead to the book.

    Links to the web are unchanged. A link to a file, or to a page that is not among the `names` of
    the book, is removed; its text is not.
    """

    def id_in_book(page: str, page_id: str) -> str:
        """Return an id that needs no escape in HTML, in a link or in a PDF."""
        return f"{page}.{re.sub('[^0-9A-Za-z_-]', '_', unquote(page_id))}"

    for element in (part, *part.find_all(True)):
        for attribute in ID_ATTRIBUTES:
            ids = str(element.get(attribute, "")).split()
            if ids:
                element[attribute] = " ".join(id_in_book(name, page_id) for page_id in ids)
        if "href" in element.attrs:
            target = str(element["href"])
            page, _, page_id = target.partition("#")
            stem = page.removesuffix(".html") or name
            if stem in names:
                # Of the index, only some parts are in the book: links lead to its title page.
                has_target = page_id and stem != INDEX
                element["href"] = f"#{id_in_book(stem, page_id) if has_target else stem}"
            elif not re.match(r"(https?|mailto|doi):", target):
                del element["href"]


def to_slides(report: Path, notebook: str) -> str:
    """Return the slides of a page as HTML.

    Raise ValueError for an incomplete report, or an unknown notebook.
    """
    name = resolve_prefix("notebook", notebook, check_report(report))
    main = _main(report, name, NOT_ON_SLIDES)
    # A listing is only on a slide if text that is on a slide refers to the cell of the listing.
    for cell in main.select(".code-cell:has(> .outputs > .listing)"):
        if not main.select(f'a[href="#{cell["id"]}"]'):
            cell.decompose()
    for link in main.select("a[href]"):
        if not str(link["href"]).startswith("https:"):
            del link["href"]  # the other pages and the files are not beside the slides
    for frame in main.select("iframe"):
        frame["loading"] = "lazy"
        frame["srcdoc"] = str(frame["srcdoc"]).replace("<html ", '<html class="slide" ', 1)
    title = one_line(main.select("h1")[0].text) if main.h1 else name
    return render("slides.html.j2", title=title, body=_html(_blocks(main)))


def _blocks(main: Tag) -> Iterator[Tag]:
    """Yield paragraphs, lists, figures and so on, without the boxes around them."""
    for child in main.find_all(True, recursive=False):
        if {"prose", "code-cell", "outputs"} & {*str(child.get("class", "")).split()}:
            yield from _blocks(child)
        else:
            yield child
