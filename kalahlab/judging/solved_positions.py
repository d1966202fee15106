"""Positions with the exact value of each move, by which players are measured."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from math import isnan
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kalahlab.data import data_file, parse_table
from kalahlab.games.kalah import MOST_STONES, SOUTH, Kalah, State, pits_of, stones_in_play
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import STANDARD, parse_rules
from kalahlab.games.supported import STORED
from kalahlab.players.game_loop import random_position
from kalahlab.untrusted import prefix_errors

if TYPE_CHECKING:
    from kalahlab.solver.endgame.positions import Boards
    from kalahlab.solver.exact_solver import ExactSolver

# The columns about the game that a position is from; a file may lack any of them.
GAME_COLUMNS = "game", "ply", "mover", "opponent", "part"
# The phases, in order: more than two thirds of all stones are in play, more than one third, or at
# most one third.
PHASES = ("opening", "middle", "end")
_MAX_FAILURES = 1000  # random games in a row that end in no new position


@dataclass(frozen=True, slots=True)
class SolvedPosition:
    """A position and the exact value of each move. In files, South is to move.

    Attributes:
        rules: The name of a preset.
        state: The position.
        moves: The value of each pit, from the mover's left: the mover's final margin if both sides
            play perfectly after this move. None for an empty pit.
        game: The name of the game that the position is from; "" if no game is known.
        ply: The number of sows before the position; 0 if the number is not known.
        mover: The player spec of the player to move, without a seed; "" if it is not known.
        opponent: The player spec of the other player, in the same form.
        part: `train`, `validation` or `test`; "" if the file has no such column.
    """

    rules: str
    state: State
    moves: tuple[float | None, ...]
    game: str = ""
    ply: int = 0
    mover: str = ""
    opponent: str = ""
    part: str = ""

    @property
    def start(self) -> tuple[int, int]:
        """The board on which the game began: pits a side, and stones a pit."""
        pits = pits_of(self.state.board)
        return pits, sum(self.state.board) // (2 * pits)

    @property
    def phase(self) -> str:
        """One of `PHASES`, by the share of the stones in play."""
        stones = stones_in_play(self.state.board)
        total = sum(self.state.board)
        opening, middle, end = PHASES
        if 3 * stones > 2 * total:
            return opening
        if 3 * stones > total:
            return middle
        return end

    @property
    def values(self) -> dict[int, float]:
        """The value of each legal move, by its pit, from 0."""
        return {pit: value for pit, value in enumerate(self.moves) if value is not None}

    @property
    def value(self) -> float:
        """The value of a best move: the mover's final margin under perfect play."""
        return max(self.values.values())

    def regret(self, pit: int) -> float:
        """Return the stones that a move gives up; `pit`, from 0, must not be empty."""
        value = self.moves[pit]
        assert value is not None, "an empty pit is no move"
        return self.value - value


@dataclass(frozen=True, slots=True)
class Sample:
    """A random sample of `positions` different positions, each from a game of its own.

    Each game of Kalah(pits, stones) has random moves and a random length of 1 to `plies` sows. The
    last position of the game is taken if it is new, at most `max_stones` are in play, and two or
    more moves are legal. If not, another game is played.
    """

    positions: int = 2500
    seed: int = 0
    plies: int = 40
    max_stones: int = 38
    pits: int = 6
    stones: int = 4

    def __post_init__(self) -> None:
        for name in ("positions", "plies", "max_stones"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} of a sample is {getattr(self, name)}; use 1 or more")


def sample_positions(sample: Sample, rules: str = "standard") -> Iterator[State]:
    """Yield the positions of a sample, each with the mover as South.

    Raises:
        ValueError: `_MAX_FAILURES` games in a row ended in no new position.
    """
    game = Kalah(sample.pits, sample.stones, parse_rules(rules))
    rng = Random(sample.seed)
    seen = set[str]()  # texts of positions, with the mover as South
    failures = 0
    while len(seen) < sample.positions:
        state = random_position(game, rng, rng.randint(1, sample.plies))
        text = format_board(state)
        is_small = stones_in_play(state.board) <= sample.max_stones
        if text not in seen and is_small and len(game.moves(state)) >= 2:
            failures = 0
            seen.add(text)
            yield parse_board(text)
            continue
        failures += 1
        if failures == _MAX_FAILURES:
            raise ValueError(f"found only {len(seen)} positions of {sample}")


def evaluate_positions(
    solver: "ExactSolver", states: Iterable[State], rules: str = "standard"
) -> Iterator[SolvedPosition]:
    """Yield each position with the exact value of each move.

    The endgame database is asked for all positions at once; the others are then solved one by one.

    Args:
        solver: The solver to use; its rules must be those that `rules` names.
        states: The positions.
        rules: The name of a preset.

    Raises:
        ValueError: The solver has other rules.
    """
    if solver.game.rules != parse_rules(rules):
        raise ValueError(f"the solver's rules are {solver.game.rules}, not {rules}")
    states = list(states)
    stored_values = solver.database.probe_moves(states)
    for state, stored in zip(states, stored_values.tolist(), strict=True):
        values = {pit: int(value) for pit, value in enumerate(stored) if not isnan(value)}
        if not values:  # the database lacks a move
            values = dict(solver.move_values(state))
        moves = tuple(values.get(pit) for pit in range(len(stored)))
        yield SolvedPosition(rules, state, moves)


def load_positions(path: Path | str = "judged.csv.gz") -> list[SolvedPosition]:
    """Load positions from a file: a path, or the name of a file in `data/`.

    Raises:
        ValueError: The values of a row cannot be those of the moves of its position.
    """
    if isinstance(path, str):
        return [*_load_data(path)]
    return _parse_positions(path.read_bytes(), path)


@cache  # a file of `data/` does not change, and has up to 30,000 positions
def _load_data(name: str) -> list[SolvedPosition]:
    file = data_file(name)
    return _parse_positions(file.read_bytes(), file)


def _parse_positions(content: bytes, file: object) -> list[SolvedPosition]:
    """Parse the content of a file, which is named in messages."""
    rows = parse_table(content, file)
    positions = list[SolvedPosition]()
    with prefix_errors(file):
        # Rows that follow each other with the same rules and size of board are parsed together.
        for _, group in groupby(rows, lambda row: (row["rules"], row["board"].partition(",")[0])):
            positions += _parse_group([*group], first_row=len(positions))
    return positions


def _parse_group(rows: Sequence[dict[str, str]], first_row: int) -> Iterator[SolvedPosition]:
    """Yield the positions of rows with the same rules and size of board.

    Args:
        rows: The rows.
        first_row: The number of the first of them in the file, from 0.
    """
    # Imported here, because it imports numba.
    from kalahlab.solver.endgame.positions import parse_boards

    texts = [row["board"] for row in rows]
    pits, rules = pits_of(parse_board(texts[0]).board), rows[0]["rules"]
    boards = parse_boards(texts, pits, first_row)
    states = [State(tuple(board), SOUTH) for board in boards.tolist()]
    values = [_parse_values(row["moves"]) for row in rows]
    game = Kalah(pits, stones=0, rules=STORED.get(rules, STANDARD))  # its start is not used
    are_over = np.fromiter(map(game.is_over, states), np.bool_)
    are_possible = have_possible_values(boards, are_over, values)
    columns_of_game = [name for name in GAME_COLUMNS if name in rows[0]]
    for number, row in enumerate(rows):
        game_fields: dict[str, Any] = {name: row[name] for name in columns_of_game}
        if "ply" in game_fields:
            game_fields["ply"] = int(game_fields["ply"])
        position = SolvedPosition(rules, states[number], values[number], **game_fields)
        is_right = rules in STORED and bool(are_possible[number])
        if "phase" in row:  # a file may lack the column
            is_right = is_right and row["phase"] == position.phase
        if not is_right:
            raise ValueError(
                f"row {first_row + number}: {row['moves']!r} is not what the moves of "
                f"{row['board']} are worth by {rules!r}; or it is in another phase"
            )
        yield position


def _parse_values(text: str) -> tuple[int | None, ...]:
    return tuple(None if value == "-" else int(value) for value in text.split())


def have_possible_values(
    boards: "Boards", are_over: NDArray[np.bool_], values: Sequence[tuple[float | None, ...]]
) -> NDArray[np.bool_]:
    """Return for which positions each legal move, and no other, has a value that the stones allow.

    Args:
        boards: An array of positions.
        are_over: Whether the game is over in each position.
        values: The values of the pits of each position, like `SolvedPosition.moves`.
    """
    pits = boards.shape[1] // 2 - 1
    impossible = (MOST_STONES + 1,) * pits  # in place of a row that lacks a pit, or has more
    rows = [row if len(row) == pits else impossible for row in values]
    worth = np.array(rows, float)  # None becomes NaN
    is_legal = (boards[:, :pits] > 0) & ~are_over[:, np.newaxis]
    # At the end of a game the stores hold all stones. The margin, which is their difference, is
    # therefore odd if the number of stones is odd, and even if it is even.
    total = boards.sum(axis=1, keepdims=True)
    is_allowed = (np.abs(worth) <= total) & ((worth - total) % 2 == 0)
    is_right = np.where(is_legal, is_allowed, np.isnan(worth))
    return np.asarray(is_right.all(axis=1))
