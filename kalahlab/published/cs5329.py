"""The program of the CS5329 report of 2020, as printed, each defect a named switch.

The report's section 10 lists a C++ program in which two computers play Kalah(6, 6); its section 8
is a table of 16 such games, its section 11 the logs of three. All defects off is the corrected
program, which searches as `search.minimax_a_b` and `search.alpha_beta` do.

A is South and moves first, B is North. What C++ leaves undefined is never invented: a game
is `defined`, or says why it is not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from kalahlab.data import data_rows
from kalahlab.evaluators.kalah import e1, e2, e3, e4
from kalahlab.games import kalah
from kalahlab.games.kalah import NORTH, SOUTH, Board, Kalah, Sowing, State

ALGORITHMS = ("MinMaxAB", "AlphaBetaSearch")
EVALUATIONS = (1, 2, 3, 4)
PLAYERS = ("A", "B")

GAME = Kalah(6, 6)
UNSET = -2000  # what a node's field holds before anything is written to it; also the widest bound
DEFECTS: dict[str, dict[str, Any]] = {row["defect"]: row for row in data_rows("cs5329_defects.csv")}

Value = float | None  # None where the printed program reads a variable that was never set


class Defects(frozenset[str]):
    """The defects that a program has, each also an attribute: True is as printed, False corrected.

    `data/cs5329_defects.csv` says what each is, and which algorithm or evaluation alone reads it.
    Page 02 turns them off in this order: after the first, E1, every row is defined.
    """

    def __getattr__(self, name: str) -> bool:
        if name not in DEFECTS:
            raise AttributeError(f"{name} is no defect")
        return name in self

    def __repr__(self) -> str:
        return f"Defects({sorted(self)})"  # a set's order is another in each run

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(cls.describe())

    @classmethod
    def describe(cls) -> dict[str, str]:
        return {name.replace("_", "-"): row["says"] for name, row in DEFECTS.items()}

    @classmethod
    def without(cls, *names: str) -> "Defects":
        """The printed program with these defects corrected, named as on a command line."""
        if unknown := [name for name in names if name not in cls.names()]:
            raise ValueError(f"defect is {unknown[0]!r}; use one of {', '.join(cls.names())}")
        return cls(DEFECTS.keys() - {name.replace("-", "_") for name in names})

    def read_by(self, algorithm: str, evaluation: int) -> "Defects":
        """These switches, but on where neither this algorithm nor this evaluation reads them."""
        read = ("", algorithm, str(evaluation))
        return Defects(self | {name for name, row in DEFECTS.items() if row["only"] not in read})


AS_PRINTED, CORRECTED = Defects(DEFECTS), Defects()


class NotDefined(Exception):
    """The C++ standard says nothing about what the program does next; the text says why."""


def sown(board: Board, player: int, pit: int, defects: Defects) -> Sowing:
    """One sow; a pit without stones leaves the board as it is."""
    return kalah.sow(board, player, pit, capture_empty=defects.uneven_capture and player == NORTH)


def _extra_turn(after: Sowing, player: int) -> bool:
    return after.last == (player + 1) * len(after.board) // 2 - 1


def _ran_out(board: Board) -> bool:
    return GAME.over(State(board, SOUTH))


def _swept(board: Board) -> Board:
    return kalah.sweep(board, "owner") if _ran_out(board) else board


def finished(board: Board, defects: Defects) -> bool:
    """The end test, without its side effect."""
    if _ran_out(board):
        return not defects.endless_tie or kalah.decided(_swept(board))
    return defects.early_stop and kalah.decided(board)


@lru_cache(maxsize=1 << 14)  # searches one after the other come to the same boards
def _below(board: Board, player: int, defects: Defects) -> tuple[State | None, ...]:
    """The state behind each pit, None if the player to move has no stones there."""
    mover = 1 - player if defects.wrong_mover else player
    states: list[State | None] = [None] * kalah.pits_of(board)
    for pit, stones in enumerate(kalah.side(board, player)):
        if stones:
            after = sown(board, mover, pit, defects)
            again = not defects.strict_alternation and _extra_turn(after, mover)
            below = after.board if defects.sweeping_end_test else _swept(after.board)
            states[pit] = State(below, player if again else 1 - player)
    return tuple(states)


# The evaluators as printed (section 7): for the player to move.


def printed_e1(board: Board, player: int, otherwise: Value = None) -> Value:
    """2000 if A is to move and out of stones, -2000 for B, `otherwise` elsewhere."""
    if any(kalah.side(board, player)):
        return otherwise
    return 2000 if player == SOUTH else -2000


def printed_e3(board: Board, player: int) -> int:
    """Own store / the other's, truncated; -1 while the own store is empty."""
    own, other = kalah.stores(board)[player], kalah.stores(board)[1 - player]
    if own == 0:
        return -1
    if other == 0:
        raise NotDefined("E3 divides by the other store, which is empty")
    return own // other


def printed_e4(board: Board) -> int:
    """1500, 800 or 500 as A's last non-empty pit i holds i, fewer or more; 1000 without any."""
    for pit, count in reversed(tuple(enumerate(kalah.side(board, SOUTH)))):
        if count:
            return 1500 if count == pit else 800 if count < pit else 500
    return 1000


@dataclass(slots=True)
class Node:
    """field: its value, or, by a defect, the pit chosen there."""

    board: Board
    player: int
    field: Value = UNSET
    pit: int | None = None
    children: "Sequence[Node | None]" = ()


@dataclass(slots=True)
class Program:
    evaluation: int
    depth: int
    defects: Defects
    e1_otherwise: Value = None
    generated: int = 0
    expanded: int = 0

    def deep_enough(self, node: Node, depth: int) -> bool:
        """Whether the node is a leaf; if not, all its children are made."""
        if self.defects.pit_in_value_field and node.field != UNSET:
            return bool(node.field)  # so a chosen pit 0 reads as "not yet evaluated"
        if depth >= self.depth:
            return True
        if self.defects.sweeping_end_test:
            node.board = _swept(node.board)
        if finished(node.board, self.defects):
            return True
        states = _below(node.board, node.player, self.defects)
        self.expanded += 1
        self.generated += len(states) - states.count(None)
        node.children = [None if state is None else Node(*state) for state in states]
        return False

    def evaluate(self, node: Node) -> Value:
        """A leaf's value, also left in its field: for the mover by E1, E3 and E4 as printed. E2,
        the corrected evaluators and the margin of a finished game are for A."""
        board, defects = node.board, self.defects
        value: Value
        if not defects.outcome_by_evaluator and (_ran_out(board) or finished(board, defects)):
            value = e2(_swept(board), SOUTH)
        elif self.evaluation == 1 and defects.e1_undefined:
            value = printed_e1(board, node.player, self.e1_otherwise)
        elif self.evaluation == 3 and defects.e3_integer_ratio:
            value = printed_e3(board, node.player)
            if value == -1:  # the printed E3 returns early and writes nothing
                return value
        elif self.evaluation == 4 and defects.e4_last_pit:
            value = printed_e4(board)
        else:
            value = (e1, e2, e3, e4)[self.evaluation - 1](board, SOUTH)
        node.field = value
        return value


def _known(value: Value) -> float:
    if value is None:
        raise NotDefined("E1 reads a variable that was never set")
    return value


def min_max_ab(program: Program, node: Node, depth: int, use: float, passed: float) -> float:
    """MinMaxAB: the value for the player to move, between the thresholds."""
    if program.deep_enough(node, depth):
        value = _known(program.evaluate(node))
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
    """AlphaBetaSearch: the value for A. `player` chooses between MAX (A) and MIN (B)."""
    if program.deep_enough(node, depth):
        return program.evaluate(node)
    defects = program.defects
    best: float = -100 if defects.frozen_best else UNSET
    choose: Callable[[float, float], float] = max
    if player == NORTH:
        best, choose = -best, min
    for child in filter(None, node.children):
        below = node.player if defects.parents_player else child.player
        value = alpha_beta_search(program, child, depth + 1, below, alpha, beta)
        if not defects.frozen_best:
            best = choose(best, _known(value))
        if player == SOUTH:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if beta <= alpha:
            break
    node.field = best
    return best


def pit_of_min_max_ab(program: Program, root: Node) -> int:
    min_max_ab(program, root, 0, -UNSET, UNSET)
    pit = root.field if program.defects.pit_in_value_field else root.pit
    if pit is None or pit == UNSET:
        raise NotDefined("MinMaxAB finds no value above -2000 and chooses no pit")
    return int(pit)


def pit_of_alpha_beta_search(program: Program, root: Node, widest: int = -UNSET) -> int:
    """The pit that AlphaBetaSearch plays. widest: the printed alpha, 2000, or 1000 in section 6."""
    alpha, beta = (widest, -widest) if program.defects.inverted_window else (-widest, widest)
    alpha_beta_search(program, root, 0, root.player, alpha, beta)
    value = _known(root.field)
    pits = [
        pit
        for pit, child in enumerate(root.children)
        if child is not None and _known(child.field) == value
    ]
    if not pits:
        raise NotDefined("AlphaBetaSearch finds no child worth as much as the root")
    return pits[-1] if program.defects.last_equal_child else pits[0]


PIT_OF = {"MinMaxAB": pit_of_min_max_ab, "AlphaBetaSearch": pit_of_alpha_beta_search}


@dataclass(frozen=True, slots=True)
class PublishedGame:
    """One game of the program, to its end or to where it is no longer defined.

    moves: (player, pit from 0). boards: after each move, before the rest is swept. stores: of A and
    B, the rest swept. winner: "A", "B" or "draw", None if the game has no end.
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
    def defined(self) -> bool:
        return not self.why_not_defined

    @property
    def figures(self) -> dict[str, Any]:
        cost = {"generated": self.generated, "expanded": self.expanded, "path": len(self.moves)}
        end = {"stores_a": self.stores[0], "stores_b": self.stores[1], "winner": self.winner}
        return cost | {"memory_kb": self.memory_kb} | end

    @property
    def choices(self) -> list[tuple[State, int]]:
        """Each position and the pit that was played there."""
        boards = [GAME.start().board, *self.boards]
        return [
            (State(board, PLAYERS.index(player)), pit)
            for board, (player, pit) in zip(boards, self.moves, strict=False)
        ]


def memory_by_formula(nodes: int) -> int:
    """In whole KB (1024 bytes)."""
    return 81 * nodes // 1024


def play_published(
    algorithm: str,
    evaluation: int,
    depth: int,
    defects: Defects = AS_PRINTED,
    e1_otherwise: Value = None,
) -> PublishedGame:
    """Let the program play against itself from the start of Kalah(6, 6). depth: in sows (printed: 2
    and 4). e1_otherwise: what the variable holds that E1 never sets."""
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm is {algorithm!r}; use one of {', '.join(ALGORITHMS)}")
    if evaluation not in EVALUATIONS:
        raise ValueError(f"evaluation is {evaluation!r}; use 1, 2, 3 or 4")
    if depth < 1:
        raise ValueError(f"depth is {depth}; use 1 or more")
    read = defects.read_by(algorithm, evaluation)
    return _played(algorithm, evaluation, depth, read, e1_otherwise)


@cache  # tables and ladders need the same games many times
def _played(
    algorithm: str, evaluation: int, depth: int, defects: Defects, e1_otherwise: Value
) -> PublishedGame:
    program = Program(evaluation, depth, defects, e1_otherwise)
    moves, boards, why = list[tuple[str, int]](), list[Board](), ""
    board, player = GAME.start()
    try:
        while not finished(board, defects):
            if _ran_out(board):
                raise NotDefined("36-36 does not end the game, and no pit is left to choose")
            pit = PIT_OF[algorithm](program, Node(board, player))
            after = sown(board, player, pit, defects)
            moves.append((PLAYERS[player], pit))
            boards.append(after.board)
            board = _swept(after.board)
            player = player if _extra_turn(after, player) else 1 - player
    except NotDefined as reason:
        why = f"move {len(moves) + 1}: {reason}"
    south, north = kalah.stores(board)
    return PublishedGame(
        tuple(moves),
        tuple(boards),
        program.generated,
        program.expanded,
        (south, north),
        None if why else "draw" if south == north else PLAYERS[north > south],
        memory_by_formula(program.generated) if defects.memory_by_formula else None,
        why,
    )
