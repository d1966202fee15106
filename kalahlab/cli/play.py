"""The commands `kalahlab play` and `kalahlab review`."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from math import inf
from pathlib import Path
from textwrap import fill, shorten
from typing import Any, NoReturn

import click

from kalahlab.cli import options
from kalahlab.cli.options import FILE, PLAYER, Answer, at_least, json_command
from kalahlab.cli.output import describe_run, print_note, progress, split_player_specs
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.files import write_atomic
from kalahlab.formatting import WIDTH, format_grid
from kalahlab.games import Game
from kalahlab.games.game_log import replay
from kalahlab.games.game_text import GameRecord, format_game
from kalahlab.games.kaggle import LONGEST, parse_game_or_replay
from kalahlab.games.kalah import NAMES, Kalah, State, pits_of, swap_sides
from kalahlab.games.notation import draw_board
from kalahlab.games.registry import GameType, game_name
from kalahlab.names import parse_float
from kalahlab.players.game_loop import begin_game, legal_move
from kalahlab.players.levels import REGRETS
from kalahlab.players.model import AnyPlayer, Fault, closing_players
from kalahlab.players.parse import make_player
from kalahlab.players.search_spec import DEEPEST
from kalahlab.search.arguments import check_no_chance
from kalahlab.solver.move_values import describe_moves
from kalahlab.untrusted import decode_text, prefix_errors

DEFAULT_OPPONENT = "level3"
DEFAULT_DEPTH = 6  # of an opponent that searches

LEVELS = ", ".join(f"{name} {regret:.1f}" for name, regret in REGRETS.items())


@json_command(epilog=f"Levels, and the stones that each gives up per move on average: {LEVELS}.")
@options.on_position
@click.option("--south", type=PLAYER, help="The player who moves first: in other games, player 0.")
@click.option("--north", type=PLAYER, help="The other player: in other games, player 1.")
@click.option(
    "--first",
    type=click.Choice(["south", "north"]),
    default="south",
    help="Who moves first, in Kalah. A BOARD is written as if that player were South.",
)
@options.number("--size", 1, help="Cells a side in cards, 4 or 6; columns in betsy.")
@options.backend
@click.option("--save", type=FILE, help="Save a game of Kalah as text, for kalahlab review.")
def play(
    kind: GameType,
    game: Any,
    state: Any,
    first: str,
    backend: str,
    save: Path | None,
    **sides: str | None,
) -> Answer:
    """Play a game between two players, from a BOARD or the start, and print its log.

    On a terminal, without --south and --north, you choose an opponent from a list and play against
    it. A player is one of:

    \b
    person            a person who types moves
    random:SEED       random moves
    script:6,2,1      these moves
    level1 to level8  calibrated levels, in Kalah; also with a seed, level1:SEED
    perfect           perfect play, in Kalah
    ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][@BACKEND]
                      a search, for example alpha_beta:store_difference:6
    GROWING:PLAYOUT:LIMIT[:NAME=VALUE..]
                      a search that grows a tree, for example uct:random:800p
    mine.agent        a function (game, state); :1000ms gives it its own process
    mine.Bot:LIMIT    a class with choose, which gets 90% of a time limit
    exec:./agent      a program of yours; docs/arena.md has its dialects
    kgp:HOST:PORT     a program that connects there by the Kalah Game Protocol

    LIMIT is a depth, nodes a move (5000n), milliseconds a move (1000ms) or playouts a move (800p).
    A person may also type help, undo and quit, and in Kalah hint and save FILE.

    In Kalah, BOARD may also be random:SEED, for stones in random pits, or fairkalah:NUMBER.

    \b
    kalahlab play --south person --north level3
    kalahlab play --south alpha_beta:e3:4 --north random:1 --save game.txt
    """
    if first == "north":
        state = let_north_begin(game, state)
    table = Table(kind, game, state, choose_players(kind, **sides))
    if save and not table.is_kalah:
        raise click.UsageError(f"--save writes games of Kalah only, not of {game_name(game)}")
    late_states = list[Any]()
    make = partial(make_player, game=kind.name, backend=backend, others={"person": table.ask})
    with closing_players(make(text, on_late=late_states.append) for text in table.names) as players:
        play_and_save(table, players, save)
    print_late_moves(table.names, late_states)
    log, text = summarize_kalah_game(table) if table.is_kalah else summarize_game(table)
    return Answer(describe_run(game, state, *split_player_specs(table.names)) | log, text)


def play_and_save(table: "Table", players: Sequence[AnyPlayer], save: Path | None) -> None:
    """Play the game to its end, or until a person leaves it, and save it."""
    try:
        table.play(players)
    except InputEnded as error:
        _leave(table, save, is_wanted=isinstance(error, Quit) or sys.stdin.isatty())
    finally:
        if save:
            table.save(save)
    # A person who did not ask for --save may still want to keep the game.
    if table.is_kalah and not save and "person" in table.names and sys.stdin.isatty():
        table.offer()


def let_north_begin(game: Any, state: Any) -> State:
    """Return the position with sides exchanged; raise `click.UsageError` in other games."""
    if type(state) is not State:
        raise click.UsageError(f"--first is for Kalah, not for {game_name(game)}; leave it out")
    return swap_sides(state)


def print_late_moves(names: Sequence[str], states: Sequence[Any]) -> None:
    """Print a note for each player that took longer than its time limit.

    Args:
        names: The players of the two seats.
        states: The positions in which the player to move took too long.
    """
    for seat, name in enumerate(names):
        count = len([state for state in states if state.player == seat])
        if count:
            print_note(f"note: {name} took longer than its time limit in {count} of its moves")


def _leave(table: "Table", save: Path | None, is_wanted: bool) -> NoReturn:
    """End the command before the end of the game. The caller saves the game afterwards.

    Args:
        table: The game.
        save: The file in which the caller saves the game; None if it does not.
        is_wanted: True if a person wants to leave. Otherwise the input ended too early.

    Raises:
        ValueError: The input ended too early.
        click.exceptions.Exit: A person wants to leave; the status is 0.
    """
    count = len(table.moves)
    place = "after 1 move" if count == 1 else f"after {count} moves"
    advice = "; --save FILE saves the game"
    if save:
        place += f"; {save} has the game"
        advice = ""
    if not is_wanted:
        raise ValueError(f"the input ended before the game, {place}{advice}") from None
    print_note(f"You quit the game {place}.")
    click.get_current_context().exit()


def is_kalah(kind: GameType) -> bool:
    """Return whether the games of this type are Kalah itself, and not derived from it."""
    return kind.name == "kalah" and type(kind.new()) is Kalah


class InputEnded(Exception):
    """Raised when a person's input ends."""


class Quit(InputEnded):
    """Raised when a person leaves the game."""


class TakeBack(Exception):
    """Raised when a person takes back the last move."""


class Table:
    """A game on a terminal, which prompts a person on stderr and reads moves from stdin.

    Attributes:
        question: The prompt for a move; "" for one that lists the commands.
        kind: The type of the game.
        game: The game.
        names: The players of the two seats as text, such as `person`.
        states: The positions from the first to the current one.
        moves: The moves between these positions.
        seen_moves: The number of moves that were made when a person was last prompted.
        is_kalah: Whether the game is Kalah itself; see the function `is_kalah`.
    """

    question = ""

    def __init__(self, kind: GameType, game: Any, start: Any, names: tuple[str, str]) -> None:
        self.kind = kind
        self.game = game
        self.names = names
        self.states = [start]
        self.moves = list[Any]()
        self.seen_moves = 0
        self.is_kalah = is_kalah(kind)

    @property
    def record(self) -> GameRecord:
        """The game so far, which must be Kalah."""
        return GameRecord(self.game, self.states[0], tuple(self.moves), self.names)

    def play(self, players: Sequence[AnyPlayer]) -> None:
        """Play to the end of the game.

        Raises:
            InputEnded: A person leaves the game, or the input of a person ends.
            click.ClickException: A player makes no legal move in time.
        """
        check_no_chance("play", self.game)
        begin_game(players, self.game, self.states[-1])
        while not self.game.is_over(self.states[-1]):
            state = self.states[-1]
            try:
                name = self.names[state.player]
                self.add(legal_move(players[state.player], self.game, state, name))
            except Fault as fault:
                raise click.ClickException(f"{name} loses: {fault}") from None
            except TakeBack:
                self._take_back()
                begin_game(players, self.game, self.states[-1])

    def _take_back(self) -> None:
        """Return to the last position in which a person moved."""
        for index in reversed(range(len(self.moves))):
            if self.names[self.states[index].player] == "person":
                del self.moves[index:]
                del self.states[index + 1 :]
                return
        print_note("You have no move to take back.")

    def add(self, move: Any) -> None:
        """Make a move."""
        self.states.append(self.game.play(self.states[-1], move))
        self.moves.append(move)

    def save(self, path: Path) -> None:
        """Write the game so far as text; only for Kalah."""
        write_atomic(path, format_game(self.record))

    def ask(self, game: Game, state: Any) -> Any:
        """Show a person the position, and prompt until the person types a legal move.

        Also show the moves since the last prompt.
        """
        if self.is_kalah:
            news = "".join(f"{move}\n" for move in replay(self.record).moves[self.seen_moves :])
            board = draw_numbered_board(state)
            commands = "help, hint, undo, save FILE, quit"
        else:
            news = self.describe_new_moves()
            board = self.kind.draw(state)
            commands = "help, undo, quit"
        self.seen_moves = len(self.moves)
        if news:
            news += "\n"
        print_note(f"\n{news}{board}\n")
        while True:
            print_note(self.question or f"Your move (or {commands}):")
            try:
                text = read_line()
                if not self._handles_command(text):
                    move = self.kind.parse_move(text, game, state)
                    game.play(state, move)  # raises ValueError if the move is illegal
                    return move
            except (ValueError, OSError) as error:
                print_note(f"{error}\n")

    def describe_new_moves(self) -> str:
        """Return a line for each move since the last prompt, in a game other than Kalah."""
        lines = []
        for index in range(self.seen_moves, len(self.moves)):
            state = self.states[index]
            move = self.game.move_name(state, self.moves[index])
            lines.append(f"{index + 1}. {self.kind.players[state.player]} plays {move}\n")
        return "".join(lines)

    def _handles_command(self, text: str) -> bool:
        """Run the command that a person types; return False if the text is no command.

        Raises:
            Quit: The command is quit.
            TakeBack: The command is undo.
            ValueError: The game cannot be saved.
        """
        word, _, name = text.strip().partition(" ")
        match self.is_kalah, word.lower():
            case _, "quit" | "q":
                raise Quit
            case _, "undo" | "u":
                raise TakeBack
            case _, "help" | "?" | "":
                print_note("\n".join(self.help()))
            case True, "hint":
                print_note("\n".join(describe_moves(self.game, self.states[-1])))
            case True, "save":
                self._save_as(name)
            case _:
                return False
        return True

    def _save_as(self, name: str) -> None:
        if not name:
            raise ValueError("save needs the name of a file: save game.txt")
        try:
            self.save(Path(name))
        except OSError as error:
            message = f"{error}"
            if error.strerror:
                message = f"{name} cannot be written: {error.strerror}"
            raise ValueError(message) from None
        print_note(f"saved to {name}")

    def offer(self) -> None:
        """Offer to save the finished game, until it is saved or a line is empty."""
        print_note(f"\n{replay(self.record).outcome}")
        while True:
            print_note("To save the game, type save FILE; to quit, an empty line:")
            try:
                text = input().strip()
                if not text:
                    return
                # After the end of the game, save is the only command. `_handles_command` returns
                # False for other words that begin so, such as `saved`.
                if text[:4].lower() == "save" and self._handles_command(text):
                    return
            except EOFError:
                return
            except ValueError as error:
                print_note(error)

    def help(self) -> Iterator[str]:
        """Yield the lines of the help."""
        state = self.states[-1]
        names = [self.game.move_name(state, move) for move in self.game.moves(state)]
        yield fill(f"A move is one of {', '.join(names)}.", WIDTH)
        yield "undo       takes your last move back"
        if self.is_kalah:
            yield "hint       shows the value of each move"
            yield "save FILE  saves the game so far, for kalahlab review"
        yield "quit       leaves the game, as q and Ctrl-D do"


def read_line() -> str:
    """Read a line that a person types; raise `InputEnded` at the end of the input."""
    try:
        return input()
    except EOFError:
        raise InputEnded from None


def draw_numbered_board(state: State) -> str:
    """Draw a board with the numbers of the pits above and below it."""
    width = max(2, *(len(str(count)) for count in state.board))
    numbers = [f"{pit:>{width}}" for pit in range(1, pits_of(state.board) + 1)]
    edge = " " * (width + 2)  # above a store and the gap beside it
    above = f"{edge}{' '.join(reversed(numbers))}{edge}  pit"
    below = f"{edge}{' '.join(numbers)}{edge}  pit"
    return f"{above}\n{draw_board(state)}\n{below}"


def summarize_kalah_game(table: Table) -> tuple[dict[str, Any], str]:
    """Return the JSON data and the text of a finished game of Kalah."""
    log = replay(table.record)
    data = {
        "moves": [move.pit + 1 for move in log.moves],
        "movers": [NAMES[move.mover].lower() for move in log.moves],
        "stores": list(log.stores),
        "winner": log.winner.lower(),
    }
    return data, str(log)


def summarize_game(table: Table) -> tuple[dict[str, Any], str]:
    """Return the JSON data and the text of a finished game of any other type."""
    game, kind, states = table.game, table.kind, table.states
    moves = list[str]()
    movers = list[str]()
    lines = [kind.draw(states[0])]
    # Not strict, as there is one state more than moves.
    for before, move, after in zip(states, table.moves, states[1:], strict=False):
        moves.append(game.move_name(before, move))
        movers.append(kind.players[before.player])
        lines += ["", f"{len(moves)}. {movers[-1]} plays {moves[-1]}", kind.draw(after)]
    margin = game.margin(states[-1], 0)
    if margin:
        south, north = kind.players[:2]
        winner = south if margin > 0 else north
        result = f"{winner} wins by {abs(margin):g}"
    else:
        winner = "draw"
        result = "a draw"
    lines += ["", result]
    data = {"moves": moves, "movers": movers, "margin": margin, "winner": winner}
    return data, "\n".join(lines)


def choose_players(kind: GameType, south: str | None, north: str | None) -> tuple[str, str]:
    """Return the players of the two seats.

    If only North is given, South is a person. Otherwise, on a terminal, a person is asked for each
    player that is missing.

    Raises:
        click.UsageError: A player is missing, and there is no terminal.
    """
    if None in (south, north) and not (sys.stdin.isatty() and sys.stderr.isatty()):
        missing = "south" if south is None else "north"
        raise click.UsageError(
            f"Missing option '--{missing}'. Name both players: --south person --north level3"
        )
    if south is None:
        south = "person" if north is None else prompt_for_player(kind, 0)
    if north is None:
        north = prompt_for_player(kind, 1)
    return south, north


def prompt_for_player(kind: GameType, seat: int) -> str:
    """Prompt a person for a player, by the player's number in a list, and return the player's text.

    Raises:
        EOFError: The input ends.
    """
    descriptions = dict[str, str]()
    if is_kalah(kind):
        for name, regret in REGRETS.items():
            descriptions[name] = f"{name}, gives up {regret:.1f} stones a move on average"
    evaluator = next(iter(EVALUATORS.get(kind.name, ())), None)
    if evaluator is not None:
        descriptions[f"alpha_beta:{evaluator}"] = f"a search, to any depth ({evaluator})"
    descriptions |= {"random": "random moves", "person": "a person at this keyboard"}
    print_note(f"Who plays {kind.players[seat]}?")
    for number, description in enumerate(descriptions.values(), start=1):
        print_note(f"{number:>3}  {description}")
    names = [*descriptions]
    default = DEFAULT_OPPONENT if DEFAULT_OPPONENT in descriptions else "random"
    default_number = names.index(default) + 1
    number = prompt_for_number("Number", default_number, len(names))
    player = names[number - 1]
    if ":" not in player:
        return player
    # The list has ALGORITHM:EVALUATOR, without the depth.
    depth = prompt_for_number("Depth in moves", DEFAULT_DEPTH, 40)
    return f"{player}:{depth}"


def prompt_for_number(what: str, usual: int, most: int) -> int:
    """Prompt a person for a number from 1 to `most`; an empty line stands for `usual`."""
    number = at_least(1, what.lower(), most)
    while True:
        print_note(f"{what} [{usual}]:")
        try:
            text = input().strip()
            return int(number.parse(text)) if text else usual
        except ValueError as error:
            print_note(error)


@json_command()
@click.argument("game", type=click.File("rb"))
@click.option(
    "--seconds",
    type=at_least(0, "seconds", inf, parse_float),
    default="60",
    metavar="SECONDS",
    help="Time for exact values, which are proved from the end of the game backwards; 0 for "
    "estimates alone.",
)
@options.number("--depth", 1, DEEPEST, default="14", help="Depth of the estimates, in sows.")
@options.workers(help="Number of threads.  [default: all cores]")
@click.option("--out", type=FILE, help="Also write a page to step through the game.")
@click.option(
    "--live", is_flag=True, help="Let the page search and play by itself, with Python (12 MB)."
)
def review(game: Any, out: Path | None, live: bool, **settings: Any) -> Answer:
    """Review a GAME of Kalah that was saved as text, and find its costly moves.

    GAME is a file that kalahlab play --save wrote, or - for standard input. The button Copy of a
    page copies a game in the same format. GAME may also be a replay of Kaggle's
    open_spiel_mancala.

    Prints each move with the value for South after it, its regret in stones, and a better line. A
    mark shows that a move gave away a better outcome or many stones, or was the only one that kept
    the outcome. A value is exact if it is proved in time. Otherwise it is the estimate of a search,
    as the column "by" shows. A mark that rests on an estimate has a question mark. Ctrl-C ends the
    proofs early.

    \b
    kalahlab review game.txt --out review.html
    """
    with prefix_errors(game.name):
        text = game.read(LONGEST + 1)  # one byte more shows that a file is too long
        if len(text) > LONGEST:
            raise ValueError(f"it is too long; at most {LONGEST:,} bytes are read")
        record = parse_game_or_replay(decode_text(text, game.name))
    from kalahlab.judging.review import review_game  # takes longer than to refuse a wrong file

    with progress("position") as show:
        result = review_game(record, progress=show, **settings)
    if out is not None:
        from kalahlab.widgets.review import review_page

        write_atomic(out, review_page(result, live))
    return Answer(result.as_json(), format_review(result))


def format_review(review: Any) -> str:
    """Return a review as text, with a table of the moves and an explanation of its columns."""
    from kalahlab.judging.review import FORMULA

    table = review.table()
    # `format_grid` aligns texts at the right. Texts that are padded to one width look as if they
    # were aligned at the left.
    width = 16
    table["mark"] = table["mark"].str.ljust(width)
    # As many turns of a better line are shown as fit into the width.
    lines = [shorten(line, width, placeholder="") for line in table["better"]]
    table["better"] = [line.ljust(width) for line in lines]
    sentences = [review.title(), review.opening(), *review.summary()]
    parts = ["\n".join(fill(sentence, WIDTH) for sentence in sentences if sentence)]
    if len(table):
        parts.append(format_grid(table.to_dict("records")))
    legend = [
        "regret: the stones that the mover loses compared with the best move.",
        "better: the line of a best move; commas join the moves of a turn.",
        fill(FORMULA, WIDTH),
    ]
    parts.append("\n".join(legend))
    return "\n\n".join(parts)
