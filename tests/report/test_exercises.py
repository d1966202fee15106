"""Every exercise: its answers are computed again, and readers' answers get feedback."""

import csv
import gzip
import json
import re
from dataclasses import replace
from itertools import chain
from math import ceil, comb, exp, inf, log, log2, log10, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, geometric_mean, stdev
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from conftest import cases, jsonl
from nbformat.v4 import new_code_cell, new_notebook, new_output
from oracle import TYPES, leaves
from scipy import stats

from kalahlab.classroom.exercise_sheet import render_sheet
from kalahlab.classroom.marking import parse_answer_sheet
from kalahlab.data import data_file, data_rows
from kalahlab.evaluators.betsy import weighing
from kalahlab.evaluators.cards import WEIGHTS, factors
from kalahlab.evaluators.fitted import FIT, fitted
from kalahlab.evaluators.kalah import staged, store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.games import betsy, cards, hand_tree, kalah
from kalahlab.games.cards import PROGRAM, USER, Cards
from kalahlab.games.hand_tree import MAX, MIN, Branch, HandTree, uniform_tree
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State
from kalahlab.games.rules import EMPTY_CAPTURE, STANDARD
from kalahlab.players.game_loop import random_position
from kalahlab.published import cs5329
from kalahlab.published.cards import odd_depth, widths
from kalahlab.published.homework import Mancala, board_lines, read_problem, render_files, solve
from kalahlab.report.exercises import check, load_exercises, parse_answer, sets_match
from kalahlab.report.manifest import Manifest, Record
from kalahlab.report.pages import read_page, render_notebook_pages
from kalahlab.report.rendering import parse
from kalahlab.search import ORDERS, Depth, alpha_beta, minimax, scout
from kalahlab.search.model import Node
from kalahlab.search.ordering import StoreFirstKiller
from kalahlab.search.perft import perft
from kalahlab.solver.exact_solver import ExactSolver
from kalahlab.solver.ledger import Ledger
from kalahlab.trace import Recorder, Trace, record

HANDED_IN = jsonl(Path(__file__).with_name("handed_in.jsonl"))
NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("[0-9]*.ipynb"))

# For each page the numbers of its exercises, each with the right answer and then the foreseen wrong
# ones.


def record_search(search, tree, depth=9):
    return record(search, tree, tree.start(), written_value, Depth(depth))


def extra_turns(board, player, first=1):
    """Return the pits that earn an extra turn, the leftmost being `first`."""
    game, state = Kalah(6, 0), State(board, player)
    return [pit + first for pit in game.moves(state) if game.play(state, pit).player == player]


def rules_of_kalah():
    def store_after(board, pit, rules=STANDARD):
        return kalah.stores(Kalah(4, 0, rules).play(State(board, SOUTH), pit - 1).board)[SOUTH]

    [pit] = extra_turns(Kalah(6, 4).start().board, SOUTH)
    yield "1.1", [pit, pit - 1, pit + 1]
    board = (1, 0, 3, 2, 2, 2, 3, 5, 3, 1)
    right, before = store_after(board, 1), kalah.stores(board)[SOUTH]
    yield "1.2", [right, right - 1, before, before + 1 + kalah.side(board, NORTH)[1]]
    board = (2, 1, 0, 1, 3, 1, 0, 4, 2, 2)
    both = [store_after(board, 2), store_after(board, 2, EMPTY_CAPTURE)]
    yield "1.3", [both, both[::-1], both[:1] * 2]
    game = Kalah(4, 0)
    margin = game.margin(game.play(State((0, 0, 0, 1, 7, 2, 0, 3, 1, 6), SOUTH), 3), SOUTH)
    yield "1.4", [margin, 8 - 6, 8 + 6 - 6, -margin]
    one, two = perft(Kalah(4, 2), Kalah(4, 2).start(), 2)
    yield "1.5", [two, one**2, one, (one - 1) * one]


def cs5329_study():
    kilobytes = cs5329.memory_by_formula(2000)
    yield "2.1", [kilobytes, 81 * 2000 // 1000, 81 * 2000, kilobytes + 1]
    root = cs5329.Node(*Kalah(6, 6).start())
    cs5329.pit_of_alpha_beta_search(cs5329.Program(3, 2, cs5329.AS_PRINTED), root)
    children = [child for child in root.children if child]
    yield "2.2", [sum(child.field != cs5329.UNSET for child in children), len(children), 0]
    ratio = cs5329.evaluate_e3_as_printed((1,) * 6 + (7,) + (1,) * 6 + (2,), SOUTH)
    yield "2.3", [ratio, 7 / 2, 7 - 2, 2 // 7]
    yield "2.4", [cs5329.evaluate_e4_as_printed((0, 0, 3, 0, 5, 0, 4) + (1,) * 6 + (4,)), 1500, 800]
    expanded = record_search(minimax, HandTree(uniform_tree(6, 2, seed=1))).result.counts.expanded
    yield "2.5", [expanded, 2, 6**2, 1 + 6 + 6**2, 6]


def pruning():
    trace = record_search(alpha_beta, hand_tree.EXERCISE_3)
    visit = {visit.name: visit for visit in trace.nodes}
    cuts = [(cut.value < cut.bound, cut.by, cut.untried) for cut in trace.cuts]
    cut_off, strictly, with_cause = list[int](), list[int](), list[int]()
    for is_strict, by, untried in cuts:
        cut_off += untried
        with_cause += (by, *untried)
        if is_strict:
            strictly += untried

    def names_of(ids):
        return [trace.nodes[id].name for id in ids]

    yield "3.1", [names_of(cut_off), names_of(strictly), names_of(with_cause), []]
    largest = max(leaf.value for leaf in hand_tree.EXERCISE_3.root.children[0].children)
    yield "3.2", [visit["D"].alpha, visit["D"].beta, largest, visit["d1"].value]
    generated, visited = trace.result.counts.generated, trace.result.counts.visited
    of_minimax = record_search(minimax, hand_tree.EXERCISE_3).result.counts.visited
    wrong = [[generated + 1, visited], [generated, visited - 1], [generated, of_minimax]]
    yield "3.3", [[generated, visited], *wrong]
    tree = uniform_tree(3, 4, seed=1)
    best = alpha_beta(HandTree(tree), tree, written_value, Depth(4), order=ORDERS["oracle"])
    yield "3.4", [best.counts.evaluated, 3**4, 3**2 + 3**2, 3**2]
    c = Branch("C", MIN, 0, (Branch("c1", MAX, 5), Branch("c2", MAX, 8)))
    b = Branch("B", MAX, 0, (Branch("b1", MIN, 2), Branch("b2", MIN, 6)))
    trees = (HandTree(Branch("A", MAX, 0, (subtree, c))) for subtree in (b, replace(b, player=MIN)))
    extra, by_level = (record_search(minimax, tree).result.value for tree in trees)
    yield "3.5", [extra, by_level, 8, inf]


def exact_values():
    def opening(pits, stones):
        wanted = [str(pits), str(stones), "standard"]
        rows = data_rows("solved.csv")
        return next(row for row in rows if [row["pits"], row["stones"], row["rules"]] == wanted)

    total, margin = 2 * 3 * 6, int(opening(3, 6)["value"])
    south = (total + margin) // 2
    halves = [total // 2 + margin, total // 2 - margin]
    yield "4.1", [[south, total - south], [total - south, south], halves]
    moves = [int(value) for value in opening(6, 4)["moves"].split()]
    winning = [pit for pit, value in enumerate(moves, start=1) if value > 0]
    best, fourth = max(moves), moves[3]
    yield "4.2", [winning, [pit - 1 for pit in winning], [moves.index(best) + 1]]
    yield "4.3", [best - fourth, fourth, best + fourth]
    value, margins = int(opening(6, 6)["value"]), list[int]()

    def prove_bound(state, margin, limit=0):
        """Prove no more than the solver needs to know."""
        margins.append(margin)
        return margin if value >= margin else margin - 2

    prover = SimpleNamespace(prove_bound=prove_bound, nodes=0)
    game = Kalah(6, 6)
    database = SimpleNamespace(game=game, probe=lambda state: None)
    ExactSolver(database, prover, Ledger()).value(game.start())
    yield "4.4", [margins, margins[:-1], [*range(margins[-1])], margins[-2:]]


def scores_and_intervals():
    scores = {0.55: (0.48, 0.62), 0.60: (0.52, 0.68), 0.41: (0.35, 0.49)}
    by_mean = ["better" if mean > 0.5 else "worse" for mean in scores]
    contains = [low <= 0.5 <= high for low, high in scores.values()]
    neither = "not told apart"
    verdicts = [
        neither if has_half else word for has_half, word in zip(contains, by_mean, strict=True)
    ]
    yield "5.1", [verdicts, by_mean, [neither] * 3]
    yield "5.2", [geometric_mean([2, 8]), fmean([2, 8]), fmean([log(2), log(8)])]
    exact = (1.96 * 0.25 / 0.05) ** 2
    yield "5.3", [ceil(exact), 2 * ceil(exact), ceil(exact / 4), ceil(sqrt(exact)), exact]
    yield "5.4", [400 * log10(3), 400 * log(3), 400 * log10(1 / 0.75), 400 * 0.75]


def heuristics():
    board = (6, 0, 0, 3, 0, 2, 8, 9, 5, 9, 9, 10, 0, 11)
    filled = [pit for pit in range(1, 7) if board[pit - 1]]
    yield "6.1", [extra_turns(board, SOUTH), extra_turns(board, SOUTH, first=0), filled]
    south, north = (2 * len(extra_turns(board, player)) for player in (SOUTH, NORTH))
    stage, right = 0.75 * 8 - 11, float(staged(board, SOUTH))
    yield "6.2", [right, 8 - 0.6 * 11 + south - north, stage + south, stage, right - 10]
    four, five = (comb(5, wins) / 2**5 for wins in (4, 5))
    yield "6.3", [four + five, four, five, 0.5**4]
    mean = fmean([8.0, 2.0, 0.0])
    yield "6.4", [[mean, 8, 0], [mean, 0, 8], [2, 8, 0], [0] * 3]


def perfect_play():
    with gzip.open(str(data_file("judged.csv.gz")), "rt") as file:
        row = next(row for row in csv.DictReader(file) if row["rules"] == "standard")
    values = [int(value) for value in row["moves"].split() if value != "-"]
    regrets = [max(values) - value for value in values]
    worse = [regret for regret in regrets if regret]
    yield "7.1", [regrets, values, worse]
    yield "7.2", [fmean(regrets), fmean(worse), sum(regrets), sum(regrets) / 6]
    one, other = np.array([0, 10, 20, 31]), np.array([1, 11, 21, 32.5])
    of_one, of_other, of_both = (
        stats.ttest_1samp(values, 0).confidence_interval() for values in (one, other, other - one)
    )
    yield "7.3", [of_both.low, fmean(other - one), of_both.high, of_other.low - of_one.low]
    before, weights = State((0, 0, 2, 0, 0, 1, 10, 1, 1, 1, 1, 1, 1, 10), SOUTH), FIT["weights"]
    change = float(fitted(Kalah(6, 6).play(before, 5).board, SOUTH) - fitted(before.board, SOUTH))
    stones = 1 - weights["stones_1"]
    yield "7.4", [change, 1, stones, stones - weights["mobility"]]


def more_pruning():
    def certain(returned, alpha):
        """Return what a fail-soft search with the window (alpha, alpha + 1) proves of a value v."""
        return f"v {'>=' if returned > alpha else '<='} {returned}"

    yield "8.1", [leaves(3, 5), 3**5, 3**3 + 3**2, 3**2 + 3**2 - 1, 3**3 + 3**3 - 1]
    yield "8.2", [certain(5, 3), "v = 5", certain(5, 6), certain(4, 3)]
    trace = record_search(scout, hand_tree.RICH_KNIGHT_12_5)
    names = [trace.nodes[id].name for id in trace.nodes[0].children]
    yield "8.3", [*{name for name in names if names.count(name) > 1}, names[0]]
    first, second = TYPES[TYPES[1][0]]
    yield "8.4", [TYPES[second][0], second, first]
    right = max(depth for depth in range(20) if leaves(4, depth) <= 4**6)
    yield "8.5", [right, 2 * 6, right + 1, 6]
    legal, killers = [1, 3, 4, 6], [3, 5]
    state = State(tuple(int(pit in legal) for pit in range(1, 7)) + (0,) + (1,) * 6 + (0,), SOUTH)
    order = StoreFirstKiller()
    nodes = [Node(state, pit - 1, True, sows=0, turns=0) for pit in (*killers[::-1], *legal)]
    for killer in nodes[:2]:
        order.on_cutoff(nodes[0], killer.move)
    right = [child.move + 1 for child in order(None, nodes[0], nodes[2:])]
    in_pit_order = [pit for pit in legal if pit not in killers]
    yield "8.6", [right, [*killers[:1], *in_pit_order], legal[::-1], [*killers, *right[1:]]]
    minimax, other = 10**6, 10**4
    ratio = log10(minimax) / log10(other)
    yield "8.7", [ratio, minimax / other, round(1 / ratio, 4), 2]


def homework():
    state = read_problem("3\n1\n1\n2 0 1\n1 0 2\n0\n0").state
    games = [Mancala(3, 0, rules) for rules in (EMPTY_CAPTURE, STANDARD)]
    after = [board_lines(game, game.play(state, 0)).strip() for game in games]
    yield "9.1", [*(board.replace("\n", " / ") for board in after), "2 0 1 / 0 0 2 / 1 / 0"]
    problem = read_problem("3\n1\n2\n0 1 3\n3 1 3\n0\n0")
    recorder = Recorder(problem.game)
    trace = Trace(solve(problem, recorder), recorder.tree())
    node = trace.nodes[trace.nodes[0].children[0]].node
    lines = render_files(problem)[1].splitlines()
    in_log = next(int(line.split(",")[1]) for line in lines if line.startswith("B2,"))
    yield "9.2", [[node.sows, node.turns, in_log], [1, 1, 1], [1, 0, 0]]
    longest = max(visit.node.sows for visit in trace.visits())
    yield "9.3", [longest, problem.cutoff, longest + 1]
    lines = render_files(read_problem("3\n1\n1\n1 1 1\n0 1 1\n0\n0"))[1].splitlines()
    yield "9.4", [lines[-1], lines[-2], "root,0,3,3,Infinity", "root,0,1,0,Infinity"]


def game_of_betsy():
    def rival(row, column):
        board = betsy.parse_board(".x..o.ooxxxoxoxxoo", 3)
        return float(weighing(distance_to_row=row, distance_to_column=column)(board, 0))

    yield "10.1", [betsy.pebbles(4), 4 * (4 - 3) // 2, 4 * (4 + 3)]
    state = betsy.State(betsy.parse_board(".x..o..x.oo.xx.oo.", 3), 0, 40)
    every = [1, -1, 2, -2, 3, -3]
    no_drop = [move for move in every if move != 2]
    no_turn = [move for move in every if move != -3]
    yield "10.2", [list(betsy.Betsy(3).moves(state)), every, no_drop, no_turn, [1, 3]]
    yield "10.3", [rival(2, 1), rival(1, 2), 3 * rival(2, 1), (2 * -2 + -3) / 9]
    yield "10.4", [19 * 0.02, 0.02, 0.02 / 19]


def card_game():
    before = cards.parse_position("8u,.,.,./.,.,.,./.,.,3p,./.,.,.,. 2,3,5,13 2,5,8,13 user")
    after = Cards().play(before, (5, 5)).board
    lost = [cards.cell_name(4, cell) for cell in cards.find_cleared_cells(before.board, after)]
    yield "11.1", [lost, ["a1", "b2", "c3"], [], ["a1"]]
    user, program = (np.dot(WEIGHTS, factors(after, player)) for player in (USER, PROGRAM))
    yield "11.2", [user - program, program - user, user, user - program + 6]
    depth, deeper = (odd_depth(most, widths(12, 3, 3)).limit for most in (10_000, 1_000_000))
    yield "11.3", [depth, int((np.cumprod([*widths(12, 3, 3)]) <= 10_000).sum()), 1, deeper]
    game, state = Cards(first=PROGRAM), random_position(Cards(first=PROGRAM), Random(0), 4)
    for _ in range(3):
        state = game.play(state, game.moves(state)[0])
    in_hand, others = (factors(state.board, player).n1 for player in (PROGRAM, USER))
    yield "11.4", [in_hand - others, 0, 1]


def a_game():
    game, state, values = Kalah(3, 2), State((1, 1, 2, 0, 1, 0, 1, 0), SOUTH), dict[int, float]()
    for pit in game.moves(state):
        after = game.play(state, pit)
        value = minimax(game, after, store_difference, Depth(60)).value
        values[pit + 1] = value if after.player == SOUTH else -value
    played = alpha_beta(game, state, store_difference, Depth(2)).move + 1
    best, worst = (end(values, key=values.__getitem__) for end in (max, min))
    yield "12.1", [played, best, worst]
    top, worth = values[best], values[played]
    yield "12.2", [top - worth, worth - top, top + worth]
    yield "12.3", [3 + 5 - 1, 3 + 5 + 1, 3 - 5 + 1, 5 - 1]


def strength():
    best, played = np.array([3, 0, -2, 5]), np.array([-1, 0, -4, 5])
    optimal, regret = (best == played).mean(), best - played
    right = [optimal, (np.sign(best) == np.sign(played)).mean(), regret.mean()]
    yield "13.1", [right, [optimal, optimal, right[2]], [*right[:2], float(regret.sum())]]
    regrets = np.array([0, 0, 2, 2, 4, 4])
    variance = 3 / 2 * ((regrets - regrets.mean()).reshape(3, 2).sum(axis=1) ** 2).sum() / 6**2
    plain = stdev(regrets.tolist()) / sqrt(6)
    yield "13.2", [sqrt(variance), plain, sqrt(variance * 2 / 3), variance]
    yield "13.3", [log(99), log10(99), log(19), 99]


def sampling():
    doubt = 10 * sqrt(log(16) / 4)
    yield "14.1", [2 + doubt, doubt, 2 + 10 * sqrt(log10(16) / 4), doubt - 2]
    appeal = {"A": -3, "B": 1}
    right = max(appeal, key=appeal.get)
    yield "14.2", [right, min(appeal, key=appeal.get)]
    pns, dns = zip((2, 3), (1, 4), (5, 1), strict=True)
    yield "14.3", [[min(pns), sum(dns)], [sum(pns), min(dns)], [min(pns), min(dns)]]
    sows = 110_000 * 4 / 44
    yield "14.4", [sows / 25, 110_000 / 25, sows, 110_000 * 44 / 4 / 25]


def backing_up():
    first, second = 0.5, 0.4
    either = first + second - first * second
    yield "15.1", [either, first * second, max(first, second), first + second]
    by_rules = [first * second, min(first, second)]
    yield "15.2", [by_rules, [either, max(first, second)], by_rules[::-1]]
    bonus = {"A": log(1 + exp(3 - 3)), "B": log(1 + exp(-5 - 3))}
    right = max(bonus, key=bonus.get)
    yield "15.3", [right, "both", min(bonus, key=bonus.get)]


def deeper():
    changes = [2 - 0, 0 - 2, 0 - 4, 6 - 6]
    worse = sum(change > 0 for change in changes) / 4
    unchanged = sum(change >= 0 for change in changes) / 4
    mean = sum(changes) / 4
    yield "16.1", [[worse, mean], [worse, -mean], [unchanged, mean]]
    saved = 1.3 - 1.0
    yield "16.2", [saved / log2(1600 / 200), saved / 2, saved]


def literature():
    names_conditions = False
    answers = {True: "yes", False: "no"}
    yield "17.1", [answers[names_conditions], answers[not names_conditions]]


PAGES = [rules_of_kalah, cs5329_study, pruning, exact_values, scores_and_intervals, heuristics]
PAGES += [perfect_play, more_pruning, homework, game_of_betsy, card_game, a_game, strength]
PAGES += [sampling, backing_up, deeper, literature]


def round_answer(answer):
    if isinstance(answer, (list, tuple)):
        return [round_answer(member) for member in answer]
    return answer if isinstance(answer, str) else float(f"{answer:.5g}")


def answers_in_file(exercise):
    """Return the right answer and then those of the mistakes."""
    return [exercise.answer, *(mistake["answer"] for mistake in exercise.mistakes)]


@pytest.mark.parametrize(("page", "answers"), [*enumerate(PAGES, start=1)])
def test_the_answers_in_the_file_are_those_computed_here(page, answers):
    in_file = {}
    for number, exercise in load_exercises().items():
        if number.startswith(f"{page}."):
            in_file[number] = round_answer(answers_in_file(exercise))
    assert {number: round_answer(computed) for number, computed in answers()} == in_file
    assert in_file


def test_feedback_has_the_verdict_and_hides_the_solution():
    for answer, verdict in ((..., "not answered yet."), (2, "not right. "), (3, "right.")):
        feedback = check("1.1", answer)
        assert repr(feedback).startswith(f"Exercise 1.1: {verdict}")
        visible, _, hidden = feedback._repr_html_().partition("<details>")
        assert verdict.strip() in visible
        assert feedback.hint in visible or answer != 2
        assert "<strong>3</strong>" in hidden
        assert "<strong>3</strong>" not in visible


def test_an_answer_matches_however_it_is_written():
    same = [("3.3", (12, 10.0)), ("3.3", ["12", "10"]), ("8.3", " c"), ("7.2", 8 / 3), ("3.2", [4])]
    other = [("3.3", (10, 12)), ("3.2", True), ("7.2", 2.6), ("3.3", 12), ("3.1", "c3")]
    assert all(check(*pair).verdict == "right" for pair in same)
    assert not any(check(*pair).verdict == "right" for pair in other)
    assert check("3.1", {"D2", "c3", "d3"}).verdict == check("3.3", 12, 10).verdict == "right"
    for answer in (["a1"], ["a1", "b2", "c3"]):
        assert not sets_match(answer, ["b2", "a1"])


def test_right_answers_are_right_and_each_mistake_has_its_hint():
    for exercise in load_exercises().values():
        assert exercise.check(exercise.answer).verdict == "right", exercise.number
        for mistake in exercise.mistakes:
            feedback = exercise.check(mistake["answer"])
            assert feedback.number == exercise.number
            assert (feedback.verdict, feedback.hint) == ("not right", mistake["hint"])
        wrong = map(exercise.check, ("123", "1; 23", "z9", "better; worse", "x > y / z"))
        assert exercise.hint in {feedback.hint for feedback in wrong}
        assert str(exercise.answer) not in exercise.hint.split()


def test_the_notebooks_ask_each_exercise_once_and_in_order():
    numbers = []
    for path in NOTEBOOKS:
        source = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
        numbers += re.findall(r'### Exercise ([\d.]+)\b[\s\S]*?check\("\1", \.\.\.\)', source)
        assert len(re.findall(r"^check\(", source, re.MULTILINE)) == source.count("### Exercise ")
    assert numbers == [*load_exercises()]


def test_the_sheet_asks_every_exercise_with_room_and_solutions_at_the_back():
    html, count = render_sheet(solutions=True)
    page = parse(html)
    for part in ("question", "solution"):
        ids = [element["id"] for element in page.select(f"[id^={part}-]")]
        assert ids == [f"{part}-{number}" for number in load_exercises()]
    assert count == len(load_exercises()) == len(page.select(".question .room"))
    for element in ("3.1'] figure img", "6.2'] ul", "7.1'] figure table"):
        assert len(page.select(f"[id='question-{element}")) == 1
    captions = [caption.text for caption in page.select("figcaption")]
    source = next(path for path in NOTEBOOKS if path.stem == "03_pruning").read_text("utf-8")
    drawn = re.search(r"\[(Figure 3\.\d+)\]\(#cell-id=figure-exercise-tree\)", source)
    assert drawn
    assert drawn[1] in captions
    assert len(captions) == len({*captions}), "what two questions need is printed once"
    for text in ("the pits\n6 0 0 3 0 2", "program: 2 5 8 13", "about the\nstandard"):
        assert html.count(text) == 1
    assert not re.search(r"cell-id|\]\(|\.ipynb|screen-only|of the dots|<strong>Listing", html)
    assert not page.select_one(".solutions").find_next_siblings("section")


def test_a_sheet_of_one_notebook_without_solutions(run, tmp_path):
    out = tmp_path / "sheet.html"
    status, text, _ = run("exercises", "--out", str(out), "--only", "03_pruning", "--json")
    page = parse(out.read_text(encoding="utf-8"))
    numbers = [number for number in load_exercises() if number.startswith("3.")]
    assert (status, json.loads(text)["exercises"]) == (0, len(numbers))
    ids = [section["id"] for section in page.select("section")]
    assert ids == [f"question-{number}" for number in numbers]


def as_toml(answer):
    return "inf" if answer == inf else json.dumps(answer)


def as_text(answer):
    if isinstance(answer, list):
        return ", ".join(map(str, answer)) or "[]"
    return str(answer)


@pytest.mark.parametrize("kind", ["toml", "csv", "texts.toml"])
def test_right_and_foreseen_wrong_answers_are_marked_as_they_are_checked(tmp_path, kind):
    for index in range(4):
        answers = {}
        for number, exercise in load_exercises().items():
            choices = answers_in_file(exercise)
            answers[number] = choices[min(index, len(choices) - 1)]
        file = tmp_path / f"student.{kind}"
        if kind == "csv":
            rows = [(number, as_text(answer)) for number, answer in answers.items()]
            with file.open("w", newline="", encoding="utf-8") as lines:
                csv.writer(lines).writerows(rows)
        else:
            values = answers
            if kind == "texts.toml":
                values = {number: as_text(answer) for number, answer in answers.items()}
            lines = [f"{number} = {as_toml(value)}" for number, value in values.items()]
            file.write_text("\n".join(lines), encoding="utf-8")
        sheet = parse_answer_sheet(file.read_text(encoding="utf-8"), kind == "csv")
        assert (sheet.name, sheet.unknown, sheet.unread) == ("", [], [])
        verdicts = {number: feedback.verdict for number, feedback in sheet.answers.items()}
        expected = {number: check(number, answer).verdict for number, answer in answers.items()}
        assert verdicts == expected


def test_an_unreadable_answer_gets_the_form_and_a_blank_is_no_answer_yet():
    for answer in ("x", [4, 5], True):
        assert check("3.2", answer).hint == "Write a number, such as 42, 10/3 or 2^5-1.", answer
    assert parse_answer("  ", 3) is parse_answer("", [1]) is None


def test_no_example_of_an_answer_is_right(run):
    intro = " ".join(code.text for code in parse(render_sheet()[0]).select("h1 ~ p code"))
    texts = (run("exercises", "--help")[1], intro, *(row[-1] for row in HANDED_IN))
    examples = re.findall(r'\b(\d+\.\d) ?[=,] ?(\[.*?\]|".*?"|\d+)', " ".join(texts))
    assert len(examples) >= 8
    for number, exercise in load_exercises().items():
        _, _, example = exercise.form.partition("such as ")
        examples += [(number, part) for part in (example, *re.split(", | or ", example))]
    assert [example for example in examples if check(*example).verdict == "right"] == []


def test_a_class_is_marked_with_a_row_a_student(run, tmp_path):
    folder, out = tmp_path / "handed in", tmp_path / "marks.csv"
    folder.mkdir()
    texts = {
        "Ada-01_rules.toml": 'name = "=Ada"\n1.1 = 3\n"3.2" = 4\n',
        "Ada-03_pruning.toml": 'name = "ada "\n3.2 = 5\n3.1 = ["c3", "d2", "d3"]\n99.9 = 1',
        "b.csv": "number,answer\n1.1,2\n3.2,\n",
        "e.csv": "\0\udcff",
        "f.toml": "[" * 100_000,
        "g.toml": "1.1 = " + "9" * 200_000,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    status, text, _ = run("exercises", "--mark", str(folder), "--csv", str(out))
    with out.open(encoding="utf-8") as lines:
        rows = [*csv.DictReader(lines)]
    assert status == 1
    assert [row["file"] for row in rows] == ["Ada-01_rules.toml and 1 more", *sorted(texts)[2:]]
    ada, second, *bad = rows
    marks = [ada[name] for name in ("name", "right", "page 1", "page 3", "1.1", "3.1", "3.2")]
    assert marks == ["'=Ada", "3", "1 of 5", "2 of 5", "1", "1", "1"]
    assert ada["problem"] == "Ada-03_pruning.toml: there is no exercise '99.9'; the rest is marked"
    marks = [second[name] for name in ("right", "page 1", "page 3", "1.1")]
    assert marks == ["0", "0 of 5", "", "0"]
    for row in bad:
        assert row["problem"]
        assert f"{row['file']}: {row['problem'][:20]}" in text
    words = ("exercises", "--mark", str(folder), "--only", "03_pruning", "--json")
    students = json.loads(run(*words)[1])["students"]
    assert [(row["right"], row["of"]) for row in students] == [(2, 5), *[(0, 5)] * 4]
    for name in texts:
        (folder / name).unlink()
    (folder / "a.toml").write_text("1.1 = sqrt(9)\n3.2 = 4")
    assert (run(*words)[0], run(*words[:3])[0]) == (0, 1), "with --only page 1 is not looked at"


def test_files_are_marked_as_students_hand_them_in(run, tmp_path):
    # a row has a file, its encoding and text; a student's first file has the marks, too
    expected = {}
    for file, encoding, text, *marks in HANDED_IN:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes(text.encode(encoding))
        if marks[1]:
            expected[file] = marks
    status, text, _ = run("exercises", "--mark", str(tmp_path), "--json")
    rows = {row["file"].split(" and ")[0]: row for row in json.loads(text)["students"]}
    marked = {
        file: [row["name_inside"] or row["name"], str(row["right"]), row["problem"]]
        for file, row in rows.items()
    }
    assert (status, marked) == (1, expected)
    for file, row in rows.items():
        place = Path(file).parts[0]
        owner = place if place == "x.zip" else place.removesuffix(Path(file).suffix)
        assert row["name"] == owner, "a row is that of the folder or file, whatever name is in it"
    assert (rows["bad.toml"]["3.4"], rows["bad.toml"]["page 3"]) == (None, "1 of 5")


@pytest.fixture(scope="module")
def exercise_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exercises")
    cell = new_code_cell("check")
    for number in load_exercises():
        html = check(number, ...)._repr_html_()
        cell.outputs.append(new_output("display_data", {"text/html": html}))
    nbformat.write(new_notebook(cells=[cell]), folder / "01_all.ipynb")
    record = Record("01_all", "smoke", {}, "", "ok", 1, 0.0)
    manifest = Manifest("smoke", None, {}, (record,))
    return render_notebook_pages(manifest, [read_page(record, folder)])["01_all.html"]


@pytest.fixture(scope="module")
def browser_page(open_page, exercise_page):
    with open_page(exercise_page, viewport={"width": 390, "height": 800}) as page:
        yield page


def box_of(page, number):
    field = page.get_by_role("textbox", name=f"Your answer to exercise {number}", exact=True)
    return page.locator(".exercise").filter(has=field)


def replies_of(page, typed):
    return page.evaluate(
        """typed => {
          const forms = new Map([...document.querySelectorAll("form.check")].map((form) =>
            [form.querySelector("label").textContent.trim().split(" ").at(-1), form]));
          return typed.map(([number, text]) => {
            const form = forms.get(number);
            form.querySelector("input").value = text;
            form.requestSubmit();
            return form.querySelector("output").textContent;
          });
        }""",
        typed,
    )


def reply_of_python(number, answer):
    feedback = check(number, answer)
    if feedback.verdict == "not readable":
        return feedback.hint.replace("Write", "This cannot be read; write")
    return "Right." if feedback.verdict == "right" else f"Not right. {feedback.hint}"


def test_the_page_replies_to_every_answer_like_python(browser_page):
    exercises = load_exercises().items()
    answers = [*chain.from_iterable(answers_in_file(exercise) for _, exercise in exercises)]
    cases = []
    for place, (number, exercise) in enumerate(exercises):
        # Its own answers, and a third of those of all exercises, for each exercise another third.
        for answer in (*answers_in_file(exercise), *answers[place % 3 :: 3]):
            if isinstance(answer, list) == isinstance(exercise.answer, list):
                cases.append((number, answer))
    replies = replies_of(browser_page, [(number, repr(answer)) for number, answer in cases])
    assert replies == [reply_of_python(number, repr(answer)) for number, answer in cases]
    assert len({*replies}) > 150


@cases(Path(__file__).parent / "typed_answers.csv")
def test_an_answer_may_be_typed_in_several_ways(browser_page, number, text, verdict):
    assert f"{check(number, text)} ".startswith(f"Exercise {number}: {verdict}")
    assert replies_of(browser_page, [(number, text)]) == [reply_of_python(number, text)]


def test_nonsense_is_not_right_or_cannot_be_read_and_a_blank_is_not_judged(browser_page):
    for text in ("x", "(", "]", "/", "1/2/3", "'", "[[]]", "<b>", "NaN", "__proto__"):
        replies = replies_of(browser_page, [(number, text) for number in load_exercises()])
        assert replies == [reply_of_python(number, text) for number in load_exercises()], text
        assert "Right." not in replies
    replies = replies_of(browser_page, [(number, "  ") for number in load_exercises()])
    assert {*replies} == {"Write an answer first."}
    assert browser_page.locator(".exercise.right, .exercise.not-right").count() == 0


def test_a_reader_answers_by_the_keyboard_and_looks_at_the_solution(browser_page, axe):
    box = box_of(browser_page, "3.2")
    box.get_by_role("textbox").fill("∞")
    box.get_by_role("textbox").press("Enter")
    assert box.get_by_role("status").inner_text().startswith("Not right. That is β.")
    box.get_by_role("textbox").fill("4")
    box.get_by_role("textbox").press("Tab")
    browser_page.keyboard.press("Space")
    assert box.get_by_role("status").inner_text() == "Right."
    assert "right" in str(box.get_attribute("class")).split()
    solution = box.get_by_text("B is finished and worth 4")
    assert not solution.is_visible()
    box.get_by_text("Solution").click()
    assert solution.is_visible()
    browser_page.evaluate(axe)
    result = browser_page.evaluate(
        "axe.run('.exercise, .hand-in', { resultTypes: ['violations'] })"
    )
    assert result["violations"] == []
    assert browser_page.evaluate("document.documentElement.scrollWidth") == 390
    browser_page.emulate_media(media="print")
    assert not box.is_visible()
    assert not browser_page.get_by_role("button", name="Save my answers").is_visible()
    browser_page.emulate_media(media="screen")


def test_answers_are_kept_and_saved_as_a_file_that_is_marked(open_page, exercise_page, tmp_path):
    with open_page(exercise_page) as page:
        save = page.get_by_role("button", name="Save my answers")
        save.click()
        message = page.locator(".hand-in output")
        assert message.inner_text() == "There are no answers yet."
        box_of(page, "3.1").get_by_role("textbox").fill("[“c3”, “d2”, “d3”]")
        box_of(page, "3.1").get_by_role("button").click()
        page.reload()
        assert box_of(page, "3.1").get_by_role("status").inner_text() == "Right."
        box_of(page, "8.2").get_by_role("textbox").fill('"v\\=5"')
        save.click()
        assert message.inner_text() == "Write your name first."
        page.locator("input:focus").fill('Ada "A" Ö')
        with page.expect_download() as download:
            save.click()
        assert message.inner_text() == ""
        assert download.value.suggested_filename == "Ada-A-Ö-page.toml"
        download.value.save_as(tmp_path / "ada.toml")
    sheet = parse_answer_sheet((tmp_path / "ada.toml").read_text(encoding="utf-8"))
    assert sheet.name == 'Ada "A" Ö'
    verdicts = {number: feedback.verdict for number, feedback in sheet.answers.items()}
    assert verdicts == {"3.1": "right", "8.2": "not right"}


def test_without_scripts_there_is_the_solution_alone(open_page, exercise_page):
    with open_page(exercise_page, java_script_enabled=False) as page:
        assert page.locator("form.check:visible").count() == 0
        page.locator("summary", has_text="Solution").first.click()
        assert page.get_by_text("its stones fall into pits 4, 5 and 6").is_visible()
