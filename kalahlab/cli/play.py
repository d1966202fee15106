"""`kalahlab play`."""

from typing import Any

import click

from kalahlab.cli.parameters import Read, as_json, at_least, rules_option
from kalahlab.cli.text import tell
from kalahlab.games.kalah import Kalah, Rules
from kalahlab.play import parse_player, play_game


@click.command()
@click.option("--south", type=Read("player", parse_player), required=True, help="Who moves first.")
@click.option("--north", type=Read("player", parse_player), required=True)
@click.option("--pits", type=at_least(1, "pits"), default="6", show_default=True)
@click.option("--stones", type=at_least(0, "stones"), default="4", show_default=True)
@rules_option
@as_json
def play(south: Any, north: Any, pits: int, stones: int, rules: Rules, as_json: bool) -> None:
    """Play a game between two players and print its log.

    A player is ALGORITHM:EVALUATOR:DEPTH[:UNIT[:ORDER]], for example
    alpha_beta:store_difference:6, or random:SEED, or script:6,2,1 (pits to play).
    """
    log = play_game(Kalah(pits, stones, rules), south, north)
    answer = {
        "moves": [played.pit + 1 for played in log.moves],
        "movers": ["south" if played.mover == 0 else "north" for played in log.moves],
        "stores": list(log.stores),
        "winner": log.winner.lower(),
    }
    tell(answer, as_json, str(log))
