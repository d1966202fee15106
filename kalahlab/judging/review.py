"""A game of Kalah reviewed: what each move was worth, the best move, and where it turned.

    review = reviewed(parse_game(text), seconds=60)
    review.account()        # value at the start + North's regrets - South's regrets = the end

Positions are solved from the end of the game backwards, as far as the time reaches; those before
are valued by a search.
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
from kalahlab.engine.endgame.database import stored_stones
from kalahlab.engine.packed import MAX_STONES, fits
from kalahlab.engine.solver.exact import open_solver
from kalahlab.engine.solver.plan import Plan, make_plan
from kalahlab.engine.supported import SOLVED, unknown_part
from kalahlab.games.game_text import GameRecord, format_rules, format_turns
from kalahlab.games.kalah import NAMES, NORTH, SOUTH, Kalah, in_play
from kalahlab.games.notation import format_board
from kalahlab.grid import Row
from kalahlab.judging import move_review
from kalahlab.judging.move_review import known_line, most_expensive, review_move, search_move
from kalahlab.judging.value_files import known_values
from kalahlab.judging.worth import ENGINE_DEPTH, PROOFS, memory_budget

MOST_PLANNED = 40  # stones for which memory is laid out; of more, nothing is solved in a minute
SEARCH = "alpha_beta, store_difference at leaves"
FORMULA = (
    "accuracy: the mean of 1 - regret / (best - worst) over a player's counted moves; best, worst "
    "are the values of the best and the worst move there; moves that are all equal are left out"
)

Progress = Callable[[int, int], object]  # called with how many of how many positions are valued


class Account(NamedTuple):
    """How the end comes about, in stones for South, from move `first` on.

    value + north - south is margin: value before the move, both's regrets, margin at the end.
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
            f"South's {south}: {self.margin:+g} after the last move"
        )


@dataclass(frozen=True, slots=True)
class Review:
    """A game with the value of each move, in the table `moves`; see `move_review.COLUMNS`.

    end: South's margin at the end, or of the last position if the game is not over, as it was
    found. depth: of the searches, in sows. database_stones: of the solver, None if none was used.
    """

    record: GameRecord
    moves: pd.DataFrame
    end: float
    end_exact: bool
    depth: int
    database_stones: int | None

    def values(self) -> list[tuple[float, bool]]:
        """South's value of each position and of the end, and whether it is exact."""
        before = zip(self.moves["before"], self.moves["exact"], strict=True)
        return [*before, (self.end, self.end_exact)]

    def exact_moves(self) -> pd.DataFrame:
        """The moves at the end of the game that are all exact."""
        exact = np.logical_and.accumulate(self.moves["exact"].to_numpy()[::-1])[::-1]
        return self.moves[exact & self.end_exact]

    def marked(self) -> pd.DataFrame:
        return self.moves[(self.moves["mark"] != "") & (self.moves["regret"] > 0)]

    def of(self, player: int) -> pd.DataFrame:
        """A player's counted moves: the `exact_moves`, or if there are none, all."""
        exact = self.exact_moves()
        counted = self.moves if exact.empty else exact
        return counted[counted["mover"] == player]

    def accuracy(self, player: int) -> float | None:
        """In percent; see `FORMULA`. None if the player never had a choice that mattered."""
        kept = self.of(player)["accuracy"].dropna()
        return None if kept.empty else 100 * fmean(kept)

    def account(self) -> Account | None:
        """From the first move from which on all is exact; None if the last one is not."""
        if (exact := self.exact_moves()).empty:
            return None
        south, north = (sum(self.of(player)["regret"]) for player in (SOUTH, NORTH))
        first = exact.iloc[0]
        return Account(first["number"], first["before"], north, south, self.end)

    def table(self) -> pd.DataFrame:
        """A row a move: value, for South after it; regret, of the mover; by, how it was found."""
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
        record, said = self.record, []
        if values := _values_at_start(record):
            firsts = " ".join(f"{value:+g}" for value in values.values())
            start = f"{max(values.values()):+g} for South"
            said.append(f"The start is solved: {start}; its first moves: {firsts}.")
        perfect = self.moves["exact"] & (self.moves["regret"] == 0)
        if kept := np.logical_and.accumulate(perfect.to_numpy()).sum():
            many = f"The first {kept} moves are perfect."
            said.append(many if kept > 1 else "The first move is perfect.")
        rules, played = format_rules(record.game.rules), [str(pit + 1) for pit in record.moves]
        drawn = data_rows("openings.csv") if record.start == Kalah(6, 4).start() else []
        for number, row in enumerate(drawn, start=1):
            moves = row["moves"].split()
            if row["rules"] == rules and played[: len(moves)] == moves:
                named = f"drawn opening {number} of data/openings.csv"
                said.append(f"Moves 1 to {len(moves)} are {named}.")
                break
        return " ".join(said)

    def summary(self) -> list[str]:
        exact, counted = self.moves["exact"].sum(), self.exact_moves()
        said = [f"Valued exactly: {exact} of {len(self.moves)} moves."]
        if counted.empty and len(self.moves):
            said[0] += f" What follows is an estimate by searches of depth {self.depth}."
        elif len(counted) < len(self.moves):
            said[0] += f" What follows counts those from move {counted['number'].iloc[0]} on."
        if account := self.account():
            said.append(f"For South: {account}.")
        for player in (SOUTH, NORTH):
            moves, accuracy = self.of(player), self.accuracy(player)
            best, lost = sum(moves["regret"] == 0), sum(moves["changed"])
            kept = "no choice that mattered" if accuracy is None else f"accuracy {accuracy:.1f} %"
            said.append(
                f"{NAMES[player]}: {kept}, {best} of {len(moves)} moves best, regrets "
                f"{sum(moves['regret']):g}, better outcomes lost: {lost}."
            )
        rows: list[Any] = self.moves.to_dict("records")
        return [*said, *most_expensive(rows)]

    def title(self) -> str:
        game, names = self.record.game, self.record.players
        board = f"Kalah({game.pits}, {game.stones})" if game.stones else "Kalah from a position"
        players = " against ".join(name or NAMES[at] for at, name in enumerate(names))
        return f"{board}, {format_rules(game.rules)} rules: {players}"

    def as_json(self) -> dict[str, Any]:
        account, game = self.account(), self.record.game
        rows: list[Any] = [*self.moves.itertuples()]
        return {
            "board": format_board(self.record.start),
            "pits": game.pits,
            "rules": format_rules(game.rules),
            "players": dict(zip(("south", "north"), self.record.players, strict=True)),
            "algorithm": {"exact": PROOFS, "search": SEARCH},
            "depth": self.depth,
            "database_stones": self.database_stones,
            "opening": self.opening(),
            "moves": [
                {
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
                for row in rows
            ],
            "margin": self.end,
            "account": account and {**account._asdict(), "holds": account.holds},
            "accuracy": {NAMES[player].lower(): self.accuracy(player) for player in (SOUTH, NORTH)},
            "formula": FORMULA,
        }


def reviewed(
    record: GameRecord,
    seconds: float | None = None,
    depth: int = ENGINE_DEPTH,
    max_stones: int = MAX_STONES,
    workers: int | None = None,
    progress: Progress = lambda done, of: None,
) -> Review:
    """seconds: for the proofs; None for as many as they take, 0 for searches alone. max_stones: in
    play, of positions to be solved. depth: of the searches of what the proofs do not reach, in
    sows, 1 to `ENGINE_DEPTH`. workers: threads. Ctrl-C ends the proofs as the time does. Raises
    `ValueError` for an illegal move or such a depth, and for a game that derives from Kalah.
    """
    if unknown := unknown_part(record.game, record.start):
        raise ValueError(f"a review is of a game of Kalah, but not of {unknown}")
    game, states = record.game, record.states
    plan, found = None, dict[int, Row]()
    solved = not unknown_part(game, record.start, SOLVED)
    if seconds != 0 and solved and fits(record.start):
        stones = min(in_play(record.start.board), MOST_PLANNED, max_stones)
        stored = stored_stones(game.pits, game.rules)
        plan = make_plan(game.pits, stones, True, memory_bytes=memory_budget(), stored=stored)
        for at, state in enumerate(states):
            if values := known_values(game, state):
                found[at] = review_move(record, at, values, True, partial(known_line, game, state))
        left = [at for at, state in enumerate(states) if in_play(state.board) <= max_stones]
        wanted = [at for at in left[::-1] if at not in found and not game.over(states[at])]
        solve_backwards(record, found, wanted, plan, seconds, workers, progress)
    elif start := _values_at_start(record):
        found[0] = review_move(record, 0, start, True)
    for at in reversed(range(len(states))):  # what comes after a move is known before its row
        if at not in found and not game.over(states[at]):
            found[at] = search_move(record, at, depth, found.get(at + 1, {}).get("before"))
            progress(len(found), len(states))
    rows = [found[at] for at in range(len(record.moves))]
    # of objects, so that whole numbers stay whole
    moves = pd.DataFrame(rows, columns=move_review.COLUMNS, dtype=object)
    moves = moves.astype({"exact": bool, "changed": bool})
    over, database_stones = game.over(states[-1]), plan.database_stones if plan else None
    end = game.margin(states[-1], SOUTH) if over else found[len(rows)]["before"]
    return Review(record, moves, end, over or found[len(rows)]["exact"], depth, database_stones)


def solve_backwards(
    record: GameRecord,
    found: dict[int, Row],
    wanted: Sequence[int],
    plan: Plan,
    seconds: float | None,
    workers: int | None,
    progress: Progress,
) -> None:
    """Put exact values of wanted positions into `found`, in their order, while there is time."""
    game, states = record.game, record.states
    end, most = None if seconds is None else time.monotonic() + seconds, move_review.PLIES - 1
    sizes: Any = {"database_stones": plan.database_stones, "table_bytes": plan.table_bytes}

    def poll() -> None:
        if end is not None and time.monotonic() > end:
            raise KeyboardInterrupt

    def line(at: int, best: int) -> tuple[int, ...]:
        if at + 1 in found and best == record.moves[at]:
            return (best, *found[at + 1]["line"][:most])
        return (best, *solver.line(game.play(states[at], best), most, limits=(0,)))

    with open_solver(game.pits, game.rules, **sizes, workers=workers, poll=poll) as solver:
        try:
            for at in wanted:
                values = dict(solver.move_values(states[at]))
                found[at] = review_move(record, at, values, True, partial(line, at))
                progress(len(found), len(states))
        except KeyboardInterrupt:
            return


def _values_at_start(record: GameRecord) -> dict[int, float]:
    return known_values(record.game, record.start) if record.start == record.game.start() else {}
