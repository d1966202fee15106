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

from kalahlab.cli import options


@pytest.fixture
def scheduler(tmp_path):
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
        with options.cluster(address, Path("led")) as executor:
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
