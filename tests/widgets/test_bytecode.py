"""A page's Python in compiled files: they are imported as their sources would be."""

import sys
from pathlib import Path

import pytest

from kalahlab.widgets.bytecode import compiled, compiled_by_pyodide, module_name, zipped
from kalahlab.widgets.runtime import FILES, FOLDER

FILES_OF_A_ZIP = {
    "left_alone.py": b"print('as it was')\n",
    "some_words.txt": b"no module\n",
    "zoo_package/__init__.py": b"from zoo_package.animals import LEGS\n",
    "zoo_package/animals.py": b"'''Of animals.'''\nLEGS = 4\n",
}
NAMES = {"zoo_package", "zoo_package.animals"}


def test_compiled_modules_are_imported_from_the_zip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "zoo.zip"
    file.write_bytes(compiled(zipped(FILES_OF_A_ZIP), NAMES))
    monkeypatch.syspath_prepend(file)
    import zoo_package.animals  # type: ignore[import-not-found]

    try:
        assert zoo_package.LEGS == 4
        assert zoo_package.animals.__doc__ == "Of animals."
        assert zoo_package.animals.__file__.endswith("animals.pyc")
    finally:
        for name in NAMES:
            del sys.modules[name]


def test_the_same_files_give_the_same_bytes_and_other_files_stay() -> None:
    from io import BytesIO
    from zipfile import ZipFile

    packed = zipped(FILES_OF_A_ZIP)
    assert compiled(packed, NAMES) == compiled(packed, NAMES)
    with ZipFile(BytesIO(zipped({"added.txt": b"1"}, compiled(packed, NAMES)))) as found:
        assert found.namelist() == [
            "left_alone.py",
            "some_words.txt",
            "zoo_package/__init__.pyc",
            "zoo_package/animals.pyc",
            "added.txt",
        ]
        assert found.read("left_alone.py") == FILES_OF_A_ZIP["left_alone.py"]


def test_a_file_is_imported_by_its_place() -> None:
    names = ["asyncio", "asyncio.locks", "", "zipfile"]
    files = ["asyncio/__init__.py", "asyncio/locks.py", "data/levels.csv", "zipfile.py"]
    assert [*map(module_name, files)] == names


def test_without_node_sources_stay_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name, path: None)
    packed = zipped(FILES_OF_A_ZIP)
    assert compiled_by_pyodide(packed, NAMES, tmp_path, "zoo") == packed
    assert [*tmp_path.iterdir()] == []


def test_a_compiler_that_fails_leaves_the_sources(tmp_path: Path) -> None:
    packed = zipped(FILES_OF_A_ZIP)  # no Pyodide in that folder
    assert compiled_by_pyodide(packed, NAMES, tmp_path, "zoo") == packed
    assert [*tmp_path.iterdir()] == []


def test_what_pyodide_compiled_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in FILES.values():
        (tmp_path / name).symlink_to(FOLDER / name)
    for name in FOLDER.glob("*.json"):
        (tmp_path / name.name).symlink_to(name)
    packed = zipped(FILES_OF_A_ZIP)
    found = compiled_by_pyodide(packed, NAMES, tmp_path, "zoo")
    assert found != packed
    assert [file.suffix for file in tmp_path.glob("zoo-*")] == [".zip"]
    monkeypatch.setattr("shutil.which", lambda name, path: None)
    assert compiled_by_pyodide(packed, NAMES, tmp_path, "zoo") == found
    [kept] = tmp_path.glob("zoo-*.zip")
    for at in range(0, len(found), 20):
        kept.write_bytes(found[:at] + bytes([found[at] ^ 1]) + found[at + 1 :])
        assert compiled_by_pyodide(packed, NAMES, tmp_path, "zoo") == packed
    kept.write_bytes(found[: len(found) // 2])
    assert compiled_by_pyodide(packed, NAMES, tmp_path, "zoo") == packed
