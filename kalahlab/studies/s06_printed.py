"""What the staged-heuristic report prints, line by line, beside what the package computes."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import pandas as pd
from scipy.stats import fisher_exact

from kalahlab.evaluators.kalah import staged, staged_capture
from kalahlab.games.kalah import SOUTH, Board, State
from kalahlab.grid import Row
from kalahlab.published.staged import (
    GAME,
    MINUS_INFINITY,
    listing,
    printed_results,
    printed_tree,
    worked_position,
)
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.trace import Trace, number, record
from kalahlab.words import Words

say = Words("studies", "s06_printed")

STONES = 72
PLAIN = (1, 1, 1, 1, 1, 0)
"""Six pits that no line of the heuristic speaks of."""


def probe(own: Sequence[int] = PLAIN, opp: Sequence[int] = PLAIN, stores: Any = (0, 12)) -> Board:
    """A board of 72 stones, the program as South.

    What is left of the stones lies in the leftmost pit of a side that has stones, where so many
    mean nothing.
    """
    sides = [list(own), list(opp)]
    side = next(side for side in sides[::-1] if any(side))
    side[0] += STONES - sum(own) - sum(opp) - sum(stores)
    return (*sides[0], stores[0], *sides[1], stores[1])


class Line(NamedTuple):
    """A line of the listing, a board on which it speaks, and the same board without that."""

    name: str
    board: Board
    without: Board | None = None

    @property
    def adds(self) -> float:
        """What `staged` says of the board more than of the one without; all, if there is none."""
        before = 0.0 if self.without is None else staged(self.without, SOUTH)
        return staged(self.board, SOUTH) - before


def probes() -> list[Line]:
    """Each line of the listing with boards on both sides of its condition."""
    plain, exact = probe(), (0, 1, 1, 1, 1, 1)
    lines = [Line(f"stores 8 and {opp}", probe(stores=(8, opp))) for opp in (0, 11, 12, 13)]
    lines += [Line("own pit ends in the store", probe(own=exact), probe(own=(0, 1, 1, 1, 1, 2)))]
    lines += [Line("opponent's pit ends in the store", probe(opp=exact), plain)]
    lines += [emptied(count, own=True) for count in (4, 5, 6)]
    lines += [emptied(count, own=False) for count in (5, 6)]
    return lines


def emptied(count: int, own: bool) -> Line:
    """A board on which 2 to 6 pits of a side are empty, and no other line speaks."""
    left, plain = 6 - count, probe()
    ones, none = (1,) * (left - 1), (0,) * (5 - left)
    if own:
        pits = (0, 2, *ones, *none) if left else (0,) * 6
        return Line(f"{count} own pits empty", probe(own=pits), plain)
    pits = (9, *ones, *none, 0) if left else (0,) * 6
    return Line(f"{count} of the opponent's pits empty", probe(opp=pits), plain)


def probes_table() -> pd.DataFrame:
    """What each line adds, as `staged` has it and as the printed listing has it."""
    rows = [
        {
            "board says": line.name,
            "staged adds": line.adds,
            "listing": listing(line.board, SOUTH)
            - (line.without is not None and listing(line.without, SOUTH)),
        }
        for line in probes()
    ]
    return pd.DataFrame(rows).set_index("board says").round(6)


def same_as_listing(states: Iterable[State]) -> tuple[int, int]:
    """How often, and of how many times, `staged` says what the listing does, for both players."""
    pairs = [(state.board, player) for state in states for player in (0, 1)]
    same = [abs(listing(*pair) - staged(*pair)) < 1e-9 for pair in pairs]
    return sum(same), len(same)


def of_captures(states: Iterable[State]) -> str:
    """How often the listing does not say what the text describes, in words."""
    pairs = [(state.board, player) for state in states for player in (0, 1)]
    other = sum(abs(listing(*pair) - staged_capture(*pair)) > 1e-9 for pair in pairs)
    return say("captures-not" if other else "captures", other=other, sides=len(pairs))


def points(row: Mapping[str, Any]) -> float:
    """Of a record: a win 1, a draw 1/2."""
    return float(row["wins"] + row["draws"] / 2)


def records(heuristic: str) -> list[Row]:
    """The printed records of a heuristic, by depth."""
    return [row for row in printed_results() if row["heuristic"] == heuristic]


def p_of_records() -> float:
    """Fisher's exact test of the staged heuristic's wins beside the simple one's, all depths."""
    wins = [sum(row["wins"] for row in records(name)) for name in ("complex", "simple")]
    games = [sum(_games(row) for row in records(name)) for name in ("complex", "simple")]
    table = [[won, of - won] for won, of in zip(wins, games, strict=True)]
    return float(fisher_exact(table).pvalue)


def _games(row: Mapping[str, Any]) -> int:
    return int(row["wins"] + row["losses"] + row["draws"])


def of_print() -> str:
    """What the printed records show, in words."""
    simple, staged_ = (sum(map(points, records(name))) for name in ("simple", "complex"))
    games, p = sum(map(_games, records("simple"))), p_of_records()
    first, last = (points(records("simple")[at]) for at in (0, -1))
    deeper = last - first >= staged_ / 3 - simple / 3
    depth = say("print-depth", first=first, last=last) if deeper else ""
    better = "more" if staged_ > simple else "not more"
    decided = "would be more than chance explains" if p < 0.05 else "could be chance"
    facts = {"staged": staged_, "simple": simple, "games": games, "p": p}
    return say("print", better=better, decided=decided, depth=depth, **facts)


@cache
def worked_search(depth: int = 2) -> Trace:
    """The search of the worked position, alpha-beta with `staged`."""
    return record(alpha_beta, GAME, worked_position(), staged, Depth(depth))


def windows() -> dict[tuple[int, int], tuple[float, float]]:
    """(alpha, beta) of each node of B's after each leaf below it: by B's pit and A's."""
    trace, found = worked_search(), {}
    for child in (trace.nodes[at] for at in trace.nodes[0].children):
        beta = child.beta
        for leaf in (trace.nodes[at] for at in child.children):
            if leaf.value is not None:
                beta = min(beta, leaf.value)
                found[child.node.move, leaf.node.move] = (child.alpha, beta)
    return found


def leaf_values() -> dict[tuple[int, int], float]:
    """The value of each leaf that the search reads, by B's pit and A's."""
    trace = worked_search()
    return {
        (child.node.move, leaf.node.move): leaf.value
        for child in (trace.nodes[at] for at in trace.nodes[0].children)
        for leaf in (trace.nodes[at] for at in child.children)
        if leaf.value is not None
    }


def board_after(after: int, leaf: int | None) -> Board:
    """The board after B's move and A's reply, by the package's rules."""
    state = GAME.play(worked_position(), after)
    return (state if leaf is None else GAME.play(state, leaf)).board


def same_node(row: Row) -> bool:
    """Whether a printed node has the board, and the value and window if printed, that we find."""
    if row["board"] != board_after(row["after"], row["leaf"]):
        return False
    if row["leaf"] is None:
        return True
    at = row["after"], row["leaf"]
    cut = row["beta"] <= row["alpha"]
    return (
        leaf_values()[at] == row["value"]
        and windows()[at] == (row["alpha"], row["beta"])
        and cut == (row["says"] == "alpha cut-off")
    )


def worked_tree() -> pd.DataFrame:
    """The printed nodes, boards and windows included, and whether each is what we find."""
    rows = [
        {
            "after": f"B{row['after']}" + ("" if row["leaf"] is None else f" A{row['leaf']}"),
            "A": " ".join(map(str, row["board"][:6])) + f" | {row['board'][6]}",
            "B": " ".join(map(str, row["board"][7:13])) + f" | {row['board'][13]}",
            "value": number(row["value"]),
            "printed (α, β)": "" if row["leaf"] is None else _window(row["alpha"], row["beta"]),
            "ours": "" if row["leaf"] is None else _window(*windows()[row["after"], row["leaf"]]),
            "equal": same_node(row),
        }
        for row in printed_tree()
    ]
    return pd.DataFrame(rows).set_index("after")


def _window(alpha: float, beta: float) -> str:
    return f"({number(alpha)}, {number(beta)})"


def all_moves() -> dict[int, float]:
    """What each of B's moves is worth by plain minimax, two sows deep."""
    root, *nodes = record(minimax, GAME, worked_position(), staged, Depth(2)).nodes
    return {n.node.move: n.value for n in nodes if n.id in root.children and n.value is not None}


def evaluated() -> tuple[int, int]:
    """The leaves that minimax and alpha-beta evaluate in the worked search."""
    full = minimax(GAME, worked_position(), staged, Depth(2))
    return full.counts.evaluated, worked_search().result.counts.evaluated


def of_worked_tree() -> str:
    """The worked tree in words: its nodes, its depth, its other moves, its cuts."""
    rows, found, result = printed_tree(), all_moves(), worked_search().result
    deeper = worked_search(3).result.value
    all_leaves, read = evaluated()
    levels = result.value == found[0] != deeper
    return say(
        "worked-tree", same=sum(map(same_node, rows)), nodes=len(rows), result=result,
        reading=say("depth-counts-root" if levels else "depth-not-decided"), deeper=deeper,
        moves=len(found), values=sorted({number(value) for value in found.values()}),
        cutoffs=len(worked_search().cuts), read=read, leaves=all_leaves, infinity=-MINUS_INFINITY,
    )  # fmt: skip


def growth(rows: pd.DataFrame, column: str) -> pd.Series:
    """The mean cost of a move by depth."""
    return rows.groupby("depth")[column].mean()


def of_costs(printed: pd.DataFrame, ours: pd.DataFrame) -> str:
    """The printed seconds beside our nodes, in words: how they grow, and the longest move."""
    seconds, nodes = growth(printed, "seconds"), growth(ours, "nodes")
    times = [
        {
            "one": one,
            "two": two,
            "time": seconds[two] / seconds[one],
            "nodes": nodes[two] / nodes[one],
        }
        for one, two in pairwise(nodes.index)
    ]
    factors = " ".join(say("growth", **each) for each in times)
    longest, longer = printed["seconds"].max(), int((printed["seconds"] > 1).sum())
    within, moves = "over" if longer else "within", len(printed)
    return say("costs", longest=longest, within=within, longer=longer, moves=moves, factors=factors)
