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
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

from kalahlab.data import data_rows
from kalahlab.engine.endgame.database import stored_stones
from kalahlab.engine.packed import MAX_STONES, fits
from kalahlab.engine.solver.exact import open_solver
from kalahlab.engine.solver.plan import Plan, make_plan
from kalahlab.games.game_text import GameRecord, format_rules, format_turns
from kalahlab.games.kalah import NAMES, NORTH, PRESETS, SOUTH, Kalah, State, in_play
from kalahlab.games.notation import format_board
from kalahlab.judging.judged import Judged
from kalahlab.judging.worth import ENGINE_DEPTH, known_values, memory_budget, search_lines

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
class ReviewedMove:
    """A move that was played, or a best one after the last; pits count from 0.

    number: of the game's moves, from 1. judged: the position before it. line: of a best move.
    exact: whether the values are proved, or else those of a search.
    """

    number: int
    game: Kalah
    judged: Judged
    pit: int
    line: tuple[int, ...]
    exact: bool

    @property
    def state(self) -> State:
        return self.judged.state

    @property
    def mover(self) -> int:
        return self.state.player

    @property
    def values(self) -> dict[int, float]:
        """Each move's final margin of the mover."""
        return self.judged.values

    @property
    def best(self) -> float:
        return self.judged.value

    @property
    def worth(self) -> float:
        return self.values[self.pit]

    @property
    def regret(self) -> float:
        return self.judged.regret(self.pit)

    @property
    def accuracy(self) -> float | None:
        """The share of what was at stake that the move kept; None if all moves are equal."""
        at_stake = self.best - min(self.values.values())
        return 1 - self.regret / at_stake if at_stake else None

    @property
    def changed(self) -> bool:
        """Whether the move gave a better outcome away."""
        return _sign(self.worth) < _sign(self.best)

    @property
    def mark(self) -> str:
        """What the move did to the outcome; with a question mark if that is by a search."""
        kept = [value for value in self.values.values() if _sign(value) == _sign(self.best)]
        only = ONLY if len(kept) == 1 < len(self.values) else ""
        mark = (THROWN if self.best > 0 else MISSED) if self.changed else only
        return mark if self.exact or not mark else f"{mark}?"

    def for_south(self, value: float) -> float:
        """A margin of the mover's as South's."""
        return value if self.mover == SOUTH else 0 - value

    @property
    def best_line(self) -> str:
        """A best move and what follows, turn by turn."""
        return " ".join(format_turns(GameRecord(self.game, self.state, self.line)))

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
            "moves": {str(pit + 1): value for pit, value in self.values.items()},
            "best_line": self.best_line,
            "mark": self.mark,
            "exact": self.exact,
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
        return self.value + self.north - self.south == self.margin

    def __str__(self) -> str:
        north, south = (f"{signed:+g}" if signed else "0" for signed in (self.north, -self.south))
        return (
            f"value {self.value:+g} before move {self.first}, North's regrets {north}, "
            f"South's {south}: {self.margin:+g} at the end"
        )


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
        each = [(move.for_south(move.best), move.exact) for move in self.moves]
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
        flags = [move.exact for move in self.moves]
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
                "by": "exact" if move.exact else f"depth {self.depth}",
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
        exact, counted = sum(move.exact for move in self.moves), self.exact_moves()
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
    plan = None if seconds == 0 else _plan(game, states, max_stones)
    found: dict[int, ReviewedMove] = {}
    if plan:
        for at, state in enumerate(states):
            if values := known_values(game, state):
                found[at] = _valued(record, at, values, True, partial(_known_line, game, state))
        left = [at for at, state in enumerate(states) if in_play(state.board) <= max_stones]
        wanted = [at for at in left[::-1] if at not in found and not game.over(states[at])]
        solve_backwards(record, found, wanted, plan, seconds, workers, progress)
    elif start := _values_at_start(record):
        found[0] = _valued(record, 0, start, True, lambda best: (best,))
    for at, state in enumerate(states):
        if at not in found and not game.over(state):
            lines = search_lines(game, state, depth)
            values = {pit: line.value for pit, line in lines.items()}
            paths = {pit: line.path[:PLIES] for pit, line in lines.items()}
            found[at] = _valued(record, at, values, False, paths.__getitem__)
            progress(len(found), len(states))
    moves = tuple(found[at] for at in range(len(record.moves)))
    last = found.get(len(moves))  # None if the game is over
    end = last.for_south(last.best) if last else game.margin(states[-1], SOUTH)
    database_stones = plan.database_stones if plan else None
    return Review(record, moves, end, not last or last.exact, depth, database_stones)


def _valued(
    record: GameRecord,
    at: int,
    values: Mapping[int, float],
    exact: bool,
    line: Callable[[int], tuple[int, ...]],
) -> ReviewedMove:
    """The move before which the game has its `at`-th position.

    line: of a best move, which is the one that was played, if it is one.
    """
    game, state = record.game, record.states[at]
    best = [pit for pit, value in values.items() if value == max(values.values())]
    pit = record.moves[at] if at < len(record.moves) else best[0]
    judged = Judged(format_rules(game.rules), state, tuple(map(values.get, range(game.pits))))
    return ReviewedMove(at + 1, game, judged, pit, line(pit if pit in best else best[0]), exact)


def _known_line(game: Kalah, state: State, move: int) -> tuple[int, ...]:
    """A move, and best moves after it as far as they are known."""
    line = [move]
    state = game.play(state, move)
    while len(line) < PLIES and (values := known_values(game, state)):
        line.append(max(values, key=lambda pit: values[pit]))
        state = game.play(state, line[-1])
    return tuple(line)


class TimeUp(Exception):
    """The time for the proofs is over."""


def _plan(game: Kalah, states: list[State], max_stones: int) -> Plan | None:
    """The memory of the solver; None if it cannot hold the game."""
    if game.rules not in PRESETS.values() or not fits(states[0]):
        return None
    stones = min(in_play(states[0].board), MOST_PLANNED, max_stones)
    stored = stored_stones(game.pits, game.rules)
    return make_plan(game.pits, stones, True, memory_bytes=memory_budget(), stored=stored)


def solve_backwards(
    record: GameRecord,
    found: dict[int, ReviewedMove],
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

    def line(at: int, best: int) -> tuple[int, ...]:
        if at + 1 in found and best == record.moves[at]:
            return (best, *found[at + 1].line[: PLIES - 1])
        return (best, *solver.line(game.play(states[at], best), PLIES - 1, limits=(0,)))

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
                values = dict(solver.move_values(states[at]))
                found[at] = _valued(record, at, values, True, partial(line, at))
                progress(len(found), len(states))
        except (TimeUp, KeyboardInterrupt):
            return


def _values_at_start(record: GameRecord) -> dict[int, float]:
    """The values of the first moves, if they are in the file of solved openings."""
    return known_values(record.game, record.start) if record.start == record.game.start() else {}


def _opening(review: Review) -> Iterator[str]:
    record = review.record
    if values := _values_at_start(record):
        firsts = " ".join(f"{value:+g}" for value in values.values())
        start = f"{max(values.values()):+g} for South"
        yield f"The start is solved: {start}; its first moves: {firsts}."
    perfect = [bool(move.regret) or not move.exact for move in review.moves] + [True]
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
