"""The loop that plays a game between players; see `players.model`."""

from collections.abc import Iterator, Sequence
from random import Random
from reprlib import repr as short
from typing import Any

from kalahlab.evaluators.validation import is_evaluator
from kalahlab.games import Game
from kalahlab.games.game_log import GameLog, MoveRecord, make_move
from kalahlab.games.kalah import Kalah, State
from kalahlab.names import check_parameters
from kalahlab.players.model import AnyPlayer, Fault, as_player, player_name
from kalahlab.search.arguments import check_no_chance, check_state, describe_position, find_move
from kalahlab.search.limits import Limit
from kalahlab.user_code import ENDS, exit_error

EXAMPLE = "alpha_beta:store_difference:6"


def play_game(
    game: Kalah, south: AnyPlayer, north: AnyPlayer, start: State | None = None
) -> GameLog:
    """Play a game from a state, by default the start, to its end.

    A player is a function `(game, state) -> move`, or an object; see `players.model.Player`.

    Raises:
        TypeError: A player is not callable, or is an evaluator.
        ValueError: A player does not accept a game and a state, or makes an illegal move.
    """
    for player in (south, north):
        _check_player(player)
    if start is None:
        start = game.start()
    check_state(start)
    moves = list[MoveRecord]()
    state = start
    for move, after in play_moves(game, (south, north), start):
        moves.append(make_move(game, state, move))
        state = after
    return GameLog(game, start, tuple(moves))


def _check_player(player: Any) -> None:
    """Raise an error if a value is no player; see `play_game`."""
    if hasattr(player, "choose") and not isinstance(player, type):
        return
    if not callable(player) or is_evaluator(player):
        raise TypeError(f"write parse_player({EXAMPLE!r}) for a player, not {player!r}")
    check_parameters("player", getattr(player, "__name__", ""), player)


def play_moves(
    game: Game, players: Sequence[AnyPlayer], state: Any, names: Sequence[str] = ("", "")
) -> Iterator[tuple[Any, Any]]:
    """Play any game from a state to its end; yield each move and the state after it.

    Args:
        game: The game.
        players: The player for each value of `state.player`.
        state: The first state.
        names: The names of the players in errors, in the same order.
    """
    check_no_chance("play", game)
    begin_game(players, game, state)
    while not game.is_over(state):
        move = legal_move(players[state.player], game, state, names[state.player])
        state = game.play(state, move)
        yield move, state


def play_to_end(
    game: Game, players: Sequence[AnyPlayer], state: Any, names: Sequence[str] = ("", "")
) -> Any:
    """Play any game to its end like `play_moves`, and return the final state."""
    final = state
    for _, after in play_moves(game, players, state, names):
        final = after
    return final


def begin_game(players: Sequence[AnyPlayer], game: Game, state: Any) -> None:
    """Tell each player once that a game begins in a state."""
    for index, player in enumerate(players):
        if player not in players[:index]:  # one player may play both sides
            try:
                as_player(player).new_game(game, state)
            except Fault as fault:
                fault.player = index
                fault.position = describe_position(game, state)
                raise


def legal_move(
    player: AnyPlayer, game: Game, state: Any, name: str = "", limit: Limit | None = None
) -> Any:
    """Ask a player for a move and return it as the game lists it.

    Each error names the player and the position. An error that the player raises gets a note with
    both. A player that calls `sys.exit()` raises an error, too.

    Raises:
        ValueError: The move is illegal.
    """
    name = name or player_name(player)
    try:
        move = as_player(player).choose(game, state, limit)
    except Fault as fault:
        fault.player = state.player
        fault.position = describe_position(game, state)
        raise
    except ENDS as error:
        raise exit_error(f"player {name} in {describe_position(game, state)}", error) from None
    except Exception as error:
        note = f"player {name} was asked"
        position = f" in {describe_position(game, state)}"
        if position not in str(error):  # the message may name the position already
            note += position
        error.add_note(note)
        raise
    return find_move(f"player {name}", game, state, move)


def check_move(game: Game, state: Any, move: Any) -> Any:
    """Return the legal move that equals a player's move; raise `Fault` if there is none.

    True equals 1, but is no pit.
    """
    try:
        listed = find_move("", game, state, move)
        if isinstance(move, bool) and not isinstance(listed, bool):
            raise ValueError(move)
        return listed
    except ValueError:
        legal = game.moves(state)
        answers = ", ".join(map(str, legal))
        names = ", ".join(game.move_name(state, other) for other in legal)
        reason = f"returns {short(move)}; the legal moves are {answers}"
        if names != answers:
            reason += f", which are named {names}"
        raise Fault("illegal", reason) from None


def random_opening(game: Game, rng: Random, plies: int) -> tuple[list[Any], Any]:
    """Make random moves from the start, and return them and the final state.

    There are `plies` moves, or fewer if the game ends.
    """
    line: list[Any] = []
    state = game.start()
    for _ in range(plies):
        moves = game.moves(state)
        if not moves:
            break
        line.append(rng.choice(moves))
        state = game.play(state, line[-1])
    return line, state


def random_position(game: Game, rng: Random, plies: int) -> Any:
    """Return the state after `plies` random moves from the start, or fewer if the game ends."""
    return random_opening(game, rng, plies)[1]
