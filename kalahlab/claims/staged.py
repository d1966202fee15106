"""What the report on a staged evaluator says (notebook 06)."""

import re
from functools import cache
from itertools import pairwise
from statistics import fmean
from typing import Any

from scipy.stats import binomtest

from kalahlab.claims.model import Claim, Found, every, holds
from kalahlab.evaluators.kalah import (
    EVALUATORS,
    staged,
    staged_capture,
    staged_without,
    store_difference,
)
from kalahlab.games.kalah import NORTH, SOUTH, Board, Kalah, Rules, State, side, stores
from kalahlab.matches.openings import random_openings
from kalahlab.matches.rating import score
from kalahlab.published.staged import (
    GAME,
    PRINTED_MOVE,
    last_two_loops,
    listing,
    printed_results,
    printed_seconds,
    printed_tree,
    worked_position,
)
from kalahlab.studies import s06_heuristics as study
from kalahlab.studies import s06_printed as paper
from kalahlab.studies.s06_printed import PLAIN, probe

BOARDS = 100
EARLY = Kalah(6, 6, Rules(early_stop=True))
STAGE = range(8, 17)
"""The opponent's stores on which the stages are tried."""


@cache
def sampled() -> list[State]:
    """Positions of random games, late enough for empty pits and full stores."""
    return [*random_openings(GAME, BOARDS, 30), *random_openings(GAME, BOARDS, 45)]


@cache
def sides() -> list[tuple[Board, int]]:
    """The boards of `sampled`, for both players."""
    return [(state.board, player) for state in sampled() for player in (SOUTH, NORTH)]


def numbers(text: str) -> list[float]:
    """The numbers in a text."""
    return [float(found) for found in re.findall(r"\d+(?:\.\d+)?", text)]


def by_formula(quote: str, a_fin: int, b_fin: int) -> float:
    """What a printed formula, the one store by its weight less the other by its own, gives."""
    found = re.search(r"a_fin(?: \* ([\d.]+))? - state\.b_fin(?: \* ([\d.]+))?", quote)
    assert found is not None, quote
    own, opp = (float(weight or 1) for weight in found.groups())
    return a_fin * own - b_fin * opp


def start(claim: Claim) -> Found:
    """The board that the worked example starts from."""
    board = GAME.start().board
    [k] = numbers(claim.quote)
    return holds({*side(board, SOUTH), *side(board, NORTH)} == {k}, k=k, stones=sum(board))


def ends_as_printed(state: State) -> bool:
    """The report's five conditions without the depth: a side empty, or a store above 36."""
    empty = any(not any(side(state.board, player)) for player in (SOUTH, NORTH))
    return empty or max(stores(state.board)) > 36


def end(claim: Claim) -> Found:
    """Our rules with the early end, beside the printed conditions."""
    early = sum(ends_as_printed(state) and not GAME.over(state) for state in sampled())
    same = (EARLY.over(state) == ends_as_printed(state) for state in sampled())
    return every(same, early > 0, early=early)


def capture(claim: Claim) -> Found:
    """A last stone in an own empty pit with nothing opposite: the two rules part there."""
    state = State((1, 0, 0, 0, 0, 1, 32, 2, 0, 0, 0, 0, 0, 36), SOUTH)
    kept, banked = (
        Kalah(6, 6, Rules(capture_empty=each)).play(state, 0).board[6] for each in (False, True)
    )
    condition = any(word in claim.quote for word in ("if", "unless", "empty", "any"))
    return holds(True, decided=condition or kept == banked, kept=kept, banked=banked)


def extra_turn(claim: Claim) -> Found:
    """The first sow of the worked example."""
    after = GAME.play(GAME.start(), 0)
    again = after.player == SOUTH
    return holds(again, store=after.board[6], again=again)


def stage(claim: Claim) -> Found:
    """The printed formula beside our evaluator, on boards on which no other line speaks.

    of: the defensive stage, the offensive one, or the simple difference.
    """
    stages = {"defensive": range(8, 12), "offensive": range(12, 17), "simple": STAGE}
    opponents = stages[claim.of]
    evaluator = store_difference if claim.of == "simple" else staged
    same = (
        abs(evaluator(probe(stores=pair), SOUTH) - by_formula(claim.quote, *pair)) < 1e-9
        for pair in ((a, b) for a in (0, 8, 20) for b in opponents)
    )
    return every(same, first=opponents[0], last=opponents[-1])


@cache
def offensive_from() -> int:
    """The least store of the opponent with which the listing is offensive."""
    formula = "value = state.a_fin * 1 - state.b_fin * 0.6"
    return next(
        b
        for b in STAGE
        if abs(listing(probe(stores=(8, b)), SOUTH) - by_formula(formula, 8, b)) < 1e-9
    )


def threshold(claim: Claim) -> Found:
    """Where the listing changes its stage."""
    bound, *_, whole, parts = numbers(claim.quote)
    third, found = whole / parts, offensive_from()
    facts: dict[str, Any] = {"whole": whole, "parts": parts, "third": third, "found": found}
    return holds(bound == third == found, stones=paper.STONES, **facts)


def at_twelve(claim: Claim) -> Found:
    """The text says more than 12, the listing's else begins elsewhere."""
    bound, *_ = numbers(claim.quote)
    found = offensive_from()
    return holds(abs(found - bound) <= 1, found != bound + 1, bound=bound, found=found)


def exact_pit(claim: Claim) -> Found:
    """Each pit with just the stones that reach the store, seen by its owner and the other."""
    player, wanted = (NORTH, -2) if "decrease" in claim.quote else (SOUTH, 2)
    plain, found = listing(probe(), player), []
    for pit in range(6):
        own = [*PLAIN]
        own[pit] = 6 - pit
        found.append(listing(probe(own=own), player) - plain)
    ours, of = paper.same_as_listing(sampled())
    exact = (abs(each - wanted) < 1e-9 for each in found)
    return every(exact, ours == of, wanted=wanted, ours=ours, of=of)


def empty_pits(claim: Claim) -> Found:
    """Five and six empty pits of one side: which of them counts."""
    own, more = "state.a" in claim.quote, int(numbers(claim.quote)[-1])
    adds = [round(paper.emptied(count, own).adds, 6) for count in (more, more + 1)]
    only = "" if own else " All six empty is the end of a game, so this line changes no game."
    return holds(adds == [0, -10 if own else 10], more=more, most=more + 1, adds=adds, only=only)


def loops(claim: Claim) -> Found:
    """The sum of the two loops."""
    sums = {last_two_loops(*each) for each in sides()}
    return holds(sums != {0.0}, positions=len(sampled()), most=max(sums))


def capture_term(claim: Claim) -> Found:
    """The listing beside the evaluator that adds what the text describes."""
    other = sum(abs(listing(*each) - staged_capture(*each)) > 1e-9 for each in sides())
    return holds(other == 0, other=other, sides=len(sides()))


@cache
def without_stages() -> dict[str, list[float]]:
    """Points of the heuristic against itself without stages, by rule of ties, an opening each.

    At the least printed depth.
    """
    starts = list(random_openings(GAME, 24, 4))
    return study.points_by_opening(GAME, staged, staged_without("stages"), 3, starts)


def defensive(claim: Claim) -> Found:
    """With and without its stages: decided if all three ways to break ties say the same."""
    scores = {ties: score(points) for ties, points in without_stages().items()}
    verdicts = {each.verdict() for each in scores.values()}
    decided = len(verdicts) == 1 and "not told apart" not in verdicts
    said = "; ".join(f"{each:.2f} {ties}" for ties, each in scores.items())
    return holds(verdicts == {"better"}, decided=decided, said=said)


def record_of(claim: Claim) -> Found:
    """Five games of a heuristic at a depth beside chance: an exact test of the decided ones."""
    name, depth = claim.parts
    [row] = [row for row in paper.records(name) if row["depth"] == int(depth)]
    chance = float(binomtest(row["wins"], row["wins"] + row["losses"]).pvalue)
    return holds(True, decided=chance < 0.05, row=row, chance=chance)


def five_games(claim: Claim) -> Found:
    """The sums of the table's cells."""
    games = [row["wins"] + row["losses"] + row["draws"] for row in printed_results()]
    return holds([*{*games}] == numbers(claim.quote), cells=len(games), games=str(games))


def records_beside(claim: Claim) -> Found:
    """Fisher's test on the two records."""
    chance = paper.p_of_records()
    points = [sum(map(paper.points, paper.records(name))) for name in ("complex", "simple")]
    return holds(points[0] > points[1], decided=chance < 0.05, points=points, chance=chance)


def worked_node(claim: Claim) -> Found:
    """Board, value and window of a printed node, by B's pit and A's."""
    after, leaf = map(int, claim.parts)
    [row] = [row for row in printed_tree() if (row["after"], row["leaf"]) == (after, leaf)]
    same = (
        "the board is the printed one" if row["board"] == paper.board_after(after, leaf) else "no"
    )
    value, window = paper.leaf_values()[after, leaf], paper.windows()[after, leaf]
    return holds(paper.same_node(row), value=value, window=window, same=same)


def worked_board(claim: Claim) -> Found:
    """The board of a printed node that is no leaf, by B's pit."""
    after = int(claim.of)
    [row] = [row for row in printed_tree() if (row["after"], row["leaf"]) == (after, None)]
    board = " ".join(map(str, paper.board_after(after, None)))
    return holds(paper.same_node(row), after=after, board=board)


def worked_start(claim: Claim) -> Found:
    """The board after A0 and A2, as `0 6 6 6 7 7 7 B` and `A 0 7 0 8 8 8 2` print it."""
    board, mover = worked_position()
    a, b, found = side(board, SOUTH), side(board, NORTH), stores(board)
    same = (a, b[::-1], found) == ((0, 7, 0, 8, 8, 8), (6, 6, 6, 7, 7, 7), (2, 0))
    return holds(same and mover == NORTH, a=str(a), b=str(b), stores=str(found))


def becomes_alpha(claim: Claim) -> Found:
    """The least leaf after B0, and the window that B1 is entered with."""
    wanted = numbers(claim.quote)[0]
    least = min(value for (after, _), value in paper.leaf_values().items() if after == 0)
    alpha = paper.windows()[1, 0][0]
    return holds(least == alpha == -wanted, least=least, alpha=alpha)


def cut_after(claim: Claim) -> Found:
    """The first cut of the search."""
    trace = paper.worked_search()
    cut = trace.cuts[0]
    at, untried = trace.path(cut.node)[0], [f"A{trace.nodes[id].node.move}" for id in cut.untried]
    by = trace.nodes[cut.by].node.move
    right = (trace.nodes[cut.node].node.move, by) == (1, 1) and bool(untried)
    return holds(right, at=at, by=by, untried=untried)


def moves(claim: Claim) -> Found:
    """All moves of B by plain minimax, and the one that alpha-beta plays."""
    values, result = paper.all_moves(), paper.worked_search().result
    best = max(values.values())
    right = best == result.value == -2.25 and result.move == PRINTED_MOVE
    return holds(right, moves=len(values), best=best, move=result.move)


def depth_of_tree(claim: Claim) -> Found:
    """The depth at which our search finds the printed value."""
    [printed] = map(int, numbers(claim.quote))
    wanted = min(row["value"] for row in printed_tree() if row["leaf"] is not None)
    depths = (printed - 1, printed)
    found = [paper.worked_search(depth).result.value for depth in depths]
    return holds(wanted in found, found[1] != wanted, depths=depths, found=found)


def prune_rule(claim: Claim) -> Found:
    """The values and bounds of the cuts."""
    cuts = paper.worked_search().cuts
    equal = sum(cut.value == cut.bound for cut in cuts)
    return every((cut.value <= cut.bound for cut in cuts), equal=equal)


def same_result(claim: Claim) -> Found:
    """Minimax and alpha-beta on the worked position."""
    full, read = paper.evaluated()
    value = paper.worked_search().result.value
    right = max(paper.all_moves().values()) == value and read < full
    return holds(right, value=value, read=read, full=full)


def opponent(claim: Claim) -> Found:
    """Whether the sentence names a program that could be met."""
    named = [name for name in (*EVALUATORS, "random", "simple") if name in claim.quote]
    return holds(True, decided=bool(named), named=len(named))


def one_second(claim: Claim) -> Found:
    """The longest printed move."""
    allowed = numbers(claim.quote)[0] / 1000
    seconds = [row["seconds"] for row in printed_seconds()]
    return holds(max(seconds) <= allowed, moves=len(seconds), most=max(seconds), allowed=allowed)


def measured(*names: str) -> bool:
    """Whether the printed seconds come with any of these quantities."""
    return any(name in row for row in printed_seconds() for name in names)


def clock(claim: Claim) -> Found:
    """A machine's data: nothing printed depends on it in a known way."""
    return holds(True, decided=measured("nodes", "instructions"), clock=numbers(claim.quote)[0])


def seconds_of(claim: Claim) -> Found:
    """The printed seconds at a depth: how many, and their mean."""
    depth, first = numbers(claim.quote)
    seconds = [row["seconds"] for row in printed_seconds() if row["depth"] == depth]
    kept = "as quoted" if seconds[0] == first else "not as quoted"
    decided = measured("nodes", "board")
    return holds(True, decided=decided, moves=len(seconds), kept=kept, mean=fmean(seconds))


def growth(claim: Claim) -> Found:
    """How the mean printed seconds grow with depth."""
    means = [
        fmean(row["seconds"] for row in printed_seconds() if row["depth"] == depth)
        for depth in (3, 5, 7)
    ]
    factors = [b / a for a, b in pairwise(means)]
    return holds(True, decided=measured("nodes"), factors=factors)


def result_line(claim: Claim) -> Found:
    """The result line of a depth beside the table; what it says of others is not in the table."""
    [row] = [row for row in paper.records("complex") if row["depth"] == int(claim.of)]
    played = claim.quote.partition("also")
    found = [int(n) for n in re.findall(r"(\d+) (?:times Win|[Ll]ose|tie)", played[0])]
    record = [row[name] for name in ("wins", "losses", "draws") if row[name]]
    more = ""
    if played[1]:
        won = study.beats_random(staged, 3)
        more = f"; the random players are not named. Ours wins {won} of 4 against players of chance"
    decided = not played[1]
    return holds(found == record, decided=decided, found=str(found), record=str(record), more=more)
