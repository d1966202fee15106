"""The pages: each contains all it needs, so it can be opened from a file and without a network."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import nbformat
from bs4 import BeautifulSoup, NavigableString, Tag
from markupsafe import Markup
from nbconvert.filters import markdown2html

from kalahlab.data import data_file
from kalahlab.draw.labels import replace_identifiers_in_prose
from kalahlab.report import cells
from kalahlab.report.cells import Label, attach_labels, number_of
from kalahlab.report.items import WORDS, Item
from kalahlab.report.manifest import Manifest, Record
from kalahlab.report.rendering import one_line, parse, render

# A link from a notebook to another (group 1), or to a source; group 2 is its fragment.
# Ids of cells are those of JupyterLab.
LINK = re.compile(r'href="(\w+)\.(?:ipynb|md)(#[^"]*)?"')
# Notebooks that teach what to type: their tables show identifiers as they are.
IDENTIFIER_NOTEBOOKS = ("00_definitions",)
# The target of a LINK, or of a link within the page, which has no group 1 (the page); group 2 is
# the id.
LINK_TARGET = re.compile(r"(?:(\w+)\.(?:ipynb|md))?#(.+)")
CELL = "cell-id="  # the prefix of the id of a cell in a page
COMMIT = '<span class="commit"></span>'  # replaced with the commit and its year
REFERENCES = "references"  # the page, and the file in `notebooks/`, that lists the sources
HEADING = re.compile("h[1-6]")
# Elements of a page that the search skips.
NOT_SEARCHED = "details.code, script, style, .downloads, .anchor-link"

REMOTE = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
REMOTE_STYLE = re.compile(r"""(?:@import\s+|url\(\s*)["']?(?:https?:)?//""", re.IGNORECASE)
REMOTE_SCRIPT = re.compile(r"""(?:\bfrom|\bimport|\bfetch)\s*\(?\s*["'](?:https?:)?//""")
LOADING_ATTRIBUTES = {"src", "srcset", "poster", "data", "background"}
HREF_LOADERS = {"link", "use", "image", "feimage"}  # elements whose `href` is loaded, not followed

Guide = Mapping[str, Any]
"""`guide.toml`, next to the notebooks.

abstract: The notebooks whose findings are the abstract of the report.
start: The label of each button, with the page that it opens.
ways: For each group of readers, the notebooks in reading order, each with its purpose.
"""

Source = dict[str, Any]
"""An entry of the bibliography.

key: The target of a citation, as in `references.md#knuth1975`.
called: The short title by which it is cited in place of authors, or "".
short: Authors, or the short title, and the year, as in a citation.
by: All authors, family names first.
year, title, note: As in the bibliography; the year and the note may be "".
link: The address of its DOI, or another, or "".
place: The publication, "Artificial Intelligence 6(4), pages 293–326".
document: Whether the report examines it.
code: The files of this package that follow it.
"""

PART = ("page", "href", "heading", "text")
"""The keys of an entry of the search: the title of the page, the link, the heading, the text that
follows up to the next heading."""


@dataclass(frozen=True)
class Page:
    """The page of a notebook without its frame: `bind` adds the contents and the neighbours.

    Attributes:
        headings: The level (2 or 3), id and text of each.
        cited: The keys of cited sources.
        parts: The entries of the search; see `PART`.
        ids: The ids to which a link can lead.
        links: The cell of each link, and its target.
    """

    record: Record
    body: str
    headings: list[tuple[int, str, str]]
    labels: list[Label]
    cited: tuple[str, ...]
    parts: list[tuple[str, ...]]
    ids: frozenset[str]
    links: list[tuple[str, str]]

    @property
    def number(self) -> int:
        return number_of(self.record.notebook)

    @property
    def finding_item(self) -> Item | None:
        """The finding of the notebook, if it has one."""
        return next(iter(self.record.items_of_kind("finding")), None)

    @property
    def finding(self) -> str:
        """The sentence of the finding as HTML without a paragraph around it, or ""."""
        if self.finding_item is None:
            return ""
        html = str(markdown2html(replace_identifiers_in_prose(self.finding_item.text))).strip()
        return html.removeprefix("<p>").removesuffix("</p>")

    @property
    def picture(self) -> Label | None:
        """The picture of the finding; without one, the first picture of the page."""
        pictures = [label for label in self.labels if label.item.kind == "figure"]
        if self.finding_item:
            # The first file of a figure is its SVG, which is the file of the finding.
            for label in pictures:
                if label.item.files[0] in self.finding_item.files:
                    return label
        return next(iter(pictures), None)


def read_page(record: Record, out: Path) -> Page:
    """Read the page of an executed notebook.

    A page that would load something from elsewhere is made without any outputs. A page with a cell
    that cannot be converted is made without the outputs of this cell. In both cases the status of
    the record becomes `failed`.
    """
    try:
        return _read_page(record, out)
    except Exception as error:  # notebooks come from anybody, and must not stop the other pages
        notebook = nbformat.read(out / f"{record.notebook}.ipynb", as_version=4)
        messages = cells.find_unshowable(notebook, out / record.notebook)
        if not messages:
            reason = f"the page cannot be made: {type(error).__name__}: {str(error)[:200]}"
            messages = {cell.id: reason for cell in notebook.cells}
        message = record.error or "; ".join(dict.fromkeys(messages.values()))
        return _read_page(replace(record, status="failed", error=message), out, [*messages])


def _read_page(record: Record, out: Path, hidden: Collection[str] = ()) -> Page:
    """Read the page of a notebook without the outputs of the hidden cells (ids)."""
    notebook = nbformat.read(out / f"{record.notebook}.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.id in hidden:
            cells.hide(cell)
    labels = attach_labels(notebook, record)
    cells.convert_outputs(notebook, out / record.notebook, record.notebook in IDENTIFIER_NOTEBOOKS)
    body = cells.to_html(notebook)
    html = parse(body)
    message = _explain_remote(html)
    if message:
        record = replace(record, status="failed", error=record.error or message)
        body = cells.to_html(notebook, outputs=False)
    for anchor in html.select("a.anchor-link"):
        anchor.decompose()
    title = next((heading.text.strip() for heading in html.select("h1, h2, h3, h4, h5, h6")), "")
    # Notebooks begin with "The question."; the index shows the question without these words.
    paragraphs = (one_line(paragraph.text) for paragraph in html("p"))
    question = next(filter(None, paragraphs), "").removeprefix("The question. ")
    record = replace(record, title=title or record.notebook, question=question)
    headings = [
        (int(heading.name[1]), str(heading["id"]), heading.text)
        for heading in html.select("h2[id], h3[id]")
    ]
    name = f"{number_of(record.notebook)} · {record.title}"
    ids = frozenset(str(element["id"]) for element in html.select("[id]"))
    links = _links(html)
    # The parts come last, because `_parts` removes elements.
    parts = [*_parts(html, name, f"{record.notebook}.html")]
    return Page(record, body, headings, labels, cells.citation_keys(notebook), parts, ids, links)


def _explain_remote(html: BeautifulSoup) -> str:
    """Return a message with the first resource that a page would load from elsewhere, or ""."""
    resource = next(find_remote(html), None)
    if resource is None:
        return ""
    place = ""
    for section in html.select("section[id]"):
        if any(find_remote(section)):
            place = str(section["id"])
            break
    return f"the page would load {resource} ({place}); it must hold all it needs"


def _links(html: BeautifulSoup) -> list[tuple[str, str]]:
    """Return the name of the cell of each link, and the target."""
    links = []
    for section in html.select("section[id]"):
        name = str(section["id"]).removeprefix(CELL)
        for link in section.select("a[href]"):
            links.append((name, str(link["href"])))
    return links


def add_link_notes(pages: Sequence[Page]) -> list[Page]:
    """Return the pages with a note for each broken link.

    Links to pages that have not been built are not noted.
    """
    ids = {page.record.notebook: page.ids for page in pages}
    ids |= {REFERENCES: frozenset(bibliography())}
    return [replace(page, record=replace(page.record, notes=_notes(page, ids))) for page in pages]


def _notes(page: Page, ids: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    notes = []
    for cell, href in page.links:
        match = LINK_TARGET.fullmatch(href)
        if match is None:
            continue
        stem, id = match[1] or page.record.notebook, unquote(match[2])
        if stem in ids and id not in ids[stem]:
            notes.append(f"cell {cell} refers to {href}, which {_describe_missing(id)}")
    if page.finding_item:
        id = f"{CELL}{page.finding_item.name}"
        if id not in page.ids:
            notes.append(f"the finding refers to #{id}, which {_describe_missing(id)}")
    return tuple(dict.fromkeys(notes))


def _describe_missing(id: str) -> str:
    """Return what is said of an id that a page lacks, to follow "which" in a sentence."""
    if not id.startswith(CELL):
        return "leads nowhere"
    name = id.removeprefix(CELL)
    kind, _, word = name.partition("-")
    if word and kind in WORDS:
        return f"no cell has; give the cell of the {kind} the id {name}"
    return f"no cell has; give the cell that is meant the id {name}"


def _parts(html: BeautifulSoup, page: str, file: str) -> Iterator[tuple[str, ...]]:
    """Yield the captions of a page, then its parts from heading to heading; see `PART`.

    `html` is changed: elements that the search skips are removed, and captions after they are read.
    """
    for element in html.select(NOT_SEARCHED):
        element.decompose()
    for cell in html("td"):
        if not re.search("[^\\W\\d]{2}", cell.text):  # no two letters in a row, so a number
            cell.decompose()
    for figure in html.select("figure.artifact[id]:has(> figcaption)"):
        caption = figure.select("figcaption")[0]
        number, _, text = one_line(caption.text).partition(". ")
        yield page, f"{file}#{figure['id']}", number, text
        caption.decompose()
    href, heading = file, page
    strings: list[str] = []
    for node in [*html.descendants]:
        if isinstance(node, Tag) and HEADING.fullmatch(node.name) and node.get("id"):
            yield page, href, heading, one_line("".join(strings))
            href, heading, strings = f"{file}#{node['id']}", one_line(node.text), []
        elif isinstance(node, NavigableString) and not node.find_parent(HEADING):
            strings.append(str(node))
    yield page, href, heading, one_line("".join(strings))


def find_remote(page: Tag) -> Iterator[str]:
    """Yield all that the page would load from elsewhere; links for readers do not count."""
    for element in page(True):
        for name, attribute in element.attrs.items():
            value = str(attribute)
            if name in LOADING_ATTRIBUTES or (
                element.name in HREF_LOADERS and name.endswith("href")
            ):
                if REMOTE.match(value):
                    yield f"{element.name} {name}={value}"
            elif name == "srcdoc":
                yield from find_remote(parse(value))
            elif name == "style":
                yield from REMOTE_STYLE.findall(value)
        if element.name == "style":
            yield from REMOTE_STYLE.findall(element.text)
        elif element.name == "script":
            yield from REMOTE_SCRIPT.findall(element.text)


def bind(manifest: Manifest, pages: Sequence[Page]) -> dict[str, str]:
    """Return the HTML of each notebook's page, with contents and links to neighbours, by file."""
    # The first page has no neighbour before it, and the last none after it.
    records: list[Record | None] = [None, *(page.record for page in pages), None]
    bound = {page.record.notebook for page in pages} | {REFERENCES}
    commit = ""
    if manifest.commit:
        commit = f", commit <code>{manifest.commit}</code>, {manifest.year}"
    html = {}
    for page, before, after in zip(pages, records, records[2:], strict=False):
        body = _in_short(page).replace(COMMIT, commit)
        html[f"{page.record.notebook}.html"] = render(
            "notebook.html.j2",
            manifest=manifest,
            record=page.record,
            body=Markup(resolve_links(body, bound)),
            headings=page.headings,
            pages=pages,
            labels=page.labels,
            before=before,
            after=after,
        )
    return html


def _in_short(page: Page) -> str:
    """Return the body of a page, with a box for its finding near the top."""
    if not page.finding_item:
        return page.body
    answer = next((id for _, id, text in page.headings if text.startswith("The answer")), "")
    box = render(
        "in_short.html.j2", item=page.finding_item, finding=Markup(page.finding), answer=answer
    )
    question, end, rest = page.body.partition("</p>")
    # What is between the question and the first text after it.
    widgets, tag, remaining = rest.partition('<section class="prose"')
    if "<iframe" in widgets:  # what readers can move comes first, on the first screen
        return f"{question}{end}{widgets}{box}{tag}{remaining}"
    return f"{question}{end}\n{box}{rest}"


def resolve_links(body: str, bound: Collection[str]) -> str:
    """Let links between notebooks lead to their pages; remove those to pages that do not exist."""

    def to_page(match: re.Match[str]) -> str:
        if match[1] not in bound:
            return ""
        return f'href="{match[1]}.html{match[2] or ""}"'

    return LINK.sub(to_page, body)


def bind_others(
    manifest: Manifest, pages: Sequence[Page], guide: Guide, unbuilt: int = 0
) -> dict[str, str]:
    """Return the HTML of the index, the lists of figures and of sources, and the search, by file.

    `unbuilt` is the number of notebooks that have no page yet.
    """
    entries = {page.record.notebook: page for page in pages}
    bound = {*entries, REFERENCES}
    findings = {}
    for stem, page in entries.items():
        finding = page.finding.replace('href="#', f'href="{stem}.html#')
        findings[stem] = Markup(resolve_links(finding, bound))
    files = set[str]()
    for page in pages:
        for item in page.record.items:
            files |= {*item.files}
    ways = {}
    for who, steps in guide.get("ways", {}).items():
        built = {stem: why for stem, why in steps.items() if stem in entries}
        if built:
            ways[who] = built
    parts = []
    for page in pages:
        parts += [dict(zip(PART, part, strict=True)) for part in page.parts]
    for key, source in bibliography().items():
        text = one_line(f"{source['by']} {source['title']}. {source['place']} {source['note']}")
        entry = ("References", f"{REFERENCES}.html#{key}", source["short"], text)
        parts.append(dict(zip(PART, entry, strict=True)))
    return {
        "index.html": render(
            "index.html.j2",
            manifest=manifest,
            entries=entries,
            findings=findings,
            abstract=[stem for stem in guide.get("abstract", ()) if findings.get(stem)],
            start={words: file for words, file in guide.get("start", {}).items() if file in files},
            ways=ways,
            unbuilt=unbuilt,
        ),
        "figures.html": render("figures.html.j2", pages=pages),
        f"{REFERENCES}.html": render(
            "references.html.j2", pages=pages, sources=bibliography().values()
        ),
        "search.html": render("search.html.j2", pages=pages, parts=parts),
    }


@cache
def bibliography() -> dict[str, Source]:
    """Return the sources of `data/references.json` (CSL-JSON) by key, in the order of authors."""
    entries = json.loads(data_file("references.json").read_text(encoding="utf-8"))
    sources = [_source(entry) for entry in entries]
    sources.sort(key=lambda source: (source["called"] or source["by"], source["year"]))
    return {source["key"]: source for source in sources}


def _source(entry: dict[str, Any]) -> Source:
    """Return an entry in CSL-JSON as a `Source`."""
    names, full_names = [], []
    for author in entry.get("author", ()):
        name = author.get("literal") or author["family"]
        names.append(name)
        full_names.append(f"{name}, {author['given']}" if "given" in author else name)
    authors = f"{names[0]} et al." if len(names) > 2 else " & ".join(names)
    year = str(entry["issued"]["date-parts"][0][0]) if "issued" in entry else ""
    called = entry.get("title-short", "")
    doi = entry.get("DOI", "")
    return {
        "key": entry["id"],
        "called": called,
        "short": f"{called or authors} {year}".strip(),
        "by": " and ".join(filter(None, ["; ".join(full_names[:-1]), *full_names[-1:]])),
        "year": year,
        "title": entry["title"],
        "place": _place(entry),
        "document": entry["type"] == "report",
        "link": f"https://doi.org/{doi}" if doi else entry.get("URL", ""),
        "note": entry.get("note", ""),
        "code": entry.get("custom", {}).get("code", []),
    }


def _place(entry: dict[str, Any]) -> str:
    """Return the journal, edition, publisher, genre and pages of a source, or those it has."""
    issue, pages = entry.get("issue", ""), entry.get("page", "")
    journal = f"{entry.get('container-title', '')} {entry.get('volume', '')}"
    if issue:
        journal += f"({issue})"
    parts = [journal.strip()]
    if "edition" in entry:
        parts.append(f"{entry['edition']} edition")
    parts += [entry.get("publisher", ""), entry.get("genre", "")]
    if pages:
        parts.append(f"pages {pages.replace('-', '–')}")
    return ", ".join(filter(None, parts))
