"""Check the accounts of many games.

    python benchmarks/accounts.py [GAMES]

The account of a game: the value at its start plus the signed regrets of its moves is the final
margin, wherever all values are exact.

The games take turns with the boards and both rules; a player chooses at random, or searches two
plies. Each game is reviewed like `kalahlab review` does it; of Kalah(6,4), only positions with at
most 20 stones in play are solved. A row is a board with its rules: the number of games, of those
that are exact from the first move on, of moves, of exact moves, of games with an account (their
last move is exact), and of accounts that hold. Results are printed and written to
benchmarks/results/accounts.csv; the exit status is 1 if an account does not hold.
"""

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.game_text import GameRecord
from kalahlab.games.kalah import SOUTH, Kalah
from kalahlab.games.supported import STORED
from kalahlab.judging.review import MAX_STONES, review_game
from kalahlab.players.factories import random_player, search_player
from kalahlab.players.game_loop import play_game
from kalahlab.search import Depth, alpha_beta

BOARDS = ((2, 4), (3, 3), (4, 2), (4, 3), (5, 2), (6, 1), (6, 2), (6, 4))
LARGEST, MOST_STONES = (6, 4), 20


def play_games(number: int) -> Iterator[tuple[str, GameRecord]]:
    """Play games; yield each with the name of its rules."""
    boards = list(product(STORED.items(), BOARDS))
    searching = search_player(alpha_beta, store_difference, Depth(2))
    for seed in range(number):
        (name, rules), (pits, stones) = boards[seed % len(boards)]
        south = random_player(seed)
        north = searching if seed // len(boards) % 2 else random_player(seed + 1)
        yield name, play_game(Kalah(pits, stones, rules), south, north).record()


def account(rules: str, record: GameRecord) -> dict[str, Any]:
    """Review a game; return its row."""
    game = record.game
    most = MOST_STONES if (game.pits, game.stones) == LARGEST else MAX_STONES
    review = review_game(record, max_stones=most, depth=2, workers=1)
    game_account = review.account()
    exact, end = len(review.exact_moves()), game.margin(record.states[-1], SOUTH)
    holds = False
    if game_account is not None:
        holds = game_account.is_consistent and game_account.margin == end
    return {
        "pits": game.pits,
        "stones": game.stones,
        "rules": rules,
        "games": 1,
        "exact games": exact == len(record.moves),
        "moves": len(record.moves),
        "exact moves": exact,
        "accounts": game_account is not None,
        "hold": holds,
    }


def check_accounts(number: int) -> bool:
    games = tqdm(play_games(number), total=number, unit="game")
    rows = pd.DataFrame(account(rules, record) for rules, record in games)
    table = rows.groupby(["pits", "stones", "rules"]).sum().reset_index()
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    table.to_csv(results / "accounts.csv", index=False)
    print(table.to_string(index=False))
    accounts, hold = table["accounts"].sum(), table["hold"].sum()
    print(f"{number} games, {accounts} accounts, of which {hold} hold.")
    return bool(accounts == hold)


if __name__ == "__main__":
    sys.exit(not check_accounts(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
