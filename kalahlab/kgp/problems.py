"""The problems of the mode `verify`: a board and a move, of which an agent computes the result."""

from kalahlab.games.kalah import SOUTH, Kalah, State, pits_of, sow, sweep
from kalahlab.games.notation import format_board
from kalahlab.games.rules import PRESETS
from kalahlab.kgp.protocol import Argument

RULES = PRESETS["kgp"]
TRUE_WORDS, FALSE_WORDS = ("true", "t", "yes"), ("false", "f", "no")  # what go-kgp reads


def kalah_of(state: State) -> Kalah:
    """Return the game, by the rules of go-kgp, in which a position is played."""
    return Kalah(pits_of(state.board), 0, RULES)


def solve_problem(game: Kalah, state: State, pit: int) -> tuple[State, bool]:
    """Return the position after South sows a pit, and whether the last stone fell into the store.

    The pit counts from 0. South is the player to move in the result, too, whoever is next. As in
    go-kgp, the position may be one in which the game is over.
    """
    sowing = sow(state.board, SOUTH, pit, game.rules)
    board = sowing.board
    if game.is_over(State(board, SOUTH)):
        board = sweep(board, game.rules.rest_to)
    return State(board, SOUTH), sowing.last == pits_of(board)


def check_solution(game: Kalah, state: State, pit: int, args: tuple[Argument, ...]) -> str:
    """Return what is wrong with an agent's solution, or "".

    Clients differ in whether a move that ends the game in the store earns another one, so either
    is right.
    """
    after, is_repeat = solve_problem(game, state, pit)
    if len(args) != 2:
        return "Write solution BOARD NUMBER"
    board, repeat = args
    if board != after:
        return f"Expected state {format_board(after)}"
    if game.is_over(after) or read_flag(repeat) == is_repeat:
        return ""
    return "Was a repeat move" if is_repeat else "Was not a repeat move"


def read_flag(value: Argument) -> bool | None:
    """Return the truth of a number, 0 for false, or of a word of go-kgp; None for anything else."""
    if isinstance(value, int | float):
        return value != 0
    if value in TRUE_WORDS:
        return True
    if value in FALSE_WORDS:
        return False
    return None
