"""Printed beside recomputed, the defects turned off and on, and the study done again."""

import inspect
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from kalahlab.experiments import MEASURED, Point, grid
from kalahlab.published import comparison, criteria
from kalahlab.published.comparison import Mode
from kalahlab.published.cs5329 import (
    ALGORITHMS,
    EVALUATIONS,
    Defects,
    memory_by_formula,
    play_published,
)
from kalahlab.report.draw.tables import Shown

GAME = ["algorithm", "evaluation", "depth"]
FIGURES = ["generated", "expanded", "path"]

SETTINGS = ["rules", "algorithm", "evaluator", "depth"]
COUNTS = ["generated", "expanded", "evaluated", "cutoffs"]
"""The columns of the corrected study that say what was searched, and what it cost."""

MODES: dict[Mode, str] = {
    "cumulative": "in series",
    "off-alone": "only this one off",
    "on-alone": "only this one on",
}
"""How the defects are turned, in words: see `kalahlab.published.comparison.ladder`."""

TIMED = 4
"""The deepest searches, in sows, of which seconds and memory are measured."""

CONTROLS = ("pit order", "store first", "at random")
"""How ties between moves at the root are broken."""


def beside(table: pd.DataFrame) -> pd.DataFrame:
    """The printed figures and the recomputed ones, as `generated/expanded/path`."""
    return table[GAME].assign(
        printed=_joined(table, "printed_"), recomputed=_joined(table, ""), verdict=table["verdict"]
    )


def _joined(table: pd.DataFrame, prefix: str) -> "pd.Series[Any]":
    return _shown(table[[prefix + name for name in FIGURES]], FIGURES, "/", "not defined")


def _shown(
    numbers: pd.DataFrame, names: Sequence[str], between: str, missing: str
) -> "pd.Series[Any]":
    """Each row's numbers in a cell, or what stands for a row with none."""
    cells: list[Any] = [
        Shown(between.join(map(str, whole)), dict(zip(names, whole, strict=True)))
        if (whole := [int(number) for number in row if not pd.isna(number)])
        else missing
        for row in numbers.to_numpy(float)
    ]
    return pd.Series(cells, numbers.index, object)


def slips(table: pd.DataFrame) -> pd.DataFrame:
    """The rows with a misprint, and the memory that belongs to either number of nodes."""
    wrong = table[table["verdict"] == "slip in print"]
    return wrong[GAME].assign(
        **{
            "nodes, printed": wrong["printed_generated"].astype(int),
            "their memory": wrong["printed_generated"].astype(int).map(memory_by_formula),
            "nodes, recomputed": wrong["generated"].astype(int),
            "their memory by formula": wrong["generated"].astype(int).map(memory_by_formula),
            "memory, printed": wrong["printed_memory_kb"].astype(int),
        }
    )


def e1_with_constants(constants: Sequence[float] = (-1999, 0, 1999)) -> pd.DataFrame:
    """MinMaxAB's games with E1 if the variable that it never sets held a constant."""
    return pd.DataFrame(
        {
            f"depth {depth}": {
                str(constant): _joined(_with_constant(depth, constant), "").iloc[0]
                for constant in constants
            }
            | {"in print": _joined(_with_constant(depth, 0), "printed_").iloc[0]}
            for depth in (2, 4)
        }
    ).rename_axis("value of the variable")


def _with_constant(depth: int, constant: float) -> pd.DataFrame:
    return pd.DataFrame(comparison.table(depths=(depth,), e1_otherwise=constant)[:1])


def games_played() -> pd.DataFrame:
    """The games of the printed program: whether depth matters, and how often the leftmost pit is
    played, of the pits that are not empty."""
    return pd.DataFrame(
        [
            {
                "algorithm": algorithm,
                "evaluation": evaluation,
                "moves": _pair(len(two.moves), "and", len(four.moves), ("depth 2", "depth 4")),
                "the same moves": "yes" if two.moves == four.moves else "no",
                "leftmost pit, depth 2": _pair(comparison.leftmost(two), "of", len(two.moves)),
                "leftmost pit, depth 4": _pair(comparison.leftmost(four), "of", len(four.moves)),
            }
            for algorithm in ALGORITHMS
            for evaluation in EVALUATIONS
            for two, four in [[play_published(algorithm, evaluation, depth) for depth in (2, 4)]]
            if two.defined
        ]
    )


def _pair(one: int, between: str, other: int, names: tuple[str, str] = ("", "of")) -> Shown:
    return Shown(f"{one} {between} {other}", dict(zip(names, (one, other), strict=True)))


def undefined(table: pd.DataFrame) -> pd.DataFrame:
    """The rows that are not defined, and why."""
    return table.loc[table["verdict"] == "not defined", [*GAME, "why"]]


def transcripts(boards: pd.DataFrame) -> pd.DataFrame:
    """For each log: its boards, the fields that can be read, and those that contradict."""
    return boards.groupby("title", sort=False).agg(
        boards=("step", "size"),
        fields_read=("legible", "sum"),
        contradictions=("contradicts", lambda found: sum(map(len, found))),
    )


def ladders(depths: Sequence[int]) -> pd.DataFrame:
    """The printed figures' defects turned in series, off alone and on alone, by `mode`.

    times: the nodes generated by those before the step, or by the program that differs in
    this defect alone and has less of them (off alone) or fewer defects (on alone).
    """
    return pd.concat(
        [_ladder(depths, mode).assign(mode=words) for mode, words in MODES.items()],
        ignore_index=True,
    )


def _ladder(depths: Sequence[int], mode: Mode) -> pd.DataFrame:
    frame = pd.DataFrame(comparison.ladder(depths, mode=mode))
    nodes = frame["generated"].astype(float)
    games = nodes.groupby([frame[name] for name in GAME])
    before = games.shift() if mode == "cumulative" else games.transform(lambda rungs: rungs.iloc[0])
    return frame.assign(times=nodes / before)


def rungs(ladder: pd.DataFrame) -> pd.DataFrame:
    """For each defect: how many games change in series, off alone, on alone; the series' nodes.

    ladder: of `ladders`. The last columns are of the program after that step of the series.
    """
    changed = ladder.pivot_table(
        index="defect", columns="mode", values="changed", aggfunc="sum", sort=False
    )
    series = ladder[ladder["mode"] == MODES["cumulative"]]
    steps = series.groupby("defect", sort=False).agg(
        defined=("verdict", lambda verdicts: int((verdicts != "not defined").sum())),
        generated=("generated", lambda nodes: int(nodes.dropna().sum())),
        longest_game=("path", lambda paths: int(paths.dropna().max())),
    )
    table = changed[list(MODES.values())].astype(int).join(steps)
    return table.rename(index={"": "(as printed)"}).rename_axis("defect")


def defects() -> pd.DataFrame:
    """What each defect does in the printed program, and the code of `cs5329` that asks for it."""
    lines = [
        line.strip() for line in inspect.getsource(sys.modules[Defects.__module__]).splitlines()
    ]
    asked = {
        name: [line for line in lines if f"defects.{name.replace('-', '_')}" in line]
        for name in Defects.names()
    }
    rows = {
        name: {"the printed program": says, "the switch in the package": " … ".join(asked[name])}
        for name, says in Defects.describe().items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("defect")


def first_and_last(ladder: pd.DataFrame) -> pd.DataFrame:
    """The printed figures, and those of the program as printed and corrected, recomputed.

    The stores are recomputed too: the printed table has none.
    """
    series = ladder[ladder["mode"] == MODES["cumulative"]]
    ends = [series[series["rung"] == rung].reset_index() for rung in (0, series["rung"].max())]
    return ends[0][GAME].assign(
        **{"in print": _joined(ends[0], "printed_")},
        **{"as printed, recomputed": _joined(ends[0], ""), "corrected": _joined(ends[1], "")},
        **{"stores, recomputed": _stores(ends[0]), "stores, corrected": _stores(ends[1])},
    )


def _stores(table: pd.DataFrame) -> "pd.Series[Any]":
    return _shown(table[["stores_a", "stores_b"]], ("A", "B"), "–", "–")


def corrected(
    evaluators: Sequence[str],
    depths: Sequence[int],
    minimax_depths: Sequence[int],
    rules: Sequence[str],
    order: str,
    repeats: int,
) -> list[Point]:
    """The games of the corrected study.

    To `TIMED` sows the textbook plays them, `repeats` times, to be timed. Deeper ones are
    compiled: they count the same nodes, and their seconds would be another program's.
    """
    names = {"minimax_a_b": depths, "alpha_beta": depths, "minimax": minimax_depths}
    points = [
        replace(point, backend="textbook" if point.depth <= TIMED else "engine")
        for algorithm, all_depths in names.items()
        for point in grid([algorithm], evaluators, all_depths, rules, order=order)
    ]
    return points + [point for point in points if point.depth <= TIMED] * (repeats - 1)


def report_columns(rows: pd.DataFrame) -> pd.DataFrame:
    """The columns that the report's own table has, and the cut-offs and margins it has not."""
    return rows[[*SETTINGS, "path", *COUNTS, "winner", "margin", *MEASURED]]


def rates() -> pd.DataFrame:
    """The printed table and what follows from it by division, nothing recomputed."""
    rows = pd.DataFrame(comparison.rates())
    columns = ["ms_a_move", "generated_a_move", "expanded_a_move", "ms_a_node"]
    printed = rows[[*GAME, *FIGURES]].assign(printed_seconds=rows["seconds"])
    return printed.join(rows[columns].round(2)).rename(columns=_per)


def _per(name: str) -> str:
    """A column's name, `ms_a_move`, as `ms_per_move`."""
    return name.replace("_a_", "_per_")


def correlations() -> pd.DataFrame:
    """What the printed seconds go with."""
    return pd.DataFrame(comparison.seconds_correlations())


def least_of_all() -> pd.DataFrame:
    """The evaluations with the least of each printed figure, in each group of four rows."""
    columns = ["generated", "expanded", "path", "seconds", "memory_kb"]
    rates = ["generated_a_move", "ms_a_move"]
    table = pd.DataFrame(
        {
            _per(name).replace("seconds", "printed_seconds"): {
                f"{algorithm}, depth {depth}": _names(found)
                for (algorithm, depth), found in comparison.least(name).items()
            }
            for name in columns + rates
        }
    )
    return table.rename_axis("rows")


def _names(evaluations: Sequence[int]) -> str:
    if len(evaluations) == len(EVALUATIONS):
        return "all equal"
    return ", ".join(f"E{number}" for number in evaluations)


def memory() -> pd.DataFrame:
    """The 16 printed memory figures beside the formula, for either number of nodes."""
    return pd.DataFrame(comparison.memory()).convert_dtypes()


def node_sizes() -> pd.DataFrame:
    """What a node of the printed class takes, in bytes."""
    return pd.DataFrame({"bytes": comparison.node_bytes()}).rename_axis("pointers")


def held() -> pd.DataFrame:
    """The nodes that minimax generates, and those that it holds at a time."""
    return pd.DataFrame(comparison.held_nodes())


def totals() -> pd.DataFrame:
    """The totals below the logs, and a row for the fourth, of which the copy has the heading."""
    rows = pd.DataFrame(comparison.totals())
    table = rows[["title", "algorithm", "evaluation", "depth"]].assign(
        **{"in print": _joined(rows, "printed_"), "recomputed": _joined(rows, "")},
        **{"bytes in print": rows["printed_bytes"], "81 a node": rows["bytes"]},
        **{"log, s": rows["seconds"], "process, s": rows["process_seconds"]},
        **{"winner": rows["winner"], "stores": _stores(rows)},
    )
    heading = {"title": "Output 4", "algorithm": "not named", "evaluation": 4, "depth": 4}
    fourth = pd.DataFrame([heading | {"in print": "heading only", "recomputed": _either_fourth()}])
    return pd.concat([table, fourth], ignore_index=True)


def _either_fourth() -> str:
    rows = [row for row in comparison.table() if (row["evaluation"], row["depth"]) == (4, 4)]
    return " or ".join(map(str, _joined(pd.DataFrame(rows), "")))


def criteria_table() -> pd.DataFrame:
    """The four evaluation functions as printed against the criteria of section 4.4."""
    rows = pd.DataFrame(criteria.criteria())
    return pd.DataFrame(
        {
            "evaluation": "E" + rows["evaluation"].astype(str),
            "has a value": rows["defined"].map(_share),
            "the same for A and B": rows["same"].map(_share),
            "A lost": rows["lost"].map(_span),
            "A won": rows["won"].map(_span),
            "pairs in order": rows["ordered"].map(_share),
            "cells read": rows["reads"].map(lambda reads: ", ".join(map(str, reads))),
        }
    )


def _share(share: float) -> Any:
    return "–" if pd.isna(share) else Shown(f"{share:.0%}", {"": share})


def _span(ends: tuple[float, float]) -> Shown:
    text = " to ".join(f"{end:g}" for end in dict.fromkeys(ends))
    return Shown(text, dict(zip(("low", "high"), ends, strict=True)))


def controls(rows: pd.DataFrame) -> pd.DataFrame:
    """Games of alpha-beta by how ties were broken: `control` is one of `CONTROLS`."""
    by_order = rows["order"].map({"pit": CONTROLS[0], "store_first": CONTROLS[1]})
    return rows.assign(control=by_order.where(rows["ties"].isna(), CONTROLS[2]))


def ties_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Margins, nodes and games won by A for each way to break ties, means where it is random.

    rows: of `controls`.
    """
    groups = rows.groupby(["evaluator", "depth", "control"])
    means = groups.agg(
        margin=("margin", "mean"),
        won=("margin", lambda margins: float((margins > 0).mean())),
        generated=("generated", "mean"),
    ).unstack("control")
    columns = {
        f"{words}, {control}": means[column][control]
        for column, words in (("margin", "margin"), ("generated", "nodes"))
        for control in CONTROLS
    }
    return (
        pd.DataFrame(columns).assign(**{"won by A, at random": means["won"][CONTROLS[2]]}).round(2)
    )
