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
"""The content security policy of a page.

`{scripts}` is replaced by the hashes of the page's scripts. Only these scripts run, and no script
file beside the page. Nothing is loaded from elsewhere, and nothing is sent.
"""

UTF_16 = BOM_UTF16_LE, BOM_UTF16_BE  # the marks with which a file in UTF-16 begins
MAX_DIGITS = 300  # the most digits of a whole number: a longer one might be too large for a float
# Unicode's categories of characters that print nothing, or change how others are printed.
_CONTROL_CATEGORIES = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
# Texts that a spreadsheet reads as numbers, not formulas, and the signed infinity of Python.
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]inf", re.ASCII)

# Typographic quotation marks, and the straight ones that replace them.
QUOTES = str.maketrans("“”„«»‘’`", '"""""\'\'\'')


def read_text(path: Path, longest: int) -> str:
    """Return the text of a file.

    Raises:
        ValueError: The file has more than `longest` bytes, or is not a text.
    """
    with path.open("rb") as file:
        data = file.read(longest + 1)  # not the whole file, which may not fit into memory
    if len(data) > longest:
        raise ValueError(f"{path} is too long; at most {longest:,} bytes are read")
    return decode_text(data, path)


def decode_text(data: bytes, file: object) -> str:
    """Return the text of bytes.

    Bytes that begin with the mark of UTF-16, which Notepad and PowerShell write, are UTF-16. Other
    bytes are read as UTF-8 or, if that is impossible, as cp1252, the encoding of an old Windows.
    UTF-8 allows zeros, but bytes with a zero are refused: usually they are UTF-16 without its mark.

    Raises:
        ValueError: The bytes are not a text. The message names the file.
    """
    encodings = ["utf-16"] if data[:2] in UTF_16 else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            if "\0" not in text:
                return text
    raise ValueError(f"{file} is not a text; save it as UTF-8")


def parse_json(text: str, longest: int) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: The text has more than `longest` characters, is not JSON, is nested too deeply,
            or contains NaN or a number of more than `MAX_DIGITS` digits. The message is one line.
    """
    if len(text) > longest:
        raise ValueError(f"it has {len(text):,} characters; at most {longest:,} are read")
    try:
        return json.loads(text, parse_int=_parse_number, parse_constant=_parse_number)
    except RecursionError:
        raise ValueError("its brackets are nested too deeply") from None


def _parse_number(text: str) -> int:
    """Parse a whole number of a JSON text.

    Python's reader also calls it for `NaN`, `Infinity` and `-Infinity`, which are not JSON.

    Raises:
        ValueError: The text is one of these three, or has too many digits.
    """
    if len(text) > MAX_DIGITS or text in ("NaN", "Infinity", "-Infinity"):
        raise ValueError(f"{text[:20]!r} is not a number of at most {MAX_DIGITS} digits")
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
    """Return a value for a spreadsheet, with an apostrophe before a text that would be a formula.

    A formula begins with one of =+-@, a tab or a carriage return. Numbers stay as they are, and so
    do texts that are numbers, such as "-1".
    """
    if not isinstance(value, str) or value[:1] not in ("=", "+", "-", "@", "\t", "\r"):
        return value
    if _NUMBER.fullmatch(value):
        return value
    return f"'{value}"


@contextmanager
def prefix_errors(file: object) -> Iterator[None]:
    """Put a file's name in front of a `ValueError` about the file, unless the message names it."""
    try:
        yield
    except RecursionError:
        raise ValueError(f"{file}: it is nested too deeply") from None
    except ValueError as error:
        if str(file) in str(error):
            raise
        raise ValueError(f"{file}, {error}") from None
