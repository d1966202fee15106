"""The commands `kalahlab kgp connect` and `kalahlab kgp serve`."""

import threading
from contextlib import closing
from functools import partial
from itertools import count
from math import inf
from pathlib import Path
from typing import Any

import click

from kalahlab.cli import options
from kalahlab.cli.options import (
    FOLDER,
    PLAYER,
    Answer,
    ParsedParam,
    at_least,
    json_command,
    parse_board_size,
)
from kalahlab.cli.output import print_note
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.files import write_atomic
from kalahlab.formatting import StableRepr
from kalahlab.games.game_text import format_game
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.rules import Rules
from kalahlab.kgp import client, connection, server
from kalahlab.kgp.protocol import FIRST_CLIENT_ID, PORT
from kalahlab.names import lookup, parse_float
from kalahlab.players.game_loop import legal_move
from kalahlab.players.model import AdaptedPlayer, AnyPlayer, Fault
from kalahlab.players.parse import make_player
from kalahlab.search.limits import Limit

VALUE_DEPTH = 4  # in sows, of the values to which the mode eval compares


@click.group()
def kgp() -> None:
    """Play by the Kalah Game Protocol of FAU Erlangen, over TCP.

    connect takes part on a server, with a player of this package or a program of your own. serve is
    a practice server for a program that speaks the protocol. It works without a network.

    \b
    kalahlab kgp serve --player level3 --size 6,6 --size 8,8
    kalahlab kgp connect localhost --player level5
    """


@json_command(name="connect")
@click.argument(
    "address", metavar="HOST[:PORT]", type=ParsedParam("address", connection.parse_address)
)
@click.option("--player", type=PLAYER, help="Play with this player, in the mode freeplay.")
@click.option(
    "--evaluator",
    type=options.name_param("evaluator"),
    help="Evaluate positions with this evaluator, in the mode eval.",
)
@click.option("--verify", is_flag=True, help="Solve problems, in the mode verify.")
@click.option("--name", default="kalahlab", help="The name that others see.")
@click.option(
    "--token", help="The secret by which the server knows you again. It is sent unencrypted."
)
@options.players_backend
def take_part(address: tuple[str, int], name: str, token: str | None, **work: Any) -> Answer:
    """Take part on a server, until it says goodbye or you press Ctrl-C.

    The port is 2671 unless you give another one. Only TCP is supported: WebSocket is not in
    Python's standard library.

    PLAYER is one of `kalahlab play`. Give it less time than the server does, which at FAU is 5
    seconds a move. FAU's server does not tell who has won; `kalahlab kgp serve` does.

    \b
    kalahlab kgp connect localhost --player alpha_beta:e3:3000ms --token abc
    kalahlab kgp connect localhost:2671 --verify
    """
    identity = {"info:name": name}
    if token is not None:
        identity["auth:token"] = token
    settings = list[dict[str, str]]()

    def tell(option: str, value: str) -> None:
        settings.append({"option": option, "value": value})
        group, _, key = option.partition(":")
        if group in ("error", "game", "kalahlab") and key != "id":
            print_note(f"{key or group}: {value}")

    todo = make_work(**work)
    with closing(connection.connect(*address)) as sock:
        try:
            link = connection.Connection(sock, FIRST_CLIENT_ID)
            client.take_part(link, todo, identity, tell)
        except connection.Disconnected as error:
            raise click.ClickException(str(error)) from None
        finally:
            todo.close()
    late = getattr(todo, "late", 0)
    data = {"mode": todo.mode, "answered": todo.answered, "late": late, "set": settings}
    return Answer(data, f"The server said goodbye. Answers: {todo.answered}; too late: {late}.")


def make_work(player: str | None, evaluator: str | None, verify: bool, backend: str) -> client.Work:
    """Return what a client does; raise `click.UsageError` unless exactly one thing is given."""
    if len([value for value in (player, evaluator, verify or None) if value is not None]) != 1:
        raise click.UsageError("give one of --player, --evaluator and --verify")
    if player is not None:
        source = make_player(player, backend=backend)
        return client.Freeplay(ForgivenPlayer(player, source), print_note)
    if evaluator is not None:
        return client.Evaluation(lookup("evaluator", evaluator, EVALUATORS["kalah"]))
    return client.Verification(server.PROBLEMS)


class CheckedPlayer(AdaptedPlayer):
    """A player whose illegal moves, and attempts to exit, are errors that name it."""

    def __init__(self, name: str, source: AnyPlayer) -> None:
        super().__init__(source)
        self._name = name

    def choose(self, game: Any, state: Any, limit: Limit | None = None) -> Any:
        return legal_move(self._source, game, state, self._name, limit)


class ForgivenPlayer(CheckedPlayer):
    """A player whose faults are told, and leave the move to the server."""

    def choose(self, game: Any, state: Any, limit: Limit | None = None) -> Any:
        try:
            return super().choose(game, state, limit)
        except Fault as fault:
            print_note(f"{fault}; the server chooses the move")
            return None


@click.command()
@click.option("--player", type=PLAYER, default="level3", help="The opponent of each program.")
@click.option(
    "--size",
    "sizes",
    metavar="PITS,STONES",
    type=ParsedParam("size", parse_board_size),
    multiple=True,
    default=["6,6"],
    help="A board to play on, from both sides; give it again for more boards.",
)
@options.rules(default="kgp")
@click.option("--host", default="localhost", help="The address to listen at.")
@options.number("--port", 0, 65_535, default=str(PORT), help="The port; 0 for any free one.")
@click.option(
    "--seconds",
    type=at_least(0.01, "seconds", 3600, parse_float),
    default="5",
    metavar="SECONDS",
    help="Time for a move.",
)
@click.option(
    "--proofs",
    type=at_least(0, "proofs", inf, parse_float),
    default="5",
    metavar="SECONDS",
    help="Time for exact values in the review of a game.",
)
@click.option("--out", type=FOLDER, default="kgp-games", help="The folder for games and reviews.")
@options.players_backend
def serve(
    player: str,
    sizes: list[tuple[int, int]],
    rules: Rules,
    host: str,
    port: int,
    seconds: float,
    proofs: float,
    out: Path,
    backend: str,
) -> None:
    """Serve programs that speak the Kalah Game Protocol, until Ctrl-C.

    A program that connects plays each board at once, first as South, then as North. It is told the
    result, the regret of its moves, and the page of the review. The terminal shows the same.
    Several programs can play at once.

    As at FAU, an illegal move loses the game, a program that makes no move in time gets a random
    one, and a move that is the only legal one is made without a question. The values of a review
    are exact where the solver knows the rules and has the time; else they are those of a search.

    The folder gets a text and a page for each game; kalahlab review reads the text. With the host
    0.0.0.0, other machines can connect.

    \b
    kalahlab kgp serve --player random:1
    kalahlab kgp serve --player level5 --size 6,6 --size 8,8 --size 10,10
    """
    make_opponent = partial(make_player, player, backend=backend)
    make_opponent()  # so that a wrong text is an error now
    out.mkdir(parents=True, exist_ok=True)
    practice = server.Practice(
        boards=[Kalah(*size, rules) for size in sizes],
        opponent=player,
        make_player=lambda: CheckedPlayer(player, make_opponent()),
        seconds=seconds,
        review=Reviewer(out, proofs).review,
        evaluate=find_value,
        tell=print_note,
    )
    with closing(connection.listen(host, port)) as listener:
        print_note(f"waiting for programs at {host}:{listener.getsockname()[1]}; Ctrl-C stops")
        server.serve(listener, practice)


def find_value(game: Kalah, state: State) -> float:
    """Return the value of a position for the player to move, by a search."""
    from kalahlab.solver.move_values import search_values

    return max(search_values(game, state, VALUE_DEPTH).values())


class Reviewer(StableRepr):
    """Writes finished games and their reviews to a folder, one at a time."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self._folder = folder
        self._seconds = seconds  # for the exact values of a game
        self._lock = threading.Lock()

    def review(self, finished: server.FinishedGame) -> server.Findings:
        """Write the game as text and its review as a page; return what the agent is told."""
        # These load numba, which takes seconds.
        from kalahlab.judging.review import choose_depth, review_game
        from kalahlab.widgets.review import review_page

        record = finished.record
        with self._lock:
            path = self._choose_path()
            write_atomic(path, format_game(record))
            review = review_game(record, self._seconds, choose_depth(record.game.pits))
            page = path.with_suffix(".html")
            write_atomic(page, review_page(review))
        lines = describe_moves(review.moves, finished.side)
        return server.Findings(tuple(lines), page.resolve().as_uri())

    def _choose_path(self) -> Path:
        """Return the first path of the form `game-0001.txt` that does not exist."""
        paths = (self._folder / f"game-{number:04}.txt" for number in count(1))
        return next(path for path in paths if not path.exists())


def describe_moves(moves: Any, side: int) -> list[str]:
    """Return lines on the moves of a side: the regret of each, and its most expensive moves.

    Args:
        moves: The rows of a review.
        side: The side.
    """
    own = moves[moves["mover"] == side]
    if own.empty:
        return []
    regrets = " ".join(
        f"{number}:{regret:g}" for number, regret in own[["number", "regret"]].values
    )
    lines = [f"regret of each of your moves: {regrets}"]
    worst = own[own["regret"] > 0].sort_values("regret", ascending=False, kind="stable")[:3]
    for move in worst.itertuples():
        method = "exact" if move.exact else "by a search"
        lines.append(
            f"move {move.number}, pit {move.pit + 1}, gave up {move.regret:g} ({method}); "
            f"better: {move.better}"
        )
    return lines


for command in (take_part, serve):
    kgp.add_command(command)
