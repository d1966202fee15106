"""What all tests share: the outside oracles, the command line, and hypothesis without chance."""

import shutil
import subprocess
import sys
import tarfile
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


AXE = "axe-core@4.14.1"


@pytest.fixture(scope="session")
def axe(request: pytest.FixtureRequest) -> str:
    """axe-core from the npm registry, kept in pytest's cache; never part of the repository."""
    folder = request.config.cache.mkdir("axe-core") if request.config.cache else None
    if folder is None or not (npm := shutil.which("npm")):
        pytest.skip("axe-core needs npm, and pytest's cache to lie in")
    file = folder / f"{AXE}.js"
    if not file.exists():
        command = [npm, "pack", AXE, "--silent", "--pack-destination", str(folder)]
        try:
            packed = subprocess.run(
                command, capture_output=True, text=True, timeout=120, check=True
            )
        except subprocess.SubprocessError as error:
            pytest.skip(f"{AXE} could not be fetched: {error}")
        with tarfile.open(folder / packed.stdout.split()[-1]) as archive:
            found = archive.extractfile("package/axe.min.js")
            assert found
            file.write_bytes(found.read())
    return file.read_text(encoding="utf-8")
