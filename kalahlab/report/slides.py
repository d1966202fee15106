"""A page of the report as slides: one file, with reveal.js in it.

nbconvert's own slides load reveal.js and four other libraries from elsewhere, and know no captions.
These are made of the page as it was bound.
"""

from collections.abc import Iterator
from pathlib import Path

from bs4 import Tag
from markupsafe import Markup

from kalahlab.report.pdf import check_report
from kalahlab.report.rendering import parse, render
from kalahlab.report.sources import one_of

LEFT_OUT = "script, style, details, .still, .exercise, .in-short, .failure, .fold, .downloads"
"""What of a page is not on its slides."""
BREAKS = ("h1", "h2", "h3")


def to_slides(report: Path, notebook: str) -> str:
    """The slides as HTML; `ValueError` without a whole report, or for an unknown notebook."""
    name = one_of("notebook", notebook, check_report(report))
    page = parse((report / f"{name}.html").read_text(encoding="utf-8"))
    main = page.select("main")[0]
    for element in main.select(f"{LEFT_OUT}, .anchor-link"):
        element.decompose()
    for link in main.select("a[href]"):
        if not str(link["href"]).startswith("https:"):
            del link["href"]
    for frame in main.select("iframe"):
        frame["loading"] = "lazy"
    parts = list[list[Tag]]()
    for block in _blocks(main):
        if block.name in BREAKS or not parts:
            parts.append([])
        parts[-1].append(block)
    html = "\n".join(f"<section>{''.join(map(str, part))}</section>" for part in parts)
    title = " ".join(main.select("h1")[0].text.split()) if main.h1 else name
    return render("slides.html.j2", title=title, body=Markup(html))


def _blocks(main: Tag) -> Iterator[Tag]:
    """Paragraphs, lists, figures and so on, out of the boxes that they stand in."""
    for child in main.find_all(True, recursive=False):
        if {"prose", "code-cell", "outputs"} & {*str(child.get("class", "")).split()}:
            yield from _blocks(child)
        else:
            yield child
