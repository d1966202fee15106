"""The words of the report that go with numbers: templates in `data/words/`.

    say = Words("studies", "s08_pruning")
    say("saves", nodes=1234)

A template is chosen by the code that knows the numbers; it never chooses itself.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from string import Formatter
from typing import Any

from kalahlab.data import data_file
from kalahlab.trace import number


@cache
def tables(file: str) -> dict[str, dict[str, Any]]:
    """The tables of a file of `data/words/`, by name."""
    return tomllib.loads(data_file(f"words/{file}.toml").read_text("utf-8"))


def with_minus(text: str) -> str:
    """The text of a number with a minus sign in place of a hyphen."""
    return text.replace("-", "−")


class Words(Formatter):
    """Fills the templates of a table: `{x!n}` is a number as people write it, a list has commas.

    `{x!a}` is a list with "and".
    """

    def __init__(self, file: str, table: str) -> None:
        self._templates: Mapping[str, str] = tables(file)[table]

    def __call__(self, name: str, /, **facts: Any) -> str:
        """The template of that name with its fields filled; `KeyError` if one is not given."""
        return self.vformat(self._templates[name], (), facts)

    def convert_field(self, value: Any, conversion: Any) -> Any:
        """As `Formatter` does, and `!n` and `!a`."""
        if conversion == "n":
            return [*map(number, value)] if type(value) in (list, tuple) else number(value)
        return (
            " and ".join(value) if conversion == "a" else super().convert_field(value, conversion)
        )

    def format_field(self, value: Any, format_spec: str) -> str:
        """As `Formatter` does, and the items of a list one by one; numbers with a minus sign."""
        if type(value) in (list, tuple):  # what has names, as an interval, writes itself
            return ", ".join(self.format_field(item, format_spec) for item in value)
        text = str(super().format_field(value, format_spec))
        return text if isinstance(value, str) else with_minus(text)
