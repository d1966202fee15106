"""What the report on a staged evaluator says (notebook 06)."""

import re
from functools import cache
from itertools import pairwise
from statistics import fmean

from scipy.stats import binomtest

from kalahlab.claims.model import Claim, Verdict, holds, holds_if_decided, judges
from kalahlab.evaluators.kalah import (
    EVALUATORS,
    staged,
    staged_capture,
    staged_without,
    store_difference,
)
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, Rules, State, side, stores
from kalahlab.grid import Row
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
from kalahlab.trace import number

BOARDS = 100
EARLY = Kalah(6, 6, Rules(early_stop=True))
STAGE = range(8, 17)
"""The opponent's stores on which the stages are tried."""


@cache
def sampled() -> list[State]:
    """Positions of random games, late enough for empty pits and full stores."""
    return [*random_openings(GAME, BOARDS, 30), *random_openings(GAME, BOARDS, 45)]


def numbers(text: str) -> list[float]:
    """The numbers in a text."""
    return [float(found) for found in re.findall(r"\d+(?:\.\d+)?", text)]


def by_formula(quote: str, a_fin: int, b_fin: int) -> float:
    """What a printed formula, the one store by its weight less the other by its own, gives."""
    found = re.search(r"a_fin(?: \* ([\d.]+))? - state\.b_fin(?: \* ([\d.]+))?", quote)
    assert found is not None, quote
    own, opp = (float(weight or 1) for weight in found.groups())
    return a_fin * own - b_fin * opp


@judges("staged-rule-start")
def start(claim: Claim) -> Verdict:
    """The board that the worked example starts from."""
    [k] = numbers(claim.quote)
    stones = sum(GAME.start().board)
    found = {*side(GAME.start().board, SOUTH), *side(GAME.start().board, NORTH)}
    return holds(found == {k}, f"Kalah(6,6): {k:g} stones a pit, {stones} in all.")


def ends_as_printed(state: State) -> bool:
    """The report's five conditions without the depth: a side empty, or a store above 36."""
    empty = any(not any(side(state.board, player)) for player in (SOUTH, NORTH))
    return empty or max(stores(state.board)) > 36


@judges("staged-rule-end", "staged-leaf-tests")
def end(claim: Claim) -> Verdict:
    """Our rules with the early end, beside the printed conditions."""
    states = sampled()
    same = sum(EARLY.over(state) == ends_as_printed(state) for state in states)
    early = sum(ends_as_printed(state) and not GAME.over(state) for state in states)
    said = (
        f"With the early end our rules agree on {same} of {len(states)} sampled positions; "
        f"without it {early} of them would go on. The match is shown under both."
    )
    return holds(same == len(states) and early > 0, said)


@judges("staged-rule-capture")
def capture(claim: Claim) -> Verdict:
    """A last stone in an own empty pit with nothing opposite: the two rules part there."""
    state = State((1, 0, 0, 0, 0, 1, 32, 2, 0, 0, 0, 0, 0, 36), SOUTH)
    kept, banked = (
        Kalah(6, 6, Rules(capture_empty=each)).play(state, 0).board[6] for each in (False, True)
    )
    condition = any(word in claim.quote for word in ("if", "unless", "empty", "any"))
    said = (
        f"No condition on the opposite hole is printed. With nothing there the store has {kept} "
        f"by the standard rule and {banked} by empty capture. The match is shown under both."
    )
    return holds_if_decided(condition or kept == banked, True, said)


@judges("staged-rule-extra-turn")
def extra_turn(claim: Claim) -> Verdict:
    """The first sow of the worked example."""
    after = GAME.play(GAME.start(), 0)
    again = after.player == SOUTH
    return holds(again, f"After A0 the store has {after.board[6]} and A moves again: {again}.")


@judges("staged-defensive-stage", "staged-offensive-stage", "staged-simple-difference")
def stage(claim: Claim) -> Verdict:
    """The printed formula beside our evaluator, on boards on which no other line speaks."""
    low = "0.75" in claim.quote
    simple = "just" in claim.quote
    opponents = [b for b in STAGE if simple or (b < 12) == low]
    evaluator = store_difference if simple else staged
    boards = [(a, b) for a in (0, 8, 20) for b in opponents]
    same = sum(
        abs(evaluator(probe(stores=pair), SOUTH) - by_formula(claim.quote, *pair)) < 1e-9
        for pair in boards
    )
    said = (
        f"The printed formula and ours give the same on {same} of {len(boards)} boards, the "
        f"opponent's store from {opponents[0]} to {opponents[-1]}."
    )
    return holds(same == len(boards), said)


@cache
def offensive_from() -> int:
    """The least store of the opponent with which the listing is offensive."""
    formula = "value = state.a_fin * 1 - state.b_fin * 0.6"
    return next(
        b
        for b in STAGE
        if abs(listing(probe(stores=(8, b)), SOUTH) - by_formula(formula, 8, b)) < 1e-9
    )


@judges("staged-threshold-12")
def threshold(claim: Claim) -> Verdict:
    """Where the listing changes its stage."""
    bound, *_, whole, parts = numbers(claim.quote)
    found = offensive_from()
    said = (
        f"{whole:g} / {parts:g} = {whole / parts:g}, and the listing is offensive from {found} on. "
        f"It is a third of the {whole:g} that a winner must exceed, not of all {paper.STONES}."
    )
    return holds(bound == whole / parts == found, said)


@judges("staged-at-exactly-12")
def at_twelve(claim: Claim) -> Verdict:
    """The text says more than 12, the listing's else begins elsewhere."""
    bound, *_ = numbers(claim.quote)
    found = offensive_from()
    said = f"The text says more than {bound:g}; the listing is offensive from {found} on."
    return holds(abs(found - bound) <= 1, said, slip=found != bound + 1)


@judges("staged-extra-turn-term", "staged-extra-turn-minus")
def exact_pit(claim: Claim) -> Verdict:
    """Each pit with just the stones that reach the store, seen by its owner and the other."""
    player, wanted = (NORTH, -2) if "decrease" in claim.quote else (SOUTH, 2)
    plain, found = listing(probe(), player), []
    for pit in range(6):
        own = [*PLAIN]
        own[pit] = 6 - pit
        found.append(listing(probe(own=own), player) - plain)
    same = sum(abs(each - wanted) < 1e-9 for each in found)
    ours, of = paper.same_as_listing(sampled())
    said = (
        f"The listing adds {number(wanted)} for {same} of 6 pits that hold just the stones to the "
        f"store; `staged` says what it says on {ours} of {of} boards and sides."
    )
    return holds(same == 6 and ours == of, said)


@judges("staged-own-empty", "staged-opp-empty")
def empty_pits(claim: Claim) -> Verdict:
    """Five and six empty pits of one side: which of them counts."""
    own, more = "state.a" in claim.quote, int(numbers(claim.quote)[-1])
    below, above = (round(paper.emptied(count, own).adds, 6) for count in (more, more + 1))
    wanted = -10 if own else 10
    only = "" if own else " All six empty is the end of a game, so this line changes no game."
    said = (
        f"With {more} empty pits it adds {number(below)}, with {more + 1} it adds "
        f"{number(above)}.{only}"
    )
    return holds((below, above) == (0, wanted), said)


@judges("staged-last-two-loops")
def loops(claim: Claim) -> Verdict:
    """The sum of the two loops."""
    sums = {last_two_loops(s.board, player) for s in sampled() for player in (SOUTH, NORTH)}
    said = (
        f"On {len(sampled())} positions, for both players, the two loops add up to {max(sums):g}."
    )
    return holds(sums != {0.0}, f"{said} They are meant to count captures; they cancel.")


@judges("staged-capture-text")
def capture_term(claim: Claim) -> Verdict:
    """The listing beside the evaluator that adds what the text describes."""
    pairs = [(state.board, player) for state in sampled() for player in (SOUTH, NORTH)]
    other = sum(abs(listing(*pair) - staged_capture(*pair)) > 1e-9 for pair in pairs)
    said = (
        f"The listing differs from the heuristic with the captures that the text describes on "
        f"{other} of {len(pairs)} boards and sides: it adds none."
    )
    return holds(other == 0, said)


@cache
def without_stages() -> dict[str, list[float]]:
    """Points of the heuristic against itself without stages, by rule of ties, an opening each.

    At the least printed depth.
    """
    starts = list(random_openings(GAME, 24, 4))
    return study.points_by_opening(GAME, staged, staged_without("stages"), 3, starts)


@judges("staged-defensive-first")
def defensive(claim: Claim) -> Verdict:
    """With and without its stages: decided if all three ways to break ties say the same."""
    scores = {ties: score(points) for ties, points in without_stages().items()}
    verdicts = {each.verdict() for each in scores.values()}
    said = "; ".join(f"{each:.2f} {ties}" for ties, each in scores.items())
    return holds_if_decided(
        len(verdicts) == 1 and "not told apart" not in verdicts,
        verdicts == {"better"},
        f"At depth 3, over 24 openings, it scores against itself without stages {said}.",
    )


@judges(*(f"staged-record-{name}-{depth}" for name in ("simple", "complex") for depth in (3, 5, 7)))
def record_of(claim: Claim) -> Verdict:
    """Five games beside chance: an exact test of the decided ones."""
    *_, name, depth = claim.id.split("-")
    [row] = [row for row in paper.records(name) if row["depth"] == int(depth)]
    won, lost, drawn = row["wins"], row["losses"], row["draws"]
    chance = float(binomtest(won, won + lost).pvalue)
    said = (
        f"Printed: {won} won, {lost} lost, {drawn} drawn. An equal opponent gives as lopsided a "
        f"result with p = {chance:.2f}; the opponent is not a program that could be met again."
    )
    return holds_if_decided(chance < 0.05, True, said)


@judges("staged-five-games")
def five_games(claim: Claim) -> Verdict:
    """The sums of the table's cells."""
    [wanted] = numbers(claim.quote)
    games = [row["wins"] + row["losses"] + row["draws"] for row in printed_results()]
    return holds(set(games) == {wanted}, f"The {len(games)} cells have {games} games.")


@judges("staged-complex-beats-simple")
def records_beside(claim: Claim) -> Verdict:
    """Fisher's test on the two records."""
    chance = paper.p_of_records()
    points = [sum(map(paper.points, paper.records(name))) for name in ("complex", "simple")]
    said = (
        f"In print {points[0]:g} and {points[1]:g} of 15 points; Fisher's exact test on the wins: "
        f"p = {chance:.3f}. The page has the match between the two."
    )
    return holds_if_decided(chance < 0.05, points[0] > points[1], said)


def nodes(claim: Claim) -> list[Row]:
    """The printed nodes that a claim's name speaks of, such as `b0-a3` or `b1`."""
    after, leaf = re.findall(r"b(\d)(?:-a(\d))?$", claim.id)[0]
    wanted = (int(after), int(leaf) if leaf else None)
    return [row for row in printed_tree() if (row["after"], row["leaf"]) == wanted]


@judges(
    "staged-worked-b0",
    "staged-worked-b1",
    *(f"staged-leaf-b0-a{leaf}" for leaf in (0, 1, 3, 4, 5)),
    *(f"staged-leaf-b1-a{leaf}" for leaf in (0, 1)),
)
def worked_node(claim: Claim) -> Verdict:
    """Board, value and window of a printed node."""
    [row] = nodes(claim)
    if row["leaf"] is None:
        board = " ".join(map(str, paper.board_after(row["after"], None)))
        return holds(paper.same_node(row), f"After B{row['after']} we find the board {board}.")
    at = row["after"], row["leaf"]
    value = number(paper.leaf_values()[at])
    alpha, beta = map(number, paper.windows()[at])
    same = "the board is the printed one" if row["board"] == paper.board_after(*at) else "no"
    return holds(paper.same_node(row), f"Value {value}, window ({alpha}, {beta}); {same}.")


@judges("staged-worked-position")
def worked_start(claim: Claim) -> Verdict:
    """The board after A0 and A2, as `0 6 6 6 7 7 7 B` and `A 0 7 0 8 8 8 2` print it."""
    board, mover = worked_position()
    a, b = side(board, SOUTH), side(board, NORTH)
    same = (a, b[::-1], stores(board)) == ((0, 7, 0, 8, 8, 8), (6, 6, 6, 7, 7, 7), (2, 0))
    return holds(same and mover == NORTH, f"A {a}, B {b}, stores {stores(board)}; B moves.")


@judges("staged-min-is-alpha")
def becomes_alpha(claim: Claim) -> Verdict:
    """The least leaf after B0, and the window that B1 is entered with."""
    [wanted] = numbers(claim.quote)[:1]
    least = min(value for (after, _), value in paper.leaf_values().items() if after == 0)
    alpha = paper.windows()[1, 0][0]
    said = f"The least leaf after B0 is {number(least)}; B1 is entered with α = {number(alpha)}."
    return holds(least == alpha == -wanted, said)


@judges("staged-cut-after-b1")
def cut_after(claim: Claim) -> Verdict:
    """The first cut of the search."""
    trace = paper.worked_search()
    cut = trace.cuts[0]
    at, untried = trace.path(cut.node), [f"A{trace.nodes[id].node.move}" for id in cut.untried]
    by = trace.nodes[cut.by].node.move
    said = (
        f"After move {at[0]} of B (from 1) it cuts after A{by}: {', '.join(untried)} stay unread."
    )
    return holds((trace.nodes[cut.node].node.move, by) == (1, 1) and bool(untried), said)


@judges("staged-other-moves", "staged-chooses-b0")
def moves(claim: Claim) -> Verdict:
    """All moves of B by plain minimax, and the one that alpha-beta plays."""
    values, result = paper.all_moves(), paper.worked_search().result
    said = f"All {len(values)} moves of B are worth {number(max(values.values()))}; "
    best = max(values.values()) == result.value == -2.25
    return holds(best and result.move == PRINTED_MOVE, f"{said}B{result.move} is played.")


@judges("staged-depth-3")
def depth_of_tree(claim: Claim) -> Verdict:
    """The depth at which our search finds the printed value."""
    [printed] = map(int, numbers(claim.quote))
    wanted = min(row["value"] for row in printed_tree() if row["leaf"] is not None)
    found = {depth: paper.worked_search(depth).result.value for depth in (printed - 1, printed)}
    said = "; ".join(
        f"{depth} sows deep the root is worth {number(v)}" for depth, v in found.items()
    )
    right = [depth for depth, value in found.items() if value == wanted]
    return holds(
        bool(right),
        f"{said}: the printed depth counts the root's level.",
        slip=printed not in right,
    )


@judges("staged-prune-rule")
def prune_rule(claim: Claim) -> Verdict:
    """The values and bounds of the cuts."""
    cuts = paper.worked_search().cuts
    equal = sum(cut.value == cut.bound for cut in cuts)
    said = f"{len(cuts)} cuts, all at β ≤ α; in {equal} of them the two are equal."
    return holds(bool(cuts) and all(cut.value <= cut.bound for cut in cuts), said)


@judges("staged-same-result")
def same_result(claim: Claim) -> Verdict:
    """Minimax and alpha-beta on the worked position."""
    full, read = paper.evaluated()
    values, result = paper.all_moves(), paper.worked_search().result
    said = f"Both find {number(result.value)}; alpha-beta evaluates {read} leaves, minimax {full}."
    return holds(max(values.values()) == result.value and read < full, said)


@judges("staged-opponent")
def opponent(claim: Claim) -> Verdict:
    """Whether the sentence names a program that could be met."""
    named = [name for name in (*EVALUATORS, "random", "simple") if name in claim.quote]
    said = f'The sentence names {len(named)} programs; "I tried playing" says that a person did.'
    return holds_if_decided(bool(named), True, said)


@judges("staged-one-second")
def one_second(claim: Claim) -> Verdict:
    """The longest printed move."""
    allowed = numbers(claim.quote)[0] / 1000
    seconds = [row["seconds"] for row in printed_seconds()]
    said = f"The longest of {len(seconds)} printed moves takes {max(seconds):.3f} s."
    return holds(max(seconds) <= allowed, f"{said} Allowed is {allowed:g} s.")


def measured(*names: str) -> bool:
    """Whether the printed seconds come with any of these quantities."""
    return any(name in row for row in printed_seconds() for name in names)


@judges("staged-cpu-clock")
def clock(claim: Claim) -> Verdict:
    """A machine's data: nothing printed depends on it in a known way."""
    said = f"A machine's {numbers(claim.quote)[0]:g} MHz; no instructions or nodes are printed."
    return holds_if_decided(measured("nodes", "instructions"), True, said)


@judges("staged-seconds-3", "staged-seconds-5", "staged-seconds-7")
def seconds_of(claim: Claim) -> Verdict:
    """The printed seconds at a depth: how many, and their mean."""
    depth, first = numbers(claim.quote)
    seconds = [row["seconds"] for row in printed_seconds() if row["depth"] == depth]
    kept = "as quoted" if seconds[0] == first else "not as quoted"
    said = (
        f"{len(seconds)} moves, the first {kept}, {fmean(seconds):.4f} s on the mean, on the "
        "author's machine, of a game that is not printed: there is nothing to recompute them by."
    )
    return holds_if_decided(measured("nodes", "board"), True, said)


@judges("staged-seconds-growth")
def growth(claim: Claim) -> Verdict:
    """How the mean printed seconds grow with depth."""
    means = [
        fmean(row["seconds"] for row in printed_seconds() if row["depth"] == depth)
        for depth in (3, 5, 7)
    ]
    factors = " and ".join(f"{b / a:.1f}" for a, b in pairwise(means))
    said = (
        f"Two sows more cost {factors} times the mean seconds in print. No nodes are printed; the "
        "page sets our nodes beside them."
    )
    return holds_if_decided(measured("nodes"), True, said)


@judges("staged-result-line-3", "staged-result-line-5", "staged-result-line-7")
def result_line(claim: Claim) -> Verdict:
    """The result line beside the table; what it says of others is not in the table."""
    [row] = [row for row in paper.records("complex") if claim.id.endswith(str(row["depth"]))]
    played = claim.quote.partition("also")
    found = [int(n) for n in re.findall(r"(\d+) (?:times Win|[Ll]ose|tie)", played[0])]
    record = [row[name] for name in ("wins", "losses", "draws") if row[name]]
    said = f"The line says {found}, the table {record}"
    if played[1]:
        won = study.beats_random(staged, 3)
        said += (
            f"; the random players are not named. Ours wins {won} of 4 against players of chance"
        )
    return holds_if_decided(not played[1], found == record, f"{said}.")
