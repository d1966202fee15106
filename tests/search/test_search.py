"""Every search against a pruning-free oracle, and pruning against what it promises.

The same checks run on random positions of each game, for every depth, unit, order and
evaluator, and on random hand-written trees, where arity, players and ties are wilder."""

from collections import namedtuple
from functools import cache
from itertools import islice, product
from math import copysign, inf, nextafter
from random import Random
from typing import NamedTuple

import oracle as reference
import pytest
import recorded
from conftest import Ticking
from hypothesis import given
from hypothesis import strategies as st
from oracle import FULL, LEARNED, PRUNING, WATCHED, Solved, Task, at, hashed, oracle
from recorded import Recorded
from strategies import SHAPES, random_betsy, random_cards, random_position, trees

from kalahlab.evaluators import betsy, cards
from kalahlab.evaluators.betsy import consecutive, leaf_value
from kalahlab.evaluators.kalah import staged
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import HandTree, tree_depth, uniform_tree
from kalahlab.games.kalah import NORTH, SOUTH, Kalah
from kalahlab.search import ALGORITHMS, ORDERS, Depth, alpha_beta, deepening, greedy
from kalahlab.search.alpha_beta import value as alpha_beta_value
from kalahlab.search.observer import NodeCounter
from kalahlab.search.scout import visit as scout_value
from kalahlab.search.tree import pit_order, searcher
from kalahlab.trace import record

Sample = namedtuple("Sample", "position evaluators nodes searched")
"""What values the leaves, and how large a tree may be; searched: where the order searches."""

# All searches of a case ask an evaluator for the same boards.
SAMPLES = {
    "kalah": Sample(random_position, [*map(cache, reference.ASKED.values())], 1500, 400),
    "cards": Sample(random_cards, [*map(cache, cards.EVALUATORS.values()), hashed], 700, 300),
    "betsy": Sample(random_betsy, [cache(leaf_value), consecutive, hashed], 700, 300),
}


class Case(NamedTuple):
    task: Task
    solved: Solved
    runs: dict[str, Recorded]

    def __str__(self):
        return str(self.task)

    def paths(self, name):
        return [path for path, *_ in self.runs[name].entered()]


def case_of(task):
    runs = {name: Recorded(task.game, name, task.trace(name)) for name in ALGORITHMS}
    return Case(task, oracle(task, task.state), runs)


def value_and_first_best_move_are_the_oracles(case):
    for name in FULL:
        result = case.runs[name].trace.result
        assert result.value == case.solved.value, (name, case)
        assert result.move in first_best_moves(case, name), (name, case)
        assert result.value or copysign(1, result.value) == 1, (name, case)


def first_best_moves(case, name):
    """The oracle's; if the order learns and the root is expanded again, the first of each time."""
    if case.task.order not in LEARNED:
        return {case.solved.move}
    run = case.runs[name]
    roots = [run.made(v) for v in run.trace.visits() if not run.path(v) and v.kind != "driver"]
    values = {move: solved.value for move, solved in case.solved.below.items()}
    best = {next(m for m in made if values[m] == case.solved.value) for made in roots if made}
    return best or {None}


def greedy_is_the_oracle_one_ply_deep(case):
    shallow = Depth(min(1, case.task.depth.limit), case.task.depth.unit)
    expected = oracle(case.task._replace(depth=shallow), case.task.state)
    result = case.runs["greedy"].trace.result
    assert (result.value, result.move) == (expected.value, expected.move), case


def alpha_beta_and_minimax_a_b_are_one_search(case):
    """The same nodes in the same order, with the same windows, and the same counts."""
    one, other = (case.runs[name] for name in PRUNING)
    assert one.entered() == other.entered(), case
    assert one.trace.result == other.trace.result, case


def pruning_visits_minimaxs_nodes_in_its_order_and_no_others(case):
    if case.task.order not in LEARNED:  # minimax cuts nothing off, so its order would be another
        everywhere = iter(case.paths("minimax"))
        assert all(path in everywhere for path in case.paths("alpha_beta")), case


def minimax_visits_every_node_with_an_open_window(case):
    assert case.paths("minimax") == list(reference.paths(case.solved)), case
    for name in reference.OPEN:
        trace = case.runs[name].trace
        assert not trace.cuts, case
        assert {(visit.alpha, visit.beta) for visit in trace.visits()} == {(-inf, inf)}, case


def the_line_leads_to_a_leaf_of_the_roots_value(case):
    for name in FULL:
        result = case.runs[name].trace.result
        leaf = at(case.solved, result.line)
        assert (leaf.value, leaf.below) == (result.value, {}), (name, case)
        if name in reference.LINE_OF_MINIMAX and case.task.order not in LEARNED:
            assert result.line == case.runs["minimax"].trace.result.line, (name, case)


def the_counts_are_the_trees(case):
    for run in case.runs.values():
        recorded.the_counts_are_the_trees(run)


def values_keep_the_contracts_inequalities(case):
    """A value is exact inside the window of its node and a bound on the true one outside."""
    for name in FULL:
        run = case.runs[name]
        for visit in run.trace.visits():
            value, true = visit.value, at(case.solved, run.path(visit)).value
            if value <= visit.alpha:
                assert true <= value, (name, visit, case)
            elif value >= visit.beta:
                assert true >= value, (name, visit, case)
            else:
                assert true == value, (name, visit, case)


def scout_and_a_pass_enter_no_node_that_alpha_beta_does_not(case):
    """Reinefeld, *Spielbaum-Suchverfahren* (1989): NegaScout dominates alpha-beta."""
    if case.task.order not in LEARNED:
        for name in ("scout", "mtdf_no_table"):
            assert {*case.paths(name)} <= {*case.paths("alpha_beta")}, (name, case)


def in_the_best_order_scout_searches_nothing_twice(case):
    """Each node that alpha-beta enters, once, in the same order: every question is answered no."""
    if case.task.order == "oracle":
        assert case.paths("scout") == case.paths("alpha_beta"), case
        assert case.runs["scout"].trace.result == case.runs["alpha_beta"].trace.result, case


def every_pass_asks_and_the_bounds_close_in(case):
    """Each with a null window, between what is known to be the least and the most."""
    for name in ("mtdf", "mtdf_no_table"):
        driver, *others = case.runs[name].trace.visits()
        assert all(nextafter(visit.alpha, inf) == visit.beta for visit in others)
        least, most = -inf, inf
        for each in case.runs[name].trace.visited_children(driver):
            assert least < each.beta
            assert each.alpha < most
            least, most = (each.value, most) if each.value >= each.beta else (least, each.value)
        assert least == most == driver.value


def what_is_known_is_not_searched_again_and_nothing_else(case):
    for name in ("alpha_beta_table", "scout_table", "mtdf"):
        run = case.runs[name]
        root, known = run.trace.nodes[0], {}
        for visit in run.trace.visited_children(root) if root.kind == "driver" else [root]:
            is_answered_if_known(run, visit, known)


def is_answered_if_known(run, visit, known):
    """By bounds of our own, put together from what was found before."""
    key = visit.node.state, visit.node.sows, visit.node.turns
    least, most = known.get(key, (-inf, inf))
    answered = least >= visit.beta or most <= visit.alpha or least == most
    assert (visit.kind == "table") == answered, (run.algorithm, visit)
    for child in run.trace.visited_children(visit):
        is_answered_if_known(run, child, known)
    if visit.kind in ("inner", "cut"):
        least, most = known.get(key, (-inf, inf))
        least = visit.value if visit.value > visit.alpha else least
        known[key] = (least, visit.value if visit.value < visit.beta else most)


CHECKS = [
    value_and_first_best_move_are_the_oracles,
    greedy_is_the_oracle_one_ply_deep,
    alpha_beta_and_minimax_a_b_are_one_search,
    pruning_visits_minimaxs_nodes_in_its_order_and_no_others,
    minimax_visits_every_node_with_an_open_window,
    the_line_leads_to_a_leaf_of_the_roots_value,
    the_counts_are_the_trees,
    values_keep_the_contracts_inequalities,
    scout_and_a_pass_enter_no_node_that_alpha_beta_does_not,
    in_the_best_order_scout_searches_nothing_twice,
    every_pass_asks_and_the_bounds_close_in,
    what_is_known_is_not_searched_again_and_nothing_else,
]


@pytest.fixture(scope="module", params=product(SAMPLES, ("sow", "turn"), range(6)), ids=str)
def cases(request):
    """64 positions of Kalah (m 1..6, n 0..6, any rules), 24 of the others, few finished."""
    name, unit, limit = request.param
    sample, chance = SAMPLES[name], Random(f"{unit} {limit}")
    tasks = []
    for order, evaluator in product(ORDERS, sample.evaluators):
        most = sample.searched if order in ("oracle", "anti_oracle") else sample.nodes
        while True:
            game, state = sample.position(chance)
            task = Task(game, state, evaluator, Depth(limit, unit), order)
            if game.is_over(state) and chance.random() < 0.95:
                continue
            if reference.size(task, state, most) <= most:
                break
        tasks.append(task)
    return [case_of(task) for task in tasks]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_on_random_positions(cases, check):
    for case in cases:
        check(case)


@pytest.mark.parametrize("check", recorded.CHECKS, ids=lambda check: check.__name__)
def test_the_trees_recorded_on_random_positions(cases, check):
    """Of every fifth position, which is each order and evaluator at some depth; what is written,
    which takes longest, of every twentieth."""
    for case in cases[:: 20 if check.__name__.startswith(("the_table", "the_json")) else 5]:
        for name in WATCHED:
            check(case.runs[name])


def test_the_sample_has_the_cases_that_tell_rules_apart(cases):
    if cases[0].task.depth.limit < 2:
        return  # a tree too shallow for them
    seen = [(case, v) for case in cases for v in case.runs["minimax"].trace.visits()]
    assert {case.task.state.player for case in cases} == {SOUTH, NORTH}
    extra_turns = any(visit.node.maximizing != (visit.node.sows % 2 == 0) for _, visit in seen)
    assert extra_turns == isinstance(cases[0].task.game, Kalah)
    assert any(
        sum(child.value == case.solved.value for child in case.solved.below.values()) > 1
        for case in cases
    )
    limit, unit = cases[0].task.depth.limit, cases[0].task.depth.unit
    finished = (visit.node.sows for _, visit in seen if visit.kind == "finished")
    assert unit == "turn" or any(sows < limit for sows in finished)
    tables = [case.runs[name].trace for case in cases for name in FULL if "table" in name]
    known = [trace.nodes[cut.by].kind == "table" for trace in tables for cut in trace.cuts]
    assert any(known) or limit < 4 or not extra_turns


@given(trees(), st.integers(0, 5), st.sampled_from(("sow", "turn")), st.sampled_from([*ORDERS]))
def test_on_random_trees(root, limit, unit, order):
    case = case_of(Task(HandTree(root), root, written_value, Depth(limit, unit), order))
    for check in CHECKS:
        check(case)
    for name, check in product(WATCHED, recorded.CHECKS):
        check(case.runs[name])


@pytest.mark.parametrize(("arity", "depth"), SHAPES)
@pytest.mark.parametrize("algorithm", [*PRUNING, "scout"])
def test_the_best_order_gives_the_minimal_tree_and_none_a_smaller_one(algorithm, arity, depth):
    """b^ceil(d/2) + b^floor(d/2) - 1 leaves at least, leaf for leaf and node for node.

    Knuth & Moore, "An analysis of alpha-beta pruning" (1975), theorem 1."""
    critical = [arity ** ((d + 1) // 2) + arity ** (d // 2) - 1 for d in range(depth + 1)]
    for seed in range(10):
        tree = uniform_tree(arity, depth, seed, max_value=9)
        asked = (HandTree(tree), tree, written_value, Depth(depth))
        best, given = (ALGORITHMS[algorithm](*asked, ORDERS[name]) for name in ("oracle", "pit"))
        assert (best.counts.evaluated, best.counts.visited) == (critical[-1], sum(critical))
        assert best.value == given.value
        assert critical[-1] <= given.counts.evaluated
        assert given.counts.evaluated <= arity**depth or algorithm == "scout"


DEEPENED = [ALGORITHMS[name] for name in FULL]


def positions(chance):
    while True:
        yield *random_position(chance, pits=4, stones=4), staged
        yield *random_betsy(chance), betsy.leaf_value


@pytest.mark.parametrize("search", DEEPENED, ids=FULL)
@pytest.mark.parametrize("unit", ["sow", "turn"])
def test_each_depth_is_searched_as_if_alone(search, unit):
    chance = Random(unit)
    for game, state, evaluator in islice(positions(chance), 40):
        order = chance.choice([*ORDERS.values()])
        found = deepening(search, game, state, evaluator, inf, order, unit=unit)
        for depth, result in enumerate(islice(found, 3), start=1):
            assert result == search(game, state, evaluator, Depth(depth, unit), order)


@given(trees())
def test_it_ends_with_the_tree(root):
    for search in DEEPENED:
        found = list(deepening(search, HandTree(root), root, written_value, inf))
        assert 1 <= len(found) <= max(1, tree_depth(root)), search
        full = search(HandTree(root), root, written_value, Depth(99))
        assert (found[-1].value, found[-1].line) == (full.value, full.line), search


def test_the_clock_is_read_at_every_node_and_ends_the_search_in_the_middle():
    game = Kalah(6, 4)
    nodes = [
        result.counts.expanded + result.counts.evaluated
        for result in islice(deepening(alpha_beta, game, game.start(), staged, inf), 4)
    ]
    for until in (0, 1, nodes[0], nodes[0] + 1, sum(nodes) - 1, sum(nodes), sum(nodes) + 5):
        clock, watch = Ticking(), NodeCounter(lambda nodes: None)
        found = list(
            deepening(alpha_beta, game, game.start(), staged, until, observer=watch, clock=clock)
        )
        assert len(found) == sum(sum(nodes[: depth + 1]) <= until for depth in range(4))
        assert clock.read == until + 1
        assert watch.entered == until + 1, "the node at which the time was up is the last"


@pytest.mark.parametrize(("search", "read"), [(alpha_beta, 7), (greedy, 1)])
def test_nothing_is_done_before_it_is_asked_for(search, read):
    clock, game = Ticking(), Kalah(6, 4)
    found = deepening(search, game, game.start(), staged, inf, clock=clock)
    assert clock.read == 0
    assert next(found) == search(game, game.start(), staged, Depth(1))
    assert clock.read == read
    assert (next(found, None) is None) == (search is greedy)


class Backwards(namedtuple("Backwards", "tree")):
    def __getattr__(self, name):
        return getattr(self.tree, name)

    def successors(self, node):
        return self.tree.successors(node)[::-1]


@given(trees(), st.integers(0, 5), st.sampled_from([alpha_beta_value, scout_value]))
def test_a_search_may_try_the_children_in_an_order_of_its_own(root, limit, visit):
    """As if they had been ordered so: in the counts, and in what was never visited."""
    found = []
    for made, order in ((Backwards, pit_order), (lambda it: it, lambda *given: given[2][::-1])):
        search = searcher(lambda tree, made=made: visit(made(tree), tree.root, -inf, inf))
        run = record(search, HandTree(root), root, written_value, Depth(limit), order=order)
        found.append((run.result, {tuple(run.path(each.id)): each.kind for each in run.nodes}))
    assert found[0] == found[1]
