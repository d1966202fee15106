"""Every exercise: its answers are computed again, and what is said of a reader's answer."""

import csv
import gzip
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import StringIO
from math import ceil, comb, inf, log, log10, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, geometric_mean, stdev
from types import SimpleNamespace
from typing import Any, cast

import nbformat
import numpy as np
import pytest
from scipy import stats

from kalahlab.data import data_file, data_rows
from kalahlab.engine.solver.exact import ExactSolver
from kalahlab.engine.solver.ledger import Ledger
from kalahlab.evaluators.cards import WEIGHTS, factors
from kalahlab.evaluators.fitted import FIT, fitted
from kalahlab.evaluators.kalah import staged, store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.exercises import Exercise, alike, check, exercises, same_set
from kalahlab.games.betsy import Betsy, parse_board, pebbles
from kalahlab.games.betsy import State as BetsyState
from kalahlab.games.cards import PROGRAM, USER, Cards, cell_name, parse_position, removed
from kalahlab.games.hand_tree import (
    EXERCISE_3,
    MAX,
    MIN,
    RICH_KNIGHT_12_5,
    Branch,
    HandTree,
    uniform_tree,
)
from kalahlab.games.kalah import (
    EMPTY_CAPTURE,
    NORTH,
    SOUTH,
    STANDARD,
    Kalah,
    Rules,
    State,
    side,
    stores,
)
from kalahlab.play import random_position
from kalahlab.published.betsy import weighing
from kalahlab.published.cards import odd_depth, widths
from kalahlab.published.cs5329 import (
    AS_PRINTED,
    UNSET,
    Node,
    Program,
    memory_by_formula,
    pit_of_alpha_beta_search,
    printed_e3,
    printed_e4,
)
from kalahlab.published.homework import (
    Mancala,
    Problem,
    TraversalLog,
    board_lines,
    read_problem,
    solve,
)
from kalahlab.search import ORDERS, Depth, alpha_beta, minimax, scout
from kalahlab.search.observer import CompositeObserver
from kalahlab.search.perft import perft
from kalahlab.trace import Recorder, Trace, grow, record

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("[0-9]*.ipynb"))


def recorded(search: Any, tree: HandTree, depth: int = 9) -> Trace:
    return record(search, tree, tree.start(), written_value, Depth(depth))


# 1: the rules.


def extra_turns(board: tuple[int, ...], player: int, first: int = 1) -> list[int]:
    """The pits that earn an extra turn, the leftmost being `first`."""
    game, state = Kalah(6, 0), State(board, player)
    return [pit + first for pit in game.moves(state) if game.play(state, pit).player == player]


def store_after(board: tuple[int, ...], pit: int, rules: Rules = STANDARD) -> int:
    return stores(Kalah(4, 0, rules).play(State(board, SOUTH), pit - 1).board)[SOUTH]


def e1_1() -> list[Any]:
    [pit] = extra_turns(Kalah(6, 4).start().board, SOUTH)
    return [pit, pit - 1, pit + 1]


def e1_2() -> list[Any]:
    board = (1, 0, 3, 2, 2, 2, 3, 5, 3, 1)
    right, before = store_after(board, 1), stores(board)[SOUTH]
    return [right, right - 1, before, before + 1 + side(board, NORTH)[1]]


def e1_3() -> list[Any]:
    board = (2, 1, 0, 1, 3, 1, 0, 4, 2, 2)
    right = [store_after(board, 2), store_after(board, 2, EMPTY_CAPTURE)]
    return [right, right[::-1], right[:1] * 2]


def e1_4() -> list[Any]:
    game = Kalah(4, 0)
    margin = game.margin(game.play(State((0, 0, 0, 1, 7, 2, 0, 3, 1, 6), SOUTH), 3), SOUTH)
    return [margin, 8 - 6, 8 + 6 - 6, -margin]


def e1_5() -> list[Any]:
    one, two = perft(Kalah(4, 2), Kalah(4, 2).start(), 2)
    return [two, one**2, one, (one - 1) * one]


# 2: the published study.


def e2_1() -> list[Any]:
    right = memory_by_formula(2000)
    return [right, 81 * 2000 // 1000, 81 * 2000, right + 1]


def e2_2() -> list[Any]:
    root = Node(*Kalah(6, 6).start())
    pit_of_alpha_beta_search(Program(3, 2, AS_PRINTED), root)
    children = [child for child in root.children if child]
    return [sum(child.field != UNSET for child in children), len(children), 0]


def e2_5() -> list[Any]:
    tree = HandTree(uniform_tree(6, 2, seed=1))
    return [recorded(minimax, tree).result.counts.expanded, 2, 6**2, 1 + 6 + 6**2, 6]


# 3 and 8: pruning.


TYPES = {1: (1, 2), 2: (3, 0), 3: (2, 2)}
"""Of the first child of a node of each type, and of the others; 0 if they are not visited."""


def leaves(arity: int, depth: int, kind: int = 1) -> int:
    """The leaves of a minimal tree, counted type by type as Knuth and Moore do."""
    if depth == 0:
        return 1
    first, others = TYPES[kind]
    other = (arity - 1) * leaves(arity, depth - 1, others) if others else 0
    return leaves(arity, depth - 1, first) + other


def pruned() -> tuple[Trace, dict[str, Any]]:
    """Alpha-beta on the tree of the exercises, and the visits of its nodes by their names."""
    trace = recorded(alpha_beta, EXERCISE_3)
    return trace, {visit.name: visit for visit in trace.nodes}


def e3_1() -> list[Any]:
    trace, _ = pruned()
    cuts = [(cut.value < cut.bound, cut.by, cut.untried) for cut in trace.cuts]
    found = (
        [id for _, _, untried in cuts for id in untried],
        [id for strict, _, untried in cuts if strict for id in untried],
        [id for _, by, untried in cuts for id in (by, *untried)],
        [],
    )
    return [[trace.nodes[id].name for id in ids] for ids in found]


def e3_2() -> list[Any]:
    visit = pruned()[1]
    largest = max(leaf.value for leaf in EXERCISE_3.root.children[0].children)
    return [visit["D"].alpha, visit["D"].beta, largest, visit["d1"].value]


def e3_3() -> list[Any]:
    counts = pruned()[0].result.counts
    made, seen = counts.generated, counts.visited
    all_seen = recorded(minimax, EXERCISE_3).result.counts.visited
    return [[made, seen], [made + 1, seen], [made, seen - 1], [made, all_seen]]


def e3_4() -> list[Any]:
    tree = uniform_tree(3, 4, seed=1)
    best = alpha_beta(HandTree(tree), tree, written_value, Depth(4), order=ORDERS["oracle"])
    return [best.counts.evaluated, 3**4, 3**2 + 3**2, 3**2]


def e3_5() -> list[Any]:
    c = Branch("C", MIN, 0, (Branch("c1", MAX, 5), Branch("c2", MAX, 8)))
    b = Branch("B", MAX, 0, (Branch("b1", MIN, 2), Branch("b2", MIN, 6)))
    trees = (HandTree(Branch("A", MAX, 0, (each, c))) for each in (b, replace(b, player=MIN)))
    extra, by_level = (recorded(minimax, tree).result.value for tree in trees)
    return [extra, by_level, 8, inf]


def e8_2() -> list[Any]:
    def certain(returned: int, alpha: int) -> str:
        """What a fail-soft search with the window (alpha, alpha + 1) says of a value v."""
        return f"v {'>=' if returned > alpha else '<='} {returned}"

    return [certain(5, 3), "v = 5", certain(5, 6), certain(4, 3)]


def e8_3() -> list[Any]:
    trace = recorded(scout, RICH_KNIGHT_12_5)
    names = [trace.nodes[id].name for id in trace.nodes[0].children]
    return [*{name for name in names if names.count(name) > 1}, names[0]]


def e8_5() -> list[Any]:
    right = max(depth for depth in range(20) if leaves(4, depth) <= 4**6)
    return [right, 2 * 6, right + 1, 6]


# 4: solved games.


@cache
def opening(pits: int, stones: int) -> dict[str, str]:
    """The row of the table of solved games, under the standard rule."""
    want = (str(pits), str(stones), "standard")
    [row] = [
        row for row in data_rows("solved.csv") if (row["pits"], row["stones"], row["rules"]) == want
    ]
    return row


def first_moves() -> list[int]:
    return [int(value) for value in opening(6, 4)["moves"].split()]


def e4_1() -> list[Any]:
    total, margin = 2 * 3 * 6, int(opening(3, 6)["value"])
    own = (total + margin) // 2
    return [[own, total - own], [total - own, own], [total // 2 + margin, total // 2 - margin]]


def e4_2() -> list[Any]:
    winning = [pit for pit, value in enumerate(first_moves(), start=1) if value > 0]
    best = first_moves().index(max(first_moves())) + 1
    return [winning, [pit - 1 for pit in winning], [best]]


def e4_3() -> list[Any]:
    best, fourth = max(first_moves()), first_moves()[3]
    return [best - fourth, fourth, best + fourth]


def e4_4() -> list[Any]:
    """The margins that the solver asks of a prover that says no more than it is asked."""
    value, asked = int(opening(6, 6)["value"]), list[int]()

    def bound(state: State, margin: int, limit: int = 0) -> int:
        asked.append(margin)
        return margin if value >= margin else margin - 2

    prover = SimpleNamespace(bound=bound, nodes=0)
    game = Kalah(6, 6)
    database = SimpleNamespace(game=game, known=lambda state: None)
    ExactSolver(cast(Any, database), cast(Any, prover), Ledger()).value(game.start())
    return [asked, asked[:-1], [*range(asked[-1])], asked[-2:]]


# 5: scores and intervals.


def e5_1() -> list[Any]:
    scores = {0.55: (0.48, 0.62), 0.60: (0.52, 0.68), 0.41: (0.35, 0.49)}
    by_mean = ["better" if mean > 0.5 else "worse" for mean in scores]
    contains = [low <= 0.5 <= high for low, high in scores.values()]
    neither = "not told apart"
    told = [neither if each else word for each, word in zip(contains, by_mean, strict=True)]
    return [told, by_mean, [neither] * 3]


def e5_2() -> list[Any]:
    return [geometric_mean([2, 8]), fmean([2, 8]), fmean([log(2), log(8)])]


def e5_3() -> list[Any]:
    exact = (1.96 * 0.25 / 0.05) ** 2
    return [ceil(exact), 2 * ceil(exact), ceil(exact / 4), ceil(sqrt(exact)), exact]


def e5_4() -> list[Any]:
    return [400 * log10(3), 400 * log(3), 400 * log10(1 / 0.75), 400 * 0.75]


# 6: heuristics.

BOARD = (6, 0, 0, 3, 0, 2, 8, 9, 5, 9, 9, 10, 0, 11)


def e6_1() -> list[Any]:
    filled = [pit for pit in range(1, 7) if BOARD[pit - 1]]
    return [extra_turns(BOARD, SOUTH), extra_turns(BOARD, SOUTH, first=0), filled]


def e6_2() -> list[Any]:
    own, other = (2 * len(extra_turns(BOARD, player)) for player in (SOUTH, NORTH))
    stage = 0.75 * 8 - 11
    right = float(staged(BOARD, SOUTH))
    return [right, 8 - 0.6 * 11 + own - other, stage + own, stage, right - 10]


def e6_3() -> list[Any]:
    four, five = (comb(5, wins) / 2**5 for wins in (4, 5))
    return [four + five, four, five, 0.5**4]


def e6_4() -> list[Any]:
    left, middle, right = 8.0, 2.0, 0.0
    mean = fmean([left, middle, right])
    return [[mean, left, right], [mean, right, left], [middle, left, right], [right] * 3]


# 7: perfect play.


@cache
def judged() -> list[int]:
    """What the moves are worth in the position that the page shows, its first standard one."""
    with gzip.open(str(data_file("judged.csv.gz")), "rt") as file:
        row = next(row for row in csv.DictReader(file) if row["rules"] == "standard")
    return [int(value) for value in row["moves"].split() if value != "-"]


def e7_1() -> list[Any]:
    regrets = [max(judged()) - value for value in judged()]
    return [regrets, judged(), [regret for regret in regrets if regret]]


def e7_2() -> list[Any]:
    regrets, _, worse = e7_1()
    return [fmean(regrets), fmean(worse), sum(regrets), sum(regrets) / 6]


def e7_3() -> list[Any]:
    one, other = np.array([0, 10, 20, 31]), np.array([1, 11, 21, 32.5])

    def interval(values: Any) -> Any:
        return stats.ttest_1samp(values, 0).confidence_interval()

    low, high = interval(other - one)
    return [low, fmean(other - one), high, interval(other).low - interval(one).low]


def e7_4() -> list[Any]:
    before, weights = State((0, 0, 2, 0, 0, 1, 10, 1, 1, 1, 1, 1, 1, 10), SOUTH), FIT["weights"]
    after = Kalah(6, 6).play(before, 5)
    change = float(fitted(after.board, SOUTH) - fitted(before.board, SOUTH))
    stones = 1 - weights["stones_1"]
    return [change, 1, stones, stones - weights["mobility"]]


# 9: the homework.


@cache
def traversal(text: str) -> tuple[Problem, Trace, list[str]]:
    """A problem, its search, and the lines of its log."""
    problem, recorder, log = read_problem(text), Recorder(), StringIO()
    result = solve(problem, CompositeObserver(recorder, TraversalLog(problem, log.write)))
    trace = Trace(result, grow(problem.game, recorder.events))
    return problem, trace, log.getvalue().splitlines()


def shown() -> tuple[Problem, Trace, list[str]]:
    """The search that the page shows."""
    return traversal("3\n1\n2\n0 1 3\n3 1 3\n0\n0")


def e9_1() -> list[Any]:
    problem = read_problem("3\n1\n1\n2 0 1\n1 0 2\n0\n0")

    def after(rules: Rules) -> str:
        game = Mancala(3, 0, rules)
        return " / ".join(board_lines(game, game.play(problem.state, 0)).splitlines())

    return [after(problem.rules), after(STANDARD), "2 0 1 / 0 0 2 / 1 / 0"]


def e9_2() -> list[Any]:
    _, trace, log = shown()
    node = trace.nodes[trace.nodes[0].children[0]].node
    in_log = next(int(line.split(",")[1]) for line in log if line.startswith("B2,"))
    return [[node.sows, node.turns, in_log], [1, 1, 1], [1, 0, 0]]


def e9_3() -> list[Any]:
    problem, trace, _ = shown()
    longest = max(visit.node.sows for visit in trace.visited())
    return [longest, problem.cutoff, longest + 1]


def e9_4() -> list[Any]:
    log = traversal("3\n1\n1\n1 1 1\n0 1 1\n0\n0")[2]
    return [log[-1], log[-2], "root,0,3,3,Infinity", "root,0,1,0,Infinity"]


# 10: Betsy.


def e10_2() -> list[Any]:
    state = BetsyState(parse_board(".x..o..x.oo.xx.oo.", 3), 0, 40)
    every = [1, -1, 2, -2, 3, -3]
    no_drop, no_turn = ([move for move in every if move != wrong] for wrong in (2, -3))
    return [list(Betsy(3).moves(state)), every, no_drop, no_turn, [1, 3]]


def e10_3() -> list[Any]:
    def rival(row: float, column: float) -> float:
        board = parse_board(".x..o.ooxxxoxoxxoo", 3)
        return float(weighing(distance_to_row=row, distance_to_column=column)(board, 0))

    return [rival(2, 1), rival(1, 2), 3 * rival(2, 1), (2 * -2 + -3) / 9]


# 11: the card game.


@cache
def card_move() -> tuple[Any, Any]:
    """The boards before and after the move of the first two exercises."""
    before = parse_position("8u,.,.,./.,.,.,./.,.,3p,./.,.,.,. 2,3,5,13 2,5,8,13 user")
    return before.board, Cards().play(before, (5, 5)).board


def e11_1() -> list[Any]:
    lost = [cell_name(4, cell) for cell in removed(*card_move())]
    return [lost, ["a1", "b2", "c3"], [], ["a1"]]


def e11_2() -> list[Any]:
    own, other = (np.dot(WEIGHTS, factors(card_move()[1], player)) for player in (USER, PROGRAM))
    return [own - other, other - own, own, own - other + 6]


def e11_3() -> list[Any]:
    depth = odd_depth(10_000, widths(12, 3, 3)).limit
    products = np.cumprod([*widths(12, 3, 3)])
    below = int((products <= 10_000).sum())
    return [depth, below, 1, odd_depth(1_000_000, widths(12, 3, 3)).limit]


def e11_4() -> list[Any]:
    game, state = Cards(first=PROGRAM), random_position(Cards(first=PROGRAM), Random(0), 4)
    for _ in range(3):
        state = game.play(state, game.moves(state)[0])
    own, other = (factors(state.board, player).n1 for player in (PROGRAM, USER))
    return [own - other, 0, 1]


# 12: a game.


@cache
def trap() -> tuple[dict[int, float], int]:
    """The exact value of each pit of South, from 1, and the pit that a search of 2 sows plays."""
    game, state, values = Kalah(3, 2), State((1, 1, 2, 0, 1, 0, 1, 0), SOUTH), {}
    for pit in game.moves(state):
        after = game.play(state, pit)
        value = minimax(game, after, store_difference, Depth(60)).value
        values[pit + 1] = value if after.player == SOUTH else -value
    return values, alpha_beta(game, state, store_difference, Depth(2)).move + 1


def e12_1() -> list[Any]:
    values, played = trap()
    return [played, max(values, key=values.__getitem__), min(values, key=values.__getitem__)]


def e12_2() -> list[Any]:
    values, played = trap()
    best, worth = max(values.values()), values[played]
    return [best - worth, worth - best, best + worth]


# 13: strength.


def e13_1() -> list[Any]:
    best, played = np.array([3, 0, -2, 5]), np.array([-1, 0, -4, 5])
    kept, larger = np.sign(best) == np.sign(played), best != played
    optimal, regret = (~larger).mean(), best - played
    right = [optimal, kept.mean(), regret.mean()]
    return [right, [optimal, optimal, right[2]], [*right[:2], float(regret.sum())]]


def e13_2() -> list[Any]:
    regrets = np.array([0, 0, 2, 2, 4, 4])
    sums = (regrets - regrets.mean()).reshape(3, 2).sum(axis=1)
    variance = 3 / 2 * (sums**2).sum() / 6**2
    plain = stdev([0, 0, 2, 2, 4, 4]) / sqrt(6)
    return [sqrt(variance), plain, sqrt(variance * 2 / 3), variance]


ANSWERS: dict[str, Callable[[], list[Any]]] = {
    name[1:].replace("_", "."): function
    for name, function in dict(globals()).items()
    if re.fullmatch(r"e\d+_\d", name)
} | {
    "2.3": lambda: [printed_e3((1,) * 6 + (7,) + (1,) * 6 + (2,), SOUTH), 7 / 2, 7 - 2, 2 // 7],
    "2.4": lambda: [printed_e4((0, 0, 3, 0, 5, 0, 4) + (1,) * 6 + (4,)), 1500, 800],
    "8.1": lambda: [leaves(3, 5), 3**5, 3**3 + 3**2, 3**2 + 3**2 - 1, 3**3 + 3**3 - 1],
    "8.4": lambda: [TYPES[TYPES[TYPES[1][0]][1]][0], TYPES[TYPES[1][0]][1], TYPES[1][0]],
    "10.1": lambda: [pebbles(4), 4 * (4 - 3) // 2, 4 * (4 + 3)],
    "10.4": lambda: [19 * 0.02, 0.02, 0.02 / 19],
    "12.3": lambda: [3 + 5 - 1, 3 + 5 + 1, 3 - 5 + 1, 5 - 1],
    "13.3": lambda: [log(99), log10(99), log(19), 99],
}
"""For each exercise what computes its right answer, then the wrong ones."""


def written(answer: Any) -> Any:
    """An answer as the file has it, with five digits."""
    if isinstance(answer, (list, tuple)):
        return [written(each) for each in answer]
    return answer if isinstance(answer, str) else float(f"{answer:.5g}")


def test_every_answer_is_computed() -> None:
    assert {*ANSWERS} == {*exercises()}


@pytest.mark.parametrize("number", exercises())
def test_the_file_has_what_is_computed(number: str) -> None:
    told = exercises()[number]
    answers = [told.answer, *(each["answer"] for each in told.mistakes)]
    assert written(answers) == written(ANSWERS[number]())


# What is said of an answer.

SUM = Exercise(
    "3.1",
    answer=7,
    hint="Count again.",
    solution="There are **{answer}** of them.",
    mistakes=[{"answer": 8, "hint": "The root is no child."}],
)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (..., "Exercise 3.1: not answered yet."),
        (7, "Exercise 3.1: right."),
        (8, "Exercise 3.1: not right. The root is no child."),
        (9, "Exercise 3.1: not right. Count again."),
    ],
)
def test_an_answer_is_told_what_is_wrong_and_not_what_is_right(given: object, said: str) -> None:
    feedback = SUM.check(given)
    assert repr(feedback) == said
    shown, _, hidden = feedback._repr_html_().partition("<details>")
    assert said in shown
    assert "<strong>7</strong>" in hidden


def test_answers_are_alike_however_they_are_written() -> None:
    assert alike([1, 2], (1, 2))
    assert alike(" Min", "MIN")
    assert alike(0.333, 1 / 3)
    assert not alike([1, 2], (2, 1))
    assert not alike(1, True)
    assert not alike(0.3, 1 / 3)
    assert same_set({"A1", "b2"}, ["b2", "a1"])
    assert not same_set(["a1"], ["b2", "a1"])
    assert not same_set(["a1", "b2", "c3"], ["b2", "a1"])
    assert not same_set("a1", ["a1"])


def test_an_unknown_exercise_is_named_beside_those_that_there_are() -> None:
    with pytest.raises(ValueError, match=r"exercise is '3.99'; there are 1.1, 1.2, .* 13.3"):
        check("3.99", ...)


def test_right_answers_are_right_and_mistakes_are_told_apart() -> None:
    for exercise in exercises().values():
        assert exercise.check(exercise.answer).verdict == "right", exercise.number
        for mistake in exercise.mistakes:
            told = exercise.check(mistake["answer"])
            assert (told.verdict, told.hint) == ("not right", mistake["hint"]), exercise.number
        assert exercise.check(object()).hint == exercise.hint
        assert str(exercise.answer) not in exercise.hint.split()


def test_the_notebooks_ask_each_exercise_once_and_in_order() -> None:
    asked = []
    for path in NOTEBOOKS:
        source = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
        asked += re.findall(r'### Exercise ([\d.]+)\b[\s\S]*?check\("\1", \.\.\.\)', source)
        assert len(re.findall(r"^check\(", source, re.MULTILINE)) == source.count("### Exercise ")
    assert asked == [*exercises()]
