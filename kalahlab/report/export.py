"""Conversion of the pages of a finished report to the chapters of a book, and to slides."""

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
# The parts of the front page that the title page of the book has, in this order.
FRONT_SELECTORS = (".subtitle", ".abstract", ".findings", "[aria-labelledby=provenance]")
# The parts of a page that are not on its slides.
NOT_ON_SLIDES = (
    "script, style, details, .still, .exercise, .in-short .more, .failure, .folded > summary, "
    ".downloads, .screen-only, .for-readers"
)
SENTENCE_END = re.compile(r"(?<=[.?!]) (?=[A-Z])")
# The attributes with one id, or several separated by spaces. `href` is not among them: it may be an
# address.
ID_ATTRIBUTES = ("id", "for", "aria-labelledby", "aria-describedby")


def check_report(report: Path) -> list[str]:
    """Return the names of notebooks; raise ValueError if the report is missing or incomplete."""
    if not (report / manifest.FILE).exists() or not (report / f"{INDEX}.html").exists():
        raise ValueError(
            f"{str(report)!r} holds no report; name its folder with --report, or make one with: "
            "kalahlab report"
        )
    damaged = list[str]()  # a line of `load_manifest` for each damaged part of the manifest
    records = manifest.load_manifest(report, damaged.append)
    complete = not damaged and all(record.is_complete(report) for record in records)
    if not complete or not manifest.pages_are_complete(report):
        raise ValueError(
            f"{str(report)!r} does not match its {manifest.FILE}; its build was probably "
            "interrupted; rebuild it with: kalahlab report"
        )
    return [record.notebook for record in records]


def read_book(
    report: Path, only: Sequence[str] = (), without: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the values for the template `pdf.html.j2`, except the numbers of pages.

    Args:
        report: The folder of the report.
        only: The notebooks of a handout; none for the whole book.
        without: The headings, or their beginnings, of sections to leave out.

    Raises:
        ValueError: The report is missing or incomplete, or a notebook or a section is unknown.
    """
    stems = check_report(report)
    names = [resolve_prefix("page", stem, stems) for stem in only] or [INDEX, *stems, *LAST_PAGES]
    mains = {
        name: _read_main(report, name, "script, style, iframe") for name in names if name != INDEX
    }
    _remove_sections([*mains.values()], without)
    chapters = [_make_chapter(main, name, names) for name, main in mains.items()]
    index = _read(report, INDEX)
    front: list[Tag] = []
    if not only:  # a handout has no title page
        for selector in FRONT_SELECTORS:
            front += index.select(selector)
    for part in front:
        _make_ids_unique(part, INDEX, names)
        for image in part.select("img"):  # the book is printed from another folder
            image["src"] = (report.resolve() / str(image["src"])).as_uri()
    return {
        "front": _join_html(front),
        "chapters": chapters,
        "styles": _join_html(index.select("head style")),
        # `page.html.j2` writes the script for printing last.
        "script": _join_html(index.select("body > script")[-1:]),
    }


def _read(report: Path, name: str) -> BeautifulSoup:
    return parse((report / f"{name}.html").read_text(encoding="utf-8"))


def _read_main(report: Path, name: str, removed: str) -> Tag:
    """Read the main part of a page, and remove the elements of the CSS selector `removed`."""
    main = _read(report, name).select("main")[0]
    for folded in main.select(".folded"):
        folded.name = "div"
    for element in main.select(f"{removed}, .anchor-link"):
        element.decompose()
    return main


def _join_html(elements: Iterable[Tag]) -> Markup:
    return Markup("\n".join(map(str, elements)))


def _remove_sections(mains: Sequence[Tag], without: Sequence[str]) -> None:
    """Remove sections from the main parts of pages, each with the sections inside it.

    Args:
        mains: The main parts; they are changed.
        without: The headings of the sections, or their beginnings.

    Raises:
        ValueError: A text is not the beginning of exactly one heading.
    """
    headings = dict.fromkeys(
        one_line(heading.text) for main in mains for heading in main.select("h2, h3")
    )
    removed = {resolve_prefix("section", text, headings) for text in without}
    for main in mains:
        level = ""  # that of the section that is being removed: h2 or h3
        for block in [*_iter_blocks(main)]:
            if block.name in ("h1", "h2", "h3") and block.name <= level:
                level = ""
            if not level and block.name in ("h2", "h3") and one_line(block.text) in removed:
                level = block.name
            if level:
                block.decompose()


def _make_chapter(main: Tag, name: str, names: Collection[str]) -> dict[str, Any]:
    """Return a page of the report as a chapter of the book.

    Keys:
        name, title: The name and the title of the page.
        in_css: The title as a string for CSS.
        html: The content.
        headings: The id and the text of each heading of level 2.
        figures: The id of each figure and table, and its number with the first sentence of its
            caption.
        solutions: The number of each exercise, and its solution.

    Args:
        main: The main part of the page; it is changed.
        name: The name of the page.
        names: The names of all pages in the book.
    """
    _make_ids_unique(main, name, names)
    first = main.select_one("h1")
    title = one_line(first.text) if first else name
    if first and name[0].isdecimal():
        title = f"{number_of(name)}  {title}"
        first.insert(0, f"{number_of(name)}  ")
    figures = []
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
    """Turn the box of an exercise into lined space for an answer on paper.

    Return the number of the exercise, "" if the box has none, and its solution.
    """
    number = re.search(r"\d+\.\d+", box.text)
    html = _join_html(box.select("details > :not(summary)"))
    box["class"] = "room"
    box.clear()
    return number[0] if number else "", html


def _make_ids_unique(part: Tag, name: str, names: Collection[str]) -> None:
    """Prefix the ids in a part of a page with the name of the page, and adapt its links.

    Links to pages of the book lead to the prefixed ids. Links to the web are unchanged. Of any
    other link only the text remains.

    Args:
        part: A part of the page; it is changed.
        name: The name of the page.
        names: The names of all pages in the book.
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


def to_slides(report: Path, notebook: str, explorers: Sequence[Path] = ()) -> str:
    """Return the page of a notebook as slides in HTML.

    Args:
        report: The folder of the report.
        notebook: The name of the notebook, or its beginning.
        explorers: Pages of `kalahlab explore`; each is a slide at the end.

    Raises:
        ValueError: The report is missing or incomplete, the notebook is unknown, or a file is no
            page of `kalahlab explore`.
    """
    name = resolve_prefix("notebook", notebook, check_report(report))
    main = _read_main(report, name, NOT_ON_SLIDES)
    # A listing is on a slide only if a text on a slide links to the cell of the listing.
    for cell in main.select(".code-cell:has(> .outputs > .listing)"):
        if not main.select(f'a[href="#{cell["id"]}"]'):
            cell.decompose()
    for link in main.select("a[href]"):
        if not str(link["href"]).startswith("https:"):
            del link["href"]  # the slides are one file, without the other pages and files
    for file in explorers:
        for block in _make_explorer_slide(file):
            main.append(block)
    for frame in main.select("iframe"):
        frame["loading"] = "lazy"
        frame["srcdoc"] = str(frame["srcdoc"]).replace("<html ", '<html class="slide" ', 1)
    title = one_line(main.select("h1")[0].text) if main.h1 else name
    return render("slides.html.j2", title=title, body=_join_html(_iter_blocks(main)))


def _make_explorer_slide(file: Path) -> list[Tag]:
    """Return the heading and the frame of a slide with a page of `kalahlab explore`."""
    html = file.read_text(encoding="utf-8", errors="replace")
    page = parse(html)
    if not page.select('[id^="widget-"]'):
        raise ValueError(
            f"{str(file)!r} is no page of an explorer; make one with: kalahlab explore --out"
        )
    title = one_line(page.select("title")[0].text)
    slide = parse(
        '<h2></h2><figure class="artifact page"><iframe class="moving"></iframe></figure>'
    )
    heading, figure = slide.select("h2, figure")
    heading.string = title
    figure.select("iframe")[0].attrs |= {"title": title, "srcdoc": html}
    return [heading, figure]


def _iter_blocks(main: Tag) -> Iterator[Tag]:
    """Yield the paragraphs, lists, figures and so on, without the elements around them."""
    for child in main.find_all(True, recursive=False):
        if {"prose", "in-short", "code-cell", "outputs"} & {*str(child.get("class", "")).split()}:
            yield from _iter_blocks(child)
        else:
            yield child
