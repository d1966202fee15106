"""What the search in the report finds: parts of pages, captions and sources, with where each is."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bs4 import BeautifulSoup, NavigableString, Tag

from kalahlab.report.references import bibliography

HEADING = re.compile("h[1-6]")
UNREAD = "details.code, script, style, .downloads, .anchor-link"
"""What of a page is not searched."""


class Part(NamedTuple):
    """page: its title. href: where the part begins. text: up to the next part, headings apart."""

    page: str
    href: str
    heading: str
    text: str


def parts(html: BeautifulSoup, page: str, file: str) -> Iterator[Part]:
    """The captions of a page, then its parts from heading to heading. Takes the page to pieces."""
    for element in html.select(UNREAD):
        element.decompose()
    for cell in html("td"):
        if not re.search("[^\\W\\d]{2}", cell.text):
            cell.decompose()
    for figure in html.select("figure.artifact[id]:has(> figcaption)"):
        caption = figure.select("figcaption")[0]
        number, _, text = _line(caption.text).partition(". ")
        yield Part(page, f"{file}#{figure['id']}", number, text)
        caption.decompose()
    href, heading, said = file, page, list[str]()
    for node in [*html.descendants]:
        if isinstance(node, Tag) and HEADING.fullmatch(node.name) and node.get("id"):
            yield Part(page, href, heading, _line("".join(said)))
            href, heading, said = f"{file}#{node['id']}", _line(node.text), []
        elif isinstance(node, NavigableString) and not node.find_parent(HEADING):
            said.append(str(node))
    yield Part(page, href, heading, _line("".join(said)))


def sources(file: str) -> Iterator[Part]:
    for key, each in bibliography().items():
        text = f"{each['by']} {each['title']}. {each['place']} {each['note']}"
        yield Part("References", f"{file}#{key}", each["short"], _line(text))


def _line(text: str) -> str:
    return " ".join(text.split())
