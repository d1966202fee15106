"""OpenSpiel and this package: its states, its bots as players here, and our players as its bots.

    state = to_openspiel(record)      # a game of this package as a state of OpenSpiel
    record = from_openspiel(state)    # and back
    player = BotPlayer(make_bot)      # a bot of OpenSpiel as a player
    bot = PlayerBot(player)           # a player as a bot, as for pyspiel.evaluate_bots

OpenSpiel's `mancala` is Kalah(6, 4) by standard rules, played from the start. `KalahGame` is a game
of OpenSpiel, too, `kalahlab` by its name; it has every board, start and rule of this package, but
it runs in Python. An action is the index of a pit on the ring that begins at North's store.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from kalahlab.formatting import StableRepr
from kalahlab.games import Game
from kalahlab.games.game_text import GameRecord
from kalahlab.games.kalah import SOUTH, Kalah, State
from kalahlab.games.rules import STANDARD, format_rules
from kalahlab.players.history import find_moves
from kalahlab.players.model import AnyPlayer, as_player, player_name
from kalahlab.search.limits import Limit

PITS, STONES = 6, 4  # of `mancala`
MOST_MOVES = 1000  # OpenSpiel ends a game of mancala here; no game is known to come near it
MEMORY = 1000  # megabytes of a tree of OpenSpiel's search

MakeBot = Callable[[pyspiel.Game], pyspiel.Bot]


def to_action(state: State, pit: int) -> int:
    """Return the action of a pit (from 0) of the player to move."""
    return 1 + state.player * (len(state.board) // 2) + pit


def to_pit(state: State, action: int) -> int:
    """Return the pit (from 0) of an action of the player to move."""
    return action - 1 - state.player * (len(state.board) // 2)


def is_mancala(game: Game, start: State) -> bool:
    """Return whether OpenSpiel's own `mancala` plays a game of Kalah from this start."""
    return (
        type(game) is Kalah
        and game.rules == STANDARD
        and (game.pits, game.stones) == (PITS, STONES)
        and start == game.start()
    )


def to_openspiel(record: GameRecord) -> pyspiel.State:
    """Return the state of OpenSpiel after the moves of a game.

    It is a state of `mancala` if that has the board, the start and the rules, else of `KalahGame`.
    """
    if is_mancala(record.game, record.start):
        state = pyspiel.load_game("mancala").new_initial_state()
    else:
        state = kalah_game(record.game).begin(record.start)
    # Not strict: no move follows the last position.
    for position, pit in zip(record.states, record.moves, strict=False):
        state.apply_action(to_action(position, pit))
    return state


def from_openspiel(state: pyspiel.State) -> GameRecord:
    """Return the game that leads to a state of `mancala` or of `KalahGame`.

    Raises:
        ValueError: The state belongs to another game.
    """
    game, start = game_and_start(state)
    position, moves = start, []
    for action in state.history():
        moves.append(to_pit(position, action))
        position = game.play(position, moves[-1])
    return GameRecord(game, start, tuple(moves))


def game_and_start(state: pyspiel.State) -> tuple[Kalah, State]:
    """Return the game of a state of OpenSpiel, and the position in which the game began."""
    if isinstance(state, KalahState):
        return state.kalah, state.start
    name = state.get_game().get_type().short_name
    if name != "mancala":
        raise ValueError(f"{name} is another game; a state is of mancala or of kalahlab")
    game = Kalah(PITS, STONES)
    return game, game.start()


def position_of(state: pyspiel.State) -> State:
    """Return the position of a state of `mancala` or of `KalahGame` that is not over."""
    if isinstance(state, KalahState):
        return state.position
    north_store, *rest = (int(count) for count in state.observation_tensor(SOUTH)[:14])
    return State((*rest, north_store), state.current_player())


class KalahState(pyspiel.State):  # type: ignore[misc]
    """A position of Kalah as a state of OpenSpiel.

    OpenSpiel clones a state by a deep copy of its attributes, so the game is not one of them.

    Attributes:
        start: The position in which the game began.
        position: The position now.
    """

    def __init__(self, game: "KalahGame", start: State) -> None:
        super().__init__(game)
        self.start = self.position = start

    @property
    def kalah(self) -> Kalah:
        """The game of this package."""
        game: Kalah = self.get_game().kalah
        return game

    def current_player(self) -> int:
        """Return the player to move, or OpenSpiel's mark of the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self.position.player

    def is_terminal(self) -> bool:
        return self.kalah.is_over(self.position)

    def returns(self) -> list[float]:
        """Return 1 and -1 for a win of the first player, 0 and 0 for a draw or before the end."""
        margin = self.kalah.margin(self.position, SOUTH) if self.is_terminal() else 0
        return [float(np.sign(margin)), float(np.sign(-margin))]

    def _legal_actions(self, player: int) -> list[int]:
        return [to_action(self.position, pit) for pit in self.kalah.moves(self.position)]

    def _apply_action(self, action: int) -> None:
        self.position = self.kalah.play(self.position, to_pit(self.position, action))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def __str__(self) -> str:
        return str(self.position)


class KalahGame(pyspiel.Game):  # type: ignore[misc]
    """Kalah by any rules and on any board, as a game of OpenSpiel.

    `pyspiel.load_game("kalahlab", {"pits": 5, "stones": 3, "rules": "kgp"})` makes one, too.

    Attributes:
        kalah: The game.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = {**PARAMETERS, **(params or {})}
        self.kalah = Kalah(params["pits"], params["stones"], params["rules"])
        info = pyspiel.GameInfo(
            num_distinct_actions=2 * self.kalah.pits + 2,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_MOVES,
        )
        super().__init__(KALAH_TYPE, info, params)

    def begin(self, position: State) -> KalahState:
        """Return a state that begins in a position."""
        return KalahState(self, position)

    def new_initial_state(self) -> KalahState:
        return KalahState(self, self.kalah.start())


@cache
def kalah_game(game: Kalah) -> KalahGame:
    """Return the game of OpenSpiel for a game of Kalah.

    The cache keeps it alive: OpenSpiel's states hold only its half in C++.
    """
    rules = format_rules(game.rules)
    return KalahGame({"pits": game.pits, "stones": game.stones, "rules": rules})


PARAMETERS = {"pits": PITS, "stones": STONES, "rules": "standard"}
KALAH_TYPE = pyspiel.GameType(
    short_name="kalahlab",
    long_name="Kalah by any rules",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification=PARAMETERS,
)
pyspiel.register_game(KALAH_TYPE, KalahGame)


class PlayerBot(pyspiel.Bot):  # type: ignore[misc]
    """A player of this package as a bot of OpenSpiel.

    It plays `mancala` and `kalahlab`, as either player.
    """

    def __init__(self, player: AnyPlayer) -> None:
        super().__init__()
        self.player = as_player(player)

    def __repr__(self) -> str:
        return f"<bot: {player_name(self.player)}>"

    def restart_at(self, state: pyspiel.State) -> None:
        """Tell the player that a game begins."""
        self.player.new_game(game_and_start(state)[0], position_of(state))

    def step(self, state: pyspiel.State) -> int:
        """Return the action of the player's move."""
        position = position_of(state)
        pit = self.player.choose(game_and_start(state)[0], position, None)
        return to_action(position, pit)


class BotPlayer(StableRepr):
    """A player that makes the moves of a bot of OpenSpiel, on any board and by any rules.

    The bot is made anew for each move, so a move does not depend on earlier ones. It has its own
    limit.

    Its state is one of `mancala` where that game has the position. Then the moves that lead to the
    position must be known, since OpenSpiel sets up no board: the player remembers its game, and
    finds what was played between its moves. Elsewhere the state is one of `KalahGame`.
    """

    def __init__(self, make_bot: MakeBot) -> None:
        """Make a player.

        Args:
            make_bot: Returns a bot for a game of OpenSpiel.
        """
        self.make_bot = make_bot
        self._record: GameRecord | None = None

    def new_game(self, game: Kalah, state: State) -> None:
        """Forget the last game."""
        self._record = None

    def close(self) -> None:
        """Do nothing: a bot holds no process."""

    def choose(self, game: Kalah, state: State, limit: Limit | None) -> int:
        """Return the bot's move (a pit from 0)."""
        self._record = self._follow(game, state)
        spiel_state = to_openspiel(self._record)
        action = self.make_bot(spiel_state.get_game()).step(spiel_state)
        return to_pit(state, action)

    def _follow(self, game: Kalah, state: State) -> GameRecord:
        """Return the game that leads to a position, or one that begins there if none is found."""
        records = [GameRecord(game, game.start(), ())]
        if self._record is not None and self._record.game == game:
            records.insert(0, self._record)
        for record in records:
            moves = find_moves(game, record.states[-1], state)
            if moves is not None:
                return GameRecord(game, record.start, (*record.moves, *moves))
        return GameRecord(game, state, ())


def mcts_bot(game: pyspiel.Game, playouts: int, c: float = 2, seed: int = 0) -> pyspiel.Bot:
    """Return OpenSpiel's Monte-Carlo tree search with one random playout for each leaf.

    The bot of `mancala` is that in C++. Other games have the bot in Python, as the one in C++ ends
    the process on games that are written in Python (seen in OpenSpiel 2.0.2).

    Args:
        game: The game.
        playouts: The number of playouts for a move.
        c: The weight of exploration, `uct_c`.
        seed: The seed of the playouts and of ties.
    """
    if game.get_type().short_name == "mancala":
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(game, evaluator, c, playouts, MEMORY, False, seed, False)
    rng = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    return mcts.MCTSBot(game, c, playouts, evaluator, random_state=rng)
