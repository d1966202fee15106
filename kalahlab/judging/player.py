"""How well a player plays where perfect play is known.

    found = list(judge_player(parse_player("alpha_beta:fitted:4", backend="engine"), rows))
    summary(found, "all")

Positions of one game are alike, so the intervals are those of `clusters`, a game being one.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kalahlab.backends import SearchSpec
from kalahlab.games.kalah import PRESETS, Kalah, State
from kalahlab.grid import Row
from kalahlab.judging.clusters import clustered_mean, clustered_rate
from kalahlab.judging.judged import PHASES, Judged
from kalahlab.play import Player

RATES = ("optimal", "kept")
MEASURES = (*RATES, "regret")
"""What is measured of a move; a rate is a mean of zeros and ones."""


def judge_player(player: Player, rows: Iterable[Judged]) -> Iterator[Row]:
    """The move of a player in each position.

    Rows: position, its number from 0; game, the one that it is from, or else that number; board,
    pits a side and stones a pit, as `6,4`; rules; phase; pit, from 1; regret, the stones that the
    move gives up; optimal, 1 if it gives up none; kept, 1 if who wins, or that nobody does, stays.
    Raises `ValueError` for a move that is illegal.
    """
    for number, row in enumerate(rows):
        pit = player(Kalah(*row.start, PRESETS[row.rules]), row.state)
        if pit not in range(len(row.moves)):
            raise ValueError(f"the player plays {pit!r}, which is no pit of {row.state}")
        yield {
            "position": number,
            "game": row.origin.game if row.origin else number,
            "board": "{},{}".format(*row.start),
            "rules": row.rules,
            "phase": row.phase,
            "pit": pit + 1,
            **cost(row, pit),
        }


def judge_search(spec: SearchSpec, depth: int, rows: Iterable[Judged]) -> Iterator[Row]:
    """The same of the player that searches to a depth.

    Rows: evaluator; depth; those of `judge_player`; nodes, visited.
    """
    visited: list[int] = []

    def player(game: Kalah, state: State) -> Any:
        result = spec.search(game, state, depth)
        visited.append(result.counts.visited)
        return result.move

    for row in judge_player(player, rows):
        yield {"evaluator": spec.evaluator, "depth": depth, **row, "nodes": visited.pop()}


def cost(row: Judged, pit: int) -> Row:
    """The `MEASURES` of a move, as numbers."""
    regret = row.regret(pit)
    kept = _sign(row.value) == _sign(row.value - regret)
    return {"regret": regret, "optimal": int(regret == 0), "kept": int(kept)}


def _sign(margin: int) -> int:
    return (margin > 0) - (margin < 0)


def summaries(found: Sequence[Row]) -> list[Row]:
    """The measures of all moves; of those in each phase; of those on each board, if on several."""
    boards = list(dict.fromkeys(row["board"] for row in found))
    groups = {"all": list(found)}
    groups |= {phase: [row for row in found if row["phase"] == phase] for phase in PHASES}
    if len(boards) > 1:
        groups |= {board: [row for row in found if row["board"] == board] for board in boards}
    return [summary(rows, name) for name, rows in groups.items() if rows]


def summary(found: Sequence[Row], name: str) -> Row:
    """of, the name of these moves; positions; games; each measure's mean, and as `_low` and
    `_high` the ends of its interval."""
    games = [row["game"] for row in found]
    made = {"of": name, "positions": len(found), "games": len(set(games))}
    for measure in MEASURES:
        values = [row[measure] for row in found]
        estimate = (clustered_rate if measure in RATES else clustered_mean)(values, games)
        names = measure, f"{measure}_low", f"{measure}_high"
        made |= dict(zip(names, estimate, strict=True))
    return made
