"""The explorer of growing trees, without a browser."""

import gzip
import json
import re
from math import isnan
from struct import iter_unpack

import pytest
from growths import SMALL, record_growths
from ui import START, ask, contrast

from kalahlab.games.hand_tree import AIMA_5_2
from kalahlab.games.kalah import Kalah
from kalahlab.search import alpha_beta
from kalahlab.search.growing import PLAYOUTS, uct
from kalahlab.search.limits import Nodes, Playouts, Seconds
from kalahlab.trace.growth import PARTS, record_growth
from kalahlab.widgets.explorer import Explorer, explore
from kalahlab.widgets.growth import GrowthExplorer, explore_growth
from kalahlab.widgets.models import growth_packing
from kalahlab.widgets.models.growth_packing import HOWS, pack_growth
from kalahlab.widgets.models.packing import TYPE_CODES

GROWTHS = record_growths()


def unpack_columns(packed):
    """Return the columns of a packed search by their names."""
    data, columns = gzip.decompress(packed["data"]), {}
    for name, kind, count in packed["columns"]:
        size = int(kind[1]) * count
        numbers = [number for (number,) in iter_unpack(f"<{TYPE_CODES[kind]}", data[:size])]
        columns[name], data = numbers, data[size:]
    assert data == b""
    return columns


@pytest.mark.parametrize("name", GROWTHS)
def test_the_packed_columns_are_the_trace(name):
    trace = GROWTHS[name]
    packed = pack_growth(trace, name)
    columns = unpack_columns(packed)
    assert packed["nodes"] == len(trace.nodes)
    assert packed["steps"] == trace.steps
    parents = [node.parent.id if node.parent else 0 for node in trace.nodes]
    assert columns["parent"] == parents
    assert [packed["moves"][move][0] for move in columns["move"]] == trace.names
    history = read_history(packed["fields"], columns)
    assert history == [
        [(step, tuple(map(float, numbers))) for step, numbers in changes]
        for changes in trace.history
    ]
    values = [*zip(columns["value_id"], columns["value_how"], columns["value"], strict=True)]
    for step in range(1, trace.steps + 1):
        iteration = trace.iteration(step)
        count = columns["valued"][step - 1]
        assert columns["leaf"][step - 1] == iteration.path[-1]
        expanded = -1 if iteration.expanded is None else iteration.expanded
        assert columns["expanded"][step - 1] == expanded + 1
        assert count == len(iteration.values)
        for (id, how, value), expected in zip(values[:count], iteration.values, strict=True):
            assert (id, HOWS[how], None if isnan(value) else value) == expected
        values = values[count:]
    assert len(columns.get("term_0", [])) == count_terms(trace)


def read_history(fields, columns):
    """Return the (step, numbers) of each change for each node."""
    numbers = [map(float, columns[f"number_{index}"]) for index in range(len(fields))]
    rows = [*zip(columns["step"], zip(*numbers, strict=True), strict=True)]
    history = []
    for count in columns["changes"]:
        history.append(rows[:count])
        rows = rows[count:]
    assert rows == []
    return history


def count_terms(trace):
    """Return the number of children that are candidates after each visit of their parent."""
    count = 0
    for step in range(1, trace.steps + 1):
        count += sum(len(trace.candidates(id, step)) for id in trace.iteration(step).path)
    return count


@pytest.mark.parametrize("name", GROWTHS)
def test_the_reasons_by_part_are_those_of_the_trace(name):
    trace = GROWTHS[name]
    reasons = json.loads(gzip.decompress(pack_growth(trace, name)["reasons"]))
    assert len(reasons) == trace.steps
    for step, parts in enumerate(reasons, start=1):
        assert " ".join(sentence for part in parts for sentence in part) == trace.why(step)
        assert len(parts) == len(PARTS)


def test_the_reasons_of_a_long_search_are_given_on_request(monkeypatch):
    monkeypatch.setattr(growth_packing, "MAX_EXPLAINED", 20)
    trace = GROWTHS["uct"]
    explorer = GrowthExplorer(trace)
    assert explorer.traces[0]["explained"] == 20
    parts = ask(explorer, reasons=31)["reasons"]
    assert parts == [*trace.reasons_by_part(31).values()]
    assert "there is no iteration" in ask(explorer, reasons=61)["error"]


def test_a_long_search_is_small():
    trace = record_growth(uct, SMALL, SMALL.start(), PLAYOUTS["random"], Playouts(2000))
    packed = pack_growth(trace, "uct")
    sizes = [len(packed[name]) for name in ("data", "reasons")]
    assert max(sizes) < 120 * trace.steps


def test_a_position_is_searched_by_name_within_a_limit():
    explorer = explore_growth(START, algorithm="uct", limit=Playouts(9), step=4)
    assert explorer.traces[0]["steps"] == 9
    assert explorer.traces[0]["title"] == "uct, 9 playouts"
    assert explorer.step == 4
    assert repr(explorer) == "<uct, 9 playouts: run the cell to step through it>"
    proof = explore_growth(Kalah(3, 2).start(), game=SMALL, algorithm="proof-number", at_least=3)
    assert proof.traces[0]["title"] == "proof_number, 1,000 nodes"
    assert proof.trace.policy.at_least == 3
    tree = explore_growth(AIMA_5_2, algorithm="best_first")
    assert tree.traces[0]["byHand"]
    default = explore_growth("aima-5.2", game="tree")
    assert default.trace.steps == 200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"algorithm": "alpha_beta"},
            "'alpha_beta' is no search that grows a tree; use one of uct, ",
        ),
        ({"evaluator": "guess"}, "unknown leaf 'guess'; use a playout or an evaluator: random, "),
        ({"limit": Nodes(9)}, "UCT cannot keep the limit 9n"),
        ({"algorithm": "proof_number", "limit": Playouts(9)}, "cannot keep the limit 9p"),
    ],
)
def test_a_wrong_argument_is_named(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        explore_growth(START, **arguments)


def test_each_explorer_names_the_other_one():
    for algorithm in ("uct", uct):
        with pytest.raises(ValueError, match=r"uct grows a tree; use explore_growth"):
            explore(START, algorithm=algorithm)
    for show in (explore, Explorer):
        with pytest.raises(TypeError, match="GrowthExplorer"):
            show(GROWTHS["uct"])
    with pytest.raises(TypeError, match="record_growth"):
        GrowthExplorer(alpha_beta)


def test_seconds_are_named_in_the_title():
    explorer = explore_growth("aima-5.2", game="tree", algorithm="best_first", limit=Seconds(9))
    assert explorer.traces[0]["title"] == "best_first, 9 seconds"


def test_a_page_has_a_picture_for_browsers_without_scripts():
    page = explore_growth(SMALL.start(), game=SMALL, limit=Playouts(5)).page("UCT")
    picture = page.split("<noscript>")[1].split("</noscript>")[0]
    assert "<svg" in picture
    assert "move" in picture
    assert "The game is over." in GrowthExplorer(GROWTHS["finished"]).fallback()


STYLE = str(GrowthExplorer._css)
COLOURS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--(\w+): ?light-dark\((#\w+), ?(#\w+)\)", STYLE)
}


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_contrasts_of_proofs_and_reasons_suffice(theme):
    for front, back in [("bg", "focus"), ("bg", "cut"), ("ink", "whyfill"), ("focus", "panel")]:
        assert contrast(COLOURS[front][theme], COLOURS[back][theme]) >= 4.5, (front, back)
