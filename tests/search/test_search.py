"""Every search against a pruning-free oracle, and pruning against what it promises.

The same checks run on random positions of each game, for every depth, unit, order and
evaluator, and on random hand-written trees, where arity, players and ties are wilder.
"""

from collections.abc import Callable
from itertools import product
from math import copysign, inf
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import (
    ASKED,
    FULL,
    LEARNED,
    LINE_OF_MINIMAX,
    PRUNING,
    Run,
    Solved,
    Task,
    as_counted,
    at,
    below,
    hashed,
    oracle,
    paths,
    run,
    size,
)
from strategies import SHAPES, random_betsy, random_cards, random_position, trees

from kalahlab.evaluators import Evaluator, cards
from kalahlab.evaluators.betsy import consecutive, leaf_value
from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.games import Game
from kalahlab.games.hand_tree import MAX, MIN, Branch, HandTree, uniform_tree
from kalahlab.games.kalah import EMPTY_CAPTURE, NORTH, SOUTH, Kalah, State
from kalahlab.search import ALGORITHMS, ORDERS, Depth, minimax


class Sample(NamedTuple):
    """Where a game's positions come from, what values their leaves, how large a tree may be.

    searched: how large where the order searches.
    """

    position: Callable[[Random], tuple[Game, Any]]
    evaluators: list[Evaluator]
    nodes: int
    searched: int


SAMPLES = {
    "kalah": Sample(random_position, [*ASKED.values()], 1500, 400),
    "cards": Sample(random_cards, [*cards.EVALUATORS.values(), hashed], 700, 300),
    "betsy": Sample(random_betsy, [leaf_value, consecutive, hashed], 700, 300),
}


class Case(NamedTuple):
    """A task, its solution, and what each algorithm made of it."""

    task: Task
    solved: Solved
    runs: dict[str, Run]

    def __str__(self) -> str:
        return str(self.task)


def case_of(task: Task) -> Case:
    runs = {name: run(task, name) for name in ALGORITHMS}
    return Case(task, oracle(task, task.state), runs)


# The checks: what must hold of any case.


def value_and_first_best_move_are_the_oracles(case: Case) -> None:
    for name in FULL:
        result = case.runs[name].result
        assert result.value == case.solved.value, (name, case)
        assert result.move in first_best_moves(case, name), (name, case)
        assert result.value or copysign(1, result.value) == 1, (name, case)


def first_best_moves(case: Case, name: str) -> set[Any]:
    """The oracle's; if the order learns and the root is expanded again, the first of each time."""
    if case.task.order not in LEARNED:
        return {case.solved.move}
    roots = [visit.made for visit in case.runs[name].seen if visit.made and not visit.path]
    values = {move: solved.value for move, solved in case.solved.below.items()}
    return {next(m for m in made if values[m] == case.solved.value) for made in roots} or {None}


def greedy_is_the_oracle_one_ply_deep(case: Case) -> None:
    shallow = Depth(min(1, case.task.depth.limit), case.task.depth.unit)
    expected = oracle(case.task._replace(depth=shallow), case.task.state)
    result = case.runs["greedy"].result
    assert (result.value, result.move) == (expected.value, expected.move), case


def alpha_beta_and_minimax_a_b_are_one_search(case: Case) -> None:
    """The same nodes in the same order, with the same windows, and the same counts."""
    one, other = (case.runs[name] for name in PRUNING)
    windows = [[seen[1:5] for seen in run.seen] for run in (one, other)]
    assert windows[0] == windows[1], case
    assert one.result == other.result, case


def pruning_visits_minimaxs_nodes_in_its_order_and_no_others(case: Case) -> None:
    if case.task.order in LEARNED:
        return  # minimax cuts nothing off, so its order is another
    for name in PRUNING:
        visited = [seen.path for seen in case.runs[name].seen]
        everywhere = iter(seen.path for seen in case.runs["minimax"].seen)
        assert all(path in everywhere for path in visited), (name, case)


def minimax_visits_every_node_with_an_open_window(case: Case) -> None:
    seen = case.runs["minimax"].seen
    assert [node.path for node in seen] == list(paths(case.solved)), case
    assert {(node.alpha, node.beta) for node in seen} == {(-inf, inf)}, case


def the_line_leads_to_a_leaf_of_the_roots_value(case: Case) -> None:
    for name in FULL:
        result = case.runs[name].result
        leaf = at(case.solved, result.line)
        assert not leaf.below, (name, case)
        assert leaf.value == result.value, (name, case)
        if name in LINE_OF_MINIMAX and case.task.order not in LEARNED:
            assert result.line == case.runs["minimax"].result.line, (name, case)


def counts_are_what_the_events_add_up_to(case: Case) -> None:
    for name, (result, seen) in case.runs.items():
        inner = [visit for visit in seen if visit.made is not None]
        recalled = sum(visit.recalled for visit in seen)
        children = below(seen)
        drivers = [c for visit, c in zip(seen, children, strict=True) if c and visit.made is None]
        cut = [
            visit
            for visit, tried in zip(seen, children, strict=True)
            if len({child.path for child in tried}) < len(visit.made or ())
        ]
        counts = result.counts
        assert counts.generated == sum(len(visit.made or ()) for visit in inner), (name, case)
        assert counts.expanded == len(inner), (name, case)
        assert counts.recalled == recalled, (name, case)
        assert counts.visited == len(seen) - len(drivers), (name, case)
        assert counts.cutoffs == len(cut), (name, case)
        assert len(drivers) == name.startswith("mtdf"), (name, case)


def values_keep_the_contracts_inequalities(case: Case) -> None:
    """A value is exact inside the window of its node and a bound on the true one outside."""
    for name in FULL:
        for _, path, _, alpha, beta, value, *_ in case.runs[name].seen:
            true = at(case.solved, path).value
            if value <= alpha:
                assert true <= value, (name, path, case)
            elif value >= beta:
                assert true >= value, (name, path, case)
            else:
                assert true == value, (name, path, case)


def rich_and_knights_values_never_leave_the_window_on_the_movers_bad_side(case: Case) -> None:
    """MINIMAX-A-B is fail-hard: PASS-THRESH is the least that an inner node is worth."""
    for node in case.runs["minimax_a_b"].seen:
        if node.made is not None:
            assert node.value >= node.alpha if node.maximizing else node.value <= node.beta, case


def a_cut_is_made_exactly_when_a_bound_is_crossed(case: Case) -> None:
    """The children before the last one tried left the window open; an unfinished row closed it."""
    for name in FULL:
        seen = case.runs[name].seen
        for visit, tried in zip(seen, below(seen), strict=True):
            if visit.made is None:
                continue
            crossed = [
                child.value >= visit.beta if visit.maximizing else child.value <= visit.alpha
                for child in tried
            ]
            assert not any(crossed[:-1]), (name, visit, case)
            whole = len({child.path for child in tried}) == len(visit.made)
            assert whole or crossed[-1], (name, visit, case)


Check = Callable[[Case], None]
CHECKS: list[Check] = [
    value_and_first_best_move_are_the_oracles,
    greedy_is_the_oracle_one_ply_deep,
    alpha_beta_and_minimax_a_b_are_one_search,
    pruning_visits_minimaxs_nodes_in_its_order_and_no_others,
    minimax_visits_every_node_with_an_open_window,
    the_line_leads_to_a_leaf_of_the_roots_value,
    counts_are_what_the_events_add_up_to,
    values_keep_the_contracts_inequalities,
    rich_and_knights_values_never_leave_the_window_on_the_movers_bad_side,
    a_cut_is_made_exactly_when_a_bound_is_crossed,
]


# Random positions: every depth and unit with every order and evaluator.


@pytest.fixture(scope="module", params=product(SAMPLES, ("sow", "turn"), range(6)), ids=str)
def cases(request: pytest.FixtureRequest) -> list[Case]:
    """64 positions of Kalah (m 1..6, n 0..6, any rules), 24 of the others, few finished."""
    name, unit, limit = request.param
    sample, chance = SAMPLES[name], Random(f"{unit} {limit}")
    tasks = []
    for order, evaluator in product(ORDERS, sample.evaluators):
        most = sample.searched if order in ("oracle", "anti_oracle") else sample.nodes
        while True:
            game, state = sample.position(chance)
            task = Task(game, state, evaluator, Depth(limit, unit), order)
            if game.over(state) and chance.random() < 0.95:
                continue
            if size(task, state, most) <= most:
                break
        tasks.append(task)
    return [case_of(task) for task in tasks]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_on_random_positions(cases: list[Case], check: Check) -> None:
    for case in cases:
        check(case)


def test_pruning_pays_on_random_positions(cases: list[Case]) -> None:
    """Never more nodes than minimax, and fewer over the sample where there is a bound to cross."""
    for name in PRUNING:
        pairs = [(len(case.runs["minimax"].seen), len(case.runs[name].seen)) for case in cases]
        assert all(pruned <= full for full, pruned in pairs)
        if cases[0].task.depth.limit > 1:
            assert sum(pruned for _, pruned in pairs) < 0.9 * sum(full for full, _ in pairs)


def test_the_sample_has_the_cases_that_tell_rules_apart(cases: list[Case]) -> None:
    """Extra turns below the root, finished games, ties for the best move, both players as MAX."""
    if cases[0].task.depth.limit < 2:
        return  # a tree too shallow for them
    seen = [(case, node) for case in cases for node in case.runs["minimax"].seen]
    assert {case.task.state.player for case in cases} == {SOUTH, NORTH}
    extra_turns = any(node.maximizing != (len(node.path) % 2 == 0) for _, node in seen)
    assert extra_turns == isinstance(cases[0].task.game, Kalah)
    assert any(
        sum(child.value == case.solved.value for child in case.solved.below.values()) > 1
        for case in cases
    )
    assert (
        any(node.made is None and len(node.path) < case.task.depth.limit for case, node in seen)
        or cases[0].task.depth.unit == "turn"
    )


# Random trees.


@given(trees(), st.integers(0, 5), st.sampled_from(("sow", "turn")), st.sampled_from([*ORDERS]))
def test_on_random_trees(root: Branch, limit: int, unit: Any, order: str) -> None:
    case = case_of(Task(HandTree(root), root, written_value, Depth(limit, unit), order))
    for check in CHECKS:
        check(case)


# What it costs, told by others.


@pytest.mark.parametrize("depth", range(1, 9))
@pytest.mark.parametrize("algorithm", PRUNING)
def test_nodes_are_those_that_other_programs_counted(algorithm: str, depth: int) -> None:
    assert as_counted(ALGORITHMS, algorithm, depth)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_counts_are_the_work_that_was_done(algorithm: str) -> None:
    """Moves played and positions looked at, counted by the game and the evaluator themselves."""
    work = {"play": 0, "look": 0}

    class Watched(Kalah):
        def play(self, state: State, move: int) -> State:
            work["play"] += 1
            return super().play(state, move)

        def margin(self, state: State, player: int) -> int:
            work["look"] += 1
            return super().margin(state, player)

    def watched(board: Any, player: int) -> float:
        work["look"] += 1
        return store_difference(board, player)

    game = Watched(3, 2, EMPTY_CAPTURE)
    counts = ALGORITHMS[algorithm](game, game.start(), watched, Depth(7)).counts
    assert (counts.generated, counts.evaluated) == (work["play"], work["look"])
    assert counts.generated > 3 * (algorithm != "greedy")


# Uniform trees of two players in turn: Knuth & Moore's bound.


@pytest.mark.parametrize(("arity", "depth"), SHAPES)
@pytest.mark.parametrize("algorithm", [*PRUNING, "scout"])
def test_the_best_order_gives_the_minimal_tree_and_none_a_smaller_one(
    algorithm: str, arity: int, depth: int
) -> None:
    """b^ceil(d/2) + b^floor(d/2) - 1 leaves at least, leaf for leaf and node for node.

    Knuth & Moore, "An analysis of alpha-beta pruning" (1975), theorem 1.
    """
    critical = [arity ** ((d + 1) // 2) + arity ** (d // 2) - 1 for d in range(depth + 1)]
    for seed in range(10):
        tree = uniform_tree(arity, depth, seed, max_value=9)
        asked = (HandTree(tree), tree, written_value, Depth(depth))
        best, given = (ALGORITHMS[algorithm](*asked, ORDERS[name]) for name in ("oracle", "pit"))
        assert (best.counts.evaluated, best.counts.visited) == (critical[-1], sum(critical))
        assert best.value == given.value
        assert critical[-1] <= given.counts.evaluated
        assert given.counts.evaluated <= arity**depth or algorithm == "scout"


# How deep.


def test_an_extra_turn_is_a_sow_and_no_turn() -> None:
    """A, A again, then B: after two sows the turn has passed once."""
    last = Branch("c", MAX, 7, (Branch("d", MAX, 1),))
    root = Branch("a", MAX, 0, (Branch("b", MAX, 5, (Branch("b2", MIN, 6, (last,)),)),))
    values = {
        (unit, limit): minimax(HandTree(root), root, written_value, Depth(limit, unit)).value
        for unit in ("sow", "turn")
        for limit in range(4)
    }
    assert [values["sow", limit] for limit in range(4)] == [0, 5, 6, 7]
    assert [values["turn", limit] for limit in range(4)] == [0, 6, 7, 1]


@pytest.mark.parametrize(
    ("limit", "unit", "value"), [(-1, "sow", "-1"), (-1, "turn", "-1"), (2, "ply", "'ply'")]
)
def test_a_bad_depth_is_named(limit: int, unit: Any, value: str) -> None:
    with pytest.raises(ValueError, match=rf"^[^\n]* is {value}; use [^\n]*$"):
        Depth(limit, unit)


def test_max_is_the_player_to_move() -> None:
    """North to move: the evaluator is asked from North's side."""
    game = Kalah(2, 1)
    state = State((1, 1, 0, 1, 1, 0), NORTH)
    assert {
        name: (result.value, result.move)
        for name, search in ALGORITHMS.items()
        for result in [search(game, state, store_difference, Depth(1))]
    } == dict.fromkeys(ALGORITHMS, (1, 1))
