"""A quiz set: ten questions of a search, chosen by a seed as in quiz.js; and what is handed in."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from kalahlab.exercises import QUOTES
from kalahlab.outside import parse_json
from kalahlab.trace import Trace, Visit
from kalahlab.widgets.models.request import SearchRequest

QUESTIONS = 10
SEEDS = 1 << 31
CLOSE = 0.005  # how near a number must be to the right one
LONGEST, NAME = 100_000, 200  # characters of what is handed in, and of the name in it


@dataclass(frozen=True)
class Question:
    """What is asked after `step` events. kind: `cut`, whether the moves that remain are cut;
    `alpha`, `beta`, what a node is entered with; `value`, what it passes up."""

    step: int
    kind: str
    answer: bool | float

    def right(self, given: Any) -> bool:
        if isinstance(self.answer, bool) or isinstance(given, bool):
            return given is self.answer
        return isinstance(given, int | float) and abs(given - self.answer) < CLOSE


def quiz_set(trace: Trace, seed: int) -> list[Question]:
    """Up to `QUESTIONS` questions, by step; `ValueError` for a search with probes or passes."""
    if any(visit.kind == "driver" or visit.label != visit.name for visit in trace.visited()):
        raise ValueError("a quiz set needs a search without probes and passes")
    pool, chance = [*questions(trace)], seed
    count = min(QUESTIONS, len(pool))
    for place in range(count):
        chance = (1103515245 * chance + 12345) % SEEDS
        other = place + chance * (len(pool) - place) // SEEDS
        pool[place], pool[other] = pool[other], pool[place]
    order = {"cut": 0, "alpha": 1, "beta": 2, "value": 3}
    return sorted(pool[:count], key=lambda each: (each.step, order[each.kind]))


def grade(text: str) -> dict[str, Any]:
    """What was handed in, judged anew; `claimed` is the score it says. Raises `ValueError`."""
    try:
        given = _read(text)
        parts = "name", "search", "seed", "answers", "right"
        name, search, seed, answers, claimed = (given[each] for each in parts)
        if [*map(type, (name, search, answers, claimed))] != [str, str, list, int]:
            raise TypeError
    except (ValueError, KeyError, TypeError):
        raise ValueError("this is not what the quiz hands in; give the text from { to }") from None
    if len(name) > NAME:
        raise ValueError(f"the name has {len(name):,} characters; at most {NAME} are read")
    if type(seed) is not int or not 0 <= seed < SEEDS:
        raise ValueError(f"the set's number is {seed!r}; it is 0 to {SEEDS - 1}")
    asked = quiz_set(_linked(search), seed)
    if len(asked) != len(answers):
        raise ValueError(f"set {seed} has {len(asked)} questions; {len(answers)} are answered")
    right = [each.right(answer) for each, answer in zip(asked, answers, strict=True)]
    row = {"name": name, "set": seed, "right": sum(right), "of": len(asked), "claimed": claimed}
    return (
        row | {"search": search} | {f"question {n}": int(it) for n, it in enumerate(right, start=1)}
    )


@lru_cache(2)  # a class answers about one search
def _linked(search: str) -> Trace:
    return SearchRequest.from_link(search).first()[0]


def _read(text: str) -> Any:
    """The JSON in a letter, also quoted there, with Word's quotes or a mail program's lines: in the
    name they end at a blank."""
    before, brace, text = re.split(r"(\{)(?=[\s>]*[\"“”„«»])", text, maxsplit=1)
    if before.rpartition("\n")[2].lstrip().startswith(">"):
        text = re.sub(r"\n[> ]*>", "\n", text)
    name, comma, rest = text.translate(QUOTES).partition('",')
    joined = " ".join(name.split()) + comma + "".join(map(str.strip, rest.splitlines()))
    for each in (text, joined):
        try:
            return parse_json(brace + each, LONGEST)
        except json.JSONDecodeError as error:
            if error.msg == "Extra data":
                return parse_json((brace + each)[: error.pos], LONGEST)
    raise ValueError


def questions(trace: Trace) -> Iterator[Question]:
    best: dict[int, float] = {}
    for step, ((began, before), (entered, visit)) in enumerate(pairwise(trace.events()), start=1):
        if not began and _improves(before, best, trace):
            node = trace.nodes[before.parent or 0]
            bound = node.beta if node.node.maximizing else node.alpha
            cut = visit is node and node.kind == "cut"
            known = math.isfinite(bound) or math.isinf(before.found)
            if known and (cut or visit is not node):
                yield Question(step, "cut", cut)
        for kind in ("alpha", "beta") if entered else ("value",):
            answer = getattr(visit, kind)
            if trace.tried(visit) and answer is not None and math.isfinite(answer):
                yield Question(step, kind, answer)


def _improves(visit: Visit, best: dict[int, float], trace: Trace) -> bool:
    """Whether a visit that has just ended gave its parent a better value; remembers it if so."""
    if visit.parent is None:
        return False
    sign = 1 if trace.nodes[visit.parent].node.maximizing else -1
    if visit.parent in best and sign * visit.found <= sign * best[visit.parent]:
        return False
    best[visit.parent] = visit.found
    return True
