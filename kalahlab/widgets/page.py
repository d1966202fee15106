"""Widgets as a page of HTML that opens from a file, without a kernel and without a network.

The page holds the JavaScript of each widget (compressed), its CSS and its state, and a stand-in
for the model that Jupyter would give it. Its security policy forbids the browser to load
anything.
"""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

Part = tuple[str, str, Mapping[str, Any]]
"""A widget: its ES module (`_esm`), its style (`_css`), and its traits by name."""

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; "
    "img-src data: blob:"
)

# What anywidget's model does, for one view and no kernel: `send` is heard by nobody.
SHIM = """
const parts = JSON.parse(document.getElementById("parts").textContent, revived);

function revived(key, value) {
  if (typeof value?.base64 !== "string") return value;
  const text = atob(value.base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new DataView(bytes.buffer);
}

function modelOf(state) {
  const heard = new Map();
  const listeners = (event) => heard.get(event) ?? heard.set(event, new Set()).get(event);
  return {
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      for (const hear of [...listeners(`change:${name}`)]) hear();
    },
    on: (event, hear) => void listeners(event).add(hear),
    off: (event, hear) => void (hear ? listeners(event).delete(hear) : heard.delete(event)),
    save_changes() {},
    send() {},
  };
}

async function imported(packed) {
  const flow = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const code = await new Response(flow).blob();
  return import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
}

const modules = await Promise.all(parts.modules.map(imported));
for (const [place, { module, state }] of parts.widgets.entries()) {
  const { default: widget } = modules[module];
  const model = modelOf(state);
  const el = document.getElementById(`widget-${place}`);
  await widget.initialize?.({ model });
  await widget.render({ model, el });
}
"""

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
:root {{ color-scheme: light dark }}
body {{ margin: 16px }}
h1 {{ font: 650 22px system-ui, sans-serif; margin: 0 0 12px }}
{style}
</style></head>
<body><main><h1>{title}</h1>
{places}
</main>
<script type="application/json" id="parts">{parts}</script>
<script type="module">{shim}</script>
</body></html>
"""


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
    return PAGE.format(
        title=escape(title),
        policy=escape(POLICY),
        style="\n".join(dict.fromkeys(style for _, style, _ in widgets)),
        places="\n".join(f'<div id="widget-{place}"></div>' for place in range(len(widgets))),
        parts=_script_json(parts),
        shim=SHIM,
    )


def _script_json(data: Any) -> str:
    """JSON that can stand in a `<script>`: nothing in it can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=_base64)
    return text.replace("<", "\\u003c")


def _base64(value: Any) -> dict[str, str]:
    if not isinstance(value, bytes | bytearray | memoryview):
        raise TypeError(f"a trait is {type(value).__name__}, which a page cannot hold")
    return {"base64": base64.b64encode(value).decode("ascii")}
