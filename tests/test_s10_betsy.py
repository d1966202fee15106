"""Betsy's matches: fair openings, points counted from both sides; what is said and drawn."""

from itertools import pairwise
from statistics import fmean
from typing import Any

import pandas as pd
import pytest

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.betsy import (
    HEURISTICS,
    PRINTED_WEIGHTS,
    Weighted,
    check_rows,
    consecutive,
    leaf_value,
    leaf_value_in_words,
)
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games import Game
from kalahlab.games.betsy import Betsy
from kalahlab.games.kalah import Kalah
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.matches.rating import points_of, score
from kalahlab.play import play_out, search_player
from kalahlab.published.betsy import (
    CHOICES,
    answers,
    by_lot,
    largest,
    printed,
    rivals,
    values,
    weighing,
)
from kalahlab.search import Depth, alpha_beta
from kalahlab.studies.s10_betsy import (
    against,
    best,
    draw_final,
    judged,
    nothing,
    on_betsy,
    openings,
    says,
    tally,
)

pytestmark = pytest.mark.usefixtures("figures")

GAME = Betsy(3, 40)
STARTS = openings(GAME, 6, moves=6, seed=3)


def poor(board: Any, player: int) -> float:
    """The wrong way round."""
    return -store_difference(board, player)


# Openings.


@pytest.mark.parametrize(("game", "moves"), [(GAME, 20), (Kalah(4, 3), 6)])
def test_openings_are_different_undecided_and_made_by_their_seed(game: Game, moves: int) -> None:
    starts = openings(game, 60, moves, seed=5)
    assert len({*starts}) == 60
    assert starts == openings(game, 60, moves, seed=5)
    assert starts != openings(game, 60, moves, seed=6)
    assert starts[:7] == openings(game, 7, moves, seed=5)

    def won_at_once(state: Any) -> bool:
        """By who moves there."""
        after = [game.play(state, move) for move in game.moves(state)]
        return any(game.over(each) and game.margin(each, state.player) > 0 for each in after)

    for start in starts:
        assert not game.over(start)
        assert not won_at_once(start)
        after = [game.play(start, move) for move in game.moves(start)]
        assert not all(
            game.margin(each, start.player) < 0
            if game.over(each)
            else each.player != start.player and won_at_once(each)
            for each in after
        )


def test_openings_of_betsy_are_so_many_moves_old() -> None:
    assert {start.left for start in STARTS} == {40 - 6}


# Pairs.


def test_playing_out_goes_from_the_start_to_the_end_by_the_players_moves() -> None:
    asked: list[Any] = []

    def first(game: Game, state: Any) -> Any:
        asked.append((0, state))
        return game.moves(state)[0]

    def last(game: Game, state: Any) -> Any:
        asked.append((1, state))
        return game.moves(state)[-1]

    states = play_out(GAME, (first, last), GAME.start())
    assert states[0] == GAME.start()
    assert [state for _, state in asked] == states[:-1]
    assert all(player == state.player for player, state in asked)
    for before, after in pairwise(states):
        choice = 0 if before.player == 0 else -1
        assert after == GAME.play(before, GAME.moves(before)[choice])
    assert GAME.over(states[-1])


def margins(start: Any, one: Evaluator, other: Evaluator) -> tuple[float, float]:
    """Of `one` as player 0 and as player 1, both searching one move deep."""
    players = [search_player(alpha_beta, each, Depth(1)) for each in (one, other)]
    row = play_pair(Pair(*players, start, GAME))
    return row["margin_1"], row["margin_2"]


@pytest.mark.parametrize("start", STARTS)
def test_a_pairs_margins_are_those_of_two_games(start: Any) -> None:
    def margin(sides: tuple[Any, Any]) -> float:
        """Player 0's, by hand."""
        state = start
        while not GAME.over(state):
            evaluator = sides[state.player]
            state = GAME.play(state, alpha_beta(GAME, state, evaluator, Depth(1)).move)
        return GAME.margin(state, 0)

    one, other = leaf_value, check_rows
    expected = (margin((one, other)), -margin((other, one)))
    assert margins(start, one, other) == expected
    a, b = margins(start, other, one)
    assert (-b, -a) == expected
    assert sum(margins(start, one, one)) == 0


def test_who_wants_stones_beats_who_gives_them_away() -> None:
    game = Kalah(4, 3)
    starts = openings(game, 16, moves=4, seed=1)
    (row,) = against(game, {"poor": poor}, store_difference, 3, starts)
    assert row["high"] < 0.5
    assert row["rival"] == "poor"


def test_rows_are_the_same_whatever_the_workers() -> None:
    field = {"rows": check_rows, "none": nothing, "all": Weighted((1,) * 7)}
    rows = against(GAME, field, leaf_value, 1, STARTS)
    assert rows == against(GAME, field, leaf_value, 1, STARTS, workers=2)
    assert [row["rival"] for row in rows] == [*field]
    for row, rival in zip(rows, field.values(), strict=True):
        pairs = [margins(start, rival, leaf_value) for start in STARTS]
        points = [fmean(map(points_of, pair)) for pair in pairs]
        assert (row["share"], row["low"], row["high"]) == score(points)
        assert row["draws"] == fmean(margin == 0 for pair in pairs for margin in pair)
        assert row["pairs"] == len(STARTS)


# What is tried, and what is said of it.


def test_rivals_are_the_weights_that_their_names_say() -> None:
    field = rivals()
    assert len(field) == 7 + 2 + 4 + 1
    for place, name in enumerate(HEURISTICS):
        alone = tuple(1 if each == place else 0 for each in range(7))
        assert field[f"{name} alone"] == Weighted(alone)
        if PRINTED_WEIGHTS[place]:
            less = tuple(w * (each != place) for each, w in enumerate(PRINTED_WEIGHTS))
            assert field[f"without {name}"] == Weighted(less)
    assert field["the two distances"] == Weighted((0, 0, 0, 0, 0, 1, 1))
    assert field["all seven alike"] == Weighted((1,) * 7)
    assert field["the text's reading"] is leaf_value_in_words
    assert printed() == Weighted(PRINTED_WEIGHTS)
    with pytest.raises(ValueError, match="8 weights"):
        weighing(nonsense=1)


def test_weights_drawn_by_lot_are_different_and_made_by_their_seed() -> None:
    lot = by_lot(50, seed=1)
    assert len(lot) == 50
    assert lot == by_lot(50, seed=1) != by_lot(50, seed=2)
    for name, weighted in lot.items():
        assert tuple(map(int, name.split())) == weighted.weights
        assert {*weighted.weights} <= {*CHOICES}


def test_the_table_of_heuristics_adds_up_to_the_leaf_value() -> None:
    for start in STARTS:
        rows = values(start.board, start.player)
        assert [row["heuristic"] for row in rows] == [*HEURISTICS]
        for column, judge in (("as coded", leaf_value), ("in words", leaf_value_in_words)):
            total = sum(row["weight"] * row[column] for row in rows)
            assert total / 3 == pytest.approx(judge(start.board, start.player))
        assert rows[4]["as coded"] == consecutive(start.board, start.player)


def test_answers_are_those_of_each_depth_alone() -> None:
    game = Betsy(3)
    state = openings(game, 1, moves=6, seed=4)[0]
    rows = answers(game, state, 3)
    assert [row["depth"] for row in rows] == [1, 2, 3]
    for row in rows:
        alone = alpha_beta(game, state, leaf_value, Depth(row["depth"]))
        assert (row["move"], row["value"]) == (alone.move, alone.value)
        assert row["nodes visited"] == alone.counts.visited


def test_the_largest_leaf_value_is_of_either_side() -> None:
    states = openings(Betsy(3), 20, moves=8, seed=3)
    values = [abs(leaf_value(state.board, side)) for state in states for side in (0, 1)]
    assert largest(states) == max(values) > min(values)


ROWS = [
    {"rival": "a", "depth": 1, "share": 0.3, "low": 0.2, "high": 0.4},
    {"rival": "b", "depth": 1, "share": 0.6, "low": 0.5, "high": 0.7},
    {"rival": "a", "depth": 2, "share": 0.6, "low": 0.51, "high": 0.7},
    {"rival": "b", "depth": 2, "share": 0.6, "low": 0.4, "high": 0.8},
]


def test_verdicts_and_what_is_said_of_them() -> None:
    frame = judged(ROWS)
    assert list(frame["verdict"]) == ["worse", "not told apart", "better", "not told apart"]
    expected = pd.DataFrame(
        {"worse": [1, 0], "not told apart": [1, 1], "better": [0, 1]}, index=[1, 2]
    )
    assert tally(frame).to_dict() == expected.to_dict()
    assert best(frame[frame["depth"] == 2], 2) == ["a", "b"]
    assert best(frame[frame["depth"] == 1], 1) == ["b"]
    assert says(frame, "a") == "30% (20% to 40%) at depth 1, 60% (51% to 70%) at depth 2"


def test_the_best_of_betsys_rivals_answers_the_question() -> None:
    names = ["the two distances", "nothing at all"]
    rows = [
        {"rival": name, "depth": 2, "share": share, "low": share - 0.1, "high": share + 0.1}
        for name, share in zip(names, (0.55, 0.7), strict=True)
    ]
    said = on_betsy(judged(rows), judged(rows), columns=3, fresh=9)
    assert "**Yes**, by nothing at all: it wins 70% (60% to 80%) at depth 2 from" in said
    said = on_betsy(judged(rows), judged(rows[:1]), columns=3, fresh=9)
    assert "**Not by anything tried here**, not even by the two distances" in said


def test_the_chart_has_every_share_with_its_interval_in_its_panel() -> None:
    figure = draw_final(judged(ROWS))
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["depth 1", "depth 2"]
    for ax, depth in zip(figure.axes, (1, 2), strict=True):
        drawn = {
            (round(x, 2), round(y))
            for container in ax.containers
            for x, y in container[0].get_xydata()
        }
        rows = [row for row in ROWS if row["depth"] == depth]
        assert drawn == {(row["share"], "ab".index(row["rival"])) for row in rows}
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["a", "b"]
