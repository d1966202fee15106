"""Print what `pip install kalahlab` brings: its large packages, and why each is there.

python -m venv core && core/bin/pip install .
python tools/core_packages.py core
"""

import re
import sys
from importlib.metadata import Distribution, distributions
from pathlib import Path

LARGE_MB = 10  # the least size of a package that has a row
NOT_BROUGHT = {"kalahlab", "pip", "setuptools"}  # the package itself, and what venv installs
# Why the package itself depends on these; the other rows name which of these needs them.
REASONS = {
    "fonttools": "the fonts in PDFs",
    "jupyterlab": "`make lab`: the notebooks, to read and to change",
    "matplotlib": "the figures",
    "numba": "compiles the engine and the solver",
    "pandas": "the tables",
    "scipy": "Student's t, rank correlations",
}


def to_key(name: str) -> str:
    """Return the name of a package as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def list_requirements(package: Distribution) -> set[str]:
    """Return the keys of the packages that one requires, without its extras."""
    keys = set[str]()
    for requirement in package.requires or ():
        if "extra ==" not in requirement:
            keys.add(to_key(re.split(r"[^\w.-]", requirement)[0]))
    return keys


def collect_requirements(key: str, packages: dict[str, Distribution]) -> set[str]:
    """Return the keys of a package and of all that it needs."""
    needed, waiting = set[str](), [key]
    while waiting:
        last = waiting.pop()
        if last in packages and last not in needed:
            needed.add(last)
            waiting += list_requirements(packages[last])
    return needed


def measure_megabytes(package: Distribution) -> float:
    """Return the size of a package's files, without bytecode, which installers write or do not."""
    paths = [Path(str(file.locate())) for file in package.files or () if file.suffix != ".pyc"]
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def main() -> None:
    """Print the table of the environment in the folder that is named."""
    [site] = Path(sys.argv[1]).glob("lib/python*/site-packages")
    packages = {to_key(package.name): package for package in distributions(path=[str(site)])}
    direct = sorted(list_requirements(packages["kalahlab"]))
    sizes = {key: measure_megabytes(packages[key]) for key in packages.keys() - NOT_BROUGHT}
    print(f"{len(sizes)} packages, {sum(sizes.values()):.0f} MB without bytecode.\n")
    print("| package | MB | why |\n|:--|--:|:--|")
    for key in sorted(sizes, key=lambda key: -sizes[key]):
        users = [
            name for name in direct if name != key and key in collect_requirements(name, packages)
        ]
        why = REASONS.get(key, f"needed by {', '.join(users)}")
        if sizes[key] >= LARGE_MB:
            print(f"| {key} | {sizes[key]:.0f} | {why} |")


if __name__ == "__main__":
    main()
