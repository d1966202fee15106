"""The review of one move: its value beside those of all moves in the same position.

Pages run this module, so that it needs only the standard library.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from kalahlab.games.game_text import GameRecord, format_turns
from kalahlab.games.kalah import NAMES, SOUTH, Kalah, State, stones_in_play
from kalahlab.search.observer import NodeCounter
from kalahlab.solver.move_values import NEAR, exact_values, search_lines
from kalahlab.solver.value_files import lookup_move_values

PLIES = 8  # the most plies of a best line that are shown
COSTLY_REGRET = 6  # stones; a move with this regret or more has the mark `COSTLY_MARK`
COSTLY_MARK = "costly move"
ONLY_MOVE = "only move found"
NOT_JUDGED = "not judged"  # the mark of a move that a quick search cannot judge
QUICK_DEPTH = 6  # depth of the searches of `quick_move`, in sows
Row = dict[str, Any]

COLUMNS = (
    "number",  # the number of the move, from 1
    "mover",  # the player who moved, from 0
    "state",  # the position before the move
    "pit",  # the pit that was played, from 0
    "margins",  # the mover's margin at the end of the game, by pit, for each legal move
    "best",  # the margin of a best move
    "worth",  # the margin of the move that was played
    "regret",  # best - worth
    "accuracy",  # 1 for a best move, 0 for a worst one; None if all moves are equal
    "changed",  # whether the move gave a better outcome away
    "mark",  # the effect of the move in words, with "?" if no proof shows it; "" for most moves
    "before",  # South's margin at the end, by the value of the position before the move
    "after",  # South's margin at the end, by the value of the position after the move
    "line",  # the pits, from 0, of a best move and the best moves after it
    "better",  # the turns of `line` as text, if the move has a regret; else ""
    "exact",  # whether all margins are proved
)
"""The columns of `Review.moves`, a table with one row for each move of a game."""


def sign(value: float) -> int:
    if value > 0:
        return 1
    if value < 0:
        return -1
    return 0


def review_move(
    record: GameRecord,
    ply: int,
    margins: Mapping[int, float],
    exact: bool,
    find_line: Callable[[int], tuple[int, ...]] = lambda best: (best,),
) -> Row:
    """Return the row of `Review.moves` for the position after `ply` moves.

    If no move was played in this position, the row describes a best move.

    Args:
        record: The game.
        ply: The number of moves before the position.
        margins: The mover's margin at the end of the game, by pit, for each legal move.
        exact: Whether the margins are proved.
        find_line: Returns a line that begins with its argument: the move that was played if that is
            a best move, else the leftmost best move. By default the line is this move alone.
    """
    state = record.states[ply]
    best = max(margins.values())
    best_pits = [pit for pit, margin in margins.items() if margin == best]
    pit = record.moves[ply] if ply < len(record.moves) else best_pits[0]
    best_pit = pit if pit in best_pits else best_pits[0]
    best_line = find_line(best_pit)
    worth = margins[pit]
    mark = _mark_move(margins, worth)
    if mark and not exact:
        mark += "?"
    better = ""
    if worth < best:
        better = " ".join(format_turns(GameRecord(record.game, state, best_line)))
    return {
        "number": ply + 1,
        "mover": state.player,
        "state": state,
        "pit": pit,
        "margins": margins,
        "best": best,
        "worth": worth,
        "regret": best - worth,
        "accuracy": _measure_accuracy(margins, worth),
        "changed": sign(worth) < sign(best),
        "mark": mark,
        "before": _margin_of_south(best, state),
        "after": _margin_of_south(worth, state),
        "line": best_line,
        "better": better,
        "exact": exact,
    }


def _measure_accuracy(margins: Mapping[int, float], worth: float) -> float | None:
    """Return the accuracy of a move: 1 for a best one, 0 for a worst one, None if all are equal."""
    best, worst = max(margins.values()), min(margins.values())
    if best == worst:
        return None
    return 1 - (best - worth) / (best - worst)


def _mark_move(margins: Mapping[int, float], worth: float) -> str:
    """Return the mark of a move after which the mover's margin is `worth`, "" for most moves."""
    best = max(margins.values())
    if sign(worth) < sign(best):
        # The best move does not lose, as no outcome is worse than a loss.
        return "win thrown away" if best > 0 else "draw missed"
    if best - worth >= COSTLY_REGRET:
        return COSTLY_MARK
    keeping = [margin for margin in margins.values() if sign(margin) == sign(best)]
    if len(keeping) == 1 and len(margins) > 1:
        return ONLY_MOVE
    return ""


def _margin_of_south(margin: float, state: State) -> float:
    """Convert the mover's margin to South's margin, or South's to the mover's.

    The conversion is the same in both directions: North's margin is minus South's.
    """
    if state.player == SOUTH:
        return margin
    return 0 - margin  # which, unlike -margin, is never -0.0


def find_known_line(game: Kalah, state: State, move: int) -> tuple[int, ...]:
    """Return a line of at most `PLIES` moves: a move, and the leftmost best moves after it.

    The line is shorter if it reaches a position whose values are not stored.
    """
    line = [move]
    state = game.play(state, move)
    while len(line) < PLIES:
        values = lookup_move_values(game, state)
        if not values:
            break
        line.append(max(values, key=lambda pit: values[pit]))
        state = game.play(state, line[-1])
    return tuple(line)


def search_move(
    record: GameRecord,
    ply: int,
    depth: int,
    after: float | None = None,
    watch: NodeCounter | None = None,
) -> Row:
    """Search each legal move of a position, and return the row of the move that was played.

    Args:
        record: The game.
        ply: The number of moves before the position.
        depth: The depth of the searches, in sows.
        after: South's margin after the move that was played, which is `before` of the next row. It
            replaces the value that the search found. None if there is no next row.
        watch: Counts the nodes.
    """
    state = record.states[ply]
    lines = search_lines(record.game, state, depth, watch)
    values = {pit: line.value for pit, line in lines.items()}
    if after is not None:
        values[record.moves[ply]] = _margin_of_south(after, state)  # back to the mover's margin

    def find_line(pit: int) -> tuple[int, ...]:
        return lines[pit].path[:PLIES]

    return review_move(record, ply, values, exact=False, find_line=find_line)


def quick_move(record: GameRecord, ply: int, after: float | None, watch: NodeCounter) -> Row:
    """Return the row of a move without long proofs.

    The row is exact if the values are stored or if few stones are in play. Any other row has the
    values of a short search. Such a search cannot judge the move: the row has the regret 0 and the
    mark `NOT_JUDGED`. `search_move` explains the argument `after`.
    """
    game, state = record.game, record.states[ply]
    if values := lookup_move_values(game, state):
        find_line = partial(find_known_line, game, state)
        return review_move(record, ply, values, exact=True, find_line=find_line)
    if stones_in_play(state.board) <= NEAR:
        with suppress(ValueError):  # a page has no solver for some rules: search instead
            return review_move(record, ply, exact_values(game, state, watch), exact=True)
    row = search_move(record, ply, QUICK_DEPTH, after, watch)
    return row | {"regret": 0, "changed": False, "mark": NOT_JUDGED, "better": ""}


def to_view(row: Mapping[str, Any]) -> Row:
    """Return the columns of a row that a page shows, as values for JSON."""
    names = ("number", "mover", "pit", "before", "regret", "mark", "better")
    margins = [[pit, margin] for pit, margin in dict(row["margins"]).items()]
    return {name: row[name] for name in names} | {
        "exact": bool(row["exact"]),
        "changed": bool(row["changed"]),
        "margins": margins,  # JSON has no numbers as keys
        "line": [*row["line"]],
    }


def choose_sign(row: Mapping[str, Any]) -> str:
    """Return the sign of a move as in records of chess: `??`, `?` or `!`; "" for most moves.

    `??` is a move that gave up `COSTLY_REGRET` stones or a better outcome, `?` one that gave up
    fewer, and `!` the only move that kept the outcome.
    """
    if row["changed"] or row["regret"] >= COSTLY_REGRET:
        return "??"
    if row["regret"]:
        return "?"
    if row["mark"].startswith(ONLY_MOVE):
        return "!"
    return ""


def describe_regret(row: Mapping[str, Any]) -> str:
    """Describe the regret of a move, its mark and a better turn; "" for most best moves."""
    parts = list[str]()
    if row["regret"]:
        stones = "1 stone" if row["regret"] == 1 else f"{row['regret']:g} stones"
        about = "" if row["exact"] else "about "
        parts.append(f"gives up {about}{stones}")
    # The mark `COSTLY_MARK`, which may end in "?", would only repeat that the regret is large.
    if row["mark"] and not row["mark"].startswith(COSTLY_MARK):
        parts.append(row["mark"])
    if row["better"]:
        better_turn = row["better"].split()[0]  # the first turn of the line
        parts.append(f"better: {better_turn}")
    return "; ".join(parts)


def most_expensive(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each player on the player's move with the largest regret.

    Of several such moves, the sentence names the first. A player without a regret has no sentence.
    If neither player has a regret, the only sentence is that no mistake was found.
    """
    is_complete = all(row["mark"] != NOT_JUDGED for row in rows)
    start = ""
    no_mistake = "No mistake was found in the moves."
    if not is_complete:
        start = "Of the judged moves, "
        no_mistake = "No mistake was found in the judged moves."
    sentences = list[str]()
    for player, name in enumerate(NAMES):
        regretted = [row for row in rows if row["mover"] == player and row["regret"]]
        if not regretted:
            continue
        worst = max(regretted, key=lambda row: row["regret"])
        move = f"move {worst['number']}: pit {worst['pit'] + 1}, which {describe_regret(worst)}"
        sentence = f"{start}{name}'s most expensive move is {move}."
        if not worst["exact"]:
            sentence += " This is an estimate by a search."
        sentences.append(sentence)
    return sentences or [no_mistake]
