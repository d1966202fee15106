"""Renew the committed notebooks: outputs, numbers of figures and the list of sources.

    python tools/outputs.py [NOTEBOOK ...]

runs these, or all, with their own parameters, and updates the numbers of references.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from kalahlab.data import notebooks_folder
from kalahlab.report.cells import WIDGET, number_of
from kalahlab.report.items import WORDS
from kalahlab.report.pages import REFERENCES, bibliography
from kalahlab.report.run import KERNEL, private_kernel
from kalahlab.report.sources import PACKAGE

MADE = re.compile(r"\bartifacts\.(figure|table|page|listing)\(\s*\"([\w-]+)\"")
REFERENCE = re.compile(
    r"\[(Figure|Table|Listing)[\s\d.]*\]\((\w+\.ipynb)?#cell-id=((?:figure|table|listing)-[\w-]+)\)"
)
"""`[Figure 5.2](#cell-id=figure-nodes)`: a link to the cell with that id, here or elsewhere."""


def number_artifacts(notebook: NotebookNode, stem: str) -> dict[str, str]:
    """Return the number of each artifact, "5.2", by the id of its cell, "figure-nodes"."""
    by_id: dict[str, str] = {}
    counts = Counter[str]()
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        for kind, name in MADE.findall(cell.source):
            id = f"{WORDS[kind].lower()}-{name}"
            if id not in by_id:
                counts[WORDS[kind]] += 1
                by_id[id] = f"{number_of(stem)}.{counts[WORDS[kind]]}"
    return by_id


def number_all_artifacts(folder: Path) -> dict[str, dict[str, str]]:
    paths = folder.glob("*.ipynb")
    return {
        path.name: number_artifacts(nbformat.read(path, as_version=4), path.stem) for path in paths
    }


def renumber(text: str, file: str, numbers_by_file: Mapping[str, Mapping[str, str]]) -> str:
    """Return a cell's text with the right numbers in its references.

    Raise ValueError for a reference that leads to no cell.
    """

    def correct(match: re.Match[str]) -> str:
        word, other, id = match.groups()
        number = numbers_by_file.get(other or file, {}).get(id)
        if number is None or not id.startswith(word.lower()):
            raise ValueError(f"{file}: {match[0]} leads to no such cell")
        return f"[{word} {number}]({other or ''}#cell-id={id})"

    return REFERENCE.sub(correct, text)


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run a notebook with its own parameters; remove times and ids that change with each run."""
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, kernel_name=KERNEL, resources=resources, timeout=None).execute()
    notebook.metadata = {
        "kernelspec": notebook.metadata.kernelspec,
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            if WIDGET in output.get("data", {}):
                output.data[WIDGET]["model_id"] = cell.id  # otherwise random


def format_references() -> str:
    """Return the list of sources in Markdown, to which the notebooks' citations lead."""
    lines = ["# References", ""]
    for key, source in bibliography().items():
        parts = [f"**{source['citation']}.**"]
        if source["authors"]:
            parts.append(f"{source['authors'].rstrip('.')}.")
        parts.append(f"*{source['title']}.*")
        if source["place"]:
            parts.append(f"{source['place']}.")
        if source["link"]:
            parts.append(f"<{source['link']}>")
        lines.append(f'- <a id="{key}"></a>{" ".join(parts)}')
    return "\n".join(lines) + "\n"


def main(names: Iterable[str] = (), run: bool = True) -> None:
    """Update the outputs and the numbers of notebooks; only the numbers if not `run`."""
    folder = notebooks_folder()
    paths = [folder / f"{name}.ipynb" for name in names] or sorted(folder.glob("*.ipynb"))
    numbers_by_file = number_all_artifacts(folder)
    with private_kernel(PACKAGE.parent):
        for path in paths:
            notebook = nbformat.read(path, as_version=4)
            for cell in notebook.cells:
                cell.source = renumber(cell.source, path.name, numbers_by_file)
            if run:
                print(path.stem, flush=True)
                execute(notebook, folder)
            nbformat.write(notebook, path)
    (folder / f"{REFERENCES}.md").write_text(format_references(), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NOTEBOOK", help="such as 05_grid")
    parser.add_argument("--no-run", action="store_true", help="renew the numbers only")
    arguments = parser.parse_args()
    main(arguments.names, not arguments.no_run)
