"""Handling of untrusted input: parsing within limits of size, and output without side effects.

Printed text has no control characters, and spreadsheets get no formulas.
"""

import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unicodedata import category

POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline' 'self'; "
    "img-src 'self' data: blob:; connect-src blob:; base-uri 'none'; form-action 'none'"
)
"""The security policy of a page: only scripts run whose hashes it lists, no file beside it; nothing
is loaded from elsewhere, and nothing is sent."""

UTF_16 = BOM_UTF16_LE, BOM_UTF16_BE
DIGITS = 300  # the most digits of a whole number, so that each can become a float
_CONTROL_CATEGORIES = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")  # of Unicode
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]inf", re.ASCII)

QUOTES = str.maketrans("“”„«»‘’`", '"""""\'\'\'')


def read_text(path: Path, longest: int) -> str:
    """Return the text of a file; raise `ValueError` if it is over `longest` bytes or no text."""
    with path.open("rb") as file:
        data = file.read(longest + 1)
    if len(data) > longest:
        raise ValueError(f"{path} is too long; at most {longest:,} bytes are read")
    return decode_text(data, path)


def decode_text(data: bytes, file: object) -> str:
    """Return the text of bytes; raise a `ValueError` that names the file if they are no text.

    The encoding is UTF-16 if they begin with its mark, as Notepad and PowerShell write it, or else
    UTF-8, or else that of an old Windows (cp1252). Bytes with a zero, such as UTF-16 without its
    mark, are no text, although UTF-8 allows them.
    """
    encodings = ["utf-16"] if data[:2] in UTF_16 else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            if "\0" not in text:
                return text
    raise ValueError(f"{file} is no text; save it as UTF-8")


def parse_json(text: str, longest: int) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: It has more than `longest` characters, is no JSON, is nested too deeply, or
            contains NaN or a number of more than `DIGITS` digits. The message is one line.
    """
    if len(text) > longest:
        raise ValueError(f"it has {len(text):,} characters; at most {longest:,} are read")
    try:
        return json.loads(text, parse_int=_whole_number, parse_constant=_whole_number)
    except RecursionError:
        raise ValueError("its brackets are nested too deeply") from None


def _whole_number(text: str) -> int:
    if len(text) > DIGITS or text in ("NaN", "Infinity", "-Infinity"):
        raise ValueError(f"{text[:20]!r} is no number of at most {DIGITS} digits")
    return int(text)


def escape_control_characters(text: str, allowed: str = "\n") -> str:
    r"""Return the text with control characters escaped, as in `\x1b`, except for `allowed`."""
    characters = []
    for character in text:
        if character not in allowed and category(character) in _CONTROL_CATEGORIES:
            character = character.encode("unicode_escape").decode()
        characters.append(character)
    return "".join(characters)


def escape_formula(value: Any) -> Any:
    """Return a value for a spreadsheet, with an apostrophe before a text that is a formula there.

    A formula begins with one of =+-@, a tab or a carriage return. Numbers stay as they are, also
    those that are text.
    """
    if not isinstance(value, str) or value[:1] not in ("=", "+", "-", "@", "\t", "\r"):
        return value
    if _NUMBER.fullmatch(value):
        return value
    return f"'{value}"


@contextmanager
def prefix_errors(file: object) -> Iterator[None]:
    """Put the name of a file in front of a `ValueError` about it, unless it is in the message."""
    try:
        yield
    except RecursionError:
        raise ValueError(f"{file}: it is nested too deeply") from None
    except ValueError as error:
        if str(file) in str(error):
            raise
        raise ValueError(f"{file}, {error}") from None
