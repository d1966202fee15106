"""The memory that may be taken: limits of control groups and of `ulimit -v`."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from kalahlab.engine import memory
from kalahlab.engine.memory import available_bytes
from kalahlab.engine.solver import plan


def group(limit, used, cached=0):
    """A group's files."""
    return {"max": limit, "current": used, "stat": f"anon 5\ninactive_file {cached}"}


CASES = {
    "none": (None, {}, None),
    "no limit": ("0::/a", {"a": group("max", 10)}, None),
    "limited": ("0::/a", {"a": group(1000, 300, 50)}, 750),
    "a container, which sees its group as the root": ("0::/", {"": group(900, 300)}, 600),
    "nested: the inner one is tighter": (
        "0::/a/b",
        {"a": group(1000, 300), "a/b": group(500, 200)},
        300,
    ),
    "nested: the outer one is tighter": (
        "0::/a/b/c",
        {"a": group(1000, 950), "a/b": group("max", 200), "a/b/c": group(500, 200)},
        50,
    ),
    "over its limit": ("0::/a", {"a": group(100, 300)}, 0),
}


@pytest.mark.parametrize(("lines", "tree", "left"), CASES.values(), ids=CASES)
def test_limits_of_control_groups_are_seen(tmp_path, lines, tree, left):
    files = {
        str(Path("sys/fs/cgroup", place, f"memory.{name}")): value
        for place, each in tree.items()
        for name, value in each.items()
    }
    for name, text in {"proc/self/cgroup": lines, **files}.items() if lines else ():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n")
    found = available_bytes(tmp_path)
    assert found > 10**6 if left is None else found == left


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
