"""A game of Kalah reviewed: what each move was worth, the best move, and where it turned.

    review = reviewed(parse_game(text), seconds=60)
    review.rows()           # a row a move
    review.account()        # value at the start + North's regrets - South's regrets = the end
    review.accuracy(SOUTH)

Positions are solved from the end of the game backwards, as far as the time reaches; those before
are valued by a search. Each move says which of the two it was.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from kalahlab.data import data_rows
from kalahlab.engine.endgame.database import preset_name, stored_stones
from kalahlab.engine.memory import available_bytes
from kalahlab.engine.packed import MAX_STONES, fits
from kalahlab.engine.solver.exact import ExactSolver, open_solver
from kalahlab.engine.solver.plan import SHARE, Plan, make_plan
from kalahlab.games.game_text import GameRecord, format_rules, format_turns
from kalahlab.games.kalah import NAMES, NORTH, PRESETS, SOUTH, Kalah, State, in_play
from kalahlab.games.notation import format_board
from kalahlab.judging.perfect import solved_openings
from kalahlab.judging.worth import BYTES, ENGINE_DEPTH, known_values, search_lines

PLIES = 8
"""Of a best line that are shown."""

MOST_PLANNED = 40
"""Stones in play for which memory is laid out; of more, no position is solved in a minute."""

EXACT = "proofs by alpha-beta over an endgame database"
SEARCH = "alpha_beta, store_difference at leaves"
FORMULA = (
    "accuracy: the mean of 1 - regret / (best - worst) over a player's counted moves; best, worst "
    "are the values of the best and the worst move there; moves that are all equal are left out"
)

THROWN, MISSED, ONLY = "win thrown away", "draw missed", "only move found"

Progress = Callable[[int, int], object]
"""Called with how many of how many positions are valued."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A position's moves (pit -> final margin of the mover), and the line of a best one."""

    values: Mapping[int, float]
    line: tuple[int, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move that was played; `number` counts the game's moves from 1, pits count from 0."""

    number: int
    game: Kalah
    state: State
    pit: int
    valued: Valued

    @property
    def mover(self) -> int:
        """Whose move it is."""
        return self.state.player

    @property
    def best(self) -> float:
        """The mover's margin after the best move."""
        return max(self.valued.values.values())

    @property
    def worth(self) -> float:
        """The mover's margin after the move that was played."""
        return self.valued.values[self.pit]

    @property
    def regret(self) -> float:
        """The stones that the move gave up."""
        return self.best - self.worth

    @property
    def accuracy(self) -> float | None:
        """The share of what was at stake that the move kept; None if all moves are equal."""
        at_stake = self.best - min(self.valued.values.values())
        return 1 - self.regret / at_stake if at_stake else None

    @property
    def mark(self) -> str:
        """What the move did to the outcome; with a question mark if that is by a search."""
        kept = [value for value in self.valued.values.values() if _sign(value) == _sign(self.best)]
        lost = _sign(self.worth) < _sign(self.best)
        only = len(kept) == 1 < len(self.valued.values)
        mark = (THROWN if self.best > 0 else MISSED) if lost else ONLY if only else ""
        return mark if self.valued.exact or not mark else f"{mark}?"

    @property
    def changed(self) -> bool:
        """Whether the move gave a better outcome away."""
        return _sign(self.worth) < _sign(self.best)

    def for_south(self, value: float) -> float:
        """A margin of the mover's as South's."""
        return value if self.mover == SOUTH else 0 - value

    @property
    def best_line(self) -> str:
        """A best move and what follows, turn by turn."""
        return " ".join(format_turns(GameRecord(self.game, self.state, self.valued.line)))

    def as_json(self) -> dict[str, Any]:
        """As the command line prints it, pits from 1."""
        return {
            "number": self.number,
            "mover": NAMES[self.mover].lower(),
            "board": format_board(self.state),
            "pit": self.pit + 1,
            "worth": self.worth,
            "best": self.best,
            "regret": self.regret,
            "moves": {str(pit + 1): value for pit, value in self.valued.values.items()},
            "best_line": self.best_line,
            "mark": self.mark,
            "exact": self.valued.exact,
        }


class Account(NamedTuple):
    """How the end comes about, in stones for South, from move `first` on.

    value + north - south is margin: the value before that move, the regrets of the two, and the
    margin at the end.
    """

    first: int
    value: float
    north: float
    south: float
    margin: float

    @property
    def holds(self) -> bool:
        """Whether the parts make the margin."""
        return self.value + self.north - self.south == self.margin

    def __str__(self) -> str:
        north, south = (f"{sign}{stones:g}" if stones else "0" for sign, stones in self._regrets)
        return (
            f"value {self.value:+g} before move {self.first}, North's regrets {north}, "
            f"South's {south}: {self.margin:+g} at the end"
        )

    @property
    def _regrets(self) -> tuple[tuple[str, float], tuple[str, float]]:
        return ("+", self.north), ("-", self.south)


@dataclass(frozen=True, slots=True)
class Review:
    """A game with the value of each move.

    end: South's margin at the end, or of the last position if the game is not over, as it was
    found. depth: of the searches, in sows. database_stones: of the solver, None if none was used.
    """

    record: GameRecord
    moves: tuple[ReviewedMove, ...]
    end: float
    end_exact: bool
    depth: int
    database_stones: int | None

    def values(self) -> list[tuple[float, bool]]:
        """South's value of each position and of the end, and whether it is exact."""
        each = [(move.for_south(move.best), move.valued.exact) for move in self.moves]
        return [*each, (self.end, self.end_exact)]

    def of(self, player: int) -> list[ReviewedMove]:
        """A player's counted moves: the `exact_moves`, or if there are none, all."""
        return [move for move in self.exact_moves() or self.moves if move.mover == player]

    def accuracy(self, player: int) -> float | None:
        """In percent; see `FORMULA`. None if the player never had a choice that mattered."""
        kept = [each for move in self.of(player) if (each := move.accuracy) is not None]
        return 100 * fmean(kept) if kept else None

    def account(self) -> Account | None:
        """From the first move from which on all is exact; None if the last one is not."""
        exact = self.exact_moves()
        if not exact:
            return None
        south, north = (sum(m.regret for m in exact if m.mover == p) for p in (SOUTH, NORTH))
        return Account(exact[0].number, exact[0].for_south(exact[0].best), north, south, self.end)

    def exact_moves(self) -> list[ReviewedMove]:
        """The moves at the end of the game that are all exact."""
        flags = [move.valued.exact for move in self.moves]
        first = len(flags) - flags[::-1].index(False) if False in flags else 0
        return list(self.moves[first:]) if self.end_exact else []

    def rows(self) -> list[dict[str, Any]]:
        """A row a move: value, for South after it; regret, of the mover; by, how it was found."""
        return [
            {
                "move": move.number,
                "mover": NAMES[move.mover],
                "pit": move.pit + 1,
                "value": f"{move.for_south(move.worth):+g}",
                "regret": f"{move.regret:g}",
                "by": "exact" if move.valued.exact else f"depth {self.depth}",
                "mark": move.mark,
                "better": move.best_line if move.regret else "",
            }
            for move in self.moves
        ]

    def opening(self) -> str:
        """What is solved of the game's beginning, in a sentence or two."""
        return " ".join(_opening(self))

    def summary(self) -> list[str]:
        """The end, how it comes about, and how each player did, in sentences."""
        exact, counted = sum(move.valued.exact for move in self.moves), self.exact_moves()
        said = [f"{exact} of {len(self.moves)} moves are valued exactly."]
        if not counted and self.moves:
            said[0] += f" What follows is an estimate by searches of depth {self.depth}."
        elif len(counted) < len(self.moves):
            said[0] += f" What follows counts those from move {counted[0].number} on."
        if account := self.account():
            said.append(f"For South: {account}.")
        for player in (SOUTH, NORTH):
            moves, accuracy = self.of(player), self.accuracy(player)
            best = sum(not move.regret for move in moves)
            kept = "no choice that mattered" if accuracy is None else f"accuracy {accuracy:.1f} %"
            lost = sum(move.changed for move in moves)
            said.append(
                f"{NAMES[player]}: {kept}, {best} of {len(moves)} moves best, regrets "
                f"{sum(move.regret for move in moves):g}, better outcomes lost: {lost}."
            )
        return said

    def title(self) -> str:
        """The board, the rules, the players and the end."""
        game, names = self.record.game, self.record.players
        board = f"Kalah({game.pits}, {game.stones})" if game.stones else "Kalah from a position"
        players = " against ".join(name or NAMES[at] for at, name in enumerate(names))
        return f"{board}, {format_rules(game.rules)} rules: {players}"

    def as_json(self) -> dict[str, Any]:
        """As the command line prints it."""
        account, game = self.account(), self.record.game
        return {
            "board": format_board(self.record.start),
            "pits": game.pits,
            "rules": format_rules(game.rules),
            "players": dict(zip(("south", "north"), self.record.players, strict=True)),
            "algorithm": {"exact": EXACT, "search": SEARCH},
            "depth": self.depth,
            "database_stones": self.database_stones,
            "opening": self.opening(),
            "moves": [move.as_json() for move in self.moves],
            "margin": self.end,
            "account": account and {**account._asdict(), "holds": account.holds},
            "accuracy": {NAMES[player].lower(): self.accuracy(player) for player in (SOUTH, NORTH)},
            "formula": FORMULA,
        }


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def reviewed(
    record: GameRecord,
    seconds: float | None = None,
    depth: int = ENGINE_DEPTH,
    max_stones: int = MAX_STONES,
    workers: int | None = None,
    progress: Progress = lambda done, of: None,
) -> Review:
    """Review a game.

    seconds: for the proofs; None for as many as they take, 0 for searches alone. max_stones: in
    play, of positions to be solved. depth: of the searches of what the proofs do not reach, in
    sows, 1 to `ENGINE_DEPTH`. workers: threads. Ctrl-C ends the proofs as the time does. Raises
    `ValueError` for an illegal move or such a depth.
    """
    game, states = record.game, record.states
    found: dict[int, Valued] = {}
    plan = None if seconds == 0 else _plan(game, states, max_stones)
    if plan:
        found |= _known(record)
        last = [
            at
            for at, state in enumerate(states)
            if at not in found and in_play(state.board) <= max_stones
        ]
        solve_backwards(record, found, last[::-1], plan, seconds, workers, progress)
    if solved := _solved(record):
        found.setdefault(0, solved)
    for at, state in enumerate(states):
        if at not in found and not game.over(state):
            found[at] = _searched(record, at, depth)
            progress(len(found), len(states))
    moves = (
        ReviewedMove(at + 1, game, states[at], pit, found[at])
        for at, pit in enumerate(record.moves)
    )
    end = _end(record, found)
    return Review(record, tuple(moves), *end, depth, plan.database_stones if plan else None)


def _known(record: GameRecord) -> dict[int, Valued]:
    """The positions of a game that are in the table of solved openings."""
    found = {}
    for at, state in enumerate(record.states):
        if values := known_values(record.game, state):
            line = _known_line(record.game, state, _best(values, record, at))
            found[at] = Valued(values, line, True)
    return found


def _known_line(game: Kalah, state: State, move: int) -> tuple[int, ...]:
    """A move, and best moves after it as far as they are known."""
    line = [move]
    state = game.play(state, move)
    while len(line) < PLIES and (values := known_values(game, state)):
        line.append(max(values, key=lambda pit: values[pit]))
        state = game.play(state, line[-1])
    return tuple(line)


def _end(record: GameRecord, found: Mapping[int, Valued]) -> tuple[float, bool]:
    """South's margin at the end, and whether it is exact."""
    game, last = record.game, record.states[-1]
    if game.over(last):
        return game.margin(last, SOUTH), True
    valued = found[len(record.moves)]
    best = max(valued.values.values())
    return (best if last.player == SOUTH else -best), valued.exact


class TimeUp(Exception):
    """The time for the proofs is over."""


def _plan(game: Kalah, states: list[State], max_stones: int) -> Plan | None:
    """The memory of the solver; None if it cannot hold the game."""
    if game.rules not in PRESETS.values() or not fits(states[0]):
        return None
    stones = min(in_play(states[0].board), MOST_PLANNED, max_stones)
    memory = min(BYTES, int(SHARE * available_bytes()))
    stored = stored_stones(game.pits, game.rules)
    return make_plan(game.pits, stones, True, memory_bytes=memory, stored=stored)


def solve_backwards(
    record: GameRecord,
    found: dict[int, Valued],
    wanted: Sequence[int],
    plan: Plan,
    seconds: float | None,
    workers: int | None,
    progress: Progress,
) -> None:
    """Put exact values of wanted positions into `found`, in their order, while there is time."""
    game, states = record.game, record.states
    end = None if seconds is None else time.monotonic() + seconds

    def poll() -> None:
        if end is not None and time.monotonic() > end:
            raise TimeUp

    with open_solver(
        game.pits,
        game.rules,
        database_stones=plan.database_stones,
        table_bytes=plan.table_bytes,
        workers=workers,
        poll=poll,
    ) as solver:
        try:
            for at in wanted:
                if not game.over(states[at]):
                    found[at] = _exact(solver, record, at, found.get(at + 1))
                    progress(len(found), len(states))
        except (TimeUp, KeyboardInterrupt):
            return


def _exact(solver: ExactSolver, record: GameRecord, at: int, following: Valued | None) -> Valued:
    """A position by the solver. following: the next position of the game, if it is known."""
    state = record.states[at]
    values: dict[int, float] = dict(solver.move_values(state))
    best = _best(values, record, at)
    if following and best == record.moves[at]:
        below = following.line[: PLIES - 1]
    else:
        below = solver.line(record.game.play(state, best), PLIES - 1, limits=(0,))
    return Valued(values, (best, *below), True)


def _searched(record: GameRecord, at: int, depth: int) -> Valued:
    """A position by a search of each move."""
    lines = search_lines(record.game, record.states[at], depth)
    values = {pit: line.value for pit, line in lines.items()}
    return Valued(values, lines[_best(values, record, at)].path[:PLIES], False)


def _best(values: Mapping[int, float], record: GameRecord, at: int) -> int:
    """A best move: the one that was played, if it is one."""
    best = [pit for pit, value in values.items() if value == max(values.values())]
    played = record.moves[at] if at < len(record.moves) else None
    return played if played in best else best[0]


def _solved(record: GameRecord) -> Valued | None:
    """The start of a game, if `data/solved.csv` has its moves."""
    game = record.game
    if record.start != game.start() or game.rules not in PRESETS.values():
        return None
    wanted = game.pits, game.stones, preset_name(game.rules)
    for row in solved_openings():
        if (row.pits, row.stones, row.rules) == wanted and row.moves:
            values: dict[int, float] = dict(enumerate(row.moves))
            return Valued(values, (_best(values, record, 0),), True)
    return None


def _opening(review: Review) -> Iterator[str]:
    record = review.record
    if solved := _solved(record):
        firsts = " ".join(f"{value:+g}" for value in solved.values.values())
        value = max(solved.values.values())
        yield f"The start is solved: {value:+g} for South; its first moves: {firsts}."
    perfect = [bool(move.regret) or not move.valued.exact for move in review.moves] + [True]
    if kept := perfect.index(True):
        yield f"The first {kept} moves are perfect." if kept > 1 else "The first move is perfect."
    if name := _fair_opening(record):
        yield name


def _fair_opening(record: GameRecord) -> str:
    """The drawn opening of `data/openings.csv` that the game begins with, if it does."""
    if record.start != Kalah(6, 4).start():
        return ""
    played = [str(pit + 1) for pit in record.moves]
    for number, row in enumerate(data_rows("openings.csv"), start=1):
        moves = row["moves"].split()
        if row["rules"] == format_rules(record.game.rules) and played[: len(moves)] == moves:
            return f"Moves 1 to {len(moves)} are drawn opening {number} of data/openings.csv."
    return ""
