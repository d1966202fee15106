"""The memory that may be taken: limits of control groups and of `ulimit -v`."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from kalahlab.engine import memory
from kalahlab.engine.memory import available_bytes
from kalahlab.engine.solver import plan

UNLIMITED = 2**63 - 4096
"""What cgroups v1 say where there is no limit."""


def groups(root, lines, files):
    """Lay out the files in which Linux says what the control groups of a process are."""
    for name, text in {"proc/self/cgroup": lines, **files}.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n")


def v1(limit, used, cached=0):
    """A group's files by cgroups v1."""
    stat = f"inactive_file 5\ntotal_inactive_file {cached}"
    return {"limit_in_bytes": limit, "usage_in_bytes": used, "stat": stat}


def v2(limit, used, cached=0):
    """A group's files by cgroups v2."""
    return {"max": limit, "current": used, "stat": f"anon 5\ninactive_file {cached}"}


CASES = {
    "none": (None, {}, None),
    "v2, no limit": ("0::/a", {"a": v2("max", 10)}, None),
    "v2": ("0::/a", {"a": v2(1000, 300, 50)}, 750),
    "v2, a container, which sees its group as the root": ("0::/", {"": v2(900, 300)}, 600),
    "v2, nested: the inner one is tighter": (
        "0::/a/b",
        {"a": v2(1000, 300), "a/b": v2(500, 200)},
        300,
    ),
    "v2, nested: the outer one is tighter": (
        "0::/a/b/c",
        {"a": v2(1000, 950), "a/b": v2("max", 200), "a/b/c": v2(500, 200)},
        50,
    ),
    "v2, over its limit": ("0::/a", {"a": v2(100, 300)}, 0),
    "v1": ("4:memory:/a\n0::/", {"memory/a": v1(1000, 300, 70)}, 770),
    "v1, nested": (
        "3:cpu:/x\n4:memory:/a/b",
        {"memory": v1(UNLIMITED, 9), "memory/a": v1(800, 300), "memory/a/b": v1(UNLIMITED, 1)},
        500,
    ),
    "v1, a container, which has its group mounted as the root": (
        "4:memory:/docker/0123",
        {"memory": v1(640, 40)},
        600,
    ),
    "v1, controllers mounted together": (
        "4:cpu,memory:/a",
        {"cpu,memory/a": v1(1000, 100)},
        900,
    ),
    "v1, another controller": ("4:cpu:/a", {"memory/a": v1(10, 1)}, None),
}


@pytest.mark.parametrize(("lines", "tree", "left"), CASES.values(), ids=CASES)
def test_limits_of_control_groups_are_seen(tmp_path, lines, tree, left):
    files = {
        str(Path("sys/fs/cgroup", group, f"memory.{name}")): value
        for group, each in tree.items()
        for name, value in each.items()
    }
    if lines is not None:
        groups(tmp_path, lines, files)
    if left is None:
        assert available_bytes(tmp_path) > 10**6
    else:
        assert available_bytes(tmp_path) == left


def limited(code, bytes_):
    """What Python prints with so many bytes of address space."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_))

    return subprocess.run(
        [sys.executable, "-c", code],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(memory.__file__).parents[2])},
    )


def test_a_limit_of_the_address_space_is_seen():
    code = "from kalahlab.engine.memory import available_bytes; print(available_bytes())"
    done = limited(code, 3 * 10**8)
    assert 0 < int(done.stdout) < 3 * 10**8


def test_too_little_address_space_is_one_line():
    done = limited(
        "import sys; from kalahlab.cli import main; sys.argv[1:] = "
        "['solve', '--pits', '3', '--stones', '3']; main()",
        400_000 * 1024,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "`ulimit -v` leaves" in done.stderr
    assert "700 MB" in done.stderr


def test_a_solve_that_asks_for_more_than_is_free_is_refused(run, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(plan, "available_bytes", lambda: 10**10)
    words = ("solve", "--pits", "6", "--stones", "4", "--memory", "100GB", "--table", "60GB")
    status, out, err = run(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "10 GB are free; use --memory 9000MB or less" in err
    assert not list(tmp_path.iterdir())
