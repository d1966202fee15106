"""A search as the part of a page's address after `#`: data, checked before it is used.

    game=kalah&position=%3C2%2C0%2C0%2C3%2C3%2C3%2C3%3E&algorithm=alpha_beta&depth=4

A step may follow, which the view reads. What comes from an address may come from anybody.
"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from kalahlab.outside import parse_json

LONGEST = 4000
"""Characters; a longer text is no link that people can send, and none is read."""

USUAL = {"order": "pit", "leaf": "sow", "beside": "", "beside_order": "pit", "player": "0"}
"""What is left out of a link where it is so."""

NEEDED = ("game", "position", "algorithm", "depth")


def write_link(recipe: Mapping[str, Any]) -> str:
    """The text of what `SearchRequest.to_json` gives; '' if it is too long."""
    parts = {"game": "", **{name: str(each) for name, each in recipe.items() if name != "options"}}
    if recipe["options"]:
        parts["options"] = json.dumps(recipe["options"], separators=(",", ":"))
    said = {name: value for name, value in parts.items() if value != USUAL.get(name)}
    text = urlencode(said)
    return text if len(text) <= LONGEST else ""


def read_link(text: Any) -> dict[str, Any]:
    """What `write_link` was given, with texts for numbers. `ValueError` says what is wrong.

    The names of games, algorithms and so on are as they come.
    """
    if isinstance(text, str) and len(text) > LONGEST:
        raise ValueError(f"this link has {len(text):,} characters; use up to {LONGEST:,}")
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True, errors="strict")
    except (AttributeError, TypeError, ValueError):
        raise ValueError("this link is damaged") from None
    parts = dict(pairs)
    if len(parts) < len(pairs):
        raise ValueError("this link is damaged: it says something twice")
    for name in NEEDED:
        if name not in parts:
            raise ValueError(f"this link does not say the {name}")
    known = {*NEEDED, *USUAL, "evaluator", "options"}
    if unknown := {*parts} - known:
        raise ValueError(f"this link has an unknown part {min(unknown)!r}")
    if parts.get("player", "0") not in ("0", "1"):
        raise ValueError(f"this link has an unknown player {parts['player']!r}; use 0 or 1")
    return {"evaluator": "", **USUAL, **parts, "options": _options(parts.get("options", "{}"))}


def _options(text: str) -> dict[str, Any]:
    try:
        options = parse_json(text, LONGEST)
    except ValueError:
        options = None
    if not isinstance(options, dict):
        raise ValueError("this link is damaged: its options cannot be read")
    return options
