"""Data from outside, which may come from anybody: read within limits, and shown without effect."""

import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress
from pathlib import Path
from typing import Any
from unicodedata import category

POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline' 'self'; "
    "img-src 'self' data: blob:; connect-src blob:; base-uri 'none'; form-action 'none'"
)
"""The security policy of a page: scripts run that it names, by their hashes, and none that lies
beside it; nothing is loaded from elsewhere, and nothing is sent."""

UTF_16 = BOM_UTF16_LE, BOM_UTF16_BE
DIGITS = 300  # the most digits of a whole number: each that is read is a float, too
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]inf", re.ASCII)


def read_text(path: Path, longest: int) -> str:
    """The text of a file of at most `longest` bytes; else, or if it is no text, a `ValueError`."""
    with path.open("rb") as file:
        data = file.read(longest + 1)
    if len(data) > longest:
        raise ValueError(f"{path} is too long; at most {longest:,} bytes are read")
    return decode(data, path)


def decode(data: bytes, file: object) -> str:
    """Return the text of bytes; raise `ValueError` with the file's name for what is no text.

    Without UTF-8, it is UTF-16 with its mark, as of Notepad or PowerShell, or the letters of an old
    Windows. Zero bytes, as of UTF-16 without its mark, are no text, though UTF-8 allows them.
    """
    encodings = ["utf-16"] if data[:2] in UTF_16 else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            if "\0" not in text:
                return text
    raise ValueError(f"{file} is no text; save it as UTF-8")


def parse_json(text: str, longest: int) -> Any:
    """The value of JSON of at most `longest` characters; else a `ValueError` in one line. So are
    brackets that are nested too deeply, numbers of more than `DIGITS` digits, and NaN."""
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


def printable(text: str, kept: str = "\n") -> str:
    """The text with control characters shown, as \\x1b, in place of obeyed, but for those kept."""
    return "".join(
        each.encode("unicode_escape").decode()
        if each not in kept and category(each) in ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
        else each
        for each in text
    )


def cell(value: Any) -> Any:
    """A value for a spreadsheet, which takes a text that begins with one of =+-@ for a formula:
    an apostrophe prevents it. Numbers stay what they are, also as text."""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return value if _NUMBER.fullmatch(value) else f"'{value}"
    return value
