"""What a page is made of, read from its HTML: headings, first paragraph, what it loads."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

REMOTE = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
REMOTE_STYLE = re.compile(r"""(?:@import\s+|url\(\s*)["']?(?:https?:)?//""", re.IGNORECASE)
REMOTE_SCRIPT = re.compile(r"""(?:\bfrom|\bimport|\bfetch)\s*\(?\s*["'](?:https?:)?//""")
LOADING = {"src", "srcset", "poster", "data", "background"}
LINKING = {"link", "use", "image", "feimage"}
"""Elements whose `href` is loaded, not followed."""


@dataclass
class Heading:
    """A heading: its level (1 to 6), its id ("" if it has none) and its text."""

    level: int
    id: str
    text: str = ""


class Outline(HTMLParser):
    """Reads a page once.

    headings: all of them, in order. lead: the text of the first paragraph. remote: what
    the page would load from elsewhere; links that a reader may follow do not count.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.headings: list[Heading] = []
        self.lead = ""
        self.remote: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()

    @property
    def title(self) -> str:
        """The text of the first heading."""
        return self.headings[0].text.strip() if self.headings else ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the element loads, and whether its text is wanted."""
        self._note_remote(tag, attrs)
        found = dict(attrs)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(Heading(int(tag[1]), found.get("id") or ""))
            self._open.append(tag)
        elif tag in {"style", "script"} or (tag == "p" and not self.lead.strip()):
            self._open.append(tag)
        elif tag == "a" and "anchor-link" in (found.get("class") or ""):
            self._open.append("anchor")

    def handle_endtag(self, tag: str) -> None:
        """Close the element whose text was wanted."""
        if self._open and (self._open[-1] == tag or (self._open[-1], tag) == ("anchor", "a")):
            self._open.pop()

    def handle_data(self, data: str) -> None:
        """Give the text to the heading, paragraph, style or script it stands in."""
        where = self._open[-1] if self._open else ""
        if where == "style":
            self.remote += REMOTE_STYLE.findall(data)
        elif where == "script":
            self.remote += REMOTE_SCRIPT.findall(data)
        elif where == "p":
            self.lead += data
        elif where.startswith("h"):
            self.headings[-1].text += data

    def _note_remote(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            loads = name in LOADING or (tag in LINKING and name.endswith("href"))
            if loads and REMOTE.match(value or ""):
                self.remote.append(f"{tag} {name}={value}")
            elif name == "srcdoc":
                self.remote += Outline(value or "").remote
            elif name == "style":
                self.remote += REMOTE_STYLE.findall(value or "")
