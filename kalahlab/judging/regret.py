"""What moves cost where perfect play is known, and how well evaluators order positions."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from statistics import fmean

from scipy.stats import kendalltau, spearmanr

from kalahlab import engine
from kalahlab.evaluators import Evaluator, is_for_mover
from kalahlab.games.kalah import PRESETS, Kalah, State
from kalahlab.grid import Row
from kalahlab.judging.judged import Judged
from kalahlab.search import Depth
from kalahlab.search.ordering import store_first
from kalahlab.search.tree import pit_order


def regrets(
    sample: Sequence[Judged], evaluators: Mapping[str, Evaluator], depths: Iterable[int]
) -> list[Row]:
    """What alpha-beta's move costs in each position, with each evaluator to each depth, in sows.

    Rows: evaluator, its name; depth; position, its number in the sample; ties, the moves that the
    search holds for equally good; regret, the stones that one of them costs on the mean, and
    optimal, the share of them that cost nothing; pit_order and store_first, what the leftmost and
    the rightmost of them costs, which a search in pit order and in store-first order plays;
    nodes, entered in pit order.
    """
    return [
        {"evaluator": name, "depth": depth, "position": number, **_costs(row, evaluator, depth)}
        for name, evaluator in evaluators.items()
        for depth in depths
        for number, row in enumerate(sample)
    ]


def _costs(row: Judged, evaluator: Evaluator, depth: int) -> Row:
    moves, nodes = best_moves(Kalah(rules=PRESETS[row.rules]), row.state, evaluator, depth)
    stones = [row.regret(pit) for pit in moves]
    return {
        "ties": len(moves),
        "regret": fmean(stones),
        "pit_order": stones[0],
        "store_first": stones[-1],
        "optimal": stones.count(0) / len(stones),
        "nodes": nodes,
    }


def best_moves(
    game: Kalah, state: State, evaluator: Evaluator, depth: int
) -> tuple[list[int], int]:
    """All moves that a search holds for the best, from the left; nodes entered in pit order.

    The first best move wins, so that pit order plays the leftmost of them, and store-first
    order the rightmost. Those between are searched alone.
    """
    found, back = (
        engine.alpha_beta(game, state, evaluator, Depth(depth), order)
        for order in (pit_order, store_first)
    )
    between = (pit for pit in game.moves(state) if found.move < pit < back.move)
    equal = (pit for pit in between if _worth(game, state, pit, evaluator, depth) == found.value)
    return sorted({found.move, *equal, back.move}), found.counts.visited


def _worth(game: Kalah, state: State, pit: int, evaluator: Evaluator, depth: int) -> float:
    """What a search of so many sows says of a move, to the mover."""
    after, below = game.play(state, pit), Depth(depth - 1)
    if after.player == state.player:
        return engine.alpha_beta(game, after, evaluator, below, store_first).value
    return -engine.alpha_beta(game, after, other_side(evaluator), below, store_first).value


@cache
def other_side(evaluator: Evaluator) -> Evaluator:
    """What is as bad for a player as the evaluator says it is good for the opponent.

    One that is asked for the player to move says the same whoever searches.
    """
    if is_for_mover(evaluator):
        return evaluator

    def seen(board: Sequence[float], player: int) -> float:
        return -evaluator(board, 1 - player)

    return seen


def chance(sample: Sequence[Judged]) -> tuple[float, float]:
    """What a move at random gives up on the mean, and the share of moves that are optimal."""
    found = [
        [row.regret(pit) for pit, worth in enumerate(row.moves) if worth is not None]
        for row in sample
    ]
    return (
        fmean(fmean(stones) for stones in found),
        fmean(stones.count(0) / len(stones) for stones in found),
    )


def ordering(sample: Sequence[Judged], evaluators: Mapping[str, Evaluator]) -> list[Row]:
    """How well what a position looks like orders positions by what they are worth.

    Rows: evaluator; spearman and kendall (tau-b), the rank correlations of the static value
    with the exact one, both from the mover's side, 1 for the same order.
    """
    exact = [row.value for row in sample]
    rows = []
    for name, evaluator in evaluators.items():
        looks = [evaluator(row.state.board, row.state.player) for row in sample]
        rows.append(
            {
                "evaluator": name,
                "spearman": float(spearmanr(looks, exact).statistic),
                "kendall": float(kendalltau(looks, exact).statistic),
            }
        )
    return rows
