"""What the document on Betsy says (notebook 10)."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import product

import pandas as pd

from kalahlab.claims.model import (
    Claim,
    Verdict,
    holds,
    holds_if_decided,
    holds_if_defined,
    judges,
)
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


@judges("betsy-successors-opponent", "betsy-max-nodes-follow-opponent")
def turns_alternate(claim: Claim) -> Verdict:
    """Who moves below each node of a tree, and whose pebbles a drop adds."""
    visits = list(tree().visited())
    inner = [(tree().nodes[each.parent], each) for each in visits if each.parent is not None]
    turned = sum(parent.player != each.player for parent, each in inner)
    game, drops = Betsy(3), 0
    for state in sample():
        for move in (move for move in game.moves(state) if move > 0):
            after, own = game.play(state, move).board, mark(state.player)
            drops += after.count(own) != state.board.count(own) + 1
    why = (
        f"MAX and MIN take turns at {turned} of {len(inner)} nodes of the page's tree; a drop adds "
        f"another's pebble {drops} times on {len(sample())} boards."
    )
    return holds(turned == len(inner) and drops == 0, why)


@judges("betsy-2n-successors")
def at_most_two_a_column(claim: Claim) -> Verdict:
    """The most moves of random positions."""
    seen = ", ".join(f"{row['most moves seen']} for n = {n}" for n, row in rules().items())
    true = all(row["most moves seen"] == row["2n"] for row in rules().values())
    return holds(true, f"The most moves found in random positions are 2n: {seen}.")


@judges("betsy-full-column", "betsy-empty-column")
def full_and_empty_columns(claim: Claim) -> Verdict:
    """Drops on full columns and rotations of empty ones among the moves."""
    game, full, empty, wrong = Betsy(3), 0, 0, 0
    for state, c in product(sample(), (1, 2, 3)):
        column, moves = state.board[c - 1 :: 3], game.moves(state)
        full, empty = full + all(column), empty + (not any(column))
        wrong += (all(column) and c in moves) + (not any(column) and -c in moves)
    why = f"{wrong} of {full} full columns take a drop or of {empty} empty ones a rotation."
    return holds(wrong == 0 < min(full, empty), why)


@judges("betsy-pebbles")
def number_of_pebbles(claim: Claim) -> Verdict:
    """The printed number, and the one that fills the board exactly."""
    printed = {n: row["pebbles, printed"] for n, row in rules().items()}
    fills = all(2 * row["pebbles, meant"] == row["cells"] for row in rules().values())
    why = (
        f"n(n - 3)/2 is {printed[2]} for n = 2 and {printed[3]} for n = 3: nobody could drop. With "
        f"n(n + 3)/2, {pebbles(3)} for n = 3, both fill the {rules()[3]['cells']} cells."
    )
    return holds(fills, why, slip=min(printed.values()) <= 0)


@judges("betsy-top-n-rows")
def only_the_top(claim: Claim) -> Verdict:
    """Winners of random boards before and after the three rows below are cleared."""
    boards = study.states(3, BOARDS)
    cleared = [state._replace(board=state.board[:9] + (0,) * 9) for state in boards]
    same = sum(winner(one) == winner(two) for one, two in zip(boards, cleared, strict=True))
    decided = sum(winner(state) is not None for state in boards)
    why = (
        f"Without the bottom three rows {same} of {len(boards)} boards have the same winner, "
        f"{decided} of them won."
    )
    return holds(same == len(boards) and decided > 0, why)


@judges("betsy-three-goal-rules")
def lines_that_win(claim: Claim) -> Verdict:
    """The winning lines of n = 3, each filled on an empty board."""
    found = lines(3)
    wins = 0
    for line in found:
        cells = line(tuple(range(18)))
        board = tuple(int(cell in cells) for cell in range(18))
        wins += winner(State(board, 1, 9)) == 0
    why = f"A filled column, row or diagonal wins: {wins} of {len(found)} lines for n = 3."
    return holds(wins == len(found) == 3 + 3 + 2, why)


@judges("betsy-three-leaf-rules")
def leaves(claim: Claim) -> Verdict:
    """The leaves of a tree: finished or at the depth."""
    visits = list(tree().visited())
    parents = {visit.parent for visit in visits}
    ends = [visit.node for visit in visits if visit.id not in parents]
    right = sum(node.sows == 2 or Betsy(2, 60).over(node.state) for node in ends)
    return holds(right == len(ends), f"{right} of {len(ends)} leaves are won or at depth 2.")


DEFINITION = "The value associated with MAX nodes is alpha"
"""MAXValue and MINValue, three sentences before the claim."""


@judges("betsy-minvalue-betas")
def alphas_called_betas(claim: Claim) -> Verdict:
    """MIN nodes take their least child in the page's tree; what those values are called."""
    visits = list(tree().visited())
    least, inner = 0, 0
    for node in visits:
        values = [each.value or 0.0 for each in visits if each.parent == node.id]
        if values and node.player == "MIN":
            inner, least = inner + 1, least + (node.value == min(values))
    meant, said = DEFINITION.split()[-1], claim.quote.rstrip(".").split()[-1]
    why = (
        f"MIN takes the least value of its MAX children at {least} of {inner} nodes of the page's "
        f'tree. "{DEFINITION}", so {meant} is meant, not {said}.'
    )
    return holds(least == inner > 0, why, slip=said != meant)


@judges("betsy-decision-max-beta")
def the_greatest_child(claim: Claim) -> Verdict:
    """The root's value against minimax's values of its children."""
    game, equal = Betsy(3), 0
    states = sample()[:25]
    for state in states:
        found = alpha_beta(game, state, betsy.leaf_value, Depth(2))
        children = [-_value(game, game.play(state, move)) for move in game.moves(state)]
        equal += found.value == max(children)
    return holds(
        equal == len(states),
        f"On {equal} of {len(states)} boards the root's value is its greatest child's at depth 2.",
    )


def _value(game: Betsy, state: State) -> float:
    """One move deep, for the player to move; the leaf value is asked from the other side."""

    def of_other(board: Sequence[float], player: int) -> float:
        return -betsy.leaf_value(board, 1 - player)

    return alpha_beta(game, state, of_other, Depth(1)).value


@judges("betsy-ids")
def deepening_is_each_depth(claim: Claim) -> Verdict:
    """Each answer of the deepening against a search of that depth."""
    rows = betsy.answers(Betsy(3), PAGE, 3)
    alone = [alpha_beta(Betsy(3), PAGE, betsy.leaf_value, Depth(row["depth"])) for row in rows]
    same = [
        (row["move"], row["value"]) == (one.move, one.value)
        for row, one in zip(rows, alone, strict=True)
    ]
    why = f"On the page's board {sum(same)} of {len(same)} depths answer as alpha-beta alone does."
    return holds(all(same), why)


@judges("betsy-available-positions")
def open_lines(claim: Claim) -> Verdict:
    """Lines without the opponent's pebbles less those without own ones, counted line by line."""
    same = 0
    for state in sample():
        own = mark(state.player)
        cells = [line(state.board) for line in lines(3)]
        mine, theirs = (
            sum(-own not in each for each in cells),
            sum(own not in each for each in cells),
        )
        same += available_positions(state.board, state.player) == mine - theirs
    why = f"On {same} of {len(sample())} boards the program's count is that of the open lines."
    return holds(same == len(sample()), why)


@judges("betsy-check-rows", "betsy-consecutive", "betsy-distance-row", "betsy-distance-column")
def coded_as_worded(claim: Claim) -> Verdict:
    """How often the program's heuristic is what the text says."""
    name = {
        "betsy-check-rows": "check_rows",
        "betsy-consecutive": "consecutive",
        "betsy-distance-row": "distance_to_row",
        "betsy-distance-column": "distance_to_column",
    }[claim.id]
    three, four = readings()[name]
    why = (
        f"The published program computes another value than the text on {three:.0%} of random "
        f"boards with 3 columns and on {four:.0%} with 4."
    )
    return holds(three == four == 0, why)


@judges("betsy-check-columns")
def columns_over_half(claim: Claim) -> Verdict:
    """How many pebbles a column needs by each reading of "N+3/2", for 3 to 5 columns."""
    literal = [int(n + 3 / 2) + 1 for n in (3, 4, 5)]
    meant = [(n + 3) // 2 + 1 for n in (3, 4, 5)]
    cells = [n + 3 for n in (3, 4, 5)]
    can = all(least <= most for least, most in zip(meant, cells, strict=True))
    why = (
        f"Read as printed a column needs {literal} of {cells} pebbles, half of it is {meant}; the "
        f"program counts otherwise on {readings()['check_columns'][0]:.0%} of boards."
    )
    return holds(can, why, slip=literal != meant)


@judges("betsy-consecutive-tie")
def equal_runs(claim: Claim) -> Verdict:
    """The program's value where both longest runs are alike and not 0."""
    found = [
        consecutive(state.board, state.player)
        for state in study.states(3, 4 * BOARDS)
        if longest_run(state.board, 1) == longest_run(state.board, -1) > 0
    ]
    negative = sum(value < 0 for value in found)
    why = f"Of {len(found)} boards with equal runs the program values {negative} negative."
    return holds(negative == len(found), why)


@judges("betsy-run-of-n-wins")
def runs_that_win(claim: Claim) -> Verdict:
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
    why = (
        f"Of {len(states)} boards with one such run its owner can force a win within four moves on "
        f"{won}, the opponent on {lost}; no proof is printed for the rest."
    )
    return holds_if_decided(won + lost == len(states), lost == 0, why)


@judges("betsy-antisymmetric-signs")
def favourable_signs(claim: Claim) -> Verdict:
    """Signs of the heuristics where a win can be forced; decided if each differs by 2 errors."""
    found = study.forced(study.states(3, 2 * BOARDS), 3)
    table = study.signs(found)
    apart = (table["right"] - table["wrong"]).abs() > 2 * (table["right"] + table["wrong"]) ** 0.5
    right = int((apart & (table["right"] > table["wrong"])).sum())
    why = (
        f"In {len(found)} positions with a forced win {right} of {len(table)} heuristics clearly "
        f"favour who wins; of {int((~apart).sum())} it is not shown."
    )
    return holds_if_decided(bool(apart.all()), right == len(table), why)


@judges("betsy-leaf-weights")
def printed_weights(claim: Claim) -> Verdict:
    """Numbers in what is said of the weights."""
    numbers = claim.numbers
    used = sum(map(bool, PUBLISHED_WEIGHTS))
    why = (
        f"The report prints {len(numbers)} weights for its heuristics; the published program adds "
        f"up {used} of its {len(HEURISTICS)}, each once."
    )
    return holds_if_defined(bool(numbers), True, why)


@judges("betsy-value-over-depth")
def nearer_wins(claim: Claim) -> Verdict:
    """A win divided by its depth, and what this game makes of it."""
    rows = study.win_table(3, 4, largest())
    values = [row["divided by the depth"] for row in rows]
    margins = [row["here"] for row in rows]
    falling = all(values == sorted(set(values), reverse=True) for values in (values, margins))
    said = ", ".join(f"{value:g}" for value in values)
    return holds(falling, f"Divided by 1 to 4 moves a win on 3 columns is worth {said}.")


@judges("betsy-values-within-window", "betsy-deterministic-window")
def within_the_window(claim: Claim) -> Verdict:
    """The largest combination on random boards against a win now and some moves away."""
    rows = study.win_table(3, 4, largest())
    won = rows[0]["divided by the depth"]
    below = next((row for row in rows if row["above all heuristics"] == "no"), None)
    why = f"On random boards the program's combination is {largest():.3g} at most, a win {won:g}"
    if below:
        away, worth = below["moves away"], below["divided by the depth"]
        why += f"; but a win {away} moves away is {worth:g}, not above it"
    return holds(largest() < won, f"{why}.")


@judges("betsy-best-two")
def the_best_alone(claim: Claim) -> Verdict:
    """Each heuristic alone against the program's combination, at depth 1; Holm's verdicts."""
    field = {name: betsy.weighing(**{name: 1}) for name in HEURISTICS}
    table = _small_match(field).set_index("rival")
    apart = int((table["verdict"] != "not told apart").sum())
    best = study.best(table.reset_index(), 2)
    two = {"distance_to_row", "distance_to_column"}
    why = (
        f"No match is printed. Each heuristic alone in {len(_starts())} pairs at depth 1: "
        f"{apart} of {len(table)} are told apart from the combination; most points: "
        f"{' and '.join(best)}."
    )
    clear = all((table.loc[name, "verdict"] != "not told apart") for name in two)
    return holds_if_decided(clear, set(best) == two, why)


@judges("betsy-good-combination")
def ratios(claim: Claim) -> Verdict:
    """The two distances in several ratios against the program's combination, at depth 1."""
    field = {
        f"distances {row}:{column}": betsy.weighing(distance_to_row=row, distance_to_column=column)
        for row, column in ((1, 0), *betsy.RATIOS, (0, 1))
    }
    table = _small_match(field)
    counts = table["verdict"].value_counts()
    better, worse = counts.get("better", 0), counts.get("worse", 0)
    why = (
        f"No weights are printed. Of {len(table)} ratios in {len(_starts())} pairs at depth 1, "
        f"{better} are better than the combination, {worse} worse, the rest not told apart."
    )
    return holds_if_decided(better > 0 or worse == len(table), better > 0, why)


@cache
def _starts() -> tuple[State, ...]:
    return tuple(study.openings(Betsy(3, 60), 6, moves=6, seed=1))


def _small_match(field: dict[str, Weighted]) -> pd.DataFrame:
    """The rivals against the program's combination, 6 pairs at depth 1, `judged`."""
    rows = study.against(Betsy(3, 60), field, Weighted(PUBLISHED_WEIGHTS), 1, _starts())
    return study.judged(rows)


@judges("betsy-no-time-for-weights")
def weights_not_tried(claim: Claim) -> Verdict:
    """Whether the report prints any weights or results, from which trials could be seen."""
    numbers = re.findall(r"\d+", claim.quote)
    why = (
        f"A statement on the authors' time; with {len(numbers)} numbers printed nothing shows what "
        f"was tried. Here weights are drawn from {betsy.CHOICES}."
    )
    return holds_if_decided(bool(numbers), True, why)
