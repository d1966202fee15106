"""Rendering of widgets as a page of HTML that needs neither a kernel nor a network."""

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kalahlab.formatting import to_json
from kalahlab.untrusted import POLICY
from kalahlab.widgets import runtime
from kalahlab.widgets.models.model import as_base64

Part = tuple[str, str, Mapping[str, Any]]
"""A widget's ES module, style sheet and traits."""

RUNTIME = "live.css"
"""The name of the file beside a page that holds the page's Python, as text in a style sheet.

A page that was opened from a file can load a style sheet, which runs nothing. The page verifies the
text by its hash before it runs the text.
"""

Live = Literal["inside", "beside", "no"]
"""The place of a page's Python.

Python is inside the page; or in a file beside the page, `RUNTIME`, which several pages share; or
nowhere. In a report, the page of an artifact is two folders below the file.
"""

# The scripts that may run: the page's script, by its hash, and the code that this script unpacks.
SCRIPT_SOURCES = "'sha256-{}' blob: 'wasm-unsafe-eval'"
FOLDER = Path(__file__).parent / "shared"
PAGES = Environment(
    loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined,
    keep_trailing_newline=True,
)  # fmt: skip


def page(
    title: str,
    widgets: Sequence[Part],
    live: Live = "no",
    fallbacks: Sequence[str] = (),
    above: str = "",
    below: str = "",
    names: Sequence[str] = (),
) -> str:
    """Render a page that shows widgets below one another, under a heading.

    Args:
        title: The heading.
        widgets: The widgets; their traits are bytes, or values that JSON can hold.
        live: The place of the Python that answers the requests of the widgets.
        fallbacks: For each widget, HTML that a browser without JavaScript shows in its place.
        above: HTML between the heading and the widgets.
        below: HTML after the widgets.
        names: The names of the first widgets, of which the page shows one at a time, with a button
            for each; by default it shows all.

    Raises:
        ValueError: Python is inside, and no widget has a recipe, as they depend on user functions.
    """
    if live == "inside" and not any(state["recipe"] for _, _, state in widgets):
        raise ValueError("a page's Python has no user functions; use explore without --live")
    parts = _pack_widgets(widgets) | {"names": names, "runtime": [], "digest": ""}
    embedded = ""
    if live == "beside":
        parts |= {"runtime": [RUNTIME, f"../../{RUNTIME}"], "digest": runtime.runtime_digest()}
    elif live == "inside":
        embedded = _script_json(json.loads(runtime.load_runtime()))
    script = "\n" + (runtime.BUNDLES / "standalone.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return PAGES.get_template("page.html.j2").render(
        title=title,
        below=below,
        policy=POLICY.format(scripts=SCRIPT_SOURCES.format(digest)),
        style="\n".join(dict.fromkeys(style for _, style, _ in widgets)),
        above=above,
        count=len(widgets),
        fallbacks=fallbacks,
        parts=_script_json(parts),
        script=script,
        runtime=embedded,
    )


def _pack_widgets(widgets: Sequence[Part]) -> dict[str, Any]:
    """Return the modules of widgets, each once, and the module and the traits of each widget."""
    modules = list(dict.fromkeys(module for module, _, _ in widgets))
    return {
        "modules": [gzip.compress(module.encode(), mtime=0) for module in modules],
        "widgets": [
            {"module": modules.index(module), "state": {**state}} for module, _, state in widgets
        ],
    }


def _script_json(data: Any) -> str:
    """Serialize data for a `<script>` element, which no text in the data can end."""
    text = to_json(data, ensure_ascii=False, separators=(",", ":"), default=as_base64)
    return text.replace("<", "\\u003c")
