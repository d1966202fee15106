"""`kalahlab play`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from kalahlab.cli.parameters import (
    FILE,
    PLAYER,
    as_json,
    at_least,
    backend_option,
    game_option,
    new_game,
    rules_option,
)
from kalahlab.cli.text import ask_move, of_players, print_answer, say, setting, write
from kalahlab.games import Game
from kalahlab.games.game_text import format_game
from kalahlab.games.registry import GameType, of
from kalahlab.play import (
    GameLog,
    Played,
    Player,
    level_regrets,
    parse_player,
    played_on,
)


def level_words() -> str:
    """What each level gives up, for the help."""
    regrets = [f"{name} {regret:.1f}" for name, regret in level_regrets().items()]
    return f"Levels, with the stones that a move gives up on the mean: {', '.join(regrets)}."


@click.command(epilog=level_words())
@click.argument("board", required=False)
@game_option
@click.option(
    "--south", type=PLAYER, required=True, help="Who moves first, in other games player 0."
)
@click.option("--north", type=PLAYER, required=True, help="In other games player 1.")
@click.option("--pits", type=at_least(1, "pits"), show_default="6")
@click.option("--stones", type=at_least(0, "stones"), show_default="4")
@click.option("--size", type=at_least(1, "size"), help="Of cards: 4 or 6. Of betsy: columns.")
@rules_option
@backend_option
@click.option("--save", type=FILE, help="Write the game of Kalah as text, for kalahlab review.")
@as_json
def play(
    board: str | None,
    kind: GameType,
    south: str,
    north: str,
    backend: str,
    save: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Play a game between two players and print its log; from a BOARD, if one is given.

    A player is ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][@BACKEND], for example
    alpha_beta:store_difference:6, where LIMIT is a depth, nodes a move (5000n) or milliseconds a
    move (1000ms); or random:SEED, or script:6,2,1 (moves to play); or person, who types moves; or,
    in Kalah, level1 to level8 (level1:SEED), which are calibrated, or perfect. A person at Kalah
    may also type: hint, undo, save FILE.
    """
    game = new_game(kind, **options)
    game, state = kind.parse(board, game) if board else (game, game.start())
    others: dict[str, Player] = {"person": ask}
    table = Table(game, state, (south, north))
    if kind.name == "kalah":
        from kalahlab.judging.worth import perfect_player

        others = {"person": table.ask, "perfect": perfect_player}
    elif save:
        raise click.UsageError("--save writes games of Kalah only")
    about = setting(game, state, *of_players((south, north)))
    players = [parse_player(text, kind.name, backend, others) for text in (south, north)]
    if kind.name != "kalah":
        answer, text = show_game(kind, game, players, state)
        print_answer(about | answer, as_json, text)
        return
    try:
        table.play(players)
    finally:
        if save:
            table.save(save)
    print_answer(about | kalah_answer(table.log), as_json, str(table.log))


class TakeBack(Exception):
    """A person wants the last choice back."""


class Table:
    """A game of Kalah on a terminal: what has been played, and what a person may do but move.

    All that a person is shown goes to stderr; the log is elsewhere.
    """

    def __init__(self, game: Any, start: Any, players: tuple[str, str]) -> None:
        self._game, self._start, self._players = game, start, players
        self._moves: list[Played] = []

    @property
    def log(self) -> GameLog:
        """The game so far."""
        return GameLog(self._game, self._start, tuple(self._moves))

    def play(self, players: Sequence[Player]) -> None:
        """Play to the end."""
        while not self._game.over(self.log.final):
            try:
                for played in played_on(self._game, players, self.log.final):
                    self._moves.append(played)
            except TakeBack:
                self._take_back()

    def _take_back(self) -> None:
        """To where a person had the last choice, if there is one."""
        persons = [at for at, name in enumerate(self._players) if name == "person"]
        chosen = [at for at, played in enumerate(self._moves) if played.mover in persons]
        if not chosen:
            say("There is no move of yours to take back.", err=True)
        del self._moves[chosen[-1] if chosen else len(self._moves) :]

    def save(self, path: Path) -> None:
        """Write the game so far as text."""
        write(path, format_game(self.log.record(*self._players)))

    def ask(self, game: Game, state: Any) -> Any:
        """A legal move from a person who is shown the position."""
        last = f"{self._moves[-1]}\n\n" if self._moves else ""
        say(f"\n{last}{of(game).draw(state)}\n", err=True)
        question = "Your move (or hint, undo, save FILE):"
        return ask_move(question, game, state, err=True, otherwise=self._obey)

    def _obey(self, text: str) -> bool:
        """Do what a person asks for; whether it was anything."""
        match text.split():
            case ["hint"]:
                from kalahlab.judging.worth import hints

                say("\n".join(hints(self._game, self.log.final)), err=True)
            case ["undo"]:
                raise TakeBack
            case ["save", name]:
                self.save(Path(name))
                say(f"saved to {name}", err=True)
            case _:
                return False
        return True


def kalah_answer(log: GameLog) -> dict[str, Any]:
    """A game of Kalah for a machine."""
    return {
        "moves": [played.pit + 1 for played in log.moves],
        "movers": ["south" if played.mover == 0 else "north" for played in log.moves],
        "stores": list(log.stores),
        "winner": log.winner.lower(),
    }


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
    say(f"\n{of(game).draw(state)}\n", err=True)
    return ask_move("Your move:", game, state, err=True)
