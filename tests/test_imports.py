"""What importing kalahlab does not load: whoever only searches waits for no plotting library."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"matplotlib", "numba", "numpy", "pandas"}


@pytest.mark.parametrize(
    "modules",
    [
        "kalahlab",
        "kalahlab.search, kalahlab.trace, kalahlab.play, kalahlab.experiments",
    ],
)
def test_importing_loads_nothing_heavy(modules: str) -> None:
    code = f"import {modules}, sys; print(*sorted(sys.modules), sep='\\n')"
    root = Path(__file__).parents[1]
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(modules.split(", ")) <= set(loaded)
    assert not HEAVY & set(loaded)
