"""Describe `data/ledger` as a data package (Frictionless Data), with the SHA-256 of each file.

python data/make/ledger_package.py data/ledger
"""

import sys
from hashlib import sha256
from pathlib import Path

from kalahlab.files import atomic_write
from kalahlab.formatting import to_json

TITLES = {
    "check.py": "a checker in Python's standard library alone",
    "kalah-6-standard.txt": "the certificate under the standard rule: +4",
    "kalah-6-empty-capture.txt": "the certificate under empty capture: +2",
    "second/kalah-6-standard.txt": "pieces under the standard rule proved again, with the nodes",
    "second/kalah-6-empty-capture.txt": "pieces under empty capture proved again, with the nodes",
}


def package(folder: Path) -> str:
    """Return the description of the ledger, as JSON."""
    content = {name: (folder / name).read_bytes() for name in TITLES}
    description = {
        "profile": "data-package",
        "name": "kalah-6-6-certificate",
        "title": "Certificates of the value of Kalah(6,6) under two rules of capture",
        "licenses": [{"name": "MIT", "title": "MIT License"}],
        "resources": [
            {
                "name": name.rpartition(".")[0].replace("/", "-"),
                "path": name,
                "title": TITLES[name],
                "bytes": len(data),
                "hash": f"sha256:{sha256(data).hexdigest()}",
            }
            for name, data in content.items()
        ],
    }
    return to_json(description, indent=1) + "\n"


if __name__ == "__main__":
    ledger_folder = Path(sys.argv[1])
    with atomic_write(ledger_folder / "datapackage.json") as part:
        part.write_text(package(ledger_folder), encoding="utf-8")
