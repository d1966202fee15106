"""Positions with the exact value of each of their moves: what players are measured by."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pandas as pd

from kalahlab.data import data_file
from kalahlab.engine.solver.exact import ExactSolver
from kalahlab.games.kalah import PRESETS, STANDARD, Kalah, State, in_play, pits_of
from kalahlab.games.notation import format_board, parse_board
from kalahlab.play import random_position

# Of all stones more than two thirds, more than a third, or no more than that are in play.
OF_GAME = "game", "ply", "mover", "opponent", "part"  # columns that a file may have
PHASES = ("opening", "middle", "end")


@dataclass(frozen=True, slots=True)
class Judged:
    """A position and what each pit is worth there, in the files with South to move.

    rules: the preset's name. moves: the mover's final margin after each pit if both play
    perfectly from there on; None for an empty pit. game: the name of the one that it is from, ""
    if that is not known; ply: the sows before; mover, opponent: who plays, as commands name
    players, without seeds; part: `train`, `validation` or `test`.
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
        """The board that the game began on: pits a side, and stones a pit."""
        pits = pits_of(self.state.board)
        return pits, sum(self.state.board) // (2 * pits)

    @property
    def phase(self) -> str:
        left, every = in_play(self.state.board), sum(self.state.board)
        return PHASES[(3 * left <= 2 * every) + (3 * left <= every)]

    @property
    def values(self) -> dict[int, float]:
        return {pit: worth for pit, worth in enumerate(self.moves) if worth is not None}

    @property
    def value(self) -> float:
        return max(self.values.values())

    def regret(self, pit: int) -> float:
        """The stones that playing a pit with stones (from 0) gives up."""
        worth = self.moves[pit]
        assert worth is not None, "an empty pit is no move"
        return self.value - worth


@dataclass(frozen=True, slots=True)
class Sample:
    """How positions are drawn: `positions` different ones, each from a game of its own.

    A game of Kalah(pits, stones) is played at random for 1 to `plies` sows, as many as the
    generator draws. Its last position counts if at most `max_stones` are in play and there is a
    choice, of two moves or more; another game is played instead if not.
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
    """The positions, the mover as South. `ValueError` if a thousand games give no new one."""
    game = Kalah(sample.pits, sample.stones, PRESETS[rules])
    chance, seen, vain = Random(sample.seed), set[str](), 0
    while len(seen) < sample.positions:
        state = random_position(game, chance, chance.randint(1, sample.plies))
        text = format_board(state)
        if text in seen or in_play(state.board) > sample.max_stones or len(game.moves(state)) < 2:
            vain += 1
            if vain == 1000:
                raise ValueError(f"only {len(seen)} positions found of {sample}")
            continue
        vain = 0
        seen.add(text)
        yield parse_board(text)


def evaluate_positions(
    solver: ExactSolver, states: Iterable[State], rules: str = "standard"
) -> Iterator[Judged]:
    """Each position with the exact value of each move; `rules` names the solver's.

    `ValueError` if the solver's are others.
    """
    if solver.game.rules != PRESETS[rules]:
        raise ValueError(f"the solver's rules are {solver.game.rules}, not {rules}")
    for state in states:
        worth = dict(solver.move_values(state))
        yield Judged(rules, state, tuple(map(worth.get, range(pits_of(state.board)))))


def read(path: Path | str = "judged.csv.gz") -> list[Judged]:
    """Positions from a file: a path, or the name of one in `data/`.

    `ValueError` for one whose values cannot be those of the moves of its positions.
    """
    file = Path(str(data_file(path))) if isinstance(path, str) else path
    table = pd.read_csv(file, dtype={"moves": str}, compression="gzip")
    of_game = [name for name in OF_GAME if name in table]
    found = list[Judged]()
    for row in table.to_dict("records"):
        moves = tuple(None if worth == "-" else int(worth) for worth in row["moves"].split())
        state, game = parse_board(row["board"]), {name: row[name] for name in of_game}
        judged = Judged(row["rules"], state, moves, **game)
        if not can_be_judged(judged) or row.get("phase", judged.phase) != judged.phase:
            raise ValueError(
                f"{file}: {row['moves']!r} is not what the moves of {row['board']} are worth by "
                f"{row['rules']!r}; or it is in another phase"
            )
        found.append(judged)
    return found


def can_be_judged(judged: Judged) -> bool:
    """Return whether each pit with stones, and no other, has a value that the stones allow."""
    board, total = judged.state.board, sum(judged.state.board)
    game = Kalah(pits_of(board), 0, PRESETS.get(judged.rules, STANDARD))
    return (
        judged.rules in PRESETS
        and len(judged.moves) == game.pits
        and sorted(judged.values) == sorted(game.moves(judged.state))
        and all(
            abs(value) <= total and (value - total) % 2 == 0 for value in judged.values.values()
        )
    )
