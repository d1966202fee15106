"""`kalahlab play` and `kalahlab review`."""

import sys
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path
from textwrap import fill, shorten
from typing import Any

import click

from kalahlab.backends import DEEPEST
from kalahlab.cli import options
from kalahlab.cli.options import FILE, PLAYER, Answer, at_least, command
from kalahlab.cli.text import WIDTH, grid_text, naming, of_players, progress, say, setting
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.files import write
from kalahlab.games import Game
from kalahlab.games.game_text import LONGEST, GameRecord, format_game, parse_game
from kalahlab.games.kalah import NAMES, Kalah, State, pits_of
from kalahlab.games.notation import draw_board
from kalahlab.games.registry import GameType, game_name
from kalahlab.judging.worth import hints, perfect_player
from kalahlab.names import parse_float
from kalahlab.outside import decode
from kalahlab.play import REGRETS, Player, legal_move, named_player, replay

USUAL, DEPTH = "level3", 6  # the opponent that is offered, and the depth of one that searches

LEVELS = ", ".join(f"{name} {regret:.1f}" for name, regret in REGRETS.items())


@command(epilog=f"Levels, with the stones that a move gives up on average: {LEVELS}.")
@options.on_position
@click.option("--south", type=PLAYER, help="Who moves first, in other games player 0.")
@click.option("--north", type=PLAYER, help="In other games player 1.")
@options.number("--size", 1, help="Of cards: 4 or 6. Of betsy: columns.")
@options.backend
@click.option("--save", type=FILE, help="Write the game of Kalah as text, for kalahlab review.")
def play(
    kind: GameType, game: Any, state: Any, backend: str, save: Path | None, **sides: str | None
) -> Answer:
    """Play a game between two players and print its log; from a BOARD, if one is given.

    On a terminal, without --south and --north, you play against whom you choose from a list.

    A player is ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][@BACKEND], for example
    alpha_beta:store_difference:6, where LIMIT is a depth, nodes a move (5000n) or milliseconds a
    move (1000ms); or random:SEED, or script:6,2,1 (moves to play); or person, who types moves; or,
    in Kalah, level1 to level8 (level1:SEED), which are calibrated, or perfect. A person may also
    type help, undo, quit and, at Kalah, hint and save FILE.

    \b
    kalahlab play --south person --north level3
    kalahlab play --south alpha_beta:e3:4 --north random:1 --save game.txt
    """
    table = Table(kind, game, state, seats(kind, **sides))
    kalah = table.is_kalah
    if save and not kalah:
        raise click.UsageError(f"--save writes games of Kalah only, not of {game_name(game)}")
    others = {"person": table.ask} | ({"perfect": perfect_player} if kalah else {})
    late = list[Any]()
    players = [
        named_player(text, kind.name, backend, others, late=late.append) for text in table.names
    ]
    try:
        table.play(players)
    except InputEnded as error:
        kept = f", and {save} keeps it" if save else ""
        said = f"after {len(table.moves)} move{'s' * (len(table.moves) != 1)}{kept}"
        if not (isinstance(error, Quit) or sys.stdin.isatty()):
            how = "" if save else "; --save FILE keeps it"
            raise ValueError(f"the input ended before the game did, {said}{how}") from None
        say(f"The game is left {said}.")
        click.get_current_context().exit()
    finally:
        if save:
            table.save(save)
    if kalah and not save and "person" in table.names and sys.stdin.isatty():
        table.offer()
    for seat, name in enumerate(table.names):
        if slow := sum(state.player == seat for state in late):
            say(f"note: {name} took longer than it has for {slow} of its moves")
    answer, text = kalah_log(table) if kalah else any_log(table)
    return setting(game, state, *of_players(table.names)) | answer, text


def is_kalah(kind: GameType) -> bool:
    """Return whether its games are Kalah itself, and do not derive from it."""
    return kind.name == "kalah" and type(kind.new()) is Kalah


class InputEnded(Exception):
    """There is no answer to come from a person."""


class Quit(InputEnded):
    """A person wants to leave."""


class TakeBack(Exception):
    """A person wants the last choice back."""


class Table:
    """A game on a terminal, where a person is asked and told on stderr."""

    question = ""  # by default it lists the commands

    def __init__(self, kind: GameType, game: Any, start: Any, names: tuple[str, str]) -> None:
        self.kind, self.game, self.names = kind, game, names
        self.states, self.moves = [start], list[Any]()
        self.told = 0  # how many of the moves a person was shown
        self.is_kalah = is_kalah(kind)

    @property
    def record(self) -> GameRecord:
        return GameRecord(self.game, self.states[0], tuple(self.moves), self.names)

    def play(self, players: Sequence[Player]) -> None:
        while not self.game.over(state := self.states[-1]):
            try:
                name = self.names[state.player]
                self.add(legal_move(players[state.player], self.game, state, name))
            except TakeBack:
                turns = enumerate(self.states[:-1])
                own = [at for at, each in turns if self.names[each.player] == "person"]
                if not own:
                    say("There is no move of yours to take back.")
                    continue
                del self.moves[own[-1] :], self.states[own[-1] + 1 :]

    def add(self, move: Any) -> None:
        self.states.append(self.game.play(self.states[-1], move))
        self.moves.append(move)

    def save(self, path: Path) -> None:
        write(path, format_game(self.record))

    def ask(self, game: Game, state: Any) -> Any:
        """A legal move from a person, who is shown the position and what was played since."""
        kalah = self.is_kalah
        news = replay(self.record).moves[self.told :] if kalah else []
        self.told = len(self.moves)
        last = "".join(f"{move}\n" for move in news) + "\n" * bool(news)
        say(f"\n{last}{numbered(state) if kalah else self.kind.draw(state)}\n")
        commands = f"help, {'hint, undo, save FILE' if kalah else 'undo'}, quit"
        while True:
            say(self.question or f"Your move (or {commands}):")
            try:
                if not self._obey(text := read_line()):
                    move = self.kind.parse_move(text, game, state)
                    game.play(state, move)
                    return move
            except (ValueError, OSError) as error:
                say(f"{error}\n")

    def _obey(self, text: str) -> bool:
        """Do what a person asks for; whether it was anything."""
        word, _, name = text.strip().partition(" ")
        match self.is_kalah, word.lower():
            case _, "quit" | "q":
                raise Quit
            case _, "undo" | "u":
                raise TakeBack
            case _, "help" | "?" | "":
                say("\n".join(self.help()))
            case True, "hint":
                say("\n".join(hints(self.game, self.states[-1])))
            case True, "save":
                if not name:
                    raise ValueError("save takes a file: save game.txt")
                try:
                    self.save(Path(name))
                except OSError as error:
                    why = f"{name} cannot be written: {error.strerror}"
                    raise ValueError(why if error.strerror else f"{error}") from None
                say(f"saved to {name}")
            case _:
                return False
        return True

    def offer(self) -> None:
        """Ask whether to save the finished game, until it is saved or a line is empty."""
        say(f"\n{replay(self.record).outcome}")
        while True:
            say("save FILE keeps the game; an empty line ends:")
            try:
                text = input().strip()
                if not text or (text[:4].lower() == "save" and self._obey(text)):
                    return
            except EOFError:
                return
            except ValueError as error:
                say(error)

    def help(self) -> Iterator[str]:
        state = self.states[-1]
        names = [self.game.move_name(state, move) for move in self.game.moves(state)]
        yield fill(f"A move is one of {', '.join(names)}.", WIDTH)
        yield "undo       takes your last move back"
        if self.is_kalah:
            yield "hint       says what each move is worth"
            yield "save FILE  keeps the game so far, for kalahlab review"
        yield "quit       leaves the game, as q and Ctrl-D do"


def read_line() -> str:
    """Read a line that a person types; raise `InputEnded` where the input ends."""
    try:
        return input()
    except EOFError:
        raise InputEnded from None


def numbered(state: State) -> str:
    width = max(2, *(len(str(count)) for count in state.board))
    row = [f"{pit:>{width}}" for pit in range(1, pits_of(state.board) + 1)]
    edge = " " * (width + 2)
    above, below = (f"{edge}{' '.join(each)}{edge}  pit" for each in (row[::-1], row))
    return f"{above}\n{draw_board(state)}\n{below}"


def kalah_log(table: Table) -> tuple[dict[str, Any], str]:
    log = replay(table.record)
    answer = {
        "moves": [played.pit + 1 for played in log.moves],
        "movers": [NAMES[played.mover].lower() for played in log.moves],
        "stores": list(log.stores),
        "winner": log.winner.lower(),
    }
    return answer, str(log)


def any_log(table: Table) -> tuple[dict[str, Any], str]:
    game, kind, (start, *states) = table.game, table.kind, table.states
    moves, movers, lines = list[str](), list[str](), [kind.draw(start)]
    for before, move, after in zip(table.states, table.moves, states, strict=False):
        moves.append(game.move_name(before, move))
        movers.append(kind.players[before.player])
        lines += ["", f"{len(moves)}. {movers[-1]} plays {moves[-1]}", kind.draw(after)]
    margin = game.margin(table.states[-1], 0)
    winner = kind.players[margin < 0] if margin else "draw"
    lines += ["", f"{winner} wins by {abs(margin):g}" if margin else "a draw"]
    answer = {"moves": moves, "movers": movers, "margin": margin, "winner": winner}
    return answer, "\n".join(lines)


def seats(kind: GameType, south: str | None, north: str | None) -> tuple[str, str]:
    """Who plays; on a terminal, who is not named is chosen, and the first one named is a person."""
    if None in (south, north) and not (sys.stdin.isatty() and sys.stderr.isatty()):
        missing = "south" if south is None else "north"
        raise click.UsageError(
            f"Missing option '--{missing}'. Name both players, as --south person --north level3"
        )
    if south is None:
        south = "person" if north is None else chosen(kind, 0)
    return south, chosen(kind, 1) if north is None else north


def chosen(kind: GameType, seat: int) -> str:
    """The player that a person chooses by number; `EOFError` at the end of the input."""
    found = {
        name: f"{name}, gives up {regret:.1f} stones a move on average"
        for name, regret in (REGRETS.items() if is_kalah(kind) else ())
    }
    evaluators = [*EVALUATORS.get(kind.name, ())]
    if evaluators:
        found[f"alpha_beta:{evaluators[0]}"] = f"a search, as deep as you like ({evaluators[0]})"
    found |= {"random": "random moves", "person": "a person at this keyboard"}
    say(f"Who plays {kind.players[seat]}?")
    for nth, said in enumerate(found.values(), start=1):
        say(f"{nth:>3}  {said}")
    names = [*found]
    usual = USUAL if USUAL in found else "random"
    player = names[_number("Number", names.index(usual) + 1, len(names)) - 1]
    return f"{player}:{_number('Depth in moves', DEPTH, 40)}" if ":" in player else player


def _number(what: str, usual: int, most: int) -> int:
    """A number from 1 that a person types, or the usual one for an empty line."""
    while True:
        say(f"{what} [{usual}]:")
        try:
            return int(at_least(1, what.lower(), most).read(input().strip() or f"{usual}"))
        except ValueError as error:
            say(error)


@command()
@click.argument("game", type=click.File("rb"))
@click.option(
    "--seconds",
    type=at_least(0, "seconds", inf, parse_float),
    default="60",
    metavar="SECONDS",
    help="For exact values, from the end of the game backwards; 0 for searches alone.",
)
@options.number("--depth", 1, DEEPEST, default="14", help="Of the searches before, in sows.")
@options.workers(help="Threads; default all cores.")
@click.option("--out", type=FILE, help="Write a page to step through it, too.")
@click.option(
    "--live", is_flag=True, help="Let the page search and play by itself; it has 12 MB then."
)
def review(game: Any, out: Path | None, live: bool, **settings: Any) -> Answer:
    """Review a GAME of Kalah: a file as kalahlab play --save writes it, or - to read it;
    a page's Copy gives the same text.

    Prints each move with its value for South after it, its regret in stones, and a better line; a
    mark where it gave away a better outcome or many stones, or alone kept the outcome. Values are
    exact where the proofs reach in the time given, and else by a search, as the column "by" says,
    and a mark by a search has a question mark. Ctrl-C ends the proofs early.

    \b
    kalahlab review game.txt --out review.html
    """
    from kalahlab.judging.review import reviewed

    with naming(game.name):
        text = game.read(LONGEST + 1)
        if len(text) > LONGEST:
            raise ValueError(f"it is too long; at most {LONGEST:,} bytes are read")
        record = parse_game(decode(text, game.name))
    with progress("position") as show:
        found = reviewed(record, progress=show, **settings)
    if out is not None:
        from kalahlab.widgets.review import review_page

        write(out, review_page(found, live))
    return found.as_json(), readable(found)


def readable(found: Any) -> str:
    from kalahlab.judging.review import FORMULA

    table = found.table()
    table["mark"] = table["mark"].str.ljust(16)
    # as many turns of a line as there is room for
    table["better"] = [f"{shorten(line, 16, placeholder=''):16}" for line in table["better"]]
    parts = [found.title(), found.opening(), *found.summary()]
    said = "\n".join(fill(part, WIDTH) for part in parts if part)
    grid = [grid_text(table.to_dict("records"))] if len(table) else []
    regret = "regret: by how many stones a move is worse for its mover than the best one."
    better = "better: a line of a best move; commas join the moves of a turn."
    return "\n\n".join([said, *grid, f"{regret}\n{better}\n{fill(FORMULA, WIDTH)}"])
