"""Grids that are killed, broken and shared: the same rows in the end, and none done twice."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import fmean, stdev

import pandas as pd
import psutil
import pytest
from conftest import cases, printed, unmeasured
from distributed import LocalCluster

from kalahlab import files
from kalahlab import parallel as laboratory
from kalahlab.experiments.grid_file import read_grid
from kalahlab.experiments.points import Setting, estimate_cost, make_grid, run_setting
from kalahlab.parallel import point_key, read_rows, run_all, run_resumable

POINTS = make_grid(["minimax", "alpha_beta"], ["e3", "staged"], [1, 2], ["standard"], openings=2)
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Number:
    value: int
    fails: bool = False


def square(point):
    if point.fails:
        raise ArithmeticError(f"cannot square {point.value}")
    return asdict(point) | {"square": point.value**2}


def noted(folder, point):
    with (folder / "worked on").open("a") as file:
        file.write(f"{point.value}\n")
    return square(point)


def worked_on(folder):
    file = folder / "worked on"
    return [*map(int, file.read_text().split())] if file.exists() else []


NUMBERS = [Number(value) for value in range(40)]
SQUARES = [square(point) | {"error": None} for point in NUMBERS]


@pytest.fixture(scope="module")
def rows():
    return unmeasured(run_all(run_setting, POINTS))


def test_a_key_tells_points_and_versions_apart_and_is_the_same_everywhere(monkeypatch):
    point = Setting("alpha_beta", "e3", 2)
    changes = {"algorithm": "minimax", "evaluator": "e4", "depth": 3, "rules": "empty-capture"}
    changes |= {"stones": 4, "opening": POINTS[0].opening, "backend": "textbook"}
    keys = [
        point_key(point),
        *(point_key(replace(point, **{name: new})) for name, new in changes.items()),
    ]
    code = "from kalahlab.experiments.points import Point; from kalahlab.parallel import key; "
    code += "print(key(Point('alpha_beta', 'e3', 2)))"
    assert printed(code, PYTHONHASHSEED="7") == keys[0]
    monkeypatch.setattr(Setting, "VERSION", 99)
    keys.append(point_key(point))
    monkeypatch.setattr(laboratory, "SCHEMA", 99)
    assert len({*keys, point_key(point)}) == 10


@pytest.mark.parametrize("cost", [lambda point: 0, lambda point: point.value % 7])
def test_what_is_done_is_not_done_again_and_the_heaviest_comes_first(tmp_path, cost):
    work = partial(noted, tmp_path)
    for points in (NUMBERS[:30], NUMBERS):
        before = len(worked_on(tmp_path))
        path = run_resumable(work, points, tmp_path, cost=cost)
        costs = [cost(Number(value)) for value in worked_on(tmp_path)[before:]]
        assert costs == sorted(costs, reverse=True)
    assert read_rows(path) == SQUARES
    assert sorted(worked_on(tmp_path)) == list(range(40))


def test_damaged_files_are_found_and_done_again(tmp_path, capsys):
    run_resumable(square, NUMBERS, tmp_path)
    kept, chance = sorted(kept_in(tmp_path)), random.Random(0)
    another, damages = kept[1].read_bytes(), [b"", b"{}", b"[]", b"\xff"]
    for number in range(100):
        file = chance.choice(kept)
        whole = file.read_bytes()
        at = chance.randrange(len(whole))
        flipped = whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :]
        if number < 6:
            file, whole = kept[0], kept[0].read_bytes()
        file.write_bytes([*damages, another, whole[:-9], flipped][min(number, 6)])
        assert read_rows(run_resumable(square, NUMBERS, tmp_path)) == SQUARES
        assert capsys.readouterr().err == f"damaged points in {tmp_path}, worked on again: 1\n"
        assert file.read_bytes() == whole


def test_an_error_is_a_row_and_the_others_go_on(tmp_path):
    points = [*NUMBERS[:3], Number(3, fails=True), *NUMBERS[4:8]]
    found = read_rows(run_resumable(square, points, tmp_path, workers=2))
    where, _, error = found[3].pop("error").partition(": ")
    assert (where.partition(",")[0], error) == (__file__, "ArithmeticError: cannot square 3")
    assert found == [*SQUARES[:3], asdict(points[3]) | {"square": None}, *SQUARES[4:8]]
    with pytest.raises(ValueError, match=r"1 of 8 points failed, the first with .*: Arithmetic"):
        run_all(square, points, folder=tmp_path)


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    """os.replace fails as it does on a full disk, after 10 points."""

    def full(source, target):
        if len(kept_in(tmp_path)) == 10:
            raise OSError(28, "No space left on device")
        os.rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "replace", full)
        with pytest.raises(OSError, match="No space left"):
            run_resumable(square, NUMBERS, tmp_path)
    assert len(list((tmp_path / "points").iterdir())) == 10, "and no half-written file"
    assert read_rows(run_resumable(partial(noted, tmp_path), NUMBERS, tmp_path)) == SQUARES
    assert len(worked_on(tmp_path)) == 30


def various(point):
    if point.value % 3 == 1:
        return {"value": None, "share": point.value / 4}
    return {"value": point.value, "share": 1 if point.value % 3 else None, "name": str(point)}


def test_rows_may_differ_in_their_columns_and_types(tmp_path):
    columns = {"value": None, "share": None, "error": None, "name": None}
    found = read_rows(run_resumable(various, NUMBERS, tmp_path))
    assert found == [columns | various(point) for point in NUMBERS]
    assert read_rows(run_resumable(various, [], tmp_path)) == []


def test_two_runs_into_one_folder_are_both_right(tmp_path):
    with ThreadPoolExecutor(2) as pool:
        paths = pool.map(lambda _: read_rows(run_resumable(square, NUMBERS, tmp_path)), range(2))
        assert [*paths] == [SQUARES, SQUARES]


def test_an_executor_holds_no_more_points_than_is_said(tmp_path):
    held = []

    class Counting(ThreadPoolExecutor):
        def submit(self, *args, **kwargs):
            held.append(1 + len(held) - len(list(tmp_path.glob("points/*.json"))))
            return super().submit(*args, **kwargs)

    with Counting(2) as pool:
        run_resumable(square, [Number(value) for value in range(200)], tmp_path, executor=pool)
    assert len(held) == 200
    assert max(held) <= laboratory.MAX_IN_FLIGHT


GRID = """
algorithms = ["minimax", "alpha_beta"]
evaluators = ["e3", "staged"]
depths = [1, 2]
openings = 2
"""


def start(folder, *more, grid=GRID):
    (folder / "grid.toml").write_text(grid)
    return command("grid", str(folder / "grid.toml"), "--out", str(folder), *more)


def command(*words, folder=ROOT):
    env, pipe = {**os.environ, "PYTHONPATH": str(ROOT)}, subprocess.PIPE
    words = (sys.executable, "-m", "kalahlab", *words)
    return subprocess.Popen(words, env=env, cwd=folder, text=True, stdout=pipe, stderr=pipe)


KILLS = 6
LARGER = """
algorithms = ["alpha_beta", "minimax_a_b"]
evaluators = ["e3", "e4", "staged"]
depths = [2, 3]
rules = ["standard", "empty-capture"]
openings = 12
backend = "textbook"
"""
"""Whose workers start in a third of the time without the engine."""


def kept_in(folder):
    return {file: file.stat().st_mtime_ns for file in folder.glob("points/*.json")}


def when_done(driver, folder, points):
    """Wait until as many points are kept, or the run has ended."""
    while driver.poll() is None and len(kept_in(folder)) < points:
        threading.Event().wait(0.002)


def worker_of(driver, chance):
    """One of a run's workers, as soon as there are some."""
    while True:
        assert driver.poll() is None
        children = psutil.Process(driver.pid).children()
        if workers := [child for child in children if "spawn_main" in " ".join(child.cmdline())]:
            return chance.choice(workers)


def test_a_grid_killed_again_and_again_is_the_grid(tmp_path):
    """At any number of points; one time in five, before it has started."""
    chance = random.Random(0)
    for victim in chance.sample(["driver", "worker"] * (KILLS // 2), KILLS):
        before = kept_in(tmp_path)
        driver = start(tmp_path, "--workers", "2", grid=LARGER)
        if chance.random() >= 0.2:
            when_done(driver, tmp_path, len(before) + chance.randrange(20))
        assert driver.poll() is None, "the grid is too small to be killed so often"
        os.kill(driver.pid if victim == "driver" else worker_of(driver, chance).pid, signal.SIGKILL)
        driver.communicate()  # ends when the workers, who hold its pipes, have ended too
        assert driver.returncode != 0
        assert before.items() <= kept_in(tmp_path).items(), "lost, or done twice"
    before, points = kept_in(tmp_path), read_grid(tmp_path / "grid.toml")
    path = run_resumable(run_setting, points, tmp_path, cost=estimate_cost)
    assert before.items() <= kept_in(tmp_path).items()
    assert len(kept_in(tmp_path)) == len(points)
    assert [*tmp_path.rglob("*.part")] == []
    assert unmeasured(read_rows(path)) == unmeasured(run_all(run_setting, points))


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path, rows):
    driver = start(tmp_path, "--workers", "2")
    when_done(driver, tmp_path, 2)
    driver.send_signal(signal.SIGINT)
    _, said = driver.communicate()
    if driver.returncode != 0:  # 0: it was quicker than the signal
        assert driver.returncode == 130
        assert said.count("\n") == 1
        assert "interrupted" in said
        assert f"of {len(POINTS)} games are kept in {tmp_path}" in said
    assert unmeasured(read_rows(run_resumable(run_setting, POINTS, tmp_path))) == rows


def on_cluster(folder):
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        driver = start(folder, "--scheduler", cluster.scheduler_address, "--json")
        out, said = driver.communicate()
        assert driver.returncode == 0, said
    return read_rows(Path(json.loads(out)["rows"]))


RUNS = {
    "two": lambda folder: run_all(run_setting, POINTS, 2),
    "kept by one": lambda folder: run_all(run_setting, POINTS, 1, folder=folder),
    "kept by two": lambda folder: run_all(
        run_setting, POINTS, 2, folder=folder, cost=estimate_cost
    ),
    "cluster": on_cluster,
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_rows_do_not_depend_on_who_works(run, tmp_path, rows):
    assert unmeasured(run(tmp_path)) == rows


@cases(Path(__file__).with_name("refused.csv"))
def test_a_wrong_grid_file_is_one_line(change, by, named, allowed, tmp_path):
    """A part of the grid is another; without such a part, all of it is."""
    file = tmp_path / "grid.toml"
    file.write_text(GRID.replace(change, by) if change else by)
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        read_grid(file)
    assert named in str(error.value)
    assert allowed in str(error.value)


def test_the_means_of_a_grid_are_printed_and_kept(run, tmp_path, rows):
    file, out = tmp_path / "grid.toml", tmp_path / "out"
    file.write_text(GRID)
    status, shown, _ = run("grid", str(file), "--out", str(out))
    assert status == 0
    assert max(map(len, shown.partition("\n\n")[0].splitlines())) <= 80
    found = json.loads(run("grid", str(file), "--out", str(out), "--json")[1])["means"]
    assert found == pd.read_csv(out / "means.csv").to_dict("records")
    assert len(found) == len({(row["algorithm"], row["evaluator"], row["depth"]) for row in rows})
    for mean in found:
        keys = ("algorithm", "evaluator", "depth")
        games = [row for row in rows if all(row[key] == mean[key] for key in keys)]
        nodes = [row["expanded"] + row["evaluated"] + row["recalled"] for row in games]
        assert mean["games"] == len(games)
        assert mean["nodes"] == pytest.approx(fmean(nodes))
        assert mean["margin"] == pytest.approx(fmean(row["margin"] for row in games))
        assert mean["nodes_sd"] == pytest.approx(stdev(nodes))
        assert mean["margin_sd"] == pytest.approx(stdev(row["margin"] for row in games))
        assert mean["evaluator"] in shown
    kept = pd.read_csv(out / "rows.csv")
    assert [*kept["moves"]] == [row["moves"] for row in rows]
    assert [*kept] == [*pd.read_parquet(out / "rows.parquet")]
    assert kept.groupby(["algorithm", "evaluator", "depth"], sort=False)[
        "nodes"
    ].mean().tolist() == [mean["nodes"] for mean in found]
    latex = (out / "means.tex").read_text().replace("$-$", "-")
    assert "\\begin{tabular}" in latex
    for mean in found:
        digits = "{nodes:,.0f} {nodes_sd:,.0f} {margin:z.1f} {margin_sd:.1f}".format(**mean)
        assert f"& {digits.replace(' ', ' & ')} \\\\" in latex
        assert digits.split() in [line.split()[-4:] for line in shown.splitlines()]
    for text in (shown, latex):
        assert "one search for both sides" in text
    assert "visited (expanded + evaluated + recalled)" in latex


def test_a_folder_of_another_grid_is_refused_and_a_grown_one_goes_on(run, tmp_path):
    file = tmp_path / "grid.toml"
    words = ("grid", str(file), "--out", str(tmp_path))
    file.write_text(GRID)
    assert run(*words)[0] == 0
    file.write_text(GRID.replace("[1, 2]", "[1, 2, 3]"))
    assert run(*words)[0] == 0
    written = (tmp_path / "rows.csv").read_bytes()
    file.write_text(GRID.replace("openings = 2", "openings = 1"))
    status, _, said = run(*words)
    assert (status, said.count("\n")) == (2, 1)
    assert f"{tmp_path} holds rows of another run (depth there 1, 2, 3, here 1, 2; open" in said
    assert "; opening: 2 there, 1 here; only there <6," in said
    assert (tmp_path / "rows.csv").read_bytes() == written
    for command in ("match", "tournament"):
        assert run(command, "random:1", "random:2", "--out", str(tmp_path))[0] == 2
    assert (tmp_path / "rows.csv").read_bytes() == written


def test_a_single_game_has_no_deviation_and_the_bar_counts_games(run, tmp_path, monkeypatch):
    file, out = tmp_path / "grid.toml", tmp_path / "out"
    file.write_text(GRID.replace("openings = 2", ""))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    _, said, bar = run("grid", str(file), "--out", str(out), "--json")
    assert "game/s" in bar
    assert {mean["margin_sd"] for mean in json.loads(said)["means"]} == {None}


def test_a_grid_of_ones_own_evaluator_names_the_line_that_raises(tmp_path):
    (tmp_path / "own.py").write_text("def bad(board, player):\n    return board[99]\n")
    (tmp_path / "grid.toml").write_text(GRID)
    own, two = ("--out", "out", "--evaluator", "own.bad"), ("--workers", "2")
    gridded = command("grid", "grid.toml", *own, *two, folder=tmp_path)
    out, said = gridded.communicate()
    assert (gridded.returncode, said) == (1, "")
    assert f", 8 of them failed: the first with {tmp_path / 'own.py'}, line 2: IndexError: " in out
    assert "staged" in out
    matched = command("match", "alpha_beta:own.bad:2", "random", *two, folder=tmp_path)
    _, said = matched.communicate()
    assert (matched.returncode, said.count("\n")) == (1, 1)
    assert f"{tmp_path / 'own.py'}, line 2: IndexError: " in said


@pytest.mark.parametrize("name", ["match", "tournament", "grid"])
def test_what_ones_own_evaluator_played_is_kept_until_its_module_changes(name, tmp_path):
    words, built_in = ["alpha_beta:mine.f:2", "alpha_beta:e3:2", "--openings", "1"], 0
    if name == "grid":
        (tmp_path / "grid.toml").write_text(GRID.replace("openings = 2", ""))
        words, built_in = ["grid.toml", "--evaluator", "mine.f"], 8
    kept = []
    text = "from used import WEIGHT\n\n\ndef f(board, player):\n"
    text += "    return WEIGHT * (board[6] - board[13])\n"
    (tmp_path / "mine.py").write_text(text)
    for weight in "1", "1", "22":  # of another length: Python's own cache goes by size and second
        (tmp_path / "used.py").write_text(f"WEIGHT = {weight}\n")
        ran = command(name, *words, "--out", "out", folder=tmp_path)
        _, said = ran.communicate()
        assert ran.returncode == 0, said
        assert ("results kept in out are not used" in said) == (weight == "22")
        digest = sha256(text.encode()).hexdigest()[:12]
        assert name != "grid" or digest in (tmp_path / "out" / "rows.csv").read_text()
        kept.append(len(kept_in(tmp_path / "out")) - built_in)
    assert kept[0] == kept[1] == kept[2] / 2
