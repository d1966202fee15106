"""Names of the code as people read them: on pages, in LaTeX and in figures."""

import json
import re
from pathlib import Path

from kalahlab.evaluators.kalah import EVALUATORS, STAGED_TERMS
from kalahlab.search import ALGORITHMS, ORDERS

NAMES = [name for name in (*ALGORITHMS, *ORDERS, *EVALUATORS, *STAGED_TERMS) if "_" in name]
# Files of numbers, commands and calls keep the names of the code.
OWN = json.loads(Path(__file__).with_name("labels.json").read_text(encoding="utf-8"))
LABELS = {name: name.replace("_", " ") for name in NAMES} | OWN
# A bare identifier in text.
NAME = re.compile(r"(?<![\w/.:#])(?:mtdf|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\w(]|:\w)")
QUOTED = re.compile(r"(`[^`]*`)")


def readable(text: str) -> str:
    return NAME.sub(lambda found: LABELS.get(found[0], found[0]), text)


def readable_prose(markdown: str) -> str:
    parts = QUOTED.split(markdown)
    return "".join(part if part.startswith("`") else readable(part) for part in parts)
