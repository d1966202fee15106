"""The regret of moves in positions whose values are known: a player's moves, or those of searches.

moves = judge_player(parse_player("alpha_beta:fitted:4", backend="engine"), load_positions())
summarize(moves)
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from statistics import fmean

import numpy as np
import pandas as pd

from kalahlab import engine
from kalahlab.evaluators import Evaluator, is_for_mover
from kalahlab.games.kalah import PRESETS, Kalah, State
from kalahlab.judging.solved_positions import PHASES, SolvedPosition
from kalahlab.matches.estimates import Kind, estimates
from kalahlab.players.game_loop import Player, legal_move
from kalahlab.search import Depth
from kalahlab.search.ordering import store_first
from kalahlab.search.tree import pit_order

# The columns that measure a move, and how their means are estimated.
MEASURES: dict[str, Kind] = {"optimal": "share", "kept": "share", "regret": "mean"}


def judge_player(player: Player, rows: Iterable[SolvedPosition], name: str = "") -> pd.DataFrame:
    """Play a player's move in each position and return a row for each.

    Columns: position, its number from 0; game, the game that the position is from, or the number of
    the position if that is not known; board, pits a side and stones a pit, as `6,4`; rules; phase;
    pit, from 1; regret, the stones that the move gives up; optimal, 1 if the move gives up none;
    kept, 1 if the move keeps the outcome (a win, a draw or a loss).

    Args:
        player: The player.
        rows: The positions.
        name: The name of the player in error messages.

    Raises:
        ValueError: The player's move is illegal.
    """
    moves = []
    for number, position in enumerate(rows):
        # A player may read the start, so that the game is that of the position.
        game = Kalah(*position.start, PRESETS[position.rules])
        pit = legal_move(player, game, position.state, name)
        regret = position.regret(pit)
        move_value = position.value - regret
        moves.append(
            {
                "position": number,
                "game": position.game or number,
                "board": "{},{}".format(*position.start),
                "rules": position.rules,
                "phase": position.phase,
                "pit": pit + 1,
                "regret": regret,
                "optimal": int(regret == 0),
                "kept": int(np.sign(move_value) == np.sign(position.value)),
            }
        )
    return pd.DataFrame(moves)


def summarize(moves: pd.DataFrame) -> pd.DataFrame:
    """Estimate the `MEASURES` of all moves, of each phase, and of each board if there are several.

    Columns: of, "all", a phase or a board; positions and games, their numbers; each of `MEASURES`,
    its mean; the same with `_low` and `_high`, the ends of the interval of the mean.
    """
    # Groups keep the order of their first rows: the phases are to come in the order of a game.
    phases = moves.sort_values("phase", key=lambda names: names.map(PHASES.index))
    parts = [moves.assign(of="all"), phases.assign(of=phases["phase"])]
    if moves["board"].nunique() > 1:
        parts.append(moves.assign(of=moves["board"]))
    rows = pd.concat(parts)
    sizes = rows.groupby("of", sort=False)["game"].agg(positions="size", games="nunique")
    means = (estimates(rows, name, "of", "game", kind) for name, kind in MEASURES.items())
    table = sizes.join([mean.drop(columns="p") for mean in means])
    table = pd.DataFrame(table.reset_index())
    # `estimates` names the ends of an interval with a space, such as "regret low".
    return table.rename(columns=lambda name: name.replace(" ", "_"))


def regrets(
    sample: Sequence[SolvedPosition], evaluators: Mapping[str, Evaluator], depths: Iterable[int]
) -> pd.DataFrame:
    """Measure alpha-beta's move in each position, with each evaluator to each depth, in sows.

    Columns: evaluator, its name; depth; position, its number in the sample, from 0; ties, the
    number of best moves, which are the moves that the search values most; regret, the stones that a
    best move gives up, on average over the best moves; optimal, the share of the best moves that
    give up none; pit_order, the regret of the leftmost best move, which a search in pit order
    plays; store_first, the regret of the rightmost, which a search in store-first order plays;
    nodes, the nodes entered by the search in pit order.
    """
    rows = []
    for (name, evaluator), depth in product(evaluators.items(), depths):
        for number, position in enumerate(sample):
            # A search reads only the rules: the board's size is that of the state.
            game = Kalah(rules=PRESETS[position.rules])
            moves, nodes = best_moves(game, position.state, evaluator, depth)
            stones = [position.regret(pit) for pit in moves]  # from the leftmost best move on
            rows.append(
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
    return pd.DataFrame(rows)


def best_moves(
    game: Kalah, state: State, evaluator: Evaluator, depth: int
) -> tuple[list[int], int]:
    """Return all moves that a search finds best, from the left, and the number of nodes entered.

    The nodes are those of a search in pit order. A search plays the first of several best moves:
    the leftmost in pit order, the rightmost in store-first order. The value of a move between these
    two is found by a search of that move alone: in a search of all moves, a move that is not better
    than the first is cut off before its exact value is known.
    """
    forward = engine.alpha_beta(game, state, evaluator, Depth(depth), pit_order)
    backward = engine.alpha_beta(game, state, evaluator, Depth(depth), store_first)
    best = {forward.move, backward.move}
    between = [pit for pit in game.moves(state) if forward.move < pit < backward.move]
    for pit in between:
        if _value_of(game, state, pit, evaluator, depth) == forward.value:
            best.add(pit)
    return sorted(best), forward.counts.visited


def _value_of(game: Kalah, state: State, pit: int, evaluator: Evaluator, depth: int) -> float:
    """Return the value of a move, for the mover, by a search of `depth` sows."""
    child = game.play(state, pit)
    deep_enough = Depth(depth - 1)  # the move itself is a sow
    if child.player == state.player:
        return engine.alpha_beta(game, child, evaluator, deep_enough, store_first).value
    # The child's player searches as MAX, for whom the engine calls the evaluator. The leaves are
    # still to be valued from the mover's side, as in a search of all moves.
    for_mover = for_other_side(evaluator)
    return -engine.alpha_beta(game, child, for_mover, deep_enough, store_first).value


@cache
def for_other_side(evaluator: Evaluator) -> Evaluator:
    """Return an evaluator that returns, for a player, minus the value for the other player.

    For an antisymmetric evaluator, this is the same value. An evaluator for the player to move is
    returned unchanged, as it has no fixed point of view. The result is cached, because the engine
    compiles each function that it has not seen.
    """
    if is_for_mover(evaluator):
        return evaluator

    def evaluate(board: Sequence[float], player: int) -> float:
        return -evaluator(board, 1 - player)

    return evaluate
