"""What the document on the card game says (notebook 11)."""

from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pandas as pd

from kalahlab.claims.model import (
    Claim,
    Verdict,
    holds,
    holds_if_decided,
    holds_if_defined,
    judges,
)
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


@judges("cards-max-node")
def no_number(claim: Claim) -> Verdict:
    """Numbers in what is said of max_node."""
    found = claim.numbers
    why = (
        f"The report prints {len(found)} numbers for max_node; the C++ program published with it "
        f"has {MAX_NODE:,} in Header.h."
    )
    return holds_if_defined(bool(found), True, why)


@judges("cards-memory-reason")
def memory(claim: Claim) -> Verdict:
    """Nodes that the printed program holds, all that it generates, against those on a line."""
    row = study.depth_costs(parse_position(POSITION), 3)[-1]
    generated, line = row["generated"], row["on_the_line"]
    why = (
        f"The printed Node keeps its children: at depth {row['depth']} of the page's position "
        f"{generated:,} nodes, where a search that keeps no tree holds {line}."
    )
    return holds(generated > line, why)


@judges("cards-same-move")
def minimaxes_move(claim: Claim) -> Verdict:
    """Alpha-beta against minimax on random positions."""
    game, same = Cards(), 0
    for state in late_positions():
        both = [each(game, state, report, Depth(2)) for each in (minimax, alpha_beta)]
        same += (both[0].value, both[0].line) == (both[1].value, both[1].line)
    total = len(late_positions())
    return holds(same == total, f"Same value and move on {same} of {total} random positions.")


@judges("cards-pseudocode", "cards-worse-move")
def cuts(claim: Claim) -> Verdict:
    """The values at which nodes of the notebook's tree were left, and the bounds that they met."""
    met, nodes = tree().cuts, tree().nodes
    right = sum(
        cut.value >= cut.bound if nodes[cut.node].player == "MAX" else cut.value <= cut.bound
        for cut in met
    )
    equal = sum(cut.value == cut.bound for cut in met)
    why = f"In the page's endgame {right} of {len(met)} cuts are made where alpha >= beta"
    if claim.id == "cards-pseudocode":
        return holds(right == len(met) > 0, f"{why}.")
    why += f", {equal} where they are equal: a move that is cut is no better, but may be as good."
    return holds(right == len(met) > 0, why, slip=equal > 0)


@judges("cards-always-win")
def complete_trees(claim: Claim) -> Verdict:
    """Endgames searched to the end by the player to move."""
    found = study.outcomes(endgames())["positions"]
    won, drawn, lost = (int(found[name]) for name in ("won", "drawn", "lost"))
    why = (
        f"Of {len(endgames())} endgames searched to the end the mover wins {won}, draws {drawn} "
        f"and loses {lost} against perfect play."
    )
    return holds(drawn + lost == 0, why)


@judges("cards-16-times-5")
def first_moves(claim: Claim) -> Verdict:
    """The moves at the start of 4×4."""
    game = Cards(4, PROGRAM)
    one, other = map(int, claim.numbers[:2])
    made = len(game.moves(game.start()))
    return holds(made == one * other, f"{one} * {other} = {one * other}; {made} moves are made.")


@judges("cards-exponential")
def growth(claim: Claim) -> Verdict:
    """Leaves by depth, and the factor from each to the next."""
    rows = study.depth_costs(parse_position(POSITION), 3)
    leaves = [row["full_tree"] for row in rows]
    by = [two / one for one, two in pairwise(leaves)]
    why = (
        f"{', '.join(f'{each:,}' for each in leaves)} leaves at depths 1 to {len(leaves)}: the "
        f"factors {', '.join(f'{each:g}' for each in by)} fall as cells and cards are used up."
    )
    return holds(min(by) > 1, why, slip=False)


@judges("cards-deeper-more-accurate", "cards-best-of-accuracy")
def deeper(claim: Claim) -> Verdict:
    """The difference between depths 1 and 2 in keeping the outcome of endgames."""
    found = endgames()
    more = mean_of([*(found["depth_2"] - found["depth_1"])])
    why = (
        f"No match or number is printed. In {len(found)} endgames depth 2 keeps the outcome more "
        f"often than depth 1 by {more:.0%}."
    )
    return holds_if_decided(more.verdict(0) != "not told apart", more.mean > 0, why)


@judges("cards-near-the-end", "cards-odd-depth")
def depth_by_cards(claim: Claim) -> Verdict:
    """The dynamic depth from the start to the end of a game."""
    moves, found = ([row[name] for row in depths()] for name in ("moves", "depth"))
    why = f"Depths from the first move to the last: {' '.join(map(str, found))}"
    if claim.id == "cards-odd-depth":
        both = [*found, *(row["depth"] for row in study.depth_table(6))]
        return holds(all(depth % 2 for depth in both), f"{why}; on 6×6 they are odd, too.")
    falls = found[-1] < found[0] < max(found)
    why += f", while the moves fall from {moves[0]} to {moves[-1]}: they rise, then fall again."
    return holds(moves == sorted(moves, reverse=True) and max(found) > found[0], why, slip=falls)


@judges("cards-six-factors", "cards-f-formula")
def six_factors(claim: Claim) -> Verdict:
    """The factors' names and F as their weighted difference, on random positions."""
    names, weights = [name.upper() for name in Factors._fields], list(WEIGHTS)
    equal = sum(_formula(state) == report(state.board, PROGRAM) for state in positions())
    why = (
        f"{', '.join(names)} with weights {weights}: F is E of the program less E of the user on "
        f"{equal} of {len(positions())} positions."
    )
    true = len(names) == 6 and weights == [1, 1, 1, 1, 1, -6] and equal == len(positions())
    return holds(true, why)


def _formula(state: State) -> float:
    """F as it is printed."""
    ai, user = (factors(state.board, player) for player in (PROGRAM, USER))
    return (ai.s1 + ai.s2 + ai.m1 + ai.m2 + ai.n1 - 6 * ai.n2) - (
        user.s1 + user.s2 + user.m1 + user.m2 + user.n1 - 6 * user.n2
    )


@judges("cards-n1-counts")
def cards_in_hand(claim: Claim) -> Verdict:
    """The move with F and with F without N1, on random positions."""
    game, without = Cards(), weighted(WEIGHTS._replace(n1=0))
    states = [state for state in positions()[4::10] + positions()[6::10] if not game.over(state)]
    other = sum(
        alpha_beta(game, state, report, Depth(2)).move
        != alpha_beta(game, state, without, Depth(2)).move
        for state in states
    )
    why = (
        f"Leaves of one depth hold equally many cards in hand: without N1 another move is chosen "
        f"in {other} of {len(states)} positions."
    )
    return holds(other > 0, why)


@judges("cards-heuristic-important")
def worth_of_f(claim: Claim) -> Verdict:
    """F in endgames that are won and lost."""
    found = endgames()
    won, lost = (found.loc[found["outcome"] == sign, "F"] for sign in (1, -1))
    wrong = int((won < 0).sum() + (lost > 0).sum())
    why = (
        f"No result is printed. In {len(won) + len(lost)} decided endgames F has the wrong sign in "
        f"{wrong}; earlier positions cannot be solved here."
    )
    return holds_if_decided(wrong == 0, True, why)


@judges("cards-deleted-cards")
def no_rules(claim: Claim) -> Verdict:
    """Whether the sentence on deleted cards has the limit that deletes them."""
    found = claim._replace(quote=claim.quote.replace("N2", "")).numbers
    why = (
        f"{len(found)} numbers are printed for when a card is deleted; that sums over 15 are is in "
        "the assignment, as are the hands and the end of the game."
    )
    return holds_if_defined(bool(found), True, why)


@judges("cards-4x4-cells")
def cells_of_4(claim: Claim) -> Verdict:
    """The empty cells of random positions against the formula."""
    seen = [(row["own"], row["other"], row["unused"]) for row in depths()]
    right = sum(empty_cells(4, own, other, True) == unused for own, other, unused in seen)
    deck = len(DECKS[4])
    return holds(
        right == len(seen),
        f"16 - ({deck} - own) - ({deck} - other) is right for {right} of {len(seen)} hands.",
    )


@judges("cards-6x6-cells")
def cells_of_6(claim: Claim) -> Verdict:
    """Cells and depths as printed and as meant, for all hands and seven budgets."""
    rows = study.cells_table([10**power for power in range(2, 9)])
    cells = sum(row["cells, printed"] != row["cells, meant"] for row in rows)
    changed = sum(row["depth, printed"] != row["depth, meant"] for row in rows)
    why = (
        f"ai is subtracted twice: the cells are wrong for {cells} of {len(rows)} hands, the depth "
        f"differs for {changed} at budgets from 100 to 100,000,000."
    )
    return holds(changed == 0, why, slip=cells > 0)


@judges("cards-five-different")
def five_cards(claim: Claim) -> Verdict:
    """The estimate against the moves of 6×6, where hands hold more than five cards."""
    game = Cards(6)
    hand = len(DECKS[6])
    estimate, made = next(widths(36, hand, hand)), len(game.moves(game.start()))
    why = f"At the start of 6×6, {hand} cards in hand: estimate {estimate}, moves {made}."
    return holds(estimate == made, why)


@judges("cards-stops-late")
def over_the_budget(claim: Claim) -> Verdict:
    """Full trees at the dynamic depth that are over the budget."""
    over = [row["full_tree"] for row in depths() if row["full_tree"] > MAX_NODE]
    why = (
        f"With 5 and fewer cards the estimate at the chosen depth is over {MAX_NODE:,} for "
        f"{len(over)} of {len(depths())} hands, {max(over, default=0):,} at most: it stops late."
    )
    same = all(_printed_depth(row["own"], row["other"]) == row["depth"] for row in depths())
    return holds(same, why, slip=bool(over))


def _printed_depth(ai: int, user: int) -> int:
    """`calculate_depth` as it is printed, for 4×4."""
    empty, nodes, depth, hands = 16 - (5 - ai) - (5 - user), 1, 0, [ai, user]
    while True:
        nodes *= empty * min(hands[depth % 2], 5)
        hands[depth % 2] -= 1
        depth, empty = depth + 1, empty - 1
        if not (nodes <= MAX_NODE and empty > 0 and sum(hands) > 0):
            return depth - 1 if depth % 2 == 0 else depth


@judges("cards-best-child")
def first_best(claim: Claim) -> Verdict:
    """The move chosen against the first of the best ones, each valued by minimax."""
    game, first, tied = Cards(), 0, 0
    for state in late_positions():
        values = {
            move: -minimax(game, game.play(state, move), report, Depth(1)).value
            for move in game.moves(state)
        }
        best = [move for move, value in values.items() if value == max(values.values())]
        first += alpha_beta(game, state, report, Depth(2)).move == best[0]
        tied += len(best) > 1
    total = len(late_positions())
    why = f"The first best move is chosen on {first} of {total} positions, {tied} with ties."
    return holds(first == total and tied > 0, why)


@judges("cards-root-window")
def full_window(claim: Claim) -> Verdict:
    """The greatest value of F on random positions against the ends of the window."""
    most = max(abs(report(state.board, PROGRAM)) for state in positions())
    why = (
        f"MIN and MAX are -{INFINITE} and {INFINITE} in Header.h; F is {most:g} at most on "
        f"{len(positions())} random positions, so the window holds all values."
    )
    return holds(most < INFINITE, why)


@judges("cards-leaf-rule")
def leaf_rule(claim: Claim) -> Verdict:
    """The leaves of the notebook's tree."""
    visits = list(tree().visited())
    parents = {visit.parent for visit in visits}
    leaves = [visit for visit in visits if visit.id not in parents]
    ends = sum(Cards().over(visit.node.state) for visit in leaves)
    why = f"{ends} of {len(leaves)} leaves of the page's endgame are at depth 2 and over."
    return holds(ends == len(leaves) > 0, why)
