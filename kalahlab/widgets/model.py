"""What decides behind a view: it publishes traits, and answers what a reader asks for.

It is the same whether a kernel answers (`widget`) or the Python of a page (`live`), so it needs
what `games`, `search` and `trace` need, the standard library.
"""

import base64
from collections.abc import Mapping
from typing import Any

from kalahlab.search.observer import Stopped, Watch

Traits = Mapping[str, Any]


class Model:
    """A view's other side.

    A request is a mapping with an `id`. Its answer has the same `id`, an `error` in one line, empty
    if all went well, and what `handle` gives.
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
        """The observer that looks after a search."""
        return Watch(lambda nodes: self.look(nodes))

    def again(self) -> dict[str, Any] | None:
        """What a page's Python needs to go on from here, as JSON; None if it cannot."""
        raise NotImplementedError

    def resume(self, recipe: Traits) -> None:
        """Go on from what `again` said."""
        raise NotImplementedError

    def answer(self, request: Traits) -> dict[str, Any]:
        """The answer to a request, whatever happens."""
        id = request.get("id")
        try:
            return {"id": id, "error": "", **self.handle(request)}
        except (LookupError, ArithmeticError, TypeError, ValueError, RecursionError) as error:
            return {"id": id, "error": " ".join(str(error).split()) or type(error).__name__}
        except Stopped as stopped:
            return {"id": id, "error": str(stopped)}


def as_base64(value: Any) -> dict[str, str]:
    """Bytes as JSON; `TypeError` for anything else that JSON has no form for."""
    if not isinstance(value, bytes | bytearray | memoryview):
        raise TypeError(f"a trait is {type(value).__name__}, which a page cannot hold")
    return {"base64": base64.b64encode(value).decode("ascii")}
