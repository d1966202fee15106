"""The rules of Kalah that people play: one value with a field for each choice, and names.

    parse_rules("kgp"), parse_rules("again_on_capture=yes, end=mover")

`PRESETS` has the rules by name. `SOURCES` says where each name comes from.
"""

from dataclasses import Field, asdict, dataclass, fields, replace
from typing import Any, Literal, get_args

from kalahlab.names import did_you_mean, lookup


@dataclass(frozen=True, slots=True)
class Rules:
    """A variation of the rules. The defaults are the `standard` preset.

    The type of a field, `bool` or `Literal`, lists the values that it can have; see `list_values`.
    The compiled code supports only the fields that `kalahlab.games.supported` lists.

    Attributes:
        again_on_store: True if a player whose last stone falls into the own store moves again.
        again_on_capture: True if a player who captures moves again.
        capture: What happens if a last stone falls into an empty pit of the mover. `opposite`: the
            stones in the opposite pit are captured, if there are any. `always`: the last stone is
            banked even if the opposite pit is empty (the "empty capture" of Irving et al.).
            `never`: nothing is captured.
        capturing_stone: `store` if the last stone goes to the store with the stones that it
            captures, `stays` if it stays in its pit.
        skip_origin: True if a lap skips the pit from which the stones were taken.
        sow_opponent_store: True if a stone falls into the opponent's store, too.
        relay: True if a last stone that falls into a pit with stones, on any side, takes them all
            up, and the same sow goes on from there.
        direction: `counterclockwise`, or `clockwise`, the mirror image: each player's store is at
            the left of the player, and stones travel to the left.
        end: `either` ends the game when any side is empty; `mover` ends it only when the side of
            the player to move is empty, so that this player cannot move.
        majority: What happens once a store holds more than half of all stones. `ignore`: the game
            goes on. `stop`: the game ends, and the other stones stay where they lie. `sweep`: the
            game ends, and `rest_to` says who gets the other stones.
        rest_to: The player who gets the stones left on the board at the end: the `owner` of the
            pits they lie in; the `finisher`, the player whose side ran out; the `leader`, who has
            more stones in the store (the owner, if the stores are equal); or `nobody`.

    Raises:
        ValueError: A value is not one of its field's, or the fields contradict each other.
    """

    again_on_store: bool = True
    again_on_capture: bool = False
    capture: Literal["opposite", "always", "never"] = "opposite"
    capturing_stone: Literal["store", "stays"] = "store"
    skip_origin: bool = False
    sow_opponent_store: bool = False
    relay: bool = False
    direction: Literal["counterclockwise", "clockwise"] = "counterclockwise"
    end: Literal["either", "mover"] = "either"
    majority: Literal["ignore", "stop", "sweep"] = "ignore"
    rest_to: Literal["owner", "finisher", "leader", "nobody"] = "owner"

    def __post_init__(self) -> None:
        for field in fields(self):
            value, values = getattr(self, field.name), list_values(field)
            if values and value not in values:
                choices = " or ".join(map(repr, values))
                raise ValueError(f"{field.name} is {value!r}; use {choices}")
        if self.majority == "sweep" and self.rest_to == "finisher":
            raise ValueError(
                "majority=sweep and rest_to=finisher contradict each other: at a majority no side "
                "has run out; use rest_to=owner, leader or nobody"
            )

    def __str__(self) -> str:
        return format_rules(self)


MOST_SHOWN = 80  # characters of a wrong text that a message repeats
MEANINGS = {
    "again_on_store": "a last stone in the own store earns another turn",
    "again_on_capture": "a capture earns another turn",
    "capture": "what a last stone in an empty pit of the mover captures. opposite: the stones in "
    "the opposite pit, if there are any; always: itself, too, if there are none; never: nothing",
    "capturing_stone": "where the last stone of a capture goes. store: there, with the captured "
    "stones; stays: nowhere",
    "skip_origin": "a full lap skips the pit from which the stones come",
    "sow_opponent_store": "a stone falls into the opponent's store, too",
    "relay": "a last stone in a pit with stones takes them up, and the sow goes on",
    "direction": "the direction of sowing. clockwise: each store is at its owner's left",
    "end": "when the game ends. either: if a side is empty; mover: if the side of the player to "
    "move is empty",
    "majority": "what happens once a store has more than half of all stones. ignore: the game goes "
    "on; stop: it ends; sweep: it ends, and rest_to decides on the other stones",
    "rest_to": "who gets the stones left at the end. owner: the owner of their pits; finisher: the "
    "player whose side ran out; leader: the player with more in the store; nobody: no player",
}
"""What each field means, and what its values mean, in words for readers."""


def list_values(field: Field[Any]) -> tuple[Any, ...]:
    """Return the values that a field of `Rules` can have, () if its type does not list them."""
    if field.type is bool:
        return (False, True)
    return get_args(field.type)


def format_value(value: object) -> str:
    """Return the word for a value of a field: `yes` and `no` for True and False."""
    if value is True:
        return "yes"
    if value is False:
        return "no"
    return str(value)


STANDARD = Rules()
EMPTY_CAPTURE = Rules(capture="always")
PRESETS: dict[str, Rules] = {
    "standard": STANDARD,
    "empty-capture": EMPTY_CAPTURE,
    "openspiel": STANDARD,
    "kgp": Rules(majority="sweep"),
    "fairkalah": EMPTY_CAPTURE,
    "ludii": Rules(end="mover"),
    "manchester": STANDARD,
    "kalahzero": Rules(again_on_capture=True),
    "ramanujan-selman": Rules(capture="always", rest_to="finisher"),
    "alphazero-jl": Rules(capture="never", rest_to="finisher"),
    "usc-homework": EMPTY_CAPTURE,
    "cs5329-a": Rules(majority="stop"),
    "cs5329-b": Rules(capture="always", majority="stop"),
    "dtu": Rules(rest_to="leader"),
    "egyptian": Rules(skip_origin=True),
    "basic": Rules(rest_to="nobody"),
    "gsheni": Rules(again_on_store=False),
    "learneroo": Rules(sow_opponent_store=True),
    "avalanche": Rules(capture="never", relay=True),
}
"""The rules by name. Several names may have the same rules; the first is the one that is shown."""

SOURCES: dict[str, str] = {
    "standard": "Irving, Donkers and Uiterwijk, Solving Kalah, ICGA Journal 23(3), 2000",
    "empty-capture": "the same article, as a variation",
    "openspiel": "OpenSpiel, game mancala; the rest is counted for its owner",
    "kgp": "the Kalah Game Protocol of FAU Erlangen, server go-kgp",
    "fairkalah": "Neller and Neller, FairKalah, 2022; played from fair starts",
    "ludii": "Ludii, Kalah.lud",
    "manchester": "Manchester, course COMP34120; played on (7,7) with the pie rule",
    "kalahzero": "KalahZero on GitHub",
    "ramanujan-selman": "Ramanujan and Selman, ICAPS 2011, by a program that is probably theirs",
    "alphazero-jl": "AlphaZero.jl, game mancala, revision 0ba51ac; played on (6,3)",
    "usc-homework": "the Mancala homework; see page 09",
    "cs5329-a": "the CS5329 report of 2020, player A",
    "cs5329-b": "the CS5329 report of 2020, player B as printed",
    "dtu": "DTU, course 02180, a student project",
    "egyptian": "Pratt's page on Kalah, Egyptian rules",
    "basic": "Pratt's page on Kalah, basic rules",
    "gsheni": "gsheni/Mancala on GitHub",
    "learneroo": "Learneroo's exercise on Mancala",
    "avalanche": "GamePigeon and CMancala, avalanche mode",
}
"""Where each name of `PRESETS` comes from."""


def name_rules(rules: Rules) -> str | None:
    """Return the first name of rules, None if they have none."""
    return next((name for name, preset in PRESETS.items() if preset == rules), None)


def format_rules(rules: Rules) -> str:
    """Return the name of rules, or else what differs from `standard`, as `end=mover, relay=yes`."""
    return name_rules(rules) or format_fields(rules)


def format_fields(rules: Rules) -> str:
    """Return what differs from `standard`, as `end=mover, relay=yes`; "" if nothing does."""
    return ", ".join(_format_differences(rules, STANDARD))


def _format_differences(rules: Rules, others: Rules) -> list[str]:
    """Return the fields of rules that differ from those of others, each as `end=mover`."""
    values = asdict(others)
    return [
        f"{field}={format_value(value)}"
        for field, value in asdict(rules).items()
        if value != values[field]
    ]


def parse_rules(text: str | Rules) -> Rules:
    """Return the rules of a name, or of fields such as `again_on_capture=yes, end=mover`.

    Fields that are not named have the value of `standard`; a name may come first, as in
    `kgp, end=mover`. Fields are separated by commas or spaces. `Rules` are returned unchanged.

    Raises:
        ValueError: A name, field or value is unknown; the message lists those that there are.
    """
    if isinstance(text, Rules):
        return text
    parts = f"{text}".replace(",", " ").split()
    for field in fields(Rules):
        if field.name in [part.replace("-", "_") for part in parts]:
            values = " or ".join(map(format_value, list_values(field)))
            raise ValueError(f"the field {field.name} of rules needs a value: {values}")
    for part in parts[1:]:
        if part in PRESETS:
            raise ValueError(f"the name {part} must come first in rules, and only one name can")
    if not parts or "=" not in parts[0]:
        hint = ", or fields such as end=mover; see `kalahlab rules`"
        rules = lookup("rules", " ".join(parts[:1]), PRESETS, hint)
        parts = parts[1:]
    else:
        rules = STANDARD
    changes: dict[str, Any] = dict(map(_parse_field, parts))
    if len(changes) < len(parts):
        raise ValueError(f"rules {' '.join(parts)[:MOST_SHOWN]!r} have a field twice")
    return replace(rules, **changes)


def find_nearest_names(rules: Rules) -> dict[str, str]:
    """Return the names of the rules that differ in the fewest fields, each with the difference.

    The difference is what to add to the name, such as `end=mover`. A name for the same rules as
    another one is left out.
    """
    differences = dict[str, list[str]]()
    for name, preset in PRESETS.items():
        if name_rules(preset) == name:
            differences[name] = _format_differences(rules, preset)
    fewest = min(map(len, differences.values()))
    return {name: ", ".join(parts) for name, parts in differences.items() if len(parts) == fewest}


def _parse_field(part: str) -> tuple[str, object]:
    """Return the name and the value of a text such as `end=mover`."""
    name, _, word = part.partition("=")
    part = part[:MOST_SHOWN]
    name = name.replace("-", "_")
    values = {field.name: list_values(field) for field in fields(Rules)}
    if name not in values:
        hint = did_you_mean(name[:MOST_SHOWN], values)
        same_words = [field for field in values if {*name.split("_")} < {*field.split("_")}]
        if same_words:
            hint = f"; did you mean {same_words[0]}?"
        raise ValueError(f"rule {part!r} is unknown; use {', '.join(values)}{hint}")
    words = {format_value(value): value for value in values[name]}
    if word not in words:
        raise ValueError(f"rule {part!r} is unknown; use {name}={' or '.join(words)}")
    return name, words[word]
