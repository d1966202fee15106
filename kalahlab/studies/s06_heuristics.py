"""The staged heuristic: its matches beside the printed ones, its terms, and its costs."""

import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import inf

import pandas as pd
from matplotlib.figure import Figure

from kalahlab import engine
from kalahlab.evaluators import Evaluator
from kalahlab.games.kalah import Kalah, State
from kalahlab.grid import Row
from kalahlab.matches.pairs import Pair, play_pair, tally
from kalahlab.matches.rating import Interval
from kalahlab.play import Player, on_clock, play_game, search_player
from kalahlab.report.draw.axes import panels, plain_numbers, whole_numbers
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.search import Depth
from kalahlab.studies import strength


def rivals(
    game: Kalah,
    evaluator: Evaluator,
    others: Mapping[str, Evaluator],
    depths: Iterable[int],
    openings: Sequence[State],
    seconds: float = inf,
) -> list[Row]:
    """An evaluator against others at equal depths, in sows: a row a depth and a name of another.

    Rows: depth; against; what `tally` says; timed_out, games that either lost on time. Moves by
    the engine's alpha-beta. Who takes longer for a move than `seconds` of the processor's time
    loses: no game is lost to what else the machine does.
    """
    return [
        {"depth": depth, "against": name} | _match(one, two, openings, game)
        for depth, (name, other) in product(depths, others.items())
        for one, two in [[_timed(game, each, depth, seconds) for each in (evaluator, other)]]
    ]


def _timed(game: Kalah, evaluator: Evaluator, depth: int, seconds: float) -> Player:
    found = search_player(engine.alpha_beta, evaluator, Depth(depth))
    found(game, game.start())  # what is compiled now is not compiled on the clock
    return on_clock(found, seconds, time.process_time)


def _match(one: Player, other: Player, openings: Iterable[State], game: Kalah) -> Row:
    rows = [play_pair(Pair(one, other, opening, game)) for opening in openings]
    late = sum(row[name] is not None for row in rows for name in ("late_1", "late_2"))
    return tally(rows) | {"timed_out": late}


def move_costs(game: Kalah, one: Evaluator, other: Evaluator, depth: int) -> list[Row]:
    """What each move of `one` costs in a game from the start, `one` first, at equal depth.

    Rows: depth; move, counted from 1 among its own; nodes, entered by the search; seconds,
    of wall time.
    """
    rows: list[Row] = []

    def timed(game: Kalah, state: State) -> int:
        began = time.perf_counter()
        found = engine.alpha_beta(game, state, one, Depth(depth))
        seconds = time.perf_counter() - began
        nodes = found.counts.visited
        rows.append({"depth": depth, "move": len(rows) + 1, "nodes": nodes, "seconds": seconds})
        assert found.move is not None  # the game is not over
        return int(found.move)

    engine.alpha_beta(game, game.start(), one, Depth(1))  # compiles what there is to compile
    play_game(game, timed, search_player(engine.alpha_beta, other, Depth(depth)))
    return rows


def matches(rows: Iterable[Row]) -> pd.DataFrame:
    """The `rivals` as a table, by depth and by whom it was against; intervals are of 95 %."""
    columns = ["wins", "draws", "losses", "margin", "score", "low", "high", "timed_out"]
    return pd.DataFrame(rows).set_index(["depth", "against"])[columns]


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
    scores = "; ".join(f"{Interval.of(row):.2f} at depth {row['depth']}" for row in met_by)
    return (
        f"- **Against the plain store difference** it scores {scores}. Where the interval holds "
        "1/2 nothing is decided, and five games decide less.\n"
        f"- **Its terms.** {_of_terms(met)}\n"
        f"- **Against perfect play**, at depth {depths.max()} a move of the staged heuristic "
        f"gives up {Interval.of(regret['staged'], 'regret'):.2f} stones, one of the store "
        f"difference {Interval.of(regret['store_difference'], 'regret'):.2f}."
    )


def _of_terms(met: pd.DataFrame) -> str:
    """Which variants the heuristic beats, and which beat it."""
    found = strength.by_verdict(met)
    parts = [
        f"{said} {'; '.join(map(strength.score_of, found[verdict]))}"
        for verdict, said in (("worse", "it loses to itself"), ("better", "it wins against itself"))
        if verdict in found
    ]
    decided = len(met) - len(found.get("not told apart", ()))
    return (
        f"Of {len(met)} matches with a variant of itself the interval leaves out 1/2 in "
        f"{decided}{': ' if parts else ''}{'. And '.join(parts)}."
    )
