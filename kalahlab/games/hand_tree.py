"""Trees written by hand: a game of walking down one, its text, and the textbooks' examples.

    ((3 12 8) (2 4 6) (14 5 2))     a node in parentheses, its children one after the other
    (8(9 -6 0) 3(0 -2))             right before them what an inner node is worth, if not 0
    ([1 2] 3)                       square brackets: the same player moves as in the node above
    (win:(3 draw:12) 5)             a name and a colon before what it names
    aima-5.2                        a tree of the textbooks, by its name in `EXAMPLES`
    uniform:3x4:7                   3 branches at each node, 4 plies deep, values by the seed 7

MAX moves at the root, unless it stands in square brackets; in parentheses moves the other
player than in the node above, and to a leaf the turn has passed. Values are MAX's. Nodes
without a name are named after their parent and their place in it: 2.1, or B.1 below B.
"""

import ast
import math
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from kalahlab.names import meant

MAX, MIN = 0, 1
EXAMPLE = "((3 12 8) (2 4 6) (14 5 2))"
CUT_SHORT = "inner nodes have no value of their own; at the depth they count as 0"
MAX_LEVELS = 100  # of brackets
MAX_LEAVES = 100_000  # of a uniform tree

# An opening bracket with what stands right before it, a closing one, or a leaf.
_TOKEN = re.compile(r"[^\s()\[\]]*[(\[]|[)\]]|[^\s()\[\]]+")
_NAME = re.compile(r"(?![\d.]+\Z)[^\s()\[\]:]{1,20}")  # before a colon; digits alone are a place
_UNIFORM = re.compile(r"uniform:(\d{1,3})x(\d{1,3}):(\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Branch:
    """`value`: to player 0, the outcome at a leaf and the static value elsewhere."""

    name: str
    player: int = MAX
    value: float = 0
    children: tuple["Branch", ...] = ()

    @property
    def board(self) -> tuple[float, ...]:
        return (self.value,)


@dataclass(frozen=True, slots=True)
class HandTree:
    """The game of walking down a hand-written tree. A move is a child's index from 0."""

    root: Branch
    max_player: ClassVar[int] = MAX  # whoever moves at the root

    def start(self) -> Branch:
        return self.root

    def moves(self, state: Branch) -> Sequence[int]:
        return range(len(state.children))

    def play(self, state: Branch, move: int) -> Branch:
        return child_of(state, move)

    def over(self, state: Branch) -> bool:
        return not state.children

    def move_name(self, state: Branch, move: int) -> str:
        return state.children[move].name

    def margin(self, state: Branch, player: int) -> float:
        return state.value if player == MAX else -state.value


def child_of(node: Branch, branch: int) -> Branch:
    if not 0 <= branch < len(node.children):
        raise ValueError(f"{node.name} has no branch {branch}; it has {len(node.children)}")
    return node.children[branch]


def plies(tree: Branch) -> int:
    return max((1 + plies(each) for each in tree.children), default=0)


def cut_short(node: Branch, depth: int, leaf: str = "sow") -> str:
    """What is wrong with the values of a search of this depth; '' if nothing is.

    leaf: what the depth counts; in turns, those of a player who moves again are free.
    """

    def stops(node: Branch, left: int) -> bool:
        if left <= 0 or not node.children:
            return bool(node.children) and not node.value
        return any(
            stops(each, left - (leaf == "sow" or each.player != node.player))
            for each in node.children
        )

    return CUT_SHORT if stops(node, depth) else ""


def uniform_tree(arity: int, depth: int, seed: int, max_value: int = 99) -> Branch:
    """Two players in turn, `arity` branches at each node, leaves at one depth, values by a seed."""
    random = Random(seed)

    def grown(path: str, left: int) -> Branch:
        player = (MAX, MIN)[(depth - left) % 2]
        if left == 0:
            return Branch(path, player, random.randint(0, max_value))
        places = (_below(path, branch) for branch in range(arity))
        return Branch(path, player, 0, tuple(grown(place, left - 1) for place in places))

    return grown("", depth)


def parse_tree(text: str) -> Branch:
    """The root of the tree that a text stands for; `ValueError`, in one line, if it is none."""
    text = text.strip()
    if text in EXAMPLES:
        return EXAMPLES[text].root
    if uniform := _UNIFORM.fullmatch(text):
        arity, depth, seed = map(int, uniform.groups())
        if depth > MAX_LEVELS or not 0 < arity**depth <= MAX_LEAVES:
            sizes = f"1 to {MAX_LEAVES:,} leaves and {MAX_LEVELS} levels"
            raise ValueError(f"tree {text!r}: use {sizes}")
        return uniform_tree(arity, depth, seed)
    try:
        return _parse_brackets(text).root
    except ValueError as error:
        if written := _written_in_parentheses(text):
            raise ValueError(
                f"tree {text!r} is a list of Python; write it in parentheses and without commas: "
                f"{written!r} (in square brackets moves the same player as in the node above)"
            ) from None
        names = ", ".join((*EXAMPLES, "uniform:3x4:7")) + meant(text, EXAMPLES)
        raise ValueError(f"tree {text!r}: {error}; write as {EXAMPLE!r}, or {names}") from None


def _written_in_parentheses(text: str) -> str:
    """Return the tree of a nested list, such as `[[9, 5], [-3, -2]]`, or `""` if it is none.

    A text at the beginning of a list is the name of its node, as in `["A", ["B", 5], ["C", 10]]`.
    """

    def write(node: Any) -> str:
        if not isinstance(node, list | tuple):
            return str(node)
        name = f"{node[0]}:" if node and isinstance(node[0], str) else ""
        children = [write(child) for child in node[bool(name) :]]
        if name and len(children) == 1 and not isinstance(node[1], list | tuple):
            return f"{name}{children[0]}"
        return f"{name}({' '.join(children)})"

    try:
        nested = ast.literal_eval(text)
        if not isinstance(nested, list | tuple):
            return ""
        written = write(nested)
        _parse_brackets(written)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ""
    return written


def is_min_only(root: Branch) -> bool:
    """Return whether MIN moves in every inner node: in the text, each bracket is square."""
    inner = [child for child in root.children if child.children]
    return root.player == MIN and bool(root.children) and all(map(is_min_only, inner))


def _parse_brackets(text: str) -> HandTree:
    tokens = _TOKEN.findall(text)[::-1]
    root = _node(tokens, MIN, "", 0)
    if tokens:
        raise ValueError(f"{tokens[-1]!r} comes after its end")
    return HandTree(root)


def _node(tokens: list[str], above: int, place: str, level: int) -> Branch:
    """The node at the end of `tokens`, which are in reverse order; takes them away.

    place: its name if it has none.
    """
    if not tokens:
        raise ValueError("it ends too early")
    name, colon, token = tokens.pop().rpartition(":")
    name = parse_name(name) if colon else place
    if token[-1:] not in ("(", "["):
        return Branch(name, 1 - above, parse_value(token))
    if level >= MAX_LEVELS:
        raise ValueError(f"brackets are nested more than {MAX_LEVELS} deep")
    player, closing = (1 - above, ")") if token[-1] == "(" else (above, "]")
    children: list[Branch] = []
    while tokens[-1:] != [closing]:
        children.append(_node(tokens, player, _below(name, len(children)), level + 1))
    tokens.pop()
    if not children:
        raise ValueError("there is nothing between brackets")
    if len({child.name for child in children}) < len(children):
        raise ValueError("two branches of a node have the same name")
    return Branch(name, player, parse_value(token[:-1] or "0"), tuple(children))


def _below(parent: str, branch: int) -> str:
    """The name of a branch that has none of its own."""
    return f"{parent}.{branch + 1}".lstrip(".")


def parse_name(text: str) -> str:
    """The name of a node; `ValueError` if it could not be written down with its tree."""
    if not _NAME.fullmatch(name := text.strip()):
        raise ValueError(
            f"{name[:40]!r} is no name: use up to 20 characters, not digits alone, "
            "and no spaces, brackets or colons"
        )
    return name


def parse_value(text: str) -> float:
    """The finite number that a text stands for; its minus sign may be a true one."""
    try:
        value = float(text.replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        commas = "; write spaces, not commas" * ("," in text)
        raise ValueError(f"{text!r} is not a number{commas}")
    return int(value) if value.is_integer() else value


def format_tree(root: Branch) -> str:
    """The text of a tree: its name if it is one of the textbooks', else its brackets."""
    known = (name for name, tree in EXAMPLES.items() if tree.root == root)
    return next(known, "") or _brackets(root, MIN, "")


def _brackets(node: Branch, above: int, place: str) -> str:
    name = f"{node.name}:" if node.name != place and _NAME.fullmatch(node.name) else ""
    if not node.children:
        return f"{name}{node.value}"
    opening, closing = "[]" if node.player == above else "()"
    children = " ".join(
        _brackets(child, node.player, _below(node.name, branch))
        for branch, child in enumerate(node.children)
    )
    return f"{name}{node.value or ''}{opening}{children}{closing}"


def draw_tree(node: Branch, level: int = 0) -> str:
    name = f"{node.name} " if node.name else ""
    if not node.children:
        return f"{'  ' * level}{name}{node.value}"
    below = (draw_tree(child, level + 1) for child in node.children)
    worth = f" {node.value}" if node.value else ""
    return "\n".join((f"{'  ' * level}{name}{('MAX', 'MIN')[node.player]}{worth}", *below))


# Edits: each makes another tree and leaves the old one alone.


def at_path(root: Branch, path: Sequence[int], edit: Callable[[Branch], Branch]) -> Branch:
    """The tree with the node at a path edited; `ValueError` if a branch beside it has its name."""
    if not path:
        return edit(root)
    first, *rest = path
    old = child_of(root, first)
    new, others = at_path(old, rest, edit), without_branch(root, first).children
    if new.name != old.name and any(each.name == new.name for each in others):
        raise ValueError(f"another branch here is called {new.name!r}")
    return replace(root, children=(*others[:first], new, *others[first:]))


def with_value(leaf: Branch, value: float) -> Branch:
    """`ValueError` if it is no leaf."""
    if leaf.children:
        raise ValueError(f"{leaf.name} is not a leaf; its value follows from those below it")
    return replace(leaf, value=value)


def with_branch_at(node: Branch, branch: int, to: int) -> Branch:
    """A branch of the node moved to another place: indices before and after."""
    moved = child_of(node, branch)
    if not 0 <= to < len(node.children):
        raise ValueError(f"{node.name} has no place {to}; it has {len(node.children)} branches")
    others = without_branch(node, branch).children
    return replace(node, children=(*others[:to], moved, *others[to:]))


def with_new_leaf(node: Branch) -> Branch:
    """One more leaf, worth 0, as the node's last branch; if it has none, worth as much as it."""
    taken = {child.name for child in node.children}
    names = (_below(node.name, branch) for branch in count(len(node.children)))
    leaf = Branch(next(name for name in names if name not in taken), 1 - node.player)
    if not node.children:
        leaf, node = replace(leaf, value=node.value), replace(node, value=0)
    return replace(node, children=(*node.children, leaf))


def without_branch(node: Branch, branch: int) -> Branch:
    """The node without a branch; one that has none left is a leaf, with its own value."""
    child_of(node, branch)
    return replace(node, children=(*node.children[:branch], *node.children[branch + 1 :]))


_TREES = tomllib.loads(Path(__file__).with_name("trees.toml").read_text(encoding="utf-8"))
EXAMPLES = {name: _parse_brackets(text) for name, text in _TREES.items()}
AIMA_5_2, RICH_KNIGHT_12_3, RICH_KNIGHT_12_5, SEVEN_STEPS = EXAMPLES.values()
# The tree of exercises 3.1 to 3.3.
EXERCISE_3 = _parse_brackets("A:(B:(b1:4 b2:6 b3:9) C:(c1:7 c2:4 c3:5) D:(d1:3 d2:8 d3:6))")
