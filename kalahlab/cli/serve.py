"""The command `kalahlab serve`."""

import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import IO, Any

import click

from kalahlab.cli import options
from kalahlab.cli.options import PLAYER
from kalahlab.formatting import to_json
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.registry import game_type
from kalahlab.games.rules import parse_rules
from kalahlab.names import message_with_notes, parse_int
from kalahlab.players.factories import keep_reserve
from kalahlab.players.game_loop import legal_move
from kalahlab.players.model import Player, closing_players
from kalahlab.players.parse import make_player
from kalahlab.search.limits import Seconds
from kalahlab.solver.move_values import exact_values, search_values

LONGEST_QUESTION = 100_000  # characters of a line
LINE_PLIES = 6  # of the line of an analysis
SEARCH_DEPTH = 6  # in sows, of the values of a position that is not solved quickly
GAMES = "kalah", "pie"


@click.command()
@click.argument("player", type=PLAYER)
@click.option(
    "--dialect",
    type=click.Choice(["json", "kgpc"]),
    default="json",
    help="json: answer each line of input until its end. kgpc: read four lines, answer, and end.",
)
@options.players_backend
def serve(player: str, dialect: str, backend: str) -> None:
    """Be a program that others can play against: read positions from stdin, and write moves.

    PLAYER is one of `kalahlab play`. docs/arena.md describes the dialects. In the dialect json a
    position is a line such as {"board": "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"}, with a KGP board, in
    which South is to move. Further fields are rules, game and milliseconds. With "values": true
    the answer has the value and the regret of each move, in stones, and a best line. They are exact
    where the solver is quick, and otherwise those of a search of 6 sows, as "exact" says.

    \b
    kalahlab serve level3 --dialect json < positions.jsonl
    """
    answers = sys.stdout
    with (
        redirect_stdout(sys.stderr),  # for what user code prints
        closing_players([make_player(player, backend=backend)]) as [chosen_player],
    ):
        if dialect == "kgpc":
            game, state = read_kgpc(sys.stdin)
            chosen_player.new_game(game, state)
            print(legal_move(chosen_player, game, state, player), file=answers, flush=True)
            return
        for line in read_lines(sys.stdin):
            answer = answer_question(chosen_player, player, line)
            print(to_json(answer), file=answers, flush=True)


def read_kgpc(stream: IO[str]) -> tuple[Kalah, State]:
    """Read a position of the dialect kgpc; raise `ValueError` if a line is wrong."""
    rows = []
    for number in range(1, 5):
        words = stream.readline(LONGEST_QUESTION).split()
        rows.append([parse_int(word, f"line {number}:") for word in words])
    if len(rows[0]) != 1 or len(rows[1]) != 2 or {len(rows[2]), len(rows[3])} != {*rows[0]}:
        raise ValueError(
            "the input must have four lines: the pits a side, both stores, South's pits, North's"
        )
    [[pits], stores, south, north] = rows
    numbers = ",".join(map(str, (pits, *stores, *south, *north)))
    game, state = game_type("kalah").read(f"<{numbers}>")
    return game, state


def read_lines(stream: IO[str]) -> Iterator[str]:
    """Yield the lines of a stream that are not empty, those that are too long cut off."""
    while line := stream.readline(LONGEST_QUESTION):
        rest = line
        while len(rest) == LONGEST_QUESTION and not rest.endswith("\n"):
            rest = stream.readline(LONGEST_QUESTION)
        if line.strip():
            yield line


def answer_question(player: Player, name: str, line: str) -> dict[str, Any]:
    """Return the answer to a line of the dialect json, or an object with an `error`."""
    try:
        question = json.loads(line)
        if not isinstance(question, dict) or not isinstance(question.get("board"), str):
            raise ValueError('write an object with a board, such as {"board": "<2,0,0,3,3,3,3>"}')
        kind = question.get("game", "kalah")
        if kind not in GAMES:
            raise ValueError(f"game {kind!r} is not one of {', '.join(GAMES)}")
        rules = parse_rules(str(question.get("rules", "standard")))
        game, state = game_type(kind).read(question["board"], rules=rules)
        if game.is_over(state):
            raise ValueError("the game is over")
        limit = None
        if "milliseconds" in question:
            limit = keep_reserve(Seconds(float(question["milliseconds"]) / 1000))
        player.new_game(game, state)
        move = legal_move(player, game, state, name, limit)
        answer = {"move": to_number(game.move_name(state, move))}
        if question.get("values") is True and kind == "kalah":
            answer |= analyse(game, state)
        return answer
    except Exception as error:
        return {"error": message_with_notes(error)}


def to_number(move_name: str) -> int | str:
    """Return the number of a pit, or `swap`."""
    return int(move_name) if move_name.isdigit() else move_name


def analyse(game: Kalah, state: State) -> dict[str, Any]:
    """Return the values and the regrets of all moves, by pits from 1, and a best line."""
    values, is_exact = value_moves(game, state)
    best = max(values.values())
    line = list[int]()
    after = state
    while len(line) < LINE_PLIES and not game.is_over(after):
        after_values = value_moves(game, after)[0] if line else values
        pit = max(after_values, key=lambda pit: after_values[pit])
        line.append(pit + 1)
        after = game.play(after, pit)
    return {
        "value": best,
        "line": line,
        "values": {pit + 1: value for pit, value in values.items()},
        "regrets": {pit + 1: best - value for pit, value in values.items()},
        "exact": is_exact,
    }


def value_moves(game: Kalah, state: State) -> tuple[dict[int, float], bool]:
    """Return the value of each move, by pit, and whether the values are exact."""
    try:
        return exact_values(game, state), True
    except ValueError:  # it would take too long
        return search_values(game, state, SEARCH_DEPTH), False
