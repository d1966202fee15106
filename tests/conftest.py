"""What all tests share: the outside oracles, the command line, and hypothesis without chance."""

import sys
from pathlib import Path

import pytest
from hypothesis import settings

from kalahlab import cli

settings.register_profile("kalahlab", derandomize=True, deadline=None, max_examples=150)
settings.load_profile("kalahlab")

ORACLES = Path(__file__).resolve().parents[2] / "shared" / "oracles"


@pytest.fixture(scope="session")
def oracles() -> Path:
    """The folder of cases that others computed. They are read where they lie, never copied."""
    if not ORACLES.is_dir():
        pytest.skip(f"the outside oracles are not at {ORACLES}")
    return ORACLES


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command line in this process: (status, stdout, stderr)."""

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["kalahlab", *words])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        captured = capsys.readouterr()
        return int(stop.value.code or 0), captured.out, captured.err

    return run
