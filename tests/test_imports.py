"""What importing kalahlab does not load: whoever only searches waits for no plotting library."""

import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

HEAVY = {"matplotlib", "numba", "numpy", "pandas"}


@pytest.mark.parametrize(
    "modules",
    [
        "kalahlab",
        "kalahlab.search, kalahlab.trace, kalahlab.play, kalahlab.experiments",
    ],
)
def test_importing_loads_nothing_heavy(modules):
    code = f"import {modules}, sys; print(*sorted(sys.modules), sep='\\n')"
    root = Path(__file__).parents[1]
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(modules.split(", ")) <= set(loaded)
    assert not HEAVY & set(loaded)


def test_every_pinned_release_runs_on_the_oldest_python():
    """Debian's Python 3.11.2 once refused a pin that asked for 3.11.5."""
    pinned = [d for d in distributions() if d.name != "kalahlab"]
    refused = {
        d.name: needed
        for d in pinned
        if "Requires-Python" in d.metadata
        and not SpecifierSet(needed := d.metadata["Requires-Python"]).contains("3.11.0")
    }
    assert len(pinned) > 100
    assert not refused
