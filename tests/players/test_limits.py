"""Limits of nodes and time: kept, or refused before a game; noted if the clock decides."""

import json
from contextlib import nullcontext, suppress
from functools import partial
from itertools import count, product
from random import Random

import pandas as pd
import pytest
from conftest import Ticking
from hypothesis import given
from hypothesis import strategies as st
from strategies import random_position

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.matches.tournament import standings, tally_pairings
from kalahlab.names import IMPORTED
from kalahlab.players.limited_search import search_within
from kalahlab.players.parse import make_player
from kalahlab.players.search_spec import SearchSpec
from kalahlab.search import ALGORITHMS, ORDERS, Depth, alpha_beta, deepening
from kalahlab.search.alpha_beta import value
from kalahlab.search.limits import Nodes
from kalahlab.search.model import INF, Line
from kalahlab.search.observer import NodeCounter
from kalahlab.search.tree import observable, pit_order, searcher

START = Kalah(6, 4).start()


@given(
    st.integers(0, 10**6),
    st.sampled_from([name for name in ALGORITHMS if name != "greedy"]),
    st.sampled_from([*ORDERS]),
    st.sampled_from(["sow", "turn"]),
    st.integers(1, 400),
)
def test_with_a_limit_of_nodes_textbook_and_engine_agree(seed, algorithm, order, unit, nodes):
    """Test also with a transposition table, and with an order that searches by itself."""
    game, state = random_position(Random(seed), pits=4, stones=3)
    if not game.is_over(state):
        specs = [SearchSpec(algorithm, "e3", unit, order, name) for name in ("engine", "textbook")]
        by_engine, by_textbook = (
            list(search_within(spec, Nodes(nodes), game, state)) for spec in specs
        )
        last = [result.line for result in by_engine[-1:]]
        assert last == [result.line for result in by_textbook[-1:]]
        assert sum(result.counts.visited for result in by_textbook) <= nodes


class Counting(Kalah):
    """A game that lists the states of which a search makes children."""

    def __init__(self):
        super().__init__(6, 4)
        object.__setattr__(self, "expanded", [])

    def moves(self, state):
        self.expanded.append(state)
        return super().moves(state)


@observable
def walk(tree, node, alpha, beta):
    """Search four plies, whatever the depth."""
    if node.sows >= 4 or tree.game.is_over(node.state):
        return Line(tree.static(node))
    lines = [(child, walk(tree, child, -INF, INF)) for child in tree.successors(node)]
    child, best = (max if node.maximizing else min)(lines, key=lambda line: line[1].value)
    return Line(best.value, (child.move, *best.path))


@searcher
def four_plies(tree):
    return walk(tree, tree.root, -INF, INF)


@searcher
def polls(tree):
    tree.deep_enough(tree.root)
    return walk(tree, tree.root, -INF, INF)


@searcher
def inner(tree):
    result = alpha_beta(tree.game, tree.root.state, tree.evaluator, Depth(4))
    return Line(result.value, result.line)


def aside(game, state, evaluator, deep_enough, order, observer):
    return alpha_beta(game, state, evaluator, Depth(4), order, observer)


@searcher
def fine(tree):
    return value(tree, tree.root, -INF, INF)


def wraps(game, state, evaluator, deep_enough, order, observer):
    return alpha_beta(game, state, evaluator, deep_enough, order, observer)


@pytest.fixture(autouse=True)
def user_searches(monkeypatch):
    for search in (four_plies, polls, inner, aside, fine, wraps):
        monkeypatch.setitem(IMPORTED, ("algorithm", f"own.{search.__name__}"), search)


NODES = four_plies(Kalah(), Kalah().start(), store_difference, Depth(1)).counts.visited
CANNOT = [
    ("four_plies", "100n", "visits more than 100 nodes to look one ply ahead; give it a depth"),
    ("polls", f"{NODES - 1}n", f"visits more than {NODES - 1:,} nodes to look one ply ahead; give"),
    ("four_plies", "30ms", f"calls tree.deep_enough 0 times at {NODES} nodes; call it at each"),
    ("polls", "30ms", f"calls tree.deep_enough 1 times at {NODES} nodes; call it at each"),
    *((*names, "visits nodes that are not counted; walk the tree that @searcher gives it, or")
      for names in product(("inner", "aside"), ("9999n", "30ms"))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "limit", "why"), CANNOT)
def test_a_limit_that_cannot_be_kept_is_refused_before_a_game_begins(run, name, limit, why):
    player = f"own.{name}:store_difference:{limit}"
    with pytest.raises(ValueError, match=f"^algorithm own.{name} cannot keep the limit {limit}: "):
        make_player(player)
    status, out, err = run("match", player.replace("own.", f"{__name__}."), "random:1")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert why in err


@pytest.mark.parametrize("name", ["fine", "wraps", "four_plies", "polls"])
@pytest.mark.parametrize("nodes", [NODES, 5000])
def test_a_limit_of_nodes_that_can_be_kept_is_kept(name, nodes):
    game, rng = Counting(), Random(nodes)
    player = make_player(f"own.{name}:store_difference:{nodes}n")
    for _ in range(10):
        _, state = random_position(rng, stones=4)
        if game.is_over(state):
            continue
        game.expanded.clear()
        with suppress(ValueError) if name in ("four_plies", "polls") else nullcontext():
            assert player(game, state) in Kalah(6, 4).moves(state)
        assert len(game.expanded) <= nodes + 10, "and who plays lists its moves"


def test_the_first_search_that_visits_too_many_nodes_is_stopped():
    watch = NodeCounter(lambda nodes: None)
    results = deepening(
        alpha_beta, Kalah(6, 4), START, store_difference, INF, pit_order, watch, max_nodes=100
    )  # fmt: skip
    assert sum(result.counts.visited for result in results) <= 100
    assert watch.entered == 101, "the node that is one too many is the last"


SEATS = ["alpha_beta:e3:1000ms", "alpha_beta:e4:1000ms", "alpha_beta:e3:2"]


def late_games():
    """Play games in which ten seconds pass between two readings: whoever has a clock is late."""
    board = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"
    pairs = [Pair(*two, board, backend="textbook") for two in (SEATS[:2], SEATS[1:], SEATS[::2])]
    return pd.DataFrame([play_pair(pair, count(0, 10).__next__) for pair in pairs])


def test_losses_on_time_are_counted_for_both_players():
    games = late_games()
    counts = [(row["won_on_time"], row["lost_on_time"]) for row in tally_pairings(games)]
    assert counts == [(1, 1), (0, 2), (0, 2)]
    lost = {row["player"]: row["lost_on_time"] for row in standings(games)}
    assert lost == {SEATS[0]: 3, SEATS[1]: 3, SEATS[2]: 0}
    assert sum(row["won_on_time"] for row in standings(games)) == 6
    for row in tally_pairings(games):
        assert row["wins"] >= row["won_on_time"]
        assert row["losses"] >= row["lost_on_time"]


def test_a_match_that_the_clock_decided_has_a_note(run, monkeypatch, tmp_path):
    clock = count(0, 10).__next__
    monkeypatch.setattr("kalahlab.matches.pairs.play_pair.__defaults__", (clock,))
    names = ("alpha_beta:e3:2", "alpha_beta:e3:1000ms@textbook")
    words = ("match", *names, "--openings", "2", "--out", str(tmp_path))
    text = " ".join(run(*words)[1].split())
    assert (
        f"The clock decided 4 of 4 games: lost on time 4 by {names[1]}. Such a result depends"
        in text
    )
    answer = json.loads(run(*words, "--json")[1])
    assert " ".join(answer["decided_on_time"].split()) in text
    assert (answer["won_on_time"], answer["lost_on_time"]) == (4, 0)
    assert (tmp_path / "rows.csv").read_text().count(",other,") >= 2
    words = ("tournament", *names, "random:1", "--openings", "1")
    answer = json.loads(run(*words, "--json")[1])
    note = answer["decided_on_time"]
    assert "The clock decided 4 of 6 games" in note
    assert note in run(*words)[1]
    words = ("match", names[0], "random:1", "--openings", "1", "--json")
    assert json.loads(run(*words)[1])["decided_on_time"] is None


def test_late_moves_that_lose_no_game_have_a_note(run, monkeypatch):
    slow = partial(make_player, clock=Ticking(10))
    monkeypatch.setattr("kalahlab.players.parse.make_player", slow)
    monkeypatch.setattr("kalahlab.cli.play.make_player", slow)
    player = "alpha_beta:e3:1000ms@textbook"
    _, out, err = run("judge", player, "--board", "6,5", "--json")
    late = json.loads(out)["late"]
    assert late == json.loads(out)["results"][0]["positions"]
    assert f"note: {late} of {late} moves took longer than the time limit of {player}\n" in err
    _, out, err = run("play", "--south", player, "--north", "random:1", "--json")
    moves = json.loads(out)["movers"].count("south")
    assert err == f"note: {player} took longer than its time limit in {moves} of its moves\n"


def test_an_algorithm_that_finds_no_move_within_its_nodes_plays_none():
    """Play on a board that is wider than that of its trial."""
    player = make_player(f"own.four_plies:store_difference:{NODES}n")
    with pytest.raises(
        ValueError, match=f"^algorithm own.four_plies finds no move within {NODES} nodes"
    ):
        player(Kalah(7, 5), Kalah(7, 5).start())
