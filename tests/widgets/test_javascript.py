"""The JavaScript without a browser: what is shipped of it, and its own tests, which node runs."""

import json
import subprocess
import sys
from pathlib import Path

from kalahlab import npm
from kalahlab.widgets.widget import BUNDLES

ROOT = Path(__file__).parents[2]
SCRIPTS = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["scripts"]
PROGRAMS = Path(sys.prefix) / "share/js/node_modules/.bin"


def node(*words: str | Path) -> str:
    command = [npm.node() or "", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_bundles_are_what_the_sources_give(tmp_path: Path) -> None:
    program, *words = SCRIPTS["bundles"].split()
    node(PROGRAMS / program, *words, f"--outdir={tmp_path}")
    made, shipped = (
        {file.name: file.read_bytes() for file in folder.iterdir()}
        for folder in (tmp_path, BUNDLES)
    )
    assert {*made} == {*shipped} == {"board.js", "explorer.js"}
    assert made == shipped, "the JavaScript has changed since; this writes them anew: make bundles"
