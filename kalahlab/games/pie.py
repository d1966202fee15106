"""Kalah with the pie rule: after the first player's first turn the second may exchange sides.

A position is written as one of Kalah, with a word behind it: `<6,0,0,4,...> first` in the first
turn, `<6,1,0,...> offered` if the mover may exchange sides, and no word after that.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from kalahlab.games import kalah, notation
from kalahlab.games.kalah import Board, Kalah
from kalahlab.games.rules import STANDARD
from kalahlab.names import did_you_mean

NAMES = kalah.NAMES
EXAMPLE = "<2,0,0,3,3,3,3> first"
SWAP = -1  # the move that exchanges sides; all other moves are pits

Phase = Literal["first", "offered", "over"]
PHASES = ("first", "offered")  # those that are written


class State(NamedTuple):
    """A position, and whether the first turn or the offer to exchange sides is still to come."""

    board: Board
    player: int
    phase: Phase


@dataclass(frozen=True, slots=True)
class PieKalah:
    """Kalah in which the second player may exchange sides in place of the first move.

    After an exchange the second player owns the pits and the store of the first, and the first
    player moves. Source of the rule as a move: the protocol of the course COMP34120, Manchester.
    """

    kalah: Kalah = field(default_factory=Kalah)

    def start(self) -> State:
        return State(*self.kalah.start(), "first")

    def moves(self, state: State) -> tuple[int, ...]:
        """Return the pits that can be sown, and `SWAP` if sides may be exchanged."""
        pits = self.kalah.moves(_without_phase(state))
        if state.phase == "offered" and pits:
            return (*pits, SWAP)
        return pits

    def play(self, state: State, move: int) -> State:
        before = _without_phase(state)
        if move == SWAP:
            if SWAP not in self.moves(state):
                raise ValueError("sides can be exchanged only right after the first turn")
            return State(*kalah.swap_sides(before), "over")
        after = self.kalah.play(before, move)
        phase: Phase = "over"
        if state.phase == "first":
            phase = "first" if after.player == state.player else "offered"
        return State(*after, phase)

    def is_over(self, state: State) -> bool:
        return self.kalah.is_over(_without_phase(state))

    def move_name(self, state: State, move: int) -> str:
        if move == SWAP:
            return "swap"
        return self.kalah.move_name(_without_phase(state), move)

    def margin(self, state: State, player: int) -> int:
        return self.kalah.margin(_without_phase(state), player)


def _without_phase(state: State) -> kalah.State:
    return kalah.State(state.board, state.player)


def new_game(pits: int = 6, stones: int = 4, rules: Any = STANDARD) -> PieKalah:
    return PieKalah(Kalah(pits, stones, rules))


def parse_position(text: str, game: PieKalah) -> tuple[PieKalah, State]:
    """Parse a position, with South to move; raise a one-line ValueError for other text."""
    board, _, word = text.strip().rpartition(" ")
    if not board or word.endswith(">"):
        board, word = text, "over"
    elif word not in PHASES:
        hint = did_you_mean(word, PHASES)
        raise ValueError(f"{word!r} behind a board is unknown; use {' or '.join(PHASES)}{hint}")
    phase: Any = word
    state = notation.parse_board(board)
    resized = replace(game.kalah, pits=kalah.pits_of(state.board), stones=0)
    return PieKalah(resized), State(*state, phase)


def format_position(state: State) -> str:
    board = notation.format_board(_without_phase(state))
    return f"{board} {state.phase}" if state.phase in PHASES else board


def draw_position(state: State) -> str:
    """Draw the board, with a line on the offer if there is one."""
    drawing = notation.draw_board(_without_phase(state))
    if state.phase == "offered":
        drawing += f"\n{NAMES[state.player]} may exchange sides: swap"
    return drawing
