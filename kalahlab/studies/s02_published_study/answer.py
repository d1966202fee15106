"""The published study's sentences, each chosen by the numbers that it states."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from kalahlab.games.kalah import State
from kalahlab.grid import Row
from kalahlab.published import comparison
from kalahlab.published.cs5329 import (
    AS_PRINTED,
    UNSET,
    Node,
    Program,
    PublishedGame,
    pit_of_alpha_beta_search,
)
from kalahlab.report.draw.board_svg import BoardView
from kalahlab.studies.s02_published_study.tables import CONTROLS, COUNTS, MODES
from kalahlab.words import Words

say = Words("studies", "s02_published_study")

IN_THE_PACKAGE = {"MinMaxAB": "minimax_a_b", "AlphaBetaSearch": "alpha_beta"}
"""What each algorithm of the report is called here."""


def one_program(ladder: pd.DataFrame, rows: pd.DataFrame) -> str:
    """Whether the series ends with the program of the corrected study, in a sentence."""
    series = ladder[ladder["mode"] == MODES["cumulative"]]
    last = series[series["rung"] == series["rung"].max()]
    ends = last.assign(
        algorithm=last["algorithm"].map(IN_THE_PACKAGE),
        evaluator="e" + last["evaluation"].astype(str),
    )
    keys, counts = ["algorithm", "evaluator", "depth"], ["generated", "expanded", "path"]
    study = rows[rows["rules"] == "standard"].set_index(keys)[counts].astype(float)
    ends = ends.set_index(keys)[counts].astype(float)
    both = ends.index.intersection(study.index)
    same, games = int((ends.loc[both] == study.loc[both]).all(axis=1).sum()), len(both)
    return say("one-program", is_it="is" if same == games else "is not", games=games, same=same)


def largest_change(ladder: pd.DataFrame) -> str:
    """The defect that changes the nodes of a game most, in each of three ways."""
    logs = ladder.assign(log=ladder["times"].astype(float).map(np.log2).abs())
    found = {mode: logs[logs["mode"] == mode].nlargest(1, "log").iloc[0] for mode in MODES.values()}
    names = {str(each["defect"]) for each in found.values()}
    if len(names) == 1:
        ways = [f"{each['times']:.3g} ({mode})" for mode, each in found.items()]
        return say("largest-change", defect=names.pop(), ways=ways)
    ways = [f"{each['defect']} ({mode})" for mode, each in found.items()]
    return say("largest-change-depends", ways=ways)


def identical_rows(ladder: pd.DataFrame) -> str:
    """How far the equality of AlphaBetaSearch's four rows is the inverted window's doing."""
    depth = ladder["depth"].max()
    series = ladder[
        (ladder["mode"] == MODES["cumulative"])
        & (ladder["algorithm"] == "AlphaBetaSearch")
        & (ladder["depth"] == depth)
    ]
    steps = {name: set(part["generated"]) for name, part in series.groupby("defect", sort=False)}
    differ = next((name for name, nodes in steps.items() if len(nodes) > 1), "nothing")
    window = steps["inverted-window"]
    name = "rows-differ" if len(window) > 1 else "rows-still-equal"
    return say(name, depth=depth, differ=differ, nodes=max(window))


def cut_views(game: PublishedGame, moves: int) -> list[BoardView]:
    """The first boards of a game of AlphaBetaSearch, with the children that it visits.

    Each shows the pit that is played, and its caption how many children of the root are visited.
    """
    return [
        BoardView(state, f"{number}. {_cut(game, state)}", last=(state.player, pit))
        for number, (state, pit) in enumerate(game.choices[:moves], start=1)
    ]


def _cut(game: PublishedGame, state: State) -> str:
    visited, made = children_visited(game, state)
    return f"{'AB'[state.player]}: {visited} of {made} children visited"


def children_visited(game: PublishedGame, state: State) -> tuple[int, int]:
    """The children of a position that AlphaBetaSearch as printed visits, and those it makes."""
    children = [child for child in _searched(game, state).children if child]
    return sum(child.field != UNSET for child in children), len(children)


def _searched(game: PublishedGame, state: State) -> Node:
    root = Node(*state)
    pit_of_alpha_beta_search(Program(game.evaluation, game.depth, AS_PRINTED), root)
    return root


def cut_in_words(game: PublishedGame) -> str:
    """The first cut of a game of AlphaBetaSearch as printed, number by number."""
    state = game.choices[0][0]
    best = _searched(game, state).field or 0
    alpha = max(-UNSET, best)
    visited, made = children_visited(game, state)
    is_cut = "β or more, so there is a cutoff" if alpha >= UNSET else "less than β: no cutoff"
    facts = {"visited": visited, "made": made, "one": _one_child(game), "moves": len(game.choices)}
    left = comparison.leftmost(game)
    return say(
        "cut", start=-UNSET, beta=UNSET, best=best, alpha=alpha, is_cut=is_cut, left=left, **facts
    )


def _one_child(game: PublishedGame) -> int:
    return sum(children_visited(game, state)[0] == 1 for state, _ in game.choices)


def fixed_cost(rates: Sequence[Row]) -> str:
    """Why E3 takes less time than E2 with MinMaxAB, from the printed figures of depth 2."""
    own = [row for row in rates if (row["algorithm"], row["depth"]) == ("MinMaxAB", 2)]
    two, three = (next(row for row in own if row["evaluation"] == number) for number in (2, 3))
    time, moves = (two[name] / three[name] for name in ("seconds", "path"))
    and_ = "and" if abs(time - moves) < 0.1 else "but"
    return say("fixed-cost", two=two, three=three, time=time, moves=moves, and_=and_)


def conclusion(
    table: pd.DataFrame, ladder: pd.DataFrame, rows: pd.DataFrame, ties: pd.DataFrame
) -> str:
    """What can and cannot be concluded, each sentence chosen by the numbers of this run.

    table: of `comparison.table`; ladder: of `ladders`; rows: of the corrected study; ties: of
    `controls`.
    """
    sentences = (
        on_the_table(table),
        on_one_line(comparison.rates()) + " " + identical_rows(ladder),
        on_the_seconds(comparison.seconds_correlations()),
        on_the_algorithms(rows),
        on_the_cheapest(ties),
        on_the_winner(rows, ties),
    )
    return "\n".join(f"- {sentence}" for sentence in sentences) + "\n\n" + say("follows")


def finding(table: pd.DataFrame, rows: pd.DataFrame) -> str:
    """Whether the table is reproduced, and what it shows of the algorithms, in a sentence."""
    counts = table["verdict"].value_counts()
    slips = int(counts.get("slip in print", 0))
    found = int(counts.get("equal", 0)) + slips
    own = [row for row in comparison.rates() if row["algorithm"] == "AlphaBetaSearch"]
    line = all(row["expanded_a_move"] == row["depth"] for row in own)
    same, _, pairs = _pairs(rows)
    save = "saves nodes only because it visits one line of play" if line else "does search"
    of = len(table)
    return say("finding", found=found, of=of, slips=slips, save=save, same=same, pairs=pairs)


def _pairs(rows: pd.DataFrame) -> tuple[int, int, int]:
    """Pairs of games by both algorithms: equal ones, those where ALPHA-BETA-SEARCH generates
    fewer nodes, all."""
    costs, keys = ["path", *COUNTS, "moves"], ["rules", "evaluator", "depth"]
    one, two = (
        rows[rows["algorithm"] == name].set_index(keys)[costs]
        for name in ("minimax_a_b", "alpha_beta")
    )
    fewer = int((two["generated"] < one["generated"]).sum())
    return int((one == two).all(axis=1).sum()), fewer, len(one)


def on_the_table(table: pd.DataFrame) -> str:
    """Whether the printed table is what the printed program does."""
    names = {
        "equal": "equal",
        "slip in print": "equal except for a misprint",
        "not defined": "not defined by the program",
        "differs": "different",
    }
    counts = table["verdict"].value_counts()
    found = [f"{counts[name]} {words}" for name, words in names.items() if name in counts]
    is_it = "is not" if "differs" in counts else "is"
    return say("table", is_it=is_it, rows=len(table), found=found)


def on_one_line(rates: Sequence[Row]) -> str:
    """Whether AlphaBetaSearch is better as printed, by the nodes that it expands a move."""
    own = [row for row in rates if row["algorithm"] == "AlphaBetaSearch"]
    more = [row["expanded_a_move"] / row["depth"] for row in own]
    searched = sum(times != 1 for times in more)
    return say("searches" if searched else "one-line", more=searched, rows=len(own), most=max(more))


def on_the_seconds(parts: Sequence[Row]) -> str:
    """What the printed seconds measure, by what they go with."""
    every, *authors = parts
    nodes, moves = every["r_with_nodes"], min(part["r_with_moves"] for part in authors)
    span = "{least_ms_a_move:.1f} to {most_ms_a_move:.1f} ms ({rows})"
    spans = [span.format(**part) for part in authors]
    numbers = say("seconds", rows=every["number"], nodes=nodes, moves=moves, spans=spans)
    return say("seconds-of-moves" if nodes < moves else "seconds-of-nodes", numbers=numbers)


def on_the_algorithms(rows: pd.DataFrame) -> str:
    """Which corrected algorithm is better, and what both save against plain minimax."""
    same, fewer, pairs = _pairs(rows)
    head = "neither algorithm is better" if same == pairs else "the two algorithms differ"
    more = _against_minimax(rows)
    return say("algorithms", head=head, same=same, pairs=pairs, fewer=fewer, more=more)


def _against_minimax(rows: pd.DataFrame) -> str:
    keys = ["rules", "evaluator", "depth"]
    both = rows.pivot_table(index=keys, columns="algorithm", values="generated")
    if "minimax" not in both:
        return ""
    ratio = (both["minimax"] / both["alpha_beta"]).dropna().groupby("depth").median()
    times = ratio.iloc[-1]
    saves = "saves nodes" if times > 1 else "saves no nodes"
    return say("against-minimax", saves=saves, depth=ratio.index[-1], times=times)


def cheapest(ties: pd.DataFrame) -> pd.DataFrame:
    """The evaluator with the fewest nodes a move, at each depth and each way to break ties."""
    sums = ties.groupby(["control", "depth", "evaluator"])[["generated", "path"]].sum()
    a_move = (sums["generated"] / sums["path"]).unstack("evaluator")
    return a_move.idxmin(axis=1).unstack("control")[list(CONTROLS)]


def on_the_cheapest(ties: pd.DataFrame) -> str:
    """Whether one corrected evaluator is the cheapest in every order, and what that is worth."""
    found = cheapest(ties).map(str.upper)
    names = sorted(set(found.to_numpy().ravel()))
    ways = "; ".join(f"{', '.join(found[control])} ({control})" for control in found)
    name = "cheapest" if len(names) == 1 else "cheapest-depends"
    return say(name, evaluator=names[0], depths=[*found.index], ways=ways)


def on_the_winner(rows: pd.DataFrame, ties: pd.DataFrame) -> str:
    """Whether the winner of one game says anything of its evaluator."""
    games = rows[rows["algorithm"] == "alpha_beta"]
    by_depth = games.groupby(["rules", "evaluator"])["winner"].nunique() > 1
    orders = ties[ties["control"] != CONTROLS[2]]
    by_order = orders.groupby(["evaluator", "depth"])["winner"].nunique() > 1
    random = ties[ties["control"] == CONTROLS[2]]
    won = (random["margin"] > 0).groupby([random["evaluator"], random["depth"]]).mean()
    shares = " to ".join(f"{share:.0%}" for share in dict.fromkeys([won.min(), won.max()]))
    open_ = by_depth.any() or by_order.any() or 0 < won.mean() < 1
    counts = {"depth": by_depth.sum(), "depth_of": len(by_depth), "order": by_order.sum()}
    head = say("winner-open" if open_ else "winner-sure")
    return say("winner", head=head, order_of=len(by_order), shares=shares, **counts)
