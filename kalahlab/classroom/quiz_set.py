"""Quiz sets: ten questions about a search, chosen by a seed as in quiz.js, and their grading."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from kalahlab.trace import Trace, Visit
from kalahlab.untrusted import QUOTES, parse_json
from kalahlab.widgets.models.search_request import SearchRequest

QUESTIONS = 10
SEEDS = 1 << 31
TOLERANCE = 0.005  # how near a number must be to the right one
LONGEST, LONGEST_NAME = 100_000, 200  # characters of a file, and of the name in it

UNREADABLE = "this is not a set that the quiz saved; hand in all of its text, from { to }"


@dataclass(frozen=True)
class Question:
    """A question about a search after `step` events.

    Attributes:
        step: The number of events before it, each a node entered or left.
        kind: What is asked: `cut`, whether the moves that remain are cut; `alpha` or `beta`, with
            which a node is entered; `value`, which a node passes up.
        answer: The right answer.
    """

    step: int
    kind: str
    answer: bool | float

    def is_right(self, reply: Any) -> bool:
        """Return whether a reply, any value of JSON, is the right answer."""
        if isinstance(self.answer, bool) or isinstance(reply, bool):
            return reply is self.answer
        return isinstance(reply, int | float) and abs(reply - self.answer) < TOLERANCE


def draw_questions(trace: Trace, seed: int) -> list[Question]:
    """Draw up to `QUESTIONS` questions about a search, and return them by step.

    Raises:
        ValueError: The search has probes or passes.
    """
    if any(visit.kind == "driver" or visit.label != visit.name for visit in trace.visits()):
        raise ValueError("a quiz set needs a search without probes and passes")
    pool = [*iter_questions(trace)]
    count = min(QUESTIONS, len(pool))
    random_number = seed
    for index in range(count):
        random_number = (1103515245 * random_number + 12345) % SEEDS
        other = index + random_number * (len(pool) - index) // SEEDS
        pool[index], pool[other] = pool[other], pool[index]
    order = {"cut": 0, "alpha": 1, "beta": 2, "value": 3}
    return sorted(pool[:count], key=lambda question: (question.step, order[question.kind]))


def grade_quiz(text: str) -> dict[str, Any]:
    """Grade a quiz set that was handed in; each answer is judged anew.

    Returns:
        `name`, `set` (the seed), `right` answers, `of` how many questions, `claimed` (the score
        in the text), `search` (a link), and for each question, as `question 1`, 1 or 0.

    Raises:
        ValueError: The text is not a set that the quiz saved, or its parts do not fit.
    """
    try:
        submission = _parse_quiz(text)
        parts = ("name", "search", "seed", "answers", "right")
        name, search, seed, answers, claimed = (submission[part] for part in parts)
    except (ValueError, KeyError, TypeError):
        raise ValueError(UNREADABLE) from None
    if [*map(type, (name, search, answers, claimed))] != [str, str, list, int]:
        raise ValueError(UNREADABLE)
    if len(name) > LONGEST_NAME:
        raise ValueError(f"the name has {len(name):,} characters; at most {LONGEST_NAME} are read")
    if type(seed) is not int or not 0 <= seed < SEEDS:
        raise ValueError(f"the number of the set is {seed!r}; it must be 0 to {SEEDS - 1}")
    drawn = draw_questions(_record_link(search), seed)
    if len(drawn) != len(answers):
        raise ValueError(f"set {seed} has {len(drawn)} questions, the text {len(answers)} answers")
    right = [question.is_right(reply) for question, reply in zip(drawn, answers, strict=True)]
    row = {"name": name, "set": seed, "right": right.count(True), "of": len(drawn)}
    row |= {"claimed": claimed, "search": search}
    for number, is_right in enumerate(right, start=1):
        row[f"question {number}"] = int(is_right)
    return row


@lru_cache(2)  # a class answers about one search
def _record_link(search: str) -> Trace:
    """Run the search of a link."""
    return SearchRequest.from_link(search).run_first()[0]


def _parse_quiz(text: str) -> Any:
    """Parse the JSON in a letter; it may be quoted there or have the quotation marks of Word.

    A mail program may break its lines; in the name, such a line ends at a blank.

    Raises:
        ValueError: There is no JSON object in the letter, or it is too long.
    """
    before, brace, text = re.split(r"(\{)(?=[\s>]*[\"“”„«»])", text, maxsplit=1)
    if before.rpartition("\n")[2].lstrip().startswith(">"):
        text = re.sub(r"\n[> ]*>", "\n", text)
    name, comma, rest = text.translate(QUOTES).partition('",')
    joined = " ".join(name.split()) + comma + "".join(map(str.strip, rest.splitlines()))
    for candidate in (brace + text, brace + joined):
        try:
            return parse_json(candidate, LONGEST)
        except json.JSONDecodeError as error:
            if error.msg == "Extra data":
                return parse_json(candidate[: error.pos], LONGEST)
    raise ValueError


def iter_questions(trace: Trace) -> Iterator[Question]:
    """Yield all questions that can be asked about a search, by step."""
    best: dict[int | None, float] = {}  # by node: the best value that a child has passed up to it
    pairs = pairwise(trace.events())
    for step, ((was_entered, previous), (is_entered, visit)) in enumerate(pairs, start=1):
        if not was_entered and _is_improvement(previous, best, trace):
            best[previous.parent] = previous.final_value
            node = trace.nodes[previous.parent or 0]
            bound = node.beta if node.node.maximizing else node.alpha
            is_cut = visit is node and node.kind == "cut"
            # Nothing is asked if the answer is plain: the bound is infinite, the value is not.
            is_open = math.isfinite(bound) or math.isinf(previous.final_value)
            if is_open and (is_cut or visit is not node):
                yield Question(step, "cut", is_cut)
        for kind in ("alpha", "beta") if is_entered else ("value",):
            answer = getattr(visit, kind)
            if trace.visited_children(visit) and answer is not None and math.isfinite(answer):
                yield Question(step, kind, answer)


def _is_improvement(visit: Visit, best: Mapping[int | None, float], trace: Trace) -> bool:
    """Return whether a visit that has ended gives its parent a better value than `best`."""
    if visit.parent is None:
        return False
    if visit.parent not in best:
        return True
    if trace.nodes[visit.parent].node.maximizing:
        return visit.final_value > best[visit.parent]
    return visit.final_value < best[visit.parent]
