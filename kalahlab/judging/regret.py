"""What moves cost where perfect play is known: a player's, or those of searches.

moves = judge_player(parse_player("alpha_beta:fitted:4", backend="engine"), read())
summarize(moves)
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from statistics import fmean

import numpy as np
import pandas as pd

from kalahlab import engine
from kalahlab.estimates import Kind, estimates
from kalahlab.evaluators import Evaluator, is_for_mover
from kalahlab.games.kalah import PRESETS, Kalah, State
from kalahlab.judging.judged import PHASES, Judged
from kalahlab.play import Player, legal_move
from kalahlab.search import Depth
from kalahlab.search.ordering import store_first
from kalahlab.search.tree import pit_order

# What is measured of a move, and how it is estimated.
MEASURES: dict[str, Kind] = {"optimal": "share", "kept": "share", "regret": "mean"}


def judge_player(player: Player, rows: Iterable[Judged], name: str = "") -> pd.DataFrame:
    """A row for each position and the move of a player there.

    Columns: position, its number from 0; game, the one that it is from, or else that number; board,
    pits a side and stones a pit, as `6,4`; rules; phase; pit, from 1; regret, the stones that the
    move gives up; optimal, 1 if it gives up none; kept, 1 if who wins, or that nobody does, stays.
    Raises `ValueError` for a move that is illegal; errors call the player by its `name`.
    """
    found = []
    for number, row in enumerate(rows):
        pit = legal_move(player, Kalah(*row.start, PRESETS[row.rules]), row.state, name)
        regret = row.regret(pit)
        found.append(
            {
                "position": number,
                "game": row.game or number,
                "board": "{},{}".format(*row.start),
                "rules": row.rules,
                "phase": row.phase,
                "pit": pit + 1,
                "regret": regret,
                "optimal": int(regret == 0),
                "kept": int(np.sign(row.value) == np.sign(row.value - regret)),
            }
        )
    return pd.DataFrame(found)


def summarize(moves: pd.DataFrame) -> pd.DataFrame:
    """Estimates of all moves, of those in each phase, and of those on each board, if on several.
    Columns: of, positions, games; each of `MEASURES`, with `_low` and `_high` for its interval."""
    phases = moves.sort_values("phase", key=lambda names: names.map(PHASES.index))
    parts = [moves.assign(of="all"), phases.assign(of=phases["phase"])]
    if moves["board"].nunique() > 1:
        parts.append(moves.assign(of=moves["board"]))
    rows = pd.concat(parts)
    sizes = rows.groupby("of", sort=False)["game"].agg(positions="size", games="nunique")
    means = (estimates(rows, name, "of", "game", kind) for name, kind in MEASURES.items())
    found = pd.DataFrame(sizes.join([each.drop(columns="p") for each in means]).reset_index())
    return found.rename(columns=lambda name: name.replace(" ", "_"))


def regrets(
    sample: Sequence[Judged], evaluators: Mapping[str, Evaluator], depths: Iterable[int]
) -> pd.DataFrame:
    """What alpha-beta's move costs in each position, with each evaluator to each depth, in sows.

    Columns: evaluator, its name; depth; position, its number in the sample; ties, the moves that
    the search holds for equally good; regret, the stones that one of them costs on average, and
    optimal, the share of them that cost nothing; pit_order and store_first, what the leftmost and
    the rightmost of them costs, which a search in pit order and in store-first order plays;
    nodes, entered in pit order.
    """
    found = []
    for (name, evaluator), depth in product(evaluators.items(), depths):
        for number, row in enumerate(sample):
            moves, nodes = best_moves(Kalah(rules=PRESETS[row.rules]), row.state, evaluator, depth)
            stones = [row.regret(pit) for pit in moves]
            found.append(
                {
                    "evaluator": name,
                    "depth": depth,
                    "position": number,
                    "ties": len(moves),
                    "regret": fmean(stones),
                    "pit_order": stones[0],
                    "store_first": stones[-1],
                    "optimal": stones.count(0) / len(stones),
                    "nodes": nodes,
                }
            )
    return pd.DataFrame(found)


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
    """What a search of `depth` sows says of a move, to the mover."""
    after, below = game.play(state, pit), Depth(depth - 1)
    if after.player == state.player:
        return engine.alpha_beta(game, after, evaluator, below, store_first).value
    return -engine.alpha_beta(game, after, other_side(evaluator), below, store_first).value


@cache
def other_side(evaluator: Evaluator) -> Evaluator:
    """The evaluator as the opponent sees it; one for the player to move stays as it is."""
    if is_for_mover(evaluator):
        return evaluator

    def seen(board: Sequence[float], player: int) -> float:
        return -evaluator(board, 1 - player)

    return seen
