"""What all tests share: outside oracles, the command line, a browser, hypothesis without chance."""

import csv
import gc
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager, suppress
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import nbformat
import pytest
from hypothesis import HealthCheck, settings
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect, sync_playwright
from ui import show as show  # a fixture

import kalahlab
from kalahlab import cli, names
from kalahlab.experiments.settings import MEASURED
from kalahlab.judging.solved_positions import load_positions
from kalahlab.report.browser import launch_browser
from kalahlab.report.forked_kernels import can_serve, kernel_server
from kalahlab.report.run import private_kernel
from kalahlab.user_code import UserModules

# No test may depend on how fast the machine is.
settings.register_profile(
    "kalahlab",
    derandomize=True,
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
# Other examples in each run, and more: pytest --hypothesis-profile=thorough.
settings.register_profile(
    "thorough", settings.get_profile("kalahlab"), derandomize=False, max_examples=1000
)
settings.load_profile("kalahlab")
WARM = Path(__file__).parent / "warm"
PATIENCE = 120_000
"""Milliseconds that a browser waits for something to appear, while other tests run."""
expect.set_options(timeout=PATIENCE)

# A process in the background of a shell ignores Ctrl-C, which some tests press.
signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = """
search live explorer_browser tiny engine wrong_programs user_code documents report_pages grader
program_check grid growing classroom board_browser report_build solver growth_browser failures
failing_programs own_notebooks
"""
"""The modules whose tests take longest. They come first, so that all workers end together; the
first three compile nothing, while the process from which kernels are forked compiles the engine."""


def pytest_configure(config):
    """Fork the kernels of `pytest -n` from one process, so that they start at once."""
    stack = ExitStack()
    config.add_cleanup(stack.close)
    folder = Path(stack.enter_context(TemporaryDirectory()))
    place = folder / "socket"
    if config.getoption("numprocesses", None) and can_serve(place):
        stack.enter_context(kernel_server(place, dict(os.environ)))
        os.environ["WARM_KERNELS"] = str(place)
        paths = filter(None, [str(WARM), os.environ.get("PYTHONPATH")])
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)


@pytest.fixture(scope="session", autouse=True)
def share_server():
    """Let each report of `pytest -n` fork its kernels from that process, too.

    A report's own server would import the same again. `test_forked_kernels.py` tests such servers.
    """
    with pytest.MonkeyPatch.context() as patch:
        if "WARM_KERNELS" in os.environ:
            patch.setattr("kalahlab.report.run.can_serve", lambda place: False)
        yield


def pytest_collection_modifyitems(items):
    rank = {f"test_{name}.py": place for place, name in enumerate(LONGEST.split())}
    items.sort(key=lambda item: rank.get(item.path.name, len(rank)))


@pytest.hookimpl(tryfirst=True)
def pytest_collection():
    """Import all modules without garbage collection, which would take a fifth of the time."""
    gc.disable()


def pytest_collection_finish():
    """Exclude imported modules from garbage collection, which makes tests a fifth faster."""
    gc.enable()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def pytest_unconfigure():
    """Collect garbage once: pytest and Python then do it eight times, which took ten seconds."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def forget_user_code(tmp_path_factory):
    """Forget what a test imports from its folder: another test may have a module of that name."""
    latest = next(reversed(sys.modules))
    imported, folders = {*names.IMPORTED}, [*UserModules.folders]
    yield
    folder = str(tmp_path_factory.getbasetemp())
    for name in [*takewhile(lambda name: name != latest, reversed(sys.modules))]:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(folder):
            del sys.modules[name]
    for key in {*names.IMPORTED} - imported:
        del names.IMPORTED[key]
    UserModules.folders[:] = folders


@pytest.fixture(scope="session")
def oracles():
    return Path(__file__).parent / "oracles"


@pytest.fixture(scope="session")
def benchmark_sample():
    return load_positions()


@pytest.fixture(scope="session")
def benchmark_positions():
    return load_positions("benchmark.csv.gz")


@pytest.fixture(scope="module")
def databases(tmp_path_factory):
    """Make a folder for the endgame databases of a module's tests."""
    return tmp_path_factory.mktemp("databases")


@pytest.fixture(scope="module")
def small_tables():
    """Give each piece of a verification a small table, as emptying 64 MB takes longer than proofs.

    The size changes how many nodes a proof needs, but not what it proves.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kalahlab.solver.verify.TABLE_ENTRIES", 1 << 12)
        yield


def jsonl(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def cases(file):
    """Run a test for each row of a CSV file, whose columns are its arguments."""
    with file.open(encoding="utf-8", newline="") as lines:
        names, *rows = csv.reader(lines)
    return pytest.mark.parametrize(names, rows)


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command line in this process: (status, stdout, stderr)."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["kalahlab", *words])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        captured = capsys.readouterr()
        return int(stop.value.code or 0), captured.out, captured.err

    return run


@pytest.fixture
def figures():
    import matplotlib.pyplot as plt

    from kalahlab.report.style import use_style

    plt.switch_backend("agg")
    use_style()
    yield
    plt.close("all")


@pytest.fixture(scope="session")
def axe():
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


FORK_KERNELS = """
from kalahlab.report import run
run.can_serve = lambda place: False
"""
"""Code that lets the reports of a new process fork their kernels like those of `share_server`."""


def start_python(code, *words, **env):
    """Start a Python process that runs the code on this package; its pipes are text."""
    top = str(Path(kalahlab.__file__).parents[1])
    paths = filter(None, [top, os.environ.get("PYTHONPATH")])
    env = os.environ | {"PYTHONPATH": os.pathsep.join(paths)} | env
    command = [sys.executable, "-c", code, *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=env, text=True, stdin=pipe, stdout=pipe)


def run_python(code, *words, **env):
    """Return the output of a Python process, which must succeed."""
    with start_python(code, *words, **env) as process:
        out = process.communicate()[0]
    assert process.returncode == 0
    return out.strip()


RUN_COMMANDS = """
import io, json, shlex, sys
from contextlib import redirect_stderr, redirect_stdout
from kalahlab import cli, names

results = {}
for line in json.loads(sys.argv[1]):
    sys.argv = ["kalahlab", *shlex.split(line)]
    out, error = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(error):
        try:
            cli.main()
        except SystemExit as stop:
            results[line] = [stop.code or 0, out.getvalue(), error.getvalue()]
print(json.dumps(results))
"""


def run_commands(folder, lines, first="", **env):
    """Run commands in a folder, all in one process, because each import of the package takes time.

    `first` is run before this import. Return for each line: [status, stdout, stderr].
    """
    code = f"import os; os.chdir({str(folder)!r})\n{first}{RUN_COMMANDS}"
    return json.loads(run_python(code, json.dumps(lines), **env))


def without_measurements(rows):
    """Return rows of a grid or a match without the columns that differ from run to run."""
    names = (*MEASURED, "seconds_one", "seconds_other", "error")
    result = []
    for row in rows:
        result.append({name: value for name, value in row.items() if name not in names})
    return result


class Ticking:
    """A clock that advances by a step at each reading."""

    def __init__(self, step=1):
        self.read, self.step = 0, step

    def __call__(self):
        self.read += 1
        return (self.read - 1) * self.step


# Chromium loads its own page into each new window unless this is turned off. This list replaces
# that of playwright; it has those of its features that local pages need.
OFF = "PreloadTopChromeWebUI,PaintHolding,DestroyProfileOnBrowserClose"
QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
# Python in a page starts in two thirds of the time if its WebAssembly is compiled once only.
QUIET += [f"--disable-features={OFF}", "--js-flags=--liftoff-only"]


def pytest_addoption(parser):
    parser.addoption("--firefox", action="store_true", help="drive the Firefox of Playwright")


@contextmanager
def firefox():
    with sync_playwright() as playwright:
        yield playwright.firefox.launch()


@pytest.fixture(scope="module")
def browser(request):
    """Start the Chromium that `make pdf` uses; `make test` fetches one if there is none."""
    with (
        firefox() if request.config.getoption("firefox") else launch_browser(args=QUIET) as launched
    ):
        new_context = launched.new_context

        def patient(**options):
            context = new_context(**options)
            context.set_default_timeout(PATIENCE)
            return context

        launched.new_context = patient
        yield launched


@pytest.fixture(scope="module")
def open_page(browser, tmp_path_factory):
    """Return a context manager that opens a page, with some HTML, without a network.

    At its end no other address than those that begin as `allowed` must have been requested, and
    there must be no message of the console, except for those that `ignored` accepts.
    """

    @contextmanager
    def open_page(
        html="", allowed=("file:", "data:", "blob:"), ignored=lambda message: False, **options
    ):
        context = browser.new_context(**{"offline": True} | options)
        page = context.new_page()
        addresses, complaints = [], []
        page.on("request", lambda request: addresses.append(request.url))
        page.on("console", lambda message: ignored(message) or complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        if html:
            file = tmp_path_factory.mktemp("page") / "page.html"
            file.write_text(html, encoding="utf-8")
            page.goto(file.as_uri())
        yield page
        context.close()
        assert [address for address in addresses if not address.startswith(allowed)] == []
        assert complaints == []

    return open_page


@pytest.fixture
def lab(tmp_path, open_page):
    """Return a context manager that shows a notebook, all of it run, in a JupyterLab.

    The JupyterLab is started like `make lab` does.
    """
    root = Path(__file__).resolve().parents[1]
    env = os.environ | {"HOME": str(tmp_path), "JUPYTER_CONFIG_PATH": str(root / "app")}
    for name in ("SETTINGS", "WORKSPACES"):
        env[f"JUPYTERLAB_{name}_DIR"] = str(tmp_path / name)

    @contextmanager
    def lab(*cells):
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
        command = [sys.executable, "-m", "jupyter", "lab", *words]
        nowhere, home = subprocess.DEVNULL, f"http://127.0.0.1:{port}/"
        server = subprocess.Popen(command, env=env, stdout=nowhere, stderr=nowhere)
        try:
            while server.poll() is None:
                with suppress(OSError), urlopen(f"{home}api"):
                    break
            settings = {"offline": False, "viewport": {"width": 1400, "height": 1000}}
            settings["ignored"] = lambda message: message.type != "error"
            with open_page("", (home, "data:", "blob:"), **settings) as page:
                page.goto(f"{home}lab/tree/try.ipynb")
                page.get_by_text("| Idle").wait_for()  # cells that run before have no effect
                page.get_by_role("menuitem", name="Run", exact=True).click()
                page.locator(".lm-Menu-item[data-command='runmenu:run-all']").click()
                yield page
                assert page.get_by_text("Jupyter news").count() == 0
        finally:
            server.terminate()
            server.communicate()

    with private_kernel(root):
        yield lab
