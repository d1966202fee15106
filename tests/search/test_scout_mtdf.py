"""What is special about the searches that ask and remember, and about the orders that learn."""

from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import product
from math import inf, nextafter
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
    Run,
    Solved,
    Task,
    at,
    below,
    hashed,
    oracle,
    run,
    size,
)
from strategies import random_position, trees

from kalahlab.evaluators import static_value
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.experiments import Point, run_point
from kalahlab.games.hand_tree import MAX, MIN, Branch, HandTree
from kalahlab.games.kalah import EMPTY_CAPTURE, SOUTH, Kalah, State, pits_of
from kalahlab.play import parse_player
from kalahlab.search import ALGORITHMS, ORDERS, Depth, Quiescence, alpha_beta, minimax
from kalahlab.search.alpha_beta_table import value
from kalahlab.search.model import Line, Node
from kalahlab.search.scout_table import visit
from kalahlab.search.table import Table
from kalahlab.search.tree import Tree
from kalahlab.trace import Entered, Expanded, Left, Recalled, Recorder, record

UNLEARNED = [name for name in ORDERS if name not in LEARNED]


@cache
def kalah_tasks(orders: tuple[str, ...] = tuple(UNLEARNED)) -> list[Task]:
    """Random positions, under every order, unit and evaluator in turn."""
    chance = Random(96)
    tasks: list[Task] = []
    for order, unit, evaluator in product(orders, ("sow", "turn"), ASKED.values()):
        searched = True
        while searched:
            game, state = random_position(chance, pits=5, stones=5)
            depth = Depth(chance.randint(2, 5), unit)
            task = Task(game, state, evaluator, depth, order)
            searched = game.over(state) or size(task, state, 900) > 900
        tasks.append(task)
    return tasks


def tree_tasks(orders: list[str]) -> st.SearchStrategy[Task]:
    return st.builds(
        lambda root, depth, order: Task(HandTree(root), root, written_value, Depth(depth), order),
        trees(),
        st.integers(0, 6),
        st.sampled_from(orders),
    )


# Scout.


def scout_asks_of_all_but_the_first_child(task: Task) -> None:
    """And searches again what is better, unless a bound is crossed or it is a leaf."""
    made = run(task, "scout")
    for node, children in zip(made.seen, below(made.seen), strict=True):
        alpha, beta = node.alpha, node.beta
        rest = list(children)
        while rest:
            child = rest.pop(0)
            if child is children[0]:
                assert (child.alpha, child.beta) == (alpha, beta)
            elif node.maximizing:
                assert (child.alpha, child.beta) == (alpha, nextafter(alpha, inf))
            else:
                assert (child.alpha, child.beta) == (nextafter(beta, -inf), beta)
            better = alpha < child.value < beta and child is not children[0]
            if better and child.made:
                again = rest.pop(0)
                assert (again.path, again.alpha, again.beta) == (child.path, alpha, beta)
                child = again
            alpha = max(alpha, child.value) if node.maximizing else alpha
            beta = beta if node.maximizing else min(beta, child.value)


def scout_enters_no_node_that_alpha_beta_does_not(task: Task) -> None:
    """Reinefeld, *Spielbaum-Suchverfahren* (1989): NegaScout dominates alpha-beta."""
    nodes = {node.path for node in run(task, "alpha_beta").seen}
    assert {node.path for node in run(task, "scout").seen} <= nodes


def in_the_best_order_scout_searches_nothing_twice(task: Task) -> None:
    """Each node that alpha-beta enters, once, in the same order: every question is answered no."""
    one, other = (run(task._replace(order="oracle"), name) for name in ("alpha_beta", "scout"))
    assert [node.path for node in one.seen] == [node.path for node in other.seen]
    assert one.result == other.result


# MTD(f).


def every_pass_asks_and_the_bounds_close_in(task: Task) -> None:
    """Each with a null window, between what is known to be the least and the most."""
    for name in ("mtdf", "mtdf_no_table"):
        driver, *others = run(task, name).seen
        assert all(nextafter(node.alpha, inf) == node.beta for node in others)
        least, most = -inf, inf
        for each in (node for node in others if node.parent == 0):
            assert least < each.beta
            assert each.alpha < most
            least, most = (each.value, most) if each.value >= each.beta else (least, each.value)
        assert least == most == driver.value


def a_pass_enters_no_node_that_alpha_beta_does_not(task: Task) -> None:
    nodes = {node.path for node in run(task, "alpha_beta").seen}
    assert {node.path for node in run(task, "mtdf_no_table").seen} <= nodes


# The table.


def a_table_leaves_out_and_adds_nothing(task: Task) -> None:
    """What alpha-beta with a table enters is what alpha-beta enters, but for whole branches."""
    plain, remembering = run(task, "alpha_beta"), run(task, "alpha_beta_table")
    entered = iter(plain.seen)
    known = {node.path for node in remembering.seen if node.recalled}
    for node in remembering.seen:
        for same in entered:
            if same[1:5] == node[1:5]:
                break
            assert any(same.path[: len(path)] == path for path in known)
        else:
            pytest.fail(f"{node} is not entered by alpha-beta")


def no_entry_is_wrong(task: Task) -> None:
    """Each bound against the oracle of that subtree; each line leads to a leaf of its value."""
    for search in (value_from_max, value_from_mover):
        table = Table()
        search(task, table)
        for (state, sows, turns), bounds in table.bounds.items():
            sign = 1 if search is value_from_max or state.player == task.state.player else -1
            solved = oracle(task, state, sows, turns)
            assert bounds.lower.value <= sign * solved.value <= bounds.upper.value
            for line in bounds:
                if abs(line.value) < inf:
                    assert leaf_value(task, state, sows, turns, line) == sign * line.value


def what_is_known_is_not_searched_again_and_nothing_else(task: Task) -> None:
    """By bounds of our own, put together from what was told."""
    for name in ("alpha_beta_table", "scout_table", "mtdf"):
        known: dict[Any, tuple[float, float]] = {}
        entered: list[tuple[Entered, bool]] = []
        expanded: list[bool] = []
        for event in recorded(task, name).events:
            match event:
                case Entered(node, alpha, beta):
                    least, most = known.get((node.state, node.sows, node.turns), (-inf, inf))
                    entered.append((event, least >= beta or most <= alpha or least == most))
                    expanded.append(False)
                case Expanded(_):
                    assert not entered[-1][1], (name, task)
                    expanded[-1] = True
                case Recalled(_):
                    assert entered[-1][1], (name, task)
                case Left(value):
                    (node, alpha, beta), _ = entered.pop()
                    if expanded.pop():
                        key = node.state, node.sows, node.turns
                        least, most = known.get(key, (-inf, inf))
                        least = value if value > alpha else least
                        known[key] = (least, value if value < beta else most)


def value_from_max(task: Task, table: Table) -> Line:
    tree = tree_of(task, table)
    return value(tree, tree.root, -inf, inf)


def value_from_mover(task: Task, table: Table) -> Line:
    tree = tree_of(task, table)
    return visit(tree, tree.root, -inf, inf)


def tree_of(task: Task, table: Table) -> Tree:
    root = Node(task.state, None, maximizing=True, sows=0, turns=0)
    order: Any = ORDERS[task.order]
    return Tree(task.game, task.evaluator, task.depth, order, root, table=table)


def leaf_value(task: Task, state: Any, sows: int, turns: int, line: Line) -> float:
    """What the leaf at the end of a line is worth to the root's player."""
    for move in line.path:
        after = task.game.play(state, move)
        sows, turns, state = sows + 1, turns + (after.player != state.player), after
    leaf = oracle(task, state, sows, turns)
    assert not leaf.below
    return leaf.value


CHECKS = [
    scout_asks_of_all_but_the_first_child,
    scout_enters_no_node_that_alpha_beta_does_not,
    in_the_best_order_scout_searches_nothing_twice,
    every_pass_asks_and_the_bounds_close_in,
    a_pass_enters_no_node_that_alpha_beta_does_not,
    a_table_leaves_out_and_adds_nothing,
    no_entry_is_wrong,
    what_is_known_is_not_searched_again_and_nothing_else,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_on_kalah_positions(check: Any) -> None:
    for task in kalah_tasks():
        check(task)


@given(tree_tasks(UNLEARNED))
def test_on_random_trees(task: Task) -> None:
    for check in CHECKS:
        check(task)


def test_a_table_is_of_use() -> None:
    """Over the sample; MTD(f) asks about the same positions again and again."""
    totals = dict.fromkeys(FULL, 0)
    recalled = dict.fromkeys(FULL, 0)
    for task, name in product(kalah_tasks(("pit", "store_first")), FULL):
        counts = run(task, name).result.counts
        totals[name] += counts.visited
        recalled[name] += counts.recalled
    assert {name for name in FULL if recalled[name]} == {"alpha_beta_table", "scout_table", "mtdf"}
    assert totals["alpha_beta_table"] < totals["alpha_beta"]
    assert totals["scout_table"] < totals["scout"]
    assert totals["mtdf"] < 0.9 * totals["mtdf_no_table"]


def test_equal_positions_at_unequal_depths_are_not_one_entry() -> None:
    """The same node one sow down and two: four sows deep they see 3 and 2 sows of it."""
    deep = Branch("d", MIN, 4, (Branch("e", MAX, -9),))
    shared = Branch("b", MIN, 1, (Branch("c", MAX, 2, (deep,)),))
    root = Branch("root", MAX, 0, (shared, Branch("a", MAX, 0, (shared,))))
    for limit, name in product(range(6), FULL):
        for children in (root.children, root.children[::-1]):
            tree = HandTree(replace(root, children=children))
            found = ALGORITHMS[name](tree, tree.root, written_value, Depth(limit))
            task = Task(tree, tree.root, written_value, Depth(limit), "pit")
            solved = oracle(task, tree.root)
            assert (found.value, found.move) == (solved.value, solved.move), (name, limit)


def certain(board: Any, player: int) -> float:
    """Won and lost as plus and minus infinity, for most boards."""
    return (-inf, inf, -inf, inf, 0.0)[int(hashed(board, player)) % 5]


def broken(board: Any, player: int) -> float:
    """Values so close together that a window one wide would hold several."""
    return hashed(board, player) / 700


def lost(board: Any, player: int) -> float:
    """Nothing but minus infinity."""
    return -inf


def won(board: Any, player: int) -> float:
    """Nothing but infinity."""
    return inf


def first_best_line(solved: Solved) -> tuple[Any, ...]:
    """The moves that the oracle takes, to a leaf."""
    if not solved.below:
        return ()
    return (solved.move, *first_best_line(solved.below[solved.move]))


@pytest.mark.parametrize("evaluator", [certain, broken, lost, won])
def test_values_may_be_infinite_or_broken(evaluator: Any) -> None:
    """There is a move, and a line to a leaf of the value, even if every move is lost."""
    for task in kalah_tasks(("pit", "store_first")):
        asked = task._replace(evaluator=evaluator)
        solved = oracle(asked, asked.state)
        for name in FULL:
            found = run(asked, name).result
            assert (found.value, found.move) == (solved.value, solved.move), (name, asked)
            leaf = at(solved, found.line)
            assert (leaf.value, leaf.below) == (solved.value, {}), (name, asked)
            if name in LINE_OF_MINIMAX:
                assert found.line == first_best_line(solved), (name, asked)


# Orders that learn.


class Cut(NamedTuple):
    """A node that was left with children never entered, and the move entered last."""

    node: Node
    move: Any


def sorted_and_cut(made: Recorder) -> list[tuple[Node, list[Any]] | Cut]:
    """What an order did and what it could learn, in the order in which it happened."""
    told: list[tuple[Node, list[Any]] | Cut] = []
    nodes: list[Node] = []
    children: list[list[Any]] = []
    entered: list[list[Any]] = []
    for event in made.events:
        match event:
            case Entered(node, _, _):
                if entered:
                    entered[-1].append(node.move)
                nodes.append(node)
                children.append([])
                entered.append([])
            case Expanded(made_of):
                children[-1] = [child.move for child in made_of]
                told.append((nodes[-1], children[-1]))
            case Left(_):
                node, moves, tried = nodes.pop(), children.pop(), entered.pop()
                if {*moves} - {*tried}:
                    told.append(Cut(node, tried[-1]))
    return told


@pytest.mark.parametrize("algorithm", [name for name in FULL if "table" not in name])
def test_killers_come_first(algorithm: str) -> None:
    """The two moves that last cut at that depth, by that player, the latest first."""
    seen = 0
    for task in kalah_tasks(("killer",) * 5):
        cuts: dict[tuple[int, bool], list[Any]] = defaultdict(list)
        for told in sorted_and_cut(recorded(task, algorithm)):
            node, moves = told
            place = node.sows, node.maximizing
            if isinstance(told, Cut):
                cuts[place] = [told.move, *(each for each in cuts[place] if each != told.move)]
            else:
                legal = task.game.moves(node.state)
                first = [move for move in cuts[place][:2] if move in legal]
                assert moves == first + [move for move in legal if move not in first]
                seen += moves != list(legal)
    assert seen > 50 or algorithm == "minimax"


@pytest.mark.parametrize("algorithm", [name for name in FULL if "table" not in name])
def test_history_sums_up_what_cut(algorithm: str) -> None:
    """Each cut counts 2 to the sows that were left, as Schaeffer has it, up to a common factor."""
    seen = 0
    for task in kalah_tasks(("history",) * 5):
        weights: dict[tuple[bool, Any], int] = defaultdict(int)
        for told in sorted_and_cut(recorded(task, algorithm)):
            node, moves = told
            if isinstance(told, Cut):
                weights[node.maximizing, told.move] += 2 ** (60 - node.sows)
            else:
                legal = task.game.moves(node.state)
                gains = {move: -weights[node.maximizing, move] for move in legal}
                assert moves == sorted(legal, key=gains.__getitem__)
                seen += moves != list(legal)
    assert seen > 50 or algorithm == "minimax"


def recorded(task: Task, algorithm: str) -> Recorder:
    recorder = Recorder()
    game, state, evaluator, depth, order = task
    ALGORITHMS[algorithm](game, state, evaluator, depth, ORDERS[order], recorder)
    return recorder


@pytest.mark.parametrize("order", LEARNED)
def test_nothing_is_learned_from_one_search_for_the_next(order: str) -> None:
    task = Task(Kalah(4, 3), Kalah(4, 3).start(), store_difference, Depth(5), order)
    runs: list[Run] = [run(task, "alpha_beta") for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]
    assert runs[0].result.counts != run(task._replace(order="pit"), "alpha_beta").result.counts


def test_what_orders_are_worth_in_kalah() -> None:
    """At the start of Kalah(6, 4), six sows deep."""
    game = Kalah(6, 4)
    visited = {
        name: alpha_beta(game, game.start(), store_difference, Depth(6), order).counts.visited
        for name, order in ORDERS.items()
    }
    assert min(visited, key=visited.__getitem__) == "oracle"
    assert max(visited, key=visited.__getitem__) == "anti_oracle"
    assert visited["killer"] < visited["pit"]
    assert visited["history"] < visited["pit"]


# Quiescence.


def is_quiet(state: State) -> bool:
    """By sowing each pit stone by stone."""
    pits, (board, player) = pits_of(state.board), state
    store, other = (pits, 2 * pits + 1)[:: 1 if player == SOUTH else -1]
    for pit in range(store - pits, store):
        counts, last = [*board], pit
        counts[pit] = 0
        for _ in range(board[pit]):
            last = (last + 1 + (last + 1 == other)) % len(board)
            counts[last] += 1
        lone = store - pits <= last < store and counts[last] == 1
        if board[pit] and (last == store or (lone and counts[2 * pits - last])):
            return False
    return True


def quiet_value(task: Task, quiet: Quiescence, state: State, depth: int = 0) -> float:
    """Plain recursion: on past the limit while it is not quiet, and no further than allowed."""
    game, me = task.game, task.state.player
    if game.over(state):
        return game.margin(state, me)
    stop = depth >= quiet.limit and is_quiet(state)
    if stop or depth >= quiet.limit + quiet.max_extension:
        return static_value(task.evaluator, state.board, state.player, me)
    values = []
    for move in game.moves(state):
        after = game.play(state, move)
        step = 1 if quiet.unit == "sow" else after.player != state.player
        values.append(quiet_value(task, quiet, after, depth + step))
    return max(values) if state.player == me else min(values)


@pytest.mark.parametrize("unit", ["sow", "turn"])
def test_a_search_stops_where_it_is_quiet(unit: Any) -> None:
    chance, further = Random(12), 0
    for task in kalah_tasks(("pit", "store_first")):
        if size(task._replace(depth=Depth(4, unit)), task.state, 2000) > 2000:
            continue
        quiet = Quiescence(Kalah().quiet, chance.randint(0, 2), unit, chance.randint(0, 2))
        asked = task._replace(depth=quiet)
        expected = quiet_value(task, quiet, task.state)
        for name in FULL:
            assert run(asked, name).result.value == expected, (name, asked)
        further += len(run(asked, "minimax").seen) > len(
            run(task._replace(depth=Depth(quiet.limit, unit)), "minimax").seen
        )
    assert further > 10


def test_quiet_leaves() -> None:
    """No leaf above the limit or below what is allowed, and between them only quiet ones."""
    game = Kalah(4, 3, EMPTY_CAPTURE)
    quiet = Quiescence(game.quiet, 3, max_extension=2)
    trace = record(minimax, game, game.start(), store_difference, quiet)
    for each in trace.visited():
        sows = each.node.sows
        if each.kind == "leaf":
            assert sows == 5 or (3 <= sows < 5 and is_quiet(each.node.state))
        elif each.kind == "inner":
            assert sows < 3 or (sows < 5 and not is_quiet(each.node.state))
    assert {each.node.sows for each in trace.visited() if each.kind == "leaf"} == {3, 4, 5}


def test_another_game_says_itself_what_is_quiet() -> None:
    root = Branch("a", MAX, 0, (Branch("b", MIN, 5, (Branch("c", MAX, 7),)),))
    for name, expected in (("b", 5), ("c", 7)):
        quiet = Quiescence(lambda state, name=name: state.name == name, 1)
        assert alpha_beta(HandTree(root), root, written_value, quiet).value == expected


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"limit": -1}, "depth is -1"),
        ({"max_extension": -1}, "max_extension is -1"),
        ({"unit": "ply"}, "unit is 'ply'"),
    ],
)
def test_a_bad_quiet_depth_is_named(wrong: Any, told: str) -> None:
    with pytest.raises(ValueError, match=rf"^{told}; use [^\n]*$"):
        replace(Quiescence(Kalah().quiet, 2), **wrong)


# By name.


@pytest.mark.parametrize("algorithm", FULL)
def test_a_player_is_named_with_all_of_it(algorithm: str) -> None:
    game = Kalah(4, 3)
    state = game.play(game.start(), 2)
    for order in ORDERS:
        move = parse_player(f"{algorithm}:e2:2:quiescence:{order}")(game, state)
        asked = (game, state, EVALUATORS["e2"], Quiescence(game.quiet, 2), ORDERS[order])
        assert move == ALGORITHMS[algorithm](*asked).move


def test_a_point_is_named_with_all_of_it() -> None:
    """MTD(f) plays minimax's game, since its first best move wins too."""
    plain, asking = (
        run_point(Point(name, "e2", 3, leaf="quiescence", order="store_first", pits=3, stones=2))
        for name in ("minimax", "mtdf")
    )
    assert asking["moves"] == plain["moves"]
    assert asking["recalled"] > plain["recalled"] == 0
