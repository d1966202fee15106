"""What the homework on Mancala says (notebook 09)."""

from dataclasses import replace
from functools import cache
from typing import Any

from kalahlab.claims.model import (
    Claim,
    Verdict,
    holds,
    holds_if_decided,
    holds_if_defined,
    judges,
)
from kalahlab.data import data_rows
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.hand_tree import AIMA_5_2
from kalahlab.games.kalah import NORTH, SOUTH, in_play, sowing_path, stores
from kalahlab.published.homework import (
    ALPHA_BETA,
    FEWEST,
    LINES,
    MINIMAX,
    MOST,
    PRINTED_AGAIN,
    PRINTED_E,
    STONES,
    TASKS,
    Mancala,
    Problem,
    read_problem,
    solve,
    whole_turn,
)
from kalahlab.search import ALGORITHMS, Depth
from kalahlab.studies import s09_homework as study

CASE = "3\n1\n2\n0 1 3\n3 1 3\n0\n0"
"""The input of the notebook."""

EMPTY_ROW = "3\n1\n2\n0 0 0\n0 0 4\n0\n0"
"""An input in which the opponent has no stone."""


@cache
def readings() -> Any:
    """The grading cases that come out, by reading."""
    return study.cases_table().to_dict("index")


def _met(name: str) -> str:
    row = readings()[name]
    return f"{row['cases met']} of {row['of']}"


@cache
def moves_at_start() -> list[str]:
    """Names of player 1's moves on the figure."""
    game, state = Mancala(), Mancala().start()
    return [game.move_name(state, pit) for pit in game.moves(state)]


def after(pit: str) -> Any:
    """The state after a pit of the figure's, by name."""
    game, state = Mancala(), Mancala().start()
    return game.play(state, moves_at_start().index(pit))


@judges("homework-rule-sowing")
def own_store_only(claim: Claim) -> Verdict:
    """Which stores each pit's lap passes, from either side, on the least and the most pits."""
    paths = [
        (pits, player, sowing_path(pits, player, pit))
        for pits in (FEWEST, MOST)
        for player in (SOUTH, NORTH)
        for pit in range(pits)
    ]
    home = {SOUTH: lambda pits: pits, NORTH: lambda pits: 2 * pits + 1}
    true = all(
        home[player](pits) in path and home[1 - player](pits) not in path
        for pits, player, path in paths
    )
    return holds(true, f"In {len(paths)} laps the own store gets a stone and the other none.")


@judges("homework-rule-extra-turn", "homework-b4-again", "homework-more-moves-a-turn")
def goes_on(claim: Claim) -> Verdict:
    """B4 on the figure, and the turn of the notebook's case."""
    game, state = Mancala(), after(PRINTED_AGAIN)
    left = [game.move_name(state, pit) for pit in game.moves(state)]
    others = [name for name in moves_at_start() if name != PRINTED_AGAIN]
    problem = read_problem(CASE)
    turn, _ = whole_turn(problem.game, problem.state, solve(problem).line)
    true = state.player == SOUTH and left == others and len(turn) > 1
    why = (
        f"After {PRINTED_AGAIN} player 1 goes on with {', '.join(left)}; on the page's case a turn "
        f"has {len(turn)} moves."
    )
    return holds(true, why)


@judges("homework-rule-capture", "homework-rule-end-turn", "homework-rule-end-pits")
def rule_by_the_cases(claim: Claim) -> Verdict:
    """The grading cases under the statement and under the other reading."""
    other = {
        "homework-rule-capture": "a capture needs stones opposite",
        "homework-rule-end-pits": "the game ends only when the player to move cannot move",
    }.get(claim.id, "as on this page")
    name = (
        "the game ends only when the player to move cannot move"
        if claim.id == "homework-rule-end-turn"
        else "as on this page"
    )
    said, against = readings()[name], readings()[other]
    why = f"Read so, {_met(name)} grading cases come out; read otherwise, {_met(other)}."
    return holds(said["cases met"] == said["of"] > against["cases met"], why)


@judges("homework-rule-rest")
def rest_to_its_owner(claim: Claim) -> Verdict:
    """Stones in the pits of a finished game, and where they go."""
    problem = read_problem(EMPTY_ROW)
    rest = in_play(problem.state.board)
    south, north = problem.game.outcome(problem.state)
    why = (
        f"Player 2's row is empty: player 1's {rest} stones go to player 1's store, {south} to "
        f"{north}; {_met('as on this page')} grading cases agree."
    )
    return holds(
        (south, north) == (rest, 0) and readings()["as on this page"]["cases met"] == 15, why
    )


@judges("homework-must-move")
def must_move(claim: Claim) -> Verdict:
    """Our turn on an input whose other row is empty, under both statements of the end."""
    turns = study.both_endings(read_problem(EMPTY_ROW))["our turn"]
    over, on = (bool(turn) for turn in turns)
    why = (
        f"With an empty opponent row one sentence makes us move ({turns.iloc[1]}), the other ends "
        "the game; no grading case begins so."
    )
    return holds_if_decided(over == on, on, why)


@judges("homework-empty-pit")
def empty_pits(claim: Claim) -> Verdict:
    """The moves of random boards, against their pits."""
    game, boards = Mancala(4, 0), [study.random_state(4, number, 2, 0) for number in range(200)]
    true = all(
        list(game.moves(state))
        == [pit for pit in range(4) if state.board[pit + 5 * state.player] > 0]
        for state in boards
    )
    return holds(true, f"On {len(boards)} random boards exactly the pits with stones are moves.")


@judges("homework-names", "homework-six-moves", "homework-figure-2x6", "homework-ties-list")
def names_of_pits(claim: Claim) -> Verdict:
    """The moves of both players at the start, against the names in the quotation."""
    game, state = Mancala(), Mancala().start()
    theirs = {game.move_name(state._replace(player=NORTH), pit) for pit in range(6)}
    own = moves_at_start()
    printed = claim.quote.replace("(", " ").replace(",", " ").split()
    twice = sum(printed.count(name) > 1 for name in own)
    fits = own == [f"B{at}" for at in range(2, 8)] and theirs == {f"A{at}" for at in range(2, 8)}
    why = f"The figure's moves are {own[0]} to {own[-1]}, {len(own)} pits a side"
    more = f"; the sentence lists {twice} of them twice." if twice else "."
    return holds(fits, why + more, slip=bool(twice))


@judges("homework-e-formula", "homework-e-b5", "homework-e-b2")
def values_of_e(claim: Claim) -> Verdict:
    """E of the printed pits of the figure."""
    found = {pit: store_difference(after(pit).board, SOUTH) for pit in PRINTED_E}
    by_stores = {pit: stores(after(pit).board) for pit in PRINTED_E}
    differences = {pit: own - other for pit, (own, other) in by_stores.items()}
    said = ", ".join(f"E({pit}) = {value}" for pit, value in found.items())
    return holds(found == differences == PRINTED_E, f"With four stones a pit {said}, as printed.")


@judges("homework-agent-is-max")
def we_are_max(claim: Claim) -> Verdict:
    """The first line of the log for either player."""
    heads = []
    for player in ("1", "2"):
        text = CASE.replace("3\n1\n2", f"2\n{player}\n2")
        heads.append(study.traversal(read_problem(text))[1].splitlines()[1])
    true = all(head == "root,0,-Infinity" for head in heads)
    return holds(true, f"For both players the root starts at minus infinity: {heads[0]}.")


@judges("homework-ties")
def first_of_equals(claim: Claim) -> Verdict:
    """What is played where all moves are worth the same."""
    table = study.ties()
    played = sorted({*table.to_numpy().ravel()})
    true = set(table["player 1"]) == {"B2"} and set(table["player 2"]) == {"A2"}
    why = f"Where all moves are equal the {len(table)} tasks play {' and '.join(played)}."
    return holds(true, why)


@judges("homework-traverse-order")
def columns_in_order(claim: Claim) -> Verdict:
    """The children of the root in the order in which each player's search visits them."""
    game, named = Mancala(4, 4), []
    for player in (SOUTH, NORTH):
        problem = Problem(MINIMAX, 1, game.start()._replace(player=player))
        trace, _ = study.traversal(problem)
        visits = list(trace.visited())
        named.append([each.name for each in visits if each.parent == visits[0].id])
    true = all([int(name[1:]) for name in names] == [2, 3, 4, 5] for names in named)
    return holds(true, f"The root's branches: {' '.join(named[0])}, and {' '.join(named[1])}.")


@judges("homework-board-size", "homework-thousand-stones")
def sizes(claim: Claim) -> Verdict:
    """Boards at the limits and beyond them."""
    said = {str(name): text for name, text in study.size_table()["result"].items()}
    searched = [name for name, text in said.items() if text.startswith("searched")]
    refused = [name for name in said if name not in searched]
    inside = {f"{FEWEST} pits of 4", f"{MOST} pits of 4", f"{MOST} pits of {STONES:,}"}
    why = f"Searched: {', '.join(searched)}. Refused: {', '.join(refused)}."
    return holds(set(searched) == inside, why)


@judges("homework-greedy", "homework-greedy-highest")
def greedy(claim: Claim) -> Verdict:
    """Task 1 against task 2 with cut-off 1, and against the pit of the highest E."""
    found = study.greedy_boards(120)
    boards, other, same = found["boards"], found["other first pit"], found["as minimax"]
    if claim.id == "homework-greedy":
        why = f"Task 1 plays and values as minimax with cut-off 1 on {same} of {boards} boards."
        return holds(same == boards, why)
    why = (
        f"On {other} of {boards} random boards the pit of the highest E is not task 1's first: "
        "with extra turns the whole turn has to be followed."
    )
    return holds(other == 0, why)


@judges("homework-minimax-figure", "homework-alpha-beta-figure")
def textbook_figure(claim: Claim) -> Verdict:
    """The search on AIMA's tree: its value, and the leaves that it visits."""
    name = "minimax" if claim.id == "homework-minimax-figure" else "alpha_beta"
    tree = AIMA_5_2
    found = ALGORITHMS[name](tree, tree.start(), lambda board, player: 0, Depth(9))
    leaves, wanted = found.counts.evaluated, 9 if name == "minimax" else 7
    quotes = [row["quote"] for row in data_rows("claims.csv") if row["source"] == "homework"]
    twice = sum("Figure 5.3" in quote for quote in quotes)
    why = f"On AIMA's figure 5.2 {name} gives {found.value:g} with {leaves} leaves"
    if name == "minimax":
        return holds((found.value, leaves) == (3, wanted), f"{why}.")
    why += f"; figure 5.3 is named for {twice} different algorithms."
    return holds((found.value, leaves) == (3, wanted), why, slip=twice > 1)


@judges("homework-same-answer")
def same_answer(claim: Claim) -> Verdict:
    """Minimax and alpha-beta at the same cut-off on random boards."""
    states = [study.random_state(4, number, 4, 1) for number in range(25)]
    both = [[solve(Problem(task, 2, state)) for task in (MINIMAX, ALPHA_BETA)] for state in states]
    same = sum((one.value, one.line) == (two.value, two.line) for one, two in both)
    why = f"Cut off at 2 both give the same value and line on {same} of {len(both)} random boards."
    return holds(same == len(both), why)


@judges("homework-depth-unit")
def unit_of_depth(claim: Claim) -> Verdict:
    """Whether the sentences on depth name a unit, and what the grading cases say."""
    units = [word for word in ("turn", "move", "sow", "ply", "plies") if word in claim.quote]
    why = (
        f"The sentence names no unit; with turns {_met('as on this page')} grading cases come out, "
        f"with sows {_met('depth counts sows')}."
    )
    return holds_if_defined(bool(units), readings()["as on this page"]["cases met"] == 15, why)


@judges("homework-input-file")
def input_file(claim: Claim) -> Verdict:
    """What stands after the sentence, the last of our copy, of the seven lines of a file."""
    said = sum(name in claim.quote for name in LINES)
    why = f"Our copy ends here: {said} of the {len(LINES)} lines of the file are described in it."
    return holds_if_defined(said == len(LINES), True, why)


@judges("homework-competition")
def three_tasks(claim: Claim) -> Verdict:
    """The tasks that are asked for, each solved on the page's case."""
    problem = read_problem(CASE)
    lines = {name: solve(replace(problem, task=task)).line for task, name in TASKS.items()}
    why = f"{', '.join(TASKS.values())}: each of the {len(lines)} finds a turn on the page's case."
    return holds(len(lines) == 3 and all(lines.values()), why)
