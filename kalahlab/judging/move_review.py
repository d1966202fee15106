"""One move of a game against all moves there; the standard library is enough, as in a page."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from kalahlab.games.game_text import GameRecord, format_turns
from kalahlab.games.kalah import NAMES, SOUTH, Kalah, State, in_play
from kalahlab.judging.value_files import known_values
from kalahlab.judging.worth import NEAR, exact_values, search_lines
from kalahlab.search.observer import Watch

PLIES = 8  # of a best line that are shown
COSTLY, COSTLY_MARK = 6, "costly move"  # stones of regret from which on a move has this mark
NOT_JUDGED = "not judged"  # the mark of a move that a quick search cannot judge
QUICK_DEPTH = 6  # of the searches of `quick_move`, in sows
Row = dict[str, Any]

COLUMNS = (
    *("number", "mover", "state", "pit", "margins", "best", "worth", "regret", "accuracy"),
    *("changed", "mark", "before", "after", "line", "better", "exact"),
)
"""Of `Review.moves`, a row a move.

number: of the game's moves, from 1. mover, pit: from 0. state: the position before. margins, best,
worth: of the mover at the end, after each pit, a best one, and the one that was played. accuracy:
the share of what was at stake that the move kept; None if all moves are equal. changed: whether it
gave a better outcome away. mark: what it did to the outcome, or that its regret is large, with a
question mark if that is by a search. before, after: South's margin at the end, by the position
before and after the move. line: a best move and what follows; better: as text, if the move has a
regret. exact: whether all is proved.
"""


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def review_move(
    record: GameRecord,
    at: int,
    margins: Mapping[int, float],
    exact: bool,
    line: Callable[[int], tuple[int, ...]] = lambda best: (best,),
) -> Row:
    """A row of `Review.moves`, of the position after `at` moves; after the last, of a best move.
    line: of a best move, which is the one that was played, if it is one."""
    state = record.states[at]
    bests = [pit for pit, margin in margins.items() if margin == max(margins.values())]
    pit = record.moves[at] if at < len(record.moves) else bests[0]
    better = line(pit if pit in bests else bests[0])
    best, worth = margins[bests[0]], margins[pit]
    regret, at_stake = best - worth, best - min(margins.values())
    kept = [margin for margin in margins.values() if _sign(margin) == _sign(best)]
    changed = _sign(worth) < _sign(best)
    only = "only move found" if len(kept) == 1 < len(margins) else ""
    mark = COSTLY_MARK if regret >= COSTLY else only
    if changed:
        mark = "win thrown away" if best > 0 else "draw missed"
    return {
        "number": at + 1,
        "mover": state.player,
        "state": state,
        "pit": pit,
        "margins": margins,
        "best": best,
        "worth": worth,
        "regret": regret,
        "accuracy": 1 - regret / at_stake if at_stake else None,
        "changed": changed,
        "mark": mark if exact or not mark else f"{mark}?",
        "before": best if state.player == SOUTH else 0 - best,
        "after": worth if state.player == SOUTH else 0 - worth,
        "line": better,
        "better": " ".join(format_turns(GameRecord(record.game, state, better))) if regret else "",
        "exact": exact,
    }


def known_line(game: Kalah, state: State, move: int) -> tuple[int, ...]:
    line = [move]
    state = game.play(state, move)
    while len(line) < PLIES and (values := known_values(game, state)):
        line.append(max(values, key=lambda pit: values[pit]))
        state = game.play(state, line[-1])
    return tuple(line)


def search_move(
    record: GameRecord, at: int, depth: int, after: float | None = None, watch: Watch | None = None
) -> Row:
    """after: South's margin after the move that was played, as the row of the next move has it."""
    lines = search_lines(record.game, record.states[at], depth, watch)
    values = {pit: line.value for pit, line in lines.items()}
    if after is not None:
        values[record.moves[at]] = after if record.states[at].player == SOUTH else 0 - after
    paths = {pit: line.path[:PLIES] for pit, line in lines.items()}
    return review_move(record, at, values, False, paths.__getitem__)


def quick_move(record: GameRecord, at: int, after: float | None, watch: Watch) -> Row:
    """The row of a move without long proofs: exact where that takes little, else by a search that
    is too short to judge the move by; `after` as in `search_move`."""
    game, state = record.game, record.states[at]
    if values := known_values(game, state):
        return review_move(record, at, values, True, partial(known_line, game, state))
    if in_play(state.board) <= NEAR:
        with suppress(ValueError):  # there may be no solver
            return review_move(record, at, exact_values(game, state, watch), True)
    guess = search_move(record, at, QUICK_DEPTH, after, watch)
    return guess | {"regret": 0, "mark": NOT_JUDGED, "better": ""}


def shown_of(row: Mapping[str, Any]) -> Row:
    names = ("number", "mover", "pit", "before", "regret", "mark", "better")
    return {name: row[name] for name in names} | {"exact": bool(row["exact"])}


def regret_said(row: Mapping[str, Any]) -> str:
    """What a move gave up, what that changed, and a better turn; nothing for most best moves."""
    stones = "1 stone" if row["regret"] == 1 else f"{row['regret']:g} stones"
    about = "" if row["exact"] else "about "
    lost = f"gives up {about}{stones}" if row["regret"] else ""
    mark = "" if row["mark"].startswith(COSTLY_MARK) else row["mark"]
    better = f"better: {row['better'].split()[0]}" if row["better"] else ""
    return "; ".join(filter(None, (lost, mark, better)))


def most_expensive(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """A sentence a player on the move with the largest regret, the first of several."""
    said, all_judged = list[str](), all(row["mark"] != NOT_JUDGED for row in rows)
    of = "" if all_judged else "Of the judged moves, "
    for player, name in enumerate(NAMES):
        moves = [row for row in rows if row["mover"] == player]
        worst = max(moves, key=lambda row: row["regret"], default={"regret": 0})
        if worst["regret"]:
            by = "" if worst["exact"] else " This is an estimate by a search."
            which = f"move {worst['number']}: pit {worst['pit'] + 1}, which {regret_said(worst)}"
            said.append(f"{of}{name}'s most expensive move is {which}.{by}")
    return said or [f"No mistake was found{'' if all_judged else ' in the judged moves'}."]
