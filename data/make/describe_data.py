"""Make `data/datapackage.json`, which describes the CSV files of `data/` for other programs.

python data/make/describe_data.py data
"""

import re
import sys
from pathlib import Path

from kalahlab.files import atomic_write
from kalahlab.report.datapackage import FILE, data_package


def of_data(folder: Path) -> str:
    """Return the description of `data/`, with titles from the headings of its README.md."""
    readme = (folder / "README.md").read_text(encoding="utf-8")
    headings = re.findall(r"^### (`[^\n]*?)(?:: ([^\n]*))?$", readme, re.MULTILINE)
    titles = {}
    for names, title in headings:
        for name in re.findall(r"`([^`]+\.csv(?:\.gz)?)`", names):
            titles[name] = " ".join(title.split())
    names_of_files = sorted(path.name for path in folder.iterdir())
    csv_names = [name for name in names_of_files if name.endswith((".csv", ".csv.gz"))]
    files = {name: titles.get(name) or name for name in csv_names}
    title = "Kalah: what five documents print, and what is solved"
    return data_package(folder, "kalahlab-data", title, files)


if __name__ == "__main__":
    data_folder = Path(sys.argv[1])
    with atomic_write(data_folder / FILE) as part:
        part.write_text(of_data(data_folder), encoding="utf-8")
