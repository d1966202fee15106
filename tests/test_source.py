"""What holds of every file here. Which module may import which is for import-linter to say."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = [file for file in (ROOT / "kalahlab").rglob("*.*") if "__pycache__" not in file.parts]
SHOWN = [file for folder in ("app", "docs", "notebooks") for file in (ROOT / folder).rglob("*.*")]
OTHERS = [*ROOT.glob("*.md"), *ROOT.glob("*.t*"), *ROOT.glob("requirements/*")]
TEXTS = [*PACKAGE, *SHOWN, *OTHERS, *(ROOT / "data").glob("*.[cjm]*")]

MACHINE = re.compile(r"(?<![\w<.])/(?:home|work|tmp|usr|root|var|Users|opt|mnt|srv)/")
HOST = re.compile(r"\bhttps?://([^\s/\"'<>)\\]+)")
HOSTS = {"doi.org", "jfly.uni-koeln.de", "keepachangelog.com", "semver.org", "www.w3.org"}
HOSTS |= {"en.wikipedia.org", "github.com"}  # where Rawlings gave his values; grading cases
"""Those that may be named: none is asked for anything."""
SKIPPED = re.compile(
    r"pytest\.(?:skip|importorskip|mark\.skip|mark\.xfail)(?!.*(?:platform|os\.name))"
)


def test_no_file_names_a_path_of_a_machine_or_a_host_to_load_from():
    assert len(TEXTS) > 150
    for file in TEXTS:
        text = file.read_bytes().decode("utf-8", errors="ignore")
        assert not MACHINE.search(text.replace(r"\n", "\n")), file
        assert set(HOST.findall(text)) <= HOSTS, file


def test_no_function_is_longer_than_50_lines():
    long = [
        (file, node.name)
        for file in PACKAGE
        if file.suffix == ".py"
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if node.end_lineno - node.lineno >= 50
    ]
    assert long == []


def test_no_test_is_skipped_for_want_of_something():
    """One that is about another system may be."""
    for file in (ROOT / "tests").rglob("*.py"):
        assert not SKIPPED.search(file.read_text(encoding="utf-8")), file
