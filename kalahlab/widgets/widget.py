"""The base class of the board and the explorer: messages of the view, themes, and pages."""

from collections.abc import Mapping
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Event, Thread, local
from typing import Any

import anywidget
import traitlets

from kalahlab.widgets.models.model import Model, make_stopped
from kalahlab.widgets.page import Live, Part, page
from kalahlab.widgets.runtime import is_fetched

STOPS_WITHIN = 2.0  # seconds in which an observed search reacts to a request to stop


@dataclass(slots=True)
class Job:
    """A message of the view that is being answered.

    Attributes:
        id: The id of the message.
        stop: Set if the computation has to stop.
        acknowledged: Set after the computation reacted to `stop`, or ended.
        is_abandoned: Whether the answer is not to be sent, as the view does not wait for it.
    """

    id: Any
    stop: Event = field(default_factory=Event, repr=False)
    acknowledged: Event = field(default_factory=Event, repr=False)
    is_abandoned: bool = False


NO_JOB = Job(None)


class Widget(Model, anywidget.AnyWidget):
    """A widget that answers the messages of its view, and can be written as a page.

    Attributes:
        title: The default heading of a page.
        live: Whether Python can answer messages; a page sets this trait itself.
        progress: The number of nodes that the current search has visited.
        theme: `light`, `dark`, or "" for the theme of the page.
    """

    title: str
    live = traitlets.Bool(True).tag(sync=True)
    progress = traitlets.Int(0).tag(sync=True)
    theme = traitlets.Enum(("", "light", "dark"), "").tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self._local = local()  # the job of each thread
        self._current = NO_JOB
        self._latest: Thread | None = None  # the thread of the last message
        self.on_msg(self._answer)

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def publish(self, **traits: Any) -> None:
        """Set traits, and send all of them at once, unless the current job was abandoned."""
        if self._job.is_abandoned:
            return  # a later message may already have been answered
        with self.hold_sync():
            for name, value in traits.items():
                setattr(self, name, value)

    def page(self, title: str | None = None, live: Live | None = None, above: str = "") -> str:
        """Render the widget as a page of HTML that needs neither kernel nor network.

        Args:
            title: The heading; the widget's title by default.
            live: The place of the page's own Python; by default beside the page if Pyodide was
                downloaded, else nowhere.
            above: HTML to show above the widget.
        """
        if live is None:
            live = "beside" if is_fetched() else "no"
        return page(title or self.title, [self.page_part()], live, [self.fallback()], above)

    def fallback(self) -> str:
        """Return HTML with a small picture, which browsers without JavaScript show instead."""
        raise NotImplementedError

    def page_part(self, **more: Any) -> Part:
        """Return what a page needs to show this widget: its code, style and traits.

        Args:
            **more: Further traits.
        """
        inherited = anywidget.AnyWidget.class_trait_names()
        names = [name for name in self.trait_names(sync=True) if name not in inherited]
        # anywidget adds `_esm` and `_css` as traits; a page has them apart.
        state = {name: getattr(self, name) for name in names if not name.startswith("_")}
        return self._esm, self._css, state | {"live": False, "recipe": self.to_recipe()} | more

    def check_stopped(self, nodes: int) -> None:
        if nodes:  # 0 if the caller does not count nodes
            self.publish(progress=nodes)
        if self._job.stop.is_set():
            self._job.acknowledged.set()
            raise make_stopped(nodes)

    def _answer(self, widget: object, message: Mapping[str, Any], buffers: object) -> None:
        """Answer a message in a thread, so that a reader can stop the search and cells can run.

        `on_msg` passes the widget and the buffers, too, which are not needed.
        """
        if message.get("stop"):
            return self._stop(self._current)
        job = self._current = Job(message.get("id"))
        args = (self._respond, self._latest, job, message)
        self._latest = Thread(target=copy_context().run, args=args, daemon=True)
        self._latest.start()
        return None

    def _respond(self, previous: Thread | None, job: Job, message: Mapping[str, Any]) -> None:
        """Answer a message after the thread of the previous message has ended."""
        if previous:
            previous.join()
        self._local.job = job
        answer = {"id": job.id, "error": "the request failed; the kernel's log has the reason"}
        try:
            answer = self.answer(message)
        except KeyboardInterrupt:
            answer["error"] = "interrupted"
        except Exception:
            self.log.exception("a request could not be answered")
        finally:
            job.acknowledged.set()
            if not job.is_abandoned:
                self.send(answer)

    def _stop(self, job: Job) -> None:
        """Stop a search; abandon its job if it does not react, as a compiled search."""
        job.stop.set()
        if job.acknowledged.wait(STOPS_WITHIN) or job.is_abandoned:
            return
        job.is_abandoned = True
        self._latest = None  # the next message does not wait for the abandoned job
        if self.has_trait("thinking"):
            self.publish(thinking="")
        self.send({"id": job.id, "error": "Stopped. The engine finishes in the background."})

    @property
    def _job(self) -> Job:
        """The job of this thread; `NO_JOB` if a cell calls the widget, which cannot be stopped."""
        job: Job = getattr(self._local, "job", NO_JOB)
        return job
