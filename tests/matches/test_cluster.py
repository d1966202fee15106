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


TLS = [
    f"DASK_DISTRIBUTED__COMM__TLS__{each}" for each in ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
]
REFUSED = {
    "tls": (["--scheduler", "tls://127.0.0.1:1"], TLS),
    "a word": (["--scheduler", "here"], ["--scheduler here: "]),
    "another protocol": (["--scheduler", "foo://here:1"], ["--scheduler foo://here:1: "]),
    "many workers": (["--workers", "5000", "--scheduler", "here"], ["--scheduler here: "]),
}


@pytest.mark.parametrize(("words", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_with_a_scheduler_is_named(run, words, said):
    """A cluster may have more workers than this machine."""
    status, out, err = run("solve", "<1,0,0,1,1>", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert all(each in err for each in said)


@pytest.mark.parametrize(
    "words",
    [
        "solve --pits 3 --stones 2",
        "match random:1 random:2",
        "tournament random:1 random:2",
        "grid grid.toml --out out",
        "review -",
    ],
)
def test_too_many_workers_are_refused(run, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grid.toml").touch()
    status, out, err = run(*words.split(), "--workers", "1000000000")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "workers are 1000000000; use " in err
    assert "cores" in err
