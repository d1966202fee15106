"""Bytes of the JavaScript and the style of each widget, as shipped and as gzip holds them, which is
how a page has the former; and of the script that shows widgets in a page without a kernel.

    python benchmarks/bundles.py
"""

import gzip

import pandas as pd

from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import Explorer
from kalahlab.widgets.runtime import BUNDLES

TEXTS = {
    "explorer.js": str(Explorer._esm),
    "explorer.css": str(Explorer._css),
    "board.js": str(Board._esm),
    "board.css": str(Board._css),
    **{
        name: (BUNDLES / name).read_text(encoding="utf-8")
        for name in ("standalone.js", "worker.js")
    },
}

if __name__ == "__main__":
    rows = [
        {"file": name, "kB": len(data) / 1e3, "gzip kB": len(gzip.compress(data, mtime=0)) / 1e3}
        for name, data in ((name, text.encode()) for name, text in TEXTS.items())
    ]
    print(pd.DataFrame(rows).set_index("file").round(1).to_string())
