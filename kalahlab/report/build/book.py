"""What the pages of a report refer to, and how: figures by number, sources by author and year.

In Markdown, `[Figure](#regret)` is a figure of this notebook, `[Table](07_perfect_play.ipynb#ties)`
a table of another, `[@knuth1975, page 300; @pearl1980]` two sources.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from kalahlab.report.build.numbering import WORDS, Label
from kalahlab.report.build.references import Source

REFERENCES = "references.html"
CODE = r"(?P<code>```.*?```|~~~.*?~~~|`[^`\n]+`)"
REFERENCE = r"\[(?P<word>Figure|Table|Listing)\]\((?P<file>[\w-]+\.ipynb)?#(?P<name>[\w-]+)\)"
CITATION = r"\[(?P<cited>@[^\[\]]+)\](?!\()"
SPECIAL = re.compile(f"{CODE}|{REFERENCE}|{CITATION}", re.DOTALL)
CITED = re.compile(r"@(?P<key>[\w-]+)(?:,\s*(?P<where>.+))?", re.DOTALL)


@dataclass(frozen=True)
class Reference:
    """A reference in a notebook's Markdown: the word before the number, whose, and the name."""

    word: str
    notebook: str
    name: str


def references(markdown: str, notebook: str) -> list[Reference]:
    """The figures, tables and listings that a text of a notebook refers to."""
    return [_reference(found, notebook) for found in SPECIAL.finditer(markdown) if found["word"]]


def citations(markdown: str) -> list[tuple[str, str]]:
    """The sources that a text cites: key, and where in them ("" if that is not said).

    `ValueError` for a citation that cannot be read.
    """
    lists = (found["cited"] for found in SPECIAL.finditer(markdown) if found["cited"])
    return [each for text in lists for each in _cited(text)]


def _reference(found: re.Match[str], notebook: str) -> Reference:
    file = (found["file"] or notebook).removesuffix(".ipynb")
    return Reference(found["word"], file, found["name"])


def _cited(text: str) -> list[tuple[str, str]]:
    matches = [CITED.fullmatch(part.strip()) for part in text.split(";")]
    if not all(matches):
        raise ValueError(f"[{text}] is no citation; write [@key], [@key, page 1] or [@one; @two]")
    return [(found["key"], " ".join((found["where"] or "").split())) for found in matches if found]


@dataclass(frozen=True)
class Book:
    """The labels of a report and the sources that it may cite.

    whole: the notebooks that ran to their end, so that all they can show has a label.
    """

    labels: tuple[Label, ...] = ()
    sources: dict[str, Source] = field(default_factory=dict)
    whole: Collection[str] = ()

    def of(self, notebook: str) -> list[Label]:
        """The labels of a notebook, in the order of its page."""
        return [label for label in self.labels if label.notebook == notebook]

    def resolved(self, markdown: str, notebook: str) -> str:
        """A notebook's Markdown with numbers and links in place of what it refers to.

        What belongs to a notebook that is not in the report, or did not come to its end, is named
        without a number. `ValueError` names what there is not.
        """

        def said(found: re.Match[str]) -> str:
            if found["word"]:
                return self._referred(_reference(found, notebook)).replace(
                    f"({notebook}.html#", "(#"
                )
            if found["cited"]:
                return f"\\[{'; '.join(self._source(*each) for each in _cited(found['cited']))}\\]"
            return found[0]

        return SPECIAL.sub(said, markdown)

    def _referred(self, to: Reference) -> str:
        for label in self.of(to.notebook):
            if (WORDS[label.item.kind], label.item.name) == (to.word, to.name):
                return f"[{label.text}]({label.href})"
        if to.notebook not in self.whole:
            return f"{to.word} “{to.name}” of {to.notebook}"
        labels = self.of(to.notebook)
        names = _listed(each.item.name for each in labels if WORDS[each.item.kind] == to.word)
        raise ValueError(f"{to.word} {to.name!r} is not in {to.notebook}; {names}")

    def _source(self, key: str, where: str) -> str:
        if key not in self.sources:
            raise ValueError(
                f"source {key!r} is not in data/references.json; {_listed(self.sources)}"
            )
        text = ", ".join(filter(None, [self.sources[key].short, where]))
        return f"[{text}]({REFERENCES}#{key})"


def _listed(names: Iterable[str]) -> str:
    return f"there are {', '.join(sorted(names)) or 'none'}"
