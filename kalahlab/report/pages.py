"""The pages of the report. Each contains all that it needs, so that it opens without a network.

pages = add_link_notes([read_page(record, out) for record in records])
html = render_notebook_pages(manifest, pages) | render_other_pages(manifest, pages, guide)
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import nbformat
from bs4 import BeautifulSoup, NavigableString, Tag
from markupsafe import Markup
from nbconvert.filters import markdown2html

from kalahlab.data import data_file
from kalahlab.draw.labels import replace_identifiers_in_prose
from kalahlab.report import cells
from kalahlab.report.cells import Label, attach_labels, number_of
from kalahlab.report.front_tree import front_tree
from kalahlab.report.items import WORDS, Item
from kalahlab.report.manifest import Manifest, Record
from kalahlab.report.rendering import one_line, parse, render

# A link to another notebook or to the references, as an attribute of HTML:
#     href="03_pruning.ipynb#cell-id=figure-tree"
# Group 1 is `03_pruning`, group 2 `#cell-id=figure-tree`, or None without a fragment. JupyterLab
# gives the cells such ids.
LINK = re.compile(r'href="(\w+)\.(?:ipynb|md)(#[^"]*)?"')
# The value of an href that has a fragment, also of a link within the page:
#     03_pruning.ipynb#cell-id=figure-tree    #the-answer
# Group 1 is `03_pruning`, or None within the page; group 2 is the id, `the-answer`.
LINK_TARGET = re.compile(r"(?:(\w+)\.(?:ipynb|md))?#(.+)")
# Notebooks that teach what to type: their tables show identifiers as they are.
IDENTIFIER_NOTEBOOKS = ("00_definitions",)
CELL_ID_PREFIX = "cell-id="  # of the id of a cell in a page
# What a notebook has for the commit of the report; a page has the commit and its year instead.
COMMIT = '<span class="commit"></span>'
# The image of a figure, after the start of the figure's tag; group 1 is the image.
PICTURE = re.compile(r'\s*<div class="picture[^>]*>\s*(<img [^>]*>)')
# The beginning of a body up to the end of its title.
TITLE = re.compile(r'\s*<section class="prose" id="[^"]*">\s*<h1\b.*?</h1>', re.DOTALL)
# Code whose only elements are the spans that give it colours, and one of their tags.
COLOURED = re.compile(r'<pre\b[^>]*>[^<]*(?:</?span(?: class="\w+")?>[^<]*)*</pre>')
SPAN = re.compile(r'</?span(?: class="\w+")?>')
REFERENCES = "references"  # the page, and the file in `notebooks/`, that lists the sources
HEADING = re.compile("h[1-6]")
# Elements of a page that the full-text search leaves out.
NOT_SEARCHED = "details.code, script, style, .downloads, .anchor-link"

# What a browser loads from elsewhere: an address, an address in a style, and one in a script.
REMOTE = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
REMOTE_STYLE = re.compile(r"""(?:@import\s+|url\(\s*)["']?(?:https?:)?//""", re.IGNORECASE)
REMOTE_SCRIPT = re.compile(r"""(?:\bfrom|\bimport|\bfetch)\s*\(?\s*["'](?:https?:)?//""")
# Attributes whose addresses a browser loads, and elements whose `href` it loads. The `href` of any
# other element is a link, which a reader may follow.
LOADING_ATTRIBUTES = {"src", "srcset", "poster", "data", "background"}
HREF_LOADERS = {"link", "use", "image", "feimage"}

Guide = Mapping[str, Any]
"""`guide.toml`, next to the notebooks.

abstract: The notebooks whose findings are the abstract of the report.
appendix: The notebooks that the front page marks as an appendix.
doors: The buttons of the front page: the label of each, with the page that it opens.
ways: For each group of readers, the notebooks in reading order, each with its purpose.
"""

Source = dict[str, Any]
"""An entry of the bibliography.

key: The target of a citation, as in `references.md#knuth1975`.
short_title: The short title by which the source is cited in place of its authors, or "".
citation: The authors or the short title, and the year, as in a citation.
authors: All authors, family names first.
year, title, note: As in the bibliography; the year and the note may be "".
link: The address of its DOI, or another, or "".
place: The publication, "Artificial Intelligence 6(4), pages 293–326".
is_examined: Whether the source is one of the documents that the report examines.
code: The files of this package that follow it.
"""


class SearchEntry(NamedTuple):
    """A place that the full-text search can find.

    Attributes:
        page: The title of the page.
        href: The link to the place.
        heading: The heading, or the number of a figure or table.
        text: The text up to the next heading, or the caption.
    """

    page: str
    href: str
    heading: str
    text: str


@dataclass(frozen=True)
class Page:
    """A notebook as a page. `render_notebook_pages` adds the contents and links to its neighbors.

    Attributes:
        record: The record of the run.
        body: The cells as HTML.
        headings: The level (2 or 3), id and text of each heading.
        labels: The labels of the artifacts.
        cited: The keys of the cited sources.
        search_entries: The places that the full-text search can find.
        ids: The ids to which a link can lead.
        links: For each link, the name of its cell and its target.
    """

    record: Record
    body: str
    headings: list[tuple[int, str, str]]
    labels: list[Label]
    cited: tuple[str, ...]
    search_entries: list[SearchEntry]
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
        """The sentence of the finding as HTML without a paragraph around it; "" for no finding."""
        if self.finding_item is None:
            return ""
        return _to_html(self.finding_item.text)

    @property
    def finding_image(self) -> str:
        """The image of the finding's picture as HTML, as the page shows it; "" for none."""
        if self.finding_item is None or not self.finding_item.files or self.picture is None:
            return ""
        image = re.search(f'id="{self.picture.anchor}">{PICTURE.pattern}', self.body)
        return image[1] if image else ""

    @property
    def picture(self) -> Label | None:
        """The picture of the finding; if it has none, the first picture of the page."""
        pictures = [label for label in self.labels if label.item.kind == "figure"]
        if self.finding_item:
            # The finding names the SVG of its picture, which is the first file of that figure.
            for label in pictures:
                if label.item.files[0] in self.finding_item.files:
                    return label
        return next(iter(pictures), None)


def _to_html(text: str) -> str:
    """Return a paragraph of Markdown as HTML without the paragraph around it."""
    html = str(markdown2html(replace_identifiers_in_prose(text))).strip()
    return html.removeprefix("<p>").removesuffix("</p>")


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
        # If each cell alone can be converted, the one that fails is not known: all are hidden.
        if not messages:
            reason = f"the page cannot be made: {type(error).__name__}: {str(error)[:200]}"
            messages = {cell.id: reason for cell in notebook.cells}
        message = record.error or "; ".join(dict.fromkeys(messages.values()))
        return _read_page(replace(record, status="failed", error=message), out, [*messages])


def _read_page(record: Record, out: Path, hidden: Collection[str] = ()) -> Page:
    """Read the page of a notebook.

    Args:
        record: The record of the run.
        out: The folder of the report.
        hidden: The ids of the cells whose outputs are left out.
    """
    notebook = nbformat.read(out / f"{record.notebook}.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.id in hidden:
            cells.hide(cell)
    labels = attach_labels(notebook, record)
    cells.convert_outputs(notebook, out / record.notebook, record.notebook in IDENTIFIER_NOTEBOOKS)
    cells.gather_code(notebook)
    body = cells.to_html(notebook)
    # Five of six elements of a page give colours to code, and say nothing here.
    html = parse(COLOURED.sub(lambda code: SPAN.sub("", code[0]), body))
    message = _explain_remote(html)
    if message:
        record = replace(record, status="failed", error=record.error or message)
        # Only the body is made again. The ids below are still those of the page with its outputs,
        # so that this failure is not reported again, as broken links to the outputs.
        body = cells.to_html(notebook, outputs=False)
    # `find_all`, as `select` takes several times as long on pages with thousands of elements.
    for anchor in html.find_all("a", class_="anchor-link"):
        anchor.decompose()
    heading = html.find(["h1", "h2", "h3", "h4", "h5", "h6"])
    title = heading.text.strip() if heading else ""
    # The first paragraph begins with the words "The question.", which the front page leaves out.
    paragraphs = (one_line(paragraph.text) for paragraph in html("p"))
    question = next(filter(None, paragraphs), "").removeprefix("The question. ")
    record = replace(record, title=title or record.notebook, question=question)
    headings = [
        (int(heading.name[1]), str(heading["id"]), heading.text)
        for heading in html.find_all(["h2", "h3"], id=True)
    ]
    name = f"{number_of(record.notebook)} · {record.title}"
    ids = frozenset(str(element["id"]) for element in html.find_all(id=True))
    links = _find_links(html)
    cited = cells.citation_keys(notebook)
    # The search entries come last, because `_search_entries` removes elements.
    entries = [*_search_entries(html, name, f"{record.notebook}.html")]
    return Page(record, body, headings, labels, cited, entries, ids, links)


def _explain_remote(html: BeautifulSoup) -> str:
    """Return a message about the first resource that a page would load; "" if there is none."""
    resource = next(find_remote(html), None)
    if resource is None:
        return ""
    place = ""
    for section in html.find_all("section", id=True):
        if any(find_remote(section)):
            place = str(section["id"])
            break
    return f"the page would load {resource} ({place}); it must contain all that it needs"


def _find_links(html: BeautifulSoup) -> list[tuple[str, str]]:
    """Return, for each link, the name of its cell and its target."""
    links = []
    for section in html.find_all("section", id=True):
        name = str(section["id"]).removeprefix(CELL_ID_PREFIX)
        for link in section.find_all("a", href=True):
            links.append((name, str(link["href"])))
    return links


def add_link_notes(pages: Sequence[Page]) -> list[Page]:
    """Return the pages with a note for each broken link.

    Links to pages that have not been built are not noted.
    """
    ids = {page.record.notebook: page.ids for page in pages}
    ids |= {REFERENCES: frozenset(bibliography())}
    noted = []
    for page in pages:
        notes = _find_broken_links(page, ids)
        noted.append(replace(page, record=replace(page.record, notes=notes)))
    return noted


def _find_broken_links(page: Page, ids: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Return a sentence for each broken link of a page.

    Args:
        page: The page.
        ids: The ids of each page that has been built, by its name without suffix.
    """
    notes = []
    for cell, href in page.links:
        match = LINK_TARGET.fullmatch(href)
        if match is None:
            continue
        stem, id = match[1] or page.record.notebook, unquote(match[2])
        if stem in ids and id not in ids[stem]:
            notes.append(f"cell {cell} refers to {href}, which {_describe_missing(id)}")
    if page.finding_item:
        id = f"{CELL_ID_PREFIX}{page.finding_item.name}"
        if id not in page.ids:
            notes.append(f"the finding refers to #{id}, which {_describe_missing(id)}")
    return tuple(dict.fromkeys(notes))


def _describe_missing(id: str) -> str:
    """Return the end of the sentence "... refers to #ID, which ..." about an id of no element.

    For the id of a cell that is advice: "no cell has; give the cell of the figure the id NAME".
    """
    if not id.startswith(CELL_ID_PREFIX):
        return "leads nowhere"
    name = id.removeprefix(CELL_ID_PREFIX)
    cell = "the cell that is meant"
    kind, _, artifact = name.partition("-")
    if artifact and kind in WORDS:  # such as `figure-tree`
        cell = f"the cell of the {kind}"
    return f"no cell has; give {cell} the id {name}"


def _search_entries(html: BeautifulSoup, page: str, file: str) -> Iterator[SearchEntry]:
    """Yield an entry for each caption of a page, then one for each text from heading to heading.

    Args:
        html: The page. It is changed: the elements of `NOT_SEARCHED`, the numbers in tables and the
            captions are removed.
        page: The title of the page.
        file: The file of the page, for links.
    """
    for element in html.select(NOT_SEARCHED):
        element.decompose()
    for cell in html("td"):
        # A cell without two letters in a row is a number.
        if not re.search("[^\\W\\d]{2}", cell.text):
            cell.decompose()
    for figure in html.select("figure.artifact[id]:has(> figcaption)"):
        caption = figure.select("figcaption")[0]
        number, _, text = one_line(caption.text).partition(". ")
        yield SearchEntry(page, f"{file}#{figure['id']}", number, text)
        caption.decompose()
    href, heading = file, page
    strings: list[str] = []
    for node in [*html.descendants]:
        if isinstance(node, Tag) and HEADING.fullmatch(node.name) and node.get("id"):
            yield SearchEntry(page, href, heading, one_line("".join(strings)))
            href, heading, strings = f"{file}#{node['id']}", one_line(node.text), []
        elif isinstance(node, NavigableString) and not node.find_parent(HEADING):
            strings.append(str(node))
    yield SearchEntry(page, href, heading, one_line("".join(strings)))


def find_remote(page: Tag) -> Iterator[str]:
    """Yield all that a browser would load from elsewhere, without the links that readers follow."""
    for element in page(True):
        for name, attribute in element.attrs.items():
            value = str(attribute)
            # `endswith`, as SVG also has the attribute `xlink:href`.
            is_loaded_href = element.name in HREF_LOADERS and name.endswith("href")
            if name in LOADING_ATTRIBUTES or is_loaded_href:
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


def render_notebook_pages(manifest: Manifest, pages: Sequence[Page]) -> dict[str, str]:
    """Return the HTML of each notebook's page, with contents and links to neighbors, by file."""
    built_pages = {page.record.notebook for page in pages} | {REFERENCES}
    commit = ""
    if manifest.commit:
        commit = f", commit <code>{manifest.commit}</code>, {manifest.year}"
    html = {}
    for index, page in enumerate(pages):
        before = pages[index - 1].record if index > 0 else None
        after = pages[index + 1].record if index + 1 < len(pages) else None
        body = _insert_finding_box(page).replace(COMMIT, commit)
        html[f"{page.record.notebook}.html"] = render(
            "notebook.html.j2",
            manifest=manifest,
            record=page.record,
            body=Markup(resolve_links(body, built_pages)),
            headings=page.headings,
            pages=pages,
            labels=page.labels,
            before=before,
            after=after,
        )
    return html


def _insert_finding_box(page: Page) -> str:
    """Return the body of a page, with its finding below the title.

    A page that begins with no title begins with its finding.
    """
    if not page.finding_item:
        return page.body
    answer = next((id for _, id, text in page.headings if text.startswith("The answer")), "")
    box = render(
        "in_short.html.j2",
        item=page.finding_item,
        finding=Markup(page.finding),
        image=Markup(page.finding_image),
        basis=Markup(_to_html(page.finding_item.caption)),
        answer=answer,
    )
    title = TITLE.match(page.body)
    if title is None:
        return f"{box}\n{page.body}"
    rest = page.body[title.end() :]
    return f'{title[0]}\n</section>\n{box}\n<section class="prose">{rest}'


def resolve_links(body: str, built_pages: Collection[str]) -> str:
    """Replace links to notebooks by links to their pages.

    A link to a page that has not been built loses its `href`, so that only its text remains.
    """

    def to_page(match: re.Match[str]) -> str:
        if match[1] not in built_pages:
            return ""
        return f'href="{match[1]}.html{match[2] or ""}"'

    return LINK.sub(to_page, body)


def render_other_pages(
    manifest: Manifest, pages: Sequence[Page], guide: Guide, unbuilt: int = 0
) -> dict[str, str]:
    """Return the HTML of the front page, the lists and the full-text search, by file.

    `unbuilt` is the number of notebooks that have no page yet.
    """
    entries = {page.record.notebook: page for page in pages}  # by the name of the notebook
    built_pages = {*entries, REFERENCES}
    findings = {}
    for stem, page in entries.items():
        # A link within the notebook has to name the page of the notebook on the front page.
        finding = page.finding.replace('href="#', f'href="{stem}.html#')
        findings[stem] = Markup(resolve_links(finding, built_pages))
    search_entries = [*chain.from_iterable(page.search_entries for page in pages)]
    search_entries += _source_entries()
    return {
        "index.html": render(
            "index.html.j2",
            manifest=manifest,
            entries=entries,
            findings=findings,
            abstract=[stem for stem in guide.get("abstract", entries) if findings.get(stem)],
            appendix=guide.get("appendix", ()),
            doors=_select_doors(guide, pages),
            tree=front_tree() if guide else None,
            ways=_select_ways(guide, entries),
            unbuilt=unbuilt,
        ),
        "figures.html": render("figures.html.j2", pages=pages),
        f"{REFERENCES}.html": render(
            "references.html.j2", pages=pages, sources=bibliography().values()
        ),
        "search.html": render(
            "search.html.j2",
            pages=pages,
            search_entries=[entry._asdict() for entry in search_entries],
        ),
    }


def _source_entries() -> Iterator[SearchEntry]:
    """Yield a search entry for each source of the bibliography."""
    for key, source in bibliography().items():
        text = f"{source['authors']} {source['title']}. {source['place']} {source['note']}"
        href = f"{REFERENCES}.html#{key}"
        yield SearchEntry("References", href, source["citation"], one_line(text))


def _select_doors(guide: Guide, pages: Sequence[Page]) -> dict[str, str]:
    """Return the doors of the guide whose pages have been built."""
    files = {"index.html#class"}
    for page in pages:
        files.add(f"{page.record.notebook}.html")
        for item in page.record.items:
            files |= {*item.files}
    return {words: file for words, file in guide.get("doors", {}).items() if file in files}


def _select_ways(guide: Guide, entries: Collection[str]) -> dict[str, dict[str, str]]:
    """Return the reading lists of the guide, without the notebooks that have no page."""
    ways = {}
    for who, steps in guide.get("ways", {}).items():
        built = {stem: why for stem, why in steps.items() if stem in entries}
        if built:
            ways[who] = built
    return ways


@cache
def bibliography() -> dict[str, Source]:
    """Return the sources of `data/references.json` (CSL-JSON) by key, in the order of authors."""
    entries = json.loads(data_file("references.json").read_text(encoding="utf-8"))
    sources = [_to_source(entry) for entry in entries]
    sources.sort(key=lambda source: (source["short_title"] or source["authors"], source["year"]))
    return {source["key"]: source for source in sources}


def _to_source(entry: dict[str, Any]) -> Source:
    """Convert an entry of the bibliography from CSL-JSON."""
    names, full_names = [], []
    for author in entry.get("author", ()):
        name = author.get("literal") or author["family"]
        names.append(name)
        full_names.append(f"{name}, {author['given']}" if "given" in author else name)
    short_names = f"{names[0]} et al." if len(names) > 2 else " & ".join(names)
    year = str(entry["issued"]["date-parts"][0][0]) if "issued" in entry else ""
    short_title = entry.get("title-short", "")
    doi = entry.get("DOI", "")
    return {
        "key": entry["id"],
        "short_title": short_title,
        "citation": f"{short_title or short_names} {year}".strip(),
        "authors": _join_names(full_names),
        "year": year,
        "title": entry["title"],
        "place": _place(entry),
        "is_examined": entry["type"] == "report",
        "link": f"https://doi.org/{doi}" if doi else entry.get("URL", ""),
        "note": entry.get("note", ""),
        "code": entry.get("custom", {}).get("code", []),
    }


def _join_names(names: Sequence[str]) -> str:
    """Return "Knuth, D.; Moore, R. and Shannon, C."; the names themselves contain commas."""
    if len(names) < 2:
        return "".join(names)
    return f"{'; '.join(names[:-1])} and {names[-1]}"


def _place(entry: dict[str, Any]) -> str:
    """Return those of journal, edition, publisher, genre and pages that a source has."""
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
