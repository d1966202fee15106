"""What the card game's program spends and how well it plays.

    rows = run_all(play_meeting, factor_pairs(budget=1000, pairs=50))

Players meet in pairs of games: one random opening played twice, each player once on either
side of it, so that neither gains by the opening or by who moves first. All is counted in
nodes, nothing in seconds.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import accumulate, product
from operator import mul
from random import Random
from typing import Any

from kalahlab.evaluators.cards import WEIGHTS, Factors, report, weighted
from kalahlab.games.cards import DECKS, Cards, State, size_of
from kalahlab.grid import Row
from kalahlab.matches.pairs import Pair, play_pair
from kalahlab.play import random_position
from kalahlab.published.cards import (
    MAX_NODE,
    VARIANTS,
    Program,
    by_budget,
    odd_depth,
    widths,
    widths_at,
)
from kalahlab.search import Depth, alpha_beta

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
    first, second = (_counted(side.program(), nodes, who) for who, side in enumerate((one, other)))
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


def _counted(program: Program, nodes: list[int], who: int) -> Callable[[Cards, State], Any]:
    """The program as a player that adds what it generates to nodes[who]."""

    def player(game: Cards, state: State) -> Any:
        result = program.think(game, state)[1]
        nodes[who] += result.counts.generated
        return result.move

    return player


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


def depth_costs(state: State, deepest: int) -> list[Row]:
    """What alpha-beta generates at each depth, beside the leaves of the full tree.

    From depth 1 to `deepest`, or to the end of the game.
    """
    game = Cards(size_of(state.board))
    leaves = [*accumulate(widths_at(state), mul)][:deepest]
    return [
        {
            "depth": depth,
            "full_tree": full,
            "generated": alpha_beta(game, state, report, Depth(depth)).counts.generated,
        }
        for depth, full in enumerate(leaves, start=1)
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
