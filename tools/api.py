"""Write the documentation of the package's interface as pages."""

import argparse
import builtins
import os
from pathlib import Path

ROOMS = [
    "games",
    "evaluators",
    "search",
    "trace",
    "engine",
    "solver",
    "players",
    "experiments",
    "parallel",
    "matches",
]
PUBLIC = ["kalahlab", *(f"kalahlab.{room}" for room in ROOMS)]


def write_pages(folder: Path, modules: list[str]) -> None:
    """Write a page for each module; the imports are here, as --help needs none of them."""
    import pandas as pd
    from pdoc import pdoc, render

    from kalahlab.search import ALGORITHMS
    from kalahlab.search.tree import Tree

    os.environ["PDOC_ALLOW_EXEC"] = "1"  # matplotlib runs a program that lists the fonts

    # pdoc evaluates annotations, and a Series takes parameters for type checkers only.
    pd.Series.__class_getitem__ = classmethod(lambda cls, _: cls)
    # The type of a move order names the tree, which not all modules with an order import.
    builtins.Tree = Tree  # type: ignore[attr-defined]

    # pdoc shows the function inside a decorator, whose arguments are not those of a search.
    for search in ALGORITHMS.values():
        del search.__wrapped__

    render.configure(show_source=False)
    pdoc(*modules, output_directory=folder)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("folder", type=Path, help="where the pages are written")
parser.add_argument("modules", nargs="*", default=PUBLIC, metavar="module")
arguments = parser.parse_args()
write_pages(arguments.folder, arguments.modules)
