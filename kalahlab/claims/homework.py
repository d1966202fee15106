"""What the homework on Mancala says (notebook 09)."""

from dataclasses import replace
from functools import cache
from typing import Any

from kalahlab.claims.model import Claim, Found, every, holds
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
def readings() -> dict[str, Any]:
    """The grading cases that come out, by reading: all of them, and how many of how many."""
    rows = study.cases_table().to_dict("index")
    return {
        str(name): {
            "all": row["cases met"] == row["of"],
            "met": f"{row['cases met']} of {row['of']}",
        }
        for name, row in rows.items()
    }


@cache
def moves_at_start() -> list[str]:
    """Names of player 1's moves on the figure."""
    game, state = Mancala(), Mancala().start()
    return [game.move_name(state, pit) for pit in game.moves(state)]


def after(pit: str) -> Any:
    """The state after a pit of the figure's, by name."""
    game, state = Mancala(), Mancala().start()
    return game.play(state, moves_at_start().index(pit))


def own_store_only(claim: Claim) -> Found:
    """Which stores each pit's lap passes, from either side, on the least and the most pits."""
    return every(
        (pits if player == SOUTH else 2 * pits + 1) in path
        and (pits if player == NORTH else 2 * pits + 1) not in path
        for pits in (FEWEST, MOST)
        for player in (SOUTH, NORTH)
        for path in (sowing_path(pits, player, pit) for pit in range(pits))
    )


def goes_on(claim: Claim) -> Found:
    """B4 on the figure, and the turn of the notebook's case."""
    game, state = Mancala(), after(PRINTED_AGAIN)
    left = [game.move_name(state, pit) for pit in game.moves(state)]
    others = [name for name in moves_at_start() if name != PRINTED_AGAIN]
    problem = read_problem(CASE)
    turn, _ = whole_turn(problem.game, problem.state, solve(problem).line)
    true = state.player == SOUTH and left == others and len(turn) > 1
    return holds(true, again=PRINTED_AGAIN, left=left, moves=len(turn))


def rule_by_the_cases(claim: Claim) -> Found:
    """The grading cases under the statement's reading and under another; of: "one / other"."""
    said, against = (readings()[name] for name in claim.of.split(" / "))
    return holds(said["all"] and not against["all"], said=said, against=against)


def rest_to_its_owner(claim: Claim) -> Found:
    """Stones in the pits of a finished game, and where they go."""
    problem, cases = read_problem(EMPTY_ROW), readings()["as on this page"]
    rest, found = in_play(problem.state.board), problem.game.outcome(problem.state)
    return holds((*found,) == (rest, 0) and cases["all"], rest=rest, found=found, cases=cases)


def must_move(claim: Claim) -> Found:
    """Our turn on an input whose other row is empty, under both statements of the end."""
    over, on = study.both_endings(read_problem(EMPTY_ROW))["our turn"]
    return holds(bool(on), decided=bool(over) == bool(on), turn=on)


def empty_pits(claim: Claim) -> Found:
    """The moves of random boards, against their pits."""
    game, boards = Mancala(4, 0), [study.random_state(4, number, 2, 0) for number in range(200)]
    return every(
        list(game.moves(state))
        == [pit for pit in range(4) if state.board[pit + 5 * state.player] > 0]
        for state in boards
    )


def names_of_pits(claim: Claim) -> Found:
    """The moves of both players at the start, against the names in the quotation."""
    game, state = Mancala(), Mancala().start()
    theirs = {game.move_name(state._replace(player=NORTH), pit) for pit in range(6)}
    own = moves_at_start()
    printed = claim.quote.replace("(", " ").replace(",", " ").split()
    twice = sum(printed.count(name) > 1 for name in own)
    fits = own == [f"B{at}" for at in range(2, 8)] and theirs == {f"A{at}" for at in range(2, 8)}
    more = f"; the sentence lists {twice} of them twice" if twice else ""
    return holds(fits, bool(twice), first=own[0], last=own[-1], pits=len(own), more=more)


def values_of_e(claim: Claim) -> Found:
    """E of the printed pits of the figure."""
    found = {pit: store_difference(after(pit).board, SOUTH) for pit in PRINTED_E}
    by_stores = {pit: stores(after(pit).board) for pit in PRINTED_E}
    differences = {pit: own - other for pit, (own, other) in by_stores.items()}
    said = [f"E({pit}) = {value}" for pit, value in found.items()]
    return holds(found == differences == PRINTED_E, said=said)


def we_are_max(claim: Claim) -> Found:
    """The first line of the log for either player."""
    heads = [
        study.traversal(read_problem(CASE.replace("3\n1\n2", f"2\n{player}\n2")))[1].splitlines()[1]
        for player in (1, 2)
    ]
    return holds({*heads} == {"root,0,-Infinity"}, head=heads[0])


def first_of_equals(claim: Claim) -> Found:
    """What is played where all moves are worth the same."""
    table = study.ties()
    true = set(table["player 1"]) == {"B2"} and set(table["player 2"]) == {"A2"}
    return holds(true, tasks=len(table), played=" and ".join(sorted({*table.to_numpy().ravel()})))


def columns_in_order(claim: Claim) -> Found:
    """The children of the root in the order in which each player's search visits them."""
    game, named = Mancala(4, 4), []
    for player in (SOUTH, NORTH):
        problem = Problem(MINIMAX, 1, game.start()._replace(player=player))
        trace, _ = study.traversal(problem)
        visits = list(trace.visited())
        named.append([each.name for each in visits if each.parent == visits[0].id])
    true = all([int(name[1:]) for name in names] == [2, 3, 4, 5] for names in named)
    return holds(true, one=" ".join(named[0]), two=" ".join(named[1]))


def sizes(claim: Claim) -> Found:
    """Boards at the limits and beyond them."""
    said = {str(name): text for name, text in study.size_table()["result"].items()}
    searched = [name for name, text in said.items() if text.startswith("searched")]
    refused = [name for name in said if name not in searched]
    inside = {f"{FEWEST} pits of 4", f"{MOST} pits of 4", f"{MOST} pits of {STONES:,}"}
    return holds(set(searched) == inside, searched=searched, refused=refused)


def greedy(claim: Claim) -> Found:
    """Task 1 against task 2 with cut-off 1."""
    found = study.greedy_boards(120)
    return holds(found["as minimax"] == found["boards"], found=found)


def greedy_highest(claim: Claim) -> Found:
    """Task 1 against the pit of the highest E."""
    found = study.greedy_boards(120)
    return holds(found["other first pit"] == 0, found=found)


def textbook_figure(claim: Claim) -> Found:
    """A search on AIMA's tree: its value, and the leaves that it visits, of so many."""
    name, wanted = claim.parts
    found = ALGORITHMS[name](AIMA_5_2, AIMA_5_2.start(), lambda board, player: 0, Depth(9))
    leaves = found.counts.evaluated
    quotes = [row["quote"] for row in data_rows("claims.csv") if row["source"] == "homework"]
    twice = sum("Figure 5.3" in quote for quote in quotes)
    slip = name == "alpha_beta" and twice > 1
    more = f"; figure 5.3 is named for {twice} different algorithms" * (name == "alpha_beta")
    right = (found.value, leaves) == (3, int(wanted))
    return holds(right, slip, name=name, value=found.value, leaves=leaves, more=more)


def same_answer(claim: Claim) -> Found:
    """Minimax and alpha-beta at the same cut-off on random boards."""
    states = [study.random_state(4, number, 4, 1) for number in range(25)]
    both = ([solve(Problem(task, 2, state)) for task in (MINIMAX, ALPHA_BETA)] for state in states)
    return every((one.value, one.line) == (two.value, two.line) for one, two in both)


def unit_of_depth(claim: Claim) -> Found:
    """Whether the sentences on depth name a unit, and what the grading cases say."""
    units = [word for word in ("turn", "move", "sow", "ply", "plies") if word in claim.quote]
    turns, sows = readings()["as on this page"], readings()["depth counts sows"]
    return holds(turns["all"], defined=bool(units), turns=turns, sows=sows)


def input_file(claim: Claim) -> Found:
    """What stands after the sentence, the last of our copy, of the seven lines of a file."""
    said, lines = sum(name in claim.quote for name in LINES), len(LINES)
    return holds(True, defined=said == lines, said=said, lines=lines)


def three_tasks(claim: Claim) -> Found:
    """The tasks that are asked for, each solved on the page's case."""
    problem = read_problem(CASE)
    lines = [solve(replace(problem, task=task)).line for task in TASKS]
    return every(lines, len(lines) == 3, names=[*TASKS.values()])
