"""The games and rules that compiled code and files of exact values support.

Compiled code does not call a game's `moves`, `play`, `over` and `margin`: the rules of
`kalahlab.games.kalah` are built into it. So it may be used only for a game of exactly that type,
under rules all of whose fields it supports; anything else is left to the textbook. A field that is
added to `Rules` is in none of the tables below. So it is refused, even with its default value,
until somebody writes the code for it and lists its values here.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from kalahlab.games.kalah import METHODS, PRESETS, Kalah, Rules, State

Choices = Mapping[str, tuple[object, ...]]
"""Values of fields of `Rules`, by the field's name."""

SEARCHED: Choices = {
    "capture_empty": (False, True),
    "rest_to": ("owner", "finisher"),
    "end": ("either", "mover"),
    "early_stop": (False, True),
}
"""The rules that the general kernel, perft and the descriptions of moves support."""

SOLVED: Choices = {
    "capture_empty": (False, True),
    "rest_to": ("owner",),
    "end": ("either",),
    "early_stop": (False,),
}
"""The rules of the fast kernel, the endgame database, the solver and the files of exact values."""


def unknown_rule(rules: Any, choices: Choices) -> str:
    """Return the first rule that is not among the choices, or ""."""
    if type(rules) is not Rules:
        return f"rules of the type {type(rules).__name__}"
    for field in fields(rules):
        value = getattr(rules, field.name)
        if value not in choices.get(field.name, ()):
            return f"the rule {field.name}={value!r}"
    return ""


def unknown_part(game: Any, state: Any, choices: Choices = SEARCHED) -> str:
    """Describe the first part of a game or its position that compiled code does not know, or ""."""
    if type(game) is not Kalah:
        return f"the game {type(game).__name__}"
    for name, method in METHODS.items():
        if vars(Kalah)[name] is not method:
            return f"a Kalah whose {name} was replaced"
    if type(state) is not State:
        return f"a position of the type {type(state).__name__}"
    return unknown_rule(game.rules, choices)


def list_solved_presets() -> dict[str, Rules]:
    """Return the presets, by name, under which perfect play is known."""
    return {name: rules for name, rules in PRESETS.items() if not unknown_rule(rules, SOLVED)}


def preset_name(rules: Any) -> str:
    """Return the name of the rules. Raise ValueError if perfect play is not known for them."""
    presets = list_solved_presets()
    for name, preset in presets.items():
        if rules == preset:
            return name
    reason = unknown_rule(rules, SOLVED) or f"{rules}"
    if not presets:
        raise ValueError(f"perfect play is not known for {reason}")
    raise ValueError(f"perfect play is for the rules {' and '.join(presets)}, not for {reason}")


def check_solved(game: Any, state: Any) -> None:
    """Raise ValueError if perfect play is not known for a game and its position."""
    unknown = unknown_part(game, state)
    if unknown:
        raise ValueError(f"perfect play is not known for {unknown}")
    preset_name(game.rules)
