"""What all tests share: the outside oracles, and hypothesis without chance or clock."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("kalahlab", derandomize=True, deadline=None, max_examples=150)
settings.load_profile("kalahlab")

ORACLES = Path(__file__).resolve().parents[2] / "shared" / "oracles"


@pytest.fixture(scope="session")
def oracles() -> Path:
    """The folder of cases that others computed. They are read where they lie, never copied."""
    if not ORACLES.is_dir():
        pytest.skip(f"the outside oracles are not at {ORACLES}")
    return ORACLES
