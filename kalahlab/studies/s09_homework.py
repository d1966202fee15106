"""The Mancala homework as its notebook shows it: a search beside its log, and what depth costs."""

from collections.abc import Iterable
from dataclasses import replace
from io import StringIO
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, get_args

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import EMPTY_CAPTURE, NAMES, STANDARD, State
from kalahlab.matches.rating import Interval, mean_of
from kalahlab.published.defective import CAUSES, Defects, Program
from kalahlab.published.doctor import LOG, NEXT_STATE, Files, check
from kalahlab.published.homework import (
    GREEDY,
    MINIMAX,
    PRINTED_AGAIN,
    PRINTED_E,
    TASKS,
    Mancala,
    Problem,
    TraversalLog,
    board_lines,
    column_order,
    grading_cases,
    read_problem,
    solve,
    whole_turn,
)
from kalahlab.report.draw.axes import panels, plain_numbers, whole_numbers
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.search import ALGORITHMS, Depth
from kalahlab.search.deep_enough import Unit
from kalahlab.search.observer import CompositeObserver
from kalahlab.trace import Recorder, Trace, grow
from kalahlab.words import Words

say = Words("studies", "s09_homework")

FOLLOWS = say("follows")
"""The last paragraph of the page: where it goes on."""

COMPARED = ("minimax", "alpha_beta")

ENDS_ON_TURN = replace(EMPTY_CAPTURE, end="mover")
"""The text's other statement of the end: "when one player cannot move on his or her turn"."""


def beside_print() -> pd.DataFrame:
    """The pits of the text's figure: E, and whether player 1 goes on, printed and recomputed.

    What the text does not say is an empty word.
    """
    game, state = Mancala(), Mancala().start()
    after = {game.move_name(state, pit): game.play(state, pit) for pit in game.moves(state)}
    return pd.DataFrame(
        {
            pit: {
                "E printed": PRINTED_E.get(pit, ""),
                "E": store_difference(then.board, state.player),
                "goes on, printed": "yes" if pit == PRINTED_AGAIN else "",
                "goes on": "yes" if then.player == state.player else "no",
            }
            for pit, then in after.items()
        }
    ).T


def fitting_stones(most: int = 59) -> list[int]:
    """Stones a pit, the same in all, with which the figure gives all that the text prints of it."""
    return [stones for stones in range(1, most + 1) if _fits(Mancala(6, stones))]


def _fits(game: Mancala) -> bool:
    state = game.start()
    after = {game.move_name(state, pit): game.play(state, pit) for pit in game.moves(state)}
    values = {pit: store_difference(after[pit].board, state.player) for pit in PRINTED_E}
    return values == PRINTED_E and after[PRINTED_AGAIN].player == state.player


READINGS: dict[str, dict[str, Any]] = {
    "as on this page": {},
    "the game ends only when the player to move cannot move": {"rules": ENDS_ON_TURN},
    "a capture needs stones opposite": {"rules": STANDARD},
    "depth counts sows": {"unit": "sow"},
}
"""Ways to read what the text leaves open, as `Case.met` takes them."""


def cases_table() -> pd.DataFrame:
    """How many of the grading cases come out, by reading."""
    met = {name: [case.met(**how) for case in grading_cases()] for name, how in READINGS.items()}
    return pd.DataFrame(
        {
            name: {
                "cases met": sum(found),
                "of": len(found),
                "not met": " ".join(
                    case.name for case, each in zip(grading_cases(), found, strict=True) if not each
                ),
            }
            for name, found in met.items()
        }
    ).T


def both_endings(problem: Problem) -> pd.DataFrame:
    """Our turn and the log under both statements of when a game ends, a row each."""
    both = {
        "ends when either row is empty": problem,
        "ends when the player to move cannot move": replace(problem, rules=ENDS_ON_TURN),
    }
    rows = {}
    for name, each in both.items():
        trace, log = traversal(each)
        turn, after = whole_turn(each.game, each.state, trace.result.line)
        rows[name] = {
            "our turn": " ".join(each.game.move_name(each.state, pit) for pit in turn),
            "lines of the log": len(log.splitlines()) - 1,
            "next state": board_lines(each.game, after).strip().replace("\n", " / "),
        }
    return pd.DataFrame(rows).T


def ties() -> pd.DataFrame:
    """What each player plays where all moves are worth the same, by task.

    Fours beside nines: each sow passes our store, and none ends in it or in an empty pit.
    """
    fours, nines = (4, 4, 4, 0), (9, 9, 9, 0)
    boards = {1: fours + nines, 2: nines + fours}
    return pd.DataFrame(
        {
            name: {
                f"player {player}": game.move_name(state, solve(Problem(task, 1, state)).line[0])
                for player, board in boards.items()
                for game, state in [(Mancala(3, 0), State(board, player - 1))]
            }
            for task, name in TASKS.items()
        }
    ).T


def greedy_boards(boards: int) -> dict[str, int]:
    """Random boards of four pits: on how many the pit of the highest E is not task 1's first.

    as minimax: on how many task 1 plays and values as task 2 with cut-off 1 does.
    """
    other = same = 0
    for number in range(boards):
        state = random_state(4, number, most=6, seed=0)
        game = Mancala(4, 0)
        one, two = (solve(Problem(task, 1, state)) for task in (GREEDY, MINIMAX))
        columns = game.moves(state)[:: -1 if state.player else 1]
        highest = max(
            columns, key=lambda pit: store_difference(game.play(state, pit).board, state.player)
        )
        other += highest != one.move
        same += (one.value, one.line) == (two.value, two.line)
    return {"boards": boards, "other first pit": other, "as minimax": same}


def size_table() -> pd.DataFrame:
    """The result for boards of the least and most pits and stones, and of those beyond."""
    rows = {}
    for pits, stones in ((2, 4), (3, 4), (10, 4), (11, 4), (10, 1000), (10, 1001)):
        row = " ".join([str(stones)] * pits)
        try:
            problem = read_problem(f"3\n1\n1\n{row}\n{row}\n0\n0")
            turn, after = whole_turn(problem.game, problem.state, solve(problem).line)
            sows = f"{len(turn)} sow{'s' * (len(turn) > 1)}"
            said = f"searched: a turn of {sows}, {sum(after.board):,} stones after it"
        except ValueError as refused:
            said = str(refused)
        rows[f"{pits} pits of {stones:,}"] = said
    return pd.Series(rows, name="result").to_frame()


def traversal(problem: Problem) -> tuple[Trace, str]:
    """One search as a tree, and as the log that the homework asks for."""
    recorder, log = Recorder(), StringIO()
    result = solve(problem, CompositeObserver(recorder, TraversalLog(problem, log.write)))
    return Trace(result, grow(problem.game, recorder.events)), log.getvalue()


def by_task(problem: Problem) -> pd.DataFrame:
    """The same board under the three tasks; `visited` are the nodes entered."""
    found = {name: solve(replace(problem, task=task)) for task, name in TASKS.items()}
    game, state = problem.game, problem.state
    turns = {name: whole_turn(game, state, result.line)[0] for name, result in found.items()}
    return pd.DataFrame(
        {
            name: {
                "turn": " ".join(game.move_name(state, pit) for pit in turns[name]),
                "value": result.value,
                "visited": result.counts.visited,
                "cutoffs": result.counts.cutoffs,
            }
            for name, result in found.items()
        }
    ).T


def diagnoses(problem: Problem) -> pd.DataFrame:
    """What `homework --check` finds in programs with one mistake each, on an input with a log.

    One row a mistake that changes a file there, with the first line that differs; `fit` are the
    mistakes that lead to the same files.
    """
    rows = {}
    with TemporaryDirectory() as folder:
        for cause in CAUSES:
            report = check(problem, mistaken_files(problem, cause.defects, Path(folder)))
            if report.differences:
                first = report.differences[0]
                rows[cause.name.replace("-", " ")] = {
                    "in": "log" if first.file == LOG else "board",
                    "line": first.line,
                    "with the mistake": first.yours,
                    "ours": first.ours,
                    "fit": len(report.causes),
                }
    return pd.DataFrame(rows).T


def mistaken_files(problem: Problem, defects: Defects, folder: Path) -> Files:
    """The two files that a program with these defects writes."""
    files, lines = Files(folder / NEXT_STATE, folder / LOG), list[str]()
    after = Program(problem, defects, lambda line, _: lines.append(f"{line}\n")).run()
    (folder / NEXT_STATE).write_text(after)
    (folder / LOG).write_text("".join(lines))
    return files


def unit_costs(
    sizes: Iterable[int], boards: int, cutoff: int, most: int = 6, seed: int = 0
) -> pd.DataFrame:
    """Random boards searched to one cut-off, in sows and in turns: one row a search.

    sizes: pits a side. A pit holds 0 to `most` stones, the stores are empty, and the players
    are to move by turns. `first` is the first sow of the best line, `visited` the nodes entered.
    """
    return pd.DataFrame(
        {"pits": pits, "board": number, "algorithm": name, "depth in": f"{unit}s"}
        | {"first": result.move, "visited": result.counts.visited}
        for pits, number in product(sizes, range(boards))
        for state in [random_state(pits, number, most, seed)]
        for name, unit in product(COMPARED, get_args(Unit))
        for how in [(store_difference, Depth(cutoff, unit), column_order)]
        for result in [ALGORITHMS[name](Mancala(), state, *how)]
    )


def random_state(pits: int, number: int, most: int, seed: int) -> State:
    """A board of 0 to `most` stones a pit, neither row empty; the same for the same numbers."""
    chance = Random(f"{seed} {pits} {number}")
    while True:
        south, north = ([chance.randint(0, most) for _ in range(pits)] for _ in NAMES)
        if any(south) and any(north):
            return State((*south, 0, *north, 0), number % 2)


def unit_summary(costs: pd.DataFrame) -> pd.DataFrame:
    """By pits a side: what counting turns costs, and what alpha-beta saves (medians of ratios).

    turns / sows: times the nodes that the same search visits when it counts sows. saved: the
    share of minimax's nodes that alpha-beta leaves out. other first sow: the share of boards
    on which counting turns chooses another.
    """
    board, search = ["pits", "board"], ["algorithm", "depth in"]
    visited = costs.pivot(index=board, columns=search, values="visited")
    first = costs.pivot(index=board, columns=search, values="first")["minimax"]
    ratios = {
        f"{name}, turns / sows": visited[name, "turns"] / visited[name, "sows"] for name in COMPARED
    }
    saved = {
        f"saved in {units}": 1 - visited["alpha_beta", units] / visited["minimax", units]
        for units in ("sows", "turns")
    }
    other = (first["sows"] != first["turns"]).groupby("pits").mean()
    return (
        pd.DataFrame(ratios | saved).groupby("pits").median().assign(**{"other first sow": other})
    )


def draw_units(costs: pd.DataFrame) -> Figure:
    """Nodes against pits a side on a log scale: medians, and bars for the middle half of boards.

    One line for each algorithm and unit of depth, set side by side a little.
    """
    figure, [[ax]] = panels(1, 1, (8.0, 4.5))
    looks = product(
        zip(costs["algorithm"].unique(), PALETTE.values(), strict=False),
        zip(costs["depth in"].unique(), ("o-", "X--"), strict=False),
    )
    for place, ((name, hue), (unit, line)) in enumerate(looks):
        rows = costs[(costs["algorithm"] == name) & (costs["depth in"] == unit)]
        visited = rows.groupby("pits")["visited"]
        low, middle, high = (visited.quantile(part) for part in (0.25, 0.5, 0.75))
        ax.errorbar(
            middle.index + 0.08 * (place - 1.5), middle, yerr=(middle - low, high - middle),
            fmt=line, color=hue, capsize=3, elinewidth=1.2, markersize=7,
            label=f"{name}, depth in {unit}",
        )  # fmt: skip
    ax.set(yscale="log", xlabel="pits a side", ylabel="nodes visited")
    whole_numbers(ax.xaxis)
    plain_numbers(ax.yaxis)
    ax.legend(loc="upper left", handlelength=4)
    return alt(figure, say("draw-units"))


def conclusion(costs: pd.DataFrame, summary: pd.DataFrame, cutoff: int) -> str:
    """What counting turns costs, what alpha-beta wins back and whether moves change, in words.

    costs: `unit_costs` at a cut-off; summary: their `unit_summary`.
    """
    turns = costs[costs["depth in"] == "turns"]
    most = turns.groupby("algorithm")["visited"].max()
    dearest, last, pits = summary.max(), summary.iloc[-1], summary.index[-1]
    least = min(dearest[f"{name}, turns / sows"] for name in COMPARED)
    dearer = say("dearer" if least > 1 else "not-dearer")
    more = "a larger share" if last["saved in turns"] > last["saved in sows"] else "no larger share"
    saved = say("saved", more=more, pits=pits, row=last)
    share = summary["other first sow"].mean()
    other = say("other-move" if share else "same-move", share=share)
    facts = {"dearest": dearest, "most": most, "saved": saved, "other": other}
    return say("conclusion", dearer=dearer, cutoff=cutoff, **facts)


def finding(costs: pd.DataFrame, cutoff: int) -> str:
    """What counting turns costs on the largest boards, and how often it changes the move."""
    pits = costs["pits"].max()
    wide = costs.pivot(index=["pits", "board"], columns=["algorithm", "depth in"])
    first = wide["first"]["minimax"]
    times = {name: _times(wide["visited"][name].loc[pits]) for name in COMPARED}
    changed = (first["sows"] != first["turns"]).mean()
    costly = all(each.low > 1 for each in times.values())
    said = "costs" if costly else "is not shown to cost both searches more nodes:"
    move = say("changes" if changed else "changes-none", changed=changed)
    return say("finding", pits=pits, cutoff=cutoff, said=said, times=times, move=move)


def _times(visited: pd.DataFrame) -> Interval:
    """Nodes in turns over nodes in sows: geometric mean of the boards, and its 95 % interval."""
    logs = np.log(visited["turns"] / visited["sows"])
    return Interval(*(float(np.exp(each)) for each in mean_of(list(logs))))
