"""The Mancala homework: its input file, its searches, and the two files that it asks for.

    problem = read_problem(text)
    result = solve(problem, TraversalLog(problem, file.write))
    pits, after = whole_turn(problem.game, problem.state, result.line)
    file.write(board_lines(problem.game, after))

Player 1 is South: row B, from left to right, and the store on the right. Player 2 is North:
row A, which it sows from right to left, and the store on the left.

Source: "Homework #2: Adversarial Search", and its published grading cases. Our copy of the text
ends at the heading "Input", so that what is in the input file, the log and its form are the
grading cases'. So is that depth counts turns. The text says in two places when a game ends, once
when "one player cannot move on his or her turn", once when "all of his pits (except Mancala) are
empty"; in the cases it ends as soon as either row is empty. The rest goes to its owner, and a last
stone in an own empty pit is banked also if the opposite pit is empty.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from kalahlab.data import data_rows
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games import kalah
from kalahlab.games.kalah import EMPTY_CAPTURE, NORTH, SOUTH, Kalah, Rules, State
from kalahlab.search import ALGORITHMS, Depth, Result
from kalahlab.search.deep_enough import Unit
from kalahlab.search.model import INF, Node
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Tree

GREEDY, MINIMAX, ALPHA_BETA, COMPETITION = 1, 2, 3, 4

TASKS = {GREEDY: "greedy", MINIMAX: "minimax", ALPHA_BETA: "alpha_beta"}
"""The searches that the tasks ask for; the text never specifies the fourth."""

LINES = (
    "the task",
    "our player",
    "the cut-off depth",
    "the row of player 2",
    "the row of player 1",
    "the store of player 2",
    "the store of player 1",
)
"""What the lines of the input file hold, rows from left to right."""

PRINTED_E, PRINTED_AGAIN = {"B2": 0, "B5": 1}, "B4"
"""What the text says of its figure, 2 x 6 with four stones a pit: E(p) after two of player 1's
pits, and a pit after which that player goes on with any other one."""

FEWEST, MOST, STONES = 3, 10, 1000
"""Pits a side, and the most stones in a pit."""


@dataclass(frozen=True, slots=True)
class Mancala(Kalah):
    """Kalah in all but the names of its pits: their columns, A2.. above and B2.. below."""

    rules: Rules = EMPTY_CAPTURE

    def move_name(self, state: State, move: int) -> str:
        """The pit's row and column, as on the homework's figure."""
        if state.player == SOUTH:
            return f"B{move + 2}"
        return f"A{kalah.pits_of(state.board) + 1 - move}"


@dataclass(frozen=True, slots=True)
class Problem:
    """What the input file says: the task, the cut-off in turns, and who moves on which board.

    rules, unit: as the grading cases have them; the text leaves both open.
    """

    task: int
    cutoff: int
    state: State
    rules: Rules = EMPTY_CAPTURE
    unit: Unit = "turn"

    @property
    def game(self) -> Mancala:
        """The game by the rules of the homework."""
        return Mancala(kalah.pits_of(self.state.board), 0, self.rules)


def column_order(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """From left to right for both players, so the pit nearest the store first for player 2."""
    return children[::-1] if node.state.player == NORTH else children


def solve(problem: Problem, observer: Observer | None = None) -> Result:
    """The search of task 1, 2 or 3; greedy ignores the cut-off.

    Raises `ValueError` if lines of play get too long for Python's stack (some 300 sows).
    """
    args = (problem.game, problem.state, store_difference, Depth(problem.cutoff, problem.unit))
    try:
        return ALGORITHMS[TASKS[problem.task]](*args, column_order, observer)
    except RecursionError:
        raise too_deep(problem) from None


def too_deep(problem: Problem) -> ValueError:
    """The error for a cut-off that leads to lines of play which Python's stack does not hold."""
    return ValueError(
        f"line 3: {LINES[2]} {problem.cutoff} leads to lines of play too long to be "
        "followed; use a smaller one"
    )


def whole_turn(game: Kalah, state: State, line: Iterable[int]) -> tuple[tuple[int, ...], State]:
    """The moves of a line of play that belong to the mover's turn, and the state after them."""
    mover, pits = state.player, []
    for pit in line:
        if state.player != mover:
            break
        pits.append(pit)
        state = game.play(state, pit)
    return tuple(pits), state


# The input file, and a board as it is written.


def read_problem(text: str) -> Problem:
    """The input file. Raises `ValueError`, in one line, naming the line and what it should be."""
    lines = [line.split() for line in text.splitlines()]
    (task,), (player,) = _numbers(lines, 1, 1, COMPETITION), _numbers(lines, 2, 1, 2)
    (cutoff,) = _numbers(lines, 3, 1, None)
    north, south = (_numbers(lines, at, 0, STONES, row=True) for at in (4, 5))
    if len(south) != len(north):
        raise ValueError(
            f"line 5: {LINES[4]} has {len(south)} pits; use {len(north)}, as in line 4"
        )
    most = 2 * len(south) * STONES
    board = (*south, *_numbers(lines, 7, 0, most), *north[::-1], *_numbers(lines, 6, 0, most))
    for at, words in enumerate(lines[len(LINES) :], start=len(LINES) + 1):
        if words:
            raise ValueError(f"line {at}: {_short(words)} is too much; leave it out")
    return Problem(task, cutoff, State(board, player - 1))


def _numbers(
    lines: Sequence[Sequence[str]], at: int, least: int, most: int | None, row: bool = False
) -> tuple[int, ...]:
    """The numbers of a line, each from `least` to `most` (None: no upper limit).

    row: as many as a row has pits, from left to right; else there is one.
    """
    words, said = lines[at - 1] if at <= len(lines) else (), f"line {at}: {LINES[at - 1]}"
    if not words:
        raise ValueError(f"line {at} is missing: {LINES[at - 1]}")
    if row and not FEWEST <= len(words) <= MOST:
        raise ValueError(f"{said} has {len(words)} pits; use {FEWEST} to {MOST}")
    if not row and len(words) != 1:
        raise ValueError(f"{said} is {_short(words)}; use one number")
    for word in words:
        number = int(word) if re.fullmatch("[0-9]{1,18}", word) else -1
        if number < least or (most is not None and number > most):
            fix = f"from {least} to {most}" if most is not None else f"of {least} or more"
            raise ValueError(f"{said} has {_short([word])}; use whole numbers {fix}")
    return tuple(map(int, words))


def _short(words: Sequence[str]) -> str:
    """What stands in a line, in quotes, as far as it is worth repeating."""
    text = " ".join(words)
    return repr(text if len(text) <= 30 else f"{text[:30]}…")


def board_lines(game: Kalah, state: State, swept: bool = True) -> str:
    """A board as the four last lines of the input file have it, the rest of a game banked."""
    ended = swept and game.over(state)
    board = kalah.sweep(state.board, game.rules.rest_to) if ended else state.board
    south_store, north_store = kalah.stores(board)
    north, south = kalah.side(board, NORTH)[::-1], kalah.side(board, SOUTH)
    rows = (north, south, (north_store,), (south_store,))
    return "".join(f"{' '.join(map(str, row))}\n" for row in rows)


# The grading cases.


class Case(NamedTuple):
    """A published grading case: the input, and the board that it wants after our turn."""

    name: str
    problem: Problem
    after: str

    def met(self, rules: Rules = EMPTY_CAPTURE, unit: Unit = "turn") -> bool:
        """Whether that board comes out under these rules, with depth in this unit.

        Alpha-beta stands for minimax: it finds the same turn.
        """
        task = GREEDY if self.problem.task == GREEDY else ALPHA_BETA
        problem = replace(self.problem, task=task, rules=rules, unit=unit)
        after = whole_turn(problem.game, problem.state, solve(problem).line)[1]
        return board_lines(problem.game, after) == self.after


@cache
def grading_cases() -> tuple[Case, ...]:
    """`data/homework_cases.csv`."""
    return tuple(
        Case(
            row["case"],
            read_problem(row["input"].replace("/", "\n")),
            row["next_state"].replace("/", "\n") + "\n",
        )
        for row in data_rows("homework_cases.csv")
    )


# The log.


@dataclass(slots=True)
class _Open:
    """A node entered and not yet left: what its next line says. No value yet: not expanded."""

    node: Node
    name: str
    depth: int
    alpha: float
    beta: float
    value: float | None = None

    def take(self, value: float) -> None:
        """Take a child's value: a better one narrows the window, unless it cuts."""
        assert self.value is not None
        if self.node.maximizing:
            self.value = max(self.value, value)
            if self.value < self.beta:
                self.alpha = max(self.alpha, self.value)
        else:
            self.value = min(self.value, value)
            if self.value > self.alpha:
                self.beta = min(self.beta, self.value)


class TraversalLog(Observer):
    """The observer that writes the traversal log of a search, line by line as it goes.

    write: is given one line at a time, its end included; nothing is kept but the path to the
    node of the moment. mark: whether to write the lines of finished games that the grading
    cases mark as optional. The window stands in the log of task 3 only.

    A line says a node's name, its depth (that of the turn which led to it), and its value: as
    an inner node is expanded, infinite; after each of its children; and for a leaf once.
    """

    def __init__(
        self, problem: Problem, write: Callable[[str], object], mark: bool = False
    ) -> None:
        self._game, self._write, self._mark = problem.game, write, mark
        self._windows = problem.task == ALPHA_BETA
        self._path: list[_Open] = []
        write("Node,Depth,Value,Alpha,Beta\n" if self._windows else "Node,Depth,Value\n")

    def enter(self, node: Node, alpha: float, beta: float) -> None:
        """Keep the node's name, depth and window for its lines."""
        name, depth = "root", 0
        if self._path:
            above = self._path[-1].node
            name, depth = self._game.move_name(above.state, node.move), above.turns + 1
        self._path.append(_Open(node, name, depth, alpha, beta))

    def expand(self, node: Node, children: Sequence[Node]) -> None:
        """Write the line of a node with the value that it starts with."""
        inner = self._path[-1]
        inner.value = -INF if node.maximizing else INF
        self._line(inner, spelled(inner.value))

    def leave(self, node: Node, value: float) -> None:
        """Write the line of a leaf, and of the parent with the value that it has now."""
        left = self._path.pop()
        if left.value is None:
            if self._mark and self._game.over(node.state):
                self._line(left, "+/-Infinity", "\tOPTIONAL")
            self._line(left, spelled(value))
        if self._path:
            above = self._path[-1]
            above.take(value)
            assert above.value is not None
            self._line(above, spelled(above.value))

    def _line(self, node: _Open, value: str, remark: str = "") -> None:
        window = f",{spelled(node.alpha)},{spelled(node.beta)}" if self._windows else ""
        self._write(f"{node.name},{node.depth},{value}{window}{remark}\n")


def spelled(value: float) -> str:
    """A value or a bound as the log has it."""
    if abs(value) == INF:
        return "Infinity" if value > 0 else "-Infinity"
    return str(int(value))
