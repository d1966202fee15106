"""The search explorer: a game-tree search, step by step, with the reason of every cut.

    explore("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>", depth=4)
    explore(AIMA_5_2, depth=9, beside="minimax")
    Explorer(trace)

All stepping is in JavaScript (`explorer/*.js`) over the finished log of the search. Python is
asked only for another search, and a page without a kernel does all the rest.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from kalahlab.games.hand_tree import HandTree
from kalahlab.games.kalah import STANDARD, Rules, State
from kalahlab.games.notation import parse_board
from kalahlab.trace import Trace
from kalahlab.widgets import modules
from kalahlab.widgets.packing import pack
from kalahlab.widgets.page import Part, page
from kalahlab.widgets.question import CHOICES, Question, Search

FOLDER = Path(__file__).with_suffix("")

PATIENCE = 20.0
"""Seconds that the view waits for Python before it says that it does not answer."""


class Explorer(anywidget.AnyWidget):
    """One search, or two on one clock.

    traces: the packed searches. step: how many events are past, both ways. theme: "light",
    "dark" or "", which follows the page. asked, choices: the form, empty where nothing can
    be asked. wish, answer: a question of the view and Python's reply, under one number.
    question (no trait): what is searched, None if traces were given.
    """

    _esm = modules.join(FOLDER / "explorer.js")
    _css = (FOLDER / "explorer.css").read_text(encoding="utf-8")

    traces = traitlets.List(traitlets.Dict()).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    theme = traitlets.Enum(["", "light", "dark"], "").tag(sync=True)
    live = traitlets.Bool(True).tag(sync=True)
    patience = traitlets.Float(PATIENCE).tag(sync=True)
    asked = traitlets.Dict().tag(sync=True)
    choices = traitlets.Dict().tag(sync=True)
    wish = traitlets.Dict().tag(sync=True)
    answer = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        *searches: Trace,
        titles: Sequence[str] = (),
        question: Question | None = None,
        **traits: Any,
    ) -> None:
        """Show recorded searches, under their titles, or what `question` asks for."""
        self.question = question
        if question is not None:
            traits |= {"traces": question.packed(), "asked": question.asked(), "choices": CHOICES}
        elif searches:
            names = [*titles, *["Search"] * len(searches)]
            packed = [pack(each, name) for each, name in zip(searches, names, strict=False)]
            traits |= {"traces": packed}
        super().__init__(**traits)

    def page(self, title: str = "Search explorer") -> str:
        """This explorer as a page of HTML that needs neither kernel nor network."""
        return page(title, [self.part()])

    def part(self) -> Part:
        """What a page needs of this explorer."""
        kept = ("traces", "step", "theme", "patience")
        state = {name: getattr(self, name) for name in kept}
        return self._esm, self._css, state | {"live": False, "asked": {}, "answer": {}}

    @traitlets.observe("wish")
    def _answer(self, change: Any) -> None:
        """Do what the view wishes. What cannot be done is said there, and nothing changes."""
        wish = change["new"]
        reply: dict[str, Any] = {"number": wish.get("number")}
        try:
            reply |= self._granted(wish)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            reply["error"] = " ".join(str(error).split()) or type(error).__name__
        self.answer = reply

    def _granted(self, wish: dict[str, Any]) -> dict[str, Any]:
        if "page" in wish:
            return {"page": self.page()}
        if "trace" in wish:
            trace = Trace.from_json(wish["trace"])
            self.traces = [pack(trace, wish["name"])]
        elif self.question is None:
            raise ValueError("this search was given as a trace; nothing else can be asked here")
        elif "edit" in wish:
            self._show(self.question.edited(wish["edit"]))
        else:
            self._show(self.question.changed(wish["search"]))
        return {}

    def _show(self, question: Question) -> None:
        packed = question.packed()
        self.question = question
        self.asked = question.asked()
        self.traces = packed


def explore(
    root: str | State | HandTree,
    *,
    algorithm: str = "alpha_beta",
    evaluator: str = "store_difference",
    depth: int = 4,
    leaf: str = "sow",
    order: str = "pit",
    rules: Rules = STANDARD,
    beside: str | None = None,
    beside_order: str | None = None,
    **traits: Any,
) -> Explorer:
    """Search a position, or a tree written by hand, and show how it went.

    root: a board as text, a state of Kalah, or a tree. beside, beside_order: the algorithm
    and the order of a second search on the same clock; either alone is enough. Raises
    `ValueError` for what has no such name, and for a search too large to be kept.
    """
    searches = [_search(algorithm, order)]
    if beside or beside_order:
        searches.append(_search(beside or algorithm, beside_order or order))
    position = parse_board(root) if isinstance(root, str) else root
    question = Question(position, tuple(searches), _as_listed(evaluator), depth, leaf, rules)
    return Explorer(question=question, **traits)


def _search(algorithm: str, order: str) -> Search:
    return Search(_as_listed(algorithm), _as_listed(order))


def _as_listed(name: str) -> str:
    """A name as the form lists it: names may have hyphens for underscores."""
    return name.replace("-", "_")
