"""The tables of the published study: rows in, the columns that a reader needs out."""

import pandas as pd

from kalahlab.published.cs5329 import memory_by_formula

GAME = ["algorithm", "evaluation", "depth"]
FIGURES = ["generated", "expanded", "path"]


def beside(table: pd.DataFrame) -> pd.DataFrame:
    """The printed figures and the recomputed ones, as `generated/expanded/path`."""
    return table[GAME].assign(
        printed=_joined(table, "printed_"), recomputed=_joined(table, ""), verdict=table["verdict"]
    )


def _joined(table: pd.DataFrame, prefix: str) -> "pd.Series[str]":
    return _words(table[[prefix + name for name in FIGURES]], "/", "not defined")


def _words(numbers: pd.DataFrame, between: str, missing: str) -> "pd.Series[str]":
    """Each row's numbers in a word, or what stands for a row with none."""
    words = [
        between.join(f"{number:.0f}" for number in row) if row.notna().all() else missing
        for _, row in numbers.astype(float).iterrows()
    ]
    return pd.Series(words, index=numbers.index)


def slips(table: pd.DataFrame) -> pd.DataFrame:
    """The rows with a slip of the pen, and the memory that belongs to either number of nodes."""
    wrong = table[table["verdict"] == "slip in print"]
    return wrong[GAME].assign(
        **{
            "printed nodes": wrong["printed_generated"].astype(int),
            "would take": wrong["printed_generated"].astype(int).map(memory_by_formula),
            "recomputed nodes": wrong["generated"].astype(int),
            "takes": wrong["generated"].astype(int).map(memory_by_formula),
            "printed memory": wrong["printed_memory_kb"].astype(int),
        }
    )


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


def games(ladder: pd.DataFrame) -> pd.DataFrame:
    """The ladder's games by the defect that each step turned off."""
    return ladder.assign(
        rung=ladder["defect"].where(ladder["defect"] != "", "as printed"),
        evaluation="E" + ladder["evaluation"].astype(str),
        generated=ladder["generated"].astype(float),
    )


def rungs(ladder: pd.DataFrame) -> pd.DataFrame:
    """For each step: how many games changed, how many are defined, and the nodes of all."""
    steps = ladder.groupby("rung").agg(
        turned_off=("defect", "first"),
        games_changed=("changed", "sum"),
        defined=("verdict", lambda verdicts: int((verdicts != "not defined").sum())),
        generated=("generated", lambda nodes: int(nodes.dropna().sum())),
        longest_game=("path", lambda paths: int(paths.dropna().max())),
    )
    return steps.replace({"turned_off": {"": "(as printed)"}})


def first_and_last(ladder: pd.DataFrame) -> pd.DataFrame:
    """The printed program's games beside the corrected program's."""
    ends = [ladder[ladder["rung"] == rung].reset_index() for rung in (0, ladder["rung"].max())]
    return ends[0][GAME].assign(
        **{"as printed": _joined(ends[0], ""), "corrected": _joined(ends[1], "")},
        **{"stores, printed": _stores(ends[0]), "stores, corrected": _stores(ends[1])},
    )


def _stores(table: pd.DataFrame) -> "pd.Series[str]":
    return _words(table[["stores_a", "stores_b"]], "–", "–")


def report_columns(rows: pd.DataFrame) -> pd.DataFrame:
    """The columns that the report's own table has, and the cut-offs and margins it has not."""
    return rows[
        [
            "rules",
            "algorithm",
            "evaluator",
            "depth",
            "path",
            "generated",
            "expanded",
            "evaluated",
            "cutoffs",
            "winner",
            "margin",
            "seconds",
            "peak_kib",
        ]
    ]


def alt(rows: pd.DataFrame, column: str, what: str) -> str:
    """A sentence with the range of a cost, for those who cannot see its chart."""
    ascending = rows.sort_values(column)
    low, high = ascending.iloc[0], ascending.iloc[-1]
    return (
        f"{what} by algorithm, evaluator and depth: from {low[column]:,} "
        f"({low['algorithm']}, {low['evaluator']}, depth {low['depth']}) to {high[column]:,} "
        f"({high['algorithm']}, {high['evaluator']}, depth {high['depth']})."
    )


def conclusion(table: pd.DataFrame, rows: pd.DataFrame) -> str:
    """What can and cannot be concluded, in words, from the numbers of this run."""
    return "\n".join(
        f"- {sentence}"
        for sentence in (_on_the_table(table), _on_the_algorithms(rows), _on_evaluators(rows))
    )


def _on_the_table(table: pd.DataFrame) -> str:
    counts = table["verdict"].value_counts()
    blind = table[table["algorithm"] == "AlphaBetaSearch"].groupby("depth")["generated"].nunique()
    same = " (its rows are the same for all four)" if (blind == 1).all() else ""
    return (
        f"**The table is real, the conclusions are not.** {counts.get('equal', 0)} rows come out "
        f"to the digit and {counts.get('slip in print', 0)} with a slip; but AlphaBetaSearch, as "
        f"printed, searches one line of play whatever the evaluation{same}. Its cheapness is not "
        "pruning."
    )


def _on_the_algorithms(rows: pd.DataFrame) -> str:
    costs = ["path", "generated", "expanded", "evaluated", "cutoffs", "moves"]
    keys = ["rules", "evaluator", "depth"]
    two = [
        rows[rows["algorithm"] == name].set_index(keys)[costs]
        for name in ("minimax_a_b", "alpha_beta")
    ]
    same = int((two[0] == two[1]).all(axis=1).sum())
    return (
        f"**Neither algorithm is better.** In {same} of {len(two[0])} pairs of games MINIMAX-A-B "
        "and ALPHA-BETA-SEARCH play the same moves at the same cost, node for node."
        + _against_minimax(rows, keys)
    )


def _against_minimax(rows: pd.DataFrame, keys: list[str]) -> str:
    both = rows.pivot_table(index=keys, columns="algorithm", values="generated")
    if "minimax" not in both:
        return ""
    ratio = (both["minimax"] / both["alpha_beta"]).dropna().groupby("depth").median()
    return (
        f" Against plain minimax both save: at depth {ratio.index[-1]} it generates "
        f"{ratio.iloc[-1]:.1f} times their nodes in the median game."
    )


def _on_evaluators(rows: pd.DataFrame) -> str:
    games = rows[rows["algorithm"] == "alpha_beta"]
    cheapest = games.loc[games.groupby(["rules", "depth"])["generated"].idxmin(), "evaluator"]
    changes = games.groupby(["rules", "evaluator"])["winner"].nunique()
    return (
        "**No evaluator is shown to be best.** The cheapest one is "
        f"{', '.join(sorted(set(cheapest)))} at every depth tried, but a search is cheap when its "
        "evaluator sees few differences, which is no merit; and "
        f"{int((changes > 1).sum())} of {len(changes)} evaluators change the winner of their only "
        "game with the depth. To compare them takes many games from different openings, and a "
        "judge that knows the truth."
    )
