"""Commands work without the optional packages, or name the extra that installs what they need."""

import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from kalahlab.extras import EXTRAS
from tests.conftest import FORK_KERNELS, run_commands

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GRID = 'algorithms = ["alpha_beta"]\nevaluators = ["e1"]\ndepths = [1]\nopenings = 2\n'
SMALL = "<3,0,0,2,2,2,2,2,2>"
# As after `pip install kalahlab`: an import of None is a ModuleNotFoundError, but not in kernels.
FIRST = """
import sys
from kalahlab.extras import EXTRAS

sys.modules.update(dict.fromkeys(EXTRAS))
"""
WORKING = [
    f"search '{SMALL}' --depth 4 --tree tree.svg",
    f"search '{SMALL}' --depth 4 --backend engine",
    f"explore '{SMALL}' --depth 2 --out page.html",
    "play --south level1 --north random:1 --pits 3 --stones 2",
    "match alpha_beta:e1:2 random:1 --openings 4 --out games",
    "tournament alpha_beta:e1:2 random:1 --openings 2",
    f"solve '{SMALL}'",
    "judge alpha_beta:e1:1 --board 6,4",
    "report --only 00_definitions --profile tiny --out report",
    "slides 00_definitions --report report",
]
# The status of each command, and how its only message ends.
LACKING = {
    "pdf --report report": (
        1,
        "playwright, which is not installed: pip install 'kalahlab[print]'\n",
    ),
    "grid grid.toml --out rows --scheduler tcp://localhost:1": (
        1,
        "dask, which is not installed: pip install 'kalahlab[cluster]'\n",
    ),
    "grid grid.toml --out rows": (
        0,
        "note: rows.parquet is not written; it needs pyarrow, which is not installed: "
        "pip install 'kalahlab[parquet]'\n",
    ),
    "report --only 13 --profile tiny": (
        2,
        "13_strength needs sklearn, which is not installed: pip install 'kalahlab[report]'\n",
    ),
}


def test_each_optional_module_comes_with_the_extra_that_is_named():
    extras = PROJECT["optional-dependencies"]
    distributions = packages_distributions()
    for module, extra in EXTRAS.items():
        name = distributions[module][0].replace("_", "-")
        # distributed requires dask.
        assert name in extras[extra] or (module, extra) == ("dask", "cluster")
        assert name not in PROJECT["dependencies"]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("light")
    (folder / "grid.toml").write_text(GRID, encoding="utf-8")
    results = run_commands(folder, [*WORKING, *LACKING], FIRST + FORK_KERNELS)
    results["files"] = sorted(path.name for path in (folder / "rows").iterdir())
    return results


@pytest.mark.parametrize("line", WORKING)
def test_a_command_works_without_the_optional_packages(results, line):
    status, _, message = results[line]
    assert status == 0
    assert "pip install" not in message


@pytest.mark.parametrize("line", LACKING)
def test_a_command_that_lacks_a_package_names_its_extra_in_one_line(results, line):
    status, _, message = results[line]
    assert (status, message.count("\n")) == (LACKING[line][0], 1)
    assert message.endswith(LACKING[line][1])


def test_a_grid_without_pyarrow_has_its_rows_as_json_and_csv(results):
    assert {"rows.csv", "rows.jsonl"} < {*results["files"]}
    assert "rows.parquet" not in results["files"]
