"""What a reader may ask of the explorer, and what is shown of the searches."""

from collections.abc import Mapping
from typing import Any

from kalahlab.search.observer import Stopped
from kalahlab.trace import Trace
from kalahlab.widgets.models.model import Model
from kalahlab.widgets.models.packing import QUICK, pack
from kalahlab.widgets.models.request import SearchRequest

KEPT = 20_000  # the most nodes of the search that is shown in place of one that was stopped
REMEMBERED = 100  # how many searches before the last one can be gone back to


class ExplorerModel(Model):
    request: SearchRequest | None = None
    _past: tuple[SearchRequest, ...] = ()

    def handle(self, request: Mapping[str, Any]) -> dict[str, Any]:
        if "trace" in request:
            trace = Trace.from_json(request["trace"])
            self.publish(traces=[pack(trace, request["name"])], link="", whole={})
        elif "link" in request:
            self._show(SearchRequest.from_link(request["link"]))
        elif self.request is None:
            raise ValueError("this search was given as a trace; nothing else can be asked here")
        elif "undo" in request:
            if not self._past:
                raise ValueError("there is nothing to undo")
            *earlier, before = self._past
            self.publish(**before.traits(), undoable=bool(earlier))
            self._past, self.request = tuple(earlier), before
        elif "game" in request:
            self._show(self.request.of_game(request["game"], request.get("position")))
        elif "edit" in request:
            self._show(self.request.edited(request["edit"]))
        else:
            self._show(self.request.changed(request["search"]))
        return {}

    def again(self) -> dict[str, Any] | None:
        if not self.request or not (query := self.request.query()):
            return None
        return {"kind": "explorer", "game": self.request.kind.name, "query": query}

    def resume(self, recipe: Mapping[str, Any]) -> None:
        self.request = SearchRequest.from_query(recipe["query"])

    def _show(self, request: SearchRequest) -> None:
        """Search, and show what was found; what a reader stops is searched less deep."""
        watch = self.watch()
        try:
            traits = request.traits(watch, level=QUICK)
        except Stopped:
            less = request.within(min(watch.entered, KEPT))
            self.publish(progress=0)  # so that the view knows that this goes on
            self._publish(less, less.traits(level=QUICK))
            raise Stopped(
                f"Stopped after {watch.entered:,} nodes. This is the search to depth {less.depth}."
            ) from None
        self._publish(request, traits)

    def _publish(self, request: SearchRequest, traits: Mapping[str, Any]) -> None:
        if self.request:
            self._past = (*self._past, self.request)[-REMEMBERED:]
        self.publish(**traits, undoable=bool(self._past))
        self.request = request
