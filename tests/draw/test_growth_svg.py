"""Pictures of trees that grew: what the trace knew at the step, and nothing else."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kalahlab.draw.growth_svg import describe_numbers, growth_svg
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
    groups = [element for element in picture.iter() if element.tag.endswith("}g")]
    existing = [id for id in range(len(trace.nodes)) if trace.numbers(id, step) is not None]
    drawn = existing[:most]
    assert len(groups) == len(drawn)
    for id, group in zip(drawn, groups, strict=True):
        texts = [text for text in group.itertext() if text.strip()]
        expected = [text for text in describe_numbers(trace.numbers(id, step)) if text]
        assert texts[-len(expected) :] == expected
    note = f"Step {step} of {trace.steps}; {len(drawn)} of {len(existing)} nodes."
    assert note in "".join(picture.itertext())


def test_nodes_of_a_level_do_not_overlap():
    trace = record_search("uct", 60)
    rows = {}
    for x, y in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>n = ', growth_svg(trace)):
        rows.setdefault(y, []).append(float(x))
    assert rows
    for xs in rows.values():
        gaps = [second - first for first, second in pairwise(sorted(xs))]
        assert all(gap >= 60 for gap in gaps)
