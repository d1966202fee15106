"""The trace of a search that grows a tree, with explanations of its iterations.

    trace = record_growth(uct, game, state, PLAYOUTS["random"], Playouts(200))
    trace.why(57), trace.table(57), trace.numbers(3, 57)

Nodes are in the order of their creation. Step 0 is the root alone, and step k is the tree after
iteration k. What a search knew at a step is looked up, not computed again.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isinf
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from kalahlab.formatting import capitalize_first, format_number
from kalahlab.games import Game
from kalahlab.games.registry import GAMES, game_name
from kalahlab.search.growing.dynamic_ordering import Provisional
from kalahlab.search.growing.loop import GrowingTree, to_growing_search
from kalahlab.search.growing.model import Growth, GrowthObserver, Policy, TreeNode
from kalahlab.search.growing.playouts import Playout
from kalahlab.trace import growth_json
from kalahlab.trace.explain import SHOWN_BY_BOARD
from kalahlab.trace.iterations import How, Iteration
from kalahlab.trace.serialise import Shown

if TYPE_CHECKING:
    import pandas as pd

PARTS = ("select", "expand", "evaluate", "back up")
"""The parts of an iteration."""
MOST_TOLD = 4  # nodes below the root whose changes `why` tells


class Candidate(NamedTuple):
    """A child at a step, as a candidate for selection.

    Attributes:
        id: The id of the child.
        name: The name of the move that leads to it.
        numbers: What the search knows of it.
        terms: The terms of its appeal to the player who chooses; see `Policy.appeal`.
    """

    id: int
    name: str
    numbers: Any
    terms: tuple[float, ...]

    @property
    def appeal(self) -> float:
        return sum(self.terms)


@dataclass(slots=True, repr=False)
class GrowthTrace:
    """A recorded search that grew a tree.

    Attributes:
        result: The result of the search.
        policy: The policy, which computes the appeal of children.
        game: The name of the game, or of its class if it is not in the registry.
        nodes: The nodes by id. Their `numbers` are those at the end.
        names: The names of the moves that lead to the nodes, by id; "" for the root.
        iterations: What happened, by step; None at step 0.
        history: For each node, by id, the (step, numbers) of each change of its numbers.
    """

    policy: Policy
    game: str
    nodes: list[TreeNode] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    iterations: list[Iteration | None] = field(default_factory=lambda: [None])
    history: list[list[tuple[int, Any]]] = field(default_factory=list)
    result: Growth = field(init=False)

    @property
    def steps(self) -> int:
        """The number of iterations."""
        return len(self.iterations) - 1

    def __repr__(self) -> str:
        value = format_number(self.result.value)
        claim = f"{self.result.claim} {value}"
        return f"<trace: {len(self.nodes):,} nodes, {self.steps:,} iterations, {claim}>"

    def iteration(self, step: int) -> Iteration:
        """Return what happened in the iteration of a step, from 1 on."""
        iteration = None
        if 0 < step <= self.steps:
            iteration = self.iterations[step]
        if iteration is None:
            raise ValueError(f"there is no iteration {step}; use 1 to {self.steps}")
        return iteration

    def numbers(self, id: int, step: int) -> Any:
        """Return what the search knew of a node at a step; None if the node was not made yet."""
        history = self.history[id]
        index = bisect_right(history, step, key=itemgetter(0)) - 1
        return history[index][1] if index >= 0 else None

    def candidates(self, id: int, step: int) -> list[Candidate]:
        """Return the children of a node at a step, with their numbers and their appeal."""
        parent = self.numbers(id, step)
        node = self.nodes[id]
        rows = list[Candidate]()
        for child in node.children:
            numbers = self.numbers(child.id, step)
            if numbers is not None:
                terms = self.policy.appeal(node.maximizing, parent, numbers)
                rows.append(Candidate(child.id, self.names[child.id], numbers, terms))
        return rows

    def table(self, step: int, id: int = 0) -> "pd.DataFrame":
        """Return the children of a node at a step as a table: move, numbers and appeal."""
        import pandas as pd

        if not 0 <= step <= self.steps:
            raise ValueError(f"there is no step {step}; use 0 to {self.steps}")
        rows = list[dict[str, Any]]()
        for candidate in self.candidates(id, step):
            row = {"move": candidate.name} | candidate.numbers._asdict()
            rows.append(row | {"appeal": candidate.appeal})
        return pd.DataFrame(rows)

    def to_json(self) -> str:
        """Format the trace as JSON, which `from_json` parses; see `growth_json.to_json`."""
        return growth_json.to_json(self)

    @classmethod
    def from_json(cls, text: str) -> "GrowthTrace":
        """Parse the text that `to_json` wrote. The states of the trace are `serialise.Shown`.

        Raises:
            ValueError: The text is not such a trace, or it is one of a user's search.
        """
        parts = growth_json.from_json(text)
        lists = parts.nodes, parts.names, [None, *parts.iterations], parts.history
        trace = cls(parts.policy, parts.game, *lists)
        trace.result = parts.result
        try:
            for step in range(1, trace.steps + 1):
                trace.reasons(step)  # computed only for the errors that it raises
        except (ArithmeticError, LookupError, StopIteration, TypeError, ValueError):
            raise ValueError(
                f"this is not a trace: iteration {step} does not follow from the numbers"
            ) from None
        return trace

    def draw_position(self, node: TreeNode) -> str:
        """Draw a position in characters; return "" if `state.board` alone shows the position."""
        if isinstance(node.state, Shown):
            return node.state.drawn
        if self.game not in GAMES or self.game in SHOWN_BY_BOARD:
            return ""
        return GAMES[self.game].draw(node.state)

    def path_names(self, id: int) -> list[str]:
        """Return the names of the moves from the root to a node."""
        names = list[str]()
        node = self.nodes[id]
        while node.parent is not None:
            names.append(self.names[node.id])
            node = node.parent
        return names[::-1]

    def why(self, step: int) -> str:
        """Explain an iteration: each selection, the expansion, the value, and what it changed."""
        return " ".join(self.reasons(step))

    def reasons(self, step: int) -> list[str]:
        """Return the sentences of `why`."""
        sentences = list[str]()
        for part in self.reasons_by_part(step).values():
            sentences += part
        return sentences

    def reasons_by_part(self, step: int) -> dict[str, list[str]]:
        """Return the sentences of `why` by the parts of an iteration, in their order.

        The parts are the names in `PARTS`.
        """
        iteration = self.iteration(step)
        sentences: dict[str, list[str]] = {part: [] for part in PARTS}
        for parent, child in zip(iteration.path, iteration.path[1:], strict=False):
            if parent != iteration.expanded:  # its children had no numbers before
                sentences["select"].append(self.explain_selection(step, parent, child))
        if iteration.expanded is not None:
            sentences["expand"].append(self._explain_expansion(iteration))
        for id, how, value in iteration.values:
            if how != "unknown":
                sentences["evaluate"].append(self._explain_value(id, how, value))
        sentences["back up"] = self._explain_back_up(step, iteration.path)
        return sentences

    def explain_selection(self, step: int, parent: int, child: int) -> str:
        """Explain why an iteration went from a node to its child: the child has most appeal."""
        candidates = self.candidates(parent, step - 1)
        player = "MAX" if self.nodes[parent].maximizing else "MIN"
        chosen = next(row for row in candidates if row.id == child)
        others = [row for row in candidates if row.id != child]
        place = capitalize_first(self._place(parent))
        if not others:
            return f"{place}, {player} has only move {chosen.name}."
        rival = max(others, key=lambda row: row.appeal)
        digits = _digits_that_differ(chosen.appeal, rival.appeal)
        reason = _describe_candidate(chosen, player, digits)
        sentence = f"{place}, {player} selects move {chosen.name}: {reason}."
        if rival.appeal == chosen.appeal:
            return f"{sentence} Move {rival.name} is as good, but comes later."
        reason = _describe_candidate(rival, player, digits)
        return f"{sentence} The next best is move {rival.name}: {reason}."

    def _explain_expansion(self, iteration: Iteration) -> str:
        assert iteration.expanded is not None, "the caller has an iteration with an expansion"
        count = len(self.nodes[iteration.expanded].children)
        children = "1 child is" if count == 1 else f"{count} children are"
        return f"{capitalize_first(self._place(iteration.expanded))}, {children} made."

    def _explain_value(self, id: int, how: How, value: Any) -> str:
        number = format_number(value)
        place = capitalize_first(self._place(id))
        if how == "rules":
            return f"{place}, the game is over with the margin {number}."
        if how == "playout":
            return f"{place}, a playout gives {number}."
        return f"{place}, the evaluator gives {number}."

    def _explain_back_up(self, step: int, path: Sequence[int]) -> list[str]:
        """Return a sentence on the root, and one on the nodes below it on the path."""
        root, *below = path
        changes = self._describe_changes(root, step)
        sentences = ["The numbers of the root do not change."]
        if changes:
            sentences = [f"At the root: {changes}."]
        texts = list[str]()
        for id in below:
            if changes := self._describe_changes(id, step):
                texts.append(f"{self._place(id)}, {changes}")
        if len(texts) > MOST_TOLD:
            left_out = len(texts) - MOST_TOLD
            nodes = "1 node" if left_out == 1 else f"{left_out} nodes"
            texts[MOST_TOLD - 1 : -1] = [f"below that, {nodes} more"]
        if texts:
            sentences.append(f"{capitalize_first('; '.join(texts))}.")
        return sentences

    def _describe_changes(self, id: int, step: int) -> str:
        """Return what a step changed in the numbers of a node; "" if nothing."""
        before, after = self.numbers(id, step - 1), self.numbers(id, step)
        if before == after:
            return ""
        changes = list[str]()
        old_numbers: dict[str, Any] = {}
        if before is not None:
            old_numbers = _numbers_to_tell(before)
        for name, new in _numbers_to_tell(after).items():
            if name not in old_numbers:  # there is no mean before the first visit
                changes.append(f"{name} {_format_short(new)}")
            elif old_numbers[name] != new:
                changes.append(f"{name} {_format_change(old_numbers[name], new)}")
        return ", ".join(changes)

    def _place(self, id: int) -> str:
        names = self.path_names(id)
        return f"after {', '.join(names)}" if names else "at the root"


def _digits_that_differ(first: float, second: float) -> int:
    """Return the least number of digits, from 2 on, with which two numbers look different."""
    digits = 2
    while digits < 17 and first != second and f"{first:.{digits}f}" == f"{second:.{digits}f}":
        digits += 1
    return digits


def _describe_candidate(candidate: Candidate, player: str, digits: int) -> str:
    """Describe the numbers of a child and its appeal to the player who chooses."""
    numbers = candidate.numbers
    if not hasattr(numbers, "n"):
        return _describe_estimate(candidate)
    if candidate.appeal == inf:
        return "it was never tried"
    if candidate.appeal == -inf:
        return "more tries of it cannot change the result"
    times = {0: "never tried", 1: "tried once", 2: "tried twice"}
    tried = times.get(numbers.n, f"tried {numbers.n} times")
    texts = [f"{term:.{digits}f}" for term in candidate.terms]
    total = f"{candidate.appeal:.{digits}f}"
    worth = f"{' + '.join(texts)} = {total}".replace("-", "−")
    return f"{tried}, it may be worth {worth} to {player}"


def _describe_estimate(candidate: Candidate) -> str:
    """Describe the numbers of a child of a search that counts no visits."""
    numbers = candidate.numbers
    if isinstance(numbers, Provisional) and candidate.appeal == inf:
        return "it is not evaluated yet"
    texts = [f"{name} {_format_short(value)}" for name, value in _numbers_to_tell(numbers).items()]
    if isinstance(numbers, Provisional) and candidate.appeal == -inf:
        texts.append("no more can be gained there")
    return ", ".join(texts)


def _numbers_to_tell(numbers: Any) -> dict[str, Any]:
    """Return numbers by name: in place of a total, the mean, once there is one."""
    if isinstance(numbers, Provisional):
        return numbers.to_tell()
    fields: dict[str, Any] = numbers._asdict()
    if hasattr(type(numbers), "mean") and fields.pop("total", None) is not None and numbers.n:
        fields["mean"] = numbers.mean
    return fields


def _format_change(old: Any, new: Any) -> str:
    """Return an old and a new number, with as many digits as tell the two apart."""
    texts = _format_short(old), _format_short(new)
    if texts[0] == texts[1]:
        digits = _digits_that_differ(old, new)
        texts = f"{old:.{digits}f}".replace("-", "−"), f"{new:.{digits}f}".replace("-", "−")
    return " → ".join(texts)


def _format_short(value: Any) -> str:
    if isinstance(value, float) and not value.is_integer() and not isinf(value):
        return f"{value:.2f}".replace("-", "−")
    return format_number(value)


class GrowthRecorder(GrowthObserver):
    """An observer that records the growth of a tree.

    Args:
        game: The game that is searched.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.trace: GrowthTrace

    def start(self, tree: GrowingTree, policy: Policy) -> None:
        self.trace = GrowthTrace(policy, game_name(self.game))
        self._add(tree.root, 0)

    def iterate(
        self, path: Sequence[TreeNode], expanded: TreeNode | None, values: Mapping[TreeNode, Any]
    ) -> None:
        trace = self.trace
        step = len(trace.iterations)
        if expanded is not None:
            for child in expanded.children:
                self._add(child, step)
        valued = [(node.id, self._how(node, value), value) for node, value in values.items()]
        expanded_id = None if expanded is None else expanded.id
        ids = tuple(node.id for node in path)
        trace.iterations.append(Iteration(ids, expanded_id, tuple(valued)))
        for node in path:
            _append_numbers(trace.history[node.id], step, node.numbers)

    def _add(self, node: TreeNode, step: int) -> None:
        name = ""
        if node.parent is not None:
            name = self.game.move_name(node.parent.state, node.move)
        self.trace.nodes.append(node)
        self.trace.names.append(name)
        self.trace.history.append([(step, node.numbers)])

    def _how(self, node: TreeNode, value: Any) -> How:
        if node.is_over:
            return "rules"
        if value is None:
            return "unknown"
        if isinstance(getattr(self.trace.policy, "evaluator", None), Playout):
            return "playout"
        return "evaluator"


def _append_numbers(history: list[tuple[int, Any]], step: int, numbers: Any) -> None:
    """Append the numbers of a node at a step to its history, if they have changed."""
    last_step, last_numbers = history[-1]
    if last_step == step:  # the node was made in this step
        history[-1] = step, numbers
    elif last_numbers != numbers:
        history.append((step, numbers))


def record_growth(
    search: Any, game: Game, state: Any, evaluator: Any, limit: Any, **options: Any
) -> GrowthTrace:
    """Run a search that grows a tree, or that of a policy class, and record it.

    The arguments are those of the search.
    """
    recorder = GrowthRecorder(game)
    result = to_growing_search(search)(game, state, evaluator, limit, recorder, **options)
    recorder.trace.result = result
    return recorder.trace
