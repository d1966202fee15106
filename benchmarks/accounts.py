"""Whether the account of a game holds: the value at its start plus the signed regrets of its moves
is the final margin, wherever all values are exact.

    python benchmarks/accounts.py [GAMES]

The games go round the boards and both rules; a player chooses at random, or searches two plies.
Each game is reviewed as `kalahlab review` does it; of Kalah(6,4), only positions with at most 20
stones in play are solved. A row is a board with its rules: how many games, how many of them are
exact from the first move on, how many moves are exact, how many games have an account (their last
move is exact), and how many accounts hold. Results are printed and written to
benchmarks/results/accounts.csv; the exit status says whether all hold.
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
from kalahlab.games.kalah import PRESETS, SOUTH, Kalah
from kalahlab.judging.review import MAX_STONES, review_game
from kalahlab.players.factories import random_player, search_player
from kalahlab.players.game_loop import play_game
from kalahlab.search import Depth, alpha_beta

BOARDS = ((2, 4), (3, 3), (4, 2), (4, 3), (5, 2), (6, 1), (6, 2), (6, 4))
LARGEST, MOST_STONES = (6, 4), 20


def play_games(number: int) -> Iterator[tuple[str, GameRecord]]:
    """So many games, with the name of their rules."""
    boards = list(product(PRESETS.items(), BOARDS))
    searching = search_player(alpha_beta, store_difference, Depth(2))
    for seed in range(number):
        (name, rules), (pits, stones) = boards[seed % len(boards)]
        south = random_player(seed)
        north = searching if seed // len(boards) % 2 else random_player(seed + 1)
        yield name, play_game(Kalah(pits, stones, rules), south, north).record()


def account(rules: str, record: GameRecord) -> dict[str, Any]:
    """A row of one game."""
    game = record.game
    most = MOST_STONES if (game.pits, game.stones) == LARGEST else MAX_STONES
    review = review_game(record, max_stones=most, depth=2, workers=1)
    found = review.account()
    exact, end = len(review.exact_moves()), game.margin(record.states[-1], SOUTH)
    return {
        "pits": game.pits,
        "stones": game.stones,
        "rules": rules,
        "games": 1,
        "exact games": exact == len(record.moves),
        "moves": len(record.moves),
        "exact moves": exact,
        "accounts": found is not None,
        "hold": found is not None and found.is_consistent and found.margin == end,
    }


def main(number: int) -> bool:
    rows = pd.DataFrame(
        account(*each) for each in tqdm(play_games(number), total=number, unit="game")
    )
    table = rows.groupby(["pits", "stones", "rules"]).sum().reset_index()
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    table.to_csv(results / "accounts.csv", index=False)
    print(table.to_string(index=False))
    accounts, hold = table["accounts"].sum(), table["hold"].sum()
    print(f"{number} games, {accounts} accounts, of which {hold} hold.")
    return bool(accounts == hold)


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
