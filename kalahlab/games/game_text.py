"""Games of Kalah as text: a header, then each turn's moves.

    pits: 6
    stones: 4
    rules: standard
    south: alpha_beta:store_difference:6
    north: perfect
    result: 30-18

    1. 3,6 2
    2. 1 5,6,4

Header lines are `name: value`, in any order, each at most once:

    pits, stones   the board at the start
    board          in place of pits and stones: a board <m,S,N,s1..sm,n1..nm>, written as if the
                   player to move were South
    mover          South (the default) or North: who moves first from `board`
    rules          a name of `kalahlab rules`, or fields, as `end=mover, majority=stop`
    south, north   who played, in any words
    result         the stones of South and of North at the end, which is checked
    fault          how a player's fault ended the game, in any words

Then each line is a number, South's turn and North's turn. A turn is all moves of one player in a
row, joined by commas. Moves are pits from 1, from their mover's left. If North moves first, `-`
stands for South's first turn. Empty lines and lines that begin with `#` are ignored. A game may end
before it is over; then it has no result.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, groupby, zip_longest
from operator import itemgetter
from typing import Any

from kalahlab.games.kalah import NAMES, NORTH, SOUTH, Kalah, State, pits_of, swap_sides
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import Rules, format_rules, parse_rules
from kalahlab.names import lookup, parse_int

HEADER = ("pits", "stones", "board", "mover", "rules", "south", "north", "result", "fault")
LONGEST = 1_000_000  # the largest file that is read, in bytes
# The groups are the number of the line, and its one or two turns.
_TURNS = re.compile(r"(\d+)\.((?:\s+\S+){1,2})", re.ASCII)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The record of a game.

    Attributes:
        game, start: The game and its first position.
        moves: The moves, as pits from 0.
        players: The names of the players, South first.
        fault: How a fault ended the game, see `format_fault`; "" without one.
    """

    game: Kalah
    start: State
    moves: tuple[int, ...]
    players: tuple[str, str] = ("", "")
    fault: str = ""

    @property
    def states(self) -> list[State]:
        """The position before each move, and the last one; a ValueError for an illegal move."""
        return [*accumulate(self.moves, self.game.play, initial=self.start)]


def format_game(record: GameRecord) -> str:
    """Return the text of a game of Kalah, which `parse_game` reads.

    Raises:
        ValueError: A player's name or the fault is not one line of words, or the game derives from
            Kalah, as its moves would be read by other rules.
    """
    if type(record.game) is not Kalah:
        name = type(record.game).__name__
        raise ValueError(
            f"a game of {name} cannot be saved: its text would be read as a game of Kalah"
        )
    lines = [*(f"{name}: {value}" for name, value in _make_header(record).items()), ""]
    turns = format_turns(record)
    if turns and record.start.player == NORTH:
        turns.insert(0, "-")
    souths_turns, norths_turns = turns[::2], turns[1::2]
    pairs = zip_longest(souths_turns, norths_turns, fillvalue="")
    for number, pair in enumerate(pairs, start=1):
        lines.append(f"{number}. {' '.join(pair)}".rstrip())
    return "\n".join([*lines, ""])


def _make_header(record: GameRecord) -> dict[str, str]:
    """Return the values of the header lines by their names."""
    game, start = record.game, record.start
    last = record.states[-1]
    header = {"pits": str(game.pits), "stones": str(game.stones)}
    # A start without stones is read as the start of a game with 0 stones in each pit.
    if start != game.start() or game.stones == 0:
        header = {"board": format_board(start), "mover": NAMES[start.player]}
    header["rules"] = format_rules(game.rules)
    for name, player in zip(("south", "north"), record.players, strict=True):
        header[name] = _check_line("player", player)
    if game.is_over(last):
        header["result"] = "{}-{}".format(*game.outcome(last))
    header["fault"] = _check_line("fault", record.fault)
    return {name: value for name, value in header.items() if value}


def format_fault(loser: int, name: str, reason: str) -> str:
    """Return how a fault ended a game: the side that loses, its name, and what it did."""
    who = f"{NAMES[loser]} ({name})" if name else NAMES[loser]
    return " ".join(f"{who} loses, {reason}".split())


def _check_line(name: str, text: str) -> str:
    """Return a text, which must be one line of words; raise `ValueError` for any other."""
    if text != " ".join(text.split()):
        raise ValueError(f"{name} {text!r} must be one line, with single spaces between words")
    return text


def format_turns(record: GameRecord) -> list[str]:
    """Return the moves as texts, those of a turn together: `3,6` and `2`."""
    movers = [state.player for state in record.states]
    # Not strict: no move follows the last state.
    pairs = zip(movers, record.moves, strict=False)
    turns = []
    for _, turn in groupby(pairs, itemgetter(0)):  # the moves that follow each other by one mover
        turns.append(",".join(str(move + 1) for _, move in turn))
    return turns


def parse_game(text: str) -> GameRecord:
    """Parse the text of a game; raise a one-line ValueError that begins with `line N:`."""
    reader = _Reader()
    try:
        for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
            reader.line = number
            if line and not line.startswith("#"):
                reader.read(line)
        # `record` finds errors of the result or, without a result, of the whole text.
        reader.line = reader.result_line or max(1, reader.line)  # 1 for an empty text
        return reader.record()
    except ValueError as error:
        raise ValueError(f"line {reader.line}: {error}") from None


class _Reader:
    """Reader of the lines of a game.

    Attributes:
        line: The number of the line that an error is about.
        result_line: The number of the line with the result, 0 without one.
    """

    def __init__(self) -> None:
        self.line = 0
        self.result_line = 0
        # The number of turns so far. South's turn is next if it is even, North's if it is odd. If
        # North moves first, the `-` in place of South's turn is counted.
        self._turns = 0
        self._header: dict[str, Any] = {}
        self._states: list[State] = []
        self._moves: list[int] = []

    def read(self, line: str) -> None:
        """Read a line that is neither empty nor a comment."""
        name, colon, value = line.partition(":")
        if line[0].isdigit():
            self._read_turns(line)
        elif not colon or name not in HEADER:
            raise ValueError(f"{line!r} is neither `N. MOVES MOVES` nor one of {', '.join(HEADER)}")
        elif name in self._header or self._states:
            raise ValueError(f"{name} appears twice, or after the moves")
        else:
            self._header[name] = _PARSERS.get(name, str)(value.strip())
            if name == "result":
                self.result_line = self.line

    def _start_game(self) -> None:
        """Start the game that the header describes."""
        header = self._header
        sizes = header.keys() & {"pits", "stones"}
        rules = header.get("rules", Rules())
        if "board" in header and not sizes:
            start = header["board"]
            if header.get("mover") == NORTH:
                start = swap_sides(start)
            self.game = Kalah(pits_of(start.board), 0, rules)
        elif len(sizes) == 2 and not header.keys() & {"board", "mover"}:
            self.game = Kalah(header["pits"], header["stones"], rules)
            start = self.game.start()
        else:
            raise ValueError(
                "the header must have pits and stones, or board (and mover, if North moves first)"
            )
        self._states = [start]
        if start.player == NORTH:
            self._turns = 1

    def _read_turns(self, line: str) -> None:
        """Read a line with a turn of South's and a turn of North's."""
        if not self._states:
            self._start_game()
        is_norths_turn = self._turns % 2 == 1
        starts_with_north = is_norths_turn and not self._moves
        if is_norths_turn and not starts_with_north:
            raise ValueError(f"North's turn is missing before {line!r}")
        match = _TURNS.fullmatch(line)
        number = self._turns // 2 + 1
        if match is None or int(match[1]) != number:
            raise ValueError(f"{line!r} is not `{number}. MOVES MOVES`")
        turns = match[2].split()
        if starts_with_north:
            souths_turn = turns.pop(0)
            if souths_turn != "-":
                raise ValueError("North moves first; write `1. - MOVES`")
        for turn in turns:
            self._read_turn(turn)

    def _read_turn(self, text: str) -> None:
        mover = self._states[-1].player
        expected = NORTH if self._turns % 2 else SOUTH
        if mover != expected and not self.game.is_over(self._states[-1]):
            raise ValueError(f"{NAMES[mover]} earned an extra turn, but {text!r} is a new turn")
        for word in text.split(","):
            state = self._states[-1]
            move = parse_int(word, "move") - 1
            after = self.game.play(state, move)
            if state.player != mover:
                raise ValueError(f"move {word} of {text!r} is not an extra turn of {NAMES[mover]}")
            self._states.append(after)
            self._moves.append(move)
        self._turns += 1

    def record(self) -> GameRecord:
        """Check the result, and return the record of the game."""
        if not self._states:
            self._start_game()
        self._check_result(self._states[-1])
        players = self._header.get("south", ""), self._header.get("north", "")
        fault = self._header.get("fault", "")
        return GameRecord(self.game, self._states[0], tuple(self._moves), players, fault)

    def _check_result(self, last: State) -> None:
        result = self._header.get("result")
        if result is None:
            return
        if not self.game.is_over(last):
            raise ValueError(f"the result is {result}, but the game is not over")
        actual = "{}-{}".format(*self.game.outcome(last))
        if result != actual:
            raise ValueError(f"the result is {result}, but the game ends {actual}")


# The parsers of the header lines; each raises ValueError for a bad value. `Kalah` is made and
# dropped only because it checks the range of pits and stones.
_PARSERS: dict[str, Callable[[str], Any]] = {
    "pits": lambda text: Kalah(pits=parse_int(text, "pits")).pits,
    "stones": lambda text: Kalah(stones=parse_int(text, "stones")).stones,
    "board": parse_board,
    "mover": lambda text: lookup(
        "mover", text, {name: player for player, name in enumerate(NAMES)}
    ),
    "rules": parse_rules,
}
