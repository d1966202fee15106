"""Traces of trees that grew, as JSON: what is read is what was written."""

import json
from random import Random

import pytest
from growths import record_growths

from kalahlab.draw.growth_svg import growth_svg
from kalahlab.trace.growth import GrowthTrace
from kalahlab.widgets.models.growth_packing import pack_growth

GROWTHS = record_growths()
TEXTS = {name: trace.to_json() for name, trace in GROWTHS.items()}
READ = {name: GrowthTrace.from_json(text) for name, text in TEXTS.items() if name != "own"}


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_what_was_written(name):
    trace, again = GROWTHS[name], READ[name]
    assert again.to_json() == TEXTS[name]
    assert (again.names, again.history, again.iterations) == (
        trace.names,
        trace.history,
        trace.iterations,
    )
    assert (again.result.value, again.result.claim) == (trace.result.value, trace.result.claim)
    assert again.result.counts == trace.result.counts
    assert repr(again) == repr(trace)


@pytest.mark.parametrize("name", READ)
def test_a_trace_that_was_read_explains_and_draws_the_same(name):
    trace, again = GROWTHS[name], READ[name]
    for step in range(1, trace.steps + 1):
        assert again.why(step) == trace.why(step)
    for step in range(0, trace.steps + 1, 5):
        assert again.table(step).equals(trace.table(step))
    assert growth_svg(again) == growth_svg(trace)


@pytest.mark.parametrize("name", ["uct", "cards", "hand, proof"])
def test_the_explorer_shows_a_trace_that_was_read(name):
    packed, again = pack_growth(GROWTHS[name], "t"), pack_growth(READ[name], "t")
    assert again["reasons"] == packed["reasons"]
    assert again["result"] == packed["result"]


def test_a_search_of_a_user_can_be_written_but_not_read():
    assert json.loads(TEXTS["own"])["fields"] == ["tries"]
    with pytest.raises(ValueError, match="of a user's search, whose policy is not in the file"):
        GrowthTrace.from_json(TEXTS["own"])


@pytest.mark.parametrize("name", ["uct", "puct"])
def test_a_file_that_is_cut_is_no_trace(name):
    text = TEXTS[name]
    for length in range(0, len(text), len(text) // 40):
        with pytest.raises(ValueError, match="trace is cut short or not JSON"):
            GrowthTrace.from_json(text[:length])


def list_places(data, place=()):
    """Return the place of each value in JSON, as the keys and indices that lead to it."""
    places = [place]
    items = ()
    if isinstance(data, dict):
        items = data.items()
    elif isinstance(data, list):
        items = enumerate(data)
    for key, value in items:
        places += list_places(value, (*place, key))
    return places


@pytest.mark.parametrize("name", ["uct", "proof number", "cards"])
def test_a_file_that_was_changed_is_refused_or_explains_itself(name):
    rng = Random(5)
    places = list_places(json.loads(TEXTS[name]))[1:]
    for _ in range(60):
        data = json.loads(TEXTS[name])
        *above, key = rng.choice(places)
        holder = data
        for part in above:
            holder = holder[part]
        holder[key] = rng.choice([None, -1, 0, 10**9, "x", [], {}, 1.5, True, "inf"])
        try:
            trace = GrowthTrace.from_json(json.dumps(data))
        except ValueError:
            continue
        assert trace.to_json()
        growth_svg(trace)
        for step in range(1, trace.steps + 1):
            trace.why(step)


REFUSED = {
    "search": ("what", "the trace is of the search 'what', which is unknown"),
    "nodes": ([], "a trace of 0 nodes; use 1 to 200,000"),
    "options": ({"c": -1}, "c is -1"),
    "fields": (None, None),  # for readers: the fields follow from the search
    "game": (3, "this is not a trace of a tree that grew: TypeError: game is 3"),
    "result": ({}, "this is not a trace of a tree that grew: KeyError: 'claim'"),
}


@pytest.mark.parametrize("key", REFUSED)
def test_a_wrong_part_is_named(key):
    value, message = REFUSED[key]
    text = json.dumps(json.loads(TEXTS["uct"]) | {key: value})
    if message is None:
        assert GrowthTrace.from_json(text).to_json() == TEXTS["uct"]
        return
    with pytest.raises(ValueError, match=message.split(";")[0]):
        GrowthTrace.from_json(text)


def test_a_line_that_is_not_in_the_tree_is_refused():
    data = json.loads(TEXTS["dynamic ordering"])
    data["result"]["line"][0] = "9"
    with pytest.raises(ValueError, match="the line of the result has the move '9', which is not"):
        GrowthTrace.from_json(json.dumps(data))
