"""ES modules joined into one, so that a widget needs no build step and no outside import.

What may stand in a module is little, so that joining is cutting: imports are whole lines
`import { a, b } from "./other.js";` at the top, names are exported where they are declared,
and only the first module has an `export default`. All names share one scope when joined, so
each is declared in one module only.
"""

import re
from pathlib import Path

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
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
    texts: dict[str, str] = {}
    _gather(entry, texts)
    owners: dict[str, str] = {}
    for name, text in texts.items():
        for declared in DECLARED.findall(text):
            if declared in owners:
                raise ValueError(f"{declared} is declared in {owners[declared]} and in {name}")
            owners[declared] = name
    return "".join(_cut(name, text, name == entry.name) for name, text in texts.items())


def _gather(file: Path, texts: dict[str, str], above: tuple[str, ...] = ()) -> None:
    if file.name in above:
        raise ValueError(f"modules import each other: {' -> '.join((*above, file.name))}")
    if file.name in texts:
        return
    text = file.read_text(encoding="utf-8")
    for names, other in IMPORT.findall(text):
        _gather(file.with_name(other), texts, (*above, file.name))
        for name in re.findall(r"\w+", names):
            if not re.search(rf"^export .*\b{name}\b", texts[other], re.MULTILINE):
                raise ValueError(f"{file.name} imports {name}, which {other} does not export")
    texts[file.name] = text


def _cut(name: str, text: str, first: bool) -> str:
    text = INDENT.sub("", EXPORT.sub("", IMPORT.sub("", text)))
    left = re.search(r"^(import\b.*|export\b(?! default).*)$", text, re.MULTILINE)
    left = left or (None if first else re.search(r"^export default.*$", text, re.MULTILINE))
    if left:
        raise ValueError(f"{name} has a line that cannot be joined: {left[0]}")
    return text
