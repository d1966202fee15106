"""Exercises of notebook 03: what alpha-beta leaves out, by hand."""

from math import inf

from kalahlab.evaluators.tree import written_value
from kalahlab.exercises.model import Exercise, Mistake
from kalahlab.games.hand_tree import MAX, MIN, Branch, HandTree
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.studies.s08_pruning import minimal_leaves
from kalahlab.trace import Trace, Visit, record


def _inner(name: str, player: int, *values: float) -> Branch:
    """A node above leaves, which are named after it."""
    leaves = (Branch(f"{name.lower()}{place}", 1 - player, v) for place, v in enumerate(values, 1))
    return Branch(name, player, 0, tuple(leaves))


TREE = HandTree(
    Branch(
        "A",
        MAX,
        0,
        (_inner("B", MIN, 4, 6, 9), _inner("C", MIN, 7, 4, 5), _inner("D", MIN, 3, 8, 6)),
    )
)
"""The tree of exercises 3.1 to 3.3. C is cut at a value equal to alpha."""

EXTRA_TURN = HandTree(Branch("A", MAX, 0, (_inner("B", MAX, 2, 6), _inner("C", MIN, 5, 8))))
"""The tree of exercise 3.5: the move to B earns MAX an extra turn."""
BY_LEVEL = HandTree(Branch("A", MAX, 0, (_inner("B", MIN, 2, 6), _inner("C", MIN, 5, 8))))
"""The same tree for a reader who lets the players alternate by level."""

ARITY, DEPTH = 3, 4
"""The branching factor and the depth of exercise 3.4."""


def pruned() -> Trace:
    """Alpha-beta on the tree."""
    return record(alpha_beta, TREE, TREE.start(), written_value, Depth(2))


def node(name: str) -> Visit:
    """The visit of a node of the tree."""
    return next(visit for visit in pruned().nodes if visit.name == name)


def unvisited(strict: bool = False, itself: bool = False) -> list[str]:
    """The leaves that alpha-beta does not visit, from left to right.

    strict: only those behind a value that is worse than the bound, not equal to it. itself: with
    the leaf that makes the cutoff.
    """
    trace = pruned()
    return [
        trace.nodes[id].name
        for cut in trace.cuts
        if not strict or cut.value != cut.bound
        for id in ((cut.by,) if itself else ()) + cut.untried
    ]


def counts(root: int = 0, seen: int = 0) -> tuple[int, int]:
    """The nodes that alpha-beta generates and visits, with so many too many of each."""
    found = pruned().result.counts
    return found.generated + root, found.visited + seen


def value(tree: HandTree) -> float:
    """The minimax value of a tree's root."""
    return record(minimax, tree, tree.start(), written_value, Depth(2)).result.value


EXERCISES = (
    Exercise(
        "3.1",
        answer=unvisited,
        hint="Go through the leaves from left to right. Keep α at the root up to date: it is the "
        "value of the best branch so far. MIN's node can be left when its value is α or less.",
        solution="`{answer}`. B is worth 4, so α is 4 from then on. At C the leaf c2 brings the "
        "value down to 4. That is not more than α, so c3 is not visited. At D the leaf d1 brings "
        "it down to 3, so d2 and d3 are not visited.",
        mistakes=(
            Mistake(
                lambda: unvisited(strict=True),
                "You cut only where the value is less than α. A value equal to α is enough: MAX "
                "gains nothing by that branch.",
            ),
            Mistake(
                lambda: unvisited(itself=True),
                "The leaf that causes a cutoff is visited. Only those after it are not.",
            ),
            Mistake(lambda: [], "That is minimax: it visits every leaf."),
        ),
    ),
    Exercise(
        "3.2",
        answer=lambda: node("D").alpha,
        hint="α is the value that MAX is already sure of: the largest value of the branches that "
        "are finished.",
        solution="α is **{answer:g}**. B is finished and worth 4. C is finished and not better. So "
        "MAX is sure of 4 by the move to B.",
        mistakes=(
            Mistake(
                lambda: node("D").beta,
                "That is β. MIN is sure of nothing yet when D is entered, so β is ∞.",
            ),
            Mistake(
                lambda: max(leaf.value for leaf in TREE.root.children[0].children),
                "MAX is not sure of the largest leaf below B, because MIN chooses there.",
            ),
            Mistake(
                lambda: node("d1").value,
                "That is the value of the first leaf below D. It is not known when D is entered.",
            ),
        ),
    ),
    Exercise(
        "3.3",
        answer=counts,
        hint="All children of a node are generated when it is expanded. A node is visited when the "
        "search enters it. The root is visited too.",
        solution="`{answer}`: three nodes below the root and nine leaves are generated. The root, "
        "the three nodes and six leaves are visited.",
        mistakes=(
            Mistake(lambda: counts(root=1), "The root is nobody's child, so it is not generated."),
            Mistake(lambda: counts(seen=-1), "The root is visited too."),
            Mistake(
                lambda: counts(seen=len(unvisited())),
                "That is minimax, which visits each node that it generates, and the root.",
            ),
        ),
    ),
    Exercise(
        "3.4",
        answer=lambda: minimal_leaves(ARITY, DEPTH),
        hint="In the best order alpha-beta evaluates b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves.",
        solution="3² + 3² − 1 = **{answer}** leaves, of 81.",
        mistakes=(
            Mistake(lambda: ARITY**DEPTH, "That is minimax: b^d leaves."),
            Mistake(
                lambda: minimal_leaves(ARITY, DEPTH) + 1,
                "One leaf is in both parts of the sum: subtract 1.",
            ),
            Mistake(
                lambda: ARITY ** (DEPTH // 2),
                "That is only one part of the tree. To prove a value, the search needs a lower "
                "bound and an upper bound.",
            ),
        ),
    ),
    Exercise(
        "3.5",
        answer=lambda: value(EXTRA_TURN),
        hint="Ask at each node who is to move there. After an extra turn it is the same player.",
        solution="**{answer:g}**. MAX is to move at B and takes 6. MIN is to move at C and takes "
        "5. MAX takes the larger one at A.",
        mistakes=(
            Mistake(
                lambda: value(BY_LEVEL),
                "You let MIN choose at B, because B is one level down. After the extra turn MAX is "
                "to move there.",
            ),
            Mistake(lambda: 8.0, "MIN is to move at C, and does not choose 8."),
            Mistake(lambda: inf, "The value of a finished tree is the value of one of its leaves."),
        ),
    ),
)
