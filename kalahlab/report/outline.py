"""What a page is made of, read from its HTML: headings, first paragraph, what it loads."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bs4 import BeautifulSoup

from kalahlab.report.rendering import parse

REMOTE = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
REMOTE_STYLE = re.compile(r"""(?:@import\s+|url\(\s*)["']?(?:https?:)?//""", re.IGNORECASE)
REMOTE_SCRIPT = re.compile(r"""(?:\bfrom|\bimport|\bfetch)\s*\(?\s*["'](?:https?:)?//""")
LOADING = {"src", "srcset", "poster", "data", "background"}
LINKING = {"link", "use", "image", "feimage"}  # elements whose `href` is loaded, not followed


class Heading(NamedTuple):
    level: int
    id: str
    text: str


class Outline:
    """What is read from a page.

    headings: all of them, in order. title, lead: the text of the first heading and of the first
    paragraph. remote: what the page would load from elsewhere; links that a reader may follow do
    not count.
    """

    def __init__(self, html: str) -> None:
        page = parse(html)
        self.remote = list(_remote(page))
        for anchor in page.select("a.anchor-link"):
            anchor.decompose()
        self.headings = [
            Heading(int(each.name[1]), str(each.get("id", "")), each.text)
            for each in page.select("h1, h2, h3, h4, h5, h6")
        ]
        self.title = self.headings[0].text.strip() if self.headings else ""
        self.lead = next(filter(None, (" ".join(each.text.split()) for each in page("p"))), "")


def _remote(page: BeautifulSoup) -> Iterator[str]:
    for element in page(True):
        for name, value in ((name, str(value)) for name, value in element.attrs.items()):
            if name in LOADING or (element.name in LINKING and name.endswith("href")):
                if REMOTE.match(value):
                    yield f"{element.name} {name}={value}"
            elif name == "srcdoc":
                yield from _remote(parse(value))
            elif name == "style":
                yield from REMOTE_STYLE.findall(value)
        if element.name in ("style", "script"):
            pattern = REMOTE_STYLE if element.name == "style" else REMOTE_SCRIPT
            yield from pattern.findall(element.text)
