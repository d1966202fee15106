"""What the document on Betsy says (notebook 10)."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import pandas as pd

from kalahlab.claims.model import Claim, Found, every, holds
from kalahlab.evaluators.betsy import (
    HEURISTICS,
    PUBLISHED_WEIGHTS,
    Weighted,
    available_positions,
    consecutive,
    longest_run,
)
from kalahlab.games.betsy import (
    Betsy,
    State,
    lines,
    mark,
    parse_board,
    pebbles,
    winner,
)
from kalahlab.grid import Row
from kalahlab.published import betsy
from kalahlab.search import Depth, alpha_beta
from kalahlab.studies import s10_betsy as study
from kalahlab.trace import Trace, record

BOARDS = 120
"""Random positions of a sample, of three columns each."""

PAGE = State(parse_board(".x..o.ooxxxoxoxxoo", 3), 0, 60)
"""The board of the notebook, x to move."""


@cache
def sample() -> tuple[State, ...]:
    """Random positions that are not over."""
    return tuple(each for each in study.states(3, 2 * BOARDS) if not Betsy(3).over(each))[:BOARDS]


@cache
def tree() -> Trace:
    """The notebook's tree of depth 2 on two columns."""
    small = State(parse_board("....xoxoox", 2), 0, 60)
    return record(alpha_beta, Betsy(2, 60), small, betsy.leaf_value, Depth(2))


@cache
def rules() -> dict[int, Row]:
    """What is said of moves and pebbles, by columns."""
    return {row["columns"]: row for row in study.rule_table((2, 3, 4), 120)}


@cache
def readings() -> dict[str, tuple[float, float]]:
    """The share of boards on which program and text disagree, with 3 and with 4 columns."""
    table = study.readings((3, 4), 60)
    return {str(row[0]): (row[1], row[2]) for row in table.itertuples()}


@cache
def largest() -> float:
    """The program's combination farthest from 0 on 300 or so boards that nobody has won."""
    return betsy.largest(each for each in study.states(3, 400) if not Betsy(3).over(each))


def turns_alternate(claim: Claim) -> Found:
    """Who moves below each node of a tree, and whose pebbles a drop adds."""
    visits = (each for each in tree().visited() if each.parent is not None)
    turned = [tree().nodes[each.parent or 0].player != each.player for each in visits]
    game, drops = Betsy(3), 0
    for state in sample():
        for move in (move for move in game.moves(state) if move > 0):
            after, own = game.play(state, move).board, mark(state.player)
            drops += after.count(own) != state.board.count(own) + 1
    return every(turned, drops == 0, drops=drops, boards=len(sample()))


def at_most_two_a_column(claim: Claim) -> Found:
    """The most moves of random positions."""
    seen = [f"{row['most moves seen']} for n = {n}" for n, row in rules().items()]
    return every((row["most moves seen"] == row["2n"] for row in rules().values()), seen=seen)


def full_and_empty_columns(claim: Claim) -> Found:
    """Drops on full columns and rotations of empty ones among the moves."""
    game, full, empty, wrong = Betsy(3), 0, 0, 0
    for state, c in product(sample(), (1, 2, 3)):
        column, moves = state.board[c - 1 :: 3], game.moves(state)
        full, empty = full + all(column), empty + (not any(column))
        wrong += (all(column) and c in moves) + (not any(column) and -c in moves)
    return holds(wrong == 0 < min(full, empty), wrong=wrong, full=full, empty=empty)


def number_of_pebbles(claim: Claim) -> Found:
    """The printed number, and the one that fills the board exactly."""
    two, three = (rules()[n]["pebbles, printed"] for n in (2, 3))
    fills = all(2 * row["pebbles, meant"] == row["cells"] for row in rules().values())
    slip = any(row["pebbles, printed"] <= 0 for row in rules().values())
    meant, cells = pebbles(3), rules()[3]["cells"]
    return holds(fills, slip, two=two, three=three, meant=meant, cells=cells)


def only_the_top(claim: Claim) -> Found:
    """Winners of random boards before and after the three rows below are cleared."""
    boards = study.states(3, BOARDS)
    cleared = [state._replace(board=state.board[:9] + (0,) * 9) for state in boards]
    won = sum(winner(state) is not None for state in boards)
    same = (winner(one) == winner(two) for one, two in zip(boards, cleared, strict=True))
    return every(same, won > 0, won=won)


def lines_that_win(claim: Claim) -> Found:
    """The winning lines of n = 3, each filled on an empty board."""
    cells = [line(tuple(range(18))) for line in lines(3)]
    boards = (tuple(int(cell in filled) for cell in range(18)) for filled in cells)
    return every((winner(State(board, 1, 9)) == 0 for board in boards), len(cells) == 3 + 3 + 2)


def leaves(claim: Claim) -> Found:
    """The leaves of a tree: finished or at the depth."""
    visits = list(tree().visited())
    parents = {visit.parent for visit in visits}
    ends = (visit.node for visit in visits if visit.id not in parents)
    return every(node.sows == 2 or Betsy(2, 60).over(node.state) for node in ends)


DEFINITION = "The value associated with MAX nodes is alpha"
"""MAXValue and MINValue, three sentences before the claim."""


def alphas_called_betas(claim: Claim) -> Found:
    """MIN nodes take their least child in the page's tree; what those values are called."""
    visits = list(tree().visited())
    below = [[each.value or 0.0 for each in visits if each.parent == node.id] for node in visits]
    least = (
        node.value == min(values)
        for node, values in zip(visits, below, strict=True)
        if values and node.player == "MIN"
    )
    meant, said = DEFINITION.split()[-1], claim.quote.rstrip(".").split()[-1]
    return every(least, slip=said != meant, definition=DEFINITION, meant=meant, said=said)


def the_greatest_child(claim: Claim) -> Found:
    """The root's value against minimax's values of its children."""
    game, equal = Betsy(3), []
    for state in sample()[:25]:
        found = alpha_beta(game, state, betsy.leaf_value, Depth(2))
        children = [-_value(game, game.play(state, move)) for move in game.moves(state)]
        equal.append(found.value == max(children))
    return every(equal)


def _value(game: Betsy, state: State) -> float:
    """One move deep, for the player to move; the leaf value is asked from the other side."""

    def of_other(board: Sequence[float], player: int) -> float:
        return -betsy.leaf_value(board, 1 - player)

    return alpha_beta(game, state, of_other, Depth(1)).value


def deepening_is_each_depth(claim: Claim) -> Found:
    """Each answer of the deepening against a search of that depth."""
    rows = betsy.answers(Betsy(3), PAGE, 3)
    alone = [alpha_beta(Betsy(3), PAGE, betsy.leaf_value, Depth(row["depth"])) for row in rows]
    return every(
        (row["move"], row["value"]) == (one.move, one.value)
        for row, one in zip(rows, alone, strict=True)
    )


def open_lines(claim: Claim) -> Found:
    """Lines without the opponent's pebbles less those without own ones, counted line by line."""
    same = []
    for state in sample():
        own = mark(state.player)
        cells = [line(state.board) for line in lines(3)]
        mine, theirs = (sum(each not in line for line in cells) for each in (-own, own))
        same.append(available_positions(state.board, state.player) == mine - theirs)
    return every(same)


def coded_as_worded(claim: Claim) -> Found:
    """How often a heuristic of the program is what the text says."""
    three, four = readings()[claim.of]
    return holds(three == four == 0, three=three, four=four)


def columns_over_half(claim: Claim) -> Found:
    """How many pebbles a column needs by each reading of "N+3/2", for 3 to 5 columns."""
    literal = [int(n + 3 / 2) + 1 for n in (3, 4, 5)]
    meant = [(n + 3) // 2 + 1 for n in (3, 4, 5)]
    cells = [n + 3 for n in (3, 4, 5)]
    can = all(least <= most for least, most in zip(meant, cells, strict=True))
    facts: dict[str, Any] = {"literal": str(literal), "meant": str(meant), "cells": str(cells)}
    return holds(can, literal != meant, other=readings()["check_columns"][0], **facts)


def equal_runs(claim: Claim) -> Found:
    """The program's value where both longest runs are alike and not 0."""
    return every(
        consecutive(state.board, state.player) < 0
        for state in study.states(3, 4 * BOARDS)
        if longest_run(state.board, 1) == longest_run(state.board, -1) > 0
    )


def runs_that_win(claim: Claim) -> Found:
    """Positions where only who is not to move has a run of n: who can force a win in four moves."""
    states = [
        state
        for state in study.states(3, 4 * BOARDS)
        if not Betsy(3).over(state)
        and longest_run(state.board, -mark(state.player))
        >= 3
        > longest_run(state.board, mark(state.player))
    ][:20]
    values = [alpha_beta(Betsy(3), state, study.nothing, Depth(4)).value for state in states]
    won, lost = sum(value < 0 for value in values), sum(value > 0 for value in values)
    decided = won + lost == len(states)
    return holds(lost == 0, decided=decided, boards=len(states), won=won, lost=lost)


def favourable_signs(claim: Claim) -> Found:
    """Signs of the heuristics where a win can be forced; decided if each differs by 2 errors."""
    found = study.forced(study.states(3, 2 * BOARDS), 3)
    table = study.signs(found)
    apart = (table["right"] - table["wrong"]).abs() > 2 * (table["right"] + table["wrong"]) ** 0.5
    right = int((apart & (table["right"] > table["wrong"])).sum())
    facts: dict[str, Any] = {
        "positions": len(found),
        "right": right,
        "of": len(table),
        "rest": int((~apart).sum()),
    }
    return holds(right == len(table), decided=bool(apart.all()), **facts)


def printed_weights(claim: Claim) -> Found:
    """Numbers in what is said of the weights."""
    numbers, used = len(claim.numbers), sum(map(bool, PUBLISHED_WEIGHTS))
    return holds(True, defined=numbers > 0, numbers=numbers, used=used, of=len(HEURISTICS))


def nearer_wins(claim: Claim) -> Found:
    """A win divided by its depth, and what this game makes of it."""
    rows = study.win_table(3, 4, largest())
    values, here = ([row[name] for row in rows] for name in ("divided by the depth", "here"))
    falling = all(each == sorted(set(each), reverse=True) for each in (values, here))
    return holds(falling, values=values)


def within_the_window(claim: Claim) -> Found:
    """The largest combination on random boards against a win now and some moves away."""
    rows = study.win_table(3, 4, largest())
    won = rows[0]["divided by the depth"]
    below = next((row for row in rows if row["above all heuristics"] == "no"), None)
    away = "; but a win {moves away} moves away is {divided by the depth:g}, not above it"
    but = away.format(**below) if below else ""
    return holds(largest() < won, largest=largest(), won=won, but=but)


def the_best_alone(claim: Claim) -> Found:
    """Each heuristic alone against the program's combination, at depth 1; Holm's verdicts."""
    field = {name: betsy.weighing(**{name: 1}) for name in HEURISTICS}
    table = _small_match(field).set_index("rival")
    apart = table["verdict"] != "not told apart"
    best = study.best(table.reset_index(), 2)
    two = ["distance_to_row", "distance_to_column"]
    facts: dict[str, Any] = {"pairs": len(_starts()), "apart": int(apart.sum()), "of": len(table)}
    right = set(best) == {*two}
    return holds(right, decided=bool(apart[two].all()), best=" and ".join(best), **facts)


def ratios(claim: Claim) -> Found:
    """The two distances in several ratios against the program's combination, at depth 1."""
    field = {
        f"distances {row}:{column}": betsy.weighing(distance_to_row=row, distance_to_column=column)
        for row, column in ((1, 0), *betsy.RATIOS, (0, 1))
    }
    counts = _small_match(field)["verdict"].value_counts()
    better, worse = counts.get("better", 0), counts.get("worse", 0)
    facts: dict[str, Any] = {
        "ratios": len(field),
        "pairs": len(_starts()),
        "better": better,
        "worse": worse,
    }
    return holds(better > 0, decided=better > 0 or worse == len(field), **facts)


@cache
def _starts() -> tuple[State, ...]:
    return tuple(study.openings(Betsy(3, 60), 6, moves=6, seed=1))


def _small_match(field: dict[str, Weighted]) -> pd.DataFrame:
    """The rivals against the program's combination, 6 pairs at depth 1, `judged`."""
    rows = study.against(Betsy(3, 60), field, Weighted(PUBLISHED_WEIGHTS), 1, _starts())
    return study.judged(rows)


def weights_not_tried(claim: Claim) -> Found:
    """Whether the report prints any weights or results, from which trials could be seen."""
    numbers = len(claim.numbers)
    return holds(True, decided=numbers > 0, numbers=numbers, choices=str(betsy.CHOICES))
