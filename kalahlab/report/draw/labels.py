"""Names of the code as people read them: on pages, in LaTeX and in figures."""

import re

from kalahlab.words import tables

NAME = re.compile(r"(?<![\w/.:])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w(]|:\w)")
"""A name of the code that stands by itself: no part of a path, a player or a call."""

QUOTED = re.compile(r"(`[^`]*`)")


def readable(text: str) -> str:
    """The text with the names of `data/words/names.toml` as people read them."""
    labels = tables("names")["labels"]
    return NAME.sub(lambda found: str(labels.get(found[0], found[0])), text)


def readable_prose(markdown: str) -> str:
    """As `readable`; what stands between backquotes is code, and stays."""
    parts = QUOTED.split(markdown)
    return "".join(part if part.startswith("`") else readable(part) for part in parts)
