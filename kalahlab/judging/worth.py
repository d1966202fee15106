"""What each move of a position is worth: by a search, or exactly, if that takes little."""

import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from kalahlab.data import data_file
from kalahlab.engine.solver.ledger import Ledger, from_here
from kalahlab.engine.supported import SOLVED, check_solved, preset_name, unknown_part
from kalahlab.evaluators import Evaluator, for_mover
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import NAMES, Kalah, State, in_play, pits_of
from kalahlab.judging.value_files import PITS, has_endgames, known_values, value
from kalahlab.play import make_move
from kalahlab.search.alpha_beta import alpha_beta
from kalahlab.search.alpha_beta_table import alpha_beta_table
from kalahlab.search.deep_enough import Depth
from kalahlab.search.model import DeepEnough, Line, Node
from kalahlab.search.observer import Observer, Watch
from kalahlab.search.ordering import store_first
from kalahlab.search.tree import Searcher

if TYPE_CHECKING:
    from kalahlab.engine.solver.solve import Progress, Solution

TEXTBOOK_DEPTH, ENGINE_DEPTH = 8, 14
"""How deep in sows each backend searches before a reader would have to wait. Both find the same;
the engine takes seconds to load, so it is for what the textbook does not reach."""

PROOFS = "proofs by alpha-beta over an endgame database"
TINY = 10  # stones in play up to which the textbook searches to the end of the game, in a second
NEAR = 20  # stones up to which it searches down to a file of endgames, in a second
SECONDS = 20  # on one core, that a position may be expected to take to be solved
TIMEOUT = 60  # seconds after which it is given up, as the expectation may be wrong
BYTES = 512_000_000  # of memory that it may take


def search_values(
    game: Kalah, state: State, depth: int, watch: Watch | None = None
) -> dict[int, float]:
    return {pit: line.value for pit, line in search_lines(game, state, depth, watch).items()}


def search_lines(
    game: Kalah, state: State, depth: int, watch: Watch | None = None
) -> dict[int, Line]:
    """Pit -> the mover's value of playing it, `depth` sows deep, and the line that begins with it.

    The store difference is at leaves. watch: looks after the textbook's searches. Raises
    `ValueError` for a depth that is less than 1 or that would take too long.
    """
    unknown = unknown_part(game, state)
    deepest, of = (TEXTBOOK_DEPTH, f" of {unknown}") if unknown else (ENGINE_DEPTH, "")
    if not 1 <= depth <= deepest:
        raise ValueError(f"depth is {depth}; to value moves{of} use 1 to {deepest}")
    if depth <= TEXTBOOK_DEPTH:
        return _lines(game, state, alpha_beta, Depth(depth - 1), watch)
    from kalahlab import engine

    return _lines(game, state, engine.alpha_beta, Depth(depth - 1))


def exact_values(game: Kalah, state: State, watch: Watch | None = None) -> dict[int, float]:
    """Pit -> the mover's margin under perfect play of both after playing it.

    watch: looks after the solver, too. Raises `ValueError`, which says why, for a position that
    cannot be solved or is expected to take more than `SECONDS` or `BYTES`.
    """
    if known := known_values(game, state):
        return known
    if is_near_end(game, state):
        return _values_to_the_end(game, state, watch)
    moves = _solve(game, state, True, watch).moves or ()
    return {pit: value for pit, value in enumerate(moves) if value is not None}


def is_near_end(game: Kalah, state: State) -> bool:
    """Whether the textbook solves the position, in about a second."""
    near = NEAR if has_endgames(game, state) else TINY
    return in_play(state.board) <= near or game.over(state)


def perfect_player(game: Kalah, state: State, watch: Watch | None = None) -> int:
    """The player that plays a perfect move. Raises what `exact_values` raises."""
    if is_near_end(game, state) or known_values(game, state):
        values = exact_values(game, state, watch)
        return max(values, key=values.__getitem__)
    return _solve(game, state, False, watch).line[0]


def hints(game: Kalah, state: State, watch: Watch | None = None) -> list[str]:
    """How moves are valued; then each move, the best first, what it is worth and what it does."""
    try:
        values, by = exact_values(game, state, watch), "under perfect play"
    except ValueError as why:
        values = search_values(game, state, TEXTBOOK_DEPTH, watch)
        by = f"by a search of {TEXTBOOK_DEPTH} sows, as there are no exact values: {why}"
    best = sorted(values, key=lambda pit: -values[pit])
    said = {pit: f"{value:+g}" if value > 0 else f"{value:g}" for pit, value in values.items()}
    lines = [f"{said[pit]:>4}  {make_move(game, state, pit)}" for pit in best]
    return [f"By how much {NAMES[state.player]} will be ahead, {by}:", *lines]


def _lines(
    game: Kalah,
    state: State,
    search: Searcher,
    below: DeepEnough,
    observer: Observer | None = None,
    evaluator: Evaluator = store_difference,  # antisymmetric, as `known` below is
) -> dict[int, Line]:
    """Each move's value by a search of what it leads to."""
    lines = {}
    for pit in game.moves(state):
        after = game.play(state, pit)
        # from the store on, an order that finds the same values for far fewer nodes
        found = search(game, after, evaluator, below, store_first, observer=observer)
        value = found.value if after.player == state.player else -found.value
        # + 0.0 turns the -0.0 of a negated draw into 0
        lines[pit] = Line(value + 0.0, (pit, *found.line))
    return lines


def _values_to_the_end(game: Kalah, state: State, watch: Watch | None) -> dict[int, float]:
    def is_known(node: Node) -> bool:
        return value(game, node.state) is not None

    @for_mover
    def known(board: Any, mover: int) -> float:
        return cast(float, value(game, State(board, mover)))

    lines = _lines(game, state, alpha_beta_table, is_known, watch, known)
    return {pit: line.value for pit, line in lines.items()}


def _solve(game: Kalah, state: State, moves: bool, watch: Watch | None) -> "Solution":
    check_solved(game, state)
    try:
        from kalahlab.engine.solver.solve import solve
    except ImportError as missing:  # in a page
        raise ValueError(
            f"the solver needs {missing.name}, which is not here; exact are solved openings and, "
            f"on {PITS} pits, positions with up to {NEAR} stones in play"
        ) from None

    check_cost(game, state, moves)
    late = f"not solved within {TIMEOUT} s; `kalahlab solve` takes its time"
    memory, end = memory_budget(), time.monotonic() + TIMEOUT

    def stop(progress: "Progress") -> None:
        if watch is not None:
            watch.look(progress.nodes)
        if time.monotonic() > end:
            raise KeyboardInterrupt

    try:
        found = solve(state, game.rules, moves=moves, memory_bytes=memory, progress=stop)
    except KeyboardInterrupt:  # which `stop` raises, too, also while a database is kept
        if time.monotonic() <= end:
            raise
        raise ValueError(late) from None
    valued = 0 if found.moves is None else sum(value is not None for value in found.moves)
    if not found.line or (moves and valued < len(game.moves(state))):
        raise ValueError(late)
    return found


def memory_budget() -> int:
    """The bytes that a solve may take here."""
    from kalahlab.engine.memory import available_bytes
    from kalahlab.engine.solver.plan import SHARE

    return min(BYTES, int(SHARE * available_bytes()))


def check_cost(game: Kalah, state: State, moves: bool) -> None:
    """`ValueError` if a position is expected to take too long or too much memory to solve."""
    from kalahlab.engine.endgame.database import stored_stones
    from kalahlab.engine.memory import in_units
    from kalahlab.engine.solver.plan import expected_seconds, make_plan
    from kalahlab.engine.solver.solve import check_position

    check_position(state)
    memory, pits, stones = memory_budget(), pits_of(state.board), in_play(state.board)
    stored = stored_stones(pits, game.rules)
    database = make_plan(pits, stones, moves, memory_bytes=memory, stored=stored).database_stones
    if (seconds := expected_seconds(pits, stones, database, moves, database in stored)) > SECONDS:
        raise ValueError(
            f"{stones} stones on {pits} pits a side are expected to take "
            f"{timedelta(seconds=round(seconds))} (h:mm:ss) to solve; here it may be {SECONDS} s "
            f"and {in_units(memory)}. `kalahlab solve` has no such limits"
        )


def proved_bounds(game: Kalah, state: State) -> dict[int, tuple[float | None, float | None]]:
    """Each move's least and greatest value, or None; `ValueError` if nothing is proved of any."""
    try:
        return {pit: (value, value) for pit, value in exact_values(game, state).items()}
    except ValueError:
        if unknown_part(game, state, SOLVED) or (game.pits, game.stones) != (6, 6):
            raise
        ledger = Ledger(Path(str(data_file(f"ledger/kalah-6-{preset_name(game.rules)}.txt"))))
        found: dict[int, tuple[float | None, float | None]] = {}
        for pit in game.moves(state):
            after = game.play(state, pit)
            position, rest = from_here(after)
            whole = sum(position.board)  # that all stones go to one side is no bound
            lower, upper = (
                None if abs(bound) == whole else float(bound - rest)
                for bound in ledger.bounds(position)
            )
            if after.player != state.player:
                lower, upper = (None if bound is None else 0 - bound for bound in (upper, lower))
            found[pit] = lower, upper
        if {*found.values()} <= {(None, None)}:
            raise
        return found
