"""Tests of atomic writes: replaced and refused files, full disks and killed processes."""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import judge_positions
import pytest
import solve_openings
from conftest import start_python
from pypdf import PdfWriter

from kalahlab.files import atomic_write, remove_leftovers, temporary_folder
from kalahlab.parallel import Store
from kalahlab.report.pdf import _write_reproducible_pdf
from kalahlab.solver.value_files import load_values

EXPLORE = ["explore", "<2,0,0,1,1,1,1>", "--depth", "1", "--out"]
posix = pytest.mark.skipif(os.name == "nt", reason="has no such files")


def write(path, text="new"):
    with atomic_write(path) as part:
        part.write_text(text)


@posix
def test_a_file_keeps_its_mode_and_a_new_one_has_that_of_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write(tmp_path / "new")
        for mode in (0o600, 0o666, 0o755):
            old_file = tmp_path / f"{mode:o}"
            old_file.write_text("old")
            old_file.chmod(mode)
            write(old_file)
            assert old_file.stat().st_mode & 0o7777 == mode
            assert old_file.read_text() == "new"
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o7777 == 0o640


@posix
@pytest.mark.parametrize("has_target", [True, False])
def test_a_symbolic_link_stays_and_its_target_is_written(has_target, tmp_path):
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to("folder/target")
    if has_target:
        (folder / "target").write_text("old")
    with atomic_write(link) as part:
        assert part.parent == folder
        part.write_text("new")
    assert link.is_symlink()
    assert [path.name for path in folder.iterdir()] == ["target"]
    assert link.read_text() == "new"


@posix
def test_a_reader_of_a_pipe_gets_the_page(run, tmp_path):
    pipe, got = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = Thread(target=lambda: got.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    assert run(*EXPLORE, str(pipe))[0] == 0
    reader.join()
    assert got[0].endswith("</html>\n")
    assert pipe.is_fifo()


@posix
@pytest.mark.parametrize("kind", ["pipe", "file"])
def test_standard_output_is_written_on(kind, tmp_path):
    link, file = tmp_path / "out", tmp_path / "log"
    link.symlink_to("/dev/stdout")  # a faulty program could replace it, as root
    command = [sys.executable, "-m", "kalahlab", *EXPLORE, str(link)]
    file.write_text("before\n")
    with file.open("a") as log:
        out = subprocess.PIPE if kind == "pipe" else log
        result = subprocess.run(command, stdout=out, text=True, check=True)
    output = result.stdout or file.read_text().removeprefix("before\n")
    assert output.startswith("<!doctype html>")
    assert output.endswith(f"</html>\nopen {link} (3 nodes)\n")
    assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [file, link]


@posix
def test_a_path_that_is_no_writable_file_is_refused_by_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")
    Path("kept").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != "kept")  # root may all
    for name in ("folder", "loop", "kept", "missing/file"):
        with pytest.raises(OSError, match=f"'{name}'") as error:
            write(Path(name))
        assert ".part" not in str(error.value)
    assert Path("kept").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "kept", "loop"]


@contextmanager
def full_disk():
    """Let no file grow beyond 4 KB, like a disk that is full after that."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def print_book(file):
    book = PdfWriter()
    for _ in range(500):
        book.add_blank_page(99, 99)
    book.write(file)


def open_store(folder, names):
    """Return a store with a long row by each name."""
    store = Store(folder)
    for name in names:
        store.file(name).write_text("{}")
    store.row = lambda name: {"number": name * 9 + str(id(name))}
    return store


@posix
def test_a_full_disk_leaves_the_good_file_and_the_error_names_it(
    tmp_path, benchmark_sample, monkeypatch
):
    import fit  # here, because it imports scikit-learn, which takes a second

    values, rows = load_values(), benchmark_sample[:20000]
    print_book(tmp_path / "printed")
    names = [f"{number:064}" for number in range(40)]
    store = open_store(tmp_path, names)
    # Bytecode would be cut off at the limit, without an error.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    writers = {
        "openings.csv.gz": lambda file: solve_openings.write(file, values),
        "judged.csv.gz": lambda file: judge_positions.write(file, rows),
        "fit.json": lambda file: fit.write(file, {"weights": [*range(9999)]}),
        "report.pdf": lambda file: _write_reproducible_pdf(tmp_path / "printed", file),
        "rows.jsonl": lambda file: store.compact(names * 20),
    }
    for name, write_file in writers.items():
        file = tmp_path / name
        file.write_text("good")
        with full_disk(), pytest.raises(OSError, match=re.escape(str(file))) as error:
            write_file(file)
        assert ".part" not in str(error.value)
        assert file.read_text() == "good"
    assert {path.name for path in tmp_path.iterdir()} == {*writers, "points", "printed"}


HOLDS = """
import sys
from pathlib import Path
from kalahlab.files import atomic_write, temporary_folder

folder = Path(sys.argv[1])
with atomic_write(folder / "file") as part, temporary_folder(".building-", folder) as built:
    part.write_text("half")
    (built / "page").write_text("half")
    print("holds", flush=True)
    sys.stdin.readline()
"""


@posix
def test_parts_of_killed_processes_are_removed_and_of_living_ones_not(tmp_path):
    with start_python(HOLDS, str(tmp_path)) as process:
        assert process.stdout is not None
        process.stdout.readline()
        held = sorted(tmp_path.iterdir())
        assert len(held) == 3
        remove_leftovers(tmp_path)
        remove_leftovers(tmp_path, ".building-")
        write(tmp_path / "other")
        assert sorted(tmp_path.iterdir()) == sorted([*held, tmp_path / "other"])
        process.send_signal(signal.SIGKILL)
    write(tmp_path / "third")  # this process cleans a folder only once
    remove_leftovers(tmp_path)
    with temporary_folder(".building-", tmp_path):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "third"]
