"""What moves cost where perfect play is known, and how well evaluators order positions."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from scipy.stats import kendalltau, spearmanr

from kalahlab import engine
from kalahlab.evaluators import Evaluator
from kalahlab.games.kalah import PRESETS, Kalah
from kalahlab.grid import Row
from kalahlab.judging.judged import Judged
from kalahlab.search import Depth


def regrets(
    sample: Sequence[Judged], evaluators: Mapping[str, Evaluator], depths: Iterable[int]
) -> list[Row]:
    """Each position's move by alpha-beta with each evaluator to each depth, in sows.

    Rows: evaluator, its name; depth; position, its number in the sample; regret, the stones
    that the move costs; nodes, entered by the search.
    """
    return [
        {
            "evaluator": name,
            "depth": depth,
            "position": number,
            "regret": row.regret(found.move),
            "nodes": found.counts.visited,
        }
        for name, evaluator in evaluators.items()
        for depth in depths
        for number, row in enumerate(sample)
        for game in [Kalah(rules=PRESETS[row.rules])]
        for found in [engine.alpha_beta(game, row.state, evaluator, Depth(depth))]
    ]


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
