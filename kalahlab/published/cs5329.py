"""The program of the CS5329 report of 2020, as printed, with a named switch for each defect.

The report's section 10 lists a C++ program in which two computers play Kalah(6, 6); its section 8
is a table of 16 such games, and its section 11 the logs of three games. With all switches off, the
program is the corrected one, which searches as `search.minimax_a_b` and `search.alpha_beta` do.

A is South and moves first, B is North. If C++ does not define the next step of the printed program,
the game ends before this step, and its `why_not_defined` is the reason.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from kalahlab.data import data_rows
from kalahlab.evaluators.kalah import e1, e2, e3, e4
from kalahlab.games import kalah
from kalahlab.games.kalah import NORTH, SOUTH, Board, Kalah, Sowing, State
from kalahlab.games.rules import EMPTY_CAPTURE, STANDARD

ALGORITHMS = ("MinMaxAB", "AlphaBetaSearch")
EVALUATIONS = (1, 2, 3, 4)
PLAYERS = ("A", "B")

GAME = Kalah(6, 6)
# The content of a node's field before a write. It is also the lower bound of the root's window,
# which is UNSET to -UNSET.
UNSET = -2000
DEFECTS: dict[str, dict[str, Any]] = {row["defect"]: row for row in data_rows("cs5329_defects.csv")}

Value = float | None  # None where the printed program reads a variable that was never set
_CORRECTED_EVALUATORS = {1: e1, 2: e2, 3: e3, 4: e4}


class Defects(frozenset[str]):
    """The set of the defects of a program.

    Each known defect is also an attribute: True if the program has the defect, as printed, False if
    the defect is corrected. `data/cs5329_defects.csv` describes the defects. Its column `only` has
    the algorithm or the evaluation that reads the switch, if only one does. Page 02 corrects the
    defects in the order of that file.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        # The search reads a switch at each node, so all are attributes from the start.
        vars(self).update({name: name in self for name in DEFECTS})

    # Python calls this method only for a missing attribute.
    def __getattr__(self, name: str) -> bool:
        raise AttributeError(f"{name} is not a defect")

    def __repr__(self) -> str:
        return f"Defects({sorted(self)})"  # the order of a set differs between runs

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of all defects, as on a command line."""
        return tuple(cls.describe())

    @classmethod
    def describe(cls) -> dict[str, str]:
        """Return a description of each defect by its name, as on a command line."""
        return {name.replace("_", "-"): row["says"] for name, row in DEFECTS.items()}

    @classmethod
    def without(cls, *names: str) -> "Defects":
        """Return all printed defects but those of these names, as on a command line."""
        for name in names:
            if name not in cls.names():
                raise ValueError(f"defect is {name!r}; use one of {', '.join(cls.names())}")
        return cls(DEFECTS.keys() - {name.replace("-", "_") for name in names})

    def read_by(self, algorithm: str, evaluation: int) -> "Defects":
        """Return this set, extended by all defects that are not read in a game.

        A defect is not read if only another algorithm or another evaluation reads the switch. Two
        programs may differ only in such switches. With this method they have equal defects, and
        share their games in a cache.
        """
        # The column `only` is "" if all algorithms and evaluations read the switch.
        readers = ("", algorithm, str(evaluation))
        unread = {name for name, row in DEFECTS.items() if row["only"] not in readers}
        return Defects(self | unread)


AS_PRINTED, CORRECTED = Defects(DEFECTS), Defects()


class NotDefined(Exception):
    """Raised if the next step of the program is undefined in C++; the message is the reason."""


def sow_printed(board: Board, player: int, pit: int, defects: Defects) -> Sowing:
    """Sow a pit; if the pit is empty, the board stays unchanged.

    With the defect `uneven_capture`, B captures the last stone even if the opposite pit is empty.
    """
    rules = STANDARD
    if defects.uneven_capture and player == NORTH:
        rules = EMPTY_CAPTURE
    return kalah.sow(board, player, pit, rules)


def _is_extra_turn(after: Sowing, player: int) -> bool:
    """Return whether the last stone fell into the player's store."""
    half = len(after.board) // 2
    store = player * half + half - 1
    return after.last == store


def _has_ended(board: Board) -> bool:
    """Return whether a side has no stones left."""
    return GAME.is_over(State(board, SOUTH))


def _sweep_if_over(board: Board) -> Board:
    """Sweep the remaining stones into their owner's store if a side has none left."""
    if _has_ended(board):
        return kalah.sweep(board, "owner")
    return board


def is_finished(board: Board, defects: Defects) -> bool:
    """Return the result of the program's end test.

    The printed test also sweeps the board. This function leaves that to `Program.deep_enough`.
    """
    if _has_ended(board):
        is_tie = not kalah.is_decided(_sweep_if_over(board))
        return not (is_tie and defects.endless_tie)
    return defects.early_stop and kalah.is_decided(board)


@lru_cache(maxsize=1 << 14)  # consecutive searches reach the same boards
def _children_below(board: Board, player: int, defects: Defects) -> tuple[State | None, ...]:
    """Return the state after each pit; None for a pit of the player's that has no stones."""
    mover = player
    if defects.wrong_mover:
        mover = 1 - player  # the opponent's pit with the same number is sown
    states: list[State | None] = [None] * kalah.pits_of(board)
    for pit, stones in enumerate(kalah.side(board, player)):
        if not stones:
            continue
        after = sow_printed(board, mover, pit, defects)
        child_board = after.board
        if not defects.sweeping_end_test:
            child_board = _sweep_if_over(child_board)
        next_player = 1 - player
        if not defects.strict_alternation and _is_extra_turn(after, mover):
            next_player = player
        states[pit] = State(child_board, next_player)
    return tuple(states)


# The evaluators as printed in section 7. Their values are for the player to move.


def evaluate_e1_as_printed(board: Board, player: int, otherwise: Value = None) -> Value:
    """Return 2000 if A is to move and has no stones left, -2000 if B is to move and has none.

    In any other position, return `otherwise`.
    """
    if any(kalah.side(board, player)):
        return otherwise
    return 2000 if player == SOUTH else -2000


def evaluate_e3_as_printed(board: Board, player: int) -> int:
    """Return the mover's store divided by the other store, truncated; -1 if the mover's is empty.

    Raises:
        NotDefined: The other store is empty, and the mover's is not.
    """
    mover_store, other_store = kalah.stores(board)[player], kalah.stores(board)[1 - player]
    if mover_store == 0:
        return -1
    if other_store == 0:
        raise NotDefined("E3 divides by the other store, which is empty")
    return mover_store // other_store


def evaluate_e4_as_printed(board: Board) -> int:
    """Compare the number of stones in A's last non-empty pit with the number of the pit, from 0.

    Return 1500 if both are equal, 800 if there are fewer stones, 500 if there are more, and 1000 if
    all pits of A are empty.
    """
    for pit, count in reversed(tuple(enumerate(kalah.side(board, SOUTH)))):
        if count == 0:
            continue
        if count == pit:
            return 1500
        return 800 if count < pit else 500
    return 1000


@dataclass(slots=True)
class Node:
    """A node of the search tree.

    Attributes:
        board: The board.
        player: The player to move.
        field: The value of the node; with the defect `pit_in_value_field`, the chosen pit.
        pit: The chosen pit, without that defect.
        children: A node for each pit, None for an empty pit.
    """

    board: Board
    player: int
    field: Value = UNSET
    pit: int | None = None
    children: "Sequence[Node | None]" = ()  # quoted, as the class is not defined yet


@dataclass(slots=True)
class Program:
    """The search of one game, with its counts.

    Attributes:
        evaluation: The number of the evaluator, 1 to 4.
        depth: The depth of the search, in sows.
        defects: The defects.
        e1_otherwise: The content of the variable that E1 never sets.
        generated: The number of children made.
        expanded: The number of nodes whose children were made.
    """

    evaluation: int
    depth: int
    defects: Defects
    e1_otherwise: Value = None
    generated: int = 0
    expanded: int = 0

    def deep_enough(self, node: Node, depth: int) -> bool:
        """Return whether a node is a leaf; if it is not, make all its children first."""
        # The program takes a node with a value for evaluated. With the defect the field has a pit,
        # and the pit 0 counts as no value.
        if self.defects.pit_in_value_field and node.field != UNSET:
            return bool(node.field)
        if depth >= self.depth:
            return True
        if self.defects.sweeping_end_test:
            node.board = _sweep_if_over(node.board)
        if is_finished(node.board, self.defects):
            return True
        states = _children_below(node.board, node.player, self.defects)
        self.expanded += 1
        self.generated += len(states) - states.count(None)
        node.children = [None if state is None else Node(*state) for state in states]
        return False

    def evaluate(self, node: Node) -> Value:
        """Return the value of a leaf, and write the value to the leaf's field.

        The printed E1, E3 and E4 give the value for the player to move. E2 and the corrected
        evaluators give the value for A. A finished game has A's margin as its value.
        """
        board, defects = node.board, self.defects
        value: Value
        if not defects.outcome_by_evaluator and (_has_ended(board) or is_finished(board, defects)):
            value = e2(_sweep_if_over(board), SOUTH)  # E2 of a swept board is the margin
        elif self.evaluation == 1 and defects.e1_undefined:
            value = evaluate_e1_as_printed(board, node.player, self.e1_otherwise)
        elif self.evaluation == 3 and defects.e3_integer_ratio:
            value = evaluate_e3_as_printed(board, node.player)
            if value == -1:  # the printed E3 returns early and writes nothing
                return value
        elif self.evaluation == 4 and defects.e4_last_pit:
            value = evaluate_e4_as_printed(board)
        else:
            value = _CORRECTED_EVALUATORS[self.evaluation](board, SOUTH)
        node.field = value
        return value


def _require_value(value: Value) -> float:
    """Return the value of a variable; raise `NotDefined` if the variable was never set."""
    if value is None:
        raise NotDefined("E1 reads a variable that was never set")
    return value


def min_max_ab(program: Program, node: Node, depth: int, use: float, passed: float) -> float:
    """Return the value of a node for the player to move, by the printed MinMaxAB.

    Args:
        program: The program.
        node: The node.
        depth: The number of sows from the root.
        use: Use-Thresh, the upper threshold; the search of a node ends when a value reaches it.
        passed: Pass-Thresh, the lower threshold; lower values do not matter.
    """
    if program.deep_enough(node, depth):
        value = _require_value(program.evaluate(node))
        # At B's leaves the sign changes, whatever the evaluator.
        node.field = -value if node.player == NORTH else value
        return node.field
    for pit, child in enumerate(node.children):
        if child is None:
            continue
        if child.player == node.player:
            new_value = min_max_ab(program, child, depth + 1, use, passed)
        else:
            new_value = -min_max_ab(program, child, depth + 1, -passed, -use)
        if new_value > passed:
            passed = new_value
            if program.defects.pit_in_value_field:
                node.field = pit
            else:
                node.pit = pit
        if passed >= use:
            return passed
    return passed


def alpha_beta_search(
    program: Program, node: Node, depth: int, player: int, alpha: float, beta: float
) -> Value:
    """Return the value of a node for A, by the printed AlphaBetaSearch.

    The argument `player` is the player who chooses: A as MAX, or B as MIN. With the defect
    `parents_player` this may not be the player to move, `node.player`.
    """
    if program.deep_enough(node, depth):
        return program.evaluate(node)
    defects = program.defects
    best: float = UNSET
    if defects.frozen_best:
        best = -100
    choose: Callable[[float, float], float] = max
    if player == NORTH:
        best = -best
        choose = min
    for child in filter(None, node.children):
        player_below = node.player if defects.parents_player else child.player
        # With `frozen_best` the value is not used, but the search below still writes the fields.
        value = alpha_beta_search(program, child, depth + 1, player_below, alpha, beta)
        if not defects.frozen_best:
            best = choose(best, _require_value(value))
        if player == SOUTH:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if beta <= alpha:
            break
    node.field = best
    return best


def pit_of_min_max_ab(program: Program, root: Node) -> int:
    """Return the pit that MinMaxAB plays; raise `NotDefined` if it chooses none."""
    min_max_ab(program, root, 0, -UNSET, UNSET)
    pit: Value = root.pit  # a `Value`, as the field may have the pit
    if program.defects.pit_in_value_field:
        pit = root.field
    if pit is None or pit == UNSET:
        raise NotDefined("MinMaxAB finds no value above -2000 and chooses no pit")
    return int(pit)


def pit_of_alpha_beta_search(program: Program, root: Node, widest: int = -UNSET) -> int:
    """Return the pit that AlphaBetaSearch plays.

    Args:
        program: The program.
        root: The root, whose children are not made yet.
        widest: The upper bound of the root's window. The lower bound is `-widest`. The program of
            the report has 2000; section 6 of the report has 1000.

    Raises:
        NotDefined: No child has the value of the root, or a value was never set.
    """
    alpha, beta = -widest, widest
    if program.defects.inverted_window:
        alpha, beta = beta, alpha
    alpha_beta_search(program, root, 0, root.player, alpha, beta)
    value = _require_value(root.field)
    pits = [
        pit
        for pit, child in enumerate(root.children)
        if child is not None and _require_value(child.field) == value
    ]
    if not pits:
        raise NotDefined("AlphaBetaSearch finds no child worth as much as the root")
    return pits[-1] if program.defects.last_equal_child else pits[0]


PIT_CHOOSERS = {"MinMaxAB": pit_of_min_max_ab, "AlphaBetaSearch": pit_of_alpha_beta_search}


@dataclass(frozen=True, slots=True)
class PublishedGame:
    """A game of the program against itself, to its end or as far as it is defined.

    Attributes:
        moves: The moves. Each is a player ("A" or "B") and a pit, from 0.
        boards: The board after each move, before the remaining stones are swept.
        generated: The number of nodes made in all searches of the game.
        expanded: The number of nodes whose children were made, in all searches of the game.
        stores: The stores of A and B at the end, after the remaining stones are swept. If the game
            has no end, the stores after the last move.
        winner: "A", "B" or "draw"; None if the game has no end.
        memory_kb: The memory in KB by the printed formula; None if the defect `memory_by_formula`
            is corrected.
        why_not_defined: The reason why the game has no end, "" if it has one.
    """

    moves: tuple[tuple[str, int], ...]
    boards: tuple[Board, ...]
    generated: int
    expanded: int
    stores: tuple[int, int]
    winner: str | None
    memory_kb: int | None
    why_not_defined: str

    @property
    def is_defined(self) -> bool:
        return not self.why_not_defined

    @property
    def figures(self) -> dict[str, Any]:
        """The columns of the table in section 8, and the stores. `path` is the number of moves."""
        cost = {"generated": self.generated, "expanded": self.expanded, "path": len(self.moves)}
        end = {"stores_a": self.stores[0], "stores_b": self.stores[1], "winner": self.winner}
        return cost | {"memory_kb": self.memory_kb} | end

    @property
    def choices(self) -> list[tuple[State, int]]:
        """The positions, each with the pit that was played in it."""
        boards = [GAME.start().board, *self.boards]
        # Not strict, as no move was played on the last board.
        return [
            (State(board, PLAYERS.index(player)), pit)
            for board, (player, pit) in zip(boards, self.moves, strict=False)
        ]


def memory_by_formula(nodes: int) -> int:
    """Return the memory of a number of nodes, 81 bytes each, in whole KB of 1024 bytes."""
    return 81 * nodes // 1024


def play_published(
    algorithm: str,
    evaluation: int,
    depth: int,
    defects: Defects = AS_PRINTED,
    e1_otherwise: Value = None,
) -> PublishedGame:
    """Let the program play against itself from the start of Kalah(6, 6).

    Args:
        algorithm: One of `ALGORITHMS`.
        evaluation: One of `EVALUATIONS`.
        depth: In sows (printed: 2 and 4).
        defects: The defects of the program.
        e1_otherwise: The content of the variable that E1 never sets.

    Raises:
        ValueError: There is no such algorithm, evaluation or depth.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm is {algorithm!r}; use one of {', '.join(ALGORITHMS)}")
    if evaluation not in EVALUATIONS:
        raise ValueError(f"evaluation is {evaluation!r}; use 1, 2, 3 or 4")
    if depth < 1:
        raise ValueError(f"depth is {depth}; use 1 or more")
    defects = defects.read_by(algorithm, evaluation)
    return _play_game(algorithm, evaluation, depth, defects, e1_otherwise)


@cache  # tables, and series that correct one defect after another, need the same games
def _play_game(
    algorithm: str, evaluation: int, depth: int, defects: Defects, e1_otherwise: Value
) -> PublishedGame:
    program = Program(evaluation, depth, defects, e1_otherwise)
    moves = list[tuple[str, int]]()
    boards = list[Board]()
    why_not_defined = ""
    board, player = GAME.start()
    try:
        while not is_finished(board, defects):
            if _has_ended(board):
                raise NotDefined("36-36 does not end the game, and no pit is left to choose")
            pit = PIT_CHOOSERS[algorithm](program, Node(board, player))
            after = sow_printed(board, player, pit, defects)
            moves.append((PLAYERS[player], pit))
            boards.append(after.board)
            board = _sweep_if_over(after.board)
            if not _is_extra_turn(after, player):
                player = 1 - player
    except NotDefined as reason:
        why_not_defined = f"move {len(moves) + 1}: {reason}"
    stores = kalah.stores(board)
    winner: str | None = None
    memory_kb: int | None = None
    if not why_not_defined:
        winner = _winner(*stores)
    if defects.memory_by_formula:
        memory_kb = memory_by_formula(program.generated)
    return PublishedGame(
        moves=tuple(moves),
        boards=tuple(boards),
        generated=program.generated,
        expanded=program.expanded,
        stores=stores,
        winner=winner,
        memory_kb=memory_kb,
        why_not_defined=why_not_defined,
    )


def _winner(store_a: int, store_b: int) -> str:
    if store_a == store_b:
        return "draw"
    return "A" if store_a > store_b else "B"
