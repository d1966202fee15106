"""The games of matches as texts, which `kalahlab review` reads."""

from collections.abc import Iterable, Iterator

from kalahlab.games.game_text import GameRecord, format_game
from kalahlab.games.registry import game_type
from kalahlab.games.rules import parse_rules
from kalahlab.parallel import Row


def format_games(rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    """Yield the name of a file and the text of each game of Kalah.

    A game that ended by a fault has a comment with the player and the fault. Pairs that failed have
    no games.

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
            text = format_game(GameRecord(game, start, moves, seats))
            for loser in (row[f"lost_on_time_{number}"], row[f"faulty_{number}"]):
                if isinstance(loser, str):  # pandas may have NaN in place of None
                    text += f"# {row[loser]} loses: {row[f'reason_{number}']}\n"
            yield f"{pair_number:04}-{number}.txt", text
