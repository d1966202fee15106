"""Python for pages: Pyodide, and the part of this package that needs only the standard library.

`make` runs this module, which downloads Pyodide from the npm registry into the environment. If the
download fails, pages are made without Python; the tests need Pyodide.
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
from kalahlab.files import write_atomic
from kalahlab.formatting import to_json
from kalahlab.games.supported import SOLVED, STORED, unknown_rule
from kalahlab.solver import value_files

# The version of Pyodide, the SHA-256 of its package, and those of the files that are used.
PINS = json.loads(Path(__file__).with_name("pyodide.json").read_text(encoding="utf-8"))
VERSION, SHA256, CHECKSUMS = PINS["version"], PINS["sha256"], PINS["files"]
FOLDER = Path(sys.prefix) / "share" / f"pyodide-{VERSION}"
LOCK, STDLIB = "pyodide-lock.json", "python_stdlib.zip"
# The files of Pyodide that a page contains, compressed, by their names in the page.
PACKED_FILES = {"asm": "pyodide.asm.mjs", "loader": "pyodide.mjs", "wasm": "pyodide.asm.wasm"}
FETCH = "fetch it with `python -m kalahlab.widgets.runtime`"
MISSING = f"the Python of pages is missing; {FETCH}"
# The files of `data/` that a page's Python reads.
DATA_FILES = ("fitted.json", "learned.json", "learned_random.json", "levels.csv", value_files.FILE)

TOP, SHARED = Path(__file__).parents[2], Path(__file__).parent / "shared"
BUNDLES = Path(__file__).parent / "bundles"  # JavaScript and styles, which `make bundles` writes
# The program that prints the names of the modules that a page's Python imports.
PRINT_MODULES = "import sys, kalahlab.widgets.live; print(*sorted(sys.modules), sep='\\n')"
# In each notebook with a page, level 9 takes a second more than level 5, and saves 1.5 %.
COMPRESSION_LEVEL = 5
PIECE_LENGTH = 1_000_000  # characters of a style sheet's property; browsers accept two million


def is_fetched() -> bool:
    """Return whether Pyodide has been downloaded."""
    return all((FOLDER / name).is_file() for name in CHECKSUMS)


@cache
def load_runtime() -> str:
    """Load the data with which a page runs Python, as JSON.

    Raises:
        ValueError: A file of Pyodide is missing or damaged.
    """
    files = {name: _read_pinned(name) for name in CHECKSUMS}
    parts = {
        name: gzip.compress(files[file], COMPRESSION_LEVEL, mtime=0)
        for name, file in PACKED_FILES.items()
    }
    parts |= {"stdlib": load_compiled_library() or files[STDLIB], "package": _pack_package()}
    texts = {name: base64.b64encode(data).decode("ascii") for name, data in parts.items()}
    worker = (BUNDLES / "worker.js").read_text(encoding="utf-8")
    lock = {"info": json.loads(files[LOCK])["info"], "packages": {}}
    return to_json({**texts, "worker": worker, "lock": lock})


def load_compiled_library() -> bytes:
    """Load Python's library with the modules of a page as bytecode, which starts sooner.

    Return b"" if the library has not been compiled, or its file is damaged.
    """
    for file in FOLDER.glob("compiled-*.zip"):
        data = file.read_bytes()
        if file == _library_path(data):  # the name is not that of other content
            return data
    return b""


def compile_library() -> None:
    """Compile Pyodide's library with its own Python; do nothing if node is not installed."""
    program = npm.node()
    if not program:
        return
    command = [
        program,
        str(SHARED / "compile.mjs"),
        f"{FOLDER}/",
        STDLIB,
        *_list_imported_modules(),
    ]
    process = subprocess.run(command, capture_output=True, check=False)
    if process.returncode == 0:
        _library_path(process.stdout).write_bytes(process.stdout)


def _library_path(library: bytes) -> Path:
    """Return the path of a compiled library, whose name contains the SHA-256 of the library."""
    return FOLDER / f"compiled-{hashlib.sha256(library).hexdigest()}.zip"


def _escape_runtime() -> str:
    """Return the runtime, with the characters escaped that would end a string in a style sheet."""
    return load_runtime().replace("%", "%25").replace('"', "%22").replace("\\", "%5C")


@cache
def runtime_digest() -> str:
    """Return the SHA-256, in hexadecimal digits, by which a page verifies the runtime file."""
    return hashlib.sha256(_escape_runtime().encode()).hexdigest()


def write_runtime(file: Path) -> None:
    """Write the runtime to a style sheet, as the texts of its properties --r0, --r1 and so on."""
    text = _escape_runtime()
    pieces = (text[start : start + PIECE_LENGTH] for start in range(0, len(text), PIECE_LENGTH))
    style = "".join(f'--r{index}:"{piece}";' for index, piece in enumerate(pieces))
    write_atomic(file, f"#live{{{style}}}\n")


def main() -> None:
    """Download Pyodide if it is missing or damaged; exit with status 1 if that fails."""
    try:
        for name in CHECKSUMS:
            _read_pinned(name)  # only for the check of the file
    except ValueError:
        try:
            files = npm.fetch(f"pyodide@{VERSION}", SHA256)
            npm.replace_folder(FOLDER, {name: files[f"package/{name}"] for name in CHECKSUMS})
        except OSError as error:
            sys.exit(f"pages will have no Python: {error}")
    if not load_compiled_library():
        compile_library()


def _read_pinned(name: str) -> bytes:
    """Read a file of Pyodide; raise `ValueError` if it is missing or has another checksum."""
    try:
        data = (FOLDER / name).read_bytes()
    except FileNotFoundError:
        raise ValueError(MISSING) from None
    if hashlib.sha256(data).hexdigest() != CHECKSUMS[name]:
        raise ValueError(f"{FOLDER / name} is damaged; {FETCH}")
    return data


def _list_imported_modules() -> list[str]:
    """Return the names of the modules that a page's Python imports, found in a new process."""
    return subprocess.check_output(
        [sys.executable, "-c", PRINT_MODULES], text=True, cwd=TOP
    ).split()


def _pack_package() -> bytes:
    """Pack the modules and the data of this package that a page needs, as a zip archive."""
    from kalahlab.solver.endgame.database import open_database

    names = []
    for module in _list_imported_modules():
        if module.split(".")[0] == "kalahlab":
            path = module.replace(".", "/")
            is_package = (TOP / path).is_dir()
            names.append(f"{path}/__init__.py" if is_package else f"{path}.py")
    names += ["kalahlab/games/trees.toml", "kalahlab/draw/tree.json"]
    names += ["kalahlab/widgets/models/labels.json"]
    files = {name: (TOP / name).read_bytes() for name in names}
    for name in DATA_FILES:
        files[f"data/{name}"] = data_file(name).read_bytes()
    for name, rules in STORED.items():
        if unknown_rule(rules, SOLVED):  # a field was added to the rules that no file knows
            continue
        endgames = open_database(value_files.PITS, value_files.STONES, rules).values
        sealed = value_files.seal_endgames(endgames.tobytes(), name)
        files[f"data/{value_files.ENDGAMES.format(name)}"] = sealed
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            # ZipInfo has a fixed date by default, so that the same files make the same archive.
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, COMPRESSION_LEVEL)
    return buffer.getvalue()


if __name__ == "__main__":
    main()
