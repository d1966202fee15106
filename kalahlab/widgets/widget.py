"""Base of the board and the explorer: requests from the view, themes, and pages."""

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

STOPS_WITHIN = 2.0  # seconds in which an observed search notices that it has to stop


@dataclass(slots=True)
class Job:
    """A request of the view that is being answered.

    acknowledged: it has noticed that it has to stop, or has ended.
    is_abandoned: nobody waits for its answer, which is not sent.
    """

    id: Any
    stop: Event = field(default_factory=Event, repr=False)
    acknowledged: Event = field(default_factory=Event, repr=False)
    is_abandoned: bool = False


NO_JOB = Job(None)


class Widget(Model, anywidget.AnyWidget):
    """A widget that answers requests of its view, and can be written as a page without a kernel.

    live: whether there is a Python to answer. theme: "" for that of the page.
    """

    title: str
    live = traitlets.Bool(True).tag(sync=True)
    progress = traitlets.Int(0).tag(sync=True)
    theme = traitlets.Enum(("", "light", "dark"), "").tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self._local, self._current = local(), NO_JOB
        self._latest: Thread | None = None
        self.on_msg(self._answer)

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def publish(self, **traits: Any) -> None:
        if self._job.is_abandoned:
            return  # a later request may already have been answered
        with self.hold_sync():
            for name, value in traits.items():
                setattr(self, name, value)

    def page(self, title: str | None = None, live: Live | None = None, above: str = "") -> str:
        """Render the widget as a page of HTML that needs neither kernel nor network.

        Args:
            title: The heading; the widget's title by default.
            live: The place of the page's own Python; by default beside the page, if there is one.
            above: HTML to show above the widget.
        """
        if live is None:
            live = "beside" if is_fetched() else "no"
        return page(title or self.title, [self.page_part()], live, [self.picture()], above)

    def picture(self) -> str:
        """Return a small picture, as HTML, for pages without JavaScript."""
        raise NotImplementedError

    def page_part(self, **more: Any) -> Part:
        """Return the data of this widget for a page: code, style, its own traits, and `more`."""
        inherited = anywidget.AnyWidget.class_trait_names()
        names = [name for name in self.trait_names(sync=True) if name not in inherited]
        state = {name: getattr(self, name) for name in names if not name.startswith("_")}
        return self._esm, self._css, state | {"live": False, "recipe": self.to_recipe()} | more

    def check_stopped(self, nodes: int) -> None:
        if nodes:
            self.publish(progress=nodes)
        if self._job.stop.is_set():
            self._job.acknowledged.set()
            raise make_stopped(nodes)

    def _answer(self, widget: object, request: Mapping[str, Any], buffers: object) -> None:
        """Answer in a thread, so that a reader can stop it and cells can run meanwhile."""
        if request.get("stop"):
            return self._stop(self._current)
        job = self._current = Job(request.get("id"))
        args = (self._respond, self._latest, job, request)
        self._latest = Thread(target=copy_context().run, args=args, daemon=True)
        self._latest.start()
        return None

    def _respond(self, previous: Thread | None, job: Job, request: Mapping[str, Any]) -> None:
        if previous:
            previous.join()
        self._local.job = job
        answer = {"id": job.id, "error": "the kernel could not do that; its log says why"}
        try:
            answer = self.answer(request)
        except KeyboardInterrupt:
            answer["error"] = "interrupted"
        except Exception:
            self.log.exception("a request could not be answered")
        finally:
            job.acknowledged.set()
            if not job.is_abandoned:
                self.send(answer)

    def _stop(self, job: Job) -> None:
        """Stop a search, or abandon it if it is compiled and does not notice."""
        job.stop.set()
        if job.acknowledged.wait(STOPS_WITHIN) or job.is_abandoned:
            return
        job.is_abandoned = True
        self._latest = None
        if self.has_trait("thinking"):
            self.publish(thinking="")
        self.send({"id": job.id, "error": "Stopped. The engine ends this search by itself."})

    @property
    def _job(self) -> Job:
        """The request that this thread answers; `NO_JOB` for a cell's calls, which never stop."""
        job: Job = getattr(self._local, "job", NO_JOB)
        return job
