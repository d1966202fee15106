"""The review of a game of Kalah: the value of each move, the best move, and the turning points.

    review = review_game(parse_game(text), seconds=60)
    review.account()  # value at the start + North's regrets - South's regrets = margin at the end

Positions are solved from the end of the game backwards, as long as there is time. The positions
that are then left, at the beginning of the game, are valued by searches.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kalahlab.data import data_rows
from kalahlab.engine.packed import MAX_STONES, fits
from kalahlab.games.game_text import GameRecord, format_turns
from kalahlab.games.kalah import NAMES, NORTH, SOUTH, Kalah, stones_in_play
from kalahlab.games.notation import format_board
from kalahlab.games.rules import format_rules
from kalahlab.games.supported import SOLVED, unknown_part
from kalahlab.judging import move_review
from kalahlab.judging.move_review import find_known_line, most_expensive, review_move, search_move
from kalahlab.parallel import Row
from kalahlab.solver.endgame.database import find_stored_databases
from kalahlab.solver.exact_solver import open_solver
from kalahlab.solver.move_values import ENGINE_DEPTH, PROOFS, memory_budget
from kalahlab.solver.plan import Plan, make_plan
from kalahlab.solver.value_files import lookup_move_values

# Memory is planned for positions with at most this many stones in play. Larger positions cannot be
# solved in a minute.
MAX_PLANNED_STONES = 40
# The depth of a review that takes some seconds, in sows, by the most pits a side. The engine takes
# boards of 7 pits.
QUICK_DEPTHS = {7: 8, 9: 4}
LARGE_DEPTH = 3  # of boards with more pits
SEARCH_METHOD = "alpha_beta, store_difference at leaves"
FORMULA = (
    "accuracy: the mean of 1 - regret / (best - worst) over a player's counted moves; best and "
    "worst are the values of the best and the worst move in the position; positions in which all "
    "moves are equal are left out"
)

Progress = Callable[[int, int], object]
"""A function that is called with the number of valued positions and that of all positions."""


class Account(NamedTuple):
    """The sums that lead from the value of a position to South's margin at the end of the game.

    Attributes:
        first: The number of the first move that is counted.
        value: South's value of the position before that move.
        north: The sum of North's regrets from that move on, in stones.
        south: The sum of South's regrets from that move on, in stones.
        margin: South's margin at the end, which is value + north - south.
    """

    first: int
    value: float
    north: float
    south: float
    margin: float

    @property
    def is_consistent(self) -> bool:
        """True if value + north - south is the margin."""
        return self.value + self.north - self.south == self.margin

    def __str__(self) -> str:
        return (
            f"value {self.value:+g} before move {self.first}, North's regrets "
            f"{_format_signed(self.north)}, South's {_format_signed(-self.south)}: "
            f"{self.margin:+g} after the last move"
        )


def _format_signed(stones: float) -> str:
    return f"{stones:+g}" if stones else "0"


@dataclass(frozen=True, slots=True)
class Review:
    """A game with the value of each move.

    Attributes:
        record: The game.
        moves: One row for each move; see `move_review.COLUMNS`.
        end: South's margin at the end, or South's value of the last position if the game is not
            over.
        end_exact: Whether `end` is proved.
        depth: The depth of the searches, in sows.
        database_stones: The most stones in play in the solver's endgame database; None if the
            solver was not used.
    """

    record: GameRecord
    moves: pd.DataFrame
    end: float
    end_exact: bool
    depth: int
    database_stones: int | None

    def values(self) -> list[tuple[float, bool]]:
        """Return (South's value, whether it is exact) before each move and at the end."""
        before = zip(self.moves["before"], self.moves["exact"], strict=True)
        return [*before, (self.end, self.end_exact)]

    def exact_moves(self) -> pd.DataFrame:
        """Return the unbroken run of exact rows at the end of the game.

        Return no rows if the value of the end is not exact.
        """
        backwards = self.moves["exact"].to_numpy()[::-1]
        # From the end, the running "and" is true until a row is not exact.
        is_exact_to_end = np.logical_and.accumulate(backwards)[::-1]
        return self.moves[is_exact_to_end & self.end_exact]

    def find_marked_moves(self) -> pd.DataFrame:
        """Return the moves that have both a mark and a regret."""
        return self.moves[(self.moves["mark"] != "") & (self.moves["regret"] > 0)]

    def moves_by(self, player: int) -> pd.DataFrame:
        """Return the rows of a player's counted moves.

        The counted moves are the `exact_moves`, or all moves if `exact_moves` returns no rows.
        """
        counted = self.exact_moves()
        if counted.empty:
            counted = self.moves
        return counted[counted["mover"] == player]

    def accuracy(self, player: int) -> float | None:
        """Return a player's accuracy in percent; see `FORMULA`.

        Return None if all moves were equal whenever the player was to move.
        """
        shares = self.moves_by(player)["accuracy"].dropna()
        if shares.empty:
            return None
        return 100 * fmean(shares)

    def account(self) -> Account | None:
        """Return the account of the `exact_moves`; None if there are none."""
        exact = self.exact_moves()
        if exact.empty:
            return None
        south, north = (sum(self.moves_by(player)["regret"]) for player in (SOUTH, NORTH))
        first = exact.iloc[0]
        return Account(first["number"], first["before"], north, south, self.end)

    def table(self) -> pd.DataFrame:
        """Return a table for people, with a row for each move.

        The columns are:
        - move: the number of the move, from 1
        - mover: South or North
        - pit: the pit that was played, from 1
        - value: South's value after the move
        - regret: the mover's regret
        - mark, better: those of `move_review.COLUMNS`
        - by: the method that found the value
        """
        moves = self.moves
        return pd.DataFrame(
            {
                "move": moves["number"],
                "mover": moves["mover"].map(NAMES.__getitem__),
                "pit": moves["pit"] + 1,
                "value": moves["after"].map("{:+g}".format),
                "regret": moves["regret"].map("{:g}".format),
                "mark": moves["mark"],
                "better": moves["better"],
                "by": np.where(moves["exact"], "exact", f"depth {self.depth}"),
            }
        )

    def opening(self) -> str:
        """Return sentences on the opening as one text, "" if nothing is known of the opening."""
        sentences = self._describe_start(), self._count_perfect_moves(), self._name_drawn_opening()
        return " ".join(sentence for sentence in sentences if sentence)

    def _describe_start(self) -> str:
        """Return a sentence on the stored values of the start, or ""."""
        values = _start_values(self.record)
        if not values:
            return ""
        best = max(values.values())
        first_moves = " ".join(f"{value:+g}" for value in values.values())
        return f"The start is solved: {best:+g} for South; its first moves: {first_moves}."

    def _count_perfect_moves(self) -> str:
        """Return a sentence on the number of perfect moves before the first other move, or ""."""
        perfect = self.moves["exact"] & (self.moves["regret"] == 0)
        # The running "and" is true up to the first move that is not perfect.
        number = np.logical_and.accumulate(perfect.to_numpy()).sum()
        if number == 0:
            return ""
        if number == 1:
            return "The first move is perfect."
        return f"The first {number} moves are perfect."

    def _name_drawn_opening(self) -> str:
        """Return a sentence on the opening of `data/openings.csv` that the game follows, or ""."""
        record = self.record
        if record.start != Kalah(6, 4).start():  # the file has openings of this board alone
            return ""
        rules = format_rules(record.game.rules)
        pits = [str(pit + 1) for pit in record.moves]
        for number, row in enumerate(data_rows("openings.csv"), start=1):
            opening = row["moves"].split()
            if row["rules"] == rules and pits[: len(opening)] == opening:
                name = f"drawn opening {number} of data/openings.csv"
                return f"Moves 1 to {len(opening)} are {name}."
        return ""

    def summary(self) -> list[str]:
        """Return sentences on the game, on each player, and on the most expensive moves.

        The first one is on the fault that ended the game, if one did.
        """
        number = self.moves["exact"].sum()
        counted = self.exact_moves()
        first = f"Valued exactly: {number} of {len(self.moves)} moves."
        if counted.empty and len(self.moves):
            first += f" The numbers below are estimates by searches of depth {self.depth}."
        elif len(counted) < len(self.moves):
            first += f" The numbers below count the moves from {counted['number'].iloc[0]} on."
        sentences = [first]
        if self.record.fault:
            sentences.insert(0, f"A fault ended the game: {self.record.fault}.")
            if self.moves.empty:
                return sentences[:1]
        if account := self.account():
            sentences.append(f"For South: {account}.")
        sentences += [self._summarize_player(player) for player in (SOUTH, NORTH)]
        rows: list[Any] = self.moves.to_dict("records")
        return [*sentences, *most_expensive(rows)]

    def _summarize_player(self, player: int) -> str:
        moves, accuracy = self.moves_by(player), self.accuracy(player)
        percent = "no choice that mattered" if accuracy is None else f"accuracy {accuracy:.1f} %"
        best = sum(moves["regret"] == 0)
        lost = sum(moves["changed"])
        return (
            f"{NAMES[player]}: {percent}, {best} of {len(moves)} moves best, regrets "
            f"{sum(moves['regret']):g}, better outcomes lost: {lost}."
        )

    def title(self) -> str:
        """Return the board, the rules and the players of the game."""
        game = self.record.game
        # A game that does not begin at a start has 0 stones a pit.
        board = f"Kalah({game.pits}, {game.stones})" if game.stones else "Kalah from a position"
        players = [name or NAMES[side] for side, name in enumerate(self.record.players)]
        return f"{board}, {format_rules(game.rules)} rules: {' against '.join(players)}"

    def as_json(self) -> dict[str, Any]:
        """Return the review as values for JSON; pits and moves are counted from 1."""
        account, game = self.account(), self.record.game
        account_in_json = None
        if account:
            account_in_json = {**account._asdict(), "holds": account.is_consistent}
        rows: list[Any] = [*self.moves.itertuples()]
        accuracy = {NAMES[player].lower(): self.accuracy(player) for player in (SOUTH, NORTH)}
        return {
            "board": format_board(self.record.start),
            "pits": game.pits,
            "rules": format_rules(game.rules),
            "players": dict(zip(("south", "north"), self.record.players, strict=True)),
            "algorithm": {"exact": PROOFS, "search": SEARCH_METHOD},
            "depth": self.depth,
            "database_stones": self.database_stones,
            "opening": self.opening(),
            "moves": [_move_in_json(game, row) for row in rows],
            "margin": self.end,
            "fault": self.record.fault,
            "account": account_in_json,
            "accuracy": accuracy,
            "formula": FORMULA,
        }


def _move_in_json(game: Kalah, row: Any) -> dict[str, Any]:
    """Return a row of `Review.moves`, a named tuple, as values for JSON."""
    return {
        "number": row.number,
        "mover": NAMES[row.mover].lower(),
        "board": format_board(row.state),
        "pit": row.pit + 1,
        "worth": row.worth,
        "best": row.best,
        "regret": row.regret,
        "moves": {str(pit + 1): margin for pit, margin in row.margins.items()},
        "best_line": " ".join(format_turns(GameRecord(game, row.state, row.line))),
        "mark": row.mark,
        "exact": row.exact,
    }


def choose_depth(pits: int) -> int:
    """Return the depth, in sows, of the searches of a review that takes some seconds."""
    depths = (depth for most, depth in QUICK_DEPTHS.items() if pits <= most)
    return next(depths, LARGE_DEPTH)


def review_game(
    record: GameRecord,
    seconds: float | None = None,
    depth: int = ENGINE_DEPTH,
    max_stones: int = MAX_STONES,
    workers: int | None = None,
    progress: Progress = lambda done, of: None,
) -> Review:
    """Review a game: solve its positions from the end backwards, then search those that are left.

    Ctrl-C ends the proofs early, and the searches begin.

    Args:
        record: The game.
        seconds: The time for the proofs. None means no limit, 0 means no proofs.
        depth: The depth of the searches, in sows, 1 to `ENGINE_DEPTH`.
        max_stones: The most stones in play in a position to be solved.
        workers: The number of threads.
        progress: Called after each position; see `Progress`.

    Raises:
        ValueError: The game derives from Kalah, a move is illegal, or the depth is out of range.
    """
    if unknown := unknown_part(record.game, record.start):
        raise ValueError(f"a game of Kalah can be reviewed, but not {unknown}")
    states = record.states
    database_stones = None
    if seconds != 0 and _is_solvable(record):
        plan = _plan_proofs(record, max_stones)
        database_stones = plan.database_stones
        rows = _rows_from_stored_values(record)
        unsolved = [
            index
            for index in reversed(range(len(states)))
            if index not in rows
            and stones_in_play(states[index].board) <= max_stones
            and not record.game.is_over(states[index])
        ]
        solve_backwards(record, rows, unsolved, plan, seconds, workers, progress)
    else:  # without proofs, the start alone can be exact
        rows = _row_of_stored_start(record)
    _search_missing_rows(record, rows, depth, progress)
    return _make_review(record, rows, depth, database_stones)


def _is_solvable(record: GameRecord) -> bool:
    """Return whether the solver knows the rules and can store the stones of the start."""
    return not unknown_part(record.game, record.start, SOLVED) and fits(record.start)


def _plan_proofs(record: GameRecord, max_stones: int) -> Plan:
    """Plan the solver's tables for positions of a game, each with the values of its moves."""
    game = record.game
    stones = min(stones_in_play(record.start.board), MAX_PLANNED_STONES, max_stones)
    stored = find_stored_databases(game.pits, game.rules)
    return make_plan(game.pits, [stones], moves=True, memory_bytes=memory_budget(), stored=stored)


def _rows_from_stored_values(record: GameRecord) -> dict[int, Row]:
    """Return the rows, by index, of the positions whose values are in the package's files."""
    game = record.game
    rows: dict[int, Row] = {}
    for index, state in enumerate(record.states):
        if values := lookup_move_values(game, state):
            find_line = partial(find_known_line, game, state)
            rows[index] = review_move(record, index, values, True, find_line)
    return rows


def _row_of_stored_start(record: GameRecord) -> dict[int, Row]:
    """Return the row of the game's start, by its index 0, or {} if its values are not stored.

    The best line of this row is the best move alone.
    """
    values = _start_values(record)
    if not values:
        return {}
    return {0: review_move(record, 0, values, True)}


def solve_backwards(
    record: GameRecord,
    rows: dict[int, Row],
    unsolved: Sequence[int],
    plan: Plan,
    seconds: float | None,
    workers: int | None,
    progress: Progress,
) -> None:
    """Solve positions, and add their exact rows to `rows`, until the time ends.

    Args:
        record: The game.
        rows: The rows of positions by index; those of the solved positions are added to it.
        unsolved: The indices of the positions to solve, in this order.
        plan: The sizes of the solver's tables.
        seconds: The time; None for no limit.
        workers: The number of threads.
        progress: Called after each position.
    """
    game, states = record.game, record.states
    end = None if seconds is None else time.monotonic() + seconds
    max_plies = move_review.PLIES - 1  # of a line after its first move, the best one
    sizes: Any = {"database_stones": plan.database_stones, "table_bytes": plan.table_bytes}

    def poll() -> None:
        # The end of the time stops the solver as Ctrl-C does, so one handler below serves both.
        if end is not None and time.monotonic() > end:
            raise KeyboardInterrupt

    def find_line(index: int, best: int) -> tuple[int, ...]:
        # If a best move was played, the line of the next position follows it.
        if index + 1 in rows and best == record.moves[index]:
            return (best, *rows[index + 1]["line"][:max_plies])
        # The limit 0 is none: the solver then finds the leftmost perfect moves.
        return (best, *solver.line(game.play(states[index], best), max_plies, limits=(0,)))

    with open_solver(game.pits, game.rules, **sizes, workers=workers, poll=poll) as solver:
        try:
            for index in unsolved:
                values = dict(solver.move_values(states[index]))
                rows[index] = review_move(record, index, values, True, partial(find_line, index))
                progress(len(rows), len(states))
        except KeyboardInterrupt:
            return


def _search_missing_rows(
    record: GameRecord, rows: dict[int, Row], depth: int, progress: Progress
) -> None:
    """Search all positions that have no row, from the last to the first, and add their rows.

    A row needs the next one: the margin after a move is the margin before the next move.
    """
    states = record.states
    for index in reversed(range(len(states))):
        if index in rows or record.game.is_over(states[index]):
            continue
        after = rows[index + 1]["before"] if index + 1 in rows else None
        rows[index] = search_move(record, index, depth, after)
        progress(len(rows), len(states))


def _make_review(
    record: GameRecord, rows: dict[int, Row], depth: int, database_stones: int | None
) -> Review:
    number = len(record.moves)
    # The columns have the type object, as pandas may convert whole numbers to floats.
    moves = pd.DataFrame(
        [rows[index] for index in range(number)], columns=move_review.COLUMNS, dtype=object
    )
    moves = moves.astype({"exact": bool, "changed": bool})
    last = record.states[-1]
    # If the game is not over, its last position has a row as well, for a best move.
    if record.game.is_over(last):
        end, is_end_exact = record.game.margin(last, SOUTH), True
    else:
        end, is_end_exact = rows[number]["before"], rows[number]["exact"]
    return Review(record, moves, end, is_end_exact, depth, database_stones)


def _start_values(record: GameRecord) -> dict[int, float]:
    """Return the stored values of the first moves, {} if the game begins at another position."""
    if record.start != record.game.start():
        return {}
    return lookup_move_values(record.game, record.start)
