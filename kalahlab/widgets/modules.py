"""ES modules joined into one, so that a widget needs no build step and no outside import.

What may stand in a module is little, so that joining is cutting: imports are whole lines
`import { a, b } from "../shared/other.js";` at the top, names are exported where they are
declared, and only the first module has an `export default`. All names share one scope when
joined, so each is declared in one module only.
"""

import re
from pathlib import Path

IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.\.?/[\w/-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class)\b)", re.MULTILINE)
DECLARED = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE
)
INDENT = re.compile(r"^[ ]+(?=\S)|^[ ]*//.*\n", re.MULTILINE)


def join(entry: Path) -> str:
    """The module and all that it imports, those imported first, without comment lines.

    Raises `ValueError` for an import or an export of another form, for a name that the
    other module does not export, and for a name that two modules declare.
    """
    texts: dict[Path, str] = {}
    _gather(entry.resolve(), texts)
    owners: dict[str, str] = {}
    for file, text in texts.items():
        for declared in DECLARED.findall(text):
            if declared in owners:
                raise ValueError(f"{declared} is declared in {owners[declared]} and in {file.name}")
            owners[declared] = file.name
    *imported, first = texts.items()
    return "".join(_cut(*each) for each in imported) + _cut(*first, "export default")


def _gather(file: Path, texts: dict[Path, str], above: tuple[Path, ...] = ()) -> None:
    if file in above:
        names = " -> ".join(each.name for each in (*above, file))
        raise ValueError(f"modules import each other: {names}")
    if file in texts:
        return
    text = file.read_text(encoding="utf-8")
    for names, path in IMPORT.findall(text):
        other = (file.parent / path).resolve()
        _gather(other, texts, (*above, file))
        for name in re.findall(r"\w+", names):
            if not re.search(rf"^export .*\b{name}\b", texts[other], re.MULTILINE):
                raise ValueError(f"{file.name} imports {name}, which {other.name} does not export")
    texts[file] = text


def _cut(file: Path, text: str, allowed: str = "") -> str:
    text = INDENT.sub("", EXPORT.sub("", IMPORT.sub("", text)))
    for line in re.findall(r"^(?:import|export)\b.*$", text, re.MULTILINE):
        if not (allowed and line.startswith(allowed)):
            raise ValueError(f"{file.name} has a line that cannot be joined: {line}")
    return text
