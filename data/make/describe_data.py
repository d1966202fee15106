"""`data/datapackage.json`: the CSV files of `data/`, described for programs that read them.

python data/make/describe_data.py data
"""

import re
import sys
from pathlib import Path

from kalahlab.files import atomic_write
from kalahlab.report.datapackage import FILE, data_package


def of_data(folder: Path) -> str:
    """The description of `data/`, its titles from the headings of its README.md."""
    readme = (folder / "README.md").read_text(encoding="utf-8")
    titles = {
        name: " ".join(title.split())
        for names, title in re.findall(r"^### (`[^\n]*?)(?:: ([^\n]*))?$", readme, re.MULTILINE)
        for name in re.findall(r"`([^`]+\.csv(?:\.gz)?)`", names)
    }
    there = sorted(path.name for path in folder.iterdir())
    files = {name: titles.get(name) or name for name in there if name.endswith((".csv", ".csv.gz"))}
    title = "Kalah: what five documents print, and what is solved"
    return data_package(folder, "kalahlab-data", title, files)


if __name__ == "__main__":
    where = Path(sys.argv[1])
    with atomic_write(where / FILE) as part:
        part.write_text(of_data(where), encoding="utf-8")
