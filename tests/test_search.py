"""Every search against a pruning-free oracle, and pruning against what it promises.

The same checks run on random positions of each game, for every depth, unit, order and
evaluator, and on random hand-written trees, where arity, players and ties are wilder.
"""

from collections.abc import Callable, Iterator
from itertools import product
from math import copysign, inf
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import random_betsy, random_cards, random_position, trees

from kalahlab.evaluators import Evaluator, cards
from kalahlab.evaluators.betsy import consecutive, leaf_value
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.games import Game
from kalahlab.games.kalah import EMPTY_CAPTURE, NORTH, SOUTH, Kalah, State
from kalahlab.games.tree import MAX, MIN, Branch, HandTree
from kalahlab.search import ALGORITHMS, ORDERS, Depth, Result, alpha_beta, minimax
from kalahlab.trace import Entered, Event, Expanded, Left, Recorder

PRUNING = ("alpha_beta", "minimax_a_b")
FULL = ("minimax", *PRUNING)


def hashed(board: Any, player: int) -> float:
    """An evaluator without sense or symmetry, cut to 3 bits, so that ties abound."""
    return crc32(repr((tuple(board), player)).encode()) >> 7 & 7


class Sample(NamedTuple):
    """Where a game's positions come from, what values their leaves, how large a tree may be."""

    position: Callable[[Random], tuple[Game, Any]]
    evaluators: list[Evaluator]
    nodes: int


SAMPLES = {
    "kalah": Sample(random_position, [*EVALUATORS.values(), hashed], 3000),
    "cards": Sample(random_cards, [*cards.EVALUATORS.values(), hashed], 700),
    "betsy": Sample(random_betsy, [leaf_value, consecutive, hashed], 700),
}


class Task(NamedTuple):
    """What is searched."""

    game: Game
    state: Any
    evaluator: Evaluator
    depth: Depth
    order: str


class Solved(NamedTuple):
    """A position's value to the root's player, its first best move, and what lies below."""

    value: float
    move: Any = None
    below: dict[Any, "Solved"] = {}  # noqa: RUF012 - never written to


def oracle(task: Task, state: Any, sows: int = 0, turns: int = 0) -> Solved:
    """Plain recursion by whose turn it is; `max` and `min` keep the first of equals."""
    game, me = task.game, task.state.player
    if game.over(state):
        return Solved(game.margin(state, me))
    if (sows if task.depth.unit == "sow" else turns) >= task.depth.limit:
        return Solved(task.evaluator(state.board, me))
    below = {}
    for move in tried(task, state):
        after = game.play(state, move)
        below[move] = oracle(task, after, sows + 1, turns + (after.player != state.player))
    best = (max if state.player == me else min)(below, key=lambda move: below[move].value)
    return Solved(below[best].value, best, below)


def tried(task: Task, state: Any) -> list[Any]:
    """The moves in the order in which the task has them tried."""
    moves = list(task.game.moves(state))

    def look(move: Any) -> float:
        """How good the move looks to the mover."""
        game, me, after = task.game, task.state.player, task.game.play(state, move)
        value = game.margin(after, me) if game.over(after) else task.evaluator(after.board, me)
        return value if state.player == me else -value

    return {
        "pit": lambda: moves,
        "store_first": lambda: moves[::-1],
        "static": lambda: sorted(moves, key=lambda move: -look(move)),
        "worst_first": lambda: sorted(moves, key=look),
    }[task.order]()


class Seen(NamedTuple):
    """A visited node: the moves to it, its window, what was returned, its children's number."""

    path: tuple[Any, ...]
    maximizing: bool
    alpha: float
    beta: float
    value: float
    made: int | None


class Run(NamedTuple):
    """What a search returned, and the nodes in the order in which it entered them."""

    result: Result
    seen: list[Seen]


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


def run(task: Task, algorithm: str) -> Run:
    recorder = Recorder()
    game, state, evaluator, depth, order = task
    search = ALGORITHMS[algorithm]
    result = search(game, state, evaluator, depth, ORDERS[order], recorder)
    return Run(result, list(replayed(recorder.events)))


def replayed(events: list[Event]) -> list[Seen]:
    """The visits that the events tell of."""
    seen: list[Seen] = []
    path: list[Any] = []
    open_at: list[int] = []
    for event in events:
        match event:
            case Entered(node, alpha, beta):
                if open_at:
                    path.append(node.move)
                open_at.append(len(seen))
                seen.append(Seen(tuple(path), node.maximizing, alpha, beta, 0, None))
            case Expanded(children):
                seen[open_at[-1]] = seen[open_at[-1]]._replace(made=len(children))
            case Left(value):
                at = open_at.pop()
                seen[at] = seen[at]._replace(value=value)
                if path:
                    path.pop()
    return seen


def at(solved: Solved, path: tuple[Any, ...]) -> Solved:
    for move in path:
        solved = solved.below[move]
    return solved


# The checks: what must hold of any case.


def value_and_first_best_move_are_the_oracles(case: Case) -> None:
    for name in FULL:
        result = case.runs[name].result
        assert (result.value, result.move) == (case.solved.value, case.solved.move), (name, case)
        assert result.value or copysign(1, result.value) == 1, (name, case)


def greedy_is_the_oracle_one_ply_deep(case: Case) -> None:
    shallow = Depth(min(1, case.task.depth.limit), case.task.depth.unit)
    expected = oracle(case.task._replace(depth=shallow), case.task.state)
    result = case.runs["greedy"].result
    assert (result.value, result.move) == (expected.value, expected.move), case


def alpha_beta_and_minimax_a_b_are_one_search(case: Case) -> None:
    """The same nodes in the same order, with the same windows, and the same counts."""
    one, other = (case.runs[name] for name in PRUNING)
    windows = [[(seen.path, seen.alpha, seen.beta) for seen in run.seen] for run in (one, other)]
    assert windows[0] == windows[1], case
    assert one.result == other.result, case


def pruning_visits_minimaxs_nodes_in_its_order_and_no_others(case: Case) -> None:
    for name in PRUNING:
        visited = [seen.path for seen in case.runs[name].seen]
        everywhere = iter(seen.path for seen in case.runs["minimax"].seen)
        assert all(path in everywhere for path in visited), (name, case)


def minimax_visits_every_node_with_an_open_window(case: Case) -> None:
    def every(solved: Solved, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        yield path
        for move, below in solved.below.items():
            yield from every(below, (*path, move))

    seen = case.runs["minimax"].seen
    assert [node.path for node in seen] == list(every(case.solved)), case
    assert {(node.alpha, node.beta) for node in seen} == {(-inf, inf)}, case


def the_line_leads_to_a_leaf_of_the_roots_value(case: Case) -> None:
    for name in FULL:
        result = case.runs[name].result
        leaf = at(case.solved, result.line)
        assert not leaf.below, (name, case)
        assert leaf.value == result.value, (name, case)
        assert result.line == case.runs["minimax"].result.line, (name, case)


def counts_are_what_the_events_add_up_to(case: Case) -> None:
    for name, (result, seen) in case.runs.items():
        tried = dict.fromkeys((node.path for node in seen), 0)
        for node in seen[1:]:
            tried[node.path[:-1]] += 1
        inner = [node for node in seen if node.made is not None]
        counts = result.counts
        assert counts.generated == sum(node.made or 0 for node in inner), (name, case)
        assert counts.expanded == len(inner), (name, case)
        assert counts.evaluated == len(seen) - len(inner), (name, case)
        assert counts.cutoffs == sum(tried[node.path] < (node.made or 0) for node in inner), name


def values_keep_the_contracts_inequalities(case: Case) -> None:
    """A value is exact inside the window of its node and a bound on the true one outside."""
    for name in FULL:
        for path, _, alpha, beta, value, _ in case.runs[name].seen:
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
    for name in PRUNING:
        values: dict[tuple[Any, ...], list[float]] = {}
        seen = case.runs[name].seen
        for node in seen[1:]:
            values.setdefault(node.path[:-1], []).append(node.value)
        for path, maximizing, alpha, beta, _, made in seen:
            crossed = [
                value >= beta if maximizing else value <= alpha for value in values.get(path, ())
            ]
            assert not any(crossed[:-1]), (name, path, case)
            assert len(crossed) == (made or 0) or crossed[-1], (name, path, case)


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
each_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)


# Random positions: every depth and unit with every order and evaluator.


@pytest.fixture(scope="module", params=product(SAMPLES, ("sow", "turn"), range(6)), ids=str)
def cases(request: pytest.FixtureRequest) -> list[Case]:
    """64 positions of Kalah (m 1..6, n 0..6, any rules), 24 of the others, few finished."""
    name, unit, limit = request.param
    sample, chance = SAMPLES[name], Random(f"{unit} {limit}")
    tasks = []
    for order, evaluator in product(ORDERS, sample.evaluators * 2):
        while True:
            game, state = sample.position(chance)
            task = Task(game, state, evaluator, Depth(limit, unit), order)
            if game.over(state) and chance.random() < 0.95:
                continue
            if size(task, state, sample.nodes) <= sample.nodes:
                break
        tasks.append(task)
    return [case_of(task) for task in tasks]


def size(task: Task, state: Any, most: int, sows: int = 0, turns: int = 0) -> int:
    """The number of nodes of a task's tree, counted no further than `most`."""
    if (sows if task.depth.unit == "sow" else turns) >= task.depth.limit:
        return 1
    nodes = 1
    for move in task.game.moves(state):
        after = task.game.play(state, move)
        turned = turns + (after.player != state.player)
        nodes += size(task, after, most - nodes, sows + 1, turned)
        if nodes > most:
            break
    return nodes


@each_check
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
        sum(below.value == case.solved.value for below in case.solved.below.values()) > 1
        for case in cases
    )
    assert (
        any(node.made is None and len(node.path) < case.task.depth.limit for case, node in seen)
        or cases[0].task.depth.unit == "turn"
    )


# Random trees.


@each_check
@given(trees(), st.integers(0, 5), st.sampled_from(("sow", "turn")), st.sampled_from([*ORDERS]))
def test_on_random_trees(check: Check, root: Branch, limit: int, unit: Any, order: str) -> None:
    check(case_of(Task(HandTree(root), root, written_value, Depth(limit, unit), order)))


# What it costs, told by others.


@pytest.mark.parametrize(
    ("stones", "order", "nodes"),
    [
        (4, "pit", [7, 24, 92, 390, 1042, 3786, 10121, 30823]),
        (4, "store_first", [7, 22, 90, 303, 688, 1607, 3852, 9334]),
        (6, "pit", [7, 17, 52, 120, 506, 1088, 5664, 19287]),
        (6, "store_first", [7, 22, 61, 164, 371, 1165, 2089, 7059]),
    ],
)
@pytest.mark.parametrize("algorithm", PRUNING)
def test_a_cpp_program_visits_as_many_nodes(
    algorithm: str, stones: int, order: str, nodes: list[int]
) -> None:
    """Kalah(6, 4) and (6, 6), depths 1 to 8: values and node counts of an independent C++ program.

    Its (6, 4) figures in pit order are also those of OpenSpiel's alpha-beta.
    """
    values = {4: [1, 2, 1, 1, 2, 3, 3, 4], 6: [1, 2, 1, 2, 1, 2, 1, 2]}[stones]
    game = Kalah(6, stones)
    found = []
    for depth in range(1, 9):
        result = ALGORITHMS[algorithm](
            game, game.start(), store_difference, Depth(depth), ORDERS[order]
        )
        found.append((result.value, result.counts.expanded + result.counts.evaluated))
    assert found == list(zip(values, nodes, strict=True))


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


def uniform(arity: int, depth: int, chance: Random, player: int = MAX) -> Branch:
    if depth == 0:
        return Branch("leaf", player, chance.randint(0, 9))
    below = tuple(uniform(arity, depth - 1, chance, 1 - player) for _ in range(arity))
    return Branch("inner", player, 0, below)


def best_first(node: Branch) -> tuple[float, Branch]:
    """The node's value to MAX, and the tree with the best child first everywhere."""
    if not node.children:
        return node.value, node
    pairs = sorted(map(best_first, node.children), key=lambda pair: pair[0])
    if node.player == MAX:
        pairs.reverse()
    return pairs[0][0], Branch("inner", node.player, 0, tuple(child for _, child in pairs))


SHAPES = [(arity, depth) for arity in (1, 2, 3, 4) for depth in (1, 2, 3, 4, 5)]


@pytest.mark.parametrize(("arity", "depth"), SHAPES)
@pytest.mark.parametrize("algorithm", PRUNING)
def test_no_search_sees_fewer_leaves_than_the_minimal_tree_has(
    algorithm: str, arity: int, depth: int
) -> None:
    """b^ceil(d/2) + b^floor(d/2) - 1 leaves at least, b^d at most; best first, exactly the least.

    Knuth & Moore, "An analysis of alpha-beta pruning" (1975), theorem 1.
    """
    least = arity ** (-(-depth // 2)) + arity ** (depth // 2) - 1
    chance = Random(1975)
    for _ in range(10):
        tree = uniform(arity, depth, chance)
        assert least <= leaves_seen(algorithm, tree, depth) <= arity**depth
        value, sorted_tree = best_first(tree)
        assert leaves_seen(algorithm, sorted_tree, depth) == least
        result = alpha_beta(HandTree(tree), tree, written_value, Depth(depth))
        assert result.value == value


def leaves_seen(algorithm: str, root: Branch, depth: int) -> int:
    search = ALGORITHMS[algorithm]
    return search(HandTree(root), root, written_value, Depth(depth)).counts.evaluated


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
