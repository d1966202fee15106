"""The templates of the pages, what they need, and their style sheet."""

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
from kalahlab.draw.tables import plain
from kalahlab.files import checksum
from kalahlab.outside import POLICY

TITLE = "Game-tree search in Kalah"
TEMPLATES = Path(__file__).parent / "templates"
FRAME = re.compile(r'<iframe class="moving"[^>]* srcdoc="([^"]*)"')
FRAME_SCRIPTS = re.compile(r"script-src ([^;\"]*);")
# All that runs on a page; what its frames run, they say themselves.
SCRIPTS = {
    file.stem: Markup(file.read_text(encoding="utf-8"))
    for folder in (TEMPLATES, TEMPLATES / "vendor")
    for file in sorted(folder.glob("*.js"))
}
# Pygments styles whose every colour has a contrast of 4.5 or more on our grounds.
LIGHT_CODE, DARK_CODE = "xcode", "zenburn"


def render(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values)


def parse(html: str) -> BeautifulSoup:
    return BeautifulSoup(html, "html.parser", multi_valued_attributes=None)


def one_line(text: str) -> str:
    return " ".join(text.split())


def base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def counted(things: Iterable[tuple[int, str]]) -> str:
    """`[(1, "figure"), (2, "table"), (0, "page")]` as "1 figure, 2 tables"."""
    return ", ".join(f"{count} {thing}{'s' * (count > 1)}" for count, thing in things if count)


def in_code(text: str) -> Markup:
    """Plain text as HTML, in which what stands between backticks is code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def policy(body: str) -> str:
    """The security policy of a page with this body: its own scripts run, and those of its frames,
    which are under their page's policy besides their own; nothing is loaded."""
    hashes = (b64encode(sha256(text.encode()).digest()).decode() for text in SCRIPTS.values())
    own = [f"'sha256-{each}'" for each in hashes]
    for frame in FRAME.findall(body):
        theirs = FRAME_SCRIPTS.search(unescape(unescape(frame)))  # as an attribute, and in it
        own += theirs[1].split() if theirs else []
    return POLICY.format(scripts=" ".join(dict.fromkeys(own)))


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
    own = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    style = f"{own}\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
    environment.globals |= {
        "report_title": TITLE,
        "version": __version__,
        "style": Markup(style),
        "policy": policy,
        "scripts": SCRIPTS,
    }
    filters = (counted, in_code, base64, checksum, plain)
    environment.filters |= {each.__name__: each for each in filters}
    return environment
