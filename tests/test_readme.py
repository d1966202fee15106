"""What README.md promises, kept: its code runs, its commands work, its picture is small."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from PIL import Image

from kalahlab import cli
from kalahlab.experiments import read_grid

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEXTS = README + (ROOT / "docs" / "solving.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", TEXTS, re.DOTALL)
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", TEXTS, re.DOTALL)
    for line in dict.fromkeys(block.splitlines())
    if line.startswith("kalahlab ") and not line.startswith("kalahlab report")
]


@pytest.mark.parametrize("code", PYTHON)
def test_its_python_runs(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {"__name__": "readme"})


@pytest.mark.parametrize("line", COMMANDS)
def test_its_commands_work(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", shlex.split(line))
    with pytest.raises(SystemExit) as stop:
        cli.main()
    said = capsys.readouterr()
    assert not stop.value.code
    assert said.out


def test_its_grid_is_one(tmp_path):
    [text] = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    (tmp_path / "games.toml").write_text(text, encoding="utf-8")
    assert len(read_grid(tmp_path / "games.toml")) == 2 * 3 * 3 * 2 * 4


def test_its_table_of_folders_names_what_is_there():
    rooms = re.findall(r"^\| (`.*?) \|", README, re.MULTILINE)
    names = [name for row in rooms for name in re.findall(r"`([\w/]+)`", row)]
    assert len(names) > 10
    for name in names:
        assert (ROOT / name).is_dir() or (ROOT / "kalahlab" / name).is_dir(), name


def test_its_picture_moves_and_is_small():
    file = ROOT / re.search(r"\]\((docs/[\w-]+\.gif)\)", README)[1]
    assert file.stat().st_size < 1_000_000
    assert Image.open(file).n_frames > 10


def test_the_app_refuses_a_host_that_is_not_this_machine() -> None:
    """Voilà allows any host by default; this is the setting that its Jupyter handlers look at."""
    [recipe] = re.findall(r"^app:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "JUPYTER_CONFIG_PATH=$(CURDIR)/app " in recipe
    settings = json.loads((ROOT / "app" / "voila.json").read_text())["Voila"]["tornado_settings"]
    assert settings == {"allow_remote_access": False}
