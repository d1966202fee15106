"""The staged heuristic: its matches beside the printed ones, its terms, and its costs."""

from collections.abc import Mapping
from dataclasses import asdict

import pandas as pd
from matplotlib.figure import Figure

from kalahlab.matches.pairs import Outcome
from kalahlab.matches.rating import Interval
from kalahlab.report.draw.axes import panels, plain_numbers, whole_numbers
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.studies import strength


def matches(outcomes: Mapping[tuple[int, str], Outcome]) -> pd.DataFrame:
    """A row a match, by depth and by whom it was against.

    low, high: of the score, 95 %; timed_out: games that either player lost on time.
    """
    table = pd.DataFrame([asdict(each) for each in outcomes.values()])
    table[["score", "low", "high"]] = [each.score for each in outcomes.values()]
    table.index = pd.MultiIndex.from_tuples(outcomes, names=["depth", "against"])
    return table[["wins", "draws", "losses", "margin", "score", "low", "high", "timed_out"]]


def on_time(table: pd.DataFrame, seconds: float) -> str:
    """How many games of the `matches` were lost on time, in words."""
    games = int(table[["wins", "draws", "losses"]].to_numpy().sum())
    return (
        f"With {1000 * seconds:,.0f} ms for a move, {int(table['timed_out'].sum())} of {games:,} "
        "games were lost on time."
    )


def beside_printed(printed: pd.DataFrame, head: pd.DataFrame) -> pd.DataFrame:
    """Printed wins, losses and draws of the staged heuristic and of the plain one, and ours.

    head: `matches` of the staged heuristic against the plain one. A row a depth.
    """

    names = {"complex": "staged, printed", "simple": "plain, printed"}
    said = printed.assign(record=_records(printed), heuristic=printed["heuristic"].map(names))
    table = said.pivot(index="depth", columns="heuristic", values="record")[[*names.values()]]
    table.columns.name = None
    ours = head.droplevel("against")
    table["staged against plain, here"] = pd.Series(_records(ours), ours.index)
    scores = [f"{Interval.of(row):.2f}" for row in ours.to_dict("records")]
    table["score, 95 % interval"] = pd.Series(scores, ours.index)
    return table.join(ours[["margin", "timed_out"]], how="right")


def _records(table: pd.DataFrame) -> list[str]:
    columns = (table["wins"], table["losses"], table["draws"])
    return [f"{won}-{lost}-{drawn}" for won, lost, drawn in zip(*columns, strict=True)]


def draw_scores(table: pd.DataFrame) -> Figure:
    """The score of each of the `matches`, with its interval."""
    return strength.draw_scores(table, "score of the staged heuristic, 95 % interval")


def draw_costs(printed: pd.DataFrame, ours: pd.DataFrame, column: str) -> Figure:
    """A cost of each move over a game, a column a depth: printed seconds above, ours below.

    printed, ours: rows of `depth` and `move`; `seconds` of printed, `column` of ours, which is
    `nodes` or `seconds`.
    """
    depths = sorted(ours["depth"].unique())
    figure, axes = panels(2, len(depths), (9, 4.6), sharex=True, sharey="row")
    for row, frame, what, colour in (
        (axes[0], printed, "seconds", PALETTE["vermilion"]),
        (axes[1], ours, column, PALETTE["blue"]),
    ):
        for ax, depth in zip(row, depths, strict=True):
            moves = frame[frame["depth"] == depth]
            ax.plot(moves["move"], moves[what], "o-", color=colour, markersize=4)
            ax.set(yscale="log")
            plain_numbers(ax.yaxis)
            whole_numbers(ax.xaxis)
    for ax, depth in zip(axes[0], depths, strict=True):
        ax.set_title(f"depth {depth}")
    axes[0][0].set_ylabel("printed: seconds")
    axes[1][0].set_ylabel(f"ours: {column}")
    figure.supxlabel("move of the player", fontsize="medium")
    ours_too = "our nodes" if column == "nodes" else "ours"
    return alt(figure, f"Printed seconds and {ours_too} of each move, a column a depth.")


def answer(head: pd.DataFrame, met: pd.DataFrame, lost: pd.DataFrame) -> str:
    """What the notebook on the staged heuristic found: its matches, its terms, its regret."""
    depths = lost.index.get_level_values("depth")
    regret = lost[depths == depths.max()].droplevel("depth").to_dict("index")
    met_by = head.droplevel("against").reset_index().to_dict("records")
    return "\n".join(
        (
            "- **Against the plain store difference** it scores "
            + "; ".join(f"{Interval.of(row):.2f} at depth {row['depth']}" for row in met_by)
            + ". Where the interval holds 1/2 nothing is decided, and five games decide less.",
            f"- **Its terms.** {_of_terms(met)}",
            f"- **Against perfect play**, at depth {depths.max()} a move of the staged heuristic "
            f"gives up {Interval.of(regret['staged'], 'regret'):.2f} stones, one of the store "
            f"difference {Interval.of(regret['store_difference'], 'regret'):.2f}.",
        )
    )


def _of_terms(met: pd.DataFrame) -> str:
    """Which variants the heuristic beats, and which beat it."""
    found = strength.by_verdict(met)
    parts = [
        f"{said} {'; '.join(map(strength.score_of, found[verdict]))}"
        for verdict, said in (
            ("worse", "it loses to itself"),
            ("better", "it wins against itself"),
        )
        if verdict in found
    ]
    decided = len(met) - len(found.get("not told apart", ()))
    return (
        f"Of {len(met)} matches with a variant of itself the interval leaves out 1/2 in "
        f"{decided}{': ' if parts else ''}{'. And '.join(parts)}."
    )
