"""A homework program with a defect: what can be wrong with it, and the log that it then writes.

program = Program(problem, Defects(depth="sows"), lambda line, optional: print(line))
next_state = program.run()
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import cycle, islice
from typing import Any, Literal, NamedTuple

from kalahlab.data import data_rows
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.game_text import YES_NO
from kalahlab.games.kalah import (
    EMPTY_CAPTURE,
    NORTH,
    Rules,
    State,
    captured_stones,
    pits_of,
    sowing_path,
    sweep,
)
from kalahlab.published.homework import (
    ALPHA_BETA,
    GREEDY,
    Mancala,
    Problem,
    board_lines,
    spelled,
    too_deep,
    whole_turn,
)
from kalahlab.search.model import INF


@dataclass(frozen=True, slots=True)
class Defects:
    """How a homework program goes wrong; the defaults are a right program.

    rules: when the game ends, who gets the rest, what a lone last stone captures.
    origin_skipped: a long sow passes over the pit that it started from.
    captures_on: on whose side a last stone in an empty pit captures.
    lap_captures: so does one that comes all the way round to the pit that it started from.
    swept: the stones that are left at the end go into the stores.
    depth: counted in `turns` or in `sows`; `stop`: in turns, but no node is searched on that
        an extra turn led to at the cut-off.
    by_level: MAX and MIN change at each level, also after an extra turn.
    negated: a value changes its sign also after an extra turn.
    extra_window: what an extra turn does to the window (alpha, beta) of MAX.
    order: pits by `column`; as their player has them, from the left (`pit`); or `reversed`.
    last_of_equals: the last of equally good moves is played.
    cut: a node is left when it reaches the bound of the other player (`at`), only when it
        is better than that (`beyond`), or when it reaches the bound of its own player (`own`).
    window_kept: alpha and beta are shared by all nodes, so that a branch's go on to the next.
    cut_line: whether the line of a node that is cut off is written.
    one_sow: the next state is the board after the first move of the turn.
    """

    rules: Rules = EMPTY_CAPTURE
    origin_skipped: bool = False
    captures_on: Literal["own", "other", "both"] = "own"
    lap_captures: bool = True
    swept: bool = True
    depth: Literal["turns", "sows", "stop"] = "turns"
    by_level: bool = False
    negated: bool = False
    extra_window: Literal["kept", "exchanged", "negated"] = "kept"
    order: Literal["column", "pit", "reversed"] = "column"
    last_of_equals: bool = False
    cut: Literal["at", "beyond", "own"] = "at"
    window_kept: bool = False
    cut_line: bool = True
    one_sow: bool = False


class Cause(NamedTuple):
    """A defect that may be in a program, as `data/homework_defects.csv` describes it.

    task: the one task that can show it, '' if all can. switches: what it is in `Defects` and in its
    rules. says: what the program does. remedy: what it should do.
    """

    name: str
    task: str
    switches: str
    says: str
    remedy: str

    @property
    def defects(self) -> Defects:
        """The switches of a program that has this defect only."""
        pairs = (pair.partition("=")[::2] for pair in self.switches.split())
        given: dict[str, Any] = {name: YES_NO.get(value, value) for name, value in pairs}
        known = {field.name for field in fields(Rules)}
        rules = {name: given.pop(name) for name in known & given.keys()}
        return Defects(replace(EMPTY_CAPTURE, **rules), **given)


CAUSES = tuple(Cause(*row.values()) for row in data_rows("homework_defects.csv"))
"""All that is tried. What students call by one name is here in up to three forms."""


@dataclass(frozen=True, slots=True)
class DefectiveMancala(Mancala):
    """The homework's game under a program's rules, sown as the program sows."""

    defects: Defects = field(default_factory=Defects)

    def play(self, state: State, move: int) -> State:
        """The state after sowing a pit, swept if that ended the game; the move must be legal."""
        board, player = [*state.board], state.player
        half = len(board) // 2
        own, store = range(player * half, player * half + half - 1), player * half + half - 1
        path = sowing_path(half - 1, player, move)
        path = path[:-1] if self.defects.origin_skipped else path
        hand, board[own[move]] = board[own[move]], 0
        last = store
        for last in islice(cycle(path), hand):
            board[last] += 1
        may_capture = self.defects.lap_captures or last != own[move]
        if board[last] == 1 and may_capture and self._captures(last, own, store):
            opposite = 2 * half - 2 - last
            if captured := captured_stones(board[opposite], self.rules.capture_empty):
                board[store] += captured
                board[last] = board[opposite] = 0
        after = State(tuple(board), player if last == store else 1 - player)
        if not self.over(after) or not self.defects.swept:
            return after
        return State(sweep(after.board, self.rules.rest_to), after.player)

    def _captures(self, last: int, own: range, store: int) -> bool:
        """Whether a last stone may capture in this pit; none does in a store."""
        side = "own" if last in own else "other"
        return last != store and self.defects.captures_on in (side, "both")


@dataclass(slots=True)
class Open:
    """A node entered and not yet left, with its best value so far and the line to it.

    extra: whether an extra turn led here. depth: as the log has it. untried: moves that are left.
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


Doing = Literal["begins", "leaf", "over", "takes", "cut"]

Write = Callable[[str, bool], object]
"""Is given each line of the log, without its end, and whether it is optional."""


class Program:
    """A homework program with defects, which writes its log as it runs.

    It is the search of `solve` and `TraversalLog` in one, without counts. While a line is being
    written, `path` are the nodes from the root to the line's, and `doing` is what it reports;
    `child` is the node whose value was taken; `steps` are the nodes entered and those left so
    far. If `write` raises, all stay as they are.
    """

    def __init__(
        self, problem: Problem, defects: Defects | None = None, write: Write | None = None
    ) -> None:
        self.problem, self.defects = problem, defects or Defects()
        pits, rules = pits_of(problem.state.board), self.defects.rules
        self.game = DefectiveMancala(pits, 0, rules, self.defects)
        self.windows = problem.task == ALPHA_BETA
        self.cutoff = 1 if problem.task == GREEDY else problem.cutoff
        self.path: list[Open] = []
        self.doing: Doing = "begins"
        self.child: Open | None = None
        self.steps = 0
        self._write = write

    def run(self) -> str:
        """The text of the next state. Raises `ValueError` as `solve` does."""
        if self._write is not None:
            self._write("Node,Depth,Value" + (",Alpha,Beta" if self.windows else ""), False)
        root = Open(self.problem.state, "root", 0, False, True, -INF, INF)
        try:
            self._visit(root)
        except RecursionError:
            raise too_deep(self.problem) from None
        line = root.line[:1] if self.defects.one_sow else root.line
        after = whole_turn(self.game, root.state, line)[1]
        return board_lines(self.game, after, self.defects.swept)

    def _visit(self, node: Open) -> None:
        self.path.append(node)
        self.steps += 1
        over = self.game.over(node.state)
        if over or self._deep_enough(node):
            us = self.problem.state.player
            rest_counts = over and self.defects.swept
            worth = self.game.margin(node.state, us)
            node.best = worth if rest_counts else store_difference(node.state.board, us)
            if over:
                self._tell("over", value="+/-Infinity", optional=True)
            self._tell("over" if over else "leaf")
        else:
            self._expand(node)
        self.path.pop()
        self.steps += 1

    def _deep_enough(self, node: Open) -> bool:
        going_on = node.extra and self.defects.depth == "turns"
        return node.depth >= self.cutoff and not going_on

    def _expand(self, node: Open) -> None:
        node.best = -INF if node.maximizing else INF
        moves = node.untried = self._ordered(node.state)
        self._tell("begins")
        for tried, move in enumerate(moves, start=1):
            child = self._made(node, move)
            self._visit(child)
            node.untried = moves[tried:]
            if self._take(node, move, child):
                return

    def _ordered(self, state: State) -> tuple[int, ...]:
        moves, order = self.game.moves(state), self.defects.order
        by_column = moves[::-1] if state.player == NORTH and order != "pit" else moves
        return by_column[::-1] if order == "reversed" else by_column

    def _made(self, node: Open, move: int) -> Open:
        """The child of a node, with its depth and its window."""
        after = self.game.play(node.state, move)
        extra = after.player == node.state.player
        alpha, beta = node.alpha, node.beta
        if extra and self.defects.extra_window != "kept":
            sign = -1 if self.defects.extra_window == "negated" else 1
            alpha, beta = sign * beta, sign * alpha
        same_depth = node.extra and self.defects.depth != "sows"
        maximizing = after.player == self.problem.state.player
        if self.defects.by_level:
            maximizing = not node.maximizing
        name = self.game.move_name(node.state, move)
        return Open(after, name, node.depth + (not same_depth), extra, maximizing, alpha, beta)

    def _take(self, node: Open, move: int, child: Open) -> bool:
        """Take a child's value, and say whether that cuts the node off."""
        sign = 1 if node.maximizing else -1
        value = -child.best if child.extra and self.defects.negated else child.best
        equal = self.defects.last_of_equals and value == node.best
        if not node.line or sign * value > sign * node.best or equal:
            node.best, node.line = value, (move, *child.line)
        if self.defects.window_kept:
            node.alpha, node.beta = child.alpha, child.beta
        cut = self.windows and self._cuts(node, sign)
        if not cut:
            narrower = (max(node.alpha, node.best), node.beta)
            if not node.maximizing:
                narrower = (node.alpha, min(node.beta, node.best))
            node.alpha, node.beta = narrower
        if self.defects.cut_line or not cut:
            self._tell("cut" if cut else "takes", child)
        return cut

    def _cuts(self, node: Open, sign: int) -> bool:
        other, own = (node.beta, node.alpha)[::sign]
        bound = own if self.defects.cut == "own" else other
        above = sign * (node.best - bound)
        return above > 0 if self.defects.cut == "beyond" else above >= 0

    def _tell(
        self, doing: Doing, child: Open | None = None, value: str = "", optional: bool = False
    ) -> None:
        if self._write is None:
            return
        self.doing, self.child = doing, child
        node = self.path[-1]
        line = f"{node.name},{node.depth},{value or spelled(node.best)}"
        if self.windows:
            line += f",{spelled(node.alpha)},{spelled(node.beta)}"
        self._write(line, optional)
