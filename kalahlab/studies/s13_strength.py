"""How good a static evaluator can get: evaluators judged by the benchmark of positions."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from kalahlab.backends import SearchSpec
from kalahlab.data import data_rows
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.fitted import FEATURES, linear
from kalahlab.games.kalah import State
from kalahlab.grid import Row
from kalahlab.judging.clusters import clustered_mean
from kalahlab.judging.judged import PHASES, Judged, read
from kalahlab.judging.player import judge_player, judge_search, summary
from kalahlab.judging.regret import chance
from kalahlab.matches.rating import Interval
from kalahlab.matches.sequential import ERRORS, log_likelihood_ratio
from kalahlab.play import search_player
from kalahlab.report.draw.axes import LOOKS, panels, plain_numbers, whole_numbers
from kalahlab.report.draw.style import alt
from kalahlab.report.draw.tables import Shown
from kalahlab.search import Depth, alpha_beta
from kalahlab.words import Words, with_minus

say = Words("studies", "s13_strength")

Floats = NDArray[np.float64]

LEFT_OUT = ("e2", "staged_capture")
"""Evaluators that the page leaves out: the store difference again, and what no document prints."""

BASE = "store_difference"

AS_MANY = "best moves, as many nodes"
"""The heading of what searches that do not wait for quiescence reach at as many nodes."""

HEADINGS = {"optimal": "best moves", "kept": "outcome kept", "regret": "regret in stones"}
"""The measures as a page names them."""

STEPS = {
    "the store": ("store",),
    "stones in each pit": tuple(name for name in FEATURES if name.startswith("stones_")),
    "mobility": ("mobility",),
    "spills": ("spills",),
    "extra turns": ("extra_turns",),
    "captures": ("capture",),
}
"""The features of `fitted`, in the order in which the page adds them."""

PUBLISHED = (
    ((379, 10170, 21828, 10640, 343), 2.946),
    ((365, 16618, 36229, 16974, 390), 2.25),
)
"""Pairs of two published matches by points, and their log-likelihood ratios for [0, 2]."""

WEIGHT_STEPS = 256
"""Weights are rounded to multiples of one of so many parts of a stone."""

Rows = list[Row]


@cache
def benchmark() -> tuple[Judged, ...]:
    """All of its positions."""
    return tuple(read("benchmark.csv.gz"))


def positions(
    rules: str, start: Sequence[int], part: str, number: int | None = None
) -> list[Judged]:
    """The benchmark's positions of a part, from games on a board; so many of them, evenly drawn."""
    alike = (row for row in benchmark() if row.start == tuple(start))
    rows = [row for row in alike if row.rules == rules and row.origin and row.origin.part == part]
    wanted = len(rows) if number is None else min(number, len(rows))
    return [rows[at * len(rows) // wanted] for at in range(wanted)]


def described(sample: Sequence[Judged]) -> pd.DataFrame:
    """How many positions and games each phase has, and what a move at random is like there."""
    rows = {}
    for phase in ("all", *PHASES):
        some = [row for row in sample if phase in ("all", row.phase)]
        regret, optimal = chance(some)
        rows[phase] = {
            "positions": len(some),
            "games": len({row.origin.game for row in some if row.origin}),
            "best moves at random": optimal,
            "regret at random": regret,
        }
    return pd.DataFrame.from_dict(rows, "index").rename_axis("phase")


def judge_all(
    evaluators: Iterable[str], depths: Sequence[int], sample: Sequence[Judged], backend: str
) -> Rows:
    """The moves of alpha-beta with each evaluator to each depth, in pit order: `judge_search`."""
    rows = Rows()
    for name in evaluators:
        spec = SearchSpec("alpha_beta", name, backend=backend)
        rows += [row for depth in depths for row in judge_search(spec, depth, sample)]
    return rows


def judge_waiting(name: str, depths: Sequence[int], sample: Sequence[Judged]) -> Rows:
    """The same of one evaluator, with a search that waits for quiescence below each depth."""
    spec = SearchSpec("alpha_beta", name, "quiescence", backend="textbook")
    return [row for depth in depths for row in judge_search(spec, depth, sample)]


def rates(moves: Iterable[Row], by: Sequence[str] = ("evaluator", "depth")) -> Rows:
    """A row for each of `by`, which it names: nodes for a move, and each measure: `summary`."""
    groups = dict[tuple[Any, ...], Rows]()
    for row in moves:
        groups.setdefault(tuple(row[name] for name in by), []).append(row)
    return [
        dict(zip(by, key, strict=True))
        | {"nodes": fmean(row["nodes"] for row in group)}
        | summary(group, "")
        for key, group in groups.items()
    ]


def interval(row: Row, measure: str) -> Interval:
    """A measure of a row of `rates`."""
    return Interval.of(row, measure, (f"{measure}_low", f"{measure}_high"))


def readable(table: Rows) -> pd.DataFrame:
    """`rates` for a page."""
    names = ("evaluator", "depth", "nodes")
    shown = (
        {name: row[name] for name in names}
        | {heading: _cell(interval(row, name)) for name, heading in HEADINGS.items()}
        for row in table
    )
    return pd.DataFrame(shown).set_index(["evaluator", "depth"])


def _cell(found: Interval, form: str = ".2f") -> Shown:
    text = with_minus(f"{found:{form}}")
    return Shown(text, {"": found.mean, "low": found.low, "high": found.high})


def beside_waiting(moves: Rows, waiting: Rows) -> pd.DataFrame:
    """The searches of an evaluator that wait, and at each of their depths the one that does not.

    A row a depth and leaf. The last column is the share of best moves of the searches that do not
    wait at as many nodes, by `at_nodes`.
    """
    rows = dict[tuple[int, str], dict[str, Any]]()
    own = [row for row in rates(moves) if row["evaluator"] == waiting[0]["evaluator"]]
    for late in rates(waiting):
        depth = late["depth"]
        [early] = [row for row in own if row["depth"] == depth]
        for leaf, row in (("at the depth", early), ("at a quiet position", late)):
            shown = {HEADINGS[name]: _cell(interval(row, name)) for name in ("optimal", "regret")}
            alike = at_nodes(own, [row["nodes"]]).iloc[0, 0]
            rows[depth, leaf] = {"nodes": row["nodes"], **shown, AS_MANY: alike}
    return pd.DataFrame.from_dict(rows, "index").rename_axis(["depth", "stops"])


def by_phase(moves: Rows, depth: int) -> pd.DataFrame:
    """The share of best moves of each evaluator in each phase, at a depth."""
    found = dict[str, dict[str, Shown]]()
    some = [row for row in moves if row["depth"] == depth]
    for row in rates(some, ("evaluator", "phase")):
        found.setdefault(row["evaluator"], {})[row["phase"]] = _cell(interval(row, "optimal"))
    return pd.DataFrame.from_dict(found, "index")[[*PHASES]].rename_axis("evaluator")


def draw_rates(table: Rows) -> Figure:
    """The share of best moves, and the regret, against the nodes for a move: `rates`."""
    figure, axes = panels(1, 2, (9.5, 4.4), sharex=True)
    for ax, measure in zip(axes[0], ("optimal", "regret"), strict=True):
        for nth, name in enumerate(dict.fromkeys(row["evaluator"] for row in table)):
            _draw_line(ax, nth, [row for row in table if row["evaluator"] == name], measure)
        ax.set(xscale="log", ylabel=HEADINGS[measure])
        plain_numbers(ax.xaxis)
    axes[0][0].yaxis.set_major_formatter(PercentFormatter(1))
    figure.supxlabel("nodes visited for a move (bars: 95 % interval)", fontsize="medium")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    said = [f"{row['evaluator']} {row['optimal']:.0%}" for row in at_depth(table, deepest(table))]
    return alt(figure, say("draw-rates", depth=deepest(table), said=said))


def _draw_line(ax: Axes, nth: int, rows: Rows, measure: str) -> None:
    """An evaluator's measure at all depths; dashed if its colour stands for another, too."""
    (marker, colour), style = LOOKS[nth % len(LOOKS)], ("-", "--")[nth >= len(LOOKS)]
    found = [interval(row, measure) for row in rows]
    ax.errorbar(
        [row["nodes"] for row in rows],
        [each.mean for each in found],
        [[each.mean - each.low for each in found], [each.high - each.mean for each in found]],
        color=colour, marker=marker, linestyle=style, markersize=5, capsize=2,
        label=rows[0]["evaluator"],
    )  # fmt: skip


def at_nodes(
    table: Rows, budgets: Sequence[int], speed: Mapping[str, float] | None = None
) -> pd.DataFrame:
    """Best moves and regret for so many nodes a move, between depths by the logarithm of the nodes.

    table: `rates`. speed: each evaluator's nodes a second, as a share of the store difference's;
    with it a budget is the time that so many nodes with the store difference take. A row an
    evaluator, the best at the largest budget first; missing where no depth was so cheap, or so
    costly.
    """
    unit = "nodes" if speed is None else "nodes' time"
    rows = dict[str, dict[str, float]]()
    for name in dict.fromkeys(row["evaluator"] for row in table):
        some = [row for row in table if row["evaluator"] == name]
        rate = 1.0 if speed is None else speed[name]
        for measure in ("optimal", "regret"):
            known = [row[measure] for row in some]
            cost = np.log([row["nodes"] / rate for row in some])
            found = np.interp(np.log(budgets), cost, known, left=np.nan, right=np.nan)
            heads = [f"{HEADINGS[measure]}, {budget:,} {unit}" for budget in budgets]
            rows.setdefault(name, {}).update(zip(heads, found.tolist(), strict=True))
    frame = pd.DataFrame.from_dict(rows, "index").rename_axis("evaluator")
    return frame.sort_values(f"{HEADINGS['optimal']}, {budgets[-1]:,} {unit}", ascending=False)


def speeds() -> dict[str, float]:
    """Each evaluator's nodes a second in the engine, as a share of the store difference's."""
    rows = data_rows("evaluator_speeds.csv", share=float, general=float)
    return {row["evaluator"]: row["share"] for row in rows}


def draw_curves(curves: Mapping[str, Sequence[Row]]) -> Figure:
    """What the network's training came to after each epoch: best moves, and regret in stones.

    curves: by pits a side, a row an epoch, on games that were held out: `LEARNED["curves"]`.
    """
    figure, axes = panels(1, 2, (9.5, 3.6), sharex=True)
    for ax, measure in zip(axes[0], ("optimal", "regret"), strict=True):
        for (pits, rows), (marker, colour) in zip(curves.items(), LOOKS, strict=False):
            epochs = [row["epoch"] for row in rows]
            values = [row[measure] for row in rows]
            ax.plot(epochs, values, color=colour, marker=marker, markersize=4, label=f"{pits} pits")
        ax.set(ylabel=HEADINGS[measure])
        whole_numbers(ax.xaxis)
    axes[0][0].yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    figure.supxlabel("epoch", fontsize="medium")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    said = [
        f"{pits} pits from {rows[0]['optimal']:.1%} to {rows[-1]['optimal']:.1%}"
        for pits, rows in curves.items()
    ]
    return alt(figure, say("draw-curves", said=said))


def deepest(table: Rows) -> int:
    """The greatest depth of `rates`."""
    return max(int(row["depth"]) for row in table)


def shallowest(table: Rows) -> int:
    """The least depth of `rates`."""
    return min(int(row["depth"]) for row in table)


def at_depth(table: Rows, depth: int) -> Rows:
    """The rows of a depth, the greatest share of best moves first."""
    return sorted((row for row in table if row["depth"] == depth), key=lambda row: -row["optimal"])


def best_at(table: Rows, depth: int) -> str:
    """The evaluator with the greatest share of best moves at a depth."""
    return str(at_depth(table, depth)[0]["evaluator"])


def ladder(train: Sequence[Judged], test: Sequence[Judged]) -> Rows:
    """What each feature adds: those of `STEPS` one after the other, fitted to `train` each time.

    A row a step: features, its name; r2, the share of the variance of the exact values of `test`
    that is explained; the measures of a search of depth 1 there; gain, gain_low and gain_high, in
    best moves, on the step before.
    """
    rows, before = Rows(), list[float]()
    for step, names in zip(STEPS, accumulate(STEPS.values()), strict=True):
        weights, to_move = _fit(names, train)
        player = search_player(alpha_beta, linear(weights), Depth(1))
        moves = list(judge_player(player, test))
        optimal = [move["optimal"] for move in moves]
        more = [now - then for now, then in zip(optimal, before or optimal, strict=True)]
        gain = Interval(*clustered_mean(more, [move["game"] for move in moves]))
        row = {"features": step, "r2": _explained(weights, to_move, test)} | summary(moves, step)
        rows.append(row | gain.columns("gain", ("gain_low", "gain_high")))
        before = optimal
    return rows


def ladder_table(steps: Rows) -> pd.DataFrame:
    """`ladder` for a page."""
    shown = {
        f"+ {row['features']}" if nth else row["features"]: {
            "R²": row["r2"],
            HEADINGS["optimal"]: _cell(interval(row, "optimal")),
            "gain": _cell(interval(row, "gain"), "+.2f") if nth else Shown("–", {}),
            HEADINGS["regret"]: _cell(interval(row, "regret")),
        }
        for nth, row in enumerate(steps)
    }
    return pd.DataFrame.from_dict(shown, "index").rename_axis("features")


def _features(sample: Sequence[Judged]) -> Floats:
    """A row a position: each feature of `fitted`, the mover's minus the opponent's."""
    alone = [linear(row) for row in np.eye(len(FEATURES)).tolist()]
    return np.array([[each(*row.state) for each in alone] for row in sample])


def _fit(names: Sequence[str], sample: Sequence[Judged]) -> tuple[list[float], float]:
    """The weights of some features by least squares, and what being to move is worth."""
    chosen = [FEATURES.index(name) for name in names if name != "store"]
    rows, values = _features(sample), np.array([row.value for row in sample], float)
    columns = np.column_stack([rows[:, chosen], np.ones(len(rows))])
    found = np.linalg.lstsq(columns, values - rows[:, 0], rcond=None)[0]
    weights = np.zeros(len(FEATURES))
    weights[0], weights[chosen] = 1, np.round(found[:-1] * WEIGHT_STEPS) / WEIGHT_STEPS
    return weights.tolist(), float(found[-1])


def _explained(weights: Sequence[float], to_move: float, sample: Sequence[Judged]) -> float:
    """R²: 1 less the squared errors as a share of those of the mean."""
    values = np.array([row.value for row in sample], float)
    wrong = values - (_features(sample) @ np.array(weights) + to_move)
    return float(1 - (wrong**2).sum() / ((values - values.mean()) ** 2).sum())


def stone_worth(evaluators: Mapping[str, Evaluator], sample: Sequence[Judged]) -> pd.DataFrame:
    """What one stone more in a pit is worth to each evaluator, on the mean of the positions.

    A row an evaluator, a column a pit of the mover's, from the left; in its own unit.
    """
    pits = range(len(sample[0].moves))
    rows = {
        name: {pit + 1: fmean(_added(each, row.state, pit) for row in sample) for pit in pits}
        for name, each in evaluators.items()
    }
    return pd.DataFrame.from_dict(rows, "index").rename_axis("evaluator")


def _added(evaluator: Evaluator, state: State, pit: int) -> float:
    """How much better a position looks to the mover with a stone more in one of its pits."""
    board = list(state.board)
    board[pit] += 1
    return evaluator(board, state.player) - evaluator(state.board, state.player)


def hardest(moves: Rows, evaluator: str, depth: int) -> Row:
    """The move that gives up most, of those of an evaluator at a depth; the first of several."""
    some = (row for row in moves if (row["evaluator"], row["depth"]) == (evaluator, depth))
    return max(some, key=lambda row: row["regret"])


def of_hardest(move: Row, row: Judged) -> str:
    """What an evaluator plays in the position in which it gives up most, in words."""
    best = [str(pit + 1) for pit, worth in enumerate(row.moves) if worth == row.value]
    name = "best-move" if len(best) == 1 else "best-moves"
    rather = say(name, best=best, value=_signed(row.value))
    facts = {"move": move, "worth": _signed(row.value - move["regret"]), "rather": rather}
    return say("hardest" if move["regret"] else "hardest-none", **facts)


def _signed(margin: int) -> str:
    return with_minus(f"{margin:+d}") if margin else "0"


def sequential_errors() -> pd.DataFrame:
    """How often the sequential test of a match errs, by `data/sequential.csv`."""
    return pd.DataFrame(
        {
            "bounds": f"{row['low']:g}, {row['high']:g}",
            "games drawn": f"{row['draws']:.0%}",
            "true": f"{row['truth']:g}",
            "errors": _cell(interval(row, "error"), ".3f"),
            "pairs": round(row["pairs"]),
        }
        for row in data_rows("sequential.csv", kind=float)
    )


def published_ratios() -> pd.DataFrame:
    """Two published matches and their ratios, as printed and as computed here."""
    return pd.DataFrame(
        {
            "pairs with 0, 1/2, 1, 3/2, 2 points": ", ".join(f"{count:,}" for count in counts),
            "published": f"{printed:.3f}",
            "computed": f"{log_likelihood_ratio(counts, 0, 2):.3f}",
        }
        for counts, printed in PUBLISHED
    )


def of_errors(rows: Rows) -> str:
    """Whether simulated error rates keep to what the test says, in words."""
    above = [row for row in rows if row["error_low"] > ERRORS]
    worst = max(rows, key=lambda row: row["error"])
    facts = {"cells": len(rows), "matches": int(worst["matches"]), "allowed": ERRORS}
    name = "errors-above" if above else "errors-kept"
    return say(name, above=len(above), worst=worst, error=interval(worst, "error"), **facts)


def compared(moves: Rows, one: str, other: str, depth: int) -> Interval:
    """By how much the share of best moves of one evaluator is more than that of another."""
    some = [row for row in moves if row["depth"] == depth]
    first, second = ([row for row in some if row["evaluator"] == name] for name in (one, other))
    more = [a["optimal"] - b["optimal"] for a, b in zip(first, second, strict=True)]
    return Interval(*clustered_mean(more, [row["game"] for row in first]))


def of_best(moves: Rows, table: Rows, depth: int) -> str:
    """The best evaluator at a depth beside the next, in words."""
    first, second = at_depth(table, depth)[:2]
    more = compared(moves, first["evaluator"], second["evaluator"], depth)
    name = "best-sure" if more.low > 0 else "best-not-told-apart"
    share = interval(first, "optimal")
    return say(name, depth=depth, first=first, second=second, share=share, more=more)


def of_waiting(moves: Rows, waiting: Rows) -> str:
    """What waiting for quiescence is worth at the greatest depth that it was tried at, in words."""
    depth = deepest(waiting)
    late = [row for row in waiting if row["depth"] == depth]
    name = late[0]["evaluator"]
    early = [row for row in moves if (row["evaluator"], row["depth"]) == (name, depth)]
    gains = [a["optimal"] - b["optimal"] for a, b in zip(late, early, strict=True)]
    more = Interval(*clustered_mean(gains, [row["game"] for row in late]))
    [row], [plain] = rates(late), rates(early)
    alike = at_nodes([each for each in rates(moves) if each["evaluator"] == name], [row["nodes"]])
    facts = {"row": row, "plain": plain, "times": row["nodes"] / plain["nodes"], "more": more}
    kind = "waiting-not-told-apart" if more.low <= 0 <= more.high else "waiting-sure"
    beyond = alike.isna().iloc[0, 0]
    at = say("waiting-beyond") if beyond else say("waiting-nodes", alike=alike.iloc[0, 0])
    return say(kind, name=name, depth=depth, share=interval(row, "optimal"), **facts) + at


def of_depth(table: Rows, best: str) -> str:
    """How deep the store difference must search to play as many best moves, in words."""
    least = shallowest(table)
    start = next(row for row in at_depth(table, least) if row["evaluator"] == best)
    base = [row for row in table if row["evaluator"] == BASE]
    reached = [row for row in base if row["optimal"] >= start["optimal"]]
    facts = {"best": best, "least": least, "share": start["optimal"], "base": BASE}
    if best == BASE:
        return say("depth-itself", **facts)
    if not reached:
        top = max(row["optimal"] for row in base)
        return say("depth-beyond", most=deepest(table), top=top, **facts)
    row = min(reached, key=lambda row: int(row["depth"]))
    return say("depth-reached", row=row, times=row["nodes"] / start["nodes"], **facts)


def of_ladder(steps: Rows) -> str:
    """Which features add best moves, in words: `ladder`."""
    sure = [_step(row) for row in steps if row["gain_low"] > 0]
    worse = [_step(row) for row in steps if row["gain_high"] < 0]
    costs = say("ladder-worse", worse=worse) if worse else ""
    facts = {"first": steps[0]["optimal"], "last": steps[-1]["optimal"]}
    return say("ladder" if sure else "ladder-none", sure=sure, **facts) + costs


def _step(row: Row) -> str:
    return f"{row['features']} ({with_minus(format(row['gain'], '+.0%'))})"


def of_phases(moves: Rows, best: str, depth: int) -> str:
    """Where an evaluator at a depth plays the fewest best moves, in words."""
    some = [row for row in moves if (row["evaluator"], row["depth"]) == (best, depth)]
    worst, *_, most = sorted(rates(some, ("phase",)), key=lambda row: float(row["optimal"]))
    apart = worst["optimal_high"] < most["optimal_low"]
    facts = {"worst": interval(worst, "optimal"), "most": interval(most, "optimal")}
    names = {"in_worst": worst["phase"], "in_most": most["phase"]}
    return say("phases" if apart else "phases-alike", best=best, depth=depth, **facts, **names)


def finding(table: Rows, moves: Rows) -> str:
    """What the notebook found, in one sentence."""
    least = shallowest(table)
    first, *others = at_depth(table, least)
    share = interval(first, "optimal")
    if first["evaluator"] == BASE:
        return say("finding-base", first=first, share=share, least=least)
    base = next(row for row in others if row["evaluator"] == BASE)
    more = compared(moves, first["evaluator"], BASE, least)
    name = "finding" if more.low > 0 else "finding-not-told-apart"
    return say(name, first=first, share=share, least=least, base=interval(base, "optimal"))


def answer(table: Rows, moves: Rows, steps: Rows, waiting: Rows) -> str:
    """What the notebook found, in words: `rates`, `judge_all`, `ladder` and `judge_waiting`."""
    least, most = shallowest(table), deepest(table)
    best = best_at(table, least)
    return say(
        "answer",
        static=of_best(moves, table, least),
        deep=of_best(moves, table, most),
        waiting=of_waiting(moves, waiting),
        depth=of_depth(table, best),
        ladder=of_ladder(steps),
        phases=of_phases(moves, best, least),
    )


FOLLOWS = say("follows")
"""What the page leads to."""
