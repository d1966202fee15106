"""The templates of the pages, their filters, scripts and style sheet."""

import re
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]

from kalahlab import __version__
from kalahlab.files import checksum
from kalahlab.report.tables import to_latex_text
from kalahlab.untrusted import POLICY

TITLE = "Game-tree search in Kalah"
TEMPLATES = Path(__file__).parent / "templates"
# The frame of a widget's page; group 1 is that page, escaped.
FRAME = re.compile(r'<iframe class="moving"[^>]* srcdoc="([^"]*)"')
# The scripts that the policy of a page allows (group 1).
FRAME_SCRIPTS = re.compile(r"script-src ([^;\"]*);")
# All scripts of a page, except those of its frames, by file name without suffix.
SCRIPTS = {
    file.stem: Markup(file.read_text(encoding="utf-8"))
    for file in [*sorted(TEMPLATES.glob("*.js")), *sorted((TEMPLATES / "vendor").glob("*.js"))]
}
# Pygments styles with a contrast of 4.5 or more on the backgrounds of pages.
LIGHT_CODE, DARK_CODE = "xcode", "zenburn"


def render(template: str, **values: Any) -> str:
    """Render a template of the report."""
    return _environment().get_template(template).render(**values)


def parse(html: str) -> BeautifulSoup:
    # None leaves the attribute `class` one text, not a list.
    return BeautifulSoup(html, "html.parser", multi_valued_attributes=None)


def one_line(text: str) -> str:
    """Return a text with single blanks in place of line breaks and other white space."""
    return " ".join(text.split())


def base64(text: str) -> str:
    """Return the UTF-8 bytes of a text in base64."""
    return b64encode(text.encode()).decode()


def format_counts(things: Iterable[tuple[int, str]]) -> str:
    """Return "1 figure, 2 tables" for `[(1, "figure"), (2, "table"), (0, "page")]`."""
    texts = []
    for count, thing in things:
        if count:
            texts.append(f"{count} {thing}s" if count > 1 else f"{count} {thing}")
    return ", ".join(texts)


def mark_code(text: str) -> Markup:
    """Return plain text as HTML, in which the text between backticks is code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def policy(body: str) -> str:
    """Return the security policy of a page with this body.

    The scripts of the page may run, and so may those of its frames, because the policy of a page
    holds for its frames, too. Nothing may be loaded.
    """
    sources = []
    for script in SCRIPTS.values():
        digest = b64encode(sha256(script.encode()).digest()).decode()
        sources.append(f"'sha256-{digest}'")
    for frame in FRAME.findall(body):
        # A frame is escaped twice: as an attribute of the page, and its policy as one of its own.
        match = FRAME_SCRIPTS.search(unescape(unescape(frame)))
        if match:
            sources += match[1].split()
    return POLICY.format(scripts=" ".join(dict.fromkeys(sources)))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    light, dark = (
        HtmlFormatter(style=name, nobackground=True).get_style_defs(".highlight")
        for name in (LIGHT_CODE, DARK_CODE)
    )
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    style = f"{style}\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
    environment.globals |= {
        "report_title": TITLE,
        "version": __version__,
        "style": Markup(style),
        "policy": policy,
        "scripts": SCRIPTS,
    }
    # The templates call the filters by the names of the functions.
    filters = (format_counts, mark_code, base64, checksum, to_latex_text)
    environment.filters |= {function.__name__: function for function in filters}
    return environment
