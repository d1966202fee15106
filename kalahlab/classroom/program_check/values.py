"""What a program's values mean: at leaves, and of finished games; and what is wrong with them."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import NamedTuple

from kalahlab.classroom.program_check.diagnosis import is_same
from kalahlab.classroom.program_check.flawed import FlawedGame, NoLeaf
from kalahlab.classroom.program_check.mistakes import KnownMistake
from kalahlab.classroom.program_check.positions import random_state
from kalahlab.classroom.program_check.recognise import Program, enrich
from kalahlab.formatting import StableRepr, format_number
from kalahlab.games.kalah import Board, State, stones_in_play, stores

INF = float("inf")
MARGINS = 7, -7, 3, -3, 1, -1
STORES = 24  # in both stores of the finished games that are tried


def _mistake(name: str, description: str, remedy: str) -> KnownMistake:
    return KnownMistake(name, "search", description, remedy, {})


VALUE_OPPOSITE = _mistake(
    "value-opposite",
    "takes what is good for a player as bad: its values have the wrong sign",
    "The player who chooses the largest value must be the one for whom large values are good.",
)
WRONG_SIDE = _mistake(
    "leaf-from-wrong-side",
    "values a leaf from another side than its search: the sign depends on whose turn it is",
    "In minimax a leaf has the value for MAX, whoever moves; in negamax that for the player to "
    "move.",
)
NOT_TESTED = _mistake(
    "end-not-tested",
    "does not test whether the game is over: a position without moves has the value with which "
    "the search of the best one begins",
    "Test first whether the game is over, and return its value.",
)
CRASHES_AT_END = _mistake(
    "crash-at-end",
    "fails on a finished game",
    "Test first whether the game is over, and return its value.",
)
WORTH_NOTHING = _mistake(
    "finished-worth-nothing",
    "gives each finished game the same value, whoever has won",
    "The value of a finished game is the margin of the stores, or tells who has won.",
)
ONE_PLY_LESS = _mistake(
    "one-ply-less",
    "searches one ply less than its depth",
    "Depth 1 looks at the positions after one move: test depth == 0.",
)
ONE_PLY_MORE = _mistake(
    "one-ply-more",
    "searches one ply more than its depth",
    "Depth 1 looks at the positions after one move: test depth == 0.",
)
UNASKED = "known to the search only after a move, not at the position that it is given"


def _pits_difference(board: Board) -> float:
    half = len(board) // 2
    return sum(board[: half - 1]) - sum(board[half:-1])


def _store_difference(board: Board) -> float:
    south, north = stores(board)
    return south - north


FORMULAS: dict[str, Callable[[Board], float]] = {
    "store difference": _store_difference,
    "difference of stores and pits": lambda board: (
        _store_difference(board) + _pits_difference(board)
    ),
    "difference of pits": _pits_difference,
    "stones in South's store": lambda board: stores(board)[0],
    "share of the stores": lambda board: _store_difference(board) / (sum(board) or 1),
}
"""Values of a board for South, by what they are called."""


class LeafPair(NamedTuple):
    """A board, and its values for South when South moves, and when North moves."""

    board: Board
    souths: float
    norths: float


@dataclass(frozen=True, repr=False)
class Example(StableRepr):
    """A call that shows a mistake: what was returned, and what is right, as text."""

    state: State
    depth: float
    given: str
    expected: str


@dataclass(frozen=True, repr=False)
class ValueFindings(StableRepr):
    """What is known about the values of a program.

    Attributes:
        leaves: The value of a leaf, in words.
        finished: The value of a finished game, in words.
        mistakes: What is wrong, each with an example.
    """

    leaves: str
    finished: str
    mistakes: tuple[tuple[KnownMistake, Example], ...]

    @property
    def has_end(self) -> bool:
        """Whether finished games have values, so that a search can be compared."""
        ends = (NOT_TESTED, CRASHES_AT_END)
        return self.finished != UNASKED and not any(mistake in ends for mistake, _ in self.mistakes)


def souths_value(program: Program, state: State, depth: float) -> float | None:
    """Return the program's value as South sees it; None without one."""
    value = program.ask(state, depth).value
    if value is None:
        return None
    view = program.form.view
    is_souths = view == "south" or (view == "mover" and state.player == 0)
    return value if is_souths else -value


def check_values(program: Program, pits: int, game: FlawedGame) -> ValueFindings:
    """Find out what the values at leaves and of finished games mean."""
    mistakes: list[tuple[KnownMistake, Example]] = []
    leaves = "none: it searches to the end of the game"
    if program.form.has_depth:
        leaves = _check_leaves(program, pits, game, mistakes)
    finished = _check_finished(program, pits, mistakes)
    return ValueFindings(leaves, finished, tuple(mistakes))


def _sample_states(pits: int) -> list[State]:
    rng = Random(2)
    return [random_state(rng, pits, 3 + index % 9) for index in range(30)]


def _list_pairs(program: Program, pits: int) -> list[LeafPair]:
    """Return the values of some boards when South moves, and when North moves."""
    boards = [state.board for state in _sample_states(pits)]
    program.call_ahead((State(board, mover), 0) for board in boards for mover in (0, 1))
    pairs = []
    for board in boards:
        one, other = (souths_value(program, State(board, mover), 0) for mover in (0, 1))
        if one is not None and other is not None:
            pairs.append(LeafPair(board, one, other))
    return pairs


def describe_leaves(values: Sequence[tuple[Board, float]]) -> tuple[str, float]:
    """Return what the values of boards are for South, and by what they are multiplied.

    The description is "" and the factor 1 if no known formula gives them.
    """
    for name, formula in FORMULAS.items():
        factors = {round(value / formula(board), 9) for board, value in values if formula(board)}
        zeros = {value for board, value in values if not formula(board)}
        if len(factors) == 1 and zeros <= {0}:
            return name, factors.pop()
    return "", 1.0


def _check_leaves(
    program: Program,
    pits: int,
    game: FlawedGame,
    mistakes: list[tuple[KnownMistake, Example]],
) -> str:
    """Return what a leaf is worth, and add what is wrong."""
    pairs = _list_pairs(program, pits)
    if not pairs:
        return "unknown"
    name, factor = describe_leaves([pair[:2] for pair in pairs])
    if program.form.leaf_depth:
        state = State(pairs[0][0], 0)
        example = Example(state, 0, program.ask(state, 0).shown, "a search of one ply")
        mistakes.append((ONE_PLY_LESS, example))
    deeper = None
    with suppress(NoLeaf):  # a sowing function may fail
        deeper = None if name else _search_one_ply(program, pairs, game)
    if deeper:
        mistakes.append((ONE_PLY_MORE, deeper))
        return "unknown"
    nonzero = [(board, one, other) for board, one, other in pairs if one]
    if nonzero and all(is_same(one, -other) for _, one, other in nonzero):
        board, one, other = nonzero[0]
        output = f"{format_number(one)} if South moves, {format_number(other)} if North moves"
        example = Example(State(board, 1), 0, f"for South: {output}", "the same for both")
        mistakes.append((WRONG_SIDE, example))
    elif opposite := _find_opposite(program, pairs, factor if name else 0):
        mistakes.append((VALUE_OPPOSITE, opposite))
    if not name:
        return "values of its own evaluator"
    return name if abs(factor) == 1 else f"{format_number(abs(factor))} × {name}"


def _search_one_ply(
    program: Program, pairs: Sequence[LeafPair], game: FlawedGame
) -> Example | None:
    """Return an example if the values at depth 0 are those of a search of one ply."""
    for formula in FORMULAS.values():
        example = None
        for board, *values in pairs:
            for mover, value in enumerate(values):
                state = State(board, mover)
                best = _choose(mover, _child_values(state, game, formula))
                if value != best:
                    break
                if best != formula(board):
                    example = Example(state, 0, program.ask(state, 0).shown, "its static value")
            else:
                continue
            break
        else:
            return example
    return None


def _choose(mover: int, values: Sequence[float]) -> float:
    """Return the best of South's values for a player."""
    return min(values) if mover else max(values)


def _child_values(state: State, game: FlawedGame, formula: Callable[[Board], float]) -> list[float]:
    """Return South's value after each move."""
    values = []
    for move in game.moves(state):
        child = game.play(state, move)
        board = game.final_board(child.board) if game.is_over(child) else child.board
        values.append(formula(board))
    return values


def _find_opposite(program: Program, pairs: Sequence[LeafPair], factor: float) -> Example | None:
    """Return an example if values fall when South's store grows."""
    better = worse = 0
    example = None
    richer = [enrich(State(board, 0), 5) for board, *_ in pairs]
    program.call_ahead((state, 0) for state in richer)
    for (board, value, _), state in zip(pairs, richer, strict=True):
        other = souths_value(program, state, 0)
        if other is None:
            continue
        better += 1 if other > value else 0
        if other < value:
            worse += 1
            output = f"{format_number(value)}, and {format_number(other)} with 5 stones more"
            example = Example(State(board, 0), 0, f"for South: {output} in South's store", "more")
    if factor < 0 or worse > 9 * max(better, 1):
        return example
    return None


def _check_finished(
    program: Program, pits: int, mistakes: list[tuple[KnownMistake, Example]]
) -> str:
    """Return what a finished game is worth, and add what is wrong."""
    values = list[tuple[int, float, float]]()
    program.call_ahead(
        (_end_state(pits, margin, mover), 1) for margin, mover in product(MARGINS, (0, 1))
    )
    for margin in MARGINS:
        states = [_end_state(pits, margin, mover) for mover in (0, 1)]
        both = [souths_value(program, state, 1) for state in states]
        for state, value in zip(states, both, strict=True):
            if value is None:
                problem = program.ask(state, 1).problem
                if problem:
                    example = Example(state, 1, problem, f"the value of a margin of {margin:+}")
                    mistakes.append((CRASHES_AT_END, example))
                return "unknown"
        one, other = (value or 0.0 for value in both)
        values.append((margin, one, other))
    names = {mistake.name for mistake, _ in mistakes}
    margin, one, other = values[0]
    state = _end_state(pits, margin, 0)
    example = Example(
        state, 1, f"for South: {format_number(one)}", f"a value for a margin of {margin:+}"
    )
    alike = {one for _, one, _ in values}, {other for _, _, other in values}
    if len(alike[0]) == len(alike[1]) == 1:
        if alike[0] == alike[1]:
            mistakes.append((WORTH_NOTHING, example))
        elif _tests_end_inside(program, pits, {one, other}):
            return UNASKED
        else:
            output = f"for South: {format_number(one)} if South moves, {format_number(other)} if "
            mistakes.append((NOT_TESTED, Example(state, 1, f"{output}North moves", "the same")))
        return format_number(one)
    return _describe_finished(values, example, names, mistakes)


def _tests_end_inside(program: Program, pits: int, starts: set[float]) -> bool:
    """Return whether a search has a value after a move that ends the game."""
    board = [0] * (2 * pits + 2)
    board[pits - 1], board[pits + 1] = 1, 2  # the last stone earns South another turn
    value = souths_value(program, State(tuple(board), 0), 2)
    return value is not None and value not in starts


def _describe_finished(
    values: Sequence[tuple[int, float, float]],
    example: Example,
    names: set[str],
    mistakes: list[tuple[KnownMistake, Example]],
) -> str:
    """Return the convention of the values of finished games, and add a wrong sign."""
    if all(value * margin < 0 for margin, value, _ in values):
        if not names:
            mistakes.append((VALUE_OPPOSITE, example))
        return "the opposite of the margin"
    factors = {round(value / margin, 9) for margin, value, _ in values}
    if factors == {1.0}:
        return "the margin in stones"
    if len(factors) == 1:
        return f"{format_number(factors.pop())} × the margin"
    wins = {value for margin, value, _ in values if margin > 0}
    if len(wins) == 1:
        return f"{format_number(wins.pop())} for a win of South"
    return "values of its own"


def _end_state(pits: int, margin: int, mover: int) -> State:
    """Return a finished game with this margin for South."""
    souths = (STORES + margin) // 2
    empty = (0,) * pits
    state = State((*empty, souths, *empty, souths - margin), mover)
    assert stones_in_play(state.board) == 0
    return state


def describe_evaluator(program: Program, pits: int) -> str:
    """Return the formula that an evaluator has, "" if none that is known."""
    values = []
    for state in _sample_states(pits):
        value = souths_value(program, state, 0)
        if value is None:
            return ""
        values.append((state.board, value))
    return describe_leaves(values)[0]


def check_evaluator(program: Program, pits: int) -> ValueFindings:
    """Find out what an evaluator computes, and what is wrong with it."""
    mistakes: list[tuple[KnownMistake, Example]] = []
    pairs = _list_pairs(program, pits)
    name, factor = describe_leaves([pair[:2] for pair in pairs])
    if opposite := _find_opposite(program, pairs, factor if name else 0):
        mistakes.append((VALUE_OPPOSITE, opposite))
    finished = _check_finished(program, pits, mistakes)
    if name and factor != 1:
        name = f"{format_number(factor)} × {name}"
    return ValueFindings(name or "its own", finished, tuple(mistakes))


def does_count_rest(program: Program, pits: int) -> bool:
    """Return whether a program counts the stones that are left in the pits of a finished game."""
    swept, unswept = _end_state(pits, 3, 0).board, [*_end_state(pits, 3, 0).board]
    unswept[0], unswept[pits] = unswept[pits], 0
    states = State(tuple(unswept), 0), State(swept, 0)
    one, other = (souths_value(program, state, 1) for state in states)
    return one == other
