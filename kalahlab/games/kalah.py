"""Kalah: sow, capture, extra turn, end of the game.

A board is a flat tuple of 2m + 2 counts, read counterclockwise as the stones travel:

    index      0 .. m-1     m            m+1 .. 2m    2m+1
    holds      South's pits South's store North's pits North's store

Each side's pits are numbered 0..m-1 from its owner's left, so both players sow
towards higher indices and the opposite of ring index k is 2m - k.

Sources of the variations: Irving, Donkers and Uiterwijk, "Solving Kalah" (ICGA
Journal 23(3), 2000); the CS5329 report of 2020, section 1; the Mancala homework.
"""

from dataclasses import Field, dataclass, fields
from functools import cache, lru_cache
from itertools import compress, cycle, islice
from typing import Any, Literal, NamedTuple, get_args

from kalahlab.names import check_whole, named

RULES_VERSION = 1  # to be raised when a move comes to lead elsewhere: then nothing old is used
SOUTH, NORTH = 0, 1
NAMES = ("South", "North")
MOST_PITS, MOST_STONES = 100, 100_000  # a move takes time and memory by its stones

Board = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """Which Kalah is played. The defaults are the `standard` preset.

    The type of a field, `bool` or `Literal`, says which values it can have; see `rule_values`. What
    is built for speed plays by the fields that `kalahlab.engine.supported` lists, no others.

    capture_empty: a last stone in an own empty pit is banked even if the opposite
        pit is empty (the "empty capture" of Irving et al.); otherwise it stays.
    rest_to: who gets the stones left on the board when it ends, the `owner` of the
        pits they lie in or the `finisher`, the player whose side ran out.
    end: the game ends when `either` side is empty, or only when the side of the
        player to `mover` is, that is when that player cannot move.
    early_stop: the game ends once a store holds more than half of all stones; the
        rest then stays where it lies.
    """

    capture_empty: bool = False
    rest_to: Literal["owner", "finisher"] = "owner"
    end: Literal["either", "mover"] = "either"
    early_stop: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value, values = getattr(self, field.name), rule_values(field)
            if values and value not in values:
                listed = " or ".join(map(repr, values))
                raise ValueError(f"{field.name} is {value!r}; use {listed}")


def rule_values(field: Field[Any]) -> tuple[Any, ...]:
    """Return the values that a field of `Rules` can have, () if its type does not list them."""
    return (False, True) if field.type is bool else get_args(field.type)


STANDARD = Rules()
EMPTY_CAPTURE = Rules(capture_empty=True)
PRESETS = {"standard": STANDARD, "empty-capture": EMPTY_CAPTURE}


class State(NamedTuple):
    board: Board
    player: int


class Sowing(NamedTuple):
    """last: ring index of the last stone. captured: stones banked by a capture, itself included."""

    board: Board
    last: int
    captured: int

    @property
    def emptied(self) -> tuple[int, ...]:
        """Ring indices of the two pits that the capture emptied; none without a capture."""
        return (self.last, 2 * pits_of(self.board) - self.last) if self.captured else ()


def pits_of(board: Board) -> int:
    return len(board) // 2 - 1


def side(board: Board, player: int) -> Board:
    """The player's m pits, from the player's left."""
    base = player * (len(board) // 2)
    return board[base : base + pits_of(board)]


def stores(board: Board) -> tuple[int, int]:
    """The stones in (South's, North's) store."""
    return board[pits_of(board)], board[-1]


def in_play(board: Board) -> int:
    return sum(board) - sum(stores(board))


@cache
def sowing_path(pits: int, player: int, pit: int) -> tuple[int, ...]:
    """Ring indices that stones from `pit` reach in one lap, the pit itself last."""
    ring = 2 * pits + 2
    origin = player * (pits + 1) + pit
    skipped = (1 - player) * (pits + 1) + pits
    around = ((origin + step) % ring for step in range(1, ring + 1))
    return tuple(index for index in around if index != skipped)


@lru_cache(maxsize=1 << 14)
def drops(pits: int, player: int, pit: int, stones: int) -> tuple[int, ...]:
    """Ring indices where the stones of a pit fall, one by one, before any capture."""
    return tuple(islice(cycle(sowing_path(pits, player, pit)), stones))


def sow(board: Board, player: int, pit: int, capture_empty: bool) -> Sowing:
    """Sow and capture. The origin is emptied first: 2m + 1 stones end in it, in an empty pit."""
    after = [*board]
    last, captured = _sow(after, player, pit, capture_empty)
    return Sowing(tuple(after), last, captured)


def captured_stones(opposite: int, capture_empty: bool) -> int:
    """What a last stone that lies alone in an own pit captures, itself included, or 0.

    The capture rule: whatever else captures calls this, and the engine compiles it.
    """
    return 1 + opposite if opposite or capture_empty else 0


def _sow(board: list[int], player: int, pit: int, capture_empty: bool) -> tuple[int, int]:
    """Sow on the board itself: where the last stone fell, and the stones captured."""
    half = len(board) // 2
    base = player * half
    path = drops(half - 1, player, pit, board[base + pit])
    board[base + pit] = 0
    last = base + pit  # of an empty pit, which the CS5329 program sows
    for last in path:
        board[last] += 1
    if board[last] != 1 or not base <= last < base + half - 1:
        return last, 0
    opposite = 2 * half - 2 - last
    captured = captured_stones(board[opposite], capture_empty)
    if captured:
        board[base + half - 1] += captured
        board[last] = board[opposite] = 0
    return last, captured


def sweep(board: Board, rest_to: str) -> Board:
    """The board with the stones left in the pits put into the stores."""
    half = len(board) // 2
    rest = (sum(board[: half - 1]), sum(board[half:-1]))
    if rest_to == "finisher":
        rest = (rest[1], rest[0])
    empty = (0,) * (half - 1)
    return (*empty, board[half - 1] + rest[0], *empty, board[-1] + rest[1])


@dataclass(frozen=True, slots=True)
class Kalah:
    """Kalah(m, n): `pits` a side and `stones` in each, under `rules`.

    rules may be given by their name, such as "empty-capture". pits >= 1, stones >= 0;
    `ValueError` otherwise. The states of any board of any size can be played: `pits`
    and `stones` only say how `start` looks.
    """

    pits: int = 6
    stones: int = 4
    rules: Rules = STANDARD

    def __post_init__(self) -> None:
        check_whole("pits", self.pits)
        check_whole("stones", self.stones)
        if self.pits < 1:
            raise ValueError(f"pits is {self.pits}; a board has at least 1 pit a side")
        if self.stones < 0:
            raise ValueError(f"stones is {self.stones}; a pit holds 0 stones or more")
        rules: object = self.rules
        if not isinstance(rules, Rules):  # a name
            object.__setattr__(self, "rules", named("rules", f"{rules}", PRESETS))
        elif type(rules) is not Rules and type(self) is Kalah:
            name = type(rules).__name__
            raise ValueError(f"Kalah does not play by {name}; derive a game that does")
        check_size(self.pits, 2 * self.pits * self.stones)

    def start(self) -> State:
        half = (self.stones,) * self.pits + (0,)
        return State(half + half, SOUTH)

    def moves(self, state: State) -> tuple[int, ...]:
        """The mover's pits with stones in them, from the mover's left."""
        if self.over(state):
            return ()
        own = side(state.board, state.player)
        return tuple(compress(range(len(own)), own))

    def play(self, state: State, move: int) -> State:
        """The state after sowing a pit, swept if that ended the game."""
        board, player = state
        half = len(board) // 2
        if not 0 <= move < half - 1 or not board[player * half + move] or self.over(state):
            pits, moves = (
                ", ".join(str(pit + base) for pit in self.moves(state)) for base in (1, 0)
            )
            why = f" by {NAMES[player]}; pits with stones: {pits} (in Python, moves {moves})"
            why = why if pits else ": the game is over"
            raise ValueError(f"pit {move + 1} cannot be played{why}")
        sown = [*board]
        last, _ = _sow(sown, player, move, self.rules.capture_empty)
        mover = player if last == player * half + half - 1 else 1 - player
        after = tuple(sown)
        if after.count(0) >= half - 1 and self._ran_out(after, mover):
            after = sweep(after, self.rules.rest_to)
        return State(after, mover)

    def over(self, state: State) -> bool:
        """Whether a side that counts is empty, or a store decides under `early_stop`."""
        board, player = state
        # Most boards have fewer empty pits than an empty side has: no need to look at the sides.
        if board.count(0) >= len(board) // 2 - 1 and self._ran_out(board, player):
            return True
        return self.rules.early_stop and decided(board)

    def move_name(self, state: State, move: int) -> str:
        return str(move + 1)

    def margin(self, state: State, player: int) -> int:
        south, north = self.outcome(state)
        return south - north if player == SOUTH else north - south

    def outcome(self, state: State) -> tuple[int, int]:
        """(South's, North's) stones in store, the rest of a finished game shared out."""
        if self._ran_out(*state):
            return stores(sweep(state.board, self.rules.rest_to))
        return stores(state.board)

    def outlook(self, state: State) -> str:
        """Return whose turn it is, or that the game is over and why."""
        if not self.over(state):
            return f"{NAMES[state.player]} to move"
        if not in_play(state.board):
            return "game over"
        if not self._ran_out(*state):
            return "game over: a store has more than half of the stones"
        empty = SOUTH if not any(side(state.board, SOUTH)) else NORTH
        keeper = empty if self.rules.rest_to == "finisher" else 1 - empty
        return f"game over: {NAMES[empty]} has no stones, {NAMES[keeper]} keeps the rest"

    def quiet(self, state: State) -> bool:
        """Whether no move earns another turn or captures the opponent's stones, under any rules."""
        board, player = state
        store = player * (len(board) // 2) + pits_of(board)
        sown = (
            sow(board, player, pit, capture_empty=False)
            for pit, stones in enumerate(side(board, player))
            if stones
        )
        return not any(each.captured or each.last == store for each in sown)

    def _ran_out(self, board: Board, player: int) -> bool:
        half = len(board) // 2
        if self.rules.end == "mover":
            return not any(board[player * half : player * half + half - 1])
        return not (any(board[: half - 1]) and any(board[half:-1]))


METHODS = {
    name: vars(Kalah)[name] for name in ("moves", "play", "over", "margin", "outcome", "_ran_out")
}
"""What makes Kalah the game that it is, so that it is noticed if one of them is replaced."""


def decided(board: Board) -> bool:
    return 2 * max(stores(board)) > sum(board)


def check_size(pits: int, stones: int) -> None:
    """`ValueError` for a board of more pits a side or stones altogether than there may be."""
    if pits > MOST_PITS:
        raise ValueError(f"{pits} pits a side are too many; use at most {MOST_PITS}")
    if stones > MOST_STONES:
        raise ValueError(f"{stones} stones on a board are too many; use at most {MOST_STONES:,}")


def swap_sides(state: State) -> State:
    half = len(state.board) // 2
    return State(state.board[half:] + state.board[:half], 1 - state.player)
