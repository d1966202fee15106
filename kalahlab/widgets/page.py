"""Widgets as a page of HTML that opens from a file, without a kernel and without a network.

The page holds the JavaScript of each widget (compressed), its CSS and its state, and a stand-in
for the model that Jupyter would give it. Its security policy forbids the browser to load
anything.
"""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

Part = tuple[str, str, Mapping[str, Any]]
"""A widget: its ES module (`_esm`), its style (`_css`), and its traits by name."""

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; "
    "img-src data: blob:"
)

FOLDER = Path(__file__).parent / "shared"
PAGES = Environment(loader=FileSystemLoader(FOLDER), autoescape=True, keep_trailing_newline=True)


def page(title: str, widgets: Sequence[Part]) -> str:
    """A page that shows `widgets` below one another, under a heading.

    A trait may be anything that JSON can hold; bytes reach the module as a `DataView`, as
    Jupyter gives them. Modules and styles that several widgets share are there once.
    """
    modules = list(dict.fromkeys(module for module, _, _ in widgets))
    parts = {
        "modules": [gzip.compress(module.encode(), mtime=0) for module in modules],
        "widgets": [
            {"module": modules.index(module), "state": dict(state)} for module, _, state in widgets
        ],
    }
    return PAGES.get_template("page.html.j2").render(
        title=title,
        policy=POLICY,
        style="\n".join(dict.fromkeys(style for _, style, _ in widgets)),
        count=len(widgets),
        parts=_script_json(parts),
        script=(FOLDER / "standalone.js").read_text(encoding="utf-8"),
    )


def _script_json(data: Any) -> str:
    """JSON that can stand in a `<script>`: nothing in it can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=_base64)
    return text.replace("<", "\\u003c")


def _base64(value: Any) -> dict[str, str]:
    if not isinstance(value, bytes | bytearray | memoryview):
        raise TypeError(f"a trait is {type(value).__name__}, which a page cannot hold")
    return {"base64": base64.b64encode(value).decode("ascii")}
