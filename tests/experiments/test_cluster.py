"""A dask cluster that is missing or lost, or whose workers have no files of the user."""

import json
import subprocess
import sys
from concurrent.futures import wait
from pathlib import Path
from threading import Event

import click
import dask
import distributed  # which adds its settings to dask's
import pytest
from conftest import without_measurements

from kalahlab.cli import options
from kalahlab.parallel import read_rows


@pytest.fixture
def scheduler(tmp_path):
    file = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
    command += ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not file.exists() or not file.read_text().endswith("}"):
        assert process.poll() is None
        Event().wait(0.01)
    yield process, json.loads(file.read_text())["address"]
    process.kill()
    process.communicate()


def test_a_lost_scheduler_is_reported(scheduler, monkeypatch):
    process, address = scheduler
    monkeypatch.setattr(sys, "argv", ["kalahlab", "solve", "<1,0,0,1,1>"])

    def lose_it():
        with options.cluster(address, Path("led")) as executor:
            future = executor.submit(abs, -1)  # there is no worker
            process.kill()
            wait([future])
            future.result()

    brief = dask.config.set({f"{distributed.__name__}.comm.timeouts.connect": "1s"})
    with brief, pytest.raises(click.ClickException) as error:
        lose_it()
    assert error.value.message == (
        f"lost the scheduler at {address}; led has the finished results; "
        "resume with: kalahlab solve '<1,0,0,1,1>'"
    )


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Yield the address of a cluster whose worker runs in a folder without the user's files."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    how = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**how, processes=True) as cluster:
        (tmp_path / "mine").mkdir()
        monkeypatch.chdir(tmp_path / "mine")
        monkeypatch.setattr("kalahlab.names.IMPORTED", {})
        monkeypatch.setattr("kalahlab.user_code.UserModules.folders", [])
        yield cluster.scheduler_address


FILES = {
    "mine.py": "from scale import FACTOR\n"
    "def mobility(board, player):\n"
    "    half = len(board) // 2\n"
    "    value = FACTOR * (board[half - 1] - board[-1])\n"
    "    return value if player == 0 else -value\n",
    "scale.py": "FACTOR = 2\n",
    "late.py": "def value(board, player):\n"
    "    from pack.parts import sign\n"
    "    return sign(player) * (board[len(board) // 2 - 1] - board[-1])\n",
    "pack/__init__.py": "",
    "pack/parts.py": "def sign(player):\n    return 1 - 2 * player\n",
    "unsent.py": "import threading\nLOCK = threading.Lock()\n"
    "def value(board, player):\n    with LOCK:\n        return 0\n",
    "plain.py": "from kalahlab.search.model import Line\n"
    "from kalahlab.search.tree import observable, searcher\n"
    "@searcher\ndef plain(tree):\n    return visit(tree, tree.root)\n"
    "@observable\ndef visit(tree, node):\n"
    "    if tree.deep_enough(node):\n        return Line(tree.static(node))\n"
    "    lines = [(child, visit(tree, child)) for child in tree.successors(node)]\n"
    "    child, best = (max if node.maximizing else min)(lines, key=lambda pair: pair[1].value)\n"
    "    return Line(best.value, (child.move, *best.path))\n",
    "games.toml": "algorithms = ['alpha_beta']\nevaluators = ['e1']\ndepths = [1, 2]\n"
    "pits = 3\nstones = 2\n",
}


def test_a_users_code_reaches_the_workers_of_a_cluster(elsewhere, run, tmp_path):
    """Test that the rows, with the digest of the code, are those of a local run.

    The next run sends the code again.
    """
    for name, text in FILES.items():
        (tmp_path / "mine" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "mine" / name).write_text(text)
    user_code = (
        "--evaluator",
        "mine.mobility",
        "--evaluator",
        "late.value",
        "--algorithm",
        "plain.plain",
    )
    grid = ("grid", "games.toml", *user_code)
    for name, words in {"there": ("--scheduler", elsewhere), "here": ()}.items():
        status, out, err = run(*grid, "--out", name, *words)
        assert (status, "failed" in out) == (0, False), out + err
    rows_there, rows_here = (
        read_rows(tmp_path / "mine" / name / "rows.jsonl") for name in ("there", "here")
    )
    assert without_measurements(rows_there) == without_measurements(rows_here)
    assert {row["error"] for row in rows_there} == {None}
    assert [row["code"] for row in rows_there] == [row["code"] for row in rows_here]
    status, out, err = run("grid", "games.toml", "--evaluator", "unsent.value", "--out", "no",
                           "--scheduler", elsewhere)  # fmt: skip
    assert (status, out) == (2, "")
    assert "unsent.value cannot be sent to other machines: TypeError: cannot pickle" in err
    assert not [*(tmp_path / "mine" / "no").glob("points/*")]
