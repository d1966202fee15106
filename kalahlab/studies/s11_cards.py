"""The card game: its factors, its dynamic depth, and the program in the report and as published."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, product
from operator import mul
from random import Random
from statistics import fmean
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kalahlab.evaluators.cards import WEIGHTS, Factors, factors, report, weighted
from kalahlab.games.cards import DECKS, NAMES, Board, Cards, State, size_of
from kalahlab.grid import Row
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.matches.rating import Interval, mean_of, score, verdicts
from kalahlab.play import random_position
from kalahlab.published.cards import (
    MAX_NODE,
    VARIANTS,
    Program,
    by_budget,
    empty_cells,
    odd_depth,
    widths,
    widths_at,
)
from kalahlab.report.draw.axes import panels, plain_numbers
from kalahlab.report.draw.forest import forest
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.search import Depth, alpha_beta
from kalahlab.words import Words

say = Words("studies", "s11_cards")

FOLLOWS = say("follows")
"""The last paragraph of the page: where it goes on."""

SAID = {
    "worse": "it plays worse",
    "not told apart": "no difference is shown",
    "better": "it plays better",
}
"""The verdicts on a score, in words."""

FACTORS = Factors._fields


@dataclass(frozen=True, slots=True)
class Side:
    """A player, by plain values.

    variant: a name in `VARIANTS`; here each knows that the largest card decides. off: the
    factor that its F does without, "" for none. budget: of its dynamic depth. depth: its
    fixed depth, None for the dynamic one. `ValueError` for what is none of these.
    """

    variant: str = "report"
    off: str = ""
    budget: int = MAX_NODE
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(f"variant is {self.variant!r}; use one of {', '.join(VARIANTS)}")
        if self.off not in ("", *FACTORS):
            raise ValueError(f"factor is {self.off!r}; use one of {', '.join(FACTORS)}")

    def program(self) -> Program:
        """The player itself."""
        found = replace(VARIANTS[self.variant], depth=by_budget(self.budget), largest_decides=True)
        if self.depth is not None:
            fixed = Depth(self.depth)
            found = replace(found, depth=lambda state: fixed)
        if self.off:
            found = replace(found, evaluator=weighted(WEIGHTS._replace(**{self.off: 0})))
        return found


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two games of `one` against `other` from the opening that the seed draws.

    plies: moves of the opening. size: of the board.
    """

    one: Side
    other: Side
    seed: int
    plies: int = 2
    size: int = 4


def factor_pairs(
    budget: int, pairs: int, factors: Iterable[str] = FACTORS, **fixed: Any
) -> list[Meeting]:
    """F as it is against F without each of the factors, the same openings for all."""
    return [
        Meeting(Side(budget=budget), Side(off=factor, budget=budget), seed, **fixed)
        for factor, seed in product(factors, range(pairs))
    ]


def variant_pairs(budget: int, pairs: int, **fixed: Any) -> list[Meeting]:
    """The program as its report has it against the published one."""
    described, programmed = (Side(name, budget=budget) for name in ("report", "published"))
    return [Meeting(described, programmed, seed, **fixed) for seed in range(pairs)]


def depth_pairs(
    budgets: Iterable[int], depths: Iterable[int], pairs: int, **fixed: Any
) -> list[Meeting]:
    """Each dynamic depth against each fixed one, the same openings for all."""
    return [
        Meeting(Side(budget=budget), Side(depth=depth), seed, **fixed)
        for depth, budget, seed in product(depths, budgets, range(pairs))
    ]


def play_meeting(meeting: Meeting) -> Row:
    """Play the two games.

    variant, off, depth: of the other side. budget: of the first. score: of the first side,
    from 0 to 1: the mean of the games, a draw being half a win. nodes, other_nodes: what
    either side generated in a game, on average.
    """
    game, one, other = Cards(meeting.size), meeting.one, meeting.other
    start = random_position(game, Random(meeting.seed), meeting.plies)
    nodes = [0, 0]
    first, second = (_counted(side, nodes, who) for who, side in enumerate((one, other)))
    return {
        "variant": other.variant,
        "off": other.off,
        "budget": one.budget,
        "depth": other.depth,
        "seed": meeting.seed,
        "score": play_pair(Pair(first, second, start, game))["points"],
        "nodes": nodes[0] / 2,
        "other_nodes": nodes[1] / 2,
    }


def _counted(side: Side, nodes: list[int], who: int) -> Callable[[Cards, State], Any]:
    """The side as a player that adds what it generates to nodes[who]."""

    def player(game: Cards, state: State) -> Any:
        move, generated = _thought(side, game, state)
        nodes[who] += generated
        return move

    return player


@lru_cache(1 << 15)  # the same side meets others from the same openings
def _thought(side: Side, game: Cards, state: State) -> tuple[Any, int]:
    result = side.program().think(game, state)[1]
    return result.move, result.counts.generated


def depth_table(size: int, budget: int = MAX_NODE) -> list[Row]:
    """The dynamic depth, by the cards in hand: the other one has as many or one less.

    moves: the document's estimate at the root. full_tree: the leaves at that depth, by the
    same estimate.
    """
    return [
        {"own": own, "other": other, "unused": unused, "moves": leaves[0]}
        | {"depth": depth, "full_tree": leaves[depth - 1]}
        for own in range(len(DECKS[size]), 0, -1)
        for other in (own, own - 1)
        for unused in [size**2 - 2 * len(DECKS[size]) + own + other]
        for depth in [odd_depth(budget, widths(unused, own, other)).limit]
        for leaves in [[*accumulate(widths(unused, own, other), mul)]]
    ]


def cells_table(budgets: Sequence[int] = (MAX_NODE,)) -> list[Row]:
    """6×6 by the cards in hand: the cells left as printed and as meant, and the depths.

    Each depth is a text, of each budget in turn.
    """
    deck = len(DECKS[6])
    rows = []
    for own in range(deck, 0, -1):
        for other in (own, own - 1):
            row: Row = {"own": own, "other": other}
            for reading, printed in (("printed", True), ("meant", False)):
                cells = empty_cells(6, own, other, printed)
                depths = [odd_depth(most, widths(cells, own, other)).limit for most in budgets]
                row[f"cells, {reading}"] = cells
                row[f"depth, {reading}"] = " ".join(map(str, depths))
            rows.append(row)
    return rows


def endgames(number: int, left: int = 4, depths: Iterable[int] = (1, 2, 3)) -> pd.DataFrame:
    """Random positions with so many cards left, played to the end: a row a position.

    F: of the mover. outcome: 1, 0 or -1, the mover's if both play perfectly. by_chance: the
    share of its moves that keep the outcome; depth_1, ...: whether the move that F finds so
    deep does, 1 or 0.
    """
    game, deck = Cards(), len(DECKS[4])
    return pd.DataFrame(
        _endgame(game, random_position(game, Random(seed), 2 * deck - left), depths)
        for seed in range(number)
    )


def _endgame(game: Cards, state: State, depths: Iterable[int]) -> Row:
    worth = {}
    for move in game.moves(state):
        after = game.play(state, move)
        worth[move] = -alpha_beta(game, after, report, Depth(2 * len(DECKS[4]))).value
    best = max(worth.values())
    row: Row = {"F": report(state.board, state.player), "outcome": (best > 0) - (best < 0)}
    row["by_chance"] = fmean(value == best for value in worth.values())
    for depth in depths:
        move = alpha_beta(game, state, report, Depth(depth)).move
        row[f"depth_{depth}"] = int(worth[move] == best)
    return row


def outcomes(found: pd.DataFrame) -> pd.DataFrame:
    """How the positions of `endgames` end, and the mean F of each kind."""
    names = {1: "won", 0: "drawn", -1: "lost"}
    table = found.groupby("outcome")["F"].agg(["size", "mean"]).reindex([*names])
    table = table.set_axis(["positions", "mean F"], axis=1).rename(index=names)
    return table.fillna({"positions": 0}).astype({"positions": int})


def kept(found: pd.DataFrame) -> pd.DataFrame:
    """The share of positions of `endgames` whose outcome a move keeps, with its interval.

    A row a way to choose the move. Positions are random and each is of a game of its own.
    """
    ways = {"a random move": "by_chance"} | {
        f"depth {name.removeprefix('depth_')}": name
        for name in found.columns
        if name.startswith("depth_")
    }
    return pd.DataFrame(
        {way: score(list(found[name])).columns("share") for way, name in ways.items()}
    ).T


def on_endgames(found: pd.DataFrame) -> str:
    """What solved endgames say of "always win", of deeper searches and of F, in words."""
    names = [name for name in found.columns if name.startswith("depth_")]
    lost, drawn = (int((found["outcome"] == sign).sum()) for sign in (-1, 0))
    name = "not-always-won" if lost + drawn else "always-won"
    wins = say(name, left=lost + drawn, positions=len(found), lost=lost, drawn=drawn)
    more = mean_of([*(found[names[-1]] - found[names[0]])])
    deeper = say(f"deeper-{more.verdict(0).replace(' ', '-')}")
    ends = {"first": names[0][-1], "last": names[-1][-1]}
    return say("endgames", wins=wins, more=more, deeper=deeper, **ends)


def depth_costs(state: State, deepest: int) -> list[Row]:
    """What alpha-beta generates at each depth, beside the leaves of the full tree.

    From depth 1 to `deepest`, or to the end of the game. on_the_line: the most nodes that are
    children of a node on one line, all that a search must hold that keeps no tree.
    """
    game = Cards(size_of(state.board))
    line = [*accumulate(widths_at(state))]
    leaves = [*accumulate(widths_at(state), mul)][:deepest]
    return [
        {"depth": depth, "full_tree": full, "generated": found.counts.generated}
        | {"on_the_line": line[depth - 1]}
        for depth, full in enumerate(leaves, start=1)
        for found in [alpha_beta(game, state, report, Depth(depth))]
    ]


def choices(budget: int, seeds: int, plies: Iterable[int], size: int = 4) -> list[Row]:
    """The moves that programs choose in random positions, by name.

    report and published as they are; knowing: as `report`, and knowing that the largest
    card decides between equal sums.
    """
    game = Cards(size)
    report, published = (
        replace(VARIANTS[name], depth=by_budget(budget)) for name in ("report", "published")
    )
    programs = {"report": report, "published": published}
    programs["knowing"] = replace(report, largest_decides=True)
    return [
        {"plies": ply, "seed": seed}
        | {name: game.move_name(state, program(game, state)) for name, program in programs.items()}
        for ply, seed in product(plies, range(seeds))
        for state in [random_position(game, Random(seed), ply)]
    ]


def scores(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The score of each group of pairs, with its 95% interval, and the nodes of a game.

    p, verdict: of all groups as one family, see `verdicts` of `kalahlab.matches.rating`.
    """
    groups = rows.groupby([*by], sort=False)
    table = groups[["score", "nodes", "other_nodes"]].mean()
    table[["low", "high"]] = [score([*group])[1:] for _, group in groups["score"]]
    table["pairs"] = groups.size()
    table["p"], table["verdict"] = zip(
        *verdicts([[*group] for _, group in groups["score"]]), strict=True
    )
    order = ["pairs", "score", "low", "high", "p", "verdict", "nodes", "other_nodes"]
    digits = {"score": 3, "low": 3, "high": 3, "p": 3, "nodes": 0, "other_nodes": 0}
    return table[order].round(digits).reset_index()


def factor_table(board: Board) -> pd.DataFrame:
    """The six factors of both players."""
    six = [factors(board, player)._asdict() for player in range(2)]
    return pd.DataFrame(six, index=list(NAMES)).rename(columns=str.upper)


def differing(choices: pd.DataFrame) -> pd.DataFrame:
    """How many positions, after so many moves, get another move than by the report."""
    others = {"published": "published program", "knowing": "with the rule of ties"}
    differs = choices[[*others]].ne(choices["report"], axis=0).groupby(choices["plies"]).sum()
    return differs.rename(columns=others).assign(positions=choices.groupby("plies").size())


def equal_nodes(scores: pd.DataFrame) -> pd.DataFrame:
    """For each fixed depth the dynamic one whose games cost most nearly as many nodes."""
    ratio = scores["nodes"] / scores["other_nodes"]
    far = ratio.where(ratio >= 1, 1 / ratio)
    nearest = scores.assign(ratio=ratio).loc[far.groupby(scores["depth"]).idxmin()]
    return nearest.reset_index(drop=True)


def draw_factors(scores: pd.DataFrame) -> Figure:
    """The score of F against F without each factor, with its interval, a mark for each budget.

    scores: columns `off`, `budget`, `score`, `low` and `high`. Right of the line the factor
    helps; left of it F plays better without.
    """
    names, budgets = list(dict.fromkeys(scores["off"])), list(dict.fromkeys(scores["budget"]))
    look = {
        budget: {"fmt": "osD^v"[place % 5], "capsize": 4, "label": f"{budget:,} nodes"}
        for place, budget in enumerate(budgets)
    }
    figure, [[ax]] = forest(
        [[scores]], names, "off", ("budget", look), (8, 3.4), apart=0.24, line={"x": 0.5}
    )
    ax.set_yticklabels([name.upper() for name in names])
    ax.set(xlabel="score of F against F without it, 95 % interval", ylabel="factor switched off")
    if len(budgets) > 1:
        ax.legend(title="budget")
    return alt(figure, say("draw-factors"))


def draw_depths(scores: pd.DataFrame) -> Figure:
    """The score of dynamic depths by the nodes they cost, a panel for each fixed depth.

    scores: columns `depth`, `budget`, `nodes`, `other_nodes`, `score`, `low` and `high`. The
    upright line is what the fixed depth costs: a mark on it is a match at equal nodes.
    """
    depths = list(scores["depth"].unique())
    figure, axes = panels(1, len(depths), (8, 3.6), sharey=True)
    for ax, depth in zip(axes[0], depths, strict=True):
        _draw_depth(ax, scores[scores["depth"] == depth].sort_values("nodes"))
        ax.set(title=f"against fixed depth {depth}", xscale="log", ylim=(0, 1.05))
        ax.margins(x=0.15)
        plain_numbers(ax.xaxis)
    axes[0][0].set_ylabel("score of the dynamic depth,\n95 % interval")
    label = "nodes generated in a game (at the marks: the budget; dashed: the fixed depth's nodes)"
    figure.supxlabel(label, fontsize="medium")
    return alt(figure, say("draw-depths"))


def _draw_depth(ax: Axes, rows: pd.DataFrame) -> None:
    error = [rows["score"] - rows["low"], rows["high"] - rows["score"]]
    ax.errorbar(rows["nodes"], rows["score"], yerr=error, fmt="o-", capsize=4)
    for nodes, high, budget in zip(rows["nodes"], rows["high"], rows["budget"], strict=True):
        ax.annotate(
            f"{budget:,}", (nodes, high), xytext=(0, 4), textcoords="offset points", ha="center",
            fontsize="small", bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )  # fmt: skip
    ax.axhline(0.5, color="black", linewidth=1)
    ax.axvline(rows["other_nodes"].mean(), color=PALETTE["vermilion"], linestyle="--")


def on_factors(scores: pd.DataFrame) -> str:
    """What each budget's matches say of the factors, as a list in Markdown."""
    said = []
    for budget, rows in scores.groupby("budget", sort=False):
        off: dict[str, list[str]] = {verdict: [] for verdict in SAID}
        for row in rows.to_dict("records"):
            off[row["verdict"]].append(row["off"].upper())
        worse, same, better = (", ".join(names) for names in off.values())
        plays = [f"{how} with {names}" for how, names in (("better", better), ("worse", worse))]
        shown = " and ".join(part for part in plays if not part.endswith("with "))
        sentences = [f"F plays {shown}." * bool(shown), f"No difference is shown for {same}."]
        told = " ".join(sentences[: 1 + bool(same)]).strip()
        said.append(f"- With a budget of {budget:,} nodes: {told}")
    return "\n".join(said)


def finding(scores: pd.DataFrame) -> str:
    """Which factors are shown to help, with their scores, in one sentence.

    scores: of the factors; those at the greatest budget count.
    """
    budget = scores["budget"].max()
    rows = scores[scores["budget"] == budget].to_dict("records")
    parts = [
        f"it plays {said} with {' and '.join(names)}"
        for said in ("better", "worse")
        if (names := [_scored(row) for row in rows if row["verdict"] == said])
    ]
    rest = sum(row["verdict"] == "not told apart" for row in rows)
    if rest:
        parts.append(f"for {rest} of its {len(rows)} factors no difference is shown")
    return say("finding", budget=budget, parts="; ".join(parts))


def _scored(row: Mapping[Any, Any]) -> str:
    return f"{row['off'].upper()} ({row['score']:.2f}, {row['low']:.2f} to {row['high']:.2f})"


def on_depths(scores: pd.DataFrame) -> str:
    """What the matches at equal nodes say, as a list in Markdown, and what they do not say."""
    lines = [
        say("depths", row=row, score=Interval.of(row), said=SAID[row["verdict"]])
        for row in equal_nodes(scores).to_dict("records")
    ]
    most = scores["budget"].max()
    if most < MAX_NODE:
        lines.append(say("largest-budget", most=most, budget=MAX_NODE))
    return "\n".join(lines)


def on_variants(scores: pd.DataFrame) -> str:
    """What the report's program scores against the published program, in a sentence."""
    (row,) = scores.to_dict("records")
    return say("variants", score=Interval.of(row), times=row["nodes"] / row["other_nodes"])
