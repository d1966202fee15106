"""The pages: each holds all it needs, so it opens from a file and without a network."""

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
from kalahlab.draw.items import WORDS, Item
from kalahlab.draw.labels import readable_prose
from kalahlab.report import cells
from kalahlab.report.cells import Label, labelled, number_of
from kalahlab.report.manifest import Manifest, Record
from kalahlab.report.rendering import one_line, parse, render

# A link from a notebook to another, or to a source. Cells are named as JupyterLab names them.
LINK = re.compile(r'href="(\w+)\.(?:ipynb|md)(#[^"]*)?"')
NAMING = ("00_definitions",)  # readers learn there what to type: names stay as the code has them
LINKED = re.compile(r"(?:(\w+)\.(?:ipynb|md))?#(.+)")  # such a link, or one within the page
CELL = "cell-id="  # how the id begins that a page has for a cell
COMMIT = '<span class="commit"></span>'  # where a page says of which commit and year it is
REFERENCES = "references"  # the page, and the file in `notebooks/`, that lists the sources
HEADING = re.compile("h[1-6]")
UNREAD = "details.code, script, style, .downloads, .anchor-link"  # of a page: what is not searched

REMOTE = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
REMOTE_STYLE = re.compile(r"""(?:@import\s+|url\(\s*)["']?(?:https?:)?//""", re.IGNORECASE)
REMOTE_SCRIPT = re.compile(r"""(?:\bfrom|\bimport|\bfetch)\s*\(?\s*["'](?:https?:)?//""")
LOADING = {"src", "srcset", "poster", "data", "background"}
LINKING = {"link", "use", "image", "feimage"}  # elements whose `href` is loaded, not followed

Guide = Mapping[str, Any]
"""`guide.toml`, beside the notebooks. abstract: the notebooks whose findings are that. start: the
words of a button -> the page that it opens. ways: for whom -> which notebooks in which order, each
with a word on what for."""

Source = dict[str, Any]
"""key: where a citation leads, as `references.md#knuth1975`. short: authors and year, as cited. by:
all authors, family names first. place: where it appeared, "Artificial Intelligence 6(4), pages
293–326". document: whether the report examines it. code: the files that go by it."""

PART = ("page", "href", "heading", "text")
"""What the search finds. page: its title. href: where it begins. text: up to the next part."""


@dataclass(frozen=True)
class Page:
    """A notebook's page before it is bound. headings: level (2 or 3), id and text. cited: keys of
    sources. parts: what the search finds. ids: of what a link can lead to. links: the cell of each
    link, and where it leads in the notebook."""

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
    def found(self) -> Item | None:
        return next(iter(self.record.made("finding")), None)

    @property
    def finding(self) -> str:
        """The sentence of that as HTML without a paragraph around it, or nothing."""
        html = str(markdown2html(readable_prose(self.found.text))).strip() if self.found else ""
        return html.removeprefix("<p>").removesuffix("</p>")

    @property
    def picture(self) -> Label | None:
        """The picture of the finding; else the first that the page shows."""
        pictures = [label for label in self.labels if label.item.kind == "figure"]
        files = self.found.files if self.found else ()
        chosen = [label for label in pictures if label.item.files[0] in files]
        return next(iter(chosen + pictures), None)


def read_page(record: Record, out: Path) -> Page:
    """Read the page of an executed notebook.

    A page that would load something from elsewhere is made without its outputs, one with a cell
    that cannot be shown without that cell. Then its record counts as failed.
    """
    try:
        return _read_page(record, out)
    except Exception as error:  # notebooks come from anybody; another's page is made all the same
        notebook = nbformat.read(out / f"{record.notebook}.ipynb", as_version=4)
        messages = cells.find_unshowable(notebook, out / record.notebook)
        if not messages:
            why = f"the page cannot be made: {type(error).__name__}: {str(error)[:200]}"
            messages = {cell.id: why for cell in notebook.cells}
        message = record.error or "; ".join(dict.fromkeys(messages.values()))
        return _read_page(replace(record, status="failed", error=message), out, [*messages])


def _read_page(record: Record, out: Path, hidden: Collection[str] = ()) -> Page:
    """hidden: the ids of cells that no page can show."""
    notebook = nbformat.read(out / f"{record.notebook}.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.id in hidden:
            cells.hide(cell)
    labels = labelled(notebook, record)
    cells.prepare(notebook, out / record.notebook, record.notebook in NAMING)
    body = cells.to_html(notebook)
    html = parse(body)
    if found := next(remote(html), None):
        sections = html.select("section[id]")
        place = next((str(each["id"]) for each in sections if any(remote(each))), "")
        why = f"the page would load {found} ({place}); it must hold all it needs"
        record = replace(record, status="failed", error=record.error or why)
        body = cells.to_html(notebook, outputs=False)
    for anchor in html.select("a.anchor-link"):
        anchor.decompose()
    title = next((each.text.strip() for each in html.select("h1, h2, h3, h4, h5, h6")), "")
    # Notebooks open with "The question."; on the index that goes without saying.
    lead = next(filter(None, (one_line(each.text) for each in html("p"))), "")
    question = lead.removeprefix("The question. ")
    record = replace(record, title=title or record.notebook, question=question)
    headings = [
        (int(each.name[1]), str(each["id"]), each.text) for each in html.select("h2[id], h3[id]")
    ]
    name = f"{number_of(record.notebook)} · {record.title}"
    ids = frozenset(str(each["id"]) for each in html.select("[id]"))
    links = [
        (str(section["id"]).removeprefix(CELL), str(link["href"]))
        for section in html.select("section[id]")
        for link in section.select("a[href]")
    ]
    parts = [*_parts(html, name, f"{record.notebook}.html")]
    return Page(record, body, headings, labels, cells.cited(notebook), parts, ids, links)


def noted(pages: Sequence[Page]) -> list[Page]:
    """Return the pages with notes on their links that lead nowhere; a link to a page that is not
    there is none."""
    ids = {page.record.notebook: page.ids for page in pages}
    ids |= {REFERENCES: frozenset(bibliography())}
    return [replace(page, record=replace(page.record, notes=_notes(page, ids))) for page in pages]


def _notes(page: Page, ids: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    own, notes = page.record.notebook, list[str]()
    for cell, href in page.links:
        place = LINKED.fullmatch(href)
        if (
            place
            and (stem := place[1] or own) in ids
            and (id := unquote(place[2])) not in ids[stem]
        ):
            notes.append(f"cell {cell} refers to {href}, which {_describe_missing(id)}")
    if page.found and (id := f"{CELL}{page.found.name}") not in page.ids:
        notes.append(f"the finding refers to #{id}, which {_describe_missing(id)}")
    return tuple(dict.fromkeys(notes))


def _describe_missing(id: str) -> str:
    if not id.startswith(CELL):
        return "leads nowhere"
    name = id.removeprefix(CELL)
    kind, _, word = name.partition("-")
    of = f" of the {kind}" if word and kind in WORDS else " that is meant"
    return f"no cell has; give the cell{of} the id {name}"


def _parts(html: BeautifulSoup, page: str, file: str) -> Iterator[tuple[str, ...]]:
    """The captions of a page, then its parts from heading to heading. Takes the page to pieces."""
    for element in html.select(UNREAD):
        element.decompose()
    for cell in html("td"):
        if not re.search("[^\\W\\d]{2}", cell.text):
            cell.decompose()
    for figure in html.select("figure.artifact[id]:has(> figcaption)"):
        caption = figure.select("figcaption")[0]
        number, _, text = one_line(caption.text).partition(". ")
        yield page, f"{file}#{figure['id']}", number, text
        caption.decompose()
    href, heading, said = file, page, list[str]()
    for node in [*html.descendants]:
        if isinstance(node, Tag) and HEADING.fullmatch(node.name) and node.get("id"):
            yield page, href, heading, one_line("".join(said))
            href, heading, said = f"{file}#{node['id']}", one_line(node.text), []
        elif isinstance(node, NavigableString) and not node.find_parent(HEADING):
            said.append(str(node))
    yield page, href, heading, one_line("".join(said))


def remote(page: Tag) -> Iterator[str]:
    """What the page would load from elsewhere; links that a reader may follow do not count."""
    for element in page(True):
        for name, value in ((name, str(value)) for name, value in element.attrs.items()):
            if name in LOADING or (element.name in LINKING and name.endswith("href")):
                if REMOTE.match(value):
                    yield f"{element.name} {name}={value}"
            elif name == "srcdoc":
                yield from remote(parse(value))
            elif name == "style":
                yield from REMOTE_STYLE.findall(value)
        if element.name in ("style", "script"):
            pattern = REMOTE_STYLE if element.name == "style" else REMOTE_SCRIPT
            yield from pattern.findall(element.text)


def bind(manifest: Manifest, pages: Sequence[Page]) -> dict[str, str]:
    """File name -> HTML of each notebook's page, with its contents and its neighbours."""
    records: list[Record | None] = [None, *(page.record for page in pages), None]
    bound = {page.record.notebook for page in pages} | {REFERENCES}
    said = f", commit <code>{manifest.commit}</code>, {manifest.year}" if manifest.commit else ""
    return {
        f"{page.record.notebook}.html": render(
            "notebook.html.j2",
            manifest=manifest,
            record=page.record,
            body=Markup(linked(_in_short(page).replace(COMMIT, said), bound)),
            headings=page.headings,
            pages=pages,
            labels=page.labels,
            before=before,
            after=after,
        )
        for page, before, after in zip(pages, records, records[2:], strict=False)
    }


def _in_short(page: Page) -> str:
    if not page.found:
        return page.body
    answer = next((id for _, id, text in page.headings if text.startswith("The answer")), "")
    box = render("in_short.html.j2", found=page.found, finding=Markup(page.finding), answer=answer)
    question, end, rest = page.body.partition("</p>")
    between, text, more = rest.partition('<section class="prose"')
    if "<iframe" in between:  # what is moved by hand stands on the first screen
        return f"{question}{end}{between}{box}{text}{more}"
    return f"{question}{end}\n{box}{rest}"


def linked(body: str, bound: Collection[str]) -> str:
    return LINK.sub(
        lambda found: f'href="{found[1]}.html{found[2] or ""}"' if found[1] in bound else "", body
    )


def bind_others(
    manifest: Manifest, pages: Sequence[Page], guide: Guide, unbuilt: int = 0
) -> dict[str, str]:
    """File name -> HTML of the index, of the lists of figures and of sources, and of the search.
    unbuilt: how many notebooks have no page yet."""
    entries = {page.record.notebook: page for page in pages}
    bound = {*entries, REFERENCES}
    findings = {
        stem: Markup(linked(page.finding.replace('href="#', f'href="{stem}.html#'), bound))
        for stem, page in entries.items()
    }
    made = {file for page in pages for item in page.record.items for file in item.files}
    ways = {
        who: {stem: why for stem, why in steps.items() if stem in entries}
        for who, steps in guide.get("ways", {}).items()
    }
    parts = [part for page in pages for part in page.parts]
    for key, each in bibliography().items():
        text = one_line(f"{each['by']} {each['title']}. {each['place']} {each['note']}")
        parts.append(("References", f"{REFERENCES}.html#{key}", each["short"], text))
    named = [dict(zip(PART, part, strict=True)) for part in parts]
    return {
        "index.html": render(
            "index.html.j2",
            manifest=manifest,
            entries=entries,
            findings=findings,
            abstract=[stem for stem in guide.get("abstract", ()) if findings.get(stem)],
            start={words: file for words, file in guide.get("start", {}).items() if file in made},
            ways={who: steps for who, steps in ways.items() if steps},
            unbuilt=unbuilt,
        ),
        "figures.html": render("figures.html.j2", pages=pages),
        f"{REFERENCES}.html": render(
            "references.html.j2", pages=pages, sources=bibliography().values()
        ),
        "search.html": render("search.html.j2", pages=pages, parts=named),
    }


@cache
def bibliography() -> dict[str, Source]:
    """The sources of `data/references.json`, in CSL-JSON, by key, in the order of their authors."""
    sources = map(_source, json.loads(data_file("references.json").read_text(encoding="utf-8")))
    ordered = sorted(sources, key=lambda each: (each["called"] or each["by"], each["year"]))
    return {source["key"]: source for source in ordered}


def _source(entry: dict[str, Any]) -> Source:
    authors = entry.get("author", ())
    names = [each.get("literal") or each["family"] for each in authors]
    full = [
        f"{name}, {each['given']}" if "given" in each else name
        for name, each in zip(names, authors, strict=True)
    ]
    year = str(entry["issued"]["date-parts"][0][0]) if "issued" in entry else ""
    called = entry.get("title-short", "")
    said = f"{names[0]} et al." if len(names) > 2 else " & ".join(names)
    doi, issue, pages = (entry.get(name, "") for name in ("DOI", "issue", "page"))
    journal = f"{entry.get('container-title', '')} {entry.get('volume', '')}"
    place = [
        f"{journal}{f'({issue})' if issue else ''}".strip(),
        f"{entry['edition']} edition" if "edition" in entry else "",
        entry.get("publisher", ""),
        entry.get("genre", ""),
        f"pages {pages.replace('-', '–')}" if pages else "",
    ]
    return {
        "key": entry["id"],
        "called": called,
        "short": f"{called or said} {year}".strip(),
        "by": " and ".join(filter(None, ["; ".join(full[:-1]), *full[-1:]])),
        "year": year,
        "title": entry["title"],
        "place": ", ".join(filter(None, place)),
        "document": entry["type"] == "report",
        "link": f"https://doi.org/{doi}" if doi else entry.get("URL", ""),
        "note": entry.get("note", ""),
        "code": entry.get("custom", {}).get("code", []),
    }
