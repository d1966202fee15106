"""Python for pages: Pyodide and the part of this package that needs the standard library alone.

`make` calls this module, with the network that it sets all up with; it fetches Pyodide from the
npm registry and keeps what is needed in the environment. Each file is checked when it is packed.
Where Pyodide cannot be had, pages are made without; the tests need it.

    python -m kalahlab.widgets.runtime
"""

import base64
import gzip
import hashlib
import json
import subprocess
import sys
from collections.abc import Collection
from functools import cache
from pathlib import Path

from kalahlab import npm
from kalahlab.data import data_file
from kalahlab.files import atomic_write
from kalahlab.games.kalah import PRESETS
from kalahlab.judging import endgames, opening_values
from kalahlab.widgets.bytecode import compiled_by_pyodide, zipped

VERSION = "314.0.7"
SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
FOLDER = Path(sys.prefix) / "share" / f"pyodide-{VERSION}"
FILES = {
    "asm": "pyodide.asm.mjs",
    "loader": "pyodide.mjs",
    "wasm": "pyodide.asm.wasm",
    "stdlib": "python_stdlib.zip",
}
"""What of Pyodide a page needs, by the name it has there."""

PACKED = ("asm", "loader", "wasm")
"""What is compressed; the rest is already."""

LOCK = "pyodide-lock.json"
CHECKSUMS = {
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    LOCK: "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""What is kept of Pyodide, and the SHA-256 of each file."""

FETCH = "`python -m kalahlab.widgets.runtime` fetches it"
MISSING = f"there is no Python for pages; {FETCH}"

DATA = ("fitted.json", "learned.json", "learned_random.json", "levels.csv", opening_values.FILE)
"""What of `data/` a page's Python reads."""

TOP = Path(__file__).parents[2]

MODULES = "import sys, kalahlab.widgets.live; print(*sorted(sys.modules), sep='\\n')"
"""Prints the modules that a page's Python imports."""


def fetched() -> bool:
    """Whether there is a runtime."""
    return all((FOLDER / name).is_file() for name in CHECKSUMS)


@cache
def runtime() -> str:
    """What a page needs to run Python, as JSON. `ValueError` if it is missing or damaged."""
    files = {name: _checked(name) for name in CHECKSUMS}
    texts = {name: _base64(files[FILES[name]], name) for name in PACKED}
    worker = (Path(__file__).parent / "shared" / "worker.js").read_text(encoding="utf-8")
    lock = {"info": json.loads(files[LOCK])["info"], "packages": {}}
    names = _imported()
    library = compiled_by_pyodide(files[FILES["stdlib"]], names, FOLDER, "library")
    texts |= {"stdlib": _base64(library, "stdlib"), "package": _base64(_package(names), "package")}
    return json.dumps({**texts, "worker": worker, "lock": lock})


PIECE = 1_000_000
"""Characters of a property of a style sheet; browsers take up to two million."""


def _in_style() -> str:
    """The runtime without the characters that end a string of a style sheet."""
    return runtime().translate({ord(each): f"%{ord(each):02X}" for each in '%"\\'})


@cache
def digest() -> str:
    """What a page knows the runtime beside it by: SHA-256, in hexadecimal digits."""
    return hashlib.sha256(_in_style().encode()).hexdigest()


def write_runtime(file: Path) -> None:
    """Write the style sheet whose properties hold what pages need to run Python."""
    text = _in_style()
    pieces = (text[at : at + PIECE] for at in range(0, len(text), PIECE))
    style = "".join(f'--r{place}:"{piece}";' for place, piece in enumerate(pieces))
    with atomic_write(file) as part:
        part.write_text(f"#live{{{style}}}\n", encoding="utf-8")


def fetch() -> None:
    """Fetch Pyodide; `OSError` says why it cannot be had."""
    packed = npm.fetch(f"pyodide@{VERSION}", SHA256)
    npm.keep(FOLDER, {name: packed[f"package/{name}"] for name in CHECKSUMS})


def main() -> None:
    """Fetch Pyodide if it is missing or damaged; exit status 1 if it cannot be had."""
    try:
        for name in CHECKSUMS:
            _checked(name)
    except ValueError:
        try:
            fetch()
        except OSError as error:
            sys.exit(f"pages will not search by themselves: {error}")


def _checked(name: str) -> bytes:
    """A file of Pyodide. `ValueError` if it is missing or is not the one that was packed there."""
    try:
        data = (FOLDER / name).read_bytes()
    except FileNotFoundError:
        raise ValueError(MISSING) from None
    if hashlib.sha256(data).hexdigest() != CHECKSUMS[name]:
        raise ValueError(f"{FOLDER / name} is damaged; {FETCH} anew")
    return data


def _base64(data: bytes, name: str) -> str:
    if name in PACKED:
        data = gzip.compress(data, mtime=0)
    return base64.b64encode(data).decode("ascii")


def _imported() -> list[str]:
    """The modules that a page's Python imports, the standard library's too."""
    asked = [sys.executable, "-c", MODULES]
    found = subprocess.run(asked, capture_output=True, text=True, check=True, cwd=TOP)
    return found.stdout.splitlines()


def _package(names: Collection[str]) -> bytes:
    """Its modules of these names, compiled, and its data, as a zip."""
    own = [name for name in names if name.split(".")[0] == "kalahlab"]
    modules = zipped({file: (TOP / file).read_bytes() for file in map(_file_of, own)})
    data = {f"data/{name}": data_file(name).read_bytes() for name in DATA}
    tables = {f"data/{endgames.file_name(rules)}": endgames.file_bytes(rules) for rules in PRESETS}
    return zipped(data | tables, compiled_by_pyodide(modules, names, FOLDER, "package"))


def _file_of(name: str) -> str:
    """A module's file, from the folder that the package is in."""
    path = name.replace(".", "/")
    return f"{path}/__init__.py" if (TOP / path).is_dir() else f"{path}.py"


if __name__ == "__main__":
    main()
