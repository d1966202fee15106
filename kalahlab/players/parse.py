"""Players as they are written: text in, player out."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kalahlab.evaluators.validation import is_evaluator
from kalahlab.names import did_you_mean, import_named, lookup, parse_int
from kalahlab.players.factories import (
    lose_on_time,
    player_within_limit,
    random_player,
    script_player,
    time_limited_player,
)
from kalahlab.players.game_loop import EXAMPLE, Player
from kalahlab.players.levels import LEVELS, level_player
from kalahlab.players.limits import Clock, Limit, parse_limit
from kalahlab.players.search_spec import SearchSpec
from kalahlab.search import ALGORITHMS
from kalahlab.search.observer import Observer

GRAMMAR = (
    "ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][:ties=SEED][@BACKEND], script:MOVE,MOVE,.. or the "
    "import path of a function"
)


def parse_player(
    text: str,
    game: str = "kalah",
    backend: str = "textbook",
    others: Mapping[str, Player] | None = None,
    clock: Clock = time.monotonic,
    strict: bool = False,
    observer: Observer | None = None,
) -> Player:
    """Return the player that a text describes, like `make_player`, but import user code first.

        play_game(Kalah(6, 4), parse_player("alpha_beta:mine.mobility:4"), parse_player("random:1"))

    Each import path in the text is imported, which runs code: pass text from a file, a link or a
    message to `make_player` instead.
    """
    return make_player(import_player_parts(text), game, backend, others, clock, strict, observer)


def make_player(
    text: str,
    game: str = "kalah",
    backend: str = "textbook",
    others: Mapping[str, Player] | None = None,
    clock: Clock = time.monotonic,
    strict: bool = False,
    observer: Observer | None = None,
    late: Callable[[Any], object] | None = None,
) -> Player:
    """Return the player that a text describes; nothing is imported.

    alpha_beta:e3:6               searches to depth 6
    alpha_beta:e3:5000n:turn      searches up to 5,000 nodes a move, its depth counted in turns
    alpha_beta:e3:1000ms@engine   searches up to a second a move, by this backend
    alpha_beta:e3:6:ties=7        breaks ties between best moves at random, by this seed
    random:7                      makes random moves, by this seed
    level3:7                      plays at a level of `LEVELS`, with random moves by this seed
    script:6,2,1                  makes these moves, in the notation of the game
    mypackage.bots.greedy         is the function that `import_named` imported from there

    The names in a search are those of `SearchSpec`, its limit is that of `parse_limit`, and its
    seed that of `RandomTies`.

    Args:
        text: The description.
        game: The name of the game.
        backend: The backend of a search that names none.
        others: Further players by their texts, such as `person`.
        clock: The clock of a limit of time.
        strict: Raise `OutOfTime` when a search takes longer than its limit.
        observer: The observer of searches by the textbook.
        late: A function that is called with the state instead, unless `strict`.

    Raises:
        ValueError: The text describes no player, or a player that cannot keep its limit.
    """
    if others and text in others:
        return others[text]
    name, *rest = text.split(":")
    if "." in name and not rest:
        player: Any = lookup("player", name, dict[str, Player]())
        if is_evaluator(player):
            raise ValueError(f"{name} is an evaluator? then write alpha_beta:{name}:4")
        return player  # type: ignore[no-any-return]
    if name == "script" and len(rest) == 1:
        return script_player(rest[0].split(","), game)
    if name == "random" and len(rest) <= 1:
        return random_player(parse_int(rest[0] if rest else "0", "seed"))
    if name in LEVELS and game == "kalah" and len(rest) <= 1:
        seed = parse_int(rest[0] if rest else "0", "seed")
        return level_player(LEVELS[name], seed, backend, observer)
    known = [*(others or ()), *(LEVELS if game == "kalah" else ()), "random"]
    spec, limit = _parse_search(text, game, backend, known)
    player = player_within_limit(spec, limit, clock, observer)
    watch = lose_on_time if strict else late
    return player if watch is None else time_limited_player(player, limit.seconds, clock, watch)


def import_player_parts(text: str) -> str:
    """Import the import paths in the text of a player, and return the text unchanged.

    The text must come from a person; see `names.import_named`.
    """
    if not isinstance(text, str):
        raise TypeError(f"write parse_player({EXAMPLE!r}) for a player, not {text!r}")
    name, *rest = text.partition("@")[0].split(":")
    if not rest:
        return import_named("player", text)
    if name != "script":
        parts = {"algorithm": name, "evaluator": rest[0]}
        if len(rest) > 3:
            parts["order"] = rest[3]
        for kind, part in parts.items():
            import_named(kind, part)
    return text


def _parse_search(
    text: str, game: str, backend: str, others: Sequence[str]
) -> tuple[SearchSpec, Limit]:
    """Parse the text of a search, see `make_player`; `others` are the other players there are."""
    search, _, backend_in_text = text.partition("@")
    name, *rest = search.split(":")
    ties = None
    if rest and rest[-1].startswith("ties="):
        ties = parse_int(rest.pop().removeprefix("ties="), "ties")
    if len(rest) == 1 and (name in ALGORITHMS or "." in name):
        raise ValueError(f"player {text!r} has no LIMIT, such as {name}:{rest[0]}:6")
    if not 2 <= len(rest) <= 4:
        raise ValueError(
            f"player {text!r} is none of {', '.join(others)}, and not {GRAMMAR}; for example "
            f"{EXAMPLE}{did_you_mean(text, others)}"
        )
    evaluator, limit = rest[:2]
    leaf = rest[2] if len(rest) > 2 else "sow"
    order = rest[3] if len(rest) > 3 else "pit"
    spec = SearchSpec(name, evaluator, leaf, order, backend_in_text or backend, game, ties)
    return spec, parse_limit(limit)
