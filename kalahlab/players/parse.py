"""Players from their texts, such as `alpha_beta:e3:6`.

`parse_player` imports the user code that a text names by import paths. `make_player` imports
nothing, and has more options: it is for texts that do not come from the user, such as those of a
file or a message.

alpha_beta:e3:6               searches to depth 6
alpha_beta:e3:5000n:turn      searches up to 5,000 nodes a move, and counts depths in turns
alpha_beta:e3:1000ms@engine   searches up to a second a move with the backend `engine`
alpha_beta:e3:6:ties=7        breaks ties between best moves at random, with the seed 7
random:7                      makes random moves, with the seed 7
uct:random:800p               grows a tree by 800 random playouts a move
uct:e3:800p:c=5:seed=7        values leaves by e3; c is an option of `uct`, and 7 the seed
openspiel:mcts:1000           is OpenSpiel's Monte-Carlo tree search with 1,000 playouts a move
perfect                       plays perfectly where the solver is fast enough, in Kalah
level3:7                      plays at this level of `LEVELS`, with the seed 7
script:6,2,1                  makes these moves, in the notation of the game
mypackage.bots.greedy         is this function, if `import_named` has imported it before
mypackage.bots.greedy:1000ms  is this function in a process of its own, with a second a move
mypackage.bots.Bot:800p       asks an object of this class: choose(game, state, limit)
exec:buet:1000ms:./agent      is a program in a process of its own; see `players.programs`
kgp:localhost:2671            is a program that connects here; see `players.remote_player`

`SearchSpec` explains the names and the seed of a search, and `GrowthSpec` those of a search
that grows a tree. `parse_limit` explains the limit.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import Any, cast

from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import Kalah
from kalahlab.names import IMPORTED, did_you_mean, import_named, lookup, parse_float, parse_int
from kalahlab.players.factories import (
    TimeLimitedPlayer,
    choosing_player,
    growing_player,
    lose_on_time,
    player_within_limit,
    random_player,
    script_player,
)
from kalahlab.players.game_loop import EXAMPLE
from kalahlab.players.growth_spec import GrowthSpec, find_growing_search
from kalahlab.players.levels import LEVELS, level_player
from kalahlab.players.model import AnyPlayer, as_player
from kalahlab.players.programs.program_player import (
    Limits,
    ProcessPlayer,
    ProgramPlayer,
    ProgramSpec,
)
from kalahlab.players.remote_player import RemotePlayer
from kalahlab.players.search_spec import BACKENDS, SearchSpec
from kalahlab.players.user_player import HostedPlayer, UserPlayer
from kalahlab.search import SEARCHES
from kalahlab.search.growing import GROWING
from kalahlab.search.limits import Clock, Limit, Seconds, parse_limit
from kalahlab.search.observer import NodeCounter, Observer
from kalahlab.solver.move_values import perfect_player

GRAMMAR = (
    "ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][:ties=SEED][@BACKEND], "
    "GROWING:PLAYOUT:LIMIT[:NAME=VALUE..], script:MOVE,MOVE,.., exec:COMMAND or the import path "
    "of a function"
)
SHORT_GAME = Kalah(6, 1), Kalah(6, 1).start()
OPENSPIEL = "openspiel:mcts:1000:seed=1"


@dataclass(frozen=True)
class PlayerSpec:
    """The parts of the text of a player.

    Attributes:
        text: The whole text.
        name: The first part: an algorithm, `random`, `script`, a level or an import path.
        args: The further parts between colons, without `ties=`. For a search these are the
            evaluator, the limit, the leaf rule and the order; the last two may be absent.
        ties: The text of the seed after `ties=`, if any.
        backend: The name after `@`, if any.
    """

    text: str
    name: str
    args: tuple[str, ...] = ()
    ties: str | None = None
    backend: str | None = None

    @classmethod
    def parse(cls, text: str) -> "PlayerSpec":
        """Split the text of a player into its parts, without a check of any part."""
        name, _, rest = text.partition(":")
        if name in ("exec", "kgp"):  # the rest is a command or an address, with signs of its own
            return cls(text, name, (rest,))
        search, _, backend = text.partition("@")
        name, *args = search.split(":")
        ties = None
        if args and args[-1].startswith("ties="):
            ties = args.pop().removeprefix("ties=")
        return cls(text, name, tuple(args), ties, backend or None)

    @property
    def is_import_path(self) -> bool:
        return "." in self.name and not self.args

    @property
    def has_search_options(self) -> bool:
        return self.ties is not None or self.backend is not None


@dataclass(frozen=True, repr=False)
class PlayerContext(StableRepr):
    """The circumstances in which a player is made; see `make_player`.

    Attributes:
        game: The name of the game.
        backend: The backend of a search whose text has no `@BACKEND`.
        clock: The clock of a time limit.
        observer: The observer of searches by the textbook.
        on_late: A function that is called with the state if a move took longer than the time limit.
        strict: Whether a move that is late, and an error of a user's code, is a `Fault`.
        seconds: The most time for a move of any player; None for no limit but the player's own.
        names: The texts of players that are no search, for messages.
    """

    game: str = "kalah"
    backend: str = "textbook"
    clock: Clock = time.monotonic
    observer: Observer | None = None
    on_late: Callable[[Any], object] | None = None
    strict: bool = False
    seconds: float | None = None
    names: Sequence[str] = ()

    @property
    def watch(self) -> NodeCounter | None:
        """The observer if it counts nodes, else None."""
        return self.observer if isinstance(self.observer, NodeCounter) else None

    def check_time(self, player: AnyPlayer, limit: Limit) -> AnyPlayer:
        """Return the player, which tells `on_late` if it exceeds a limit of time."""
        if self.on_late is None or not isinstance(limit, Seconds):
            return player
        return TimeLimitedPlayer(player, limit.s, self.clock, self.on_late)


def parse_player(text: str, game: str = "kalah", backend: str = "textbook") -> AnyPlayer:
    """Import the user code that a text names, and return the player that the text describes.

        play_game(Kalah(6, 4), parse_player("alpha_beta:mine.mobility:4"), parse_player("random:1"))

    The import of a path in the text runs code. Do not pass text from a file, a link or a message,
    but give it to `make_player`, which also explains the arguments.
    """
    return make_player(import_player_parts(text), game, backend)


def make_player(
    text: str,
    game: str = "kalah",
    backend: str = "textbook",
    others: Mapping[str, AnyPlayer] | None = None,
    clock: Clock = time.monotonic,
    strict: bool = False,
    observer: Observer | None = None,
    on_late: Callable[[Any], object] | None = None,
    seconds: float | None = None,
) -> AnyPlayer:
    """Return the player that a text describes, without importing user code.

    The text is one of those in the docstring of this module.

    Args:
        text: The description.
        game: The name of the game.
        backend: The backend of a search whose text has no `@BACKEND`.
        others: Further players by their texts, such as `person`.
        clock: The clock of a time limit.
        strict: Raise `Fault` for a move that is late, and for an error of a user's function or
            class.
        observer: The observer of searches by the textbook.
        on_late: Called with the state in which a move took too long, in place of a `Fault`.
        seconds: The most time for a move. A user's function or class runs in a process of its own
            then. A player that is late raises a `Fault`.

    Raises:
        ValueError: The text does not describe a player, or the player cannot keep its limit.
    """
    if others and text in others:
        return others[text]
    spec = PlayerSpec.parse(text)
    if on_late is None and (strict or seconds is not None):
        on_late = lose_on_time
    names = [*(others or ())]
    if game == "kalah":
        names += [*LEVELS, "perfect"]
    context = PlayerContext(
        game, backend, clock, observer, on_late, strict, seconds, names=tuple(names)
    )
    if seconds is None:
        return find_factory(spec, game)(spec, context)
    return _make_limited_player(spec, context, seconds)


def _make_limited_player(spec: PlayerSpec, context: PlayerContext, seconds: float) -> AnyPlayer:
    """Return the player of a text, with at most so many seconds for a move."""
    make = find_factory(spec, context.game)
    player = make(spec, context)
    if isinstance(player, ProcessPlayer):
        player.limits = player.limits.within(seconds)
        return player
    if isinstance(player, RemotePlayer):  # its program may improve the move until the time is over
        player.seconds = min(player.seconds, seconds)
        return player
    is_search = make in (make_search_player, make_level_player, make_growing_player)
    if is_search and context.game == "kalah":
        # Another player with these parts compiles the engine, so that no move waits for it.
        as_player(make(spec, context)).choose(*SHORT_GAME, None)
    return TimeLimitedPlayer(player, seconds, context.clock, lose_on_time, Seconds(seconds))


def find_factory(spec: PlayerSpec, game: str) -> "PlayerFactory":
    """Return the function that makes the player of a text; most texts describe a search."""
    if spec.name in FACTORIES:
        return FACTORIES[spec.name]
    if spec.is_import_path:
        return make_user_player
    if game == "kalah" and spec.name in LEVELS:
        return make_level_player
    if game == "kalah" and spec.name == "perfect":
        return make_perfect_player
    if spec.args and has_choose(spec.name):
        return make_choosing_player
    if len(spec.args) == 1 and ("player", spec.name) in IMPORTED:
        return make_timed_player
    if spec.args and find_growing_search(spec.name):
        return make_growing_player
    return make_search_player


def make_user_player(spec: PlayerSpec, context: PlayerContext) -> AnyPlayer:
    """Return the player of a user's function or object: IMPORT.PATH."""
    player = _find_user_player(spec)
    if context.seconds is not None:
        return HostedPlayer(spec.name, Limits(Seconds(context.seconds)))
    return UserPlayer(player) if context.strict else player


def make_timed_player(spec: PlayerSpec, context: PlayerContext) -> AnyPlayer:
    """Return the player of a user's function with a time limit: IMPORT.PATH:1000ms."""
    _find_user_player(PlayerSpec.parse(spec.name))  # only checks the function
    limit = parse_limit(spec.args[0])
    if not isinstance(limit, Seconds) or spec.has_search_options:
        raise ValueError(f"player {spec.text!r} is not {spec.name}:1000ms")
    return HostedPlayer(spec.name, Limits(limit))


def _find_user_player(spec: PlayerSpec) -> AnyPlayer:
    # With an empty registry, `lookup` finds only functions that have been imported.
    player: Any = lookup("player", spec.text, registry=dict[str, AnyPlayer]())
    if isinstance(player, type):
        if hasattr(player, "choose"):
            raise ValueError(f"player {spec.name} has no LIMIT, such as {spec.name}:800p")
        raise ValueError(
            f"player {spec.name} is a class without choose(game, state, limit); the policy of a "
            f"search has a LEAF and a LIMIT: {spec.name}:random:800p"
        )
    if takes_board(player):
        name = spec.name.rpartition(".")[2]
        raise ValueError(
            f"{spec.name} takes a board, but a player takes a game and a state, as def move(game, "
            f"state): return {name}(state.board, state.player); an evaluator is searched by "
            f"alpha_beta:{spec.name}:4"
        )
    return cast(AnyPlayer, player)


def takes_board(function: Any) -> bool:
    """Return whether the first parameter of a function is a board."""
    code: Any = getattr(function, "__code__", None)
    return bool(code) and code.co_varnames[: code.co_argcount][:1] == ("board",)


def make_random_player(spec: PlayerSpec, context: PlayerContext) -> AnyPlayer:
    """Return the player of `random` or `random:SEED`."""
    return random_player(_parse_only_seed(spec))


def make_script_player(spec: PlayerSpec, context: PlayerContext) -> AnyPlayer:
    """Return the player of `script:MOVE,MOVE,..`, in the notation of the game."""
    if len(spec.args) != 1 or spec.has_search_options:
        raise ValueError(f"player {spec.text!r} is not script:MOVE,MOVE,..")
    return script_player(spec.args[0].split(","), context.game)


def make_level_player(spec: PlayerSpec, context: PlayerContext) -> AnyPlayer:
    """Return the player of a level of Kalah: `level3` or `level3:SEED`."""
    seed = _parse_only_seed(spec)
    return level_player(LEVELS[spec.name], seed, context.backend, context.observer)


def _parse_only_seed(spec: PlayerSpec) -> int:
    """Return the seed that follows the name, by default 0; raise `ValueError` for other parts."""
    if len(spec.args) > 1 or spec.has_search_options:
        raise ValueError(f"player {spec.text!r} is not {spec.name} or {spec.name}:SEED")
    return parse_int(spec.args[0], "seed") if spec.args else 0


def make_perfect_player(spec: PlayerSpec, context: PlayerContext) -> AnyPlayer:
    """Return the player of `perfect`."""
    if spec.args or spec.has_search_options:
        raise ValueError(f"player {spec.text!r} is not perfect; it has no further parts")
    return partial(perfect_player, watch=context.watch)


def make_openspiel_player(spec: PlayerSpec, context: PlayerContext) -> AnyPlayer:
    """Return the player of openspiel:mcts:PLAYOUTS[:c=NUMBER][:seed=NUMBER]."""
    if len(spec.args) < 2 or spec.args[0] != "mcts" or spec.has_search_options:
        form = "openspiel:mcts:PLAYOUTS"
        raise ValueError(f"player {spec.text!r} is not {form}, such as {OPENSPIEL}")
    if context.game != "kalah":
        raise ValueError(f"player {spec.text} plays Kalah, not {context.game}")
    _, number, *options = spec.args
    playouts = parse_int(number.removesuffix("p"), "playouts")
    if playouts < 1:
        raise ValueError(f"playouts is {playouts}; use 1 or more")
    values: dict[str, Any] = dict(map(_parse_openspiel_option, options))
    # Imported here, as OpenSpiel is an extra.
    from kalahlab.players.openspiel import BotPlayer, mcts_bot

    return BotPlayer(partial(mcts_bot, playouts=playouts, **values))


def _parse_openspiel_option(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    if name == "c":
        return name, parse_float(value, name)
    if name == "seed":
        return name, parse_int(value, name)
    raise ValueError(f"option {text!r} is not c=NUMBER or seed=NUMBER")


def make_growing_player(spec: PlayerSpec, context: PlayerContext) -> AnyPlayer:
    """Return the player of a search that grows a tree: ALGORITHM:LEAF:LIMIT[:NAME=VALUE..]."""
    if len(spec.args) < 2 or spec.ties is not None:
        example = f"{spec.name}:random:800p:seed=1"
        raise ValueError(f"player {spec.text!r} is not ALGORITHM:LEAF:LIMIT, such as {example}")
    leaf, limit_text, *options = spec.args
    backend = spec.backend or context.backend
    lookup("backend", backend, BACKENDS)  # only checks the name
    search = GrowthSpec.parse(spec.name, leaf, options, context.game, backend)
    limit = parse_limit(limit_text)
    player = growing_player(search, limit, context.clock, context.watch)
    return context.check_time(player, limit)


def make_choosing_player(spec: PlayerSpec, context: PlayerContext) -> AnyPlayer:
    """Return the player of a user's class with a method `choose`: IMPORT.PATH:LIMIT."""
    if len(spec.args) != 1 or spec.has_search_options:
        raise ValueError(
            f"player {spec.text!r} is not {spec.name}:LIMIT; a class with choose takes no options"
        )
    limit = parse_limit(spec.args[0])
    player_class = IMPORTED["algorithm", spec.name]
    try:
        signature(player_class.choose).bind("self", "game", "state", "limit")
    except TypeError:
        raise ValueError(f"{spec.name}.choose must take (self, game, state, limit)") from None
    if isinstance(limit, Seconds):
        return HostedPlayer(spec.name, Limits(limit))
    if context.seconds is not None:
        return HostedPlayer(spec.name, Limits(Seconds(context.seconds)), limit)
    player = choosing_player(spec.name, player_class, limit)
    return UserPlayer(player) if context.strict else player


def has_choose(name: str) -> bool:
    """Return whether a name is the import path of a class with a method `choose`."""
    value = IMPORTED.get(("algorithm", name))
    return isinstance(value, type) and hasattr(value, "choose")


def make_search_player(spec: PlayerSpec, context: PlayerContext) -> AnyPlayer:
    """Return the player of a search: ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][..]."""
    if len(spec.args) == 1 and (spec.name in SEARCHES or "." in spec.name):
        example = f"{spec.name}:{spec.args[0]}:6"
        raise ValueError(f"player {spec.text!r} has no LIMIT, such as {example}")
    if not 2 <= len(spec.args) <= 4:
        choices = [*context.names, "random"]
        raise ValueError(
            f"player {spec.text!r} is not one of {', '.join(choices)}, and not {GRAMMAR}; for "
            f"example {EXAMPLE}{did_you_mean(spec.text, choices)}"
        )
    lookup("algorithm", spec.name, {**SEARCHES, **GROWING})  # only checks the name
    evaluator, limit_text, *leaf_and_order = spec.args
    # Not strict, as the leaf rule and the order may be absent.
    options: dict[str, Any] = dict(zip(("leaf", "order"), leaf_and_order, strict=False))
    if spec.ties is not None:
        options["ties"] = parse_int(spec.ties, "ties")
    backend = spec.backend or context.backend
    search = SearchSpec(spec.name, evaluator, game=context.game, backend=backend, **options)
    search.check_evaluator()  # so that a bad evaluator is an error before the first move
    limit = parse_limit(limit_text)
    player = player_within_limit(search, limit, context.clock, context.observer)
    return context.check_time(player, limit)


def make_program_player(spec: PlayerSpec, context: PlayerContext) -> AnyPlayer:
    """Return the player of `exec:[DIALECT:][LIMIT:]COMMAND`."""
    if ("program", spec.text) not in IMPORTED:
        raise ValueError(f"player {spec.text!r} runs a program; only parse_player makes it")
    return ProgramPlayer(ProgramSpec.parse(spec.text))


def make_remote_player(spec: PlayerSpec, context: PlayerContext) -> AnyPlayer:
    """Return the player of `kgp:HOST:PORT[:LIMIT]`."""
    if ("program", spec.text) not in IMPORTED:
        raise ValueError(f"player {spec.text!r} opens a port; only parse_player makes it")
    return RemotePlayer.parse(spec.text)


PlayerFactory = Callable[[PlayerSpec, PlayerContext], AnyPlayer]
FACTORIES: dict[str, PlayerFactory] = {
    "exec": make_program_player,
    "kgp": make_remote_player,
    "openspiel": make_openspiel_player,
    "random": make_random_player,
    "script": make_script_player,
}


def import_player_parts(text: str) -> str:
    """Import the import paths in the text of a player, and return the text unchanged.

    The text must come from a person; see `names.import_named`.
    """
    if not isinstance(text, str):
        raise TypeError(f"a player is a text such as {EXAMPLE!r}, not {text!r}")
    spec = PlayerSpec.parse(text)
    if not spec.args:
        return import_named("player", text)
    if spec.name in ("exec", "kgp"):
        return import_named("program", text)
    if spec.name == "script":
        return text
    # The text is taken for that of a search. A text such as `random:1` passes, too, because
    # `import_named` ignores parts without a dot.
    if len(spec.args) == 1 and spec.args[0].endswith("ms"):
        import_named("player", spec.name)
        if not isinstance(IMPORTED.get(("player", spec.name)), type):
            return text  # a function; a class is imported as an algorithm, too
    parts = {"algorithm": spec.name, "evaluator": spec.args[0]}
    if len(spec.args) >= 4:
        parts["order"] = spec.args[3]  # after the evaluator, the limit and the leaf rule
    for kind, part in parts.items():
        import_named(kind, part)
    return text
