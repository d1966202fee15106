"""The function that is to be checked, and the functions beside it."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kalahlab.classroom.program_check.external import PREFIX, ExternalPlayer
from kalahlab.classroom.program_check.recognise import Parameter, list_parameters
from kalahlab.formatting import StableRepr
from kalahlab.names import IMPORTED, import_named
from kalahlab.user_code import importing

KIND = "function"  # the kind of an import path, as `import_named` knows it


@dataclass(frozen=True, repr=False)
class Target(StableRepr):
    """A function of a user, called with the arguments of some of its parameters.

    Attributes:
        name: How the user calls it.
        function: The function.
        parameters: The parameters that are given.
        owner: The class of a method, which is made without arguments; None for a function.
    """

    name: str
    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    owner: Callable[[], Any] | None = None

    @property
    def is_external(self) -> bool:
        """Whether the target is a program in a process of its own."""
        return isinstance(self.function, ExternalPlayer)

    def __call__(self, *arguments: Any) -> Any:
        function = self.function
        if self.owner is not None:
            function = getattr(self.owner(), self.function.__name__)
        keywords = dict(
            zip((parameter.name for parameter in self.parameters), arguments, strict=True)
        )
        leading = [keywords.pop(name) for name in self._leading_names]
        return function(*leading, **keywords)

    @cached_property
    def _leading_names(self) -> list[str]:
        """The parameters that can be given by their place only."""
        parameters = inspect.signature(self.function).parameters.values()
        names = {parameter.name for parameter in self.parameters}
        return [
            parameter.name
            for parameter in parameters
            if parameter.kind is parameter.POSITIONAL_ONLY and parameter.name in names
        ]


def make_target(function: Any, name: str = "") -> Target:
    """Return the target of a function, of an import path, or of a program: `exec:./agent`.

    Raises:
        ValueError: There is no such function, or it cannot be called.
    """
    if isinstance(function, str) and function.startswith(PREFIX):
        name, function = function, ExternalPlayer(function)
    elif isinstance(function, str):
        if "." not in function:
            raise ValueError(
                f"{function!r} names no function; write the file and the function with a "
                f"dot between, such as {function}.alphabeta"
            )
        name = import_named(KIND, function)
        function = IMPORTED[KIND, name]
    name = name or getattr(function, "__qualname__", type(function).__name__)
    if inspect.isclass(function):
        methods = [key for key, value in vars(function).items() if inspect.isfunction(value)]
        own = ", ".join(f"{name}.{method}" for method in methods if not method.startswith("_"))
        raise ValueError(f"{name} is a class; check one of its methods: {own or 'it has none'}")
    if not callable(function):
        raise ValueError(f"{name} is {type(function).__name__}, not a function")
    owner = _find_owner(function)
    parameters = list_parameters(function, is_method=owner is not None)
    if not parameters:
        raise ValueError(f"{name} has no parameter; check a function that takes a board")
    if owner is not None:
        _make_owner(owner, name)
    return Target(name, function, tuple(parameters), owner)


def find_globals(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the names of the module of a function, none for one that is not written in Python."""
    return getattr(inspect.unwrap(function), "__globals__", {})


def _find_owner(function: Callable[..., Any]) -> Any:
    """Return the class that a plain function is a method of, None if it is none."""
    first, *names = getattr(function, "__qualname__", "").split(".")[:-1] or [""]
    owner = find_globals(function).get(first)
    for name in names:
        owner = getattr(owner, name, None)
    if not inspect.isclass(owner):
        return None
    if isinstance(inspect.getattr_static(owner, function.__name__, None), staticmethod):
        return None
    return owner


def _make_owner(owner: Any, name: str) -> None:
    """Raise ValueError if an object of a class cannot be made without arguments."""
    try:
        with importing(owner.__module__):
            owner()
    except Exception as error:
        raise ValueError(
            f"{owner.__name__}() fails with {type(error).__name__}: {error}; write a function "
            f"that makes the object and calls {name.rpartition('.')[2]}, and check that"
        ) from None


def iter_neighbors(target: Target) -> Iterator[Target]:
    """Yield the other functions of the module of a target, and the other methods of its class."""
    prefix = target.name.rpartition(".")[0]
    methods = vars(target.owner) if target.owner else {}
    module = prefix.removesuffix(getattr(target.owner, "__qualname__", "")).rstrip(".")
    places = (methods, target.owner, prefix), (find_globals(target.function), None, module)
    for place, owner, path in places:
        for name, value in [*place.items()]:
            is_here = getattr(value, "__module__", "") == target.function.__module__
            if not is_here or not inspect.isfunction(inspect.unwrap(value)):
                continue
            if value is target.function:
                continue
            parameters = list_parameters(value, is_method=owner is not None)
            yield Target(f"{path}.{name}" if path else name, value, tuple(parameters), owner)
