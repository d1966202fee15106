"""The text of an object in a cell is the same in each run: no address, no time."""

import dataclasses
import inspect
import os
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from conftest import run_python
from traitlets import HasTraits

import kalahlab

MODULES: list[ModuleType] = [
    import_module(info.name)
    for info in walk_packages(kalahlab.__path__, "kalahlab.")
    if not info.name.endswith("__main__") and not info.name.startswith("kalahlab.cli")
]


def is_shown(value, name, module):
    """Return whether a value of a module is a public class whose objects a cell may show."""
    if not inspect.isclass(value) or value.__module__ != module.__name__ or name[0] == "_":
        return False
    return not getattr(value, "_is_protocol", False) and not issubclass(value, BaseException)


CLASSES = {}
for module in MODULES:
    for name, value in vars(module).items():
        if is_shown(value, name, module):
            CLASSES[f"{value.__module__}.{value.__qualname__}"] = value


def parts(hint):
    """Yield a type and the types that it is made of."""
    yield hint
    for argument in get_args(hint):
        if isinstance(argument, list):
            continue
        yield from parts(argument)


def has_address(hint):
    """Return whether the text of such values has an address: functions, objects without a text."""
    origin = get_origin(hint) or hint
    if not inspect.isclass(origin) or origin is Any or origin is type(None):
        return False
    if getattr(origin, "_is_protocol", False) or origin.__module__ == "collections.abc":
        return "__call__" in vars(origin)
    return origin.__repr__ is object.__repr__


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_no_class_has_a_text_with_an_address(name):
    kind = CLASSES[name]
    text = kind.__repr__
    assert text is not object.__repr__
    assert not issubclass(kind, HasTraits) or text.__module__.startswith("kalahlab.")
    names = []
    if dataclasses.is_dataclass(kind) and hasattr(text, "__wrapped__"):  # not written by hand
        names = [field.name for field in dataclasses.fields(kind) if field.repr]
    elif getattr(text, "__module__", "") == "collections":  # of a named tuple
        names = kind._fields
    hints = get_type_hints(kind) if names else {}
    assert not [field for field in names if any(map(has_address, parts(hints[field])))]


# Makes objects that a cell may show, and prints the text of each.
SHOWN = """
from IPython.core.formatters import DisplayFormatter

import kalahlab as k
from kalahlab import engine
from kalahlab.report.artifacts import Artifacts
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.games.registry import GAMES
from kalahlab.matches.pairs import Pair
from kalahlab.players.factories import search_player
from kalahlab.published.cs5329 import Defects
from kalahlab.search import ALGORITHMS, ORDERS
from kalahlab.search.deep_enough import Quiescence
from kalahlab.search.observer import NodeCounter
from kalahlab.search.tree import RandomTies
from kalahlab.trace.recorder import Recorder

game = k.Kalah(3, 2)
start, judge, depth = game.start(), k.store_difference, k.Depth(2)
trace = k.record(k.alpha_beta, game, start, judge, depth)
players = [
    *map(k.parse_player, ("alpha_beta:e3:2", "alpha_beta:e3:9n", "random:1", "level1:1")),
    k.parse_player("alpha_beta:e3:2@engine"),
    search_player(k.alpha_beta, judge, depth),
]
searches = {"evaluator": judge, "depth": 2}
roots = [
    game, start, depth, trace, *players, k.SearchSpec("scout", "e3"), Artifacts(1),
    k.explore(start, **searches), k.explore(start, **searches, beside="minimax"),
    k.explore("((3 12 8) (2 4 6))", game="tree"), k.Explorer(trace), k.Explorer(), k.Board(3, 2),
    k.play_game(game, players[0], players[2]),
    k.alpha_beta(game, start, judge, depth), Pair(players[0], judge, "<2,0,0,2,2,2,2>"),
    Pair("random:1", "random:2", "<2,0,0,2,2,2,2>"), Quiescence(game.is_quiet, 2), Recorder(game),
    NodeCounter(print), RandomTies(ORDERS["pit"], 1), Defects.without(), judge,
    *ALGORITHMS.values(), *engine.ALGORITHMS.values(), *ORDERS.values(), *GAMES.values(),
    *EVALUATORS["kalah"].values(), *EVALUATORS["betsy"].values(),
]
shown = DisplayFormatter()
for root in roots:
    data = shown.format(root)[0] or getattr(root, "_repr_mimebundle_", dict)()[0]
    print(type(root).__name__, data["text/plain"].replace("\\n", " "))
    if not callable(root) or type(root).__module__ != "builtins":
        print(repr(root).replace("\\n", " "))
"""


# Slow, because a process imports nearly all of the package.
def test_the_texts_of_objects_are_the_same_in_each_run_and_have_no_address(capsys):
    """Compare those of this process with those of a new one, whose hashes of texts are others."""
    exec(SHOWN, {"__name__": "__main__"})
    first = capsys.readouterr().out.strip()
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    assert first == run_python(SHOWN, PYTHONHASHSEED=seed)
    lines = first.splitlines()
    assert len(lines) > 100
    assert not [line for line in lines if " at 0x" in line]
    for text in (
        "<Search of <3,0,0,2,2,2,2,2,2> by alpha_beta, depth 2: run the cell to step through it>",
        "<player: alpha_beta, store_difference, Depth(limit=2, unit='sow'), pit_order>",
        "<game type kalah>",
        "<artifacts of notebook 1>",
    ):
        assert [line for line in lines if text in line]


def test_the_text_of_a_solution_has_no_time():
    """Solve in this process: each new one would load the solver for half a second."""
    solution = kalahlab.solve(kalahlab.Kalah(2, 2).start(), moves=True)
    later = dataclasses.replace(solution, nodes=9, seconds=9.0)
    assert repr(solution) == repr(later)
    assert " at 0x" not in repr(solution)
