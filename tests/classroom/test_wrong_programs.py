"""The check of a student's program: each known mistake is told, in programs of many styles."""

import pytest
from student_programs import RIGHT, STYLES, WRONG, describe, load_program

from kalahlab.classroom.program_check.check import check_program
from kalahlab.classroom.program_check.mistakes import KNOWN_MISTAKES

NUMBER = 60
"""Trials of a check; a program whose mistake shows at fewer positions has a larger number."""


@pytest.mark.parametrize("program", WRONG, ids=describe)
def test_wrong_programs_are_told_their_mistakes(program):
    search = load_program(program["style"], program["replace"])
    report = check_program(search, number=program.get("number", NUMBER))
    assert not report.is_right
    # Of a part, other mistakes may give the same answers; there must not be many.
    explanations = [part.explanations for part in report.parts if not part.is_right]
    assert all(len(sets) <= 3 for sets in explanations), report
    names = {mistake.name for sets in explanations for mistake in sets[0]}
    allowed = {mistake.name for sets in explanations for own in sets for mistake in own}
    assert {*program["mistakes"]} <= allowed, report
    assert len(names) == len(program["mistakes"]), report
    assert max(map(len, str(report).splitlines())) <= 80


def test_there_are_as_many_programs_as_promised():
    assert len(WRONG) >= 30
    assert len(RIGHT) + len(STYLES) >= 30
    assert len({name for program in WRONG for name in program["mistakes"]}) >= 25
    assert len({mistake.name for mistake in KNOWN_MISTAKES}) == len(KNOWN_MISTAKES)
