"""The kernel that runs the notebooks: this very interpreter, and nothing of the user's.

Jupyter takes the first kernel named `python3` on its path, which may be another Python's. So one of
our own comes first. What kernels write goes to a folder of their own, not to the user's home.
"""

import json
import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest.mock import patch

import psutil

from kalahlab.files import temporary_folder

NAME = "python3"


@contextmanager
def private_kernel(package_root: Path) -> Iterator[Path]:
    """While it lasts, `python3` is this interpreter, with `package_root` importable; `end_kernels`
    finds its kernels by the folder that it gives."""
    # Noise: a warning at each start that TCP is not encrypted, though the kernel listens on this
    # machine only, and an error when it is interrupted. What goes wrong is shown in the cells.
    quiet = ["--IPKernelApp.log_level=50", "--HistoryManager.enabled=False"]
    # Modules of this folder can be imported, and hide none of ours, as on the command line.
    quiet.append(f"--IPKernelApp.exec_lines={[f'import sys; sys.path.append({os.getcwd()!r})']}")
    path = os.environ.get("PYTHONPATH", "")
    installed = {sysconfig.get_path(place) for place in ("purelib", "platlib")}
    if str(package_root) not in installed:
        path = _joined(str(package_root), path)
    kernel = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", *quiet],
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "env": {"PYTHONPATH": path},
    }
    with temporary_folder("kalahlab-kernel-") as folder:
        spec = folder / "share" / "kernels" / NAME / "kernel.json"
        spec.parent.mkdir(parents=True)
        spec.write_text(json.dumps(kernel), encoding="utf-8")
        (folder / "temporary").mkdir()
        places = {
            "TMPDIR": str(folder / "temporary"),
            "JUPYTER_PATH": _joined(str(folder / "share"), os.environ.get("JUPYTER_PATH", "")),
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTER_DATA_DIR": str(folder / "data"),
            "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
            "IPYTHONDIR": str(folder / "ipython"),
            "MPLCONFIGDIR": str(folder / "matplotlib"),
        }
        with patch.dict(os.environ, places):
            yield folder


def _joined(*paths: str) -> str:
    return os.pathsep.join(filter(None, paths))


def end_kernels(folder: Path) -> None:
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            if child.environ().get("JUPYTER_DATA_DIR", "").startswith(str(folder)):
                child.kill()
