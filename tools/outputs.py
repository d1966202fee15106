"""The notebooks as they are committed: outputs, numbers of figures and the list of sources.

    python tools/outputs.py [NOTEBOOK ...]

runs these, or all, with their own parameters, and numbers what their texts refer to.
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


def numbers(notebook: NotebookNode, stem: str) -> dict[str, str]:
    """The number of each artifact, "5.2", by the id of the cell that makes it, "figure-nodes"."""
    by_id, counts = dict[str, str](), Counter[str]()
    for cell in notebook.cells:
        for kind, name in MADE.findall(cell.source) if cell.cell_type == "code" else ():
            id = f"{WORDS[kind].lower()}-{name}"
            counts[WORDS[kind]] += id not in by_id
            by_id.setdefault(id, f"{number_of(stem)}.{counts[WORDS[kind]]}")
    return by_id


def all_numbers(folder: Path) -> dict[str, dict[str, str]]:
    paths = folder.glob("*.ipynb")
    return {path.name: numbers(nbformat.read(path, as_version=4), path.stem) for path in paths}


def renumber(text: str, file: str, numbers_by_file: Mapping[str, Mapping[str, str]]) -> str:
    """A cell's text with the right numbers in its references; `ValueError` names a false one."""

    def right(match: re.Match[str]) -> str:
        word, other, id = match.groups()
        number = numbers_by_file.get(other or file, {}).get(id)
        if number is None or not id.startswith(word.lower()):
            raise ValueError(f"{file}: {match[0]} leads to no such cell")
        return f"[{word} {number}]({other or ''}#cell-id={id})"

    return REFERENCE.sub(right, text)


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run a notebook with its own parameters, and keep nothing of this moment."""
    place = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, kernel_name=KERNEL, resources=place, timeout=None).execute()
    notebook.metadata = {
        "kernelspec": notebook.metadata.kernelspec,
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            if WIDGET in output.get("data", {}):
                output.data[WIDGET]["model_id"] = cell.id  # else another one in each run


def as_markdown() -> str:
    """The list of sources beside the notebooks, to which their citations lead."""
    lines = ["# References", ""]
    for key, source in bibliography().items():
        place = f"{source['place']}. " if source["place"] else ""
        link = f"<{source['link']}>" if source["link"] else ""
        by = f"{source['by'].rstrip('.')}. " if source["by"] else ""
        title = f"**{source['short']}.** {by}*{source['title']}.*"
        lines.append(f'- <a id="{key}"></a>{title} {place}{link}'.rstrip())
    return "\n".join(lines) + "\n"


def main(names: Iterable[str] = (), run: bool = True) -> None:
    """Write the outputs and numbers of notebooks anew. run: else only the numbers."""
    folder = notebooks_folder()
    paths = [folder / f"{name}.ipynb" for name in names] or sorted(folder.glob("*.ipynb"))
    numbers_by_file = all_numbers(folder)
    with private_kernel(PACKAGE.parent):
        for path in paths:
            notebook = nbformat.read(path, as_version=4)
            for cell in notebook.cells:
                cell.source = renumber(cell.source, path.name, numbers_by_file)
            if run:
                print(path.stem, flush=True)
                execute(notebook, folder)
            nbformat.write(notebook, path)
    (folder / f"{REFERENCES}.md").write_text(as_markdown(), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NOTEBOOK", help="such as 05_grid")
    parser.add_argument("--no-run", action="store_true", help="renew the numbers only")
    given = parser.parse_args()
    main(given.names, not given.no_run)
