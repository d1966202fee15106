"""Searches that grow a tree, described by text: `uct:random:800p`."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any

from kalahlab import engine
from kalahlab.engine import GrowingTwin
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.registry import EVALUATORS, find_evaluator
from kalahlab.formatting import StableRepr
from kalahlab.games import Game
from kalahlab.names import IMPORTED, parse_float, parse_int
from kalahlab.search.growing import GROWING, PLAYOUTS, GrowingSearch, Growth, Playout, Policy
from kalahlab.search.growing.loop import growing_search
from kalahlab.search.growing.model import GrowthObserver
from kalahlab.search.limits import Clock, Limit, check_kind


@dataclass(frozen=True, repr=False)
class GrowthSpec(StableRepr):
    """A search that grows a tree, with its parts looked up.

    Attributes:
        name: The name or import path of the search.
        grow: The search.
        leaf: What values a leaf.
        options: The options of the policy.
        seed: The seed of the random numbers; each search begins with it.
        backend: The preferred backend; the engine has some of the searches, without observers.
    """

    name: str
    grow: GrowingSearch
    leaf: Evaluator | Playout
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    backend: str = "textbook"

    @classmethod
    def parse(
        cls,
        name: str,
        leaf: str,
        options: Sequence[str] = (),
        game: str = "kalah",
        backend: str = "textbook",
    ) -> "GrowthSpec":
        """Look up the parts of a search.

        Args:
            name: The name of the search, or its import path if it was imported before.
            leaf: The name of a playout or an evaluator.
            options: Texts such as `c=5` and `seed=7`; see `parse_option`.
            game: The name of the game.
            backend: The preferred backend.

        Raises:
            ValueError: A name is unknown, or the search does not take an option or this leaf.
        """
        grow = find_growing_search(name)
        if grow is None:
            raise ValueError(f"unknown search {name!r}; use one of {', '.join(GROWING)}")
        values = dict(parse_option(grow, text, game) for text in options)
        if len(values) < len(options):
            raise ValueError(f"search {name} has an option twice: {' '.join(options)}")
        seed = values.pop("seed", 0)
        spec = cls(name, grow, find_leaf(leaf, game), values, seed, backend)
        spec.check_policy()
        return spec

    def check_policy(self) -> None:
        """Raise ValueError if no policy can be made of the leaf and the options."""
        try:
            make_policy: Callable[..., Policy] = self.grow.policy
            make_policy(self.leaf, **self.options)
        except TypeError as error:
            raise ValueError(
                f"search {self.name} must be called with an evaluator and options: {error}"
            ) from None

    @property
    def twin(self) -> GrowingTwin | None:
        """The compiled search of the engine; None if there is none, or another backend."""
        if self.backend != "engine" or self.grow not in GROWING.values():
            return None
        return engine.GROWING.get(self.name.replace("-", "_"))

    def is_compiled_for(self, game: Game, state: Any) -> bool:
        """Return whether the engine searches this position."""
        return self.twin is not None and self.twin.can_grow(game, state, self.leaf)

    def check_limit(self, limit: Limit) -> None:
        """Raise ValueError if the search cannot keep a limit."""
        check_kind(self.name, limit, self.grow.policy.limits)

    def search(
        self,
        game: Game,
        state: Any,
        limit: Limit,
        observer: GrowthObserver | None = None,
        clock: Clock = time.monotonic,
    ) -> Growth:
        """Grow a tree from a position within a limit."""
        grow: GrowingSearch | GrowingTwin = self.grow
        if observer is None and self.twin is not None and self.is_compiled_for(game, state):
            grow = self.twin
        return grow(game, state, self.leaf, limit, observer, self.seed, clock, **self.options)


def find_growing_search(name: str) -> GrowingSearch | None:
    """Return the search that grows a tree and has this name; None if there is none.

    Args:
        name: A name of `GROWING`, or the import path of a policy or of a search of
            `growing_search`, which was imported before.
    """
    value: Any = GROWING.get(name.replace("-", "_")) or IMPORTED.get(("algorithm", name))
    if isinstance(value, type) and issubclass(value, Policy):
        return growing_search(value, name)
    return value if hasattr(value, "policy") else None


def find_leaf(name: str, game: str = "kalah") -> Evaluator | Playout:
    """Return the playout or evaluator of a name; raise ValueError if there is none."""
    if name.replace("-", "_") in PLAYOUTS:
        return PLAYOUTS[name.replace("-", "_")]
    if "." in name:
        return find_evaluator(name, game)
    evaluators = EVALUATORS.get(game, {})
    if name not in evaluators:
        choices = ", ".join([*PLAYOUTS, *evaluators])
        raise ValueError(f"unknown leaf {name!r}; use a playout or an evaluator: {choices}")
    return evaluators[name]


def parse_option(grow: GrowingSearch, text: str, game: str) -> tuple[str, Any]:
    """Return the name and the value of an option of a search, such as `c=5`.

    A value is a number, or the name of an evaluator if the option's default is one.

    Raises:
        ValueError: The search has no such option, or the value cannot be read.
    """
    name, _, value = text.partition("=")
    defaults = _option_defaults(grow.policy)
    if name == "seed":
        return name, parse_int(value, name)
    if name not in defaults:
        choices = ", ".join([*defaults, "seed"])
        raise ValueError(f"unknown option {text!r}; write NAME=VALUE with one of {choices}")
    if callable(defaults[name]):
        return name, find_evaluator(value, game)
    return name, parse_float(value, name)


def _option_defaults(policy: Callable[..., Policy]) -> dict[str, Any]:
    """Return the default values of a policy's options, by name."""
    _, *options = signature(policy).parameters.values()  # without the evaluator
    return {
        option.name: option.default for option in options if option.default is not Parameter.empty
    }
