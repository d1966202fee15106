"""Players and games: a player is a function from a game and a state to a move."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kalahlab import catalogue
from kalahlab.evaluators import Evaluator
from kalahlab.games import Game
from kalahlab.games.kalah import NAMES, NORTH, SOUTH, Kalah, State, sow, stores
from kalahlab.games.notation import draw_board
from kalahlab.search.model import DeepEnough, Result
from kalahlab.search.tree import Order, Searcher, pit_order

Player = Callable[[Kalah, State], int]
AnyPlayer = Callable[[Any, Any], Any]
"""A player of any game."""
Clock = Callable[[], float]
"""The time now, in seconds."""


@dataclass(frozen=True, slots=True)
class Played:
    """One sow of a game.

    pit is counted from 0. state is the state after it. captured counts the capturing stone
    too; swept is what went into the stores because the sow ended the game, which `ends` says.
    """

    mover: int
    pit: int
    state: State
    extra_turn: bool
    captured: int
    swept: int
    ends: bool

    def __str__(self) -> str:
        notes = [f"{NAMES[self.mover]} sows pit {self.pit + 1}"]
        if self.captured:
            notes.append(f"captures {self.captured}")
        if self.extra_turn:
            notes.append("moves again")
        if self.ends:
            notes.append("ends the game")
        if self.swept:
            notes.append(f"{self.swept} stones swept")
        return ", ".join(notes)


@dataclass(frozen=True, slots=True)
class GameLog:
    """A game from its first state to its last."""

    game: Kalah
    start: State
    moves: tuple[Played, ...]

    @property
    def final(self) -> State:
        return self.moves[-1].state if self.moves else self.start

    @property
    def stores(self) -> tuple[int, int]:
        """(South's, North's) stones at the end."""
        return self.game.outcome(self.final)

    @property
    def choices(self) -> list[tuple[State, int]]:
        """Each position and the pit (from 0) that was played there."""
        before = [self.start, *(played.state for played in self.moves)]
        return [(state, played.pit) for state, played in zip(before, self.moves, strict=False)]

    @property
    def margin(self) -> int:
        """South's stones minus North's at the end."""
        south, north = self.stores
        return south - north

    @property
    def winner(self) -> str:
        """`South`, `North` or `draw`."""
        return "draw" if self.margin == 0 else NAMES[SOUTH if self.margin > 0 else NORTH]

    @property
    def outcome(self) -> str:
        """`South wins, 20 to 4`: who won, and the stores of South and of North."""
        south, north = self.stores
        won = "a draw" if self.winner == "draw" else f"{self.winner} wins"
        return f"{won}, {south} to {north}"

    def __str__(self) -> str:
        lines = [draw_board(self.start)]
        for turn, played in enumerate(self.moves, start=1):
            lines += ["", f"{turn}. {played}", draw_board(played.state)]
        return "\n".join([*lines, "", self.outcome])


def play_game(game: Kalah, south: Player, north: Player, start: State | None = None) -> GameLog:
    """Play to the end of the game. Raises `ValueError` if a player's move is illegal."""
    state = first = game.start() if start is None else start
    moves = []
    while not game.over(state):
        pit = (south, north)[state.player](game, state)
        moves.append(make_move(game, state, pit))
        state = moves[-1].state
    return GameLog(game, first, tuple(moves))


def play_out(game: Game, players: Sequence[AnyPlayer], start: Any) -> list[Any]:
    """The states of any game from `start` to its end; players[p] moves for player p."""
    states = [start]
    while not game.over(state := states[-1]):
        states.append(game.play(state, players[state.player](game, state)))
    return states


def make_move(game: Kalah, state: State, pit: int) -> Played:
    """One sow with what it did. Raises `ValueError` if it is illegal."""
    after = game.play(state, pit)
    sown = sow(state.board, state.player, pit, game.rules.capture_empty)
    swept = sum(stores(after.board)) - sum(stores(sown.board))
    ends = game.over(after)
    again = after.player == state.player and not ends
    return Played(state.player, pit, after, again, sown.captured, swept, ends)


def search_player(
    search: Searcher,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order = pit_order,
    tell: Callable[[Result], object] = lambda result: None,
) -> AnyPlayer:
    """The player that plays the move a search finds, and tells the search's result.

    Raises `ValueError` when asked to move on a search of depth 0, which finds none.
    """

    def player(game: Game, state: Any) -> Any:
        result = search(game, state, evaluator, deep_enough, order)
        tell(result)
        if result.move is None:
            raise ValueError("a search of depth 0 finds no move to play; use depth 1 or more")
        return result.move

    return player


class OutOfTime(Exception):
    """A player took longer for a move than it has; the argument is its seat."""


def on_clock(player: AnyPlayer, seconds: float, clock: Clock = time.monotonic) -> AnyPlayer:
    """The player, which raises `OutOfTime` if a move takes it longer than it has."""

    def timed(game: Game, state: Any) -> Any:
        began = clock()
        move = player(game, state)
        if clock() - began > seconds:
            raise OutOfTime(state.player)
        return move

    return timed


def random_player(seed: int) -> Player:
    """The player that picks a legal move at random, the same ones for the same seed."""
    chance = random.Random(seed)

    def player(game: Kalah, state: State) -> int:
        return chance.choice(game.moves(state))

    return player


def by_chance(game: Game, chance: random.Random, plies: int) -> tuple[list[Any], Any]:
    """So many random moves from the start, fewer if the game ends, and what they lead to."""
    line: list[Any] = []
    state = game.start()
    while len(line) < plies and (moves := game.moves(state)):
        line.append(chance.choice(moves))
        state = game.play(state, line[-1])
    return line, state


def random_position(game: Game, chance: random.Random, plies: int) -> Any:
    """The state after so many random moves, or the end of the game."""
    return by_chance(game, chance, plies)[1]


def scripted_player(pits: Sequence[int]) -> Player:
    """The player that plays the given pits (from 0), one after the other.

    Raises `ValueError` when asked for more.
    """
    script = iter(pits)

    def player(game: Kalah, state: State) -> int:
        pit = next(script, None)
        if pit is None:
            raise ValueError(f"the script of {len(pits)} moves ends before the game does")
        return pit

    return player


def parse_player(text: str) -> Player:
    """A player as it is written.

    `ALGORITHM:EVALUATOR:DEPTH[:UNIT[:ORDER]]`, `random:SEED`, or `script:6,2,1` for pits
    numbered from 1. Raises `ValueError`, in one line, naming what is wrong and what is allowed.
    """
    name, *rest = text.split(":")
    if name == "script" and len(rest) == 1:
        pits = [catalogue.parse_int(pit, "pit") - 1 for pit in rest[0].split(",")]
        return scripted_player(pits)
    if name == "random" and len(rest) <= 1:
        return random_player(catalogue.parse_int(rest[0] if rest else "0", "seed"))
    if not 2 <= len(rest) <= 4:
        raise ValueError(
            f"player {text!r} is not ALGORITHM:EVALUATOR:DEPTH[:UNIT[:ORDER]], random:SEED "
            "or script:PIT,PIT,..."
        )
    evaluator, depth, unit, order = (*rest, *("sow", "pit")[len(rest) - 2 :])
    limit = catalogue.depth(catalogue.parse_int(depth, "depth"), unit)
    if limit.limit == 0:
        raise ValueError(f"player {text!r} has depth 0; to find a move use depth 1 or more")
    return search_player(
        catalogue.algorithm(name),
        catalogue.evaluator(evaluator),
        limit,
        catalogue.order(order),
    )
