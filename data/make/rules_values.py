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

from kalahlab.games.kalah import Kalah
from kalahlab.games.rules import PRESETS, Rules
from kalahlab.games.supported import SOLVED, unknown_rule
from kalahlab.solver.move_values import exact_values, is_near_end
from kalahlab.solver.solve import solve
from kalahlab.solver.value_files import lookup_value

PITS, STONES = range(1, 7), range(1, 5)
MEMORY = 3 * 10**9  # bytes that the solver may use
# The boards that take more than five minutes. Games without captures or extra turns are long.
SLOW = {
    (6, 4, PRESETS["gsheni"]),
    (6, 3, PRESETS["alphazero-jl"]),
    (6, 4, PRESETS["alphazero-jl"]),
}


@cache
def compute_value(pits: int, stones: int, rules: Rules) -> int | None:
    """Return the exact value of a start, None if that takes too long."""
    game = Kalah(pits, stones, rules)
    start = game.start()
    stored_value = lookup_value(game, start)
    if stored_value is not None:
        return stored_value
    if not unknown_rule(rules, SOLVED):
        if (pits, stones, rules) in SLOW:
            return None
        return solve(start, rules, line=False, keep=False, memory_bytes=MEMORY).value
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
