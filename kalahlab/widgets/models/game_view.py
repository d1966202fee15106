"""Serialization of a game for the board's JavaScript, which does not know the rules.

A place on the board is an index into `State.board`, a ring of all pits and stores.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from kalahlab.formatting import format_number
from kalahlab.games.game_log import GameLog, MoveRecord, make_move
from kalahlab.games.kalah import (
    NAMES,
    NORTH,
    SOUTH,
    Kalah,
    State,
    list_drops,
    side,
    sow,
    stones_in_play,
)
from kalahlab.games.notation import format_board
from kalahlab.judging.move_review import Row, choose_sign, describe_regret, most_expensive
from kalahlab.players.model import AnyPlayer

Record = dict[str, Any]


def format_steps(
    log: GameLog,
    values: Mapping[State, Record],
    players: Sequence[AnyPlayer | None],
    rows: Sequence[Row | None],
) -> list[Record]:
    """Serialize the positions of a game as steps.

    A step has a position, the move that led to it, and the targets of undo and redo.

    Args:
        log: The game.
        values: For each position whose moves have been valued, `bars` with the values, or in
            `why_not` the reason why there are no values.
        players: South and North; None for a person.
        rows: The review of each move; None for a move that has not been reviewed.
    """
    states = log.states
    steps = [_position(log.game, state) | values.get(state, {}) for state in states]
    next_rows = [*rows[1:], None]
    for index, (move, row) in enumerate(zip(log.moves, rows, strict=True)):
        before, after = steps[index], steps[index + 1]
        after["move"] = _move(log.game, states[index], move)
        if row is not None:
            # A row has the value of the position before the move, and the regret of the move.
            before["worth"] = _describe_value(row["before"], row["exact"])
            before["value"] = row["before"]
            if not values:
                before["bars"] = move_bars(states[index], dict(row["margins"]))
            after["review"] = _review_move(log, index, row, next_rows[index])
    if steps[-1]["over"] and any(row is not None for row in rows):
        margin = log.game.margin(states[-1], SOUTH)
        steps[-1]["worth"] = _describe_value(margin, exact=True)
        steps[-1]["value"] = margin
    _add_undo_and_redo(steps, players)
    return steps


def _review_move(log: GameLog, index: int, row: Row, next_row: Row | None) -> Record:
    """Serialize the review of a move; see `move_review.COLUMNS` for the rows.

    Args:
        log: The game.
        index: The number of moves before this one.
        row: The row of this move.
        next_row: The row of the position after it; None if there is none.

    Returns:
        text: The regret in words.
        marked: Whether the move is one of the turning points.
        sign: `??`, `?`, `!` or "".
        regret: The stones that the move gives up.
        sentence: What the move gives up, what follows, and a better move; "" without a regret.
        better: A better move, as `_move` serializes it; None without a regret.
    """
    state = log.states[index]
    review: Record = {
        "text": describe_regret(row),
        "marked": bool(row["mark"] and row["regret"]),
        "sign": choose_sign(row),
        "regret": row["regret"],
        "sentence": "",
        "better": None,
    }
    if not row["regret"]:
        return review
    better = make_move(log.game, state, row["line"][0])
    review["better"] = _move(log.game, state, better)
    sentences = [f"Pit {row['pit'] + 1} {describe_regret({**row, 'better': ''})}."]
    after = log.states[index + 1]
    if next_row is not None:
        reply = make_move(log.game, after, next_row["line"][0])
        kind = "Best now" if after.player == state.player else "The answer"
        sentences.append(f"{kind}: {reply}.")
    sentences.append(f"Better for {NAMES[state.player]}: pit {better.pit + 1}.")
    review["sentence"] = " ".join(sentences)
    return review


def format_turn(game: Kalah, state: State, most: int) -> Record:
    """Serialize the turn that begins in a position: all ways in which its player can move.

    A page shows these moves before its Python has been started.

    Args:
        game: The game.
        state: The position.
        most: The most moves of a turn that are serialized.

    Returns:
        By the place of each legal pit, a `step`, which `format_steps` describes, and in `moves`
        what can be played after it in the same turn.
    """
    if not most or game.is_over(state):
        return {}
    first_index = state.player * (len(state.board) // 2)
    turn: Record = {}
    for pit in game.moves(state):
        move = make_move(game, state, pit)
        step = _position(game, move.state) | {"move": _move(game, state, move), "ours": False}
        moves: Record = {}
        if move.state.player == state.player:
            moves = format_turn(game, move.state, most - 1)
        turn[str(first_index + pit)] = {"step": step, "moves": moves}
    return turn


def _add_undo_and_redo(steps: Sequence[Record], players: Sequence[AnyPlayer | None]) -> None:
    """Add to each step the target of undo (`back`), of redo (`on`), and whether a program moves.

    Undo and redo lead to the nearest step at which a person moves, or to an end of the game. If
    both players are programs, undo and redo go a single step. `ours` is whether a program moves:
    one of ours.
    """
    last = len(steps) - 1
    program_moves = [bool(players[step["player"]]) for step in steps]
    stops = []
    for index in range(last + 1):
        if all(players) or index in (0, last) or not program_moves[index]:
            stops.append(index)
    for index, step in enumerate(steps):
        step["back"] = max((stop for stop in stops if stop < index), default=0)
        step["on"] = min((stop for stop in stops if stop > index), default=last)
        step["ours"] = program_moves[index] and not step["over"]


def _describe_value(value: float, exact: bool) -> str:
    margin = "0"
    if value:
        margin = f"{value:+g}".replace("-", "\N{MINUS SIGN}")
    if exact:
        return f"Value for South: {margin}."
    return f"Value for South: about {margin}."


def format_review(log: GameLog, rows: Sequence[Row | None]) -> Record | None:
    """Summarize a reviewed game: a `text`, and in `worst` the step after the most expensive move.

    `worst` is 0 if no move cost anything. Return None unless every move has been reviewed.
    """
    reviewed = [row for row in rows if row is not None]
    if not reviewed or len(reviewed) < len(rows):
        return None
    worst = max(range(len(reviewed)), key=lambda index: reviewed[index]["regret"])
    exact = sum(row["exact"] for row in reviewed)
    if exact == len(reviewed):
        method = "All moves are valued exactly."
    else:
        method = (
            f"Exact: {exact} of {len(reviewed)} moves. The other values are estimates by searches. "
            "To have more moves judged, copy the game and give it to kalahlab review."
        )
    sentences = [method, *most_expensive(reviewed)]
    step = 0
    if reviewed[worst]["regret"]:
        step = worst + 1
    return {"text": " ".join(sentences), "worst": step}


def _position(game: Kalah, state: State) -> Record:
    """Serialize a position; `legal` has the places of the pits that can be played."""
    over = game.is_over(state)
    first_index = state.player * (len(state.board) // 2)  # the place of the mover's first pit
    turn = GameLog(game, state, ()).outcome if over else f"{NAMES[state.player]} to move"
    return {
        "board": list(state.board),
        "player": state.player,
        "over": over,
        "legal": [first_index + pit for pit in game.moves(state)],
        "turn": turn[0].upper() + turn[1:],  # not capitalize(), which makes names lower case
        "text": format_board(state),
        "move": None,
    }


def playable_words(game: Kalah, state: State) -> tuple[str, bool]:
    """Return a description of a position that a reader sets up, and whether it can be played."""
    board, mover = state
    count = f"{sum(board)} stones, {stones_in_play(board)} of them in pits."
    if not game.is_over(state):
        moves = ", ".join(game.move_name(state, move) for move in game.moves(state))
        return f"{count} {NAMES[mover]} can play: {moves}.", True
    empty = [NAMES[player] for player in (SOUTH, NORTH) if not any(side(board, player))]
    if not empty:
        reason = "a store holds more than half of the stones"
    elif len(empty) == 1:
        reason = f"{empty[0]} has no stone in a pit"
    else:
        reason = f"{' and '.join(empty)} have no stone in a pit"
    return f"{count} This cannot be played: {reason}, so the game is over.", False


def _move(game: Kalah, before: State, played: MoveRecord) -> Record:
    """Serialize a move for its animation.

    Keys, besides `mover` and the `words` that describe the move:
        from: The place of the pit that is sown.
        pit: The number of this pit, from 1.
        drops: The places into which its stones drop, one by one.
        emptied: The places whose stones then move to the store.
        store: The place of that store.
        again: Whether the move earns another turn.
    """
    board, player = before
    half = len(board) // 2
    sowing = sow(board, player, played.pit, game.rules)
    return {
        "mover": player,
        "from": player * half + played.pit,
        "pit": played.pit + 1,
        "drops": list_drops(board, player, played.pit, game.rules),
        "emptied": list(sowing.emptied),
        "store": player * half + half - 1,
        "again": played.extra_turn,
        "words": str(played),
    }


def move_bars(state: State, values: Mapping[int, float]) -> list[Record]:
    """Return a bar for each legal pit.

    Keys of a bar:
        index: The place of the pit.
        text: The value.
        part: The value as a share of the largest absolute value, from -1 to 1.
        best: Whether no other move has a greater value.
    """
    first_index = state.player * (len(state.board) // 2)
    best = max(values.values(), default=0)
    largest = max([1.0, *map(abs, values.values())])  # at least 1, as all values may be 0
    records = []
    for pit, value in values.items():
        sign = "+" if value > 0 else ""
        records.append(
            {
                "index": first_index + pit,
                "text": f"{sign}{format_number(value)}",
                "part": value / largest,
                "best": value == best,
            }
        )
    return records
