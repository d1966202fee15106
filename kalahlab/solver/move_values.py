"""The values of the moves of a position: exact if that takes little time, else by a search."""

import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from kalahlab.data import data_file
from kalahlab.evaluators import Evaluator, for_mover
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.game_log import make_move
from kalahlab.games.kalah import NAMES, Kalah, State, pits_of, stones_in_play
from kalahlab.games.supported import SOLVED, check_solved, to_file_name, unknown_part
from kalahlab.search.alpha_beta import alpha_beta
from kalahlab.search.alpha_beta_table import alpha_beta_table
from kalahlab.search.deep_enough import Depth
from kalahlab.search.model import DeepEnough, Line, Node
from kalahlab.search.observer import NodeCounter, Observer
from kalahlab.search.ordering import store_first
from kalahlab.search.tree import Searcher
from kalahlab.solver.ledger import Ledger, normalize_position
from kalahlab.solver.value_files import PITS, has_endgames, lookup_move_values, lookup_value

if TYPE_CHECKING:
    from kalahlab.solver.solve import Progress, Solution

TEXTBOOK_DEPTH, ENGINE_DEPTH = 8, 14
"""Depths, in sows, up to which each backend searches without making a reader wait.

Both backends find the same values. The engine takes seconds to load, so it is only used for depths
that the textbook does not reach.
"""

PROOFS = "proofs by alpha-beta over an endgame database"
# With up to so many stones in play, the textbook takes about a second:
TINY = 10  # to search to the end of the game
NEAR = 20  # to search down to the positions in a file of endgames
SECONDS = 20  # the longest expected time of a solve, on one core
TIMEOUT = 60  # seconds after which a solve is stopped, as the expectation may be wrong
BYTES = 512_000_000  # the most memory that a solve may take


def search_values(
    game: Kalah, state: State, depth: int, watch: NodeCounter | None = None
) -> dict[int, float]:
    """Return, by pit, the values that `search_lines` finds."""
    return {pit: line.value for pit, line in search_lines(game, state, depth, watch).items()}


def search_lines(
    game: Kalah, state: State, depth: int, watch: NodeCounter | None = None
) -> dict[int, Line]:
    """Search each move of a position, `depth` sows deep, with the store difference at leaves.

    Args:
        game: The game.
        state: The position.
        depth: The depth in sows.
        watch: Counts the nodes of the textbook's searches, and can stop them.

    Returns:
        By pit, the move's value to the mover, and the line that begins with the move.

    Raises:
        ValueError: The depth is less than 1, or the search would take too long.
    """
    unknown = unknown_part(game, state)  # "" unless the engine cannot play the game
    deepest = TEXTBOOK_DEPTH if unknown else ENGINE_DEPTH
    if not 1 <= depth <= deepest:
        moves = f"moves of {unknown}" if unknown else "moves"
        raise ValueError(f"depth is {depth}; to value {moves} use 1 to {deepest}")
    if depth <= TEXTBOOK_DEPTH:  # the move itself is the first sow
        return _search_each_move(game, state, alpha_beta, Depth(depth - 1), watch)
    from kalahlab import engine  # here, as the engine takes seconds to load

    return _search_each_move(game, state, engine.alpha_beta, Depth(depth - 1))


def exact_values(game: Kalah, state: State, watch: NodeCounter | None = None) -> dict[int, float]:
    """Return, by pit, the mover's final margin after the move, under perfect play of both.

    Args:
        game: The game.
        state: The position.
        watch: Counts the nodes of searches and of the solver, and can stop them.

    Raises:
        ValueError: The position cannot be solved, or is expected to take more than `SECONDS` or
            `BYTES`; the message has the reason.
    """
    values = lookup_move_values(game, state)
    if values:
        return values
    if is_near_end(game, state):
        return _search_to_the_end(game, state, watch)
    moves = _solve(game, state, moves=True, watch=watch).moves or ()
    return {pit: value for pit, value in enumerate(moves) if value is not None}  # None: empty pit


def is_near_end(game: Kalah, state: State) -> bool:
    """Return whether the textbook solves the position in about a second."""
    limit = NEAR if has_endgames(game, state) else TINY
    return stones_in_play(state.board) <= limit or game.is_over(state)


def perfect_player(game: Kalah, state: State, watch: NodeCounter | None = None) -> int:
    """Return a perfect move. Raise the errors of `exact_values`."""
    if is_near_end(game, state) or lookup_move_values(game, state):
        values = exact_values(game, state, watch)
        return max(values, key=lambda pit: values[pit])
    return _solve(game, state, moves=False, watch=watch).line[0]


def describe_moves(game: Kalah, state: State, watch: NodeCounter | None = None) -> list[str]:
    """Return lines: how moves are valued; then each move, its value and its effect, best first."""
    try:
        values, method = exact_values(game, state, watch), "under perfect play"
    except ValueError as error:
        values = search_values(game, state, TEXTBOOK_DEPTH, watch)
        method = f"by a search of {TEXTBOOK_DEPTH} sows, as there are no exact values: {error}"
    lines = [f"By how much {NAMES[state.player]} will be ahead, {method}:"]
    for pit in sorted(values, key=lambda pit: -values[pit]):
        value = values[pit]
        text = f"{value:+g}" if value > 0 else f"{value:g}"
        lines.append(f"{text:>4}  {make_move(game, state, pit)}")
    return lines


def _search_each_move(
    game: Kalah,
    state: State,
    search: Searcher,
    below: DeepEnough,
    observer: Observer | None = None,
    evaluator: Evaluator = store_difference,
) -> dict[int, Line]:
    """Search the position after each move, with the rule `below` for leaves.

    The evaluator must be antisymmetric: each position is searched with its own mover as MAX.
    """
    lines = {}
    for pit in game.moves(state):
        after = game.play(state, pit)
        # `store_first` finds the same values as other orders with far fewer nodes.
        result = search(game, after, evaluator, below, store_first, observer=observer)
        value = result.value if after.player == state.player else -result.value
        # + 0.0 turns the -0.0 of a negated draw into 0.0.
        lines[pit] = Line(value + 0.0, (pit, *result.line))
    return lines


def _search_to_the_end(game: Kalah, state: State, watch: NodeCounter | None) -> dict[int, float]:
    """Return, by pit, exact values, searched for until the game ends or a file has the value."""

    def is_in_file(node: Node) -> bool:
        return lookup_value(game, node.state) is not None

    @for_mover
    def value_in_file(board: Any, mover: int) -> float:
        return cast(float, lookup_value(game, State(board, mover)))

    lines = _search_each_move(game, state, alpha_beta_table, is_in_file, watch, value_in_file)
    return {pit: line.value for pit, line in lines.items()}


def _solve(game: Kalah, state: State, moves: bool, watch: NodeCounter | None) -> "Solution":
    """Solve a position, and value its moves if `moves`. Raise ValueError if that takes too long."""
    check_solved(game, state)
    try:
        from kalahlab.solver.solve import solve
    except ImportError as missing:  # a page's Python has neither numpy nor numba
        raise ValueError(
            f"the solver needs {missing.name}, which is missing here; without it, exact values are "
            f"known for solved openings and, on {PITS} pits, for up to {NEAR} stones in play"
        ) from None

    check_cost(game, state, moves)
    too_slow = f"not solved within {TIMEOUT} s; `kalahlab solve` takes its time"
    memory, end = memory_budget(), time.monotonic() + TIMEOUT

    def on_progress(progress: "Progress") -> None:
        if watch is not None:
            watch.look(progress.nodes)
        if time.monotonic() > end:
            raise KeyboardInterrupt  # which ends a solve, like Ctrl-C

    try:
        solution = solve(state, game.rules, moves=moves, memory_bytes=memory, progress=on_progress)
    except KeyboardInterrupt:  # raised where `solve` does not catch it, such as at its end
        if time.monotonic() <= end:  # by the user's Ctrl-C
            raise
        raise ValueError(too_slow) from None
    values = [value for value in solution.moves or () if value is not None]
    # If `solve` was stopped, it has returned without the line or without some values of moves.
    if not solution.line or (moves and len(values) < len(game.moves(state))):
        raise ValueError(too_slow)
    return solution


def memory_budget() -> int:
    """Return the bytes that a solve may take here."""
    # A page's Python has neither numpy nor numba, but imports this module. So modules that need
    # these packages are imported in the functions.
    from kalahlab.memory import available_bytes
    from kalahlab.solver.plan import SHARE

    return min(BYTES, int(SHARE * available_bytes()))


def check_cost(game: Kalah, state: State, moves: bool) -> None:
    """Raise ValueError if a position is expected to take too long or too much memory to solve."""
    from kalahlab.formatting import format_bytes
    from kalahlab.solver.endgame.database import find_stored_databases
    from kalahlab.solver.exact_solver import check_position
    from kalahlab.solver.plan import estimate_seconds, make_plan

    check_position(state)
    memory, pits, stones = memory_budget(), pits_of(state.board), stones_in_play(state.board)
    stored = find_stored_databases(pits, game.rules)
    database = make_plan(pits, [stones], moves, memory_bytes=memory, stored=stored).database_stones
    seconds = estimate_seconds(pits, [stones], database, moves, database in stored)
    if seconds > SECONDS:
        raise ValueError(
            f"{stones} stones on {pits} pits a side are expected to take "
            f"{timedelta(seconds=round(seconds))} (h:mm:ss) to solve; the limit is {SECONDS} s "
            f"and {format_bytes(memory)}. `kalahlab solve` has no such limits"
        )


def prove_bounds(game: Kalah, state: State) -> dict[int, tuple[float | None, float | None]]:
    """Return, by pit, the least and the greatest value to the mover; None if no bound is proved.

    Raises:
        ValueError: Nothing is proved of any move.
    """
    try:
        return {pit: (value, value) for pit, value in exact_values(game, state).items()}
    except ValueError:
        # (6,6) is the only board of which `data/` has ledgers. Without bounds there, too, the error
        # of `exact_values` is raised again.
        if unknown_part(game, state, SOLVED) or (game.pits, game.stones) != (6, 6):
            raise
        ledger = Ledger(Path(str(data_file(f"ledger/kalah-6-{to_file_name(game.rules)}.txt"))))
        bounds = {pit: _ledger_bounds(ledger, game, state, pit) for pit in game.moves(state)}
        if all(pair == (None, None) for pair in bounds.values()):
            raise
        return bounds


def _ledger_bounds(
    ledger: Ledger, game: Kalah, state: State, pit: int
) -> tuple[float | None, float | None]:
    """Return a ledger's bounds of a move's value to its mover, None where no bound is proved."""
    after = game.play(state, pit)
    position, offset = normalize_position(after)
    total = sum(position.board)
    bounds: list[float | None] = []
    for bound in ledger.bounds(position):
        if abs(bound) == total:  # a bound that all stones go to one player: nothing is proved
            bounds.append(None)
        elif after.player == state.player:
            bounds.append(float(bound - offset))
        else:
            bounds.append(0 - float(bound - offset))  # not -float(...), which may be -0.0
    if after.player != state.player:  # the opponent's greatest value is the mover's least
        bounds.reverse()
    lower, upper = bounds
    return lower, upper
