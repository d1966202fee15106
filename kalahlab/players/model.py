"""The protocol of a player, and the adapter by which functions are players.

    with closing_players([make_player(text)]) as [player]:
        player.new_game(game, state)
        move = player.choose(game, state, Seconds(1))

Whoever makes a player closes it. A player is used again for the next game after `new_game`.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any, Literal, Protocol, runtime_checkable

from kalahlab.formatting import StableRepr
from kalahlab.search.limits import Limit
from kalahlab.untrusted import escape_control_characters

PlayerFunction = Callable[[Any, Any], Any]  # (game, state) -> a legal move, in any game


@runtime_checkable
class Player(Protocol):
    """Whoever chooses the moves of a game: a search, a person, another program."""

    def choose(self, game: Any, state: Any, limit: Limit | None) -> Any:
        """Return a legal move, or raise `Fault` if that is impossible.

        Args:
            game: The game.
            state: The position, in which the player is to move.
            limit: How long the player may take; None if its own limit is the only one.
        """

    def new_game(self, game: Any, state: Any) -> None:
        """Prepare for a game that begins in `state`."""

    def close(self) -> None:
        """Release what the player holds, such as a process. A closed player chooses no moves."""


FaultKind = Literal["late", "silent", "crashed", "unreadable", "illegal"]


class Fault(Exception):
    """Raised when a player makes no legal move in time; the player loses the game.

    The loop of the game adds the player and the position.

    Attributes:
        kind: `late`: it takes longer than its limit. `silent`: it is late, and has never answered.
            `crashed`: it raises an error, or ends. `unreadable`: its answer cannot be read.
            `illegal`: its move is illegal.
        reason: What the player did, in a sentence without a subject. It has no control characters
            and no line breaks, as parts of it come from programs.
        player: The `state.player` of the position; -1 before it is known.
        position: The position as text.
    """

    player = -1
    position = ""

    def __init__(self, kind: FaultKind, reason: str) -> None:
        super().__init__(kind, reason)
        self.kind = kind
        self.reason = escape_control_characters(reason, allowed="")

    def __str__(self) -> str:
        text = f"{self.kind}: it {self.reason}"
        return f"{text}, in {self.position}" if self.position else text


AnyPlayer = Player | PlayerFunction


class AdaptedPlayer(StableRepr):
    """A player that is made of a function, or of an object with `choose(game, state, limit)`.

    The object may have `new_game(game, state)` and `close()`, too, and `nodes`: the number of nodes
    that its searches have visited.
    """

    def __init__(self, source: Any, limit: Limit | None = None) -> None:
        """Adapt a function or an object.

        Args:
            source: The function or the object.
            limit: What `choose` of the object gets if the caller sets no limit.
        """
        self._source = source
        self._limit = limit
        self.__qualname__ = player_name(source)

    @property
    def nodes(self) -> int | None:
        """The number of nodes that the player's searches have visited; None if it counts none."""
        return getattr(self._source, "nodes", None)

    def __call__(self, game: Any, state: Any) -> Any:
        """Return a move, so that code that calls its players as functions can call this one."""
        return self.choose(game, state)

    def choose(self, game: Any, state: Any, limit: Limit | None = None) -> Any:
        if hasattr(self._source, "choose"):
            return self._source.choose(game, state, limit or self._limit)
        return self._source(game, state)

    def new_game(self, game: Any, state: Any) -> None:
        if hasattr(self._source, "new_game"):
            self._source.new_game(game, state)

    def close(self) -> None:
        if hasattr(self._source, "close"):
            self._source.close()


def as_player(player: Any) -> Player:
    """Return a player that chooses the moves of a function or an object; a `Player` is itself."""
    # The usual case comes first: a look for the methods of a `Player` takes longer than many moves.
    if isinstance(player, AdaptedPlayer):
        return player
    if isinstance(player, Player) and not isinstance(player, type):
        return player
    return AdaptedPlayer(player)


@contextmanager
def closing_players(players: Iterable[AnyPlayer]) -> Iterator[list[Player]]:
    """Iterate over players, and close them when the context ends, also after an error.

    With a generator that makes the players, those that were made are closed if one cannot be made.
    """
    with ExitStack() as stack:
        yield [stack.enter_context(closing(as_player(player))) for player in players]


def player_name(player: Any) -> str:
    """Return the name of a player in errors and tables: its text, or that of its function.

    An object that has no name is called "given".
    """
    return player if isinstance(player, str) else getattr(player, "__qualname__", "given")
