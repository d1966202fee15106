"""A game tree written by hand, as a game.

A `Branch` is a state: who moves there, what it is worth to player 0, and what follows.
The instances are the worked examples of the two textbooks, and the fixtures of the search
tests, and the tree of an exercise: a reader can check every number of a search on paper.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random

MAX, MIN = 0, 1


@dataclass(frozen=True, slots=True)
class Branch:
    """A node: its name, whose turn it is, its value to player 0, the branches below.

    `value` is the outcome at a leaf and the static value elsewhere.
    """

    name: str
    player: int = MAX
    value: float = 0
    children: tuple["Branch", ...] = ()

    @property
    def board(self) -> tuple[float, ...]:
        """The node's numbers: its value alone."""
        return (self.value,)


@dataclass(frozen=True, slots=True)
class HandTree:
    """The game of walking down a hand-written tree. A move is a child's index from 0."""

    root: Branch

    def start(self) -> Branch:
        """The root."""
        return self.root

    def moves(self, state: Branch) -> Sequence[int]:
        """The numbers of a node's children, from 0; none at a leaf."""
        return range(len(state.children))

    def play(self, state: Branch, move: int) -> Branch:
        """The child with this number."""
        return child_of(state, move)

    def over(self, state: Branch) -> bool:
        """Whether the node is a leaf."""
        return not state.children

    def move_name(self, state: Branch, move: int) -> str:
        """The name of the child that a move leads to."""
        return state.children[move].name

    def margin(self, state: Branch, player: int) -> float:
        """What a leaf is worth to the player, 0 being MAX."""
        return state.value if player == MAX else -state.value


def with_leaf(node: Branch, path: Sequence[int], value: float) -> Branch:
    """The tree with the leaf at the end of `path` (child indices) worth `value`."""
    if not path:
        if node.children:
            raise ValueError(f"{node.name} is not a leaf; its value follows from those below it")
        return replace(node, value=value)
    first, *rest = path
    return with_child(node, first, with_leaf(child_of(node, first), rest, value))


def with_name(node: Branch, path: Sequence[int], name: str) -> Branch:
    """The tree with the node at the end of `path` under another name.

    `ValueError` if a branch beside it has that name.
    """
    if not path:
        return replace(node, name=name)
    first, *rest = path
    child = with_name(child_of(node, first), rest, name)
    others = (each for place, each in enumerate(node.children) if place != first)
    if any(each.name == child.name for each in others):
        raise ValueError(f"another branch here is called {child.name!r}")
    return with_child(node, first, child)


def with_branch_at(node: Branch, path: Sequence[int], branch: int, to: int) -> Branch:
    """The tree with a branch of the node at the end of `path` moved to another place.

    branch, to: indices among that node's branches, before and after.
    """
    if path:
        first, *rest = path
        return with_child(node, first, with_branch_at(child_of(node, first), rest, branch, to))
    moved = child_of(node, branch)
    if not 0 <= to < len(node.children):
        raise ValueError(f"{node.name} has no place {to}; it has {len(node.children)} branches")
    children = [*node.children[:branch], *node.children[branch + 1 :]]
    children.insert(to, moved)
    return replace(node, children=tuple(children))


def with_new_leaf(node: Branch, path: Sequence[int]) -> Branch:
    """The tree with one more leaf, worth 0, as the last branch of the node at the end of `path`.

    A leaf becomes a node with one branch, a leaf that has its value.
    """
    if path:
        first, *rest = path
        return with_child(node, first, with_new_leaf(child_of(node, first), rest))
    taken = {child.name for child in node.children}
    places = count(len(node.children) + 1)
    names = (f"{node.name}.{place}" if node.name else str(place) for place in places)
    name = next(name for name in names if name not in taken)
    if not node.children:
        return replace(node, value=0, children=(Branch(name, 1 - node.player, node.value),))
    return replace(node, children=(*node.children, Branch(name, 1 - node.player)))


def without_branch(node: Branch, path: Sequence[int], branch: int) -> Branch:
    """The tree without a branch of the node at the end of `path`, and all below it.

    A node that has none left is a leaf, with its own value.
    """
    if path:
        first, *rest = path
        return with_child(node, first, without_branch(child_of(node, first), rest, branch))
    child_of(node, branch)
    return replace(node, children=(*node.children[:branch], *node.children[branch + 1 :]))


def uniform_tree(arity: int, depth: int, seed: int, max_value: int = 99) -> Branch:
    """Two players in turn, `arity` branches at each node and all leaves at one depth.

    Leaves are worth 0 to `max_value` at random, the same for the same seed. A node is named by the
    places of the branches that lead to it, so that no two are equal.
    """
    random = Random(seed)

    def grown(path: str, left: int) -> Branch:
        player = (MAX, MIN)[(depth - left) % 2]
        if left == 0:
            return Branch(path, player, random.randint(0, max_value))
        places = (f"{path}.{place}" if path else str(place) for place in range(1, arity + 1))
        return Branch(path, player, 0, tuple(grown(place, left - 1) for place in places))

    return grown("", depth)


def child_of(node: Branch, branch: int) -> Branch:
    """The child at the end of a branch."""
    if not 0 <= branch < len(node.children):
        raise ValueError(f"{node.name} has no branch {branch}; it has {len(node.children)}")
    return node.children[branch]


def with_child(node: Branch, branch: int, child: Branch) -> Branch:
    """The node with another child at the end of a branch."""
    return replace(node, children=(*node.children[:branch], child, *node.children[branch + 1 :]))


def _row(names: str, *values: float, player: int = MAX) -> tuple[Branch, ...]:
    pairs = zip(names.split(), values, strict=True)
    return tuple(Branch(name, player, value) for name, value in pairs)


def _node(name: str, player: int, *children: Branch, value: float = 0) -> Branch:
    return Branch(name, player, value, children)


AIMA_5_2 = HandTree(
    _node(
        "A",
        MAX,
        _node("B", MIN, *_row("b1 b2 b3", 3, 12, 8)),
        _node("C", MIN, *_row("c1 c2 c3", 2, 4, 6)),
        _node("D", MIN, *_row("d1 d2 d3", 14, 5, 2)),
    )
)
"""Russell & Norvig, *Artificial Intelligence*, figure 5.2: value 3, and two leaves of C cut."""

RICH_KNIGHT_12_3 = HandTree(
    _node(
        "A",
        MAX,
        _node("B", MIN, *_row("E F G", 9, -6, 0), value=8),
        _node("C", MIN, *_row("H I", 0, -2), value=3),
        _node("D", MIN, *_row("J K", -4, -3), value=-2),
    )
)
"""Rich & Knight, *Artificial Intelligence*, figures 12.1 to 12.3: B is best one ply deep
(its static value is 8), C two plies deep (-2)."""

RICH_KNIGHT_12_5 = HandTree(
    _node(
        "A",
        MAX,
        _node("B", MIN, *_row("D E", 3, 5)),
        _node(
            "C",
            MIN,
            _node("F", MAX, _node("I", MIN, *_row("K L", 0, 7)), Branch("J", MIN, 5)),
            _node("G", MAX, *_row("M N", 7, 8, player=MIN)),
            Branch("H", MAX, 4),
        ),
    )
)
"""Rich & Knight, figure 12.5, the tree that MINIMAX-A-B is explained on: L is cut because I
is worth at most 0 while A has 3; N is cut because G is worth at least 7 while C has 5. The
values of L, N and H are ours: no search that prunes depends on the first two."""

SEVEN_STEPS = HandTree(
    _node(
        "C",
        MAX,
        _node(
            "A",
            MIN,
            _node("A1", MAX, *_row("a b", 2, 3, player=MIN)),
            _node("B", MAX, *_row("c d", 5, 9, player=MIN)),
        ),
        _node(
            "D",
            MIN,
            _node("D1", MAX, *_row("e", 0, player=MIN)),
            _node("D2", MAX, *_row("f g", 7, 4, player=MIN)),
        ),
        _node(
            "E",
            MIN,
            _node("E1", MAX, *_row("h i", 2, 1, player=MIN)),
            _node("E2", MAX, *_row("j k", 5, 6, player=MIN)),
        ),
    )
)
"""The tree of the seven steps in the CS5329 report, section 5.7, whose picture is lost. Its text
gives the leaves a, b, e and h, and that B is worth at least 3; the other leaves are ours."""

EXERCISE_3 = HandTree(
    _node(
        "A",
        MAX,
        _node("B", MIN, *_row("b1 b2 b3", 4, 6, 9)),
        _node("C", MIN, *_row("c1 c2 c3", 7, 4, 5)),
        _node("D", MIN, *_row("d1 d2 d3", 3, 8, 6)),
    )
)
"""The tree of exercises 3.1 to 3.3. C is cut at a value equal to alpha."""

EXAMPLES = {
    "aima-5.2": AIMA_5_2,
    "rich-knight-12.3": RICH_KNIGHT_12_3,
    "rich-knight-12.5": RICH_KNIGHT_12_5,
    "cs5329-5.7": SEVEN_STEPS,
}
