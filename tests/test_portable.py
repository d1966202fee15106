"""Nothing that only Unix has is needed: the package sees modules from which it is taken away."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
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
GRID = """
algorithms = ["alpha_beta"]
evaluators = ["e1"]
depths = [1]
rules = ["standard"]
openings = 2
backend = "textbook"
"""


@pytest.fixture
def windows(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(WINDOWS, encoding="utf-8")
    (tmp_path / "grid.toml").write_text(GRID, encoding="utf-8")
    # Others would take what stands there without a lock for left over.
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        "search <3,0,0,2,2,2,2,2,2> --depth 4 --backend engine",
        "play --south level1 --north random:1 --pits 3 --stones 2 --save game.txt",
        "grid grid.toml --out rows --workers 2",
        "explore <3,0,0,2,2,2,2,2,2> --depth 2 --out page.html",
        "report --only 01_rules --profile tiny --out report",
    ],
)
def test_a_command_works_without_what_only_unix_has(line, windows):
    command = [sys.executable, "-m", "kalahlab", *line.split()]
    ran = subprocess.run(command, cwd=windows, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr.count("Error")) == (0, 0), ran.stderr


def test_what_is_taken_away_is_missed(windows):
    (windows / "kalahlab_probe.py").write_text("import os\nos.fork()\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", "import kalahlab_probe"], cwd=windows, capture_output=True, text=True
    )
    assert "AttributeError: module 'os' has no attribute 'fork'" in ran.stderr
