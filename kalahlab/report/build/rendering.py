"""The templates of the pages, the words they need, and their style sheet."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]

TEMPLATES = Path(__file__).parent / "templates"
LIGHT_CODE, DARK_CODE = "xcode", "zenburn"
"""Pygments styles whose every colour has a contrast of 4.5 or more on our grounds."""


def render(template: str, **values: Any) -> str:
    """A page from its template."""
    return _environment().get_template(template).render(**values)


def counted(things: Iterable[tuple[int, str]]) -> str:
    """`[(1, "figure"), (2, "table"), (0, "page")]` as "1 figure, 2 tables"."""
    return ", ".join(f"{count} {thing}{'s' * (count > 1)}" for count, thing in things if count)


def in_code(text: str) -> Markup:
    """Plain text as HTML, in which what stands between backticks is code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["style"] = Markup(_style())
    environment.filters["counted"] = counted
    environment.filters["in_code"] = in_code
    return environment


def _style() -> str:
    light, dark = (
        HtmlFormatter(style=name, nobackground=True).get_style_defs(".highlight")
        for name in (LIGHT_CODE, DARK_CODE)
    )
    own = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    return f"{own}\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
