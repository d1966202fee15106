"""Kalah: sow, capture, extra turn, end of the game.

A board is a flat tuple of 2m + 2 counts, read counterclockwise as the stones travel:

    index      0 .. m-1     m            m+1 .. 2m    2m+1
    holds      South's pits South's store North's pits North's store

Each side's pits are numbered 0..m-1 from its owner's left, so both players sow
towards higher indices. The index in the board is the ring index; the pit opposite
ring index k has ring index 2m - k.

Sources of the variations: Irving, Donkers and Uiterwijk, "Solving Kalah" (ICGA
Journal 23(3), 2000); the CS5329 report of 2020, section 1; the Mancala homework.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import compress, cycle, islice
from random import Random
from typing import NamedTuple

from kalahlab.games.rules import STANDARD, Rules, parse_rules
from kalahlab.names import check_whole

RULES_VERSION = 1  # raise when the result of a move changes, so that stored results are not used
SOUTH, NORTH = 0, 1
NAMES = ("South", "North")
MOST_PITS, MOST_STONES = 100, 100_000  # a move takes time and memory proportional to its stones

Board = tuple[int, ...]


class State(NamedTuple):
    board: Board
    player: int


class Sowing(NamedTuple):
    """The result of a sow.

    Attributes:
        board: The board after the sow and the capture.
        last: The ring index of the last stone.
        captured: The number of stones banked by a capture, the last stone included if it is.
    """

    board: Board
    last: int
    captured: int

    @property
    def emptied(self) -> tuple[int, ...]:
        """Ring indices of the pits that the capture emptied: two, one if its stone stays, or none.

        The pit of the last stone is first.
        """
        if not self.captured:
            return ()
        places = self.last, 2 * pits_of(self.board) - self.last
        return tuple(place for place in places if self.board[place] == 0)


def pits_of(board: Board) -> int:
    return len(board) // 2 - 1


def side(board: Board, player: int) -> Board:
    """Return the m pits of the player, from the player's left."""
    base = player * (len(board) // 2)
    return board[base : base + pits_of(board)]


def stores(board: Board) -> tuple[int, int]:
    """Return the stones in (South's, North's) store."""
    return board[pits_of(board)], board[-1]


def stones_in_play(board: Board) -> int:
    return sum(board) - sum(stores(board))


@cache
def sowing_path(
    player: int,
    origin: int,
    pits: int,
    skip_origin: bool = False,
    sow_opponent_store: bool = False,
    direction: str = "counterclockwise",
) -> tuple[int, ...]:
    """Return the ring indices that stones reach in one lap, the origin last if it is sown.

    Args:
        player: The player who sows.
        origin: The ring index of the pit that is sown; in a relay it may be the opponent's.
        pits: The pits of a side.
        skip_origin: See `Rules`, as for the other arguments.
        sow_opponent_store: The opponent's store is sown, too.
        direction: The direction of sowing.
    """
    half = pits + 1
    ring = [*range(2 * half)]
    if direction == "clockwise":  # each side from its right, and then its store
        ring = [*range(pits)[::-1], pits, *range(half, half + pits)[::-1], half + pits]
    left_out = set()
    if not sow_opponent_store:
        left_out.add((1 - player) * half + pits)
    if skip_origin:
        left_out.add(origin)
    begin = ring.index(origin) + 1
    around = ring[begin:] + ring[:begin]
    return tuple(index for index in around if index not in left_out)


@lru_cache(maxsize=1 << 14)
def drops(
    player: int,
    origin: int,
    stones: int,
    pits: int,
    skip_origin: bool = False,
    sow_opponent_store: bool = False,
    direction: str = "counterclockwise",
) -> tuple[int, ...]:
    """Return the ring indices where the stones of a pit fall, one by one, before any capture.

    The arguments are those of `sowing_path`, and the number of stones.
    """
    path = sowing_path(player, origin, pits, skip_origin, sow_opponent_store, direction)
    return tuple(islice(cycle(path), stones))


def sow(board: Board, player: int, pit: int, rules: Rules) -> Sowing:
    """Sow and capture. The origin is emptied first: a full lap of 2m + 1 stones may capture."""
    after = [*board]
    last, captured = _sow(after, player, pit, rules)
    return Sowing(tuple(after), last, captured)


def count_captured(opposite: int, capture_empty: bool) -> int:
    """Return the number of stones that a last stone in an empty pit of its player captures.

    The last stone is included; without a capture the number is 0. All code that captures calls this
    function, and the engine compiles it.

    Args:
        opposite: The number of stones in the opposite pit.
        capture_empty: True if a last stone opposite an empty pit is banked, too.
    """
    return (1 + opposite) if opposite or capture_empty else 0


def _sow(board: list[int], player: int, pit: int, rules: Rules) -> tuple[int, int]:
    """Sow in place; return where the last stone fell, and the number of stones captured."""
    half = len(board) // 2
    base = player * half
    store = base + half - 1
    last = _drop_stones(board, player, base + pit, rules)
    if rules.relay:
        last = _sow_on(board, player, last, rules)
    is_own_pit = base <= last < store
    if board[last] != 1 or not is_own_pit or rules.capture == "never":
        return last, 0
    opposite = 2 * (half - 1) - last
    captured = count_captured(board[opposite], rules.capture == "always")
    if captured:
        board[opposite] = 0
        if rules.capturing_stone == "stays":
            captured -= 1
        else:
            board[last] = 0
        board[store] += captured
    return last, captured


def _drop_stones(board: list[int], player: int, origin: int, rules: Rules) -> int:
    """Sow the pit with this ring index in place; return where the last stone fell."""
    path = drops(
        player,
        origin,
        board[origin],
        len(board) // 2 - 1,
        rules.skip_origin,
        rules.sow_opponent_store,
        rules.direction,
    )
    board[origin] = 0
    last = origin  # stays if no stone is sown: the CS5329 program also plays empty pits
    for last in path:
        board[last] += 1
    return last


def _sow_on(board: list[int], player: int, last: int, rules: Rules) -> int:
    """Sow on from the last stone until it falls into a store or an empty pit; return its place.

    A relay always ends: each time around the board it leaves a stone in the player's store.
    """
    half = len(board) // 2
    while board[last] > 1 and last % half != half - 1:
        last = _drop_stones(board, player, last, rules)
    return last


def list_drops(board: Board, player: int, pit: int, rules: Rules) -> list[int]:
    """Return the ring indices where the stones of a sow fall, one by one, before any capture.

    In a relay, the stones that are taken up fall again.
    """
    after = [*board]
    half = len(board) // 2
    layout = rules.skip_origin, rules.sow_opponent_store, rules.direction
    places: list[int] = []
    last = player * half + pit
    while after[last] > 0:
        places += drops(player, last, after[last], half - 1, *layout)
        last = _drop_stones(after, player, last, rules)
        if not rules.relay or after[last] == 1 or last % half == half - 1:
            break
    return places


def sweep(board: Board, rest_to: str) -> Board:
    """Return the board with the stones left in the pits moved to the stores.

    Args:
        board: The board.
        rest_to: See `Rules`. For `nobody` the board stays as it is.
    """
    if rest_to == "nobody":
        return board
    half = len(board) // 2
    south, north = stores(board)
    south_rest, north_rest = sum(board[: half - 1]), sum(board[half:-1])
    if rest_to == "finisher":
        south_rest, north_rest = north_rest, south_rest
    elif rest_to == "leader" and south > north:
        south_rest, north_rest = south_rest + north_rest, 0
    elif rest_to == "leader" and north > south:
        south_rest, north_rest = 0, south_rest + north_rest
    empty = (0,) * (half - 1)
    return (*empty, south + south_rest, *empty, north + north_rest)


@dataclass(frozen=True, slots=True)
class Kalah:
    """Kalah(m, n): `pits` a side and `stones` in each, under `rules`.

    States of boards of any size can be played: `pits` and `stones` only describe the start.

    Attributes:
        pits: The pits of each side, 1 or more.
        stones: The stones in each pit at the start, 0 or more.
        rules: The rules, or a text that `parse_rules` reads, such as "kgp" or "end=mover".

    Raises:
        ValueError: A number is out of range, or the rules are unknown.
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
        if not isinstance(rules, Rules):
            object.__setattr__(self, "rules", parse_rules(f"{rules}"))  # the class is frozen
        elif type(rules) is not Rules and type(self) is Kalah:
            # The methods of `Kalah` would ignore what the derived class of rules adds.
            name = type(rules).__name__
            raise ValueError(f"Kalah does not know the rules {name}; derive a game that does")
        check_size(self.pits, 2 * self.pits * self.stones)

    def start(self) -> State:
        half = (self.stones,) * self.pits + (0,)
        return State(half + half, SOUTH)

    def random_start(self, rng: Random) -> State:
        """Return a start with as many stones as `start()`, each in a pit drawn by `rng`.

        Source: Ramanujan and Selman, ICAPS 2011.
        """
        board = [0] * (2 * self.pits + 2)
        pits = [*range(self.pits), *range(self.pits + 1, 2 * self.pits + 1)]
        for pit in rng.choices(pits, k=2 * self.pits * self.stones):
            board[pit] += 1
        return State(tuple(board), SOUTH)

    def moves(self, state: State) -> tuple[int, ...]:
        """Return the mover's pits with stones in them, from the mover's left."""
        if self.is_over(state):
            return ()
        counts = side(state.board, state.player)
        return tuple(compress(range(len(counts)), counts))  # the indices of the counts above 0

    def play(self, state: State, move: int) -> State:
        """Return the state after sowing a pit, swept if that ends the game."""
        board, player = state
        half = len(board) // 2
        base = player * half
        if not 0 <= move < half - 1 or board[base + move] == 0 or self.is_over(state):
            raise ValueError(self._illegal_message(state, move))
        counts = [*board]
        rules = self.rules
        last, captured = _sow(counts, player, move, rules)
        next_player = 1 - player
        if last == base + half - 1:  # in the store
            next_player = player if rules.again_on_store else 1 - player
        elif captured and rules.again_on_capture:
            next_player = player
        after = tuple(counts)
        # The count of zeros comes first to save time, as in `is_over`.
        has_run_out = after.count(0) >= half - 1 and self._has_run_out(after, next_player)
        if has_run_out or (rules.majority == "sweep" and is_decided(after)):
            after = sweep(after, rules.rest_to)
        return State(after, next_player)

    def _illegal_message(self, state: State, move: int) -> str:
        """Return the message on an illegal move."""
        moves = self.moves(state)
        if not moves:
            return f"pit {move + 1} cannot be played: the game is over"
        pits = ", ".join(str(legal + 1) for legal in moves)
        in_python = ", ".join(map(str, moves))
        return (
            f"pit {move + 1} cannot be played by {NAMES[state.player]}; "
            f"pits with stones: {pits} (in Python, moves {in_python})"
        )

    def is_over(self, state: State) -> bool:
        """Return whether a side has run out, or a store decides the game and `majority` ends it."""
        board, player = state
        # A board with an empty side has m zeros or more. Others, most boards, take no longer test.
        if board.count(0) >= len(board) // 2 - 1 and self._has_run_out(board, player):
            return True
        return self.rules.majority != "ignore" and is_decided(board)

    def move_name(self, state: State, move: int) -> str:
        return str(move + 1)

    def margin(self, state: State, player: int) -> int:
        south, north = self.outcome(state)
        return south - north if player == SOUTH else north - south

    def outcome(self, state: State) -> tuple[int, int]:
        """Return (South's, North's) stones in store, after the sweep if the game is over."""
        sweeps = self._has_run_out(*state)
        if self.rules.majority == "sweep" and is_decided(state.board):
            sweeps = True
        if sweeps:
            return stores(sweep(state.board, self.rules.rest_to))
        return stores(state.board)

    def outlook(self, state: State) -> str:
        """Return whose turn it is, or that the game is over and why."""
        if not self.is_over(state):
            return f"{NAMES[state.player]} to move"
        if not stones_in_play(state.board):
            return "game over"
        if not self._has_run_out(*state):
            return "game over: a store has more than half of the stones"
        empty = SOUTH if not any(side(state.board, SOUTH)) else NORTH
        message = f"game over: {NAMES[empty]} has no stones"
        if self.rules.rest_to == "nobody":
            return f"{message}, nobody gets the rest"
        own_before, own_after = stores(state.board)[empty], self.outcome(state)[empty]
        keeper = empty if own_after > own_before else 1 - empty
        return f"{message}, {NAMES[keeper]} keeps the rest"

    def is_quiet(self, state: State) -> bool:
        """Return whether no move earns another turn or captures stones of the opponent."""
        board, player = state
        rules = self.rules
        store = player * (len(board) // 2) + pits_of(board)
        # A capture of the last stone alone takes nothing from the opponent.
        least = 1 if rules.capturing_stone == "stays" else 2
        for pit, stones in enumerate(side(board, player)):
            if stones:
                sowing = sow(board, player, pit, rules)
                is_again = sowing.last == store and rules.again_on_store
                if is_again or sowing.captured >= least:
                    return False
                if sowing.captured and rules.again_on_capture:
                    return False
        return True

    def _has_run_out(self, board: Board, player: int) -> bool:
        """Return whether a side is empty that ends the game; `player` is the player to move."""
        half = len(board) // 2
        if self.rules.end == "mover":
            return not any(board[player * half : player * half + half - 1])
        return not (any(board[: half - 1]) and any(board[half:-1]))


METHODS = {
    name: vars(Kalah)[name]
    for name in ("moves", "play", "is_over", "margin", "outcome", "_has_run_out")
}
"""The methods that define the game; `games.supported` detects if a user replaces one of them."""


def is_decided(board: Board) -> bool:
    """Return whether a store holds more than half of all stones."""
    half = len(board) // 2
    return 2 * max(board[half - 1], board[-1]) > sum(board)


def check_size(pits: int, stones: int) -> None:
    """Raise ValueError for too many pits a side, or too many stones on the board."""
    if pits > MOST_PITS:
        raise ValueError(f"{pits} pits a side are too many; use at most {MOST_PITS}")
    if stones > MOST_STONES:
        raise ValueError(f"{stones} stones on a board are too many; use at most {MOST_STONES:,}")


def swap_sides(state: State) -> State:
    """Return the same position with South as North: pits, stores and the turn change sides."""
    half = len(state.board) // 2
    return State(state.board[half:] + state.board[:half], 1 - state.player)
