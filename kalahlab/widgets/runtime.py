"""Python for pages: Pyodide and the part of this package that needs the standard library alone.

`make` calls this module, which keeps what it needs of Pyodide, from the npm registry, in the
environment. Where Pyodide cannot be had, pages are made without; the tests need it.
"""

import base64
import gzip
import hashlib
import json
import subprocess
import sys
import zipfile
from functools import cache
from io import BytesIO
from pathlib import Path

from kalahlab import npm
from kalahlab.data import data_file
from kalahlab.engine.supported import solved_presets
from kalahlab.files import write
from kalahlab.formatting import to_json
from kalahlab.judging import value_files

# Which Pyodide, the SHA-256 of its package, and that of each file that is kept of it.
PINS = json.loads(Path(__file__).with_name("pyodide.json").read_text(encoding="utf-8"))
VERSION, SHA256, CHECKSUMS = PINS["version"], PINS["sha256"], PINS["files"]
FOLDER = Path(sys.prefix) / "share" / f"pyodide-{VERSION}"
LOCK, STDLIB = "pyodide-lock.json", "python_stdlib.zip"
# What a page has of Pyodide, compressed, by the name it has there.
PACKED = {"asm": "pyodide.asm.mjs", "loader": "pyodide.mjs", "wasm": "pyodide.asm.wasm"}
FETCH = "`python -m kalahlab.widgets.runtime` fetches it"
MISSING = f"there is no Python for pages; {FETCH}"
# What of `data/` a page's Python reads.
DATA = ("fitted.json", "learned.json", "learned_random.json", "levels.csv", value_files.FILE)

TOP, SHARED = Path(__file__).parents[2], Path(__file__).parent / "shared"
BUNDLES = Path(__file__).parent / "bundles"  # JavaScript and styles; `make bundles` writes it
# Prints the modules that a page's Python imports.
MODULES = "import sys, kalahlab.widgets.live; print(*sorted(sys.modules), sep='\\n')"
LEVEL = 5  # of compression: 9 takes 0.7 s more, in each notebook with a page, and saves 1.5 %
PIECE = 1_000_000  # characters of a property of a style sheet; browsers take up to two million


def fetched() -> bool:
    return all((FOLDER / name).is_file() for name in CHECKSUMS)


@cache
def runtime() -> str:
    """What a page needs to run Python, as JSON. `ValueError` if it is missing or damaged."""
    files = {name: _checked(name) for name in CHECKSUMS}
    parts = {name: gzip.compress(files[file], LEVEL, mtime=0) for name, file in PACKED.items()}
    parts |= {"stdlib": compiled_library() or files[STDLIB], "package": _package()}
    texts = {name: base64.b64encode(data).decode("ascii") for name, data in parts.items()}
    worker = (BUNDLES / "worker.js").read_text(encoding="utf-8")
    lock = {"info": json.loads(files[LOCK])["info"], "packages": {}}
    return to_json({**texts, "worker": worker, "lock": lock})


def compiled_library() -> bytes:
    """Python's library with what a page imports as bytecode, which starts sooner; or nothing."""
    for file in FOLDER.glob("compiled-*.zip"):
        data = file.read_bytes()
        if file == _place(data):
            return data
    return b""


def compile_library() -> None:
    """Let Pyodide's own Python compile its library; where there is no node, it stays as it is."""
    if program := npm.node():
        asked = [program, str(SHARED / "compile.mjs"), f"{FOLDER}/", STDLIB, *_imported()]
        done = subprocess.run(asked, capture_output=True, check=False)
        if not done.returncode:
            _place(done.stdout).write_bytes(done.stdout)


def _place(library: bytes) -> Path:
    return FOLDER / f"compiled-{hashlib.sha256(library).hexdigest()}.zip"


def _in_style() -> str:
    """The runtime without the characters that end a string of a style sheet."""
    return runtime().replace("%", "%25").replace('"', "%22").replace("\\", "%5C")


@cache
def digest() -> str:
    """What a page knows the runtime beside it by: SHA-256, in hexadecimal digits."""
    return hashlib.sha256(_in_style().encode()).hexdigest()


def write_runtime(file: Path) -> None:
    text = _in_style()
    pieces = (text[at : at + PIECE] for at in range(0, len(text), PIECE))
    style = "".join(f'--r{place}:"{piece}";' for place, piece in enumerate(pieces))
    write(file, f"#live{{{style}}}\n")


def main() -> None:
    """Fetch Pyodide if it is missing or damaged; exit status 1 if it cannot be had."""
    try:
        for name in CHECKSUMS:
            _checked(name)
    except ValueError:
        try:
            packed = npm.fetch(f"pyodide@{VERSION}", SHA256)
            npm.keep(FOLDER, {name: packed[f"package/{name}"] for name in CHECKSUMS})
        except OSError as error:
            sys.exit(f"pages will not search by themselves: {error}")
    if not compiled_library():
        compile_library()


def _checked(name: str) -> bytes:
    """A file of Pyodide. `ValueError` if it is missing or is not the one that was packed there."""
    try:
        data = (FOLDER / name).read_bytes()
    except FileNotFoundError:
        raise ValueError(MISSING) from None
    if hashlib.sha256(data).hexdigest() != CHECKSUMS[name]:
        raise ValueError(f"{FOLDER / name} is damaged; {FETCH} anew")
    return data


def _imported() -> list[str]:
    return subprocess.check_output([sys.executable, "-c", MODULES], text=True, cwd=TOP).split()


def _package() -> bytes:
    from kalahlab.engine.endgame.database import open_database

    own = [name.replace(".", "/") for name in _imported() if name.split(".")[0] == "kalahlab"]
    files = [f"{path}/__init__.py" if (TOP / path).is_dir() else f"{path}.py" for path in own]
    files += ["kalahlab/games/trees.toml", "kalahlab/widgets/models/labels.json"]
    packed = {file: (TOP / file).read_bytes() for file in files}
    packed |= {f"data/{name}": data_file(name).read_bytes() for name in DATA}
    for name, rules in solved_presets().items():
        endgames = open_database(value_files.PITS, value_files.STONES, rules).values
        sealed = value_files.seal_endgames(endgames.tobytes(), name)
        packed[f"data/{value_files.ENDGAMES.format(name)}"] = sealed
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in packed.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


if __name__ == "__main__":
    main()
