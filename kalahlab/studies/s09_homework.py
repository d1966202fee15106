"""The Mancala homework as its notebook shows it: a search beside its log, and what depth costs."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape
from io import StringIO
from itertools import product
from random import Random
from typing import get_args

import pandas as pd
from matplotlib.figure import Figure

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import NAMES, State
from kalahlab.published.homework import (
    PRINTED_AGAIN,
    PRINTED_E,
    TASKS,
    Mancala,
    Problem,
    TraversalLog,
    column_order,
    solve,
    whole_turn,
)
from kalahlab.report.draw.artifacts import Picture
from kalahlab.report.draw.axes import panels, plain_numbers, whole_numbers
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.search import ALGORITHMS, Depth
from kalahlab.search.deep_enough import Unit
from kalahlab.search.observer import CompositeObserver
from kalahlab.trace import Recorder, Trace, grow

COMPARED = ("minimax", "alpha_beta")


@dataclass(frozen=True)
class Beside:
    """A picture with a text to the right of it, or below where there is no room."""

    picture: Picture
    text: str

    def __repr__(self) -> str:
        return f"{self.picture!r} beside {len(self.text.splitlines())} lines of text"

    def _repr_html_(self) -> str:
        return (
            '<div style="display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start">'
            f"<div>{self.picture.svg}</div>"
            f'<pre style="margin: 0; font-size: 12px; line-height: 1.5">{escape(self.text)}</pre>'
            "</div>"
        )


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
    return alt(figure, "Nodes visited against pits a side: two searches, two units of depth.")


def conclusion(costs: pd.DataFrame, summary: pd.DataFrame, cutoff: int) -> str:
    """What counting turns costs and what alpha-beta wins back, in words.

    costs: `unit_costs` at a cut-off; summary: their `unit_summary`.
    """
    turns = costs[costs["depth in"] == "turns"]
    worst = turns.pivot(index=["pits", "board"], columns="algorithm", values="visited")
    heaviest = worst.sort_values("minimax").iloc[-1]
    dearer, last = summary.max(), summary.iloc[-1]
    return (
        f"At cut-off {cutoff} the median board makes minimax visit up to "
        f"{dearer['minimax, turns / sows']:.1f} times as many nodes in turns as in sows, and "
        f"single boards are far worse: the heaviest took {heaviest['minimax']:,}. Alpha-beta wins "
        "much of it back, for longer lines give it more to cut: with "
        f"{summary.index[-1]} pits a side it leaves out {last['saved in turns']:.0%} of minimax's "
        f"nodes in turns, {last['saved in sows']:.0%} in sows, and the heaviest board took it "
        f"{heaviest['alpha_beta']:,}; yet turns cost it, too, up to "
        f"{dearer['alpha_beta, turns / sows']:.1f} times. The longer look chooses another first "
        f"sow on {summary['other first sow'].mean():.0%} of the boards. So the unit is no detail: "
        "two programs that both keep to the text can differ in the log, the cost and the move."
    )
