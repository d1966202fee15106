"""Every search against an oracle that does not prune, and the properties of pruning.

The same checks run on random positions of each game, for every depth, unit, order and
evaluator, and on random hand-written trees, whose arity, players and ties vary more.
"""

from collections import namedtuple
from functools import cache
from itertools import chain, islice, product
from math import copysign, inf, nextafter
from random import Random
from typing import NamedTuple

import oracle as reference
import pytest
import recorded
from conftest import Ticking
from hypothesis import given
from hypothesis import strategies as st
from oracle import FULL, LEARNED, ONE_DEPTH, PRUNING, WATCHED, Solved, Task, at, hash_board, oracle
from recorded import Recorded
from strategies import SHAPES, random_betsy, random_cards, random_position, trees, with_names

from kalahlab.evaluators import betsy, cards
from kalahlab.evaluators.betsy import consecutive, leaf_value
from kalahlab.evaluators.kalah import staged, store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import MAX, MIN, Branch, HandTree, tree_depth, uniform_tree
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State
from kalahlab.search import ALGORITHMS, ORDERS, Depth, alpha_beta, deepening, greedy
from kalahlab.search.alpha_beta import value as alpha_beta_value
from kalahlab.search.model import INF, Line
from kalahlab.search.observer import NodeCounter
from kalahlab.search.scout import from_parent
from kalahlab.search.scout import visit as scout_value
from kalahlab.search.tree import observable_from_mover, pit_order, searcher
from kalahlab.trace import record

Sample = namedtuple("Sample", "position evaluators nodes searched")
"""Evaluators, and the largest tree: usually, and if the order itself searches."""

# Cached, as all searches of a case evaluate the same boards.
SAMPLES = {
    "kalah": Sample(random_position, [*map(cache, reference.ASKED.values())], 250, 120),
    "cards": Sample(random_cards, [*map(cache, cards.EVALUATORS.values()), hash_board], 250, 120),
    "betsy": Sample(random_betsy, [cache(leaf_value), consecutive, hash_board], 250, 120),
}


class Case(NamedTuple):
    task: Task
    solved: Solved
    runs: dict[str, Recorded]

    def __str__(self):
        return str(self.task)

    def paths(self, name):
        return [path for path, *_ in self.runs[name].list_entries()]


def case_of(task):
    runs = {name: Recorded(task.game, name, task.trace(name)) for name in ONE_DEPTH}
    return Case(task, oracle(task, task.state), runs)


def value_and_first_best_move_are_the_oracles(case):
    for name in FULL:
        result = case.runs[name].trace.result
        assert result.value == case.solved.value, (name, case)
        assert result.move in first_best_moves(case, name), (name, case)
        assert result.value or copysign(1, result.value) == 1, (name, case)


def first_best_moves(case, name):
    """Return the oracle's move, or for an order that learns the first best of each expansion."""
    if case.task.order not in LEARNED:
        return {case.solved.move}
    run = case.runs[name]
    best = {move for move, child in case.solved.below.items() if child.value == case.solved.value}
    moves = set()
    for visit in run.trace.visits():
        if not run.path(visit) and visit.kind != "driver" and run.moves_below(visit):
            moves.add(next(move for move in run.moves_below(visit) if move in best))
    return moves or {None}


def greedy_is_the_oracle_one_ply_deep(case):
    shallow = Depth(min(1, case.task.depth.limit), case.task.depth.unit)
    expected = oracle(case.task._replace(depth=shallow), case.task.state)
    result = case.runs["greedy"].trace.result
    assert (result.value, result.move) == (expected.value, expected.move), case


def alpha_beta_and_minimax_a_b_are_one_search(case):
    """Compare the nodes, their order and windows, and the counts."""
    one, other = (case.runs[name] for name in PRUNING)
    assert one.list_entries() == other.list_entries(), case
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
    """Check that values are exact inside the windows, and bounds outside."""
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
    """Check that NegaScout dominates alpha-beta: Reinefeld, *Spielbaum-Suchverfahren* (1989)."""
    if case.task.order not in LEARNED:
        for name in ("scout", "mtdf_no_table"):
            assert {*case.paths(name)} <= {*case.paths("alpha_beta")}, (name, case)


def in_the_best_order_scout_searches_nothing_twice(case):
    """Check that it enters alpha-beta's nodes once, in the same order: no move tests better."""
    if case.task.order == "oracle":
        assert case.paths("scout") == case.paths("alpha_beta"), case
        assert case.runs["scout"].trace.result == case.runs["alpha_beta"].trace.result, case


def passes_of_mtdf_narrow_the_bounds_until_they_meet(case):
    """Check that each pass has a null window between the bounds so far."""
    for name in ("mtdf", "mtdf_no_table", "sss_star", "dual_star"):
        driver, *visits = case.runs[name].trace.visits()
        assert all(nextafter(visit.alpha, inf) == visit.beta for visit in visits)
        lower, upper = -inf, inf
        for visit in case.runs[name].trace.visited_children(driver):
            assert lower < visit.beta
            assert visit.alpha < upper
            if visit.value >= visit.beta:
                lower = visit.value
            else:
                upper = visit.value
        assert lower == upper == driver.value


def tables_answer_if_and_only_if_they_can(case):
    for name in ("alpha_beta_table", "scout_table", "mtdf", "sss_star", "dual_star"):
        run = case.runs[name]
        root, bounds = run.trace.nodes[0], {}
        for visit in run.trace.visited_children(root) if root.kind == "driver" else [root]:
            check_answer_of_table(run, visit, bounds)


def check_answer_of_table(run, visit, bounds):
    """Compare the kinds of visits with bounds computed from the earlier values."""
    key = visit.node.state, visit.node.sows, visit.node.turns
    lower, upper = bounds.get(key, (-inf, inf))
    can_answer = lower >= visit.beta or upper <= visit.alpha or lower == upper
    assert (visit.kind == "table") == can_answer, (run.algorithm, visit)
    for child in run.trace.visited_children(visit):
        check_answer_of_table(run, child, bounds)
    if visit.kind in ("inner", "cut"):
        lower, upper = bounds.get(key, (-inf, inf))
        if visit.value > visit.alpha:
            lower = visit.value
        if visit.value < visit.beta:
            upper = visit.value
        bounds[key] = lower, upper


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
    passes_of_mtdf_narrow_the_bounds_until_they_meet,
    tables_answer_if_and_only_if_they_can,
]


PARAMS = [*product(SAMPLES, ["sow"], range(6)), *product(["kalah"], ["turn"], range(6))]
"""Only Kalah has extra turns; in the other games a turn is a sow."""


@pytest.fixture(scope="module", params=PARAMS, ids=str)
def cases(request):
    """Return 16 positions of Kalah (m 1..6, n 0..6, any rules), 8 of the other games.

    Each has another order and evaluator: a drawn quarter of the pairs, as each position is searched
    and recorded by every algorithm.
    """
    name, unit, limit = request.param
    sample, rng = SAMPLES[name], Random(f"{unit} {limit}")
    tasks = []
    pairs = [*product(ORDERS, sample.evaluators)]
    for order, evaluator in rng.sample(pairs, len(pairs) // 4):
        most = sample.searched if order in ("oracle", "anti_oracle") else sample.nodes
        while True:
            game, state = sample.position(rng)
            task = Task(game, state, evaluator, Depth(limit, unit), order)
            if game.is_over(state) and rng.random() < 0.95:
                continue
            if reference.size(task, state, most) <= most:
                break
        tasks.append(task)
    return [case_of(task) for task in tasks]


def test_on_random_positions(cases):
    for case, check in product(cases, CHECKS):
        check(case)


def test_the_trees_recorded_on_random_positions(cases):
    """Check every third position; tables and JSON, which take longest, of one algorithm each."""
    for index, case in enumerate(cases[::3], start=cases[0].task.depth.limit):
        written = WATCHED[index % len(WATCHED)]
        for name, check in product(WATCHED, recorded.CHECKS):
            if check not in recorded.OF_FILES or name == written:
                check(case.runs[name])


def test_the_sample_has_extra_turns_ties_finished_games_and_answers_of_tables(cases):
    if cases[0].task.depth.limit < 2:
        return  # the trees are too shallow
    visits = list(chain.from_iterable(case.runs["minimax"].trace.visits() for case in cases))
    assert {case.task.state.player for case in cases} == {SOUTH, NORTH}
    extra_turns = any(visit.node.maximizing != (visit.node.sows % 2 == 0) for visit in visits)
    assert extra_turns == isinstance(cases[0].task.game, Kalah)
    assert any(map(has_tie, cases))
    limit, unit = cases[0].task.depth.limit, cases[0].task.depth.unit
    finished = (visit.node.sows for visit in visits if visit.kind == "finished")
    assert unit == "turn" or any(sows < limit for sows in finished)
    names = [name for name in FULL if "table" in name]
    traces = [case.runs[name].trace for case, name in product(cases, names)]
    cut_by_table = False
    for trace in traces:
        cut_by_table |= any(trace.nodes[cut.by].kind == "table" for cut in trace.cuts)
    assert cut_by_table or limit < 4 or not extra_turns


def has_tie(case):
    values = [child.value for child in case.solved.below.values()]
    return values.count(case.solved.value) > 1


@given(
    trees(),
    st.integers(0, 5),
    st.sampled_from(("sow", "turn")),
    st.sampled_from([*ORDERS]),
    st.sampled_from(WATCHED),
)
def test_on_random_trees(root, limit, unit, order, written):
    """Check the table and the JSON, which take longest, of one algorithm."""
    case = case_of(Task(HandTree(root), root, written_value, Depth(limit, unit), order))
    for check in CHECKS:
        check(case)
    for name, check in product(WATCHED, recorded.CHECKS):
        if check not in recorded.OF_FILES or name == written:
            check(case.runs[name])


def small_trees():
    """Yield all trees of a leaf and a node with two leaves, worth -1 to 1, with any players."""
    leaves = [Branch("", MAX, value) for value in (-1, 0, 1)]
    for player, below in product((MAX, MIN), repeat=2):
        for one, two, three in product(leaves, repeat=3):
            last, first = (Branch("", below, 0, pair) for pair in ((two, three), (one, two)))
            for children in ((one, last), (first, three)):
                yield with_names(Branch("", player, 0, children))


@pytest.mark.parametrize("order", ["pit", "store_first", "anti_oracle"])
def test_either_player_finds_the_first_best_move_of_small_trees(order):
    for root in small_trees():
        task = Task(HandTree(root), root, written_value, Depth(3), order)
        solved = oracle(task, root)
        for name in FULL:
            result = ALGORITHMS[name](task.game, root, written_value, task.depth, ORDERS[order])
            assert (result.value, result.move) == (solved.value, solved.move), (name, str(task))


@pytest.mark.parametrize(("arity", "depth"), SHAPES)
@pytest.mark.parametrize("algorithm", [*PRUNING, "scout"])
def test_the_best_order_has_the_minimal_tree_and_no_order_a_smaller_one(algorithm, arity, depth):
    """Count b^ceil(d/2) + b^floor(d/2) - 1 leaves at depth d of the minimal tree.

    Knuth & Moore, "An analysis of alpha-beta pruning" (1975), theorem 1.
    """
    critical = [arity ** ((ply + 1) // 2) + arity ** (ply // 2) - 1 for ply in range(depth + 1)]
    for seed in range(4):
        tree = uniform_tree(arity, depth, seed, max_value=9)
        args = (HandTree(tree), tree, written_value, Depth(depth))
        best = ALGORITHMS[algorithm](*args, ORDERS["oracle"])
        unordered = ALGORITHMS[algorithm](*args, ORDERS["pit"])
        assert (best.counts.evaluated, best.counts.visited) == (critical[-1], sum(critical))
        assert best.value == unordered.value
        assert critical[-1] <= unordered.counts.evaluated
        assert unordered.counts.evaluated <= arity**depth or algorithm == "scout"


DEEPENED = [ALGORITHMS[name] for name in FULL]


class Diamond:
    """A game with a position that two lines reach after two sows: after no turn, or after two."""

    MOVES = ((1, 2), (3,), (3,), (4,), (5,), ())  # of each position: the positions that follow
    PLAYERS = (0, 0, 1, 0, 1, 0)

    def start(self):
        return State((0,), 0)

    def moves(self, state):
        return self.MOVES[state.board[0]]

    def play(self, state, move):
        return State((move,), self.PLAYERS[move])

    def is_over(self, state):
        return not self.moves(state)

    def margin(self, state, player):
        return 1 if player == 0 else -1

    def move_name(self, state, move):
        return str(move)


@pytest.mark.parametrize("search", DEEPENED, ids=FULL)
def test_a_position_is_worth_something_else_after_more_turns(search):
    """Two turns deep, it is a leaf worth 5 on one line, and leads to the end, 1, on the other."""

    def value(board, player):
        return 5 if board[0] == 3 else 0

    result = search(Diamond(), Diamond().start(), value, Depth(2, "turn"))
    assert (result.value, result.move) == (5, 2)


def positions(rng):
    while True:
        yield *random_position(rng, pits=4, stones=4), staged
        yield *random_betsy(rng), betsy.leaf_value


@pytest.mark.parametrize("search", DEEPENED, ids=FULL)
@pytest.mark.parametrize("unit", ["sow", "turn"])
def test_each_depth_of_deepening_is_a_search_of_that_depth(search, unit):
    rng = Random(unit)
    for game, state, evaluator in islice(positions(rng), 16):
        order = rng.choice([*ORDERS.values()])
        results = deepening(search, game, state, evaluator, inf, order, unit=unit)
        for depth, result in enumerate(islice(results, 3), start=1):
            assert result == search(game, state, evaluator, Depth(depth, unit), order)


@given(trees())
def test_deepening_ends_with_the_tree(root):
    for search in DEEPENED:
        results = list(deepening(search, HandTree(root), root, written_value, inf))
        assert 1 <= len(results) <= max(1, tree_depth(root)), search
        full = search(HandTree(root), root, written_value, Depth(99))
        assert (results[-1].value, results[-1].line) == (full.value, full.line), search


def test_deepening_reads_the_clock_at_every_node_and_ends_in_the_middle_of_a_search():
    game = Kalah(6, 4)
    nodes = [
        result.counts.expanded + result.counts.evaluated
        for result in islice(deepening(alpha_beta, game, game.start(), staged, inf), 4)
    ]
    for until in (0, 1, nodes[0], nodes[0] + 1, sum(nodes) - 1, sum(nodes), sum(nodes) + 5):
        clock, watch = Ticking(), NodeCounter(lambda nodes: None)
        results = list(
            deepening(alpha_beta, game, game.start(), staged, until, observer=watch, clock=clock)
        )
        complete = [depth for depth in range(4) if sum(nodes[: depth + 1]) <= until]
        assert len(results) == len(complete)
        assert clock.read == until + 1
        assert watch.entered == until + 1, "the node at which the time was up is the last"


@pytest.mark.parametrize(("search", "readings"), [(alpha_beta, 7), (greedy, 1)])
def test_deepening_searches_no_depth_before_it_is_needed(search, readings):
    clock, game = Ticking(), Kalah(6, 4)
    results = deepening(search, game, game.start(), staged, inf, clock=clock)
    assert clock.read == 0
    assert next(results) == search(game, game.start(), staged, Depth(1))
    assert clock.read == readings
    assert (next(results, None) is None) == (search is greedy)


class Backwards(namedtuple("Backwards", "tree")):
    def __getattr__(self, name):
        return getattr(self.tree, name)

    def successors(self, node):
        return self.tree.successors(node)[::-1]


@given(trees(), st.integers(0, 5), st.sampled_from([alpha_beta_value, scout_value]))
def test_a_search_may_reorder_the_children_itself(root, limit, visit):
    """Compare counts and kinds of nodes with a search in that move order."""
    args = HandTree(root), root, written_value, Depth(limit)
    backwards = searcher(lambda tree: visit(Backwards(tree), tree.root, -inf, inf))
    in_order = searcher(lambda tree: visit(tree, tree.root, -inf, inf))
    traces = [
        record(backwards, *args, order=pit_order),
        record(in_order, *args, order=lambda tree, node, children: children[::-1]),
    ]
    results = [trace.result for trace in traces]
    assert results[0] == results[1]
    assert kinds_of(traces[0]) == kinds_of(traces[1])


def kinds_of(trace):
    return {tuple(trace.path(visit.id)): visit.kind for visit in trace.nodes}


@searcher
def skipping(tree):
    """Search by a negamax whose loop goes on after a cutoff, but skips the children."""
    return skip_after_cutoff(tree, tree.root, -INF, INF)


@observable_from_mover
def skip_after_cutoff(tree, node, alpha, beta):
    if tree.deep_enough(node):
        value = tree.static(node)
        return Line(value if node.maximizing else -value)
    best = Line(-INF)
    for child in tree.successors(node):
        if best.value >= beta:
            continue
        line = from_parent(skip_after_cutoff, tree, node, child, max(alpha, best.value), beta)
        if line.value > best.value or not best.path:
            best = Line(line.value, (child.move, *line.path))
    return best


def test_skipped_children_are_cut_off_at_nodes_of_both_players():
    rng = Random(3)
    for _ in range(20):
        game, state = random_position(rng, 3, stones=3)
        limited = game, state, store_difference, Depth(5)
        assert skipping(*limited) == alpha_beta(*limited)
