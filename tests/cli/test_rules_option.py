"""`kalahlab rules`, and the option --rules of the other commands."""

import json

import pytest

from kalahlab import cli
from kalahlab.cli.options import RULES
from kalahlab.games.rules import PRESETS, format_rules, parse_rules

OWN = "again_on_capture=yes, end=mover"
START = ("--pits", "2", "--stones", "1")
PLAYERS = ("random:1", "random:2")
SMALL = {
    "search": (*START, "--depth", "2"),
    "perft": (*START, "--depth", "2"),
    "explore": (*START, "--out", "page.html"),
    "play": (*START, "--south", "random:1", "--north", "random:2"),
    "match": (*PLAYERS, "--openings", "1"),
    "tournament": (*PLAYERS, "--openings", "1"),
    "judge": ("random:1", "--board", "4,4"),
    "first-moves": START,
    "puzzles": ("--pits", "3", "--stones", "2", "--number", "1"),
    "solve": START,
    "check": ("kalahlab.evaluators.kalah.e1", "--number", "20"),
}
"""A small call of each command that has the option --rules."""


def find_rules(command):
    return next((param for param in command.params if "--rules" in param.opts), None)


def test_every_option_takes_every_name_and_fields():
    options = {name: find_rules(command) for name, command in cli.cli.commands.items()}
    assert {name for name, option in options.items() if option} == SMALL.keys()
    for option in filter(None, options.values()):
        assert option.type is RULES
    for text in (*PRESETS, OWN):
        assert RULES.convert(text, None, None) == parse_rules(text)


REFUSED = {
    "judge": {OWN, "kgp"},
    "first-moves": {"kgp"},
    "puzzles": {"kgp"},
    "solve": {"kgp"},
}


@pytest.mark.parametrize("text", ["openspiel", "kgp", OWN])
@pytest.mark.parametrize("command", SMALL)
def test_a_command_follows_the_rules_or_says_in_one_line_which_it_knows(
    run, tmp_path, monkeypatch, command, text
):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(command, *SMALL[command], "--rules", text, "--json")
    if status == 0:
        assert json.loads(out)["rules"] == format_rules(parse_rules(text))
        return
    assert text in REFUSED[command]
    assert (status, err.count("\n")) == (2, 1)
    assert ("standard and empty-capture" if command == "judge" else "majority=sweep") in err


def test_a_match_without_fair_openings_says_where_its_openings_come_from(run):
    for words, noted in (((), False), (("--rules", OWN), True)):
        err = run("match", *PLAYERS, "--openings", "2", *words)[2]
        assert (OWN in err and "nearly even" in err) == noted


@pytest.mark.parametrize("text", [(), *PRESETS, OWN])
def test_rules_are_listed_and_shown_in_80_columns(run, text):
    words = (text,) if text else ()
    status, out, err = run("rules", *words)
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    answer = json.loads(run("rules", *words, "--json")[1])
    if not text:
        assert [row["name"] for row in answer["names"]] == [*PRESETS]
        for row in answer["names"]:
            assert parse_rules(f"standard {row['fields']}") == PRESETS[row["name"]]
        return
    rules = parse_rules(text)
    assert parse_rules(answer["rules"]) == rules
    fields = ", ".join(f"{field}={value}" for field, value in answer["fields"].items())
    assert parse_rules(fields) == rules
    assert answer["names"].keys() == {name for name in PRESETS if PRESETS[name] == rules}
    assert answer["backends"]["textbook"] == "yes"


def test_an_unknown_text_lists_what_there_is(run):
    for text, message in (("kpg", "did you mean kgp?"), ("end=x", "end=either or mover")):
        for words in (("rules", text), ("perft", *START, "--depth", "1", "--rules", text)):
            status, out, err = run(*words)
            assert (status, out, err.count("\n")) == (2, "", 1)
            assert message in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "again_on_capture, end=mover",
            "again_on_capture of rules needs a value: no or yes",
        ),
        ("end=mover, kalahzero", "the name kalahzero must come first"),
        ("capture_again=yes", "did you mean again_on_capture?"),
    ],
)
def test_a_slip_in_rules_has_its_fix(run, text, message):
    status, _, err = run("rules", text)
    assert (status, err.count("\n")) == (2, 1)
    assert message in err


def test_rules_without_quotes_are_noticed(run):
    words = ("--pits", "3", "--stones", "2", "--depth", "2", "--rules", "ludii", "relay=yes")
    status, _, err = run("search", *words)
    assert status == 2
    assert '--rules "NAME, relay=yes"' in err


@pytest.mark.parametrize("text", ["again_on_capture=yes, end=mover", "relay=yes, rest_to=leader"])
def test_the_nearest_names_become_the_rules_by_what_is_added(run, text):
    nearest = json.loads(run("rules", text, "--json")[1])["nearest"]
    assert nearest
    for name, difference in nearest.items():
        assert parse_rules(f"{name}, {difference}") == parse_rules(text)
    assert json.loads(run("rules", "kgp", "--json")[1])["nearest"] == {}
