"""A new notebook in the form of the report's own, and what such a page needs besides.

`new_notebook.ipynb` is the notebook that is copied: it runs as it is.
"""

import re
import shlex
from pathlib import Path

import nbformat

from kalahlab.data import notebooks_folder
from kalahlab.files import write_atomic
from kalahlab.report.cells import number_of
from kalahlab.report.sources import NUMBERED

TEMPLATE = Path(__file__).with_suffix(".ipynb")
NAME = re.compile(r"\d\d_[a-z0-9_]+\.ipynb")
TERMS = "00_definitions.ipynb"  # the page of the report that explains its terms
# What a page of the report needs besides, by the file to change; docs/extending.md has it, too.
CHECKLIST = {
    "The first cell": "a title that ends with `?`, **The question.**, and a link to "
    "`00_definitions.ipynb`.",
    "Each cell": "at most 15 lines; imports first, one a line, at most 15.",
    "Figures and tables": "made in a cell with the id `figure-NAME` or `table-NAME`; a figure has "
    "a description of 5 words or more.",
    "The finding": "at most 25 words without brackets, true at every size.",
    "The last two cells": "`## The answer`, and one Markdown output.",
    "`notebooks/profiles.toml`": '`[tiny."NN_name"]`, as small as possible, and '
    '`[default."NN_name"]`, the size of the report; in `longest` if it takes long.',
    "`notebooks/guide.toml`": "a line in a reading list.",
    "`data/columns.csv`": "the meaning of each new column; then "
    "`python data/make/describe_data.py data`.",
    "`data/exercises.toml`": 'a table for each `check("NN.1", ...)`; a function in `PAGES` of '
    "`tests/report/test_exercises.py` computes the answers again.",
    "`data/claims.csv`": "a row for each `claim(...)`.",
    "`data/references.json`": "each source that the page cites.",
    "`tests/report/properties/`": "what its tables hold at any size: `NN_name.py` or `rows.csv`.",
    "Outputs": "`python tools/outputs.py NN_name` renews them after each change; nothing in them "
    "differs from run to run.",
}


def write_new_notebook(file: Path, title: str) -> None:
    """Write a notebook that asks `title`, with a table, a figure, a finding and an answer.

    Raises:
        ValueError: The file exists, its name is not like `01_question.ipynb`, its number is that
            of another notebook in the folder, or the title is no question.
    """
    where = f"FILE is {str(file)!r}"
    if not NAME.fullmatch(file.name):
        raise ValueError(f"{where}; give two digits and a name, such as 01_question.ipynb")
    if not title.strip().endswith("?"):
        raise ValueError(f"--title is {title!r}; ask a question that ends with '?'")
    number = number_of(file.stem)
    for other in sorted(file.parent.glob(NUMBERED)):
        if number_of(other.stem) == number:
            raise ValueError(f"{where}, but {other.name} has this number; give another one")
    notebook = nbformat.read(TEMPLATE, as_version=4)
    for cell in notebook.cells:
        cell.source = cell.source.replace("Artifacts(0,", f"Artifacts({number},")
        cell.source = re.sub(r"(?<=\[)(Figure|Table) 0\.", rf"\1 {number}.", cell.source)
    first = notebook.cells[0]
    _, text = first.source.split("\n", 1)
    first.source = f"# {' '.join(title.split())}\n{text}"
    if (file.parent / TERMS).exists():
        first.source += f"\n\nThe page of [definitions]({TERMS}) has all terms."
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, nbformat.writes(notebook) + "\n")


def list_steps(file: Path) -> list[str]:
    """Return what to do with a new notebook: for a page of the report, the whole checklist."""
    if file.parent.resolve() == notebooks_folder().resolve():
        steps = [f"{place}: {what}" for place, what in CHECKLIST.items()]
        number = f"{number_of(file.stem)}"
        return [step.replace("NN_name", file.stem).replace("NN", number) for step in steps]
    return [
        "Change the question, the cells and the answer. Each cell that makes a figure or table has "
        "the id `figure-NAME` or `table-NAME`.",
        "Make the finding one sentence of at most 25 words without brackets.",
        f"Build the pages: `kalahlab report --notebooks {shlex.quote(str(file.parent))}`.",
    ]
