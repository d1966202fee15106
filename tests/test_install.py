"""A new machine gets what it needs or a message, and all that is installed is pinned."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from importlib.metadata import packages_distributions
from io import BytesIO
from itertools import chain
from pathlib import Path

import pytest
from conftest import RUN_COMMANDS

from kalahlab import npm
from kalahlab.report import browser

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
REQUIREMENT = re.compile(
    r"([\w.-]+)(?:\[.+\])?==(\S+)(?: ; .*)? \\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)"
)


def program(folder, name, script):
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / name).chmod(0o755)
    return folder / name


def normalize_name(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def load_pins(name):
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    _, options, text = text.partition("--only-binary :all:\n\n")
    assert options
    assert REQUIREMENT.sub("", text) == ""
    pins = {}
    for match in REQUIREMENT.finditer(text):
        name, version, hashes = match.groups()
        pins[normalize_name(name)] = (version, hashes)
    return pins


def test_all_that_is_installed_is_pinned_by_hash_and_alike_in_both_files():
    report, everything = load_pins("report"), load_pins("all")
    assert report.items() <= everything.items()
    assert load_pins("uv").keys() == {"uv"}
    extras = PROJECT["project"]["optional-dependencies"]
    names = [*PROJECT["project"]["dependencies"], *extras["install"]]
    for pinned in (report, everything):
        assert {*map(normalize_name, names)} <= pinned.keys()
        names += [name for name in chain(*extras.values()) if "[" not in name]
    [backend] = PROJECT["build-system"]["requires"]
    assert backend == f"hatchling=={report['hatchling'][0]}"


def test_the_report_installs_what_its_notebooks_and_the_package_import():
    files = [*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "kalahlab").rglob("*.py")]
    text = "\n".join(file.read_text("utf-8") for file in files)
    modules = re.findall(r'(?m)^\s*"?(?:from|import) (\w+)', text)
    distributions = packages_distributions()
    names = chain(*(distributions.get(module, ()) for module in modules))
    needed = {normalize_name(name) for name in names}
    assert needed > {"scikit-learn", "distributed"}
    extras = PROJECT["project"]["optional-dependencies"]
    names = chain(*(extras[extra] for extra in ("cluster", "openspiel", "parquet", "print")))
    optional = {"kalahlab", "dask", *names}
    assert needed - load_pins("report").keys() <= optional


def test_the_javascript_tools_are_pinned_by_hash_and_from_no_registry_of_ours():
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    versions = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert lock.pop("")["devDependencies"] == versions
    assert versions == {name: lock[f"node_modules/{name}"]["version"] for name in versions}
    assert all(package["integrity"].startswith("sha512-") for package in lock.values())
    assert not any("resolved" in package for package in lock.values())


# A script that fails like a Python that lacks something, and words of the message about it.
LACKING = [
    ("exit 127", "does not start; on Debian: apt install python3 python3-venv"),
    ('case "$2" in *hexversion*) exit 1;; esac', "is older than 3.11; name a newer one"),
    ('case "$2" in *ensurepip*) exit 1;; esac', "has no venv; on Debian: apt install python3-venv"),
]


@pytest.mark.parametrize(("script", "message"), LACKING)
def test_a_missing_part_of_python_is_reported_before_anything_starts(script, message, tmp_path):
    python = program(tmp_path, "python", script)
    make = ["make", "-f", str(ROOT / "Makefile"), f"PYTHON={python}", "test"]
    # Without these it would be a part of the make that runs the tests.
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    for name in ("pyproject.toml", "requirements"):
        (tmp_path / name).symlink_to(ROOT / name)
    result = subprocess.run(
        make, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{python} {message}")
    assert not (tmp_path / ".venv").exists()


def test_ci_runs_in_an_emptied_environment(tmp_path):
    program(tmp_path, "make", 'echo "$@"; env')
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    allowed = {"HOME": "h", "PATH": path, "PIP_CERT": "of pip", "npm_config_cafile": "of npm"}
    allowed |= {"HTTPS_PROXY": "p", "SSL_CERT_FILE": "s"}
    removed = {"PYTHONPATH": "x", "KALAHLAB_BROWSER": "x", "DISPLAY": ":0", "MYPATH": "x"}
    command = [str(ROOT / ".ci" / "run")]
    result = subprocess.run(
        command, env=allowed | removed, capture_output=True, text=True, check=True
    )
    target, *lines = result.stdout.splitlines()
    assert target == "test"
    assert allowed.items() <= dict(line.split("=", 1) for line in lines).items()
    assert not [line for line in lines if line.startswith(tuple(removed))]


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """Set up a machine without a browser; return the folder where one would be installed."""
    (tmp_path / "bin").mkdir()
    for name in ("sh", "dirname", "readlink", "cat"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or "")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("KALAHLAB_BROWSER", raising=False)
    monkeypatch.setattr(browser, "FOLDER", tmp_path / "kept")
    return tmp_path / "kept"


def test_the_browser_is_the_one_named_else_on_the_path_else_fetched(nowhere, tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=r"no Chromium or Chrome; .*python.* -m .*\.browser`"):
        browser.find_browser()
    folder = nowhere / "chrome_headless_shell-1" / "chrome-headless-shell-mac"
    folder.mkdir(parents=True)
    assert str(program(folder, "headless_shell", "")) == browser.find_browser()
    for name in reversed(browser.NAMES):
        assert str(program(tmp_path / "bin", name, "")) == browser.find_browser()
    program_file = program(tmp_path, "mine", "")
    monkeypatch.setenv("KALAHLAB_BROWSER", str(program_file))
    assert browser.find_browser() == str(program_file)
    monkeypatch.setenv("KALAHLAB_BROWSER", "no-such-browser")
    with pytest.raises(ValueError, match="no browser 'no-such-browser'"):
        browser.find_browser()


def brotli(data):
    code = "process.stdout.write(zlib.brotliCompressSync(fs.readFileSync(0)))"
    words = [npm.node() or "", "-e", code]
    return subprocess.run(words, input=data, capture_output=True, check=True).stdout


def tar(files):
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, BytesIO(data))
    return packed.getvalue()


def test_a_browser_is_fetched_once_checked_and_started_with_its_libraries(
    nowhere, tmp_path, monkeypatch, capfd
):
    chromium = b'#!/bin/sh\necho "$@ with $LD_LIBRARY_PATH"; cat "$LD_LIBRARY_PATH/libnss3.so"\n'
    files = {
        "package/bin/chromium.br": brotli(chromium),
        "package/bin/al2023.tar.br": brotli(tar({"lib/libnss3.so": b"a library"})),
        "package/bin/fonts.tar.br": brotli(tar({"fonts/sans.ttf": b"a font"})),
    }
    packed = tmp_path / "kept.tgz"
    packed.write_bytes(tar(files))
    program(tmp_path / "bin", "npm", f"echo fetching >&2; cat {packed} >it.tgz")
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")

    with pytest.raises(
        SystemExit, match=r"no Chromium could be fetched: the \S+ that npm fetched does not have"
    ):
        browser.main()
    assert not nowhere.exists()
    assert "no Chromium on the path: fetching one into" in capfd.readouterr().err

    monkeypatch.setattr(browser, "SHA256", hashlib.sha256(packed.read_bytes()).hexdigest())
    browser.main()
    assert f"--version with {nowhere / 'lib'}\na library" in capfd.readouterr().out
    assert browser.find_browser() == str(nowhere / "headless-shell")
    assert f"<dir>{nowhere / 'fonts'}</dir>" in (nowhere / "fonts.conf").read_text()
    assert [*tmp_path.glob(".kept-*")] == []

    browser.main()
    assert capfd.readouterr() == ("", "")


def test_other_machines_ask_playwright_for_a_browser(nowhere, monkeypatch):
    commands = []

    def run(words, check, env=None):
        commands.append(words)
        if env:
            assert env["PLAYWRIGHT_BROWSERS_PATH"] == str(nowhere)
            nowhere.mkdir()
            program(nowhere, "headless_shell", "")

    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.setattr("subprocess.run", run)
    browser.main()
    install = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    assert commands == [install, [str(nowhere / "headless_shell"), "--version"]]


def test_without_npm_the_error_names_the_requirements(nowhere, tmp_path, monkeypatch):
    monkeypatch.setattr(npm, "BESIDE", str(tmp_path))
    with pytest.raises(OSError, match="npm is missing"):
        npm.fetch("pyodide@1", "")
    with pytest.raises(OSError, match="node is missing"):
        npm.unbrotli(b"")


# The package needs nothing that only Unix has: it sees modules without these parts.


WINDOWS = '''
"""Imported at the start of each process: what our modules import is what Windows has."""
import builtins
import os
import signal
import sys
import types

imported = builtins.__import__
NOT_THERE = {"fcntl", "grp", "posix", "pwd", "resource", "select", "syslog", "termios", "tty"}
LACKS = {
    "os": """fork forkpty fchmod fchown geteuid getuid getgid getpgid getppgid killpg mkfifo nice
        posix_fadvise posix_fallocate posix_spawn sched_getaffinity setsid statvfs sysconf uname
        wait4 waitid""".split(),
    "signal": """SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1
        SIGUSR2 alarm pause pthread_kill pthread_sigmask setitimer siginterrupt sigwait""".split(),
}
REDUCED = {}
for name, lacks in LACKS.items():
    module = sys.modules[name]
    REDUCED[name] = types.ModuleType(name)
    there = {key: getattr(module, key) for key in dir(module) if key not in lacks}
    REDUCED[name].__dict__.update(there)


def import_as_there(name, globals=None, locals=None, fromlist=(), level=0):
    if str((globals or {}).get("__name__")).startswith("kalahlab"):
        if name in NOT_THERE:
            raise ImportError(f"no module named {name}")
        if name in REDUCED:
            return REDUCED[name]
    return imported(name, globals, locals, fromlist, level)


builtins.__import__ = import_as_there
'''
# The engine runs in another command: two workers would load it for seconds.
GRID = 'algorithms = ["alpha_beta"]\nevaluators = ["e1"]\ndepths = [1]\nopenings = 2\n'
GRID += 'backend = "textbook"\n'
WORKING = [
    "search <3,0,0,2,2,2,2,2,2> --depth 4 --backend engine",
    "play --south level1 --north random:1 --pits 3 --stones 2 --save game.txt",
    "grid grid.toml --out rows --workers 2",
    "explore <3,0,0,2,2,2,2,2,2> --depth 2 --out page.html",
    "report --only 00_definitions --profile tiny --out report",
]


@pytest.fixture(scope="module")
def windows(tmp_path_factory):
    """Make a folder, and the environment of processes in it that lack these parts."""
    folder = tmp_path_factory.mktemp("windows")
    (folder / "sitecustomize.py").write_text(WINDOWS, encoding="utf-8")
    (folder / "grid.toml").write_text(GRID, encoding="utf-8")
    path = os.pathsep.join([str(folder), str(ROOT)])
    # Without locks, other processes would remove the parts in there as leftovers.
    return folder, {"TMPDIR": str(folder), "PYTHONPATH": path}


def run_there(windows, *words):
    folder, env = windows
    env = os.environ | env
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=env, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def results(windows):
    """Run the commands in one process; return what each gave, and the errors of its processes."""
    result = run_there(windows, "-c", RUN_COMMANDS, json.dumps(WORKING))
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout), result.stderr


# Slow, because workers and kernels are new processes.
@pytest.mark.parametrize("line", WORKING)
def test_a_command_works_without_the_parts_that_only_unix_has(line, results):
    of_commands, of_processes = results
    status, _, message = of_commands[line]
    message += of_processes
    match = re.search("(Attribute|Import|ModuleNotFound|OS)Error", message)
    assert (status, match) == (0, None), message  # a kernel that ends may say more


def test_the_removed_parts_are_really_missing(windows):
    (windows[0] / "kalahlab_probe.py").write_text("import os\nos.fork()\n", encoding="utf-8")
    result = run_there(windows, "-c", "import kalahlab_probe")
    assert "AttributeError: module 'os' has no attribute 'fork'" in result.stderr


@pytest.mark.parametrize("target", ["pdf", "site"])
@pytest.mark.parametrize("is_built", [True, False])
def test_an_existing_report_is_not_built_again_to_be_printed(tmp_path, target, is_built):
    for file in ("requirements/report.txt", "requirements/all.txt", "pyproject.toml"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    (tmp_path / "first").mkdir()
    if is_built:
        (tmp_path / "first" / "index.html").touch()
    words = ["make", "-n", "-f", str(ROOT / "Makefile"), target, "OUT=first", "PROFILE=full"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    result = subprocess.run(
        words, cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    lines = result.stdout.splitlines()
    report = [line for line in lines if "kalahlab report" in line]
    expected = [] if is_built else [".venv/bin/kalahlab report --profile full --out first"]
    assert report == expected
    assert [line for line in lines if f"kalahlab {target} --report first" in line]
