"""What the board and the explorer share: requests from the view, themes, a page of their own."""

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from kalahlab.widgets.model import Model
from kalahlab.widgets.page import Live, Part, page
from kalahlab.widgets.runtime import fetched


class Widget(Model, anywidget.AnyWidget):
    """A widget whose view can ask for things, and that can stand in a page without a kernel.

    live: whether there is a Python to answer. theme: `light`, `dark`, or '' for that of the page.
    title (no trait): its page's.
    """

    title: str
    live = traitlets.Bool(True).tag(sync=True)
    theme = traitlets.Enum(("", "light", "dark"), "").tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.on_msg(self._answer)

    def publish(self, **traits: Any) -> None:
        with self.hold_sync():
            for name, value in traits.items():
                setattr(self, name, value)

    def page(self, title: str | None = None, live: Live | None = None) -> str:
        """The widget as a page of HTML that needs neither kernel nor network.

        live: where the page's own Python is, by default beside it if there is one.
        """
        return page(title or self.title, [self.part()], live or ("no", "beside")[fetched()])

    def part(self) -> Part:
        """What a page needs of this widget: its code, its style, and its own traits."""
        others = anywidget.AnyWidget.class_trait_names()
        names = [name for name in self.trait_names(sync=True) if name not in others]
        state = {name: getattr(self, name) for name in names if name[0] != "_"}
        return self._esm, self._css, state | {"live": False, "again": self.again()}

    def _answer(self, widget: object, request: Mapping[str, Any], buffers: object) -> None:
        answer: Mapping[str, Any] = {
            "id": request.get("id"),
            "error": "the kernel could not do that; its log says why",
        }
        try:
            answer = self.answer(request)
        except KeyboardInterrupt:
            answer = {**answer, "error": "interrupted"}
        finally:
            self.send(answer)
