"""The Mancala homework: the input file, and a program that writes the two requested files.

    next_state, log = render_files(read_problem(text))

Player 1 is South, and owns row B, which is sown from left to right, and the store on the right.
Player 2 is North, and owns row A, which is sown from right to left, and the store on the left.

Source: "Homework #2: Adversarial Search", and its published grading cases. Our copy of the text
ends at the heading "Input". Three facts are therefore taken from the grading cases: the form of the
files, that depth counts turns, and that a game ends as soon as either row is empty.
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
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State, count_captured
from kalahlab.games.rules import EMPTY_CAPTURE, Rules
from kalahlab.search import ALGORITHMS, Depth, Result
from kalahlab.search.model import INF, Counts, Node
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Tree

GREEDY, MINIMAX, ALPHA_BETA = 1, 2, 3
TASKS = {GREEDY: "greedy", MINIMAX: "minimax", ALPHA_BETA: "alpha_beta"}
MIN_PITS, MAX_PITS = 3, 10  # on a side
MAX_STONES = 1000  # in a pit

TEXTS = tomllib.loads(Path(__file__).with_name("homework.toml").read_text("utf-8"))
LINES = TEXTS["lines"]


@dataclass(frozen=True, slots=True)
class Defects:
    """The defects of a homework program, a switch each; the defaults are a correct program.

    `data/homework_defects.csv` describes what a value other than the default does. Some switches
    need more words:

    Attributes:
        capture_empty: True if a last stone opposite an empty pit is banked, too.
        rest_to: The attribute of `Rules`.
        end: The attribute of `Rules`.
        captures_on: The side on which a last stone in an empty pit captures, seen from the player
            who sows.
        swept: Whether the remaining stones are swept at the end of a game. With `shown` they are
            swept in the next state that is written, but not in the search.
        extra_turn: Whether the player moves again after a last stone in the player's store.
        extra_window: The change of MAX's window on an extra turn.
        returned: The value that a node passes up at a cut. With `value` it is the node's value.
            With `own` it is the bound that the player to move raises or lowers (MAX's alpha). With
            `reached` it is the bound that caused the cut (MAX's beta). With `window` every node,
            cut or not, passes up its value limited to its window, as in a fail-hard search.
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
        """The rules by which the program plays."""
        capture: Literal["always", "opposite"] = "opposite"
        if self.capture_empty:
            capture = "always"
        return Rules(capture=capture, rest_to=self.rest_to, end=self.end)


RIGHT = Defects()


class KnownMistake(NamedTuple):
    """A row of `data/homework_defects.csv`: a known mistake of programs.

    Attributes:
        name: The name of the mistake.
        task: The only task whose files can show the mistake, "" if those of all tasks can.
        switches: The `Defects` of such a program, as text: `name=value`, separated by spaces.
        description: What a program with the mistake does; the column `says` of the file.
        remedy: The advice to a student.
    """

    name: str
    task: str
    switches: str
    description: str
    remedy: str

    @property
    def switch_values(self) -> dict[str, Any]:
        """The values of the switches, by name: True for yes, False for no, else the word."""
        pairs = (pair.split("=") for pair in self.switches.split())
        words = {"yes": True, "no": False}
        return {name: words.get(value, value) for name, value in pairs}

    @property
    def defects(self) -> Defects:
        """The defects of a program with this mistake alone."""
        return Defects(**self.switch_values)


# The columns of the file are in the order of the fields of `KnownMistake`.
KNOWN_MISTAKES = tuple(KnownMistake(*row.values()) for row in data_rows("homework_defects.csv"))


def pairs_of_mistakes() -> Iterator[tuple[tuple[KnownMistake, KnownMistake], Defects]]:
    """Yield every two mistakes that a program can have at once, with the defects of that program.

    A pair is left out if its mistakes set the same switch to different values, or if the pair has
    the same switches as one of `KNOWN_MISTAKES`.
    """
    single_switches = [mistake.switch_values for mistake in KNOWN_MISTAKES]
    for first, second in combinations(KNOWN_MISTAKES, 2):
        switches = first.switch_values | second.switch_values
        # A switch that the mistakes set differently would have the other value in this order.
        are_compatible = switches == second.switch_values | first.switch_values
        if are_compatible and switches not in single_switches:
            yield (first, second), Defects(**switches)


@dataclass(frozen=True, slots=True)
class Mancala(Kalah):
    """Kalah with the homework's names of pits (A2, A3.. and B2, B3..) and a program's defects."""

    rules: Rules = EMPTY_CAPTURE
    defects: Defects = RIGHT

    def move_name(self, state: State, move: int) -> str:
        """Return the homework's name of a pit: column 2 is the leftmost pit of both rows."""
        if state.player == SOUTH:
            return f"B{move + 2}"
        return f"A{kalah.pits_of(state.board) + 1 - move}"

    def play(self, state: State, move: int) -> State:
        """Return the state after a legal move.

        If the game is over, the remaining stones are swept, unless a defect prevents that.
        """
        board, player = [*state.board], state.player
        half = len(board) // 2
        store = player * half + half - 1
        last = self._sow_pit(board, player, move)
        if self._is_capture(board, player, move, last):
            # The indices run around the board: South's pits and store, then North's.
            opposite = 2 * half - 2 - last
            if captured := count_captured(board[opposite], self.rules.capture == "always"):
                board[store] += captured
                board[last], board[opposite] = 0, 0
                if self.defects.captor_stays:
                    board[store] -= 1
                    board[last] = 1
        next_player = 1 - player
        if last == store and self.defects.extra_turn:
            next_player = player
        after = State(tuple(board), next_player)
        # `is True`, as the truthy text "shown" must not sweep here.
        if self.is_over(after) and self.defects.swept is True:
            return State(kalah.sweep(after.board, self.rules.rest_to), after.player)
        return after

    def _sow_pit(self, board: list[int], player: int, move: int) -> int:
        """Sow a pit on the board, in place, and return the index of the last stone."""
        half = len(board) // 2
        origin = player * half + move
        path = kalah.sowing_path(player, origin, half - 1)  # one lap, which ends at the origin
        if self.defects.both_stores:
            path = (*range(origin + 1, 2 * half), *range(origin + 1))  # a lap over all indices
        if self.defects.origin_skipped:
            path = path[:-1]
        stones = board[origin]
        board[origin] = 0
        last = player * half + half - 1  # replaced below, as a legal move sows at least one stone
        for last in islice(cycle(path), stones):
            board[last] += 1
        return last

    def _is_capture(self, board: Sequence[int], player: int, move: int, last: int) -> bool:
        """Return whether the last stone, at the index `last`, fell where it may capture.

        The rules say whether it captures when the opposite pit is empty.
        """
        half = len(board) // 2
        first, store = player * half, player * half + half - 1
        south_store, north_store = half - 1, 2 * half - 1
        if last in (south_store, north_store):
            return False
        side = "own" if first <= last < store else "other"
        if self.defects.captures_on not in (side, "both"):
            return False
        is_lap = last == first + move  # the last stone is back in the pit that was sown
        if is_lap and not self.defects.lap_captures:
            return False
        return board[last] == 1


@lru_cache(1 << 12)
def make_game(pits: int, defects: Defects) -> Mancala:
    """Return the game as a program with these defects plays it."""
    # 0 stones a pit, as the game begins at the state of a `Problem` and not at a start of Kalah.
    return Mancala(pits, 0, defects.rules, defects)


def whole_turn(game: Kalah, state: State, line: Iterable[int]) -> tuple[tuple[int, ...], State]:
    """Return the moves of a line that belong to its first turn, and the state after them."""
    mover = state.player
    pits = []
    for pit in line:
        if state.player != mover:
            break
        pits.append(pit)
        state = game.play(state, pit)
    return tuple(pits), state


class Problem(NamedTuple):
    """The content of the input file; the cutoff is a depth in turns."""

    task: int
    cutoff: int
    state: State

    @property
    def game(self) -> Mancala:
        """The game without defects, on a board of this size."""
        return make_game(kalah.pits_of(self.state.board), RIGHT)


def read_problem(text: str) -> Problem:
    """Parse an input file.

    Raises:
        ValueError: A line is wrong; the message contains its number and the correct form.
    """
    lines = [line.split() for line in text.splitlines()]
    (task,) = _numbers(lines, 1, 1, ALPHA_BETA)
    (player,) = _numbers(lines, 2, 1, 2)
    (cutoff,) = _numbers(lines, 3, 1, None)
    north = _numbers(lines, 4, 0, MAX_STONES, range(MIN_PITS, MAX_PITS + 1))
    only_as_many = range(len(north), len(north) + 1)
    south = _numbers(lines, 5, 0, MAX_STONES, only_as_many)
    most = 2 * len(south) * MAX_STONES
    (south_store,) = _numbers(lines, 7, 0, most)
    (north_store,) = _numbers(lines, 6, 0, most)
    # A board lists each side from its owner's left. The file has both rows from South's left.
    board = (*south, south_store, *north[::-1], north_store)
    for number, words in enumerate(lines[len(LINES) :], start=len(LINES) + 1):
        if words:
            raise ValueError(f"line {number}: {_shorten(words)} is too much; leave it out")
    return Problem(task, cutoff, State(board, player - 1))


def _numbers(
    lines: Sequence[Sequence[str]],
    line_number: int,
    least: int,
    most: int | None,
    pits: range | None = None,
) -> tuple[int, ...]:
    """Return the numbers of a line, or raise an error with the advice to a student.

    Args:
        lines: The words of each line.
        line_number: The number of the line, from 1.
        least: The smallest number that is allowed.
        most: The largest number that is allowed; None for no limit.
        pits: For a row of pits, the allowed numbers of pits; None for a line with one number.

    Raises:
        ValueError: The line is missing or wrong.
    """
    words: Sequence[str] = ()
    if line_number <= len(lines):
        words = lines[line_number - 1]
    if not words:
        raise ValueError(f"line {line_number} is missing: {LINES[line_number - 1]}")
    subject = f"line {line_number}: {LINES[line_number - 1]}"
    if pits and len(words) not in pits:
        fix = f"{MIN_PITS} to {MAX_PITS} in both rows"
        if len(pits) == 1:
            fix = f"{pits[0]}, as in line 4"
        raise ValueError(f"{subject} has {len(words)} pits; use {fix}")
    if not pits and len(words) != 1:
        raise ValueError(f"{subject} is {_shorten(words)}; use one number")
    for word in words:
        if not _is_in_range(word, least, most):
            fix = f"of {least} or more" if most is None else f"from {least} to {most}"
            raise ValueError(f"{subject} has {_shorten([word])}; use whole numbers {fix}")
    return tuple(map(int, words))


def _is_in_range(word: str, least: int, most: int | None) -> bool:
    """Return whether a word is a whole number of at most 18 digits within the limits."""
    if not re.fullmatch("[0-9]{1,18}", word):
        return False
    return least <= int(word) and (most is None or int(word) <= most)


def _shorten(words: Sequence[str]) -> str:
    """Return words as one quoted text for a message, with at most 30 of the characters."""
    text = " ".join(words)
    if len(text) > 30:
        text = f"{text[:30]}…"
    return repr(text)


def board_lines(game: Kalah, state: State, defects: Defects = RIGHT) -> str:
    """Format a position like the last four lines of the input file.

    The order is row A (North), row B (South), the store of North, the store of South.
    """
    board = state.board
    if defects.swept and game.is_over(state):  # with `shown`, too
        board = kalah.sweep(board, game.rules.rest_to)
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
    """Order children by their columns, from the left of the board, for both players.

    Player 2 sows to the left, so that the pit nearest the store comes first. The argument `tree` is
    ignored; the searches call every order with it.
    """
    return children[::-1] if node.state.player == NORTH else children


def solve(problem: Problem, observer: Observer | None = None) -> Result:
    """Solve task 1, 2 or 3 by a search of the package."""
    args = (problem.game, problem.state, store_difference, Depth(problem.cutoff, "turn"))
    return ALGORITHMS[TASKS[problem.task]](*args, column_order, observer)


@dataclass(slots=True)
class OpenNode:
    """A node that the program has not left yet.

    Attributes:
        state: The position.
        name: The name of the move that leads to this node, `root` at the root.
        depth: The depth in the log, in turns: moves of one turn have the same depth.
        extra: Whether an extra turn leads to this node.
        maximizing: Whether MAX is to move.
        alpha: The lower bound of MAX's window.
        beta: The upper bound of MAX's window.
        best: The value so far, in stones; infinite before the first child.
        line: The moves that lead to that value.
        untried: The moves not tried yet.
    """

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


Action = Literal["begins", "leaf", "over", "takes", "cut"]
Write = Callable[[str, bool], object]
"""A function that is called with a line, without its end, and whether the line is optional."""


class Program(StableRepr):
    """A homework program, which writes its log while it runs; without defects, it is correct.

    A line of the log holds a node's name, the depth of its turn, its value and, in task 3, its
    window. For a leaf the program writes one line. For any other node it writes a line when it
    begins, and a line after each child.

    Attributes:
        path: The nodes from the root to the current one.
        action: The step that the current line reports.
        child: The child whose value the current line reports, None if the line is not about one.
        steps: The number of nodes entered plus the number of nodes left.
        result: The value and the line of the root with the counts, once `run` has returned.
        turn: The names of the moves of the best turn, once `run` has returned.
    """

    def __init__(
        self, problem: Problem, defects: Defects = RIGHT, write: Write | None = None
    ) -> None:
        self.problem, self.defects = problem, defects
        self.game = make_game(kalah.pits_of(problem.state.board), defects)
        self.windows = problem.task == ALPHA_BETA
        self.cutoff = problem.cutoff
        if problem.task == GREEDY:
            self.cutoff = 1
        self.path: list[OpenNode] = []
        self.action: Action = "begins"
        self.child: OpenNode | None = None
        self.steps = self.generated = self.expanded = self.evaluated = self.cutoffs = 0
        self._write = write

    def run(self) -> str:
        """Run the program, set `result` and `turn`, and return the text of the next state.

        Raises:
            ValueError: A line of play is too long for Python's stack (some 300 sows).
        """
        self._write_header()
        root = OpenNode(self.problem.state, "root", 0, False, True, -INF, INF)
        try:
            self._visit(root)
        except RecursionError:
            raise ValueError(
                f"line 3: {LINES[2]} {self.problem.cutoff} leads to lines of play too long to be "
                "followed; use a smaller one"
            ) from None
        counts = Counts(self.generated, self.expanded, self.evaluated, self.cutoffs)
        self.result = Result(root.best, root.line, counts)
        line = root.line
        if self.defects.one_sow:
            line = line[:1]
        pits, after = whole_turn(self.game, root.state, line)
        self.turn = [self.game.move_name(root.state, pit) for pit in pits]
        return board_lines(self.game, after, self.defects)

    def _write_header(self) -> None:
        if self._write is None:
            return
        if not self.windows:
            self._write("Node,Depth,Value", False)
            return
        # A student who exchanges the columns may exchange their names or not. The line with
        # exchanged names is therefore optional, and the usual one follows.
        if self.defects.columns_exchanged:
            self._write("Node,Depth,Value,Beta,Alpha", True)
        self._write("Node,Depth,Value,Alpha,Beta", False)

    def _visit(self, node: OpenNode) -> None:
        self.path.append(node)
        self.steps += 1
        is_over = self.game.is_over(node.state)
        if is_over or self._is_cutoff(node):
            node.best = self._evaluate(node.state, is_over)
            self.evaluated += 1
            if is_over:  # the grading cases have this line, too, and mark it as optional
                self._log("over", value="+/-Infinity", optional=True)
            self._log("over" if is_over else "leaf")
        else:
            self._expand(node)
        self.path.pop()
        self.steps += 1

    def _is_cutoff(self, node: OpenNode) -> bool:
        """Return whether the node is a leaf because of its depth.

        Extra turns may lead below the cutoff.
        """
        if node.extra and self.defects.depth in ("turns", "moves"):
            return False
        return node.depth >= self.cutoff

    def _evaluate(self, state: State, is_over: bool) -> float:
        """Return the value of a leaf, in stones, for the player to move at the root."""
        player = self.problem.state.player
        if self.defects.opposed:
            player = 1 - player
        if is_over and self.defects.swept is True:
            return self.game.margin(state, player)
        return store_difference(state.board, player)

    def _expand(self, node: OpenNode) -> None:
        node.best = -INF if node.maximizing else INF
        moves = self._order_moves(node.state)
        node.untried = moves
        self.expanded += 1
        self.generated += len(moves)
        alpha, beta = node.alpha, node.beta  # before `_take_child` changes them
        self._log("begins")
        for number, move in enumerate(moves, start=1):
            child = self._make_child(node, move)
            self._visit(child)
            node.untried = moves[number:]
            if self._take_child(node, move, child):
                if node.untried:
                    self.cutoffs += 1
                break
        if self.windows and self.defects.returned == "window":
            node.best = min(max(node.best, alpha), beta)

    def _order_moves(self, state: State) -> Sequence[int]:
        """Return the moves in the order of trying."""
        moves = self.game.moves(state)
        # North's pits are numbered from North's left; the columns of the homework go the other way.
        if state.player == NORTH and self.defects.order != "pit":
            moves = moves[::-1]
        if self.defects.order == "reversed":
            moves = moves[::-1]
        return moves

    def _make_child(self, node: OpenNode, move: int) -> OpenNode:
        """Return the child after a move."""
        after = self.game.play(node.state, move)
        is_extra = after.player == node.state.player
        alpha, beta = node.alpha, node.beta
        if is_extra and self.defects.extra_window == "exchanged":
            alpha, beta = beta, alpha
        elif is_extra and self.defects.extra_window == "negated":
            alpha, beta = -beta, -alpha
        # A move after an extra turn belongs to the same turn, so that the depth stays.
        depth = node.depth + 1
        if node.extra and self.defects.depth not in ("sows", "moves"):
            depth = node.depth
        maximizing = after.player == self.problem.state.player
        if self.defects.by_level:
            maximizing = not node.maximizing
        name = self.game.move_name(node.state, move)
        return OpenNode(after, name, depth, is_extra, maximizing, alpha, beta)

    def _take_child(self, node: OpenNode, move: int, child: OpenNode) -> bool:
        """Compare a child's value with the node's; return whether the node is cut off."""
        value = child.best
        if child.extra and self.defects.negated:
            value = -value
        if not node.line or self._is_preferred(value, node):
            node.best, node.line = value, (move, *child.line)
        if self.defects.window_kept:
            node.alpha, node.beta = child.alpha, child.beta
        # The player to move improves the first bound; a value that reaches the second is a cut.
        own_bound, cut_bound = node.alpha, node.beta
        if not node.maximizing:
            own_bound, cut_bound = node.beta, node.alpha
        is_cut = self._is_cut(node, own_bound if self.defects.cut == "own" else cut_bound)
        if not is_cut or self.defects.window_at_cut:
            if node.maximizing:
                node.alpha = max(node.alpha, node.best)
            else:
                node.beta = min(node.beta, node.best)
        if self._is_logged(node, is_cut):
            self._log("cut" if is_cut else "takes", child)
        if is_cut and self.defects.returned == "own":
            node.best = own_bound
        elif is_cut and self.defects.returned == "reached":
            node.best = cut_bound
        return is_cut

    def _is_preferred(self, value: float, node: OpenNode) -> bool:
        """Return whether a child's value replaces the best one of the node."""
        if value == node.best:
            return self.defects.last_of_equals
        return value > node.best if node.maximizing else value < node.best

    def _is_cut(self, node: OpenNode, bound: float) -> bool:
        """Return whether the value of a node, compared with a bound, causes a cut."""
        if not self.windows or self.defects.cut == "never":
            return False
        if node.best == bound:
            return self.defects.cut != "beyond"
        return node.best > bound if node.maximizing else node.best < bound

    def _is_logged(self, node: OpenNode, is_cut: bool) -> bool:
        """Return whether the program writes a line after a child.

        A program without `cut_line` writes none at a cut. A program without `last_line` writes none
        at the end of the root, which is the last line of the log.
        """
        if is_cut and not self.defects.cut_line:
            return False
        is_root = len(self.path) == 1
        is_last_line = is_root and (is_cut or not node.untried)
        return self.defects.last_line or not is_last_line

    def _log(
        self, action: Action, child: OpenNode | None = None, value: str = "", optional: bool = False
    ) -> None:
        if self._write is None:
            return
        self.action, self.child = action, child
        node = self.path[-1]
        depth = node.depth
        if self.defects.depth_from_one:
            depth += 1
        columns = [node.name, f"{depth}", value or format_value(node.best)]
        if self.windows:
            window = [format_value(node.alpha), format_value(node.beta)]
            if self.defects.columns_exchanged:
                window.reverse()
            columns += window
        self._write(",".join(columns), optional)


def make_log_writer(write: Callable[[str], object], mark: bool = False) -> Write:
    """Return a function that a `Program` can call with the lines of its log.

    Args:
        write: Called with each line of the log, with its end.
        mark: Whether optional lines are written, too; each is then marked as optional.
    """

    def write_line(line: str, optional: bool) -> None:
        if mark or not optional:
            if optional:
                line += "\tOPTIONAL"
            write(f"{line}\n")

    return write_line


@lru_cache(1 << 16)
def render_files(problem: Problem, defects: Defects = RIGHT, mark: bool = False) -> tuple[str, str]:
    """Return the two files of a program: the text of the next state, and the log.

    `make_log_writer` explains the argument `mark`.
    """
    log = list[str]()
    next_state = Program(problem, defects, make_log_writer(log.append, mark)).run()
    return next_state, "".join(log)


def format_value(value: float) -> str:
    """Format a value as in the log, such as `-Infinity`."""
    return f"{value:.0f}".replace("inf", "Infinity")
