"""The memory that may be taken: limits of control groups and of `ulimit -v`."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import jsonl

from kalahlab import memory
from kalahlab.memory import available_bytes
from kalahlab.solver import plan

GROUPS = Path(__file__).with_name("groups.jsonl")


@pytest.mark.parametrize(("case", "lines", "groups", "expected"), jsonl(GROUPS))
def test_limits_of_control_groups_count(tmp_path, case, lines, groups, expected):
    files = {"proc/self/cgroup": lines} if lines else {}
    for place, (limit, taken, cached) in groups.items():
        texts = {"max": limit, "current": taken, "stat": f"anon 5\ninactive_file {cached}"}
        for name, text in texts.items():
            files[f"sys/fs/cgroup/{place}/memory.{name}"] = text
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n")
    available = available_bytes(tmp_path)
    if expected is None:
        assert available > 10**6, case
    else:
        assert available == expected, case


def run_limited(code, bytes_):
    """Run code in Python with a limit of the address space, in bytes."""
    return subprocess.run(
        [sys.executable, "-c", code],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_)),
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(memory.__file__).parents[1])},
    )


def test_a_limit_of_the_address_space_counts_and_too_little_is_a_message_of_one_line():
    code = "from kalahlab.memory import available_bytes; print(available_bytes())"
    assert 0 < int(run_limited(code, 3 * 10**8).stdout) < 3 * 10**8
    process = run_limited(
        "import sys; from kalahlab.cli import main; sys.argv[1:] = "
        "['solve', '--pits', '3', '--stones', '3']; main()",
        400_000 * 1024,
    )
    assert (process.returncode, process.stdout, process.stderr.count("\n")) == (1, "", 1)
    assert "`ulimit -v` leaves" in process.stderr
    assert "700 MB" in process.stderr


def test_a_solve_that_asks_for_more_than_is_free_is_refused(run, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(plan, "available_bytes", lambda: 10**10)
    words = ("solve", "--pits", "6", "--stones", "4", "--memory", "100GB", "--table", "60GB")
    status, out, err = run(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "10 GB are free; use --memory 9000MB or less" in err
    assert not list(tmp_path.iterdir())
