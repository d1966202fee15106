"""A table of a notebook, made fit for a page: no empty header, names as people read them."""

import re
from html import escape

from bs4 import BeautifulSoup, Tag

from kalahlab.draw.labels import NAME, QUOTED, readable
from kalahlab.report.rendering import parse


def for_page(html: str, captioned: bool, as_code: bool = False) -> str:
    """The table as it stands on a page.

    captioned: the page has a caption of its own for it, so that of the notebook goes. as_code:
    all names of the code are to be seen as such; else those that have a label are written so.
    What is not one table stays as it is.
    """
    page = parse(html)
    tables = page.select("table")
    if len(tables) != 1:
        return html
    [table] = tables
    if captioned and table.caption:
        table.caption.decompose()
    for header in table.select("thead th"):
        if not header.get_text(strip=True):
            header.name, header.attrs = "td", {}
    # a row header stands for all rows below it that repeat it, and so are written empty
    last: dict[int, Tag] = {}
    for row in table.select("tbody tr"):
        for level, header in enumerate(row.find_all("th", recursive=False)):
            if header.get_text(strip=True) or level not in last:
                last[level] = header
                continue
            rows = int(str(last[level].get("rowspan", "1"))) + 1
            last[level].attrs |= {"rowspan": str(rows), "scope": "rowgroup"}
            header.decompose()
    for text in table.find_all(string=re.compile(f"`|{NAME.pattern}")):
        if not text.find_parent("code"):
            coded = "".join(_coded(part, as_code) for part in QUOTED.split(str(text)))
            text.replace_with(BeautifulSoup(coded, "html.parser"))
    return str(page)


def _coded(part: str, as_code: bool) -> str:
    """A part of a text as HTML: what stands between backquotes, or no such thing."""
    if len(part) > 2 and part.startswith("`"):
        return f"<code>{escape(part[1:-1])}</code>"
    said = escape(part if as_code else readable(part), quote=False)
    return NAME.sub(lambda name: f"<code>{name[0]}</code>", said)
