"""Betsy's matches: fair openings, points counted from both sides; what is said and drawn."""

import pickle
from itertools import pairwise
from statistics import fmean
from typing import Any

import pandas as pd
import pytest

from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.betsy import (
    EVALUATORS,
    HEURISTICS,
    PUBLISHED_WEIGHTS,
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
from kalahlab.grid import run_all
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.matches.rating import points_of, score, units
from kalahlab.play import play_out, search_player
from kalahlab.published.betsy import (
    CHOICES,
    RATIOS,
    answers,
    by_lot,
    largest,
    published,
    rivals,
    values,
    weighing,
)
from kalahlab.search import Depth, alpha_beta
from kalahlab.studies.s10_betsy import (
    against,
    best,
    draw_final,
    finding,
    forced,
    judged,
    nothing,
    on_alike,
    on_betsy,
    on_final,
    on_nothing,
    on_ratios,
    on_worse,
    openings,
    readings,
    rule_table,
    says,
    signs,
    states,
    table,
    tally,
    win_table,
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


def test_rows_are_the_same_for_matches_sent_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pickled, as to workers; that these give back what they make is a test of grids."""
    field = {"rows": check_rows, "none": nothing, "all": Weighted((1,) * 7)}
    rows = against(GAME, field, leaf_value, 1, STARTS)

    def sent(*asked: Any) -> Any:
        return run_all(*pickle.loads(pickle.dumps(asked)))

    monkeypatch.setattr("kalahlab.studies.s10_betsy.run_all", sent)
    assert rows == against(GAME, field, leaf_value, 1, STARTS)
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
    assert len(field) == 7 + len(RATIOS) + 1 + 4 + 1
    for place, name in enumerate(HEURISTICS):
        alone = tuple(1 if each == place else 0 for each in range(7))
        assert field[f"{name} alone"] == Weighted(alone)
        if PUBLISHED_WEIGHTS[place]:
            less = tuple(w * (each != place) for each, w in enumerate(PUBLISHED_WEIGHTS))
            assert field[f"without {name}"] == Weighted(less)
    assert field["distances 1:1"] == Weighted((0, 0, 0, 0, 0, 1, 1))
    assert field["distances 3:1"] == Weighted((0, 0, 0, 0, 0, 3, 1))
    assert field["all seven alike"] == Weighted((1,) * 7)
    assert field["the text's reading"] is leaf_value_in_words
    assert published() == Weighted(PUBLISHED_WEIGHTS)
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
        for column, judge in (
            ("in the program", leaf_value),
            ("in the text", leaf_value_in_words),
        ):
            total = sum(row["weight"] * row[column] for row in rows)
            assert total / 3 == pytest.approx(judge(start.board, start.player))
        assert rows[4]["in the program"] == consecutive(start.board, start.player)


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


def match(rival: str, depth: int, points: tuple[float, ...]) -> dict[str, Any]:
    """A row of `against`, of so many points in each pair."""
    share, low, high = score(points)
    row = {"rival": rival, "depth": depth, "share": share, "low": low, "high": high}
    return row | {"draws": 0.25, "pairs": len(points), "points": points}


LOST, EVEN, WON = (0, 0.25, 0, 0.25) * 3, (0, 1, 0.5, 0.5) * 3, (1, 0.75, 1, 0.75) * 3
"""Points in twelve pairs."""
ROWS = [match("a", 1, LOST), match("b", 1, EVEN), match("a", 2, WON), match("b", 2, EVEN)]


def test_verdicts_and_what_is_said_of_them() -> None:
    frame = judged(ROWS)
    assert list(frame["verdict"]) == ["worse", "not told apart", "better", "not told apart"]
    expected = pd.DataFrame(
        {"worse": [1, 0], "not told apart": [1, 1], "better": [0, 1]}, index=[1, 2]
    )
    assert tally(frame).to_dict() == expected.to_dict()
    assert best(frame[frame["depth"] == 2], 2) == ["a", "b"]
    assert best(frame[frame["depth"] == 1], 1) == ["b"]
    assert says(frame, "a").startswith("12% (")
    assert "points" not in table(frame).columns


def test_a_verdict_among_many_takes_more_than_one_alone() -> None:
    """Holm (1979): the least of m chances is multiplied by m, the next by m - 1, and so on."""
    slight = match("slight", 1, (0.5, 0.75, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 0.75))
    p = units(slight["points"]).p_value()
    assert 0.025 < p < 0.05
    assert list(judged([slight])["verdict"]) == ["better"]
    two = judged([slight, match("even", 1, EVEN)])
    assert list(two["verdict"]) == ["not told apart"] * 2
    assert two["p"].tolist() == pytest.approx([2 * p, 1])


def test_what_is_said_of_the_ratios_is_what_they_scored() -> None:
    rows = [match("distances 1:1", 1, LOST), match("distances 3:1", 1, EVEN)]
    said = on_ratios(judged(rows))
    assert "Of 2 ratios none is shown to be better" in said
    assert "0 better and 1 worse at depth 1" in said
    assert "some are better" in on_ratios(judged([*rows, match("distances 2:1", 1, WON)]))


def test_rivals_with_the_same_points_in_every_pair_are_named() -> None:
    rows = [match("a", 1, EVEN), match("b", 1, EVEN), match("c", 1, WON), match("a", 2, WON)]
    assert on_alike(judged(rows)) == (
        "These rivals have the same points in every pair: at depth 1 a, b."
    )
    assert on_alike(judged(rows[1:])) == "No two rivals have the same points in every pair."


def test_who_did_worse_is_named_by_depth() -> None:
    assert on_worse(judged(ROWS)) == "Worse than it: at depth 1 a."
    assert on_worse(judged(ROWS[1:])) == "No rival is shown to be worse than it."


def test_the_best_of_betsys_rivals_answers_the_question() -> None:
    none, poor = match("nothing at all", 2, EVEN), match("nothing at all", 2, LOST)
    good, same, first = match("b", 2, WON), match("b", 2, EVEN), judged(ROWS)
    assert on_final(judged([good, none]), first).startswith("**Yes**, by `b`, which has 88% (")
    assert "From the first openings it had 50% (" in on_final(judged([good, none]), first)
    assert "So its weights help, not the search alone." in on_final(judged([good, none]), first)
    found = finding(judged([good, none]), first, 3)
    assert found.startswith(
        "On 3 columns the weights of Betsy's program can be improved: `b` has 88%"
    )
    found = finding(judged([same, poor]), first, 3)
    assert (
        "nothing tried is shown to be better than Betsy's program: the best, `b`, has 50%" in found
    )
    assert on_final(judged([same, poor]), first).startswith(
        "**Not by anything tried here**: the best is `b`"
    )
    said = on_final(judged([match("nothing at all", 2, WON), same]), first)
    assert "So it is better to leave the heuristics out." in said
    less = judged([match("b", 2, (0.75, 1) * 6), match("nothing at all", 2, (1, 0.75) * 6)])
    assert "not shown that its weights are better than none" in on_nothing(
        less.to_dict("records")[0], less
    )
    worse = judged([match("b", 2, (0.75, 0.5) * 6), match("nothing at all", 2, (1, 0.5) * 6)])
    assert "an evaluator that is always 0 is better still" in on_nothing(
        worse.to_dict("records")[0], worse
    )
    said = on_betsy(judged([*ROWS, none]), judged([good, none]), columns=3)
    assert "- An evaluator that is always 0 (nothing at all): 50% (" in said


# What the report says of moves, counts and wins.


def test_the_printed_number_of_pebbles_lets_nobody_drop_and_the_meant_one_fills_the_board() -> None:
    rows = {row["columns"]: row for row in rule_table((2, 3, 4))}
    assert [row["pebbles, printed"] for row in rows.values()] == [-1, 0, 2]
    for columns, row in rows.items():
        assert 2 * row["pebbles, meant"] == row["cells"] == columns * (columns + 3)
        assert row["most moves seen"] <= row["2n"]


def test_a_win_is_worth_less_the_farther_it_is() -> None:
    rows = win_table(3, 4, largest=12)
    assert [row["divided by the depth"] for row in rows] == [36, 18, 12, 9]
    assert [row["above all heuristics"] for row in rows] == ["yes", "yes", "no", "no"]
    margins = [row["here"] for row in rows]
    assert margins == sorted(margins, reverse=True)


def test_readings_differ_where_both_are_computed_and_differ() -> None:
    table = readings((3,), 40)
    for name in ("check_rows", "distance_to_row"):
        count = sum(
            EVALUATORS[name](state.board, who) != EVALUATORS[f"{name}_in_words"](state.board, who)
            for state in states(3, 40)
            for who in (0, 1)
        )
        assert table.loc[name, 3] == count / 80


def test_forced_wins_are_those_of_a_search_and_a_heuristic_is_right_by_its_sign() -> None:
    found = forced(states(3, 12), 3)
    for state, sign in found:
        value = alpha_beta(Betsy(3), state, nothing, Depth(3)).value
        assert sign == (value > 0) - (value < 0) != 0
    table = signs(found)
    assert (table.sum(axis=1) == len(found)).all()
    rows = sum(check_rows(state.board, state.player) * sign > 0 for state, sign in found)
    assert table.loc["check_rows", "right"] == rows


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
        assert drawn == {(round(row["share"], 2), "ab".index(row["rival"])) for row in rows}
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["a", "b"]
