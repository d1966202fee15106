"""`kalahlab play`."""

from functools import partial
from typing import Any

import click

from kalahlab.cli.parameters import as_json, at_least, backend_option, rules_option
from kalahlab.cli.text import tell
from kalahlab.games import Game
from kalahlab.games.kalah import Kalah, Rules
from kalahlab.games.registry import of
from kalahlab.play import parse_player, play_game


@click.command()
@click.option("--south", required=True, help="Who moves first.")
@click.option("--north", required=True)
@click.option("--pits", type=at_least(1, "pits"), default="6", show_default=True)
@click.option("--stones", type=at_least(0, "stones"), default="4", show_default=True)
@rules_option
@backend_option
@as_json
def play(
    south: str, north: str, pits: int, stones: int, rules: Rules, backend: str, as_json: bool
) -> None:
    """Play a game between two players and print its log.

    A player is ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][@BACKEND], for example
    alpha_beta:store_difference:6, where LIMIT is a depth, nodes a move (5000n) or milliseconds a
    move (1000ms); or random:SEED, or script:6,2,1 (moves to play); or perfect, or person, who is
    asked.
    """
    from kalahlab.judging.worth import perfect_player

    others = {"person": ask, "perfect": perfect_player}
    first, second = (parse_player(text, "kalah", backend, others) for text in (south, north))
    log = play_game(Kalah(pits, stones, rules), first, second)
    answer = {
        "moves": [played.pit + 1 for played in log.moves],
        "movers": ["south" if played.mover == 0 else "north" for played in log.moves],
        "stores": list(log.stores),
        "winner": log.winner.lower(),
    }
    tell(answer, as_json, str(log))


def ask(game: Game, state: Any) -> Any:
    """A legal move from a person; what is none is explained, and asked for again."""
    kind, say = of(game), partial(click.echo, err=True)
    say(f"\n{kind.draw(state)}\n")
    while True:
        try:
            move = kind.parse_move(click.prompt("Your move", err=True), game, state)
            game.play(state, move)
        except ValueError as error:
            say(f"{error}\n")
        else:
            return move
