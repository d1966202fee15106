"""What importing kalahlab does not load: whoever only searches waits for no plotting library."""

from importlib.metadata import distributions

import pytest
from conftest import printed
from packaging.specifiers import SpecifierSet

HEAVY = {"matplotlib", "numba", "numpy", "pandas"}
ROOMS = "kalahlab.search, kalahlab.trace, kalahlab.play, kalahlab.experiments"


@pytest.mark.parametrize("modules", ["kalahlab", ROOMS])
def test_importing_loads_nothing_heavy(modules):
    loaded = {*printed(f"import {modules}, sys; print(*sys.modules)").split()}
    assert {*modules.split(", ")} <= loaded
    assert not HEAVY & loaded


def test_every_pinned_release_runs_on_the_oldest_python():
    """Debian's Python 3.11.2 once refused a pin that asked for 3.11.5."""
    pinned = {d.name: d.metadata.get("Requires-Python", "") for d in distributions()}
    refused = {name for name, needed in pinned.items() if "3.11.0" not in SpecifierSet(needed)}
    assert len(pinned) > 100
    assert not refused
