"""The command `kalahlab rules`."""

from dataclasses import asdict, fields
from textwrap import fill
from typing import Any

import click

from kalahlab.cli.options import RULES, Answer, json_command
from kalahlab.formatting import WIDTH
from kalahlab.games.rules import (
    MEANINGS,
    PRESETS,
    SOURCES,
    STANDARD,
    Rules,
    find_nearest_names,
    format_fields,
    format_rules,
    format_value,
    list_values,
)
from kalahlab.games.supported import FAST, SEARCHED, explain_unsolved, unknown_rule

COLUMN = 20  # the width of the column of names


@json_command()
@click.argument("rules", required=False, type=RULES)
def rules(rules: Rules | None) -> Answer:
    """List the rules of Kalah that people play, or show RULES in full.

    RULES is a name, or fields separated by commas; fields that are not named are those of standard.
    A name may come first. The option --rules of other commands takes the same texts. Shows each
    field of RULES, the names and sources of exactly these rules, and what supports them.

    \b
    kalahlab rules
    kalahlab rules kgp
    kalahlab rules "again_on_capture=yes, end=mover"
    """
    return list_rules() if rules is None else show_rules(rules)


def list_rules() -> Answer:
    """Return the fields with their values, and the names."""
    field_rows = list[dict[str, Any]]()
    for field in fields(Rules):
        values = sorted(list_values(field), key=lambda value: value != field.default)
        meaning = MEANINGS.get(field.name, "")
        words = [*map(format_value, values)]
        field_rows.append({"field": field.name, "values": words, "meaning": meaning})
    name_rows = list[dict[str, str]]()
    for name, preset in PRESETS.items():
        row = {"name": name, "as": format_rules(preset), "fields": format_fields(preset)}
        name_rows.append(row | {"source": SOURCES.get(name, "")})
    parts = ["Fields, each with its values, that of standard first"]
    for row in field_rows:
        parts.append(format_entry(row["field"], ", ".join(row["values"]), row["meaning"]))
    parts.append("Names, each with what differs from standard, and its source")
    for name_row in name_rows:
        difference = name_row["fields"] or "-"
        if name_row["as"] != name_row["name"]:
            difference = f"as {name_row['as']}"
        parts.append(format_entry(name_row["name"], difference, name_row["source"]))
    return Answer({"fields": field_rows, "names": name_rows}, "\n\n".join(parts))


def format_entry(name: str, value: str, explanation: str) -> str:
    """Return a line with a name and a value, and the explanation below it."""
    return f"{name:<{COLUMN}}{value}\n{format_line('', explanation)}".rstrip()


def format_line(name: str, text: str) -> str:
    """Return a name with a text beside it, which may have several lines."""
    return fill(f"{name:<{COLUMN}}{text}", WIDTH, subsequent_indent=" " * COLUMN)


def show_rules(rules: Rules) -> Answer:
    """Return each field of the rules, their names, and the backends that support them."""
    names = {name: SOURCES.get(name, "") for name, preset in PRESETS.items() if preset == rules}
    words = {name: format_value(value) for name, value in asdict(rules).items()}
    usual = {name: format_value(value) for name, value in asdict(STANDARD).items()}
    backends = describe_backends(rules)
    lines = []
    for name, word in words.items():
        note = "" if word == usual[name] else f"standard: {usual[name]}"
        lines.append(f"{name:<{COLUMN}}{word:<{COLUMN}}{note}".rstrip())
    parts = [format_rules(rules), "\n".join(lines)]
    if not names:
        nearest = find_nearest_names(rules)
        parts.append("No name has exactly these rules. The nearest, with what to add:")
        parts.append("\n".join(format_line(*item) for item in nearest.items()))
    for texts in (names, backends):
        if texts:
            parts.append("\n".join(format_line(*item) for item in texts.items()))
    data = {"rules": format_rules(rules), "fields": words, "names": names, "backends": backends}
    data["nearest"] = {} if names else find_nearest_names(rules)
    return Answer(data, "\n\n".join(parts))


def describe_backends(rules: Rules) -> dict[str, str]:
    """Describe, by the name of each part of the package, if it supports the rules."""
    engine = "fast kernel, for searches that it supports; else general kernel"
    if reason := unknown_rule(rules, FAST):
        engine = f"general kernel; the fast kernel does not support {reason}"
    if reason := unknown_rule(rules, SEARCHED):
        engine = f"no: it does not support {reason}"
    solver = "yes"
    if reason := explain_unsolved(rules):
        solver = f"no: they do not support {reason}"
    return {"textbook": "yes", "engine": engine, "database, solver": solver}
