"""What is wrong with a call of a search, said in one sentence before it fails somewhere inside."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from numbers import Real
from random import Random
from reprlib import repr as short
from traceback import walk_tb
from types import FunctionType
from typing import Any, TypeVar

from kalahlab.evaluators import Evaluator, is_for_mover, is_inexact, static_value
from kalahlab.games import Game
from kalahlab.games.registry import of
from kalahlab.search.deep_enough import Depth, Quiescence

T = TypeVar("T")

NAMES = ("game", "state", "evaluator", "deep_enough", "order", "observer")
WHAT = {
    "game": "what is played, such as Kalah(6, 4)",
    "state": "a position, such as game.start()",
    "evaluator": "a function, such as store_difference",
    "deep_enough": "where to stop, such as Depth(6)",
}

_NOTED = set[object]()  # the code of the evaluators that `sign_note` was asked about


def called(call: str, search: Callable[..., T], given: Sequence[Any], named: dict[str, Any]) -> T:
    """What a search, which takes `NAMES`, gives for arguments by position and by name.

    call: such as `alpha_beta(`. Errors say what is wrong, or on which board an evaluator fails.
    """
    found = dict(zip(NAMES, given, strict=False)) | named
    if slip := next(_slips(given, found), ""):
        limits = (getattr(each, "limit", each) for each in found.values())
        depth = f"Depth({next((each for each in limits if type(each) is int and each > 0), 6)})"
        example = f"game, game.start(), store_difference, {depth})"
        raise TypeError(f"{slip.replace('Depth(6)', depth)}; the call is {call}{example}")
    game, state, evaluator = (found[each] for each in NAMES[:3])
    _warn_of_sign(evaluator, game, state)
    try:
        return search(*given, **named)
    except Exception as error:
        _note_board(error)
        if isinstance(error, TypeError):
            with suppress(TypeError):  # it is no `BadEvaluator`
                ask_along_games(evaluator, game, state)
        raise


def _slips(given: Sequence[Any], found: dict[str, Any]) -> Iterator[str]:
    """What is wrong with the arguments of a search: those by position, and all by their names."""
    yield from (f"a search takes no {each}={found[each]!r}" for each in found if each not in NAMES)
    if len(given) > len(NAMES):
        yield f"a search takes {len(NAMES)} arguments at most, not {len(given)}"
    roles = {name: _role(value) for name, value in found.items()}
    if absent := WHAT.keys() - roles.keys():
        missing = next((name for name in WHAT if name not in roles.values()), min(absent))
        yield f"{missing} is missing, {WHAT[missing]}"
    for name, what in WHAT.items():
        stops = name == "deep_enough" and not is_evaluator(found[name])
        if roles[name] != name and not (stops and roles[name] == "evaluator"):
            yield f"{name} is {what}, not {short(found[name])}"
    if not callable(order := found.get("order", len)):
        yield f"order is a function, such as kalahlab.search.ORDERS['store_first'], not {order!r}"


def _role(value: Any) -> str:
    if isinstance(value, type) or hasattr(value, "start"):
        return "" if isinstance(value, type) else "game"
    if isinstance(value, Depth | Quiescence):
        return "deep_enough"
    return "state" if hasattr(value, "player") else "evaluator" if callable(value) else ""


def is_evaluator(function: Any) -> bool:
    """Whether its parameters have the names of an evaluator's."""
    code: Any = getattr(function, "__code__", None)
    return bool(code) and code.co_varnames[: code.co_argcount] == ("board", "player")


def check_state(state: Any) -> None:
    if _role(state) != "state":
        raise TypeError(f"give {WHAT['state']}, not {short(state)}")


class BadEvaluator(ValueError):
    """What it gives is no number, or it takes other arguments than a board and a player."""


def checked_value(evaluator: Evaluator, board: Any, player: int, name: str = "") -> Any:
    """What an evaluator gives, else `BadEvaluator`; what it raises itself is passed on."""
    name = name or getattr(evaluator, "__name__", "given")
    try:
        value: Any = evaluator(board, player)
    except TypeError as error:
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise
        said = f"evaluator {name} cannot be called with a board and a player: {error}"
        raise BadEvaluator(said) from None
    if not isinstance(value, Real) or value != value:  # as NaN is
        said = f"evaluator {name} gives {value!r} for the board {tuple(board)}"
        raise BadEvaluator(f"{said}; it must give a number") from None
    return value


def value_at_end(evaluator: Evaluator, game: Game, state: Any, line: Sequence[Any]) -> float:
    """What the end of a line is worth to who moves at its start; see `checked_value`."""
    player = state.player
    for move in line:
        state = game.play(state, move)
    if game.over(state):
        return game.margin(state, player)
    checked_value(evaluator, state.board, state.player if is_for_mover(evaluator) else player)
    return static_value(evaluator, state.board, state.player, player)


def ask_along_games(evaluator: Evaluator, game: Game, state: Any) -> None:
    """Ask an evaluator along random games: what is wrong with it is raised, see `checked_value`."""
    chance = Random(1)
    for _ in range(100):
        list(values_along_game(evaluator, game, state, chance))


def values_along_game(
    evaluator: Evaluator, game: Game, state: Any, chance: Random, name: str = ""
) -> Iterator[tuple[Any, float, float]]:
    """Each state of a random game and what an evaluator gives to both, asked in plain Python."""
    plain: Any = getattr(evaluator, "py_func", evaluator)  # of a function that numba compiled
    while not game.over(state):
        first, second = (checked_value(plain, state.board, player, name) for player in (0, 1))
        yield state, first, second
        state = game.play(state, chance.choice(game.moves(state)))


def sign_note(name: str, evaluator: Evaluator, game: Game, state: Any) -> str:
    """A note, given once, if an evaluator's two values have the wrong sign; else ''.

    It is asked along random games; see `values_along_game`. What it raises itself is left to the
    search, which says where. Workers note nothing.
    """
    from multiprocessing import parent_process  # here, as few searches need it

    kind, code = of(game), getattr(evaluator, "__code__", type(evaluator))
    quiet = code in _NOTED or is_for_mover(evaluator) or is_inexact(evaluator) or parent_process()
    _NOTED.add(code)
    games = (values_along_game(evaluator, game, state, Random(k), name) for k in range(4, 9))
    try:
        for at, *both in chain.from_iterable(islice(each, 40) for each in games):
            # a text of Kalah has the mover as South
            if not at.player and abs(sum(both)) * 10**6 > max(1, abs(both[0])):
                gives = " and ".join(map("{} for {}".format, both, kind.players))
                said = f"evaluator {name} gives {gives} of {kind.format(at)}; usually one is "
                said += "the negative of the other. README: Write an evaluator"
                return "" if quiet else said
    except BadEvaluator:
        raise
    except Exception:  # the search says where
        return ""
    return ""


def _warn_of_sign(evaluator: Any, game: Game, state: Any) -> None:
    """Warn of a function of one's own, at the line where it begins; see `sign_note`."""
    code: Any = getattr(evaluator, "__code__", None)
    module = f"{evaluator.__module__}"
    own = isinstance(evaluator, FunctionType) and not module.startswith("kalahlab.")
    if own and code not in _NOTED:
        with suppress(ValueError):  # the search says what is wrong with it
            if note := sign_note(evaluator.__name__, evaluator, game, state):
                place = code.co_filename, code.co_firstlineno, module
                warnings.warn_explicit(note, UserWarning, *place)


def _note_board(error: Exception) -> None:
    """Note on what an evaluator raised which board it was given: the frames know it."""
    asking = (static_value.__code__, checked_value.__code__)
    calls = [each.f_locals for each, _ in walk_tb(error.__traceback__) if each.f_code in asking]
    said = hasattr(error, "__notes__") or isinstance(error, RecursionError | BadEvaluator)
    if calls and not said:
        error.add_note(f"the evaluator was given the board {calls[-1]['board']}")
