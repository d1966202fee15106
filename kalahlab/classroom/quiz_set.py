"""Quiz sets and their grading. A set has ten questions about a search, which a seed chooses."""

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

QUESTIONS = 10  # the most questions in a set
SEEDS = 1 << 31  # a seed is 0 to SEEDS - 1
TOLERANCE = 0.005  # a number is right if it differs by less from the right answer, as in quiz.js
MAX_LENGTH = 100_000  # characters of a set, and bytes of its file
LONGEST_NAME = 200  # characters of the name in a set

UNREADABLE_SET = "this is not a set that the quiz saved; hand in all of its text, from { to }"


@dataclass(frozen=True)
class Question:
    """A question about a search after `step` events.

    Attributes:
        step: The number of events before the question. An event enters or leaves a node.
        kind: The subject. `cut` asks whether the remaining moves are cut off, `alpha` and `beta`
            ask for a bound with which a node is entered, and `value` asks for the value that a node
            passes up.
        answer: The right answer.
    """

    step: int
    kind: str
    answer: bool | float

    def is_right(self, reply: Any) -> bool:
        """Return whether a reply, any value of JSON, is the right answer."""
        # `is`, because True == 1 in Python: the reply 1 must not count as the answer True.
        if isinstance(self.answer, bool) or isinstance(reply, bool):
            return reply is self.answer
        return isinstance(reply, int | float) and abs(reply - self.answer) < TOLERANCE


def draw_questions(trace: Trace, seed: int) -> list[Question]:
    """Draw up to `QUESTIONS` questions about a search, and return them in the order of the steps.

    `quiz.js` draws the same questions: with the same random numbers, in the same order.

    Raises:
        ValueError: The search has probes or passes.
    """
    if any(visit.kind == "driver" or visit.label != visit.name for visit in trace.visits()):
        raise ValueError(
            "a quiz set needs a search without null windows and passes, such as alpha_beta"
        )
    pool = [*iter_questions(trace)]
    count = min(QUESTIONS, len(pool))
    # The questions before `index` are drawn. One of the others changes places with that at `index`.
    random_number = seed
    for index in range(count):
        random_number = (1103515245 * random_number + 12345) % SEEDS
        remaining = len(pool) - index
        drawn = index + (random_number * remaining) // SEEDS
        pool[index], pool[drawn] = pool[drawn], pool[index]
    # The order of the questions of one step, that of `ASKED` in `quiz.js`.
    order = {"cut": 0, "alpha": 1, "beta": 2, "value": 3}
    return sorted(pool[:count], key=lambda question: (question.step, order[question.kind]))


def grade_quiz(text: str) -> dict[str, Any]:
    """Grade a quiz set that was handed in: run its search again, and judge each answer again.

    Returns:
        A row with these columns:
        - `name`: the name in the text, "" if the student gave none
        - `set`: the seed
        - `right`: the number of right answers
        - `of`: the number of questions
        - `claimed`: the number of right answers according to the text
        - `search`: the link to the search
        - `question 1` and so on: 1 if the answer is right, else 0

    Raises:
        ValueError: The text is not a set that the quiz saved, or the answers do not belong to its
            search.
    """
    try:
        saved_set = _parse_quiz(text)
        keys = ("name", "search", "seed", "answers", "right")
        name, search, seed, answers, claimed = (saved_set[key] for key in keys)
    except (ValueError, KeyError, TypeError):
        raise ValueError(UNREADABLE_SET) from None
    # `type`, not `isinstance`, as True is an instance of int.
    types = [type(value) for value in (name, search, answers, claimed)]
    if types != [str, str, list, int]:
        raise ValueError(UNREADABLE_SET)
    if len(name) > LONGEST_NAME:
        raise ValueError(f"the name has {len(name):,} characters; at most {LONGEST_NAME} are read")
    if type(seed) is not int or not 0 <= seed < SEEDS:
        raise ValueError(f"the number of the set is {seed!r}; it must be 0 to {SEEDS - 1}")
    questions = draw_questions(_record_link(search), seed)
    if len(questions) != len(answers):
        raise ValueError(
            f"set {seed} has {len(questions)} questions, but the text has {len(answers)} answers"
        )
    grades = [question.is_right(reply) for question, reply in zip(questions, answers, strict=True)]
    row = {"name": name, "set": seed, "right": grades.count(True), "of": len(questions)}
    row |= {"claimed": claimed, "search": search}
    for number, is_right in enumerate(grades, start=1):
        row[f"question {number}"] = int(is_right)
    return row


@lru_cache(2)  # most students of a class answer about the same search
def _record_link(search: str) -> Trace:
    """Run the first search of a link and return the trace."""
    return SearchRequest.from_link(search).run_first()[0]


def _parse_quiz(text: str) -> Any:
    """Parse the JSON object in a letter.

    The letter may quote the object with ">", use the quotation marks of Word, and break lines. In
    the student's name, which is the first value, a line is broken at a blank. After the name a line
    may be broken anywhere.

    Raises:
        ValueError: There is no JSON object in the letter, or it is too long.
    """
    # The object begins with a brace before a quotation mark; blanks and ">" may be between them.
    # Without such a brace there is one part, and the unpacking raises ValueError.
    before, brace, text = re.split(r"(\{)(?=[\s>]*[\"“”„«»])", text, maxsplit=1)
    beginning_of_line = before.rpartition("\n")[2]
    if beginning_of_line.lstrip().startswith(">"):  # the object is quoted
        text = re.sub(r"\n[> ]*>", "\n", text)
    name, comma, rest = text.translate(QUOTES).partition('",')
    one_line_name = " ".join(name.split())
    one_line_rest = "".join(map(str.strip, rest.splitlines()))
    joined = one_line_name + comma + one_line_rest
    # The text as it is comes first, as joining also changes blanks and quotation marks in a name.
    for candidate in (brace + text, brace + joined):
        try:
            return parse_json(candidate, MAX_LENGTH)
        except json.JSONDecodeError as error:
            if error.msg == "Extra data":  # the letter goes on after the object
                return parse_json(candidate[: error.pos], MAX_LENGTH)
    raise ValueError  # `grade_quiz` replaces it by one with a message


def iter_questions(trace: Trace) -> Iterator[Question]:
    """Yield all questions that can be asked about a search, in the order of its steps.

    The window and the value of a node are asked about only if they are finite and the search has
    visited a child of the node.
    """
    best: dict[int | None, float] = {}  # by node: the best value that a child has passed up to it
    # An event is a node with True if it is entered, or with False if it is left.
    pairs = pairwise(trace.events())
    for step, ((was_entered, previous), (is_entered, visit)) in enumerate(pairs, start=1):
        if not was_entered and _is_improvement(previous, best, trace):
            best[previous.parent] = previous.final_value
            # An improvement has a parent. mypy cannot know that; `or 0` is for mypy alone.
            parent = trace.nodes[previous.parent or 0]
            bound = parent.beta if parent.node.maximizing else parent.alpha
            # After its last child, the next event leaves the parent.
            is_last_child = visit is parent
            is_cut = is_last_child and parent.kind == "cut"
            # A finite value cannot reach an infinite bound: that answer would be too easy.
            may_be_cut = math.isfinite(bound) or math.isinf(previous.final_value)
            # Without a cut, no moves remain after the last child to ask about.
            if may_be_cut and (is_cut or not is_last_child):
                yield Question(step, "cut", is_cut)
        kinds = ("alpha", "beta") if is_entered else ("value",)
        for kind in kinds:
            answer = getattr(visit, kind)
            if trace.visited_children(visit) and answer is not None and math.isfinite(answer):
                yield Question(step, kind, answer)


def _is_improvement(visit: Visit, best: Mapping[int | None, float], trace: Trace) -> bool:
    """Return whether a visit that has ended improves the value of its parent in `best`.

    The first child of a parent always improves it. The root has no parent to improve.
    """
    if visit.parent is None:
        return False
    if visit.parent not in best:
        return True
    if trace.nodes[visit.parent].node.maximizing:
        return visit.final_value > best[visit.parent]
    return visit.final_value < best[visit.parent]
