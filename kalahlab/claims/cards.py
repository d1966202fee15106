"""What the document on the card game says (notebook 11)."""

from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pandas as pd

from kalahlab.claims.model import Claim, Found, every, holds
from kalahlab.evaluators.cards import WEIGHTS, Factors, factors, report, weighted
from kalahlab.games.cards import DECKS, PROGRAM, USER, Cards, State, parse_position
from kalahlab.matches.rating import mean_of
from kalahlab.play import random_position
from kalahlab.published.cards import INFINITE, MAX_NODE, empty_cells, widths
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.studies import s11_cards as study
from kalahlab.trace import Trace, record

POSITION = "3p,2u,.,./.,.,.,./xu,xp,.,./.,.,.,8u 3,5 2,8,13 program"
ENDGAME = ".,.,8u,3u/.,.,.,./3p,2u,xp,./5p,.,xu,2p 5 13 program"
"""The positions of the notebook."""


@cache
def tree() -> Trace:
    """The notebook's endgame, searched to its end."""
    return record(alpha_beta, Cards(), parse_position(ENDGAME), report, Depth(2))


@cache
def positions() -> tuple[State, ...]:
    """Random positions after 0 to 9 moves."""
    game = Cards()
    return tuple(random_position(game, Random(seed), seed % 10) for seed in range(100))


@cache
def late_positions() -> tuple[State, ...]:
    """Random positions with two or three cards left."""
    game = Cards()
    return tuple(random_position(game, Random(seed), 7 + seed % 2) for seed in range(16))


@cache
def endgames() -> pd.DataFrame:
    """Endgames of three cards, searched to the end."""
    return study.endgames(24, left=3, depths=(1, 2))


@cache
def depths() -> list[Any]:
    """The dynamic depth on 4×4, by the cards in hand."""
    return study.depth_table(4)


def no_number(claim: Claim) -> Found:
    """Numbers in what is said of max_node."""
    return holds(True, defined=bool(claim.numbers), numbers=len(claim.numbers), most=MAX_NODE)


def memory(claim: Claim) -> Found:
    """Nodes that the printed program holds, all that it generates, against those on a line."""
    row = study.depth_costs(parse_position(POSITION), 3)[-1]
    return holds(row["generated"] > row["on_the_line"], row=row)


def minimaxes_move(claim: Claim) -> Found:
    """Alpha-beta against minimax on random positions."""
    both = (
        [each(Cards(), state, report, Depth(2)) for each in (minimax, alpha_beta)]
        for state in late_positions()
    )
    return every((one.value, one.line) == (two.value, two.line) for one, two in both)


def cuts(claim: Claim) -> Found:
    """The values at which nodes of the notebook's tree were left, and the bounds that they met.

    of: "strict" if a move that is cut is said to be worse.
    """
    met, nodes = tree().cuts, tree().nodes
    right = (
        cut.value >= cut.bound if nodes[cut.node].player == "MAX" else cut.value <= cut.bound
        for cut in met
    )
    strict, equal = claim.of == "strict", sum(cut.value == cut.bound for cut in met)
    but = f", {equal} where they are equal: a move that is cut is no better, but may be as good"
    return every(right, slip=strict and equal > 0, but=but * strict)


def complete_trees(claim: Claim) -> Found:
    """Endgames searched to the end by the player to move."""
    found = study.outcomes(endgames())["positions"]
    return holds(found["drawn"] + found["lost"] == 0, of=len(endgames()), found=found)


def first_moves(claim: Claim) -> Found:
    """The moves at the start of 4×4."""
    game = Cards(4, PROGRAM)
    one, other = map(int, claim.numbers[:2])
    product, made = one * other, len(game.moves(game.start()))
    return holds(made == product, one=one, other=other, product=product, made=made)


def growth(claim: Claim) -> Found:
    """Leaves by depth, and the factor from each to the next."""
    rows = study.depth_costs(parse_position(POSITION), 3)
    leaves = [row["full_tree"] for row in rows]
    by = [two / one for one, two in pairwise(leaves)]
    return holds(min(by) > 1, leaves=leaves, deepest=len(leaves), by=by)


def deeper(claim: Claim) -> Found:
    """The difference between depths 1 and 2 in keeping the outcome of endgames."""
    found = endgames()
    more = mean_of([*(found["depth_2"] - found["depth_1"])])
    decided = more.verdict(0) != "not told apart"
    return holds(more.mean > 0, decided=decided, endgames=len(found), more=more)


def rise_and_fall(claim: Claim) -> Found:
    """The dynamic depth, and the moves, from the start to the end of a game."""
    moves, found = ([row[name] for row in depths()] for name in ("moves", "depth"))
    falls = found[-1] < found[0] < max(found)
    right = moves == sorted(moves, reverse=True) and max(found) > found[0]
    return holds(right, falls, depths=" ".join(map(str, found)), first=moves[0], last=moves[-1])


def odd_depths(claim: Claim) -> Found:
    """The dynamic depth from the start to the end of a game, on 4×4 and 6×6."""
    four, six = ([row["depth"] for row in study.depth_table(size)] for size in (4, 6))
    return every((depth % 2 for depth in four + six), depths=" ".join(map(str, four)))


def six_factors(claim: Claim) -> Found:
    """The factors' names and F as their weighted difference, on random positions."""
    names, weights = [name.upper() for name in Factors._fields], list(WEIGHTS)
    equal = (_formula(state) == report(state.board, PROGRAM) for state in positions())
    six = len(names) == 6 and weights == [1, 1, 1, 1, 1, -6]
    return every(equal, six, names=names, weights=str(weights))


def _formula(state: State) -> float:
    """F as it is printed."""
    ai, user = (factors(state.board, player) for player in (PROGRAM, USER))
    return (ai.s1 + ai.s2 + ai.m1 + ai.m2 + ai.n1 - 6 * ai.n2) - (
        user.s1 + user.s2 + user.m1 + user.m2 + user.n1 - 6 * user.n2
    )


def cards_in_hand(claim: Claim) -> Found:
    """The move with F and with F without N1, on random positions."""
    game, without = Cards(), weighted(WEIGHTS._replace(n1=0))
    states = [state for state in positions()[4::10] + positions()[6::10] if not game.over(state)]
    other = sum(
        alpha_beta(game, state, report, Depth(2)).move
        != alpha_beta(game, state, without, Depth(2)).move
        for state in states
    )
    return holds(other > 0, other=other, positions=len(states))


def worth_of_f(claim: Claim) -> Found:
    """F in endgames that are won and lost."""
    found = endgames()
    won, lost = (found.loc[found["outcome"] == sign, "F"] for sign in (1, -1))
    wrong = int((won < 0).sum() + (lost > 0).sum())
    return holds(True, decided=wrong == 0, endgames=len(won) + len(lost), wrong=wrong)


def no_rules(claim: Claim) -> Found:
    """Whether the sentence on deleted cards has the limit that deletes them."""
    numbers = claim._replace(quote=claim.quote.replace("N2", "")).numbers
    return holds(True, defined=bool(numbers), numbers=len(numbers))


def cells_of_4(claim: Claim) -> Found:
    """The empty cells of random positions against the formula."""
    right = (empty_cells(4, row["own"], row["other"], True) == row["unused"] for row in depths())
    return every(right, deck=len(DECKS[4]))


def cells_of_6(claim: Claim) -> Found:
    """Cells and depths as printed and as meant, for all hands and seven budgets."""
    rows = study.cells_table([10**power for power in range(2, 9)])
    cells, changed = (
        sum(row[f"{what}, printed"] != row[f"{what}, meant"] for row in rows)
        for what in ("cells", "depth")
    )
    return holds(changed == 0, cells > 0, cells=cells, hands=len(rows), changed=changed)


def five_cards(claim: Claim) -> Found:
    """The estimate against the moves of 6×6, where hands hold more than five cards."""
    game, hand = Cards(6), len(DECKS[6])
    estimate, made = next(widths(36, hand, hand)), len(game.moves(game.start()))
    return holds(estimate == made, hand=hand, estimate=estimate, made=made)


def over_the_budget(claim: Claim) -> Found:
    """Full trees at the dynamic depth that are over the budget."""
    over = [row["full_tree"] for row in depths() if row["full_tree"] > MAX_NODE]
    same = (_printed_depth(row["own"], row["other"]) == row["depth"] for row in depths())
    most = max(over, default=0)
    return every(same, slip=bool(over), budget=MAX_NODE, over=len(over), most=most)


def _printed_depth(ai: int, user: int) -> int:
    """`calculate_depth` as it is printed, for 4×4."""
    empty, nodes, depth, hands = 16 - (5 - ai) - (5 - user), 1, 0, [ai, user]
    while True:
        nodes *= empty * min(hands[depth % 2], 5)
        hands[depth % 2] -= 1
        depth, empty = depth + 1, empty - 1
        if not (nodes <= MAX_NODE and empty > 0 and sum(hands) > 0):
            return depth - 1 if depth % 2 == 0 else depth


def first_best(claim: Claim) -> Found:
    """The move chosen against the first of the best ones, each valued by minimax."""
    game, first, tied = Cards(), [], 0
    for state in late_positions():
        values = {
            move: -minimax(game, game.play(state, move), report, Depth(1)).value
            for move in game.moves(state)
        }
        best = [move for move, value in values.items() if value == max(values.values())]
        first.append(alpha_beta(game, state, report, Depth(2)).move == best[0])
        tied += len(best) > 1
    return every(first, tied > 0, tied=tied)


def full_window(claim: Claim) -> Found:
    """The greatest value of F on random positions against the ends of the window."""
    most = max(abs(report(state.board, PROGRAM)) for state in positions())
    return holds(most < INFINITE, end=INFINITE, most=most, positions=len(positions()))


def leaf_rule(claim: Claim) -> Found:
    """The leaves of the notebook's tree."""
    visits = list(tree().visited())
    parents = {visit.parent for visit in visits}
    leaves = (visit for visit in visits if visit.id not in parents)
    return every(Cards().over(visit.node.state) for visit in leaves)
