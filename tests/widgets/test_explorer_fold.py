"""The picture at every step says what the Python trace says: a fold in JavaScript, and one here."""

import json
import math
import re
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any

from strategies import random_position

from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import EXAMPLES, MAX, MIN, Branch, HandTree
from kalahlab.search import ALGORITHMS, ORDERS, Depth, greedy
from kalahlab.search.full_size import full_size
from kalahlab.search.model import Node
from kalahlab.trace import Trace, Visit, number, record
from kalahlab.widgets.explorer import Explorer
from kalahlab.widgets.explorer.packing import brief, pack

# Steps through a whole search, as a reader does, and writes down what has changed in the picture.
READ = """place => {
  const root = document.getElementById(`widget-${place}`).querySelector(".kx");
  const slider = root.querySelector("input[type=range]");
  const text = (selector) => root.querySelector(selector)?.textContent ?? null;
  const all = (selector) => [...root.querySelectorAll(selector)];
  const steps = [];
  let before = new Map();
  for (let k = 0; k <= Number(slider.max); k++) {
    slider.value = k;
    slider.dispatchEvent(new Event("input"));
    const now = new Map(all(".tree .node").map((node) => {
      const key = node.id.split("-").pop();
      const value = node.querySelector(".value").textContent;
      return [key, `${value}|${node.getAttribute("aria-label")}`];
    }));
    const changed = [...now].filter(([key, said]) => before.get(key) !== said);
    const gone = [...before.keys()].filter((key) => !now.has(key));
    before = now;
    steps.push({
      changed, gone,
      visited: text(".kx-count.visited b"), skipped: text(".kx-count.skipped b"),
      counts: text(".kx-counts"),
      ladder: all(".kx-ladder tbody td.n").map((cell) => cell.textContent),
      cells: all(".kx-panel .seeds").map((cell) => Number(cell.textContent)),
      best: [...root.explorer.panes()[0].marks.best], say: text(".kx-say"), why: text(".kx-why p"),
    });
  }
  return JSON.stringify(steps);  // one text: playwright takes an object apart slowly
}"""


ONCE = ("greedy", "minimax", "alpha_beta", "minimax_a_b")
"""The searches that enter no node twice and look nothing up."""


@dataclass(frozen=True)
class Case:
    """A search, and the size of what it did not visit."""

    name: str
    algorithm: str
    trace: Trace
    sizes: Any

    def key(self, id):
        """A node's key in the picture; one never visited is told by its place among such."""
        visit = self.trace.nodes[id]
        if visit.kind != "unvisited":
            return str(id)
        siblings = self.trace.nodes[visit.parent or 0].children
        untried = [c for c in siblings if self.trace.nodes[c].kind == "unvisited"]
        return f"{visit.parent}/{untried.index(id)}"

    @property
    def windows(self):
        return any(math.isfinite(v.alpha) or math.isfinite(v.beta) for v in self.trace.visited())

    @property
    def adds_up(self):
        """Whether what was visited and what was not make up the full search."""
        nodes = self.trace.nodes
        never = sum(self.sizes(visit.node) for visit in nodes if visit.kind == "unvisited")
        visited = len([*self.trace.visited()])
        return bool(visited + never == self.sizes(nodes[0].node))


ENDLESS = HandTree(
    Branch("A", children=(
        Branch("B", MIN, children=(Branch("b1", MAX, -math.inf), Branch("b2", MAX, 9))),
        Branch("C", MIN, children=(
            Branch("c1", MAX, children=(Branch("x", MIN, math.inf), Branch("y", MIN, 0))),
            Branch("c2", MAX, 4),
        )),
        Branch("D", MAX, children=(Branch("d1", MIN, 3.25), Branch("d2", MIN, 5))),
    ))
)  # fmt: skip
"""A tree with values that no bound exceeds, so that the window itself cuts."""

WHOLE = 160
"""The most nodes that the explorer shows all of; a search of many passes may have more."""


def cases():
    """All algorithms on 24 random positions, every evaluator and order in turn, and the books'."""
    chance = Random(11)
    found = 0
    while found < 24:
        game, state = random_position(chance, pits=4, stones=chance.choice([4, 4, 400]))
        evaluator = chance.choice([*EVALUATORS])
        depth = Depth(chance.randint(2, 3), chance.choice(["sow", "turn"]))
        order = chance.choice([*ORDERS])
        sized = full_size(game, depth)(Node(state, None, True, 0, 0))
        if game.over(state) or not 4 < sized < 70:
            continue
        asked = (game, state, EVALUATORS[evaluator], depth, ORDERS[order])
        all_of_it = [
            _case(f"{name} {state} {evaluator} {depth} {order}", name, asked) for name in ALGORITHMS
        ]
        if max(len(case.trace.nodes) for case in all_of_it) > WHOLE:
            continue
        found += 1
        yield from all_of_it
    for name, tree in {**EXAMPLES, "endless": ENDLESS}.items():
        for algorithm in ALGORITHMS:
            yield _case(
                f"{algorithm} {name}",
                algorithm,
                (tree, tree.start(), written_value, Depth(9), ORDERS["pit"]),
            )


def _case(title, algorithm, asked):
    trace = replace(record(ALGORITHMS[algorithm], *asked), game="")
    game, _, _, depth, _ = asked
    if ALGORITHMS[algorithm] is greedy:
        depth = Depth(1, depth.unit)
    return Case(title, algorithm, trace, full_size(game, depth))


@dataclass
class Fold:
    """What the picture must say, learned event by event.

    said: by the node's key in the picture, its value's text, its window or what is asked there,
    and what it is. path: the nodes entered and not yet left; each with its window and its best
    value so far. sentence, reason: how a cut is told, and what could cut the node just entered.
    """

    case: Case
    said: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    path: list[tuple[Visit, float, float, float | None]] = field(default_factory=list)
    visited: int = 0
    skipped: int = 0
    cuts: int = 0
    ladder: list[str] = field(default_factory=list)
    sentence: str | None = None
    reason: str | None = None
    shown: Visit | None = None

    def enter(self, visit):
        self.shown = visit
        self.visited += 1
        self.path.append((visit, visit.alpha, visit.beta, None))
        self._tell_last()
        for child in visit.children:
            self.said[self.case.key(child)] = ("", "", "waiting")
        self.ladder = [text for visit, a, b, _ in self.path for text in window(visit, a, b)]
        self.sentence = None
        inner = self.case.windows and visit.kind in ("inner", "cut")
        self.reason = self._cutting(visit) if inner else None

    def _cutting(self, visit):
        """What would cut the node, and who is sure of it or asks for it."""
        trace, maximizing = self.case.trace, visit.node.maximizing
        mover, other = ("MAX", "MIN") if maximizing else ("MIN", "MAX")
        bound = visit.beta if maximizing else visit.alpha
        if math.isinf(bound):
            endless = any(math.isinf(v.value or 0) for v in trace.visited())
            least = f"only {number(bound)}" if endless else "nothing"
            return f"{other} is sure of nothing above yet, so {least} can be cut here."
        text = window(visit, visit.alpha, visit.beta)[maximizing]
        beside = text[0] in "<>"
        crossed = f"{text[0]} {text[1:]}" if beside else f"{'≥' if maximizing else '≤'} {text}"
        owner, holds = trace.bound_owner(visit)
        how = "that answers the question asked"
        if holds is not None:
            how = f"{other} is already sure of that"
        return f"A cut comes as soon as {mover} finds {crossed}: {how} {trace.place(owner)}."

    def leave(self):
        visit, alpha, beta, _ = self.path.pop()
        value = visit.value or 0
        self.shown = visit
        self._tell(visit, alpha, beta, _bounded(visit, value), "cut" if visit.kind == "cut" else "")
        # The window on the way to a node is what its ancestors had when it was entered.
        self.ladder[-2:] = window(visit, alpha, beta)
        self.ladder = self.ladder[: 2 * len(self.path)] + self.ladder[-2:]
        self.sentence = self.reason = None
        if visit.kind == "cut":
            self._cut(visit)
        if self.path:
            self._learn(value, at_most=value < visit.beta)

    def _cut(self, visit):
        trace = self.case.trace
        cut = next(cut for cut in trace.cuts if cut.node == visit.id)
        self.cuts += 1
        for id in cut.untried:
            size = self.case.sizes(trace.nodes[id].node)
            self.skipped += size
            self.said[self.case.key(id)] = (spaced(size) if size > 1 else "", "", "never")
        self.sentence = trace.why(cut)

    def _learn(self, value, at_most):
        """From a child; the pass of a driver is a question, answered with yes or `at_most`."""
        visit, alpha, beta, best = self.path[-1]
        if visit.kind == "driver" and at_most:
            beta = min(beta, value)
        elif visit.node.maximizing:
            best = value if best is None else max(best, value)
            alpha = max(alpha, value)
        else:
            best = value if best is None else min(best, value)
            beta = min(beta, value)
        if not self.case.windows:
            alpha, beta = -math.inf, math.inf
        self.path[-1] = (visit, alpha, beta, best)
        self._tell_last()

    def _tell_last(self):
        visit, alpha, beta, best = self.path[-1]
        sign = "≥" if visit.node.maximizing else "≤"
        self._tell(visit, alpha, beta, "" if best is None else sign + brief(best), "open")

    def _tell(self, visit, alpha, beta, text, what):
        leaf = visit.kind in ("leaf", "finished")
        question = visit.question.replace(">", "more than").replace("≥", "at least")
        told = question or " to ".join(window(visit, alpha, beta))
        told = told if self.case.windows and not leaf else ""
        self.said[str(visit.id)] = (text, told, "leaf" if leaf else what)


def window(visit, alpha, beta):
    """A window at a node. An end that only lies next to a number is written as it is asked with."""
    low, high = number(alpha), number(beta)
    if ">" in visit.question and beta == visit.beta:
        high = f">{number(visit.alpha)}"
    if "≥" in visit.question and alpha == visit.alpha:
        low = f"<{number(visit.beta)}"
    return low, high


def _bounded(visit, value):
    """A value with the sign of its bound: a leaf's own value is never one."""
    if visit.kind in ("leaf", "finished") or math.isinf(value):
        return brief(value)
    return ("≥" if value >= visit.beta else "≤" if value <= visit.alpha else "") + brief(value)


def spaced(count):
    return f"{count:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def states(case):
    """The fold after each enter and leave."""
    fold = Fold(case)
    for begins, visit in case.trace.events():
        if begins:
            fold.enter(visit)
        else:
            fold.leave()
        yield fold


def reached(seen):
    """What the search has come to; the rest of the tree is there, in grey and without values."""
    ahead = "not reached yet"
    assert all(text[0] == "|" for text in seen.values() if text.endswith(ahead))
    return {key: text for key, text in seen.items() if not text.endswith(ahead)}


@cache
def heard(text):
    """A node's value and its label in the picture, in the words of `Fold.said`."""
    value, _, label = text.partition("|")
    window = re.search(r"(?:window|MAX gets) (\S+ to|more than|at least) (\S+?)(?:,|$)", label)
    what = re.search(r"(not visited yet|cut|never visited|open)(?:, only.*)?$", label)
    if re.search(r": (Move \S+?(, extra turn)?|Root), (leaf|finished game), ", label):
        return value, "", "leaf"
    if re.search(r"cut, \S+ nodes? never visited$", label):
        return value, "", "never"
    known = {"not visited yet": "waiting", "open": "open", "cut": "cut"}
    return value, " ".join(window.groups()) if window else "", known[what[1]] if what else ""


TOGETHER = 60
"""The searches of one page: a browser opens more only slowly."""


def test_the_picture_at_every_step_is_the_traces(show):
    searches = cases()
    while chosen := [*islice(searches, TOGETHER)]:
        packed = (pack(case.trace, case.name, case.sizes) for case in chosen)
        shown = show(*(Explorer(traces=[each]) for each in packed))
        assert shown.locator(".kx-notice:visible").all_inner_texts() == []
        for place, case in enumerate(chosen):
            compare(case, json.loads(shown.evaluate(READ, place)))
        shown.close()


def compare(case, steps):
    assert case.adds_up or case.algorithm not in ONCE
    seen: dict[str, str] = dict(steps[0]["changed"])
    assert {*seen} == {case.key(visit.id) for visit in case.trace.nodes}, "the whole tree"
    assert reached(seen) == {"0": seen["0"]}, "nothing but the root before the first step"
    for step, fold in zip(steps[1:], states(case), strict=True):
        assert step["gone"] == []
        seen.update(step["changed"])
        said = {key: heard(text) for key, text in reached(seen).items()}
        assert said == fold.said, case.name
        assert step["visited"] == spaced(fold.visited)
        if case.trace.cuts:
            assert step["skipped"] == (spaced(fold.skipped) if case.adds_up else None)
            assert f"{'by ' if case.adds_up else ''}{fold.cuts} cut" in step["counts"]
        assert (
            f"of {spaced(case.sizes(case.trace.nodes[0].node))} in full minimax" in step["counts"]
        )
        if case.windows:
            assert step["ladder"] == fold.ladder
        if step["cells"]:
            assert step["cells"] == [*fold.shown.node.state.board]
        if fold.sentence is not None:
            assert step["say"].startswith(f"Cut. {fold.sentence}")
        if fold.reason is not None:
            assert step["why"] == fold.reason
    assert case.trace.game != "kalah" or all(step["cells"] for step in steps)
    assert steps[-1]["best"] == case.trace.principal, case.name
    adds_up = fold.skipped + fold.visited == case.sizes(case.trace.nodes[0].node)
    assert adds_up == case.adds_up
