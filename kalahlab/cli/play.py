"""`kalahlab play`."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from kalahlab.cli.parameters import (
    as_json,
    at_least,
    backend_option,
    game_option,
    new_game,
    rules_option,
)
from kalahlab.cli.text import ask_move, print_answer
from kalahlab.games import Game
from kalahlab.games.registry import GameType, of
from kalahlab.play import Player, parse_player, play_game


@click.command()
@click.argument("board", required=False)
@game_option
@click.option("--south", required=True, help="Who moves first, in other games player 0.")
@click.option("--north", required=True, help="In other games player 1.")
@click.option("--pits", type=at_least(1, "pits"), show_default="6")
@click.option("--stones", type=at_least(0, "stones"), show_default="4")
@click.option("--size", type=at_least(1, "size"), help="Of cards: 4 or 6. Of betsy: columns.")
@rules_option
@backend_option
@as_json
def play(
    board: str | None,
    kind: GameType,
    south: str,
    north: str,
    backend: str,
    as_json: bool,
    **options: Any,
) -> None:
    """Play a game between two players and print its log; from a BOARD, if one is given.

    A player is ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][@BACKEND], for example
    alpha_beta:store_difference:6, where LIMIT is a depth, nodes a move (5000n) or milliseconds a
    move (1000ms); or random:SEED, or script:6,2,1 (moves to play); or person, who types moves; or,
    in Kalah, perfect.
    """
    game = new_game(kind, **options)
    game, state = kind.parse(board, game) if board else (game, game.start())
    others: dict[str, Player] = {"person": ask}
    if kind.name == "kalah":
        from kalahlab.judging.worth import perfect_player

        others["perfect"] = perfect_player
    players = [parse_player(text, kind.name, backend, others) for text in (south, north)]
    show = show_kalah if kind.name == "kalah" else partial(show_game, kind)
    answer, readable = show(game, players, state)
    print_answer(answer, as_json, readable)


def show_kalah(game: Any, players: Sequence[Player], start: Any) -> tuple[dict[str, Any], str]:
    """Play Kalah: the log for a machine, and with all that each sow did for a person."""
    south, north = players
    log = play_game(game, south, north, start)
    answer = {
        "moves": [played.pit + 1 for played in log.moves],
        "movers": ["south" if played.mover == 0 else "north" for played in log.moves],
        "stores": list(log.stores),
        "winner": log.winner.lower(),
    }
    return answer, str(log)


def show_game(
    kind: GameType, game: Game, players: Sequence[Player], state: Any
) -> tuple[dict[str, Any], str]:
    """Play any game: the log for a machine and for a person."""
    moves, movers, lines = [], [], [kind.draw(state)]
    while not game.over(state):
        move, mover = players[state.player](game, state), kind.players[state.player]
        moves.append(game.move_name(state, move))
        movers.append(mover)
        state = game.play(state, move)
        lines += ["", f"{len(moves)}. {mover} plays {moves[-1]}", kind.draw(state)]
    margin = game.margin(state, 0)
    winner = "draw" if not margin else kind.players[margin < 0]
    lines += ["", "a draw" if not margin else f"{winner} wins by {abs(margin):g}"]
    answer = {"moves": moves, "movers": movers, "margin": margin, "winner": winner}
    return answer, "\n".join(lines)


def ask(game: Game, state: Any) -> Any:
    """A legal move from a person who is shown the position; all on stderr, the log is elsewhere."""
    click.echo(f"\n{of(game).draw(state)}\n", err=True)
    return ask_move("Your move:", game, state, err=True)
