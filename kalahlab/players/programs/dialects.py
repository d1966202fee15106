"""The dialects in which other programs are asked for moves; docs/arena.md describes them.

`DIALECTS` has them by name. A dialect writes a question and reads the answer.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kalahlab.formatting import StableRepr, to_json
from kalahlab.games import kalah
from kalahlab.games.kalah import Kalah, side, stores
from kalahlab.games.pie import SWAP, PieKalah
from kalahlab.games.registry import game_name, game_type_of_game
from kalahlab.games.rules import format_rules
from kalahlab.players.history import find_moves
from kalahlab.players.model import Fault

ALPHA_BETA = 3  # the task of the homework in which a program searches by alpha-beta


@dataclass(repr=False)
class Talk(StableRepr):
    """A game as a program has been told it so far.

    Attributes:
        game: `Kalah`, or `PieKalah` with the pie rule.
        start: The position in which the game begins.
        state: The position of the question. The program is to move.
        milliseconds: The time for the answer.
        depth: The depth that a program of the homework is told.
        told: The last position that the program was told; None before the first question.
        answered: The moves that the program has answered since.
        is_south: Whether the program is South in the words of the protocol.
    """

    game: Any
    start: Any
    state: Any
    milliseconds: int = 1000
    depth: int = 3
    told: Any = None
    answered: tuple[int, ...] = ()
    is_south: bool = True

    @property
    def rules_game(self) -> Kalah:
        """The game without the pie rule."""
        game: Kalah = self.game.kalah if isinstance(self.game, PieKalah) else self.game
        return game

    @property
    def pits(self) -> int:
        return kalah.pits_of(self.state.board)

    @property
    def is_first(self) -> bool:
        """Whether the program makes the first move of the game."""
        return bool(self.state.player == self.start.player)

    @property
    def begins_as_usual(self) -> bool:
        return bool(self.start == self.game.start())

    def sides(self, state: Any) -> tuple[list[int], list[int]]:
        """Return the pits and the store of the program, then those of the opponent."""
        own, other = self.state.player, 1 - self.state.player
        return (
            [*side(state.board, own), stores(state.board)[own]],
            [*side(state.board, other), stores(state.board)[other]],
        )

    def find_news(self) -> list[tuple[Any, int, Any]]:
        """Return each move since `told`: the position before it, the move, the position after it.

        Raises:
            ValueError: No moves lead from the one position to the other.
        """
        before = self.start if self.told is None else self.told
        news = []
        for move in (*self.answered, *self._find_moves_after_answer()):
            after = self.game.play(before, move)
            news.append((before, move, after))
            before = after
        return news

    def _find_moves_after_answer(self) -> tuple[int, ...]:
        """Return the moves since the program's last answer."""
        before = self.start if self.told is None else self.told
        for move in self.answered:
            before = self.game.play(before, move)
        can_swap = isinstance(self.game, PieKalah) and SWAP in self.game.moves(before)
        if can_swap and self.game.play(before, SWAP) == self.state:
            return (SWAP,)
        last, wanted = kalah.State(*before[:2]), kalah.State(*self.state[:2])
        moves = find_moves(self.rules_game, last, wanted, mover=last.player)
        if moves is None:
            raise ValueError(f"no moves lead from {last} to {wanted}")
        return moves


def parse_number(text: str, first: int) -> int:
    """Return the pit, from 0, of a number; `first` is the number of the first pit.

    Raises:
        Fault: The text is not a whole number, or is less than `first`.
    """
    try:
        pit = int(text) - first
    except ValueError:
        raise Fault("unreadable", f"answers {text[:40]!r} in place of a number") from None
    if pit < 0:  # -1 is `SWAP`
        raise Fault("illegal", f"answers {text[:40]!r}; the first pit is {first}")
    return pit


class Dialect(StableRepr):
    """A way to ask a program for moves.

    Attributes:
        has_one_answer: Whether a process answers one question and ends. Its last line counts.
        is_stateless: Whether a process may be asked about another game.
        goodbye: The text at the end of a game.
        input_file: The file of the question, if it is not written to stdin.
        output_file: The file of the answer, if it is not read from stdout.
    """

    has_one_answer = False
    is_stateless = False
    goodbye = ""
    input_file = ""
    output_file = ""

    def arguments(self, talk: Talk) -> tuple[str, ...]:
        """Return what is added to the command."""
        return ()

    def first_pit(self, talk: Talk) -> int:
        """Return the number that the program's first pit has in its answers."""
        return 1

    def ask(self, talk: Talk) -> str:
        """Return the text of a question."""
        raise NotImplementedError

    def parse(self, answer: str, talk: Talk) -> tuple[int, ...]:
        """Return the moves of an answer, usually one; raise `Fault` if it cannot be read."""
        return (parse_number(answer, self.first_pit(talk)),)


class Kgpc(Dialect):
    """The dialect of kgpc, the Kalah Game Protocol's client for programs.

    A process gets one position, from the side of the player to move, as four lines: the pits a
    side, the two stores, the own pits, the opponent's pits. It writes pits from 0, as many as it
    likes. Its end, or that of its time, makes the last one its move.
    Source: KWARC/kalah-game, client/kgpc/README.
    """

    has_one_answer = True

    def ask(self, talk: Talk) -> str:
        own, other = talk.sides(talk.state)
        rows = [[talk.pits], [own[-1], other[-1]], own[:-1], other[:-1]]
        return "".join(f"{' '.join(map(str, row))}\n" for row in rows)

    def first_pit(self, talk: Talk) -> int:
        return 0


class Buet(Dialect):
    """The dialect of BUET's contest: a line of 2m+2 numbers in, a pit from 1 out.

    The command gets the argument 1 if the program moves first, else 2. The board begins with the
    pits and the store of the player who moves first.
    Source: buetcse17/Mancala-Contest-Kit, README.md and referee.py.
    """

    is_stateless = True

    def arguments(self, talk: Talk) -> tuple[str, ...]:
        return ("1" if talk.is_first else "2",)

    def ask(self, talk: Talk) -> str:
        own, other = talk.sides(talk.state)
        board = [*own, *other] if talk.is_first else [*other, *own]
        return f"{' '.join(map(str, board))}\n"


class Manchester(Dialect):
    """The dialect of the course COMP34120, Manchester: START, CHANGE and END in, MOVE or SWAP out.

    The program is told each move with the board after it. A game that does not begin on the usual
    board begins for it as for North, with a CHANGE.
    Source: crisbodnar/KalahAI, doc/protocol.txt.
    """

    goodbye = "END\n"

    def ask(self, talk: Talk) -> str:
        lines = list[str]()
        is_new = talk.told is None
        if is_new:
            talk.is_south = talk.is_first and talk.begins_as_usual
            lines.append(f"START;{'South' if talk.is_south else 'North'}")
            if talk.state == talk.start and not talk.is_south:
                lines.append(self._change(talk, "1", talk.state))  # the move is not known
        for before, move, after in talk.find_news():
            name = str(move + 1)
            if move == SWAP:
                if before.player == talk.state.player:
                    continue  # a program is not told that it has exchanged sides
                name = "SWAP"
                talk.is_south = not talk.is_south
            lines.append(self._change(talk, name, after))
        return "".join(f"{line}\n" for line in lines)

    def _change(self, talk: Talk, move: str, state: Any) -> str:
        own, other = talk.sides(state)
        north_first = [*other, *own] if talk.is_south else [*own, *other]
        turn = "YOU" if state.player == talk.state.player else "OPP"
        return f"CHANGE;{move};{','.join(map(str, north_first))};{turn}"

    def parse(self, answer: str, talk: Talk) -> tuple[int, ...]:
        if answer == "SWAP":
            talk.is_south = not talk.is_south
            return (SWAP,)
        word, _, number = answer.partition(";")
        if word != "MOVE":
            raise Fault("unreadable", f"answers {answer[:40]!r} in place of MOVE;N or SWAP")
        return super().parse(number, talk)


class Nmsu(Dialect):
    """The dialect of CS475, NMSU: `move`, `opponent N` and `quit` in, a number out.

    The pits of the player who moves first are 0 to m-1, those of the other m+1 to 2m. The program
    is told no board, so that it plays from the usual start only.
    Source: the course's project page, as noted in its archive; not its program.
    """

    goodbye = "quit\n"

    def ask(self, talk: Talk) -> str:
        if not talk.begins_as_usual:
            raise ValueError("a program that is told moves and no board begins at the usual start")
        base = talk.pits + 1 if talk.is_first else 0  # of the opponent's pits
        lines = list[str]()
        for before, move, _ in talk.find_news():
            if before.player != talk.state.player:
                lines.append(f"opponent {base + move}\n")
        return "".join([*lines, "move\n"])

    def first_pit(self, talk: Talk) -> int:
        return 0 if talk.is_first else talk.pits + 1


class Homework(Dialect):
    """The dialect of the Mancala homework: the file input.txt in, next_state.txt out.

    The program runs in a folder of its own with the file. Its answer is the board after its turn.
    """

    has_one_answer = True
    input_file = "input.txt"
    output_file = "next_state.txt"

    def ask(self, talk: Talk) -> str:
        rows = [[ALPHA_BETA], [talk.state.player + 1], [talk.depth], *_rows(talk.state)]
        return "".join(f"{' '.join(map(str, row))}\n" for row in rows)

    def parse(self, answer: str, talk: Talk) -> tuple[int, ...]:
        try:
            north, south, (north_store,), (south_store,) = (
                [int(word) for word in line.split()] for line in answer.split("\n") if line.strip()
            )
        except ValueError:
            raise Fault("unreadable", f"writes {answer[:40]!r} in place of four lines") from None
        board = (*south, south_store, *north[::-1], north_store)
        own = talk.state.player
        for player in (1 - own, own):
            if len(board) != len(talk.state.board):
                break
            wanted = kalah.State(board, player)
            before = kalah.State(*talk.state[:2])
            moves = find_moves(talk.rules_game, before, wanted, mover=own)
            if moves:
                return moves
        raise Fault("illegal", f"writes a state that no turn leads to: {answer[:80]!r}")


def _rows(state: Any) -> list[list[int]]:
    """Return the rows of a board in the homework's order: both rows, then North's store first."""
    south_store, north_store = stores(state.board)
    north, south = side(state.board, kalah.NORTH)[::-1], side(state.board, kalah.SOUTH)
    return [[*north], [*south], [north_store], [south_store]]


class Json(Dialect):
    """JSON lines: a position in, an object with the `move` out; `kalahlab serve` speaks it, too.

    The position has `game`, `board`, `rules` and `milliseconds`. The player to move is South. The
    move is a pit from 1, or "swap" with the pie rule. Other fields of the answer are ignored.
    """

    is_stateless = True

    def ask(self, talk: Talk) -> str:
        question = {
            "game": game_name(talk.game),
            "board": game_type_of_game(talk.game).format(talk.state),
            "rules": format_rules(talk.rules_game.rules),
            "milliseconds": talk.milliseconds,
        }
        return to_json(question) + "\n"

    def parse(self, answer: str, talk: Talk) -> tuple[int, ...]:
        try:
            move = json.loads(answer)["move"]
        except (ValueError, TypeError, LookupError, RecursionError):
            raise Fault(
                "unreadable", f'answers {answer[:40]!r} in place of {{"move": N}}'
            ) from None
        if move == "swap":
            return (SWAP,)
        return super().parse(str(move), talk)


DIALECTS: dict[str, Callable[[], Dialect]] = {
    "kgpc": Kgpc,
    "buet": Buet,
    "manchester": Manchester,
    "nmsu": Nmsu,
    "homework": Homework,
    "json": Json,
}
