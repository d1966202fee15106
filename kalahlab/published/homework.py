"""The Mancala homework: its input file, and a program that writes the two files it asks for.

    next_state, log = written(read_problem(text))

Player 1 is South: row B, from left to right, and the store on the right. Player 2 is North:
row A, which it sows from right to left, and the store on the left.

Source: "Homework #2: Adversarial Search", and its published grading cases. Our copy of the text
ends at the heading "Input": the form of the files, that depth counts turns, and that a game ends as
soon as either row is empty, are the grading cases'.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, cycle, islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

from kalahlab.data import data_rows
from kalahlab.evaluators.kalah import store_difference
from kalahlab.formatting import StableRepr
from kalahlab.games import kalah
from kalahlab.games.game_text import YES_NO
from kalahlab.games.kalah import EMPTY_CAPTURE, NORTH, SOUTH, Kalah, Rules, State, captured_stones
from kalahlab.search import ALGORITHMS, Depth, Result
from kalahlab.search.model import INF, Counts, Node
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Tree

GREEDY, MINIMAX, ALPHA_BETA = 1, 2, 3
TASKS = {GREEDY: "greedy", MINIMAX: "minimax", ALPHA_BETA: "alpha_beta"}
FEWEST, MOST, STONES = 3, 10, 1000  # pits a side, and the most stones in a pit

TEXTS = tomllib.loads(Path(__file__).with_name("homework.toml").read_text("utf-8"))
LINES = TEXTS["lines"]


@dataclass(frozen=True, slots=True)
class Defects:
    """How a homework program goes wrong; the defaults are a right program.

    `data/homework_defects.csv` says what each does. capture_empty, rest_to, end: as in `Rules`.
    captures_on: on whose side a last stone in an empty pit captures. swept: `shown` only in the
    next state, not in the search. extra_turn: whether a last stone in the own store gives one.
    extra_window: what an extra turn does to MAX's. returned: what a node passes up at a cut, its
    value, its own bound (MAX's alpha) or the one that it reached (MAX's beta); `window` is a
    fail-hard search's, at a cut or not.
    """

    capture_empty: bool = True
    rest_to: Literal["owner", "finisher"] = "owner"
    end: Literal["either", "mover"] = "either"
    origin_skipped: bool = False
    both_stores: bool = False
    captures_on: Literal["own", "other", "both", "none"] = "own"
    lap_captures: bool = True
    captor_stays: bool = False
    swept: bool | Literal["shown"] = True
    extra_turn: bool = True
    depth: Literal["turns", "sows", "moves", "stop"] = "turns"
    by_level: bool = False
    negated: bool = False
    opposed: bool = False
    extra_window: Literal["kept", "exchanged", "negated"] = "kept"
    order: Literal["column", "pit", "reversed"] = "column"
    last_of_equals: bool = False
    cut: Literal["at", "beyond", "own", "never"] = "at"
    window_kept: bool = False
    window_at_cut: bool = False
    cut_line: bool = True
    returned: Literal["value", "own", "reached", "window"] = "value"
    one_sow: bool = False
    depth_from_one: bool = False
    columns_exchanged: bool = False
    rows_exchanged: bool = False
    stores_exchanged: bool = False
    last_line: bool = True

    @property
    def rules(self) -> Rules:
        return Rules(self.capture_empty, self.rest_to, self.end)


RIGHT = Defects()


class Cause(NamedTuple):
    """A row of `data/homework_defects.csv`. task: the one that can show it, '' if all can."""

    name: str
    task: str
    switches: str
    says: str
    remedy: str

    @property
    def sets(self) -> dict[str, Any]:
        pairs = (pair.split("=") for pair in self.switches.split())
        return {name: YES_NO.get(value, value) for name, value in pairs}

    @property
    def defects(self) -> Defects:
        return Defects(**self.sets)


CAUSES = tuple(Cause(*row.values()) for row in data_rows("homework_defects.csv"))


def pairs_of_causes() -> Iterator[tuple[tuple[Cause, Cause], Defects]]:
    """Each two mistakes that a program can have at once and that are none of `CAUSES` together."""
    alone = [cause.sets for cause in CAUSES]
    for one, other in combinations(CAUSES, 2):
        both = one.sets | other.sets
        if both == other.sets | one.sets and both not in alone:
            yield (one, other), Defects(**both)


@dataclass(frozen=True, slots=True)
class Mancala(Kalah):
    """Kalah with the homework's names of pits, A2.. and B2.., and a program's defects."""

    rules: Rules = EMPTY_CAPTURE
    defects: Defects = RIGHT

    def move_name(self, state: State, move: int) -> str:
        if state.player == SOUTH:
            return f"B{move + 2}"
        return f"A{kalah.pits_of(state.board) + 1 - move}"

    def play(self, state: State, move: int) -> State:
        """The state after sowing a pit, swept if that ended the game; the move must be legal."""
        board, player = [*state.board], state.player
        half = len(board) // 2
        own, store = range(player * half, player * half + half - 1), player * half + half - 1
        path = kalah.sowing_path(half - 1, player, move)
        if self.defects.both_stores:
            path = (*range(own[move] + 1, 2 * half), *range(own[move] + 1))
        path = path[:-1] if self.defects.origin_skipped else path
        hand, board[own[move]] = board[own[move]], 0
        last = store
        for last in islice(cycle(path), hand):
            board[last] += 1
        sides = ("own" if last in own else "other", "both")
        in_pit = last not in (half - 1, 2 * half - 1)
        captures = in_pit and self.defects.captures_on in sides
        captures &= self.defects.lap_captures or last != own[move]
        if captures and board[last] == 1:
            opposite = 2 * half - 2 - last
            if captured := captured_stones(board[opposite], self.rules.capture_empty):
                stays = int(self.defects.captor_stays)
                board[store] += captured - stays
                board[last], board[opposite] = stays, 0
        again = last == store and self.defects.extra_turn
        after = State(tuple(board), player if again else 1 - player)
        if not self.over(after) or self.defects.swept is not True:
            return after
        return State(kalah.sweep(after.board, self.rules.rest_to), after.player)


def whole_turn(game: Kalah, state: State, line: Iterable[int]) -> tuple[tuple[int, ...], State]:
    """A line's moves that belong to the mover's turn, and the state after them."""
    mover, pits = state.player, []
    for pit in line:
        if state.player != mover:
            break
        pits.append(pit)
        state = game.play(state, pit)
    return tuple(pits), state


class Problem(NamedTuple):
    """What the input file says; cutoff: in turns."""

    task: int
    cutoff: int
    state: State

    @property
    def game(self) -> Mancala:
        return Mancala(kalah.pits_of(self.state.board), 0)


def read_problem(text: str) -> Problem:
    """`ValueError` names the line of the file, and what it should be."""
    lines = [line.split() for line in text.splitlines()]
    (task,), (player,) = _numbers(lines, 1, 1, ALPHA_BETA), _numbers(lines, 2, 1, 2)
    (cutoff,) = _numbers(lines, 3, 1, None)
    north = _numbers(lines, 4, 0, STONES, range(FEWEST, MOST + 1))
    south = _numbers(lines, 5, 0, STONES, range(len(north), len(north) + 1))
    most = 2 * len(south) * STONES
    board = (*south, *_numbers(lines, 7, 0, most), *north[::-1], *_numbers(lines, 6, 0, most))
    for at, words in enumerate(lines[len(LINES) :], start=len(LINES) + 1):
        if words:
            raise ValueError(f"line {at}: {_short(words)} is too much; leave it out")
    return Problem(task, cutoff, State(board, player - 1))


def _numbers(
    lines: Sequence[Sequence[str]], at: int, least: int, most: int | None, pits: range | None = None
) -> tuple[int, ...]:
    """A line's one number, or those of so many pits, from `least` to `most` (None: no limit)."""
    words, said = lines[at - 1] if at <= len(lines) else (), f"line {at}: {LINES[at - 1]}"
    if not words:
        raise ValueError(f"line {at} is missing: {LINES[at - 1]}")
    if pits and len(words) not in pits:
        fix = f"{pits[0]}, as in line 4" if len(pits) == 1 else f"{FEWEST} to {MOST} in both rows"
        raise ValueError(f"{said} has {len(words)} pits; use {fix}")
    if not pits and len(words) != 1:
        raise ValueError(f"{said} is {_short(words)}; use one number")
    for word in words:
        number = int(word) if re.fullmatch("[0-9]{1,18}", word) else -1
        if number < least or (most is not None and number > most):
            fix = f"from {least} to {most}" if most is not None else f"of {least} or more"
            raise ValueError(f"{said} has {_short([word])}; use whole numbers {fix}")
    return tuple(map(int, words))


def _short(words: Sequence[str]) -> str:
    text = " ".join(words)
    return repr(text if len(text) <= 30 else f"{text[:30]}…")


def board_lines(game: Kalah, state: State, defects: Defects = RIGHT) -> str:
    """As the four last lines of the input file."""
    ended = defects.swept and game.over(state)
    board = kalah.sweep(state.board, game.rules.rest_to) if ended else state.board
    south_store, north_store = kalah.stores(board)
    north, south = kalah.side(board, NORTH)[::-1], kalah.side(board, SOUTH)
    rows = [north, south]
    store_rows = [(north_store,), (south_store,)]
    if defects.rows_exchanged:
        rows.reverse()
    if defects.stores_exchanged:
        store_rows.reverse()
    rows += store_rows
    return "".join(f"{' '.join(map(str, row))}\n" for row in rows)


def column_order(tree: Tree, node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """From left to right for both players, so the pit nearest the store first for player 2."""
    return children[::-1] if node.state.player == NORTH else children


def solve(problem: Problem, observer: Observer | None = None) -> Result:
    """The package's search for task 1, 2 or 3."""
    args = (problem.game, problem.state, store_difference, Depth(problem.cutoff, "turn"))
    return ALGORITHMS[TASKS[problem.task]](*args, column_order, observer)


@dataclass(slots=True)
class Open:
    """A node not yet left. depth: as in the log. extra: after an extra turn. best, line: so far."""

    state: State
    name: str
    depth: int
    extra: bool
    maximizing: bool
    alpha: float
    beta: float
    best: float = 0
    line: tuple[int, ...] = ()
    untried: Sequence[int] = ()


Doing = Literal["begins", "leaf", "over", "takes", "cut"]
Write = Callable[[str, bool], object]  # of a line without its end, and whether it is optional


class Program(StableRepr):
    """A homework program, which writes its log as it runs; without defects a right one.

    A line says a node's name, its turn's depth, its value and in task 3 its window: as it is
    expanded, after each child, and for a leaf once. `path`: the nodes from the root. `doing`: what
    the line reports. `child`: whose value was taken. `steps`: the nodes entered and left.
    """

    def __init__(
        self, problem: Problem, defects: Defects = RIGHT, write: Write | None = None
    ) -> None:
        self.problem, self.defects = problem, defects
        self.game = Mancala(kalah.pits_of(problem.state.board), 0, defects.rules, defects)
        self.windows = problem.task == ALPHA_BETA
        self.cutoff = 1 if problem.task == GREEDY else problem.cutoff
        self.path: list[Open] = []
        self.doing: Doing = "begins"
        self.child: Open | None = None
        self.steps = self.generated = self.expanded = self.evaluated = self.cutoffs = 0
        self._write = write

    def run(self) -> str:
        """The next state; sets `turn`, its moves by name, and `result`. Raises `ValueError` if
        lines of play get too long for Python's stack (some 300 sows)."""
        if self._write is not None:
            if self.windows and self.defects.columns_exchanged:  # their names may be exchanged, too
                self._write("Node,Depth,Value,Beta,Alpha", True)
            self._write("Node,Depth,Value" + (",Alpha,Beta" if self.windows else ""), False)
        root = Open(self.problem.state, "root", 0, False, True, -INF, INF)
        try:
            self._visit(root)
        except RecursionError:
            raise ValueError(
                f"line 3: {LINES[2]} {self.problem.cutoff} leads to lines of play too long to be "
                "followed; use a smaller one"
            ) from None
        counts = Counts(self.generated, self.expanded, self.evaluated, self.cutoffs)
        self.result = Result(root.best, root.line, counts)
        line = root.line[:1] if self.defects.one_sow else root.line
        pits, after = whole_turn(self.game, root.state, line)
        self.turn = [self.game.move_name(root.state, pit) for pit in pits]
        return board_lines(self.game, after, self.defects)

    def _visit(self, node: Open) -> None:
        self.path.append(node)
        self.steps += 1
        over = self.game.over(node.state)
        going_on = node.extra and self.defects.depth in ("turns", "moves")
        if over or (node.depth >= self.cutoff and not going_on):
            us = self.problem.state.player ^ self.defects.opposed
            rest_counts = over and self.defects.swept is True
            worth = self.game.margin(node.state, us)
            node.best = worth if rest_counts else store_difference(node.state.board, us)
            self.evaluated += 1
            if over:
                self._log("over", value="+/-Infinity", optional=True)
            self._log("over" if over else "leaf")
        else:
            self._expand(node)
        self.path.pop()
        self.steps += 1

    def _expand(self, node: Open) -> None:
        node.best = -INF if node.maximizing else INF
        moves, order = self.game.moves(node.state), self.defects.order
        if node.state.player == NORTH and order != "pit":
            moves = moves[::-1]
        node.untried = moves = moves[::-1] if order == "reversed" else moves
        self.expanded += 1
        self.generated += len(moves)
        entered = node.alpha, node.beta
        self._log("begins")
        for tried, move in enumerate(moves, start=1):
            child = self._made(node, move)
            self._visit(child)
            node.untried = moves[tried:]
            if self._take(node, move, child):
                self.cutoffs += bool(node.untried)
                break
        if self.windows and self.defects.returned == "window":
            node.best = min(max(node.best, entered[0]), entered[1])

    def _made(self, node: Open, move: int) -> Open:
        after = self.game.play(node.state, move)
        extra = after.player == node.state.player
        alpha, beta = node.alpha, node.beta
        if extra and self.defects.extra_window != "kept":
            sign = -1 if self.defects.extra_window == "negated" else 1
            alpha, beta = sign * beta, sign * alpha
        same_depth = node.extra and self.defects.depth not in ("sows", "moves")
        maximizing = after.player == self.problem.state.player
        if self.defects.by_level:
            maximizing = not node.maximizing
        name = self.game.move_name(node.state, move)
        return Open(after, name, node.depth + (not same_depth), extra, maximizing, alpha, beta)

    def _take(self, node: Open, move: int, child: Open) -> bool:
        """Take a child's value; whether that cuts the node off."""
        sign = 1 if node.maximizing else -1
        value = -child.best if child.extra and self.defects.negated else child.best
        equal = self.defects.last_of_equals and value == node.best
        if not node.line or sign * value > sign * node.best or equal:
            node.best, node.line = value, (move, *child.line)
        if self.defects.window_kept:
            node.alpha, node.beta = child.alpha, child.beta
        other, own = (node.beta, node.alpha)[::sign]
        limit = own if self.defects.cut == "own" else other
        beyond, reached = sign * node.best > sign * limit, sign * node.best >= sign * limit
        cut = self.windows and {"beyond": beyond, "never": False}.get(self.defects.cut, reached)
        goes_on = not cut or self.defects.window_at_cut
        if goes_on and node.maximizing:
            node.alpha = max(node.alpha, node.best)
        elif goes_on:
            node.beta = min(node.beta, node.best)
        ends = len(self.path) == 1 and (cut or not node.untried)
        if (self.defects.cut_line or not cut) and (self.defects.last_line or not ends):
            self._log("cut" if cut else "takes", child)
        if cut and self.defects.returned in ("own", "reached"):
            node.best = own if self.defects.returned == "own" else other
        return cut

    def _log(
        self, doing: Doing, child: Open | None = None, value: str = "", optional: bool = False
    ) -> None:
        if self._write is None:
            return
        self.doing, self.child = doing, child
        node = self.path[-1]
        depth = node.depth + self.defects.depth_from_one
        line = f"{node.name},{depth},{value or spelled(node.best)}"
        if self.windows:
            window = (node.alpha, node.beta)[:: 1 - 2 * self.defects.columns_exchanged]
            line += f",{spelled(window[0])},{spelled(window[1])}"
        self._write(line, optional)


def log_to(write: Callable[[str], object], mark: bool = False) -> Write:
    """Writes a log; mark: with its optional lines, marked as such."""

    def write_line(line: str, optional: bool) -> None:
        if mark or not optional:
            write(f"{line}\tOPTIONAL\n" if optional else f"{line}\n")

    return write_line


@lru_cache(1 << 16)
def written(problem: Problem, defects: Defects = RIGHT, mark: bool = False) -> tuple[str, str]:
    log = list[str]()
    return Program(problem, defects, log_to(log.append, mark)).run(), "".join(log)


def spelled(value: float) -> str:
    return f"{value:.0f}".replace("inf", "Infinity")
