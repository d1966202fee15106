"""What the searches that grow a tree promise, against an exact minimax of the tests' own."""

import math
import random
import re
from collections import defaultdict
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.rules import PRESETS
from kalahlab.search.df_pn import df_pn
from kalahlab.search.growing import GROWING, PLAYOUTS, UCT, loop
from kalahlab.search.growing.uct import Visits
from kalahlab.search.limits import Depth, Nodes, Playouts, Seconds
from kalahlab.trace import record_growth

RANDOM = PLAYOUTS["random"]
PROVING = ("mcts_solver", "proof_number")
ENOUGH = 300
"""Playouts that find all best moves if a search is right; wrong ones below miss 7 or more."""
SAMPLING = tuple(name for name, search in GROWING.items() if Playouts in search.policy.limits)


@cache
def exact(game, state):
    """Return the margin for South under perfect play."""
    if game.is_over(state):
        return game.margin(state, 0)
    best = max if state.player == 0 else min
    return best(exact(game, game.play(state, move)) for move in game.moves(state))


def value_for_mover(game, state, after=None):
    value = exact(game, after or state)
    return value if state.player == 0 else -value


def best_moves(game, state):
    values = {
        move: value_for_mover(game, state, game.play(state, move)) for move in game.moves(state)
    }
    return {move for move, value in values.items() if value == max(values.values())}


def positions(count, seed=1):
    """Draw positions with a move that gives an extra turn, and with moves of different values."""
    rng, game = random.Random(seed), Kalah(3, 2)
    drawn = []
    while len(drawn) < count:
        state = State(tuple(rng.randrange(4) for _ in range(8)), rng.randrange(2))
        moves = game.moves(state)
        has_extra_turn = any(game.play(state, move).player == state.player for move in moves)
        if has_extra_turn and len(best_moves(game, state)) < len(moves):
            drawn.append(state)
    return drawn


@cache
def small_boards():
    """Return 40 such positions and the starts of two boards. Only tests that use them wait."""
    drawn = [(Kalah(3, 2), state) for state in positions(40)]
    return [*drawn, (Kalah(3, 2), Kalah(3, 2).start()), (Kalah(2, 3), Kalah(2, 3).start())]


RULES = st.sampled_from([rules for name, rules in PRESETS.items()])


@st.composite
def boards(draw, most=3):
    ring = draw(st.lists(st.integers(0, most), min_size=8, max_size=8))
    return State(tuple(ring), draw(st.integers(0, 1)))


def leaf_of(name):
    return store_difference if name in ("best_first", "dynamic_ordering") else RANDOM


def limit_of(name, n):
    if name == "dynamic_ordering":
        return Depth(min(n, 5))
    return Playouts(n) if name in SAMPLING else Nodes(n)


def misses(search, playouts, **options):
    """Return the positions of `small_boards` whose best move a search misses."""
    missed = []
    for game, state in small_boards():
        result = search(game, state, RANDOM, Playouts(playouts), **options)
        if result.move not in best_moves(game, state):
            missed.append(state)
    return missed


@pytest.mark.parametrize("name", SAMPLING)
def test_enough_playouts_find_a_best_move(name):
    assert misses(GROWING[name], ENOUGH) == []


def proof_errors(count=80):
    rng, game = random.Random(2), Kalah(3, 2)
    wrong = 0
    for _ in range(count):
        state = State(tuple(rng.randrange(4) for _ in range(8)), rng.randrange(2))
        value = value_for_mover(game, state)
        claims = [
            GROWING["proof_number"](game, state, None, Nodes(200_000), at_least=bound).claim
            for bound in (value, value + 1)  # the two questions that are hardest to answer
        ]
        wrong += claims != ["at least", "less than"]
    return wrong


def test_proof_numbers_are_right_at_the_hardest_bounds():
    assert proof_errors() == 0


@given(boards(), RULES, st.integers(-4, 4))
def test_proof_numbers_are_right_under_all_named_rules(state, rules, bound):
    game = Kalah(3, 2, rules)
    result = GROWING["proof_number"](game, state, None, Nodes(300_000), at_least=bound)
    assert result.claim == ("at least" if value_for_mover(game, state) >= bound else "less than")


@given(boards(), RULES, st.integers(-4, 4))
def test_df_pn_is_right_under_all_named_rules(state, rules, bound):
    game = Kalah(3, 2, rules)
    result = df_pn(game, state, Nodes(300_000), bound)
    assert result.claim == ("at least" if value_for_mover(game, state) >= bound else "less than")
    final = state
    for move in result.line:
        final = game.play(final, move)
    assert game.is_over(final)
    assert (game.margin(final, state.player) >= bound) == (result.claim == "at least")


@given(boards(), st.integers(1, 30))
def test_df_pn_keeps_its_limit_and_claims_nothing_false(state, n):
    game = Kalah(3, 2)
    result = df_pn(game, state, Nodes(n), 1)
    assert result.counts.expanded <= n
    if result.claim != "unknown":
        is_at_least = value_for_mover(game, state) >= 1
        assert result.claim == ("at least" if is_at_least else "less than")


@given(boards(), RULES, st.integers(1, 1000))
def test_what_mcts_solver_proves_is_true(state, rules, n):
    game = Kalah(3, 2, rules)
    result = GROWING["mcts_solver"](game, state, RANDOM, Playouts(n))
    value = value_for_mover(game, state)
    if result.claim == "exact":
        assert result.value == value
        if not game.is_over(state):
            assert result.move in best_moves(game, state)
    if not game.is_over(state):
        assert result.tree.root.numbers.low <= value <= result.tree.root.numbers.high


def test_mcts_solver_ends_with_a_proof_on_each_small_board():
    for game, state in small_boards():
        result = GROWING["mcts_solver"](game, state, RANDOM, Playouts(100_000))
        assert (result.claim, result.value) == ("exact", value_for_mover(game, state))


@given(boards(2))
def test_best_first_ends_with_a_line_to_a_finished_game(state):
    game = Kalah(3, 2)
    result = GROWING["best_first"](game, state, store_difference, Nodes(100_000))
    for move in result.line:
        state = game.play(state, move)
    assert game.is_over(state)
    assert result.value == game.margin(state, result.tree.max_player)


@pytest.fixture
def parity(monkeypatch):
    """Make the most common mistake: the level says who chooses, as if each move passed the turn."""
    expand = loop.GrowingTree.expand

    def expand_by_level(self, node):
        expand(self, node)
        for child in node.children:
            child.maximizing = not node.maximizing

    monkeypatch.setattr(loop.GrowingTree, "expand", expand_by_level)


@pytest.mark.usefixtures("parity")
def test_these_tests_catch_a_search_that_counts_levels():
    assert len(misses(GROWING["uct"], ENOUGH)) >= 5
    assert proof_errors() >= 20


class Negamax(UCT):
    """UCT as programs print it: a node has the values of the player who moved to it."""

    always_negates = False

    def appeal(self, maximizing, parent, child):
        return super().appeal(True, parent, child)

    def back_up(self, path, values):
        (value,) = values.values()
        choosers = [path[0].maximizing] + [node.maximizing for node in path[:-1]]
        value = value if choosers[-1] else -value
        for index in reversed(range(len(path))):
            n, total = path[index].numbers
            path[index].numbers = Visits(n + 1, total + value)
            if self.always_negates or choosers[index] != choosers[index - 1]:
                value = -value


class AlwaysNegates(Negamax):
    always_negates = True


def test_a_users_policy_is_held_against_the_same_test():
    assert misses(loop.growing_search(Negamax, "negamax"), ENOUGH) == []
    assert len(misses(loop.growing_search(AlwaysNegates, "always_negates"), ENOUGH)) >= 5


@pytest.mark.parametrize("name", GROWING)
@settings(max_examples=15)
@given(state=boards(), data=st.data())
def test_the_numbers_of_a_step_are_a_recount_of_the_events(name, state, data):
    limit = limit_of(name, 150)
    trace = record_growth(GROWING[name], Kalah(3, 2), state, leaf_of(name), limit)
    assert len(trace.nodes) == 1 + trace.result.counts.generated
    assert trace.steps == trace.result.tree.iterations
    for step in {0, trace.steps, data.draw(st.integers(0, trace.steps))}:
        visits = defaultdict(list)
        expanded = set()
        for k in range(1, step + 1):
            iteration = trace.iteration(k)
            expanded.add(iteration.expanded)
            for id in iteration.path:
                visits[id] += [value for _, _, value in iteration.values]
        existing = [id for id in range(len(trace.nodes)) if trace.numbers(id, step) is not None]
        assert existing == [
            node.id for node in trace.nodes if node.parent is None or node.parent.id in expanded
        ]
        for id in existing:
            check_numbers(trace, id, step, visits[id], expanded)


def check_numbers(trace, id, step, values, expanded):
    numbers, node = trace.numbers(id, step), trace.nodes[id]
    best = max if node.maximizing else min
    below = [trace.numbers(child.id, step) for child in node.children if id in expanded]
    if hasattr(numbers, "n"):
        assert numbers.n == len(values)
        assert numbers.total == sum(values)
        if below:  # each node but the root gets a value of its own before its children are made
            visits_of_its_own = 1 if id > 0 else 0
            assert numbers.n == sum(child.n for child in below) + visits_of_its_own
    if below and hasattr(numbers, "pn"):
        pns, dns = zip(*below, strict=True)
        assert numbers == ((min(pns), sum(dns)) if node.maximizing else (sum(pns), min(dns)))
    for field in ("value", "minimax", "low", "high"):
        if below and hasattr(numbers, field):
            assert getattr(numbers, field) == best(getattr(child, field) for child in below)


@pytest.mark.parametrize("name", GROWING)
@settings(max_examples=10)
@given(state=boards())
def test_the_trace_shows_the_selected_child_as_the_most_appealing_one(name, state):
    limit = limit_of(name, 150)
    trace = record_growth(GROWING[name], Kalah(3, 2), state, leaf_of(name), limit)
    for step in range(1, trace.steps + 1):
        iteration = trace.iteration(step)
        assert trace.why(step)
        for parent, child in pairwise(iteration.path):
            if parent == iteration.expanded:
                continue
            rows = trace.candidates(parent, step - 1)
            assert child == max(rows, key=lambda row: row.appeal).id
            assert trace.names[child] in trace.explain_selection(step, parent, child)


@pytest.mark.parametrize("name", GROWING)
@settings(max_examples=20)
@given(state=boards(), n=st.integers(1, 60))
def test_no_limit_is_exceeded(name, state, n):
    game = Kalah(3, 2)
    result = GROWING[name](game, state, leaf_of(name), limit_of(name, n))
    counts = result.counts
    if name in SAMPLING:
        assert counts.evaluated == result.tree.iterations <= n
        if name != "mcts_solver" and not game.is_over(state):
            assert result.tree.root.numbers.n == n
    elif name == "dynamic_ordering":
        assert len(result.line) <= n
    else:
        assert 1 + counts.generated <= n
        assert counts.evaluated == 1 + counts.generated  # each node is valued once
    final = state
    for move in result.line:
        final = game.play(final, move)
    assert math.isfinite(result.value)


def test_seconds_begin_no_iteration_too_late():
    ticks = iter(range(1000))
    result = GROWING["uct"](
        Kalah(6, 4), Kalah(6, 4).start(), RANDOM, Seconds(10), clock=lambda: next(ticks)
    )
    assert result.tree.iterations == 9


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("uct", Nodes(5)),
        ("proof_number", Playouts(5)),
        ("best_first", Playouts(5)),
        ("dynamic_ordering", Nodes(5)),
    ],
)
def test_a_limit_that_does_not_end_the_search_is_refused(name, limit):
    with pytest.raises(ValueError, match="cannot keep the limit"):
        GROWING[name](Kalah(3, 2), Kalah(3, 2).start(), leaf_of(name), limit)


def test_the_same_seed_grows_the_same_tree():
    game = Kalah(4, 3)
    numbers = []
    for seed in (1, 1, 2):
        result = GROWING["uct"](game, game.start(), RANDOM, Playouts(200), seed=seed)
        numbers.append([child.numbers for child in result.tree.root.children])
    assert numbers[0] == numbers[1] != numbers[2]


class ExpandsAll(UCT):
    """Expand each leaf at its second visit, and do not ask whether the game is over."""

    def should_expand(self, leaf):
        return leaf.parent is None or leaf.numbers.n > 0


def test_a_finished_game_is_never_expanded():
    assert misses(loop.growing_search(ExpandsAll, "expands_all"), ENOUGH) == []


@pytest.mark.parametrize(
    ("method", "result", "message"),
    [
        ("appeal", 1.0, "Wrong.appeal returns 1.0; it must return a tuple of numbers"),
        ("appeal", (math.nan,), "Wrong.appeal returns (nan,); it must return a tuple"),
        ("make_numbers", [], "Wrong.make_numbers returns []; it must return a list"),
        ("evaluate", math.nan, "Wrong.evaluate returns nan; it must be a number"),
        ("evaluate", "high", "Wrong.evaluate returns 'high'; it must be a number"),
        ("conclude", 3, "Wrong.conclude returns 3; it must return a value, a claim and the moves"),
    ],
)
def test_what_a_policy_must_not_return_is_named(method, result, message):
    wrong = type("Wrong", (UCT,), {method: lambda self, *args: result})
    with pytest.raises(ValueError, match=re.escape(message)):
        record_growth(wrong, Kalah(3, 2), Kalah(3, 2).start(), RANDOM, Playouts(50))
