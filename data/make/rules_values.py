"""Write `data/rules_values.csv`: the first player's exact value of small boards by rules.

    python data/make/rules_values.py data/rules_values.csv

The solver takes rules whose values depend on the pits alone. Under the other rules only the boards
have a row whose games the textbook search ends in about a second.
"""

import csv
import sys
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from kalahlab.games.kalah import Kalah
from kalahlab.games.rules import PRESETS, Rules
from kalahlab.games.supported import SOLVED, unknown_rule
from kalahlab.solver.endgame.database import largest_stones
from kalahlab.solver.move_values import exact_values, is_near_end
from kalahlab.solver.solve import solve
from kalahlab.solver.value_files import lookup_value

PITS, STONES = range(1, 7), range(1, 5)
MEMORY = 2 * 10**8  # bytes of the largest database
BEYOND = 6  # stones more than those of the database; with more, a board takes more than a minute


@cache
def compute_value(pits: int, stones: int, rules: Rules) -> int | None:
    """Return the exact value of a start, None if that takes too long."""
    game = Kalah(pits, stones, rules)
    start = game.start()
    stored_value = lookup_value(game, start)
    if stored_value is not None:
        return stored_value
    if not unknown_rule(rules, SOLVED):
        # Games are longer under some rules; the solver's own plan is for standard.
        stones_in_play = 2 * pits * stones
        database_stones = min(stones_in_play, largest_stones(pits, MEMORY))
        if stones_in_play > database_stones + BEYOND:
            return None
        sizes: dict[str, Any] = {"database_stones": database_stones, "memory_bytes": 2 * MEMORY}
        return solve(start, rules, line=False, keep=False, **sizes).value
    if is_near_end(game, start):
        return int(max(exact_values(game, start).values()))
    return None


def main() -> None:
    lines: list[tuple[str, int, int, int]] = []
    for name, pits, stones in product(PRESETS, PITS, STONES):
        value = compute_value(pits, stones, PRESETS[name])
        if value is not None:
            lines.append((name, pits, stones, value))
    with Path(sys.argv[1]).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("rules", "pits", "stones", "value"))
        writer.writerows(lines)


if __name__ == "__main__":
    main()
