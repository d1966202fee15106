"""The games and rules that compiled code and files of exact values support.

Compiled code does not call the `METHODS` of a game: the rules of `kalahlab.games.kalah` are built
into compiled code. So compiled code is used only for a game of exactly the type `Kalah`, and only
if it supports each field of the rules. The textbook searches play all other games. A field that is
added to `Rules` is in none of the tables below. So the field is refused, even with its default
value, until somebody writes the code for the field and lists its values here.
"""

from dataclasses import fields
from functools import cache
from operator import itemgetter
from typing import Any

from kalahlab.games.kalah import METHODS, Kalah, State
from kalahlab.games.rules import PRESETS, Rules, format_rules, format_value, parse_rules


class Choices(dict[str, tuple[object, ...]]):
    """Values of fields of `Rules`, by the field's name; never changed."""

    __hash__ = object.__hash__  # type: ignore[assignment]  # a key of the cache of `unknown_rule`


SEARCHED = Choices(
    again_on_store=(True, False),
    again_on_capture=(False, True),
    capture=("opposite", "always", "never"),
    capturing_stone=("store", "stays"),
    skip_origin=(False, True),
    sow_opponent_store=(False, True),
    relay=(False, True),
    direction=("counterclockwise", "clockwise"),
    end=("either", "mover"),
    majority=("ignore", "stop", "sweep"),
    rest_to=("owner", "finisher", "leader", "nobody"),
)
"""The rules that the general kernel, perft and the descriptions of moves support."""

FAST = Choices(
    again_on_store=(True, False),
    again_on_capture=(False,),
    capture=("opposite", "always", "never"),
    capturing_stone=("store",),
    skip_origin=(False, True),
    sow_opponent_store=(False,),
    relay=(False,),
    direction=("counterclockwise", "clockwise"),
    end=("either",),
    majority=("ignore",),
    rest_to=("owner",),
)
"""The rules of the fast kernel."""

SOLVED = Choices(
    again_on_store=(True, False),
    again_on_capture=(False, True),
    capture=("opposite", "always", "never"),
    capturing_stone=("store", "stays"),
    skip_origin=(False, True),
    sow_opponent_store=(False, True),
    relay=(False,),
    direction=("counterclockwise", "clockwise"),
    end=("either", "mover"),
    majority=("ignore",),
    rest_to=("owner", "finisher", "nobody"),
)
"""The rules of the endgame database, the solver and the files of exact values."""

UNSOLVED_REASONS = {
    "relay": "the tables of sowing hold no relay",
    "majority": "values are stored by the pits alone, and this rule depends on the stores",
    "rest_to": "values are stored by the pits alone, and this rule depends on the stores",
}
"""Why the other values of a field are not in `SOLVED`."""

STORED = {name: PRESETS[name] for name in ("standard", "empty-capture")}
"""The rules, by name, for which `data/` has exact values, openings and judged positions."""

# Each search asks, so all methods are compared at once.
_current_methods = itemgetter(*METHODS)
_ORIGINAL_METHODS = tuple(METHODS.values())


def unknown_rule(rules: Any, choices: Choices) -> str:
    """Describe the first rule that is not among the choices: `the rule end=mover`.

    Returns "" if all rules are among the choices.
    """
    if type(rules) is not Rules:
        return f"rules of the type {type(rules).__name__}"
    return _unknown_field(rules, choices)


@cache  # most searches of a run have the same rules
def _unknown_field(rules: Rules, choices: Choices) -> str:
    for field in fields(rules):
        value = getattr(rules, field.name)
        if value not in choices.get(field.name, ()):
            return f"the rule {field.name}={format_value(value)}"
    return ""


def unknown_part(game: Any, state: Any, choices: Choices = SEARCHED) -> str:
    """Describe the first part of a game or its position that compiled code does not know.

    Returns "" if compiled code knows all parts.
    """
    if type(game) is not Kalah:  # a derived class may have other rules
        return f"the game {type(game).__name__}"
    if _current_methods(vars(Kalah)) != _ORIGINAL_METHODS:
        for name, method in METHODS.items():
            if vars(Kalah)[name] is not method:
                return f"a Kalah whose {name} was replaced"
    if type(state) is not State:
        return f"a position of the type {type(state).__name__}"
    return unknown_rule(game.rules, choices)


def explain_unsolved(rules: Any) -> str:
    """Describe the first rule that is not in `SOLVED`, and why; return "" if all rules are."""
    unknown = unknown_rule(rules, SOLVED)
    reasons = [reason for name, reason in UNSOLVED_REASONS.items() if f" {name}=" in unknown]
    return ": ".join([unknown, *reasons])


def to_file_name(rules: Any) -> str:
    """Return the name of rules in the names of files, such as `empty-capture` or `end-mover`.

    Rules without a preset have their fields in it, as in `again_on_capture-yes+end-mover`.

    Raises:
        ValueError: Perfect play is not known for the rules.
    """
    unsolved = explain_unsolved(rules)
    if unsolved:
        raise ValueError(f"perfect play is not known for {unsolved}")
    return format_rules(rules).replace(", ", "+").replace("=", "-")


def from_file_name(name: str) -> Rules | None:
    """Return the rules whose `to_file_name` this is, None if there are none."""
    text = name if name in PRESETS else name.replace("-", "=").replace("+", ", ")
    try:
        rules = parse_rules(text)
        return rules if to_file_name(rules) == name else None
    except ValueError:
        return None


def check_solved(game: Any, state: Any) -> None:
    """Raise ValueError if perfect play is not known for a game and its position."""
    # The rules are checked against `SEARCHED` here, as `to_file_name` also says why rules of these
    # are not solved.
    unknown = unknown_part(game, state)
    if unknown:
        raise ValueError(f"perfect play is not known for {unknown}")
    to_file_name(game.rules)
