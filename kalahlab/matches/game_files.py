"""The games of matches as texts, which `kalahlab review` reads."""

from collections.abc import Iterable, Iterator

from kalahlab.games.game_text import GameRecord, format_fault, format_game
from kalahlab.games.kalah import NORTH, SOUTH
from kalahlab.games.registry import game_type
from kalahlab.games.rules import parse_rules
from kalahlab.parallel import Row


def format_games(rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    """Yield the name of a file and the text of each game of Kalah.

    A game that ended by a fault says so in its header. Pairs that failed have no games.

    Args:
        rows: The rows of `play_pair`.
    """
    for pair_number, row in enumerate(rows, start=1):
        if row.get("error"):
            continue
        rules = parse_rules(row["rules"])
        game, start = game_type(row["game"]).read(row["opening"], rules=rules)
        for number in (1, 2):
            moves = tuple(int(move) - 1 for move in row[f"moves_{number}"].split())
            seats = (row["one"], row["other"]) if number == 1 else (row["other"], row["one"])
            fault = ""
            for loser in (row[f"lost_on_time_{number}"], row[f"faulty_{number}"]):
                if isinstance(loser, str):  # pandas may have NaN in place of None
                    side = SOUTH if (loser == "one") == (number == 1) else NORTH
                    fault = format_fault(side, row[loser], row[f"reason_{number}"])
            text = format_game(GameRecord(game, start, moves, seats, fault))
            yield f"{pair_number:04}-{number}.txt", text
