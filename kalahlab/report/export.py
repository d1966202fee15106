"""The pages of a finished report in other forms: as chapters of a book, and as slides."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from bs4 import BeautifulSoup, Tag
from markupsafe import Markup

from kalahlab.report import manifest
from kalahlab.report.cells import number_of
from kalahlab.report.rendering import one_line, parse, render
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
SENTENCE_END = re.compile(r"(?<=[.?!]) (?=[A-Z])")
# The attributes that hold an id, or several with spaces between them; for `href` see below.
ID_ATTRIBUTES = ("id", "for", "aria-labelledby", "aria-describedby")


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
