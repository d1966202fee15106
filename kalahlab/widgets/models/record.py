"""A game as JavaScript is told it, which knows no rules: JSON, with places as ring indices."""

from collections.abc import Mapping, Sequence
from typing import Any

from kalahlab.games.kalah import NAMES, NORTH, SOUTH, Kalah, State, drops, in_play, side, sow
from kalahlab.games.notation import format_board
from kalahlab.judging.move_review import Row, most_expensive, regret_said
from kalahlab.play import GameLog, Played, Player
from kalahlab.trace import number

Record = dict[str, Any]


def steps_of(
    log: GameLog,
    values: Mapping[State, Record],
    players: Sequence[Player | None],
    rows: Sequence[Row | None],
) -> list[Record]:
    """Each position of a game with the move that led to it, and where undo and redo go. values: the
    bars of positions. players, rows: None for a reader, and for what is unknown."""
    states = log.states
    steps = [_position(log.game, state) | values.get(state, {}) for state in states]
    for at, (played, row) in enumerate(zip(log.moves, rows, strict=True)):
        steps[at + 1]["move"] = _move(log.game, states[at], played)
        if row is not None:
            steps[at]["worth"] = _worth(row["before"], row["exact"])
            marked = bool(row["mark"] and row["regret"])
            steps[at + 1]["review"] = {"said": regret_said(row), "marked": marked}
    if steps[-1]["over"] and any(row is not None for row in rows):
        steps[-1]["worth"] = _worth(log.game.margin(states[-1], SOUTH), exact=True)
    last = len(log.moves)
    ours = [bool(players[state.player]) for state in states]
    stops = [at for at in range(last + 1) if at in (0, last) or all(players) or not ours[at]]
    for at, step in enumerate(steps):
        step["back"] = max((stop for stop in stops if stop < at), default=0)
        step["on"] = min((stop for stop in stops if stop > at), default=last)
        step["ours"] = ours[at] and not step["over"]
    return steps


def _worth(value: float, exact: bool) -> str:
    said = f"{value:+g}".replace("-", "\N{MINUS SIGN}") if value else "0"
    return f"Value for South: {said}." if exact else f"Value for South: about {said}."


def review_of(log: GameLog, rows: Sequence[Row | None]) -> Record | None:
    """What is said of a reviewed game, and the place after the most expensive move of all."""
    known = [row for row in rows if row is not None]
    if not known or len(known) < len(rows):
        return None
    worst = max(range(len(known)), key=lambda at: known[at]["regret"])
    exact = sum(row["exact"] for row in known)
    by = f"Exact: {exact} of {len(known)} moves. The other values are estimates by searches. "
    by += "To have more moves judged, copy the game and give it to kalahlab review."
    by = "All moves are valued exactly." if exact == len(known) else by
    said = [by, *most_expensive(known)]
    return {"said": " ".join(said), "worst": worst + 1 if known[worst]["regret"] else 0}


def _position(game: Kalah, state: State) -> Record:
    over, base = game.over(state), state.player * (len(state.board) // 2)
    turn = GameLog(game, state, ()).outcome if over else f"{NAMES[state.player]} to move"
    return {
        "board": list(state.board),
        "player": state.player,
        "over": over,
        "legal": [base + pit for pit in game.moves(state)],
        "turn": turn[0].upper() + turn[1:],
        "text": format_board(state),
        "move": None,
    }


def playable_words(game: Kalah, state: State) -> tuple[str, bool]:
    """What is to be said of a position that is being set up, and whether it can be played."""
    board, mover = state
    count = f"{sum(board)} stones, {in_play(board)} of them in pits."
    if not game.over(state):
        moves = ", ".join(game.move_name(state, move) for move in game.moves(state))
        return f"{count} {NAMES[mover]} can play: {moves}.", True
    empty = [NAMES[player] for player in (SOUTH, NORTH) if not any(side(board, player))]
    who = " and ".join(empty) + (" has" if len(empty) == 1 else " have")
    why = f"{who} no stone in a pit" if empty else "a store holds more than half of the stones"
    return f"{count} This cannot be played: {why}, so the game is over.", False


def _move(game: Kalah, before: State, played: Played) -> Record:
    """A move as its stones travel: into `drops` one by one, from `emptied` into `store`."""
    board, player = before
    half = len(board) // 2
    sown = sow(board, player, played.pit, game.rules.capture_empty)
    return {
        "mover": player,
        "from": player * half + played.pit,
        "drops": list(drops(half - 1, player, played.pit, side(board, player)[played.pit])),
        "emptied": list(sown.emptied),
        "store": player * half + half - 1,
        "again": played.extra_turn,
        "words": str(played),
    }


def bars(state: State, values: Mapping[int, float]) -> list[Record]:
    """A bar for each pit that can be played: its value, and its part of the greatest."""
    base, best = state.player * (len(state.board) // 2), max(values.values(), default=0)
    most = max([1.0, *map(abs, values.values())])
    return [
        {
            "index": base + pit,
            "text": f"{'+' * (value > 0)}{number(value)}",
            "part": value / most,
            "best": value == best,
        }
        for pit, value in values.items()
    ]
