"""The worst moves of each agent, from the review of one of its games."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from kalahlab.classroom.class_tournament.games import SEATS
from kalahlab.classroom.class_tournament.mending import find_games
from kalahlab.classroom.class_tournament.tournament import Tournament, points_of, seat_of
from kalahlab.games.game_text import GameRecord
from kalahlab.games.kalah import RULES_VERSION, Kalah
from kalahlab.games.notation import parse_board
from kalahlab.games.rules import parse_rules
from kalahlab.judging.review import choose_depth, review_game
from kalahlab.parallel import Row, run_all

REVIEWS = "reviews"  # the folder of the rows of reviews
MOST_MOVES = 3  # the most moves that are shown of an agent


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A game of an agent that is to be reviewed.

    Attributes:
        key: The agent.
        seat: Its seat, "south" or "north".
        board, rules, opening, moves: As in a row of `play_meeting`.
        seconds: The time for exact values.
    """

    key: str
    seat: str
    board: str
    rules: str
    opening: str
    moves: str
    seconds: float

    VERSION: ClassVar[int] = RULES_VERSION


def find_worst_moves(
    tournament: Tournament,
    out: Path,
    seconds: float,
    workers: int = 1,
    progress: bool = False,
) -> dict[str, list[Row]]:
    """Return the worst moves of each agent in one of its games: a lost one, if it has lost any.

    Of the games with the same result, it is one that no fault has ended, on the smallest board.
    Games that ended by a fault of the agent come last.

    Args:
        tournament: The tournament.
        out: The folder of the tournament, which keeps finished reviews.
        seconds: The time for the exact values of each agent's game; 0 for no reviews.
        workers: The number of reviews at a time.
        progress: Show a bar with the remaining time.

    Returns:
        Rows by the key of the agent. Besides the columns `number`, `pit`, `margins`, `regret`,
        `better`, `mark`, `exact` of a review they have `board` and `mover`, the index of the seat.
    """
    if not seconds:
        return {}
    settings, games = list[Reviewed](), dict[str, int]()
    for key in tournament.agents:
        own = [pair for pair in find_games(tournament, key) if pair[1]["moves"]]
        if not own:
            continue
        games[key], row = min(own, key=partial(_interest, key))
        played = {name: row[name] for name in ("board", "rules", "opening", "moves")}
        settings.append(Reviewed(key, seat_of(row, key), seconds=seconds, **played))
    folder = out / REVIEWS
    rows = run_all(review_agent, settings, workers, folder=folder, progress=progress, unit="review")
    return {
        row["key"]: [{**move, "game": games[row["key"]]} for move in row["worst"]] for row in rows
    }


def _interest(key: str, pair: tuple[int, Row]) -> tuple[bool, float, bool, int, int]:
    """Return a sort key of a game: the smallest is the most worth a review."""
    index, row = pair
    is_own_fault = row["loser"] == seat_of(row, key)
    pits, stones = map(int, row["board"].split(","))
    is_short = row["loser"] is not None
    return is_own_fault, points_of(row, key), is_short, pits * stones, index


def review_agent(setting: Reviewed) -> Row:
    """Review a game and return a row with the `worst` moves of the agent."""
    pits, stones = map(int, setting.board.split(","))
    game = Kalah(pits, stones, parse_rules(setting.rules))
    moves = tuple(int(move) - 1 for move in setting.moves.split())
    start = parse_board(setting.opening) if setting.opening else game.start()
    record = GameRecord(game, start, moves)
    depth = choose_depth(pits)
    review = review_game(record, setting.seconds, depth, workers=1)
    mover = SEATS.index(setting.seat)
    own = review.moves[(review.moves["mover"] == mover) & (review.moves["regret"] > 0)]
    worst = own.sort_values("regret", ascending=False, kind="stable")[:MOST_MOVES]
    row: Row = asdict(setting)
    row["worst"] = [_to_row(move, depth) for move in worst.to_dict("records")]
    return row


def _to_row(move: Mapping[Any, Any], depth: int) -> Row:
    """Return a row of a review as values for JSON."""
    names: Sequence[str] = ("number", "pit", "regret", "better", "mark")
    row = {name: move[name] for name in names}
    row["margins"] = {str(pit): float(margin) for pit, margin in move["margins"].items()}
    return row | {"exact": bool(move["exact"]), "depth": depth}
