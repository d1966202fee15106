"""What decides behind a view, in a kernel (`widget`) or in the Python of a page (`live`)."""

import base64
from collections.abc import Mapping
from typing import Any

from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import State
from kalahlab.search.observer import Stopped, Watch

Traits = Mapping[str, Any]

DEEPEST, MAX_STONES = 99, 9999  # of a search that a form, a link or a message asks for
# What a request may end with: what a reader asked for cannot be done, or was stopped.
FAULTS = (Stopped, LookupError, ArithmeticError, TypeError, ValueError, RecursionError)


class Model(StableRepr):
    """A request is a mapping with an `id`. Its answer has the same `id`, an `error` in one line,
    empty if all went well, and what `handle` gives.
    """

    def publish(self, **traits: Any) -> None:
        """Let the view know of traits that have changed, all of them at once."""
        raise NotImplementedError

    def handle(self, request: Traits) -> Traits:
        """Do what a reader asks for. `ValueError` says what is wrong."""
        raise NotImplementedError

    def look(self, nodes: int) -> None:
        """Called now and then while a search runs; `Stopped` ends it."""

    def watch(self) -> Watch:
        return Watch(lambda nodes: self.look(nodes))

    def again(self) -> dict[str, Any] | None:
        """What `resume` needs to go on from here in a page, as JSON; None if nothing can."""
        raise NotImplementedError

    def resume(self, recipe: Traits) -> None:
        raise NotImplementedError

    def answer(self, request: Traits) -> dict[str, Any]:
        id = request.get("id")
        try:
            return {"id": id, "error": "", **self.handle(request)}
        except FAULTS as error:
            return {"id": id, "error": " ".join(str(error).split()) or type(error).__name__}


def check_depth(depth: int) -> None:
    if not 0 <= depth <= DEEPEST:
        raise ValueError(f"depth is {depth}; use 0 to {DEEPEST}")


def check_stones(state: Any) -> None:
    """For Kalah: `ValueError` for more stones than a screen shows."""
    if isinstance(state, State) and sum(state.board) > MAX_STONES:
        raise ValueError(f"there are {sum(state.board)} stones; use up to {MAX_STONES:,}")


def stopped(nodes: int) -> Stopped:
    return Stopped(f"Stopped after {nodes:,} nodes." if nodes else "Stopped.")


def as_base64(value: Any) -> dict[str, str]:
    """Bytes as JSON; `TypeError` for anything else that JSON has no form for."""
    if not isinstance(value, bytes | bytearray | memoryview):
        raise TypeError(f"a trait is {type(value).__name__}, which a page cannot hold")
    return {"base64": base64.b64encode(value).decode("ascii")}
