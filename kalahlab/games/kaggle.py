"""Replays of Kaggle's `open_spiel_mancala`, read as games of Kalah.

A replay is a JSON object. Its entry `info` has the actions, the state before each action and after
the last one, and the names of the players. A state is a JSON text with the ring of 14 cups: North's
store, South's pits, South's store, North's pits. An action is the index of a pit on this ring.

The rules are those of OpenSpiel's `mancala`, standard Kalah, but the last stones stay in the pits.
"""

from kalahlab.games import game_text
from kalahlab.games.game_text import GameRecord, parse_game
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State, side, stores
from kalahlab.games.notation import format_board
from kalahlab.untrusted import parse_json

NAME = "open_spiel_mancala"
PITS, STONES = 6, 4
LONGEST = 50_000_000  # the longest replay that is read; one with thoughts has some megabytes


def parse_game_or_replay(text: str) -> GameRecord:
    """Parse the text of a game, or a replay of Kaggle, which begins with a brace.

    Raises:
        ValueError: The text is neither. The message is one line.
    """
    if text.lstrip().startswith("{"):
        return parse_replay(text)
    if len(text) > game_text.LONGEST:
        raise ValueError(f"it is too long; at most {game_text.LONGEST:,} characters are read")
    return parse_game(text)


def parse_replay(text: str) -> GameRecord:
    """Parse a replay, and compare each of its boards with the board after the same moves here.

    A game that a player lost by an illegal or a late move is read up to this move.

    Raises:
        ValueError: The text is not a replay of mancala, or one of its moves or boards is wrong. The
            message is one line.
    """
    replay = parse_json(text, LONGEST)
    name = replay.get("name") if isinstance(replay, dict) else None
    if name != NAME:
        raise ValueError(f"the JSON is not a replay of {NAME}: its name is {name!r}")
    info = replay.get("info")
    try:
        actions = [int(action) for action in info["actionHistory"]]
        states = [parse_json(state, LONGEST) for state in info["stateHistory"]]
        rings = [[int(cup) for cup in state["board"]] for state in states]
        mover = int(states[0]["current_player"])
        names = info.get("TeamNames") or ("", "")
        south, north = (" ".join(str(name).split()) for name in names)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        message = f"the replay has no readable actionHistory, stateHistory and TeamNames: {error!r}"
        raise ValueError(message) from None
    if len(rings) != len(actions) + 1:
        raise ValueError(f"the replay has {len(rings)} states for {len(actions)} actions")
    start = ring_to_state(rings[0], mover)
    moves = _read_moves(start, actions, rings[1:])
    return GameRecord(Kalah(PITS, STONES), start, moves, (south, north))


def ring_to_state(ring: list[int], mover: int) -> State:
    """Return the position of a ring of 14 cups; raise `ValueError` for another ring."""
    if len(ring) != 2 * PITS + 2 or min(ring) < 0 or sum(ring) != 2 * PITS * STONES:
        raise ValueError(f"{ring} is not a ring of 14 cups with {2 * PITS * STONES} stones")
    if mover not in (SOUTH, NORTH):
        raise ValueError(f"player {mover} is not 0 or 1")
    north_store, *rest = ring
    return State((*rest, north_store), mover)


def _read_moves(start: State, actions: list[int], rings: list[list[int]]) -> tuple[int, ...]:
    """Return the pits of actions; raise `ValueError` if one is illegal or leads to another board.

    Args:
        start: The position before the first action.
        actions: The actions.
        rings: The ring after each action.
    """
    game, state = Kalah(PITS, STONES), start
    moves = []
    for number, (action, ring) in enumerate(zip(actions, rings, strict=True), start=1):
        try:
            pit = action - 1 - state.player * (PITS + 1)
            state = game.play(state, pit)
            check_ring(game, state, ring)
        except ValueError as error:
            raise ValueError(f"action {number} of the replay, {action}: {error}") from None
        moves.append(pit)
    return tuple(moves)


def check_ring(game: Kalah, state: State, ring: list[int]) -> None:
    """Raise `ValueError` if a ring is not the board of a position or, at the end, its result."""
    board = ring_to_state(ring, SOUTH).board
    is_same = state.board == board
    if game.is_over(state):
        south, north = stores(board)
        rest = sum(side(board, SOUTH)), sum(side(board, NORTH))
        is_same = game.outcome(state) == (south + rest[SOUTH], north + rest[NORTH])
    if not is_same:
        raise ValueError(f"the move leads to {format_board(state)}, but the replay has {ring}")
