"""Model of the explorer, which answers the messages of a view with searches."""

from collections.abc import Mapping
from typing import Any

from kalahlab.search.observer import Stopped
from kalahlab.trace import Trace
from kalahlab.widgets.models.model import Model
from kalahlab.widgets.models.packing import QUICK, pack
from kalahlab.widgets.models.search_request import SearchRequest

# The most nodes of the shallower search that is shown in place of a search that was stopped.
MAX_SHALLOWER_NODES = 20_000
MAX_UNDO = 100  # number of earlier searches that undo can restore


class ExplorerModel(Model):
    """The search that is shown, and the earlier ones for undo; see `Explorer`."""

    request: SearchRequest | None = None
    _past: tuple[SearchRequest, ...] = ()

    def handle(self, message: Mapping[str, Any]) -> dict[str, Any]:
        if "trace" in message:
            trace = Trace.from_json(message["trace"])
            self.publish(traces=[pack(trace, message["name"])], link="", exercise={})
        elif "link" in message:
            self._show(SearchRequest.from_link(message["link"]))
        elif self.request is None:
            raise ValueError("this is a recorded trace; no other search can be requested here")
        elif "undo" in message:
            self._undo()
        elif "game" in message:
            self._show(self.request.with_game(message["game"], message.get("position")))
        elif "edit" in message:
            self._show(self.request.with_edit(message["edit"]))
        else:
            self._show(self.request.with_form(message["search"]))
        return {}

    def to_recipe(self) -> dict[str, Any] | None:
        if not self.request:
            return None
        query = self.request.query()
        if not query:
            return None
        return {"kind": "explorer", "game": self.request.game_type.name, "query": query}

    def resume(self, recipe: Mapping[str, Any]) -> None:
        self.request = SearchRequest.from_query(recipe["query"])

    def _undo(self) -> None:
        if not self._past:
            raise ValueError("there is nothing to undo")
        *earlier, previous = self._past
        # `traits` runs the search. It may be stopped, so the state changes only afterwards.
        self.publish(**previous.traits(), undoable=bool(earlier))
        self._past, self.request = tuple(earlier), previous

    def _show(self, request: SearchRequest) -> None:
        """Search and show the result; if the reader stops the search, show a shallower one."""
        watch = self.watch()
        try:
            traits = request.traits(watch, level=QUICK)
        except Stopped:
            shallower = request.with_node_limit(min(watch.entered, MAX_SHALLOWER_NODES))
            self.publish(progress=0)  # the view sees that Python is still at work
            self._publish(shallower, shallower.traits(level=QUICK))
            raise Stopped(
                f"Stopped after {watch.entered:,} nodes. "
                f"This is the search to depth {shallower.depth}."
            ) from None
        self._publish(request, traits)

    def _publish(self, request: SearchRequest, traits: Mapping[str, Any]) -> None:
        """Send the traits of a finished search, and keep the previous request for undo."""
        if self.request:
            past = (*self._past, self.request)
            self._past = past[-MAX_UNDO:]
        self.publish(**traits, undoable=bool(self._past))
        self.request = request
