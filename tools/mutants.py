"""Check that the tests catch the planted faults of tests/mutants.toml.

    python tools/mutants.py [TEXT ...]

Each fault changes one line of a copy of the checkout. A fault is caught if one of its tests fails.
With texts, only the faults of files whose path contains one of them are planted. Prints a row for
each fault, and exits with 1 if one is not caught. All of them take an hour of processor time.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parents[1]
TIMEOUT_S = 300  # a fault may cause an endless loop; then it counts as caught
PYTEST = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "-p", "no:cacheprovider"]


def copy_checkout(folder: Path) -> None:
    """Copy the files that git knows, with their changes, into a folder."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    for name in listed.stdout.decode().rstrip("\0").split("\0"):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)


def run_tests(folder: Path, tests: list[str]) -> str:
    """Run tests in a folder; return the test that fails first, or "" if all pass."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    try:
        ended = subprocess.run(
            [*PYTEST, *tests],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        return f"no end within {TIMEOUT_S} s"
    if ended.returncode == 0:
        return ""
    if ended.returncode not in (1, 2):  # 2: a module of tests does not even import
        raise RuntimeError(f"pytest could not run {tests}:\n{ended.stdout}{ended.stderr}")
    failed = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0] if failed else "pytest ended without a summary"


def plant(file: Path, fault: dict[str, Any]) -> str:
    """Write a fault into a file; return what the file contained before."""
    before = file.read_text(encoding="utf-8")
    if before.count(fault["old"]) != 1:
        count = before.count(fault["old"])
        raise ValueError(f"{fault['file']} has {fault['old']!r} {count} times; give a longer text")
    file.write_text(before.replace(fault["old"], fault["new"]), encoding="utf-8")
    return before


def main(texts: list[str]) -> int:
    faults = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text(encoding="utf-8"))["fault"]
    chosen = [fault for fault in faults if not texts or any(t in fault["file"] for t in texts)]
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_checkout(folder)
        for fault in chosen:
            file = folder / fault["file"]
            before = plant(file, fault)
            start = perf_counter()
            caught_by = run_tests(folder, fault["tests"])
            file.write_text(before, encoding="utf-8")
            if not caught_by:
                missed += 1
            place = f"{fault['file']}: {fault['old']} > {fault['new']}"
            seconds = perf_counter() - start
            print(f"{seconds:5.0f} s  {place}\n         {caught_by or 'NOT CAUGHT'}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} faults are caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
