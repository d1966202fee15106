"""What the board and the explorer share: requests from the view, themes, a page of their own."""

from collections.abc import Mapping
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Event, Thread, local
from typing import Any

import anywidget
import traitlets

from kalahlab.widgets.models.model import Model, stopped
from kalahlab.widgets.page import Live, Part, page
from kalahlab.widgets.runtime import fetched

STOPS_WITHIN = 2.0  # seconds in which a search that looks whether it is to stop has looked


@dataclass(slots=True)
class Job:
    """acknowledged: it has noticed that it is to stop, or has ended. left: nobody waits for it."""

    id: Any
    stop: Event = field(default_factory=Event, repr=False)
    acknowledged: Event = field(default_factory=Event, repr=False)
    left: bool = False


NO_JOB = Job(None)


class Widget(Model, anywidget.AnyWidget):
    """A widget whose view can ask for things, and that can stand in a page without a kernel. live:
    whether there is a Python to answer. theme: '' for that of the page."""

    title: str
    live = traitlets.Bool(True).tag(sync=True)
    progress = traitlets.Int(0).tag(sync=True)
    theme = traitlets.Enum(("", "light", "dark"), "").tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self._own, self._asked = local(), NO_JOB
        self._latest: Thread | None = None
        self.on_msg(self._answer)

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def publish(self, **traits: Any) -> None:
        if self._job.left:
            return  # another request may have been answered since
        with self.hold_sync():
            for name, value in traits.items():
                setattr(self, name, value)

    def page(self, title: str | None = None, live: Live | None = None, above: str = "") -> str:
        """The widget as a page of HTML that needs neither kernel nor network. live: where the
        page's own Python is, by default beside it if there is one. above: HTML."""
        where = live or ("no", "beside")[fetched()]
        return page(title or self.title, [self.part()], where, [self.picture()], above)

    def picture(self) -> str:
        """What a page without JavaScript shows of it, as HTML: few kilobytes."""
        raise NotImplementedError

    def part(self, **more: Any) -> Part:
        """What a page needs of this widget: its code, its style, its own traits, and `more`."""
        others = anywidget.AnyWidget.class_trait_names()
        names = [name for name in self.trait_names(sync=True) if name not in others]
        state = {name: getattr(self, name) for name in names if name[0] != "_"}
        return self._esm, self._css, state | {"live": False, "again": self.again()} | more

    def look(self, nodes: int) -> None:
        if nodes:
            self.publish(progress=nodes)
        if self._job.stop.is_set():
            self._job.acknowledged.set()
            raise stopped(nodes)

    def _answer(self, widget: object, request: Mapping[str, Any], buffers: object) -> None:
        """Let a thread answer, so that a reader can stop it, and cells can run meanwhile."""
        if request.get("stop"):
            return self._stop(self._asked)
        job = self._asked = Job(request.get("id"))
        todo = (self._respond, self._latest, job, request)
        self._latest = Thread(target=copy_context().run, args=todo, daemon=True)
        self._latest.start()
        return None

    def _respond(self, before: Thread | None, job: Job, request: Mapping[str, Any]) -> None:
        if before:
            before.join()
        self._own.job = job
        answer = {"id": job.id, "error": "the kernel could not do that; its log says why"}
        try:
            answer = self.answer(request)
        except KeyboardInterrupt:
            answer["error"] = "interrupted"
        except Exception:
            self.log.exception("a request could not be answered")
        finally:
            job.acknowledged.set()
            if not job.left:
                self.send(answer)

    def _stop(self, job: Job) -> None:
        """Stop a search; a compiled one, which does not look whether to stop, is left to itself."""
        job.stop.set()
        if job.acknowledged.wait(STOPS_WITHIN) or job.left:
            return
        job.left = True
        self._latest = None
        if self.has_trait("thinking"):
            self.publish(thinking="")
        self.send({"id": job.id, "error": "Stopped. The engine ends this search by itself."})

    @property
    def _job(self) -> Job:
        """What this thread answers; a cell's own calls answer nothing, and cannot be stopped."""
        job: Job = getattr(self._own, "job", NO_JOB)
        return job
