"""Pictures of trees that grew: what the trace knew at the step, and nothing else."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kalahlab.draw.growth_svg import MOST_NODES, describe_numbers, growth_svg
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.search.deep_enough import Depth
from kalahlab.search.growing import GROWING
from kalahlab.search.limits import Nodes, Playouts
from kalahlab.trace import record_growth

GAME = Kalah(3, 2)


def record_search(name, n=40):
    limits = GROWING[name].policy.limits
    limit = next(make for make in (Playouts, Nodes, Depth) if make in limits)
    return record_growth(
        GROWING[name], GAME, GAME.start(), store_difference, limit(n if limit is not Depth else 2)
    )


@pytest.mark.parametrize("name", GROWING)
@settings(max_examples=8)
@given(share=st.floats(0, 1), most=st.integers(1, 30))
def test_a_picture_has_the_nodes_of_the_step_with_their_numbers(name, share, most):
    trace = record_search(name)
    step = round(share * trace.steps)
    picture = ElementTree.fromstring(growth_svg(trace, step, "Title", most))
    groups = [element for element in picture.iter() if element.get("class") == "node"]
    existing = [id for id in range(len(trace.nodes)) if trace.numbers(id, step) is not None]
    drawn = existing[:most]
    assert [int(group.get("data-id")) for group in groups] == drawn
    for id, group in zip(drawn, groups, strict=True):
        texts = [text.text for text in group.iter() if text.tag.endswith("}text")]
        value, count = describe_numbers(trace.numbers(id, step))
        expected = [value] if trace.nodes[id].is_over else [value, count]
        expected = [text for text in expected if text]
        assert texts[len(texts) - len(expected) :] == expected
    note = f"Step {step} of {trace.steps}; {len(drawn)} of {len(existing)} nodes."
    assert note in "".join(picture.itertext())


def test_nodes_do_not_overlap():
    trace = record_search("uct", 60)
    picture = ElementTree.fromstring(growth_svg(trace))
    places = []
    for path in picture.iter("{http://www.w3.org/2000/svg}path"):
        if match := re.match(r"translate\(([-.\d]+),([-.\d]+)\)", path.get("transform", "")):
            places.append((float(match[1]), float(match[2])))
    assert len(places) == MOST_NODES
    for (x, y), (other_x, other_y) in combinations(places, 2):
        assert abs(x - other_x) >= 58 or abs(y - other_y) >= 24
