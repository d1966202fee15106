"""The sentences about a tree that grew."""

import re

import pytest
from growths import record_growths

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
        [sentence] = trace.reasons_by_part(step)["back up"]
        assert "total" not in sentence
        match = re.search(r"mean (?:\S+ → )?(−?[\d.]*\d)", sentence)
        numbers = trace.numbers(0, step)
        if match is None:
            assert step > 1
            assert numbers.mean == trace.numbers(0, step - 1).mean
        else:
            mean = float(match[1].replace("−", "-"))
            assert mean == pytest.approx(numbers.mean, abs=0.0051)
