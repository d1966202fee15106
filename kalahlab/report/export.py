"""What is made of a finished report: one PDF, and a page as slides.

The PDF is a book of the pages that Chromium prints. It cannot write the number of a page that is
still to come: the book is printed again with the numbers that are read from it, until they stay.
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
from kalahlab.report.browser import driven, find_browser
from kalahlab.report.cells import number_of
from kalahlab.report.rendering import TITLE, one_line, parse, render
from kalahlab.report.sources import resolve_prefix

INDEX = "index"
LAST = ("references",)  # pages after the notebooks; the list of figures leads to files, so not it
# What of the front page stands on the title page.
FRONT = (".subtitle", ".abstract", ".findings", "[aria-labelledby=provenance]")
# What of a page is not on its slides.
LEFT_OUT = (
    "script, style, details, .still, .exercise, .in-short, .failure, .fold, .downloads, "
    ".screen-only, .for-readers"
)
TIMEOUT_S = 900
DATE = "D:20000101000000Z"  # a real date would make the bytes differ from run to run
ELEMENT = re.compile(rb"\(node\d{8}\)")  # what Chromium calls an element in the tags of a PDF
SENTENCE = re.compile(r"(?<=[.?!]) (?=[A-Z])")  # ends the first sentence of a caption
NAMING = ("id", "for", "aria-labelledby", "aria-describedby")


def to_pdf(report: Path, file: Path, only: Sequence[str] = (), solutions: bool = True) -> int:
    """The number of pages; `ValueError` without a whole report or a browser. only: the notebooks of
    a handout, which has no cover and no contents. solutions: whether they stand at the end."""
    find_browser()
    book, numbers = read_book(report, only), dict[str, int]()
    for chapter in book["chapters"]:
        chapter["solutions"] = chapter["solutions"] if solutions else []
    with temporary_folder(".printing-", report.resolve()) as folder:
        html, pdf = folder / "book.html", folder / "book.pdf"
        while True:
            html.write_text(render("pdf.html.j2", numbers=numbers, **book), encoding="utf-8")
            _print(html, pdf)
            # the page (from 1) of each place that a link of the PDF's own leads to
            reader, before = PdfReader(pdf), numbers
            numbers = {
                name.lstrip("/"): page + 1
                for name, place in reader.named_destinations.items()
                if (page := reader.get_destination_page_number(place)) is not None
            }
            if only or numbers == before:
                return _finish(pdf, file)


def check_report(report: Path) -> list[str]:
    """The pages of notebooks; `ValueError` if there is no report, or one that is not whole."""
    if not (report / manifest.FILE).exists() or not (report / f"{INDEX}.html").exists():
        found = f"{str(report)!r} holds no report; name its folder with --report, or"
        raise ValueError(f"{found} make one with: kalahlab report")
    damaged = list[str]()
    records = manifest.load_manifest(report, damaged.append)
    complete = not damaged and all(record.is_complete(report) for record in records)
    if not complete or not manifest.pages_are_complete(report):
        raise ValueError(
            f"{str(report)!r} is not as {manifest.FILE} says, as if its build had been ended; "
            "make it whole with: kalahlab report"
        )
    return [record.notebook for record in records]


def read_book(report: Path, only: Sequence[str] = ()) -> dict[str, Any]:
    """What `pdf.html.j2` needs; `ValueError` as of `check_report`, or for an unknown notebook."""
    stems = check_report(report)
    names = [resolve_prefix("page", stem, stems) for stem in only] or [INDEX, *stems, *LAST]
    chapters = [_chapter(report, name, names) for name in names if name != INDEX]
    index = _read(report, INDEX)
    front = [part for selector in FRONT for part in index.select(selector) if not only]
    for part in front:
        _rename(part, INDEX, names)
    return {
        "front": _html(front),
        "chapters": chapters,
        "styles": _html(index.select("head style")),
        "script": _html(index.select("body > script")[-1:]),
    }


def _read(report: Path, name: str) -> BeautifulSoup:
    return parse((report / f"{name}.html").read_text(encoding="utf-8"))


def _main(report: Path, name: str, left_out: str) -> Tag:
    main = _read(report, name).select("main")[0]
    for element in main.select(f"{left_out}, .anchor-link"):
        element.decompose()
    return main


def _html(elements: Iterable[Tag]) -> Markup:
    return Markup("\n".join(map(str, elements)))


def _print(html: Path, pdf: Path) -> None:
    """Print a page, with bookmarks. `ValueError` with the browser's own words if that fails."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0  # its sandbox refuses to start for root

    def print_pages() -> None:
        with driven(chromium_sandbox=not root, args=["--disable-gpu", "--no-first-run"]) as browser:
            page = browser.new_page()
            page.set_default_timeout(1000 * TIMEOUT_S)
            page.goto(html.as_uri())
            looks: Any = {"prefer_css_page_size": True, "print_background": True}
            page.pdf(path=pdf, outline=True, tagged=True, **looks)

    try:
        # In a thread of its own, for playwright bears no other event loop beside its own.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(print_pages).result()
    except Error as error:
        raise ValueError(f"{find_browser()} did not print: {error.message[-400:]!r}") from None


def _finish(pdf: Path, file: Path) -> int:
    """Write the PDF without its date, and without what browser printed it on what system."""
    data = pdf.read_bytes()
    # Chromium counts its elements on from what it made before.
    names = {name: n for n, name in enumerate(sorted(set(ELEMENT.findall(data))), 1)}
    data = ELEMENT.sub(lambda found: b"(node%08d)" % names[found[0]], data)
    writer = PdfWriter(clone_from=BytesIO(data))
    if outline := writer.root_object.get("/Outlines"):
        _fix_outline(outline.get_object())
    writer.metadata = {"/Title": TITLE, "/CreationDate": DATE, "/ModDate": DATE}
    with atomic_write(file) as part:
        writer.write(part)
    return len(writer.pages)


def _fix_outline(entry: Any) -> None:
    """Mend the outline below an entry: Chromium 153 doubles the title of what begins a page."""
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
    """A page of the report in the book. in_css: its title as a string of CSS has it."""
    main = _main(report, name, "script, style, iframe")
    _rename(main, name, names)
    first = main.select_one("h1")
    title = one_line(first.text) if first else name
    if first and name[0].isdecimal():
        title = f"{number_of(name)}  {title}"
        first.insert(0, f"{number_of(name)}  ")
    figures = []  # the id of each, and its number with the first sentence of its caption
    for figure in main.select("figure.artifact[id]:has(> figcaption)"):
        for files in figure.select("figcaption .downloads"):
            files.decompose()
        number, _, said = one_line(figure.select("figcaption")[0].text).partition(". ")
        figures.append((str(figure["id"]), f"{number}  {SENTENCE.split(said)[0]}"))
    solutions = [_reserve_space(box) for box in main.select(".exercise")]
    return {
        "name": name,
        "title": title,
        "in_css": Markup(re.sub(r'(["\\<])', lambda found: f"\\{ord(found[1]):x} ", title)),
        "html": Markup(main.decode_contents()),
        "headings": [(each["id"], one_line(each.text)) for each in main.select("h2[id]")],
        "figures": figures,
        "solutions": solutions,
    }


def _reserve_space(box: Tag) -> tuple[str, Markup]:
    """Put room to write where an exercise is answered; its number and solution, for the back."""
    number = re.search(r"\d+\.\d+", box.text)
    html = _html(box.select("details > :not(summary)"))
    box["class"] = "room"
    box.clear()
    return number[0] if number else "", html


def _rename(part: Tag, name: str, names: Collection[str]) -> None:
    """Name each place of a page as in the book; let links lead there, and drop those to files."""

    def place(page: str, id: str) -> str:
        """An id that is the same in HTML, in a link and in a PDF."""
        return f"{page}.{re.sub('[^0-9A-Za-z_-]', '_', unquote(id))}"

    for element in (part, *part.find_all(True)):
        for key in NAMING:
            if each := element.get(key):
                element[key] = " ".join(place(name, id) for id in str(each).split())
        if "href" in element.attrs:
            target = str(element["href"])
            page, _, id = target.partition("#")
            stem = page.removesuffix(".html") or name
            if stem in names:
                element["href"] = f"#{place(stem, id) if id and stem != INDEX else stem}"
            elif not re.match(r"(https?|mailto|doi):", target):
                del element["href"]


def to_slides(report: Path, notebook: str) -> str:
    """The slides as HTML; `ValueError` without a whole report, or for an unknown notebook."""
    name = resolve_prefix("notebook", notebook, check_report(report))
    main = _main(report, name, LEFT_OUT)
    for listing in main.select(".code-cell:has(> .outputs > .listing)"):
        if not main.select(f'a[href="#{listing["id"]}"]'):  # only text for readers speaks of it
            listing.decompose()
    for link in main.select("a[href]"):
        if not str(link["href"]).startswith("https:"):
            del link["href"]
    for frame in main.select("iframe"):
        frame["loading"] = "lazy"
        frame["srcdoc"] = str(frame["srcdoc"]).replace("<html ", '<html class="slide" ', 1)
    title = one_line(main.select("h1")[0].text) if main.h1 else name
    return render("slides.html.j2", title=title, body=_html(_blocks(main)))


def _blocks(main: Tag) -> Iterator[Tag]:
    """Paragraphs, lists, figures and so on, out of the boxes that they stand in."""
    for child in main.find_all(True, recursive=False):
        if {"prose", "code-cell", "outputs"} & {*str(child.get("class", "")).split()}:
            yield from _blocks(child)
        else:
            yield child
