"""Matches and round robins from fair openings, and what their pairs of games come to.

rows = run_all(play_pair, round_robin(["alpha_beta:e3:4", "alpha_beta:e4:4"], openings=16))
print(matches(rows), standings(rows), cross_table(rows))
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, combinations, product
from typing import TYPE_CHECKING

from kalahlab.backends import BACKENDS
from kalahlab.games.kalah import State
from kalahlab.games.notation import format_board
from kalahlab.grid import Row
from kalahlab.matches.openings import fair_openings
from kalahlab.matches.pairs import Pair, other_side, tally
from kalahlab.matches.rating import elo
from kalahlab.names import named
from kalahlab.play import parse_player

if TYPE_CHECKING:
    import pandas as pd


def round_robin(
    players: Sequence[str],
    rules: str = "standard",
    openings: int = 16,
    backend: str = "engine",
    find: Callable[[str, int], list[State]] = fair_openings,
) -> list[Pair]:
    """Every two players from each of the first openings that `find` finds.

    Raises `ValueError` for fewer than two players, one named twice, or one that is none.
    """
    if len(players) < 2:
        raise ValueError(f"{len(players)} player; a match needs two")
    if twice := [name for name in players if players.count(name) > 1]:
        raise ValueError(f"player {twice[0]!r} is named twice; two that play alike only draw")
    return _paired([*combinations(players, 2)], rules, find(rules, openings), backend)


def at_equal_depth(
    evaluator: str,
    others: Sequence[str],
    depths: Iterable[int],
    rules: Iterable[str] = ("standard",),
    openings: int = 16,
) -> list[Pair]:
    """An evaluator with each of the others, both with alpha-beta to the same depth, in sows.

    From each of the first fair openings under each preset of the rules. Raises `ValueError`
    for a name that is none.
    """
    return [
        pair
        for preset, depth in product(rules, depths)
        for pair in _paired(
            [(f"alpha_beta:{evaluator}:{depth}", f"alpha_beta:{name}:{depth}") for name in others],
            preset,
            fair_openings(preset, openings),
            "engine",
        )
    ]


def _paired(
    meetings: Sequence[tuple[str, str]], rules: str, openings: Sequence[State], backend: str
) -> list[Pair]:
    named("backend", backend, BACKENDS)
    for name in dict.fromkeys(chain(*meetings)):
        parse_player(name, backend="textbook")  # which compiles nothing
    boards = [format_board(state) for state in openings]
    return [Pair(one, other, board, rules, backend) for one, other in meetings for board in boards]


def matches(rows: Sequence[Row]) -> list[Row]:
    """A row for every two players that met, the `tally` of `one`."""
    met: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        met.setdefault((row["one"], row["other"]), []).append(row)
    return [{"one": one, "other": other, **tally(played)} for (one, other), played in met.items()]


def standings(rows: Sequence[Row]) -> list[Row]:
    """A row a player, the best first: its tally over all matches, and its Elo with interval."""
    seen: dict[str, list[Row]] = {}
    for row in rows:
        for side in (row, other_side(row)):
            seen.setdefault(side["one"], []).append(side)
    met = [(row["one"], row["other"], row["points"], row["opening"]) for row in rows]
    ratings = elo([*seen], met)
    table = [
        {"player": name, **tally(played), **ratings[name].columns("elo", ("elo_low", "elo_high"))}
        for name, played in seen.items()
    ]
    # who play alike have one rating, but for the last digits of the fit
    return sorted(table, key=lambda row: -round(row["elo"], 6))


def cross_table(rows: Sequence[Row]) -> "pd.DataFrame":
    """The score of each player (down) against each other one (across), the best first."""
    import pandas as pd

    players = [row["player"] for row in standings(rows)]
    table = pd.DataFrame(index=players, columns=players, dtype=float)
    for row in matches(rows):
        table.loc[row["one"], row["other"]] = row["score"]
        table.loc[row["other"], row["one"]] = 1 - row["score"]
    return table
