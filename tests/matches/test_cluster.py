"""A dask cluster that is not there, or is lost."""

import json
import subprocess
import sys
from concurrent.futures import wait
from pathlib import Path

import click
import dask
import distributed  # which adds its settings to dask's
import pytest

from kalahlab.cli import parameters


@pytest.fixture
def scheduler(tmp_path):
    """A scheduler's process and its address."""
    file = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
    command += ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not file.exists() or not file.read_text().endswith("}"):
        assert process.poll() is None
    yield process, json.loads(file.read_text())["address"]
    process.kill()
    process.communicate()


def test_a_lost_scheduler_is_told(scheduler, monkeypatch):
    process, address = scheduler
    monkeypatch.setattr(sys, "argv", ["kalahlab", "solve", "<1,0,0,1,1>"])

    def lose_it():
        with parameters.cluster(address, Path("led")) as executor:
            future = executor.submit(abs, -1)  # there is no worker
            process.kill()
            wait([future])
            future.result()

    brief = dask.config.set({f"{distributed.__name__}.comm.timeouts.connect": "1s"})
    with brief, pytest.raises(click.ClickException) as told:
        lose_it()
    assert told.value.message == (
        f"the scheduler at {address} is lost; led keeps what was finished; "
        "go on with: kalahlab solve '<1,0,0,1,1>'"
    )


def test_a_scheduler_by_tls_needs_its_files_named(run):
    words = ("solve", "<1,0,0,1,1>", "--scheduler", "tls://127.0.0.1:1")
    status, out, err = run(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    for name in ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY"):
        assert f"DASK_DISTRIBUTED__COMM__TLS__{name}" in err


@pytest.mark.parametrize("address", ["here", "foo://here:1"])
def test_a_bad_address_of_a_scheduler_is_named(run, address):
    status, out, err = run("solve", "<1,0,0,1,1>", "--scheduler", address)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"--scheduler {address}: " in err


WORKERS = {
    "solve": ["--pits", "3", "--stones", "2"],
    "match": ["random:1", "random:2"],
    "tournament": ["random:1", "random:2"],
    "grid": ["grid.toml", "--out", "out"],
    "review": ["-"],
}


@pytest.mark.parametrize("command", WORKERS)
def test_too_many_workers_are_refused(run, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grid.toml").touch()
    status, out, err = run(command, *WORKERS[command], "--workers", "1000000000")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "workers are 1000000000; use " in err
    assert "cores" in err


def test_a_cluster_may_have_more_workers_than_this_machine(run):
    words = ("solve", "<1,0,0,1,1>", "--workers", "5000", "--scheduler", "here")
    assert "--scheduler here: " in run(*words)[2]
