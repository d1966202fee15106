"""The published study's sentences, each chosen by the numbers that it states."""

from collections.abc import Iterable, Sequence

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
    same = int((ends.loc[both] == study.loc[both]).all(axis=1).sum())
    is_it = "is" if same == len(both) else "is not"
    return (
        f"After the last step the program {is_it} the one of the corrected study below. Both play "
        f"{len(both)} of the games; in {same} of them the nodes and the moves are equal."
    )


def largest_change(ladder: pd.DataFrame) -> str:
    """The defect that changes the nodes of a game most, in each of three ways."""
    logs = ladder.assign(log=ladder["times"].astype(float).map(np.log2).abs())
    found = {mode: logs[logs["mode"] == mode].nlargest(1, "log").iloc[0] for mode in MODES.values()}
    names = {str(each["defect"]) for each in found.values()}
    ways = ", ".join(f"{each['times']:.3g} ({mode})" for mode, each in found.items())
    if len(names) == 1:
        return (
            f"The defect that changes the nodes of a game most is {names.pop()}. The nodes are "
            f"multiplied by {ways}."
        )
    each_way = ", ".join(f"{each['defect']} ({mode})" for mode, each in found.items())
    return (
        "Which defect changes the nodes of a game most depends on how it is turned off or on: "
        f"{each_way}."
    )


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
    if len(window) > 1:
        return (
            f"The four rows of AlphaBetaSearch at depth {depth} differ as soon as {differ} is "
            "corrected. Until then each search is one line of play."
        )
    return (
        f"With the window corrected, the four rows of AlphaBetaSearch at depth {depth} are still "
        f"equal: {window.pop():,.0f} nodes each. They differ only when {differ} is corrected too. "
        "So equal rows do not prove that the search visits one line of play only. The nodes per "
        "move prove it."
    )


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
    return (
        f"At move 1, α starts at {-UNSET} and β at {UNSET}. The best value of a node of A stays at "
        f"{best:g}. After the first child, α is max({-UNSET}, {best:g}) = {alpha:g}. This is "
        f"{is_cut}. The search visits {visited} of {made} children. In {_one_child(game)} of the "
        f"{len(game.choices)} moves of the game it visits one child only. In "
        f"{comparison.leftmost(game)} of them it plays the leftmost pit that is not empty."
    )


def _one_child(game: PublishedGame) -> int:
    return sum(children_visited(game, state)[0] == 1 for state, _ in game.choices)


def fixed_cost(rates: Sequence[Row]) -> str:
    """Why E3 takes less time than E2 with MinMaxAB, from the printed figures of depth 2."""
    two, three = (
        next(
            row
            for row in rates
            if (row["algorithm"], row["evaluation"], row["depth"]) == ("MinMaxAB", number, 2)
        )
        for number in (2, 3)
    )
    time, moves = (two[name] / three[name] for name in ("seconds", "path"))
    and_ = "and" if abs(time - moves) < 0.1 else "but"
    return (
        f"With MinMaxAB at depth 2, the game of E2 takes {time:.2f} times as long as the game of "
        f"E3, {and_} it has {moves:.2f} times as many moves: {two['path']} and {three['path']}. "
        f"One move takes {two['ms_a_move']:.1f} ms and {three['ms_a_move']:.1f} ms."
    )


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
    listed = "\n".join(f"- {sentence}" for sentence in sentences)
    return (
        f"{listed}\n\n**What follows.** One game from one position cannot compare evaluators. The "
        "page on [many games](05_grid.ipynb) plays them against each other from many positions. "
        "The page on [perfect play](07_perfect_play.ipynb) counts the stones that their moves give "
        "up. Why alpha-beta is safe is on the [next page](03_pruning.ipynb)."
    )


def finding(table: pd.DataFrame, rows: pd.DataFrame) -> str:
    """Whether the table is reproduced, and what it shows of the algorithms, in a sentence."""
    counts = table["verdict"].value_counts()
    slips = int(counts.get("slip in print", 0))
    found = int(counts.get("equal", 0)) + slips
    own = [row for row in comparison.rates() if row["algorithm"] == "AlphaBetaSearch"]
    line = all(row["expanded_a_move"] == row["depth"] for row in own)
    same, _, pairs = _pairs(rows)
    save = "saves nodes only because it visits one line of play" if line else "does search"
    return (
        f"The printed program gives {found} of the {len(table)} printed rows ({slips} with a "
        f"misprint), but its AlphaBetaSearch {save}, and the corrected algorithms have equal "
        f"moves and counts in {same} of {pairs} pairs of games."
    )


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
    said = ", ".join(f"{counts[name]} {words}" for name, words in names.items() if name in counts)
    is_it = "is not" if "differs" in counts else "is"
    head = f"The printed table {is_it} what the printed program does."
    return f"**{head}** Of {len(table)} rows: {said}."


def on_one_line(rates: Sequence[Row]) -> str:
    """Whether AlphaBetaSearch is better as printed, by the nodes that it expands a move."""
    own = [row for row in rates if row["algorithm"] == "AlphaBetaSearch"]
    one_line = sum(row["expanded_a_move"] == row["depth"] for row in own)
    if one_line == len(own):
        return (
            "**It does not follow that AlphaBetaSearch is better.** In all its printed rows the "
            "nodes expanded per move are exactly the depth. So each search visits one line of play "
            "only. It saves nodes because it does not search."
        )
    most = max(row["expanded_a_move"] / row["depth"] for row in own)
    return (
        f"**AlphaBetaSearch searches.** In {len(own) - one_line} of {len(own)} printed rows it "
        f"expands more nodes per move than one line of play has, up to {most:.1f} times as many."
    )


def on_the_seconds(parts: Sequence[Row]) -> str:
    """What the printed seconds measure, by what they go with."""
    every, *authors = parts
    nodes, moves = every["r_with_nodes"], min(part["r_with_moves"] for part in authors)
    spans = " and ".join(
        f"{part['least_ms_a_move']:.1f} to {part['most_ms_a_move']:.1f} ms ({part['rows']})"
        for part in authors
    )
    numbers = (
        f"Over all {every['number']} rows their correlation with the nodes is r = {nodes:.2f}. "
        "Among the rows of one author, their correlation with the moves of the game is "
        f"r = {moves:.2f} or more. One move takes {spans}, at both depths and with both algorithms."
    )
    if nodes < moves:
        head = "The printed seconds do not measure the search."
        return f"**{head}** {numbers} So they cannot compare evaluations."
    return f"**The printed seconds go with the nodes.** {numbers}"


def on_the_algorithms(rows: pd.DataFrame) -> str:
    """Which corrected algorithm is better, and what both save against plain minimax."""
    same, fewer, pairs = _pairs(rows)
    head = "neither algorithm is better" if same == pairs else "the two algorithms differ"
    return (
        f"**Corrected, {head}.** In {same} of {pairs} pairs of games MINIMAX-A-B and "
        "ALPHA-BETA-SEARCH play the same moves with the same counts. ALPHA-BETA-SEARCH generates "
        f"fewer nodes in {fewer} pairs.{_against_minimax(rows)}"
    )


def _against_minimax(rows: pd.DataFrame) -> str:
    keys = ["rules", "evaluator", "depth"]
    both = rows.pivot_table(index=keys, columns="algorithm", values="generated")
    if "minimax" not in both:
        return ""
    ratio = (both["minimax"] / both["alpha_beta"]).dropna().groupby("depth").median()
    depth, times = ratio.index[-1], ratio.iloc[-1]
    saves = "saves nodes" if times > 1 else "saves no nodes"
    return (
        f" Compared with plain minimax, pruning {saves}: at depth {depth} minimax generates "
        f"{times:.1f} times as many in the median game."
    )


def cheapest(ties: pd.DataFrame) -> pd.DataFrame:
    """The evaluator with the fewest nodes a move, at each depth and each way to break ties."""
    sums = ties.groupby(["control", "depth", "evaluator"])[["generated", "path"]].sum()
    a_move = (sums["generated"] / sums["path"]).unstack("evaluator")
    return a_move.idxmin(axis=1).unstack("control")[list(CONTROLS)]


def on_the_cheapest(ties: pd.DataFrame) -> str:
    """Whether one corrected evaluator is the cheapest in every order, and what that is worth."""
    found = cheapest(ties)
    names = sorted(set(found.to_numpy().ravel()))
    depths = ", ".join(map(str, found.index))
    if len(names) == 1:
        return (
            "**The cheapest evaluator is the same in every order.** Corrected, "
            f"{names[0].upper()} generates the fewest nodes per move at each depth ({depths}), "
            "however ties are broken. This does not make it a good evaluator: a search makes many "
            "cutoffs when many positions have the same value."
        )
    ways = "; ".join(f"{_each(found[control])} ({control})" for control in found)
    return (
        "**No evaluator is the cheapest in every case.** Corrected, the evaluator with the fewest "
        "nodes per move depends on the depth or on how ties are broken. At depths "
        f"{depths} it is {ways}."
    )


def _each(names: Iterable[str]) -> str:
    return ", ".join(name.upper() for name in names)


def on_the_winner(rows: pd.DataFrame, ties: pd.DataFrame) -> str:
    """Whether the winner of one game says anything of its evaluator."""
    games = rows[rows["algorithm"] == "alpha_beta"]
    by_depth = games.groupby(["rules", "evaluator"])["winner"].nunique() > 1
    orders = ties[ties["control"] != CONTROLS[2]]
    by_order = orders.groupby(["evaluator", "depth"])["winner"].nunique() > 1
    numbers = (
        f"In {by_depth.sum()} of {len(by_depth)} evaluator–rule cases the winner depends on the "
        f"depth. In {by_order.sum()} of {len(by_order)} evaluator–depth cases it depends on the "
        "move order."
    )
    random = ties[ties["control"] == CONTROLS[2]]
    won = (random["margin"] > 0).groupby([random["evaluator"], random["depth"]]).mean()
    shares = " to ".join(f"{share:.0%}" for share in dict.fromkeys([won.min(), won.max()]))
    sure = (
        f"With ties broken at random, the first player wins {shares} of the games, depending on "
        "evaluator and depth."
    )
    if by_depth.any() or by_order.any() or 0 < won.mean() < 1:
        return (
            "**No evaluator is shown to be best, and the first player is not sure to win.** "
            f"{numbers} {sure}"
        )
    return f"**The winner depends on neither depth nor order.** {numbers} {sure}"
