"""The sentences about a tree that grew."""

import re

import pytest
from growths import record_growths

from kalahlab.trace.growth import MOST_TOLD

GROWTHS = record_growths()


@pytest.mark.parametrize("name", GROWTHS)
def test_numbers_that_change_look_different_and_have_a_true_minus_sign(name):
    trace = GROWTHS[name]
    for step in range(1, trace.steps + 1):
        for sentence in trace.reasons(step):
            assert re.search(r"(?<![\w.])-\d", sentence) is None, sentence
            for old, new in re.findall(r"(\S+) → ([^\s,]+?)(?=[,.]? |[,.]?$)", sentence):
                assert old != new, sentence


@pytest.mark.parametrize("name", ["uct", "solver", "hand"])
def test_what_is_backed_up_is_told_as_a_mean(name):
    trace = GROWTHS[name]
    for step in range(1, trace.steps + 1):
        sentence, *_ = trace.reasons_by_part(step)["back up"]
        assert "total" not in sentence
        match = re.search(r"mean (?:\S+ → )?(−?[\d.]*\d)", sentence)
        numbers = trace.numbers(0, step)
        if match is None:
            assert step > 1
            assert numbers.mean == trace.numbers(0, step - 1).mean
        else:
            mean = float(match[1].replace("−", "-"))
            assert mean == pytest.approx(numbers.mean, abs=0.0051)


@pytest.mark.parametrize("name", GROWTHS)
def test_each_change_on_the_way_up_is_told_or_counted(name):
    trace = GROWTHS[name]
    for step in range(1, trace.steps + 1):
        _, *rest = trace.reasons_by_part(step)["back up"]
        count = " ".join(rest).count("fter ")
        left_out = sum(map(int, re.findall(r"below that, (\d+) node", " ".join(rest))))
        changed = [
            id
            for id in trace.iteration(step).path[1:]
            if trace.numbers(id, step) != trace.numbers(id, step - 1)
        ]
        assert count + left_out == len(changed)
        assert count <= MOST_TOLD


def test_the_way_up_is_told_node_by_node():
    _, way = GROWTHS["uct"].reasons_by_part(5)["back up"]
    path = GROWTHS["uct"].iteration(5).path
    last = ", ".join(GROWTHS["uct"].path_names(path[-1]))
    assert f"fter {last}, n 1, mean " in way
