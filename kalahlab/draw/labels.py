"""Labels that replace names of the code for readers: on pages, in LaTeX and in figures.

Files of numbers, commands and calls keep the names of the code.
"""

import json
import re
from pathlib import Path

from kalahlab.evaluators.kalah import EVALUATORS, STAGED_TERMS
from kalahlab.search import ALGORITHMS, ORDERS

CODE_NAMES = [name for name in (*ALGORITHMS, *ORDERS, *EVALUATORS, *STAGED_TERMS) if "_" in name]
SPECIAL_LABELS = json.loads(Path(__file__).with_name("labels.json").read_text(encoding="utf-8"))
LABELS = {name: name.replace("_", " ") for name in CODE_NAMES} | SPECIAL_LABELS
# An identifier in a text, such as alpha_beta, that is not a part of a path (data/alpha_beta), a
# call (alpha_beta(...)) or an import path (search.alpha_beta, search:alpha_beta). It has an
# underscore, or is `mtdf`: other single words, such as minimax, are words of the text.
IDENTIFIER = re.compile(r"(?<![\w/.:#])(?:mtdf|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\w(]|:\w)")
INLINE_CODE = re.compile(r"(`[^`]*`)")  # a group, so that `split` also returns the code


def replace_identifiers(text: str) -> str:
    """Replace the names of the code in a text by their labels."""
    return IDENTIFIER.sub(lambda match: LABELS.get(match[0], match[0]), text)


def replace_identifiers_in_prose(markdown: str) -> str:
    """Replace the names of the code in Markdown, except between backticks."""
    parts = INLINE_CODE.split(markdown)
    for index, part in enumerate(parts):
        if not part.startswith("`"):
            parts[index] = replace_identifiers(part)
    return "".join(parts)
