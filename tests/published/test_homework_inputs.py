"""The inputs that are made tell the known mistakes apart, and the grader names those on them."""

import json
from collections import defaultdict

import pytest
from pseudo_code import DEFECTIVE, STRANGE, TWO_DEFECTS

from kalahlab.published.grader import LOG, NEXT_STATE, Files, check
from kalahlab.published.homework import (
    CAUSES,
    RIGHT,
    pairs_of_causes,
    read_problem,
    written,
)
from kalahlab.published.homework_inputs import LONGEST, make_inputs

PROGRAMS = {(): RIGHT} | {(cause.name,): cause.defects for cause in CAUSES}
BY_TWO = PROGRAMS | {tuple(cause.name for cause in pair): both for pair, both in pairs_of_causes()}


@pytest.fixture(scope="module")
def made():
    return make_inputs(20, seed=1)


def same_files(programs, texts):
    """The programs that write the same files for all inputs, compared whole."""
    groups = defaultdict(set)
    for names, defects in programs.items():
        groups[tuple(written(read_problem(text), defects) for text in texts)].add(names)
    return {frozenset(group) for group in groups.values() if len(group) > 1}


def test_each_known_mistake_shows_and_no_two_are_alike(made):
    assert made.alike == ()
    assert same_files(PROGRAMS, made.texts) == set()


def test_what_remains_alike_is_said(made):
    said = {frozenset(group) for group in made.alike_by_two}
    assert said == same_files(BY_TWO, made.texts) != set()
    few = make_inputs(1, seed=1)
    assert {frozenset(group) for group in few.alike} == same_files(PROGRAMS, few.texts) != set()


def test_the_inputs_are_small_and_of_both_tasks(made):
    problems = list(map(read_problem, made.texts))
    assert len({*made.texts}) == 20
    assert {problem.task for problem in problems} == {2, 3}
    assert all(written(problem)[1].count("\n") <= LONGEST for problem in problems)


def test_a_seed_makes_the_same_inputs_in_the_folder(run, tmp_path):
    for out, seed in (("a", "3"), ("b", "3"), ("c", "4")):
        words = ("--make", "2", "--seed", seed, "--out", str(tmp_path / out))
        status, said, _ = run("homework", *words, "--json")
        assert (status, json.loads(said)["inputs"]) == (0, 2)
    texts = [[(tmp_path / out / at / "input.txt").read_text() for at in "12"] for out in "abc"]
    assert texts[0] == texts[1] != texts[2]
    status, said, _ = run("homework", str(tmp_path / "a"), "--out", str(tmp_path / "ours"))
    assert (status, len(said.splitlines())) == (0, 3)
    after, log = written(read_problem(texts[0][1]))
    assert (tmp_path / "ours" / "2" / NEXT_STATE).read_text() == after
    assert (tmp_path / "ours" / "2" / LOG).read_text() == log


@pytest.fixture
def named(made, tmp_path):
    """What the grader names for a program, given as a function of the input's text."""

    def named(write):
        cases = []
        for at, text in enumerate(made.texts):
            files = Files(tmp_path / f"board{at}", tmp_path / f"log{at}")
            for path, content in zip(files, write(text), strict=True):
                path.write_text(content)
            cases.append((read_problem(text), files))
        return [tuple(cause.name for cause in each) for each in check(cases).explained]

    return named


def pseudo(program):
    def write(text):
        run = program(text)
        return run.after, "\n".join(run.log) + "\n"

    return write


@pytest.mark.parametrize("pair", [*BY_TWO][len(PROGRAMS) :: 11], ids=" + ".join)
def test_two_mistakes_are_named_and_nothing_else(named, made, pair):
    """Or programs that write the same, which the files cannot refute."""
    alike = next((group for group in made.alike_by_two if pair in group), (pair,))
    found = named(lambda text: written(read_problem(text), BY_TWO[pair]))
    fewest = min(map(len, alike))
    assert {frozenset(each) for each in found} == {
        frozenset(each) for each in alike if len(each) == fewest
    }


@pytest.mark.parametrize("name", DEFECTIVE)
def test_one_mistake_is_named_and_nothing_else(named, name):
    assert named(pseudo(DEFECTIVE[name])) == [(name,)]


def test_two_mistakes_are_named_in_order(named):
    assert named(pseudo(TWO_DEFECTS["defects"])) == [("depth-in-moves", "last-of-equals")]


@pytest.mark.parametrize("name", STRANGE)
def test_a_mistake_that_is_not_known_is_called_unknown(named, name):
    assert named(pseudo(STRANGE[name])) == []
