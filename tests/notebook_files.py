"""Notebooks of a few cells, written and read by tests of the report."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

PARAMETERS = "depth = 3\nout = None"


def write(folder, stem, *cells, parameters=PARAMETERS):
    notebook = new_notebook(
        cells=[
            new_markdown_cell(f"# The page of {stem}\n\nWhat does {stem} show?\n\n## A part"),
            new_code_cell(parameters, metadata={"tags": ["parameters"]}, id="parameters"),
            *(new_code_cell(cell.strip(), id=f"cell-{i}") for i, cell in enumerate(cells)),
        ]
    )
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "P", "language": "python"}
    nbformat.write(notebook, folder / f"{stem}.ipynb")


def read(out, stem):
    return nbformat.read(out / f"{stem}.ipynb", as_version=4)
