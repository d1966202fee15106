"""What all tests share: outside oracles, the command line, a browser, hypothesis without chance."""

import csv
import gc
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import HealthCheck, settings
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from ui import show as show  # a fixture

import kalahlab
from kalahlab import cli
from kalahlab.experiments import MEASURED
from kalahlab.grid import Row
from kalahlab.report.browser import driven
from kalahlab.report.run import private_kernel

# No test may depend on how fast the machine is.
settings.register_profile(
    "kalahlab",
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("kalahlab")
PATIENCE = 120_000
"""Milliseconds that a browser waits for what it is to show, beside other tests."""
expect.set_options(timeout=PATIENCE)

# What a shell runs in the background ignores Ctrl-C, which some tests press.
signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = "engine explorer_browser report_build board_browser live tiny search grid solver cards"
"""Of which modules the tests take longest. They come first, so that all workers end together."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    rank = {f"test_{name}.py": place for place, name in enumerate(LONGEST.split())}
    items.sort(key=lambda item: rank.get(item.path.name, len(rank)))


def pytest_collection_finish() -> None:
    """What is imported stays: without looking through it for garbage, tests take a fifth less."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session")
def oracles() -> Path:
    """The folder of cases that others computed; its README has their sources."""
    return Path(__file__).parent / "oracles"


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the endgame databases of a module's tests are kept."""
    return tmp_path_factory.mktemp("databases")


def jsonl(file: Path) -> list[Any]:
    """The cases of an oracle that has one a line."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def cases(file: Path) -> pytest.MarkDecorator:
    """A test of each row of a CSV file, its columns the arguments."""
    with file.open(encoding="utf-8", newline="") as lines:
        names, *rows = csv.reader(lines)
    return pytest.mark.parametrize(names, rows)


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


@pytest.fixture
def figures() -> Iterator[None]:
    """Figures in the report's style, drawn in memory and closed afterwards."""
    import matplotlib.pyplot as plt

    from kalahlab.draw.style import use_style

    plt.switch_backend("agg")
    use_style()
    yield
    plt.close("all")


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core, which finds what is not accessible in a page that it is evaluated in."""
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def started(code: str, *words: str, **env: str) -> "subprocess.Popen[str]":
    """Python running the code in a process of its own, on this package; its pipes are text."""
    env = os.environ | {"PYTHONPATH": str(Path(kalahlab.__file__).parents[1])} | env
    command, pipe = [sys.executable, "-c", code, *words], subprocess.PIPE
    return subprocess.Popen(command, env=env, text=True, stdin=pipe, stdout=pipe)


def printed(code: str, *words: str, **env: str) -> str:
    """What such a process prints; it must end well."""
    with started(code, *words, **env) as process:
        out = process.communicate()[0]
    assert process.returncode == 0
    return out.strip()


def unmeasured(rows: list[Row]) -> list[Row]:
    """Rows of a grid or a match without what differs from run to run."""
    return [{name: row[name] for name in row if name not in (*MEASURED, "error")} for row in rows]


class Ticking:
    """A clock that goes on by a step at each reading."""

    def __init__(self, step: float = 1) -> None:
        self.read, self.step = 0, step

    def __call__(self) -> float:
        self.read += 1
        return (self.read - 1) * self.step


# The whole Chromium loads a page of its own into each new window, as long as it is not told
# otherwise. This list is instead of playwright's; of that one, it names what local pages need.
OFF = "PreloadTopChromeWebUI,PaintHolding,DestroyProfileOnBrowserClose"
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    f"--disable-features={OFF}",
]

REFUSED = "Content Security Policy"

Opener = Callable[..., AbstractContextManager[Page]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The Chromium that `make pdf` prints with; `make test` fetches one where there is none."""
    with driven(args=QUIET) as launched:
        new_context = launched.new_context

        def patient(**options: Any) -> BrowserContext:
            context = new_context(**options)
            context.set_default_timeout(PATIENCE)
            return context

        launched.new_context = patient
        yield launched


@pytest.fixture(scope="module")
def opened(browser: Browser) -> Opener:
    """Opens a page that may load files only, and must neither try more nor complain.

    strict: whether a complaint counts that a script was refused.
    """

    @contextmanager
    def opened(strict: bool = True, **options: Any) -> Iterator[Page]:
        context = browser.new_context(**options)
        page = context.new_page()
        elsewhere: list[str] = []
        complaints: list[str] = []

        def only_files(route: Route) -> None:
            if route.request.url.startswith(("file:", "data:", "blob:")):
                return route.continue_()
            elsewhere.append(route.request.url)
            return route.abort()

        page.route("**/*", only_files)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
        context.close()
        assert elsewhere == []
        assert [each for each in complaints if strict or REFUSED not in each] == []

    return opened


Lab = Callable[..., str]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """Starts JupyterLab as `make lab` does, on a notebook of the cells given: its address."""
    root = Path(__file__).resolve().parents[1]
    home = {"HOME": str(tmp_path), "JUPYTER_CONFIG_PATH": str(root / "app")}
    for name in ("SETTINGS", "WORKSPACES"):
        home[f"JUPYTERLAB_{name}_DIR"] = str(tmp_path / name)
    servers: list[subprocess.Popen[str]] = []

    def lab(*cells: str) -> str:
        notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(notebook, tmp_path / "try.ipynb")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = {
            "ServerApp.port": port,
            "ServerApp.root_dir": tmp_path,
            "IdentityProvider.token": "",
            "LabApp.extension_manager": "readonly",
        }
        words = ["--no-browser", "--allow-root", *(f"--{k}={v}" for k, v in options.items())]
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyter", "lab", *words],
            env=os.environ | home,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        servers.append(server)
        said = (re.search(r"http://127\.0\.0\.1:(\d+)/lab", line) for line in server.stderr or ())
        if not (address := next(filter(None, said), None)):
            pytest.fail("JupyterLab did not start")
        while server.poll() is None:  # it names its address just before it listens there
            there = ("127.0.0.1", int(address[1]))
            with suppress(ConnectionRefusedError), socket.create_connection(there):
                break
        return f"{address[0]}/tree/try.ipynb"

    with private_kernel(root):
        yield lab
        for server in servers:
            server.terminate()
            server.communicate()
