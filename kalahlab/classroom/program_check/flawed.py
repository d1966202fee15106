"""Our own program with the mistakes of others, a switch each: how it sows, and how it searches.

The search knows no evaluator. It asks for the value of a leaf, in the numbers of the program that
is checked, so that it can be compared with a program whose evaluator is unknown.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import cycle, islice
from typing import Literal, NamedTuple

from kalahlab.games import kalah
from kalahlab.games.kalah import NORTH, Board, State, drops, pits_of, sowing_path
from kalahlab.games.rules import Rules

INF = float("inf")
Window = tuple[float, float]
FULL_WINDOW: Window = (-INF, INF)
View = Literal["south", "north", "mover"]
"""Whose side a value is on: always South's, always North's, or the player's to move."""


@dataclass(frozen=True)
class Sowing:
    """How a program plays a move; the defaults are right. Its rules are those of the game.

    Attributes:
        origin_kept: The stones that are sown also stay in their pit.
        own_store_skipped: No stone falls into the own store.
        stops_short: The last stone is not sown.
        captures_on: Where a last stone captures in an empty pit, seen from the player who sows.
        captures_full: A last stone captures in pits that had stones, too.
        lap_captures: Whether a last stone captures in the pit that it came from.
        banked: The stones of the last pit that are banked, where a capture empties it.
        captured_for: Who gets captured stones.
        opposite: By how many pits the opposite pit is missed.
        loose_capture: Only the last stone is banked; the opposite stones stay.
        unswept: The stones that are left at the end stay in their pits.
        stops_at_end: A last stone past the end of the list captures nothing, and gives no turn.
        ends_for: The only player whose empty row ends the game; None for both.
    """

    origin_kept: bool = False
    own_store_skipped: bool = False
    stops_short: bool = False
    captures_on: Literal["own", "other", "both"] = "own"
    captures_full: bool = False
    lap_captures: bool = True
    banked: Literal["all", "one", "none"] = "all"
    captured_for: Literal["own", "other", "nobody"] = "own"
    opposite: int = 0
    loose_capture: bool = False
    unswept: bool = False
    stops_at_end: bool = False
    ends_for: int | None = None


RIGHT_SOWING = Sowing()


class Node(NamedTuple):
    """What a search needs of a position.

    Attributes:
        final: The position after the sweep if the game is over, else None.
        moves: The pits with stones of the player to move.
        children: The positions after the moves that were played.
    """

    final: State | None
    moves: list[int]
    children: dict[int, State]


@dataclass(frozen=True)
class FlawedGame:
    """Kalah as a program plays it: rules, and mistakes in sowing. Boards are not swept."""

    rules: Rules
    sowing: Sowing = RIGHT_SOWING

    @cached_property
    def _hash(self) -> int:
        return hash((self.rules, self.sowing))

    def __hash__(self) -> int:
        """Return a hash that is computed once, as `play_move` needs it for each move."""
        return self._hash

    @cached_property
    def _nodes(self) -> dict[State, Node]:
        return share_nodes(self)

    def find_node(self, state: State) -> Node:
        """Return the node of a position; it is kept, as searches come to the same positions."""
        node = self._nodes.get(state)
        if node is None:
            final = None
            if self.is_over(state):
                final = State(self.final_board(state.board), state.player)
            node = self._nodes[state] = Node(final, self.moves(state), {})
        return node

    def is_over(self, state: State) -> bool:
        """Return whether a row is empty that ends the game, or a store decides it."""
        board, player = state
        if self.rules.majority != "ignore" and kalah.is_decided(board):
            return True
        half = len(board) // 2
        empty = (not any(board[: half - 1]), not any(board[half:-1]))
        if self.sowing.ends_for is not None:
            return empty[self.sowing.ends_for]
        return empty[player] if self.rules.end == "mover" else any(empty)

    def final_board(self, board: Board) -> Board:
        """Return the board of a finished game after the sweep, if there is one."""
        return board if self.sowing.unswept else kalah.sweep(board, self.rules.rest_to)

    def moves(self, state: State) -> list[int]:
        """Return the pits with stones of the player to move."""
        board = state.board
        half = len(board) // 2
        base = half * state.player
        return [pit for pit in range(half - 1) if board[base + pit]]

    def play(self, state: State, pit: int) -> State:
        """Return the state after a move, not swept."""
        return play_move(self, state, pit)


@lru_cache(64)
def share_nodes(game: FlawedGame) -> dict[State, Node]:
    """Return the nodes of a game, which all equal ones share: each pair of mistakes makes one."""
    return {}


@lru_cache(1 << 16)
def play_move(game: FlawedGame, state: State, pit: int) -> State:
    """Return the state after a move of a game, not swept."""
    board, player = [*state.board], state.player
    half = len(board) // 2
    store = player * half + half - 1
    origin = player * half + pit
    stones = board[origin]
    last = _sow(game, board, player, origin)
    if game.rules.relay:
        while last % half != half - 1 and board[last] > 1:
            last = _sow(game, board, player, last)
    is_past_end = False
    if game.sowing.stops_at_end:
        is_past_end = any(index <= origin for index in drops(player, origin, stones, half - 1))
    captured = 0 if is_past_end else _capture(game, board, player, origin, last)
    again = last == store and game.rules.again_on_store and not is_past_end
    if captured and game.rules.again_on_capture:
        again = True
    return State(tuple(board), player if again else 1 - player)


def _sow(game: FlawedGame, board: list[int], player: int, origin: int) -> int:
    """Sow a pit in place, and return the index of the last stone."""
    rules, sowing = game.rules, game.sowing
    pits = len(board) // 2 - 1
    store = player * (pits + 1) + pits
    path = sowing_path(
        player, origin, pits, rules.skip_origin, rules.sow_opponent_store, rules.direction
    )
    if sowing.own_store_skipped:
        path = tuple(index for index in path if index != store)
    stones = board[origin]
    if not sowing.origin_kept:
        board[origin] = 0
    if sowing.stops_short:
        stones -= 1
    last = origin
    for last in islice(cycle(path), stones):
        board[last] += 1
    return last


def _capture(game: FlawedGame, board: list[int], player: int, origin: int, last: int) -> int:
    """Capture in place if the last stone does, and return the stones captured."""
    rules, sowing = game.rules, game.sowing
    half = len(board) // 2
    if last % half == half - 1 or rules.capture == "never":
        return 0
    side = "own" if last // half == player else "other"
    if sowing.captures_on not in (side, "both"):
        return 0
    if board[last] != 1 and not sowing.captures_full:
        return 0
    if last == origin and not sowing.lap_captures:
        return 0
    opposite = 2 * half - 2 - last + sowing.opposite
    if not 0 <= opposite < 2 * half:
        return 0
    captured = kalah.count_captured(board[opposite], rules.capture == "always")
    if not captured:
        return 0
    taken = board[opposite] if not sowing.loose_capture else 0
    if not sowing.loose_capture:
        board[opposite] = 0
    if rules.capturing_stone == "store":
        taken += {"all": board[last], "one": 1, "none": 0}[sowing.banked]
        board[last] = 0
    if sowing.captured_for != "nobody":
        taker = player if sowing.captured_for == "own" else 1 - player
        board[taker * half + half - 1] += taken
    return captured


@dataclass(frozen=True)
class Search:
    """How a program searches; the defaults are a right search.

    Attributes:
        by_level: MAX and MIN change at each level, also after an extra turn.
        max_moves_always: MAX is to move in each child.
        negated: The value is negated at each level, also after an extra turn.
        window: The window that a child gets after an extra turn.
        passed_window: The window that a child of a negamax gets when the turn passes.
        cut: When a node is left: at its bound, when a child reaches the node's own bound (alpha at
            MAX), when its value is worse than its own bound, or never.
        returned: What a node that is cut returns: its value, or its own bound (alpha at MAX), or
            this only at MAX or at MIN.
        hard: All values are kept within the window, as in a fail-hard search.
        wrong_bound: MIN raises alpha in place of lowering beta.
        reversed_cut: The comparison that cuts is turned round.
        start: Where the best value begins.
        chooses: Who chooses the largest value: MAX, both players, or nobody. With `root` both
            choose what is best for the player to move at the root.
        children: Which of the children count.
        untried: The pit that is never tried.
        depth: What the depth counts.
        deeper: By how many plies the search is deeper than it should be.
        stops_again: A node after an extra turn is a leaf.
        finished_at_depth_0: A finished game at depth 0 is not swept.
        root_passes: The turn passes at the root, also after an extra turn.
        passes_for: Who passes the turn also after an extra turn: MAX, MIN, or nobody.
        order: The order of moves.
        last_of_equals: Of equally good moves the last one is played.
    """

    by_level: bool = False
    max_moves_always: bool = False
    negated: bool = False
    window: Literal["kept", "exchanged", "negated"] = "kept"
    passed_window: Literal["negated", "kept", "exchanged", "signs"] = "negated"
    cut: Literal["at", "own", "worse", "never"] = "never"
    returned: Literal["value", "own", "own at max", "own at min"] = "value"
    hard: bool = False
    wrong_bound: bool = False
    reversed_cut: bool = False
    start: float = INF
    chooses: Literal["max", "both", "nobody", "root"] = "max"
    children: Literal["all", "first", "last"] = "all"
    untried: Literal["none", "first", "last"] = "none"
    depth: Literal["plies", "turns"] = "plies"
    deeper: int = 0
    stops_again: bool = False
    finished_at_depth_0: Literal["swept", "unswept"] = "swept"
    root_passes: bool = False
    passes_for: Literal["nobody", "max", "min"] = "nobody"
    order: Literal["ring", "reversed", "columns"] = "ring"
    last_of_equals: bool = False


RIGHT_SEARCH = Search()
Leaf = Callable[[State, int], float]
"""The value of a leaf and the depth that is left there, in the numbers of the program."""


MOST_NODES = 30_000  # that a search visits; with some mistakes a game never ends


class TooLong(Exception):
    """Raised when a search visits too many nodes."""


class NoLeaf(Exception):
    """Raised when a program has no value for a leaf of a search, or makes no move."""


class Answer(NamedTuple):
    """The answer of a search: the value, the best moves, and the move that it plays."""

    value: float
    best: tuple[int, ...]
    move: int | None


@dataclass(frozen=True)
class Flawed:
    """A program with mistakes: a game, and a search of it."""

    game: FlawedGame
    search: Search = RIGHT_SEARCH

    def answer(
        self,
        state: State,
        depth: float,
        view: View,
        leaf: Leaf,
        window: Window = FULL_WINDOW,
    ) -> Answer:
        """Search a position to a depth, `INF` for the end of the game."""
        visitor = _Visitor(self, view, leaf)
        visitor.keeps = depth == INF and self.search.cut == "never" and not self.search.hard
        return visitor.answer(state, depth, window)

    def visit_leaves(self, state: State, depth: float, view: View, leaf: Leaf) -> None:
        """Search a position, and call `leaf` each time that a leaf is visited."""
        _Visitor(self, view, leaf).answer(state, depth, FULL_WINDOW)


class _Visitor:
    """One search by a program with mistakes.

    If it keeps the values of nodes, which no window may change, a position that is met again is
    not searched again, but its nodes are counted again.
    """

    def __init__(self, program: Flawed, view: View, leaf: Leaf) -> None:
        self.game, self.search = program.game, program.search
        self.view, self.leaf = view, leaf
        self.nodes = 0
        self.root_sign = 1
        self.known: dict[tuple[State, float, bool], tuple[float, int]] = {}
        self.keeps = False

    def __repr__(self) -> str:
        return "<_Visitor>"

    def answer(self, state: State, depth: float, window: Window) -> Answer:
        best: list[tuple[int, float]] = []
        maximizing = self.view == "mover" or self.view == ("south", "north")[state.player]
        self.root_sign = 1 if maximizing else -1
        value = self.visit(state, depth + self.search.deeper, *window, maximizing, best)
        moves = [move for move, child_value in best if child_value == value]
        if self.search.children == "first":
            moves = [move for move, _ in best[:1]]
        if not moves:
            return Answer(value, (), None)
        move = moves[-1 if self.search.last_of_equals else 0]
        if self.search.cut != "never":  # the value of another move may be a bound only
            return Answer(value, (move,), move)
        return Answer(value, tuple(moves), move)

    def list_moves(self, state: State, moves: list[int]) -> list[int]:
        """Return the moves of a position that the program tries, in its order."""
        if self.search.untried != "none":
            missing = 0 if self.search.untried == "first" else pits_of(state.board) - 1
            moves = [move for move in moves if move != missing]
        is_turned = self.search.order == "columns" and state.player == NORTH
        return moves[::-1] if self.search.order == "reversed" or is_turned else moves

    def leaf_value(self, state: State, depth: float, final: State | None) -> float | None:
        """Return the value of a leaf, None for a node that is searched further."""
        if final is not None:
            if depth <= 0 and self.search.finished_at_depth_0 == "unswept":
                final = state
            return self.leaf(final, _depth_below(depth))
        return self.leaf(state, 0) if depth <= 0 else None

    def visit(
        self,
        state: State,
        depth: float,
        alpha: float,
        beta: float,
        maximizing: bool,
        best_moves: list[tuple[int, float]] | None = None,
    ) -> float:
        """Return the value of a node; note the root's moves and their values."""
        key, before = (state, depth, maximizing), self.nodes
        value, nodes = self.known.get(key, (None, 1)) if self.keeps else (None, 1)
        self.nodes += nodes
        if self.nodes > MOST_NODES:
            raise TooLong
        if value is not None:
            return value
        final, moves, children = self.game.find_node(state)
        value = self.leaf_value(state, depth, final)
        if value is not None:
            return value
        search, bounds = self.search, (alpha, beta)
        sign = self.choose_sign(maximizing)
        best = -sign * search.start if search.start else 0.0
        passes = self.has_to_pass(best_moves is not None, maximizing)
        for move in self.list_moves(state, moves):
            if move not in children:
                children[move] = self.game.play(state, move)
            child = children[move]
            if passes:
                child = State(child.board, 1 - state.player)
            value = self.visit_child(state, child, depth, alpha, beta, maximizing)
            if best_moves is not None:
                best_moves.append((move, value))
            if sign * value > sign * best or search.children == "last":
                best = value
            if search.children == "first":
                break
            if search.cut == "never":
                continue
            alpha, beta, is_cut = self.narrow(value, best, alpha, beta, sign)
            if is_cut:
                if self.returns_own_bound(sign):
                    return alpha if sign > 0 else beta
                break
        if search.hard:
            return min(max(best, bounds[0]), bounds[1])
        if self.keeps and best_moves is None:
            self.known[key] = best, self.nodes - before
        return best

    def choose_sign(self, maximizing: bool) -> int:
        """Return 1 if a node takes the largest of its children's values, -1 for the smallest."""
        if self.search.chooses == "nobody":
            return -1
        if self.search.chooses == "root":
            return self.root_sign
        return 1 if maximizing or self.search.chooses == "both" else -1

    def has_to_pass(self, is_root: bool, maximizing: bool) -> bool:
        """Return whether the turn passes to the opponent after each move of a node."""
        if self.search.root_passes and is_root:
            return True
        return self.search.passes_for == ("max" if maximizing else "min") and self.view != "mover"

    def returns_own_bound(self, sign: int) -> bool:
        """Return whether a node that is cut returns its own bound."""
        return self.search.returned in ("own", "own at max" if sign > 0 else "own at min")

    def narrow(
        self, value: float, best: float, alpha: float, beta: float, sign: int
    ) -> tuple[float, float, bool]:
        """Return the window after a child, and whether the node is left."""
        search = self.search
        own, other = (alpha, beta) if sign > 0 else (beta, alpha)
        if self.returns_own_bound(sign) and sign * best >= sign * other:
            return alpha, beta, True  # the bound is returned before it is narrowed
        raises_alpha = sign > 0 or search.wrong_bound
        narrowed = (max(alpha, best), beta) if raises_alpha else (alpha, min(beta, best))
        if search.cut == "own":
            return *narrowed, abs(own) != INF and sign * value >= sign * own
        if search.cut == "worse":
            return *narrowed, sign * best <= sign * own
        if search.reversed_cut:
            return *narrowed, narrowed[0] <= narrowed[1]
        return *narrowed, narrowed[0] >= narrowed[1]

    def visit_child(
        self,
        state: State,
        child: State,
        depth: float,
        alpha: float,
        beta: float,
        maximizing: bool,
    ) -> float:
        """Return the value of a child, in the numbers of the player whose node it is."""
        search = self.search
        is_again = child.player == state.player
        remaining = depth - 1
        if is_again and search.depth == "turns":
            remaining = depth
        if is_again and search.stops_again:
            remaining = 0
        if self.view != "mover" and search.max_moves_always:
            child = State(child.board, ("south", "north").index(self.view))
            return self.visit(child, remaining, alpha, beta, True)
        if self.view != "mover":
            flips = not is_again or search.by_level
            if is_again and search.window != "kept":
                alpha, beta = _extra_window(search.window, alpha, beta)
            return self.visit(child, remaining, alpha, beta, maximizing != flips)
        if is_again and not search.negated:
            window = _extra_window(search.window, alpha, beta)
            return self.visit(child, remaining, *window, True)
        if search.passed_window == "negated":
            return -self.visit(child, remaining, -beta, -alpha, True)
        windows = {"kept": (alpha, beta), "exchanged": (beta, alpha), "signs": (-alpha, -beta)}
        return -self.visit(child, remaining, *windows[search.passed_window], True)


def _depth_below(depth: float) -> int:
    """Return the depth that is left as a whole number; one for a search without a depth."""
    return 1 if depth == INF else max(0, int(depth))


def _extra_window(change: str, alpha: float, beta: float) -> tuple[float, float]:
    """Return the window of a child after an extra turn."""
    if change == "exchanged":
        return beta, alpha
    return (-beta, -alpha) if change == "negated" else (alpha, beta)
