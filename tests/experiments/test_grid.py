"""Grids that are killed, broken and shared give the same rows, and do none twice."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from functools import partial
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from statistics import fmean, stdev

import pandas as pd
import psutil
import pytest
import squares
from conftest import cases, run_python, without_measurements
from distributed import LocalCluster
from squares import Number, note_and_square, square

from kalahlab import files, names
from kalahlab import parallel as laboratory
from kalahlab.experiments.grid_file import read_grid
from kalahlab.experiments.settings import Setting, estimate_cost, make_grid, run_setting
from kalahlab.notes import Note
from kalahlab.parallel import read_rows, run_all, run_resumable, setting_key
from kalahlab.user_code import UserModules

VALUES = ["minimax", "alpha_beta"], ["e3", "staged"], [1, 2], ["standard"]
POINTS = make_grid(*VALUES, openings=2, backend="textbook")
COMPILED = make_grid(*VALUES, openings=2)
ROOT = Path(__file__).resolve().parents[2]


def read_notes(folder):
    file = folder / "worked on"
    return [*map(int, file.read_text().split())] if file.exists() else []


NUMBERS = [Number(value) for value in range(40)]
SQUARES = [square(setting) | {"error": None} for setting in NUMBERS]


@pytest.fixture(scope="module")
def rows():
    return without_measurements(run_all(run_setting, POINTS))


def test_a_key_depends_on_point_and_version_and_is_the_same_everywhere(monkeypatch):
    setting = Setting("alpha_beta", "e3", 2)
    changes = {"algorithm": "minimax", "evaluator": "e4", "depth": 3, "rules": "empty-capture"}
    changes |= {"stones": 4, "opening": POINTS[0].opening, "backend": "textbook"}
    keys = [
        setting_key(setting),
        *(setting_key(replace(setting, **{name: new})) for name, new in changes.items()),
    ]
    code = "from kalahlab.experiments.settings import Setting; "
    code += "from kalahlab.parallel import setting_key; "
    code += "print(setting_key(Setting('alpha_beta', 'e3', 2)))"
    assert run_python(code, PYTHONHASHSEED="7") == keys[0]
    monkeypatch.setattr(Setting, "VERSION", 99)
    keys.append(setting_key(setting))
    monkeypatch.setattr(laboratory, "SCHEMA", 99)
    assert len({*keys, setting_key(setting)}) == 10


@pytest.mark.parametrize("cost", [lambda setting: 0, lambda setting: setting.value % 7])
def test_finished_points_are_not_repeated_and_costly_ones_come_first(tmp_path, cost):
    work = partial(note_and_square, tmp_path)
    for settings in (NUMBERS[:30], NUMBERS):
        before = len(read_notes(tmp_path))
        path = run_resumable(work, settings, tmp_path, cost=cost)
        costs = [cost(Number(value)) for value in read_notes(tmp_path)[before:]]
        assert costs == sorted(costs, reverse=True)
    assert read_rows(path) == SQUARES
    assert sorted(read_notes(tmp_path)) == list(range(40))


def test_points_of_damaged_files_are_worked_on_again(tmp_path):
    run_resumable(square, NUMBERS, tmp_path)
    files_kept, rng = sorted(find_kept_files(tmp_path)), random.Random(0)
    another, damages = files_kept[1].read_bytes(), [b"", b"{}", b"[]", b"\xff"]
    for number in range(100):
        file = rng.choice(files_kept)
        whole = file.read_bytes()
        index = rng.randrange(len(whole))
        flipped = whole[:index] + bytes([whole[index] ^ 1 << rng.randrange(8)]) + whole[index + 1 :]
        if number < 6:
            file, whole = files_kept[0], files_kept[0].read_bytes()
        damaged = [*damages, another, whole[:-9]]
        file.write_bytes(damaged[number] if number < len(damaged) else flipped)
        with pytest.warns(Note) as notes:
            assert read_rows(run_resumable(square, NUMBERS, tmp_path)) == SQUARES
        [note] = notes
        assert str(note.message) == f"damaged results in {tmp_path}, which are computed again: 1"
        assert file.read_bytes() == whole


def test_an_error_is_a_row_and_other_points_are_finished(tmp_path):
    settings = [*NUMBERS[:3], Number(3, fails=True), *NUMBERS[4:8]]
    rows = read_rows(run_resumable(square, settings, tmp_path, workers=2))
    where, _, error = rows[3].pop("error").partition(": ")
    assert where.partition(",")[0] == squares.__file__
    assert error == "ArithmeticError: cannot square 3"
    assert rows == [*SQUARES[:3], asdict(settings[3]) | {"square": None}, *SQUARES[4:8]]
    with pytest.raises(ValueError, match=r"1 of 8 settings failed, the first with .*: Arithmetic"):
        run_all(square, settings, folder=tmp_path)


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    """Let os.replace fail after 10 settings, like on a full disk."""

    def full(source, target):
        if len(find_kept_files(tmp_path)) == 10:
            raise OSError(28, "No space left on device")
        os.rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "replace", full)
        with pytest.raises(OSError, match="No space left"):
            run_resumable(square, NUMBERS, tmp_path)
    assert len(list((tmp_path / "points").iterdir())) == 10, "and no half-written file"
    assert (
        read_rows(run_resumable(partial(note_and_square, tmp_path), NUMBERS, tmp_path)) == SQUARES
    )
    assert len(read_notes(tmp_path)) == 30


def various(setting):
    if setting.value % 3 == 1:
        return {"value": None, "share": setting.value / 4}
    return {"value": setting.value, "share": 1 if setting.value % 3 else None, "name": str(setting)}


def test_rows_may_differ_in_their_columns_and_types(tmp_path):
    columns = {"value": None, "share": None, "error": None, "name": None}
    rows = read_rows(run_resumable(various, NUMBERS, tmp_path))
    assert rows == [columns | various(setting) for setting in NUMBERS]
    assert read_rows(run_resumable(various, [], tmp_path)) == []


def test_two_runs_into_one_folder_are_both_right(tmp_path):
    with ThreadPoolExecutor(2) as pool:
        paths = pool.map(lambda _: read_rows(run_resumable(square, NUMBERS, tmp_path)), range(2))
        assert [*paths] == [SQUARES, SQUARES]


def test_an_executor_has_at_most_max_in_flight_points(tmp_path):
    held = []

    class Counting(ThreadPoolExecutor):
        def submit(self, *args, **kwargs):
            held.append(1 + len(held) - len(list(tmp_path.glob("points/*.json"))))
            return super().submit(*args, **kwargs)

    settings = [Number(value) for value in range(200)]
    with Counting(2) as pool:
        rows = read_rows(run_resumable(square, settings, tmp_path, executor=pool))
    assert rows == [square(setting) | {"error": None} for setting in settings]
    assert len(held) == 200
    assert max(held) <= laboratory.MAX_IN_FLIGHT


GRID = """
algorithms = ["minimax", "alpha_beta"]
evaluators = ["e3", "staged"]
depths = [1, 2]
openings = 2
"""
TEXTBOOK = f'{GRID}backend = "textbook"\n'
"""The same without the engine, whose workers therefore start in a third of the time."""


def start(folder, *more, grid=TEXTBOOK):
    (folder / "grid.toml").write_text(grid)
    return command("grid", str(folder / "grid.toml"), "--out", str(folder), *more)


def command(*words, folder=ROOT):
    env, pipe = {**os.environ, "PYTHONPATH": str(ROOT)}, subprocess.PIPE
    words = (sys.executable, "-m", "kalahlab", *words)
    return subprocess.Popen(words, env=env, cwd=folder, text=True, stdout=pipe, stderr=pipe)


KILLS = ("driver", 0), ("worker", 9), ("driver", 12)
"""What is killed, and after how many more settings: at 0 before the driver has started."""
LARGER = """
algorithms = ["alpha_beta", "minimax_a_b"]
evaluators = ["e3", "e4", "staged"]
depths = [2, 3]
rules = ["standard", "empty-capture"]
openings = 4
backend = "textbook"
"""


def find_kept_files(folder):
    return {file: file.stat().st_mtime_ns for file in folder.glob("points/*.json")}


def wait_for_settings(driver, folder, settings):
    """Wait until that many settings are kept, or the run has ended."""
    while driver.poll() is None and len([*folder.glob("points/*.json")]) < settings:
        threading.Event().wait(0.01)


def worker_of(driver, rng):
    """Return one of a run's workers, as soon as there are some."""
    while True:
        assert driver.poll() is None
        children = psutil.Process(driver.pid).children()
        if workers := [child for child in children if "spawn_main" in " ".join(child.cmdline())]:
            return rng.choice(workers)
        threading.Event().wait(0.01)


# Slow, because each of the runs starts a driver and two workers.
def test_a_grid_that_is_killed_repeatedly_has_the_same_rows(tmp_path):
    rng = random.Random(0)
    for victim, settings in KILLS:
        before = find_kept_files(tmp_path)
        driver = start(tmp_path, "--workers", "2", grid=LARGER)
        if settings:
            wait_for_settings(driver, tmp_path, len(before) + settings)
        assert driver.poll() is None, "the grid is too small to be killed so often"
        os.kill(driver.pid if victim == "driver" else worker_of(driver, rng).pid, signal.SIGKILL)
        driver.communicate()  # ends when the workers, who hold its pipes, have ended too
        assert driver.returncode != 0
        assert before.items() <= find_kept_files(tmp_path).items(), "lost, or done twice"
    before, settings = find_kept_files(tmp_path), read_grid(tmp_path / "grid.toml")
    path = run_resumable(run_setting, settings, tmp_path, cost=estimate_cost)
    assert before.items() <= find_kept_files(tmp_path).items()
    assert len(find_kept_files(tmp_path)) == len(settings)
    assert [*tmp_path.rglob("*.part")] == []
    assert without_measurements(read_rows(path)) == without_measurements(
        run_all(run_setting, settings)
    )


def test_ctrl_c_keeps_finished_games_and_the_message_counts_them(tmp_path, rows):
    driver = start(tmp_path, "--workers", "2")
    wait_for_settings(driver, tmp_path, 2)
    driver.send_signal(signal.SIGINT)
    _, err = driver.communicate()
    if driver.returncode != 0:  # 0: it was quicker than the signal
        assert driver.returncode == 130
        assert err.count("\n") == 1
        assert "interrupted" in err
        assert f"of {len(POINTS)} games are kept in {tmp_path}" in err
    assert without_measurements(read_rows(run_resumable(run_setting, POINTS, tmp_path))) == rows


def with_the_engine(folder):
    rows = run_all(run_setting, COMPILED, 2)
    assert {row["backend"] for row in rows} == {"engine"}
    return [row | {"backend": "textbook"} for row in rows]


def on_cluster(folder):
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        driver = start(folder, "--scheduler", cluster.scheduler_address, "--json")
        out, err = driver.communicate()
        assert driver.returncode == 0, err
    return read_rows(Path(json.loads(out)["rows"]))


RUNS = {
    "two with the engine": with_the_engine,
    "kept by one": lambda folder: run_all(run_setting, POINTS, 1, folder=folder),
    "cluster": on_cluster,
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_rows_do_not_depend_on_the_workers(run, tmp_path, rows):
    assert without_measurements(run(tmp_path)) == rows


@cases(Path(__file__).with_name("refused.csv"))
def test_a_wrong_grid_file_is_refused_in_one_line(change, replacement, subject, advice, tmp_path):
    """Replace a part of the file, or all of it."""
    file = tmp_path / "grid.toml"
    file.write_text(GRID.replace(change, replacement) if change else replacement)
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        read_grid(file)
    assert subject in str(error.value)
    assert advice in str(error.value)


def test_the_means_of_a_grid_are_printed_and_kept(run, tmp_path, rows):
    file, out = tmp_path / "grid.toml", tmp_path / "out"
    file.write_text(GRID)
    status, text, _ = run("grid", str(file), "--out", str(out))
    assert status == 0
    assert max(map(len, text.partition("\n\n")[0].splitlines())) <= 80
    means = json.loads(run("grid", str(file), "--out", str(out), "--json")[1])["means"]
    assert means == pd.read_csv(out / "means.csv").to_dict("records")
    assert len(means) == len({(row["algorithm"], row["evaluator"], row["depth"]) for row in rows})
    for mean in means:
        setting = itemgetter("algorithm", "evaluator", "depth")
        games = [row for row in rows if setting(row) == setting(mean)]
        nodes = [row["expanded"] + row["evaluated"] + row["recalled"] for row in games]
        assert mean["games"] == len(games)
        assert mean["nodes"] == pytest.approx(fmean(nodes))
        assert mean["margin"] == pytest.approx(fmean(row["margin"] for row in games))
        assert mean["nodes_sd"] == pytest.approx(stdev(nodes))
        assert mean["margin_sd"] == pytest.approx(stdev(row["margin"] for row in games))
        assert mean["evaluator"] in text
    table = pd.read_csv(out / "rows.csv")
    assert [*table["moves"]] == [row["moves"] for row in rows]
    assert [*table] == [*pd.read_parquet(out / "rows.parquet")]
    assert table.groupby(["algorithm", "evaluator", "depth"], sort=False)[
        "nodes"
    ].mean().tolist() == [mean["nodes"] for mean in means]
    latex = (out / "means.tex").read_text().replace("$-$", "-")
    assert "\\begin{tabular}" in latex
    for mean in means:
        digits = "{nodes:,.0f} {nodes_sd:,.0f} {margin:z.1f} {margin_sd:.1f}".format(**mean)
        assert f"& {digits.replace(' ', ' & ')} \\\\" in latex
        assert digits.split() in [line.split()[-4:] for line in text.splitlines()]
    for output in (text, latex):
        assert "One search plays both sides" in output
    assert "visited (expanded + evaluated + recalled)" in latex


def test_a_folder_of_another_grid_is_refused_but_a_larger_grid_resumes(run, tmp_path):
    file = tmp_path / "grid.toml"
    words = ("grid", str(file), "--out", str(tmp_path))
    file.write_text(GRID)
    assert run(*words)[0] == 0
    file.write_text(GRID.replace("[1, 2]", "[1, 2, 3]"))
    assert run(*words)[0] == 0
    written = (tmp_path / "rows.csv").read_bytes()
    file.write_text(GRID.replace("openings = 2", "openings = 1"))
    status, _, err = run(*words)
    assert (status, err.count("\n")) == (2, 1)
    assert f"{tmp_path} holds rows of another run (depth there 1, 2, 3, here 1, 2; open" in err
    assert "; opening: 2 there, 1 here; only there <6," in err
    assert (tmp_path / "rows.csv").read_bytes() == written
    for command in ("match", "tournament"):
        assert run(command, "random:1", "random:2", "--out", str(tmp_path))[0] == 2
    assert (tmp_path / "rows.csv").read_bytes() == written


def test_a_single_game_has_no_deviation_and_the_bar_counts_games(run, tmp_path, monkeypatch):
    file, out = tmp_path / "grid.toml", tmp_path / "out"
    file.write_text(GRID.replace("openings = 2", ""))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    _, answer, bar = run("grid", str(file), "--out", str(out), "--json")
    assert "game/s" in bar
    assert {mean["margin_sd"] for mean in json.loads(answer)["means"]} == {None}


def test_a_grid_of_a_user_evaluator_names_the_line_that_raises(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text("def bad(board, player):\n    return board[99]\n")
    (tmp_path / "grid.toml").write_text(TEXTBOOK)
    user_code, two = ("--out", "out", "--evaluator", "own.bad"), ("--workers", "2")
    status, out, err = run("grid", "grid.toml", *user_code, *two)
    assert (status, err) == (1, "")
    assert f"; 8 of them failed, the first with {tmp_path / 'own.py'}, line 2: IndexError: " in out
    assert "staged" in out
    textbook = ("--backend", "textbook")
    status, _, err = run("match", "alpha_beta:own.bad:2", "random", *textbook, *two)
    assert (status, err.count("\n")) == (1, 1)
    assert f"{tmp_path / 'own.py'}, line 2: IndexError: " in err


@pytest.fixture
def import_again(monkeypatch):
    """Let the next command import the modules `mine` and `used` as a new process does."""

    def import_again():
        monkeypatch.setattr(UserModules, "folders", [])
        monkeypatch.setattr(names, "IMPORTED", {})
        monkeypatch.setattr(names, "SOURCES", {})
        for name in ("mine", "used"):
            sys.modules.pop(name, None)

    return import_again


@pytest.mark.parametrize("name", ["match", "tournament", "grid"])
def test_games_of_a_user_evaluator_are_kept_until_its_module_changes(
    name, run, tmp_path, monkeypatch, import_again
):
    monkeypatch.chdir(tmp_path)
    words, built_in = ["alpha_beta:mine.f:2", "alpha_beta:e3:2", "--openings", "1"], 0
    words += ["--backend", "textbook"]  # the engine plays in a grid
    if name == "grid":
        (tmp_path / "grid.toml").write_text(GRID.replace("openings = 2", ""))
        words, built_in = ["grid.toml", "--evaluator", "mine.f"], 8
    counts = []
    text = "from used import WEIGHT\n\n\ndef f(board, player):\n"
    text += "    return WEIGHT * (board[6] - board[13])\n"
    (tmp_path / "mine.py").write_text(text)
    for weight in "1", "1", "22":  # of another length: Python's own cache goes by size and second
        (tmp_path / "used.py").write_text(f"WEIGHT = {weight}\n")
        import_again()
        status, _, err = run(name, *words, "--out", "out")
        assert status == 0, err
        assert ("results in out are not used" in err) == (weight == "22")
        digest = sha256(text.encode()).hexdigest()[:12]
        assert name != "grid" or digest in (tmp_path / "out" / "rows.csv").read_text()
        counts.append(len(find_kept_files(tmp_path / "out")) - built_in)
    assert counts[0] == counts[1] == counts[2] / 2
