"""What README.md promises, kept: its code runs, its commands work, its picture is ours."""

import json
import re
import shlex
from pathlib import Path

import pytest

from kalahlab.draw.tree_svg import tree_svg
from kalahlab.evaluators.kalah import store_difference
from kalahlab.experiments import read_grid
from kalahlab.games.kalah import Kalah
from kalahlab.search import Depth, alpha_beta
from kalahlab.trace import record

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = "".join(re.findall(r"```sh\n(.*?)```", README, re.DOTALL))


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_its_python_runs(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {"__name__": "readme"})


@pytest.mark.parametrize("line", re.findall(r"^kalahlab (?!report).*", SHELL, re.MULTILINE))
def test_its_commands_work(line, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    status, out, _ = run(*shlex.split(line)[1:])
    assert status == 0
    assert out


def test_its_grid_is_one(tmp_path):
    [text] = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    (tmp_path / "games.toml").write_text(text, encoding="utf-8")
    assert len(read_grid(tmp_path / "games.toml")) == 2 * 3 * 3 * 2 * 4


def test_its_map_names_what_is_there():
    [block] = re.findall(r"```\nkalahlab/\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines():
        folder = ROOT / "kalahlab" if line.startswith("  ") else ROOT
        assert (folder / line.split()[0]).exists(), line


def test_its_picture_is_the_one_the_package_draws():
    game = Kalah(3, 2)
    trace = record(alpha_beta, game, game.start(), store_difference, Depth(3))
    assert (ROOT / "docs" / "alpha-beta.svg").read_text(encoding="utf-8") == tree_svg(trace)


def test_the_app_refuses_a_host_that_is_not_this_machine():
    """Voilà allows any host by default; this is the setting that its Jupyter handlers look at."""
    [recipe] = re.findall(r"^app:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "JUPYTER_CONFIG_PATH=$(CURDIR)/app " in recipe
    settings = json.loads((ROOT / "app" / "voila.json").read_text())["Voila"]["tornado_settings"]
    assert settings == {"allow_remote_access": False}
