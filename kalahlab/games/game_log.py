"""Games as they were played, with the effects of each sow."""

from dataclasses import dataclass

from kalahlab.games.game_text import GameRecord
from kalahlab.games.kalah import NAMES, NORTH, SOUTH, Kalah, State, sow, stores
from kalahlab.games.notation import draw_board
from kalahlab.games.supported import unknown_part


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One sow of a game and its effects.

    Attributes:
        mover: The player who sows.
        pit: The pit that is sown, from 0.
        state: The state after the sow.
        extra_turn: True if the mover moves again.
        captured: The captured stones, including the capturing one.
        swept: The stones that went into the stores because the sow ended the game.
        ends: True if the sow ended the game.

    `captured` and `swept` are None if the game may sow in another way than `sow`: a game that
    derives from Kalah, or rules that `games.supported` does not list.
    """

    mover: int
    pit: int
    state: State
    extra_turn: bool
    captured: int | None
    swept: int | None
    ends: bool

    def __str__(self) -> str:
        notes = [f"{NAMES[self.mover]} sows pit {self.pit + 1}"]
        if self.captured:
            notes.append(f"captures {self.captured}")
        if self.extra_turn:
            notes.append("moves again")
        if self.ends:
            notes.append("ends the game")
        if self.swept:
            unit = "stone" if self.swept == 1 else "stones"
            notes.append(f"{self.swept} {unit} swept")
        return ", ".join(notes)


@dataclass(frozen=True, slots=True)
class GameLog:
    """A game from its first state, with its moves."""

    game: Kalah
    start: State
    moves: tuple[MoveRecord, ...]

    @property
    def states(self) -> list[State]:
        return [self.start, *(move.state for move in self.moves)]

    @property
    def final(self) -> State:
        if not self.moves:
            return self.start
        return self.moves[-1].state

    @property
    def stores(self) -> tuple[int, int]:
        """The stones of South and of North at the end."""
        return self.game.outcome(self.final)

    @property
    def choices(self) -> list[tuple[State, int]]:
        """Each position in which a move was made, with the pit (from 0) that was sown."""
        # Not strict: there is one state more than moves, the last.
        return [(state, move.pit) for state, move in zip(self.states, self.moves, strict=False)]

    @property
    def margin(self) -> int:
        """The margin of South over North at the end, as the game itself defines it."""
        return self.game.margin(self.final, SOUTH)

    @property
    def winner(self) -> str:
        """The name of the winner, or `draw`."""
        if self.margin == 0:
            return "draw"
        if self.margin > 0:
            return NAMES[SOUTH]
        return NAMES[NORTH]

    @property
    def outcome(self) -> str:
        """The winner in words: `South wins, 20 to 4`.

        The text is `South wins by 3` in a derived game whose margin is not the difference of the
        stores.
        """
        south, north = self.stores
        result = "a draw" if self.winner == "draw" else f"{self.winner} wins"
        if south - north == self.margin:
            return f"{result}, {south} to {north}"
        if self.margin:
            return f"{result} by {abs(self.margin)}"
        return result

    def record(self, south: str = "", north: str = "") -> GameRecord:
        """Return the record of the game, without effects of moves, with the players' names."""
        moves = tuple(move.pit for move in self.moves)
        return GameRecord(self.game, self.start, moves, (south, north))

    def __str__(self) -> str:
        parts = [draw_board(self.start, self.game.rules)]
        for number, move in enumerate(self.moves, start=1):
            parts.append(f"{number}. {move}\n{draw_board(move.state, self.game.rules)}")
        parts.append(self.outcome)
        return "\n\n".join(parts)


def replay(record: GameRecord) -> GameLog:
    """Play the moves of a record and return the game with the effects of each move.

    Raises:
        ValueError: A move is illegal.
    """
    pairs = zip(record.states, record.moves, strict=False)  # no move follows the last state
    moves = (make_move(record.game, state, move) for state, move in pairs)
    return GameLog(record.game, record.start, tuple(moves))


def make_move(game: Kalah, state: State, pit: int) -> MoveRecord:
    """Sow a pit (from 0) and return the move with its effects; raise `ValueError` if illegal."""
    after = game.play(state, pit)
    captured, swept = None, None
    if not unknown_part(game, state):
        before_sweep = sow(state.board, state.player, pit, game.rules)
        captured = before_sweep.captured
        # The sweep is all that `play` does after the sow and the capture.
        swept = sum(stores(after.board)) - sum(stores(before_sweep.board))
    ends = game.is_over(after)
    extra_turn = after.player == state.player and not ends
    return MoveRecord(state.player, pit, after, extra_turn, captured, swept, ends)
