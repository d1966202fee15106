"""Print the sizes of the JavaScript and the style of each widget, plain and compressed with gzip.

    python benchmarks/bundles.py

A page contains them compressed. The table also has the script that shows widgets in a page without
a kernel.
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
    rows = []
    for name, text in TEXTS.items():
        data = text.encode()
        compressed = gzip.compress(data, mtime=0)
        rows.append({"file": name, "kB": len(data) / 1e3, "gzip kB": len(compressed) / 1e3})
    print(pd.DataFrame(rows).set_index("file").round(1).to_string())
