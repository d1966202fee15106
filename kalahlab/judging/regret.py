"""The regret of a player's moves, or of a search's, in positions whose values are known.

moves = judge_player(parse_player("alpha_beta:fitted:4", backend="engine"), load_positions())
summarize(moves)
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from statistics import fmean

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from kalahlab import engine
from kalahlab.evaluators import Evaluator, for_finished_games, is_for_finished_games, is_for_mover
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.rules import parse_rules
from kalahlab.judging.solved_positions import PHASES, SolvedPosition
from kalahlab.matches.estimates import Kind, estimates
from kalahlab.parallel import Row
from kalahlab.players.game_loop import legal_move
from kalahlab.players.model import AnyPlayer, Fault, Player, as_player
from kalahlab.search import Depth
from kalahlab.search.ordering import store_first
from kalahlab.search.tree import pit_order

# The columns that measure a move, each with the kind of estimate of its mean.
MEASURES: dict[str, Kind] = {"optimal": "share", "kept": "share", "regret": "mean"}

MOST_FAULTS = 10  # in a row: a player that makes more of them is not asked again


def judge_player(player: AnyPlayer, rows: Iterable[SolvedPosition], name: str = "") -> pd.DataFrame:
    """Ask a player for a move in each position, and return a table with a row for each move.

    The columns are:
    - position: the number of the position, from 0
    - game: the game that the position is from, or the number of the position if no game is known
    - board: the pits a side and the stones a pit, such as `6,4`
    - rules, phase: those of the position
    - pit: the move, from 1
    - regret: the stones that the move gives up
    - optimal: 1 if the move gives up no stones, else 0
    - kept: 1 if the move keeps the outcome (a win, a draw or a loss), else 0
    - fault: if there is any, the `Fault` of the player as text. In such a position `pit` is 0, and
      the measures are those of the worst move.

    Args:
        player: The player.
        rows: The positions.
        name: The name of the player in error messages.

    Raises:
        ValueError: The player's move is illegal, or it makes a fault in `MOST_FAULTS` positions in
            a row.
    """
    player = as_player(player)
    moves = []
    pits = list[int]()  # those that were played, or the worst one
    faults = list[str | None]()
    values = list[tuple[float | None, ...]]()
    for number, position in enumerate(rows):
        pit, fault = _ask(player, position, name)
        pits.append(pit)
        faults.append(fault)
        _check_faults(name, faults)
        values.append(position.moves)
        moves.append(_describe(number, position) | {"pit": 0 if fault else pit + 1})
    longest = max(map(len, values), default=0)
    # Rows of smaller boards are filled up with None, which becomes NaN.
    padded = [(*row, *[None] * (longest - len(row))) for row in values]
    table = np.array(padded, float).reshape(len(values), longest)
    # The measures are whole numbers, as all margins are known.
    judged = pd.DataFrame(moves).join(measure_moves(table, pits).astype(int))
    if any(faults):
        judged["fault"] = faults
    return judged


def _describe(number: int, position: SolvedPosition) -> Row:
    """Return the columns of `judge_player` that describe the position with this number."""
    pit_count, stones = position.start
    return {
        "position": number,
        "game": position.game or number,
        "board": f"{pit_count},{stones}",
        "rules": position.rules,
        "phase": position.phase,
    }


def _ask(player: Player, position: SolvedPosition, name: str) -> tuple[int, str | None]:
    """Return the pit that a player sows, and None; or the worst pit, and the player's fault."""
    # The game begins as the position's own game did, because a player may read its start.
    game = Kalah(*position.start, parse_rules(position.rules))
    player.new_game(game, position.state)
    try:
        return legal_move(player, game, position.state, name), None
    except Fault as fault:
        worst = min(value for value in position.moves if value is not None)
        return position.moves.index(worst), str(fault)


def _check_faults(name: str, faults: Sequence[str | None]) -> None:
    """Raise `ValueError` if a player has made a fault in each of the last positions."""
    if len(faults) >= MOST_FAULTS and all(faults[-MOST_FAULTS:]):
        raise ValueError(f"player {name} made no move in {MOST_FAULTS} positions: {faults[-1]}")


def measure_moves(values: NDArray[np.float64], pits: ArrayLike) -> pd.DataFrame:
    """Return the `MEASURES` of many moves, a row for each.

    A measure is NaN if the values of the position are not known.

    Args:
        values: The value of each pit's move, a row for each position, NaN for an empty pit; such as
            the result of `Database.probe_moves`.
        pits: The move in each position: the number of its pit, from 0.

    Raises:
        ValueError: A pit has no value, but others of the position have one.
    """
    is_played = np.arange(values.shape[1]) == np.reshape(pits, (-1, 1))
    played = np.where(is_played, values, np.nan)
    # `fmax` leaves out NaN, unless all values are NaN.
    best = np.fmax.reduce(values, axis=1, initial=np.nan)
    worth = np.fmax.reduce(played, axis=1, initial=np.nan)
    wrong = np.flatnonzero(np.isnan(worth) & ~np.isnan(best))
    if wrong.size:
        raise ValueError(f"row {wrong[0]}: the move is a pit without a value")
    measures = {
        "regret": best - worth,
        "optimal": worth == best,
        "kept": np.sign(worth) == np.sign(best),
    }
    return pd.DataFrame(measures, dtype=float).where(pd.Series(~np.isnan(best)))


def summarize(moves: pd.DataFrame) -> pd.DataFrame:
    """Estimate the `MEASURES` of groups of moves: of all, of each phase, and of each board.

    A single board has no group of its own. The columns are:
    - of: the name of the group, which is "all", a phase or a board
    - positions, games: the number of positions and of games in the group
    - optimal, kept, regret: the mean of each of `MEASURES`
    - regret_low, regret_high: the ends of the interval of a mean; the same for the other means
    """
    # Groups are in the order of their first rows. Sorted rows give the phases in game order.
    by_phase = moves.sort_values("phase", key=lambda phases: phases.map(PHASES.index))
    groups = [moves.assign(of="all"), by_phase.assign(of=by_phase["phase"])]
    if moves["board"].nunique() > 1:
        groups.append(moves.assign(of=moves["board"]))
    rows = pd.concat(groups)
    sizes = rows.groupby("of", sort=False)["game"].agg(positions="size", games="nunique")
    means = list[pd.DataFrame]()
    for name, kind in MEASURES.items():
        means.append(estimates(rows, name, "of", "game", kind).drop(columns="p"))
    table = pd.DataFrame(sizes.join(means).reset_index())
    # `estimates` names the ends of an interval with a space, such as "regret low".
    return table.rename(columns=lambda name: name.replace(" ", "_"))


def regrets(
    sample: Sequence[SolvedPosition], evaluators: Mapping[str, Evaluator], depths: Iterable[int]
) -> pd.DataFrame:
    """Measure alpha-beta's best moves in each position, with each evaluator to each depth.

    A search's best moves are those that it values most. The columns are:
    - evaluator: the name of the evaluator
    - depth: the depth of the search, in sows
    - position: the number of the position in the sample, from 0
    - ties: the number of best moves
    - regret: the mean regret of the best moves, in stones
    - optimal: the share of the best moves whose regret is 0
    - pit_order: the regret of the leftmost best move, which a search in pit order plays
    - store_first: the regret of the rightmost best move, which a search in store-first order plays
    - nodes: the number of nodes that the search in pit order enters
    """
    rows = []
    for (name, evaluator), depth in product(evaluators.items(), depths):
        searched = _best_moves_by_rules(sample, evaluator, depth)
        for number, (position, (moves, nodes)) in enumerate(zip(sample, searched, strict=True)):
            stones = [position.regret(pit) for pit in moves]  # the leftmost best move is first
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


def _best_moves_by_rules(
    sample: Sequence[SolvedPosition], evaluator: Evaluator, depth: int
) -> list[tuple[list[int], int]]:
    """Return the result of `best_moves` in each position under its rules."""
    results: dict[int, tuple[list[int], int]] = {}
    kinds = {(position.rules, position.start) for position in sample}
    for rules, start in sorted(kinds):
        numbers = [
            number
            for number, position in enumerate(sample)
            if (position.rules, position.start) == (rules, start)
        ]
        # A search reads only the rules of the game: the state has the size of the board.
        game, states = Kalah(rules=parse_rules(rules)), [sample[number].state for number in numbers]
        best = best_moves_of_each(game, states, evaluator, depth)
        results |= dict(zip(numbers, best, strict=True))
    return [results[number] for number in range(len(sample))]


def best_moves(
    game: Kalah, state: State, evaluator: Evaluator, depth: int
) -> tuple[list[int], int]:
    """Return the best moves of a search, from the left, and its number of nodes in pit order.

    A search plays the first of several best moves. In pit order this is the leftmost one, in
    store-first order the rightmost one. Each move between these two needs a search of its own: a
    search of all moves cuts a move off as soon as it is no better than the first.
    """
    forward = engine.alpha_beta(game, state, evaluator, Depth(depth), pit_order)
    backward = engine.alpha_beta(game, state, evaluator, Depth(depth), store_first)
    best = {forward.move, backward.move}
    between = [pit for pit in game.moves(state) if forward.move < pit < backward.move]
    for pit in between:
        if _value_of(game, state, pit, evaluator, depth) == forward.value:
            best.add(pit)
    return sorted(best), forward.counts.visited


def best_moves_of_each(
    game: Kalah, states: Sequence[State], evaluator: Evaluator, depth: int
) -> list[tuple[list[int], int]]:
    """Return the result of `best_moves` in each position, in a fraction of the time."""
    forward = engine.search_each(game, states, evaluator, depth, pit_order)
    backward = engine.search_each(game, states, evaluator, depth, store_first)
    results = []
    for state, first, last in zip(states, forward, backward, strict=True):
        best = {first.move, last.move}
        between = [pit for pit in game.moves(state) if first.move < pit < last.move]
        for pit in between:
            if _value_of(game, state, pit, evaluator, depth) == first.value:
                best.add(pit)
        results.append((sorted(best), first.visited))
    return results


def _value_of(game: Kalah, state: State, pit: int, evaluator: Evaluator, depth: int) -> float:
    """Return the value of a move, for the mover, by a search of `depth` sows."""
    child = game.play(state, pit)
    deep_enough = Depth(depth - 1)  # the move itself is a sow
    if child.player == state.player:
        return engine.alpha_beta(game, child, evaluator, deep_enough, store_first).value
    # This search values leaves for the child's player, who is its MAX. In a search of all moves,
    # MAX is the mover. `for_other_side` gives the leaves the mover's values with the sign changed.
    for_mover = for_other_side(evaluator)
    return -engine.alpha_beta(game, child, for_mover, deep_enough, store_first).value


@cache
def for_other_side(evaluator: Evaluator) -> Evaluator:
    """Return an evaluator whose value for a player is minus the value for the other player.

    For an antisymmetric evaluator, this is the same value. An evaluator for the player to move is
    returned unchanged, as it has no fixed point of view. The result is cached, because the engine
    compiles each function that it has not seen.
    """
    if is_for_mover(evaluator):
        return evaluator

    def evaluate(board: Sequence[float], player: int) -> float:
        return -evaluator(board, 1 - player)

    if is_for_finished_games(evaluator):
        for_finished_games(evaluate)
    return evaluate
