"""Base of the models: the Python behind a view, in a kernel (`widget`) or in a page (`live`)."""

import base64
from collections.abc import Mapping
from typing import Any

from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import State
from kalahlab.search.observer import NodeCounter, Stopped

Traits = Mapping[str, Any]

# Limits of a search that a message or a link asks for: its depth, and the number of all stones.
MAX_DEPTH, MAX_STONES = 99, 9999
# Errors that are reported to the reader: what the message asks for is not possible, or was stopped.
REPORTED_ERRORS = (
    Stopped,
    LookupError,
    ArithmeticError,
    TypeError,
    ValueError,
    RecursionError,
)


class Model(StableRepr):
    """The state behind a view, with the answers to the view's messages.

    The view sends a message when a reader asks for something. A message is a mapping with an `id`.
    The answer has the same `id`, an `error` in one line (empty on success), and the values that
    `handle` returns.
    """

    def publish(self, **traits: Any) -> None:
        """Send changed traits to the view, all of them at once."""
        raise NotImplementedError

    def handle(self, message: Traits) -> Traits:
        """Do what a message asks for, and return the answer; raise `ValueError` if impossible."""
        raise NotImplementedError

    def check_stopped(self, nodes: int) -> None:
        """Report the number of nodes of a running search; raise `Stopped` if the search has to end.

        A caller that counts no nodes passes 0.
        """

    def watch(self) -> NodeCounter:
        """Return an observer of a search, which calls `check_stopped` from time to time."""
        # The lambda looks `check_stopped` up at each call, as it may have been replaced meanwhile.
        return NodeCounter(lambda nodes: self.check_stopped(nodes))

    def to_recipe(self) -> dict[str, Any] | None:
        """Return the recipe from which `resume` restores the state: values for JSON.

        Return None if a page cannot restore the state.
        """
        raise NotImplementedError

    def resume(self, recipe: Traits) -> None:
        """Restore the state from a recipe of `to_recipe`."""
        raise NotImplementedError

    def answer(self, message: Traits) -> dict[str, Any]:
        """Handle a message and return the answer, with an error if that is not possible."""
        id = message.get("id")
        try:
            return {"id": id, "error": "", **self.handle(message)}
        except REPORTED_ERRORS as error:
            text = " ".join(str(error).split())  # in one line
            return {"id": id, "error": text or type(error).__name__}


def check_depth(depth: int) -> None:
    """Raise `ValueError` for a depth that no reader may request."""
    if not 0 <= depth <= MAX_DEPTH:
        raise ValueError(f"depth is {depth}; use 0 to {MAX_DEPTH}")


def check_stones(state: Any) -> None:
    """Raise `ValueError` for a Kalah position with more stones than a screen can show."""
    if isinstance(state, State) and sum(state.board) > MAX_STONES:
        raise ValueError(f"there are {sum(state.board)} stones; use up to {MAX_STONES:,}")


def make_stopped(nodes: int) -> Stopped:
    """Return the exception that ends a search after some nodes, with a message for the reader."""
    if nodes:
        return Stopped(f"Stopped after {nodes:,} nodes.")
    return Stopped("Stopped.")


def as_base64(value: Any) -> dict[str, str]:
    """Encode bytes for JSON; raise `TypeError` for any other type that JSON does not support."""
    if not isinstance(value, bytes | bytearray | memoryview):
        raise TypeError(f"a trait is {type(value).__name__}, which a page cannot hold")
    return {"base64": base64.b64encode(value).decode("ascii")}
